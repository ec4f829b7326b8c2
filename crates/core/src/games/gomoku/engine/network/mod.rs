//! The network that corrects the evaluation by values: its weights and its file.
//!
//! For each side it adds up rows of [`WIDTH`] numbers over the empty points: for each point one row for the code of the
//! point, and one for the pair of its classes for the two sides. From them the same sum of the board without stones is
//! subtracted, so that the size of the board means nothing. These sums follow the moves (see
//! [`accumulator`](super::accumulator)). What is judged are the sums of the two sides, now and before each of the last
//! two moves: so the network sees what these moves changed. They go through two layers of [`NEURONS`] neurons to the
//! result: the winning chance of the side to move as a logit, which is added to the evaluation by values. The network
//! knows nothing of where a point lies, so a position and its images by symmetry are judged alike. All rules share the
//! weights.
//!
//! Numbers are 16-bit: a 1 of the rows, the sums and the neurons is [`ROW_ONE`], a weight of 1 in the layers is
//! [`LAYER_ONE`]. The sums wrap around; those of a trained network stay far from the limit. What comes into a layer is
//! cut off, and the weights are bounded, so that nothing else overflows.
//!
//! The file is a line, `qiju gomoku network 2 width W neurons N SUM`, then little-endian numbers: `i16` the rows of the
//! codes (W each), the rows of the pairs of classes (own class times 16 plus the other side's; W each), the sums of a
//! board without stones (W), the weights of the first layer (N times 6 W: own and other sums now, before the last move,
//! and before the one before it), of the second layer (N times N) and of the result (N); `i32` the biases of the first
//! layer (N), of the second (N) and of the result (1). `SUM` is the CRC-32 of the line up to the blank before it and of
//! all that follows the line, in hexadecimal.

mod forward;
pub mod loading;

use crate::games::gomoku::rules::board::Board;
use crate::games::gomoku::rules::classes::{CLASS_NUMBERS, CODE_NUMBERS, CODES, Outlook};
use crate::games::gomoku::rules::shapes::Change;
use crate::games::networks::{self, has_avx2};

/// The numbers of a row.
pub const WIDTH: usize = 16;
/// The neurons of each layer.
pub const NEURONS: usize = 16;
/// The positions of which the sums are judged: this one and those before the last two moves.
pub const STATES: usize = 3;
/// The numbers that come into the first layer.
pub const INPUTS: usize = 2 * STATES * WIDTH;
/// The pairs of classes.
pub const PAIRS: usize = CLASS_NUMBERS * CLASS_NUMBERS;
/// A 1 of the rows, of the sums and of the neurons.
pub const ROW_ONE: i32 = 1024;
/// A weight of 1 in the layers.
pub const LAYER_ONE: i32 = 512;
/// The largest absolute value of a number in a row.
pub const ROW_MOST: i16 = 8191;
/// The largest absolute value of a weight in the layers: products of two 16-bit numbers are added in 32 bits.
pub const LAYER_MOST: i16 = 2047;
/// The largest absolute value of a bias.
pub const BIAS_MOST: i32 = 1 << 26;
/// Sums are cut off here, in both directions.
pub const SUM_MOST: i16 = 8192;
/// The largest value of a neuron.
pub const NEURON_MOST: i32 = i16::MAX as i32;
/// What a logit of 1 is worth in hundredths of an open two.
pub const SCALE: i64 = 250;
/// The largest correction, in hundredths of an open two.
const MOST: i64 = 2500;

const GAME: &str = "gomoku";
const VERSION: u32 = 2;

/// The words about the layers in the file.
fn layers() -> String {
    format!("width {WIDTH} neurons {NEURONS}")
}

/// A row of numbers, or a sum of rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(32))]
pub struct Row(pub [i16; WIDTH]);

/// A network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    weights: Box<Weights>,
    layers: Box<Layers>,
    /// Whether the processor has AVX2.
    fast: bool,
}

/// The numbers of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// The row of each code; those behind the codes are 0.
    pub codes: [Row; CODE_NUMBERS],
    /// The row of each pair of classes, the own class first; those of the number that is no class are 0.
    pub pairs: [Row; PAIRS],
    /// The sums of a board without stones.
    pub start: Row,
    /// Of the first layer, by neuron.
    pub first: [[i16; INPUTS]; NEURONS],
    /// Of the second layer, by neuron.
    pub second: [[i16; NEURONS]; NEURONS],
    /// Of the result.
    pub result: [i16; NEURONS],
    /// The biases of the first layer, in units of `1 / (ROW_ONE * LAYER_ONE)`.
    pub first_biases: [i32; NEURONS],
    /// Those of the second layer.
    pub second_biases: [i32; NEURONS],
    /// That of the result.
    pub bias: i32,
}

/// The weights of all neurons of a layer for two of its inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(32))]
struct Pairs([[i16; 2]; NEURONS]);

/// The weights of the two layers in the order of the arithmetic with AVX2.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Layers {
    first: [Pairs; INPUTS / 2],
    second: [Pairs; NEURONS / 2],
}

impl Layers {
    fn of(weights: &Weights) -> Layers {
        Layers {
            first: std::array::from_fn(|at| Pairs(weights.first.map(|row| [row[2 * at], row[2 * at + 1]]))),
            second: std::array::from_fn(|at| Pairs(weights.second.map(|row| [row[2 * at], row[2 * at + 1]]))),
        }
    }
}

/// The number of the pair of a point's classes for a side and for the other one.
#[inline]
pub fn pair(own: Outlook, other: Outlook) -> usize {
    own.class_number() * CLASS_NUMBERS + other.class_number()
}

/// The numbers of a file in their order.
struct Numbers<'a>(&'a [u8]);

impl Numbers<'_> {
    fn bytes<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*first)
    }

    fn shorts(&mut self, numbers: &mut [i16], most: i16) -> Option<()> {
        for number in numbers {
            *number = i16::from_le_bytes(self.bytes()?);
            (-most..=most).contains(number).then_some(())?;
        }
        Some(())
    }

    fn longs(&mut self, numbers: &mut [i32]) -> Option<()> {
        for number in numbers {
            *number = i32::from_le_bytes(self.bytes()?);
            (-BIAS_MOST..=BIAS_MOST).contains(number).then_some(())?;
        }
        Some(())
    }

    fn weights(&mut self) -> Option<Box<Weights>> {
        let mut weights = Box::new(Weights::NOTHING);
        let Weights { codes, pairs, start, first, second, result, first_biases, second_biases, bias } = &mut *weights;
        for row in codes[..CODES].iter_mut().chain(pairs).chain([start]) {
            self.shorts(&mut row.0, ROW_MOST)?;
        }
        self.shorts(first.as_flattened_mut(), LAYER_MOST)?;
        self.shorts(second.as_flattened_mut(), LAYER_MOST)?;
        self.shorts(result, LAYER_MOST)?;
        self.longs(first_biases)?;
        self.longs(second_biases)?;
        self.longs(std::slice::from_mut(bias))?;
        Some(weights)
    }
}

/// The bytes of the weights in a file.
const BYTES: usize = 2 * (WIDTH * (CODES + PAIRS + 1) + NEURONS * (INPUTS + NEURONS + 1)) + 4 * (2 * NEURONS + 1);

impl Weights {
    /// All 0.
    pub const NOTHING: Weights = Weights {
        codes: [Row([0; WIDTH]); CODE_NUMBERS],
        pairs: [Row([0; WIDTH]); PAIRS],
        start: Row([0; WIDTH]),
        first: [[0; INPUTS]; NEURONS],
        second: [[0; NEURONS]; NEURONS],
        result: [0; NEURONS],
        first_biases: [0; NEURONS],
        second_biases: [0; NEURONS],
        bias: 0,
    };
}

impl Network {
    /// A network with these weights.
    pub fn new(weights: Box<Weights>) -> Network {
        Network { layers: Box::new(Layers::of(&weights)), weights, fast: has_avx2() }
    }

    /// Reads a network's file.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(file: &[u8]) -> Result<Network, String> {
        let (words, body) = networks::opened(file, GAME, VERSION)?;
        if words != layers() {
            return Err(format!("its layers are '{words}', not '{}'", layers()));
        }
        if body.len() != BYTES {
            return Err(format!("it has {} bytes behind its first line and should have {BYTES}", body.len()));
        }
        Numbers(body).weights().map(Network::new).ok_or_else(|| "a weight is too large".to_owned())
    }

    /// The network's file.
    pub fn write(&self) -> Vec<u8> {
        let Weights { codes, pairs, start, first, second, result, first_biases, second_biases, bias } = &*self.weights;
        let rows = codes[..CODES].iter().chain(pairs).chain([start]).flat_map(|row| &row.0);
        let shorts = rows.chain(first.as_flattened()).chain(second.as_flattened()).chain(result);
        let longs = first_biases.iter().chain(second_biases).chain([bias]);
        let mut body: Vec<u8> = shorts.flat_map(|number| number.to_le_bytes()).collect();
        body.extend(longs.flat_map(|number| number.to_le_bytes()));
        networks::sealed(GAME, VERSION, &layers(), &body)
    }

    /// The sums of a board, of both sides.
    pub fn sums(&self, board: &Board) -> [Row; 2] {
        let nothing = Board::new(board.rule(), board.size());
        let after = |spot| if board.is_empty(spot) { board.outlooks_of(spot) } else { [Outlook::NONE; 2] };
        let points = nothing.empty().iter().map(|spot| Change::new(spot, nothing.outlooks_of(spot), after(spot)));
        self.changed([self.weights.start; 2], &points.collect::<Vec<_>>())
    }

    /// The sums after these changes, of both sides.
    #[inline]
    pub fn changed(&self, sums: [Row; 2], changes: &[Change]) -> [Row; 2] {
        forward::changed(&self.weights, sums, changes, self.fast)
    }

    /// The correction for the side to move, in hundredths of an open two. For each of the [`STATES`], the latest first:
    /// the sums of the side to move, and those of the other side.
    #[inline]
    pub fn judge(&self, sums: [[&Row; 2]; STATES]) -> i32 {
        let total = i64::from(forward::result(&self.weights, &self.layers, sums, self.fast));
        (total * SCALE / i64::from(ROW_ONE * LAYER_ONE)).clamp(-MOST, MOST) as i32
    }
}

#[cfg(test)]
mod tests;
