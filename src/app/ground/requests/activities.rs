//! Requests to the activities.

use crate::app::ground::exercise::Drill;
use bevy::prelude::*;
use qiju_core::record::letter::Letter;
use qiju_core::rules::Side;
use qiju_core::table::PuzzleKind;
use std::time::Duration;

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

/// To `activities::study::state::learn`: what is to be done with the positions before one's own mistakes.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
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

/// To `activities::first_steps`: what is to be done with the first steps.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskStep {
    /// Open the first steps of this game at the first task that is not done.
    Open(&'static str),
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
    /// With this theme; `None` is all.
    pub theme: Option<&'static str>,
    /// How hard.
    pub grade: PuzzleGrade,
}

/// To `activities::puzzles`: what is to be done with puzzles.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub enum PuzzleStep {
    /// Begin with those of this game.
    Open(&'static str),
    /// The same with the missed ones that are due, of whatever kind.
    Due(&'static str),
    /// Begin one of these.
    Wish(PuzzleWish),
    /// Show the themes, to choose one.
    Themes,
    /// Begin a timed run, or end it.
    Run(bool),
    /// Give the next hint for the move.
    Hint,
    /// Show the solution.
    Show,
    /// Begin the next one.
    Next,
    /// Ask whether the results in this game are to be erased; then the answer.
    Erase(Option<bool>),
}

/// To `activities::mistakes`: what is to be done with the player's own mistakes.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub enum MistakeStep {
    /// Open the page that says what is due.
    Open,
    /// Ask what is due: of this game, or of all games.
    Begin(Option<&'static str>),
    /// Show the better move.
    Show,
    /// Go to the next one.
    Next,
}

/// Which moves of the game on the board become the player's own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TreePart {
    /// Those that lead to the position that is shown.
    #[default]
    Line,
    /// The whole tree.
    Whole,
    /// The whole tree, in place of what the repertoire has.
    Instead,
}

/// What of a repertoire is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RepertoireDrill {
    /// What is due.
    Due,
    /// Everything.
    Whole,
    /// The other side defends by the proof, also beyond the repertoire.
    Proof,
}

/// To `activities::repertoire`: what is to be done with the player's own opening moves. Repertoires are told by their names.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub enum RepertoireStep {
    /// Open the page of all repertoires.
    Open,
    /// Moves of the game on the board are this side's own.
    Add(Side, TreePart),
    /// Ask the moves of this one.
    Train(String, RepertoireDrill),
    /// Show the answer.
    Show,
    /// Go to the next line, or end.
    Next,
    /// Look for moves of the other side to which this one has no answer.
    Gaps(String),
    /// Let the engine answer the move with this number among them, counted from 0.
    Fill(usize),
    /// Open the tree of this one.
    Look(String),
    /// Remove it.
    Remove(String),
    /// Bring back the one that was removed last.
    Restore,
}

/// To `activities::letters`: matches by letter.
#[derive(Message, Clone, Debug, PartialEq)]
pub enum LetterRequest {
    /// Show the list of matches.
    List,
    /// Show the letter of the match on the board, to be sent.
    Show,
    /// Show the link with which others can watch the match on the board.
    ShowLink,
    /// A letter is to be read.
    Read(Box<Letter>),
    /// A letter of the match on the board has come by itself, and has waited so long for the user.
    Came(Box<Letter>, Duration),
    /// Begin the match of the letter that was read, as the one it was written to, or watch it.
    Accept,
    /// Show the game of the letter that was read by itself.
    Look,
    /// Go on with the match with this number.
    GoOn(u64),
    /// Take this match off the list. Its game is kept among the saved games.
    PutAway(u64),
}

/// To `activities::study::state::review`.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReviewRequest {
    /// Go through the match with the engine's judgement of its moves.
    Show,
    /// Have the game reviewed, again if it was already.
    With(Effort),
    /// Stop the review that runs.
    Stop,
    /// Show the next inaccuracy, mistake or blunder (`true`), or the one before.
    NextError(bool),
}

/// To `activities::attempt`: try to refute the proven win.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttemptRequest;

/// To `activities::teaching`: what the user answers to the verdict on the last move.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub enum TeachRequest {
    /// Show on the board why it was bad.
    Why,
    /// Take it back, to try another one.
    Again,
    /// The opponent may go on.
    GoOn,
}

/// To `activities::voice`: put this into words.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub enum VoiceRequest {
    /// What stands at the cursor, where it can go, who attacks it, and whether it is defended.
    Here,
    /// All pieces, by side and kind.
    Pieces,
    /// The rows of the board.
    Rows,
    /// Whose turn it is, and the clocks.
    Clocks,
    /// The last moves.
    Moves,
    /// A move is to be typed.
    Type,
}

/// To `activities::threats`: what the other side threatens, or no longer.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreatRequest;

/// To `activities::exercises`: the exercises.
#[derive(Message, Clone, Debug, PartialEq)]
pub enum TrainerRequest {
    /// Open the page of exercises of this game.
    Open(&'static str),
    /// Show the exercises of another variant on this page.
    Variant(String),
    /// Begin this exercise.
    Begin(Drill),
}

pub(super) fn plugin(app: &mut App) {
    app.add_message::<LearnStep>();
    app.add_message::<TaskStep>();
    app.add_message::<PuzzleStep>();
    app.add_message::<MistakeStep>();
    app.add_message::<RepertoireStep>();
    app.add_message::<LetterRequest>();
    app.add_message::<ReviewRequest>();
    app.add_message::<AttemptRequest>();
    app.add_message::<TeachRequest>();
    app.add_message::<VoiceRequest>();
    app.add_message::<ThreatRequest>();
    app.add_message::<TrainerRequest>();
}
