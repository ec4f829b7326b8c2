//! The speed of perft and search for every game in the registry, and of tablebase lookups: `cargo bench -p qiju-core`.
//!
//! Perft uses the largest depth with less than a quarter of a million leaves; a search visits a fixed number of nodes. Both start from the start position and
//! from the middle of a game, after random moves that are the same in every run.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use qiju_core::games::REGISTRY;
use qiju_core::search::{Limits, StopToken};
use qiju_core::table::{EngineOptions, Player, SearchRequest, Setup, Table};
use std::hint::black_box;

/// The most leaves of a perft.
const LEAVES: u64 = 250_000;
/// The nodes of a search.
const NODES: u64 = 20_000;
/// The moves from the start to the middle.
const MIDDLE: usize = 12;

/// The positions of a game that are measured; the middle only if the game is not over there.
fn places(start: Box<dyn Table>) -> Vec<(&'static str, Box<dyn Table>)> {
    let mut random = fastrand::Rng::with_seed(5);
    let mut middle = start.boxed_clone();
    for _ in 0..MIDDLE {
        let actions = middle.actions();
        if let Some(&action) = random.choice(&actions) {
            middle.play(action).expect("it is legal");
        }
    }
    let mut places = vec![("start", start)];
    if middle.outcome().is_none() {
        places.push(("middle", middle));
    }
    places
}

fn every_game(criterion: &mut Criterion) {
    for entry in REGISTRY {
        let start = entry.table(&Setup::default()).expect("every game has a start");
        for (place, table) in places(start) {
            count(criterion, entry.key, place, &*table);
            search(criterion, entry.key, place, &*table);
        }
    }
}

fn count(criterion: &mut Criterion, game: &str, place: &str, table: &dyn Table) {
    let counts: Vec<u64> =
        (1..=20).map_while(|depth| Some(table.perft(depth)).filter(|leaves| (1..=LEAVES).contains(leaves))).collect();
    let Some(&leaves) = counts.last() else { return };
    let depth = counts.len() as u32;
    let mut group = criterion.benchmark_group(format!("perft/{game}"));
    group.throughput(Throughput::Elements(leaves));
    group.bench_function(format!("{place}, depth {depth}"), |bencher| bencher.iter(|| black_box(table.perft(black_box(depth)))));
    group.finish();
}

fn search(criterion: &mut Criterion, game: &str, place: &str, table: &dyn Table) {
    let options = EngineOptions { hash_mb: 16, ..EngineOptions::default() };
    let request = SearchRequest { options, limits: Limits::nodes(NODES), ..SearchRequest::default() };
    // The tree of a small game ends before the limit, so the visited nodes are counted.
    // A new engine each time, created before the time is measured.
    let fresh = || {
        let mut player = table.player();
        player.prepare(table, &request).expect("every game has an engine of its own");
        player
    };
    let think = |mut player: Box<dyn Player>| player.think(table, &request, &StopToken::new(), &mut |_| ());
    let mut visited = 0;
    let found = fresh().think(table, &request, &StopToken::new(), &mut |progress| visited = progress.nodes);
    found.expect("it was prepared");
    let mut group = criterion.benchmark_group(format!("search/{game}"));
    group.throughput(Throughput::Elements(visited.max(1)));
    group.sample_size(20);
    group.bench_function(place, |bencher| {
        bencher.iter_batched(fresh, |player| black_box(think(player)), BatchSize::PerIteration);
    });
    group.finish();
}

/// Solved games: the exact values of all moves, at the start and in the middle, and unpacking the built-in table. The distances of
/// two-eat-one are read from the user's cache, if `qiju solve` has saved them there.
fn knowledge(criterion: &mut Criterion) {
    for entry in REGISTRY {
        let start = entry.table(&Setup::default()).expect("every game has a start");
        for (place, table) in places(start) {
            let Some(solution) = table.capabilities().solution else { continue };
            let verdicts = || solution.verdicts(&*table, &StopToken::new());
            let Some(moves) = verdicts() else { continue };
            let mut group = criterion.benchmark_group(format!("verdicts/{}", entry.key));
            group.throughput(Throughput::Elements(moves.len() as u64));
            group.bench_function(place, |bencher| bencher.iter(|| black_box(verdicts())));
            group.finish();
        }
    }
}

criterion_group!(benches, every_game, knowledge);
criterion_main!(benches);
