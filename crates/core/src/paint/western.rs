//! Western pictures of the pieces: outlines that are filled or cut out one after the other, from `assets/pieces/western.txt`.

use super::canvas::Coverage;
use std::str::FromStr;
use std::sync::LazyLock;
use tiny_skia::{Path, PathBuilder, Transform};

/// The built-in pictures, by the role's key.
static PICTURES: LazyLock<Vec<(String, Vec<Step>)>> = LazyLock::new(|| {
    read(include_str!("../../assets/pieces/western.txt")).expect("the pictures are part of the program and are tested")
});

/// One step of a picture in a square from -1 to 1, `y` down.
pub(super) struct Step {
    /// Cut out instead of filled.
    pub cut: bool,
    /// The outline is drawn with a pen of this thickness instead of filled.
    pub pen: Option<f32>,
    pub path: Path,
}

/// True if a role has a picture.
pub(super) fn has(role: &str) -> bool {
    PICTURES.iter().any(|(key, _)| key == role)
}

/// The steps of a role's picture around a point (`middle`, `middle`), with `scale` pixels per unit; `None` if it has no picture.
pub(super) fn steps(role: &str, middle: f32, scale: f32) -> Option<impl Iterator<Item = Step>> {
    let (_, steps) = PICTURES.iter().find(|(key, _)| key == role)?;
    let to = Transform::from_row(scale, 0.0, 0.0, scale, middle, middle);
    let moved = move |step: &Step| {
        Some(Step { cut: step.cut, pen: step.pen.map(|pen| pen * scale), path: step.path.clone().transform(to)? })
    };
    Some(steps.iter().filter_map(moved))
}

/// The mask of a role's picture in a square of `size` pixels, with `scale` pixels per unit; `None` if it has
/// no picture.
pub(super) fn picture(role: &str, size: u32, scale: f32) -> Option<Coverage> {
    let mut whole = Coverage::nothing(size, size);
    for step in steps(role, size as f32 / 2.0, scale)? {
        let layer = match step.pen {
            // Thinner lines would make the small picture unclear.
            Some(pen) => Coverage::stroke(&step.path, pen.max(0.7), size, size),
            None => Coverage::of(&step.path, size, size),
        };
        whole = if step.cut { whole.cut(&layer) } else { whole.join(&layer) };
    }
    Some(whole)
}

/// Reads the file of pictures; an error has the line.
fn read(text: &str) -> Result<Vec<(String, Vec<Step>)>, String> {
    let mut pictures: Vec<(String, Vec<Step>)> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let fail = |why: &str| format!("western.txt:{number}: {why}");
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        if !line.starts_with(' ') {
            pictures.push((line.trim().to_owned(), Vec::new()));
            continue;
        }
        let (word, rest) = line.trim().split_once(' ').ok_or_else(|| fail("a step without an outline"))?;
        let (cut, line) = match word {
            "fill" => (false, false),
            "cut" => (true, false),
            "line" => (false, true),
            "cutline" => (true, true),
            _ => return Err(fail("a step is fill, cut, line or cutline")),
        };
        let (pen, outline) = if line {
            let (pen, outline) = rest.split_once(' ').ok_or_else(|| fail("a line without an outline"))?;
            (Some(f32::from_str(pen).map_err(|_| fail("a line's thickness is a number"))?), outline)
        } else {
            (None, rest)
        };
        let path = outline_of(outline).ok_or_else(|| fail("the outline cannot be read"))?;
        let (_, steps) = pictures.last_mut().ok_or_else(|| fail("a step before the first picture"))?;
        steps.push(Step { cut, pen, path });
    }
    Ok(pictures)
}

/// An outline of absolute `M`, `L`, `C` and `Z`.
fn outline_of(text: &str) -> Option<Path> {
    let mut builder = PathBuilder::new();
    let spaced: String = text.chars().flat_map(|c| if c.is_ascii_alphabetic() { vec![' ', c, ' '] } else { vec![c] }).collect();
    let mut words = spaced.split_whitespace();
    while let Some(word) = words.next() {
        let mut number = || words.next().and_then(|word| f32::from_str(word).ok());
        match word {
            "M" => builder.move_to(number()?, number()?),
            "L" => builder.line_to(number()?, number()?),
            "C" => builder.cubic_to(number()?, number()?, number()?, number()?, number()?, number()?),
            "Z" => builder.close(),
            _ => return None,
        }
    }
    builder.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_xiangqi_role_has_a_picture() {
        for role in ["general", "advisor", "elephant", "horse", "chariot", "cannon", "soldier"] {
            assert!(has(role), "{role}");
            let seen = picture(role, 64, 24.0).expect("a picture").share();
            assert!((0.06..0.35).contains(&seen), "{role} covers {seen} of its square");
        }
    }

    #[test]
    fn a_broken_file_names_its_line() {
        for (text, line) in [("  fill M0 0", 1), ("a\n  fill M0 x", 2), ("a\n\n  scratch M0 0", 3), ("a\n  line M 0", 2)] {
            let error = read(text).err().unwrap_or_else(|| panic!("{text:?} was read"));
            assert!(error.starts_with(&format!("western.txt:{line}: ")), "{text:?}: {error}");
        }
    }
}
