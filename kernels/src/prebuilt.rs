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

static PTX: [Module; 4] = modules! {
    "sm_70" 32 "ptx",
    "sm_80" 32 "ptx",
    "sm_90" 32 "ptx",
    "sm_100" 32 "ptx",
};

static CODE_OBJECTS: [Module; 7] = modules! {
    "gfx90a" 64 "hsaco",
    "gfx942" 64 "hsaco",
    "gfx950" 64 "hsaco",
    "gfx1100-wave32" 32 "hsaco",
    "gfx1100-wave64" 64 "hsaco",
    "gfx1200-wave32" 32 "hsaco",
    "gfx1200-wave64" 64 "hsaco",
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_that_runs_is_chosen() {
        let best = |major, minor| best_ptx((major, minor)).map(|module| module.target);
        assert_eq!(best(6, 1), None);
        assert_eq!(best(7, 0), Some("sm_70"));
        assert_eq!(best(7, 5), Some("sm_70"));
        assert_eq!(best(8, 0), Some("sm_80"));
        assert_eq!(best(8, 9), Some("sm_80"));
        assert_eq!(best(9, 0), Some("sm_90"));
        assert_eq!(best(10, 0), Some("sm_100"));
        assert_eq!(best(12, 1), Some("sm_100"));
    }

    #[test]
    fn modules_are_for_their_targets() {
        for module in ptx() {
            let text = core::str::from_utf8(module.code).unwrap();
            let target = text.lines().find_map(|line| line.strip_prefix(".target ")).unwrap();
            assert_eq!(target.trim(), module.target);
        }
        for module in code_objects() {
            assert!(module.code.starts_with(b"\x7fELF"), "{}", module.target);
            let chip = module.target.split('-').next().unwrap();
            let note = std::format!("amdgcn-amd-amdhsa--{chip}");
            assert!(contains(module.code, note.as_bytes()), "{note}");
        }
    }

    #[test]
    fn every_module_has_every_kernel() {
        for module in ptx().iter().chain(code_objects()) {
            for kernel in ["butterfly", "shuffle_down", "starter_16", "starter_lost_waves"] {
                for operator in ["sum", "min", "max"] {
                    for scalar in ["f32", "f64", "i32", "u32", "i64", "u64"] {
                        let name = std::format!("{kernel}_{operator}_{scalar}");
                        assert!(contains(module.code, name.as_bytes()), "{name} {}", module.target);
                    }
                }
            }
        }
    }

    fn contains(bytes: &[u8], part: &[u8]) -> bool {
        bytes.windows(part.len()).any(|window| window == part)
    }
}
