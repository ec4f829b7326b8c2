//! Tests of every game in the registry, in every variant. A new game is tested automatically with its line in the registry and its two
//! data files.
//!
//! `tests/data/<folder>/positions.txt`: a line is `VARIANT ; POSITION ; COUNT COUNT ..`, where `-` stands for the start and the counts are
//! leaves of the move tree at depth 1, 2, ..; random games are played from each.
//! `tests/data/<folder>/refused.txt`: a line is `variant|position|move ; TEXT ; WORDS`: the text is refused with these words.

use qiju_core::games::{self, Entry, REGISTRY};
use qiju_core::rules::Point;
use qiju_core::table::{Action, Change, Notation, Piece, Setup, Table};
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// Random games from each line of data.
const PLAYOUTS: u64 = 6;
/// The most plies of a random game; a longer one must have repeated a position.
const LONGEST: usize = 1500;

struct Line {
    place: String,
    fields: Vec<String>,
}

fn data(entry: &Entry, file: &str, fields: usize) -> Vec<Line> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(entry.key.replace("-", "_")).join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut lines = Vec::new();
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#')) {
        let place = format!("{}:{number}", path.display());
        let split: Vec<String> = line.splitn(fields, ';').map(|field| field.trim().to_owned()).collect();
        assert_eq!(split.len(), fields, "{place}: {fields} fields between semicolons");
        lines.push(Line { place, fields: split });
    }
    assert!(!lines.is_empty(), "{}: no line of data", path.display());
    lines
}

fn setup(variant: &str, position: &str) -> Setup {
    Setup { variant: Some(variant.to_owned()), position: (position != "-").then(|| position.to_owned()) }
}

/// The start tables of the games: the start of every variant and every position of the data.
fn starts(entry: &Entry) -> Vec<(String, Box<dyn Table>)> {
    let mut starts = Vec::new();
    for variant in (entry.variants)() {
        starts.push((format!("{} {variant}", entry.key), entry.table(&setup(variant, "-")).unwrap()));
    }
    for line in data(entry, "positions.txt", 3) {
        let table = entry.table(&setup(&line.fields[0], &line.fields[1]));
        starts.push((line.place.clone(), table.unwrap_or_else(|error| panic!("{}: {error}", line.place))));
    }
    starts
}

/// The pieces by point; fails if two are on one point.
fn pieces(table: &dyn Table) -> HashMap<Point, Piece> {
    let pieces = table.pieces();
    let map: HashMap<Point, Piece> = pieces.iter().copied().collect();
    assert_eq!(map.len(), pieces.len(), "two pieces on one point");
    map
}

fn apply(pieces: &mut HashMap<Point, Piece>, changes: &[Change]) {
    for change in changes {
        match *change {
            Change::Place { piece, at } => assert_eq!(pieces.insert(at, piece), None, "{change:?}"),
            Change::Remove { piece, at } => assert_eq!(pieces.remove(&at), Some(piece), "{change:?}"),
            Change::Slide { from, to } => {
                let piece = pieces.remove(&from).unwrap_or_else(|| panic!("{change:?} moves no piece"));
                assert_eq!(pieces.insert(to, piece), None, "{change:?}");
            }
            Change::Flip { at, from, to } => assert_eq!(pieces.insert(at, to), Some(from), "{change:?}"),
            Change::Pass => {}
        }
    }
}

/// Everything that a table shows to its users.
#[derive(Debug, PartialEq)]
struct Snapshot {
    text: String,
    key: u64,
    ply: usize,
    pieces: HashMap<Point, Piece>,
    actions: HashSet<Action>,
    outcome: Option<qiju_core::rules::Outcome>,
    check: Option<Point>,
}

fn snapshot(table: &dyn Table) -> Snapshot {
    Snapshot {
        text: table.position_text(),
        key: table.key(),
        ply: table.ply(),
        pieces: pieces(table),
        actions: table.actions().into_iter().collect(),
        outcome: table.outcome(),
        check: table.check(),
    }
}

#[test]
fn random_games_are_consistent() {
    for entry in REGISTRY {
        for (name, start) in starts(entry) {
            for seed in 0..PLAYOUTS {
                let mut random = fastrand::Rng::with_seed(seed);
                random_game(&format!("{name}, seed {seed}"), start.boxed_clone(), &mut random);
            }
        }
    }
}

fn random_game(name: &str, mut table: Box<dyn Table>, random: &mut fastrand::Rng) {
    let first_ply = table.ply();
    let mut past = vec![snapshot(&*table)];
    // Checking all moves of all positions would take minutes on a large board, so the first moves and a part of the rest are checked.
    while table.outcome().is_none() && past.len() <= LONGEST {
        if past.len() < 4 || random.u8(..16) == 0 {
            table.self_check().unwrap_or_else(|why| panic!("{name}: {why}"));
        }
        let before = past.last().expect("the start is there");
        let actions = table.actions();
        assert!(!actions.is_empty(), "{name}: no outcome and no move at {}", before.text);
        let action = actions[random.usize(..actions.len())];
        let text = table.write(action, Notation::Uci).expect("a legal action is written");
        assert_eq!(table.read(&text).as_ref(), Ok(&action), "{name}: '{text}' at {}", before.text);
        assert_eq!(table.refusal(action), None, "{name}: '{text}' at {}", before.text);
        let changes = table.play(action).unwrap_or_else(|error| panic!("{name}: '{text}': {error}"));
        let mut expected = before.pieces.clone();
        apply(&mut expected, &changes);
        let after = snapshot(&*table);
        assert_eq!(after.pieces, expected, "{name}: '{text}' at {}", before.text);
        assert_eq!(after.outcome.is_some(), after.actions.is_empty(), "{name}: {} with {:?}", after.text, after.outcome);
        past.push(after);
    }
    if table.outcome().is_none() {
        let different: HashSet<u64> = past.iter().map(|seen| seen.key).collect();
        assert!(different.len() < past.len(), "{name}: {LONGEST} plies without an end or a repetition");
    }
    table.self_check().unwrap_or_else(|why| panic!("{name}: {why}"));
    assert_eq!(table.played().len(), table.ply(), "{name}");
    assert_eq!(table.ply() - first_ply, past.len() - 1, "{name}");
    walk_back_and_forth(name, &mut *table, &past);
}

fn walk_back_and_forth(name: &str, table: &mut dyn Table, past: &[Snapshot]) {
    let given = table.ply() - (past.len() - 1);
    let played = table.played();
    for at in (0..past.len() - 1).rev() {
        let mut expected = pieces(table);
        apply(&mut expected, &table.undo().unwrap_or_else(|| panic!("{name}: nothing to undo at {at}")));
        assert_eq!(expected, past[at].pieces, "{name}: the pieces after undoing to {at}");
        assert_eq!(snapshot(table), past[at], "{name}: undone to {at}");
    }
    for (at, seen) in past.iter().enumerate().skip(1) {
        let mut expected = pieces(table);
        apply(&mut expected, &table.play(played[given + at - 1]).unwrap_or_else(|why| panic!("{name}: {why} at {at}")));
        assert_eq!(expected, seen.pieces, "{name}: the pieces after playing again to {at}");
        assert_eq!(snapshot(table), *seen, "{name}: played again to {at}");
    }
}

#[test]
fn counts_of_the_move_tree() {
    for entry in REGISTRY {
        for line in data(entry, "positions.txt", 3) {
            let table =
                entry.table(&setup(&line.fields[0], &line.fields[1])).unwrap_or_else(|error| panic!("{}: {error}", line.place));
            for (depth, count) in (1..).zip(line.fields[2].split_whitespace()) {
                let count: u64 = count.parse().unwrap_or_else(|_| panic!("{}: '{count}' is no count", line.place));
                assert_eq!(table.perft(depth), count, "{}: depth {depth}", line.place);
                let divided: u64 = table.divide(depth).iter().map(|(_, leaves)| leaves).sum();
                assert_eq!(divided, count, "{}: depth {depth}, divided", line.place);
            }
        }
    }
}

#[test]
fn bad_words_are_refused_with_reasons() {
    for entry in REGISTRY {
        for line in data(entry, "refused.txt", 3) {
            let [kind, text, words] = &line.fields[..] else { unreachable!("three fields were checked") };
            let refused = match kind.as_str() {
                "variant" => entry.table(&setup(text, "-")).err().map(|error| error.to_string()),
                "position" => {
                    let setup = Setup { variant: None, position: Some(text.clone()) };
                    entry.table(&setup).err().map(|error| error.to_string())
                }
                "move" => entry.table(&Setup::default()).unwrap().read(text).err().map(|error| error.to_string()),
                other => panic!("{}: '{other}' is none of variant, position and move", line.place),
            };
            let refused = refused.unwrap_or_else(|| panic!("{}: '{text}' is not refused", line.place));
            assert!(refused.contains(words.as_str()), "{}: '{refused}' does not say '{words}'", line.place);
        }
    }
}

#[test]
fn random_bytes_never_panic() {
    let mut random = fastrand::Rng::with_seed(2);
    let alphabet: Vec<char> = "abchirnkpABCHRNKEXxo.019/- ,;:wbred=+炮车馬兵进退平一二1２前é\u{0}\n".chars().collect();
    for entry in REGISTRY {
        let table = entry.table(&Setup::default()).unwrap();
        for _ in 0..4000 {
            let length = random.usize(..40);
            let text: String = (0..length).map(|_| alphabet[random.usize(..alphabet.len())]).collect();
            let _ = table.read(&text);
            let _ = entry.table(&Setup { variant: None, position: Some(text.clone()) });
            let _ = entry.table(&Setup { variant: Some(text), position: None });
        }
        // Valid texts with one changed character get deeper into the parsers.
        for line in data(entry, "positions.txt", 3) {
            let whole: Vec<char> = table_text(entry, &line).chars().collect();
            for _ in 0..500 {
                let mut text = whole.clone();
                let at = random.usize(..text.len());
                text[at] = alphabet[random.usize(..alphabet.len())];
                let position = Some(text.into_iter().collect());
                if let Ok(table) = entry.table(&Setup { variant: Some(line.fields[0].clone()), position }) {
                    table.self_check().unwrap_or_else(|why| panic!("{}: {why}", line.place));
                }
            }
        }
    }
}

fn table_text(entry: &Entry, line: &Line) -> String {
    entry
        .table(&setup(&line.fields[0], &line.fields[1]))
        .unwrap_or_else(|error| panic!("{}: {error}", line.place))
        .position_text()
}

#[test]
fn every_possible_action_is_played_or_refused() {
    for entry in REGISTRY {
        for (name, table) in starts(entry) {
            let (files, ranks) = table.size();
            // One point beyond each edge, which must be refused too.
            let points: Vec<Point> = (0..=ranks).flat_map(|y| (0..=files).map(move |x| Point::new(x, y))).collect();
            let legal: HashSet<Action> = table.actions().into_iter().collect();
            let drops = points.iter().map(|&at| Action::Drop(at));
            let near = points.iter().take(40);
            let steps = near.flat_map(|&from| points.iter().map(move |&to| Action::Step { from, to }));
            for action in drops.chain(steps).chain([Action::Pass, Action::Choose(0), Action::Choose(255)]) {
                let refused = table.refusal(action);
                assert_eq!(refused.is_none(), legal.contains(&action), "{name}: {action:?} is refused as {refused:?}");
            }
            for action in legal.iter().take(5) {
                let mut copy = table.boxed_clone();
                assert!(copy.play(*action).is_ok(), "{name}: {action:?}");
            }
        }
    }
}

#[test]
fn sheets_fit_their_games() {
    for entry in REGISTRY {
        let sheet = entry.sheet().unwrap_or_else(|error| panic!("{error}"));
        let listed: Vec<&str> = sheet.variants.iter().map(|variant| variant.key.as_str()).collect();
        assert_eq!(listed, (entry.variants)(), "{}: the sheet's variants and the game's", entry.key);
        for (name, table) in starts(entry) {
            assert!(sheet.board(table.size()).is_some(), "{name}: the sheet has no board of {:?}", table.size());
            for (point, piece) in table.pieces() {
                assert!(usize::from(piece.role) < sheet.roles.len(), "{name}: {piece:?} at {point:?} has no role in the sheet");
            }
        }
        assert!(games::find(entry.key).is_ok_and(|found| found.key == entry.key));
    }
}
