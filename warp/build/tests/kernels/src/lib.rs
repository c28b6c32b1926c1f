//! Kernels whose compiled text the tests of `wavewise-build` read, a feature for each test file.
#![no_std]
#![cfg_attr(any(target_arch = "nvptx64", target_arch = "amdgpu"), feature(abi_gpu_kernel))]

#[cfg(any(feature = "branches", feature = "ladders"))]
mod convergence;
#[cfg(feature = "operations")]
mod operations;
