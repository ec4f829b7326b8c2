//! Yixin's list of stones: their number, then one byte per stone, row * 15 + file, rows from the top. Source: a file of the format.

use super::rules;
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
    let (count, stones) = bytes.split_first().ok_or_else(|| Fault::byte(0, "the file is empty"))?;
    let builder = partial.gomoku(rules::variant("freestyle", SIZE)).map_err(|why| Fault::byte(0, why))?;
    for (index, stone) in stones.iter().take(usize::from(*count)).enumerate() {
        let bad = |why: String| Fault::byte(index + 1, format!("move {}: point {stone}: {why}", index + 1));
        if *stone >= SIZE * SIZE {
            return Err(bad("that is not on the board".to_owned()));
        }
        builder.play(Action::Drop(Point::new(stone % SIZE, SIZE - 1 - stone / SIZE))).map_err(bad)?;
    }
    if usize::from(*count) != stones.len() {
        return Err(Fault::byte(0, format!("the file must have {count} stones, but has {}", stones.len())));
    }
    Ok(builder.finish(None, None))
}
