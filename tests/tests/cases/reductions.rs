//! Reductions.

use super::*;

#[test]
fn nan_and_infinity_and_the_zeros_agree_in_either_order() {
    let reduced = |pair: [f32; 2]| {
        full(64, |lane| {
            let (wave, value) = (wave::<2>(), pair[lane as usize % 2]);
            [
                wave.reduce(value, Min),
                wave.reduce(value, Max),
                wave.reduce(value, Minimum),
                wave.reduce(value, Maximum),
            ]
            .map(|x| if x.is_nan() { u32::MAX } else { x.to_bits() })
        })
    };
    let number = |x: f32| x.to_bits();
    for (a, b, expected) in [
        (
            f32::INFINITY,
            f32::NAN,
            [number(f32::INFINITY), number(f32::INFINITY), u32::MAX, u32::MAX],
        ),
        (-1.0, f32::NAN, [number(-1.0), number(-1.0), u32::MAX, u32::MAX]),
        (-0.0, 0.0, [number(-0.0), 0, number(-0.0), 0]),
        (1e-45, 2e-45, [1, 1, 1, 1]),
        (-1e-45, 0.0, [0x8000_0001, 0, 0x8000_0001, 0]),
    ] {
        let subnormal = a == 1e-45;
        for pair in [[a, b], [b, a]] {
            for got in reduced(pair) {
                if !subnormal {
                    assert_eq!(got, expected, "{pair:?}");
                } else {
                    assert_eq!(got, [number(a), number(b), number(a), number(b)], "{pair:?}");
                }
            }
        }
    }
}

#[test]
fn a_sum_of_bytes_wraps_and_a_wider_one_does_not() {
    assert!(full(64, |_| wave::<64>().reduce(255u8, Sum)).iter().all(|&sum| sum == 192));
    assert!(
        full(64, |_| wave::<64>().reduce(u32::from(255u8), Sum)).iter().all(|&sum| sum == 16320)
    );
}

#[test]
fn one_minus_one_and_a_tiny_number_in_all_orders_give_the_same_bits_at_both_widths() {
    const TINY: f64 = 1.0 / (1u64 << 60) as f64;
    let orders = [
        [1.0, -1.0, TINY],
        [1.0, TINY, -1.0],
        [-1.0, 1.0, TINY],
        [-1.0, TINY, 1.0],
        [TINY, 1.0, -1.0],
        [TINY, -1.0, 1.0],
    ];
    // (a + b) + (c + 0): the tiny number survives where it stands alone.
    let expected = [TINY, 0.0, TINY, 0.0, 0.0, 0.0];
    for (order, expected) in orders.iter().zip(expected) {
        let value = |lane: u32| order.get(lane as usize).copied().unwrap_or(0.0);
        let on_32 = full(32, |lane| wave::<32>().reduce(value(lane), Sum).to_bits());
        let on_64 = full(64, |lane| wave::<64>().reduce(value(lane), Sum).to_bits());
        assert!(on_32.iter().chain(&on_64).all(|&bits| bits == expected.to_bits()), "{order:?}");
    }
}

#[test]
fn one_wave_of_64_and_two_of_32_make_the_same_tree() {
    let value = |lane: u32| f32::from_bits(0x3f80_0000 ^ (mix(lane.into()) as u32 & 0x80ff_ffff));
    let whole = full(64, |lane| wave::<64>().reduce(value(lane), Sum))[0];
    let low = full(32, |lane| wave::<32>().reduce(value(lane), Sum))[0];
    let high = full(32, |lane| wave::<32>().reduce(value(lane + 32), Sum))[0];
    assert_eq!(whole.to_bits(), (low + high).to_bits());
}

#[test]
fn a_lane_without_a_value_never_leaks_a_zero_into_a_minimum() {
    for valid in 1..=64 {
        let got = waves(64, &[LaneMask::first(valid)], |_, lane| {
            let wave = wave::<64>();
            let members = wave.masked(wave.live());
            (wave.reduce_partial(lane + 5, Min, valid), members.reduce(lane + 5, Min))
        });
        let got = got.expect("lanes beyond `valid` are not asked for");
        assert!(got[0].iter().flatten().all(|&both| both == (5, 5)), "{valid} lanes");
    }
}

#[test]
fn a_reduction_without_all_of_its_lanes_is_reported_not_computed() {
    let got = waves(32, &[LaneMask::first(31)], |_, _| wave::<32>().reduce(1u32, Sum));
    let Err(report) = got else { panic!("{got:?}") };
    assert!(report.to_string().contains("lane 30 of wave 0 reads from lane 31"), "{report}");
}

/// The largest value and the lowest index that has it; a number beats NaN.
#[derive(Clone, Copy)]
struct ArgMax;

impl Op<(f32, u32)> for ArgMax {
    const COMMUTES: bool = false;
    fn combine(a: (f32, u32), b: (f32, u32)) -> (f32, u32) {
        if a.0.is_nan() || b.0 > a.0 { b } else { a }
    }
}

#[test]
fn an_argmax_with_ties_takes_the_lowest_index() {
    let of = |value: fn(u32) -> f32| {
        let got = full(64, |lane| wave::<64>().reduce((value(lane), lane), ArgMax).1);
        assert!(got.iter().all(|&index| index == got[0]), "all lanes agree");
        got[0]
    };
    assert_eq!(of(|lane| (lane % 8) as f32), 7);
    assert_eq!(of(|_| 3.0), 0);
    assert_eq!(of(|_| f32::NEG_INFINITY), 0);
    assert_eq!(of(|lane| if lane % 2 == 0 { f32::NAN } else { -(lane as f32) }), 1);
    assert_eq!(of(|lane| if lane < 63 { f32::NEG_INFINITY } else { f32::MIN }), 63);
}
