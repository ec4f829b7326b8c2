//! The network that corrects the evaluation by values: its inputs, its weights and its file.
//!
//! It sees the empty points where a stone of one side would make more than a two with one end blocked. Each of the four lines through such a point is one of 256 inputs, the pattern for the side to move
//! and that for the other side; the two classes of the point are one more. Every input has a row of [`WIDTH`] numbers. The five rows of a point are added, and
//! what is above 0 is added up over all points. These sums go through a layer of [`SECOND`] neurons and, directly, to the result: the winning chance as a logit, which is added to the
//! evaluation by values. The network knows nothing of where a point lies, so a position and its images by symmetry are judged alike.
//!
//! There are three sets of weights: for freestyle and standard, for Black to move in renju, and for White to move in renju.
//!
//! Numbers are 16-bit: a 1 of the rows and of the sums is [`POINT_ONE`], a weight of 1 in the layers behind them is [`LAYER_ONE`]. The sizes are bounded so that nothing overflows.
//!
//! The file is a line, `qiju gomoku network 1 width W second S SUM`, then little-endian numbers for each set: `i16` the rows of the lines (256 times W; own pattern times 16
//! plus the other side's), the rows of the classes (256 times W), the weights of the second layer (S times W), those of the result from the second
//! layer (S) and from the sums (W); `i32` the biases of the second layer (S) and of the result (1). `SUM` is the CRC-32 of the line up to the blank before it and of all that
//! follows the line, in hexadecimal.

mod forward;
pub mod loading;

use crate::games::gomoku::rules::board::Board;
use crate::games::gomoku::rules::classes::Class;
use crate::games::gomoku::rules::rule::Rule;
use crate::games::gomoku::rules::spot::{SPOTS, Spot};
use crate::games::networks::has_avx2;
use crate::rules::{Position, Side};
use crate::storage::crc32;

/// The numbers of a row.
pub const WIDTH: usize = 32;
/// The neurons of the second layer.
pub const SECOND: usize = 16;
/// The rows of the lines, and as many of the classes.
pub const ROWS: usize = 256;
/// The sets of weights.
pub const SETS: usize = 3;
/// A 1 of the rows and of the sums.
pub const POINT_ONE: i32 = 64;
/// A sum of 1 is this many times a 1 of the points.
pub const SUM_PART: i32 = 16;
/// A weight of 1 behind the sums.
pub const LAYER_ONE: i32 = 256;
/// The largest absolute value of a number in a row: five of them fit in 16 bits.
pub const POINT_MOST: i16 = 6000;
/// The largest absolute value of a weight behind the sums.
pub const LAYER_MOST: i16 = 2047;
/// The largest absolute value of a bias behind the sums.
pub const BIAS_MOST: i32 = 1 << 20;
/// What a logit of 1 is worth in hundredths of an open two.
pub const SCALE: i64 = 250;
/// The largest correction, in hundredths of an open two.
const MOST: i64 = 4000;

const TITLE: &str = "qiju gomoku network 1";

/// The inputs of a point: the rows of its lines, one in each byte, and the row of its classes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Inputs {
    pub lines: [u8; 4],
    pub classes: u8,
}

impl Inputs {
    /// The inputs of an empty point for the side to move.
    #[inline]
    pub fn of(board: &Board, spot: Spot) -> Inputs {
        let side = board.side_to_move();
        let (own, other) = (board.packed_patterns(spot, side), board.packed_patterns(spot, !side));
        let lines = spread(own) << 4 | spread(other);
        let classes = (board.class(spot, side) as u8) << 4 | board.class(spot, !side) as u8;
        Inputs { lines: lines.to_le_bytes(), classes }
    }

    /// The inputs of all points that count.
    #[inline]
    pub fn all(board: &Board, mut each: impl FnMut(Inputs)) {
        let minor = |side| {
            let mut spots = *board.of_class(side, Class::Nothing);
            spots.unite(board.of_class(side, Class::Two));
            spots
        };
        let mut idle = minor(Side::First);
        idle.intersect(&minor(Side::Second));
        let mut counted = *board.empty();
        counted.subtract(&idle);
        counted.iter().for_each(|spot| each(Inputs::of(board, spot)));
    }
}

/// Four numbers of four bits in the low halves of four bytes.
#[inline]
fn spread(packed: u16) -> u32 {
    let halves = (u32::from(packed) | u32::from(packed) << 8) & 0x00ff_00ff;
    (halves | halves << 4) & 0x0f0f_0f0f
}

/// A row, in one cache line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct Row(pub [i16; WIDTH]);

/// One set of weights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// The rows of the lines, then those of the classes.
    pub rows: Box<[Row; 2 * ROWS]>,
    /// The weights of the second layer.
    pub second: [[i16; WIDTH]; SECOND],
    /// The weights of the result from the second layer, and from the sums.
    pub result: [i16; SECOND],
    pub direct: [i16; WIDTH],
    /// The biases of the second layer and of the result, in units of `1 / (POINT_ONE * LAYER_ONE)`.
    pub second_biases: [i32; SECOND],
    pub bias: i32,
}

/// A network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    /// The sets of weights; see [`set_of`].
    pub sets: [Weights; SETS],
    /// Whether the processor has AVX2.
    fast: bool,
}

/// The set of weights for a rule and a side to move.
pub fn set_of(rule: Rule, side: Side) -> usize {
    match (rule, side) {
        (Rule::Renju, Side::First) => 1,
        (Rule::Renju, Side::Second) => 2,
        _ => 0,
    }
}

/// The numbers of a file in their order.
struct Numbers<'a>(&'a [u8]);

impl Numbers<'_> {
    fn bytes<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*first)
    }

    fn shorts<const N: usize>(&mut self, most: i16) -> Option<[i16; N]> {
        let mut all = [0; N];
        for number in &mut all {
            *number = i16::from_le_bytes(self.bytes()?);
            (-most..=most).contains(number).then_some(())?;
        }
        Some(all)
    }

    fn longs<const N: usize>(&mut self) -> Option<[i32; N]> {
        let mut all = [0; N];
        for number in &mut all {
            *number = i32::from_le_bytes(self.bytes()?);
            (-BIAS_MOST..=BIAS_MOST).contains(number).then_some(())?;
        }
        Some(all)
    }

    fn weights(&mut self) -> Option<Weights> {
        let mut rows = Box::new([Row([0; WIDTH]); 2 * ROWS]);
        for row in rows.iter_mut() {
            row.0 = self.shorts(POINT_MOST)?;
        }
        let mut second = [[0; WIDTH]; SECOND];
        for row in &mut second {
            *row = self.shorts(LAYER_MOST)?;
        }
        let (result, direct) = (self.shorts(LAYER_MOST)?, self.shorts(LAYER_MOST)?);
        let second_biases = self.longs()?;
        let [bias] = self.longs()?;
        Some(Weights { rows, second, result, direct, second_biases, bias })
    }
}

/// The bytes of a set of weights in a file.
const SET_BYTES: usize = 2 * WIDTH * (2 * ROWS + SECOND + 1) + 2 * SECOND + 4 * (SECOND + 1);

impl Network {
    /// A network with these weights.
    #[cfg(any(test, feature = "training"))]
    pub fn new(sets: [Weights; SETS]) -> Network {
        Network { sets, fast: has_avx2() }
    }

    /// Reads a network's file.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(file: &[u8]) -> Result<Network, String> {
        let foreign = || "this is no network for gomoku".to_owned();
        let end = file.iter().take(200).position(|byte| *byte == b'\n').ok_or_else(foreign)?;
        let line = std::str::from_utf8(&file[..end]).map_err(|_| foreign())?;
        if !line.starts_with("qiju gomoku network ") {
            return Err(foreign());
        }
        if !line.starts_with(&format!("{TITLE} width {WIDTH} second {SECOND} ")) {
            return Err("this version of the network's file is not known".to_owned());
        }
        let (told, sum) = line.rsplit_once(' ').ok_or_else(foreign)?;
        let body = &file[end + 1..];
        if sum != format!("{:08x}", crc32([told.as_bytes(), body])) {
            return Err("the file does not match its checksum".to_owned());
        }
        if body.len() != SETS * SET_BYTES {
            return Err(format!("it has {} bytes behind its first line and should have {}", body.len(), SETS * SET_BYTES));
        }
        let mut numbers = Numbers(body);
        let mut set = || numbers.weights().ok_or("a weight is too large");
        Ok(Network { sets: [set()?, set()?, set()?], fast: has_avx2() })
    }

    /// The network's file.
    #[cfg(any(test, feature = "training"))]
    pub fn write(&self) -> Vec<u8> {
        let mut body = Vec::new();
        for set in &self.sets {
            let rows = set.rows.iter().map(|row| &row.0).chain(&set.second).flatten();
            let shorts = rows.chain(&set.result).chain(&set.direct);
            body.extend(shorts.flat_map(|number| number.to_le_bytes()));
            body.extend(set.second_biases.iter().chain([&set.bias]).flat_map(|number| number.to_le_bytes()));
        }
        let line = format!("{TITLE} width {WIDTH} second {SECOND}");
        let sum = crc32([line.as_bytes(), &body]);
        [format!("{line} {sum:08x}\n").as_bytes(), &body].concat()
    }

    /// The correction for the side to move, in hundredths of an open two.
    pub fn judge(&self, board: &Board) -> i32 {
        let mut points = [Inputs::default(); SPOTS];
        let mut count = 0;
        Inputs::all(board, |inputs| {
            points[count] = inputs;
            count += 1;
        });
        let weights = &self.sets[set_of(board.rule(), board.side_to_move())];
        let total = i64::from(forward::result(weights, &points[..count], self.fast));
        (total * SCALE / i64::from(POINT_ONE * LAYER_ONE)).clamp(-MOST, MOST) as i32
    }
}

#[cfg(test)]
mod tests;
