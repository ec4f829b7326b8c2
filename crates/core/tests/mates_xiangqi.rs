//! Tests the forced wins of `mates.txt`: the engine at full strength finds each within a second, with the exact distance.

use qiju_core::search::{Limits, StopToken, Value};
use qiju_core::table::{EngineOptions, SearchRequest, Setup};
use qiju_core::{games, table::Notation};
use std::time::Duration;

#[test]
fn mates_are_found_with_their_distance() {
    let (mut found, mut total, mut missed) = (0, 0, Vec::new());
    for line in include_str!("data/xiangqi/mates.txt").lines().filter(|line| !line.starts_with('#')) {
        let [fen, best, mate] = line.split(';').map(str::trim).collect::<Vec<_>>()[..] else { panic!("{line}") };
        let (best, mate) = (best.strip_prefix("bm ").unwrap(), mate.strip_prefix("mate ").unwrap().parse().unwrap());
        let setup = Setup { variant: None, position: Some(fen.to_owned()) };
        let table = games::find("xiangqi").unwrap().table(&setup).unwrap_or_else(|e| panic!("{line}: {e}"));
        let limits = Limits { mate: Some(mate), time: Some(Duration::from_secs(1)), ..Limits::default() };
        let request = SearchRequest { options: EngineOptions::default(), limits, ..SearchRequest::default() };
        let mut value = Value::Cp(0);
        let action = table.player().think(&*table, &request, &StopToken::new(), &mut |progress| value = progress.value);
        let played = action.unwrap().and_then(|action| table.write(action, Notation::Uci)).unwrap_or_default();
        total += 1;
        if value == Value::Mate(i32::from(mate)) && played == best {
            found += 1;
        } else {
            missed.push(format!("{line}: {played}, {value:?}"));
        }
    }
    // 95 % is enough, because a busy machine may miss one.
    assert!(found * 100 >= total * 95, "{found} of {total}; missed:\n{}", missed.join("\n"));
    assert!(total > 40);
}
