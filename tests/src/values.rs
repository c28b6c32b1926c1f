//! The payloads of the tests, with the values that break things.

use std::fmt::Debug;

use half::{bf16, f16};
use wavewise::{LaneMask, Payload};

use crate::operators::Affine;

/// The bits of a value, enough for each of them.
pub type Bits = [u128; 4];

/// A payload that tests can make and compare.
pub trait Value: Payload + Default + Debug + PartialEq {
    /// A value for each seed; about every third is one that breaks things.
    fn from_seed(seed: u64) -> Self;

    /// All bits that are the value's own, padding left out; of an array four elements at most.
    fn exact(self) -> Bits;

    /// The bits, with all NaNs as one.
    fn bits(self) -> Bits {
        self.exact()
    }
}

/// A second number from a seed (splitmix64), for payloads wider than 64 bits.
#[must_use]
pub fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

macro_rules! integers {
    ($($t:ty)*) => {$(
        impl Value for $t {
            fn from_seed(seed: u64) -> Self {
                let edges = [0, 1, <$t>::MAX, <$t>::MIN, <$t>::MAX - 1, <$t>::MAX / 2, !0];
                match seed % 3 {
                    0 => edges[(seed / 3 % 7) as usize],
                    1 => (seed / 3 % 100) as $t,
                    _ => (u128::from(mix(seed)) << 64 | u128::from(mix(!seed))) as $t,
                }
            }
            fn exact(self) -> Bits {
                [self as u128, 0, 0, 0]
            }
        }
    )*};
}

integers! { i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }

macro_rules! floats {
    ($($t:ty: $bits:ty;)*) => {$(
        impl Value for $t {
            fn from_seed(seed: u64) -> Self {
                let quiet = <$t>::NAN.to_bits();
                let edges = [
                    0, <$t>::INFINITY.to_bits(), quiet, quiet | 3, 1,
                    <$t>::MIN_POSITIVE.to_bits(), <$t>::MIN_POSITIVE.to_bits() - 1, <$t>::MAX.to_bits(),
                ];
                let sign = ((seed / 24 % 2) as $bits) << (<$bits>::BITS - 1);
                match seed % 3 {
                    0 => <$t>::from_bits(edges[(seed / 3 % 8) as usize] | sign),
                    // Numbers about 1, whose sums round: 0x3f with any lower bits.
                    1 => {
                        let lower = mix(seed) as $bits >> 9;
                        <$t>::from_bits(0x3f << (<$bits>::BITS - 8) | lower | sign)
                    }
                    _ => quieted(<$t>::from_bits(mix(seed) as $bits), quiet, <$t>::to_bits, <$t>::from_bits),
                }
            }
            fn exact(self) -> Bits {
                [u128::from(self.to_bits()), 0, 0, 0]
            }
            fn bits(self) -> Bits {
                if self.is_nan() { [u128::MAX; 4] } else { self.exact() }
            }
        }
    )*};
}

floats! { f16: u16; bf16: u16; f32: u32; f64: u64; }

/// Signalling NaNs made quiet: moving a float through a register may do so.
#[expect(clippy::eq_op, reason = "that is what a NaN is")]
fn quieted<T: Copy + PartialEq, B: core::ops::BitOr<Output = B>>(
    x: T,
    quiet: B,
    to_bits: fn(T) -> B,
    from_bits: fn(B) -> T,
) -> T {
    if x != x { from_bits(to_bits(x) | quiet) } else { x }
}

impl Value for bool {
    fn from_seed(seed: u64) -> Self {
        mix(seed) % 2 == 1
    }
    fn exact(self) -> Bits {
        [u128::from(self), 0, 0, 0]
    }
}

impl Value for LaneMask {
    fn from_seed(seed: u64) -> Self {
        Self::from_bits(u64::from_seed(seed))
    }
    fn exact(self) -> Bits {
        [u128::from(LaneMask::bits(self)), 0, 0, 0]
    }
}

impl<T: Value, const K: usize> Value for [T; K]
where
    [T; K]: Default,
{
    fn from_seed(seed: u64) -> Self {
        let mut state = seed;
        [(); K].map(|()| {
            state = mix(state);
            T::from_seed(state)
        })
    }
    fn exact(self) -> Bits {
        let mut bits = Bits::default();
        for (place, element) in bits.iter_mut().zip(self) {
            *place = element.exact()[0];
        }
        bits
    }
}

impl Value for Affine {
    fn from_seed(seed: u64) -> Self {
        Self { scale: mix(seed), offset: mix(!seed) }
    }
    fn exact(self) -> Bits {
        [u128::from(self.scale), u128::from(self.offset), 0, 0]
    }
}

/// A struct with padding before, between and after its fields' bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Payload)]
#[repr(C)]
pub struct Padded {
    flag: bool,
    wide: u64,
    narrow: u8,
    half: f16,
}

impl Value for Padded {
    fn from_seed(seed: u64) -> Self {
        Self {
            flag: bool::from_seed(seed),
            wide: mix(seed),
            narrow: u8::from_seed(mix(seed)),
            half: f16::from_seed(mix(!seed)),
        }
    }
    fn exact(self) -> Bits {
        [self.flag.exact()[0], self.wide.exact()[0], self.narrow.exact()[0], self.half.exact()[0]]
    }
}
