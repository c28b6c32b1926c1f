//! The whole path of a HIP host program: open the library, load, launch, read back.
//!
//! One process has one device, so the arms that need another one run the test program again.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::PathBuf;
use std::process::Command;

use libloading::{Library, Symbol};

type Pointer = *mut c_void;

struct Hip(Library);

impl Hip {
    fn open() -> Hip {
        let program = std::env::current_exe().unwrap();
        let deps = program.parent().unwrap();
        let name = libloading::library_filename("wavewise_gfx9_hip");
        let path: PathBuf = [deps.join(&name), deps.parent().unwrap().join(&name)]
            .into_iter()
            .find(|p| p.exists())
            .expect("the library was built with the test");
        // SAFETY: the library's initialisers do nothing.
        Hip(unsafe { Library::new(path) }.unwrap())
    }

    fn get<T>(&self, name: &str) -> Symbol<'_, T> {
        // SAFETY: the types below are those of HIP's header.
        unsafe { self.0.get(name.as_bytes()) }.unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    fn text(&self, code: i32) -> String {
        let f: Symbol<unsafe extern "C" fn(i32) -> *const c_char> = self.get("hipGetErrorName");
        // SAFETY: the function gives a static C string.
        unsafe { CStr::from_ptr(f(code)) }.to_string_lossy().into_owned()
    }

    fn load(&self, image: &[u8]) -> Result<Pointer, String> {
        let f: Symbol<unsafe extern "C" fn(*mut Pointer, *const c_void) -> i32> =
            self.get("hipModuleLoadData");
        let mut m = std::ptr::null_mut();
        // SAFETY: `image` is a whole ELF file.
        match unsafe { f(&mut m, image.as_ptr().cast()) } {
            0 => Ok(m),
            e => Err(self.text(e)),
        }
    }

    fn function(&self, module: Pointer, name: &str) -> Result<Pointer, String> {
        let f: Symbol<unsafe extern "C" fn(*mut Pointer, Pointer, *const c_char) -> i32> =
            self.get("hipModuleGetFunction");
        let (mut p, name) = (std::ptr::null_mut(), CString::new(name).unwrap());
        // SAFETY: the name is a C string.
        match unsafe { f(&mut p, module, name.as_ptr()) } {
            0 => Ok(p),
            e => Err(self.text(e)),
        }
    }

    fn malloc(&self, bytes: usize) -> Pointer {
        let f: Symbol<unsafe extern "C" fn(*mut Pointer, usize) -> i32> = self.get("hipMalloc");
        let mut p = std::ptr::null_mut();
        // SAFETY: the out parameter is valid.
        assert_eq!(unsafe { f(&mut p, bytes) }, 0);
        p
    }

    fn copy(&self, to: Pointer, from: *const c_void, bytes: usize, kind: c_int) -> i32 {
        let f: Symbol<unsafe extern "C" fn(Pointer, *const c_void, usize, c_int, Pointer) -> i32> =
            self.get("hipMemcpyAsync");
        // SAFETY: callers give a host side that is valid for `bytes`.
        unsafe { f(to, from, bytes, kind, std::ptr::null_mut()) }
    }

    fn launch(
        &self,
        function: Pointer,
        grid: u32,
        block: u32,
        shared: u32,
        params: &mut [Pointer],
    ) -> i32 {
        type Launch = unsafe extern "C" fn(
            Pointer,
            u32,
            u32,
            u32,
            u32,
            u32,
            u32,
            u32,
            Pointer,
            *mut Pointer,
            *mut Pointer,
        ) -> i32;
        let f: Symbol<Launch> = self.get("hipModuleLaunchKernel");
        // SAFETY: callers give a pointer to each argument.
        unsafe {
            f(
                function,
                grid,
                1,
                1,
                block,
                1,
                1,
                shared,
                std::ptr::null_mut(),
                params.as_mut_ptr(),
                std::ptr::null_mut(),
            )
        }
    }

    fn properties(&self) -> (i32, String) {
        let f: Symbol<unsafe extern "C" fn(*mut c_void, c_int) -> i32> =
            self.get("hipGetDevicePropertiesR0600");
        let mut p = [0u8; wavewise_gfx9_hip::PROPERTIES_SIZE];
        // SAFETY: the buffer has the structure's size.
        assert_eq!(unsafe { f(p.as_mut_ptr().cast(), 0) }, 0);
        let arch = CStr::from_bytes_until_nul(&p[1160..]).unwrap().to_string_lossy().into_owned();
        (i32::from_le_bytes(p[308..312].try_into().unwrap()), arch)
    }
}

fn object(name: &str) -> Vec<u8> {
    let path = format!("{}/../tests/objects/{name}.hsaco", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(&path).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// Sums 4 workgroups of small integers; exact in f32.
fn sum(hip: &Hip, object: &[u8]) {
    let module = hip.load(object).unwrap();
    let kernel = hip.function(module, "reduce").unwrap();
    let input: Vec<f32> = (0..1000).map(|k| (k % 7) as f32).collect();
    let (mut src, mut dst, mut n) = (hip.malloc(4000), hip.malloc(16), 1000u32);
    assert_eq!(hip.copy(src, input.as_ptr().cast(), 4000, 1), 0);
    let mut params: [Pointer; 3] =
        [(&raw mut src).cast(), (&raw mut dst).cast(), (&raw mut n).cast()];
    assert_eq!(hip.launch(kernel, 4, 256, 0, &mut params), 0);
    let mut out = [0f32; 4];
    assert_eq!(hip.copy(out.as_mut_ptr().cast(), dst, 16, 2), 0);
    let want: Vec<f32> = input.chunks(256).map(|c| c.iter().sum()).collect();
    assert_eq!(out.to_vec(), want);
}

/// Runs this test program again with another device; `arm` says which part.
fn again(arm: &str, arch: &str, wave: &str) {
    let out = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "arm", "--ignored"])
        .envs([
            ("WAVEWISE_HIP_ARCH", arch),
            ("WAVEWISE_HIP_WAVE", wave),
            ("WAVEWISE_TEST_ARM", arm),
        ])
        .output()
        .unwrap();
    assert!(
        out.status.success(),
        "{arm} {arch} {wave}: {}{}",
        String::from_utf8_lossy(&out.stdout),
        String::from_utf8_lossy(&out.stderr)
    );
    assert!(String::from_utf8_lossy(&out.stdout).contains("1 passed"));
}

#[test]
#[ignore = "a part of the others, run with an environment of its own"]
fn arm() {
    let (Ok(arm), Ok(arch), Ok(wave)) = (
        std::env::var("WAVEWISE_TEST_ARM"),
        std::env::var("WAVEWISE_HIP_ARCH"),
        std::env::var("WAVEWISE_HIP_WAVE"),
    ) else {
        return;
    };
    let hip = Hip::open();
    assert_eq!(hip.properties(), (wave.parse().unwrap(), arch.clone()));
    match arm.as_str() {
        "sum" => sum(&hip, &object(&format!("reduce.{arch}.w{wave}"))),
        "width" => {
            let other = if wave == "32" { 64 } else { 32 };
            let module = hip.load(&object(&format!("reduce.{arch}.w{other}"))).unwrap();
            let kernel = hip.function(module, "reduce").unwrap();
            let (mut p, mut n) = (std::ptr::null_mut::<c_void>(), 0u32);
            let mut params: [Pointer; 3] =
                [(&raw mut p).cast(), (&raw mut p).cast(), (&raw mut n).cast()];
            assert_eq!(
                hip.text(hip.launch(kernel, 1, 64, 0, &mut params)),
                "hipErrorNoBinaryForGpu"
            );
        }
        other => panic!("{other}"),
    }
}

#[test]
fn sums_on_every_device() {
    for (arch, wave) in [
        ("gfx90a", "64"),
        ("gfx942", "64"),
        ("gfx1100", "32"),
        ("gfx1200", "32"),
        ("gfx1200", "64"),
    ] {
        again("sum", arch, wave);
    }
}

#[test]
fn another_width_is_refused() {
    again("width", "gfx1100", "32");
    again("width", "gfx1200", "64");
}

#[test]
fn mistakes_give_hip_errors() {
    let hip = Hip::open();
    assert_eq!(hip.properties(), (64, "gfx942".into()));
    assert_eq!(hip.load(&[0; 64]).unwrap_err(), "hipErrorInvalidImage");
    assert_eq!(hip.load(&object("reduce.gfx90a.w64")).unwrap_err(), "hipErrorNoBinaryForGpu");
    let module = hip.load(&object("reduce.gfx942.w64")).unwrap();
    assert_eq!(hip.function(module, "nothing").unwrap_err(), "hipErrorNotFound");
    let kernel = hip.function(module, "reduce").unwrap();
    let (mut p, mut n) = (std::ptr::null_mut::<c_void>(), 64u32);
    let mut params: [Pointer; 3] = [(&raw mut p).cast(), (&raw mut p).cast(), (&raw mut n).cast()];
    // The null input is read.
    assert_eq!(hip.text(hip.launch(kernel, 1, 64, 0, &mut params)), "hipErrorIllegalAddress");
    assert_eq!(
        hip.text(hip.launch(kernel, 1, 4096, 0, &mut params)),
        "hipErrorInvalidConfiguration"
    );
    // The input was never written: the checks find it.
    let (mut src, mut dst) = (hip.malloc(256), hip.malloc(4));
    let mut params: [Pointer; 3] =
        [(&raw mut src).cast(), (&raw mut dst).cast(), (&raw mut n).cast()];
    assert_eq!(hip.text(hip.launch(kernel, 1, 64, 0, &mut params)), "hipErrorLaunchFailure");
    let last: Symbol<unsafe extern "C" fn() -> *const c_char> = hip.get("wavewise_hip_message");
    // SAFETY: the message lives until the next error.
    let message = unsafe { CStr::from_ptr(last()) }.to_string_lossy().into_owned();
    assert!(message.contains("never written"), "{message}");
    assert_eq!(hip.copy(src, [0u8; 8].as_ptr().cast(), 1 << 20, 3), 1);
}
