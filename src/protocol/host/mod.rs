//! Other programs as opponents: a child process that speaks UCI, UCCI or Gomocup, found out by asking it.
//!
//! Nothing a program does can hold us up or take us down: every wait has an end; lines, options and what waits are bounded; what it says
//! is checked against the rules and rid of characters that act on a terminal; and the process is ended with its host, and with this
//! program, with all it has started. `docs/external-engines.md` says what a program may count on.

mod error;
mod gomocup;
mod player;
mod program;
mod speaker;
mod uci;

pub use error::HostError;
pub use player::ProgramPlayer;

use crate::games;
use crate::search::{Limits, StopToken};
use crate::table::{Action, Progress, Protocol, Table};
use program::Program;
use speaker::{Question, Speaker};
use std::time::{Duration, Instant};

/// A running program that plays.
pub struct Host {
    program: Program,
    speaker: Box<dyn Speaker>,
}

impl Host {
    /// Starts a program and finds out what it speaks. `command` is split at blanks; quotes hold words together.
    ///
    /// # Errors
    /// It cannot be started or speaks no protocol of the table's game.
    pub fn start(command: &str, table: &dyn Table) -> Result<Host, HostError> {
        let game = games::find(table.game())
            .map_err(|error| HostError::Start { command: command.to_owned(), why: error.to_string() })?;
        let mut host = match game.protocol {
            Protocol::Gomocup => gomocup::start(command)?,
            Protocol::UciAndUcci => uci::start(command, table, true)?,
            Protocol::Uci => uci::start(command, table, false)?,
        };
        host.new_game(table)?;
        Ok(host)
    }

    /// What the program calls itself; its command line where it does not say.
    pub fn name(&self) -> &str {
        match self.speaker.name() {
            "" => self.program.command(),
            name => name,
        }
    }

    /// Tells the program that a game begins.
    ///
    /// # Errors
    /// It died or does not answer.
    pub fn new_game(&mut self, table: &dyn Table) -> Result<(), HostError> {
        self.speaker.new_game(&mut self.program, table)
    }

    /// The program's move. It is legal. Beyond `timeout` it is not waited for.
    ///
    /// # Errors
    /// It died, gave no answer or a wrong one. After [`HostError::Silent`] it must be started again.
    pub fn think(
        &mut self,
        table: &dyn Table,
        limits: &Limits,
        timeout: Duration,
        stop: &StopToken,
        tell: &mut dyn FnMut(Progress),
    ) -> Result<Action, HostError> {
        let until = Instant::now() + timeout;
        self.speaker.think(&mut self.program, &mut Question { table, limits, stop, until, tell })
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        self.program.end(self.speaker.farewell());
    }
}
