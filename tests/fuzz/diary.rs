//! The diary of a long run: how far each rule set has come, so that the run can be broken off and go on later.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::Write;

/// The file `QIJU_FUZZ_DIARY`; without the variable nothing is read or written. Each line is `seed`, rule set, games and positions, separated by tabs; the
/// last line of a seed and rule set holds. A line that was cut off, or is of another seed, does not count.
pub struct Diary {
    seed: u64,
    file: Option<File>,
    counts: HashMap<String, (u64, u64)>,
}

impl Diary {
    /// Opens the diary of the runs with a seed.
    pub fn open(seed: u64) -> Diary {
        let Some(path) = std::env::var_os("QIJU_FUZZ_DIARY") else {
            return Diary { seed, file: None, counts: HashMap::new() };
        };
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let file = OpenOptions::new().create(true).append(true).open(&path).unwrap_or_else(|why| panic!("{path:?}: {why}"));
        Diary { seed, file: Some(file), counts: read(&text, seed) }
    }

    /// The games and positions of a rule set so far.
    pub fn counts(&self, rules: &str) -> (u64, u64) {
        self.counts.get(rules).copied().unwrap_or_default()
    }

    /// Notes the games and positions of a rule set.
    pub fn note(&mut self, rules: &str, games: u64, positions: u64) {
        if let Some(file) = &mut self.file {
            let line = format!("{}\t{rules}\t{games}\t{positions}\n", self.seed);
            file.write_all(line.as_bytes()).expect("the diary can be written");
        }
    }
}

fn read(text: &str, seed: u64) -> HashMap<String, (u64, u64)> {
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let entry = |line: &str| {
        let mut fields = line.split('\t');
        let of: u64 = fields.next()?.parse().ok()?;
        let rules = fields.next()?.to_owned();
        let counts = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
        (of == seed && fields.next().is_none()).then_some((rules, counts))
    };
    whole.lines().filter_map(entry).collect()
}

#[test]
fn a_diary_is_read_up_to_its_last_whole_line() {
    let text = "7\ta\t500\t900\n8\ta\t1\t2\n7\tb c\t3\t4\nnonsense\n7\ta\t1000\t1800\n7\ta\t15";
    let expected = HashMap::from([("a".to_owned(), (1000, 1800)), ("b c".to_owned(), (3, 4))]);
    assert_eq!(read(text, 7), expected);
    assert!(read("", 7).is_empty());
}
