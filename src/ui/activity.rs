//! What an activity registers once, in its plugin: its sections of the panel, its button on the setup page, and what a step, a move and Escape
//! mean while it is on.

use super::entries::{Entries, Offer};
use super::panel::{Place, Room, Sections};
use super::widgets::Icon;
use crate::app::activity::Activity;
use crate::app::commands::{Command, CommandTable};
use crate::app::play::{BoardChanged, CurrentMatch, Walks};
use crate::app::requests::{AnyRequest, Go};
use bevy::prelude::*;
use bevy_egui::egui::Ui;
use qiju_core::rules::PlayError;
use qiju_core::table::Action;

/// An activity that is being registered.
pub struct Registration<'a> {
    app: &'a mut App,
    activity: Activity,
}

/// Registers an activity.
pub fn register(app: &mut App, activity: Activity) -> Registration<'_> {
    app.init_resource::<Sections>().init_resource::<Entries>();
    Registration { app, activity }
}

impl Registration<'_> {
    /// Its button on the setup page of a game, in the order of the numbers: the drawing, the key of the text, and the request for a game by
    /// these rules from this position, if it has it.
    pub fn entry(self, number: u8, icon: Icon, key: &'static str, ask: Offer) -> Self {
        self.app.world_mut().resource_mut::<Entries>().add(number, (icon, key, ask));
        self
    }

    /// Its entry in the pause menu, in the order of the numbers; `None` if this match does not have it.
    pub fn pause_entry(self, number: u8, icon: Icon, key: &'static str, ask: fn(&CurrentMatch) -> Option<AnyRequest>) -> Self {
        self.app.world_mut().resource_mut::<Entries>().add_to_pause(number, (icon, key, ask));
        self
    }

    /// A section of the panel.
    pub fn section<M>(self, place: Place, draw: impl IntoSystem<(InMut<'static, Ui>, In<Room>), bool, M> + 'static) -> Self {
        let section = self.app.register_system(draw);
        self.app.world_mut().resource_mut::<Sections>().add(self.activity, place, section);
        self
    }

    /// What a step or a leap means while its sketch is on the board; `None` ends the sketch and goes on in the tree.
    pub fn go<M>(self, go: impl IntoSystem<In<Go>, Option<Vec<BoardChanged>>, M> + 'static) -> Self {
        let go = self.app.register_system(go);
        Walks::register(self.app, self.activity).go = Some(go);
        self
    }

    /// What a move of the user means while its sketch is on the board.
    pub fn play<M>(self, play: impl IntoSystem<In<Action>, Result<Option<BoardChanged>, PlayError>, M> + 'static) -> Self {
        let play = self.app.register_system(play);
        Walks::register(self.app, self.activity).play = Some(play);
        self
    }

    /// Its commands, and the key of their title.
    pub fn commands(self, title: &'static str, commands: &'static [Command]) -> Self {
        CommandTable::add(self.app, Some(self.activity), title, commands);
        self
    }

    /// What Escape means while it is on.
    pub fn leave(self, leave: fn(&CurrentMatch) -> AnyRequest) -> Self {
        Walks::register(self.app, self.activity).leave = Some(leave);
        self
    }
}
