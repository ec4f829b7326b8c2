//! The order of the systems in a frame.

use bevy::prelude::*;

/// The steps of a frame, one after the other.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// Clocks.
    Tick,
    /// User input.
    Input,
    /// Engines.
    Think,
    /// The referee.
    Referee,
    /// The view.
    Animate,
    /// The phase of the match.
    Settle,
    /// The interface around the board.
    Ui,
}

pub(super) fn plugin(app: &mut App) {
    app.configure_sets(
        Update,
        (Step::Tick, Step::Input, Step::Think, Step::Referee, Step::Animate, Step::Settle, Step::Ui).chain(),
    );
}
