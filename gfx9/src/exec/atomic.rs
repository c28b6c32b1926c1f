//! What atomics do to a value, in LDS and in memory (MI300 ISA §12.14 and §12.15.1).

use super::round::{Round, from16, to16};

/// An atomic operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Atomic {
    Swap,
    CompareSwap,
    Add,
    Sub,
    ReverseSub,
    SMin,
    UMin,
    SMax,
    UMax,
    And,
    Or,
    Xor,
    Inc,
    Dec,
    AddF,
    MinF,
    MaxF,
    PkAddF16,
    PkAddBf16,
}

/// The new value; `size` is 4 or 8 bytes.
pub(super) fn apply(op: Atomic, size: usize, old: u64, data: u64, compare: u64) -> u64 {
    let signed = |x: u64| if size == 4 { x as u32 as i32 as i64 } else { x as i64 };
    let float = |f: &dyn Fn(f64, f64) -> f64, g: &dyn Fn(f32, f32) -> f32| {
        if size == 4 {
            g(f32::from_bits(old as u32), f32::from_bits(data as u32)).to_bits() as u64
        } else {
            f(f64::from_bits(old), f64::from_bits(data)).to_bits()
        }
    };
    let v = match op {
        Atomic::Swap => data,
        Atomic::CompareSwap if old == compare => data,
        Atomic::CompareSwap => old,
        Atomic::Add => old.wrapping_add(data),
        Atomic::Sub => old.wrapping_sub(data),
        Atomic::ReverseSub => data.wrapping_sub(old),
        Atomic::SMin => signed(old).min(signed(data)) as u64,
        Atomic::SMax => signed(old).max(signed(data)) as u64,
        Atomic::UMin => old.min(data),
        Atomic::UMax => old.max(data),
        Atomic::And => old & data,
        Atomic::Or => old | data,
        Atomic::Xor => old ^ data,
        Atomic::Inc if old >= data => 0,
        Atomic::Inc => old + 1,
        Atomic::Dec if old == 0 || old > data => data,
        Atomic::Dec => old - 1,
        Atomic::AddF => float(&|a, b| a + b, &|a, b| a + b),
        Atomic::MinF => float(&f64::min, &f32::min),
        Atomic::MaxF => float(&f64::max, &f32::max),
        Atomic::PkAddF16 => {
            let half = |s: u32| {
                to16(
                    from16(old as u32 >> s & 0xffff) + from16(data as u32 >> s & 0xffff),
                    Round::NEAREST,
                )
            };
            (half(0) | half(16) << 16) as u64
        }
        Atomic::PkAddBf16 => {
            let half = |s: u32| {
                let f = |x: u64| f32::from_bits((x as u32 >> s) << 16) as f64;
                super::round::narrow(f(old) + f(data), 7, 8, Round::NEAREST)
            };
            (half(0) | half(16) << 16) as u64
        }
    };
    if size == 4 { v as u32 as u64 } else { v }
}

/// Names without prefix: the operation, and whether the name implies 8 bytes.
pub(super) const NAMES: &[(&str, Atomic, usize)] = &[
    ("swap", Atomic::Swap, 4),
    ("swap_x2", Atomic::Swap, 8),
    ("swap_b32", Atomic::Swap, 4),
    ("swap_b64", Atomic::Swap, 8),
    ("cmpswap", Atomic::CompareSwap, 4),
    ("cmpswap_x2", Atomic::CompareSwap, 8),
    ("cmpswap_b32", Atomic::CompareSwap, 4),
    ("cmpswap_b64", Atomic::CompareSwap, 8),
    ("add", Atomic::Add, 4),
    ("add_x2", Atomic::Add, 8),
    ("add_u32", Atomic::Add, 4),
    ("add_u64", Atomic::Add, 8),
    ("sub", Atomic::Sub, 4),
    ("sub_x2", Atomic::Sub, 8),
    ("sub_u32", Atomic::Sub, 4),
    ("sub_u64", Atomic::Sub, 8),
    ("rsub_u32", Atomic::ReverseSub, 4),
    ("rsub_u64", Atomic::ReverseSub, 8),
    ("smin", Atomic::SMin, 4),
    ("smin_x2", Atomic::SMin, 8),
    ("min_i32", Atomic::SMin, 4),
    ("min_i64", Atomic::SMin, 8),
    ("umin", Atomic::UMin, 4),
    ("umin_x2", Atomic::UMin, 8),
    ("min_u32", Atomic::UMin, 4),
    ("min_u64", Atomic::UMin, 8),
    ("smax", Atomic::SMax, 4),
    ("smax_x2", Atomic::SMax, 8),
    ("max_i32", Atomic::SMax, 4),
    ("max_i64", Atomic::SMax, 8),
    ("umax", Atomic::UMax, 4),
    ("umax_x2", Atomic::UMax, 8),
    ("max_u32", Atomic::UMax, 4),
    ("max_u64", Atomic::UMax, 8),
    ("and", Atomic::And, 4),
    ("and_x2", Atomic::And, 8),
    ("and_b32", Atomic::And, 4),
    ("and_b64", Atomic::And, 8),
    ("or", Atomic::Or, 4),
    ("or_x2", Atomic::Or, 8),
    ("or_b32", Atomic::Or, 4),
    ("or_b64", Atomic::Or, 8),
    ("xor", Atomic::Xor, 4),
    ("xor_x2", Atomic::Xor, 8),
    ("xor_b32", Atomic::Xor, 4),
    ("xor_b64", Atomic::Xor, 8),
    ("inc", Atomic::Inc, 4),
    ("inc_x2", Atomic::Inc, 8),
    ("inc_u32", Atomic::Inc, 4),
    ("inc_u64", Atomic::Inc, 8),
    ("dec", Atomic::Dec, 4),
    ("dec_x2", Atomic::Dec, 8),
    ("dec_u32", Atomic::Dec, 4),
    ("dec_u64", Atomic::Dec, 8),
    ("add_f32", Atomic::AddF, 4),
    ("add_f64", Atomic::AddF, 8),
    ("min_f32", Atomic::MinF, 4),
    ("min_f64", Atomic::MinF, 8),
    ("max_f32", Atomic::MaxF, 4),
    ("max_f64", Atomic::MaxF, 8),
    ("min_num_f32", Atomic::MinF, 4),
    ("max_num_f32", Atomic::MaxF, 4),
    ("pk_add_f16", Atomic::PkAddF16, 4),
    ("pk_add_bf16", Atomic::PkAddBf16, 4),
];
