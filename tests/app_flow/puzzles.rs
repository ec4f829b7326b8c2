//! Puzzles, their themes and the timed run.

use super::Player;
use crate::driver::{Phase, phase};
use bevy::input::keyboard::KeyCode;
use bevy::prelude::*;
use qiju::app::activities::puzzles::{MissReason, PuzzleStage, Puzzling};
use qiju::app::activity::PUZZLES;
use qiju::app::explore::{Analysis, Hint};
use qiju::app::library::Library;
use qiju::app::play::{CurrentMatch, Unfinished};
use qiju::app::progress::PlayerProgress;
use qiju::app::requests::{AnalysisRequest, BeginRequest, CursorRequest, Go, PageRequest, PuzzleStep, PuzzleWish};
use qiju::app::setup::Purpose;
use qiju::app::state::{Menu, Screen};
use qiju::app::view::Moving;
use qiju_core::table::{Action, Notation};

/// The stage of the puzzle on the board.
fn puzzle_stage(world: &World) -> Option<PuzzleStage> {
    let current = world.get_resource::<CurrentMatch>()?;
    let session = world.resource::<Puzzling>().shown(current)?;
    let is_of = current.table().setup() == &session.puzzle.setup();
    (is_of && session.is_shown(current)).then_some(session.stage)
}

/// Begins a puzzle of a game and waits until it is on the board.
fn puzzle(player: &mut Player, step: PuzzleStep) -> (usize, Vec<Action>) {
    let before = player.app.world().get_resource::<CurrentMatch>().map(|current| current.seed());
    player.send(step);
    player.until("a puzzle", |world| {
        let begun = world.get_resource::<CurrentMatch>().is_some_and(|current| Some(current.seed()) != before);
        let session = world.resource::<Puzzling>().session();
        let wanted = session.is_some_and(|session| step == PuzzleStep::Next || step == PuzzleStep::Open(session.game));
        begun && wanted && puzzle_stage(world) == Some(PuzzleStage::Find) && phase(world) == Some(Phase::Human)
    });
    let session = player.app.world().resource::<Puzzling>().session().unwrap();
    let solution = session.puzzle.solution(player.current().table()).unwrap();
    (session.index, solution.line)
}

/// Plays a move of a puzzle by clicks, and waits until it is judged.
fn try_in_puzzle(player: &mut Player, action: Action) -> PuzzleStage {
    for point in action.origin().into_iter().chain(action.target()) {
        player.click(point);
    }
    player.until("the judgement", |world| {
        let waits = [PuzzleStage::Answer, PuzzleStage::Check, PuzzleStage::Refuted].map(Some).contains(&puzzle_stage(world));
        !waits && world.query::<&Moving>().iter(world).count() == 0
    });
    puzzle_stage(player.app.world()).unwrap()
}

#[test]
fn puzzles_are_solved_by_clicks_and_the_results_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    for (number, game) in (1..).zip(["two-eat-one", "xiangqi", "gomoku"]) {
        let (index, line) = puzzle(&mut player, PuzzleStep::Open(game));
        assert_eq!(player.current().purpose(), Purpose::Puzzle);
        let asked = player.app.world().resource::<Puzzling>().session().unwrap().puzzle.asked;
        for (turn, action) in line.iter().step_by(2).take(asked).enumerate() {
            let stage = try_in_puzzle(&mut player, *action);
            let expected = if turn + 1 == asked { PuzzleStage::Solved } else { PuzzleStage::Find };
            assert_eq!(stage, expected, "{game}, puzzle {index}, move {turn}");
            player.assert_pieces_agree();
        }
        // What is kept is changed by the one system that writes it, in the next frame.
        player.until("the result", |world| world.resource::<PlayerProgress>().of_puzzles(game).tried > 0);
        let progress = player.app.world().resource::<PlayerProgress>().of_puzzles(game);
        assert_eq!((progress.solved, progress.tried, progress.streak, progress.seen()), (1, 1, 1, 1), "{number}");
        assert!(progress.rating.value > 1000.0 && progress.rating.error < 350.0);
        // The match itself is unchanged, and the solution can be browsed.
        assert_eq!(player.current().table().ply(), player.current().played().given());
        player.send(CursorRequest::Go(Go::Start));
        assert_eq!(player.current().shown().position_text(), player.current().table().position_text());
        player.key(KeyCode::ArrowRight);
        assert_eq!(player.current().shown().ply(), player.current().table().ply() + 1);
        player.send(CursorRequest::Go(Go::End));
        assert_eq!(player.current().shown().ply(), player.current().table().ply() + line.len());
        player.assert_pieces_agree();
        // A key leads to another puzzle.
        player.key(KeyCode::KeyN);
        player.until("the next", |world| {
            puzzle_stage(world) == Some(PuzzleStage::Find) && world.resource::<Puzzling>().session().unwrap().index != index
        });
    }
    // Escape leads to the page of the game. A match is not changed by puzzles.
    player.key(KeyCode::Escape);
    player.until("setup", |world| *world.resource::<State<Screen>>().get() == Screen::Setup);
    assert!(player.app.world().resource::<Unfinished>().found().is_none());
    drop(player);
    let mut player = Player::reopened_in(folder.path());
    puzzle(&mut player, PuzzleStep::Open("gomoku"));
    let progress = player.app.world().resource::<PlayerProgress>();
    for game in ["two-eat-one", "xiangqi", "gomoku"] {
        let progress = progress.of_puzzles(game);
        assert_eq!((progress.solved, progress.streak, progress.best_streak), (1, 1, 1), "{game}");
    }
    player.send(PuzzleStep::Erase(None));
    assert!(player.app.world().resource::<Puzzling>().asks_erase);
    player.send(PuzzleStep::Erase(Some(true)));
    player.frame();
    let progress = player.app.world().resource::<PlayerProgress>();
    assert_eq!((progress.of_puzzles("gomoku").tried, progress.of_puzzles("xiangqi").tried), (0, 1));
}

#[test]
fn a_theme_is_chosen_and_practised() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    for (game, theme) in [("gomoku", "double-three"), ("xiangqi", "cannon-horse")] {
        let (before, _) = puzzle(&mut player, PuzzleStep::Open(game));
        player.send(PuzzleStep::Themes);
        player.until("the page", |world| *world.resource::<State<Menu>>().get() == Menu::Page(PUZZLES));
        let world = player.app.world();
        let count = world.resource::<Puzzling>().of_theme(world.resource::<Library>().game(game).unwrap(), theme);
        player.send(PuzzleStep::Wish(PuzzleWish { theme: Some(theme), ..PuzzleWish::default() }));
        player.send(PageRequest::Menu(Menu::None));
        let mut seen = vec![before];
        for _ in 0..count.min(3) {
            player.until("one of the theme", |world| {
                let puzzling = world.resource::<Puzzling>();
                let session = puzzling.session().unwrap();
                puzzle_stage(world) == Some(PuzzleStage::Find)
                    && Some(&session.index) != seen.last()
                    && session.themes.contains(&theme)
            });
            seen.push(player.app.world().resource::<Puzzling>().session().unwrap().index);
            player.send(PuzzleStep::Next);
        }
        assert!(count > 3 && seen.len() == 4, "{count}");
    }
}

#[test]
fn in_a_timed_run_puzzles_follow_each_other_and_only_the_best_result_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    puzzle(&mut player, PuzzleStep::Open("gomoku"));
    let tally = |world: &World| {
        let run = world.resource::<Puzzling>().run().unwrap();
        (run.solved, run.missed, run.over)
    };
    let next = |player: &mut Player, tally_is: (u32, u32, bool)| {
        player.until("the next puzzle of the run", |world| {
            world.resource::<Puzzling>().run().is_some()
                && tally(world) == tally_is
                && puzzle_stage(world) == Some(PuzzleStage::Find)
                && phase(world) == Some(Phase::Human)
                && world.query::<&Moving>().iter(world).count() == 0
        });
        let session = player.app.world().resource::<Puzzling>().session().unwrap();
        (session.puzzle.solution(player.current().table()).unwrap().line, session.puzzle.asked)
    };
    player.send(PuzzleStep::Run(true));
    player.frame();
    for solved in 0..2 {
        let (line, asked) = next(&mut player, (solved, 0, false));
        for action in line.iter().step_by(2).take(asked) {
            player.until("the turn", |world| {
                puzzle_stage(world) == Some(PuzzleStage::Find) && world.query::<&Moving>().iter(world).count() == 0
            });
            player.click(action.target().unwrap());
        }
    }
    // A wrong move, and one that is left out; there is no help.
    let (line, _) = next(&mut player, (2, 0, false));
    player.send(PuzzleStep::Hint);
    player.send(PuzzleStep::Show);
    assert_eq!(puzzle_stage(player.app.world()), Some(PuzzleStage::Find));
    let five = |table: &dyn qiju_core::table::Table, action| {
        let mut table = table.boxed_clone();
        table.play(action).is_ok() && table.outcome().is_some()
    };
    let shown = player.current().shown().boxed_clone();
    let wrong = *shown.actions().iter().find(|action| **action != line[0] && !five(&*shown, **action)).unwrap();
    player.click(wrong.target().unwrap());
    next(&mut player, (2, 1, false));
    player.send(PuzzleStep::Next);
    next(&mut player, (2, 2, false));
    player.send(PuzzleStep::Run(false));
    player.frame();
    assert_eq!(tally(player.app.world()), (2, 2, true));
    let progress = player.app.world().resource::<PlayerProgress>().of_puzzles("gomoku");
    assert_eq!((progress.best_run, progress.tried, progress.returning()), (2, 0, 0));
    // Then single puzzles count again.
    puzzle(&mut player, PuzzleStep::Next);
    assert!(player.app.world().resource::<Puzzling>().run().is_none());
    player.send(PuzzleStep::Show);
    player.until("the result", |world| world.resource::<PlayerProgress>().of_puzzles("gomoku").tried == 1);
}

#[test]
fn a_wrong_move_in_a_puzzle_is_taken_back_and_hints_lead_to_the_solution() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 1.0);
    let (first, line) = puzzle(&mut player, PuzzleStep::Open("two-eat-one"));
    let start = player.current().shown().position_text();
    let wrong = *player.current().shown().actions().iter().find(|action| **action != line[0]).unwrap();
    assert_eq!(try_in_puzzle(&mut player, wrong), PuzzleStage::Wrong);
    player.assert_pieces_agree();
    assert_eq!(player.current().shown().position_text(), start);
    // The best reply to it was shown.
    let session = player.app.world().resource::<Puzzling>().session().unwrap();
    let miss = session.miss.as_ref().unwrap();
    assert!(
        matches!(miss.reason(), Some(MissReason::Loses | MissReason::Draws | MissReason::WinsOtherwise)),
        "{:?}",
        miss.reason()
    );
    let mut after = player.current().table().boxed_clone();
    after.play(wrong).unwrap();
    after.play(miss.reply().unwrap()).unwrap();
    assert_eq!(miss.texts(Notation::Uci).len(), 2);
    let results = |player: &Player| {
        let progress = player.app.world().resource::<PlayerProgress>().of_puzzles("two-eat-one");
        (progress.solved, progress.tried, progress.returning())
    };
    assert_eq!(results(&player), (0, 1, 1));
    // It can be solved now, but not at the first try.
    let asked = player.app.world().resource::<Puzzling>().session().unwrap().puzzle.asked;
    for action in line.iter().step_by(2).take(asked) {
        try_in_puzzle(&mut player, *action);
    }
    assert_eq!(puzzle_stage(player.app.world()), Some(PuzzleStage::Solved));
    assert_eq!(results(&player), (0, 1, 1));
    // The engine gives no hints, and taking back browses the solution.
    player.send(AnalysisRequest::Switch);
    assert!(!player.app.world().resource::<Analysis>().is_on());
    let ply = player.current().shown().ply();
    player.send(CursorRequest::Undo);
    assert_eq!(player.current().shown().ply(), ply - 1);

    // Where the result is not exact, a search finds the reply.
    for game in ["xiangqi", "gomoku"] {
        let (_, line) = puzzle(&mut player, PuzzleStep::Open(game));
        let wrong = *player.current().shown().actions().iter().find(|action| **action != line[0]).unwrap();
        assert_eq!(try_in_puzzle(&mut player, wrong), PuzzleStage::Wrong, "{game}");
        player.assert_pieces_agree();
        let session = player.app.world().resource::<Puzzling>().session().unwrap();
        let miss = session.miss.as_ref().unwrap();
        assert!(miss.reason().is_some() && miss.reply().is_some(), "{game}");
    }
    puzzle(&mut player, PuzzleStep::Open("two-eat-one"));

    // Hints: the piece, the move, the solution.
    let (second, line) = puzzle(&mut player, PuzzleStep::Next);
    assert_ne!(first, second);
    player.key(KeyCode::Space);
    let hint = |player: &Player| (player.app.world().resource::<Hint>().at, player.app.world().resource::<Hint>().shown);
    assert_eq!(hint(&player), (line[0].origin(), None));
    player.key(KeyCode::Space);
    assert_eq!(hint(&player), (line[0].origin(), Some(line[0])));
    player.key(KeyCode::Space);
    player.until("the solution", |world| puzzle_stage(world) == Some(PuzzleStage::Shown));
    assert_eq!(results(&player), (0, 2, 2));
    let session = player.app.world().resource::<Puzzling>().session().unwrap();
    assert_eq!(session.solution().len(), line.len());
    // Leaving a puzzle unsolved does not count; started again it is the same puzzle from its beginning.
    puzzle(&mut player, PuzzleStep::Next);
    assert_eq!(results(&player), (0, 2, 2));
    player.send(BeginRequest::Rematch(false));
    player.until("afresh", |world| puzzle_stage(world) == Some(PuzzleStage::Find));
    player.assert_pieces_agree();
}
