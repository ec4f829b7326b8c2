//! Tests of matches by letter: two programs with folders of their own, which know nothing of each other but the letters.
#![cfg(feature = "gui")]

#[cfg(feature = "friends")]
mod cuts;
mod driver;

use bevy::prelude::*;
use driver::{MINUTE, Phase, phase};
use qiju::app::activities::letters::{LETTER, Mail, Question, READ, WATCH};
use qiju::app::home::Home;
use qiju::app::kept::Kept;
use qiju::app::notices::Notices;
use qiju::app::play::{CurrentMatch, Letters, MatchClock, MoveRequested, Offers, SavedGames, Turn};
use qiju::app::requests::{
    AnyRequest, BeginRequest, CursorRequest, HintRequest, LetterRequest, PageRequest, ReadRequest, RefereeRequest,
};
use qiju::app::settings::Settings;
use qiju::app::setup::{MatchSetup, Purpose};
use qiju::app::state::{Menu, Screen};
use qiju::app::user_files::letter_link;
use qiju::app::words::{Language, Words};
use qiju_core::games::REGISTRY;
use qiju_core::record::data::{Data, Kind};
use qiju_core::record::letter::{Letter, Phrase};
use qiju_core::record::{Record, SeatSpec, recognise};
use qiju_core::rules::{BySide, Outcome, Reason, Side};
use qiju_core::table::{Action, Origin, Setup, TimeControl, Tree};
use std::path::PathBuf;

struct Player {
    app: App,
    folder: PathBuf,
}

/// The clocks of the matches: each player has their own.
const CLOCKS: BySide<TimeControl> = BySide::new(TimeControl::Sudden { main: 600 }, TimeControl::Sudden { main: 900 });

/// What the program has told the user: a notice may be gone before a test looks for it.
#[derive(Resource, Default)]
struct Told(Vec<String>);

fn remember(notices: Res<Notices>, mut told: ResMut<Told>) {
    for (text, _) in &notices.shown {
        if !told.0.contains(text) {
            told.0.push(text.clone());
        }
    }
}

impl Player {
    /// Starts the program.
    fn at(folder: PathBuf) -> Player {
        let mut app = driver::at_title(&folder);
        app.init_resource::<Told>().add_systems(Last, remember);
        Player { app, folder }
    }

    /// What was told until now is forgotten.
    fn forget(&mut self) {
        self.app.world_mut().resource_mut::<Notices>().shown.clear();
        self.app.world_mut().resource_mut::<Told>().0.clear();
    }

    fn new(folder: &tempfile::TempDir, name: &str) -> Player {
        let settings = Settings {
            speed: 0.0,
            background_work: false,
            language: Some(Language::En),
            my_names: name.to_owned(),
            ..Settings::default()
        };
        settings.save(&Home(folder.path().to_path_buf())).unwrap();
        Player::at(folder.path().to_path_buf())
    }

    /// Kills the program and starts it again.
    fn killed(self) -> Player {
        let Player { app, folder } = self;
        drop(app);
        Player::at(folder)
    }

    fn until(&mut self, what: &str, so: impl FnMut(&mut World) -> bool) {
        driver::until(&mut self.app, MINUTE, what, so);
    }

    fn frames(&mut self) {
        for _ in 0..5 {
            driver::frame(&mut self.app);
        }
    }

    fn send(&mut self, request: impl Into<AnyRequest>) {
        request.into().send(self.app.world_mut());
        self.frames();
    }

    fn current(&self) -> &CurrentMatch {
        self.app.world().resource::<CurrentMatch>()
    }

    fn menu(&self) -> Menu {
        *self.app.world().resource::<State<Menu>>().get()
    }

    fn on_board(&mut self) {
        self.until("the match", |world| *world.resource::<State<Screen>>().get() == Screen::Match);
        self.until("the board", |world| phase(world).is_some_and(|phase| phase != Phase::SetUp && phase != Phase::Animate));
        self.frames();
    }

    /// Begins a match of a game in which a friend has this seat.
    fn invite(&mut self, game: &str, variant: Option<&str>, friend: Side) {
        let key = REGISTRY.iter().find(|entry| entry.key == game).unwrap().key;
        let seats = BySide::from_fn(|seat| if seat == friend { SeatSpec::Friend } else { SeatSpec::Human });
        let setup = Setup { variant: variant.map(str::to_owned), position: None };
        let control = CLOCKS;
        self.send(BeginRequest::Start(MatchSetup { game: key, setup, seats, control, purpose: Purpose::Casual }));
        self.on_board();
    }

    fn play(&mut self, action: Action) {
        let ply = self.current().table().ply();
        self.app.world_mut().write_message(MoveRequested { action, ply });
        self.frames();
        self.until("the move", |world| world.resource::<CurrentMatch>().table().ply() == ply + 1);
        self.on_board();
    }

    /// The letter that the program shows now.
    fn letter(&mut self) -> String {
        self.until("the letter", |world| *world.resource::<State<Menu>>().get() == Menu::Page(LETTER));
        self.frames();
        let world = self.app.world();
        let (settings, clock) = (world.resource::<Settings>(), world.resource::<MatchClock>());
        let letter = self.current().letter(clock.get(), settings.my_name()).unwrap().link().unwrap();
        let link = letter_link(&letter, &settings.page);
        self.send(PageRequest::Menu(Menu::None));
        assert_eq!(self.menu(), Menu::None, "it is not shown again by itself");
        link
    }

    /// Opens a letter, as a text that is pasted.
    fn read(&mut self, letter: &str) {
        self.forget();
        self.send(ReadRequest::Paste(letter.to_owned()));
        self.until("reading", |world| !world.resource::<qiju::app::play::GameList>().is_at_work());
        self.frames();
        self.frames();
        if *self.app.world().resource::<State<Screen>>().get() == Screen::Match {
            self.on_board();
            self.frames();
        }
    }

    /// The same for one that goes on with its match.
    fn answer(&mut self, letter: &str, plies: usize) {
        self.read(letter);
        self.until("the moves", |world| world.get_resource::<CurrentMatch>().is_some_and(|one| one.moves().len() == plies));
        self.on_board();
    }

    /// The link with which others can watch the match.
    fn watch_link(&mut self) -> String {
        self.send(LetterRequest::ShowLink);
        self.until("the link", |world| *world.resource::<State<Menu>>().get() == Menu::Page(WATCH));
        self.frames();
        let world = self.app.world();
        let (settings, clock) = (world.resource::<Settings>(), world.resource::<MatchClock>());
        let link = self.current().shown_letter(clock.get(), settings.my_name()).unwrap().link().unwrap();
        self.send(PageRequest::Menu(Menu::None));
        link
    }

    fn told(&self, part: &str) -> bool {
        self.app.world().resource::<Told>().0.iter().any(|text| text.contains(part))
    }

    fn asked(&self) -> Option<Question> {
        self.app.world().resource::<Mail>().asked().map(|(_, question)| question.clone())
    }

    fn list(&mut self) -> Vec<(usize, Turn, Option<String>)> {
        self.send(PageRequest::Title);
        self.until("the title", |world| *world.resource::<State<Screen>>().get() == Screen::Title);
        self.send(LetterRequest::List);
        let all = &self.app.world().resource::<Letters>().0;
        let all = all.iter().map(|one| (one.plies, one.turn, one.friend.clone())).collect();
        self.send(PageRequest::Menu(Menu::None));
        all
    }

    fn saved(&mut self) -> usize {
        self.send(PageRequest::Menu(Menu::Records));
        let count = self.app.world().resource::<SavedGames>().games.len();
        self.send(PageRequest::Menu(Menu::None));
        count
    }
}

fn pair() -> (tempfile::TempDir, tempfile::TempDir) {
    (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap())
}

/// Some legal move, the same on both sides.
fn some_move(player: &Player, seed: usize) -> Action {
    let actions = player.current().table().actions();
    actions[(seed * 7 + 3) % actions.len()]
}

#[test]
fn a_whole_match_of_each_game_goes_by_letters() {
    for (game, variant) in [("xiangqi", None), ("gomoku", Some("freestyle+swap2")), ("two-eat-one", None), ("tic-tac-toe", None)]
    {
        let (one, other) = pair();
        let (mut anna, mut ben) = (Player::new(&one, "Anna, A."), Player::new(&other, "Ben"));
        anna.invite(game, variant, Side::Second);
        assert_eq!((anna.current().purpose(), anna.current().match_setup().control), (Purpose::Friend, BySide::default()));
        assert!(!anna.current().help_allowed() && !anna.current().can_undo());
        let mut plies = 0;
        let mut invited = false;
        while plies < 12 && anna.current().outcome().is_none() {
            let annas = anna.current().table().seat_to_move() == Side::First;
            let mover = if annas { &mut anna } else { &mut ben };
            let action = some_move(mover, plies);
            mover.play(action);
            plies += 1;
            if mover.current().human_to_move() {
                continue;
            }
            let letter = mover.letter();
            let reader = if annas { &mut ben } else { &mut anna };
            if !invited {
                invited = true;
                reader.read(&letter);
                assert_eq!((reader.asked(), reader.menu()), (Some(Question::Begin), Menu::Page(READ)));
                reader.send(LetterRequest::Accept);
                reader.on_board();
                assert_eq!(reader.current().viewer(), Some(Side::Second), "{game}");
            } else {
                reader.answer(&letter, plies);
            }
            assert_eq!(anna.current().moves(), ben.current().moves(), "{game}");
        }
        // Somebody may have won; else Anna gives up.
        if anna.current().outcome().is_none() {
            let side = anna.current().resigner().unwrap();
            anna.send(RefereeRequest::Resign(side));
            let letter = anna.letter();
            ben.answer(&letter, plies);
            ben.until("the end", |world| world.resource::<CurrentMatch>().outcome().is_some());
            assert_eq!(ben.current().outcome().unwrap().reason, Reason::Resignation);
        }
        assert_eq!(anna.current().outcome(), ben.current().outcome(), "{game}");
        assert_eq!(ben.current().heading().names.first.as_deref(), Some("Anna"));
        assert_eq!(anna.current().heading().names.second.as_deref(), Some("Ben"));
        // The game is saved; who has heard the last word has it on the list no longer.
        let sums = [anna.list(), ben.list()].map(|list| list.iter().map(|one| one.1).collect::<Vec<_>>());
        assert!(sums.contains(&vec![Turn::Last]) && sums.contains(&Vec::new()), "{game}: {sums:?}");
        assert_eq!((anna.saved(), ben.saved()), (1, 1));
        let number = anna.current().seed();
        for player in [&mut anna, &mut ben] {
            player.send(LetterRequest::PutAway(number));
            assert_eq!((player.list(), player.saved()), (Vec::new(), 1));
        }
    }
}

#[test]
fn a_draw_is_offered_and_agreed_by_letters() {
    let (one, other) = pair();
    let (mut anna, mut ben) = (Player::new(&one, "Anna"), Player::new(&other, ""));
    // The friend moves first: the invitation is a letter without moves.
    anna.invite("xiangqi", None, Side::First);
    let letter = anna.letter();
    ben.read(&letter);
    ben.send(LetterRequest::Accept);
    ben.on_board();
    ben.play(some_move(&ben, 1));
    let plain = ben.letter();
    // Ben offers a draw while Anna is to move: the letter carries it.
    ben.send(RefereeRequest::OfferDraw);
    let offer = ben.letter();
    assert_ne!(plain, offer);
    anna.answer(&plain, 1);
    anna.until("her turn", |world| world.resource::<CurrentMatch>().human_to_move());
    let question = |player: &Player| player.app.world().resource::<Offers>().question(player.current());
    assert_eq!(question(&anna), None);
    anna.answer(&offer, 1);
    anna.until("the question", |world| world.resource::<Offers>().question(world.resource::<CurrentMatch>()).is_some());
    assert_eq!(question(&anna).unwrap().by, Side::First);
    // She is killed before she answers.
    let number = anna.current().seed();
    let mut anna = anna.killed();
    assert_eq!(anna.list(), [(1, Turn::Mine, None)]);
    anna.send(LetterRequest::GoOn(number));
    anna.on_board();
    assert!(question(&anna).is_some());
    // A move declines it. It cannot be agreed to any more: her own offer is another one.
    anna.play(some_move(&anna, 2));
    let declined = anna.letter();
    ben.answer(&declined, 2);
    assert_eq!(ben.current().offered(), None);
    ben.play(some_move(&ben, 3));
    let third = ben.letter();
    anna.answer(&third, 3);
    anna.play(some_move(&anna, 4));
    let fourth = anna.letter();
    ben.answer(&fourth, 4);
    ben.send(RefereeRequest::OfferDraw);
    ben.play(some_move(&ben, 5));
    let again = ben.letter();
    anna.answer(&again, 5);
    anna.until("the question", |world| world.resource::<Offers>().question(world.resource::<CurrentMatch>()).is_some());
    anna.send(RefereeRequest::Answer(true));
    assert_eq!(anna.current().outcome().unwrap().reason, Reason::Agreement);
    let agreed = anna.letter();
    // The letter of the agreement survives a kill.
    let mut anna = anna.killed();
    assert_eq!(anna.list(), [(5, Turn::Last, None)]);
    ben.read(&agreed);
    ben.until("the end", |world| world.resource::<CurrentMatch>().outcome().is_some());
    assert_eq!(ben.current().outcome().unwrap().reason, Reason::Agreement);
    assert_eq!(ben.list(), []);
    assert_eq!((anna.saved(), ben.saved()), (1, 1));
}

#[test]
fn letters_that_bring_nothing_or_differ_change_nothing() {
    let (one, other) = pair();
    let (mut anna, mut ben) = (Player::new(&one, ""), Player::new(&other, ""));
    anna.invite("tic-tac-toe", None, Side::Second);
    let centre = anna.current().table().read("b2").unwrap();
    anna.play(centre);
    let first = anna.letter();
    // Killed between the move and the letter: it is shown again.
    let number = anna.current().seed();
    let mut anna = anna.killed();
    assert_eq!(anna.list(), [(1, Turn::Theirs, None)]);
    anna.send(LetterRequest::GoOn(number));
    anna.on_board();
    assert_eq!(anna.menu(), Menu::None, "it was shown before");
    anna.send(LetterRequest::Show);
    assert_eq!(anna.letter(), first);
    anna.read(&first);
    assert!(anna.told("your own letter"), "an own letter is known");

    ben.read(&first);
    ben.send(LetterRequest::Accept);
    ben.on_board();
    ben.read(&first);
    assert!(ben.told("already"));
    // Help is refused.
    ben.send(HintRequest);
    ben.send(CursorRequest::Undo);
    assert_eq!(ben.current().moves().len(), 1);
    let mut ben = ben.killed();
    // A match of another kind stands beside it, and is not disturbed.
    let seats = BySide::new(SeatSpec::Human, SeatSpec::Human);
    ben.send(BeginRequest::Start(MatchSetup::untimed("xiangqi", Setup::default(), seats, Purpose::Casual)));
    ben.on_board();
    ben.play(some_move(&ben, 1));
    ben.send(LetterRequest::GoOn(number));
    ben.on_board();
    assert_eq!(ben.current().game().entry.key, "tic-tac-toe");
    let text = |player: &Player, text: &str| player.current().table().read(text).unwrap();
    ben.play(text(&ben, "a1"));
    let second = ben.letter();
    anna.answer(&second, 2);
    anna.play(text(&anna, "c1"));
    let third = anna.letter();
    anna.read(&second);
    assert!(anna.told("older") && anna.current().moves().len() == 3);
    // The unfinished match of before is still offered.
    ben.send(PageRequest::Title);
    ben.until("the title", |world| *world.resource::<State<Screen>>().get() == Screen::Title);
    ben.send(BeginRequest::Resume);
    ben.on_board();
    assert_eq!((ben.current().game().entry.key, ben.current().moves().len()), ("xiangqi", 1));

    // A letter of the same match with another move.
    let with = |link: &str, change: &dyn Fn(&mut Letter)| {
        let record = recognise(link.as_bytes()).unwrap().all().unwrap().remove(0);
        let mut letter = Letter::of(&record).unwrap().unwrap();
        change(&mut letter);
        letter.link().unwrap()
    };
    let other_move = with(&third, &|letter| {
        let table = letter.record.table().unwrap();
        let moves = ["b2", "a2", "c1"].map(|text| table.read(text).unwrap());
        letter.record.tree = Tree::of_line(moves, Origin::Main);
    });
    ben.read(&other_move);
    assert_eq!(ben.menu(), Menu::Page(READ));
    assert_eq!(ben.asked(), Some(Question::OtherMove(1, Some("a1".to_owned()), Some("a2".to_owned()))));
    ben.send(LetterRequest::GoOn(number));
    assert_eq!((ben.menu(), ben.current().moves().len()), (Menu::None, 2));
    // It can be looked at; the match stays.
    ben.read(&other_move);
    ben.send(LetterRequest::Look);
    ben.on_board();
    assert!(ben.current().is_of_record() && ben.current().friend().is_none());
    // The move is still to be found: no engine helps.
    assert_eq!(ben.current().help_refused(), Some("letters.refused"));
    // Of another game, and from another start.
    let other_game = with(&third, &|letter| {
        letter.record = Record::new("xiangqi", Setup::default());
    });
    ben.read(&other_game);
    assert_eq!(ben.asked(), Some(Question::OtherStart));
    ben.send(PageRequest::Menu(Menu::None));
    // A letter that resigns for its reader, cut letters, and one with my moves which I did not play.
    ben.read(&third[..third.len() - 3]);
    assert!(ben.told("not complete"));
    assert_eq!(ben.list()[0].0, 2);
    ben.answer(&third, 3);
    let data = Data::of(&*Home(ben.folder.clone()).storage()).unwrap();
    assert_eq!((data.count(Kind::Letters), data.count(Kind::Match)), (1, 1));
    let forged = with(&third, &|letter| {
        let table = letter.record.table().unwrap();
        let moves = ["b2", "a1", "c1", "a3", "c3"].map(|text| table.read(text).unwrap());
        letter.record.tree = Tree::of_line(moves, Origin::Main);
    });
    ben.read(&forged);
    assert_eq!(ben.asked(), Some(Question::OtherMove(3, None, Some("a3".to_owned()))));
    ben.send(LetterRequest::GoOn(number));
    assert_eq!(ben.current().moves().len(), 3);
}

/// A letter asks to take its move back; the answer agrees, or a move declines.
#[test]
fn moves_are_taken_back_by_letters() {
    let (one, other) = pair();
    let (mut anna, mut ben) = (Player::new(&one, "Anna"), Player::new(&other, "Ben"));
    anna.invite("tic-tac-toe", None, Side::Second);
    anna.play(some_move(&anna, 0));
    let plain = anna.letter();
    anna.send(CursorRequest::Undo);
    assert!(anna.current().awaits_answer() && !anna.current().can_undo());
    let asking = anna.letter();
    assert_ne!(asking, plain);
    ben.read(&asking);
    ben.send(LetterRequest::Accept);
    ben.on_board();
    let question = |player: &Player| player.app.world().resource::<Offers>().question(player.current());
    assert_eq!(question(&ben).map(|question| question.by), Some(Side::First));
    // He is killed before he answers, and has the question again.
    let number = ben.current().seed();
    let mut ben = ben.killed();
    ben.send(LetterRequest::GoOn(number));
    ben.on_board();
    assert!(question(&ben).is_some());
    ben.send(RefereeRequest::Answer(true));
    ben.until("the agreement", |world| world.resource::<CurrentMatch>().moves().is_empty());
    let agreed = ben.letter();
    // Anna is killed as well; the agreement is good for what she had asked.
    let mut anna = anna.killed();
    anna.answer(&agreed, 0);
    anna.until("her turn", |world| world.resource::<CurrentMatch>().human_to_move());
    // The letters of before are old, on both sides.
    anna.read(&agreed);
    assert!(anna.told("already"));
    ben.read(&asking);
    assert!(ben.told("older"));
    assert_eq!((anna.current().moves(), ben.current().moves()), (Vec::new(), Vec::new()));
    // She asks again, and this time he moves.
    anna.play(some_move(&anna, 1));
    anna.letter();
    anna.send(CursorRequest::Undo);
    let asking = anna.letter();
    ben.answer(&asking, 1);
    ben.until("the question", |world| world.resource::<Offers>().question(world.resource::<CurrentMatch>()).is_some());
    ben.send(RefereeRequest::Answer(false));
    assert_eq!(question(&ben), None);
    ben.play(some_move(&ben, 2));
    let answer = ben.letter();
    anna.answer(&answer, 2);
    assert!(!anna.current().awaits_answer());
    // He cannot take back what nobody has asked him to.
    let forged = {
        let record = recognise(answer.as_bytes()).unwrap().records.remove(0);
        let mut letter = Letter::of(&record).unwrap().unwrap();
        letter.told.backs += 1;
        letter.link().unwrap()
    };
    anna.read(&forged);
    assert!(matches!(anna.asked(), Some(Question::OtherMove(..))), "{:?}", anna.asked());
    anna.send(LetterRequest::GoOn(number));
    assert_eq!(anna.current().moves(), ben.current().moves());
}

#[test]
fn the_address_of_a_letter() {
    let link = format!("{}#qiju=abc", qiju_core::record::PAGE);
    assert_eq!(letter_link(&link, " "), "#qiju=abc");
    assert_eq!(letter_link(&link, "https://example.org/qiju/#old"), "https://example.org/qiju/#qiju=abc");
    assert_eq!(letter_link(&link, "example.org/qiju/"), "https://example.org/qiju/#qiju=abc");
}

/// Letters that go by themselves, through a broker of the test on the loopback.
#[cfg(feature = "friends")]
mod by_themselves {
    use super::*;
    use base64::Engine;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;
    use cuts::{Mosquitto, Outsider, Proxy, tells, wanted, words_of};
    use qiju::app::play::{Connection, Posts};
    use qiju::app::settings::LettersBy;
    use qiju::friends::{Broker, Carrier, ShowKey, beats_topic, shown_topic, topic, watchers_topic};
    use std::net::{Ipv4Addr, SocketAddr};
    use std::time::Instant;

    fn broker(port: u16) -> Broker {
        let address: SocketAddr = (Ipv4Addr::LOCALHOST, port).into();
        let begun = Instant::now();
        loop {
            match Broker::new(address) {
                Ok(broker) => return broker,
                Err(error) => assert!(begun.elapsed() < MINUTE, "{error}"),
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
    }

    /// Frames of both until something is so.
    fn both(one: &mut Player, other: &mut Player, what: &str, so: impl Fn(&World, &World) -> bool) {
        let begun = Instant::now();
        while !so(one.app.world(), other.app.world()) {
            assert!(begun.elapsed() < MINUTE, "no {what}");
            driver::frame(&mut one.app);
            driver::frame(&mut other.app);
        }
        one.frames();
        other.frames();
    }

    fn plies(world: &World) -> usize {
        world.get_resource::<CurrentMatch>().map_or(0, |current| current.moves().len())
    }

    fn is_over(world: &World) -> bool {
        world.resource::<CurrentMatch>().outcome().is_some()
    }

    fn has_friend(world: &World) -> bool {
        world.resource::<CurrentMatch>().goes_by_itself()
    }

    /// Two players at a board: Anna has invited Ben, and moves first. The third value is the invitation.
    fn seated(folders: &(tempfile::TempDir, tempfile::TempDir), at: SocketAddr, game: &str) -> (Player, Player, String) {
        seated_as(folders, at, game, ["Anna", "Ben"])
    }

    fn seated_as(
        folders: &(tempfile::TempDir, tempfile::TempDir),
        at: SocketAddr,
        game: &str,
        names: [&str; 2],
    ) -> (Player, Player, String) {
        let (mut anna, mut ben) = (Player::new(&folders.0, names[0]), Player::new(&folders.1, names[1]));
        let mut settings = anna.app.world_mut().resource_mut::<Settings>();
        (settings.letters, settings.broker) = (LettersBy::Broker, format!("ws://{at}"));
        anna.invite(game, None, Side::Second);
        // The invitation is there before the first move, and stays true after it.
        let invitation = anna.letter();
        anna.play(some_move(&anna, 0));
        assert_eq!(anna.menu(), Menu::None, "it is not shown again by itself");
        ben.read(&invitation);
        ben.send(LetterRequest::Accept);
        ben.on_board();
        both(&mut anna, &mut ben, "friend at the board", |anna, ben| has_friend(anna) && plies(ben) == 1);
        assert!(anna.told(&format!("The match begins: {} is here", names[1])));
        (anna, ben, invitation)
    }

    #[test]
    fn a_match_goes_by_itself() {
        let folders = pair();
        let broker = broker(0);
        let (mut anna, mut ben, invitation) = seated(&folders, broker.address(), "xiangqi");
        for ply in 1..8 {
            let (mover, _) = if ply % 2 == 1 { (&mut ben, ()) } else { (&mut anna, ()) };
            mover.play(some_move(mover, ply));
            both(&mut anna, &mut ben, "move", |anna, ben| plies(anna) == ply + 1 && plies(ben) == ply + 1);
            assert_eq!(anna.current().moves(), ben.current().moves());
            assert_eq!((anna.menu(), ben.menu()), (Menu::None, Menu::None), "no letter is shown");
        }
        let post = anna.current().post().unwrap().clone();
        assert_eq!(anna.app.world().resource::<Posts>().connection(&post), Connection::Connected);

        // A third person with the same invitation gets no seat, and changes nothing.
        let third = tempfile::tempdir().unwrap();
        let mut carl = Player::new(&third, "Carl");
        carl.read(&invitation);
        carl.send(LetterRequest::Accept);
        carl.on_board();
        carl.until("the end of hope", |world| {
            world.resource::<Told>().0.iter().any(|text| text.contains("somebody else has taken the seat"))
        });
        both(&mut anna, &mut carl, "peace", |_, _| true);
        assert_eq!((anna.current().moves(), plies(carl.app.world())), (ben.current().moves(), 0));
        drop(carl);

        // Ben is killed while it is Anna's turn; she moves; he finds it when he is back.
        let number = ben.current().seed();
        let folder = ben.folder.clone();
        drop(ben);
        anna.play(some_move(&anna, 8));
        let mut ben = Player::at(folder);
        both(&mut anna, &mut ben, "letter", |_, ben| {
            ben.resource::<Told>().0.iter().any(|text| text.contains("An answer from Anna (Xiangqi)"))
        });
        assert_eq!(ben.list(), [(8, Turn::Mine, Some("Anna".to_owned()))]);
        ben.send(LetterRequest::GoOn(number));
        ben.on_board();
        both(&mut anna, &mut ben, "move", |_, ben| plies(ben) == 9);

        // A draw is offered and declined, which both are told; the question does not come back, and the offer not before the next move.
        ben.forget();
        ben.send(RefereeRequest::OfferDraw);
        both(&mut anna, &mut ben, "question", |anna, _| asked(anna));
        anna.send(RefereeRequest::Answer(false));
        both(&mut anna, &mut ben, "answer", |_, ben| ben.resource::<CurrentMatch>().offered().is_none());
        assert!(ben.told("Declined: the game goes on"));
        let offer = |player: &Player| player.app.world().resource::<Offers>().offerer(player.current());
        assert!(offer(&anna).is_ok() && offer(&ben).is_err());
        both(&mut anna, &mut ben, "peace", |_, _| true);
        assert!(!asked(anna.app.world()) && anna.current().offered().is_none());

        // A draw is offered and agreed; both games are saved, and nothing is left on the lists.
        ben.play(some_move(&ben, 9));
        both(&mut anna, &mut ben, "move", |anna, _| plies(anna) == 10);
        anna.play(some_move(&anna, 10));
        both(&mut anna, &mut ben, "move", |_, ben| plies(ben) == 11);
        ben.send(RefereeRequest::OfferDraw);
        ben.play(some_move(&ben, 11));
        both(&mut anna, &mut ben, "question", |anna, _| {
            plies(anna) == 12 && anna.resource::<Offers>().question(anna.resource::<CurrentMatch>()).is_some()
        });
        anna.send(RefereeRequest::Answer(true));
        both(&mut anna, &mut ben, "end", |_, ben| is_over(ben));
        both(&mut anna, &mut ben, "answer", |anna, _| !anna.resource::<CurrentMatch>().letter_due());
        assert_eq!((anna.list(), ben.list()), (Vec::new(), Vec::new()));
        assert_eq!((anna.saved(), ben.saved()), (1, 1));
    }

    /// The times of the moves, in milliseconds.
    fn times(world: &World) -> Vec<u128> {
        world.resource::<MatchClock>().get().times().iter().map(|time| time.as_millis()).collect()
    }

    #[test]
    fn each_clock_is_the_players_own_and_both_know_the_times() {
        let folders = pair();
        let broker = broker(0);
        let (mut anna, mut ben, _) = seated(&folders, broker.address(), "xiangqi");
        assert_eq!(ben.current().match_setup().control, CLOCKS);
        for ply in 1..6 {
            let mover = if ply % 2 == 1 { &mut ben } else { &mut anna };
            mover.play(some_move(mover, ply));
            both(&mut anna, &mut ben, "move", |anna, ben| plies(anna) == ply + 1 && plies(ben) == ply + 1);
        }
        assert_eq!(times(anna.app.world()), times(ben.app.world()));
        assert!(times(anna.app.world())[1..].iter().all(|time| *time > 0));

        // A friend elsewhere does not see a pause, and no clock stands still.
        anna.play(some_move(&anna, 6));
        let left = |world: &World, seat| world.resource::<MatchClock>().get().left(seat).unwrap().left;
        both(&mut anna, &mut ben, "move", |_, ben| plies(ben) == 7);
        ben.send(PageRequest::Menu(Menu::Pause));
        let before = left(ben.app.world(), Side::Second);
        ben.until("the clock", |world| left(world, Side::Second) < before);
        ben.send(PageRequest::Menu(Menu::None));

        // What is said arrives once, and what was said long ago is not said again.
        anna.send(RefereeRequest::Say(Phrase::NoHurry));
        both(&mut anna, &mut ben, "phrase", |_, ben| ben.resource::<Told>().0.iter().any(|text| text == "Anna: Take your time"));
        let number = ben.current().seed();
        ben.forget();
        ben.send(PageRequest::Title);
        ben.until("the title", |world| *world.resource::<State<Screen>>().get() == Screen::Title);
        ben.send(LetterRequest::GoOn(number));
        ben.on_board();
        ben.play(some_move(&ben, 7));
        both(&mut anna, &mut ben, "move", |anna, _| plies(anna) == 8);
        anna.play(some_move(&anna, 8));
        both(&mut anna, &mut ben, "move", |_, ben| plies(ben) == 9);
        assert!(!ben.told("Take your time"));
        assert_eq!(times(anna.app.world()), times(ben.app.world()));

        // Here it looks as if Ben had no time left; only he can say so.
        let hour = std::time::Duration::from_secs(3600);
        anna.app.world_mut().resource_mut::<MatchClock>().told(Side::Second, hour);
        both(&mut anna, &mut ben, "peace", |_, _| true);
        assert_eq!((anna.current().outcome(), left(anna.app.world(), Side::Second)), (None, std::time::Duration::ZERO));
        ben.app.world_mut().resource_mut::<MatchClock>().told(Side::Second, hour);
        both(&mut anna, &mut ben, "end", |anna, ben| is_over(anna) && is_over(ben));
        assert_eq!(anna.current().outcome(), Some(Outcome::win(Side::First, Reason::Time)));
        assert_eq!(anna.current().outcome(), ben.current().outcome());
        both(&mut anna, &mut ben, "answer", |_, ben| !ben.resource::<CurrentMatch>().letter_due());
    }

    fn delay(world: &World) -> Option<std::time::Duration> {
        world.resource::<Posts>().presence().delay
    }

    fn asked(world: &World) -> bool {
        world.resource::<Offers>().question(world.resource::<CurrentMatch>()).is_some()
    }

    #[test]
    fn moves_are_taken_back_and_clocks_stand_by_agreement() {
        let folders = pair();
        let first = broker(0);
        let port = first.address().port();
        let (mut anna, mut ben, _) = seated(&folders, first.address(), "xiangqi");
        let number = anna.current().seed();
        // She asks after her own move; he declines, and she cannot ask again before the next move.
        anna.send(CursorRequest::Undo);
        both(&mut anna, &mut ben, "question", |_, ben| asked(ben));
        let (world, words) = (ben.app.world(), Words::shipped(Language::En));
        let question = world.resource::<Offers>().question(ben.current()).unwrap();
        let red = words.seat(ben.current(), Side::First);
        let asked_for = format!("{red} asks to take the last move back. Do you agree?");
        assert_eq!(words.question(ben.current(), question), asked_for);
        ben.send(RefereeRequest::Answer(false));
        both(&mut anna, &mut ben, "answer", |anna, _| !anna.resource::<CurrentMatch>().awaits_answer());
        assert!(!anna.current().can_undo() && plies(anna.app.world()) == 1);
        ben.play(some_move(&ben, 1));
        both(&mut anna, &mut ben, "move", |anna, _| plies(anna) == 2);
        // Now it is her turn: both moves would go. The connection is cut before he knows of it, and he is killed before she knows that he agrees.
        anna.send(CursorRequest::Undo);
        both(&mut anna, &mut ben, "question", |_, ben| asked(ben));
        drop(first);
        ben.send(RefereeRequest::Answer(true));
        ben.until("the agreement", |world| plies(world) == 0);
        let mut ben = ben.killed();
        // Meanwhile she has moved: what both agreed to counts.
        anna.play(some_move(&anna, 2));
        assert_eq!(plies(anna.app.world()), 3);
        let second = broker(port);
        both(&mut anna, &mut ben, "agreement", |anna, _| plies(anna) == 0);
        let mut anna = anna.killed();
        for player in [&mut anna, &mut ben] {
            player.send(LetterRequest::GoOn(number));
            player.on_board();
        }
        assert_eq!((plies(anna.app.world()), plies(ben.app.world())), (0, 0));
        anna.play(some_move(&anna, 3));
        both(&mut anna, &mut ben, "move", |_, ben| plies(ben) == 1);
        assert_eq!(anna.current().moves(), ben.current().moves());

        // Both ask at the same time for a pause: the second one answers.
        let paused = |world: &World| world.resource::<CurrentMatch>().is_paused();
        anna.send(RefereeRequest::AskPause);
        ben.send(RefereeRequest::AskPause);
        both(&mut anna, &mut ben, "question", |_, ben| asked(ben));
        assert!(!asked(anna.app.world()));
        ben.send(RefereeRequest::Answer(true));
        both(&mut anna, &mut ben, "pause", |anna, ben| paused(anna) && paused(ben));
        let left = |world: &World| world.resource::<MatchClock>().get().left(Side::Second).unwrap().left;
        let before = left(ben.app.world());
        let mut ben = ben.killed();
        std::thread::sleep(std::time::Duration::from_millis(1500));
        ben.send(LetterRequest::GoOn(number));
        ben.on_board();
        assert!(paused(ben.app.world()) && before.saturating_sub(left(ben.app.world())) < std::time::Duration::from_millis(500));
        // Either of them may go on, also by a move.
        anna.send(RefereeRequest::GoOn);
        both(&mut anna, &mut ben, "end of the pause", |anna, ben| !paused(anna) && !paused(ben));
        ben.send(RefereeRequest::AskPause);
        both(&mut anna, &mut ben, "question", |anna, _| asked(anna));
        anna.send(RefereeRequest::Answer(true));
        both(&mut anna, &mut ben, "pause", |_, ben| paused(ben));
        ben.play(some_move(&ben, 4));
        both(&mut anna, &mut ben, "move", |anna, _| plies(anna) == 2);
        assert!(!paused(anna.app.world()) && !paused(ben.app.world()));
        assert_eq!(times(anna.app.world()), times(ben.app.world()));
        drop(second);
    }

    /// Who leaves the match, or is killed, gains no time by it.
    #[test]
    fn a_clock_goes_on_while_the_match_is_closed() {
        let folders = pair();
        let broker = broker(0);
        let (mut anna, mut ben, _) = seated(&folders, broker.address(), "gomoku");
        let number = ben.current().seed();
        let left = |world: &World| world.resource::<MatchClock>().get().left(Side::Second).unwrap().left;
        let lost = |before: std::time::Duration, world: &World| before.saturating_sub(left(world));
        let before = left(ben.app.world());
        ben.list();
        let away = std::time::Duration::from_millis(1200);
        std::thread::sleep(away);
        ben.send(LetterRequest::GoOn(number));
        ben.on_board();
        assert!(lost(before, ben.app.world()) >= away);
        let mut ben = ben.killed();
        std::thread::sleep(away);
        ben.send(LetterRequest::GoOn(number));
        ben.on_board();
        assert!(lost(before, ben.app.world()) >= 2 * away);
        // He leaves while it is her turn, and her move comes while his program is open: from then on it is his time.
        ben.play(some_move(&ben, 1));
        both(&mut anna, &mut ben, "move", |anna, _| plies(anna) == 2);
        ben.list();
        let before = left(ben.app.world());
        anna.play(some_move(&anna, 2));
        both(&mut anna, &mut ben, "letter", |_, ben| {
            ben.resource::<Told>().0.iter().any(|text| text.contains("An answer from Anna"))
        });
        std::thread::sleep(away);
        ben.send(LetterRequest::GoOn(number));
        ben.on_board();
        both(&mut anna, &mut ben, "move and time", |_, ben| plies(ben) == 3 && lost(before, ben) >= away);
        // What she says while his program is closed is told when he is back.
        let folder = ben.folder.clone();
        drop(ben);
        anna.send(RefereeRequest::Say(Phrase::GoodMove));
        let mut ben = Player::at(folder);
        ben.send(LetterRequest::GoOn(number));
        ben.on_board();
        both(&mut anna, &mut ben, "phrase", |_, ben| ben.resource::<Told>().0.iter().any(|text| text == "Anna: A good move!"));
    }

    #[test]
    fn each_side_sees_whether_the_friend_is_there() {
        let folders = pair();
        let broker = broker(0);
        let (mut anna, mut ben, _) = seated(&folders, broker.address(), "tic-tac-toe");
        both(&mut anna, &mut ben, "presence", |anna, ben| delay(anna).is_some() && delay(ben).is_some());
        assert!(delay(anna.app.world()) < Some(std::time::Duration::from_secs(5)));
        // Ben leaves the board, which is told at once, and comes back.
        let number = ben.current().seed();
        assert_eq!(ben.list().len(), 1);
        both(&mut anna, &mut ben, "absence", |anna, _| delay(anna).is_none());
        let last = anna.app.world().resource::<Posts>().presence().last.unwrap();
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs() as i64;
        assert!((now - 60..=now).contains(&last), "{last} and {now}");
        ben.send(LetterRequest::GoOn(number));
        ben.on_board();
        both(&mut anna, &mut ben, "presence", |anna, ben| delay(anna).is_some() && delay(ben).is_some());
        // Anna, who comes back while Ben is away, knows when he was there.
        ben.list();
        let mut anna = anna.killed();
        anna.send(LetterRequest::GoOn(number));
        anna.on_board();
        both(&mut anna, &mut ben, "last time", |anna, _| anna.resource::<Posts>().presence().last >= Some(now - 60));
        assert_eq!(delay(anna.app.world()), None);
    }

    #[test]
    fn others_watch_and_change_nothing() {
        let folders = pair();
        let third = tempfile::tempdir().unwrap();
        let broker = broker(0);
        let (mut anna, mut ben, invitation) = seated(&folders, broker.address(), "xiangqi");
        let number = anna.current().seed();
        let link = anna.watch_link();
        assert_eq!(anna.watch_link(), link, "it stays the same");
        let mut carl = Player::new(&third, "Carl");
        carl.read(&link);
        assert_eq!((carl.asked(), carl.menu()), (Some(Question::Begin), Menu::Page(READ)));
        carl.send(LetterRequest::Accept);
        carl.on_board();
        let current = carl.current();
        assert!(current.looks_on() && current.friend().is_none() && !current.help_allowed() && !current.can_undo());
        assert!(!current.human_to_move() && current.person().is_none() && plies(carl.app.world()) == 1);
        let follow = |anna: &Player, carl: &mut Player| {
            let moves = anna.current().moves();
            carl.until("the moves", |world| world.resource::<CurrentMatch>().moves() == moves);
        };
        for ply in 1..4 {
            let mover = if ply % 2 == 1 { &mut ben } else { &mut anna };
            mover.play(some_move(mover, ply));
            both(&mut anna, &mut ben, "move", |anna, ben| plies(anna) == ply + 1 && plies(ben) == ply + 1);
            follow(&anna, &mut carl);
            carl.on_board();
        }
        assert_eq!(times(anna.app.world()), times(carl.app.world()));

        // Both players and he himself know how many look on, until he leaves the board.
        let watchers = |world: &World| world.resource::<Posts>().watchers();
        both(&mut anna, &mut ben, "one who looks on", |anna, ben| watchers(anna) == 1 && watchers(ben) == 1);
        carl.until("the number", |world| watchers(world) == 1);
        carl.list();
        both(&mut anna, &mut ben, "end of it", |anna, ben| watchers(anna) == 0 && watchers(ben) == 0);
        carl.send(LetterRequest::GoOn(number));

        // What both say to each other is not shown, and what both agree on is.
        anna.send(RefereeRequest::Say(Phrase::NoHurry));
        both(&mut anna, &mut ben, "phrase", |_, ben| ben.resource::<Told>().0.iter().any(|text| text == "Anna: Take your time"));
        ben.send(CursorRequest::Undo);
        both(&mut anna, &mut ben, "question", |anna, _| asked(anna));
        anna.send(RefereeRequest::Answer(true));
        both(&mut anna, &mut ben, "agreement", |anna, ben| plies(anna) == 3 && plies(ben) == 3);
        follow(&anna, &mut carl);
        assert!(carl.told("Moves were taken back") && !carl.told("Take your time"));

        // Nothing that he does or opens moves anything, and neither does his link where they play.
        carl.on_board();
        let action = some_move(&carl, 1);
        carl.send(CursorRequest::Try(action));
        carl.send(RefereeRequest::Resign(Side::First));
        carl.send(RefereeRequest::OfferDraw);
        carl.send(CursorRequest::Undo);
        carl.read(&invitation);
        assert!(carl.told("already"));
        assert_eq!((carl.current().outcome(), plies(carl.app.world())), (None, 3));
        anna.read(&link);
        assert!(anna.told("already") && anna.current().friend() == Some(Side::Second));
        assert_eq!(carl.list(), [(3, Turn::Watched, Some("Anna – Ben".to_owned()))]);

        // They go on while his program is closed. Then the match ends, and he can look at it as at any other.
        let folder = carl.folder.clone();
        drop(carl);
        ben.play(some_move(&ben, 5));
        both(&mut anna, &mut ben, "move", |anna, _| plies(anna) == 4);
        let mut carl = Player::at(folder);
        assert_eq!(carl.list().len(), 1);
        carl.send(LetterRequest::GoOn(number));
        carl.on_board();
        follow(&anna, &mut carl);
        let side = ben.current().resigner().unwrap();
        ben.send(RefereeRequest::Resign(side));
        both(&mut anna, &mut ben, "end", |anna, _| is_over(anna));
        carl.until("the end", |world| is_over(world));
        assert_eq!(carl.current().outcome(), anna.current().outcome());
        assert!(carl.current().help_allowed());
        assert_eq!((carl.list(), carl.saved()), (Vec::new(), 1));
    }

    /// Who reads all that a broker of others carries sees no name, move, position or key, while the same search finds them in a letter that is not sealed.
    #[test]
    fn an_outside_client_that_hears_everything_sees_nothing() {
        let Some(broker) = Mosquitto::begin(false) else { return };
        let mut outsider = Outsider::at(broker.address, &["#"]);
        assert!(outsider.answers[0] < 128);
        let secret = played(broker.address);
        sees_nothing(&mut outsider, broker.address, &secret);
        // What the invitation tells only its reader was not told before the reader had the seat.
        let first = |bytes: &[u8]| outsider.seen.iter().position(|one| one.windows(bytes.len()).any(|part| part == bytes));
        assert!(first(&secret.keys[0]) > first(&secret.keys[1]));
    }

    /// The broker of this program gives nothing to those who do not know the match's number, and nothing that can be read to those who do.
    #[test]
    fn an_outside_client_at_a_table_nearby_sees_nothing() {
        let broker = broker(0);
        let all = ["#", "+", "qiju/#", "qiju/+/first", "+/+/+", "$share/all/#", "$SYS/#"];
        let mut outsider = Outsider::at(broker.address(), &all);
        assert!(outsider.answers.iter().all(|answer| *answer >= 128), "{:?}", outsider.answers);
        let secret = played(broker.address());
        outsider.listen();
        assert_eq!(outsider.seen, Vec::<Vec<u8>>::new());
        let mut outsider = Outsider::at(broker.address(), &secret.topics.each_ref().map(String::as_str));
        assert!(outsider.answers.iter().all(|answer| *answer < 128), "{:?}", outsider.answers);
        sees_nothing(&mut outsider, broker.address(), &secret);
    }

    /// What is known only to those who have a part in a match.
    struct Secret {
        words: Vec<Vec<u8>>,
        /// The public keys of the two players.
        keys: [Vec<u8>; 2],
        /// A letter that tells the words.
        open: String,
        /// Where the match is carried, and where that letter is put.
        topics: [String; 7],
    }

    /// A match of two with names, who talk, while somebody looks on.
    fn played(at: SocketAddr) -> Secret {
        let (folders, third) = (pair(), tempfile::tempdir().unwrap());
        let (mut anna, mut ben, invitation) = seated_as(&folders, at, "xiangqi", ["Annabella", "Benvenuto"]);
        let mut carl = Player::new(&third, "Carl");
        carl.read(&anna.watch_link());
        carl.send(LetterRequest::Accept);
        carl.on_board();
        for ply in 1..6 {
            let mover = if ply % 2 == 1 { &mut ben } else { &mut anna };
            mover.play(some_move(mover, ply));
            both(&mut anna, &mut ben, "move", |anna, ben| plies(anna) == ply + 1 && plies(ben) == ply + 1);
        }
        anna.send(RefereeRequest::Say(Phrase::NoHurry));
        both(&mut anna, &mut ben, "phrase", |_, ben| {
            ben.resource::<Told>().0.iter().any(|text| text.ends_with("Take your time"))
        });
        both(&mut anna, &mut ben, "beats and one who looks on", |anna, ben| {
            delay(anna).is_some() && delay(ben).is_some() && anna.resource::<Posts>().watchers() == 1
        });
        carl.until("the moves", |world| plies(world) == 6);

        let (world, post) = (anna.app.world(), anna.current().post().unwrap());
        let letter = anna.current().letter(world.resource::<MatchClock>().get(), Some("Annabella".to_owned())).unwrap();
        assert_eq!(letter.says.map(|(_, phrase)| phrase), Some(Phrase::NoHurry));
        let show = ShowKey::of_text(post.watch.as_deref().unwrap()).unwrap();
        let bytes = |key: &str| URL_SAFE_NO_PAD.decode(key).unwrap();
        let watch = bytes(&show.watch().text())[..32].to_vec();
        let open = letter.link().unwrap();
        let open = format!("{open} {} {} {}", post.secret, URL_SAFE_NO_PAD.encode(&watch), invitation);
        let mut words = words_of(&letter);
        words.extend(["Annabella", "Benvenuto", "xiangqi", "no-hurry", "#qiju="].map(|word| word.as_bytes().to_vec()));
        words.extend([post.secret.clone().into_bytes(), bytes(&post.secret), watch]);
        words.extend([post.public.clone().into_bytes(), invitation.split_once("#qiju=").unwrap().1.as_bytes().to_vec()]);
        words.sort_unstable();
        words.dedup();
        let (number, signer) = (letter.number, show.watch().signer());
        let [first, second] = Side::BOTH.map(|seat| topic(number, seat));
        let [here, there] = Side::BOTH.map(|seat| beats_topic(number, seat));
        let topics =
            [first, second, here, there, shown_topic(number, &signer), watchers_topic(number, &signer), topic(1, Side::First)];
        Secret { words, keys: [bytes(&post.public), bytes(post.friend.as_deref().unwrap())], open, topics }
    }

    fn sees_nothing(outsider: &mut Outsider, at: SocketAddr, secret: &Secret) {
        // Each topic was used.
        outsider.listen();
        for topic in &secret.topics[..6] {
            assert!(outsider.seen.iter().any(|one| one.windows(topic.len()).any(|part| part == topic.as_bytes())), "{topic}");
        }
        for packet in &outsider.seen {
            let told: Vec<_> = tells(packet, &secret.words).into_iter().map(String::from_utf8_lossy).collect();
            assert!(told.is_empty(), "{told:?}");
        }
        eprintln!("{} messages were heard", outsider.seen.len());
        // It does hear what is not sealed, and each of the words is found there.
        let before = outsider.seen.len();
        let carrier = Carrier::new(&format!("ws://{at}"), || ()).unwrap();
        carrier.put(secret.topics[6].clone(), secret.open.clone().into_bytes());
        let begun = Instant::now();
        while outsider.seen.len() == before {
            assert!(begun.elapsed() < MINUTE);
            outsider.listen();
        }
        for word in &secret.words {
            let found = outsider.seen[before..].iter().any(|one| tells(one, &secret.words).contains(&word.as_slice()));
            assert!(found, "{}", String::from_utf8_lossy(word));
        }
    }

    /// Two play and one looks on, over connections that are cut again and again. In the end their journals agree: no move is lost or doubled, and
    /// each clock is the same for all.
    #[test]
    fn connections_are_cut_while_others_watch() {
        let broker = broker(0);
        let (mut cuts, wanted) = (0, wanted("QIJU_CUTS", 6));
        for seed in 0.. {
            let game = ["gomoku", "xiangqi", "two-eat-one"][seed % 3];
            let proxy = Proxy::to(broker.address(), wanted.saturating_sub(cuts).min(40), None, seed as u64);
            let (folders, third) = (pair(), tempfile::tempdir().unwrap());
            let (mut anna, mut ben, _) = seated(&folders, proxy.address, game);
            let mut carl = Player::new(&third, "Carl");
            carl.read(&anna.watch_link());
            carl.send(LetterRequest::Accept);
            carl.on_board();
            let mut ply = 1;
            while ply < 24 && !is_over(anna.app.world()) {
                let mover = if ply % 2 == 1 { &mut ben } else { &mut anna };
                mover.play(some_move(mover, ply));
                ply += 1;
                both(&mut anna, &mut ben, "move", |anna, ben| plies(anna) == ply && plies(ben) == ply);
                driver::frame(&mut carl.app);
            }
            let (moves, used) = (anna.current().moves(), times(anna.app.world()));
            carl.until("the moves", |world| plies(world) == moves.len());
            let number = anna.current().seed();
            let goes_on = !is_over(anna.app.world());
            for mut one in [anna, ben, carl] {
                assert_eq!((one.current().moves(), times(one.app.world())), (moves.clone(), used.clone()), "{game}, {seed}");
                if goes_on {
                    one = one.killed();
                    one.send(LetterRequest::GoOn(number));
                    one.on_board();
                    assert_eq!((one.current().moves(), times(one.app.world())), (moves.clone(), used.clone()), "{game}, {seed}");
                }
            }
            cuts += proxy.cuts();
            if cuts >= wanted {
                eprintln!("{cuts} connections were cut in {} matches that are watched", seed + 1);
                return;
            }
        }
    }

    #[test]
    fn the_broker_ends_and_begins_again() {
        let folders = pair();
        let first = broker(0);
        let port = first.address().port();
        let (mut anna, mut ben, _) = seated(&folders, first.address(), "gomoku");
        drop(first);
        let lost = |world: &World| {
            let post = world.resource::<CurrentMatch>().post().unwrap().clone();
            matches!(world.resource::<Posts>().connection(&post), Connection::Lost(_))
        };
        both(&mut anna, &mut ben, "loss", |anna, ben| lost(anna) && lost(ben));
        // Both go on as if nothing had happened; Ben's move and his resignation wait in his program.
        ben.play(some_move(&ben, 1));
        let side = ben.current().resigner().unwrap();
        ben.send(RefereeRequest::Resign(side));
        assert_eq!(plies(anna.app.world()), 1);
        let _second = broker(port);
        both(&mut anna, &mut ben, "end", |anna, _| plies(anna) == 2 && is_over(anna));
        assert_eq!(anna.current().outcome(), ben.current().outcome());
        assert_eq!(ben.current().outcome().unwrap().reason, Reason::Resignation);
        both(&mut anna, &mut ben, "answer", |_, ben| !ben.resource::<CurrentMatch>().letter_due());
        assert_eq!((anna.list(), ben.list()), (Vec::new(), Vec::new()));
    }

    #[test]
    fn the_own_program_is_the_broker() {
        let folders = pair();
        let (mut anna, mut ben) = (Player::new(&folders.0, "Anna"), Player::new(&folders.1, "Ben"));
        anna.app.world_mut().resource_mut::<Settings>().letters = LettersBy::Network;
        anna.invite("tic-tac-toe", None, Side::First);
        let invitation = anna.letter();
        ben.read(&invitation);
        ben.send(LetterRequest::Accept);
        ben.on_board();
        both(&mut anna, &mut ben, "friend at the board", |anna, _| has_friend(anna));
        ben.play(some_move(&ben, 1));
        both(&mut anna, &mut ben, "move", |anna, _| plies(anna) == 1);
        // Anna's program is killed, and is the broker again when she is back.
        let number = anna.current().seed();
        let mut anna = anna.killed();
        anna.send(LetterRequest::GoOn(number));
        anna.on_board();
        anna.play(some_move(&anna, 2));
        both(&mut anna, &mut ben, "move", |_, ben| plies(ben) == 2);
        assert_eq!(anna.current().moves(), ben.current().moves());
        // It is over, and Ben wants to play again with the other side: Anna is asked at once.
        let side = anna.current().resigner().unwrap();
        anna.send(RefereeRequest::Resign(side));
        both(&mut anna, &mut ben, "end", |_, ben| is_over(ben));
        ben.send(BeginRequest::Rematch(true));
        ben.on_board();
        assert_ne!(ben.current().seed(), number);
        both(&mut anna, &mut ben, "question", |anna, _| anna.resource::<Mail>().asked().is_some());
        assert_eq!((anna.asked(), anna.menu()), (Some(Question::Begin), Menu::Page(READ)));
        anna.send(LetterRequest::Accept);
        anna.on_board();
        both(&mut anna, &mut ben, "friend at the board", |_, ben| has_friend(ben));
        assert_eq!((ben.menu(), anna.current().seed()), (Menu::None, ben.current().seed()));
        assert_eq!((anna.current().friend(), ben.current().friend()), (Some(Side::Second), Some(Side::First)));
        anna.play(some_move(&anna, 1));
        both(&mut anna, &mut ben, "move", |_, ben| plies(ben) == 1);
        // Both want another one at the same time: one of the two matches is played, and the other one is gone.
        let side = anna.current().resigner().unwrap();
        anna.send(RefereeRequest::Resign(side));
        both(&mut anna, &mut ben, "end", |anna, ben| is_over(ben) && !anna.resource::<CurrentMatch>().letter_due());
        anna.send(BeginRequest::Rematch(true));
        ben.send(BeginRequest::Rematch(true));
        both(&mut anna, &mut ben, "friend at the board", |anna, ben| {
            let at = |world: &World| world.resource::<CurrentMatch>().seed();
            has_friend(anna) && has_friend(ben) && at(anna) == at(ben)
        });
        assert_eq!((anna.current().friend(), ben.current().friend()), (Some(Side::First), Some(Side::Second)));
        ben.play(some_move(&ben, 1));
        both(&mut anna, &mut ben, "move", |anna, _| plies(anna) == 1);
        assert_eq!((anna.list().len(), ben.list().len()), (1, 1));
    }

    #[test]
    fn a_bad_address_begins_no_match() {
        let folder = tempfile::tempdir().unwrap();
        let mut anna = Player::new(&folder, "Anna");
        let mut settings = anna.app.world_mut().resource_mut::<Settings>();
        (settings.letters, settings.broker) = (LettersBy::Broker, "broker.example".to_owned());
        let seats = BySide::new(SeatSpec::Human, SeatSpec::Friend);
        anna.send(BeginRequest::Start(MatchSetup::untimed("xiangqi", Setup::default(), seats, Purpose::Casual)));
        assert!(anna.told("'broker.example' is no address of a broker"));
        assert_eq!(*anna.app.world().resource::<State<Screen>>().get(), Screen::Title);
    }
}
