//! Every type and operator out of every format.

use super::*;

/// A type, how NumPy calls it, five values as text, and as little-endian bytes.
struct Sample {
    dtype: &'static str,
    descr: &'static str,
    words: [&'static str; 5],
    bytes: Vec<u8>,
    /// Sum, min, max.
    expected: [f64; 3],
}

fn samples() -> Vec<Sample> {
    macro_rules! sample {
        ($t:ident, $descr:expr, $words:expr, $expected:expr) => {
            Sample {
                dtype: stringify!($t),
                descr: $descr,
                words: $words,
                bytes: $words
                    .iter()
                    .flat_map(|word| word.parse::<$t>().unwrap().to_le_bytes())
                    .collect(),
                expected: $expected,
            }
        };
    }
    let signed = ["-7", "3", "100", "-20", "5"];
    let unsigned = ["7", "3", "100", "20", "5"];
    let floats = ["-0.5", "2e2", "100", "-8.25", "+.125"];
    vec![
        sample!(f32, "<f4", floats, [291.375, -8.25, 200.0]),
        sample!(f64, "<f8", floats, [291.375, -8.25, 200.0]),
        sample!(i32, "<i4", signed, [81.0, -20.0, 100.0]),
        sample!(u32, "<u4", unsigned, [135.0, 3.0, 100.0]),
        sample!(i64, "<i8", signed, [81.0, -20.0, 100.0]),
        sample!(u64, "<u8", unsigned, [135.0, 3.0, 100.0]),
    ]
}

#[track_caller]
fn assert_results(report: &Value, sample: &Sample, expected: f64, format: &str) {
    let context = format!("{} as {format}: {report}", sample.dtype);
    assert_eq!(report["n"], 5, "{context}");
    assert_eq!(report["dtype"], sample.dtype, "{context}");
    assert_eq!(report["bits_agree"], true, "{context}");
    for row in report["rows"].as_array().unwrap() {
        assert_eq!(row["value"].as_f64(), Some(expected), "{context}");
        assert_eq!(row["reference"].as_f64(), Some(expected), "{context}");
        assert_eq!(row["ok"], true, "{context}");
    }
}

#[test]
fn every_type_operator_and_format() {
    let files = Files::new();
    for sample in &samples() {
        let dtype = sample.dtype;
        let table = [sample.words[..].join(",") + "\n"].concat();
        let named = [
            ("a.npy", npy(sample.descr, false, "(5,)", &sample.bytes)),
            ("b.npy", npy(sample.descr, false, "(5, 1)", &sample.bytes)),
            ("a.bin", sample.bytes.clone()),
            ("a.raw", sample.bytes.clone()),
            ("a.csv", table.clone().into_bytes()),
            ("b.csv", sample.words.join("\r\n").into_bytes()),
            ("a.txt", format!("\u{feff}{}\n\n", sample.words.join("  ")).into_bytes()),
            ("without_extension", sample.words.join("\n").into_bytes()),
        ];
        for (name, bytes) in named {
            let path = files.write(name, &bytes);
            for (op, expected) in ["sum", "min", "max"].into_iter().zip(sample.expected) {
                let report = reduce(&["--input", &path, "--dtype", dtype, "--op", op]);
                assert_results(&report, sample, expected, name);
            }
            let arguments = ["reduce", "--json", "--input", "-", "--dtype", dtype];
            let output = wavewise_with_stdin(&arguments, &bytes);
            assert_results(
                &json(&output, 0),
                sample,
                sample.expected[0],
                &format!("{name} on stdin"),
            );
        }
    }
}

#[test]
fn a_npy_brings_its_type() {
    let files = Files::new();
    for sample in &samples() {
        let path = files.write("a.npy", npy(sample.descr, false, "(5,)", &sample.bytes));
        assert_results(&reduce(&["--input", &path]), sample, sample.expected[0], "npy");
    }
}

#[test]
fn versions_2_and_3_of_npy() {
    let files = Files::new();
    for version in [2, 3] {
        let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }\n";
        let length = u32::try_from(header.len()).unwrap().to_le_bytes();
        let bytes =
            [b"\x93NUMPY", &[version, 0][..], &length, header.as_bytes(), &f32_bytes(&[1.5, 2.0])]
                .concat();
        assert_eq!(reduce(&["--input", &files.write("a.npy", bytes)])["rows"][0]["value"], 3.5);
    }
}

#[test]
fn a_format_can_be_forced() {
    let files = Files::new();
    // "1234" is a number as text, and one f32 as raw bytes.
    let path = files.write("digits", "1234");
    assert_eq!(reduce(&["--input", &path])["rows"][0]["value"], 1234.0);
    let raw = reduce(&["--input", &path, "--format", "raw"]);
    assert_eq!(raw["rows"][0]["bits"], "0x34333231");
}

#[test]
fn no_elements_give_the_identity() {
    let files = Files::new();
    let identities = [
        ("<f4", "sum", "0x80000000"),
        ("<f8", "sum", "0x8000000000000000"),
        ("<i4", "sum", "0x00000000"),
        ("<i4", "min", "0x7fffffff"),
        ("<i4", "max", "0x80000000"),
        ("<u8", "min", "0xffffffffffffffff"),
        ("<u8", "max", "0x0000000000000000"),
    ];
    for (descr, op, bits) in identities {
        let path = files.write("none.npy", npy(descr, false, "(0,)", &[]));
        let report = reduce(&["--input", &path, "--op", op]);
        assert_eq!(report["n"], 0);
        for row in report["rows"].as_array().unwrap() {
            assert_eq!((&row["bits"], &row["ok"]), (&bits.into(), &true.into()), "{descr} {op}");
        }
    }
    for op in ["min", "max"] {
        let report = reduce(&["--random", "0", "--op", op]);
        assert_eq!(
            (&report["rows"][0]["value"], &report["rows"][0]["ok"]),
            (&"NaN".into(), &true.into())
        );
    }
    let table = wavewise(&["reduce", "--random", "0"]);
    assert!(
        String::from_utf8_lossy(&table.stdout)
            .contains("no elements: the value is the identity of sum over f32")
    );
}

#[test]
fn nan_where_it_is_allowed() {
    let files = Files::new();
    let path = files.write("nan.txt", "3\nNaN\n-2\n");
    for (op, value) in [("sum", Value::from("NaN")), ("min", (-2.0).into()), ("max", 3.0.into())] {
        let report = reduce(&["--input", &path, "--allow-nan", "--op", op]);
        assert_eq!(report["rows"][0]["value"], value, "{op}");
        assert_eq!(report["rows"][1]["ok"], true, "{op}");
    }
}

#[test]
fn infinities_and_overflow() {
    let files = Files::new();
    let value = |text: &str| {
        let report = reduce(&["--input", &files.write("a.txt", text)]);
        assert_eq!(report["rows"][0]["ok"], true);
        report["rows"][0]["value"].clone()
    };
    assert_eq!(value("1 inf 2"), "inf");
    assert_eq!(value("1 -inf 2"), "-inf");
    assert_eq!(value("inf -inf"), "NaN");
    assert_eq!(value("3e38 3e38"), "inf");
    let path = files.write("a.txt", "2147483647 1");
    assert_eq!(reduce(&["--input", &path, "--dtype", "i32"])["rows"][0]["value"], i32::MIN);
}
