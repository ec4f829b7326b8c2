//! Errors of a command: one line and an exit status.

use crate::message::Message;
use crate::protocol::text::acts;
use crate::record::RecordError;
use crate::rules::PlayError;
use crate::table::{PlayerError, SetupError, SheetError};
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

/// Why a command failed.
#[derive(Debug)]
pub enum Failure {
    /// Wrong usage or input: status 2.
    Usage(String),
    /// The work could not be done: status 1.
    Work(String),
    /// The text of the help or the version. Status 0.
    Help(String),
    /// Our output was closed by its reader, so there is nothing to report. Status 0.
    Closed,
}

impl Failure {
    /// Wrong usage or input.
    pub fn usage(why: impl Into<String>) -> Self {
        Failure::Usage(why.into())
    }

    /// The work could not be done.
    pub fn work(why: impl Into<String>) -> Self {
        Failure::Work(why.into())
    }

    /// A file cannot be read or written.
    pub fn file(path: &Path, error: &io::Error) -> Self {
        Failure::Work(format!("{}: {}", path.display(), Message::from(error)))
    }

    /// What the parser of the arguments says: the help, or an error as one line, the first paragraph of its message and what it
    /// takes a misspelt word for.
    pub fn of_parser(text: String, is_error: bool) -> Self {
        if !is_error {
            return Failure::Help(text);
        }
        let Some(error) = text.strip_prefix("error: ") else {
            // The whole help, because it is a command that is missing.
            let usage = text.lines().find(|line| line.starts_with("Usage")).unwrap_or_default();
            return Failure::Usage(format!("no command was given. {usage}"));
        };
        let paragraph = error.lines().take_while(|line| !line.trim().is_empty()).map(str::trim).collect::<Vec<_>>();
        let tips = error.lines().filter_map(|line| line.trim().strip_prefix("tip: ")).filter(|tip| tip.contains("similar"));
        Failure::Usage([paragraph.join(" ")].into_iter().chain(tips.map(str::to_owned)).collect::<Vec<_>>().join("; "))
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

/// Errors of standard output; errors of other files already have the file's name.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::Closed,
            _ => Failure::Work(format!("standard output: {}", Message::from(&error))),
        }
    }
}

/// Prints the error of a program and returns the status. If standard error is closed, only the status is returned.
pub fn report(program: &str, failure: Failure) -> ExitCode {
    let (why, status) = match failure {
        Failure::Closed => return ExitCode::SUCCESS,
        Failure::Help(text) => {
            let mut out = io::stdout().lock();
            match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
                Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                    (format!("standard output: {}", Message::from(&error)), 1)
                }
                _ => return ExitCode::SUCCESS,
            }
        }
        Failure::Usage(why) => (why, 2),
        Failure::Work(why) => (why, 1),
    };
    let _ = writeln!(io::stderr(), "{program}: {}", one_line(&why));
    ExitCode::from(status)
}

/// Replaces control characters (mainly line ends) by spaces or escapes, and limits the length.
pub fn one_line(text: &str) -> String {
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
