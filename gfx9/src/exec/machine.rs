//! What an instruction acts on.

use super::wave::Wave;
use crate::check::Report;
use crate::group::Group;
use crate::isa::{Inst, operand};
use crate::memory::Memory;
use crate::object::KernelInfo;
use crate::{Arch, Error};

/// How an instruction ends. The error is boxed because there is one at most and the result is made every time.
pub(crate) type Done = Result<(), Box<Error>>;
/// What an instruction does.
pub(crate) type Exec = fn(&mut Machine<'_>, &Inst) -> Done;

/// A wave and all that it can reach.
pub(crate) struct Machine<'a> {
    pub wave: &'a mut Wave,
    pub group: &'a mut Group,
    pub memory: &'a mut Memory,
    pub report: &'a mut Report,
    pub kernel: &'a KernelInfo,
    pub arch: Arch,
    pub generation: u32,
    /// The address of the instruction.
    pub pc: u64,
}

/// The high words of the addresses of LDS and scratch in the flat address space.
pub(crate) const SHARED_APERTURE: u64 = 0x0001_0000_0000_0000;
pub(crate) const PRIVATE_APERTURE: u64 = 0x0002_0000_0000_0000;

impl Machine<'_> {
    #[inline]
    pub fn exec(&self) -> u64 {
        self.wave.exec()
    }

    /// A 32-bit scalar operand (MI300 ISA §4.3, "Scalar ALU operands").
    #[inline]
    pub fn scalar(&self, code: u16, literal: u32) -> u32 {
        match code {
            0..=123 | 126 | 127 => self.wave.sgpr[code as usize],
            124 | 125 if code == self.arch.m0() => self.wave.sgpr[code as usize],
            128..=192 => code as u32 - 128,
            193..=208 => (192 - code as i32) as u32,
            235 => (SHARED_APERTURE >> 32) as u32,
            236 => u32::MAX,
            237 => (PRIVATE_APERTURE >> 32) as u32,
            238 => u32::MAX,
            240..=248 => F32[code as usize - 240],
            251 => u32::from(self.vcc() == 0),
            252 => u32::from(self.exec() == 0),
            253 => u32::from(self.wave.scc),
            operand::LITERAL => literal,
            _ => 0,
        }
    }

    /// A 64-bit scalar operand; a literal is sign-extended.
    pub fn scalar64(&self, code: u16, literal: u32) -> u64 {
        match code {
            124 | 125 => 0,
            0..=126 => self.wave.pair(code),
            // The aperture's base is the high word (RDNA3 ISA §5.4, "SHARED_BASE").
            235 => SHARED_APERTURE,
            237 => PRIVATE_APERTURE,
            240..=248 => F64[code as usize - 240],
            _ => self.scalar(code, literal) as i32 as i64 as u64,
        }
    }

    /// A lane mask held in SGPRs.
    pub fn mask(&self, code: u16) -> u64 {
        if self.wave.is_64() { self.scalar64(code, 0) } else { self.scalar(code, 0) as u64 }
    }

    pub fn vcc(&self) -> u64 {
        self.wave.pair(operand::VCC) & self.wave.width
    }

    /// Writes a lane mask to SGPRs: one in wave32, two in wave64.
    pub fn set_mask(&mut self, code: u16, v: u64) {
        if self.wave.is_64() {
            self.set64(code, v);
        } else {
            self.set32(code, v as u32);
        }
    }

    pub fn set32(&mut self, code: u16, v: u32) {
        if code == 124 && self.generation > 9 {
            return;
        }
        self.wave.set_sgpr(code, v);
    }

    pub fn set64(&mut self, code: u16, v: u64) {
        if code == 124 && self.generation > 9 {
            return;
        }
        self.wave.set_pair(code, v);
    }

    /// The error for an instruction that the interpreter does not run.
    pub fn unsupported(&self, i: &Inst, why: &str) -> Box<Error> {
        let wave_size = if self.wave.is_64() { 64 } else { 32 };
        let bytes = self.memory.peek(self.pc, i.size()).unwrap_or_default();
        Box::new(Error::Unsupported {
            address: self.pc.wrapping_sub(self.report.code_base),
            bytes,
            text: i.text(self.arch, wave_size),
            why: why.into(),
        })
    }

    /// The text of an instruction, for reports.
    pub fn text(&self, i: &Inst) -> String {
        i.text(self.arch, if self.wave.is_64() { 64 } else { 32 })
    }
}

/// The inline constants 240 to 248.
const F32: [u32; 9] = [
    0x3f00_0000,
    0xbf00_0000,
    0x3f80_0000,
    0xbf80_0000,
    0x4000_0000,
    0xc000_0000,
    0x4080_0000,
    0xc080_0000,
    0x3e22_f983,
];
const F64: [u64; 9] = [
    0x3fe0_0000_0000_0000,
    0xbfe0_0000_0000_0000,
    0x3ff0_0000_0000_0000,
    0xbff0_0000_0000_0000,
    0x4000_0000_0000_0000,
    0xc000_0000_0000_0000,
    0x4010_0000_0000_0000,
    0xc010_0000_0000_0000,
    0x3fc4_5f30_6dc9_c882,
];
/// The same for 16-bit floating-point operands.
pub(super) const F16: [u16; 9] =
    [0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000, 0xc000, 0x4400, 0xc400, 0x3118];
