//! The proofs that come with the program, and what they say about a position.

use super::board::{key_of, place, spot, stones};
use super::key::{Place, key, turned, turned_back};
use super::tree::Tree;
use super::verifier::{Line, Plain, THREATS, Threats};
use crate::games::gomoku::rules::board::Board;
use crate::games::gomoku::rules::classes::Class;
use crate::games::gomoku::rules::rule::Rule;
use crate::games::gomoku::rules::spot::{Spot, Spots};
use crate::games::large;
use crate::rules::{Position, Side};
use std::sync::OnceLock;

/// A move of the winner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The move.
    pub spot: Spot,
    /// The winner's own moves to the five, this one included, at most; `None` if not all replies to it are answered yet.
    pub moves: Option<u16>,
}

/// A position with a proven result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proven {
    /// The side that wins.
    pub winner: Side,
    /// Its own moves to the five, at most.
    pub moves: u16,
}

/// The proof for a rule and a size of the board, if there is one.
pub fn tree(rule: Rule, size: u8) -> Option<&'static Tree> {
    static TREES: [OnceLock<Option<Tree>>; 2] = [const { OnceLock::new() }; 2];
    let exact = match (rule, size) {
        (Rule::Freestyle, 15) => false,
        (Rule::Standard, 15) => true,
        _ => return None,
    };
    let read =
        || Tree::read(large::gomoku_proof(exact)?).ok().filter(|tree| tree.title().exact == exact && tree.title().size == size);
    TREES[usize::from(exact)].get_or_init(read).as_ref()
}

/// The stones of the side that wins, less those of the other: 0 with the winner to move. `None` for other numbers of stones.
fn turn(board: &Board, winner: Side) -> Option<usize> {
    let ahead = board.stones(winner).len().checked_sub(board.stones(!winner).len())?;
    let turn = if board.side_to_move() == winner { 0 } else { 1 };
    (ahead == turn && board.outcome().is_none()).then_some(ahead)
}

/// The move of the proof, with the winner to move.
pub fn answer(board: &Board) -> Option<Answer> {
    let tree = tree(board.rule(), board.size())?;
    let found = turn(board, tree.title().winner())? == 0;
    look_up(tree, stones(board)).filter(|_| found)
}

/// The answer in the position with these stones.
fn look_up(tree: &Tree, stones: impl Iterator<Item = (Place, Side)>) -> Option<Answer> {
    let (title, mut count) = (tree.title(), 0);
    let answer = tree.answer(key(stones.inspect(|_| count += 1), title.size))?;
    let whole = title.open.is_empty() || count > title.stones.len();
    Some(Answer { spot: spot(answer.place, title.size), moves: whole.then_some(answer.moves) })
}

/// What is proven about a position in the tree: one with an answer, or one after an answer.
pub fn known(board: &Board) -> Option<Proven> {
    let tree = tree(board.rule(), board.size())?;
    let winner = tree.title().winner();
    if turn(board, winner)? == 0 {
        return Some(Proven { winner, moves: answer(board)?.moves? });
    }
    // The last move may be any of the winner's stones.
    let before = |last: Spot| {
        let without = stones(board).filter(|stone| *stone != (place(last, board.size()), winner));
        let answer = look_up(tree, without).filter(|answer| answer.spot == last)?;
        Some(answer.moves?.saturating_sub(1))
    };
    let moves = board.stones(winner).iter().filter_map(before).min()?;
    Some(Proven { winner, moves })
}

/// Plays the winner's moves of a proof: those of the tree, and where the tree leaves the win to threats, a win found in the way of the check. It keeps to
/// that win, so that it never takes more moves than were told before.
#[derive(Default)]
pub struct Player(Option<Course>);

/// How the win goes on after the last move.
struct Course {
    /// The stones of both sides, the winner's first.
    stones: [Spots; 2],
    /// The winner's own moves to the five at most, from here on.
    left: Option<u16>,
    /// The position in the orientation of a symmetry, without stones of the defender that do not touch the win.
    plain: Plain,
    symmetry: usize,
    plan: Plan,
}

enum Plan {
    /// The last move was an answer of the tree, or blocked a five in it.
    Tree,
    /// A win by threats, proven by this search.
    Threats(Threats),
    /// Fours, and how many of them are made.
    Fours(Line, usize),
}

/// The position in the orientation of a symmetry.
fn plain(board: &Board, symmetry: usize) -> Plain {
    let size = board.size();
    let mut plain = Plain::new(size, board.rule() == Rule::Standard);
    stones(board).for_each(|(place, side)| plain.put(turned(place, symmetry, size), side));
    plain
}

impl Player {
    /// The winner's move in a position that the tree answers, or that follows the last move of this player; otherwise `None`.
    pub fn next(&mut self, board: &Board) -> Option<Answer> {
        let course = self.0.take();
        let symmetry = key_of(board).symmetry;
        if let Some(answer) = answer(board) {
            self.0 = Some(Course::new(board, plain(board, symmetry), symmetry, answer, Plan::Tree));
            return Some(answer);
        }
        let mut course = course?;
        let (side, size) = (board.side_to_move(), board.size());
        let mut replies = *board.stones(!side);
        replies.subtract(&course.stones[1]);
        let reply = replies.first().filter(|_| replies.len() == 1 && *board.stones(side) == course.stones[0])?;
        if let Some(spot) = board.of_class(side, Class::Five).first() {
            return Some(Answer { spot, moves: Some(1) });
        }
        let left = course.left;
        let (plain, symmetry, plan) = match course.plan {
            Plan::Tree => {
                if let Some(spot) = board.of_class(!side, Class::Five).first() {
                    let answer = Answer { spot, moves: left };
                    self.0 = Some(Course::new(board, plain(board, symmetry), symmetry, answer, Plan::Tree));
                    return Some(answer);
                }
                let mut now = plain(board, symmetry);
                let mut threats = Threats::new(side);
                match threats.find(&mut now, THREATS) {
                    Some(win) if left.is_none_or(|left| win.moves <= left) => (now, symmetry, Plan::Threats(threats)),
                    _ => {
                        // The reply touches no win that was there without it.
                        let (mut before, symmetry) = (course.plain, course.symmetry);
                        let fours = threats.against_fours(&mut before);
                        if let Some((line, _)) = fours.filter(|(line, _)| left.is_none_or(|left| line.moves() <= left)) {
                            (before, symmetry, Plan::Fours(line, 0))
                        } else {
                            threats.find(&mut before, THREATS)?;
                            (before, symmetry, Plan::Threats(threats))
                        }
                    }
                }
            }
            Plan::Threats(threats) => {
                let reply = turned(place(reply, size), course.symmetry, size);
                course.plain.put(reply, !side);
                if threats.proves(&course.plain) {
                    (course.plain, course.symmetry, Plan::Threats(threats))
                } else {
                    course.plain.take(reply);
                    let line = threats.fours(&course.plain)?;
                    (course.plain, course.symmetry, Plan::Fours(line, 0))
                }
            }
            plan @ Plan::Fours(..) => (course.plain, course.symmetry, plan),
        };
        self.go_on(board, plain, symmetry, plan)
    }

    /// The next move of a win by threats.
    fn go_on(&mut self, board: &Board, mut plain: Plain, symmetry: usize, plan: Plan) -> Option<Answer> {
        let size = board.size();
        let (first, moves, plan) = match plan {
            Plan::Threats(threats) => match threats.fours(&plain) {
                Some(line) => return self.go_on(board, plain, symmetry, Plan::Fours(line, 0)),
                None => (threats.first(&plain)?, threats.moves(&mut plain), Plan::Threats(threats)),
            },
            Plan::Fours(line, made) => {
                let first = line.steps.get(made).map_or(line.last, |(four, _)| *four);
                (first, line.moves() - made as u16, Plan::Fours(line, made + 1))
            }
            Plan::Tree => return None,
        };
        let spot = spot(turned_back(first, symmetry, size), size);
        if !board.is_empty(spot) {
            return None;
        }
        let answer = Answer { spot, moves: Some(moves) };
        self.0 = Some(Course::new(board, plain, symmetry, answer, plan));
        Some(answer)
    }
}

impl Course {
    /// How the win goes on after this answer.
    fn new(board: &Board, mut plain: Plain, symmetry: usize, answer: Answer, plan: Plan) -> Course {
        let (side, size) = (board.side_to_move(), board.size());
        let mut own = *board.stones(side);
        own.insert(answer.spot);
        plain.put(turned(place(answer.spot, size), symmetry, size), side);
        Course {
            stones: [own, *board.stones(!side)],
            left: answer.moves.map(|moves| moves.saturating_sub(1)),
            plain,
            symmetry,
            plan,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::gomoku::engine::threats;
    use crate::games::gomoku::proof::players::ProofEngine;
    use crate::games::gomoku::rules::notation::read_moves;
    use crate::rules::History;
    use crate::search::{Engine, Info, Job, Limits, StopToken, Value};
    use crate::table::EngineOptions;

    /// The rules with a proof.
    const PROVEN: [Rule; 2] = [Rule::Freestyle, Rule::Standard];

    fn board_of(rule: Rule, moves: &str) -> Board {
        read_moves(rule, 15, moves).unwrap().current().clone()
    }

    #[test]
    fn the_first_stones_are_known() {
        assert!(tree(Rule::Renju, 15).is_none() && tree(Rule::Freestyle, 19).is_none());
        PROVEN.into_iter().for_each(know_the_first_stones);
    }

    fn know_the_first_stones(rule: Rule) {
        let board = |moves: &str| board_of(rule, moves);
        let shipped = tree(rule, 15).expect("the file is a tree");
        let middle = Spot::from_name("h8", 15).unwrap();
        assert_eq!(answer(&board("")).unwrap().spot, middle);
        // The same far corner, turned by all symmetries.
        let replies = ["o15", "o1", "a15", "a1"];
        let moves = known(&board("h8o15")).unwrap().moves;
        for reply in replies {
            let position = board(&format!("h8{reply}"));
            let answer = answer(&position).unwrap();
            assert_eq!((known(&position), answer.moves), (Some(Proven { winner: Side::First, moves }), Some(moves)));
            let mut after = position.clone();
            after.make(answer.spot);
            assert_eq!(known(&after), Some(Proven { winner: Side::First, moves: moves - 1 }));
        }
        // Nothing is said of stones elsewhere, of the other colour, or with the other side to move.
        assert_eq!(known(&board("a1o15")), None);
        assert_eq!(known(&board("o15h8")), None);
        let stones = [(middle, Side::First), (Spot::from_name("o15", 15).unwrap(), Side::Second)];
        assert_eq!(known(&Board::with_stones(rule, 15, &stones, Side::Second)), None);
        // The beginning is claimed only if every reply is answered.
        let whole = shipped.title().open.is_empty();
        assert_eq!((answer(&board("")).unwrap().moves.is_some(), known(&board("h8")).is_some()), (whole, whole));
    }

    /// The engine plays from the proof: it wins against every defence, and never takes more moves than it said before.
    #[test]
    fn the_engine_wins_from_the_proof() {
        PROVEN.into_iter().for_each(win_from_the_proof);
    }

    fn win_from_the_proof(rule: Rule) {
        let mut random = fastrand::Rng::with_seed(9);
        let mut of_proof = 0;
        // Far from the first stone, and near it.
        let starts = ["h8o15", "h8k10", "h8j8"];
        for game in 0..40 {
            let options = EngineOptions { hash_mb: 1, ..EngineOptions::default() };
            let mut engine = ProofEngine::new(&options);
            let mut board = board_of(rule, starts[game / 3 % starts.len()]);
            let mut left = i32::MAX;
            while board.outcome().is_none() {
                if board.side_to_move() == Side::First {
                    of_proof += u32::from(answer(&board).is_some());
                    let mut told = None;
                    let mut info = |info: Info<Spot>| told = Some(info.value);
                    let limits = Limits { nodes: Some(200_000), ..Limits::default() };
                    let job = Job { from_proof: true, ..Job::new(limits, StopToken::new(), &mut info) };
                    let spot = engine.think(&History::new(board.clone()), job).unwrap();
                    match told {
                        Some(Value::Mate(moves)) => assert!(moves > 0 && moves < left, "{board:?}: {moves}"),
                        told => panic!("{board:?}: {told:?}"),
                    }
                    if let Some(Value::Mate(moves)) = told {
                        left = moves;
                    }
                    board.make(spot);
                } else {
                    // Forced replies, and otherwise any point, often one near the stones.
                    let forced = threats::forced(&board).filter(|spots| !spots.is_empty() && random.u8(..8) > 0);
                    let spots = forced.unwrap_or_else(|| if game % 3 == 0 { *board.empty() } else { board.near_stones() });
                    board.make(spots.iter().nth(random.usize(..spots.len())).unwrap());
                }
            }
            assert_eq!(board.winner(), Some(Side::First), "{board:?}");
        }
        assert!(of_proof > 80, "{of_proof}");
    }
}
