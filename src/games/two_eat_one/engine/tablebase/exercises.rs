//! Exercises: won positions of a class, a given number of plies from the end.

use super::indexing::{Layout, SYMMETRIES, bits};
use super::oracle::{Oracle, SMALL};
use crate::games::two_eat_one::rules::board::{Bits, Board, Kind};
use crate::rules::Side;
use crate::search::{Known, StopToken};
use crate::table::{Exercise, ExerciseClass};

/// Positions tried before an exercise is given up: every one of the smaller classes, enough to meet one in a hundred thousand of the others.
const TRIES: usize = 2_000_000;

/// The longest win of each class, in plies: pieces of the winner, of the other side, plies. Classes with fewer than a thousand wins (two against three,
/// say) are left out: these are accidents, and not at every distance.
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

/// The classes exercises can be had of now: those whose distances are available or computed quickly.
pub fn classes(kind: Kind) -> Vec<ExerciseClass> {
    let all = kind != Kind::Standard || Oracle::of(kind).knows_all_distances();
    let at_hand = |&&(own, other, _): &&(u8, u8, u32)| all || usize::from(own.max(other)) <= SMALL;
    longest_wins(kind)
        .iter()
        .filter(at_hand)
        .map(|&(own, other, longest)| ExerciseClass { own, other, shortest: shortest_win(kind, own, other), longest })
        .collect()
}

/// A position of the wanted class, White to move and win in the wanted number of plies; `None` if none was met, or if the distances of the class are not
/// at hand.
pub fn find(wanted: &Exercise) -> Option<String> {
    let kind = Kind::from_key(&wanted.variant)?;
    let (own, other) = (usize::from(wanted.own), usize::from(wanted.other));
    let most = kind.stones() as usize;
    if !(2..=most).contains(&own) || !(2..=most).contains(&other) {
        return None;
    }
    let oracle = Oracle::of(kind);
    oracle.wait(&StopToken::new());
    // Every position of the class up to symmetry, in an order of the seed's own: a step without a common divisor visits all of them.
    let layout = Layout::of(kind);
    let (orbits, enemies) = (layout.orbits(own), layout.among_free(own, other));
    let count = orbits.len() * enemies.len();
    let mut random = fastrand::Rng::with_seed(wanted.seed);
    let step = std::iter::repeat_with(|| random.usize(1..=count)).find(|step| gcd(*step, count) == 1)?;
    let mut index = random.usize(0..count);
    let symmetry = random.usize(0..SYMMETRIES);
    for _ in 0..count.min(TRIES) {
        index = (index + step) % count;
        let white = orbits.representative(index / enemies.len());
        let free: Vec<usize> = (0..layout.points()).filter(|point| white >> point & 1 == 0).collect();
        let black = bits(enemies.all()[index % enemies.len()]).fold(0, |set: Bits, place| set | 1 << free[place]);
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
