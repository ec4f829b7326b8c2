//! What a game brings to the table.

use super::{
    Action, Change, EngineOptions, Exercise, ExerciseClass, Image, Notation, Piece, Preparation, Restriction, SetupError,
};
use crate::rules::{History, Outcome, Point, Position, Refusal};
use crate::search::{Engine, Prover, StopToken, Verdict};

type MoveOf<G> = <<G as Game>::Position as Position>::Move;

/// A game: its rules as a [`Position`], and how its positions and moves look from outside.
pub trait Game: Send + Sync + Sized + 'static {
    /// The position.
    type Position: Position;

    /// The registry's key.
    const KEY: &'static str;

    /// Whether a variant's key may have `+swap2` behind it: three stones are put, then the sides are chosen (see
    /// [`Swap2`](super::Swap2)). Only for games whose moves each put one piece.
    const OPENS_BY_SWAP2: bool = false;

    /// Balanced openings of a variant from its start, for variety; those of three moves are what a computer offers by swap2.
    fn openings(_variant: &str) -> Vec<Vec<MoveOf<Self>>> {
        Vec::new()
    }

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
    /// What is wrong with the text, for a person.
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

    /// The points the side to move may not play though they are empty (renju).
    fn forbidden(_position: &Self::Position) -> Vec<Point> {
        Vec::new()
    }

    /// The points of a finished game's decisive line, if it has one (five in a row).
    fn winning_line(_position: &Self::Position) -> Vec<Point> {
        Vec::new()
    }

    /// Whether [`verdicts`](Game::verdicts) knows the positions of a variant.
    fn is_solved(_variant: &str) -> bool {
        false
    }

    /// What each legal move is certainly worth to the side that makes it, in a solved game; `None` in others. Loading what is needed may take a
    /// moment the first time; a raised token cuts that short.
    fn verdicts(_position: &Self::Position, _stop: &StopToken) -> Option<Vec<(MoveOf<Self>, Verdict)>> {
        None
    }

    /// What proves wins of the game's positions, if it has such a thing.
    fn prover() -> Option<Box<dyn Prover<Self::Position>>> {
        None
    }

    /// The points [`forbidden`](Game::forbidden) lists, each with its reason and the lines that make it so.
    fn restrictions(_position: &Self::Position) -> Vec<Restriction> {
        Vec::new()
    }

    /// The work that completes what is known of a variant, if any is left.
    fn preparation(_variant: &str) -> Option<Preparation> {
        None
    }

    /// The kinds of won positions of a variant that exercises can be had of now, gentlest first; empty where the game is not solved.
    fn exercise_classes(_variant: &str) -> Vec<ExerciseClass> {
        Vec::new()
    }

    /// The text of a won position of that kind, in a solved game; `None` where none is found.
    fn exercise(_wanted: &Exercise) -> Option<String> {
        None
    }

    /// The position drawn with line characters, the second side on top unless the game's own
    /// diagrams say otherwise.
    fn diagram(position: &Self::Position) -> String;

    /// The engine of these options.
    ///
    /// # Errors
    /// The game has no such algorithm.
    fn engine(options: &EngineOptions) -> Result<Box<dyn Engine<Self::Position>>, String>;
}
