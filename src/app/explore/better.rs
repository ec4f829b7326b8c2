//! A better move that is looked for on the board, in the position before a mistake. A move that is as good as the best one by the measure of the review is
//! accepted; another one is taken back.
//!
//! The moves are those of a sketch, which the activity begins. The position is searched while the player thinks, so that the word on a move comes soon.

use super::inquiry::Inquiry;
use crate::app::ground::background::WakeHandles;
use crate::app::play::{BoardChanged, CurrentMatch};
use bevy::prelude::*;
use qiju_core::compute::{Computation, JudgeMove, SentTable};
use qiju_core::rules::PlayError;
use qiju_core::search::Limits;
use qiju_core::study::{BestLine, TEACHING_NODES};
use qiju_core::table::{Action, MoveVerdict, NodeId, SearchRequest};

/// How it stands with the position that is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BetterStage {
    /// The player looks for a move.
    Find,
    /// The engine looks at the player's move.
    Check,
    /// It is the move that is known to be better.
    Best,
    /// It is another one, and as good.
    AsGood,
    /// It is no better than the one that was played; the player may try again.
    Wrong,
    /// The better move was shown.
    Shown,
}

impl BetterStage {
    /// True while the player is to move.
    pub fn asks(self) -> bool {
        matches!(self, BetterStage::Find | BetterStage::Wrong)
    }

    /// True when there is nothing more to look for.
    pub fn is_over(self) -> bool {
        matches!(self, BetterStage::Best | BetterStage::AsGood | BetterStage::Shown)
    }
}

/// The search for a better move in a position.
pub struct BetterMove {
    /// The node of the position.
    start: NodeId,
    /// The move that was played there, and a better one.
    played: Action,
    best: Action,
    stage: BetterStage,
    helped: bool,
    weighed: Inquiry<(), JudgeMove>,
    judged: Inquiry<(), JudgeMove>,
    /// The move that was tried last, and the verdict on it.
    tried: Option<(Action, Option<MoveVerdict>)>,
}

/// The question how good a move is at a node. `known` is the value of that position.
pub fn judge(current: &CurrentMatch, at: NodeId, action: Action, known: Option<BestLine>) -> JudgeMove {
    let mut table = current.played().table_at(at);
    table.adjudicate(true);
    let request = SearchRequest { limits: Limits::nodes(TEACHING_NODES), ..SearchRequest::default() };
    JudgeMove { table: SentTable::of(&*table), action, known, request }
}

/// The question what the position at a node is worth: the verdict on the move that led there has it. `None` at the beginning.
pub fn weigh(current: &CurrentMatch, at: NodeId) -> Option<JudgeMove> {
    let (before, action) = (current.tree().previous(at)?, current.tree().node(at).action()?);
    Some(judge(current, before, action, None))
}

/// What the position after a judged move is worth.
pub fn worth(judged: Option<&<JudgeMove as Computation>::Answer>) -> Option<BestLine> {
    judged?.as_ref().ok()?.as_ref().map(|judged| judged.after.clone())
}

impl BetterMove {
    /// At this node, where `played` was played and `best` is better.
    pub fn new(current: &CurrentMatch, start: NodeId, (played, best): (Action, Action), wake: &WakeHandles) -> BetterMove {
        let (mut weighed, judged) = (Inquiry::default(), Inquiry::default());
        if let Some(question) = weigh(current, start) {
            weighed.ask((), wake.handle(), question);
        }
        BetterMove { start, played, best, stage: BetterStage::Find, helped: false, weighed, judged, tried: None }
    }

    /// How it stands.
    pub fn stage(&self) -> BetterStage {
        self.stage
    }

    /// True if a wrong move was tried, or the better one shown.
    pub fn is_helped(&self) -> bool {
        self.helped
    }

    /// The verdict on the last move that was wrong, while it is told.
    pub fn verdict(&self) -> Option<&MoveVerdict> {
        let (_, verdict) = self.tried.as_ref().filter(|_| self.stage == BetterStage::Wrong)?;
        verdict.as_ref().filter(|verdict| verdict.judgement.is_error())
    }

    /// The player's move.
    ///
    /// # Errors
    /// The rules refuse it.
    pub fn answer(
        &mut self,
        current: &mut CurrentMatch,
        action: Action,
        wake: &WakeHandles,
    ) -> Result<Option<BoardChanged>, PlayError> {
        if !self.stage.asks() || current.cursor() != self.start {
            return Ok(None);
        }
        let step = current.play_sketch(action)?;
        if action == self.best {
            self.stage = BetterStage::Best;
        } else {
            let question = judge(current, self.start, action, worth(self.weighed.answer()));
            self.weighed.give_up();
            self.judged.ask((), wake.handle(), question);
            (self.stage, self.tried) = (BetterStage::Check, Some((action, None)));
        }
        Ok(Some(step))
    }

    /// Takes the word on the player's move: the steps that follow, once it is there.
    pub fn check(&mut self, current: &mut CurrentMatch) -> Option<Vec<BoardChanged>> {
        let _ = self.weighed.poll();
        if !self.judged.poll() || self.stage != BetterStage::Check {
            return None;
        }
        let ((), answer) = self.judged.take()?;
        let (action, verdict) = self.tried.as_mut()?;
        *verdict = answer.ok().flatten().and_then(|judged| judged.assessment.verdict);
        // A move of which nothing is known cannot be accepted.
        let is_good = verdict.as_ref().is_some_and(|verdict| !verdict.judgement.is_error());
        if is_good && *action != self.played {
            self.stage = BetterStage::AsGood;
            return Some(Vec::new());
        }
        (self.stage, self.helped) = (BetterStage::Wrong, true);
        Some(current.go_in_sketch(self.start))
    }

    /// Shows the better move.
    pub fn show(&mut self, current: &mut CurrentMatch) -> Vec<BoardChanged> {
        let mut steps = current.go_in_sketch(self.start);
        steps.extend(current.play_sketch(self.best));
        (self.stage, self.helped) = (BetterStage::Shown, true);
        self.judged.give_up();
        steps
    }
}
