//! A virtual screen for tests that open a window.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// A virtual screen of 1280 by 800 pixels, which ends with this value.
pub struct Display {
    /// Its name for `DISPLAY`.
    pub name: String,
    server: Child,
}

impl Display {
    /// Starts one.
    pub fn new() -> Display {
        // Without `-noreset` it starts anew when the last program leaves it, and then closes the connection of a program that is just
        // opening its window.
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1280x800x24", "-nolisten", "tcp", "-noreset"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb is installed (or say QIJU_SKIP_WINDOW=1)");
        let mut number = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut number).unwrap();
        Display { name: format!(":{}", number.trim()), server }
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}
