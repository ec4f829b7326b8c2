//! Training positions, packed into forty bytes each.

use crate::xiangqi::selfplay::{Game, WON};
use qiju_core::games::xiangqi::engine::evaluation::{self, Tally};
use qiju_core::games::xiangqi::engine::network::{INPUTS, View};
use qiju_core::games::xiangqi::rules::attacks::{Points, bit};
use qiju_core::games::xiangqi::rules::board::Board;
use qiju_core::games::xiangqi::rules::piece::{Piece, Role};
use qiju_core::rules::Side;

/// The plies at the start of a game that are not used.
const FIRST_PLY: usize = 12;
/// The largest score of a training position, in hundredths of a soldier.
const DECIDED: i16 = 2000;

/// A training position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The occupied points: bits 0 to 63, then the rest.
    points: [u64; 2],
    /// The pieces on them in order, two per byte.
    kinds: [u8; 16],
    /// The search's score for the side to move.
    pub score: i16,
    /// The hand-written evaluation for the side to move.
    pub hand: i16,
    /// The result of the game for the side to move, in half points.
    pub result: u8,
    turn: u8,
    generals: [u8; 2],
}

/// The inputs of a position: of the side to move, then of the other.
#[derive(Default)]
pub struct Active {
    /// The inputs of each view.
    pub inputs: [[u16; 32]; 2],
    /// How many each view has.
    pub count: usize,
}

/// The point on the other side of the middle file.
#[inline(always)]
const fn mirrored_point(at: usize) -> usize {
    at - at % 9 + 8 - at % 9
}

impl Sample {
    /// A position with its score and result.
    pub fn new(board: &Board, score: i16, winner: Option<Side>) -> Sample {
        let mut kinds = [0; 16];
        for (number, at) in Points(board.all()).take(32).enumerate() {
            let kind = board.at(at).map_or(0, |piece| piece.index() as u8);
            kinds[number / 2] |= kind << (4 * (number % 2));
        }
        let bits = board.all();
        let turn = board.turn();
        let hand = evaluation::evaluate(board, Tally::of(board)).clamp(-i32::from(WON), WON.into()) as i16;
        Sample {
            points: [bits as u64, (bits >> 64) as u64],
            kinds,
            score,
            hand,
            result: winner.map_or(1, |winner| if winner == turn { 2 } else { 0 }),
            turn: turn.index() as u8,
            generals: [Side::First, Side::Second].map(|side| board.general(side) as u8),
        }
    }

    /// Lists the inputs of the position, or of its mirror image.
    #[inline]
    pub fn inputs(&self, mirrored: bool, active: &mut Active) {
        let place = |at: usize| if mirrored { mirrored_point(at) } else { at };
        let turn = if self.turn == 0 { Side::First } else { Side::Second };
        let views = [turn, !turn].map(|side| View::new(side, place(self.generals[side.index()].into())));
        active.count = 0;
        for at in Points(u128::from(self.points[0]) | u128::from(self.points[1]) << 64) {
            let number = active.count;
            let kind = self.kinds[number / 2] >> (4 * (number % 2)) & 15;
            let piece = PIECES[usize::from(kind)];
            for (view, inputs) in views.iter().zip(&mut active.inputs) {
                inputs[number] = view.input(piece, place(at));
            }
            active.count += 1;
        }
    }

    /// The position, without its counters.
    pub fn board(&self) -> Board {
        let points = u128::from(self.points[0]) | u128::from(self.points[1]) << 64;
        let pieces = Points(points).enumerate().map(|(number, at)| {
            let kind = self.kinds[number / 2] >> (4 * (number % 2)) & 15;
            (PIECES[usize::from(kind)], at)
        });
        Board::of_pieces(pieces, if self.turn == 0 { Side::First } else { Side::Second })
    }
}

/// The piece of each number; numbers without a piece are treated as the last one.
static PIECES: [Piece; 16] = {
    let mut pieces = [Piece::new(Side::Second, Role::Soldier); 16];
    let mut role = 0;
    while role < 7 {
        pieces[role] = Piece::new(Side::First, Role::ALL[role]);
        pieces[role + 7] = Piece::new(Side::Second, Role::ALL[role]);
        role += 1;
    }
    pieces
};

/// Adds the training positions of a game: after the opening, not decided, and quiet, which means that the best move is no capture.
pub fn add(game: &Game, samples: &mut Vec<Sample>) {
    let mut board = game.first_scored();
    for (ply, &(mv, score)) in (game.opening.len()..).zip(&game.plies) {
        let quiet = board.at(mv.to()).is_none() && !board.in_check(board.turn());
        if quiet && ply >= FIRST_PLY && score.abs() < DECIDED {
            samples.push(Sample::new(&board, score, game.winner));
        }
        board.apply(mv);
    }
}

const _: () = assert!(INPUTS <= u16::MAX as usize && bit(89) != 0);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xiangqi::selfplay::Games;
    use qiju_core::rules::Position;
    use qiju_core::table::Evaluation;

    /// The expected inputs of a position, computed from the definition of the view.
    fn expected(board: &Board, side: Side) -> Vec<u16> {
        let view = View::of(board, side);
        Points(board.all()).map(|at| view.input(board.at(at).unwrap(), at)).collect()
    }

    #[test]
    fn a_sample_has_the_inputs_of_its_position() {
        let mut random = fastrand::Rng::with_seed(5);
        let mut board = Board::default();
        for _ in 0..150 {
            let mut legal = Vec::new();
            board.legal_moves(&mut legal);
            let Some(&mv) = random.choice(&legal) else { break };
            board.apply(mv);
            let sample = Sample::new(&board, 7, Some(Side::First));
            assert_eq!(sample.board().hash(), board.hash());
            assert_eq!(sample.result, if board.turn() == Side::First { 2 } else { 0 });
            let mut active = Active::default();
            sample.inputs(false, &mut active);
            for (inputs, side) in active.inputs.iter().zip([board.turn(), !board.turn()]) {
                assert_eq!(inputs[..active.count], expected(&board, side));
            }
            let text = board.text();
            let (rows, rest) = text.split_once(' ').unwrap();
            let rows: Vec<String> = rows.split('/').map(|row| row.chars().rev().collect()).collect();
            let image = Board::parse(&format!("{} {rest}", rows.join("/"))).unwrap();
            sample.inputs(true, &mut active);
            for (inputs, side) in active.inputs.iter().zip([image.turn(), !image.turn()]) {
                let (mut seen, mut wanted) = (inputs[..active.count].to_vec(), expected(&image, side));
                seen.sort_unstable();
                wanted.sort_unstable();
                assert_eq!(seen, wanted);
            }
        }
    }

    #[test]
    fn only_quiet_positions_are_learnt_from() {
        let mut samples = Vec::new();
        let game = Games::new(60, &Evaluation::Hand).play(2);
        add(&game, &mut samples);
        let mut board = game.first_scored();
        let mut wanted = 0;
        for (ply, &(mv, score)) in (game.opening.len()..).zip(&game.plies) {
            let mut legal = Vec::new();
            board.legal_moves(&mut legal);
            let fits = ply >= 12 && score.abs() < 2000 && board.at(mv.to()).is_none() && !board.in_check(board.turn());
            wanted += usize::from(fits);
            board.apply(mv);
        }
        assert!(wanted > 10 && samples.len() == wanted);
    }
}
