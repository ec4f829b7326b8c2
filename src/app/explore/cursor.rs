//! Navigation in the tree of moves: handles the arrow keys, Home, End and Escape, undo, redo and continuing, for everything that can be
//! shown.
//!
//! While an activity has a sketch on the board, it says what a step and a move mean; in a variation a step is a move of the variation,
//! otherwise a move of the match.

use crate::app::ground::keys::{KeyFocus, KeysGo, ReadKeys};
use crate::app::ground::notices::Notices;
use crate::app::ground::picture::Hurry;
use crate::app::ground::position::PositionWish;
use crate::app::ground::requests::{CursorRequest, Go, PageRequest, Requests, SelectionRequest, ShowEnding};
use crate::app::ground::settings::Settings;
use crate::app::ground::state::{Menu, Screen};
use crate::app::ground::step::Step;
use crate::app::play::{BoardChanged, CurrentMatch, EndCard, Judging, MoveRefused, Opened, Rewind, TreeEditor, Walks, in_match};
use bevy::ecs::system::SystemState;
use bevy::input::keyboard::KeyboardInput;
use bevy::prelude::*;
use qiju_core::rules::PlayError;
use qiju_core::table::{Action, Tree, TreeEdit};
use std::time::Duration;

/// The navigation keys. Held down they skip animations. While the board's keyboard cursor is used, they move that cursor instead.
fn read_arrows(
    mut keys: MessageReader<KeyboardInput>,
    (menu, focus): (Res<State<Menu>>, Res<KeyFocus>),
    mut requests: Requests,
    mut hurry: ResMut<Hurry>,
    mut held: Local<u32>,
) {
    for key in keys.read() {
        if !key.state.is_pressed() {
            *held = 0;
            continue;
        }
        if *menu.get() != Menu::None || focus.go != KeysGo::Board || focus.on_board {
            continue;
        }
        let go = match key.key_code {
            KeyCode::ArrowLeft => Go::Back,
            KeyCode::ArrowRight => Go::Forward,
            KeyCode::ArrowUp | KeyCode::Home => Go::Start,
            KeyCode::ArrowDown | KeyCode::End => Go::End,
            _ => continue,
        };
        *held = if key.repeat { *held + 1 } else { 1 };
        if *held > STEPS_SEEN {
            hurry.bypass_change_detection().0 = true;
        }
        requests.write(CursorRequest::Go(go));
    }
}

/// The number of steps of a held key that are animated.
const STEPS_SEEN: u32 = 3;

/// Escape leaves what lies on top: a menu, a text field, what is picked on the board, a line beside the match, a page over the panel, the screen.
fn read_escape(
    keys: Res<ButtonInput<KeyCode>>,
    (menu, screen, focus): (Res<State<Menu>>, Res<State<Screen>>, Res<KeyFocus>),
    (current, opened, card, walks): (Option<Res<CurrentMatch>>, Res<Opened>, Res<EndCard>, Res<Walks>),
    mut requests: Requests,
) {
    if !keys.just_pressed(KeyCode::Escape) || focus.popup {
        return;
    }
    let own = current.as_ref().and_then(|current| Some(walks.of(current).leave?(current)));
    let page = current.as_ref().and_then(|current| Some(walks.of_page(&opened).leave?(current)));
    let beside = current.is_some_and(|current| current.played().sketch().is_some() || !current.played().is_on_line());
    requests.write(match screen.get() {
        _ if *menu.get() != Menu::None => PageRequest::Menu(Menu::None).into(),
        // It has left the field.
        _ if focus.go == KeysGo::Text => return,
        Screen::Match if card.is_open() => ShowEnding(false).into(),
        Screen::Match if focus.holds => SelectionRequest::LetGo.into(),
        Screen::Match if let Some(own) = own => own,
        Screen::Match if beside => CursorRequest::Go(Go::Leave).into(),
        Screen::Match if let Some(page) = page => page,
        Screen::Match => PageRequest::Menu(Menu::Pause).into(),
        Screen::Editor if focus.holds => PositionWish::LetGo.into(),
        Screen::Editor => PositionWish::Close.into(),
        Screen::Setup | Screen::Trainer => PageRequest::Title.into(),
        Screen::Loading | Screen::Title => return,
    });
}

/// Shows moves one after the other.
#[derive(Resource, Default)]
pub struct Film {
    next: Option<Duration>,
}

impl Film {
    /// The time of the next step, on the program's clock.
    pub fn next(&self) -> Option<Duration> {
        self.next
    }
}

/// The time between two steps, at normal speed.
const PAUSE: Duration = Duration::from_millis(700);

/// A step or a leap: the activity whose sketch is shown has its say first; what it leaves open ends the sketch and goes on in the tree.
fn walk(world: &mut World, go: Go) -> Result {
    let own = world.resource::<Walks>().of(world.resource::<CurrentMatch>()).go;
    let steps = own.map(|own| world.run_system_with(own, go)).transpose()?.flatten();
    let steps = steps.unwrap_or_else(|| {
        let mut current = world.resource_mut::<CurrentMatch>();
        let sketched = current.played().sketch().is_some();
        let mut steps = if sketched { current.end_sketch() } else { Vec::new() };
        if !sketched || go != Go::Leave {
            steps.extend(go_in_tree(go, &mut current));
        }
        steps
    });
    world.write_message_batch(steps);
    Ok(())
}

/// A move on the board that is none of the match: a move of the activity, or a variation.
fn try_move(world: &mut World, action: Action) -> Result {
    let own = world.resource::<Walks>().of(world.resource::<CurrentMatch>()).play;
    let done = match own {
        Some(own) => world.run_system_with(own, action)?,
        None => world.run_system_cached_with(play_variation, action)?.map(|()| None),
    };
    match done {
        Ok(step) => drop(world.write_message_batch(step)),
        Err(PlayError::Refused(reason)) => drop(world.write_message(MoveRefused { action, reason })),
        Err(_) => {}
    }
    Ok(())
}

fn play_variation(In(action): In<Action>, mut editor: TreeEditor) -> Result<(), PlayError> {
    let current = &editor.current;
    if current.hand_moves() && !current.plays_here() { editor.play_variation(action) } else { Ok(()) }
}

fn edit(In(edit): In<TreeEdit>, mut editor: TreeEditor, mut notices: ResMut<Notices>) {
    if let Err(error) = editor.edit(edit) {
        notices.fail(error);
    }
}

/// A step through the tree when no sketch is shown.
fn go_in_tree(go: Go, current: &mut CurrentMatch) -> Vec<BoardChanged> {
    let (played, tree, here) = (current.played(), current.tree(), current.cursor());
    let on_line = played.is_of_line(here);
    let to = match go {
        Go::Start => Some(Tree::ROOT),
        Go::Back => tree.previous(here),
        // Redo in the match replays its own moves; after its end there are only variations, which the user selects.
        Go::Forward if on_line => tree.next(here).filter(|next| played.is_of_line(*next)),
        Go::Forward => tree.next(here),
        Go::End => Some(played.present()),
        Go::Leave => Some(played.at_ply(played.ply_on_line(here))),
        Go::Ply(ply) => Some(played.at_ply(ply)),
        Go::To(node) => Some(node),
    };
    to.map(|to| current.go(to)).unwrap_or_default()
}

fn travel(world: &mut World, asked: &mut SystemState<MessageReader<CursorRequest>>) -> Result {
    let asked: Vec<CursorRequest> = asked.get_mut(world)?.read().cloned().collect();
    for request in asked {
        let current = world.resource::<CurrentMatch>();
        // In a variation, or in a sketch in which the user moves, its moves are taken back, not those of the match.
        let beside = match current.played().sketch() {
            Some(_) => world.resource::<Walks>().of(current).play.is_some(),
            None => !current.played().is_on_line(),
        };
        match request {
            CursorRequest::Go(go) => {
                world.resource_mut::<EndCard>().put_away();
                world.resource_mut::<Film>().next = None;
                walk(world, go)?;
            }
            CursorRequest::Undo if beside => walk(world, Go::Back)?,
            CursorRequest::Redo if beside => walk(world, Go::Forward)?,
            CursorRequest::Undo => drop(world.write_message(Rewind::Back)),
            CursorRequest::Redo => drop(world.write_message(Rewind::Again)),
            CursorRequest::GoOnFromHere if current.played().sketch().is_none() => {
                let here = current.played().at_ply(current.played().ply_on_line(current.cursor()));
                world.write_message(Rewind::To(here));
            }
            CursorRequest::ShowCycle => {
                let cycle = current.cycle();
                world.resource_mut::<EndCard>().put_away();
                if let Some((from, _)) = cycle {
                    walk(world, Go::Ply(from))?;
                    world.resource_mut::<Film>().next = Some(world.resource::<Time<Real>>().elapsed() + PAUSE);
                }
            }
            CursorRequest::Try(action) => {
                world.resource_mut::<EndCard>().put_away();
                try_move(world, action)?;
            }
            CursorRequest::Edit(change) => world.run_system_cached_with(edit, change)?,
            _ => {}
        }
    }
    Ok(())
}

fn play_film(world: &mut World) -> Result {
    let now = world.resource::<Time<Real>>().elapsed();
    if world.resource::<Film>().next.is_none_or(|due| now < due) {
        return Ok(());
    }
    walk(world, Go::Forward)?;
    let pause = world.resource::<Settings>().timed(PAUSE);
    let next = world.resource::<CurrentMatch>().is_looking_back().then(|| now + pause);
    world.resource_mut::<Film>().next = next;
    Ok(())
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Film>()
        .add_systems(
            Update,
            (read_arrows.run_if(in_match), read_escape.run_if(resource_exists::<ButtonInput<KeyCode>>))
                .chain()
                .in_set(ReadKeys)
                .in_set(Step::Input),
        )
        .add_systems(Update, (travel, play_film).chain().in_set(Step::Referee).before(Judging).run_if(in_match))
        .add_systems(OnExit(Screen::Match), |mut film: ResMut<Film>| film.next = None);
}
