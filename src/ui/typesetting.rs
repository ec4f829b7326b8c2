//! Where the lines of Chinese and Japanese texts end: no line begins with a closing mark or ends with an opening one, and no move is torn.
//!
//! egui ends a line behind any Chinese character, so texts with several lines are broken here, by the rules of Chinese print (W3C,
//! Requirements for Chinese Text Layout). Texts without Chinese characters are left to egui.

use bevy_egui::egui;
use egui::text::{LayoutJob, TextWrapping};
use egui::{Align, Color32, FontId, FontSelection, Galley, Painter, Response, RichText, TextWrapMode, Ui, WidgetText};
use std::ops::Range;
use std::sync::Arc;

/// Marks that begin no line.
const CLOSING: &str = "，。、；：！？）》\u{300D}\u{300F}】\u{3015}”’…—·,.;:!?)]}%\u{30FC}\u{3041}\u{3043}\u{3045}\u{3047}\u{3049}\u{3063}\u{3083}\u{3085}\u{3087}\u{30A1}\u{30A3}\u{30A5}\u{30A7}\u{30A9}\u{30C3}\u{30E3}\u{30E5}\u{30E7}\u{3005}\u{30FB}\u{309D}\u{309E}\u{30FD}\u{30FE}\u{301C}\u{FF5E}\u{308E}\u{30EE}\u{30F5}\u{30F6}";
/// Marks that end no line.
const OPENING: &str = "（《\u{300C}\u{300E}【\u{3014}“‘([{";

/// Text that is broken into lines as in print.
pub trait Prose {
    /// A label.
    fn prose(&mut self, text: impl Into<RichText>) -> Response;
}

impl Prose for Ui {
    fn prose(&mut self, text: impl Into<RichText>) -> Response {
        let text = WidgetText::from(text.into());
        let wraps = self.wrap_mode() == TextWrapMode::Wrap && !self.layout().main_wrap();
        if !wraps || !text.text().chars().any(is_wide) {
            return self.label(text);
        }
        let mut job = LayoutJob::clone(&text.into_layout_job(self.style(), FontSelection::Default, Align::Center));
        job.wrap.max_width = self.available_width();
        job.halign = self.layout().horizontal_placement();
        let galley = set(self.painter(), job);
        self.label(galley)
    }
}

/// A text that is shown while the pointer rests on something.
pub trait Tip {
    /// Shows the text beside the pointer.
    fn tip(self, text: impl Into<RichText>) -> Response;
}

impl Tip for Response {
    fn tip(self, text: impl Into<RichText>) -> Response {
        self.on_hover_ui(|ui| {
            ui.set_max_width(ui.spacing().tooltip_width);
            ui.prose(text);
        })
    }
}

/// A text in lines of at most this width.
pub fn in_lines(ui: &Ui, text: impl Into<String>, font: FontId, ink: Color32, width: f32) -> Arc<Galley> {
    set(ui.painter(), LayoutJob::simple(text.into(), font, ink, width))
}

/// Lays out a text of one format.
pub fn set(painter: &Painter, job: LayoutJob) -> Arc<Galley> {
    let lay = |job| painter.layout_job(job);
    let Some(format) = job.sections.first().map(|section| section.format.clone()) else { return lay(job) };
    if job.wrap.max_rows == 1 || !job.text.chars().any(is_wide) {
        return lay(job);
    }
    let line = |text: &str| {
        let line = LayoutJob::single_section(text.to_owned(), format.clone());
        lay(LayoutJob { halign: job.halign, ..line })
    };
    let mut lines: Vec<(Arc<Galley>, bool)> = Vec::new();
    for paragraph in job.text.split('\n') {
        let whole = line(paragraph);
        let pieces = pieces(paragraph);
        let widths: Vec<(f32, f32)> =
            whole.rows.iter().flat_map(|row| &row.glyphs).map(|glyph| (glyph.pos.x, glyph.max_x())).collect();
        let rows = fill(&pieces, &widths, job.wrap.max_width);
        if rows.is_empty() {
            lines.push((whole, true));
        }
        for (index, row) in rows.iter().enumerate() {
            let left = job.wrap.max_rows.saturating_sub(lines.len());
            let is_last = index + 1 == rows.len();
            if left == 1 && !is_last {
                // What does not fit is cut in the last line.
                let mut cut = LayoutJob::single_section(slice(paragraph, row.start..usize::MAX).to_owned(), format.clone());
                cut.wrap = TextWrapping { max_rows: 1, break_anywhere: true, ..job.wrap.clone() };
                lines.push((lay(LayoutJob { halign: job.halign, ..cut }), true));
                break;
            }
            lines.push((line(slice(paragraph, row.clone())), is_last));
        }
    }
    if lines.len() <= 1 {
        return lay(job);
    }
    let (lines, ends): (Vec<Arc<Galley>>, Vec<bool>) = lines.into_iter().unzip();
    let mut galley = Galley::concat(Arc::new(job), &lines, painter.ctx().pixels_per_point());
    // Only the end of a paragraph is a character of the text.
    let last = ends.len() - 1;
    for (index, (row, ends)) in galley.rows.iter_mut().zip(ends).enumerate() {
        row.ends_with_newline = ends && index < last;
    }
    Arc::new(galley)
}

fn slice(text: &str, chars: Range<usize>) -> &str {
    let byte = |at: usize| text.char_indices().nth(at).map_or(text.len(), |(byte, _)| byte);
    &text[byte(chars.start)..byte(chars.end)]
}

/// Chinese characters and marks, which are as wide as they are high.
fn is_wide(letter: char) -> bool {
    matches!(letter, '\u{2E80}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{FF01}'..='\u{FF60}') || "“”‘’…—".contains(letter)
}

/// True if a Chinese move (`炮二平五`, `前车进一`) begins here.
fn is_move(letters: &[char]) -> bool {
    const NUMBERS: &str = "一二三四五六七八九１２３４５６７８９123456789";
    const PIECES: &str = "帅帥将將仕士相象马馬车車炮兵卒";
    let [first, second, way, last, ..] = letters else { return false };
    let named = PIECES.contains(*first) && NUMBERS.contains(*second);
    let doubled = ("前中后\u{5F8C}".contains(*first) || NUMBERS.contains(*first)) && PIECES.contains(*second);
    (named || doubled) && "进\u{9032}退平".contains(*way) && NUMBERS.contains(*last)
}

/// The ends of the pieces of a text that stay whole, as numbers of characters.
fn pieces(text: &str) -> Vec<usize> {
    let letters: Vec<char> = text.chars().collect();
    let mut ends = Vec::new();
    let mut moves_end = 0;
    for at in 1..letters.len() {
        if is_move(&letters[at - 1..]) {
            moves_end = moves_end.max(at + 3);
        }
        let (before, after) = (letters[at - 1], letters[at]);
        let space = before.is_whitespace() && !after.is_whitespace();
        let wide = (is_wide(before) || is_wide(after)) && !after.is_whitespace() && !before.is_ascii_digit();
        if (space || wide) && at >= moves_end && !CLOSING.contains(after) && !OPENING.contains(before) {
            ends.push(at);
        }
    }
    ends.push(letters.len());
    ends
}

/// Fills lines with pieces. `widths` are the left and the right edge of each character. A piece that is wider than a line is broken anywhere.
fn fill(ends: &[usize], widths: &[(f32, f32)], width: f32) -> Vec<Range<usize>> {
    let mut lines = Vec::new();
    let (mut begin, mut fits) = (0, 0);
    let wide = |from: usize, to: usize| {
        to > from && widths.get(from).zip(widths.get(to - 1)).is_some_and(|(a, b)| b.1 - a.0 > width + 0.01)
    };
    for &end in ends {
        if wide(begin, end) && fits > begin {
            lines.push(begin..fits);
            begin = fits;
        }
        while wide(begin, end) {
            let most = (begin + 1..end).take_while(|to| !wide(begin, *to)).last().unwrap_or(begin + 1);
            lines.push(begin..most);
            begin = most;
        }
        fits = end;
    }
    if fits > begin {
        lines.push(begin..fits);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::words::Language;
    use crate::ui::style::{BODY, SMALL, fonts};
    use qiju_core::games::REGISTRY;
    use qiju_core::table::Text;

    /// All Chinese texts that the window may show on several lines.
    fn texts() -> Vec<String> {
        let mut texts: Vec<String> = Vec::new();
        let read = Language::Zh.read().unwrap();
        texts.extend(read.window.values().chain(read.core.values()).map(|text| text.replace("{}", "炮二平五")));
        for entry in REGISTRY {
            let sheet = entry.sheet().unwrap();
            let mut add = |text: &Text| texts.push(text.zh.clone());
            [&sheet.about, &sheet.rules].into_iter().for_each(&mut add);
            sheet.variants.iter().for_each(|variant| add(&variant.note));
            for task in entry.first_steps().unwrap().tasks {
                [&task.title, &task.text, &task.done].into_iter().for_each(&mut add);
            }
        }
        let experiments = include_str!("../../crates/core/assets/laboratory/experiments.ron");
        texts.extend(experiments.split('"').skip(1).step_by(2).filter(|text| text.chars().any(is_wide)).map(str::to_owned));
        texts
    }

    #[test]
    fn no_line_of_a_chinese_text_begins_or_ends_with_a_wrong_mark() {
        let texts = texts();
        assert!(texts.len() > 1000, "{}", texts.len());
        let ctx = egui::Context::default();
        ctx.set_fonts(fonts(Language::Zh));
        let mut broken = 0;
        // The fonts are there from the second pass on.
        for pass in 0..2 {
            let _ = ctx.run_ui(egui::RawInput::default(), |ui| {
                for text in texts.iter().filter(|_| pass > 0) {
                    for (size, width) in [(SMALL, 150.0), (SMALL, 236.0), (BODY, 180.0), (BODY, 321.0), (BODY, 600.0)] {
                        let galley = in_lines(ui, text, FontId::proportional(size), Color32::WHITE, width);
                        assert_eq!(galley.text(), text);
                        let rows: Vec<String> =
                            galley.rows.iter().map(|row| row.glyphs.iter().map(|glyph| glyph.chr).collect()).collect();
                        broken += rows.len() - 1;
                        let ends = galley.rows.iter().map(|row| row.ends_with_newline);
                        let count: usize = galley.rows.iter().map(|row| row.char_count_including_newline().0).sum();
                        assert_eq!(count, text.chars().count(), "{text}");
                        for ((row, next), ends) in rows.iter().zip(&rows[1..]).zip(ends) {
                            let (last, first) = (row.trim_end().chars().last(), next.chars().next());
                            let torn = last.zip(first).is_some_and(|(last, first)| {
                                let joined: Vec<char> = row.chars().chain(next.chars()).collect();
                                let cut = row.chars().count();
                                let tears = |at: usize| is_move(&joined[at..]) && at < cut && at + 4 > cut;
                                CLOSING.contains(first) || OPENING.contains(last) || (cut.saturating_sub(3)..cut).any(tears)
                            });
                            assert!(ends || !torn, "{width}: {row} | {next}");
                        }
                        for row in &galley.rows {
                            assert!(row.size.x <= width + 8.0, "{width}: {}", row.size.x);
                        }
                    }
                }
            });
        }
        assert!(broken > 1000, "{broken}");
    }

    /// Each line ends where it may by Unicode's rules (UAX #14), or by those of Chinese print beside “quotation marks” and before a wide bracket; else its
    /// only word is too long for it.
    #[test]
    fn lines_end_where_they_may_in_each_language() {
        for language in Language::ALL {
            let read = language.read().unwrap();
            let mut texts: Vec<&String> = read.window.values().chain(read.core.values()).collect();
            let english = Language::Ja.read().unwrap();
            texts.extend(english.core.keys().filter(|_| language == Language::En));
            let wide = [Language::Zh, Language::ZhHant, Language::Ja].contains(&language);
            let samples = [if wide { "炮二平五" } else { "C2=5" }, "12"];
            let ctx = egui::Context::default();
            ctx.set_fonts(fonts(language));
            let (mut breaks, mut faults) = (0, Vec::new());
            for pass in 0..2 {
                let _ = ctx.run_ui(egui::RawInput::default(), |ui| {
                    let filled = texts.iter().flat_map(|text| samples.map(|sample| text.replace("{}", sample)));
                    for text in filled.filter(|_| pass > 0) {
                        let allowed: Vec<usize> = unicode_linebreak::linebreaks(&text).map(|(at, _)| at).collect();
                        for (size, width) in [(SMALL, 150.0), (SMALL, 236.0), (BODY, 180.0), (BODY, 321.0), (BODY, 600.0)] {
                            let galley = in_lines(ui, &text, FontId::proportional(size), Color32::WHITE, width);
                            let mut end = 0;
                            for row in &galley.rows {
                                let from = end;
                                end += slice(&text[from..], 0..row.char_count_including_newline().0).len();
                                if end == text.len() || row.ends_with_newline {
                                    continue;
                                }
                                breaks += 1;
                                let (line, after) = (text[from..end].trim(), text[end..].trim_start());
                                let marked = line.ends_with('”') || after.starts_with(['“', '（']);
                                let one_word = !line.contains(|letter: char| letter.is_whitespace() || is_wide(letter));
                                if !(allowed.contains(&end) || one_word || wide && marked) {
                                    faults.push(format!("{width}: {line} | {after}"));
                                }
                            }
                        }
                    }
                });
            }
            assert!(breaks > 1000 && faults.is_empty(), "{language:?}: {breaks} breaks, {} faults: {faults:#?}", faults.len());
        }
    }

    #[test]
    fn a_line_may_end_only_between_words() {
        let cut = |text: &str| -> Vec<String> {
            let mut from = 0;
            let cut = |to: usize| slice(text, std::mem::replace(&mut from, to)..to).to_owned();
            pieces(text).into_iter().map(cut).collect()
        };
        assert_eq!(cut("应走炮二平五：和。"), ["应", "走", "炮二平五：", "和。"]);
        assert_eq!(cut("“兵”过河（H2-E2）"), ["“兵”", "过", "河", "（H2-E2）"]);
        assert_eq!(cut("还有3步 · R8+3"), ["还", "有", "3步 · ", "R8+3"]);
    }
}
