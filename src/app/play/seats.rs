//! The players of a match as entities.

use crate::protocol::host::ProgramPlayer;
use crate::rules::Side;
use crate::table::{Lessons, PlayerHandle};
use bevy::prelude::*;
use std::time::Duration;

/// How much longer than its time a program is waited for.
const PATIENCE: Duration = Duration::from_secs(10);

/// A seat at the table: an entity with this and [`Human`] or [`Computer`].
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seat(pub Side);

/// A person plays.
#[derive(Component, Clone, Copy, Debug)]
pub struct Human;

/// Our own engine plays.
#[derive(Component, Clone, Debug)]
pub struct Computer {
    /// Its level, 1 to 10.
    pub level: u8,
    /// Its engine.
    pub player: PlayerHandle,
    /// What lost games taught, where it heeds that.
    pub lessons: Option<Lessons>,
}

/// Another program plays.
#[derive(Component, Clone, Debug)]
pub struct ExternalProgram {
    /// Its name in the settings.
    pub name: String,
    /// The program and its command line, once it was asked for a move.
    running: Option<(String, PlayerHandle)>,
}

impl ExternalProgram {
    /// The program of this name in the settings; it is started when it is first asked for a move.
    pub fn new(name: String) -> Self {
        ExternalProgram { name, running: None }
    }

    /// The player by this command line, which the settings may have changed meanwhile.
    pub(super) fn player(&mut self, command: &str) -> PlayerHandle {
        if let Some((_, player)) = self.running.as_ref().filter(|(running, _)| running == command) {
            return player.clone();
        }
        let player = PlayerHandle::new(Box::new(ProgramPlayer::new(command.to_owned(), PATIENCE)));
        self.running = Some((command.to_owned(), player.clone()));
        player
    }
}
