//! The ladder that was written for waves of 32 lanes.

use wavewise::{Backend, Op, Payload, Wave};

use crate::ladder::Ladder;

/// A shuffle-down ladder with strides 16, 8, 4, 2, 1: **wrong where a wave has more than 32 lanes.**
///
/// Five steps reach 32 lanes. On a wave of 64 the upper half never gets to lane 0: over ones the
/// result is half of the right one. On 32 lanes it is right. On fewer a stride beyond the wave gives
/// a lane its own value again, and sums grow.
///
/// The remedy: begin at half the wave's width.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StartAt16;

impl Ladder for StartAt16 {
    #[inline(always)]
    #[track_caller]
    fn reduce<const N: u32, B: Backend, T: Payload, O: Op<T>>(
        self,
        wave: Wave<N, B>,
        value: T,
        _operator: O,
    ) -> T {
        let mut total = value;
        // The fault: these strides are those of 32 lanes, whatever `N` is.
        let mut stride = 16;
        while stride > 0 {
            total = O::combine(total, wave.shuffle_down(total, stride));
            stride /= 2;
        }
        total
    }
}
