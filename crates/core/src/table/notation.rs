//! Notations of moves.

use serde::{Deserialize, Serialize};

/// A notation of moves. Every game has its own; xiangqi has more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Notation {
    /// The game's own notation, also used by the protocols: `h2e2`, `h8`, `0,0-1,0`.
    #[default]
    Uci,
    /// `H2-E2`.
    Iccs,
    /// `C2=5`.
    Wxf,
    /// `炮二平五`.
    Chinese,
    /// The same in traditional characters: `馬八進七`.
    Traditional,
    /// `P2-5`, `M8.7`: the letters and signs of Vietnam.
    Vietnamese,
    /// `a1-a2`: points by file letter and rank, where the game's own text numbers rows and columns.
    Points,
}

impl Notation {
    /// Every notation.
    pub const ALL: [Notation; 7] = [
        Notation::Uci,
        Notation::Iccs,
        Notation::Wxf,
        Notation::Chinese,
        Notation::Traditional,
        Notation::Vietnamese,
        Notation::Points,
    ];

    /// The name used on the command line.
    pub const fn key(self) -> &'static str {
        match self {
            Notation::Uci => "uci",
            Notation::Iccs => "iccs",
            Notation::Wxf => "wxf",
            Notation::Chinese => "chinese",
            Notation::Traditional => "traditional",
            Notation::Vietnamese => "vietnamese",
            Notation::Points => "points",
        }
    }

    /// The notation with this name.
    pub fn from_key(key: &str) -> Option<Notation> {
        Notation::ALL.into_iter().find(|n| n.key() == key)
    }
}
