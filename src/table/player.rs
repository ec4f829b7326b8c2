//! Players find moves: an engine of ours, or another program.
//!
//! A seat owns its player and lends it to the task that thinks. Question and answer are plain values: a table is its game, setup and actions;
//! [`SearchRequest`], [`Progress`] and the action found can be saved or sent to another process.

use super::{Action, Progress, SearchRequest, Table};
use crate::search::StopToken;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use thiserror::Error;

/// Why a player found no move.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PlayerError {
    /// There is no such engine of the game, or the program does not start.
    #[error("{0}")]
    Unavailable(String),
    /// The program ended.
    #[error("'{0}' died")]
    Died(String),
    /// The program gave no answer in the time it had, and more.
    #[error("'{0}' gave no answer")]
    Silent(String),
    /// The program answered with something that is no legal move.
    #[error("'{player}' answered '{answer}': {why}")]
    Illegal {
        /// The program.
        player: String,
        /// What it said.
        answer: String,
        /// What is wrong with it.
        why: String,
    },
}

/// Finds moves. It keeps between moves what helps it: a transposition table, a running program.
pub trait Player: Send {
    /// Gets ready for a search, so that [`think`](Player::think) begins at once: builds the engine, starts the program. Without it that is
    /// done by the first search.
    ///
    /// # Errors
    /// There is no such engine, or the program does not start.
    fn prepare(&mut self, table: &dyn Table, request: &SearchRequest) -> Result<(), PlayerError>;

    /// The best move found for the side to move (or the best choice, in an opening); `None` only where the game is over. Once the token is raised
    /// it answers with what it has.
    ///
    /// # Errors
    /// There is no such engine, or the program failed; a failed program is started again for the next question.
    fn think(
        &mut self,
        table: &dyn Table,
        request: &SearchRequest,
        stop: &StopToken,
        tell: &mut dyn FnMut(Progress),
    ) -> Result<Option<Action>, PlayerError>;

    /// A new game begins: what was kept of the last one is forgotten.
    fn new_game(&mut self);
}

/// A player that tasks and threads can use: clones are the same player. It answers one question at a time; another one waits until the search before it,
/// which has been stopped, has ended.
#[derive(Clone)]
pub struct PlayerHandle(Arc<Mutex<Box<dyn Player>>>);

impl PlayerHandle {
    /// A handle of this player.
    pub fn new(player: Box<dyn Player>) -> Self {
        PlayerHandle(Arc::new(Mutex::new(player)))
    }

    /// The player, for as long as the guard is held.
    pub fn lock(&self) -> MutexGuard<'_, Box<dyn Player>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for PlayerHandle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("PlayerHandle")
    }
}
