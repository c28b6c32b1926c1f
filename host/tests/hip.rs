//! The way through HIP, from loading the library to the result, without a GPU: the program runs
//! against the HIP library that stands on the interpreter.

use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

/// The interpreter's HIP library, which cargo builds next to the tests.
fn library() -> PathBuf {
    let program = std::env::current_exe().expect("this program");
    let folder = program.parent().expect("its folder");
    let library = folder.join(format!(
        "{}wavewise_gfx9_hip{}",
        std::env::consts::DLL_PREFIX,
        std::env::consts::DLL_SUFFIX
    ));
    assert!(library.exists(), "{} was not built with the tests", library.display());
    library
}

/// The program, with a chip behind HIP.
fn program(arch: &str, wave: &str) -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_wavewise"));
    program
        .env("WAVEWISE_HIP_LIBRARY", library())
        .env("WAVEWISE_HIP_ARCH", arch)
        .env("WAVEWISE_HIP_WAVE", wave)
        .env("CUDA_VISIBLE_DEVICES", "-1");
    program
}

#[track_caller]
fn json(output: &Output) -> Value {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("one JSON object")
}

/// The one row of a reduction.
#[track_caller]
fn row(arch: &str, wave: &str, arguments: &[&str]) -> Value {
    let mut program = program(arch, wave);
    let output = program.args(["reduce", "--json", "--width", wave]).args(arguments).output();
    let report = json(&output.expect("the program starts"));
    let rows = report["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), 1, "{report}");
    rows[0].clone()
}

/// The chips that this build has kernels for, with the width that HIP reports of them.
fn devices() -> Vec<(&'static str, &'static str)> {
    let embedded = |name: &str| {
        wavewise_kernels::prebuilt::code_objects().iter().any(|module| module.target == name)
    };
    let all = [("gfx942", "gfx942", "64"), ("gfx1100-wave32", "gfx1100", "32")];
    let devices: Vec<_> = all
        .into_iter()
        .filter(|(target, ..)| embedded(target))
        .map(|(_, arch, wave)| (arch, wave))
        .collect();
    assert!(devices.contains(&("gfx942", "64")));
    devices
}

#[test]
fn the_bits_are_the_simulators() {
    for (arch, wave) in devices() {
        for dtype in ["f32", "u32", "f64"] {
            for op in ["sum", "min", "max"] {
                // One block, and two with their partials.
                for n in ["0", "257", "8193"] {
                    let job = ["--random", n, "--dtype", dtype, "--op", op, "--backend"];
                    let hip = row(arch, wave, &[&job[..], &["hip"]].concat());
                    let sim = row(arch, wave, &[&job[..], &["sim"]].concat());
                    assert_eq!(hip["backend"], "hip");
                    assert!(sim["bits"].is_string());
                    assert_eq!(hip["bits"], sim["bits"], "{arch} {dtype} {op} {n}");
                }
            }
        }
    }
}

#[test]
fn devices_are_as_hip_has_them() {
    for (arch, wave) in devices() {
        let output = program(arch, wave).args(["devices", "--json"]).output();
        let listed = json(&output.expect("the program starts"));
        let hip: Vec<&Value> = listed["devices"]
            .as_array()
            .expect("devices")
            .iter()
            .filter(|device| device["backend"] == "hip")
            .collect();
        assert_eq!(hip.len(), 1);
        assert_eq!(hip[0]["device"], format!("Wavewise ISA interpreter ({arch})"));
        assert_eq!(hip[0]["widths"][0].to_string(), wave);
        assert_eq!((&hip[0]["capability"], &hip[0]["driver"]), (&arch.into(), &"6.2".into()));
        assert_eq!(hip[0]["memory"], 16_u64 << 30);
    }
}

#[test]
fn a_width_that_the_device_has_not_is_refused() {
    let output = program("gfx942", "64")
        .args(["reduce", "--random", "9", "--backend", "hip", "--width", "32"])
        .output()
        .expect("the program starts");
    let line = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(line.contains("no device of hip runs waves of 32 lanes"), "{line}");
}

#[test]
fn the_starter_has_its_fault_there_too() {
    let output = program("gfx942", "64")
        .args(["reduce", "--json", "--backend", "hip", "--random", "5000"])
        .args(["--kernel", "starter-16"])
        .output()
        .expect("the program starts");
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    assert_eq!(report["rows"][0]["fault"]["name"], "half-wave");
}

#[test]
fn without_the_library_only_who_asks_for_it_is_told() {
    let run = |backend: &str| {
        program("gfx942", "64")
            .env("WAVEWISE_HIP_LIBRARY", "/nowhere/libamdhip64.so")
            .args(["reduce", "--random", "9", "--backend", backend])
            .output()
            .expect("the program starts")
    };
    assert!(run("all").status.success());
    let refused = run("hip");
    let line = String::from_utf8_lossy(&refused.stderr);
    assert_eq!((refused.status.code(), line.lines().count()), (Some(2), 1), "{line}");
    for part in ["no backend `hip` here", "/nowhere/libamdhip64.so", "WAVEWISE_HIP_LIBRARY"] {
        assert!(line.contains(part), "{part} is not in {line}");
    }
}

#[test]
fn a_library_that_is_not_hip_names_what_it_lacks() {
    let output = program("gfx942", "64")
        .env("WAVEWISE_HIP_LIBRARY", "libc.so.6")
        .args(["reduce", "--random", "9", "--backend", "hip"])
        .output()
        .expect("the program starts");
    let line = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(line.contains("HIP's library has no hip"), "{line}");
}
