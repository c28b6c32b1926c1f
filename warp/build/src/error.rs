//! [`Error`].

use std::path::PathBuf;

use crate::tools::{LLVM_VARIABLE, PTXAS_VARIABLE};
use crate::{TOOLCHAIN_VARIABLE, Target};

/// Why a kernel crate could not be built.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No compiler that builds for GPUs is installed.
    #[error(
        "no Rust toolchain that builds for GPUs: {tried}; install one by `rustup toolchain install \
         nightly --component rust-src --component llvm-tools`, or on Debian by `apt install \
         rustc-web cargo-web rust-web-src`, or name one in {TOOLCHAIN_VARIABLE}"
    )]
    NoToolchain {
        /// What was tried, and what each lacked.
        tried: String,
    },
    /// A program of LLVM is missing.
    #[error(
        "{tool} of LLVM {llvm} or newer was not found; install it by \
         `rustup component add llvm-tools --toolchain nightly`, or on Debian by `apt install \
         llvm-{llvm} lld-{llvm}`, or name its folder in {LLVM_VARIABLE}"
    )]
    NoLlvm {
        /// The program.
        tool: &'static str,
        /// The compiler's LLVM, whose bitcode it must read.
        llvm: u32,
    },
    /// `ptxas` was asked for and is missing.
    #[error(
        "no ptxas that knows {target} was found; install the CUDA toolkit (12.x for sm_70), or name \
         the program in {PTXAS_VARIABLE}"
    )]
    NoPtxas {
        /// The target that it must know.
        target: Target,
    },
    /// The kernel crate has no manifest.
    #[error("no kernel crate at {}: a folder with a Cargo.toml was expected", .0.display())]
    NoCrate(PathBuf),
    /// A program could not be started.
    #[error("{program} could not be started: {source}")]
    NotStarted {
        /// The program.
        program: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// A program failed.
    #[error("{step} failed with {status}; its output:\n{output}")]
    Failed {
        /// What the program was to do.
        step: String,
        /// How it ended.
        status: std::process::ExitStatus,
        /// What it wrote.
        output: String,
    },
    /// A file could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// A kernel uses memory for what should be in registers.
    #[error(
        "kernel {kernel} for {target} {fault}: use fewer live values or smaller blocks, index arrays \
         by constants only, or call `Builder::allow_spills`"
    )]
    Spills {
        /// The kernel.
        kernel: String,
        /// The target.
        target: Target,
        /// How much of what.
        fault: String,
    },
    /// An array of block-shared memory has no constant size.
    #[error(
        "the compiled crate asks for block-shared memory in a way that no constant describes: `{line}`; \
         call `Device::shared` from code that is inlined into the kernel"
    )]
    SharedSize {
        /// The line of LLVM assembly.
        line: String,
    },
}

impl Error {
    pub(crate) fn io(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { path, source }
    }

    /// Whether a program is missing on this machine, rather than the crate at fault.
    #[must_use]
    pub fn is_missing_tool(&self) -> bool {
        matches!(self, Self::NoToolchain { .. } | Self::NoLlvm { .. } | Self::NoPtxas { .. })
    }
}
