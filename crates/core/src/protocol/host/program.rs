//! A child process with input and output lines. It and its own child processes are always ended, even if we are killed.
//!
//! The program is the leader of its own process group, which is killed as a whole. If we are killed ourselves, a watcher does it: a shell that
//! reads from a pipe whose other end only we hold; the pipe is closed when we end.

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
    watcher: Option<Watcher>,
}

impl Program {
    /// Starts a program from its command line.
    pub fn start(command: &str) -> Result<Program, PlayerError> {
        let fail = |why: Message| PlayerError::no_start(command, why);
        let words = split(command).map_err(fail)?;
        let (name, arguments) = words.split_first().ok_or_else(|| fail(message!("no program is given")))?;
        let mut call = Command::new(name);
        call.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // Its own process group, so that its child processes end with it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut call, 0);
        let mut child = call.spawn().map_err(|error| fail(Message::from(error)))?;
        let watcher = Watcher::start(child.id());
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let (to_program, from_host) = sync_channel(WAITING_LINES);
        let (to_host, from_program) = sync_channel(WAITING_LINES);
        // From here on the program is ended even if this function fails.
        let program = Program { command: command.to_owned(), child, lines: from_program, input: Some(to_program), watcher };
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
        #[cfg(unix)]
        if let Some(group) = i32::try_from(self.child.id()).ok().and_then(rustix::process::Pid::from_raw) {
            // The whole group, because the standard library only kills the child itself.
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
        if let Some(watcher) = self.watcher.take() {
            watcher.dismiss();
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // Also called after `end`; then the program and its watcher have already ended.
        if self.watcher.is_some() || self.input.is_some() {
            self.kill();
        }
    }
}

/// A shell that kills a process group if we end without ending it.
struct Watcher(Child);

impl Watcher {
    /// `None` if there is no shell: then the program is ended only if we end normally.
    fn start(group: u32) -> Option<Watcher> {
        if !cfg!(unix) {
            return None;
        }
        let mut call = Command::new("sh");
        call.args(["-c", r#"read -r word || kill -9 -"$1""#, "sh", &group.to_string()]);
        call.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        // Signals of the terminal must not reach the watcher.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut call, 0);
        call.spawn().ok().map(Watcher)
    }

    /// Ends the watcher when there is nothing left to kill.
    fn dismiss(mut self) {
        if let Some(mut stdin) = self.0.stdin.take() {
            let _ = stdin.write_all(b"done\n");
        }
        let _ = self.0.wait();
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
/// (outside single quotes).
fn split(command: &str) -> Result<Vec<String>, Message> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = command.chars();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some('\''), c) => word.get_or_insert_default().push(c),
            (_, '\\') => word.get_or_insert_default().push(chars.next().ok_or(message!("it ends with a backslash"))?),
            (Some(_), c) => word.get_or_insert_default().push(c),
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (None, c) => word.get_or_insert_default().push(c),
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

    #[test]
    fn command_lines_are_split_like_a_shell_does() {
        let cases: [(&str, Option<&[&str]>); 7] = [
            ("a b  c", Some(&["a", "b", "c"])),
            ("'a b' c", Some(&["a b", "c"])),
            (r#"sh -c "echo 'x y'""#, Some(&["sh", "-c", "echo 'x y'"])),
            (r"a\ b ''", Some(&["a b", ""])),
            ("", Some(&[])),
            ("'a", None),
            ("a\\", None),
        ];
        for (command, expected) in cases {
            let words = split(command).ok();
            let words: Option<Vec<&str>> = words.as_ref().map(|words| words.iter().map(String::as_str).collect());
            assert_eq!(words.as_deref(), expected, "{command}");
        }
    }
}
