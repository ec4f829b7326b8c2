//! Tests: written records are read back, with generated trees; all dialects are read; nothing panics.

use super::*;
use crate::games;
use crate::record::{SeatSpec, recognise};
use crate::rules::{BySide, Outcome, Point, Reason, Side};
use crate::table::{Action, Glyph, Mark, MarkColour, Notes, Origin, Setup, Tree};

fn record(game: &str, variant: &str, position: Option<&str>, moves: &str, result: Option<Outcome>) -> Record {
    let setup = Setup { variant: Some(variant.into()), position: position.map(str::to_owned) };
    let mut table = games::find(game).unwrap().table(&setup).unwrap();
    let mut tree = Tree::new();
    let mut at = Tree::ROOT;
    for text in moves.split_whitespace() {
        let action = table.read(text).unwrap();
        table.play(action).unwrap();
        at = tree.add(at, action, Origin::Record);
    }
    let seats = BySide::new(SeatSpec::computer(4), SeatSpec::External { name: "An \"engine\" 1".into() });
    let tags = [("Event", "Here"), ("Date", "2024.01.02")].into_iter().collect();
    Record { seats, tags, tree, result, ..Record::new(game, setup) }
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

/// The parts of a record that a format keeps.
#[derive(Clone, Copy, PartialEq)]
enum Kept {
    MainLine,
    /// Also variations and comments.
    Tree,
    /// Also glyphs, times and marks.
    All,
}

/// The parts of a tree that are compared: depth, move and the kept annotations, node by node.
fn shape(record: &Record, kept: Kept) -> Vec<(usize, Option<Action>, String)> {
    let tree = &record.tree;
    let line = || std::iter::once(Tree::ROOT).chain(tree.main_line()).collect::<Vec<_>>();
    let nodes = if kept == Kept::MainLine { line() } else { tree.walk().collect() };
    let told = |notes: Notes| match kept {
        Kept::MainLine => String::new(),
        Kept::Tree => notes.comment.to_owned(),
        Kept::All => {
            format!("{} {:?} {:?} {:?}", notes.comment, notes.glyphs, notes.time_ms, notes.marks)
        }
    };
    nodes.into_iter().map(|id| (tree.depth(id), tree.node(id).action(), told(tree.notes(id)))).collect()
}

fn read(format: Format, bytes: &[u8]) -> Record {
    let shown = || String::from_utf8_lossy(&bytes[..bytes.len().min(3000)]).into_owned();
    let reading = format.read("t", bytes).unwrap_or_else(|error| panic!("{error}\n{}", shown()));
    assert!(reading.refused.is_empty() && reading.remarks.is_empty(), "{:?} {:?}\n{}", reading.refused, reading.remarks, shown());
    assert_eq!(reading.records.len(), 1, "{}", shown());
    reading.records.into_iter().next().unwrap()
}

/// A game with variations, comments and the rest, from a seed.
fn generated(game: &str, variant: Option<&str>, seed: u64, plain: bool) -> Record {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut record = Record::new(game, Setup { variant: variant.map(str::to_owned), position: None });
    let words = ["a good move", "中炮\n过河", "“马”", "x:y; (z) = 1.5", "\"quoted\"", "最后 $1 !?", "5. h2e2 1-0"];
    let comment = |random: &mut fastrand::Rng| {
        let count = random.usize(1..3);
        (0..count).map(|_| random.choice(words).unwrap()).collect::<Vec<_>>().join("\n")
    };
    let size = record.table().unwrap().size();
    let point = |random: &mut fastrand::Rng| Point::new(random.u8(..size.0), random.u8(..size.1));
    let mut nodes = vec![Tree::ROOT];
    for _ in 0..random.usize(1..60) {
        // Usually from the last move, sometimes from an earlier one.
        let at = if random.u8(..4) > 0 { nodes[nodes.len() - 1] } else { nodes[random.usize(..nodes.len())] };
        let mut cursor = record.cursor().unwrap();
        cursor.go(&record.tree, at);
        let actions = cursor.table().actions();
        let Some(action) = random.choice(actions) else { continue };
        let id = record.tree.add(at, action, Origin::Record);
        nodes.push(id);
        let tree = &mut record.tree;
        if random.u8(..3) == 0 && tree.notes(id).comment.is_empty() {
            tree.set_comment(id, &comment(&mut random));
        }
        if plain {
            continue;
        }
        if random.u8(..4) == 0 && tree.notes(id).glyphs.is_empty() {
            tree.set_glyphs(id, &[Glyph(random.u8(1..20))]);
        }
        if random.u8(..3) == 0 {
            tree.set_time(id, Some(random.u64(..10_000_000)));
        }
        if random.u8(..5) == 0 && tree.notes(id).marks.is_empty() {
            let colours = [MarkColour::Green, MarkColour::Red, MarkColour::Blue, MarkColour::Yellow];
            let circle = Mark::Circle { at: point(&mut random), colour: *random.choice(&colours).unwrap() };
            let (from, to) = (Point::new(0, 0), Point::new(1, 2));
            tree.set_marks(id, &[circle, Mark::Arrow { from, to, colour: MarkColour::Green }]);
        }
    }
    if random.bool() {
        record.tree.set_comment(Tree::ROOT, &comment(&mut random));
    }
    record.tags.set("Event", "决赛, \"round\" 3");
    record.tags.set("Date", "2024-05-06");
    record.seats = BySide::new(SeatSpec::External { name: "甲 3,4".into() }, SeatSpec::computer(7));
    record.result = *random.choice(&[None, Some(Outcome::win(Side::Second, Reason::Unstated))]).unwrap();
    record.tree = record.tree.packed();
    record
}

#[test]
fn generated_trees_go_through_every_format_that_can_hold_them() {
    use Format::*;
    let xiangqi = [
        (Ron, Kept::All),
        (Pgn, Kept::All),
        (Xqf, Kept::Tree),
        (DhtmlXq, Kept::Tree),
        (Link, Kept::Tree),
        (Wxf, Kept::MainLine),
        (Lines, Kept::MainLine),
    ];
    let gomoku = [
        (Ron, Kept::All),
        (Pgn, Kept::All),
        (Sgf, Kept::All),
        (Link, Kept::Tree),
        (Psq, Kept::MainLine),
        (Lines, Kept::MainLine),
    ];
    let small = [(Ron, Kept::All), (Pgn, Kept::All), (Link, Kept::Tree)];
    let games: [(&str, Option<&str>, &[(Format, Kept)]); 6] = [
        ("xiangqi", None, &xiangqi),
        ("gomoku", Some("freestyle:15"), &gomoku),
        ("gomoku", Some("renju:15"), &gomoku),
        ("gomoku", Some("standard:20"), &gomoku),
        ("two-eat-one", None, &small),
        ("tic-tac-toe", None, &small),
    ];
    for seed in 0..40 {
        for (game, variant, formats) in games {
            let first = generated(game, variant, seed, false);
            for &(format, kept) in formats {
                let bytes = format.write(std::slice::from_ref(&first), None).unwrap();
                assert_eq!(Format::of(&bytes, None), Some(format), "seed {seed} {}", String::from_utf8_lossy(&bytes));
                let back = read(format, &bytes);
                assert_eq!(
                    shape(&back, kept),
                    shape(&first, kept),
                    "{format:?}, seed {seed}\n{}",
                    String::from_utf8_lossy(&bytes)
                );
                if format != Lines {
                    assert_eq!(back.seats, first.seats, "{format:?}, seed {seed}");
                    assert_eq!(back.tags.get("Event"), first.tags.get("Event"), "{format:?}, seed {seed}");
                }
                if kept == Kept::All && !first.tree.is_empty() && first.result.is_some() {
                    assert_eq!(back.result.map(|result| result.winner), first.result.map(|result| result.winner), "{format:?}");
                }
                if format == Ron {
                    assert_eq!(back, first);
                }
            }
            // Also from each format to each other.
            let pairs = formats.iter().flat_map(|a| formats.iter().map(move |b| (*a, *b)));
            for ((from, kept_from), (to, kept_to)) in pairs.filter(|_| seed < 4) {
                let middle = read(from, &from.write(std::slice::from_ref(&first), None).unwrap());
                let back = read(to, &to.write(std::slice::from_ref(&middle), None).unwrap());
                let kept = match (kept_from, kept_to) {
                    (Kept::MainLine, _) | (_, Kept::MainLine) => Kept::MainLine,
                    (Kept::All, Kept::All) => Kept::All,
                    _ => Kept::Tree,
                };
                assert_eq!(shape(&back, kept), shape(&first, kept), "{from:?} to {to:?}, seed {seed}");
            }
        }
    }
}

#[test]
fn written_records_are_read_back() {
    for format in Format::WRITTEN {
        let mut tried = 0;
        for record in samples() {
            let Ok(bytes) = format.write(std::slice::from_ref(&record), None) else { continue };
            tried += 1;
            let back = read(format, &bytes);
            assert_eq!((&back.game, back.main_actions()), (&record.game, record.main_actions()));
            let end = |record: &Record| record.replay().unwrap().position_text().split(" - - ").next().map(str::to_owned);
            assert_eq!(end(&back), end(&record));
            if format == Format::Ron {
                assert_eq!(back, record);
            }
            if format == Format::Pgn {
                assert_eq!(
                    (&back.setup, &back.seats, &back.tags, back.result),
                    (&record.setup, &record.seats, &record.tags, record.result)
                );
            }
        }
        let expected = match format {
            Format::Ron | Format::Pgn | Format::Link => 6,
            Format::Lines => 4,
            _ => 2,
        };
        assert_eq!(tried, expected, "{format:?}");
    }
}

#[test]
fn many_games_in_one_file() {
    let games = samples();
    for format in [Format::Ron, Format::Pgn] {
        let bytes = format.write(&games, None).unwrap();
        let back = format.read("t", &bytes).unwrap().all().unwrap();
        assert_eq!(back.len(), games.len());
        assert!(back.iter().zip(&games).all(|(a, b)| a.main_actions() == b.main_actions() && a.game == b.game));
    }
    assert!(Format::Psq.write(&games[2..4], None).unwrap_err().to_string().contains("one game"));
}

#[test]
fn lost_parts_are_counted() {
    let record = generated("gomoku", None, 3, false);
    let mut writer = Writer::new(Format::Psq, None, false).unwrap();
    writer.add(&record, &mut Vec::new()).unwrap();
    let told = writer.finish(&mut Vec::new()).unwrap().to_string();
    let (comments, variations) = (record.tree.comments(), record.tree.variations());
    assert!(told.starts_with(&format!("{comments} comment")), "{told}");
    assert!(told.contains(&format!("{variations} variation")) && told.ends_with("psq cannot hold them"), "{told}");
    let mut writer = Writer::new(Format::Ron, None, false).unwrap();
    writer.add(&record, &mut Vec::new()).unwrap();
    assert_eq!(writer.finish(&mut Vec::new()), None);
}

#[test]
fn labels_are_kept_by_sgf_and_counted_by_pgn() {
    let text = b"(;GM[4]SZ[15];B[hh]LB[gg:A][hg:12][aa:x\\:y][bb:a text that is too long for a label];W[hi]L[gg][hg])";
    let mut reading = Format::Sgf.read("t", text).unwrap();
    assert_eq!(reading.remarks[0].why.to_string(), "labels are left out, as a record cannot hold them (1)");
    let record = reading.records.remove(0);
    let line = record.tree.main_line();
    let labels = |node: usize| -> Vec<String> {
        let marks = record.tree.notes(line[node]).marks;
        marks
            .iter()
            .map(|mark| if let Mark::Label { text, .. } = mark { text.as_str().to_owned() } else { String::new() })
            .collect()
    };
    assert_eq!((labels(0), labels(1)), (vec!["A".into(), "12".into(), "x:y".into()], vec!["A".into(), "B".into()]));
    for format in [Format::Sgf, Format::Ron] {
        let mut writer = Writer::new(format, None, false).unwrap();
        let mut bytes = Vec::new();
        writer.add(&record, &mut bytes).unwrap();
        assert_eq!(writer.finish(&mut bytes), None);
        assert_eq!(read(format, &bytes).tree, record.tree, "{}", String::from_utf8_lossy(&bytes));
    }
    let mut writer = Writer::new(Format::Pgn, None, false).unwrap();
    writer.add(&record, &mut Vec::new()).unwrap();
    assert_eq!(writer.finish(&mut Vec::new()).unwrap().to_string(), "5 marks are left out: pgn cannot hold them");
}

#[test]
fn a_file_with_nothing_of_its_format_is_no_game() {
    for format in Format::ALL {
        // The last is a text about formats: it names their words.
        let about = "| ubb | [DhtmlXQ_key]..[/DhtmlXQ_key] | START and }END | <Move value> | Piskvorky |";
        for text in ["", "hello world", "12345", "\u{68CB}", about] {
            let games = format.read("t", text.as_bytes()).map_or(0, |reading| reading.records.len());
            assert_eq!(games, 0, "{text:?} as {}", format.key());
        }
    }
}

/// Lines of Windows and of old Macintoshes, and what DOS put behind a text.
#[test]
fn texts_of_other_systems_are_read_like_ours() {
    let mut tried = 0;
    for record in samples() {
        for format in Format::WRITTEN.into_iter().filter(|format| !format.is_binary()) {
            let Ok(bytes) = format.write(std::slice::from_ref(&record), None) else { continue };
            let text = String::from_utf8(bytes.clone()).unwrap().replace("\r\n", "\n");
            let moves = read(format, &bytes).main_actions();
            for other in [text.replace('\n', "\r\n"), text.replace('\n', "\r"), format!("{text}\u{1A}"), format!("{text}\0\0\0")]
            {
                assert_eq!(Format::of(other.as_bytes(), None), Format::of(&bytes, None), "{other:?}");
                assert_eq!(read(format, other.as_bytes()).main_actions(), moves, "{other:?}");
                tried += 1;
            }
        }
    }
    assert!(tried >= 4 * 20, "{tried}");
}

#[test]
fn every_notation_of_xiangqi_in_pgn() {
    let game = &samples()[..1];
    for (notation, sign) in
        [(Notation::Chinese, "炮二平五"), (Notation::Wxf, "C2=5"), (Notation::Iccs, "H2-E2"), (Notation::Uci, "h2e2")]
    {
        let bytes = Format::Pgn.write(game, Some(notation)).unwrap();
        assert!(String::from_utf8_lossy(&bytes).contains(sign));
        assert_eq!(read(Format::Pgn, &bytes).main_actions(), game[0].main_actions());
    }
    assert!(
        Format::Pgn
            .write(&samples()[2..3], Some(Notation::Chinese))
            .unwrap_err()
            .to_string()
            .contains("not written in 'chinese'")
    );
    assert!(Format::Psq.write(&samples()[2..3], Some(Notation::Uci)).is_err());
    let mut writer = Writer::new(Format::Pgn, Some(Notation::Chinese), true).unwrap();
    let mut out = Vec::new();
    writer.add(&game[0], &mut out).unwrap();
    assert!(std::str::from_utf8(&out).is_err());
    assert_eq!(read(Format::Pgn, &out).main_actions(), game[0].main_actions());
}

/// Text, and the moves of the main lines or the beginning of the error.
const DIALECTS: &[(&str, Result<&str, &str>)] = &[
    // Portable game notation.
    (
        "[Game \"Chinese Chess\"]\n[Red \"甲\"]\n[Result \"1-0\"]\n\n1.炮二平五 {中炮\n} 马8进7\n2. 马二进三 (2. 兵三进一 卒3进1) 车9平8 $1 ; so\n1-0\n",
        Ok("h2e2 h9g7 h0g2 i9h9"),
    ),
    ("[Event \"?\"]\n1. H2-E2 H9-G7 *\n", Ok("h2e2 h9g7")),
    ("[Event \"?\"]\n1. C2.5 H8+7 1/2-1/2\n", Ok("h2e2 h9g7")),
    ("[Red \"a\"]\n1. Ｃ２＝５ Ｈ８＋７ *\n====\nread on our site\n", Ok("h2e2 h9g7")),
    ("[Red \"a\"]\r\r\n 1. 炮二平五\r\r\n    馬８進７\r\r\n 2. 傌二進三！\r\r\n", Ok("h2e2 h9g7 h0g2")),
    ("[Variant \"XiangQi\"]\n1. Che2 Hg7 {+0,1/2} 2. Hg2 Ri8 3. c4 Rf8\n", Ok("h2e2 h9g7 h0g2 i9i8 c3c4 i8f8")),
    ("[Variant \"xiangqi\"]\n1. Che3 Hg8 2. Pc5 Pg6 3. Rhi2 *\n", Err("t:2: move 5: ")),
    ("[Variant \"xiangqi\"]\n1. Che3 Hg8 2. Pc5 Pg6 3. Hg3 Rh10 *\n", Ok("h2e2 h9g7 c3c4 g6g5 h0g2 i9h9")),
    ("[Event \"x\"]\n1. h3e3 h10g8 2. h1g3 *\n", Ok("h2e2 h9g7 h0g2")),
    ("[Red \"a\nb\"]\n[Black \"c\"]\n1. h2e2 *", Ok("h2e2")),
    ("[Red \"1\"]\n1. h2e2 *\n\n1. c3c4 *\n[Red \"2\"]\n1. g3g4", Ok("h2e2 | c3c4 | g3g4")),
    ("[FEN \"4k4/9/9/9/9/9/9/9/4R4/3K5\"]\n1. e9f9 e1e0 *", Ok("e9f9 e1e0")),
    ("[FEN \"4k4/9/9/9/9/9/9/9/4R4/3K5 b\"]\n1... e9f9 *", Ok("e9f9")),
    ("{before} [Red \"x\"]\n1. {c} h2e2 (1. c3c4 (1. g3g4 c6c5) c6c5) h9g7 *", Ok("h2e2 h9g7")),
    (
        "[FEN_INDEX \"1\"]\n[FEN \"4k4/9/9/9/9/9/9/9/R8/3K5 w\"]\n\n[FEN_INDEX \"2\"]\n[FEN \"3k5/9/9/9/9/9/9/9/R8/4K4 b\"]\n",
        Ok(" | "),
    ),
    (
        "[Red \"a\"]\n1. a0a1 a9a8 2. a1a0 a8a9 3. a0a1 a9a8 4. a1a0 a8a9 5. a0a1 a9a8 6. a1a0 a8a9 7. a0a1 1-0",
        Ok("a0a1 a9a8 a1a0 a8a9 a0a1 a9a8 a1a0 a8a9 a0a1 a9a8 a1a0 a8a9 a0a1"),
    ),
    ("[Event \"?\"]\n\n1. h2e2 h2e2\n", Err("t:3: move 2: ")),
    ("[Red \"?\"]\n{ no end\n", Err("t:2: a comment ")),
    ("[Red \"?\"]\n1. h2e2 ( no end\n", Err("t:2: a variation ")),
    ("[Game \"Go\"]\n1. e2e4\n", Err("t:1: there is no game 'Go'")),
    ("[Event \"e\"]\n1. e4 e5 2. Nf3 *\n", Err("t:2: move 1: these are moves of chess")),
    ("[Event \"e\"]\n*\n", Err("t:1: there is no move")),
    ("[FEN \"9/9 w\"]\n1. e2e4\n", Err("t:1: position, character ")),
    // The gomoku manager's.
    ("Piskvorky 15x15, 11:11, 0\r\n8,8,0\r\n9,7,1020\r\nC:\\brains\\a.zip\r\nb.exe\r\n-1\r\n4,Renju_1\r\n", Ok("h8 i9")),
    ("Piskvorky 15x15, 0:0, 0\n8,8\n1,1\na\nb\n0\n", Ok("h8 a15")),
    ("Piskvorky 15x15, 0:0, 0\n8,8,0\n8,8,0\n", Err("t:3: move 2: ")),
    ("Piskvorky 15x15, 0:0, 0\n0,8,0\n", Err("t:2: move 1: ")),
    ("Piskvorky 15x15, 0:0, 0\n8,8,0\n10;10,0\n7,7,0\n-1\n0,x\n", Err("t:3: ")),
    ("Piskvorky 20x20, 0:0, 0\n-9223372036854775808,13,17\n", Err("t:2: move 1: ")),
    ("Piskvorky 20x20, 0:0, 0\n99999999999999999999,13,17\n", Err("t:2: move 1: ")),
    ("Piskvorky 17x17, 0:0, 0\n8,8,0\n", Err("t:1: ")),
    ("Piskvorky\n", Err("t:1: ")),
    // Smart game format.
    ("(;FF[4]GM[4]SZ[15]PB[a\\]b]RE[B+R]\n;B[hh]C[so ; ( \\] ]\n;W[I9](;B[gi];W[aa])(;B[oo]))\n", Ok("h8 i9 g7 a15")),
    ("(;B[ao])(;B[oa])", Ok("a1 | o15")),
    ("(;GM[1]SZ[15]CA[gb2312](;B[hh])(;B[gg];W[hh]))", Ok("h8")),
    ("(;\nGM[5]FF[4]\n;B[hh];W[hg]\n;)", Ok("h8 h9")),
    ("(;FF[3]GaMe[4]SiZe[15];Black[hh];White[ii])", Ok("h8 i7")),
    ("(;GM[4]SZ[15];B[hh];W[])", Ok("h8")),
    ("(;GM[4]SZ[15];B[hh];W[];B[ii])", Err("t:1: move 2: ")),
    ("(;GM[4]AB[hh][hi]AW[gg]PL[W];W[aa])", Ok("a15")),
    ("(;GM[1]SZ[19];B[hh])", Err("t:1: GM[1] ")),
    ("(;B[hh]\n;B[hi])", Err("t:2: move 2: ")),
    ("(;B[hh]\n;W[hh])", Err("t:2: ")),
    ("(;B[pp])", Err("t:1: move 1: ")),
    ("(;B[hh]", Ok("h8")),
    ("(;B[hh](;W[ii];B[aa])(;W[jj]", Ok("h8 i7 a15")),
    ("(GM[4]SZ[15];B[hh])", Ok("h8")),
    ("(GM[4]SZ[15];B[hh];W[hh])", Err("t:1: move 2: W[hh]")),
    ("(;SZ[17];B[hh])", Err("t:1: ")),
    // Lines and free text.
    ("# c\n15 4 h8i9g7 source\n", Ok("h8 i9 g7")),
    ("15 3 h8\n", Err("t:1: there is no rule 3")),
    ("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w ; moves h2e2 h9g7\n", Ok("h2e2 h9g7")),
    ("1. C2=6 h8+7\n2. H2+3 r9=8\n", Ok("h2d2 h9g7 h0g2 i9h9")),
    ("红方：甲\n黑方：乙\n  1. 炮二平五 马８进７\n  2. 马二进三\n", Ok("h2e2 h9g7 h0g2")),
    ("h2e2 h9g7 h0g2", Ok("h2e2 h9g7 h0g2")),
    ("h2e2h9g7h0g2", Ok("h2e2 h9g7 h0g2")),
    ("炮二平五，马８进７，马二进三", Ok("h2e2 h9g7 h0g2")),
    ("https://example.org/board?fen=4k4/9/9/9/9/9/9/9/R8/3K5%20w&moves=a1a2,e9f9", Ok("a1a2 e9f9")),
    ("https://example.org/4k4/9/9/9/9/9/9/9/4R4/3K5_b", Ok("")),
    ("4k4/9/9/9/9/9/9/9/R8/3K5 w", Ok("")),
    ("h8 i9 g7 a15", Ok("h8 i9 g7 a15")),
    ("1. h8 i9 2. g7", Ok("h8 i9 g7")),
    ("....x.... o", Ok("")),
    // A position, then moves in any notation.
    ("3ak4/9/4b4/9/4N4/9/9/4B4/4A4/4KA3 w\n马五进七\n将５平６\n马七退六\n", Ok("e5c6 e9f9 c6d4")),
    ("3ak4/9/4b4/9/4N4/9/9/4B4/4A4/4KA3 w\n1. H5+7 K5=6 2. c6d4+\n", Ok("e5c6 e9f9 c6d4")),
    ("3ak4/9/4b4/9/4N4/9/9/4B4/4A4/4KA3\ne5d7 e9f9\nd7e5 1-0", Ok("e5d7 e9f9 d7e5")),
    ("15 4\nh8 i9\ng7\n", Ok("h8 i9 g7")),
    ("....x.... o\n1. a1 c3\n2. a3 *\n", Ok("a1 c3 a3")),
    ("15 0 h8i9\nsome words\nmore words\n", Ok("h8 i9")),
    // Signs behind moves, lines with %, numbers that are no glyphs, words about the position.
    ("[Red \"a\"]\n1. h2e2+ H9-G7# 2. 马二进三+!? R9=8!+ $300 +- 1-0", Ok("h2e2 h9g7 h0g2 i9h9")),
    ("[Red \"a\"]\n% one\n1. h2e2 h9g7\n%two\n2. h0g2 *", Ok("h2e2 h9g7 h0g2")),
    ("[Event \"x\"]\n1. h3e3+ h10g8 2. h1g3! *\n", Ok("h2e2 h9g7 h0g2")),
    // An unclosed comment ends where the next game begins, also if that has a comment.
    ("[Red \"1\"]\n1. h2e2 {open\n\n[Red \"2\"]\n1. c3c4 {closed} *\n", Ok("h2e2 | c3c4")),
    ("nothing of a game", Err("t:1: ")),
    ("", Err("t:1: ")),
    // The federation's.
    (
        "FORMAT\tWXF\nRED\ta;;;\nFEN\trheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR r\nSTART{\n 1. C2.5 h8+7 !2. H2+3!? r9.8 }END\n",
        Ok("h2e2 h9g7 h0g2 i9h9"),
    ),
    ("FORMAT WXF\nSTART{\n1. C2.5\nH9+7\n}END", Err("t:4: move 2: ")),
    (
        "FORMAT\tWXF\nFEN\t3k5/9/2P3P2/2P3P2/6P2/9/9/9/9/4K4 r\nSTART{\n1. 3+.4  K4+1\n2. 33.4  K4-1\n3. 7-.6  K4+1\n}END\n",
        Ok("g7f7 d9d8 g6f6 d8d9 c6d6 d9d8"),
    ),
    ("FORMAT\tWXF\nFEN\t3k5/9/6P2/6P2/6P2/9/9/9/9/4K4 r\nSTART{\n1. P3.4  K4+1\n}END\n", Ok("g6f6 d9d8")),
    // The forums' code, digits alone, and lists of numbers.
    (
        "[DhtmlXQ]\n[DhtmlXQ_movelist]774770627967[/DhtmlXQ_movelist][DhtmlXQ_move_0_3_1]8967[/DhtmlXQ_x]\n[DhtmlXQ_comment3]c[/DhtmlXQ_comment3]\n[/DhtmlXQ]",
        Ok("h2e2 h9g7 h0g2"),
    ),
    ("[DhtmlXQ_movelist]7747706[/DhtmlXQ_movelist]", Err("t:1: move 2: ")),
    ("774770627967", Ok("h2e2 h9g7 h0g2")),
    ("724279677062", Ok("h2e2 h9g7 h0g2")),
    ("1 2 1 1 1 2 7 2 4 0 0 0\n1 1 0 9 7 7 6 0 0 0", Ok("h2e2 h9g7")),
    ("1 2 1 1 1 2 7 2 4 0 0 0\n1 1 0 9 7 7 7 0 0 0", Err("t:2: move 2: ")),
    // XML.
    (
        "<?xml version=\"1.0\"?><ChineseChessRecord><Head><Name>n &amp; m</Name><FEN/></Head><MoveList><Move value=\"00-00\"/>\n<Move value=\"77-47\" branch=\"1\"><![CDATA[c]]></Move><Move value=\"70-62\" end=\"1\"/><Move value=\"27-47\" end=\"1\"/></MoveList></ChineseChessRecord>",
        Ok("h2e2 h9g7"),
    ),
    (
        "<n m=\"4k4/9/9/9/9/9/9/9/R8/3K5 w\"><n m=\"a1a2\" c=\"c\"><n m=\"e9f9\"/></n><n m=\"a1a3\" default=\"1\"/></n>",
        Ok("a1a3"),
    ),
    (
        "<database><players><player id=\"1\" name=\"A\" surname=\"B\"/></players><rules><rule id=\"1\" name=\"RIF\"/></rules><games><game black=\"1\" white=\"2\" rule=\"1\" bresult=\"0.5\"><move>h8 i9 j8</move></game></games></database>",
        Ok("h8 i9 j8"),
    ),
    // A position drawn with letters.
    ("version: '1'\nsetup: [\n [[], [], [], [], [k]],\n [],[],[],[],[],[],[],\n [[R, a+1+0], []],\n [[],[],[],[K]] ]\n", Ok("")),
];

#[test]
fn dialects_are_read() {
    for (text, expected) in DIALECTS {
        let read = crate::record::read("t", text.as_bytes(), None);
        match (read, expected) {
            (Ok(reading), Ok(moves)) => {
                let lines: Vec<String> = reading.records.iter().map(|record| record.moves(Notation::Uci).join(" ")).collect();
                assert_eq!(lines.join(" | "), *moves, "{text}\n{:?}", reading.refused);
            }
            (Err(error), Err(words)) => assert!(error.to_string().starts_with(words), "{text}: {error}"),
            (other, _) => panic!("{text}: {other:?}"),
        }
    }
}

#[test]
fn pasted_text_is_recognised() {
    assert_eq!(recognise("h2e2 h9g7".as_bytes()).unwrap().records[0].game, "xiangqi");
    assert_eq!(recognise("h8 i9 g7".as_bytes()).unwrap().records[0].game, "gomoku");
    assert_eq!(recognise(b"....x.... o").unwrap().records[0].game, "tic-tac-toe");
    assert_eq!(recognise(b"0,0-1,0 4,0-3,0").unwrap().records[0].game, "two-eat-one");
    assert!(recognise(b"see you tomorrow").is_err());
}

#[test]
fn a_bad_game_does_not_spoil_the_others() {
    let text = "[Red \"1\"]\n1. h2e2 h9g7 *\n\n[Red \"2\"]\n1. h2e2 h2e2 *\n\n[Red \"3\"]\n1. c3c4 (1. a0a9) *\n";
    let reading = crate::record::read("t", text.as_bytes(), None).unwrap();
    assert_eq!(reading.records.len(), 2);
    assert_eq!(place(&reading.refused[0].fault).split(" '").next(), Some("5: game 2: move 2:"));
    assert_eq!(place(&reading.remarks[0]).split(" '").next(), Some("8: game 3: move 1:"));
}

/// In every format with many games in a file, wherever the second of three has its error.
#[test]
fn the_games_after_a_bad_one_are_read() {
    let sgf = |bad: &str| format!("(;GM[4]SZ[15];B[hh];W[ii])\n{bad}\n(;GM[4]SZ[15];B[aa];W[bb])\n");
    let written = Format::Ron.write(&samples(), None).unwrap();
    let lines: Vec<&str> = std::str::from_utf8(&written).unwrap().lines().filter(|line| !line.is_empty()).collect();
    let ron = |bad: &str| format!("{}\n{bad}\n{}\n", lines[0], lines[1]);
    let files = [
        // The last move, a move in the middle, a variation, a tree that is not closed, an unexpected character, an
        // unknown board.
        (Format::Sgf, sgf("(;GM[4]SZ[15];B[hh];W[hh])")),
        (Format::Sgf, sgf("(;GM[4]SZ[15];B[hh];W[hh];B[cc])")),
        (Format::Sgf, sgf("(;GM[4]SZ[15];B[hh];W[hh](;B[cc])(;B[dd]))")),
        (Format::Sgf, sgf("(;GM[4]SZ[15];B[hh];W[zz](;B[cc])")),
        (Format::Sgf, sgf("(;GM[4]SZ[15];B[hh]%;W[cc])")),
        (Format::Sgf, sgf("(;GM[4]SZ[99];B[hh])")),
        (Format::Ron, ron(&lines[2][..lines[2].len() / 2])),
        (Format::Ron, ron(&lines[2].replace("gomoku", "chess"))),
        (Format::Lines, "15 0 h8i9\n15 0 h8h8\n15 0 a1b2\n".to_owned()),
        (Format::Wxf, "RED 1\nSTART{\n1. C2=5 h8+7\n}END\nSTART{\n1. C2=5 K5+9\n}END\nSTART{\n1. P3+1\n}END\n".to_owned()),
        (
            Format::DhtmlXq,
            ["7747", "7757\n8967", "7967"]
                .map(|moves| format!("[DhtmlXQ]\n[DhtmlXQ_movelist]{moves}[/DhtmlXQ_movelist]\n"))
                .concat(),
        ),
    ];
    for (format, text) in files {
        let (mut games, mut refused) = (0, Vec::new());
        format.each(text.as_bytes(), &mut |found| {
            match found {
                ReadItem::Game(_) => games += 1,
                ReadItem::Refused(fault) => refused.push(place(&fault.fault)),
                ReadItem::Remark(_) => {}
            }
            true
        });
        assert_eq!((games, refused.len()), (2, 1), "{format:?}: {refused:?}\n{text}");
        assert!(refused[0].contains("game 2"), "{refused:?}\n{text}");
    }
}

/// Two files one behind the other are two games, or what is not read is told.
#[test]
fn no_game_of_a_file_is_lost_in_silence() {
    let lost = |format: &Format| {
        let game = samples().into_iter().find_map(|record| format.write(std::slice::from_ref(&record), None).ok()).unwrap();
        let twice = [game.clone(), b"\n".to_vec(), game].concat();
        let silent = |reading: Reading| reading.records.len() < 2 && reading.refused.is_empty() && reading.remarks.is_empty();
        format.read("t", &twice).is_ok_and(silent)
    };
    let lost: Vec<Format> = Format::WRITTEN.into_iter().filter(|format| !format.is_binary() && lost(format)).collect();
    assert_eq!(lost, []);
}

/// A fault with its place, without the name of the file.
fn place(fault: &Fault) -> String {
    fault.in_file("").to_string().trim_start_matches(':').to_owned()
}

/// What a reader tells of a file, without the games.
fn remarks(text: &str) -> Vec<String> {
    let reading = crate::record::read("t", text.as_bytes(), None).unwrap();
    reading.refused.iter().map(|refused| &refused.fault).chain(&reading.remarks).map(place).collect()
}

#[test]
fn what_is_left_out_or_repaired_is_told_once() {
    let percent = "[Red \"a\"]\n% one\n1. h2e2\n% two\n% three\n h9g7 *";
    assert_eq!(remarks(percent), ["2: a line that begins with % is left out (2 more)"]);
    let lines = format!("15 0 h8i9\n{}", "no moves\n".repeat(112));
    assert_eq!(
        remarks(&lines),
        ["2: game 2: a line must be 'FEN ; moves M M ..' or 'SIZE RULE MOVES'; 111 more lines are not, either"]
    );
    assert_eq!(remarks("(;B[hh]"), ["1: the game's tree is not closed: ) is missing"]);
    let open = "[Red \"1\"]\n1. h2e2 {open\n\n[Red \"2\"]\n1. c3c4 *\n";
    assert_eq!(remarks(open), ["2: game 1: a comment is not closed; it ends where the next game begins"]);
    let result = "[Red \"1\"]\n[Result \"1-0\"]\n1. h2e2 0-1";
    assert_eq!(remarks(result), ["2: the result here is 1-0, but behind the moves 0-1, which is used"]);
    assert_eq!(
        remarks("RESULT\t1-0\nSTART{\n1. C2=5 0-1\n}END"),
        ["1: the result here is 1-0, but behind the moves 0-1, which is used"]
    );
    // A name that fits two pieces, where the rest of the game does not say which is meant.
    let doubled = "[FEN \"3k5/9/6P2/6P2/9/9/9/9/9/4K4 w\"]\n1. P3.4 *";
    assert_eq!(remarks(doubled), ["2: move 1: 'P3.4' may also be g6f6"]);
    assert_eq!(remarks("(;GM[4]SZ[15]LN[aa:bb];B[hh])"), ["1: lines are left out, as a record cannot hold them (1)"]);
}

#[test]
fn words_of_other_programs_are_kept() {
    let game = |end: &str| read(Format::Pgn, format!("[Red \"a\"]\n{end}").as_bytes());
    let reason = |word: &str| game(&format!("[Termination \"{word}\"]\n1. h2e2 1-0"));
    for (word, expected) in [
        ("time forfeit", Reason::Time),
        ("perpetual chase", Reason::PerpetualChase),
        ("Resignation", Reason::Resignation),
        ("超时", Reason::Time),
    ] {
        let record = reason(word);
        assert_eq!((record.result, record.tags.get("Termination")), (Some(Outcome::win(Side::First, expected)), None), "{word}");
    }
    let record = reason("rules infraction");
    assert_eq!(record.result, Some(Outcome::win(Side::First, Reason::Unstated)));
    assert_eq!(record.tags.get("Termination"), Some("rules infraction"));
    let bytes = Format::Pgn.write(std::slice::from_ref(&record), None).unwrap();
    assert_eq!(String::from_utf8_lossy(&bytes).matches("Termination").count(), 1);
    assert_eq!(read(Format::Pgn, &bytes).tags, record.tags);
    let record = game("1. h2e2 $146 $9999 h9g7 ± 1-0 {a comment behind the result}\nand other words {not kept}\n");
    let notes = |ply: usize| record.tree.notes(record.tree.main_line()[ply]);
    assert_eq!((notes(0).glyphs, notes(0).comment), (&[Glyph(146)][..], "$9999"));
    assert_eq!((notes(1).glyphs, notes(1).comment), (&[Glyph(16)][..], "a comment behind the result"));
}

/// A file, the number of moves before its damage, and the beginning of the error.
#[test]
fn what_stands_before_a_damaged_place_is_offered() {
    let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";
    let ron = Format::Ron.write(&samples()[2..3], None).unwrap();
    let ron = String::from_utf8(ron).unwrap();
    let cut = &ron[..ron.find("\"g7\"").unwrap() + 3];
    let cases: &[(&str, usize, &str)] = &[
        ("[Red \"a\"]\n1. h2e2 h9g7 2. h0g2 h2h3 3. c3c4 *", 3, "t:2: move 4: "),
        ("[Red \"a\"]\n1. h2e2 h9g7 {no end", 2, "t:2: a comment "),
        ("[Red \"a\"]\n1. h2e2 h9g7 (1... c6c5 ", 2, "t:2: a variation "),
        ("(;SZ[15];B[hh];W[ii];B[hh])", 2, "t:1: move 3: "),
        ("(;SZ[15];B[hh];W[ii];B[j", 2, "t:1: the value of B "),
        ("Piskvorky 15x15, 0:0, 0\n8,8,0\n10,10,0\n11;3,0\n", 2, "t:4: "),
        ("15 0 h8i9h8", 2, "t:1: move 3: "),
        (&format!("{start} ; moves h2e2 h2e2"), 1, "t:1: move 2: "),
        ("1. 炮二平五 马8进7\n2. 炮二平五", 2, "t:2: move 3: "),
        ("START{\n1. C2=5 h8+7\n2. H2+9 }END", 2, "t:3: move 3: "),
        ("[DhtmlXQ_movelist]77477062796[/DhtmlXQ_movelist]", 2, "t:1: move 3: "),
        ("7747706200006277", 2, "t:1: move 3: "),
        ("1 3 1 1 1 2 7 2 4 0 0 0\n1 1 0 9 7 7 6 0 0 0 1", 2, "t:2: move 3: "),
        ("<n m=\"4k4/9/9/9/9/9/9/9/R8/3K5 w\"><n m=\"a1a2\"><n m=\"a1a9\"/></n></n>", 1, "t:1: move 2: "),
        (
            "<ChineseChessRecord><Move value=\"00-00\"/><Move value=\"77-47\"/><Move value=\"77-47\" end=\"1\"/></ChineseChessRecord>",
            1,
            "t:1: move 2: ",
        ),
        ("<database><game rule=\"1\"><move>h8 i9 h8</move></game></database>", 2, "t:1: move 3: "),
        (cut, 2, "t:"),
    ];
    for (text, moves, words) in cases {
        let Err(crate::record::RecordError::Bad { file, refused }) = crate::record::read("t", text.as_bytes(), None) else {
            panic!("{text} is not refused");
        };
        assert!(refused.fault.in_file(&file).to_string().starts_with(words), "{text}: {refused:?}");
        let before = refused.before.clone().unwrap_or_else(|| panic!("{text}: nothing before"));
        let end = before.tree.main_line();
        assert_eq!(end.len(), *moves, "{text}");
        let remark = refused.fault.remark().to_string();
        assert!(remark.starts_with("the file is damaged here; line"), "{text}: {remark}");
        assert!(before.replay().is_ok());
    }
    // Binary files that are cut off. The last bytes of some of them mean nothing.
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/records");
    for (name, cut) in [("encrypted_11.xqf", 40), ("two_moves.ccm", 1), ("three_stones.pos", 1), ("renlib_headerless.lib", 1)] {
        let bytes = std::fs::read(folder.join(name)).unwrap();
        let refused = crate::record::read(name, &bytes[..bytes.len() - cut], name.split('.').next_back());
        let Err(crate::record::RecordError::Bad { refused, .. }) = refused else { panic!("{name} is not refused") };
        assert!(refused.before.is_some(), "{name}: {refused:?}");
    }
}

#[test]
fn an_error_speaks_of_the_format_of_the_file() {
    // The text and the extension. The names of our own format's parts say nothing to the reader of another.
    let cases = [
        ("(;GM[4]SZ[15", "sgf"),
        ("(GM[4]SZ[15", "sgf"),
        ("GM[4]SZ[15];B[hh])", "sgf"),
        ("(\u{1}\u{2}", "sgf"),
        ("(garbage", "xqf"),
        ("(game:\"gomoku\",moves:[", "ron"),
        ("(moves:[])", "ron"),
    ];
    for (text, ending) in cases {
        let error = crate::record::read("t", text.as_bytes(), Some(ending)).unwrap_err().to_string();
        assert!(!error.contains("Paper") && (ending == "ron" || !error.contains("field")), "{text}: {error}");
    }
}

#[test]
fn a_position_that_cannot_be_played_is_handed_on() {
    // Black's general stands in check while Red is to move.
    let fen = "4k4/9/9/9/4R4/9/9/9/9/3K5 w";
    let mut xqf = Format::Xqf.write(&[Record::new("xiangqi", Setup::default())], None).unwrap();
    xqf[16..48].fill(0xFF);
    (xqf[16], xqf[20], xqf[36]) = (45, 30, 49);
    for bytes in [xqf, fen.as_bytes().to_vec(), format!("[FEN \"{fen}\"]\n*").into_bytes()] {
        let Err(crate::record::RecordError::Bad { refused, .. }) = crate::record::read("t", &bytes, None) else { panic!() };
        let (game, setup) = refused.setup.clone().unwrap_or_else(|| panic!("{refused:?}"));
        assert_eq!(game, "xiangqi");
        assert!(setup.position.unwrap().starts_with("4k4/9/9/9/4R4/9/9/9/9/3K5 w"), "{refused:?}");
    }
}

#[test]
fn libraries_of_renlib_keep_what_they_hold() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/records");
    let file = |name: &str| std::fs::read(folder.join(name)).unwrap();
    let board = read(Format::RenLib, &file("renlib_board_text.lib"));
    let second = board.tree.main_line()[1];
    let labels: Vec<String> = board.tree.notes(second).marks.iter().map(|mark| format!("{mark:?}")).collect();
    assert!(labels.len() == 2 && labels[0].contains("\"A\"") && labels[1].contains("\"B\""), "{labels:?}");
    let old = read(Format::RenLib, &file("renlib_old_comment.lib"));
    let line = old.tree.main_line();
    assert_eq!((old.tree.notes(line[0]).comment, old.tree.notes(line[2]).comment), ("old text", "odd"));
    // A node that is no move, and passes: one that ends a line, and one with moves behind it.
    let library = |nodes: &[u8]| [&b"\xFFRenLib\xFF\x03\0"[..], &[0xFF; 10], nodes].concat();
    let pause = library(&[0x00, 0x02, 0x78, 0x00, 0x69, 0x0A, b'c', 0, 0x7A, 0x40]);
    let record = read(Format::RenLib, &pause);
    assert_eq!((record.moves(Notation::Uci).join(" "), record.tree.comments()), ("h8 j8".to_owned(), 1));
    let told = |nodes: &[u8]| crate::record::read("t", &library(nodes), None).map(|reading| reading.remarks[0].why.clone());
    assert!(told(&[0x78, 0x00, 0x00, 0x40]).unwrap().to_string().contains("pass"));
    let passed = told(&[0x78, 0x00, 0x00, 0x00, 0x69, 0x40]).unwrap_err().to_string();
    assert!(passed.contains("byte 22") && passed.contains("move 2: a pass") && !passed.contains("square"), "{passed}");
    let long = library(&[0x78, 0x00, 0x7A, 0x41, 0, 1, b'a', b'b', b'c', b'd', b'\x01', b'f', 0, 0]);
    assert!(crate::record::read("t", &long, None).unwrap().remarks[0].why.to_string().contains("on the board is left out"));
}

/// A game whose last move is illegal, the players and a tag that are kept.
#[test]
fn names_and_tags_are_kept_where_moves_are_damaged() {
    let pgn = "[Event \"cup\"]\n[Date \"2020.01.02\"]\n[Red \"r\"]\n[Black \"b\"]\n1. h2e2 h2e2 *";
    let psq = "Piskvorky 15x15, 0:0, 0\n8,8,0\n8,8,0\nr\nb\n0\n-1\n0,cup\n";
    let rif = "<database><players><player id=\"1\" name=\"r\"/><player id=\"2\" name=\"b\"/></players>\
        <tournaments><tournament id=\"3\" name=\"cup\"/></tournaments>\
        <game rule=\"1\" black=\"1\" white=\"2\" tournament=\"3\"><move>h8 h8</move></game></database>";
    for text in [pgn, psq, rif] {
        let Err(crate::record::RecordError::Bad { refused, .. }) = crate::record::read("t", text.as_bytes(), None) else {
            panic!("{text} is not refused");
        };
        let before = refused.before.unwrap();
        assert_eq!(before.plies(), 1, "{text}");
        let names = [&before.seats.first, &before.seats.second].map(|seat| seat.to_string());
        assert_eq!((names, before.tags.get("Event")), (["r".to_owned(), "b".to_owned()], Some("cup")), "{text}");
        assert!(text != pgn || before.tags.get("Date") == Some("2020.01.02"));
    }
}

#[test]
fn files_that_are_cut_between_two_moves_are_told() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/records");
    let file = |name: &str| std::fs::read(folder.join(name)).unwrap();
    // Without the last word, `Ends` after its length; and without the last move and the empty entry. The number of moves that are read.
    for (name, cut, plies) in [("two_moves.mxq", 5, 2), ("two_moves.chn", 72, 1)] {
        let bytes = file(name);
        let ending = name.split('.').next_back();
        let whole = crate::record::read(name, &bytes, ending).unwrap();
        assert!(whole.remarks.is_empty() && whole.records[0].plies() == 2, "{name}: {:?}", whole.remarks);
        let reading = crate::record::read(name, &bytes[..bytes.len() - cut], ending).unwrap();
        assert_eq!(reading.records[0].plies(), plies, "{name}");
        assert_eq!(reading.remarks.len(), 1, "{name}");
    }
}

#[test]
fn results_are_not_invented() {
    let read = |text: &str| read(Format::Pgn, text.as_bytes()).result;
    assert_eq!(read("[Red \"a\"]\n1. h2e2 1-0"), Some(Outcome::win(Side::First, Reason::Unstated)));
    assert_eq!(read("[Red \"a\"]\n[Termination \"time\"]\n1. h2e2 0-1"), Some(Outcome::win(Side::Second, Reason::Time)));
    assert_eq!(read("[Red \"a\"]\n[Result \"和棋\"]\n1. h2e2"), Some(Outcome::draw(Reason::Unstated)));
    assert_eq!(read("[Red \"a\"]\n1. h2e2 *"), None);
    assert_eq!(read("[FEN \"3k5/R8/9/9/9/9/9/9/1R7/4K4 w\"]\n1. b1b9 *"), Some(Outcome::win(Side::First, Reason::Checkmate)));
}

#[test]
fn a_hundred_thousand_nested_variations_need_no_stack() {
    let mut text = String::from("[Red \"a\"]\n1. a0a1 a9a8 2. a1a0 a8a9");
    let moves = ["a0a1", "a9a8", "a1a0", "a8a9"];
    for depth in 0..100_000usize {
        // Each variation starts at the last move of the one before and is one move longer.
        text.push_str(" (");
        text.push_str(moves[(depth + 3) % 4]);
        text.push(' ');
        text.push_str(moves[depth % 4]);
    }
    text.push_str(&")".repeat(100_000));
    let record = read(Format::Pgn, text.as_bytes());
    assert!(record.tree.len() > 100_000);
    let bytes = Format::Pgn.write(std::slice::from_ref(&record), None).unwrap();
    assert_eq!(read(Format::Pgn, &bytes).tree.len(), record.tree.len());
    let ron = Format::Ron.write(std::slice::from_ref(&record), None).unwrap();
    assert_eq!(read(Format::Ron, &ron).tree.len(), record.tree.len());
    let sgf = format!("(;GM[4]SZ[15]{};B[hh]{})", "(".repeat(100_000), ")".repeat(100_000));
    assert_eq!(read(Format::Sgf, sgf.as_bytes()).plies(), 1);
}

#[test]
fn an_encrypted_xqf_is_read() {
    let plain = Format::Xqf.write(&[generated("xiangqi", None, 11, true)], None).unwrap();
    let first = read(Format::Xqf, &plain);
    for version in [11, 12, 18] {
        let bytes = encrypted(&plain, version, [0x37, 0x5A, 0xC3, 0x81], [3, 5, 7, 9], 0xB7);
        let back = read(Format::Xqf, &bytes);
        assert_eq!(shape(&back, Kept::Tree), shape(&first, Kept::Tree), "version {version}");
        assert_eq!(back.seats, first.seats);
    }
}

/// Encrypts a file as later versions do.
fn encrypted(plain: &[u8], version: u8, keys: [u8; 4], or: [u8; 4], mask: u8) -> Vec<u8> {
    let mut out = plain[..1024].to_vec();
    out[2] = version;
    out[3] = mask;
    out[8..12].copy_from_slice(&or);
    out[12..16].copy_from_slice(&keys);
    let spread = |key: u8| key.wrapping_mul(key).wrapping_mul(54).wrapping_add(221);
    let pieces = spread(keys[1]).wrapping_mul(keys[1]);
    let from = spread(keys[2]).wrapping_mul(pieces);
    let to = spread(keys[3]).wrapping_mul(from);
    let extra = (u32::from(keys[0]) * 256 + u32::from(keys[1])) % 32000 + 767;
    for index in 0..32usize {
        let piece = if version >= 12 { (usize::from(pieces) + index + 1) % 32 } else { index };
        out[16 + index] = plain[16 + piece].wrapping_add(pieces);
    }
    let letters = b"[(C) Copyright Mr. Dong Shiwei.]";
    let mut at = 1024;
    let push = |out: &mut Vec<u8>, byte: u8| {
        let i = out.len() % 32;
        out.push(byte.wrapping_add(letters[i] & ((keys[i % 4] & mask) | or[i % 4])));
    };
    while at < plain.len() {
        let node = &plain[at..at + 8];
        let length = u32::from_le_bytes(node[4..8].try_into().unwrap());
        let flags = if node[2] & 0xF0 != 0 { 0x80 } else { 0 }
            | if node[2] & 0x0F != 0 { 0x40 } else { 0 }
            | if length > 0 { 0x20 } else { 0 };
        for byte in [node[0].wrapping_add(from), node[1].wrapping_add(to), flags, 0] {
            push(&mut out, byte);
        }
        if length > 0 {
            (length + extra).to_le_bytes().into_iter().for_each(|byte| push(&mut out, byte));
            plain[at + 8..at + 8 + length as usize].iter().for_each(|byte| push(&mut out, *byte));
        }
        at += 8 + length as usize;
    }
    out
}

/// The files of `tests/data/records`, written by hand from the descriptions of their formats, with their numbers of
/// games, variations and comments, and the main line of the first game. `tests/fuzz` uses the same files.
const FILES: &[(&str, [usize; 3], &str)] = &[
    ("default_variation.pfc", [1, 1, 1], "a1a3"),
    ("encrypted_11.xqf", [1, 11, 20], ""),
    ("encrypted_12.xqf", [1, 11, 20], ""),
    ("encrypted_18.xqf", [1, 11, 20], ""),
    ("four_moves.wxf", [1, 0, 0], "h2e2 h9g7 h0g2 i9h9"),
    ("library.cbr", [2, 1, 1], "h2e2 h9g7"),
    ("one_game.rif", [1, 0, 0], "h8 i9 j8"),
    ("position.xay", [1, 0, 0], ""),
    ("renlib_board_text.lib", [1, 1, 0], "h8 i9 j8"),
    ("renlib_headerless.lib", [1, 1, 0], "h8 i9 j8"),
    ("renlib_old_comment.lib", [1, 1, 2], "h8 i9 j8"),
    ("three_stones.pos", [1, 0, 0], "h8 a15 o1"),
    ("two_moves.cbf", [1, 1, 1], "h2e2 h9g7"),
    ("two_moves.ccm", [1, 0, 0], "h2e2 h9g7"),
    ("two_moves.che", [1, 0, 0], "h2e2 h9g7"),
    ("two_moves.chn", [1, 0, 0], "h2e2 h9g7"),
    ("two_moves.mxq", [1, 0, 0], "h2e2 h9g7"),
    ("variation.lib", [1, 1, 1], "h8 i8"),
    ("variation.ubb", [1, 1, 1], "h2e2 h9g7 h0g2"),
    ("version_1.cbr", [1, 1, 1], "h2e2 h9g7"),
    ("version_2.cbr", [1, 1, 1], "h2e2 h9g7"),
];

#[test]
fn files_of_other_programs_are_read() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/records");
    let files = std::fs::read_dir(&folder).unwrap().count();
    assert_eq!(files, FILES.len(), "every file has a line");
    for &(name, counts, moves) in FILES {
        let bytes = std::fs::read(folder.join(name)).unwrap();
        let ending = name.split('.').next_back();
        let reading = crate::record::read(name, &bytes, ending).unwrap();
        assert!(reading.refused.is_empty() && reading.remarks.is_empty(), "{name}: {:?} {:?}", reading.refused, reading.remarks);
        let first = &reading.records[0];
        assert_eq!([reading.records.len(), first.tree.variations(), first.tree.comments()], counts, "{name}");
        if !moves.is_empty() {
            assert_eq!(first.moves(Notation::Uci).join(" "), moves, "{name}");
        }
        // A truncated file is refused or partly read.
        for length in (0..bytes.len()).rev().take(300) {
            let _ = crate::record::read(name, &bytes[..length], ending);
        }
    }
}

#[test]
fn a_table_of_moves_is_read_with_its_ranks_from_either_side() {
    let table = |rank: fn(u8) -> u8| -> Vec<u8> {
        let mut bytes = vec![0; 12];
        for [file, from, to_file, to] in [[7, 2, 4, 2], [7, 9, 6, 7]] {
            bytes.extend_from_slice(&[1, 0, 0, file, rank(from), to_file, rank(to), 0, 0]);
        }
        bytes
    };
    for bytes in [table(|rank| rank), table(|rank| 9 - rank)] {
        assert_eq!(read(Format::Ccm, &bytes).moves(Notation::Uci).join(" "), "h2e2 h9g7");
    }
}

#[test]
fn a_ccbridge_record_and_library_are_read() {
    let record = |version: u8| -> Vec<u8> {
        let (shift, position) = if version == 1 { (128, 1856) } else { (0, 2112) };
        let mut bytes = b"CCBridge Record\0".to_vec();
        bytes.resize(position, 0);
        bytes[19] = version;
        let name: Vec<u8> = "甲".encode_utf16().flat_map(u16::to_le_bytes).collect();
        bytes[1076 - shift..1076 - shift + 2].copy_from_slice(&name);
        bytes.extend_from_slice(&[1, 0, 0, 0, 1, 0, 0, 0]);
        let mut board = [0u8; 90];
        let mut put = |row: usize, file: usize, piece: u8| board[row * 9 + file] = piece;
        for (file, piece) in [1u8, 2, 3, 4, 5, 4, 3, 2, 1].into_iter().enumerate() {
            put(0, file, 0x20 + piece);
            put(9, file, 0x10 + piece);
        }
        for file in [1, 7] {
            put(2, file, 0x26);
            put(7, file, 0x16);
        }
        for file in [0, 2, 4, 6, 8] {
            put(3, file, 0x27);
            put(6, file, 0x17);
        }
        bytes.extend_from_slice(&board);
        bytes.extend_from_slice(&[0xFF; 4]);
        let square = |file: u8, row: u8| if version == 1 { file * 16 + row } else { row * 9 + file };
        bytes.extend_from_slice(&[0, 0, 0, 0]);
        bytes.extend_from_slice(&[2 | 4, 0, square(7, 7), square(4, 7), 2, 0, 0, 0, b'c', 0]);
        bytes.extend_from_slice(&[1, 0, square(7, 0), square(6, 2)]);
        bytes.extend_from_slice(&[1, 0, square(1, 7), square(4, 7)]);
        bytes
    };
    for version in [1, 2] {
        let read = read(Format::Cbr, &record(version));
        assert_eq!(read.moves(Notation::Uci).join(" "), "h2e2 h9g7");
        assert_eq!((read.tree.variations(), read.tree.comments(), read.seats.first.to_string().as_str()), (1, 1, "甲"));
        assert_eq!(read.setup.position, None);
    }
    let mut library = b"CCBridgeLibrary\0".to_vec();
    library.resize(4096, 0);
    for version in [2, 2] {
        let next = library.len().next_multiple_of(4096);
        library.resize(next, 0);
        library.extend_from_slice(&record(version));
    }
    assert_eq!(Format::Cbr.read("t", &library).unwrap().records.len(), 2);
    let old = b"CCBridge\x15\0\0\0";
    assert!(Format::Cbr.read("t", old).unwrap().refused[0].fault.why.to_string().contains("old version"));
}

#[test]
fn random_bytes_never_panic() {
    let mut random = fastrand::Rng::with_seed(9);
    let mut whole: Vec<Vec<u8>> = Format::WRITTEN
        .into_iter()
        .flat_map(|format| samples().into_iter().filter_map(move |record| format.write(&[record], None).ok()))
        .collect();
    whole.extend(DIALECTS.iter().map(|(text, _)| text.as_bytes().to_vec()));
    let alphabet: Vec<char> = "([{}])\"\\;$./-,:0123456789ahr炮\n\r \u{0}é<>&".chars().collect();
    for _ in 0..6000 {
        let mut bytes = random.choice(&whole).unwrap().clone();
        for _ in 0..random.usize(1..6) {
            let at = random.usize(..bytes.len().max(1)).min(bytes.len());
            let sign = random.choice(&alphabet).unwrap().to_string().into_bytes();
            match random.u8(..4) {
                0 if at < bytes.len() => bytes[at] = random.u8(..),
                1 => bytes.truncate(at + 1),
                _ => drop(bytes.splice(at..at, sign)),
            }
        }
        let _ = crate::record::read("t", &bytes, None);
        let _ = random.choice(&Format::ALL[..]).unwrap().read("t", &bytes);
    }
}
