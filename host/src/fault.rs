//! [`Fault`]: what is wrong with a kernel, read off what it makes of ones.

use serde::Serialize;
use wavewise_kernels::grid;

use crate::element::{DType, Data};
use crate::runtime::{Job, LaunchError, Operator, Runtime};

/// What a kernel that gave a wrong result does to ones.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fault {
    /// Its sum of ones ÷ their number.
    pub ratio: f64,
    /// The fault that has this ratio.
    pub name: Cause,
    /// The fault in words, and its remedy.
    pub message: String,
}

/// The faults that a ratio tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// Half of each wave never reaches lane 0.
    HalfWave,
    /// All waves of a block but one are lost.
    LostWaves,
    /// Ones are summed rightly.
    DataDependent,
    /// No fault that is known here has this ratio.
    Unknown,
}

/// Runs `job`'s kernel once more, on the same grid at the same width, as a sum over ones, one for
/// each turn of each thread; names the fault from the ratio.
///
/// # Errors
///
/// [`LaunchError`], if that launch gives no result.
pub fn diagnose(runtime: &dyn Runtime, device: usize, job: &Job<'_>) -> Result<Fault, LaunchError> {
    let n = ones_for(job.data.len() as u64);
    let data = ones(job.data.dtype(), n as usize);
    let probe = Job { data: &data, operator: Operator::Sum, ..*job };
    let sum = runtime.reduce(device, &probe, &|_, _| ())?.value;
    Ok(Fault::from_ratio(sum.to_f64() / n as f64, job.width, grid(n).threads))
}

impl Fault {
    /// The fault of a kernel on blocks of `threads` threads and waves of `width` lanes.
    fn from_ratio(ratio: f64, width: u32, threads: u32) -> Self {
        let waves = threads.div_ceil(width);
        let is = |wanted: f64| (ratio - wanted).abs() < 1e-6;
        let (name, message) = if is(1.0) {
            let message =
                "it sums ones rightly: the fault lies with these values, not with the tree"
                    .to_owned();
            (Cause::DataDependent, message)
        } else if is(1.0 / f64::from(waves)) {
            let message = format!(
                "only one of the {waves} waves of a block counts: leave each wave's partial in \
                 shared memory and let one wave reduce them after a barrier"
            );
            (Cause::LostWaves, message)
        } else if is(0.5) {
            let message = format!(
                "half of each wave of {width} lanes is lost: begin the ladder at stride {}, half \
                 the width, not at that of a narrower wave",
                width / 2
            );
            (Cause::HalfWave, message)
        } else {
            (Cause::Unknown, "no fault that is known here has this ratio".to_owned())
        };
        Self {
            ratio,
            name,
            message: format!("over ones it gives {ratio} of the right sum: {message}"),
        }
    }
}

/// The fewest elements with the grid of `n` elements of which every thread has equally many.
fn ones_for(n: u64) -> u64 {
    const MOST_TURNS: u64 = 32;
    let grid = grid(n);
    let threads = u64::from(grid.blocks) * u64::from(grid.threads);
    threads * n.div_ceil(threads).clamp(1, MOST_TURNS)
}

fn ones(dtype: DType, n: usize) -> Data {
    match dtype {
        DType::F32 => Data::F32(vec![1.0; n]),
        DType::F64 => Data::F64(vec![1.0; n]),
        DType::I32 => Data::I32(vec![1; n]),
        DType::U32 => Data::U32(vec![1; n]),
        DType::I64 => Data::I64(vec![1; n]),
        DType::U64 => Data::U64(vec![1; n]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ones_run_on_the_same_grid() {
        for n in [0, 1, 255, 4096, 4097, 50_000, 1_000_003, 1 << 22, (1 << 22) + 1, u64::MAX >> 1] {
            let ones = ones_for(n);
            assert_eq!(grid(ones), grid(n), "{n}");
            assert!(ones <= 1 << 23);
        }
    }

    #[test]
    fn ratios_name_their_faults() {
        let name = |ratio, width| Fault::from_ratio(ratio, width, 256).name;
        assert_eq!(name(0.5, 64), Cause::HalfWave);
        assert_eq!(name(0.25, 64), Cause::LostWaves);
        assert_eq!(name(0.125, 32), Cause::LostWaves);
        assert_eq!(name(1.0, 32), Cause::DataDependent);
        assert_eq!(name(0.75, 32), Cause::Unknown);
    }
}
