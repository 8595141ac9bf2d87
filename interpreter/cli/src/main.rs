//! The program; what it does stands in the library beside it.

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// A command makes millions of small things that it soon drops.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    netrep_cli::run()
}
