//! A list of decimal numbers: 1, the number of plies, then ten numbers per ply. The fourth to seventh of these are row and file of the origin and of the
//! target, with rows from red's end and files from red's left. Source: files of the format.

use super::squares::step;
use crate::message;
use crate::message::Message;
use crate::record::Record;
use crate::record::builder::Partial;
use crate::record::fault::Fault;

/// True if the text is such a list.
pub fn looks_like(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let plies = words.next().filter(|first| *first == "1").and_then(|_| words.next());
    plies.is_some_and(|plies| plies.parse::<u16>().is_ok())
        && words.clone().count() >= 10
        && words.all(|word| word.parse::<i64>().is_ok())
}

/// Reads the game of a file.
pub fn read(text: &str, partial: &mut Partial) -> Result<Record, Fault> {
    let mut numbers = Vec::new();
    let mut damage = None;
    let words = (1..).zip(text.lines()).flat_map(|(line, words)| words.split_whitespace().map(move |word| (line, word)));
    for (line, word) in words {
        let Ok(number) = word.parse::<i64>() else {
            damage = Some(Fault::line(line, message!("'{}' is not a number", word.escape_debug())));
            break;
        };
        numbers.push((line, number));
    }
    let Some((_, plies)) = numbers.get(1).copied() else {
        return Err(damage.unwrap_or_else(|| Fault::line(1, message!("there is no record here"))));
    };
    let builder = partial.xiangqi(None).map_err(|why| Fault::line(1, why))?;
    let rest = numbers.get(2..).unwrap_or_default();
    for (ply, numbers) in (1..=plies).zip(rest.chunks_exact(10)) {
        let square = |row: i64, file: i64| Some((usize::try_from(file).ok()?, usize::try_from(row).ok()?));
        let [row, file, to_row, to_file] = [numbers[3].1, numbers[4].1, numbers[5].1, numbers[6].1];
        let action = square(row, file).zip(square(to_row, to_file)).and_then(|(from, to)| step(from, to));
        let bad = |why: Message| {
            Fault::line(numbers[0].0, message!("move {}: {} {} to {} {}: {}", ply, row, file, to_row, to_file, why))
        };
        builder.play(action.ok_or_else(|| bad(message!("that is not on the board")))?).map_err(bad)?;
    }
    if let Some(fault) = damage {
        return Err(fault);
    }
    if rest.len() as i64 / 10 < plies {
        let line = numbers.last().map_or(1, |(line, _)| *line);
        let why = message!("move {}: the file is incomplete: it must have {} moves", rest.len() / 10 + 1, plies);
        return Err(Fault::line(line, why));
    }
    Ok(builder.finish(None, None))
}
