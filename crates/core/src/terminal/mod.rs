//! What the programs of the command line say: results, remarks, progress, and errors with their exit status.

mod bar;
mod failure;
mod output;

pub use bar::Bar;
pub use failure::{Failure, one_line, report};
pub use output::{aside, json, line, time_text};
