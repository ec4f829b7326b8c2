//! Splits a Portable Game Notation file into tokens, without checking moves.

use crate::message;
use crate::message::Message;
use crate::record::fault::Fault;
use crate::rules::Side;
use crate::table::Glyph;

/// A token of the file.
#[derive(Clone, Debug, PartialEq)]
pub enum Token<'a> {
    /// `[Name "value"]`.
    Tag(String, String),
    /// A word that may be a move.
    Word(&'a str),
    /// A move number; true if its dots mean that the second side is to move.
    Number(u32, bool),
    /// `{..}` or the rest of a line after `;`.
    Comment(&'a str),
    /// `$1`, or `!` and similar signs.
    Glyph(Glyph),
    /// `(`.
    Open,
    /// `)`.
    Close,
    /// The result: a winner, a draw, or unknown.
    Result(Option<Option<Side>>),
    /// A line of `=====`, which ends a game; programs write other text below it.
    Rule,
    /// Something that is left out or repaired.
    Remark(Message),
}

/// A reader of tokens.
pub struct Scan<'a> {
    text: &'a str,
    rest: &'a str,
    /// What is told before the next token.
    remark: Option<(usize, Message)>,
    /// The line of the next character, from 1.
    pub line: usize,
}

impl<'a> Scan<'a> {
    /// A reader at the beginning of a text, whose first line has this number.
    pub fn new(text: &'a str, line: usize) -> Scan<'a> {
        Scan { text, rest: text, remark: None, line }
    }

    /// Skips `bytes` bytes and counts lines.
    fn skip(&mut self, bytes: usize) {
        self.line += self.rest.as_bytes()[..bytes].iter().filter(|byte| **byte == b'\n').count();
        self.rest = &self.rest[bytes..];
    }

    /// The next token with its line.
    ///
    /// # Errors
    /// A comment is not closed.
    pub fn next(&mut self) -> Result<Option<(usize, Token<'a>)>, Fault> {
        if let Some((line, why)) = self.remark.take() {
            return Ok(Some((line, Token::Remark(why))));
        }
        loop {
            self.skip(
                self.rest.len() - self.rest.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '\u{0}' | '，')).len(),
            );
            let line = self.line;
            let Some(first) = self.rest.chars().next() else { return Ok(None) };
            let token = match first {
                '[' => match tag(self.rest) {
                    Some((name, value, length)) => {
                        self.skip(length);
                        Token::Tag(name, value)
                    }
                    None => {
                        // Text in brackets that is not a tag is skipped to the end of the line.
                        self.skip(self.rest.find('\n').unwrap_or(self.rest.len()));
                        continue;
                    }
                },
                '{' => {
                    let end = self.rest.find('}');
                    let (text, length) = match (end, tags_in(&self.rest[..end.unwrap_or(self.rest.len())])) {
                        (_, Some(tags)) => {
                            self.remark = Some((line, message!("a comment is not closed; it ends where the next game begins")));
                            (&self.rest[1..tags], tags)
                        }
                        (Some(end), None) => (&self.rest[1..end], end + 1),
                        (None, None) => return Err(Fault::line(line, message!("a comment is not closed"))),
                    };
                    self.skip(length);
                    Token::Comment(text)
                }
                '%' if self.begins_line() => {
                    self.skip(self.rest.find('\n').unwrap_or(self.rest.len()));
                    Token::Remark(message!("a line that begins with % is left out"))
                }
                ';' => {
                    let end = self.rest.find('\n').unwrap_or(self.rest.len());
                    let text = &self.rest[1..end];
                    self.skip(end);
                    Token::Comment(text)
                }
                '(' => {
                    self.skip(1);
                    Token::Open
                }
                ')' => {
                    self.skip(1);
                    Token::Close
                }
                ']' | '}' => {
                    self.skip(1);
                    continue;
                }
                _ => match self.word() {
                    Some(token) => token,
                    None => continue,
                },
            };
            return Ok(Some((line, token)));
        }
    }

    /// True if the next character is the first of its line.
    fn begins_line(&self) -> bool {
        let before = &self.text[..self.text.len() - self.rest.len()];
        before.is_empty() || before.ends_with(['\n', '\r', '\u{FEFF}'])
    }

    fn word(&mut self) -> Option<Token<'a>> {
        let end = self.rest.find(|c: char| c.is_whitespace() || "{}()[];，\u{0}".contains(c)).unwrap_or(self.rest.len());
        let word = &self.rest[..end];
        if word.len() > 3 && word.bytes().all(|byte| matches!(byte, b'=' | b'-' | b'*' | b'_')) {
            self.skip(end);
            return Some(Token::Rule);
        }
        if let Some(result) = result(word) {
            self.skip(end);
            return Some(Token::Result(result));
        }
        if let Some(number) = word.strip_prefix('$') {
            self.skip(end);
            // A number that is no glyph is kept as a comment.
            return Some(number.parse().map_or(Token::Comment(word), |number| Token::Glyph(Glyph(number))));
        }
        if let Some(glyph) = judgement(word) {
            self.skip(end);
            return Some(Token::Glyph(glyph));
        }
        if super::game::is_soldier(word) {
            self.skip(end);
            return Some(Token::Word(word));
        }
        // A glyph may be followed by a number without a space.
        let signs = word.len() - word.trim_start_matches(['!', '?', '！', '？']).len();
        if signs > 0 {
            self.skip(signs);
            return glyph(&word[..signs]).map(Token::Glyph);
        }
        let digits = word.len() - word.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let after = &word[digits..];
        let dots = after.len() - after.trim_start_matches(['.', '．', '、', '…', '。']).len();
        if digits == 0 && dots > 0 {
            self.skip(dots);
            return None;
        }
        if digits > 0 && (dots > 0 || after.is_empty()) {
            self.skip(digits + dots);
            return Some(Token::Number(word[..digits].parse().unwrap_or(u32::MAX), after[..dots].chars().count() > 1));
        }
        // `!` and `?` after a move are read next.
        let plain = word.trim_end_matches(['!', '?', '！', '？', ',', '，']);
        let plain = if plain.is_empty() { word } else { plain };
        self.skip(plain.len());
        if self.rest.starts_with([',', '，']) {
            self.skip(self.rest.chars().next().map_or(0, char::len_utf8));
        }
        Some(Token::Word(plain))
    }
}

/// The glyph of `!`, `?` and similar signs, also full-width.
fn glyph(signs: &str) -> Option<Glyph> {
    let narrow: String = signs.chars().map(|c| if matches!(c, '!' | '！') { '!' } else { '?' }).take(2).collect();
    Glyph::from_sign(&narrow)
}

/// The glyph of a sign that judges the position.
fn judgement(word: &str) -> Option<Glyph> {
    Some(Glyph(match word {
        "∞" => 13,
        "⩲" => 14,
        "⩱" => 15,
        "±" | "+/-" => 16,
        "∓" | "-/+" => 17,
        "+-" => 18,
        "-+" => 19,
        _ => return None,
    }))
}

/// The place of tags in a comment, which belong to the next game: a line that is a tag, below an empty line.
fn tags_in(comment: &str) -> Option<usize> {
    let mut before_is_empty = false;
    let mut at = 0;
    for line in comment.split_inclusive('\n') {
        if before_is_empty && line.starts_with('[') && begins_with_tag(&comment[at..]) {
            return Some(at);
        }
        before_is_empty = at > 0 && line.trim().is_empty();
        at += line.len();
    }
    None
}

/// The result that a word means; `None` for other words.
pub fn result(word: &str) -> Option<Option<Option<Side>>> {
    Some(match word {
        "*" => None,
        "1-0" | "1:0" | "红胜" | "红方胜" | "紅勝" | "紅方勝" | "红先胜" | "先胜" => Some(Some(Side::First)),
        "0-1" | "0:1" | "黑胜" | "黑方胜" | "黑勝" | "黑方勝" | "红先负" | "先负" => Some(Some(Side::Second)),
        "1/2-1/2" | "1/2" | "½-½" | "0.5-0.5" | "和棋" | "和" | "和局" | "红先和" | "先和" => Some(None),
        _ => return None,
    })
}

/// Reads `[Name "value"]` at the beginning of a text: name, value and length. The value may continue on the next line and contain `\"` and `\\`.
fn tag(text: &str) -> Option<(String, String, usize)> {
    const LONGEST: usize = 4000;
    let inside = text.strip_prefix('[')?;
    let open = inside.find('"')?;
    let name = inside[..open].trim();
    if name.is_empty() || name.len() > 60 || name.contains(['\n', '[', ']', '{']) {
        return None;
    }
    let mut value = String::new();
    let begin = 1 + open + 1;
    let mut chars = text[begin..].char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let rest = &text[begin + at + c.len_utf8()..];
        match c {
            // A value may end with a backslash, for example a folder name.
            '\\' if rest.starts_with("\"]") && !rest[2..].trim_start_matches([' ', '\r', '\t']).starts_with(['"', ']']) => {
                value.push('\\')
            }
            '\\' if rest.starts_with(['"', '\\']) => value.extend(chars.next().map(|(_, c)| c)),
            '"' if rest.trim_start_matches([' ', '\t']).starts_with(']') => {
                let length = begin + at + 1 + rest.find(']')? + 1;
                let value = value.replace(['\r', '\n'], " ");
                return Some((name.to_owned(), value.trim().to_owned(), length));
            }
            // A tag that is not closed: the line ends and another tag begins.
            '\n' if rest.trim_start().starts_with('[') || at > LONGEST => return None,
            c => value.push(c),
        }
    }
    None
}

/// True if a line begins with a tag.
pub fn begins_with_tag(line: &str) -> bool {
    tag(line).is_some()
}
