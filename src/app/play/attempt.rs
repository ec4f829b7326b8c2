//! "Try to refute it": a win that is proven is taken up by the player, who defends as he likes; the table answers from the proof, whatever is tried. The match
//! itself is not touched.

use super::aside::{back_to_match, forward, leap_if_many};
use super::{Analysis, BoardChanged, CurrentMatch, Look, MoveRefused, Seat, Stride, ThoughtLine};
use crate::app::errand::{Bells, Errand};
use crate::app::intent::Intent;
use crate::app::state::Screen;
use crate::app::view::Moving;
use crate::rules::{PlayError, Side};
use crate::search::{StopToken, Value};
use crate::table::{Action, Prover, Table, Win};
use bevy::prelude::*;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// About so many positions are looked at for a proof.
const NODES: u64 = 150_000;

/// A win that is certain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// After so many plies of the match, with the winner to move.
    pub ply: usize,
    /// Who wins.
    pub winner: Side,
    /// Plies to the end from there, as far as is known.
    pub plies: u32,
}

/// The win of the side to move, if one is proven.
fn proven(table: &dyn Table, prover: &mut dyn Prover, stop: &StopToken) -> Option<Found> {
    let win = prover.prove(table, NODES, stop)?;
    Some(Found { ply: table.ply(), winner: table.turn(), plies: win.plies })
}

/// Looks for a proof on the winner's last turn; in a finished game for the first turn from which one proof led to the next.
fn look_for(mut table: Box<dyn Table>, winner: Side, to_the_beginning: bool, stop: &StopToken) -> Option<Found> {
    let mut prover = table.capabilities().prover?();
    let mut found = None;
    loop {
        if table.turn() == winner
            && table.outcome().is_none()
            && table.actions().iter().all(|action| !matches!(action, Action::Choose(_)))
        {
            match proven(&*table, &mut *prover, stop) {
                Some(earlier) if to_the_beginning => found = Some(earlier),
                other => return found.or(other),
            }
        }
        if stop.is_stopped() || table.undo().is_none() {
            return found;
        }
    }
}

/// What a proof is looked for: the match, its moves so far, the winner, and whether the match is over.
type Question = (u64, Vec<Action>, Side, bool);

/// The proof of what is shown, if there is one.
#[derive(Resource, Default)]
pub struct Proof {
    asked: Option<(Question, Errand<Option<Found>>)>,
    answered: Option<(Question, Option<Found>)>,
}

impl Proof {
    /// The win that can be tried to be refuted.
    pub fn found(&self) -> Option<&Found> {
        self.answered.as_ref()?.1.as_ref()
    }
}

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
    errand: Option<Errand<Option<Win>>>,
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

    fn defend(&mut self, action: Action) -> Result<BoardChanged, PlayError> {
        let mover = self.table.turn();
        let changes = self.table.play(action)?;
        // What was known of another branch is of no use here.
        self.wins.split_off(&self.table.ply());
        let check = self.table.check().is_some();
        Ok(BoardChanged { changes, action, mover, passage: super::Passage::Replayed, check })
    }

    /// Back to the player's last choice.
    fn back(&mut self) -> Vec<BoardChanged> {
        let mut steps = Vec::new();
        (self.errand, self.held) = (None, false);
        while self.can_go_back() {
            steps.extend(BoardChanged::by_undo(self.table.as_mut()));
            if self.table.turn() != self.winner {
                break;
            }
        }
        steps
    }

    /// The defence taken back and its answer once more, or the defence that lasts longest.
    fn on(&mut self) -> Vec<BoardChanged> {
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
    fn answer(&mut self, bells: &Bells) -> Option<BoardChanged> {
        if self.stage() != Stage::Answer {
            return None;
        }
        let ply = self.table.ply();
        if !self.wins.contains_key(&ply) {
            let Some(errand) = &mut self.errand else {
                let (table, prover) = (self.table.boxed_clone(), self.prover.clone());
                let work = move |stop: &StopToken| {
                    let prover = prover?;
                    let mut prover = prover.lock().unwrap_or_else(PoisonError::into_inner);
                    prover.prove(&*table, NODES, stop)
                };
                self.errand = Some(Errand::send(bells.bell(), work));
                return None;
            };
            let found = errand.look()?;
            self.errand = None;
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

    fn begin_attempt(&mut self, found: &Found) -> Vec<BoardChanged> {
        let mut steps = self.look(Look::Last);
        let mut table = self.table.boxed_clone();
        while table.ply() > found.ply {
            let Some(step) = BoardChanged::by_undo(table.as_mut()) else { return steps };
            steps.push(step);
        }
        let (from, winner) = (found.ply, found.winner);
        let prover = table.capabilities().prover.map(|make| Arc::new(Mutex::new(make())));
        self.attempt = Some(Attempt { table, from, winner, wins: BTreeMap::new(), prover, errand: None, held: false });
        leap_if_many(steps)
    }

    /// Back to the present of the match, if a win was tried to be refuted.
    pub(super) fn leave_attempt(&mut self) -> Vec<BoardChanged> {
        let Some(attempt) = self.attempt.take() else { return Vec::new() };
        back_to_match(attempt.table, attempt.from, &self.table.played())
    }

    /// What a proof is to be looked for, if there is a sign of one.
    fn question(&self, analysis: &Analysis, thought: Option<(Side, Value)>) -> Option<Question> {
        let shown = self.shown();
        if self.is_aside() || !self.help_allowed() || !(self.outcome().is_some() || self.human_to_move()) {
            return None;
        }
        let over = self.outcome().filter(|_| self.table.outcome().is_some()).and_then(|outcome| outcome.winner);
        let of_line = analysis.lines().next().and_then(|line| match line.value {
            Value::Mate(moves) if moves != 0 => Some(if moves > 0 { Side::First } else { Side::Second }),
            _ => None,
        });
        let of_thought = thought.and_then(|(side, value)| match value {
            Value::Mate(moves) if moves != 0 => Some(if moves > 0 { side } else { !side }),
            _ => None,
        });
        let winner = over.or(of_line).or(of_thought)?;
        let played = self.table.played().into_iter().take(shown.ply()).collect();
        Some((self.seed, played, winner, over.is_some() && !self.is_looking_back()))
    }
}

fn ask(
    mut proof: ResMut<Proof>,
    current: Res<CurrentMatch>,
    analysis: Res<Analysis>,
    thoughts: Query<(&Seat, &ThoughtLine)>,
    bells: Bells,
) {
    let quiet = proof.bypass_change_detection();
    if let Some((_, errand)) = &mut quiet.asked
        && let Some(found) = errand.look()
        && let Some((question, _)) = quiet.asked.take()
    {
        quiet.answered = Some((question, found));
        proof.set_changed();
        return;
    }
    if current.is_aside() {
        return;
    }
    // The last thought of a computer that sits here.
    let decided = |(seat, line): (&Seat, &ThoughtLine)| {
        let side = current.table().seat_of(seat.0)?;
        matches!(line.0.value, Value::Mate(_)).then_some((side, line.0.value))
    };
    let question = current.question(&analysis, thoughts.iter().find_map(decided));
    let known = quiet.answered.as_ref().is_some_and(|(of, _)| Some(of) == question.as_ref());
    let asked = quiet.asked.as_ref().is_some_and(|(of, _)| Some(of) == question.as_ref());
    if known || asked {
        return;
    }
    if quiet.answered.take().is_some_and(|(_, found)| found.is_some()) {
        proof.set_changed();
    }
    let quiet = proof.bypass_change_detection();
    quiet.asked = question.map(|question| {
        let table = current.shown().boxed_clone();
        let (winner, to_the_beginning) = (question.2, question.3);
        (question, Errand::send(bells.bell(), move |stop| look_for(table, winner, to_the_beginning, stop)))
    });
}

fn act(
    mut intents: MessageReader<Intent>,
    proof: Res<Proof>,
    mut current: ResMut<CurrentMatch>,
    (mut changed, mut refused): (MessageWriter<BoardChanged>, MessageWriter<MoveRefused>),
) {
    for intent in intents.read() {
        match *intent {
            Intent::Attempt => {
                if let Some(found) = proof.found().filter(|_| current.attempt.is_none()) {
                    changed.write_batch(current.begin_attempt(found));
                }
            }
            Intent::Defend(action) => {
                let Some(attempt) = current.attempt.as_mut().filter(|attempt| attempt.stage() == Stage::Defend) else { continue };
                match attempt.defend(action) {
                    Ok(step) => drop(changed.write(step)),
                    Err(PlayError::Refused(reason)) => drop(refused.write(MoveRefused { action, reason })),
                    Err(_) => {}
                }
            }
            _ => {
                // What takes moves back in the match does so here.
                let stride = match intent {
                    Intent::Aside(stride) => *stride,
                    Intent::Undo => Stride::Back,
                    Intent::Redo => Stride::Forward,
                    _ => continue,
                };
                let steps = match (stride, &mut current.bypass_change_detection().attempt) {
                    (_, None) => continue,
                    (Stride::Back, Some(attempt)) => attempt.back(),
                    (Stride::Forward, Some(attempt)) => attempt.on(),
                    (Stride::Leave, Some(_)) => current.leave_attempt(),
                };
                current.set_changed();
                changed.write_batch(steps);
            }
        }
    }
}

/// The table answers once the last piece lies.
fn answer(
    mut current: ResMut<CurrentMatch>,
    mut changed: MessageWriter<BoardChanged>,
    moving: Query<(), With<Moving>>,
    bells: Bells,
) {
    if current.attempt.is_none() || !moving.is_empty() {
        return;
    }
    let quiet = current.bypass_change_detection();
    let Some(attempt) = &mut quiet.attempt else { return };
    let before = attempt.stage();
    let step = attempt.answer(&bells);
    if attempt.stage() != before {
        current.set_changed();
    }
    changed.write_batch(step);
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Proof>()
        .add_systems(
            Update,
            (act, answer, ask).chain().in_set(crate::app::Step::Referee).before(super::referee::Judge).run_if(super::in_match),
        )
        .add_systems(OnEnter(Screen::Match), |mut proof: ResMut<Proof>| *proof = Proof::default())
        .add_systems(OnExit(Screen::Match), |mut proof: ResMut<Proof>| *proof = Proof::default());
}
