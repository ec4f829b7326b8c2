//! Tests of the Gomocup protocol: scripted sessions, invalid input, the clock, and stopping.

use qiju_core::games;
use qiju_core::protocol::engine;
use qiju_core::table::Lessons;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Runs gomoku's engine with its protocol.
fn run(input: impl BufRead + Send + 'static, output: Heard) -> io::Result<()> {
    engine::run(games::find("gomoku").unwrap(), input, output)
}

/// All output for these input bytes: of the engine here, or of the program that the command of the shell in `QIJU_GOMOCUP` runs.
fn said_to(bytes: Vec<u8>) -> Vec<u8> {
    if let Ok(command) = std::env::var("QIJU_GOMOCUP") {
        let mut call = Command::new("sh");
        let mut program = call.args(["-c", &command]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut input = program.stdin.take().unwrap();
        std::thread::spawn(move || input.write_all(&bytes));
        return program.wait_with_output().unwrap().stdout;
    }
    let heard = Heard::default();
    run(io::Cursor::new(bytes), heard.clone()).unwrap();
    heard.0.lock().unwrap().clone()
}

/// The answers of a whole session, without messages.
fn session(script: &str) -> Vec<String> {
    let text = String::from_utf8(said_to(script.to_owned().into_bytes())).unwrap();
    assert!(text.is_empty() || text.ends_with("\r\n"));
    text.lines().filter(|line| !line.starts_with("MESSAGE")).map(str::to_owned).collect()
}

/// Sessions and the pattern of each answer: `M` is a move, `M M` two moves, `E` an error, other words the beginning of the line.
#[test]
fn scripted_sessions() {
    for (script, answers) in [
        ("START 15;BEGIN;TURN 0,0;END", "OK|M|M"),
        ("START 20;TURN 10,10;END", "OK|M"),
        ("start 15\r;info timeout_turn 50\r;begin\r;end\r", "OK|M"),
        ("RECTSTART 15,15;BEGIN", "OK|M"),
        ("RECTSTART 15,10;START 4;START 21;START x;START", "E|E|E|E|E"),
        ("START 15 15;BEGIN;START 19,19;START 15 20;START 15 15 15;START 15 x", "OK|M|OK|ERROR only square|E|E"),
        ("BEGIN;TURN 1,1;RESTART;TAKEBACK 1,1;YXSHOWFORBID;BOARD;1,1,1;DONE", "E|E|E|E|E|E"),
        ("START 15;TURN 15,0;TURN -1,0;TURN a,b;TURN;TURN 300,2;TURN 7,7;TURN 7,7", "OK|E|E|E|E|E|M|E"),
        ("START 15;BOARD;7,7,1;8,8,2;DONE;TAKEBACK 7,7;TAKEBACK 7,7", "OK|M|OK|E"),
        ("START 15;BOARD;7,7,2;DONE;RESTART;BEGIN", "OK|M|OK|M"),
        ("START 15;BOARD;7,7,1;7,7,2;DONE;BOARD;nonsense;DONE;BOARD;1,1,7;DONE;BEGIN", "OK|E|E|E|M"),
        ("START 15;PLAY 3,3;PLAY 3,3;TURN 3,4", "OK|3,3|E|M"),
        ("FOO;ABOUT;INFO;INFO foo;INFO foo bar;INFO timeout_turn x;UNKNOWN", "UNKNOWN|name=\"Qiju\"|UNKNOWN"),
        ("START 15;SWAP2BOARD;DONE", "OK|M M M"),
        ("START 15;SWAP2BOARD;1,1;DONE;SWAP2BOARD;1,1;1,1;2,2;DONE", "OK|E|E"),
        // Black is far ahead: swap. Black's stones are far apart: white stays.
        ("INFO timeout_turn 1500;START 15;SWAP2BOARD;7,7;0,0;8,7;DONE", "OK|SWAP"),
        ("INFO timeout_turn 1500;START 15;SWAP2BOARD;7,7;0,0;8,7;14,0;9,7;DONE", "OK|SWAP"),
        ("START 15;SWAP2BOARD;0,0;7,7;14,14;7,8;0,14;DONE", "OK|M"),
        // Renju: double three at 7,7.
        ("START 15;INFO rule 4;YXBOARD;6,7,1;0,0,2;8,7,1;0,2,2;7,6,1;0,4,2;7,8,1;14,0,2;DONE;YXSHOWFORBID", "OK|FORBID 0707."),
        ("START 15;INFO rule 4;YXSHOWFORBID", "OK|FORBID ."),
        // A five is found; in standard an overline is not a five.
        ("START 15;BOARD;3,7,1;0,0,2;4,7,1;0,2,2;5,7,1;0,4,2;6,7,1;2,7,2;DONE", "OK|7,7"),
        ("START 15;INFO rule 1;BOARD;3,7,1;0,0,2;4,7,1;0,2,2;5,7,1;0,4,2;6,7,1;14,0,2;8,7,1;14,2,2;DONE", "OK|2,7"),
        ("START 15;INFO rule 9;INFO timeout_turn 50;BEGIN;RESTART;INFO rule 8;BEGIN", "OK|M|OK|M"),
        ("START 15;BOARD;3,7,1;0,0,2;4,7,1;0,2,2;5,7,1;0,4,2;6,7,1;2,2,2;7,7,1;14,14,2;DONE", "OK|E"),
        (
            "START 15;INFO time_left -5;INFO timeout_match 1000;BEGIN;INFO time_left 2147483647;INFO timeout_turn 0;TURN 0,0",
            "OK|M|M",
        ),
        ("START 15;INFO max_memory 1;INFO thread_num 0;INFO hash_size 1;BEGIN;INFO max_memory 99999999999999;TURN 1,1", "OK|M|M"),
        ("START 15;INFO timeout_turn 100;TURN 7,7;YXNBEST 3;YXNBEST x", "OK|M|M|E"),
        ("START 15;YXSTOP;BEGIN;END;BEGIN", "OK|M"),
        ("START 15;BOARD;7,7,1", "OK|E"),
    ] {
        let found = session(&format!("INFO timeout_turn 60;{script}\n").replace(';', "\n"));
        let expected: Vec<&str> = answers.split('|').collect();
        assert_eq!(found.len(), expected.len(), "{script}: {found:?}");
        for (line, pattern) in found.iter().zip(expected) {
            let is_move = |text: &str| {
                text.split_once(',').is_some_and(|(x, y)| [x, y].iter().all(|n| n.parse::<u8>().is_ok_and(|n| n < 20)))
            };
            let fits = match pattern {
                "E" => line.starts_with("ERROR "),
                "M" => is_move(line),
                "M M M" => line.split(' ').count() == 3 && line.split(' ').all(is_move),
                other => line.starts_with(other),
            };
            assert!(fits, "{script}: {line} is not {pattern}");
        }
    }
}

/// A full board but for one point, where Black would have six in a row.
#[test]
fn a_board_with_forbidden_points_only_gets_an_answer() {
    let mut script = "START 15\nINFO rule 4\nBOARD\n".to_owned();
    for (y, x) in (0..15).flat_map(|y| (0..15).map(move |x| (y, x))) {
        let pairs = if (x + 2 * y) % 4 < 2 { 'x' } else { 'o' };
        let stone = if y == 7 { b"ooooxxx.xxoxooo"[x].into() } else { pairs };
        if stone != '.' {
            script.push_str(&format!("{x},{y},{}\n", if stone == 'x' { 1 } else { 2 }));
        }
    }
    script.push_str("DONE\nTURN 7,7\n");
    let answers = session(&script);
    assert_eq!(answers[..2], ["OK", "7,7"]);
    assert!(answers[2].starts_with("ERROR "), "{answers:?}");
}

#[test]
fn invalid_input_is_survived() {
    let mut random = fastrand::Rng::with_seed(3);
    let words = [
        "START",
        "15",
        "20",
        "BEGIN",
        "TURN",
        "7,7",
        "8,8,1",
        "DONE",
        "BOARD",
        "INFO",
        "rule",
        "4",
        "9",
        "-1",
        "TAKEBACK",
        "é",
        "SWAP2BOARD",
        "PLAY",
        "timeout_turn",
        "5",
        "YXNBEST",
        "RESTART",
        "99999999999999999999",
        "\0",
        ",",
        "YXSHOWFORBID",
        "evaluate",
        "YXBOARD",
        "YXSTOP",
        "RECTSTART",
        "5,5",
    ];
    for _ in 0..60 {
        let mut script = "INFO timeout_turn 5\nSTART 15\nINFO timeout_turn 5\n".to_owned();
        for _ in 0..random.usize(5..60) {
            script.push_str(words[random.usize(..words.len())]);
            script.push(if random.bool() { ' ' } else { '\n' });
        }
        session(&script);
    }
    let mut bytes: Vec<u8> = (0..200_000).map(|_| random.u8(..)).collect();
    bytes.extend(b"\nSTART 15\nEND\n");
    assert!(String::from_utf8_lossy(&said_to(bytes)).contains("OK\r\n"));
}

/// Sends lines to a running engine, one at a time.
struct Pipe(mpsc::Receiver<Vec<u8>>, Vec<u8>);

impl Read for Pipe {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.1.is_empty() {
            self.1 = self.0.recv().unwrap_or_default();
        }
        let count = self.1.len().min(out.len());
        out[..count].copy_from_slice(&self.1[..count]);
        self.1.drain(..count);
        Ok(count)
    }
}

#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Vec<u8>>>);

impl Write for Heard {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Heard {
    fn wait_for(&self, what: &dyn Fn(&str) -> bool, limit: Duration) -> Duration {
        let clock = Instant::now();
        while clock.elapsed() < limit {
            if what(&String::from_utf8_lossy(&self.0.lock().unwrap())) {
                return clock.elapsed();
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        panic!("nothing of that within {limit:?}: {}", String::from_utf8_lossy(&self.0.lock().unwrap()));
    }
}

fn moves_said(text: &str) -> usize {
    text.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit())).count()
}

#[test]
fn thinking_can_be_stopped_and_ended() {
    let (say, hears) = mpsc::channel();
    let heard = Heard::default();
    let output = heard.clone();
    let brain = std::thread::spawn(move || run(BufReader::new(Pipe(hears, Vec::new())), output));
    let tell = |text: &str| say.send(text.as_bytes().to_vec()).unwrap();
    tell("START 15\nINFO timeout_turn 600000\nBEGIN\n");
    // There is one move to choose from, so it comes long before the time is up.
    heard.wait_for(&|text| moves_said(text) == 1, Duration::from_secs(60));
    let begun = heard.0.lock().unwrap().len();
    tell("TURN 8,7\n");
    heard.wait_for(&|text| text[begun..].contains("depth 5"), Duration::from_secs(60));
    assert_eq!(moves_said(&String::from_utf8_lossy(&heard.0.lock().unwrap())), 1);
    tell("YXSTOP\n");
    heard.wait_for(&|text| moves_said(text) == 2, Duration::from_secs(2));
    tell("RESTART\nTURN 8,7\n");
    tell("ABOUT\nEND\n");
    let clock = Instant::now();
    brain.join().unwrap().unwrap();
    assert!(clock.elapsed() < Duration::from_secs(2), "END took {:?}", clock.elapsed());
    let text = String::from_utf8_lossy(&heard.0.lock().unwrap()).into_owned();
    assert!(text.ends_with("\"\r\n") && text.contains("name=\"Qiju\""), "what stood behind the move was lost: {text}");
}

#[test]
fn a_move_keeps_to_its_time() {
    let (say, hears) = mpsc::channel();
    let heard = Heard::default();
    let output = heard.clone();
    let brain = std::thread::spawn(move || run(BufReader::new(Pipe(hears, Vec::new())), output));
    let tell = |text: &str| say.send(text.as_bytes().to_vec()).unwrap();
    tell("START 15\nINFO timeout_turn 300\n");
    heard.wait_for(&|text| text.contains("OK"), Duration::from_secs(5));
    for (number, at) in ["7,7", "9,2", "2,9", "13,13"].into_iter().enumerate() {
        tell(&format!("TURN {at}\n"));
        let spent =
            heard.wait_for(&|text| moves_said(text) + text.matches("ERROR").count() == number + 1, Duration::from_secs(5));
        // The limit, and an additional time for a busy machine.
        assert!(spent < Duration::from_millis(300 + 400), "{spent:?}");
    }
    tell("END\n");
    brain.join().unwrap().unwrap();
}

#[test]
fn a_lost_game_is_learnt_from() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().display().to_string();
    let (say, hears) = mpsc::channel();
    let heard = Heard::default();
    let output = heard.clone();
    let brain = std::thread::spawn(move || run(BufReader::new(Pipe(hears, Vec::new())), output));
    let tell = |text: &str| say.send(text.as_bytes().to_vec()).unwrap();
    // White had an open three when black, whose stones stand around it, played in the corner.
    let board = "BOARD\n6,7,1\n7,7,2\n8,8,1\n7,8,2\n6,9,1\n7,9,2\n14,0,1\n7,10,2\nDONE\n";
    tell(&format!("INFO timeout_turn 2000\nINFO folder {path}\nSTART 15\n{board}"));
    heard.wait_for(&|text| moves_said(text) == 1, Duration::from_secs(10));
    tell("RESTART\n");
    heard.wait_for(&|text| text.matches("OK").count() == 2, Duration::from_secs(10));
    let (lessons, damage) = Lessons::open(folder.path()).unwrap();
    assert_eq!(damage, None);
    let learnt: Vec<String> = lessons.list().into_iter().map(|lesson| lesson.avoid).collect();
    assert_eq!(learnt, ["o1"]);
    // An invalid file is reported and kept.
    std::fs::write(folder.path().join("lessons.txt"), "nonsense").unwrap();
    tell(&format!("INFO folder {path}\n"));
    heard.wait_for(&|text| text.contains("MESSAGE the file of lessons was damaged"), Duration::from_secs(10));
    tell("END\n");
    brain.join().unwrap().unwrap();
}
