use core::fmt::Debug;

use half::{bf16, f16};
use proptest::prelude::*;

use super::*;
use crate::LaneMask;

/// A value as its bits; all NaNs are one.
trait Bits: Copy + Debug {
    fn bits(self) -> u128;
}

macro_rules! bits {
    ($($t:ty)*) => {$(
        impl Bits for $t {
            fn bits(self) -> u128 {
                self as u128
            }
        }
    )*};
    (floats: $($t:ty)*) => {$(
        impl Bits for $t {
            fn bits(self) -> u128 {
                if self.is_nan() { u128::MAX } else { u128::from(self.to_bits()) }
            }
        }
    )*};
}

bits! { i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize bool }
bits! { floats: f16 bf16 f32 f64 }

impl Bits for LaneMask {
    fn bits(self) -> u128 {
        u128::from(LaneMask::bits(self))
    }
}

/// What IEEE 754-2019 says of the four, case by case.
#[derive(Clone, Copy)]
struct Rule {
    smaller: bool,
    nan_wins: bool,
}

/// `(is NaN, sign, magnitude)` orders floats as a total order of numbers does.
fn by_the_rule(rule: Rule, a: (bool, i128), b: (bool, i128)) -> Option<bool> {
    match (a.0, b.0) {
        (true, true) => None,
        (true, false) => {
            if rule.nan_wins {
                None
            } else {
                Some(false)
            }
        }
        (false, true) => {
            if rule.nan_wins {
                None
            } else {
                Some(true)
            }
        }
        (false, false) => Some(if rule.smaller { a.1 <= b.1 } else { a.1 >= b.1 }),
    }
}

macro_rules! check_extrema {
    ($t:ty: $values:expr) => {
        for &a in $values {
            for &b in $values {
                let place = |x: $t| {
                    let magnitude = i128::from(
                        x.to_bits() & (<$t>::INFINITY.to_bits() | (<$t>::INFINITY.to_bits() - 1)),
                    );
                    // −0 lies one below +0.
                    let order = if x.is_sign_negative() { -1 - magnitude } else { magnitude };
                    (x.is_nan(), order)
                };
                let check = |name: &str, rule, got: $t| {
                    let expected = match by_the_rule(rule, place(a), place(b)) {
                        None => <$t>::NAN,
                        Some(true) => a,
                        Some(false) => b,
                    };
                    assert_eq!(got.bits(), expected.bits(), "{name}({a:?}, {b:?}) = {got:?}");
                };
                check("Min", Rule { smaller: true, nan_wins: false }, Min::combine(a, b));
                check("Max", Rule { smaller: false, nan_wins: false }, Max::combine(a, b));
                check("Minimum", Rule { smaller: true, nan_wins: true }, Minimum::combine(a, b));
                check("Maximum", Rule { smaller: false, nan_wins: true }, Maximum::combine(a, b));
            }
        }
    };
}

macro_rules! adversarial {
    ($t:ty) => {{
        let tiny = <$t>::from_bits(1);
        let nan = <$t>::from_bits(<$t>::INFINITY.to_bits() + 1);
        [
            <$t>::NAN,
            -<$t>::NAN,
            nan,
            <$t>::INFINITY,
            <$t>::NEG_INFINITY,
            <$t>::from_bits(0),
            -<$t>::from_bits(0),
            tiny,
            -tiny,
            <$t>::MIN_POSITIVE,
            -<$t>::MIN_POSITIVE,
            <$t>::from_bits(<$t>::MIN_POSITIVE.to_bits() - 1),
            <$t>::MAX,
            <$t>::MIN,
            <$t>::from_bits(<$t>::MAX.to_bits() / 2),
            -<$t>::from_bits(<$t>::MAX.to_bits() / 2),
        ]
    }};
}

#[test]
fn extrema_of_adversarial_floats() {
    check_extrema!(f32: &adversarial!(f32));
    check_extrema!(f64: &adversarial!(f64));
    check_extrema!(f16: &adversarial!(f16));
    check_extrema!(bf16: &adversarial!(bf16));
}

#[test]
fn nan_and_infinity_and_both_zeros_in_both_orders() {
    let (nan, inf) = (f32::NAN, f32::INFINITY);
    for (a, b) in [(inf, nan), (nan, inf)] {
        assert_eq!(Min::combine(a, b), inf);
        assert_eq!(Max::combine(a, b), inf);
        assert!(Minimum::combine(a, b).is_nan());
        assert!(Maximum::combine(a, b).is_nan());
    }
    for (a, b) in [(-1.0, nan), (nan, -1.0)] {
        assert_eq!(Min::combine(a, b), -1.0);
        assert_eq!(Max::combine(a, b), -1.0);
    }
    for (a, b) in [(0.0, -0.0f32), (-0.0, 0.0)] {
        assert_eq!(Min::combine(a, b).to_bits(), 0x8000_0000);
        assert_eq!(Minimum::combine(a, b).to_bits(), 0x8000_0000);
        assert_eq!(Max::combine(a, b).to_bits(), 0);
        assert_eq!(Maximum::combine(a, b).to_bits(), 0);
    }
}

/// The bits of the 16-bit float nearest to `exact`, ties to even: found among all of them.
fn nearest(exact: f64, infinity: u16, value: impl Fn(u16) -> f64) -> u16 {
    if exact.is_nan() {
        return infinity + 1;
    }
    let sign = if exact.is_sign_negative() { 0x8000 } else { 0 };
    let place = |magnitude| match magnitude == infinity {
        // Where the next value would lie if the exponent went on.
        true => 2.0 * value(infinity - 1) - value(infinity - 2),
        false => value(magnitude),
    };
    // The values around it.
    let (mut low, mut high) = (0, infinity);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if place(middle) <= exact.abs() { low = middle } else { high = middle }
    }
    let (to_low, to_high) = (exact.abs() - place(low), place(high) - exact.abs());
    let up = to_high < to_low || to_high == to_low && low % 2 == 1;
    sign | if up { high } else { low }
}

macro_rules! check_half {
    ($t:ty: $a:expr, $b:expr) => {
        let (a, b) = (<$t>::from_bits($a), <$t>::from_bits($b));
        let round = |exact| {
            <$t>::from_bits(nearest(exact, <$t>::INFINITY.to_bits(), |x| {
                <$t>::from_bits(x).to_f64()
            }))
        };
        let (sum, product) = (round(a.to_f64() + b.to_f64()), round(a.to_f64() * b.to_f64()));
        assert_eq!(Sum::combine(a, b).bits(), sum.bits(), "{a:?} + {b:?}");
        assert_eq!(Prod::combine(a, b).bits(), product.bits(), "{a:?} * {b:?}");
    };
}

macro_rules! check_integers {
    ($($t:ident)*) => {$(
        proptest! {
            #[test]
            fn $t(a in any::<$t>(), b in any::<$t>()) {
                // Long arithmetic, a bit at a time.
                let bit = |x: $t, place: u32| x >> place & 1 == 1;
                let mut carry = false;
                let mut product: $t = 0;
                for place in 0..$t::BITS {
                    let (x, y) = (bit(a, place), bit(b, place));
                    let sum = x ^ y ^ carry;
                    carry = x && y || carry && (x || y);
                    prop_assert_eq!(bit(Sum::combine(a, b), place), sum);
                    prop_assert_eq!(bit(And::combine(a, b), place), x && y);
                    prop_assert_eq!(bit(Or::combine(a, b), place), x || y);
                    prop_assert_eq!(bit(Xor::combine(a, b), place), x != y);
                    if y {
                        product = product.overflowing_add(a << place).0;
                    }
                }
                prop_assert_eq!(Prod::combine(a, b), product);
                let (low, high) = if a < b { (a, b) } else { (b, a) };
                prop_assert_eq!(Min::combine(a, b), low);
                prop_assert_eq!(Minimum::combine(a, b), low);
                prop_assert_eq!(Max::combine(a, b), high);
                prop_assert_eq!(Maximum::combine(a, b), high);
            }
        }
    )*};
}

mod integers {
    use super::*;
    check_integers! { i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }
}

/// `combine(e, x) == x == combine(x, e)`, bit for bit.
fn leaves_unchanged<T: Bits, O: Identity<T>>(name: &str, x: T) {
    let e = O::identity();
    assert_eq!(O::combine(e, x).bits(), x.bits(), "{name}(identity, {x:?})");
    assert_eq!(O::combine(x, e).bits(), x.bits(), "{name}({x:?}, identity)");
}

fn commutes<T: Bits, O: Op<T>>(name: &str, a: T, b: T) {
    assert_eq!(O::combine(a, b).bits(), O::combine(b, a).bits(), "{name}({a:?}, {b:?})");
    assert!(O::COMMUTES);
}

macro_rules! check_laws {
    ($values:expr; $t:ty: $($op:ident)*) => {$(
        for &a in $values {
            leaves_unchanged::<$t, $op>(stringify!($op), a);
            for &b in $values {
                commutes::<$t, $op>(stringify!($op), a, b);
            }
        }
    )*};
}

#[test]
fn identities_change_nothing_and_order_does_not_matter() {
    macro_rules! floats {
        ($($t:ty)*) => {$(
            check_laws!(&adversarial!($t); $t: Sum Prod Min Max Minimum Maximum);
        )*};
    }
    macro_rules! integers {
        ($($t:ty)*) => {$(
            check_laws!(&[0, 1, <$t>::MAX, <$t>::MIN, <$t>::MAX / 3, <$t>::MAX - 1, 7];
                $t: Sum Prod Min Max Minimum Maximum And Or Xor);
        )*};
    }
    floats! { f16 bf16 f32 f64 }
    integers! { i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }
    check_laws!(&[false, true]; bool: And Or Xor);
    check_laws!(&[LaneMask::EMPTY, LaneMask::ALL, LaneMask::single(63)]; LaneMask: And Or Xor);
}

#[test]
fn a_sum_of_nothing_is_the_zero_that_keeps_minus_zero() {
    assert_eq!(<Sum as Identity<f32>>::identity().to_bits(), 0x8000_0000);
    assert_eq!(<Sum as Identity<f16>>::identity().to_bits(), 0x8000);
    assert!(<Min as Identity<f64>>::identity().is_nan());
    assert_eq!(<Minimum as Identity<f32>>::identity(), f32::INFINITY);
    assert_eq!(<Maximum as Identity<bf16>>::identity(), bf16::NEG_INFINITY);
}

#[test]
fn bytes_wrap() {
    assert_eq!((0..64).fold(0u8, |sum, _| Sum::combine(sum, 255)), 192);
}

#[test]
fn half_precision_of_adversarial_values() {
    for a in adversarial!(f16).map(f16::to_bits) {
        for b in adversarial!(f16).map(f16::to_bits) {
            check_half!(f16: a, b);
        }
    }
    for a in adversarial!(bf16).map(bf16::to_bits) {
        for b in adversarial!(bf16).map(bf16::to_bits) {
            check_half!(bf16: a, b);
        }
    }
}

proptest! {
    #[test]
    fn half_precision_is_rounded_once(a in any::<u16>(), b in any::<u16>()) {
        check_half!(f16: a, b);
        check_half!(bf16: a, b);
    }

    #[test]
    fn extrema_of_any_floats(a in any::<u32>(), b in any::<u32>(), c in any::<u64>(), d in any::<u64>()) {
        check_extrema!(f32: &[f32::from_bits(a), f32::from_bits(b)]);
        check_extrema!(f64: &[f64::from_bits(c), f64::from_bits(d)]);
        check_extrema!(f16: &[f16::from_bits(a as u16), f16::from_bits(b as u16)]);
        check_extrema!(bf16: &[bf16::from_bits(a as u16), bf16::from_bits(b as u16)]);
    }

    #[test]
    fn sums_and_products_of_wide_floats_round_once(a in any::<f32>(), b in any::<f32>()) {
        prop_assert_eq!(Prod::combine(a, b).bits(), ((f64::from(a) * f64::from(b)) as f32).bits());
        prop_assert_eq!(Sum::combine(a, b).bits(), (a + b).bits());
        prop_assert_eq!(Sum::combine(f64::from(a), f64::from(b)).bits(), (f64::from(a) + f64::from(b)).bits());
    }
}
