//! Characters as outlines: the kai font of the pieces, the text font for the rest.

use std::sync::LazyLock;
use tiny_skia::{Path, PathBuilder, Rect, Transform};
use ttf_parser::{Face, GlyphId, OutlineBuilder};

// The fonts are statics: a constant that another package uses is in the program once more.

/// The font of texts, as a TrueType file: Chinese, and Latin without accents. The window uses it too.
pub static TEXT_FONT: &[u8] = include_bytes!("../../assets/fonts/NotoSansSC-gb1.ttf");
/// Latin letters with their accents, and Cyrillic ones, as an OpenType file.
pub static LATIN_FONT: &[u8] = include_bytes!("../../assets/fonts/NotoSansCJK-latin.otf");
/// The fonts of Japanese, Korean and Chinese in traditional characters, each with its language's code (BCP 47, in small letters), as OpenType files. A page
/// loads the one that it needs.
#[cfg(not(target_arch = "wasm32"))]
pub static MORE_FONTS: [(&str, &[u8]); 3] = [
    ("ja", include_bytes!("../../assets/fonts/NotoSansCJK-ja.otf")),
    ("ko", include_bytes!("../../assets/fonts/NotoSansCJK-ko.otf")),
    ("zh-hant", include_bytes!("../../assets/fonts/NotoSansCJK-zh-hant.otf")),
];
/// None: a page loads the one that it needs.
#[cfg(target_arch = "wasm32")]
pub static MORE_FONTS: [(&str, &[u8]); 0] = [];
const KAI: &[u8] = include_bytes!("../../assets/fonts/BoardKai-Bold-pieces.ttf");

// The workers of a page have no sheets of the user, so they need letters and digits only; the whole font is in the window's module.
#[cfg(not(target_arch = "wasm32"))]
static TEXT: &[u8] = TEXT_FONT;
#[cfg(target_arch = "wasm32")]
static TEXT: &[u8] = include_bytes!("../../assets/fonts/NotoSansSC-ascii.ttf");

/// The font of the pieces, that of texts, and those for what is in neither.
static FACES: LazyLock<Vec<Face<'static>>> = LazyLock::new(|| {
    let fonts = [KAI, TEXT, LATIN_FONT].into_iter().chain(MORE_FONTS.map(|(_, bytes)| bytes));
    fonts.map(|bytes| Face::parse(bytes, 0).expect("the fonts are part of the program and are tested")).collect()
});

/// The font that is tried first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Font {
    /// Kai characters, for pieces and the river.
    Kai,
    /// Text and digits.
    Text,
}

/// A text's outline with an em square of 1, its baseline at 0 and `y` down; `None` if a character is in no
/// font or the outline is empty.
pub(super) fn outline(text: &str, font: Font) -> Option<Path> {
    let mut builder = Outline { path: PathBuilder::new(), scale: 1.0, x: 0.0 };
    for character in text.chars() {
        let (face, id) = found(character, font)?;
        builder.scale = 1.0 / f32::from(face.units_per_em());
        face.outline_glyph(id, &mut builder);
        builder.x += f32::from(face.glyph_hor_advance(id).unwrap_or(0)) * builder.scale;
    }
    builder.path.finish()
}

/// The outline of a character of any font, likewise; `None` if the font does not have it.
pub fn letter(face: &Face, character: char) -> Option<Path> {
    let scale = 1.0 / f32::from(face.units_per_em());
    let mut builder = Outline { path: PathBuilder::new(), scale, x: 0.0 };
    face.outline_glyph(face.glyph_index(character)?, &mut builder)?;
    builder.path.finish()
}

/// The face with a character and the glyph there: of a font, otherwise of the first of the others that has it.
fn found(character: char, font: Font) -> Option<(&'static Face<'static>, GlyphId)> {
    let first = if font == Font::Kai { [0, 1] } else { [1, 0] };
    let order = first.into_iter().chain(2..FACES.len());
    order.into_iter().find_map(|i| Some((&FACES[i], FACES[i].glyph_index(character)?)))
}

/// How far a character moves on, in ems; `None` if it is in no font.
pub(super) fn advance(character: char, font: Font) -> Option<f32> {
    let (face, id) = found(character, font)?;
    Some(f32::from(face.glyph_hor_advance(id).unwrap_or(0)) / f32::from(face.units_per_em()))
}

/// The outline of a text with an em of `size` pixels, its visible part centred at (`x`, `y`).
pub(super) fn centred(text: &str, font: Font, size: f32, x: f32, y: f32, turned: bool) -> Option<Path> {
    let path = outline(text, font)?;
    let seen: Rect = path.compute_tight_bounds()?;
    let (cx, cy) = ((seen.left() + seen.right()) / 2.0, (seen.top() + seen.bottom()) / 2.0);
    let scale = if turned { -size } else { size };
    path.transform(Transform::from_row(scale, 0.0, 0.0, scale, x - cx * scale, y - cy * scale))
}

/// The outline of a text with an em of `size` pixels, its visible part centred horizontally, with its baseline at `y`.
pub(super) fn written(text: &str, font: Font, size: f32, x: f32, y: f32) -> Option<Path> {
    let path = outline(text, font)?;
    let seen = path.compute_tight_bounds()?;
    let cx = (seen.left() + seen.right()) / 2.0;
    path.transform(Transform::from_row(size, 0.0, 0.0, size, x - cx * size, y))
}

struct Outline {
    path: PathBuilder,
    scale: f32,
    x: f32,
}

impl Outline {
    fn place(&self, x: f32, y: f32) -> (f32, f32) {
        (self.x + x * self.scale, -y * self.scale)
    }
}

impl OutlineBuilder for Outline {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.place(x, y);
        self.path.move_to(x, y);
    }
    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.place(x, y);
        self.path.line_to(x, y);
    }
    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.place(x1, y1), self.place(x, y));
        self.path.quad_to(x1, y1, x, y);
    }
    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) = (self.place(x1, y1), self.place(x2, y2), self.place(x, y));
        self.path.cubic_to(x1, y1, x2, y2, x, y);
    }
    fn close(&mut self) {
        self.path.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_small_font_has_the_letters_and_digits_of_the_large_one() {
        let small = include_bytes!("../../assets/fonts/NotoSansSC-ascii.ttf");
        let faces = [TEXT, small].map(|bytes| Face::parse(bytes, 0).unwrap());
        for character in ' '..='~' {
            let [large, small] = faces.each_ref().map(|face| {
                let id = face.glyph_index(character).unwrap();
                let mut outline = Outline { path: PathBuilder::new(), scale: 1.0 / f32::from(face.units_per_em()), x: 0.0 };
                face.outline_glyph(id, &mut outline);
                (outline.path.finish(), face.glyph_hor_advance(id), face.units_per_em())
            });
            assert_eq!(large, small, "{character}");
        }
    }
}
