//! [`Ladder`]: how the lanes of a full wave become one value.

use wavewise::{Backend, Op, Payload, Wave};

/// A wave-wide reduction whose result lane 0 holds.
pub trait Ladder: Copy + Send + Sync + 'static {
    /// The `N` values of `wave` as one, in lane 0; what the other lanes get is not promised.
    ///
    /// All `N` lanes are live and reach it together.
    #[track_caller]
    fn reduce<const N: u32, B: Backend, T: Payload, O: Op<T>>(
        self,
        wave: Wave<N, B>,
        value: T,
        operator: O,
    ) -> T;
}

/// The XOR butterfly: [`Wave::reduce`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Butterfly;

impl Ladder for Butterfly {
    #[inline(always)]
    #[track_caller]
    fn reduce<const N: u32, B: Backend, T: Payload, O: Op<T>>(
        self,
        wave: Wave<N, B>,
        value: T,
        operator: O,
    ) -> T {
        wave.reduce(value, operator)
    }
}

/// The shuffle-down ladder: [`Wave::reduce_to_first`].
///
/// The same tree as [`Butterfly`], so the same bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ShuffleDown;

impl Ladder for ShuffleDown {
    #[inline(always)]
    #[track_caller]
    fn reduce<const N: u32, B: Backend, T: Payload, O: Op<T>>(
        self,
        wave: Wave<N, B>,
        value: T,
        operator: O,
    ) -> T {
        wave.reduce_to_first(value, operator)
    }
}
