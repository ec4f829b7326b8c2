//! The order of a frame's work.

use bevy::prelude::*;

/// The parts of a frame's work, one after the other.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// Clocks.
    Tick,
    /// What the player does.
    Input,
    /// What the engines do.
    Think,
    /// What becomes of it.
    Referee,
    /// How it is shown.
    Animate,
    /// The phase the match is in now.
    Settle,
    /// What is written around the board.
    Ui,
}

pub(super) fn plugin(app: &mut App) {
    app.configure_sets(
        Update,
        (Step::Tick, Step::Input, Step::Think, Step::Referee, Step::Animate, Step::Settle, Step::Ui).chain(),
    );
}
