//! A device: memory, code and launches.

use std::cell::OnceCell;

use crate::check::{Counts, Finding, Report};
use crate::isa::{self, Inst};
use crate::launch::{self, Launch};
use crate::memory::Memory;
use crate::object::CodeObject;
use crate::{Arch, Error, KernelInfo};

/// A loaded code object's handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Module(usize);

/// What a launch did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// How much of what was executed.
    pub counts: Counts,
    /// What the checks found, in the order of their first appearance.
    pub findings: Vec<Finding>,
}

/// The code of a module, decoded once, when it is first reached.
pub(crate) struct Program {
    pub base: u64,
    start: u64,
    end: u64,
    wave_size: u32,
    arch: Arch,
    slots: Vec<OnceCell<Box<Inst>>>,
}

impl Program {
    /// The instruction at an address.
    #[inline]
    pub fn at(&self, pc: u64, memory: &Memory) -> Result<&Inst, Box<Error>> {
        let slot = pc.wrapping_sub(self.start) / 4;
        match self.slots.get(slot as usize) {
            Some(s) if pc & 3 == 0 => match s.get() {
                Some(i) => Ok(i),
                None => self.decode(s, pc, memory),
            },
            _ => Err(Box::new(Error::OutsideCode { address: pc.wrapping_sub(self.base) })),
        }
    }

    #[cold]
    fn decode<'s>(
        &self,
        slot: &'s OnceCell<Box<Inst>>,
        pc: u64,
        memory: &Memory,
    ) -> Result<&'s Inst, Box<Error>> {
        let tail = memory.tail(pc).unwrap_or_default();
        let bytes = &tail[..tail.len().min((self.end - pc) as usize)];
        let inst = isa::decode(self.arch, self.wave_size, bytes, pc - self.base)?;
        Ok(slot.get_or_init(|| Box::new(inst)))
    }
}

struct Loaded {
    object: CodeObject,
    base: u64,
    /// For waves of 32 and of 64: the width decides how wide masks are.
    programs: [Option<Program>; 2],
}

/// A simulated AMD GPU.
pub struct Device {
    arch: Arch,
    memory: Memory,
    modules: Vec<Option<Loaded>>,
    checks: bool,
    wave_size: Option<u32>,
}

impl Device {
    /// A device of that architecture, with all checks on.
    pub fn new(arch: Arch) -> Device {
        Device { arch, memory: Memory::new(), modules: Vec::new(), checks: true, wave_size: None }
    }

    /// Switches the checks on or off; execution is the same, and faster without.
    pub fn set_checks(&mut self, on: bool) {
        self.checks = on;
    }

    /// Refuses kernels that were built for waves of another width; without it the kernel's width is taken.
    pub fn set_wave_size(&mut self, lanes: u32) {
        self.wave_size = Some(lanes);
    }

    /// Its architecture.
    pub fn arch(&self) -> Arch {
        self.arch
    }

    /// Reserves device memory: zero, and never written as far as the checks go.
    pub fn allocate(&mut self, bytes: u64) -> u64 {
        self.memory.allocate(bytes)
    }

    /// Gives memory back.
    ///
    /// # Errors
    /// [`Error::BadAddress`] if no allocation starts there.
    pub fn free(&mut self, address: u64) -> Result<(), Error> {
        self.memory.free(address)
    }

    /// Copies to the device.
    ///
    /// # Errors
    /// [`Error::BadAddress`] if the range is not inside one allocation.
    pub fn write(&mut self, address: u64, data: &[u8]) -> Result<(), Error> {
        self.memory.host_write(address, data)
    }

    /// Copies from the device.
    ///
    /// # Errors
    /// [`Error::BadAddress`] if the range is not inside one allocation.
    pub fn read(&mut self, address: u64, out: &mut [u8]) -> Result<(), Error> {
        self.memory.host_read(address, out)
    }

    /// Allocates memory that holds `data`.
    pub fn upload(&mut self, data: &[u8]) -> u64 {
        let a = self.allocate(data.len() as u64);
        if !data.is_empty() {
            self.memory.host_write(a, data).expect("the allocation was just made that large");
        }
        a
    }

    /// Loads a code object.
    ///
    /// # Errors
    /// Those of [`CodeObject::load`], and [`Error::ArchMismatch`] if it is for another architecture.
    pub fn load(&mut self, file: &[u8]) -> Result<Module, Error> {
        let object = CodeObject::load(file)?;
        if object.arch() != self.arch {
            return Err(Error::ArchMismatch {
                object: object.arch().name(),
                device: self.arch.name(),
            });
        }
        let base = self.upload(&object.image);
        for &(place, addend) in &object.relocations {
            self.memory
                .host_write(base.wrapping_add(place), &base.wrapping_add(addend).to_le_bytes())?;
        }
        self.modules.push(Some(Loaded { object, base, programs: [None, None] }));
        Ok(Module(self.modules.len() - 1))
    }

    /// Gives a module's memory back; its handle is invalid from then on.
    ///
    /// # Errors
    /// [`Error::NoModule`] if it was unloaded before.
    pub fn unload(&mut self, module: Module) -> Result<(), Error> {
        let loaded =
            self.modules.get_mut(module.0).and_then(Option::take).ok_or(Error::NoModule)?;
        self.memory.free(loaded.base)
    }

    fn loaded(&self, module: Module) -> Result<&Loaded, Error> {
        self.modules.get(module.0).and_then(Option::as_ref).ok_or(Error::NoModule)
    }

    /// The kernels of a module.
    ///
    /// # Errors
    /// [`Error::NoModule`] if it is not loaded.
    pub fn kernels(&self, module: Module) -> Result<impl Iterator<Item = &KernelInfo>, Error> {
        Ok(self.loaded(module)?.object.kernels())
    }

    /// A kernel of a module.
    ///
    /// # Errors
    /// [`Error::NoModule`] if it is not loaded, [`Error::NoKernel`] if it has none of that name.
    pub fn kernel(&self, module: Module, name: &str) -> Result<&KernelInfo, Error> {
        self.loaded(module)?.object.kernel(name)
    }

    /// The address and size of a global variable of a module, if it has it.
    ///
    /// # Errors
    /// [`Error::NoModule`] if it is not loaded.
    pub fn global(&self, module: Module, name: &str) -> Result<Option<(u64, u64)>, Error> {
        let m = self.loaded(module)?;
        Ok(m.object.data.get(name).map(|&(at, len)| (m.base + at, len)))
    }

    /// Runs a kernel to its end.
    ///
    /// # Errors
    /// [`Error::NoModule`], [`Error::NoKernel`], [`Error::WaveSizeMismatch`], [`Error::BadLaunch`] before it starts; an instruction the interpreter does not know, an access outside of
    /// every allocation, or no progress, where it stops.
    pub fn launch(
        &mut self,
        module: Module,
        kernel: &str,
        launch: &mut Launch<'_>,
    ) -> Result<Outcome, Error> {
        let m = self.modules.get_mut(module.0).and_then(Option::as_mut).ok_or(Error::NoModule)?;
        let info = m.object.kernel(kernel)?.clone();
        if let Some(device_width) = self.wave_size.filter(|&w| w != info.wave_size) {
            return Err(Error::WaveSizeMismatch {
                kernel: info.name,
                kernel_width: info.wave_size,
                device_width,
            });
        }
        let width = usize::from(info.wave_size == 64);
        let program = m.programs[width].get_or_insert_with(|| {
            let code = m.object.code.clone();
            let slots = (0..(code.end - code.start).div_ceil(4)).map(|_| OnceCell::new()).collect();
            Program {
                base: m.base,
                start: m.base + code.start,
                end: m.base + code.end,
                wave_size: info.wave_size,
                arch: self.arch,
                slots,
            }
        });
        let mut report = Report::new(self.checks, m.base);
        launch::run(self.arch, &mut self.memory, program, &info, launch, &mut report)
            .map_err(|e| *e)?;
        Ok(Outcome { counts: report.counts, findings: report.findings })
    }
}
