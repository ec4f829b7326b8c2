//! Finds texts in egui's output that do not fit: outside the window, outside their box, cut off, or overlapping.

use bevy_egui::egui;
use bevy_egui::egui::epaint::ClippedShape;
use bevy_egui::egui::{Rect, Shape};

/// A visible text.
struct Seen {
    text: String,
    /// How many opaque surfaces were drawn before it.
    over: usize,
    /// The rectangle of its visible part.
    ink: Rect,
    clip: Rect,
    elided: bool,
}

/// The tolerance for rounding, in logical pixels.
const SLACK: f32 = 1.0;

/// The errors of the texts of a frame in a window of this size; empty if there are none.
pub fn faults(shapes: &[ClippedShape], window: Rect) -> Vec<String> {
    let mut texts: Vec<(Seen, Option<Rect>)> = Vec::new();
    // Boxes, each with its visible part and the number of opaque surfaces up to it, and those surfaces: what lies below one of them is not seen there.
    let mut boxes: Vec<(Rect, Rect, usize)> = Vec::new();
    let mut surfaces: Vec<Rect> = Vec::new();
    for (clip, shape) in flat(shapes) {
        match shape {
            Shape::Rect(rect) => {
                let filled = rect.fill.a() > 0;
                let covers = rect.rect.intersect(clip);
                // Shapes that are opaque or dim the whole window hide the shapes below them.
                if filled && covers.contains_rect(window.shrink(2.0)) {
                    texts.clear();
                    boxes.clear();
                } else if rect.fill.a() == 255 {
                    texts.retain(|(seen, _)| !covers.contains_rect(seen.ink.intersect(seen.clip)));
                    surfaces.push(covers);
                }
                if filled || rect.stroke.width > 0.0 {
                    boxes.push((rect.rect, covers, surfaces.len()));
                }
            }
            Shape::Text(text) => {
                let ink = text.galley.mesh_bounds.translate(text.pos.to_vec2());
                let words = text.galley.text().trim().to_owned();
                if words.is_empty() || !ink.is_positive() || !clip.intersects(ink) || text.opacity_factor == 0.0 {
                    continue;
                }
                // The surface the text is on, and what is drawn on it.
                let ground =
                    surfaces.iter().rposition(|surface| surface.contains_rect(ink.intersect(clip))).map_or(0, |at| at + 1);
                let around = |(rect, visible, over): &&(Rect, Rect, usize)| {
                    *over >= ground && visible.contains(ink.center()) && rect.height() > ink.height() * 0.8
                };
                let home = boxes.iter().filter(around).map(|(rect, ..)| *rect).min_by(|a, b| a.area().total_cmp(&b.area()));
                texts.push((Seen { text: words, over: surfaces.len(), ink, clip, elided: text.galley.elided }, home));
            }
            _ => {}
        }
    }
    let mut faults = Vec::new();
    for (seen, home) in &texts {
        let Seen { text, ink, clip, elided, .. } = seen;
        if *elided {
            faults.push(format!("'{text}' is cut off with an ellipsis"));
        }
        if !window.expand(SLACK).contains_rect(ink.intersect(*clip)) {
            faults.push(format!("'{text}' at {ink:?} leaves the window"));
        }
        // Lists scroll vertically only.
        if ink.left() < clip.left() - SLACK || ink.right() > clip.right() + SLACK {
            faults.push(format!("'{text}' at {ink:?} is cut off at {clip:?}"));
        }
        if let Some(home) = home.filter(|home| !home.expand(SLACK).contains_rect(ink.intersect(*clip))) {
            faults.push(format!("'{text}' at {ink:?} overflows its box {home:?}"));
        }
    }
    for (index, (one, _)) in texts.iter().enumerate() {
        for (other, _) in &texts[index + 1..] {
            let both = one.ink.intersect(one.clip).intersect(other.ink.intersect(other.clip));
            let hidden = surfaces[one.over..other.over].iter().any(|surface| surface.contains_rect(both));
            if both.width() > 1.5 && both.height() > 1.5 && !hidden {
                faults.push(format!("'{}' at {:?} lies over '{}' at {:?}", other.text, other.ink, one.text, one.ink));
            }
        }
    }
    faults
}

/// Flattens nested lists of shapes.
/// The texts of a frame, each with the rectangle of its letters.
pub fn seen(shapes: &[ClippedShape]) -> Vec<(String, Rect)> {
    let text = |(_, shape): (Rect, &Shape)| match shape {
        Shape::Text(text) => Some((text.galley.text().trim().to_owned(), text.galley.mesh_bounds.translate(text.pos.to_vec2()))),
        _ => None,
    };
    flat(shapes).into_iter().filter_map(text).collect()
}

fn flat(shapes: &[ClippedShape]) -> Vec<(Rect, &Shape)> {
    fn open<'a>(clip: Rect, shape: &'a Shape, into: &mut Vec<(Rect, &'a Shape)>) {
        match shape {
            Shape::Vec(inner) => inner.iter().for_each(|shape| open(clip, shape, into)),
            other => into.push((clip, other)),
        }
    }
    let mut all = Vec::new();
    shapes.iter().for_each(|clipped| open(clipped.clip_rect, &clipped.shape, &mut all));
    all
}

/// The shapes of one frame of a small window.
fn frame(add: impl Fn(&mut egui::Ui)) -> (Vec<ClippedShape>, Rect) {
    let window = Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(320.0, 200.0));
    let ctx = egui::Context::default();
    let input = || egui::RawInput { screen_rect: Some(window), ..Default::default() };
    let draw = |ui: &mut egui::Ui| add(ui);
    // Fonts are available from the next frame on.
    let font = qiju_core::paint::TEXT_FONT;
    let mut fonts = egui::FontDefinitions::empty();
    fonts.font_data.insert("noto".to_owned(), std::sync::Arc::new(egui::FontData::from_static(font)));
    for family in [egui::FontFamily::Proportional, egui::FontFamily::Monospace] {
        fonts.families.insert(family, vec!["noto".to_owned()]);
    }
    ctx.set_fonts(fonts);
    for _ in 0..2 {
        ctx.run_ui(input(), draw).textures_delta.clear();
    }
    let mut output = ctx.run_ui(input(), draw);
    // The output of this frame is not used.
    output.textures_delta.clear();
    (output.shapes, window)
}

#[test]
fn only_texts_that_do_not_fit_are_reported() {
    let look = |add: &dyn Fn(&mut egui::Ui)| {
        let (shapes, window) = frame(add);
        faults(&shapes, window)
    };
    let boxed = |ui: &egui::Ui, text: &str, width: f32| {
        let rect = Rect::from_min_size(egui::pos2(20.0, 20.0), egui::vec2(width, 28.0));
        ui.painter().rect_filled(rect, 4.0, egui::Color32::DARK_GRAY);
        let font = egui::FontId::proportional(14.0);
        ui.painter().text(rect.center(), egui::Align2::CENTER_CENTER, text, font, egui::Color32::WHITE);
    };
    assert_eq!(look(&|ui| boxed(ui, "Resign", 90.0)), [""; 0]);
    let broken = look(&|ui| boxed(ui, "Resign the match", 90.0));
    assert!(broken.len() == 1 && broken[0].contains("overflows its box"), "{broken:?}");
    let written = |ui: &egui::Ui, x: f32, y: f32| {
        let font = egui::FontId::proportional(14.0);
        ui.painter().text(egui::pos2(x, y), egui::Align2::LEFT_TOP, "a line of text", font, egui::Color32::WHITE);
    };
    let over = look(&|ui| {
        written(ui, 20.0, 20.0);
        written(ui, 40.0, 26.0);
    });
    assert!(over.len() == 1 && over[0].contains("lies over"), "{over:?}");
    let outside = look(&|ui| written(ui, 290.0, 20.0));
    assert!(outside.iter().any(|fault| fault.contains("window") || fault.contains("cut off")), "{outside:?}");
    let elided = look(&|ui| {
        ui.set_width(60.0);
        ui.add(egui::Label::new("a text much longer than its place").truncate());
    });
    assert!(elided.iter().any(|fault| fault.contains("ellipsis")), "{elided:?}");
    // Texts below a menu are hidden.
    let covered = look(&|ui| {
        written(ui, 20.0, 20.0);
        ui.painter().rect_filled(Rect::EVERYTHING, 0.0, egui::Color32::from_black_alpha(120));
        written(ui, 40.0, 26.0);
    });
    assert_eq!(covered, [""; 0]);
}
