//! Writes games to measure the library with: `cargo run -p qiju-core --example games -- GAME COUNT > games.pgn`.
//!
//! The moves are chosen at random, as if by players of little skill: a capture that gains is usually played, in the opening a few moves are preferred, so that
//! games meet, and stones are put near others. Names, events and dates are made up.

use qiju_core::games;
use qiju_core::record::{Format, Record, SeatSpec, Writer};
use qiju_core::rules::{Outcome, Reason, Side};
use qiju_core::table::{Action, Origin, Setup, Table, Tree};
use std::io::Write;

fn choose(table: &dyn Table, ply: usize, random: &mut fastrand::Rng) -> Option<Action> {
    if let Some(&(action, _)) = table.captures().first().filter(|_| random.u8(..10) < 7) {
        return Some(action);
    }
    let last = table.played().last().and_then(|action| action.target());
    let mut actions = table.actions();
    if let Some(last) = last {
        let near = |at: &Action| at.target().map_or(0, |at| at.x.abs_diff(last.x).max(at.y.abs_diff(last.y)));
        if matches!(actions.first(), Some(Action::Drop(_))) {
            actions.sort_by_key(near);
            actions.truncate(24);
        }
    }
    // The first moves of the list are preferred, and in the opening more so.
    let power = if ply < 10 { 4 } else { 1 };
    let part = random.f64().powi(power);
    actions.get((part * actions.len() as f64) as usize).copied()
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let game = arguments.next().unwrap_or_else(|| "xiangqi".to_owned());
    let count: u64 = arguments.next().and_then(|count| count.parse().ok()).unwrap_or(1000);
    let entry = games::find(&game).expect("a game of the registry");
    let mut writer = Writer::new(Format::Pgn, None, false).expect("a pgn is written");
    for seed in 0..count {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut table = entry.table(&Setup::default()).expect("every game has a start");
        let most = 40 + random.usize(..80);
        let mut actions = Vec::new();
        while actions.len() < most {
            let Some(action) = choose(&*table, actions.len(), &mut random) else { break };
            table.play(action).expect("it is legal");
            actions.push(action);
        }
        let mut record = Record::new(entry.key, table.setup().clone());
        record.tree = Tree::of_line(actions, Origin::Main);
        let mut name = || SeatSpec::External { name: format!("Player {}", random.usize(..2000)) };
        (record.seats.first, record.seats.second) = (name(), name());
        record.tags.set("Event", format!("Tournament {}", random.usize(..400)));
        record.tags.set("Date", format!("{}.{:02}.{:02}", 1990 + seed % 35, 1 + seed % 12, 1 + seed % 28));
        record.tags.set("Round", (1 + seed % 9).to_string());
        record.result = table.outcome().or_else(|| match seed % 3 {
            0 => Some(Outcome::draw(Reason::Agreement)),
            one => Some(Outcome::win(Side::BOTH[one as usize - 1], Reason::Resignation)),
        });
        let mut out = Vec::new();
        writer.add(&record, &mut out).expect("a pgn holds every game");
        if std::io::stdout().write_all(&out).is_err() {
            return;
        }
    }
}
