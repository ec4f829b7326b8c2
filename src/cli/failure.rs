//! How a command fails: with one line, and a status.

use crate::protocol::text::acts;
use crate::record::RecordError;
use crate::rules::PlayError;
use crate::table::{PlayerError, SetupError, SheetError};
use std::io::{self, Write};
use std::process::ExitCode;

/// Why a command did not do its work.
#[derive(Debug)]
pub enum Failure {
    /// Bad usage or bad input: status 2.
    Usage(String),
    /// The work could not be done: status 1.
    Work(String),
    /// Help or the version was asked for; this is the text. Status 0.
    Help(String),
    /// The reader of our output has closed it, so there is nothing to report. Status 0.
    Closed,
}

impl Failure {
    /// Bad usage or bad input.
    pub fn usage(why: impl Into<String>) -> Self {
        Failure::Usage(why.into())
    }

    /// The work could not be done.
    pub fn work(why: impl Into<String>) -> Self {
        Failure::Work(why.into())
    }
}

impl From<SetupError> for Failure {
    fn from(error: SetupError) -> Self {
        Failure::Usage(error.to_string())
    }
}

impl From<PlayError> for Failure {
    fn from(error: PlayError) -> Self {
        Failure::Usage(error.to_string())
    }
}

impl From<PlayerError> for Failure {
    fn from(error: PlayerError) -> Self {
        match error {
            PlayerError::Unavailable(_) => Failure::Usage(error.to_string()),
            PlayerError::Died(_) | PlayerError::Silent(_) | PlayerError::Illegal { .. } => Failure::Work(error.to_string()),
        }
    }
}

impl From<SheetError> for Failure {
    fn from(error: SheetError) -> Self {
        Failure::Usage(error.to_string())
    }
}

impl From<RecordError> for Failure {
    fn from(error: RecordError) -> Self {
        match error {
            RecordError::Bad { .. } => Failure::Usage(error.to_string()),
            RecordError::File { .. } => Failure::Work(error.to_string()),
        }
    }
}

/// Errors of standard output; other files name themselves.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::Closed,
            _ => Failure::Work(format!("standard output: {error}")),
        }
    }
}

/// What clap has against the arguments, in one line: its first paragraph.
pub fn of_clap(error: &clap::Error) -> Failure {
    let text = error.render().to_string();
    if !error.use_stderr() {
        return Failure::Help(text);
    }
    let paragraph = text.lines().take_while(|line| !line.trim().is_empty()).map(str::trim).collect::<Vec<_>>().join(" ");
    Failure::Usage(paragraph.strip_prefix("error: ").unwrap_or(&paragraph).to_owned())
}

/// Says what went wrong and gives the status. Where even standard error is closed the status has to do.
pub fn report(failure: Failure) -> ExitCode {
    let (why, status) = match failure {
        Failure::Closed => return ExitCode::SUCCESS,
        Failure::Help(text) => {
            let mut out = io::stdout().lock();
            match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
                Err(error) if error.kind() != io::ErrorKind::BrokenPipe => (format!("standard output: {error}"), 1),
                _ => return ExitCode::SUCCESS,
            }
        }
        Failure::Usage(why) => (why, 2),
        Failure::Work(why) => (why, 1),
    };
    let _ = writeln!(io::stderr(), "qiju: {}", one_line(&why));
    ExitCode::from(status)
}

/// Control characters (line ends above all) as blanks or escapes, and not without end.
pub(super) fn one_line(text: &str) -> String {
    const LONGEST: usize = 400;
    let mut line = String::new();
    for c in text.chars() {
        if line.len() >= LONGEST {
            line.push('…');
            break;
        }
        match c {
            '\n' | '\r' | '\t' => line.push(' '),
            c if acts(c) => line.extend(c.escape_default()),
            c => line.push(c),
        }
    }
    line
}
