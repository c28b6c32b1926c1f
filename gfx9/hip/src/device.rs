//! Initialisation and device properties.

use std::ffi::{c_char, c_int, c_void};

use crate::code::{HIP_SUCCESS, HipError, INVALID_DEVICE, INVALID_VALUE, NOT_SUPPORTED, fail};
use crate::state::with;

/// HIP 6.2: the version whose structures this library has.
const VERSION: c_int = 60_200_000;
/// Memory that the device reports.
const TOTAL_MEMORY: usize = 16 << 30;

/// `hipInit`.
#[unsafe(no_mangle)]
pub extern "C" fn hipInit(flags: u32) -> HipError {
    if flags != 0 {
        return fail(INVALID_VALUE, format!("hipInit: flags {flags}; only 0 is defined"));
    }
    with(|_| HIP_SUCCESS)
}

/// Writes to an out parameter.
///
/// # Safety
/// `to` is null or valid for a write.
pub(crate) unsafe fn give<T>(to: *mut T, v: T) -> HipError {
    if to.is_null() {
        return fail(INVALID_VALUE, "a null out parameter");
    }
    // SAFETY: not null, and valid as the caller promises.
    unsafe { to.write(v) };
    HIP_SUCCESS
}

/// `hipRuntimeGetVersion`.
///
/// # Safety
/// `version` is null or valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipRuntimeGetVersion(version: *mut c_int) -> HipError {
    // SAFETY: as promised.
    unsafe { give(version, VERSION) }
}

/// `hipDriverGetVersion`.
///
/// # Safety
/// `version` is null or valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipDriverGetVersion(version: *mut c_int) -> HipError {
    // SAFETY: as promised.
    unsafe { give(version, VERSION) }
}

/// `hipGetDeviceCount`: one.
///
/// # Safety
/// `count` is null or valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipGetDeviceCount(count: *mut c_int) -> HipError {
    // SAFETY: as promised.
    with(|_| unsafe { give(count, 1) })
}

/// `hipSetDevice`.
#[unsafe(no_mangle)]
pub extern "C" fn hipSetDevice(device: c_int) -> HipError {
    if device == 0 {
        with(|_| HIP_SUCCESS)
    } else {
        fail(INVALID_DEVICE, format!("device {device}; there is device 0"))
    }
}

/// `hipGetDevice`.
///
/// # Safety
/// `device` is null or valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipGetDevice(device: *mut c_int) -> HipError {
    // SAFETY: as promised.
    unsafe { give(device, 0) }
}

/// `hipDeviceSynchronize`: every launch has ended already.
#[unsafe(no_mangle)]
pub extern "C" fn hipDeviceSynchronize() -> HipError {
    with(|_| HIP_SUCCESS)
}

/// Bytes of `hipDeviceProp_tR0600`.
pub const PROPERTIES_SIZE: usize = 1472;

/// `hipGetDevicePropertiesR0600`, which HIP's headers since 6.0 call for `hipGetDeviceProperties`.
///
/// # Safety
/// `properties` is null or valid for a write of [`PROPERTIES_SIZE`] bytes, a `hipDeviceProp_tR0600`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipGetDevicePropertiesR0600(
    properties: *mut c_void,
    device: c_int,
) -> HipError {
    if device != 0 {
        return fail(INVALID_DEVICE, format!("device {device}; there is device 0"));
    }
    with(|s| {
        let arch = s.device.arch();
        let mut p = [0u8; PROPERTIES_SIZE];
        let mut text = |at: usize, t: &str| p[at..at + t.len()].copy_from_slice(t.as_bytes());
        text(0, &format!("Wavewise ISA interpreter ({})", arch.name()));
        text(1160, arch.name());
        let mut int =
            |at: usize, v: usize| p[at..at + 4].copy_from_slice(&(v as i32).to_le_bytes());
        int(304, 65536);
        int(308, s.wave_size as usize);
        int(320, 1024);
        for k in 0..3 {
            int(324 + 4 * k, 1024);
            int(336 + 4 * k, if k == 0 { i32::MAX as usize } else { 65535 });
        }
        // gfx942 is 9.4, gfx1100 is 11.0.
        int(360, arch.generation() as usize);
        int(364, if arch.name() == "gfx942" { 4 } else { 0 });
        int(388, 1);
        int(624, 2048);
        let mut long =
            |at: usize, v: usize| p[at..at + 8].copy_from_slice(&(v as u64).to_le_bytes());
        long(288, TOTAL_MEMORY);
        long(296, arch.lds_bytes() as usize);
        long(640, arch.lds_bytes() as usize);
        long(1416, arch.lds_bytes() as usize);
        // SAFETY: as promised.
        unsafe { give(properties.cast(), p) }
    })
}

/// `hipDeviceGetAttribute`, for the attributes that a launcher asks for.
///
/// # Safety
/// `value` is null or valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipDeviceGetAttribute(
    value: *mut c_int,
    attribute: c_int,
    device: c_int,
) -> HipError {
    if device != 0 {
        return fail(INVALID_DEVICE, format!("device {device}; there is device 0"));
    }
    with(|s| {
        let v = match attribute {
            WARP_SIZE => s.wave_size as c_int,
            MAX_THREADS => 1024,
            MAX_SHARED => s.device.arch().lds_bytes() as c_int,
            MULTIPROCESSORS => 1,
            other => return fail(NOT_SUPPORTED, format!("device attribute {other}")),
        };
        // SAFETY: as promised.
        unsafe { give(value, v) }
    })
}

const MAX_THREADS: c_int = 56;
const MULTIPROCESSORS: c_int = 63;
const MAX_SHARED: c_int = 74;
const WARP_SIZE: c_int = 87;

/// `hipDeviceGetName`.
///
/// # Safety
/// `name` is null or valid for a write of `len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipDeviceGetName(
    name: *mut c_char,
    len: c_int,
    device: c_int,
) -> HipError {
    if name.is_null() || len <= 0 || device != 0 {
        return fail(INVALID_VALUE, "hipDeviceGetName: a null name, no room, or no such device");
    }
    with(|s| {
        let text = format!("Wavewise ISA interpreter ({})", s.device.arch().name());
        let n = text.len().min(len as usize - 1);
        // SAFETY: `n + 1` bytes are at most `len`, for which `name` is valid.
        unsafe {
            std::ptr::copy_nonoverlapping(text.as_ptr().cast(), name, n);
            name.add(n).write(0);
        }
        HIP_SUCCESS
    })
}
