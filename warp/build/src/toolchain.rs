//! [`Toolchain`]: a Rust compiler that builds for GPUs.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Error, process};

/// The environment variable that names the toolchain to take: one of rustup's, or a folder with
/// `bin/cargo` and `bin/rustc`.
pub const TOOLCHAIN_VARIABLE: &str = "WAVEWISE_TOOLCHAIN";

/// A cargo and a rustc, and the source of `core` that they build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Toolchain {
    pub(crate) cargo: PathBuf,
    pub(crate) rustc: PathBuf,
    pub(crate) sysroot: PathBuf,
    version: String,
    host: String,
    llvm: String,
}

impl Toolchain {
    /// The first that serves, in the order that the [crate](crate) says.
    ///
    /// # Errors
    /// [`Error::NoToolchain`], which says what to install.
    pub fn find() -> Result<Self, Error> {
        if let Some(named) = env::var_os(TOOLCHAIN_VARIABLE) {
            let folder = PathBuf::from(&named);
            let found = if folder.is_dir() {
                Self::at(&folder.join("bin"))
            } else {
                rustup(&named.to_string_lossy())
            };
            return found.map_err(|lack| Error::NoToolchain {
                tried: format!("{TOOLCHAIN_VARIABLE}={} {lack}", named.display()),
            });
        }
        let nightly = match rustup("nightly") {
            Ok(found) => return Ok(found),
            Err(lack) => lack,
        };
        // Debian's packages have no other name on the disk than Rust itself.
        let debian = match Self::at(Path::new("/usr/bin")) {
            Ok(found) => return Ok(found),
            Err(lack) => lack,
        };
        Err(Error::NoToolchain { tried: format!("rustup's nightly {nightly}, /usr/bin {debian}") })
    }

    /// The compiler's version, as it gives it: `rustc 1.96.0 (…)`.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The version of the LLVM in it: `22.1.8`.
    #[must_use]
    pub fn llvm_version(&self) -> &str {
        &self.llvm
    }

    pub(crate) fn llvm_major(&self) -> u32 {
        self.llvm.split('.').next().and_then(|major| major.parse().ok()).unwrap_or_default()
    }

    /// The folder of the programs that rustup's component `llvm-tools` brings.
    pub(crate) fn llvm_tools(&self) -> PathBuf {
        self.sysroot.join("lib/rustlib").join(&self.host).join("bin")
    }

    fn at(folder: &Path) -> Result<Self, String> {
        let (cargo, rustc) = (folder.join("cargo"), folder.join("rustc"));
        if !cargo.is_file() || !rustc.is_file() {
            return Err("has no cargo and rustc".to_owned());
        }
        let ask = |arguments: &[&str]| {
            let mut command = Command::new(&rustc);
            command.args(arguments).env_remove("RUSTUP_TOOLCHAIN");
            process::ask(&mut command)
        };
        let about = ask(&["-vV"]).ok_or("has a rustc that does not start")?;
        let sysroot = ask(&["--print=sysroot"]).ok_or("has a rustc that does not start")?;
        let sysroot = PathBuf::from(sysroot.trim());
        if !sysroot.join("lib/rustlib/src/rust/library/core/Cargo.toml").is_file() {
            return Err("lacks the source of core (component rust-src)".to_owned());
        }
        let field = |name: &str| {
            about
                .lines()
                .find_map(|line| line.strip_prefix(name))
                .unwrap_or_default()
                .trim()
                .to_owned()
        };
        Ok(Self {
            version: about.lines().next().unwrap_or_default().to_owned(),
            host: field("host:"),
            llvm: field("LLVM version:"),
            cargo,
            rustc,
            sysroot,
        })
    }
}

fn rustup(name: &str) -> Result<Toolchain, String> {
    let mut which = Command::new("rustup");
    which.args(["which", "--toolchain", name, "cargo"]);
    let cargo = process::ask(&mut which).ok_or("is not installed")?;
    let folder = Path::new(cargo.trim()).parent().ok_or("is not installed")?.to_owned();
    Toolchain::at(&folder)
}
