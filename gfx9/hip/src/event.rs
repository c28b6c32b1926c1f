//! Streams and events: work is done when its call returns, so both are always complete.

use std::ffi::c_void;
use std::time::Instant;

use crate::code::{HIP_SUCCESS, HipError, INVALID_HANDLE, fail};
use crate::device::give;
use crate::state::{State, handle, place, with};

/// `hipStreamCreate`.
///
/// # Safety
/// `stream` is null or valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipStreamCreate(stream: *mut *mut c_void) -> HipError {
    // SAFETY: as promised.
    unsafe { give(stream, handle(0)) }
}

/// `hipStreamCreateWithFlags`.
///
/// # Safety
/// `stream` is null or valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipStreamCreateWithFlags(
    stream: *mut *mut c_void,
    _flags: u32,
) -> HipError {
    // SAFETY: as promised.
    unsafe { give(stream, handle(0)) }
}

/// `hipStreamDestroy`.
#[unsafe(no_mangle)]
pub extern "C" fn hipStreamDestroy(stream: *mut c_void) -> HipError {
    if stream.is_null() {
        fail(INVALID_HANDLE, "hipStreamDestroy: the null stream")
    } else {
        HIP_SUCCESS
    }
}

/// `hipStreamSynchronize`.
#[unsafe(no_mangle)]
pub extern "C" fn hipStreamSynchronize(_stream: *mut c_void) -> HipError {
    HIP_SUCCESS
}

/// `hipStreamQuery`.
#[unsafe(no_mangle)]
pub extern "C" fn hipStreamQuery(_stream: *mut c_void) -> HipError {
    HIP_SUCCESS
}

/// `hipStreamWaitEvent`.
#[unsafe(no_mangle)]
pub extern "C" fn hipStreamWaitEvent(
    _stream: *mut c_void,
    event: *mut c_void,
    _flags: u32,
) -> HipError {
    hipEventQuery(event)
}

/// `hipEventCreate`.
///
/// # Safety
/// `event` is null or valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipEventCreate(event: *mut *mut c_void) -> HipError {
    with(|s| {
        s.events.push(None);
        // SAFETY: as promised.
        unsafe { give(event, handle(s.events.len() - 1)) }
    })
}

/// `hipEventCreateWithFlags`.
///
/// # Safety
/// `event` is null or valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipEventCreateWithFlags(event: *mut *mut c_void, _flags: u32) -> HipError {
    // SAFETY: as promised.
    unsafe { hipEventCreate(event) }
}

fn find(s: &mut State, event: *mut c_void) -> Result<&mut Option<Instant>, HipError> {
    place(event)
        .and_then(|n| s.events.get_mut(n))
        .ok_or_else(|| fail(INVALID_HANDLE, "no such event"))
}

/// `hipEventRecord`.
#[unsafe(no_mangle)]
pub extern "C" fn hipEventRecord(event: *mut c_void, _stream: *mut c_void) -> HipError {
    with(|s| match find(s, event) {
        Ok(e) => {
            *e = Some(Instant::now());
            HIP_SUCCESS
        }
        Err(code) => code,
    })
}

/// `hipEventQuery`.
#[unsafe(no_mangle)]
pub extern "C" fn hipEventQuery(event: *mut c_void) -> HipError {
    with(|s| find(s, event).map_or_else(|code| code, |_| HIP_SUCCESS))
}

/// `hipEventSynchronize`.
#[unsafe(no_mangle)]
pub extern "C" fn hipEventSynchronize(event: *mut c_void) -> HipError {
    hipEventQuery(event)
}

/// `hipEventDestroy`.
#[unsafe(no_mangle)]
pub extern "C" fn hipEventDestroy(event: *mut c_void) -> HipError {
    with(|s| match find(s, event) {
        Ok(e) => {
            *e = None;
            HIP_SUCCESS
        }
        Err(code) => code,
    })
}

/// `hipEventElapsedTime`: milliseconds of this machine's clock.
///
/// # Safety
/// `milliseconds` is null or valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipEventElapsedTime(
    milliseconds: *mut f32,
    start: *mut c_void,
    stop: *mut c_void,
) -> HipError {
    with(|s| {
        let mut time = |e| {
            find(s, e)
                .and_then(|t| t.ok_or_else(|| fail(INVALID_HANDLE, "the event was not recorded")))
        };
        match (time(start), time(stop)) {
            // SAFETY: as promised.
            (Ok(a), Ok(b)) => unsafe {
                give(milliseconds, b.saturating_duration_since(a).as_secs_f32() * 1e3)
            },
            (Err(code), _) | (_, Err(code)) => code,
        }
    })
}
