//! [`Cuda`]: NVIDIA GPUs, by the driver that the machine has and the PTX that this build embeds.

use wavewise_kernels::grid;

use super::{DeviceInfo, Gpu, Job, LaunchError, Outcome, Runtime};
use crate::element::{Element, Value, with_elements};

mod context;
mod driver;
mod error;
mod module;

pub use error::CudaError;
pub use module::ModuleError;

use context::Context;
use driver::Driver;

/// The CUDA driver, loaded when it is first asked for; no devices where there is none.
#[derive(Clone, Copy, Debug)]
pub struct Cuda;

impl Runtime for Cuda {
    fn name(&self) -> &'static str {
        "cuda"
    }

    fn devices(&self) -> Vec<DeviceInfo> {
        self.try_devices().unwrap_or_default()
    }

    fn absence(&self) -> Option<String> {
        self.try_devices().err().map(|error| error.to_string())
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

impl Cuda {
    fn try_devices(self) -> Result<Vec<DeviceInfo>, CudaError> {
        let driver = Driver::find()?;
        let info = |ordinal| {
            let facts = driver.facts(ordinal)?;
            let (major, minor) = facts.capability;
            Ok(DeviceInfo {
                backend: self.name(),
                device: facts.name,
                widths: vec![facts.width],
                gpu: Some(Gpu {
                    capability: format!("{major}.{minor}"),
                    multiprocessors: facts.multiprocessors,
                    memory: facts.memory,
                    driver: driver.version(),
                }),
            })
        };
        driver.devices().map(info).collect()
    }
}

/// The blocks' partials, then one block over them, on the grids of every other backend.
fn reduce<T: Element>(device: usize, job: &Job<'_>, values: &[T]) -> Result<Outcome, LaunchError> {
    let driver = Driver::find()?;
    // A device's number comes from `devices`, where it began as one of these.
    let ordinal = i32::try_from(device).map_err(|_| CudaError::NoDevice)?;
    let facts = driver.facts(ordinal)?;
    if job.width != facts.width {
        return Err(LaunchError::Width {
            backend: Cuda.name(),
            width: job.width,
            widths: vec![facts.width],
        });
    }
    let embedded = module::choose(&facts)?;

    let context = driver.context(ordinal)?;
    let all = grid(values.len() as u64);
    let blocks = all.blocks as usize;
    // The input, which is never nothing, the partials and the result.
    let needed = (values.len().max(1) + blocks + 1) as u64 * size_of::<T>() as u64;
    fit(&context, &facts.name, needed)?;
    let in_memory = |error: CudaError| match error {
        // Others took memory since it was measured, or it lies in pieces.
        error if error.is_out_of_memory() => {
            CudaError::OutOfMemory { device: facts.name.clone(), needed }
        }
        error => error,
    };

    let module = context.module(embedded.code)?;
    let name = |kernel: super::Kernel| kernel.entry(job.operator, T::DTYPE);
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

/// Refuses what the device's free memory does not hold, before anything is copied.
fn fit(context: &Context, device: &str, needed: u64) -> Result<(), CudaError> {
    let free = context.free_memory()?;
    if needed > free {
        return Err(CudaError::Memory { device: device.to_owned(), needed, free });
    }
    Ok(())
}
