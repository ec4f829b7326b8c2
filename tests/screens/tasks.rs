//! Every task of the first steps in both languages: no text leaves its box. With `QIJU_SCREENS_OUT=folder TASKS=xiangqi,gomoku` their pictures are saved.

use super::stage::{Size, Stage};
use super::{LANGUAGES, skipped, still, texts, thumbnail};
use qiju::app::activities::first_steps::Course;
use qiju::app::requests::TaskStep;
use qiju_core::games::REGISTRY;
use std::path::Path;

const SIZES: [Size; 4] =
    [Size::new(640, 480, 1.0), Size::new(900, 700, 1.0), Size::new(1280, 800, 1.0), Size::new(390, 844, 1.0)];

#[test]
fn every_task_fits_its_panel() {
    if skipped() {
        return;
    }
    let (out, wanted) = (std::env::var("QIJU_SCREENS_OUT").ok(), std::env::var("TASKS").unwrap_or_default());
    let mut faults = Vec::new();
    let mut stage = Stage::new(&still());
    for size in SIZES {
        stage.resize(size);
        for language in LANGUAGES {
            let code = language.code();
            stage.speak(language);
            for entry in REGISTRY {
                let pictured = out.is_some() && wanted.split(',').any(|game| game == entry.key);
                for number in 0..entry.first_steps().unwrap().tasks.len() {
                    stage.tell(TaskStep::Open(entry.key));
                    stage.frames(2);
                    stage.tell(TaskStep::To(number));
                    stage.wait("the task", |world| world.resource::<Course>().standing().is_some());
                    stage.settle();
                    let name = format!("task-{}-{number:02}-{code}-{size}", entry.key);
                    let found = texts::faults(stage.drawn(), stage.points());
                    faults.extend(found.into_iter().map(|fault| format!("{name}: {fault}")));
                    if let Some(out) = out.as_ref().filter(|_| pictured) {
                        thumbnail::save(&stage.picture(), &Path::new(out).join(format!("{name}.png")));
                    }
                }
            }
        }
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}
