//! The commands of the whole program and of every match. Those of an activity are where it is.

use crate::app::ground::commands::{Command, CommandTable};
use crate::app::ground::kept::Change;
use crate::app::ground::keys::KeyFocus;
use crate::app::ground::platform::PLATFORM;
use crate::app::ground::requests::{
    AnalysisRequest, AnyRequest, BeginRequest, CopyRequest, CursorRequest, Go, HintRequest, LayoutRequest, PageRequest,
    PasteClipboard, RecordsRequest, RefereeRequest, SelectionRequest, ShowEnding, TruthRequest,
};
use crate::app::ground::settings::Settings;
use crate::app::ground::state::{Menu, Screen};
use crate::app::play::{Offers, at_board, is_whole_game};
use bevy::prelude::*;
use qiju_core::table::Choice;

static COMMANDS: &[Command] = &[
    Command::told("Enter", "keys.cursor"),
    Command::told("keys.arrow-keys", "keys.arrows"),
    Command::elsewhere("keys.left", "", || CursorRequest::Go(Go::Back).into()),
    Command::elsewhere("keys.right", "", || CursorRequest::Go(Go::Forward).into()),
    Command::elsewhere("Home", "look.first", || CursorRequest::Go(Go::Start).into()),
    Command::elsewhere("End", "look.last", || CursorRequest::Go(Go::End).into()),
    Command::new("keys.space", "play.hint", |world| is_whole_game(world) && KeyFocus::is_board(world), || HintRequest.into()),
    Command::new("Ctrl+Z", "play.undo", is_match, || CursorRequest::Undo.into()),
    Command::new("Ctrl+Y", "play.redo", is_match, || CursorRequest::Redo.into()),
    Command::new("Ctrl+Shift+Z", "", is_match, || CursorRequest::Redo.into()),
    Command::new("Ctrl+N", "menu.new", is_whole_game, || BeginRequest::Rematch(false).into()),
    Command::new("Ctrl+D", "draw.offer", is_whole_game, || RefereeRequest::OfferDraw.into()),
    Command::new("Y", "keys.answers", is_asked, || RefereeRequest::Answer(true).into()),
    Command::new("N", "keys.answers", is_asked, || RefereeRequest::Answer(false).into()),
    Command::new("A", "analysis.note", is_whole_game, || AnalysisRequest::Switch.into()),
    Command::new("T", "truth.note", is_whole_game, || TruthRequest.into()),
    Command::told("keys.right-button", "keys.draw"),
    Command::new("1", "keys.choices", is_whole_game, || SelectionRequest::Take(Choice::ALL[0]).into()),
    Command::new("2", "keys.choices", is_whole_game, || SelectionRequest::Take(Choice::ALL[1]).into()),
    Command::new("3", "keys.choices", is_whole_game, || SelectionRequest::Take(Choice::ALL[2]).into()),
    Command::new("Ctrl+S", "records.save", is_whole_game, || RecordsRequest::Save.into()),
    Command::new("Ctrl+O", "menu.records", no_menu, || PageRequest::Menu(Menu::Records).into()),
    Command::new("Ctrl+C", "keys.copy", is_whole_game, || CopyRequest::Game.into()),
    Command::new("Ctrl+Shift+C", "keys.copy-position", is_whole_game, || CopyRequest::Position.into()),
    Command::new("L", "sheet.copy-link", is_whole_game, || CopyRequest::Link.into()),
    Command::new("Shift+L", "sheet.copy-position-link", is_whole_game, || CopyRequest::PositionLink.into()),
    Command::new("Ctrl+V", "keys.paste", can_paste, || PasteClipboard.into()),
    Command::new("F", "play.flip", is_match, || LayoutRequest::Flip.into()),
    Command::new("Ctrl -", "keys.text-size", |_| true, || larger_text(-0.1)).while_typing(),
    Command::new("Ctrl +", "keys.text-size", |_| true, || larger_text(0.1)).while_typing(),
    Command::told("Tab", "keys.focus"),
    Command::elsewhere("Esc", "keys.back", || CursorRequest::Go(Go::Leave).into()),
    Command::elsewhere("Esc", "", || PageRequest::Menu(Menu::Pause).into()),
    Command::elsewhere("Esc", "", || PageRequest::Title.into()),
    Command::elsewhere("Esc", "", || ShowEnding(false).into()),
    Command::new("F1", "menu.help", |_| true, || PageRequest::Menu(Menu::Help).into()).while_typing(),
    // A browser keeps this key.
    Command::new("F11", "keys.fullscreen", |_| true, || LayoutRequest::FullScreen.into()).while_typing(),
];

fn larger_text(step: f32) -> AnyRequest {
    Change::new(move |settings: &mut Settings| settings.text_size = ((settings.text_size + step) * 10.0).round() / 10.0).into()
}

fn no_menu(world: &World) -> bool {
    *world.resource::<State<Menu>>() == Menu::None
}

/// What is pasted opens a game; a page hears it from the browser.
fn can_paste(world: &World) -> bool {
    let opens =
        matches!(**world.resource::<State<Menu>>(), Menu::None | Menu::Pause | Menu::Records | Menu::Games | Menu::Page(_));
    opens && *world.resource::<State<Screen>>() != Screen::Loading && !cfg!(target_arch = "wasm32")
}

fn is_match(world: &World) -> bool {
    at_board(world).is_some()
}

/// One player is asked something by the other.
fn is_asked(world: &World) -> bool {
    at_board(world).is_some_and(|current| world.resource::<Offers>().question(current).is_some())
}

pub(super) fn plugin(app: &mut App) {
    let known = COMMANDS.len() - usize::from(!PLATFORM.window);
    CommandTable::add(app, None, "help.keys", &COMMANDS[..known]);
}
