//! Running a program to its end.

use std::path::Path;
use std::process::{Command, Output};

use crate::Error;

/// What `command` wrote, where it succeeded.
pub(crate) fn run(step: impl Into<String>, command: &mut Command) -> Result<String, Error> {
    let output = start(command)?;
    if !output.status.success() {
        return Err(Error::Failed {
            step: step.into(),
            status: output.status,
            output: both(&output).trim_end().to_owned(),
        });
    }
    Ok(both(&output))
}

/// What `command` wrote to its standard output, or `None` where it did not start or failed.
pub(crate) fn ask(command: &mut Command) -> Option<String> {
    let output = start(command).ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

fn start(command: &mut Command) -> Result<Output, Error> {
    command.output().map_err(|source| Error::NotStarted {
        program: Path::new(command.get_program()).to_owned(),
        source,
    })
}

fn both(output: &Output) -> String {
    format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}
