//! What a position is worth: material and where the men stand, weighed between opening and ending.

use super::attacks::Points;
use super::board::{Board, Man, Move, Role};
use crate::rules::Side;
use crate::search::Evaluate;

/// A worth in the opening and in the ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Worth(i32, i32);

/// Material by role, in hundredths of a soldier on its own bank.
const MATERIAL: [Worth; 7] =
    [Worth(0, 0), Worth(200, 190), Worth(210, 200), Worth(430, 470), Worth(980, 1020), Worth(470, 430), Worth(90, 110)];

/// What each man counts towards the opening.
const PHASE: [i32; 7] = [0, 0, 0, 3, 6, 3, 1];
const WHOLE_PHASE: i32 = 2 * (2 * 3 + 2 * 6 + 2 * 3 + 5);

/// Where men stand well, by rank from the own edge and file from the edge to the middle.
type Places = [[i32; 5]; 10];

const GENERAL: Places = {
    let mut places = [[0; 5]; 10];
    places[0] = [0, 0, 0, 0, 8];
    places[1] = [0, 0, 0, -25, -20];
    places[2] = [0, 0, 0, -40, -40];
    places
};

const ADVISOR: Places = {
    let mut places = [[0; 5]; 10];
    places[1] = [0, 0, 0, 0, 10];
    places[2] = [0, 0, 0, -8, 0];
    places
};

const ELEPHANT: Places = {
    let mut places = [[0; 5]; 10];
    places[2] = [-15, 0, 0, 0, 12];
    places[4] = [0, 0, -4, 0, 0];
    places
};

const HORSE: Places = [
    [-35, -28, -18, -20, -25],
    [-20, -10, 0, 5, -45],
    [-10, 0, 20, 12, 6],
    [0, 10, 15, 18, 15],
    [0, 20, 22, 26, 25],
    [5, 25, 30, 35, 36],
    [5, 30, 35, 45, 40],
    [5, 28, 45, 42, 38],
    [0, 20, 50, 35, 15],
    [-10, 0, 10, 10, 0],
];

const CHARIOT: Places = [
    [-30, 5, 0, 15, 0],
    [-10, 8, 5, 15, 0],
    [-10, 8, 5, 15, 5],
    [-5, 10, 10, 18, 12],
    [5, 15, 15, 22, 18],
    [10, 16, 15, 22, 20],
    [12, 20, 20, 28, 28],
    [10, 18, 18, 26, 30],
    [12, 20, 20, 30, 35],
    [8, 12, 12, 20, 18],
];

const CANNON: Places = [
    [-5, 0, 5, 8, 5],
    [0, 5, 8, 8, 5],
    [0, 5, 8, 8, 18],
    [0, 0, 0, 0, 8],
    [0, 2, 5, 2, 12],
    [0, 0, 2, 2, 10],
    [2, 5, 3, 5, 15],
    [5, 8, 0, -5, 0],
    [10, 5, 0, -10, -10],
    [20, 15, 5, -8, -10],
];

const SOLDIER: Places = [
    [0; 5],
    [0; 5],
    [0; 5],
    [0, 0, -2, 0, 8],
    [5, 0, 12, 0, 12],
    [35, 50, 65, 75, 80],
    [50, 75, 95, 110, 110],
    [60, 85, 110, 130, 135],
    [60, 85, 110, 140, 145],
    [10, 20, 25, 40, 45],
];

const PLACES: [Places; 7] = [GENERAL, ADVISOR, ELEPHANT, HORSE, CHARIOT, CANNON, SOLDIER];

/// The worth of a role on a point, for the first side.
const fn standing(role: usize, at: usize) -> Worth {
    let (file, rank) = (at % 9, at / 9);
    let place = PLACES[role][rank][if file > 4 { 8 - file } else { file }];
    Worth(MATERIAL[role].0 + place, MATERIAL[role].1 + place)
}

static STANDING: [[Worth; 90]; Man::KINDS] = {
    let mut table = [[Worth(0, 0); 90]; Man::KINDS];
    let mut role = 0;
    while role < 7 {
        let mut at = 0;
        while at < 90 {
            let mirrored = (9 - at / 9) * 9 + at % 9;
            table[role][at] = standing(role, at);
            table[role + 7][at] = standing(role, mirrored);
            at += 1;
        }
        role += 1;
    }
    table
};

/// The judgement of a position by its men.
pub struct Judge;

impl Evaluate<Board> for Judge {
    fn evaluate(&mut self, position: &Board) -> i32 {
        let (mut opening, mut ending, mut phase) = (0, 0, 0);
        for at in Points(position.all()) {
            let Some(man) = position.at(at) else { continue };
            let Worth(a, b) = STANDING[man.index()][at];
            let sign = if man.side() == Side::First { 1 } else { -1 };
            opening += sign * a;
            ending += sign * b;
            phase += PHASE[man.role() as usize];
        }
        let worth = (opening * phase + ending * (WHOLE_PHASE - phase)) / WHOLE_PHASE;
        let worth = if position.turn() == Side::First { worth } else { -worth };
        worth + 8
    }

    fn promise(&mut self, position: &Board, mv: Move) -> i32 {
        let Some(man) = position.at(mv.from()) else { return 0 };
        let table = &STANDING[man.index()];
        match position.at(mv.to()) {
            None => (table[mv.to()].0 - table[mv.from()].0) / 4,
            Some(taken) => {
                let gain = STANDING[taken.index()][mv.to()].0;
                let risk = if position.attackers(!position.turn(), mv.to()) != 0 { MATERIAL[man.role() as usize].0 } else { 0 };
                gain - if risk > gain { risk } else { risk / 16 }
            }
        }
    }

    fn is_noisy(&mut self, position: &Board, mv: Move) -> bool {
        let Some(taken) = position.at(mv.to()) else { return false };
        // Taking a guarded man with a dearer one seldom helps at a leaf.
        let Some(man) = position.at(mv.from()) else { return false };
        let worth = |role: Role| MATERIAL[role as usize].0;
        worth(taken.role()) + 50 >= worth(man.role()) || position.attackers(!position.turn(), mv.to()) == 0
    }
}
