//! A browser-like place in memory, and what must hold wherever the page stops.

use super::*;
use crate::storage::Faults;
use fastrand::Rng;

/// What stays when a page is closed, and how it fails.
#[derive(Debug)]
struct Place {
    log: BTreeMap<u64, String>,
    database: Batch,
    /// What is being written; lost if the page is closed.
    writing: Option<Batch>,
    /// Bytes that fit into the log.
    room: usize,
    /// The next batches fail.
    failing: usize,
    /// In so many of a hundred times the database is done when it is asked.
    speed: u8,
    random: Rng,
    /// Steps until the page is killed: from then on nothing changes.
    steps: usize,
}

impl Place {
    /// Counts a step that changes something. False if the page was killed before.
    fn step(&mut self) -> bool {
        let goes_on = self.steps > 0;
        self.steps = self.steps.saturating_sub(1);
        goes_on
    }
}

/// The place of a page. Clones share it.
#[derive(Clone, Debug)]
pub struct Model {
    place: Arc<Mutex<Place>>,
    faults: Option<Faults>,
}

impl Model {
    fn new(seed: u64) -> Model {
        let (random, steps, room) = (Rng::with_seed(seed), usize::MAX, usize::MAX);
        let (log, database, writing) = (BTreeMap::new(), Batch::default(), None);
        let place = Place { log, database, writing, room, failing: 0, speed: 100, random, steps };
        Model { place: Arc::new(Mutex::new(place)), faults: None }
    }

    fn at<T>(&self, look: impl FnOnce(&mut Place) -> T) -> T {
        look(&mut self.place.lock().unwrap())
    }

    /// A page that is opened here.
    fn open(&self) -> Logged<Model, Model> {
        self.at(|place| (place.writing, place.steps) = (None, usize::MAX));
        let (logged, damaged) = Logged::open(self.at(|place| place.database.clone()), self.clone(), self.clone(), true).unwrap();
        assert_eq!(damaged, 0);
        logged
    }
}

impl Log for Model {
    fn entries(&self) -> io::Result<Vec<(u64, String)>> {
        Ok(self.at(|place| place.log.clone().into_iter().collect()))
    }

    fn add(&self, number: u64, entry: &str) -> io::Result<()> {
        self.faults.as_ref().map_or(Ok(()), |faults| faults.step(0).1)?;
        self.at(|place| {
            let used: usize = place.log.values().map(String::len).sum();
            if used + entry.len() > place.room {
                return Err(io::ErrorKind::StorageFull.into());
            }
            if !place.step() {
                return Err(io::ErrorKind::Interrupted.into());
            }
            assert!(place.log.insert(number, entry.to_owned()).is_none(), "an entry is overwritten");
            Ok(())
        })
    }

    fn remove(&self, number: u64) {
        self.at(|place| {
            if place.step() {
                place.log.remove(&number);
            }
        });
    }
}

impl Database for Model {
    fn begin(&self, batch: Batch) {
        self.at(|place| {
            assert!(place.writing.is_none(), "two batches at the same time");
            if place.step() {
                place.writing = Some(batch);
            }
        });
    }

    fn poll(&self) -> Option<io::Result<()>> {
        self.at(|place| {
            if place.steps == 0 || place.random.u8(..100) >= place.speed {
                return None;
            }
            let batch = place.writing.take()?;
            if place.failing > 0 {
                place.failing -= 1;
                return Some(Err(io::ErrorKind::StorageFull.into()));
            }
            if !place.step() {
                return None;
            }
            for (name, bytes) in batch.blobs {
                match bytes {
                    Some(bytes) => drop(place.database.blobs.insert(name, Some(bytes))),
                    None => drop(place.database.blobs.remove(&name)),
                }
            }
            place.database.last = batch.last;
            Some(Ok(()))
        })
    }
}

/// A storage as of a page, and the same with injected faults of its log.
pub fn case() -> (Arc<dyn Storage>, Box<dyn Fn(Faults) -> Arc<dyn Storage>>) {
    let model = Model::new(1);
    let logged = model.open();
    let faulty = logged.clone();
    let with = move |faults| -> Arc<dyn Storage> {
        Arc::new(faulty.with_log(Model { place: model.place.clone(), faults: Some(faults) }))
    };
    (Arc::new(logged), Box::new(with))
}

type Blobs = BTreeMap<String, Vec<u8>>;

fn blobs_of(logged: &Logged<Model, Model>) -> Blobs {
    logged.lock().blobs.clone()
}

/// A random change, made in the storage and, if it was acknowledged or in any case with `forced`, in what is expected.
fn change(logged: &Logged<Model, Model>, random: &mut Rng, expected: &mut Blobs, forced: bool) -> io::Result<()> {
    let name = *random.choice(&["settings.ron", "match.journal", "records/a b.ron"]).unwrap();
    let bytes: Vec<u8> = (0..random.usize(..20)).map(|_| random.u8(..)).collect();
    let mut told = expected.clone();
    let done = match random.u8(..5) {
        0 => {
            told.remove(name);
            logged.remove(name)
        }
        1 => {
            told.insert(name.to_owned(), bytes.clone());
            logged.replace(name, &[&bytes])
        }
        _ => {
            let length = expected.get(name).map_or(0, Vec::len);
            let at = length.saturating_sub(random.usize(..3));
            if let Some(blob) = told.get_mut(name) {
                blob.truncate(at);
                blob.extend_from_slice(&bytes);
            }
            logged.append(name, at as u64, &bytes)
        }
    };
    let refused = done.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::NotFound);
    if done.is_ok() || forced && !refused {
        *expected = told;
    }
    if refused { Ok(()) } else { done }
}

#[test]
fn nothing_acknowledged_is_lost_wherever_the_page_is_killed() {
    let mut kills = 0;
    for seed in 0..40 {
        for steps in 0..90 {
            let model = Model::new(seed);
            let mut random = Rng::with_seed(seed);
            let logged = model.open();
            model.at(|place| (place.steps, place.speed) = (steps, [100, 50, 10, 0][seed as usize % 4]));
            let mut expected = Blobs::new();
            let mut with_last = expected.clone();
            for _ in 0..30 {
                // The same change once more, to know what would be there with it.
                let mut same = random.clone();
                with_last = expected.clone();
                let stops = change(&logged, &mut random, &mut expected, false).is_err();
                if stops {
                    let unheard = Model::new(seed).open();
                    unheard.lock().blobs = with_last.clone();
                    change(&unheard, &mut same, &mut with_last, true).unwrap();
                    kills += 1;
                    break;
                }
                with_last.clone_from(&expected);
            }
            drop(logged);
            let again = model.open();
            let found = blobs_of(&again);
            assert!(found == expected || found == with_last, "seed {seed}, {steps} steps: {found:?}, not {expected:?}");
            // The next page works on, and what it leaves is all there.
            model.at(|place| place.speed = 100);
            let mut expected = found;
            for _ in 0..5 {
                change(&again, &mut random, &mut expected, false).unwrap();
            }
            again.work();
            again.work();
            assert_eq!(model.at(|place| place.log.len()), 0, "seed {seed}, {steps} steps: the log is not emptied");
            assert_eq!(blobs_of(&model.open()), expected, "seed {seed}, {steps} steps");
        }
    }
    assert!(kills > 500, "only {kills} kills");
}

#[test]
fn a_full_log_is_an_error_and_a_full_database_is_told() {
    let model = Model::new(2);
    let logged = model.open();
    logged.replace("a", &[b"old"]).unwrap();
    logged.work();
    model.at(|place| place.room = 40);
    let error = logged.replace("a", &[&[0; 100]]).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::StorageFull);
    assert_eq!(logged.read("a").unwrap().unwrap(), b"old");
    assert_eq!(blobs_of(&model.open()), blobs_of(&logged));

    let logged = model.open();
    model.at(|place| (place.room, place.failing) = (usize::MAX, 2));
    logged.replace("a", &[b"new"]).unwrap();
    logged.work();
    assert!(logged.waiting().fault.is_some());
    // It is in the log.
    assert_eq!(model.at(|place| place.database.blobs["a"].clone()).unwrap(), b"old");
    assert_eq!(model.at(|place| place.log.len()), 1);
    for _ in 0..6 {
        logged.work();
    }
    assert_eq!(logged.waiting(), Waiting::default());
    assert_eq!(model.at(|place| (place.database.blobs["a"].clone().unwrap(), place.log.len())), (b"new".to_vec(), 0));
}

#[test]
fn what_is_too_large_for_the_log_waits_for_the_database() {
    let (model, large) = (Model::new(3), vec![7; LARGEST_ENTRY + 1]);
    let logged = model.open();
    logged.replace("a", &[b"old"]).unwrap();
    logged.work();
    model.at(|place| place.speed = 0);
    logged.replace("a", &[&large]).unwrap();
    // What is added to it is of no use in the log either.
    logged.append("a", 1, b"b").unwrap();
    logged.replace("c", &[b"small"]).unwrap();
    assert_eq!(logged.waiting().blobs, 1);
    assert_eq!(logged.read("a").unwrap().unwrap(), b"\x07b");
    // The page is killed: the old blob is there, and what was in the log.
    let killed = model.open();
    assert_eq!((killed.read("a").unwrap().unwrap(), killed.read("c").unwrap().unwrap()), (b"old".to_vec(), b"small".to_vec()));
    killed.replace("a", &[&large]).unwrap();
    model.at(|place| place.speed = 100);
    killed.work();
    killed.work();
    assert_eq!(killed.waiting(), Waiting::default());
    assert_eq!(model.open().read("a").unwrap().unwrap(), large);
}

#[test]
fn a_second_page_only_reads() {
    let model = Model::new(4);
    let first = model.open();
    first.replace("a", &[b"one"]).unwrap();
    let found = model.at(|place| place.database.clone());
    let (second, _) = Logged::open(found, model.clone(), model.clone(), false).unwrap();
    assert_eq!(second.read("a").unwrap().unwrap(), b"one");
    let before = model.at(|place| (place.log.clone(), place.database.clone()));
    for done in [second.replace("a", &[b"two"]), second.append("a", 3, b"x"), second.remove("a")] {
        assert!(done.unwrap_err().to_string().contains("another tab"));
    }
    assert!(second.own("match.journal").unwrap().is_none());
    assert!(second.waiting().elsewhere);
    second.work();
    assert_eq!(model.at(|place| (place.log.clone(), place.database.clone())), before);
}

#[test]
fn damaged_entries_are_counted_and_stay() {
    let model = Model::new(5);
    model.at(|place| place.speed = 0);
    let logged = model.open();
    for text in ["one", "two", "three"] {
        logged.replace(text, &[text.as_bytes()]).unwrap();
    }
    let number = model.at(|place| {
        let (number, entry) = place.log.iter_mut().nth(1).unwrap();
        entry.push('x');
        *number
    });
    let found = model.at(|place| place.database.clone());
    model.at(|place| (place.speed, place.writing) = (100, None));
    let (again, damaged) = Logged::open(found, model.clone(), model.clone(), true).unwrap();
    assert_eq!(damaged, 1);
    assert_eq!(blobs_of(&again).keys().collect::<Vec<_>>(), ["one", "three"]);
    again.replace("four", &[b"4"]).unwrap();
    again.work();
    again.work();
    assert_eq!(model.at(|place| place.log.keys().copied().collect::<Vec<_>>()), [number]);
}

#[test]
fn entries_are_read_as_they_were_written_and_damage_is_noticed() {
    let bytes: Vec<u8> = (0..=255).collect();
    let changes = [
        Change::Replace("records/a b.ron", bytes.clone()),
        Change::Append("a", 7, bytes),
        Change::Remove("match.journal"),
        Change::Replace("", Vec::new()),
    ];
    for change in changes {
        let entry = change.write();
        assert_eq!(Change::read(&entry).as_ref(), Some(&change));
        for at in 0..entry.len() {
            assert_eq!(Change::read(&entry[..at]), None, "{entry:?} up to {at}");
            let mut changed = entry.clone().into_bytes();
            changed[at] ^= 1;
            let changed = String::from_utf8(changed).unwrap();
            assert!(Change::read(&changed).is_none_or(|read| read == change), "{changed:?}");
        }
    }
}
