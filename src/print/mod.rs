//! Which pictures of a game there are, and what is written on printed sheets, for the window and the command line.

use crate::language::Language;
use qiju_core::paint::SheetText;
use qiju_core::record::{Record, SeatSpec};
use qiju_core::rules::Side;
use qiju_core::table::{GameSheet, Notation};

/// What a picture of a game is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureKind {
    /// A position, in wood.
    Png,
    /// A position, for print.
    Svg,
    /// The moves, animated.
    Gif,
    /// The moves with diagrams, for print.
    Pdf,
}

impl PictureKind {
    const ALL: [PictureKind; 4] = [PictureKind::Png, PictureKind::Svg, PictureKind::Gif, PictureKind::Pdf];

    /// The one whose file has this ending, in small letters.
    pub fn of_ending(ending: &str) -> Option<PictureKind> {
        PictureKind::ALL.into_iter().find(|kind| kind.ending() == ending)
    }

    /// The ending of its file.
    pub const fn ending(self) -> &'static str {
        match self {
            PictureKind::Png => "png",
            PictureKind::Svg => "svg",
            PictureKind::Gif => "gif",
            PictureKind::Pdf => "pdf",
        }
    }

    /// True if it shows the moves of a game, not one position.
    pub const fn of_match(self) -> bool {
        matches!(self, PictureKind::Gif | PictureKind::Pdf)
    }
}

impl Language {
    /// The players of a game, one after the other; `None` if they are not known.
    pub fn players(self, record: &Record, sheet: &GameSheet) -> Option<String> {
        let player = |side: Side| {
            let name = match &record.seats[side] {
                SeatSpec::Computer { level, manner } => {
                    let level = self.fill("level", &[&level.to_string()]);
                    let manner = manner.as_ref().and_then(|manner| sheet.manner(manner));
                    manner.map_or_else(|| level.clone(), |manner| format!("{level} · {}", self.of(&manner.name)))
                }
                SeatSpec::External { name } => name.clone(),
                SeatSpec::Human | SeatSpec::Friend => return None,
            };
            Some(self.fill("print.player", &[self.of(&sheet.sides[side]), &name]))
        };
        let known: Vec<String> = Side::BOTH.into_iter().filter_map(player).collect();
        (!known.is_empty()).then(|| known.join(self.fill("print.join", &[]).as_str()))
    }

    /// How a game ended; empty if it did not.
    pub fn result(self, record: &Record, sheet: &GameSheet) -> String {
        match record.result.map(|outcome| outcome.winner) {
            None => String::new(),
            Some(None) => self.fill("result.draw", &[]),
            Some(Some(side)) => self.fill("result.wins", &[self.of(&sheet.sides[side])]),
        }
    }

    /// What stands on the sheet of a game.
    pub fn about_game(self, record: &Record, sheet: &GameSheet, notation: Notation) -> SheetText {
        let tags: Vec<&str> = ["Event", "Round", "Site", "Date"].into_iter().filter_map(|tag| record.tags.get(tag)).collect();
        let tags = Some(tags.join(" ")).filter(|tags| !tags.is_empty());
        SheetText {
            title: self.of(&sheet.name).to_owned(),
            lines: self.players(record, sheet).into_iter().chain(tags).collect(),
            notation,
            start: self.fill("print.start", &[]),
            result: self.result(record, sheet),
            page: self.fill("print.page", &[]),
        }
    }
}
