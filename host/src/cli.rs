//! The program `wavewise`: its arguments, its output and its exit status.

use std::fmt::Display;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{Args, Parser, Subcommand, ValueEnum};
use serde::Serialize;

use crate::element::DType;
use crate::input::{self, Format, InputError, Options, Source};
use crate::report::{Devices, Report};
use crate::runtime::{self, Kernel, Operator};
use crate::session::{self, Plan, PlanError};

/// All results are right.
const RIGHT: u8 = 0;
/// A result is wrong, or a kernel failed.
const WRONG: u8 = 1;
/// The input or the arguments are bad.
const BAD: u8 = 2;

/// Runs wave-level kernels on your data, on every backend this machine has, and checks them.
#[derive(Debug, Parser)]
#[command(name = "wavewise", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List the devices that kernels can run on.
    Devices {
        /// One JSON object instead of a table.
        #[arg(long)]
        json: bool,
    },
    /// Reduce an array to one value, and hold that against a CPU reference.
    Reduce(Reduce),
}

/// Each backend runs the kernel at each width. A result is right if it differs from the reference
/// by no more than the bound that the depth of the kernel's tree and the sum of magnitudes allow;
/// integers, min and max must be exact. Integer sums wrap around; min and max prefer a number to
/// NaN. No elements (a .npy of shape (0,), or --random 0) give the operator's identity.
///
/// After a wrong result the kernel runs once more over ones, and the ratio of that names the fault.
#[derive(Debug, Args)]
#[command(after_long_help = FORMATS)]
struct Reduce {
    /// The file with the elements, - for standard input.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["random", "seed"])]
    input: Option<PathBuf>,

    /// So many random values [default: 1000003, without --input].
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    random: Option<u64>,

    /// The seed of the random values.
    #[arg(long, default_value_t = 1, allow_negative_numbers = true)]
    seed: u64,

    /// The type of the elements [default: that of a .npy file, else f32].
    #[arg(long)]
    dtype: Option<DType>,

    /// How the file's bytes are read [default: by content and name, see below].
    #[arg(long)]
    format: Option<Format>,

    /// Take NaN as a value: a sum with one is NaN, min and max pass it over.
    #[arg(long)]
    allow_nan: bool,

    /// How two elements become one.
    #[arg(long, default_value = "sum")]
    op: Operator,

    /// The backend, or all that there are: sim, cuda, hip, gfx9.
    ///
    /// hip is HIP's library, libamdhip64.so or what WAVEWISE_HIP_LIBRARY names. gfx9 is an
    /// interpreter of AMD machine code; it is among all up to 1048576 elements, on gfx942 and
    /// gfx1100, and runs any number on every chip where it is asked for.
    #[arg(long, default_value = "all")]
    backend: String,

    /// The lanes of a wave.
    #[arg(long, default_value = "all")]
    width: Width,

    /// The kernel; those called starter are faulty on purpose.
    #[arg(long, default_value = "butterfly")]
    kernel: Kernel,

    /// One JSON object instead of a table.
    #[arg(long)]
    json: bool,
}

const FORMATS: &str = "\
Formats, told apart in this order:
  1. what begins with \\x93NUMPY is a .npy file, little-endian and in C order;
  2. what is named .bin or .raw is raw little-endian elements;
  3. what is named .csv, .tsv or .txt is text;
  4. the rest, standard input too, is text if its first 4096 bytes are printable ASCII or white
     space, else raw.
Text is a table with commas, every line as long as the first, or numbers separated by white space.

Random values come from ChaCha8 (seed_from_u64), one 64-bit word each, the same on every machine:
floats of magnitude 2^-16 to 2^16, integers of all magnitudes, one in four negative.

JSON: n, dtype, op, seed, bits_agree, rows; a row has backend, device, width, kernel, value, bits,
reference, bound, difference, ok, ratio (value / reference; of a wrong result that over ones),
seconds (of the launches, by the device's clock where it has one), fault, error. Floats that JSON
has not are the strings \"NaN\", \"inf\" and \"-inf\".

Exit status: 0 all right, 1 a wrong result or a failed kernel, 2 bad input or arguments.";

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Width {
    #[value(name = "32")]
    Lanes32,
    #[value(name = "64")]
    Lanes64,
    All,
}

impl Width {
    fn lanes(self) -> Option<u32> {
        match self {
            Self::Lanes32 => Some(32),
            Self::Lanes64 => Some(64),
            Self::All => None,
        }
    }
}

/// What ends the program with status 2.
#[derive(Debug, thiserror::Error)]
enum BadRequest {
    #[error(transparent)]
    Input(#[from] InputError),
    #[error(transparent)]
    Plan(#[from] PlanError),
    #[error(
        "standard output cannot be written: {0}; expected a file or pipe that takes the result: check it and try again"
    )]
    Output(#[from] io::Error),
}

/// Runs the program on this process's arguments.
#[must_use]
pub fn main() -> ExitCode {
    let outcome = match Cli::try_parse() {
        Ok(Cli { command: Command::Devices { json } }) => devices(json),
        Ok(Cli { command: Command::Reduce(arguments) }) => reduce(&arguments),
        Err(error) => return ExitCode::from(refuse_arguments(&error)),
    };
    ExitCode::from(outcome.unwrap_or_else(|error| {
        complain(&error);
        BAD
    }))
}

fn devices(json: bool) -> Result<u8, BadRequest> {
    let devices = runtime::all().iter().flat_map(|runtime| runtime.devices()).collect();
    print(&Devices { devices }, json)?;
    Ok(RIGHT)
}

fn reduce(arguments: &Reduce) -> Result<u8, BadRequest> {
    const DEFAULT_N: u64 = 1_000_003;
    let runtimes = runtime::all();
    let plan = Plan {
        backend: (arguments.backend != "all").then(|| arguments.backend.clone()),
        width: arguments.width.lanes(),
        operator: arguments.op,
        kernel: arguments.kernel,
    };
    session::check(&runtimes, &plan)?;

    let source = match &arguments.input {
        Some(path) if path == Path::new("-") => Source::Stdin,
        Some(path) => Source::File(path.clone()),
        None => Source::Random { n: arguments.random.unwrap_or(DEFAULT_N), seed: arguments.seed },
    };
    let options = Options {
        dtype: arguments.dtype,
        format: arguments.format,
        allow_nan: arguments.allow_nan,
    };
    let data = input::load(&source, options)?;
    let seed = match source {
        Source::Random { seed, .. } => Some(seed),
        Source::File(_) | Source::Stdin => None,
    };

    let rows = session::run(&runtimes, &plan, &data)?;
    let report = Report::new(data.len() as u64, data.dtype(), plan.operator, seed, rows);
    print(&report, arguments.json)?;
    Ok(if report.ok() { RIGHT } else { WRONG })
}

/// Writes all of it at once.
fn print<T: Display + Serialize>(what: &T, json: bool) -> io::Result<()> {
    let mut text = if json { serde_json::to_string_pretty(what)? } else { what.to_string() };
    if json {
        text.push('\n');
    }
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        // Who reads has enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        outcome => outcome,
    }
}

/// Help where it was asked for, else what is wrong with the arguments in one line.
fn refuse_arguments(error: &clap::Error) -> u8 {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => match error.print() {
            Err(failure) if failure.kind() != io::ErrorKind::BrokenPipe => {
                complain(BadRequest::Output(failure));
                BAD
            }
            _ => RIGHT,
        },
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            complain("there is no command; expected devices or reduce: see `wavewise --help`");
            BAD
        }
        _ => {
            let text = error.render().to_string();
            let facts: Vec<&str> = text
                .lines()
                .map(str::trim)
                .take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more"))
                .filter(|line| !line.is_empty())
                .collect();
            let facts = facts.join(" ");
            let facts = facts.strip_prefix("error: ").unwrap_or(&facts);
            complain(format!("{facts}: see `wavewise --help`"));
            BAD
        }
    }
}

fn complain(message: impl Display) {
    // Nobody is left to tell where this fails.
    let _ = writeln!(io::stderr(), "wavewise: {message}");
}
