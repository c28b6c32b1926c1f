//! Compiles the kernel for an NVIDIA and an AMD chip; the program embeds what comes out.

use wavewise_build::{AmdArch, Builder, Error, NvidiaArch, Target, Wave};

fn main() {
    if let Err(error) = build() {
        eprintln!("{error}");
        std::process::exit(1);
    }
}

fn build() -> Result<(), Error> {
    // PTX runs on its architecture and all newer ones: the driver compiles it for the device.
    let nvidia = Builder::new("kernels", Target::Nvidia(NvidiaArch::Sm80)).build()?;
    println!("cargo:rustc-env=KERNELS_PTX={}", nvidia.assembly.display());

    let amd = Builder::new("kernels", Target::Amd(AmdArch::Gfx942, Wave::Wave64)).build()?;
    let code_object = amd.code_object.expect("a build for AMD makes a code object");
    println!("cargo:rustc-env=KERNELS_HSACO={}", code_object.display());
    Ok(())
}
