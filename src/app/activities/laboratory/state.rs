//! The search laboratory: a position is searched by five simple algorithms in the background, and the search of one of them is shown step by step.

use super::request::{LABORATORY, LabGo, LabWalk, LabWish};
use crate::app::ground::background::{Place, Running, WakeHandles};
use crate::app::ground::library::{Library, LibraryGame};
use crate::app::ground::notices::Notices;
use crate::app::ground::settings::Settings;
use crate::app::ground::state::Menu;
use crate::app::ground::step::Step;
use crate::app::ground::words::Words;
use crate::app::play::CurrentMatch;
use bevy::prelude::*;
use bevy::window::RequestRedraw;
use qiju_core::compute::{CountTree, DrawTree, MeasureExperiment, SentTable, table_of_bench};
use qiju_core::search::PlainKind;
use qiju_core::study::laboratory::{
    Experiment, Figures, MOST_COUNTED, MOST_DRAWN, Moment, Playback, ShownMoment, TreeLayout, Which,
};
use qiju_core::table::{Notation, Setup, Table, TreeRequest, TreeSize};
use std::sync::Arc;
use std::time::Duration;

/// The deepest search.
pub const DEEPEST: u16 = 10;
/// The widths that are offered.
pub const WIDTHS: [u16; 9] = [1, 2, 3, 4, 5, 6, 8, 12, 20];
/// The slowest and the fastest speed, in steps a second.
pub const SPEEDS: (f32, f32) = (1.0, 2000.0);

/// How a position is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LabSetup {
    /// The algorithm that is shown.
    pub algorithm: PlainKind,
    /// Plies.
    pub depth: u16,
    /// Only so many moves of each position.
    pub width: Option<u16>,
    /// Depth by depth.
    pub deepening: bool,
}

/// How large the tree of an algorithm is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lane {
    /// It is being counted, or waits for it.
    #[default]
    Counting,
    /// So large.
    Size(TreeSize),
    /// Larger than what is counted.
    TooLarge,
    /// It was not counted to the end.
    Stopped,
}

impl Lane {
    /// The nodes, if they are known.
    pub fn nodes(self) -> Option<u64> {
        match self {
            Lane::Size(size) => Some(size.nodes),
            _ => None,
        }
    }
}

/// A tree with its layout, and the moment of the search that is shown.
#[derive(Clone)]
struct Shown {
    playback: Playback,
    layout: Arc<TreeLayout>,
}

/// Why no tree is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoTree {
    /// It is being searched.
    Searching,
    /// The search was stopped.
    Stopped,
    /// It has more than [`MOST_DRAWN`] nodes.
    TooLarge,
    /// The game is over.
    Over,
}

/// Where the search is shown when it arrives.
#[derive(Clone, Copy, Debug)]
enum Arrival {
    Begin,
    /// With so many nodes open.
    Nodes(usize),
    At(Moment),
}

/// A guided experiment under way.
pub struct Lesson {
    /// Its number in the list.
    pub number: usize,
    /// Its step.
    pub step: usize,
    /// The answer that was given to the question of this step.
    pub answer: Option<usize>,
    tables: Vec<Box<dyn Table>>,
    measuring: Option<Running<MeasureExperiment>>,
    figures: Option<Figures>,
}

impl Lesson {
    /// The figures of its searches, once they are measured.
    pub fn figures(&self) -> Option<&Figures> {
        self.figures.as_ref()
    }
}

/// The page's state while it is open.
#[derive(Resource)]
pub struct Laboratory {
    subject: Option<Subject>,
    setup: LabSetup,
    lanes: [Lane; 5],
    /// The sizes of all trees are counted one after the other.
    counting: Option<Running<CountTree>>,
    growing: Option<Running<DrawTree>>,
    shown: Option<Shown>,
    no_tree: NoTree,
    arrival: Arrival,
    playing: bool,
    speed: f32,
    carry: f32,
    chosen: Option<u32>,
    follow: bool,
    experiments: Arc<Vec<Experiment>>,
    lesson: Option<Lesson>,
    /// Changes with every other tree.
    generation: u64,
}

/// What is searched.
struct Subject {
    game: LibraryGame,
    table: Box<dyn Table>,
    notation: Notation,
}

impl Default for Laboratory {
    fn default() -> Self {
        let setup = LabSetup { algorithm: PlainKind::AlphaBeta, depth: 3, width: None, deepening: false };
        Laboratory {
            subject: None,
            setup,
            lanes: [Lane::Stopped; 5],
            counting: None,
            growing: None,
            shown: None,
            no_tree: NoTree::Searching,
            arrival: Arrival::Begin,
            playing: false,
            speed: 4.0,
            carry: 0.0,
            chosen: None,
            follow: true,
            experiments: Arc::default(),
            lesson: None,
            generation: 0,
        }
    }
}

impl Laboratory {
    /// The game.
    pub fn game(&self) -> Option<&LibraryGame> {
        self.subject.as_ref().map(|subject| &subject.game)
    }

    /// The position that is searched.
    pub fn table(&self) -> Option<&dyn Table> {
        self.subject.as_ref().map(|subject| &*subject.table)
    }

    /// How it is searched.
    pub fn setup(&self) -> LabSetup {
        self.setup
    }

    /// The sizes of the trees, in the order of [`PlainKind::ALL`].
    pub fn lanes(&self) -> &[Lane; 5] {
        &self.lanes
    }

    /// True while something is searched.
    pub fn is_searching(&self) -> bool {
        self.counting.is_some() || self.growing.is_some()
    }

    /// The search at the moment that is shown.
    pub fn playback(&self) -> Option<&Playback> {
        self.shown.as_ref().map(|shown| &shown.playback)
    }

    /// Where the nodes are drawn.
    pub fn layout(&self) -> Option<&Arc<TreeLayout>> {
        self.shown.as_ref().map(|shown| &shown.layout)
    }

    /// Why nothing is drawn, where [`playback`](Laboratory::playback) is `None`.
    pub fn no_tree(&self) -> NoTree {
        self.no_tree
    }

    /// True while the search runs on by itself.
    pub fn is_playing(&self) -> bool {
        self.playing
    }

    /// Steps a second.
    pub fn speed(&self) -> f32 {
        self.speed
    }

    /// The seconds until the next step, while it runs.
    pub fn due(&self) -> Option<f32> {
        self.playing.then(|| ((1.0 - self.carry) / self.speed).max(0.0))
    }

    /// The node that is chosen.
    pub fn chosen(&self) -> Option<u32> {
        self.chosen
    }

    /// True if the node that is searched is kept in view.
    pub fn follows(&self) -> bool {
        self.follow
    }

    /// The guided experiments.
    pub fn experiments(&self) -> &[Experiment] {
        &self.experiments
    }

    /// The guided experiment under way.
    pub fn lesson(&self) -> Option<(&Lesson, &Experiment)> {
        let lesson = self.lesson.as_ref()?;
        Some((lesson, self.experiments.get(lesson.number)?))
    }

    /// A number that changes with every other tree.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// The position of a node of the tree; `None` if there is no such node.
    pub fn position_of(&self, node: u32) -> Option<Box<dyn Table>> {
        let tree = self.playback()?.tree();
        let mut table = self.table()?.boxed_clone();
        table.adjudicate(false);
        for id in tree.path(node) {
            if let Some((action, _)) = tree.nodes.get(id as usize)?.mv.as_ref() {
                table.play(*action).ok()?;
            }
        }
        Some(table)
    }

    fn request(&self, algorithm: PlainKind, most: usize) -> TreeRequest {
        let LabSetup { depth, width, deepening, .. } = self.setup;
        let notation = self.subject.as_ref().map_or(Notation::Uci, |subject| subject.notation);
        TreeRequest { width, deepening, notation, ..TreeRequest::new(algorithm, depth, most) }
    }

    /// Puts another position on the page, with a depth and a width that suit it.
    fn set_subject(&mut self, game: LibraryGame, table: Box<dyn Table>, notation: Notation) {
        let moves = table.actions().len();
        (self.setup.depth, self.setup.width) = if moves <= 12 { (3, None) } else { (3, Some(4)) };
        self.setup.deepening = false;
        self.subject = Some(Subject { game, table, notation });
    }

    /// Searches again with the setup as it is now.
    fn search(&mut self, arrival: Arrival, wakes: &WakeHandles) {
        self.lanes = [Lane::Counting; 5];
        self.grow(arrival, wakes);
        if self.no_tree == NoTree::Over {
            self.lanes = [Lane::Stopped; 5];
            self.counting = None;
            return;
        }
        let Some(table) = self.table().map(SentTable::of) else { return };
        // The last is counted first, which is the fastest: its figure is soon there.
        let requests = PlainKind::ALL.map(|kind| self.request(kind, MOST_COUNTED)).to_vec();
        self.counting = Some(Running::start(Place::Pool, wakes.handle(), CountTree { table, requests }));
    }

    /// Searches with the algorithm that is to be shown.
    fn grow(&mut self, arrival: Arrival, wakes: &WakeHandles) {
        (self.shown, self.chosen, self.playing, self.carry) = (None, None, false, 0.0);
        (self.arrival, self.no_tree, self.growing) = (arrival, NoTree::Searching, None);
        self.generation += 1;
        let Some(table) = self.table().map(SentTable::of) else { return };
        if table.outcome().is_some() || table.opening().is_some_and(|_| table.seat_of(table.turn()).is_none()) {
            self.no_tree = NoTree::Over;
            return;
        }
        let request = self.request(self.setup.algorithm, MOST_DRAWN);
        // The tree is waited for; the sizes, which may take longer, are counted on the pool.
        self.growing = Some(Running::start(Place::Thread, wakes.handle(), DrawTree { table, request }));
    }

    fn arrive(&mut self, mut shown: Shown) {
        let playback = &mut shown.playback;
        match self.arrival {
            Arrival::Begin | Arrival::At(Moment::Start) => playback.go(1),
            Arrival::Nodes(nodes) => playback.go_to_nodes(nodes),
            Arrival::At(Moment::End) => playback.go(playback.steps()),
            Arrival::At(Moment::FirstCut) => {
                let cut = playback.first_cut();
                playback.go(cut.unwrap_or(usize::MAX));
                self.chosen = cut.and(playback.current());
            }
        }
        self.shown = Some(shown);
    }

    fn step(&mut self, go: LabGo) {
        let Some(shown) = &mut self.shown else { return };
        let playback = &mut shown.playback;
        let at = playback.at();
        playback.go(match go {
            LabGo::Start => 0,
            LabGo::Back => at.saturating_sub(1),
            LabGo::Forward => at + 1,
            LabGo::End => usize::MAX,
            LabGo::To(step) => step,
        });
        (self.playing, self.carry) = (false, 0.0);
        self.drop_hidden_choice();
    }

    /// A node that is not open at this moment cannot be chosen.
    fn drop_hidden_choice(&mut self) {
        let opened = self.playback().map_or(0, Playback::opened);
        self.chosen = self.chosen.filter(|node| (*node as usize) < opened);
    }

    fn walk(&mut self, way: LabWalk) {
        let Some(shown) = &self.shown else { return };
        let (playback, layout) = (&shown.playback, &shown.layout);
        let opened = playback.opened() as u32;
        let Some(here) = self.chosen.or(playback.current()).filter(|node| *node < opened) else { return };
        if self.chosen.is_none() {
            self.chosen = Some(here);
            return;
        }
        let tree = playback.tree();
        let node = &tree.nodes[here as usize];
        let row = &layout.rows[usize::from(node.ply)];
        let place = row.partition_point(|other| *other < here);
        let next = match way {
            LabWalk::Up => node.parent,
            LabWalk::Down => tree.children(here).next(),
            LabWalk::Left => place.checked_sub(1).map(|place| row[place]),
            LabWalk::Right => row.get(place + 1).copied(),
        };
        self.chosen = next.filter(|node| *node < opened).or(self.chosen);
    }

    /// Makes the steps that are due after so many seconds.
    fn advance(&mut self, seconds: f32) -> bool {
        let Some(shown) = self.shown.as_mut().filter(|_| self.playing) else { return false };
        // After a sleep one step is due, not many.
        self.carry += (seconds * self.speed).min((0.1 * self.speed).max(1.0));
        let steps = self.carry.floor();
        self.carry -= steps;
        let at = shown.playback.at();
        shown.playback.go(at + steps as usize);
        self.playing = !shown.playback.is_over();
        steps > 0.0
    }

    fn is_open(&self) -> bool {
        self.subject.is_some()
    }

    fn begin_experiment(
        &mut self,
        number: usize,
        library: &Library,
        notation: &dyn Fn(&dyn Table) -> Notation,
        wakes: &WakeHandles,
    ) {
        let Some(experiment) = self.experiments.get(number) else { return };
        let Some(game) = library.game(&experiment.game) else { return };
        let tables: Vec<Box<dyn Table>> =
            experiment.benches.iter().filter_map(|bench| table_of_bench(&experiment.game, bench)).collect();
        let Some(first) = tables.first().filter(|_| tables.len() == experiment.benches.len()) else { return };
        let written = notation(&**first);
        self.subject = Some(Subject { game: game.clone(), table: first.boxed_clone(), notation: written });
        let question = MeasureExperiment { number, notation: written };
        let task = Running::start(Place::Pool, wakes.handle(), question);
        self.lesson = Some(Lesson { number, step: 0, answer: None, tables, measuring: Some(task), figures: None });
        self.show_step(wakes);
    }

    /// Sets the page up as the step of the experiment has it.
    fn show_step(&mut self, wakes: &WakeHandles) {
        let Some((lesson, experiment)) = self.lesson() else { return };
        let Some(step) = experiment.steps.get(lesson.step) else { return };
        let sight = match (&step.question, lesson.answer) {
            (Some(question), Some(_)) => question.sight,
            _ => step.sight,
        };
        let ShownMoment(Which(bench, kind), stand) = sight;
        let (Some(about), Some(table)) = (experiment.benches.get(bench), lesson.tables.get(bench)) else { return };
        let setup = LabSetup { algorithm: kind.0, depth: about.depth, width: about.width, deepening: about.deepening };
        let table = table.boxed_clone();
        let Some(subject) = &mut self.subject else { return };
        let same_table = subject.table.key() == table.key();
        subject.table = table;
        let same = same_table && LabSetup { algorithm: setup.algorithm, ..self.setup } == setup && self.generation > 0;
        self.setup = setup;
        if same { self.grow(Arrival::At(stand), wakes) } else { self.search(Arrival::At(stand), wakes) }
    }

    fn turn(&mut self, forward: bool, wakes: &WakeHandles) {
        let Some((lesson, experiment)) = self.lesson() else { return };
        let (step, last) = (lesson.step, experiment.steps.len() - 1);
        let next = if forward { (step + 1).min(last) } else { step.saturating_sub(1) };
        if let Some(lesson) = self.lesson.as_mut().filter(|_| next != step) {
            (lesson.step, lesson.answer) = (next, None);
            self.show_step(wakes);
        }
    }

    fn answer(&mut self, option: usize, wakes: &WakeHandles) {
        let Some((lesson, experiment)) = self.lesson() else { return };
        let asked = experiment.steps.get(lesson.step).and_then(|step| step.question.as_ref());
        if lesson.answer.is_some() || asked.is_none_or(|question| option >= question.options.len()) {
            return;
        }
        if let Some(lesson) = &mut self.lesson {
            lesson.answer = Some(option);
        }
        self.show_step(wakes);
    }
}

fn handle(
    mut requests: MessageReader<LabWish>,
    mut laboratory: ResMut<Laboratory>,
    (library, settings, words): (Res<Library>, Res<Settings>, Res<Words>),
    (current, mut notices): (Option<Res<CurrentMatch>>, ResMut<Notices>),
    (wakes, mut menu): (WakeHandles, ResMut<NextState<Menu>>),
) {
    for wish in requests.read() {
        let notation = |table: &dyn Table| settings.notation(table, words.language);
        let subject = match wish {
            LabWish::Shown => {
                let Some(current) = &current else { continue };
                if let Some(why) = current.help_refused() {
                    notices.warn(words.say(why));
                    continue;
                }
                Some((current.game().clone(), current.shown().boxed_clone()))
            }
            LabWish::Game(game, variant) => library.game(game).and_then(|game| {
                let setup = Setup { variant: Some(variant.clone()), position: None };
                Some((game.clone(), game.entry.table(&setup).ok()?))
            }),
            _ => None,
        };
        if let Some((game, table)) = subject {
            *laboratory = Laboratory { generation: laboratory.generation, ..Laboratory::default() };
            laboratory.experiments = Arc::new(Experiment::shipped().unwrap_or_else(|error| {
                notices.fail(error);
                Vec::new()
            }));
            let written = notation(&*table);
            laboratory.set_subject(game, table, written);
            laboratory.search(Arrival::Begin, &wakes);
            // Another position on the page that is open already is no other page.
            NextState::set_if_neq(&mut menu, Menu::Page(LABORATORY));
            continue;
        }
        if !laboratory.is_open() {
            continue;
        }
        let lab = &mut *laboratory;
        match wish {
            LabWish::Shown | LabWish::Game(..) => {}
            LabWish::Algorithm(kind) if lab.setup.algorithm != *kind => {
                let arrival = match lab.playback() {
                    Some(playback) if playback.is_over() => Arrival::At(Moment::End),
                    Some(playback) => Arrival::Nodes(playback.opened()),
                    None => Arrival::Begin,
                };
                lab.setup.algorithm = *kind;
                lab.grow(arrival, &wakes);
            }
            LabWish::Algorithm(_) => {}
            LabWish::Depth(depth) => {
                lab.setup.depth = (*depth).clamp(1, DEEPEST);
                lab.search(Arrival::Begin, &wakes);
            }
            LabWish::Width(width) => {
                lab.setup.width = width.map(|width| width.max(1));
                lab.search(Arrival::Begin, &wakes);
            }
            LabWish::Deepening(on) => {
                lab.setup.deepening = *on;
                lab.search(Arrival::Begin, &wakes);
            }
            LabWish::Go(go) => lab.step(*go),
            LabWish::Play(on) => {
                let over = lab.playback().is_some_and(Playback::is_over);
                if let Some(shown) = lab.shown.as_mut().filter(|_| over && *on) {
                    shown.playback.go(0);
                    lab.chosen = None;
                }
                (lab.playing, lab.carry) = (*on && lab.shown.is_some(), 0.0);
            }
            LabWish::Speed(speed) => lab.speed = speed.clamp(SPEEDS.0, SPEEDS.1),
            LabWish::Choose(node) => {
                lab.chosen = *node;
                lab.drop_hidden_choice();
            }
            LabWish::Walk(way) => lab.walk(*way),
            LabWish::Follow(on) => lab.follow = *on,
            LabWish::Stop => {
                if lab.growing.take().is_some() {
                    lab.no_tree = NoTree::Stopped;
                }
                lab.counting = None;
                for lane in &mut lab.lanes {
                    if *lane == Lane::Counting {
                        *lane = Lane::Stopped;
                    }
                }
            }
            LabWish::Experiment(None) => lab.lesson = None,
            LabWish::Experiment(Some(number)) => lab.begin_experiment(*number, &library, &notation, &wakes),
            LabWish::Answer(option) => lab.answer(*option, &wakes),
            LabWish::Turn(forward) => lab.turn(*forward, &wakes),
        }
    }
}

fn hear(
    mut laboratory: ResMut<Laboratory>,
    (words, mut notices): (Res<Words>, ResMut<Notices>),
    mut redraw: MessageWriter<RequestRedraw>,
) {
    let lab = laboratory.bypass_change_detection();
    let mut news = false;
    if let Some(counting) = &mut lab.counting {
        let done = counting.poll().is_some();
        let counted = counting.news();
        for (index, size) in &counted {
            lab.lanes[*index] = size.as_ref().map_or(Lane::TooLarge, |size| Lane::Size(*size));
        }
        news |= done || !counted.is_empty();
        if done {
            lab.counting = None;
        }
    }
    if let Some(grown) = lab.growing.as_mut().and_then(Running::poll) {
        lab.growing = None;
        news = true;
        match grown {
            Ok((tree, layout)) => lab.arrive(Shown { playback: Playback::new(Arc::new(tree)), layout: Arc::new(layout) }),
            Err(_) => lab.no_tree = NoTree::TooLarge,
        }
    }
    if let Some(lesson) = &mut lab.lesson
        && let Some(measured) = lesson.measuring.as_mut().and_then(Running::poll)
    {
        lesson.measuring = None;
        news = true;
        match measured {
            Some(Ok(figures)) => lesson.figures = Some(figures),
            Some(Err(_)) | None => notices.warn(words.say("lab.no-figures")),
        }
    }
    if news {
        laboratory.set_changed();
        redraw.write(RequestRedraw);
    }
}

fn play(mut laboratory: ResMut<Laboratory>, time: Res<Time<Real>>, mut last: Local<Duration>) {
    let since = time.elapsed().saturating_sub(*last);
    *last = time.elapsed();
    if laboratory.is_playing() && laboratory.bypass_change_detection().advance(since.as_secs_f32()) {
        laboratory.set_changed();
    }
}

/// A closed page keeps nothing but the number of its trees.
fn close(mut laboratory: ResMut<Laboratory>) {
    *laboratory = Laboratory { generation: laboratory.generation, ..Laboratory::default() };
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Laboratory>()
        .add_systems(Update, handle.in_set(Step::Input))
        .add_systems(Update, (hear, play).chain().in_set(Step::Ui).run_if(in_state(Menu::Page(LABORATORY))))
        // The help may lie over the page.
        .add_systems(OnExit(Menu::Page(LABORATORY)), close.run_if(not(in_state(Menu::Help))))
        .add_systems(OnExit(Menu::Help), close.run_if(not(in_state(Menu::Page(LABORATORY)))));
}
