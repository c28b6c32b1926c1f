//! Double-precision arithmetic.

use super::f32::frexp;
use super::machine::{Done, Exec, Machine};
use super::round::{Round, to64};
use super::{L64, mask_of};
use crate::isa::Inst;

fn finish(m: &mut Machine<'_>, i: &Inst, mut out: L64) -> Done {
    if i.omod != 0 && m.wave.mode >> 7 & 1 == 0 && m.wave.mode >> 9 & 1 == 0 {
        let factor = [1.0, 2.0, 4.0, 0.5][i.omod as usize & 3];
        out = out.map(|x| (f64::from_bits(x) * factor).to_bits());
    }
    if i.clamp {
        out = out.map(|x| {
            let v = f64::from_bits(x);
            if v.is_nan() { 0 } else { (v.clamp(0.0, 1.0) + 0.0).to_bits() }
        });
    }
    m.write64(i, &out);
    Ok(())
}

/// `f` gives the nearest double and the exact rest.
fn op(m: &mut Machine<'_>, i: &Inst, n: usize, f: impl Fn(f64, f64, f64) -> (f64, f64)) -> Done {
    let a = m.src64(i, 0, true);
    let b = if n > 1 { m.src64(i, 1, true) } else { [0; 64] };
    let c = if n > 2 { m.src64(i, 2, true) } else { [0; 64] };
    let r = Round::half_double(m.wave.mode);
    let out = std::array::from_fn(|l| {
        let (s, err) = f(f64::from_bits(a[l]), f64::from_bits(b[l]), f64::from_bits(c[l]));
        to64(s, err, r).to_bits()
    });
    finish(m, i, out)
}

fn un(m: &mut Machine<'_>, i: &Inst, f: impl Fn(f64) -> f64) -> Done {
    op(m, i, 1, |a, _, _| (f(a), 0.0))
}

fn add(a: f64, b: f64) -> (f64, f64) {
    let s = a + b;
    let t = s - a;
    (s, (a - (s - t)) + (b - t))
}

fn mul(a: f64, b: f64) -> (f64, f64) {
    let p = a * b;
    (p, a.mul_add(b, -p))
}

fn fma(a: f64, b: f64, c: f64) -> (f64, f64) {
    let s = a.mul_add(b, c);
    // The exact sum is p + e + c; its distance from s, to leading order, has the sign of the rest.
    let (p, e) = mul(a, b);
    let (t, f) = add(p, c);
    (s, (t - s) + (f + e))
}

fn fmac(m: &mut Machine<'_>, i: &Inst) -> Done {
    let (a, b) = (m.src64(i, 0, true), m.src64(i, 1, true));
    let n = m.wave.index_of(i.dst);
    let (lo, hi) = (m.wave.vgpr[n], m.wave.vgpr[(n + 1) & 511]);
    let r = Round::half_double(m.wave.mode);
    let out = std::array::from_fn(|l| {
        let c = f64::from_bits(lo[l] as u64 | (hi[l] as u64) << 32);
        let (s, err) = fma(f64::from_bits(a[l]), f64::from_bits(b[l]), c);
        to64(s, err, r).to_bits()
    });
    finish(m, i, out)
}

fn minmax(a: f64, b: f64, max: bool, ieee: bool) -> f64 {
    let quiet = |x: f64| f64::from_bits(x.to_bits() | 1 << 51);
    let signalling = |x: f64| x.is_nan() && x.to_bits() >> 51 & 1 == 0;
    if ieee && signalling(a) {
        return quiet(a);
    }
    if ieee && signalling(b) {
        return quiet(b);
    }
    if a.is_nan() {
        return b;
    }
    if b.is_nan() {
        return a;
    }
    let a_less = a < b || (a == b && a.is_sign_negative() && !b.is_sign_negative());
    if a_less != max { a } else { b }
}

fn min_max(m: &mut Machine<'_>, i: &Inst, max: bool) -> Done {
    let ieee = m.generation == 12 || m.wave.mode >> 9 & 1 == 1;
    op(m, i, 2, |a, b, _| (minmax(a, b, max, ieee), 0.0))
}

fn propagating(m: &mut Machine<'_>, i: &Inst, max: bool) -> Done {
    op(m, i, 2, |a, b, _| {
        let r = if a.is_nan() || b.is_nan() { a + b } else { minmax(a, b, max, false) };
        (r, 0.0)
    })
}

fn exponent(x: f64) -> i32 {
    (x.to_bits() >> 52 & 0x7ff) as i32
}

fn div_scale(m: &mut Machine<'_>, i: &Inst) -> Done {
    let (a, b, c) = (m.src64(i, 0, true), m.src64(i, 1, true), m.src64(i, 2, true));
    let big = f64::powi(2.0, 128);
    let both: [(f64, bool); 64] = std::array::from_fn(|l| {
        let (s0, s1, s2) = (f64::from_bits(a[l]), f64::from_bits(b[l]), f64::from_bits(c[l]));
        let (denominator, numerator) = (a[l] == b[l], a[l] == c[l]);
        let (inverse, quotient) = ((1.0 / s1).is_subnormal(), (s2 / s1).is_subnormal());
        if s2 == 0.0 || s1 == 0.0 {
            (f64::NAN, false)
        } else if exponent(s2) - exponent(s1) >= 768 {
            (if denominator { s0 * big } else { s0 }, true)
        } else if s1.is_subnormal() {
            (s0 * big, false)
        } else if inverse && quotient {
            (if denominator { s0 * big } else { s0 }, true)
        } else if inverse {
            (s0 / big, false)
        } else if quotient {
            (if numerator { s0 * big } else { s0 }, true)
        } else if exponent(s2) <= 53 {
            (s0 * big, false)
        } else {
            (s0, false)
        }
    });
    let en = m.exec();
    m.write64(i, &both.map(|(x, _)| x.to_bits()));
    m.set_mask(i.sdst, mask_of(|l| both[l].1) & en);
    Ok(())
}

fn div_fmas(m: &mut Machine<'_>, i: &Inst) -> Done {
    let (a, b, c) = (m.src64(i, 0, true), m.src64(i, 1, true), m.src64(i, 2, true));
    let vcc = m.vcc();
    let out = std::array::from_fn(|l| {
        let (x, y, z) = (f64::from_bits(a[l]), f64::from_bits(b[l]), f64::from_bits(c[l]));
        let s = x.mul_add(y, z);
        let scaled = match (vcc >> l & 1, exponent(z) > 1023) {
            (0, _) => s,
            (_, true) => s * f64::powi(2.0, 128),
            (_, false) => s * f64::powi(2.0, -128),
        };
        scaled.to_bits()
    });
    finish(m, i, out)
}

fn div_fixup(m: &mut Machine<'_>, i: &Inst) -> Done {
    op(m, i, 3, |s0, d, n| {
        let sign = if d.is_sign_negative() != n.is_sign_negative() { -1.0 } else { 1.0 };
        let r = if n.is_nan() || d.is_nan() {
            n + d
        } else if d == 0.0 && n == 0.0 || d.is_infinite() && n.is_infinite() {
            -f64::NAN
        } else if d == 0.0 || n.is_infinite() {
            sign * f64::INFINITY
        } else if d.is_infinite() || n == 0.0 || exponent(n) - exponent(d) < -1075 {
            sign * 0.0
        } else {
            s0.abs() * sign
        };
        (r, 0.0)
    })
}

fn ldexp(m: &mut Machine<'_>, i: &Inst) -> Done {
    let a = m.src64(i, 0, true);
    let mut b = [0; 64];
    let b = *m.src(i, 1, &mut b);
    let out = std::array::from_fn(|l| {
        let (mant, e) = frexp(f64::from_bits(a[l]));
        // One step over a normal value, so that it is rounded once.
        let n = (b[l] as i32).clamp(-5000, 5000) + e;
        let r = match n {
            1025.. => mant * f64::INFINITY,
            -1021..=1024 => mant * 2.0 * f64::powi(2.0, n - 1),
            _ => mant * f64::powi(2.0, -1000) * f64::powi(2.0, (n + 1000).max(-1000)),
        };
        if mant == 0.0 || !mant.is_finite() { mant.to_bits() } else { r.to_bits() }
    });
    finish(m, i, out)
}

pub(super) const OPS: &[(&str, Exec)] = &[
    ("v_add_f64", |m, i| op(m, i, 2, |a, b, _| add(a, b))),
    ("v_mul_f64", |m, i| op(m, i, 2, |a, b, _| mul(a, b))),
    ("v_fma_f64", |m, i| op(m, i, 3, fma)),
    ("v_fmac_f64", fmac),
    ("v_min_f64", |m, i| min_max(m, i, false)),
    ("v_max_f64", |m, i| min_max(m, i, true)),
    ("v_minimum_f64", |m, i| propagating(m, i, false)),
    ("v_maximum_f64", |m, i| propagating(m, i, true)),
    ("v_trunc_f64", |m, i| un(m, i, f64::trunc)),
    ("v_ceil_f64", |m, i| un(m, i, f64::ceil)),
    ("v_floor_f64", |m, i| un(m, i, f64::floor)),
    ("v_rndne_f64", |m, i| un(m, i, f64::round_ties_even)),
    ("v_fract_f64", |m, i| {
        un(m, i, |x| (x - x.floor()).min(f64::from_bits(0x3fef_ffff_ffff_ffff)))
    }),
    ("v_rcp_f64", |m, i| un(m, i, |x| 1.0 / x)),
    ("v_rsq_f64", |m, i| un(m, i, |x| 1.0 / x.sqrt())),
    ("v_sqrt_f64", |m, i| un(m, i, f64::sqrt)),
    ("v_frexp_mant_f64", |m, i| un(m, i, |x| frexp(x).0)),
    ("v_frexp_exp_i32_f64", |m, i| {
        let a = m.src64(i, 0, true);
        m.write(i, &a.map(|x| frexp(f64::from_bits(x)).1 as u32));
        Ok(())
    }),
    ("v_ldexp_f64", ldexp),
    ("v_div_scale_f64", div_scale),
    ("v_div_fmas_f64", div_fmas),
    ("v_div_fixup_f64", div_fixup),
];
