//! Puzzles of gomoku: wins by fours, wins by fours and threes, wins by forbidden points, and only defences.

mod themes;

use super::Gomoku;
use super::engine::threats;
use super::engine::vcf::Vcf;
use super::engine::vct::Vct;
use super::rules::board::Board;
use super::rules::classes::Class;
use super::rules::rule::Rule;
use super::rules::spot::Spot;
use crate::rules::{Position, Side};
use crate::table::{Action, Image, PuzzleKind, PuzzleSetter, PuzzleSolution, Puzzles, State, moves_of, position_of};

/// Nodes of the search for fours.
const FOURS: u64 = 10_000;
/// Nodes of the search for threats: to find a win, and to decide whether a move wins.
const THREATS: [u64; 2] = [6_000, 100_000];
/// At most so many moves may remain after the search for fours when the only defence is sought.
const SURVIVORS: usize = 8;
/// A win by fours in fewer plies is too plain: an open four and a five.
const SHORTEST: usize = 5;
/// Plies shown after the last move that is asked.
const SHOWN: usize = 9;

impl Puzzles for Gomoku {
    fn shipped(&self) -> &'static [u8] {
        include_bytes!("../../../assets/puzzles/gomoku.puzzles")
    }

    fn kinds(&self) -> &'static [PuzzleKind] {
        &[PuzzleKind::Fours, PuzzleKind::Threats, PuzzleKind::Defence, PuzzleKind::Forbidden]
    }

    fn variants(&self) -> &'static [&'static str] {
        &["freestyle", "renju", "standard", "renju"]
    }

    fn share(&self, kind: PuzzleKind, asked: usize) -> f32 {
        match (kind, asked) {
            (PuzzleKind::Fours, 1) => 0.08,
            (PuzzleKind::Fours, _) => 0.2,
            (PuzzleKind::Threats, _) => 0.2,
            (PuzzleKind::Defence, _) => 0.3,
            _ => 1.0,
        }
    }

    fn strongest(&self) -> usize {
        2
    }

    fn random_moves(&self) -> usize {
        5
    }

    fn images(&self, _: Side) -> &'static [Image] {
        &Image::ALL
    }

    fn sides_differ(&self, variant: &str) -> bool {
        Rule::of_variant(variant).is_some_and(|(rule, _)| rule == Rule::Renju)
    }

    fn themes(&self) -> &'static [&'static str] {
        themes::ALL
    }

    fn themes_of(&self, state: &dyn State, solution: &PuzzleSolution) -> Vec<&'static str> {
        let Some(board) = position_of::<Gomoku>(state) else { return Vec::new() };
        let line = moves_of::<Gomoku>(board, &solution.line);
        line.map_or_else(|_| Vec::new(), |line| themes::of(board, &line, solution.kind))
    }

    fn setter(&self) -> Box<dyn PuzzleSetter> {
        Box::new(Setter { fours: Vcf::new(16), threats: Vct::new(15) })
    }
}

struct Setter {
    fours: Vcf,
    threats: Vct,
}

/// Which moves count as an attack.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Attack {
    Fours,
    Threats,
}

/// The right moves at one of the solver's nodes (at most two are sought), and a line of the best play.
struct WinningMoves {
    right: Vec<Spot>,
    line: Vec<Spot>,
}

impl PuzzleSetter for Setter {
    fn find(&mut self, state: &dyn State, wanted: &dyn Fn(PuzzleKind, usize) -> bool) -> Option<PuzzleSolution> {
        let board = position_of::<Gomoku>(state)?;
        let (kind, line, asked) = self.seek(&mut board.clone(), wanted)?;
        let drops = line.into_iter().map(|spot| Action::Drop(spot.point())).collect();
        wanted(kind, asked).then_some(PuzzleSolution { kind, line: drops, asked })
    }

    fn check(&mut self, state: &dyn State, solution: &PuzzleSolution) -> Result<(), String> {
        let board = position_of::<Gomoku>(state).ok_or("the game is over in this position")?;
        let line = moves_of::<Gomoku>(board, &solution.line).map_err(|why| why.to_string())?;
        self.forget();
        let attack = match solution.kind {
            PuzzleKind::Fours => Attack::Fours,
            PuzzleKind::Threats => Attack::Threats,
            PuzzleKind::Forbidden => {
                if !self.needs_forbidden_points(board) {
                    return Err("the win does not need forbidden points".to_owned());
                }
                match self.by_fours(&mut board.clone()) {
                    Some(1..) => Attack::Fours,
                    _ => Attack::Threats,
                }
            }
            PuzzleKind::Defence => {
                let only = self.only_defence(&mut board.clone()).ok_or("there is not exactly one defence")?;
                return if line == [only] && solution.asked == 1 { Ok(()) } else { Err("another defence holds".to_owned()) };
            }
            other => return Err(format!("gomoku has no puzzles of the kind '{other}'")),
        };
        if attack == Attack::Threats && self.by_fours(&mut board.clone()) != Some(0) {
            return Err("there is a win by fours".to_owned());
        }
        if solution.asked == 0 || line.len() < 2 * solution.asked - 1 {
            return Err(format!("{} plies do not have {} moves to find", line.len(), solution.asked));
        }
        let mut board = board.clone();
        for (ply, &spot) in line.iter().enumerate().take(2 * solution.asked - 1) {
            if ply % 2 == 0 {
                let node = self.node(&mut board, attack).ok_or("the search was too long")?;
                let wins_now = board.class(spot, board.side_to_move()) == Class::Five;
                if !node.right.contains(&spot) || node.right.len() > 1 && !wins_now {
                    return Err(format!("{} moves win at ply {}, or another one does", node.right.len(), ply + 1));
                }
            }
            board.make(spot);
        }
        Ok(())
    }
}

impl Setter {
    /// Clears the tables, so that the answers do not depend on earlier calls.
    fn forget(&mut self) {
        self.fours.clear();
        self.threats.clear();
    }

    fn seek(&mut self, board: &mut Board, wanted: &dyn Fn(PuzzleKind, usize) -> bool) -> Option<(PuzzleKind, Vec<Spot>, usize)> {
        self.forget();
        let side = board.side_to_move();
        // With a five to make or to stop there is nothing to find.
        if board.has(side, Class::Five) || board.has(!side, Class::Five) {
            return None;
        }
        let some = |kind: PuzzleKind| (1..8).any(|asked| wanted(kind, asked));
        let attack = match self.by_fours(board)? {
            0 => Attack::Threats,
            plies if plies < SHORTEST => return None,
            _ => Attack::Fours,
        };
        if attack == Attack::Threats {
            match self.threats.decides(board, side, &mut self.fours, THREATS[0]) {
                Some(1..) => {}
                _ if some(PuzzleKind::Defence) => {
                    return self.only_defence(board).map(|spot| (PuzzleKind::Defence, vec![spot], 1));
                }
                _ => return None,
            }
        }
        let plain = if attack == Attack::Fours { PuzzleKind::Fours } else { PuzzleKind::Threats };
        let may_be_forbidden = board.rule() == Rule::Renju && side == Side::Second && some(PuzzleKind::Forbidden);
        let kind = if may_be_forbidden && self.needs_forbidden_points(board) { PuzzleKind::Forbidden } else { plain };
        if !some(kind) {
            return None;
        }
        let (line, asked) = self.line(board, attack)?;
        Some((kind, line, asked))
    }

    /// Plies to the five if the side to move wins by fours, 0 if it does not, `None` if this is not known.
    fn by_fours(&mut self, board: &mut Board) -> Option<usize> {
        match self.fours.wins(board, FOURS) {
            Some(plies) => Some(plies),
            None => self.fours.is_complete().then_some(0),
        }
    }

    /// Whether the side that has just moved wins by going on with fours: plies to the five, 0 if it does not, `None` if
    /// this is not known.
    fn goes_on(&mut self, board: &mut Board) -> Option<usize> {
        let side = board.side_to_move();
        if board.winner().is_some() {
            return Some(1);
        }
        if board.has(side, Class::Five) || !board.has(!side, Class::Five) {
            return Some(0);
        }
        let mut stops = threats::against_five(board, side);
        threats::keep_legal(board, &mut stops);
        let mut longest = 2;
        for spot in stops.iter() {
            board.make(spot);
            let plies = self.by_fours(board);
            board.unmake(spot, ());
            match plies? {
                0 => return Some(0),
                plies => longest = longest.max(plies + 1),
            }
        }
        Some(longest)
    }

    /// The moves that win in this way; `None` if it is not known of every move.
    fn node(&mut self, board: &mut Board, attack: Attack) -> Option<WinningMoves> {
        let side = board.side_to_move();
        let fives = board.of_class(side, Class::Five);
        if let Some(five) = fives.first() {
            return Some(WinningMoves { right: fives.iter().collect(), line: vec![five] });
        }
        let mut tries = match attack {
            Attack::Fours => board.at_least(side, Class::Four),
            Attack::Threats => board.at_least(side, Class::Three),
        };
        threats::keep_legal(board, &mut tries);
        let mut right = Vec::new();
        for spot in tries.iter() {
            board.make(spot);
            let plies = match attack {
                Attack::Fours => self.goes_on(board),
                Attack::Threats => self.threats.decides(board, side, &mut self.fours, THREATS[1]),
            };
            board.unmake(spot, ());
            if plies? > 0 {
                right.push(spot);
            }
            if right.len() > 1 {
                break;
            }
        }
        let line = match self.by_fours(board)? {
            0 => self.threats.proves(board, &mut self.fours, THREATS[1], &mut || false)?.line,
            _ => self.fours.line(board, FOURS),
        };
        Some(WinningMoves { right, line })
    }

    /// The line of a puzzle and the number of moves asked: as long as exactly one move wins.
    fn line(&mut self, board: &Board, attack: Attack) -> Option<(Vec<Spot>, usize)> {
        let mut board = board.clone();
        let (mut line, mut asked) = (Vec::new(), 0);
        loop {
            let node = self.node(&mut board, attack)?;
            let first = *node.line.first()?;
            let five = board.class(first, board.side_to_move()) == Class::Five;
            if node.right.len() != 1 && !(five && asked > 0) {
                line.extend(node.line.into_iter().take(SHOWN));
                break;
            }
            if node.right != [first] && !five {
                return None;
            }
            asked += 1;
            line.push(first);
            board.make(first);
            if five {
                break;
            }
            let answer = *node.line.get(1)?;
            if !board.is_legal(answer) {
                return None;
            }
            line.push(answer);
            board.make(answer);
        }
        (asked > 0).then_some((line, asked))
    }

    /// True if White wins by the rules of renju, but neither by fours nor by threes where nothing is forbidden.
    fn needs_forbidden_points(&mut self, board: &Board) -> bool {
        let stones = Side::BOTH.into_iter().flat_map(|side| board.stones(side).iter().map(move |spot| (spot, side)));
        let stones: Vec<(Spot, Side)> = stones.collect();
        let side = board.side_to_move();
        let mut free = Board::with_stones(Rule::Freestyle, board.size(), &stones, side);
        if board.rule() != Rule::Renju || free.winner().is_some() {
            return false;
        }
        self.forget();
        let wins = self.threats.decides(&mut free, side, &mut self.fours, THREATS[1]);
        self.forget();
        wins == Some(0)
    }

    /// The only move of the side to move after which the opponent does not win by fours and threes; `None` if there is
    /// no such move, more than one, or no threat.
    fn only_defence(&mut self, board: &mut Board) -> Option<Spot> {
        let side = board.side_to_move();
        board.pass();
        let threat = self.fours.wins(board, FOURS);
        board.pass();
        threat?;
        let mut survivors = Vec::new();
        for spot in board.empty().iter() {
            if !board.may_play(spot, side) {
                continue;
            }
            board.make(spot);
            let lost = board.winner().is_none() && self.fours.wins(board, FOURS).is_some();
            board.unmake(spot, ());
            if !lost {
                survivors.push(spot);
            }
            if survivors.len() > SURVIVORS {
                return None;
            }
        }
        let mut holding = Vec::new();
        for spot in survivors {
            board.make(spot);
            let plies = self.threats.decides(board, !side, &mut self.fours, THREATS[1]);
            board.unmake(spot, ());
            if plies? == 0 {
                holding.push(spot);
            }
            if holding.len() > 1 {
                return None;
            }
        }
        holding.first().copied()
    }
}
