//! The program; what it does stands in the library beside it.

use std::process::ExitCode;

fn main() -> ExitCode {
    netrep_cli::run()
}
