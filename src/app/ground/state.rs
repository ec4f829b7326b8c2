//! The states of the program.

use super::activity::Activity;
use bevy::prelude::*;

/// The screens.
#[derive(States, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Screen {
    /// Loading assets.
    #[default]
    Loading,
    /// The title page.
    Title,
    /// The setup page.
    Setup,
    /// The page of exercises.
    Trainer,
    /// The editor of positions.
    Editor,
    /// A match.
    Match,
}

/// The menus over a screen.
#[derive(States, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Menu {
    /// None.
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
    /// The question whether to resign.
    Resign,
    /// The saved games.
    Records,
    /// The external engines.
    Engines,
    /// The lessons of the engine.
    Lessons,
    /// The games of a file with many games.
    Games,
    /// A file is chosen.
    Files,
    /// The format in which a game is written to a file is chosen.
    Export,
    /// A picture of the match is ordered.
    Picture,
    /// Writing a comment on the move that is shown.
    Comment,
    /// A page of its own over the whole window.
    Page(Activity),
    /// The question whether all data are to be taken over from a file.
    Data,
}

pub(super) fn plugin(app: &mut App) {
    app.init_state::<Screen>().init_state::<Menu>();
}
