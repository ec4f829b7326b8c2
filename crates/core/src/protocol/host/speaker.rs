//! The interface of a protocol for a running external program.

use super::options::ProgramOption;
use super::program::Program;
use crate::search::{Limits, StopToken};
use crate::table::{Action, PlayerError, Progress, Table};
use web_time::Instant;

/// The longest name of a program or of an option, in characters.
pub(super) const LONGEST_NAME: usize = 64;

/// A protocol for a running program.
pub(super) trait Speaker: Send {
    /// The program's own name.
    fn name(&self) -> &str;
    /// The options it declares.
    fn options(&self) -> &[ProgramOption] {
        &[]
    }
    /// Sends a button that the program declares.
    fn press(&mut self, _program: &Program, _button: &str) -> Result<(), PlayerError> {
        Ok(())
    }
    /// How many lines searches shall report from now on.
    fn want_lines(&mut self, _lines: u16) {}
    /// Begins a game.
    fn new_game(&mut self, program: &mut Program, table: &dyn Table) -> Result<(), PlayerError>;
    /// Requests a move.
    fn think(&mut self, program: &mut Program, question: &mut ThinkRequest<'_>) -> Result<Action, PlayerError>;
    /// The command that ends the program.
    fn farewell(&self) -> &'static str;
}

/// A request for a move.
pub(super) struct ThinkRequest<'a> {
    pub table: &'a dyn Table,
    pub limits: &'a Limits,
    pub stop: &'a StopToken,
    /// The end of the timeout.
    pub until: Instant,
    pub tell: &'a mut dyn FnMut(Progress),
}
