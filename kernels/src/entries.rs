//! What a host launches by name: the exercise and its starters for each operator and type.
//!
//! An entry is named `{kernel}_{operator}_{type}`, such as `butterfly_sum_f32`, and takes the input
//! and the partials, each an address and a number of elements of 64 bits.

use wavewise::{Max, Min, Sum, entry};

use crate::ladder::{Butterfly, ShuffleDown};
use crate::reduce::reduce;
use crate::starters::{StartAt16, lost_waves};

macro_rules! entries {
    ($($t:ty, $operator:ident: $butterfly:ident $shuffle_down:ident $starter_16:ident $lost_waves:ident;)*) => {
        entry! {$(
            /// [`reduce`](fn@crate::reduce) by [`Butterfly`].
            fn $butterfly(dev, input: Global<$t>, partials: GlobalMut<$t>) {
                reduce(dev, input, partials, $operator, Butterfly)
            }

            /// [`reduce`](fn@crate::reduce) by [`ShuffleDown`].
            fn $shuffle_down(dev, input: Global<$t>, partials: GlobalMut<$t>) {
                reduce(dev, input, partials, $operator, ShuffleDown)
            }

            /// [`reduce`](fn@crate::reduce) by [`StartAt16`], wrong where waves have 64 lanes.
            fn $starter_16(dev, input: Global<$t>, partials: GlobalMut<$t>) {
                reduce(dev, input, partials, $operator, StartAt16)
            }

            /// [`lost_waves`], wrong where a block has several waves.
            fn $lost_waves(dev, input: Global<$t>, partials: GlobalMut<$t>) {
                lost_waves(dev, input, partials, $operator)
            }
        )*}
    };
}

// The names in full, so that a search finds them.
#[rustfmt::skip]
entries! {
    f32, Sum: butterfly_sum_f32 shuffle_down_sum_f32 starter_16_sum_f32 starter_lost_waves_sum_f32;
    f32, Min: butterfly_min_f32 shuffle_down_min_f32 starter_16_min_f32 starter_lost_waves_min_f32;
    f32, Max: butterfly_max_f32 shuffle_down_max_f32 starter_16_max_f32 starter_lost_waves_max_f32;
    f64, Sum: butterfly_sum_f64 shuffle_down_sum_f64 starter_16_sum_f64 starter_lost_waves_sum_f64;
    f64, Min: butterfly_min_f64 shuffle_down_min_f64 starter_16_min_f64 starter_lost_waves_min_f64;
    f64, Max: butterfly_max_f64 shuffle_down_max_f64 starter_16_max_f64 starter_lost_waves_max_f64;
    i32, Sum: butterfly_sum_i32 shuffle_down_sum_i32 starter_16_sum_i32 starter_lost_waves_sum_i32;
    i32, Min: butterfly_min_i32 shuffle_down_min_i32 starter_16_min_i32 starter_lost_waves_min_i32;
    i32, Max: butterfly_max_i32 shuffle_down_max_i32 starter_16_max_i32 starter_lost_waves_max_i32;
    u32, Sum: butterfly_sum_u32 shuffle_down_sum_u32 starter_16_sum_u32 starter_lost_waves_sum_u32;
    u32, Min: butterfly_min_u32 shuffle_down_min_u32 starter_16_min_u32 starter_lost_waves_min_u32;
    u32, Max: butterfly_max_u32 shuffle_down_max_u32 starter_16_max_u32 starter_lost_waves_max_u32;
    i64, Sum: butterfly_sum_i64 shuffle_down_sum_i64 starter_16_sum_i64 starter_lost_waves_sum_i64;
    i64, Min: butterfly_min_i64 shuffle_down_min_i64 starter_16_min_i64 starter_lost_waves_min_i64;
    i64, Max: butterfly_max_i64 shuffle_down_max_i64 starter_16_max_i64 starter_lost_waves_max_i64;
    u64, Sum: butterfly_sum_u64 shuffle_down_sum_u64 starter_16_sum_u64 starter_lost_waves_sum_u64;
    u64, Min: butterfly_min_u64 shuffle_down_min_u64 starter_16_min_u64 starter_lost_waves_min_u64;
    u64, Max: butterfly_max_u64 shuffle_down_max_u64 starter_16_max_u64 starter_lost_waves_max_u64;
}
