//! The moves of both sides in a position, and the order in which they are tried.

use super::advice::{self, Advice};
use super::node::{Choice, INFINITE, Node};
use super::search::Maker;
use super::threats::Win;
use crate::gomoku::proof::work::Known;
use qiju_core::games::gomoku::engine::threats;
use qiju_core::games::gomoku::engine::values;
use qiju_core::games::gomoku::proof::board::{key_of, place, spot};
use qiju_core::games::gomoku::proof::key::{Key, turned, turned_back};
use qiju_core::games::gomoku::rules::board::Board;
use qiju_core::games::gomoku::rules::classes::Class;
use qiju_core::games::gomoku::rules::spot::{Spot, Spots};
use qiju_core::rules::Position;
use std::collections::HashSet;

/// Node budgets of the search for threats: of a position with the winner to move, of the threat that a move of the winner makes, and of a
/// reply when the replies are looked at together. Each effort doubles them.
pub const LEAF: u64 = 2_000;
const THREAT: u64 = 1_000;
const QUICK: u64 = 100;
/// Up to this number of stones the winner may make a move that threatens nothing, and every reply is tried.
const QUIET: usize = 7;
/// If no win after a pass is found beyond that, the move counts so much, and each further of so many searches has eight times the nodes.
const PENDING: u32 = 8;
const TRIES: u32 = 3;
/// With so many moves left a win takes fours and threes alone.
const THREATS_ONLY: u16 = 3;
/// Up to this number of stones the engine's move is kept in the work, and another one is tried last.
const FEW: usize = 3;
const MOST_HANDICAP: u32 = 100_000;
/// Added to all other moves if the engine says that its move wins, and if it does not.
const CLAIMED: u32 = 200;
const SUGGESTED: u32 = 8;
/// Added to the number of a position in which the engine sees no win.
const DOUBT: u32 = 16;
/// Added to threes and to fours, which are cheap to try and often lead nowhere.
const OF_THREE: u32 = 3;
const OF_FOUR: u32 = 4;
/// Moves of the winner in one position.
const WIDTH: usize = 40;
/// So many ranks count as one.
const RANKS: u32 = 2;

impl Maker<'_> {
    /// The win that the winner would have if the defender passed, if one is found with this number of nodes; and whether it is certain that none can be found.
    fn after_pass(&mut self, board: &mut Board, nodes: u64) -> (Option<Win>, bool) {
        board.pass();
        let found = (self.threats.find(board, nodes), self.threats.is_refuted(board));
        board.pass();
        found
    }

    /// The position after one more search for a win after a pass of the defender, with more nodes than the `tries` before.
    pub fn look_again(&mut self, board: &mut Board, tries: u32) -> Node {
        let (win, refuted) = self.after_pass(board, self.budget(board, THREAT) << (3 * tries));
        match win {
            Some(win) => Node::against(board, win.zone),
            None if refuted || tries >= TRIES => Node::of(INFINITE, Vec::new()),
            None => Node { pending: tries + 1, ..Node::of(PENDING << (2 * tries), Vec::new()) },
        }
    }

    /// The move of the hints or of an earlier run for a position: that of a line, of a win that took too long, of a tree, or the one that was chosen.
    fn named(&self, known: Key, board: &Board) -> Option<Spot> {
        let size = board.size();
        let (longer, chosen) = match self.work.known(known.hash, self.left(board)) {
            Some(Known::Longer(place)) if self.hints.is_some() => (Some(place), None),
            Some(Known::Chosen(place)) => (None, Some(place)),
            _ => (None, None),
        };
        let back = |place| turned_back(place, known.symmetry, size);
        let line = self.hints.and_then(|hints| hints.of_line(board));
        let tree = || self.hints.and_then(|hints| hints.of_tree(board));
        line.or(longer.map(back)).or_else(tree).or(chosen.map(back)).map(|place| spot(place, size))
    }

    /// Puts the move of the hints first, or asks the engine and puts its move first. Returns what is added to the number of the position.
    pub fn ask(&mut self, board: &Board, choices: &mut Vec<Choice>, asked: u32) -> u32 {
        let (size, known) = (board.size(), key_of(board));
        let kept = self.named(known, board);
        let advice = match kept.filter(|spot| asked == 0 && board.is_empty(*spot)) {
            Some(spot) => Some(Advice { spot, wins: true }),
            None => self.adviser.ask(board, advice::nodes(board.stone_count(), asked), self.left(board), self.stop),
        };
        let Some(Advice { spot, wins }) = advice.filter(|_| !self.stop.is_stopped()) else { return 0 };
        let few = board.stone_count() <= FEW;
        if few && wins && kept != Some(spot) {
            self.work.add(known.hash, Known::Chosen(turned(place(spot, size), known.symmetry, size)));
        }
        let more = match wins {
            true if few => MOST_HANDICAP,
            true => CLAIMED,
            false => SUGGESTED,
        };
        choices.retain(|choice| choice.spot != spot);
        choices.insert(0, Choice { spot, key: board.key_after(spot), rank: 0, handicap: 0 });
        for (rank, choice) in (1..).zip(&mut choices[1..]) {
            (choice.rank, choice.handicap) = (rank, rank / RANKS + more);
        }
        if wins { 0 } else { DOUBT }
    }

    /// A position with the winner to move, seen for the first time.
    pub fn winner_node(&mut self, board: &mut Board) -> Node {
        if self.is_known(board) {
            return Node::of(0, Vec::new());
        }
        if self.left(board) == 0 {
            return Node::of(INFINITE, Vec::new());
        }
        let blocks = board.of_class(!self.winner, Class::Five);
        if !board.has(self.winner, Class::Five) && blocks.len() > 1 {
            return Node::of(INFINITE, Vec::new());
        }
        if let Some(win) = self.threats.find(board, self.budget(board, LEAF)) {
            return Node { zone: Some(win.zone), ..Node::of(0, Vec::new()) };
        }
        if self.left(board) <= THREATS_ONLY && self.threats.is_refuted(board) {
            return Node::of(INFINITE, Vec::new());
        }
        let side = self.winner;
        let spots = if !blocks.is_empty() {
            blocks
        } else if threats::open_four(board, !side).is_some() {
            threats::against_open_four(board, side)
        } else {
            board.near_stones()
        };
        let forced = !blocks.is_empty();
        let mut tried = self.table.similar(board);
        tried.retain(|spot| !forced || spots.contains(*spot));
        let worth = |spot| values::ordering_score(board, spot, side) + values::ordering_score(board, spot, !side) / 2;
        let mut list: Vec<(i32, Spot)> = spots.iter().map(|spot| (worth(spot), spot)).collect();
        list.retain(|(_, spot)| !tried.contains(spot));
        list.sort_by_key(|(worth, _)| std::cmp::Reverse(*worth));
        list.truncate(WIDTH);
        let ordered = tried.into_iter().chain(list.into_iter().map(|(_, spot)| spot));
        let choice = |(rank, spot)| {
            let rank = rank as u32;
            let forcing = match board.class(spot, side) {
                _ if forced => 0,
                class if class >= Class::Four => OF_FOUR,
                class if class >= Class::Three => OF_THREE,
                _ => 0,
            };
            Choice { spot, key: board.key_after(spot), rank, handicap: rank / RANKS + forcing }
        };
        let choices: Vec<Choice> = ordered.enumerate().map(choice).collect();
        Node::of(if choices.is_empty() { INFINITE } else { 1 }, choices)
    }

    /// A position with the defender to move, seen for the first time.
    pub fn defender_node(&mut self, board: &mut Board) -> Node {
        let side = !self.winner;
        if board.winner().is_some() {
            return Node::of(0, Vec::new());
        }
        if board.has(side, Class::Five) || board.empty().is_empty() || self.left(board) == 0 {
            return Node::of(INFINITE, Vec::new());
        }
        let fives = board.of_class(self.winner, Class::Five);
        let replies = match fives.len() {
            0 => match self.after_pass(board, self.budget(board, THREAT)) {
                (Some(win), _) => win.zone,
                (None, _) if board.stone_count() <= QUIET => *board.empty(),
                (None, true) => return Node::of(INFINITE, Vec::new()),
                (None, false) => return Node { pending: 1, ..Node::of(PENDING, Vec::new()) },
            },
            1 => fives,
            // One of two fives cannot be stopped.
            _ => return Node::of(0, Vec::new()),
        };
        Node::against(board, replies)
    }

    /// The replies that are not refuted at once.
    pub fn open_replies(&mut self, board: &mut Board, replies: Spots) -> Vec<Choice> {
        let side = !self.winner;
        // Replies that do little are refuted first: what refutes them refutes many others.
        let danger = |spot| values::ordering_score(board, spot, side) + values::ordering_score(board, spot, !side);
        let mut list: Vec<(i32, Spot)> = replies.iter().map(|spot| (danger(spot), spot)).collect();
        list.sort_by_key(|(danger, _)| *danger);
        let mut seen = HashSet::new();
        let mut left = replies;
        for &(_, spot) in &list {
            if !left.contains(spot) {
                continue;
            }
            board.make(spot);
            let key = key_of(board);
            let known = matches!(self.work.known(key.hash, self.left(board)), Some(Known::Won(_))) || !seen.insert(key.hash);
            let win = if known { None } else { self.threats.find(board, QUICK << self.effort) };
            board.unmake(spot, ());
            if let Some(win) = win {
                left.intersect(&win.zone);
            }
            if known || win.is_some() {
                left.remove(spot);
            }
        }
        list.retain(|(_, spot)| left.contains(*spot));
        list.iter().rev().map(|&(_, spot)| Choice { spot, key: board.key_after(spot), rank: 0, handicap: 0 }).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gomoku::proof::hints::Hints;
    use crate::gomoku::proof::work::Work;
    use qiju_core::games::gomoku::rules::notation::read_moves;
    use qiju_core::games::gomoku::rules::rule::Rule;
    use qiju_core::rules::Side;
    use qiju_core::search::StopToken;

    /// What no number of nodes can change is given up at once: a move that would threaten nothing within the moves that are left.
    #[test]
    fn a_move_that_threatens_nothing_soon_enough_is_given_up_at_once() {
        let root = read_moves(Rule::Freestyle, 15, "h8a1i8o15a15o1h15a8o8h1").unwrap().current().clone();
        let (work, hints, stop) = (Work::in_memory(), Hints::default(), StopToken::new());
        let after = |moves: usize, name: &str| {
            let mut board = root.clone();
            let mut maker = Maker::new(Side::First, 15, &work, &hints, &stop).within(board.stones(Side::First).len() + moves);
            board.make(Spot::from_name(name, 15).unwrap());
            maker.defender_node(&mut board)
        };
        // The third stone in a row would be followed by two more, a stone apart from the others by four.
        for (moves, name, lost) in [(3, "j8", false), (2, "j8", true), (4, "c3", true)] {
            let node = after(moves, name);
            assert_eq!((node.proof >= INFINITE, node.replies.is_some()), (lost, !lost), "{moves} {name}");
        }
        // So is a position without a threat that has three moves left.
        let mut board = root.clone();
        for (moves, lost) in [(3, true), (5, false)] {
            let mut maker = Maker::new(Side::First, 15, &work, &hints, &stop).within(board.stones(Side::First).len() + moves);
            assert_eq!(maker.winner_node(&mut board).proof >= INFINITE, lost, "{moves}");
        }
    }

    /// The choice of an earlier run is tried first, also if the position is turned, and nothing is asked.
    #[test]
    fn a_kept_choice_comes_first() {
        let board = |moves: &str| read_moves(Rule::Freestyle, 15, moves).unwrap().current().clone();
        let (work, hints, stop) = (Work::in_memory(), Hints::default(), StopToken::new());
        let (known, chosen) = (key_of(&board("h8n8")), Spot::from_name("g7", 15).unwrap());
        work.add(known.hash, Known::Chosen(turned(place(chosen, 15), known.symmetry, 15)));
        for (moves, names) in [("h8n8", ["g7", "g9"]), ("h8h14", ["g7", "i7"])] {
            let board = board(moves);
            let mut maker = Maker::new(Side::First, 15, &work, &hints, &stop);
            let mut choices = maker.winner_node(&mut board.clone()).choices;
            assert_eq!(maker.ask(&board, &mut choices, 0), 0);
            let first = choices[0].spot.to_string();
            assert!(names.contains(&first.as_str()), "{moves}: {first}");
            assert!(choices[0].handicap == 0 && choices[1..].iter().all(|choice| choice.handicap >= MOST_HANDICAP));
        }
        // So is a hint, with any number of stones; it comes before the choice.
        let mut hints = Hints::default();
        hints.add(b"h8n8f9\nh8n8g7n7i9".to_vec(), Rule::Freestyle, 15).unwrap();
        for (moves, names) in [("h8n8", ["f9", "f7"]), ("h8n8g7n7", ["i9"; 2])] {
            let board = board(moves);
            let mut maker = Maker::new(Side::First, 15, &work, &hints, &stop);
            let mut choices = maker.winner_node(&mut board.clone()).choices;
            assert_eq!(maker.ask(&board, &mut choices, 0), 0);
            assert!(names.contains(&choices[0].spot.to_string().as_str()), "{moves}: {}", choices[0].spot);
            assert!(choices[0].handicap == 0 && choices[1..].iter().all(|choice| choice.handicap >= CLAIMED));
        }
        // What won with more moves comes before what a tree names, but not before a line, and not where all is tried anew.
        work.add(
            key_of(&board("h8n8g7n7")).hash,
            Known::Longer(turned(place(Spot::from_name("f6", 15).unwrap(), 15), key_of(&board("h8n8g7n7")).symmetry, 15)),
        );
        let none = Hints::default();
        let first = |hints| {
            let board = board("h8n8g7n7");
            let mut maker = Maker::new(Side::First, 15, &work, &none, &stop);
            maker.take_hints(hints);
            maker.named(key_of(&board), &board).map(|spot| spot.to_string())
        };
        assert_eq!([first(Some(&hints)), first(Some(&none))].map(Option::unwrap), ["i9", "f6"]);
        assert_eq!(first(None), None);
        let hints = Hints::default();
        // With more stones no choice is kept, and a raised token leaves all as it is.
        stop.stop();
        let mut maker = Maker::new(Side::First, 15, &work, &hints, &stop);
        let board = board("h8n8g7n7");
        let mut choices = maker.winner_node(&mut board.clone()).choices;
        let before: Vec<Spot> = choices.iter().map(|choice| choice.spot).collect();
        assert_eq!(maker.ask(&board, &mut choices, 0), 0);
        assert_eq!(choices.iter().map(|choice| choice.spot).collect::<Vec<_>>(), before);
    }
}
