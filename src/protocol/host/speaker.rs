//! What every protocol has to do for a running program.

use super::error::HostError;
use super::program::Program;
use crate::search::{Limits, StopToken};
use crate::table::{Action, Progress, Table};
use std::time::{Duration, Instant};

/// How long a program may take to say which protocol it speaks, or that it is ready.
pub(super) const START_UP: Duration = Duration::from_secs(15);
/// Characters of a program's name for itself, or of an option's, that are kept.
pub(super) const LONGEST_NAME: usize = 64;

/// A protocol spoken to a running program.
pub(super) trait Speaker: Send {
    /// What the program calls itself.
    fn name(&self) -> &str;
    /// Begins a game.
    fn new_game(&mut self, program: &mut Program, table: &dyn Table) -> Result<(), HostError>;
    /// Asks for a move.
    fn think(&mut self, program: &mut Program, question: &mut Question<'_>) -> Result<Action, HostError>;
    /// The word that ends the program.
    fn farewell(&self) -> &'static str;
}

/// What a program is asked.
pub(super) struct Question<'a> {
    pub table: &'a dyn Table,
    pub limits: &'a Limits,
    pub stop: &'a StopToken,
    /// When waiting ends.
    pub until: Instant,
    pub tell: &'a mut dyn FnMut(Progress),
}
