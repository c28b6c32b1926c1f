//! [`Target`]: the chips that kernels are built for.

use std::fmt;
use std::str::FromStr;

/// An NVIDIA architecture. PTX for one runs on it and all newer ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum NvidiaArch {
    /// Volta.
    Sm70,
    /// Ampere: `redux.sync`.
    Sm80,
    /// Hopper.
    Sm90,
    /// Blackwell.
    Sm100,
}

/// An AMD architecture. A code object runs on that chip alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum AmdArch {
    /// Instinct MI200 (CDNA 2).
    Gfx90a,
    /// Instinct MI300 (CDNA 3).
    Gfx942,
    /// Instinct MI350 (CDNA 4).
    Gfx950,
    /// Radeon RX 7900 (RDNA 3).
    Gfx1100,
    /// Radeon RX 9060 (RDNA 4).
    Gfx1200,
}

/// The lanes of a hardware wave on AMD.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Wave {
    /// 32 lanes, RDNA only.
    Wave32,
    /// 64 lanes.
    Wave64,
}

/// A chip, and the width of its waves.
///
/// Its text form is rustc's name of the chip, with the width after it where there are two:
/// `sm_90`, `gfx942`, `gfx1100-wave32`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Target {
    /// NVIDIA; waves of 32 lanes.
    Nvidia(NvidiaArch),
    /// AMD's CDNA, waves of 64 lanes, or RDNA, either width.
    Amd(AmdArch, Wave),
}

impl NvidiaArch {
    /// rustc's name: `sm_90`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sm70 => "sm_70",
            Self::Sm80 => "sm_80",
            Self::Sm90 => "sm_90",
            Self::Sm100 => "sm_100",
        }
    }
}

impl AmdArch {
    /// rustc's name: `gfx942`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gfx90a => "gfx90a",
            Self::Gfx942 => "gfx942",
            Self::Gfx950 => "gfx950",
            Self::Gfx1100 => "gfx1100",
            Self::Gfx1200 => "gfx1200",
        }
    }

    /// Whether waves may have 32 lanes.
    #[must_use]
    pub const fn has_wave32(self) -> bool {
        matches!(self, Self::Gfx1100 | Self::Gfx1200)
    }
}

impl Wave {
    /// 32 or 64.
    #[must_use]
    pub const fn lanes(self) -> u32 {
        match self {
            Self::Wave32 => 32,
            Self::Wave64 => 64,
        }
    }
}

impl Target {
    /// Every target.
    pub const ALL: [Self; 11] = [
        Self::Nvidia(NvidiaArch::Sm70),
        Self::Nvidia(NvidiaArch::Sm80),
        Self::Nvidia(NvidiaArch::Sm90),
        Self::Nvidia(NvidiaArch::Sm100),
        Self::Amd(AmdArch::Gfx90a, Wave::Wave64),
        Self::Amd(AmdArch::Gfx942, Wave::Wave64),
        Self::Amd(AmdArch::Gfx950, Wave::Wave64),
        Self::Amd(AmdArch::Gfx1100, Wave::Wave32),
        Self::Amd(AmdArch::Gfx1100, Wave::Wave64),
        Self::Amd(AmdArch::Gfx1200, Wave::Wave32),
        Self::Amd(AmdArch::Gfx1200, Wave::Wave64),
    ];

    /// rustc's name of the chip: `sm_90`, `gfx942`.
    #[must_use]
    pub const fn arch(self) -> &'static str {
        match self {
            Self::Nvidia(arch) => arch.name(),
            Self::Amd(arch, _) => arch.name(),
        }
    }

    /// rustc's name of the platform.
    #[must_use]
    pub const fn triple(self) -> &'static str {
        match self {
            Self::Nvidia(_) => "nvptx64-nvidia-cuda",
            Self::Amd(..) => "amdgcn-amd-amdhsa",
        }
    }

    /// The lanes of a hardware wave.
    #[must_use]
    pub const fn wave(self) -> Wave {
        match self {
            Self::Nvidia(_) => Wave::Wave32,
            Self::Amd(_, wave) => wave,
        }
    }

    /// The features to turn on over those of the chip, as `-Ctarget-feature` and `-mattr` have
    /// them; empty where the chip's own are right.
    pub(crate) const fn features(self) -> &'static str {
        match self {
            // The oldest version of PTX that has all instructions used, `nanosleep` the newest.
            Self::Nvidia(NvidiaArch::Sm70) => "+ptx63",
            Self::Amd(arch, Wave::Wave64) if arch.has_wave32() => {
                "-wavefrontsize32,+wavefrontsize64"
            }
            _ => "",
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Amd(arch, wave) if arch.has_wave32() => {
                f.pad(&format!("{}-wave{}", arch.name(), wave.lanes()))
            }
            _ => f.pad(self.arch()),
        }
    }
}

/// A name that no target has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{name}` is no target: expected one of {}", known())]
pub struct ParseTargetError {
    name: String,
}

fn known() -> String {
    Target::ALL.map(|target| target.to_string()).join(", ")
}

impl FromStr for Target {
    type Err = ParseTargetError;

    fn from_str(name: &str) -> Result<Self, ParseTargetError> {
        Self::ALL
            .into_iter()
            .find(|target| target.to_string() == name)
            .ok_or_else(|| ParseTargetError { name: name.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for target in Target::ALL {
            assert_eq!(target.to_string().parse(), Ok(target));
        }
        let error = "gfx906".parse::<Target>().unwrap_err().to_string();
        assert!(error.contains("gfx906") && error.contains("gfx1100-wave64"), "{error}");
    }

    #[test]
    fn a_width_is_named_where_there_are_two() {
        assert_eq!(Target::Amd(AmdArch::Gfx942, Wave::Wave64).to_string(), "gfx942");
        assert_eq!(Target::Amd(AmdArch::Gfx1200, Wave::Wave32).to_string(), "gfx1200-wave32");
    }
}
