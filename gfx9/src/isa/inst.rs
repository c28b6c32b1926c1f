//! A decoded instruction.

use super::table::{Entry, Family};
use crate::exec::Pattern;

/// The codes of the 9-bit source operand (MI300 ISA §4.3, RDNA3 ISA §15.2).
pub(crate) mod operand {
    pub const VCC: u16 = 106;
    pub const EXEC: u16 = 126;
    pub const LITERAL: u16 = 255;
    /// Vector registers start here.
    pub const VGPR: u16 = 256;
    /// Accumulation registers (gfx9) start here; no encoding has this code, the decoder makes it.
    pub const AGPR: u16 = 512;
    /// No operand.
    pub const NONE: u16 = u16::MAX;
}

/// A run of registers that an instruction reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    /// The operand code of the first.
    pub first: u16,
    /// How many 32-bit registers.
    pub count: u8,
}

/// A part of a 32-bit register that SDWA selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum SdwaSelect {
    Byte(u8),
    Word(u8),
    Dword,
}

/// What rearranges the lanes, or the bytes, of the operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaneControl {
    /// Nothing.
    None,
    /// Data-parallel primitives (MI300 ISA §6.6, RDNA3 ISA §7.6).
    Dpp {
        /// `DPP_CTRL`.
        ctrl: u16,
        /// One bit for each row of 16 lanes.
        row_mask: u8,
        /// One bit for each bank of 4 lanes.
        bank_mask: u8,
        /// Out-of-range lanes read 0 in place of being switched off.
        bound_ctrl: bool,
        /// Lanes that EXEC has switched off are read (RDNA).
        fetch_inactive: bool,
    },
    /// Eight 3-bit lane numbers, applied in each group of eight lanes (RDNA).
    Dpp8 {
        /// The eight selectors.
        select: u32,
        /// Lanes that EXEC has switched off are read.
        fetch_inactive: bool,
    },
    /// Sub-dword addressing (gfx9; MI300 ISA §6.7).
    Sdwa {
        /// The part of the destination that is written.
        dst: SdwaSelect,
        /// What becomes of the rest: 0 zeroes, 1 sign, 2 kept.
        unused: u8,
        /// The parts of the sources.
        src: [SdwaSelect; 2],
        /// Whether each source is sign-extended.
        sext: [bool; 2],
    },
}

/// A decoded instruction, in one form for every encoding.
#[derive(Clone)]
pub struct Inst {
    pub(crate) entry: &'static Entry,
    /// Bytes in the code.
    pub(crate) size: u8,
    /// The destination's operand code.
    pub(crate) dst: u16,
    /// The scalar destination, scalar address or resource.
    pub(crate) sdst: u16,
    /// The sources; for memory the address, the data and the second data.
    pub(crate) src: [u16; 3],
    /// The 32-bit constant that follows the instruction.
    pub(crate) literal: u32,
    /// `SIMM16`, or the offset.
    pub(crate) imm: i32,
    /// The second offset of `ds_read2`, or the scalar offset's operand code.
    pub(crate) imm2: u16,
    /// Negate source i (packed: its low half).
    pub(crate) neg: u8,
    /// Absolute value of source i (packed: negate its high half).
    pub(crate) abs: u8,
    /// High half of source i; bit 3 is the destination.
    pub(crate) op_sel: u8,
    /// The half of source i that the high result takes (packed).
    pub(crate) op_sel_hi: u8,
    /// Saturate the result.
    pub(crate) clamp: bool,
    /// Scale the result by 1, 2, 4 or 1/2.
    pub(crate) omod: u8,
    /// Cache-policy bits as the encoding has them.
    pub(crate) policy: u16,
    /// An atomic gives the old value back.
    pub(crate) returns: bool,
    /// The address has an offset register, an index register, goes to GDS: bits 0, 1, 2.
    pub(crate) mode: u8,
    /// DPP or SDWA.
    pub(crate) lanes: LaneControl,
    /// The second half of a VOPD pair.
    pub(crate) pair: Option<Box<Inst>>,
    /// The lanes that DPP reads.
    pub(crate) pattern: Option<Box<Pattern>>,
    /// The opcode is a transcendental.
    pub(crate) transcendental: bool,
    /// A 64-bit integer operation: a high word that was never written makes the result's high word so.
    pub(crate) wide: bool,
    /// A bitwise scalar operation: lane masks may hold nothing for lanes that are off.
    pub(crate) logic: bool,
    /// What is read and must have been written: `reads` less what only moves.
    pub(crate) checked: Vec<Span>,
    /// What is read.
    pub(crate) reads: Vec<Span>,
    /// What is written.
    pub(crate) writes: Vec<Span>,
}

impl Inst {
    /// How many bytes the instruction takes.
    pub fn size(&self) -> usize {
        self.size as usize
    }

    /// The mnemonic without its encoding's suffix, for example `v_add_f32`.
    pub fn mnemonic(&self) -> &'static str {
        self.entry.base
    }

    /// The instruction format.
    pub fn family(&self) -> Family {
        self.entry.family
    }

    /// Whether the interpreter can run it.
    pub fn is_executable(&self) -> bool {
        self.entry.exec.is_some()
    }

    pub(crate) fn new(entry: &'static Entry, size: u8) -> Inst {
        Inst {
            entry,
            size,
            dst: operand::NONE,
            sdst: operand::NONE,
            src: [operand::NONE; 3],
            literal: 0,
            imm: 0,
            imm2: 0,
            neg: 0,
            abs: 0,
            op_sel: 0,
            op_sel_hi: 0,
            clamp: false,
            omod: 0,
            policy: 0,
            returns: false,
            mode: 0,
            lanes: LaneControl::None,
            pair: None,
            pattern: None,
            transcendental: false,
            wide: false,
            logic: false,
            checked: Vec::new(),
            reads: Vec::new(),
            writes: Vec::new(),
        }
    }

    /// Whether it is one of the LDS operations with two 8-bit offsets.
    pub(crate) fn has_two_offsets(&self) -> bool {
        ["read2", "write2", "_2addr", "wrxchg2"].iter().any(|p| self.entry.base.contains(p))
    }

    pub(crate) fn is_transcendental(&self) -> bool {
        self.transcendental
    }

    /// Whether it is DPP.
    pub(crate) fn is_dpp(&self) -> bool {
        matches!(self.lanes, LaneControl::Dpp { .. } | LaneControl::Dpp8 { .. })
    }
}

impl std::fmt::Debug for Inst {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.entry.name)
    }
}
