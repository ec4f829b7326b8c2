//! Tests of openings: swap2 in matches and records, and balanced openings.

use qiju_core::games;
use qiju_core::record::{Format, Record, SeatSpec};
use qiju_core::rules::{BySide, Side};
use qiju_core::search::{Limits, StopToken};
use qiju_core::table::{Action, Choice, Duty, EngineOptions, Notation, Opener, SearchRequest, Setup, Table};

fn table(variant: &str) -> Box<dyn Table> {
    games::find("gomoku").unwrap().table(&Setup { variant: Some(variant.into()), position: None }).unwrap()
}

fn play(table: &mut dyn Table, moves: &str) {
    for text in moves.split_whitespace() {
        let action = table.read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        table.play(action).unwrap();
    }
}

#[test]
fn swap2_is_played_undone_and_recorded() {
    for (moves, first) in [
        ("h8 i9 g7 take-first a1 b2", Opener::Chooser),
        ("h8 i9 g7 take-second a1 b2", Opener::Setter),
        ("h8 i9 g7 two-more a1 b2 take-first c3 d4", Opener::Setter),
        ("h8 i9 g7 two-more a1 b2 take-second c3 d4", Opener::Chooser),
    ] {
        let mut table = table("freestyle+swap2");
        assert_eq!(table.opening().unwrap().duty(0), Duty::Put(Opener::Setter));
        play(&mut *table, moves);
        assert_eq!(table.opening().unwrap().duty(table.pieces().len()), Duty::Play(first), "{moves}");
        assert_eq!(table.played_text(Notation::Uci).join(" "), moves);
        assert_eq!(table.ply(), moves.split(' ').count());
        // The colours alternated.
        assert_eq!(table.turn(), if table.pieces().len().is_multiple_of(2) { Side::First } else { Side::Second });
        let seats = BySide::new(SeatSpec::Human, SeatSpec::computer(3));
        let record = Record::of(&*table, seats, None);
        let back = Record::read_all("t", &record.to_text()).unwrap().remove(0);
        assert_eq!(back, record);
        assert_eq!(back.replay().unwrap().played(), table.played());
        // Formats without choices keep the stones.
        for format in [Format::Psq, Format::Sgf] {
            let bytes = format.write(std::slice::from_ref(&record), None).unwrap();
            let text = String::from_utf8_lossy(&bytes);
            let back = format.read("t", &bytes).unwrap().records.remove(0);
            assert_eq!(back.replay().unwrap().position_text(), table.position_text(), "{text}");
            assert_eq!(back.seats.first, record.seats[first.seat()], "{text}");
        }
        let (end, played) = (table.position_text(), table.played());
        while table.undo().is_some() {}
        assert_eq!((table.ply(), table.pieces().len()), (0, 0));
        played.iter().for_each(|action| drop(table.play(*action).unwrap()));
        assert_eq!((table.position_text(), table.played()), (end, played));
    }
}

#[test]
fn choices_are_required_and_refused_at_the_right_time() {
    let mut table = table("renju:15+swap2");
    assert!(table.read("take-first").is_err());
    play(&mut *table, "h8 i9 g7");
    let all = Choice::ALL.map(Choice::action);
    assert_eq!(table.actions(), all);
    for action in all {
        assert_eq!(table.refusal(action), None);
        assert_eq!(table.read(&table.write(action, Notation::Uci).unwrap()).unwrap(), action);
    }
    let stone = Action::Drop(qiju_core::rules::Point::new(0, 0));
    assert!(table.play(stone).unwrap_err().to_string().contains("choice"));
    assert!(table.read("a1").unwrap_err().to_string().contains("take-first, take-second, two-more"));
    play(&mut *table, "two-more a1 a2");
    assert_eq!(table.actions(), [Choice::First, Choice::Second].map(Choice::action));
    assert!(table.play(Choice::TwoMore.action()).is_err());
    for variant in ["freestyle+swap3", "freestyle+", "freestyle:15+swap2+swap2"] {
        let setup = Setup { variant: Some(variant.into()), position: None };
        assert!(games::find("gomoku").unwrap().table(&setup).is_err(), "{variant}");
    }
    let setup = Setup { variant: Some("axf+swap2".into()), position: None };
    assert!(games::find("xiangqi").unwrap().table(&setup).is_err());
}

#[test]
fn a_computer_opens_by_swap2() {
    let request = |seed| SearchRequest {
        options: EngineOptions { seed, ..Default::default() },
        limits: Limits::nodes(4000),
        ..SearchRequest::default()
    };
    let mut offers = std::collections::HashSet::new();
    for seed in 0..6 {
        let mut table = table("freestyle+swap2");
        let mut player = table.player();
        while !matches!(table.opening().unwrap().duty(table.pieces().len()), Duty::Play(_)) {
            let action = player.think(&*table, &request(seed), &StopToken::new(), &mut |_| ()).unwrap().unwrap();
            table.play(action).unwrap();
        }
        offers.insert(table.played_text(Notation::Uci)[..3].join(" "));
    }
    assert!(offers.len() > 2, "{offers:?}");
    // Black is about to have an open four, so the chooser takes black.
    let mut table = table("freestyle+swap2");
    play(&mut *table, "h8 a1 h9 two-more a15 h10");
    let action = table.player().think(&*table, &request(0), &StopToken::new(), &mut |_| ()).unwrap().unwrap();
    assert_eq!(action, Choice::First.action());
}

#[test]
fn balanced_starts_differ_and_are_playable() {
    let game = games::find("gomoku").unwrap();
    for variant in ["freestyle", "renju:19", "caro:20"] {
        let setups: Vec<Setup> = (0..20).map(|seed| game.opening(variant, seed).unwrap()).collect();
        for setup in &setups {
            let table = game.table(setup).unwrap();
            assert!(table.ply() >= 3 && table.outcome().is_none());
        }
        assert!(setups.iter().map(|setup| &setup.position).collect::<std::collections::HashSet<_>>().len() > 10);
    }
    assert_eq!(games::find("xiangqi").unwrap().opening("axf", 1), None);
}
