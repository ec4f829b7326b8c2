//! What is asked of the search laboratory.

use crate::app::activity::Activity;
use bevy::prelude::Message;
use qiju_core::search::PlainKind;

/// The search laboratory.
pub const LABORATORY: Activity = Activity("laboratory");

/// To `activities::laboratory`: about the page of the search laboratory.
#[derive(Message, Clone, Debug, PartialEq)]
pub enum LabWish {
    /// Open it with the position that is shown in the match.
    Shown,
    /// Open it with the start of a game: its key and the variant's.
    Game(&'static str, String),
    /// Watch this algorithm.
    Algorithm(PlainKind),
    /// Search so many plies.
    Depth(u16),
    /// Search only so many of the most promising moves of each position; `None` is all of them.
    Width(Option<u16>),
    /// Search depth by depth (`true`), or directly.
    Deepening(bool),
    /// Go to another moment of the search.
    Go(LabGo),
    /// Let the search run on by itself (`true`), or stop it there.
    Play(bool),
    /// Make so many steps a second.
    Speed(f32),
    /// Choose this node, or none.
    Choose(Option<u32>),
    /// Choose a neighbour of the chosen node.
    Walk(LabWalk),
    /// Keep the node that is searched in view (`true`), or not.
    Follow(bool),
    /// Search no further: keep what is counted so far.
    Stop,
    /// Begin the guided experiment with this number, or leave it.
    Experiment(Option<usize>),
    /// Answer the question of the experiment with the option of this number.
    Answer(usize),
    /// Go to the next step of the experiment (`true`), or back.
    Turn(bool),
}

/// A moment of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabGo {
    /// Before the first step.
    Start,
    /// One step back.
    Back,
    /// One step forward.
    Forward,
    /// After the last step.
    End,
    /// After so many steps.
    To(usize),
}

/// A neighbour of a node in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabWalk {
    /// The node before it.
    Up,
    /// The first node below it.
    Down,
    /// The one on its left in the same row.
    Left,
    /// The one on its right in the same row.
    Right,
}
