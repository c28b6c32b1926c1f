//! Reading sources, with DPP and SDWA, and writing results.

use super::machine::{F16, Machine};
use super::{L32, L64, blend};
use crate::isa::{Inst, LaneControl, SdwaSelect, operand};

/// How a source is used: which inline constants it takes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A 16-bit float.
    Half,
    /// A 16-bit integer.
    Short,
}

impl Machine<'_> {
    /// Source `k` as 32 bits a lane, after DPP and SDWA, before `neg` and `abs`.
    #[inline]
    pub fn src<'s>(&'s self, i: &Inst, k: usize, buf: &'s mut L32) -> &'s L32 {
        if i.lanes == LaneControl::None || (k > 0 && i.is_dpp()) {
            return self.raw(i.src[k], i.literal, buf);
        }
        let plain = *self.raw(i.src[k], i.literal, buf);
        *buf = self.rearranged(i, k, &plain);
        buf
    }

    /// The register or constant itself.
    #[inline]
    pub fn raw<'s>(&'s self, code: u16, literal: u32, buf: &'s mut L32) -> &'s L32 {
        if code >= operand::VGPR && code != operand::NONE {
            return &self.wave.vgpr[self.wave.index_of(code)];
        }
        *buf = [self.scalar(code, literal); 64];
        buf
    }

    #[cold]
    fn rearranged(&self, i: &Inst, k: usize, v: &L32) -> L32 {
        match i.lanes {
            LaneControl::Sdwa { src, sext, .. } if k < 2 => v.map(|x| select(x, src[k], sext[k])),
            _ if k == 0 => self.dpp(i, v),
            _ => *v,
        }
    }

    /// The lanes that the instruction writes: EXEC, less those that DPP switches off.
    #[inline]
    pub fn enabled(&self, i: &Inst) -> u64 {
        if i.is_dpp() { self.dpp_enabled(i) } else { self.exec() }
    }

    /// Source `k` as a 32-bit float's bits, with `neg`, `abs` and the flushing of subnormals.
    #[inline]
    pub fn src_f32<'s>(&'s self, i: &Inst, k: usize, buf: &'s mut L32) -> &'s L32 {
        let (neg, abs) = (i.neg >> k & 1 == 1, i.abs >> k & 1 == 1);
        let flush = self.wave.mode >> 4 & 1 == 0;
        if !neg && !abs && !flush {
            return self.src(i, k, buf);
        }
        let mut tmp = [0; 64];
        let v = self.src(i, k, &mut tmp);
        let keep = if abs { 0x7fff_ffff } else { u32::MAX };
        let flip = if neg { 0x8000_0000 } else { 0 };
        for (b, x) in buf.iter_mut().zip(v) {
            let y = (x & keep) ^ flip;
            *b = if flush && y & 0x7f80_0000 == 0 { y & 0x8000_0000 } else { y };
        }
        buf
    }

    /// Source `k` as 16 bits a lane; `neg` and `abs` are applied to [`Kind::Half`].
    pub fn src16(&self, i: &Inst, k: usize, kind: Kind) -> L32 {
        let code = i.src[k];
        let mut out = match code {
            240..=248 if kind == Kind::Half => [F16[code as usize - 240] as u32; 64],
            _ => {
                let mut buf = [0; 64];
                let v = self.src(i, k, &mut buf);
                let shift = if i.op_sel >> k & 1 == 1
                    && code != operand::LITERAL
                    && !(128..=248).contains(&code)
                {
                    16
                } else {
                    0
                };
                v.map(|x| x >> shift & 0xffff)
            }
        };
        if kind == Kind::Half {
            let (neg, abs) = (i.neg >> k & 1 == 1, i.abs >> k & 1 == 1);
            let flush = self.wave.mode >> 6 & 1 == 0;
            for x in &mut out {
                if abs {
                    *x &= 0x7fff;
                }
                if neg {
                    *x ^= 0x8000;
                }
                if flush && *x & 0x7c00 == 0 {
                    *x &= 0x8000;
                }
            }
        }
        out
    }

    /// Source `k` as 64 bits a lane; a literal is the high word of a float, and a sign-extended integer.
    pub fn src64(&self, i: &Inst, k: usize, float: bool) -> L64 {
        let code = i.src[k];
        let mut out = if code >= operand::VGPR {
            let n = self.wave.index_of(code);
            let (mut lo, mut hi) = (self.wave.vgpr[n], self.wave.vgpr[(n + 1) & 511]);
            if k == 0 && i.is_dpp() {
                lo = self.dpp(i, &lo);
                hi = self.dpp(i, &hi);
            }
            std::array::from_fn(|l| lo[l] as u64 | (hi[l] as u64) << 32)
        } else if code == operand::LITERAL && float {
            [(i.literal as u64) << 32; 64]
        } else {
            [self.scalar64(code, i.literal); 64]
        };
        if float {
            let (neg, abs) = (i.neg >> k & 1 == 1, i.abs >> k & 1 == 1);
            let flush = self.wave.mode >> 6 & 1 == 0;
            for x in &mut out {
                if abs {
                    *x &= u64::MAX >> 1;
                }
                if neg {
                    *x ^= 1 << 63;
                }
                if flush && *x & 0x7ff0_0000_0000_0000 == 0 {
                    *x &= 1 << 63;
                }
            }
        }
        out
    }

    /// Writes a 32-bit result to the destination.
    #[inline]
    pub fn write(&mut self, i: &Inst, v: &L32) {
        let en = self.enabled(i);
        if let LaneControl::Sdwa { dst, unused, .. } = i.lanes {
            return self.write_sdwa(i, v, en, dst, unused);
        }
        self.put(i.dst, v, en);
    }

    /// Writes lanes of a VGPR.
    #[inline]
    pub fn put(&mut self, code: u16, v: &L32, en: u64) {
        let n = self.wave.index_of(code);
        blend(&mut self.wave.vgpr[n], v, en);
        self.wave.written[n] |= en;
        self.wave.last_write[n] = en;
    }

    /// Writes a 64-bit result to the destination.
    pub fn write64(&mut self, i: &Inst, v: &L64) {
        let en = self.enabled(i);
        self.put(i.dst, &v.map(|x| x as u32), en);
        self.put(i.dst + 1, &v.map(|x| (x >> 32) as u32), en);
    }

    /// Writes a 16-bit result. gfx9 zeroes the other half, but for the few opcodes that came with it (MI300 ISA §6.2.2); RDNA keeps it.
    pub fn write16(&mut self, i: &Inst, v: &L32) {
        if matches!(i.lanes, LaneControl::Sdwa { .. }) {
            return self.write(i, v);
        }
        let keeps = self.generation > 9
            || matches!(
                i.mnemonic(),
                "v_mad_f16" | "v_fma_f16" | "v_mad_u16" | "v_mad_i16" | "v_div_fixup_f16"
            );
        let high = i.op_sel & 8 != 0;
        let old = &self.wave.vgpr[self.wave.index_of(i.dst)];
        let out: L32 = std::array::from_fn(|l| match (high, keeps) {
            (true, _) => old[l] & 0xffff | v[l] << 16,
            (false, true) => old[l] & 0xffff_0000 | v[l] & 0xffff,
            (false, false) => v[l] & 0xffff,
        });
        self.write(i, &out);
    }

    #[cold]
    fn write_sdwa(&mut self, i: &Inst, v: &L32, en: u64, dst: SdwaSelect, unused: u8) {
        let old = self.wave.vgpr[self.wave.index_of(i.dst)];
        let (shift, bits) = match dst {
            SdwaSelect::Byte(n) => (8 * n as u32, 8),
            SdwaSelect::Word(n) => (16 * n as u32, 16),
            SdwaSelect::Dword => (0, 32),
        };
        let field = (u32::MAX >> (32 - bits)) << shift;
        let out: L32 = std::array::from_fn(|l| {
            let placed = v[l] << shift & field;
            let rest = match unused {
                2 => old[l] & !field,
                // Sign: the bits above the field repeat its highest, those below are 0.
                1 if v[l] >> (bits - 1) & 1 == 1 => {
                    !(field | field.wrapping_sub(1) & !field & ((1u64 << shift) - 1) as u32)
                }
                _ => 0,
            };
            placed | rest
        });
        self.put(i.dst, &out, en);
    }
}

/// The part of a register that SDWA selects.
pub(super) fn select(x: u32, s: SdwaSelect, sext: bool) -> u32 {
    match (s, sext) {
        (SdwaSelect::Byte(n), false) => x >> (8 * n) & 0xff,
        (SdwaSelect::Byte(n), true) => (x >> (8 * n)) as i8 as u32,
        (SdwaSelect::Word(n), false) => x >> (16 * n) & 0xffff,
        (SdwaSelect::Word(n), true) => (x >> (16 * n)) as i16 as u32,
        (SdwaSelect::Dword, _) => x,
    }
}
