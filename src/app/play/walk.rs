//! A walk aside from the game: the refutation of a mistake, played out step by step on the board, and back to where the game stands. The match itself is not
//! touched.

use super::truth::best;
use super::{BoardChanged, CurrentMatch, KeysGo, Passage, Pointer};
use crate::app::errand::{Bells, Errand};
use crate::app::intent::Intent;
use crate::app::state::{Menu, Screen};
use crate::rules::Side;
use crate::search::{Known, StopToken, Verdict};
use crate::table::{Action, Notation, Table};
use bevy::prelude::*;

/// A step of a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stride {
    /// The next move of the line.
    Forward,
    /// The last one back.
    Back,
    /// Back to the game.
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
    /// What it is worth to that side.
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
    let mut line: Vec<LineMove> = Vec::new();
    while line.len() < LONGEST {
        let Some(verdicts) = table.verdicts(stop) else {
            if stop.is_stopped() {
                return None;
            }
            break;
        };
        let (action, verdict) = if line.is_empty() {
            *verdicts.iter().find(|(action, _)| *action == mistake)?
        } else {
            best(&verdicts)?
        };
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

/// A walk under way.
pub struct Walking {
    table: Box<dyn Table>,
    line: Vec<LineMove>,
    from: usize,
    at: usize,
}

impl Walking {
    /// The line, the mistake first.
    pub fn line(&self) -> &[LineMove] {
        &self.line
    }

    /// Moves of the line that stand on the board; at least the first.
    pub fn at(&self) -> usize {
        self.at
    }

    /// The number of the mistake in the game, counted from 0.
    pub fn from(&self) -> usize {
        self.from
    }

    fn forward(&mut self) -> Option<BoardChanged> {
        let action = self.line.get(self.at)?.action;
        self.at += 1;
        forward(&mut *self.table, action, Passage::Played)
    }

    fn back(&mut self) -> Option<BoardChanged> {
        // The mistake stays on the board: the walk is about it.
        if self.at <= 1 {
            return None;
        }
        self.at -= 1;
        back(&mut *self.table)
    }
}

fn forward(table: &mut dyn Table, action: Action, passage: Passage) -> Option<BoardChanged> {
    let mover = table.turn();
    let changes = table.play(action).ok()?;
    Some(BoardChanged { changes, action, mover, passage, check: table.check().is_some() })
}

fn back(table: &mut dyn Table) -> Option<BoardChanged> {
    let action = *table.played().last()?;
    let changes = table.undo()?;
    Some(BoardChanged { changes, action, mover: table.turn(), passage: Passage::TakenBack, check: table.check().is_some() })
}

/// The walk, if there is one.
#[derive(Resource, Default)]
pub struct Walk {
    sought: Option<(usize, Vec<Action>, Errand<Option<Vec<LineMove>>>)>,
    walking: Option<Walking>,
}

impl Walk {
    /// The walk under way.
    pub fn walking(&self) -> Option<&Walking> {
        self.walking.as_ref()
    }

    /// True while a line is being looked for.
    pub fn is_sought(&self) -> bool {
        self.sought.is_some()
    }

    /// The table whose men stand on the board: the walk's, otherwise the match's.
    pub fn shown<'a>(&'a self, current: &'a CurrentMatch) -> &'a dyn Table {
        self.walking.as_ref().map_or(current.table(), |walking| &*walking.table)
    }
}

/// True during a walk: the board is for looking, not for playing.
pub fn is_walking(walk: Res<Walk>) -> bool {
    walk.walking.is_some()
}

fn stroll(
    mut intents: MessageReader<Intent>,
    mut walk: ResMut<Walk>,
    current: Res<CurrentMatch>,
    bells: Bells,
    mut changed: MessageWriter<BoardChanged>,
) {
    for intent in intents.read() {
        match *intent {
            Intent::Refute(ply) if current.outcome().is_some() || current.human_to_move() => {
                leave(&mut walk, &current, &mut changed);
                let table = current.table().boxed_clone();
                let errand = Errand::send(bells.bell(), move |stop| refutation(table, ply, stop));
                walk.sought = Some((ply, current.table().played(), errand));
            }
            Intent::Walk(Stride::Leave) => leave(&mut walk, &current, &mut changed),
            Intent::Walk(stride) => {
                let Some(walking) = &mut walk.walking else { continue };
                let done = if stride == Stride::Forward { walking.forward() } else { walking.back() };
                changed.write_batch(done);
            }
            // Whatever changes the match is done on the match.
            Intent::Undo | Intent::Redo | Intent::Resign(_) | Intent::Rematch(_) | Intent::Start(_) => {
                leave(&mut walk, &current, &mut changed);
            }
            _ => {}
        }
    }
    if walk.sought.is_some() {
        begin(&mut walk, &current, &mut changed);
    }
}

/// Sets out once the line is there, if the game still stands where it was asked for.
fn begin(walk: &mut ResMut<Walk>, current: &CurrentMatch, changed: &mut MessageWriter<BoardChanged>) {
    let Some((_, _, errand)) = &mut walk.bypass_change_detection().sought else { return };
    let Some(answer) = errand.look() else { return };
    let Some((from, played, _)) = walk.sought.take() else { return };
    let Some(line) = answer.filter(|line| !line.is_empty() && current.table().played() == played) else { return };
    let mut table = current.table().boxed_clone();
    while table.ply() > from {
        let Some(done) = back(&mut *table) else { return };
        changed.write(done);
    }
    let mut walking = Walking { table, line, from, at: 0 };
    changed.write_batch(walking.forward());
    walk.walking = Some(walking);
}

/// Back to the game: the line is taken back and the game's own moves are played again.
fn leave(walk: &mut ResMut<Walk>, current: &CurrentMatch, changed: &mut MessageWriter<BoardChanged>) {
    if walk.walking.is_none() && walk.sought.is_none() {
        return;
    }
    walk.sought = None;
    let Some(mut walking) = walk.walking.take() else { return };
    for _ in 0..walking.at {
        changed.write_batch(back(&mut *walking.table));
    }
    for action in current.table().played().into_iter().skip(walking.from) {
        changed.write_batch(forward(&mut *walking.table, action, Passage::Replayed));
    }
}

fn keys(
    keys: Res<ButtonInput<KeyCode>>,
    (menu, pointer): (Res<State<Menu>>, Res<Pointer>),
    mut intents: MessageWriter<Intent>,
) {
    if *menu.get() != Menu::None || pointer.keys == KeysGo::Text {
        return;
    }
    for (key, stride) in
        [(KeyCode::ArrowRight, Stride::Forward), (KeyCode::ArrowLeft, Stride::Back), (KeyCode::Escape, Stride::Leave)]
    {
        if keys.just_pressed(key) {
            intents.write(Intent::Walk(stride));
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Walk>()
        .add_systems(
            Update,
            (keys.run_if(resource_exists::<ButtonInput<KeyCode>>.and_then(is_walking)), stroll)
                .chain()
                .in_set(crate::app::Step::Input)
                .run_if(super::in_match),
        )
        .add_systems(OnEnter(Screen::Match), |mut walk: ResMut<Walk>| *walk = Walk::default())
        .add_systems(OnExit(Screen::Match), |mut walk: ResMut<Walk>| *walk = Walk::default());
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
