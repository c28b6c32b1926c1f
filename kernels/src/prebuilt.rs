//! The entry points (`entries`) compiled for every target: what a host loads, with no
//! compiler but stable Rust's.
//!
//! The files are those of `kernels/prebuilt/`, whose `manifest.json` says which compiler made them,
//! by which flags, and what each kernel takes of a chip; `cargo xtask prebuilt` makes them anew.

/// The kernels, compiled for one target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Module {
    /// The chip, with the width after it where it has two: `sm_90`, `gfx942`, `gfx1100-wave32`.
    pub target: &'static str,
    /// The lanes of a hardware wave that the kernels are compiled for.
    pub width: u32,
    /// What a runtime loads: the text of PTX, without a zero byte at its end, or a linked AMD code
    /// object.
    pub code: &'static [u8],
}

/// The PTX modules, oldest architecture first.
#[must_use]
pub fn ptx() -> &'static [Module] {
    &PTX
}

/// The AMD code objects; each runs on its own chip alone.
#[must_use]
pub fn code_objects() -> &'static [Module] {
    &CODE_OBJECTS
}

/// The module for the newest architecture that an NVIDIA device of this compute capability,
/// `(major, minor)`, can run; `None` where the device is older than all.
#[must_use]
pub fn best_ptx(compute_capability: (u32, u32)) -> Option<&'static Module> {
    PTX.iter().rev().find(|module| architecture(module.target) <= Some(compute_capability))
}

/// The compute capability in a name: `sm_90` is 9.0.
fn architecture(target: &str) -> Option<(u32, u32)> {
    let number: u32 = target.strip_prefix("sm_")?.parse().ok()?;
    Some((number / 10, number % 10))
}

macro_rules! modules {
    ($($target:literal $width:literal $extension:literal,)*) => {
        [$(Module {
            target: $target,
            width: $width,
            code: include_bytes!(concat!("../prebuilt/", $target, ".", $extension)),
        },)*]
    };
}

static PTX: [Module; 3] = modules! {
    "sm_70" 32 "ptx",
    "sm_80" 32 "ptx",
    "sm_90" 32 "ptx",
};

static CODE_OBJECTS: [Module; 1] = modules! {
    "gfx942" 64 "hsaco",
};
