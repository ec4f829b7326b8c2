//! Tests that every text of the window exists in both languages, that what the core says exists in Chinese, and that the font has all
//! characters.
#![cfg(feature = "gui")]

use bevy::app::App;
use qiju::app::Options;
use qiju::app::commands::{CommandGroup, CommandTable};
use qiju::app::home::Home;
use qiju::app::words::{FILES, Language, MESSAGES_FILE, Words};
use qiju::window::unseen_plugins;
use qiju_core::games::REGISTRY;
use qiju_core::message::Message;
use qiju_core::paint::Theme;
use qiju_core::record::RecordPart;
use qiju_core::record::data::Kind;
use qiju_core::rules::Reason;
use qiju_core::table::{Setup, read_ron};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

fn table(language: Language) -> BTreeMap<String, String> {
    let (_, file, text) = FILES.into_iter().find(|(of, ..)| *of == language).unwrap();
    read_ron(file, text).unwrap_or_else(|error| panic!("{error}"))
}

/// Every Rust file below a folder, with its text.
fn sources(folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push((path.display().to_string(), std::fs::read_to_string(&path).unwrap()));
        }
    }
}

/// Strings that look like a key: `part.part`.
fn keys_in(text: &str) -> BTreeSet<String> {
    let looks_like_key = |word: &&str| {
        word.starts_with(|c: char| c.is_ascii_lowercase())
            && word.contains('.')
            && !word.starts_with('.')
            && !word.ends_with('.')
            && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '.' || c == '-')
    };
    text.split('"').skip(1).step_by(2).filter(looks_like_key).map(str::to_owned).collect()
}

#[test]
fn both_languages_have_the_same_keys() {
    let (zh, en) = (table(Language::Zh), table(Language::En));
    let keys = |table: &BTreeMap<String, String>| table.keys().cloned().collect::<BTreeSet<_>>();
    assert_eq!(keys(&zh), keys(&en));
    for (key, text) in zh.iter().chain(&en) {
        assert!(!text.trim().is_empty(), "{key} is empty");
        assert_eq!(zh[key].matches("{}").count(), en[key].matches("{}").count(), "{key}");
    }
}

#[test]
fn every_key_has_a_text_and_every_text_is_used() {
    let known = table(Language::Zh);
    let mut files = Vec::new();
    for folder in ["src/ui", "src/app", "src/cli/picture", "src/print"] {
        sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut files);
    }
    let mut used: BTreeSet<String> = BTreeSet::new();
    for (file, text) in &files {
        for key in keys_in(text) {
            // File names look like keys too.
            if [".ron", ".ttf", ".wav", ".damaged", ".journal"].iter().any(|ending| key.ends_with(ending)) {
                continue;
            }
            assert!(known.contains_key(&key), "{file}: no word for '{key}'");
            used.insert(key);
        }
    }
    used.extend(Reason::ALL.map(|reason| format!("reason.{}", reason.key())));
    used.extend((1..=10).flat_map(|level| [format!("level.{level}"), format!("level.{level}.note")]));
    used.insert("level".to_owned());
    used.extend(
        RecordPart::ALL.iter().flat_map(|part| [format!("left-out.{}", part.key()), format!("left-out.{}.one", part.key())]),
    );
    used.extend(Kind::ALL.map(|kind| format!("data.{}", kind.key())));
    used.extend([Kind::Game, Kind::Match, Kind::Letters].map(|kind| format!("data.{}.one", kind.key())));
    let unused: Vec<&String> = known.keys().filter(|key| !used.contains(*key)).collect();
    assert!(unused.is_empty(), "nobody says {unused:?}");
    let words = Words::shipped(Language::En);
    for key in &used {
        assert!(known.contains_key(key), "no word for '{key}'");
        assert_ne!(words.say(key), key);
    }
}

/// The manual lists the keys of the table of commands, in the words of the help.
#[test]
fn the_manual_has_the_keys() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = App::new();
    app.add_plugins(unseen_plugins(Home(folder.path().to_path_buf()), Options::default(), (1280, 800)));
    let words = Words::shipped(Language::En);
    let group = |group: &CommandGroup| {
        let rows: String = group.rows(&words).iter().map(|(keys, what)| format!("| {keys} | {what} |\n")).collect();
        format!("| {} | |\n|---|---|\n{rows}\n", words.say(group.title))
    };
    let wanted: String = app.world().resource::<CommandTable>().groups().map(group).collect();
    assert!(include_str!("../docs/playing.md").contains(&wanted), "docs/playing.md must have:\n\n{wanted}");
}

/// The Chinese texts of what the core says, by its English sentences.
fn messages() -> BTreeMap<String, String> {
    read_ron(MESSAGES_FILE.0, MESSAGES_FILE.1).unwrap_or_else(|error| panic!("{error}"))
}

/// The first literal of each `message!(`, and the text around it if there is none.
fn sentences_in(text: &str) -> impl Iterator<Item = &str> {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    // `has_message!` names types.
    text.match_indices("message!(").filter(|(at, _)| !text[..*at].ends_with('_')).map(|(at, mark)| {
        let rest = text[at + mark.len()..].trim_start();
        let literal = rest.strip_prefix('"').and_then(|rest| rest.split('"').next());
        literal.unwrap_or_else(|| &rest[..rest.len().min(40)])
    })
}

/// Two English words beside each other that are not in quotation marks or brackets.
fn english(text: &str) -> Option<String> {
    let (mut depth, mut plain) = (0, String::new());
    for letter in text.chars() {
        match letter {
            '“' | '（' => depth += 1,
            '”' | '）' => depth -= 1,
            _ if depth == 0 => plain.push(letter),
            _ => {}
        }
    }
    let is_word = |word: &&str| word.len() > 1 && word.chars().all(|c| c.is_ascii_lowercase());
    let words: Vec<&str> = plain.split(' ').collect();
    words.windows(2).find(|pair| pair.iter().all(is_word)).map(|pair| pair.join(" "))
}

#[test]
fn everything_that_the_core_says_has_a_chinese_text() {
    let known = messages();
    let mut files = Vec::new();
    for folder in ["crates/core/src", "src/friends", "src/app", "src/ui", "src/window"] {
        sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut files);
    }
    let mut said = BTreeSet::new();
    // The macro itself has no sentence.
    for (file, text) in files.iter().filter(|(file, _)| !file.ends_with("/message.rs")) {
        for sentence in sentences_in(text).filter(|sentence| !sentence.is_empty()) {
            assert!(known.contains_key(sentence), "{file}: no Chinese text for '{sentence}'");
            said.insert(sentence.to_owned());
        }
    }
    let own = include_str!("../crates/core/src/message.rs");
    let kinds = own.lines().filter_map(|line| line.split_once("=> message!(\"")?.1.split('"').next());
    said.extend(kinds.map(str::to_owned));
    assert!(said.len() > 250, "{}", said.len());
    let unused: Vec<&String> = known.keys().filter(|sentence| !said.contains(*sentence)).collect();
    assert!(unused.is_empty(), "nobody says {unused:?}");
    for sentence in &said {
        let chinese = known.get(sentence).unwrap_or_else(|| panic!("no Chinese text for '{sentence}'"));
        assert_eq!(sentence.matches("{}").count(), chinese.matches("{}").count(), "{sentence}");
        assert_eq!(english(chinese), None, "{chinese}");
    }
}

/// Errors as players meet them are in Chinese, whatever is in them.
#[test]
fn faults_of_files_and_positions_are_told_in_chinese() {
    let told = |message: Message| {
        let text = Language::Zh.tell(message);
        assert_eq!(english(&text), None, "{text}");
        assert!(text.chars().any(|letter| letter > '\u{2E80}'), "{text}");
    };
    for text in [
        "",
        "nothing that is a record",
        "1. h2e2 h9g7 2. e2e9 h0g2",
        "[Game \"chess\"]\n1. e4 e5",
        "[FEN \"9/9/9 w\"]\n1. h2e2",
        "(;GM[1]SZ[19];B[aa];W[bb])",
        "(;GM[4]SZ[15];B[hh];B[hg])",
        "(game: \"xiangqi\", moves: [\"h2e2\", \"a1\"])",
        "(game: \"xiangqi\", moves: [",
        "15 0 h8h8",
        "Piskvorky 15x15, 11:11, 0\n1,1\n",
        "https://example.org/#qiju=AAAA",
        "[DhtmlXQ_movelist]77477[/DhtmlXQ_movelist]",
    ] {
        match qiju_core::record::recognise(text.as_bytes()) {
            Err(error) => told(error.into()),
            Ok(reading) => {
                let faults = reading.refused.iter().map(|refused| &refused.fault).chain(&reading.remarks);
                faults.for_each(|fault| told(fault.in_file("games.pgn")));
            }
        }
    }
    for entry in REGISTRY {
        for position in ["", "9/9 w", "x", "k8/9 q", "................ x x"] {
            let setup = Setup { variant: None, position: Some(position.to_owned()) };
            if let Err(error) = entry.table(&setup) {
                told(error.into());
            }
        }
        let table = entry.table(&Setup::default()).unwrap();
        for text in ["", "zz", "a1", "h2e9", "0,0-9,9"] {
            if let Err(error) = table.read(text) {
                told(error.into());
            }
        }
    }
    for kind in [std::io::ErrorKind::NotFound, std::io::ErrorKind::PermissionDenied, std::io::ErrorKind::StorageFull] {
        told((&std::io::Error::from(kind)).into());
    }
}

/// What can fail in the window gives its reason as a message, so that it is told in the player's language.
#[test]
fn no_error_of_the_window_is_an_english_text() {
    let mut files = Vec::new();
    for folder in ["src/ui", "src/app"] {
        sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut files);
    }
    for (file, text) in &files {
        for (line, text) in (1..).zip(text.lines()) {
            let typed = text.contains("Result<") && text.contains(", String>");
            let said = text.contains("warn(format!(") || text.contains("warn(error") || text.contains("warn(\"");
            assert!(!(typed || said), "{file}:{line}: {text}");
        }
    }
}

#[test]
fn every_character_is_in_the_font() {
    let font = qiju_core::paint::TEXT_FONT;
    let face = ttf_parser::Face::parse(font, 0).unwrap();
    let mut texts: Vec<(String, String)> = Vec::new();
    for language in [Language::Zh, Language::En] {
        texts.extend(table(language));
    }
    texts.extend(messages().into_values().map(|text| ("messages".to_owned(), text)));
    for entry in REGISTRY {
        let sheet = entry.sheet().unwrap();
        let of = |what: &str| format!("{} {what}", entry.key);
        let mut say = |what: &str, text: &qiju_core::table::Text| {
            texts.push((of(what), text.zh.clone()));
            texts.push((of(what), text.en.clone()));
        };
        say("name", &sheet.name);
        say("about", &sheet.about);
        say("rules", &sheet.rules);
        say("side", &sheet.sides.first);
        say("side", &sheet.sides.second);
        for task in entry.first_steps().unwrap().tasks {
            for text in [&task.title, &task.text, &task.done] {
                say("task", text);
            }
        }
        for variant in &sheet.variants {
            say("variant", &variant.name);
            say("variant", &variant.note);
        }
        let table = entry.table(&Setup::default()).unwrap();
        for notation in table.notations() {
            for action in table.actions() {
                texts.push((of("notation"), table.write(action, *notation).unwrap()));
            }
        }
    }
    texts.push((
        "xiangqi notation".to_owned(),
        "前中后一二三四五六七八九１２３４５６７８９帅仕相马车炮兵将士象卒进退平".to_owned(),
    ));
    for (key, text) in Theme::builtin() {
        let name = Theme::parse(key, text).unwrap().name;
        texts.extend([((*key).to_owned(), name.zh), ((*key).to_owned(), name.en)]);
    }
    let mut files = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/ui"), &mut files);
    for (file, text) in files {
        texts.extend(text.split('"').skip(1).step_by(2).map(|literal| (file.clone(), literal.to_owned())));
    }
    let mut missing = BTreeSet::new();
    for (place, text) in texts {
        for letter in text.chars().filter(|letter| !letter.is_control()) {
            if face.glyph_index(letter).is_none() {
                missing.insert(format!("{letter} in {place}"));
            }
        }
    }
    assert!(missing.is_empty(), "not in the font: {missing:?}");
}
