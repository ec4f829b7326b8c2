//! What the activities say of themselves when they register: what a step through the tree, a move and Escape mean while they are on.

use super::game::CurrentMatch;
use super::messages::BoardChanged;
use crate::app::ground::activity::Activity;
use crate::app::ground::requests::{AnyRequest, Go};
use crate::app::ground::state::{Menu, Screen};
use bevy::ecs::system::SystemId;
use bevy::prelude::*;
use qiju_core::paint;
use qiju_core::rules::{PlayError, Point};
use qiju_core::table::{Action, Mark};
use std::collections::{BTreeMap, BTreeSet};

/// What an activity does with the tree while its sketch is on the board, and how it is left. What it leaves open is done as everywhere.
#[derive(Clone, Copy, Debug, Default)]
pub struct Walk {
    /// A step or a leap; `None` ends the sketch and goes on in the tree.
    pub go: Option<SystemId<In<Go>, Option<Vec<BoardChanged>>>>,
    /// A move of the user.
    pub play: Option<SystemId<In<Action>, Result<Option<BoardChanged>, PlayError>>>,
    /// Escape.
    pub leave: Option<fn(&CurrentMatch) -> AnyRequest>,
}

/// The activity whose page is open in the panel, over that of the match's own.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Opened(pub Option<Activity>);

impl CurrentMatch {
    /// The activities that are on, the one on top first: the owner of the sketch, the one whose page is open, the match's own.
    pub fn on(&self, opened: &Opened) -> impl Iterator<Item = Activity> {
        [self.sketch_owner(), opened.0, Some(self.activity())].into_iter().flatten()
    }
}

/// The match, while nothing lies over its board.
pub fn at_board(world: &World) -> Option<&CurrentMatch> {
    let there = *world.resource::<State<Screen>>() == Screen::Match && *world.resource::<State<Menu>>() == Menu::None;
    world.get_resource().filter(|_| there)
}

/// True if it is a whole game, which can be saved and analysed.
pub fn is_whole_game(world: &World) -> bool {
    at_board(world).is_some_and(|current| current.traits().whole_game)
}

/// True while an activity is on, and nothing lies over its board.
pub fn is_on(world: &World, activity: Activity) -> bool {
    at_board(world).is_some_and(|current| current.on(world.resource::<Opened>()).any(|on| on == activity))
}

/// What activities mark on the board.
#[derive(Resource, Default)]
pub struct Marked {
    points: BTreeMap<Activity, Vec<(paint::Mark, Point)>>,
    drawn: BTreeMap<Activity, Vec<Mark>>,
}

impl Marked {
    /// An activity marks these points, and no others.
    pub fn put(marked: &mut ResMut<Marked>, activity: Activity, points: impl IntoIterator<Item = (paint::Mark, Point)>) {
        let points: Vec<_> = points.into_iter().collect();
        if marked.points.get(&activity).map_or(&[][..], Vec::as_slice) != points {
            marked.points.insert(activity, points);
        }
    }

    /// An activity draws these marks, and no others.
    pub fn draw(marked: &mut ResMut<Marked>, activity: Activity, marks: Vec<Mark>) {
        if marked.drawn.get(&activity).map_or(&[][..], Vec::as_slice) != marks {
            marked.drawn.insert(activity, marks);
        }
    }

    /// The points that are marked.
    pub fn points(&self) -> impl Iterator<Item = (paint::Mark, Point)> {
        self.points.values().flatten().copied()
    }

    /// The marks that are drawn.
    pub fn drawn(&self) -> impl Iterator<Item = &Mark> {
        self.drawn.values().flatten()
    }
}

/// The activities that hold back the engines: their moves may be found already, and are played when none holds them back any more.
#[derive(Resource, Default)]
pub struct HeldBack(BTreeSet<Activity>);

impl HeldBack {
    /// An activity holds the engines back, or no longer does.
    pub fn put(held: &mut ResMut<HeldBack>, activity: Activity, holds: bool) {
        if held.0.contains(&activity) != holds {
            if holds {
                held.0.insert(activity)
            } else {
                held.0.remove(&activity)
            };
        }
    }

    /// True while an activity holds the engines back.
    pub fn holds(&self) -> bool {
        !self.0.is_empty()
    }
}

/// The walks of all activities.
#[derive(Resource, Default)]
pub struct Walks(BTreeMap<Activity, Walk>);

impl Walks {
    /// The walk of an activity, to be filled in by its plugin.
    pub fn register(app: &mut App, activity: Activity) -> Mut<'_, Walk> {
        let walks = app.init_resource::<Walks>().world_mut().resource_mut::<Walks>();
        walks.map_unchanged(|walks| walks.0.entry(activity).or_default())
    }

    /// The walk of the activity whose sketch is on the board, or else of the match's own.
    pub fn of(&self, current: &CurrentMatch) -> Walk {
        self.0.get(&current.sketch_owner().unwrap_or(current.activity())).copied().unwrap_or_default()
    }

    /// The walk of the activity whose page is open.
    pub fn of_page(&self, opened: &Opened) -> Walk {
        opened.0.and_then(|activity| self.0.get(&activity)).copied().unwrap_or_default()
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Walks>().init_resource::<Opened>().init_resource::<Marked>().init_resource::<HeldBack>();
}
