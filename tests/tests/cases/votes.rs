//! Votes and divergence.

use super::*;

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
    let Err(Report { fault, .. }) = got else { panic!("{got:?}") };
    let Fault::Divergence(groups) = *fault else { panic!("{fault}") };
    assert_eq!(groups.len(), 2);
    assert_eq!(groups[0].lanes, LaneMask::first(20));
    assert_eq!(groups[1].lanes, LaneMask::range(20, 12));
}
