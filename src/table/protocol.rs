//! Which standard protocols the programs of a game speak.

/// A game's protocols, for our engine behind one and for other programs that play it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Protocol {
    /// UCI, with the game's own position and move text.
    #[default]
    Uci,
    /// UCI, and UCCI for programs that greet so: xiangqi. The game's own move text counts ranks from 0, as UCCI does.
    UciAndUcci,
    /// Gomocup: five in a row.
    Gomocup,
}
