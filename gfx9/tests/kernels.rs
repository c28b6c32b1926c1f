//! Whole kernels, compiled by LLVM, against results computed on the host.

use wavewise_gfx9::{Arch, Device, Launch};

const TARGETS: [(Arch, u32); 6] = [
    (Arch::Gfx90a, 64),
    (Arch::Gfx942, 64),
    (Arch::Gfx1100, 32),
    (Arch::Gfx1100, 64),
    (Arch::Gfx1200, 32),
    (Arch::Gfx1200, 64),
];

fn object(name: &str, arch: Arch, wave: u32) -> Vec<u8> {
    let path = format!(
        "{}/tests/objects/{name}.{}.w{wave}.hsaco",
        env!("CARGO_MANIFEST_DIR"),
        arch.name()
    );
    std::fs::read(&path).unwrap_or_else(|e| panic!("{path}: {e}; tests/objects/build.sh makes it"))
}

fn bytes(v: &[f32]) -> Vec<u8> {
    v.iter().flat_map(|x| x.to_le_bytes()).collect()
}

/// The tree that the kernel makes: XOR strides upward in a wave, then wave by wave.
fn expected(v: &[f32], wave: usize) -> f32 {
    let mut total = 0.0;
    for w in v.chunks(wave) {
        let mut w = w.to_vec();
        w.resize(wave, 0.0);
        let mut stride = 1;
        while stride < wave {
            w = (0..wave).map(|l| w[l] + w[l ^ stride]).collect();
            stride *= 2;
        }
        total += w[0];
    }
    total
}

#[test]
fn reduce_on_every_target() {
    for (arch, wave) in TARGETS {
        // On gfx1100 in wave64 `ds_bpermute` does not cross the halves: the kernel's last step adds the own half again.
        let crosses = !(arch == Arch::Gfx1100 && wave == 64);
        for (groups, block, n) in [(1u32, 64u32, 64u32), (3, 256, 700), (2, 1024, 2048)] {
            let mut device = Device::new(arch);
            let module = device.load(&object("reduce", arch, wave)).unwrap();
            let input: Vec<f32> = (0..n).map(|k| (k as f32 * 0.37).sin()).collect();
            let (src, dst) = (device.upload(&bytes(&input)), device.allocate(4 * groups as u64));
            let mut args = Vec::new();
            args.extend(src.to_le_bytes());
            args.extend(dst.to_le_bytes());
            args.extend(n.to_le_bytes());
            let outcome = device
                .launch(module, "reduce", &mut Launch::new([groups, 1, 1], [block, 1, 1], &args))
                .unwrap();
            for f in &outcome.findings {
                println!("{} wave{wave}: {f}", arch.name());
            }
            let mut out = vec![0; 4 * groups as usize];
            device.read(dst, &mut out).unwrap();
            for g in 0..groups as usize {
                let got = f32::from_le_bytes(out[4 * g..4 * g + 4].try_into().unwrap());
                let mut part: Vec<f32> =
                    input.iter().copied().skip(g * block as usize).take(block as usize).collect();
                part.resize(block as usize, 0.0);
                let want = if crosses {
                    expected(&part, wave as usize)
                } else {
                    part.chunks(64).map(|w| 2.0 * expected(&w[..32], 32)).sum()
                };
                assert_eq!(
                    got.to_bits(),
                    want.to_bits(),
                    "{} wave{wave} group {g}: {got} {want}",
                    arch.name()
                );
            }
            assert!(outcome.findings.is_empty(), "{} wave{wave}", arch.name());
            assert!(
                outcome.counts.cross_lane > 0
                    && outcome.counts.barriers > 0
                    && outcome.counts.lds > 0
            );
        }
    }
}

#[test]
fn hip_histogram_with_dynamic_lds_and_implicit_arguments() {
    for (arch, wave) in TARGETS {
        let mut device = Device::new(arch);
        let module = device.load(&object("histogram", arch, wave)).unwrap();
        let (n, bins) = (5000u32, 37u32);
        let values: Vec<u32> = (0..n).map(|k| k.wrapping_mul(2_654_435_761) >> 7).collect();
        let src = device.upload(&values.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<_>>());
        let dst = device.upload(&vec![0; 4 * bins as usize]);
        let mean = device.allocate(8 * 64);
        let mut args = Vec::new();
        args.extend(src.to_le_bytes());
        args.extend((n as u64).to_le_bytes());
        args.extend(dst.to_le_bytes());
        args.extend((bins as u64).to_le_bytes());
        args.extend(mean.to_le_bytes());
        let mut launch = Launch::new([3, 1, 1], [192, 1, 1], &args);
        launch.dynamic_lds = 4 * bins;
        let outcome = device.launch(module, "histogram", &mut launch).unwrap();
        for f in &outcome.findings {
            println!("{} wave{wave}: {f}", arch.name());
        }
        assert!(outcome.findings.is_empty());
        let mut want = vec![0u32; bins as usize];
        for v in &values {
            want[(v % bins) as usize] += 1;
        }
        let mut out = vec![0; 4 * bins as usize];
        device.read(dst, &mut out).unwrap();
        let got: Vec<u32> =
            out.chunks(4).map(|c| u32::from_le_bytes(c.try_into().unwrap())).collect();
        assert_eq!(got, want, "{} wave{wave}", arch.name());
        let mut out = [0; 512];
        device.read(mean, &mut out).unwrap();
        for (t, c) in out.chunks(8).enumerate() {
            let v = values[t];
            let want = v as f64 / (t as f64 + 3.0) + (v as f32 / (t as f32 + 7.0)) as f64;
            assert_eq!(
                f64::from_le_bytes(c.try_into().unwrap()),
                want,
                "{} wave{wave} lane {t}",
                arch.name()
            );
        }
        // One word of LDS less than the kernel uses is noticed.
        launch.dynamic_lds -= 4;
        let outcome = device.launch(module, "histogram", &mut launch).unwrap();
        assert!(outcome.findings.iter().any(|f| f.check == wavewise_gfx9::Check::OutOfBounds));
    }
}

#[test]
fn arithmetic_of_all_types_agrees_with_the_cpu() {
    const OUTPUTS: usize = 96;
    let path = format!("{}/tests/objects/operations.expected", env!("CARGO_MANIFEST_DIR"));
    let words = |b: &[u8]| -> Vec<u32> {
        b.chunks(4).map(|c| u32::from_le_bytes(c.try_into().unwrap())).collect()
    };
    let want = words(&std::fs::read(path).unwrap());
    let input = |i: u32, salt: u32| {
        i.wrapping_mul(2_654_435_761).wrapping_add(salt)
            ^ (i.wrapping_add(salt).wrapping_mul(40503) << 7)
    };
    for (arch, wave) in TARGETS {
        let mut device = Device::new(arch);
        let module = device.load(&object("operations", arch, wave)).unwrap();
        let upload = |d: &mut Device, f: &dyn Fn(u32) -> u32| {
            d.upload(&(0..256).flat_map(|i| f(i).to_le_bytes()).collect::<Vec<_>>())
        };
        let x = upload(&mut device, &|i| input(i, 1) >> (i & 31));
        let y = upload(&mut device, &|i| input(i, 2));
        let out = device.allocate(256 * 4 * OUTPUTS as u64);
        let args: Vec<u8> = [x, y, out].iter().flat_map(|p| p.to_le_bytes()).collect();
        let outcome = device
            .launch(module, "operations", &mut Launch::new([2, 1, 1], [128, 1, 1], &args))
            .unwrap();
        for f in &outcome.findings {
            println!("{} wave{wave}: {f}", arch.name());
        }
        let mut got = vec![0; 256 * 4 * OUTPUTS];
        device.read(out, &mut got).unwrap();
        let got = words(&got);
        let wrong: std::collections::BTreeMap<usize, (usize, u32, u32)> = (0..got.len())
            .rev()
            .filter(|&k| got[k] != want[k])
            .map(|k| (k % OUTPUTS, (k / OUTPUTS, got[k], want[k])))
            .collect();
        assert!(
            wrong.is_empty(),
            "{} wave{wave}: output: (lane, got, want): {wrong:x?}",
            arch.name()
        );
        assert!(outcome.findings.is_empty());
    }
}
