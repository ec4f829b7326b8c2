//! The standard protocols of a game's engines.

/// A game's protocols, used by our engines and by external engines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Protocol {
    /// UCI, with the game's own notation of positions and moves.
    #[default]
    Uci,
    /// UCI and UCCI (xiangqi). In both, the game's own notation counts ranks from 0.
    UciAndUcci,
    /// The Gomocup protocol (gomoku).
    Gomocup,
}
