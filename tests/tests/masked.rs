//! Collectives over some lanes, in both arms of a divergent branch.

use wavewise::{LaneMask, Masked};
use wavewise_tests::draw::Draw;
use wavewise_tests::launch::{pairs, wave, waves};
use wavewise_tests::model::{self, Lanes};
use wavewise_tests::operators::Naive;
use wavewise_tests::values::{Bits, Value};
use wavewise_tests::{at_widths, every_operator};

/// What a member learns.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Outcome {
    members: u64,
    count: u32,
    lane: u32,
    rank: u32,
    elected: bool,
    total: Bits,
    first: Bits,
    uniform: bool,
    ballot: u64,
    any: bool,
    all: bool,
    shuffled: (Bits, bool),
}

fn collectives<T: Value, O: Naive<T>, const N: u32>(
    some: Masked<N>,
    value: T,
    vote: bool,
    source: u32,
) -> Outcome {
    let (shuffled, from_member) = some.shuffle_checked(value, source);
    assert_eq!(some.shuffle(value, source).exact(), shuffled.exact());
    some.sync();
    Outcome {
        members: some.members().bits(),
        count: some.count(),
        lane: some.lane(),
        rank: some.rank(),
        elected: some.elect(),
        total: some.reduce(value, O::default()).bits(),
        first: some.broadcast_first(value).bits(),
        uniform: some.uniform(value),
        ballot: some.ballot(vote).bits(),
        any: some.any(vote),
        all: some.all(vote),
        shuffled: (shuffled.bits(), from_member),
    }
}

/// Lanes that are chosen take one arm, the rest the other; each arm knows its lanes by a ballot.
fn arms<T: Value, O: Naive<T>, const N: u32>(
    chosen: bool,
    value: T,
    vote: bool,
    source: u32,
) -> Outcome {
    let wave = wave::<N>();
    let (here, live) = (wave.ballot(chosen), wave.live());
    if chosen {
        // Bits above the wave's width are ignored.
        let beyond = LaneMask::above(N - 1);
        collectives::<T, O, N>(wave.masked(here | beyond), value, vote, source)
    } else {
        collectives::<T, O, N>(wave.masked(live - here), value, vote, source)
    }
}

fn both_arms<T: Value, O: Naive<T>>(draws: &[Draw]) {
    let kernels = at_widths!(arms::<T, O; N>);
    let draws = &draws[..2];
    for (place, n, width) in pairs() {
        let kernel = kernels[place];
        let live: Vec<_> = draws.iter().map(|draw| draw.live(width)).collect();
        let values: Vec<Vec<T>> = draws.iter().map(|draw| draw.values(width)).collect();
        let vote = |case: usize, lane: u32| draws[case].seeds[lane as usize] % 5 < 3;
        let source = |case: usize, lane: u32| draws[case].seeds[lane as usize] as u32 >> 7;
        let got = waves(width, &live, |case, lane| {
            let chosen = draws[case].chosen.contains(lane);
            kernel(chosen, values[case][lane as usize], vote(case, lane), source(case, lane))
        });
        let got = got.unwrap_or_else(|report| panic!("{n} on {width}: {report}"));
        for (case, got) in got.iter().enumerate() {
            let lanes = draws[case].lanes::<T>(live[case], width);
            for arm in [true, false] {
                let here = |lane: usize| draws[case].chosen.contains(lane as u32) == arm;
                let lanes = model::members(&lanes, here);
                let votes: Lanes<bool> =
                    (0..width).map(|lane| lanes[lane as usize].map(|_| vote(case, lane))).collect();
                let sources: Vec<u32> = (0..width).map(|lane| source(case, lane)).collect();
                let expected = expected::<T, O>(&lanes, n, &votes, &sources);
                for (lane, expected) in expected.iter().enumerate().filter(|(lane, _)| here(*lane))
                {
                    assert_eq!(got[lane], *expected, "lane {lane}, {n} on {width}, arm {arm}");
                }
            }
        }
    }
}

fn expected<T: Value, O: Naive<T>>(
    lanes: &Lanes<T>,
    n: u32,
    votes: &Lanes<bool>,
    sources: &[u32],
) -> Lanes<Outcome> {
    let present: Lanes<bool> = lanes.iter().map(|own| own.map(|_| true)).collect();
    let members = model::ballot(&present, n);
    let elected = model::elect(lanes, n);
    let total = model::reduce(lanes, n, &O::naive);
    let first = model::broadcast_first(lanes, n);
    let uniform = model::uniform(lanes, n);
    let ballot = model::ballot(votes, n);
    let (any, all) = (model::any(votes, n), model::all(votes, n));
    let is_member = |segment: u32, lane: u32| lanes[(segment * n + lane) as usize].is_some();
    // Where the source is no member, a lane keeps its own value.
    let shuffled = model::gather(lanes, n, |_, lane| {
        let source = sources[lane] % n;
        is_member(lane as u32 / n, source).then_some(source)
    });
    let shuffled = shuffled.expect("all sources are members");
    (0..lanes.len())
        .map(|place| {
            let lane = place as u32 % n;
            let (value, from_member) = shuffled[place]?;
            Some(Outcome {
                members: members[place]?,
                count: (0..n).filter(|&other| is_member(place as u32 / n, other)).count() as u32,
                lane,
                rank: (0..lane).filter(|&other| is_member(place as u32 / n, other)).count() as u32,
                elected: elected[place]?,
                total: total[place]?.bits(),
                first: first[place]?.bits(),
                uniform: uniform[place]?,
                ballot: ballot[place]?,
                any: any[place]?,
                all: all[place]?,
                shuffled: (value.bits(), from_member),
            })
        })
        .collect()
}

every_operator!(both_arms);
