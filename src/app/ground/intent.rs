//! What the player wants: written by menus and keys, acted upon by the part of the program concerned; and what such a wish carries.

use super::exercise::Drill;
use super::settings::Settings;
use super::setup::MatchSetup;
use super::state::Menu;
use crate::rules::Side;
use crate::table::{Action, Choice, NodeId, TreeEdit};
use bevy::prelude::*;
use std::path::PathBuf;

/// A way through the tree of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Go {
    /// To the beginning.
    Start,
    /// One move back.
    Back,
    /// One move forward.
    Forward,
    /// To the present of the match.
    End,
    /// Out of the line that is shown beside the match, back to it.
    Leave,
    /// To the position after so many moves of the match.
    Ply(usize),
    /// To this node of the tree.
    To(NodeId),
}

/// What the player wants.
#[derive(Message, Clone, Debug, PartialEq)]
pub enum Intent {
    // For `play`: the match.
    /// Begin a match.
    Start(MatchSetup),
    /// Another match with the same setup; sides swapped if `true`.
    Rematch(bool),
    /// Go on with the match found in the journal.
    Resume,
    /// Discard the match found in the journal (`true`), or bring back the one that was discarded.
    Discard(bool),
    /// Take back to one's own last turn.
    Undo,
    /// Play what was taken back again.
    Redo,
    /// Take back all that was played after the moment looked at.
    GoOnFromHere,
    /// Give up, as this side.
    Resign(Side),
    /// Play the move that waits for its confirmation (`true`), or drop it.
    Confirm(bool),
    /// Choose this in the opening.
    Take(Choice),
    /// Ask a program that failed once more.
    TryAgain,
    /// Show the card that tells how the match ended, or put it away.
    ShowEnding(bool),
    /// Stop a match that is only watched (`true`), or let it go on.
    Pause(bool),
    /// Play one move of a match that is only watched, and stop.
    Step,
    /// Keep a record of the match.
    Save,
    /// Open a record.
    Open(PathBuf),
    /// Forget what was learnt from lost matches of this game, or of all.
    ForgetLessons(Option<&'static str>),

    // For `explore`: what is explored beside the match.
    /// Show another place of the tree.
    Go(Go),
    /// Play a move that is none of the match: a variation, or a defence against the win that is tried to be refuted.
    Try(Action),
    /// Change the tree beside the match: comments, glyphs, marks, the order of variations.
    Edit(TreeEdit),
    /// Show the moves from the position's earlier appearance to its last, one after the other.
    ShowCycle,
    /// Ask for a good move.
    Hint,
    /// Have the position analysed, or no more.
    Analyse,
    /// Take this line of the analysis, counted from 0, as a variation.
    TakeLine(usize),
    /// Show or hide what each move of a solved game is worth.
    Truth,
    /// Go through the match with the engine's judgement of its moves.
    Review,
    /// Play out the refutation of the move with this number, counted from 0.
    Refute(usize),
    /// Try to refute the win that is proven.
    Attempt,
    /// Choose an exercise of this game.
    Trainer(&'static str),
    /// On the page of exercises: those of another variant.
    TrainVariant(String),
    /// Begin this exercise.
    Train(Drill),
    /// Work out at once what a variant of a game can still know.
    Prepare {
        /// The game's key.
        game: &'static str,
        /// The variant's.
        variant: String,
    },

    // For `view`, `hand` and the pages: what is on the screen.
    /// Back to the choice of a game.
    Title,
    /// Set up a match of this game.
    Choose(&'static str),
    /// Read the rules of a variant of this game.
    Rules(&'static str, String),
    /// Open or close what lies over the screen.
    Menu(Menu),
    /// Change the settings.
    Settings(Settings),
    /// Play a sound, to hear how loud it is.
    TrySound,
    /// Turn the board.
    Flip,
    /// Fold or unfold the side panel of a narrow window.
    Panel,
    /// Let go of what is picked on the board.
    LetGo,
    /// Leave the program.
    Quit,
}

pub(super) fn plugin(app: &mut App) {
    app.add_message::<Intent>();
}
