//! The states of the program.

use bevy::prelude::*;

/// What fills the window.
#[derive(States, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Screen {
    /// Reading assets.
    #[default]
    Loading,
    /// The choice of a game.
    Title,
    /// The choice of opponents.
    Setup,
    /// The choice of an exercise.
    Trainer,
    /// A match.
    Match,
}

/// What lies over the screen.
#[derive(States, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Menu {
    /// Nothing.
    #[default]
    None,
    /// The match is paused.
    Pause,
    /// Settings.
    Settings,
    /// Keys and rules.
    Help,
    /// The rules of a game, with examples.
    Rules,
    /// Whether to give up.
    Resign,
    /// The games kept.
    Records,
    /// Other people's programs.
    Engines,
    /// What the engine has learnt.
    Lessons,
    /// The games of a file with many games.
    Games,
    /// A file is chosen.
    Files,
    /// The format in which a game is written to a file is chosen.
    Export,
    /// A picture of the match is ordered.
    Picture,
    /// A comment is written about the move that is shown.
    Comment,
}

/// Where a match stands.
#[derive(SubStates, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[source(Screen = Screen::Match)]
pub enum Phase {
    /// The pieces are being set up.
    #[default]
    SetUp,
    /// A person is to move.
    Human,
    /// An engine is to move.
    Think,
    /// A move is being shown.
    Animate,
    /// The match has ended.
    Over,
}

pub(super) fn plugin(app: &mut App) {
    app.init_state::<Screen>().init_state::<Menu>().add_sub_state::<Phase>();
}
