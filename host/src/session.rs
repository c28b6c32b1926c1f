//! One run of the program: a reduction on each backend, device and width, each held against the
//! reference.

use std::time::Instant;

use serde::Serialize;

use crate::element::{Data, Number, Value};
use crate::fault::{Cause, Fault, diagnose};
use crate::progress::Progress;
use crate::reference::Reference;
use crate::runtime::{DeviceInfo, Job, Kernel, Operator, Outcome, Runtime};

/// What to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The backend; where it is `None`, all that take part in that
    /// ([`in_all`](Runtime::in_all)).
    pub backend: Option<String>,
    /// The width; all that a device has where it is `None`.
    pub width: Option<u32>,
    /// How two elements become one.
    pub operator: Operator,
    /// The kernel.
    pub kernel: Kernel,
}

/// Why nothing can be run.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum PlanError {
    /// This build or this machine has no such backend.
    #[error(
        "there is no backend `{asked}` here; expected {present} or all: `wavewise devices` lists what this machine can run"
    )]
    Backend {
        /// What was asked for.
        asked: String,
        /// What there is.
        present: String,
    },
    /// This machine has no device of that backend.
    #[error("there is no backend `{asked}` here: {absence}; or use {present} or all")]
    Absent {
        /// What was asked for.
        asked: String,
        /// Why there is none.
        absence: String,
        /// What there is.
        present: String,
    },
    /// No device has waves of that width.
    #[error(
        "no device of {backend} runs waves of {width} lanes; expected one of {widths:?}: leave --width out for all of them"
    )]
    Width {
        /// The backend that was asked for.
        backend: String,
        /// What was asked for.
        width: u32,
        /// What there is.
        widths: Vec<u32>,
    },
}

/// What one launch gave.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The runtime's name.
    pub backend: &'static str,
    /// The device's name.
    pub device: String,
    /// The lanes of a wave.
    pub width: u32,
    /// The kernel.
    pub kernel: Kernel,
    /// The result, if there is one.
    pub value: Option<Value>,
    /// Its bits.
    pub bits: Option<String>,
    /// The right result.
    pub reference: Reference,
    /// The largest difference that a right kernel may show.
    pub bound: Option<Number>,
    /// |value − reference|, where that is a number.
    pub difference: Option<f64>,
    /// Whether the result is right.
    pub ok: bool,
    /// value ÷ reference, where that is a number; of a wrong result that of its [`fault`](Self::fault).
    pub ratio: Option<f64>,
    /// The time of the launches, as [`Outcome`] has it; of a launch that
    /// failed, that until it failed.
    pub seconds: f64,
    /// What is wrong with the kernel: of a wrong result, and of a starter always.
    pub fault: Option<Fault>,
    /// Why there is no result.
    pub error: Option<String>,
}

/// A backend's device and a width to run there.
struct Place<'a> {
    runtime: &'a dyn Runtime,
    index: usize,
    device: DeviceInfo,
    width: u32,
}

/// Everything that `plan` asks for.
///
/// # Errors
///
/// [`PlanError`], if that is nothing.
pub fn run(runtimes: &[Box<dyn Runtime>], plan: &Plan, data: &Data) -> Result<Vec<Row>, PlanError> {
    let places = places(runtimes, plan, Some(data.len() as u64))?;
    let reference = Reference::new(data, plan.operator);
    Ok(places.iter().map(|place| row(place, plan, data, &reference)).collect())
}

/// Whether `plan` can be run, before its data is read.
///
/// # Errors
///
/// [`PlanError`], if it cannot.
pub fn check(runtimes: &[Box<dyn Runtime>], plan: &Plan) -> Result<(), PlanError> {
    places(runtimes, plan, None).map(drop)
}

/// Whether all rows with a result have the same bits; `None` where fewer than two have one.
#[must_use]
pub fn bits_agree(rows: &[Row]) -> Option<bool> {
    let values: Vec<Value> = rows.iter().filter_map(|row| row.value).collect();
    (values.len() > 1).then(|| values.iter().all(|value| value.agrees(values[0])))
}

/// The places for `n` elements, or where that is not known yet, for any number.
fn places<'a>(
    runtimes: &'a [Box<dyn Runtime>],
    plan: &Plan,
    n: Option<u64>,
) -> Result<Vec<Place<'a>>, PlanError> {
    let asked =
        |runtime: &dyn Runtime| plan.backend.as_deref().is_none_or(|name| name == runtime.name());
    let mut places = Vec::new();
    let mut widths = Vec::new();
    for runtime in runtimes.iter().map(|runtime| &**runtime).filter(|runtime| asked(*runtime)) {
        for (index, device) in runtime.devices().into_iter().enumerate() {
            if plan.backend.is_none() && n.is_some_and(|n| !runtime.in_all(index, n)) {
                continue;
            }
            widths.extend(&device.widths);
            for &width in &device.widths {
                if plan.width.is_none_or(|wanted| wanted == width) {
                    places.push(Place { runtime, index, device: device.clone(), width });
                }
            }
        }
    }
    let backend = plan.backend.as_deref().unwrap_or("all");
    if widths.is_empty() {
        let present: Vec<&str> = runtimes
            .iter()
            .filter(|runtime| !runtime.devices().is_empty())
            .map(|runtime| runtime.name())
            .collect();
        let (asked, present) = (backend.escape_debug().to_string(), present.join(", "));
        let absence =
            runtimes.iter().filter(|runtime| asked == runtime.name()).find_map(|r| r.absence());
        return Err(match absence {
            Some(absence) => PlanError::Absent { asked, absence, present },
            None => PlanError::Backend { asked, present },
        });
    }
    match plan.width {
        Some(width) if places.is_empty() => {
            widths.sort_unstable();
            widths.dedup();
            Err(PlanError::Width { backend: backend.to_owned(), width, widths })
        }
        _ => Ok(places),
    }
}

fn row(place: &Place<'_>, plan: &Plan, data: &Data, reference: &Reference) -> Row {
    let job = Job { data, operator: plan.operator, kernel: plan.kernel, width: place.width };
    let progress = Progress::steps(&format!("{}, waves of {}", place.device.backend, place.width));
    let begin = Instant::now();
    let outcome = place.runtime.reduce(place.index, &job, &|done, of| progress.reach_of(done, of));
    let seconds = begin.elapsed().as_secs_f64();
    let mut row = Row {
        backend: place.device.backend,
        device: place.device.device.clone(),
        width: place.width,
        kernel: plan.kernel,
        value: None,
        bits: None,
        reference: reference.clone(),
        bound: None,
        difference: None,
        ok: false,
        ratio: None,
        seconds,
        fault: None,
        error: None,
    };
    match outcome {
        Err(error) => row.error = Some(error.to_string()),
        Ok(Outcome { value, seconds }) => {
            row.seconds = seconds;
            let verdict = reference.judge(value, data.len() as u64);
            row.value = Some(value);
            row.bits = Some(value.bits());
            row.bound = Some(Number(verdict.bound));
            row.difference = verdict.difference;
            row.ratio = verdict.ratio;
            row.ok = verdict.ok;
            // A starter may be right by luck, over zeros for example.
            if !verdict.ok || job.kernel.is_starter() {
                match diagnose(place.runtime, place.index, &job) {
                    Ok(fault) if verdict.ok && fault.name == Cause::DataDependent => {}
                    Ok(fault) => {
                        row.ratio = Some(fault.ratio);
                        row.fault = Some(fault);
                    }
                    Err(error) => row.error = Some(error.to_string()),
                }
            }
        }
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runtime::{LaunchError, Simulator};

    /// A backend whose devices run waves of 32 lanes alone, or that has none.
    struct Narrow {
        devices: usize,
    }

    impl Runtime for Narrow {
        fn name(&self) -> &'static str {
            "narrow"
        }

        fn devices(&self) -> Vec<DeviceInfo> {
            let device = |index| DeviceInfo {
                backend: self.name(),
                device: format!("device {index}"),
                widths: vec![32],
                gpu: None,
            };
            (0..self.devices).map(device).collect()
        }

        fn absence(&self) -> Option<String> {
            (self.devices == 0).then(|| "it has no driver".to_owned())
        }

        fn reduce(
            &self,
            device: usize,
            job: &Job<'_>,
            _progress: &(dyn Fn(u64, u64) + Sync),
        ) -> Result<Outcome, LaunchError> {
            assert!(device < self.devices && job.width == 32);
            Ok(Outcome { value: Value::U32(job.data.len() as u32), seconds: 0.125 })
        }
    }

    fn session(
        devices: usize,
        backend: Option<&str>,
        width: Option<u32>,
    ) -> Result<Vec<Row>, PlanError> {
        let runtimes: [Box<dyn Runtime>; 2] = [Box::new(Simulator), Box::new(Narrow { devices })];
        let plan = Plan {
            backend: backend.map(str::to_owned),
            width,
            operator: Operator::Sum,
            kernel: Kernel::Butterfly,
        };
        assert_eq!(
            check(&runtimes, &plan).err(),
            run(&runtimes, &plan, &Data::U32(vec![1; 9])).err()
        );
        run(&runtimes, &plan, &Data::U32(vec![1; 9]))
    }

    #[test]
    fn all_is_every_device_at_every_width_it_has() {
        let rows = session(2, None, None).expect("rows");
        let widths: Vec<_> = rows.iter().map(|row| (row.backend, row.width)).collect();
        assert_eq!(widths, [("sim", 32), ("sim", 64), ("narrow", 32), ("narrow", 32)]);
        assert_eq!((&rows[2].device[..], &rows[3].device[..]), ("device 0", "device 1"));
        assert!(rows.iter().all(|row| row.ok));
        assert_eq!(rows[2].seconds, 0.125);
        let rows = session(2, None, Some(64)).expect("rows");
        assert_eq!(rows.len(), 1);
    }

    #[test]
    fn all_passes_over_a_backend_without_a_device() {
        let rows = session(0, None, None).expect("rows");
        assert!(rows.len() == 2 && rows.iter().all(|row| row.backend == "sim"));
    }

    #[test]
    fn a_backend_without_a_device_that_is_asked_for_says_why() {
        let error = session(0, Some("narrow"), None).expect_err("no device").to_string();
        assert_eq!(error, "there is no backend `narrow` here: it has no driver; or use sim or all");
    }

    #[test]
    fn a_width_that_the_backend_has_not() {
        let error = session(1, Some("narrow"), Some(64)).expect_err("no such width");
        let backend = "narrow".to_owned();
        assert_eq!(error, PlanError::Width { backend, width: 64, widths: vec![32] });
    }
}
