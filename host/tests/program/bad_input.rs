//! Each bad input: one line, status 2, no panic, no partial output.

use super::*;

#[track_caller]
fn refused_file(bytes: impl AsRef<[u8]>, name: &str, arguments: &[&str], parts: &[&str]) {
    let files = Files::new();
    let path = files.write(name, bytes);
    for json in [&[][..], &["--json"]] {
        let output = wavewise(&[&["reduce", "--input", &path], arguments, json].concat());
        assert_refused(&output, &[&[name], parts].concat());
    }
}

#[test]
fn an_empty_file() {
    refused_file("", "empty.csv", &[], &["is empty"]);
    refused_file("", "empty.bin", &[], &["is empty"]);
    refused_file("", "empty.npy", &[], &["is empty"]);
    refused_file(" \n\n\t\n", "blank.txt", &[], &["is empty"]);
    assert_refused(
        &wavewise_with_stdin(&["reduce", "--input", "-"], b""),
        &["standard input is empty"],
    );
}

#[test]
fn nan() {
    refused_file("1\n2\nNaN\n", "nan.csv", &[], &["element 2", "is NaN", "--allow-nan"]);
    refused_file(f32_bytes(&[f32::NAN]), "nan.bin", &[], &["element 0", "is NaN"]);
    refused_file(npy("<f8", false, "(1,)", &f64::NAN.to_le_bytes()), "nan.npy", &[], &["is NaN"]);
    refused_file("1\nNaN\n", "nan.csv", &["--dtype", "i32"], &["line 2", "`NaN` is no i32"]);
}

#[test]
fn a_ragged_table() {
    refused_file("1,2,3\n4,5\n", "ragged.csv", &[], &["line 2", "2 values", "line 1 has 3"]);
    refused_file(
        "1,2\n\n4,5\n6\n",
        "ragged.csv",
        &[],
        &["line 4", "1 value where", "line 1 has 2"],
    );
    refused_file("1\n2\n3,4\n", "ragged.csv", &[], &["line 3", "2 values"]);
    refused_file("1,,3\n", "hole.csv", &[], &["line 1, value 2", "nothing stands there"]);
    refused_file("1,2,\n", "hole.csv", &[], &["line 1, value 3", "nothing stands there"]);
}

#[cfg(unix)]
#[test]
fn a_device_without_an_end() {
    assert_refused(
        &wavewise(&["reduce", "--input", "/dev/zero"]),
        &["`/dev/zero` is a device", "expected a file or a pipe"],
    );
}

#[test]
fn a_word() {
    refused_file("1\ntwo\n3\n", "word.csv", &[], &["line 2", "`two` is no f32"]);
    refused_file("value\n1\n", "header.txt", &[], &["line 1", "`value`"]);
    refused_file("1\n0x10\n", "hex.txt", &["--dtype", "u32"], &["`0x10` is no u32"]);
    let long = "x".repeat(100_000);
    refused_file(long, "long.txt", &[], &["xxx…"]);
    refused_file("1\n\u{7}\u{1b}[31m\n", "bell.txt", &[], &["\\u{7}\\u{1b}[31m"]);
    refused_file(b"1\n\xff\xfe\n", "latin.txt", &[], &["line 2", "not text"]);
}

#[test]
fn a_wrong_type() {
    refused_file("1.5\n", "half.csv", &["--dtype", "i32"], &["`1.5` is no i32"]);
    refused_file("-1\n", "negative.csv", &["--dtype", "u64"], &["-1 is out of the range of u64"]);
    refused_file("4294967296\n", "big.csv", &["--dtype", "u32"], &["out of the range of u32"]);
    refused_file("1e39\n", "big.csv", &[], &["1e39 is out of the range of f32"]);
    let doubles = npy("<f8", false, "(1,)", &1f64.to_le_bytes());
    refused_file(
        doubles,
        "double.npy",
        &["--dtype", "f32"],
        &["holds f64", "expected f32", "--dtype"],
    );
    refused_file(npy("<f2", false, "(1,)", &[0, 0]), "short.npy", &[], &["type <f2", "astype"]);
    refused_file(npy("|b1", false, "(1,)", &[0]), "bool.npy", &[], &["type |b1"]);
    assert_refused(&wavewise(&["reduce", "--dtype", "f16"]), &["f16", "--dtype"]);
}

#[test]
fn larger_than_memory() {
    let files = Files::new();
    for (name, dtype) in
        [("huge.bin", "f32"), ("huge.csv", "i64"), ("huge.npy", "f32"), ("huge", "f64")]
    {
        let path = files.path(name);
        std::fs::File::create(&path).and_then(|file| file.set_len(1 << 43)).expect("a sparse file");
        let output = wavewise(&["reduce", "--input", &text(&path), "--dtype", dtype]);
        assert_refused(&output, &[name, "8796093022208 bytes do not fit", "memory"]);
    }
    let output = wavewise(&["reduce", "--random", "10000000000000"]);
    assert_refused(&output, &["40000000000000 bytes do not fit"]);
    assert_refused(&wavewise(&["reduce", "--random", "18446744073709551615"]), &["do not fit"]);
}

#[test]
fn a_missing_file() {
    assert_refused(
        &wavewise(&["reduce", "--input", "no/such.npy"]),
        &["`no/such.npy`", "cannot be opened"],
    );
    assert_refused(&wavewise(&["reduce", "--input", "two\nlines"]), &["two\\nlines"]);
}

#[test]
fn a_directory() {
    let files = Files::new();
    let path = text(files.0.path());
    assert_refused(&wavewise(&["reduce", "--input", &path]), &["is a directory"]);
}

#[test]
fn a_truncated_npy() {
    let whole = npy("<f4", false, "(100,)", &[0; 400]);
    for length in 1..whole.len() {
        if length < 128 || length % 41 == 0 || length == whole.len() - 1 {
            let output = wavewise_with_stdin(
                &["reduce", "--input", "-", "--format", "npy"],
                &whole[..length],
            );
            assert_refused(
                &output,
                &["standard input", if length < 128 { ".npy" } else { "truncated" }],
            );
        }
    }
    refused_file(&whole[..500], "short.npy", &[], &["is truncated", "372 bytes", "400"]);
    refused_file(
        npy("<f8", false, "(1000000000000, 1000000000000)", &[0; 8]),
        "vast.npy",
        &[],
        &["is truncated"],
    );
    refused_file([&whole[..], b"x"].concat(), "long.npy", &[], &["goes on after the 400 bytes"]);
    refused_file("1\n2\n", "text.npy", &[], &["no valid .npy file", "\\x93NUMPY"]);
}

#[test]
fn fortran_order() {
    refused_file(
        npy("<f4", true, "(2, 2)", &[0; 16]),
        "fortran.npy",
        &[],
        &["Fortran order", "ascontiguousarray"],
    );
}

#[test]
fn big_endian() {
    refused_file(
        npy(">f4", false, "(1,)", &[0; 4]),
        "big.npy",
        &[],
        &["big-endian", ">f4", "astype('<f4')"],
    );
    refused_file(npy(">i8", false, "(1,)", &[0; 8]), "big.npy", &[], &["big-endian", ">i8"]);
}

#[test]
fn bytes_that_are_no_multiple_of_the_type() {
    refused_file([0; 10], "ten.bin", &[], &["10 bytes", "no multiple of the 4 bytes of f32"]);
    refused_file([0; 12], "twelve.raw", &["--dtype", "i64"], &["12 bytes", "8 bytes of i64"]);
    let output = wavewise_with_stdin(&["reduce", "--input", "-"], &[0; 7]);
    assert_refused(&output, &["standard input has 7 bytes"]);
}

#[test]
fn a_width_of_48() {
    assert_refused(&wavewise(&["reduce", "--width", "48"]), &["48", "--width", "32, 64, all"]);
}

#[test]
fn a_backend_that_is_not_there() {
    for backend in ["vulkan", "abacus", ""] {
        let output = wavewise(&["reduce", "--backend", backend]);
        assert_refused(&output, &[&format!("no backend `{backend}`"), "expected sim"]);
    }
}

#[test]
fn a_backend_without_a_device_says_why() {
    for width in ["32", "64", "all"] {
        let output = wavewise(&["reduce", "--backend", "cuda", "--width", width]);
        assert_refused(
            &output,
            &["no backend `cuda` here: the NVIDIA driver", "or use sim", " or all"],
        );
    }
}

#[test]
fn arguments_that_do_not_go_together() {
    assert_refused(
        &wavewise(&["reduce", "--input", "a.npy", "--random", "5"]),
        &["--input", "--random"],
    );
    assert_refused(&wavewise(&["reduce", "--input", "a.npy", "--seed", "5"]), &["--seed"]);
    assert_refused(&wavewise(&["reduce", "--random", "-5"]), &["-5"]);
    assert_refused(&wavewise(&["reduce", "--kernel", "fast"]), &["fast", "butterfly"]);
    assert_refused(&wavewise(&["reduce", "--op", "mean"]), &["mean", "sum"]);
    assert_refused(&wavewise(&["frobnicate"]), &["frobnicate"]);
    assert_refused(&wavewise(&[]), &["no command", "devices or reduce"]);
}
