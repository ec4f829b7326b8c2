//! What a page tells is announced, so that puzzles, exercises and reviews can be played without seeing them.

use super::stage::{Size, Stage};
use super::{LANGUAGES, SCENES, skipped, still};
use qiju::app::requests::{CursorRequest, Go};
use qiju::app::words::Words;

/// Scenes, and texts that are announced in each of them.
const TOLD: [(&str, &[&str]); 12] = [
    ("puzzle", &["puzzles.find"]),
    ("puzzle-solution", &["puzzles.shown"]),
    ("mistake", &["learn.find", "learn.wrong", "judgement.blunder"]),
    ("mistake-answer", &["learn.shown"]),
    ("repertoire-asked", &["repertoire.ask", "repertoire.wrong"]),
    ("attempt", &["attempt.defend", "attempt.free"]),
    ("hold-out", &["hold.left"]),
    ("review", &["review.accuracy", "judgement.blunder"]),
    ("learn", &["learn.find"]),
    ("guess", &["guess.find", "judgement.blunder"]),
    ("guess-over", &["guess.over"]),
    ("teaching", &["judgement.blunder"]),
];

/// Scenes of which a low window, where there is a row in place of the panel, tells the first text.
const IN_A_ROW: [&str; 4] = ["puzzle", "mistake", "repertoire-asked", "guess"];

#[test]
fn what_a_page_tells_is_announced() {
    if skipped() {
        return;
    }
    let mut stage = Stage::new(&still());
    for (size, is_low) in [(Size::new(1280, 800, 1.0), false), (Size::new(844, 390, 1.0), true)] {
        stage.resize(size);
        for language in LANGUAGES {
            stage.speak(language);
            for (name, keys) in TOLD.into_iter().filter(|(name, _)| !is_low || IN_A_ROW.contains(name)) {
                let come = SCENES.iter().find(|(scene, _)| *scene == name).unwrap().1;
                stage.leave_menus();
                stage.heard();
                stage.set_out(come, false);
                let heard = stage.heard();
                for key in if is_low { &keys[..1] } else { keys } {
                    // As far as its first number or name.
                    let text = stage.world().resource::<Words>().say(key).split('{').next().unwrap().to_owned();
                    assert!(heard.iter().any(|said| said.contains(&text)), "{name} {size}: '{text}' is not in {heard:#?}");
                }
                if name == "review" {
                    // Every move is told with its verdict, also where two have the same.
                    stage.tell(CursorRequest::Go(Go::Start));
                    stage.frames(3);
                    stage.heard();
                    for _ in 0..5 {
                        stage.tell(CursorRequest::Go(Go::Forward));
                        stage.settle();
                    }
                    let told = stage.heard();
                    let told = told.iter().filter(|said| said.contains('%')).count();
                    assert_eq!(told, 5, "{name}");
                }
            }
        }
    }
}
