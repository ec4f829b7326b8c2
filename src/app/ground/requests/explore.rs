//! Requests to what is shown beside a match: positions looked back at, analysis, the explorer, exact values.

use bevy::prelude::*;
use qiju_core::book::BookEdit;
use qiju_core::rules::Side;
use qiju_core::table::{Action, NodeId, TreeEdit};

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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StudyPage {
    /// The review of the game.
    Review,
    /// The engine's analysis of the position that is shown.
    Analysis,
    /// The moves that were played from this position in the games of the library.
    Explorer,
}

/// To `explore::cursor`: what is shown of the match, and what is written beside it.
#[derive(Message, Clone, Debug, PartialEq)]
pub enum CursorRequest {
    /// Show another node of the tree.
    Go(Go),
    /// Undo to the user's own last turn.
    Undo,
    /// Redo.
    Redo,
    /// Take back all moves after the position shown.
    GoOnFromHere,
    /// Show the moves of a repetition cycle, one after the other.
    ShowCycle,
    /// Play a move that does not belong to the match: a variation, or a defence in an attempt to refute a win.
    Try(Action),
    /// Change the tree, but not the match: comments, glyphs, marks, the order of variations.
    Edit(TreeEdit),
}

/// To `explore::hint`: a hint is wanted.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct HintRequest;

/// To `explore::analysis`.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub enum AnalysisRequest {
    /// Switch the analysis on or off.
    Switch,
    /// Switch it on, if it is not on.
    Begin,
    /// Let it rest (`true`), or go on.
    Pause(bool),
    /// Show so many lines.
    Lines(usize),
    /// Have this program of the settings analyse, or our own engine.
    With(Option<String>),
}

/// To `explore::lines`: take this line of the analysis, counted from 0, as a variation.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct TakeLine(pub usize);

/// To `explore::study`: open a page of study beside the board, or close it.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct StudyRequest(pub Option<StudyPage>);

/// The games that the explorer counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GamesOf {
    /// All of the library.
    Library,
    /// Those of the library that the player has played.
    Mine,
    /// The others of the library.
    Others,
    /// Those of our engine, which come with the program.
    Engine,
}

/// Which games the explorer counts; an empty part leaves none out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GamesFilter {
    /// A part of a player's name.
    pub player: String,
    /// The side of this player.
    pub side: Option<Side>,
    /// The first year.
    pub from: String,
    /// The last year.
    pub to: String,
    /// The winner; `Some(None)` for a draw.
    pub result: Option<Option<Side>>,
}

/// To `explore::explorer`: count these games.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub enum CountGames {
    /// Those of these players.
    Of(GamesOf),
    /// Those that a filter lets through; all without one.
    Only(Option<GamesFilter>),
}

/// To `explore::book`: a change of the opening book of the game on the board.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub enum BookRequest {
    /// Change what it has for the position that is shown.
    Edit(BookEdit),
    /// Put the last move before the position that is shown into it.
    AddLast,
}

/// To `explore::truth`: show or hide the exact values of the moves of a solved game.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct TruthRequest;

/// To `explore::refutation`: show the refutation of the move with this number, counted from 0.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct RefuteRequest(pub usize);

/// To `explore::proof`: look for a forced win of the running match.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeekWin;

/// To `explore::preparation`: start the computation of a variant's missing distances now.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct PrepareRequest {
    /// The game's key.
    pub game: &'static str,
    /// The variant's.
    pub variant: String,
}

pub(super) fn plugin(app: &mut App) {
    app.add_message::<CursorRequest>();
    app.add_message::<HintRequest>();
    app.add_message::<AnalysisRequest>();
    app.add_message::<TakeLine>();
    app.add_message::<StudyRequest>();
    app.add_message::<CountGames>();
    app.add_message::<BookRequest>();
    app.add_message::<TruthRequest>();
    app.add_message::<RefuteRequest>();
    app.add_message::<SeekWin>();
    app.add_message::<PrepareRequest>();
}
