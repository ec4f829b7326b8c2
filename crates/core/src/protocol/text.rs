//! Makes text of other programs safe: lines have a maximum length, and characters that control a terminal, a record or a window are
//! replaced.

use std::io::{self, BufRead};

/// True for characters that have an effect instead of being shown: control characters, those that change the direction of writing, line
/// separators and invisible characters (Unicode categories Cc, Zl, Zp, and of Cf those for direction and joining).
pub fn acts(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{AD}' | '\u{61C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}')
}

/// The text, cut after `most` characters, with a space for each tab and `?` for each character for which [`acts`] is true.
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

/// The result of reading a line.
#[derive(Debug, PartialEq, Eq)]
pub enum Line {
    /// The text of the line, without the line end and the spaces around it.
    Text(String),
    /// The line was too long and was skipped.
    TooLong,
    /// The input has ended.
    End,
}

/// What a line says: without the spaces around it and the byte order mark that some shells put before what they pipe. Invalid UTF-8 is
/// replaced.
pub fn said(line: &[u8]) -> String {
    String::from_utf8_lossy(line).trim_start_matches('\u{FEFF}').trim().to_owned()
}

/// Reads lines, which end with LF, CR or both.
pub struct LineReader<R> {
    input: R,
    /// True if the last line ended with CR: an LF that follows belongs to it.
    after_cr: bool,
}

impl<R: BufRead> LineReader<R> {
    /// A reader of this input.
    pub fn new(input: R) -> Self {
        LineReader { input, after_cr: false }
    }

    /// Reads a line of at most `most` bytes. Invalid UTF-8 is replaced.
    ///
    /// # Errors
    /// The input cannot be read.
    pub fn line(&mut self, most: usize) -> io::Result<Line> {
        let mut bytes = Vec::new();
        let mut long = false;
        loop {
            let chunk = match self.input.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                chunk => chunk?,
            };
            if std::mem::take(&mut self.after_cr) && chunk.first() == Some(&b'\n') {
                self.input.consume(1);
                continue;
            }
            if chunk.is_empty() && bytes.is_empty() && !long {
                return Ok(Line::End);
            }
            let end = chunk.iter().position(|&byte| matches!(byte, b'\n' | b'\r'));
            let part = &chunk[..end.unwrap_or(chunk.len())];
            long |= bytes.len() + part.len() > most;
            if !long {
                bytes.extend_from_slice(part);
            }
            self.after_cr = end.is_some_and(|end| chunk[end] == b'\r');
            let (used, ends) = (part.len() + usize::from(end.is_some()), end.is_some() || chunk.is_empty());
            self.input.consume(used);
            if ends {
                return Ok(if long { Line::TooLong } else { Line::Text(said(&bytes)) });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_replaced() {
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
        let text = b"\xef\xbb\xbfshort\n\nmuch too long a line bestmove h2e2\r\n  last \xff\rby CR\r\r\nend\r";
        for buffer in [1, 3, 1000] {
            let mut input = LineReader::new(io::BufReader::with_capacity(buffer, &text[..]));
            let mut lines = Vec::new();
            loop {
                match input.line(10).unwrap() {
                    Line::End => break,
                    line => lines.push(line),
                }
            }
            let text = |text: &str| Line::Text(text.to_owned());
            let expected = [text("short"), text(""), Line::TooLong, text("last \u{FFFD}"), text("by CR"), text(""), text("end")];
            assert_eq!(lines, expected, "{buffer}");
        }
    }
}
