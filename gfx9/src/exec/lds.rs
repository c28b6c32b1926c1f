//! LDS, and the permutes that go through its crossbar (MI300 ISA §11 and §12.14, RDNA3 ISA §12 and §16.15).

use super::atomic::{Atomic, NAMES, apply};
use super::machine::{Done, Exec, Machine};
use super::{L32, lanes};
use crate::Arch;
use crate::check::{Check, Counter};
use crate::group::Access;
use crate::isa::{Inst, operand};

impl Machine<'_> {
    /// Reads LDS for a lane; outside of the allocation hardware gives 0.
    pub(super) fn lds_read(&mut self, i: &Inst, lane: usize, at: u32, out: &mut [u8]) {
        match self.group.read(at, out) {
            Some(true) => {}
            Some(false) if self.report.enabled => self.finding(
                Check::Unwritten,
                i,
                1 << lane,
                format!("lane {lane} reads LDS at {at}, which was never written"),
            ),
            Some(false) => {}
            None => {
                out.fill(0);
                self.lds_outside(i, lane, at, out.len());
            }
        }
        self.lds_touch(i, lane, at, out.len() as u32, Access::Read);
    }

    /// Writes LDS for a lane; outside of the allocation hardware drops it.
    pub(super) fn lds_write(&mut self, i: &Inst, lane: usize, at: u32, bytes: &[u8]) {
        if self.group.write(at, bytes).is_none() {
            self.lds_outside(i, lane, at, bytes.len());
        }
        self.lds_touch(i, lane, at, bytes.len() as u32, Access::Write);
    }

    #[cold]
    fn lds_outside(&mut self, i: &Inst, lane: usize, at: u32, bytes: usize) {
        if self.report.enabled {
            let size = self.group.lds.len();
            self.finding(
                Check::OutOfBounds,
                i,
                1 << lane,
                format!(
                    "lane {lane} accesses {bytes} bytes of LDS at {at}; the workgroup has {size}"
                ),
            );
        }
    }

    #[inline]
    fn lds_touch(&mut self, i: &Inst, lane: usize, at: u32, bytes: u32, access: Access) {
        if !self.report.enabled {
            return;
        }
        if let Some(r) = self.group.touch(self.wave.index, at, bytes, access) {
            let what = format!(
                "lane {lane} and wave {}, which {} LDS at {at}, are ordered by no barrier",
                r.other,
                if r.wrote { "wrote" } else { "read" }
            );
            self.finding(Check::LdsRace, i, 1 << lane, what);
        }
    }

    /// An atomic on LDS.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn lds_atomic(
        &mut self,
        i: &Inst,
        lane: usize,
        at: u32,
        op: Atomic,
        size: usize,
        data: u64,
        compare: u64,
    ) -> u64 {
        let mut b = [0; 8];
        match self.group.read(at, &mut b[..size]) {
            Some(true) => {}
            Some(false) if self.report.enabled => self.finding(
                Check::Unwritten,
                i,
                1 << lane,
                format!("lane {lane} changes LDS at {at}, which was never written"),
            ),
            Some(false) => {}
            None => {
                self.lds_outside(i, lane, at, size);
                return 0;
            }
        }
        let old = u64::from_le_bytes(b);
        self.group.write(at, &apply(op, size, old, data, compare).to_le_bytes()[..size]);
        self.lds_touch(i, lane, at, size as u32, Access::Atomic);
        old
    }

    /// The operation goes to the LDS queue.
    pub(super) fn lds_issue(&mut self, i: &Inst, words: Vec<u32>) {
        let registers = i.writes.first().copied();
        self.issue(&[Counter::Lds], false, registers, words);
    }

    /// Counts the passes that lanes meeting in one of the 32 banks cost.
    pub(super) fn count_banks(&mut self, exec: u64, at: &L32, words: usize) {
        let per_pass = (32 / words).max(1);
        let active: Vec<usize> = lanes(exec).collect();
        for chunk in active.chunks(per_pass) {
            let mut seen: [Vec<u32>; 32] = Default::default();
            for &l in chunk {
                for k in 0..words as u32 {
                    let w = at[l] / 4 + k;
                    let bank = &mut seen[(w & 31) as usize];
                    if !bank.contains(&w) {
                        bank.push(w);
                    }
                }
            }
            self.report.counts.bank_conflicts +=
                seen.iter().map(Vec::len).max().unwrap_or(1).saturating_sub(1) as u64;
        }
    }

    fn lds_addresses(&self, i: &Inst, offset: u32) -> L32 {
        self.wave.vgpr[self.wave.index_of(i.src[0])].map(|a| a.wrapping_add(offset))
    }

    fn words_of(&self, exec: u64, at: &L32, bytes: u32) -> Vec<u32> {
        if !self.report.enabled {
            return Vec::new();
        }
        lanes(exec).flat_map(|l| at[l] / 4..at[l].saturating_add(bytes).div_ceil(4)).collect()
    }
}

/// `BYTES` bytes at each address, or twice at two offsets that count in `STRIDE` elements.
fn read<const BYTES: usize, const STRIDE: u32>(m: &mut Machine<'_>, i: &Inst) -> Done {
    m.report.counts.lds += 1;
    let exec = m.exec();
    let offsets: &[u32] = if STRIDE == 0 {
        &[i.imm as u32]
    } else {
        &[i.imm as u32 * STRIDE * BYTES as u32, i.imm2 as u32 * STRIDE * BYTES as u32]
    };
    let mut touched = Vec::new();
    // All addresses are read before the destination, which may hold them, is written.
    let addresses: Vec<L32> = offsets.iter().map(|&o| m.lds_addresses(i, o)).collect();
    for (n, at) in addresses.iter().enumerate() {
        m.count_banks(exec, at, BYTES.div_ceil(4));
        touched.extend(m.words_of(exec, at, BYTES as u32));
        let mut out = vec![[0u32; 64]; BYTES.div_ceil(4)];
        for l in lanes(exec) {
            let mut b = [0u8; 16];
            m.lds_read(i, l, at[l], &mut b[..BYTES]);
            for (k, o) in out.iter_mut().enumerate() {
                o[l] = u32::from_le_bytes(b[4 * k..4 * k + 4].try_into().expect("four bytes"));
            }
        }
        for (k, o) in out.iter().enumerate() {
            m.put(i.dst + (n * out.len() + k) as u16, o, exec);
        }
    }
    m.lds_issue(i, touched);
    Ok(())
}

/// A byte or a half, extended, into the register or a half of it.
fn read_small<const BYTES: usize, const SIGNED: bool, const PART: u8>(
    m: &mut Machine<'_>,
    i: &Inst,
) -> Done {
    m.report.counts.lds += 1;
    let exec = m.exec();
    let at = m.lds_addresses(i, i.imm as u32);
    m.count_banks(exec, &at, 1);
    let mut out = m.wave.vgpr[m.wave.index_of(i.dst)];
    for l in lanes(exec) {
        let mut b = [0u8; 4];
        m.lds_read(i, l, at[l], &mut b[..BYTES]);
        out[l] = super::vmem::place(u32::from_le_bytes(b), BYTES, SIGNED, PART, out[l]);
    }
    m.put(i.dst, &out, exec);
    let touched = m.words_of(exec, &at, BYTES as u32);
    m.lds_issue(i, touched);
    Ok(())
}

fn write<const BYTES: usize, const STRIDE: u32, const HIGH: bool>(
    m: &mut Machine<'_>,
    i: &Inst,
) -> Done {
    m.report.counts.lds += 1;
    let exec = m.exec();
    let offsets: &[u32] = if STRIDE == 0 {
        &[i.imm as u32]
    } else {
        &[i.imm as u32 * STRIDE * BYTES as u32, i.imm2 as u32 * STRIDE * BYTES as u32]
    };
    let mut touched = Vec::new();
    for (n, &offset) in offsets.iter().enumerate() {
        let at = m.lds_addresses(i, offset);
        m.count_banks(exec, &at, BYTES.div_ceil(4));
        touched.extend(m.words_of(exec, &at, BYTES as u32));
        let first = m.wave.index_of(i.src[1 + n]);
        for l in lanes(exec) {
            let mut b = [0u8; 16];
            for k in 0..BYTES.div_ceil(4) {
                let v = m.wave.vgpr[(first + k) & 511][l];
                b[4 * k..4 * k + 4]
                    .copy_from_slice(&(if HIGH { v >> 16 } else { v }).to_le_bytes());
            }
            m.lds_write(i, l, at[l], &b[..BYTES]);
        }
    }
    m.lds_issue(i, touched);
    Ok(())
}

fn lane64(m: &Machine<'_>, code: u16, size: usize, l: usize) -> u64 {
    let n = m.wave.index_of(code);
    let lo = m.wave.vgpr[n][l] as u64;
    if size == 8 { lo | (m.wave.vgpr[(n + 1) & 511][l] as u64) << 32 } else { lo }
}

fn atomic<const OP: usize>(m: &mut Machine<'_>, i: &Inst) -> Done {
    let (_, op, size) = NAMES[OP];
    m.report.counts.lds += 1;
    let exec = m.exec();
    let at = m.lds_addresses(i, i.imm as u32);
    m.count_banks(exec, &at, size / 4);
    let mut out = [[0u32; 64]; 2];
    for l in lanes(exec) {
        let (a, b) = (
            lane64(m, i.src[1], size, l),
            if i.src[2] == operand::NONE { 0 } else { lane64(m, i.src[2], size, l) },
        );
        // CDNA's CMPST takes the comparison first, RDNA3's CMPSTORE last (RDNA3 ISA §16.15, DS_CMPSTORE_B32).
        let (data, compare) =
            if op == Atomic::CompareSwap && m.generation == 9 { (b, a) } else { (a, b) };
        let old = m.lds_atomic(i, l, at[l], op, size, data, compare);
        out[0][l] = old as u32;
        out[1][l] = (old >> 32) as u32;
    }
    if i.returns {
        for (k, o) in out.iter().enumerate().take(size / 4) {
            m.put(i.dst + k as u16, o, exec);
        }
    }
    let touched = m.words_of(exec, &at, size as u32);
    m.lds_issue(i, touched);
    Ok(())
}

/// `ds_bpermute`: each lane reads the lane that its address names. On gfx10 to gfx11.5 in wave64 the halves do not mix (RDNA3 ISA §12.6).
fn bpermute(m: &mut Machine<'_>, i: &Inst) -> Done {
    gather(m, i, false)
}

fn gather(m: &mut Machine<'_>, i: &Inst, fetch_inactive: bool) -> Done {
    m.report.counts.lds += 1;
    m.report.counts.cross_lane += 1;
    let exec = m.exec();
    let at = m.lds_addresses(i, i.imm as u32);
    let half = m.arch == Arch::Gfx1100 || !m.wave.is_64();
    let from = |l: usize| {
        let q = (at[l] >> 2) as usize;
        if half { l & 32 | q & 31 } else { q & 63 }
    };
    let n = m.wave.index_of(i.src[1]);
    let (v, written) = (m.wave.vgpr[n], m.wave.written[n]);
    let mut out = [0; 64];
    let (mut off, mut blank) = (0u64, 0u64);
    for l in lanes(exec) {
        let q = from(l);
        if exec >> q & 1 == 1 || fetch_inactive {
            out[l] = v[q];
            if written >> q & 1 == 0 {
                blank |= 1 << l;
            }
        } else {
            off |= 1 << l;
        }
    }
    if m.report.enabled {
        report_sources(m, i, off, blank, from);
    }
    m.put(i.dst, &out, exec);
    m.lds_issue(i, Vec::new());
    Ok(())
}

fn report_sources(
    m: &mut Machine<'_>,
    i: &Inst,
    off: u64,
    blank: u64,
    from: impl Fn(usize) -> usize,
) {
    if off != 0 {
        let l = off.trailing_zeros() as usize;
        m.finding(
            Check::InactiveLane,
            i,
            off,
            format!("lane {l} reads lane {}, which EXEC has switched off", from(l)),
        );
    }
    if blank != 0 {
        let l = blank.trailing_zeros() as usize;
        m.finding(
            Check::Unwritten,
            i,
            blank,
            format!("lane {l} reads lane {}, whose register was never written", from(l)),
        );
    }
}

/// `ds_permute`: each lane sends its value to the lane that its address names; the highest sender wins.
fn permute(m: &mut Machine<'_>, i: &Inst) -> Done {
    m.report.counts.lds += 1;
    m.report.counts.cross_lane += 1;
    let exec = m.exec();
    let at = m.lds_addresses(i, i.imm as u32);
    let half = m.arch == Arch::Gfx1100 || !m.wave.is_64();
    let v = m.wave.vgpr[m.wave.index_of(i.src[1])];
    let mut out = [0; 64];
    for l in lanes(exec) {
        let q = (at[l] >> 2) as usize;
        out[if half { l & 32 | q & 31 } else { q & 63 }] = v[l];
    }
    m.put(i.dst, &out, exec);
    m.lds_issue(i, Vec::new());
    Ok(())
}

/// `ds_swizzle` (MI300 ISA §12.14, DS_SWIZZLE_B32): a pattern in the offset, inside groups of 32 lanes.
fn swizzle(m: &mut Machine<'_>, i: &Inst) -> Done {
    m.report.counts.lds += 1;
    m.report.counts.cross_lane += 1;
    let exec = m.exec();
    let o = i.imm as usize & 0xffff;
    if o >= 0xe000 {
        return Err(m.unsupported(i, "the FFT swizzle"));
    }
    let from = |l: usize| match o {
        0xc000.. => {
            // Rotation by a number, left in a group that the mask leaves.
            let (mask, n) = (o & 31, o >> 5 & 31);
            let k = l & 31;
            let turned = if o >> 10 & 1 == 1 { k.wrapping_sub(n) } else { k + n };
            l & 32 | k & mask | turned & 31 & !mask
        }
        0x8000.. => l & !3 | o >> (2 * (l & 3)) & 3,
        _ => l & 32 | (((l & 31) & (o & 31)) | (o >> 5 & 31)) ^ (o >> 10 & 31),
    };
    let n = m.wave.index_of(i.src[0]);
    let (v, written) = (m.wave.vgpr[n], m.wave.written[n]);
    let mut out = [0; 64];
    let (mut off, mut blank) = (0u64, 0u64);
    for l in lanes(exec) {
        let q = from(l);
        if exec >> q & 1 == 1 {
            out[l] = v[q];
            blank |= u64::from(written >> q & 1 == 0) << l;
        } else {
            off |= 1 << l;
        }
    }
    if m.report.enabled {
        report_sources(m, i, off, blank, from);
    }
    m.put(i.dst, &out, exec);
    m.lds_issue(i, Vec::new());
    Ok(())
}

const OPS: &[(&str, Exec)] = &[
    ("read_b32", read::<4, 0>),
    ("read_b64", read::<8, 0>),
    ("read_b96", read::<12, 0>),
    ("read_b128", read::<16, 0>),
    ("read2_b32", read::<4, 1>),
    ("read2_b64", read::<8, 1>),
    ("read2st64_b32", read::<4, 64>),
    ("read2st64_b64", read::<8, 64>),
    ("read_u8", read_small::<1, false, 0>),
    ("read_i8", read_small::<1, true, 0>),
    ("read_u16", read_small::<2, false, 0>),
    ("read_i16", read_small::<2, true, 0>),
    ("read_u8_d16", read_small::<1, false, 1>),
    ("read_u8_d16_hi", read_small::<1, false, 2>),
    ("read_i8_d16", read_small::<1, true, 1>),
    ("read_i8_d16_hi", read_small::<1, true, 2>),
    ("read_u16_d16", read_small::<2, false, 1>),
    ("read_u16_d16_hi", read_small::<2, false, 2>),
    ("write_b8", write::<1, 0, false>),
    ("write_b16", write::<2, 0, false>),
    ("write_b8_d16_hi", write::<1, 0, true>),
    ("write_b16_d16_hi", write::<2, 0, true>),
    ("write_b32", write::<4, 0, false>),
    ("write_b64", write::<8, 0, false>),
    ("write_b96", write::<12, 0, false>),
    ("write_b128", write::<16, 0, false>),
    ("write2_b32", write::<4, 1, false>),
    ("write2_b64", write::<8, 1, false>),
    ("write2st64_b32", write::<4, 64, false>),
    ("write2st64_b64", write::<8, 64, false>),
    ("bpermute_b32", bpermute),
    ("bpermute_fi_b32", |m, i| gather(m, i, true)),
    ("permute_b32", permute),
    ("swizzle_b32", swizzle),
    ("nop", |_, _| Ok(())),
];

/// Atomics by their index in [`NAMES`].
const ATOMICS: [Exec; NAMES.len()] = super::vmem::table!(atomic);

/// What an LDS operation does.
pub(super) fn lookup(_: Arch, name: &str) -> Option<Exec> {
    let rest = name.strip_prefix("ds_")?;
    if let Some((_, e)) = OPS.iter().find(|(n, _)| *n == rest) {
        return Some(*e);
    }
    let plain = rest
        .replace("_rtn", "")
        .replace("wrxchg", "swap")
        .replace("cmpstore", "cmpswap")
        .replace("cmpst_b", "cmpswap_b");
    NAMES.iter().position(|(n, ..)| *n == plain).map(|k| ATOMICS[k])
}
