//! Tests of external programs, correct and faulty ones, through the host and through `qiju arena`. The programs are small shell scripts.
#![cfg(unix)]

use qiju_core::games;
use qiju_core::protocol::host::{Buttons, Host, OptionKind, OptionValues, ProgramPlayer, START_UP};
use qiju_core::search::{Limits, StopToken, Value};
use qiju_core::table::{Notation, Player, PlayerError, SearchRequest, Setup, Table};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// The normal part of a UCI program; `$go` is its reaction to `go`.
const UCI: &str = r#"while read -r line; do case "$line" in
    uci) echo "id name Script"; echo "$option"; echo uciok;;
    isready) echo readyok;;
    position*) position="$line";;
    go*) eval "$go";;
    quit) exit 0;;
esac; done"#;
/// A UCCI program that exits when it gets `uci`.
const UCCI: &str = r#"while read -r line; do case "$line" in
    uci) exit 0;;
    ucci) echo "id name Script"; echo "option usemillisec type check"; echo ucciok;;
    isready) echo readyok;;
    position*) position="$line";;
    go*) eval "$go";;
    quit) echo bye; exit 0;;
esac; done"#;
/// A Gomocup program.
const GOMOCUP: &str = r#"while read -r line; do case "$line" in
    ABOUT) echo 'DEBUG hello'; echo 'name="Script", version="1"';;
    START*|RESTART) echo MESSAGE welcome; echo OK;;
    INFO*) ;;
    BOARD) board="";;
    DONE|BEGIN|TURN*) said="$line"; eval "$go";;
    END) exit 0;;
    *) board="$board $line";;
esac; done"#;

struct Scripts(tempfile::TempDir);

impl Scripts {
    fn new() -> Self {
        Scripts(tempfile::tempdir().expect("a temporary folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a program and returns its command line.
    fn program(&self, name: &str, variables: &str, body: &str) -> String {
        let path = self.path(name);
        std::fs::write(&path, format!("{variables}\necho $$ > '{}'\n{body}\n", self.path("pid").display())).unwrap();
        format!("sh '{}'", path.display())
    }

    fn alive(&self) -> bool {
        let pid = std::fs::read_to_string(self.path("pid")).expect("the program has started");
        Path::new("/proc").join(pid.trim()).exists()
    }
}

fn table(game: &str, moves: &str) -> Box<dyn Table> {
    let mut table = games::find(game).unwrap().table(&Setup::default()).unwrap();
    for text in moves.split_whitespace() {
        table.play(table.read(text).unwrap()).unwrap();
    }
    table
}

/// The program's answer in our notation, or the kind of the error.
fn answer(command: &str, table: &dyn Table) -> Result<String, String> {
    let kind = |error: PlayerError| match error {
        PlayerError::Unavailable(why) => why.to_string().replace(&format!("'{command}' does not start"), "start"),
        PlayerError::Died(_) => "died".to_owned(),
        PlayerError::Silent(_) => "silent".to_owned(),
        PlayerError::Illegal { answer, .. } => format!("illegal {answer}"),
    };
    let mut host = Host::start(command, table).map_err(kind)?;
    let limits = Limits::time(Duration::from_millis(50));
    let action = host.think(table, &limits, Duration::from_millis(700), &StopToken::new(), &mut |_| ()).map_err(kind)?;
    Ok(table.write(action, Notation::Uci).expect("a host gives legal moves"))
}

/// A name, the game, the moves before, the script's variables and body, and the answer.
type Case<'a> = (&'a str, &'a str, &'a str, &'a str, &'a str, Result<&'a str, &'a str>);

#[test]
fn answers_of_all_kinds() {
    let of_many_variants = r#"option="option name UCI_Variant type combo default chess var chess var xiangqi""#;
    let told_from_one =
        r#"go='case "$position" in *"moves h3e3 h10g8") echo "bestmove h1g3";; *) echo "bestmove told-$position";; esac'"#;
    let cases: &[Case] = &[
        ("plain", "xiangqi", "", r#"go='echo "info depth 1 pv h2e2"; echo "bestmove h2e2 ponder h9g7"'"#, UCI, Ok("h2e2")),
        ("ranks from 1, unannounced", "xiangqi", "", "go='echo bestmove h3e3'", UCI, Ok("h2e2")),
        ("ranks from 1", "xiangqi", "h2e2 h9g7", &format!("{of_many_variants}\n{told_from_one}"), UCI, Ok("h0g2")),
        ("ucci", "xiangqi", "", "go='case \"$line\" in *\"time 50\"*) echo bestmove c3c4;; esac'", UCCI, Ok("c3c4")),
        ("ucci without a move", "xiangqi", "", "go='echo nobestmove'", UCCI, Err("illegal nobestmove")),
        ("small game", "tic-tac-toe", "b2", "go='echo bestmove a1'", UCI, Ok("a1")),
        ("taken cell", "tic-tac-toe", "b2", "go='echo bestmove b2'", UCI, Err("illegal b2")),
        ("no move", "tic-tac-toe", "", "go='echo bestmove \"(none)\"'", UCI, Err("illegal (none)")),
        ("dies", "tic-tac-toe", "", "go='exit 3'", UCI, Err("died")),
        ("sleeps", "tic-tac-toe", "", "go='sleep 60'", UCI, Err("silent")),
        ("babbles", "tic-tac-toe", "", "go='yes info string nothing'", UCI, Err("silent")),
        ("one endless line", "tic-tac-toe", "", "go='cat /dev/zero'", UCI, Err("silent")),
        ("bytes that are no text", "tic-tac-toe", "", r#"go='printf "\377\376\nbestmove c3\n"'"#, UCI, Ok("c3")),
        ("another tongue", "tic-tac-toe", "", "", "echo hello; exit", Err("start: it does not answer 'uci'")),
        ("begins", "gomoku", "", "go='test \"$said\" = BEGIN && echo 7,7'", GOMOCUP, Ok("h8")),
        (
            "is told the board",
            "gomoku",
            "h8 i9 a1",
            "go='test \"$board\" = \" 7,7,2 8,8,1 0,0,2\" && echo 14,0'",
            GOMOCUP,
            Ok("o1"),
        ),
        (
            "suggests",
            "gomoku",
            "",
            "go='echo MESSAGE x; echo SUGGEST 3,4; read -r w; test \"$w\" = \"PLAY 3,4\" && echo 3,4'",
            GOMOCUP,
            Ok("d5"),
        ),
        ("taken point", "gomoku", "h8", "go='echo 7,7'", GOMOCUP, Err("illegal 7,7")),
        ("off the board", "gomoku", "", "go='echo 15,15'", GOMOCUP, Err("illegal 15,15")),
        ("no point", "gomoku", "", "go='echo h8'", GOMOCUP, Err("illegal h8")),
        (
            "refuses to start",
            "gomoku",
            "",
            "",
            "read -r l; echo 'name=\"x\"'; read -r l; echo ERROR size",
            Err("start: it answers 'ERROR size' to START"),
        ),
        (
            "no brain",
            "gomoku",
            "",
            "",
            "read -r l; echo UNKNOWN what",
            Err("start: it does not answer 'ABOUT' as the Gomocup protocol requires"),
        ),
        // Plain text is an answer to ABOUT too.
        ("tells its name and goes", "gomoku", "", "", "read -r l; echo what", Err("died")),
    ];
    for (name, game, moves, variables, body, expected) in cases {
        let scripts = Scripts::new();
        let command = scripts.program("program", variables, body);
        let started = Instant::now();
        let given = answer(&command, &*table(game, moves));
        let expected = expected.map(str::to_owned).map_err(str::to_owned);
        assert_eq!(given, expected, "{name}");
        assert!(started.elapsed() < Duration::from_secs(8), "{name} took {:?}", started.elapsed());
        assert!(!scripts.alive(), "{name}: the program lives on");
    }
}

#[test]
fn output_of_a_program_is_cleaned_and_limited() {
    let table = table("tic-tac-toe", "");
    // (its output at the start, its name for us)
    let many = r#"option=$(i=0; while [ $i -lt 3000 ]; do echo "option name o$i type spin"; i=$((i+1)); done)"#;
    let cases = [
        (r#"option=$(printf 'id name \033[31mRed\007\nid name \342\200\256dne')"#, "?dne".to_owned()),
        (r#"option=$(printf 'id name a\tb\302\205c')"#, "a b?c".to_owned()),
        (r#"option="id name $(head -c 5000 /dev/zero | tr '\0' x)""#, format!("{}…", "x".repeat(64))),
        (r#"option="id name $(head -c 50000 /dev/zero | tr '\0' x)""#, "Script".to_owned()),
        (many, "Script".to_owned()),
    ];
    for (variables, name) in cases {
        let scripts = Scripts::new();
        let variables = format!("{variables}\ngo='echo bestmove b2'");
        let mut host = Host::start(&scripts.program("engine", &variables, UCI), &*table).unwrap();
        assert_eq!(host.name(), name);
        host.think(&*table, &Limits::nodes(1), Duration::from_secs(2), &StopToken::new(), &mut |_| ()).unwrap();
    }
    // Huge numbers are limited, and an invalid move is shown shortened and without control characters.
    let scripts = Scripts::new();
    let go = r#"go='echo "info depth 1 score mate -2147483648 nodes 18446744073709551615 time 18446744073709551615 pv b2"; printf "bestmove \033]0;%090d\n" 1'"#;
    let mut host = Host::start(&scripts.program("engine", go, UCI), &*table).unwrap();
    let mut told = Vec::new();
    let mut tell = |progress: qiju_core::table::Progress| told.push((progress.value, progress.nps()));
    let error = host.think(&*table, &Limits::nodes(1), Duration::from_secs(2), &StopToken::new(), &mut tell).unwrap_err();
    assert!(matches!(told[..], [(Value::Mate(-10_000), _)]), "{told:?}");
    let PlayerError::Illegal { answer, .. } = error else { panic!("{error}") };
    assert!(answer.starts_with("?]0;000") && answer.chars().count() <= 81, "{answer}");
}

#[test]
fn endless_output_is_stopped_at_any_time() {
    let table = table("tic-tac-toe", "");
    let scripts = Scripts::new();
    let started = Instant::now();
    let why = Host::start(&scripts.program("engine", "", "yes 'id name x'"), &*table).map(drop).unwrap_err().to_string();
    assert!(why.contains("does not answer 'uci'"), "{why}");
    assert!(started.elapsed() < Duration::from_secs(40), "{:?}", started.elapsed());
    assert!(!scripts.alive());
}

#[test]
fn a_second_answer_is_not_taken_as_the_next_one() {
    // The first answer is followed by another one that would be legal in the next position.
    let cases = [
        (
            "tic-tac-toe",
            UCI,
            r#"go='case "$position" in *moves*) echo bestmove c3;; *) echo bestmove b2; echo bestmove a1;; esac'"#,
            ["b2", "c3"],
        ),
        ("gomoku", GOMOCUP, r#"go='case "$said" in BEGIN) echo 7,7; echo 0,0;; *) echo 6,7;; esac'"#, ["h8", "g8"]),
    ];
    for (game, body, go, expected) in cases {
        let scripts = Scripts::new();
        let mut table = table(game, "");
        let mut host = Host::start(&scripts.program("engine", go, body), &*table).unwrap();
        for text in expected {
            let action = host.think(&*table, &Limits::nodes(1), Duration::from_secs(2), &StopToken::new(), &mut |_| ()).unwrap();
            assert_eq!(table.write(action, Notation::Uci).as_deref(), Some(text), "{game}");
            table.play(action).unwrap();
            table.play(table.actions()[0]).unwrap();
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

/// True while a process is running; a zombie counts as ended.
#[cfg(target_os = "linux")]
fn lives(pid: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit(')').next().and_then(|rest| rest.split_whitespace().next()).is_some_and(|state| state != "Z")
}

#[cfg(target_os = "linux")]
#[test]
fn a_program_and_its_children_always_end_with_us() {
    for signal in ["TERM", "INT", "KILL"] {
        let scripts = Scripts::new();
        // It starts two more processes, one of them through another, and never exits by itself.
        let children = format!(
            "trap '' TERM INT HUP\nsleep 300 & echo $! > '{0}'\nsh -c 'sleep 301 & echo $! > \"{1}\"; wait' &",
            scripts.path("child").display(),
            scripts.path("grandchild").display()
        );
        let program = scripts.program("engine", &format!("{children}\ngo='sleep 302'"), UCI);
        // A shell starts background jobs with SIGINT ignored, and children inherit that.
        let mut command = Command::new("env");
        command.args(["--default-signal=INT", env!("CARGO_BIN_EXE_qiju")]);
        command.args(["arena", "tic-tac-toe", "--a", "level:1", "--b", &format!("cmd:{program}"), "--movetime", "60000"]);
        let mut arena = command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null()).spawn().unwrap();
        let begun = Instant::now();
        let pids = || -> Option<Vec<String>> {
            let read = |name| std::fs::read_to_string(scripts.path(name)).ok().map(|text| text.trim().to_owned());
            ["pid", "child", "grandchild"].into_iter().map(|name| read(name).filter(|pid| !pid.is_empty())).collect()
        };
        // The program is started once for its name and once to play; the match lasts until it is killed.
        std::thread::sleep(Duration::from_millis(1500));
        while pids().is_none_or(|pids| !pids.iter().all(|pid| lives(pid))) {
            assert!(begun.elapsed() < Duration::from_secs(20), "{signal}: the program does not start");
            std::thread::sleep(Duration::from_millis(20));
        }
        let pids = pids().unwrap();
        let killed = Command::new("sh").args(["-c", &format!("kill -{signal} {}", arena.id())]).status().unwrap();
        assert!(killed.success());
        arena.wait().unwrap();
        let ended = Instant::now();
        while pids.iter().any(|pid| lives(pid)) {
            assert!(ended.elapsed() < Duration::from_secs(5), "{signal}: {pids:?} live on");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

#[test]
fn commands_that_start_nothing() {
    let table = table("tic-tac-toe", "");
    for (command, words) in
        [("", "no program"), ("'x", "quote"), ("/nonexistent/engine", "no such file"), ("/", "does not permit")]
    {
        let why = Host::start(command, &*table).map(drop).unwrap_err().to_string();
        assert!(why.contains(words), "{command}: {why}");
    }
}

#[test]
fn a_second_game_and_what_a_game_leaves_behind() {
    let scripts = Scripts::new();
    let table = table("gomoku", "");
    // Answers 7,7 first; after a TURN with our stone it answers beside it.
    let go = r#"go='case "$said" in BEGIN) echo 7,7;; "TURN 6,6") echo 6,7;; *) echo 0,0;; esac'"#;
    let mut host = Host::start(&scripts.program("brain", go, GOMOCUP), &*table).unwrap();
    assert_eq!(host.name(), "Script");
    for _ in 0..2 {
        let mut table = table.boxed_clone();
        host.new_game(&*table).unwrap();
        for expected in ["h8", "g8"] {
            let limits = Limits::nodes(10);
            let action = host.think(&*table, &limits, Duration::from_secs(2), &StopToken::new(), &mut |_| ()).unwrap();
            assert_eq!(table.write(action, Notation::Uci).as_deref(), Some(expected));
            table.play(action).unwrap();
            if expected == "h8" {
                table.play(table.read("g7").unwrap()).unwrap();
            }
        }
    }
}

#[test]
fn progress_is_reported_and_stop_is_sent() {
    let scripts = Scripts::new();
    let table = table("tic-tac-toe", "");
    let go = r#"go='echo "info depth 3 seldepth 4 score cp 12 nodes 77 time 5 pv b2 a1 b2"; read -r word; test "$word" = stop && echo bestmove b2'"#;
    let mut host = Host::start(&scripts.program("engine", go, UCI), &*table).unwrap();
    let stop = StopToken::new();
    let mut told = Vec::new();
    let mut tell = |progress: qiju_core::table::Progress| {
        stop.stop();
        told.push((progress.depth, progress.seldepth, progress.nodes, progress.pv_text.join(" ")));
    };
    let action = host.think(&*table, &Limits::default(), Duration::from_secs(5), &stop, &mut tell).unwrap();
    assert_eq!(table.write(action, Notation::Uci).as_deref(), Some("b2"));
    // The line is read as far as it is legal.
    assert_eq!(told, [(3, 4, 77, "b2 a1".to_owned())]);
}

fn arena(arguments: &[&str]) -> (Option<i32>, serde_json::Value, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_qiju"));
    command.args(["arena", "tic-tac-toe", "--json"]).args(arguments).env_remove("QIJU_ASSETS");
    let output = command.output().expect("the program starts");
    let error = String::from_utf8(output.stderr).unwrap();
    (output.status.code(), serde_json::from_slice(&output.stdout).unwrap_or_default(), error)
}

#[test]
fn programs_with_habits_of_their_own_play() {
    let scripts = Scripts::new();
    let go = "go='echo 7,7'";
    let plain = GOMOCUP.replace(r#"echo 'name="Script", version="1"'"#, "echo 'A brain by somebody'; echo 'Second line'");
    let by_cr = GOMOCUP.replace("echo 'name", r"printf '%s\r' 'name").replace("echo OK", r"printf 'OK\r'");
    let cases = [("plain", go, plain, "A brain by somebody"), ("by CR", r"go='printf 7,7\\r'", by_cr, "Script")];
    let table = table("gomoku", "");
    for (name, go, body, known) in cases {
        let command = scripts.program(name, go, &body);
        assert_eq!(answer(&command, &*table), Ok("h8".to_owned()), "{name}");
        assert_eq!(Host::start(&command, &*table).unwrap().name(), known);
    }
}

#[test]
fn a_program_that_is_slow_to_begin_is_given_its_time() {
    let scripts = Scripts::new();
    let go = "go='echo bestmove h2e2'";
    let xiangqi = table("xiangqi", "");
    // A program that speaks UCI only, and one that speaks UCCI only and says nothing to `uci`.
    let slow = scripts.program("slow", go, &format!("sleep 5\n{UCI}"));
    let silent = scripts.program("silent", go, &UCCI.replace("uci) exit 0;;\n    ucci)", "ucci)"));
    let (started, both) = (Instant::now(), [slow, silent]);
    let answers = both.each_ref().map(|command| answer(command, &*xiangqi));
    assert_eq!(answers, [Ok("h2e2".to_owned()), Ok("h2e2".to_owned())], "{:?}", started.elapsed());
    let small = table("tic-tac-toe", "");
    let slow = scripts.program("slow", "go='echo bestmove b2'", &format!("sleep 1.2\n{UCI}"));
    let host = Host::start_with(&slow, &*small, &OptionValues::new(), Duration::from_millis(300));
    assert!(host.is_err_and(|error| error.to_string().contains("it does not answer 'uci'")));
    // The clock of a match runs when the program is ready, also after it was started again.
    let dies = "go='echo bestmove z9'";
    let slow = scripts.program("slow", dies, &format!("sleep 1.2\n{UCI}"));
    let (a, b) = ("level:1", format!("cmd:{slow}"));
    let (status, result, error) = arena(&["--a", a, "--b", &b, "--movetime", "100", "--grace", "100", "--games", "2"]);
    assert_eq!(status, Some(0), "{error}");
    let faults = ["illegal_moves", "time_losses", "crashes"].map(|fault| result["b"][fault].as_i64());
    assert_eq!(faults, [Some(2), Some(0), Some(0)], "{error}");
    let (status, _, error) = arena(&["--a", a, "--b", &b, "--movetime", "100", "--start-up", "1", "--games", "2"]);
    assert!(status == Some(1) && error.contains("does not start"), "{error}");
}

#[test]
fn matches_count_faults() {
    let scripts = Scripts::new();
    // Plays the first free cell; the position line has all moves of the game.
    let first_free = r#"go='for cell in a1 b1 c1 a2 b2 c2 a3 b3 c3; do case "$position " in *" $cell "*) ;; *) echo bestmove $cell; break;; esac; done'"#;
    // (behaviour of b, its illegal moves, time losses and crashes in 4 games)
    let cases = [
        ("plays", first_free, [0, 0, 0]),
        ("errs", "go='echo bestmove z9'", [4, 0, 0]),
        ("dies", "go='exit 1'", [0, 0, 4]),
        ("oversleeps", "go='sleep 1.4; echo bestmove c1'", [0, 4, 0]),
    ];
    for (name, go, counted) in cases {
        let program = format!("cmd:{}", scripts.program(name, go, UCI));
        let record = scripts.path(&format!("{name}.ron"));
        let arguments = ["--a", "level:10", "--b", &program, "--movetime", "100", "--grace", "900", "--games", "4"];
        let with_record = ["--record", record.to_str().unwrap(), "--concurrency", "2"];
        let (status, result, error) = arena(&[&arguments[..], &with_record[..]].concat());
        assert_eq!(status, Some(0), "{name}: {error}");
        let b = &result["b"];
        let faults = ["illegal_moves", "time_losses", "crashes"].map(|fault| b[fault].as_i64().unwrap());
        assert_eq!(faults, counted, "{name}: {result}");
        assert_eq!((result["games"].as_i64(), b["name"].as_str()), (Some(4), Some("Script")), "{name}");
        assert_eq!(error.lines().filter(|line| line.starts_with("game ")).count(), 4, "{name}: {error}");
        if counted != [0, 0, 0] {
            assert_eq!(result["wins"].as_i64(), Some(4), "{name}: {result}");
        }
        let games = qiju_core::record::Record::load(&record).unwrap();
        assert_eq!(games.len(), 4, "{name}");
        let timed =
            |game: &qiju_core::record::Record| game.tree.main_line().into_iter().all(|id| game.tree.notes(id).time_ms.is_some());
        assert!(games.iter().all(|game| game.result.is_some() && timed(game)), "{name}");
    }
}

#[test]
fn record_files_are_repaired_before_games_are_added() {
    let scripts = Scripts::new();
    let path = scripts.path("games.ron");
    let play = || arena(&["--a", "level:1", "--b", "level:1", "--games", "2", "--quiet", "--record", path.to_str().unwrap()]);
    assert_eq!(play().0, Some(0));
    let whole = std::fs::read(&path).unwrap();
    assert_eq!(qiju_core::record::Record::load(&path).unwrap().len(), 2);
    // A full disk has cut the last line; then a line that lacks only its line end.
    std::fs::write(&path, &whole[..whole.len() - 30]).unwrap();
    let (status, _, error) = play();
    assert_eq!(status, Some(0), "{error}");
    assert!(error.contains("the last line was incomplete; it was moved to") && error.contains("games.ron.torn-1"), "{error}");
    assert_eq!(qiju_core::record::Record::load(&path).unwrap().len(), 3);
    let whole = std::fs::read(&path).unwrap();
    std::fs::write(&path, &whole[..whole.len() - 1]).unwrap();
    assert_eq!(play().0, Some(0));
    assert_eq!(qiju_core::record::Record::load(&path).unwrap().len(), 5);
}

/// Games are added to a file in its own format, and to no file of another one.
#[test]
fn games_are_recorded_as_the_name_of_the_file_says() {
    let scripts = Scripts::new();
    let (pgn, ron) = (scripts.path("games.pgn"), scripts.path("games.ron"));
    let play = |path: &std::path::Path| {
        arena(&["--a", "level:1", "--b", "level:1", "--games", "2", "--quiet", "--record", path.to_str().unwrap()])
    };
    for games in [2, 4] {
        assert_eq!(play(&pgn).0, Some(0));
        assert!(std::fs::read_to_string(&pgn).unwrap().starts_with("["));
        assert_eq!(qiju_core::record::Record::load(&pgn).unwrap().len(), games);
    }
    std::fs::rename(&pgn, &ron).unwrap();
    let before = std::fs::read(&ron).unwrap();
    let (status, _, error) = play(&ron);
    assert!(status == Some(2) && error.contains("games.ron: it holds games as pgn, not as ron"), "{error}");
    assert_eq!(std::fs::read(&ron).unwrap(), before);
    let (status, _, error) = play(&scripts.path("games.sgf"));
    assert!(status == Some(2) && error.contains("games.sgf: games are recorded as ron or pgn"), "{error}");
}

#[test]
fn games_that_both_engines_see_lost_end_early() {
    let scripts = Scripts::new();
    // Played in this order, these cells fill the board without a line.
    let drawn = r#"for cell in a1 b1 c1 b2 a2 c2 b3 a3 c3; do case "$position " in *" $cell "*) ;; *) break;; esac; done"#;
    let program = |name: &str, score: i32| {
        let go = format!(r#"go='{drawn}; echo info depth 1 score cp {score} pv $cell; echo bestmove $cell'"#);
        format!("cmd:{}", scripts.program(name, &go, UCI))
    };
    let (hopeful, gloomy) = (program("hopeful", 900), program("gloomy", -900));
    // (the margin, wins, draws, plies per game)
    for (margin, wins, draws, plies) in [("900", 2, 0, 8.0), ("901", 0, 2, 9.0)] {
        let arguments = ["--a", &hopeful, "--b", &gloomy, "--movetime", "500", "--games", "2", "--random-plies", "0"];
        let (status, result, error) = arena(&[&arguments[..], &["--resign", margin]].concat());
        assert_eq!(status, Some(0), "{error}");
        assert_eq!((result["wins"].as_i64(), result["draws"].as_i64()), (Some(wins), Some(draws)), "{margin}: {error}");
        assert_eq!(result["plies_per_game"].as_f64(), Some(plies), "{margin}: {error}");
        assert_eq!(error.contains("resignation"), wins == 2, "{margin}: {error}");
    }
}

#[test]
fn a_match_of_our_own_is_repeatable_and_tells_the_stronger() {
    let play = |seed: &str| arena(&["--a", "level:10", "--b", "level:1", "--games", "60", "--seed", seed, "--quiet"]);
    let (status, result, error) = play("1");
    assert_eq!((status, error.as_str()), (Some(0), ""));
    assert!(result["elo"].as_f64() > Some(50.0) && result["superiority"].as_f64() > Some(0.95), "{result}");
    let counts = |result: &serde_json::Value| ["wins", "draws", "losses"].map(|what| result[what].as_i64().unwrap());
    assert_eq!(counts(&result).iter().sum::<i64>(), 60);
    assert_eq!(counts(&play("1").1), counts(&result));
}

#[test]
fn a_sequential_test_plays_until_it_is_decided() {
    for (a, b, decision) in [("level:10", "level:1", "H1"), ("level:1", "level:10", "H0")] {
        let (status, result, error) = arena(&["--a", a, "--b", b, "--sprt", "0,60", "--quiet"]);
        assert_eq!((status, error.as_str()), (Some(0), ""));
        let test = &result["sprt"];
        assert_eq!(test["decision"], decision, "{result}");
        let [llr, lower, upper] = ["llr", "lower", "upper"].map(|key| test[key].as_f64().unwrap());
        assert!((lower + 2.944).abs() < 0.001 && (upper - 2.944).abs() < 0.001, "{test}");
        assert!(llr >= upper || llr <= lower, "{test}");
    }
    // Too few games leave it open.
    let (_, result, _) = arena(&["--a", "level:1", "--b", "level:1", "--sprt", "0,5", "--games", "4", "--quiet"]);
    assert!(result["sprt"]["decision"].is_null() && result["games"] == 4, "{result}");
}

#[test]
fn bad_matches_are_refused() {
    // Arguments, status, words of the message.
    let cases: &[(&[&str], i32, &str)] = &[
        (&[], 2, "--a <SPEC> --b <SPEC>"),
        (&["--a", "level:0", "--b", "level:1"], 2, "--a level:0: '0' is not a level"),
        (&["--a", "level:1", "--b", "best"], 2, "--b best: an engine is"),
        (&["--a", "level:1", "--b", "algorithm:own"], 2, "--b: it has no limit"),
        (&["--a", "level:1", "--b", "algorithm:seed,depth:2"], 2, "--b: tic-tac-toe has no engine 'seed'"),
        (&["--a", "level:1", "--b", "cmd:sh"], 2, "--b: a program needs"),
        (&["--a", "level:1", "--b", "cmd:/nonexistent", "--movetime", "10"], 1, "does not start"),
        (&["--a", "level:1", "--b", "cmd:true", "--movetime", "10"], 1, "'true'"),
        (&["--a", "level:1", "--b", "level:2", "--games", "0"], 2, "--games"),
        (&["--a", "level:1", "--b", "level:2", "--concurrency", "-1"], 2, "--concurrency"),
        (&["--a", "level:1", "--b", "level:2", "--resign", "0"], 2, "--resign"),
        (&["--a", "level:1", "--b", "level:2", "--sprt", "5,0"], 2, "ELO0 must be less than ELO1"),
        (&["--a", "level:1", "--b", "level:2", "--sprt", "five"], 2, "--sprt <ELO0,ELO1>"),
        (&["--a", "level:1", "--b", "level:2", "--draw", "-1"], 2, "--draw"),
        (&["--a", "level:1", "--b", "level:2", "--openings", "/nonexistent"], 1, "/nonexistent: "),
        (&["--a", "level:1", "--b", "level:2", "--record", "/nonexistent/x"], 1, "/nonexistent/x: "),
        (&["--a", "level:1", "--b", "level:2", "--openings", "/dev/null"], 2, "there is no opening"),
    ];
    for (arguments, expected, words) in cases {
        let (status, _, error) = arena(arguments);
        assert_eq!(status, Some(*expected), "{arguments:?}: {error}");
        assert!(error.lines().count() == 1 && error.contains(words), "{arguments:?}: {error}");
    }
}

/// A UCI program that declares options, writes down what it is told and reports as many lines as it was asked for.
const TUNED: &str = r#"while read -r line; do case "$line" in
    uci) echo "id name Tuned"
        echo "option name Hash type spin default 16 min 1 max 64"
        echo "option name Own Book type check default true"
        echo "option name Style type combo default Solid var Solid var Very Risky"
        echo "option name File type string default <empty>"
        echo "option name Clear Hash type button"
        echo "option name MultiPV type spin default 1 min 1 max 3"
        echo uciok;;
    isready) echo readyok;;
    setoption*) echo "$line" >> "$told";;
    go*) echo "info depth 5 multipv 1 score cp 20 nodes 100 time 10 pv h2e2"
        echo "info depth 5 multipv 2 score cp 10 nodes 100 time 10 pv b2e2"; echo bestmove h2e2;;
    quit) exit 0;;
esac; done"#;

#[test]
fn options_are_declared_set_and_pressed() {
    let scripts = Scripts::new();
    let told = scripts.path("told");
    let command = scripts.program("engine", &format!("told='{}'", told.display()), TUNED);
    let heard = || std::fs::read_to_string(&told).unwrap_or_default();
    let table = table("xiangqi", "");
    let host = Host::start(&command, &*table).unwrap();
    let names: Vec<&str> = host.options().iter().map(|option| option.name.as_str()).collect();
    assert_eq!(names, ["Hash", "Own Book", "Style", "File", "Clear Hash", "MultiPV"]);
    assert_eq!(host.options()[0].kind, OptionKind::Spin { default: 16, least: 1, most: 64 });
    drop(host);
    assert_eq!(heard(), "", "nothing is set by itself");
    let of = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let values = OptionValues::from([
        of("Hash", "32"),
        of("Own Book", "false"),
        of("Style", "Very Risky"),
        of("File", ""),
        of("MultiPV", "3"),
        of("Unknown", "1"),
    ]);
    // What it does not take is left out, too.
    let wrong = OptionValues::from([of("Hash", "1000"), of("Style", "Wild"), of("Clear Hash", "")]);
    drop(Host::start_with(&command, &*table, &wrong, START_UP).unwrap());
    assert_eq!(heard(), "");
    let buttons = Buttons::default();
    let mut player = ProgramPlayer::new(command, Duration::from_secs(2)).with_options(values, buttons.clone());
    let think = |player: &mut ProgramPlayer, multipv: u16| {
        let limits = Limits::time(Duration::from_millis(50));
        let request = SearchRequest { limits, multipv, ..SearchRequest::default() };
        let mut lines = Vec::new();
        player.think(&*table, &request, &StopToken::new(), &mut |progress| lines.push(progress.multipv)).unwrap();
        lines
    };
    assert_eq!(think(&mut player, 2), [1, 2]);
    let set = "setoption name File value <empty>\nsetoption name Hash value 32\nsetoption name Own Book value false\n\
               setoption name Style value Very Risky\n";
    let mut sent: Vec<String> = heard().lines().map(str::to_owned).collect();
    assert_eq!(sent.pop().as_deref(), Some("setoption name MultiPV value 2"));
    sent.sort();
    assert_eq!(sent.join("\n") + "\n", set);
    let before = heard();
    think(&mut player, 2);
    assert_eq!(heard(), before, "what it knows is not sent again");
    buttons.press("Clear Hash");
    buttons.press("Hash");
    think(&mut player, 5);
    assert_eq!(heard(), before + "setoption name Clear Hash\nsetoption name MultiPV value 3\n", "at most what it can");
}

#[test]
fn a_program_that_declares_no_lines_is_not_told_of_them() {
    let scripts = Scripts::new();
    let body = r#"while read -r line; do case "$line" in
        uci) echo uciok;; isready) echo readyok;; setoption*) exit 7;; go*) echo bestmove h2e2;; quit) exit 0;;
    esac; done"#;
    let table = table("xiangqi", "");
    let mut player = ProgramPlayer::new(scripts.program("engine", "", body), Duration::from_secs(2));
    let limits = Limits::time(Duration::from_millis(50));
    let request = SearchRequest { limits, multipv: 4, ..SearchRequest::default() };
    let found = player.think(&*table, &request, &StopToken::new(), &mut |_| ()).unwrap();
    assert!(found.is_some());
}
