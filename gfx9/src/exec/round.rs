//! Rounding and subnormals as the MODE register has them (MI300 ISA §4.1, "MODE": FP_ROUND, FP_DENORM).
//!
//! A result is made once in a wider format with its last bit "sticky" (round to odd), and rounded once from there: for every
//! direction that is the correctly rounded result (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums", 2008).

/// How results of one format are rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Round {
    /// 0 nearest even, 1 towards +∞, 2 towards −∞, 3 towards zero.
    pub direction: u8,
    /// Subnormal results become zero.
    pub flush: bool,
}

impl Round {
    pub const NEAREST: Round = Round { direction: 0, flush: false };

    /// For f32, from MODE.
    pub fn single(mode: u32) -> Round {
        Round { direction: (mode & 3) as u8, flush: mode >> 5 & 1 == 0 }
    }

    /// For f16 and f64, from MODE.
    pub fn half_double(mode: u32) -> Round {
        Round { direction: (mode >> 2 & 3) as u8, flush: mode >> 7 & 1 == 0 }
    }
}

/// Gives `s`, the nearest double to a sum whose exact rest is `err`, the sticky last bit.
#[inline]
fn odd(s: f64, err: f64) -> f64 {
    let bits = s.to_bits();
    if err == 0.0 || bits & 1 == 1 || !s.is_finite() {
        return s;
    }
    // Towards the exact value: one up in magnitude if the rest has the sign of the sum, one down if not.
    let up = (err > 0.0) == (s > 0.0);
    f64::from_bits(if up { bits + 1 } else { bits - 1 })
}

/// `a + b` in double, rounded to odd.
#[inline]
pub(crate) fn add_odd(a: f64, b: f64) -> f64 {
    let s = a + b;
    let t = s - a;
    let err = (a - (s - t)) + (b - t);
    odd(s, err)
}

/// `a * b + c` of singles, rounded to nearest single; the product is exact in double.
#[inline]
pub(crate) fn fma32(a: f32, b: f32, c: f32) -> f32 {
    add_odd(a as f64 * b as f64, c as f64) as f32
}

/// Rounds a double (exact, or rounded to odd) to a float of `mant` explicit mantissa bits and `exp` exponent bits; gives its bits.
pub(crate) fn narrow(x: f64, mant: u32, exp: u32, r: Round) -> u32 {
    let bits = x.to_bits();
    let sign = (bits >> 63) as u32;
    let place = |e: u32, m: u32| sign << (mant + exp) | e << mant | m;
    let max = (1u32 << exp) - 1;
    let bias = (1i32 << (exp - 1)) - 1;
    if x.is_nan() {
        return place(max, ((bits >> (52 - mant)) as u32 & ((1 << mant) - 1)) | 1 << (mant - 1));
    }
    if x.is_infinite() {
        return place(max, 0);
    }
    if x == 0.0 {
        return place(0, 0);
    }
    // A double subnormal is far below everything here: it only matters as sticky.
    let raw = (bits >> 52 & 0x7ff) as i32;
    let (mut m, e) =
        if raw == 0 { (1u64, -1022) } else { (bits & ((1 << 52) - 1) | 1 << 52, raw - 1023) };
    let mut target = e + bias;
    let mut drop = 52 - mant;
    if target <= 0 {
        drop += (1 - target) as u32;
        target = 0;
    }
    let lost = if drop >= 63 {
        m = 0;
        true
    } else {
        let lost = m & ((1 << drop) - 1) != 0;
        let half = m >> (drop - 1) & 1 == 1;
        let sticky = m & ((1 << (drop - 1)) - 1) != 0;
        m >>= drop;
        let up = match r.direction {
            0 => half && (sticky || m & 1 == 1),
            1 => lost && sign == 0,
            2 => lost && sign == 1,
            _ => false,
        };
        m += u64::from(up);
        lost
    };
    if drop >= 63 && lost && (r.direction == 1 && sign == 0 || r.direction == 2 && sign == 1) {
        m = 1;
    }
    // The hidden bit adds one to the exponent of normal results, and a carry does the rest.
    let packed = if target == 0 { m } else { m + ((target as u64 - 1) << mant) };
    if packed >= (max as u64) << mant {
        let to_infinity = match r.direction {
            0 => true,
            1 => sign == 0,
            2 => sign == 1,
            _ => false,
        };
        return if to_infinity { place(max, 0) } else { place(max - 1, (1 << mant) - 1) };
    }
    if r.flush && packed < 1 << mant {
        return place(0, 0);
    }
    sign << (mant + exp) | packed as u32
}

/// Rounds to f32's bits.
#[inline]
pub(crate) fn to32(x: f64, r: Round) -> u32 {
    if r == Round::NEAREST { (x as f32).to_bits() } else { narrow(x, 23, 8, r) }
}

/// Rounds to f16's bits.
#[inline]
pub(crate) fn to16(x: f64, r: Round) -> u32 {
    narrow(x, 10, 5, r)
}

/// The value of f16 bits, exactly.
#[inline]
pub(crate) fn from16(h: u32) -> f64 {
    let (sign, e, m) = ((h >> 15 & 1) as u64, h >> 10 & 31, (h & 0x3ff) as u64);
    match e {
        31 => f64::from_bits(sign << 63 | 0x7ff << 52 | m << 42),
        0 => {
            let v = m as f64 * (1.0 / 16_777_216.0);
            if sign == 1 { -v } else { v }
        }
        _ => f64::from_bits(sign << 63 | (e as u64 + 1008) << 52 | m << 42),
    }
}

/// Applies direction and flushing to a double `s` that is the nearest to an exact value `s + err`.
pub(crate) fn to64(s: f64, err: f64, r: Round) -> f64 {
    let mut s = s;
    if s.is_finite() && err != 0.0 {
        let below = err > 0.0; // s lies below the exact value
        s = match r.direction {
            1 if below => next(s, true),
            2 if !below => next(s, false),
            3 if below && s < 0.0 => next(s, true),
            3 if !below && s > 0.0 => next(s, false),
            _ => s,
        };
    }
    if r.flush && s.is_subnormal() { f64::copysign(0.0, s) } else { s }
}

fn next(x: f64, up: bool) -> f64 {
    let b = x.to_bits();
    if x == 0.0 {
        return if up { f64::from_bits(1) } else { -f64::from_bits(1) };
    }
    f64::from_bits(if (x > 0.0) == up { b + 1 } else { b - 1 })
}
