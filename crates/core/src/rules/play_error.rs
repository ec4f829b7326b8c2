//! Why a move was not played.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Why a move was not played: it could not be read, or the rules refuse it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PlayError {
    /// The text is not a move in any notation of the game.
    #[error("'{text}' is not a move: {why}")]
    Unreadable {
        /// The text as given.
        text: String,
        /// What is wrong with it.
        why: String,
    },
    /// The move was understood but is illegal.
    #[error("{0}")]
    Refused(#[from] Refusal),
}

/// Why the rules do not allow a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error, Serialize, Deserialize)]
pub enum Refusal {
    /// The game has ended.
    #[error("the game is over")]
    GameOver,
    /// The point is not on the board.
    #[error("that point is not on the board")]
    OffBoard,
    /// There is no piece to move.
    #[error("there is no piece on that point")]
    NoPiece,
    /// The piece belongs to the other side.
    #[error("that is not your piece")]
    NotYours,
    /// The target is occupied by a piece of the same side.
    #[error("your own piece is on that point")]
    OwnPiece,
    /// The point is occupied.
    #[error("that point is occupied")]
    Occupied,
    /// This piece does not move like that.
    #[error("this piece does not move like that")]
    WrongWay,
    /// A piece blocks the way: at a horse's leg, an elephant's eye, or on a chariot's path.
    #[error("a piece blocks the way")]
    Blocked,
    /// A cannon captures only over exactly one screen (a piece of either side).
    #[error("a cannon must jump over exactly one piece to capture")]
    NoScreen,
    /// Generals and advisors may not leave the palace.
    #[error("that piece may not leave the palace")]
    OutOfPalace,
    /// Elephants may not cross the river.
    #[error("an elephant may not cross the river")]
    AcrossRiver,
    /// The mover's own general would be in check.
    #[error("your general would be in check")]
    LeavesCheck,
    /// The two generals would face each other on an open file.
    #[error("the generals may not face each other")]
    GeneralsFace,
    /// A forbidden point of the opening rule or of renju.
    #[error("that point is forbidden: {0}")]
    Forbidden(Forbidden),
    /// The opening rule requires a choice before the next move.
    #[error("the opening rule requires a choice first")]
    ChooseFirst,
    /// An exercise in which only one side moves: the other side cannot answer a check.
    #[error("the other side does not move here, so it may not be put in check")]
    NeedsAnswer,
    /// The action does not exist in this game or in this phase.
    #[error("that is not a move of this game")]
    NoSuchAction,
}

/// Why a point is forbidden to black in renju.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error, Serialize, Deserialize)]
pub enum Forbidden {
    /// Six or more in a row.
    #[error("overline")]
    Overline,
    /// Two fours at once.
    #[error("double four")]
    DoubleFour,
    /// Two threes at once.
    #[error("double three")]
    DoubleThree,
}
