//! Faults of other warp libraries, one test for each, named for the fault.

use wavewise::sim::{Fault, Launch, Report, Sim};
use wavewise::*;
use wavewise_tests::launch::{block, wave, waves};
use wavewise_tests::values::mix;

/// Runs `lane` on a full wave of `width` lanes, and gives what each lane gave.
fn full<R: Send + Sync + Copy>(width: u32, lane: impl Fn(u32) -> R + Sync) -> Vec<R> {
    let got = waves(width, &[LaneMask::first(width)], |_, number| lane(number));
    let got = got.unwrap_or_else(|report| panic!("{report}"));
    got[0].iter().map(|lane| lane.expect("all lanes are live")).collect()
}

// Masks and width.

#[test]
fn a_ballot_held_in_32_bits() {
    let got = full(64, |_| {
        let wave = wave::<64>();
        (wave.ballot(true).count(), wave.live().count(), wave.masked(LaneMask::ALL).rank())
    });
    for (lane, got) in (0..).zip(got) {
        assert_eq!(got, (64, 64, lane));
    }
}

#[test]
fn a_ballot_on_32_lanes_has_nothing_in_the_upper_half() {
    assert!(
        full(32, |_| wave::<32>().ballot(true).bits()).iter().all(|&votes| votes == 0xffff_ffff)
    );
    assert!(
        full(64, |_| wave::<32>().ballot(true).bits()).iter().all(|&votes| votes == 0xffff_ffff)
    );
}

#[test]
fn a_ballot_after_half_of_the_lanes_have_returned_names_only_the_rest() {
    for width in [32, 64] {
        let live = LaneMask::first(width / 2).raised(width / 2);
        let got = waves(width, &[live], |_, _| {
            let rest = match width {
                32 => wave::<32>().ballot(true),
                _ => wave::<64>().ballot(true),
            };
            rest.bits()
        });
        let got = got.expect("the lanes that returned take no part");
        assert_eq!(got[0][0], None);
        assert!(got[0][width as usize / 2..].iter().all(|&votes| votes == Some(live.bits())));
    }
}

#[test]
fn a_64_bit_mask_on_a_32_lane_wave_has_its_upper_half_ignored_not_shifted() {
    let wide = LaneMask::from_bits(0xffff_0000_0000_0ff0);
    let got = full(32, |lane| {
        let some = wave::<32>().masked(wide);
        wide.contains(lane)
            .then(|| (some.members().bits(), some.reduce(1u32, Sum), some.ballot(true).bits()))
    });
    for (lane, got) in (0..).zip(got) {
        assert_eq!(got, (4..12).contains(&lane).then_some((0xff0, 8, 0xff0)));
    }
}

#[test]
fn a_ballot_of_a_constant_and_of_what_the_compiler_cannot_see() {
    let got = full(64, |lane| {
        let wave = wave::<64>();
        let opaque = std::hint::black_box(lane % 3 == 0);
        (wave.ballot(true).bits(), wave.ballot(false).bits(), wave.ballot(opaque).bits())
    });
    let thirds = (0..64).filter(|lane| lane % 3 == 0).map(|lane| 1u64 << lane).sum();
    assert!(got.iter().all(|&got| got == (u64::MAX, 0, thirds)));
}

#[test]
fn a_wave_wider_than_the_hardware_is_refused_at_run_time_too() {
    let got = block(16, 16, |_| {
        wave::<32>();
        Some(())
    });
    let Err(Report { fault: Fault::Panicked { message, .. }, .. }) = got else { panic!("{got:?}") };
    assert_eq!(message, "a wave of 32 lanes on hardware waves of 16");
}

// Partial and logical waves.

/// The sum over a block by way of shared memory, whatever its size and the width of its waves.
fn block_sum<const W: u32, D: Device<W>>(dev: D, value: u32) -> u32 {
    let partials = dev.shared::<u32, 1024>();
    let live = |threads: u32, wave: u32| threads.saturating_sub(wave * W);
    // SAFETY: no branch but on what all lanes of a wave share.
    let wave = unsafe { dev.wave::<W>() };
    let threads = dev.block_threads();
    let sum = wave.reduce_partial(value, Sum, live(threads, dev.wave_index()));
    if wave.elect() {
        partials.set(dev.wave_index() as usize, sum);
    }
    dev.barrier();
    // Every wave goes over all partials, however many more they are than its lanes.
    let mut total = 0;
    for from in (0..dev.waves()).step_by(W as usize) {
        let place = from + wave.lane();
        let partial = if place < dev.waves() { partials.get(place as usize) } else { 0 };
        let present = wave.live().count();
        for lane in 0..W.min(dev.waves() - from) {
            // A block smaller than one wave has fewer live lanes than partials, so lane by lane.
            total += if lane < present {
                wave.broadcast(partial, lane)
            } else {
                partials.get((from + lane) as usize)
            };
        }
    }
    total
}

fn block_sums<const W: u32>(threads: u32, value: impl Fn(u32) -> u32 + Sync) -> Vec<u32> {
    let sums = sim::Memory::<u32>::unwritten(threads as usize);
    let view = sums.view();
    Launch::<W>::new(1, threads)
        .run(|dev: Sim<W>| {
            view.set(dev.thread_index() as usize, block_sum(dev, value(dev.thread_index())))
        })
        .unwrap_or_else(|report| panic!("{threads} threads: {report}"));
    sums.to_vec().expect("every thread wrote")
}

#[test]
fn a_block_of_no_whole_number_of_waves_loses_none_of_its_threads() {
    for threads in [1, 17, 31, 32, 33, 45, 48, 63, 64, 65, 100, 1000] {
        let expected = vec![threads; threads as usize];
        assert_eq!(block_sums::<4>(threads, |_| 1), expected);
        assert_eq!(block_sums::<32>(threads, |_| 1), expected);
        assert_eq!(block_sums::<64>(threads, |_| 1), expected);
    }
}

#[test]
fn a_tail_of_thirteen_and_of_sixteen() {
    for (threads, sum) in [(13, 91), (16, 136)] {
        assert_eq!(block_sums::<32>(threads, |thread| thread + 1), vec![sum; threads as usize]);
        assert_eq!(block_sums::<64>(threads, |thread| thread + 1), vec![sum; threads as usize]);
        let got = waves(64, &[LaneMask::first(threads)], |_, lane| {
            wave::<64>().reduce_partial(lane + 1, Sum, threads)
        });
        let got = got.expect("lanes beyond `valid` are not asked for");
        assert!(got[0][..threads as usize].iter().all(|&total| total == Some(sum)));
    }
}

#[test]
fn more_waves_in_a_block_than_lanes_in_a_wave() {
    assert_eq!(block_sums::<4>(1024, |thread| thread), vec![1023 * 512; 1024]);
    assert_eq!(block_sums::<16>(1024, |thread| thread), vec![1023 * 512; 1024]);
}

#[test]
fn a_tile_of_sixteen_votes_for_itself_alone() {
    let got = full(64, |lane| {
        let tile = wave::<16>();
        (
            tile.ballot((16..=19).contains(&lane)).bits(),
            tile.uniform(42u32),
            tile.ballot(tile.lane().is_multiple_of(4)).bits(),
        )
    });
    for (lane, (votes, same, fourths)) in (0..).zip(got) {
        assert_eq!(votes, if lane / 16 == 1 { 0x000f } else { 0 }, "lane {lane}");
        assert!(same);
        assert_eq!(fourths, 0x1111);
    }
}

#[test]
fn a_reduction_in_a_loop_whose_trip_count_differs_between_waves() {
    for width in [32, 64] {
        let got = block(width, 4 * width, |thread| {
            let mut total = 0;
            for _ in 0..=thread / width {
                total += match width {
                    32 => wave::<32>().reduce(1, Sum),
                    _ => wave::<64>().reduce(1, Sum),
                };
            }
            Some(total)
        });
        let got = got.expect("waves need not keep step");
        for (thread, total) in (0..).zip(got) {
            assert_eq!(total, Some(width * (thread / width + 1)));
        }
    }
}

// Shuffles.

#[test]
fn a_shuffle_that_wraps_around_at_the_edge() {
    for width in [32, 64] {
        let got = full(width, |lane| match width {
            32 => (
                wave::<32>().shuffle(lane, 5),
                wave::<32>().shuffle_up(lane, 1),
                wave::<32>().shuffle_down(lane, 1),
            ),
            _ => (
                wave::<64>().shuffle(lane, 5),
                wave::<64>().shuffle_up(lane, 1),
                wave::<64>().shuffle_down(lane, 1),
            ),
        });
        for (lane, got) in (0..).zip(got) {
            let below = if lane == 0 { 0 } else { lane - 1 };
            let above = if lane == width - 1 { lane } else { lane + 1 };
            assert_eq!(got, (5, below, above));
        }
    }
}

#[test]
fn a_shuffle_across_the_middle_of_a_64_lane_wave() {
    let up = full(64, |lane| wave::<64>().shuffle_up(lane, 1));
    assert_eq!((up[33], up[32]), (32, 31));
    assert!(full(64, |lane| wave::<64>().shuffle(lane, 5)).iter().all(|&from| from == 5));
    assert_eq!(full(64, |lane| wave::<64>().shuffle_xor(lane, 32))[63], 31);
}

#[test]
fn halves_of_wide_types_are_not_swapped_and_signs_not_lost() {
    for (lane, got) in (0..).zip(full(64, |lane| {
        let wave = wave::<64>();
        let word = 0x0123_4567_89ab_cdef_u64 + u64::from(lane);
        (
            wave.shuffle_down(word, 1),
            wave.shuffle_down(-128i8 + lane as i8, 1),
            wave.shuffle_down(-(f64::from(lane)), 1),
        )
    })) {
        let above = if lane == 63 { 63 } else { lane + 1 };
        assert_eq!(got.0, 0x0123_4567_89ab_cdef + above);
        assert_eq!(got.1, -128 + above as i8);
        assert_eq!(got.2, -(above as f64));
    }
}

#[test]
fn a_shuffle_in_a_branch_that_whole_blocks_take() {
    let live = [LaneMask::first(32); 5];
    let got =
        waves(
            32,
            &live,
            |block, lane| if block % 2 == 0 { wave::<32>().shuffle_xor(lane, 1) } else { lane },
        );
    for (block, got) in got.expect("whole blocks diverge from nobody").iter().enumerate() {
        let expected = |lane: u32| if block % 2 == 0 { lane ^ 1 } else { lane };
        assert!((0..).zip(got).all(|(lane, &got)| got == Some(expected(lane))));
    }
}

// Votes and divergence.

#[test]
fn a_predicate_turned_over() {
    let outcome = |vote: fn(u32) -> bool| {
        let got = full(64, |lane| (wave::<64>().any(vote(lane)), wave::<64>().all(vote(lane))));
        assert!(got.iter().all(|&lane| lane == got[0]), "all lanes agree");
        got[0]
    };
    assert_eq!(outcome(|_| true), (true, true));
    assert_eq!(outcome(|_| false), (false, false));
    assert_eq!(outcome(|lane| lane == 63), (true, false));
    assert_eq!(outcome(|lane| lane != 40), (true, false));
}

#[test]
fn a_ballot_of_the_even_lanes_of_the_lower_half() {
    let even_low = |lane: u32, half: u32| lane.is_multiple_of(2) && lane < half;
    assert_eq!(full(32, |lane| wave::<32>().ballot(even_low(lane, 16)).bits())[31], 0x5555);
    assert_eq!(full(64, |lane| wave::<64>().ballot(even_low(lane, 32)).bits())[63], 0x5555_5555);
}

#[test]
fn a_collective_in_both_arms_neither_hangs_nor_mixes_them() {
    for (lane, (sum, votes)) in (0..).zip(full(64, |lane| {
        let wave = wave::<64>();
        let odds = wave.ballot(lane % 2 == 1);
        if lane % 2 == 1 {
            (wave.masked(odds).reduce(lane, Sum), wave.masked(odds).ballot(true).bits())
        } else {
            (wave.masked(!odds).reduce(lane, Sum), wave.masked(!odds).ballot(true).bits())
        }
    })) {
        let odd = lane % 2 == 1;
        assert_eq!(sum, if odd { 1024 } else { 992 });
        assert_eq!(votes, if odd { 0xaaaa_aaaa_aaaa_aaaa } else { 0x5555_5555_5555_5555 });
    }
}

#[test]
fn lanes_that_happen_to_be_together_are_not_taken_for_those_that_take_part() {
    // Whoever is gone takes no part; whoever is elsewhere does, and that is a fault.
    let got = block(32, 32, |lane| (lane < 20).then(|| wave::<32>().ballot(true).count()));
    assert_eq!(got.expect("the others have returned")[..20], [Some(20); 20]);
    let got = waves(32, &[LaneMask::first(32)], |_, lane| {
        if lane < 20 { wave::<32>().ballot(true) } else { wave::<32>().ballot(false) }
    });
    let Err(Report { fault: Fault::Divergence(groups), .. }) = got else { panic!("{got:?}") };
    assert_eq!(groups.len(), 2);
    assert_eq!(groups[0].lanes, LaneMask::first(20));
    assert_eq!(groups[1].lanes, LaneMask::range(20, 12));
}

// Reductions.

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
