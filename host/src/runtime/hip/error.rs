//! [`HipError`]: which call of HIP failed, how, and what to do.

/// What HIP could not do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HipError {
    /// There is no HIP.
    #[error(
        "HIP's library {library} cannot be loaded ({why}); expected it where the system's loader looks: install ROCm's HIP runtime, or name the file in WAVEWISE_HIP_LIBRARY"
    )]
    NoLibrary {
        /// Its name.
        library: String,
        /// What the loader says.
        why: String,
    },
    /// What is there lacks a function.
    #[error("HIP's library has no {call}; expected HIP 6.0 or newer: update ROCm")]
    Incomplete {
        /// The function.
        call: &'static str,
    },
    /// HIP sees no GPU.
    #[error(
        "HIP sees no GPU; expected one that `rocminfo` lists: see whether HIP_VISIBLE_DEVICES or ROCR_VISIBLE_DEVICES hides it"
    )]
    NoDevice,
    /// A call failed.
    #[error("{call} failed: {name}, {meaning}; expected hipSuccess: {}", remedy(*code))]
    Call {
        /// The function.
        call: &'static str,
        /// The number of the error.
        code: i32,
        /// The error's name in HIP.
        name: String,
        /// HIP's words for it.
        meaning: String,
    },
    /// The embedded code lacks a kernel.
    #[error(
        "the embedded kernels have no `{name}`; expected each kernel, operator and type: build the kernels and the program of one version"
    )]
    NoKernel {
        /// The kernel.
        name: String,
    },
    /// The device's memory does not hold the job.
    #[error(
        "hipMalloc failed: hipErrorOutOfMemory on {device}; expected {needed} bytes for the elements and the partials: free memory there (see `rocm-smi`) or take fewer elements"
    )]
    OutOfMemory {
        /// The device.
        device: String,
        /// The bytes that the job takes.
        needed: u64,
    },
    /// No embedded code is for the chip.
    #[error(
        "no embedded kernels are for {arch}, which {device} is; expected one of {present}: use a build that embeds them, or choose another device with HIP_VISIBLE_DEVICES"
    )]
    Target {
        /// The device.
        device: String,
        /// Its chip.
        arch: String,
        /// What the embedded code is for.
        present: String,
    },
    /// The embedded code for the chip has waves of another width than the device reports.
    #[error(
        "the embedded kernels for {arch} have waves of {widths:?} lanes; expected {expected}, the warpSize of {device}: use a build that embeds them"
    )]
    Width {
        /// The device.
        device: String,
        /// Its chip.
        arch: String,
        /// The lanes of the waves that there is code for.
        widths: Vec<u32>,
        /// The lanes of the device's waves.
        expected: u32,
    },
}

pub(super) const OUT_OF_MEMORY: i32 = 2;
pub(super) const NO_DEVICE: i32 = 100;
pub(super) const NOT_FOUND: i32 = 500;

impl HipError {
    /// Whether the device's memory was too small.
    pub(super) fn is_out_of_memory(&self) -> bool {
        matches!(self, Self::Call { code, .. } if *code == OUT_OF_MEMORY)
    }
}

/// What to do about an error (`hipError_t`).
fn remedy(code: i32) -> &'static str {
    match code {
        // hipErrorInvalidImage, hipErrorNoBinaryForGpu, hipErrorSharedObjectInitFailed.
        200 | 209 | 303 => "use a build that embeds kernels for this GPU",
        // hipErrorIllegalAddress, hipErrorLaunchTimeOut, hipErrorLaunchFailure.
        700 | 702 | 719 => {
            "this is a fault of the kernel: see whether --backend gfx9 finds it, where every access is checked"
        }
        _ => "see whether `rocminfo` and other programs reach this GPU",
    }
}
