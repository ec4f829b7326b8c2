//! How the tree is looked at: what the parts of the laboratory's page remember from frame to frame.

use super::camera::Camera;
use crate::ui::scenes::Scene;
use bevy::prelude::{Message, Resource};
use qiju_core::rules::Point;
use qiju_core::table::Piece;
use std::collections::HashMap;

/// How the tree is looked at.
#[derive(Resource, Default)]
pub struct TreeView {
    /// The part of the tree that is seen.
    pub camera: Option<Camera>,
    /// Where the camera goes.
    pub target: Option<Camera>,
    /// The tree it is a view of.
    pub generation: u64,
    /// The step that was shown last, and when it was reached.
    pub step: (usize, f64),
    /// The pieces at the nodes whose boards were drawn.
    pub boards: HashMap<u32, Vec<(Point, Piece)>>,
    /// The chosen node and its picture, kept by the card.
    pub card: Option<(u64, u32, Scene)>,
    /// What is asked of the view.
    pub wish: Option<ViewWish>,
    /// True while the keyboard is on the tree.
    pub focused: bool,
}

/// To `activities::laboratory`: how the tree is to be looked at.
#[derive(Message, Clone, Copy, Debug, PartialEq)]
pub enum ViewWish {
    /// Wider or narrower columns.
    Zoom(f32),
    /// All of the tree.
    Whole,
}
