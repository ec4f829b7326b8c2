//! What is certain of a game of which every position is solved, move by move.

use crate::search::{Known, StopToken, Verdict};
use crate::table::{Action, Table};
use serde::{Deserialize, Serialize};

/// What is certain of a move that was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judged {
    /// The best there was, and what it was worth to the mover.
    pub best: (Action, Verdict),
    /// What was played, and what that was worth.
    pub played: (Action, Verdict),
}

impl Judged {
    /// A win was thrown away, or a draw.
    pub fn is_mistake(&self) -> bool {
        let worth = |known: Known| match known {
            Known::Win => 2,
            Known::Draw => 1,
            Known::Loss => 0,
        };
        worth(self.played.1.known) < worth(self.best.1.known)
    }
}

/// All that is certain of a game so far.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SolvedGame {
    /// The moves played, judged in order.
    pub moves: Vec<Judged>,
    /// What could be played after so many moves and what it was worth.
    choices: Vec<Vec<(Action, Verdict)>>,
}

impl SolvedGame {
    /// Judges a game; `None` if the game is not solved or the token was raised.
    pub fn of(mut table: Box<dyn Table>, stop: &StopToken) -> Option<SolvedGame> {
        let solution = table.capabilities().solution?;
        let now = if table.outcome().is_some() { Vec::new() } else { solution.verdicts(&*table, stop)? };
        let mut choices = vec![now];
        let mut moves = Vec::with_capacity(table.ply());
        for action in table.played().into_iter().rev() {
            table.undo()?;
            let verdicts = solution.verdicts(&*table, stop)?;
            let played = *verdicts.iter().find(|(other, _)| *other == action)?;
            moves.push(Judged { best: best(&verdicts)?, played });
            choices.push(verdicts);
        }
        moves.reverse();
        choices.reverse();
        Some(SolvedGame { moves, choices })
    }

    /// What can be played after so many moves and what it is worth; nothing when the game is over there.
    pub fn at(&self, ply: usize) -> &[(Action, Verdict)] {
        self.choices.get(ply).map_or(&[], Vec::as_slice)
    }

    /// What can be played now and what it is worth; nothing when the game is over.
    pub fn now(&self) -> &[(Action, Verdict)] {
        self.at(self.moves.len())
    }

    /// What the position after so many moves is worth to the side to move; `None` when the game is over there.
    pub fn value_at(&self, ply: usize) -> Option<Verdict> {
        best(self.at(ply)).map(|(_, verdict)| verdict)
    }

    /// What the position is worth to the side to move; `None` when the game is over.
    pub fn value(&self) -> Option<Verdict> {
        self.value_at(self.moves.len())
    }

    /// The numbers of the moves that threw something away, counted from 0.
    pub fn mistakes(&self) -> impl DoubleEndedIterator<Item = usize> + '_ {
        (0..self.moves.len()).filter(|ply| self.moves[*ply].is_mistake())
    }
}

/// The best of moves, the first of equals.
pub fn best(verdicts: &[(Action, Verdict)]) -> Option<(Action, Verdict)> {
    verdicts.iter().rev().copied().max_by_key(|(_, verdict)| verdict.rank())
}
