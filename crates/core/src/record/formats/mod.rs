//! The formats of records, for reading and writing.
//!
//! [`Format::Ron`] is our own format and keeps everything. Each format has its own file here, which names its sources;
//! `docs/formats.md` says what each format keeps. All moves of a record are checked while it is read.

pub(super) mod binary;
pub(super) mod che;
pub(super) mod dhtmlxq;
pub(super) mod lines;
pub(super) mod link;
pub(super) mod own;
pub(super) mod pgn;
pub(super) mod plain;

mod cbf;
mod cbr;
mod ccm;
mod chn;
mod drawn;
mod mxq;
mod pfc;
mod pos;
mod preorder;
mod psq;
mod renlib;
mod rif;
mod rules;
mod sgf;
mod squares;
#[cfg(test)]
mod tests;
mod wxf;
mod xay;
mod xml;
mod xqf;

pub use lines::{GomokuLine, position_and_moves};
pub use link::PAGE;
pub use plain::without_number;

use super::builder::Partial;
use super::charset::{self, Charset};
use super::fault::{Fault, RecordError, Refused};
use super::{Reading, Record};
use crate::message;
use crate::message::Message;
use crate::table::Notation;

/// A format of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Our own format.
    Ron,
    /// Portable Game Notation, as xiangqi programs write it; here for every game.
    Pgn,
    /// The format of Piskvork, the Gomocup manager: one game per file (gomoku).
    Psq,
    /// Smart Game Format (gomoku).
    Sgf,
    /// A position and its moves on a line, like files of openings, and free text with moves.
    Lines,
    /// XQStudio (xiangqi).
    Xqf,
    /// CCBridge: a record, or a library of them (xiangqi).
    Cbr,
    /// CCBridge's older record in XML (xiangqi).
    Cbf,
    /// A table of moves of nine bytes each (xiangqi).
    Ccm,
    /// A list of strings (xiangqi).
    Mxq,
    /// A list of numbers (xiangqi).
    Che,
    /// A table of moves of 36 bytes each (xiangqi).
    Chn,
    /// The text format of the World Xiangqi Federation.
    Wxf,
    /// A position drawn with letters in brackets (xiangqi).
    Xay,
    /// DhtmlXQ, used in forums (xiangqi).
    DhtmlXq,
    /// Nested moves in XML (xiangqi).
    Pfc,
    /// Yixin's list of stones (gomoku).
    Pos,
    /// A library of RenLib (gomoku).
    RenLib,
    /// RenjuNet's database in XML (gomoku).
    Rif,
    /// An address with a game in its fragment.
    Link,
}

/// A result of a reader.
#[derive(Debug)]
pub enum ReadItem {
    /// A valid game.
    Game(Box<Record>),
    /// An invalid game, which is skipped.
    Refused(Refused),
    /// A part of a game that is skipped; the game itself is read.
    Remark(Fault),
}

/// Takes what a reader finds. True if the reader shall go on; a reader of one game need not ask.
type Sink<'a> = dyn FnMut(ReadItem) -> bool + 'a;

/// Gives a reader's last find, behind which there is nothing to stop.
fn tell(sink: &mut Sink, found: ReadItem) {
    let _ = sink(found);
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 20] = [
        Format::Ron,
        Format::Pgn,
        Format::Psq,
        Format::Sgf,
        Format::Lines,
        Format::Xqf,
        Format::Cbr,
        Format::Cbf,
        Format::Ccm,
        Format::Mxq,
        Format::Che,
        Format::Chn,
        Format::Wxf,
        Format::Xay,
        Format::DhtmlXq,
        Format::Pfc,
        Format::Pos,
        Format::RenLib,
        Format::Rif,
        Format::Link,
    ];

    /// The formats that can be written.
    pub const WRITTEN: [Format; 9] = [
        Format::Ron,
        Format::Pgn,
        Format::Xqf,
        Format::Wxf,
        Format::DhtmlXq,
        Format::Psq,
        Format::Sgf,
        Format::Lines,
        Format::Link,
    ];

    /// The extension of its files, which is also its name on the command line.
    pub const fn key(self) -> &'static str {
        match self {
            Format::Ron => "ron",
            Format::Pgn => "pgn",
            Format::Psq => "psq",
            Format::Sgf => "sgf",
            Format::Lines => "txt",
            Format::Xqf => "xqf",
            Format::Cbr => "cbr",
            Format::Cbf => "cbf",
            Format::Ccm => "ccm",
            Format::Mxq => "mxq",
            Format::Che => "che",
            Format::Chn => "chn",
            Format::Wxf => "wxf",
            Format::Xay => "xay",
            Format::DhtmlXq => "ubb",
            Format::Pfc => "pfc",
            Format::Pos => "pos",
            Format::RenLib => "lib",
            Format::Rif => "rif",
            Format::Link => "link",
        }
    }

    /// The format with this name or extension, in upper or lower case.
    pub fn from_key(key: &str) -> Option<Format> {
        let other = match key.to_ascii_lowercase().as_str() {
            "cbl" => Some(Format::Cbr),
            "dhtmlxq" => Some(Format::DhtmlXq),
            "fen" => Some(Format::Lines),
            _ => None,
        };
        other.or_else(|| Format::ALL.into_iter().find(|format| format.key().eq_ignore_ascii_case(key)))
    }

    /// True if its files are no text.
    pub(super) fn is_binary(self) -> bool {
        use Format::*;
        matches!(self, Xqf | Cbr | Ccm | Mxq | Chn | Pos | RenLib)
    }

    /// True if records can be written in this format.
    pub fn is_written(self) -> bool {
        Format::WRITTEN.contains(&self)
    }

    /// Reads the games of a file one after the other, so that only one of them is in memory at a time. Faults have the
    /// number of the game. Reading stops when the sink says `false`: at once in a file of many games, or after the game
    /// at hand.
    pub fn each(self, bytes: &[u8], sink: &mut dyn FnMut(ReadItem) -> bool) {
        self.each_in(Charset::default(), bytes, sink);
    }

    /// The same with texts in this encoding.
    pub fn each_in(self, charset: Charset, bytes: &[u8], sink: &mut dyn FnMut(ReadItem) -> bool) {
        let mut games = 1;
        let mut goes_on = true;
        let mut numbered = |found: ReadItem| {
            let found = match found {
                ReadItem::Game(record) => {
                    games += 1;
                    ReadItem::Game(record)
                }
                ReadItem::Refused(mut refused) => {
                    refused.fault.game = games;
                    games += 1;
                    ReadItem::Refused(refused)
                }
                ReadItem::Remark(fault) => ReadItem::Remark(Fault { game: games, ..fault }),
            };
            goes_on = goes_on && sink(found);
            goes_on
        };
        let sink: &mut Sink = &mut numbered;
        let text = || charset.decode(bytes);
        match self {
            Format::Ron => own::read(&text(), sink),
            Format::Pgn => pgn::read(&text(), sink),
            Format::Psq => one(|partial, _| psq::read(&text(), partial), sink),
            Format::Sgf => sgf::read(&text(), sink),
            Format::Lines => lines::read(&text(), sink),
            Format::Xqf => one(|partial, sink| xqf::read(bytes, charset, partial, sink), sink),
            Format::Cbr => cbr::read(bytes, sink),
            Format::Cbf => one(|partial, sink| cbf::read(&text(), partial, sink), sink),
            Format::Ccm => one(|partial, _| ccm::read(bytes, partial), sink),
            Format::Mxq => one(|partial, sink| mxq::read(bytes, charset, partial, sink), sink),
            Format::Che => one(|partial, _| che::read(&text(), partial), sink),
            Format::Chn => one(|partial, sink| chn::read(bytes, charset, partial, sink), sink),
            Format::Wxf => wxf::read(&text(), sink),
            Format::Xay => one(|partial, _| xay::read(&text(), partial), sink),
            Format::DhtmlXq => dhtmlxq::read(&text(), sink),
            Format::Pfc => one(|partial, sink| pfc::read(&text(), partial, sink), sink),
            Format::Pos => one(|partial, _| pos::read(bytes, partial), sink),
            Format::RenLib => one(|partial, sink| renlib::read(bytes, charset, partial, sink), sink),
            Format::Rif => rif::read(&text(), sink),
            Format::Link => link::read(&text(), sink),
        }
    }

    /// Reads the games of a file. `file` is for messages.
    ///
    /// # Errors
    /// There is no game in it, valid or invalid.
    pub fn read(self, file: &str, bytes: &[u8]) -> Result<Reading, RecordError> {
        let mut reading =
            Reading { file: file.to_owned(), format: self, records: Vec::new(), refused: Vec::new(), remarks: Vec::new() };
        self.each(bytes, &mut |found| {
            match found {
                ReadItem::Game(record) => reading.records.push(*record),
                ReadItem::Refused(refused) => reading.refused.push(refused),
                ReadItem::Remark(fault) => reading.remarks.push(fault),
            }
            true
        });
        if reading.records.len() + reading.refused.len() == 0 {
            return Err(Fault::line(1, message!("there is no record here")).of(file));
        }
        if reading.records.len() + reading.refused.len() == 1 {
            let faults = reading.refused.iter_mut().map(|refused| &mut refused.fault);
            faults.chain(&mut reading.remarks).for_each(|fault| fault.game = 0);
        }
        reading.remarks = Fault::merged(reading.remarks);
        Ok(reading)
    }

    /// Writes records. `notation` is used if the format allows several notations.
    ///
    /// # Errors
    /// The format cannot hold this game, more than one record, or this notation.
    pub fn write(self, records: &[Record], notation: Option<Notation>) -> Result<Vec<u8>, Message> {
        let mut writer = Writer::new(self, notation, false)?;
        let mut out = Vec::new();
        for record in records {
            writer.add(record, &mut out)?;
        }
        writer.finish(&mut out);
        Ok(out)
    }
}

/// Reads a file of one game.
fn one(read: impl FnOnce(&mut Partial, &mut Sink) -> Result<Record, Fault>, sink: &mut Sink) {
    let found = of_reading(|partial| read(partial, sink));
    tell(sink, found);
}

/// Reads a game; if an error ends the reading, what stands before it is kept.
fn of_reading(read: impl FnOnce(&mut Partial) -> Result<Record, Fault>) -> ReadItem {
    let mut partial = Partial::default();
    match read(&mut partial) {
        Ok(record) => ReadItem::Game(Box::new(record)),
        Err(fault) => ReadItem::Refused(partial.refused(fault)),
    }
}

/// Counts what a format cannot hold of the records that were written in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Loss {
    comments: usize,
    variations: usize,
    glyphs: usize,
    marks: usize,
    times: usize,
    tags: usize,
    names: usize,
    results: usize,
}

impl Loss {
    /// Everything in a record except its main line, its players and its result.
    fn beside_the_main_line(record: &Record) -> Loss {
        let mut loss = Loss { tags: record.tags.len(), variations: record.tree.variations(), ..Loss::default() };
        for id in record.tree.walk() {
            let notes = record.tree.notes(id);
            loss.comments += usize::from(!notes.comment.is_empty());
            loss.glyphs += notes.glyphs.len();
            loss.marks += notes.marks.len();
            loss.times += usize::from(notes.time_ms.is_some());
        }
        loss
    }

    fn add(&mut self, other: &Loss) {
        self.comments += other.comments;
        self.variations += other.variations;
        self.glyphs += other.glyphs;
        self.marks += other.marks;
        self.times += other.times;
        self.tags += other.tags;
        self.names += other.names;
        self.results += other.results;
    }

    /// The parts with how many of them are left out.
    pub fn parts(&self) -> impl Iterator<Item = (usize, RecordPart)> {
        let counts = [
            (self.comments, RecordPart::Comment),
            (self.variations, RecordPart::Variation),
            (self.glyphs, RecordPart::Glyph),
            (self.marks, RecordPart::Mark),
            (self.times, RecordPart::Time),
            (self.tags, RecordPart::Tag),
            (self.names, RecordPart::Name),
            (self.results, RecordPart::Result),
        ];
        counts.into_iter().filter(|(count, _)| *count > 0)
    }

    /// `2 comments, 1 variation are left out: psq cannot hold them`; `None` if nothing is lost.
    fn told(self, format: Format) -> Option<LeftOut> {
        self.parts().next()?;
        Some(LeftOut { format, loss: self })
    }
}

/// A part of a record besides its main line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordPart {
    /// A comment.
    Comment,
    /// A variation.
    Variation,
    /// A glyph.
    Glyph,
    /// A mark on the board.
    Mark,
    /// The time used for a move.
    Time,
    /// A tag.
    Tag,
    /// A player's name.
    Name,
    /// The result.
    Result,
}

impl RecordPart {
    /// All parts.
    pub const ALL: [RecordPart; 8] = [
        RecordPart::Comment,
        RecordPart::Variation,
        RecordPart::Glyph,
        RecordPart::Mark,
        RecordPart::Time,
        RecordPart::Tag,
        RecordPart::Name,
        RecordPart::Result,
    ];

    /// The key of its name: `comment`.
    pub fn key(self) -> &'static str {
        match self {
            RecordPart::Comment => "comment",
            RecordPart::Variation => "variation",
            RecordPart::Glyph => "glyph",
            RecordPart::Mark => "mark",
            RecordPart::Time => "time",
            RecordPart::Tag => "tag",
            RecordPart::Name => "name",
            RecordPart::Result => "result",
        }
    }
}

/// What a format could not hold. As text, a line in English.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// The format.
    pub format: Format,
    /// What is left out.
    pub loss: Loss,
}

impl std::fmt::Display for LeftOut {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let word = |(count, part): (usize, RecordPart)| match (count, part) {
            (1, RecordPart::Name) => "1 player's name".to_owned(),
            (count, RecordPart::Name) => format!("{count} players' names"),
            (1, part) => format!("1 {}", part.key()),
            (count, part) => format!("{count} {}s", part.key()),
        };
        let words: Vec<String> = self.loss.parts().map(word).collect();
        let one = self.loss.parts().map(|(count, _)| count).sum::<usize>() == 1;
        let (verb, object) = if one { ("is", "it") } else { ("are", "them") };
        write!(f, "{} {verb} left out: {} cannot hold {object}", words.join(", "), self.format.key())
    }
}

/// Writes records one after the other.
pub struct Writer {
    format: Format,
    notation: Option<Notation>,
    gbk: bool,
    written: usize,
    /// In our own format a single record takes several lines, but several records take one line each; so the first
    /// record waits for the second.
    waiting: Option<Record>,
    loss: Loss,
}

impl Writer {
    /// A writer. `notation` is used if the format allows several notations; `gbk` writes text as GBK (GB18030) instead
    /// of UTF-8, for old programs.
    ///
    /// # Errors
    /// The format can only be read, or it does not allow this notation or encoding.
    pub fn new(format: Format, notation: Option<Notation>, gbk: bool) -> Result<Writer, Message> {
        if !format.is_written() {
            return Err(message!(".{} files can be read, but not written", format.key()));
        }
        if let Some(notation) = notation.filter(|_| format != Format::Pgn) {
            return Err(message!("a .{} file cannot have moves in '{}'", format.key(), notation.key()));
        }
        if gbk && !matches!(format, Format::Pgn | Format::Wxf | Format::DhtmlXq) {
            return Err(message!("a .{} file cannot be written in GBK", format.key()));
        }
        Ok(Writer { format, notation, gbk, written: 0, waiting: None, loss: Loss::default() })
    }

    /// Writes the next record.
    ///
    /// # Errors
    /// The format cannot hold its game, its position or a second record.
    pub fn add(&mut self, record: &Record, out: &mut Vec<u8>) -> Result<(), Message> {
        let first = self.written == 0;
        if !first && matches!(self.format, Format::Psq | Format::Xqf | Format::DhtmlXq | Format::Wxf) {
            return Err(message!("a .{} file holds only one game", self.format.key()));
        }
        self.written += 1;
        let (text, loss) = match self.format {
            Format::Ron => {
                if first {
                    self.waiting = Some(record.clone());
                } else {
                    for record in self.waiting.iter().chain([record]) {
                        out.extend_from_slice(own::line(record).as_bytes());
                        out.push(b'\n');
                    }
                    self.waiting = None;
                }
                return Ok(());
            }
            Format::Xqf => {
                let (bytes, loss) = xqf::write(record)?;
                out.extend_from_slice(&bytes);
                self.loss.add(&loss);
                return Ok(());
            }
            Format::Pgn => pgn::write(record, self.notation, first)?,
            Format::Psq => psq::write(record)?,
            Format::Sgf => sgf::write(record)?,
            Format::Wxf => wxf::write(record)?,
            Format::DhtmlXq => dhtmlxq::write(record)?,
            Format::Link => link::write(record)?,
            _ => lines::write(record)?,
        };
        self.loss.add(&loss);
        if self.gbk {
            out.extend_from_slice(&charset::to_gb(&text));
        } else if out.is_empty() {
            // One large game is not held twice.
            *out = text.into_bytes();
        } else {
            out.extend_from_slice(text.as_bytes());
        }
        Ok(())
    }

    /// Writes the record that waits, if any, and returns what the format could not hold, if anything was lost.
    pub fn finish(mut self, out: &mut Vec<u8>) -> Option<LeftOut> {
        if let Some(record) = self.waiting.take() {
            out.extend_from_slice(own::text(&record).as_bytes());
        }
        self.loss.told(self.format)
    }
}
