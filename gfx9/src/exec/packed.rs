//! Packed and mixed-precision arithmetic: VOP3P (MI300 ISA §6.7, RDNA3 ISA §7.5).

use super::f16::{clamp, minmax};
use super::fetch::Kind;
use super::machine::{Done, Exec, F16, Machine};
use super::round::{Round, add_odd, from16, to16, to32};
use super::{L32, L64};
use crate::isa::{Inst, operand};

/// The halves of source `k` that the low and the high result use.
fn halves(m: &Machine<'_>, i: &Inst, k: usize, kind: Kind) -> (L32, L32) {
    let code = i.src[k];
    let mut buf = [0; 64];
    let v = match code {
        240..=248 if kind == Kind::Half => [F16[code as usize - 240] as u32; 64],
        _ => *m.src(i, k, &mut buf),
    };
    let pick = |high: bool, neg: bool| {
        v.map(|x| {
            (x >> if high { 16 } else { 0 } & 0xffff)
                ^ if neg && kind == Kind::Half { 0x8000 } else { 0 }
        })
    };
    (
        pick(i.op_sel >> k & 1 == 1, i.neg >> k & 1 == 1),
        pick(i.op_sel_hi >> k & 1 == 1, i.abs >> k & 1 == 1),
    )
}

fn packed(
    m: &mut Machine<'_>,
    i: &Inst,
    n: usize,
    kind: Kind,
    f: impl Fn(u32, u32, u32) -> u32,
) -> Done {
    let zero = ([0; 64], [0; 64]);
    let a = halves(m, i, 0, kind);
    let b = halves(m, i, 1, kind);
    let c = if n > 2 { halves(m, i, 2, kind) } else { zero };
    let out = std::array::from_fn(|l| {
        f(a.0[l], b.0[l], c.0[l]) & 0xffff | f(a.1[l], b.1[l], c.1[l]) << 16
    });
    m.write(i, &out);
    Ok(())
}

fn float(m: &mut Machine<'_>, i: &Inst, n: usize, f: impl Fn(f64, f64, f64) -> f64) -> Done {
    let r = Round::half_double(m.wave.mode);
    let flush = m.wave.mode >> 6 & 1 == 0;
    let read = |x: u32| if flush && x & 0x7c00 == 0 { from16(x & 0x8000) } else { from16(x) };
    let (limit, nan_is_zero) = (i.clamp, m.generation == 12 || m.wave.mode >> 8 & 1 == 1);
    packed(m, i, n, Kind::Half, |a, b, c| {
        let x = to16(f(read(a), read(b), read(c)), r);
        if limit { clamp(x, nan_is_zero) } else { x }
    })
}

fn integer(
    m: &mut Machine<'_>,
    i: &Inst,
    n: usize,
    signed: bool,
    f: impl Fn(i64, i64, i64) -> i64,
) -> Done {
    let w = |x: u32| if signed { x as u16 as i16 as i64 } else { x as i64 };
    let (clamp, lo, hi) = (
        i.clamp,
        if signed { i16::MIN as i64 } else { 0 },
        if signed { i16::MAX as i64 } else { u16::MAX as i64 },
    );
    packed(m, i, n, Kind::Short, |a, b, c| {
        let r = f(w(a), w(b), w(c));
        if clamp { r.clamp(lo, hi) as u32 } else { r as u32 }
    })
}

fn min_max(m: &mut Machine<'_>, i: &Inst, max: bool) -> Done {
    let ieee = m.generation == 12 || m.wave.mode >> 9 & 1 == 1;
    packed(m, i, 2, Kind::Half, |a, b, _| minmax(a, b, max, ieee))
}

/// A source of `v_fma_mix_*`: a single, or a half of a register (OP_SEL_HI chooses).
fn mix_source(m: &Machine<'_>, i: &Inst, k: usize) -> [f64; 64] {
    let (half, high) = (i.op_sel_hi >> k & 1 == 1, i.op_sel >> k & 1 == 1);
    let (neg, abs) = (i.neg >> k & 1 == 1, i.abs >> k & 1 == 1);
    let code = i.src[k];
    let mut buf = [0; 64];
    let v = match code {
        240..=248 if half => [F16[code as usize - 240] as u32; 64],
        _ => *m.raw(code, i.literal, &mut buf),
    };
    let flush = m.wave.mode >> 4 & 1 == 0;
    v.map(|x| {
        let mut f = if half {
            from16(if high { x >> 16 } else { x & 0xffff })
        } else if flush && x & 0x7f80_0000 == 0 {
            f32::from_bits(x & 0x8000_0000) as f64
        } else {
            f32::from_bits(x) as f64
        };
        if abs {
            f = f.abs();
        }
        if neg { -f } else { f }
    })
}

fn mix(m: &mut Machine<'_>, i: &Inst, place: Option<bool>) -> Done {
    let (a, b, c) = (mix_source(m, i, 0), mix_source(m, i, 1), mix_source(m, i, 2));
    let single = Round::single(m.wave.mode);
    let half = Round::half_double(m.wave.mode);
    let old = m.wave.vgpr[m.wave.index_of(i.dst)];
    let nan_is_zero = m.generation == 12 || m.wave.mode >> 8 & 1 == 1;
    let out: L32 = std::array::from_fn(|l| {
        let sum = add_odd(a[l] * b[l], c[l]);
        let to_half = || {
            let x = to16(sum, half);
            if i.clamp { clamp(x, nan_is_zero) } else { x }
        };
        match place {
            None if i.clamp => (f32::from_bits(to32(sum, single)).clamp(0.0, 1.0) + 0.0).to_bits(),
            None => to32(sum, single),
            Some(false) => old[l] & 0xffff_0000 | to_half(),
            Some(true) => old[l] & 0xffff | to_half() << 16,
        }
    });
    m.write(i, &out);
    Ok(())
}

/// Two singles in a pair of registers; OP_SEL chooses the register of each half.
fn pair_source(m: &Machine<'_>, i: &Inst, k: usize) -> (L32, L32) {
    let code = i.src[k];
    let (lo, hi): (L32, L32) = if code >= operand::VGPR {
        let n = m.wave.index_of(code);
        (m.wave.vgpr[n], m.wave.vgpr[(n + 1) & 511])
    } else if code < 128 {
        let v = m.scalar64(code, i.literal);
        ([v as u32; 64], [(v >> 32) as u32; 64])
    } else {
        // A constant is both halves' low register; the high one is 0 for integers, the same for floats is not promised.
        ([m.scalar(code, i.literal); 64], [m.scalar(code, i.literal); 64])
    };
    let pick = |high: bool, neg: bool| if high { hi } else { lo }.map(|x| x ^ (neg as u32) << 31);
    (
        pick(i.op_sel >> k & 1 == 1, i.neg >> k & 1 == 1),
        pick(i.op_sel_hi >> k & 1 == 1, i.abs >> k & 1 == 1),
    )
}

fn pair(m: &mut Machine<'_>, i: &Inst, n: usize, f: impl Fn(f64, f64, f64) -> f64) -> Done {
    let a = pair_source(m, i, 0);
    let b = pair_source(m, i, 1);
    let c = if n > 2 { pair_source(m, i, 2) } else { ([0; 64], [0; 64]) };
    let r = Round::single(m.wave.mode);
    let flush = m.wave.mode >> 4 & 1 == 0;
    let v = |x: u32| {
        f32::from_bits(if flush && x & 0x7f80_0000 == 0 { x & 0x8000_0000 } else { x }) as f64
    };
    let one = |a: u32, b: u32, c: u32| {
        let x = to32(f(v(a), v(b), v(c)), r);
        if i.clamp { (f32::from_bits(x).clamp(0.0, 1.0) + 0.0).to_bits() } else { x }
    };
    let out: L64 = std::array::from_fn(|l| {
        one(a.0[l], b.0[l], c.0[l]) as u64 | (one(a.1[l], b.1[l], c.1[l]) as u64) << 32
    });
    m.write64(i, &out);
    Ok(())
}

/// `V_PK_MOV_B32`: the low result is source 0's chosen register, the high one source 1's.
fn pk_mov(m: &mut Machine<'_>, i: &Inst) -> Done {
    let (a, b) = (pair_source(m, i, 0), pair_source(m, i, 1));
    let en = m.exec();
    // OP_SEL bit 0 chooses for the low result, OP_SEL bit 1 for the high one.
    let (lo, hi) = (a.0, b.0);
    m.put(i.dst, &lo, en);
    m.put(i.dst + 1, &hi, en);
    Ok(())
}

/// Dot product of two halves; `accumulate`: the addend is the destination.
pub(super) fn dot2_f16(m: &mut Machine<'_>, i: &Inst, accumulate: bool) -> Done {
    let mut buf = [0; 64];
    let (a, b) = if accumulate {
        let mut tmp = [0; 64];
        let a = *m.src(i, 0, &mut tmp);
        let b = *m.src(i, 1, &mut buf);
        ((a.map(|x| x & 0xffff), a.map(|x| x >> 16)), (b.map(|x| x & 0xffff), b.map(|x| x >> 16)))
    } else {
        (halves(m, i, 0, Kind::Half), halves(m, i, 1, Kind::Half))
    };
    let mut c = [0; 64];
    let c = if accumulate { m.wave.vgpr[m.wave.index_of(i.dst)] } else { *m.src(i, 2, &mut c) };
    let r = Round::single(m.wave.mode);
    let out = std::array::from_fn(|l| {
        // The products are exact in double; the two sums are rounded once.
        let low = add_odd(from16(a.0[l]) * from16(b.0[l]), f32::from_bits(c[l]) as f64);
        to32(add_odd(from16(a.1[l]) * from16(b.1[l]), low), r)
    });
    m.write(i, &out);
    Ok(())
}

fn dot(m: &mut Machine<'_>, i: &Inst, bits: u32, signed: [bool; 2], accumulate: bool) -> Done {
    let (mut a, mut b, mut c) = ([0; 64], [0; 64], [0; 64]);
    let (a, b) = (*m.src(i, 0, &mut a), *m.src(i, 1, &mut b));
    let c = if accumulate { m.wave.vgpr[m.wave.index_of(i.dst)] } else { *m.src(i, 2, &mut c) };
    let part = |x: u32, k: u32, s: bool| {
        let v = x << (32 - bits - k * bits);
        if s { (v as i32 >> (32 - bits)) as i64 } else { (v >> (32 - bits)) as i64 }
    };
    let out = std::array::from_fn(|l| {
        let sum: i64 =
            (0..32 / bits).map(|k| part(a[l], k, signed[0]) * part(b[l], k, signed[1])).sum();
        let any = signed[0] || signed[1];
        let total = sum + if any { c[l] as i32 as i64 } else { c[l] as i64 };
        match (i.clamp, any) {
            (true, true) => total.clamp(i32::MIN as i64, i32::MAX as i64) as u32,
            (true, false) => total.clamp(0, u32::MAX as i64) as u32,
            _ => total as u32,
        }
    });
    m.write(i, &out);
    Ok(())
}

/// RDNA's mixed signs: NEG bit k says that source k is signed.
fn dot_mixed(m: &mut Machine<'_>, i: &Inst, bits: u32) -> Done {
    dot(m, i, bits, [i.neg & 1 == 1, i.neg & 2 == 2], false)
}

/// The destination is the addend.
fn pk_fmac(m: &mut Machine<'_>, i: &Inst) -> Done {
    let (mut a, mut b) = ([0; 64], [0; 64]);
    let (a, b) = (*m.src(i, 0, &mut a), *m.src(i, 1, &mut b));
    let d = m.wave.vgpr[m.wave.index_of(i.dst)];
    let r = Round::half_double(m.wave.mode);
    let part = |l: usize, s: u32| {
        let v = |x: u32| from16(x >> s & 0xffff);
        to16(add_odd(v(a[l]) * v(b[l]), v(d[l])), r) << s
    };
    let out = std::array::from_fn(|l| part(l, 0) | part(l, 16));
    m.write(i, &out);
    Ok(())
}

pub(super) const OPS: &[(&str, Exec)] = &[
    ("v_pk_fmac_f16", pk_fmac),
    ("v_pk_add_f16", |m, i| float(m, i, 2, |a, b, _| a + b)),
    ("v_pk_mul_f16", |m, i| float(m, i, 2, |a, b, _| a * b)),
    ("v_pk_fma_f16", |m, i| float(m, i, 3, |a, b, c| add_odd(a * b, c))),
    ("v_pk_min_f16", |m, i| min_max(m, i, false)),
    ("v_pk_max_f16", |m, i| min_max(m, i, true)),
    ("v_pk_add_u16", |m, i| integer(m, i, 2, false, |a, b, _| a + b)),
    ("v_pk_sub_u16", |m, i| integer(m, i, 2, false, |a, b, _| a - b)),
    ("v_pk_add_i16", |m, i| integer(m, i, 2, true, |a, b, _| a + b)),
    ("v_pk_sub_i16", |m, i| integer(m, i, 2, true, |a, b, _| a - b)),
    ("v_pk_mul_lo_u16", |m, i| integer(m, i, 2, false, |a, b, _| (a * b) & 0xffff)),
    ("v_pk_mad_u16", |m, i| integer(m, i, 3, false, |a, b, c| a * b + c)),
    ("v_pk_mad_i16", |m, i| integer(m, i, 3, true, |a, b, c| a * b + c)),
    ("v_pk_max_u16", |m, i| integer(m, i, 2, false, |a, b, _| a.max(b))),
    ("v_pk_min_u16", |m, i| integer(m, i, 2, false, |a, b, _| a.min(b))),
    ("v_pk_max_i16", |m, i| integer(m, i, 2, true, |a, b, _| a.max(b))),
    ("v_pk_min_i16", |m, i| integer(m, i, 2, true, |a, b, _| a.min(b))),
    ("v_pk_lshlrev_b16", |m, i| packed(m, i, 2, Kind::Short, |a, b, _| b << (a & 15))),
    ("v_pk_lshrrev_b16", |m, i| packed(m, i, 2, Kind::Short, |a, b, _| b >> (a & 15))),
    ("v_pk_ashrrev_i16", |m, i| {
        packed(m, i, 2, Kind::Short, |a, b, _| (b as u16 as i16 >> (a & 15)) as u32)
    }),
    ("v_fma_mix_f32", |m, i| mix(m, i, None)),
    ("v_fma_mixlo_f16", |m, i| mix(m, i, Some(false))),
    ("v_fma_mixhi_f16", |m, i| mix(m, i, Some(true))),
    ("v_pk_add_f32", |m, i| pair(m, i, 2, |a, b, _| add_odd(a, b))),
    ("v_pk_mul_f32", |m, i| pair(m, i, 2, |a, b, _| a * b)),
    ("v_pk_fma_f32", |m, i| pair(m, i, 3, |a, b, c| add_odd(a * b, c))),
    ("v_pk_mov_b32", pk_mov),
    ("v_dot2_f32_f16", |m, i| dot2_f16(m, i, false)),
    ("v_dot2_i32_i16", |m, i| dot(m, i, 16, [true, true], false)),
    ("v_dot2_u32_u16", |m, i| dot(m, i, 16, [false, false], false)),
    ("v_dot4_i32_i8", |m, i| dot(m, i, 8, [true, true], false)),
    ("v_dot4_u32_u8", |m, i| dot(m, i, 8, [false, false], false)),
    ("v_dot8_i32_i4", |m, i| dot(m, i, 4, [true, true], false)),
    ("v_dot8_u32_u4", |m, i| dot(m, i, 4, [false, false], false)),
    ("v_dot2c_i32_i16", |m, i| dot(m, i, 16, [true, true], true)),
    ("v_dot4c_i32_i8", |m, i| dot(m, i, 8, [true, true], true)),
    ("v_dot8c_i32_i4", |m, i| dot(m, i, 4, [true, true], true)),
    ("v_dot4_i32_iu8", |m, i| dot_mixed(m, i, 8)),
    ("v_dot8_i32_iu4", |m, i| dot_mixed(m, i, 4)),
];
