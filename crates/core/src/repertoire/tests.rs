use super::{Repertoire, Reply, SavedRepertoire, choose, counts, longest_defence, name_of, proven_moves};
use crate::library::{Library, engine_games};
use crate::record::Record;
use crate::rules::{Side, zobrist};
use crate::search::StopToken;
use crate::storage::Memory;
use crate::study::schedule::{NEW_A_DAY, Rating};
use crate::table::{Action, Cursor, Notation, Origin, Setup, Table, Tree};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// A record with these lines.
fn record(game: &str, lines: &[&str]) -> Record {
    let mut record = Record::new(game, Setup::default());
    for line in lines {
        let (mut table, mut at) = (record.table().unwrap(), Tree::ROOT);
        for text in line.split_whitespace() {
            let action = table.read(text).unwrap();
            table.play(action).unwrap();
            at = record.tree.add(at, action, Origin::Variation);
        }
    }
    record
}

fn table_after(game: &str, moves: &str) -> Box<dyn Table> {
    let record = record(game, &[moves]);
    let mut table = record.table().unwrap();
    record.main_actions().into_iter().for_each(|action| drop(table.play(action).unwrap()));
    table
}

/// A random tree in which a side answers some of the moves of the other one. Every line ends after a move of the side.
fn random_tree(game: &str, side: Side, seed: u64) -> Record {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut record = Record::new(game, Setup::default());
    for _ in 0..12 {
        let (mut table, mut at) = (record.table().unwrap(), Tree::ROOT);
        let plies = 2 * random.usize(1..4) + usize::from(side == Side::First) - 1 + usize::from(side == Side::Second);
        for _ in 0..plies {
            let actions = table.actions();
            // One of a few moves, so that lines meet.
            let action = actions[random.usize(..4) * actions.len() / 4];
            table.play(action).unwrap();
            at = record.tree.add(at, action, Origin::Variation);
        }
    }
    record
}

/// How often moves were played in games that do not exist: a few of them, by the position.
fn invented(table: &dyn Table, key: u64) -> Vec<(Action, usize)> {
    let actions = table.actions();
    let games = |number: u64| zobrist::mix(key ^ number) as usize % 40 + 1;
    (0..6).map(|number| (actions[number as usize * actions.len() / 6], games(number))).collect()
}

/// What is in the tree is accepted, on the images of the board too, and in another order of moves.
#[test]
fn what_leads_to_a_position_of_the_repertoire_is_accepted() {
    for (game, seed) in [("xiangqi", 1), ("gomoku", 2), ("two-eat-one", 3), ("gomoku", 4)] {
        for side in Side::BOTH {
            let record = random_tree(game, side, seed);
            let repertoire = Repertoire::new(&record, side).unwrap();
            let (mut cursor, mut asked) = (Cursor::at_root(record.table().unwrap()), HashSet::new());
            for id in record.tree.walk() {
                cursor.go(&record.tree, id);
                let (table, size) = (cursor.table(), cursor.table().size());
                let own: Vec<Action> =
                    record.tree.node(id).children().iter().filter_map(|child| record.tree.node(*child).action()).collect();
                if table.turn() != side || own.is_empty() {
                    continue;
                }
                asked.insert(repertoire.key(table));
                for (image, seen) in table.images() {
                    assert_eq!(repertoire.key(&*seen), repertoire.key(table));
                    assert!(own.iter().all(|action| repertoire.accepts(&*seen, image.of_action(*action, size))), "{game}");
                    assert!(repertoire.answers(&*seen).iter().all(|action| repertoire.accepts(&*seen, *action)), "{game}");
                }
                let accepted = table.actions().into_iter().filter(|action| repertoire.accepts(table, *action)).count();
                assert!(accepted < table.actions().len(), "not every move is accepted");
            }
            assert_eq!(repertoire.asked().iter().copied().collect::<HashSet<_>>(), asked);
            assert_eq!(repertoire.asked().len(), asked.len(), "none is asked twice");
        }
    }
    let repertoire = Repertoire::new(&record("xiangqi", &["h2e2 h9g7 c3c4 i9h9"]), Side::First).unwrap();
    let other_order = table_after("xiangqi", "c3c4 h9g7");
    let accepts = |table: &dyn Table, text: &str| repertoire.accepts(table, table.read(text).unwrap());
    assert!(accepts(&*other_order, "h2e2") && !accepts(&*other_order, "b2e2"));
    // The mirrored board.
    assert!(accepts(&*table_after("xiangqi", ""), "b2e2") && !accepts(&*table_after("xiangqi", ""), "c3c4"));
    assert!(accepts(&*table_after("xiangqi", "b2e2 b9c7"), "g3g4"));
}

/// The moves of the other side come in the proportion in which they were played, and their shares are one game together.
#[test]
fn replies_are_asked_as_often_as_they_are_played() {
    let lines = ["h2e2 h9g7 h0g2", "h2e2 b9c7 h0g2", "h2e2 h7e7 h0g2"];
    let repertoire = Repertoire::new(&record("xiangqi", &lines), Side::First).unwrap();
    let table = table_after("xiangqi", "h2e2");
    let read = |text: &str| table.read(text).unwrap();
    let replies = repertoire.replies(&*table, &[(read("h9g7"), 60), (read("h7e7"), 20), (read("c6c5"), 20)]);
    let of = |text: &str| replies.iter().find(|reply| reply.action == read(text)).unwrap();
    assert_eq!((of("h9g7").share, of("b9c7").share, of("c6c5").share), (0.6, 0.0, 0.2));
    assert_eq!((of("h7e7").is_answered, of("c6c5").is_answered), (true, false));
    let answered: Vec<Reply> = replies.iter().copied().filter(|reply| reply.is_answered).collect();
    let mut asked: HashMap<Action, usize> = HashMap::new();
    (0..4000).filter_map(|seed| choose(&answered, seed)).for_each(|reply| *asked.entry(reply.action).or_default() += 1);
    assert_eq!(asked.values().sum::<usize>(), 4000);
    assert!((2880..3120).contains(&asked[&read("h9g7")]) && !asked.contains_key(&read("b9c7")), "{asked:?}");
    // Where nothing is known each is as likely.
    let unknown = repertoire.replies(&*table, &[]);
    let asked: HashSet<Action> = (0..100).filter_map(|seed| choose(&unknown, seed)).map(|reply| reply.action).collect();
    assert_eq!((unknown.len(), asked.len(), choose(&[], 3)), (3, 3, None));
    for seed in 0..20 {
        let record = random_tree("gomoku", Side::Second, seed);
        let repertoire = Repertoire::new(&record, Side::Second).unwrap();
        let table = record.table().unwrap();
        let replies = repertoire.replies(&*table, &invented(&*table, seed));
        assert!((replies.iter().map(|reply| reply.share).sum::<f64>() - 1.0).abs() < 1e-9);
    }
}

/// Every game leaves the repertoire at one of its gaps, where the games go on from each of its positions.
#[test]
fn the_gaps_are_met_in_all_games_together() {
    for seed in 0..20 {
        for side in Side::BOTH {
            let repertoire = Repertoire::new(&random_tree("gomoku", side, seed), side).unwrap();
            let mut count = |table: &dyn Table| invented(table, repertoire.key(table));
            let all = repertoire.gaps(0.0, &mut count);
            let met: f64 = all.iter().map(|gap| gap.met).sum();
            assert!((met - 1.0).abs() < 1e-9, "{met}");
            assert!(all.is_sorted_by(|a, b| a.met >= b.met));
            let some = repertoire.gaps(0.03, &mut count);
            assert!(some.iter().all(|gap| gap.met >= 0.03) && some.len() == all.iter().filter(|gap| gap.met >= 0.03).count());
            for gap in all {
                let mut table = repertoire.record().table().unwrap();
                gap.moves.iter().for_each(|action| drop(table.play(*action).unwrap()));
                assert!(table.turn() == side && repertoire.answers(&*table).is_empty());
            }
        }
    }
}

/// A gap is filled by a record with its line and an answer.
#[test]
fn a_gap_is_filled() {
    let repertoire = Repertoire::new(&record("xiangqi", &["h2e2 h9g7 h0g2", "h2e2 h7e7"]), Side::First).unwrap();
    let read = |table: &dyn Table, text: &str| table.read(text).unwrap();
    let after = table_after("xiangqi", "h2e2");
    let played = [(read(&*after, "h9g7"), 80), (read(&*after, "c6c5"), 14), (read(&*after, "b9c7"), 6)];
    let mut count = |table: &dyn Table| if table.ply() == 1 { played.to_vec() } else { Vec::new() };
    let written = |gap: &super::Gap| {
        let mut table = repertoire.record().table().unwrap();
        gap.moves
            .iter()
            .map(|action| (table.write(*action, Notation::Uci).unwrap(), drop(table.play(*action).unwrap())).0)
            .collect::<Vec<_>>()
            .join(" ")
    };
    let gaps = repertoire.gaps(0.0, &mut count);
    assert_eq!(gaps.iter().map(written).collect::<Vec<_>>(), ["h2e2 c6c5", "h2e2 b9c7"]);
    assert_eq!((gaps[0].games, gaps[0].share, gaps[0].met), (14, 0.14, 0.14));
    let filled = repertoire.joined(&record("xiangqi", &["h2e2 c6c5 h0g2", "h2e2 b9c7 h0g2"])).unwrap();
    assert_eq!(filled.gaps(0.0, &mut count), []);
    assert!(repertoire.joined(&record("gomoku", &["h8"])).is_err());
}

/// The schedule comes back from a file, and stays when moves are added; what has no answer any more is forgotten.
#[test]
fn the_schedule_outlives_a_restart_and_new_moves() {
    let first = Repertoire::new(&random_tree("gomoku", Side::First, 7), Side::First).unwrap();
    let mut saved = SavedRepertoire::new(&first);
    let today = 20_000;
    let due = saved.due(today);
    assert_eq!(due.len(), NEW_A_DAY.min(saved.len()));
    saved.count(due[0], Rating::Good, today);
    saved.count(due[1], Rating::Again, today);
    assert_eq!(saved.due(today).len(), due.len() - 2, "a day has no new ones in place of these");
    let text = ron::to_string(&saved).unwrap();
    let mut read: SavedRepertoire = ron::from_str(&text).unwrap();
    assert_eq!((&read, read.clone().sane()), (&saved, saved.clone()));
    assert_eq!(read.read().unwrap().record(), first.record());
    let more = first.joined(&random_tree("gomoku", Side::First, 8)).unwrap();
    read.put(&more);
    assert!(read.len() > saved.len() && !read.is_empty());
    assert_eq!(read.learnt().filter_map(|learnt| learnt.memory).count(), 2);
    assert!(!read.due(today).contains(&due[0]) && read.due(today + 1).contains(&due[1]));
    let root = Repertoire::new(&record("gomoku", &["h8"]), Side::First).unwrap();
    read.put(&root);
    assert_eq!(read.len(), 1);
}

#[test]
fn what_is_due_is_reached() {
    let repertoire = Repertoire::new(&record("xiangqi", &["h2e2 h9g7 h0g2 i9h9 i0h0", "h2e2 h7e7 h0g2"]), Side::First).unwrap();
    let key = |moves: &str| repertoire.key(&*table_after("xiangqi", moves));
    let ahead = repertoire.leading_to(&HashSet::from([key("h2e2 h7e7")]));
    assert_eq!(ahead, HashMap::from([(key(""), 2), (key("h2e2"), 1), (key("h2e2 h7e7"), 0)]));
    assert_eq!((repertoire.asked().len(), repertoire.longest(), repertoire.side()), (4, 5, Side::First));
    // The moves of a game that comes back to a position lead on from there. At the start each stands for its mirrored one.
    let again = record("xiangqi", &["a0a1 a9a8 a1a0 a8a9 h2e2 h9g7 h0g2"]);
    let repertoire = Repertoire::new(&again, Side::First).unwrap();
    let start = again.table().unwrap();
    assert_eq!(repertoire.answers(&*start), [start.read("i0i1").unwrap(), start.read("h2e2").unwrap()]);
    assert_eq!(repertoire.leading_to(&HashSet::from([key("h2e2 h9g7")]))[&key("")], 2);
}

#[test]
fn what_is_no_repertoire_is_refused() {
    let swap2 = Setup { variant: Some("freestyle+swap2".to_owned()), position: None };
    assert!(Repertoire::new(&Record { setup: swap2, ..record("gomoku", &[]) }, Side::First).is_err());
    assert!(Repertoire::new(&record("gomoku", &["h8"]), Side::Second).is_err());
    // A balanced opening is its position.
    let setup = |variant: &str| Setup { variant: Some(variant.to_owned()), position: Some("h8i9".to_owned()) };
    let of = |variant: &str| name_of(&Record::new("gomoku", setup(variant)), Side::First).unwrap();
    assert_eq!(of("freestyle+balanced"), of("freestyle"));
    assert_ne!(of("freestyle"), name_of(&Record::new("gomoku", Setup::default()), Side::First).unwrap());
}

/// What was played is counted in the player's own games, and where these have none in those of the engine.
#[test]
fn own_games_count_first() {
    let mut own = Library::open_to_write(Arc::new(Memory::default())).unwrap();
    own.add(&record("xiangqi", &["a3a4 a6a5 a0a1"])).unwrap();
    own.flush().unwrap();
    let of = |moves: &str| counts(&[&own, engine_games()], &*table_after("xiangqi", moves), &StopToken::new());
    assert_eq!(of("a3a4"), [(table_after("xiangqi", "a3a4").read("a6a5").unwrap(), 1)]);
    assert!(of("h2e2").iter().map(|(_, games)| games).sum::<usize>() > 1);
}

/// The defence against the proof takes as long as any, until the proof leaves the win to threats.
#[test]
fn the_proof_is_answered_by_the_longest_defence() {
    let mut table = table_after("gomoku", "h8");
    let mut answered = 0;
    while let Some(before) = table.proven().filter(|win| win.winner != table.turn()) {
        assert_eq!(proven_moves(&*table), Some(before.moves));
        let Some(defence) = longest_defence(&*table, answered) else { break };
        table.play(defence).unwrap();
        let left = table.proven().unwrap();
        assert!(left.moves <= before.moves, "{} after {}", left.moves, before.moves);
        let wins = |action: &Action| {
            let mut after = table.boxed_clone();
            after.play(*action).unwrap();
            proven_moves(&*after).is_some_and(|moves| moves < left.moves)
        };
        let Some(answer) = table.actions().into_iter().find(wins) else { break };
        table.play(answer).unwrap();
        answered += 1;
    }
    assert!(answered > 2, "{answered}");
    assert_eq!(longest_defence(&*table_after("gomoku", "a1"), 0), None);
}
