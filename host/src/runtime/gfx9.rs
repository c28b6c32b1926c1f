//! [`Gfx9`]: the embedded AMD machine code, run by an interpreter of AMD's instruction sets.

use std::time::Instant;

use wavewise_gfx9::{Arch, Device, Error, Finding, Launch};
use wavewise_kernels::grid;
use wavewise_kernels::prebuilt::{self, Module};

use super::{DeviceInfo, Job, Kernel, LaunchError, Outcome, Runtime};
use crate::element::{Element, Value, with_elements};

/// The interpreter of `wavewise-gfx9`: a device for each chip that the embedded code is for.
///
/// It is no GPU: it runs the machine code one instruction at a time, some millions a second, and
/// refuses the result of a kernel in which it finds a race, a missing wait or the like.
#[derive(Clone, Copy, Debug)]
pub struct Gfx9;

/// Why the interpreter gave no result.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Gfx9Error {
    /// The code cannot be loaded or does not run to its end.
    #[error("the interpreter of {target} stopped: {error}")]
    Stopped {
        /// What the code is for.
        target: &'static str,
        /// Why.
        error: Box<Error>,
    },
    /// It ran to its end and did what hardware forgives at best.
    #[error(
        "the interpreter of {target} found {} in {kernel}, first: {}; expected none: this is a fault of the kernel or of its compiler",
        faults(findings.len()), findings[0]
    )]
    Findings {
        /// What the code is for.
        target: &'static str,
        /// The kernel.
        kernel: String,
        /// What was found; never nothing.
        findings: Vec<Finding>,
    },
}

/// The chips that stand for the rest in a run on every backend: the two families.
const IN_ALL: [Arch; 2] = [Arch::Gfx942, Arch::Gfx1100];
/// The elements that such a run reduces there at most, so that it stays quick.
const MOST_IN_ALL: u64 = 1 << 20;

impl Runtime for Gfx9 {
    fn name(&self) -> &'static str {
        "gfx9"
    }

    fn devices(&self) -> Vec<DeviceInfo> {
        let info = |arch: Arch| DeviceInfo {
            backend: self.name(),
            device: format!("ISA interpreter ({}), not a GPU", arch.name()),
            widths: widths(arch),
            gpu: None,
        };
        chips().into_iter().map(info).collect()
    }

    fn absence(&self) -> Option<String> {
        chips().is_empty().then(|| "no embedded AMD code is for a chip it knows".to_owned())
    }

    fn in_all(&self, device: usize, n: u64) -> bool {
        n <= MOST_IN_ALL && chips().get(device).is_some_and(|arch| IN_ALL.contains(arch))
    }

    fn reduce(
        &self,
        device: usize,
        job: &Job<'_>,
        progress: &(dyn Fn(u64, u64) + Sync),
    ) -> Result<Outcome, LaunchError> {
        let arch = chips().get(device).copied();
        let refused = || LaunchError::Width {
            backend: self.name(),
            width: job.width,
            widths: arch.map(widths).unwrap_or_default(),
        };
        let arch = arch.ok_or_else(refused)?;
        let module = modules(arch).find(|module| module.width == job.width).ok_or_else(refused)?;
        with_elements!(job.data, values => reduce(arch, module, job, values, progress))
    }
}

/// The chips that the embedded code objects are for, each once.
fn chips() -> Vec<Arch> {
    let mut chips: Vec<Arch> = prebuilt::code_objects().iter().filter_map(chip).collect();
    chips.dedup();
    chips
}

/// The chip that a code object is for: of `gfx1100-wave32` it is gfx1100.
fn chip(module: &Module) -> Option<Arch> {
    let name = module.target.split('-').next()?;
    Arch::from_name(name).ok()
}

fn modules(arch: Arch) -> impl Iterator<Item = &'static Module> {
    prebuilt::code_objects().iter().filter(move |module| chip(module) == Some(arch))
}

fn widths(arch: Arch) -> Vec<u32> {
    let mut widths: Vec<u32> = modules(arch).map(|module| module.width).collect();
    widths.sort_unstable();
    widths
}

/// The blocks' partials, then one block over them, on the grids of every other backend.
fn reduce<T: Element>(
    arch: Arch,
    module: &'static Module,
    job: &Job<'_>,
    values: &[T],
    progress: &(dyn Fn(u64, u64) + Sync),
) -> Result<Outcome, LaunchError> {
    let mut chip = Chip::load(arch, module)?;
    let name = |kernel: Kernel| kernel.entry(job.operator, T::DTYPE);
    let all = grid(values.len() as u64);
    let input = chip.copy_of(values)?;
    let partials = chip.uninit::<T>(all.blocks)?;
    let total = chip.uninit::<T>(1)?;

    let begin = Instant::now();
    chip.launch(&name(job.kernel), (all.blocks, all.threads), input, partials, progress)?;
    if all.blocks > 1 {
        let one = grid(all.blocks.into());
        let kernel = name(job.kernel.finish());
        chip.launch(&kernel, (1, one.threads), partials, total, &|_, _| ())?;
    }
    let seconds = begin.elapsed().as_secs_f64();

    let value: Value = chip.first::<T>(if all.blocks > 1 { total } else { partials })?.into();
    Ok(Outcome { value, seconds })
}

/// Elements in the memory of a chip.
#[derive(Clone, Copy)]
struct Buffer {
    address: u64,
    len: u64,
}

/// An interpreted chip with a code object loaded.
struct Chip {
    device: Device,
    module: wavewise_gfx9::Module,
    target: &'static str,
}

impl Chip {
    fn load(arch: Arch, embedded: &'static Module) -> Result<Self, Gfx9Error> {
        let mut device = Device::new(arch);
        device.set_wave_size(embedded.width);
        let target = embedded.target;
        let module = device.load(embedded.code).map_err(|error| stopped(target, error))?;
        Ok(Self { device, module, target })
    }

    /// Memory for `len` elements, which counts as never written.
    fn uninit<T: Element>(&mut self, len: u32) -> Result<Buffer, Gfx9Error> {
        let len = u64::from(len);
        Ok(Buffer { address: self.device.allocate(len * size_of::<T>() as u64), len })
    }

    fn copy_of<T: Element>(&mut self, values: &[T]) -> Result<Buffer, Gfx9Error> {
        let address = self.device.upload(bytemuck::cast_slice(values));
        Ok(Buffer { address, len: values.len() as u64 })
    }

    fn first<T: Element>(&mut self, buffer: Buffer) -> Result<T, Gfx9Error> {
        let mut value = T::zeroed();
        self.device
            .read(buffer.address, bytemuck::bytes_of_mut(&mut value))
            .map_err(|error| stopped(self.target, error))?;
        Ok(value)
    }

    /// Runs a kernel to its end; what the interpreter finds is an error.
    fn launch(
        &mut self,
        kernel: &str,
        (blocks, threads): (u32, u32),
        input: Buffer,
        output: Buffer,
        progress: &(dyn Fn(u64, u64) + Sync),
    ) -> Result<(), Gfx9Error> {
        let words = [input.address, input.len, output.address, output.len];
        let arguments = words.map(u64::to_le_bytes).concat();
        let mut launch = Launch::new([blocks, 1, 1], [threads, 1, 1], &arguments);
        launch.progress = Some(progress);
        let outcome = self
            .device
            .launch(self.module, kernel, &mut launch)
            .map_err(|error| stopped(self.target, error))?;
        let findings = outcome.findings;
        if findings.is_empty() {
            Ok(())
        } else {
            Err(Gfx9Error::Findings { target: self.target, kernel: kernel.to_owned(), findings })
        }
    }
}

fn stopped(target: &'static str, error: Error) -> Gfx9Error {
    Gfx9Error::Stopped { target, error: Box::new(error) }
}

fn faults(count: usize) -> String {
    if count == 1 { "a fault".to_owned() } else { format!("{count} faults") }
}
