//! The program from outside: its arguments, files, output and exit status.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

mod bad_input;
mod formats;
mod results;

/// The program, with no GPU to be seen: these tests are the same on every machine.
fn program() -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_wavewise"));
    program.env("CUDA_VISIBLE_DEVICES", "-1");
    program
}

/// Runs the program.
fn wavewise(arguments: &[&str]) -> Output {
    program().args(arguments).stdin(Stdio::null()).output().expect("the program starts")
}

/// Runs the program with `bytes` on its standard input.
fn wavewise_with_stdin(arguments: &[&str], bytes: &[u8]) -> Output {
    let mut child = program()
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // It may refuse before it has read all.
    let _ = child.stdin.take().expect("a pipe").write_all(bytes);
    child.wait_with_output().expect("the program ends")
}

/// The JSON of a run that must exit with `status` and say nothing else.
#[track_caller]
fn json(output: &Output, status: i32) -> Value {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{stderr}");
    assert_eq!(stderr, "");
    serde_json::from_slice(&output.stdout).expect("one JSON object")
}

/// Runs `reduce --json` with `arguments` and expects success.
#[track_caller]
fn reduce(arguments: &[&str]) -> Value {
    json(&wavewise(&[&["reduce", "--json"], arguments].concat()), 0)
}

/// One line on standard error that has all of `parts`, nothing on standard output, status 2.
#[track_caller]
fn assert_refused(output: &Output, parts: &[&str]) {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(
        output.stdout.is_empty(),
        "partial output: {}",
        String::from_utf8_lossy(&output.stdout)
    );
    assert_eq!(stderr.lines().count(), 1, "not one line: {stderr}");
    for part in parts {
        assert!(stderr.contains(part), "{part:?} is not in {stderr:?}");
    }
}

/// A folder of its own for the files of a test.
struct Files(TempDir);

impl Files {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        std::fs::write(&path, bytes).expect("a file");
        text(&path)
    }
}

fn text(path: &Path) -> String {
    path.to_str().expect("UTF-8").to_owned()
}

/// What `numpy.save` writes, version 1.
fn npy(descr: &str, fortran_order: bool, shape: &str, elements: &[u8]) -> Vec<u8> {
    let order = if fortran_order { "True" } else { "False" };
    let mut header =
        format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}");
    while (10 + header.len() + 1) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let length = u16::try_from(header.len()).expect("a short header");
    [b"\x93NUMPY\x01\x00", &length.to_le_bytes()[..], header.as_bytes(), elements].concat()
}

fn f32_bytes(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}
