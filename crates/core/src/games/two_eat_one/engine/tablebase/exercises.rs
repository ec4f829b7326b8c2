//! Exercises: won positions of a class with a given number of plies to the end.

use super::indexing::{Layout, bits};
use super::oracle::{Oracle, SMALL};
use crate::games::two_eat_one::rules::board::{Bits, Board, Kind};
use crate::rules::Side;
use crate::rules::symmetry::SYMMETRIES;
use crate::search::{Known, StopToken};
use crate::table::{Exercise, ExerciseClass};

/// The most positions tried to find an exercise: all positions of the smaller classes, and enough to find one in a hundred thousand of the others.
const TRIES: usize = 2_000_000;

/// The longest win of each class: pieces of the winner, pieces of the other side, plies. Classes with fewer than a thousand wins (two against three,
/// for example) are left out: they have too few wins and not at every distance.
fn longest_wins(kind: Kind) -> &'static [(u8, u8, u32)] {
    match kind {
        Kind::Standard => &[
            (2, 2, 15),
            (3, 2, 47),
            (4, 2, 39),
            (5, 2, 23),
            (3, 3, 81),
            (4, 3, 115),
            (5, 3, 95),
            (3, 4, 81),
            (4, 4, 131),
            (5, 4, 149),
            (3, 5, 75),
            (4, 5, 133),
            (5, 5, 209),
        ],
        Kind::Four => &[(2, 2, 15), (3, 2, 27), (4, 2, 23), (3, 3, 33), (4, 3, 37), (3, 4, 39), (4, 4, 53)],
        Kind::FourBig => &[(2, 2, 15), (3, 2, 27), (4, 2, 23), (3, 3, 35), (4, 3, 39), (3, 4, 39), (4, 4, 45)],
        Kind::FourSix => &[
            (2, 2, 15),
            (3, 2, 27),
            (4, 2, 23),
            (5, 2, 11),
            (6, 2, 11),
            (3, 3, 33),
            (4, 3, 37),
            (5, 3, 37),
            (6, 3, 31),
            (3, 4, 39),
            (4, 4, 53),
            (5, 4, 53),
            (6, 4, 51),
            (3, 5, 35),
            (4, 5, 57),
            (5, 5, 57),
            (6, 5, 59),
            (4, 6, 49),
            (5, 6, 57),
            (6, 6, 63),
        ],
    }
}

/// The shortest win of a class, in plies.
fn shortest_win(kind: Kind, own: u8, other: u8) -> u32 {
    match (kind, own, other) {
        (Kind::FourSix, 3, 5) => 7,
        (Kind::Four | Kind::FourSix, 3, 4) => 3,
        _ => 1,
    }
}

/// The classes from which exercises can be taken now: those whose distances are available or computed quickly.
pub fn classes(kind: Kind) -> Vec<ExerciseClass> {
    let all = kind != Kind::Standard || Oracle::of(kind).knows_all_distances();
    let at_hand = |&&(own, other, _): &&(u8, u8, u32)| all || usize::from(own.max(other)) <= SMALL;
    longest_wins(kind)
        .iter()
        .filter(at_hand)
        .map(|&(own, other, longest)| ExerciseClass { own, other, shortest: shortest_win(kind, own, other), longest })
        .collect()
}

/// A position of the wanted class in which White is to move and wins in the wanted number of plies; `None` if none is found, or if the distances of the
/// class are not available.
pub fn find(wanted: &Exercise) -> Option<String> {
    let kind = Kind::from_key(&wanted.variant)?;
    let (own, other) = (usize::from(wanted.own), usize::from(wanted.other));
    let most = kind.stones() as usize;
    if !(2..=most).contains(&own) || !(2..=most).contains(&other) {
        return None;
    }
    let oracle = Oracle::of(kind);
    oracle.wait(&StopToken::new());
    // Visits all positions of the class up to symmetry in an order that depends on the seed: the step has no common divisor with their number.
    let layout = Layout::of(kind);
    let (orbits, opponent_sets) = (layout.orbits(own), layout.among_free(own, other));
    let count = orbits.len() * opponent_sets.len();
    let mut random = fastrand::Rng::with_seed(wanted.seed);
    let step = std::iter::repeat_with(|| random.usize(1..=count)).find(|step| gcd(*step, count) == 1)?;
    let mut index = random.usize(0..count);
    let symmetry = random.usize(0..SYMMETRIES);
    for _ in 0..count.min(TRIES) {
        index = (index + step) % count;
        let white = orbits.representative(index / opponent_sets.len());
        let free: Vec<usize> = (0..layout.points()).filter(|point| white >> point & 1 == 0).collect();
        let black = bits(opponent_sets.all()[index % opponent_sets.len()]).fold(0, |set: Bits, place| set | 1 << free[place]);
        let verdict = oracle.verdict(white, black);
        if verdict.known == Known::Win && wanted.plies.contains(&verdict.plies?) {
            let sets = [white, black].map(|set| layout.image(symmetry, set));
            return Some(Board::new(kind, sets, Side::First).text());
        }
        if verdict.known != Known::Draw && verdict.plies.is_none() {
            return None;
        }
    }
    None
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}
