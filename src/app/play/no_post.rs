//! This program carries no letters by itself: the user sends them.

use super::letters::Connection;
use super::network::Network;
use crate::app::ground::settings::Settings;
use bevy::prelude::*;
use qiju_core::message::Message;
use qiju_core::record::journal::Post;
use qiju_core::record::letter::{Invitation, Letter, Presence};
use qiju_core::rules::Side;

/// The ways to brokers: none.
#[derive(Resource, Default)]
pub struct Posts {
    pub network: Network,
}

impl Posts {
    pub(super) fn begin(&mut self, _: &Settings, _: Option<&(u64, Post, Side)>) -> Result<Option<Post>, Message> {
        Ok(None)
    }

    /// The state of the way to the broker of a match.
    pub fn connection(&self, _: &Post) -> Connection {
        Connection::Connecting
    }

    /// What is known of the friend of the match on the board.
    pub fn presence(&self) -> Presence {
        Presence::default()
    }

    /// How many look on at the match on the board: nobody is known.
    pub fn watchers(&self) -> usize {
        0
    }
}

/// How the letters go of a match to which a letter invites: the user sends them.
pub fn join(_: &Invitation) -> Option<Post> {
    None
}

/// The same post with a key with which others are shown the match: none, it is shown to nobody.
pub fn shared(_: &Post) -> Option<Post> {
    None
}

/// What those who look on need.
pub(super) fn watchers(_: &Post) -> Option<Invitation> {
    None
}

/// How the letters go of a match that can be watched: they do not come here.
pub fn look_on(_: &Invitation) -> Option<Post> {
    None
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Posts>();
}
