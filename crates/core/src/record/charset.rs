//! Decodes the text of a file; the encoding is detected, or given.

use super::Format;
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, GB18030, GBK, UTF_8, UTF_16BE, UTF_16LE};
use std::borrow::Cow;

/// The declaration of an encoding stands within so many bytes.
const DECLARED_WITHIN: usize = 4096;

/// The encoding of the texts in a file: detected, or given by the user.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Charset(Option<&'static Encoding>);

impl Charset {
    /// Names of encodings that a user may choose from. Every other name that the web knows is accepted too.
    pub const USUAL: [&str; 8] =
        ["GB18030", "Big5", "UTF-8", "Shift_JIS", "EUC-KR", "windows-1251", "windows-1252", "windows-1258"];

    /// UTF-8.
    pub const UTF_8: Charset = Charset(Some(UTF_8));

    /// The encoding of this name: `Big5`, `ISO-8859-1`, `windows-1251` and so on, in upper or lower case.
    ///
    /// # Errors
    /// There is no such encoding.
    pub fn named(name: &str) -> Result<Charset, String> {
        let known = Encoding::for_label_no_replacement(name.trim().as_bytes()).map(|known| Charset(Some(known)));
        known
            .ok_or_else(|| format!("there is no charset '{}'; usual ones are {}", name.escape_debug(), Charset::USUAL.join(", ")))
    }

    /// The bytes of a file with its texts as UTF-8, if an encoding is given. Binary formats stay as they are: [`Format::each_in`] decodes their texts.
    pub fn applied<'a>(self, bytes: &'a [u8], ending: Option<&str>) -> Cow<'a, [u8]> {
        if self.0.is_none() || Format::of(bytes, ending).is_some_and(Format::is_binary) {
            return Cow::Borrowed(bytes);
        }
        // The mark says that these bytes are UTF-8, whatever the text declares.
        Cow::Owned([b"\xEF\xBB\xBF", self.decode(bytes).as_bytes()].concat())
    }

    /// Decodes bytes: by the given encoding, or else by the first of these that fits: the byte-order mark; UTF-16 without a mark, if every other byte at the
    /// beginning is 0; the encoding that the text declares; UTF-8; what the bytes look like. Invalid bytes become U+FFFD. The mark itself is removed, as is
    /// what old systems put behind a text, and their line ends of CR alone become LF.
    pub(super) fn decode(self, bytes: &[u8]) -> Cow<'_, str> {
        without_old_ends(self.decode_only(bytes))
    }

    fn decode_only(self, bytes: &[u8]) -> Cow<'_, str> {
        if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
            return with(encoding, &bytes[mark..]);
        }
        if let Some(encoding) = self.0 {
            return with(encoding, bytes);
        }
        if let Some(encoding) = bare_utf16(bytes) {
            return with(encoding, bytes);
        }
        let utf8 = std::str::from_utf8(bytes);
        if let Some(encoding) = declared(bytes) {
            // Bytes of one-byte encodings are always valid; if they are also UTF-8, the declaration is wrong. It is for other encodings, too, if
            // UTF-8 has a character of three bytes, as Chinese ones are: what editors saved again as UTF-8 still declares what it was.
            let wrong = utf8.is_ok_and(|text| encoding.is_single_byte() || text.chars().any(|c| c >= '\u{800}'));
            if let Some(text) = encoding.decode_without_bom_handling_and_without_replacement(bytes).filter(|_| !wrong) {
                return text;
            }
        }
        match utf8 {
            Ok(text) => return Cow::Borrowed(text),
            // A truncated file may end inside a character.
            Err(error) if error.valid_up_to() >= bytes.len().saturating_sub(3) && bytes.len() > 3 => return with(UTF_8, bytes),
            Err(_) => {}
        }
        let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
        detector.feed(bytes, true);
        match detector.guess(None, Utf8Detection::Deny) {
            // GB18030 contains GBK and GB2312.
            guess if guess == GBK => with(GB18030, bytes),
            guess => with(guess, bytes),
        }
    }

    /// Decodes a string of a format that uses GB18030, if no other encoding is given.
    pub(super) fn gb(self, bytes: &[u8]) -> String {
        with(self.0.unwrap_or(GB18030), bytes).into_owned()
    }
}

/// The encoding that a text declares: `CA[..]` in SGF, `encoding=".."` in XML, a tag in Portable Game Notation.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let head: String =
        bytes[..bytes.len().min(DECLARED_WITHIN)].iter().map(|byte| char::from(byte.to_ascii_lowercase())).collect();
    let behind = |sign: &str| head.find(sign).map(|at| &head[at + sign.len()..]);
    let (rest, end) = match head.trim_start().chars().next()? {
        // The property may stand behind another or on a line of its own.
        '(' => (behind("ca[")?, ']'),
        '<' => {
            let rest = behind("encoding=")?;
            (rest.get(1..)?, rest.chars().next()?)
        }
        '[' => (["[encoding \"", "[charset \""].into_iter().find_map(behind)?, '"'),
        _ => return None,
    };
    let encoding = Encoding::for_label_no_replacement(rest.split(end).next()?.trim().as_bytes())?;
    // The declaration itself was read as ASCII.
    encoding.is_ascii_compatible().then_some(if encoding == GBK { GB18030 } else { encoding })
}

/// Decodes a string of a format that uses GB18030.
pub(crate) fn gb(bytes: &[u8]) -> String {
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

/// A text without the end marks of DOS and the zeros behind it. If CR alone ends its lines, as on old Macintoshes, LF takes its place.
fn without_old_ends(mut text: Cow<'_, str>) -> Cow<'_, str> {
    let is_mark = |c: char| matches!(c, '\u{1A}' | '\0');
    let length = text.trim_end_matches(|c: char| is_mark(c) || c.is_whitespace()).len();
    if text[length..].contains(is_mark) {
        match &mut text {
            Cow::Borrowed(text) => *text = &text[..length],
            Cow::Owned(text) => text.truncate(length),
        }
    }
    if text.contains('\r') && !text.contains('\n') { Cow::Owned(text.replace('\r', "\n")) } else { text }
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
        let decode = |bytes: &[u8]| Charset::default().decode(bytes).into_owned();
        for bytes in cases {
            assert_eq!(decode(&bytes), text, "{bytes:?}");
        }
        let old = "[Red \"趙國榮\"]\n\n1. 車八平六 馬５進７\n2. 炮七進七 士４進５\n";
        assert_eq!(decode(&encoding_rs::BIG5.encode(old).0), old);
        let ascii = "[Event \"a game\"] h2e2 h9g7 h0g2 i9h9";
        let bare: Vec<u8> = ascii.encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(decode(&bare), ascii);
        assert_eq!(decode(b""), "");
        assert!(decode(b"\x00\x01\xFF").starts_with("\u{0}\u{1}"));
    }

    #[test]
    fn what_a_file_declares_and_what_the_user_gives_decides() {
        let cases: [(&str, &str, &str); 9] = [
            ("ISO-8859-1", "(;GM[4]CA[ISO-8859-1]PB[J\u{FC}rgen \u{D6}];B[hh])", ""),
            ("windows-1251", "(;GM[4]\nCA[windows-1251]PB[Чигорин];B[hh])", ""),
            ("Shift_JIS", "(;GM[4]CA[Shift_JIS]PB[ソ連珠];B[hh])", ""),
            ("EUC-KR", "(;CA[euc-kr]PB[오목];B[hh])", ""),
            ("Big5", "(;ca[BIG5]PB[許功蓋];B[hh])", ""),
            ("GB2312", "(;CA[gb2312]PB[甲];B[hh])", ""),
            ("Big5", "<?xml version=\"1.0\" encoding='Big5'?><ChineseChessRecord>許</ChineseChessRecord>", ""),
            ("windows-1258", "[Charset \"windows-1258\"]\n[Red \"Đặng\"]\n", ""),
            ("windows-1251", "[Red \"Б\"]\n", "cp1251"),
        ];
        for (name, text, given) in cases {
            let encoded = Encoding::for_label(name.as_bytes()).unwrap().encode(text).0;
            let charset = if given.is_empty() { Charset::default() } else { Charset::named(given).unwrap() };
            // The Vietnamese letter has no code of its own.
            if name != "windows-1258" {
                assert_eq!(charset.decode(&encoded), text, "{name}");
            }
            assert!(!charset.decode(&encoded).contains('\u{FFFD}'), "{name}");
        }
        // A wrong declaration: UTF-8, and bytes that are not valid.
        for name in ["ISO-8859-1", "GB2312", "Big5", "Shift_JIS", "EUC-KR"] {
            let text = format!("(;CA[{name}]PB[棋谱]PW[對局者]C[第一句话];B[hh])");
            assert_eq!(Charset::default().decode(text.as_bytes()), text);
        }
        let wrong = b"(;CA[UTF-8]PB[\xBC\xD7\xB7\xBD];B[hh])";
        assert!(Charset::default().decode(wrong).contains("甲方"));
        assert!(Charset::named("klingon").unwrap_err().contains("Big5"));
        let big5 = encoding_rs::BIG5.encode("1. 炮二平五 馬８進７").0;
        assert_eq!(&*Charset::named("big5").unwrap().applied(&big5, None), "\u{FEFF}1. 炮二平五 馬８進７".as_bytes());
    }
}
