//! Allocation and copies.

use std::ffi::{c_int, c_void};

use crate::code::{HIP_SUCCESS, HipError, INVALID_VALUE, OUT_OF_MEMORY, fail, fail_with};
use crate::device::give;
use crate::state::{State, with};

/// One allocation is at most this large: it is host memory.
const ALLOCATION_LIMIT: usize = 4 << 30;

/// `hipMalloc`.
///
/// # Safety
/// `pointer` is null or valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipMalloc(pointer: *mut *mut c_void, size: usize) -> HipError {
    if size > ALLOCATION_LIMIT {
        return fail(
            OUT_OF_MEMORY,
            format!("{size} bytes; one allocation may have {ALLOCATION_LIMIT}"),
        );
    }
    with(|s| {
        let a = if size == 0 { 0 } else { s.device.allocate(size as u64) };
        // SAFETY: as promised.
        unsafe { give(pointer, std::ptr::without_provenance_mut(a as usize)) }
    })
}

/// `hipFree`; null is nothing to free.
#[unsafe(no_mangle)]
pub extern "C" fn hipFree(pointer: *mut c_void) -> HipError {
    with(|s| match pointer.addr() {
        0 => HIP_SUCCESS,
        a => s.device.free(a as u64).map_or_else(fail_with, |()| HIP_SUCCESS),
    })
}

fn to_device(s: &mut State, to: u64, data: &[u8]) -> HipError {
    s.device.write(to, data).map_or_else(fail_with, |()| HIP_SUCCESS)
}

fn from_device(s: &mut State, from: u64, out: &mut [u8]) -> HipError {
    s.device.read(from, out).map_or_else(fail_with, |()| HIP_SUCCESS)
}

/// `hipMemcpy`.
///
/// # Safety
/// The host side of the copy, as `kind` says it (1 to the device, 2 from it, 3 neither, 0 both), is valid for `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipMemcpy(
    to: *mut c_void,
    from: *const c_void,
    size: usize,
    kind: c_int,
) -> HipError {
    if size == 0 {
        return HIP_SUCCESS;
    }
    if to.is_null() || from.is_null() {
        return fail(INVALID_VALUE, "hipMemcpy: a null pointer");
    }
    with(|s| match kind {
        0 => {
            // SAFETY: both are host memory of that size, as the caller promises; they may overlap.
            unsafe { std::ptr::copy(from.cast::<u8>(), to.cast::<u8>(), size) };
            HIP_SUCCESS
        }
        1 => {
            // SAFETY: `from` is host memory of that size, as the caller promises.
            let data = unsafe { std::slice::from_raw_parts(from.cast(), size) };
            to_device(s, to.addr() as u64, data)
        }

        // SAFETY: `to` is host memory of that size, as the caller promises.
        2 => from_device(s, from.addr() as u64, unsafe {
            std::slice::from_raw_parts_mut(to.cast(), size)
        }),
        3 => {
            let mut data = vec![0; size];
            match from_device(s, from.addr() as u64, &mut data) {
                HIP_SUCCESS => to_device(s, to.addr() as u64, &data),
                code => code,
            }
        }
        other => fail(INVALID_VALUE, format!("hipMemcpy: kind {other}; 0 to 3 are possible")),
    })
}

/// `hipMemcpyAsync`: done when it returns.
///
/// # Safety
/// As [`hipMemcpy`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipMemcpyAsync(
    to: *mut c_void,
    from: *const c_void,
    size: usize,
    kind: c_int,
    _stream: *mut c_void,
) -> HipError {
    // SAFETY: as promised.
    unsafe { hipMemcpy(to, from, size, kind) }
}

/// `hipMemcpyHtoD`.
///
/// # Safety
/// `from` is valid for reads of `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipMemcpyHtoD(
    to: *mut c_void,
    from: *const c_void,
    size: usize,
) -> HipError {
    // SAFETY: as promised.
    unsafe { hipMemcpy(to, from, size, 1) }
}

/// `hipMemcpyDtoH`.
///
/// # Safety
/// `to` is valid for writes of `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipMemcpyDtoH(
    to: *mut c_void,
    from: *mut c_void,
    size: usize,
) -> HipError {
    // SAFETY: as promised.
    unsafe { hipMemcpy(to, from, size, 2) }
}

/// `hipMemset`.
#[unsafe(no_mangle)]
pub extern "C" fn hipMemset(to: *mut c_void, value: c_int, size: usize) -> HipError {
    if size > ALLOCATION_LIMIT {
        return fail(
            INVALID_VALUE,
            format!("hipMemset: {size} bytes; an allocation has at most {ALLOCATION_LIMIT}"),
        );
    }
    with(|s| {
        if size == 0 {
            HIP_SUCCESS
        } else {
            to_device(s, to.addr() as u64, &vec![value as u8; size])
        }
    })
}

/// `hipMemsetAsync`: done when it returns.
#[unsafe(no_mangle)]
pub extern "C" fn hipMemsetAsync(
    to: *mut c_void,
    value: c_int,
    size: usize,
    _stream: *mut c_void,
) -> HipError {
    hipMemset(to, value, size)
}
