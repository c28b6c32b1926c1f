//! Reductions over whole waves: every operator over every type it takes, bit for bit against the
//! tree of the model.

use wavewise_tests::draw::Draw;
use wavewise_tests::launch::{pairs, wave, waves};
use wavewise_tests::model;
use wavewise_tests::operators::Naive;
use wavewise_tests::values::{Bits, Value};
use wavewise_tests::{at_widths, every_operator};

/// The result of every lane, and what the shuffle-down ladder leaves it.
fn both<T: Value, O: Naive<T>, const N: u32>(value: T) -> (Bits, Bits) {
    let wave = wave::<N>();
    let everywhere = wave.reduce(value, O::default());
    let first = wave.reduce_to_first(value, O::default());
    (everywhere.bits(), first.bits())
}

fn reductions<T: Value, O: Naive<T>>(draws: &[Draw]) {
    let kernels = at_widths!(both::<T, O; N>);
    for (place, n, width) in pairs() {
        let live: Vec<_> = draws.iter().map(|draw| draw.live_segments(n, width)).collect();
        let values: Vec<Vec<T>> = draws.iter().map(|draw| draw.values(width)).collect();
        let kernel = kernels[place];
        let got = waves(width, &live, |case, lane| kernel(values[case][lane as usize]));
        let got = got.unwrap_or_else(|report| panic!("{n} on {width}: {report}"));
        for ((got, draw), &live) in got.iter().zip(draws).zip(&live) {
            let expected = model::reduce(&draw.lanes(live, width), n, &O::naive);
            for (lane, (got, expected)) in (0..).zip(got.iter().zip(&expected)) {
                let expected = expected.map(T::bits);
                assert_eq!(got.map(|got| got.0), expected, "reduce, lane {lane} of {n} on {width}");
                if lane % n == 0 {
                    assert_eq!(
                        got.map(|got| got.1),
                        expected,
                        "to_first, lane {lane} of {n} on {width}"
                    );
                }
            }
        }
    }
}

every_operator!(reductions);
