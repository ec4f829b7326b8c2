//! How a game ended.

use super::Side;
use serde::{Deserialize, Serialize};

/// The end of a game: who won, if anybody, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Outcome {
    /// The winner; `None` is a draw.
    pub winner: Option<Side>,
    /// What ended the game.
    pub reason: Reason,
}

impl Outcome {
    /// A win of `side`.
    pub const fn win(side: Side, reason: Reason) -> Self {
        Outcome { winner: Some(side), reason }
    }

    /// A draw.
    pub const fn draw(reason: Reason) -> Self {
        Outcome { winner: None, reason }
    }
}

/// What ended a game. The keys ([`Reason::key`]) are the words of the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// The general is attacked and nothing helps (xiangqi).
    Checkmate,
    /// No legal move though not in check (xiangqi: a loss).
    Stalemate,
    /// Five in a row (gomoku), or the length the game asks for (tic-tac-toe's three).
    Five,
    /// A line of three (tic-tac-toe).
    Three,
    /// A forbidden move was played (renju's black, when the opponent claims it).
    Forbidden,
    /// The position stood for the third time with the same side to move.
    Repetition,
    /// One side checked at every move of a repeated cycle.
    PerpetualCheck,
    /// One side chased at every move of a repeated cycle.
    PerpetualChase,
    /// The limit of moves without a capture was reached.
    MoveLimit,
    /// Too few pieces are left to go on.
    Bare,
    /// The side to move has no legal move (two-eat-one: a loss).
    NoMove,
    /// The board is full.
    FullBoard,
    /// A side gave the game up.
    Resignation,
    /// A side's time ran out.
    Time,
    /// Both sides agreed on a draw.
    Agreement,
    /// A player broke off or could not go on (an engine that died, say).
    Abandoned,
    /// A record tells who won and not how.
    Unstated,
}

impl Reason {
    /// Every reason, for tables of words and their tests.
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

    /// The word the command line prints.
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
