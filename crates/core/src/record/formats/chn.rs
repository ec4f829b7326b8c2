//! Records that begin with `GL`: a title at byte 36, then the moves from byte 522 on, 36 bytes each. The first two bytes of a move are origin and target, with
//! the row from black's end in the upper four bits and the file from red's left in the lower four bits. Source: a file of the format.

use super::binary::until_zero;
use super::squares::step;
use super::{ReadItem, Sink};
use crate::message;
use crate::message::Message;
use crate::record::Record;
use crate::record::builder::Partial;
use crate::record::charset::Charset;
use crate::record::fault::Fault;
use crate::rules::Side;

const MOVES: usize = 522;
const MOVE: usize = 36;
const TITLE: usize = 36;

/// Reads the game of a file.
pub fn read(bytes: &[u8], charset: Charset, partial: &mut Partial, sink: &mut Sink) -> Result<Record, Fault> {
    if bytes.len() < MOVES {
        return Err(Fault::byte(bytes.len(), message!("the header of 522 bytes is incomplete")));
    }
    let builder = partial.xiangqi(None).map_err(|why| Fault::byte(0, why))?;
    let title = charset.gb(until_zero(bytes, TITLE, 60));
    if let Some((red, black)) = title.split_once(" - ") {
        builder.player(Side::First, red);
        builder.player(Side::Second, black);
    }
    builder.tag("Title", &title);
    let mut ended = false;
    for (index, entry) in bytes[MOVES..].chunks(MOVE).enumerate() {
        let [from, to, ..] = *entry else { break };
        // An empty entry ends the list.
        if from == to {
            ended = true;
            break;
        }
        let square = |byte: u8| (usize::from(byte & 15), 9usize.wrapping_sub(usize::from(byte >> 4)));
        let bad = |why: Message| {
            Fault::byte(
                MOVES + index * MOVE,
                message!("move {}: {} to {}: {}", index + 1, format!("{from:02x}"), format!("{to:02x}"), why),
            )
        };
        let action = step(square(from), square(to)).ok_or_else(|| bad(message!("that is not on the board")))?;
        builder.play(action).map_err(bad)?;
    }
    if !ended {
        let why = message!("the file ends here without the empty entry behind its last move; moves may be missing");
        sink(ReadItem::Remark(Fault::byte(bytes.len(), why)));
    }
    Ok(builder.finish(None, None))
}
