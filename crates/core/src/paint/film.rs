//! Pictures as files: PNG, and animated GIF with one palette for the whole game.

use super::canvas::Picture;
use crate::message;
use crate::message::Message;
use color_quant::NeuQuant;
use gif::{DisposalMethod, Encoder, Frame, Repeat};
use std::collections::HashMap;
use std::io::Write;

/// The numbers of pixels and of pictures from which the palette is computed.
const SAMPLES: usize = 400_000;
/// The sampling factor of the palette, from 1 (all pixels) to 30.
const FINENESS: i32 = 6;

/// Encodes a picture as PNG.
///
/// # Errors
/// It has no pixels.
pub fn png(picture: &Picture) -> Result<Vec<u8>, Message> {
    let mut map = tiny_skia::Pixmap::new(picture.width, picture.height).ok_or(message!("a picture without pixels"))?;
    for (pixel, bytes) in map.pixels_mut().iter_mut().zip(picture.rgba.chunks_exact(4)) {
        *pixel = tiny_skia::ColorU8::from_rgba(bytes[0], bytes[1], bytes[2], bytes[3]).premultiply();
    }
    map.encode_png().map_err(|error| not_written(error.to_string()))
}

fn not_written(why: String) -> Message {
    message!("the picture cannot be written: {}", why)
}

/// An animated GIF that is written picture by picture. All pictures have the same size; only the difference to the previous one is stored.
pub struct Film<W: Write> {
    encoder: Encoder<W>,
    colours: NeuQuant,
    known: HashMap<[u8; 3], u8>,
    before: Option<Picture>,
}

impl<W: Write> Film<W> {
    /// A new animation that repeats forever. The palette is computed from `examples`, pictures with all colours of the animation.
    ///
    /// # Errors
    /// The picture is too large for a GIF, or the file cannot be written.
    pub fn new(out: W, examples: &[&Picture]) -> Result<Film<W>, Message> {
        let first = examples.first().ok_or(message!("an animation needs a picture"))?;
        let side = |pixels: u32| u16::try_from(pixels).map_err(|_| message!("a GIF may be at most 65535 pixels wide and high"));
        let (width, height) = (side(first.width)?, side(first.height)?);
        let all: usize = examples.iter().map(|picture| picture.rgba.len() / 4).sum();
        let step = (all / SAMPLES).max(1);
        let samples: Vec<u8> =
            examples.iter().flat_map(|picture| picture.rgba.chunks_exact(4).step_by(step)).flatten().copied().collect();
        let colours = NeuQuant::new(FINENESS, 256, &samples);
        let palette: Vec<u8> = colours.color_map_rgb();
        let mut encoder = Encoder::new(out, width, height, &palette).map_err(|error| not_written(error.to_string()))?;
        encoder.set_repeat(Repeat::Infinite).map_err(|error| not_written(error.to_string()))?;
        Ok(Film { encoder, colours, known: HashMap::new(), before: None })
    }

    /// Adds a picture that is shown for this many milliseconds.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn add(&mut self, picture: &Picture, ms: u32) -> Result<(), Message> {
        let (left, top, width, height) =
            self.before.as_ref().map_or((0, 0, picture.width, picture.height), |before| changed(before, picture));
        let mut buffer = Vec::with_capacity(width as usize * height as usize);
        for y in top..top + height {
            for x in left..left + width {
                let [r, g, b, _] = picture.pixel(x, y);
                let colours = &self.colours;
                let index = *self.known.entry([r, g, b]).or_insert_with(|| colours.index_of(&[r, g, b, 255]) as u8);
                buffer.push(index);
            }
        }
        let frame = Frame {
            left: left as u16,
            top: top as u16,
            width: width as u16,
            height: height as u16,
            // In hundredths of a second.
            delay: (ms / 10).min(u32::from(u16::MAX)) as u16,
            dispose: DisposalMethod::Keep,
            buffer: buffer.into(),
            ..Frame::default()
        };
        self.before = Some(picture.clone());
        self.encoder.write_frame(&frame).map_err(|error| not_written(error.to_string()))
    }
}

/// The rectangle in which two pictures differ, at least one pixel: left, top, width, height.
fn changed(before: &Picture, after: &Picture) -> (u32, u32, u32, u32) {
    let (mut left, mut top, mut right, mut bottom) = (after.width, after.height, 0, 0);
    let pairs = before.rgba.chunks_exact(4).zip(after.rgba.chunks_exact(4)).enumerate();
    for (index, _) in pairs.filter(|(_, (a, b))| a != b) {
        let (x, y) = (index as u32 % after.width, index as u32 / after.width);
        (left, top, right, bottom) = (left.min(x), top.min(y), right.max(x), bottom.max(y));
    }
    if left > right { (0, 0, 1, 1) } else { (left, top, right - left + 1, bottom - top + 1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(colour: [u8; 3]) -> Picture {
        let mut picture = Picture::clear(20, 10);
        picture.rgba.chunks_exact_mut(4).for_each(|pixel| pixel.copy_from_slice(&[colour[0], colour[1], colour[2], 255]));
        picture
    }

    #[test]
    fn only_what_changes_is_stored() {
        let first = plain([10, 20, 30]);
        let mut second = first.clone();
        let at = (4 * 20 + 7) * 4;
        second.rgba[at..at + 4].copy_from_slice(&[200, 100, 0, 255]);
        assert_eq!(changed(&first, &second), (7, 4, 1, 1));
        assert_eq!(changed(&first, &first), (0, 0, 1, 1));
        let mut bytes = Vec::new();
        let mut film = Film::new(&mut bytes, &[&first, &second]).unwrap();
        film.add(&first, 1000).unwrap();
        film.add(&second, 3000).unwrap();
        drop(film);
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut reader = options.read_info(&bytes[..]).unwrap();
        let sizes: Vec<(u16, u16, u16)> =
            std::iter::from_fn(|| reader.read_next_frame().unwrap().map(|frame| (frame.width, frame.height, frame.delay)))
                .collect();
        assert_eq!(sizes, [(20, 10, 100), (1, 1, 300)]);
    }

    #[test]
    fn a_png_is_a_png() {
        assert!(png(&plain([1, 2, 3])).unwrap().starts_with(b"\x89PNG"));
    }
}
