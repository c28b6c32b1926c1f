//! [`LaneMask`]: a set of lanes, 64 bits on every target.

use core::fmt;
use core::ops::{
    BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub, SubAssign,
};

/// A set of lanes: bit `i` is lane `i`.
///
/// It has 64 bits whatever the width of the wave, so a ballot of a 64-lane wave loses nothing and
/// the same code is right on 32 lanes, where the upper half is empty. Every function is total: no
/// lane number or count overflows a shift.
///
/// ```
/// use wavewise::LaneMask;
///
/// let odd = LaneMask::from_bits(0b1010);
/// assert_eq!(odd.count(), 2);
/// assert_eq!(odd.rank(3), 1);              // one member lies below lane 3
/// assert_eq!(odd.nth(1), Some(3));         // the second member
/// assert_eq!(LaneMask::first(64), LaneMask::ALL);
/// assert_eq!(odd.iter().collect::<Vec<_>>(), [1, 3]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
#[repr(transparent)]
pub struct LaneMask(u64);

// SAFETY: `LaneMask` is `repr(transparent)` over `u64`.
unsafe impl bytemuck::Zeroable for LaneMask {}
// SAFETY: `LaneMask` is `repr(transparent)` over `u64`; every bit pattern is a set of lanes.
unsafe impl bytemuck::Pod for LaneMask {}

impl LaneMask {
    /// The largest number of lanes that a mask can name.
    pub const CAPACITY: u32 = u64::BITS;
    /// No lane.
    pub const EMPTY: Self = Self(0);
    /// All 64 lanes.
    pub const ALL: Self = Self(u64::MAX);

    /// The set whose bit `i` is lane `i`.
    #[inline(always)]
    #[must_use]
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// Bit `i` is lane `i`.
    #[inline(always)]
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Lane `lane` alone; empty where `lane` is 64 or more.
    #[inline(always)]
    #[must_use]
    pub const fn single(lane: u32) -> Self {
        if lane < Self::CAPACITY { Self(1 << lane) } else { Self::EMPTY }
    }

    /// Lanes `0..n`; all of them where `n` is 64 or more.
    #[inline(always)]
    #[must_use]
    pub const fn first(n: u32) -> Self {
        if n < Self::CAPACITY { Self((1 << n) - 1) } else { Self::ALL }
    }

    /// Lanes `start..start + count`, as far as they exist.
    #[inline(always)]
    #[must_use]
    pub const fn range(start: u32, count: u32) -> Self {
        Self(Self::first(start.saturating_add(count)).0 & !Self::first(start).0)
    }

    /// The lanes below `lane`, without it.
    #[inline(always)]
    #[must_use]
    pub const fn below(lane: u32) -> Self {
        Self::first(lane)
    }

    /// The lanes above `lane`, without it.
    #[inline(always)]
    #[must_use]
    pub const fn above(lane: u32) -> Self {
        Self(!Self::first(lane.saturating_add(1)).0)
    }

    /// How many lanes.
    #[inline(always)]
    #[must_use]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether there is no lane in it.
    #[inline(always)]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether `lane` is a member; no lane from 64 upward is.
    #[inline(always)]
    #[must_use]
    pub const fn contains(self, lane: u32) -> bool {
        self.0 & Self::single(lane).0 != 0
    }

    /// How many members lie below `lane`: the place of `lane` among them.
    #[inline(always)]
    #[must_use]
    pub const fn rank(self, lane: u32) -> u32 {
        self.intersect(Self::below(lane)).count()
    }

    /// The lowest member.
    #[inline(always)]
    #[must_use]
    pub const fn lowest(self) -> Option<u32> {
        if self.is_empty() { None } else { Some(self.0.trailing_zeros()) }
    }

    /// The lowest member, or 64 where there is none.
    #[inline(always)]
    #[must_use]
    pub const fn lowest_or_capacity(self) -> u32 {
        self.0.trailing_zeros()
    }

    /// The highest member.
    #[inline(always)]
    #[must_use]
    pub const fn highest(self) -> Option<u32> {
        if self.is_empty() { None } else { Some(Self::CAPACITY - 1 - self.0.leading_zeros()) }
    }

    /// The member with `k` members below it, counted from 0.
    ///
    /// Six steps of popcount and select, whatever the mask.
    #[inline]
    #[must_use]
    pub const fn nth(self, k: u32) -> Option<u32> {
        if k >= self.count() {
            return None;
        }
        let mut bits = self.0;
        let mut skip = k;
        let mut lane = 0;
        let mut half = Self::CAPACITY / 2;
        while half > 0 {
            let low = (bits & Self::first(half).0).count_ones();
            if skip >= low {
                skip -= low;
                lane += half;
                bits >>= half;
            }
            half /= 2;
        }
        Some(lane)
    }

    /// The lanes in both.
    #[inline(always)]
    #[must_use]
    pub const fn intersect(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The segment of `width` lanes that starts at lane `start`, moved down so that its first lane
    /// is bit 0.
    #[inline(always)]
    #[must_use]
    pub const fn segment(self, start: u32, width: u32) -> Self {
        if start < Self::CAPACITY {
            Self((self.0 >> start) & Self::first(width).0)
        } else {
            Self::EMPTY
        }
    }

    /// Moves every member up by `start`, the reverse of [`segment`](Self::segment); lanes that
    /// would lie beyond 63 fall away.
    #[inline(always)]
    #[must_use]
    pub const fn raised(self, start: u32) -> Self {
        if start < Self::CAPACITY { Self(self.0 << start) } else { Self::EMPTY }
    }

    /// The members in ascending order.
    #[inline]
    #[must_use]
    pub const fn iter(self) -> Lanes {
        Lanes(self)
    }
}

/// The members of a [`LaneMask`] in ascending order.
#[derive(Clone, Debug)]
pub struct Lanes(LaneMask);

impl Iterator for Lanes {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        let lane = self.0.lowest()?;
        self.0.0 &= self.0.0 - 1;
        Some(lane)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.count() as usize;
        (count, Some(count))
    }
}

impl ExactSizeIterator for Lanes {}
impl core::iter::FusedIterator for Lanes {}

impl DoubleEndedIterator for Lanes {
    #[inline]
    fn next_back(&mut self) -> Option<u32> {
        let lane = self.0.highest()?;
        self.0 -= LaneMask::single(lane);
        Some(lane)
    }
}

impl IntoIterator for LaneMask {
    type Item = u32;
    type IntoIter = Lanes;

    fn into_iter(self) -> Lanes {
        self.iter()
    }
}

impl FromIterator<u32> for LaneMask {
    fn from_iter<I: IntoIterator<Item = u32>>(lanes: I) -> Self {
        lanes.into_iter().fold(Self::EMPTY, |set, lane| set | Self::single(lane))
    }
}

impl From<LaneMask> for u64 {
    fn from(mask: LaneMask) -> u64 {
        mask.0
    }
}

impl From<u64> for LaneMask {
    fn from(bits: u64) -> Self {
        Self(bits)
    }
}

macro_rules! bit_operators {
    ($($op:ident $method:ident $assign:ident $assign_method:ident: |$a:ident, $b:ident| $body:expr;)*) => {$(
        impl $op for LaneMask {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                let ($a, $b) = (self.0, other.0);
                Self($body)
            }
        }
        impl $assign for LaneMask {
            #[inline(always)]
            fn $assign_method(&mut self, other: Self) {
                *self = $op::$method(*self, other);
            }
        }
    )*};
}

bit_operators! {
    BitAnd bitand BitAndAssign bitand_assign: |a, b| a & b;
    BitOr bitor BitOrAssign bitor_assign: |a, b| a | b;
    BitXor bitxor BitXorAssign bitxor_assign: |a, b| a ^ b;
    Sub sub SubAssign sub_assign: |a, b| a & !b;
}

impl Not for LaneMask {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl fmt::Debug for LaneMask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LaneMask({:#018x})", self.0)
    }
}

/// The members as ranges: `0..=15, 20`; `none` where it is empty.
impl fmt::Display for LaneMask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("none");
        }
        let mut rest = *self;
        while let Some(start) = rest.lowest() {
            let run = (rest.0 >> start).trailing_ones();
            if rest != *self {
                f.write_str(", ")?;
            }
            match run {
                1 => write!(f, "{start}")?,
                _ => write!(f, "{start}..={}", start + run - 1)?,
            }
            rest -= Self::range(start, run);
        }
        Ok(())
    }
}

impl fmt::LowerHex for LaneMask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::LowerHex::fmt(&self.0, f)
    }
}

impl fmt::Binary for LaneMask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Binary::fmt(&self.0, f)
    }
}

#[cfg(test)]
mod tests;
