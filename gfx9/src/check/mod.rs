//! What the interpreter checks and hardware does not, and what it counts.

mod hazards;
mod waits;

use crate::exec::Machine;
use crate::isa::Inst;

pub(crate) use waits::Counter;

/// A kind of check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Check {
    /// A register, LDS or memory was read that nothing has written.
    Unwritten,
    /// LDS was accessed outside of the workgroup's allocation.
    OutOfBounds,
    /// A lane was read that EXEC had switched off.
    InactiveLane,
    /// A register was used before the wait count says that its load has arrived.
    MissingWait,
    /// Two instructions follow each other with fewer wait states than the ISA document asks for (gfx9).
    Hazard,
    /// Waves of a workgroup met at different barriers, or one ended while others waited.
    BarrierDivergence,
    /// Two waves accessed LDS, one of them writing, with no barrier between.
    LdsRace,
}

/// Something a check has found. Repetitions at the same instruction are counted, not listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The kind.
    pub check: Check,
    /// The kernel.
    pub kernel: String,
    /// The instruction's address in the code object.
    pub address: u64,
    /// Its disassembly.
    pub text: String,
    /// The workgroup where it was found first.
    pub group: [u32; 3],
    /// The wave in the workgroup.
    pub wave: u32,
    /// The lanes concerned.
    pub lanes: u64,
    /// What was found.
    pub what: String,
    /// How many times.
    pub times: u64,
}

impl std::fmt::Display for Finding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [x, y, z] = self.group;
        write!(
            f,
            "{:?}: {} at {:#x} `{}`: {} (group {x},{y},{z}, wave {}, lanes {:#x}; {} times)",
            self.check,
            self.kernel,
            self.address,
            self.text,
            self.what,
            self.wave,
            self.lanes,
            self.times
        )
    }
}

/// What a launch executed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Wave instructions.
    pub instructions: u64,
    /// Of the scalar ALU.
    pub scalar: u64,
    /// Of the vector ALU.
    pub vector: u64,
    /// Scalar loads.
    pub scalar_memory: u64,
    /// LDS instructions, cross-lane ones included.
    pub lds: u64,
    /// Vector memory instructions: global, flat and buffer.
    pub global: u64,
    /// Of those, atomics.
    pub atomics: u64,
    /// Scratch instructions.
    pub scratch: u64,
    /// Branches.
    pub branches: u64,
    /// Branches that were taken.
    pub taken: u64,
    /// Barriers, by wave.
    pub barriers: u64,
    /// Wait instructions.
    pub waits: u64,
    /// Operations that read another lane: DPP, permutes, swizzles, read and write lane.
    pub cross_lane: u64,
    /// Additional LDS passes because lanes met in a bank.
    pub bank_conflicts: u64,
    /// Lines of 128 bytes that vector memory instructions touched, summed over instructions.
    pub lines: u64,
}

/// Findings and counts of a launch.
pub(crate) struct Report {
    pub enabled: bool,
    pub findings: Vec<Finding>,
    pub counts: Counts,
    /// The load address of the code, subtracted in findings.
    pub code_base: u64,
}

impl Report {
    pub fn new(enabled: bool, code_base: u64) -> Report {
        Report { enabled, findings: Vec::new(), counts: Counts::default(), code_base }
    }
}

impl Machine<'_> {
    /// Notes a finding at the current instruction.
    #[cold]
    pub(crate) fn finding(&mut self, check: Check, i: &Inst, lanes: u64, what: String) {
        self.finding_at(check, self.pc, Some(i), lanes, what);
    }

    #[cold]
    pub(crate) fn finding_at(
        &mut self,
        check: Check,
        pc: u64,
        i: Option<&Inst>,
        lanes: u64,
        what: String,
    ) {
        let address = pc.wrapping_sub(self.report.code_base);
        if let Some(f) = self
            .report
            .findings
            .iter_mut()
            .find(|f| f.check == check && f.address == address && f.kernel == self.kernel.name)
        {
            f.times += 1;
            return;
        }
        let text = i.map_or_else(String::new, |i| self.text(i));
        let (kernel, group, wave) = (self.kernel.name.clone(), self.group.id, self.wave.index);
        self.report.findings.push(Finding {
            check,
            kernel,
            address,
            text,
            group,
            wave,
            lanes,
            what,
            times: 1,
        });
    }
}
