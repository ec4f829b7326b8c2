//! What every game owes the table.

use super::{Action, Capabilities, Change, EngineOptions, Image, Notation, Piece, Protocol, SetupError};
use crate::rules::{History, Outcome, Point, Position, Refusal};
use crate::search::{Engine, Evaluate};

/// A game: its rules as a [`Position`], and how its positions and moves look from outside.
pub trait Game: Send + Sync + Sized + 'static {
    /// The position.
    type Position: Position;

    /// The static evaluation by which the reference searchers play.
    type Evaluation: Evaluate<Self::Position> + 'static;

    /// The registry's key.
    const KEY: &'static str;

    /// The protocols its programs speak.
    const PROTOCOL: Protocol = Protocol::Uci;

    /// The variants' keys, the default first. Never empty. A key not listed may still be understood by [`parse`](Game::parse).
    fn variants() -> &'static [&'static str];

    /// The game as it stands after `position` text (`None`: the start) of a variant. Text that
    /// lists moves yields them as history.
    ///
    /// # Errors
    /// The variant is unknown, or the text is no position of it.
    fn parse(variant: &str, position: Option<&str>) -> Result<History<Self::Position>, SetupError>;

    /// The position as text that [`parse`](Game::parse) reads back to an equal position.
    fn text(position: &Self::Position) -> String;

    /// The position's text after the board is turned or mirrored this way; `None` where it would not be the same game. Only asked for an
    /// image that fits the board.
    fn image(_position: &Self::Position, _image: Image) -> Option<String> {
        None
    }

    /// Files and ranks.
    fn size(position: &Self::Position) -> (u8, u8);

    /// The pieces on the board, in any order.
    fn pieces(position: &Self::Position) -> Vec<(Point, Piece)>;

    /// The action of a legal move.
    fn action(position: &Self::Position, mv: <Self::Position as Position>::Move) -> Action;

    /// What a legal move does to the pieces.
    fn changes(position: &Self::Position, mv: <Self::Position as Position>::Move) -> Vec<Change>;

    /// Why an action that is not legal is not.
    fn refusal(position: &Self::Position, action: Action) -> Refusal;

    /// Reads a move in any notation of the game. The move is legal.
    ///
    /// # Errors
    /// What is wrong with the text, as a message.
    fn read(position: &Self::Position, text: &str) -> Result<<Self::Position as Position>::Move, String>;

    /// Every legal move that the text may mean, the likeliest first; see [`read`](Game::read), which asks for exactly one.
    fn readings(position: &Self::Position, text: &str) -> Vec<<Self::Position as Position>::Move> {
        Self::read(position, text).into_iter().collect()
    }

    /// Writes a legal move.
    fn write(position: &Self::Position, mv: <Self::Position as Position>::Move, notation: Notation) -> String;

    /// The notations the game has.
    fn notations() -> &'static [Notation] {
        &[Notation::Uci]
    }

    /// The end of the game as only its past shows it: repetition and move limits. By default the third
    /// occurrence of a position with the same side to move is a draw.
    fn adjudicate(history: &History<Self::Position>) -> Option<Outcome> {
        (history.occurrences() >= 3).then(|| Outcome::draw(crate::rules::Reason::Repetition))
    }

    /// The point of a general in check.
    fn check(_position: &Self::Position) -> Option<Point> {
        None
    }

    /// The points of a finished game's decisive line, if it has one (five in a row).
    fn winning_line(_position: &Self::Position) -> Vec<Point> {
        Vec::new()
    }

    /// The position drawn with line characters, the second side on top unless the game's own
    /// diagrams say otherwise.
    fn diagram(position: &Self::Position) -> String;

    /// The static evaluation.
    fn evaluation() -> Self::Evaluation;

    /// An engine of the game's own: [`Algorithm::Own`](super::Algorithm::Own) in every game; `None` where the game has no engine of that name.
    /// The reference searchers are not asked for here.
    fn engine(options: &EngineOptions) -> Option<Box<dyn Engine<Self::Position>>>;

    /// What a variant offers beyond its rules.
    fn capabilities(_variant: &str) -> Capabilities {
        Capabilities::default()
    }
}
