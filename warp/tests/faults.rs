//! Every fault that the simulator reports, committed once, and the report read.

use std::sync::atomic::AtomicU32;

use wavewise::memory::{Ordering, Scope};
use wavewise::sim::{Activity, Fault, Launch, Memory, Report, Sim};
use wavewise::{Device, Global, LaneMask, Payload, Sum, Wave};

/// Runs a kernel that must fail, in one block.
fn fault<const W: u32>(threads: u32, kernel: impl Fn(Sim<W>) + Sync) -> Report {
    Launch::<W>::new(1, threads).named("faulty").run(kernel).expect_err("the fault is reported")
}

/// Asserts that the message has all of these parts.
#[track_caller]
fn says(report: &Report, parts: &[&str]) {
    let message = report.to_string();
    for part in parts {
        assert!(message.contains(part), "no {part:?} in: {message}");
    }
}

/// The handle for kernels that break its promise on purpose.
fn wave<const W: u32>(dev: Sim<W>) -> Wave<W, Sim<W>> {
    // SAFETY: the simulator is the witness of what happens otherwise.
    unsafe { dev.wave() }
}

#[test]
fn a_collective_that_some_lanes_never_reach() {
    fn kernel<const W: u32>(dev: Sim<W>) {
        let wave = wave(dev);
        if wave.lane() < W / 2 {
            let _: u32 = wave.reduce(1, Sum);
        }
        dev.barrier();
    }
    let report = fault::<32>(32, kernel);
    says(&report, &["kernel faulty, block 0", "lanes 0..=15 wait at reduce", "faults.rs:"]);
    says(&report, &["lanes 16..=31 wait at the barrier"]);
    let report = fault::<64>(64, kernel);
    says(&report, &["lanes 0..=31 wait at reduce", "lanes 32..=63 wait at the barrier"]);
    assert!(matches!(*report.fault, Fault::Divergence(groups) if groups.len() == 2));
}

#[test]
fn a_collective_reached_at_two_calls() {
    let report = fault::<64>(64, |dev| {
        let wave = wave(dev);
        let _ = if wave.lane() % 2 == 0 { wave.ballot(true) } else { wave.ballot(false) };
    });
    says(&report, &["not reached by all of its lanes", "wait at ballot"]);
    let message = report.to_string();
    let Fault::Divergence(groups) = *report.fault else { panic!("{message}") };
    let lanes: Vec<_> = groups.iter().map(|group| group.lanes).collect();
    assert_eq!(lanes[0] | lanes[1], LaneMask::ALL);
    assert!(groups.iter().all(|group| matches!(group.activity, Activity::Collective("ballot", _))));
}

#[test]
fn a_collective_in_a_loop_that_some_lanes_leave_early() {
    let report = fault::<32>(32, |dev| {
        let wave = wave(dev);
        for _ in 0..wave.lane() {
            wave.sync();
        }
        dev.barrier();
    });
    says(&report, &["lanes 1..=31 wait at sync", "lane 0 waits at the barrier"]);
}

#[test]
fn an_argument_that_must_agree() {
    let report = fault::<32>(32, |dev| {
        let wave = wave(dev);
        wave.shuffle_up(1u32, if wave.lane() == 7 { 2 } else { 1 });
    });
    says(&report, &["shuffle_up at", "needs the same delta in all lanes"]);
    says(&report, &["lanes 0..=6, 8..=31: delta 1", "lane 7: delta 2"]);
    let report = fault::<32>(32, |dev| {
        let wave = wave(dev);
        wave.shuffle_xor(1u32, wave.lane() / 16);
    });
    says(&report, &["shuffle_xor at", "needs the same mask", "lanes 16..=31: mask 1"]);
    let report = fault::<32>(32, |dev| {
        let wave = wave(dev);
        wave.broadcast(1u32, wave.lane());
    });
    says(&report, &["broadcast at", "needs the same lane"]);
}

#[test]
fn a_read_from_a_lane_that_was_not_launched() {
    let report = fault::<32>(20, |dev| {
        let wave = wave(dev);
        wave.shuffle_down(1u32, 1);
    });
    says(&report, &["lane 19 of wave 0 reads from lane 20, which takes no part; lanes 0..=19 do"]);
}

#[test]
fn a_read_from_a_lane_that_has_returned() {
    let report = fault::<64>(64, |dev| {
        let wave = wave(dev);
        if wave.lane() >= 48 {
            return;
        }
        let _: f32 = wave.reduce(1.0, Sum);
    });
    says(&report, &["reduce at", "which takes no part; lanes 0..=47 do"]);
}

#[test]
fn a_mask_without_the_calling_lane() {
    let report = fault::<32>(32, |dev| {
        let wave = wave(dev);
        let _ = wave.masked(LaneMask::first(16)).ballot(true);
    });
    says(&report, &["masked ballot at", "lane 16 of wave 0 calls it for lanes 0..=15"]);
}

#[test]
fn a_mask_with_lanes_that_have_returned() {
    let report = fault::<32>(32, |dev| {
        let wave = wave(dev);
        if wave.lane() == 5 {
            return;
        }
        wave.masked(LaneMask::ALL).sync();
    });
    says(&report, &["masked sync at", "all of them live: lanes 0..=4, 6..=31 are"]);
}

#[test]
fn a_mask_whose_other_lanes_never_come() {
    let report = fault::<32>(32, |dev| {
        let wave = wave(dev);
        if wave.lane() < 4 {
            wave.masked(LaneMask::first(8)).sync();
        }
        dev.barrier();
    });
    says(
        &report,
        &["lanes 0..=3 wait at masked sync of lanes 0..=7", "lanes 4..=31 wait at the barrier"],
    );
}

#[test]
fn a_barrier_that_a_wave_skips() {
    let report = fault::<32>(64, |dev| {
        if dev.wave_index() == 0 {
            dev.barrier();
        }
    });
    says(&report, &["a barrier is not reached by all threads of the block"]);
    says(
        &report,
        &["wave 0, lanes 0..=31 wait at the barrier", "wave 1, lanes 0..=31 have returned"],
    );
    assert!(matches!(*report.fault, Fault::Barrier(_)));
}

#[test]
fn two_barriers_for_one() {
    let report = fault::<32>(32, |dev| {
        let first = || dev.barrier();
        let second = || dev.barrier();
        if dev.thread_index() < 16 { first() } else { second() }
    });
    says(&report, &["lanes 0..=15 wait at the barrier", "lanes 16..=31 wait at the barrier"]);
}

#[test]
fn shared_memory_read_before_it_is_written() {
    let report = fault::<32>(32, |dev| {
        let shared = dev.shared::<f32, 32>();
        if dev.thread_index() < 31 {
            shared.set(dev.thread_index() as usize, 1.0);
        }
        dev.barrier();
        let _ = shared.get(dev.thread_index() as usize);
    });
    says(
        &report,
        &["element 31 of shared memory of 32 f32 was never written", "read by thread 31"],
    );
}

#[test]
fn global_memory_read_before_it_is_written() {
    let memory = Memory::<u64>::unwritten(8).named("the table");
    let report = fault::<4>(4, |dev| {
        let _ = memory.view().get(dev.thread_index() as usize + 4);
    });
    says(&report, &["element 4 of the table was never written"]);
    assert_eq!(memory.to_vec().unwrap_err().index, 0);
}

#[test]
fn the_warp_synchronous_reduction_of_old() {
    let report = fault::<32>(32, |dev| {
        let shared = dev.shared::<u32, 64>();
        let lane = dev.thread_index() as usize;
        shared.set(lane, 1);
        shared.set(lane + 32, 1);
        dev.barrier();
        for stride in [16, 8, 4, 2, 1] {
            shared.set(lane, shared.get(lane) + shared.get(lane + stride));
        }
    });
    says(&report, &["a data race on element", "of shared memory of 64 u32: nothing orders these"]);
    says(&report, &["write by thread", "read by thread"]);
}

#[test]
fn the_same_reduction_with_syncs_is_right() {
    let memory = Memory::unwritten(1);
    let kernel = |dev: Sim<32>| {
        let wave = wave(dev);
        let shared = dev.shared::<u32, 64>();
        let lane = dev.thread_index() as usize;
        shared.set(lane, 1);
        shared.set(lane + 32, 0);
        wave.sync();
        for stride in [16, 8, 4, 2, 1] {
            let other = shared.get(lane + stride);
            wave.sync();
            shared.set(lane, shared.get(lane) + other);
            wave.sync();
        }
        if lane == 0 {
            memory.view().set(0, shared.get(0));
        }
    };
    Launch::<32>::new(1, 32).run(kernel).unwrap();
    assert_eq!(memory.to_vec().unwrap(), [32]);
}

#[test]
fn a_shuffle_orders_no_memory() {
    let report = fault::<32>(32, |dev| {
        let wave = wave(dev);
        let shared = dev.shared::<u32, 32>();
        shared.set(dev.thread_index() as usize, 1);
        wave.shuffle_xor(0u32, 1);
        let _ = shared.get((dev.thread_index() ^ 1) as usize);
    });
    says(&report, &["a data race"]);
}

#[test]
fn two_blocks_that_write_one_element() {
    let memory = Memory::from(vec![0u32]);
    let report = Launch::<32>::new(2, 1)
        .run(|dev| memory.view().set(0, dev.block_index() as u32))
        .unwrap_err();
    says(&report, &["a data race on element 0 of global memory of 1 u32", "block 0", "block 1"]);
}

#[test]
fn a_plain_read_beside_an_atomic_update() {
    let memory = Memory::from(vec![0u32]);
    let report = fault::<32>(32, |dev| {
        let counter = memory.view();
        if dev.thread_index() == 31 {
            let _ = counter.get(0);
        } else {
            counter.atomic(0, Sum, 1, Ordering::Relaxed, Scope::Device);
        }
    });
    says(&report, &["a data race", "atomic update by thread", "read by thread 31"]);
}

/// One thread publishes a value, another waits for it.
fn message(release: Ordering, acquire: Ordering, scope: Scope) -> Result<Vec<u32>, Report> {
    let data = Memory::<u32>::unwritten(1).named("the message");
    let flag = Memory::from(vec![0u32]);
    let received = Memory::unwritten(1);
    let kernel = |dev: Sim<4>| {
        let (data, flag) = (data.view(), flag.view());
        if dev.block_index() == 0 {
            data.set(0, 42);
            flag.atomic_store(0, 1, release, scope);
        } else {
            while flag.atomic_load(0, acquire, scope) == 0 {
                dev.spin();
            }
            received.view().set(0, data.get(0));
        }
    };
    Launch::<4>::new(2, 1).run(kernel)?;
    Ok(received.to_vec().unwrap())
}

#[test]
fn release_and_acquire_order_a_message() {
    assert_eq!(message(Ordering::Release, Ordering::Acquire, Scope::Device).unwrap(), [42]);
}

#[test]
fn a_message_without_release() {
    let report = message(Ordering::Relaxed, Ordering::Acquire, Scope::Device).unwrap_err();
    says(&report, &["a data race on element 0 of the message"]);
}

#[test]
fn a_message_without_acquire() {
    let report = message(Ordering::Release, Ordering::Relaxed, Scope::Device).unwrap_err();
    says(&report, &["a data race on element 0 of the message"]);
}

#[test]
fn a_message_to_another_block_with_block_scope() {
    let report = message(Ordering::Release, Ordering::Acquire, Scope::Block).unwrap_err();
    says(&report, &["a data race on element 0", "atomic store", "atomic load"]);
}

/// The last block to finish adds the blocks' results up.
fn last_block(fences: bool) -> Result<Vec<u32>, Report> {
    let partials = Memory::unwritten(8).named("the partials");
    let arrived = Memory::from(vec![0u32]);
    let total = Memory::unwritten(1);
    let kernel = |dev: Sim<32>| {
        let last = dev.shared::<u32, 1>();
        if dev.thread_index() == 0 {
            partials.view().set(dev.block_index() as usize, 1u32);
            if fences {
                dev.fence(Scope::Device);
            }
            let before = arrived.view().atomic(0, Sum, 1, Ordering::Relaxed, Scope::Device);
            if fences {
                dev.fence(Scope::Device);
            }
            last.set(0, before);
        }
        dev.barrier();
        if last.get(0) == dev.blocks() as u32 - 1 && dev.thread_index() == 5 {
            total.view().set(0, (0..8).map(|block| partials.view().get(block)).sum::<u32>());
        }
    };
    Launch::<32>::new(8, 64).run(kernel)?;
    Ok(total.to_vec().unwrap())
}

#[test]
fn the_last_block_sees_all_partials_past_fences() {
    assert_eq!(last_block(true).unwrap(), [8]);
}

#[test]
fn the_last_block_without_fences() {
    says(&last_block(false).unwrap_err(), &["a data race on element", "of the partials"]);
}

#[test]
fn an_index_out_of_read_only_memory() {
    let input = [1.0f32; 10];
    let report = fault::<32>(32, |dev| {
        let _ = Global::from(&input[..]).get(dev.thread_index() as usize);
    });
    says(&report, &["read by thread 10", "index 10 is out of bounds", "which has 10 elements"]);
}

#[test]
fn an_index_out_of_global_and_shared_memory() {
    let memory = Memory::from(vec![0u8; 3]).named("the output");
    let report = fault::<2>(2, |_| memory.view().set(usize::MAX, 1));
    says(&report, &["write by thread 0", "out of bounds of the output, which has 3 elements"]);
    let report = fault::<2>(2, |dev| dev.shared::<u8, 3>().set(3, 1));
    says(&report, &["index 3 is out of bounds of shared memory of 3 u8"]);
}

#[test]
fn threads_that_ask_for_different_shared_memory() {
    let report = fault::<2>(2, |dev| {
        if dev.thread_index() == 0 {
            dev.shared::<f32, 4>();
        } else {
            dev.shared::<f32, 8>();
        }
    });
    says(&report, &["thread 1 asks at", "for shared memory of 8 f32, where thread 0 asked"]);
}

#[test]
fn a_wait_for_a_later_block_that_never_signals() {
    let flag = Memory::from(vec![0u32]);
    let report = fault::<32>(2, |dev| {
        while flag.view().atomic_load(0, Ordering::Acquire, Scope::Device) == 0 {
            dev.spin();
        }
    });
    says(&report, &["threads wait for something that does not come", "lanes 0..=1 wait in a loop"]);
}

#[test]
fn a_kernel_that_panics() {
    let report = fault::<32>(40, |dev| assert_ne!(dev.thread_index(), 35, "thirty-five"));
    says(&report, &["thread 35 panicked", "thirty-five"]);
}

#[test]
fn a_wave_wider_than_the_hardware() {
    let report = fault::<32>(32, |_| {
        // SAFETY: it is refused.
        let _ = unsafe { Wave::<64>::converged() };
    });
    says(&report, &["a wave of 64 lanes on hardware waves of 32"]);
}

#[test]
fn launches_that_cannot_be_run() {
    says(&Launch::<32>::new(1, 1025).run(|_| {}).unwrap_err(), &["1025 threads", "1 to 1024"]);
    says(&Launch::<32>::new(1, 0).run(|_| {}).unwrap_err(), &["0 threads"]);
    says(&Launch::<32>::new(0, 1).run(|_| {}).unwrap_err(), &["0 blocks"]);
    let report = Launch::<32>::new([1 << 16, 1 << 16, 1 << 16], 1).run(|_| {}).unwrap_err();
    says(&report, &["281474976710656 blocks"]);
}

#[test]
fn a_launch_by_a_kernel() {
    let inner = std::sync::Mutex::new(None);
    Launch::<4>::new(1, 1)
        .run(|_| *inner.lock().unwrap() = Launch::<4>::new(1, 1).run(|_| {}).err())
        .unwrap();
    says(&inner.into_inner().unwrap().unwrap(), &["a kernel launches it"]);
}

#[test]
fn shared_memory_kept_from_an_earlier_block() {
    use std::cell::Cell;
    use wavewise::Shared;
    thread_local!(static KEPT: Cell<Option<Shared<u32>>> = const { Cell::new(None) });
    let report = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap().install(|| {
        Launch::<4>::new(2, 1)
            .run(|dev| match KEPT.get() {
                None => KEPT.set(Some(dev.shared::<u32, 1>())),
                Some(kept) => kept.set(0, 1),
            })
            .unwrap_err()
    });
    says(&report, &["shared memory is accessed outside of its block"]);
}

#[test]
fn shared_memory_of_two_types_with_one_name() {
    let report = fault::<2>(2, |dev| {
        if dev.thread_index() == 0 {
            #[derive(Clone, Copy, Payload)]
            struct A(u8);
            dev.shared::<A, 1000>().set(0, A(0));
        } else {
            #[derive(Clone, Copy, Payload)]
            struct A([u64; 4096]);
            dev.shared::<A, 1000>().set(999, A([0; 4096]));
        }
    });
    assert!(matches!(*report.fault, Fault::SharedMismatch { .. }), "{report}");
}

#[test]
fn one_generic_call_with_two_types() {
    fn first<T: Payload>(wave: Wave<32, Sim<32>>, value: T) -> T {
        wave.shuffle(value, 0)
    }
    let report = fault::<32>(32, |dev| {
        let wave = wave(dev);
        if wave.lane() < 16 {
            first(wave, 1u32);
        } else {
            first(wave, 1.0f32);
        }
    });
    assert!(matches!(*report.fault, Fault::Divergence(_)), "{report}");
}

#[test]
fn a_valid_count_that_must_agree() {
    let report = fault::<32>(32, |dev| {
        let wave = wave(dev);
        wave.reduce_partial(1u32, Sum, 1 + wave.lane());
    });
    says(&report, &["reduce_partial at", "needs the same valid in all lanes", "and 28 more"]);
    // Segments may differ.
    let tiles = |dev: Sim<32>| {
        // SAFETY: no branch.
        let tile = unsafe { dev.wave::<8>() };
        let valid = dev.lane() / 8;
        assert_eq!(tile.reduce_partial(1u32, Sum, valid), valid);
    };
    Launch::<32>::new(1, 32).run(tiles).unwrap();
}

#[test]
fn locks_that_no_lane_can_open() {
    let lock = Memory::from(vec![0u32]);
    let exchange = |dev: Sim<4>| {
        while lock.view().atomic_exchange(0, 1, Ordering::Acquire, Scope::Device) == 1 {}
        wave(dev).sync();
        lock.view().atomic_store(0, 0, Ordering::Release, Scope::Device);
    };
    says(&fault::<4>(4, exchange), &["threads wait for something that does not come"]);
    let lock = Memory::from(vec![0u32]);
    let compare = |dev: Sim<4>| {
        let lock = lock.view();
        let order = Ordering::Acquire;
        while lock.atomic_compare_exchange(0, 0, 1, order, Scope::Device).is_err() {}
        wave(dev).sync();
    };
    says(&fault::<4>(4, compare), &["threads wait for something that does not come"]);
}

#[test]
fn a_lock_taken_by_one_lane_after_another() {
    let lock = Memory::from(vec![0u32]);
    let counter = Memory::from(vec![0u32]);
    let kernel = |_: Sim<32>| {
        let (lock, counter) = (lock.view(), counter.view());
        while lock.atomic_exchange(0, 1, Ordering::Acquire, Scope::Device) == 1 {}
        counter.set(0, counter.get(0) + 1);
        lock.atomic_store(0, 0, Ordering::Release, Scope::Device);
    };
    Launch::<32>::new(8, 64).run(kernel).unwrap();
    assert_eq!(counter.to_vec().unwrap(), [512]);
}

#[test]
fn destructors_that_use_the_device() {
    struct Guard<'a>(wavewise::GlobalMut<'a, u32>, Sim<4>);
    impl Drop for Guard<'_> {
        fn drop(&mut self) {
            self.0.atomic_store(0, 0, Ordering::Release, Scope::Device);
            self.1.barrier();
            wave(self.1).sync();
        }
    }
    let lock = Memory::from(vec![1u32]);
    let report = fault::<4>(4, |dev| {
        let _guard = Guard(lock.view(), dev);
        if dev.thread_index() > 0 {
            dev.barrier();
        }
    });
    says(&report, &["not reached by all"]);
    assert_eq!(lock.to_vec().unwrap(), [0]);
}

#[test]
fn a_race_among_thousands_of_reads() {
    let memory = Memory::from(vec![0u32]);
    let kernel = |dev: Sim<32>| {
        let memory = memory.view();
        if dev.block_index() == 0 {
            if dev.thread_index() == 0 {
                let _ = memory.get(0);
            }
            return;
        }
        for _ in 0..2 {
            let _ = memory.get(0);
        }
        dev.barrier();
        if dev.thread_index() == 0 {
            memory.set(0, 1);
        }
    };
    let report = Launch::<32>::new(2, 1024).run(kernel).unwrap_err();
    assert!(matches!(*report.fault, Fault::Race { .. }), "{report}");
}

#[test]
fn atomics_of_two_blocks_with_block_scope() {
    let counter = Memory::from(vec![0u32]);
    let report = Launch::<32>::new(2, 1)
        .run(|_| {
            counter.view().atomic(0, Sum, 1, Ordering::Relaxed, Scope::Block);
        })
        .unwrap_err();
    says(&report, &["a data race", "atomic update by thread 0 (block"]);
}

#[test]
fn a_lane_that_returns_before_the_sync() {
    let memory = Memory::from(vec![0u32; 32]);
    let report = fault::<32>(32, |dev| {
        let wave = wave(dev);
        memory.view().set(wave.lane() as usize, 1);
        if wave.lane() == 0 {
            return;
        }
        wave.sync();
        let _ = memory.view().get(wave.lane() as usize - 1);
    });
    says(&report, &["a data race on element 0", "write by thread 0", "read by thread 1"]);
}

#[test]
fn an_operator_that_calls_a_collective() {
    #[derive(Clone, Copy)]
    struct Meets;
    impl wavewise::Op<u32> for Meets {
        const COMMUTES: bool = true;
        fn combine(a: u32, b: u32) -> u32 {
            // SAFETY: broken on purpose.
            unsafe { Wave::<4>::converged() }.sync();
            a + b
        }
    }
    let memory = Memory::from(vec![0u32]);
    let report = fault::<4>(4, |_| {
        memory.view().atomic(0, Meets, 1, Ordering::Relaxed, Scope::Device);
    });
    says(&report, &["panicked", "an operator calls a collective inside an atomic update"]);
}

#[test]
fn the_lowest_block_is_blamed() {
    for _ in 0..20 {
        let report = Launch::<4>::new(64, 4)
            .run(|dev| assert!(dev.block_index() < 7, "too far"))
            .unwrap_err();
        assert_eq!(report.block, [7, 0, 0]);
    }
}

#[test]
fn destructors_of_stopped_lanes_run() {
    static DROPPED: AtomicU32 = AtomicU32::new(0);
    struct Counted;
    impl Drop for Counted {
        fn drop(&mut self) {
            DROPPED.fetch_add(1, Ordering::Relaxed);
        }
    }
    fault::<32>(32, |dev| {
        let _counted = Counted;
        if dev.thread_index() == 31 {
            return;
        }
        dev.barrier();
    });
    assert_eq!(DROPPED.load(Ordering::Relaxed), 32);
}
