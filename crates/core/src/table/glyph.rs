//! Signs that judge a move: `!`, `?` and the like.

use serde::{Deserialize, Serialize};

/// A judgement of a move or a position by its number in the portable game notation (NAG): 1 is `!`, 2 is `?`, 3 is `!!`, 4 is `??`,
/// 5 is `!?`, 6 is `?!`, 10 is an even position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Glyph(pub u8);

impl Glyph {
    /// A good move.
    pub const GOOD: Glyph = Glyph(1);
    /// A mistake.
    pub const MISTAKE: Glyph = Glyph(2);
    /// A brilliant move.
    pub const BRILLIANT: Glyph = Glyph(3);
    /// A blunder.
    pub const BLUNDER: Glyph = Glyph(4);
    /// An interesting move.
    pub const INTERESTING: Glyph = Glyph(5);
    /// A dubious move, an inaccuracy.
    pub const DUBIOUS: Glyph = Glyph(6);

    /// The sign that is written behind a move; `None` for numbers that have no short sign.
    pub const fn sign(self) -> Option<&'static str> {
        Some(match self.0 {
            1 => "!",
            2 => "?",
            3 => "!!",
            4 => "??",
            5 => "!?",
            6 => "?!",
            _ => return None,
        })
    }

    /// The glyph of a sign written behind a move.
    pub fn from_sign(sign: &str) -> Option<Glyph> {
        (1..=6).map(Glyph).find(|glyph| glyph.sign() == Some(sign))
    }
}
