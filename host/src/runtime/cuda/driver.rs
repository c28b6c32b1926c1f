//! The CUDA driver, loaded while the program runs, and its devices.

use std::ffi::c_void;
use std::sync::OnceLock;

use cudarc::driver::sys::{self, CUdevice_attribute as Attribute};

use super::context::{Context, ELAPSED_TIME};
use super::error::{CudaError, check};

/// What this backend calls. `cudarc` panics at a call of what the driver has not.
const CALLS: &[&str] = &[
    "cuCtxSetCurrent",
    "cuDeviceGet",
    "cuDeviceGetAttribute",
    "cuDeviceGetCount",
    "cuDeviceGetName",
    "cuDevicePrimaryCtxRelease_v2",
    "cuDevicePrimaryCtxRetain",
    "cuDeviceTotalMem_v2",
    "cuDriverGetVersion",
    ELAPSED_TIME,
    "cuEventCreate",
    "cuEventDestroy_v2",
    "cuEventRecord",
    "cuEventSynchronize",
    "cuFuncGetAttribute",
    "cuGetErrorName",
    "cuGetErrorString",
    "cuInit",
    "cuLaunchKernel",
    "cuMemAlloc_v2",
    "cuMemFree_v2",
    "cuMemGetInfo_v2",
    "cuMemcpyDtoH_v2",
    "cuMemcpyHtoD_v2",
    "cuModuleGetFunction",
    "cuModuleLoadDataEx",
    "cuModuleUnload",
];

/// The driver, loaded and initialised.
#[derive(Clone, Copy, Debug)]
pub(super) struct Driver {
    /// The version of CUDA that it is for: 12040 is 12.4.
    version: i32,
    devices: i32,
}

/// What is known of a device before anything runs there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Facts {
    pub(super) name: String,
    /// The compute capability, major and minor.
    pub(super) capability: (u32, u32),
    /// The lanes of a wave.
    pub(super) width: u32,
    pub(super) multiprocessors: u32,
    /// In bytes.
    pub(super) memory: u64,
}

impl Driver {
    /// The driver of this machine, looked for once.
    pub(super) fn find() -> Result<Self, CudaError> {
        static DRIVER: OnceLock<Result<Driver, CudaError>> = OnceLock::new();
        DRIVER.get_or_init(Self::load).clone()
    }

    fn load() -> Result<Self, CudaError> {
        // SAFETY: loading the driver runs its initialisers, which the system's owner installed.
        if !unsafe { sys::is_culib_present() } {
            return Err(CudaError::NoDriver);
        }
        for call in CALLS {
            // SAFETY: the library is there, as was just seen; the symbol is looked up, not used.
            if unsafe { sys::culib().get::<*const c_void>(call.as_bytes()) }.is_err() {
                return Err(CudaError::Incomplete { call });
            }
        }
        let (mut version, mut devices) = (0, 0);
        // SAFETY: both results are written to live variables.
        unsafe {
            check("cuInit", sys::cuInit(0))?;
            check("cuDriverGetVersion", sys::cuDriverGetVersion(&mut version))?;
            check("cuDeviceGetCount", sys::cuDeviceGetCount(&mut devices))?;
        }
        if devices == 0 { Err(CudaError::NoDevice) } else { Ok(Self { version, devices }) }
    }

    /// The version of CUDA that it is for: `12.4`.
    pub(super) fn version(self) -> String {
        format!("{}.{}", self.version / 1000, self.version % 1000 / 10)
    }

    pub(super) fn devices(self) -> std::ops::Range<i32> {
        0..self.devices
    }

    pub(super) fn facts(self, ordinal: i32) -> Result<Facts, CudaError> {
        let device = device(ordinal)?;
        let attribute = |which| -> Result<u32, CudaError> {
            let mut value = 0;
            // SAFETY: the result is written to a live variable.
            let code = unsafe { sys::cuDeviceGetAttribute(&mut value, which, device) };
            check("cuDeviceGetAttribute", code)?;
            // None of those asked for is negative.
            Ok(value.unsigned_abs())
        };
        let mut name = [0_u8; 256];
        let mut memory = 0;
        // SAFETY: the buffer has the length that is told; the result is written to a live variable.
        unsafe {
            let length = name.len() as i32 - 1;
            check(
                "cuDeviceGetName",
                sys::cuDeviceGetName(name.as_mut_ptr().cast(), length, device),
            )?;
            check("cuDeviceTotalMem", sys::cuDeviceTotalMem_v2(&mut memory, device))?;
        }
        Ok(Facts {
            name: text(&name),
            capability: (
                attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?,
                attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?,
            ),
            width: attribute(Attribute::CU_DEVICE_ATTRIBUTE_WARP_SIZE)?,
            multiprocessors: attribute(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?,
            memory: memory as u64,
        })
    }

    /// The device's context, which it shares with all that this process runs there.
    pub(super) fn context(self, ordinal: i32) -> Result<Context, CudaError> {
        Context::of(device(ordinal)?)
    }
}

fn device(ordinal: i32) -> Result<sys::CUdevice, CudaError> {
    let mut device = 0;
    // SAFETY: the result is written to a live variable.
    check("cuDeviceGet", unsafe { sys::cuDeviceGet(&mut device, ordinal) })?;
    Ok(device)
}

/// The text before the first zero.
pub(super) fn text(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..end]).into_owned()
}
