//! Move generation: the moves of each piece, moves that leave the general in check, and perft.
//!
//! Pins and checks are computed once per node ([`Guard`]). If there is no check, a move can be illegal only if a pinned piece
//! moves, if a piece becomes the screen of a cannon, or if the general moves; all other moves are legal without a test.

use super::attacks::{self, BETWEEN, Bits, HOME, LINES, PALACE, Points, bit};
use super::board::{Board, Move, Undo, cannon_along, chariot_along, index};
use super::piece::{Piece, Role};
use crate::rules::{Outcome, Point, Position, Reason, Refusal, Side, Skip};

/// The pins and checks of the general of the side to move.
#[derive(Clone, Copy, Debug)]
pub struct Guard {
    /// Whether the general is in check.
    pub check: bool,
    /// Own pieces that may be pinned.
    pub held: Bits,
    /// Empty points where an own piece would become the screen of a cannon.
    pub shut: Bits,
    /// The general's point.
    pub general: Bits,
}

impl Board {
    /// Computes the pins and checks of the side to move.
    #[inline]
    pub fn guard(&self) -> Guard {
        let (own, foe) = (self.turn(), !self.turn());
        let at = self.general(own);
        let pieces = self.all();
        let cannons = self.of(foe, Role::Cannon);
        let straight = self.of(foe, Role::Chariot) | self.of(foe, Role::General);
        let mut guard = Guard { check: false, held: 0, shut: 0, general: bit(at) };
        for from in Points(LINES[at] & (cannons | straight)) {
            let span = BETWEEN[at][from];
            let between = span & pieces;
            let is_cannon = cannons & bit(from) != 0;
            if between == 0 {
                if is_cannon {
                    guard.shut |= span;
                } else {
                    guard.check = true;
                }
                continue;
            }
            let others = between & (between - 1);
            if others == 0 {
                if is_cannon {
                    guard.check = true;
                } else {
                    guard.held |= between;
                }
            } else if is_cannon && others & (others - 1) == 0 {
                guard.held |= between;
            }
        }
        let horses = attacks::HORSE_TO[at][0] & self.of(foe, Role::Horse);
        if horses != 0 {
            if self.horses_to(at) & horses != 0 {
                guard.check = true;
            }
            let (file, rank) = (at % 9, at / 9);
            // Any piece on a diagonal neighbour may be a horse's leg.
            let ring = bit(at) | (bit(at) << 9) | (bit(at) >> 9);
            let around = (if file > 0 { ring >> 1 } else { 0 } | ring << 1) & !(attacks::RANK_0 << (rank * 9));
            guard.held |= around & pieces;
        }
        guard.check |= attacks::SOLDIER_TO[foe.index()][at] & self.of(foe, Role::Soldier) != 0;
        guard.held &= self.side(own);
        guard
    }

    /// True if the general of `side` is in check (or faces the other general on an open file).
    #[inline]
    pub fn in_check(&self, side: Side) -> bool {
        let foe = !side;
        let at = self.general(side);
        let straight = self.of(foe, Role::Chariot) | self.of(foe, Role::General);
        LINES[at] & straight != 0 && self.chariot_reach(at) & straight != 0
            || LINES[at] & self.of(foe, Role::Cannon) != 0 && self.cannon_strikes(at) & self.of(foe, Role::Cannon) != 0
            || attacks::HORSE_TO[at][0] & self.of(foe, Role::Horse) != 0 && self.horses_to(at) & self.of(foe, Role::Horse) != 0
            || attacks::SOLDIER_TO[foe.index()][at] & self.of(foe, Role::Soldier) != 0
    }

    /// True if the side to move is not in check after a pseudo-legal move, tested without making it.
    #[inline]
    pub fn is_safe(&self, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let (own, foe) = (self.turn(), !self.turn());
        let here = self.general(own);
        let at = if from == here { to } else { here };
        let (rank_pieces, file_pieces) = self.lines_after(mv, at);
        let left = !bit(to);
        let straight = (self.of(foe, Role::Chariot) | self.of(foe, Role::General)) & left;
        if LINES[at] & straight != 0 && chariot_along(at, rank_pieces, file_pieces) & straight != 0 {
            return false;
        }
        let cannons = self.of(foe, Role::Cannon) & left;
        if LINES[at] & cannons != 0 && cannon_along(at, rank_pieces, file_pieces) & cannons != 0 {
            return false;
        }
        if attacks::SOLDIER_TO[foe.index()][at] & self.of(foe, Role::Soldier) & left != 0 {
            return false;
        }
        let horses = attacks::HORSE_TO[at][0] & self.of(foe, Role::Horse) & left;
        if horses != 0 {
            let pieces = self.all() & !bit(from) | bit(to);
            for horse in Points(horses) {
                if pieces & bit(leg(horse, at)) == 0 {
                    return false;
                }
            }
        }
        true
    }

    /// The pieces on a point's rank and on its file after a move.
    #[inline(always)]
    fn lines_after(&self, mv: Move, at: usize) -> (u16, u16) {
        let (from, to) = (mv.from(), mv.to());
        let (file, rank) = (at % 9, at / 9);
        let mut rank_pieces = self.rank_pieces(at);
        let mut file_pieces = self.file_pieces(at);
        if from / 9 == rank {
            rank_pieces &= !(1 << (from % 9));
        }
        if from % 9 == file {
            file_pieces &= !(1 << (from / 9));
        }
        if to / 9 == rank {
            rank_pieces |= 1 << (to % 9);
        }
        if to % 9 == file {
            file_pieces |= 1 << (to / 9);
        }
        (rank_pieces, file_pieces)
    }

    /// True if a legal move gives check, tested without making it.
    #[inline]
    pub fn gives_check(&self, mv: Move) -> bool {
        if self.checks_directly(mv) {
            return true;
        }
        // Another piece gives check if it is a chariot or cannon on a line that the move opens or closes, or a horse that it frees.
        let own = self.turn();
        let at = self.general(!own);
        let of = |role| self.of(own, role) & !bit(mv.from());
        if LINES[at] & (bit(mv.from()) | bit(mv.to())) != 0 {
            let (rank_pieces, file_pieces) = self.lines_after(mv, at);
            let (chariots, cannons) = (LINES[at] & of(Role::Chariot), LINES[at] & of(Role::Cannon));
            if chariots != 0 && chariot_along(at, rank_pieces, file_pieces) & chariots != 0
                || cannons != 0 && cannon_along(at, rank_pieces, file_pieces) & cannons != 0
            {
                return true;
            }
        }
        Points(attacks::HORSE_TO[at][0] & of(Role::Horse)).any(|horse| leg(horse, at) == mv.from())
    }

    /// True if the moved piece would directly attack the opponent's general from its target.
    #[inline]
    pub fn checks_directly(&self, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = self.at(from) else { return false };
        let at = self.general(!piece.side());
        let between = || BETWEEN[at][to] & self.all() & !bit(from);
        match piece.role() {
            Role::Chariot => LINES[at] & bit(to) != 0 && between() == 0,
            Role::Cannon => {
                let screens = between();
                LINES[at] & bit(to) != 0 && screens != 0 && screens & (screens - 1) == 0
            }
            Role::Horse => attacks::HORSE_TO[at][0] & bit(to) != 0 && (self.all() & !bit(from)) & bit(leg(to, at)) == 0,
            Role::Soldier => attacks::SOLDIER_TO[piece.side().index()][at] & bit(to) != 0,
            _ => false,
        }
    }

    /// True if a pseudo-legal move is legal, by the node's guard.
    #[inline(always)]
    pub fn is_legal_under(&self, guard: &Guard, mv: Move) -> bool {
        if guard.check || (guard.held | guard.general) & bit(mv.from()) != 0 {
            return self.is_safe(mv);
        }
        guard.shut & bit(mv.to()) == 0
    }

    /// True if the move is pseudo-legal: possible without regard to the safety of the general. It may be any move.
    pub fn is_pseudo_legal(&self, mv: Move) -> bool {
        if mv.from() >= attacks::POINTS || mv.to() >= attacks::POINTS {
            return false;
        }
        match self.at(mv.from()) {
            Some(piece) if piece.side() == self.turn() => self.reach(piece, mv.from()) & bit(mv.to()) != 0,
            _ => false,
        }
    }

    /// Calls `each` with every piece of the side to move that has pseudo-legal targets in `targets`, and these targets.
    #[inline(always)]
    pub fn for_each_reach(&self, targets: Bits, mut each: impl FnMut(usize, Bits)) {
        let side = self.turn();
        let of = |role| Points(self.of(side, role));
        let free = !self.all();
        for at in of(Role::Chariot) {
            each(at, self.chariot_reach(at) & targets);
        }
        for at in of(Role::Cannon) {
            each(at, (self.chariot_reach(at) & free | self.cannon_strikes(at)) & targets);
        }
        for at in of(Role::Horse) {
            each(at, self.horse_reach(at) & targets);
        }
        for at in of(Role::Soldier) {
            each(at, attacks::SOLDIER[side.index()][at] & targets);
        }
        for at in of(Role::Elephant) {
            each(at, self.elephant_reach(at) & targets);
        }
        for at in of(Role::Advisor) {
            each(at, attacks::ADVISOR[at] & targets);
        }
        let at = self.general(side);
        each(at, attacks::GENERAL[at] & targets);
    }

    /// True if the side to move has a legal move.
    pub fn can_move(&self) -> bool {
        let guard = self.guard();
        let mut found = false;
        self.for_each_reach(!self.side(self.turn()), |from, reached| {
            found = found || Points(reached).any(|to| self.is_legal_under(&guard, Move::new(from, to)));
        });
        found
    }

    /// The number of legal moves.
    fn count(&self) -> u64 {
        let guard = self.guard();
        let targets = !self.side(self.turn()) & ((1 << attacks::POINTS) - 1);
        let mut total = 0;
        let tested = if guard.check { !0 } else { guard.held | guard.general };
        self.for_each_reach(targets, |from, reached| {
            if tested & bit(from) == 0 {
                total += u64::from((reached & !guard.shut).count_ones());
            } else {
                for to in Points(reached) {
                    total += u64::from(self.is_safe(Move::new(from, to)));
                }
            }
        });
        total
    }

    /// Perft; the last ply is counted from bit sets.
    fn leaves(&mut self, depth: u32) -> u64 {
        if depth == 1 {
            return self.count();
        }
        let guard = self.guard();
        let targets = !self.side(self.turn()) & ((1 << attacks::POINTS) - 1);
        let mut moves = [Move::NONE; MOST_MOVES];
        let mut length = 0;
        self.for_each_reach(targets, |from, reached| {
            for to in Points(reached) {
                moves[length] = Move::new(from, to);
                length += 1;
            }
        });
        let mut total = 0;
        for &mv in &moves[..length] {
            if self.is_legal_under(&guard, mv) {
                let undo = self.apply(mv);
                total += self.leaves(depth - 1);
                self.revert(mv, undo);
            }
        }
        total
    }

    /// Why a move from one point to another is illegal. To be called only for illegal moves.
    pub fn refusal(&self, from: Point, to: Point) -> Refusal {
        let (Some(from), Some(to)) = (index(from), index(to)) else { return Refusal::OffBoard };
        let Some(piece) = self.at(from) else { return Refusal::NoPiece };
        if piece.side() != self.turn() {
            return Refusal::NotYours;
        }
        if self.at(to).is_some_and(|other| other.side() == piece.side()) {
            return Refusal::OwnPiece;
        }
        let mv = Move::new(from, to);
        if self.is_pseudo_legal(mv) {
            let mut after = self.clone();
            after.apply(mv);
            return if after.generals_face() { Refusal::GeneralsFace } else { Refusal::LeavesCheck };
        }
        let way = |a: usize, b: usize| ((a % 9).abs_diff(b % 9), (a / 9).abs_diff(b / 9));
        let steps = way(from, to);
        let side = piece.side().index();
        match piece.role() {
            Role::General if steps == (0, 1) || steps == (1, 0) => Refusal::OutOfPalace,
            Role::Advisor if steps == (1, 1) => Refusal::OutOfPalace,
            Role::General | Role::Advisor if PALACE[side] & bit(to) == 0 => Refusal::OutOfPalace,
            Role::Elephant if HOME[side] & bit(to) == 0 => Refusal::AcrossRiver,
            Role::Elephant if steps == (2, 2) => Refusal::Blocked,
            Role::Horse if steps == (1, 2) || steps == (2, 1) => Refusal::Blocked,
            Role::Chariot if steps.0 == 0 || steps.1 == 0 => Refusal::Blocked,
            Role::Cannon if steps.0 == 0 || steps.1 == 0 => {
                if self.at(to).is_some() {
                    Refusal::NoScreen
                } else {
                    Refusal::Blocked
                }
            }
            _ => Refusal::WrongWay,
        }
    }
}

/// More than the number of moves of any position.
pub const MOST_MOVES: usize = 160;

/// The leg of a horse that reaches `to`: the point that can block it.
#[inline(always)]
pub fn leg(horse: usize, to: usize) -> usize {
    match to as i32 - horse as i32 {
        19 | 17 => horse + 9,
        -19 | -17 => horse - 9,
        11 | -7 => horse + 1,
        _ => horse - 1,
    }
}

impl Skip for Board {
    /// A check must be answered.
    fn may_skip(&self) -> bool {
        !self.in_check(self.turn())
    }

    fn skip(&mut self) {
        self.pass();
    }
}

impl Position for Board {
    type Move = Move;
    type Undo = Undo;

    fn side_to_move(&self) -> Side {
        self.turn()
    }

    fn legal_moves(&self, out: &mut Vec<Move>) {
        let guard = self.guard();
        let targets = !self.side(self.turn()) & ((1 << attacks::POINTS) - 1);
        self.for_each_reach(targets, |from, reached| {
            out.extend(Points(reached).map(|to| Move::new(from, to)).filter(|&mv| self.is_legal_under(&guard, mv)));
        });
    }

    fn make(&mut self, mv: Move) -> Undo {
        self.apply(mv)
    }

    fn unmake(&mut self, mv: Move, undo: Undo) {
        self.revert(mv, undo);
    }

    fn key(&self) -> u64 {
        self.hash()
    }

    fn key_from_scratch(&self) -> u64 {
        self.hash_from_scratch()
    }

    fn outcome(&self) -> Option<Outcome> {
        if self.can_move() {
            return None;
        }
        let reason = if self.in_check(self.turn()) { Reason::Checkmate } else { Reason::Stalemate };
        Some(Outcome::win(!self.turn(), reason))
    }

    fn move_code(mv: Move) -> u16 {
        mv.0
    }

    fn is_legal(&self, mv: Move) -> bool {
        self.is_pseudo_legal(mv) && self.is_safe(mv)
    }

    fn perft(&mut self, depth: u32) -> u64 {
        if depth == 0 { 1 } else { self.leaves(depth) }
    }
}

/// The piece captured by a legal move.
pub fn captured(board: &Board, mv: Move) -> Option<Piece> {
    board.at(mv.to())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Position, move, reason of the refusal.
    const REFUSED: &[(&str, &str, Refusal)] = &[
        ("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w", "e5e6", Refusal::NoPiece),
        ("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w", "e6e5", Refusal::NotYours),
        ("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w", "a0b0", Refusal::OwnPiece),
        ("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w", "b0d1", Refusal::Blocked),
        ("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w", "a0a5", Refusal::Blocked),
        ("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w", "b2b8", Refusal::Blocked),
        ("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w", "b2b7", Refusal::NoScreen),
        ("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w", "b2c3", Refusal::OwnPiece),
        ("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w", "b2c4", Refusal::WrongWay),
        ("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w", "e3d3", Refusal::WrongWay),
        ("3k5/9/9/9/9/9/9/3A5/4A4/4K4 w", "d2c3", Refusal::OutOfPalace),
        ("3k5/9/9/9/9/9/9/5K3/9/9 w", "f2f3", Refusal::OutOfPalace),
        ("3k5/9/9/9/9/9/9/5K3/9/9 w", "f2g2", Refusal::OutOfPalace),
        ("3k5/9/9/9/9/2B6/9/9/9/4K4 w", "c4e6", Refusal::AcrossRiver),
        ("3k5/9/9/9/9/9/9/9/3N5/2B1K4 w", "c0e2", Refusal::Blocked),
        ("4k4/9/9/9/4N4/9/9/9/9/4K4 w", "e5g6", Refusal::GeneralsFace),
        ("3k5/9/9/9/9/9/9/9/9/4K4 w", "e0d0", Refusal::GeneralsFace),
        ("3k5/9/9/9/4r4/9/9/4N4/9/4K4 w", "e2d4", Refusal::LeavesCheck),
        ("3k5/9/9/9/4c4/9/9/9/3N5/4K4 w", "d1e3", Refusal::LeavesCheck),
        ("3k5/9/9/9/9/9/9/9/9/4K4 w", "e0e0", Refusal::OwnPiece),
    ];

    #[test]
    fn refusals_say_why() {
        for &(fen, mv, why) in REFUSED {
            let board = Board::parse(fen).unwrap_or_else(|e| panic!("{fen}: {e:?}"));
            let at = |text: &str| Point::new(text.as_bytes()[0] - b'a', text.as_bytes()[1] - b'0');
            let (from, to) = (at(&mv[..2]), at(&mv[2..]));
            assert!(!board.is_legal(Move::new(index(from).unwrap(), index(to).unwrap())));
            assert_eq!(board.refusal(from, to), why, "{fen} {mv}");
        }
    }

    #[test]
    fn no_legal_move_loses() {
        for (fen, reason) in
            [("9/1R7/3k5/9/9/9/9/8B/4K4/5AB2 b", Reason::Stalemate), ("9/4k4/9/9/5r3/9/4n4/4BK3/4p4/3A1AB2 w", Reason::Checkmate)]
        {
            let board = Board::parse(fen).unwrap();
            assert_eq!(board.outcome(), Some(Outcome::win(!board.turn(), reason)));
        }
    }

    #[test]
    fn every_way_to_ask_agrees_in_random_games() {
        let mut random = fastrand::Rng::with_seed(5);
        for _ in 0..40 {
            let mut board = Board::default();
            for _ in 0..150 {
                let mut legal = Vec::new();
                board.legal_moves(&mut legal);
                let all = (0..90).flat_map(|from| (0..90).map(move |to| Move::new(from, to)));
                let asked: Vec<Move> = all.filter(|&mv| board.is_legal(mv)).collect();
                legal.sort_by_key(|mv| mv.0);
                assert_eq!(legal, asked, "{}", board.text());
                for &mv in &legal {
                    let mut after = board.clone();
                    let undo = after.apply(mv);
                    assert!(!after.in_check(board.turn()));
                    assert_eq!(after.in_check(!board.turn()), board.gives_check(mv), "{} {mv}", board.text());
                    assert_eq!(after.hash(), after.hash_from_scratch());
                    assert_eq!(after.piece_count(), after.all().count_ones());
                    after.revert(mv, undo);
                    assert_eq!(after, board);
                }
                assert_eq!(board.count() as usize, legal.len());
                let Some(&mv) = (!legal.is_empty()).then(|| random.choice(&legal)).flatten() else { break };
                board.apply(mv);
            }
        }
    }
}
