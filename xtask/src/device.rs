//! `cargo xtask device`.

use std::path::Path;

use wavewise_build::{Builder, Target};

use crate::error::Error;
use crate::folder_of;

/// Builds the crate in `krate` for `targets`, or for all where there is none.
pub fn build(krate: &Path, targets: &[Target]) -> Result<(), Error> {
    let targets = if targets.is_empty() { &Target::ALL[..] } else { targets };
    for &target in targets {
        let built = Builder::new(krate, target).target_dir(folder_of(target)).build()?;
        let checked_by = built.checked_by.as_deref().unwrap_or("no assembler");
        println!("{target}: {}, checked by {checked_by}", built.assembly.display());
        if let Some(code_object) = &built.code_object {
            println!("    {}", code_object.display());
        }
        for kernel in &built.kernels {
            println!(
                "    {}: {} registers, {} bytes shared",
                kernel.name, kernel.registers, kernel.shared_bytes
            );
        }
    }
    Ok(())
}
