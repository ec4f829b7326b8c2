//! Two-eat-one (两口吃一口): two stones side by side take one at their end. The small game the project grew from.
//!
//! `board.rs` has the stones and their steps, `lines.rs` what they capture, `notation.rs` the moves as text; `evaluation.rs` and `seed.rs` play by
//! search. The game is solved: `indexing.rs` numbers its positions, `solver.rs` works them out from the end, `halves.rs` says which half is
//! kept, `distances.rs` keeps it on disk, `oracle.rs` answers, `engine.rs` plays by it, `exercises.rs` asks, and `solution.rs` is the door for the command line.

mod board;
mod distances;
mod engine;
mod evaluation;
mod exercises;
mod halves;
mod indexing;
mod lines;
mod notation;
mod oracle;
#[cfg(test)]
mod sample_tests;
mod seed;
pub mod solution;
#[cfg(test)]
mod solved_tests;
mod solver;

use crate::rules::{History, Outcome, Point, Position, Reason, Refusal, Side};
use crate::search::{Engine, StopToken, Verdict};
use crate::table::{
    Action, Algorithm, Capabilities, Change, EngineOptions, Exercise, ExerciseClass, Game, Notation, Piece, Preparation, Setup,
    SetupError, Solution, Table, position_of,
};
use board::{Board, Kind, Step};
use evaluation::PiecesAndRoom;

/// The game.
pub struct TwoEatOne;

/// Plies without a capture after which the game is drawn. The longest forced win is 209 plies from its first move to its last, captures and all,
/// so no winner who starts right after a capture is cut off.
const QUIET_PLIES: usize = 240;

fn piece(side: Side) -> Piece {
    Piece { side, role: 0 }
}

/// Why a step that is not legal is not; the game goes on.
fn refusal(board: &Board, from: u8, to: u8) -> Refusal {
    let turn = board.side_to_move();
    let (a, b) = (board.point(from), board.point(to));
    match (board.at(from), board.at(to)) {
        (None, _) => Refusal::NoPiece,
        (Some(side), _) if side != turn => Refusal::NotYours,
        (_, Some(side)) if side == turn => Refusal::OwnPiece,
        (_, Some(_)) => Refusal::Occupied,
        _ if a.x.abs_diff(b.x) + a.y.abs_diff(b.y) != 1 => Refusal::WrongWay,
        _ => Refusal::GameOver,
    }
}

/// Plies since the last capture of this game (since its start if there was none).
fn quiet_plies(history: &History<Board>) -> usize {
    let pieces = |board: &Board| Side::BOTH.map(|side| board.stones(side).count_ones()).iter().sum::<u32>();
    let now = pieces(history.current());
    history.positions().iter().rev().skip(1).take_while(|board| pieces(board) == now).count()
}

impl Game for TwoEatOne {
    type Position = Board;
    type Evaluation = PiecesAndRoom;

    const KEY: &'static str = "two-eat-one";

    fn variants() -> &'static [&'static str] {
        &Kind::KEYS
    }

    fn parse(variant: &str, position: Option<&str>) -> Result<History<Board>, SetupError> {
        let Some(kind) = Kind::from_key(variant) else {
            let known = Self::variants().join(", ");
            return Err(SetupError::UnknownVariant { game: Self::KEY, given: variant.to_owned(), known });
        };
        let board = match position {
            None => Board::start(kind),
            Some(text) => Board::parse(kind, text).map_err(|(at, why)| SetupError::BadPosition { at, why })?,
        };
        Ok(History::new(board))
    }

    fn text(position: &Board) -> String {
        position.text()
    }

    fn size(position: &Board) -> (u8, u8) {
        (position.kind().size(), position.kind().size())
    }

    fn pieces(position: &Board) -> Vec<(Point, Piece)> {
        let points = position.kind().size().pow(2);
        (0..points).filter_map(|bit| Some((position.point(bit), piece(position.at(bit)?)))).collect()
    }

    fn action(position: &Board, mv: Step) -> Action {
        Action::Step { from: position.point(mv.from), to: position.point(mv.to) }
    }

    fn changes(position: &Board, mv: Step) -> Vec<Change> {
        let mut changes = vec![Change::Slide { from: position.point(mv.from), to: position.point(mv.to) }];
        let taken = position.taken_by(mv);
        let taken = (0..25).filter(|bit| taken >> bit & 1 != 0);
        changes.extend(taken.map(|bit| Change::Remove { piece: piece(!position.side_to_move()), at: position.point(bit) }));
        changes
    }

    fn refusal(position: &Board, action: Action) -> Refusal {
        match action {
            Action::Step { from, to } => refusal(position, position.bit(from), position.bit(to)),
            _ => Refusal::NoSuchAction,
        }
    }

    fn read(position: &Board, text: &str) -> Result<Step, String> {
        notation::read(position, text)
    }

    fn write(position: &Board, mv: Step, _: Notation) -> String {
        notation::write(position, mv)
    }

    fn adjudicate(history: &History<Board>) -> Option<Outcome> {
        if history.occurrences() >= 3 {
            return Some(Outcome::draw(Reason::Repetition));
        }
        (quiet_plies(history) >= QUIET_PLIES).then(|| Outcome::draw(Reason::MoveLimit))
    }

    fn diagram(position: &Board) -> String {
        position.to_string()
    }

    fn evaluation() -> PiecesAndRoom {
        PiecesAndRoom
    }

    fn engine(options: &EngineOptions) -> Option<Box<dyn Engine<Board>>> {
        match options.algorithm {
            // An engine that judges without error and looks at every move plays by the solution.
            Algorithm::Own if options.misjudgement == 0 && options.width.is_none() => {
                Some(Box::new(engine::Knowing::new(options)))
            }
            Algorithm::Own => Some(Box::new(engine::Fallible::new(options))),
            Algorithm::Seed => Some(Box::new(seed::Seed)),
            Algorithm::Minimax | Algorithm::Negamax | Algorithm::AlphaBeta => None,
        }
    }

    fn capabilities(_: &str) -> Capabilities {
        Capabilities { solution: Some(&TwoEatOne), ..Capabilities::default() }
    }
}

impl Solution for TwoEatOne {
    fn verdicts(&self, table: &dyn Table, stop: &StopToken) -> Option<Vec<(Action, Verdict)>> {
        let board = position_of::<TwoEatOne>(table)?;
        let moves = engine::verdicts(board, stop)?.into_iter();
        Some(moves.map(|(step, verdict)| (TwoEatOne::action(board, step), verdict)).collect())
    }

    fn preparation(&self, variant: &str) -> Option<Preparation> {
        solution::preparation(variant)
    }

    fn exercise_classes(&self, variant: &str) -> Vec<ExerciseClass> {
        Kind::from_key(variant).map_or(Vec::new(), exercises::classes)
    }

    fn exercise(&self, wanted: &Exercise) -> Option<Setup> {
        let position = exercises::find(wanted)?;
        Some(Setup { variant: Some(wanted.variant.clone()), position: Some(position) })
    }
}
