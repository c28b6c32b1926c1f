//! The programs of LLVM and CUDA that a build runs.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Error, NvidiaArch, Target, Toolchain, process};

/// The environment variable that names the folder of LLVM's programs.
pub const LLVM_VARIABLE: &str = "WAVEWISE_LLVM";

/// The environment variable that names `ptxas`, or several with the separator of `PATH` between
/// them; the first that knows the target is taken.
pub const PTXAS_VARIABLE: &str = "WAVEWISE_PTXAS";

/// LLVM's programs, of the compiler's version or newer.
pub(crate) struct Llvm<'a> {
    toolchain: &'a Toolchain,
}

impl<'a> Llvm<'a> {
    pub(crate) fn new(toolchain: &'a Toolchain) -> Self {
        Self { toolchain }
    }

    /// A command that runs `tool`.
    pub(crate) fn command(&self, tool: &'static str) -> Result<Command, Error> {
        let llvm = self.toolchain.llvm_major();
        self.find(tool).map(Command::new).ok_or(Error::NoLlvm { tool, llvm })
    }

    /// A command that runs the linker.
    pub(crate) fn linker(&self) -> Result<Command, Error> {
        let own = self.toolchain.llvm_tools().join("rust-lld");
        if self.find("ld.lld").is_none() && own.is_file() {
            let mut command = Command::new(own);
            command.args(["-flavor", "gnu"]);
            return Ok(command);
        }
        self.command("ld.lld")
    }

    /// The version of the programs: `22.1.8`.
    pub(crate) fn version(&self) -> Result<String, Error> {
        let about = process::run("llc", self.command("llc")?.arg("--version"))?;
        let rest = about.split("LLVM version ").nth(1).unwrap_or_default();
        Ok(rest.split_whitespace().next().unwrap_or_default().to_owned())
    }

    pub(crate) fn find(&self, tool: &str) -> Option<PathBuf> {
        if let Some(folder) = env::var_os(LLVM_VARIABLE) {
            return program(&Path::new(&folder).join(tool));
        }
        let major = self.toolchain.llvm_major();
        program(&self.toolchain.llvm_tools().join(tool))
            .or_else(|| program(Path::new(&format!("/usr/lib/llvm-{major}/bin/{tool}"))))
            .or_else(|| on_path(&format!("{tool}-{major}")))
            .or_else(|| on_path(tool).filter(|found| reads(found, major)))
    }
}

/// Whether `tool` is of version `major` or newer, and so reads its bitcode.
fn reads(tool: &Path, major: u32) -> bool {
    let version = process::ask(Command::new(tool).arg("--version")).unwrap_or_default();
    let after = |mark: &str| {
        let rest = version.split(mark).nth(1)?;
        rest.split('.').next()?.trim().parse::<u32>().ok()
    };
    after("LLVM version ").or_else(|| after("LLD ")).is_some_and(|found| found >= major)
}

/// NVIDIA's assembler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ptxas {
    pub(crate) path: PathBuf,
    version: String,
}

impl Ptxas {
    /// The first that knows `arch`: of [`PTXAS_VARIABLE`], `PATH`, `/usr/local/cuda/bin`.
    #[must_use]
    pub fn find(arch: NvidiaArch) -> Option<Self> {
        let named = env::var_os(PTXAS_VARIABLE)
            .map(|value| env::split_paths(&value).collect::<Vec<_>>())
            .unwrap_or_default();
        named
            .into_iter()
            .chain(on_path("ptxas"))
            .chain([PathBuf::from("/usr/local/cuda/bin/ptxas")])
            .filter_map(|path| Self::at(path, arch))
            .next()
    }

    /// [`find`](Self::find) as a result.
    ///
    /// # Errors
    /// [`Error::NoPtxas`], which says what to install.
    pub fn demand(arch: NvidiaArch) -> Result<Self, Error> {
        Self::find(arch).ok_or(Error::NoPtxas { target: Target::Nvidia(arch) })
    }

    /// Its release: `12.9`.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.version
    }

    fn at(path: PathBuf, arch: NvidiaArch) -> Option<Self> {
        let about = process::ask(Command::new(program(&path)?).arg("--version"))?;
        let version = about.split("release ").nth(1)?.split(',').next()?.trim().to_owned();
        let mut numbers = version.split('.').map(|number| number.parse::<u32>().unwrap_or(0));
        let release = (numbers.next()?, numbers.next().unwrap_or(0));
        let knows = match arch {
            // CUDA 13 dropped what is older than sm_75.
            NvidiaArch::Sm70 => release < (13, 0),
            NvidiaArch::Sm80 => release >= (11, 0),
            NvidiaArch::Sm90 => release >= (11, 8),
            NvidiaArch::Sm100 => release >= (12, 8),
        };
        knows.then_some(Self { path, version })
    }
}

fn on_path(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).find_map(|folder| program(&folder.join(name)))
}

fn program(path: &Path) -> Option<PathBuf> {
    let with_suffix = || {
        let mut name = OsString::from(path);
        name.push(env::consts::EXE_SUFFIX);
        PathBuf::from(name)
    };
    [path.to_owned(), with_suffix()].into_iter().find(|path| path.is_file())
}
