//! A progress bar.

use std::io::{self, IsTerminal, Write};
use std::sync::Mutex;
use web_time::{Duration, Instant};

/// The characters of the bar itself.
const WIDTH: u64 = 40;

/// A progress bar on standard error, if it is a terminal.
pub struct Bar {
    what: &'static str,
    terminal: bool,
    shown: Mutex<(Option<Instant>, u64)>,
}

impl Bar {
    /// A bar with this word before it.
    pub fn new(what: &'static str) -> Bar {
        Bar { what, terminal: io::stderr().is_terminal(), shown: Mutex::new((None, 0)) }
    }

    /// Updates the bar, at most ten times a second; it never goes back.
    pub fn show(&self, done: u64, whole: u64) {
        let Ok(mut shown) = self.shown.lock() else { return };
        let (last, most) = &mut *shown;
        *most = (*most).max(done.min(whole));
        if !self.terminal || last.is_some_and(|last| last.elapsed() < Duration::from_millis(100)) {
            return;
        }
        *last = Some(Instant::now());
        let filled = *most * WIDTH / whole.max(1);
        let bar: String = (0..WIDTH).map(|at| if at < filled { '█' } else { '·' }).collect();
        let _ = write!(io::stderr(), "\r{} {bar} {:>3} %", self.what, *most * 100 / whole.max(1));
    }

    /// How much is done, also without a terminal.
    pub fn done(&self) -> u64 {
        self.shown.lock().map_or(0, |shown| shown.1)
    }

    /// Removes the bar.
    pub fn close(&self) {
        if self.terminal {
            // Spaces, because not every console of Windows knows the sequence that erases a line.
            let _ = write!(io::stderr(), "\r{:1$}\r", "", self.what.len() + WIDTH as usize + 8);
        }
    }
}
