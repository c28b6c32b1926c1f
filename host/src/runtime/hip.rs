//! [`Hip`]: AMD GPUs, by the HIP that the machine has and the code objects that this build embeds.

use std::ffi::c_int;

use wavewise_kernels::grid;
use wavewise_kernels::prebuilt::{self, Module};

use super::{DeviceInfo, Gpu, Job, Kernel, LaunchError, Outcome, Runtime};
use crate::element::{Element, Value, with_elements};

mod context;
mod error;
mod library;

pub use error::HipError;

use context::Context;
use library::Facts;

/// HIP, loaded when it is first asked for from `libamdhip64.so`, or the file that the environment's
/// `WAVEWISE_HIP_LIBRARY` names; no devices where there is none.
#[derive(Clone, Copy, Debug)]
pub struct Hip;

impl Runtime for Hip {
    fn name(&self) -> &'static str {
        "hip"
    }

    fn devices(&self) -> Vec<DeviceInfo> {
        self.try_devices().unwrap_or_default()
    }

    fn absence(&self) -> Option<String> {
        self.try_devices().err().map(|error| error.to_string())
    }

    /// A GPU that this build has no kernels for is passed over.
    fn in_all(&self, device: usize, _n: u64) -> bool {
        facts(device).and_then(|facts| choose(prebuilt::code_objects(), &facts)).is_ok()
    }

    fn reduce(
        &self,
        device: usize,
        job: &Job<'_>,
        _progress: &(dyn Fn(u64, u64) + Sync),
    ) -> Result<Outcome, LaunchError> {
        with_elements!(job.data, values => reduce(device, job, values))
    }
}

impl Hip {
    fn try_devices(self) -> Result<Vec<DeviceInfo>, HipError> {
        let hip = library::Hip::find()?;
        let info = |ordinal| {
            let facts = hip.facts(ordinal)?;
            Ok(DeviceInfo {
                backend: self.name(),
                device: facts.name,
                widths: vec![facts.width],
                gpu: Some(Gpu {
                    capability: facts.arch,
                    multiprocessors: facts.multiprocessors,
                    memory: facts.memory,
                    driver: hip.version(),
                }),
            })
        };
        hip.devices().map(info).collect()
    }
}

fn ordinal(device: usize) -> Result<c_int, HipError> {
    // A device's number comes from `devices`, where it began as one of these.
    c_int::try_from(device).map_err(|_| HipError::NoDevice)
}

fn facts(device: usize) -> Result<Facts, HipError> {
    library::Hip::find()?.facts(ordinal(device)?)
}

/// The code object for the device's chip, with waves of its width.
///
/// HIP itself takes code of the other width, on which every lane number would be wrong.
fn choose<'m>(modules: &'m [Module], device: &Facts) -> Result<&'m Module, HipError> {
    let chip = |module: &Module| module.target.split('-').next() == Some(&*device.arch);
    let of_chip = || modules.iter().filter(|module| chip(module));
    of_chip().find(|module| module.width == device.width).ok_or_else(|| {
        let (name, arch) = (device.name.clone(), device.arch.clone());
        let widths: Vec<u32> = of_chip().map(|module| module.width).collect();
        if widths.is_empty() {
            let present: Vec<&str> = modules.iter().map(|module| module.target).collect();
            HipError::Target { device: name, arch, present: present.join(", ") }
        } else {
            HipError::Width { device: name, arch, widths, expected: device.width }
        }
    })
}

/// The blocks' partials, then one block over them, on the grids of every other backend.
fn reduce<T: Element>(device: usize, job: &Job<'_>, values: &[T]) -> Result<Outcome, LaunchError> {
    let facts = facts(device)?;
    if job.width != facts.width {
        return Err(LaunchError::Width {
            backend: Hip.name(),
            width: job.width,
            widths: vec![facts.width],
        });
    }
    let embedded = choose(prebuilt::code_objects(), &facts)?;

    let context = Context::of(library::Hip::find()?, ordinal(device)?)?;
    let all = grid(values.len() as u64);
    let blocks = all.blocks as usize;
    // The input, which is never nothing, the partials and the result.
    let needed = (values.len().max(1) + blocks + 1) as u64 * size_of::<T>() as u64;
    let in_memory = |error: HipError| match error {
        error if error.is_out_of_memory() => {
            HipError::OutOfMemory { device: facts.name.clone(), needed }
        }
        error => error,
    };

    let module = context.module(embedded.code)?;
    let name = |kernel: Kernel| kernel.entry(job.operator, T::DTYPE);
    let first = module.kernel(&name(job.kernel))?;
    let second = module.kernel(&name(job.kernel.finish()))?;
    let input = context.copy_of(values).map_err(in_memory)?;
    let partials = context.uninit::<T>(blocks).map_err(in_memory)?;
    let total = context.uninit::<T>(1).map_err(in_memory)?;
    let seconds = context.timed(|| {
        // SAFETY: the module's kernels of this type take an input and an output of it; the first
        // launch's partials, one a block, are written when the second reads them.
        unsafe {
            first.launch((all.blocks, all.threads), &input, &partials)?;
            if all.blocks > 1 {
                let one = grid(all.blocks.into());
                second.launch((1, one.threads), &partials, &total)?;
            }
        }
        Ok(())
    })?;
    let result = if all.blocks > 1 { total } else { partials };
    let value: Value = result.to_vec()?[0].into();
    Ok(Outcome { value, seconds })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn device(arch: &str, width: u32) -> Facts {
        let (name, arch) = ("a GPU".to_owned(), arch.to_owned());
        Facts { name, arch, width, multiprocessors: 1, memory: 1 }
    }

    #[test]
    fn the_code_object_of_the_chip_and_its_width() {
        let chosen = choose(prebuilt::code_objects(), &device("gfx942", 64)).expect("a module");
        assert_eq!((chosen.target, chosen.width), ("gfx942", 64));
    }

    #[test]
    fn another_width_is_refused() {
        let error = choose(prebuilt::code_objects(), &device("gfx942", 32)).err();
        let expected = HipError::Width {
            device: "a GPU".into(),
            arch: "gfx942".into(),
            widths: vec![64],
            expected: 32,
        };
        assert_eq!(error, Some(expected));
    }

    #[test]
    fn another_chip_is_refused() {
        // A name that begins like another's is another.
        for arch in ["gfx94", "gfx9420", "gfx906", ""] {
            let error = choose(prebuilt::code_objects(), &device(arch, 64));
            assert!(matches!(error, Err(HipError::Target { .. })), "{arch}: {error:?}");
        }
    }
}
