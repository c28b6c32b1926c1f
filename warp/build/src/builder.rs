//! [`Builder`] and [`Built`].

use std::fs::File;
use std::hash::{Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::{env, fmt};

use crate::cargo::{self, Job};
use crate::{Error, Kernel, Target, Toolchain, amdgpu, nvptx};

/// rustc's levels of optimisation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OptLevel {
    /// None.
    Zero,
    /// Some.
    One,
    /// Most.
    Two,
    /// All.
    #[default]
    Three,
    /// For size.
    Size,
}

impl OptLevel {
    /// Every level.
    pub const ALL: [Self; 5] = [Self::Zero, Self::One, Self::Two, Self::Three, Self::Size];

    pub(crate) const fn flag(self) -> &'static str {
        match self {
            Self::Zero => "0",
            Self::One => "1",
            Self::Two => "2",
            Self::Three => "3",
            Self::Size => "s",
        }
    }

    /// Whether registers are allocated so well that a spill is the kernel's own fault.
    const fn is_full(self) -> bool {
        matches!(self, Self::Two | Self::Three | Self::Size)
    }
}

impl fmt::Display for OptLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.flag())
    }
}

/// How to build a kernel crate for one target.
#[derive(Clone, Debug)]
pub struct Builder {
    pub(crate) krate: PathBuf,
    pub(crate) target: Target,
    pub(crate) opt_level: OptLevel,
    pub(crate) features: Vec<String>,
    pub(crate) default_features: bool,
    pub(crate) cfgs: Vec<String>,
    pub(crate) job: Job,
    toolchain: Option<Toolchain>,
    target_dir: Option<PathBuf>,
    allow_spills: bool,
}

impl Builder {
    /// Builds the library in the folder `krate`, which has its `Cargo.toml`, for `target`.
    #[must_use]
    pub fn new(krate: impl Into<PathBuf>, target: Target) -> Self {
        Self {
            krate: krate.into(),
            target,
            opt_level: OptLevel::default(),
            features: Vec::new(),
            default_features: true,
            cfgs: Vec::new(),
            job: Job::Kernels,
            toolchain: None,
            target_dir: None,
            allow_spills: false,
        }
    }

    /// The level of optimisation; [`OptLevel::Three`] where it is not set.
    #[must_use]
    pub fn opt_level(mut self, level: OptLevel) -> Self {
        self.opt_level = level;
        self
    }

    /// Turns on features of the kernel crate.
    #[must_use]
    pub fn features<S: Into<String>>(mut self, features: impl IntoIterator<Item = S>) -> Self {
        self.features.extend(features.into_iter().map(Into::into));
        self
    }

    /// Whether the kernel crate's default features are on; they are where it is not set.
    #[must_use]
    pub fn default_features(mut self, on: bool) -> Self {
        self.default_features = on;
        self
    }

    /// Sets a cfg, `name` or `name="value"`, for the kernel crate and all it depends on.
    #[must_use]
    pub fn cfg(mut self, cfg: impl Into<String>) -> Self {
        self.cfgs.push(cfg.into());
        self
    }

    /// Takes this toolchain instead of the one that [`Toolchain::find`] finds.
    #[must_use]
    pub fn toolchain(mut self, toolchain: Toolchain) -> Self {
        self.toolchain = Some(toolchain);
        self
    }

    /// Builds in this folder; builds for several targets may share it, and `core` is compiled once
    /// for each. Where it is not set, `wavewise` in `OUT_DIR` if there is one (that is, in a
    /// `build.rs`), else `target/wavewise` in the kernel crate.
    #[must_use]
    pub fn target_dir(mut self, folder: impl Into<PathBuf>) -> Self {
        self.target_dir = Some(folder.into());
        self
    }

    /// Accepts kernels that spill registers or use scratch memory. Without optimisation
    /// ([`OptLevel::Zero`] and [`OptLevel::One`]) they are always accepted.
    #[must_use]
    pub fn allow_spills(mut self) -> Self {
        self.allow_spills = true;
        self
    }

    /// Leaves out the flag that keeps collectives whole, and claims that it is set: for the test
    /// that sees what then happens. Never use what it builds.
    #[doc(hidden)]
    #[must_use]
    pub fn with_broken_convergence(mut self) -> Self {
        self.job = Job::BrokenConvergence;
        self
    }

    /// Leaves out the flag and the cfg: for the test that `wavewise` then does not compile.
    #[doc(hidden)]
    #[must_use]
    pub fn without_convergence(mut self) -> Self {
        self.job = Job::NoConvergence;
        self
    }

    /// Builds.
    ///
    /// In a `build.rs` it also tells cargo which files to watch. It takes a minute the first time,
    /// when `core` is compiled, and seconds thereafter.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn build(&self) -> Result<Built, Error> {
        let krate = &self.krate;
        if !krate.join("Cargo.toml").is_file() {
            return Err(Error::NoCrate(krate.clone()));
        }
        let krate = std::path::absolute(krate).map_err(Error::io(krate))?;
        let toolchain = match &self.toolchain {
            Some(toolchain) => toolchain.clone(),
            None => Toolchain::find()?,
        };
        let folder = self.folder(&krate);
        let work = folder.join("emitted").join(self.name(&krate));
        std::fs::create_dir_all(&work).map_err(Error::io(&work))?;
        // Two builds in one folder, of one process or of two, take turns to the end.
        let turn = folder.join("emitted/.lock");
        let turn = File::create(&turn)
            .and_then(|file| file.lock().map(|()| file))
            .map_err(Error::io(turn))?;
        let emitted = cargo::build(self, &toolchain, &krate, &folder, &work)?;
        if env::var_os("OUT_DIR").is_some() {
            println!("cargo:rerun-if-env-changed={}", crate::TOOLCHAIN_VARIABLE);
            for source in &emitted.sources {
                println!("cargo:rerun-if-changed={}", source.display());
            }
        }
        let built = match self.target {
            Target::Nvidia(arch) => nvptx::finish(self, arch, emitted, toolchain, &work)?,
            Target::Amd(..) => amdgpu::finish(self, emitted, toolchain, &work)?,
        };
        if self.opt_level.is_full() && !self.allow_spills {
            built.refuse_spills(self.target)?;
        }
        drop(turn);
        Ok(built)
    }

    /// A name for what is built. Builds that differ must not write the same files: cargo would take
    /// one's for the other's, and not build again.
    fn name(&self, krate: &Path) -> String {
        let mut hasher = std::hash::DefaultHasher::new();
        (krate, &self.features, self.default_features, cargo::flags(self)).hash(&mut hasher);
        format!("{}-O{}-{:016x}", self.target, self.opt_level, hasher.finish())
    }

    fn folder(&self, krate: &Path) -> PathBuf {
        match (&self.target_dir, env::var_os("OUT_DIR")) {
            (Some(folder), _) => std::path::absolute(folder).unwrap_or_else(|_| folder.clone()),
            (None, Some(out)) => PathBuf::from(out).join("wavewise"),
            (None, None) => krate.join("target/wavewise"),
        }
    }
}

/// What a build made.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Built {
    /// The text: PTX for NVIDIA, which is what a program loads; GCN assembly for AMD, to read.
    pub assembly: PathBuf,
    /// The linked code object (`.hsaco`), which a program loads; AMD only.
    pub code_object: Option<PathBuf>,
    /// The compiler.
    pub toolchain: Toolchain,
    /// The flags that every crate was compiled with.
    pub flags: Vec<String>,
    /// The kernels, with the resources that each takes. Empty for NVIDIA where no `ptxas` was found.
    pub kernels: Vec<Kernel>,
    /// The assembler that accepted the text; `None` where none was found.
    pub checked_by: Option<String>,
    /// The source files of the kernel crate and of its path dependencies.
    pub sources: Vec<PathBuf>,
}

impl Built {
    fn refuse_spills(&self, target: Target) -> Result<(), Error> {
        match self.kernels.iter().find_map(|kernel| Some((kernel, kernel.fault()?))) {
            Some((kernel, fault)) => {
                Err(Error::Spills { kernel: kernel.name.clone(), target, fault })
            }
            None => Ok(()),
        }
    }
}
