//! What the simulator counts, against figures worked out by hand or published.

use wavewise::sim::{Counts, Launch, Memory, Sim};
use wavewise::{Device, Global, Sum};

/// Aligned to a line of 128 bytes, as a GPU's allocations are.
#[repr(align(128))]
struct Lines([f32; 4096]);

static INPUT: Lines = Lines([1.0; 4096]);

fn count<const W: u32>(threads: u32, kernel: impl Fn(Sim<W>) + Sync) -> Counts {
    Launch::<W>::new(1, threads).run(kernel).expect("the kernel is right")
}

/// Sectors and lines of one load of one wave, lane `i` reading element `i * stride`.
fn load<const W: u32>(stride: usize) -> (u64, u64) {
    let counts = count::<W>(W, |dev| {
        let _ = Global::from(&INPUT.0[..]).get(dev.thread_index() as usize * stride);
    });
    let [site] = counts.global[..] else { panic!("one load, one site") };
    assert_eq!((site.lanes, site.waves, site.writes), (W.into(), 1, false));
    (site.sectors, site.lines)
}

#[test]
fn consecutive_floats_fill_their_sectors() {
    assert_eq!(load::<32>(1), (4, 1));
    assert_eq!(load::<64>(1), (8, 2));
    assert_eq!(load::<16>(1), (2, 1));
}

#[test]
fn strided_floats_waste_theirs() {
    assert_eq!(load::<32>(2), (8, 2));
    assert_eq!(load::<32>(8), (32, 8));
    assert_eq!(load::<32>(32), (32, 32));
    assert_eq!(load::<64>(64), (64, 64));
    assert_eq!(load::<32>(0), (1, 1));
}

#[test]
fn a_vector_load_is_one_access() {
    let counts = count::<32>(32, |dev| {
        let _: [f32; 4] = Global::from(&INPUT.0[..]).get_array(dev.thread_index() as usize * 4);
    });
    let [site] = counts.global[..] else { panic!("one load, one site") };
    assert_eq!((site.waves, site.sectors, site.lines), (1, 16, 4));
}

#[test]
fn a_loop_counts_each_of_its_accesses() {
    // 256 threads walk 4096 elements in step: 8 waves x 16 accesses x 4 sectors.
    let counts = count::<32>(256, |dev| {
        let input = Global::from(&INPUT.0[..]);
        for element in (dev.thread_index() as usize..4096).step_by(256) {
            let _ = input.get(element);
        }
    });
    let [site] = counts.global[..] else { panic!("one load, one site") };
    assert_eq!((site.lanes, site.waves, site.sectors, site.lines), (4096, 128, 512, 128));
}

#[test]
fn a_long_loop_is_counted_window_by_window() {
    let counts = count::<4>(4, |dev| {
        let input = Global::from(&INPUT.0[..]);
        for k in 0..10_000 {
            let _ = input.get((k * 4 + dev.thread_index() as usize) % 4096);
        }
    });
    let [site] = counts.global[..] else { panic!("one load, one site") };
    assert_eq!((site.lanes, site.waves, site.sectors), (40_000, 10_000, 10_000));
}

/// Passes over the banks of one read, lane `i` reading element `i * stride`.
fn bank_passes<const W: u32>(stride: usize) -> u64 {
    let counts = count::<W>(W, |dev| {
        let shared = dev.shared::<u32, 2048>();
        let lane = dev.thread_index() as usize;
        for element in (lane..2048).step_by(W as usize) {
            shared.set(element, 0);
        }
        dev.barrier();
        let _ = shared.get(lane * stride);
    });
    counts.shared.iter().find(|site| !site.writes).expect("one read").passes
}

#[test]
fn bank_conflicts() {
    assert_eq!(bank_passes::<32>(1), 1);
    assert_eq!(bank_passes::<32>(2), 2);
    assert_eq!(bank_passes::<32>(32), 32);
    assert_eq!(bank_passes::<32>(33), 1);
    assert_eq!(bank_passes::<32>(0), 1, "all lanes read one word");
    assert_eq!(bank_passes::<64>(1), 2, "64 words over 32 banks");
}

#[test]
fn doubles_take_two_passes() {
    let counts = count::<32>(32, |dev| {
        let shared = dev.shared::<f64, 32>();
        shared.set(dev.thread_index() as usize, 0.0);
    });
    assert_eq!(counts.shared[0].passes, 2);
}

/// Issue passes of a branch in a block of 256 threads.
fn passes<const W: u32>(condition: impl Fn(Sim<W>) -> bool + Sync) -> u64 {
    let counts = count::<W>(256, |dev| {
        dev.branch(condition(dev));
    });
    let [site] = counts.branches[..] else { panic!("one branch, one site") };
    assert_eq!((site.lanes, site.waves), (256, u64::from(256 / W)));
    site.passes
}

#[test]
fn a_wave_pays_for_every_side_that_a_lane_takes() {
    assert_eq!(passes::<32>(|dev| dev.lane() % 2 == 0), 16);
    assert_eq!(passes::<32>(|dev| dev.wave_index() % 2 == 0), 8);
    assert_eq!(passes::<64>(|dev| dev.lane() % 2 == 0), 8);
    assert_eq!(passes::<64>(|dev| dev.wave_index() % 2 == 0), 4);
    assert_eq!(passes::<32>(|dev| dev.thread_index() == 77), 9);
    assert_eq!(passes::<32>(|_| true), 8);
}

#[test]
fn a_guard_over_a_million_elements() {
    let counts = Launch::<32>::new(3907, 256)
        .run(|dev| {
            dev.branch(dev.global_index() < 1_000_000);
        })
        .unwrap();
    let [guard] = counts.branches[..] else { panic!("one branch, one site") };
    assert_eq!(guard.waves, 31_256, "31,250 full waves and 6 wholly outside");
    assert_eq!(guard.passes, guard.waves, "none diverges");
}

#[test]
fn collectives_and_barriers() {
    let counts = count::<64>(192, |dev| {
        // SAFETY: no branch.
        let wave = unsafe { dev.wave::<64>() };
        let _: u32 = wave.reduce(1, Sum);
        let _ = wave.ballot(true);
        dev.barrier();
    });
    assert_eq!(counts.collectives["shuffle_xor"], 3 * 6);
    assert_eq!(counts.collectives["ballot"], 3);
    assert_eq!(counts.collectives_total(), 21);
    assert_eq!((counts.barriers, counts.blocks, counts.threads, counts.waves), (1, 1, 192, 3));
}

#[test]
fn places_in_two_and_three_dimensions() {
    let places = Memory::unwritten(2 * 3 * 4 * 24);
    let kernel = |dev: Sim<16>| {
        let (thread, block) = (dev.thread(), dev.block());
        places.view().set(dev.global_index() as usize, [thread, block]);
        assert_eq!((dev.block_shape(), dev.grid_shape()), ([4, 3, 2], [2, 3, 4]));
        assert_eq!(dev.lane() + 16 * dev.wave_index(), dev.thread_index());
        assert_eq!(dev.waves(), 2);
    };
    Launch::<16>::new([2, 3, 4], [4, 3, 2]).run(kernel).unwrap();
    let mut expected = Vec::new();
    let cells = |[x, y, z]: [u32; 3]| {
        (0..z).flat_map(move |k| (0..y).flat_map(move |j| (0..x).map(move |i| [i, j, k])))
    };
    for block in cells([2, 3, 4]) {
        expected.extend(cells([4, 3, 2]).map(|thread| [thread, block]));
    }
    assert_eq!(places.to_vec().unwrap(), expected);
}

#[test]
fn progress_counts_every_block() {
    use std::sync::Mutex;
    let seen = Mutex::new(Vec::new());
    let progress = |done, blocks| seen.lock().unwrap().push((done, blocks));
    Launch::<8>::new(50, 8).progress(&progress).run(|_| {}).unwrap();
    let mut seen = seen.into_inner().unwrap();
    seen.sort_unstable();
    assert_eq!(seen, (1..=50).map(|done| (done, 50)).collect::<Vec<_>>());
}
