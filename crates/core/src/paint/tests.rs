//! Tests of all pictures by regions and statistics, not by exact bytes.

use super::glyph::{self, Font};
use super::*;
use crate::games::REGISTRY;
use crate::rules::{BySide, Point, Side};
use crate::table::{Action, Board, Coordinates, GameSheet, Grid, Inscription, Piece, Shape, Text};

fn themes() -> Vec<(&'static str, Theme)> {
    Theme::builtin().iter().map(|&(key, text)| (key, Theme::parse(key, text).unwrap_or_else(|e| panic!("{e}")))).collect()
}

fn sheets() -> Vec<GameSheet> {
    REGISTRY.iter().map(|entry| entry.sheet().unwrap_or_else(|e| panic!("{e}"))).collect()
}

/// A sheet of discs that does not depend on the registered games.
fn discs() -> GameSheet {
    let mut sheet = sheets().remove(0);
    sheet.shape = Shape::Disc;
    let role = sheet.roles[0].clone();
    sheet.roles = [("general", "帥", "將"), ("horse", "傌", "馬"), ("soldier", "兵", "卒")]
        .map(|(key, first, second)| {
            let mut role = role.clone();
            role.key = key.to_owned();
            role.glyph = BySide::new(first.to_owned(), second.to_owned());
            role
        })
        .to_vec();
    sheet
}

/// A board with all features.
fn full_board() -> Board {
    Board {
        files: 9,
        ranks: 10,
        grid: Grid::River(4),
        segments: vec![((3, 0), (5, 2)), ((5, 0), (3, 2))],
        stars: vec![(4, 5)],
        corners: vec![(0, 3), (1, 2), (8, 6)],
        sockets: false,
        inscriptions: vec![Inscription { glyph: "楚".to_owned(), at: (2.0, 4.5), turned: false }],
        coordinates: Coordinates::Xiangqi,
        piece: 0.9,
    }
}

fn luminance([r, g, b, _]: [u8; 4]) -> f32 {
    0.2126 * f32::from(r) + 0.7152 * f32::from(g) + 0.0722 * f32::from(b)
}

/// CIELAB (D65) of linear RGB.
fn lab(rgb: [f32; 3]) -> [f32; 3] {
    let [r, g, b] = rgb;
    let xyz = [
        (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505,
        0.2126 * r + 0.7152 * g + 0.0722 * b,
        (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089,
    ];
    let [x, y, z] = xyz.map(|v| if v > 0.008856 { v.cbrt() } else { 7.787 * v + 16.0 / 116.0 });
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

fn linear(c: Colour) -> [f32; 3] {
    [c.r, c.g, c.b].map(|v| {
        let v = f32::from(v) / 255.0;
        if v <= 0.04045 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
    })
}

/// Colours as seen with red blindness: protanopia after Machado, Oliveira and Fernandes (2009), severity 1.
fn red_blind([r, g, b]: [f32; 3]) -> [f32; 3] {
    [
        0.152286 * r + 1.052583 * g - 0.204868 * b,
        0.114503 * r + 0.786281 * g + 0.099216 * b,
        -0.003882 * r - 0.048116 * g + 1.051998 * b,
    ]
    .map(|v| v.clamp(0.0, 1.0))
}

fn distance(a: [f32; 3], b: [f32; 3]) -> f32 {
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f32>().sqrt()
}

fn apart(a: Colour, b: Colour) -> f32 {
    distance(lab(red_blind(linear(a))), lab(red_blind(linear(b))))
}

#[test]
fn blank_pieces_do_not_tell_their_side_and_role() {
    let theme = themes().remove(0).1;
    for (sheet, entry) in sheets().into_iter().zip(REGISTRY) {
        let painted = |side, role, set| super::piece(&sheet, Piece { side, role }, &theme, set, 40, 7).rgba;
        let blank = painted(Side::First, 0, PieceSet::Blank);
        for (side, role) in [(Side::First, 0), (Side::Second, 0), (Side::Second, 3)] {
            assert!(painted(side, role, PieceSet::Blank) == blank, "{}", entry.key);
        }
        assert!(painted(Side::First, 0, PieceSet::Characters) != painted(Side::Second, 0, PieceSet::Characters), "{}", entry.key);
    }
}

#[test]
fn every_theme_reads_and_sides_differ_for_red_blind_eyes() {
    for (key, theme) in themes() {
        let inks = apart(theme.inks.first, theme.inks.second);
        assert!(inks >= 30.0, "{key}: inks are {inks:.1} apart");
        let safe = theme.clone().red_blind_safe();
        let inks = apart(safe.inks.first, safe.inks.second);
        assert!(inks >= 40.0, "{key}: safe inks are {inks:.1} apart");
        let pens = apart(safe.pens.first, safe.pens.second);
        assert!(pens >= 40.0, "{key}: safe pens are {pens:.1} apart");
        let marks = apart(safe.accent, safe.alarm);
        assert!(marks >= 40.0, "{key}: safe marks are {marks:.1} apart");
        for side in Side::BOTH {
            let seen = apart(safe.pens[side], safe.field.light);
            assert!(seen >= 25.0, "{key}: {side:?}'s safe pen is {seen:.1} from the field");
        }
        let stones = apart(theme.slate, theme.shell);
        assert!(stones >= 60.0, "{key}: stones are {stones:.1} apart");
        for stone in [theme.slate, theme.shell] {
            let seen = apart(stone, theme.field.light);
            assert!(seen >= 8.0, "{key}: a stone is {seen:.1} from the field");
        }
        assert!(apart(theme.slate, theme.field.light) >= 25.0, "{key}: dark stones on the field");
        let pens = apart(theme.pens.first, theme.pens.second);
        assert!(pens >= 30.0, "{key}: pens are {pens:.1} apart");
        for side in Side::BOTH {
            let seen = apart(theme.pens[side], theme.field.light);
            assert!(seen >= 30.0, "{key}: {side:?}'s pen is {seen:.1} from the field");
            let seen = apart(theme.inks[side], theme.discs[side].dark);
            assert!(seen >= 30.0, "{key}: {side:?}'s ink is {seen:.1} from its disc");
        }
    }
}

#[test]
fn text_is_legible_on_every_panel() {
    // Contrast after WCAG 2: 4.5 for text, 3 for large or secondary text.
    let light = |c: Colour| {
        let [r, g, b] = linear(c);
        0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05
    };
    let contrast = |a: Colour, b: Colour| (light(a) / light(b)).max(light(b) / light(a));
    for (key, theme) in themes() {
        let p = theme.panel;
        for ground in [p.surface, p.raised, p.hover] {
            assert!(contrast(p.text, ground) >= 7.0, "{key}: text {:.1}", contrast(p.text, ground));
            assert!(contrast(p.dim, ground) >= 3.5, "{key}: dim text {:.1}", contrast(p.dim, ground));
        }
        assert!(contrast(p.on_accent, p.accent) >= 4.5, "{key}: on accent {:.1}", contrast(p.on_accent, p.accent));
        assert!(contrast(p.danger, p.surface) >= 4.5, "{key}: danger {:.1}", contrast(p.danger, p.surface));
        assert!(contrast(p.accent, p.surface) >= 3.0, "{key}: accent {:.1}", contrast(p.accent, p.surface));
        assert_eq!(p.dark, light(p.surface) < light(p.text), "{key}");
    }
}

#[test]
fn a_broken_theme_names_file_and_line() {
    let (_, good) = Theme::builtin()[0];
    for (from, to, why) in [
        ("gleam: \"#fff0cf\"", "gleam: \"cream\"", "a colour must be written"),
        ("relief: 1.0", "relief: 1.5", "relief must be 0 to 1"),
        ("grain: Figured", "grain: Marble", "Marble"),
        ("labels:", "lables:", "lables"),
    ] {
        let line = 1 + good.lines().position(|line| line.contains(from)).unwrap_or_else(|| panic!("{from} is in the theme"));
        let error = Theme::parse("themes/x.theme.ron", &good.replacen(from, to, 1)).expect_err(to);
        assert_eq!(error.file, "themes/x.theme.ron");
        assert_eq!(error.line, line, "{error}");
        assert!(error.why.to_string().contains(why), "{error}");
    }
}

#[test]
fn every_character_of_every_sheet_can_be_drawn() {
    for sheet in sheets().iter().chain([&discs()]) {
        for role in &sheet.roles {
            for side in Side::BOTH {
                let text = &role.glyph[side];
                assert!(text.is_empty() || glyph::outline(text, Font::Kai).is_some(), "{text}");
            }
        }
        for inscription in sheet.boards.iter().flat_map(|board| &board.inscriptions) {
            assert!(glyph::outline(&inscription.glyph, Font::Kai).is_some(), "{}", inscription.glyph);
        }
    }
    for text in ["一二三四五六七八九", "abcdefghijklmnopqrst", "0123456789"] {
        for character in text.chars() {
            assert!(glyph::outline(&character.to_string(), Font::Text).is_some(), "{character}");
        }
    }
    // Both scripts, with all forms of the pieces.
    for character in "帥帅將将仕士相象傌馬马俥車车炮砲兵卒楚河漢汉界".chars() {
        assert!(glyph::outline(&character.to_string(), Font::Kai).is_some(), "{character}");
    }
    assert!(glyph::outline("\u{10FFFD}", Font::Kai).is_none(), "a character no font has");
}

#[test]
fn lines_are_whole_dark_pixels_at_every_size() {
    let on = full_board();
    for (key, theme) in themes() {
        for cell in [12, 17, 24, 31, 48, 64, 71, 96] {
            for flipped in [false, true] {
                let painted = board(&on, &theme, cell, &BoardLook { flipped, labels: Labels::Numerals });
                let picture = &painted.picture;
                let thickness = ((cell as f32 * 0.028).round() as u32).max(1);
                // Across rank 1, between two files, and across file 1, between two ranks.
                let (x, y) = painted.at(Point::new(1, 1));
                let half = cell as f32 / 2.0;
                let column = (x + half) as u32;
                let row = (y + half) as u32;
                let first = |middle: f32| (middle - thickness as f32 / 2.0).round() as u32;
                let (line_row, line_column) = (first(y), first(x));
                // A line is dark on light wood and light on dark wood.
                let colour = luminance([theme.lines.r, theme.lines.g, theme.lines.b, 255]);
                let field = luminance(picture.pixel(column, row));
                let away = |pixel: [u8; 4]| (luminance(pixel) - colour).abs();
                for along in 0..thickness {
                    for pixel in [picture.pixel(column, line_row + along), picture.pixel(line_column + along, row)] {
                        assert!(away(pixel) < 45.0, "{key} {cell}: a line's pixel is {pixel:?}");
                    }
                }
                // The pixel just before the line has the colour of the field, not a grey edge.
                for pixel in [picture.pixel(column, line_row - 1), picture.pixel(line_column - 1, row)] {
                    let least = 0.55 * (field - colour).abs();
                    assert!(away(pixel) > least, "{key} {cell}: beside a line is {pixel:?}, the field is {field}");
                }
            }
        }
    }
}

#[test]
fn a_river_interrupts_the_inner_files_only() {
    let on = full_board();
    let (_, theme) = themes().remove(2);
    for flipped in [false, true] {
        let painted = board(&on, &theme, 60, &BoardLook { flipped, labels: Labels::None });
        let between = |x: u8, y: u8| {
            let ((ax, ay), (_, by)) = (painted.at(Point::new(x, y)), painted.at(Point::new(x, y + 1)));
            luminance(painted.picture.pixel(ax as u32, ((ay + by) / 2.0) as u32))
        };
        assert!(between(3, 4) > between(3, 3) + 60.0, "flipped {flipped}");
        assert!(between(0, 4) < between(3, 4) - 60.0, "flipped {flipped}");
        assert!(between(3, 5) < between(3, 4) - 60.0, "flipped {flipped}");
    }
}

#[test]
fn the_board_is_solid_its_margin_only_shadow() {
    let (_, theme) = themes().remove(0);
    for sheet in sheets() {
        for on in &sheet.boards {
            let painted = board(on, &theme, 40, &BoardLook { flipped: false, labels: Labels::Letters });
            let picture = &painted.picture;
            let (left, top, width, height) = painted.body;
            assert_eq!(picture.pixel((left + width / 2.0) as u32, (top + height / 2.0) as u32)[3], 255);
            for (x, y) in [(0, 0), (picture.width - 1, 0), (0, picture.height - 1)] {
                assert!(picture.pixel(x, y)[3] < 8, "{x} {y} {:?}", picture.pixel(x, y));
            }
            // The shadow is below, not above.
            let middle = (left + width / 2.0) as u32;
            let below = picture.pixel(middle, (top + height) as u32 + 6)[3];
            let above = picture.pixel(middle, top as u32 - 6)[3];
            assert!(below > above + 40, "{below} below, {above} above");
            // The requested size contains the body.
            let (across, down) = board_extent(on);
            assert!(across * 40.0 >= width && down * 40.0 >= height, "{across} {down} for {width} {height}");
        }
    }
}

#[test]
fn flipping_turns_the_points_about_the_middle() {
    let on = full_board();
    let (_, theme) = themes().remove(2);
    let look = |flipped| BoardLook { flipped, labels: Labels::None };
    let (ours, theirs) = (board(&on, &theme, 33, &look(false)), board(&on, &theme, 33, &look(true)));
    for (x, y) in [(0, 0), (8, 9), (2, 7)] {
        assert_eq!(ours.at(Point::new(x, y)), theirs.at(Point::new(8 - x, 9 - y)));
    }
}

#[test]
fn pieces_fit_the_pixels_of_their_point() {
    let (_, theme) = themes().remove(2);
    for cell in (12..=96).step_by(7) {
        let painted = board(&full_board(), &theme, cell, &BoardLook { flipped: false, labels: Labels::None });
        let diameter = diameter(painted.cell as u32, 0.9);
        assert!((diameter as f32 - 0.9 * cell as f32).abs() <= 1.0, "{diameter} at {cell}");
        let whole = |size: u32| (painted.origin.0 - size as f32 / 2.0).fract() == 0.0;
        assert!(whole(diameter), "{diameter} at {cell}");
        assert!(whole(shadow(&theme, diameter, Height::Resting).width), "shadow at {cell}");
        for kind in Mark::ALL {
            assert!(whole(mark(kind, &theme, cell).width), "{kind:?} at {cell}");
        }
    }
}

#[test]
fn pieces_are_round_centred_and_of_every_size() {
    let (_, theme) = themes().remove(0);
    let blank = Piece { side: Side::First, role: 200 };
    let mut sheets = sheets();
    sheets.push(discs());
    for sheet in &sheets {
        for diameter in (1..12).chain((12..=160).step_by(9)).chain([13, 64, 159, 160, 400]) {
            for side in Side::BOTH {
                let picture = piece(sheet, Piece { side, role: 0 }, &theme, PieceSet::Western, diameter, 5);
                assert_eq!((picture.width, picture.height), (diameter + 4, diameter + 4));
                if sheet.shape == Shape::Mark {
                    continue;
                }
                let middle = picture.width / 2;
                assert!(diameter < 4 || picture.pixel(middle, middle)[3] == 255, "{diameter}");
                for (x, y) in [(0, middle), (middle, 0), (picture.width - 1, middle), (1, 1)] {
                    assert_eq!(picture.pixel(x, y)[3], 0, "{diameter}: {x} {y}");
                }
                if diameter > 8 {
                    assert!(picture.pixel(2, middle)[3] > 100 && picture.pixel(middle, picture.height - 3)[3] > 100);
                }
            }
        }
        piece(sheet, blank, &theme, PieceSet::Characters, 40, 0);
    }
}

/// The mean darkness of a disc at each radius, from 0 at the centre to 1 at the edge, in 100 steps.
fn darkness_by_radius(picture: &Picture) -> Vec<f32> {
    let middle = picture.width as f32 / 2.0;
    let radius = middle - 2.0;
    (0..100)
        .map(|step| {
            let r = radius * step as f32 / 100.0;
            let sum: f32 = (0..360)
                .map(|degree| {
                    let (sin, cos) = (degree as f32).to_radians().sin_cos();
                    255.0 - luminance(picture.pixel((middle + r * cos) as u32, (middle + r * sin) as u32))
                })
                .sum();
            sum / 360.0
        })
        .collect()
}

#[test]
fn sides_differ_in_shape_two_rings_and_one() {
    for (key, theme) in themes() {
        let mut sheet = discs();
        for role in &mut sheet.roles {
            role.glyph = BySide::default();
        }
        for (side, rings) in [(Side::First, 2), (Side::Second, 1)] {
            let profile = darkness_by_radius(&piece(&sheet, Piece { side, role: 0 }, &theme, PieceSet::Characters, 144, 1));
            let ground = profile[30];
            let found = (55..90).filter(|&i| profile[i] > ground + 30.0 && profile[i - 1] <= ground + 30.0).count();
            assert_eq!(found, rings, "{key} {side:?}: {profile:.0?}");
        }
    }
}

#[test]
fn the_same_piece_is_the_same_picture_and_another_is_not() {
    let (_, theme) = themes().remove(0);
    for sheet in [discs(), sheets().remove(0)] {
        let one = |identity| piece(&sheet, Piece { side: Side::Second, role: 0 }, &theme, PieceSet::Characters, 60, identity);
        assert_eq!(one(7), one(7));
        assert_ne!(one(7), one(8));
    }
}

#[test]
fn light_falls_from_the_upper_left() {
    let sheet = discs();
    for (key, theme) in themes() {
        let picture = piece(&sheet, Piece { side: Side::First, role: 0 }, &theme, PieceSet::Characters, 100, 1);
        let rim = |sign: f32| {
            let at = |r: f32| (52.0 + sign * r * std::f32::consts::FRAC_1_SQRT_2) as u32;
            luminance(picture.pixel(at(46.0), at(46.0)))
        };
        assert!(rim(-1.0) > rim(1.0), "{key}: {} and {}", rim(-1.0), rim(1.0));
        let dark = shadow(&theme, 100, Height::Resting);
        let middle = dark.width / 2;
        assert!(dark.pixel(middle + 40, middle + 40)[3] > dark.pixel(middle - 40, middle - 40)[3], "{key}");
    }
}

#[test]
fn a_lifted_piece_throws_a_larger_softer_shadow() {
    let (_, theme) = themes().remove(0);
    let (resting, lifted) = (shadow(&theme, 60, Height::Resting), shadow(&theme, 60, Height::Lifted));
    let reach = |p: &Picture| p.rgba.chunks_exact(4).filter(|c| c[3] > 6).count();
    let most = |p: &Picture| p.rgba.chunks_exact(4).map(|c| c[3]).max();
    assert_eq!(resting.width, lifted.width);
    assert!(reach(&lifted) > reach(&resting), "{} and {}", reach(&lifted), reach(&resting));
    assert!(most(&lifted) < most(&resting));
    for picture in [&resting, &lifted] {
        let edge = (0..picture.width).map(|x| picture.pixel(x, picture.height - 1)[3]).max();
        assert!(edge <= Some(3), "the shadow is cut off at {edge:?}");
    }
}

#[test]
fn marks_show_and_leave_their_edge_clear() {
    for (key, theme) in themes() {
        for cell in [12, 31, 64, 160] {
            for kind in Mark::ALL {
                let picture = mark(kind, &theme, cell);
                assert_eq!(picture.width, picture.height);
                let strongest = picture.rgba.chunks_exact(4).map(|c| c[3]).max();
                assert!(strongest > Some(150), "{key} {kind:?} at {cell}: {strongest:?}");
                assert!(cell < 24 || picture.pixel(0, 0)[3] < 3, "{key} {kind:?} at {cell}");
            }
        }
    }
}

#[test]
fn the_cursor_has_whole_sides_and_the_last_move_corners() {
    for (key, theme) in themes() {
        for cell in [24, 61, 100] {
            let most_at_the_top = |kind| {
                let picture = mark(kind, &theme, cell);
                (0..picture.height / 8).map(|y| picture.pixel(picture.width / 2, y)[3]).max().unwrap()
            };
            assert!(most_at_the_top(Mark::Cursor) > 200, "{key} at {cell}");
            assert_eq!(most_at_the_top(Mark::LastMove), 0, "{key} at {cell}");
        }
    }
}

#[test]
fn the_last_move_is_marked_by_what_it_did() {
    let (from, to) = (Point::new(1, 2), Point::new(1, 4));
    let stone = Shape::Stone { first_is_dark: true };
    let step = Action::Step { from, to };
    assert_eq!(Mark::of_move(Shape::Disc, step), [(Mark::LastMove, from), (Mark::LastMove, to)]);
    assert_eq!(Mark::of_move(stone, Action::Drop(to)), [(Mark::LastStone, to)]);
    assert_eq!(Mark::of_move(Shape::Mark, Action::Drop(to)), [(Mark::LastDrawn, to)]);
    assert_eq!(Mark::of_move(stone, Action::Pass), []);
}

#[test]
fn a_desk_fills_its_window_without_glare() {
    for (key, theme) in themes() {
        let picture = desk(&theme, 320, 200);
        assert!(picture.rgba.chunks_exact(4).all(|c| c[3] == 255), "{key}");
        let light: Vec<f32> = picture.rgba.chunks_exact(4).map(|c| luminance([c[0], c[1], c[2], 255])).collect();
        let (low, high) = light.iter().fold((f32::MAX, 0.0_f32), |(l, h), &v| (l.min(v), h.max(v)));
        assert!(low > 0.0 && high < 254.0 && high - low < 90.0, "{key}: {low} to {high}");
    }
}

#[test]
fn scenes_icons_lines_rings_and_arrows_of_any_size() {
    let (_, theme) = themes().remove(0);
    let pieces: Vec<(Point, Piece)> =
        Side::BOTH.into_iter().zip(0..).map(|(side, x)| (Point::new(x, 1), Piece { side, role: 0 })).collect();
    for sheet in sheets() {
        for size in [0, 40, 64, 280] {
            let look = BoardLook { flipped: false, labels: Labels::None };
            let painter = PositionPainter::new(&sheet, &sheet.boards[0], &theme, PieceSet::Characters, &look, size);
            let picture = painter.picture(&pieces, &[(Mark::LastMove, Point::new(0, 1)), (Mark::Hint, Point::new(1, 1))]);
            assert_eq!(picture.width.max(picture.height), size.max(64));
        }
    }
    for size in [16, 48, 256] {
        let picture = icon(size);
        assert_eq!((picture.width, picture.height), (size, size));
        assert_eq!(picture.pixel(size / 2, size / 2)[3], 255);
        assert!(picture.pixel(0, 0)[3] < 200, "the icon's corner is round");
    }
    for (length, thickness) in [(0, 0), (1, 1), (200, 6), (4000, 30)] {
        line(&theme, length, thickness);
        arrow(theme.ranks[1], length.min(900), thickness);
        ring(theme.ranks[1], thickness);
    }
}

#[test]
fn texts_of_themes_are_in_both_languages() {
    for (key, theme) in themes() {
        let Text { zh, en } = theme.name;
        assert!(!zh.is_empty() && !en.is_empty(), "{key}");
    }
}

#[test]
fn the_shipped_icons_are_the_painted_ones() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/linux/icons");
    for size in [16, 32, 48, 128, 256] {
        let file = folder.join(format!("{size}.png"));
        let shipped = tiny_skia::Pixmap::load_png(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let painted = icon(size);
        assert_eq!((shipped.width(), shipped.height()), (size, size));
        let away: f32 = (shipped.pixels().iter().zip(painted.rgba.chunks_exact(4)))
            .map(|(a, b)| {
                let a = a.demultiply();
                let b = [b[0], b[1], b[2], b[3]];
                (luminance([a.red(), a.green(), a.blue(), 255]) - luminance(b)).abs() * f32::from(b[3]) / 255.0
            })
            .sum();
        let mean = away / (size * size) as f32;
        assert!(mean < 2.0, "{} is {mean:.1} away; `--example paint` writes new ones", file.display());
    }
}

#[test]
fn surfaces_have_the_colour_of_their_material() {
    // The mean of an area is between the material's light and dark colours, with a little more or less light.
    let mean = |picture: &Picture, x: u32, y: u32, size: u32| {
        let mut sum = [0.0_f32; 3];
        for (px, py) in (x..x + size).flat_map(|px| (y..y + size).map(move |py| (px, py))) {
            let pixel = picture.pixel(px, py);
            (0..3).for_each(|i| sum[i] += f32::from(pixel[i]) / (size * size) as f32);
        }
        let [r, g, b] = sum.map(|v| v as u8);
        lab(linear(Colour { r, g, b }))
    };
    let between = |seen: [f32; 3], material: Material| {
        let (a, b) = (lab(linear(material.light)), lab(linear(material.dark)));
        (0..=20).map(|i| distance(seen, std::array::from_fn(|k| a[k] + (b[k] - a[k]) * i as f32 / 20.0))).fold(f32::MAX, f32::min)
    };
    let mut sheet = discs();
    sheet.roles[0].glyph = BySide::default();
    for (key, theme) in themes() {
        let painted = board(&full_board(), &theme, 64, &BoardLook { flipped: false, labels: Labels::None });
        let (x, y) = painted.at(Point::new(2, 3));
        let field = between(mean(&painted.picture, x as u32 + 8, y as u32 + 8, 48), theme.field);
        assert!(field < 6.0, "{key}: the field is {field:.1} off");
        let frame = between(mean(&painted.picture, x as u32, (painted.body.1 + 10.0) as u32, 12), theme.frame);
        assert!(frame < 9.0, "{key}: the frame is {frame:.1} off");
        let face = piece(&sheet, Piece { side: Side::First, role: 0 }, &theme, PieceSet::Characters, 100, 2);
        let face = between(mean(&face, 36, 36, 32), theme.discs.first);
        assert!(face < 6.0, "{key}: a disc is {face:.1} off");
    }
}

#[test]
fn boards_of_any_shape_can_be_painted() {
    let (_, theme) = themes().remove(2);
    let shapes = [(2, 2), (3, 30), (30, 30), (9, 10)];
    for (files, ranks) in shapes {
        for grid in [Grid::Lines, Grid::River(0), Grid::Cells] {
            for coordinates in [Coordinates::Letters(1), Coordinates::Xiangqi, Coordinates::Indices] {
                let on = Board {
                    files,
                    ranks,
                    grid,
                    coordinates,
                    segments: vec![],
                    stars: vec![],
                    corners: vec![(1, 1)],
                    ..full_board()
                };
                for (cell, labels) in [(0, Labels::Letters), (4, Labels::Numerals), (20, Labels::Numerals)] {
                    let painted = board(&on, &theme, cell, &BoardLook { flipped: true, labels });
                    let (x, y) = painted.at(Point::new(files - 1, ranks - 1));
                    assert!(x > 0.0 && y > 0.0 && x < painted.picture.width as f32 && y < painted.picture.height as f32);
                }
            }
        }
    }
    let huge = board(&Board { files: 30, ..full_board() }, &theme, 2000, &BoardLook { flipped: false, labels: Labels::None });
    assert!(huge.picture.width <= 8192, "{}", huge.picture.width);
}

#[test]
fn the_ranks_of_lines_differ_for_every_eye_and_from_the_board() {
    let seen = |a: Colour, b: Colour| apart(a, b).min(distance(lab(linear(a)), lab(linear(b))));
    for (key, theme) in themes() {
        for (index, one) in theme.ranks.iter().enumerate() {
            for other in &theme.ranks[..index] {
                assert!(seen(*one, *other) >= 20.0, "{key}: {one:?} and {other:?} are {:.1} apart", seen(*one, *other));
            }
            for ground in [theme.field.light, theme.field.dark] {
                assert!(seen(*one, ground) >= 15.0, "{key}: {one:?} is {:.1} from the field", seen(*one, ground));
            }
        }
    }
}
