//! The board of the game as the proofs see it: its points as places, its stones and its key.

use super::key::{Key, Place, key};
use crate::games::gomoku::rules::board::Board;
use crate::games::gomoku::rules::spot::Spot;
use crate::rules::Side;

/// The place of a spot.
pub fn place(spot: Spot, size: u8) -> Place {
    let point = spot.point();
    u16::from(point.y) * u16::from(size) + u16::from(point.x)
}

/// The spot of a place.
pub fn spot(place: Place, size: u8) -> Spot {
    Spot::new((place % u16::from(size)) as u8, (place / u16::from(size)) as u8)
}

/// The stones of both sides.
pub fn stones(board: &Board) -> impl Iterator<Item = (Place, Side)> + '_ {
    let size = board.size();
    Side::BOTH.into_iter().flat_map(move |side| board.stones(side).iter().map(move |spot| (place(spot, size), side)))
}

/// The key of a position.
pub fn key_of(board: &Board) -> Key {
    key(stones(board), board.size())
}
