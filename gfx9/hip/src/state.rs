//! The one device of the process.

use std::sync::{Mutex, MutexGuard};

use wavewise_gfx9::{Arch, Device, Module};

use crate::code::{HipError, INVALID_DEVICE, UNKNOWN, fail};

/// What becomes of findings.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Findings {
    Fail,
    Print,
    Ignore,
}

pub(crate) struct State {
    pub device: Device,
    pub wave_size: u32,
    pub findings: Findings,
    pub modules: Vec<Module>,
    /// Module and name; a handle is its place plus one.
    pub functions: Vec<(Module, String)>,
    /// When each event was recorded.
    pub events: Vec<Option<std::time::Instant>>,
}

static STATE: Mutex<Option<State>> = Mutex::new(None);

/// Runs `f` on the device, which the first call makes from the environment.
pub(crate) fn with(f: impl FnOnce(&mut State) -> HipError) -> HipError {
    let Ok(mut guard) = STATE.lock() else { return fail(UNKNOWN, "an earlier call has panicked") };
    match ready(&mut guard) {
        Ok(s) => f(s),
        Err(code) => code,
    }
}

fn ready<'g>(guard: &'g mut MutexGuard<'_, Option<State>>) -> Result<&'g mut State, HipError> {
    if guard.is_none() {
        let name = std::env::var("WAVEWISE_HIP_ARCH").unwrap_or_else(|_| "gfx942".into());
        let arch = Arch::from_name(&name).map_err(|e| fail(INVALID_DEVICE, e))?;
        let wave_size = match std::env::var("WAVEWISE_HIP_WAVE").ok().as_deref() {
            None => arch.default_wave_size(),
            Some("64") => 64,
            Some("32") if arch.generation() > 9 => 32,
            Some(other) => {
                return Err(fail(
                    INVALID_DEVICE,
                    format!("WAVEWISE_HIP_WAVE={other}: {name} has no waves of that width"),
                ));
            }
        };
        let findings = match std::env::var("WAVEWISE_HIP_FINDINGS").ok().as_deref() {
            None | Some("fail") => Findings::Fail,
            Some("print") => Findings::Print,
            Some("ignore") => Findings::Ignore,
            Some(other) => {
                return Err(fail(
                    INVALID_DEVICE,
                    format!("WAVEWISE_HIP_FINDINGS={other}: fail, print or ignore"),
                ));
            }
        };
        let mut device = Device::new(arch);
        device.set_wave_size(wave_size);
        device.set_checks(findings != Findings::Ignore);
        **guard = Some(State {
            device,
            wave_size,
            findings,
            modules: Vec::new(),
            functions: Vec::new(),
            events: Vec::new(),
        });
    }
    guard.as_mut().ok_or(UNKNOWN)
}

/// A handle for the `n`-th object: never null.
pub(crate) fn handle(n: usize) -> *mut std::ffi::c_void {
    std::ptr::without_provenance_mut(n + 1)
}

/// The place behind a handle.
pub(crate) fn place(h: *mut std::ffi::c_void) -> Option<usize> {
    h.addr().checked_sub(1)
}
