//! Builds a kernel crate for the targets named and prints what each kernel takes:
//! `cargo run -p wavewise-build --example kernels -- FOLDER sm_90 gfx942 …`, or all targets where
//! none is named.

use std::error::Error;

use wavewise_build::{Builder, Target};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let krate = arguments.next().ok_or("which kernel crate?")?;
    let named = arguments.map(|name| name.parse()).collect::<Result<Vec<Target>, _>>()?;
    let targets = if named.is_empty() { Target::ALL.to_vec() } else { named };
    for target in targets {
        let built = Builder::new(&krate, target).build()?;
        println!("{target}: {}", built.assembly.display());
        for kernel in &built.kernels {
            println!(
                "    {}: {} registers, {} bytes shared",
                kernel.name, kernel.registers, kernel.shared_bytes
            );
        }
    }
    Ok(())
}
