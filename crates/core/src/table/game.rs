//! The interface that every game implements.

use super::{
    Action, Capabilities, Change, Curve, EngineOptions, Formation, Image, Manner, Notation, Piece, Protocol, ProvenWin,
    Restriction, SetupError,
};
use crate::message::Message;
use crate::rules::{History, Outcome, Point, Position, Refusal};
use crate::search::{Engine, Evaluate};

/// A game: its rules as a [`Position`], and the conversion of its positions and moves to types that all games share.
pub trait Game: Send + Sync + Sized + 'static {
    /// The position.
    type Position: Position;

    /// The static evaluation of the reference searchers.
    type Evaluation: Evaluate<Self::Position> + 'static;

    /// The key in the registry.
    const KEY: &'static str;

    /// The protocols that engines of this game speak.
    const PROTOCOL: Protocol = Protocol::Uci;

    /// The curve from an engine's value to a winning chance.
    const CURVE: Curve = Curve::USUAL;

    /// True if a match may begin by [`Swap2`](super::Swap2). Only for games in which each move places one piece.
    const SWAP2: bool = false;

    /// True if moves make shapes that players have names for (see [`formations`](Game::formations)).
    const NAMES_FORMATIONS: bool = false;

    /// The gain by static exchange from which a capture counts as the win of a piece, in hundredths of the game's unit; `None` where captures
    /// do not win pieces.
    const PIECE_WON: Option<i32> = None;

    /// True if a move may change more than it says: take pieces that do not stand on its target, or turn pieces over.
    const TAKES_ASIDE: bool = false;

    /// True if one side never moves (see [`Still`](super::Still)).
    const STILL: bool = false;

    /// The keys of the variants, the default first. Never empty. [`parse`](Game::parse) may accept other keys too.
    fn variants() -> &'static [&'static str];

    /// Reads the `position` text of a variant (`None`: the start). If the text lists moves, they become the
    /// history.
    ///
    /// # Errors
    /// The variant is unknown, or the text is not a valid position of it.
    fn parse(variant: &str, position: Option<&str>) -> Result<History<Self::Position>, SetupError>;

    /// The position as text that [`parse`](Game::parse) reads back to an equal position.
    fn text(position: &Self::Position) -> String;

    /// The position's text after the board is rotated or mirrored; `None` if the rules are not symmetric in this way. Called only with an
    /// image that fits the board.
    fn image(_position: &Self::Position, _image: Image) -> Option<String> {
        None
    }

    /// The numbers of files and ranks.
    fn size(position: &Self::Position) -> (u8, u8);

    /// The pieces on the board, in any order.
    fn pieces(position: &Self::Position) -> Vec<(Point, Piece)>;

    /// The action of a legal move.
    fn action(position: &Self::Position, mv: <Self::Position as Position>::Move) -> Action;

    /// What a legal move does to the pieces.
    fn changes(position: &Self::Position, mv: <Self::Position as Position>::Move) -> Vec<Change>;

    /// Why an illegal action is illegal.
    fn refusal(position: &Self::Position, action: Action) -> Refusal;

    /// How far a piece can ever go in one move, in files and ranks, whatever stands on the board; a library of games names a move by its number in this list, so
    /// its order never changes. By default every distance that fits the board.
    fn steps(position: &Self::Position, _piece: Piece) -> Vec<(i8, i8)> {
        let (files, ranks) = Self::size(position);
        let (files, ranks) = (files as i8 - 1, ranks as i8 - 1);
        (-ranks..=ranks).flat_map(|rank| (-files..=files).map(move |file| (file, rank))).collect()
    }

    /// Reads a move in any notation of the game. The move is legal.
    ///
    /// # Errors
    /// A message that says what is wrong with the text.
    fn read(position: &Self::Position, text: &str) -> Result<<Self::Position as Position>::Move, Message>;

    /// Every legal move that the text may mean, the most likely first. [`read`](Game::read) needs exactly one.
    fn readings(position: &Self::Position, text: &str) -> Vec<<Self::Position as Position>::Move> {
        Self::read(position, text).into_iter().collect()
    }

    /// Writes a legal move.
    fn write(position: &Self::Position, mv: <Self::Position as Position>::Move, notation: Notation) -> String;

    /// The notations the game has.
    fn notations() -> &'static [Notation] {
        &[Notation::Uci]
    }

    /// The outcome by rules that need the history: repetition and move limits. By default the third
    /// occurrence of a position with the same side to move is a draw.
    fn adjudicate(history: &History<Self::Position>) -> Option<Outcome> {
        (history.occurrences() >= 3).then(|| Outcome::draw(crate::rules::Reason::Repetition))
    }

    /// The point of a general in check.
    fn check(_position: &Self::Position) -> Option<Point> {
        None
    }

    /// The points of the winning line of a finished game, if there is one (five in a row).
    fn winning_line(_position: &Self::Position) -> Vec<Point> {
        Vec::new()
    }

    /// The position drawn with line characters, with the second side on top unless diagrams of this game
    /// are usually drawn otherwise.
    fn diagram(position: &Self::Position) -> String;

    /// The static evaluation.
    fn evaluation() -> Self::Evaluation;

    /// The game's own engine for the options' algorithm: always [`Algorithm::Own`](super::Algorithm::Own), and others in some games. `None`
    /// if the game has no such engine. Not called for the reference searchers.
    fn engine(options: &EngineOptions) -> Option<Box<dyn Engine<Self::Position>>>;

    /// The manners in which its levels can play; the sheet has their names.
    fn manners() -> &'static [Manner<Self::Position>] {
        &[]
    }

    /// Balanced openings of a variant from its start. The computer proposes those of three moves in swap2.
    fn balanced_openings(_variant: &str) -> Vec<Vec<Action>> {
        Vec::new()
    }

    /// The position after the side to move has passed, to see what the other side threatens; `None` where it may not, as in check.
    fn passed(_position: &Self::Position) -> Option<Self::Position> {
        None
    }

    /// Who wins, if a proof or a tablebase that comes with the program covers the position. Not called after the end of the game.
    fn proven(_position: &Self::Position) -> Option<ProvenWin> {
        None
    }

    /// The points forbidden to the side to move (renju). Not called after the end of the game.
    fn restrictions(_position: &Self::Position) -> Vec<Restriction> {
        Vec::new()
    }

    /// The shapes that a legal move makes, by the rules of the variant. A move that wins makes none.
    fn formations(_position: &Self::Position, _mv: <Self::Position as Position>::Move) -> Vec<Formation> {
        Vec::new()
    }

    /// The gain of a legal move by static exchange, when both sides continue to capture on its target, in hundredths of the game's unit; 0 for a
    /// move that captures nothing.
    fn exchange(_position: &Self::Position, _mv: <Self::Position as Position>::Move) -> i32 {
        0
    }

    /// The value of a piece in an exchange, in hundredths of the game's unit.
    fn price(_piece: Piece) -> i32 {
        0
    }

    /// What a variant offers in addition to its rules.
    fn capabilities(_variant: &str) -> Capabilities {
        Capabilities::default()
    }
}
