//! Comparisons: a mask of the lanes where they hold (MI300 ISA §12.9, RDNA3 ISA §16.11).

use super::fetch::Kind;
use super::machine::{Done, Exec, Machine};
use super::mask_of;
use super::round::from16;
use crate::isa::{Inst, operand};

/// Writes the mask; `v_cmpx` writes EXEC too (gfx9) or alone (RDNA).
fn finish(m: &mut Machine<'_>, i: &Inst, holds: impl Fn(usize) -> bool) -> Done {
    let mask = mask_of(holds) & m.enabled(i);
    let extended = i.mnemonic().as_bytes()[5] == b'x';
    if !extended || m.generation == 9 {
        m.set_mask(i.sdst, mask);
    }
    if extended {
        m.set_mask(operand::EXEC, mask);
    }
    Ok(())
}

fn float32(m: &mut Machine<'_>, i: &Inst, f: impl Fn(f32, f32) -> bool) -> Done {
    let (mut a, mut b) = ([0; 64], [0; 64]);
    let (a, b) = (*m.src_f32(i, 0, &mut a), *m.src_f32(i, 1, &mut b));
    finish(m, i, |l| f(f32::from_bits(a[l]), f32::from_bits(b[l])))
}

fn float16(m: &mut Machine<'_>, i: &Inst, f: impl Fn(f64, f64) -> bool) -> Done {
    let (a, b) = (m.src16(i, 0, Kind::Half), m.src16(i, 1, Kind::Half));
    finish(m, i, |l| f(from16(a[l]), from16(b[l])))
}

fn float64(m: &mut Machine<'_>, i: &Inst, f: impl Fn(f64, f64) -> bool) -> Done {
    let (a, b) = (m.src64(i, 0, true), m.src64(i, 1, true));
    finish(m, i, |l| f(f64::from_bits(a[l]), f64::from_bits(b[l])))
}

fn word(m: &mut Machine<'_>, i: &Inst, f: impl Fn(u32, u32) -> bool) -> Done {
    let (mut a, mut b) = ([0; 64], [0; 64]);
    let (a, b) = (*m.src(i, 0, &mut a), *m.src(i, 1, &mut b));
    finish(m, i, |l| f(a[l], b[l]))
}

fn short(m: &mut Machine<'_>, i: &Inst, f: impl Fn(u16, u16) -> bool) -> Done {
    let (a, b) = (m.src16(i, 0, Kind::Short), m.src16(i, 1, Kind::Short));
    finish(m, i, |l| f(a[l] as u16, b[l] as u16))
}

fn long(m: &mut Machine<'_>, i: &Inst, f: impl Fn(u64, u64) -> bool) -> Done {
    let (a, b) = (m.src64(i, 0, false), m.src64(i, 1, false));
    finish(m, i, |l| f(a[l], b[l]))
}

/// The class bit of a number, from its parts.
fn class(negative: bool, is_max: bool, is_min: bool, mantissa: u64, quiet: bool) -> u32 {
    match (is_max, is_min, mantissa, negative) {
        (true, _, 0, true) => 1 << 2,
        (true, _, 0, false) => 1 << 9,
        (true, ..) if quiet => 1 << 1,
        (true, ..) => 1,
        (_, true, 0, true) => 1 << 5,
        (_, true, 0, false) => 1 << 6,
        (_, true, _, true) => 1 << 4,
        (_, true, _, false) => 1 << 7,
        (.., true) => 1 << 3,
        (.., false) => 1 << 8,
    }
}

fn class32(m: &mut Machine<'_>, i: &Inst) -> Done {
    let (mut a, mut b) = ([0; 64], [0; 64]);
    // Subnormals are seen as such whatever the mode.
    let (neg, abs) = (i.neg & 1, i.abs & 1);
    let (a, b) = (*m.src(i, 0, &mut a), *m.src(i, 1, &mut b));
    finish(m, i, |l| {
        let x = (if abs == 1 { a[l] & 0x7fff_ffff } else { a[l] }) ^ (neg as u32) << 31;
        let e = x >> 23 & 0xff;
        class(x >> 31 == 1, e == 255, e == 0, (x & 0x7f_ffff) as u64, x >> 22 & 1 == 1) & b[l] != 0
    })
}

fn class64(m: &mut Machine<'_>, i: &Inst) -> Done {
    let a = m.src64(i, 0, true);
    let mut b = [0; 64];
    let b = *m.src(i, 1, &mut b);
    finish(m, i, |l| {
        let (x, e) = (a[l], a[l] >> 52 & 0x7ff);
        class(x >> 63 == 1, e == 0x7ff, e == 0, x & ((1 << 52) - 1), x >> 51 & 1 == 1) & b[l] != 0
    })
}

fn class16(m: &mut Machine<'_>, i: &Inst) -> Done {
    let (a, b) = (m.src16(i, 0, Kind::Half), m.src16(i, 1, Kind::Short));
    finish(m, i, |l| {
        let (x, e) = (a[l], a[l] >> 10 & 31);
        class(x >> 15 & 1 == 1, e == 31, e == 0, (x & 0x3ff) as u64, x >> 9 & 1 == 1) & b[l] != 0
    })
}

macro_rules! floats {
    ($($run:ident $ty:literal),*) => {
        &[$(&[
            (concat!("f_", $ty), |m, i| $run(m, i, |_, _| false)),
            (concat!("lt_", $ty), |m, i| $run(m, i, |a, b| a < b)),
            (concat!("eq_", $ty), |m, i| $run(m, i, |a, b| a == b)),
            (concat!("le_", $ty), |m, i| $run(m, i, |a, b| a <= b)),
            (concat!("gt_", $ty), |m, i| $run(m, i, |a, b| a > b)),
            (concat!("lg_", $ty), |m, i| $run(m, i, |a, b| a < b || a > b)),
            (concat!("ge_", $ty), |m, i| $run(m, i, |a, b| a >= b)),
            (concat!("o_", $ty), |m, i| $run(m, i, |a, b| !a.is_nan() && !b.is_nan())),
            (concat!("u_", $ty), |m, i| $run(m, i, |a, b| a.is_nan() || b.is_nan())),
            (concat!("nge_", $ty), |m, i| $run(m, i, |a, b| !(a >= b))),
            (concat!("nlg_", $ty), |m, i| $run(m, i, |a, b| !(a < b || a > b))),
            (concat!("ngt_", $ty), |m, i| $run(m, i, |a, b| !(a > b))),
            (concat!("nle_", $ty), |m, i| $run(m, i, |a, b| !(a <= b))),
            (concat!("neq_", $ty), |m, i| $run(m, i, |a, b| a != b)),
            (concat!("nlt_", $ty), |m, i| $run(m, i, |a, b| !(a < b))),
            (concat!("tru_", $ty), |m, i| $run(m, i, |_, _| true)),
            (concat!("t_", $ty), |m, i| $run(m, i, |_, _| true)),
        ]),*]
    };
}

macro_rules! integers {
    ($($run:ident $ty:literal $as:ty),*) => {
        &[$(&[
            (concat!("f_", $ty), |m, i| $run(m, i, |_, _| false)),
            (concat!("lt_", $ty), |m, i| $run(m, i, |a, b| (a as $as) < b as $as)),
            (concat!("eq_", $ty), |m, i| $run(m, i, |a, b| a == b)),
            (concat!("le_", $ty), |m, i| $run(m, i, |a, b| a as $as <= b as $as)),
            (concat!("gt_", $ty), |m, i| $run(m, i, |a, b| a as $as > b as $as)),
            (concat!("ne_", $ty), |m, i| $run(m, i, |a, b| a != b)),
            (concat!("ge_", $ty), |m, i| $run(m, i, |a, b| a as $as >= b as $as)),
            (concat!("t_", $ty), |m, i| $run(m, i, |_, _| true)),
        ]),*]
    };
}

type Row = (&'static str, Exec);
// With NaN "less or greater" is not "not equal", and "not less" is not "greater or equal".
#[allow(clippy::neg_cmp_op_on_partial_ord, clippy::double_comparisons)]
const FLOATS: &[&[Row]] = floats!(float32 "f32", float16 "f16", float64 "f64");
#[allow(clippy::unnecessary_cast)]
const INTEGERS: &[&[Row]] = integers!(word "u32" u32, word "i32" i32, short "u16" u16, short "i16" i16, long "u64" u64, long "i64" i64);
const CLASSES: &[Row] = &[("class_f32", class32), ("class_f64", class64), ("class_f16", class16)];

/// What `v_cmp_*` or `v_cmpx_*` does.
pub(super) fn lookup(base: &str) -> Option<Exec> {
    let rest = base.strip_prefix("v_cmpx_").or_else(|| base.strip_prefix("v_cmp_"))?;
    let rows = FLOATS.iter().chain(INTEGERS).copied().flatten().chain(CLASSES);
    rows.into_iter().find(|(n, _)| *n == rest).map(|(_, e)| *e)
}
