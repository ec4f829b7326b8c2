//! The board of the editor of positions: the same board and pieces as in a match, with what is wrong ringed.

use crate::app::explore::Editing;
use crate::app::layout::{Layout, in_cells};
use crate::app::position::Tool;
use crate::app::view::Pose;
use crate::ui::boards::{Board, Posed};
use bevy::prelude::Vec2;
use bevy_egui::egui;
use egui::{Painter, Pos2};
use qiju_core::paint::Mark;
use qiju_core::rules::Point;

/// How strong a piece is that would be put under the pointer.
const GHOST: f32 = 0.6;
/// How much larger a piece is while it is dragged.
const LIFTED: f32 = 1.06;

/// The marks on the board.
fn marks(editing: &Editing) -> Vec<(Mark, Point)> {
    let mut marks = Vec::new();
    let mut put = |mark: Mark, at: Point| marks.push((mark, at));
    if let Some(at) = editing.picked() {
        put(Mark::Selected, at);
    }
    // Where a piece can stand, if that is not everywhere.
    if let Tool::Put(chosen) = editing.tool() {
        let (files, ranks) = editing.size();
        let points = || (0..files).flat_map(|x| (0..ranks).map(move |y| Point::new(x, y)));
        if points().any(|at| !editing.may_stand(chosen, at)) {
            let free = |at: &Point| editing.may_stand(chosen, *at) && !editing.draft().pieces.contains_key(at);
            points().filter(free).for_each(|at| put(Mark::Target, at));
        }
    }
    editing.uncertain().iter().for_each(|at| put(Mark::Hint, *at));
    editing.faulty_points().into_iter().for_each(|at| put(Mark::Capture, at));
    if let Some(cursor) = editing.cursor() {
        put(Mark::Cursor, cursor);
    }
    marks
}

/// The board with its pieces. `dragged` is the point whose piece the pointer holds, `pointer` the place of the pointer on the board or beside it.
pub fn show(
    painter: &Painter,
    (board, layout): (&Board, &Layout),
    editing: &Editing,
    (dragged, pointer): (Option<Point>, Option<Pos2>),
) {
    let standing = &editing.draft().pieces;
    let mut pieces = Posed::resting(standing.iter().filter(|(at, _)| Some(**at) != dragged).map(|(at, piece)| (*at, *piece)));
    let held = dragged.and_then(|at| standing.get(&at).copied()).or(editing.grabbed());
    if let Some((at, piece)) = pointer.zip(held) {
        let pose = Pose { scale: LIFTED, flying: true, ..Pose::resting(board.cells_at(at)) };
        pieces.push(Posed { piece, pose });
    } else if let (Some(at), Tool::Put(piece)) = (pointer, editing.tool()) {
        let free = layout.point_under(Vec2::new(at.x, at.y) * layout.zoom).filter(|at| !standing.contains_key(at));
        pieces.extend(free.map(|at| Posed { piece, pose: Pose { alpha: GHOST, ..Pose::resting(in_cells(at)) } }));
    }
    board.draw(painter, &pieces, &marks(editing));
}
