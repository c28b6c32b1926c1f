//! The simulator: runs a kernel on the CPU, lane by lane, and checks it.
//!
//! Every lane is a coroutine of its own. Lanes of a wave meet at collectives, waves of a block at
//! barriers; blocks run in parallel, taken in ascending order. [`Launch`] runs a kernel at any
//! width of 1, 2, 4 … 64 lanes and gives [`Counts`], or the [`Report`] of the first fault:
//!
//! - a collective that some live lanes never reach, or reach at another call or with arguments
//!   that must agree;
//! - a read from a lane that takes no part;
//! - a barrier not reached by all threads of the block;
//! - shared or global memory read before it is written, and an index out of bounds;
//! - a data race. Accesses are ordered by barriers, by the wave's `sync`, and by release and
//!   acquire; a shuffle or a vote orders nothing.
//!
//! ```
//! use wavewise::sim::{Launch, Memory};
//! use wavewise::{Device, Global, GlobalMut, Sum};
//!
//! fn sum<const W: u32, D: Device<W>>(dev: D, input: Global<'_, u32>, output: GlobalMut<'_, u32>) {
//!     // SAFETY: no branch before or between the collectives.
//!     let wave = unsafe { dev.wave::<W>() };
//!     let total = wave.reduce(input.get_or(dev.global_index() as usize, 0), Sum);
//!     if wave.lane() == 0 {
//!         output.set(dev.wave_index() as usize, total);
//!     }
//! }
//!
//! let input: Vec<u32> = (1..=100).collect();
//! let output = Memory::unwritten(2);
//! Launch::<64>::new(1, 128).run(|dev| sum(dev, Global::from(&input[..]), output.view()))?;
//! assert_eq!(output.to_vec()?, [2080, 2970]);
//!
//! // Half of the lanes never reach the reduction: hardware hangs or gives nonsense.
//! fn diverged<const W: u32, D: Device<W>>(dev: D) {
//!     // SAFETY: broken on purpose.
//!     let wave = unsafe { dev.wave::<W>() };
//!     if wave.lane() < W / 2 {
//!         wave.reduce(1u32, Sum);
//!     }
//!     dev.barrier();
//! }
//! let report = Launch::<32>::new(1, 32).run(diverged).unwrap_err();
//! assert!(report.to_string().contains("lanes 16..=31"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod block;
mod clock;
mod counts;
pub(crate) mod lane;
mod launch;
mod memory;
mod race;
mod report;
mod shared;
mod stack;
mod traffic;
mod wave;

pub use crate::backend::Sim;
pub use counts::{Branches, Counts, MemoryTraffic};
pub use launch::{Launch, Shape};
pub(crate) use memory::Shadow;
pub use memory::{Memory, Unwritten};
pub use report::{Access, Activity, Fault, Group, Report};

pub(crate) use memory::{note, out_of_bounds, poll};
pub(crate) use race::Touch;
pub(crate) use shared::touch_shared;
