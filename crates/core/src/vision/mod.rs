//! Recognition of positions in pictures of boards: another program's window, a diagram in a book.
//!
//! The board is found by its lines ([`lattice`]), then a small network names what stands on each point ([`network`]), and at last what no position can
//! be is mended or called uncertain ([`reading`]). The network is trained by `qiju-tools train pictures`.

mod file;
pub mod lattice;
mod lines;
pub mod network;
pub mod patch;
pub mod raster;
mod reading;
#[cfg(test)]
mod tests;

pub use file::{decode, is_picture};
pub use reading::{CERTAIN, Recognised, Seen};

use crate::games::networks::{self, Shipped};
use crate::games::{Entry, large};
use crate::message;
use crate::message::Message;
use crate::paint::Picture;
use crate::rules::Side;
use crate::table::{Board, GameSheet, Grid, Piece, Placement, Setup, Shape};
use lattice::{Found, find};
use network::{CLASSES, Network};
use patch::Patch;
use raster::Raster;
use reading::Points;

static OWN: Shipped<Network> = Shipped::new(|| networks::shipped(large::picture_network(), Network::read));

/// The class of what is no point of a board.
pub const OTHER: usize = CLASSES - 1;
/// So many places for the board are looked at more closely.
const CANDIDATES: usize = 4;
/// If the network takes more than this share of a board for something else, it is no board.
const FOREIGN: f32 = 0.25;

/// The class of a piece: the discs of xiangqi, then dark and light stones, then a cross and a ring.
pub fn class_of(shape: Shape, piece: Piece) -> usize {
    let second = usize::from(piece.side == Side::Second);
    match shape {
        Shape::Disc => 1 + 7 * second + usize::from(piece.role).min(6),
        Shape::Stone { first_is_dark } => 15 + usize::from((piece.side == Side::First) != first_is_dark),
        Shape::Mark => 17 + second,
    }
}

/// The class of an empty point: a crossing, or a cell with lines around it.
pub fn empty_class(grid: Grid) -> usize {
    if grid == Grid::Cells { 19 } else { 0 }
}

/// The classes that can be seen on boards with these lines.
pub fn classes(sheet: &GameSheet, grid: Grid) -> [bool; CLASSES] {
    let mut possible = [false; CLASSES];
    let pieces = sheet.kinds().map(|piece| class_of(sheet.shape, piece));
    pieces.chain([empty_class(grid), OTHER]).for_each(|class| possible[class] = true);
    possible
}

/// A board that is looked for.
struct Wanted<'a> {
    variant: &'a str,
    placement: &'static dyn Placement,
    board: &'a Board,
}

/// The boards of a game, or that of one variant.
fn wanted<'a>(entry: &Entry, sheet: &'a GameSheet, variant: Option<&'a str>) -> Result<Vec<Wanted<'a>>, Message> {
    let mut all: Vec<Wanted> = Vec::new();
    let variants = sheet.variants.iter().map(|one| one.key.as_str()).filter(|key| variant.is_none_or(|wanted| wanted == *key));
    for variant in variants {
        let Some(placement) = (entry.capabilities)(variant).placement else { continue };
        let Some(board) = sheet.board(placement.size(variant)) else { continue };
        if !all.iter().any(|other| std::ptr::eq(other.board, board)) {
            all.push(Wanted { variant, placement, board });
        }
    }
    match (all.is_empty(), variant) {
        (true, Some(variant)) => Err(message!("there is no variant '{}' of {}", variant, entry.key)),
        (true, None) => Err(message!("positions of {} cannot be set up", entry.key)),
        (false, _) => Ok(all),
    }
}

/// The position in a picture of a board of this game. Without a variant it is the first one of the game with a board like the one in the picture.
///
/// # Errors
/// There is no such variant, or no board of the game is seen in the picture.
pub fn recognise(picture: &Picture, entry: &Entry, sheet: &GameSheet, variant: Option<&str>) -> Result<Recognised, Message> {
    let wanted = wanted(entry, sheet, variant)?;
    let network = (*OWN).clone().map_err(|why| message!("the network of this program: {}", why))?;
    let network = network.ok_or(message!("pictures are not read here"))?;
    let raster = Raster::of(picture);
    let boards: Vec<&Board> = wanted.iter().map(|one| one.board).collect();
    let found = find(&raster, &boards);
    if found.is_empty() {
        return Err(message!("there is no board in this picture: none of its lines are those of a board"));
    }
    let mut best: Option<(f32, &Found, Points)> = None;
    for found in distinct(&found) {
        let wanted = &wanted[found.board];
        let points = Points::of(&raster, &network, sheet, wanted.board, &found.lattice);
        let quality = found.score - 2.0 * points.foreign();
        if best.as_ref().is_none_or(|(other, ..)| quality > *other) {
            best = Some((quality, found, points));
        }
    }
    match best {
        Some((_, found, points)) if points.foreign() <= FOREIGN => {
            let Wanted { variant, placement, board } = wanted[found.board];
            let mut seen = points.read(sheet, variant, placement, board, &found.lattice);
            // Where a game begins without pieces, their numbers say whose turn it is.
            let start = Setup { variant: Some(variant.to_owned()), position: None };
            if entry.table(&start).is_ok_and(|table| table.pieces().is_empty()) {
                let count = |side| seen.draft.pieces.values().filter(|piece| piece.side == side).count();
                seen.draft.turn = if count(Side::First) > count(Side::Second) { Side::Second } else { Side::First };
            }
            Ok(seen)
        }
        _ => Err(message!("there is no board in this picture: where lines cross there is something else")),
    }
}

/// The best places that are not nearly the same.
fn distinct(found: &[Found]) -> Vec<&Found> {
    let mut out: Vec<&Found> = Vec::new();
    for one in found {
        let same = |other: &&Found| {
            let (a, b, next) = (one.lattice.at(0.0, 0.0), other.lattice.at(0.0, 0.0), one.lattice.at(1.0, 0.0));
            other.board == one.board && (a.0 - b.0).hypot(a.1 - b.1) < 0.1 * (a.0 - next.0).hypot(a.1 - next.1)
        };
        if out.len() < CANDIDATES && !out.iter().any(same) {
            out.push(one);
        }
    }
    out
}

/// The square around a point of a board in a picture, with the columns from its left and the rows from its top.
fn patch_at(raster: &Raster, lattice: &lattice::Lattice, column: f32, row: f32) -> Patch {
    let between = |a: (f32, f32), b: (f32, f32)| ((b.0 - a.0) / 2.0, (b.1 - a.1) / 2.0);
    let right = between(lattice.at(column - 1.0, row), lattice.at(column + 1.0, row));
    let down = between(lattice.at(column, row - 1.0), lattice.at(column, row + 1.0));
    Patch::of(raster, lattice.at(column, row), right, down)
}
