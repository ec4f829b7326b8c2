//! Why a move was not played.

use crate::message;
use crate::message::Message;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Why a move was not played: it could not be read, or the rules refuse it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}", Message::from(self))]
pub enum PlayError {
    /// The text is not a move in any notation of the game.
    Unreadable {
        /// The text as given.
        text: String,
        /// What is wrong with it.
        why: Message,
    },
    /// The move was understood but is illegal.
    Refused(#[from] Refusal),
}

/// Why the rules do not allow a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error, Serialize, Deserialize)]
#[error("{}", Message::from(self))]
pub enum Refusal {
    /// The game has ended.
    GameOver,
    /// The point is not on the board.
    OffBoard,
    /// There is no piece to move.
    NoPiece,
    /// The piece belongs to the other side.
    NotYours,
    /// The target is occupied by a piece of the same side.
    OwnPiece,
    /// The point is occupied.
    Occupied,
    /// This piece does not move like that.
    WrongWay,
    /// A piece blocks the way: at a horse's leg, an elephant's eye, or on a chariot's path.
    Blocked,
    /// A cannon captures only over exactly one screen (a piece of either side).
    NoScreen,
    /// Generals and advisors may not leave the palace.
    OutOfPalace,
    /// Elephants may not cross the river.
    AcrossRiver,
    /// The mover's own general would be in check.
    LeavesCheck,
    /// The two generals would face each other on an open file.
    GeneralsFace,
    /// A forbidden point of the opening rule or of renju.
    Forbidden(Forbidden),
    /// The opening rule requires a choice before the next move.
    ChooseFirst,
    /// An exercise in which only one side moves: the other side cannot answer a check.
    NeedsAnswer,
    /// The action does not exist in this game or in this phase.
    NoSuchAction,
}

/// Why a point is forbidden to black in renju.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error, Serialize, Deserialize)]
#[error("{}", Message::from(self))]
pub enum Forbidden {
    /// Six or more in a row.
    Overline,
    /// Two fours at once.
    DoubleFour,
    /// Two threes at once.
    DoubleThree,
}

crate::has_message!(PlayError, Refusal, Forbidden);

impl From<&PlayError> for Message {
    fn from(error: &PlayError) -> Message {
        match error {
            PlayError::Unreadable { text, why } => message!("'{}' is not a move: {}", text, why),
            PlayError::Refused(refusal) => refusal.into(),
        }
    }
}

impl From<&Refusal> for Message {
    fn from(refusal: &Refusal) -> Message {
        match refusal {
            Refusal::GameOver => message!("the game is over"),
            Refusal::OffBoard => message!("that point is not on the board"),
            Refusal::NoPiece => message!("there is no piece on that point"),
            Refusal::NotYours => message!("that is not your piece"),
            Refusal::OwnPiece => message!("your own piece is on that point"),
            Refusal::Occupied => message!("that point is occupied"),
            Refusal::WrongWay => message!("this piece does not move like that"),
            Refusal::Blocked => message!("a piece blocks the way"),
            Refusal::NoScreen => message!("a cannon must jump over exactly one piece to capture"),
            Refusal::OutOfPalace => message!("that piece may not leave the palace"),
            Refusal::AcrossRiver => message!("an elephant may not cross the river"),
            Refusal::LeavesCheck => message!("your general would be in check"),
            Refusal::GeneralsFace => message!("the generals may not face each other"),
            Refusal::Forbidden(why) => message!("that point is forbidden: {}", why),
            Refusal::ChooseFirst => message!("the opening rule requires a choice first"),
            Refusal::NeedsAnswer => message!("the other side does not move here, so it may not be put in check"),
            Refusal::NoSuchAction => message!("that is not a move of this game"),
        }
    }
}

impl From<&Forbidden> for Message {
    fn from(why: &Forbidden) -> Message {
        match why {
            Forbidden::Overline => message!("overline"),
            Forbidden::DoubleFour => message!("double four"),
            Forbidden::DoubleThree => message!("double three"),
        }
    }
}
