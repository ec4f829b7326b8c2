//! Games in which stones in a line make shapes that players have names for (gomoku).

use super::{Action, State};

/// A shape that one move makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Formation {
    /// Three that can become an open four.
    OpenThree,
    /// Two open threes at once.
    DoubleThree,
    /// Four that can become five.
    Four,
    /// Four in a row that can become five at either end.
    OpenFour,
    /// A four and an open three at once.
    FourThree,
    /// A row that is too long to win.
    Overline,
}

/// Names the shapes that moves make, by the rules of the variant.
pub trait Formations: Send + Sync {
    /// The shapes that this legal move of the side to move makes. A move that wins makes none.
    fn made(&self, state: &dyn State, action: Action) -> Vec<Formation>;
}
