//! From bytes to [`Inst`] (MI300 ISA §13 "Microcode Formats", RDNA3 ISA §15, RDNA4 ISA §15).

use super::inst::{Inst, LaneControl, SdwaSelect, Span, operand};
use super::table::{Family, Slot, Spec, Table, Width};
use crate::exec::{Pattern, is_transcendental};
use crate::{Arch, Error};

/// Decodes the instruction at the start of `code`, which lies at `address`.
///
/// # Errors
/// [`Error::UnknownInstruction`] if the architecture has no such instruction.
pub fn decode(arch: Arch, wave_size: u32, code: &[u8], address: u64) -> Result<Inst, Error> {
    let unknown =
        || Error::UnknownInstruction { address, bytes: code[..code.len().min(8)].to_vec(), arch };
    let mut d = Decoder { arch, table: Table::of(arch), code, used: 4 };
    let mut inst = d.instruction().ok_or_else(unknown)?;
    inst.size = d.used as u8;
    if code.len() < d.used {
        return Err(unknown());
    }
    integers(&mut inst);
    spans(&mut inst, arch, wave_size);
    if let Some(mut y) = inst.pair.take() {
        spans(&mut y, arch, wave_size);
        inst.reads.extend_from_slice(&y.reads);
        inst.writes.extend_from_slice(&y.writes);
        inst.pair = Some(y);
    }
    inst.transcendental = is_transcendental(inst.entry.base);
    if inst.is_dpp() {
        inst.pattern = Some(Box::new(Pattern::of(&inst)));
    }
    let last = inst.entry.base.rsplit('_').next().unwrap_or("");
    inst.wide = inst.entry.family.is_valu()
        && inst.dst >= operand::VGPR
        && (matches!(last, "b64" | "u64" | "i64") || inst.entry.base.starts_with("v_mad_"));
    let bitwise =
        ["s_and_b", "s_or_b", "s_xor_b", "s_andn2_b", "s_orn2_b", "s_and_not1_b", "s_or_not1_b"];
    inst.logic = bitwise.iter().any(|p| inst.entry.base.starts_with(p));
    inst.checked = checked(&inst);
    Ok(inst)
}

struct Decoder<'a> {
    arch: Arch,
    table: &'static Table,
    code: &'a [u8],
    used: usize,
}

/// Bits `hi..=lo` of `w`.
fn bits(w: u32, hi: u32, lo: u32) -> u32 {
    (w >> lo) & (u32::MAX >> (31 - (hi - lo)))
}

fn sext(v: u32, width: u32) -> i32 {
    ((v << (32 - width)) as i32) >> (32 - width)
}

impl Decoder<'_> {
    fn word(&self, i: usize) -> Option<u32> {
        Some(u32::from_le_bytes(self.code.get(4 * i..4 * i + 4)?.try_into().ok()?))
    }

    /// The next word after those used so far.
    fn more(&mut self) -> Option<u32> {
        let w = self.word(self.used / 4)?;
        self.used += 4;
        Some(w)
    }

    fn make(&self, family: Family, op: u32) -> Option<Inst> {
        Some(Inst::new(self.table.get(family, op)?, 0))
    }

    fn instruction(&mut self) -> Option<Inst> {
        let w = self.word(0)?;
        let v12 = self.arch.generation() == 12;
        let v9 = self.arch.generation() == 9;
        match w >> 23 {
            0x17d => return self.sop1(w),
            0x17e => return self.sopc(w),
            0x17f => return self.sopp(w),
            _ => {}
        }
        match w >> 26 {
            x if x < 0x20 => match w >> 25 {
                0x3f => self.vop1(w),
                0x3e => self.vopc(w),
                _ => self.vop2(w),
            },
            x if x >> 2 == 0b1011 => self.sopk(w),
            x if x >> 4 == 0b10 => self.sop2(w),
            0x30 if v9 => self.smem(w),
            0x3d if !v9 => self.smem(w),
            0x34 if v9 && w >> 23 == 0x1a7 => self.vop3p(w),
            0x34 if v9 => self.vop3(w),
            0x33 if !v9 && w >> 24 == 0xcc => self.vop3p(w),
            0x35 if !v9 => self.vop3(w),
            0x32 if !v9 => self.vopd(w),
            0x36 => self.ds(w),
            0x37 if !v12 => self.flat(w),
            0x3b if v12 => self.flat12(w),
            0x38 if !v12 => self.mubuf(w),
            0x31 if v12 => self.mubuf12(w),
            _ => None,
        }
    }

    fn literal(&mut self, i: &mut Inst) -> Option<()> {
        if i.src.contains(&operand::LITERAL) {
            i.literal = self.more()?;
        }
        Some(())
    }

    fn sop2(&mut self, w: u32) -> Option<Inst> {
        let mut i = self.make(Family::Sop2, bits(w, 29, 23))?;
        i.dst = bits(w, 22, 16) as u16;
        i.src = [bits(w, 7, 0) as u16, bits(w, 15, 8) as u16, operand::NONE];
        if i.entry.base.starts_with("s_fmaak") || i.entry.base.starts_with("s_fmamk") {
            i.literal = self.more()?;
        } else {
            self.literal(&mut i)?;
        }
        Some(i)
    }

    fn sopk(&mut self, w: u32) -> Option<Inst> {
        let mut i = self.make(Family::Sopk, bits(w, 27, 23))?;
        i.dst = bits(w, 22, 16) as u16;
        i.imm = sext(w, 16);
        if i.entry.base == "s_setreg_imm32_b32" {
            i.literal = self.more()?;
        }
        Some(i)
    }

    fn sop1(&mut self, w: u32) -> Option<Inst> {
        let mut i = self.make(Family::Sop1, bits(w, 15, 8))?;
        i.dst = bits(w, 22, 16) as u16;
        i.src[0] = bits(w, 7, 0) as u16;
        self.literal(&mut i)?;
        Some(i)
    }

    fn sopc(&mut self, w: u32) -> Option<Inst> {
        let mut i = self.make(Family::Sopc, bits(w, 22, 16))?;
        i.src = [bits(w, 7, 0) as u16, bits(w, 15, 8) as u16, operand::NONE];
        if i.entry.base == "s_set_gpr_idx_on" {
            // The second field is a set of flags.
            i.src[1] = operand::NONE;
        }
        self.literal(&mut i)?;
        Some(i)
    }

    fn sopp(&mut self, w: u32) -> Option<Inst> {
        let mut i = self.make(Family::Sopp, bits(w, 22, 16))?;
        i.imm = sext(w, 16);
        Some(i)
    }

    fn smem(&mut self, w: u32) -> Option<Inst> {
        let w1 = self.more()?;
        let generation = self.arch.generation();
        let op = if generation == 12 { bits(w, 18, 13) } else { bits(w, 25, 18) };
        let mut i = self.make(Family::Smem, op)?;
        i.dst = bits(w, 12, 6) as u16;
        i.src[0] = (bits(w, 5, 0) * 2) as u16;
        let soffset = bits(w1, 31, 25) as u16;
        i.imm2 = operand::NONE;
        if generation == 9 {
            i.policy = bits(w, 16, 16) as u16;
            // IMM and SOFFSET_EN choose between an immediate, an SGPR and both (MI300 ISA §8.2.1).
            let (imm, soffset_en) = (bits(w, 17, 17), bits(w, 14, 14));
            if imm == 1 {
                i.imm = sext(w1, 21);
                if soffset_en == 1 {
                    i.imm2 = soffset;
                }
            } else if soffset_en == 1 {
                i.imm2 = soffset;
            } else {
                i.imm2 = bits(w1, 6, 0) as u16;
            }
            i.mode = imm as u8;
        } else {
            i.imm = if generation == 11 { sext(w1, 21) } else { sext(w1, 24) };
            i.policy = if generation == 11 {
                (bits(w, 14, 14) | bits(w, 13, 13) << 1) as u16
            } else {
                bits(w, 24, 21) as u16
            };
            if soffset != 124 {
                i.imm2 = soffset;
            }
            i.mode = 1;
        }
        Some(i)
    }

    /// The word that SDWA, DPP or a literal puts behind a VOP1, VOP2 or VOPC.
    fn vop_tail(&mut self, i: &mut Inst) -> Option<()> {
        let v9 = self.arch.generation() == 9;
        match i.src[0] {
            249 if v9 => self.sdwa(i),
            250 => self.dpp(i),
            233 | 234 if !v9 => {
                let w = self.more()?;
                i.lanes = LaneControl::Dpp8 { select: w >> 8, fetch_inactive: i.src[0] == 234 };
                i.src[0] = operand::VGPR + bits(w, 7, 0) as u16;
                Some(())
            }
            _ => self.literal(i),
        }
    }

    fn dpp(&mut self, i: &mut Inst) -> Option<()> {
        let w = self.more()?;
        i.src[0] = operand::VGPR + bits(w, 7, 0) as u16;
        if i.entry.family != Family::Vop3 && i.entry.family != Family::Vop3p {
            i.neg = (bits(w, 20, 20) | bits(w, 22, 22) << 1) as u8;
            i.abs = (bits(w, 21, 21) | bits(w, 23, 23) << 1) as u8;
        }
        let ctrl = bits(w, 16, 8);
        let known = match ctrl {
            0..=0xff
            | 0x101..=0x10f
            | 0x111..=0x11f
            | 0x121..=0x12f
            | 0x140
            | 0x141
            | 0x150..=0x15f => true,
            // Shifts of the whole wave and row broadcasts are gfx9's, ROW_XMASK is RDNA's.
            0x130 | 0x134 | 0x138 | 0x13c | 0x142 | 0x143 => self.arch.generation() == 9,
            0x160..=0x16f => self.arch.generation() > 9,
            _ => false,
        };
        if !known {
            return None;
        }
        i.lanes = LaneControl::Dpp {
            ctrl: bits(w, 16, 8) as u16,
            row_mask: bits(w, 31, 28) as u8,
            bank_mask: bits(w, 27, 24) as u8,
            bound_ctrl: bits(w, 19, 19) == 1,
            fetch_inactive: bits(w, 18, 18) == 1,
        };
        Some(())
    }

    fn sdwa(&mut self, i: &mut Inst) -> Option<()> {
        let w = self.more()?;
        let select = |s| match s {
            0..=3 => Some(SdwaSelect::Byte(s as u8)),
            4 | 5 => Some(SdwaSelect::Word(s as u8 - 4)),
            6 => Some(SdwaSelect::Dword),
            _ => None,
        };
        let vector = if bits(w, 23, 23) == 1 { 0 } else { operand::VGPR };
        i.src[0] = vector + bits(w, 7, 0) as u16;
        if i.src[1] != operand::NONE && bits(w, 31, 31) == 1 {
            i.src[1] -= operand::VGPR;
        }
        i.neg = (bits(w, 20, 20) | bits(w, 28, 28) << 1) as u8;
        i.abs = (bits(w, 21, 21) | bits(w, 29, 29) << 1) as u8;
        let (mut dst, mut unused) = (SdwaSelect::Dword, 0);
        if i.entry.family == Family::Vopc {
            if bits(w, 15, 15) == 1 {
                i.sdst = bits(w, 14, 8) as u16;
            }
        } else {
            dst = select(bits(w, 10, 8))?;
            unused = bits(w, 12, 11) as u8;
            if unused == 3 {
                unused = 0;
            }
            i.clamp = bits(w, 13, 13) == 1;
            i.omod = bits(w, 15, 14) as u8;
        }
        i.lanes = LaneControl::Sdwa {
            dst,
            unused,
            src: [
                select(bits(w, 18, 16))?,
                if i.src[1] == operand::NONE {
                    SdwaSelect::Dword
                } else {
                    select(bits(w, 26, 24))?
                },
            ],
            sext: [bits(w, 19, 19) == 1, bits(w, 27, 27) == 1],
        };
        Some(())
    }

    fn vop1(&mut self, w: u32) -> Option<Inst> {
        let mut i = self.make(Family::Vop1, bits(w, 16, 9))?;
        let vdst = bits(w, 24, 17) as u16;
        i.src[0] = bits(w, 8, 0) as u16;
        i.dst = if scalar_dst(&i) { vdst } else { operand::VGPR + vdst };
        self.vop_tail(&mut i)?;
        halves(&mut i);
        acc(&mut i);
        Some(i)
    }

    fn vop2(&mut self, w: u32) -> Option<Inst> {
        let mut i = self.make(Family::Vop2, bits(w, 30, 25))?;
        i.dst = operand::VGPR + bits(w, 24, 17) as u16;
        i.src = [bits(w, 8, 0) as u16, operand::VGPR + bits(w, 16, 9) as u16, operand::NONE];
        if i.entry.spec.contains(&Spec::Word("0x0")) {
            i.literal = self.more()?;
        } else {
            self.vop_tail(&mut i)?;
        }
        halves(&mut i);
        Some(i)
    }

    fn vopc(&mut self, w: u32) -> Option<Inst> {
        let mut i = self.make(Family::Vopc, bits(w, 24, 17))?;
        i.sdst = if self.arch.generation() > 9 && i.entry.base.starts_with("v_cmpx") {
            operand::EXEC
        } else {
            operand::VCC
        };
        i.src = [bits(w, 8, 0) as u16, operand::VGPR + bits(w, 16, 9) as u16, operand::NONE];
        self.vop_tail(&mut i)?;
        halves(&mut i);
        Some(i)
    }

    fn vop3(&mut self, w: u32) -> Option<Inst> {
        let w1 = self.more()?;
        let mut i = self.make(Family::Vop3, bits(w, 25, 16))?;
        i.src = [bits(w1, 8, 0) as u16, bits(w1, 17, 9) as u16, bits(w1, 26, 18) as u16];
        for (slot, src) in [Slot::A, Slot::B, Slot::C].into_iter().zip(&mut i.src) {
            if i.entry.width(slot).is_none() {
                *src = operand::NONE;
            }
        }
        let vdst = bits(w, 7, 0) as u16;
        i.clamp = bits(w, 15, 15) == 1;
        i.omod = bits(w1, 28, 27) as u8;
        i.neg = bits(w1, 31, 29) as u8;
        if i.entry.base.starts_with("v_cmp") {
            i.sdst = if self.arch.generation() > 9 && i.entry.base.starts_with("v_cmpx") {
                operand::EXEC
            } else {
                vdst
            };
        } else {
            i.dst = if scalar_dst(&i) { vdst } else { operand::VGPR + vdst };
        }
        if i.entry.width(Slot::S).is_some() {
            i.sdst = bits(w, 14, 8) as u16;
        } else {
            i.abs = bits(w, 10, 8) as u8;
            i.op_sel = bits(w, 14, 11) as u8;
        }
        self.vop3_tail(&mut i)?;
        Some(i)
    }

    fn vop3_tail(&mut self, i: &mut Inst) -> Option<()> {
        if self.arch.generation() == 9 {
            return if i.src.contains(&operand::LITERAL) { None } else { Some(()) };
        }
        match i.src[0] {
            250 | 233 | 234 => self.vop_tail(i),
            _ => self.literal(i),
        }
    }

    fn vop3p(&mut self, w: u32) -> Option<Inst> {
        let w1 = self.more()?;
        let mut i = self.make(Family::Vop3p, bits(w, 22, 16))?;
        i.dst = operand::VGPR + bits(w, 7, 0) as u16;
        i.src = [bits(w1, 8, 0) as u16, bits(w1, 17, 9) as u16, bits(w1, 26, 18) as u16];
        for (slot, src) in [Slot::A, Slot::B, Slot::C].into_iter().zip(&mut i.src) {
            if i.entry.width(slot).is_none() {
                *src = operand::NONE;
            }
        }
        i.clamp = bits(w, 15, 15) == 1;
        i.op_sel = bits(w, 13, 11) as u8;
        i.abs = bits(w, 10, 8) as u8;
        i.op_sel_hi = (bits(w1, 28, 27) | bits(w, 14, 14) << 2) as u8;
        i.neg = bits(w1, 31, 29) as u8;
        acc(&mut i);
        self.vop3_tail(&mut i)?;
        Some(i)
    }

    fn vopd(&mut self, w: u32) -> Option<Inst> {
        let w1 = self.more()?;
        let mut x = self.make(Family::Vopd, bits(w, 25, 22))?;
        let mut y = self.make(Family::VopdY, bits(w, 21, 17))?;
        x.dst = operand::VGPR + bits(w1, 31, 24) as u16;
        // The lowest bit of Y's destination is the opposite of X's (RDNA3 ISA §15.3.1).
        y.dst = operand::VGPR + ((bits(w1, 23, 17) as u16 * 2) | (!x.dst & 1));
        for (i, w) in [(&mut x, w), (&mut y, w1)] {
            i.src[0] = bits(w, 8, 0) as u16;
            if i.entry.width(Slot::B).is_some() {
                i.src[1] = operand::VGPR + bits(w, 16, 9) as u16;
            }
        }
        let constant =
            |i: &Inst| i.src[0] == operand::LITERAL || i.entry.spec.contains(&Spec::Word("0x0"));
        if constant(&x) || constant(&y) {
            x.literal = self.more()?;
            y.literal = x.literal;
        }
        x.pair = Some(Box::new(y));
        Some(x)
    }

    fn ds(&mut self, w: u32) -> Option<Inst> {
        let w1 = self.more()?;
        let v9 = self.arch.generation() == 9;
        let op = if v9 { bits(w, 24, 17) } else { bits(w, 25, 18) };
        let mut i = self.make(Family::Ds, op)?;
        let file = if v9 && bits(w, 25, 25) == 1 { operand::AGPR } else { operand::VGPR };
        i.mode = if v9 { bits(w, 16, 16) } else { bits(w, 17, 17) } as u8 * 4;
        if i.has_two_offsets() {
            i.imm = bits(w, 7, 0) as i32;
            i.imm2 = bits(w, 15, 8) as u16;
        } else {
            i.imm = bits(w, 15, 0) as i32;
        }
        i.src = [
            operand::VGPR + bits(w1, 7, 0) as u16,
            file + bits(w1, 15, 8) as u16,
            file + bits(w1, 23, 16) as u16,
        ];
        i.dst = file + bits(w1, 31, 24) as u16;
        absent(&mut i);
        i.returns = i.dst != operand::NONE;
        Some(i)
    }

    fn flat(&mut self, w: u32) -> Option<Inst> {
        let w1 = self.more()?;
        let v9 = self.arch.generation() == 9;
        let seg = if v9 { bits(w, 15, 14) } else { bits(w, 17, 16) };
        let family = [Family::Flat, Family::Scratch, Family::Global][seg.min(2) as usize];
        let mut i = self.make(family, bits(w, 24, 18))?;
        i.policy = if v9 {
            (bits(w, 16, 16) | bits(w, 17, 17) << 1 | bits(w, 25, 25) << 2) as u16
        } else {
            (bits(w, 14, 14) | bits(w, 15, 15) << 1 | bits(w, 13, 13) << 2) as u16
        };
        // FLAT offsets are unsigned on gfx9 (MI300 ISA §9.4, "FLAT: 12-bit unsigned"), segment offsets signed.
        i.imm = match (v9, family) {
            (true, Family::Flat) => bits(w, 12, 0) as i32,
            _ => sext(w, 13),
        };
        let file = if v9 && bits(w1, 23, 23) == 1 { operand::AGPR } else { operand::VGPR };
        i.src =
            [operand::VGPR + bits(w1, 7, 0) as u16, file + bits(w1, 15, 8) as u16, operand::NONE];
        i.dst = file + bits(w1, 31, 24) as u16;
        let saddr = bits(w1, 22, 16) as u16;
        let off = if v9 { saddr == 0x7f } else { saddr == 0x7c || saddr == 0x7f };
        if family != Family::Flat && !off {
            i.sdst = saddr;
        }
        if family == Family::Scratch {
            let sve = if v9 { bits(w, 13, 13) } else { bits(w1, 23, 23) };
            // gfx90a has no SVE bit: the VGPR is the offset unless an SGPR is (MI200 ISA §9.6).
            let vector = if self.arch == Arch::Gfx90a { i.sdst == operand::NONE } else { sve == 1 };
            i.mode = u8::from(vector);
        }
        i.returns = if v9 { i.policy & 1 == 1 } else { bits(w, 14, 14) == 1 };
        atomic(&mut i);
        Some(i)
    }

    fn flat12(&mut self, w: u32) -> Option<Inst> {
        let (w1, w2) = (self.more()?, self.more()?);
        let family =
            [Family::Flat, Family::Scratch, Family::Global][bits(w, 25, 24).min(2) as usize];
        let mut i = self.make(family, bits(w, 21, 14))?;
        i.policy = bits(w1, 22, 18) as u16;
        i.imm = sext(w2 >> 8, 24);
        i.src = [
            operand::VGPR + bits(w2, 7, 0) as u16,
            operand::VGPR + bits(w1, 30, 23) as u16,
            operand::NONE,
        ];
        i.dst = operand::VGPR + bits(w1, 7, 0) as u16;
        if bits(w, 6, 0) != 0x7c {
            i.sdst = bits(w, 6, 0) as u16;
        }
        if family == Family::Scratch {
            i.mode = bits(w1, 17, 17) as u8;
        }
        // TH bit 0 of an atomic: give the old value back (RDNA4 ISA §10, "Temporal hint").
        i.returns = bits(w1, 20, 20) == 1;
        atomic(&mut i);
        Some(i)
    }

    fn mubuf(&mut self, w: u32) -> Option<Inst> {
        let w1 = self.more()?;
        let v9 = self.arch.generation() == 9;
        let op = if v9 { bits(w, 24, 18) } else { bits(w, 25, 18) };
        let mut i = self.make(Family::Mubuf, op)?;
        i.imm = bits(w, 11, 0) as i32;
        let (offen, idxen) = if v9 {
            (bits(w, 12, 12), bits(w, 13, 13))
        } else {
            (bits(w1, 22, 22), bits(w1, 23, 23))
        };
        i.mode = (offen | idxen << 1) as u8;
        i.policy = if v9 {
            (bits(w, 14, 14) | bits(w, 17, 17) << 1 | bits(w, 15, 15) << 2) as u16
        } else {
            (bits(w, 14, 14) | bits(w, 12, 12) << 1 | bits(w, 13, 13) << 2) as u16
        };
        let file = if v9 && bits(w1, 23, 23) == 1 { operand::AGPR } else { operand::VGPR };
        i.src[0] = operand::VGPR + bits(w1, 7, 0) as u16;
        i.dst = file + bits(w1, 15, 8) as u16;
        i.sdst = (bits(w1, 20, 16) * 4) as u16;
        i.imm2 = bits(w1, 31, 24) as u16;
        i.returns = i.entry.base.contains("atomic") && bits(w, 14, 14) == 1;
        absent(&mut i);
        if i.mode & 3 == 0 {
            i.src[0] = operand::NONE;
        }
        Some(i)
    }

    fn mubuf12(&mut self, w: u32) -> Option<Inst> {
        let (w1, w2) = (self.more()?, self.more()?);
        let mut i = self.make(Family::Mubuf, bits(w, 21, 14))?;
        i.imm = sext(w2 >> 8, 24);
        i.mode = (bits(w1, 30, 30) | bits(w1, 31, 31) << 1) as u8;
        i.policy = bits(w1, 22, 18) as u16;
        i.src[0] =
            if i.mode & 3 == 0 { operand::NONE } else { operand::VGPR + bits(w2, 7, 0) as u16 };
        i.dst = operand::VGPR + bits(w1, 7, 0) as u16;
        i.sdst = bits(w1, 17, 9) as u16;
        i.imm2 = bits(w, 6, 0) as u16;
        i.returns = i.entry.base.contains("atomic") && bits(w1, 20, 20) == 1;
        Some(i)
    }
}

/// Integer operands have no sign bit to change: the bits are ignored (MI300 ISA §6.2.3).
fn integers(i: &mut Inst) {
    let e = i.entry;
    if !e.family.is_valu()
        || e.family == Family::Vop3p
        || matches!(i.lanes, LaneControl::Sdwa { .. })
    {
        return;
    }
    let last = e.base.rsplit('_').next().unwrap_or("");
    if last.starts_with(['i', 'u', 'b'])
        && !matches!(
            e.base,
            "v_cndmask_b32" | "v_cndmask_b16" | "v_mov_b32" | "v_mov_b16" | "v_mov_b64"
        )
    {
        i.neg = 0;
        i.abs = 0;
    }
}

/// Whether the table says that the destination is scalar.
fn scalar_dst(i: &Inst) -> bool {
    matches!(i.entry.spec.first(), Some(Spec::Field { slot: Slot::D, scalar: true, .. }))
}

/// Operands that the opcode does not have hold no register.
fn absent(i: &mut Inst) {
    for (slot, src) in [Slot::A, Slot::B, Slot::C].into_iter().zip(&mut i.src) {
        if i.entry.width(slot).is_none() {
            *src = operand::NONE;
        }
    }
    if i.entry.width(Slot::D).is_none() {
        i.dst = operand::NONE;
    }
}

/// An atomic that gives nothing back has no destination.
fn atomic(i: &mut Inst) {
    absent(i);
    if i.entry.base.contains("atomic") {
        if !i.returns {
            i.dst = operand::NONE;
        }
    } else {
        i.returns = false;
    }
}

/// The accumulation registers of `v_accvgpr_*`.
fn acc(i: &mut Inst) {
    match i.entry.base {
        "v_accvgpr_read_b32" => i.src[0] += operand::AGPR - operand::VGPR,
        "v_accvgpr_write_b32" => i.dst += operand::AGPR - operand::VGPR,
        "v_accvgpr_mov_b32" => {
            i.dst += operand::AGPR - operand::VGPR;
            i.src[0] += operand::AGPR - operand::VGPR;
        }
        _ => {}
    }
}

/// In the 32-bit encodings of RDNA3 and later, VGPR numbers of 128 and more name the high half of a 16-bit operand.
fn halves(i: &mut Inst) {
    let half = |i: &Inst, slot| i.entry.width(slot) == Some(Width::Half);
    if half(i, Slot::D) && i.dst >= operand::VGPR + 128 {
        i.dst -= 128;
        i.op_sel |= 8;
    }
    for (k, slot) in [Slot::A, Slot::B].into_iter().enumerate() {
        if half(i, slot) && i.src[k] >= operand::VGPR + 128 && i.src[k] != operand::NONE {
            i.src[k] -= 128;
            i.op_sel |= 1 << k;
        }
    }
}

/// Works out which registers are read and written.
fn spans(i: &mut Inst, arch: Arch, wave_size: u32) {
    let words = |w| match w {
        Width::Words(n) => n,
        Width::Half => 1,
        Width::Mask => (wave_size / 32) as u8,
    };
    let mask = (wave_size / 32) as u8;
    let e = i.entry;
    let memory = matches!(
        e.family,
        Family::Ds | Family::Flat | Family::Global | Family::Scratch | Family::Mubuf
    );
    let store = e.base.contains("store") && e.family == Family::Smem;
    for (n, s) in e.spec.iter().enumerate() {
        match *s {
            Spec::Field { slot: Slot::D, width, .. } if i.dst != operand::NONE => {
                let span = Span { first: i.dst, count: words(width) };
                let buffer_store = e.family == Family::Mubuf && !e.base.contains("load");
                if buffer_store || store || e.base.starts_with("s_cmpk") {
                    i.reads.push(span);
                    if i.returns {
                        i.writes.push(Span {
                            first: i.dst,
                            count: if e.base.contains("cmpswap") {
                                span.count / 2
                            } else {
                                span.count
                            },
                        });
                    }
                } else {
                    i.writes.push(span);
                    if e.reads_dst || matches!(i.lanes, LaneControl::Sdwa { unused: 2, .. }) {
                        i.reads.push(span);
                    }
                }
            }
            Spec::Field { slot: Slot::S, .. } => i.writes.push(Span { first: i.sdst, count: mask }),
            Spec::Field { slot: Slot::R, .. } => i.reads.push(Span { first: i.sdst, count: 4 }),
            Spec::Field { slot, width, .. } => {
                let k = match slot {
                    Slot::A => 0,
                    Slot::B => 1,
                    _ => 2,
                };
                let r = i.src[k];
                let mut count = words(width);
                if memory && k == 0 {
                    count = match e.family {
                        Family::Global if i.sdst != operand::NONE => 1,
                        Family::Scratch if i.mode == 0 => 0,
                        Family::Mubuf if i.mode & 3 == 3 => 2,
                        Family::Mubuf if i.mode & 3 == 0 => 0,
                        _ => count,
                    };
                }
                let register = r < 128 && (r < 108 || r == arch.m0() || r >= 126)
                    || (operand::VGPR..operand::NONE).contains(&r);
                if register && count > 0 {
                    i.reads.push(Span { first: r, count });
                }
            }
            Spec::Word("vcc") => {
                let span = Span { first: operand::VCC, count: mask };
                if n <= 1 && e.family != Family::Vopd && e.family != Family::VopdY {
                    i.writes.push(span)
                } else {
                    i.reads.push(span)
                }
            }
            _ => {}
        }
    }
    if matches!(e.family, Family::Vopc) && i.sdst != operand::NONE && i.sdst != operand::VCC
        || e.base.starts_with("v_cmp") && e.family == Family::Vop3
    {
        i.writes.clear();
        i.writes.push(Span { first: i.sdst, count: mask });
    }
    if e.base.starts_with("v_div_fmas") {
        i.reads.push(Span { first: operand::VCC, count: mask });
    }
    if matches!(e.family, Family::Global | Family::Scratch) && i.sdst != operand::NONE {
        i.reads.push(Span { first: i.sdst, count: if e.family == Family::Global { 2 } else { 1 } });
    }
    if matches!(e.family, Family::Smem | Family::Mubuf) && i.imm2 < 106 {
        i.reads.push(Span { first: i.imm2, count: 1 });
    }
}

/// What must have been written: moves, stores to scratch and reads of other lanes are checked where they happen.
fn checked(i: &Inst) -> Vec<Span> {
    let base = i.entry.base;
    let moves = base.starts_with("v_mov_b")
        || base.starts_with("v_accvgpr")
        || base.starts_with("v_cndmask")
        || base.starts_with("s_mov")
        || base == "v_writelane_b32";
    let scratch_data = i.entry.family.is_vmem() && base.contains("store");
    let crosses = base.contains("permute")
        || base.contains("permlane")
        || base.contains("swizzle")
        || base.starts_with("v_read");
    if i.logic {
        return Vec::new();
    }
    let exempt = |s: &Span| {
        let vector = s.first >= operand::VGPR;
        let data = if i.entry.family == Family::Mubuf { i.dst } else { i.src[1] };
        moves
            || (i.is_dpp() && s.first == i.src[0])
            || (scratch_data && s.first == data)
            || (crosses
                && vector
                && s.first
                    == if base.starts_with("ds_") && !base.contains("swizzle") {
                        i.src[1]
                    } else {
                        i.src[0]
                    })
    };
    let trim = |s: Span| {
        if i.wide && s.first >= operand::VGPR && s.count == 2 { Span { count: 1, ..s } } else { s }
    };
    i.reads.iter().copied().filter(|s| !exempt(s)).map(trim).collect()
}
