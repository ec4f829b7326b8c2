//! Tests of the rules of gomoku with case files, and of its texts.

use super::super::rules::lines::{self, FIRST_STRING, STRINGS, WEIGHT};
use super::super::rules::spot::{STEPS, STRIDE};
use super::super::*;
use crate::rules::{Forbidden, Outcome, PlayError, Reason};
use crate::table::{GameTable, Setup, Table};

const RENJU: &str = include_str!("../../../../tests/data/gomoku/renju_forbidden.txt");
const FIVES: &str = include_str!("../../../../tests/data/gomoku/five_rules.txt");

/// The fields of each line of a case file.
fn cases(text: &str) -> impl Iterator<Item = Vec<&str>> {
    text.lines()
        .filter(|line| !line.trim().is_empty() && !line.starts_with('#'))
        .map(|line| line.split(';').map(str::trim).collect())
}

fn list(text: &str) -> Vec<&str> {
    let mut items: Vec<&str> = text.split(',').filter(|item| *item != "-").collect();
    items.sort_unstable();
    items
}

/// The position of a case: the stones of its moves. (In some cases the moves continue after a five.)
fn position(variant: &str, moves: &str) -> Board {
    let (rule, size) = Rule::of_variant(variant).unwrap();
    let free = notation::read_moves(Rule::Standard, size, moves).unwrap();
    let stones: Vec<(Spot, Side)> =
        free.moves().iter().zip([Side::First, Side::Second].into_iter().cycle()).map(|(m, s)| (*m, s)).collect();
    Board::with_stones(rule, size, &stones, free.current().side_to_move())
}

#[test]
fn forbidden_points_of_renju() {
    let mut count = 0;
    for case in cases(RENJU) {
        let board = position("renju", case[0]);
        let mut found: Vec<String> = board
            .forbidden_points()
            .into_iter()
            .map(|spot| {
                let reason = match board.forbidden(spot).unwrap() {
                    Forbidden::Overline => "overline",
                    Forbidden::DoubleFour => "44",
                    Forbidden::DoubleThree => "33",
                };
                format!("{spot}:{reason}")
            })
            .collect();
        found.sort_unstable();
        assert_eq!(found, list(case[1]), "{}", case[0]);
        // The forbidden points are exactly the empty points that are illegal.
        let mut legal = Vec::new();
        board.legal_moves(&mut legal);
        assert_eq!(legal.len() + found.len() + board.stone_count(), 225, "{}", case[0]);
        count += 1;
    }
    assert!(count >= 48, "only {count} cases");
}

#[test]
fn fives_by_rule() {
    let mut count = 0;
    for case in cases(FIVES) {
        for (variant, expected) in ["freestyle", "standard", "renju"].into_iter().zip(&case[1..]) {
            let board = position(variant, case[0]);
            let mut legal = Vec::new();
            board.legal_moves(&mut legal);
            let mut found = Vec::new();
            for spot in legal {
                let mut next = board.clone();
                next.make(spot);
                if next.outcome() == Some(Outcome::win(board.side_to_move(), Reason::Five)) {
                    assert!(next.winning_row().contains(&spot), "{} {spot}", case[0]);
                    found.push(spot.to_string());
                }
            }
            found.sort_unstable();
            assert_eq!(found, list(expected), "{} {variant}", case[0]);
            count += 1;
        }
    }
    assert!(count >= 72, "only {count} cases");
}

/// Moves and whether the last one wins in freestyle, standard, caro.
#[test]
fn fives_of_caro() {
    for (moves, freestyle, standard, caro) in [
        ("a1a2b1b2c1c2d1d2e1", true, true, true),       // from the corner to an open end
        ("a1f1b1a2c1a3d1a4e1", true, true, true),       // the edge does not block
        ("b1a1c1g1d1a3e1a5f1", true, true, false),      // blocked at both ends
        ("b1a1c1h1d1a3e1a5f1", true, true, true),       // blocked at one end
        ("a1a2b1b2c1c2e1e2f1f2d1", true, false, false), // six
    ] {
        for (variant, wins) in [("freestyle", freestyle), ("standard", standard), ("caro", caro)] {
            let (rule, size) = Rule::of_variant(variant).unwrap();
            let game = notation::read_moves(rule, size, moves).unwrap();
            let expected = wins.then(|| Outcome::win(Side::First, Reason::Five));
            assert_eq!(game.current().outcome(), expected, "{moves} {variant}");
            assert_eq!(game.current().winning_row().is_empty(), !wins, "{moves} {variant}");
        }
    }
    let (rule, size) = Rule::of_variant("caro-long:20").unwrap();
    let long = notation::read_moves(rule, size, "a1a2b1b2c1c2e1e2f1f2d1").unwrap();
    assert_eq!(long.current().winner(), Some(Side::First));
}

#[test]
fn texts_are_read_written_and_refused() {
    for (variant, text, expected) in [
        ("freestyle", "h8i9h7", Ok("h8i9h7")),
        ("freestyle:20", "t20 a1,T19", Ok("t20a1t19")),
        ("freestyle", "", Ok("")),
        ("freestyle", "h8p1", Err(3)),
        ("freestyle", "h8h8", Err(3)),
        ("freestyle", "h8i0", Err(3)),
        ("freestyle", "h8i16", Err(3)),
        ("freestyle", "h8?", Err(3)),
        ("freestyle", "h8é9", Err(3)),
        ("freestyle", "a1a2b1b2c1c2d1d2e1e2", Err(19)),
        ("renju", "h8a1i8c1i9e1h9g1j10o1k11", Ok("h8a1i8c1i9e1h9g1j10o1k11")),
        ("renju", "g8a1h9a3h7a5i8o1h8", Err(17)),
    ] {
        let game = Gomoku::parse(variant, Some(text));
        match expected {
            Ok(moves) => {
                let game = game.unwrap_or_else(|error| panic!("{text}: {error}"));
                let written: String = game.moves().iter().map(Spot::to_string).collect();
                assert_eq!(written, moves);
                let rows = Gomoku::text(game.current());
                let again = Gomoku::parse(variant, Some(&rows)).unwrap();
                assert_eq!(Gomoku::text(again.current()), rows);
                assert_eq!(again.current().key(), game.current().key(), "{text}");
                assert_eq!(again.current().outcome(), game.current().outcome());
            }
            Err(at) => match game {
                Err(SetupError::BadPosition { at: found, .. }) => assert_eq!(found, at, "{text}"),
                other => panic!("{text}: {:?}", other.map(|g| g.ply())),
            },
        }
    }
    let row = ["."; 15].concat();
    let rows = |first: &str| format!("{first}/{} o", [row.as_str(); 14].join("/"));
    assert!(Gomoku::parse("freestyle", Some(&rows("x.............."))).is_ok());
    for (text, at) in [
        (rows("x.............q"), 15),
        (rows("x............."), 15),
        (rows("xxxxx..........").replace(" o", " x"), 241),
        (format!("{row} x"), 16),
        ("x./..".to_owned(), 6),
        (rows("x..............").replace(" o", " b"), 241),
    ] {
        match Gomoku::parse("freestyle", Some(&text)) {
            Err(SetupError::BadPosition { at: found, .. }) => assert_eq!(found, at, "{text}"),
            other => panic!("{text}: {:?}", other.map(|g| g.ply())),
        }
    }
    assert!(matches!(Gomoku::parse("renju:17", None), Err(SetupError::UnknownVariant { .. })));
}

#[test]
fn a_refusal_gives_its_reason() {
    let setup = Setup { variant: Some("renju".into()), position: Some("g8a1h9a3h7a5i8o1".into()) };
    let mut table = GameTable::<Gomoku>::new(&setup).unwrap();
    let forbidden = |table: &dyn Table| -> Vec<Point> { table.restrictions().iter().map(|one| one.at).collect() };
    let at = |x, y| Action::Drop(Point::new(x, y));
    assert_eq!(table.play(at(7, 7)), Err(PlayError::Refused(Refusal::Forbidden(Forbidden::DoubleThree))));
    assert_eq!(table.refusal(at(0, 0)), Some(Refusal::Occupied));
    assert_eq!(table.refusal(at(15, 0)), Some(Refusal::OffBoard));
    assert_eq!(forbidden(&table), [Point::new(7, 7)]);
    assert!(table.play(at(9, 9)).is_ok());
    assert!(forbidden(&table).is_empty(), "white has no forbidden points");
}

/// Random games to their end and back: the tables updated by make and unmake are equal to those of a new board.
#[test]
fn make_and_unmake_keep_the_tables_true() {
    let mut random = fastrand::Rng::with_seed(5);
    for variant in VARIANTS {
        let (rule, size) = Rule::of_variant(variant).unwrap();
        let mut board = Board::new(rule, size);
        let mut played = Vec::new();
        while board.outcome().is_none() && played.len() < 150 {
            let mut moves = Vec::new();
            board.legal_moves(&mut moves);
            let spot = moves[random.usize(..moves.len())];
            played.push((spot, board.side_to_move()));
            board.make(spot);
            let stones: Vec<(Spot, Side)> = played.iter().rev().copied().collect();
            let fresh = Board::with_stones(rule, size, &stones, board.side_to_move());
            assert_eq!(fresh.key(), board.key());
            for side in Side::BOTH {
                for spot in board.empty().iter() {
                    assert_eq!(fresh.class(spot, side), board.class(spot, side));
                    assert_eq!(fresh.packed_patterns(spot, side), board.packed_patterns(spot, side));
                    assert!(board.of_class(side, board.class(spot, side)).contains(spot));
                    for direction in 0..4 {
                        assert_eq!(
                            board.pattern(spot, side, direction),
                            pattern_from_stones(&board, spot, side, direction),
                            "{spot}"
                        );
                    }
                }
                sets_are_those_of(&fresh, &board, side);
            }
        }
        for (spot, _) in played.into_iter().rev() {
            board.unmake(spot, ());
        }
        let start = Board::new(rule, size);
        assert_eq!((board.key(), board.empty()), (start.key(), start.empty()));
        for side in Side::BOTH {
            for spot in board.empty().iter() {
                assert_eq!(board.packed_patterns(spot, side), start.packed_patterns(spot, side));
            }
            sets_are_those_of(&start, &board, side);
        }
    }
}

/// The pattern of an empty point, read from the stones around it.
fn pattern_from_stones(board: &Board, spot: Spot, side: Side, direction: usize) -> Pattern {
    let (back, ahead) = board.reach(spot, direction);
    let string = |points: usize, sign: isize| {
        let digits = (1..=points).map(|distance| {
            let at = spot.index() as isize + sign * (distance * STEPS[direction]) as isize;
            let at = Spot::new((at as usize % STRIDE) as u8, (at as usize / STRIDE) as u8);
            WEIGHT[distance - 1] * board.at(at).map_or(0, |stone| if stone == side { 1 } else { 2 })
        });
        (FIRST_STRING[points] + digits.sum::<u32>()) as usize
    };
    lines::pattern(board.rule().line_rule(side), string(back, -1) * STRINGS + string(ahead, 1))
}

/// Compares the sets of points of both boards, which have the same stones.
fn sets_are_those_of(expected: &Board, board: &Board, side: Side) {
    for class in Class::ALL[..Class::COUNT].iter().copied() {
        let points = board.of_class(side, class);
        assert_eq!(points, expected.of_class(side, class), "{class:?}");
        assert_eq!((board.has(side, class), board.count(side, class)), (!points.is_empty(), points.len()));
    }
    assert_eq!(board.at_least(side, Class::Three), expected.at_least(side, Class::Three));
}

#[test]
fn a_full_board_is_a_draw() {
    // Pairs of columns, shifted by two in each row: there is no line of five.
    let mut stones = Vec::new();
    for y in 0..15u8 {
        for x in 0..15u8 {
            let side = if (x / 2 + y).is_multiple_of(2) { Side::First } else { Side::Second };
            stones.push((Spot::new(x, y), side));
        }
    }
    let board = Board::with_stones(Rule::Freestyle, 15, &stones, Side::First);
    assert!(board.winners_from_scratch().is_empty());
    assert_eq!(board.outcome(), Some(Outcome::draw(Reason::FullBoard)));
}

#[test]
fn only_forbidden_points_left_are_a_draw_that_the_search_knows() {
    // The board above, with a row of three and three black stones beside a gap, and one more empty point: if White plays there, Black has only the
    // gap, which would make seven.
    let (gap, free) = (Spot::new(3, 0), Spot::new(14, 14));
    let mut stones = Vec::new();
    for y in 0..15u8 {
        for x in 0..15u8 {
            let (spot, black) = (Spot::new(x, y), y == 0 && x < 7 || (y > 0 || x > 7) && (x / 2 + y).is_multiple_of(2));
            if spot != gap && spot != free {
                stones.push((spot, if black { Side::First } else { Side::Second }));
            }
        }
    }
    let board = Board::with_stones(Rule::Renju, 15, &stones, Side::Second);
    assert!(board.winners_from_scratch().is_empty());
    let mut after = board.clone();
    after.make(free);
    assert_eq!(after.forbidden(gap), Some(Forbidden::Overline));
    assert_eq!(after.outcome(), Some(Outcome::draw(Reason::NoMove)));
    // White cannot win: this end is a draw, and so is a full board.
    let setup = Setup { variant: Some("renju".into()), position: Some(Gomoku::text(&board)) };
    let table = GameTable::<Gomoku>::new(&setup).unwrap();
    let request = crate::table::SearchRequest { limits: crate::search::Limits::depth(1), ..Default::default() };
    let mut value = None;
    let stop = crate::search::StopToken::new();
    table.player().think(&table, &request, &stop, &mut |progress| value = Some(progress.value)).unwrap();
    assert_eq!(value.and_then(|value| value.known()), None, "{value:?}");
    assert_eq!(value, Some(crate::search::Value::Cp(0)));
}

#[test]
fn forbidden_points_are_explained() {
    let mut count = 0;
    for case in cases(RENJU) {
        let board = position("renju", case[0]);
        let setup = Setup { variant: Some("renju".into()), position: Some(Gomoku::text(&board)) };
        let table = GameTable::<Gomoku>::new(&setup).unwrap();
        for restriction in table.restrictions() {
            let Restriction { at, reason, lines } = restriction;
            assert_eq!(board.forbidden(Spot::new(at.x, at.y)), Some(reason), "{}", case[0]);
            let stones = |line: &Vec<Point>| {
                line.iter().filter(|point| board.at(Spot::new(point.x, point.y)) == Some(Side::First)).count()
            };
            for line in &lines {
                assert!(line.contains(&at) && stones(line) + 1 == line.len(), "{}: {at:?} {line:?}", case[0]);
            }
            let lengths: Vec<usize> = lines.iter().map(Vec::len).collect();
            let fits = match reason {
                Forbidden::Overline => !lengths.is_empty() && lengths.iter().all(|length| *length >= 6),
                Forbidden::DoubleFour => lengths.len() >= 2 && lengths.iter().all(|length| *length == 4),
                Forbidden::DoubleThree => lengths.len() >= 2 && lengths.iter().all(|length| *length == 3),
            };
            assert!(fits, "{}: {at:?} {reason:?} {lines:?}", case[0]);
            count += 1;
        }
    }
    assert!(count >= 40, "only {count} points");
}

#[test]
fn renju_answers_at_once_in_a_crowded_corner() {
    let setup = Setup { variant: Some("renju".into()), position: Some("h8g6f6g5f7g4h7g3g2a1".into()) };
    let table = GameTable::<Gomoku>::new(&setup).unwrap();
    let request = crate::table::SearchRequest { limits: crate::search::Limits::nodes(1), ..Default::default() };
    let mut depths = Vec::new();
    let stop = crate::search::StopToken::new();
    let action = table.player().think(&table, &request, &stop, &mut |progress| depths.push(progress.depth)).unwrap().unwrap();
    assert_eq!(table.refusal(action), None);
    assert_eq!(depths, [1], "the first depth is finished whatever the limit");
}

#[test]
fn the_table_proves_and_explains() {
    let mut prover = Gomoku::capabilities("freestyle").prover.unwrap()();
    let stop = crate::search::StopToken::new();
    let set = |variant: &str, position: &str| {
        GameTable::<Gomoku>::new(&Setup { variant: Some(variant.into()), position: Some(position.into()) }).unwrap()
    };
    // An open three: the win is proven, and there is no answer to the open four.
    let mut table = set("freestyle", "h8a1h9a15h10o1");
    let win = prover.prove(&table, 50_000, &stop).unwrap();
    assert_eq!((win.line.len(), win.text.len(), win.plies), (3, 3, 3));
    assert!(win.defences.is_some_and(|only| only.is_empty()), "no answer meets an open four");
    table.play(win.line[0]).unwrap();
    assert_eq!(prover.prove(&table, 50_000, &stop), None, "white proves nothing");
    let five = [Action::Drop(Point::new(7, 5)), Action::Drop(Point::new(7, 10))];
    let white = table.actions().into_iter().find(|action| !five.contains(action) && *action != win.line[0]).unwrap();
    table.play(white).unwrap();
    let next = prover.prove(&table, 50_000, &stop).unwrap();
    assert_eq!(next.plies, 1);
    table.play(next.line[0]).unwrap();
    assert_eq!(table.outcome().unwrap().winner, Some(Side::First));
    assert_eq!(prover.prove(&table, 50_000, &stop), None);
    // Renju's double three on h8.
    let table = set("renju", "g8a1i8a3h7a5h9a7");
    let restrictions = table.restrictions();
    assert_eq!(restrictions.iter().map(|r| r.at).collect::<Vec<_>>(), [Point::new(7, 7)]);
    assert_eq!(restrictions[0].reason, Forbidden::DoubleThree);
    assert_eq!(restrictions[0].lines.len(), 2);
}
