//! Navigation in the tree of moves: handles the arrow keys, Home, End and Escape, undo, redo and continuing, for everything that can be
//! shown.
//!
//! During an attempt to refute a win, a step is a move of the attempt; in a refutation, a move of its line; in a variation, a
//! move of the variation; otherwise a move of the match.

use super::attempt::Attempt;
use super::learn::Learn;
use super::puzzles::Puzzling;
use super::refutation::Refutation;
use super::study::Study;
use crate::app::ground::keys::{KeyFocus, KeysGo, ReadKeys};
use crate::app::ground::notices::Notices;
use crate::app::ground::picture::Hurry;
use crate::app::ground::position::PositionWish;
use crate::app::ground::requests::{CursorRequest, Go, PageRequest, Requests, SelectionRequest, ShowEnding, StudyRequest};
use crate::app::ground::settings::Settings;
use crate::app::ground::state::{Menu, Screen};
use crate::app::ground::step::Step;
use crate::app::play::{BoardChanged, CurrentMatch, EndCard, Judging, MoveRefused, Rewind, TreeEditor, in_match};
use bevy::ecs::system::SystemParam;
use bevy::input::keyboard::KeyboardInput;
use bevy::prelude::*;
use qiju_core::rules::PlayError;
use qiju_core::table::{Action, Tree};
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

/// Escape leaves what lies on top: a menu, a line beside the match, what is picked on the board, a page of study, the screen.
fn read_escape(
    keys: Res<ButtonInput<KeyCode>>,
    (menu, screen, focus): (Res<State<Menu>>, Res<State<Screen>>, Res<KeyFocus>),
    (current, study, card, puzzles): (Option<Res<CurrentMatch>>, Res<Study>, Res<EndCard>, Res<Puzzling>),
    mut requests: Requests,
) {
    if !keys.just_pressed(KeyCode::Escape) || focus.popup {
        return;
    }
    let puzzle = current.as_ref().and_then(|current| puzzles.shown(current)).map(|session| session.game);
    let (sketch, variation) = match current {
        Some(current) => (current.played().sketch().is_some(), !current.played().is_on_line()),
        None => (false, false),
    };
    match screen.get() {
        _ if *menu.get() != Menu::None => requests.write(PageRequest::Menu(Menu::None)),
        Screen::Match if card.is_open() => requests.write(ShowEnding(false)),
        Screen::Match if focus.holds && puzzle.is_some() => requests.write(SelectionRequest::LetGo),
        Screen::Match if let Some(game) = puzzle => requests.write(PageRequest::Choose(game)),
        Screen::Match if sketch => requests.write(CursorRequest::Go(Go::Leave)),
        Screen::Match if focus.holds => requests.write(SelectionRequest::LetGo),
        Screen::Match if variation => requests.write(CursorRequest::Go(Go::Leave)),
        Screen::Match if study.page.is_some() => requests.write(StudyRequest(None)),
        Screen::Match => requests.write(PageRequest::Menu(Menu::Pause)),
        Screen::Editor if focus.holds => requests.write(PositionWish::LetGo),
        Screen::Editor => requests.write(PositionWish::Close),
        Screen::Setup | Screen::Trainer => requests.write(PageRequest::Title),
        Screen::Loading | Screen::Title => {}
    }
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

/// The resources that a step through the tree may change.
#[derive(SystemParam)]
struct Travel<'w> {
    editor: TreeEditor<'w>,
    attempt: ResMut<'w, Attempt>,
    learn: ResMut<'w, Learn>,
    puzzles: ResMut<'w, Puzzling>,
    refutation: Res<'w, Refutation>,
    card: ResMut<'w, EndCard>,
    refused: MessageWriter<'w, MoveRefused>,
    rewind: MessageWriter<'w, Rewind>,
}

impl Travel<'_> {
    fn go(&mut self, go: Go) {
        let steps = self.steps(go);
        self.editor.show(steps);
    }

    fn steps(&mut self, go: Go) -> Vec<BoardChanged> {
        let current = &mut *self.editor.current;
        if let Some(puzzle) = self.puzzles.shown(current) {
            return puzzle.go(current, go);
        }
        match go {
            Go::Back if self.attempt.is_shown(current) => return self.attempt.back(current),
            Go::Forward if self.attempt.is_shown(current) => return self.attempt.forward(current),
            Go::Back | Go::Forward if self.refutation.is_shown(current) => {
                return self.refutation.step(go == Go::Forward, current);
            }
            _ => {}
        }
        if current.played().sketch().is_some() {
            let mut steps = current.end_sketch();
            if go != Go::Leave {
                steps.extend(go_in_tree(go, current));
            }
            return steps;
        }
        go_in_tree(go, current)
    }

    fn try_move(&mut self, action: Action) {
        let done = match self.attempt.is_shown(&self.editor.current) {
            true => self.attempt.defend(&mut self.editor.current, action).map(|step| self.editor.show(step)),
            false if self.puzzles.shown(&self.editor.current).is_some() => {
                self.puzzles.answer(&mut self.editor.current, action).map(|step| self.editor.show(step))
            }
            false if self.learn.is_shown(&self.editor.current) => {
                self.learn.answer(&mut self.editor.current, action).map(|step| self.editor.show(step))
            }
            false if self.editor.current.hand_moves() && !self.editor.current.plays_here() => self.editor.play_variation(action),
            false => Ok(()),
        };
        if let Err(PlayError::Refused(reason)) = done {
            self.refused.write(MoveRefused { action, reason });
        }
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

fn travel(
    mut requests: MessageReader<CursorRequest>,
    mut travel: Travel,
    mut film: ResMut<Film>,
    (time, mut notices): (Res<Time<Real>>, ResMut<Notices>),
) {
    for request in requests.read() {
        let current = &travel.editor.current;
        // In a variation its moves are taken back, not those of the match.
        let beside = travel.attempt.is_shown(current)
            || travel.puzzles.shown(current).is_some()
            || current.played().sketch().is_none() && !current.played().is_on_line();
        match request {
            CursorRequest::Go(go) => {
                travel.card.put_away();
                film.next = None;
                travel.go(*go);
            }
            CursorRequest::Undo if beside => travel.go(Go::Back),
            CursorRequest::Redo if beside => travel.go(Go::Forward),
            CursorRequest::Undo => drop(travel.rewind.write(Rewind::Back)),
            CursorRequest::Redo => drop(travel.rewind.write(Rewind::Again)),
            CursorRequest::GoOnFromHere if current.played().sketch().is_none() => {
                let here = current.played().at_ply(current.played().ply_on_line(current.cursor()));
                travel.rewind.write(Rewind::To(here));
            }
            CursorRequest::ShowCycle => {
                travel.card.put_away();
                if let Some((from, _)) = current.cycle() {
                    travel.go(Go::Ply(from));
                    film.next = Some(time.elapsed() + PAUSE);
                }
            }
            CursorRequest::Try(action) => {
                travel.card.put_away();
                travel.try_move(*action);
            }
            CursorRequest::Edit(edit) => {
                if let Err(error) = travel.editor.edit(edit.clone()) {
                    notices.warn(error.to_string());
                }
            }
            _ => {}
        }
    }
}

fn play_film(mut film: ResMut<Film>, mut travel: Travel, time: Res<Time<Real>>, settings: Res<Settings>) {
    if film.next.is_none_or(|due| time.elapsed() < due) {
        return;
    }
    travel.go(Go::Forward);
    film.next = travel.editor.current.is_looking_back().then(|| time.elapsed() + settings.timed(PAUSE));
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
