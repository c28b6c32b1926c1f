//! Single-precision arithmetic (MI300 ISA §12.8–12.11, RDNA3 ISA §16.8–16.12).

use super::machine::{Done, Exec, Machine};
use super::round::{Round, add_odd, fma32, to32};
use super::{L32, mask_of};
use crate::isa::{Inst, operand};

/// Output modifiers, then the write. OMOD is ignored with IEEE mode and with output subnormals (MI300 ISA §6.2.3).
pub(super) fn finish(m: &mut Machine<'_>, i: &Inst, mut out: L32) -> Done {
    if i.omod != 0 && m.wave.mode >> 5 & 1 == 0 && m.wave.mode >> 9 & 1 == 0 {
        let factor = [1.0, 2.0, 4.0, 0.5][i.omod as usize & 3];
        out = out.map(|x| to32(f32::from_bits(x) as f64 * factor, Round::single(m.wave.mode)));
    }
    if i.clamp {
        let nan_is_zero = m.generation == 12 || m.wave.mode >> 8 & 1 == 1;
        out = out.map(|x| clamp(f32::from_bits(x), nan_is_zero).to_bits());
    }
    m.write(i, &out);
    Ok(())
}

fn clamp(x: f32, nan_is_zero: bool) -> f32 {
    if x.is_nan() {
        return if nan_is_zero { 0.0 } else { x };
    }
    // `+ 0.0` makes −0 the +0 that the maximum with 0 gives.
    x.clamp(0.0, 1.0) + 0.0
}

#[inline]
pub(super) fn fun(m: &mut Machine<'_>, i: &Inst, f: impl Fn(f32) -> f32) -> Done {
    let mut a = [0; 64];
    let a = m.src_f32(i, 0, &mut a);
    let mut out: L32 = std::array::from_fn(|l| f(f32::from_bits(a[l])).to_bits());
    if m.wave.mode >> 5 & 1 == 0 {
        flush(&mut out);
    }
    finish(m, i, out)
}

fn flush(out: &mut L32) {
    for x in out {
        if *x & 0x7f80_0000 == 0 {
            *x &= 0x8000_0000;
        }
    }
}

/// `fast` rounds to nearest; `exact` gives a double that is exact or rounded to odd, for the other modes.
#[inline]
fn fbin(
    m: &mut Machine<'_>,
    i: &Inst,
    fast: impl Fn(f32, f32) -> f32,
    exact: impl Fn(f64, f64) -> f64,
) -> Done {
    let (mut a, mut b) = ([0; 64], [0; 64]);
    let (a, b) = (m.src_f32(i, 0, &mut a), m.src_f32(i, 1, &mut b));
    let r = Round::single(m.wave.mode);
    let out: L32 = if r == Round::NEAREST {
        std::array::from_fn(|l| fast(f32::from_bits(a[l]), f32::from_bits(b[l])).to_bits())
    } else {
        std::array::from_fn(|l| {
            to32(exact(f32::from_bits(a[l]) as f64, f32::from_bits(b[l]) as f64), r)
        })
    };
    finish(m, i, out)
}

#[inline]
fn ftri(m: &mut Machine<'_>, i: &Inst, a: &L32, b: &L32, c: &L32) -> Done {
    let r = Round::single(m.wave.mode);
    let out: L32 = if r == Round::NEAREST {
        std::array::from_fn(|l| {
            fma32(f32::from_bits(a[l]), f32::from_bits(b[l]), f32::from_bits(c[l])).to_bits()
        })
    } else {
        std::array::from_fn(|l| {
            to32(
                add_odd(
                    f32::from_bits(a[l]) as f64 * f32::from_bits(b[l]) as f64,
                    f32::from_bits(c[l]) as f64,
                ),
                r,
            )
        })
    };
    finish(m, i, out)
}

/// Fused multiply-add of three sources.
fn fma(m: &mut Machine<'_>, i: &Inst) -> Done {
    let (mut a, mut b, mut c) = ([0; 64], [0; 64], [0; 64]);
    let (a, b, c) = (*m.src_f32(i, 0, &mut a), *m.src_f32(i, 1, &mut b), *m.src_f32(i, 2, &mut c));
    ftri(m, i, &a, &b, &c)
}

/// The accumulator is the destination.
fn fmac(m: &mut Machine<'_>, i: &Inst) -> Done {
    let (mut a, mut b) = ([0; 64], [0; 64]);
    let (a, b) = (*m.src_f32(i, 0, &mut a), *m.src_f32(i, 1, &mut b));
    let mut c = m.wave.vgpr[m.wave.index_of(i.dst)];
    if m.wave.mode >> 4 & 1 == 0 {
        flush(&mut c);
    }
    if i.neg & 4 != 0 {
        c = c.map(|x| x ^ 0x8000_0000);
    }
    ftri(m, i, &a, &b, &c)
}

/// `a * K + b`.
fn fmamk(m: &mut Machine<'_>, i: &Inst) -> Done {
    let (mut a, mut b) = ([0; 64], [0; 64]);
    let (a, b) = (*m.src_f32(i, 0, &mut a), *m.src_f32(i, 1, &mut b));
    ftri(m, i, &a, &[i.literal; 64], &b)
}

/// `a * b + K`.
fn fmaak(m: &mut Machine<'_>, i: &Inst) -> Done {
    let (mut a, mut b) = ([0; 64], [0; 64]);
    let (a, b) = (*m.src_f32(i, 0, &mut a), *m.src_f32(i, 1, &mut b));
    ftri(m, i, &a, &b, &[i.literal; 64])
}

/// Multiply, round, add, round; subnormals are flushed whatever the mode (MI200 ISA §12.10, V_MAD_F32).
fn mad(
    m: &mut Machine<'_>,
    i: &Inst,
    pick: impl Fn(f32, f32, f32, f32) -> (f32, f32, f32),
) -> Done {
    let (mut a, mut b, mut c) = ([0; 64], [0; 64], [0; 64]);
    let (a, b) = (m.src_f32(i, 0, &mut a), m.src_f32(i, 1, &mut b));
    let c = if i.src[2] == operand::NONE {
        &m.wave.vgpr[m.wave.index_of(i.dst)]
    } else {
        m.src_f32(i, 2, &mut c)
    };
    let zero = |x: f32| if x.is_subnormal() { f32::copysign(0.0, x) } else { x };
    let v = |x: u32| zero(f32::from_bits(x));
    let out = std::array::from_fn(|l| {
        let (x, y, z) = pick(v(a[l]), v(b[l]), v(c[l]), v(i.literal));
        zero(zero(x * y) + z).to_bits()
    });
    finish(m, i, out)
}

/// Zero times anything is zero.
fn fma_zero(m: &mut Machine<'_>, i: &Inst) -> Done {
    let (mut a, mut b, mut c) = ([0; 64], [0; 64], [0; 64]);
    let (mut a, b) = (*m.src_f32(i, 0, &mut a), *m.src_f32(i, 1, &mut b));
    let c = if i.src[2] == operand::NONE {
        m.wave.vgpr[m.wave.index_of(i.dst)]
    } else {
        *m.src_f32(i, 2, &mut c)
    };
    let mut b = b;
    for (x, y) in a.iter_mut().zip(&mut b) {
        if f32::from_bits(*x) == 0.0 || f32::from_bits(*y) == 0.0 {
            (*x, *y) = (0, 0);
        }
    }
    ftri(m, i, &a, &b, &c)
}

fn quiet(x: u32) -> u32 {
    x | 0x0040_0000
}

/// Signalling NaN: quiet bit clear.
fn is_signalling(x: u32) -> bool {
    x & 0x7f80_0000 == 0x7f80_0000 && x & 0x003f_ffff != 0 && x & 0x0040_0000 == 0
}

/// A number beats NaN, −0 is below +0; in IEEE mode a signalling NaN gives its quiet form.
#[inline]
pub(super) fn minmax(a: u32, b: u32, max: bool, ieee: bool) -> u32 {
    let (x, y) = (f32::from_bits(a), f32::from_bits(b));
    if ieee && is_signalling(a) {
        return quiet(a);
    }
    if ieee && is_signalling(b) {
        return quiet(b);
    }
    if x.is_nan() {
        return b;
    }
    if y.is_nan() {
        return a;
    }
    // Equal numbers differ in sign at most.
    let a_less = x < y || (x == y && a >> 31 > b >> 31);
    if a_less != max { a } else { b }
}

/// IEEE 754-2019 minimum and maximum: NaN propagates.
fn minimum(a: u32, b: u32, max: bool) -> u32 {
    if f32::from_bits(a).is_nan() {
        return quiet(a);
    }
    if f32::from_bits(b).is_nan() {
        return quiet(b);
    }
    minmax(a, b, max, false)
}

fn raw2(m: &mut Machine<'_>, i: &Inst, f: impl Fn(u32, u32, bool) -> u32) -> Done {
    let (mut a, mut b) = ([0; 64], [0; 64]);
    let (a, b) = (m.src_f32(i, 0, &mut a), m.src_f32(i, 1, &mut b));
    let ieee = m.generation == 12 || m.wave.mode >> 9 & 1 == 1;
    let out = std::array::from_fn(|l| f(a[l], b[l], ieee));
    finish(m, i, out)
}

fn raw3(m: &mut Machine<'_>, i: &Inst, f: impl Fn(u32, u32, u32, bool) -> u32) -> Done {
    let (mut a, mut b, mut c) = ([0; 64], [0; 64], [0; 64]);
    let (a, b, c) = (m.src_f32(i, 0, &mut a), m.src_f32(i, 1, &mut b), m.src_f32(i, 2, &mut c));
    let ieee = m.generation == 12 || m.wave.mode >> 9 & 1 == 1;
    let out = std::array::from_fn(|l| f(a[l], b[l], c[l], ieee));
    finish(m, i, out)
}

fn med3(a: u32, b: u32, c: u32, ieee: bool) -> u32 {
    if [a, b, c].iter().any(|&x| f32::from_bits(x).is_nan()) {
        return minmax(minmax(a, b, false, ieee), c, false, ieee);
    }
    let max3 = minmax(minmax(a, b, true, false), c, true, false);
    if max3 == a {
        minmax(b, c, true, false)
    } else if max3 == b {
        minmax(a, c, true, false)
    } else {
        minmax(a, b, true, false)
    }
}

fn exponent(x: f32) -> i32 {
    (x.to_bits() >> 23 & 0xff) as i32
}

fn is_subnormal(x: f64) -> bool {
    x != 0.0 && x.abs() < f32::MIN_POSITIVE as f64
}

/// `V_DIV_SCALE_F32` (RDNA3 ISA §16.12): scales numerator or denominator, and says in VCC whether the quotient must be scaled back.
fn div_scale(m: &mut Machine<'_>, i: &Inst) -> Done {
    let (mut a, mut b, mut c) = ([0; 64], [0; 64], [0; 64]);
    let (a, b, c) = (*m.src_f32(i, 0, &mut a), *m.src_f32(i, 1, &mut b), *m.src_f32(i, 2, &mut c));
    let both: [(f32, bool); 64] = std::array::from_fn(|l| {
        let (s0, s1, s2) = (f32::from_bits(a[l]), f32::from_bits(b[l]), f32::from_bits(c[l]));
        let up = s0 * 18_446_744_073_709_551_616.0;
        let down = s0 / 18_446_744_073_709_551_616.0;
        let (denominator, numerator) = (a[l] == b[l], a[l] == c[l]);
        let inverse = is_subnormal(1.0 / s1 as f64);
        let quotient = is_subnormal(s2 as f64 / s1 as f64);
        if s2 == 0.0 || s1 == 0.0 {
            (f32::NAN, false)
        } else if exponent(s2) - exponent(s1) >= 96 {
            (if denominator { up } else { s0 }, true)
        } else if s1.is_subnormal() {
            (up, false)
        } else if inverse && quotient {
            (if denominator { up } else { s0 }, true)
        } else if inverse {
            (down, false)
        } else if quotient {
            (if numerator { up } else { s0 }, true)
        } else if exponent(s2) <= 23 {
            (up, false)
        } else {
            (s0, false)
        }
    });
    let en = m.exec();
    m.put(i.dst, &both.map(|(x, _)| x.to_bits()), en);
    m.set_mask(i.sdst, mask_of(|l| both[l].1) & en);
    Ok(())
}

fn div_fmas(m: &mut Machine<'_>, i: &Inst) -> Done {
    let (mut a, mut b, mut c) = ([0; 64], [0; 64], [0; 64]);
    let (a, b, c) = (*m.src_f32(i, 0, &mut a), *m.src_f32(i, 1, &mut b), *m.src_f32(i, 2, &mut c));
    let vcc = m.vcc();
    let r = Round::single(m.wave.mode);
    let out = std::array::from_fn(|l| {
        let sum = add_odd(
            f32::from_bits(a[l]) as f64 * f32::from_bits(b[l]) as f64,
            f32::from_bits(c[l]) as f64,
        );
        let scale = match (vcc >> l & 1, exponent(f32::from_bits(c[l])) > 127) {
            (0, _) => 0,
            (_, true) => 64,
            (_, false) => -64,
        };
        // The fused result is rounded, and then scaled.
        let rounded =
            if scale == 0 { to32(sum, r) } else { to32(sum, Round { flush: false, ..r }) };
        if scale == 0 {
            rounded
        } else {
            to32(f32::from_bits(rounded) as f64 * f64::powi(2.0, scale), r)
        }
    });
    finish(m, i, out)
}

fn div_fixup(m: &mut Machine<'_>, i: &Inst) -> Done {
    raw3(m, i, |s0, s1, s2, _| {
        let (d, n) = (f32::from_bits(s1), f32::from_bits(s2));
        let sign = (s1 ^ s2) & 0x8000_0000;
        if n.is_nan() {
            quiet(s2)
        } else if d.is_nan() {
            quiet(s1)
        } else if d == 0.0 && n == 0.0 || d.is_infinite() && n.is_infinite() {
            0xffc0_0000
        } else if d == 0.0 || n.is_infinite() {
            sign | 0x7f80_0000
        } else if d.is_infinite() || n == 0.0 || exponent(n) - exponent(d) < -150 {
            sign
        } else if exponent(d) == 255 {
            sign | 0x7f80_0000
        } else {
            sign | s0 & 0x7fff_ffff
        }
    })
}

/// sin or cos of a number of turns.
pub(super) fn turns(x: f64, f: impl Fn(f64) -> f64) -> f64 {
    if x.is_finite() { f((x - x.floor()) * std::f64::consts::TAU) } else { f64::NAN }
}

pub(super) fn round_even(x: f32) -> f32 {
    x.round_ties_even()
}

fn mul_legacy(a: f32, b: f32) -> f32 {
    if a == 0.0 || b == 0.0 { 0.0 } else { a * b }
}

fn fract(x: f32) -> f32 {
    // Kept below one.
    (x - x.floor()).min(f32::from_bits(0x3f7f_ffff))
}

/// A value in 0.5..1, and its exponent; zero, infinity and NaN are themselves with exponent 0.
pub(super) fn frexp(x: f64) -> (f64, i32) {
    if x == 0.0 || !x.is_finite() {
        return (x, 0);
    }
    let shift = if x.is_subnormal() { 54 } else { 0 };
    let y = x * f64::powi(2.0, shift);
    let e = (y.to_bits() >> 52 & 0x7ff) as i32 - 1022;
    (f64::from_bits(y.to_bits() & !(0x7ff << 52) | 1022 << 52), e - shift)
}

/// `x * 2^n`, exact or rounded to odd by way of a sticky tiny value.
pub(super) fn scale(x: f64, n: i32) -> f64 {
    let n = n.clamp(-1000, 1000);
    x * f64::powi(2.0, n)
}

pub(super) const OPS: &[(&str, Exec)] = &[
    ("v_add_f32", |m, i| fbin(m, i, |a, b| a + b, add_odd)),
    ("v_sub_f32", |m, i| fbin(m, i, |a, b| a - b, |a, b| add_odd(a, -b))),
    ("v_subrev_f32", |m, i| fbin(m, i, |a, b| b - a, |a, b| add_odd(b, -a))),
    ("v_mul_f32", |m, i| fbin(m, i, |a, b| a * b, |a, b| a * b)),
    ("v_mul_legacy_f32", |m, i| {
        fbin(m, i, mul_legacy, |a, b| if a == 0.0 || b == 0.0 { 0.0 } else { a * b })
    }),
    ("v_fma_f32", fma),
    ("v_fmac_f32", fmac),
    ("v_fmamk_f32", fmamk),
    ("v_fmaak_f32", fmaak),
    ("v_mad_f32", |m, i| mad(m, i, |a, b, c, _| (a, b, c))),
    ("v_mac_f32", |m, i| mad(m, i, |a, b, c, _| (a, b, c))),
    ("v_madmk_f32", |m, i| mad(m, i, |a, b, _, k| (a, k, b))),
    ("v_madak_f32", |m, i| mad(m, i, |a, b, _, k| (a, b, k))),
    ("v_fma_dx9_zero_f32", |m, i| fma_zero(m, i)),
    ("v_fmac_dx9_zero_f32", |m, i| fma_zero(m, i)),
    ("v_min_f32", |m, i| raw2(m, i, |a, b, e| minmax(a, b, false, e))),
    ("v_max_f32", |m, i| raw2(m, i, |a, b, e| minmax(a, b, true, e))),
    ("v_minimum_f32", |m, i| raw2(m, i, |a, b, _| minimum(a, b, false))),
    ("v_maximum_f32", |m, i| raw2(m, i, |a, b, _| minimum(a, b, true))),
    ("v_min3_f32", |m, i| raw3(m, i, |a, b, c, e| minmax(minmax(a, b, false, e), c, false, e))),
    ("v_max3_f32", |m, i| raw3(m, i, |a, b, c, e| minmax(minmax(a, b, true, e), c, true, e))),
    ("v_minmax_f32", |m, i| raw3(m, i, |a, b, c, e| minmax(minmax(a, b, false, e), c, true, e))),
    ("v_maxmin_f32", |m, i| raw3(m, i, |a, b, c, e| minmax(minmax(a, b, true, e), c, false, e))),
    ("v_minimum3_f32", |m, i| raw3(m, i, |a, b, c, _| minimum(minimum(a, b, false), c, false))),
    ("v_maximum3_f32", |m, i| raw3(m, i, |a, b, c, _| minimum(minimum(a, b, true), c, true))),
    ("v_minimummaximum_f32", |m, i| {
        raw3(m, i, |a, b, c, _| minimum(minimum(a, b, false), c, true))
    }),
    ("v_maximumminimum_f32", |m, i| {
        raw3(m, i, |a, b, c, _| minimum(minimum(a, b, true), c, false))
    }),
    ("v_med3_f32", |m, i| raw3(m, i, med3)),
    ("v_div_scale_f32", div_scale),
    ("v_div_fmas_f32", div_fmas),
    ("v_div_fixup_f32", div_fixup),
    ("v_trunc_f32", |m, i| fun(m, i, f32::trunc)),
    ("v_ceil_f32", |m, i| fun(m, i, f32::ceil)),
    ("v_floor_f32", |m, i| fun(m, i, f32::floor)),
    ("v_rndne_f32", |m, i| fun(m, i, round_even)),
    ("v_fract_f32", |m, i| fun(m, i, fract)),
    ("v_exp_f32", |m, i| fun(m, i, |x| (x as f64).exp2() as f32)),
    ("v_log_f32", |m, i| fun(m, i, |x| (x as f64).log2() as f32)),
    ("v_rcp_f32", |m, i| fun(m, i, |x| 1.0 / x)),
    ("v_rcp_iflag_f32", |m, i| fun(m, i, |x| 1.0 / x)),
    ("v_rsq_f32", |m, i| fun(m, i, |x| (1.0 / (x as f64).sqrt()) as f32)),
    ("v_sqrt_f32", |m, i| fun(m, i, f32::sqrt)),
    ("v_sin_f32", |m, i| fun(m, i, |x| turns(x as f64, f64::sin) as f32)),
    ("v_cos_f32", |m, i| fun(m, i, |x| turns(x as f64, f64::cos) as f32)),
    ("v_frexp_mant_f32", |m, i| fun(m, i, |x| frexp(x as f64).0 as f32)),
    ("v_frexp_exp_i32_f32", |m, i| {
        let mut a = [0; 64];
        let out = m.src_f32(i, 0, &mut a).map(|x| frexp(f32::from_bits(x) as f64).1 as u32);
        m.write(i, &out);
        Ok(())
    }),
    ("v_ldexp_f32", |m, i| {
        let (mut a, mut b) = ([0; 64], [0; 64]);
        let (a, b) = (m.src_f32(i, 0, &mut a), m.src(i, 1, &mut b));
        let r = Round::single(m.wave.mode);
        let out = std::array::from_fn(|l| to32(scale(f32::from_bits(a[l]) as f64, b[l] as i32), r));
        finish(m, i, out)
    }),
    ("v_dot2c_f32_f16", |m, i| super::packed::dot2_f16(m, i, true)),
];

/// Whether the opcode is one of the slow, transcendental kind (MI300 ISA §4.5, "Trans op").
pub(crate) fn is_transcendental(base: &str) -> bool {
    ["v_exp_", "v_log_", "v_rcp_", "v_rsq_", "v_sqrt_", "v_sin_", "v_cos_"]
        .iter()
        .any(|p| base.starts_with(p))
}
