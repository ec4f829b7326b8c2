//! A child process with input and output lines. It and its own child processes are always ended, even if we are killed.

use super::group::Group;
use crate::message;
use crate::message::Message;
use crate::protocol::text::{Line, LineReader, clean};
use crate::table::PlayerError;
use std::io::{BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::thread;
use web_time::{Duration, Instant};

/// Longer lines are ignored: no protocol needs them, and a program may not fill our memory.
const LONGEST_LINE: usize = 1 << 14;
/// The most lines that wait to be read; a program that sends more has to wait. The same limit holds for lines to be written.
const WAITING_LINES: usize = 1024;
/// The time for a program to exit after it is asked to.
const TO_LEAVE: Duration = Duration::from_millis(500);
/// The most characters of a program's text in a message.
const SHOWN: usize = 80;

/// A program's text as shown in a message.
pub fn shown(words: &str) -> String {
    clean(words, SHOWN)
}

/// A running program. Reading and writing have their own threads, so neither can block the host.
pub struct Program {
    command: String,
    child: Child,
    lines: Receiver<String>,
    /// `None` once the program has been told to end.
    input: Option<SyncSender<String>>,
    /// It and what it started; `None` once they are killed.
    group: Option<Group>,
}

impl Program {
    /// Starts a program from its command line.
    pub fn start(command: &str) -> Result<Program, PlayerError> {
        let fail = |why: Message| PlayerError::no_start(command, why);
        let words = split(command, cfg!(windows)).map_err(fail)?;
        let (name, arguments) = words.split_first().ok_or_else(|| fail(message!("no program is given")))?;
        let mut call = Command::new(name);
        call.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let (mut child, group) = Group::start(&mut call).map_err(|error| fail(Message::from(error)))?;
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let (to_program, from_host) = sync_channel(WAITING_LINES);
        let (to_host, from_program) = sync_channel(WAITING_LINES);
        // From here on the program is ended even if this function fails.
        let program =
            Program { command: command.to_owned(), child, lines: from_program, input: Some(to_program), group: Some(group) };
        let (Some(stdin), Some(stdout)) = (stdin, stdout) else { return Err(fail(message!("it has no input or output"))) };
        let spawned = thread::Builder::new().spawn(move || write_lines(stdin, &from_host));
        let spawned = spawned.and_then(|_| thread::Builder::new().spawn(move || read_lines(stdout, &to_host)));
        spawned.map_err(|error| fail(Message::from(error)))?;
        Ok(program)
    }

    /// The command line it was started with.
    pub fn command(&self) -> &str {
        &self.command
    }

    /// Sends a line. A program that has not read the last thousand lines counts as hanging.
    pub fn send(&self, line: &str) -> Result<(), PlayerError> {
        let Some(input) = &self.input else { return Err(self.died()) };
        input.try_send(format!("{line}\n")).map_err(|error| match error {
            TrySendError::Full(_) => self.silent(),
            TrySendError::Disconnected(_) => self.died(),
        })
    }

    /// The next line without its line end; `Ok(None)` if none arrives before `until`.
    pub fn line(&self, until: Instant) -> Result<Option<String>, PlayerError> {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(None);
        }
        match self.lines.recv_timeout(left) {
            Ok(line) => Ok(Some(line)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(self.died()),
        }
    }

    /// Discards unread lines, such as a second answer to the last request.
    pub fn forget_lines(&self) {
        self.lines.try_iter().take(WAITING_LINES).for_each(drop);
    }

    /// The error that the program exited.
    pub fn died(&self) -> PlayerError {
        PlayerError::Died(self.command.clone())
    }

    /// The error that the program does not answer.
    pub fn silent(&self) -> PlayerError {
        PlayerError::Silent(self.command.clone())
    }

    /// Asks the program to exit, and kills it if it does not.
    pub fn end(&mut self, farewell: &str) {
        let _ = self.send(farewell);
        // Dropping the sender closes the program's input.
        self.input = None;
        let until = Instant::now() + TO_LEAVE;
        while Instant::now() < until {
            if matches!(self.child.try_wait(), Ok(Some(_))) {
                break;
            }
            // A program that is still writing must not wait for a reader.
            self.forget_lines();
            thread::sleep(Duration::from_millis(5));
        }
        self.kill();
    }

    fn kill(&mut self) {
        if let Some(group) = self.group.take() {
            group.kill(&mut self.child);
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.kill();
    }
}

fn write_lines(mut stdin: ChildStdin, lines: &Receiver<String>) {
    for line in lines {
        if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            break;
        }
    }
}

/// Reads lines and replaces control characters.
fn read_lines(stdout: ChildStdout, lines: &SyncSender<String>) {
    let mut reader = LineReader::new(BufReader::new(stdout));
    loop {
        match reader.line(LONGEST_LINE) {
            Ok(Line::Text(line)) => {
                if lines.send(clean(&line, LONGEST_LINE)).is_err() {
                    break;
                }
            }
            Ok(Line::TooLong) => {}
            Ok(Line::End) | Err(_) => break,
        }
    }
}

/// The words of a command line: split at spaces, except in quotes; a backslash escapes the next character
/// (outside single quotes). On Windows a backslash and a single quote are characters of a path.
fn split(command: &str, windows: bool) -> Result<Vec<String>, Message> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = command.chars();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (_, '\\' | '\'') if windows => word.get_or_insert_default().push(c),
            (Some('\''), c) => word.get_or_insert_default().push(c),
            (_, '\\') => word.get_or_insert_default().push(chars.next().ok_or(message!("it ends with a backslash"))?),
            (None, '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    if quote.is_some() {
        return Err(message!("a quote is not closed"));
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(windows: bool, cases: &[(&str, Option<&[&str]>)]) {
        for &(command, expected) in cases {
            let words = split(command, windows).ok();
            let words: Option<Vec<&str>> = words.as_ref().map(|words| words.iter().map(String::as_str).collect());
            assert_eq!(words.as_deref(), expected, "{command}");
        }
    }

    #[test]
    fn command_lines_are_split_like_a_shell_does() {
        check(
            false,
            &[
                ("a b  c", Some(&["a", "b", "c"])),
                ("'a b' c", Some(&["a b", "c"])),
                (r#"sh -c "echo 'x y'""#, Some(&["sh", "-c", "echo 'x y'"])),
                (r"a\ b ''", Some(&["a b", ""])),
                ("", Some(&[])),
                ("'a", None),
                ("a\\", None),
            ],
        );
    }

    #[test]
    fn on_windows_backslashes_belong_to_paths() {
        check(
            true,
            &[
                (r"Z:\games\engine.exe gomoku", Some(&[r"Z:\games\engine.exe", "gomoku"])),
                (r#""C:\my games\" -x"#, Some(&[r"C:\my games\", "-x"])),
                (r#"C:\O'Neil\a.exe "" b"#, Some(&[r"C:\O'Neil\a.exe", "", "b"])),
                (r#""C:\O'Neil\a b.exe""#, Some(&[r"C:\O'Neil\a b.exe"])),
                (r#""C:\a b.exe"#, None),
            ],
        );
    }
}
