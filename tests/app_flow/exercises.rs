//! What is asked again: own mistakes, own openings, the moves of a game.

use super::{Player, computer, reviewed};
use crate::driver::Phase;
use bevy::input::keyboard::KeyCode;
use bevy::prelude::*;
use qiju::app::activities::guess::{GuessRequest, GuessStage, Guessing};
use qiju::app::activities::mistakes::Practice;
use qiju::app::activities::repertoire::{CourseStage, OpenGaps, Training};
use qiju::app::activities::study::Learn;
use qiju::app::explore::BetterStage;
use qiju::app::home::Home;
use qiju::app::kept::Change;
use qiju::app::mistakes::Mistakes;
use qiju::app::platform::today;
use qiju::app::play::CurrentMatch;
use qiju::app::repertoires::Repertoires;
use qiju::app::requests::{
    CursorRequest, Effort, Go, LearnStep, MistakeStep, PageRequest, ReadRequest, RepertoireDrill, RepertoireStep, ReviewRequest,
    StudyPage, StudyRequest, TreePart,
};
use qiju::app::settings::Settings;
use qiju::app::setup::Purpose;
use qiju::app::state::{Menu, Screen};
use qiju::app::view::Moving;
use qiju_core::record::data::{Data, Kind};
use qiju_core::record::{SeatSpec, data};
use qiju_core::rules::Side;
use qiju_core::search::Known;
use qiju_core::table::Judgement;

#[test]
fn mistakes_are_replayed_until_a_better_move_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    player.start("tic-tac-toe", SeatSpec::Human, SeatSpec::Human);
    for text in ["b2", "b1", "a1", "c1", "c3"] {
        let action = player.current().table().read(text).unwrap();
        player.play(action);
        player.settle();
    }
    player.send(ReviewRequest::Show);
    reviewed(&mut player);
    let stage = |world: &World| world.resource::<Learn>().stage(world.resource::<CurrentMatch>());
    player.send(LearnStep::Begin(Side::First));
    assert_eq!(stage(player.app.world()), None, "the first side made no mistake");
    player.send(LearnStep::Begin(Side::Second));
    assert_eq!(stage(player.app.world()), Some(BetterStage::Find));
    assert_eq!(player.current().shown().ply(), 1);
    // The move that was played is not better, and is taken back.
    let point = |text: &str| player.current().shown().read(text).unwrap().target().unwrap();
    let (bad, good) = (point("b1"), point("c3"));
    player.click(bad);
    player.until("the word on the bad move", |world| stage(world) == Some(BetterStage::Wrong));
    assert_eq!(player.current().shown().ply(), 1);
    // Another corner is as good as the one the review names.
    player.click(good);
    player.until("the word", |world| matches!(stage(world), Some(BetterStage::AsGood | BetterStage::Best)));
    assert_eq!(player.app.world().resource::<Learn>().progress(), (1, 1, 0), "it was not found at once");
    player.send(LearnStep::Next);
    assert_eq!(stage(player.app.world()), None);
    assert_eq!(player.current().played().sketch(), None);
    // The better move can be shown, and Escape leaves it.
    player.send(LearnStep::Begin(Side::Second));
    player.send(LearnStep::Show);
    assert_eq!(stage(player.app.world()), Some(BetterStage::Shown));
    assert_eq!(player.current().shown().ply(), 2);
    player.key(KeyCode::Escape);
    player.frame();
    assert_eq!((stage(player.app.world()), player.current().played().sketch()), (None, None));
    player.assert_pieces_agree();
    // So does another page, which would tell it, and the match's own panel.
    for page in [Some(StudyPage::Analysis), None] {
        player.send(StudyRequest(Some(StudyPage::Review)));
        player.send(LearnStep::Begin(Side::Second));
        assert_eq!(stage(player.app.world()), Some(BetterStage::Find));
        player.send(StudyRequest(page));
        player.frame();
        assert_eq!((stage(player.app.world()), player.current().played().sketch()), (None, None), "{page:?}");
    }
}

/// How it stands with the exercise on the board.
fn exercise_stage(world: &World) -> Option<BetterStage> {
    let current = world.get_resource::<CurrentMatch>()?;
    let exercise = world.resource::<Practice>().shown(current).filter(|exercise| exercise.is_shown(current))?;
    exercise.stage()
}

/// Asks what is due, and waits for the first of it.
fn practise(player: &mut Player) {
    player.send(MistakeStep::Begin(None));
    player.until("an exercise", |world| exercise_stage(world) == Some(BetterStage::Find));
    player.until("its pieces", |world| world.query::<&Moving>().iter(world).count() == 0);
    player.frame();
}

/// How it stands with the repertoire that is asked on the board, once the pieces are at rest.
fn course_stage(world: &mut World) -> Option<CourseStage> {
    let rests = world.query::<&Moving>().iter(world).count() == 0;
    let current = world.get_resource::<CurrentMatch>()?;
    let course = world.resource::<Training>().shown(current).filter(|course| course.is_shown(current) && rests)?;
    Some(course.stage())
}

/// Opens a game from its text and adds its moves to the repertoire of the first side. The name of the repertoire.
fn own_moves(player: &mut Player, text: &str, part: TreePart) -> String {
    player.send(ReadRequest::Paste(text.to_owned()));
    player.until("the game", |world| *world.resource::<State<Screen>>().get() == Screen::Match);
    player.send(RepertoireStep::Open);
    player.frame();
    assert!(matches!(*player.app.world().resource::<State<Menu>>().get(), Menu::Page(_)));
    player.send(RepertoireStep::Add(Side::First, part));
    player.until("the repertoire", |world| !world.resource::<Repertoires>().all.is_empty());
    player.app.world().resource::<Repertoires>().all.keys().next().unwrap().clone()
}

/// Plays a move where one is asked.
fn try_move(player: &mut Player, text: &str) {
    let action = player.current().shown().read(text).unwrap();
    player.send(CursorRequest::Try(action));
}

#[test]
fn own_openings_are_asked_and_their_gaps_are_filled() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    let text = r#"(game:"xiangqi",moves:["h2e2","h9g7","h0g2"],variations:[(after:1,moves:["h7e7","h0g2"])])"#;
    let name = own_moves(&mut player, text, TreePart::Whole);
    let due = |player: &Player| player.app.world().resource::<Repertoires>().due(None, today());
    assert_eq!(due(&player), 3);
    // What leads to the position that is shown is there already.
    player.send(RepertoireStep::Add(Side::First, TreePart::Line));
    player.frame();
    assert_eq!(player.app.world().resource::<Repertoires>().all[&name].len(), 3);

    player.send(RepertoireStep::Train(name.clone(), RepertoireDrill::Due));
    player.until("the first position", |world| course_stage(world) == Some(CourseStage::Asked));
    assert_eq!((player.current().purpose(), player.current().shown().ply()), (Purpose::Repertoire, 0));
    // Another move is taken back, and the position comes back tomorrow. The mirrored one is as good.
    try_move(&mut player, "c3c4");
    player.until("that it is wrong", |world| course_stage(world) == Some(CourseStage::Wrong));
    player.frame();
    player.assert_pieces_agree();
    assert_eq!((player.current().shown().ply(), due(&player)), (0, 2));
    try_move(&mut player, "b2e2");
    player.until("the second position", |world| course_stage(world) == Some(CourseStage::Asked));
    assert_eq!(player.current().shown().ply(), 2);
    try_move(&mut player, "b0c2");
    player.until("the end of the line", |world| course_stage(world) == Some(CourseStage::LineOver));
    player.frame();
    assert_eq!(due(&player), 1);
    // In the next line only what is still to be asked is asked.
    player.key(KeyCode::KeyN);
    player.until("the third position", |world| course_stage(world) == Some(CourseStage::Asked));
    assert_eq!((player.current().shown().ply(), player.current().table().ply()), (2, 0));
    player.send(RepertoireStep::Show);
    player.until("the end", |world| course_stage(world) == Some(CourseStage::Over));
    player.frame();
    player.assert_pieces_agree();
    let progress = player.app.world().resource::<Training>().shown(player.current()).unwrap().progress();
    assert_eq!((progress, due(&player)), ((3, Some(3), 1), 0));
    player.key(KeyCode::KeyN);
    player.until("the title", |world| *world.resource::<State<Screen>>().get() == Screen::Title);
    player.until("the page", |world| matches!(*world.resource::<State<Menu>>().get(), Menu::Page(_)));

    // What others play in the games of the engine has no answer; one is given.
    player.send(RepertoireStep::Gaps(name.clone()));
    player.until("the gaps", |world| world.resource::<OpenGaps>().of(&name).is_some());
    let gaps = player.app.world().resource::<OpenGaps>().of(&name).unwrap().len();
    assert!(gaps > 1, "{gaps}");
    player.send(RepertoireStep::Fill(0));
    player.until("the answer", |world| world.resource::<Repertoires>().all[&name].len() == 4);
    player.frame();
    assert_eq!((player.app.world().resource::<OpenGaps>().of(&name).unwrap().len(), due(&player)), (gaps - 1, 1));
    // It can be removed and brought back, and is there after a restart.
    player.send(RepertoireStep::Remove(name.clone()));
    player.frame();
    assert!(player.app.world().resource::<Repertoires>().all.is_empty());
    player.send(RepertoireStep::Restore);
    player.frame();
    let kept = player.app.world().resource::<Repertoires>().clone();
    drop(player);
    let player = Player::reopened_in(folder.path());
    assert_eq!(*player.app.world().resource::<Repertoires>(), kept);
    assert_eq!((kept.all.len(), kept.next_day(today())), (1, Some(today() + 1)));
}

#[test]
fn own_openings_stand_the_test_of_a_proof() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    let name = own_moves(&mut player, r#"(game:"gomoku",moves:["h8","i9"])"#, TreePart::Line);
    player.send(RepertoireStep::Train(name, RepertoireDrill::Proof));
    let asked = |ply: usize| {
        move |world: &mut World| {
            course_stage(world) == Some(CourseStage::Asked) && world.resource::<CurrentMatch>().shown().ply() == ply
        }
    };
    player.until("the first stone", asked(0));
    try_move(&mut player, "h8");
    player.until("the defence", asked(2));
    let left = |player: &Player| player.app.world().resource::<Training>().shown(player.current()).unwrap().moves_left();
    let before = left(&player).unwrap();
    // A stone in the corner throws the win away.
    try_move(&mut player, "a15");
    player.until("that it is wrong", |world| course_stage(world) == Some(CourseStage::Wrong));
    player.send(RepertoireStep::Show);
    player.until("the next defence", |world| matches!(course_stage(world), Some(CourseStage::Asked | CourseStage::LineOver)));
    assert!(left(&player).unwrap() < before);
    // Escape leads back to the page.
    player.key(KeyCode::Escape);
    player.until("the page", |world| matches!(*world.resource::<State<Menu>>().get(), Menu::Page(_)));
}

fn mistakes(player: &Player) -> &Mistakes {
    player.app.world().resource::<Mistakes>()
}

#[test]
fn an_own_mistake_is_asked_again_on_the_days_of_its_schedule() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home(folder.path().to_path_buf());
    let mut player = Player::opened_in(folder.path(), 0.0);
    player.start("tic-tac-toe", computer(10), SeatSpec::Human);
    player.settle();
    let before = player.current().table().position_text();
    // A move that loses, and then any.
    let solution = player.current().table().capabilities().solution.unwrap();
    let verdicts = solution.verdicts_now(player.current().table()).unwrap();
    let bad = verdicts.iter().find(|(_, verdict)| verdict.known == Known::Loss).unwrap().0;
    player.play(bad);
    player.settle();
    while player.phase() == Some(Phase::Human) {
        let any = player.current().table().actions()[0];
        player.play(any);
        player.settle();
    }
    assert!(mistakes(&player).positions.is_empty(), "it was not reviewed");
    for _ in 0..2 {
        player.send(ReviewRequest::With(Effort::Quick));
        reviewed(&mut player);
        player.until("the mistake", |world| !world.resource::<Mistakes>().positions.is_empty());
        assert_eq!(mistakes(&player).positions.len(), 1, "none is there twice");
    }
    player.send(PageRequest::Title);
    player.until("the title", |world| *world.resource::<State<Screen>>().get() == Screen::Title);
    player.send(MistakeStep::Open);
    player.frame();
    assert!(matches!(*player.app.world().resource::<State<Menu>>().get(), Menu::Page(_)));
    assert_eq!(mistakes(&player).due(None, today()).len(), 1);

    // The same move is wrong again: what it loses is told, and it is taken back.
    practise(&mut player);
    assert_eq!((player.current().purpose(), player.current().shown().position_text()), (Purpose::Mistake, before.clone()));
    player.click(bad.target().unwrap());
    player.until("the word on it", |world| exercise_stage(world) == Some(BetterStage::Wrong));
    player.frame();
    player.assert_pieces_agree();
    assert_eq!(player.current().shown().position_text(), before);
    let exercise = player.app.world().resource::<Practice>().shown(player.current()).unwrap();
    assert_eq!(exercise.task().unwrap().verdict().map(|verdict| verdict.judgement), Some(Judgement::Blunder));
    let missed = mistakes(&player).positions.values().next().unwrap().memory.unwrap();
    assert_eq!((missed.seen, missed.due), (today(), today() + 1));
    // Every move that does not lose is as good as the best one. It was not found at once.
    let good = verdicts.iter().find(|(_, verdict)| verdict.known == Known::Draw).unwrap().0;
    player.click(good.target().unwrap());
    player.until("the word", |world| exercise_stage(world).is_some_and(BetterStage::is_over));
    player.frame();
    assert_eq!(player.app.world().resource::<Practice>().progress(), (1, 1, 0));
    // The moves that led there and the better line can be looked at; the match itself is empty.
    player.send(CursorRequest::Go(Go::Start));
    assert_eq!((player.current().cursor(), player.current().table().ply()), (qiju_core::table::Tree::ROOT, 0));
    player.send(CursorRequest::Go(Go::End));
    assert!(player.current().shown().ply() >= 2);
    player.key(KeyCode::KeyN);
    player.until("the title", |world| *world.resource::<State<Screen>>().get() == Screen::Title);
    assert!(mistakes(&player).due(None, today()).is_empty());

    // The program is killed; the day is kept, and in the file of all data as well.
    let kept = mistakes(&player).clone();
    drop(player);
    let player = Player::reopened_in(folder.path());
    assert_eq!(*mistakes(&player), kept);
    drop(player);
    let other = tempfile::tempdir().unwrap();
    let (all, there) = (Data::of(&*home.storage()).unwrap(), Home(other.path().to_path_buf()).storage());
    assert_eq!(all.count(Kind::Mistakes), 1);
    data::stage(&*there, &all).unwrap();
    data::finish(&there).unwrap().unwrap();
    let mut player = Player::reopened_in(other.path());
    assert_eq!(*mistakes(&player), kept);

    // On its day the right move at once makes the pause longer.
    player.send(Change::new(|mistakes: &mut Mistakes| {
        for memory in mistakes.positions.values_mut().filter_map(|mistake| mistake.memory.as_mut()) {
            (memory.seen, memory.due) = (memory.seen - 1, memory.due - 1);
        }
    }));
    player.frame();
    practise(&mut player);
    player.click(good.target().unwrap());
    player.until("the word", |world| exercise_stage(world).is_some_and(BetterStage::is_over));
    player.until("the day", |world| world.resource::<Mistakes>().due(None, today()).is_empty());
    assert_eq!(player.app.world().resource::<Practice>().progress(), (1, 1, 1));
    let known = mistakes(&player).positions.values().next().unwrap().memory.unwrap();
    assert!(known.due > today() && known.stability > missed.stability, "{known:?}");
    player.key(KeyCode::Escape);
    player.until("the title", |world| *world.resource::<State<Screen>>().get() == Screen::Title);
}

#[test]
fn in_games_from_elsewhere_the_player_is_known_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    let game = "(game: \"tic-tac-toe\", seats: (first: External(name: \"Li Na\"), second: External(name: \"Wang Wei\")), \
                moves: [\"b2\", \"b1\", \"a1\", \"c1\", \"c3\"])";
    player.send(ReadRequest::Paste(game.to_owned()));
    player.until("the game", |world| *world.resource::<State<Screen>>().get() == Screen::Match);
    player.send(ReviewRequest::With(Effort::Quick));
    reviewed(&mut player);
    player.frame();
    let names = |player: &mut Player, names: &'static str| {
        player.send(Change::new(move |settings: &mut Settings| settings.my_names = names.to_owned()));
        for _ in 0..3 {
            player.frame();
        }
        mistakes(player).positions.len()
    };
    // The first side made no mistake.
    assert_eq!((names(&mut player, ""), names(&mut player, "Li Na"), names(&mut player, "weiwang, wang wei")), (0, 0, 1));
    let mistake = mistakes(&player).positions.values().next().unwrap();
    assert_eq!((mistake.moves.join(" "), mistake.played.as_str()), ("b2".to_owned(), "b1"));
}

#[test]
fn the_moves_of_a_game_are_guessed_and_compared_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::opened_in(folder.path(), 0.0);
    let game = "(game: \"tic-tac-toe\", seats: (first: External(name: \"A\"), second: External(name: \"B\")), \
                moves: [\"b2\", \"b1\", \"a1\", \"c3\", \"a3\", \"a2\", \"c1\"])";
    player.send(ReadRequest::Paste(game.to_owned()));
    player.until("the game", |world| *world.resource::<State<Screen>>().get() == Screen::Match);
    let stage = |world: &World| world.resource::<Guessing>().stage(world.resource::<CurrentMatch>());
    player.key(KeyCode::KeyG);
    assert_eq!(stage(player.app.world()), Some(GuessStage::Choose));
    player.send(GuessRequest::Begin(Side::Second));
    player.until("the first guess", |world| stage(world) == Some(GuessStage::Find));
    assert_eq!(player.current().shown().ply(), 1);
    // The keys do not tell what was played.
    player.key(KeyCode::ArrowRight);
    assert_eq!(player.current().shown().ply(), 1);
    // The move of the game loses; a corner does not.
    let point = |player: &Player, text: &str| player.current().shown().read(text).unwrap().target().unwrap();
    let corner = point(&player, "a3");
    player.click(corner);
    player.until("the word", |world| stage(world) == Some(GuessStage::Told));
    let guess = player.app.world().resource::<Guessing>().guesses()[0].clone();
    assert!(guess.is_better() && !guess.is_same, "{guess:?}");
    assert_eq!((guess.own.judgement.is_error(), guess.played.judgement), (false, Judgement::Blunder));
    // It goes on from the move of the game, and the other side answers.
    player.key(KeyCode::KeyN);
    player.until("the second guess", |world| stage(world) == Some(GuessStage::Find));
    assert_eq!((player.current().shown().ply(), player.app.world().resource::<Guessing>().progress()), (3, (2, 3)));
    player.assert_pieces_agree();
    let same = point(&player, "c3");
    player.click(same);
    player.until("the word", |world| stage(world) == Some(GuessStage::Told));
    assert!(player.app.world().resource::<Guessing>().guesses()[1].is_same);
    player.send(GuessRequest::Next);
    player.until("the third guess", |world| stage(world) == Some(GuessStage::Find));
    // One can be looked at without a guess.
    player.send(GuessRequest::Show);
    player.frame();
    assert_eq!((stage(player.app.world()), player.current().shown().ply()), (Some(GuessStage::Told), 6));
    player.send(GuessRequest::Next);
    player.until("the end", |world| stage(world) == Some(GuessStage::Over));
    let guessing = player.app.world().resource::<Guessing>();
    let (own, played) = guessing.accuracies();
    assert!(guessing.guesses().len() == 2 && own > played, "{own} {played}");
    // Nothing of it stays in the game.
    player.send(GuessRequest::End);
    player.frame();
    assert_eq!((stage(player.app.world()), player.current().played().sketch()), (None, None));
    assert_eq!(player.current().tree().lines().count(), 1);
    player.assert_pieces_agree();
    // Escape ends it as well.
    player.key(KeyCode::KeyG);
    player.send(GuessRequest::Begin(Side::First));
    player.until("a guess", |world| stage(world) == Some(GuessStage::Find));
    player.key(KeyCode::Escape);
    player.frame();
    assert_eq!((stage(player.app.world()), player.current().played().sketch()), (None, None));
}
