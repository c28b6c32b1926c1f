//! A shared library with the part of the HIP API that a kernel launcher uses, on top of [`wavewise_gfx9`].
//!
//! Host code that opens `libamdhip64.so` at run time can open this library in its place and runs unchanged on a machine without a
//! GPU. Device pointers are addresses of the interpreter's own memory: the host must not dereference them, as on a GPU.
//! Everything is synchronous; streams and events keep their order and are always complete.
//!
//! Environment:
//! - `WAVEWISE_HIP_ARCH`: gfx90a, gfx942 (default), gfx1100 or gfx1200.
//! - `WAVEWISE_HIP_WAVE`: the wave width that `warpSize` reports and that code objects must have; by default the architecture's usual.
//! - `WAVEWISE_HIP_FINDINGS`: `fail` (default) makes a launch with findings fail, `print` prints them, `ignore` switches the checks off.
//!
//! The text behind an error code is printed to standard error, and given by [`wavewise_hip_message`].

mod code;
mod device;
mod event;
mod launch;
mod memory;
mod state;

pub use code::*;
pub use device::*;
pub use event::*;
pub use launch::*;
pub use memory::*;
