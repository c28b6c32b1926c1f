//! Traps where LLVM cannot emit them.
//!
//! On gfx11 `s_trap` does nothing inside a trap handler, so LLVM 22 turns `llvm.trap` into a longer
//! sequence there; under uniform control flow it forgets to expand that, and its own assembler
//! rejects the result. A kernel is no trap handler: `s_trap 2`, the trap that means abort in AMD's
//! ABI, followed by the end of the wave, is right.

use crate::{AmdArch, Target};

pub(crate) fn are_simulated(target: Target) -> bool {
    matches!(target, Target::Amd(AmdArch::Gfx1100, _))
}

/// `module` with the instruction in place of each `llvm.trap`.
pub(crate) fn spelled_out(module: &str) -> String {
    const END: &str = "declare void @llvm.amdgcn.endpgm() #9999";
    const ATTRIBUTES: &str = "attributes #9999 = { cold noreturn nounwind }";
    let mut text = String::with_capacity(module.len() + 256);
    let mut any = false;
    for line in module.lines() {
        if line.contains("call void @llvm.trap()") {
            any = true;
            text.push_str("  call void asm sideeffect \"s_trap 2\", \"\"()\n");
            text.push_str("  call void @llvm.amdgcn.endpgm()\n");
        } else {
            text.push_str(line);
            text.push('\n');
        }
    }
    if any {
        text.push_str(END);
        text.push('\n');
        text.push_str(ATTRIBUTES);
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::spelled_out;

    #[test]
    fn a_trap_becomes_the_instruction_and_the_end_of_the_wave() {
        let text =
            spelled_out("define void @k() {\n  tail call void @llvm.trap() #3\n  unreachable\n}");
        assert!(!text.contains("call void @llvm.trap"), "{text}");
        let (trap, end) = (text.find("s_trap 2").unwrap(), text.find("endpgm()").unwrap());
        assert!(trap < end && text.contains("declare void @llvm.amdgcn.endpgm()"), "{text}");
        assert_eq!(spelled_out("define void @k() {\n}"), "define void @k() {\n}\n");
    }
}
