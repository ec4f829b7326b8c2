//! Fuzz tests: every parser, the protocol streams in both directions, the table and its tree with random actions, and
//! games compared with a second move generator. `cargo test` uses a small fixed budget; `scripts/fuzz MINUTES` runs as long as you like and saves inputs that
//! cause failures, made smaller. The monkey test of the window is `tests/monkey.rs`.

mod budget;
mod diary;
mod mutate;
mod parsers;
mod second;
mod streams;
mod tables;

use budget::Budget;

#[test]
fn parsers_take_anything() {
    let budget = Budget::new(1500);
    let targets = parsers::targets();
    let (of, mut failures, mut inputs) = (targets.len(), Vec::new(), 0);
    for (index, target) in targets.into_iter().enumerate() {
        let name = target.name.clone();
        match parsers::run(target, &budget, index, of) {
            Ok((tried, accepted, good)) => {
                println!("parser {name}: {tried} inputs, {accepted} accepted");
                inputs += tried;
                // If no input is accepted, only the beginning of the parser is tested.
                assert!(!good || accepted * 500 >= tried, "{name}: too few inputs are accepted");
            }
            Err(why) => failures.push(why),
        }
    }
    println!("parsers: {inputs} inputs");
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn streams_get_legal_answers() {
    let spoke = streams::run(&Budget::new(25), &Budget::new(15)).unwrap_or_else(|why| panic!("{why}"));
    println!("streams: {} conversations, {} programs, {} moves judged", spoke.conversations, spoke.programs, spoke.moves);
    assert!(spoke.moves > 40, "only {} moves were judged", spoke.moves);
}

#[test]
fn tables_are_as_if_played_straight() {
    let actions = tables::run(&Budget::new(60)).unwrap_or_else(|why| panic!("{why}"));
    println!("tables: {actions} actions");
}

#[test]
fn a_second_generator_agrees() {
    for (rules, games, positions) in second::compare(&Budget::of_games(4)) {
        assert!(games > 0 && positions > games, "{rules}: {games} games, {positions} positions");
    }
}

#[test]
fn failing_inputs_are_made_smaller() {
    let long: Vec<u8> = (0..2000u32).flat_map(|number| number.to_string().into_bytes()).collect();
    let small = mutate::shrink(&long, |bytes| bytes.windows(4).any(|window| window == b"1234"));
    assert_eq!(small, b"1234");
    assert_eq!(budget::guarded::<()>(|| panic!("so")), Err("it panics: so".to_owned()));
}
