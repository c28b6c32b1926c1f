//! The program `wavewise`.

use std::process::ExitCode;

fn main() -> ExitCode {
    wavewise_host::cli::main()
}
