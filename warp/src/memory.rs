//! Views of memory that lanes share: [`Global`], [`GlobalMut`], [`Shared`].
//!
//! All three are a pointer with a length on a GPU. In the simulator every access is checked:
//! bounds, elements never written, and data races.
//!
//! A data race is undefined behaviour on a GPU as anywhere. The methods are safe all the same:
//! whoever launches a kernel on a GPU promises, in that unsafe call, that it has none.

mod atomic;
mod global;
mod shared;

// The accesses themselves: checked in the simulator, direct everywhere else.
#[cfg_attr(
    all(feature = "sim", not(any(target_arch = "nvptx64", target_arch = "amdgpu"))),
    path = "memory/checked.rs"
)]
#[cfg_attr(
    not(all(feature = "sim", not(any(target_arch = "nvptx64", target_arch = "amdgpu")))),
    path = "memory/direct.rs"
)]
mod access;

// Atomic operations in a scope.
#[cfg_attr(target_arch = "nvptx64", path = "memory/scoped/nvptx.rs")]
#[cfg_attr(target_arch = "amdgpu", path = "memory/scoped/amdgpu.rs")]
#[cfg_attr(
    not(any(target_arch = "nvptx64", target_arch = "amdgpu")),
    path = "memory/scoped/host.rs"
)]
mod scoped;

pub use atomic::Atomic;
pub use core::sync::atomic::Ordering;
pub use global::{Global, GlobalMut};
pub use shared::Shared;

#[cfg(any(feature = "sim", target_arch = "nvptx64", target_arch = "amdgpu"))]
pub(crate) use access::Tracker;

/// The threads that a fence or an atomic operation orders accesses for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// The threads of the own block.
    Block,
    /// All threads on the own device.
    Device,
    /// All threads of all devices, and the host.
    System,
}
