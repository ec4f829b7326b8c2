//! Tests of every engine of every game in the registry: legal moves with all limits, a quick end when stopped, and equal values of
//! equivalent searches, in the positions of the conformance data and of random games.

use qiju_core::games::{Entry, REGISTRY};
use qiju_core::search::{Known, Limits, PlainKind, StopToken, Value};
use qiju_core::table::{Action, Algorithm, EngineOptions, Notation, Player, Progress, SearchRequest, Setup, Table};
use std::path::Path;
use std::time::{Duration, Instant};

/// How late an engine may answer.
const LATE: Duration = Duration::from_millis(50);
/// A busy machine may delay a search, so the best of this many tries counts.
const TRIES: usize = 4;

/// Positions of the data and of random games in which the game is not over.
fn positions(entry: &Entry) -> Vec<Box<dyn Table>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(entry.key.replace('-', "_")).join("positions.txt");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut tables = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()) {
        let fields: Vec<&str> = line.split(';').map(str::trim).collect();
        let setup = Setup { variant: Some(fields[0].into()), position: (fields[1] != "-").then(|| fields[1].into()) };
        tables.push(entry.table(&setup).unwrap_or_else(|error| panic!("{line}: {error}")));
    }
    let mut random = fastrand::Rng::with_seed(11);
    for plies in [3, 10, 25, 60] {
        let mut table = entry.table(&Setup::default()).unwrap();
        for _ in 0..plies {
            let Some(&action) = random.choice(&table.actions()) else { break };
            table.play(action).unwrap();
        }
        tables.push(table);
    }
    tables.retain(|table| table.outcome().is_none());
    assert!(tables.len() >= 2, "{}: too few positions where the game goes on", entry.key);
    tables
}

fn think(table: &dyn Table, options: &EngineOptions, limits: Limits, stop: &StopToken) -> (Option<Action>, Vec<Progress>) {
    ask(table, &SearchRequest { options: options.clone(), limits, ..SearchRequest::default() }, stop)
}

fn ask(table: &dyn Table, request: &SearchRequest, stop: &StopToken) -> (Option<Action>, Vec<Progress>) {
    let mut told = Vec::new();
    let found = table.player().think(table, request, stop, &mut |progress| told.push(progress));
    (found.unwrap_or_else(|why| panic!("{}: {why}", table.game())), told)
}

fn name(table: &dyn Table) -> String {
    format!("{} {}", table.game(), table.position_text())
}

fn small() -> EngineOptions {
    EngineOptions { hash_mb: 1, ..EngineOptions::default() }
}

#[test]
fn every_level_plays_a_legal_move_everywhere() {
    for entry in REGISTRY {
        let sheet = entry.sheet().unwrap();
        for table in positions(entry) {
            for (number, level) in (1..).zip(&sheet.levels) {
                let mut request = level.request(number);
                request.options.hash_mb = 1;
                // The upper levels would take seconds per position; this test only checks that the move is legal.
                request.limits.nodes = Some(request.limits.nodes.unwrap_or(u64::MAX).min(1500));
                let action = table.player().think(&*table, &request, &StopToken::new(), &mut |_| ()).unwrap();
                let legal = action.is_some_and(|action| table.refusal(action).is_none());
                assert!(legal, "{}: level {number} plays {action:?}", name(&*table));
            }
        }
    }
}

#[test]
fn the_plain_searchers_agree() {
    let plain = [PlainKind::Minimax, PlainKind::Negamax, PlainKind::AlphaBeta].map(Algorithm::Plain);
    for entry in REGISTRY {
        for table in positions(entry) {
            for depth in 1..=2 {
                let searched = plain.map(|algorithm| {
                    let (action, told) =
                        think(&*table, &EngineOptions { algorithm, ..small() }, Limits::depth(depth), &StopToken::new());
                    let legal = action.is_some_and(|action| table.refusal(action).is_none());
                    assert!(legal, "{}: {} plays {action:?}", name(&*table), algorithm.key());
                    told.into_iter().last().unwrap_or_else(|| panic!("{}: {} tells nothing", name(&*table), algorithm.key()))
                });
                let [minimax, negamax, alpha_beta] = &searched;
                let values = searched.each_ref().map(|told| told.value);
                assert!(values.iter().all(|value| *value == values[0]), "{}, depth {depth}: {values:?}", name(&*table));
                assert_eq!(minimax.nodes, negamax.nodes, "{}", name(&*table));
                assert!(alpha_beta.nodes <= minimax.nodes, "{}", name(&*table));
                assert_eq!((minimax.cutoffs, negamax.cutoffs), (0, 0), "{}", name(&*table));
            }
        }
    }
}

#[test]
fn a_move_that_wins_at_once_is_played() {
    for entry in REGISTRY {
        let mut tried = 0;
        let mut random = fastrand::Rng::with_seed(17);
        for _ in 0..400 {
            let mut table = entry.table(&Setup::default()).unwrap();
            while table.outcome().is_none() && table.ply() < 200 {
                let actions = table.actions();
                let wins = |action: &Action| {
                    let mut after = table.boxed_clone();
                    after.play(*action).unwrap();
                    after.outcome().is_some_and(|outcome| outcome.winner == Some(table.turn()))
                };
                // Testing all moves of all positions would take too long on a large board.
                if table.ply().is_multiple_of(5) && actions.iter().any(wins) {
                    let (action, told) = think(&*table, &small(), Limits::depth(3), &StopToken::new());
                    let won = action.as_ref().is_some_and(wins);
                    let value = told.iter().rfind(|progress| progress.multipv == 1).map(|progress| progress.value);
                    let known = value.and_then(Value::moves_to_end) == Some(1);
                    assert!(won && known, "{}: plays {action:?} at {value:?}", name(&*table));
                    tried += 1;
                    break;
                }
                table.play(actions[random.usize(..actions.len())]).unwrap();
            }
            if tried >= 5 {
                break;
            }
        }
        assert!(tried >= 2, "{}: random games came to only {tried} wins at once", entry.key);
    }
}

#[test]
fn a_search_stops_when_told_to() {
    for entry in REGISTRY {
        for table in positions(entry) {
            let late = |wait: Duration| {
                let stop = StopToken::new();
                let raised = stop.clone();
                let clock = std::thread::spawn(move || {
                    std::thread::sleep(wait);
                    raised.stop();
                    Instant::now()
                });
                let (action, _) = think(&*table, &small(), Limits::default(), &stop);
                let ended = Instant::now();
                assert!(action.is_some_and(|action| table.refusal(action).is_none()), "{}: {action:?}", name(&*table));
                ended.saturating_duration_since(clock.join().expect("the clock runs"))
            };
            let best = (0..TRIES).map(|_| late(Duration::from_millis(40))).find(|late| *late <= LATE);
            assert!(best.is_some(), "{}: {TRIES} times more than {LATE:?} late", name(&*table));
            // Stopped before it begins, it still returns a move.
            let stop = StopToken::new();
            stop.stop();
            let (action, _) = think(&*table, &small(), Limits::default(), &stop);
            assert!(action.is_some_and(|action| table.refusal(action).is_none()), "{}: {action:?}", name(&*table));
        }
    }
}

#[test]
fn limits_are_kept() {
    for entry in REGISTRY {
        for table in positions(entry) {
            let time = Duration::from_millis(60);
            let taken = || {
                let started = Instant::now();
                think(&*table, &small(), Limits::time(time), &StopToken::new());
                started.elapsed()
            };
            let best = (0..TRIES).map(|_| taken()).find(|taken| *taken <= time + LATE);
            assert!(best.is_some(), "{}: {TRIES} times more than {LATE:?} over {time:?}", name(&*table));
            for nodes in [1, 700, 5000] {
                let (action, told) = think(&*table, &small(), Limits::nodes(nodes), &StopToken::new());
                assert!(action.is_some_and(|action| table.refusal(action).is_none()), "{}: {action:?}", name(&*table));
                let visited = told.iter().map(|progress| progress.nodes).max().unwrap_or(0);
                assert!(visited <= nodes + 1024, "{}: {visited} nodes of {nodes}", name(&*table));
            }
            let (_, told) = think(&*table, &small(), Limits { nodes: Some(200_000), ..Limits::depth(2) }, &StopToken::new());
            let deepest = told.iter().map(|progress| progress.depth).max();
            assert!(deepest.is_none_or(|depth| depth <= 2), "{}: depth {deepest:?} of 2", name(&*table));
        }
    }
}

#[test]
fn the_same_request_gets_the_same_answer() {
    for entry in REGISTRY {
        for table in positions(entry) {
            for misjudgement in [0, 150] {
                let options = EngineOptions { misjudgement, seed: 5, ..small() };
                let answer = || {
                    let (action, told) = think(&*table, &options, Limits::nodes(4000), &StopToken::new());
                    (action, told.iter().map(|progress| (progress.depth, progress.value, progress.nodes)).collect::<Vec<_>>())
                };
                assert_eq!(answer(), answer(), "{}", name(&*table));
            }
        }
    }
}

#[test]
fn several_lines_begin_with_different_moves() {
    for entry in REGISTRY {
        for table in positions(entry).iter().take(3) {
            let limits = Limits::depth(2);
            let request = SearchRequest { options: small(), limits, multipv: 3, ..SearchRequest::default() };
            let (action, told) = ask(&**table, &request, &StopToken::new());
            let text = action.and_then(|action| table.write(action, Notation::Uci));
            let last =
                |line: u16| told.iter().rfind(|progress| progress.multipv == line).and_then(|progress| progress.pv_text.first());
            let firsts: Vec<&String> = (1..=3).filter_map(last).collect();
            let different: std::collections::HashSet<_> = firsts.iter().collect();
            assert_eq!(different.len(), firsts.len(), "{}: {firsts:?}", name(&**table));
            assert_eq!(firsts.first().copied(), text.as_ref(), "{}: {firsts:?}", name(&**table));
        }
    }
}

#[test]
fn a_kept_engine_plays_a_whole_game() {
    for entry in REGISTRY {
        let mut table = entry.table(&Setup::default()).unwrap();
        let mut player = table.player();
        let request = SearchRequest { options: small(), limits: Limits::nodes(1500), ..SearchRequest::default() };
        for _ in 0..12 {
            if table.outcome().is_some() {
                break;
            }
            let action = player.think(&*table, &request, &StopToken::new(), &mut |_| ()).unwrap();
            let played = action.is_some_and(|action| table.play(action).is_ok());
            assert!(played, "{}: {action:?}", name(&*table));
            // Moves taken back must not make its tables wrong.
            if table.ply() == 7 {
                table.undo();
                table.undo();
                table.undo();
            }
        }
    }
}

/// The table entries of a position help the next search of it, also if a move is excluded or another number of lines is reported.
#[test]
fn an_engine_is_kept_from_search_to_search() {
    for game in ["xiangqi", "gomoku"] {
        let (mut kept, mut fresh) = ([0; 2], [0; 2]);
        for table in positions(qiju_core::games::find(game).unwrap()).iter().take(8) {
            let search = |player: &mut dyn Player, multipv, left_out: Vec<Action>| {
                let limits = Limits::depth(7);
                let request = SearchRequest { options: small(), limits, multipv, left_out, ..SearchRequest::default() };
                let mut nodes = 0;
                let found = player.think(&**table, &request, &StopToken::new(), &mut |progress| nodes = progress.nodes);
                (found.unwrap(), nodes)
            };
            let mut player = table.player();
            let (best, nodes) = search(&mut *player, 1, Vec::new());
            let (other, _) = search(&mut *player, 1, Vec::from_iter(best));
            assert!(table.actions().len() < 2 || other != best, "{}: {best:?}", name(&**table));
            fresh[0] += nodes;
            kept[0] += search(&mut *player, 1, Vec::new()).1;
            fresh[1] += search(&mut *table.player(), 3, Vec::new()).1;
            kept[1] += search(&mut *player, 3, Vec::new()).1;
        }
        let fewer = kept[0] < fresh[0] && kept[1] < fresh[1];
        assert!(fewer, "{game}: {kept:?} nodes with what was remembered, {fresh:?} without");
    }
}

#[test]
fn there_is_no_search_when_the_game_is_over() {
    let table = qiju_core::games::find("tic-tac-toe").unwrap();
    let table = table.table(&Setup { variant: None, position: Some("xxx.oo... o".into()) }).unwrap();
    let (action, told) = think(&*table, &small(), Limits::default(), &StopToken::new());
    assert!(action.is_none() && told.is_empty(), "{action:?}");
}

/// A position that is lost at a look, two open threes at once, is reported as lost: a review needs its value.
#[test]
fn a_loss_immediate_result_is_reported() {
    let mut table = qiju_core::games::find("gomoku").unwrap().table(&Setup::default()).unwrap();
    let moves = "h8 g7 i8 g8 g9 i7 h9 h7 j7 g10 f9 e9 j9 i9 j8 e7 f7 j6 k8 l8 h11 i10 k6 l5 h10 h12 j11 j10 i11";
    for text in moves.split_whitespace() {
        table.play(table.read(text).unwrap()).unwrap();
    }
    for limits in [Limits::nodes(10_000), Limits::depth(4)] {
        let (action, told) = think(&*table, &small(), limits, &StopToken::new());
        let last = told.last().expect("the engine reports a line");
        assert_eq!(last.value.known(), Some(Known::Loss), "{:?}", last.value);
        assert_eq!(last.pv.first(), action.as_ref());
    }
}
