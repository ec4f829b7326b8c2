//! The page in a browser, as the broker gives it to a friend without the program: the files of one folder, which are listed once. What is not in the
//! list is not there, so no path leads out of the folder.

use qiju_core::message;
use qiju_core::message::Message;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::path::{Path, PathBuf};

/// The most files of a page, the most folders within folders, and the most bytes of a file.
const MOST_FILES: usize = 500;
const DEEPEST: usize = 6;
const LARGEST: u64 = 100 << 20;
/// What a browser is told where there is no page.
const TEXT: &str =
    "This is Qiju (棋局). To join the match, open the invitation in the program.\n请在“棋局”程序里打开邀请链接加入对局。\n";
const PLAIN: &str = "text/plain; charset=utf-8";

/// A page: its files by their addresses below its own.
#[derive(Debug)]
pub struct Page(BTreeMap<String, PathBuf>);

impl Page {
    /// The page in a folder that `scripts/web` has made.
    ///
    /// # Errors
    /// There is none, or it cannot be read.
    pub fn in_folder(folder: &Path) -> Result<Page, Message> {
        let mut files = BTreeMap::new();
        let listed = list(folder, "", DEEPEST, &mut files);
        listed.map_err(|error| message!("{}: {}", folder.display().to_string(), error))?;
        let has_page = files.contains_key("index.html") && files.contains_key("qiju_bg.wasm");
        if has_page { Ok(Page(files)) } else { Err(message!("there is no page in {}", folder.display().to_string())) }
    }

    /// The page that was installed with the program: in a folder `web` beside it, or in `share/qiju/web` beside its folder.
    pub fn installed() -> Option<Page> {
        let folder = std::env::current_exe().ok()?.canonicalize().ok()?.parent()?.to_owned();
        let places = [folder.join("web"), folder.parent()?.join("share/qiju/web")];
        places.iter().filter(|place| place.is_dir()).find_map(|place| Page::in_folder(place).ok())
    }
}

/// Lists the files below a folder. Links are left out, and so is what a page has no reason to have.
fn list(folder: &Path, below: &str, depth: usize, files: &mut BTreeMap<String, PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let (kind, name) = (entry.file_type()?, entry.file_name());
        let Some(name) = name.to_str().filter(|name| !name.starts_with('.')) else { continue };
        let address = format!("{below}{name}");
        if kind.is_dir() && depth > 0 {
            list(&entry.path(), &format!("{address}/"), depth - 1, files)?;
        } else if kind.is_file() && entry.metadata()?.len() <= LARGEST && files.len() < MOST_FILES {
            files.insert(address, entry.path());
        }
    }
    Ok(())
}

/// The kind of a file, by its name.
fn kind_of(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "wasm" => "application/wasm",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "otf" => "font/otf",
        "md" | "txt" => PLAIN,
        _ => "application/octet-stream",
    }
}

/// Answers the request of a browser. Its head is still in the stream.
pub(super) fn answer(mut stream: TcpStream, head: &str, page: Option<&Page>) -> io::Result<()> {
    io::copy(&mut Read::by_ref(&mut stream).take(head.len() as u64), &mut io::sink())?;
    let mut words = head.split(' ');
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    // The version of the page stands behind the name.
    let path = target.split(['?', '#']).next().unwrap_or_default();
    let name = match path.strip_prefix('/') {
        Some("") => "index.html",
        Some(name) => name,
        None => "",
    };
    let file = page.and_then(|Page(files)| files.get(name));
    let gets = matches!(method, "GET" | "HEAD");
    let (status, kind, length, body): (&str, &str, u64, Box<dyn Read>) = match (file, page) {
        _ if !gets => ("405 Method Not Allowed", PLAIN, 0, Box::new(io::empty())),
        (Some(path), _) => {
            let file = File::open(path)?;
            let length = file.metadata()?.len();
            ("200 OK", kind_of(name), length, Box::new(file.take(length)))
        }
        (None, None) if path == "/" => ("200 OK", PLAIN, TEXT.len() as u64, Box::new(TEXT.as_bytes())),
        _ => ("404 Not Found", PLAIN, 0, Box::new(io::empty())),
    };
    // A page that was built again is seen at once.
    let more = "Cache-Control: no-cache\r\nX-Content-Type-Options: nosniff\r\nConnection: close";
    write!(stream, "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n{more}\r\n\r\n")?;
    if method != "HEAD" {
        io::copy(&mut { body }, &mut stream)?;
    }
    // The other side closes when it has everything.
    stream.shutdown(Shutdown::Write)?;
    io::copy(&mut stream.take(1024), &mut io::sink()).map(drop)
}
