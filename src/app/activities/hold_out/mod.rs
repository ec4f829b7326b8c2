//! "Hold out": the user defends against a proof that the first player wins, as long as possible. After each stone the most moves that the win can still take
//! are told, and the longest defence is kept.

mod panel;

use crate::app::explore::Analysis;
use crate::app::ground::activity::HOLD_OUT;
use crate::app::ground::library::LibraryGame;
use crate::app::ground::progress::PlayerProgress;
use crate::app::ground::requests::{BeginRequest, Requests};
use crate::app::ground::setup::{MatchSetup, Purpose};
use crate::app::ground::state::Screen;
use crate::app::ground::step::Step;
use crate::app::play::{CurrentMatch, Helped, Marked, Seat, TakenBack, Thinking, ThoughtLine, in_match};
use crate::ui::activity::register;
use crate::ui::panel::Place;
use crate::ui::widgets::Icon;
use bevy::prelude::*;
use qiju_core::paint::Mark;
use qiju_core::rules::{Point, Side};
use qiju_core::search::Value;
use qiju_core::table::{Action, Setup, Table};

/// The side that wins in a proof from the first position on.
const WINNER: Side = Side::First;

/// A defence against the proof.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Defence {
    /// The winner's own moves to the end at most; `None` if nothing is proven about the position.
    pub left: Option<u32>,
    /// The longest defence before this one.
    pub best: u32,
    /// True if the user asked for a hint or for analysis, or took a move back.
    pub helped: bool,
    /// The points for the first stone after which nothing is proven.
    pub open: Vec<Point>,
    /// The number of plies for which `left` and `open` hold.
    ply: usize,
    counted: bool,
}

impl Defence {
    /// The user's moves so far.
    pub fn moves(&self, current: &CurrentMatch) -> u32 {
        current.table().ply() as u32 / 2
    }

    /// The plies of a win in `left` moves of the winner, who makes the last one.
    pub fn plies(left: u32, current: &CurrentMatch) -> u32 {
        (2 * left).saturating_sub(u32::from(current.table().turn() == WINNER))
    }

    /// Whether the user has lost at last; `None` before the end.
    pub fn is_lost(&self, current: &CurrentMatch) -> Option<bool> {
        Some(current.outcome()?.winner == Some(WINNER))
    }

    /// True if it was the longest so far and was played without help.
    pub fn is_record(&self, current: &CurrentMatch) -> bool {
        !self.helped && self.is_lost(current) == Some(true) && self.moves(current) > self.best
    }
}

/// The current defence, if there is one.
#[derive(Resource, Default)]
pub struct HoldOut(Option<Defence>);

impl HoldOut {
    /// The current defence.
    pub fn defence(&self) -> Option<&Defence> {
        self.0.as_ref()
    }

    /// The points to mark: those for the first stone that the proof does not cover.
    pub fn marked(&self, current: &CurrentMatch) -> &[Point] {
        let defence = self.0.as_ref().filter(|defence| defence.ply == current.shown().ply() && current.outcome().is_none());
        defence.map_or(&[], |defence| &defence.open)
    }
}

/// The points for the next stone after which nothing is proven.
fn open(table: &dyn Table) -> Vec<Point> {
    if !table.capabilities().proven {
        return Vec::new();
    }
    let mut next = table.boxed_clone();
    let mut proven = |action: Action| {
        let known = next.play(action).is_ok() && next.proven().is_some();
        next.undo();
        known
    };
    table.actions().into_iter().filter(|action| !proven(*action)).filter_map(|action| action.target()).collect()
}

/// The key of the longest defence in the settings.
fn key(current: &CurrentMatch) -> String {
    format!("{}/{}", current.game().entry.key, current.table().setup().variant.as_deref().unwrap_or_default())
}

fn settle(mut hold_out: ResMut<HoldOut>, current: Res<CurrentMatch>, progress: Res<PlayerProgress>) {
    let best = progress.stands.get(&key(&current)).copied().unwrap_or(0);
    hold_out.0 = (current.purpose() == Purpose::HoldOut).then(|| Defence { best, ..Defence::default() });
}

fn follow(
    mut hold_out: ResMut<HoldOut>,
    (mut helped, mut taken_back): (MessageReader<Helped>, MessageReader<TakenBack>),
    current: Res<CurrentMatch>,
    seats: Query<(&Seat, Has<Thinking>, Option<&ThoughtLine>)>,
    (mut requests, analysis, mut marked): (Requests, Res<Analysis>, ResMut<Marked>),
) {
    let helping = helped.read().count() + taken_back.read().count() > 0;
    Marked::put(&mut marked, HOLD_OUT, hold_out.marked(&current).iter().map(|point| (Mark::Forbidden, *point)));
    let Some(mut defence) = hold_out.0.clone() else { return };
    defence.helped |= (helping || analysis.is_on()) && current.outcome().is_none();
    let table = current.table();
    if table.turn() != WINNER && defence.ply != table.ply() {
        defence.ply = table.ply();
        let known = table.proven().map(|win| win.moves);
        // Where the proof leaves the win to threats, the computer has just found it.
        let thought = seats.iter().find(|(seat, thinking, _)| seat.0 == WINNER && !thinking).and_then(|(.., line)| line);
        let found = thought.and_then(|line| match line.0.value {
            Value::Mate(moves) if moves > 0 => Some(moves.unsigned_abs() - 1),
            _ => None,
        });
        defence.left = known.or(found);
        defence.open = if defence.moves(&current) == 0 { open(table) } else { Vec::new() };
    }
    if current.outcome().is_some() && !defence.counted {
        defence.counted = true;
        if defence.is_record(&current) {
            let (key, moves) = (key(&current), defence.moves(&current));
            requests.change(move |progress: &mut PlayerProgress| {
                progress.stands.insert(key.clone(), moves);
            });
        }
    }
    if hold_out.0.as_ref() != Some(&defence) {
        hold_out.0 = Some(defence);
    }
}

pub(super) fn plugin(app: &mut App) {
    let entry = |game: &LibraryGame, variant: &str, _: &Setup| {
        (game.entry.capabilities)(variant)
            .proven
            .then(|| BeginRequest::Start(MatchSetup::hold_out(game.entry.key, variant)).into())
    };
    register(app, HOLD_OUT).section(Place::Status, panel::section).entry(4, Icon::Shield, "hold.title", entry);
    app.init_resource::<HoldOut>()
        .add_systems(OnEnter(Screen::Match), settle)
        .add_systems(Update, follow.in_set(Step::Ui).run_if(in_match));
}
