//! The weights of the evaluation, in hundredths of a soldier: written by `qiju-tools train xiangqi evaluation`, read by `evaluation.rs`.

use std::ops::{AddAssign, SubAssign};

/// A value in the opening and in the ending.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Worth(pub i32, pub i32);

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
pub static WEIGHTS: [Worth; COUNT] = [
    Worth(0, 0), Worth(121, 68), Worth(211, 74), Worth(366, 311), Worth(977, 784), Worth(448, 265), Worth(53, 68),
    Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(23, -9), Worth(91, -25),
    Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(-86, 6), Worth(18, -29),
    Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(-87, -30), Worth(-77, -28),
    Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0),
    Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0),
    Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0),
    Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0),
    Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0),
    Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0),
    Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0),
    Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(-30, -54), Worth(0, 0),
    Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(6, -49),
    Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(-48, -53), Worth(0, 0),
    Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0),
    Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0),
    Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0),
    Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0),
    Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0),
    Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0),
    Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0),
    Worth(0, 0), Worth(0, 0), Worth(20, -51), Worth(0, 0), Worth(0, 0),
    Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0),
    Worth(-7, -71), Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(57, -59),
    Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0),
    Worth(0, 0), Worth(0, 0), Worth(-50, -42), Worth(0, 0), Worth(0, 0),
    Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0),
    Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0),
    Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0),
    Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0),
    Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0),
    Worth(-36, -46), Worth(-64, -53), Worth(-37, -22), Worth(-23, -30), Worth(-25, -23),
    Worth(-49, -62), Worth(-50, -23), Worth(-56, 7), Worth(-16, -5), Worth(-61, -38),
    Worth(-22, -3), Worth(-31, -3), Worth(-22, 2), Worth(5, 15), Worth(3, -6),
    Worth(10, 7), Worth(-39, 5), Worth(1, 28), Worth(-18, 20), Worth(45, -1),
    Worth(-7, -2), Worth(17, 2), Worth(76, 12), Worth(28, 27), Worth(33, 21),
    Worth(-14, -1), Worth(62, 18), Worth(5, 19), Worth(38, 29), Worth(35, 35),
    Worth(-9, -7), Worth(66, 21), Worth(6, 28), Worth(93, 30), Worth(16, 23),
    Worth(32, 37), Worth(46, 41), Worth(13, 18), Worth(66, 24), Worth(95, 30),
    Worth(13, 25), Worth(11, 32), Worth(101, 16), Worth(66, 27), Worth(18, 5),
    Worth(3, 15), Worth(17, 24), Worth(27, 36), Worth(6, 8), Worth(0, 2),
    Worth(-46, -79), Worth(2, 12), Worth(-6, -13), Worth(15, 9), Worth(-6, -4),
    Worth(-30, -20), Worth(3, 3), Worth(-30, 24), Worth(2, 6), Worth(-19, 3),
    Worth(-25, -8), Worth(13, -14), Worth(-24, 28), Worth(-9, 42), Worth(-7, 12),
    Worth(-5, 2), Worth(42, -11), Worth(43, -4), Worth(35, 24), Worth(16, 30),
    Worth(-14, 7), Worth(13, 1), Worth(43, 3), Worth(34, 14), Worth(0, 15),
    Worth(-25, 14), Worth(-10, 7), Worth(13, 6), Worth(18, 29), Worth(12, 21),
    Worth(5, 0), Worth(7, -3), Worth(57, -6), Worth(44, 8), Worth(12, 21),
    Worth(-8, 7), Worth(9, -1), Worth(39, 21), Worth(24, 39), Worth(29, 17),
    Worth(4, -22), Worth(40, -4), Worth(45, -19), Worth(22, 33), Worth(38, 39),
    Worth(-10, -10), Worth(31, -12), Worth(12, -4), Worth(68, 21), Worth(28, 13),
    Worth(-9, 20), Worth(-49, 6), Worth(-15, 7), Worth(-3, 14), Worth(13, 19),
    Worth(0, -15), Worth(-10, 14), Worth(16, -7), Worth(11, -2), Worth(31, 13),
    Worth(17, -14), Worth(-19, 3), Worth(41, -20), Worth(7, 10), Worth(63, 9),
    Worth(-3, 2), Worth(-39, -5), Worth(21, -20), Worth(19, -6), Worth(32, -4),
    Worth(23, -18), Worth(11, -8), Worth(32, 1), Worth(7, 24), Worth(55, 20),
    Worth(27, 21), Worth(-30, 36), Worth(41, 5), Worth(-37, -10), Worth(57, 6),
    Worth(20, 9), Worth(-18, 3), Worth(18, -17), Worth(-27, 16), Worth(4, 25),
    Worth(23, -17), Worth(-20, -11), Worth(30, -24), Worth(-10, -7), Worth(-28, 5),
    Worth(8, 1), Worth(-22, 4), Worth(-27, -29), Worth(-21, -20), Worth(-30, -17),
    Worth(69, -4), Worth(-10, 5), Worth(-34, -8), Worth(-48, -10), Worth(-13, -2),
    Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0),
    Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0),
    Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0),
    Worth(-7, 31), Worth(0, 0), Worth(-3, 1), Worth(0, 0), Worth(27, 43),
    Worth(-11, 35), Worth(0, 0), Worth(12, 16), Worth(0, 0), Worth(19, 51),
    Worth(29, 41), Worth(21, 34), Worth(69, 35), Worth(77, 60), Worth(94, 52),
    Worth(37, 60), Worth(61, 72), Worth(71, 87), Worth(89, 88), Worth(68, 79),
    Worth(47, 71), Worth(90, 78), Worth(90, 100), Worth(102, 143), Worth(134, 137),
    Worth(69, 85), Worth(88, 55), Worth(116, 85), Worth(194, 118), Worth(165, 190),
    Worth(22, 11), Worth(18, 5), Worth(29, 11), Worth(25, -26), Worth(41, 17),
    Worth(5, -1),
    Worth(15, -5),
    Worth(2, 0),
    Worth(3, -102),
    Worth(-4, -4),
    Worth(32, -18),
    Worth(-11, -7),
    Worth(67, -46),
    Worth(24, 5),
    Worth(39, 37),
    Worth(77, 71),
    Worth(116, -33),
    Worth(7, 42),
    Worth(21, -23),
    Worth(11, -6),
    Worth(17, 62),
    Worth(22, 29),
    Worth(-8, -18),
    Worth(11, 10),
    Worth(-6, 9),
    Worth(-33, -51),
    Worth(-32, 90),
    Worth(7, -2),
    Worth(36, 40),
    Worth(9, 25),
    Worth(39, 23),
    Worth(49, 21),
    Worth(2, -34),
    Worth(21, 4),
    Worth(8, -20),
];
