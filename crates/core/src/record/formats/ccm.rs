//! A header of 12 bytes, then nine bytes per ply: piece, side, kind, file and row of the origin, file and row of the target, the captured piece and its kind.
//! Known files count from different corners, so all four are tried; only one of them gives a game of legal moves.

use super::squares::step;
use crate::message;
use crate::message::Message;
use crate::record::Record;
use crate::record::builder::Partial;
use crate::record::fault::Fault;

const HEADER: usize = 12;
const MOVE: usize = 9;

/// Reads the game of a file.
pub fn read(bytes: &[u8], partial: &mut Partial) -> Result<Record, Fault> {
    let moves = bytes.get(HEADER..).filter(|moves| !moves.is_empty());
    let moves = moves
        .ok_or_else(|| Fault::byte(bytes.len(), message!("a .ccm file must have 12 bytes and then nine bytes for each move")))?;
    let mut first = None;
    for (from_left, from_red) in [(true, false), (true, true), (false, false), (false, true)] {
        let mut attempt = Partial::default();
        match play(moves, from_left, from_red, &mut attempt) {
            Ok(record) => return Ok(record),
            Err((ply, why)) => {
                if partial.keep(attempt) || first.is_none() {
                    first = Some((ply, why));
                }
            }
        }
    }
    let (ply, why) = first.expect("four ways to read were tried");
    Err(Fault::byte(HEADER + ply * MOVE, message!("move {}: {}", ply + 1, why)))
}

fn play(moves: &[u8], from_left: bool, from_red: bool, partial: &mut Partial) -> Result<Record, (usize, Message)> {
    let builder = partial.xiangqi(None).map_err(|why| (0, why))?;
    let entries = moves.chunks_exact(MOVE);
    let rest = entries.remainder();
    for (ply, entry) in entries.enumerate() {
        let square = |file: u8, row: u8| {
            let (file, row) = (usize::from(file), usize::from(row));
            (if from_left { file } else { 8usize.wrapping_sub(file) }, if from_red { row } else { 9usize.wrapping_sub(row) })
        };
        let action = step(square(entry[3], entry[4]), square(entry[5], entry[6]));
        let action = action.ok_or_else(|| (ply, message!("its squares are not on the board")))?;
        builder.play(action).map_err(|why| (ply, why))?;
    }
    if !rest.is_empty() {
        return Err((moves.len() / MOVE, message!("the file ends here, but more data must follow")));
    }
    Ok(builder.finish(None, None))
}
