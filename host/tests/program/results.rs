//! What the program says of right and wrong kernels.

use super::*;

fn rows(report: &Value) -> &Vec<Value> {
    report["rows"].as_array().expect("rows")
}

/// The rows of one backend.
fn rows_of<'r>(report: &'r Value, backend: &str) -> Vec<&'r Value> {
    rows(report).iter().filter(|row| row["backend"] == backend).collect()
}

#[test]
fn the_main_job() {
    let report = reduce(&["--random", "1000003"]);
    assert_eq!(
        (&report["n"], &report["dtype"], &report["op"]),
        (&1_000_003.into(), &"f32".into(), &"sum".into())
    );
    assert!(report["seed"].is_u64());
    assert_eq!(report["bits_agree"], true);
    assert_eq!(
        rows_of(&report, "sim").iter().map(|row| row["width"].as_u64()).collect::<Vec<_>>(),
        [Some(32), Some(64)]
    );
    assert_eq!(rows(&report)[0]["bits"], rows(&report)[1]["bits"]);
    assert!(!rows_of(&report, "gfx9").is_empty());
    for row in rows(&report) {
        let number = |field: &str| row[field].as_f64().unwrap_or_else(|| panic!("{field}: {row}"));
        assert_eq!((&row["kernel"], &row["ok"]), (&"butterfly".into(), &true.into()));
        assert!(row["device"].is_string() && number("seconds") > 0.0);
        let bits = row["bits"].as_str().unwrap().strip_prefix("0x").unwrap();
        let value = f32::from_bits(u32::from_str_radix(bits, 16).unwrap());
        assert_eq!(number("value"), f64::from(value));
        let difference = number("value") - number("reference");
        assert!(difference.abs() <= number("bound"));
        assert!(
            (number("ratio") - 1.0).abs() < 1e-5
                && number("ratio") == number("value") / number("reference")
        );
        assert!(row["fault"].is_null() && row["error"].is_null());
    }
}

#[test]
fn a_seed_gives_its_values_again() {
    let bits =
        |seed: &str| reduce(&["--random", "5000", "--seed", seed])["rows"][0]["bits"].clone();
    assert_eq!(bits("7"), bits("7"));
    assert_ne!(bits("7"), bits("8"));
    assert_eq!(reduce(&["--random", "5000", "--seed", "7"])["seed"], 7);
}

#[test]
fn random_values_of_every_type_and_kernel() {
    for dtype in ["f32", "f64", "i32", "u32", "i64", "u64"] {
        for op in ["sum", "min", "max"] {
            for kernel in ["butterfly", "shuffle-down"] {
                let report = reduce(&[
                    "--random", "70001", "--dtype", dtype, "--op", op, "--kernel", kernel,
                ]);
                assert_eq!(report["bits_agree"], true, "{report}");
            }
        }
    }
}

#[test]
fn one_width_is_one_row() {
    let report = reduce(&["--random", "100", "--width", "64", "--backend", "sim"]);
    assert_eq!(rows(&report).len(), 1);
    assert_eq!(rows(&report)[0]["width"], 64);
    assert!(report["bits_agree"].is_null());
}

#[test]
fn the_ladder_from_16_is_right_on_32_lanes_and_half_on_64() {
    for dtype in ["f32", "f64", "u32", "i64"] {
        let job =
            ["reduce", "--json", "--random", "1000003", "--kernel", "starter-16", "--dtype", dtype];
        let right = json(&wavewise(&[&job[..], &["--width", "32"]].concat()), 0);
        assert_eq!(rows(&right)[0]["ok"], true);
        let wrong = json(&wavewise(&[&job[..], &["--width", "64"]].concat()), 1);
        let row = &rows(&wrong)[0];
        assert_eq!((&row["ok"], &row["ratio"]), (&false.into(), &0.5.into()));
        assert_eq!(
            (&row["fault"]["name"], &row["fault"]["ratio"]),
            (&"half-wave".into(), &0.5.into())
        );
        let both = json(&wavewise(&job), 1);
        assert_eq!(both["bits_agree"], false);
    }
}

#[test]
fn lost_waves_show_as_one_wave_of_all() {
    for n in ["1000", "1000003"] {
        let output =
            wavewise(&["reduce", "--json", "--random", n, "--kernel", "starter-lost-waves"]);
        let report = json(&output, 1);
        assert!(rows_of(&report, "gfx9").iter().any(|row| row["width"] == 64));
        for row in rows(&report) {
            let waves = 256.0 / row["width"].as_f64().expect("a width");
            assert_eq!(row["ratio"], 1.0 / waves, "{row}");
        }
        assert!(rows(&report).iter().all(|row| row["fault"]["name"] == "lost-waves"));
    }
}

#[test]
fn the_table_names_the_fault() {
    let output = wavewise(&["reduce", "--random", "5000", "--kernel", "starter-16"]);
    let table = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        table.contains("WRONG") && table.contains("half of each wave of 64 lanes is lost"),
        "{table}"
    );
    assert!(table.contains("bits agree across rows: no"));
}

#[test]
fn the_table_of_a_right_kernel() {
    let output = wavewise(&["reduce", "--random", "5000"]);
    let table = String::from_utf8_lossy(&output.stdout);
    assert_eq!((output.status.code(), &output.stderr[..]), (Some(0), &b""[..]));
    for column in ["value", "reference", "bound", "difference", "ok", "bits agree across rows: yes"]
    {
        assert!(table.contains(column), "{column} is not in {table}");
    }
}

#[test]
fn the_interpreter_is_among_all_up_to_2_to_the_20() {
    let backends = |n: &str| {
        let report = reduce(&["--random", n, "--dtype", "u32"]);
        rows(&report).iter().any(|row| row["backend"] == "gfx9")
    };
    assert!(backends("1048576") && !backends("1048577"));
    let report = reduce(&["--random", "1048577", "--backend", "gfx9", "--width", "64"]);
    for row in rows(&report) {
        let device = row["device"].as_str().unwrap();
        assert!(device.starts_with("ISA interpreter (gfx") && device.ends_with("not a GPU"));
    }
}

#[test]
fn devices() {
    let listed = json(&wavewise(&["devices", "--json"]), 0);
    let device = &listed["devices"][0];
    assert_eq!(
        (&device["backend"], &device["widths"]),
        (&"sim".into(), &serde_json::json!([32, 64]))
    );
    let table = wavewise(&["devices"]);
    assert!(table.status.success() && String::from_utf8_lossy(&table.stdout).contains("sim"));
}

#[test]
fn help_names_the_formats_and_the_exit_status() {
    let output = wavewise(&["reduce", "--help"]);
    let help = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success());
    for part in [
        "\\x93NUMPY",
        "little-endian",
        "ChaCha8",
        "Exit status",
        "starter-lost-waves",
        "gfx9",
        "1048576",
    ] {
        assert!(help.contains(part), "{part} is not in {help}");
    }
}
