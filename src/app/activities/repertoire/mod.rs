//! The player's own opening moves. Moves of a game become a side's repertoire; they are asked when they are due, against the moves that others usually play, and
//! those to which there is no answer are listed.

mod additions;
mod course;
mod gaps;
mod page;
mod panel;

use additions::Additions;
pub use course::{Course, CourseStage};
pub use gaps::OpenGaps;
pub use page::RepertoirePage;

use crate::app::ground::activity::REPERTOIRE;
use crate::app::ground::background::WakeHandles;
use crate::app::ground::commands::Command;
use crate::app::ground::library::{Library, LibraryGame};
use crate::app::ground::notices::Notices;
use crate::app::ground::picture::{Hurry, InMotion};
use crate::app::ground::platform;
use crate::app::ground::repertoires::{OwnMoves, Repertoires};
use crate::app::ground::requests::{BeginRequest, Go, RepertoireDrill, RepertoireStep, Requests, TreePart};
use crate::app::ground::settings::Settings;
use crate::app::ground::setup::{MatchSetup, Purpose};
use crate::app::ground::state::{Menu, Screen};
use crate::app::ground::step::Step;
use crate::app::play::{BoardChanged, CurrentMatch, GameLibrary, Judging, in_match, is_on};
use crate::app::view::FrameRequests;
use crate::ui::activity::register;
use crate::ui::panel::Place;
use crate::ui::widgets::Icon;
use bevy::prelude::*;
use qiju_core::message::Message;
use qiju_core::record::{Record, SeatSpec};
use qiju_core::repertoire::{SavedRepertoire, name_of};
use qiju_core::rules::{BySide, PlayError, Side};
use qiju_core::table::{Action, Origin, Tree};

/// What is asked now.
#[derive(Resource, Default)]
pub struct Training {
    course: Option<Course>,
    /// The start of its match was requested, and it has not begun.
    awaited: bool,
}

impl Training {
    /// What is asked on the board, if its match is the current one.
    pub fn shown(&self, current: &CurrentMatch) -> Option<&Course> {
        self.course.as_ref().filter(|_| current.purpose() == Purpose::Repertoire)
    }
}

/// The moves of the match on the board as a record.
fn record_of(current: &CurrentMatch, part: TreePart) -> Record {
    let tree = match part {
        TreePart::Line => Tree::of_line(current.tree().actions_to(current.cursor()), Origin::Variation),
        TreePart::Whole | TreePart::Instead => current.played().kept_tree().packed(),
    };
    Record::with_tree(current.table(), BySide::default(), None, tree)
}

/// The moves on the board, which are to become a side's own.
fn own_moves(current: &CurrentMatch, side: Side, part: TreePart) -> Result<OwnMoves, Message> {
    let record = record_of(current, part);
    Ok(OwnMoves { name: name_of(&record, side)?, record, side, instead: part == TreePart::Instead })
}

/// True where the program has a proof that the side wins from the start of its repertoire.
fn has_proof(game: &LibraryGame, saved: &SavedRepertoire) -> bool {
    let (variant, _) = saved.setup.rules();
    saved.side == Side::First && saved.setup.position.is_none() && (game.entry.capabilities)(variant).proven
}

fn serve(
    mut steps: MessageReader<RepertoireStep>,
    (mut training, mut page, mut additions): (ResMut<Training>, ResMut<RepertoirePage>, ResMut<Additions>),
    (library, repertoires): (Res<Library>, Res<Repertoires>),
    (current, screen, mut menu): (Option<Res<CurrentMatch>>, Res<State<Screen>>, ResMut<NextState<Menu>>),
    (mut to, mut notices, mut requests): (ResMut<NextState<Screen>>, ResMut<Notices>, Requests),
) {
    let on_board = current.as_ref().filter(|_| *screen.get() == Screen::Match);
    for step in steps.read() {
        let done = match step {
            RepertoireStep::Open => {
                if on_board.is_some_and(|current| current.purpose() == Purpose::Repertoire) {
                    to.set(Screen::Title);
                }
                menu.set(Menu::Page(REPERTOIRE));
                Ok(())
            }
            RepertoireStep::Add(side, part) => {
                let Some(current) = on_board.filter(|current| page::can_add(current)) else { continue };
                own_moves(current, *side, *part).map(|moves| additions.ask(moves, true))
            }
            RepertoireStep::Train(name, drill) => {
                let Some((saved, game)) = repertoires.all.get(name).and_then(|saved| Some((saved, library.game(&saved.game)?)))
                else {
                    continue;
                };
                if *drill == RepertoireDrill::Proof && !has_proof(game, saved) {
                    continue;
                }
                saved.read().map(|repertoire| {
                    let due = saved.due(platform::today());
                    training.course = Some(Course::new(name.clone(), repertoire, (*drill, due)));
                    training.awaited = true;
                    // Nothing is played in the match itself; the computer only tells from whose side the board is seen.
                    let other = SeatSpec::computer(10);
                    let seats = BySide::from_fn(|side| if side == saved.side { SeatSpec::Human } else { other.clone() });
                    let setup = MatchSetup::untimed(game.entry.key, saved.setup.clone(), seats, Purpose::Repertoire);
                    requests.write(BeginRequest::Start(setup));
                })
            }
            RepertoireStep::Next => {
                if training.course.as_ref().is_some_and(|course| course.stage() == CourseStage::Over) {
                    requests.write(RepertoireStep::Open);
                }
                Ok(())
            }
            RepertoireStep::Look(name) => {
                let Some(saved) = repertoires.all.get(name) else { continue };
                saved.record().map(|record| requests.write(BeginRequest::Record(Box::new(record), None)))
            }
            RepertoireStep::Remove(name) => {
                page.removed = repertoires.all.get(name).map(|saved| (name.clone(), saved.clone()));
                let name = name.clone();
                requests.change(move |repertoires: &mut Repertoires| drop(repertoires.all.remove(&name)));
                Ok(())
            }
            RepertoireStep::Restore => {
                let Some((name, saved)) = page.removed.take() else { continue };
                requests.change(move |repertoires: &mut Repertoires| {
                    repertoires.all.entry(name.clone()).or_insert_with(|| saved.clone());
                });
                Ok(())
            }
            RepertoireStep::Show | RepertoireStep::Gaps(_) | RepertoireStep::Fill(_) => Ok(()),
        };
        done.err().into_iter().for_each(|why| notices.fail(why));
    }
}

/// Sets the line up on its board, plays what is not asked, shows the answer.
fn lead(
    mut steps: MessageReader<RepertoireStep>,
    mut training: ResMut<Training>,
    (mut current, mut library): (ResMut<CurrentMatch>, ResMut<GameLibrary>),
    mut changed: MessageWriter<BoardChanged>,
    (moving, hurry): (Query<(), With<InMotion>>, Res<Hurry>),
    (time, settings, wake): (Res<Time<Real>>, Res<Settings>, WakeHandles),
) {
    let (mut shows, mut next) = (false, false);
    for step in steps.read() {
        shows |= *step == RepertoireStep::Show;
        next |= *step == RepertoireStep::Next;
    }
    // Its match may be about to begin.
    if current.purpose() != Purpose::Repertoire || training.awaited {
        return;
    }
    let Some(course) = &mut training.bypass_change_detection().course else { return };
    let moved = match () {
        () if !course.is_shown(&current) || next && course.stage() == CourseStage::LineOver => {
            Some(course.begin_line(&mut current))
        }
        () if !moving.is_empty() => None,
        () if shows => course.show(&mut current),
        () => course.go_on(current.bypass_change_detection(), &mut library, (&settings, time.elapsed(), hurry.0), &wake),
    };
    if let Some(moved) = moved {
        changed.write_batch(moved);
        training.set_changed();
        current.set_changed();
    }
}

/// Takes down what came of a position as soon as it is known.
fn count(mut training: ResMut<Training>, mut requests: Requests) {
    let Some(course) = &mut training.bypass_change_detection().course else { return };
    let Some((key, rating)) = course.take_rating() else { return };
    let (name, today) = (course.name().to_owned(), platform::today());
    training.set_changed();
    requests.change(move |repertoires: &mut Repertoires| repertoires.count(&name, key, rating, today));
}

/// The window wakes for the next move.
fn stay_awake(training: Res<Training>, time: Res<Time<Real>>, mut frames: ResMut<FrameRequests>) {
    match training.course.as_ref().and_then(|course| course.waits(time.elapsed())) {
        Some(Some(left)) => frames.wake_in(left.as_secs_f32()),
        Some(None) => frames.look(),
        None => {}
    }
}

/// A match has begun. If it is not that of a repertoire, nothing is asked any more.
fn leave(mut training: ResMut<Training>, current: Option<Res<CurrentMatch>>) {
    training.awaited = false;
    if current.is_none_or(|current| current.purpose() != Purpose::Repertoire) {
        training.course = None;
    }
}

/// While moves are asked, a step through them is none.
fn walk(In(go): In<Go>) -> Option<Vec<BoardChanged>> {
    (go != Go::Leave).then(Vec::new)
}

fn play(
    In(action): In<Action>,
    mut training: ResMut<Training>,
    mut current: ResMut<CurrentMatch>,
) -> Result<Option<BoardChanged>, PlayError> {
    let Some(course) = training.course.as_mut().filter(|course| course.is_shown(&current)) else { return Ok(None) };
    course.answer(&mut current, action)
}

static COMMANDS: &[Command] = &[
    Command::new("Shift+E", "repertoire.title", can_open, || RepertoireStep::Open.into()),
    Command::new("N", "repertoire.next", is_over, || RepertoireStep::Next.into()),
];

/// The page can be opened: not over a match in which nobody may be helped.
fn can_open(world: &World) -> bool {
    let screen = **world.resource::<State<Screen>>();
    let helps = || world.get_resource::<CurrentMatch>().is_some_and(CurrentMatch::help_allowed);
    **world.resource::<State<Menu>>() == Menu::None && screen != Screen::Loading && (screen != Screen::Match || helps())
}

fn is_over(world: &World) -> bool {
    let stage = || world.resource::<Training>().course.as_ref().map(Course::stage);
    is_on(world, REPERTOIRE) && stage().is_some_and(|stage| matches!(stage, CourseStage::LineOver | CourseStage::Over))
}

pub(super) fn plugin(app: &mut App) {
    register(app, REPERTOIRE)
        .section(Place::Page, panel::page)
        .entry(9, Icon::Rules, "repertoire.title", |_, _, _| Some(RepertoireStep::Open.into()))
        .pause_entry(6, Icon::Rules, "repertoire.title", |current| {
            (page::can_add(current) && current.help_allowed()).then(|| RepertoireStep::Open.into())
        })
        .go(walk)
        .play(play)
        .commands("repertoire.title", COMMANDS)
        .leave(|_| RepertoireStep::Open.into());
    app.add_plugins((additions::plugin, gaps::plugin, page::plugin))
        .init_resource::<Training>()
        .add_systems(Update, serve.in_set(Step::Input))
        .add_systems(Update, lead.in_set(Step::Referee).before(Judging).run_if(in_match))
        .add_systems(Update, count.in_set(Step::Settle).run_if(in_match))
        .add_systems(Update, stay_awake.after(Step::Ui).run_if(in_match))
        .add_systems(OnEnter(Screen::Match), leave);
}
