//! Kills the program two hundred times (or `QIJU_FUZZ_KILLS` times) at random moments of play: nothing that was shown is lost, and the match continues.
//!
//! The test starts itself as a child process that plays two computers against each other, sometimes takes moves back, and prints each
//! position that it has shown; the parent kills it and reads its journal.
#![cfg(feature = "gui")]

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use qiju::app::Options;
use qiju::app::home::Home;
use qiju::app::kept::Kept;
use qiju::app::play::{BoardChanged, CurrentMatch, Unfinished};
use qiju::app::requests::{BeginRequest, CursorRequest, Requests};
use qiju::app::settings::Settings;
use qiju::app::setup::MatchSetup;
use qiju::app::state::Screen;
use qiju::window::window_free_plugins;
use qiju_core::record::{SeatSpec, journal};
use qiju_core::rules::BySide;
use qiju_core::table::{Setup, TimeControl};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The default number of kills.
const KILLS: usize = 200;
const HOME: &str = "QIJU_TEST_KILLED_HOME";

/// The child process: plays until it is killed.
#[test]
#[ignore = "the child of the test beside it"]
fn the_child() {
    let Some(folder) = std::env::var_os(HOME) else { return };
    let home = Home(folder.into());
    Settings { speed: 0.0, ..Settings::default() }.save(&home).unwrap();
    let mut app = App::new();
    app.add_plugins(window_free_plugins(home, Options::default()));
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(16)));
    app.init_resource::<Told>().add_systems(Last, tell);
    app.finish();
    app.cleanup();
    let level = SeatSpec::computer(1);
    let setup = MatchSetup {
        game: "xiangqi",
        setup: Setup::default(),
        seats: BySide::new(level.clone(), level),
        control: BySide::equal(TimeControl::Sudden { main: 36_000 }),
        purpose: qiju::app::setup::Purpose::default(),
    };
    loop {
        app.update();
        let world = app.world_mut();
        match *world.resource::<State<Screen>>().get() {
            Screen::Title if world.resource::<Unfinished>().found().is_some() => {
                world.write_message(BeginRequest::Resume);
            }
            Screen::Title => {
                world.write_message(BeginRequest::Start(setup.clone()));
            }
            Screen::Match if world.resource::<CurrentMatch>().outcome().is_some() => {
                world.write_message(BeginRequest::Rematch(false));
            }
            _ => {}
        }
    }
}

#[derive(Resource, Default)]
struct Told {
    changes: usize,
}

/// Prints the moves and the position when they are shown on the board, and the end of a match.
fn tell(
    mut changed: MessageReader<BoardChanged>,
    current: Option<Res<CurrentMatch>>,
    mut told: ResMut<Told>,
    mut requests: Requests,
) {
    let Some(current) = current else { return };
    if changed.read().count() == 0 {
        return;
    }
    told.changes += 1;
    if told.changes.is_multiple_of(7) {
        requests.write(CursorRequest::Undo);
    }
    let over = current.outcome().is_some();
    println!("\nshown\t{}\t{}\t{over}", current.table().ply(), current.table().position_text());
    std::io::stdout().flush().unwrap();
}

/// The last line of the child.
#[derive(Debug, Default)]
struct Shown {
    ply: usize,
    text: String,
    over: bool,
}

#[test]
fn no_kill_loses_a_move() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home(folder.path().to_path_buf());
    let number = |variable: &str| std::env::var(variable).ok()?.parse().ok();
    let kills = number("QIJU_FUZZ_KILLS").map_or(KILLS, |kills: u64| kills as usize);
    let mut dice = fastrand::Rng::with_seed(number("QIJU_FUZZ_SEED").unwrap_or(5));
    let (mut moves, mut told_something) = (0, 0);
    for kill in 0..kills {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "the_child", "--ignored", "--nocapture"])
            .env(HOME, folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut last: Option<Shown> = None;
        // The time is counted from the first move shown, so that most kills are during play; a few are during the start.
        let patience = Duration::from_micros(dice.u64(0..60_000));
        let early = dice.u8(0..10) == 0;
        let mut until = early.then(|| Instant::now() + patience * 4);
        let mut killed = false;
        loop {
            if !killed && until.is_some_and(|until| Instant::now() >= until) {
                child.kill().unwrap();
                killed = true;
            }
            if early && !killed {
                std::thread::sleep(Duration::from_millis(1));
                continue;
            }
            let Some(Ok(line)) = lines.next() else { break };
            let Some(rest) = line.strip_prefix("shown\t") else { continue };
            let mut parts = rest.split('\t');
            let (Some(ply), Some(text), Some(over)) = (parts.next(), parts.next(), parts.next()) else { continue };
            // An incomplete last line is ignored.
            let Ok(over) = over.parse() else { continue };
            last = Some(Shown { ply: ply.parse().unwrap(), text: text.to_owned(), over });
            moves += 1;
            until.get_or_insert_with(|| Instant::now() + patience);
        }
        child.wait().unwrap();
        let Some(shown) = last else { continue };
        told_something += 1;
        let told = journal::recover(&home.journal()).unwrap_or_else(|error| panic!("kill {kill}: {error}")).unwrap();
        // The position that was shown is in the journal, at its end or just before the event that was about to be shown.
        let states = (0..=told.events.len()).rev().map(|length| journal::replay(&told.header, &told.events[..length]).unwrap());
        let found =
            states.take(8).any(|game| (game.table().ply(), game.table().position_text()) == (shown.ply, shown.text.clone()));
        assert!(found || shown.over, "kill {kill}: {shown:?} is not in the journal of {} events", told.events.len());
    }
    assert!(told_something > kills / 2, "only {told_something} kills fell into play");
    assert!(moves > kills, "only {moves} moves were played");
    assert!(
        !std::fs::read_dir(folder.path()).unwrap().flatten().any(|file| file.file_name().to_string_lossy().contains("damaged"))
    );
    println!("{kills} kills, {told_something} of them in play, {moves} positions shown");
}
