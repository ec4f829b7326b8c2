//! The weights of the evaluation, in hundredths of a soldier: written by the tuner (`tuning.rs`), read by `evaluation.rs`.

use std::ops::{AddAssign, SubAssign};

/// A worth in the opening and in the ending.
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
/// Where men stand, by role, rank from the own edge and file from the edge to the middle.
pub const PLACES: usize = 7;
/// A point a chariot reaches.
pub const CHARIOT_REACH: usize = 357;
/// A point a horse reaches that no soldier guards.
pub const HORSE_REACH: usize = 358;
/// A point a cannon moves to.
pub const CANNON_REACH: usize = 359;
/// A horse with one such point or none.
pub const HORSE_STUCK: usize = 360;
/// A point of the enemy palace struck by a chariot.
pub const STRUCK_BY_CHARIOT: usize = 361;
/// ..by a horse.
pub const STRUCK_BY_HORSE: usize = 362;
/// ..by a cannon.
pub const STRUCK_BY_CANNON: usize = 363;
/// ..by a soldier.
pub const STRUCK_BY_SOLDIER: usize = 364;
/// Two men strike the palace.
pub const STRIKERS_TWO: usize = 365;
/// Three do.
pub const STRIKERS_THREE: usize = 366;
/// Four or more do.
pub const STRIKERS_FOUR: usize = 367;
/// A cannon that sees the general with nothing between.
pub const HOLLOW: usize = 368;
/// A cannon on the general's line with two men between.
pub const PIN: usize = 369;
/// A cannon on the enemy's last rank beside the palace.
pub const BOTTOM: usize = 370;
/// Two soldiers past the river side by side.
pub const LINKED: usize = 371;
/// A missing enemy advisor, for each chariot.
pub const NO_ADVISOR_CHARIOT: usize = 372;
/// ..for each horse and soldier past the river.
pub const NO_ADVISOR_HORSE: usize = 373;
/// A missing enemy elephant, for each cannon.
pub const NO_ELEPHANT_CANNON: usize = 374;
/// ..for each soldier past the river.
pub const NO_ELEPHANT_SOLDIER: usize = 375;
/// A cannon, for each advisor and elephant of its own to fire over.
pub const CANNON_SCREEN: usize = 376;
/// Both chariots.
pub const CHARIOT_PAIR: usize = 377;
/// A horse and a cannon together.
pub const HORSE_AND_CANNON: usize = 378;
/// An enemy chariot that is struck and not guarded.
pub const HANGING_CHARIOT: usize = 379;
/// An enemy horse or cannon that is struck and not guarded.
pub const HANGING_FORCE: usize = 380;
/// An enemy soldier that is struck and not guarded.
pub const HANGING_SOLDIER: usize = 381;
/// An enemy chariot struck by a horse, a cannon or a soldier.
pub const CHARIOT_CHASED: usize = 382;
/// An enemy horse or cannon struck by a soldier.
pub const FORCE_CHASED: usize = 383;
/// The enemy general without advisors, facing a chariot.
pub const BARE_GENERAL: usize = 384;
/// Horses that guard each other.
pub const DOUBLED_HORSES: usize = 385;
/// A soldier before an own horse's leg on its bank.
pub const SOLDIERS_HOME: usize = 386;
/// The number of weights.
pub const COUNT: usize = 387;

/// The side to move is ahead by so much.
pub const TEMPO: i32 = 14;

/// The weights.
#[rustfmt::skip]
pub static WEIGHTS: [Worth; COUNT] = [
    Worth(0, 0), Worth(152, 113), Worth(192, 112), Worth(362, 396), Worth(945, 882), Worth(433, 299), Worth(60, 80),
    Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(13, -17), Worth(41, -10),
    Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(-44, -16), Worth(-7, -18),
    Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(-80, -27), Worth(-40, -28),
    Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0),
    Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0),
    Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0),
    Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0),
    Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0),
    Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0),
    Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0),
    Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(-10, -43), Worth(0, 0),
    Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(18, -35),
    Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(-49, -26), Worth(0, 0),
    Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0),
    Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0),
    Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0),
    Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0),
    Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0),
    Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0),
    Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0),
    Worth(0, 0), Worth(0, 0), Worth(1, -36), Worth(0, 0), Worth(0, 0),
    Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0),
    Worth(-10, -50), Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(35, -42),
    Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0),
    Worth(0, 0), Worth(0, 0), Worth(-25, -38), Worth(0, 0), Worth(0, 0),
    Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0),
    Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0),
    Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0),
    Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0),
    Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0),
    Worth(-37, -47), Worth(-39, -68), Worth(-36, -26), Worth(-33, -33), Worth(-24, -22),
    Worth(-41, -30), Worth(-12, -14), Worth(-39, 9), Worth(-21, -9), Worth(-59, -32),
    Worth(-27, 2), Worth(-15, 3), Worth(-4, -10), Worth(31, 4), Worth(3, 5),
    Worth(2, 14), Worth(-17, 6), Worth(22, 20), Worth(-5, 29), Worth(24, -18),
    Worth(9, 11), Worth(9, 14), Worth(14, 51), Worth(35, 28), Worth(33, 35),
    Worth(-1, 1), Worth(50, 12), Worth(11, 36), Worth(52, 26), Worth(40, 50),
    Worth(8, 1), Worth(43, 29), Worth(0, 37), Worth(78, 30), Worth(14, 34),
    Worth(11, 16), Worth(34, 32), Worth(59, 12), Worth(40, 18), Worth(59, 36),
    Worth(13, 17), Worth(20, 32), Worth(82, 29), Worth(40, 28), Worth(11, -11),
    Worth(-7, 5), Worth(10, 18), Worth(20, 28), Worth(7, 12), Worth(0, 0),
    Worth(-42, -62), Worth(11, -2), Worth(-2, -12), Worth(-15, 7), Worth(-7, -7),
    Worth(-13, -24), Worth(-12, 0), Worth(4, -5), Worth(-3, 8), Worth(-23, -3),
    Worth(-10, -22), Worth(15, -6), Worth(-20, 2), Worth(-1, 28), Worth(5, 12),
    Worth(1, 11), Worth(13, 13), Worth(26, 5), Worth(33, 18), Worth(11, 22),
    Worth(-2, 14), Worth(23, 15), Worth(31, 7), Worth(19, 24), Worth(-1, 9),
    Worth(-6, 25), Worth(4, 13), Worth(15, 27), Worth(8, 11), Worth(12, 23),
    Worth(8, 9), Worth(2, 4), Worth(43, 9), Worth(28, 6), Worth(21, 11),
    Worth(-10, 25), Worth(25, 1), Worth(17, 11), Worth(21, 28), Worth(23, 23),
    Worth(19, 3), Worth(39, -5), Worth(18, -2), Worth(27, 16), Worth(42, 42),
    Worth(0, 11), Worth(2, 2), Worth(22, 1), Worth(63, 16), Worth(31, 33),
    Worth(6, 17), Worth(-46, -9), Worth(-26, 10), Worth(-7, -1), Worth(8, 10),
    Worth(11, 21), Worth(-11, 48), Worth(14, -8), Worth(4, 29), Worth(35, 11),
    Worth(1, -3), Worth(-1, 8), Worth(10, -6), Worth(13, 3), Worth(54, 1),
    Worth(2, 10), Worth(-11, -2), Worth(5, -26), Worth(1, -5), Worth(34, 13),
    Worth(10, -8), Worth(23, -10), Worth(30, 6), Worth(25, -4), Worth(34, 5),
    Worth(8, 19), Worth(-9, 24), Worth(17, 1), Worth(-3, 1), Worth(38, -1),
    Worth(10, 5), Worth(11, -21), Worth(5, -5), Worth(-23, 13), Worth(-19, 21),
    Worth(26, -5), Worth(-1, -32), Worth(7, -26), Worth(-1, 6), Worth(-24, -1),
    Worth(-1, 5), Worth(-3, 1), Worth(1, -28), Worth(-15, -11), Worth(-25, -22),
    Worth(33, -3), Worth(-14, 8), Worth(-7, 7), Worth(-56, -22), Worth(-13, -6),
    Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0),
    Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0),
    Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0), Worth(0, 0),
    Worth(-3, 19), Worth(0, 0), Worth(-3, -6), Worth(0, 0), Worth(20, 19),
    Worth(-3, 11), Worth(0, 0), Worth(20, 13), Worth(0, 0), Worth(16, 43),
    Worth(38, 36), Worth(41, 43), Worth(65, 32), Worth(78, 61), Worth(87, 60),
    Worth(47, 50), Worth(56, 69), Worth(96, 87), Worth(85, 84), Worth(78, 90),
    Worth(39, 47), Worth(76, 96), Worth(85, 117), Worth(122, 140), Worth(131, 128),
    Worth(64, 78), Worth(82, 82), Worth(100, 97), Worth(167, 122), Worth(161, 184),
    Worth(16, 23), Worth(22, 10), Worth(28, 16), Worth(37, 15), Worth(41, 12),
    Worth(4, 0),
    Worth(7, -3),
    Worth(0, 1),
    Worth(-5, -67),
    Worth(3, -6),
    Worth(33, -12),
    Worth(8, 12),
    Worth(29, -18),
    Worth(19, 2),
    Worth(14, 32),
    Worth(64, 70),
    Worth(100, -21),
    Worth(27, 8),
    Worth(8, -3),
    Worth(13, 6),
    Worth(17, 29),
    Worth(13, 11),
    Worth(9, -17),
    Worth(4, 13),
    Worth(-16, 18),
    Worth(-43, -42),
    Worth(-8, 57),
    Worth(-7, 1),
    Worth(42, 45),
    Worth(8, 29),
    Worth(43, 17),
    Worth(31, 14),
    Worth(-2, -32),
    Worth(29, 23),
    Worth(6, -6),
];
