//! Shuffles: every distance at every width for every type, and lanes that are not live.

use wavewise::sim::Fault;
use wavewise::*;
use wavewise_tests::at_widths;
use wavewise_tests::draw::{Draw, property};
use wavewise_tests::launch::{pairs, wave, waves};
use wavewise_tests::model::{self, DeadSource, Lanes};
use wavewise_tests::operators::Affine;
use wavewise_tests::values::{Bits, Padded, Value, mix};

/// What one lane gets from each shuffle; the checked ones say whether the lane was in range.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Moved {
    up: (Bits, bool),
    down: (Bits, bool),
    xor: Bits,
    index: Bits,
    broadcast: Bits,
}

fn every_shuffle<T: Value, const N: u32>(value: T, distance: u32, source: u32) -> Moved {
    let wave = wave::<N>();
    let (up, below) = wave.shuffle_up_checked(value, distance);
    let (down, above) = wave.shuffle_down_checked(value, distance);
    assert_eq!(wave.shuffle_up(value, distance).exact(), up.exact());
    assert_eq!(wave.shuffle_down(value, distance).exact(), down.exact());
    Moved {
        up: (up.exact(), below),
        down: (down.exact(), above),
        xor: wave.shuffle_xor(value, distance).exact(),
        index: wave.shuffle(value, source).exact(),
        broadcast: wave.broadcast(value, distance).exact(),
    }
}

/// A lane to read from, another in each lane.
fn source(distance: u32, lane: u32) -> u32 {
    distance.wrapping_mul(lane + 1).wrapping_add(mix(lane.into()) as u32)
}

fn distances(n: u32) -> Vec<u32> {
    (0..=n + 1).chain([31, 32, 33, 63, 64, 65, u32::MAX - 1, u32::MAX]).collect()
}

fn every_distance<T: Value>() {
    let kernels = at_widths!(every_shuffle::<T; N>);
    for (place, n, width) in pairs() {
        let (distances, kernel) = (distances(n), kernels[place]);
        let live = vec![LaneMask::first(width); distances.len()];
        let values: Vec<T> =
            (0..width).map(|lane| T::from_seed(mix((lane * 3 + n).into()))).collect();
        let got = waves(width, &live, |case, lane| {
            kernel(values[lane as usize], distances[case], source(distances[case], lane))
        });
        let got = got.unwrap_or_else(|report| panic!("{n} on {width}: {report}"));
        let bits: Lanes<Bits> = values.iter().map(|value| Some(value.exact())).collect();
        for (got, &distance) in got.iter().zip(&distances) {
            let expected = expected(&bits, n, distance).expect("all lanes are live");
            assert_eq!(*got, expected, "distance {distance}, {n} on {width}");
        }
    }
}

fn expected(wave: &Lanes<Bits>, n: u32, distance: u32) -> Result<Lanes<Moved>, DeadSource> {
    let sources: Vec<u32> = (0..wave.len() as u32).map(|lane| source(distance, lane)).collect();
    let up = model::shuffle_up(wave, n, distance)?;
    let down = model::shuffle_down(wave, n, distance)?;
    let xor = model::shuffle_xor(wave, n, distance)?;
    let index = model::shuffle(wave, n, &sources)?;
    let broadcast = model::shuffle(wave, n, &vec![distance; wave.len()])?;
    Ok((0..wave.len())
        .map(|lane| {
            Some(Moved {
                up: up[lane]?,
                down: down[lane]?,
                xor: xor[lane]?,
                index: index[lane]?,
                broadcast: broadcast[lane]?,
            })
        })
        .collect())
}

macro_rules! every_distance {
    ($($name:ident $t:ty),*) => {
        mod every_distance {
            use super::*;
            $(
                #[test]
                fn $name() {
                    every_distance::<$t>();
                }
            )*
        }
    };
}

every_distance! {
    i8 i8, i16 i16, i32 i32, i64 i64, i128 i128, isize isize,
    u8 u8, u16 u16, u32 u32, u64 u64, u128 u128, usize usize,
    half f16, brain bf16, f32 f32, f64 f64, boolean bool, mask LaneMask,
    four_doubles [f64; 4], three_bytes [u8; 3], padded_struct Padded, pair_of_words Affine
}

/// One shuffle alone, by its number; what each lane gets.
fn one_shuffle<const N: u32>(which: u32, value: u64, distance: u32, lane: u32) -> u64 {
    let wave = wave::<N>();
    match which {
        0 => wave.shuffle_up(value, distance),
        1 => wave.shuffle_down(value, distance),
        2 => wave.shuffle_xor(value, distance),
        3 => wave.shuffle(value, source(distance, lane)),
        _ => wave.broadcast(value, distance),
    }
}

fn among_live_lanes(draws: &[Draw]) {
    let kernels = at_widths!(one_shuffle::<; N>);
    let draw = &draws[0];
    for (place, n, width) in pairs() {
        let live = draw.live(width);
        let kernel = kernels[place];
        let lanes = draw.lanes::<u64>(live, width);
        let distance =
            [draw.seeds[0] as u32 % (n + 1), draw.seeds[1] as u32 % 3][draw.seeds[2] as usize % 2];
        for which in 0..5 {
            let got = waves(width, &[live], |_, lane| {
                kernel(which, lanes[lane as usize].expect("only live lanes run"), distance, lane)
            });
            let sources: Vec<u32> = (0..width).map(|lane| source(distance, lane)).collect();
            let values =
                |moved: Lanes<(u64, bool)>| moved.iter().map(|lane| Some((*lane)?.0)).collect();
            let expected: Result<Lanes<u64>, _> = match which {
                0 => model::shuffle_up(&lanes, n, distance).map(values),
                1 => model::shuffle_down(&lanes, n, distance).map(values),
                2 => model::shuffle_xor(&lanes, n, distance),
                3 => model::shuffle(&lanes, n, &sources),
                _ => model::shuffle(&lanes, n, &vec![distance; width as usize]),
            };
            match (got, expected) {
                (Ok(got), Ok(expected)) => {
                    assert_eq!(got[0], expected, "shuffle {which}, {n} on {width}")
                }
                (Err(report), Err(DeadSource))
                    if matches!(*report.fault, Fault::AbsentSource { .. }) => {}
                (got, expected) => panic!(
                    "shuffle {which} by {distance}, {n} on {width}: {got:?} for {expected:?}"
                ),
            }
        }
    }
}

#[test]
fn a_source_that_is_not_live_is_reported_and_all_others_are_right() {
    property(24, 1, &among_live_lanes);
}
