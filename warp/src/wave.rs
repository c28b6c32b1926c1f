//! [`Wave`]: the lanes that work together.

use core::fmt;
use core::marker::PhantomData;

use crate::backend::{Backend, Native};
use crate::operator::{Identity, Op};
use crate::payload::Payload;
use crate::plain::algorithms::{broadcast, reduce, shuffle, vote};
use crate::{LaneMask, Masked};

/// `N` lanes that run together, with the collectives over them.
///
/// `N` is a power of two from 1 to 64. Where it is less than the hardware's width the wave is a
/// segment of it, and nothing crosses its edge. Lane numbers, masks and deltas count from the
/// segment's first lane.
///
/// ```
/// use wavewise::sim::Launch;
/// use wavewise::{Device, Sum};
///
/// // The same kernel on waves of 32 and of 64 lanes.
/// fn kernel<const W: u32, D: Device<W>>(dev: D) {
///     // SAFETY: no branch before or between the collectives.
///     let wave = unsafe { dev.wave::<W>() };
///     assert_eq!(wave.reduce(1u32, Sum), W);
///     assert_eq!(wave.ballot(wave.lane() == W - 1).bits(), 1 << (W - 1));
///     assert_eq!(wave.shuffle_up(wave.lane(), 1), wave.lane().saturating_sub(1));
/// }
/// Launch::<32>::new(1, 64).run(kernel)?;
/// Launch::<64>::new(1, 64).run(kernel)?;
/// # Ok::<(), wavewise::sim::Report>(())
/// ```
pub struct Wave<const N: u32, B: Backend = Native> {
    _backend: PhantomData<B>,
    _on_this_lane: PhantomData<*const ()>,
}

impl<const N: u32, B: Backend> Clone for Wave<N, B> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<const N: u32, B: Backend> Copy for Wave<N, B> {}

impl<const N: u32> Wave<N> {
    /// The wave of the calling lane.
    ///
    /// A kernel over [`Device`](crate::Device) takes its wave from there instead.
    ///
    /// # Safety
    ///
    /// Every later collective through this handle and its copies is reached by all live lanes of
    /// the *hardware* wave together, and every collective through [`masked`](Wave::masked) by
    /// exactly the lanes of its mask together. The simulator reports a breach; hardware gives
    /// wrong values or hangs.
    ///
    /// # Panics
    ///
    /// Where the width is known at run time only (on a host): if `N` is more than the width.
    /// Elsewhere that does not compile, nor does an `N` that is no power of two from 1 to 64.
    #[inline(always)]
    #[track_caller]
    #[must_use]
    pub unsafe fn converged() -> Self {
        // SAFETY: the same contract.
        unsafe { Self::assume_converged() }
    }
}

impl<const N: u32, B: Backend> Wave<N, B> {
    /// [`converged`](Wave::converged) over any backend.
    ///
    /// # Safety
    /// The same.
    #[inline(always)]
    #[track_caller]
    pub(crate) unsafe fn assume_converged() -> Self {
        const {
            assert!(
                N.is_power_of_two() && N <= LaneMask::CAPACITY,
                "the width of a wave is a power of two from 1 to 64"
            );
            assert!(
                B::WIDTH == 0 || N <= B::WIDTH,
                "the wave is wider than the target's hardware wave"
            );
        }
        if B::WIDTH == 0 {
            let width = B::width();
            assert!(N <= width, "a wave of {N} lanes on hardware waves of {width}");
        }
        Self { _backend: PhantomData, _on_this_lane: PhantomData }
    }

    /// `N`.
    #[inline(always)]
    #[must_use]
    pub const fn width(self) -> u32 {
        N
    }

    /// This lane's number, `0..N`.
    #[inline(always)]
    #[must_use]
    pub fn lane(self) -> u32 {
        shuffle::lane::<B, N>()
    }

    /// The lanes of this wave that were launched and have not returned.
    ///
    /// One ballot.
    #[inline(always)]
    #[track_caller]
    #[must_use]
    pub fn live(self) -> LaneMask {
        self.ballot(true)
    }

    /// `value` of lane `source % N`, which must be live.
    ///
    /// One shuffle a 32-bit word of `T`, as all shuffles.
    #[inline(always)]
    #[track_caller]
    pub fn shuffle<T: Payload>(self, value: T, source: u32) -> T {
        B::begin("shuffle");
        // SAFETY: `Wave` was made on the promise that all live lanes reach this together.
        unsafe { shuffle::index::<B, T, N>(value, source) }
    }

    /// `value` of the lane `delta` below; the own value where there is none in this wave.
    ///
    /// `delta` is the same in all lanes.
    #[inline(always)]
    #[track_caller]
    pub fn shuffle_up<T: Payload>(self, value: T, delta: u32) -> T {
        self.shuffle_up_checked(value, delta).0
    }

    /// [`shuffle_up`](Self::shuffle_up), and whether there was such a lane.
    #[inline(always)]
    #[track_caller]
    pub fn shuffle_up_checked<T: Payload>(self, value: T, delta: u32) -> (T, bool) {
        B::begin("shuffle_up");
        // SAFETY: as in `shuffle`.
        unsafe { B::shuffle_up::<T, N>(value, delta) }
    }

    /// `value` of the lane `delta` above; the own value where there is none in this wave.
    ///
    /// `delta` is the same in all lanes.
    #[inline(always)]
    #[track_caller]
    pub fn shuffle_down<T: Payload>(self, value: T, delta: u32) -> T {
        self.shuffle_down_checked(value, delta).0
    }

    /// [`shuffle_down`](Self::shuffle_down), and whether there was such a lane.
    #[inline(always)]
    #[track_caller]
    pub fn shuffle_down_checked<T: Payload>(self, value: T, delta: u32) -> (T, bool) {
        B::begin("shuffle_down");
        // SAFETY: as in `shuffle`.
        unsafe { B::shuffle_down::<T, N>(value, delta) }
    }

    /// `value` of lane `lane ^ mask`; the own value where `mask` is `N` or more.
    ///
    /// `mask` is the same in all lanes.
    #[inline(always)]
    #[track_caller]
    pub fn shuffle_xor<T: Payload>(self, value: T, mask: u32) -> T {
        B::begin("shuffle_xor");
        // SAFETY: as in `shuffle`.
        unsafe { shuffle::xor::<B, T, N>(value, mask) }
    }

    /// `value` of lane `lane % N` in all lanes; it must be live, and the same in all lanes.
    #[inline(always)]
    #[track_caller]
    pub fn broadcast<T: Payload>(self, value: T, lane: u32) -> T {
        B::begin("broadcast");
        // SAFETY: as in `shuffle`.
        unsafe { B::broadcast::<T, N>(value, lane & (N - 1)) }
    }

    /// `value` of the lowest live lane in all lanes.
    #[inline(always)]
    #[track_caller]
    pub fn broadcast_first<T: Payload>(self, value: T) -> T {
        B::begin("broadcast_first");
        // SAFETY: as in `shuffle`.
        unsafe { B::broadcast_first::<T, N>(value) }
    }

    /// The live lanes whose `vote` is true.
    #[inline(always)]
    #[track_caller]
    #[must_use]
    pub fn ballot(self, vote: bool) -> LaneMask {
        B::begin("ballot");
        // SAFETY: as in `shuffle`.
        unsafe { vote::ballot::<B, N>(vote) }
    }

    /// Whether any live lane's `vote` is true.
    #[inline(always)]
    #[track_caller]
    #[must_use]
    pub fn any(self, vote: bool) -> bool {
        B::begin("any");
        // SAFETY: as in `shuffle`.
        unsafe { B::any::<N>(vote) }
    }

    /// Whether every live lane's `vote` is true.
    #[inline(always)]
    #[track_caller]
    #[must_use]
    pub fn all(self, vote: bool) -> bool {
        B::begin("all");
        // SAFETY: as in `shuffle`.
        unsafe { B::all::<N>(vote) }
    }

    /// Whether all live lanes hold equal values, by `==`: NaN is never equal, −0 and +0 are.
    #[inline(always)]
    #[track_caller]
    #[must_use]
    pub fn uniform<T: Payload + PartialEq>(self, value: T) -> bool {
        B::begin("uniform");
        // SAFETY: as in `shuffle`.
        unsafe { broadcast::uniform::<B, T, N>(value) }
    }

    /// True in one live lane of the wave, the lowest.
    #[inline(always)]
    #[track_caller]
    #[must_use]
    pub fn elect(self) -> bool {
        B::begin("elect");
        // SAFETY: as in `shuffle`.
        let live = unsafe { vote::ballot::<B, N>(true) };
        live.lowest_or_capacity() == self.lane()
    }

    /// What any lane of the hardware wave wrote to memory before, all see after.
    #[inline(always)]
    #[track_caller]
    pub fn sync(self) {
        B::begin("sync");
        // SAFETY: as in `shuffle`.
        unsafe { B::sync() }
    }

    /// All `N` values as one, in every lane; all `N` lanes must be live.
    ///
    /// An XOR butterfly over strides 1, 2, 4 … `N / 2`: log₂ `N` shuffles and combinations. Lower
    /// lanes are the left operands, so an operator need not commute.
    ///
    /// | lane | 0 | 1 | 2 | 3 |
    /// |---|---|---|---|---|
    /// | `value` | a | b | c | d |
    /// | stride 1 | a∘b | a∘b | c∘d | c∘d |
    /// | stride 2 | (a∘b)∘(c∘d) | (a∘b)∘(c∘d) | (a∘b)∘(c∘d) | (a∘b)∘(c∘d) |
    #[inline(always)]
    #[track_caller]
    pub fn reduce<T: Payload, O: Op<T>>(self, value: T, operator: O) -> T {
        B::begin("reduce");
        let _ = operator;
        // SAFETY: as in `shuffle`; that all lanes are live is this method's contract too.
        unsafe { B::reduce::<T, O, N>(value) }
    }

    /// All `N` values as one, in lane 0; what the other lanes get is a part of it. All `N` lanes
    /// must be live.
    ///
    /// The shuffle-down ladder, with the tree of [`reduce`](Self::reduce). Prefer `reduce`: it
    /// costs the same and leaves the result everywhere.
    #[inline(always)]
    #[track_caller]
    pub fn reduce_to_first<T: Payload, O: Op<T>>(self, value: T, operator: O) -> T {
        B::begin("reduce_to_first");
        let _ = operator;
        // SAFETY: as in `reduce`.
        unsafe { reduce::to_first::<B, T, O, N>(value) }
    }

    /// The values of lanes `0..valid` as one, in every lane; the identity where `valid` is 0.
    ///
    /// `valid` above `N` is `N`; it is the same in all lanes of the wave, and lanes below it must
    /// be live. The operator never sees another lane's value. The tree is that of
    /// [`reduce`](Self::reduce) without the missing leaves.
    #[inline(always)]
    #[track_caller]
    pub fn reduce_partial<T: Payload, O: Identity<T>>(
        self,
        value: T,
        operator: O,
        valid: u32,
    ) -> T {
        self.try_reduce_partial(value, operator, valid).unwrap_or_else(O::identity)
    }

    /// [`reduce_partial`](Self::reduce_partial) for an operator without identity: `None` where
    /// `valid` is 0.
    #[inline(always)]
    #[track_caller]
    pub fn try_reduce_partial<T: Payload, O: Op<T>>(
        self,
        value: T,
        operator: O,
        valid: u32,
    ) -> Option<T> {
        B::begin("reduce_partial");
        let _ = operator;
        let lanes = reduce::leading::<B, N>(valid);
        // SAFETY: as in `reduce`, for the lanes below `valid`.
        let total = unsafe {
            B::agree::<N>("valid", valid);
            reduce::over_valid::<B, T, O, N>(value, lanes)
        };
        (!lanes.is_empty()).then_some(total)
    }

    /// The lanes of `members` alone, for code that only they reach.
    ///
    /// `members` counts from this wave's lane 0; bits at `N` and above are ignored. The calling
    /// lane is a member, and every collective through the handle is reached by exactly the
    /// members together.
    ///
    /// ```
    /// use wavewise::sim::Launch;
    /// use wavewise::{Device, Sum};
    ///
    /// fn kernel<const W: u32, D: Device<W>>(dev: D) {
    ///     // SAFETY: the branches below use the masked form.
    ///     let wave = unsafe { dev.wave::<W>() };
    ///     let odd = wave.lane() % 2 == 1;
    ///     let odds = wave.ballot(odd);
    ///     if odd {
    ///         assert_eq!(wave.masked(odds).reduce(1u32, Sum), W / 2);
    ///     } else {
    ///         assert_eq!(wave.masked(!odds).reduce(2u32, Sum), W);
    ///     }
    /// }
    /// Launch::<32>::new(1, 32).run(kernel)?;
    /// Launch::<64>::new(1, 64).run(kernel)?;
    /// # Ok::<(), wavewise::sim::Report>(())
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn masked(self, members: LaneMask) -> Masked<N, B> {
        Masked::new(self, members)
    }
}

impl<const N: u32, B: Backend> fmt::Debug for Wave<N, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Wave<{N}>")
    }
}
