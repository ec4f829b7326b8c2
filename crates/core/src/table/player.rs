//! Players find moves: our own engines or other programs.
//!
//! A seat owns its player; the task that searches borrows it. Request and answer are plain values: a table can be stored as its game, setup and
//! actions; [`SearchRequest`], [`Progress`] and the action found can be saved or sent to another process.

use super::{Action, Progress, SearchRequest, Table};
use crate::message;
use crate::message::Message;
use crate::search::StopToken;
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use thiserror::Error;

/// Why a player found no move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Error)]
#[error("{}", Message::from(self))]
pub enum PlayerError {
    /// The game has no such engine, or the program does not start.
    Unavailable(Message),
    /// The program exited or closed its output.
    Died(String),
    /// The program did not answer, even some time after its deadline.
    Silent(String),
    /// The answer of the program is not a legal move.
    Illegal {
        /// The program.
        player: String,
        /// Its answer.
        answer: String,
        /// What is wrong with it.
        why: Message,
    },
}

crate::has_message!(PlayerError);

impl From<&PlayerError> for Message {
    fn from(error: &PlayerError) -> Message {
        match error {
            PlayerError::Unavailable(why) => why.clone(),
            PlayerError::Died(player) => message!("'{}' died", player),
            PlayerError::Silent(player) => message!("'{}' gave no answer", player),
            PlayerError::Illegal { player, answer, why } => message!("'{}' answered '{}': {}", player, answer, why),
        }
    }
}

impl PlayerError {
    /// A program that does not start, or has none of the protocols.
    pub fn no_start(command: &str, why: Message) -> PlayerError {
        PlayerError::Unavailable(message!("'{}' does not start: {}", command, why))
    }
}

/// Finds moves. It keeps its transposition table or its running program between moves.
pub trait Player: Send {
    /// Prepares for a search, so that [`think`](Player::think) can begin at once: creates the engine or starts the program. If it is not called,
    /// the first search does this.
    ///
    /// # Errors
    /// The game has no such engine, or the program does not start.
    fn prepare(&mut self, table: &dyn Table, request: &SearchRequest) -> Result<(), PlayerError>;

    /// The best move found for the side to move (or the best choice, in an opening); `None` only if the game is over. When the token is raised,
    /// it returns the best move so far.
    ///
    /// # Errors
    /// The game has no such engine, or the program failed. A failed program is started again for the next request.
    fn think(
        &mut self,
        table: &dyn Table,
        request: &SearchRequest,
        stop: &StopToken,
        tell: &mut dyn FnMut(Progress),
    ) -> Result<Option<Action>, PlayerError>;

    /// Clears what is kept from the last game.
    fn new_game(&mut self);
}

/// A player shared between tasks and threads: clones are the same player. It answers one request at a time; the next one waits until the current
/// search has ended.
#[derive(Clone)]
pub struct PlayerHandle {
    player: Arc<Mutex<Box<dyn Player>>>,
    number: u64,
}

impl PlayerHandle {
    /// A handle of this player.
    pub fn new(player: Box<dyn Player>) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        PlayerHandle { player: Arc::new(Mutex::new(player)), number: NEXT.fetch_add(1, Ordering::Relaxed) }
    }

    /// The number of the player: different for every player of this process.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Locks the player for a search; `None` if the search is stopped before the player is free.
    pub fn lock_unless(&self, stop: &StopToken) -> Option<MutexGuard<'_, Box<dyn Player>>> {
        stop.lock(&self.player)
    }

    /// Locks the player.
    pub fn lock(&self) -> MutexGuard<'_, Box<dyn Player>> {
        self.player.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for PlayerHandle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PlayerHandle({})", self.number)
    }
}
