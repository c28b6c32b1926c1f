//! Machine code: the opcode tables, the decoder and the disassembly text.

mod decode;
mod inst;
mod table;
mod text;

pub use decode::decode;
pub use inst::{Inst, LaneControl, SdwaSelect};
pub(crate) use inst::{Span, operand};
pub use table::Family;
pub(crate) use text::waitcnt;

/// The mnemonics that an architecture has and the interpreter does not run, with their formats.
pub fn not_executable(arch: crate::Arch) -> Vec<(Family, &'static str)> {
    let mut all: Vec<_> = table::Table::of(arch)
        .entries()
        .filter(|e| e.exec.is_none())
        .map(|e| (e.family, e.base))
        .collect();
    all.sort_by_key(|&(f, n)| (f as u8, n));
    all
}
