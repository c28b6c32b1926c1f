//! Code objects: the ELF file that the linker makes, and its kernel descriptors.

use std::collections::BTreeMap;

use crate::metadata::{self, Argument};
use crate::{Arch, Error};

/// What the kernel descriptor says (LLVM "User Guide for AMDGPU Backend", "Kernel Descriptor").
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelInfo {
    /// The kernel's name.
    pub name: String,
    /// Vector registers allocated to each wave, accumulation registers included.
    pub vgprs: u32,
    /// The first accumulation register's place in them (gfx9); equal to `vgprs` where there are none.
    pub accum_offset: u32,
    /// Scalar registers allocated to each wave.
    pub sgprs: u32,
    /// Bytes of statically allocated LDS.
    pub lds: u32,
    /// Bytes of scratch for each lane.
    pub scratch: u32,
    /// Bytes of kernel arguments, implicit ones included.
    pub kernarg: u32,
    /// Lanes in a wave.
    pub wave_size: u32,
    /// The arguments that the metadata lists, hidden ones included.
    pub arguments: Vec<Argument>,
    /// Where the code starts, as an address in the object.
    pub(crate) entry: u64,
    pub(crate) rsrc1: u32,
    pub(crate) rsrc2: u32,
    pub(crate) properties: u16,
    pub(crate) preload: u16,
}

impl KernelInfo {
    /// No kernel in particular.
    pub(crate) fn anonymous(wave_size: u32) -> KernelInfo {
        KernelInfo {
            name: String::new(),
            vgprs: 512,
            accum_offset: 256,
            sgprs: 106,
            lds: 0,
            scratch: 0,
            kernarg: 0,
            wave_size,
            arguments: Vec::new(),
            entry: 0,
            rsrc1: 0,
            rsrc2: 0,
            properties: 0,
            preload: 0,
        }
    }
}

/// A loaded code object.
#[derive(Clone, Debug)]
pub struct CodeObject {
    arch: Arch,
    /// The memory image of its loadable segments, from address 0.
    pub(crate) image: Vec<u8>,
    /// The executable part of the image.
    pub(crate) code: std::ops::Range<u64>,
    kernels: BTreeMap<String, KernelInfo>,
    /// Addresses and sizes of data symbols.
    pub(crate) data: BTreeMap<String, (u64, u64)>,
    /// `R_AMDGPU_RELATIVE64` and its kin: where, and what to add to the load address.
    pub(crate) relocations: Vec<(u64, u64)>,
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn bytes(&self, at: u64, n: usize) -> Result<&[u8], Error> {
        let at = usize::try_from(at).ok();
        at.and_then(|at| self.0.get(at..at.checked_add(n)?))
            .ok_or_else(|| bad("it ends in the middle of a header"))
    }
    fn u16(&self, at: u64) -> Result<u16, Error> {
        Ok(u16::from_le_bytes(self.bytes(at, 2)?.try_into().expect("two bytes")))
    }
    fn u32(&self, at: u64) -> Result<u32, Error> {
        Ok(u32::from_le_bytes(self.bytes(at, 4)?.try_into().expect("four bytes")))
    }
    fn u64(&self, at: u64) -> Result<u64, Error> {
        Ok(u64::from_le_bytes(self.bytes(at, 8)?.try_into().expect("eight bytes")))
    }
    fn name(&self, at: u64) -> Result<String, Error> {
        let tail = self.bytes(at, 0).and_then(|_| {
            self.0.get(at as usize..).ok_or_else(|| bad("a name lies outside the file"))
        })?;
        let end = tail.iter().position(|&b| b == 0).ok_or_else(|| bad("a name has no end"))?;
        Ok(String::from_utf8_lossy(&tail[..end]).into_owned())
    }
}

fn bad(why: &str) -> Error {
    Error::BadCodeObject { why: why.into() }
}

/// Images of more than this are refused.
const IMAGE_LIMIT: u64 = 1 << 30;

impl CodeObject {
    /// Reads the ELF file that `ld.lld -shared` makes of an AMD GPU object.
    ///
    /// # Errors
    /// [`Error::BadCodeObject`] if it is not one, [`Error::UnknownArch`] if it is for an architecture the interpreter does not know.
    pub fn load(file: &[u8]) -> Result<CodeObject, Error> {
        let r = Reader(file);
        if file.len() < 64 || file[..4] != *b"\x7fELF" || file[4] != 2 || file[5] != 1 {
            return Err(bad("no 64-bit little-endian ELF header"));
        }
        if r.u16(18)? != 224 {
            return Err(bad("its machine is not EM_AMDGPU (224)"));
        }
        if r.u16(16)? != 3 {
            return Err(bad("it is not linked (ET_DYN): link it with `ld.lld -shared`"));
        }
        let arch = Arch::from_elf_flags(r.u32(48)?)?;
        let mut object = CodeObject {
            arch,
            image: Vec::new(),
            code: 0..0,
            kernels: BTreeMap::new(),
            data: BTreeMap::new(),
            relocations: Vec::new(),
        };
        object.segments(&r)?;
        object.sections(&r)?;
        object.notes(&r)?;
        Ok(object)
    }

    /// The architecture it was built for.
    pub fn arch(&self) -> Arch {
        self.arch
    }

    /// Its kernels, by name.
    pub fn kernels(&self) -> impl Iterator<Item = &KernelInfo> {
        self.kernels.values()
    }

    /// The kernel of that name.
    ///
    /// # Errors
    /// [`Error::NoKernel`] if there is none.
    pub fn kernel(&self, name: &str) -> Result<&KernelInfo, Error> {
        self.kernels.get(name).ok_or_else(|| Error::NoKernel {
            name: name.into(),
            have: self.kernels.keys().cloned().collect(),
        })
    }

    /// Disassembles its code: address, bytes and text of each instruction, until the first that does not decode.
    pub fn disassemble(&self, wave_size: u32) -> Vec<(u64, Vec<u8>, Result<String, Error>)> {
        let mut at = self.code.start;
        let mut out = Vec::new();
        while at < self.code.end {
            let bytes = &self.image[at as usize..self.code.end as usize];
            match crate::isa::decode(self.arch, wave_size, bytes, at) {
                Ok(i) => {
                    out.push((at, bytes[..i.size()].to_vec(), Ok(i.text(self.arch, wave_size))));
                    at += i.size() as u64;
                }
                Err(e) => {
                    out.push((at, bytes[..bytes.len().min(4)].to_vec(), Err(e)));
                    at += 4;
                }
            }
        }
        out
    }

    fn segments(&mut self, r: &Reader<'_>) -> Result<(), Error> {
        let (phoff, size, count) = (r.u64(32)?, r.u16(54)? as u64, r.u16(56)? as u64);
        for n in 0..count {
            let p = phoff
                .checked_add(n * size)
                .ok_or_else(|| bad("its program headers lie outside the file"))?;
            if r.u32(p)? != 1 {
                continue;
            }
            let (flags, offset, address, in_file, in_memory) =
                (r.u32(p + 4)?, r.u64(p + 8)?, r.u64(p + 16)?, r.u64(p + 32)?, r.u64(p + 40)?);
            let end = address
                .checked_add(in_memory.max(in_file))
                .filter(|&e| e <= IMAGE_LIMIT)
                .ok_or_else(|| bad("a segment is larger than 1 GiB"))?;
            let data = r.bytes(offset, in_file as usize)?;
            if self.image.len() < end as usize {
                self.image.resize(end as usize, 0);
            }
            self.image[address as usize..(address + in_file) as usize].copy_from_slice(data);
            if flags & 1 == 1 {
                self.code = address..address + in_file;
            }
        }
        if self.code.is_empty() {
            return Err(bad("it holds no executable segment"));
        }
        Ok(())
    }

    /// The metadata note (`NT_AMDGPU_METADATA`) in a `PT_NOTE` segment.
    fn notes(&mut self, r: &Reader<'_>) -> Result<(), Error> {
        let (phoff, size, count) = (r.u64(32)?, r.u16(54)? as u64, r.u16(56)? as u64);
        for n in 0..count {
            let p = phoff + n * size;
            if r.u32(p)? != 4 {
                continue;
            }
            let (mut at, end) = (r.u64(p + 8)?, r.u64(p + 8)?.saturating_add(r.u64(p + 32)?));
            while at.saturating_add(12) <= end {
                let (name, len, kind) = (r.u32(at)? as u64, r.u32(at + 4)? as u64, r.u32(at + 8)?);
                let data = at + 12 + name.next_multiple_of(4);
                if kind == 32 {
                    for (kernel, arguments) in metadata::arguments(r.bytes(data, len as usize)?) {
                        if let Some(k) = self.kernels.get_mut(&kernel) {
                            k.arguments = arguments;
                        }
                    }
                }
                at = data + len.next_multiple_of(4);
            }
        }
        Ok(())
    }

    fn sections(&mut self, r: &Reader<'_>) -> Result<(), Error> {
        let (shoff, size, count) = (r.u64(40)?, r.u16(58)? as u64, r.u16(60)? as u64);
        let header = |n: u64| {
            shoff
                .checked_add(n * size)
                .ok_or_else(|| bad("its section headers lie outside the file"))
        };
        for n in 0..count {
            let s = header(n)?;
            let (kind, offset, bytes, link) =
                (r.u32(s + 4)?, r.u64(s + 24)?, r.u64(s + 32)?, r.u32(s + 40)?);
            match kind {
                // SHT_DYNSYM
                11 => {
                    let strings = r.u64(header(link as u64)? + 24)?;
                    for at in (offset..offset.saturating_add(bytes)).step_by(24) {
                        let name = r.name(strings.saturating_add(r.u32(at)? as u64))?;
                        let (info, value, len) =
                            (r.bytes(at + 4, 1)?[0], r.u64(at + 8)?, r.u64(at + 16)?);
                        if let Some(kernel) = name.strip_suffix(".kd") {
                            let info = self.descriptor(kernel, value)?;
                            self.kernels.insert(kernel.into(), info);
                        } else if info & 15 == 1 {
                            self.data.insert(name, (value, len));
                        }
                    }
                }
                // SHT_RELA
                4 => {
                    for at in (offset..offset.saturating_add(bytes)).step_by(24) {
                        let (place, info, addend) = (r.u64(at)?, r.u64(at + 8)?, r.u64(at + 16)?);
                        match info as u32 {
                            // R_AMDGPU_RELATIVE64
                            13 => self.relocations.push((place, addend)),
                            0 => {}
                            other => {
                                return Err(bad(&format!("it has a relocation of type {other}")));
                            }
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn descriptor(&self, name: &str, at: u64) -> Result<KernelInfo, Error> {
        let r = Reader(&self.image);
        let (rsrc3, rsrc1, rsrc2, properties) =
            (r.u32(at + 44)?, r.u32(at + 48)?, r.u32(at + 52)?, r.u16(at + 56)?);
        let wave_size =
            if self.arch.generation() > 9 && properties >> 10 & 1 == 1 { 32 } else { 64 };
        // Granules: gfx90a and gfx942 allocate VGPRs by 8; RDNA in wave32 by 8, in wave64 by 4.
        let granule = if self.arch.generation() == 9 || wave_size == 32 { 8 } else { 4 };
        let vgprs = ((rsrc1 & 0x3f) + 1) * granule;
        let accum_offset =
            if self.arch.generation() == 9 { (((rsrc3 & 0x3f) + 1) * 4).min(vgprs) } else { vgprs };
        let sgprs =
            if self.arch.generation() == 9 { ((rsrc1 >> 6 & 15) / 2 + 1) * 16 } else { 106 };
        let entry = at.wrapping_add(r.u64(at + 16)?);
        if !self.code.contains(&entry) {
            return Err(bad(&format!("the entry of kernel {name} lies outside the code")));
        }
        Ok(KernelInfo {
            name: name.into(),
            vgprs,
            accum_offset,
            sgprs,
            lds: r.u32(at)?,
            scratch: r.u32(at + 4)?,
            kernarg: r.u32(at + 8)?,
            arguments: Vec::new(),
            wave_size,
            entry,
            rsrc1,
            rsrc2,
            properties,
            preload: r.u16(at + 58)?,
        })
    }
}
