//! Matches by letter: a letter that was opened is compared with its match and extends it, and after the user's move the letter to the friend is shown.

mod list;
mod mail;
mod panel;
mod read;
mod write;

pub use mail::{LETTER, Mail, Question, READ, WATCH};

use crate::app::ground::activity::LETTERS;
use crate::app::ground::commands::Command;
use crate::app::ground::home::Home;
use crate::app::ground::library::Library;
use crate::app::ground::notices::Notices;
use crate::app::ground::picture::{InMotion, Ready};
use crate::app::ground::requests::{BeginRequest, CursorRequest, Go, LetterRequest, RefereeRequest, Requests};
use crate::app::ground::settings::Settings;
use crate::app::ground::state::{Menu, Screen};
use crate::app::ground::step::Step;
use crate::app::ground::words::Words;
use crate::app::play::{
    Brings, CurrentMatch, Judging, Letters, MatchClock, MoveRequested, accept, at_board, in_match, look_on, note_post, put_away,
    recovered, resume, shared,
};
use crate::app::view::FrameRequests;
use crate::ui::activity::register;
use crate::ui::panel::Place;
use crate::ui::widgets::Icon;
use bevy::prelude::*;
use mail::{Arriving, phrase_key};
use qiju_core::record::accord::Agreement;
use qiju_core::record::journal::Post;
use qiju_core::record::letter::{Letter, Standing};
use std::time::Duration;

/// What is to be done with a letter.
enum Sorted {
    /// It goes on with its match.
    Arrives(Arriving),
    /// It brings nothing new; why, as the key of a text with its numbers.
    Nothing(&'static str, Vec<usize>),
    /// The user is asked.
    Asks(Question),
    /// Its match is not known here, and over or not to be followed; why, as the key of a text. It is shown as a game.
    Look(&'static str),
}

/// Compares a letter with its match.
fn sorted(letter: &Letter, known: Option<&CurrentMatch>, settings: &Settings, words: &Words) -> Sorted {
    let Some(known) = known else {
        return match &letter.watch {
            _ if letter.record.result.is_some() => Sorted::Look("letters.over-elsewhere"),
            Some(watch) if look_on(watch).is_none() => Sorted::Look("letters.cannot-watch"),
            _ => Sorted::Asks(Question::Begin),
        };
    };
    let friend = !letter.reader;
    // Nobody watches their own match, or sits down at one that they watch.
    if letter.watch.is_some() != known.looks_on() {
        return Sorted::Nothing("letters.known", Vec::new());
    }
    if !known.looks_on() && known.friend() != Some(friend) {
        return Sorted::Nothing("letters.own", Vec::new());
    }
    if let Some(Brings { agreed, moves, words }) = known.brings(letter) {
        let before = letter.record.plies().saturating_sub(moves.len());
        return Sorted::Arrives(Arriving {
            agreed,
            moves: moves.into_iter().enumerate().map(|(index, action)| (action, letter.time(before + index))).collect(),
            ply: known.table().ply(),
            words,
            letter: Box::new(letter.clone()),
            waited: Duration::ZERO,
            shown: true,
        });
    }
    if known.looks_on() {
        return Sorted::Nothing("letters.known", Vec::new());
    }
    let running = known.outcome().is_none();
    match known.against(letter) {
        Standing::OtherStart => Sorted::Asks(Question::OtherStart),
        Standing::OtherMove(at) => {
            let texts = |table: &dyn qiju_core::table::Table| {
                table.played_text(settings.notation(table, words.language)).get(known.played().given() + at).cloned()
            };
            let theirs = letter.table().ok().and_then(|table| texts(&*table));
            Sorted::Asks(Question::OtherMove(at, texts(known.table()), theirs))
        }
        Standing::Older(plies) => Sorted::Nothing("letters.older", vec![plies, known.moves().len()]),
        Standing::Same | Standing::Newer(_) if running && letter.agrees() => Sorted::Nothing("letters.not-offered", Vec::new()),
        Standing::Same => Sorted::Nothing("letters.known", Vec::new()),
        Standing::Newer(_) => Sorted::Nothing("letters.over-here", Vec::new()),
    }
}

/// A letter of the match on the board has come by itself. It disturbs nothing: neither a page that is open nor looking back.
fn arrive(
    (letter, waited): (&Letter, Duration),
    known: &CurrentMatch,
    (settings, words): (&Settings, &Words),
    mail: &mut Mail,
    (notices, requests): (&mut Notices, &mut Requests),
) {
    if letter.over && known.outcome().is_some() {
        requests.write(RefereeRequest::FriendKnows);
    }
    if let Some((at, phrase)) = known.hears(letter) {
        requests.write(RefereeRequest::Heard(at));
        let said = words.say(phrase_key(phrase));
        notices.warn(words.fill("letters.says", &[letter.writer().unwrap_or(words.say("letters.friend")), said]));
    }
    match sorted(letter, Some(known), settings, words) {
        Sorted::Arrives(arriving) => {
            // A turn that has gone on all the time is counted by its journal.
            let turn = !arriving.moves.is_empty() || arriving.agreed.iter().any(|one| matches!(one, Agreement::TakenBack { .. }));
            let waited = if turn { waited } else { Duration::ZERO };
            mail.arriving = Some(Arriving { shown: false, waited, ..arriving });
        }
        Sorted::Asks(_) => notices.warn(words.say("letters.differs")),
        Sorted::Nothing(..) | Sorted::Look(_) => {}
    }
}

/// The post of a match whose friend invites anew, to another address, or lets look on there.
fn moved(known: &CurrentMatch, letter: &Letter) -> Option<Post> {
    let post = known.post()?;
    let (invitation, key) =
        if known.looks_on() { (letter.watch.as_ref()?, &post.watch) } else { (letter.post.as_ref()?, &post.friend) };
    let other = key.as_ref() == Some(&invitation.key) && post.at != invitation.at && !post.hosts;
    other.then(|| Post { at: invitation.at.clone(), ..post.clone() })
}

/// Goes on with a match by letter.
fn go_on(number: u64, on_board: Option<&CurrentMatch>, menu: &mut NextState<Menu>, requests: &mut Requests) {
    if on_board.is_some_and(|current| current.seed() == number) {
        menu.set(Menu::None);
        requests.write(CursorRequest::Go(Go::End));
    } else {
        requests.write(BeginRequest::Letters(number));
    }
}

/// Reads letters, begins matches and goes on with them.
fn serve(
    mut asked: MessageReader<LetterRequest>,
    (mut mail, mut letters): (ResMut<Mail>, ResMut<Letters>),
    current: Option<Res<CurrentMatch>>,
    (home, library, words, settings): (Res<Home>, Res<Library>, Res<Words>, Res<Settings>),
    (mut notices, mut requests): (ResMut<Notices>, Requests),
    (screen, mut next, mut menu): (Res<State<Screen>>, ResMut<NextState<Screen>>, ResMut<NextState<Menu>>),
) {
    let on_board = current.as_deref().filter(|current| *screen.get() == Screen::Match && current.is_by_letter());
    let is_on_board = |number: u64| on_board.is_some_and(|current| current.seed() == number);
    for request in asked.read() {
        match request {
            LetterRequest::List => menu.set(Menu::Page(LETTERS)),
            LetterRequest::Show if on_board.is_some_and(CurrentMatch::has_letter) => menu.set(Menu::Page(LETTER)),
            LetterRequest::Show => {}
            LetterRequest::ShowLink => {
                let Some(post) = on_board.filter(|current| current.can_be_shown()).and_then(CurrentMatch::post) else { continue };
                let Some(shared) = shared(post) else { continue };
                if shared != *post {
                    requests.write(RefereeRequest::Post(Box::new(shared)));
                }
                menu.set(Menu::Page(WATCH));
            }
            LetterRequest::Came(letter, waited) => {
                if let Some(known) = on_board.filter(|current| current.seed() == letter.number) {
                    arrive((letter, *waited), known, (&settings, &words), &mut mail, (&mut notices, &mut requests));
                }
            }
            LetterRequest::Read(letter) => {
                // The program was started with it.
                if *screen.get() == Screen::Loading {
                    next.set(Screen::Title);
                }
                let number = letter.number;
                let kept = if is_on_board(number) { Ok(None) } else { recovered(&home, &library, number) };
                let kept = match kept {
                    Ok(kept) => kept.map(|(current, _)| current),
                    Err(why) => {
                        notices.fail(why);
                        continue;
                    }
                };
                let known = on_board.filter(|current| current.seed() == number).or(kept.as_ref());
                // The broker of the match is elsewhere now.
                if let Some(post) = known.and_then(|known| moved(known, letter))
                    && let Err(why) = note_post(&home, (number, is_on_board(number)), post, None, &mut requests)
                {
                    notices.fail(why);
                }
                match sorted(letter, known, &settings, &words) {
                    Sorted::Arrives(arriving) => {
                        mail.arriving = Some(arriving);
                        go_on(number, on_board, &mut menu, &mut requests);
                    }
                    Sorted::Nothing(key, numbers) => {
                        let numbers: Vec<String> = numbers.iter().map(usize::to_string).collect();
                        notices.warn(words.fill(key, &numbers.iter().map(String::as_str).collect::<Vec<_>>()));
                        go_on(number, on_board, &mut menu, &mut requests);
                    }
                    Sorted::Asks(question) => {
                        mail.asked = Some((letter.clone(), question));
                        menu.set(Menu::Page(READ));
                    }
                    Sorted::Look(why) => {
                        notices.warn(words.say(why));
                        requests.write(BeginRequest::Letter(Box::new(letter.record.clone())));
                    }
                }
            }
            LetterRequest::Accept => {
                let Some((letter, Question::Begin)) = mail.asked.take() else { continue };
                match accept(&home, &letter) {
                    Ok(()) => go_on(letter.number, on_board, &mut menu, &mut requests),
                    Err(why) => notices.fail(why),
                }
            }
            LetterRequest::Look => {
                let Some((letter, _)) = mail.asked.take() else { continue };
                requests.write(BeginRequest::Letter(Box::new(letter.record)));
            }
            LetterRequest::GoOn(number) => go_on(*number, on_board, &mut menu, &mut requests),
            LetterRequest::PutAway(number) if is_on_board(*number) => {}
            LetterRequest::PutAway(number) => {
                let kept = resume(&home, &library, *number).and_then(|one| put_away(&home, &one, &one.recovered_clock()));
                match kept {
                    Ok(()) => notices.warn(words.say("letters.put-away.done")),
                    Err(why) => notices.fail(why),
                }
                letters.load(&home, &library, &mut notices);
            }
        }
    }
}

/// Hands what a letter brings to the referee, one move after the other.
fn deliver(
    mut mail: ResMut<Mail>,
    (current, mut clock): (Res<CurrentMatch>, ResMut<MatchClock>),
    (moving, ready): (Query<(), With<InMotion>>, Res<Ready>),
    mut moves: MessageWriter<MoveRequested>,
    (mut requests, mut frames): (Requests, ResMut<FrameRequests>),
) {
    let Some(arriving) = &mut mail.bypass_change_detection().arriving else { return };
    if arriving.letter.number != current.seed() || !current.is_by_letter() {
        return;
    }
    frames.keep();
    if !ready.0 || !moving.is_empty() {
        return;
    }
    let ply = current.table().ply();
    if arriving.ply != ply {
        // The match has changed since the letter was compared with it.
        let again = mail.arriving.take().map(|arriving| LetterRequest::Came(arriving.letter, arriving.waited));
        again.into_iter().for_each(|again| requests.write(again));
        return;
    }
    if !arriving.agreed.is_empty() {
        for step in arriving.agreed.drain(..) {
            if let Agreement::TakenBack { to, .. } = step {
                arriving.ply -= current.moves().len().saturating_sub(to);
            }
            requests.write(RefereeRequest::Agree(step));
        }
        return;
    }
    if let Some((action, time)) = arriving.moves.pop_front() {
        if arriving.shown {
            requests.write(CursorRequest::Go(Go::End));
        }
        if let Some(time) = time {
            clock.told(current.table().seat_to_move(), time);
        }
        moves.write(MoveRequested { action, ply });
        arriving.ply += 1;
        return;
    }
    if let Some(done) = mail.arriving.take() {
        done.words.into_iter().for_each(|word| requests.write(word));
        if !done.waited.is_zero() {
            requests.write(RefereeRequest::Waited(done.waited));
        }
        requests.write(RefereeRequest::Letter(done.letter.writer().map(str::to_owned)));
    }
}

/// After the user's move the letter is shown.
fn offer(
    (current, mail): (Res<CurrentMatch>, Res<Mail>),
    (moving, ready): (Query<(), With<InMotion>>, Res<Ready>),
    (menu, mut next): (Res<State<Menu>>, ResMut<NextState<Menu>>),
) {
    let quiet = ready.0 && moving.is_empty() && mail.arriving.is_none() && *menu.get() == Menu::None;
    if quiet && current.has_new_letter() {
        next.set(Menu::Page(LETTER));
    }
}

/// A page that is closed forgets its letter.
fn forget(mut mail: ResMut<Mail>) {
    mail.asked = None;
}

static COMMANDS: &[Command] = &[Command::new("M", "letters.show", is_due, || LetterRequest::Show.into())];

fn is_due(world: &World) -> bool {
    at_board(world).is_some_and(CurrentMatch::has_letter)
}

pub(super) fn plugin(app: &mut App) {
    register(app, LETTERS)
        .section(Place::Status, panel::section)
        .pause_entry(8, Icon::Letter, "letters.show", |current| current.has_letter().then(|| LetterRequest::Show.into()))
        .pause_entry(7, Icon::Pause, "letters.pause", |current| current.pause_wish().map(|_| RefereeRequest::AskPause.into()))
        .pause_entry(8, Icon::Review, "letters.watchers", |current| {
            current.can_be_shown().then(|| LetterRequest::ShowLink.into())
        })
        .pause_entry(9, Icon::Letter, "letters.title", |current| current.is_by_letter().then(|| LetterRequest::List.into()))
        .commands("letters.title", COMMANDS);
    app.add_plugins((list::plugin, read::plugin, write::plugin))
        .init_resource::<Mail>()
        .add_systems(Update, serve.in_set(Step::Input))
        .add_systems(Update, deliver.in_set(Step::Referee).before(Judging).run_if(in_match))
        .add_systems(Update, offer.in_set(Step::Settle).run_if(in_match))
        .add_systems(OnExit(Menu::Page(READ)), forget);
}
