//! Waves taken from a device whose width is known when the kernel is compiled, in blocks that are
//! no whole number of waves.

use proptest::prelude::*;
use wavewise::sim::{Launch, Memory, Sim};
use wavewise::{Device, GlobalMut, LaneMask, Max, Sum};
use wavewise_tests::model::{self, Lanes};
use wavewise_tests::values::mix;

/// What a lane learns: the live lanes, the votes, the sum over the live lanes, the largest lane.
type Outcome = [u64; 4];

fn kernel<const W: u32, const N: u32, D: Device<W>>(
    dev: D,
    gone: LaneMask,
    seed: u64,
    output: GlobalMut<'_, Outcome>,
) {
    let thread = dev.thread_index();
    if gone.contains(thread % LaneMask::CAPACITY) {
        return;
    }
    let value = mix(seed ^ u64::from(thread));
    // SAFETY: lanes that have returned take no part; the others run all of it together.
    let wave = unsafe { dev.wave::<N>() };
    let live = wave.live();
    let votes = wave.ballot(value.is_multiple_of(2));
    let sum = wave.masked(live).reduce(value, Sum);
    let highest = wave.masked(live).reduce(u64::from(wave.lane()), Max);
    output.set(thread as usize, [live.bits(), votes.bits(), sum, highest]);
}

fn check<const W: u32, const N: u32>(threads: u32, gone: LaneMask, seed: u64) {
    let output = Memory::from(vec![Outcome::default(); threads as usize]);
    Launch::<W>::new(1, threads)
        .run(|dev: Sim<W>| kernel::<W, N, _>(dev, gone, seed, output.view()))
        .unwrap_or_else(|report| panic!("{threads} threads, {N} on {W}: {report}"));
    let got = output.to_vec().expect("it began written");
    let live = |thread: u32| thread < threads && !gone.contains(thread % 64);
    for first in (0..threads).step_by(W as usize) {
        let of = |thread: u32| live(thread).then(|| mix(seed ^ u64::from(thread)));
        let lanes: Lanes<u64> = (first..first + W).map(of).collect();
        let votes: Lanes<bool> =
            lanes.iter().map(|lane| lane.map(|value| value % 2 == 0)).collect();
        let present: Lanes<bool> = lanes.iter().map(|lane| lane.map(|_| true)).collect();
        let (present, votes) = (model::ballot(&present, N), model::ballot(&votes, N));
        let sums = model::reduce(&lanes, N, &u64::wrapping_add);
        for (place, thread) in (first..threads.min(first + W)).enumerate() {
            let expected = present[place].map(|live| {
                let highest = u64::from(63 - live.leading_zeros());
                [live, votes[place].unwrap(), sums[place].unwrap(), highest]
            });
            assert_eq!(
                got[thread as usize],
                expected.unwrap_or_default(),
                "thread {thread} of {threads}, {N} on {W}"
            );
        }
    }
}

macro_rules! every_pair {
    ($arguments:expr; $($n:literal on $($w:literal)*;)*) => {{
        let (threads, gone, seed) = $arguments;
        $($( check::<$w, $n>(threads, gone, seed); )*)*
    }};
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(24) })]
    #[test]
    fn blocks_of_any_size_whose_lanes_return_early(
        threads in prop_oneof![1u32..=200, Just(1024), Just(64), Just(17)],
        gone in prop_oneof![Just(0), any::<u64>(), any::<u64>().prop_map(|bits| bits & bits >> 7)],
        seed in any::<u64>(),
    ) {
        every_pair! { (threads, LaneMask::from_bits(gone), seed);
            1 on 1 2 4 8 16 32 64;
            2 on 2 4 8 16 32 64;
            4 on 4 8 16 32 64;
            8 on 8 16 32 64;
            16 on 16 32 64;
            32 on 32 64;
            64 on 64;
        }
    }
}
