//! The sections of the panel, as the activities have registered them.

use crate::app::activity::Activity;
use bevy::ecs::system::SystemId;
use bevy::prelude::*;
use bevy_egui::egui::Ui;

/// How much room a section has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    /// The width of the panel, and the height it needs.
    Panel,
    /// One row: the bar of a narrow window, or the head of a telephone's panel. A section gives up what has no room there.
    Row,
}

/// Where a section stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// It is the whole panel while its activity is on.
    Page,
    /// Below the moves, in the order of the numbers, whether its activity is on or not.
    Below(u8),
    /// Where else is said whose turn it is, while its activity is on.
    Status,
}

/// A section: a system that draws into the room there is. It returns false where it has nothing to show.
pub type Section = SystemId<(InMut<'static, Ui>, In<Room>), bool>;

/// The sections of all activities, in the order of their places.
#[derive(Resource, Default)]
pub struct Sections(Vec<(Place, Activity, Section)>);

impl Sections {
    /// Adds a section of an activity.
    pub fn add(&mut self, activity: Activity, place: Place, section: Section) {
        self.0.push((place, activity, section));
        self.0.sort_by_key(|(place, ..)| *place);
    }

    /// Those for which this holds.
    fn of(&self, wanted: impl Fn(Place, Activity) -> bool) -> Vec<Section> {
        self.0.iter().filter(|(place, activity, _)| wanted(*place, *activity)).map(|(.., section)| *section).collect()
    }

    /// The pages of the activities that are on, the one on top first.
    pub fn pages(&self, on: &[Activity]) -> Vec<Section> {
        on.iter().flat_map(|top| self.of(|place, activity| place == Place::Page && activity == *top)).collect()
    }

    /// What stands below the moves; of one activity, or of all.
    pub fn below(&self, of: Option<Activity>) -> Vec<Section> {
        self.of(|place, activity| matches!(place, Place::Below(_)) && of.is_none_or(|of| of == activity))
    }

    /// Where an activity that is on says how it stands.
    pub fn status(&self, on: &[Activity]) -> Vec<Section> {
        self.of(|place, activity| place == Place::Status && on.contains(&activity))
    }
}
