//! Integer and bit operations of the vector ALU (MI300 ISA §12.7–12.11, RDNA3 ISA §16.7–16.12).

use super::fetch::Kind;
use super::machine::{Done, Exec, Machine};
use super::{L32, lanes};
use crate::isa::{Inst, operand};

#[inline]
fn un(m: &mut Machine<'_>, i: &Inst, f: impl Fn(u32) -> u32) -> Done {
    let mut a = [0; 64];
    let a = m.src(i, 0, &mut a);
    let out: L32 = std::array::from_fn(|l| f(a[l]));
    m.write(i, &out);
    Ok(())
}

#[inline]
fn bin(m: &mut Machine<'_>, i: &Inst, f: impl Fn(u32, u32) -> u32) -> Done {
    let (mut a, mut b) = ([0; 64], [0; 64]);
    let (a, b) = (m.src(i, 0, &mut a), m.src(i, 1, &mut b));
    let out: L32 = std::array::from_fn(|l| f(a[l], b[l]));
    m.write(i, &out);
    Ok(())
}

/// As [`bin`], where CLAMP saturates: `wide` gives the exact result.
fn bin_sat(
    m: &mut Machine<'_>,
    i: &Inst,
    signed: bool,
    f: impl Fn(u32, u32) -> u32,
    wide: impl Fn(i64, i64) -> i64,
) -> Done {
    if !i.clamp {
        return bin(m, i, f);
    }
    if signed {
        bin(m, i, |a, b| {
            wide(a as i32 as i64, b as i32 as i64).clamp(i32::MIN as i64, i32::MAX as i64) as u32
        })
    } else {
        bin(m, i, |a, b| wide(a as i64, b as i64).clamp(0, u32::MAX as i64) as u32)
    }
}

#[inline]
fn tri(m: &mut Machine<'_>, i: &Inst, f: impl Fn(u32, u32, u32) -> u32) -> Done {
    let (mut a, mut b, mut c) = ([0; 64], [0; 64], [0; 64]);
    let (a, b, c) = (m.src(i, 0, &mut a), m.src(i, 1, &mut b), m.src(i, 2, &mut c));
    let out: L32 = std::array::from_fn(|l| f(a[l], b[l], c[l]));
    m.write(i, &out);
    Ok(())
}

fn short(m: &mut Machine<'_>, i: &Inst, n: usize, f: impl Fn(u16, u16, u16) -> u16) -> Done {
    let a = m.src16(i, 0, Kind::Short);
    let b = if n > 1 { m.src16(i, 1, Kind::Short) } else { [0; 64] };
    let c = if n > 2 { m.src16(i, 2, Kind::Short) } else { [0; 64] };
    let out: L32 = std::array::from_fn(|l| f(a[l] as u16, b[l] as u16, c[l] as u16) as u32);
    m.write16(i, &out);
    Ok(())
}

/// 16-bit arithmetic with CLAMP.
fn short_sat(
    m: &mut Machine<'_>,
    i: &Inst,
    n: usize,
    signed: bool,
    f: impl Fn(i64, i64, i64) -> i64,
) -> Done {
    let (clamp, lo, hi) = if signed {
        (i.clamp, i16::MIN as i64, i16::MAX as i64)
    } else {
        (i.clamp, 0, u16::MAX as i64)
    };
    let w = |x: u16| if signed { x as i16 as i64 } else { x as i64 };
    short(m, i, n, |a, b, c| {
        let r = f(w(a), w(b), w(c));
        if clamp { r.clamp(lo, hi) as u16 } else { r as u16 }
    })
}

/// 64-bit result of a 32-bit and a 64-bit source, the shifts.
fn shift64(m: &mut Machine<'_>, i: &Inst, f: impl Fn(u32, u64) -> u64) -> Done {
    let mut a = [0; 64];
    let a = *m.src(i, 0, &mut a);
    let b = m.src64(i, 1, false);
    m.write64(i, &std::array::from_fn(|l| f(a[l], b[l])));
    Ok(())
}

/// Carry in from a mask, carry out to a mask.
fn carry(m: &mut Machine<'_>, i: &Inst, with_in: bool, f: impl Fn(u64, u64, u64) -> u64) -> Done {
    let (mut a, mut b) = ([0; 64], [0; 64]);
    let (a, b) = (*m.src(i, 0, &mut a), *m.src(i, 1, &mut b));
    let cin = match (with_in, i.src[2]) {
        (false, _) => 0,
        (true, operand::NONE) => m.vcc(),
        (true, code) => m.mask(code),
    };
    let wide: [u64; 64] = std::array::from_fn(|l| f(a[l] as u64, b[l] as u64, cin >> l & 1));
    let en = m.enabled(i);
    // Bit 32 is the carry of a sum and the borrow of a difference.
    let cout = super::mask_of(|l| wide[l] >> 32 & 1 == 1) & en;
    let out: L32 = std::array::from_fn(|l| {
        if i.clamp && cout >> l & 1 == 1 {
            if i.mnemonic().contains("sub") { 0 } else { u32::MAX }
        } else {
            wide[l] as u32
        }
    });
    m.write(i, &out);
    m.set_mask(if i.sdst == operand::NONE { operand::VCC } else { i.sdst }, cout);
    Ok(())
}

fn mad64(m: &mut Machine<'_>, i: &Inst, signed: bool) -> Done {
    let (mut a, mut b) = ([0; 64], [0; 64]);
    let (a, b) = (*m.src(i, 0, &mut a), *m.src(i, 1, &mut b));
    let c = m.src64(i, 2, false);
    let wide: [i128; 64] = std::array::from_fn(|l| {
        if signed {
            a[l] as i32 as i128 * b[l] as i32 as i128 + c[l] as i64 as i128
        } else {
            a[l] as i128 * b[l] as i128 + c[l] as i128
        }
    });
    let en = m.exec();
    m.write64(i, &wide.map(|w| w as u64));
    m.set_mask(
        i.sdst,
        super::mask_of(|l| {
            if signed { wide[l] != wide[l] as i64 as i128 } else { wide[l] >> 64 & 1 == 1 }
        }) & en,
    );
    Ok(())
}

fn cndmask(m: &mut Machine<'_>, i: &Inst) -> Done {
    let half = i.mnemonic().ends_with("b16");
    let mask = if i.src[2] == operand::NONE { m.vcc() } else { m.mask(i.src[2]) };
    let modify = |v: &L32, k: usize| -> L32 {
        let (neg, abs) = (i.neg >> k & 1, i.abs >> k & 1);
        v.map(|x| (if abs == 1 { x & 0x7fff_ffff } else { x }) ^ (neg as u32 * 0x8000_0000))
    };
    if half {
        let (a, b) = (m.src16(i, 0, Kind::Short), m.src16(i, 1, Kind::Short));
        m.write16(i, &std::array::from_fn(|l| if mask >> l & 1 == 1 { b[l] } else { a[l] }));
        return Ok(());
    }
    let (mut a, mut b) = ([0; 64], [0; 64]);
    let (a, b) = (m.src(i, 0, &mut a), m.src(i, 1, &mut b));
    let blank = |k: usize| {
        if i.src[k] >= operand::VGPR && !i.is_dpp() {
            !m.wave.written[m.wave.index_of(i.src[k])]
        } else {
            0
        }
    };
    let blank = blank(0) & !mask | blank(1) & mask;
    let (mut out, b) = if i.neg | i.abs != 0 { (modify(a, 0), modify(b, 1)) } else { (*a, *b) };
    super::blend(&mut out, &b, mask);
    m.write(i, &out);
    // Choosing a value that was never written writes none.
    let n = m.wave.index_of(i.dst);
    m.wave.written[n] &= !(blank & m.exec());
    Ok(())
}

fn mbcnt(m: &mut Machine<'_>, i: &Inst, high: bool) -> Done {
    bin_lane(m, i, |l, a, b| {
        let below = match (high, l) {
            (false, 32..) => u32::MAX,
            (false, _) => (1u32 << l) - 1,
            (true, ..32) => 0,
            (true, _) => (1u32 << (l - 32)) - 1,
        };
        b.wrapping_add((a & below).count_ones())
    })
}

fn bin_lane(m: &mut Machine<'_>, i: &Inst, f: impl Fn(usize, u32, u32) -> u32) -> Done {
    let (mut a, mut b) = ([0; 64], [0; 64]);
    let (a, b) = (m.src(i, 0, &mut a), m.src(i, 1, &mut b));
    let out: L32 = std::array::from_fn(|l| f(l, a[l], b[l]));
    m.write(i, &out);
    Ok(())
}

/// `V_PERM_B32`: bytes of `a:b` by the selector bytes of `c`.
fn perm(a: u32, b: u32, c: u32) -> u32 {
    let all = (a as u64) << 32 | b as u64;
    (0..4).fold(0, |out, k| {
        let s = c >> (8 * k) & 0xff;
        let byte = match s {
            0..=7 => (all >> (8 * s)) as u8,
            8..=11 => [(b >> 15), (b >> 31), (a >> 15), (a >> 31)][s as usize - 8] as u8 & 1,
            12 => 0,
            _ => 0xff,
        };
        let byte = if (8..=11).contains(&s) { byte.wrapping_neg() } else { byte };
        out | (byte as u32) << (8 * k)
    })
}

fn bytes(a: u32, b: u32, f: impl Fn(u32, u32) -> u32) -> u32 {
    (0..4).map(|k| f(a >> (8 * k) & 0xff, b >> (8 * k) & 0xff)).sum()
}

fn swap(m: &mut Machine<'_>, i: &Inst) -> Done {
    let en = m.exec();
    let (d, s) = (m.wave.index_of(i.dst), m.wave.index_of(i.src[0]));
    for l in lanes(en) {
        let t = m.wave.vgpr[d][l];
        m.wave.vgpr[d][l] = m.wave.vgpr[s][l];
        m.wave.vgpr[s][l] = t;
    }
    Ok(())
}

fn mov(m: &mut Machine<'_>, i: &Inst) -> Done {
    let en = m.enabled(i);
    let d = m.wave.index_of(i.dst);
    let before = m.wave.written[d];
    un(m, i, |a| a)?;
    // A move of a value that was never written writes none.
    if i.src[0] >= operand::VGPR && !i.is_dpp() {
        let s = m.wave.index_of(i.src[0]);
        let from = if s == d { before } else { m.wave.written[s] };
        m.wave.written[d] = before & !en | from & en;
    } else if i.src[0] < 106 && m.wave.scalar_written >> i.src[0] & 1 == 0 {
        m.wave.written[d] &= !en;
    }
    Ok(())
}

fn mov64(m: &mut Machine<'_>, i: &Inst) -> Done {
    let v = m.src64(i, 0, false);
    m.write64(i, &v);
    Ok(())
}

const fn i24(x: u32) -> i32 {
    ((x << 8) as i32) >> 8
}

fn clz(x: u32) -> u32 {
    if x == 0 { u32::MAX } else { x.leading_zeros() }
}

fn cls(x: u32) -> u32 {
    let n = (x ^ ((x as i32) >> 31) as u32).leading_zeros();
    if n == 32 { u32::MAX } else { n }
}

fn med3<T: Ord + Copy>(a: T, b: T, c: T) -> T {
    a.max(b).min(a.min(b).max(c))
}

pub(super) const OPS: &[(&str, Exec)] = &[
    ("v_nop", |_, _| Ok(())),
    ("v_pipeflush", |_, _| Ok(())),
    ("v_mov_b32", mov),
    ("v_mov_b64", mov64),
    ("v_accvgpr_read_b32", mov),
    ("v_accvgpr_write_b32", mov),
    ("v_accvgpr_mov_b32", mov),
    ("v_swap_b32", swap),
    ("v_not_b32", |m, i| un(m, i, |a| !a)),
    ("v_bfrev_b32", |m, i| un(m, i, u32::reverse_bits)),
    ("v_ffbh_u32", |m, i| un(m, i, clz)),
    ("v_ffbl_b32", |m, i| un(m, i, |a| if a == 0 { u32::MAX } else { a.trailing_zeros() })),
    ("v_ffbh_i32", |m, i| un(m, i, cls)),
    ("v_sat_pk_u8_i16", |m, i| {
        let mut a = [0; 64];
        let a = *m.src(i, 0, &mut a);
        let s = |x: u32| (x as i16).clamp(0, 255) as u32;
        m.write16(i, &a.map(|x| s(x) | s(x >> 16) << 8));
        Ok(())
    }),
    ("v_cndmask_b32", cndmask),
    ("v_cndmask_b16", cndmask),
    ("v_and_b32", |m, i| bin(m, i, |a, b| a & b)),
    ("v_or_b32", |m, i| bin(m, i, |a, b| a | b)),
    ("v_xor_b32", |m, i| bin(m, i, |a, b| a ^ b)),
    ("v_xnor_b32", |m, i| bin(m, i, |a, b| !(a ^ b))),
    ("v_add_u32", |m, i| bin_sat(m, i, false, u32::wrapping_add, |a, b| a + b)),
    ("v_sub_u32", |m, i| bin_sat(m, i, false, u32::wrapping_sub, |a, b| a - b)),
    ("v_subrev_u32", |m, i| bin_sat(m, i, false, |a, b| b.wrapping_sub(a), |a, b| b - a)),
    ("v_add_i32", |m, i| bin_sat(m, i, true, u32::wrapping_add, |a, b| a + b)),
    ("v_sub_i32", |m, i| bin_sat(m, i, true, u32::wrapping_sub, |a, b| a - b)),
    ("v_mul_lo_u32", |m, i| bin(m, i, u32::wrapping_mul)),
    ("v_mul_hi_u32", |m, i| bin(m, i, |a, b| ((a as u64 * b as u64) >> 32) as u32)),
    ("v_mul_hi_i32", |m, i| bin(m, i, |a, b| ((a as i32 as i64 * b as i32 as i64) >> 32) as u32)),
    ("v_mul_u32_u24", |m, i| bin(m, i, |a, b| (a & 0xff_ffff).wrapping_mul(b & 0xff_ffff))),
    ("v_mul_i32_i24", |m, i| bin(m, i, |a, b| i24(a).wrapping_mul(i24(b)) as u32)),
    ("v_mul_hi_u32_u24", |m, i| {
        bin(m, i, |a, b| (((a & 0xff_ffff) as u64 * (b & 0xff_ffff) as u64) >> 32) as u32)
    }),
    ("v_mul_hi_i32_i24", |m, i| bin(m, i, |a, b| ((i24(a) as i64 * i24(b) as i64) >> 32) as u32)),
    ("v_min_i32", |m, i| bin(m, i, |a, b| (a as i32).min(b as i32) as u32)),
    ("v_max_i32", |m, i| bin(m, i, |a, b| (a as i32).max(b as i32) as u32)),
    ("v_min_u32", |m, i| bin(m, i, u32::min)),
    ("v_max_u32", |m, i| bin(m, i, u32::max)),
    ("v_lshrrev_b32", |m, i| bin(m, i, |a, b| b >> (a & 31))),
    ("v_lshlrev_b32", |m, i| bin(m, i, |a, b| b << (a & 31))),
    ("v_ashrrev_i32", |m, i| bin(m, i, |a, b| ((b as i32) >> (a & 31)) as u32)),
    ("v_lshlrev_b64", |m, i| shift64(m, i, |a, b| b << (a & 63))),
    ("v_lshrrev_b64", |m, i| shift64(m, i, |a, b| b >> (a & 63))),
    ("v_ashrrev_i64", |m, i| shift64(m, i, |a, b| ((b as i64) >> (a & 63)) as u64)),
    ("v_lshl_add_u64", |m, i| {
        let (a, c) = (m.src64(i, 0, false), m.src64(i, 2, false));
        let mut b = [0; 64];
        let b = *m.src(i, 1, &mut b);
        m.write64(i, &std::array::from_fn(|l| (a[l] << (b[l] & 7)).wrapping_add(c[l])));
        Ok(())
    }),
    ("v_bcnt_u32_b32", |m, i| bin(m, i, |a, b| a.count_ones().wrapping_add(b))),
    ("v_mbcnt_lo_u32_b32", |m, i| mbcnt(m, i, false)),
    ("v_mbcnt_hi_u32_b32", |m, i| mbcnt(m, i, true)),
    ("v_bfm_b32", |m, i| bin(m, i, |a, b| ((1u32 << (a & 31)) - 1) << (b & 31))),
    ("v_cvt_pk_u16_u32", |m, i| bin(m, i, |a, b| a.min(0xffff) | b.min(0xffff) << 16)),
    ("v_cvt_pk_i16_i32", |m, i| {
        let s = |x: u32| (x as i32).clamp(-32768, 32767) as u32 & 0xffff;
        bin(m, i, |a, b| s(a) | s(b) << 16)
    }),
    ("v_add_co_u32", |m, i| carry(m, i, false, |a, b, _| a + b)),
    ("v_sub_co_u32", |m, i| carry(m, i, false, |a, b, _| a.wrapping_sub(b))),
    ("v_subrev_co_u32", |m, i| carry(m, i, false, |a, b, _| b.wrapping_sub(a))),
    ("v_addc_co_u32", |m, i| carry(m, i, true, |a, b, c| a + b + c)),
    ("v_subb_co_u32", |m, i| carry(m, i, true, |a, b, c| a.wrapping_sub(b).wrapping_sub(c))),
    ("v_subbrev_co_u32", |m, i| carry(m, i, true, |a, b, c| b.wrapping_sub(a).wrapping_sub(c))),
    ("v_mad_u64_u32", |m, i| mad64(m, i, false)),
    ("v_mad_i64_i32", |m, i| mad64(m, i, true)),
    ("v_mad_u32_u24", |m, i| {
        tri(m, i, |a, b, c| (a & 0xff_ffff).wrapping_mul(b & 0xff_ffff).wrapping_add(c))
    }),
    ("v_mad_i32_i24", |m, i| {
        tri(m, i, |a, b, c| (i24(a).wrapping_mul(i24(b)) as u32).wrapping_add(c))
    }),
    ("v_mad_u32_u16", |m, i| wide16(m, i, |a, b| a * b)),
    ("v_mad_i32_i16", |m, i| wide16(m, i, |a, b| (a as i16 as i32 * b as i16 as i32) as u32)),
    ("v_bfe_u32", |m, i| tri(m, i, |a, b, c| (a >> (b & 31)) & ((1u32 << (c & 31)) - 1))),
    ("v_bfe_i32", |m, i| {
        tri(m, i, |a, b, c| {
            let n = c & 31;
            let x = (a >> (b & 31)) & ((1u32 << n) - 1);
            if n == 0 { 0 } else { (((x << (32 - n)) as i32) >> (32 - n)) as u32 }
        })
    }),
    ("v_bfi_b32", |m, i| tri(m, i, |a, b, c| a & b | !a & c)),
    ("v_alignbit_b32", |m, i| {
        tri(m, i, |a, b, c| (((a as u64) << 32 | b as u64) >> (c & 31)) as u32)
    }),
    ("v_alignbyte_b32", |m, i| {
        tri(m, i, |a, b, c| (((a as u64) << 32 | b as u64) >> (8 * (c & 3))) as u32)
    }),
    ("v_perm_b32", |m, i| tri(m, i, perm)),
    ("v_add3_u32", |m, i| tri(m, i, |a, b, c| a.wrapping_add(b).wrapping_add(c))),
    ("v_lshl_add_u32", |m, i| tri(m, i, |a, b, c| (a << (b & 31)).wrapping_add(c))),
    ("v_add_lshl_u32", |m, i| tri(m, i, |a, b, c| a.wrapping_add(b) << (c & 31))),
    ("v_lshl_or_b32", |m, i| tri(m, i, |a, b, c| a << (b & 31) | c)),
    ("v_and_or_b32", |m, i| tri(m, i, |a, b, c| a & b | c)),
    ("v_or3_b32", |m, i| tri(m, i, |a, b, c| a | b | c)),
    ("v_xor3_b32", |m, i| tri(m, i, |a, b, c| a ^ b ^ c)),
    ("v_xad_u32", |m, i| tri(m, i, |a, b, c| (a ^ b).wrapping_add(c))),
    ("v_min3_i32", |m, i| tri(m, i, |a, b, c| (a as i32).min(b as i32).min(c as i32) as u32)),
    ("v_max3_i32", |m, i| tri(m, i, |a, b, c| (a as i32).max(b as i32).max(c as i32) as u32)),
    ("v_med3_i32", |m, i| tri(m, i, |a, b, c| med3(a as i32, b as i32, c as i32) as u32)),
    ("v_min3_u32", |m, i| tri(m, i, |a, b, c| a.min(b).min(c))),
    ("v_max3_u32", |m, i| tri(m, i, |a, b, c| a.max(b).max(c))),
    ("v_med3_u32", |m, i| tri(m, i, med3)),
    ("v_maxmin_i32", |m, i| tri(m, i, |a, b, c| (a as i32).max(b as i32).min(c as i32) as u32)),
    ("v_minmax_i32", |m, i| tri(m, i, |a, b, c| (a as i32).min(b as i32).max(c as i32) as u32)),
    ("v_maxmin_u32", |m, i| tri(m, i, |a, b, c| a.max(b).min(c))),
    ("v_minmax_u32", |m, i| tri(m, i, |a, b, c| a.min(b).max(c))),
    ("v_sad_u8", |m, i| tri(m, i, |a, b, c| bytes(a, b, u32::abs_diff).wrapping_add(c))),
    ("v_sad_hi_u8", |m, i| tri(m, i, |a, b, c| (bytes(a, b, u32::abs_diff) << 16).wrapping_add(c))),
    ("v_msad_u8", |m, i| {
        tri(m, i, |a, b, c| {
            bytes(a, b, |x, y| if y == 0 { 0 } else { x.abs_diff(y) }).wrapping_add(c)
        })
    }),
    ("v_sad_u16", |m, i| {
        tri(m, i, |a, b, c| {
            (a & 0xffff)
                .abs_diff(b & 0xffff)
                .wrapping_add((a >> 16).abs_diff(b >> 16))
                .wrapping_add(c)
        })
    }),
    ("v_sad_u32", |m, i| tri(m, i, |a, b, c| a.abs_diff(b).wrapping_add(c))),
    ("v_lerp_u8", |m, i| {
        tri(m, i, |a, b, c| {
            (0..4).fold(0, |o, k| {
                o | (((a >> (8 * k) & 0xff) + (b >> (8 * k) & 0xff) + (c >> (8 * k) & 1)) >> 1)
                    << (8 * k)
            })
        })
    }),
    ("v_mov_b16", |m, i| short(m, i, 1, |a, _, _| a)),
    ("v_not_b16", |m, i| short(m, i, 1, |a, _, _| !a)),
    ("v_and_b16", |m, i| short(m, i, 2, |a, b, _| a & b)),
    ("v_or_b16", |m, i| short(m, i, 2, |a, b, _| a | b)),
    ("v_xor_b16", |m, i| short(m, i, 2, |a, b, _| a ^ b)),
    ("v_add_u16", |m, i| short_sat(m, i, 2, false, |a, b, _| a + b)),
    ("v_sub_u16", |m, i| short_sat(m, i, 2, false, |a, b, _| a - b)),
    ("v_subrev_u16", |m, i| short_sat(m, i, 2, false, |a, b, _| b - a)),
    ("v_add_i16", |m, i| short_sat(m, i, 2, true, |a, b, _| a + b)),
    ("v_sub_i16", |m, i| short_sat(m, i, 2, true, |a, b, _| a - b)),
    ("v_mul_lo_u16", |m, i| short_sat(m, i, 2, false, |a, b, _| a * b)),
    ("v_mad_u16", |m, i| short_sat(m, i, 3, false, |a, b, c| a * b + c)),
    ("v_mad_i16", |m, i| short_sat(m, i, 3, true, |a, b, c| a * b + c)),
    ("v_mad_legacy_u16", |m, i| short_sat(m, i, 3, false, |a, b, c| a * b + c)),
    ("v_mad_legacy_i16", |m, i| short_sat(m, i, 3, true, |a, b, c| a * b + c)),
    ("v_lshlrev_b16", |m, i| short(m, i, 2, |a, b, _| b << (a & 15))),
    ("v_lshrrev_b16", |m, i| short(m, i, 2, |a, b, _| b >> (a & 15))),
    ("v_ashrrev_i16", |m, i| short(m, i, 2, |a, b, _| ((b as i16) >> (a & 15)) as u16)),
    ("v_max_u16", |m, i| short(m, i, 2, |a, b, _| a.max(b))),
    ("v_min_u16", |m, i| short(m, i, 2, |a, b, _| a.min(b))),
    ("v_max_i16", |m, i| short(m, i, 2, |a, b, _| (a as i16).max(b as i16) as u16)),
    ("v_min_i16", |m, i| short(m, i, 2, |a, b, _| (a as i16).min(b as i16) as u16)),
    ("v_min3_u16", |m, i| short(m, i, 3, |a, b, c| a.min(b).min(c))),
    ("v_max3_u16", |m, i| short(m, i, 3, |a, b, c| a.max(b).max(c))),
    ("v_med3_u16", |m, i| short(m, i, 3, med3)),
    ("v_min3_i16", |m, i| short(m, i, 3, |a, b, c| (a as i16).min(b as i16).min(c as i16) as u16)),
    ("v_max3_i16", |m, i| short(m, i, 3, |a, b, c| (a as i16).max(b as i16).max(c as i16) as u16)),
    ("v_med3_i16", |m, i| short(m, i, 3, |a, b, c| med3(a as i16, b as i16, c as i16) as u16)),
    ("v_cvt_u32_u16", |m, i| {
        let a = m.src16(i, 0, Kind::Short);
        m.write(i, &a);
        Ok(())
    }),
    ("v_cvt_i32_i16", |m, i| {
        let a = m.src16(i, 0, Kind::Short);
        m.write(i, &a.map(|x| x as u16 as i16 as u32));
        Ok(())
    }),
];

fn wide16(m: &mut Machine<'_>, i: &Inst, f: impl Fn(u32, u32) -> u32) -> Done {
    let (a, b) = (m.src16(i, 0, Kind::Short), m.src16(i, 1, Kind::Short));
    let mut c = [0; 64];
    let c = *m.src(i, 2, &mut c);
    m.write(i, &std::array::from_fn(|l| f(a[l], b[l]).wrapping_add(c[l])));
    Ok(())
}
