//! The interface of a game in progress for all other layers.

use super::TreeRequest;
use super::{
    Action, Capabilities, Change, Curve, Duty, Formation, Image, Notation, Opener, Piece, Player, PlayerError, ProvenWin,
    Restriction, SearchTree, Setup, State, Swap2, TreeSize,
};
use crate::rules::{Outcome, PlayError, Point, Side};
use crate::search::StopToken;

/// A game in progress. Object-safe; one dynamic call per move of a user, none inside a search.
pub trait Table: State {
    /// The game's key in the registry.
    fn game(&self) -> &'static str;

    /// The setup of the game; its variant is always given.
    fn setup(&self) -> &Setup;

    /// The numbers of files and ranks.
    fn size(&self) -> (u8, u8);

    /// The pieces on the board.
    fn pieces(&self) -> Vec<(Point, Piece)>;

    /// The side to move.
    fn turn(&self) -> Side;

    /// The number of moves played so far, without moves taken back.
    fn ply(&self) -> usize;

    /// The state of a swap2 opening: who places stones, who chooses, and who has which side in the end. `None` if the
    /// sides are decided from the beginning.
    fn opening(&self) -> Option<&Swap2>;

    /// The seat that is to move. Seats are named by their sides. With swap2 the first seat is the player who placed the first stones,
    /// during the whole game.
    fn seat_to_move(&self) -> Side {
        let stones = || self.pieces().len();
        self.opening().map_or(self.turn(), |opening| opening.mover(stones(), self.turn()).seat())
    }

    /// The seat that has this side, or the side of this seat; `None` while an opening has not decided it.
    fn seat_of(&self, side: Side) -> Option<Side> {
        match self.opening().map(|opening| opening.duty(self.pieces().len())) {
            None | Some(Duty::Play(Opener::Setter)) => Some(side),
            Some(Duty::Play(Opener::Chooser)) => Some(!side),
            Some(Duty::Put(_) | Duty::Choose(..)) => None,
        }
    }

    /// The legal actions (or the choices, in an opening). Empty if the game is over, by the position or by its history.
    fn actions(&self) -> Vec<Action>;

    /// Plays an action and returns the changes of the pieces.
    ///
    /// # Errors
    /// The action is illegal, with the reason; then nothing has changed.
    fn play(&mut self, action: Action) -> Result<Vec<Change>, PlayError>;

    /// Takes the last move back and returns the changes of the pieces; `None` at the start.
    fn undo(&mut self) -> Option<Vec<Change>>;

    /// The outcome; `None` if the game is not over.
    fn outcome(&self) -> Option<Outcome>;

    /// The actions played so far, in order.
    fn played(&self) -> Vec<Action>;

    /// The moves played so far, as text.
    fn played_text(&self, notation: Notation) -> Vec<String>;

    /// Reads a move in any notation of the game; the action is legal.
    ///
    /// # Errors
    /// The text is not a legal move, with the reason.
    fn read(&self, text: &str) -> Result<Action, PlayError>;

    /// Every legal action that the text may mean, the most likely first: more than one if the text is ambiguous, none if
    /// [`read`](Table::read) fails for another reason.
    fn readings(&self, text: &str) -> Vec<Action>;

    /// Sets whether rules that need the history (repetition, move limits) end the game; by default they do. Records of other programs may
    /// continue after a repetition that ends the game by our rules. An end by the position alone, such as checkmate, always counts.
    fn adjudicate(&mut self, on: bool);

    /// False if the past does not end the game (see [`adjudicate`](Table::adjudicate)).
    fn adjudicates(&self) -> bool;

    /// True if one side never moves (see [`Still`](super::Still)).
    fn is_still(&self) -> bool;

    /// True if a move may change more than it says (see [`Game::TAKES_ASIDE`](super::Game::TAKES_ASIDE)).
    fn takes_aside(&self) -> bool;

    /// How far a piece can ever go in one move (see [`Game::steps`](super::Game::steps)).
    fn steps(&self, piece: Piece) -> Vec<(i8, i8)>;

    /// Writes a legal action; `None` if it is illegal.
    fn write(&self, action: Action, notation: Notation) -> Option<String>;

    /// The notations the game has.
    fn notations(&self) -> &'static [Notation];

    /// Why an action is refused; `None` if it is legal.
    fn refusal(&self, action: Action) -> Option<crate::rules::Refusal>;

    /// The position text.
    fn position_text(&self) -> String;

    /// The table after the side to move has passed, to see what the other side threatens; `None` where it may not, as in check or when the game is
    /// over. It has no history.
    fn passed(&self) -> Option<Box<dyn Table>>;

    /// The current position without its history, and its rotated and mirrored images if the rules are symmetric, each with the symmetry
    /// used.
    fn images(&self) -> Vec<(Image, Box<dyn Table>)>;

    /// The position's key (pieces and side to move).
    fn key(&self) -> u64;

    /// The point of a general in check.
    fn check(&self) -> Option<Point>;

    /// The points of the winning line, if the game ended by one.
    fn winning_line(&self) -> Vec<Point>;

    /// The position drawn with line characters.
    fn diagram(&self) -> String;

    /// The perft count below each legal move, in the order of generation, for `perft --divide`.
    /// Empty for `depth` 0.
    fn divide(&self, depth: u32) -> Vec<(String, u64)>;

    /// The number of leaves of the tree of legal moves at `depth`.
    fn perft(&self, depth: u32) -> u64;

    /// How often the current position has occurred in this game, this time included.
    fn occurrences(&self) -> usize;

    /// What the variant offers in addition to its rules.
    fn capabilities(&self) -> Capabilities;

    /// The curve from an engine's value to a winning chance.
    fn curve(&self) -> Curve;

    /// Who wins, if a proof that comes with the program covers the position.
    fn proven(&self) -> Option<ProvenWin>;

    /// The points forbidden to the side to move. Empty after the end of the game.
    fn restrictions(&self) -> Vec<Restriction>;

    /// The shapes that a legal action makes; `None` in games without names for them.
    fn formations(&self, action: Action) -> Option<Vec<Formation>>;

    /// True if a legal action is of this [manner](super::Manner); `None` if the game has no such manner.
    fn suits(&self, manner: &str, action: Action) -> Option<bool>;

    /// The captures that gain by static exchange, the best first, each with its gain in hundredths of the game's unit.
    fn captures(&self) -> Vec<(Action, i32)>;

    /// The gain from which a capture counts as the win of a piece; `None` where captures do not win pieces.
    fn piece_won(&self) -> Option<i32>;

    /// The value of a piece in an exchange, in hundredths of the game's unit.
    fn price(&self, piece: Piece) -> i32;

    /// The tree of the current position as a simple searcher searches it.
    ///
    /// # Errors
    /// The tree has more nodes than the request allows, or the search was stopped.
    fn search_tree(&self, request: &TreeRequest, stop: &StopToken) -> Result<SearchTree, PlayerError>;

    /// How large this tree is. It may be much larger than one that is kept.
    ///
    /// # Errors
    /// The tree has more nodes than the request allows, or the search was stopped.
    fn tree_size(&self, request: &TreeRequest, stop: &StopToken) -> Result<TreeSize, PlayerError>;

    /// A new player that uses our own engines.
    fn player(&self) -> Box<dyn Player>;

    /// Checks the current position: make and unmake, keys, notation, position text, changes. For the conformance tests.
    ///
    /// # Errors
    /// The first check that failed.
    #[doc(hidden)]
    fn self_check(&self) -> Result<(), String>;

    /// A copy of the game in progress.
    fn boxed_clone(&self) -> Box<dyn Table>;
}
