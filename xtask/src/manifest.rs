//! `manifest.json`: what the prebuilt files are.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use wavewise_build::{Built, Target};

use crate::error::Error;

/// The file's name.
pub const NAME: &str = "manifest.json";

/// What made the files, and what they are.
#[derive(Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// What the files are, for who reads this first.
    pub about: String,
    /// The compiler: `rustc 1.96.0 (…)`.
    pub compiler: String,
    /// The LLVM that optimised and emitted: `22.1.8`.
    pub llvm: String,
    /// A module for each target.
    pub modules: Vec<Module>,
}

/// What was built for one target.
#[derive(Debug, Serialize, Deserialize)]
pub struct Module {
    /// The chip, with the width where it has two.
    pub target: String,
    /// The lanes of a wave.
    pub width: u32,
    /// rustc's flags, for every crate.
    pub flags: Vec<String>,
    /// The assembler that accepted the text.
    pub checked_by: String,
    /// The files.
    pub files: Vec<File>,
    /// The kernels, with what each takes of the chip.
    pub kernels: Vec<Kernel>,
}

/// A prebuilt file.
#[derive(Debug, Serialize, Deserialize, PartialEq, Eq)]
pub struct File {
    /// Its name.
    pub name: String,
    /// Its size.
    pub bytes: usize,
    /// The SHA-256 of its bytes, in hexadecimal digits.
    pub sha256: String,
}

/// A kernel of a module.
#[derive(Debug, Serialize, Deserialize)]
pub struct Kernel {
    /// The name a host launches it by.
    pub name: String,
    /// Vector registers a thread.
    pub registers: u32,
    /// Scalar registers a wave; AMD only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scalar_registers: Option<u32>,
    /// Bytes of shared memory a block.
    pub shared_bytes: u32,
}

impl Manifest {
    /// Reads the manifest in `folder`.
    pub fn read(folder: &Path) -> Result<Self, Error> {
        let path = folder.join(NAME);
        let text = fs::read(&path).map_err(Error::io(&path))?;
        serde_json::from_slice(&text).map_err(|source| Error::Manifest { path, source })
    }

    /// Writes it into `folder`.
    pub fn write(&self, folder: &Path) -> Result<(), Error> {
        let path = folder.join(NAME);
        let mut text = serde_json::to_string_pretty(self).expect("it has string keys alone");
        text.push('\n');
        fs::write(&path, text).map_err(Error::io(&path))
    }
}

impl Module {
    /// What `built` is, kept in `files`.
    pub fn new(target: Target, built: &Built, files: Vec<File>) -> Result<Self, Error> {
        let amd = matches!(target, Target::Amd(..));
        let kernel = |kernel: &wavewise_build::Kernel| Kernel {
            name: kernel.name.clone(),
            registers: kernel.registers,
            scalar_registers: amd.then_some(kernel.scalar_registers),
            shared_bytes: kernel.shared_bytes,
        };
        let mut kernels: Vec<Kernel> = built.kernels.iter().map(kernel).collect();
        kernels.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(Self {
            target: target.to_string(),
            width: target.wave().lanes(),
            flags: built.flags.clone(),
            checked_by: built.checked_by.clone().ok_or(Error::Unchecked(target))?,
            files,
            kernels,
        })
    }

    /// The names of its kernels.
    pub fn names(&self) -> Vec<&str> {
        self.kernels.iter().map(|kernel| kernel.name.as_str()).collect()
    }
}

impl File {
    /// What a file of these bytes is.
    pub fn new(name: &str, bytes: &[u8]) -> Self {
        let sha256 = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        Self { name: name.to_owned(), bytes: bytes.len(), sha256 }
    }
}
