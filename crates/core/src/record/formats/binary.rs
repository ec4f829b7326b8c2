//! Common parts of the binary formats: their signatures, and reading numbers and strings from files that may be truncated.

use super::{Format, mxq, pos, renlib};
use crate::message;
use crate::record::fault::Fault;

/// The format of these bytes, if they begin with the signature of a binary format.
pub fn format_of(bytes: &[u8]) -> Option<Format> {
    if bytes.starts_with(b"XQ") && bytes.get(2).is_some_and(|version| *version < 0x20) {
        Some(Format::Xqf)
    } else if bytes.starts_with(b"CCBridge") {
        Some(Format::Cbr)
    } else if bytes.starts_with(b"\xFFRenLib\xFF") || renlib::looks_like(bytes) {
        Some(Format::RenLib)
    } else if bytes.starts_with(b"GL") && bytes.get(2..8).is_some_and(|head| head.contains(&0)) {
        Some(Format::Chn)
    } else if mxq::looks_like(bytes) {
        Some(Format::Mxq)
    } else if pos::looks_like(bytes) {
        Some(Format::Pos)
    } else {
        None
    }
}

/// A reader of bytes.
pub struct Bytes<'a> {
    bytes: &'a [u8],
    /// The index of the next byte.
    pub at: usize,
}

impl<'a> Bytes<'a> {
    /// A reader that starts at an index.
    pub fn new(bytes: &'a [u8], at: usize) -> Bytes<'a> {
        Bytes { bytes, at }
    }

    /// The next `count` bytes.
    ///
    /// # Errors
    /// The file ends too early.
    pub fn take(&mut self, count: usize) -> Result<&'a [u8], Fault> {
        let end = self.at.checked_add(count).filter(|end| *end <= self.bytes.len());
        let end = end.ok_or_else(|| Fault::byte(self.at, message!("the file ends here, but more data must follow")))?;
        let taken = &self.bytes[self.at..end];
        self.at = end;
        Ok(taken)
    }

    /// The next byte.
    ///
    /// # Errors
    /// The file ends too early.
    pub fn byte(&mut self) -> Result<u8, Fault> {
        self.take(1).map(|taken| taken[0])
    }

    /// The next four bytes as a number, low byte first.
    ///
    /// # Errors
    /// The file ends too early.
    pub fn number(&mut self) -> Result<u32, Fault> {
        let taken = self.take(4)?;
        Ok(u32::from_le_bytes([taken[0], taken[1], taken[2], taken[3]]))
    }

    /// True at the end of the file.
    pub fn is_empty(&self) -> bool {
        self.at >= self.bytes.len()
    }
}

/// The bytes from `at` up to the first 0, at most `most` bytes.
pub fn until_zero(bytes: &[u8], at: usize, most: usize) -> &[u8] {
    let rest = bytes.get(at..).unwrap_or_default();
    let rest = &rest[..rest.len().min(most)];
    &rest[..rest.iter().position(|byte| *byte == 0).unwrap_or(rest.len())]
}
