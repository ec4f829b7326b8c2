//! The search laboratory: the search step by step, the places of the nodes, the guided experiments whose figures are checked by searching, and the page
//! without a window.

#[cfg(feature = "gui")]
mod driver;

use qiju_core::games;
use qiju_core::search::{NodeEnd, PlainKind, StopToken, Value};
use qiju_core::study::laboratory::{Bench, Experiment, Figures, Playback, Seen, Stage, TreeLayout};
use qiju_core::table::{Notation, SearchTree, Setup, Table, TreeRequest};
use std::process::Command;
use std::sync::Arc;

/// Game, moves played first, depth, width.
const TREES: &[(&str, &str, u16, Option<u16>)] = &[
    ("tic-tac-toe", "b2", 4, None),
    ("tic-tac-toe", "b2 a1 c3", 6, None),
    ("xiangqi", "h2e2 h9g7", 3, Some(5)),
    ("gomoku", "h8 i9 h7 h9", 3, Some(6)),
    ("two-eat-one", "", 4, None),
];

fn table(game: &str, position: Option<&str>, moves: &str) -> Box<dyn Table> {
    let setup = Setup { variant: None, position: position.map(str::to_owned) };
    let mut table = games::find(game).unwrap().table(&setup).unwrap();
    for text in moves.split_whitespace() {
        let action = table.read(text).unwrap();
        table.play(action).unwrap();
    }
    table
}

fn request(kind: PlainKind, depth: u16, width: Option<u16>) -> TreeRequest {
    TreeRequest { width, ..TreeRequest::new(kind, depth, 300_000) }
}

fn trees() -> impl Iterator<Item = (String, Arc<SearchTree>)> {
    TREES.iter().flat_map(|&(game, moves, depth, width)| {
        PlainKind::ALL.into_iter().flat_map(move |kind| {
            [false, true].map(|deepening| {
                let request = TreeRequest { deepening, ..request(kind, depth, width) };
                let tree = table(game, None, moves).search_tree(&request, &StopToken::new()).unwrap();
                (format!("{game} {kind:?} {deepening}"), Arc::new(tree))
            })
        })
    })
}

/// Everything that is known at a moment.
fn moment(playback: &Playback) -> (usize, usize, Option<u32>, Vec<Seen>) {
    let nodes = playback.tree().nodes.len() as u32;
    (playback.opened(), playback.cutoffs(), playback.current(), (0..nodes).map(|node| playback.seen(node)).collect())
}

#[test]
fn a_step_back_is_the_reverse_of_a_step_forward() {
    for (name, tree) in trees().filter(|(_, tree)| tree.nodes.len() < 400) {
        let mut playback = Playback::new(tree);
        let mut moments = vec![moment(&playback)];
        while !playback.is_over() {
            playback.go(playback.at() + 1);
            moments.push(moment(&playback));
        }
        for step in (0..playback.steps()).rev() {
            playback.go(step);
            assert!(moment(&playback) == moments[step], "{name}: back to {step}");
        }
        // Leaps arrive where single steps do.
        for (from, to) in [(0, 7), (playback.steps(), 3), (5, playback.steps() / 2), (2, usize::MAX)] {
            playback.go(from);
            playback.go(to);
            assert!(moment(&playback) == moments[to.min(playback.steps())], "{name}: from {from} to {to}");
        }
    }
}

#[test]
fn at_the_end_everything_is_as_the_searcher_left_it() {
    for (name, tree) in trees() {
        let mut playback = Playback::new(tree.clone());
        assert_eq!((playback.opened(), playback.current()), (0, None), "{name}");
        playback.go(usize::MAX);
        assert_eq!((playback.opened() as u64, playback.cutoffs() as u64), (tree.nodes.len() as u64, tree.cutoffs), "{name}");
        for (id, node) in (0..).zip(&tree.nodes) {
            assert_eq!(playback.seen(id), Seen { stage: Stage::Closed, best: Some(node.score) }, "{name}");
        }
        for nodes in [1, 2, tree.nodes.len() / 2, tree.nodes.len()] {
            playback.go_to_nodes(nodes);
            assert_eq!(playback.opened(), nodes, "{name}");
        }
        let cut = playback.first_cut();
        assert_eq!(cut.is_some(), tree.nodes.iter().any(|node| matches!(node.end, NodeEnd::CutOff(1..))), "{name}");
        if let Some(step) = cut {
            playback.go(step);
            let node = &tree.nodes[playback.current().unwrap() as usize];
            assert!(matches!(node.end, NodeEnd::CutOff(1..)), "{name}");
            let (_, beta) = node.window.unwrap();
            assert!(node.score >= beta, "{name}: a cut-off has its reason");
        }
    }
}

#[test]
fn nodes_do_not_overlap_and_parents_stand_above_their_children() {
    for (name, tree) in trees() {
        let layout = TreeLayout::of(&tree);
        let x = |node: u32| layout.x[node as usize];
        assert_eq!(layout.rows.iter().map(Vec::len).sum::<usize>(), tree.nodes.len(), "{name}");
        let (mut least, mut most) = (f32::INFINITY, f32::NEG_INFINITY);
        for (row, nodes) in layout.rows.iter().enumerate() {
            // The ends of branches that were not searched stand among the nodes of the row below.
            let above = row.checked_sub(1).map(|above| layout.cuts[above].as_slice()).unwrap_or_default();
            let mut places: Vec<f32> = nodes.iter().map(|node| x(*node)).chain(above.iter().map(|(_, x)| *x)).collect();
            assert!(nodes.windows(2).all(|pair| x(pair[0]) < x(pair[1])), "{name}: the order of the row");
            places.sort_by(f32::total_cmp);
            let narrow = places.windows(2).find(|pair| pair[1] - pair[0] < 0.99);
            assert_eq!(narrow, None, "{name}: row {row}");
            least = least.min(places[0]);
            most = most.max(places[places.len() - 1]);
        }
        assert!(least.abs() < 0.01 && (most - layout.width).abs() < 0.01, "{name}: {least} {most} {}", layout.width);
        for (id, node) in (0..).zip(&tree.nodes) {
            let children: Vec<u32> = tree.children(id).collect();
            assert_eq!(layout.children(id, node.ply), children, "{name}");
            let cut = layout.cuts[usize::from(node.ply)].iter().find(|(of, _)| *of == id).map(|(_, x)| *x);
            let last = cut.or(children.last().map(|child| x(*child)));
            if let (Some(first), Some(last)) = (children.first(), last) {
                let middle = (x(*first) + last) / 2.0;
                assert!((x(id) - middle).abs() < 0.02, "{name}: {} is not above {middle}", x(id));
            }
        }
        for row in 0..layout.rows.len() {
            for node in &layout.rows[row] {
                assert_eq!(layout.nearest(row, x(*node) + 0.3), Some(*node), "{name}");
            }
        }
    }
}

#[test]
fn iterative_deepening_has_a_tree_for_each_depth() {
    for &(game, moves, depth, width) in TREES {
        let table = table(game, None, moves);
        let stop = StopToken::new();
        for kind in PlainKind::ALL {
            let direct = table.search_tree(&request(kind, depth, width), &stop).unwrap();
            let whole = TreeRequest { deepening: true, ..request(kind, depth, width) };
            let stepwise = table.search_tree(&whole, &stop).unwrap();
            assert_eq!(stepwise.roots().count(), usize::from(depth), "{game} {kind:?}");
            assert_eq!(direct.roots().count(), 1);
            assert_eq!(stepwise.value(), direct.value(), "{game} {kind:?}");
            if kind != PlainKind::Table {
                // Without a table nothing is remembered: every depth is searched as if it were the only one.
                let alone = |depth| table.tree_size(&request(kind, depth, width), &stop).unwrap().nodes;
                assert_eq!(stepwise.nodes.len() as u64, (1..=depth).map(alone).sum::<u64>(), "{game} {kind:?}");
                let last = stepwise.roots().last().unwrap();
                assert_eq!(stepwise.nodes.len() - last as usize, direct.nodes.len(), "{game} {kind:?}");
            }
        }
    }
}

#[test]
fn sizes_are_those_of_the_trees_and_of_the_command_line() {
    for &(game, moves, depth, width) in TREES {
        let table = table(game, None, moves);
        for kind in PlainKind::ALL {
            let request = request(kind, depth, width);
            let tree = table.search_tree(&request, &StopToken::new()).unwrap();
            let size = table.tree_size(&request, &StopToken::new()).unwrap();
            assert_eq!((size.nodes, size.cutoffs), (tree.nodes.len() as u64, tree.cutoffs), "{game} {kind:?}");
            assert_eq!(Some(size.value), tree.value(), "{game} {kind:?}");
            let mut command = Command::new(env!("CARGO_BIN_EXE_qiju"));
            command.args(["tree", game, "--depth", &depth.to_string(), "--algorithm", kind.key(), "--moves", moves, "--json"]);
            if let Some(width) = width {
                command.args(["--width", &width.to_string()]);
            }
            let output = String::from_utf8(command.output().unwrap().stdout).unwrap();
            let counts: serde_json::Value = serde_json::from_str(output.lines().last().unwrap()).unwrap();
            assert_eq!((counts["nodes"].as_u64(), counts["cutoffs"].as_u64()), (Some(size.nodes), Some(size.cutoffs)), "{game}");
        }
    }
}

#[test]
fn only_the_ordered_searches_change_the_order_of_the_moves() {
    let table = table("xiangqi", None, "h2e2 h9g7");
    let first_row = |kind| {
        let tree = table.search_tree(&request(kind, 1, Some(6)), &StopToken::new()).unwrap();
        tree.children(0).map(|child| tree.nodes[child as usize].mv.clone().unwrap().1).collect::<Vec<_>>()
    };
    let (plain, ordered) = (first_row(PlainKind::AlphaBeta), first_row(PlainKind::Ordered));
    let sorted = |mut moves: Vec<String>| {
        moves.sort_unstable();
        moves
    };
    assert_ne!(plain, ordered);
    assert_eq!(sorted(plain.clone()), sorted(ordered), "the same moves");
    let generated: Vec<String> = table.actions().iter().map(|action| table.write(*action, Notation::Uci).unwrap()).collect();
    let mut places = plain.iter().map(|text| generated.iter().position(|other| other == text).unwrap());
    assert!(places.clone().is_sorted(), "{:?}", places.by_ref().collect::<Vec<_>>());
}

#[test]
fn a_size_is_counted_far_beyond_what_is_drawn_and_can_be_stopped() {
    let table = table("tic-tac-toe", None, "");
    let whole = TreeRequest::new(PlainKind::Negamax, 9, 1_000_000);
    assert_eq!(table.tree_size(&whole, &StopToken::new()).unwrap().nodes, 549_946);
    let error = table.tree_size(&TreeRequest { most: 5000, ..whole.clone() }, &StopToken::new()).unwrap_err();
    assert!(error.to_string().contains("more than 5000 nodes"), "{error}");
    let stop = StopToken::new();
    stop.stop();
    assert!(table.tree_size(&whole, &stop).unwrap_err().to_string().contains("stopped"));
}

fn bench_table(game: &str, bench: &Bench) -> Box<dyn Table> {
    table(game, bench.position.as_deref(), &bench.moves)
}

#[test]
fn what_the_experiments_say_is_so() {
    let experiments = Experiment::shipped().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(experiments.len(), 5);
    for experiment in &experiments {
        let name = &experiment.title.en;
        assert!((3..=6).contains(&experiment.steps.len()), "{name} has {} steps", experiment.steps.len());
        let tables: Vec<_> = experiment.benches.iter().map(|bench| bench_table(&experiment.game, bench)).collect();
        let figures = Figures::measure(experiment, &tables, Notation::Uci, &StopToken::new())
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let value = |value: Value| format!("{value:?}");
        for (index, step) in experiment.steps.iter().enumerate() {
            let mut sights = vec![step.sight];
            let mut texts = vec![&step.text];
            if let Some(question) = &step.question {
                assert!(question.right < question.options.len() && question.options.len() >= 2, "{name} {index}");
                assert!(!step.claims.is_empty(), "{name} {index}: the answer is not verified");
                sights.push(question.sight);
                texts.extend(question.options.iter().chain([&question.after]));
            }
            for claim in &step.claims {
                assert!(figures.bears_out(*claim), "{name} {index}: {claim:?} is not so: {:#?}", figures.0);
            }
            for sight in sights {
                assert!(figures.of(sight.0).is_some(), "{name} {index}: {sight:?}");
            }
            for text in texts {
                for text in [&text.zh, &text.en] {
                    let filled = figures.fill(text, &value);
                    assert!(!filled.contains(['{', '}']), "{name} {index}: {filled}");
                    println!("{name} {index}: {filled}");
                }
                assert_eq!(text.zh.matches('{').count(), text.en.matches('{').count(), "{name} {index}: {}", text.en);
            }
        }
    }
}

#[test]
fn the_win_in_the_experiment_on_threats_is_proven() {
    let experiments = Experiment::shipped().unwrap();
    let experiment = experiments.iter().find(|experiment| experiment.game == "gomoku").unwrap();
    let table = bench_table("gomoku", &experiment.benches[0]);
    let mut prover = table.capabilities().prover.unwrap()();
    let win = prover.prove(&*table, 2_000_000, &StopToken::new()).expect("a proof");
    assert!(win.plies > 3, "{win:?}: it is deeper than what the first search sees");
}

/// The page in the real plugins without a window.
#[cfg(feature = "gui")]
mod page {
    use super::driver::{self, MINUTE};
    use bevy::input::ButtonState;
    use bevy::input::keyboard::{Key, KeyboardInput, NativeKey};
    use bevy::prelude::*;
    use qiju::app::activities::laboratory::{LABORATORY, LabGo, LabWalk, LabWish, Laboratory, Lane, NoTree};
    use qiju::app::home::Home;
    use qiju::app::kept::Kept;
    use qiju::app::notices::Notices;
    use qiju::app::play::{CurrentMatch, MoveRequested};
    use qiju::app::requests::{AnyRequest, BeginRequest, CursorRequest, Go, PageRequest};
    use qiju::app::settings::Settings;
    use qiju::app::setup::{MatchSetup, Purpose};
    use qiju::app::state::{Menu, Screen};
    use qiju::app::words::Language;
    use qiju_core::record::SeatSpec;
    use qiju_core::rules::BySide;
    use qiju_core::search::PlainKind;
    use qiju_core::table::Setup;
    use std::path::Path;

    struct Player {
        app: App,
    }

    impl Player {
        fn sit_down(folder: &Path) -> Player {
            let home = Home(folder.to_path_buf());
            let settings = Settings { speed: 0.0, background_work: false, language: Some(Language::En), ..Settings::default() };
            settings.save(&home).unwrap();
            Player { app: driver::at_title(folder) }
        }

        fn until(&mut self, what: &str, so: impl FnMut(&mut World) -> bool) {
            driver::until(&mut self.app, 2 * MINUTE, what, so);
        }

        fn wish(&mut self, request: impl Into<AnyRequest>) {
            request.into().send(self.app.world_mut());
            for _ in 0..3 {
                self.app.update();
            }
        }

        fn ask(&mut self, wish: LabWish) {
            self.wish(wish);
        }

        fn lab(&self) -> &Laboratory {
            self.app.world().resource::<Laboratory>()
        }

        fn searched(&mut self) {
            self.until("all trees", |world| !world.resource::<Laboratory>().is_searching());
        }

        /// Waits for the tree that is drawn; the others may still be counted.
        fn drawn(&mut self) {
            self.until("the tree", |world| world.resource::<Laboratory>().playback().is_some());
        }

        fn menu(&self) -> Menu {
            *self.app.world().resource::<State<Menu>>().get()
        }

        fn is_open(&self) -> bool {
            self.menu() == Menu::Page(LABORATORY)
        }

        fn press(&mut self, key: KeyCode) {
            for state in [ButtonState::Pressed, ButtonState::Released] {
                driver::key(&mut self.app, key, state);
                for _ in 0..3 {
                    self.app.update();
                }
            }
        }

        fn start(&mut self, game: &'static str, purpose: Purpose, moves: &str) {
            let seats = BySide::new(SeatSpec::Human, SeatSpec::Human);
            let setup = MatchSetup { game, setup: Setup::default(), seats, control: BySide::default(), purpose };
            self.wish(BeginRequest::Start(setup));
            self.until("match", |world| world.get_resource::<CurrentMatch>().is_some_and(CurrentMatch::human_to_move));
            for word in moves.split_whitespace() {
                let table = self.app.world().resource::<CurrentMatch>().table();
                let (action, ply) = (table.read(word).unwrap(), table.ply());
                self.app.world_mut().write_message(MoveRequested { action, ply });
                self.until("the move", |world| {
                    let current = world.resource::<CurrentMatch>();
                    current.table().ply() > ply && current.human_to_move()
                });
            }
        }
    }

    #[test]
    fn a_search_is_opened_stepped_through_and_its_nodes_are_chosen() {
        let folder = tempfile::tempdir().unwrap();
        let mut player = Player::sit_down(folder.path());
        player.wish(PageRequest::Choose("tic-tac-toe"));
        player.ask(LabWish::Game("tic-tac-toe", "standard".to_owned()));
        assert!(player.is_open());
        player.searched();
        let lab = player.lab();
        assert_eq!((lab.setup().algorithm, lab.setup().depth, lab.setup().width), (PlainKind::AlphaBeta, 3, None));
        let sizes: Vec<u64> = lab.lanes().iter().map(|lane| lane.nodes().unwrap()).collect();
        assert_eq!(sizes[..2], [1 + 9 + 72 + 504; 2]);
        let playback = lab.playback().unwrap();
        assert_eq!((playback.opened(), playback.tree().nodes.len() as u64), (1, sizes[2]), "it begins with the root");

        player.ask(LabWish::Go(LabGo::Forward));
        player.ask(LabWish::Go(LabGo::Forward));
        player.ask(LabWish::Go(LabGo::Forward));
        assert_eq!(player.lab().playback().unwrap().opened(), 4, "down to the first leaf");
        player.ask(LabWish::Go(LabGo::Back));
        assert_eq!(player.lab().playback().unwrap().opened(), 3);
        player.ask(LabWish::Choose(Some(2)));
        let shown = player.lab().position_of(2).unwrap();
        assert_eq!((player.lab().chosen(), shown.pieces().len(), shown.ply()), (Some(2), 2, 2));
        player.ask(LabWish::Walk(LabWalk::Up));
        assert_eq!(player.lab().chosen(), Some(1));
        player.ask(LabWish::Walk(LabWalk::Down));
        assert_eq!(player.lab().chosen(), Some(2));
        // A node that is not open yet is not there.
        player.ask(LabWish::Choose(Some(40)));
        assert_eq!(player.lab().chosen(), None);
        player.ask(LabWish::Choose(Some(2)));
        player.ask(LabWish::Go(LabGo::Start));
        assert_eq!((player.lab().chosen(), player.lab().playback().unwrap().opened()), (None, 0));

        // Another algorithm is shown at the same number of nodes, or at its end.
        player.ask(LabWish::Go(LabGo::To(30)));
        let opened = player.lab().playback().unwrap().opened();
        player.ask(LabWish::Algorithm(PlainKind::Minimax));
        player.searched();
        assert_eq!(player.lab().playback().unwrap().opened(), opened);
        player.ask(LabWish::Go(LabGo::End));
        player.ask(LabWish::Algorithm(PlainKind::Table));
        player.searched();
        assert!(player.lab().playback().unwrap().is_over());
        assert_eq!(player.lab().playback().unwrap().opened() as u64, sizes[4]);

        // It plays by itself, and stops at the end.
        player.ask(LabWish::Speed(2000.0));
        player.ask(LabWish::Play(true));
        assert!(player.lab().is_playing() && player.lab().due().is_some());
        player.until("the end", |world| !world.resource::<Laboratory>().is_playing());
        assert!(player.lab().playback().unwrap().is_over() && player.lab().due().is_none());

        player.wish(PageRequest::Menu(Menu::None));
        assert!(!player.is_open() && player.lab().playback().is_none());
        assert_eq!(*player.app.world().resource::<State<Screen>>().get(), Screen::Setup);
    }

    #[test]
    fn keys_step_through_the_search_and_choose() {
        let folder = tempfile::tempdir().unwrap();
        let mut player = Player::sit_down(folder.path());
        player.ask(LabWish::Game("tic-tac-toe", "standard".to_owned()));
        player.searched();
        let at = |player: &Player| player.lab().playback().unwrap().at();
        // (key, the moment it leads to)
        for (key, moment) in [(KeyCode::Home, 0), (KeyCode::ArrowRight, 1), (KeyCode::ArrowRight, 2), (KeyCode::ArrowLeft, 1)] {
            player.press(key);
            assert_eq!(at(&player), moment, "{key:?}");
        }
        // A held key goes on.
        for repeat in [false, true, true] {
            let (window, logical_key) = (Entity::PLACEHOLDER, Key::Unidentified(NativeKey::Unidentified));
            let (key_code, state) = (KeyCode::ArrowRight, ButtonState::Pressed);
            player.app.world_mut().write_message(KeyboardInput { key_code, logical_key, state, text: None, repeat, window });
            player.app.update();
        }
        driver::key(&mut player.app, KeyCode::ArrowRight, ButtonState::Released);
        player.app.update();
        assert_eq!(at(&player), 4);
        player.press(KeyCode::Space);
        assert!(player.lab().is_playing());
        player.press(KeyCode::Space);
        assert!(!player.lab().is_playing());
        player.ask(LabWish::Choose(Some(2)));
        for (code, state) in driver::with_control(KeyCode::ArrowUp) {
            driver::key(&mut player.app, code, state);
        }
        for _ in 0..4 {
            player.app.update();
        }
        assert_eq!(player.lab().chosen(), Some(1));
        player.press(KeyCode::Digit2);
        assert_eq!(player.lab().setup().algorithm, PlainKind::Negamax);
    }

    #[test]
    fn the_help_lies_over_the_page_and_leads_back_to_it() {
        let folder = tempfile::tempdir().unwrap();
        let mut player = Player::sit_down(folder.path());
        player.ask(LabWish::Game("tic-tac-toe", "standard".to_owned()));
        player.searched();
        player.ask(LabWish::Go(LabGo::To(12)));
        for close in [KeyCode::F1, KeyCode::Escape] {
            let (generation, lanes) = (player.lab().generation(), *player.lab().lanes());
            player.press(KeyCode::F1);
            assert_eq!(player.menu(), Menu::Help);
            player.press(close);
            assert!(player.is_open(), "{close:?}");
            let lab = player.lab();
            let at = lab.playback().map(|playback| playback.at());
            assert_eq!((at, lab.generation(), *lab.lanes()), (Some(12), generation, lanes), "nothing is searched again");
        }
        // Left from the help, the page keeps nothing, and another help leads nowhere.
        player.press(KeyCode::F1);
        player.wish(PageRequest::Title);
        assert!(player.menu() == Menu::None && player.lab().game().is_none());
        player.press(KeyCode::F1);
        player.press(KeyCode::F1);
        assert_eq!(player.menu(), Menu::None);
    }

    #[test]
    fn a_tree_that_is_too_large_is_told_and_a_search_can_be_stopped() {
        let folder = tempfile::tempdir().unwrap();
        let mut player = Player::sit_down(folder.path());
        player.ask(LabWish::Game("tic-tac-toe", "standard".to_owned()));
        player.ask(LabWish::Algorithm(PlainKind::Minimax));
        player.ask(LabWish::Depth(9));
        player.searched();
        assert_eq!((player.lab().no_tree(), player.lab().playback().is_none()), (NoTree::TooLarge, true));
        assert_eq!(player.lab().lanes()[0].nodes(), Some(549_946), "it is counted all the same");
        player.ask(LabWish::Game("gomoku", "freestyle".to_owned()));
        player.searched();
        player.ask(LabWish::Algorithm(PlainKind::Negamax));
        // In one frame: it is stopped before it can be finished.
        for wish in [LabWish::Width(None), LabWish::Depth(6), LabWish::Stop] {
            player.app.world_mut().write_message(wish);
        }
        player.app.update();
        assert!(!player.lab().is_searching());
        assert!(player.lab().lanes().iter().all(|lane| *lane == Lane::Stopped), "{:?}", player.lab().lanes());
        assert_eq!(player.lab().no_tree(), NoTree::Stopped);
        // The page goes on.
        player.ask(LabWish::Depth(1));
        player.searched();
        assert!(player.lab().playback().is_some());
    }

    #[test]
    fn the_position_of_the_match_is_searched_but_not_in_a_rated_match() {
        let folder = tempfile::tempdir().unwrap();
        let mut player = Player::sit_down(folder.path());
        player.start("xiangqi", Purpose::Casual, "h2e2 h9g7");
        player.wish(CursorRequest::Go(Go::Back));
        player.wish(PageRequest::Menu(Menu::Pause));
        player.ask(LabWish::Shown);
        assert!(player.is_open());
        player.searched();
        assert_eq!(player.lab().table().unwrap().ply(), 1, "the position that is shown, not the last");
        assert_eq!(player.lab().setup().width, Some(4));
        assert_eq!(player.lab().lanes()[0].nodes(), Some(1 + 4 + 16 + 64));
        player.wish(PageRequest::Menu(Menu::None));
        assert_eq!(*player.app.world().resource::<State<Screen>>().get(), Screen::Match, "the match is still there");
        player.start("tic-tac-toe", Purpose::Rated, "b2");
        player.ask(LabWish::Shown);
        assert!(!player.is_open());
        let notices = &player.app.world().resource::<Notices>().shown;
        assert!(notices.iter().any(|(text, _)| text == "Not allowed in a rated match"), "{notices:?}");
        // A game that is over has nothing to search.
        player.start("tic-tac-toe", Purpose::Casual, "a1 a2 b1 b2");
        let table = player.app.world().resource::<CurrentMatch>().table();
        let (action, ply) = (table.read("c1").unwrap(), table.ply());
        player.app.world_mut().write_message(MoveRequested { action, ply });
        player.until("the end", |world| world.resource::<CurrentMatch>().outcome().is_some());
        player.ask(LabWish::Shown);
        player.searched();
        assert_eq!(player.lab().no_tree(), NoTree::Over);
    }

    #[test]
    fn an_experiment_asks_before_it_shows() {
        let folder = tempfile::tempdir().unwrap();
        let mut player = Player::sit_down(folder.path());
        player.ask(LabWish::Game("tic-tac-toe", "standard".to_owned()));
        for number in 0..player.lab().experiments().len() {
            player.ask(LabWish::Experiment(Some(number)));
            player.until("the figures", |world| world.resource::<Laboratory>().lesson().unwrap().0.figures().is_some());
            let steps = player.lab().lesson().unwrap().1.steps.clone();
            for (index, step) in steps.iter().enumerate() {
                player.drawn();
                assert_eq!(player.lab().lesson().unwrap().0.step, index);
                assert_eq!(player.lab().setup().algorithm, step.sight.0.1.0);
                assert!(player.lab().playback().is_some(), "experiment {number}, step {index} shows a tree");
                if let Some(question) = &step.question {
                    player.ask(LabWish::Answer(question.options.len()));
                    assert_eq!(player.lab().lesson().unwrap().0.answer, None, "there is no such answer");
                    player.ask(LabWish::Answer(question.right));
                    player.drawn();
                    assert_eq!(player.lab().lesson().unwrap().0.answer, Some(question.right));
                    assert_eq!(player.lab().setup().algorithm, question.sight.0.1.0);
                    assert!(player.lab().playback().is_some(), "experiment {number}, step {index} shows what comes out");
                    player.ask(LabWish::Answer(0));
                    assert_eq!(player.lab().lesson().unwrap().0.answer, Some(question.right), "the first answer counts");
                }
                player.ask(LabWish::Turn(true));
            }
            assert_eq!(player.lab().lesson().unwrap().0.step, steps.len() - 1);
            player.ask(LabWish::Turn(false));
            assert_eq!(player.lab().lesson().unwrap().0.step, steps.len() - 2);
        }
        player.ask(LabWish::Experiment(None));
        assert!(player.lab().lesson().is_none() && player.is_open());
    }
}
