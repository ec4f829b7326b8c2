//! The layers of the house, read from the source: who names whom. A crossing is reported with file and line.
//!
//! ```text
//! rules <- search <- table <- games <- { protocol, record, paint, app } <- ui
//!                                       \____ cli ____/
//! ```

use std::fs;
use std::path::{Path, PathBuf};

/// Each room of `src` and the rooms it may name.
const MAY_NAME: &[(&str, &[&str])] = &[
    ("rules", &[]),
    ("storage", &[]),
    ("search", &["rules"]),
    ("table", &["rules", "storage", "search"]),
    ("games", &["rules", "storage", "search", "table"]),
    ("protocol", &["rules", "storage", "search", "table", "games"]),
    ("record", &["rules", "storage", "search", "table", "games"]),
    ("paint", &["rules", "table", "games"]),
    ("app", &["rules", "storage", "search", "table", "games", "protocol", "record", "paint"]),
    ("ui", &["rules", "storage", "search", "table", "games", "protocol", "record", "paint", "app"]),
    ("cli", &["rules", "storage", "search", "table", "games", "protocol", "record", "paint", "app"]),
    ("main", &["cli"]),
    // The map of the crate names every room as a module and uses none.
    ("lib", &[]),
];

/// Crates only the window may name, and the rooms that are the window.
const WINDOW_CRATES: &[&str] = &["bevy", "bevy_egui", "egui", "winit"];
const WINDOW_ROOMS: &[&str] = &["app", "ui"];

/// The one file that puts the window together, so it names the pages that otherwise only look down on it.
const ASSEMBLY: (&str, &str) = ("app/run.rs", "ui");

/// The folders of a game and what of its own game each may name. `mod.rs` shows all of them to the rest of the program, and tests use
/// what they like.
const PARTS_OF_A_GAME: &[(&str, &[&str])] =
    &[("rules", &["rules"]), ("engine", &["rules", "engine"]), ("training", &["rules", "engine", "training"])];

/// A path as the source writes it, made absolute: `crate::table::Setup` is `[table, Setup]`; another crate's begins with its name.
#[derive(Debug, PartialEq)]
struct Named {
    line: usize,
    own: bool,
    path: Vec<String>,
}

/// The text with comments and strings blanked out, line ends kept.
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
        } else if rest.starts_with("'\"'") {
            3
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
    /// `::`, which joins a path.
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

/// The modules above the code of a file: `table/seated.rs` is `[table, seated]`, `table/mod.rs` is `[table]`.
fn module_of(file: &str) -> Vec<String> {
    let mut parts: Vec<String> = file.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
    if parts.last().is_some_and(|last| last == "mod") {
        parts.pop();
    }
    parts
}

/// Every path the code names that leaves its own module, and every foreign crate of the window.
fn named(file: &str, text: &str) -> Vec<Named> {
    let tokens = tokens(&code_only(text));
    let word = |at: usize| match tokens.get(at) {
        Some((_, Token::Word(word))) => Some(word.as_str()),
        _ => None,
    };
    let mut found = Vec::new();
    let mut module = module_of(file);
    // Inline modules still open: the depth of braces outside each.
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
                let starts = matches!(first.as_str(), "crate" | "super" | "qiju") && joined;
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

/// Where a path beginning with `crate`, `qiju` or `super` stands, and the token after its beginning.
fn base_of(tokens: &[(usize, Token)], mut at: usize, module: &[String]) -> (Vec<String>, usize) {
    let is = |at: usize, name: &str| tokens.get(at).is_some_and(|(_, token)| *token == Token::Word(name.to_owned()));
    if !is(at, "super") {
        return (Vec::new(), at + 2);
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
                    // Over the comma, a star or an `as` name.
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

/// What a file names against the layers, as `file:line: why`. `games` are the games' folders.
fn crossings(file: &str, text: &str, games: &[String]) -> Vec<String> {
    let module = module_of(file);
    let room = module[0].as_str();
    let Some((_, allowed)) = MAY_NAME.iter().find(|(name, _)| *name == room) else {
        return vec![format!("src/{file}:1: the room '{room}' is not in the picture of tests/layers.rs")];
    };
    let game = (room == "games" && module.len() > 1).then(|| module[1].as_str());
    let mut bad = Vec::new();
    let part = game.and(module.get(2)).filter(|part| *part != "tests");
    let own_parts = PARTS_OF_A_GAME.iter().find(|(name, _)| part.is_some_and(|part| part == name));
    if let (Some(part), None) = (part, own_parts) {
        bad.push(format!("src/{file}:1: '{part}' is no part of a game: rules, engine, training or tests"));
    }
    for named in named(file, text) {
        let at = |why: String| format!("src/{file}:{}: {why}", named.line);
        let full = named.path.join("::");
        if !named.own {
            if !WINDOW_ROOMS.contains(&room) {
                bad.push(at(format!("only the window may name {full}")));
            }
            continue;
        }
        let Some(target) = named.path.first() else { continue };
        let is_room = MAY_NAME.iter().any(|(name, _)| name == target);
        if is_room && target != room && !allowed.contains(&target.as_str()) && ASSEMBLY != (file, target.as_str()) {
            bad.push(at(format!("{room} may not name {full}")));
        }
        let other_game = named.path.get(1).filter(|other| game.is_some_and(|game| *other != game) && games.contains(other));
        if target == "games" && other_game.is_some() {
            bad.push(at(format!("games never import each other: {full}")));
        }
        let Some((part, own)) = own_parts else { continue };
        // What stands in `mod.rs` of the game is above its rules, which see nothing of it; the others may need the game's own type.
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
fn nobody_crosses_a_layer() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    assert!(files.len() > 40, "only {} source files were found", files.len());
    let folders =
        fs::read_dir(root.join("games")).expect("there is a folder of games").map(|entry| entry.expect("it can be read").path());
    let games: Vec<String> =
        folders.filter(|path| path.is_dir()).filter_map(|path| Some(path.file_name()?.to_string_lossy().into_owned())).collect();
    assert!(games.iter().any(|game| game == "tic_tac_toe"), "{games:?}");
    let mut bad = Vec::new();
    for path in files {
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let file = path.strip_prefix(&root).expect("it was found below").to_string_lossy().replace('\\', "/");
        bad.extend(crossings(&file, &text, &games));
    }
    assert!(bad.is_empty(), "\n{}", bad.join("\n"));
}

#[test]
fn crossings_are_seen_where_they_stand() {
    // (file, source, the crossing's line and a word of it; 0 where there is none)
    let cases = [
        ("search/x.rs", "use crate::rules::Side;", 0, ""),
        ("rules/x.rs", "use crate::search::Score;", 1, "rules may not name search::Score"),
        ("rules/x.rs", "\n\nfn f() -> crate::table::Piece { todo() }", 3, "table::Piece"),
        ("rules/x.rs", "use crate::{rules::Side,\n search::{Score, Value}};", 2, "search::Score"),
        ("rules/mod.rs", "use super::games::find;", 1, "games::find"),
        ("rules/x.rs", "use super::super::games::find;", 1, "games::find"),
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
        ("cli/play.rs", "fn f() { crate::app::run() }", 0, ""),
        ("app/x.rs", "use bevy::prelude::*;", 0, ""),
        ("app/x.rs", "use crate::ui::Page;", 1, "app may not name ui::Page"),
        ("app/x.rs", "use crate::cli::run;", 1, "cli::run"),
        ("record/x.rs", "use crate::protocol::Host;", 1, "protocol::Host"),
        ("games/xiangqi/mod.rs", "use super::gomoku::Board;", 1, "games never import each other"),
        ("games/xiangqi/rules/board.rs", "use crate::games::gomoku;", 1, "games never import each other"),
        ("games/xiangqi/mod.rs", "use engine::evaluation::Pieces; use super::Entry; use crate::search::AlphaBeta;", 0, ""),
        ("games/xiangqi/rules/board.rs", "use super::super::engine::evaluation::Pieces;", 1, "rules of a game"),
        ("games/xiangqi/rules/moves.rs", "use super::board::Board; use crate::games::xiangqi::rules::board::Move;", 0, ""),
        ("games/xiangqi/rules/board.rs", "\nuse crate::games::xiangqi::engine::exchange::{see, Swap};", 2, "rules of a game"),
        ("games/xiangqi/rules/board.rs", "use crate::games::xiangqi::training::fit;", 1, "rules of a game"),
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
        ("games/xiangqi/engine/node.rs", "use super::super::training::fit;", 1, "engine of a game"),
        ("games/xiangqi/engine/node.rs", "use crate::games::xiangqi::Xiangqi;", 0, ""),
        ("games/xiangqi/training/fit.rs", "use crate::games::xiangqi::engine::node::Node; use crate::search::Score;", 0, ""),
        ("games/xiangqi/board.rs", "", 1, "'board' is no part of a game"),
        ("games/xiangqi/tests/perft.rs", "use crate::search::Score; use crate::games::xiangqi::engine::evaluation;", 0, ""),
        ("main.rs", "fn main() { qiju::cli::run() }", 0, ""),
        ("main.rs", "fn main() { qiju::games::find() }", 1, "main may not name games::find"),
        ("attic/x.rs", "", 1, "the room 'attic'"),
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
