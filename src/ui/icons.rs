//! The drawings on buttons: lines of one width in a square of sixteen units, in the colour of the text beside them.

use bevy_egui::egui;
use egui::{Color32, Painter, Pos2, Shape, Stroke, pos2, vec2};

/// The drawings as text, the middle of the square at 0,0 and y downwards, parts between bars: `l` a line through points, `c` a closed one, `f` a filled
/// polygon, `o` a ring and `d` a disc (middle, radius), `a` an arc (middle, radius, from and to in degrees clockwise from the right).
macro_rules! icons {
    ($($(#[$doc:meta])* $name:ident $parts:literal,)*) => {
        /// What is drawn on a button.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Icon {
            $($(#[$doc])* $name,)*
        }

        impl Icon {
            #[cfg(test)]
            const ALL: &[Icon] = &[$(Icon::$name),*];

            const fn parts(self) -> &'static str {
                match self {
                    $(Icon::$name => $parts,)*
                }
            }
        }
    };
}

icons! {
    /// To the beginning.
    First "f 4,-6 -5,0 4,6 | l -6.6,-6 -6.6,6",
    /// One back.
    Back "f 4,-6 -5,0 4,6",
    /// One forward.
    Forward "f -4,-6 5,0 -4,6",
    /// To the end.
    Last "f -4,-6 5,0 -4,6 | l 6.6,-6 6.6,6",
    /// Upwards.
    Up "l -6,3 0,-3 6,3",
    /// Downwards.
    Down "l -6,-3 0,3 6,-3",
    /// A move is taken back.
    Undo "l -2.5,-6.5 -6,-3 -2.5,0.5 | l -6,-3 2,-3 | a 2,1 4 -90,90 | l 2,5 -3,5",
    /// It is played again.
    Redo "l 2.5,-6.5 6,-3 2.5,0.5 | l 6,-3 -2,-3 | a -2,1 4 270,90 | l -2,5 3,5",
    /// A good move.
    Hint "a 0,-1.5 4.8 130,410 | l -3,2.3 -2.2,4.6 2.2,4.6 3,2.3 | l -1.8,7 1.8,7",
    /// The board is turned.
    Flip "l -3.5,6 -3.5,-6 | l -6.5,-3 -3.5,-6 -0.5,-3 | l 3.5,-6 3.5,6 | l 0.5,3 3.5,6 6.5,3",
    /// A player gives up.
    Resign "l -5,7 -5,-7 | c -5,-6.5 5.5,-6.5 2.5,-3 5.5,0.5 -5,0.5",
    /// More of it.
    Menu "l -6,-4.5 6,-4.5 | l -6,0 6,0 | l -6,4.5 6,4.5",
    /// To where one came from.
    Leave "l -1,-5.5 -6.5,0 -1,5.5 | l -6.5,0 6.5,0",
    /// The players change sides.
    Swap "l -6,-3.5 6,-3.5 | l 3,-6.5 6,-3.5 3,-0.5 | l 6,3.5 -6,3.5 | l -3,0.5 -6,3.5 -3,6.5",
    /// Once more.
    Again "a 0,0.5 6 5,275 | l -2.4,-8.6 0.8,-5.5 -2.4,-2.4",
    /// What was played is looked at.
    Review "o -1.5,-1.5 4.6 | l 2,2 6.5,6.5",
    /// Settings.
    Settings "l -6.5,-4.8 6.5,-4.8 | d 2.5,-4.8 2 | l -6.5,0 6.5,0 | d -2.5,0 2 | l -6.5,4.8 6.5,4.8 | d 1,4.8 2",
    /// How it works.
    Help "o 0,0 6.6 | a 0,-1.6 2.3 180,400 | l 1.6,-0.2 0,1.2 0,2.2 | d 0,4.2 0.9",
    /// Games that are kept.
    Records "c -6.5,-5 -2,-5 -0.5,-3 6.5,-3 6.5,5.5 -6.5,5.5",
    /// Out of the program.
    Quit "l 0,-6.5 -5.5,-6.5 -5.5,6.5 0,6.5 | l -1.5,0 6.5,0 | l 3.5,-3 6.5,0 3.5,3",
    /// Something that is said.
    Say "c -6.5,-5.2 6.5,-5.2 6.5,2.6 -0.6,2.6 -3.8,5.8 -3.8,2.6 -6.5,2.6",
    /// A letter.
    Letter "c -6.5,-4.8 6.5,-4.8 6.5,4.8 -6.5,4.8 | l -6.5,-4.8 0,1 6.5,-4.8",
    /// Rules.
    Rules "l 0,-4.5 0,6.5 | c 0,-4.5 -2.5,-6 -6.5,-6 -6.5,5 -2.5,5 0,6.5 | c 0,-4.5 2.5,-6 6.5,-6 6.5,5 2.5,5 0,6.5",
    /// Exercises.
    Target "o 0,0 6.4 | o 0,0 3.2 | d 0,0 1.1",
    /// Defence.
    Shield "c 0,-6.8 5.8,-4.6 5.8,0.6 3.6,4.4 0,6.8 -3.6,4.4 -5.8,0.6 -5.8,-4.6",
    /// Puzzles.
    Puzzle "f -6.5,-2.5 3.5,-2.5 3.5,7 -6.5,7 | d -1.5,-3.8 2.5 | d 4.8,2.2 2.5",
    /// Against time.
    Clock "o 0,0 6.6 | l 0,-4 0,0 2.8,1.8",
    /// It goes on.
    Play "f -4,-6.5 6.5,0 -4,6.5",
    /// It waits.
    Pause "f -4.5,-6 -1.5,-6 -1.5,6 -4.5,6 | f 1.5,-6 4.5,-6 4.5,6 1.5,6",
    /// One step.
    Step "f -6,-6 3,0 -6,6 | l 5.5,-6 5.5,6",
    /// The other language.
    Language "o 0,0 6.5 | l -6.5,0 6.5,0 | a 4.2,0 7.7 123,237 | a -4.2,0 7.7 -57,57",
    /// What an engine thinks.
    Analysis "l -6.5,6.5 6.5,6.5 | l -6.5,2.5 -2.5,-2.5 1.5,0.5 6,-6",
    /// What is certain.
    Truth "l 0,-6.5 0,6.5 | l -3,6.5 3,6.5 | l -5,-4.5 5,-4.5 | a -5,-0.5 2.4 0,180 | a 5,-0.5 2.4 0,180 | l -7.4,-0.5 -5,-4.5 -2.6,-0.5 | l 7.4,-0.5 5,-4.5 2.6,-0.5",
    /// Sound.
    Sound "c -6.5,-2.2 -3.5,-2.2 0,-5.5 0,5.5 -3.5,2.2 -6.5,2.2 | a 0.5,0 3.2 -50,50 | a 0.5,0 6 -50,50",
    /// Away with it.
    Close "l -5,-5 5,5 | l -5,5 5,-5",
    /// Yes.
    Check "l -6,0.5 -1.8,4.7 6,-4.5",
    /// Two players.
    Players "o -3.6,-3.2 2.4 | a -3.6,6 3.6 180,360 | o 3.6,-3.2 2.4 | a 3.6,6 3.6 180,360",
    /// Kept.
    Save "l 0,-7 0,2.5 | l -3.4,-0.9 0,2.5 3.4,-0.9 | l -6,2 -6,6.5 6,6.5 6,2",
    /// A new one.
    New "l 0,-6 0,6 | l -6,0 6,0",
    /// To the title.
    Home "l -7,0 0,-6.5 7,0 | l -4.8,-1.5 -4.8,6.5 4.8,6.5 4.8,-1.5",
    /// A menu of more.
    More "d -6,0 1.8 | d 0,0 1.8 | d 6,0 1.8",
    /// To others.
    Share "l 0,3 0,-7 | l -3.4,-3.6 0,-7 3.4,-3.6 | l -3,-1 -6,-1 -6,6.5 6,6.5 6,-1 3,-1",
    /// Set up by hand.
    Edit "c -6.5,6.5 -5.5,2.5 3.5,-6.5 6.5,-3.5 -2.5,5.5 | l 1.3,-4.3 4.3,-1.3",
    /// Moved by hand.
    Hand "l 0,-7 0,7 | l -7,0 7,0 | l -2.2,4.8 0,7 2.2,4.8 | l 4.8,-2.2 7,0 4.8,2.2 | l -2.2,-4.8 0,-7 2.2,-4.8 | l -4.8,-2.2 -7,0 -4.8,2.2",
    /// Taken away.
    Erase "c -6.8,1.8 0.8,-6 6.4,-0.6 -1.2,7 -2.6,7 | l -3.2,-1.8 2.4,3.6",
    /// Left and right swapped.
    Mirror "l 0,-7 0,7 | c -2.6,-4.5 -2.6,4.5 -7,4.5 | c 2.6,-4.5 2.6,4.5 7,4.5",
    /// Turned by half.
    Rotate "a 0,0 5.4 190,350 | l 2.4,-2.6 5.6,-1 6.8,-4.4 | a 0,0 5.4 10,170 | l -2.4,2.6 -5.6,1 -6.8,4.4",
    /// As a text.
    Copy "c -2.5,-2.5 6.5,-2.5 6.5,6.5 -2.5,6.5 | l -4.5,2.5 -6.5,2.5 -6.5,-6.5 2.5,-6.5 2.5,-4.5",
    /// From a text.
    Paste "c -5.5,-5.5 5.5,-5.5 5.5,6.5 -5.5,6.5 | l -2.2,-5.5 -2.2,-7.2 2.2,-7.2 2.2,-5.5 | l -2.6,-1 2.6,-1 | l -2.6,2.4 2.6,2.4",
    /// A search tree.
    Tree "d 0,-5.2 2.1 | l 0,-5 -5.2,4.6 | d -5.2,5 1.9 | l 0,-5 0,4.6 | d 0,5 1.9 | l 0,-5 5.2,4.6 | d 5.2,5 1.9",
    /// Smaller, or less.
    Less "l -6,0 6,0",
    /// All of it at once.
    Whole "l -2.6,-6 -6,-6 -6,-2.6 | l 2.6,-6 6,-6 6,-2.6 | l 2.6,6 6,6 6,2.6 | l -2.6,6 -6,6 -6,2.6",
    /// Neither side wins.
    Draw "l -6,-2.8 6,-2.8 | l -6,2.8 6,2.8",
    /// The player's results.
    Results "f -6.6,6.5 -6.6,1 -3.4,1 -3.4,6.5 | f -1.6,6.5 -1.6,-2.5 1.6,-2.5 1.6,6.5 | f 3.4,6.5 3.4,-6.5 6.6,-6.5 6.6,6.5",
    /// First steps: one after the other, upwards.
    Stairs "l -6.5,6 -6.5,2.5 -2.2,2.5 -2.2,-1.5 2.2,-1.5 2.2,-5.5 6.5,-5.5",
}

/// The side of the square the drawings are made in.
const UNITS: f32 = 16.0;
/// The pieces of an arc.
const STEPS: usize = 18;

/// The kind of a part and its numbers.
fn part(text: &str) -> (&str, Vec<f32>) {
    let (kind, numbers) = text.trim().split_at(1);
    (kind, numbers.split([' ', ',']).filter_map(|number| number.parse().ok()).collect())
}

impl Icon {
    /// Draws it around a place, `size` pixels wide.
    pub fn draw(self, painter: &Painter, middle: Pos2, size: f32, ink: Color32) {
        let unit = size / UNITS;
        let at = |x: f32, y: f32| middle + vec2(x, y) * unit;
        let stroke = Stroke::new((1.5 * unit).max(1.2), ink);
        for (kind, numbers) in self.parts().split('|').map(part) {
            let points = || numbers.chunks_exact(2).map(|pair| at(pair[0], pair[1])).collect();
            painter.add(match (kind, &numbers[..]) {
                ("l", _) => Shape::line(points(), stroke),
                ("c", _) => Shape::closed_line(points(), stroke),
                ("f", _) => Shape::convex_polygon(points(), ink, Stroke::NONE),
                ("o", [x, y, radius]) => Shape::circle_stroke(at(*x, *y), radius * unit, stroke),
                ("d", [x, y, radius]) => Shape::circle_filled(at(*x, *y), radius * unit, ink),
                ("a", [x, y, radius, from, to]) => {
                    let points = (0..=STEPS).map(|step| {
                        let angle = (from + (to - from) * step as f32 / STEPS as f32).to_radians();
                        at(*x, *y) + vec2(angle.cos(), angle.sin()) * *radius * unit
                    });
                    Shape::line(points.collect(), stroke)
                }
                _ => continue,
            });
        }
    }

    /// The middle of a drawing of this size that begins at a place on the left.
    pub fn beside(left: f32, y: f32, size: f32) -> Pos2 {
        pos2(left + size / 2.0, y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_is_drawn_and_inside_the_square() {
        for icon in Icon::ALL {
            for text in icon.parts().split('|') {
                let (kind, numbers) = part(text);
                let written = text.split([' ', ',']).filter(|word| !word.is_empty()).count() - 1;
                let fits = match kind {
                    "l" | "c" | "f" => numbers.len() >= 4 && numbers.len().is_multiple_of(2),
                    "o" | "d" => numbers.len() == 3,
                    "a" => numbers.len() == 5,
                    _ => false,
                };
                assert!(fits && numbers.len() == written, "{icon:?}: {text}");
                let places = if kind == "a" { &numbers[..2] } else { &numbers[..] };
                assert!(places.iter().all(|number| number.abs() <= UNITS * 0.55), "{icon:?}: {text}");
            }
        }
    }
}
