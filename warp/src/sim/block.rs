//! One block: its lanes, its shared memory, and the order in which they run.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use corosensei::{Coroutine, CoroutineResult};

use super::clock::Clock;
use super::lane::{Lane, Stop, make_current};
use super::launch::Facts;
use super::report::{Fault, Group, Report, Site};
use super::shared::SharedArray;
use super::stack::LaneStack;
use super::traffic::{Kind, Tallies, Traffic};
use super::wave::{Met, activities, resolve};

/// A block that runs.
pub(super) struct Block {
    facts: Facts,
    index: u32,
    lanes: Vec<Lane>,
    /// One for each wave.
    traffic: Vec<RefCell<Traffic>>,
    pub(super) arrays: RefCell<Vec<SharedArray>>,
    barriers: Cell<u64>,
}

/// What a worker adds up over its blocks.
#[derive(Default)]
pub(super) struct Sums {
    pub(super) tallies: Tallies,
    pub(super) collectives: std::collections::BTreeMap<&'static str, u64>,
    pub(super) barriers: u64,
}

/// What a block sees of the others of its launch.
#[derive(Default)]
pub(super) struct Peers {
    /// One has failed: there is nothing to wait for.
    pub(super) failed: AtomicBool,
    /// How many have begun and not ended.
    pub(super) running: AtomicU32,
}

type LaneRun = Coroutine<(), (), (), LaneStack>;

/// How many rounds a block whose threads all wait in loops runs on its own before it gives up.
const ROUNDS_ALONE: u32 = 100;

/// How long it waits for other blocks, and from which round on it sleeps in between.
const PATIENCE: Duration = Duration::from_secs(5);
const EAGER: u32 = 1_000;

/// Rounds in which no lane of a block got further.
#[derive(Default)]
struct Idle {
    rounds: u32,
    since: Option<Instant>,
}

impl Idle {
    /// Lets other blocks run; `false` where there is nothing left to wait for.
    fn wait(&mut self, alone: bool) -> bool {
        self.rounds += 1;
        let since = *self.since.get_or_insert_with(Instant::now);
        if self.rounds < EAGER {
            thread::yield_now();
        } else {
            thread::sleep(Duration::from_micros(200));
        }
        since.elapsed() < PATIENCE && !(alone && self.rounds > ROUNDS_ALONE)
    }
}

impl Block {
    pub(super) fn new(facts: Facts, index: u32) -> Self {
        let threads = facts.threads();
        Self {
            facts,
            index,
            lanes: (0..threads)
                .map(|thread| Lane::new(thread, facts.width, facts.launch, index))
                .collect(),
            traffic: (0..threads.div_ceil(facts.width)).map(|_| RefCell::default()).collect(),
            arrays: RefCell::default(),
            barriers: Cell::new(0),
        }
    }

    pub(super) fn width(&self) -> u32 {
        self.facts.width
    }

    pub(super) fn shape(&self) -> [u32; 3] {
        self.facts.block
    }

    pub(super) fn grid(&self) -> [u32; 3] {
        self.facts.grid
    }

    /// The block's place in the grid.
    pub(super) fn place(&self) -> [u32; 3] {
        place(self.index, self.facts.grid)
    }

    /// A thread's place in the block.
    pub(super) fn place_of(&self, thread: u32) -> [u32; 3] {
        place(thread, self.facts.block)
    }

    /// Counts an access, and lets the wave's other lanes catch up where this one is far ahead.
    #[inline]
    pub(super) fn note(&self, lane: &Lane, kind: Kind, site: Site, first: usize, last: usize) {
        let ahead =
            self.traffic[lane.wave as usize].borrow_mut().note(kind, site, lane.lane, first, last);
        if ahead {
            lane.wait(Stop::Window);
        }
    }

    /// Runs the block to its end.
    pub(super) fn run(
        &self,
        kernel: &(dyn Fn() + Sync),
        sums: &mut Sums,
        peers: &Peers,
    ) -> Result<(), Fault> {
        let mut runs = self.start(kernel)?;
        let ended = self.schedule(&mut runs, sums, peers);
        for (lane, mut run) in self.lanes.iter().zip(runs) {
            if !run.done() {
                lane.unwind(|| make_current(self, lane, || run.force_unwind()));
            }
            run.into_stack().give();
        }
        for traffic in &self.traffic {
            traffic.borrow_mut().meet(&mut sums.tallies);
        }
        sums.barriers += self.barriers.get();
        ended
    }

    fn start(&self, kernel: &(dyn Fn() + Sync)) -> Result<Vec<LaneRun>, Fault> {
        let start = |lane: &Lane| {
            let stack = LaneStack::take(lane.thread as usize)
                .map_err(|error| Fault::Refused(format!("no stack for a lane: {error}")))?;
            let way_out = &raw const lane.way_out;
            let body = move |yielder: &corosensei::Yielder<(), ()>, ()| {
                // SAFETY: the block, and so its lanes, outlives the coroutine.
                unsafe { &*way_out }.set(yielder);
                kernel();
            };
            // SAFETY: `body` borrows the kernel and the lane; `run` drops or finishes the coroutine
            // before it returns, while both are alive.
            Ok(unsafe { Coroutine::with_stack_unchecked(stack, body) })
        };
        self.lanes.iter().map(start).collect()
    }

    fn schedule(&self, runs: &mut [LaneRun], sums: &mut Sums, peers: &Peers) -> Result<(), Fault> {
        let width = self.facts.width as usize;
        let mut idle = Idle::default();
        loop {
            let mut progress = false;
            for (wave, lanes) in self.lanes.chunks(width).enumerate() {
                let runs = &mut runs[wave * width..][..lanes.len()];
                while self.advance(wave, lanes, runs, sums)? {
                    progress = true;
                }
            }
            if self.count(|stop| !matches!(stop, Stop::Returned)) == 0 {
                return Ok(());
            }
            let spinning = self.count(|stop| matches!(stop, Stop::Spin(_)));
            if self.pass_barrier(sums) {
                idle = Idle::default();
            } else if spinning > 0 {
                if peers.failed.load(Ordering::Relaxed) {
                    return Ok(());
                }
                if progress {
                    idle = Idle::default();
                } else if !idle.wait(peers.running.load(Ordering::SeqCst) == 1) {
                    return Err(Fault::Stuck(self.groups()));
                }
                self.release(|stop| matches!(stop, Stop::Spin(_)));
            } else if !progress {
                return Err(self.stuck());
            }
        }
    }

    /// Runs a wave's lanes until each has stopped, then what they met at; whether that got
    /// any of them further than another round of a waiting loop.
    fn advance(
        &self,
        wave: usize,
        lanes: &[Lane],
        runs: &mut [LaneRun],
        sums: &mut Sums,
    ) -> Result<bool, Fault> {
        let mut moved = false;
        for (lane, run) in lanes.iter().zip(runs) {
            if !matches!(*lane.stop.borrow(), Stop::Ready) {
                continue;
            }
            self.resume(lane, run)?;
            moved |= !matches!(*lane.stop.borrow(), Stop::Spin(_));
        }
        let met = resolve(lanes, |name| *sums.collectives.entry(name).or_default() += 1)
            .map_err(|fault| *fault)?;
        if met != Met::Some {
            self.traffic[wave].borrow_mut().meet(&mut sums.tallies);
        }
        Ok(moved || met != Met::None)
    }

    fn resume(&self, lane: &Lane, run: &mut LaneRun) -> Result<(), Fault> {
        let resumed =
            catch_unwind(AssertUnwindSafe(|| make_current(self, lane, || run.resume(()))));
        match resumed {
            Ok(CoroutineResult::Yield(())) => {
                let mut stop = lane.stop.borrow_mut();
                match std::mem::replace(&mut *stop, Stop::Returned) {
                    Stop::Fault(fault) => return Err(*fault),
                    other => *stop = other,
                }
            }
            Ok(CoroutineResult::Return(())) => *lane.stop.borrow_mut() = Stop::Returned,
            Err(panic) => {
                let message = panic
                    .downcast_ref::<String>()
                    .cloned()
                    .or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string))
                    .unwrap_or_else(|| "with a value that is no text".to_owned());
                return Err(Fault::Panicked { message, thread: lane.thread });
            }
        }
        Ok(())
    }

    /// Lets the block pass a barrier if all of its threads are there, at one call.
    fn pass_barrier(&self, sums: &mut Sums) -> bool {
        let mut sites = self.lanes.iter().map(|lane| match *lane.stop.borrow() {
            Stop::Barrier(site) => Some(site),
            _ => None,
        });
        let Some(Some(first)) = sites.next() else { return false };
        if !sites.all(|site| site.is_some_and(|site| std::ptr::eq(site, first))) {
            return false;
        }
        Clock::pass_barrier(self.lanes.iter().map(|lane| &lane.clock));
        for traffic in &self.traffic {
            traffic.borrow_mut().meet(&mut sums.tallies);
        }
        self.barriers.set(self.barriers.get() + 1);
        self.release(|stop| matches!(stop, Stop::Barrier(_)));
        true
    }

    fn count(&self, is: impl Fn(&Stop) -> bool) -> usize {
        self.lanes.iter().filter(|lane| is(&lane.stop.borrow())).count()
    }

    fn release(&self, is: impl Fn(&Stop) -> bool) {
        for lane in &self.lanes {
            let mut stop = lane.stop.borrow_mut();
            if is(&stop) {
                *stop = Stop::Ready;
            }
        }
    }

    /// The fault of a block in which no lane can go on.
    fn stuck(&self) -> Fault {
        let diverged = self.lanes.chunks(self.facts.width as usize).find(|lanes| {
            lanes.iter().any(|lane| matches!(*lane.stop.borrow(), Stop::Collective(_)))
        });
        match diverged {
            Some(lanes) => Fault::Divergence(activities(lanes)),
            None => Fault::Barrier(self.groups()),
        }
    }

    fn groups(&self) -> Vec<Group> {
        self.lanes.chunks(self.facts.width as usize).flat_map(activities).collect()
    }

    pub(super) fn report(&self, kernel: &str, fault: Fault) -> Report {
        Report {
            kernel: kernel.to_owned(),
            block: self.place(),
            width: self.facts.width,
            fault: Box::new(fault),
        }
    }
}

fn place(index: u32, [x, y, _]: [u32; 3]) -> [u32; 3] {
    [index % x, index / x % y, index / x / y]
}
