//! The plain searches against the board of the game, and against forced wins that are known.

use super::board::Plain;
use super::fours::Fours;
use super::threats::Threats;
use crate::games::gomoku::proof::board::{key_of, place, spot};
use crate::games::gomoku::proof::key::{Place, turned, turned_back};
use crate::games::gomoku::rules::board::Board;
use crate::games::gomoku::rules::classes::Class;
use crate::games::gomoku::rules::notation::read_moves;
use crate::games::gomoku::rules::rule::Rule;
use crate::rules::symmetry::SYMMETRIES;
use crate::rules::{Position, Side};

const FORCED: &str = include_str!("../../../../../tests/data/gomoku/forced_wins.txt");

fn plain_of(board: &Board) -> Plain {
    let size = board.size();
    let mut plain = Plain::new(size, board.rule() == Rule::Standard);
    for side in Side::BOTH {
        board.stones(side).iter().for_each(|stone| plain.put(place(stone, size), side));
    }
    plain
}

/// The positions of the file of forced wins of this kind.
fn cases(kind: &str) -> Vec<Board> {
    let lines = FORCED.lines().map(|line| line.split(';').map(str::trim).collect::<Vec<_>>());
    let wanted = lines.filter(|fields| fields[0] == kind);
    wanted.map(|fields| read_moves(Rule::Freestyle, 15, fields[1]).unwrap().current().clone()).collect()
}

#[test]
fn fives_are_those_of_the_rules() {
    let mut random = fastrand::Rng::with_seed(22);
    let (mut fives, mut won) = (0, 0);
    for game in 0..300 {
        let rule = [Rule::Freestyle, Rule::Standard][game % 2];
        let mut board = Board::new(rule, [15, 9][game / 2 % 2]);
        let size = board.size();
        let mut plain = plain_of(&board);
        while board.outcome().is_none() {
            for side in Side::BOTH {
                let mut expected: Vec<Place> = board.of_class(side, Class::Five).iter().map(|five| place(five, size)).collect();
                let mut found = plain.fives(side);
                expected.sort_unstable();
                found.sort_unstable();
                assert_eq!(found, expected, "{board:?}");
                fives += expected.len();
                assert!(!plain.has_five(side), "{board:?}");
            }
            assert_eq!(plain.key().hash, key_of(&board).hash);
            // Random moves in a small part of the board, and now and then not the five.
            let side = board.side_to_move();
            let five = board.of_class(side, Class::Five).first().filter(|_| random.bool());
            let mut moves = Vec::new();
            board.legal_moves(&mut moves);
            let near: Vec<_> = moves.iter().copied().filter(|spot| spot.point().x < 8 && spot.point().y < 8).collect();
            let list = if near.is_empty() { &moves } else { &near };
            let mv = five.unwrap_or_else(|| list[random.usize(..list.len())]);
            board.make(mv);
            plain.put(place(mv, size), side);
        }
        if let Some(winner) = board.winner() {
            won += 1;
            assert!(plain.has_five(winner), "{board:?}");
        }
    }
    assert!(fives > 1_000 && won > 100, "{fives} {won}");
}

#[test]
fn fives_after_a_stone_are_those_with_it() {
    let mut random = fastrand::Rng::with_seed(31);
    let mut found = 0;
    for game in 0..200 {
        let mut plain = Plain::new([15, 9][game % 2], game % 4 < 2);
        for _ in 0..40 {
            let side = Side::BOTH[random.usize(..2)];
            let place = random.u16(..plain.points());
            if !plain.is_empty(place) {
                continue;
            }
            if plain.fives(side).is_empty() {
                let mut after = plain.fives_after(place, side);
                plain.put(place, side);
                let mut with = plain.fives(side);
                plain.take(place);
                after.sort_unstable();
                with.sort_unstable();
                assert_eq!(after, with);
                found += after.len();
            }
            plain.put(place, side);
        }
    }
    assert!(found > 100, "{found}");
}

#[test]
fn stones_taken_away_leave_no_trace() {
    let mut plain = Plain::new(15, false);
    let empty = plain.print();
    for (place, side) in [(112, Side::First), (97, Side::Second), (113, Side::First)] {
        let after = plain.print_after(place, side);
        plain.put(place, side);
        assert_eq!(plain.print(), after);
    }
    let (key, print) = (plain.key(), plain.print());
    for symmetry in 0..SYMMETRIES {
        plain.rearrange(|place| turned(place, symmetry, 15));
        assert_eq!(plain.key().hash, key.hash);
        plain.rearrange(|place| turned_back(place, symmetry, 15));
        assert_eq!(plain.print(), print);
    }
    [113, 97, 112].into_iter().for_each(|place| plain.take(place));
    assert_eq!(plain.print(), empty);
    assert!(plain.builders(Side::First, 3).is_empty());
}

#[test]
fn wins_by_fours_are_found_and_are_wins() {
    let mut count = 0;
    for root in cases("VCF") {
        let (side, size) = (root.side_to_move(), root.size());
        let mut plain = plain_of(&root);
        let Some(line) = Fours::new(side).find(&mut plain, 100_000) else { panic!("{root:?}") };
        // By the rules of the game: each four leaves the opponent one move.
        let mut board = root.clone();
        for &(four, reply) in &line.steps {
            assert!(board.of_class(!side, Class::Five).iter().all(|five| five == spot(four, size)));
            board.make(spot(four, size));
            assert_eq!(board.of_class(side, Class::Five).iter().collect::<Vec<_>>(), [spot(reply, size)]);
            board.make(spot(reply, size));
        }
        board.make(spot(line.last, size));
        if board.winner().is_none() {
            assert_eq!(board.count(!side, Class::Five), 0);
            assert!(board.count(side, Class::Five) > 1);
        }
        count += 1;
    }
    assert!(count >= 20, "only {count}");
}

/// The cases are hard ones; the tree names the moves of those that are not found.
#[test]
fn wins_by_threes_are_found() {
    let (mut found, mut count) = (0, 0);
    for root in cases("VCT") {
        let mut threats = Threats::new(root.side_to_move());
        count += 1;
        found += u32::from(threats.find(&mut plain_of(&root), 4_000).is_some());
    }
    assert!(count >= 50 && found >= 10, "{found} of {count}");
}

#[test]
fn nothing_is_won_where_nothing_is() {
    for moves in ["", "h8i8", "h8i9g7i7", "h8h9i9g7j10k11"] {
        let board = read_moves(Rule::Freestyle, 15, moves).unwrap().current().clone();
        for side in Side::BOTH {
            assert_eq!(Threats::new(side).find(&mut plain_of(&board), 4_000), None, "{moves} {side:?}");
        }
    }
}

/// What the walk relies on when it leaves a reply out.
#[test]
fn a_stone_outside_the_zone_changes_nothing() {
    let mut outside = 0;
    for root in cases("VCF").into_iter().chain(cases("VCT")).step_by(3) {
        let (attacker, mut plain) = (root.side_to_move(), plain_of(&root));
        let mut threats = Threats::new(attacker);
        let Some(win) = threats.find(&mut plain, 2_000) else { continue };
        for place in (0..plain.points()).filter(|&place| !win.zone.has(place)) {
            if !plain.is_empty(place) {
                continue;
            }
            plain.put(place, !attacker);
            outside += 1;
            assert!(threats.find(&mut plain, 40_000).is_some(), "{root:?}: {}", spot(place, 15));
            plain.take(place);
        }
    }
    assert!(outside > 1_000, "only {outside}");
}
