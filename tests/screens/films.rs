//! Pictures for people, not a test: `QIJU_SCREENS_OUT=folder [THEMES=kaya,night] [SIZES=1280x800@1] [LANGS=zh] [ONLY=title]
//! cargo test --test screens stills -- --nocapture`, and `FILMS=flip,mate .. films` for motion, frame by frame. `FILMS=teacher,laboratory .. reels` makes
//! the films of the README (`scripts/pictures`).

use super::stage::{Size, Stage};
use super::{MATE, SCENES, computer, laboratory, opening, people, still, texts, thumbnail};
use qiju::app::activities::laboratory::{LabGo, LabWish};
use qiju::app::activities::teaching::Teacher;
use qiju::app::requests::{CursorRequest, Go, LayoutRequest, PageRequest, TeachRequest};
use qiju::app::settings::Settings;
use qiju::app::setup::Purpose;
use qiju::app::view::{Drawn, Ink, Overlay};
use qiju::app::words::Language;
use qiju_core::paint::{Film, Picture};
use qiju_core::rules::Point;
use qiju_core::table::{Judgement, Setup};
use std::fs::File;
use std::path::Path;

fn list(name: &str, default: &str) -> Vec<String> {
    std::env::var(name).unwrap_or(default.to_owned()).split(',').filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

#[test]
fn stills() {
    let Some(out) = wanted() else { return };
    let mut stage = Stage::new(&still());
    let only = list("ONLY", "");
    for theme in list("THEMES", "kaya") {
        let chosen = theme.clone();
        stage.set(move |settings| settings.theme.clone_from(&chosen));
        for size in list("SIZES", "1280x800@1") {
            let numbers: Vec<f32> = size.split(['x', '@']).map(|number| number.parse().unwrap()).collect();
            stage.resize(Size::new(numbers[0] as u32, numbers[1] as u32, numbers[2]));
            stage.touch(std::env::var("TOUCH").is_ok());
            for code in list("LANGS", "zh,en") {
                stage.speak(Language::of_code(&code).unwrap());
                for (scene, come) in SCENES.iter().filter(|(scene, _)| only.is_empty() || only.iter().any(|name| name == scene)) {
                    stage.leave_menus();
                    stage.set_out(*come, true);
                    let small = stage.small_targets();
                    for fault in texts::faults(stage.drawn(), stage.points()).into_iter().chain(small) {
                        println!("{scene}-{code}-{size}: {fault}");
                    }
                    thumbnail::save(&stage.picture(), &Path::new(&out).join(format!("{scene}-{code}-{theme}-{size}.png")));
                }
            }
        }
    }
}

/// The output folder of the pictures, if one is set.
fn wanted() -> Option<String> {
    std::env::var("QIJU_SCREENS_OUT").ok()
}

fn film(stage: &mut Stage, name: &str, frames: u32, every: u32) {
    let out = wanted().unwrap();
    for i in 0..frames {
        let picture = stage.picture();
        thumbnail::save(&picture, &Path::new(&out).join(format!("film-{name}-{i:02}.png")));
        stage.frames(every);
    }
}

#[test]
fn films() {
    if std::env::var("QIJU_SCREENS_OUT").is_err() {
        return;
    };
    let want = std::env::var("FILMS").unwrap_or_default();
    let wants = |name: &str| want.split(',').any(|w| w == name);
    let mut stage =
        Stage::new(&Settings { speed: 1.0, language: Some(Language::Zh), free_take_backs: true, ..Settings::default() });
    stage.resize(Size::new(900, 700, 1.0));
    let s = &mut stage;
    if wants("pick") {
        s.begin("xiangqi", Setup::default(), people(), "h2e2 h9g7");
        s.click(Point::new(4, 2));
        s.settle();
        film(s, "pick", 1, 1);
        s.click(Point::new(4, 6));
        film(s, "take", 12, 1);
        s.settle();
        film(s, "took", 1, 1);
        s.tell(CursorRequest::Undo);
        s.frames(1);
        film(s, "undo", 8, 1);
    }
    if wants("flip") {
        s.begin("xiangqi", Setup::default(), people(), "h2e2 h9g7");
        s.tell(LayoutRequest::Flip);
        s.frames(1);
        film(s, "flip", 12, 1);
    }
    if wants("fade") {
        s.begin("xiangqi", Setup::default(), people(), "h2e2 h9g7");
        s.tell(PageRequest::Title);
        s.frames(2);
        film(s, "fade", 6, 1);
        s.settle();
        s.begin_unsettled("gomoku");
        film(s, "fadein", 10, 1);
    }
    if wants("win") {
        s.begin("gomoku", Setup::default(), people(), "h8 a1 i9 b1 j10 c1 k11 e1");
        s.point(Point::new(11, 11), None);
        s.frames(3);
        film(s, "ghost", 1, 1);
        s.click(Point::new(11, 11));
        film(s, "win", 16, 2);
        s.settle();
        film(s, "won", 1, 1);
    }
    if wants("mate") {
        s.begin("xiangqi", Setup { variant: None, position: Some(MATE.to_owned()) }, people(), "");
        s.click(Point::new(1, 0));
        s.click(Point::new(1, 9));
        film(s, "mate", 18, 2);
        s.settle();
        film(s, "mated", 1, 1);
    }
    if wants("check") {
        s.begin("xiangqi", Setup::default(), people(), "h2e2 h9g7");
        s.click(Point::new(4, 2));
        s.click(Point::new(4, 6));
        film(s, "check", 14, 4);
    }
    if wants("arrow") {
        s.begin("xiangqi", Setup::default(), people(), "h2e2 h9g7");
        let a = |fx, fy, tx, ty, rank| Drawn::Arrow(Point::new(fx, fy), Point::new(tx, ty), Ink::Rank(rank));
        s.world().resource_mut::<Overlay>().show("film", vec![a(7, 0, 6, 2, 0), a(4, 2, 4, 6, 1), a(2, 3, 2, 4, 2)]);
        s.settle();
        film(s, "arrow", 1, 1);
        s.begin("gomoku", Setup::default(), people(), "h8 i9 h7 h9 g8");
        let a = |tx, ty, rank| Drawn::Ring(Point::new(tx, ty), Ink::Rank(rank));
        s.world().resource_mut::<Overlay>().show("film", vec![a(9, 5, 0), a(8, 7, 1), a(5, 8, 2)]);
        s.set(|s| s.move_numbers = true);
        s.settle();
        film(s, "ghosts", 1, 1);
    }
}

/// A film of the window: pictures with the time that each is shown, in milliseconds. A window that does not change is one picture.
struct Reel {
    /// Frames of the window from one picture to the next.
    every: u32,
    pictures: Vec<(Picture, u32)>,
}

impl Reel {
    fn new(every: u32) -> Reel {
        Reel { every, pictures: Vec::new() }
    }

    /// Films what the window shows for this long.
    fn take(&mut self, stage: &mut Stage, ms: u32) {
        // A GIF counts in hundredths of a second.
        let shown = (self.every * 16 + 5) / 10 * 10;
        for _ in 0..ms / shown {
            let picture = stage.picture();
            match self.pictures.last_mut() {
                Some((last, time)) if *last == picture => *time += shown,
                _ => self.pictures.push((picture, shown)),
            }
            stage.frames(self.every - 1);
        }
    }

    /// Writes it to the output folder.
    fn save(&self, name: &str) {
        let path = Path::new(&wanted().unwrap()).join(format!("{name}.gif"));
        let examples: Vec<&Picture> =
            self.pictures.iter().step_by((self.pictures.len() / 6).max(1)).map(|(picture, _)| picture).collect();
        let mut film = Film::new(File::create(path).unwrap(), &examples).unwrap();
        for (picture, ms) in &self.pictures {
            film.add(picture, *ms).unwrap();
        }
    }
}

/// An error in a teaching match, why it is one, and a better move.
fn teacher(stage: &mut Stage) -> Reel {
    let mut reel = Reel::new(3);
    stage.begin_as(Purpose::Teaching, "xiangqi", opening(), computer(3), "");
    let play = |reel: &mut Reel, stage: &mut Stage, from: Point, to: Point| {
        stage.click(from);
        reel.take(stage, 500);
        stage.click(to);
        reel.take(stage, 800);
        stage.wait("the verdict", |world| world.resource::<Teacher>().verdict().is_some());
        reel.take(stage, 2500);
    };
    play(&mut reel, stage, Point::new(4, 2), Point::new(4, 6));
    stage.tell(TeachRequest::Why);
    reel.take(stage, 1500);
    for _ in 0..2 {
        stage.tell(CursorRequest::Go(Go::Forward));
        reel.take(stage, 1500);
    }
    stage.tell(TeachRequest::Again);
    reel.take(stage, 1500);
    play(&mut reel, stage, Point::new(7, 0), Point::new(6, 2));
    reel
}

/// A tree of the laboratory that grows.
fn growing(stage: &mut Stage) -> Reel {
    let mut reel = Reel::new(6);
    laboratory(stage, "tic-tac-toe", "standard");
    stage.settle();
    stage.tell(LabWish::Go(LabGo::Start));
    reel.take(stage, 500);
    stage.tell(LabWish::Play(true));
    reel.take(stage, 9000);
    reel
}

#[test]
fn reels() {
    if wanted().is_none() {
        return;
    }
    let want = list("FILMS", "");
    let mut stage =
        Stage::new(&Settings { speed: 1.0, language: Some(Language::En), teacher_tells: Judgement::Best, ..Settings::default() });
    stage.resize(Size::new(960, 640, 1.0));
    let films: [(&str, fn(&mut Stage) -> Reel); 2] = [("teacher", teacher), ("laboratory", growing)];
    for (name, film) in films.iter().filter(|(name, _)| want.iter().any(|one| one == name)) {
        film(&mut stage).save(name);
    }
}
