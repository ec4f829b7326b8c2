//! A child process as lines in and lines out, and its end: whatever happens to us, it and what it started go.
//!
//! The program leads a process group of its own, which is killed as a whole. Should we be killed ourselves, a watcher does it: a shell that
//! waits for a word on a pipe which only we hold, and takes the end of the pipe for our own.

use super::error::HostError;
use crate::protocol::text::{Line, clean, read_line};
use std::io::{BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// Longer lines are passed over: no protocol has them, and a program may not fill our memory.
const LONGEST_LINE: usize = 1 << 14;
/// Lines that wait to be read; a program that says more waits itself. So many may also wait to be written.
const WAITING_LINES: usize = 1024;
/// How long a program may take to leave when it is asked to.
const TO_LEAVE: Duration = Duration::from_millis(500);
/// Characters of a program's words that a message shows.
const SHOWN: usize = 80;

/// What a program said, as a message shows it.
pub fn shown(words: &str) -> String {
    clean(words, SHOWN)
}

/// A running program. Reading and writing happen on threads of their own, so neither can hold the host up.
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
    pub fn start(command: &str) -> Result<Program, HostError> {
        let fail = |why: String| HostError::Start { command: command.to_owned(), why };
        let words = split(command).map_err(fail)?;
        let (name, arguments) = words.split_first().ok_or_else(|| fail("there is no program named".to_owned()))?;
        let mut call = Command::new(name);
        call.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // A group of its own, so that what the program starts ends with it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut call, 0);
        let mut child = call.spawn().map_err(|error| fail(error.to_string()))?;
        let watcher = Watcher::start(child.id());
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let (to_program, from_host) = sync_channel(WAITING_LINES);
        let (to_host, from_program) = sync_channel(WAITING_LINES);
        // From here on it is ended however this ends.
        let program = Program { command: command.to_owned(), child, lines: from_program, input: Some(to_program), watcher };
        let (Some(stdin), Some(stdout)) = (stdin, stdout) else { return Err(fail("it has no input or output".to_owned())) };
        let spawned = thread::Builder::new().spawn(move || write_lines(stdin, &from_host));
        let spawned = spawned.and_then(|_| thread::Builder::new().spawn(move || read_lines(stdout, &to_host)));
        spawned.map_err(|error| fail(error.to_string()))?;
        Ok(program)
    }

    /// The command line it was started with.
    pub fn command(&self) -> &str {
        &self.command
    }

    /// Sends a line. A program that has not read the last thousand is taken to be hanging.
    pub fn send(&self, line: &str) -> Result<(), HostError> {
        let Some(input) = &self.input else { return Err(self.died()) };
        input.try_send(format!("{line}\n")).map_err(|error| match error {
            TrySendError::Full(_) => self.silent(),
            TrySendError::Disconnected(_) => self.died(),
        })
    }

    /// The next line, without its end; `Ok(None)` if none came by then, however much was said before.
    pub fn line(&self, until: Instant) -> Result<Option<String>, HostError> {
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

    /// Drops what was said and not asked for, such as a second answer to the last question.
    pub fn forget_lines(&self) {
        self.lines.try_iter().take(WAITING_LINES).for_each(drop);
    }

    /// The program ended.
    pub fn died(&self) -> HostError {
        HostError::Died { command: self.command.clone() }
    }

    /// The program does not answer.
    pub fn silent(&self) -> HostError {
        HostError::Silent { command: self.command.clone() }
    }

    /// Asks the program to leave, and sees to it.
    pub fn end(&mut self, farewell: &str) {
        let _ = self.send(farewell);
        // With the sender goes the program's input.
        self.input = None;
        let until = Instant::now() + TO_LEAVE;
        while Instant::now() < until {
            if matches!(self.child.try_wait(), Ok(Some(_))) {
                break;
            }
            // A program that is still talking must not wait for a reader.
            self.forget_lines();
            thread::sleep(Duration::from_millis(5));
        }
        self.kill();
    }

    fn kill(&mut self) {
        #[cfg(unix)]
        if let Some(group) = i32::try_from(self.child.id()).ok().and_then(rustix::process::Pid::from_raw) {
            // The whole group: the standard library only kills the child itself.
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
        // Also after `end`: then the program has ended and so has its watcher.
        if self.watcher.is_some() || self.input.is_some() {
            self.kill();
        }
    }
}

/// A shell that kills a process group when we are gone.
struct Watcher(Child);

impl Watcher {
    /// `None` where there is no shell: then only what ends us in good order ends the program.
    fn start(group: u32) -> Option<Watcher> {
        if !cfg!(unix) {
            return None;
        }
        let mut call = Command::new("sh");
        call.args(["-c", r#"read -r word || kill -9 -"$1""#, "sh", &group.to_string()]);
        call.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        // What a terminal sends to us it does not send to the watcher.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut call, 0);
        call.spawn().ok().map(Watcher)
    }

    /// There is nothing left to be killed.
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

/// Nothing that a terminal, a record or the window would obey comes in.
fn read_lines(stdout: ChildStdout, lines: &SyncSender<String>) {
    let mut reader = BufReader::new(stdout);
    loop {
        match read_line(&mut reader, LONGEST_LINE) {
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

/// A command line as words: split at blanks, held together by quotes, a backslash takes the next character as it is
/// (outside single quotes).
fn split(command: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = command.chars();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some('\''), c) => word.get_or_insert_default().push(c),
            (_, '\\') => word.get_or_insert_default().push(chars.next().ok_or("it ends with a backslash")?),
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
        return Err("a quote is not closed".to_owned());
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
