//! Lines with checksums, of which files consist that grow line by line: a checksum, a space and a RON value.

use crate::message;
use crate::message::Message;
use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

/// How the lines of a kind of file are written.
#[derive(Clone, Copy, Debug)]
pub struct LineFormat {
    /// The checksum of a text, as it is written; it contains no space.
    pub checksum: fn(&str) -> String,
}

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}", Message::from(self))]
pub enum LineError {
    /// It is no text.
    NotText,
    /// It has no checksum.
    Foreign,
    /// It was changed.
    Checksum,
    /// The value is not of the kind expected, as the message says.
    Value(String),
}

crate::has_message!(LineError);

impl From<&LineError> for Message {
    fn from(error: &LineError) -> Message {
        match error {
            LineError::NotText => message!("not valid UTF-8 text"),
            LineError::Foreign => message!("this is not a line of such a file"),
            LineError::Checksum => message!("the line does not match its checksum"),
            LineError::Value(why) => message!("the line cannot be read: {}", why),
        }
    }
}

impl LineFormat {
    /// A value as a line, with its line end.
    ///
    /// # Errors
    /// RON cannot express the value.
    pub fn write(self, value: &impl Serialize) -> ron::Result<String> {
        let text = ron::to_string(value)?;
        Ok(format!("{} {text}\n", (self.checksum)(&text)))
    }

    /// Reads a line without its line end.
    ///
    /// # Errors
    /// The line is damaged, or its value is of another kind.
    pub fn read<T: DeserializeOwned>(self, line: &[u8]) -> Result<T, LineError> {
        let line = std::str::from_utf8(line).map_err(|_| LineError::NotText)?;
        let (sum, text) = line.split_once(' ').ok_or(LineError::Foreign)?;
        if sum != (self.checksum)(text) {
            return Err(LineError::Checksum);
        }
        ron::from_str(text).map_err(|error| LineError::Value(error.code.to_string()))
    }
}

/// The complete lines of a file, without their line ends, and the number of their bytes; what follows is a line that was cut off.
pub fn complete_lines(bytes: &[u8]) -> (impl Iterator<Item = &[u8]>, usize) {
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    (bytes[..whole].split_inclusive(|&byte| byte == b'\n').map(|line| &line[..line.len() - 1]), whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORMAT: LineFormat = LineFormat { checksum: |text| format!("{:04x}", text.len()) };

    #[test]
    fn lines_are_read_as_they_were_written_and_damage_is_told() {
        let line = FORMAT.write(&(3, "a b")).unwrap();
        assert_eq!(line, "0009 (3,\"a b\")\n");
        let read = |line: &[u8]| FORMAT.read::<(u8, String)>(line);
        assert_eq!(read(line.trim_end().as_bytes()), Ok((3, "a b".to_owned())));
        assert_eq!(read(b"0008 (3,\"a b\")"), Err(LineError::Checksum));
        assert_eq!(read(b"0009\xff"), Err(LineError::NotText));
        assert_eq!(read(b"nothing").unwrap_err().to_string(), "this is not a line of such a file");
        assert!(matches!(read(b"0001 3"), Err(LineError::Value(_))));
    }

    #[test]
    fn a_line_that_was_cut_off_is_none() {
        for (bytes, lines, length) in [("", vec![], 0), ("a", vec![], 0), ("a\n\nb\nc", vec!["a", "", "b"], 5)] {
            let (found, whole) = complete_lines(bytes.as_bytes());
            assert_eq!((found.collect::<Vec<_>>(), whole), (lines.iter().map(|line| line.as_bytes()).collect(), length));
        }
    }
}
