//! The drawings on buttons: lines of one width in a square of sixteen units, in the colour of the text beside them.

use bevy_egui::egui;
use egui::{Color32, Painter, Pos2, Shape, Stroke, pos2, vec2};

/// What is drawn on a button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Icon {
    /// To the beginning.
    First,
    /// One back.
    Back,
    /// One forward.
    Forward,
    /// To the end.
    Last,
    /// Upwards.
    Up,
    /// Downwards.
    Down,
    /// A move is taken back.
    Undo,
    /// It is played again.
    Redo,
    /// A good move.
    Hint,
    /// The board is turned.
    Flip,
    /// A player gives up.
    Resign,
    /// More of it.
    Menu,
    /// To where one came from.
    Leave,
    /// The players change sides.
    Swap,
    /// Once more.
    Again,
    /// What was played is looked at.
    Review,
    /// Settings.
    Settings,
    /// How it works.
    Help,
    /// Games that are kept.
    Records,
    /// Out of the program.
    Quit,
    /// Rules.
    Rules,
    /// Exercises.
    Target,
    /// Defence.
    Shield,
    /// Puzzles.
    Puzzle,
    /// It goes on.
    Play,
    /// It waits.
    Pause,
    /// One step.
    Step,
    /// The other language.
    Language,
    /// What an engine thinks.
    Analysis,
    /// What is certain.
    Truth,
    /// Sound.
    Sound,
    /// Away with it.
    Close,
    /// Yes.
    Check,
    /// Two players.
    Players,
    /// Kept.
    Save,
    /// A new one.
    New,
    /// To the title.
    Home,
    /// A menu of more.
    More,
    /// To others.
    Share,
    /// Set up by hand.
    Edit,
    /// Moved by hand.
    Hand,
    /// Taken away.
    Erase,
    /// Left and right swapped.
    Mirror,
    /// Turned by half.
    Rotate,
    /// As a text.
    Copy,
    /// From a text.
    Paste,
    /// A search tree.
    Tree,
    /// Smaller, or less.
    Less,
    /// All of it at once.
    Whole,
    /// Neither side wins.
    Draw,
    /// The player's results.
    Results,
    /// First steps: one after the other, upwards.
    Stairs,
}

/// The side of the square the drawings are made in.
const UNITS: f32 = 16.0;

impl Icon {
    /// Draws it around a place, `size` pixels wide.
    pub fn draw(self, painter: &Painter, middle: Pos2, size: f32, ink: Color32) {
        let unit = size / UNITS;
        let at = |x: f32, y: f32| middle + vec2(x, y) * unit;
        let stroke = Stroke::new((1.5 * unit).max(1.2), ink);
        let line = |points: &[(f32, f32)]| {
            let points: Vec<Pos2> = points.iter().map(|(x, y)| at(*x, *y)).collect();
            painter.add(Shape::line(points, stroke))
        };
        let closed = |points: &[(f32, f32)]| {
            let points: Vec<Pos2> = points.iter().map(|(x, y)| at(*x, *y)).collect();
            painter.add(Shape::closed_line(points, stroke))
        };
        let filled = |points: &[(f32, f32)]| {
            let points: Vec<Pos2> = points.iter().map(|(x, y)| at(*x, *y)).collect();
            painter.add(Shape::convex_polygon(points, ink, Stroke::NONE))
        };
        let ring = |x: f32, y: f32, radius: f32| painter.circle_stroke(at(x, y), radius * unit, stroke);
        let dot = |x: f32, y: f32, radius: f32| painter.circle_filled(at(x, y), radius * unit, ink);
        // Part of a circle, in degrees clockwise from the right.
        let arc = |x: f32, y: f32, radius: f32, from: f32, to: f32| {
            let steps = 18;
            let points = (0..=steps).map(|step| {
                let angle = (from + (to - from) * step as f32 / steps as f32).to_radians();
                at(x, y) + vec2(angle.cos(), angle.sin()) * radius * unit
            });
            painter.add(Shape::line(points.collect(), stroke))
        };
        match self {
            Icon::First | Icon::Back | Icon::Forward | Icon::Last => {
                let way = if matches!(self, Icon::First | Icon::Back) { -1.0 } else { 1.0 };
                filled(&[(-4.0 * way, -6.0), (5.0 * way, 0.0), (-4.0 * way, 6.0)]);
                if matches!(self, Icon::First | Icon::Last) {
                    line(&[(6.6 * way, -6.0), (6.6 * way, 6.0)]);
                }
            }
            Icon::Up => {
                line(&[(-6.0, 3.0), (0.0, -3.0), (6.0, 3.0)]);
            }
            Icon::Down => {
                line(&[(-6.0, -3.0), (0.0, 3.0), (6.0, -3.0)]);
            }
            Icon::Undo | Icon::Redo => {
                let way = if self == Icon::Undo { 1.0 } else { -1.0 };
                line(&[(-2.5 * way, -6.5), (-6.0 * way, -3.0), (-2.5 * way, 0.5)]);
                line(&[(-6.0 * way, -3.0), (2.0 * way, -3.0)]);
                let turn = |angle: f32| if way > 0.0 { angle } else { 180.0 - angle };
                arc(2.0 * way, 1.0, 4.0, turn(-90.0), turn(90.0));
                line(&[(2.0 * way, 5.0), (-3.0 * way, 5.0)]);
            }
            Icon::Hint => {
                arc(0.0, -1.5, 4.8, 130.0, 410.0);
                line(&[(-3.0, 2.3), (-2.2, 4.6), (2.2, 4.6), (3.0, 2.3)]);
                line(&[(-1.8, 7.0), (1.8, 7.0)]);
            }
            Icon::Flip => {
                line(&[(-3.5, 6.0), (-3.5, -6.0)]);
                line(&[(-6.5, -3.0), (-3.5, -6.0), (-0.5, -3.0)]);
                line(&[(3.5, -6.0), (3.5, 6.0)]);
                line(&[(0.5, 3.0), (3.5, 6.0), (6.5, 3.0)]);
            }
            Icon::Resign => {
                line(&[(-5.0, 7.0), (-5.0, -7.0)]);
                closed(&[(-5.0, -6.5), (5.5, -6.5), (2.5, -3.0), (5.5, 0.5), (-5.0, 0.5)]);
            }
            Icon::Menu => {
                for y in [-4.5, 0.0, 4.5] {
                    line(&[(-6.0, y), (6.0, y)]);
                }
            }
            Icon::Leave => {
                line(&[(-1.0, -5.5), (-6.5, 0.0), (-1.0, 5.5)]);
                line(&[(-6.5, 0.0), (6.5, 0.0)]);
            }
            Icon::Swap => {
                line(&[(-6.0, -3.5), (6.0, -3.5)]);
                line(&[(3.0, -6.5), (6.0, -3.5), (3.0, -0.5)]);
                line(&[(6.0, 3.5), (-6.0, 3.5)]);
                line(&[(-3.0, 0.5), (-6.0, 3.5), (-3.0, 6.5)]);
            }
            Icon::Again => {
                arc(0.0, 0.5, 6.0, 5.0, 275.0);
                line(&[(-2.4, -8.6), (0.8, -5.5), (-2.4, -2.4)]);
            }
            Icon::Review => {
                ring(-1.5, -1.5, 4.6);
                line(&[(2.0, 2.0), (6.5, 6.5)]);
            }
            Icon::Settings => {
                for (y, knob) in [(-4.8, 2.5), (0.0, -2.5), (4.8, 1.0)] {
                    line(&[(-6.5, y), (6.5, y)]);
                    dot(knob, y, 2.0);
                }
            }
            Icon::Help => {
                ring(0.0, 0.0, 6.6);
                arc(0.0, -1.6, 2.3, 180.0, 400.0);
                line(&[(1.6, -0.2), (0.0, 1.2), (0.0, 2.2)]);
                dot(0.0, 4.2, 0.9);
            }
            Icon::Records => {
                closed(&[(-6.5, -5.0), (-2.0, -5.0), (-0.5, -3.0), (6.5, -3.0), (6.5, 5.5), (-6.5, 5.5)]);
            }
            Icon::Quit => {
                line(&[(0.0, -6.5), (-5.5, -6.5), (-5.5, 6.5), (0.0, 6.5)]);
                line(&[(-1.5, 0.0), (6.5, 0.0)]);
                line(&[(3.5, -3.0), (6.5, 0.0), (3.5, 3.0)]);
            }
            Icon::Rules => {
                line(&[(0.0, -4.5), (0.0, 6.5)]);
                closed(&[(0.0, -4.5), (-2.5, -6.0), (-6.5, -6.0), (-6.5, 5.0), (-2.5, 5.0), (0.0, 6.5)]);
                closed(&[(0.0, -4.5), (2.5, -6.0), (6.5, -6.0), (6.5, 5.0), (2.5, 5.0), (0.0, 6.5)]);
            }
            Icon::Target => {
                ring(0.0, 0.0, 6.4);
                ring(0.0, 0.0, 3.2);
                dot(0.0, 0.0, 1.1);
            }
            Icon::Shield => {
                closed(&[(0.0, -6.8), (5.8, -4.6), (5.8, 0.6), (3.6, 4.4), (0.0, 6.8), (-3.6, 4.4), (-5.8, 0.6), (-5.8, -4.6)]);
            }
            Icon::Puzzle => {
                filled(&[(-6.5, -2.5), (3.5, -2.5), (3.5, 7.0), (-6.5, 7.0)]);
                dot(-1.5, -3.8, 2.5);
                dot(4.8, 2.2, 2.5);
            }
            Icon::Play => {
                filled(&[(-4.0, -6.5), (6.5, 0.0), (-4.0, 6.5)]);
            }
            Icon::Pause => {
                filled(&[(-4.5, -6.0), (-1.5, -6.0), (-1.5, 6.0), (-4.5, 6.0)]);
                filled(&[(1.5, -6.0), (4.5, -6.0), (4.5, 6.0), (1.5, 6.0)]);
            }
            Icon::Step => {
                filled(&[(-6.0, -6.0), (3.0, 0.0), (-6.0, 6.0)]);
                line(&[(5.5, -6.0), (5.5, 6.0)]);
            }
            Icon::Language => {
                ring(0.0, 0.0, 6.5);
                line(&[(-6.5, 0.0), (6.5, 0.0)]);
                arc(4.2, 0.0, 7.7, 123.0, 237.0);
                arc(-4.2, 0.0, 7.7, -57.0, 57.0);
            }
            Icon::Analysis => {
                line(&[(-6.5, 6.5), (6.5, 6.5)]);
                line(&[(-6.5, 2.5), (-2.5, -2.5), (1.5, 0.5), (6.0, -6.0)]);
            }
            Icon::Truth => {
                line(&[(0.0, -6.5), (0.0, 6.5)]);
                line(&[(-3.0, 6.5), (3.0, 6.5)]);
                line(&[(-5.0, -4.5), (5.0, -4.5)]);
                arc(-5.0, -0.5, 2.4, 0.0, 180.0);
                arc(5.0, -0.5, 2.4, 0.0, 180.0);
                line(&[(-7.4, -0.5), (-5.0, -4.5), (-2.6, -0.5)]);
                line(&[(7.4, -0.5), (5.0, -4.5), (2.6, -0.5)]);
            }
            Icon::Sound => {
                closed(&[(-6.5, -2.2), (-3.5, -2.2), (0.0, -5.5), (0.0, 5.5), (-3.5, 2.2), (-6.5, 2.2)]);
                arc(0.5, 0.0, 3.2, -50.0, 50.0);
                arc(0.5, 0.0, 6.0, -50.0, 50.0);
            }
            Icon::Close => {
                line(&[(-5.0, -5.0), (5.0, 5.0)]);
                line(&[(-5.0, 5.0), (5.0, -5.0)]);
            }
            Icon::Check => {
                line(&[(-6.0, 0.5), (-1.8, 4.7), (6.0, -4.5)]);
            }
            Icon::Players => {
                for way in [-1.0, 1.0] {
                    ring(3.6 * way, -3.2, 2.4);
                    arc(3.6 * way, 6.0, 3.6, 180.0, 360.0);
                }
            }
            Icon::Save => {
                line(&[(0.0, -7.0), (0.0, 2.5)]);
                line(&[(-3.4, -0.9), (0.0, 2.5), (3.4, -0.9)]);
                line(&[(-6.0, 2.0), (-6.0, 6.5), (6.0, 6.5), (6.0, 2.0)]);
            }
            Icon::Share => {
                line(&[(0.0, 3.0), (0.0, -7.0)]);
                line(&[(-3.4, -3.6), (0.0, -7.0), (3.4, -3.6)]);
                line(&[(-3.0, -1.0), (-6.0, -1.0), (-6.0, 6.5), (6.0, 6.5), (6.0, -1.0), (3.0, -1.0)]);
            }
            Icon::New => {
                line(&[(0.0, -6.0), (0.0, 6.0)]);
                line(&[(-6.0, 0.0), (6.0, 0.0)]);
            }
            Icon::Stairs => {
                line(&[(-6.5, 6.0), (-6.5, 2.5), (-2.2, 2.5), (-2.2, -1.5), (2.2, -1.5), (2.2, -5.5), (6.5, -5.5)]);
            }
            Icon::More => {
                for x in [-6.0, 0.0, 6.0] {
                    dot(x, 0.0, 1.8);
                }
            }
            Icon::Edit => {
                closed(&[(-6.5, 6.5), (-5.5, 2.5), (3.5, -6.5), (6.5, -3.5), (-2.5, 5.5)]);
                line(&[(1.3, -4.3), (4.3, -1.3)]);
            }
            Icon::Hand => {
                line(&[(0.0, -7.0), (0.0, 7.0)]);
                line(&[(-7.0, 0.0), (7.0, 0.0)]);
                for way in [-1.0, 1.0] {
                    line(&[(-2.2, -4.8 * way), (0.0, -7.0 * way), (2.2, -4.8 * way)]);
                    line(&[(-4.8 * way, -2.2), (-7.0 * way, 0.0), (-4.8 * way, 2.2)]);
                }
            }
            Icon::Erase => {
                closed(&[(-6.8, 1.8), (0.8, -6.0), (6.4, -0.6), (-1.2, 7.0), (-2.6, 7.0)]);
                line(&[(-3.2, -1.8), (2.4, 3.6)]);
            }
            Icon::Mirror => {
                line(&[(0.0, -7.0), (0.0, 7.0)]);
                closed(&[(-2.6, -4.5), (-2.6, 4.5), (-7.0, 4.5)]);
                closed(&[(2.6, -4.5), (2.6, 4.5), (7.0, 4.5)]);
            }
            Icon::Rotate => {
                arc(0.0, 0.0, 5.4, 190.0, 350.0);
                line(&[(2.4, -2.6), (5.6, -1.0), (6.8, -4.4)]);
                arc(0.0, 0.0, 5.4, 10.0, 170.0);
                line(&[(-2.4, 2.6), (-5.6, 1.0), (-6.8, 4.4)]);
            }
            Icon::Copy => {
                closed(&[(-2.5, -2.5), (6.5, -2.5), (6.5, 6.5), (-2.5, 6.5)]);
                line(&[(-4.5, 2.5), (-6.5, 2.5), (-6.5, -6.5), (2.5, -6.5), (2.5, -4.5)]);
            }
            Icon::Paste => {
                closed(&[(-5.5, -5.5), (5.5, -5.5), (5.5, 6.5), (-5.5, 6.5)]);
                line(&[(-2.2, -5.5), (-2.2, -7.2), (2.2, -7.2), (2.2, -5.5)]);
                line(&[(-2.6, -1.0), (2.6, -1.0)]);
                line(&[(-2.6, 2.4), (2.6, 2.4)]);
            }
            Icon::Tree => {
                dot(0.0, -5.2, 2.1);
                for x in [-5.2, 0.0, 5.2] {
                    line(&[(0.0, -5.0), (x, 4.6)]);
                    dot(x, 5.0, 1.9);
                }
            }
            Icon::Less => {
                line(&[(-6.0, 0.0), (6.0, 0.0)]);
            }
            Icon::Whole => {
                for (x, y) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
                    line(&[(2.6 * x, 6.0 * y), (6.0 * x, 6.0 * y), (6.0 * x, 2.6 * y)]);
                }
            }
            Icon::Draw => {
                line(&[(-6.0, -2.8), (6.0, -2.8)]);
                line(&[(-6.0, 2.8), (6.0, 2.8)]);
            }
            Icon::Results => {
                for (x, top) in [(-5.0, 1.0), (0.0, -2.5), (5.0, -6.5)] {
                    filled(&[(x - 1.6, 6.5), (x - 1.6, top), (x + 1.6, top), (x + 1.6, 6.5)]);
                }
            }
            Icon::Home => {
                line(&[(-7.0, 0.0), (0.0, -6.5), (7.0, 0.0)]);
                line(&[(-4.8, -1.5), (-4.8, 6.5), (4.8, 6.5), (4.8, -1.5)]);
            }
        }
    }

    /// The middle of a drawing of this size that begins at a place on the left.
    pub fn beside(left: f32, y: f32, size: f32) -> Pos2 {
        pos2(left + size / 2.0, y)
    }
}
