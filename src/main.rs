//! The program: runs the command line.

use std::process::ExitCode;

fn main() -> ExitCode {
    qiju::cli::run(std::env::args_os())
}
