//! Tests of complete and damaged journals.

use super::*;
use crate::rules::Point;
use crate::storage::{Faults, Files, Memory};

fn header() -> Header {
    let seats = BySide::new(SeatSpec::Human, SeatSpec::External { name: "some \"engine\"\nof two lines".into() });
    Header {
        game: "tic-tac-toe".into(),
        setup: Setup::default(),
        seats,
        near: BySide::default(),
        control: BySide::equal(TimeControl::Sudden { main: 60 }),
        seed: 7,
        rated: false,
        teaching: false,
        analysis: false,
        from_record: false,
        unhelped: false,
        tags: Tags::default(),
        names: BySide::default(),
        version: VERSION,
    }
}

fn drop_at(x: u8, y: u8) -> Event {
    Event::Move(Action::Drop(Point::new(x, y)))
}

fn events() -> Vec<Event> {
    vec![drop_at(1, 1), drop_at(0, 0), Event::Undo, Event::Redo, Event::Undo, drop_at(2, 2), Event::Resign(Side::First)]
}

fn home() -> (Memory, Blob) {
    let memory = Memory::default();
    let blob = blob(&(Arc::new(memory.clone()) as Arc<dyn Storage>), 1);
    (memory, blob)
}

fn written(blob: &Blob) -> Vec<u8> {
    let mut journal = Journal::create(blob, &header()).unwrap();
    for event in events() {
        journal.append(&event).unwrap();
    }
    blob.read().unwrap().unwrap()
}

fn damaged(recovered: Result<Option<Recovered>, JournalError>) -> Missing {
    recovered.unwrap().unwrap().missing.expect("it is damaged")
}

#[test]
fn written_events_are_read_back() {
    let (_, blob) = home();
    assert_eq!(recover(&blob).unwrap(), None);
    written(&blob);
    let told = recover(&blob).unwrap().unwrap();
    assert_eq!((&told.header, &told.events, told.torn), (&header(), &events(), 0));
    assert_eq!(replay(&told.header, &told.events).unwrap().table().position_text(), "..o.x.... x");
    assert_eq!(ending(&told.events), Some(Outcome::win(Side::Second, Reason::Resignation)));
    // What was taken back is so for the clock, the offers and the agreements too.
    assert!(clock_after(&told.header, &told.events).is_ok() && offer(&told.header, &told.events).is_ok());
    assert_eq!(accord(&told.header, &told.events), Ok(Accord::default()));
    assert!(!told.is_closed());
}

#[test]
fn a_draw_by_agreement_and_help_are_read_back() {
    let (_, blob) = home();
    let mut journal = Journal::create(&blob, &header()).unwrap();
    journal.append_all(&[drop_at(1, 1), drop_at(0, 0)]).unwrap();
    let told = recover(&blob).unwrap().unwrap();
    assert!(!told.is_over() && !told.is_helped() && told.is_unfinished());
    journal.append_all(&[Event::TriedAgain, Event::Helped, Event::Agreed]).unwrap();
    let told = recover(&blob).unwrap().unwrap();
    assert_eq!(tries(&told.events), 1);
    assert_eq!(ending(&told.events), Some(Outcome::draw(Reason::Agreement)));
    assert!(told.is_over() && told.is_helped() && !told.is_unfinished());
    // Taken back, the match goes on.
    journal.append(&Event::Undo).unwrap();
    assert_eq!(ending(&recover(&blob).unwrap().unwrap().events), None);
}

#[test]
fn the_clock_continues_where_it_stopped() {
    let left = |events: &[Event], side| clock_after(&header(), events).unwrap().left(side).unwrap().left.as_millis();
    let spent = |ms| Event::Spent(ms);
    let mut events = vec![spent(1500), drop_at(1, 1), spent(250), drop_at(0, 0), spent(9999)];
    // The time used in the current turn is not counted.
    assert_eq!((left(&events[..4], Side::First), left(&events[..4], Side::Second)), (58_500, 59_750));
    events[4] = Event::Undo;
    assert_eq!((left(&events, Side::First), left(&events, Side::Second)), (58_500, 60_000));
    events.push(Event::Redo);
    assert_eq!(left(&events, Side::Second), 59_750);
}

#[test]
fn each_side_may_have_a_clock_of_its_own() {
    // A header from the time when both sides had the same clock is read, and is still written like that.
    let text = ron::to_string(&header()).unwrap();
    assert!(text.contains("control:Sudden(main:60),"), "{text}");
    assert_eq!(ron::from_str(&text), Ok(header()));
    let control = BySide::new(TimeControl::PerMove { seconds: 9 }, TimeControl::Sudden { main: 600 });
    let header = Header { control, ..header() };
    let (_, blob) = home();
    let events = [Event::Spent(1500), drop_at(1, 1), Event::Spent(20_000), drop_at(0, 0), Event::Undo];
    Journal::create(&blob, &header).unwrap().append_all(&events).unwrap();
    let told = recover(&blob).unwrap().unwrap();
    assert_eq!((&told.header, &told.events[..]), (&header, &events[..]));
    let left = |count: usize| {
        let clock = clock_after(&told.header, &told.events[..count]).unwrap();
        Side::BOTH.map(|side| clock.left(side).unwrap().left.as_millis())
    };
    assert_eq!((left(4), left(5)), ([9_000, 580_000], [9_000, 600_000]));
}

#[test]
fn a_truncated_journal_loses_only_the_incomplete_line() {
    let (_, blob) = home();
    let bytes = written(&blob);
    for length in 0..=bytes.len() {
        blob.replace(&bytes[..length]).unwrap();
        let lines = bytes[..length].iter().filter(|&&byte| byte == b'\n').count();
        let told = recover(&blob).unwrap();
        let Some(told) = told else {
            assert_eq!(lines, 0, "nothing told of {length} bytes");
            continue;
        };
        assert_eq!((&told.events[..], &told.missing), (&events()[..lines - 1], &None), "{length} bytes");
        let ends_a_line = bytes[length - 1] == b'\n';
        assert_eq!(told.torn == 0, ends_a_line, "{length} bytes");
        // Continuing after the truncation gives a complete journal.
        let (mut journal, _) = Journal::resume(&blob).unwrap().unwrap();
        journal.append(&Event::Closed).unwrap();
        let after = recover(&blob).unwrap().unwrap();
        assert_eq!((after.torn, after.events.len(), after.is_closed()), (0, lines, true), "{length} bytes");
    }
}

#[test]
fn damage_in_the_middle_loses_only_what_follows() {
    let (memory, blob) = home();
    let bytes = written(&blob);
    let whole_lines = bytes.iter().rposition(|&byte| byte == b'\n').unwrap();
    for at in 0..whole_lines {
        let mut bad = bytes.clone();
        bad[at] ^= 1;
        blob.replace(&bad).unwrap();
        let line = bytes[..at].iter().filter(|&&byte| byte == b'\n').count() + 1;
        let kept = match recover(&blob) {
            Err(JournalError::Damaged { line: 1, kept, .. }) if line == 1 => kept,
            Ok(Some(Recovered { events: told, missing: Some(missing), .. })) if line > 1 => {
                assert_eq!((missing.line, &told[..]), (line, &events()[..line - 2]), "byte {at}");
                missing.kept
            }
            other => panic!("byte {at} changed: {other:?}"),
        };
        assert_eq!(memory.read(&kept).unwrap().unwrap(), bad, "byte {at}");
        // The next reader finds a complete journal of the part that could be read.
        let again = recover(&blob).unwrap();
        assert_eq!(again.map(|told| (told.events.len(), told.missing)), (line > 1).then(|| (line - 2, None)), "byte {at}");
    }
    assert_eq!(memory.list("").unwrap().len(), whole_lines + usize::from(blob.read().unwrap().is_some()));
}

/// A journal from an earlier version on a full disk: an incomplete line and good lines after it.
#[test]
fn the_match_is_read_up_to_an_incomplete_line() {
    let (memory, blob) = home();
    let lines: Vec<String> = events().iter().map(line_of).collect();
    let text = format!("{}{}{}{}", line_of(&header()), lines[0], &lines[1][..20], lines[2..].concat());
    blob.replace(&text).unwrap();
    let told = recover(&blob).unwrap().unwrap();
    assert_eq!(told.events, events()[..1]);
    assert!(told.is_unfinished());
    let missing = told.missing.unwrap();
    assert_eq!((missing.line, missing.lines, missing.kept.as_str()), (3, 5, "match.journal.damaged-1"));
    assert!(missing.to_string().starts_with("match.journal:3: "), "{missing}");
    assert_eq!(memory.read("match.journal.damaged-1").unwrap().unwrap(), text.as_bytes());
    let (mut journal, _) = Journal::resume(&blob).unwrap().unwrap();
    journal.append(&events()[1]).unwrap();
    assert_eq!(recover(&blob).unwrap().unwrap().events, events()[..2]);
}

#[test]
fn a_game_is_read_up_to_an_impossible_event() {
    let (_, blob) = home();
    let journal = Journal::create(&blob, &Header { game: "chess".into(), ..header() });
    drop(journal.unwrap());
    assert!(matches!(recover(&blob), Err(JournalError::Damaged { line: 1, .. })));
    // (events, the line of the error)
    let cases =
        [(vec![Event::Undo], 2), (vec![drop_at(1, 1), drop_at(1, 1), drop_at(2, 2)], 3), (vec![drop_at(1, 1), Event::Redo], 3)];
    for (events, blamed) in cases {
        Journal::create(&blob, &header()).unwrap().append_all(&events).unwrap();
        assert_eq!(damaged(recover(&blob)).line, blamed, "{events:?}");
        assert_eq!(recover(&blob).unwrap().unwrap().events, events[..blamed - 2], "{events:?}");
    }
}

#[test]
fn a_new_match_replaces_the_old_in_one_step() {
    let (memory, blob) = home();
    written(&blob);
    Journal::create(&blob, &header()).unwrap();
    assert_eq!(recover(&blob).unwrap().unwrap().events, []);
    assert_eq!(memory.list("").unwrap(), ["match.journal"]);
}

#[test]
fn a_removed_journal_is_written_again() {
    let (_, blob) = home();
    let mut journal = Journal::create(&blob, &header()).unwrap();
    journal.append(&drop_at(1, 1)).unwrap();
    blob.remove().unwrap();
    journal.append(&drop_at(0, 0)).unwrap();
    assert_eq!(recover(&blob).unwrap().unwrap().events, [drop_at(1, 1), drop_at(0, 0)]);
}

#[test]
fn every_window_has_a_journal_of_its_own() {
    let (memory, first) = home();
    let storage: Arc<dyn Storage> = Arc::new(memory);
    written(&first);
    let taken = || {
        let (place, found, errors) = LockedJournal::find(&storage);
        assert!(errors.is_empty(), "{errors:?}");
        (place.unwrap(), found.is_some())
    };
    // A finished match is not offered. The second window gets another journal and is not offered the match of the
    // first.
    let (one, none) = taken();
    let mut journal = Journal::create(one.blob(), &header()).unwrap();
    journal.append(&drop_at(1, 1)).unwrap();
    let (two, also_none) = taken();
    assert_eq!((one.blob().name(), none), ("match.journal", false));
    assert_eq!((two.blob().name(), also_none), ("match-2.journal", false));
    Journal::create(two.blob(), &header()).unwrap().append(&drop_at(0, 0)).unwrap();
    // Both are killed: both matches are offered, one to each window.
    drop((one, two));
    let (one, found) = taken();
    let (two, found_too) = taken();
    assert_eq!((one.blob().name(), found, two.blob().name(), found_too), ("match.journal", true, "match-2.journal", true));
    // A journal with an unfinished match is not overwritten.
    assert_eq!(LockedJournal::free(&storage).unwrap().blob().name(), "match-3.journal");
    drop(two);
    assert_eq!(LockedJournal::free(&storage).unwrap().blob().name(), "match-3.journal");
}

/// Fails at the n-th step, for every n and every length of a partial write, once, several times and forever: all
/// acknowledged events are read back, no other events are, and when there is space again everything is saved.
#[test]
fn no_acknowledged_event_is_lost_if_any_step_fails() {
    let folder = tempfile::tempdir().unwrap();
    let place = |faults: Faults| blob(&(Arc::new(Files::with_faults(folder.path(), faults)) as Arc<dyn Storage>), 1);
    let play = |blob: &Blob| {
        let mut journal = Journal::begin(blob, &header(), &[]);
        let mut kept = journal.keep().is_ok().then_some(0);
        for (done, event) in (1..).zip(events()) {
            if journal.append(&event).is_ok() {
                kept = Some(done);
            }
        }
        // Waiting events are written when there is space.
        if (0..5).any(|_| journal.keep().is_ok()) {
            kept = Some(events().len());
        }
        kept
    };
    let counted = Faults::none();
    play(&place(counted.clone()));
    let longest = line_of(&header()).len();
    let mut cases = 0;
    for step in 0..counted.steps() {
        for count in [1, 4, usize::MAX] {
            for length in (0..=longest).filter(|length| *length < 50 || length % 16 == 0) {
                let _ = place(Faults::none()).remove();
                let kept = play(&place(Faults::new(step, count, length)));
                let found = recover(&place(Faults::none())).unwrap();
                let at = format!("step {step}, {count} fail, {length} bytes");
                let told = found.as_ref().map(|found| &found.events[..]);
                assert!(told.map_or(0, <[Event]>::len) >= kept.unwrap_or(0), "{at}: {kept:?} kept, {told:?} told");
                assert!(kept.is_none() || told.is_some(), "{at}");
                assert!(told.is_none_or(|told| events().starts_with(told)), "{at}: {told:?}");
                assert!(found.is_none_or(|found| found.missing.is_none()), "{at}");
                assert!(count == usize::MAX || kept == Some(events().len()), "{at}: {kept:?}");
                cases += 1;
            }
        }
    }
    assert!(cases > 1000, "{cases}");
}

/// What two people elsewhere agree on is the same after a kill, at each event of it.
#[test]
fn what_friends_agree_on_is_read_back() {
    use super::super::accord::{Agreement, Asked, NotAgreed, Told, Wish};
    let header = header();
    let asked = Asked { at: 3, wish: Wish::Back(2) };
    let events = [
        drop_at(1, 1),
        drop_at(0, 0),
        drop_at(2, 2),
        Event::Offered(Side::First),
        Event::Accord(Agreement::Asked { by: Side::First, asked }),
        Event::Accord(Agreement::TakenBack { times: 1, to: 2 }),
        Event::Since { at: 5_000, spent: 0 },
        Event::Spent(700),
        drop_at(0, 1),
        Event::Since { at: 6_000, spent: 0 },
        Event::Accord(Agreement::Asked { by: Side::Second, asked: Asked { at: 3, wish: Wish::Pause } }),
        Event::Accord(Agreement::Paused(1)),
        Event::Since { at: 9_000, spent: 3_000 },
    ];
    let accord = |count: usize| accord(&header, &events[..count]).unwrap();
    let told = |count: usize, seat| accord(count).told(seat);
    assert_eq!(accord(5).question(Side::Second, 3), Some(asked));
    assert_eq!((told(5, Side::First).asks, told(6, Side::First)), (Some(asked), Told { backs: 1, ..Told::default() }));
    // Whoever has asked takes the agreement; nobody else does.
    let agreed = told(6, Side::Second);
    assert_eq!(accord(5).agreed(Side::First, &agreed), Ok(vec![Agreement::TakenBack { times: 1, to: 2 }]));
    assert_eq!(
        (accord(4).agreed(Side::First, &agreed), accord(5).agreed(Side::Second, &agreed)),
        (Err(NotAgreed), Err(NotAgreed))
    );
    assert!(accord(6).is_older(&told(5, Side::First)));
    assert_eq!(offer(&header, &events[..5]).unwrap(), Some(Side::First));
    assert_eq!(offer(&header, &events).unwrap(), None);
    let game = replay(&header, &events).unwrap();
    assert_eq!((&*game.table().position_text(), ending(&events)), ("...xx.o.. o", None));
    assert_eq!(clock_after(&header, &events).unwrap().times().len(), 3);
    // A wish for a pause is accepted, or is declined by a move.
    assert_eq!((accord(11).waits(Side::Second), accord(12).waits(Side::Second), accord(12).is_paused()), (true, false, true));
    let mut moved = accord(11);
    moved.moved(Side::First);
    assert!(!moved.waits(Side::Second));
    // The time of a turn goes on while the match is closed, but not in a pause, nor when the clock of the computer was set back.
    let used = |count: usize, now: u64| in_turn(&events[..count], now).as_millis();
    assert_eq!((used(7, 5_400), used(10, 6_000), used(10, 8_500), used(10, 1_000)), (400, 0, 2_500, 0));
    assert_eq!((used(13, 60_000), used(9, 60_000)), (3_000, 0));
    let again = [&events[..], &[Event::Accord(Agreement::Paused(2)), Event::Since { at: 70_000, spent: 3_000 }]].concat();
    assert_eq!(in_turn(&again, 71_000).as_millis(), 4_000);
}
