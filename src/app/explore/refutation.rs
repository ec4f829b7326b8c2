//! The refutation of a mistake: how it is found, and how it is stepped through.

use super::review::best;
use crate::app::ground::background::{BackgroundTask, WakeHandles};
use crate::app::ground::intent::{Intent, Stride};
use crate::app::ground::state::{Menu, Screen};
use crate::app::ground::step::Step;
use crate::app::play::{BoardChanged, CurrentMatch, Judging, LineMove, in_match};
use crate::search::{Known, StopToken};
use crate::table::{Action, Notation, Table};
use bevy::prelude::*;

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

/// A line that is being looked for.
#[derive(Resource, Default)]
pub struct Refutation(Option<Sought>);

struct Sought {
    ply: usize,
    played: Vec<Action>,
    task: BackgroundTask<Option<Vec<LineMove>>>,
}

impl Refutation {
    /// True while a line is being looked for.
    pub fn is_sought(&self) -> bool {
        self.0.is_some()
    }
}

fn seek(
    mut intents: MessageReader<Intent>,
    mut refutation_of: ResMut<Refutation>,
    current: Res<CurrentMatch>,
    wake: WakeHandles,
) {
    for intent in intents.read() {
        let Intent::Refute(ply) = *intent else { continue };
        // While an engine thinks its move is waited for.
        if current.outcome().is_some() || current.human_to_move() {
            let table = current.table().boxed_clone();
            let played = table.played();
            let task = BackgroundTask::start(wake.handle(), move |stop| refutation(table, ply, stop));
            refutation_of.0 = Some(Sought { ply, played, task });
        }
    }
}

/// Steps aside once the line is there, if the match still stands where it was asked for.
fn begin(mut refutation: ResMut<Refutation>, mut current: ResMut<CurrentMatch>, mut changed: MessageWriter<BoardChanged>) {
    let Some(sought) = &mut refutation.bypass_change_detection().0 else { return };
    let Some(answer) = sought.task.poll() else { return };
    let Some(sought) = refutation.0.take() else { return };
    let line = answer.filter(|line| !line.is_empty() && current.table().played() == sought.played);
    if let Some(line) = line {
        changed.write_batch(current.step_aside(sought.ply, line));
    }
}

fn stride(mut intents: MessageReader<Intent>, mut current: ResMut<CurrentMatch>, mut changed: MessageWriter<BoardChanged>) {
    for intent in intents.read() {
        let Intent::Aside(stride) = *intent else { continue };
        if current.aside().is_some() {
            changed.write_batch(current.stride(stride));
        }
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
        .add_systems(Update, leave_by_key.in_set(Step::Input).run_if(in_match.and_then(resource_exists::<ButtonInput<KeyCode>>)))
        .add_systems(Update, (stride, begin, seek).chain().in_set(Step::Referee).before(Judging).run_if(in_match))
        .add_systems(OnEnter(Screen::Match), |mut refutation: ResMut<Refutation>| refutation.0 = None)
        .add_systems(OnExit(Screen::Match), |mut refutation: ResMut<Refutation>| refutation.0 = None);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games;
    use crate::rules::Side;
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
