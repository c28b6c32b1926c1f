//! Kernels over [`Device`](wavewise::Device), written once for every target.
//!
//! - [`reduce`](mod@reduce): the reduction exercise, a whole array as one value.
//! - [`block_reduce`](mod@block_reduce): the values of a block's threads as one.
//! - [`ladder`]: the two ways in which a wave's lanes become one.
//! - [`starters`]: the exercise with its two classic faults, to be found.
#![no_std]

pub mod block_reduce;
pub mod ladder;
pub mod reduce;
pub mod starters;

pub use block_reduce::block_reduce;
pub use ladder::{Butterfly, Ladder, ShuffleDown};
pub use reduce::{Grid, grid, reduce};
