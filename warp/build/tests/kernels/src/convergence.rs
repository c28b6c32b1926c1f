//! Collectives between two branches on the same condition.
//!
//! rustc's pass JumpThreading sees that the second branch is known in each arm of the first, and
//! copies what lies between into both arms: then lanes of one wave execute two collectives where
//! the source has one. Each kernel here has exactly one, or one ladder.

use core::hint::black_box;

use wavewise::{Device, Global, GlobalMut, Sum, Wave, entry};

/// The branches, and between them what `$collective` does with the wave and the value.
macro_rules! between {
    ($name:ident<$n:tt> |$wave:ident, $value:ident| $collective:expr) => {
        mod $name {
            use super::*;

            pub(super) fn run<const W: u32, D: Device<W>>(
                dev: D,
                x: Global<u32>,
                y: GlobalMut<u32>,
            ) {
                let at = dev.thread()[0] as usize;
                let x = x.get(at);
                // SAFETY: the branches meet again before the collective.
                let $wave = unsafe { dev.wave::<$n>() };
                let $value;
                let flag;
                if x > 10 {
                    $value = x * 3;
                    flag = true;
                } else {
                    $value = black_box(x) + 7;
                    flag = false;
                }
                let result = $collective;
                if flag {
                    y.set(at, result * 5);
                } else {
                    y.set(at, black_box(result) + 3);
                }
            }

            entry! {
                fn $name(dev, x: Global<u32>, y: GlobalMut<u32>) { run(dev, x, y) }
            }
        }
    };
}

/// The collective as it is, in a function that is always inlined, and in one that is not marked.
macro_rules! three_ways {
    ($direct:ident $inlined:ident $plain:ident <$n:tt> |$wave:ident, $value:ident| $collective:expr) => {
        between!($direct<$n> |$wave, $value| $collective);
        between!($inlined<$n> |wave, value| {
            #[inline(always)]
            fn inlined<const W: u32, D: Device<W>>($wave: Wave<$n, D::Backend>, $value: u32) -> u32 {
                $collective
            }
            inlined::<W, D>(wave, value)
        });
        between!($plain<$n> |wave, value| {
            fn plain<const W: u32, D: Device<W>>($wave: Wave<$n, D::Backend>, $value: u32) -> u32 {
                $collective
            }
            plain::<W, D>(wave, value)
        });
    };
}

#[cfg(feature = "branches")]
mod branches {
    use super::*;

    three_ways!(shuffle_direct shuffle_inlined shuffle_plain <W> |wave, value| {
        wave.shuffle(value, value ^ 1)
    });
    three_ways!(ballot_direct ballot_inlined ballot_plain <W> |wave, value| {
        wave.ballot(value > 20).count()
    });
    // One step, by DPP on AMD.
    three_ways!(dpp_direct dpp_inlined dpp_plain <2> |wave, value| wave.reduce(value as f32, Sum) as u32);
}

#[cfg(feature = "ladders")]
mod ladders {
    use super::*;

    three_ways!(sum_direct sum_inlined sum_plain <W> |wave, value| wave.reduce(value as f32, Sum) as u32);
}
