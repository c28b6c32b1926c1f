//! Error codes (`hipError_t`), their names and their texts.

use std::ffi::{CString, c_char};
use std::sync::Mutex;

/// A `hipError_t`.
pub type HipError = i32;

/// No error.
pub const HIP_SUCCESS: HipError = 0;
pub(crate) const INVALID_VALUE: HipError = 1;
pub(crate) const OUT_OF_MEMORY: HipError = 2;
pub(crate) const INVALID_CONFIGURATION: HipError = 9;
pub(crate) const INVALID_DEVICE: HipError = 101;
pub(crate) const INVALID_IMAGE: HipError = 200;
pub(crate) const NO_BINARY_FOR_GPU: HipError = 209;
pub(crate) const FILE_NOT_FOUND: HipError = 301;
pub(crate) const INVALID_HANDLE: HipError = 400;
pub(crate) const NOT_FOUND: HipError = 500;
pub(crate) const ILLEGAL_ADDRESS: HipError = 700;
pub(crate) const LAUNCH_TIME_OUT: HipError = 702;
pub(crate) const LAUNCH_FAILURE: HipError = 719;
pub(crate) const NOT_SUPPORTED: HipError = 801;
pub(crate) const UNKNOWN: HipError = 999;

const TEXTS: &[(HipError, &std::ffi::CStr, &std::ffi::CStr)] = &[
    (HIP_SUCCESS, c"hipSuccess", c"no error"),
    (INVALID_VALUE, c"hipErrorInvalidValue", c"invalid argument"),
    (OUT_OF_MEMORY, c"hipErrorOutOfMemory", c"out of memory"),
    (INVALID_CONFIGURATION, c"hipErrorInvalidConfiguration", c"invalid configuration argument"),
    (INVALID_DEVICE, c"hipErrorInvalidDevice", c"invalid device ordinal"),
    (INVALID_IMAGE, c"hipErrorInvalidImage", c"device kernel image is invalid"),
    (
        NO_BINARY_FOR_GPU,
        c"hipErrorNoBinaryForGpu",
        c"no kernel image is available for execution on the device",
    ),
    (FILE_NOT_FOUND, c"hipErrorFileNotFound", c"file not found"),
    (INVALID_HANDLE, c"hipErrorInvalidHandle", c"invalid resource handle"),
    (NOT_FOUND, c"hipErrorNotFound", c"named symbol not found"),
    (ILLEGAL_ADDRESS, c"hipErrorIllegalAddress", c"an illegal memory access was encountered"),
    (LAUNCH_TIME_OUT, c"hipErrorLaunchTimeOut", c"the launch timed out and was terminated"),
    (LAUNCH_FAILURE, c"hipErrorLaunchFailure", c"unspecified launch failure"),
    (NOT_SUPPORTED, c"hipErrorNotSupported", c"operation not supported"),
    (UNKNOWN, c"hipErrorUnknown", c"unknown error"),
];

struct Last {
    code: HipError,
    message: Option<CString>,
}

static LAST: Mutex<Last> = Mutex::new(Last { code: HIP_SUCCESS, message: None });

/// Notes an error and what stands behind it.
pub(crate) fn fail(code: HipError, why: impl std::fmt::Display) -> HipError {
    let text = why.to_string();
    eprintln!("wavewise-gfx9-hip: {text}");
    if let Ok(mut last) = LAST.lock() {
        last.code = code;
        last.message = CString::new(text.replace('\0', " ")).ok();
    }
    code
}

/// The interpreter's errors as HIP's.
pub(crate) fn fail_with(e: wavewise_gfx9::Error) -> HipError {
    use wavewise_gfx9::Error::*;
    let code = match &e {
        UnknownArch { .. } | BadCodeObject { .. } => INVALID_IMAGE,
        ArchMismatch { .. } | WaveSizeMismatch { .. } => NO_BINARY_FOR_GPU,
        NoModule => INVALID_HANDLE,
        NoKernel { .. } => NOT_FOUND,
        BadLaunch { .. } => INVALID_CONFIGURATION,
        OutOfBounds { .. } => ILLEGAL_ADDRESS,
        BadAddress { .. } => INVALID_VALUE,
        NoProgress { .. } => LAUNCH_TIME_OUT,
        _ => LAUNCH_FAILURE,
    };
    fail(code, e)
}

fn row(code: HipError) -> &'static (HipError, &'static std::ffi::CStr, &'static std::ffi::CStr) {
    TEXTS.iter().find(|t| t.0 == code).unwrap_or(&TEXTS[TEXTS.len() - 1])
}

/// `hipGetErrorName`.
#[unsafe(no_mangle)]
pub extern "C" fn hipGetErrorName(code: HipError) -> *const c_char {
    row(code).1.as_ptr()
}

/// `hipGetErrorString`.
#[unsafe(no_mangle)]
pub extern "C" fn hipGetErrorString(code: HipError) -> *const c_char {
    row(code).2.as_ptr()
}

/// `hipPeekAtLastError`.
#[unsafe(no_mangle)]
pub extern "C" fn hipPeekAtLastError() -> HipError {
    LAST.lock().map_or(UNKNOWN, |l| l.code)
}

/// `hipGetLastError`: gives the last error and forgets it.
#[unsafe(no_mangle)]
pub extern "C" fn hipGetLastError() -> HipError {
    LAST.lock().map_or(UNKNOWN, |mut l| std::mem::replace(&mut l.code, HIP_SUCCESS))
}

/// What stood behind the last error, in words; not part of HIP. Valid until the next error.
#[unsafe(no_mangle)]
pub extern "C" fn wavewise_hip_message() -> *const c_char {
    LAST.lock().map_or(c"".as_ptr(), |l| l.message.as_ref().map_or(c"".as_ptr(), |m| m.as_ptr()))
}
