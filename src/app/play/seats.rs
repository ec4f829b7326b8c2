//! The players of a match as entities.

use crate::protocol::host::ProgramPlayer;
use crate::rules::Side;
use crate::table::{Lessons, PlayerHandle};
use bevy::prelude::*;
use std::time::Duration;

/// The additional time before a program counts as not answering.
const PATIENCE: Duration = Duration::from_secs(10);

/// A seat: an entity with this and [`Human`] or [`Computer`].
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
    /// The lessons, if it uses them.
    pub lessons: Option<Lessons>,
}

/// An external program plays.
#[derive(Component, Clone, Debug)]
pub struct ExternalProgram {
    /// Its name in the settings.
    pub name: String,
    /// The program and its command line, after the first request.
    running: Option<(String, PlayerHandle)>,
}

impl ExternalProgram {
    /// The program with this name in the settings; it is started for the first request.
    pub fn new(name: String) -> Self {
        ExternalProgram { name, running: None }
    }

    /// The player with this command line, which may have changed in the settings.
    pub(super) fn player(&mut self, command: &str) -> PlayerHandle {
        if let Some((_, player)) = self.running.as_ref().filter(|(running, _)| running == command) {
            return player.clone();
        }
        let player = PlayerHandle::new(Box::new(ProgramPlayer::new(command.to_owned(), PATIENCE)));
        self.running = Some((command.to_owned(), player.clone()));
        player
    }
}
