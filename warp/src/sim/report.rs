//! [`Report`]: what a kernel did wrong, and where.

use std::error::Error;
use std::fmt;
use std::panic::Location;

use crate::LaneMask;

/// A line of the kernel's source.
pub type Site = &'static Location<'static>;

/// The first fault of a launch.
#[derive(Clone, Debug)]
pub struct Report {
    /// The kernel, as [`Launch::named`](super::Launch::named) gave it, else its path.
    pub kernel: String,
    /// The block in which it was seen.
    pub block: [u32; 3],
    /// Lanes of a hardware wave.
    pub width: u32,
    /// What was wrong.
    pub fault: Box<Fault>,
}

/// What lanes of one wave were doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// The wave in its block.
    pub wave: u32,
    /// The lanes of that wave.
    pub lanes: LaneMask,
    /// What they were doing.
    pub activity: Activity,
}

/// What a lane was doing when it stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activity {
    /// It waits at a collective of the whole wave.
    Collective(&'static str, Site),
    /// It waits at a collective of these lanes.
    MaskedCollective(&'static str, LaneMask, Site),
    /// It waits at a barrier.
    Barrier(Site),
    /// It waits in a loop for another thread.
    Spinning(Site),
    /// It has returned from the kernel.
    Returned,
}

/// An access to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// `read`, `write`, `atomic load`, `atomic store` or `atomic update`.
    pub kind: &'static str,
    /// The linear index of the block.
    pub block: u32,
    /// The wave in its block.
    pub wave: u32,
    /// The linear index of the thread in its block.
    pub thread: u32,
    /// The line.
    pub site: Site,
}

/// What can be wrong with a kernel.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Fault {
    /// A collective that some live lanes never reach, or reach at another call.
    Divergence(Vec<Group>),
    /// A collective whose lanes give different values for what must be the same in all.
    Disagreement {
        /// The collective.
        collective: &'static str,
        /// What must agree.
        argument: &'static str,
        /// The values, with the lanes that give them.
        values: Vec<(LaneMask, u32)>,
        /// The wave in its block.
        wave: u32,
        /// The line.
        site: Site,
    },
    /// A read from a lane that takes no part.
    AbsentSource {
        /// The collective.
        collective: &'static str,
        /// The lane that reads.
        lane: u32,
        /// The lane that it reads from.
        source: u32,
        /// The lanes that take part.
        present: LaneMask,
        /// The wave in its block.
        wave: u32,
        /// The line.
        site: Site,
    },
    /// A collective over a mask without the lane that calls it, or with lanes that have returned
    /// or were never launched.
    WrongMask {
        /// The collective.
        collective: &'static str,
        /// A lane that calls it.
        lane: u32,
        /// The mask.
        members: LaneMask,
        /// The lanes of the wave that are live.
        live: LaneMask,
        /// The wave in its block.
        wave: u32,
        /// The line.
        site: Site,
    },
    /// A barrier that not all threads of the block reach.
    Barrier(Vec<Group>),
    /// Threads that wait in loops for something that does not come.
    Stuck(Vec<Group>),
    /// A read of an element that was never written.
    Unwritten {
        /// The memory.
        memory: String,
        /// The element.
        index: usize,
        /// The read.
        access: Access,
    },
    /// An index that is not in the memory.
    OutOfBounds {
        /// The memory.
        memory: String,
        /// The index.
        index: usize,
        /// The number of elements.
        len: usize,
        /// The access.
        access: Access,
    },
    /// Two accesses to one element that nothing orders, not both reads, not both atomic.
    Race {
        /// The memory.
        memory: String,
        /// The element.
        index: usize,
        /// The access that the simulator ran first.
        first: Access,
        /// The other.
        second: Access,
    },
    /// Threads of a block that ask for different shared memory.
    SharedMismatch {
        /// What the first thread asked for.
        first: String,
        /// What this one asked for.
        second: String,
        /// The thread.
        thread: u32,
        /// The line.
        site: Site,
    },
    /// The kernel panicked.
    Panicked {
        /// The message.
        message: String,
        /// The linear index of the thread in its block.
        thread: u32,
    },
    /// The launch itself cannot be run.
    Refused(String),
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kernel, block: [x, y, z], width, fault } = self;
        if let Fault::Refused(reason) = &**fault {
            return write!(f, "kernel {kernel} cannot be launched: {reason}");
        }
        write!(f, "kernel {kernel}, block {x}")?;
        if (*y, *z) != (0, 0) {
            write!(f, ",{y},{z}")?;
        }
        write!(f, ", waves of {width} lanes: {fault}")
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Divergence(groups) => {
                f.write_str("a collective is not reached by all of its lanes")?;
                write_groups(f, groups)
            }
            Self::Barrier(groups) => {
                f.write_str("a barrier is not reached by all threads of the block")?;
                write_groups(f, groups)
            }
            Self::Stuck(groups) => {
                f.write_str("threads wait for something that does not come")?;
                write_groups(f, groups)
            }
            Self::Disagreement { collective, argument, values, wave, site } => {
                write!(f, "{collective} at {site} needs the same {argument} in all lanes")?;
                const SHOWN: usize = 4;
                for (lanes, value) in values.iter().take(SHOWN) {
                    write!(f, "\n  wave {wave}, {}: {argument} {value}", Lanes(*lanes))?;
                }
                match values.len().saturating_sub(SHOWN) {
                    0 => Ok(()),
                    more => write!(f, "\n  and {more} more"),
                }
            }
            Self::AbsentSource { collective, lane, source, present, wave, site } => write!(
                f,
                "{collective} at {site}: lane {lane} of wave {wave} reads from lane {source}, \
                 which takes no part; {} do. Where not all lanes are live, use a partial or masked \
                 form",
                Lanes(*present)
            ),
            Self::WrongMask { collective, lane, members, live, wave, site } => write!(
                f,
                "{collective} at {site}: lane {lane} of wave {wave} calls it for {}; it must be \
                 one of them, and all of them live: {} are",
                Lanes(*members),
                Lanes(*live)
            ),
            Self::Unwritten { memory, index, access } => {
                write!(f, "{access}: element {index} of {memory} was never written")
            }
            Self::OutOfBounds { memory, index, len, access } => {
                write!(
                    f,
                    "{access}: index {index} is out of bounds of {memory}, which has {len} elements"
                )
            }
            Self::Race { memory, index, first, second } => write!(
                f,
                "a data race on element {index} of {memory}: nothing orders these\n  {first}\n  {second}"
            ),
            Self::SharedMismatch { first, second, thread, site } => write!(
                f,
                "thread {thread} asks at {site} for {second}, where thread 0 asked for {first}; \
                 all threads must make the same calls in the same order"
            ),
            Self::Panicked { message, thread } => write!(f, "thread {thread} panicked: {message}"),
            Self::Refused(reason) => f.write_str(reason),
        }
    }
}

impl Error for Report {}

fn write_groups(f: &mut fmt::Formatter<'_>, groups: &[Group]) -> fmt::Result {
    groups.iter().try_for_each(|group| write!(f, "\n  {group}"))
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (verb, verbs) = match self.lanes.count() {
            1 => ("waits", "has"),
            _ => ("wait", "have"),
        };
        write!(f, "wave {}, {} ", self.wave, Lanes(self.lanes))?;
        match self.activity {
            Activity::Collective(name, site) => write!(f, "{verb} at {name}, {site}"),
            Activity::MaskedCollective(name, members, site) => {
                write!(f, "{verb} at {name} of {}, {site}", Lanes(members))
            }
            Activity::Barrier(site) => write!(f, "{verb} at the barrier, {site}"),
            Activity::Spinning(site) => write!(f, "{verb} in a loop, {site}"),
            Activity::Returned => write!(f, "{verbs} returned"),
        }
    }
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} by thread {} (block {}, wave {}) at {}",
            self.kind, self.thread, self.block, self.wave, self.site
        )
    }
}

/// `lane 3`, `lanes 0..=15`.
struct Lanes(LaneMask);

impl fmt::Display for Lanes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", if self.0.count() == 1 { "lane" } else { "lanes" }, self.0)
    }
}
