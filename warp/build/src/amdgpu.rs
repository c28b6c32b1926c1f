//! After LLVM, for AMD: the linked code object, and the checks of the assembly.

use std::fs;
use std::path::Path;

use crate::cargo::Emitted;
use crate::lower::{self, Lowered};
use crate::tools::Llvm;
use crate::{Builder, Built, Error, Kernel, Target, Toolchain, process};

pub(crate) fn finish(
    builder: &Builder,
    emitted: Emitted,
    toolchain: Toolchain,
    work: &Path,
) -> Result<Built, Error> {
    let target = builder.target;
    let llvm = Llvm::new(&toolchain);
    let Lowered { optimised, assembly } = lower::lower(builder, &llvm, &emitted, work)?;
    let object = work.join("kernels.o");
    lower::compile(builder, &llvm, &optimised, "obj", &object)?;
    let code_object = work.join("kernels.hsaco");
    process::run(
        "ld.lld",
        llvm.linker()?.args(["-shared", "--no-undefined"]).arg(&object).arg("-o").arg(&code_object),
    )?;
    let checked_by = check(&llvm, target, &assembly, work)?;
    let text = fs::read_to_string(&assembly).map_err(Error::io(&assembly))?;
    Ok(Built {
        kernels: resources(&text),
        assembly,
        code_object: Some(code_object),
        checked_by,
        flags: emitted.flags,
        sources: emitted.sources,
        toolchain,
    })
}

/// `llvm-mc` reads the text back, where it is installed.
fn check(
    llvm: &Llvm<'_>,
    target: Target,
    assembly: &Path,
    work: &Path,
) -> Result<Option<String>, Error> {
    if llvm.find("llvm-mc").is_none() {
        return Ok(None);
    }
    process::run(
        format!("llvm-mc on {}", assembly.display()),
        llvm.command("llvm-mc")?
            .args(lower::chip(target))
            .arg(format!("-triple={}", target.triple()))
            .arg("-filetype=obj")
            .arg(assembly)
            .arg("-o")
            .arg(work.join("checked.o")),
    )?;
    Ok(Some("llvm-mc".to_owned()))
}

/// The kernels of the assembly, from the metadata at its end.
fn resources(assembly: &str) -> Vec<Kernel> {
    let Some(metadata) = assembly.split(".amdgpu_metadata").nth(1) else { return Vec::new() };
    // The arguments of a kernel have names too, deeper in.
    let field = |line: &str, name: &str| {
        let indent = line.len() - line.trim_start().len();
        let rest = line.trim_start().trim_start_matches("- ").strip_prefix(name)?;
        (indent <= 4).then(|| rest.trim().to_owned())
    };
    let mut kernels = Vec::new();
    let mut kernel = Kernel::default();
    for line in metadata.lines() {
        let number = |name| field(line, name).and_then(|value| value.parse::<u32>().ok());
        if let Some(name) = field(line, ".name:") {
            kernel.name = name;
        }
        if let Some(bytes) = number(".group_segment_fixed_size:") {
            kernel.shared_bytes = bytes;
        }
        if let Some(bytes) = number(".private_segment_fixed_size:") {
            kernel.scratch_bytes = bytes;
        }
        if let Some(count) = number(".sgpr_count:") {
            kernel.scalar_registers = count;
        }
        if let Some(count) = number(".sgpr_spill_count:") {
            kernel.spills += count;
        }
        if let Some(count) = number(".vgpr_count:") {
            kernel.registers = count;
        }
        // The fields are in the order of the alphabet, so these two end a kernel.
        if let Some(count) = number(".vgpr_spill_count:") {
            kernel.spills += count;
        }
        if field(line, ".wavefront_size:").is_some() {
            kernels.push(std::mem::take(&mut kernel));
        }
    }
    kernels
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resources_are_read() {
        let text = "\
\t.amdgpu_metadata
---
amdhsa.kernels:
  - .agpr_count:     0
    .args:
      - .name:           argument
        .size:           8
    .group_segment_fixed_size: 256
    .name:           sum
    .private_segment_fixed_size: 0
    .sgpr_count:     12
    .sgpr_spill_count: 0
    .vgpr_count:     7
    .vgpr_spill_count: 2
    .wavefront_size: 64
";
        let [kernel] = &resources(text)[..] else { panic!("one kernel") };
        assert_eq!(kernel.name, "sum");
        assert_eq!((kernel.shared_bytes, kernel.registers, kernel.scalar_registers), (256, 7, 12));
        assert_eq!((kernel.spills, kernel.scratch_bytes), (2, 0));
    }
}
