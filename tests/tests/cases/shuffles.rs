//! Shuffles.

use super::*;

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
