//! [`Launch`]: runs a kernel over a grid.

use std::any::type_name_of_val;
use std::fmt;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use rayon::prelude::*;

use super::Sim;
use super::block::{Block, Peers, Sums};
use super::counts::Counts;
use super::lane;
use super::report::{Fault, Report};

/// The most threads of a block, as on every GPU.
const MOST_THREADS: u64 = 1024;

/// Lanes whose stacks may exist at one time: each takes two mappings, of which a process has
/// 65,530 by default.
const MOST_LANES: usize = 24_000;

/// The extent of a grid or a block, in up to three dimensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape([u32; 3]);

impl From<u32> for Shape {
    fn from(x: u32) -> Self {
        Self([x, 1, 1])
    }
}

impl From<[u32; 2]> for Shape {
    fn from([x, y]: [u32; 2]) -> Self {
        Self([x, y, 1])
    }
}

impl From<[u32; 3]> for Shape {
    fn from(shape: [u32; 3]) -> Self {
        Self(shape)
    }
}

impl Shape {
    fn volume(self) -> u64 {
        self.0.into_iter().map(u64::from).fold(1, u64::saturating_mul)
    }
}

/// What every block of a launch knows.
#[derive(Clone, Copy)]
pub(super) struct Facts {
    pub(super) width: u32,
    pub(super) grid: [u32; 3],
    pub(super) block: [u32; 3],
    /// Distinguishes the accesses of one launch from those of earlier ones.
    pub(super) launch: u32,
}

impl Facts {
    pub(super) fn threads(&self) -> u32 {
        self.block.into_iter().product()
    }
}

/// A kernel launch on hardware waves of `W` lanes.
#[must_use = "a launch does nothing until `run`"]
#[derive(Clone)]
pub struct Launch<'a, const W: u32> {
    grid: Shape,
    block: Shape,
    name: Option<&'a str>,
    progress: Option<&'a (dyn Fn(u64, u64) + Sync)>,
}

impl<'a, const W: u32> Launch<'a, W> {
    /// A grid of `blocks` blocks of `threads` threads.
    pub fn new(blocks: impl Into<Shape>, threads: impl Into<Shape>) -> Self {
        const {
            assert!(
                W.is_power_of_two() && W <= 64,
                "the width of a wave is a power of two from 1 to 64"
            );
        }
        Self { grid: blocks.into(), block: threads.into(), name: None, progress: None }
    }

    /// The name that a report gives the kernel, instead of its path.
    pub fn named(mut self, name: &'a str) -> Self {
        self.name = Some(name);
        self
    }

    /// Calls `progress` after each block, with how many are done and how many there are.
    pub fn progress(mut self, progress: &'a (dyn Fn(u64, u64) + Sync)) -> Self {
        self.progress = Some(progress);
        self
    }

    /// Runs `kernel` in every thread of the grid.
    ///
    /// Blocks run on rayon's threads, and begin in ascending order: a block may wait for one with
    /// a lower index, not for one with a higher. A panic of the kernel is caught and reported. A
    /// lane has 256 KiB of stack; a kernel that needs more ends the process.
    ///
    /// # Errors
    ///
    /// The first fault, that of the lowest block where several fail. A grid or a block without
    /// threads, a block of more than 1024, a grid of 2³² blocks or more, and a launch by a kernel
    /// are refused.
    ///
    /// The lanes that a fault has stopped are unwound: their destructors run, with collectives and
    /// barriers that do nothing and accesses that are not checked. A panic in one ends the process.
    pub fn run<K: Fn(Sim<W>) + Sync>(&self, kernel: K) -> Result<Counts, Report> {
        let name = self.name.map_or_else(|| kernel_name(&kernel), ToOwned::to_owned);
        let facts = self.check().map_err(|reason| Report {
            kernel: name.clone(),
            block: [0; 3],
            width: W,
            fault: Box::new(Fault::Refused(reason)),
        })?;
        let blocks = self.grid.volume();
        let workers = rayon::current_num_threads()
            .min(MOST_LANES / facts.threads() as usize)
            .min(blocks as usize)
            .max(1);
        let next = AtomicU64::new(0);
        let done = AtomicU64::new(0);
        let peers = Peers::default();
        let work = |_| {
            let mut sums = Sums::default();
            while !peers.failed.load(Ordering::Relaxed) {
                // Before the block is taken: a later one must not believe itself alone.
                peers.running.fetch_add(1, Ordering::SeqCst);
                let index = next.fetch_add(1, Ordering::SeqCst);
                if index >= blocks {
                    peers.running.fetch_sub(1, Ordering::SeqCst);
                    break;
                }
                let block = Block::new(facts, index as u32);
                let ended = block.run(&|| kernel(Sim), &mut sums, &peers);
                peers.running.fetch_sub(1, Ordering::SeqCst);
                if let Err(fault) = ended {
                    peers.failed.store(true, Ordering::Relaxed);
                    return Err((index, block.report(&name, fault)));
                }
                let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                if let Some(progress) = self.progress {
                    progress(done, blocks);
                }
            }
            Ok(sums)
        };
        let ended: Vec<_> = (0..workers).into_par_iter().with_max_len(1).map(work).collect();
        self.collect(ended)
    }

    fn check(&self) -> Result<Facts, String> {
        static LAUNCHES: AtomicU32 = AtomicU32::new(0);
        if lane::current().is_some() {
            return Err("a kernel launches it; launch it from the host".to_owned());
        }
        let threads = self.block.volume();
        if threads == 0 || threads > MOST_THREADS {
            return Err(format!(
                "a block has {threads} threads; it must have 1 to {MOST_THREADS}: change the block's shape {:?}",
                self.block.0
            ));
        }
        let blocks = self.grid.volume();
        if blocks == 0 || blocks > u64::from(u32::MAX) {
            return Err(format!(
                "the grid has {blocks} blocks; it must have 1 to {}: change the grid's shape {:?}",
                u32::MAX,
                self.grid.0
            ));
        }
        let launch = LAUNCHES.fetch_add(1, Ordering::Relaxed);
        Ok(Facts { width: W, grid: self.grid.0, block: self.block.0, launch })
    }

    fn collect(&self, ended: Vec<Result<Sums, (u64, Report)>>) -> Result<Counts, Report> {
        let mut all = Sums::default();
        let mut first: Option<(u64, Report)> = None;
        for end in ended {
            match end {
                Ok(sums) => all.merge(sums),
                Err(fault) if first.as_ref().is_none_or(|first| fault.0 < first.0) => {
                    first = Some(fault)
                }
                Err(_) => {}
            }
        }
        if let Some((_, report)) = first {
            return Err(report);
        }
        let (blocks, threads) = (self.grid.volume(), self.block.volume());
        let mut counts = Counts {
            blocks,
            threads: blocks * threads,
            waves: blocks * threads.div_ceil(W.into()),
            collectives: all.collectives,
            barriers: all.barriers,
            ..Counts::default()
        };
        all.tallies.report(&mut counts);
        Ok(counts)
    }
}

impl Sums {
    fn merge(&mut self, other: Self) {
        self.tallies.merge(other.tallies);
        self.barriers += other.barriers;
        for (name, count) in other.collectives {
            *self.collectives.entry(name).or_default() += count;
        }
    }
}

/// The path of a function, or of the function that a closure is written in.
fn kernel_name<K>(kernel: &K) -> String {
    type_name_of_val(kernel).trim_end_matches("::{{closure}}").to_owned()
}

impl<const W: u32> fmt::Debug for Launch<'_, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Launch")
            .field("grid", &self.grid.0)
            .field("block", &self.block.0)
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}
