//! Sheets of diagrams: text and printed positions laid out on pages of A4.

use super::drawing::{Drawing, Ink};
use super::glyph::{self, Font};
use std::collections::HashMap;
use tiny_skia::Transform;

/// A4 in points.
const WIDTH: f32 = 595.28;
const HEIGHT: f32 = 841.89;
const MARGIN: f32 = 48.0;
/// The width and the lower end of what stands on a page.
const ROOM: f32 = WIDTH - 2.0 * MARGIN;
const BOTTOM: f32 = HEIGHT - 58.0;
/// The space between two diagrams.
const GAP: f32 = 22.0;
/// The largest diagram: alone, and beside another.
const ALONE: (f32, f32) = (340.0, 360.0);
const BESIDE: (f32, f32) = ((ROOM - GAP) / 2.0, 204.0);

/// The size of a text and the distance of its lines.
type Style = (f32, f32);

const TITLE: Style = (17.0, 25.0);
const SMALL: Style = (9.5, 13.5);
const BODY: Style = (10.5, 16.0);

/// A part of a sheet, from top to bottom. A space in a text may end a line, a no-break space may not.
#[derive(Clone, Debug)]
pub enum SheetPart {
    /// A line above the rest, in large type.
    Title(String),
    /// A line below the title.
    Line(String),
    /// A paragraph.
    Text(String),
    /// Diagrams, each with the text below it.
    Diagrams(Vec<(Drawing, String)>),
    /// What follows stands on a page of its own.
    NewPage,
}

/// The pages of a sheet. `number` is written below each: `{}` for the page and `{}` for how many there are.
pub fn sheet(parts: &[SheetPart], number: &str) -> Vec<Drawing> {
    let mut press = Press { pages: Vec::new(), page: Drawing::new(WIDTH, HEIGHT), letters: Letters::new(), y: MARGIN };
    for part in parts {
        match part {
            SheetPart::Title(text) => press.centred(text, TITLE),
            SheetPart::Line(text) => press.centred(text, BODY),
            SheetPart::Text(text) => {
                for line in lines(text, BODY.0, ROOM) {
                    press.line(&line, BODY, MARGIN);
                }
                press.y += BODY.1 / 2.0;
            }
            SheetPart::Diagrams(diagrams) => press.diagrams(diagrams),
            SheetPart::NewPage => press.turn(),
        }
    }
    press.turn();
    let count = press.pages.len().to_string();
    for (index, page) in (1..).zip(&mut press.pages) {
        let text = number.replacen("{}", &index.to_string(), 1).replacen("{}", &count, 1);
        write(&mut press.letters, page, &text, SMALL.0, (WIDTH - width(&text, SMALL.0)) / 2.0, HEIGHT - 30.0);
    }
    press.pages
}

struct Press {
    /// The pages that are full.
    pages: Vec<Drawing>,
    page: Drawing,
    letters: Letters,
    /// The upper edge of what comes next.
    y: f32,
}

impl Press {
    fn turn(&mut self) {
        self.pages.push(std::mem::replace(&mut self.page, Drawing::new(WIDTH, HEIGHT)));
        self.y = MARGIN;
    }

    /// Turns the page if there is not so much room left.
    fn make_room(&mut self, height: f32) {
        if self.y + height > BOTTOM && self.y > MARGIN {
            self.turn();
        }
    }

    fn line(&mut self, text: &str, (size, leading): Style, x: f32) {
        self.make_room(leading);
        let baseline = self.y + size;
        write(&mut self.letters, &mut self.page, text, size, x, baseline);
        self.y += leading;
    }

    fn centred(&mut self, text: &str, style: Style) {
        for line in lines(text, style.0, ROOM) {
            self.line(&line, style, (WIDTH - width(&line, style.0)) / 2.0);
        }
    }

    fn diagrams(&mut self, diagrams: &[(Drawing, String)]) {
        let (most, columns) = if diagrams.len() == 1 { (ALONE, 1) } else { (BESIDE, 2) };
        self.y += GAP / 2.0;
        for row in diagrams.chunks(columns) {
            let set = row.iter().map(|(drawing, text)| {
                let scale = (most.0 / drawing.width).min(most.1 / drawing.height);
                (drawing, scale, lines(text, SMALL.0, most.0))
            });
            let set: Vec<_> = set.collect();
            let tallest = set.iter().map(|(drawing, scale, _)| drawing.height * scale).fold(0.0, f32::max);
            let text = set.iter().map(|(.., lines)| lines.len()).max().unwrap_or(0) as f32 * SMALL.1;
            self.make_room(tallest + text);
            // A single diagram in the middle, two with one middle each.
            let left = (WIDTH - most.0 * columns as f32 - GAP * (columns - 1) as f32) / 2.0;
            let (top, mut middle) = (self.y, left + most.0 / 2.0);
            for (drawing, scale, lines) in set {
                let page = &mut self.page;
                page.place(drawing, middle - drawing.width * scale / 2.0, top + tallest - drawing.height * scale, scale);
                for (line, index) in lines.iter().zip(0_u8..) {
                    let x = middle - width(line, SMALL.0) / 2.0;
                    write(&mut self.letters, page, line, SMALL.0, x, top + tallest + SMALL.1 * (f32::from(index) + 0.8));
                }
                middle += most.0 + GAP;
            }
            self.y += tallest + text + GAP / 2.0;
        }
    }
}

/// The fonts have the characters of the program's own texts; another one, in the name of a player, is a question mark.
fn known(character: char) -> char {
    let character = if character == '\u{a0}' { ' ' } else { character };
    if glyph::advance(character, Font::Text).is_some() { character } else { '?' }
}

/// The width of a text in points.
fn width(text: &str, size: f32) -> f32 {
    text.chars().filter_map(|character| glyph::advance(known(character), Font::Text)).sum::<f32>() * size
}

/// The characters that were written, drawn once with an em of [`EM`].
type Letters = HashMap<char, Drawing>;

const EM: f32 = 1000.0;

/// Writes a text from a point on its baseline.
fn write(letters: &mut Letters, page: &mut Drawing, text: &str, size: f32, mut x: f32, y: f32) {
    for character in text.chars().map(known) {
        let letter = letters.entry(character).or_insert_with(|| {
            let mut letter = Drawing::new(EM, EM);
            let path = glyph::outline(&character.to_string(), Font::Text);
            letter.add(path.and_then(|path| path.transform(Transform::from_scale(EM, EM))), None, Ink::Black);
            letter
        });
        page.place(letter, x, y, size / EM);
        x += glyph::advance(character, Font::Text).unwrap_or(0.0) * size;
    }
}

/// The lines of a text. What is longer than a line without a space, as Chinese is, ends anywhere.
fn lines(text: &str, size: f32, room: f32) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let joined = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
        if width(&joined, size) <= room {
            line = joined;
            continue;
        }
        if !line.is_empty() {
            lines.push(std::mem::take(&mut line));
        }
        for character in word.chars() {
            line.push(character);
            if width(&line, size) > room && line.chars().count() > 1 {
                line.pop();
                lines.push(std::mem::replace(&mut line, character.to_string()));
            }
        }
    }
    lines.extend(Some(line).filter(|line| !line.is_empty()));
    lines
}
