//! Builds a kernel crate for a GPU with plain rustc: PTX for NVIDIA, code objects for AMD.
//!
//! For a `build.rs` or an xtask. The kernel crate is a library over `wavewise`, whose kernels are
//! made by `wavewise::entry!`; nothing of it need be said in its manifest.
//!
//! ```no_run
//! use wavewise_build::{Builder, NvidiaArch, Target};
//!
//! // build.rs
//! let built = Builder::new("kernels", Target::Nvidia(NvidiaArch::Sm90)).build()?;
//! println!("cargo:rustc-env=KERNELS_PTX={}", built.assembly.display());
//! # Ok::<(), wavewise_build::Error>(())
//! ```
//!
//! # What it needs
//!
//! - A Rust compiler that may use unstable features, with the source of `core`. The host crate
//!   itself needs stable Rust only. Tried in this order, the first that serves is taken:
//!   1. what the environment variable [`TOOLCHAIN_VARIABLE`] names: a rustup toolchain, or a folder
//!      with `bin/cargo` and `bin/rustc`;
//!   2. rustup's `nightly` with the component `rust-src`;
//!   3. Debian's packages `rustc-web`, `cargo-web` and `rust-web-src`.
//! - LLVM's `llvm-dis`, `llvm-link`, `opt` and `llc`, of the compiler's version or newer, and for
//!   AMD its linker: rustup's component `llvm-tools`, or Debian's `llvm-22` and `lld-22`. The
//!   environment variable [`LLVM_VARIABLE`] may name their folder. Rust cannot say everything that
//!   a kernel needs (memory that a block shares; on AMD scopes, and the size of a block), so
//!   rustc's bitcode is completed and compiled with them.
//!
//! # What it sets
//!
//! `-Zmir-enable-passes=-JumpThreading`, without which rustc makes collectives wrong, and
//! `--cfg wavewise_convergent`, which says so to `wavewise`; the chip, for `core` too; fat LTO in
//! one unit; panics that are traps and nothing else. The build is made in a folder of its own, so
//! that it waits for no lock that the calling cargo holds, and it sees neither that cargo's flags
//! nor its wrappers.
//!
//! # What it checks
//!
//! Where `ptxas` is found ([`PTXAS_VARIABLE`], `PATH`, `/usr/local/cuda`) it must accept the PTX,
//! and where `llvm-mc` is found it must accept the assembly. A kernel that spills registers or
//! uses scratch memory is refused, unless [`Builder::allow_spills`] was called.

mod amdgpu;
mod builder;
mod cargo;
mod error;
mod kernel;
mod lower;
mod nvptx;
mod process;
mod shared;
mod shims;
mod target;
mod toolchain;
mod tools;
mod traps;

pub use builder::{Builder, Built, OptLevel};
pub use error::Error;
pub use kernel::Kernel;
pub use target::{AmdArch, NvidiaArch, ParseTargetError, Target, Wave};
pub use toolchain::{TOOLCHAIN_VARIABLE, Toolchain};
pub use tools::{LLVM_VARIABLE, PTXAS_VARIABLE, Ptxas};
