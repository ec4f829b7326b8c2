//! Changes the tree: variations, comments and so on are written to the journal before they are shown.

use super::game::CurrentMatch;
use super::journal::MatchJournal;
use super::messages::BoardChanged;
use crate::app::ground::home::Home;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use qiju_core::record::journal::Event;
use qiju_core::rules::PlayError;
use qiju_core::table::{Action, EditError, NodeId, Origin, TreeEdit};

/// Changes the tree of the match and updates the board.
#[derive(SystemParam)]
pub struct TreeEditor<'w> {
    /// The match.
    pub current: ResMut<'w, CurrentMatch>,
    journal: ResMut<'w, MatchJournal>,
    home: Res<'w, Home>,
    changed: MessageWriter<'w, BoardChanged>,
}

impl TreeEditor<'_> {
    /// Changes the tree; returns the node changed, or the last of the moves added.
    ///
    /// # Errors
    /// There is no such node, a move is illegal, or the change would change the moves of the match.
    pub fn edit(&mut self, edit: TreeEdit) -> Result<NodeId, EditError> {
        let place = self.current.played.place_of_attached(*edit.at())?;
        let (node, steps) = self.current.played.edit(&edit)?;
        self.current.worked_on = true;
        self.journal.write(&self.home, &[Event::Tree(edit.moved_to(place))]);
        self.show(BoardChanged::of_steps(steps, 1));
        Ok(node)
    }

    /// Changes the tree in several places, written into the journal at once. Those that cannot be made are left out.
    pub fn edit_all(&mut self, edits: impl IntoIterator<Item = TreeEdit>) {
        let mut events = Vec::new();
        let mut steps = Vec::new();
        for edit in edits {
            let Ok(place) = self.current.played.place_of_attached(*edit.at()) else { continue };
            let Ok((_, moved)) = self.current.played.edit(&edit) else { continue };
            steps.extend(moved);
            events.push(Event::Tree(edit.moved_to(place)));
        }
        if events.is_empty() {
            return;
        }
        self.current.worked_on = true;
        self.journal.write(&self.home, &events);
        self.show(BoardChanged::of_steps(steps, 1));
    }

    /// Plays a move as a variation at the node that is shown, and shows it.
    ///
    /// # Errors
    /// The move is illegal.
    pub fn play_variation(&mut self, action: Action) -> Result<(), PlayError> {
        let at = self.current.cursor();
        if let Some(known) = self.current.tree().child_with(at, action) {
            let steps = self.current.go(known);
            self.show(steps);
            return Ok(());
        }
        match self.edit(TreeEdit::Add { at, moves: vec![action], origin: Origin::Variation }) {
            Ok(node) => {
                let steps = self.current.go(node);
                self.show(steps);
                Ok(())
            }
            Err(EditError::Illegal(error)) => Err(error),
            Err(error) => {
                debug!("no variation here: {error}");
                Ok(())
            }
        }
    }

    /// Sends the changes of the board.
    pub fn show(&mut self, steps: impl IntoIterator<Item = BoardChanged>) {
        self.changed.write_batch(steps);
    }
}
