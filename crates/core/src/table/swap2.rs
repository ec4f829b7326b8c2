//! The opening rule swap2 (Gomocup and gomoku tournaments): who places the first stones, and who then takes which side.
//!
//! One player places three stones: black, white and black. The other player takes black, or takes white, or places one more white and one more
//! black stone and leaves the choice of sides to the first player. The colours alternate on the board as always; this module decides who places a
//! stone and who gets which side. A choice is an [`Action::Choose`] among the moves, so records, undo and redo include it. `+swap2` at the end of
//! a variant's key selects the rule.

use super::Action;
use crate::rules::Side;

/// A player before the sides are decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opener {
    /// The player who places the first stones.
    Setter,
    /// The other player.
    Chooser,
}

impl Opener {
    /// The other player.
    pub fn other(self) -> Opener {
        match self {
            Opener::Setter => Opener::Chooser,
            Opener::Chooser => Opener::Setter,
        }
    }

    /// The player's seat: the setter has the first.
    pub fn seat(self) -> Side {
        match self {
            Opener::Setter => Side::First,
            Opener::Chooser => Side::Second,
        }
    }
}

/// A choice of the swap2 rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Take the first side.
    First,
    /// Take the second side, which is to move.
    Second,
    /// Place two more stones and let the other player choose.
    TwoMore,
}

impl Choice {
    /// All choices.
    pub const ALL: [Choice; 3] = [Choice::First, Choice::Second, Choice::TwoMore];

    /// The name in records and on the command line.
    pub const fn key(self) -> &'static str {
        match self {
            Choice::First => "take-first",
            Choice::Second => "take-second",
            Choice::TwoMore => "two-more",
        }
    }

    /// The choice as an action.
    pub fn action(self) -> Action {
        Action::Choose(self as u8)
    }

    /// The choice of an action.
    pub fn of_action(action: Action) -> Option<Choice> {
        let Action::Choose(number) = action else { return None };
        Choice::ALL.get(usize::from(number)).copied()
    }
}

/// The next step of the opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Duty {
    /// This player places a stone of the side to move.
    Put(Opener),
    /// This player chooses.
    Choose(Opener, &'static [Choice]),
    /// The sides are decided: this player has the first side.
    Play(Opener),
}

/// The state of a swap2 opening.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Swap2 {
    /// The choices made, each with the number of stones on the board before it.
    choices: Vec<(usize, Choice)>,
}

impl Swap2 {
    /// The word after the plus sign of a variant.
    pub const KEY: &'static str = "swap2";

    /// The next step after this number of stones.
    pub fn duty(&self, stones: usize) -> Duty {
        use Choice::{First, Second, TwoMore};
        let choice = |index: usize| self.choices.get(index).map(|(_, choice)| *choice);
        match (choice(0), choice(1)) {
            (None, _) if stones < 3 => Duty::Put(Opener::Setter),
            (None, _) => Duty::Choose(Opener::Chooser, &[First, Second, TwoMore]),
            (Some(First), _) => Duty::Play(Opener::Chooser),
            (Some(Second), _) => Duty::Play(Opener::Setter),
            (Some(TwoMore), None) if stones < 5 => Duty::Put(Opener::Chooser),
            (Some(TwoMore), None) => Duty::Choose(Opener::Setter, &[First, Second]),
            (Some(TwoMore), Some(First)) => Duty::Play(Opener::Setter),
            (Some(TwoMore), Some(_)) => Duty::Play(Opener::Chooser),
        }
    }

    /// True if the sides are decided.
    pub fn is_over(&self, stones: usize) -> bool {
        matches!(self.duty(stones), Duty::Play(_))
    }

    /// The player who moves for the side to move, after this number of stones.
    pub fn mover(&self, stones: usize, turn: Side) -> Opener {
        match self.duty(stones) {
            Duty::Put(who) | Duty::Choose(who, _) => who,
            Duty::Play(first) if turn == Side::First => first,
            Duty::Play(first) => first.other(),
        }
    }

    /// The choices available now; none while stones are placed.
    pub fn offered(&self, stones: usize) -> &'static [Choice] {
        match self.duty(stones) {
            Duty::Choose(_, choices) => choices,
            Duty::Put(_) | Duty::Play(_) => &[],
        }
    }

    /// The choices made, each with the number of stones on the board before it.
    pub fn choices(&self) -> &[(usize, Choice)] {
        &self.choices
    }

    pub(super) fn choose(&mut self, stones: usize, choice: Choice) {
        self.choices.push((stones, choice));
    }

    /// Takes the last choice back if no stone was placed since; false if there is none.
    pub(super) fn take_back(&mut self, stones: usize) -> bool {
        self.choices.pop_if(|(at, _)| *at == stones).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sequence_of_swap2() {
        use Choice::{First, Second, TwoMore};
        use Opener::{Chooser, Setter};
        for (choices, first) in [
            (&[(3, First)][..], Chooser),
            (&[(3, Second)], Setter),
            (&[(3, TwoMore), (5, First)], Setter),
            (&[(3, TwoMore), (5, Second)], Chooser),
        ] {
            let mut opening = Swap2::default();
            assert!((0..3).all(|stones| opening.duty(stones) == Duty::Put(Setter) && opening.offered(stones).is_empty()));
            for &(stones, choice) in choices {
                assert!(opening.offered(stones).contains(&choice));
                opening.choose(stones, choice);
            }
            assert_eq!(opening.duty(6), Duty::Play(first));
            assert_eq!((opening.mover(6, Side::First), opening.mover(7, Side::Second)), (first, first.other()));
            let (last, _) = *choices.last().unwrap();
            assert!(!opening.take_back(last + 1) && opening.take_back(last));
            assert!(matches!(opening.duty(last), Duty::Choose(..)));
            assert_eq!(opening.choices(), &choices[..choices.len() - 1]);
        }
        let mut opening = Swap2::default();
        opening.choose(3, TwoMore);
        assert_eq!([3, 4].map(|stones| opening.duty(stones)), [Duty::Put(Chooser); 2]);
        assert_eq!(opening.offered(5), [First, Second]);
    }
}
