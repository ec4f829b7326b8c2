//! Positions with the moves that are played in them on small boards: examples, and the games of the title page.

use super::boards::Posed;
use crate::app::library::LibraryGame;
use crate::app::view::Motion;
use qiju_core::paint::Mark;
use qiju_core::rules::{BySide, Point};
use qiju_core::table::{Action, Change, Example, Piece, Setup, Shape, Table};

/// The seconds before the first move, and from one move to the next.
const BEFORE: f32 = 0.9;
/// See [`BEFORE`].
pub const BEAT: f32 = 1.3;
/// How pieces move: slower than on the board of a match.
const MOTION: Motion =
    Motion { speed: 0.6, reduced: false, wait: 0.0, backwards: false, trays: BySide { first: None, second: None } };

/// A move: the pieces before it, and what it changes.
struct Step {
    pieces: Vec<(Point, Piece)>,
    action: Action,
    changes: Vec<Change>,
}

/// A position and the moves played in it.
pub struct Scene {
    /// Files and ranks.
    pub size: (u8, u8),
    steps: Vec<Step>,
    /// The pieces after the last move.
    last: Vec<(Point, Piece)>,
    /// The points that are then forbidden to the side to move.
    forbidden: Vec<Point>,
}

impl Scene {
    /// The scene of an example of a game; `None` if it cannot be played.
    pub fn of_example(game: &LibraryGame, example: &Example) -> Option<Scene> {
        let variant = example.variant.clone().or_else(|| game.sheet.variants.first().map(|variant| variant.key.clone()));
        let table = game.entry.table(&Setup { variant, position: Some(example.position.clone()) }).ok()?;
        let scene = Scene::of(table, &example.moves);
        (scene.steps.len() == example.moves.split_whitespace().count()).then_some(scene)
    }

    /// The moves from a position on, as far as they can be played.
    pub fn of(mut table: Box<dyn Table>, moves: &str) -> Scene {
        let mut steps = Vec::new();
        for word in moves.split_whitespace() {
            let pieces = table.pieces();
            let Some((action, changes)) = table.read(word).ok().and_then(|action| Some((action, table.play(action).ok()?)))
            else {
                break;
            };
            steps.push(Step { pieces, action, changes });
        }
        Scene { steps, ..Scene::still_of(&*table) }
    }

    /// A position without moves.
    pub fn still_of(table: &dyn Table) -> Scene {
        let forbidden = table.restrictions().into_iter().map(|one| one.at).collect();
        Scene { size: table.size(), steps: Vec::new(), last: table.pieces(), forbidden }
    }

    /// The seconds in which all moves are played.
    pub fn seconds(&self) -> f32 {
        BEFORE + BEAT * self.steps.len() as f32
    }

    /// The pieces after so many seconds, and the seconds until they change: 0 while they move.
    pub fn at(&self, seconds: f32) -> (Vec<Posed>, f32) {
        let since = seconds - BEFORE;
        if since < 0.0 {
            return (Posed::resting(self.steps.first().map_or(&self.last, |step| &step.pieces).iter().copied()), -since);
        }
        let number = (since / BEAT) as usize;
        let Some(step) = self.steps.get(number) else { return (self.after(), f32::INFINITY) };
        let since = since - BEAT * number as f32;
        let moves = MOTION.of(&step.changes, |_| None);
        let mut left: Vec<(Point, Piece)> = step.pieces.clone();
        let mut moving = Vec::new();
        let mut take = |from: Point| left.iter().position(|(at, _)| *at == from).map(|index| left.remove(index).1);
        for (change, one) in step.changes.iter().zip(&moves) {
            let piece = match *change {
                Change::Place { piece, .. } => Some(piece),
                Change::Slide { from: at, .. } | Change::Remove { at, .. } => take(at),
                Change::Flip { at, to, .. } => take(at).map(|_| to),
                Change::Pass => None,
            };
            moving.extend(piece.zip(one.after(since)).map(|(piece, pose)| Posed { piece, pose }));
        }
        let rests = moves.iter().all(|one| one.is_over(since));
        let mut pieces = Posed::resting(left);
        pieces.extend(moving);
        (pieces, if rests { BEAT - since } else { 0.0 })
    }

    /// The pieces before the moves, and marks that show them.
    pub fn before(&self) -> (Vec<Posed>, Vec<(Mark, Point)>) {
        let Some(first) = self.steps.first() else { return (self.after(), Vec::new()) };
        let marks = self.steps.iter().flat_map(|step| {
            let takes =
                |at: &Point| step.changes.iter().any(|change| matches!(change, Change::Remove { at: there, .. } if there == at));
            let target = step.action.target().map(|at| (if takes(&at) { Mark::Capture } else { Mark::Target }, at));
            step.action.origin().map(|at| (Mark::Selected, at)).into_iter().chain(target)
        });
        (Posed::resting(first.pieces.iter().copied()), marks.collect())
    }

    /// The pieces after the moves.
    pub fn after(&self) -> Vec<Posed> {
        Posed::resting(self.last.iter().copied())
    }

    /// The marks of the points that are forbidden after the last move.
    pub fn forbidden(&self) -> impl Iterator<Item = (Mark, Point)> {
        self.forbidden.iter().map(|at| (Mark::Forbidden, *at))
    }

    /// The marks after the last move: the move itself, and what is forbidden then.
    pub fn last_move(&self, shape: Shape) -> Vec<(Mark, Point)> {
        self.steps.last().map(|step| Mark::of_move(shape, step.action)).into_iter().flatten().chain(self.forbidden()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::library::Library;
    use crate::app::view::Pose;

    /// Every example of the rules can be played; what it says of an end and of forbidden points is so.
    #[test]
    fn the_examples_of_the_rules_are_played_to_their_end() {
        let (library, _) = Library::read();
        for game in &library.games {
            for example in &game.sheet.examples {
                let scene = Scene::of_example(game, example).unwrap_or_else(|| panic!("{}: {example:?}", game.entry.key));
                let variant = example.variant.clone().or_else(|| Some(game.sheet.variants[0].key.clone()));
                let mut table = game.entry.table(&Setup { variant, position: Some(example.position.clone()) }).unwrap();
                for word in example.moves.split_whitespace() {
                    table.play(table.read(word).unwrap()).unwrap();
                }
                let en = &example.text.en;
                assert_eq!(scene.forbidden.len(), usize::from(en.contains("forbidden")), "{en}");
                let ends = en.contains(" win") || en.contains("mate") || en.contains(" lose") || en.contains(" stopped");
                let denies = en.contains("do not win") || en.contains("does not win");
                assert_eq!(table.outcome().is_some(), ends && !denies, "{en}");
            }
        }
    }

    /// With every handicap a game can begin, and one side has fewer pieces, or has moved already.
    #[test]
    fn handicaps_begin_a_game() {
        let (library, _) = Library::read();
        let game = library.game("xiangqi").unwrap();
        let usual = game.entry.table(&Setup::default()).unwrap();
        let names = ["让先", "让二先", "让左马", "让双马", "让一炮", "让一车", "让车马", "让九子"];
        assert!(names.iter().all(|name| {
            ["红", "黑"].iter().all(|by| game.sheet.handicaps.iter().any(|handicap| handicap.name.zh == format!("{by}{name}")))
        }));
        for handicap in &game.sheet.handicaps {
            let table = game.entry.table(&Setup { variant: None, position: Some(handicap.position.clone()) }).unwrap();
            let fewer = usual.pieces().len() - table.pieces().len();
            let wanted = match handicap.name.zh.chars().skip(2).collect::<String>().as_str() {
                "先" | "二先" => 0,
                "左马" | "一炮" | "一车" => 1,
                "双马" | "车马" => 2,
                "九子" => 9,
                other => panic!("{other}"),
            };
            let first = if wanted == 0 { !handicap.by } else { qiju_core::rules::Side::First };
            assert_eq!((fewer, table.turn()), (wanted, first), "{handicap:?}");
            assert!(table.outcome().is_none() && (table.pieces() != usual.pieces() || handicap.name.zh.ends_with("让先")));
            assert_eq!(handicap.by == qiju_core::rules::Side::First, handicap.name.zh.starts_with('红'), "{handicap:?}");
            let lacks = |side: qiju_core::rules::Side| {
                usual.pieces().len() / 2 - table.pieces().iter().filter(|(_, piece)| piece.side == side).count()
            };
            assert_eq!((lacks(handicap.by), lacks(!handicap.by)), (wanted, 0), "{handicap:?}");
        }
        let game = library.game("gomoku").unwrap();
        for (handicap, owner) in game.sheet.handicaps.iter().zip(qiju_core::rules::Side::BOTH) {
            for variant in ["freestyle:15", "standard:15", "renju:15", "caro:15"] {
                let setup = Setup { variant: Some(variant.to_owned()), position: Some(handicap.position.clone()) };
                let table = game.entry.table(&setup).unwrap();
                let owners: Vec<_> = table.pieces().iter().map(|(_, piece)| piece.side).collect();
                assert_eq!(
                    (owners, handicap.by, table.turn()),
                    (vec![owner], !owner, qiju_core::rules::Side::First),
                    "{handicap:?}"
                );
            }
        }
        assert_eq!(game.sheet.handicaps.len(), 2);
    }

    #[test]
    fn every_game_lives_and_comes_to_rest() {
        let (library, faults) = Library::read();
        assert!(faults.is_empty());
        for game in &library.games {
            let scene = Scene::of(game.entry.table(&Setup::default()).unwrap(), &game.sheet.showcase);
            assert_eq!(scene.steps.len(), game.sheet.showcase.split_whitespace().count(), "{}", game.entry.key);
            for frame in 0..(scene.seconds() / 0.016) as u32 {
                let (pieces, next) = scene.at(frame as f32 * 0.016);
                let sound = |pose: &Pose| pose.place.min_element() >= -0.2 && (0.0..=1.0).contains(&pose.alpha);
                assert!(next >= 0.0 && pieces.iter().all(|posed| sound(&posed.pose)));
            }
            let (pieces, next) = scene.at(scene.seconds() + 0.1);
            assert!(next.is_infinite() && pieces.iter().all(|posed| posed.pose == Pose::resting(posed.pose.place)));
            assert_eq!(pieces.len(), scene.last.len());
        }
    }
}
