//! A child process as lines in and lines out.

use super::HostError;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// Longer lines are cut: no protocol has them, and a program may not fill our memory.
const LONGEST_LINE: u64 = 1 << 16;
/// Lines that wait to be read; a program that says more waits itself.
const WAITING_LINES: usize = 1024;
/// How long a program may take to leave when it is asked to.
const TO_LEAVE: Duration = Duration::from_millis(500);

/// A running program. Reading and writing happen on threads of their own, so neither can hold the host up.
pub struct Program {
    command: String,
    child: Child,
    lines: Receiver<String>,
    /// `None` once the program has been told to end.
    input: Option<Sender<String>>,
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
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let (Some(stdin), Some(stdout)) = (stdin, stdout) else { return Err(fail("it has no input or output".to_owned())) };
        let (to_program, from_host) = channel();
        let (to_host, from_program) = sync_channel(WAITING_LINES);
        let spawned = thread::Builder::new().spawn(move || write_lines(stdin, &from_host));
        let spawned = spawned.and_then(|_| thread::Builder::new().spawn(move || read_lines(stdout, &to_host)));
        let mut program = Program { command: command.to_owned(), child, lines: from_program, input: Some(to_program) };
        match spawned {
            Ok(_) => Ok(program),
            Err(error) => {
                program.kill();
                Err(fail(error.to_string()))
            }
        }
    }

    /// The command line it was started with.
    pub fn command(&self) -> &str {
        &self.command
    }

    /// Sends a line.
    pub fn send(&self, line: &str) -> Result<(), HostError> {
        let sent = self.input.as_ref().is_some_and(|input| input.send(format!("{line}\n")).is_ok());
        if sent { Ok(()) } else { Err(self.died()) }
    }

    /// The next line, without its end; `Ok(None)` if none came by then.
    pub fn line(&self, until: Instant) -> Result<Option<String>, HostError> {
        match self.lines.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(line) => Ok(Some(line)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(self.died()),
        }
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
            while self.lines.try_recv().is_ok() {}
            thread::sleep(Duration::from_millis(5));
        }
        self.kill();
    }

    fn kill(&mut self) {
        #[cfg(unix)]
        {
            // The whole group, through the shell: the standard library only kills the child itself.
            let group = format!("kill -9 -{} 2>/dev/null", self.child.id());
            let _ = Command::new("sh").args(["-c", &group]).stdin(Stdio::null()).status();
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        if self.input.is_some() {
            self.kill();
        }
    }
}

fn write_lines(mut stdin: ChildStdin, lines: &Receiver<String>) {
    for line in lines {
        if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            break;
        }
    }
}

fn read_lines(stdout: ChildStdout, lines: &SyncSender<String>) {
    let mut reader = BufReader::new(stdout);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => break,
            Ok(_) => {}
        }
        if lines.send(String::from_utf8_lossy(&bytes).trim().to_owned()).is_err() {
            break;
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
