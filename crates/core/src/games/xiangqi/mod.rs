//! Xiangqi: `rules` has the board and its moves, `engine` the search and evaluation.

pub mod engine;
mod manners;
mod puzzles;
pub mod rules;

use crate::message::Message;
use crate::rules::{History, Outcome, Point, Position, PositionFault, Refusal, Skip};
use crate::search::Engine;
use crate::table::{
    Action, Algorithm, Capabilities, Change, Curve, Draft, EngineOptions, Evaluation, Evaluations, Game, Image, Manner, Notation,
    Piece, Protocol, ProvenWin, SetupError, State, Worths, position_of,
};
use engine::endings;
use engine::engine::XiangqiEngine;
use engine::evaluation::{HandEvaluation, Tally, evaluate};
use engine::exchange;
use engine::network::{Network, loading};
use rules::adjudication::{self, Repetition};
use rules::attacks::Points;
use rules::board::{Board, Move, index, point};
use rules::position_text::possible;
use rules::{moves, notation, piece};

/// The game.
pub struct Xiangqi;

/// Converts a piece for the table.
fn shown(piece: piece::Piece) -> Piece {
    Piece { side: piece.side(), role: piece.role() as u8 }
}

impl Game for Xiangqi {
    type Position = Board;
    type Evaluation = HandEvaluation;

    const KEY: &'static str = "xiangqi";
    const PROTOCOL: Protocol = Protocol::UciAndUcci;
    /// In hundredths of a soldier; see docs/review.md.
    const CURVE: Curve = Curve { scale: 260.0 };
    /// An advisor.
    const PIECE_WON: Option<i32> = Some(200);

    fn variants() -> &'static [&'static str] {
        &["axf", "threefold"]
    }

    fn parse(variant: &str, position: Option<&str>) -> Result<History<Board>, SetupError> {
        let repetition = match variant {
            "axf" | "standard" => Repetition::Judged,
            "threefold" => Repetition::Draw,
            _ => {
                let known = Self::variants().join(", ");
                return Err(SetupError::UnknownVariant { game: Self::KEY, given: variant.to_owned(), known });
            }
        };
        let board = match position {
            None => Board::default(),
            Some(text) => Board::parse(text).map_err(|(at, why)| SetupError::BadPosition { at, why })?,
        };
        Ok(History::new(board.with_repetition(repetition)))
    }

    /// The game is symmetric from left to right.
    fn image(position: &Board, image: Image) -> Option<String> {
        let text = Self::text(position);
        let (rows, rest) = text.split_once(' ')?;
        let mirrored: Vec<String> = rows.split('/').map(|row| row.chars().rev().collect()).collect();
        (image == Image::MIRROR).then(|| format!("{} {rest}", mirrored.join("/")))
    }

    fn passed(position: &Board) -> Option<Board> {
        position.skipped()
    }

    fn text(position: &Board) -> String {
        position.text()
    }

    fn size(_: &Board) -> (u8, u8) {
        (9, 10)
    }

    fn steps(_: &Board, piece: Piece) -> Vec<(i8, i8)> {
        let straight = |most: i8| (1..=most).flat_map(|far| [(far, 0), (-far, 0), (0, far), (0, -far)]);
        let slanting = |far: i8| vec![(far, far), (far, -far), (-far, far), (-far, -far)];
        match own(piece).map(piece::Piece::role) {
            Some(piece::Role::General | piece::Role::Soldier) => straight(1).collect(),
            Some(piece::Role::Advisor) => slanting(1),
            Some(piece::Role::Elephant) => slanting(2),
            Some(piece::Role::Horse) => vec![(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)],
            Some(piece::Role::Chariot | piece::Role::Cannon) => straight(9).filter(|(files, _)| files.abs() < 9).collect(),
            None => Vec::new(),
        }
    }

    fn pieces(position: &Board) -> Vec<(Point, Piece)> {
        Points(position.all()).filter_map(|at| Some((point(at), shown(position.at(at)?)))).collect()
    }

    fn action(_: &Board, mv: Move) -> Action {
        Action::Step { from: point(mv.from()), to: point(mv.to()) }
    }

    fn changes(position: &Board, mv: Move) -> Vec<Change> {
        let (from, to) = (point(mv.from()), point(mv.to()));
        let taken = moves::captured(position, mv).map(|piece| Change::Remove { piece: shown(piece), at: to });
        taken.into_iter().chain([Change::Slide { from, to }]).collect()
    }

    fn refusal(position: &Board, action: Action) -> Refusal {
        match action {
            Action::Step { from, to } => position.refusal(from, to),
            _ => Refusal::NoSuchAction,
        }
    }

    fn read(position: &Board, text: &str) -> Result<Move, Message> {
        notation::read(position, text)
    }

    fn readings(position: &Board, text: &str) -> Vec<Move> {
        notation::readings(position, text)
    }

    fn write(position: &Board, mv: Move, notation: Notation) -> String {
        notation::write(position, mv, notation)
    }

    fn notations() -> &'static [Notation] {
        &[Notation::Chinese, Notation::Traditional, Notation::Wxf, Notation::Vietnamese, Notation::Iccs, Notation::Uci]
    }

    fn adjudicate(history: &History<Board>) -> Option<Outcome> {
        adjudication::adjudicate(history)
    }

    fn check(position: &Board) -> Option<Point> {
        let turn = position.side_to_move();
        position.in_check(turn).then(|| point(position.general(turn)))
    }

    fn diagram(position: &Board) -> String {
        position.to_string()
    }

    fn evaluation() -> HandEvaluation {
        HandEvaluation
    }

    fn proven(board: &Board) -> Option<ProvenWin> {
        let ending = endings::probe(board)?;
        let plies = ending.plies.filter(|plies| u32::from(board.quiet_plies()) + plies < u32::from(adjudication::QUIET_LIMIT))?;
        let last = if ending.attacker == board.turn() { plies + 1 } else { plies };
        Some(ProvenWin { winner: ending.attacker, moves: last / 2, plies: Some(plies) })
    }

    fn engine(options: &EngineOptions) -> Option<Box<dyn Engine<Board>>> {
        if options.algorithm != Algorithm::Own {
            return None;
        }
        Some(Box::new(XiangqiEngine::new(options)))
    }

    fn manners() -> &'static [Manner<Board>] {
        &manners::MANNERS
    }

    fn exchange(board: &Board, mv: Move) -> i32 {
        if board.at(mv.to()).is_some() { exchange::worth(board, mv) } else { 0 }
    }

    fn price(piece: Piece) -> i32 {
        exchange::PRICE.get(usize::from(piece.role)).copied().unwrap_or_default()
    }

    fn capabilities(_: &str) -> Capabilities {
        Capabilities {
            book: true,
            evaluations: Some(&Xiangqi),
            placement: Some(&Xiangqi),
            puzzles: Some(&Xiangqi),
            ..Capabilities::default()
        }
    }
}

impl Evaluations for Xiangqi {
    fn trouble(&self, wanted: &Evaluation) -> Option<String> {
        let why = loading::network(wanted).err()?;
        Some(format!("{why}; the hand-written evaluation is used"))
    }

    fn worths(&self, state: &dyn State, wanted: &Evaluation) -> Option<Worths> {
        let board = position_of::<Xiangqi>(state)?;
        let network = loading::network(wanted).ok().flatten();
        let worth = |board: &Board| match &network {
            None => evaluate(board, Tally::of(board)),
            Some(network) => Network::worth(board, network.judge_board(board)),
        };
        let whole = worth(board);
        let all: Vec<_> = Points(board.all()).filter_map(|at| Some((board.at(at)?, at))).collect();
        let mut pieces = Vec::new();
        for &(piece, at) in all.iter().filter(|(piece, _)| piece.role() != piece::Role::General) {
            let rest = all.iter().copied().filter(|other| other.1 != at);
            let fall = whole - worth(&Board::of_pieces(rest, board.turn()));
            pieces.push((point(at), if piece.side() == board.turn() { fall } else { -fall }));
        }
        Some(Worths { whole, pieces })
    }
}

/// The rules' own piece.
fn own(shown: Piece) -> Option<piece::Piece> {
    Some(piece::Piece::new(shown.side, *piece::Role::ALL.get(usize::from(shown.role))?))
}

/// The board of a draft.
fn board(draft: &Draft) -> Board {
    let pieces = draft.pieces.iter().filter_map(|(at, piece)| Some((own(*piece)?, index(*at)?)));
    Board::of_pieces(pieces, draft.turn)
}

impl crate::table::Placement for Xiangqi {
    fn size(&self, _: &str) -> (u8, u8) {
        (9, 10)
    }

    fn most(&self, _: &str, piece: Piece) -> usize {
        own(piece).map_or(0, |piece| piece.role().set())
    }

    fn may_stand(&self, _: &str, piece: Piece, at: Point) -> bool {
        own(piece).zip(index(at)).is_some_and(|(piece, at)| possible(piece, at))
    }

    fn halves(&self) -> bool {
        true
    }

    fn faults(&self, _: &str, draft: &Draft) -> Vec<PositionFault> {
        board(draft).faults()
    }

    fn text(&self, _: &str, draft: &Draft) -> String {
        board(draft).text()
    }

    fn read(&self, _: &str, text: &str) -> Result<Draft, SetupError> {
        let (_, board) = Board::read(text, false).map_err(|(at, why)| SetupError::BadPosition { at, why })?;
        Ok(Draft { pieces: Xiangqi::pieces(&board).into_iter().collect(), turn: board.side_to_move() })
    }
}
