//! Decodes the text of a file; the encoding is detected.

use encoding_rs::{BIG5, Encoding, GB18030, UTF_8, UTF_16BE, UTF_16LE};
use std::borrow::Cow;

/// Decodes bytes by the first of these that fits: the byte-order mark; UTF-16 without a mark, if every other byte at the beginning is 0; UTF-8; GB18030,
/// which contains GBK and GB2312; Big5. Invalid bytes become U+FFFD. The mark itself is removed.
pub(super) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return with(encoding, &bytes[mark..]);
    }
    if let Some(encoding) = bare_utf16(bytes) {
        return with(encoding, bytes);
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    // A truncated file may end inside a character.
    let cut = bytes.len().saturating_sub(3);
    if std::str::from_utf8(bytes).is_err_and(|error| error.valid_up_to() >= cut && bytes.len() > 3) {
        return with(UTF_8, bytes);
    }
    for encoding in [GB18030, BIG5] {
        if let Some(text) = encoding.decode_without_bom_handling_and_without_replacement(bytes) {
            return text;
        }
    }
    with(GB18030, bytes)
}

/// Decodes a string of a format that uses GB18030.
pub(super) fn gb(bytes: &[u8]) -> String {
    with(GB18030, bytes).into_owned()
}

/// Encodes a string as GB18030, for formats without another encoding.
pub(super) fn to_gb(text: &str) -> Vec<u8> {
    GB18030.encode(text).0.into_owned()
}

/// Decodes a string of a format that uses UTF-16, low byte first.
pub(super) fn utf16(bytes: &[u8]) -> String {
    with(UTF_16LE, bytes).into_owned()
}

fn with<'a>(encoding: &'static Encoding, bytes: &'a [u8]) -> Cow<'a, str> {
    encoding.decode_without_bom_handling(bytes).0
}

fn bare_utf16(bytes: &[u8]) -> Option<&'static Encoding> {
    let start = &bytes[..bytes.len().min(64)];
    if start.len() < 4 {
        return None;
    }
    let zeros =
        |offset: usize| start.iter().skip(offset).step_by(2).filter(|byte| **byte == 0).count() * 4 >= start.len() * 2 - 8;
    match (zeros(0), zeros(1)) {
        (false, true) => Some(UTF_16LE),
        (true, false) => Some(UTF_16BE),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_encoding_is_detected() {
        let text = "[Red \"甲方\"] 炮二平五";
        let utf16 = |low_first: bool| -> Vec<u8> {
            text.encode_utf16().flat_map(|unit| if low_first { unit.to_le_bytes() } else { unit.to_be_bytes() }).collect()
        };
        let marked = |mark: &[u8], rest: Vec<u8>| [mark, &rest].concat();
        let cases = [
            text.as_bytes().to_vec(),
            marked(b"\xEF\xBB\xBF", text.as_bytes().to_vec()),
            marked(b"\xFF\xFE", utf16(true)),
            marked(b"\xFE\xFF", utf16(false)),
            to_gb(text),
        ];
        for bytes in cases {
            assert_eq!(decode(&bytes), text, "{bytes:?}");
        }
        let ascii = "[Event \"a game\"] h2e2 h9g7 h0g2 i9h9";
        let bare: Vec<u8> = ascii.encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(decode(&bare), ascii);
        assert_eq!(decode(b""), "");
        assert_eq!(decode(b"\x00\x01\xFF"), "\u{0}\u{1}\u{FFFD}");
    }
}
