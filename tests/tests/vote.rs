//! Votes, and what depends on which lanes are live.

use wavewise::LaneMask;
use wavewise_tests::at_widths;
use wavewise_tests::draw::{Draw, property};
use wavewise_tests::launch::{pairs, wave, waves};
use wavewise_tests::model::{self, Lanes};

/// What one lane learns.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Outcome {
    lane: u32,
    width: u32,
    live: u64,
    ballot: u64,
    any: bool,
    all: bool,
    elected: bool,
}

fn vote<const N: u32>(vote: bool) -> Outcome {
    let wave = wave::<N>();
    wave.sync();
    Outcome {
        lane: wave.lane(),
        width: wave.width(),
        live: wave.live().bits(),
        ballot: wave.ballot(vote).bits(),
        any: wave.any(vote),
        all: wave.all(vote),
        elected: wave.elect(),
    }
}

fn votes(draws: &[Draw]) {
    let kernels = at_widths!(vote::<; N>);
    // Besides the random votes: all for, all against.
    let chosen = |draw: &Draw, case: usize| match case {
        0 => LaneMask::ALL,
        1 => LaneMask::EMPTY,
        _ => draw.chosen,
    };
    for (place, n, width) in pairs() {
        let kernel = kernels[place];
        let live: Vec<_> = draws.iter().map(|draw| draw.live(width)).collect();
        let got =
            waves(width, &live, |case, lane| kernel(chosen(&draws[case], case).contains(lane)));
        let got = got.unwrap_or_else(|report| panic!("{n} on {width}: {report}"));
        for (case, got) in got.iter().enumerate() {
            let votes: Lanes<bool> = (0..width)
                .map(|lane| {
                    live[case].contains(lane).then(|| chosen(&draws[case], case).contains(lane))
                })
                .collect();
            let present: Lanes<bool> = votes.iter().map(|vote| vote.map(|_| true)).collect();
            let (live, ballot) = (model::ballot(&present, n), model::ballot(&votes, n));
            let (any, all) = (model::any(&votes, n), model::all(&votes, n));
            let elected = model::elect(&votes, n);
            let expected: Lanes<Outcome> = (0..width)
                .map(|lane| {
                    let place = lane as usize;
                    Some(Outcome {
                        lane: lane % n,
                        width: n,
                        live: live[place]?,
                        ballot: ballot[place]?,
                        any: any[place]?,
                        all: all[place]?,
                        elected: elected[place]?,
                    })
                })
                .collect();
            assert_eq!(*got, expected, "case {case}, {n} on {width}");
        }
    }
}

#[test]
fn votes_count_live_lanes_of_the_own_segment_alone() {
    property(16, 8, &votes);
}
