//! Modules, functions and launches.

use std::ffi::{CStr, c_char, c_void};

use wavewise_gfx9::Launch;

use crate::code::{
    FILE_NOT_FOUND, HIP_SUCCESS, HipError, INVALID_HANDLE, INVALID_IMAGE, INVALID_VALUE,
    LAUNCH_FAILURE, NOT_FOUND, fail, fail_with,
};
use crate::device::give;
use crate::state::{Findings, handle, place, with};

/// # Safety
/// `module` is null or valid for a write.
unsafe fn load(module: *mut *mut c_void, file: &[u8]) -> HipError {
    with(|s| match s.device.load(file) {
        Ok(m) => {
            s.modules.push(m);
            // SAFETY: as promised.
            unsafe { give(module, handle(s.modules.len() - 1)) }
        }
        Err(e) => fail_with(e),
    })
}

/// `hipModuleLoad`.
///
/// # Safety
/// `module` is null or valid for a write, `path` is null or a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipModuleLoad(module: *mut *mut c_void, path: *const c_char) -> HipError {
    if path.is_null() {
        return fail(INVALID_VALUE, "hipModuleLoad: no path");
    }
    // SAFETY: not null, so a C string.
    let path = unsafe { CStr::from_ptr(path) }.to_string_lossy();
    match std::fs::read(path.as_ref()) {
        // SAFETY: as promised.
        Ok(file) => unsafe { load(module, &file) },
        Err(e) => fail(FILE_NOT_FOUND, format!("{path}: {e}")),
    }
}

/// `hipModuleLoadData`: an ELF file in memory.
///
/// # Safety
/// `module` is null or valid for a write, `image` is null or the start of a whole ELF file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipModuleLoadData(
    module: *mut *mut c_void,
    image: *const c_void,
) -> HipError {
    if image.is_null() {
        return fail(INVALID_VALUE, "hipModuleLoadData: no image");
    }
    let image = image.cast::<u8>();
    // SAFETY: an ELF file has a header of 64 bytes.
    let head = unsafe { std::slice::from_raw_parts(image, 64) };
    if head[..4] != *b"\x7fELF" {
        return fail(
            INVALID_IMAGE,
            "the image is no ELF file; unbundle it with clang-offload-bundler",
        );
    }
    let long =
        |at: usize| u64::from_le_bytes(head[at..at + 8].try_into().expect("eight bytes")) as usize;
    let short = |at: usize| u16::from_le_bytes([head[at], head[at + 1]]) as usize;
    // The section headers end the file, as linkers write it.
    let size = long(40).saturating_add(short(58) * short(60)).max(64);
    // SAFETY: the file reaches to the end of its section headers at least.
    let file = unsafe { std::slice::from_raw_parts(image, size) };
    // SAFETY: as promised.
    unsafe { load(module, file) }
}

/// `hipModuleLoadDataEx`; the options say nothing here.
///
/// # Safety
/// As [`hipModuleLoadData`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipModuleLoadDataEx(
    module: *mut *mut c_void,
    image: *const c_void,
    _n: u32,
    _options: *mut c_void,
    _values: *mut *mut c_void,
) -> HipError {
    // SAFETY: as promised.
    unsafe { hipModuleLoadData(module, image) }
}

/// `hipModuleUnload`.
#[unsafe(no_mangle)]
pub extern "C" fn hipModuleUnload(module: *mut c_void) -> HipError {
    with(|s| match place(module).and_then(|n| s.modules.get(n)) {
        Some(&m) => s.device.unload(m).map_or_else(fail_with, |()| HIP_SUCCESS),
        None => fail(INVALID_HANDLE, "no such module"),
    })
}

/// `hipModuleGetFunction`.
///
/// # Safety
/// `function` is null or valid for a write, `name` is null or a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipModuleGetFunction(
    function: *mut *mut c_void,
    module: *mut c_void,
    name: *const c_char,
) -> HipError {
    if name.is_null() {
        return fail(INVALID_VALUE, "hipModuleGetFunction: no name");
    }
    // SAFETY: not null, so a C string.
    let name = unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned();
    with(|s| {
        let Some(&m) = place(module).and_then(|n| s.modules.get(n)) else {
            return fail(INVALID_HANDLE, "no such module");
        };
        if let Err(e) = s.device.kernel(m, &name) {
            return fail_with(e);
        }
        s.functions.push((m, name));
        // SAFETY: as promised.
        unsafe { give(function, handle(s.functions.len() - 1)) }
    })
}

/// `hipModuleGetGlobal`.
///
/// # Safety
/// `pointer` and `size` are null or valid for a write, `name` is null or a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipModuleGetGlobal(
    pointer: *mut *mut c_void,
    size: *mut usize,
    module: *mut c_void,
    name: *const c_char,
) -> HipError {
    if name.is_null() {
        return fail(INVALID_VALUE, "hipModuleGetGlobal: no name");
    }
    // SAFETY: not null, so a C string.
    let name = unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned();
    with(|s| {
        let Some(&m) = place(module).and_then(|n| s.modules.get(n)) else {
            return fail(INVALID_HANDLE, "no such module");
        };
        match s.device.global(m, &name) {
            Ok(Some((at, len))) => {
                if !size.is_null() {
                    // SAFETY: not null, so valid for a write.
                    unsafe { size.write(len as usize) };
                }
                // SAFETY: as promised.
                unsafe { give(pointer, std::ptr::without_provenance_mut(at as usize)) }
            }
            Ok(None) => fail(NOT_FOUND, format!("no variable {name:?} in the module")),
            Err(e) => fail_with(e),
        }
    })
}

/// The arguments from `extra`: a list of `HIP_LAUNCH_PARAM_BUFFER_POINTER` (1), `…_SIZE` (2) and `…_END` (3).
///
/// # Safety
/// `extra` is such a list.
unsafe fn packed(extra: *mut *mut c_void) -> Option<Vec<u8>> {
    let (mut data, mut size) = (std::ptr::null::<u8>(), 0);
    for n in (0..8).step_by(2) {
        // SAFETY: the list has not ended.
        let key = unsafe { *extra.add(n) }.addr();
        if key == 3 {
            break;
        }
        // SAFETY: every other key has a value behind it.
        let value = unsafe { *extra.add(n + 1) };
        match key {
            1 => data = value.cast(),
            // SAFETY: this key's value is a pointer to a size.
            2 => size = unsafe { value.cast::<usize>().read() },
            _ => return None,
        }
    }
    if data.is_null() {
        return None;
    }
    // SAFETY: the list says that so many bytes lie there.
    Some(unsafe { std::slice::from_raw_parts(data, size) }.to_vec())
}

/// `hipModuleLaunchKernel`: returns when the grid has run.
///
/// # Safety
/// `params` is null or has a pointer to each argument that the kernel's metadata lists, `extra` is null or HIP's list of a packed buffer.
#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments)]
pub unsafe extern "C" fn hipModuleLaunchKernel(
    function: *mut c_void,
    grid_x: u32,
    grid_y: u32,
    grid_z: u32,
    block_x: u32,
    block_y: u32,
    block_z: u32,
    shared: u32,
    _stream: *mut c_void,
    params: *mut *mut c_void,
    extra: *mut *mut c_void,
) -> HipError {
    with(|s| {
        let Some((module, name)) = place(function).and_then(|n| s.functions.get(n)).cloned() else {
            return fail(INVALID_HANDLE, "no such function");
        };
        let explicit: Vec<(usize, usize)> = match s.device.kernel(module, &name) {
            Ok(k) => k
                .arguments
                .iter()
                .filter(|a| !a.kind.starts_with("hidden_"))
                .map(|a| (a.offset as usize, a.size as usize))
                .collect(),
            Err(e) => return fail_with(e),
        };
        let mut kernarg = Vec::new();
        if !params.is_null() {
            for (n, &(offset, size)) in explicit.iter().enumerate() {
                kernarg.resize(offset + size, 0);
                // SAFETY: `params` has a pointer to each argument, which has the size the metadata says.
                unsafe {
                    std::ptr::copy_nonoverlapping(
                        (*params.add(n)).cast::<u8>(),
                        kernarg[offset..].as_mut_ptr(),
                        size,
                    )
                };
            }
        } else if !extra.is_null() {
            // SAFETY: as promised.
            match unsafe { packed(extra) } {
                Some(b) => kernarg = b,
                None => return fail(INVALID_VALUE, "hipModuleLaunchKernel: extra holds no buffer"),
            }
        } else if !explicit.is_empty() {
            return fail(
                INVALID_VALUE,
                format!(
                    "hipModuleLaunchKernel: {name} takes {} arguments and got none",
                    explicit.len()
                ),
            );
        }
        let mut launch =
            Launch::new([grid_x, grid_y, grid_z], [block_x, block_y, block_z], &kernarg);
        launch.dynamic_lds = shared;
        let outcome = match s.device.launch(module, &name, &mut launch) {
            Ok(o) => o,
            Err(e) => return fail_with(e),
        };
        if outcome.findings.is_empty() {
            return HIP_SUCCESS;
        }
        let all = outcome.findings.iter().map(|f| f.to_string()).collect::<Vec<_>>().join("\n");
        match s.findings {
            Findings::Fail => fail(LAUNCH_FAILURE, all),
            _ => {
                eprintln!("{all}");
                HIP_SUCCESS
            }
        }
    })
}
