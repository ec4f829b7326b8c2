//! Static exchange evaluation: the result when both sides continue to capture on one point, least valuable piece first.

use crate::games::xiangqi::rules::attacks::{self, Bits, HOME, Points, bit};
use crate::games::xiangqi::rules::board::{Board, Move, cannon_along, chariot_along};
use crate::games::xiangqi::rules::piece::{Piece, Role};
use crate::rules::Side;

/// The values of pieces in an exchange, by role.
pub const PRICE: [i32; 7] = [20_000, 200, 200, 440, 980, 450, 130];

/// The value of a piece in an exchange.
#[inline(always)]
pub fn price(piece: Piece) -> i32 {
    PRICE[piece.role() as usize]
}

/// The point of an exchange, and the remaining pieces.
struct Exchange<'a> {
    board: &'a Board,
    at: usize,
    rank_pieces: u16,
    file_pieces: u16,
    standing: Bits,
}

impl Exchange<'_> {
    fn leave(&mut self, from: usize) {
        self.standing &= !bit(from);
        if from / 9 == self.at / 9 {
            self.rank_pieces &= !(1 << (from % 9));
        }
        if from % 9 == self.at % 9 {
            self.file_pieces &= !(1 << (from / 9));
        }
    }

    /// The least valuable piece of `side` that can capture on the point.
    fn cheapest(&self, side: Side) -> Option<(usize, Role)> {
        let at = self.at;
        let of = |role| self.board.of(side, role) & self.standing;
        let first = |bits: Bits| Points(bits).next();
        let soldiers = attacks::SOLDIER_TO[side.index()][at] & of(Role::Soldier);
        if let Some(from) = first(soldiers) {
            return Some((from, Role::Soldier));
        }
        let home = HOME[side.index()] & bit(at) != 0;
        if home {
            if let Some(from) = first(attacks::ADVISOR[at] & of(Role::Advisor)) {
                return Some((from, Role::Advisor));
            }
            for from in Points(attacks::ELEPHANT[at][0] & of(Role::Elephant)) {
                if self.standing & bit((from + at) / 2) == 0 {
                    return Some((from, Role::Elephant));
                }
            }
        }
        for from in Points(attacks::HORSE_TO[at][0] & of(Role::Horse)) {
            if self.standing & bit(crate::games::xiangqi::rules::moves::leg(from, at)) == 0 {
                return Some((from, Role::Horse));
            }
        }
        let lines = attacks::LINES[at];
        let cannons = lines & of(Role::Cannon);
        if cannons != 0
            && let Some(from) = first(cannon_along(at, self.rank_pieces, self.file_pieces) & cannons)
        {
            return Some((from, Role::Cannon));
        }
        let chariots = lines & of(Role::Chariot);
        if chariots != 0
            && let Some(from) = first(chariot_along(at, self.rank_pieces, self.file_pieces) & chariots)
        {
            return Some((from, Role::Chariot));
        }
        if home {
            return first(attacks::GENERAL[at] & of(Role::General)).map(|from| (from, Role::General));
        }
        None
    }
}

/// True if the move and the exchange on its target win at least `threshold`.
pub fn wins(board: &Board, mv: Move, threshold: i32) -> bool {
    let (from, to) = (mv.from(), mv.to());
    let Some(mover) = board.at(from) else { return false };
    let gained = board.at(to).map_or(0, price);
    // `balance` is the gain of the side that has just captured above the threshold, if its piece on the point is lost.
    let mut balance = gained - threshold;
    if balance < 0 {
        return false;
    }
    balance -= price(mover);
    if balance >= 0 {
        return true;
    }
    let mut exchange = Exchange {
        board,
        at: to,
        rank_pieces: board.rank_pieces(to),
        file_pieces: board.file_pieces(to),
        standing: board.all() | bit(to),
    };
    exchange.leave(from);
    let mut side = !mover.side();
    let mut winning = true;
    while let Some((from, role)) = exchange.cheapest(side) {
        winning = !winning;
        exchange.leave(from);
        if role == Role::General {
            // A general can capture only if it is not recaptured.
            if exchange.cheapest(!side).is_some() {
                winning = !winning;
            }
            break;
        }
        balance = -balance - 1 - PRICE[role as usize];
        if balance >= 0 {
            break;
        }
        side = !side;
    }
    winning
}

/// The gain of the move and the exchange on its target; negative for a loss.
pub fn worth(board: &Board, mv: Move) -> i32 {
    // It wins at least `low` and less than `high`.
    let (mut low, mut high) = (-PRICE[0] - 1, PRICE[0] + 1);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if wins(board, mv, middle) { low = middle } else { high = middle }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Position, capture, its gain.
    const CASES: &[(&str, &str, i32)] = &[
        // An unguarded soldier; a guarded soldier captured by a chariot.
        ("3k5/9/9/9/4p4/9/9/9/4R4/3AK4 w", "e1e5", 130),
        ("3k5/9/4b4/9/4p1b2/9/9/9/4R4/3AK4 w", "e1e5", 130),
        ("3k5/9/9/4r4/4p4/9/9/9/4R4/3AK4 w", "e1e5", 130 - 980),
        // A second chariot behind the first: guarded once, attacked twice.
        ("3k5/9/9/4r4/4p4/9/9/4R4/4R4/3AK4 w", "e2e5", 130),
        // A cannon captures over a screen and is recaptured by a horse.
        ("3k5/3n5/9/4p4/9/4P4/4C4/9/9/3AK4 w", "e3e6", 130 - 450),
        ("3k5/4r4/3n5/9/4c4/4P4/4C4/9/9/3AK4 w", "e3e5", 310),
    ];

    #[test]
    fn exchanges_are_counted() {
        for &(fen, mv, worth) in CASES {
            let board = Board::parse(fen).unwrap_or_else(|e| panic!("{fen}: {e:?}"));
            let at = |text: &[u8]| usize::from(text[1] - b'0') * 9 + usize::from(text[0] - b'a');
            let mv = Move::new(at(&mv.as_bytes()[..2]), at(&mv.as_bytes()[2..]));
            assert!(wins(&board, mv, worth), "{fen} {mv} wins {worth}");
            assert!(!wins(&board, mv, worth + 1), "{fen} {mv} wins no more than {worth}");
            assert_eq!(super::worth(&board, mv), worth, "{fen} {mv}");
        }
    }
}
