//! The kernels.
#![no_std]
