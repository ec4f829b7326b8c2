//! Our own format: RON, which people can read and write. It keeps everything.
//!
//! A file holds one record on several lines, or many records, one per line. Moves are in the game's own notation. They are numbered from 1: first those of the
//! main line, then those of the variations in the order in which they are written. `after` and `at` refer to a move by its number; 0 is the start.

use super::{Sink, of_reading};
use crate::message;
use crate::message::Message;
use crate::record::builder::{Builder, Partial};
use crate::record::fault::Fault;
use crate::record::flat::{Line, Note, build, flatten, usual_origin};
use crate::record::{Record, SeatSpec, Tags};
use crate::rules::{BySide, Outcome};
use crate::table::{NodeId, Notation, Setup, Tree, read_ron};
use serde::{Deserialize, Serialize};

/// A record as stored in the file.
#[derive(Serialize, Deserialize)]
#[serde(rename = "record", deny_unknown_fields)]
struct Paper {
    game: String,
    #[serde(default)]
    setup: Setup,
    #[serde(default)]
    seats: BySide<SeatSpec>,
    /// The event, in records of versions before tags.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    event: String,
    #[serde(default, skip_serializing_if = "Tags::is_empty")]
    tags: Tags,
    moves: Vec<String>,
    /// The time of each move of the main line in milliseconds; empty if not all times are known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    times_ms: Vec<u64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    variations: Vec<Variation>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    notes: Vec<Note>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    result: Option<Outcome>,
}

/// A variation.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Variation {
    /// The move after which it starts.
    after: u32,
    moves: Vec<String>,
}

/// The record on one line.
pub fn line(record: &Record) -> String {
    ron::to_string(&paper(record)).unwrap_or_default()
}

/// The record on several lines.
pub fn text(record: &Record) -> String {
    let pretty = ron::ser::PrettyConfig::default().struct_names(false);
    let mut text = ron::ser::to_string_pretty(&paper(record), pretty).unwrap_or_default();
    text.push('\n');
    text
}

fn paper(record: &Record) -> Paper {
    let mut paper = Paper {
        game: record.game.clone(),
        setup: record.setup.clone(),
        seats: record.seats.clone(),
        event: String::new(),
        tags: record.tags.clone(),
        moves: Vec::new(),
        times_ms: Vec::new(),
        variations: Vec::new(),
        notes: Vec::new(),
        result: record.result,
    };
    let tree = &record.tree;
    let Ok((mut lines, nodes)) = flatten(record, usize::MAX, |table, action| table.write(action, Notation::Uci)) else {
        return paper;
    };
    let main = lines[0].moves.len();
    let times: Option<Vec<u64>> = tree.main_line().into_iter().map(|id| tree.notes(id).time_ms).collect();
    let timed = times.is_some();
    paper.times_ms = times.unwrap_or_default();
    let note = |(number, &id): (usize, &NodeId)| {
        let (notes, on_main) = (tree.notes(id), number <= main);
        let note = Note {
            at: number as u32,
            comment: notes.comment.to_owned(),
            glyphs: notes.glyphs.to_vec(),
            marks: notes.marks.to_vec(),
            time_ms: notes.time_ms.filter(|_| !(on_main && timed)),
            origin: Some(tree.node(id).origin).filter(|origin| *origin != usual_origin(on_main) && id != Tree::ROOT),
            review: notes.assessment.cloned().map(Box::new),
        };
        let more = note.time_ms.is_some() || note.origin.is_some() || note.review.is_some();
        (notes.is_annotated() || more).then_some(note)
    };
    paper.notes = nodes.iter().enumerate().filter_map(note).collect();
    paper.moves = lines.remove(0).moves;
    paper.variations = lines.into_iter().map(|Line { after, moves }| Variation { after, moves }).collect();
    paper
}

/// Reads one record, or many with one per line (empty lines and `//` lines between them are skipped).
pub fn read(text: &str, sink: &mut Sink) {
    // One whole record in a line is enough: a damaged line must not spoil the others.
    let is_list = text.lines().any(|line| line.starts_with('(') && line.trim_end().ends_with(')'));
    let mut one = |text: &str, line: usize| sink(of_reading(|partial| read_one(text, line, partial)));
    if is_list {
        let _ = (1..).zip(text.lines()).filter(|(_, text)| !is_blank(text)).all(|(line, text)| one(text, line));
    } else {
        one(text, 1);
    }
}

/// Reads one record that begins at `first_line` of the file.
fn read_one(text: &str, first_line: usize, partial: &mut Partial) -> Result<Record, Fault> {
    let paper: Paper = read_ron("", text).map_err(|error| {
        if let Some(paper) = before_damage(text).and_then(|text| read_ron("", &text).ok()) {
            // An illegal move before the damage ends the game there.
            let _ = build_game(paper, partial);
        }
        Fault::line(first_line + error.line.max(1) - 1, error.why)
    })?;
    let result = build_game(paper, partial).map_err(|(place, why)| Fault::line(first_line + line_of(text, place), why))?;
    let builder = partial.builder().ok_or_else(|| Fault::line(first_line, message!("there is no game")))?;
    Ok(Record { result, ..builder.finish(None, None) })
}

/// The record as far as its list of moves can be read, if the rest is damaged.
fn before_damage(text: &str) -> Option<String> {
    let field = text.find("moves:")?;
    let mut end = field + text[field..].find('[')? + 1;
    let mut rest = &text[end..];
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
        let Some((mv, behind)) = rest.strip_prefix('"').and_then(|rest| rest.split_once('"')) else { break };
        if mv.len() > 12 {
            break;
        }
        rest = behind;
        end = text.len() - rest.len();
    }
    Some(format!("{}])", &text[..end]))
}

/// The part of a record that has an error.
enum Part {
    Setup,
    Move(usize),
    Variation,
    Note,
}

/// Builds the game, and returns its result as it is written.
fn build_game(paper: Paper, partial: &mut Partial) -> Result<Option<Outcome>, (Part, Message)> {
    let builder = partial.begin(&paper.game, paper.setup.clone()).map_err(|why| (Part::Setup, why))?;
    builder.record.seats = paper.seats;
    builder.record.tags = paper.tags;
    if !paper.event.is_empty() {
        builder.record.tags.set("Event", paper.event);
    }
    let main = paper.moves.len();
    let lines = paper.variations.into_iter().map(|Variation { after, moves }| Line { after, moves });
    let lines = std::iter::once(Line { after: 0, moves: paper.moves }).chain(lines);
    let mut times = paper.times_ms.iter().take(main);
    let play = |builder: &mut Builder, text: String| {
        let id = builder.play_text(&text)?;
        if let Some(&ms) = times.next() {
            builder.time(ms);
        }
        Ok(id)
    };
    let nodes = build(builder, lines, play).map_err(|(line, number, why)| match line {
        0 => (Part::Move(number - 1), message!("move {}: {}", number, why)),
        line => (Part::Variation, message!("variation {}: {}", line, why)),
    })?;
    for note in paper.notes {
        let at = nodes.get(note.at as usize).copied();
        builder.go(at.ok_or_else(|| (Part::Note, message!("a note: there is no move {}", note.at)))?);
        builder.annotate(note);
    }
    Ok(paper.result)
}

fn is_blank(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.starts_with("//")
}

/// The number of lines from the beginning of `text` to a part of it. Strings are counted after the field's name; comments are skipped.
fn line_of(text: &str, part: Part) -> usize {
    let (field, index) = match part {
        Part::Setup => ("setup", None),
        Part::Move(index) => ("moves", Some(index)),
        Part::Variation => ("variations", None),
        Part::Note => ("notes", None),
    };
    let Some(start) = text.find(field).or_else(|| text.find("game")) else { return 0 };
    let mut line = text[..start].matches('\n').count();
    let Some(index) = index else { return line };
    let (mut strings, mut inside, mut comment) = (0, false, false);
    let mut previous = ' ';
    for c in text[start..].chars() {
        match c {
            '\n' => {
                line += 1;
                comment = false;
            }
            _ if comment => {}
            '"' if previous != '\\' => {
                inside = !inside;
                if inside {
                    if strings == index {
                        break;
                    }
                    strings += 1;
                }
            }
            '/' if !inside && previous == '/' => comment = true,
            _ => {}
        }
        previous = c;
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games;
    use crate::record::RecordError;
    use crate::rules::{Reason, Side};

    fn read_all(text: &str) -> Result<Vec<Record>, RecordError> {
        Record::read_all("t", text)
    }

    #[test]
    fn older_files_are_read() {
        let text = "(game:\"tic-tac-toe\",seats:(first:Human,second:Computer(level:3)),event:\"a \\\"test\\\"\",\
                    moves:[\"b2\",\"a1\",\"c3\",\"a3\"],times_ms:[1,2,3,4],result:Some((winner:Some(first),reason:resignation)))";
        let record = read_all(text).unwrap().remove(0);
        assert_eq!(record.moves(Notation::Uci), ["b2", "a1", "c3", "a3"]);
        assert_eq!(record.tags.get("event"), Some("a \"test\""));
        assert_eq!(record.result, Some(Outcome::win(Side::First, Reason::Resignation)));
        let times: Vec<_> = record.tree.main_line().into_iter().map(|id| record.tree.notes(id).time_ms).collect();
        assert_eq!(times, [Some(1), Some(2), Some(3), Some(4)]);
        assert_eq!(read_all(&record.to_text()).unwrap(), std::slice::from_ref(&record));
        let many = format!("{}\n// between\n\n{}\n", record.to_line(), record.to_line());
        assert_eq!(read_all(&many).unwrap(), [record.clone(), record]);
    }

    #[test]
    fn the_table_is_recorded_without_what_the_setup_gave() {
        let setup = Setup { variant: None, position: Some("....x.... o".into()) };
        let mut table = games::find("tic-tac-toe").unwrap().table(&setup).unwrap();
        table.play(table.read("a1").unwrap()).unwrap();
        let record = Record::of(&*table, BySide::default(), None);
        assert_eq!(record.moves(Notation::Uci), ["a1"]);
        assert_eq!(record.replay().unwrap().position_text(), table.position_text());
    }

    #[test]
    fn errors_name_their_line() {
        // (text, beginning of the message)
        let cases = [
            ("", "t:1: "),
            ("(game: \"chess\", moves: [])", "t:1: there is no game 'chess'"),
            ("(\n  game: \"tic-tac-toe\",\n  moves: [\n    \"b2\", // \"a1\"\n    \"b2\",\n  ],\n)", "t:5: move 2: "),
            ("(\n  game: \"tic-tac-toe\",\n  setup: (position: \"?\"),\n  moves: [],\n)", "t:3: position, character 2"),
            ("(\n  game: \"tic-tac-toe\",\n  mvoes: [],\n)", "t:3: "),
            ("(game: \"tic-tac-toe\", moves: [\"b2\"])\n(game: \"tic-tac-toe\", moves: [\"z9\"])", "t:2: game 2: move 1: "),
            ("(game:\"tic-tac-toe\",moves:[],variations:[(after:3,moves:[\"b2\"])])", "t:1: variation 1: there is no move 3"),
            ("(game:\"tic-tac-toe\",moves:[],notes:[(at:1)])", "t:1: a note: there is no move 1"),
        ];
        for (text, expected) in cases {
            let error = read_all(text).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{text:?} gives {error:?}, not {expected:?}");
        }
    }
}
