//! Vector memory: global, flat, scratch and buffer (MI300 ISA §9 and §10, RDNA3 ISA §9 to §11, RDNA4 ISA §9 to §11).

use super::atomic::{Atomic, NAMES, apply};
use super::machine::{Done, Exec, Machine, PRIVATE_APERTURE, SHARED_APERTURE};
use super::{L64, lanes};
use crate::Error;
use crate::check::{Check, Counter};
use crate::isa::{Family, Inst, operand};

/// One function for each row of [`NAMES`]: function pointers cannot hold which.
macro_rules! table {
    ($f:ident) => {
        [
            $f::<0>, $f::<1>, $f::<2>, $f::<3>, $f::<4>, $f::<5>, $f::<6>, $f::<7>, $f::<8>,
            $f::<9>, $f::<10>, $f::<11>, $f::<12>, $f::<13>, $f::<14>, $f::<15>, $f::<16>,
            $f::<17>, $f::<18>, $f::<19>, $f::<20>, $f::<21>, $f::<22>, $f::<23>, $f::<24>,
            $f::<25>, $f::<26>, $f::<27>, $f::<28>, $f::<29>, $f::<30>, $f::<31>, $f::<32>,
            $f::<33>, $f::<34>, $f::<35>, $f::<36>, $f::<37>, $f::<38>, $f::<39>, $f::<40>,
            $f::<41>, $f::<42>, $f::<43>, $f::<44>, $f::<45>, $f::<46>, $f::<47>, $f::<48>,
            $f::<49>, $f::<50>, $f::<51>, $f::<52>, $f::<53>, $f::<54>, $f::<55>, $f::<56>,
            $f::<57>, $f::<58>, $f::<59>, $f::<60>, $f::<61>, $f::<62>, $f::<63>,
        ]
    };
}
pub(super) use table;

/// Where a lane's access goes.
#[derive(Clone, Copy)]
enum Place {
    Memory(u64),
    Lds(u32),
    /// An offset in the lane's own scratch.
    Scratch(u32),
    /// Outside of a buffer: reads give 0, writes are dropped.
    Nowhere,
}

/// Puts a loaded byte or half into a register: `part` 0 is the whole, 1 the low and 2 the high half.
pub(super) fn place(raw: u32, bytes: usize, signed: bool, part: u8, old: u32) -> u32 {
    let v = match (bytes, signed) {
        (1, true) => raw as i8 as u32,
        (2, true) => raw as i16 as u32,
        _ => raw,
    };
    match part {
        1 => old & 0xffff_0000 | v & 0xffff,
        2 => old & 0xffff | v << 16,
        _ => v,
    }
}

impl Machine<'_> {
    fn places(&mut self, i: &Inst) -> [Place; 64] {
        match i.family() {
            Family::Mubuf => self.buffer_places(i),
            Family::Scratch => {
                let base = (i.imm as u32).wrapping_add(if i.sdst == operand::NONE {
                    0
                } else {
                    self.scalar(i.sdst, 0)
                });
                let v = if i.mode == 1 {
                    self.wave.vgpr[self.wave.index_of(i.src[0])]
                } else {
                    [0; 64]
                };
                v.map(|x| Place::Scratch(base.wrapping_add(x)))
            }
            family => {
                let n = self.wave.index_of(i.src[0]);
                let lo = &self.wave.vgpr[n];
                let at: L64 = if i.sdst != operand::NONE {
                    let base = self.wave.pair(i.sdst).wrapping_add_signed(i.imm as i64);
                    lo.map(|x| base.wrapping_add(x as u64))
                } else {
                    let hi = &self.wave.vgpr[(n + 1) & 511];
                    std::array::from_fn(|l| {
                        (lo[l] as u64 | (hi[l] as u64) << 32).wrapping_add_signed(i.imm as i64)
                    })
                };
                if family == Family::Flat {
                    return at.map(|a| match a >> 32 {
                        x if x == SHARED_APERTURE >> 32 => Place::Lds(a as u32),
                        x if x == PRIVATE_APERTURE >> 32 => Place::Scratch(a as u32),
                        _ => Place::Memory(a),
                    });
                }
                at.map(Place::Memory)
            }
        }
    }

    /// Buffer addressing with the resource's stride, swizzle and range (MI300 ISA §9.1.5, RDNA3 ISA §9.4).
    fn buffer_places(&mut self, i: &Inst) -> [Place; 64] {
        let w: [u32; 4] = std::array::from_fn(|k| self.scalar(i.sdst + k as u16, 0));
        let base = w[0] as u64 | ((w[1] & 0xffff) as u64) << 32;
        let stride = w[1] >> 16 & 0x3fff;
        let swizzle = w[1] >> 31 == 1 || (self.generation > 9 && w[1] >> 30 != 0);
        let records = w[2];
        let add_tid = w[3] >> 23 & 1 == 1;
        let element = if self.generation == 9 {
            2u32 << (w[3] >> 19 & 3)
        } else {
            [4, 4, 4, 16][(w[1] >> 30 & 3) as usize]
        };
        let index_stride = 8u32 << (w[3] >> 21 & 3);
        let soffset = self.scalar(i.imm2, 0);
        let first =
            if i.mode & 3 == 0 { [0; 64] } else { self.wave.vgpr[self.wave.index_of(i.src[0])] };
        let second = if i.mode & 3 == 3 {
            self.wave.vgpr[(self.wave.index_of(i.src[0]) + 1) & 511]
        } else {
            first
        };
        std::array::from_fn(|l| {
            let index = if i.mode & 2 != 0 { first[l] } else { 0 }.wrapping_add(if add_tid {
                l as u32
            } else {
                0
            });
            let offset = (if i.mode & 1 != 0 { second[l] } else { 0 }).wrapping_add(i.imm as u32);
            // Raw buffers range over bytes, structured ones over records.
            let inside = if stride == 0 || !swizzle && i.mode & 2 == 0 {
                add_tid || offset.wrapping_add(soffset) < records
            } else {
                index < records
            };
            if !inside {
                return Place::Nowhere;
            }
            let at = if swizzle {
                let (hi, lo) = (index / index_stride, index % index_stride);
                let (ohi, olo) = (offset / element, offset % element);
                (hi as u64 * stride as u64 + ohi as u64 * element as u64) * index_stride as u64
                    + (lo * element + olo) as u64
            } else {
                stride as u64 * index as u64 + offset as u64
            };
            Place::Memory(base + soffset as u64 + at)
        })
    }

    /// The address of a byte of a lane's scratch: words of the lanes lie side by side.
    fn scratch_address(&self, lane: usize, offset: u32) -> u64 {
        let lanes = if self.wave.is_64() { 64 } else { 32 };
        self.wave.scratch + (offset as u64 / 4) * 4 * lanes + lane as u64 * 4 + offset as u64 % 4
    }

    #[cold]
    fn outside(
        &self,
        i: &Inst,
        lane: usize,
        what: &'static str,
        bytes: usize,
        target: u64,
    ) -> Box<Error> {
        Box::new(Error::OutOfBounds {
            address: self.pc.wrapping_sub(self.report.code_base),
            text: self.text(i),
            lane: lane as u32,
            what,
            bytes: bytes as u32,
            target,
        })
    }

    /// Reads for a lane; says whether all of it was written.
    #[inline]
    fn load_lane(
        &mut self,
        i: &Inst,
        lane: usize,
        place: Place,
        out: &mut [u8],
    ) -> Result<bool, Box<Error>> {
        match place {
            Place::Memory(a) => match self.memory.read(a, out) {
                Some(true) => Ok(true),
                Some(false) if i.family() == Family::Mubuf => Ok(false),
                Some(false) => {
                    if self.report.enabled {
                        self.finding(
                            Check::Unwritten,
                            i,
                            1 << lane,
                            format!("lane {lane} reads memory at {a:#x}, which was never written"),
                        );
                    }
                    Ok(true)
                }
                None => Err(self.outside(i, lane, "reads", out.len(), a)),
            },
            Place::Lds(at) => {
                self.lds_read(i, lane, at, out);
                Ok(true)
            }
            Place::Scratch(offset) => {
                let mut whole = true;
                for (k, c) in out.chunks_mut(4).enumerate() {
                    let o = offset.wrapping_add(4 * k as u32);
                    if o as u64 + c.len() as u64 > self.kernel.scratch as u64 {
                        return Err(self.outside(
                            i,
                            lane,
                            "reads",
                            c.len(),
                            PRIVATE_APERTURE | o as u64,
                        ));
                    }
                    let a = self.scratch_address(lane, o);
                    whole &= self
                        .memory
                        .read(a, c)
                        .ok_or_else(|| self.outside(i, lane, "reads", c.len(), a))?;
                }
                Ok(whole)
            }
            Place::Nowhere => {
                out.fill(0);
                Ok(true)
            }
        }
    }

    #[inline]
    fn store_lane(
        &mut self,
        i: &Inst,
        lane: usize,
        place: Place,
        bytes: &[u8],
        mark: bool,
    ) -> Done {
        match place {
            Place::Memory(a) => self
                .memory
                .write(a, bytes, mark)
                .ok_or_else(|| self.outside(i, lane, "writes", bytes.len(), a)),
            Place::Lds(at) => {
                self.lds_write(i, lane, at, bytes);
                Ok(())
            }
            Place::Scratch(offset) => {
                for (k, c) in bytes.chunks(4).enumerate() {
                    let o = offset.wrapping_add(4 * k as u32);
                    if o as u64 + c.len() as u64 > self.kernel.scratch as u64 {
                        return Err(self.outside(
                            i,
                            lane,
                            "writes",
                            c.len(),
                            PRIVATE_APERTURE | o as u64,
                        ));
                    }
                    let a = self.scratch_address(lane, o);
                    self.memory
                        .write(a, c, mark)
                        .ok_or_else(|| self.outside(i, lane, "writes", c.len(), a))?;
                }
                Ok(())
            }
            Place::Nowhere => Ok(()),
        }
    }

    fn count_access(&mut self, i: &Inst, exec: u64, at: &[Place; 64], bytes: usize) {
        if i.family() == Family::Scratch {
            self.report.counts.scratch += 1;
            return;
        }
        self.report.counts.global += 1;
        let mut lines = [0u64; 128];
        let mut n = 0;
        for l in lanes(exec) {
            if let Place::Memory(a) = at[l] {
                for line in [a >> 7, a.wrapping_add(bytes as u64 - 1) >> 7] {
                    if n == 0 || lines[n - 1] != line {
                        lines[n] = line;
                        n += 1;
                    }
                }
            }
        }
        let found = &mut lines[..n];
        if !found.is_sorted() {
            found.sort_unstable();
        }
        self.report.counts.lines += found.chunk_by(|a, b| a == b).count() as u64;
    }

    /// Which counters a vector memory operation raises.
    fn vmem_issue(&mut self, i: &Inst, store: bool) {
        let memory = if store && self.generation > 9 { Counter::Store } else { Counter::Load };
        let registers =
            if store { None } else { i.writes.iter().find(|s| s.first >= operand::VGPR).copied() };
        if i.family() == Family::Flat {
            self.issue(&[memory, Counter::Lds], true, registers, Vec::new());
        } else {
            self.issue(&[memory], false, registers, Vec::new());
        }
    }
}

fn load<const BYTES: usize>(m: &mut Machine<'_>, i: &Inst) -> Done {
    let exec = m.exec();
    let at = m.places(i);
    m.count_access(i, exec, &at, BYTES);
    let words = BYTES / 4;
    let mut out = [[0u32; 64]; 4];
    let mut blank = 0u64;
    for l in lanes(exec) {
        let mut b = [0u8; BYTES];
        if !m.load_lane(i, l, at[l], &mut b)? {
            blank |= 1 << l;
        }
        for k in 0..words {
            out[k][l] = u32::from_le_bytes([b[4 * k], b[4 * k + 1], b[4 * k + 2], b[4 * k + 3]]);
        }
    }
    for (k, o) in out.iter().enumerate().take(words) {
        put_loaded(m, i.dst + k as u16, o, exec, blank);
    }
    m.vmem_issue(i, false);
    Ok(())
}

/// Lanes of scratch that were never written leave the register as never written.
fn put_loaded(m: &mut Machine<'_>, code: u16, v: &[u32; 64], exec: u64, blank: u64) {
    m.put(code, v, exec);
    if blank != 0 {
        let n = m.wave.index_of(code);
        m.wave.written[n] &= !blank;
    }
}

fn load_small<const BYTES: usize, const SIGNED: bool, const PART: u8>(
    m: &mut Machine<'_>,
    i: &Inst,
) -> Done {
    let exec = m.exec();
    let at = m.places(i);
    m.count_access(i, exec, &at, BYTES);
    let mut out = m.wave.vgpr[m.wave.index_of(i.dst)];
    let mut blank = 0u64;
    for l in lanes(exec) {
        let mut b = [0u8; 4];
        if !m.load_lane(i, l, at[l], &mut b[..BYTES])? {
            blank |= 1 << l;
        }
        out[l] = place(u32::from_le_bytes(b), BYTES, SIGNED, PART, out[l]);
    }
    put_loaded(m, i.dst, &out, exec, blank);
    m.vmem_issue(i, false);
    Ok(())
}

fn store<const BYTES: usize, const HIGH: bool>(m: &mut Machine<'_>, i: &Inst) -> Done {
    let exec = m.exec();
    let at = m.places(i);
    m.count_access(i, exec, &at, BYTES);
    let data = if i.family() == Family::Mubuf { i.dst } else { i.src[1] };
    let first = m.wave.index_of(data);
    for l in lanes(exec) {
        let mut b = [0u8; 16];
        let mut written = true;
        for k in 0..BYTES.div_ceil(4) {
            let n = (first + k) & 511;
            let v = m.wave.vgpr[n][l];
            written &= m.wave.written[n] >> l & 1 == 1;
            b[4 * k..4 * k + 4].copy_from_slice(&(if HIGH { v >> 16 } else { v }).to_le_bytes());
        }
        // Registers are saved to scratch, and copied there, whether they hold something or not.
        let private = i.family() == Family::Mubuf || matches!(at[l], Place::Scratch(_));
        if !written && !private && m.report.enabled {
            m.finding(
                Check::Unwritten,
                i,
                1 << l,
                format!("lane {l} stores a register that was never written"),
            );
        }
        m.store_lane(i, l, at[l], &b[..BYTES], written || !private)?;
    }
    m.vmem_issue(i, true);
    Ok(())
}

fn atomic<const OP: usize>(m: &mut Machine<'_>, i: &Inst) -> Done {
    let (_, op, size) = NAMES[OP];
    let exec = m.exec();
    let at = m.places(i);
    m.count_access(i, exec, &at, size);
    m.report.counts.atomics += 1;
    let data = if i.family() == Family::Mubuf { i.dst } else { i.src[1] };
    let n = m.wave.index_of(data);
    let mut out = [[0u32; 64]; 2];
    for l in lanes(exec) {
        let word = |m: &Machine<'_>, k: usize| {
            let lo = m.wave.vgpr[(n + k * size / 4) & 511][l] as u64;
            if size == 8 { lo | (m.wave.vgpr[(n + 2 * k + 1) & 511][l] as u64) << 32 } else { lo }
        };
        let (value, compare) = (word(m, 0), if op == Atomic::CompareSwap { word(m, 1) } else { 0 });
        let old = if let Place::Lds(a) = at[l] {
            m.lds_atomic(i, l, a, op, size, value, compare)
        } else {
            let mut b = [0u8; 8];
            m.load_lane(i, l, at[l], &mut b[..size])?;
            let old = u64::from_le_bytes(b);
            m.store_lane(
                i,
                l,
                at[l],
                &apply(op, size, old, value, compare).to_le_bytes()[..size],
                true,
            )?;
            old
        };
        out[0][l] = old as u32;
        out[1][l] = (old >> 32) as u32;
    }
    if i.returns {
        for (k, o) in out.iter().enumerate().take(size / 4) {
            m.put(i.dst + k as u16, o, exec);
        }
    }
    m.vmem_issue(i, !i.returns);
    Ok(())
}

fn cache(_: &mut Machine<'_>, _: &Inst) -> Done {
    Ok(())
}

const OPS: &[(&str, Exec)] = &[
    ("load_dword", load::<4>),
    ("load_dwordx2", load::<8>),
    ("load_dwordx3", load::<12>),
    ("load_dwordx4", load::<16>),
    ("load_ubyte", load_small::<1, false, 0>),
    ("load_sbyte", load_small::<1, true, 0>),
    ("load_ushort", load_small::<2, false, 0>),
    ("load_sshort", load_small::<2, true, 0>),
    ("load_ubyte_d16", load_small::<1, false, 1>),
    ("load_ubyte_d16_hi", load_small::<1, false, 2>),
    ("load_sbyte_d16", load_small::<1, true, 1>),
    ("load_sbyte_d16_hi", load_small::<1, true, 2>),
    ("load_short_d16", load_small::<2, false, 1>),
    ("load_short_d16_hi", load_small::<2, false, 2>),
    ("store_byte", store::<1, false>),
    ("store_byte_d16_hi", store::<1, true>),
    ("store_short", store::<2, false>),
    ("store_short_d16_hi", store::<2, true>),
    ("store_dword", store::<4, false>),
    ("store_dwordx2", store::<8, false>),
    ("store_dwordx3", store::<12, false>),
    ("store_dwordx4", store::<16, false>),
    // Caches are not modelled: every access sees memory as it is.
    ("wbl2", cache),
    ("inv", cache),
    ("invl2", cache),
    ("wbinvl1", cache),
    ("wbinvl1_vol", cache),
    ("gl0_inv", cache),
    ("gl1_inv", cache),
    ("wb", cache),
    ("wbinv", cache),
];

/// Atomics by their index in [`NAMES`].
const ATOMICS: [Exec; NAMES.len()] = table!(atomic);

/// What a vector memory operation does.
pub(super) fn lookup(name: &str) -> Option<Exec> {
    let rest =
        ["global_", "flat_", "scratch_", "buffer_"].iter().find_map(|p| name.strip_prefix(p))?;
    if let Some(op) = rest.strip_prefix("atomic_") {
        return NAMES.iter().position(|(n, ..)| *n == op).map(|k| ATOMICS[k]);
    }
    OPS.iter().find(|(n, _)| *n == rest).map(|(_, e)| *e)
}
