//! A list of decimal numbers: 1, the number of plies, then ten numbers per ply. The fourth to seventh of these are row and file of the origin and of the
//! target, with rows from red's end and files from red's left. Source: files of the format.

use super::squares::step;
use crate::record::Record;
use crate::record::builder::Builder;
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
pub fn read(text: &str) -> Result<Record, Fault> {
    let mut numbers = Vec::new();
    for (line, words) in (1..).zip(text.lines()) {
        for word in words.split_whitespace() {
            let number: i64 =
                word.parse().map_err(|_| Fault::line(line, format!("'{}' is not a number", word.escape_debug())))?;
            numbers.push((line, number));
        }
    }
    let plies = numbers.get(1).map_or(0, |(_, plies)| *plies);
    let mut builder = Builder::xiangqi(None).map_err(|why| Fault::line(1, why))?;
    let rest = numbers.get(2..).unwrap_or_default();
    if rest.len() as i64 / 10 < plies {
        let line = numbers.last().map_or(1, |(line, _)| *line);
        return Err(Fault::line(
            line,
            format!("move {}: the file is incomplete: it must have {plies} moves", rest.len() / 10 + 1),
        ));
    }
    for (ply, numbers) in (1..=plies).zip(rest.chunks_exact(10)) {
        let square = |row: i64, file: i64| Some((usize::try_from(file).ok()?, usize::try_from(row).ok()?));
        let [row, file, to_row, to_file] = [numbers[3].1, numbers[4].1, numbers[5].1, numbers[6].1];
        let action = square(row, file).zip(square(to_row, to_file)).and_then(|(from, to)| step(from, to));
        let bad = |why: String| Fault::line(numbers[0].0, format!("move {ply}: {row} {file} to {to_row} {to_file}: {why}"));
        builder.play(action.ok_or_else(|| bad("that is not on the board".to_owned()))?).map_err(bad)?;
    }
    Ok(builder.finish(None, None))
}
