//! Tests that every text of the window and of the core exists in every language, and that the fonts have all characters.
#![cfg(feature = "gui")]

use bevy::app::App;
use qiju::app::Options;
use qiju::app::commands::{CommandGroup, CommandTable};
use qiju::app::home::Home;
use qiju::app::words::{Language, Words};
use qiju::window::unseen_plugins;
use qiju_core::games::{self, REGISTRY};
use qiju_core::message::Message;
use qiju_core::paint::{LATIN_FONT, MORE_FONTS, TEXT_FONT, Theme};
use qiju_core::record::RecordPart;
use qiju_core::record::data::Kind;
use qiju_core::rules::Reason;
use qiju_core::table::{Notation, Setup, Text, read_ron};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

fn table(language: Language) -> BTreeMap<String, String> {
    language.read().unwrap_or_else(|error| panic!("{error}")).window
}

/// What the core says in this language, by its English.
fn core(language: Language) -> BTreeMap<String, String> {
    language.read().unwrap_or_else(|error| panic!("{error}")).core
}

/// The languages beside English.
fn others() -> impl Iterator<Item = Language> {
    Language::ALL.into_iter().filter(|language| *language != Language::En)
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
fn all_languages_have_the_same_keys() {
    let en = table(Language::En);
    let keys = |table: &BTreeMap<String, String>| table.keys().cloned().collect::<BTreeSet<_>>();
    for language in others() {
        let own = table(language);
        let (lacking, unknown): (Vec<_>, Vec<_>) =
            (keys(&en).difference(&keys(&own)).cloned().collect(), keys(&own).difference(&keys(&en)).cloned().collect());
        assert!(lacking.is_empty() && unknown.is_empty(), "{language:?} lacks {lacking:?}, and has {unknown:?}");
        for (key, text) in own.iter().chain(&en) {
            assert!(!text.trim().is_empty(), "{key} is empty");
            assert_eq!(own[key].matches("{}").count(), en[key].matches("{}").count(), "{language:?} {key}");
        }
    }
}

/// All texts of the games that are in Chinese and in English: `(zh: "..", en: "..")` in the files of the core.
fn game_texts() -> BTreeMap<String, String> {
    fn collect(value: &ron::Value, found: &mut BTreeMap<String, String>) {
        match value {
            ron::Value::Map(map) => {
                let of = |key: &str| {
                    let known = map.iter().find(|(name, _)| matches!(name, ron::Value::String(name) if name == key));
                    known.and_then(|(_, text)| if let ron::Value::String(text) = text { Some(text.clone()) } else { None })
                };
                if let (Some(zh), Some(en)) = (of("zh"), of("en")) {
                    found.insert(en, zh);
                }
                map.iter().for_each(|(_, value)| collect(value, found));
            }
            ron::Value::Seq(list) => list.iter().for_each(|value| collect(value, found)),
            ron::Value::Option(Some(value)) => collect(value, found),
            _ => {}
        }
    }
    let mut found = BTreeMap::new();
    for folder in ["games", "first-steps", "themes", "openings", "laboratory"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/core/assets").join(folder);
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|ending| ending == "ron") {
                let text = std::fs::read_to_string(&path).unwrap();
                collect(&read_ron(&path.display().to_string(), &text).unwrap(), &mut found);
            }
        }
    }
    let table = games::find("gomoku").unwrap();
    let setup = Setup { variant: Some("freestyle+swap2".to_owned()), position: None };
    let mut table = table.table(&setup).unwrap();
    for stone in ["a1", "b5", "c9"] {
        table.play(table.read(stone).unwrap()).unwrap();
    }
    let Text { zh, en } = games::opening_name(&*table).unwrap().0.name.clone();
    found.insert(en, zh);
    found
}

/// The names in braces: what a text of the laboratory is filled with.
fn filled(text: &str) -> Vec<&str> {
    let mut names: Vec<&str> = text.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0)).collect();
    names.sort_unstable();
    names
}

#[test]
fn every_text_of_a_game_is_in_every_language() {
    let texts = game_texts();
    assert!(texts.len() > 450, "{}", texts.len());
    let said = said();
    for language in others().filter(|language| *language != Language::Zh) {
        let known = core(language);
        for english in texts.keys() {
            let own = known.get(english).unwrap_or_else(|| panic!("{language:?} has no text for '{english}'"));
            assert!(!own.trim().is_empty(), "{language:?} '{english}'");
            assert_eq!(filled(english), filled(own), "{language:?} '{english}'");
            assert_eq!(english.matches('\n').count(), own.matches('\n').count(), "{language:?} '{english}'");
        }
        let unused: Vec<&String> = known.keys().filter(|text| !texts.contains_key(*text) && !said.contains(*text)).collect();
        assert!(unused.is_empty(), "{language:?}: nobody says {unused:?}");
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

/// The English sentences that the core says.
fn said() -> BTreeSet<String> {
    let mut files = Vec::new();
    for folder in ["crates/core/src", "src/friends", "src/app", "src/ui", "src/window"] {
        sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut files);
    }
    // The macro itself has no sentence.
    let files = files.iter().filter(|(file, _)| !file.ends_with("/message.rs"));
    let mut said: BTreeSet<String> =
        files.flat_map(|(_, text)| sentences_in(text)).filter(|sentence| !sentence.is_empty()).map(str::to_owned).collect();
    let own = include_str!("../crates/core/src/message.rs");
    let (_, kinds) = own.split_once("impl From<&io::Error> for Message").expect("what the system says");
    said.extend(sentences_in(kinds).map(str::to_owned));
    said
}

#[test]
fn everything_that_the_core_says_is_in_every_language() {
    let said = said();
    assert!(said.len() > 250, "{}", said.len());
    for language in others() {
        let known = core(language);
        for sentence in &said {
            let own = known.get(sentence).unwrap_or_else(|| panic!("{language:?} has no text for '{sentence}'"));
            assert_eq!(sentence.matches("{}").count(), own.matches("{}").count(), "{language:?} '{sentence}'");
            assert!(language == Language::Vi || english(own).is_none(), "{own}");
        }
    }
    let known = core(Language::Zh);
    let unused: Vec<&String> = known.keys().filter(|sentence| !said.contains(*sentence)).collect();
    assert!(unused.is_empty(), "nobody says {unused:?}");
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
    let own = |code: &'static str| MORE_FONTS.into_iter().filter(move |(name, _)| *name == code).map(|(_, font)| font);
    let lacking = |fonts: &mut dyn Iterator<Item = &'static [u8]>, texts: &[(String, String)]| -> BTreeSet<String> {
        let faces: Vec<ttf_parser::Face> = fonts.map(|font| ttf_parser::Face::parse(font, 0).unwrap()).collect();
        let has = |letter: char| letter.is_control() || faces.iter().any(|face| face.glyph_index(letter).is_some());
        let all = texts.iter().flat_map(|(place, text)| text.chars().map(move |letter| (place, letter)));
        all.filter(|(_, letter)| !has(*letter)).map(|(place, letter)| format!("{letter} in {place}")).collect()
    };
    // A language's letters are in its own font, so that they have the shapes that its readers know. The signs of the window are in any.
    for language in others().filter(|language| *language != Language::Zh) {
        let mut texts: Vec<(String, String)> = table(language).into_iter().chain(core(language)).collect();
        let board = games::find("xiangqi").unwrap().table(&Setup::default()).unwrap();
        let moves = board.actions().into_iter().filter_map(|action| board.write(action, language.notation_of(&*board)));
        texts.extend(moves.map(|text| ("a move".to_owned(), text)));
        let letters: Vec<(String, String)> = texts
            .into_iter()
            .map(|(place, text)| {
                (format!("{place} {language:?}"), text.chars().filter(|letter| letter.is_alphabetic()).collect())
            })
            .collect();
        let code = language.code();
        let mut all: Vec<&'static [u8]> = own(code).collect();
        if all.is_empty() {
            all.push(LATIN_FONT);
        }
        // Names in Chinese may stand in texts without Chinese characters of their own.
        if !language.is_chinese_or_japanese() {
            all.push(TEXT_FONT);
        }
        let missing = lacking(&mut all.into_iter(), &letters);
        assert!(missing.is_empty(), "not in the font of {language:?}: {missing:?}");
    }
    let mut texts: Vec<(String, String)> = Vec::new();
    for language in [Language::Zh, Language::En] {
        texts.extend(table(language));
        texts.extend(core(language).into_values().map(|text| ("core".to_owned(), text)));
    }
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
        let own = [Notation::Traditional, Notation::Vietnamese];
        for notation in table.notations().iter().filter(|notation| !own.contains(notation)) {
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
    let missing = lacking(&mut std::iter::once(TEXT_FONT), &texts);
    assert!(missing.is_empty(), "not in the font: {missing:?}");
    let names = Language::ALL.map(|language| (language.code().to_owned(), language.own_name().to_owned()));
    let missing = lacking(&mut MORE_FONTS.map(|(_, font)| font).into_iter().chain([TEXT_FONT, LATIN_FONT]), &names);
    assert!(missing.is_empty(), "no font has the names of languages: {missing:?}");
}

#[test]
fn one_thing_is_told_in_the_singular() {
    let en = |key: &str, values: &[&str]| Language::En.fill(key, values);
    assert_eq!(en("look.go-on.short", &["1"]), "Take back 1 move?");
    assert_eq!(en("look.go-on.short", &["11"]), "Take back 11 moves?");
    assert_eq!(en("attempt.free", &["1"]), "Any point is possible; at most 1 more move");
    assert_eq!(en("hold.left", &["1", "1"]), "Black wins in at most 1 move (1 ply)");
    assert_eq!(en("explorer.games", &["1", "20"]), "The position occurs in 1 of 20 games");
    assert_eq!(Language::Zh.fill("look.go-on.short", &["1"]), "收回1步棋？");
}

/// A name may look like a place for a value.
#[test]
fn a_value_is_no_place_for_the_next_one() {
    assert_eq!(Language::En.fill("records.players", &["{}", "B"]), "{} : B");
}
