//! Fonts, sizes and colours of the interface: three text sizes, one accent, flat surfaces with hairlines.

use super::draw::Draw;
use super::widgets::FINGER;
use crate::app::layout::Layout;
use crate::app::library::Library;
use crate::app::platform::loaded_font;
use crate::app::settings::Settings;
use crate::app::view::FrameRequests;
use crate::app::words::{Language, Words};
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use egui::{Color32, CornerRadius, FontFamily, FontId, Stroke, TextStyle};
use qiju_core::paint::{Colour, LATIN_FONT, MORE_FONTS, Panel, TEXT_FONT, Theme};
use qiju_core::table::Judgement;
use std::sync::Arc;

/// The ellipsis and plus-minus as English texts have them; Chinese texts have a centred ellipsis.
const SIGNS: &[u8] = include_bytes!("../../assets/fonts/NotoSansSC-signs.ttf");

/// Text sizes in logical pixels.
pub const SMALL: f32 = 13.0;
/// Running text.
pub const BODY: f32 = 15.0;
/// Titles.
pub const TITLE: f32 = 22.0;

/// A theme's colour for egui.
pub fn colour(of: Colour) -> Color32 {
    Color32::from_rgb(of.r, of.g, of.b)
}

/// The language's code where a page has to load a font for it.
fn own_font(language: Language) -> Option<&'static str> {
    let loads = MORE_FONTS.is_empty() && matches!(language, Language::ZhHant | Language::Ja | Language::Ko);
    loads.then(|| language.code())
}

pub(super) fn fonts(language: Language) -> egui::FontDefinitions {
    let mut fonts = egui::FontDefinitions::empty();
    for (name, font) in [("zh", TEXT_FONT), ("signs", SIGNS), ("latin", LATIN_FONT)].into_iter().chain(MORE_FONTS) {
        fonts.font_data.insert(name.to_owned(), Arc::new(egui::FontData::from_static(font)));
    }
    if let Some(font) = own_font(language).and_then(loaded_font) {
        fonts.font_data.insert(language.code().to_owned(), Arc::new(egui::FontData::from_static(font)));
    }
    // The language's own font is first, so that each character has the shape that its readers know; then what has the others.
    let own: &[&str] = match language {
        Language::Zh | Language::ZhHant | Language::Ja => &[language.code()],
        Language::Ko => &["signs", "ko"],
        Language::En => &["signs", "zh"],
        Language::Vi | Language::Ru => &["signs", "latin"],
    };
    let mut order: Vec<String> =
        own.iter().copied().filter(|name| fonts.font_data.contains_key(*name)).map(str::to_owned).collect();
    for name in ["zh", "signs", "latin"].into_iter().chain(MORE_FONTS.map(|(name, _)| name)) {
        if !order.iter().any(|known| known == name) {
            order.push(name.to_owned());
        }
    }
    for family in [FontFamily::Proportional, FontFamily::Monospace] {
        fonts.families.insert(family, order.clone());
    }
    fonts
}

/// The panel colours of the theme in use.
#[derive(Resource, Clone)]
pub struct Palette {
    /// The whole theme.
    pub theme: Arc<Theme>,
}

impl Palette {
    /// The colours around the board.
    pub fn panel(&self) -> &Panel {
        &self.theme.panel
    }

    /// Text.
    pub fn text(&self) -> Color32 {
        colour(self.panel().text)
    }

    /// Secondary text.
    pub fn dim(&self) -> Color32 {
        colour(self.panel().dim)
    }

    /// The accent.
    pub fn accent(&self) -> Color32 {
        colour(self.panel().accent)
    }
}

fn visuals(panel: &Panel) -> egui::Visuals {
    let mut visuals = if panel.dark { egui::Visuals::dark() } else { egui::Visuals::light() };
    let radius = CornerRadius::same(8);
    let hairline = Stroke::new(1.0, colour(panel.hairline));
    // A blinking cursor would keep the window awake.
    visuals.text_cursor.blink = false;
    visuals.panel_fill = colour(panel.surface);
    visuals.window_fill = colour(panel.surface);
    visuals.window_stroke = hairline;
    visuals.window_corner_radius = radius;
    visuals.menu_corner_radius = radius;
    visuals.override_text_color = Some(colour(panel.text));
    visuals.weak_text_color = Some(colour(panel.dim));
    visuals.extreme_bg_color = colour(panel.raised);
    visuals.faint_bg_color = colour(panel.raised);
    visuals.hyperlink_color = colour(panel.accent);
    visuals.error_fg_color = colour(panel.danger);
    visuals.warn_fg_color = colour(panel.danger);
    visuals.selection.bg_fill = colour(panel.accent);
    visuals.selection.stroke = Stroke::new(1.0, colour(panel.on_accent));
    visuals.slider_trailing_fill = true;
    let widgets = &mut visuals.widgets;
    for (style, fill) in [
        (&mut widgets.noninteractive, panel.surface),
        (&mut widgets.inactive, panel.raised),
        (&mut widgets.hovered, panel.hover),
        (&mut widgets.active, panel.hover),
        (&mut widgets.open, panel.hover),
    ] {
        style.bg_fill = colour(fill);
        style.weak_bg_fill = colour(fill);
        style.bg_stroke = hairline;
        style.fg_stroke = Stroke::new(1.0, colour(panel.text));
        style.corner_radius = radius;
        style.expansion = 0.0;
    }
    // Rails of sliders and checkboxes must be visible on cards too.
    widgets.inactive.bg_fill = colour(panel.hairline);
    // The keyboard focus ring.
    widgets.hovered.bg_stroke = Stroke::new(1.0, colour(panel.dim));
    widgets.active.bg_stroke = Stroke::new(2.0, colour(panel.accent));
    visuals
}

/// A letter that is drawn for the first time reaches the graphics card a frame late. What clocks and counters show is there before it is needed.
fn keep_digits(ctx: &egui::Context) {
    ctx.fonts_mut(|fonts| {
        for size in [SMALL, BODY, TITLE] {
            fonts.layout_no_wrap("0123456789:.,+-×%/".to_owned(), FontId::proportional(size), Color32::WHITE);
        }
    });
}

fn set_style(
    mut contexts: EguiContexts,
    (settings, library, layout, words): (Res<Settings>, Res<Library>, Res<Layout>, Res<Words>),
    palette: Option<Res<Palette>>,
    mut commands: Commands,
    mut frames: ResMut<FrameRequests>,
    mut styled: Local<Option<(String, bool, bool, (Language, bool))>>,
) -> Result {
    let ctx = contexts.ctx_mut()?;
    if ctx.zoom_factor() != layout.zoom {
        ctx.set_zoom_factor(layout.zoom);
    }
    let has_font = own_font(words.language).is_none_or(|code| loaded_font(code).is_some());
    if !has_font {
        frames.wake_in(0.2);
    }
    let wanted = (settings.theme.clone(), settings.red_blind_safe, layout.fingers, (words.language, has_font));
    if styled.is_some() {
        keep_digits(ctx);
    }
    if styled.as_ref() == Some(&wanted) && palette.is_some() {
        return Ok(());
    }
    let theme = library.theme_of(&settings);
    if styled.as_ref().is_none_or(|(.., fonts)| *fonts != wanted.3) {
        ctx.set_fonts(fonts(words.language));
        ctx.options_mut(|options| options.zoom_with_keyboard = false);
    }
    *styled = Some(wanted);
    let visuals = visuals(&theme.panel);
    ctx.set_theme(if theme.panel.dark { egui::Theme::Dark } else { egui::Theme::Light });
    ctx.all_styles_mut(|style| {
        style.visuals = visuals.clone();
        let font = |size| FontId::new(size, FontFamily::Proportional);
        style.text_styles = [
            (TextStyle::Small, font(SMALL)),
            (TextStyle::Body, font(BODY)),
            (TextStyle::Button, font(BODY)),
            (TextStyle::Monospace, font(SMALL)),
            (TextStyle::Heading, font(TITLE)),
        ]
        .into();
        style.spacing.item_spacing = egui::vec2(8.0, 8.0);
        style.spacing.button_padding = egui::vec2(12.0, 4.0);
        let target = if layout.fingers { FINGER } else { 32.0 };
        style.spacing.interact_size = egui::vec2(target, target);
        style.spacing.slider_width = 180.0;
        // Seen from the first frame, not only under the pointer, where a bar grows on its own ground and covers nothing.
        let thin = egui::style::ScrollStyle::thin();
        let wide = thin.floating_allocated_width + 2.0;
        style.spacing.scroll = egui::style::ScrollStyle { bar_width: wide, floating_allocated_width: wide, ..thin };
        // The fade is drawn in a colour that is not the page's own in light themes.
        style.spacing.scroll.fade.strength = 0.0;
        style.interaction.selectable_labels = false;
    });
    commands.insert_resource(Palette { theme });
    ctx.request_repaint();
    Ok(())
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(EguiPrimaryContextPass, set_style.in_set(Draw::Style));
}
/// The colour of a judgement, told apart by eyes that do not see red; signs say the same.
pub fn tone(judgement: Judgement) -> Color32 {
    match judgement {
        Judgement::Best => Color32::from_rgb(0x3F, 0xA0, 0x6A),
        Judgement::Good => Color32::from_rgb(0x7F, 0xA6, 0x5A),
        Judgement::Inaccuracy => Color32::from_rgb(0x56, 0xA8, 0xDC),
        Judgement::Mistake => Color32::from_rgb(0xE8, 0x9C, 0x1E),
        Judgement::Blunder => Color32::from_rgb(0xD9, 0x48, 0x3B),
    }
}
