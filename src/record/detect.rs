//! Which format a file is in: by what stands in it, then by its name's ending.

use super::charset;
use super::formats::{Format, binary, lines, plain};

/// So much of a text is looked at.
const LOOKED_AT: usize = 64 << 10;

impl Format {
    /// The format these bytes are in. Where the content shows nothing, the ending of the file's name decides.
    pub fn of(bytes: &[u8], ending: Option<&str>) -> Option<Format> {
        let of_ending = || ending.and_then(Format::from_key);
        if let Some(format) = binary::format_of(bytes) {
            return Some(format);
        }
        let text = charset::decode(&bytes[..bytes.len().min(LOOKED_AT)]);
        Format::of_text(&text).or_else(of_ending).or_else(|| plain::may_be_a_game(&text).then_some(Format::Lines))
    }

    /// The format a text is in, as its first signs show; `None` where they show nothing.
    pub fn of_text(text: &str) -> Option<Format> {
        let text = text.trim_start_matches(['\u{FEFF}', '\u{0}']);
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
            // A record of ours may stand in brackets on a line of its own; only a tree of properties has a semicolon first.
            let first = text.trim_start().trim_start_matches('(').trim_start();
            if first.starts_with(';') {
                return Some(Format::Sgf);
            }
        }
        if line.starts_with('(') {
            return Some(Format::Ron);
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
