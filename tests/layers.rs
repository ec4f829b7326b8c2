//! Checks the layers of the program in the source code: which module uses which. Every violation is reported with file and line.
//!
//! ```text
//! rules <- search <- table <- games <- { record, paint } <- { book, vision } <- protocol <- { arena, terminal, compute, library } <- repertoire <- { page, friends, language, print } <- app <- ui <- window <- cli
//!                         \__ study _________________________________________/ \__ tools
//!
//! within app: ground <- play <- explore <- hand <- view; above the ui: app/activities, which do not know each other
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The sentences of errors, which every folder may use.
const EVERYWHERE: &str = "message";

/// Each folder of `src` and the folders it may use.
#[rustfmt::skip] // It would give each name a line.
const MAY_NAME: &[(&str, &[&str])] = &[
    (EVERYWHERE, &[]),
    ("rules", &[]),
    ("storage", &[]),
    ("search", &["rules"]),
    ("table", &["rules", "storage", "search"]),
    ("games", &["rules", "storage", "search", "table"]),
    ("study", &["rules", "storage", "search", "table"]),
    ("record", &["rules", "storage", "search", "table", "games"]),
    ("book", &["rules", "storage", "search", "table", "games", "record"]),
    ("protocol", &["rules", "storage", "search", "table", "games", "book"]),
    ("paint", &["rules", "table", "games"]),
    ("vision", &["rules", "table", "games", "paint"]),
    ("arena", &["rules", "search", "table", "games", "protocol", "record"]),
    ("terminal", &["rules", "table", "protocol", "record"]),
    ("compute", &["rules", "search", "table", "games", "paint", "vision", "study"]),
    ("library", &["rules", "storage", "search", "table", "games", "record"]),
    ("repertoire", &["rules", "storage", "search", "table", "games", "record", "book", "study", "library"]),
    // The other package, which no other names.
    (
        "tools",
        &["rules", "storage", "search", "table", "games", "record", "paint", "vision", "study", "arena", "library", "terminal"],
    ),
    ("page", &["search", "games", "compute"]),
    ("friends", &["rules", "record"]),
    ("language", &["table"]),
    ("print", &["rules", "table", "record", "paint", "language"]),
    (
        "app",
        &[
            "rules", "storage", "search", "table", "games", "protocol", "record", "book", "paint", "vision", "study", "compute",
            "library", "repertoire", "page", "friends", "language", "print",
        ],
    ),
    (
        "ui",
        &[
            "rules", "storage", "search", "table", "games", "protocol", "record", "book", "paint", "study", "compute", "library",
            "repertoire", "app",
        ],
    ),
    (
        "activities",
        &[
            EVERYWHERE, "rules", "storage", "search", "table", "games", "protocol", "record", "book", "paint", "study",
            "compute", "library", "repertoire", "app", "ui",
        ],
    ),
    ("window", &["rules", "table", "games", "record", "page", "app", "ui"]),
    (
        "cli",
        &[
            "rules", "storage", "search", "table", "games", "protocol", "record", "book", "paint", "vision", "study", "arena",
            "terminal", "library", "friends", "language", "print", "app", "window",
        ],
    ),
    ("main", &["page", "window", "cli"]),
    // Each `lib.rs` declares folders as modules but uses none.
    ("lib", &[]),
];

/// The folders of `app`, and for each the folders it may use. Files beside the folders may use all of them.
const APP_MAY_NAME: &[(&str, &[&str])] = &[
    ("ground", &[]),
    ("play", &["ground"]),
    ("explore", &["ground", "play"]),
    ("hand", &["ground", "play", "explore"]),
    ("view", &["ground", "play", "explore", "hand"]),
];

/// Crates that only the window may use, and the folders of the window.
const WINDOW_CRATES: &[&str] = &["bevy", "bevy_egui", "egui", "winit"];
const WINDOW_FOLDERS: &[&str] = &["app", "activities", "ui", "window"];

/// The folders of a game and the folders of the same game that each may use. `mod.rs` may use all of them, and tests
/// too.
const PARTS_OF_A_GAME: &[(&str, &[&str])] = &[
    ("rules", &["rules"]),
    ("engine", &["rules", "engine"]),
    ("puzzles", &["rules", "engine", "puzzles"]),
    ("manners", &["rules", "engine", "manners"]),
    ("proof", &["rules", "engine", "proof"]),
];

/// An absolute path: `crate::table::Setup` is `[table, Setup]`; a path of another crate begins with the crate's name.
#[derive(Debug, PartialEq)]
struct Named {
    line: usize,
    own: bool,
    path: Vec<String>,
}

/// The text with spaces instead of comments and strings; line ends are kept.
fn code_only(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let blank = |out: &mut String, part: &str| out.extend(part.chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
    while let Some(c) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if c == '"' {
            string_length(rest)
        } else if rest.starts_with("r#\"") {
            rest.find("\"#").map_or(rest.len(), |end| end + 2)
        } else if let Some(length) = character_length(rest) {
            length
        } else {
            out.push(c);
            rest = &rest[c.len_utf8()..];
            continue;
        };
        blank(&mut out, &rest[..length]);
        rest = &rest[length..];
    }
    out
}

/// The length of a character literal at the start of the text; `None` for a lifetime.
fn character_length(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('\'')?;
    let escaped = inner.strip_prefix('\\').map(|rest| 2 + rest.chars().next().map_or(0, char::len_utf8));
    let end = escaped.unwrap_or_else(|| 1 + inner.chars().next().map_or(0, char::len_utf8));
    text.get(end..)?.starts_with('\'').then_some(end + 1)
}

fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '\\' if !escaped => escaped = true,
            '"' if !escaped => return at + 1,
            _ => escaped = false,
        }
    }
    text.len()
}

#[derive(Debug, PartialEq)]
enum Token {
    Word(String),
    /// `::`, the separator of a path.
    Join,
    Sign(char),
}

fn tokens(text: &str) -> Vec<(usize, Token)> {
    let mut tokens = Vec::new();
    let mut line = 1;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '\n' {
            line += 1;
        } else if c.is_alphanumeric() || c == '_' {
            let mut word = String::from(c);
            while let Some(&next) = chars.peek().filter(|next| next.is_alphanumeric() || **next == '_') {
                word.push(next);
                chars.next();
            }
            tokens.push((line, Token::Word(word)));
        } else if c == ':' && chars.peek() == Some(&':') {
            chars.next();
            tokens.push((line, Token::Join));
        } else if !c.is_whitespace() {
            tokens.push((line, Token::Sign(c)));
        }
    }
    tokens
}

/// The modules of a file: `table/seated.rs` is `[table, seated]`, `table/mod.rs` is `[table]`.
fn module_of(file: &str) -> Vec<String> {
    let mut parts: Vec<String> = file.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
    if parts.last().is_some_and(|last| last == "mod") {
        parts.pop();
    }
    parts
}

/// Every path in the code that leaves its own module, and every use of a crate of the window.
fn named(file: &str, text: &str) -> Vec<Named> {
    let tokens = tokens(&code_only(text));
    let word = |at: usize| match tokens.get(at) {
        Some((_, Token::Word(word))) => Some(word.as_str()),
        _ => None,
    };
    let mut found = Vec::new();
    let mut module = module_of(file);
    // Open inline modules: the brace depth outside each.
    let mut inline: Vec<usize> = Vec::new();
    let mut depth = 0;
    let mut at = 0;
    while at < tokens.len() {
        let (line, token) = &tokens[at];
        let after_join = at > 0 && tokens[at - 1].1 == Token::Join;
        match token {
            Token::Sign('{') => depth += 1,
            Token::Sign('}') => {
                depth -= 1;
                if inline.last() == Some(&depth) {
                    inline.pop();
                    module.pop();
                }
            }
            Token::Word(first) if first == "mod" && tokens.get(at + 2).is_some_and(|(_, next)| *next == Token::Sign('{')) => {
                module.push(word(at + 1).unwrap_or_default().to_owned());
                inline.push(depth);
            }
            Token::Word(first) if !after_join => {
                let joined = tokens.get(at + 1).is_some_and(|(_, next)| *next == Token::Join);
                let starts = matches!(first.as_str(), "crate" | "super" | "qiju" | "qiju_core") && joined;
                if starts {
                    let (base, next) = base_of(&tokens, at, &module);
                    branches(&tokens, next, &base, &mut found);
                } else if WINDOW_CRATES.contains(&first.as_str()) && (joined || at > 0 && word(at - 1) == Some("use")) {
                    found.push(Named { line: *line, own: false, path: vec![first.clone()] });
                }
            }
            _ => {}
        }
        at += 1;
    }
    found
}

/// The place of a path that begins with `crate`, `super` or the name of a package, and the token after its beginning.
fn base_of(tokens: &[(usize, Token)], mut at: usize, module: &[String]) -> (Vec<String>, usize) {
    let is = |at: usize, name: &str| tokens.get(at).is_some_and(|(_, token)| *token == Token::Word(name.to_owned()));
    if !is(at, "super") {
        // The tools are a package of their own, so their `crate` is not that of the others.
        let own = is(at, "crate") && module.first().is_some_and(|first| first == TOOLS);
        return (own.then(|| TOOLS.to_owned()).into_iter().collect(), at + 2);
    }
    let mut base = module.to_vec();
    while is(at, "super") {
        base.pop();
        at += 2;
    }
    (base, at)
}

/// Follows a path to its ends, through the braces of a `use`.
fn branches(tokens: &[(usize, Token)], mut at: usize, base: &[String], found: &mut Vec<Named>) -> usize {
    let mut path = base.to_vec();
    loop {
        match tokens.get(at) {
            Some((line, Token::Word(word))) => {
                path.push(word.clone());
                at += 1;
                if tokens.get(at).is_none_or(|(_, token)| *token != Token::Join) {
                    found.push(Named { line: *line, own: true, path });
                    return at;
                }
                at += 1;
            }
            Some((_, Token::Sign('{'))) => {
                at += 1;
                while tokens.get(at).is_some_and(|(_, token)| *token != Token::Sign('}')) {
                    let next = branches(tokens, at, &path, found);
                    // Skip a comma, a star or an `as` name.
                    at = next.max(at + 1);
                }
                return at + 1;
            }
            Some((line, Token::Sign('*'))) => {
                found.push(Named { line: *line, own: true, path });
                return at + 1;
            }
            _ => return at,
        }
    }
}

/// The violations of a file, as `file:line: why`. `games` are the games' folders.
fn crossings(file: &str, text: &str, games: &[String]) -> Vec<String> {
    let module = module_of(file);
    // The activities lie in `app`, and above `ui`.
    let activity = module.get(2).filter(|_| module[0] == "app" && module[1] == "activities");
    let folder = if activity.is_some() { "activities" } else { module[0].as_str() };
    let Some((_, allowed)) = MAY_NAME.iter().find(|(name, _)| *name == folder) else {
        return vec![format!("src/{file}:1: the folder '{folder}' is not in the picture of tests/layers.rs")];
    };
    // Files beside the games' folders, such as the registry, may use every game.
    let game = module.get(1).map(String::as_str).filter(|game| folder == "games" && games.iter().any(|known| known == game));
    let mut bad = Vec::new();
    let part = game.and(module.get(2)).filter(|part| *part != "tests");
    let own_parts = PARTS_OF_A_GAME.iter().find(|(name, _)| part.is_some_and(|part| part == name));
    if let (Some(part), None) = (part, own_parts) {
        bad.push(format!("src/{file}:1: '{part}' is no part of a game: rules, engine, puzzles, manners, proof or tests"));
    }
    for named in named(file, text) {
        let at = |why: String| format!("src/{file}:{}: {why}", named.line);
        let full = named.path.join("::");
        if !named.own {
            if !WINDOW_FOLDERS.contains(&folder) {
                bad.push(at(format!("only the window may name {full}")));
            }
            continue;
        }
        let Some(target) = named.path.first() else { continue };
        let is_folder = MAY_NAME.iter().any(|(name, _)| name == target);
        if is_folder && target != folder && target != EVERYWHERE && !allowed.contains(&target.as_str()) {
            bad.push(at(format!("{folder} may not name {full}")));
        }
        if let ("app", Some("activities")) = (target.as_str(), named.path.get(1).map(String::as_str))
            && named.path.get(2) != activity
            && !(folder == "window" || file == "app/activities/mod.rs")
        {
            bad.push(at(format!("{} may not name {full}", activity.map_or(folder, |activity| activity))));
        }
        let other_game = named.path.get(1).filter(|other| game.is_some_and(|game| *other != game) && games.contains(other));
        if target == "games" && other_game.is_some() {
            bad.push(at(format!("games never import each other: {full}")));
        }
        if let Some((layer, may_name)) = app_layer(&module)
            && target == "app"
            && let Some(other) = named.path.get(1).filter(|other| *other != layer)
            && !may_name.contains(&other.as_str())
        {
            bad.push(at(format!("app/{layer} may not name {full}")));
        }
        let Some((part, own)) = own_parts else { continue };
        // `mod.rs` of a game is above its rules, which may not use it; the other folders may need the game's type.
        let sibling = (target == "games" && other_game.is_none()).then(|| named.path.get(2)).flatten();
        let crosses = sibling.is_some_and(|sibling| {
            let is_part = PARTS_OF_A_GAME.iter().any(|(name, _)| name == sibling);
            if is_part { !own.contains(&sibling.as_str()) } else { *part == "rules" }
        });
        if crosses || *part == "rules" && target == "search" {
            bad.push(at(format!("{part} of a game may not name {full}")));
        }
    }
    bad
}

/// The folder of `app` that a module is in, and the folders it may use.
fn app_layer(module: &[String]) -> Option<(&'static str, &'static [&'static str])> {
    let folder = module.get(1).filter(|_| module[0] == "app")?;
    APP_MAY_NAME.iter().find(|(name, _)| name == folder).copied()
}

/// The source folders of the packages, and the layers that each holds.
#[rustfmt::skip]
const PACKAGES: [(&str, &[&str]); 3] = [
    (
        "crates/core/src",
        &[
            EVERYWHERE, "rules", "storage", "search", "table", "games", "study", "protocol", "record", "book", "paint", "vision",
            "arena", "terminal", "compute", "library", "repertoire",
        ],
    ),
    ("src", &["page", "friends", "language", "print", "app", "ui", "window", "cli", "main"]),
    ("crates/tools/src", &[TOOLS]),
];
/// The layer of all files of the tools.
const TOOLS: &str = "tools";

/// Every source file of the packages, as a path below `src`, with its text. The paths of the tools begin with their layer.
fn all_sources() -> Vec<(String, String)> {
    let mut all = Vec::new();
    for (folder, layers) in PACKAGES {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let mut files = Vec::new();
        sources(&root, &mut files);
        assert!(files.len() > 20, "only {} source files were found", files.len());
        for path in files {
            let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let file = path.strip_prefix(&root).expect("it was found below").to_string_lossy().replace('\\', "/");
            let file = if layers == [TOOLS] { format!("{TOOLS}/{file}") } else { file };
            let layer = module_of(&file).first().cloned().unwrap_or_default();
            assert!(layer == "lib" || layers.contains(&layer.as_str()), "{folder}/{file}: this layer is of the other package");
            all.push((file, text));
        }
    }
    all
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for path in entries.map(|entry| entry.expect("a folder can be read").path()) {
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn no_layer_is_violated() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/core/src");
    let folders =
        fs::read_dir(root.join("games")).expect("there is a folder of games").map(|entry| entry.expect("it can be read").path());
    let games: Vec<String> = folders
        .filter(|path| path.join("rules").is_dir())
        .filter_map(|path| Some(path.file_name()?.to_string_lossy().into_owned()))
        .collect();
    assert!(games.iter().any(|game| game == "tic_tac_toe"), "{games:?}");
    let mut bad = Vec::new();
    for (file, text) in all_sources() {
        bad.extend(crossings(&file, &text, &games));
    }
    assert!(bad.is_empty(), "\n{}", bad.join("\n"));
}

/// The requests of the user, each with the module that handles it.
fn owners_of_requests(sources: &[(String, String)]) -> BTreeMap<String, String> {
    let mut owners = BTreeMap::new();
    for (file, text) in sources.iter().filter(|(file, _)| file.starts_with("app/")) {
        for part in text.split("\n/// To `").skip(1) {
            let owner = part.split('`').next().unwrap_or_default().replace("::", "/");
            let declared = part.split("\npub ").nth(1).and_then(|rest| rest.split([' ', '(', ';']).nth(1));
            let name = declared.unwrap_or_else(|| panic!("{file}: a request to {owner} has no type"));
            assert!(part.split("\npub ").next().is_some_and(|head| head.contains("Message")), "{name} is a message");
            owners.insert(name.to_owned(), owner);
        }
    }
    owners
}

/// Every request of the user names the module that handles it, and is read there and nowhere else.
#[test]
fn a_request_is_read_by_its_own_module_alone() {
    let sources = all_sources();
    let owners = owners_of_requests(&sources);
    assert!(owners.len() > 35, "{owners:?}");
    for (name, owner) in owners {
        let reads = format!("MessageReader<{name}>");
        let readers: Vec<_> = sources.iter().filter(|(_, text)| text.contains(&reads)).map(|(file, _)| file).collect();
        assert!(!readers.is_empty(), "nobody reads {name}");
        let is_own = |file: &str| {
            let file = file.strip_prefix("app/").unwrap_or(file);
            file.strip_prefix(&owner).is_some_and(|rest| rest == ".rs" || rest.starts_with('/'))
        };
        assert!(readers.iter().all(|file| is_own(file)), "{name} is for {owner}, and is read in {readers:?}");
    }
}

/// What serves all activities: files, and folders of them.
const CENTRAL: [&str; 9] = [
    "app/explore/cursor.rs",
    "app/ground/commands.rs",
    "app/ground/keys.rs",
    "app/ground/menus.rs",
    "app/ground/state.rs",
    "app/hand/commands.rs",
    "ui/entries.rs",
    "ui/menus.rs",
    "ui/panel/",
];

/// The places of a file that name an activity: by its name, or by a request to it.
fn named_activities(file: &str, text: &str, requests: &BTreeSet<String>) -> Vec<String> {
    let is_name = |path: &[String]| match path {
        [.., module, name] => module == "activity" && name != "MATCH" && name.chars().all(|c| c.is_ascii_uppercase() || c == '_'),
        _ => false,
    };
    let of_activity = |named: &Named| is_name(&named.path) || named.path.last().is_some_and(|last| requests.contains(last));
    let found = named(file, text).into_iter().filter(of_activity);
    found.map(|named| format!("src/{file}:{}: {}", named.line, named.path.join("::"))).collect()
}

#[test]
fn what_serves_all_activities_names_none() {
    let sources = all_sources();
    let owners = owners_of_requests(&sources).into_iter().filter(|(_, owner)| owner.starts_with("activities/"));
    let requests: BTreeSet<String> = owners.map(|(name, _)| name).collect();
    for (text, count) in [
        ("use crate::app::requests::{PageRequest, TaskStep};", 1),
        ("fn f() { crate::app::activity::PUZZLES }", 1),
        ("use crate::app::activity::{Activity, MATCH};", 0),
    ] {
        assert_eq!(named_activities("ui/menus.rs", text, &requests).len(), count, "{text}");
    }
    for central in CENTRAL {
        let files: Vec<_> = sources.iter().filter(|(file, _)| file.starts_with(central)).collect();
        assert!(!files.is_empty(), "there is no {central}");
        let found: Vec<String> = files.iter().flat_map(|(file, text)| named_activities(file, text, &requests)).collect();
        assert_eq!(found, Vec::<String>::new());
    }
}

/// The system's clocks end the program in a browser; those of `web_time` work everywhere.
#[test]
fn clocks_work_in_a_browser_too() {
    let uses_the_systems = |text: &str| {
        let code = code_only(text);
        let mut paths = code.split("std::time::").skip(1);
        paths.any(|path| {
            let end = if path.starts_with('{') { '}' } else { ';' };
            let named = path.split(end).next().unwrap_or_default();
            let first = named.split(|c: char| !c.is_alphanumeric()).next();
            let all: Vec<&str> =
                if end == '}' { named.split(|c: char| !c.is_alphanumeric()).collect() } else { first.into_iter().collect() };
            all.contains(&"Instant") || all.contains(&"SystemTime")
        })
    };
    assert!(uses_the_systems("use std::time::{Duration, Instant};"));
    assert!(uses_the_systems("let now = std::time::SystemTime::now();"));
    assert!(!uses_the_systems("use std::time::Duration; // Instant\nuse web_time::Instant;"));
    let found: Vec<String> = all_sources().into_iter().filter(|(_, text)| uses_the_systems(text)).map(|(file, _)| file).collect();
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn violations_are_found_with_their_place() {
    // (file, source, the line of the violation and a word of it; 0 if there is none)
    let cases = [
        ("search/x.rs", "use crate::rules::Side;", 0, ""),
        ("rules/x.rs", "use crate::search::Score;", 1, "rules may not name search::Score"),
        ("rules/x.rs", "\n\nfn f() -> crate::table::Piece { todo() }", 3, "table::Piece"),
        ("rules/x.rs", "use crate::{rules::Side,\n search::{Score, Value}};", 2, "search::Score"),
        ("rules/mod.rs", "use super::games::find;", 1, "games::find"),
        ("rules/x.rs", "use super::super::games::find;", 1, "games::find"),
        (
            "rules/x.rs",
            "mod tests { const A: [char; 3] = ['}', '\\'', '\"']; fn f<'a>() { use crate::search::Score; } }",
            1,
            "search::Score",
        ),
        ("rules/x.rs", "use super::Side; mod tests { use super::super::Side; }", 0, ""),
        ("rules/x.rs", "mod tests { use super::super::super::ui::Page; }", 1, "ui::Page"),
        (
            "rules/x.rs",
            "// use crate::search::Score;\n/// [`crate::search::Score`]\nfn f() { g(\"crate::search::Score\") }",
            0,
            "",
        ),
        ("table/x.rs", "use bevy::prelude::*;", 1, "bevy"),
        ("table/x.rs", "fn f(e: bevy_egui::EguiContexts) {}", 1, "bevy_egui"),
        ("cli/x.rs", "use egui;", 1, "egui"),
        ("cli/x.rs", "use crate::ui::Page;", 1, "cli may not name ui::Page"),
        ("cli/play.rs", "fn f() { crate::window::run() }", 0, ""),
        ("app/x.rs", "use bevy::prelude::*;", 0, ""),
        ("app/x.rs", "use crate::ui::Page;", 1, "app may not name ui::Page"),
        ("app/x.rs", "use crate::cli::run;", 1, "cli::run"),
        ("app/view/x.rs", "use super::FrameRequests; use crate::app::play::CurrentMatch;", 0, ""),
        ("app/play/x.rs", "", 0, ""),
        ("app/play/x.rs", "use crate::app::view::Moving;", 1, "app/play may not name app::view::Moving"),
        ("app/ground/x.rs", "use super::super::play::CurrentMatch;", 1, "app/ground may not name app::play"),
        ("app/hand/x.rs", "use crate::app::settings::Settings;", 1, "app/hand may not name app::settings"),
        ("app/mod.rs", "fn f() { view::plugin() }", 0, ""),
        ("app/mod.rs", "use crate::ui::UiPlugin;", 1, "app may not name ui"),
        (
            "app/activities/puzzles/panel.rs",
            "use crate::ui::panel::Room; use crate::app::view::FrameRequests; use super::Puzzling;",
            0,
            "",
        ),
        ("app/activities/puzzles/panel.rs", "use crate::app::activities::study::Learn;", 1, "app::activities::study::Learn"),
        ("app/activities/mod.rs", "fn f() { puzzles::plugin() }", 0, ""),
        ("app/explore/cursor.rs", "use crate::app::activities::puzzles::Puzzling;", 1, "app::activities::puzzles"),
        ("ui/panel/mod.rs", "use crate::app::activities::puzzles::Puzzling;", 1, "ui may not name app::activities"),
        ("ui/x.rs", "use crate::app::{play::CurrentMatch, activities::study};", 1, "app::activities::study"),
        ("window/run.rs", "use crate::app::activities::ActivitiesPlugin;", 0, ""),
        ("window/run.rs", "use crate::ui::UiPlugin; use bevy::prelude::*;", 0, ""),
        ("record/x.rs", "use crate::protocol::Host;", 1, "protocol::Host"),
        ("games/xiangqi/mod.rs", "use super::gomoku::Board;", 1, "games never import each other"),
        ("games/xiangqi/rules/board.rs", "use crate::games::gomoku;", 1, "games never import each other"),
        ("games/xiangqi/mod.rs", "use engine::evaluation::Pieces; use super::Entry; use crate::search::AlphaBeta;", 0, ""),
        ("games/xiangqi/rules/board.rs", "use super::super::engine::evaluation::Pieces;", 1, "rules of a game"),
        ("games/xiangqi/rules/moves.rs", "use super::board::Board; use crate::games::xiangqi::rules::board::Move;", 0, ""),
        ("games/xiangqi/rules/board.rs", "\nuse crate::games::xiangqi::engine::exchange::{see, Swap};", 2, "rules of a game"),
        ("games/xiangqi/rules/board.rs", "use crate::games::xiangqi::puzzles::mates;", 1, "rules of a game"),
        ("games/xiangqi/rules/board.rs", "use crate::games::xiangqi::Xiangqi;", 1, "rules of a game"),
        ("games/xiangqi/rules/board.rs", "use super::piece; mod tests { use super::super::piece; use super::Board; }", 0, ""),
        ("games/xiangqi/rules/notation.rs", "use crate::search::Score;", 1, "rules of a game"),
        ("games/xiangqi/rules/notation.rs", "use crate::games::gomoku::rules::board;", 1, "games never import each other"),
        (
            "games/xiangqi/engine/evaluation.rs",
            "use crate::search::Evaluate; use crate::games::xiangqi::rules::board::Board;",
            0,
            "",
        ),
        ("games/xiangqi/engine/node.rs", "use super::super::puzzles::mates;", 1, "engine of a game"),
        ("games/xiangqi/engine/node.rs", "use crate::games::xiangqi::Xiangqi;", 0, ""),
        ("games/xiangqi/puzzles/mates.rs", "use crate::games::xiangqi::engine::node::Node; use crate::search::Score;", 0, ""),
        ("tools/gomoku/fit.rs", "use crate::training::Adam; use qiju_core::games::gomoku::engine::values;", 0, ""),
        ("tools/games/x.rs", "use crate::games::fit; use crate::gomoku::selfplay;", 0, ""),
        ("tools/tune.rs", "use qiju::cli::run;", 1, "tools may not name cli::run"),
        ("games/xiangqi/board.rs", "", 1, "'board' is no part of a game"),
        ("games/xiangqi/tests/perft.rs", "use crate::search::Score; use crate::games::xiangqi::engine::evaluation;", 0, ""),
        ("main.rs", "fn main() { qiju::cli::run() }", 0, ""),
        ("main.rs", "fn main() { qiju_core::games::find() }", 1, "main may not name games::find"),
        ("attic/x.rs", "", 1, "the folder 'attic'"),
    ];
    let games = ["xiangqi", "gomoku"].map(str::to_owned);
    for (file, source, line, word) in cases {
        let bad = crossings(file, source, &games);
        if line == 0 {
            assert_eq!(bad, Vec::<String>::new(), "{file}: {source}");
        } else {
            let start = format!("src/{file}:{line}: ");
            assert!(bad.iter().any(|why| why.starts_with(&start) && why.contains(word)), "{file}: {source}\ngives {bad:?}");
        }
    }
}

/// The files of a program and their imports, to find cycles. A `pub use` only re-exports and does not count as an import: code that uses
/// a re-exported name counts as importing the file of the definition.
struct Imports {
    /// Files by the path of their module.
    files: BTreeMap<Vec<String>, String>,
    /// The names that a module re-exports, and the paths of their definitions.
    offers: BTreeMap<(Vec<String>, String), Vec<String>>,
    edges: BTreeMap<String, BTreeSet<String>>,
}

impl Imports {
    fn of(sources: &[(String, String)]) -> Imports {
        let files = sources.iter().map(|(file, _)| (module_of(file), file.clone())).collect();
        let mut imports = Imports { files, offers: BTreeMap::new(), edges: BTreeMap::new() };
        let found: Vec<(String, Vec<Import>)> =
            sources.iter().map(|(file, text)| (file.clone(), imports.imports(file, text))).collect();
        for (file, list) in &found {
            for import in list.iter().filter(|import| import.offered) {
                let name = import.name.clone().or_else(|| import.path.last().cloned());
                imports.offers.extend(name.map(|name| ((module_of(file), name), import.path.clone())));
            }
        }
        for (file, list) in found {
            let targets = list.iter().filter(|import| !import.offered).filter_map(|import| imports.file_of(&import.path));
            let targets = targets.filter(|target| *target != file).collect();
            imports.edges.insert(file, targets);
        }
        imports
    }

    /// The paths that a file uses outside of its tests.
    fn imports(&self, file: &str, text: &str) -> Vec<Import> {
        let code = code_only(text);
        let tokens = tokens(code.split("#[cfg(test)]\nmod ").next().unwrap_or_default());
        let module = module_of(file);
        let word = |at: usize| match tokens.get(at) {
            Some((_, Token::Word(word))) => Some(word.as_str()),
            _ => None,
        };
        let mut list = Vec::new();
        let mut at = 0;
        while at < tokens.len() {
            let begins = at == 0 || tokens[at - 1].1 != Token::Join;
            let joined = tokens.get(at + 1).is_some_and(|(_, next)| *next == Token::Join);
            let Some(first) = word(at).filter(|_| begins && joined) else {
                at += 1;
                continue;
            };
            let mut child = module.clone();
            child.push(first.to_owned());
            let (base, next) = match first {
                "crate" | "super" | "qiju_core" => base_of(&tokens, at, &module),
                "self" => (module.clone(), at + 2),
                _ if self.files.contains_key(&child) => (module.clone(), at),
                _ => {
                    at += 1;
                    continue;
                }
            };
            let offered = at > 1 && word(at - 1) == Some("use") && {
                // `pub use`, `pub(crate) use`.
                word(at - 2) == Some("pub") || tokens[at - 2].1 == Token::Sign(')')
            };
            let mut named = Vec::new();
            let end = branches(&tokens, next, &base, &mut named);
            for one in named {
                list.push(Import { offered, name: None, path: one.path });
            }
            if offered && word(end) == Some("as") {
                list.last_mut().expect("a path was named").name = word(end + 1).map(str::to_owned);
            }
            at = end.max(at + 1);
        }
        list
    }

    /// The file of the definition of a path.
    fn file_of(&self, path: &[String]) -> Option<String> {
        let mut path = path.to_vec();
        // No chain of re-exports is longer.
        for _ in 0..8 {
            let length = (1..=path.len()).rev().find(|length| self.files.contains_key(&path[..*length]))?;
            let (module, rest) = path.split_at(length);
            let offer = rest.first().and_then(|name| self.offers.get(&(module.to_vec(), name.clone())));
            let Some(offer) = offer else { return self.files.get(module).cloned() };
            path = offer.iter().chain(&rest[1..]).cloned().collect();
        }
        None
    }

    /// All sets of files that import each other, directly or through others of the set.
    fn circles(&self) -> Vec<BTreeSet<String>> {
        let reached = |from: &String| {
            let mut seen = BTreeSet::new();
            let mut todo = vec![from];
            while let Some(file) = todo.pop() {
                for next in self.edges.get(file).into_iter().flatten() {
                    if seen.insert(next.clone()) {
                        todo.push(next);
                    }
                }
            }
            seen
        };
        let reach: BTreeMap<&String, BTreeSet<String>> = self.edges.keys().map(|file| (file, reached(file))).collect();
        let circle = |file: &String| -> BTreeSet<String> {
            reach[file].iter().filter(|other| reach.get(other).is_some_and(|back| back.contains(file))).cloned().collect()
        };
        let circles: BTreeSet<BTreeSet<String>> = self.edges.keys().map(circle).filter(|circle| circle.len() > 1).collect();
        circles.into_iter().collect()
    }
}

/// A path used by a file.
struct Import {
    /// True for a re-export.
    offered: bool,
    /// The new name, if it is renamed.
    name: Option<String>,
    path: Vec<String>,
}

/// The most files that may import each other in a cycle.
const LARGEST_CIRCLE: usize = 3;

#[test]
fn no_more_than_three_files_import_each_other() {
    let imports = Imports::of(&all_sources());
    assert!(imports.edges.values().map(BTreeSet::len).sum::<usize>() > 200, "the imports were not found");
    let large: Vec<_> = imports.circles().into_iter().filter(|circle| circle.len() > LARGEST_CIRCLE).collect();
    assert!(
        large.is_empty(),
        "{}",
        large.iter().map(|circle| format!("\n{} files: {circle:?}", circle.len())).collect::<String>()
    );
}

#[test]
fn cycles_are_found_through_re_exports() {
    let files = |list: &[(&str, &str)]| -> Vec<(String, String)> {
        list.iter().map(|(file, text)| (file.to_string(), text.to_string())).collect()
    };
    // (files, the files of its cycles)
    let cases = [
        (files(&[("a.rs", "use crate::b::B;"), ("b.rs", "fn f() { crate::a::g() }")]), vec!["a.rs b.rs"]),
        (files(&[("a.rs", "use crate::b::B;"), ("b.rs", "#[cfg(test)]\nmod tests { use crate::a::g; }")]), vec![]),
        // A `mod.rs` that only re-exports is in no cycle with its files.
        (files(&[("a/mod.rs", "pub use x::X; pub use y::Y;"), ("a/x.rs", "use super::Y;"), ("a/y.rs", "")]), vec![]),
        (
            files(&[
                ("a/mod.rs", "pub use x::X; pub use y::{Y as Z};"),
                ("a/x.rs", "use super::Z;"),
                ("a/y.rs", "use super::X;"),
            ]),
            vec!["a/x.rs a/y.rs"],
        ),
        (files(&[("a/mod.rs", "pub struct A; fn f() { x::g() }"), ("a/x.rs", "use super::A;")]), vec!["a/mod.rs a/x.rs"]),
    ];
    for (files, wanted) in cases {
        let circles = Imports::of(&files).circles();
        let told: Vec<String> =
            circles.iter().map(|circle| circle.iter().map(String::as_str).collect::<Vec<_>>().join(" ")).collect();
        assert_eq!(told, wanted, "{files:?}");
    }
}
