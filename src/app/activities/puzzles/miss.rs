//! What is wrong with a move in a puzzle.

use crate::app::explore::reply::Reply;
use qiju_core::search::Known;
use qiju_core::table::{Action, Chance, Notation, Piece, PuzzleKind, Table};

/// Why a move is not the one that is asked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MissReason {
    /// The opponent wins.
    Loses,
    /// The game is drawn.
    Draws,
    /// The move wins too, but later or in another way than asked.
    WinsOtherwise,
    /// The reply wins this piece.
    LosesPiece(Piece),
    /// The win that is asked is gone: what a puzzle of this kind says of every other move.
    Escapes(PuzzleKind),
    /// The solver's winning chance after the reply.
    Chance(Chance),
}

/// A wrong move of the solver and what follows it.
pub struct Miss {
    /// The table after the wrong move.
    after: Box<dyn Table>,
    reply: Reply,
    kind: PuzzleKind,
}

impl Miss {
    pub(super) fn new(after: Box<dyn Table>, reply: Reply, kind: PuzzleKind) -> Miss {
        Miss { after, reply, kind }
    }

    /// The opponent's best reply; `None` if the move ends the game.
    pub fn reply(&self) -> Option<Action> {
        self.reply.action
    }

    /// The wrong move and the reply in a notation, as far as there are any.
    pub fn texts(&self, notation: Notation) -> Vec<String> {
        let mut before = self.after.boxed_clone();
        let own = before.played().last().copied().filter(|_| before.undo().is_some());
        let own = own.and_then(|action| before.write(action, notation));
        let reply = self.reply.action.and_then(|action| self.after.write(action, notation));
        own.into_iter().chain(reply).collect()
    }

    /// Why the move is wrong; `None` if no value was found.
    pub fn reason(&self) -> Option<MissReason> {
        let value = self.reply.value?;
        match value.known() {
            Some(Known::Win) => return Some(MissReason::Loses),
            Some(Known::Draw) => return Some(MissReason::Draws),
            Some(Known::Loss) => return Some(MissReason::WinsOtherwise),
            None => {}
        }
        let won = self.after.piece_won().zip(self.reply.action).and_then(|(piece, action)| {
            self.after.captures().into_iter().find(|(capture, gain)| *capture == action && *gain >= piece)?;
            self.after.pieces().into_iter().find(|(at, _)| Some(*at) == action.target()).map(|(_, piece)| piece)
        });
        Some(match (won, self.kind) {
            (Some(piece), _) => MissReason::LosesPiece(piece),
            (None, PuzzleKind::Mate | PuzzleKind::Fours | PuzzleKind::Threats | PuzzleKind::Forbidden) => {
                MissReason::Escapes(self.kind)
            }
            (None, _) => MissReason::Chance(self.after.curve().chance(value).reversed()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use qiju_core::games::find;
    use qiju_core::rules::Side;
    use qiju_core::search::{Value, Verdict};
    use qiju_core::table::Setup;

    /// A wrong move in a puzzle of this kind, after which the red chariot can be taken by the black one.
    fn wrong(kind: PuzzleKind, reply: Option<&str>, value: Option<Value>) -> Miss {
        let position = Some("4k4/9/9/9/r8/9/9/9/9/3K1R3 w".to_owned());
        let mut table = find("xiangqi").unwrap().table(&Setup { variant: None, position }).unwrap();
        table.play(table.read("f0f5").unwrap()).unwrap();
        let action = reply.map(|text| table.read(text).unwrap());
        Miss::new(table, Reply { action, value }, kind)
    }

    fn miss(reply: Option<&str>, value: Option<Value>) -> Miss {
        wrong(PuzzleKind::Tactic, reply, value)
    }

    #[test]
    fn the_reason_follows_from_the_value_and_the_reply() {
        let exact = |known| Some(Value::Exact(Verdict { known, plies: None }));
        let takes = Some("a5f5");
        assert_eq!(miss(takes, Some(Value::Mate(3))).reason(), Some(MissReason::Loses));
        assert_eq!(miss(takes, exact(Known::Draw)).reason(), Some(MissReason::Draws));
        assert_eq!(miss(takes, Some(Value::Mate(-5))).reason(), Some(MissReason::WinsOtherwise));
        assert_eq!(miss(None, exact(Known::Win)).reason(), Some(MissReason::Loses));
        let Some(MissReason::LosesPiece(piece)) = miss(takes, Some(Value::Cp(900))).reason() else {
            panic!("the chariot is lost")
        };
        assert_eq!(piece.side, Side::First);
        // A quiet reply wins nothing; the chance is the solver's.
        let Some(MissReason::Chance(chance)) = miss(Some("a5a6"), Some(Value::Cp(300))).reason() else { panic!("a chance") };
        assert!(chance.part() < 0.5, "{chance:?}");
        assert_eq!(miss(None, None).reason(), None);
        assert_eq!(miss(takes, None).texts(Notation::Uci), ["f0f5", "a5f5"]);
        // Where a mate is asked, a chance is no answer.
        let mate = wrong(PuzzleKind::Mate, Some("a5a6"), Some(Value::Cp(-900)));
        assert_eq!(mate.reason(), Some(MissReason::Escapes(PuzzleKind::Mate)));
    }
}
