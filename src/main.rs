//! The program: reads the command line and runs what it asks for.

use std::process::ExitCode;

fn main() -> ExitCode {
    qiju::cli::run(std::env::args_os())
}
