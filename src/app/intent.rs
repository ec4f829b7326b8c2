//! What the player wants: written by menus and keys, acted upon by the room concerned.

use super::play::MatchSetup;
use super::settings::Settings;
use super::state::Menu;
use crate::rules::Side;
use bevy::prelude::*;

/// A wish of the player's.
#[derive(Message, Clone, Debug, PartialEq)]
pub enum Intent {
    /// Back to the choice of a game.
    Title,
    /// Set up a match of this game.
    Choose(&'static str),
    /// Begin a match.
    Start(MatchSetup),
    /// Another match with the same setup; sides swapped if `true`.
    Rematch(bool),
    /// Go on with the match found in the journal.
    Resume,
    /// Forget the match found in the journal.
    Forget,
    /// Take back to one's own last turn.
    Undo,
    /// Play what was taken back again.
    Redo,
    /// Ask for a good move.
    Hint,
    /// Turn the board.
    Flip,
    /// Give up, as this side.
    Resign(Side),
    /// Open or close what lies over the screen.
    Menu(Menu),
    /// Change the settings.
    Settings(Settings),
    /// Fold or unfold the side panel of a narrow window.
    Panel,
    /// Leave the program.
    Quit,
}

pub(super) fn plugin(app: &mut App) {
    app.add_message::<Intent>();
}
