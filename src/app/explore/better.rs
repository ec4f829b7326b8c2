//! A better move that is looked for on the board, in the position before a mistake. A move that is as good as the best one by the measure of the review is
//! accepted; another one is taken back.
//!
//! The moves are those of a sketch, which the activity begins. The position is searched while the player thinks, so that the word on a move comes soon.

use super::inquiry::Inquiry;
use crate::app::ground::background::WakeHandles;
use crate::app::play::{BoardChanged, CurrentMatch};
use bevy::prelude::*;
use qiju_core::compute::{JudgeMove, SentTable, Weigh};
use qiju_core::rules::PlayError;
use qiju_core::search::Limits;
use qiju_core::study::TEACHING_NODES;
use qiju_core::table::{Action, MoveVerdict, NodeId, SearchRequest, Table};

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
    weighed: Inquiry<(), Weigh>,
    judged: Inquiry<(), JudgeMove>,
    /// The move that was tried last, and the verdict on it.
    tried: Option<(Action, Option<MoveVerdict>)>,
}

fn request() -> SearchRequest {
    SearchRequest { limits: Limits::nodes(TEACHING_NODES), ..SearchRequest::default() }
}

/// The table at a node, on which a repetition ends the game.
fn table_at(current: &CurrentMatch, node: NodeId) -> Box<dyn Table> {
    let mut table = current.played().table_at(node);
    table.adjudicate(true);
    table
}

impl BetterMove {
    /// At this node, where `played` was played and `best` is better.
    pub fn new(current: &CurrentMatch, start: NodeId, (played, best): (Action, Action), wake: &WakeHandles) -> BetterMove {
        let mut weighed = Inquiry::default();
        weighed.ask((), wake.handle(), Weigh { table: SentTable::of(&*table_at(current, start)), request: request() });
        let judged = Inquiry::default();
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
            let known = self.weighed.answer().and_then(|worth| worth.clone().ok().flatten());
            self.weighed.give_up();
            let table = SentTable::of(&*table_at(current, self.start));
            self.judged.ask((), wake.handle(), JudgeMove { table, action, known, request: request() });
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
