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
//! The file is a line, `qiju xiangqi network 3 hidden H outputs O scale S SUM`, and what follows is packed by deflate: `i16` numbers, the low bytes of all of
//! them and then the high bytes, which pack to two thirds of what pairs of bytes do: a row for each piece and point (1260 times H), what the hidden layer's rows
//! differ from it for each point of the general (7560 times H), its biases (H), and the weights of each output (2 H, the side to move first). Last come the
//! biases of the outputs as little-endian `i32`. `S` is what a logit of 1 is worth in hundredths of a soldier. `SUM` is the CRC-32 of the line up to the
//! blank before it and of all that follows the line, in hexadecimal.

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
use flate2::Compression;
use flate2::read::{DeflateDecoder, DeflateEncoder};
use std::io::Read;

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
const VERSION: u32 = 3;

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
        let (words, packed) = networks::opened(file, GAME, VERSION)?;
        let words: Vec<&str> = words.split(' ').collect();
        let ["hidden", hidden, "outputs", outputs, "scale", scale] = words[..] else {
            return Err(foreign());
        };
        let number = |word: &str| word.parse::<usize>().map_err(|_| foreign());
        let (hidden, outputs) = (number(hidden)?, number(outputs)?);
        if hidden > HIDDEN_LARGEST || outputs > OUTPUTS_MOST {
            return Err("its layers are too large".to_owned());
        }
        let counts = [PLACES * hidden, INPUTS * hidden, hidden, outputs * 2 * hidden];
        let count = counts.iter().sum::<usize>();
        let mut body = Vec::new();
        let length = 2 * count + 4 * outputs;
        let unpacked = DeflateDecoder::new(packed).take(length as u64 + 1).read_to_end(&mut body);
        if unpacked.is_err() || body.len() != length {
            return Err("its numbers are not those of its layers".to_owned());
        }
        let (low, rest) = body.split_at(count);
        let (high, longs) = rest.split_at(count);
        let mut shorts = low.iter().zip(high).map(|(low, high)| i16::from_le_bytes([*low, *high]));
        let [means, mut rows, biases, weights] = counts.map(|count| shorts.by_ref().take(count).collect::<Vec<i16>>());
        rows.iter_mut().zip(means.iter().cycle()).for_each(|(row, mean)| *row = row.wrapping_add(*mean));
        let longs = longs.chunks_exact(4).map(|four| i32::from_le_bytes([four[0], four[1], four[2], four[3]])).collect();
        Network::new(number(scale)? as i32, rows, biases, weights, longs)
    }

    /// The network's file.
    pub fn write(&self) -> Vec<u8> {
        let Network { hidden, outputs, scale, .. } = self;
        let words = format!("hidden {hidden} outputs {outputs} scale {scale}");
        let size = PLACES * hidden;
        let mean = |at: usize| {
            let sum: i32 = self.rows[at..].iter().step_by(size).map(|row| i32::from(*row)).sum();
            (sum / GENERALS as i32) as i16
        };
        let means: Vec<i16> = (0..size).map(mean).collect();
        let changes: Vec<i16> = self.rows.iter().zip(means.iter().cycle()).map(|(row, mean)| row - mean).collect();
        let shorts = || [&means, &changes, &self.biases, &self.weights].into_iter().flatten().map(|number| number.to_le_bytes());
        let longs = self.output_biases.iter().flat_map(|number| number.to_le_bytes());
        let whole: Vec<u8> = shorts().map(|[low, _]| low).chain(shorts().map(|[_, high]| high)).chain(longs).collect();
        let mut body = Vec::new();
        let packed = DeflateEncoder::new(&whole[..], Compression::best()).read_to_end(&mut body);
        packed.expect("what is in memory can be read");
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
