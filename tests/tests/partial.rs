//! Reductions over the leading lanes.

use std::sync::atomic::{AtomicU32, Ordering};

use wavewise::{Identity, LaneMask, Op, Payload};
use wavewise_tests::draw::Draw;
use wavewise_tests::launch::{pairs, wave, waves};
use wavewise_tests::model;
use wavewise_tests::operators::Naive;
use wavewise_tests::values::{Bits, Value};
use wavewise_tests::{at_widths, every_operator};

fn leading<T: Value, O: Naive<T> + Identity<T>, const N: u32>(
    value: T,
    valid: u32,
) -> (Option<Bits>, Bits) {
    let wave = wave::<N>();
    let tried = wave.try_reduce_partial(value, O::default(), valid);
    let total = wave.reduce_partial(value, O::default(), valid);
    (tried.map(T::bits), total.bits())
}

/// A count of valid lanes for a segment: the edges, and any between.
fn valid(seed: u64, n: u32) -> u32 {
    let edges = [0, 1, n - 1, n, n + 1, u32::MAX];
    match seed % 2 {
        0 => edges[(seed / 2 % 6) as usize],
        _ => (seed / 2 % u64::from(n + 1)) as u32,
    }
}

fn partials<T: Value, O: Naive<T> + Identity<T>>(draws: &[Draw]) {
    let kernels = at_widths!(leading::<T, O; N>);
    for (place, n, width) in pairs() {
        let kernel = kernels[place];
        let counts: Vec<Vec<u32>> = draws
            .iter()
            .map(|draw| {
                (0..width / n).map(|segment| valid(draw.seeds[segment as usize], n)).collect()
            })
            .collect();
        // The valid lanes are live, and by chance some of the others.
        let live: Vec<LaneMask> = draws
            .iter()
            .zip(&counts)
            .map(|(draw, counts)| {
                let valid = (0..width).filter(|lane| lane % n < counts[(lane / n) as usize]);
                valid.collect::<LaneMask>() | draw.live(width)
            })
            .collect();
        let values: Vec<Vec<T>> = draws.iter().map(|draw| draw.values(width)).collect();
        let got = waves(width, &live, |case, lane| {
            kernel(values[case][lane as usize], counts[case][(lane / n) as usize])
        });
        let got = got.unwrap_or_else(|report| panic!("{n} on {width}: {report}"));
        for (case, got) in got.iter().enumerate() {
            let lanes = draws[case].lanes(live[case], width);
            let expected = model::reduce_partial(&lanes, n, &counts[case], &O::naive);
            let expected: Vec<_> = expected
                .iter()
                .map(|lane| {
                    lane.map(|total: Option<T>| {
                        (total.map(T::bits), total.unwrap_or_else(O::identity).bits())
                    })
                })
                .collect();
            assert_eq!(*got, expected, "valid {:?}, {n} on {width}", counts[case]);
        }
    }
}

every_operator!(partials);

/// Lanes `first..=last` joined in order, or an item that no operator may see.
#[derive(Clone, Copy, Debug, PartialEq, Payload)]
struct Span {
    first: u32,
    last: u32,
    valid: bool,
}

/// Joins neighbouring spans, and counts what it should never be given.
#[derive(Clone, Copy)]
struct Join;

static INVALID: AtomicU32 = AtomicU32::new(0);
static OUT_OF_ORDER: AtomicU32 = AtomicU32::new(0);

impl Op<Span> for Join {
    const COMMUTES: bool = false;
    fn combine(a: Span, b: Span) -> Span {
        if !(a.valid && b.valid) {
            INVALID.fetch_add(1, Ordering::Relaxed);
        }
        if a.last + 1 != b.first {
            OUT_OF_ORDER.fetch_add(1, Ordering::Relaxed);
        }
        Span { first: a.first, last: b.last, valid: a.valid && b.valid }
    }
}

fn join<const N: u32>(valid: u32) -> Option<Span> {
    let wave = wave::<N>();
    let lane = wave.lane();
    wave.try_reduce_partial(Span { first: lane, last: lane, valid: lane < valid }, Join, valid)
}

#[test]
fn the_operator_never_sees_an_invalid_item_and_keeps_lane_order() {
    let kernels = at_widths!(join::<; N>);
    for (place, n, width) in pairs() {
        let counts: Vec<u32> = (0..=n + 1).chain([u32::MAX]).collect();
        let live = vec![LaneMask::first(width); counts.len()];
        let got = waves(width, &live, |case, _| kernels[place](counts[case])).expect("no fault");
        for (got, &valid) in got.iter().zip(&counts) {
            let last = valid.min(n).checked_sub(1);
            let expected = last.map(|last| Span { first: 0, last, valid: true });
            assert!(got.iter().all(|lane| *lane == Some(expected)), "{valid} of {n} on {width}");
        }
    }
    assert_eq!(INVALID.load(Ordering::Relaxed), 0, "invalid items seen");
    assert_eq!(OUT_OF_ORDER.load(Ordering::Relaxed), 0, "items out of order");
}
