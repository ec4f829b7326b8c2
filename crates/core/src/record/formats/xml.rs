//! Reads XML, for the formats that use it.

use crate::message;
use crate::record::fault::Fault;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

/// A part of an XML file.
pub enum Piece {
    /// The beginning of an element: its name and attributes. True if the element is empty.
    Begin(String, Vec<(String, String)>, bool),
    /// The end of an element.
    End(String),
    /// Text.
    Text(String),
}

/// A reader of XML.
pub struct Xml<'a> {
    reader: Reader<&'a [u8]>,
    text: &'a str,
    /// The byte up to which lines have been counted, and the line there.
    counted: (usize, usize),
}

impl<'a> Xml<'a> {
    /// A reader at the beginning of a text.
    pub fn new(text: &'a str) -> Xml<'a> {
        let mut reader = Reader::from_str(text);
        reader.config_mut().check_end_names = false;
        Xml { reader, text, counted: (0, 1) }
    }

    /// The current line.
    pub fn line(&mut self) -> usize {
        let at = (self.reader.buffer_position() as usize).min(self.text.len());
        let (from, line) = self.counted;
        if at > from {
            let lines = self.text.as_bytes()[from..at].iter().filter(|byte| **byte == b'\n').count();
            self.counted = (at, line + lines);
        }
        self.counted.1
    }

    /// The next part, `None` at the end.
    ///
    /// # Errors
    /// The text is not valid XML.
    pub fn next(&mut self) -> Result<Option<Piece>, Fault> {
        loop {
            let event = self.reader.read_event();
            let line = self.line();
            let piece =
                match event.map_err(|error| Fault::line(line, message!("this is not valid XML: {}", error.to_string())))? {
                    Event::Start(start) => begin(&start, false),
                    Event::Empty(start) => begin(&start, true),
                    Event::End(end) => Piece::End(String::from_utf8_lossy(end.name().as_ref()).into_owned()),
                    Event::Text(text) => Piece::Text(String::from_utf8_lossy(&text).into_owned()),
                    Event::GeneralRef(name) => Piece::Text(reference(&String::from_utf8_lossy(&name))),
                    Event::CData(text) => Piece::Text(String::from_utf8_lossy(&text).into_owned()),
                    Event::Eof => return Ok(None),
                    _ => continue,
                };
            return Ok(Some(piece));
        }
    }
}

fn begin(start: &BytesStart, ends: bool) -> Piece {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let attributes = start
        .attributes()
        .with_checks(false)
        .flatten()
        .map(|attribute| (text(attribute.key.as_ref()), unescape(&text(&attribute.value))))
        .collect();
    Piece::Begin(text(start.name().as_ref()), attributes, ends)
}

/// Replaces `&lt;` and similar references.
fn unescape(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(start) = rest.find('&') {
        plain.push_str(&rest[..start]);
        let Some(length) = rest[start..].find(';') else { break };
        plain.push_str(&reference(&rest[start + 1..start + length]));
        rest = &rest[start + length + 1..];
    }
    plain.push_str(rest);
    plain
}

fn reference(name: &str) -> String {
    let number = name.strip_prefix('#').and_then(|digits| match digits.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16).ok(),
        None => digits.parse().ok(),
    });
    match name {
        "lt" => "<".to_owned(),
        "gt" => ">".to_owned(),
        "amp" => "&".to_owned(),
        "quot" => "\"".to_owned(),
        "apos" => "'".to_owned(),
        _ => number.and_then(char::from_u32).map_or_else(|| format!("&{name};"), String::from),
    }
}

/// The value of an attribute.
pub fn attribute<'a>(attributes: &'a [(String, String)], name: &str) -> Option<&'a str> {
    attributes.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
}
