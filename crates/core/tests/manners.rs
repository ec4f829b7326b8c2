//! Manners: what they may change, and what never.

use qiju_core::games::gomoku::Gomoku;
use qiju_core::games::two_eat_one::TwoEatOne;
use qiju_core::games::xiangqi::Xiangqi;
use qiju_core::games::{self, REGISTRY};
use qiju_core::search::{StopToken, Value};
use qiju_core::table::{Action, Game, SearchRequest, Setup, Table};

/// The answer to a request without a limit of time, and the last value that was told.
fn think(table: &dyn Table, mut request: SearchRequest) -> (Action, Option<Value>) {
    (request.limits.time, request.book) = (None, false);
    let mut value = None;
    let mut hear = |progress: qiju_core::table::Progress| value = Some(progress.value);
    let action = table.player().think(table, &request, &StopToken::new(), &mut hear).unwrap().unwrap();
    (action, value)
}

#[test]
fn the_manners_of_the_sheets_are_those_of_the_games() {
    for entry in REGISTRY {
        let table = entry.table(&Setup::default()).unwrap();
        let sheet = entry.sheet().unwrap();
        for (index, manner) in sheet.manners.iter().enumerate() {
            assert!(table.suits(&manner.key, table.actions()[0]).is_some(), "{} {}", entry.key, manner.key);
            assert!(sheet.manners[..index].iter().all(|other| other.key != manner.key), "{} {}", entry.key, manner.key);
        }
        assert_eq!(table.suits("no such manner", table.actions()[0]), None);
    }
    let named = |key: &str| games::find(key).unwrap().sheet().unwrap().manners.len();
    assert_eq!(named("xiangqi"), Xiangqi::manners().len());
    assert_eq!(named("gomoku"), Gomoku::manners().len());
    assert_eq!(named("two-eat-one"), TwoEatOne::manners().len());
}

/// In games of a level against itself each manner is asked at some positions: what it plays otherwise than the level is of the manner and within its
/// margin, and the same again for the same seed; and each manner does play otherwise somewhere.
fn a_manner_keeps_its_margin<G: Game>(level: u8, games: u64) {
    let entry = games::find(G::KEY).unwrap();
    let sheet = entry.sheet().unwrap();
    let mut otherwise = vec![0; G::manners().len()];
    for seed in 0..games {
        let mut table = entry.table(&Setup::default()).unwrap();
        while table.outcome().is_none() && table.ply() < 45 {
            let (own, value) = think(&*table, sheet.request(level, None, seed));
            for (manner, otherwise) in G::manners().iter().zip(&mut otherwise) {
                let asked = || think(&*table, sheet.request(level, Some(manner.key), seed));
                let (action, instead) = asked();
                assert_eq!((action, instead), asked());
                if action == own {
                    continue;
                }
                *otherwise += 1;
                let suits = |action| table.suits(manner.key, action).unwrap();
                assert!(suits(action) && !suits(own), "{} {}", manner.key, table.position_text());
                let [before, after] = [value, instead].map(|value| table.curve().chance(value.unwrap()).0);
                let margin = sheet.request(level, Some(manner.key), seed).manner.unwrap().1;
                assert!(after + margin.0 >= before, "{} {}: {before} to {after}", manner.key, table.position_text());
            }
            table.play(own).unwrap();
        }
    }
    assert!(otherwise.iter().all(|count| *count > 0), "{}: {otherwise:?}", G::KEY);
}

#[test]
fn a_manner_of_xiangqi_keeps_its_margin() {
    a_manner_keeps_its_margin::<Xiangqi>(3, 4);
}

#[test]
fn a_manner_of_gomoku_keeps_its_margin() {
    a_manner_keeps_its_margin::<Gomoku>(3, 6);
}

#[test]
fn a_manner_of_two_eat_one_keeps_its_margin() {
    a_manner_keeps_its_margin::<TwoEatOne>(4, 4);
}

#[test]
fn a_win_in_one_is_played_in_every_manner() {
    for (game, position, win) in [
        ("xiangqi", "4k4/9/4N4/9/9/9/9/C8/9/5K3 w", "a2e2"),
        ("xiangqi", "3k5/9/9/9/9/9/9/9/9/R3K4 w", "a0d0"),
        ("gomoku", "h8a1i8a3j8a5k8g8", "l8"),
        ("gomoku", "h8a1i8b1j8c1a15d1", "e1"),
    ] {
        let entry = games::find(game).unwrap();
        let sheet = entry.sheet().unwrap();
        let table = entry.table(&Setup { variant: None, position: Some(position.to_owned()) }).unwrap();
        for manner in &sheet.manners {
            for level in [5, 8] {
                let (action, _) = think(&*table, sheet.request(level, Some(&manner.key), 7));
                assert_eq!(table.write(action, table.notations()[table.notations().len() - 1]).unwrap(), win, "{}", manner.key);
            }
        }
    }
}
