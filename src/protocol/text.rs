//! Text of other programs, made safe: lines of bounded length, nothing in them that a terminal, a record or a window would obey
//! instead of showing it.

use std::io::{self, BufRead};

/// True for characters that are not shown but do something: control characters, those that turn the direction of writing, line
/// separators and invisible marks (Unicode's categories Cc, Zl, Zp, and of Cf those for direction and joining).
pub fn acts(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{AD}' | '\u{61C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}')
}

/// The text with a blank in place of a tab and `?` in place of what [`acts`], cut after this many characters.
pub fn clean(text: &str, most: usize) -> String {
    let mut chars = text.chars();
    let mut cleaned: String = chars
        .by_ref()
        .take(most)
        .map(|c| {
            if c == '\t' {
                ' '
            } else if acts(c) {
                '?'
            } else {
                c
            }
        })
        .collect();
    if chars.next().is_some() {
        cleaned.push('…');
    }
    cleaned
}

/// A line that was read.
#[derive(Debug, PartialEq, Eq)]
pub enum Line {
    /// Its text, without its end and the blanks around it.
    Text(String),
    /// It was longer than allowed and was passed over whole.
    TooLong,
    /// The input has ended.
    End,
}

/// Reads a line of at most `most` bytes. Bytes that are no UTF-8 are replaced.
///
/// # Errors
/// The input cannot be read.
pub fn read_line(input: &mut impl BufRead, most: usize) -> io::Result<Line> {
    let mut bytes = Vec::new();
    let mut long = false;
    loop {
        let chunk = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            chunk => chunk?,
        };
        if chunk.is_empty() && bytes.is_empty() && !long {
            return Ok(Line::End);
        }
        let end = chunk.iter().position(|&byte| byte == b'\n');
        let part = &chunk[..end.unwrap_or(chunk.len())];
        long |= bytes.len() + part.len() > most;
        if !long {
            bytes.extend_from_slice(part);
        }
        let (used, ends) = (part.len() + usize::from(end.is_some()), end.is_some() || chunk.is_empty());
        input.consume(used);
        if ends {
            return Ok(if long { Line::TooLong } else { Line::Text(String::from_utf8_lossy(&bytes).trim().to_owned()) });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_acts() {
        for (text, most, expected) in [
            ("Engine 1.0 棋", 64, "Engine 1.0 棋"),
            ("a\tb\x1b[31mred\x07", 64, "a b?[31mred?"),
            ("\u{202E}desrever\u{2066}", 64, "?desrever?"),
            ("abcdef", 3, "abc…"),
            ("abc", 3, "abc"),
        ] {
            assert_eq!(clean(text, most), expected, "{text:?}");
        }
    }

    #[test]
    fn lines_are_bounded_and_the_next_one_begins_where_it_begins() {
        let text = b"short\n\nmuch too long a line bestmove h2e2\r\n  last \xff";
        for buffer in [1, 3, 1000] {
            let mut input = io::BufReader::with_capacity(buffer, &text[..]);
            let mut lines = Vec::new();
            loop {
                match read_line(&mut input, 10).unwrap() {
                    Line::End => break,
                    line => lines.push(line),
                }
            }
            let text = |text: &str| Line::Text(text.to_owned());
            assert_eq!(lines, [text("short"), text(""), Line::TooLong, text("last \u{FFFD}")], "{buffer}");
        }
    }
}
