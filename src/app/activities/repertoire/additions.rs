//! Moves become a repertoire's on a thread of their own, one addition after the other: a large tree takes long to replay.

use crate::app::ground::background::{BackgroundTask, WakeHandles};
use crate::app::ground::notices::Notices;
use crate::app::ground::repertoires::{OwnMoves, Repertoires};
use crate::app::ground::requests::Requests;
use crate::app::ground::step::Step;
use crate::app::ground::words::Words;
use crate::app::view::FrameRequests;
use bevy::prelude::*;
use qiju_core::message::Message;
use qiju_core::repertoire::{Repertoire, SavedRepertoire};
use std::collections::VecDeque;
use std::sync::Arc;

/// What was found: the repertoire as it was and as it becomes.
type Found = (Option<SavedRepertoire>, Result<Repertoire, Message>);

/// Moves that are to be added.
#[derive(Resource, Default)]
pub struct Additions {
    /// They, each with whether the player is told how many positions are new. The first one is worked on.
    asked: VecDeque<(Arc<OwnMoves>, bool)>,
    task: Option<BackgroundTask<Found>>,
}

impl Additions {
    /// Adds moves as soon as those before them are added.
    pub fn ask(&mut self, moves: OwnMoves, is_told: bool) {
        self.asked.push_back((Arc::new(moves), is_told));
    }
}

fn join(
    mut additions: ResMut<Additions>,
    (repertoires, words, wake): (Res<Repertoires>, Res<Words>, WakeHandles),
    (mut notices, mut requests): (ResMut<Notices>, Requests),
) {
    let Additions { asked, task } = additions.bypass_change_detection();
    let Some((moves, is_told)) = asked.front().cloned() else { return };
    let Some(running) = task else {
        let was = repertoires.all.get(&moves.name).cloned();
        *task = Some(BackgroundTask::on_thread(wake.handle(), move |_| {
            let found = moves.joined(was.as_ref());
            (was, found)
        }));
        return;
    };
    let Some((was, found)) = running.poll() else { return };
    (*task, _) = (None, asked.pop_front());
    match found {
        Ok(found) => {
            if is_told {
                let before = was.as_ref().map_or(0, SavedRepertoire::len);
                notices.warn(words.with("repertoire.added", found.asked().len().saturating_sub(before)));
            }
            requests.change(move |repertoires: &mut Repertoires| repertoires.add_found(&moves, (was.as_ref(), &found)));
        }
        Err(why) => notices.fail(why),
    }
}

/// The window wakes for the next one.
fn stay_awake(additions: Res<Additions>, mut frames: ResMut<FrameRequests>) {
    if !additions.asked.is_empty() && additions.task.is_none() {
        frames.look();
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Additions>()
        .add_systems(Update, join.in_set(Step::Think))
        .add_systems(Update, stay_awake.after(Step::Ui));
}
