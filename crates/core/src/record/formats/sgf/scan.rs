//! Splits a Smart Game Format file into tokens.

use crate::message;
use crate::record::fault::Fault;
use std::borrow::Cow;

/// A token of the file.
#[derive(Debug)]
pub enum Token<'a> {
    /// `(`.
    Open,
    /// `)`.
    Close,
    /// `;`.
    Node,
    /// A property: its name in capitals, and its values.
    Property(Cow<'a, str>, Vec<Cow<'a, str>>),
}

/// A reader of tokens.
pub struct Scan<'a> {
    text: &'a str,
    at: usize,
    /// The line of the next character, from 1.
    pub line: usize,
    /// The number of open brackets.
    pub depth: usize,
}

impl<'a> Scan<'a> {
    /// A reader at the beginning of a text.
    pub fn new(text: &'a str) -> Scan<'a> {
        Scan { text, at: 0, line: 1, depth: 0 }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn go(&mut self, to: usize) {
        self.line += self.text.as_bytes()[self.at..to].iter().filter(|byte| **byte == b'\n').count();
        self.at = to;
    }

    fn blank(&mut self) {
        let rest = &self.text[self.at..];
        let to = self.at + rest.len() - rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{0}').len();
        self.go(to);
    }

    /// True if a game begins here: a bracket, and a node that has the game or the version of the format first. Within a tree it means that the
    /// tree before was not closed.
    pub fn begins_game(&self) -> bool {
        let node = self.text[self.at..].trim_start().strip_prefix('(').and_then(|rest| rest.trim_start().strip_prefix(';'));
        node.is_some_and(|node| ["GM[", "FF["].iter().any(|name| node.trim_start().starts_with(name)))
    }

    /// Skips to the end of a game with an error, by its brackets; where the text itself is damaged, to the next line that begins a game.
    pub fn skip_game(&mut self) {
        while self.depth > 0 && !self.begins_game() {
            match self.next() {
                Ok(Some(_)) => {}
                Ok(None) => return,
                Err(_) => return self.skip_to_line(),
            }
        }
        self.depth = 0;
    }

    /// Skips to the next line that begins with `(;`, or to the end.
    pub fn skip_to_line(&mut self) {
        let rest = &self.text[self.at..];
        let mut lines = rest.match_indices('\n').map(|(end, _)| end + 1);
        let begins_game = |from: &usize| rest[*from..].trim_start_matches([' ', '\t', '\r']).starts_with("(;");
        let to = lines.find(begins_game).unwrap_or(rest.len());
        self.go(self.at + to);
        self.depth = 0;
    }

    /// The next token with its line.
    ///
    /// # Errors
    /// An unexpected character, or a value that is not closed.
    pub fn next(&mut self) -> Result<Option<(usize, Token<'a>)>, Fault> {
        self.blank();
        let line = self.line;
        let token = match self.peek() {
            None => return Ok(None),
            Some(b'(') => Token::Open,
            Some(b')') => Token::Close,
            Some(b';') => Token::Node,
            Some(byte) if byte.is_ascii_alphabetic() => return self.property().map(|property| Some((line, property))),
            Some(_) => {
                let sign = self.text[self.at..].chars().next().unwrap_or_default();
                return Err(Fault::line(line, message!("unexpected '{}' in an sgf file", sign.escape_debug().to_string())));
            }
        };
        self.at += 1;
        match token {
            Token::Open => self.depth += 1,
            Token::Close => self.depth = self.depth.saturating_sub(1),
            Token::Node | Token::Property(..) => {}
        }
        Ok(Some((line, token)))
    }

    fn property(&mut self) -> Result<Token<'a>, Fault> {
        let (line, begin) = (self.line, self.at);
        while self.peek().is_some_and(|byte| byte.is_ascii_alphanumeric()) {
            self.at += 1;
        }
        let written = &self.text[begin..self.at];
        // Old files also have small letters in names, which are ignored; a name without capitals is kept.
        let capitals: String = written.chars().filter(|c| !c.is_ascii_lowercase()).collect();
        let name: Cow<str> = match capitals.starts_with(|c: char| c.is_ascii_uppercase()) && capitals != written {
            true => capitals.into(),
            false => Cow::Borrowed(written),
        };
        let mut values = Vec::new();
        loop {
            self.blank();
            if self.peek() != Some(b'[') {
                break;
            }
            values.push(self.value().ok_or_else(|| Fault::line(line, message!("the value of {} is not closed", &name)))?);
        }
        if values.is_empty() {
            return Err(Fault::line(line, message!("{} has no value", name)));
        }
        Ok(Token::Property(name, values))
    }

    /// Reads a value after its `[`; a character after `\` is taken literally.
    fn value(&mut self) -> Option<Cow<'a, str>> {
        let begin = self.at + 1;
        let bytes = self.text.as_bytes();
        let mut end = begin;
        let mut escaped = false;
        while *bytes.get(end)? != b']' {
            if bytes[end] == b'\\' {
                escaped = true;
                end += 1;
            }
            end += 1;
        }
        self.go(end + 1);
        let raw = self.text.get(begin..end)?;
        if !escaped {
            return Some(Cow::Borrowed(raw));
        }
        let mut plain = String::with_capacity(raw.len());
        let mut chars = raw.chars();
        while let Some(c) = chars.next() {
            match c {
                // An escaped line end is removed.
                '\\' => plain.extend(chars.next().filter(|c| !matches!(c, '\n' | '\r'))),
                c => plain.push(c),
            }
        }
        Some(plain.into())
    }
}
