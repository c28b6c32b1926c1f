//! Lanes that read other lanes: DPP, read and write lane, permlanes (MI300 ISA §6.6, RDNA3 ISA §7.6 and §16.12).

use super::machine::{Done, Exec, Machine};
use super::{L32, lanes};
use crate::check::Check;
use crate::isa::{Inst, LaneControl, operand};

/// For each lane the lane it reads, and the lanes whose source is out of range.
#[derive(Clone)]
pub(crate) struct Pattern {
    from: [u8; 64],
    valid: u64,
    /// The lanes that ROW_MASK and BANK_MASK leave on.
    on: u64,
    zero_fill: bool,
    inactive: bool,
}

impl Pattern {
    /// The pattern of a DPP instruction.
    pub fn of(i: &Inst) -> Pattern {
        let mut p =
            Pattern { from: [0; 64], valid: 0, on: u64::MAX, zero_fill: true, inactive: false };
        match i.lanes {
            LaneControl::Dpp { ctrl, row_mask, bank_mask, bound_ctrl, fetch_inactive } => {
                p.zero_fill = bound_ctrl;
                p.inactive = fetch_inactive;
                p.on = 0;
                for l in 0..64usize {
                    if row_mask >> ((l / 16) & 3) & 1 == 1 && bank_mask >> (l / 4 % 4) & 1 == 1 {
                        p.on |= 1 << l;
                    }
                    if let Some(q) = source(ctrl as usize, l) {
                        p.from[l] = q as u8;
                        p.valid |= 1 << l;
                    }
                }
            }
            LaneControl::Dpp8 { select, fetch_inactive } => {
                p.inactive = fetch_inactive;
                p.valid = u64::MAX;
                for l in 0..64 {
                    p.from[l] = ((l & !7) as u32 | (select >> (3 * (l & 7)) & 7)) as u8;
                }
            }
            _ => {}
        }
        p
    }

    /// The lanes that get a value: in range, and from a lane that is on.
    fn readable(&self, exec: u64, width: u64) -> u64 {
        let on = if self.inactive { width } else { exec };
        if on == u64::MAX {
            return self.valid;
        }
        self.valid & super::mask_of(|l| on >> self.from[l] & 1 == 1)
    }
}

/// The lane that lane `l` reads under DPP_CTRL (MI300 ISA §6.6.1, table "DPP_CTRL").
fn source(ctrl: usize, l: usize) -> Option<usize> {
    let (row, k, n) = (l & !15, l & 15, ctrl & 15);
    match ctrl {
        0..=0xff => Some(l & !3 | (ctrl >> (2 * (l & 3)) & 3)),
        0x101..=0x10f => (k + n < 16).then_some(l + n),
        0x111..=0x11f => (k >= n).then(|| l - n),
        0x121..=0x12f => Some(row | (k + 16 - n) & 15),
        0x130 => (l < 63).then_some(l + 1),
        0x134 => Some((l + 1) & 63),
        0x138 => l.checked_sub(1),
        0x13c => Some((l + 63) & 63),
        0x140 => Some(row | (15 - k)),
        0x141 => Some(l & !7 | (7 - (l & 7))),
        0x142 => (l >= 16).then(|| row - 1),
        0x143 => (l >= 32).then_some(31),
        0x150..=0x15f => Some(row | n),
        0x160..=0x16f => Some(row | (k ^ n)),
        _ => None,
    }
}

impl Machine<'_> {
    pub(super) fn dpp(&self, i: &Inst, v: &L32) -> L32 {
        let Some(p) = &i.pattern else { return *v };
        let ok = p.readable(self.exec(), self.wave.width);
        let mut out: L32 = std::array::from_fn(|l| v[p.from[l] as usize & 63]);
        super::blend(&mut out, &[0; 64], !ok);
        out
    }

    /// EXEC, less the lanes that the masks and out-of-range sources switch off.
    pub(super) fn dpp_enabled(&self, i: &Inst) -> u64 {
        let exec = self.exec();
        let Some(p) = &i.pattern else { return exec };
        let reached = if p.zero_fill { u64::MAX } else { p.readable(exec, self.wave.width) };
        exec & p.on & reached
    }

    /// Reports lanes that a DPP instruction reads while EXEC is off for them, and values that were never written.
    pub(crate) fn check_dpp(&mut self, i: &Inst) {
        let Some(p) = &i.pattern else { return };
        let exec = self.exec();
        let wanted = exec & p.on & p.valid;
        let off = if p.inactive { 0 } else { wanted & !p.readable(exec, self.wave.width) };
        if off != 0 {
            let l = off.trailing_zeros() as usize;
            let why = format!("lane {l} reads lane {}, which EXEC has switched off", p.from[l]);
            self.finding(Check::InactiveLane, i, off, why);
        }
        let n = self.wave.index_of(i.src[0]);
        let written = self.wave.written[n];
        let unwritten = super::mask_of(|l| written >> p.from[l] & 1 == 0) & wanted & !off;
        if unwritten != 0 {
            let l = unwritten.trailing_zeros() as usize;
            self.finding(
                Check::Unwritten,
                i,
                unwritten,
                format!("lane {l} reads lane {} of v{n}, which was never written", p.from[l]),
            );
        }
    }

    /// A lane of a register is read from outside: it must hold what the last write to the register meant for it.
    fn check_lane(&mut self, i: &Inst, n: usize, lane: usize) {
        if self.exec() >> lane & 1 == 0 && self.wave.last_write[n] >> lane & 1 == 0 {
            let why = format!(
                "reads lane {lane} of v{n}, which EXEC had switched off at the last write to it"
            );
            self.finding(Check::InactiveLane, i, 1 << lane, why);
        }
    }
}

fn readlane(m: &mut Machine<'_>, i: &Inst) -> Done {
    let width = if m.wave.is_64() { 63 } else { 31 };
    let lane = (m.scalar(i.src[1], i.literal) & width) as usize;
    read_one(m, i, lane)
}

fn readfirstlane(m: &mut Machine<'_>, i: &Inst) -> Done {
    let exec = m.exec();
    read_one(m, i, if exec == 0 { 0 } else { exec.trailing_zeros() as usize })
}

fn read_one(m: &mut Machine<'_>, i: &Inst, lane: usize) -> Done {
    m.report.counts.cross_lane += 1;
    if i.src[0] < operand::VGPR {
        let v = m.scalar(i.src[0], i.literal);
        m.set32(i.dst, v);
        return Ok(());
    }
    let n = m.wave.index_of(i.src[0]);
    if m.report.enabled {
        m.check_lane(i, n, lane);
    }
    let v = m.wave.vgpr[n][lane];
    m.set32(i.dst, v);
    // Scalars are saved in lanes whether they hold something or not: what was never written stays so, and is reported when used.
    if m.wave.written[n] >> lane & 1 == 0 && i.dst < 106 {
        m.wave.scalar_written &= !(1 << i.dst);
    }
    Ok(())
}

fn writelane(m: &mut Machine<'_>, i: &Inst) -> Done {
    m.report.counts.cross_lane += 1;
    let width = if m.wave.is_64() { 63 } else { 31 };
    let lane = (m.scalar(i.src[1], i.literal) & width) as usize;
    let v = m.scalar(i.src[0], i.literal);
    let n = m.wave.index_of(i.dst);
    m.wave.vgpr[n][lane] = v;
    let code = i.src[0];
    if code < 106 && m.wave.scalar_written >> code & 1 == 0 {
        m.wave.written[n] &= !(1 << lane);
    } else {
        m.wave.written[n] |= 1 << lane;
    }
    m.wave.last_write[n] |= 1 << lane;
    Ok(())
}

/// Each lane reads the lane that `from` gives. A source that is off gives 0 with BOUND_CTRL, else the lane keeps its value;
/// OP_SEL bit 0 is "fetch inactive", bit 1 BOUND_CTRL (RDNA3 ISA §16.12, V_PERMLANE16_B32).
fn permute(m: &mut Machine<'_>, i: &Inst, from: impl Fn(usize) -> usize, always: bool) -> Done {
    m.report.counts.cross_lane += 1;
    let (fetch, bound) = (always || i.op_sel & 1 == 1, i.op_sel & 2 == 2);
    let exec = m.exec();
    let n = m.wave.index_of(i.src[0]);
    let (v, written) = (m.wave.vgpr[n], m.wave.written[n]);
    let mut out = m.wave.vgpr[m.wave.index_of(i.dst)];
    let mut en = exec;
    let (mut off, mut blank) = (0u64, 0u64);
    for l in lanes(exec) {
        let q = from(l);
        if exec >> q & 1 == 0 && !fetch {
            off |= 1 << l;
            if bound {
                out[l] = 0;
            } else {
                en &= !(1 << l);
            }
            continue;
        }
        if written >> q & 1 == 0 {
            blank |= 1 << l;
        }
        out[l] = v[q];
    }
    if m.report.enabled && off != 0 {
        let l = off.trailing_zeros() as usize;
        m.finding(
            Check::InactiveLane,
            i,
            off,
            format!("lane {l} reads lane {}, which EXEC has switched off", from(l)),
        );
    }
    if m.report.enabled && blank != 0 {
        let l = blank.trailing_zeros() as usize;
        m.finding(
            Check::Unwritten,
            i,
            blank,
            format!("lane {l} reads lane {} of v{n}, which was never written", from(l)),
        );
    }
    m.put(i.dst, &out, en);
    Ok(())
}

/// The selectors of `v_permlane16`: eight nibbles in each of two scalars.
fn nibble(lo: u32, hi: u32, k: usize) -> usize {
    ((lo as u64 | (hi as u64) << 32) >> (4 * k) & 15) as usize
}

fn permlane16(m: &mut Machine<'_>, i: &Inst, cross: usize) -> Done {
    let (lo, hi) = (m.scalar(i.src[1], i.literal), m.scalar(i.src[2], i.literal));
    permute(m, i, |l| (l & !15 ^ cross) | nibble(lo, hi, l & 15), false)
}

fn permlane16_var(m: &mut Machine<'_>, i: &Inst, cross: usize) -> Done {
    let mut b = [0; 64];
    let b = *m.src(i, 1, &mut b);
    permute(m, i, |l| (l & !15 ^ cross) | (b[l] & 15) as usize, false)
}

pub(super) const OPS: &[(&str, Exec)] = &[
    ("v_readlane_b32", readlane),
    ("v_readfirstlane_b32", readfirstlane),
    ("v_writelane_b32", writelane),
    ("v_permlane16_b32", |m, i| permlane16(m, i, 0)),
    ("v_permlanex16_b32", |m, i| permlane16(m, i, 16)),
    ("v_permlane16_var_b32", |m, i| permlane16_var(m, i, 0)),
    ("v_permlanex16_var_b32", |m, i| permlane16_var(m, i, 16)),
    ("v_permlane64_b32", |m, i| {
        if m.wave.is_64() { permute(m, i, |l| l ^ 32, true) } else { permute(m, i, |l| l, true) }
    }),
];
