//! A list of strings, each after its length: information about the game, `Moves`, the moves (`7C-4C`: file from red's left from 0, rank as a letter from red's end
//! from `A`), `Ends`. Source: files of the format.

use super::binary::Bytes;
use super::squares::step;
use super::{ReadItem, Sink};
use crate::message;
use crate::message::Message;
use crate::record::Record;
use crate::record::builder::Partial;
use crate::record::charset::Charset;
use crate::record::fault::Fault;
use crate::rules::Side;

/// True if the bytes are strings with `Moves` among the first of them.
pub fn looks_like(bytes: &[u8]) -> bool {
    let mut data = Bytes::new(bytes, 0);
    (0..64).any(|_| string(&mut data).is_ok_and(|text| text == b"Moves"))
}

fn string<'a>(data: &mut Bytes<'a>) -> Result<&'a [u8], Fault> {
    let length = usize::from(data.byte()?);
    data.take(length)
}

/// Reads the game of a file.
pub fn read(bytes: &[u8], charset: Charset, partial: &mut Partial, sink: &mut Sink) -> Result<Record, Fault> {
    let mut data = Bytes::new(bytes, 0);
    let mut head = Vec::new();
    loop {
        let text = charset.gb(string(&mut data)?);
        if text == "Moves" {
            break;
        }
        head.push(text);
    }
    let builder = partial.xiangqi(None).map_err(|why| Fault::byte(0, why))?;
    let field = |index: usize| head.get(index).map_or("", String::as_str);
    builder.tag("Title", field(0));
    builder.tag("Date", field(1));
    builder.player(Side::First, field(2));
    builder.player(Side::Second, field(4));
    builder.tag("Opening", head.last().map_or("", |last| if head.len() > 6 { last.as_str() } else { "" }));
    // The result is between the players' names, from the view of the first one.
    let told = match field(3) {
        word if word.contains('胜') => Some(Some(Side::First)),
        word if word.contains('负') => Some(Some(Side::Second)),
        word if word.contains('和') => Some(None),
        _ => None,
    };
    let mut ply = 1;
    loop {
        let at = data.at;
        if data.is_empty() {
            sink(ReadItem::Remark(Fault::byte(
                at,
                message!("the file ends here without its last word Ends; moves may be missing"),
            )));
            break;
        }
        let text = string(&mut data)?;
        if text == b"Ends" {
            break;
        }
        let square = |pair: &[u8]| match pair {
            [file @ b'0'..=b'8', rank @ b'A'..=b'J'] => Some((usize::from(file - b'0'), usize::from(rank - b'A'))),
            _ => None,
        };
        let action = match text {
            [a, b, b'-', c, d] => square(&[*a, *b]).zip(square(&[*c, *d])).and_then(|(from, to)| step(from, to)),
            _ => None,
        };
        let bad = |why: Message| Fault::byte(at, message!("move {}: '{}': {}", ply, charset.gb(text).escape_debug(), why));
        builder.play(action.ok_or_else(|| bad(message!("a move must be written like 7C-4C")))?).map_err(bad)?;
        ply += 1;
    }
    Ok(builder.finish(told, None))
}
