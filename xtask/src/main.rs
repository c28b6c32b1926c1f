//! `cargo xtask`: builds kernels for GPUs, and keeps the prebuilt ones.

mod device;
mod error;
mod manifest;
mod prebuilt;
mod text;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use wavewise_build::Target;

/// The workspace's own tasks.
#[derive(Parser)]
#[command(bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Builds a kernel crate and says what each kernel takes of a chip.
    Device {
        /// A chip: sm_90, gfx942, gfx1100-wave32 …; all where none is named.
        #[arg(long = "target", value_name = "TARGET", num_args = 1..)]
        targets: Vec<Target>,
        /// The folder of the kernel crate.
        #[arg(value_name = "CRATE", default_value = "kernels")]
        krate: PathBuf,
    },
    /// Builds the kernels for all targets into kernels/prebuilt.
    Prebuilt {
        /// Writes nothing there, and sees whether the files are what the sources make.
        #[arg(long)]
        check: bool,
    },
}

fn main() -> ExitCode {
    let done = match Arguments::parse().task {
        Task::Device { targets, krate } => device::build(&krate, &targets),
        Task::Prebuilt { check: false } => prebuilt::write(),
        Task::Prebuilt { check: true } => prebuilt::check(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The workspace's folder.
fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the workspace")
}

/// Where device code is built: beside what cargo builds for the host.
fn device_folder() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    target.unwrap_or_else(|| workspace().join("target")).join("device")
}

/// How many folders device code is built in. Builds in one take turns, so that two keep two cores
/// at work; each one more would compile the host's macros once more.
const FOLDERS: usize = 2;

/// The folder to build for `target` in.
fn folder_of(target: Target) -> PathBuf {
    let index = Target::ALL.iter().position(|&known| known == target).unwrap_or(0);
    device_folder().join((index % FOLDERS).to_string())
}
