//! [`Simulator`]: every lane on the CPU, checked.

use std::thread::available_parallelism;
use std::time::Instant;

use wavewise::sim::{Launch, Memory, Sim};
use wavewise::{Global, Identity, Max, Min, Sum};
use wavewise_kernels::starters::{StartAt16, lost_waves};
use wavewise_kernels::{Butterfly, ShuffleDown, grid, reduce};

use super::{DeviceInfo, Job, Kernel, LaunchError, Operator, Outcome, Runtime};
use crate::element::{Element, Value, with_elements};

/// The simulator of `wavewise`: one device, the CPU.
#[derive(Clone, Copy, Debug)]
pub struct Simulator;

const WIDTHS: &[u32] = &[32, 64];

impl Runtime for Simulator {
    fn name(&self) -> &'static str {
        "sim"
    }

    fn devices(&self) -> Vec<DeviceInfo> {
        let threads = available_parallelism().map_or(1, usize::from);
        vec![DeviceInfo {
            backend: self.name(),
            device: format!("CPU, {threads} thread{}", if threads == 1 { "" } else { "s" }),
            widths: WIDTHS.to_vec(),
            gpu: None,
        }]
    }

    fn reduce(
        &self,
        _device: usize,
        job: &Job<'_>,
        progress: &(dyn Fn(u64, u64) + Sync),
    ) -> Result<Outcome, LaunchError> {
        let begin = Instant::now();
        let value = match job.width {
            32 => at_width::<32>(job, progress),
            64 => at_width::<64>(job, progress),
            width => {
                let widths = WIDTHS.to_vec();
                Err(LaunchError::Width { backend: self.name(), width, widths })
            }
        }?;
        Ok(Outcome { value, seconds: begin.elapsed().as_secs_f64() })
    }
}

fn at_width<const W: u32>(
    job: &Job<'_>,
    progress: &(dyn Fn(u64, u64) + Sync),
) -> Result<Value, LaunchError> {
    with_elements!(job.data, values => match job.operator {
        Operator::Sum => whole::<W, _, _>(values, Sum, job.kernel, progress).map(Value::from),
        Operator::Min => whole::<W, _, _>(values, Min, job.kernel, progress).map(Value::from),
        Operator::Max => whole::<W, _, _>(values, Max, job.kernel, progress).map(Value::from),
    })
}

/// The blocks' partials, then one block over them.
fn whole<const W: u32, T: Element, O: Identity<T> + Sync>(
    values: &[T],
    operator: O,
    kernel: Kernel,
    progress: &(dyn Fn(u64, u64) + Sync),
) -> Result<T, LaunchError> {
    let blocks = grid(values.len() as u64).blocks;
    let mut partials = launch::<W, T, O>(values, blocks, operator, kernel, progress)?;
    if blocks > 1 {
        partials = launch::<W, T, O>(&partials, 1, operator, kernel.finish(), &|_, _| ())?;
    }
    Ok(partials[0])
}

fn launch<const W: u32, T: Element, O: Identity<T> + Sync>(
    values: &[T],
    blocks: u32,
    operator: O,
    kernel: Kernel,
    progress: &(dyn Fn(u64, u64) + Sync),
) -> Result<Vec<T>, LaunchError> {
    let name = kernel.to_string();
    let threads = grid(values.len() as u64).threads;
    let launch = Launch::<W>::new(blocks, threads).named(&name).progress(progress);
    let output = Memory::<T>::unwritten(blocks as usize);
    let (input, partials) = (Global::from(values), output.view());
    match kernel {
        Kernel::Butterfly => {
            launch.run(|dev: Sim<W>| reduce(dev, input, partials, operator, Butterfly))
        }
        Kernel::ShuffleDown => {
            launch.run(|dev: Sim<W>| reduce(dev, input, partials, operator, ShuffleDown))
        }
        Kernel::Starter16 => {
            launch.run(|dev: Sim<W>| reduce(dev, input, partials, operator, StartAt16))
        }
        Kernel::StarterLostWaves => {
            launch.run(|dev: Sim<W>| lost_waves(dev, input, partials, operator))
        }
    }
    .map_err(|report| LaunchError::Fault(Box::new(report)))?;
    Ok(output.to_vec()?)
}
