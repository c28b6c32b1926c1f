//! One instruction on a wave whose state the caller gives: for tests of the semantics.

use crate::check::Report;
use crate::exec::{Machine, Wave};
use crate::group::Group;
use crate::memory::Memory;
use crate::{Arch, Error, KernelInfo, isa};

/// The registers of a wave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaveState {
    /// By operand code: SGPRs, then VCC at 106, M0, EXEC at 126.
    pub sgpr: [u32; 128],
    /// By number and lane.
    pub vgpr: Vec<[u32; 64]>,
    /// The scalar condition.
    pub scc: bool,
    /// The MODE register: rounding in bits 0 to 3, subnormals in bits 4 to 7.
    pub mode: u32,
    /// The program counter, in bytes from the instruction.
    pub pc: i64,
}

impl WaveState {
    /// All zero, with `vgprs` vector registers, rounding to nearest and subnormals kept.
    pub fn new(vgprs: usize) -> WaveState {
        WaveState { sgpr: [0; 128], vgpr: vec![[0; 64]; vgprs], scc: false, mode: 0xf0, pc: 0 }
    }
}

/// Executes one instruction that reaches no memory; gives its disassembly.
///
/// # Errors
/// What [`isa::decode`] gives, and [`Error::Unsupported`] where the interpreter cannot run it.
pub fn execute(
    arch: Arch,
    wave_size: u32,
    code: &[u8],
    state: &mut WaveState,
) -> Result<String, Error> {
    const AT: u64 = 1 << 20;
    let i = isa::decode(arch, wave_size, code, 0)?;
    let text = i.text(arch, wave_size);
    let mut wave = Wave::new();
    wave.reset();
    wave.sgpr = state.sgpr;
    for (to, from) in wave.vgpr.iter_mut().zip(&state.vgpr) {
        *to = *from;
    }
    wave.scc = state.scc;
    wave.mode = state.mode;
    wave.width = if wave_size == 64 { u64::MAX } else { u32::MAX as u64 };
    wave.pc = AT + i.size() as u64;
    let kernel = KernelInfo::anonymous(wave_size);
    let (mut group, mut memory, mut report) = (Group::new(), Memory::new(), Report::new(false, AT));
    let generation = arch.generation();
    let mut m = Machine {
        wave: &mut wave,
        group: &mut group,
        memory: &mut memory,
        report: &mut report,
        kernel: &kernel,
        arch,
        generation,
        pc: AT,
    };
    m.run(&i).map_err(|e| *e)?;
    state.sgpr = wave.sgpr;
    for (to, from) in state.vgpr.iter_mut().zip(&wave.vgpr) {
        *to = *from;
    }
    state.scc = wave.scc;
    state.mode = wave.mode;
    state.pc = wave.pc.wrapping_sub(AT) as i64;
    Ok(text)
}
