//! [`Error`].

use std::path::PathBuf;

use wavewise_build::Target;

/// Why a task failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A build failed.
    #[error(transparent)]
    Build(#[from] wavewise_build::Error),
    /// A file could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// The manifest is no manifest.
    #[error("{}: {source}; make it anew by `cargo xtask prebuilt`", path.display())]
    Manifest {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// No assembler is installed for a target.
    #[error("no assembler has read the code for {0}: install llvm-mc (package llvm-22)")]
    Unchecked(Target),
    /// A text names a folder of the machine it was made on.
    #[error("{file} names a folder of this machine, {folder}: a build elsewhere would differ")]
    Path {
        /// The file.
        file: String,
        /// The folder.
        folder: String,
    },
    /// What is prebuilt is not what the sources make.
    #[error("{0} faults in what is prebuilt; make it anew by `cargo xtask prebuilt`")]
    Stale(usize),
}

impl Error {
    pub fn io(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { path, source }
    }
}
