//! "Try to refute it": a win that is proven is taken up by the player, who defends as he likes; the table answers from the proof, whatever is tried. The match
//! itself is not touched.

use super::aside::{back_to_match, forward, leap_if_many};
use super::game::CurrentMatch;
use super::messages::BoardChanged;
use crate::app::ground::background::{BackgroundTask, WakeHandles};
use crate::app::ground::intent::Look;
use crate::rules::{PlayError, Side};
use crate::search::StopToken;
use crate::table::{Action, Prover, Table, Win};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// About so many positions are looked at for a proof.
pub const NODES: u64 = 150_000;

/// Whether an attempt awaits the player, the proof, or nobody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The player defends.
    Defend,
    /// The proof is looked up.
    Answer,
    /// The game is over.
    Over,
    /// No win was proven against this defence.
    Held,
}

/// A win that the player tries to refute.
pub struct Attempt {
    table: Box<dyn Table>,
    from: usize,
    winner: Side,
    /// The proofs found, by the plies before them.
    wins: BTreeMap<usize, Win>,
    /// Keeps what it found out, for the next answer.
    prover: Option<Arc<Mutex<Box<dyn Prover>>>>,
    task: Option<BackgroundTask<Option<Win>>>,
    held: bool,
}

impl Attempt {
    /// The table as it stands in the attempt.
    pub fn table(&self) -> &dyn Table {
        self.table.as_ref()
    }

    /// Who wins.
    pub fn winner(&self) -> Side {
        self.winner
    }

    /// Whose turn it is.
    pub fn stage(&self) -> Stage {
        if self.table.outcome().is_some() {
            Stage::Over
        } else if self.table.turn() != self.winner {
            Stage::Defend
        } else if self.held {
            Stage::Held
        } else {
            Stage::Answer
        }
    }

    /// The proof by which the last move was made.
    fn last(&self) -> Option<&Win> {
        self.wins.get(&self.table.ply().checked_sub(1)?)
    }

    /// True where nothing meets the threat any more.
    pub fn is_lost(&self) -> bool {
        self.stage() == Stage::Defend && self.last().is_some_and(|win| win.defences.as_ref().is_some_and(Vec::is_empty))
    }

    /// The only points that meet the threat at once, if it is one.
    pub fn defences(&self) -> &[Action] {
        let here = self.last().filter(|_| self.stage() == Stage::Defend);
        here.and_then(|win| win.defences.as_deref()).unwrap_or_default()
    }

    /// What comes against the defence that lasts longest, in the game's own text.
    pub fn line(&self) -> &[String] {
        self.last().and_then(|win| win.text.get(1..)).unwrap_or_default()
    }

    /// Plies to the end against that defence.
    pub fn plies(&self) -> Option<u32> {
        self.last().map(|win| win.plies.saturating_sub(1))
    }

    /// True if there is something to take back.
    pub fn can_go_back(&self) -> bool {
        self.table.ply() > self.from + 1
    }

    /// True if a defence was taken back, or the proof knows one that lasts longest.
    pub fn can_go_on(&self) -> bool {
        self.stage() == Stage::Defend && (self.table.undone() > 0 || self.next().is_some())
    }

    /// The defence that lasts longest as far as is known, or any where none is better than another.
    fn next(&self) -> Option<Action> {
        let legal = self.table.actions();
        let known = self.last()?.line.get(1).copied().filter(|action| legal.contains(action));
        known.or(self.defences().first().copied()).or(legal.first().copied())
    }

    /// A defence of the player's.
    pub fn defend(&mut self, action: Action) -> Result<BoardChanged, PlayError> {
        let mover = self.table.turn();
        let changes = self.table.play(action)?;
        // What was known of another branch is of no use here.
        self.wins.split_off(&self.table.ply());
        let check = self.table.check().is_some();
        Ok(BoardChanged { changes, action, mover, passage: super::messages::Passage::Replayed, check })
    }

    /// Back to the player's last choice.
    pub fn back(&mut self) -> Vec<BoardChanged> {
        let mut steps = Vec::new();
        (self.task, self.held) = (None, false);
        while self.can_go_back() {
            steps.extend(BoardChanged::by_undo(self.table.as_mut()));
            if self.table.turn() != self.winner {
                break;
            }
        }
        steps
    }

    /// The defence taken back and its answer once more, or the defence that lasts longest.
    pub fn on(&mut self) -> Vec<BoardChanged> {
        if self.stage() != Stage::Defend {
            return Vec::new();
        }
        if self.table.undone() > 0 {
            let again = [BoardChanged::by_redo(self.table.as_mut()), BoardChanged::by_redo(self.table.as_mut())];
            return again.into_iter().flatten().collect();
        }
        self.next().and_then(|action| self.defend(action).ok()).into_iter().collect()
    }

    /// The winner's move, as soon as it is known.
    pub fn answer(&mut self, wake: &WakeHandles) -> Option<BoardChanged> {
        if self.stage() != Stage::Answer {
            return None;
        }
        let ply = self.table.ply();
        if !self.wins.contains_key(&ply) {
            let Some(task) = &mut self.task else {
                let (table, prover) = (self.table.boxed_clone(), self.prover.clone());
                let work = move |stop: &StopToken| {
                    let prover = prover?;
                    let mut prover = prover.lock().unwrap_or_else(PoisonError::into_inner);
                    prover.prove(&*table, NODES, stop)
                };
                self.task = Some(BackgroundTask::start(wake.handle(), work));
                return None;
            };
            let found = task.poll()?;
            self.task = None;
            match found {
                Some(win) => drop(self.wins.insert(ply, win)),
                None => self.held = true,
            }
        }
        let action = *self.wins.get(&ply)?.line.first()?;
        forward(self.table.as_mut(), action)
    }
}

impl CurrentMatch {
    /// The attempt to refute a win, while there is one.
    pub fn attempt(&self) -> Option<&Attempt> {
        self.attempt.as_ref()
    }

    /// True while a line or an attempt is shown beside the match.
    pub fn is_aside(&self) -> bool {
        self.aside.is_some() || self.attempt.is_some()
    }

    /// True if the player's hand may move a piece on the board as it is shown.
    pub fn hand_moves(&self) -> bool {
        match &self.attempt {
            Some(attempt) => attempt.stage() == Stage::Defend,
            None => self.human_to_move() && !self.is_looking_back(),
        }
    }

    /// The table on which the player's hand moves.
    pub fn hand_table(&self) -> &dyn Table {
        self.attempt.as_ref().map_or(self.table(), Attempt::table)
    }

    /// The attempt, to go on with.
    pub fn attempt_mut(&mut self) -> Option<&mut Attempt> {
        self.attempt.as_mut()
    }

    /// Begins the attempt to refute a win that stands after so many plies.
    pub fn begin_attempt(&mut self, ply: usize, winner: Side) -> Vec<BoardChanged> {
        let mut steps = self.look(Look::Last);
        let mut table = self.table.boxed_clone();
        while table.ply() > ply {
            let Some(step) = BoardChanged::by_undo(table.as_mut()) else { return steps };
            steps.push(step);
        }
        let from = ply;
        let prover = table.capabilities().prover.map(|make| Arc::new(Mutex::new(make())));
        self.attempt = Some(Attempt { table, from, winner, wins: BTreeMap::new(), prover, task: None, held: false });
        leap_if_many(steps)
    }

    /// Back to the present of the match, if a win was tried to be refuted.
    pub fn leave_attempt(&mut self) -> Vec<BoardChanged> {
        let Some(attempt) = self.attempt.take() else { return Vec::new() };
        back_to_match(attempt.table, attempt.from, &self.table.played())
    }
}
