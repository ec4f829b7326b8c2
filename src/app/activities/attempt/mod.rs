//! "Try to refute it": the user defends against a proven win, and the program answers every defence from the proof.
//! The moves are a temporary line (a sketch), not part of the match.

mod panel;

use crate::app::explore::ProofSearch;
use crate::app::explore::inquiry::Inquiry;
use crate::app::ground::activity::Activity;
use crate::app::ground::background::WakeHandles;
use crate::app::ground::picture::InMotion;
use crate::app::ground::requests::{AttemptRequest, Go};
use crate::app::ground::state::Screen;
use crate::app::ground::step::Step;
use crate::app::play::{BoardChanged, CurrentMatch, EndCard, Helped, Judging, Marked, in_match};
use crate::ui::activity::register;
use crate::ui::panel::Place;
use bevy::prelude::*;
use qiju_core::compute::{Prove, SentProver, SentTable};
use qiju_core::paint::Mark;
use qiju_core::rules::{PlayError, Side};
use qiju_core::table::{Action, NodeId, Table, Win};
use std::collections::{BTreeMap, BTreeSet};

/// An attempt to refute a win.
const ATTEMPT: Activity = Activity("attempt");

/// The stage of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttemptStage {
    /// The user is to defend.
    Defend,
    /// The proof is being searched for an answer.
    Answer,
    /// The game is over.
    Over,
    /// No win was proven against this defence.
    Held,
}

/// The current attempt to refute a win, if there is one.
#[derive(Resource, Default)]
pub struct Attempt(Option<Trial>);

/// The data of an attempt. The board and the moves are those of the cursor.
struct Trial {
    /// Its first node, with the winner to move.
    first: NodeId,
    winner: Side,
    /// The proofs found, by node (with the winner to move).
    wins: BTreeMap<NodeId, Win>,
    /// Nodes with the winner to move for which no proof was found.
    held: BTreeSet<NodeId>,
    /// The prover, which keeps its results for the next answer.
    prover: SentProver,
    inquiry: Inquiry<NodeId, Prove>,
    /// Nodes that were left by going back, the last one at the end.
    ahead: Vec<NodeId>,
}

/// An attempt that is shown.
pub struct ShownAttempt<'a> {
    trial: &'a Trial,
    current: &'a CurrentMatch,
}

impl Attempt {
    /// The attempt that is shown, if there is one.
    pub fn shown<'a>(&'a self, current: &'a CurrentMatch) -> Option<ShownAttempt<'a>> {
        let trial = self.0.as_ref().filter(|_| current.sketch_owner() == Some(ATTEMPT))?;
        Some(ShownAttempt { trial, current })
    }

    /// True if an attempt is shown.
    pub fn is_shown(&self, current: &CurrentMatch) -> bool {
        self.shown(current).is_some()
    }

    /// Begins an attempt against the win of the side to move at a node.
    fn begin(&mut self, current: &mut CurrentMatch, first: NodeId, winner: Side) -> Vec<BoardChanged> {
        self.0 = Some(Trial {
            first,
            winner,
            wins: BTreeMap::new(),
            held: BTreeSet::new(),
            prover: SentProver::default(),
            inquiry: Inquiry::default(),
            ahead: Vec::new(),
        });
        current.begin_sketch(ATTEMPT, first, Some(!winner))
    }

    /// Plays a defence; does nothing if it is not the user's turn.
    fn defend(&mut self, current: &mut CurrentMatch, action: Action) -> Result<Option<BoardChanged>, PlayError> {
        let waits = self.shown(current).is_some_and(|shown| shown.stage() == AttemptStage::Defend);
        let Some(trial) = self.0.as_mut().filter(|_| waits) else { return Ok(None) };
        let step = current.play_sketch(action)?;
        trial.ahead.clear();
        Ok(Some(step))
    }

    /// Goes back to the user's last choice.
    fn back(&mut self, current: &mut CurrentMatch) -> Vec<BoardChanged> {
        let Some(trial) = &mut self.0 else { return Vec::new() };
        trial.inquiry.give_up();
        let left = current.cursor();
        let mut steps = Vec::new();
        while trial.moves(current) > 1 {
            let before = current.tree().previous(current.cursor());
            steps.extend(before.map(|before| current.go_in_sketch(before)).unwrap_or_default());
            if current.shown().turn() != trial.winner {
                break;
            }
        }
        if !steps.is_empty() {
            trial.ahead.push(left);
        }
        steps
    }

    /// Goes to the node that was left last by going back, or plays the longest defence.
    fn forward(&mut self, current: &mut CurrentMatch) -> Vec<BoardChanged> {
        let Some(shown) = self.shown(current).filter(|shown| shown.stage() == AttemptStage::Defend) else { return Vec::new() };
        if let Some(left) = shown.trial.ahead.last().copied() {
            self.0.as_mut().map(|trial| trial.ahead.pop());
            return current.go_in_sketch(left);
        }
        shown.next().and_then(|action| current.play_sketch(action).ok()).into_iter().collect()
    }

    /// Plays the winner's move when it is known.
    fn answer(&mut self, current: &mut CurrentMatch, wake: &WakeHandles) -> Option<BoardChanged> {
        if self.shown(current)?.stage() != AttemptStage::Answer {
            return None;
        }
        let trial = self.0.as_mut()?;
        let here = current.cursor();
        if !trial.wins.contains_key(&here) {
            if !trial.inquiry.is_about(&here) {
                let (table, prover) = (SentTable::of(current.shown()), trial.prover.clone());
                trial.inquiry.ask(here, wake.handle(), Prove { table, prover });
                return None;
            }
            trial.inquiry.poll();
            match trial.inquiry.answer_to(&here)? {
                Some(win) => drop(trial.wins.insert(here, win.clone())),
                None => drop(trial.held.insert(here)),
            }
        }
        let action = *trial.wins.get(&here)?.line.first()?;
        current.play_sketch(action).ok()
    }
}

impl Trial {
    /// The number of moves of the attempt on the board.
    fn moves(&self, current: &CurrentMatch) -> usize {
        let tree = current.tree();
        tree.depth(current.cursor()).saturating_sub(tree.depth(self.first))
    }
}

impl ShownAttempt<'_> {
    /// The table of the attempt.
    pub fn table(&self) -> &dyn Table {
        self.current.shown()
    }

    /// The winner.
    pub fn winner(&self) -> Side {
        self.trial.winner
    }

    /// The side to move.
    pub fn stage(&self) -> AttemptStage {
        if self.table().outcome().is_some() {
            AttemptStage::Over
        } else if self.table().turn() != self.trial.winner {
            AttemptStage::Defend
        } else if self.trial.held.contains(&self.current.cursor()) {
            AttemptStage::Held
        } else {
            AttemptStage::Answer
        }
    }

    /// The proof of the last move.
    fn last(&self) -> Option<&Win> {
        self.trial.wins.get(&self.current.tree().previous(self.current.cursor())?)
    }

    /// True if no move stops the threat.
    pub fn is_lost(&self) -> bool {
        self.stage() == AttemptStage::Defend && self.last().is_some_and(|win| win.defences.as_ref().is_some_and(Vec::is_empty))
    }

    /// The only points that stop a direct threat, if there is one.
    pub fn defences(&self) -> &[Action] {
        let here = self.last().filter(|_| self.stage() == AttemptStage::Defend);
        here.and_then(|win| win.defences.as_deref()).unwrap_or_default()
    }

    /// The line against the longest defence, in the game's own notation.
    pub fn line(&self) -> &[String] {
        self.last().and_then(|win| win.text.get(1..)).unwrap_or_default()
    }

    /// Plies to the end against that defence.
    pub fn plies(&self) -> Option<u32> {
        self.last().map(|win| win.plies.saturating_sub(1))
    }

    /// True if there is a move to take back.
    pub fn can_go_back(&self) -> bool {
        self.trial.moves(self.current) > 1
    }

    /// True if a defence was taken back, or the proof has a longest defence.
    pub fn can_go_on(&self) -> bool {
        self.stage() == AttemptStage::Defend && (!self.trial.ahead.is_empty() || self.next().is_some())
    }

    /// The longest defence that is known, or any defence if all are equal.
    fn next(&self) -> Option<Action> {
        let legal = self.table().actions();
        let known = self.last()?.line.get(1).copied().filter(|action| legal.contains(action));
        known.or(self.defences().first().copied()).or(legal.first().copied())
    }
}

fn begin(
    mut requests: MessageReader<AttemptRequest>,
    proof: Res<ProofSearch>,
    (mut attempt, mut card): (ResMut<Attempt>, ResMut<EndCard>),
    mut current: ResMut<CurrentMatch>,
    (mut changed, mut helped): (MessageWriter<BoardChanged>, MessageWriter<Helped>),
) {
    if requests.read().count() == 0 {
        return;
    }
    card.put_away();
    if attempt.is_shown(&current) {
        return;
    }
    if let Some(found) = proof.found() {
        helped.write(Helped);
        let first = current.played().at_ply_before_cursor(found.ply);
        changed.write_batch(attempt.begin(&mut current, first, found.winner));
    }
}

/// Plays the answer when the last piece has stopped moving.
fn answer(
    mut attempt: ResMut<Attempt>,
    mut current: ResMut<CurrentMatch>,
    mut changed: MessageWriter<BoardChanged>,
    moving: Query<(), With<InMotion>>,
    wake: WakeHandles,
) {
    let stage = |attempt: &Attempt, current: &CurrentMatch| attempt.shown(current).map(|shown| shown.stage());
    let before = stage(&attempt, &current);
    if before.is_none() || !moving.is_empty() {
        return;
    }
    let (quiet_attempt, quiet_match) = (attempt.bypass_change_detection(), current.bypass_change_detection());
    let step = quiet_attempt.answer(quiet_match, &wake);
    if stage(quiet_attempt, quiet_match) != before {
        attempt.set_changed();
        current.set_changed();
    }
    changed.write_batch(step);
}

/// A step within the attempt; a leap leaves it.
fn walk(In(go): In<Go>, mut attempt: ResMut<Attempt>, mut current: ResMut<CurrentMatch>) -> Option<Vec<BoardChanged>> {
    match go {
        Go::Back => Some(attempt.back(&mut current)),
        Go::Forward => Some(attempt.forward(&mut current)),
        _ => None,
    }
}

fn play(
    In(action): In<Action>,
    mut attempt: ResMut<Attempt>,
    mut current: ResMut<CurrentMatch>,
) -> Result<Option<BoardChanged>, PlayError> {
    attempt.defend(&mut current, action)
}

/// The only points that stop a direct threat are marked.
fn mark(attempt: Res<Attempt>, current: Res<CurrentMatch>, mut marked: ResMut<Marked>) {
    let shown = attempt.shown(&current);
    let points = shown.iter().flat_map(|shown| shown.defences()).filter_map(|defence| defence.target());
    Marked::put(&mut marked, ATTEMPT, points.map(|point| (Mark::Target, point)));
}

pub(super) fn plugin(app: &mut App) {
    register(app, ATTEMPT).section(Place::Below(2), panel::section).go(walk).play(play);
    app.init_resource::<Attempt>()
        .add_systems(Update, (begin, answer).chain().in_set(Step::Referee).before(Judging).run_if(in_match))
        .add_systems(Update, mark.in_set(Step::Settle).run_if(in_match))
        .add_systems(OnEnter(Screen::Match), |mut attempt: ResMut<Attempt>| *attempt = Attempt::default())
        .add_systems(OnExit(Screen::Match), |mut attempt: ResMut<Attempt>| *attempt = Attempt::default());
}
