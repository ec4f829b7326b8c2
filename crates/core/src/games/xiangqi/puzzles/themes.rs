//! The themes of mates and of winning moves. Each is found by its definition on the board, so nothing has to be told about a puzzle.
//!
//! A piece has a part in a mate if without it there were no check, or a move.

use super::super::rules::attacks::{BETWEEN, Bits, Points, bit};
use super::super::rules::board::{Board, Move};
use super::super::rules::piece::{Piece, Role};
use crate::rules::Side;

/// All themes, in the order of the menus.
pub const ALL: &[&str] = &[
    "double-cannon",
    "cannon-horse",
    "trough-horse",
    "corner-horse",
    "angler-horse",
    "two-horses",
    "double-chariot",
    "iron-bolt",
    "palace-cannon",
    "heaven-and-earth",
    "bottom-attack",
    "facing-generals",
    "two-soldiers",
    "chariot-horse",
    "chariot-cannon",
    "chariot-soldier",
    "heart",
    "double-check",
    "discovered-check",
    "sacrifice",
    "fork",
    "check-take",
];

/// The general's own point, the middle of the last rank, as a file and a rank; see [`place`].
const HOME: (usize, usize) = (4, 9);

/// A point's file and its rank, seen from the side that attacks: the other side's last rank is 9.
fn place(attacker: Side, at: usize) -> (usize, usize) {
    (at % 9, if attacker == Side::First { at / 9 } else { 9 - at / 9 })
}

/// What a piece is worth in an exchange, in soldiers.
const fn worth(role: Role) -> u8 {
    match role {
        Role::General => 20,
        Role::Chariot => 9,
        Role::Horse | Role::Cannon => 4,
        Role::Advisor | Role::Elephant => 2,
        Role::Soldier => 1,
    }
}

/// The themes of a line of which the first `asked` moves of its first side are the solution.
pub fn of(start: &Board, line: &[Move], asked: usize) -> Vec<&'static str> {
    let own = start.turn();
    let mut found = Vec::new();
    let mut board = start.clone();
    let mut checkers = Vec::new();
    for (ply, &mv) in line.iter().enumerate().take(2 * asked - 1) {
        let moved = board.at(mv.from()).map(Piece::role);
        let taken = board.apply(mv).captured().map(Piece::role);
        let (Some(moved), true) = (moved, ply % 2 == 0) else { continue };
        let checks = board.attackers(own, board.general(!own));
        if checks.count_ones() > 1 {
            found.push("double-check");
        }
        if checks != 0 && checks & bit(mv.to()) == 0 {
            found.push("discovered-check");
        }
        let answered = line.get(ply + 1).is_some_and(|answer| answer.to() == mv.to());
        if answered && worth(moved) >= 4 && worth(moved) > taken.map_or(0, worth) {
            found.push("sacrifice");
        }
        if answered && moved == Role::Chariot && taken == Some(Role::Advisor) && place(own, mv.to()) == (4, 8) {
            found.push("heart");
        }
        if line.get(ply + 2).is_some_and(|next| next.from() == mv.to()) && forks(&board, own, mv.to(), line, ply) {
            found.push("fork");
        }
        let next = line.get(ply + 2).and_then(|next| board.at(next.to()));
        if checks != 0 && next.is_some_and(|piece| piece.side() != own && worth(piece.role()) >= 4) {
            found.push("check-take");
        }
        if checks & bit(mv.to()) != 0 {
            checkers.push((moved, mv));
        }
    }
    if line.len() == 2 * asked - 1 && board.in_check(!own) && !board.can_move() {
        let alternate = |earlier: Move, last: Move| earlier.to() != last.from();
        let chariots = matches!(checkers[..], [.., (Role::Chariot, one), (Role::Chariot, other)] if alternate(one, other));
        found.extend(Mate::new(&board).themes(chariots));
    }
    ALL.iter().copied().filter(|theme| found.contains(theme)).collect()
}

/// Whether the piece on a point attacks two pieces at once that are worth it, and takes one of them with its next move.
fn forks(board: &Board, own: Side, at: usize, line: &[Move], ply: usize) -> bool {
    let Some(piece) = board.at(at) else { return false };
    let is_worth = |target: usize| {
        let role = board.at(target).map(Piece::role);
        role.is_some_and(|role| worth(role) > worth(piece.role()) || worth(role) >= 4 && board.attackers(!own, target) == 0)
    };
    let targets: Vec<usize> = Points(board.reach(piece, at) & board.side(!own)).filter(|target| is_worth(*target)).collect();
    targets.len() > 1 && line.get(ply + 2).is_some_and(|next| targets.contains(&next.to()))
}

/// A position in which the side to move is mated.
struct Mate<'a> {
    board: &'a Board,
    own: Side,
    general: usize,
    checks: Bits,
}

impl Mate<'_> {
    fn new(board: &Board) -> Mate<'_> {
        let (own, general) = (!board.turn(), board.general(board.turn()));
        Mate { board, own, general, checks: board.attackers(own, general) }
    }

    /// The pieces of a role that have a part in the mate.
    fn parts(&self, role: Role) -> Vec<usize> {
        Points(self.board.of(self.own, role)).filter(|at| self.has_part(*at)).collect()
    }

    fn has_part(&self, without: usize) -> bool {
        let pieces = Points(self.board.all() & !bit(without)).filter_map(|at| Some((self.board.at(at)?, at)));
        let board = Board::of_pieces(pieces, self.board.turn());
        !board.in_check(board.turn()) || board.can_move()
    }

    /// Whether the mated side lacks a move only because the generals would face each other.
    fn generals_face(&self) -> bool {
        let mut faced = false;
        self.board.for_each_reach(!self.board.side(self.board.turn()), |from, targets| {
            faced = faced
                || Points(targets).any(|to| {
                    let mut after = self.board.clone();
                    after.apply(Move::new(from, to));
                    after.generals_face() && after.attackers(self.own, after.general(!self.own)) == 0
                });
        });
        faced
    }

    /// `alternate` tells that the last two checks were given by two chariots.
    fn themes(&self, alternate: bool) -> Vec<&'static str> {
        let (board, home) = (self.board, place(self.own, self.general));
        let [chariots, horses, cannons, soldiers] =
            [Role::Chariot, Role::Horse, Role::Cannon, Role::Soldier].map(|role| self.parts(role));
        let place = |at: usize| place(self.own, at);
        let mut found = Vec::new();
        for at in &horses {
            match place(*at) {
                (2 | 6, 8) => found.push("trough-horse"),
                (3 | 5, 7) => found.push("corner-horse"),
                (2 | 6, 7) => found.push("angler-horse"),
                _ => {}
            }
        }
        for checker in Points(self.checks) {
            let between = || Points(BETWEEN[checker][self.general] & board.all()).next();
            let role = board.at(checker).map(Piece::role);
            let (file, rank) = place(checker);
            match (role, between()) {
                (Some(Role::Cannon), Some(screen)) => match board.at(screen) {
                    Some(piece) if piece == Piece::new(self.own, Role::Cannon) => found.push("double-cannon"),
                    Some(piece) if piece == Piece::new(self.own, Role::Horse) => {
                        let (across, along) = place(screen);
                        if across.abs_diff(home.0) + along.abs_diff(home.1) == 2 {
                            found.push("cannon-horse");
                        }
                    }
                    Some(piece) if piece == Piece::new(!self.own, Role::Advisor) => found.push("palace-cannon"),
                    _ => {}
                },
                (Some(Role::Horse), _) if horses.len() > 1 => found.push("two-horses"),
                (Some(Role::Chariot), _) => {
                    if alternate && chariots.len() > 1 {
                        found.push("double-chariot");
                    }
                    let bolted = cannons.iter().any(|at| place(*at).0 == 4);
                    if home == HOME && matches!((file, rank), (3 | 5, 9)) && bolted {
                        found.push("iron-bolt");
                    }
                }
                _ => {}
            }
            if matches!(role, Some(Role::Chariot | Role::Cannon)) && file == home.0 && rank == 9 {
                found.push("bottom-attack");
            }
        }
        if cannons.iter().any(|at| place(*at).0 == 4) && cannons.iter().any(|at| place(*at).1 == 9 && place(*at).0 != 4) {
            found.push("heaven-and-earth");
        }
        let ribs = soldiers.iter().map(|at| place(*at)).filter(|(_, rank)| *rank >= 7).map(|(file, _)| file);
        if ribs.clone().any(|file| file == 3) && ribs.clone().any(|file| file == 5) {
            found.push("two-soldiers");
        }
        if self.generals_face() {
            found.push("facing-generals");
        }
        // Two kinds of pieces that mate together in none of the ways with a name.
        if found.is_empty() && !chariots.is_empty() {
            let with = [(&horses, "chariot-horse"), (&cannons, "chariot-cannon"), (&soldiers, "chariot-soldier")];
            found.extend(with.into_iter().find(|(pieces, _)| !pieces.is_empty()).map(|(_, theme)| theme));
        }
        found
    }
}
