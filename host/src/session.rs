//! One run of the program: a reduction on each backend, device and width, each held against the
//! reference.

use std::time::Instant;

use serde::Serialize;

use crate::element::{Data, Number, Value};
use crate::fault::{Fault, diagnose};
use crate::progress::Progress;
use crate::reference::Reference;
use crate::runtime::{DeviceInfo, Job, Kernel, Operator, Runtime};

/// What to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The backend; all there are where it is `None`.
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
    /// No device has waves of that width.
    #[error(
        "no device here runs waves of {width} lanes; expected a width that `wavewise devices` lists: leave --width out for all of them"
    )]
    Width {
        /// What was asked for.
        width: u32,
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
    /// The wall-clock time of the launches.
    pub seconds: f64,
    /// What is wrong with the kernel, where its result is.
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
    let places = places(runtimes, plan)?;
    let reference = Reference::new(data, plan.operator);
    Ok(places.iter().map(|place| row(place, plan, data, &reference)).collect())
}

/// Whether `plan` can be run, before its data is read.
///
/// # Errors
///
/// [`PlanError`], if it cannot.
pub fn check(runtimes: &[Box<dyn Runtime>], plan: &Plan) -> Result<(), PlanError> {
    places(runtimes, plan).map(drop)
}

/// Whether all rows with a result have the same bits; `None` where fewer than two have one.
#[must_use]
pub fn bits_agree(rows: &[Row]) -> Option<bool> {
    let values: Vec<Value> = rows.iter().filter_map(|row| row.value).collect();
    (values.len() > 1).then(|| values.iter().all(|value| value.agrees(values[0])))
}

fn places<'a>(runtimes: &'a [Box<dyn Runtime>], plan: &Plan) -> Result<Vec<Place<'a>>, PlanError> {
    let asked =
        |runtime: &dyn Runtime| plan.backend.as_deref().is_none_or(|name| name == runtime.name());
    let mut places = Vec::new();
    let mut devices = 0;
    for runtime in runtimes.iter().map(|runtime| &**runtime).filter(|runtime| asked(*runtime)) {
        for (index, device) in runtime.devices().into_iter().enumerate() {
            devices += 1;
            for &width in &device.widths {
                if plan.width.is_none_or(|wanted| wanted == width) {
                    places.push(Place { runtime, index, device: device.clone(), width });
                }
            }
        }
    }
    if devices == 0 {
        let present: Vec<&str> = runtimes
            .iter()
            .filter(|runtime| !runtime.devices().is_empty())
            .map(|runtime| runtime.name())
            .collect();
        let asked = plan.backend.as_deref().unwrap_or("all").escape_debug().to_string();
        return Err(PlanError::Backend { asked, present: present.join(", ") });
    }
    match plan.width {
        Some(width) if places.is_empty() => Err(PlanError::Width { width }),
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
        Ok(value) => {
            let verdict = reference.judge(value, data.len() as u64);
            row.value = Some(value);
            row.bits = Some(value.bits());
            row.bound = Some(Number(verdict.bound));
            row.difference = verdict.difference;
            row.ratio = verdict.ratio;
            row.ok = verdict.ok;
            if !verdict.ok {
                match diagnose(place.runtime, place.index, &job) {
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
