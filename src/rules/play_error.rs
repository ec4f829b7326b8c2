//! Why a move was not played.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Why a move was not played: it could not be read, or the rules refuse it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PlayError {
    /// The text is no move in any notation that is read here.
    #[error("'{text}' is no move: {why}")]
    Unreadable {
        /// The text as given.
        text: String,
        /// What is wrong with it.
        why: String,
    },
    /// The move is understood and against the rules.
    #[error("{0}")]
    Refused(#[from] Refusal),
}

/// What the rules have against a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error, Serialize, Deserialize)]
pub enum Refusal {
    /// The game has ended.
    #[error("the game is over")]
    GameOver,
    /// The point is not on the board.
    #[error("that point is not on the board")]
    OffBoard,
    /// There is no piece to move.
    #[error("no piece stands there")]
    NoPiece,
    /// The piece belongs to the other side.
    #[error("that piece is not yours to move")]
    NotYours,
    /// One's own piece stands on the target.
    #[error("your own piece stands there")]
    OwnPiece,
    /// The point is taken.
    #[error("that point is taken")]
    Occupied,
    /// This piece does not move like that.
    #[error("this piece does not move like that")]
    WrongWay,
    /// A piece stands in the way: a horse's leg, an elephant's eye, a chariot's path.
    #[error("a piece stands in the way")]
    Blocked,
    /// A cannon captures only over exactly one screen.
    #[error("a cannon captures over exactly one screen")]
    NoScreen,
    /// Generals and advisors stay in the palace.
    #[error("that piece may not leave the palace")]
    OutOfPalace,
    /// Elephants stay on their side of the river.
    #[error("an elephant may not cross the river")]
    AcrossRiver,
    /// One's own general would be left in check.
    #[error("your general would be in check")]
    LeavesCheck,
    /// The two generals would see each other on an open file.
    #[error("the generals may not face each other")]
    GeneralsFace,
    /// A forbidden point of the opening rule or of renju.
    #[error("a forbidden point: {0}")]
    Forbidden(Forbidden),
    /// The opening asks for a choice before the next move.
    #[error("the opening asks for a choice first")]
    ChooseFirst,
    /// An action this game or this phase does not know.
    #[error("that is no move of this game")]
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
