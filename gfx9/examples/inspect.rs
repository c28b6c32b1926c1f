//! What a code object holds: its kernels, and the instructions that the interpreter does not run.

use wavewise_gfx9::{CodeObject, isa};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for path in std::env::args().skip(1) {
        let object = CodeObject::load(&std::fs::read(&path)?)?;
        let mut wave = 64;
        println!("{path}: {}", object.arch().name());
        for k in object.kernels() {
            wave = k.wave_size;
            let args: Vec<String> =
                k.arguments.iter().map(|a| format!("{}@{}:{}", a.kind, a.offset, a.size)).collect();
            println!(
                "  {}: {} VGPRs, {} SGPRs, {} bytes of LDS, {} of scratch, waves of {}: {}",
                k.name,
                k.vgprs,
                k.sgprs,
                k.lds,
                k.scratch,
                k.wave_size,
                args.join(" ")
            );
        }
        let missing = isa::not_executable(object.arch());
        for (address, bytes, text) in object.disassemble(wave) {
            match text {
                Ok(t)
                    if missing.iter().any(|(_, n)| {
                        t.split([' ', ',']).next().is_some_and(|m| {
                            m.trim_end_matches("_e32").trim_end_matches("_e64") == *n
                        })
                    }) =>
                {
                    println!("  {address:#x}: not run: {t}");
                }
                Ok(_) => {}
                Err(e) => println!("  {e} ({bytes:02x?})"),
            }
        }
    }
    Ok(())
}
