//! Half-precision arithmetic: exact or rounded to odd in double, then rounded once.

use super::L32;
use super::f32::{frexp, scale, turns};
use super::fetch::Kind;
use super::machine::{Done, Exec, Machine};
use super::round::{Round, add_odd, from16, to16};
use crate::isa::Inst;

pub(super) fn finish(m: &mut Machine<'_>, i: &Inst, mut out: L32) -> Done {
    if i.omod != 0 && m.wave.mode >> 7 & 1 == 0 && m.wave.mode >> 9 & 1 == 0 {
        let factor = [1.0, 2.0, 4.0, 0.5][i.omod as usize & 3];
        let r = Round::half_double(m.wave.mode);
        out = out.map(|x| to16(from16(x) * factor, r));
    }
    if i.clamp {
        let nan_is_zero = m.generation == 12 || m.wave.mode >> 8 & 1 == 1;
        out = out.map(|x| clamp(x, nan_is_zero));
    }
    m.write16(i, &out);
    Ok(())
}

pub(super) fn clamp(x: u32, nan_is_zero: bool) -> u32 {
    let v = from16(x);
    match () {
        () if v.is_nan() && nan_is_zero => 0,
        () if v.is_nan() => x,
        () if v <= 0.0 => 0,
        () if v > 1.0 => 0x3c00,
        () => x,
    }
}

fn op(m: &mut Machine<'_>, i: &Inst, n: usize, f: impl Fn(f64, f64, f64) -> f64) -> Done {
    let a = m.src16(i, 0, Kind::Half);
    let b = if n > 1 { m.src16(i, 1, Kind::Half) } else { [0; 64] };
    let c = if n > 2 { m.src16(i, 2, Kind::Half) } else { [0; 64] };
    let r = Round::half_double(m.wave.mode);
    let out = std::array::from_fn(|l| to16(f(from16(a[l]), from16(b[l]), from16(c[l])), r));
    finish(m, i, out)
}

fn raw(m: &mut Machine<'_>, i: &Inst, n: usize, f: impl Fn(u32, u32, u32, bool) -> u32) -> Done {
    let (a, b) = (m.src16(i, 0, Kind::Half), m.src16(i, 1, Kind::Half));
    let c = if n > 2 { m.src16(i, 2, Kind::Half) } else { [0; 64] };
    let ieee = m.generation == 12 || m.wave.mode >> 9 & 1 == 1;
    let out = std::array::from_fn(|l| f(a[l], b[l], c[l], ieee));
    finish(m, i, out)
}

fn is_nan(x: u32) -> bool {
    x & 0x7fff > 0x7c00
}

/// As for singles: a number beats NaN, −0 is below +0, IEEE mode quiets a signalling NaN.
pub(super) fn minmax(a: u32, b: u32, max: bool, ieee: bool) -> u32 {
    let signalling = |x| is_nan(x) && x & 0x200 == 0;
    if ieee && signalling(a) {
        return a | 0x200;
    }
    if ieee && signalling(b) {
        return b | 0x200;
    }
    if is_nan(a) {
        return b;
    }
    if is_nan(b) {
        return a;
    }
    let (x, y) = (from16(a), from16(b));
    let a_less = x < y || (x == y && a >> 15 > b >> 15);
    if a_less != max { a } else { b }
}

fn minimum(a: u32, b: u32, max: bool) -> u32 {
    if is_nan(a) {
        return a | 0x200;
    }
    if is_nan(b) {
        return b | 0x200;
    }
    minmax(a, b, max, false)
}

fn med3(a: u32, b: u32, c: u32, e: bool) -> u32 {
    if [a, b, c].iter().any(|&x| is_nan(x)) {
        return minmax(minmax(a, b, false, e), c, false, e);
    }
    let top = minmax(minmax(a, b, true, false), c, true, false);
    if top == a {
        minmax(b, c, true, false)
    } else if top == b {
        minmax(a, c, true, false)
    } else {
        minmax(a, b, true, false)
    }
}

fn fma(a: f64, b: f64, c: f64) -> f64 {
    add_odd(a * b, c)
}

/// The destination is the addend, or a literal takes an operand's place.
fn accumulate(
    m: &mut Machine<'_>,
    i: &Inst,
    pick: impl Fn(f64, f64, f64, f64) -> (f64, f64, f64),
    fused: bool,
) -> Done {
    let (a, b) = (m.src16(i, 0, Kind::Half), m.src16(i, 1, Kind::Half));
    let shift = if i.op_sel & 8 != 0 { 16 } else { 0 };
    let d = m.wave.vgpr[m.wave.index_of(i.dst)].map(|x| x >> shift & 0xffff);
    let r = Round::half_double(m.wave.mode);
    let out = std::array::from_fn(|l| {
        let (x, y, z) = pick(from16(a[l]), from16(b[l]), from16(d[l]), from16(i.literal & 0xffff));
        if fused { to16(fma(x, y, z), r) } else { to16(from16(to16(x * y, r)) + z, r) }
    });
    finish(m, i, out)
}

/// Multiply, round, add, round.
fn mad(m: &mut Machine<'_>, i: &Inst) -> Done {
    let r = Round::half_double(m.wave.mode);
    op(m, i, 3, |a, b, c| from16(to16(a * b, r)) + c)
}

fn div_fixup(s0: u32, s1: u32, s2: u32) -> u32 {
    let (d, n) = (from16(s1), from16(s2));
    let sign = (s1 ^ s2) & 0x8000;
    if n.is_nan() {
        s2 | 0x200
    } else if d.is_nan() {
        s1 | 0x200
    } else if d == 0.0 && n == 0.0 || d.is_infinite() && n.is_infinite() {
        0xfe00
    } else if d == 0.0 || n.is_infinite() {
        sign | 0x7c00
    } else if d.is_infinite() || n == 0.0 {
        sign
    } else {
        sign | s0 & 0x7fff
    }
}

pub(super) const OPS: &[(&str, Exec)] = &[
    ("v_add_f16", |m, i| op(m, i, 2, |a, b, _| a + b)),
    ("v_sub_f16", |m, i| op(m, i, 2, |a, b, _| a - b)),
    ("v_subrev_f16", |m, i| op(m, i, 2, |a, b, _| b - a)),
    ("v_mul_f16", |m, i| op(m, i, 2, |a, b, _| a * b)),
    ("v_fma_f16", |m, i| op(m, i, 3, fma)),
    ("v_fma_legacy_f16", |m, i| op(m, i, 3, fma)),
    ("v_fmac_f16", |m, i| accumulate(m, i, |a, b, d, _| (a, b, d), true)),
    ("v_mac_f16", |m, i| accumulate(m, i, |a, b, d, _| (a, b, d), false)),
    ("v_mad_f16", mad),
    ("v_mad_legacy_f16", mad),
    ("v_fmamk_f16", |m, i| accumulate(m, i, |a, b, _, k| (a, k, b), true)),
    ("v_fmaak_f16", |m, i| accumulate(m, i, |a, b, _, k| (a, b, k), true)),
    ("v_madmk_f16", |m, i| accumulate(m, i, |a, b, _, k| (a, k, b), false)),
    ("v_madak_f16", |m, i| accumulate(m, i, |a, b, _, k| (a, b, k), false)),
    ("v_min_f16", |m, i| raw(m, i, 2, |a, b, _, e| minmax(a, b, false, e))),
    ("v_max_f16", |m, i| raw(m, i, 2, |a, b, _, e| minmax(a, b, true, e))),
    ("v_minimum_f16", |m, i| raw(m, i, 2, |a, b, _, _| minimum(a, b, false))),
    ("v_maximum_f16", |m, i| raw(m, i, 2, |a, b, _, _| minimum(a, b, true))),
    ("v_min3_f16", |m, i| raw(m, i, 3, |a, b, c, e| minmax(minmax(a, b, false, e), c, false, e))),
    ("v_max3_f16", |m, i| raw(m, i, 3, |a, b, c, e| minmax(minmax(a, b, true, e), c, true, e))),
    ("v_minmax_f16", |m, i| raw(m, i, 3, |a, b, c, e| minmax(minmax(a, b, false, e), c, true, e))),
    ("v_maxmin_f16", |m, i| raw(m, i, 3, |a, b, c, e| minmax(minmax(a, b, true, e), c, false, e))),
    ("v_minimum3_f16", |m, i| raw(m, i, 3, |a, b, c, _| minimum(minimum(a, b, false), c, false))),
    ("v_maximum3_f16", |m, i| raw(m, i, 3, |a, b, c, _| minimum(minimum(a, b, true), c, true))),
    ("v_med3_f16", |m, i| raw(m, i, 3, med3)),
    ("v_div_fixup_f16", |m, i| raw(m, i, 3, |a, b, c, _| div_fixup(a, b, c))),
    ("v_trunc_f16", |m, i| op(m, i, 1, |a, _, _| a.trunc())),
    ("v_ceil_f16", |m, i| op(m, i, 1, |a, _, _| a.ceil())),
    ("v_floor_f16", |m, i| op(m, i, 1, |a, _, _| a.floor())),
    ("v_rndne_f16", |m, i| op(m, i, 1, |a, _, _| a.round_ties_even())),
    ("v_fract_f16", |m, i| op(m, i, 1, |a, _, _| (a - a.floor()).min(from16(0x3bff)))),
    ("v_exp_f16", |m, i| op(m, i, 1, |a, _, _| a.exp2())),
    ("v_log_f16", |m, i| op(m, i, 1, |a, _, _| a.log2())),
    ("v_rcp_f16", |m, i| op(m, i, 1, |a, _, _| 1.0 / a)),
    ("v_rsq_f16", |m, i| op(m, i, 1, |a, _, _| 1.0 / a.sqrt())),
    ("v_sqrt_f16", |m, i| op(m, i, 1, |a, _, _| a.sqrt())),
    ("v_sin_f16", |m, i| op(m, i, 1, |a, _, _| turns(a, f64::sin))),
    ("v_cos_f16", |m, i| op(m, i, 1, |a, _, _| turns(a, f64::cos))),
    ("v_frexp_mant_f16", |m, i| op(m, i, 1, |a, _, _| frexp(a).0)),
    ("v_frexp_exp_i16_f16", |m, i| {
        let a = m.src16(i, 0, Kind::Half);
        m.write16(i, &a.map(|x| frexp(from16(x)).1 as u32 & 0xffff));
        Ok(())
    }),
    ("v_ldexp_f16", |m, i| {
        let (a, b) = (m.src16(i, 0, Kind::Half), m.src16(i, 1, Kind::Short));
        let r = Round::half_double(m.wave.mode);
        let out = std::array::from_fn(|l| to16(scale(from16(a[l]), b[l] as u16 as i16 as i32), r));
        finish(m, i, out)
    }),
];
