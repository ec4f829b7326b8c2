//! Threats: what the other side would do if the side to move passed, as an arrow and in words. Only what is verified is told.

use crate::app::activity::Activity;
use crate::app::background::WakeHandles;
use crate::app::commands::Command;
use crate::app::explore::{inquiry::Inquiry, piece_name};
use crate::app::notices::Notices;
use crate::app::play::{CurrentMatch, Helped, in_match, is_whole_game};
use crate::app::requests::ThreatRequest;
use crate::app::settings::Settings;
use crate::app::state::Screen;
use crate::app::step::Step;
use crate::app::view::{Drawn, FrameRequests, Overlay};
use crate::app::words::Words;
use crate::ui::activity::register;
use crate::ui::judgement::ink;
use crate::ui::panel::{Place, Room};
use crate::ui::speech::News;
use crate::ui::style::{Palette, SMALL, tone};
use crate::ui::widgets::dim;
use bevy::prelude::*;
use bevy_egui::egui::{RichText, Ui};
use qiju_core::compute::{FindThreat, SentTable};
use qiju_core::search::Limits;
use qiju_core::study::Threat;
use qiju_core::table::{Action, Judgement, NodeId, SearchRequest, Table};

/// What the other side threatens.
const THREATS: Activity = Activity("threats");
/// The nodes of a search.
const NODES: u64 = 100_000;

static COMMANDS: &[Command] = &[Command::new("X", "threat.note", is_whole_game, || ThreatRequest.into())];

/// The position that is asked about: the match, its revision and the node that is shown.
type Question = (u64, u64, NodeId);

/// The threat that is looked for or shown.
#[derive(Resource, Default)]
pub struct Threats {
    asked: Option<Question>,
    found: Inquiry<Question, FindThreat>,
}

impl Threats {
    /// True while it is looked for.
    pub fn is_sought(&self) -> bool {
        self.asked.is_some() && self.found.is_pending()
    }

    /// What was found in the position that is shown: nothing, or a threat. `None` while nothing is asked or known.
    pub fn found(&self, current: &CurrentMatch) -> Option<Option<&Threat>> {
        let asked = self.asked.as_ref().filter(|asked| **asked == question(current))?;
        self.found.answer_to(asked).map(|answer| answer.as_ref().ok().and_then(Option::as_ref))
    }
}

fn question(current: &CurrentMatch) -> Question {
    (current.seed(), current.played().revision(), current.cursor())
}

/// Asks on request; asked again, it is no longer shown. Another position ends it.
fn seek(
    mut requests: MessageReader<ThreatRequest>,
    mut threats: ResMut<Threats>,
    (current, wake, words): (Res<CurrentMatch>, WakeHandles, Res<Words>),
    (mut helped, mut notices): (MessageWriter<Helped>, ResMut<Notices>),
) {
    let here = question(&current);
    for _ in requests.read() {
        if threats.asked == Some(here) {
            threats.asked = None;
            continue;
        }
        let refused = current.help_refused().or(current.shown().passed().is_none().then_some("threat.no-pass"));
        if let Some(why) = refused {
            notices.warn(words.say(why));
            continue;
        }
        helped.write(Helped);
        threats.asked = Some(here);
        if !threats.found.is_about(&here) {
            let request = SearchRequest { limits: Limits::nodes(NODES), ..SearchRequest::default() };
            threats.found.ask(here, wake.handle(), FindThreat { table: SentTable::of(current.shown()), request });
        }
    }
    if threats.asked.is_some_and(|asked| asked != here) {
        threats.asked = None;
        threats.found.give_up();
    }
    if threats.bypass_change_detection().found.poll() {
        threats.set_changed();
    }
}

fn show(threats: Res<Threats>, current: Res<CurrentMatch>, mut overlay: ResMut<Overlay>) {
    if threats.is_changed() {
        let first = threats.found(&current).flatten().and_then(|threat| threat.line.first());
        overlay.show("threat", first.and_then(|first| Drawn::of(*first, ink(Judgement::Blunder))).into_iter().collect());
    }
}

/// The moves of a threat.
fn written(table: &dyn Table, line: &[Action], settings: &Settings, words: &Words) -> String {
    let notation = settings.notation(table, words.language);
    let Some(mut passed) = table.passed() else { return String::new() };
    let texts = line.iter().map_while(|action| {
        let text = passed.write(*action, notation)?;
        passed.play(*action).ok().map(|_| text)
    });
    texts.collect::<Vec<_>>().join("  ")
}

fn section(
    (InMut(ui), In(room)): (InMut<Ui>, In<Room>),
    (threats, current, settings): (Res<Threats>, Res<CurrentMatch>, Res<Settings>),
    (words, palette, mut frames): (Res<Words>, Res<Palette>, ResMut<FrameRequests>),
) -> bool {
    if room == Room::Row || threats.asked.is_none() {
        return false;
    }
    let Some(found) = threats.found(&current) else {
        frames.look();
        dim(ui, &palette, words.say("threat.looking"));
        return true;
    };
    let Some(threat) = found else {
        ui.announce(words.say("threat.none"));
        dim(ui, &palette, words.say("threat.none"));
        return true;
    };
    let by = words.of(&current.game().sheet.sides[!current.shown().turn()]);
    let said = match (threat.piece, threat.moves) {
        (None, Some(moves)) => words.fill("threat.win", &[by, &moves.to_string()]),
        (None, None) => words.with("threat.win-open", by),
        (piece, _) => words.fill("threat.piece", &[by, piece_name(piece, &current.game().sheet, &words)]),
    };
    ui.news(RichText::new(said).size(SMALL).color(tone(Judgement::Blunder)));
    ui.news(RichText::new(written(current.shown(), &threat.line, &settings, &words)).size(SMALL));
    true
}

pub(super) fn plugin(app: &mut App) {
    register(app, THREATS).section(Place::Below(1), section).commands("threat.title", COMMANDS);
    app.init_resource::<Threats>()
        .add_systems(Update, (seek.in_set(Step::Think), show.in_set(Step::Animate)).chain().run_if(in_match))
        .add_systems(OnEnter(Screen::Match), |mut threats: ResMut<Threats>| *threats = Threats::default())
        .add_systems(OnExit(Screen::Match), |mut threats: ResMut<Threats>| *threats = Threats::default());
}
