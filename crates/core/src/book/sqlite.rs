//! Books in SQLite: a row for each move of a position, in a table `bhobk` (files `.obk`) or `pfBook` (files `.pfBook`).
//!
//! `vkey` is the position's key (see `keys.rs`). An `.obk` holds a key whose highest bit is set as the floating-point number with the same bits. `vmove` is the move: its
//! start in the upper byte and its target in the lower one; some programs swap them, but only one of the two is legal. `vscore` is its score, `vwin`, `vdraw` and `vlost`
//! count the games of the side that plays it, `vvalid` is 0 if it is not to be played, and `vmemo` is a note. A position stands there as it is or mirrored.
//!
//! The database is opened for each question, so other programs can use it meanwhile.

use super::backup::{backup_of, keep};
use super::entry::{BookEdit, BookFormat, BookMove};
use super::keys::{OBK, bytes_of, mirrored, step};
use super::pages::Pages;
use crate::message;
use crate::message::Message;
use crate::record::charset;
use crate::table::{Action, Table};
use rusqlite::backup::Progress;
use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, MAIN_DB, OpenFlags, TransactionBehavior, params, params_from_iter};
use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The columns beside the key and the move, in the order in which they are asked for; where a book lacks one it counts as empty.
const TOLD: [&str; 6] = ["vscore", "vwin", "vdraw", "vlost", "vvalid", "vmemo"];

/// The book of a file.
pub struct Database {
    path: PathBuf,
    format: BookFormat,
    /// The columns of [`TOLD`] that its table has.
    columns: [bool; TOLD.len()],
}

/// A row of the position that is asked about.
struct Row {
    id: i64,
    /// Its start stands in the upper byte.
    upper_first: bool,
    told: BookMove,
}

/// An error of the database or of its file.
enum Fault {
    Database(rusqlite::Error),
    File(io::Error),
}

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Fault {
        Fault::Database(error)
    }
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Fault {
        Fault::File(error)
    }
}

impl From<Fault> for Message {
    fn from(fault: Fault) -> Message {
        match fault {
            Fault::Database(error) => message!("the database says: {}", error.to_string()),
            Fault::File(error) => error.into(),
        }
    }
}

/// The name of the table.
fn table_of(format: BookFormat) -> &'static str {
    if format == BookFormat::PfBook { "pfBook" } else { "bhobk" }
}

fn connect(path: &Path, flags: OpenFlags) -> Result<Connection, Fault> {
    let connection = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    // Nothing in a file of somebody is run.
    connection.pragma_update(None, "trusted_schema", false)?;
    Ok(connection)
}

/// The forms in which books hold a key.
fn forms(key: u64) -> [Value; 2] {
    let (whole, real) = (Value::Integer(key as i64), f64::from_bits(key));
    // SQLite holds no number that is none.
    let other = if key >> 63 == 0 || real.is_nan() { whole.clone() } else { Value::Real(real) };
    [whole, other]
}

/// The form in which a key is written.
fn form(format: BookFormat, key: u64) -> Value {
    let [whole, other] = forms(key);
    if format == BookFormat::Obk { other } else { whole }
}

fn number(value: ValueRef) -> i64 {
    match value {
        ValueRef::Integer(number) => number,
        ValueRef::Real(number) => number as i64,
        ValueRef::Text(text) => std::str::from_utf8(text).ok().and_then(|text| text.trim().parse().ok()).unwrap_or_default(),
        ValueRef::Null | ValueRef::Blob(_) => 0,
    }
}

fn text(value: ValueRef) -> String {
    let bytes = match value {
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes,
        other => return if number(other) == 0 { String::new() } else { number(other).to_string() },
    };
    let text = String::from_utf8(bytes.to_vec());
    text.unwrap_or_else(|_| charset::gb(bytes)).trim().to_owned()
}

impl Database {
    /// Looks at the database of a file.
    ///
    /// # Errors
    /// It cannot be read, or it has no table of a book.
    pub fn open(path: &Path) -> Result<Database, Message> {
        let found = Database::look(path)?;
        found.ok_or_else(|| {
            message!("this database has no table bhobk or pfBook with the columns vkey and vmove, so it is no book")
        })
    }

    fn look(path: &Path) -> Result<Option<Database>, Fault> {
        let connection = connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        for format in [BookFormat::Obk, BookFormat::PfBook] {
            let mut asked = connection.prepare("SELECT lower(name) FROM pragma_table_info(?1)")?;
            let names: HashSet<String> = asked.query_map([table_of(format)], |row| row.get(0))?.collect::<Result<_, _>>()?;
            if names.contains("vkey") && names.contains("vmove") {
                let columns = TOLD.map(|column| names.contains(column));
                return Ok(Some(Database { path: path.to_owned(), format, columns }));
            }
        }
        Ok(None)
    }

    /// Its format.
    pub fn format(&self) -> BookFormat {
        self.format
    }

    /// The rows of a position and of its mirror image with legal moves.
    fn rows(&self, connection: &Connection, table: &dyn Table, legal: &HashSet<Action>) -> Result<Vec<Row>, Fault> {
        let told: Vec<&str> = (0..TOLD.len()).map(|index| if self.columns[index] { TOLD[index] } else { "NULL" }).collect();
        let sql = format!("SELECT rowid, vmove, {} FROM {} WHERE vkey IN (?1, ?2)", told.join(", "), table_of(self.format));
        let mut asked = connection.prepare(&sql)?;
        let [key, mirror] = OBK.of(table);
        let mut found = Vec::new();
        for (key, is_mirrored) in [(key, false), (mirror, true)].into_iter().filter(|(of, is)| !is || *of != key) {
            let mut rows = asked.query(params_from_iter(forms(key)))?;
            while let Some(row) = rows.next()? {
                let count = |column: usize| row.get_ref(column).map(|value| u32::try_from(number(value)).unwrap_or_default());
                let Ok(bytes) = u16::try_from(number(row.get_ref(1)?)) else { continue };
                let [upper, lower] = bytes.to_be_bytes();
                let on_board = |from: u8, to: u8| {
                    let action = step(from, to)?;
                    Some(if is_mirrored { mirrored(action) } else { action }).filter(|action| legal.contains(action))
                };
                let upper_first = on_board(upper, lower);
                let Some(action) = upper_first.or_else(|| on_board(lower, upper)) else { continue };
                let valid = row.get_ref(6)?;
                let told = BookMove {
                    action,
                    score: number(row.get_ref(2)?).clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32,
                    results: [count(3)?, count(4)?, count(5)?],
                    shunned: valid != ValueRef::Null && number(valid) == 0,
                    note: text(row.get_ref(7)?),
                };
                found.push(Row { id: row.get(0)?, upper_first: upper_first.is_some(), told });
            }
        }
        Ok(found)
    }

    /// The legal moves of a position and of its mirror image.
    ///
    /// # Errors
    /// The database cannot be read.
    pub fn moves(&self, table: &dyn Table, legal: &HashSet<Action>) -> Result<Vec<BookMove>, Message> {
        let asked = connect(&self.path, OpenFlags::SQLITE_OPEN_READ_ONLY);
        let rows = asked.and_then(|connection| self.rows(&connection, table, legal))?;
        Ok(rows.into_iter().map(|row| row.told).collect())
    }

    /// Changes a move, in one transaction.
    ///
    /// # Errors
    /// The database cannot be written, or its table has no column for what is told; then nothing has changed.
    pub fn edit(&mut self, table: &dyn Table, edit: &BookEdit) -> Result<(), Message> {
        if let BookEdit::Put(BookMove { score, results, shunned, note, .. }) = edit {
            let told = [*score != 0, results[0] > 0, results[1] > 0, results[2] > 0, *shunned, !note.is_empty()];
            if let Some(lost) = (0..TOLD.len()).find(|index| told[*index] && !self.columns[*index]) {
                return Err(message!("the table of this book has no column {}", TOLD[lost]));
            }
        }
        Ok(self.write(table, edit)?)
    }

    fn write(&self, table: &dyn Table, edit: &BookEdit) -> Result<(), Fault> {
        let mut connection = connect(&self.path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        // SQLite copies it, so that what another program has not finished writing is no part of the copy.
        keep(&self.path, |to| Ok::<(), Fault>(connection.backup(MAIN_DB, to, None::<fn(Progress)>)?))?;
        let change = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let legal = table.actions().into_iter().collect();
        let rows = self.rows(&change, table, &legal)?;
        let name = table_of(self.format);
        let upper_first = rows.first().is_none_or(|row| row.upper_first);
        let mut known = rows.iter().filter(|row| row.told.action == edit.action());
        match edit {
            BookEdit::Remove(_) => {
                for row in known {
                    change.execute(&format!("DELETE FROM {name} WHERE rowid = ?1"), [row.id])?;
                }
            }
            BookEdit::Put(put) => {
                let has = |index: &usize| self.columns[*index];
                let mut values: Vec<Value> = (0..TOLD.len()).filter(has).map(|index| value_of(put, index)).collect();
                let columns: Vec<&str> = (0..TOLD.len()).filter(has).map(|index| TOLD[index]).collect();
                match known.next() {
                    Some(_) if columns.is_empty() => {}
                    Some(row) => {
                        let set: Vec<String> = columns.iter().map(|column| format!("{column} = ?")).collect();
                        values.push(Value::Integer(row.id));
                        change.execute(
                            &format!("UPDATE {name} SET {} WHERE rowid = ?", set.join(", ")),
                            params_from_iter(values),
                        )?;
                        for twin in known {
                            change.execute(&format!("DELETE FROM {name} WHERE rowid = ?1"), [twin.id])?;
                        }
                    }
                    None => {
                        let [key, _] = OBK.of(table);
                        let Some(bytes) = code_of(put.action, upper_first) else { return Ok(()) };
                        values.extend([form(self.format, key), Value::Integer(bytes)]);
                        let columns: Vec<&str> = columns.into_iter().chain(["vkey", "vmove"]).collect();
                        let marks = vec!["?"; values.len()].join(", ");
                        change.execute(
                            &format!("INSERT INTO {name} ({}) VALUES ({marks})", columns.join(", ")),
                            params_from_iter(values),
                        )?;
                    }
                }
            }
        }
        Ok(change.commit()?)
    }
}

/// A move as a number.
fn code_of(action: Action, upper_first: bool) -> Option<i64> {
    let (from, to) = bytes_of(action)?;
    Some(i64::from(u16::from_be_bytes(if upper_first { [from, to] } else { [to, from] })))
}

/// The value of a column of [`TOLD`].
fn value_of(told: &BookMove, index: usize) -> Value {
    match index {
        0 => Value::Integer(i64::from(told.score)),
        1..=3 => Value::Integer(i64::from(told.results[index - 1])),
        4 => Value::Integer(i64::from(!told.shunned)),
        _ => Value::Text(told.note.clone()),
    }
}

/// Writes pages as such a book, beside the file whose place it takes when it is whole.
///
/// # Errors
/// It cannot be written.
pub fn save(pages: &Pages, path: &Path, format: BookFormat) -> Result<(), Message> {
    let fresh = backup_of(path).with_extension("new");
    let written = fill(pages, &fresh, format).and_then(|()| fs::rename(&fresh, path).map_err(Message::from));
    if written.is_err() {
        // What is left of it is of no use.
        let _ = fs::remove_file(&fresh);
    }
    written
}

fn fill(pages: &Pages, path: &Path, format: BookFormat) -> Result<(), Message> {
    let name = table_of(format);
    let begun = || -> Result<Connection, Fault> {
        if path.exists() {
            fs::remove_file(path)?;
        }
        let connection = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE)?;
        connection.execute_batch(&format!(
            "CREATE TABLE {name} (id INTEGER PRIMARY KEY AUTOINCREMENT, vkey INTEGER, vmove INTEGER, vscore INTEGER, vwin INTEGER,
                vdraw INTEGER, vlost INTEGER, vvalid INTEGER, vmemo TEXT, vindex INTEGER);
             CREATE INDEX {name}_vkey ON {name} (vkey);"
        ))?;
        if format == BookFormat::PfBook {
            connection.execute_batch(
                "CREATE TABLE bookVersion (key TEXT, version TEXT); INSERT INTO bookVersion VALUES ('pfBook', '1.0.0.0');",
            )?;
        }
        Ok(connection)
    };
    let mut connection = begun()?;
    let change = connection.transaction().map_err(Fault::from)?;
    {
        let sql = format!(
            "INSERT INTO {name} (vkey, vmove, vscore, vwin, vdraw, vlost, vvalid, vmemo, vindex)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)"
        );
        let mut insert = change.prepare(&sql).map_err(Fault::from)?;
        pages.each(&mut |table, moves| {
            let [key, _] = OBK.of(table);
            for (index, one) in moves.iter().enumerate() {
                let Some(code) = code_of(one.action, true) else { continue };
                let [score, won, drawn, lost, valid, note] = std::array::from_fn(|column| value_of(one, column));
                let row = params![form(format, key), code, score, won, drawn, lost, valid, note, index as i64 + 1];
                insert.execute(row).map_err(Fault::from)?;
            }
            Ok(())
        })?;
    }
    change.commit().map_err(Fault::from)?;
    connection.close().map_err(|(_, error)| Fault::from(error))?;
    Ok(())
}
