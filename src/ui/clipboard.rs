//! The system's clipboard: what was copied goes there, and what is pasted is opened.

use super::draw::Draw;
use crate::app::clipboard::Clipboard;
use crate::app::requests::{PasteClipboard, Requests};
use crate::app::state::{Menu, Screen};
#[cfg(not(target_arch = "wasm32"))]
use crate::app::{clipboard::pasted, position::PictureRequest};
use bevy::prelude::*;
use bevy_egui::{EguiClipboard, EguiContexts, EguiPrimaryContextPass};

fn copy(mut contexts: EguiContexts, mut clipboard: ResMut<Clipboard>) -> Result {
    if let Some(text) = clipboard.take() {
        contexts.ctx_mut()?.copy_text(text);
    }
    Ok(())
}

/// What is pasted by the keys or from a menu.
fn paste(
    mut clipboard: ResMut<EguiClipboard>,
    (menu, screen): (Res<State<Menu>>, Res<State<Screen>>),
    (mut asked, mut requests): (MessageReader<PasteClipboard>, Requests),
) {
    if asked.read().count() > 0 {
        #[cfg(target_arch = "wasm32")]
        {
            // The answer comes later.
            let _ = (&mut clipboard, &mut requests, &menu, &screen);
            crate::app::user_files::page::paste();
        }
        #[cfg(not(target_arch = "wasm32"))]
        match clipboard.get_text().filter(|text| !text.trim().is_empty()) {
            Some(text) => requests.write(pasted(text, *screen.get(), *menu.get())),
            // There may be a picture.
            None => requests.write(PictureRequest::Paste),
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(EguiPrimaryContextPass, copy.in_set(Draw::Cover).run_if(|clipboard: Res<Clipboard>| clipboard.is_waiting()))
        .add_systems(EguiPrimaryContextPass, paste.in_set(Draw::Cover));
}
