//! How many wave instructions a second the interpreter runs on one core: `cargo run --release -p wavewise-gfx9 --example speed`.

use std::time::Instant;

use wavewise_gfx9::{Arch, Device, Launch};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for (arch, wave) in [(Arch::Gfx942, 64), (Arch::Gfx1100, 32), (Arch::Gfx1200, 32)] {
        for kernel in ["reduce", "arithmetic"] {
            for checks in [true, false] {
                let path = format!(
                    "{}/tests/objects/{kernel}.{}.w{wave}.hsaco",
                    env!("CARGO_MANIFEST_DIR"),
                    arch.name()
                );
                let mut device = Device::new(arch);
                device.set_checks(checks);
                let module = device.load(&std::fs::read(path)?)?;
                let (groups, block) = (2000u32, 256u32);
                let input = device.upload(&vec![0; 4 * (groups * block) as usize]);
                let output = device.allocate(4 * (groups * block) as u64);
                let mut args = Vec::new();
                args.extend(input.to_le_bytes());
                args.extend(output.to_le_bytes());
                args.extend((groups * block).to_le_bytes());
                let start = Instant::now();
                let outcome = device.launch(
                    module,
                    kernel,
                    &mut Launch::new([groups, 1, 1], [block, 1, 1], &args),
                )?;
                let seconds = start.elapsed().as_secs_f64();
                let n = outcome.counts.instructions;
                println!(
                    "{} {kernel:10} checks {checks:5}: {n} wave instructions in {seconds:.2} s, {:.1} million a second",
                    arch.name(),
                    n as f64 / seconds / 1e6
                );
            }
        }
    }
    Ok(())
}
