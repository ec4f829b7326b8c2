//! A header of 12 bytes, then nine bytes per ply: piece, side, kind, file and row of the origin, file and row of the target, the captured piece and its kind.
//! Known files count from different corners, so all four are tried; only one of them gives a game of legal moves.

use super::squares::step;
use crate::record::Record;
use crate::record::builder::Builder;
use crate::record::fault::Fault;

const HEADER: usize = 12;
const MOVE: usize = 9;

/// Reads the game of a file.
pub fn read(bytes: &[u8]) -> Result<Record, Fault> {
    let moves = bytes.get(HEADER..).filter(|moves| !moves.is_empty() && moves.len() % MOVE == 0);
    let moves =
        moves.ok_or_else(|| Fault::byte(bytes.len(), "a .ccm file must have 12 bytes and then nine bytes for each move"))?;
    let mut first = None;
    for (from_left, from_red) in [(true, false), (true, true), (false, false), (false, true)] {
        match play(moves, from_left, from_red) {
            Ok(record) => return Ok(record),
            Err((ply, why)) => {
                if first.as_ref().is_none_or(|(furthest, _)| *furthest < ply) {
                    first = Some((ply, why));
                }
            }
        }
    }
    let (ply, why) = first.unwrap_or_default();
    Err(Fault::byte(HEADER + ply * MOVE, format!("move {}: {why}", ply + 1)))
}

fn play(moves: &[u8], from_left: bool, from_red: bool) -> Result<Record, (usize, String)> {
    let mut builder = Builder::xiangqi(None).map_err(|why| (0, why))?;
    for (ply, entry) in moves.chunks_exact(MOVE).enumerate() {
        let square = |file: u8, row: u8| {
            let (file, row) = (usize::from(file), usize::from(row));
            (if from_left { file } else { 8usize.wrapping_sub(file) }, if from_red { row } else { 9usize.wrapping_sub(row) })
        };
        let action = step(square(entry[3], entry[4]), square(entry[5], entry[6]));
        let action = action.ok_or_else(|| (ply, "its squares are not on the board".to_owned()))?;
        builder.play(action).map_err(|why| (ply, why))?;
    }
    Ok(builder.finish(None, None))
}
