//! `broadcast_first` and `uniform`.

use wavewise::*;
use wavewise_tests::at_widths;
use wavewise_tests::draw::{Draw, property};
use wavewise_tests::launch::{pairs, wave, waves};
use wavewise_tests::model;
use wavewise_tests::values::{Bits, Padded, Value};

fn agree<T: Value, const N: u32>(value: T) -> (Bits, bool) {
    let wave = wave::<N>();
    (wave.broadcast_first(value).exact(), wave.uniform(value))
}

fn broadcasts<T: Value>(draws: &[Draw]) {
    let kernels = at_widths!(agree::<T; N>);
    for (place, n, width) in pairs() {
        let kernel = kernels[place];
        let live: Vec<_> = draws.iter().map(|draw| draw.live(width)).collect();
        let values: Vec<Vec<T>> = draws
            .iter()
            .map(|draw| {
                // In half of the cases one value in all lanes but those chosen.
                let all = draw.values::<T>(64);
                let spread = |lane: u32| {
                    draw.seeds[0] % 2 == 0 || draw.chosen.contains(lane) && draw.seeds[0] % 4 == 1
                };
                (0..width).map(|lane| all[if spread(lane) { lane as usize } else { 0 }]).collect()
            })
            .collect();
        let got = waves(width, &live, |case, lane| kernel(values[case][lane as usize]));
        let got = got.unwrap_or_else(|report| panic!("{n} on {width}: {report}"));
        for (case, got) in got.iter().enumerate() {
            let lanes: Vec<Option<T>> = (0..width)
                .map(|lane| live[case].contains(lane).then_some(values[case][lane as usize]))
                .collect();
            let (first, uniform) = (model::broadcast_first(&lanes, n), model::uniform(&lanes, n));
            let expected: Vec<_> = first
                .iter()
                .zip(&uniform)
                .map(|(first, same)| Some(((*first)?.exact(), (*same)?)))
                .collect();
            assert_eq!(*got, expected, "case {case}, {n} on {width}");
        }
    }
}

macro_rules! types {
    ($($name:ident $t:ty),*) => {$(
        #[test]
        fn $name() {
            property(6, 8, &broadcasts::<$t>);
        }
    )*};
}

types! {
    i8 i8, i16 i16, i32 i32, i64 i64, i128 i128, isize isize,
    u8 u8, u16 u16, u32 u32, u64 u64, u128 u128, usize usize,
    half f16, brain bf16, f32 f32, f64 f64, boolean bool, mask LaneMask,
    four_doubles [f64; 4], three_bytes [u8; 3], padded_struct Padded
}
