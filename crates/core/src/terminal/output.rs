//! Results on standard output, as text or as JSON, one object per line; remarks on standard error.

use super::failure::Failure;
use serde::Serialize;
use std::io::{self, Write};
use std::time::Duration;

/// Writes a line and flushes it, so that the reader sees it while the work continues.
pub fn line(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.write_all(b"\n")?;
    Ok(out.flush()?)
}

/// Writes an object as a line of JSON.
pub fn json(value: &impl Serialize) -> Result<(), Failure> {
    line(&serde_json::to_string(value).expect("our objects have string keys"))
}

/// Writes a line to standard error, for progress and remarks. It is not an error if that is closed.
pub fn aside(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// A time as text.
pub fn time_text(time: Duration) -> String {
    let ms = time.as_millis();
    if ms < 10_000 { format!("{ms} ms") } else { format!("{:.1} s", time.as_secs_f64()) }
}
