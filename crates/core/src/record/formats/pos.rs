//! Yixin's list of stones: their number, then one byte per stone, row * 15 + file, rows from the top. Source: a file of the format.

use super::rules;
use crate::message;
use crate::message::Message;
use crate::record::Record;
use crate::record::builder::Partial;
use crate::record::fault::Fault;
use crate::rules::Point;
use crate::table::Action;

const SIZE: u8 = 15;

/// True if the bytes are a number and this number of different points.
pub fn looks_like(bytes: &[u8]) -> bool {
    let Some((count, stones)) = bytes.split_first() else { return false };
    let mut seen = [false; 256];
    usize::from(*count) == stones.len()
        && !stones.is_empty()
        && stones.iter().all(|stone| *stone < SIZE * SIZE && !std::mem::replace(&mut seen[usize::from(*stone)], true))
}

/// Reads the game of a file.
pub fn read(bytes: &[u8], partial: &mut Partial) -> Result<Record, Fault> {
    let (count, stones) = bytes.split_first().ok_or_else(|| Fault::byte(0, message!("the file is empty")))?;
    let builder = partial.gomoku(rules::variant("freestyle", SIZE)).map_err(|why| Fault::byte(0, why))?;
    for (index, stone) in stones.iter().take(usize::from(*count)).enumerate() {
        let bad = |why: Message| Fault::byte(index + 1, message!("move {}: point {}: {}", index + 1, stone, why));
        if *stone >= SIZE * SIZE {
            return Err(bad(message!("that is not on the board")));
        }
        builder.play(Action::Drop(Point::new(stone % SIZE, SIZE - 1 - stone / SIZE))).map_err(bad)?;
    }
    if usize::from(*count) != stones.len() {
        return Err(Fault::byte(0, message!("the file must have {} stones, but has {}", count, stones.len())));
    }
    Ok(builder.finish(None, None))
}
