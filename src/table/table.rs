//! The table as everything outside the games sees it.

use super::{Action, Capabilities, Change, Duty, Image, Notation, Opener, Piece, Player, Setup, State, Swap2};
use crate::rules::{Outcome, PlayError, Point, Side};

/// A game in progress. Object-safe; one dynamic call a user's move, none inside a search.
pub trait Table: State {
    /// The game's key in the registry.
    fn game(&self) -> &'static str;

    /// What the game began with, the variant always named.
    fn setup(&self) -> &Setup;

    /// Files and ranks.
    fn size(&self) -> (u8, u8);

    /// The pieces on the board.
    fn pieces(&self) -> Vec<(Point, Piece)>;

    /// The side to move.
    fn turn(&self) -> Side;

    /// Moves played so far (moves taken back do not count).
    fn ply(&self) -> usize;

    /// The opening by a rule of its own: who puts the stones, who chooses, and who has which side in the end. `None` where the
    /// sides are settled from the beginning.
    fn opening(&self) -> Option<&Swap2>;

    /// The seat that is to move. Seats are called by the sides they have; in an opening that settles the sides the first seat is who
    /// puts the first pieces, until the game is over.
    fn seat_to_move(&self) -> Side {
        let stones = || self.pieces().len();
        self.opening().map_or(self.turn(), |opening| opening.mover(stones(), self.turn()).seat())
    }

    /// The seat that has this side, or the side that this seat has; `None` while an opening has not settled it.
    fn seat_of(&self, side: Side) -> Option<Side> {
        match self.opening().map(|opening| opening.duty(self.pieces().len())) {
            None | Some(Duty::Play(Opener::Setter)) => Some(side),
            Some(Duty::Play(Opener::Chooser)) => Some(!side),
            Some(Duty::Put(_) | Duty::Choose(..)) => None,
        }
    }

    /// The legal actions (or what may be chosen, in an opening); none once the game is over, by the position or by its past.
    fn actions(&self) -> Vec<Action>;

    /// Plays an action and returns what it did to the pieces. Moves taken back are forgotten.
    ///
    /// # Errors
    /// The rules refuse it, with the reason; nothing has changed then.
    fn play(&mut self, action: Action) -> Result<Vec<Change>, PlayError>;

    /// Takes the last move back: the changes that undo it, or `None` at the start.
    fn undo(&mut self) -> Option<Vec<Change>>;

    /// Plays the move last taken back again: its changes, or `None` if there is none.
    fn redo(&mut self) -> Option<Vec<Change>>;

    /// The number of moves taken back that can be played again.
    fn undone(&self) -> usize;

    /// How the game ended, if it has.
    fn outcome(&self) -> Option<Outcome>;

    /// The actions played so far, in order.
    fn played(&self) -> Vec<Action>;

    /// The moves played so far, written.
    fn played_text(&self, notation: Notation) -> Vec<String>;

    /// Reads a move in any notation of the game; the action is legal.
    ///
    /// # Errors
    /// The text is no legal move, and why.
    fn read(&self, text: &str) -> Result<Action, PlayError>;

    /// Every legal action that the text may mean, the likeliest first: more than one where the writer left something out, none where
    /// [`read`](Table::read) fails for another reason.
    fn readings(&self, text: &str) -> Vec<Action>;

    /// Whether the past of the game (repetition, move limits) may end it. It does unless this says otherwise; records of other programs go on
    /// after a repetition that our rules would have judged. What ends the game on the board itself always does.
    fn adjudicate(&mut self, on: bool);

    /// Writes a legal action; `None` for any other.
    fn write(&self, action: Action, notation: Notation) -> Option<String>;

    /// The notations the game has.
    fn notations(&self) -> &'static [Notation];

    /// Why an action is refused; `None` if it is legal.
    fn refusal(&self, action: Action) -> Option<crate::rules::Refusal>;

    /// The position as text.
    fn position_text(&self) -> String;

    /// The position on the board as it stands and, where the game is the same then, turned and mirrored: each with how. Its past is left
    /// behind.
    fn images(&self) -> Vec<(Image, Box<dyn Table>)>;

    /// The position's key (pieces and side to move).
    fn key(&self) -> u64;

    /// The point of a general in check.
    fn check(&self) -> Option<Point>;

    /// The points of the decisive line, if the game ended by one.
    fn winning_line(&self) -> Vec<Point>;

    /// The position drawn with line characters.
    fn diagram(&self) -> String;

    /// Leaves of the move tree at `depth` below each legal move, in the order of generation, for `perft --divide`.
    /// `depth` 0 gives nothing.
    fn divide(&self, depth: u32) -> Vec<(String, u64)>;

    /// Leaves of the move tree at `depth`.
    fn perft(&self, depth: u32) -> u64;

    /// How often the present position has stood in this game, this time included.
    fn occurrences(&self) -> usize;

    /// What the variant offers beyond its rules: the truth of a solved game, proofs, forbidden points, openings.
    fn capabilities(&self) -> Capabilities;

    /// A player of this game by our own engines.
    fn player(&self) -> Box<dyn Player>;

    /// Checks what must hold of every position: make and unmake, keys, notation, text, changes. For the conformance tests.
    ///
    /// # Errors
    /// The first thing that does not hold.
    #[doc(hidden)]
    fn self_check(&self) -> Result<(), String>;

    /// A copy of the game in progress.
    fn boxed_clone(&self) -> Box<dyn Table>;
}
