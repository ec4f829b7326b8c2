//! When something that was learnt is asked again: the scheduler FSRS-6 with its published default parameters.
//!
//! A memory has a stability `S`, the days after which it is recalled with a chance of 0.9, and a difficulty `D` from 1 to 10. It is asked again when
//! that chance has come down to [`RETENTION`]. Intervals are whole days, and nothing in them is by chance.
//!
//! Source of the formulas and of the parameters: "The Algorithm" in the wiki of the project open-spaced-repetition (fsrs4anki), version FSRS-6. With
//! the parameters `w0` to `w20`, the rating `G` (again 1, good 3) and `t` days since the last time:
//!
//! - the chance to recall it: `R = (1 + F t / S)^-w20` with `F = 0.9^(-1 / w20) - 1`;
//! - at first: `S = w(G - 1)`, `D = w4 - e^(w5 (G - 1)) + 1`;
//! - the difficulty: `D' = w7 D(4) + (1 - w7) (D - w6 (G - 3) (10 - D) / 9)`, where `D(4)` is what an easy one has at first;
//! - the stability after a good answer: `S' = S (1 + e^w8 (11 - D) S^-w9 (e^(w10 (1 - R)) - 1))`;
//! - after a miss: `S' = w11 D^-w12 ((S + 1)^w13 - 1) e^(w14 (1 - R))`, at most `S / e^(w17 w18)`;
//! - on the same day: `S' = S e^(w17 (G - 3 + w18)) S^-w19`, after a good answer at least `S`.
//!
//! Its ratings "hard" and "easy" are not used: an answer is right, or it is not.

use serde::{Deserialize, Serialize};

/// The most that is asked for the first time on one day. What is new comes back soon.
pub const NEW_A_DAY: usize = 10;

/// The chance of a right answer with which something is asked again.
pub const RETENTION: f64 = 0.9;

/// The published default parameters of FSRS-6.
const W: [f64; 21] = [
    0.212, 1.2931, 2.3065, 8.2956, 6.4133, 0.8334, 3.0194, 0.001, 1.8722, 0.1666, 0.796, 1.4835, 0.0614, 0.2629, 1.6483, 0.6014,
    1.8729, 0.5425, 0.0912, 0.0658, 0.1542,
];
/// The longest interval in days, and the least stability.
const LONGEST: f64 = 36_500.0;
const LEAST: f64 = 0.001;

/// What came of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rating {
    /// It was missed.
    Again = 1,
    /// It was answered.
    Good = 3,
}

/// What is known of a memory, and when it is asked again. Days are counted from 1970-01-01.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    /// The days after which it is recalled with a chance of 0.9.
    pub stability: f64,
    /// The difficulty, from 1 to 10.
    pub difficulty: f64,
    /// The day of the last question,
    pub seen: i32,
    /// and that of the next one.
    pub due: i32,
}

impl Memory {
    /// The memory after a question on this day; `before` is `None` at the first one.
    pub fn after(before: Option<Memory>, rating: Rating, today: i32) -> Memory {
        let stability = match before {
            None => W[rating as usize - 1],
            Some(memory) => memory.next_stability(rating, f64::from(today.saturating_sub(memory.seen))),
        };
        let difficulty = match before {
            None => first_difficulty(rating as u8),
            Some(memory) => memory.next_difficulty(rating),
        };
        let (stability, difficulty) = (stability.clamp(LEAST, LONGEST), difficulty.clamp(1.0, 10.0));
        Memory { stability, difficulty, seen: today, due: today.saturating_add(interval(stability)) }
    }

    /// The same from a file, in which numbers may be anything; `None` if they mean nothing.
    pub fn sane(self) -> Option<Memory> {
        let is_sane = self.stability.is_finite() && self.difficulty.is_finite();
        let latest = self.seen.saturating_add(LONGEST as i32);
        is_sane.then(|| Memory {
            stability: self.stability.clamp(LEAST, LONGEST),
            difficulty: self.difficulty.clamp(1.0, 10.0),
            due: self.due.min(latest),
            ..self
        })
    }

    /// The chance that it is recalled after so many days.
    fn recall(self, days: f64) -> f64 {
        (1.0 + forgetting() * days / self.stability).powf(-W[20])
    }

    fn next_stability(self, rating: Rating, days: f64) -> f64 {
        let Memory { stability, difficulty, .. } = self;
        if days < 1.0 {
            let next = stability * (W[17] * (f64::from(rating as u8) - 3.0 + W[18])).exp() * stability.powf(-W[19]);
            return if rating == Rating::Good { next.max(stability) } else { next };
        }
        let missing = 1.0 - self.recall(days);
        match rating {
            Rating::Good => {
                let gain = W[8].exp() * (11.0 - difficulty) * stability.powf(-W[9]) * (W[10] * missing).exp_m1();
                stability * (1.0 + gain)
            }
            Rating::Again => {
                let lapsed = W[11] * difficulty.powf(-W[12]) * ((stability + 1.0).powf(W[13]) - 1.0) * (W[14] * missing).exp();
                lapsed.min(stability / (W[17] * W[18]).exp())
            }
        }
    }

    fn next_difficulty(self, rating: Rating) -> f64 {
        let step = -W[6] * (f64::from(rating as u8) - 3.0);
        let moved = self.difficulty + step * (10.0 - self.difficulty) / 9.0;
        W[7] * first_difficulty(4) + (1.0 - W[7]) * moved
    }
}

/// What is known of something that is learnt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Learnt {
    /// Its memory; `None` before it was asked for the first time.
    pub memory: Option<Memory>,
    /// The day on which it was asked for the first time, if it was, in days since 1970.
    pub begun: Option<i32>,
}

impl Learnt {
    /// True if it is to be asked on this day.
    pub fn is_due(self, today: i32) -> bool {
        self.memory.is_none_or(|memory| memory.due <= today)
    }

    /// Takes down what came of a question. Only one that was due counts.
    pub fn count(&mut self, rating: Rating, today: i32) {
        if self.is_due(today) {
            self.begun = self.memory.map_or(Some(today), |_| self.begun);
            self.memory = Some(Memory::after(self.memory, rating, today));
        }
    }

    /// The same from a file.
    pub fn sane(self) -> Learnt {
        Learnt { memory: self.memory.and_then(Memory::sane), ..self }
    }
}

/// What is due on a day of all that is learnt together: those that were due first come first, new ones at the end, and not more of them than a day has.
pub fn due<N>(all: impl Iterator<Item = (N, Learnt)>, today: i32) -> Vec<N> {
    let all: Vec<(N, Learnt)> = all.collect();
    let mut new = all.iter().filter(|(_, learnt)| learnt.begun == Some(today)).count();
    let mut due: Vec<(N, Learnt)> = all.into_iter().filter(|(_, learnt)| learnt.is_due(today)).collect();
    due.sort_by_key(|(_, learnt)| learnt.memory.map_or(i32::MAX, |memory| memory.due));
    due.retain(|(_, learnt)| {
        new += usize::from(learnt.memory.is_none());
        learnt.memory.is_some() || new <= NEW_A_DAY
    });
    due.into_iter().map(|(name, _)| name).collect()
}

/// The next day, after this one, on which something of this is due: `asked` of it is due on this day.
pub fn next_day(all: impl Iterator<Item = Learnt> + Clone, asked: usize, today: i32) -> Option<i32> {
    let later = (all.clone().filter(|learnt| learnt.is_due(today)).count() > asked).then_some(today + 1);
    let back = all.filter_map(|learnt| learnt.memory).map(|memory| memory.due).filter(|due| *due > today);
    back.chain(later).min()
}

/// The difficulty after the first question, which may leave its range.
fn first_difficulty(rating: u8) -> f64 {
    W[4] - (W[5] * f64::from(rating - 1)).exp() + 1.0
}

/// How fast something is forgotten: after as many days as its stability the chance is 0.9.
fn forgetting() -> f64 {
    0.9f64.powf(-1.0 / W[20]) - 1.0
}

/// The whole days until the chance has come down to [`RETENTION`].
fn interval(stability: f64) -> i32 {
    let days = stability / forgetting() * (RETENTION.powf(-1.0 / W[20]) - 1.0);
    days.round().clamp(1.0, LONGEST) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rating(number: u8) -> Rating {
        if number == 1 { Rating::Again } else { Rating::Good }
    }

    /// The sequence that the project open-spaced-repetition publishes for FSRS-6. It has steps within a day, which are those with 0 days: what follows
    /// them is asked on the same day.
    #[test]
    fn the_published_intervals_come_out() {
        let published =
            [(3, 0), (3, 2), (3, 11), (3, 46), (3, 163), (3, 498), (1, 0), (1, 0), (3, 2), (3, 4), (3, 7), (3, 12), (3, 21)];
        let (mut memory, mut today) = (None, 20_000);
        for (number, (given, days)) in published.into_iter().enumerate() {
            let next = Memory::after(memory, rating(given), today);
            assert_eq!(next.seen, today);
            if days > 0 {
                assert_eq!(next.due - today, days, "question {number}");
            }
            (memory, today) = (Some(next), today + days);
        }
    }

    /// The published stability and difficulty: of the first question by its rating, and after six questions.
    #[test]
    fn the_published_memories_come_out() {
        let near = |value: f64, wanted: f64| assert!((value - wanted).abs() < 1e-4, "{value} for {wanted}");
        for (given, stability, difficulty) in [(1, 0.212, 6.4133), (3, 2.3065, 2.118_103_97)] {
            let first = Memory::after(None, rating(given), 0);
            near(first.stability, stability);
            near(first.difficulty, difficulty);
        }
        let (mut memory, mut today) = (None, 0);
        for (given, days) in [(1, 0), (3, 0), (3, 1), (3, 3), (3, 8), (3, 21)] {
            today += days;
            memory = Some(Memory::after(memory, rating(given), today));
        }
        let memory = memory.unwrap();
        near(memory.stability, 53.626_91);
        near(memory.difficulty, 6.357_486_7);
        near(memory.recall(memory.stability), RETENTION);
    }

    #[test]
    fn what_was_missed_comes_back_sooner_and_never_today() {
        let good = Memory::after(None, Rating::Good, 100);
        let missed = Memory::after(Some(good), Rating::Again, good.due);
        assert!(missed.due > missed.seen && missed.due - missed.seen < good.due - good.seen);
        // A clock that was set back is no trouble.
        let earlier = Memory::after(Some(good), Rating::Good, 50);
        assert!(earlier.due > 50 && earlier.stability >= good.stability);
        let absurd = Memory { stability: f64::INFINITY, ..good };
        assert_eq!(absurd.sane(), None);
        let far = Memory { stability: 1e9, difficulty: -3.0, seen: 0, due: i32::MAX };
        assert_eq!(far.sane(), Some(Memory { stability: LONGEST, difficulty: 1.0, seen: 0, due: 36_500 }));
        assert_eq!(Memory::after(far.sane(), Rating::Good, i32::MAX).due, i32::MAX);
    }
}
