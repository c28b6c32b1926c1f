//! Kernels over [`Device`](wavewise::Device), written once for every target.
//!
//! - [`reduce`](mod@reduce): the reduction exercise, a whole array as one value.
//! - [`block_reduce`](mod@block_reduce): the values of a block's threads as one.
//! - [`ladder`]: the two ways in which a wave's lanes become one.
//! - [`starters`]: the exercise with its two classic faults, to be found.
//! - `entries`, on GPU targets: what a host launches by name.
//! - `prebuilt`, with the feature of that name: the entries, compiled for every target.
#![no_std]
#![cfg_attr(any(target_arch = "nvptx64", target_arch = "amdgpu"), feature(abi_gpu_kernel))]

pub mod block_reduce;
#[cfg(any(target_arch = "nvptx64", target_arch = "amdgpu"))]
pub mod entries;
pub mod ladder;
#[cfg(feature = "prebuilt")]
pub mod prebuilt;
pub mod reduce;
pub mod starters;

#[cfg(test)]
extern crate std;

pub use block_reduce::block_reduce;
pub use ladder::{Butterfly, Ladder, ShuffleDown};
pub use reduce::{Grid, grid, reduce};
