//! Outcomes that depend on the history: repetition with perpetual check and chase, and moves without a capture.
//!
//! The rule is that of the Asian Xiangqi Federation. When a position occurs for the third time, the moves since its first
//! occurrence are examined: a side that gave check with each of its moves loses, unless both did; otherwise a side that chased
//! the same piece with each of its moves loses, unless both did; everything else is a draw. A move *chases* a piece if it makes
//! a new attack that would win it:
//! - The attacker is not a general or a soldier; it is the piece that moved or any other. The piece is not the general, nor a
//!   soldier that has not crossed the river.
//! - The attack is new: before the move this attacker could not capture this piece. If it could, the move still chases if it
//!   pins a guard of the piece. It does not if the piece lost its guard in another way: the attack itself was there before.
//! - It would win: the piece is worth more than its attacker, or no legal move recaptures the attacker. A check by the same
//!   move does not matter: the guards count as if it were answered.
//! - Two pieces of the same kind that can capture each other are an offer to exchange, not a chase.

use super::attacks::{Bits, Points, bit};
use super::board::{Board, Move};
use super::piece::{Piece, Role};
use crate::rules::{History, Outcome, Position, Reason, Side};

/// The plies without a capture that make a draw: sixty moves by each side.
pub const QUIET_LIMIT: u16 = 120;

/// The meaning of a third occurrence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Repetition {
    /// Perpetual check and chase lose (Asian Xiangqi Federation).
    #[default]
    Judged,
    /// Always a draw.
    Draw,
}

/// The outcome by rules that need the history.
pub fn adjudicate(history: &History<Board>) -> Option<Outcome> {
    let key = history.current().key();
    let mut stood = history.keys().enumerate().filter(|(_, k)| *k == key).map(|(index, _)| index);
    if let (Some(first), Some(_), Some(_)) = (stood.next(), stood.next(), stood.next()) {
        return Some(match history.current().repetition() {
            Repetition::Judged => judge(&history.positions()[first], &history.moves()[first..]),
            Repetition::Draw => Outcome::draw(Reason::Repetition),
        });
    }
    (history.current().quiet_plies() >= QUIET_LIMIT).then(|| Outcome::draw(Reason::MoveLimit))
}

/// The outcome of a cycle: the moves lead from `start` back to `start`.
pub fn judge(start: &Board, cycle: &[Move]) -> Outcome {
    let mut board = start.clone();
    let mut checks = [true; 2];
    for &mv in cycle {
        let mover = board.turn();
        board.apply(mv);
        checks[mover.index()] &= board.in_check(!mover);
    }
    match checks {
        [true, true] => return Outcome::draw(Reason::Repetition),
        [false, false] => {}
        [first, _] => return Outcome::win(if first { Side::Second } else { Side::First }, Reason::PerpetualCheck),
    }
    match chases(start, cycle) {
        [true, false] => Outcome::win(Side::Second, Reason::PerpetualChase),
        [false, true] => Outcome::win(Side::First, Reason::PerpetualChase),
        _ => Outcome::draw(Reason::Repetition),
    }
}

/// For each side, whether it chased the same piece with each of its moves.
fn chases(start: &Board, cycle: &[Move]) -> [bool; 2] {
    let mut board = start.clone();
    // Pieces are identified by their point at the start of the cycle.
    let mut known: [u8; 90] = std::array::from_fn(|at| at as u8);
    let mut hunted: [Bits; 2] = [!0; 2];
    for &mv in cycle {
        let mover = board.turn().index();
        if hunted == [0; 2] {
            break;
        }
        if hunted[mover] == 0 {
            board.apply(mv);
        } else {
            let chased = chased(&mut board, mv);
            hunted[mover] &= Points(chased).fold(0, |pieces, at| pieces | bit(usize::from(known[at])));
        }
        known.swap(mv.from(), mv.to());
    }
    hunted.map(|pieces| pieces != 0)
}

/// Makes the move and returns the pieces it chases.
fn chased(board: &mut Board, mv: Move) -> Bits {
    let before = board.clone();
    let mover = board.turn();
    board.apply(mv);
    board.pass();
    let after = &*board;
    let mut found = 0;
    for from in Points(after.side(mover)) {
        let Some(hunter) = after.at(from) else { continue };
        if matches!(hunter.role(), Role::General | Role::Soldier) {
            continue;
        }
        let stood = if from == mv.to() { mv.from() } else { from };
        for at in Points(after.reach(hunter, from) & after.side(!mover)) {
            let (capture, earlier) = (Move::new(from, at), Move::new(stood, at));
            if is_threat(after, capture)
                && (!can_capture(&before, earlier)
                    || pins_guard(&before, earlier, after, capture) && !is_threat(&before, earlier))
            {
                found |= bit(at);
            }
        }
    }
    board.pass();
    found
}

/// True if a piece of the side to move threatens to win the piece on the target of this capture.
fn is_threat(board: &Board, capture: Move) -> bool {
    let (from, at) = (capture.from(), capture.to());
    let (Some(hunter), Some(prey)) = (board.at(from), board.at(at)) else { return false };
    if is_no_prey(prey, at) || !can_capture(board, capture) {
        return false;
    }
    let dearer = match hunter.role() {
        Role::Horse | Role::Cannon => prey.role() == Role::Chariot,
        Role::Advisor | Role::Elephant => matches!(prey.role(), Role::Chariot | Role::Horse | Role::Cannon),
        _ => false,
    };
    dearer || !(hunter.role() == prey.role() && strikes_back(board, Move::new(at, from))) && guards(board, capture).free == 0
}

/// True if the move is possible and opens no attack on the mover's own general. A check that stands already is no hindrance.
fn can_capture(board: &Board, capture: Move) -> bool {
    board.is_pseudo_legal(capture) && opens_no_attack(board, capture, attackers_of_general(board, board.turn()))
}

/// The pieces that protect a piece.
struct Guards {
    /// All pieces that reach its point after the capture.
    all: Bits,
    /// Those that may recapture.
    free: Bits,
}

/// The pieces that protect the piece on the target of this capture.
fn guards(board: &Board, capture: Move) -> Guards {
    let standing = attackers_of_general(board, !board.turn());
    let mut taken = board.clone();
    taken.apply(capture);
    let all = taken.attackers(taken.turn(), capture.to());
    let may = |&from: &usize| opens_no_attack(&taken, Move::new(from, capture.to()), standing);
    Guards { all, free: Points(all).filter(may).fold(0, |free, from| free | bit(from)) }
}

/// True if a guard other than the general could recapture before the move and is pinned after it.
fn pins_guard(before: &Board, earlier: Move, after: &Board, capture: Move) -> bool {
    let (had, has) = (guards(before, earlier), guards(after, capture));
    had.free & has.all & !has.free & !bit(after.general(!after.turn())) != 0
}

/// The pieces that attack the general of `side`, a general on an open file among them.
fn attackers_of_general(board: &Board, side: Side) -> Bits {
    let facing = if board.generals_face() { bit(board.general(!side)) } else { 0 };
    board.attackers(!side, board.general(side)) | facing
}

/// True if after this move no piece attacks the mover's general but those that did before (`standing`). The general itself
/// may not move into any attack.
fn opens_no_attack(board: &Board, mv: Move, standing: Bits) -> bool {
    let mover = board.turn();
    let allowed = if mv.from() == board.general(mover) { 0 } else { standing };
    let mut moved = board.clone();
    moved.apply(mv);
    attackers_of_general(&moved, mover) & !allowed == 0
}

/// True for pieces that cannot be chased: generals, and soldiers that have not crossed the river.
fn is_no_prey(prey: Piece, at: usize) -> bool {
    match prey.role() {
        Role::General => true,
        Role::Soldier => (at / 9 < 5) == (prey.side() == Side::First),
        _ => false,
    }
}

/// True if the attacked piece could capture its attacker.
fn strikes_back(board: &Board, answer: Move) -> bool {
    let mut turned = board.clone();
    turned.pass();
    can_capture(&turned, answer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::xiangqi::rules::notation;

    #[test]
    fn every_verdict_of_the_files() {
        let (all, manual) = (
            include_str!("../../../../tests/data/xiangqi/repetition.txt"),
            include_str!("../../../../tests/data/xiangqi/repetition_manual.txt"),
        );
        let mut cases = 0;
        let mut theme = "";
        let mut wrong = Vec::new();
        for line in all.lines().chain(manual.lines()) {
            if line.starts_with('#') || line.is_empty() {
                theme = line;
                continue;
            }
            let [fen, moves, verdict] = line.split(';').map(str::trim).collect::<Vec<_>>()[..] else { panic!("{line}") };
            let mut history = History::new(Board::parse(fen).unwrap());
            for text in moves.split_whitespace().skip(1) {
                assert_eq!(adjudicate(&history), None, "{theme}: {line}");
                history.push(notation::read(history.current(), text).unwrap());
            }
            let outcome = adjudicate(&history).expect("the third occurrence ends the game");
            let winner = match verdict {
                "red wins" => Some(Side::First),
                "black wins" => Some(Side::Second),
                "draw" => None,
                other => panic!("{other}"),
            };
            if outcome.winner != winner {
                wrong.push(format!("{theme}: {line}: {outcome:?}"));
            }
            let mut plain = History::new(history.start().clone().with_repetition(Repetition::Draw));
            history.moves().iter().for_each(|&mv| plain.push(mv));
            assert_eq!(adjudicate(&plain), Some(Outcome::draw(Reason::Repetition)));
            cases += 1;
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        assert_eq!(cases, 97);
    }

    #[test]
    fn moves_without_a_capture_end_the_game() {
        let mut history = History::new(Board::parse("3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 119 80").unwrap());
        assert_eq!(adjudicate(&history), None);
        history.push(notation::read(history.current(), "e1e2").unwrap());
        assert_eq!(adjudicate(&history), Some(Outcome::draw(Reason::MoveLimit)));
    }
}
