//! Two-eat-one (两口吃一口): two stones side by side capture one stone at their end. It was the first game of this project and is solved. `rules` has
//! the board and its captures, `engine` the tablebase and the searches.

mod engine;
mod puzzles;
mod rules;
#[cfg(test)]
mod tests;

pub use engine::tablebase::solution;

use crate::message::Message;
use crate::rules::{History, Outcome, Point, Position, PositionFault, Refusal, Side, Skip};
use crate::search::{Engine, StopToken, Verdict};
use crate::table::{
    Action, Algorithm, Capabilities, Change, Draft, EngineOptions, Exercise, ExerciseClass, Game, Manner, Notation, Piece,
    Preparation, Setup, SetupError, Solution, State, position_of,
};
use engine::engine as players;
use engine::evaluation::PiecesAndMobility;
use engine::seed;
use engine::tablebase::exercises;
use engine::tablebase::oracle::Oracle;
use rules::adjudication;
use rules::board::{Board, Kind, Step};
use rules::notation;

/// The game.
pub struct TwoEatOne;

fn piece(side: Side) -> Piece {
    Piece { side, role: 0 }
}

impl Game for TwoEatOne {
    type Position = Board;
    type Evaluation = PiecesAndMobility;

    const KEY: &'static str = "two-eat-one";
    /// Two stones take one at their end.
    const TAKES_ASIDE: bool = true;

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

    fn passed(position: &Board) -> Option<Board> {
        position.skipped()
    }

    fn text(position: &Board) -> String {
        position.text()
    }

    fn size(position: &Board) -> (u8, u8) {
        (position.kind().size(), position.kind().size())
    }

    fn steps(_: &Board, _: Piece) -> Vec<(i8, i8)> {
        vec![(0, 1), (1, 0), (-1, 0), (0, -1)]
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
            Action::Step { from, to } => position.refusal(position.bit(from), position.bit(to)),
            _ => Refusal::NoSuchAction,
        }
    }

    fn read(position: &Board, text: &str) -> Result<Step, Message> {
        notation::read(position, text)
    }

    fn write(position: &Board, mv: Step, notation: Notation) -> String {
        notation::write_as(position, mv, notation)
    }

    fn notations() -> &'static [Notation] {
        &[Notation::Uci, Notation::Points]
    }

    fn adjudicate(history: &History<Board>) -> Option<Outcome> {
        adjudication::adjudicate(history)
    }

    fn diagram(position: &Board) -> String {
        position.to_string()
    }

    fn evaluation() -> PiecesAndMobility {
        PiecesAndMobility
    }

    fn engine(options: &EngineOptions) -> Option<Box<dyn Engine<Board>>> {
        match options.algorithm {
            // An engine without evaluation errors and without a limited width plays from the tablebase.
            Algorithm::Own if options.misjudgement == 0 && options.width.is_none() => {
                Some(Box::new(players::TablebaseEngine::new(options)))
            }
            Algorithm::Own => Some(Box::new(players::SearchEngine::new(options))),
            Algorithm::Seed => Some(Box::new(seed::Seed)),
            Algorithm::Plain(_) => None,
        }
    }

    fn manners() -> &'static [Manner<Board>] {
        &MANNERS
    }

    fn capabilities(_: &str) -> Capabilities {
        Capabilities {
            solution: Some(&TwoEatOne),
            placement: Some(&TwoEatOne),
            puzzles: Some(&TwoEatOne),
            ..Capabilities::default()
        }
    }
}

/// The manners: what they like.
const MANNERS: [Manner<Board>; 2] = [
    Manner { key: "edges", likes: |board, step| is_edge(board, step.to) },
    Manner { key: "middle", likes: |board, step| !is_edge(board, step.to) },
];

/// True if a point is at the edge of the board.
fn is_edge(board: &Board, bit: u8) -> bool {
    let (point, last) = (board.point(bit), board.kind().size() - 1);
    [point.x, point.y].iter().any(|at| *at == 0 || *at == last)
}

impl Solution for TwoEatOne {
    fn verdicts(&self, state: &dyn State, stop: &StopToken) -> Option<Vec<(Action, Verdict)>> {
        let board = position_of::<TwoEatOne>(state)?;
        let moves = players::verdicts(board, stop)?.into_iter();
        Some(moves.map(|(step, verdict)| (TwoEatOne::action(board, step), verdict)).collect())
    }

    fn verdicts_now(&self, state: &dyn State) -> Option<Vec<(Action, Verdict)>> {
        let board = position_of::<TwoEatOne>(state)?;
        let oracle = Oracle::of(board.kind());
        if !oracle.is_here() {
            return None;
        }
        let moves = oracle.of_moves(board).into_iter();
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

/// The kind of a variant; the default for one that does not exist.
fn kind(variant: &str) -> Kind {
    Kind::from_key(variant).unwrap_or(Kind::Standard)
}

/// The board of a draft.
fn board(variant: &str, draft: &Draft) -> Board {
    let empty = Board::new(kind(variant), [0; 2], draft.turn);
    let on_board = |at: &Point| at.x < empty.kind().size() && at.y < empty.kind().size();
    let mut stones = [0; 2];
    for (at, piece) in draft.pieces.iter().filter(|(at, _)| on_board(at)) {
        stones[piece.side.index()] |= 1 << empty.bit(*at);
    }
    Board::new(kind(variant), stones, draft.turn)
}

impl crate::table::Placement for TwoEatOne {
    fn size(&self, variant: &str) -> (u8, u8) {
        (kind(variant).size(), kind(variant).size())
    }

    fn most(&self, variant: &str, _: Piece) -> usize {
        kind(variant).stones() as usize
    }

    fn faults(&self, variant: &str, draft: &Draft) -> Vec<PositionFault> {
        board(variant, draft).faults()
    }

    fn text(&self, variant: &str, draft: &Draft) -> String {
        board(variant, draft).text()
    }

    fn read(&self, variant: &str, text: &str) -> Result<Draft, SetupError> {
        let board = Board::read(kind(variant), text).map_err(|(at, why)| SetupError::BadPosition { at, why })?;
        Ok(Draft { pieces: TwoEatOne::pieces(&board).into_iter().collect(), turn: board.side_to_move() })
    }
}
