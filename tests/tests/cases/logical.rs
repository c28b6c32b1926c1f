//! Partial and logical waves.

use super::*;

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
