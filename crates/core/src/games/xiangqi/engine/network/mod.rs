//! The network that can replace the hand-written evaluation: its inputs, its weights and its file.
//!
//! It sees a position twice, once from each side ([`View`]). In a view each piece is one of 7560 inputs: own or enemy, role and
//! point, counted from that side's edge, and the point of the side's general, one of six. If the general is on the file right of the middle, left and right are
//! exchanged. A hidden layer sums the rows of the inputs that are present (the accumulator). Its values, those of the side to move first, are clipped to 0..1,
//! squared, weighted and summed by one of several outputs, which the number of pieces selects. The result is the winning chance as a logit.
//!
//! Numbers are 16-bit: a hidden weight of 1 is [`HIDDEN_ONE`], an output weight of 1 is [`OUTPUT_ONE`]. A hidden weight is less than 2
//! and a position has at most 32 pieces, so no sum overflows.
//!
//! The file is a line, `qiju xiangqi network 2 hidden H outputs O scale S SUM`, then little-endian `i16`: the hidden layer's rows (7560 times H),
//! its biases (H), the weights of each output (2 H, the side to move first), and last the biases of the outputs as `i32`. `S` is what
//! a logit of 1 is worth in hundredths of a soldier. `SUM` is the CRC-32 of the line up to the blank before it and of all that follows the line, in hexadecimal.

mod accumulators;
mod forward;
pub mod inputs;
pub mod loading;

pub use accumulators::Accumulators;
pub use inputs::{GENERALS, INPUTS, PLACES, View};

use crate::games::networks::{self, has_avx2};
use crate::games::xiangqi::engine::evaluation;
use crate::games::xiangqi::rules::attacks::{Bits, Points};
use crate::games::xiangqi::rules::board::Board;
use crate::games::xiangqi::rules::piece::Piece;
use crate::rules::Side;

/// A hidden weight of 1, and the largest value of a hidden neuron.
pub const HIDDEN_ONE: i32 = 255;
/// An output weight of 1.
pub const OUTPUT_ONE: i32 = 64;
/// The largest absolute value of a hidden weight: less than 2.
pub const HIDDEN_MOST: i16 = 505;
/// The largest absolute value of an output weight: multiplied by [`HIDDEN_ONE`] it still fits in 16 bits.
pub const OUTPUT_MOST: i16 = 126;
/// The hidden layer's size is a multiple of this.
pub const HIDDEN_STEP: usize = 32;
/// The largest hidden layer.
pub const HIDDEN_LARGEST: usize = 512;
/// The most outputs.
pub const OUTPUTS_MOST: usize = 8;

const GAME: &str = "xiangqi";
const VERSION: u32 = 2;

/// A network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    /// The number of hidden neurons of each view.
    pub hidden: usize,
    /// The number of outputs.
    pub outputs: usize,
    /// What a logit of 1 is worth in hundredths of a soldier.
    pub scale: i32,
    /// The weights of the hidden layer, one row for each input.
    pub rows: Vec<i16>,
    /// The biases of the hidden layer.
    pub biases: Vec<i16>,
    /// The weights of each output: first for the side to move, then for the other side.
    pub weights: Vec<i16>,
    /// The biases of the outputs, in units of `1 / (HIDDEN_ONE * OUTPUT_ONE)`.
    pub output_biases: Vec<i32>,
    /// Whether the processor has AVX2.
    fast: bool,
}

/// The output for a position with this number of pieces.
pub fn output_of(pieces: u32, outputs: usize) -> usize {
    (pieces.clamp(1, 32) as usize - 1) * outputs / 32
}

impl Network {
    /// A network with these weights.
    ///
    /// # Errors
    /// The sizes do not match or a weight is too large.
    pub fn new(
        scale: i32,
        rows: Vec<i16>,
        biases: Vec<i16>,
        weights: Vec<i16>,
        output_biases: Vec<i32>,
    ) -> Result<Network, String> {
        let (hidden, outputs) = (biases.len(), output_biases.len());
        if hidden == 0 || hidden > HIDDEN_LARGEST || !hidden.is_multiple_of(HIDDEN_STEP) {
            return Err(format!("a hidden layer of {hidden} is not a multiple of {HIDDEN_STEP} up to {HIDDEN_LARGEST}"));
        }
        if outputs == 0 || outputs > OUTPUTS_MOST {
            return Err(format!("{outputs} outputs are not between 1 and {OUTPUTS_MOST}"));
        }
        if rows.len() != INPUTS * hidden || weights.len() != outputs * 2 * hidden {
            return Err("the sizes of its layers do not fit together".to_owned());
        }
        if !(1..=10_000).contains(&scale) {
            return Err(format!("a scale of {scale} is not between 1 and 10000"));
        }
        let within = |numbers: &[i16], most: i16| numbers.iter().all(|number| (-most..=most).contains(number));
        if !within(&rows, HIDDEN_MOST) || !within(&biases, HIDDEN_MOST) || !within(&weights, OUTPUT_MOST) {
            return Err("a weight is too large".to_owned());
        }
        if output_biases.iter().any(|bias| bias.abs() > 64 * HIDDEN_ONE * OUTPUT_ONE) {
            return Err("a bias is too large".to_owned());
        }
        let fast = has_avx2();
        Ok(Network { hidden, outputs, scale, rows, biases, weights, output_biases, fast })
    }

    /// Reads a network's file.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(file: &[u8]) -> Result<Network, String> {
        let foreign = || "this is no network for xiangqi".to_owned();
        let (words, body) = networks::opened(file, GAME, VERSION)?;
        let words: Vec<&str> = words.split(' ').collect();
        let ["hidden", hidden, "outputs", outputs, "scale", scale] = words[..] else {
            return Err(foreign());
        };
        let number = |word: &str| word.parse::<usize>().map_err(|_| foreign());
        let (hidden, outputs) = (number(hidden)?, number(outputs)?);
        if hidden > HIDDEN_LARGEST || outputs > OUTPUTS_MOST {
            return Err("its layers are too large".to_owned());
        }
        let counts = [INPUTS * hidden, hidden, outputs * 2 * hidden];
        let shorts = counts.iter().sum::<usize>();
        if body.len() != 2 * shorts + 4 * outputs {
            return Err(format!(
                "it has {} bytes behind its first line and should have {}",
                body.len(),
                2 * shorts + 4 * outputs
            ));
        }
        let (shorts, longs) = body.split_at(2 * shorts);
        let mut shorts = shorts.chunks_exact(2).map(|two| i16::from_le_bytes([two[0], two[1]]));
        let [rows, biases, weights] = counts.map(|count| shorts.by_ref().take(count).collect::<Vec<i16>>());
        let longs = longs.chunks_exact(4).map(|four| i32::from_le_bytes([four[0], four[1], four[2], four[3]])).collect();
        Network::new(number(scale)? as i32, rows, biases, weights, longs)
    }

    /// The network's file.
    pub fn write(&self) -> Vec<u8> {
        let Network { hidden, outputs, scale, .. } = self;
        let words = format!("hidden {hidden} outputs {outputs} scale {scale}");
        let shorts = [&self.rows, &self.biases, &self.weights].into_iter().flatten().flat_map(|number| number.to_le_bytes());
        let body: Vec<u8> = shorts.chain(self.output_biases.iter().flat_map(|number| number.to_le_bytes())).collect();
        networks::sealed(GAME, VERSION, &words, &body)
    }

    /// The sum of the rows of a position in a side's view.
    pub fn refresh(&self, board: &Board, side: Side, sums: &mut [i16]) {
        sums.copy_from_slice(&self.biases);
        self.follow(View::of(board, side), &[0; Piece::KINDS], board, sums);
    }

    /// Changes the sum of the rows of some pieces, the points of each kind, in a view to that of a position.
    fn follow(&self, view: View, before: &[Bits; Piece::KINDS], board: &Board, sums: &mut [i16]) {
        let mut lists = [([0; 32], 0); 2];
        for (kind, (then, now)) in before.iter().zip(board.kinds()).enumerate() {
            for (points, (list, count)) in [now & !then, then & !now].into_iter().zip(&mut lists) {
                for at in Points(points).take(list.len() - *count) {
                    list[*count] = view.input(Piece::ALL[kind], at);
                    *count += 1;
                }
            }
        }
        let [added, removed] = &lists;
        forward::change(self, sums, &added.0[..added.1], &removed.0[..removed.1]);
    }

    /// The result in hundredths of a soldier, from the sums of the side to move and of the other side.
    pub fn judge(&self, own: &[i16], other: &[i16], pieces: u32) -> i32 {
        let output = output_of(pieces, self.outputs);
        let weights = &self.weights[output * 2 * self.hidden..][..2 * self.hidden];
        let total = forward::weigh(self, own, other, weights) / i64::from(HIDDEN_ONE) + i64::from(self.output_biases[output]);
        (total * i64::from(self.scale) / i64::from(HIDDEN_ONE * OUTPUT_ONE)).clamp(-29_000, 29_000) as i32
    }

    /// The value of the position for the side to move, in hundredths of a soldier, by the network's result for it: an advantage without a piece that can give
    /// mate is worth nothing, which a network learns only slowly.
    pub fn worth(board: &Board, judged: i32) -> i32 {
        if board.turn() == Side::First { evaluation::scaled(board, judged) } else { -evaluation::scaled(board, -judged) }
    }

    /// [`judge`](Network::judge) for a position, computed from scratch.
    pub fn judge_board(&self, board: &Board) -> i32 {
        let mut sums = [vec![0; self.hidden], vec![0; self.hidden]];
        let turn = board.turn();
        self.refresh(board, turn, &mut sums[0]);
        self.refresh(board, !turn, &mut sums[1]);
        self.judge(&sums[0], &sums[1], board.piece_count())
    }
}

#[cfg(test)]
mod tests;
