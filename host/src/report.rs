//! [`Report`]: what a run tells, as a table and as JSON.

use std::fmt;

use serde::Serialize;

use crate::element::DType;
use crate::runtime::{DeviceInfo, Gpu, Operator};
use crate::session::{Row, bits_agree};

/// A reduction on every backend and width that was asked for.
///
/// As JSON one object with these fields. Floats that JSON has not are the strings `"NaN"`, `"inf"`
/// and `"-inf"`; what is undefined is `null`.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The number of elements.
    pub n: u64,
    /// Their type.
    pub dtype: DType,
    /// How two become one.
    pub op: Operator,
    /// The seed of random elements.
    pub seed: Option<u64>,
    /// Whether all results have the same bits; `None` where there are fewer than two.
    pub bits_agree: Option<bool>,
    /// A row for each backend, device and width.
    pub rows: Vec<Row>,
}

impl Report {
    /// The report of `rows`.
    #[must_use]
    pub fn new(n: u64, dtype: DType, op: Operator, seed: Option<u64>, rows: Vec<Row>) -> Self {
        Self { n, dtype, op, seed, bits_agree: bits_agree(&rows), rows }
    }

    /// Whether every row is right, and by no luck.
    #[must_use]
    pub fn ok(&self) -> bool {
        self.rows.iter().all(|row| row.ok && row.fault.is_none())
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} elements of {}", self.op, self.n, self.dtype)?;
        if let Some(seed) = self.seed {
            write!(f, ", random, seed {seed}")?;
        }
        f.write_str("\n\n")?;

        let header = [
            "backend",
            "device",
            "width",
            "kernel",
            "value",
            "bits",
            "reference",
            "bound",
            "difference",
            "ok",
            "seconds",
        ];
        let rows: Vec<_> = self.rows.iter().map(cells).collect();
        write_table(f, header, &rows)?;

        f.write_str("\nbits agree across rows: ")?;
        f.write_str(match self.bits_agree {
            Some(true) => "yes\n",
            Some(false) => "no\n",
            None => "there is one result or none\n",
        })?;
        if self.n == 0 {
            writeln!(
                f,
                "no elements: the value is the identity of {} over {}",
                self.op, self.dtype
            )?;
        }
        for row in &self.rows {
            let place = || format!("{}, width {}, {}", row.backend, row.width, row.kernel);
            if let Some(fault) = &row.fault {
                writeln!(f, "{}: {}", place(), fault.message)?;
            }
            if let Some(error) = &row.error {
                writeln!(f, "{}: {error}", place())?;
            }
        }
        Ok(())
    }
}

fn cells(row: &Row) -> [String; 11] {
    let or_dash = |cell: Option<String>| cell.unwrap_or_else(|| "-".to_owned());
    [
        row.backend.to_owned(),
        row.device.clone(),
        row.width.to_string(),
        row.kernel.to_string(),
        or_dash(row.value.map(|value| value.to_string())),
        or_dash(row.bits.clone()),
        row.reference.value().to_string(),
        or_dash(row.bound.map(|bound| size(bound.0))),
        or_dash(row.difference.map(size)),
        if row.ok { "ok".to_owned() } else { "WRONG".to_owned() },
        time(row.seconds),
    ]
}

/// Seconds: a GPU takes millionths of one.
fn time(seconds: f64) -> String {
    if seconds < 0.1 { format!("{seconds:.6}") } else { format!("{seconds:.3}") }
}

/// A difference: three digits are enough to compare by.
fn size(x: f64) -> String {
    if x == 0.0 { "0".to_owned() } else { format!("{x:.3e}") }
}

/// The devices that kernels can run on, as the program lists them.
#[derive(Clone, Debug, Serialize)]
pub struct Devices {
    /// All of them, by backend.
    pub devices: Vec<DeviceInfo>,
}

impl fmt::Display for Devices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows: Vec<_> = self
            .devices
            .iter()
            .map(|device| {
                let widths: Vec<_> = device.widths.iter().map(u32::to_string).collect();
                let gpu = |cell: fn(&Gpu) -> String| {
                    device.gpu.as_ref().map_or_else(|| "-".to_owned(), cell)
                };
                [
                    device.backend.to_owned(),
                    device.device.clone(),
                    widths.join(", "),
                    gpu(|gpu| gpu.capability.clone()),
                    gpu(|gpu| gpu.multiprocessors.to_string()),
                    gpu(|gpu| format!("{:.1} GiB", gpu.memory as f64 / f64::from(1 << 30))),
                    gpu(|gpu| gpu.driver.clone()),
                ]
            })
            .collect();
        let header = ["backend", "device", "widths", "capability", "SMs", "memory", "driver"];
        write_table(f, header, &rows)
    }
}

/// Columns two spaces apart, each as wide as its widest cell.
fn write_table<const K: usize>(
    f: &mut fmt::Formatter<'_>,
    header: [&str; K],
    rows: &[[String; K]],
) -> fmt::Result {
    let header = header.map(str::to_owned);
    let lines = || std::iter::once(&header).chain(rows);
    let width = |column: usize| lines().map(|line| line[column].chars().count()).max().unwrap_or(0);
    let widths: [usize; K] = std::array::from_fn(width);
    for line in lines() {
        let cells: Vec<_> =
            line.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        writeln!(f, "{}", cells.join("  ").trim_end())?;
    }
    Ok(())
}
