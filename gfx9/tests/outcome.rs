//! Counts, the trace, and how a launch that cannot end well ends.

use wavewise_gfx9::{Arch, Device, Error, Launch, Outcome, Step};

type Trace<'t> = Option<&'t mut dyn FnMut(&Step<'_>)>;

fn with(kernel: &str, limit: u64, trace: Trace<'_>) -> Result<Outcome, Error> {
    let path = format!("{}/tests/objects/checks.gfx942.hsaco", env!("CARGO_MANIFEST_DIR"));
    let mut device = Device::new(Arch::Gfx942);
    let module = device.load(&std::fs::read(path).unwrap())?;
    let buffer = device.upload(&[0; 8192]).to_le_bytes();
    let mut launch = Launch::new([1, 1, 1], [64, 1, 1], &buffer);
    launch.instruction_limit = limit;
    if let Some(t) = trace {
        launch.trace = Some(t);
    }
    device.launch(module, kernel, &mut launch)
}

fn run(kernel: &str) -> Result<Outcome, Error> {
    with(kernel, 10_000, None)
}

#[test]
fn counts_are_those_of_the_source() {
    let o = run("counted").unwrap();
    let c = o.counts;
    assert!(o.findings.is_empty(), "{:?}", o.findings);
    assert_eq!(
        (c.instructions, c.vector, c.scalar, c.scalar_memory, c.lds, c.global),
        (11, 3, 0, 1, 1, 2)
    );
    assert_eq!((c.waits, c.barriers, c.cross_lane, c.atomics, c.scratch), (2, 1, 0, 0, 0));
    // Words 32 apart lie in one bank: 32 lanes a pass, each pass takes 32. Then 64 words in 2 lines, and 64 lines of a word each.
    assert_eq!((c.bank_conflicts, c.lines), (62, 66));
}

#[test]
fn the_trace_shows_every_instruction() {
    let mut lines = Vec::new();
    let mut note = |s: &Step<'_>| {
        let value = s.result.map_or(String::new(), |r| format!(" -> {}", r[3]));
        lines.push(format!("{}{value}", s.text));
    };
    with("counted", 10_000, Some(&mut note)).unwrap();
    assert_eq!(lines.len(), 11);
    assert_eq!(lines[1], "v_lshlrev_b32_e32 v1, 2, v0 -> 12");
    assert_eq!(lines[10], "s_endpgm");
}

#[test]
fn a_loop_without_end_is_stopped() {
    assert!(matches!(run("forever"), Err(Error::NoProgress { .. })));
}

#[test]
fn traps_and_unknown_instructions_say_where_and_what() {
    assert!(matches!(run("trap"), Err(Error::Trapped { id: 2, wave: 0, lanes: u64::MAX, .. })));
    let Err(e) = run("matrix") else { panic!("matrix operations are not run") };
    let text = e.to_string();
    assert!(
        text.contains("v_mfma_f32_4x4x1_16b_f32")
            && text.contains("bytes")
            && text.starts_with("0x"),
        "{text}"
    );
}
