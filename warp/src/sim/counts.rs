//! [`Counts`]: what a launch did.

use std::collections::BTreeMap;

use super::report::Site;

/// What a launch did, summed over all of its waves.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Counts {
    /// Blocks that ran.
    pub blocks: u64,
    /// Threads that ran.
    pub threads: u64,
    /// Hardware waves that ran.
    pub waves: u64,
    /// Collectives that waves executed, by name: one for each shuffle of a reduction.
    pub collectives: BTreeMap<&'static str, u64>,
    /// Barriers that blocks passed.
    pub barriers: u64,
    /// What happened at each `dev.branch`.
    pub branches: Vec<Branches>,
    /// The accesses of global memory.
    pub global: Vec<MemoryTraffic>,
    /// The accesses of shared memory.
    pub shared: Vec<MemoryTraffic>,
}

/// What happened at one `dev.branch`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branches {
    /// The line.
    pub site: Site,
    /// How often a lane came by.
    pub lanes: u64,
    /// How often a wave came by.
    pub waves: u64,
    /// How many sides were issued: 1 for a wave that agreed, 2 for one that diverged.
    pub passes: u64,
}

/// What one line of a kernel did to memory.
///
/// The k-th access of one lane at a line is counted together with the k-th of the other lanes of
/// its wave since their last meeting, as hardware issues them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryTraffic {
    /// The line.
    pub site: Site,
    /// Whether it writes.
    pub writes: bool,
    /// Accesses of lanes.
    pub lanes: u64,
    /// Accesses of waves.
    pub waves: u64,
    /// Global memory: the sectors of 32 bytes that each access of a wave touches, summed.
    pub sectors: u64,
    /// Global memory: the lines of 128 bytes that each access of a wave touches, summed.
    pub lines: u64,
    /// Shared memory: the passes over 32 banks of 4 bytes that each access of a wave takes, summed.
    /// Lanes that read the same word share a pass.
    pub passes: u64,
}

impl Counts {
    /// All collectives that waves executed.
    #[must_use]
    pub fn collectives_total(&self) -> u64 {
        self.collectives.values().sum()
    }
}
