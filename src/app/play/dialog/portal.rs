//! The system's file dialog: on Linux asked for over D-Bus, `org.freedesktop.portal.FileChooser`
//! (flatpak.github.io/xdg-desktop-portal, version 3 of the interface).

use bevy::window::RawHandleWrapper;
use std::path::PathBuf;

/// What the dialog is to ask.
#[cfg_attr(not(any(target_os = "linux", windows)), expect(dead_code, reason = "only this system has such a dialog"))]
pub struct Question {
    /// What stands above it.
    pub title: String,
    /// The word on the button that agrees; on Windows it is the system's.
    #[cfg_attr(windows, expect(dead_code))]
    pub accept: String,
    /// The name that is offered, where a file is to be saved; `None` where files are to be opened.
    pub save_as: Option<String>,
    /// A folder is to be chosen.
    pub folder: bool,
    /// Groups of files: a name, and patterns as `*.pgn`.
    pub groups: Vec<(String, Vec<String>)>,
}

/// There is no such dialog here.
#[derive(Debug)]
pub struct NoDialog(pub String);

/// Asks, and waits for the answer; nothing is chosen where the dialog is closed.
///
/// # Errors
/// There is no dialog of the system's.
#[cfg(target_os = "linux")]
pub fn ask(question: &Question, _: Option<&RawHandleWrapper>) -> Result<Vec<PathBuf>, NoDialog> {
    bevy::tasks::block_on(converse(question)).map_err(|error| NoDialog(error.to_string()))
}

/// Asks, and waits for the answer; nothing is chosen where the dialog is closed. The dialog stays above our window, which waits for it.
///
/// # Errors
/// None: an error of the dialog cannot be told from one that is closed.
#[cfg(windows)]
pub fn ask(question: &Question, window: Option<&RawHandleWrapper>) -> Result<Vec<PathBuf>, NoDialog> {
    let mut dialog = rfd::FileDialog::new().set_title(&question.title);
    if let Some(window) = window {
        // SAFETY: here any thread may open a dialog of a window.
        dialog = dialog.set_parent(&unsafe { window.get_handle() });
    }
    for (name, patterns) in &question.groups {
        let endings: Vec<&str> = patterns.iter().map(|pattern| pattern.trim_start_matches("*.")).collect();
        dialog = dialog.add_filter(name, &endings);
    }
    let chosen = match &question.save_as {
        Some(name) => dialog.set_file_name(name).save_file().map(|path| vec![path]),
        None if question.folder => dialog.pick_folder().map(|path| vec![path]),
        None => dialog.pick_files(),
    };
    Ok(chosen.unwrap_or_default())
}

/// Asks, and waits for the answer.
///
/// # Errors
/// Always: there is no such dialog on this system.
#[cfg(not(any(target_os = "linux", windows)))]
pub fn ask(_: &Question, _: Option<&RawHandleWrapper>) -> Result<Vec<PathBuf>, NoDialog> {
    Err(NoDialog("no portal".to_owned()))
}

#[cfg(target_os = "linux")]
async fn converse(question: &Question) -> zbus::Result<Vec<PathBuf>> {
    use bevy::tasks::futures_lite::StreamExt;
    use std::collections::HashMap;
    use zbus::zvariant::{OwnedValue, Value};
    use zbus::{Connection, Proxy};

    const SERVICE: &str = "org.freedesktop.portal.Desktop";
    const DESKTOP: &str = "/org/freedesktop/portal/desktop";
    let connection = Connection::session().await?;
    // The answer comes as a signal of an object whose path is made of our name on the bus and a token that we choose. We
    // listen to it before the question is sent.
    let token = format!("qiju{}", fastrand::u32(..));
    let sender = connection.unique_name().map(|name| name.trim_start_matches(':').replace('.', "_")).unwrap_or_default();
    let request =
        Proxy::new(&connection, SERVICE, format!("{DESKTOP}/request/{sender}/{token}"), "org.freedesktop.portal.Request").await?;
    let mut answers = request.receive_signal("Response").await?;
    let chooser = Proxy::new(&connection, SERVICE, DESKTOP, "org.freedesktop.portal.FileChooser").await?;
    let groups: Vec<(String, Vec<(u32, String)>)> = question
        .groups
        .iter()
        .map(|(name, patterns)| (name.clone(), patterns.iter().map(|pattern| (0, either_case(pattern))).collect()))
        .collect();
    let mut options: HashMap<&str, Value<'_>> = HashMap::new();
    options.insert("handle_token", Value::from(token.as_str()));
    options.insert("accept_label", Value::from(question.accept.as_str()));
    options.insert("filters", Value::from(groups));
    let method = match &question.save_as {
        Some(name) => {
            options.insert("current_name", Value::from(name.as_str()));
            "SaveFile"
        }
        None => {
            options.insert("multiple", Value::from(!question.folder));
            options.insert("directory", Value::from(question.folder));
            "OpenFile"
        }
    };
    chooser.call_method(method, &("", question.title.as_str(), options)).await?;
    let Some(answer) = answers.next().await else { return Ok(Vec::new()) };
    let body = answer.body();
    let (code, mut results): (u32, HashMap<String, OwnedValue>) = body.deserialize()?;
    if code != 0 {
        return Ok(Vec::new());
    }
    let uris = results.remove("uris").map(Vec::<String>::try_from).transpose()?.unwrap_or_default();
    Ok(uris.iter().filter_map(|uri| path_of(uri)).collect())
}

/// A pattern that fits upper and lower case alike.
#[cfg(any(test, target_os = "linux"))]
fn either_case(pattern: &str) -> String {
    let both = |c: char| match c.is_ascii_alphabetic() {
        true => format!("[{}{}]", c.to_ascii_lowercase(), c.to_ascii_uppercase()),
        false => c.to_string(),
    };
    pattern.chars().map(both).collect()
}

/// The path of a `file://` address; its bytes may be written as `%20`.
#[cfg(any(test, target_os = "linux"))]
fn path_of(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?.as_bytes();
    let mut bytes = Vec::with_capacity(rest.len());
    let mut at = 0;
    while at < rest.len() {
        let hex = (rest[at] == b'%').then(|| rest.get(at + 1..at + 3)).flatten();
        match hex.and_then(|hex| u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                at += 3;
            }
            None => {
                bytes.push(rest[at]);
                at += 1;
            }
        }
    }
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStringExt;
        Some(PathBuf::from(std::ffi::OsString::from_vec(bytes)))
    }
    #[cfg(not(unix))]
    {
        String::from_utf8(bytes).ok().map(PathBuf::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_become_paths_and_patterns_fit_both_cases() {
        assert_eq!(path_of("file:///a/b%20c%E6%A3%8B.pgn"), Some(PathBuf::from("/a/b c棋.pgn")));
        assert_eq!(path_of("file:///100%"), Some(PathBuf::from("/100%")));
        assert_eq!(path_of("https://example.org"), None);
        assert_eq!(either_case("*.pgn"), "*.[pP][gG][nN]");
    }
}
