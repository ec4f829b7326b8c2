//! External programs as players: a child process with UCI, UCCI or Gomocup; the protocol is detected.
//!
//! A program cannot block or crash us: every wait has a timeout; the lengths of lines, options and queues are limited;
//! its output is checked by the rules, and control characters are removed. The process and all its children are ended
//! with the host and when this program ends. `docs/external-engines.md` describes it for users.

mod gomocup;
mod group;
mod options;
mod player;
mod program;
mod speaker;
mod uci;

pub use options::{Buttons, OptionKind, OptionValues, ProgramOption};
pub use player::ProgramPlayer;

use crate::games;
use crate::search::{Limits, StopToken};
use crate::table::{Action, PlayerError, Progress, Protocol, Table};
use program::Program;
use speaker::{Speaker, ThinkRequest};
use web_time::{Duration, Instant};

/// The usual limit of the time that a program may take to identify itself, and again to become ready.
pub const START_UP: Duration = Duration::from_secs(15);

/// A running external program that plays.
pub struct Host {
    program: Program,
    speaker: Box<dyn Speaker>,
}

impl Host {
    /// Starts a program and detects its protocol. `command` is split at spaces; quotes keep words together.
    ///
    /// # Errors
    /// It cannot be started or supports no protocol of the table's game.
    pub fn start(command: &str, table: &dyn Table) -> Result<Host, PlayerError> {
        Host::start_with(command, table, &OptionValues::new(), START_UP)
    }

    /// The same with values for the program's options (values that it does not take are left out) and with another
    /// limit than [`START_UP`].
    ///
    /// # Errors
    /// The same as for [`start`](Host::start).
    pub fn start_with(command: &str, table: &dyn Table, values: &OptionValues, start_up: Duration) -> Result<Host, PlayerError> {
        let game = games::find(table.game()).map_err(|error| PlayerError::no_start(command, error.into()))?;
        let mut host = match game.protocol {
            Protocol::Gomocup => gomocup::start(command, start_up)?,
            Protocol::UciAndUcci => uci::start(command, table, true, values, start_up)?,
            Protocol::Uci => uci::start(command, table, false, values, start_up)?,
        };
        host.new_game(table)?;
        Ok(host)
    }

    /// The program's own name, or its command line if it gives none.
    pub fn name(&self) -> &str {
        match self.speaker.name() {
            "" => self.program.command(),
            name => name,
        }
    }

    /// The options that the program declares.
    pub fn options(&self) -> &[ProgramOption] {
        self.speaker.options()
    }

    /// Sends a button of the program; nothing if it declares none of this name.
    ///
    /// # Errors
    /// It died or does not read.
    pub fn press(&mut self, button: &str) -> Result<(), PlayerError> {
        self.speaker.press(&self.program, button)
    }

    /// How many lines the next searches shall report. A program that declares no such option reports one.
    pub fn want_lines(&mut self, lines: u16) {
        self.speaker.want_lines(lines);
    }

    /// Tells the program that a new game begins.
    ///
    /// # Errors
    /// It died or does not answer.
    pub fn new_game(&mut self, table: &dyn Table) -> Result<(), PlayerError> {
        self.speaker.new_game(&mut self.program, table)
    }

    /// Requests a move from the program and checks that it is legal. It waits at most for `timeout`.
    ///
    /// # Errors
    /// The program exited, did not answer or gave a wrong answer. After [`PlayerError::Silent`] it must be started
    /// again.
    pub fn think(
        &mut self,
        table: &dyn Table,
        limits: &Limits,
        timeout: Duration,
        stop: &StopToken,
        tell: &mut dyn FnMut(Progress),
    ) -> Result<Action, PlayerError> {
        let until = Instant::now() + timeout;
        self.speaker.think(&mut self.program, &mut ThinkRequest { table, limits, stop, until, tell })
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        self.program.end(self.speaker.farewell());
    }
}
