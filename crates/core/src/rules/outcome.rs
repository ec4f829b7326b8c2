//! How a game ended.

use super::Side;
use serde::{Deserialize, Serialize};

/// The result of a finished game: the winner, if any, and the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Outcome {
    /// The winner; `None` is a draw.
    pub winner: Option<Side>,
    /// What ended the game.
    pub reason: Reason,
}

impl Outcome {
    /// A win for `side`.
    pub const fn win(side: Side, reason: Reason) -> Self {
        Outcome { winner: Some(side), reason }
    }

    /// A draw.
    pub const fn draw(reason: Reason) -> Self {
        Outcome { winner: None, reason }
    }
}

/// What ended a game. The command line prints its key ([`Reason::key`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// The general is in check and no legal move is left (xiangqi).
    Checkmate,
    /// No legal move, but not in check (xiangqi: a loss).
    Stalemate,
    /// Five in a row (gomoku).
    Five,
    /// A line of three (tic-tac-toe).
    Three,
    /// A forbidden move was played (renju's black, when the opponent claims it).
    Forbidden,
    /// The position occurred for the third time with the same side to move.
    Repetition,
    /// One side gave check with every move of a repeated cycle.
    PerpetualCheck,
    /// One side chased a piece with every move of a repeated cycle.
    PerpetualChase,
    /// The limit of moves without a capture was reached.
    MoveLimit,
    /// A side has too few pieces left.
    Bare,
    /// The side to move has no legal move (two-eat-one: a loss).
    NoMove,
    /// The board is full.
    FullBoard,
    /// A side resigned.
    Resignation,
    /// A side's time ran out.
    Time,
    /// Both sides agreed to a draw.
    Agreement,
    /// A player left or could not continue (for example an engine that crashed).
    Abandoned,
    /// A record says who won but not how.
    Unstated,
}

impl Reason {
    /// All reasons.
    pub const ALL: [Reason; 17] = [
        Reason::Checkmate,
        Reason::Stalemate,
        Reason::Five,
        Reason::Three,
        Reason::Forbidden,
        Reason::Repetition,
        Reason::PerpetualCheck,
        Reason::PerpetualChase,
        Reason::MoveLimit,
        Reason::Bare,
        Reason::NoMove,
        Reason::FullBoard,
        Reason::Resignation,
        Reason::Time,
        Reason::Agreement,
        Reason::Abandoned,
        Reason::Unstated,
    ];

    /// The name that the command line prints.
    pub const fn key(self) -> &'static str {
        match self {
            Reason::Checkmate => "checkmate",
            Reason::Stalemate => "stalemate",
            Reason::Five => "five",
            Reason::Three => "three",
            Reason::Forbidden => "forbidden",
            Reason::Repetition => "repetition",
            Reason::PerpetualCheck => "perpetual-check",
            Reason::PerpetualChase => "perpetual-chase",
            Reason::MoveLimit => "move-limit",
            Reason::Bare => "bare",
            Reason::NoMove => "no-move",
            Reason::FullBoard => "full-board",
            Reason::Resignation => "resignation",
            Reason::Time => "time",
            Reason::Agreement => "agreement",
            Reason::Abandoned => "abandoned",
            Reason::Unstated => "unstated",
        }
    }
}
