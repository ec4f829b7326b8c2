//! The players of a match as entities.

use crate::app::ground::engines::OtherEngine;
use bevy::prelude::*;
use qiju_core::protocol::host::{Buttons, OptionValues, ProgramPlayer};
use qiju_core::rules::Side;
use qiju_core::table::{Lessons, PlayerHandle};
use std::time::Duration;

/// The additional time before a program counts as not answering.
const PATIENCE: Duration = Duration::from_secs(10);

/// A seat: an entity with this and [`Human`], [`Friend`], [`Computer`] or [`ExternalProgram`].
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
    /// The key of its manner.
    pub manner: Option<String>,
    /// Its engine.
    pub player: PlayerHandle,
    /// The lessons, if it uses them.
    pub lessons: Option<Lessons>,
}

/// A friend elsewhere plays.
#[derive(Component, Clone, Copy, Debug)]
pub struct Friend;

/// An external program plays.
#[derive(Component, Clone, Debug)]
pub struct ExternalProgram {
    /// Its name in the settings.
    pub name: String,
    /// The program with its command line and its options, after the first request.
    running: Option<(String, OptionValues, PlayerHandle)>,
}

impl ExternalProgram {
    /// The program with this name in the settings; it is started for the first request.
    pub fn new(name: String) -> Self {
        ExternalProgram { name, running: None }
    }

    /// The player with this command line and these options, which may have changed in the settings.
    pub(super) fn player(&mut self, engine: &OtherEngine, buttons: Buttons) -> PlayerHandle {
        let OtherEngine { command, values, .. } = engine;
        if let Some((.., player)) = self.running.as_ref().filter(|(running, set, _)| running == command && set == values) {
            return player.clone();
        }
        let player = ProgramPlayer::new(command.clone(), PATIENCE).with_options(values.clone(), buttons);
        let player = player.with_start_up(engine.start_up());
        let player = PlayerHandle::new(Box::new(player));
        self.running = Some((command.clone(), values.clone(), player.clone()));
        player
    }
}
