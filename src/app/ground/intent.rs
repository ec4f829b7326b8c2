//! Requests of the user: written by menus and keys, and handled by the responsible module; with the types of their data.

use super::exercise::Drill;
use super::laboratory::LabWish;
use super::position::PositionWish;
use super::settings::{OtherEngine, Settings};
use super::setup::MatchSetup;
use super::state::Menu;
use bevy::prelude::*;
use qiju_core::record::data::Data;
use qiju_core::record::{Charset, Format, Record};
use qiju_core::rules::Side;
use qiju_core::table::{Action, Choice, NodeId, PuzzleKind, Setup, TreeEdit};
use std::path::PathBuf;

/// A navigation step in the tree of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Go {
    /// To the beginning.
    Start,
    /// One move back.
    Back,
    /// One move forward.
    Forward,
    /// To the end of the match.
    End,
    /// Leave a variation or sketch and return to the match.
    Leave,
    /// To the position after this number of moves of the match.
    Ply(usize),
    /// To this node of the tree.
    To(NodeId),
}

/// A page of study beside the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StudyPage {
    /// The review of the game.
    Review,
    /// The engine's analysis of the position that is shown.
    Analysis,
}

/// How long a review searches each position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effort {
    /// A glance.
    Quick,
    /// Enough for most games.
    #[default]
    Normal,
    /// For games of good players.
    Thorough,
}

/// What is to be done with the positions before one's own mistakes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LearnStep {
    /// Begin with those of this side.
    Begin(Side),
    /// Show the better move.
    Show,
    /// Go to the next one.
    Next,
    /// End it.
    End,
}

/// What is to be done with the first steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskStep {
    /// Go to the task with this number, counted from 0.
    To(usize),
    /// Go to the next one.
    Next,
    /// Go to the one before.
    Previous,
    /// Begin this one again.
    Again,
    /// Show a move that leads on.
    Show,
}

/// How hard the puzzles are to be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PuzzleGrade {
    /// As the user's rating suggests.
    #[default]
    Suited,
    /// Easy.
    Easy,
    /// Medium.
    Medium,
    /// Hard.
    Hard,
}

/// Which puzzles the user wants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PuzzleWish {
    /// Of this kind; `None` is all kinds.
    pub kind: Option<PuzzleKind>,
    /// How hard.
    pub grade: PuzzleGrade,
}

/// What is to be done with puzzles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PuzzleStep {
    /// Begin with those of this game.
    Open(&'static str),
    /// Begin one of these.
    Wish(PuzzleWish),
    /// Give the next hint for the move.
    Hint,
    /// Show the solution.
    Show,
    /// Begin the next one.
    Next,
    /// Ask whether the results in this game are to be erased; then the answer.
    Erase(Option<bool>),
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
    /// All of the player's data.
    Data,
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
    /// The address of a page that shows the game, with as much of its variations and comments as fits.
    Link,
    /// The address of a page that shows the position that is shown.
    PositionLink,
    /// The part of the game that begins with this move, as PGN.
    From(NodeId),
}

/// A request of the user.
#[derive(Message, Clone, Debug, PartialEq)]
pub enum Intent {
    // For `play`: the match.
    /// Begin a match.
    Start(MatchSetup),
    /// Begin another match with the same setup; with sides swapped if `true`.
    Rematch(bool),
    /// Resume the match found in the journal.
    Resume,
    /// Discard the match found in the journal (`true`), or bring back the one that was discarded.
    Discard(bool),
    /// Undo to the user's own last turn.
    Undo,
    /// Redo.
    Redo,
    /// Take back all moves after the position shown.
    GoOnFromHere,
    /// Resign, as this side.
    Resign(Side),
    /// Offer a draw.
    OfferDraw,
    /// Agree to what the other player asks for (`true`), or decline it.
    Answer(bool),
    /// Play the move that waits for confirmation (`true`), or cancel it.
    Confirm(bool),
    /// Make this choice in the opening.
    Take(Choice),
    /// Restart a program that failed.
    TryAgain,
    /// Show the card that tells how the match ended, or put it away.
    ShowEnding(bool),
    /// Stop a match that is only watched (`true`), or let it go on.
    Pause(bool),
    /// Play one move of a match that is only watched, and stop.
    Step,
    /// Save a record of the match.
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
    /// Read again what was read last, with its texts in another encoding.
    ReadIn(Charset),
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
    /// Write all of the player's data to a file.
    ExportData,
    /// Ask whether these data are to be taken over; with the name of their file.
    OfferData(String, Box<Data>),
    /// Take over the data that were offered.
    TakeData,
    /// Erase the player's results of this game, or of all games.
    EraseResults(Option<&'static str>),
    /// Bring back the results that were erased last.
    RestoreResults,
    /// Delete the lessons of this game, or of all games.
    ForgetLessons(Option<&'static str>),

    // For `explore`: exploring the match.
    /// Show another node of the tree.
    Go(Go),
    /// Play a move that does not belong to the match: a variation, or a defence in an attempt to refute a win.
    Try(Action),
    /// Change the tree, but not the match: comments, glyphs, marks, the order of variations.
    Edit(TreeEdit),
    /// Show the moves of a repetition cycle, one after the other.
    ShowCycle,
    /// Request a hint.
    Hint,
    /// Switch the analysis on or off.
    Analyse,
    /// Open a page of study beside the board, or close it.
    Study(Option<StudyPage>),
    /// Have the game reviewed, again if it was already.
    ReviewWith(Effort),
    /// Stop the review that runs.
    StopReview,
    /// Show the next inaccuracy, mistake or blunder of the review (`true`), or the one before.
    NextError(bool),
    /// Learn from one's own mistakes.
    Learn(LearnStep),
    /// Let the analysis rest (`true`), or go on.
    PauseAnalysis(bool),
    /// Show so many lines of the analysis.
    AnalysisLines(usize),
    /// Have this program of the settings analyse, or our own engine.
    AnalyseWith(Option<String>),
    /// Send a button of an external program before its next search.
    PressOption {
        /// The program.
        engine: OtherEngine,
        /// The button's name.
        option: String,
    },
    /// Show the options of the external program with this name for this game, or the list of all programs.
    EngineOptions {
        /// The game's key.
        game: String,
        /// The program's name; `None` shows the list.
        name: Option<String>,
    },
    /// Take this line of the analysis, counted from 0, as a variation.
    TakeLine(usize),
    /// Show or hide the exact values of the moves of a solved game.
    Truth,
    /// Go through the match with the engine's judgement of its moves.
    Review,
    /// Show the refutation of the move with this number, counted from 0.
    Refute(usize),
    /// Look for a forced win in the position that is shown.
    SeekWin,
    /// Try to refute the proven win.
    Attempt,
    /// Puzzles.
    Puzzles(PuzzleStep),
    /// Open the page of exercises of this game.
    Trainer(&'static str),
    /// Open the editor of positions with this one.
    EditPosition {
        /// The game's key.
        game: &'static str,
        /// The variant and the position.
        setup: Setup,
    },
    /// Change the position in the editor, or do something with it.
    Position(PositionWish),
    /// Show the exercises of another variant on this page.
    TrainVariant(String),
    /// Begin this exercise.
    Train(Drill),
    /// Open the first steps of this game at the first task that is not done.
    FirstSteps(&'static str),
    /// Do this with the tasks of the first steps.
    Task(TaskStep),
    /// Start the computation of a variant's missing distances now.
    Prepare {
        /// The game's key.
        game: &'static str,
        /// The variant's.
        variant: String,
    },

    /// Something about the search laboratory.
    Laboratory(LabWish),

    // For `view`, `hand` and the pages: the screen.
    /// Go to the title page.
    Title,
    /// Show the player's own results in this game.
    Results(&'static str),
    /// Set up a match of this game.
    Choose(&'static str),
    /// Set up a match of this game from this position.
    SetUp {
        /// The game's key.
        game: &'static str,
        /// The variant and the position.
        setup: Setup,
    },
    /// Show the rules of a variant of this game.
    Rules(&'static str, String),
    /// Open or close a menu.
    Menu(Menu),
    /// Change the settings.
    Settings(Settings),
    /// Play a sound, to hear how loud it is.
    TrySound,
    /// Flip the board.
    Flip,
    /// Fold or unfold the side panel of a narrow window.
    Panel,
    /// Clear the selection on the board.
    LetGo,
    /// Quit the program.
    Quit,
}

pub(super) fn plugin(app: &mut App) {
    app.add_message::<Intent>();
}
