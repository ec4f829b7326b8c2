//! What the player wants: written by menus and keys, acted upon by the part of the program concerned; and what such a wish carries.

use super::exercise::Drill;
use super::settings::Settings;
use super::setup::MatchSetup;
use super::state::Menu;
use crate::record::{Format, Record};
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

/// What a file is chosen for.
#[derive(Clone, Debug, PartialEq)]
pub enum FileAim {
    /// To read the games in it; several may be chosen.
    Open,
    /// To write something to it.
    Save {
        /// What is written.
        output: Output,
        /// The name that is offered, without its ending.
        name: String,
        /// The ending.
        ending: &'static str,
    },
}

/// What is written to a file.
#[derive(Clone, Debug, PartialEq)]
pub enum Output {
    /// A game in this format: the match, or this saved game.
    Game(Format, Option<PathBuf>),
    /// A picture of the match.
    Picture(PictureOrder),
}

/// A picture of the match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PictureOrder {
    /// An animated picture of the moves, or the position that is shown.
    pub animated: bool,
    /// Pixels of its longer side.
    pub pixels: u32,
    /// An animated picture begins with the position after so many moves of the match,
    pub from: usize,
    /// and ends with the position after so many.
    pub to: usize,
    /// Milliseconds for each move.
    pub pace_ms: u32,
}

/// A change of the saved games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SavedWish {
    /// Give this game another title; an empty one takes it away.
    Rename(PathBuf, String),
    /// Delete this game.
    Delete(PathBuf),
    /// Bring back what was deleted last.
    Restore,
}

/// What is copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Copied {
    /// The game with its variations and comments, as PGN.
    Game,
    /// The position that is shown.
    Position,
    /// The moves of the match.
    Moves,
    /// The part of the game that begins with this move, as PGN.
    From(NodeId),
}

/// What the player wants.
#[derive(Message, Clone, Debug, PartialEq)]
pub enum Intent {
    // The match.
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
    /// Keep a record of the match.
    Save,
    /// Read these files: a single game is opened, many are listed.
    Open(Vec<PathBuf>),
    /// Read a text that was pasted, likewise.
    Paste(String),
    /// Read what lies in the system's clipboard, likewise.
    PasteClipboard,
    /// Open this game; the path is that of its file.
    OpenRecord(Box<Record>, Option<PathBuf>),
    /// Open the game at this place of the list of games that were read.
    OpenListed(usize),
    /// Read no further.
    StopReading,
    /// Have files chosen.
    ChooseFile(FileAim),
    /// On the page that lists folders: another folder.
    EnterFolder(PathBuf),
    /// Files were chosen.
    FileChosen(FileAim, Vec<PathBuf>),
    /// Choose in which format the match is written to a file, or this saved game.
    Export(Option<PathBuf>),
    /// Change the saved games.
    Saved(SavedWish),
    /// Paint no further.
    StopPainting,
    /// Copy something of the match as text.
    Copy(Copied),
    /// Forget what was learnt from lost matches of this game, or of all.
    ForgetLessons(Option<&'static str>),

    // What is explored beside it.
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

    // What is on the screen.
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
