//! Compares pictures by region: each is saved as a thumbnail whose pixels are the means of small squares.

use super::stage::Size;
use qiju_core::paint::Picture;
use std::path::{Path, PathBuf};

/// The side of a region, in logical pixels.
const REGION: f32 = 24.0;
/// The allowed difference of a region in any colour, of 255: drivers round differently, but a moved text changes far more.
const TOLERANCE: i32 = 9;

/// The means of a picture's regions.
pub fn of(picture: &Picture, size: Size) -> Picture {
    let side = REGION * size.scale;
    let count = |pixels: u32| (pixels as f32 / side).ceil() as u32;
    let (width, height) = (count(picture.width), count(picture.height));
    let mut rgba = Vec::with_capacity((width * height * 4) as usize);
    for row in 0..height {
        for column in 0..width {
            let span = |index: u32, end: u32| ((index as f32 * side) as u32)..(((index + 1) as f32 * side) as u32).min(end);
            let mut sum = [0_u64; 3];
            let mut pixels = 0;
            for y in span(row, picture.height) {
                for x in span(column, picture.width) {
                    let pixel = picture.pixel(x, y);
                    (0..3).for_each(|i| sum[i] += u64::from(pixel[i]));
                    pixels += 1;
                }
            }
            rgba.extend(sum.map(|sum| (sum / pixels.max(1)) as u8));
            rgba.push(255);
        }
    }
    Picture { width, height, rgba }
}

/// The path of the thumbnail with this name.
pub fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/screens").join(format!("{name}.png"))
}

/// The differences between a thumbnail and the saved one: places in the window, largest first.
pub fn differences(seen: &Picture, kept: &Picture) -> Vec<String> {
    if (seen.width, seen.height) != (kept.width, kept.height) {
        return vec![format!("{} by {} regions, kept are {} by {}", seen.width, seen.height, kept.width, kept.height)];
    }
    let mut wrong: Vec<(i32, String)> = Vec::new();
    for y in 0..seen.height {
        for x in 0..seen.width {
            let (a, b) = (seen.pixel(x, y), kept.pixel(x, y));
            let away = (0..3).map(|i| (i32::from(a[i]) - i32::from(b[i])).abs()).max().unwrap_or(0);
            if away > TOLERANCE {
                let at = (x as f32 * REGION, y as f32 * REGION);
                wrong.push((away, format!("at {at:?} by {away}: {:?}, kept is {:?}", &a[..3], &b[..3])));
            }
        }
    }
    wrong.sort_by_key(|(away, _)| -away);
    wrong.into_iter().map(|(_, text)| text).collect()
}

pub fn save(picture: &Picture, path: &Path) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let mut map = tiny_skia::Pixmap::new(picture.width, picture.height).unwrap();
    map.data_mut().copy_from_slice(&picture.rgba);
    map.save_png(path).unwrap();
}

pub fn load(path: &Path) -> Result<Picture, String> {
    let map = tiny_skia::Pixmap::load_png(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(Picture { width: map.width(), height: map.height(), rgba: map.data().to_vec() })
}

#[test]
fn a_small_difference_is_accepted_and_a_moved_text_is_not() {
    let size = Size::new(96, 48, 1.0);
    let paper = |ink: &dyn Fn(u32, u32) -> u8| {
        let rgba = (0..96 * 48).flat_map(|i| [ink(i % 96, i / 96); 3].into_iter().chain([255])).collect();
        of(&Picture { width: 96, height: 48, rgba }, size)
    };
    let blank = paper(&|_, _| 40);
    assert_eq!((blank.width, blank.height), (4, 2));
    assert_eq!(differences(&paper(&|_, _| 44), &blank), [""; 0]);
    // The area of one character.
    let written = paper(&|x, y| if (30..42).contains(&x) && (10..22).contains(&y) && (x + y) % 3 == 0 { 230 } else { 40 });
    let seen = differences(&written, &blank);
    assert!(seen.len() == 1 && seen[0].starts_with("at (24.0, 0.0)"), "{seen:?}");
}
