//! The tablebase of xiangqi: endings in which one side has one or two attacking pieces and the other side only guards its general.
//!
//! For each position the tables know whether the attacker can force mate (or leave the other side without a move), and in how many plies with best play of
//! both. The side with guards alone cannot win. Repetitions need no rule here: a shortest win never comes back to a position.
//!
//! A [`Family`] is a set of attackers with all numbers of guards, so captures stay in the family, but for that of one of two attackers. `qiju-tools endings`
//! makes the file; the tests compare it with a search by the rules alone.

use crate::games::large;
use crate::games::xiangqi::rules::attacks::{Bits, Points, bit};
use crate::games::xiangqi::rules::board::Board;
use crate::games::xiangqi::rules::piece::{Piece, Role};
use crate::rules::Side;
use crate::storage::crc32;
use flate2::read::DeflateDecoder;
use std::io::Read;
use std::sync::OnceLock;

/// The first words of the file.
pub const HEAD: &str = "qiju xiangqi endings 1";
/// The most pieces of a position in the tables.
const MOST: u32 = 7;

/// Endings with the same attackers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Family {
    /// Its name in figures.
    pub name: &'static str,
    /// The attackers; two equal ones stand in the order of their points.
    pub attackers: &'static [Role],
    /// Whether the attacker may have advisors.
    pub own_advisors: bool,
    /// Whether the other side may have elephants, besides advisors.
    pub elephants: bool,
}

const fn family(name: &'static str, attackers: &'static [Role], own_advisors: bool, elephants: bool) -> Family {
    Family { name, attackers, own_advisors, elephants }
}

/// All families, in the order of the file. One with fewer attackers comes before those to which it belongs.
pub const FAMILIES: [Family; 6] = [
    family("chariot", &[Role::Chariot], false, true),
    family("horse", &[Role::Horse], false, true),
    family("cannon", &[Role::Cannon], true, false),
    family("soldier", &[Role::Soldier], false, true),
    family("horse and soldier", &[Role::Horse, Role::Soldier], false, false),
    family("two soldiers", &[Role::Soldier, Role::Soldier], false, false),
];

/// The points of the upper side's advisors and elephants; [`turned`] gives those of the lower side.
const ADVISORS: [u8; 5] = [84, 86, 76, 66, 68];
const ELEPHANTS: [u8; 7] = [83, 87, 63, 67, 71, 47, 51];
/// The number of ways to place at most two advisors, and at most two elephants.
const ADVISOR_SETS: usize = 16;
const ELEPHANT_SETS: usize = 29;
/// The points of the attacker's general, from the left to the middle file, and of the other one.
const GENERALS: [usize; 2] = [6, 9];

/// For each set of bits, its number among the sets of at most two; 255 for larger ones.
const fn numbers<const N: usize>() -> [u8; N] {
    let (mut numbers, mut bits, mut next) = ([255; N], 0, 0);
    while bits < N {
        if bits.count_ones() <= 2 {
            numbers[bits] = next;
            next += 1;
        }
        bits += 1;
    }
    numbers
}

const ADVISOR_NUMBERS: [u8; 32] = numbers();
const ELEPHANT_NUMBERS: [u8; 128] = numbers();

/// The point with the board turned around.
const fn turned(at: usize) -> usize {
    89 - at
}

/// The point with left and right exchanged.
const fn mirrored(at: usize) -> usize {
    at / 9 * 9 + 8 - at % 9
}

/// The number of points where an attacker can stand.
fn places(role: Role) -> usize {
    if role == Role::Soldier { 55 } else { 90 }
}

/// The number of an attacker's point, from below.
fn place(role: Role, at: usize) -> Option<usize> {
    if role != Role::Soldier {
        return Some(at);
    }
    match at / 9 {
        rank @ (3 | 4) if (at % 9).is_multiple_of(2) => Some((rank - 3) * 5 + at % 9 / 2),
        5.. => Some(at - 35),
        _ => None,
    }
}

fn at_place(role: Role, place: usize) -> usize {
    match place {
        _ if role != Role::Soldier => place,
        0..10 => 27 + place / 5 * 9 + place % 5 * 2,
        _ => place + 35,
    }
}

/// The number of the set of guards on these points, which are a side's and seen from above.
fn set_number<const N: usize>(numbers: &[u8], points: [u8; N], pieces: impl Iterator<Item = usize>) -> Option<usize> {
    let mut set = 0;
    for at in pieces {
        set |= 1 << points.iter().position(|point| usize::from(*point) == at)?;
    }
    numbers.get(set).map(|number| usize::from(*number)).filter(|number| *number < 255)
}

/// The points of a set of guards.
fn set_points<const N: usize>(numbers: &[u8], points: [u8; N], number: usize) -> impl Iterator<Item = usize> {
    let set = numbers.iter().position(|other| usize::from(*other) == number).unwrap_or_default();
    points.into_iter().enumerate().filter(move |(index, _)| set >> index & 1 == 1).map(|(_, at)| at.into())
}

impl Family {
    /// The sizes of the parts of an index, the last one fastest: turn, guards, own advisors, generals, attackers.
    fn sizes(&self) -> [usize; 7] {
        let own = if self.own_advisors { ADVISOR_SETS } else { 1 };
        let elephants = if self.elephants { ELEPHANT_SETS } else { 1 };
        let second = self.attackers.get(1).map_or(1, |role| places(*role));
        [2, elephants * ADVISOR_SETS, own, GENERALS[0], GENERALS[1], places(self.attackers[0]), second]
    }

    /// The number of positions, possible or not.
    pub fn positions(&self) -> usize {
        self.sizes().iter().product()
    }

    /// The position with this index, with the attacker below; `None` if two pieces stand on one point.
    pub fn position(&self, mut index: usize) -> Option<Board> {
        let sizes = self.sizes();
        let mut parts = [0; 7];
        for (part, size) in parts.iter_mut().zip(sizes).rev() {
            *part = index % size;
            index /= size;
        }
        let [turn, guards, own, general, other, first, second] = parts;
        let mut pieces: Vec<(Piece, usize)> = Vec::with_capacity(8);
        let mut put = |side, role, at| pieces.push((Piece::new(side, role), at));
        put(Side::First, Role::General, general / 2 * 9 + 3 + general % 2);
        put(Side::Second, Role::General, (7 + other / 3) * 9 + 3 + other % 3);
        for (role, part) in self.attackers.iter().zip([first, second]) {
            put(Side::First, *role, at_place(*role, part));
        }
        set_points(&ADVISOR_NUMBERS, ADVISORS, own).for_each(|at| put(Side::First, Role::Advisor, turned(at)));
        set_points(&ADVISOR_NUMBERS, ADVISORS, guards % ADVISOR_SETS).for_each(|at| put(Side::Second, Role::Advisor, at));
        let elephants = set_points(&ELEPHANT_NUMBERS, ELEPHANTS, guards / ADVISOR_SETS);
        elephants.for_each(|at| put(Side::Second, Role::Elephant, at));
        let mut seen: Bits = 0;
        let apart = pieces.iter().all(|(_, at)| {
            let free = seen & bit(*at) == 0;
            seen |= bit(*at);
            free
        });
        let ordered = self.attackers != [Role::Soldier, Role::Soldier] || first < second;
        let turn = if turn == 0 { Side::First } else { Side::Second };
        (apart && ordered).then(|| Board::of_pieces(pieces.into_iter(), turn))
    }

    /// The index of a position in which `own` has the attackers; `None` if it does not belong to the family.
    fn index(&self, board: &Board, own: Side) -> Option<usize> {
        let mirrors = board.general(own) % 9 == if own == Side::First { 5 } else { 3 };
        let seen = |at: usize| {
            let at = if own == Side::First { at } else { turned(at) };
            if mirrors { mirrored(at) } else { at }
        };
        let of = |side: Side, role: Role| Points(board.of(side, role)).map(seen);
        let general = seen(board.general(own));
        let other = seen(board.general(!own));
        let advisors = set_number(&ADVISOR_NUMBERS, ADVISORS, of(!own, Role::Advisor))?;
        let elephants = set_number(&ELEPHANT_NUMBERS, ELEPHANTS, of(!own, Role::Elephant))?;
        let own_advisors = set_number(&ADVISOR_NUMBERS, ADVISORS, of(own, Role::Advisor).map(turned))?;
        if elephants > 0 && !self.elephants || own_advisors > 0 && !self.own_advisors {
            return None;
        }
        let mut attackers = [0; 2];
        match *self.attackers {
            [role, same] if role == same => {
                for (place_of, at) in attackers.iter_mut().zip(of(own, role)) {
                    *place_of = place(role, at)?;
                }
                attackers.sort_unstable();
            }
            _ => {
                for (place_of, role) in attackers.iter_mut().zip(self.attackers) {
                    *place_of = place(*role, of(own, *role).next()?)?;
                }
            }
        }
        let turn = usize::from(board.turn() != own);
        let general = general / 9 * 2 + general % 9 - 3;
        let other = (other / 9 - 7) * 3 + other % 9 - 3;
        let guards = elephants * ADVISOR_SETS + advisors;
        let parts = [turn, guards, own_advisors, general, other, attackers[0], attackers[1]];
        Some(parts.into_iter().zip(self.sizes()).fold(0, |index, (part, size)| index * size + part))
    }
}

/// The attacking pieces of a side.
fn attackers(board: &Board, side: Side) -> Bits {
    [Role::Horse, Role::Chariot, Role::Cannon, Role::Soldier].into_iter().fold(0, |bits, role| bits | board.of(side, role))
}

/// The family of a position, the side with the attackers, and the index; `None` if the position is in no table.
pub fn locate(board: &Board) -> Option<(usize, Side, usize)> {
    let [first, second] = Side::BOTH.map(|side| attackers(board, side));
    let own = match (first, second) {
        (_, 0) if first != 0 => Side::First,
        (0, _) if second != 0 => Side::Second,
        _ => return None,
    };
    if board.of(own, Role::Elephant) != 0 {
        return None;
    }
    let has = |family: &Family| {
        let count = |role: Role| family.attackers.iter().filter(|attacker| **attacker == role).count() as u32;
        Role::ALL[3..].iter().all(|role| board.of(own, *role).count_ones() == count(*role))
    };
    let number = FAMILIES.iter().position(has)?;
    Some((number, own, FAMILIES[number].index(board, own)?))
}

/// What the tables know of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The side with the attacking pieces.
    pub attacker: Side,
    /// The plies to its win with best play of both; `None` if it cannot win.
    pub plies: Option<u32>,
}

/// The tables: for each position of a family a byte, 0 if the attacker does not win, else the plies to the win and one more.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tables(pub Vec<Vec<u8>>);

impl Tables {
    /// Reads a file.
    ///
    /// # Errors
    /// It is no such file, or it is damaged.
    pub fn read(bytes: &[u8]) -> Result<Tables, String> {
        let damaged = || "the file of endings is damaged".to_owned();
        let end = bytes.iter().take(200).position(|byte| *byte == b'\n').ok_or("this is no file of endings")?;
        let (head, body) = (std::str::from_utf8(&bytes[..end]).unwrap_or_default(), &bytes[end + 1..]);
        let sum = head.strip_prefix(HEAD).ok_or("this is no file of endings")?;
        if u32::from_str_radix(sum.trim(), 16) != Ok(crc32([body])) {
            return Err(damaged());
        }
        let mut unpacked = DeflateDecoder::new(body);
        let mut tables = Vec::new();
        for family in &FAMILIES {
            let mut table = vec![0; family.positions()];
            unpacked.read_exact(&mut table).map_err(|_| damaged())?;
            tables.push(table);
        }
        Ok(Tables(tables))
    }

    /// What they know of a place; see [`locate`].
    fn at(&self, (number, attacker, index): (usize, Side, usize)) -> Option<Ending> {
        let plies = self.0.get(number)?.get(index)?.checked_sub(1).map(u32::from);
        Some(Ending { attacker, plies })
    }
}

/// What the tables of the program know of a position; `None` if it is in no table.
#[inline]
pub fn probe(board: &Board) -> Option<Ending> {
    if board.piece_count() > MOST {
        return None;
    }
    let place = locate(board)?;
    shipped()?.at(place)
}

/// The tables of the program; `None` in the window of a page, which leaves searching to its workers.
pub fn shipped() -> Option<&'static Tables> {
    static TABLES: OnceLock<Option<Tables>> = OnceLock::new();
    TABLES.get_or_init(|| Tables::read(large::xiangqi_endings()?).ok()).as_ref()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::xiangqi::rules::board::Move;
    use crate::rules::Position;

    /// The plies in which the side that attacks forces the end, at most `most`, by trying everything.
    fn forced(board: &mut Board, own: Side, most: u32) -> Option<u32> {
        let mut legal: Vec<Move> = Vec::new();
        board.legal_moves(&mut legal);
        if legal.is_empty() {
            return (board.turn() != own).then_some(0);
        }
        if most == 0 {
            return None;
        }
        let mut best = None;
        for mv in legal {
            let attacks = board.turn() == own;
            let undo = board.make(mv);
            let limit = best.filter(|_| attacks).map_or(most - 1, |best: u32| (best - 1).min(most - 1));
            let plies = forced(board, own, limit).map(|plies| plies + 1);
            board.unmake(mv, undo);
            match (attacks, plies) {
                (true, Some(plies)) => best = Some(best.map_or(plies, |best| best.min(plies))),
                (true, None) => {}
                (false, Some(plies)) => best = Some(best.map_or(plies, |best| best.max(plies))),
                (false, None) => return None,
            }
        }
        best
    }

    fn at(text: &str) -> Board {
        Board::parse(text).unwrap()
    }

    #[test]
    fn an_index_means_one_position() {
        for (number, family) in FAMILIES.iter().enumerate() {
            let mut seed = 1_u64;
            let mut possible = 0;
            for _ in 0..20_000 {
                seed = crate::rules::zobrist::mix(seed);
                let index = (seed % family.positions() as u64) as usize;
                let Some(board) = family.position(index) else { continue };
                possible += 1;
                assert_eq!(locate(&board), Some((number, Side::First, index)), "{}", board.text());
                // The same seen in a mirror and with the sides exchanged.
                let change = |at: fn(usize) -> usize, exchange: bool| {
                    let side = |side: Side| if exchange { !side } else { side };
                    let pieces = Points(board.all()).filter_map(|from| Some((board.at(from)?, at(from))));
                    let pieces = pieces.map(|(piece, at)| (Piece::new(side(piece.side()), piece.role()), at));
                    Board::of_pieces(pieces, side(board.turn()))
                };
                assert_eq!(locate(&change(turned, true)), Some((number, Side::Second, index)));
                let general = board.general(Side::First) % 9;
                if general != 4 {
                    assert_eq!(locate(&change(mirrored, false)), Some((number, Side::First, index)));
                }
            }
            assert!(possible > 2_000, "{}: {possible}", family.name);
        }
    }

    /// The second way: a search that tries everything, by the rules alone, finds the same short wins and no others.
    #[test]
    fn short_wins_agree_with_a_search_by_the_rules() {
        let tables = shipped().unwrap();
        for (number, family) in FAMILIES.iter().enumerate() {
            let (mut seed, mut won, mut others) = (7 + number as u64, 0, 0);
            while won < 40 || others < 40 {
                seed = crate::rules::zobrist::mix(seed);
                let mut index = (seed % family.positions() as u64) as usize;
                if won < 40 && others >= 40 {
                    // Short wins may be rare.
                    let table = &tables.0[number];
                    index = (index..table.len()).find(|index| (1..=5).contains(&table[*index])).unwrap_or(index);
                }
                let Some(mut board) = family.position(index).filter(|board| !board.in_check(!board.turn())) else { continue };
                let known = probe(&board).unwrap().plies.filter(|plies| *plies <= 4);
                assert_eq!(forced(&mut board, Side::First, 4), known, "{}", board.text());
                if known.is_some() { won += 1 } else { others += 1 }
            }
        }
    }

    /// Each value follows from those of the moves: by the move generator, over the borders of the families, for both sides.
    #[test]
    fn every_value_follows_from_the_moves() {
        for (number, family) in FAMILIES.iter().enumerate() {
            let mut seed = 99 + number as u64;
            for _ in 0..6_000 {
                seed = crate::rules::zobrist::mix(seed);
                let index = (seed % family.positions() as u64) as usize;
                let Some(mut board) = family.position(index).filter(|board| !board.in_check(!board.turn())) else { continue };
                let known = probe(&board).unwrap().plies;
                let attacks = board.turn() == Side::First;
                let mut legal: Vec<Move> = Vec::new();
                board.legal_moves(&mut legal);
                let mut after = legal.into_iter().map(|mv| {
                    let undo = board.make(mv);
                    let plies = probe(&board).and_then(|ending| ending.plies);
                    board.unmake(mv, undo);
                    plies
                });
                let follows = if attacks {
                    after.flatten().min().map(|plies| plies + 1)
                } else {
                    after.try_fold(0, |most: u32, plies| Some(most.max(plies? + 1)))
                };
                assert_eq!(known, follows, "{}", board.text());
            }
        }
    }

    /// What the books of endings say.
    #[test]
    fn the_usual_endings_are_as_players_know_them() {
        let plies = |text: &str| probe(&at(text)).unwrap().plies;
        // A chariot wins against two advisors, and against two elephants; against all four it does not.
        assert!(plies("3ak4/4a4/9/9/9/9/9/9/4R4/3K5 w").is_some());
        assert!(plies("4k1b2/9/4b4/9/9/9/9/9/R8/3K5 w").is_some());
        assert_eq!(plies("3akab2/9/4b4/9/9/9/9/9/R8/4K4 w"), None);
        // A horse wins against a bare general and one advisor; a soldier on the last rank does not.
        assert!(plies("4k4/9/9/9/4N4/9/9/9/9/3K5 w").is_some());
        assert!(plies("3k5/4a4/9/9/4N4/9/9/9/9/4K4 w").is_some());
        assert_eq!(plies("P3k4/9/9/9/9/9/9/9/9/3K5 w"), None);
        // A cannon needs a screen of its own.
        assert_eq!(plies("4k4/9/9/9/4C4/9/9/9/9/3K5 w"), None);
        assert!(plies("3k5/9/9/9/9/9/9/3A5/4K4/4C4 w").is_some());
        // Black attacks too, and more pieces are in no table.
        let black = probe(&at("3k5/9/9/9/9/9/9/9/4n4/4K4 b")).unwrap();
        assert!(black.attacker == Side::Second && black.plies.is_some());
        assert_eq!(probe(&at("3k5/9/9/9/9/9/9/9/3rn4/4K4 b")), None);
        assert_eq!(probe(&Board::default()), None);
    }

    #[test]
    fn a_damaged_file_is_told() {
        let file = large::xiangqi_endings().unwrap();
        let mut changed = file.to_vec();
        changed[5000] ^= 1;
        assert!(Tables::read(&changed).is_err_and(|why| why.contains("damaged")));
        assert!(Tables::read(&file[..file.len() / 2]).is_err() && Tables::read(b"").is_err() && Tables::read(b"x\n").is_err());
    }
}
