//! A line shown aside from the match: the refutation of a mistake, played out step by step on the board, and back to where the match stands. The match itself
//! is not touched.

use super::truth::best;
use super::{BoardChanged, CurrentMatch, Look, Passage};
use crate::app::errand::{Bells, Errand};
use crate::app::intent::Intent;
use crate::app::state::{Menu, Screen};
use crate::rules::Side;
use crate::search::{Known, StopToken, Verdict};
use crate::table::{Action, Notation, Table};
use bevy::prelude::*;

/// A step of the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stride {
    /// The next move.
    Forward,
    /// The last one back.
    Back,
    /// Back to the match.
    Leave,
}

/// One move of the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineMove {
    /// The move.
    pub action: Action,
    /// Who makes it.
    pub side: Side,
    /// The move in the game's own text.
    pub text: String,
    /// What it is worth to that side, the distance counted from before the move.
    pub verdict: Verdict,
}

/// Longest line, in plies: longer than any win of a shipped game.
const LONGEST: usize = 240;
/// Plies shown of a line in which nobody wins: enough to see what holds.
const DRAWN: usize = 7;

/// The move at `ply` of a game and how it is answered: from there on both sides play their best. `None` if the token was raised.
pub fn refutation(mut table: Box<dyn Table>, ply: usize, stop: &StopToken) -> Option<Vec<LineMove>> {
    let mistake = *table.played().get(ply)?;
    while table.ply() > ply {
        table.undo()?;
    }
    let solution = table.capabilities().solution;
    let mut line: Vec<LineMove> = Vec::new();
    while line.len() < LONGEST {
        let Some(verdicts) = solution.and_then(|solution| solution.verdicts(&*table, stop)) else {
            if stop.is_stopped() {
                return None;
            }
            break;
        };
        let (action, verdict) =
            if line.is_empty() { *verdicts.iter().find(|(action, _)| *action == mistake)? } else { best(&verdicts)? };
        let (side, text) = (table.turn(), table.write(action, Notation::Uci)?);
        table.play(action).ok()?;
        line.push(LineMove { action, side, text, verdict });
        // Without a distance nobody knows which of the winning moves leads on.
        let unclear = verdict.known != Known::Draw && verdict.plies.is_none();
        let drawn = verdict.known == Known::Draw && line.len() >= DRAWN;
        if line.len() > 1 && (unclear || drawn) {
            break;
        }
    }
    Some(line)
}

/// A line on the board.
pub struct Aside {
    table: Box<dyn Table>,
    line: Vec<LineMove>,
    from: usize,
    at: usize,
}

impl Aside {
    /// The table as it stands in the line.
    pub fn table(&self) -> &dyn Table {
        self.table.as_ref()
    }

    /// The line, the mistake first.
    pub fn line(&self) -> &[LineMove] {
        &self.line
    }

    /// Moves of the line that stand on the board; at least the first.
    pub fn at(&self) -> usize {
        self.at
    }

    fn forward(&mut self) -> Option<BoardChanged> {
        let action = self.line.get(self.at)?.action;
        self.at += 1;
        forward(&mut *self.table, action)
    }

    fn back(&mut self) -> Option<BoardChanged> {
        // The mistake stays on the board: the line is about it.
        if self.at <= 1 {
            return None;
        }
        self.at -= 1;
        BoardChanged::by_undo(self.table.as_mut())
    }
}

pub(super) fn forward(table: &mut dyn Table, action: Action) -> Option<BoardChanged> {
    let mover = table.turn();
    let changes = table.play(action).ok()?;
    Some(BoardChanged { changes, action, mover, passage: Passage::Replayed, check: table.check().is_some() })
}

/// Takes back what was played on a copy of the match after `from` plies, and plays the match's own moves again.
pub(super) fn back_to_match(mut table: Box<dyn Table>, from: usize, played: &[Action]) -> Vec<BoardChanged> {
    let mut steps = Vec::new();
    while table.ply() > from {
        let Some(step) = BoardChanged::by_undo(table.as_mut()) else { break };
        steps.push(step);
    }
    steps.extend(played.iter().skip(from).filter_map(|action| forward(table.as_mut(), *action)));
    leap_if_many(steps)
}

/// More steps than this at once are not shown one by one.
const SHOWN_STEPS: usize = 2;

pub(super) fn leap_if_many(mut steps: Vec<BoardChanged>) -> Vec<BoardChanged> {
    if steps.len() > SHOWN_STEPS {
        steps.iter_mut().for_each(|step| step.passage = Passage::Leapt);
    }
    steps
}

impl CurrentMatch {
    /// Shows a line that begins with the move at `from` of the match.
    fn step_aside(&mut self, from: usize, line: Vec<LineMove>) -> Vec<BoardChanged> {
        let mut steps = self.look(Look::Last);
        let mut table = self.table.boxed_clone();
        while table.ply() > from {
            let Some(step) = BoardChanged::by_undo(table.as_mut()) else { return steps };
            steps.push(step);
        }
        let mut aside = Aside { table, line, from, at: 0 };
        steps.extend(aside.forward());
        self.aside = Some(aside);
        leap_if_many(steps)
    }

    /// Back to the present of the match, if a line was shown: the line is taken back and the match's own moves are played again.
    pub(super) fn leave_aside(&mut self) -> Vec<BoardChanged> {
        let Some(aside) = self.aside.take() else { return self.leave_attempt() };
        back_to_match(aside.table, aside.from, &self.table.played())
    }
}

/// A line that is being looked for.
#[derive(Resource, Default)]
pub struct Refutation(Option<Sought>);

struct Sought {
    ply: usize,
    played: Vec<Action>,
    errand: Errand<Option<Vec<LineMove>>>,
}

impl Refutation {
    /// True while a line is being looked for.
    pub fn is_sought(&self) -> bool {
        self.0.is_some()
    }
}

fn seek(mut intents: MessageReader<Intent>, mut refutation_of: ResMut<Refutation>, current: Res<CurrentMatch>, bells: Bells) {
    for intent in intents.read() {
        let Intent::Refute(ply) = *intent else { continue };
        // While an engine thinks its move is waited for.
        if current.outcome().is_some() || current.human_to_move() {
            let table = current.table().boxed_clone();
            let played = table.played();
            let errand = Errand::send(bells.bell(), move |stop| refutation(table, ply, stop));
            refutation_of.0 = Some(Sought { ply, played, errand });
        }
    }
}

/// Steps aside once the line is there, if the match still stands where it was asked for.
fn begin(mut refutation: ResMut<Refutation>, mut current: ResMut<CurrentMatch>, mut changed: MessageWriter<BoardChanged>) {
    let Some(sought) = &mut refutation.bypass_change_detection().0 else { return };
    let Some(answer) = sought.errand.look() else { return };
    let Some(sought) = refutation.0.take() else { return };
    let line = answer.filter(|line| !line.is_empty() && current.table().played() == sought.played);
    if let Some(line) = line {
        changed.write_batch(current.step_aside(sought.ply, line));
    }
}

fn stride(mut intents: MessageReader<Intent>, mut current: ResMut<CurrentMatch>, mut changed: MessageWriter<BoardChanged>) {
    for intent in intents.read() {
        let Intent::Aside(stride) = *intent else { continue };
        if current.aside.is_none() {
            continue;
        }
        match (stride, &mut current.aside) {
            (Stride::Forward, Some(aside)) => changed.write_batch(aside.forward()),
            (Stride::Back, Some(aside)) => changed.write_batch(aside.back()),
            _ => changed.write_batch(current.leave_aside()),
        };
    }
}

fn leave_by_key(
    keys: Res<ButtonInput<KeyCode>>,
    (menu, current): (Res<State<Menu>>, Res<CurrentMatch>),
    mut intents: MessageWriter<Intent>,
) {
    if *menu.get() == Menu::None && current.is_aside() && keys.just_pressed(KeyCode::Escape) {
        intents.write(Intent::Aside(Stride::Leave));
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Refutation>()
        .add_systems(
            Update,
            leave_by_key
                .in_set(crate::app::Step::Input)
                .run_if(super::in_match.and_then(resource_exists::<ButtonInput<KeyCode>>)),
        )
        .add_systems(
            Update,
            (stride, begin, seek).chain().in_set(crate::app::Step::Referee).before(super::referee::Judge).run_if(super::in_match),
        )
        .add_systems(OnEnter(Screen::Match), |mut refutation: ResMut<Refutation>| refutation.0 = None)
        .add_systems(OnExit(Screen::Match), |mut refutation: ResMut<Refutation>| refutation.0 = None);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games;
    use crate::table::Setup;

    #[test]
    fn a_refutation_is_played_to_the_end() {
        let mut table = games::find("tic-tac-toe").unwrap().table(&Setup::default()).unwrap();
        for text in ["b2", "b1", "a1", "c1"] {
            table.play(table.read(text).unwrap()).unwrap();
        }
        let line = refutation(table, 1, &StopToken::new()).unwrap();
        assert_eq!((line[0].text.as_str(), line[0].side, line[0].verdict.known), ("b1", Side::Second, Known::Loss));
        // What it costs is what it takes: the line is as long as the verdict says.
        assert_eq!(line.len() as u32, line[0].verdict.plies.unwrap());
        assert_eq!((line.last().unwrap().side, line.last().unwrap().verdict.plies), (Side::First, Some(1)));
        for pair in line.windows(2) {
            assert_eq!(pair[0].side, !pair[1].side);
        }
    }
}
