//! Fuzzing of every parser. Accepted input must be equal after writing and reading it again, and all moves of an accepted game must be legal.

use crate::budget::{Budget, guarded, save_folder};
use crate::mutate::{mutate, shrink};
use fastrand::Rng;
use qiju_core::games::{self, REGISTRY};
use qiju_core::record::{Format, Record, SeatSpec, journal};
use qiju_core::rules::BySide;
use qiju_core::storage::{Blob, Memory, Storage};
use qiju_core::table::{GameSheet, Lessons, Notation, Setup, Table};
use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The result of an input: accepted or not, or an error if a condition is violated.
type Check = Box<dyn Fn(&[u8]) -> Result<bool, String>>;

/// A parser to test.
pub struct Target {
    /// Its name, also used for saved files.
    pub name: String,
    seeds: Vec<Vec<u8>>,
    check: Check,
}

impl Target {
    fn new(name: impl Into<String>, seeds: Vec<String>, check: impl Fn(&[u8]) -> Result<bool, String> + 'static) -> Target {
        let seeds = seeds.into_iter().map(String::into_bytes).collect();
        Target { name: name.into(), seeds, check: Box::new(check) }
    }

    /// A target for text: invalid UTF-8 is replaced, as the readers of lines do.
    fn of_text(name: impl Into<String>, seeds: Vec<String>, check: impl Fn(&str) -> Result<bool, String> + 'static) -> Target {
        Target::new(name, seeds, move |bytes| check(&String::from_utf8_lossy(bytes)))
    }
}

/// Tables of random games of a few moves.
fn tables() -> Vec<Box<dyn Table>> {
    let mut random = Rng::with_seed(3);
    let mut tables = Vec::new();
    for entry in REGISTRY {
        for variant in (entry.variants)() {
            for plies in [0, 6, 25] {
                let setup = Setup { variant: Some((*variant).to_owned()), position: None };
                let mut table = entry.table(&setup).expect("every variant has a start");
                for _ in 0..plies {
                    let Some(action) = random.choice(table.actions()) else { break };
                    table.play(action).expect("it is legal");
                }
                tables.push(table);
            }
        }
    }
    tables
}

fn positions(entry: &'static games::Entry) -> Target {
    let seeds = tables().iter().filter(|table| table.game() == entry.key).map(|table| table.position_text()).collect();
    let checked = RefCell::new(0u32);
    Target::of_text(format!("position-{}", entry.key), seeds, move |text| {
        let mut accepted = false;
        for variant in (entry.variants)() {
            let setup = Setup { variant: Some((*variant).to_owned()), position: Some(text.to_owned()) };
            let Ok(table) = entry.table(&setup) else { continue };
            accepted = true;
            let written = Setup { position: Some(table.position_text()), ..setup };
            let again = entry.table(&written).map_err(|error| format!("{variant}: its own text is refused: {error}"))?;
            if again.position_text() != table.position_text() {
                return Err(format!("{variant}: '{}' reads back as '{}'", table.position_text(), again.position_text()));
            }
            *checked.borrow_mut() += 1;
            if checked.borrow().is_multiple_of(64) {
                table.self_check()?;
            }
        }
        Ok(accepted)
    })
}

fn moves() -> Target {
    let tables = tables();
    let mut seeds = Vec::new();
    for table in &tables {
        for action in table.actions().into_iter().step_by(9) {
            seeds.extend(table.notations().iter().filter_map(|notation| table.write(action, *notation)));
        }
    }
    Target::of_text("moves", seeds, move |text| {
        let mut accepted = false;
        for table in &tables {
            let Ok(action) = table.read(text) else { continue };
            accepted = true;
            if table.outcome().is_none() && !table.actions().contains(&action) {
                // A move that was read may still be refused, but then it is never played.
                let mut copy = table.boxed_clone();
                if copy.play(action).is_ok() {
                    return Err(format!("{action:?} is played in '{}' and is not legal", table.position_text()));
                }
                continue;
            }
            let written = table.write(action, Notation::Uci).ok_or("a legal move has no text")?;
            if table.read(&written).ok() != Some(action) {
                return Err(format!("'{written}' does not read back"));
            }
        }
        Ok(accepted)
    })
}

fn records(format: Format) -> Target {
    let seats = BySide::new(SeatSpec::Human, SeatSpec::computer(3));
    let all: Vec<Record> = tables().iter().map(|table| Record::of(&**table, seats.clone(), None)).collect();
    let mut seeds: Vec<Vec<u8>> = all.iter().filter_map(|record| format.write(std::slice::from_ref(record), None).ok()).collect();
    for file in data_files(format.key()) {
        seeds.extend(fs::read(file).ok());
    }
    let check = move |bytes: &[u8]| {
        let Ok(reading) = format.read("fuzz", bytes) else { return Ok(false) };
        for record in &reading.records {
            record.replay().map_err(|(_, why)| format!("a game that was read cannot be played: {why}"))?;
        }
        let records = reading.records;
        if records.is_empty() {
            return Ok(false);
        }
        let written = Format::Ron.write(&records, None).map_err(|why| format!("what was read cannot be written: {why}"))?;
        let again = Format::Ron.read("again", &written).map_err(|error| format!("what was written is refused: {error}"))?;
        // The numbers of a tree's nodes may differ, so the texts are compared.
        if !again.refused.is_empty() || Format::Ron.write(&again.records, None).ok().as_ref() != Some(&written) {
            return Err("what was written reads back as something else".to_owned());
        }
        // The format writes what it can hold, and must read it back.
        if let Ok(written) = format.write(&records, None) {
            let told = || String::from_utf8_lossy(&written).into_owned();
            let again =
                format.read("again", &written).map_err(|error| format!("what was written is refused: {error}\n{}", told()))?;
            let lines = |records: &[Record]| records.iter().map(|record| record.moves(Notation::Uci)).collect::<Vec<_>>();
            if lines(&again.records) != lines(&records) {
                return Err(format!("other moves after writing:\n{}", told()));
            }
        }
        Ok(true)
    };
    Target { name: format!("records-{}", format.key()), seeds, check: Box::new(check) }
}

/// What is inside of links, behind their checksum: the length of the texts in two bytes, the texts, and the moves.
fn links() -> Target {
    use base64::Engine;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;
    use std::io::{Read, Write};
    const MARK: &str = "#qiju=";
    let inside = |link: Vec<u8>| {
        let link = String::from_utf8(link).expect("an address");
        let bytes = URL_SAFE_NO_PAD.decode(link.trim().split_once(MARK).expect("the mark").1).expect("base64");
        let more = usize::from(bytes[1] >= 0x80);
        let length = usize::from(bytes[1] & 0x7F) + more * (usize::from(bytes[1 + more]) << 7);
        let (deflated, moves) = bytes[2 + more..bytes.len() - 4].split_at(length);
        let mut texts = Vec::new();
        flate2::read::DeflateDecoder::new(deflated).read_to_end(&mut texts).expect("deflated");
        [&(texts.len() as u16).to_le_bytes(), &texts[..], moves].concat()
    };
    let outside = |bytes: &[u8]| {
        let (length, rest) = bytes.split_first_chunk()?;
        let (texts, moves) = rest.split_at_checked(usize::from(u16::from_le_bytes(*length)))?;
        let mut deflated = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::fast());
        deflated.write_all(texts).ok()?;
        let deflated = deflated.finish().ok()?;
        let length = [deflated.len() as u8 | 0x80, (deflated.len() >> 7) as u8 & 0x7F];
        let mut link = [&[1], &length[..], &deflated, moves].concat();
        link.extend(qiju_core::storage::crc32([&link[..]]).to_le_bytes());
        Some(format!("{MARK}{}", URL_SAFE_NO_PAD.encode(link)).into_bytes())
    };
    let Target { seeds, check, .. } = records(Format::Link);
    let seeds = seeds.into_iter().map(inside).collect();
    Target {
        name: "link-inside".to_owned(),
        seeds,
        check: Box::new(move |bytes| outside(bytes).map_or(Ok(false), |link| check(&link))),
    }
}

/// The files with one extension in the test data.
fn data_files(ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/core/tests/data")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|own| own == ending) && entry.metadata().is_ok_and(|data| data.len() < 20_000)
            {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn assets(folder: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/core/assets").join(folder);
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    files.filter_map(|file| fs::read_to_string(file.path()).ok()).collect()
}

fn format_of_text() -> Target {
    let seeds =
        Format::ALL.iter().flat_map(|format| records(*format).seeds).map(|seed| String::from_utf8_lossy(&seed).into_owned());
    Target::of_text("format", seeds.collect(), |text| {
        let Some(format) = Format::of_text(text) else { return Ok(false) };
        Ok(format.read("fuzz", text.as_bytes()).is_ok_and(|reading| !reading.records.is_empty()))
    })
}

fn sheets() -> Target {
    Target::of_text("sheets", assets("games"), |text| Ok(GameSheet::parse("fuzz", text).is_ok()))
}

fn themes() -> Target {
    Target::of_text("themes", assets("themes"), |text| Ok(qiju_core::paint::Theme::parse("fuzz", text).is_ok()))
}

/// A folder for parsers that read files; deleted with the target.
fn with_folder(check: impl Fn(&Path, &[u8]) -> Result<bool, String> + 'static) -> impl Fn(&[u8]) -> Result<bool, String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    move |bytes| {
        for entry in fs::read_dir(folder.path()).into_iter().flatten().flatten() {
            let path = entry.path();
            let gone = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
            gone.map_err(|error| format!("the temporary folder: {error}"))?;
        }
        check(folder.path(), bytes)
    }
}

fn journals() -> Target {
    let header = |table: &dyn Table| journal::Header {
        game: table.game().to_owned(),
        setup: table.setup().clone(),
        seats: BySide::new(SeatSpec::Human, SeatSpec::computer(3)),
        near: Default::default(),
        control: Default::default(),
        seed: 5,
        rated: false,
        teaching: false,
        analysis: false,
        from_record: false,
        unhelped: false,
        tags: Default::default(),
        names: Default::default(),
        version: journal::VERSION,
    };
    let tables = tables();
    let seeds = tables.iter().filter_map(|table| {
        let blob = Blob::new(Arc::new(Memory::default()), "match.journal");
        let mut written = journal::Journal::create(&blob, &header(&**table)).ok()?;
        for action in table.played() {
            written.append_all(&[journal::Event::Spent(40), journal::Event::Move(action)]).ok()?;
        }
        written.append(&journal::Event::Undo).ok()?;
        String::from_utf8(blob.read().ok()??).ok()
    });
    let check = |bytes: &[u8]| {
        let storage: Arc<dyn Storage> = Arc::new(Memory::default());
        let blob = Blob::new(storage.clone(), "match.journal");
        blob.replace(bytes).map_err(|error| error.to_string())?;
        // Nothing is deleted: an unusable file is renamed.
        let is_kept = || {
            let names = storage.list("").unwrap_or_default();
            names.iter().any(|name| storage.read(name).is_ok_and(|kept| kept.as_deref() == Some(bytes)))
        };
        match journal::recover(&blob) {
            Ok(Some(told)) => {
                journal::replay(&told.header, &told.events)
                    .map_err(|error| format!("it is told and cannot be replayed: {error}"))?;
                if !is_kept() {
                    return Err("a journal that was read is gone".to_owned());
                }
                if told.missing.is_some() {
                    let again = journal::recover(&blob).map_err(|error| format!("mended and refused: {error}"))?;
                    if again.is_none_or(|again| again.missing.is_some() || again.events != told.events) {
                        return Err("a mended journal tells something else".to_owned());
                    }
                }
                Ok(true)
            }
            Ok(None) => Ok(false),
            Err(_) if is_kept() => Ok(false),
            Err(error) => Err(format!("a damaged journal is gone: {error}")),
        }
    };
    Target::new("journal", seeds.collect(), check)
}

fn lessons() -> Target {
    let seeds = vec![include_str!("../data/lessons.txt").to_owned(), "qiju lessons 1\n".to_owned()];
    let check = with_folder(|folder, bytes| {
        fs::write(folder.join("lessons.txt"), bytes).map_err(|error| error.to_string())?;
        let (lessons, damage) = Lessons::open(folder).map_err(|error| error.to_string())?;
        if let Some(damage) = &damage
            && fs::read(&damage.kept).ok().as_deref() != Some(bytes)
        {
            return Err("the damaged file is not kept as it was".to_owned());
        }
        for entry in REGISTRY {
            let table = entry.table(&Setup::default()).map_err(|error| error.to_string())?;
            let legal = table.actions();
            if lessons.avoid(&*table).iter().any(|action| !legal.contains(action)) {
                return Err("a move to avoid is not legal".to_owned());
            }
        }
        Ok(damage.is_none())
    });
    Target::new("lessons", seeds, check)
}

#[cfg(feature = "gui")]
fn settings() -> Target {
    use qiju::app::home::Home;
    use qiju::app::kept::Kept;
    use qiju::app::settings::Settings;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let home = Home(folder.path().to_path_buf());
    let _ = Settings::default().save(&home);
    let seeds = fs::read_to_string(folder.path().join(Settings::FILE)).into_iter().collect();
    let check = with_folder(|folder, bytes| {
        let home = Home(folder.to_path_buf());
        fs::write(folder.join(Settings::FILE), bytes).map_err(|error| error.to_string())?;
        let (settings, fault) = Settings::load(&home);
        settings.save(&home)?;
        let (again, damaged) = Settings::load(&home);
        if let Some(why) = damaged.first() {
            return Err(format!("settings just written are refused: {why}"));
        }
        if again != settings {
            return Err("settings just written read back as others".to_owned());
        }
        Ok(fault.is_empty())
    });
    Target::new("settings", seeds, check)
}

/// All parsers in this build.
pub fn targets() -> Vec<Target> {
    let mut targets: Vec<Target> = REGISTRY.iter().map(positions).collect();
    targets.push(moves());
    targets.extend(Format::ALL.into_iter().map(records));
    targets.extend([links(), format_of_text(), sheets(), journals(), lessons()]);
    targets.push(themes());
    #[cfg(feature = "gui")]
    targets.push(settings());
    targets
}

/// Tests a target until its share is used up, starting with the unchanged seeds; accepted inputs become seeds. Returns the number of inputs,
/// the number of accepted inputs, and whether there was a valid seed (there may be none for formats that can only be read).
pub fn run(mut target: Target, budget: &Budget, index: usize, of: usize) -> Result<(u64, u64, bool), String> {
    const MOST_SEEDS: usize = 400;
    let check = |bytes: &[u8]| guarded(|| (target.check)(bytes));
    let broken = |bytes: &[u8], name: &str| {
        let small = shrink(bytes, |bytes| check(bytes).is_err());
        let why = check(&small).err().unwrap_or_default();
        let folder = save_folder();
        let path = folder.join(format!("{name}.broken"));
        let saved = fs::create_dir_all(&folder).and_then(|()| fs::write(&path, &small));
        let place = saved.map_or_else(|error| error.to_string(), |()| path.display().to_string());
        format!("{name}: {why}\ninput (kept in {place}):\n{}", String::from_utf8_lossy(&small).escape_debug())
    };
    let mut good = false;
    for seed in &target.seeds {
        match check(seed) {
            Ok(accepted) => good |= accepted,
            Err(_) => return Err(broken(seed, &target.name)),
        }
    }
    let mut share = budget.share(index, of);
    let (mut accepted, mut seeds) = (0, std::mem::take(&mut target.seeds));
    let own = seeds.len();
    let check = |bytes: &[u8]| guarded(|| (target.check)(bytes));
    for seed in share.by_ref() {
        let mut random = Rng::with_seed(seed);
        let input = mutate(&mut random, &seeds);
        match check(&input) {
            Ok(false) => {}
            Ok(true) => {
                accepted += 1;
                if seeds.len() < own + MOST_SEEDS {
                    seeds.push(input);
                } else {
                    let place = own + random.usize(..MOST_SEEDS);
                    seeds[place] = input;
                }
            }
            Err(_) => return Err(broken(&input, &target.name)),
        }
    }
    Ok((share.done(), accepted, good))
}
