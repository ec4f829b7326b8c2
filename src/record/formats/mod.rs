//! The community's record formats, in and out.
//!
//! [`Format::Ron`] is our own and keeps everything; the others keep the game, its names and its result. A record that is read has been played through.

mod lines;
mod pgn;
mod psq;
mod sgf;

pub use lines::{GomokuLine, position_and_moves};

use super::{Record, RecordError};
use crate::table::Notation;
use std::path::Path;

/// A way to write records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Our own record.
    Ron,
    /// Portable game notation, as xiangqi programs write it; here for every game.
    Pgn,
    /// Gomoku's file of the piskvork manager and the Gomocup, one game a file.
    Psq,
    /// Smart game format, as boards of five in a row write it (gomoku).
    Sgf,
    /// A position and its moves on a line, as files of openings have them: xiangqi and gomoku.
    Lines,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 5] = [Format::Ron, Format::Pgn, Format::Psq, Format::Sgf, Format::Lines];

    /// The ending of its files, which is also its word on the command line.
    pub const fn key(self) -> &'static str {
        match self {
            Format::Ron => "ron",
            Format::Pgn => "pgn",
            Format::Psq => "psq",
            Format::Sgf => "sgf",
            Format::Lines => "txt",
        }
    }

    /// The format of that word or file ending, in either case.
    pub fn from_key(key: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.key().eq_ignore_ascii_case(key))
    }

    /// The format a text is in, as its first sign shows; `None` where it shows nothing.
    pub fn of_text(text: &str) -> Option<Format> {
        let line =
            text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with("//") && !line.starts_with('#'))?;
        if line.strip_prefix('(').is_some_and(|rest| rest.trim_start().starts_with(';')) {
            Some(Format::Sgf)
        } else if line.starts_with('(') {
            Some(Format::Ron)
        } else if line.starts_with('[') {
            Some(Format::Pgn)
        } else if line.starts_with("Piskvorky") {
            Some(Format::Psq)
        } else {
            lines::looks_like(line).then_some(Format::Lines)
        }
    }

    /// Reads records. `file` is for messages.
    ///
    /// # Errors
    /// The first thing that is wrong, with its line.
    pub fn read(self, file: &str, text: &str) -> Result<Vec<Record>, RecordError> {
        let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
        let records = match self {
            Format::Ron => Record::read_all(file, text)?,
            Format::Pgn => pgn::read(file, text)?,
            Format::Psq => vec![psq::read(file, text)?],
            Format::Sgf => sgf::read(file, text)?,
            Format::Lines => lines::read(file, text)?,
        };
        if records.is_empty() {
            return Err(RecordError::bad(file, 1, "there is no record here"));
        }
        Ok(records)
    }

    /// Reads the records of a file: its content says the format, and where that says nothing its ending.
    ///
    /// # Errors
    /// The file cannot be read, is in no known format, or holds something that is no game.
    pub fn load(path: &Path) -> Result<Vec<Record>, RecordError> {
        let bytes = crate::storage::read_file(path).map_err(|source| RecordError::file(path, source))?;
        let file = path.display().to_string();
        let text = Record::text_of(&file, bytes)?;
        let of_ending = || Format::from_key(path.extension()?.to_str()?);
        let format = Format::of_text(&text).or_else(of_ending);
        format.ok_or_else(|| RecordError::bad(&file, 1, "this is no record of a game"))?.read(&file, &text)
    }

    /// Writes records. `notation` is how moves are written where the format leaves it open.
    ///
    /// # Errors
    /// What the format cannot say: another game, more than one record, another notation.
    pub fn write(self, records: &[Record], notation: Option<Notation>) -> Result<String, String> {
        if let Some(notation) = notation.filter(|_| self != Format::Pgn) {
            return Err(format!("a .{} file does not say moves in '{}'", self.key(), notation.key()));
        }
        match self {
            Format::Ron => Ok(match records {
                [record] => record.to_text(),
                many => many.iter().map(|record| record.to_line() + "\n").collect(),
            }),
            Format::Pgn => records
                .iter()
                .map(|record| pgn::write(record, notation))
                .collect::<Result<Vec<_>, _>>()
                .map(|games| games.join("\n")),
            Format::Psq => match records {
                [record] => psq::write(record),
                many => Err(format!("a .psq file holds one game, here are {}", many.len())),
            },
            Format::Sgf => records.iter().map(sgf::write).collect(),
            Format::Lines => records.iter().map(|record| Ok(lines::write(record)? + "\n")).collect(),
        }
    }
}

/// The record as it can be played, or the error at the line of the move (or of the beginning) that cannot.
fn played(file: &str, record: Record, beginning: usize, lines: &[usize]) -> Result<Record, RecordError> {
    let table = record.replay().map_err(|(index, why)| {
        let line = index.and_then(|index| lines.get(index)).copied().unwrap_or(beginning);
        RecordError::bad(file, line, why)
    })?;
    // Moves may have been read in any notation; the record has the game's own.
    let given = table.ply() - record.moves.len();
    let moves = table.played_text(Notation::Uci).split_off(given);
    let result = record.result.or_else(|| table.outcome());
    Ok(Record { moves, result, ..record })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::SeatSpec;
    use crate::rules::{BySide, Outcome, Reason, Side};
    use crate::table::Setup;

    fn record(game: &str, variant: &str, position: Option<&str>, moves: &str, result: Option<Outcome>) -> Record {
        let setup = Setup { variant: Some(variant.into()), position: position.map(str::to_owned) };
        let seats = BySide::new(SeatSpec::Computer { level: 4 }, SeatSpec::External { name: "An \"engine\" [1]".into() });
        let moves = moves.split(' ').map(str::to_owned).collect();
        Record { game: game.into(), setup, seats, event: "Here".into(), moves, times_ms: Vec::new(), result }
    }

    fn samples() -> Vec<Record> {
        let resigned = Some(Outcome::win(Side::Second, Reason::Resignation));
        let drawn = Some(Outcome::draw(Reason::Agreement));
        vec![
            record("xiangqi", "axf", None, "h2e2 h9g7 h0g2 i9h9", resigned),
            record("xiangqi", "threefold", Some("4k4/9/9/9/9/9/9/9/4R4/3K5 b - - 0 1"), "e9f9", None),
            record("gomoku", "freestyle:15", None, "h8 i9 g7 a15 o1", drawn),
            record("gomoku", "renju:19", None, "j10 k11", None),
            record("two-eat-one", "standard", None, "0,0-1,0 4,0-3,0", drawn),
            record("tic-tac-toe", "standard", None, "a1 a2 b1 b2 c1", Some(Outcome::win(Side::First, Reason::Three))),
        ]
    }

    #[test]
    fn what_is_written_reads_back() {
        for format in Format::ALL {
            let mut tried = 0;
            for record in samples() {
                let Ok(text) = format.write(std::slice::from_ref(&record), None) else { continue };
                tried += 1;
                assert_eq!(Format::of_text(&text), Some(format), "{text}");
                let mut back = format.read("t", &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
                assert_eq!(back.len(), 1, "{text}");
                let back = back.remove(0);
                assert_eq!((&back.game, &back.moves), (&record.game, &record.moves), "{text}");
                let end = |record: &Record| record.replay().unwrap().position_text();
                assert_eq!(end(&back), end(&record), "{text}");
                if matches!(format, Format::Ron | Format::Pgn) {
                    assert_eq!(back, record, "{text}");
                }
            }
            let expected = match format {
                Format::Ron | Format::Pgn => 6,
                Format::Psq | Format::Sgf => 2,
                Format::Lines => 4,
            };
            assert_eq!(tried, expected, "{format:?}");
        }
    }

    #[test]
    fn many_games_in_one_file() {
        let games = samples();
        for format in [Format::Ron, Format::Pgn] {
            let text = format.write(&games, None).unwrap();
            assert_eq!(format.read("t", &text).unwrap(), games, "{text}");
        }
        assert!(Format::Psq.write(&games[2..4], None).unwrap_err().contains("one game"));
    }

    #[test]
    fn every_notation_of_xiangqi_in_pgn() {
        let game = &samples()[..1];
        for (notation, sign) in
            [(Notation::Chinese, "炮二平五"), (Notation::Wxf, "C2=5"), (Notation::Iccs, "H2-E2"), (Notation::Uci, "h2e2")]
        {
            let text = Format::Pgn.write(game, Some(notation)).unwrap();
            assert!(text.contains(sign), "{text}");
            assert_eq!(Format::Pgn.read("t", &text).unwrap(), game, "{text}");
        }
        assert!(Format::Pgn.write(&samples()[2..3], Some(Notation::Chinese)).unwrap_err().contains("not written in 'chinese'"));
        assert!(Format::Psq.write(&samples()[2..3], Some(Notation::Uci)).is_err());
    }

    #[test]
    fn what_others_write_is_read() {
        // (format, text, moves, the beginning of what is wrong)
        let pgn = "[Game \"Chinese Chess\"]\n[Red \"甲\"]\n[Black \"乙\"]\n[Result \"1-0\"]\n\n1.炮二平五 {中炮\n} 马8进7\n2. 马二进三 (2. 兵三进一 卒3进1) 车9平8 $1 ; so\n1-0\n";
        let gomocup = "Piskvorky 15x15, 11:11, 0\r\n8,8,0\r\n9,9,1020\r\nC:\\brains\\a.zip\r\nb.exe\r\n-1\r\n4,Renju_1\r\n";
        let cases = [
            (Format::Pgn, pgn, Ok("h2e2 h9g7 h0g2 i9h9")),
            (Format::Pgn, "[Event \"?\"]\n1. H2-E2 H9-G7 *\n", Ok("h2e2 h9g7")),
            (Format::Pgn, "[Event \"?\"]\n1. C2.5 H8+7 1/2-1/2\n", Ok("h2e2 h9g7")),
            (Format::Pgn, "[Event \"?\"]\n\n1. h2e2 h2e2\n", Err("t:3: move 2: ")),
            (Format::Pgn, "[Event \"?\"\n\n1. h2e2\n", Err("t:1: a tag ")),
            (Format::Pgn, "[Event \"?\"]\n{ no end\n", Err("t:2: a comment ")),
            (Format::Pgn, "[Event \"?\"]\n( no end\n", Err("t:2: a variation ")),
            (Format::Pgn, "[Game \"Chess\"]\n1. e2e4\n", Err("t:1: there is no game 'Chess'")),
            (Format::Pgn, "[FEN \"9/9 w\"]\n1. e2e4\n", Err("t:1: position, character ")),
            (Format::Psq, gomocup, Ok("h8 i9")),
            (Format::Psq, "Piskvorky 15x15, 0:0, 0\n8,8\n-1\n", Ok("h8")),
            (Format::Psq, "Piskvorky 15x15, 0:0, 0\n8,8,0\n8,8,0\n", Err("t:3: move 2: ")),
            (Format::Psq, "Piskvorky 15x15, 0:0, 0\n0,8,0\n", Err("t:2: ")),
            (Format::Psq, "Piskvorky 17x17, 0:0, 0\n8,8,0\n", Err("t:1: ")),
            (Format::Psq, "Piskvorky\n", Err("t:1: ")),
            (
                Format::Sgf,
                "(;FF[4]GM[4]SZ[15]PB[a\\]b]RE[B+R]\n;B[hh]C[so ; ( \\] ]\n;W[I9](;B[gi];W[aa])(;B[oo]))\n",
                Ok("h8 i9 g7 a15"),
            ),
            (Format::Sgf, "(;B[ao])(;B[oa])", Ok("a1")),
            (Format::Sgf, "(;GM[1];B[hh])", Err("t:1: GM[1] ")),
            (Format::Sgf, "(;B[hh]\n;B[hi])", Err("t:2: move 2: ")),
            (Format::Sgf, "(;B[hh]\n;W[hh])", Err("t:2: ")),
            (Format::Sgf, "(;B[pp])", Err("t:1: 'pp' is no point")),
            (Format::Sgf, "(;B[hh]", Err("t:1: the game's tree ")),
            (Format::Sgf, "(;AB[hh];W[hi])", Err("t:1: a game from set-up ")),
            (Format::Sgf, "(;SZ[17];B[hh])", Err("t:1: ")),
            (Format::Sgf, "", Err("t:1: there is no record")),
            (Format::Lines, "# c\n15 4 h8i9g7 source\n", Ok("h8 i9 g7")),
            (Format::Lines, "15 3 h8\n", Err("t:1: ")),
            (Format::Lines, "\nstartpos\n", Err("t:2: ")),
            (Format::Ron, "", Err("t:1: ")),
            (Format::Pgn, "", Err("t:1: there is no record")),
            (Format::Lines, "", Err("t:1: there is no record")),
        ];
        for (format, text, expected) in cases {
            match (format.read("t", text), expected) {
                (Ok(records), Ok(moves)) => assert_eq!(records[0].moves.join(" "), moves, "{text}"),
                (Err(error), Err(words)) => assert!(error.to_string().starts_with(words), "{text}: {error}"),
                (other, _) => panic!("{text}: {other:?}"),
            }
        }
        let game = &Format::Psq.read("t", gomocup).unwrap()[0];
        assert_eq!((game.setup.variant.as_deref(), game.seats.first.to_string().as_str()), (Some("renju:15"), "a"));
        assert_eq!(game.times_ms, [0, 1020]);
    }

    #[test]
    fn random_text_never_panics() {
        let mut random = fastrand::Rng::with_seed(9);
        let whole: Vec<String> = Format::ALL
            .into_iter()
            .flat_map(|format| samples().into_iter().filter_map(move |record| format.write(&[record], None).ok()))
            .collect();
        let alphabet: Vec<char> = "([{}])\"\\;$./-,:0123456789ahr炮\n\r \u{0}é".chars().collect();
        for _ in 0..4000 {
            let mut text: Vec<char> = whole[random.usize(..whole.len())].chars().collect();
            for _ in 0..random.usize(1..6) {
                let at = random.usize(..text.len());
                match random.u8(..3) {
                    0 => text[at] = alphabet[random.usize(..alphabet.len())],
                    1 => text.truncate(at + 1),
                    _ => text.insert(at, alphabet[random.usize(..alphabet.len())]),
                }
            }
            let text: String = text.into_iter().collect();
            for format in Format::ALL {
                let _ = format.read("t", &text);
            }
        }
    }
}
