//! The exercises of the trainer: a class of positions and a grade of distance.

use qiju_core::table::{Exercise, ExerciseClass};
use std::ops::RangeInclusive;

/// The first distance of each grade, in plies from the end; the last grade has no upper limit.
const GRADES: [u32; 5] = [1, 6, 12, 22, 42];

/// The distances of each grade of a class, nearest first.
pub fn grades(class: &ExerciseClass) -> Vec<RangeInclusive<u32>> {
    let (shortest, longest) = (class.shortest, class.longest);
    let ends = GRADES.into_iter().skip(1).map(|next| next - 1).chain([u32::MAX]);
    let all = GRADES.into_iter().zip(ends).map(|(from, to)| from.max(shortest)..=to.min(longest));
    all.filter(|grade| !grade.is_empty()).collect()
}

/// A kind of exercise: a class of a variant and a grade of distance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drill {
    /// The game's key.
    pub game: &'static str,
    /// The variant's.
    pub variant: String,
    /// The class.
    pub class: ExerciseClass,
    /// Index into [`grades`].
    pub grade: usize,
}

impl Drill {
    /// Its key in the list of exercises won in time.
    pub fn key(&self) -> String {
        let ExerciseClass { own, other, .. } = self.class;
        format!("{}/{}/{own}v{other}/{}", self.game, self.variant, self.grade)
    }

    /// The next grade of the class, if there is one.
    pub fn harder(&self) -> Option<Drill> {
        let grade = self.grade + 1;
        (grade < grades(&self.class).len()).then(|| Drill { grade, ..self.clone() })
    }

    /// The request for a position of this kind; `None` if the class has no such grade.
    pub fn exercise(&self, seed: u64) -> Option<Exercise> {
        let plies = grades(&self.class).get(self.grade)?.clone();
        let ExerciseClass { own, other, .. } = self.class;
        Some(Exercise { variant: self.variant.clone(), own, other, plies, seed })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grades_cover_every_distance_once() {
        for longest in [1, 5, 6, 13, 23, 41, 42, 209] {
            let grades = grades(&ExerciseClass { own: 3, other: 2, shortest: 1, longest });
            for plies in 1..=longest {
                assert_eq!(grades.iter().filter(|grade| grade.contains(&plies)).count(), 1, "{plies} of {longest}");
            }
            assert_eq!(*grades.last().unwrap().end(), longest);
        }
    }
}
