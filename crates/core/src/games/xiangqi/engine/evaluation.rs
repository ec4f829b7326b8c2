//! The static evaluation: material and piece-square values, interpolated between opening and ending, and activity of the pieces.
//!
//! Material and piece-square values are updated with each move in a [`Tally`]; the other terms are computed from bit sets. Every term is a
//! weight of `weights.rs` times a count, so that the tuner can use the counts and the search the sum: see [`Count`].

use super::exchange;
use super::weights::{self as w, Tapered, WEIGHTS};
use crate::games::xiangqi::rules::attacks::{self, BETWEEN, Bits, LINES, PALACE, Points, bit};
use crate::games::xiangqi::rules::board::{Board, Move};
use crate::games::xiangqi::rules::piece::{Piece, Role};
use crate::rules::Side;
use crate::search::Evaluate;

/// The phase value of each piece, by role.
const PHASE: [i32; 7] = [0, 0, 0, 3, 6, 3, 1];
/// The sum at the start of a game.
pub const WHOLE_PHASE: i32 = 2 * (2 * 3 + 2 * 6 + 2 * 3 + 5);

/// The index of the piece-square weight of a role on a point, from the first side's view.
pub const fn place(role: usize, at: usize) -> usize {
    let (file, rank) = (at % 9, at / 9);
    w::PLACES + role * 50 + rank * 5 + if file > 4 { 8 - file } else { file }
}

/// The value of a piece on a point; negative for the second side.
static STANDING: [[Tapered; 90]; Piece::KINDS] = {
    let mut table = [[Tapered(0, 0); 90]; Piece::KINDS];
    let mut role = 0;
    while role < 7 {
        let mut at = 0;
        while at < 90 {
            let (file, rank) = (at % 9, at / 9);
            let (material, place) = (WEIGHTS[w::MATERIAL + role], WEIGHTS[place(role, at)]);
            let (opening, ending) = (material.0 + place.0, material.1 + place.1);
            table[role][at] = Tapered(opening, ending);
            table[role + 7][(9 - rank) * 9 + file] = Tapered(-opening, -ending);
            at += 1;
        }
        role += 1;
    }
    table
};

/// Material and piece-square values of a position, from the first side's view, and its phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    worth: Tapered,
    phase: i32,
}

impl Tally {
    /// The tally of an empty board.
    pub const NONE: Tally = Tally { worth: Tapered(0, 0), phase: 0 };

    /// The tally computed from the pieces.
    pub fn of(board: &Board) -> Tally {
        let mut tally = Tally::default();
        for at in Points(board.all()) {
            if let Some(piece) = board.at(at) {
                tally.worth += STANDING[piece.index()][at];
                tally.phase += PHASE[piece.role() as usize];
            }
        }
        tally
    }

    /// The tally after a move of `piece` that captured `captured`.
    #[inline(always)]
    pub fn after(mut self, mv: Move, piece: Piece, captured: Option<Piece>) -> Tally {
        let table = &STANDING[piece.index()];
        self.worth += table[mv.to()];
        self.worth -= table[mv.from()];
        if let Some(taken) = captured {
            self.worth -= STANDING[taken.index()][mv.to()];
            self.phase -= PHASE[taken.role() as usize];
        }
        self
    }

    /// The phase, from 0 (ending) to [`WHOLE_PHASE`] (opening).
    pub fn phase(self) -> i32 {
        self.phase.min(WHOLE_PHASE)
    }
}

/// Receives the terms of an evaluation: the index of a weight and its count, positive for the first side.
pub trait Count {
    /// Adds a count of a weight.
    fn add(&mut self, weight: usize, times: i32);
}

impl Count for Tapered {
    #[inline(always)]
    fn add(&mut self, weight: usize, times: i32) {
        let Tapered(opening, ending) = WEIGHTS[weight];
        self.0 += opening * times;
        self.1 += ending * times;
    }
}

/// The points attacked by a side's pieces.
#[derive(Clone, Copy, Default)]
struct Reach {
    /// By all pieces, including guarded own pieces.
    all: Bits,
    /// By soldiers.
    soldiers: Bits,
    /// By horses, cannons and soldiers.
    lesser: Bits,
}

/// The activity of the pieces of `side`; `sign` is 1 for the first side, -1 for the second.
#[inline(always)]
fn activity(board: &Board, side: Side, sign: i32, count: &mut impl Count) -> Reach {
    let foe = !side;
    let own = board.side(side);
    let pieces = board.all();
    let of = |role| board.of(side, role);
    let number = |bits: Bits| bits.count_ones() as i32;
    let palace = PALACE[foe.index()];
    let general = board.general(foe);
    let mut reach = Reach::default();
    let mut strikers = 0;

    let feared: Bits = {
        let soldiers = board.of(foe, Role::Soldier);
        if foe == Side::First { soldiers << 9 } else { soldiers >> 9 }
    };
    let chariots = of(Role::Chariot);
    for at in Points(chariots) {
        let points = board.chariot_reach(at);
        reach.all |= points;
        count.add(w::CHARIOT_REACH, sign * number(points & !own));
        let struck = number(points & palace);
        if struck > 0 {
            strikers += 1;
            count.add(w::STRUCK_BY_CHARIOT, sign * struck);
        }
    }
    let horses = of(Role::Horse);
    let mut horse_reach = 0;
    for at in Points(horses) {
        let points = board.horse_reach(at);
        horse_reach |= points;
        let free = number(points & !own & !feared);
        count.add(w::HORSE_REACH, sign * free);
        if free <= 1 {
            count.add(w::HORSE_STUCK, sign);
        }
        let struck = number(points & palace);
        if struck > 0 {
            strikers += 1;
            count.add(w::STRUCK_BY_HORSE, sign * struck);
        }
    }
    if horse_reach & horses != 0 {
        count.add(w::DOUBLED_HORSES, sign);
    }
    let cannons = of(Role::Cannon);
    let mut cannon_strikes = 0;
    let last_rank = if side == Side::First { 9 } else { 0 };
    for at in Points(cannons) {
        count.add(w::CANNON_REACH, sign * number(board.chariot_reach(at) & !pieces));
        let strikes = board.cannon_strikes(at);
        cannon_strikes |= strikes;
        let struck = number(strikes & palace);
        if struck > 0 {
            strikers += 1;
            count.add(w::STRUCK_BY_CANNON, sign * struck);
        }
        if LINES[at] & bit(general) != 0 {
            let between = BETWEEN[at][general] & pieces;
            if between == 0 {
                count.add(w::HOLLOW, sign);
            } else {
                let others = between & (between - 1);
                if others != 0 && others & (others - 1) == 0 {
                    count.add(w::PIN, sign);
                }
            }
        }
        if at / 9 == last_rank && !(3..=5).contains(&(at % 9)) {
            count.add(w::BOTTOM, sign);
        }
    }
    let soldiers = of(Role::Soldier);
    let crossed = soldiers & attacks::HOME[foe.index()];
    for at in Points(crossed) {
        let points = attacks::SOLDIER[side.index()][at];
        reach.soldiers |= points;
        let struck = number(points & palace);
        if struck > 0 {
            strikers += 1;
            count.add(w::STRUCK_BY_SOLDIER, sign * struck);
        }
        let beside = if at % 9 < 8 { bit(at + 1) } else { 0 };
        if crossed & beside != 0 {
            count.add(w::LINKED, sign);
        }
    }
    let home = soldiers & !crossed;
    let ahead = if side == Side::First { home << 9 } else { home >> 9 };
    reach.soldiers |= ahead;
    let before_horses = if side == Side::First { horses << 9 } else { horses >> 9 };
    count.add(w::SOLDIERS_HOME, sign * number(before_horses & home));
    match strikers {
        0 | 1 => {}
        2 => count.add(w::STRIKERS_TWO, sign),
        3 => count.add(w::STRIKERS_THREE, sign),
        _ => count.add(w::STRIKERS_FOUR, sign),
    }
    reach.lesser = horse_reach | cannon_strikes | reach.soldiers;
    reach.all |= reach.lesser | attacks::GENERAL[board.general(side)];
    for at in Points(of(Role::Advisor)) {
        reach.all |= attacks::ADVISOR[at];
    }
    for at in Points(of(Role::Elephant)) {
        reach.all |= board.elephant_reach(at);
    }

    combinations(board, side, sign, number(crossed), count);
    reach
}

/// What the pieces of `side` are worth together, and against the guards of the other side; `past` are its soldiers across the river.
#[inline(always)]
fn combinations(board: &Board, side: Side, sign: i32, past: i32, count: &mut impl Count) {
    let foe = !side;
    let number = |bits: Bits| bits.count_ones() as i32;
    let of = |role| board.of(side, role);
    let missing = |role| 2 - number(board.of(foe, role));
    let (no_advisors, no_elephants) = (missing(Role::Advisor), missing(Role::Elephant));
    let (chariots, horses, cannons) = (number(of(Role::Chariot)), number(of(Role::Horse)), number(of(Role::Cannon)));
    if no_advisors > 0 {
        count.add(w::NO_ADVISOR_CHARIOT, sign * no_advisors * chariots);
        count.add(w::NO_ADVISOR_HORSE, sign * no_advisors * (horses + past));
        if no_advisors == 2 && chariots > 0 {
            count.add(w::BARE_GENERAL, sign);
        }
    }
    if no_elephants > 0 {
        count.add(w::NO_ELEPHANT_CANNON, sign * no_elephants * cannons);
        count.add(w::NO_ELEPHANT_SOLDIER, sign * no_elephants * past);
    }
    let screens = number(of(Role::Advisor) | of(Role::Elephant)) - 2;
    count.add(w::CANNON_SCREEN, sign * cannons * screens);
    if chariots == 2 {
        count.add(w::CHARIOT_PAIR, sign);
    }
    count.add(w::HORSE_AND_CANNON, sign * horses.min(cannons));
}

/// The pieces attacked by `side`.
#[inline(always)]
fn threats(board: &Board, side: Side, sign: i32, own: &Reach, other: &Reach, count: &mut impl Count) {
    let foe = !side;
    let number = |bits: Bits| bits.count_ones() as i32;
    let chariots = board.of(foe, Role::Chariot);
    let force = board.of(foe, Role::Horse) | board.of(foe, Role::Cannon);
    let loose = own.all & !other.all;
    if loose & (chariots | force | board.of(foe, Role::Soldier)) != 0 {
        count.add(w::HANGING_CHARIOT, sign * number(loose & chariots));
        count.add(w::HANGING_FORCE, sign * number(loose & force));
        count.add(w::HANGING_SOLDIER, sign * number(loose & board.of(foe, Role::Soldier)));
    }
    if own.lesser & (chariots | force) != 0 {
        count.add(w::CHARIOT_CHASED, sign * number(own.lesser & chariots));
        count.add(w::FORCE_CHASED, sign * number(own.soldiers & force));
    }
}

/// All terms except material and piece-square values.
#[inline(always)]
pub fn terms(board: &Board, count: &mut impl Count) {
    let first = activity(board, Side::First, 1, count);
    let second = activity(board, Side::Second, -1, count);
    threats(board, Side::First, 1, &first, &second, count);
    threats(board, Side::Second, -1, &second, &first, count);
}

/// The static evaluation for the side to move, in hundredths of a soldier. `tally` is that of the position.
pub fn evaluate(board: &Board, tally: Tally) -> i32 {
    let mut worth = tally.worth;
    terms(board, &mut worth);
    let phase = tally.phase();
    let total = (worth.0 * phase + worth.1 * (WHOLE_PHASE - phase)) / WHOLE_PHASE;
    let total = scaled(board, total);
    (if board.turn() == Side::First { total } else { -total }) + w::TEMPO
}

/// Reduces an advantage if the better side has no piece that can give mate.
pub fn scaled(board: &Board, total: i32) -> i32 {
    let better = if total >= 0 { Side::First } else { Side::Second };
    let big = board.of(better, Role::Chariot) | board.of(better, Role::Horse) | board.of(better, Role::Cannon);
    let crossed = board.of(better, Role::Soldier);
    if big == 0 {
        return if crossed == 0 { total / 32 } else { total * (1 + crossed.count_ones() as i32).min(4) / 4 };
    }
    // A lone cannon without an own piece as a screen.
    if big == board.of(better, Role::Cannon) && big & (big - 1) == 0 && crossed == 0 {
        let screens = board.of(better, Role::Advisor) | board.of(better, Role::Elephant);
        return if screens == 0 { total / 8 } else { total / 2 };
    }
    total
}

/// The evaluation for the reference searchers, as [`Evaluate`].
pub struct HandEvaluation;

impl Evaluate<Board> for HandEvaluation {
    fn evaluate(&mut self, position: &Board) -> i32 {
        evaluate(position, Tally::of(position))
    }

    fn ordering_score(&mut self, position: &Board, mv: Move) -> i32 {
        let Some(piece) = position.at(mv.from()) else { return 0 };
        match position.at(mv.to()) {
            None => {
                let table = &STANDING[piece.index()];
                let gain = table[mv.to()].0 - table[mv.from()].0;
                (if piece.side() == Side::First { gain } else { -gain }) / 4
            }
            Some(taken) => {
                let gain = exchange::price(taken) - exchange::price(piece) / 16;
                if exchange::wins(position, mv, 0) { gain } else { gain - 2000 }
            }
        }
    }

    fn is_noisy(&mut self, position: &Board, mv: Move) -> bool {
        position.at(mv.to()).is_some() && exchange::wins(position, mv, 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Position;

    /// The same position with the sides exchanged.
    fn mirrored(board: &Board) -> Board {
        let text = board.text();
        let mut words = text.split(' ');
        let (pieces, side) = (words.next().unwrap(), words.next().unwrap());
        let swap = |c: char| if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() };
        let pieces: Vec<String> = pieces.split('/').rev().map(|rank| rank.chars().map(swap).collect()).collect();
        Board::parse(&format!("{} {}", pieces.join("/"), if side == "w" { "b" } else { "w" })).unwrap()
    }

    #[test]
    fn sides_are_judged_alike_and_the_tally_keeps_up() {
        let mut random = fastrand::Rng::with_seed(11);
        for _ in 0..30 {
            let mut board = Board::default();
            let mut tally = Tally::of(&board);
            for _ in 0..120 {
                let mut legal = Vec::new();
                board.legal_moves(&mut legal);
                let Some(&mv) = (!legal.is_empty()).then(|| random.choice(&legal)).flatten() else { break };
                let piece = board.at(mv.from()).unwrap();
                let undo = board.apply(mv);
                tally = tally.after(mv, piece, undo.captured());
                assert_eq!(tally, Tally::of(&board));
                let other = mirrored(&board);
                assert_eq!(evaluate(&board, tally), evaluate(&other, Tally::of(&other)), "{}", board.text());
            }
        }
    }

    #[test]
    fn more_is_better() {
        let worth = |fen: &str| HandEvaluation.evaluate(&Board::parse(fen).unwrap());
        let chariot = worth("3k5/9/9/9/9/9/9/9/9/R3K4 w");
        let soldier = worth("3k5/9/9/9/P8/9/9/9/9/4K4 w");
        assert!(chariot > 800 && soldier > 0 && chariot > soldier);
        assert_eq!(worth("3k5/9/9/9/9/9/9/9/9/R3K4 b"), w::TEMPO * 2 - chariot);
    }
}
