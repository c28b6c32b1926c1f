//! The architectures the interpreter knows, and where they differ.

use crate::Error;

/// A GPU architecture, as LLVM's `-mcpu` names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arch {
    /// CDNA 2 (Instinct MI200).
    Gfx90a,
    /// CDNA 3 (Instinct MI300).
    Gfx942,
    /// RDNA 3 (Navi 31).
    Gfx1100,
    /// RDNA 4 (Navi 44).
    Gfx1200,
}

impl Arch {
    /// Every architecture.
    pub const ALL: [Arch; 4] = [Arch::Gfx90a, Arch::Gfx942, Arch::Gfx1100, Arch::Gfx1200];

    /// LLVM's name, for example `gfx942`.
    pub fn name(self) -> &'static str {
        match self {
            Arch::Gfx90a => "gfx90a",
            Arch::Gfx942 => "gfx942",
            Arch::Gfx1100 => "gfx1100",
            Arch::Gfx1200 => "gfx1200",
        }
    }

    /// The architecture of that name.
    ///
    /// # Errors
    /// [`Error::UnknownArch`] if the interpreter does not know it.
    pub fn from_name(name: &str) -> Result<Arch, Error> {
        Arch::ALL
            .into_iter()
            .find(|a| a.name() == name)
            .ok_or_else(|| Error::UnknownArch { name: name.into() })
    }

    /// The architecture that the ELF header's `e_flags` names (`EF_AMDGPU_MACH`, low 8 bits).
    ///
    /// # Errors
    /// [`Error::UnknownArch`] if the interpreter does not know it.
    pub fn from_elf_flags(flags: u32) -> Result<Arch, Error> {
        match flags & 0xff {
            0x3f => Ok(Arch::Gfx90a),
            0x4c => Ok(Arch::Gfx942),
            0x41 => Ok(Arch::Gfx1100),
            0x48 => Ok(Arch::Gfx1200),
            mach => Err(Error::UnknownArch { name: format!("EF_AMDGPU_MACH {mach:#x}") }),
        }
    }

    /// 9, 11 or 12: the family, which decides the encodings.
    pub fn generation(self) -> u32 {
        match self {
            Arch::Gfx90a | Arch::Gfx942 => 9,
            Arch::Gfx1100 => 11,
            Arch::Gfx1200 => 12,
        }
    }

    /// The `warpSize` that HIP reports for the GPU: 64 on CDNA, 32 on RDNA.
    pub fn default_wave_size(self) -> u32 {
        if self.generation() == 9 { 64 } else { 32 }
    }

    /// Bytes of LDS that one workgroup may use.
    pub fn lds_bytes(self) -> u32 {
        65536
    }

    /// The scalar operand code of M0 (MI300 ISA §5.1; RDNA3 ISA §5.1 exchanges M0 and NULL).
    pub(crate) fn m0(self) -> u16 {
        if self.generation() == 9 { 124 } else { 125 }
    }
}
