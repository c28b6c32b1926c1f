//! Every check: a kernel with the fault is reported, the same kernel without it is not.

use wavewise_gfx9::{Arch, Check, Device, Error, Launch, Outcome};

fn object(name: &str) -> Vec<u8> {
    let path = format!("{}/tests/objects/{name}.hsaco", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(&path).unwrap_or_else(|e| panic!("{path}: {e}; tests/objects/build.sh makes it"))
}

fn run(kernel: &str) -> Result<Outcome, Error> {
    let mut device = Device::new(Arch::Gfx942);
    let module = device.load(&object("checks.gfx942")).unwrap();
    let buffer = device.upload(&[0; 1024]);
    device.launch(module, kernel, &mut Launch::new([1, 1, 1], [128, 1, 1], &buffer.to_le_bytes()))
}

fn kinds(kernel: &str) -> Vec<Check> {
    let mut k: Vec<Check> = run(kernel).unwrap().findings.iter().map(|f| f.check).collect();
    k.sort();
    k.dedup();
    k
}

fn bites(kernel: &str, check: Check) {
    assert_eq!(kinds(kernel), [check], "{kernel}");
    assert_eq!(
        kinds(&format!("{kernel}_ok")),
        [],
        "{kernel}_ok: {:?}",
        run(&format!("{kernel}_ok")).unwrap().findings
    );
}

#[test]
fn never_written() {
    bites("unwritten_vgpr", Check::Unwritten);
    bites("unwritten_sgpr", Check::Unwritten);
    bites("unwritten_lds", Check::Unwritten);
}

#[test]
fn out_of_bounds() {
    bites("lds_outside", Check::OutOfBounds);
    match run("store_outside") {
        Err(Error::OutOfBounds {
            what: "writes",
            bytes: 4,
            target: 0x7fff_0000_0000,
            lane: 0,
            ..
        }) => {}
        other => panic!("{other:?}"),
    }
}

#[test]
fn lanes_that_are_off() {
    bites("inactive_dpp", Check::InactiveLane);
    bites("inactive_readlane", Check::InactiveLane);
    bites("inactive_bpermute", Check::InactiveLane);
}

#[test]
fn wait_counts() {
    bites("missing_vmcnt", Check::MissingWait);
    bites("short_vmcnt", Check::MissingWait);
    bites("missing_lgkmcnt", Check::MissingWait);
}

#[test]
fn hazards() {
    bites("dpp_hazard", Check::Hazard);
    bites("exec_hazard", Check::Hazard);
    bites("lane_select_hazard", Check::Hazard);
    bites("vmem_sgpr_hazard", Check::Hazard);
}

#[test]
fn races_in_lds() {
    // Without a barrier the first wave reads what the second has not yet written.
    assert_eq!(kinds("race"), [Check::Unwritten, Check::LdsRace]);
    assert_eq!(kinds("bare_barrier"), [Check::LdsRace]);
    assert_eq!(kinds("race_ok"), []);
    bites("write_after_read", Check::LdsRace);
}

#[test]
fn barriers() {
    assert_eq!(kinds("divergent_barrier"), [Check::BarrierDivergence]);
    bites("lonely_barrier", Check::BarrierDivergence);
}

#[test]
fn row_broadcast_does_not_exist_on_rdna() {
    let mut device = Device::new(Arch::Gfx1100);
    let module = device.load(&object("dpp.gfx1100")).unwrap();
    let mut run = |kernel: &str| {
        device.launch(module, kernel, &mut Launch::new([1, 1, 1], [32, 1, 1], &[0; 8]))
    };
    assert!(run("row_share").unwrap().findings.is_empty());
    assert!(matches!(run("row_bcast"), Err(Error::UnknownInstruction { arch: Arch::Gfx1100, .. })));
}

#[test]
fn ballots_have_64_bits() {
    let mut device = Device::new(Arch::Gfx942);
    let module = device.load(&object("checks.gfx942")).unwrap();
    let buffer = device.upload(&[0; 8]);
    device
        .launch(module, "ballot64", &mut Launch::new([1, 1, 1], [64, 1, 1], &buffer.to_le_bytes()))
        .unwrap();
    let mut out = [0; 8];
    device.read(buffer, &mut out).unwrap();
    assert_eq!(out, [0xff; 8]);
}

#[test]
fn bad_objects_are_refused() {
    let good = object("checks.gfx942");
    let mut device = Device::new(Arch::Gfx1100);
    assert!(matches!(device.load(&good), Err(Error::ArchMismatch { .. })));
    let mut device = Device::new(Arch::Gfx942);
    // Every truncation and a byte changed in every header place: an error or an object, never a panic.
    for n in (0..good.len()).step_by(7) {
        let _ = device.load(&good[..n]);
    }
    for n in 0..1024 {
        let mut bad = good.clone();
        bad[n] ^= 0xff;
        let _ = device.load(&bad);
    }
    let module = device.load(&good).unwrap();
    assert!(matches!(device.kernel(module, "nothing"), Err(Error::NoKernel { .. })));
    for (grid, block) in
        [([1, 1, 1], [0, 1, 1]), ([1, 1, 1], [2048, 1, 1]), ([0, 1, 1], [64, 1, 1])]
    {
        assert!(matches!(
            device.launch(module, "race", &mut Launch::new(grid, block, &[0; 8])),
            Err(Error::BadLaunch { .. })
        ));
    }
}
