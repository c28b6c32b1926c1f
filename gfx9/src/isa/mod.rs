//! Machine code: the opcode tables, the decoder and the disassembly text.

mod decode;
mod inst;
mod table;
mod text;

pub use decode::decode;
pub use inst::{Inst, LaneControl, SdwaSelect};
pub(crate) use inst::{operand, Span};
pub(crate) use text::waitcnt;
pub use table::Family;
