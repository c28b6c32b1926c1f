//! HIP's library, loaded while the program runs, and its devices.

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::sync::OnceLock;

use libloading::Library;

use super::error::{HipError, NO_DEVICE};

/// Names the library's file.
const VARIABLE: &str = "WAVEWISE_HIP_LIBRARY";
const DEFAULT: &str = "libamdhip64.so";

/// What HIP hands out: an address on the device, or a handle.
pub(super) type Pointer = *mut c_void;

macro_rules! functions {
    ($($name:ident($($argument:ty),*) -> $result:ty;)*) => {
        /// HIP's functions, as its header declares them.
        #[allow(non_snake_case, reason = "they are HIP's names")]
        pub(super) struct Functions {
            $(pub(super) $name: unsafe extern "C" fn($($argument),*) -> $result,)*
            /// What they are part of.
            _library: Library,
        }

        impl Functions {
            /// # Safety
            ///
            /// Where the library has a function of one of these names, it is HIP's.
            unsafe fn of(library: Library) -> Result<Self, HipError> {
                Ok(Self {
                    $($name: {
                        let call = stringify!($name);
                        // SAFETY: the caller promises that it is HIP's function, so of HIP's type.
                        *unsafe { library.get(call) }.map_err(|_| HipError::Incomplete { call })?
                    },)*
                    _library: library,
                })
            }
        }
    };
}

functions! {
    hipEventCreate(*mut Pointer) -> c_int;
    hipEventDestroy(Pointer) -> c_int;
    hipEventElapsedTime(*mut f32, Pointer, Pointer) -> c_int;
    hipEventRecord(Pointer, Pointer) -> c_int;
    hipDeviceSynchronize() -> c_int;
    hipFree(Pointer) -> c_int;
    hipGetDeviceCount(*mut c_int) -> c_int;
    hipGetDevicePropertiesR0600(*mut Properties, c_int) -> c_int;
    hipGetErrorName(c_int) -> *const c_char;
    hipGetErrorString(c_int) -> *const c_char;
    hipInit(c_uint) -> c_int;
    hipMalloc(*mut Pointer, usize) -> c_int;
    hipMemcpy(Pointer, *const c_void, usize, c_int) -> c_int;
    hipModuleGetFunction(*mut Pointer, Pointer, *const c_char) -> c_int;
    hipModuleLaunchKernel(
        Pointer, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, Pointer, *mut Pointer,
        *mut Pointer
    ) -> c_int;
    hipModuleLoadData(*mut Pointer, *const c_void) -> c_int;
    hipModuleUnload(Pointer) -> c_int;
    hipRuntimeGetVersion(*mut c_int) -> c_int;
    hipSetDevice(c_int) -> c_int;
}

/// `hipDeviceProp_tR0600`, of which what is read here has a name.
#[repr(C, align(8))]
pub(super) struct Properties {
    name: [u8; 256],
    /// `uuid`, `luid` and `luidDeviceNodeMask`.
    identity: [u8; 32],
    total_memory: usize,
    shared_memory: usize,
    registers: c_int,
    warp_size: c_int,
    limits: [u8; 76],
    multiprocessors: c_int,
    more: [u8; 768],
    arch: [u8; 256],
    /// To the end, and room for what a later HIP adds.
    rest: [u8; 2048],
}

// Where the header has them.
const _: () = {
    assert!(std::mem::offset_of!(Properties, total_memory) == 288);
    assert!(std::mem::offset_of!(Properties, warp_size) == 308);
    assert!(std::mem::offset_of!(Properties, multiprocessors) == 388);
    assert!(std::mem::offset_of!(Properties, arch) == 1160);
};

/// HIP, loaded and initialised.
pub(super) struct Hip {
    pub(super) functions: Functions,
    version: c_int,
    devices: c_int,
}

/// What is known of a device before anything runs there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Facts {
    pub(super) name: String,
    /// The chip, without the features behind it: `gfx942`.
    pub(super) arch: String,
    /// The lanes of a wave.
    pub(super) width: u32,
    pub(super) multiprocessors: u32,
    /// In bytes.
    pub(super) memory: u64,
}

impl Hip {
    /// The HIP of this machine, looked for once.
    pub(super) fn find() -> Result<&'static Self, HipError> {
        static HIP: OnceLock<Result<Hip, HipError>> = OnceLock::new();
        HIP.get_or_init(Self::load).as_ref().map_err(Clone::clone)
    }

    fn load() -> Result<Self, HipError> {
        let file = std::env::var_os(VARIABLE).unwrap_or_else(|| DEFAULT.into());
        // SAFETY: the system's owner or the user names a HIP library, whose initialisers may run.
        let library = unsafe { Library::new(&file) }.map_err(|error| HipError::NoLibrary {
            library: file.to_string_lossy().into_owned(),
            why: error.to_string().replace('\n', " "),
        })?;
        // SAFETY: as it is a HIP library, its functions are HIP's.
        let functions = unsafe { Functions::of(library) }?;
        let mut hip = Self { functions, version: 0, devices: 0 };
        let (mut version, mut devices) = (0, 0);
        // SAFETY: the results are written to live variables.
        unsafe {
            match (hip.functions.hipInit)(0) {
                NO_DEVICE => return Err(HipError::NoDevice),
                code => hip.check("hipInit", code)?,
            }
            match (hip.functions.hipGetDeviceCount)(&mut devices) {
                NO_DEVICE => return Err(HipError::NoDevice),
                code => hip.check("hipGetDeviceCount", code)?,
            }
            let code = (hip.functions.hipRuntimeGetVersion)(&mut version);
            hip.check("hipRuntimeGetVersion", code)?;
        }
        (hip.version, hip.devices) = (version, devices);
        if devices == 0 { Err(HipError::NoDevice) } else { Ok(hip) }
    }

    /// The version of HIP: `6.2`.
    pub(super) fn version(&self) -> String {
        format!("{}.{}", self.version / 10_000_000, self.version / 100_000 % 100)
    }

    pub(super) fn devices(&self) -> std::ops::Range<c_int> {
        0..self.devices
    }

    pub(super) fn facts(&self, ordinal: c_int) -> Result<Facts, HipError> {
        // SAFETY: zeros are a value of each of its fields.
        let mut properties: Box<Properties> = Box::new(unsafe { std::mem::zeroed() });
        // SAFETY: the structure is at least as large as HIP's.
        let code =
            unsafe { (self.functions.hipGetDevicePropertiesR0600)(&mut *properties, ordinal) };
        self.check("hipGetDevicePropertiesR0600", code)?;
        let arch = text(&properties.arch);
        let arch = arch.split(':').next().unwrap_or_default().to_owned();
        let name = text(&properties.name);
        Ok(Facts {
            // Some drivers leave it empty.
            name: if name.is_empty() { arch.clone() } else { name },
            arch,
            width: properties.warp_size.unsigned_abs(),
            multiprocessors: properties.multiprocessors.unsigned_abs(),
            memory: properties.total_memory as u64,
        })
    }

    pub(super) fn check(&self, call: &'static str, code: c_int) -> Result<(), HipError> {
        if code == 0 {
            return Ok(());
        }
        let words = |function: unsafe extern "C" fn(c_int) -> *const c_char| {
            // SAFETY: any number may be asked for; the answer is null or a text of the library's.
            unsafe {
                let words = function(code);
                if words.is_null() {
                    format!("error {code}")
                } else {
                    CStr::from_ptr(words).to_string_lossy().into_owned()
                }
            }
        };
        let (name, meaning) =
            (words(self.functions.hipGetErrorName), words(self.functions.hipGetErrorString));
        Err(HipError::Call { call, code, name, meaning })
    }
}

/// The text before the first zero.
fn text(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..end]).into_owned()
}
