//! Detects the format of a file: by its content, then by its extension.

use super::charset::Charset;
use super::formats::{Format, binary, lines, link, plain};

/// The part of a text that is examined, in bytes.
const LOOKED_AT: usize = 64 << 10;

impl Format {
    /// The format of these bytes. If the content is not clear, the extension decides.
    pub fn of(bytes: &[u8], ending: Option<&str>) -> Option<Format> {
        let of_ending = || ending.and_then(Format::from_key);
        if let Some(format) = binary::format_of(bytes) {
            return Some(format);
        }
        let text = Charset::default().decode(&bytes[..bytes.len().min(LOOKED_AT)]);
        Format::of_text(&text).or_else(of_ending).or_else(|| plain::may_be_a_game(&text).then_some(Format::Lines))
    }

    /// The format of a text by its beginning; `None` if it is not clear.
    pub fn of_text(text: &str) -> Option<Format> {
        let text = text.trim_start_matches(['\u{FEFF}', '\u{0}']);
        if link::is_link(text) {
            return Some(Format::Link);
        }
        let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
        let line = lines().find(|line| !line.starts_with("//") && !line.starts_with('#'))?;
        let has = |word: &str| text.contains(word);
        if has("[DhtmlXQ") {
            return Some(Format::DhtmlXq);
        }
        if line.starts_with('<') {
            return if has("<ChineseChessRecord") {
                Some(Format::Cbf)
            } else if has("<database") && has("<game") {
                Some(Format::Rif)
            } else if has("<n ") {
                Some(Format::Pfc)
            } else {
                None
            };
        }
        if has("START{") || line.starts_with("FORMAT") && has("WXF") {
            return Some(Format::Wxf);
        }
        if line
            .strip_prefix('(')
            .is_some_and(|rest| rest.trim_start().starts_with([';', '(']) || rest.trim().is_empty() && has(";"))
        {
            // A record in our own format may also be a line in brackets; only SGF begins with `(;`.
            let first = text.trim_start().trim_start_matches('(').trim_start();
            if first.starts_with(';') {
                return Some(Format::Sgf);
            }
        }
        if line.starts_with('(') {
            // A damaged record of SGF may lack its semicolon; ours have the names of their fields.
            let ours = ["game:", "game :", "moves:", "setup:"].into_iter().any(has);
            return if ours { Some(Format::Ron) } else { has("[").then_some(Format::Sgf) };
        }
        if line.starts_with("Piskvorky") {
            return Some(Format::Psq);
        }
        if has("setup:") && lines().any(|line| line.starts_with("setup:")) && has("version") {
            return Some(Format::Xay);
        }
        if super::formats::che::looks_like(text) {
            return Some(Format::Che);
        }
        if super::formats::dhtmlxq::is_digits(text) {
            return Some(Format::DhtmlXq);
        }
        if super::formats::pgn::begins_with_tag(line) || lines().take(40).any(super::formats::pgn::begins_with_tag) {
            return Some(Format::Pgn);
        }
        lines::looks_like(line).then_some(Format::Lines)
    }
}
