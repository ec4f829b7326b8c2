//! Fuzzing of the protocol streams in both directions: valid and invalid input for our engines, and valid and invalid output of external programs. Every move in
//! an answer must be legal in its position.

use crate::budget::{Budget, guarded};
use crate::mutate::mutate;
use fastrand::Rng;
use qiju_core::games::{self, REGISTRY};
use qiju_core::protocol::engine;
use qiju_core::rules::Point;
use qiju_core::table::{Notation, Setup, Table};
use std::collections::VecDeque;
use std::io::{self, BufReader, Read, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// An output that the test can read.
#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Vec<u8>>>);

impl Write for Heard {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Heard {
    fn lines(&self) -> Result<Vec<String>, String> {
        let bytes = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let text = String::from_utf8(bytes).map_err(|_| "what it says is no UTF-8".to_owned())?;
        Ok(text.lines().map(str::to_owned).collect())
    }
}

/// A short pause in an input.
const PAUSE: &str = "~";

/// An input that arrives line by line.
struct Spoken(VecDeque<Vec<u8>>);

impl Read for Spoken {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(mut line) = self.0.pop_front() {
            if line == PAUSE.as_bytes() {
                std::thread::sleep(Duration::from_micros(300));
                continue;
            }
            let count = line.len().min(buffer.len());
            buffer[..count].copy_from_slice(&line[..count]);
            if count < line.len() {
                self.0.push_front(line.split_off(count));
            }
            return Ok(count);
        }
        Ok(0)
    }
}

fn input(lines: &[Vec<u8>]) -> BufReader<Spoken> {
    let with_end = |line: &Vec<u8>| if line == PAUSE.as_bytes() { line.clone() } else { [line.as_slice(), b"\n"].concat() };
    BufReader::new(Spoken(lines.iter().map(with_end).collect()))
}

fn random_table(random: &mut Rng, game: &str, most: usize) -> (Box<dyn Table>, Setup) {
    let entry = games::find(game).expect("a game of the registry");
    let plain: Vec<&&str> = (entry.variants)().iter().filter(|variant| !variant.contains('+')).collect();
    let setup = Setup { variant: random.choice(plain).map(|variant| (*variant).to_owned()), position: None };
    let mut table = entry.table(&setup).expect("every variant has a start");
    for _ in 0..random.usize(..=most) {
        let Some(action) = random.choice(table.actions()) else { break };
        table.play(action).expect("it is legal");
    }
    (table, setup)
}

/// A valid session in UCI or UCCI.
fn conversation(random: &mut Rng, game: &str) -> Vec<String> {
    let mut lines = vec![if game == "xiangqi" && random.bool() { "ucci" } else { "uci" }.to_owned()];
    for _ in 0..random.usize(1..6) {
        let (table, setup) = random_table(random, game, 40);
        if game != "xiangqi" {
            lines.push(format!("setoption name Variant value {}", setup.variant.unwrap_or_default()));
        }
        let moves = table.played_text(Notation::Uci).join(" ");
        lines.push(match random.u8(..4) {
            0 => format!("position fen {}", table.position_text()),
            _ if moves.is_empty() => "position startpos".to_owned(),
            _ => format!("position startpos moves {moves}"),
        });
        lines.push("d".to_owned());
        let go = [
            "nodes 60",
            "depth 1",
            "depth 2 nodes 200",
            "movetime 2",
            "wtime 40 btime 40",
            "ponder nodes 60",
            "infinite",
            "mate 1 nodes 99",
        ];
        let mut go = format!("go {}", go[random.usize(..go.len())]);
        if random.u8(..4) == 0
            && let Some(only) = random.choice(table.actions()).and_then(|action| table.write(action, Notation::Uci))
            && game == "xiangqi"
        {
            go += &format!(" searchmoves {only}");
        }
        lines.push(go);
        lines.extend((0..random.u8(..4)).map(|_| PAUSE.to_owned()));
        if random.u8(..3) == 0 {
            lines.push(["ponderhit", "isready", "probe", "setoption name Ponder value true"][random.usize(..4)].to_owned());
        }
        lines.push("stop".to_owned());
    }
    lines.push("isready".to_owned());
    lines.push("quit".to_owned());
    lines
}

/// Mutated lines that would need gigabytes, hundreds of threads or minutes are removed; other tests cover them.
fn is_modest(line: &[u8]) -> bool {
    let text = String::from_utf8_lossy(line).to_ascii_lowercase();
    !["hash", "threads", "multipv", "info ", "go ", "ponderhit", "start", "yxhash", "rectstart"]
        .iter()
        .any(|word| text.contains(word))
}

/// Checks the output of an engine: the position shown by `d` before a search tells whether the answer is a legal move.
fn judge(game: &str, said: &[String]) -> Result<u64, String> {
    let entry = games::find(game).map_err(|error| error.to_string())?;
    let mut place: Option<String> = None;
    let mut judged = 0;
    for line in said {
        let tables = |position: &str| -> Vec<Box<dyn Table>> {
            let setup = |variant: &&str| Setup { variant: Some((*variant).to_owned()), position: Some(position.to_owned()) };
            (entry.variants)().iter().filter_map(|variant| entry.table(&setup(variant)).ok()).collect()
        };
        if let Some(answer) = line.strip_prefix("bestmove ") {
            let Some(position) = &place else { continue };
            let text = answer.split_whitespace().next().unwrap_or_default();
            let here = tables(position);
            let legal = |table: &dyn Table| table.read(text).is_ok_and(|action| table.actions().contains(&action));
            let over = |table: &dyn Table| text == "(none)" && table.actions().is_empty();
            if text != "(none)" && !here.iter().any(|table| legal(&**table) || over(&**table)) {
                return Err(format!("'{line}' is not legal in '{position}'"));
            }
            judged += 1;
        } else if !line.is_empty() && !line.starts_with("info") && !tables(line).is_empty() {
            place = Some(line.clone());
        }
    }
    Ok(judged)
}

fn talk_uci(random: &mut Rng, game: &'static str, damaged: bool) -> Result<u64, String> {
    let sense = conversation(random, game);
    let mut lines: Vec<Vec<u8>> = sense.into_iter().map(String::into_bytes).collect();
    if damaged {
        for _ in 0..random.usize(1..5) {
            let at = random.usize(..lines.len() - 1);
            if lines[at] == PAUSE.as_bytes() || !is_modest(&lines[at]) {
                continue;
            }
            let nonsense = mutate(random, &lines[at..=at]);
            if is_modest(&nonsense) && !nonsense.contains(&b'~') {
                // After a position that was refused, the position shown by `d` counts.
                lines[at] = nonsense;
            }
        }
    }
    let heard = Heard::default();
    let told = || String::from_utf8_lossy(&lines.join(&b'\n')).into_owned();
    let entry = games::find(game).map_err(|error| error.to_string())?;
    engine::run(entry, input(&lines), heard.clone()).map_err(|error| format!("{error}\n{}", told()))?;
    // A mutated session may lack a position after the last `d`; so only unchanged sessions are checked move by move.
    let said = heard.lines()?;
    if damaged { Ok(0) } else { judge(game, &said).map_err(|why| format!("{why}\n{}", told())) }
}

/// A board with a request in the Gomocup protocol, and the table that checks the answer.
fn gomocup_board(random: &mut Rng) -> (Vec<String>, Option<Box<dyn Table>>) {
    let (table, setup) = random_table(random, "gomoku", 60);
    let variant = setup.variant.unwrap_or_default();
    let (size, _) = table.size();
    // Rules of the protocol: 0 freestyle, 1 exactly five, 4 renju, 8 caro.
    let rule = match variant.split(':').next() {
        Some("freestyle") => 0,
        Some("standard") => 1,
        Some("renju") => 4,
        Some("caro-long") => 8,
        _ => return (Vec::new(), None),
    };
    let mut lines = vec![
        format!("START {size}"),
        format!("INFO rule {rule}"),
        "INFO timeout_turn 5".to_owned(),
        "INFO max_node 100".to_owned(),
    ];
    lines.push("BOARD".to_owned());
    let turn = table.turn();
    for (point, piece) in order(&*table) {
        let who = if piece == turn { 1 } else { 2 };
        lines.push(format!("{},{},{who}", point.x, size - 1 - point.y));
    }
    lines.push("DONE".to_owned());
    (lines, Some(table))
}

/// The stones in the order played.
fn order(table: &dyn Table) -> Vec<(Point, qiju_core::rules::Side)> {
    let sides = [qiju_core::rules::Side::First, qiju_core::rules::Side::Second];
    table.played().iter().filter_map(|action| action.target()).enumerate().map(|(ply, point)| (point, sides[ply % 2])).collect()
}

fn talk_gomocup(random: &mut Rng, damaged: bool) -> Result<u64, String> {
    let (board, table) = gomocup_board(random);
    let mut lines: Vec<Vec<u8>> = board.into_iter().map(String::into_bytes).collect();
    if damaged {
        lines.extend(
            ["BEGIN", "TURN 3,4", "TAKEBACK 3,4", "ABOUT", "YXSHOWFORBID", "PLAY 1,1", "SWAP2BOARD", "DONE"]
                .map(|line| line.as_bytes().to_vec()),
        );
        for _ in 0..random.usize(1..5) {
            let at = random.usize(..lines.len());
            let nonsense = mutate(random, &lines[at..=at]);
            if is_modest(&lines[at]) && is_modest(&nonsense) {
                lines[at] = nonsense;
            }
        }
    }
    lines.push(b"END".to_vec());
    let heard = Heard::default();
    let told = || String::from_utf8_lossy(&lines.join(&b'\n')).into_owned();
    let entry = games::find("gomoku").map_err(|error| error.to_string())?;
    engine::run(entry, input(&lines), heard.clone()).map_err(|error| format!("{error}\n{}", told()))?;
    let said = heard.lines()?;
    let Some(table) = table.filter(|table| !damaged && table.outcome().is_none()) else { return Ok(0) };
    let place = |line: &String| {
        let (x, y) = line.split_once(',')?;
        Some((x.parse::<u8>().ok()?, y.parse::<u8>().ok()?))
    };
    let Some((x, y)) = said.iter().find_map(place) else { return Err(format!("no move: {said:?}\n{}", told())) };
    let point = Point::new(x, table.size().1.wrapping_sub(1).wrapping_sub(y));
    let legal = table.actions().iter().any(|action| action.target() == Some(point));
    if legal { Ok(1) } else { Err(format!("{x},{y} is not legal in '{}'\n{}", table.position_text(), told())) }
}

/// A program that prints prepared lines, whatever its input is, and then exits.
#[cfg(unix)]
fn hear_program(random: &mut Rng, folder: &std::path::Path) -> Result<u64, String> {
    use qiju_core::protocol::host::Host;
    use qiju_core::search::{Limits, StopToken};
    let game = REGISTRY[random.usize(..REGISTRY.len())].key;
    let (table, _) = random_table(random, game, 12);
    let answer = random.choice(table.actions()).and_then(|action| table.write(action, Notation::Uci)).unwrap_or_default();
    let seeds: Vec<Vec<u8>> = if game == "gomoku" {
        let point = random.choice(table.actions()).and_then(|action| action.target()).unwrap_or(Point::new(0, 0));
        let answer = format!("{},{}", point.x, table.size().1 - 1 - point.y);
        let all = ["name=\"x\", version=\"1\"\nOK\n", "OK\n", "MESSAGE depth 3 ev 5 pv h8\n", "DEBUG x\n"];
        all.iter().map(|line| line.as_bytes().to_vec()).chain([format!("MESSAGE x\n{answer}\n").into_bytes()]).collect()
    } else {
        let all =
            ["id name x\noption name Hash type spin default 1 min 1 max 2\nuciok\n", "readyok\n", "ucciok\n", "info string x\n"];
        let info =
            format!("info depth 3 multipv 1 score cp 12 nodes 5 nps 1 time 2 pv {answer}\nbestmove {answer} ponder {answer}\n");
        all.iter().map(|line| line.as_bytes().to_vec()).chain([info.into_bytes()]).collect()
    };
    let script = folder.join("program");
    let mut text = String::from("read -r line\n");
    for number in 0..12 {
        // The first lines are usually valid, so that the session gets to a move.
        let right = number < 4 && random.u8(..4) > 0;
        let bytes = match (right, number) {
            (true, 0) => seeds[0].clone(),
            (true, _) => seeds[1].clone(),
            _ if random.bool() => seeds[seeds.len() - 1].clone(),
            _ => mutate(random, &seeds),
        };
        std::fs::write(folder.join(number.to_string()), bytes).map_err(|error| error.to_string())?;
        text += &format!("cat '{}/{number}'\nread -r line || exit\n", folder.display());
    }
    std::fs::write(&script, text).map_err(|error| error.to_string())?;
    let Ok(mut host) = Host::start(&format!("sh '{}'", script.display()), &*table) else { return Ok(0) };
    let (patience, stop) = (Duration::from_millis(40), StopToken::new());
    let mut judged = 0;
    for _ in 0..2 {
        if let Ok(action) = host.think(&*table, &Limits::nodes(5), patience, &stop, &mut |_| {}) {
            judged += 1;
            if !table.actions().contains(&action) {
                return Err(format!("{action:?} was taken and is not legal in '{}'", table.position_text()));
            }
        }
    }
    Ok(judged)
}

/// The numbers of sessions with our engines, of moves checked, and of external programs.
pub struct Spoke {
    /// Sessions with our engines.
    pub conversations: u64,
    /// Moves checked.
    pub moves: u64,
    /// External programs.
    pub programs: u64,
}

/// Runs sessions until the budget is used up.
pub fn run(budget: &Budget, programs: &Budget) -> Result<Spoke, String> {
    let mut spoke = Spoke { conversations: 0, moves: 0, programs: 0 };
    let speakers = REGISTRY.len();
    for (index, entry) in REGISTRY.iter().enumerate() {
        let share = budget.share(index, speakers + 1);
        for seed in share {
            let mut random = Rng::with_seed(seed);
            let damaged = random.bool();
            let done = guarded(|| match entry.key {
                "gomoku" => talk_gomocup(&mut random, damaged),
                key => talk_uci(&mut random, key, damaged),
            });
            spoke.moves += done.map_err(|why| format!("{}, seed {seed}: {why}", entry.key))?;
            spoke.conversations += 1;
        }
    }
    #[cfg(unix)]
    {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let share = programs.share(speakers, speakers + 1);
        for seed in share {
            let mut random = Rng::with_seed(seed);
            let done = guarded(|| hear_program(&mut random, folder.path()));
            spoke.moves += done.map_err(|why| format!("a program, seed {seed}: {why}"))?;
            spoke.programs += 1;
        }
    }
    #[cfg(not(unix))]
    let _ = programs;
    Ok(spoke)
}
