//! [`Runtime`]: what can run a reduction. A backend is one file under `runtime/` and one line in
//! [`all`].

use std::fmt;

use serde::Serialize;

use crate::element::{DType, Data, Value};

mod cuda;
mod gfx9;
mod hip;
mod sim;

pub use cuda::{Cuda, CudaError, ModuleError};
pub use gfx9::{Gfx9, Gfx9Error};
pub use hip::{Hip, HipError};
pub use sim::Simulator;

/// A way to run kernels.
pub trait Runtime {
    /// What `--backend` calls it.
    fn name(&self) -> &'static str;

    /// The devices that it finds; none where its driver or its hardware is absent.
    fn devices(&self) -> Vec<DeviceInfo>;

    /// Why there are no devices, in a line, where there are none.
    fn absence(&self) -> Option<String> {
        None
    }

    /// Whether `--backend all` runs `n` elements on the device `device` of
    /// [`devices`](Self::devices); asked for by name it runs any number.
    fn in_all(&self, _device: usize, _n: u64) -> bool {
        true
    }

    /// Runs `job` on the device `device` of [`devices`](Self::devices).
    ///
    /// `progress` is told how much of how much is done.
    ///
    /// # Errors
    ///
    /// [`LaunchError`], where there is no result.
    fn reduce(
        &self,
        device: usize,
        job: &Job<'_>,
        progress: &(dyn Fn(u64, u64) + Sync),
    ) -> Result<Outcome, LaunchError>;
}

/// Every runtime of this build.
#[must_use]
pub fn all() -> Vec<Box<dyn Runtime>> {
    vec![Box::new(Simulator), Box::new(Cuda), Box::new(Hip), Box::new(Gfx9)]
}

/// A device that kernels can run on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DeviceInfo {
    /// The runtime's name.
    pub backend: &'static str,
    /// The device's name.
    pub device: String,
    /// The widths of wave that it runs, in lanes.
    pub widths: Vec<u32>,
    /// What a GPU's driver says of it.
    #[serde(flatten)]
    pub gpu: Option<Gpu>,
}

/// What a GPU's driver says of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Gpu {
    /// The generation of its instructions: NVIDIA's compute capability, `9.0`; of AMD the
    /// chip, `gfx942`.
    pub capability: String,
    /// The number of its multiprocessors.
    pub multiprocessors: u32,
    /// All of its memory, in bytes.
    pub memory: u64,
    /// The version that the driver is for: of CUDA, `13.0`; of HIP, `6.2`.
    pub driver: String,
}

/// A reduction to run.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// The elements.
    pub data: &'a Data,
    /// How two become one.
    pub operator: Operator,
    /// The kernel.
    pub kernel: Kernel,
    /// The lanes of a wave.
    pub width: u32,
}

/// How two elements become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Operator {
    /// Addition; integers wrap around.
    Sum,
    /// The smaller; a number before NaN.
    Min,
    /// The larger; a number before NaN.
    Max,
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Sum => "sum",
            Self::Min => "min",
            Self::Max => "max",
        })
    }
}

/// The kernel of the reduction exercise, and its starters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kernel {
    /// Waves reduce by the XOR butterfly.
    Butterfly,
    /// Waves reduce by the shuffle-down ladder.
    ShuffleDown,
    /// Faulty on purpose: the ladder begins at stride 16, whatever the width.
    #[value(name = "starter-16")]
    #[serde(rename = "starter-16")]
    Starter16,
    /// Faulty on purpose: a block's result is its first wave's.
    StarterLostWaves,
}

impl Kernel {
    /// The name of its compiled entry point for an operator and a type.
    #[must_use]
    pub fn entry(self, operator: Operator, dtype: DType) -> String {
        format!("{}_{operator}_{dtype}", self.to_string().replace('-', "_"))
    }

    /// Whether it is faulty on purpose.
    #[must_use]
    pub const fn is_starter(self) -> bool {
        matches!(self, Self::Starter16 | Self::StarterLostWaves)
    }

    /// What makes one of the blocks' partials.
    ///
    /// A starter's own fault would come in there a second time and square its ratio, so the right
    /// kernel does it.
    #[must_use]
    pub const fn finish(self) -> Self {
        match self {
            Self::Butterfly | Self::StarterLostWaves => Self::Butterfly,
            Self::ShuffleDown | Self::Starter16 => Self::ShuffleDown,
        }
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Butterfly => "butterfly",
            Self::ShuffleDown => "shuffle-down",
            Self::Starter16 => "starter-16",
            Self::StarterLostWaves => "starter-lost-waves",
        })
    }
}

/// What a reduction gave.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// The result.
    pub value: Value,
    /// The time of the launches: by the device's clock where it has one, else by the host's.
    pub seconds: f64,
}

/// Why a launch gave no result.
#[derive(Debug, thiserror::Error)]
pub enum LaunchError {
    /// The simulator found a fault in the kernel.
    #[error("{0}")]
    Fault(Box<wavewise::sim::Report>),
    /// The device cannot run waves of that width.
    #[error(
        "{backend} does not run waves of {width} lanes; expected one of {widths:?}: choose one of them with --width"
    )]
    Width {
        /// The runtime.
        backend: &'static str,
        /// What was asked for.
        width: u32,
        /// What there is.
        widths: Vec<u32>,
    },
    /// A block left no partial.
    #[error("{0}; expected a partial from each block: this is a fault of the kernel")]
    Unwritten(#[from] wavewise::sim::Unwritten),
    /// The CUDA driver failed.
    #[error(transparent)]
    Cuda(#[from] CudaError),
    /// HIP failed, or runs none of the embedded kernels.
    #[error(transparent)]
    Hip(#[from] HipError),
    /// The interpreter of AMD machine code found a fault in the kernel, or does not run it.
    #[error(transparent)]
    Gfx9(#[from] Gfx9Error),
    /// The device runs none of the embedded kernels.
    #[error(transparent)]
    Module(#[from] ModuleError),
}
