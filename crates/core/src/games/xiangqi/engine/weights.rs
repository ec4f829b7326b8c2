//! The weights of the evaluation, in hundredths of a soldier: written by `qiju-tools train xiangqi evaluation`, read by `evaluation.rs`.

use std::ops::{AddAssign, SubAssign};

/// A value in the opening and in the ending.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tapered(pub i32, pub i32);

impl AddAssign for Tapered {
    #[inline(always)]
    fn add_assign(&mut self, other: Tapered) {
        self.0 += other.0;
        self.1 += other.1;
    }
}

impl SubAssign for Tapered {
    #[inline(always)]
    fn sub_assign(&mut self, other: Tapered) {
        self.0 -= other.0;
        self.1 -= other.1;
    }
}

/// Material by role.
pub const MATERIAL: usize = 0;
/// Piece-square values, by role, rank from the own edge and file from the edge to the middle.
pub const PLACES: usize = 7;
/// Mobility: a point that a chariot reaches.
pub const CHARIOT_REACH: usize = 357;
/// Mobility: a point that a horse reaches and no soldier guards.
pub const HORSE_REACH: usize = 358;
/// Mobility: a point that a cannon can move to.
pub const CANNON_REACH: usize = 359;
/// A horse with one such point or none.
pub const HORSE_STUCK: usize = 360;
/// A point of the opponent's palace attacked by a chariot.
pub const STRUCK_BY_CHARIOT: usize = 361;
/// ..by a horse.
pub const STRUCK_BY_HORSE: usize = 362;
/// ..by a cannon.
pub const STRUCK_BY_CANNON: usize = 363;
/// ..by a soldier.
pub const STRUCK_BY_SOLDIER: usize = 364;
/// Two pieces attack the palace.
pub const STRIKERS_TWO: usize = 365;
/// Three pieces attack it.
pub const STRIKERS_THREE: usize = 366;
/// Four or more attack it.
pub const STRIKERS_FOUR: usize = 367;
/// A cannon on the general's line without a piece between.
pub const HOLLOW: usize = 368;
/// A cannon on the general's line with two pieces between.
pub const PIN: usize = 369;
/// A cannon on the opponent's last rank beside the palace.
pub const BOTTOM: usize = 370;
/// Two soldiers side by side across the river.
pub const LINKED: usize = 371;
/// A missing advisor of the opponent, for each chariot.
pub const NO_ADVISOR_CHARIOT: usize = 372;
/// ..for each horse and soldier past the river.
pub const NO_ADVISOR_HORSE: usize = 373;
/// A missing elephant of the opponent, for each cannon.
pub const NO_ELEPHANT_CANNON: usize = 374;
/// ..for each soldier past the river.
pub const NO_ELEPHANT_SOLDIER: usize = 375;
/// A cannon, for each own advisor and elephant (possible screens).
pub const CANNON_SCREEN: usize = 376;
/// Both chariots.
pub const CHARIOT_PAIR: usize = 377;
/// A horse and a cannon together.
pub const HORSE_AND_CANNON: usize = 378;
/// An attacked and unguarded chariot of the opponent.
pub const HANGING_CHARIOT: usize = 379;
/// An attacked and unguarded horse or cannon of the opponent.
pub const HANGING_FORCE: usize = 380;
/// An attacked and unguarded soldier of the opponent.
pub const HANGING_SOLDIER: usize = 381;
/// A chariot of the opponent attacked by a horse, a cannon or a soldier.
pub const CHARIOT_CHASED: usize = 382;
/// A horse or cannon of the opponent attacked by a soldier.
pub const FORCE_CHASED: usize = 383;
/// The opponent's general without advisors, facing a chariot.
pub const BARE_GENERAL: usize = 384;
/// Horses that guard each other.
pub const DOUBLED_HORSES: usize = 385;
/// A soldier that blocks an own horse on its own side of the river.
pub const SOLDIERS_HOME: usize = 386;
/// The number of weights.
pub const COUNT: usize = 387;

/// The value of being to move.
pub const TEMPO: i32 = 14;

/// The weights.
#[rustfmt::skip]
pub static WEIGHTS: [Tapered; COUNT] = [
    Tapered(0, 0), Tapered(121, 68), Tapered(211, 74), Tapered(366, 311), Tapered(977, 784), Tapered(448, 265), Tapered(53, 68),
    Tapered(0, 0), Tapered(0, 0), Tapered(0, 0), Tapered(23, -9), Tapered(91, -25),
    Tapered(0, 0), Tapered(0, 0), Tapered(0, 0), Tapered(-86, 6), Tapered(18, -29),
    Tapered(0, 0), Tapered(0, 0), Tapered(0, 0), Tapered(-87, -30), Tapered(-77, -28),
    Tapered(0, 0), Tapered(0, 0), Tapered(0, 0), Tapered(0, 0), Tapered(0, 0),
    Tapered(0, 0), Tapered(0, 0), Tapered(0, 0), Tapered(0, 0), Tapered(0, 0),
    Tapered(0, 0), Tapered(0, 0), Tapered(0, 0), Tapered(0, 0), Tapered(0, 0),
    Tapered(0, 0), Tapered(0, 0), Tapered(0, 0), Tapered(0, 0), Tapered(0, 0),
    Tapered(0, 0), Tapered(0, 0), Tapered(0, 0), Tapered(0, 0), Tapered(0, 0),
    Tapered(0, 0), Tapered(0, 0), Tapered(0, 0), Tapered(0, 0), Tapered(0, 0),
    Tapered(0, 0), Tapered(0, 0), Tapered(0, 0), Tapered(0, 0), Tapered(0, 0),
    Tapered(0, 0), Tapered(0, 0), Tapered(0, 0), Tapered(-30, -54), Tapered(0, 0),
    Tapered(0, 0), Tapered(0, 0), Tapered(0, 0), Tapered(0, 0), Tapered(6, -49),
    Tapered(0, 0), Tapered(0, 0), Tapered(0, 0), Tapered(-48, -53), Tapered(0, 0),
    Tapered(0, 0), Tapered(0, 0), Tapered(0, 0), Tapered(0, 0), Tapered(0, 0),
    Tapered(0, 0), Tapered(0, 0), Tapered(0, 0), Tapered(0, 0), Tapered(0, 0),
    Tapered(0, 0), Tapered(0, 0), Tapered(0, 0), Tapered(0, 0), Tapered(0, 0),
    Tapered(0, 0), Tapered(0, 0), Tapered(0, 0), Tapered(0, 0), Tapered(0, 0),
    Tapered(0, 0), Tapered(0, 0), Tapered(0, 0), Tapered(0, 0), Tapered(0, 0),
    Tapered(0, 0), Tapered(0, 0), Tapered(0, 0), Tapered(0, 0), Tapered(0, 0),
    Tapered(0, 0), Tapered(0, 0), Tapered(0, 0), Tapered(0, 0), Tapered(0, 0),
    Tapered(0, 0), Tapered(0, 0), Tapered(20, -51), Tapered(0, 0), Tapered(0, 0),
    Tapered(0, 0), Tapered(0, 0), Tapered(0, 0), Tapered(0, 0), Tapered(0, 0),
    Tapered(-7, -71), Tapered(0, 0), Tapered(0, 0), Tapered(0, 0), Tapered(57, -59),
    Tapered(0, 0), Tapered(0, 0), Tapered(0, 0), Tapered(0, 0), Tapered(0, 0),
    Tapered(0, 0), Tapered(0, 0), Tapered(-50, -42), Tapered(0, 0), Tapered(0, 0),
    Tapered(0, 0), Tapered(0, 0), Tapered(0, 0), Tapered(0, 0), Tapered(0, 0),
    Tapered(0, 0), Tapered(0, 0), Tapered(0, 0), Tapered(0, 0), Tapered(0, 0),
    Tapered(0, 0), Tapered(0, 0), Tapered(0, 0), Tapered(0, 0), Tapered(0, 0),
    Tapered(0, 0), Tapered(0, 0), Tapered(0, 0), Tapered(0, 0), Tapered(0, 0),
    Tapered(0, 0), Tapered(0, 0), Tapered(0, 0), Tapered(0, 0), Tapered(0, 0),
    Tapered(-36, -46), Tapered(-64, -53), Tapered(-37, -22), Tapered(-23, -30), Tapered(-25, -23),
    Tapered(-49, -62), Tapered(-50, -23), Tapered(-56, 7), Tapered(-16, -5), Tapered(-61, -38),
    Tapered(-22, -3), Tapered(-31, -3), Tapered(-22, 2), Tapered(5, 15), Tapered(3, -6),
    Tapered(10, 7), Tapered(-39, 5), Tapered(1, 28), Tapered(-18, 20), Tapered(45, -1),
    Tapered(-7, -2), Tapered(17, 2), Tapered(76, 12), Tapered(28, 27), Tapered(33, 21),
    Tapered(-14, -1), Tapered(62, 18), Tapered(5, 19), Tapered(38, 29), Tapered(35, 35),
    Tapered(-9, -7), Tapered(66, 21), Tapered(6, 28), Tapered(93, 30), Tapered(16, 23),
    Tapered(32, 37), Tapered(46, 41), Tapered(13, 18), Tapered(66, 24), Tapered(95, 30),
    Tapered(13, 25), Tapered(11, 32), Tapered(101, 16), Tapered(66, 27), Tapered(18, 5),
    Tapered(3, 15), Tapered(17, 24), Tapered(27, 36), Tapered(6, 8), Tapered(0, 2),
    Tapered(-46, -79), Tapered(2, 12), Tapered(-6, -13), Tapered(15, 9), Tapered(-6, -4),
    Tapered(-30, -20), Tapered(3, 3), Tapered(-30, 24), Tapered(2, 6), Tapered(-19, 3),
    Tapered(-25, -8), Tapered(13, -14), Tapered(-24, 28), Tapered(-9, 42), Tapered(-7, 12),
    Tapered(-5, 2), Tapered(42, -11), Tapered(43, -4), Tapered(35, 24), Tapered(16, 30),
    Tapered(-14, 7), Tapered(13, 1), Tapered(43, 3), Tapered(34, 14), Tapered(0, 15),
    Tapered(-25, 14), Tapered(-10, 7), Tapered(13, 6), Tapered(18, 29), Tapered(12, 21),
    Tapered(5, 0), Tapered(7, -3), Tapered(57, -6), Tapered(44, 8), Tapered(12, 21),
    Tapered(-8, 7), Tapered(9, -1), Tapered(39, 21), Tapered(24, 39), Tapered(29, 17),
    Tapered(4, -22), Tapered(40, -4), Tapered(45, -19), Tapered(22, 33), Tapered(38, 39),
    Tapered(-10, -10), Tapered(31, -12), Tapered(12, -4), Tapered(68, 21), Tapered(28, 13),
    Tapered(-9, 20), Tapered(-49, 6), Tapered(-15, 7), Tapered(-3, 14), Tapered(13, 19),
    Tapered(0, -15), Tapered(-10, 14), Tapered(16, -7), Tapered(11, -2), Tapered(31, 13),
    Tapered(17, -14), Tapered(-19, 3), Tapered(41, -20), Tapered(7, 10), Tapered(63, 9),
    Tapered(-3, 2), Tapered(-39, -5), Tapered(21, -20), Tapered(19, -6), Tapered(32, -4),
    Tapered(23, -18), Tapered(11, -8), Tapered(32, 1), Tapered(7, 24), Tapered(55, 20),
    Tapered(27, 21), Tapered(-30, 36), Tapered(41, 5), Tapered(-37, -10), Tapered(57, 6),
    Tapered(20, 9), Tapered(-18, 3), Tapered(18, -17), Tapered(-27, 16), Tapered(4, 25),
    Tapered(23, -17), Tapered(-20, -11), Tapered(30, -24), Tapered(-10, -7), Tapered(-28, 5),
    Tapered(8, 1), Tapered(-22, 4), Tapered(-27, -29), Tapered(-21, -20), Tapered(-30, -17),
    Tapered(69, -4), Tapered(-10, 5), Tapered(-34, -8), Tapered(-48, -10), Tapered(-13, -2),
    Tapered(0, 0), Tapered(0, 0), Tapered(0, 0), Tapered(0, 0), Tapered(0, 0),
    Tapered(0, 0), Tapered(0, 0), Tapered(0, 0), Tapered(0, 0), Tapered(0, 0),
    Tapered(0, 0), Tapered(0, 0), Tapered(0, 0), Tapered(0, 0), Tapered(0, 0),
    Tapered(-7, 31), Tapered(0, 0), Tapered(-3, 1), Tapered(0, 0), Tapered(27, 43),
    Tapered(-11, 35), Tapered(0, 0), Tapered(12, 16), Tapered(0, 0), Tapered(19, 51),
    Tapered(29, 41), Tapered(21, 34), Tapered(69, 35), Tapered(77, 60), Tapered(94, 52),
    Tapered(37, 60), Tapered(61, 72), Tapered(71, 87), Tapered(89, 88), Tapered(68, 79),
    Tapered(47, 71), Tapered(90, 78), Tapered(90, 100), Tapered(102, 143), Tapered(134, 137),
    Tapered(69, 85), Tapered(88, 55), Tapered(116, 85), Tapered(194, 118), Tapered(165, 190),
    Tapered(22, 11), Tapered(18, 5), Tapered(29, 11), Tapered(25, -26), Tapered(41, 17),
    Tapered(5, -1),
    Tapered(15, -5),
    Tapered(2, 0),
    Tapered(3, -102),
    Tapered(-4, -4),
    Tapered(32, -18),
    Tapered(-11, -7),
    Tapered(67, -46),
    Tapered(24, 5),
    Tapered(39, 37),
    Tapered(77, 71),
    Tapered(116, -33),
    Tapered(7, 42),
    Tapered(21, -23),
    Tapered(11, -6),
    Tapered(17, 62),
    Tapered(22, 29),
    Tapered(-8, -18),
    Tapered(11, 10),
    Tapered(-6, 9),
    Tapered(-33, -51),
    Tapered(-32, 90),
    Tapered(7, -2),
    Tapered(36, 40),
    Tapered(9, 25),
    Tapered(39, 23),
    Tapered(49, 21),
    Tapered(2, -34),
    Tapered(21, 4),
    Tapered(8, -20),
];
