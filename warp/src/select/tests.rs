use half::{bf16, f16};
use proptest::prelude::*;

use super::*;

#[test]
fn select_keeps_every_bit() {
    let odd_nan = f32::from_bits(0xffa0_0123);
    assert_eq!(select(true, odd_nan, 1.0).to_bits(), 0xffa0_0123);
    assert_eq!(select(false, 1.0, odd_nan).to_bits(), 0xffa0_0123);
    assert_eq!(select(true, [1u8, 2, 3], [4, 5, 6]), [1, 2, 3]);
    assert_eq!(select(false, (1u8, -2.5f64), (3, 4.5)), (3, 4.5));
}

#[test]
fn a_mask_chooses_by_its_members_and_no_lane_beyond_63_is_one() {
    let mask = LaneMask::from_bits(0x8000_0001_0000_0001);
    for lane in [0, 1, 31, 32, 33, 62, 63, 64, 65, 96, u32::MAX] {
        let expected = if [0, 32, 63].contains(&lane) { 'm' as u32 } else { 'o' as u32 };
        assert_eq!(select_by_mask(mask, lane, 'm' as u32, 'o' as u32), expected, "lane {lane}");
        assert_eq!(select_by_mask(LaneMask::ALL, lane, 1u8, 0), u8::from(lane < 64), "lane {lane}");
    }
}

#[test]
fn a_dropped_value_leaves_no_trace() {
    for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MIN, -0.0, -1e-45] {
        assert_eq!(zero_unless(false, value).to_bits(), 0);
        assert_eq!(zero_unless(true, value).to_bits(), value.to_bits());
    }
    assert_eq!(zero_unless(false, f16::NEG_INFINITY).to_bits(), 0);
    assert_eq!(zero_unless(false, bf16::NAN).to_bits(), 0);
    assert_eq!(zero_unless(false, i128::MIN), 0);
    assert_eq!(zero_unless(false, [f64::NAN; 4]).map(f64::to_bits), [0; 4]);
}

#[test]
fn clamp_keeps_nan_and_never_panics() {
    assert!(clamp(f32::NAN, 0.0, 1.0).is_nan());
    assert!(clamp(0.5, f64::NAN, 1.0).is_nan());
    assert!(clamp(0.5, 0.0, f64::NAN).is_nan());
    assert!(clamp(f16::NAN, f16::ZERO, f16::ONE).is_nan());
    assert_eq!(clamp(-0.0f32, 0.0, 1.0).to_bits(), 0);
    assert_eq!(clamp(f64::INFINITY, -1.0, 1.0), 1.0);
    assert_eq!(clamp(f64::NEG_INFINITY, -1.0, 1.0), -1.0);
    assert_eq!(clamp(0i8, 5, -5), -5);
}

#[test]
fn negation_turns_the_sign_bit_alone() {
    for bits in [0, 1, 0x7f80_0000, 0x7fc0_0001, 0xffa0_0123, 0x3f80_0000u32] {
        let value = f32::from_bits(bits);
        assert_eq!(negate_if(true, value).to_bits(), bits ^ 0x8000_0000);
        assert_eq!(negate_if(false, value).to_bits(), bits);
    }
    for bits in 0..=u16::MAX {
        assert_eq!(negate_if(true, f16::from_bits(bits)).to_bits(), bits ^ 0x8000);
        assert_eq!(negate_if(true, bf16::from_bits(bits)).to_bits(), bits ^ 0x8000);
    }
    assert_eq!(negate_if(true, -0.0f64).to_bits(), 0);
    assert_eq!(negate_if(true, i128::MIN), i128::MIN);
    assert_eq!(negate_if(true, 1u64), u64::MAX);
    assert_eq!(negate_if(true, 0usize), 0);
}

#[test]
fn bytes_saturate_as_wide_arithmetic_says() {
    for a in i16::from(i8::MIN)..=i16::from(u8::MAX) {
        for b in i16::from(i8::MIN)..=i16::from(u8::MAX) {
            if let (Ok(x), Ok(y)) = (i8::try_from(a), i8::try_from(b)) {
                assert_eq!(i16::from(saturating_add(x, y)), (a + b).clamp(-128, 127));
                assert_eq!(i16::from(saturating_sub(x, y)), (a - b).clamp(-128, 127));
            }
            if let (Ok(x), Ok(y)) = (u8::try_from(a), u8::try_from(b)) {
                assert_eq!(i16::from(saturating_add(x, y)), (a + b).clamp(0, 255));
                assert_eq!(i16::from(saturating_sub(x, y)), (a - b).clamp(0, 255));
            }
        }
    }
}

/// Every pair of integer types, against 128-bit arithmetic.
macro_rules! every_cast {
    ($value:expr; $($from:ty)*) => {$(
        every_cast!($value, $from; i8 i16 i32 i64 isize u8 u16 u32 u64 usize);
    )*};
    ($value:expr, $from:ty; $($to:ty)*) => {$(
        let value = $value as $from;
        let expected = (value as i128).clamp(<$to>::MIN as i128, <$to>::MAX as i128);
        prop_assert_eq!(
            saturating_cast::<$to, $from>(value) as i128, expected,
            "{} from {} to {}", value, stringify!($from), stringify!($to)
        );
    )*};
}

fn edges() -> impl Strategy<Value = i128> {
    let edge = prop::sample::select(&[7, 8, 15, 16, 31, 32, 63, 64][..]);
    prop_oneof![
        any::<u64>().prop_map(i128::from),
        any::<i64>().prop_map(i128::from),
        (edge, -2i128..=2, any::<bool>()).prop_map(move |(bits, off, minus)| ((1i128 << bits)
            + off)
            * if minus { -1 } else { 1 }),
    ]
}

proptest! {
    #[test]
    fn integer_casts_keep_what_fits_and_hold_what_does_not(value in edges()) {
        every_cast!(value; i8 i16 i32 i64 isize u8 u16 u32 u64 usize);
    }

    #[test]
    fn min_max_and_clamp_of_integers_are_those_of_the_standard_library(
        a in any::<i64>(), b in any::<i64>(), c in any::<i64>()
    ) {
        prop_assert_eq!(min(a, b), a.min(b));
        prop_assert_eq!(max(a, b), a.max(b));
        prop_assert_eq!(clamp(a, b.min(c), b.max(c)), a.clamp(b.min(c), b.max(c)));
        prop_assert_eq!(negate_if(true, a), a.wrapping_neg());
        prop_assert_eq!(negate_if(true, a as u16), (a as u16).wrapping_neg());
    }

    #[test]
    fn clamp_of_ordinary_floats_is_that_of_the_standard_library(
        a in -1e3..1e3f32, b in -1e3..1e3f32, c in -1e3..1e3f32
    ) {
        prop_assert_eq!(clamp(a, b.min(c), b.max(c)), a.clamp(b.min(c), b.max(c)));
    }
}

#[test]
fn floats_cast_towards_zero_and_nan_becomes_zero() {
    assert_eq!(saturating_cast::<i32, _>(f32::NAN), 0);
    assert_eq!(saturating_cast::<u64, _>(f64::NAN), 0);
    assert_eq!(saturating_cast::<i8, _>(f16::NAN), 0);
    assert_eq!(saturating_cast::<i8, _>(bf16::NEG_INFINITY), -128);
    assert_eq!(saturating_cast::<i32, _>(f32::INFINITY), i32::MAX);
    assert_eq!(saturating_cast::<i32, _>(2_147_483_648.0f32), i32::MAX);
    assert_eq!(saturating_cast::<i32, _>(-2_147_483_648.0f32), i32::MIN);
    assert_eq!(saturating_cast::<u8, _>(-0.99f32), 0);
    assert_eq!(saturating_cast::<u8, _>(255.99f64), 255);
    assert_eq!(saturating_cast::<i16, _>(-1.99f64), -1);
    assert_eq!(saturating_cast::<u16, _>(f16::MAX), 65504);
    assert_eq!(saturating_cast::<u64, _>(1.9e19f64), u64::MAX);
}
