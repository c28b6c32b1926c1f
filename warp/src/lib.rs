//! Warp-level primitives, portable across waves of 32 and 64 lanes, and 4, 8 and 16.
//!
//! A kernel is written once, per lane, over [`Device`]; [`Wave`] has the collectives. The same
//! function runs on GPUs and, with the feature `sim`, on any machine: the [simulator](sim) runs
//! each lane, and reports with its source line whatever hardware would do wrong in silence.
//!
//! - [`LaneMask`]: sets of lanes, 64 bits on every target.
//! - [`Payload`]: what can move between lanes. [`Op`]: how two values become one.
//! - [`Wave`], [`Masked`]: shuffles, votes, broadcast, reductions.
//! - [`select`](mod@select): choices without a branch.
//! - [`Device`], [`memory`]: what a kernel sees of its machine.
#![cfg_attr(not(feature = "sim"), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(
    not(feature = "sim"),
    allow(rustdoc::broken_intra_doc_links, reason = "the simulator's pages need its feature")
)]
#![cfg_attr(
    any(target_arch = "nvptx64", target_arch = "amdgpu"),
    feature(core_intrinsics, f16, link_llvm_intrinsics),
    allow(internal_features, reason = "the compiler's own names for the hardware's instructions")
)]
#![cfg_attr(target_arch = "nvptx64", feature(asm_experimental_arch, stdarch_nvptx))]
#![cfg_attr(target_arch = "amdgpu", feature(stdarch_amdgpu))]

// See `docs/convergence.md`.
#[cfg(all(any(target_arch = "nvptx64", target_arch = "amdgpu"), not(wavewise_convergent)))]
compile_error!(
    "wavewise is compiled for a GPU target without `--cfg wavewise_convergent`: build with \
     `wavewise-build`, or set both `-Zmir-enable-passes=-JumpThreading` and that cfg in RUSTFLAGS. \
     Without the first, rustc copies shuffles and votes into both arms of a branch before them, \
     and lanes silently get wrong values"
);

// The derive macro's code names the crate; so must the crate's own tests.
#[cfg(test)]
extern crate self as wavewise;

mod backend;
mod device;
mod entry;
mod mask;
mod masked;
pub mod memory;
pub mod operator;
#[cfg(any(target_arch = "nvptx64", target_arch = "amdgpu"))]
mod panic;
mod payload;
mod plain;
pub mod select;
#[cfg(all(feature = "sim", not(any(target_arch = "nvptx64", target_arch = "amdgpu"))))]
pub mod sim;
mod wave;

#[doc(no_inline)]
pub use half::{bf16, f16};
#[cfg(feature = "derive")]
pub use wavewise_macros::Payload;

pub use backend::{Backend, Native};
pub use device::Device;
pub use mask::{LaneMask, Lanes};
pub use masked::Masked;
pub use memory::{Global, GlobalMut, Shared};
pub use operator::{And, Identity, Max, Maximum, Min, Minimum, Op, Or, Prod, Sum, Xor};
pub use payload::Payload;
pub use select::select;
pub use wave::Wave;
