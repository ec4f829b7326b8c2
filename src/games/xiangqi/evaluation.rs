//! What a position is worth: material and standing, weighed between opening and ending, and what the men do to each other.
//!
//! Material and standing are kept up to date move by move in a [`Tally`]; the rest is looked at afresh from the bits.

use super::attacks::{self, BETWEEN, Bits, LINES, PALACE, Points, bit};
use super::board::{Board, Man, Move, Role};
use super::exchange;
use crate::rules::Side;
use crate::search::Evaluate;
use std::ops::{AddAssign, SubAssign};

/// A worth in the opening and in the ending, in hundredths of a soldier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Worth(i32, i32);

impl AddAssign for Worth {
    #[inline(always)]
    fn add_assign(&mut self, other: Worth) {
        self.0 += other.0;
        self.1 += other.1;
    }
}

impl SubAssign for Worth {
    #[inline(always)]
    fn sub_assign(&mut self, other: Worth) {
        self.0 -= other.0;
        self.1 -= other.1;
    }
}

/// Material by role.
const MATERIAL: [Worth; 7] =
    [Worth(0, 0), Worth(185, 175), Worth(190, 180), Worth(430, 480), Worth(980, 1040), Worth(470, 440), Worth(80, 110)];

/// What each man counts towards the opening, by role.
const PHASE: [i32; 7] = [0, 0, 0, 3, 6, 3, 1];
/// The sum at the start of a game.
const WHOLE_PHASE: i32 = 2 * (2 * 3 + 2 * 6 + 2 * 3 + 5);

/// How well men stand, by rank from the own edge and file from the edge to the middle.
type Places = [[i32; 5]; 10];

const GENERAL: Places =
    [[0, 0, 0, -2, 10], [0, 0, 0, -25, -18], [0, 0, 0, -42, -40], [0; 5], [0; 5], [0; 5], [0; 5], [0; 5], [0; 5], [0; 5]];

const ADVISOR: Places = [[0; 5], [0, 0, 0, 0, 8], [0, 0, 0, -10, 0], [0; 5], [0; 5], [0; 5], [0; 5], [0; 5], [0; 5], [0; 5]];

const ELEPHANT: Places = [[0; 5], [0; 5], [-16, 0, 0, 0, 12], [0; 5], [0, 0, -4, 0, 0], [0; 5], [0; 5], [0; 5], [0; 5], [0; 5]];

const HORSE: Places = [
    [-35, -28, -18, -22, -25],
    [-22, -10, -4, 0, -55],
    [-10, 0, 18, 10, 2],
    [0, 8, 14, 16, 14],
    [0, 18, 20, 24, 24],
    [4, 24, 28, 34, 36],
    [6, 28, 36, 46, 40],
    [6, 30, 48, 44, 40],
    [2, 24, 56, 36, 14],
    [-10, 0, 12, 10, 0],
];

const CHARIOT: Places = [
    [-28, 4, -2, 12, -4],
    [-8, 6, 2, 14, -4],
    [-12, 6, 4, 12, 2],
    [-6, 8, 6, 14, 10],
    [4, 14, 12, 18, 16],
    [8, 14, 12, 20, 18],
    [10, 18, 18, 26, 28],
    [8, 16, 14, 24, 30],
    [12, 22, 20, 32, 38],
    [8, 12, 12, 20, 16],
];

const CANNON: Places = [
    [-4, 0, 4, 8, 8],
    [0, 4, 8, 8, 4],
    [0, 6, 8, 8, 16],
    [0, 0, 2, 2, 8],
    [0, 2, 6, 4, 12],
    [0, 0, 2, 2, 10],
    [2, 6, 4, 6, 14],
    [6, 8, 0, -4, 0],
    [10, 6, 0, -8, -8],
    [16, 12, 6, -6, -8],
];

const SOLDIER: Places = [
    [0; 5],
    [0; 5],
    [0; 5],
    [0, 0, -2, 0, 10],
    [6, 0, 14, 0, 14],
    [30, 48, 62, 72, 76],
    [44, 70, 90, 105, 106],
    [54, 80, 108, 128, 132],
    [54, 80, 108, 136, 140],
    [10, 20, 26, 40, 46],
];

const PLACES: [Places; 7] = [GENERAL, ADVISOR, ELEPHANT, HORSE, CHARIOT, CANNON, SOLDIER];

/// The worth of a man on a point, the second side's negative.
static STANDING: [[Worth; 90]; Man::KINDS] = {
    let mut table = [[Worth(0, 0); 90]; Man::KINDS];
    let mut role = 0;
    while role < 7 {
        let mut at = 0;
        while at < 90 {
            let (file, rank) = (at % 9, at / 9);
            let place = PLACES[role][rank][if file > 4 { 8 - file } else { file }];
            let (opening, ending) = (MATERIAL[role].0 + place, MATERIAL[role].1 + place);
            table[role][at] = Worth(opening, ending);
            table[role + 7][(9 - rank) * 9 + file] = Worth(-opening, -ending);
            at += 1;
        }
        role += 1;
    }
    table
};

/// Material and standing of a position, from the first side's view, and how far the game has gone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    worth: Worth,
    phase: i32,
}

impl Tally {
    /// Of an empty board.
    pub const NONE: Tally = Tally { worth: Worth(0, 0), phase: 0 };

    /// Counted from the men.
    pub fn of(board: &Board) -> Tally {
        let mut tally = Tally::default();
        for at in Points(board.all()) {
            if let Some(man) = board.at(at) {
                tally.worth += STANDING[man.index()][at];
                tally.phase += PHASE[man.role() as usize];
            }
        }
        tally
    }

    /// After a move of `man` that took `captured`.
    #[inline(always)]
    pub fn after(mut self, mv: Move, man: Man, captured: Option<Man>) -> Tally {
        let table = &STANDING[man.index()];
        self.worth += table[mv.to()];
        self.worth -= table[mv.from()];
        if let Some(taken) = captured {
            self.worth -= STANDING[taken.index()][mv.to()];
            self.phase -= PHASE[taken.role() as usize];
        }
        self
    }
}

/// Weights of what the men do; see [`activity`].
mod weight {
    use super::Worth;

    /// A point a chariot, a cannon or a horse reaches.
    pub const CHARIOT_REACH: Worth = Worth(5, 6);
    pub const CANNON_REACH: Worth = Worth(1, 2);
    pub const HORSE_REACH: Worth = Worth(9, 10);
    /// A horse that can hardly move, on top.
    pub const HORSE_STUCK: Worth = Worth(-25, -20);
    /// A point of the enemy palace struck, by the striker.
    pub const PALACE_STRUCK: [i32; 4] = [10, 9, 6, 8];
    /// A cannon that sees the general with nothing between.
    pub const HOLLOW: Worth = Worth(110, 70);
    /// A cannon on the general's line with two men between.
    pub const PIN: Worth = Worth(26, 16);
    /// A cannon on the enemy's last rank, the palace's flank in its line.
    pub const BOTTOM: Worth = Worth(30, 20);
    /// Soldiers past the river, side by side.
    pub const LINKED: Worth = Worth(14, 22);
    /// A missing advisor against each enemy chariot, horse and soldier past the river; an elephant against each cannon.
    pub const NO_ADVISOR_CHARIOT: Worth = Worth(12, 14);
    pub const NO_ADVISOR_HORSE: Worth = Worth(5, 8);
    pub const NO_ELEPHANT_CANNON: Worth = Worth(6, 6);
    pub const NO_ELEPHANT_SOLDIER: Worth = Worth(4, 8);
    /// Cannons lose their screens as advisors and elephants go: for each cannon and each own one left.
    pub const CANNON_SCREEN: Worth = Worth(0, 8);
    /// The side to move.
    pub const TEMPO: i32 = 14;
}

/// What the men of `side` do, beyond standing well.
fn activity(board: &Board, side: Side) -> Worth {
    let foe = !side;
    let own = board.side(side);
    let men = board.all();
    let of = |role| board.of(side, role);
    let palace = PALACE[foe.index()];
    let general = board.general(foe);
    let mut worth = Worth(0, 0);
    let add = |worth: &mut Worth, weight: Worth, times: i32| {
        worth.0 += weight.0 * times;
        worth.1 += weight.1 * times;
    };
    let mut strikers = 0;
    let mut struck = 0;
    let mut strike = |reach: Bits, kind: usize| {
        let points = (reach & palace).count_ones() as i32;
        if points > 0 {
            strikers += 1;
            struck += points * weight::PALACE_STRUCK[kind];
        }
    };
    let guarded_by_soldiers: Bits = {
        let soldiers = board.of(foe, Role::Soldier);
        if foe == Side::First { soldiers << 9 } else { soldiers >> 9 }
    };
    for at in Points(of(Role::Chariot)) {
        let reach = board.chariot_reach(at);
        add(&mut worth, weight::CHARIOT_REACH, (reach & !own).count_ones() as i32);
        strike(reach, 0);
    }
    for at in Points(of(Role::Horse)) {
        let reach = board.horse_reach(at);
        let free = (reach & !own & !guarded_by_soldiers).count_ones() as i32;
        add(&mut worth, weight::HORSE_REACH, free);
        if free <= 1 {
            worth += weight::HORSE_STUCK;
        }
        strike(reach, 1);
    }
    for at in Points(of(Role::Cannon)) {
        add(&mut worth, weight::CANNON_REACH, (board.chariot_reach(at) & !men).count_ones() as i32);
        strike(board.cannon_strikes(at), 2);
        if LINES[at] & bit(general) != 0 {
            let between = BETWEEN[at][general] & men;
            if between == 0 {
                worth += weight::HOLLOW;
            } else {
                let others = between & (between - 1);
                if others != 0 && others & (others - 1) == 0 {
                    worth += weight::PIN;
                }
            }
        }
        let last_rank = if side == Side::First { 9 } else { 0 };
        if at / 9 == last_rank && !(3..=5).contains(&(at % 9)) {
            worth += weight::BOTTOM;
        }
    }
    let soldiers = of(Role::Soldier);
    let crossed = soldiers & attacks::HOME[foe.index()];
    for at in Points(crossed) {
        strike(attacks::SOLDIER[side.index()][at], 3);
        let beside = if at % 9 < 8 { bit(at + 1) } else { 0 };
        if crossed & beside != 0 {
            worth += weight::LINKED;
        }
    }
    // Two or more strike harder than one.
    let pressure = struck * strikers.min(5) / 3;
    add(&mut worth, Worth(1, 1), pressure);
    let count = |side, role| board.of(side, role).count_ones() as i32;
    let no_advisors = 2 - count(foe, Role::Advisor);
    let no_elephants = 2 - count(foe, Role::Elephant);
    if no_advisors > 0 {
        add(&mut worth, weight::NO_ADVISOR_CHARIOT, no_advisors * count(side, Role::Chariot));
        add(&mut worth, weight::NO_ADVISOR_HORSE, no_advisors * (count(side, Role::Horse) + crossed.count_ones() as i32));
    }
    if no_elephants > 0 {
        add(&mut worth, weight::NO_ELEPHANT_CANNON, no_elephants * count(side, Role::Cannon));
        add(&mut worth, weight::NO_ELEPHANT_SOLDIER, no_elephants * crossed.count_ones() as i32);
    }
    let screens = count(side, Role::Advisor) + count(side, Role::Elephant) - 2;
    add(&mut worth, weight::CANNON_SCREEN, count(side, Role::Cannon) * screens);
    worth
}

/// The position's worth for the side to move, in hundredths of a soldier. `tally` is the position's.
pub fn evaluate(board: &Board, tally: Tally) -> i32 {
    let mut worth = tally.worth;
    worth += activity(board, Side::First);
    worth -= activity(board, Side::Second);
    let phase = tally.phase.min(WHOLE_PHASE);
    let mut total = (worth.0 * phase + worth.1 * (WHOLE_PHASE - phase)) / WHOLE_PHASE;
    total = scaled(board, total);
    (if board.turn() == Side::First { total } else { -total }) + weight::TEMPO
}

/// An advantage is worth little where the better side has no man that can give mate.
fn scaled(board: &Board, total: i32) -> i32 {
    let better = if total >= 0 { Side::First } else { Side::Second };
    let big = board.of(better, Role::Chariot) | board.of(better, Role::Horse) | board.of(better, Role::Cannon);
    let crossed = board.of(better, Role::Soldier);
    if big == 0 {
        return if crossed == 0 { total / 32 } else { total * (1 + crossed.count_ones() as i32).min(4) / 4 };
    }
    // A lone cannon without a screen of its own to fire over.
    if big == board.of(better, Role::Cannon) && big & (big - 1) == 0 && crossed == 0 {
        let screens = board.of(better, Role::Advisor) | board.of(better, Role::Elephant);
        return if screens == 0 { total / 8 } else { total / 2 };
    }
    total
}

/// The judgement for the searchers that know only [`Evaluate`].
pub struct Judge;

impl Evaluate<Board> for Judge {
    fn evaluate(&mut self, position: &Board) -> i32 {
        evaluate(position, Tally::of(position))
    }

    fn promise(&mut self, position: &Board, mv: Move) -> i32 {
        let Some(man) = position.at(mv.from()) else { return 0 };
        match position.at(mv.to()) {
            None => {
                let table = &STANDING[man.index()];
                let gain = table[mv.to()].0 - table[mv.from()].0;
                (if man.side() == Side::First { gain } else { -gain }) / 4
            }
            Some(taken) => {
                let gain = exchange::price(taken) - exchange::price(man) / 16;
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
        let (men, side) = (words.next().unwrap(), words.next().unwrap());
        let swap = |c: char| if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() };
        let men: Vec<String> = men.split('/').rev().map(|rank| rank.chars().map(swap).collect()).collect();
        Board::parse(&format!("{} {}", men.join("/"), if side == "w" { "b" } else { "w" })).unwrap()
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
                let man = board.at(mv.from()).unwrap();
                let undo = board.apply(mv);
                tally = tally.after(mv, man, undo.captured());
                assert_eq!(tally, Tally::of(&board));
                let other = mirrored(&board);
                assert_eq!(evaluate(&board, tally), evaluate(&other, Tally::of(&other)), "{}", board.text());
            }
        }
    }

    #[test]
    fn more_is_better() {
        let worth = |fen: &str| Judge.evaluate(&Board::parse(fen).unwrap());
        let chariot = worth("3k5/9/9/9/9/9/9/9/9/R3K4 w");
        let soldier = worth("3k5/9/9/9/P8/9/9/9/9/4K4 w");
        assert!(chariot > 800 && soldier > 0 && chariot > soldier);
        assert_eq!(worth("3k5/9/9/9/9/9/9/9/9/R3K4 b"), weight::TEMPO * 2 - chariot);
    }
}
