//! [`CudaError`]: which call of the driver failed, how, and what to do.

use std::ffi::{CStr, c_char};
use std::ptr;

use cudarc::driver::sys::{self, CUresult};

/// What the driver could not do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CudaError {
    /// There is no driver.
    #[error(
        "the NVIDIA driver's library libcuda.so.1 is not found; expected it where the system's loader looks: install the driver of an NVIDIA GPU, or set LD_LIBRARY_PATH"
    )]
    NoDriver,
    /// What is there lacks a function.
    #[error(
        "the NVIDIA driver's library has no {call}; expected a driver for CUDA 11 or newer: update the driver"
    )]
    Incomplete {
        /// The function.
        call: &'static str,
    },
    /// The driver sees no GPU.
    #[error(
        "the NVIDIA driver sees no GPU; expected one that `nvidia-smi` lists: see whether CUDA_VISIBLE_DEVICES hides it"
    )]
    NoDevice,
    /// A call failed.
    #[error("{call} failed: {name}, {meaning}; expected CUDA_SUCCESS: {}", remedy(*code))]
    Call {
        /// The function.
        call: &'static str,
        /// The number of the error.
        code: u32,
        /// The error's name in CUDA.
        name: String,
        /// The driver's words for it.
        meaning: String,
    },
    /// A module lacks a kernel.
    #[error(
        "the embedded kernels have no `{name}`; expected each kernel, operator and type: build the kernels and the program of one version"
    )]
    NoKernel {
        /// The kernel.
        name: String,
    },
    /// The device's memory does not hold the job.
    #[error(
        "{device} has {free} bytes of memory free; expected {needed} for the elements and the partials: free memory there (see `nvidia-smi`) or take fewer elements"
    )]
    Memory {
        /// The device.
        device: String,
        /// The bytes that the job takes.
        needed: u64,
        /// The bytes that are free.
        free: u64,
    },
    /// The device gave less memory than it had free.
    #[error(
        "cuMemAlloc failed: CUDA_ERROR_OUT_OF_MEMORY on {device}; expected {needed} bytes for the elements and the partials: free memory there (see `nvidia-smi`) or take fewer elements"
    )]
    OutOfMemory {
        /// The device.
        device: String,
        /// The bytes that the job takes.
        needed: u64,
    },
}

impl CudaError {
    /// Whether the device's memory was too small.
    pub(super) fn is_out_of_memory(&self) -> bool {
        matches!(self, Self::Call { code, .. } if *code == CUresult::CUDA_ERROR_OUT_OF_MEMORY as u32)
    }

    /// With what the driver's compiler wrote, on the same line.
    pub(super) fn with_log(mut self, log: &str) -> Self {
        let words: Vec<&str> = log.split_whitespace().collect();
        if let Self::Call { meaning, .. } = &mut self
            && !words.is_empty()
        {
            *meaning = format!("{meaning} ({})", words.join(" "));
        }
        self
    }
}

/// The result of the driver's function `call`, which gave `code`.
pub(super) fn check(call: &'static str, code: CUresult) -> Result<(), CudaError> {
    match code {
        CUresult::CUDA_SUCCESS => Ok(()),
        // From cuInit.
        CUresult::CUDA_ERROR_NO_DEVICE => Err(CudaError::NoDevice),
        code => Err(CudaError::Call {
            call,
            code: code as u32,
            name: described(code, sys::cuGetErrorName).unwrap_or_else(|| format!("{code:?}")),
            meaning: described(code, sys::cuGetErrorString).unwrap_or_else(|| "unknown".to_owned()),
        }),
    }
}

/// What the driver says of `code`.
fn described(
    code: CUresult,
    by: unsafe fn(CUresult, *mut *const c_char) -> CUresult,
) -> Option<String> {
    let mut words = ptr::null();
    // SAFETY: the result is written to a live variable; a code gives a text that is never freed.
    unsafe {
        let found = by(code, &mut words) == CUresult::CUDA_SUCCESS && !words.is_null();
        found.then(|| CStr::from_ptr(words).to_string_lossy().into_owned())
    }
}

fn remedy(code: u32) -> &'static str {
    const REMEDIES: &[(&[CUresult], &str)] = &[
        (
            &[CUresult::CUDA_ERROR_OUT_OF_MEMORY],
            "free memory on the device (see `nvidia-smi`) or take fewer elements",
        ),
        (
            &[
                CUresult::CUDA_ERROR_UNSUPPORTED_PTX_VERSION,
                CUresult::CUDA_ERROR_INVALID_PTX,
                CUresult::CUDA_ERROR_NO_BINARY_FOR_GPU,
                CUresult::CUDA_ERROR_JIT_COMPILER_NOT_FOUND,
                CUresult::CUDA_ERROR_JIT_COMPILATION_DISABLED,
            ],
            "update the NVIDIA driver, which compiles the embedded kernels for the device",
        ),
        (
            &[
                CUresult::CUDA_ERROR_STUB_LIBRARY,
                CUresult::CUDA_ERROR_SYSTEM_DRIVER_MISMATCH,
                CUresult::CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE,
                CUresult::CUDA_ERROR_SYSTEM_NOT_READY,
                CUresult::CUDA_ERROR_UNKNOWN,
            ],
            "check the driver's installation with `nvidia-smi`; a new driver may need a restart",
        ),
        (
            &[
                CUresult::CUDA_ERROR_ILLEGAL_ADDRESS,
                CUresult::CUDA_ERROR_MISALIGNED_ADDRESS,
                CUresult::CUDA_ERROR_ILLEGAL_INSTRUCTION,
                CUresult::CUDA_ERROR_LAUNCH_FAILED,
                CUresult::CUDA_ERROR_LAUNCH_TIMEOUT,
            ],
            "this is a fault of the kernel: run the same command under `compute-sanitizer`",
        ),
        (
            &[CUresult::CUDA_ERROR_DEVICE_UNAVAILABLE],
            "wait for the process that has the device to itself, or choose another with CUDA_VISIBLE_DEVICES",
        ),
    ];
    REMEDIES
        .iter()
        .find(|(codes, _)| codes.iter().any(|known| *known as u32 == code))
        .map_or("see the device's state with `nvidia-smi`, and try again", |(_, remedy)| remedy)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(code: CUresult, log: &str) -> String {
        CudaError::Call {
            call: "cuModuleLoadDataEx",
            code: code as u32,
            name: format!("{code:?}"),
            meaning: "words".to_owned(),
        }
        .with_log(log)
        .to_string()
    }

    #[test]
    fn a_failed_call_is_one_line_with_its_name_the_error_and_a_remedy() {
        let line = call(CUresult::CUDA_ERROR_INVALID_PTX, "ptxas fatal : no\n  such instruction\n");
        assert_eq!(
            line,
            "cuModuleLoadDataEx failed: CUDA_ERROR_INVALID_PTX, words (ptxas fatal : no such \
             instruction); expected CUDA_SUCCESS: update the NVIDIA driver, which compiles the \
             embedded kernels for the device"
        );
        assert!(call(CUresult::CUDA_ERROR_ILLEGAL_ADDRESS, "").contains("compute-sanitizer"));
        assert!(call(CUresult::CUDA_ERROR_NOT_READY, "").contains("words; expected"));
    }

    #[test]
    fn memory_that_is_too_small_names_the_device() {
        let error = CudaError::Memory { device: "a GPU".into(), needed: 1 << 40, free: 5 };
        let line = error.to_string();
        for part in ["a GPU", "1099511627776", "5 bytes", "fewer elements"] {
            assert!(line.contains(part), "{part} is not in {line}");
        }
    }
}
