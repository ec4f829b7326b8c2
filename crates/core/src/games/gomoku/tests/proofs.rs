//! Tests of the proofs with a file of forced wins.

use crate::games::gomoku::engine::prover::{ThreatProver, only_moves};
use crate::games::gomoku::engine::values::ordering_score;
use crate::games::gomoku::engine::vcf::Vcf;
use crate::games::gomoku::engine::vct::Vct;
use crate::games::gomoku::rules::board::Board;
use crate::games::gomoku::rules::classes::Class;
use crate::games::gomoku::rules::notation::read_moves;
use crate::games::gomoku::rules::rule::Rule;
use crate::games::gomoku::rules::spot::Spot;
use crate::rules::{Position, Side};
use crate::search::StopToken;

const FORCED: &str = include_str!("../../../../tests/data/gomoku/forced_wins.txt");

/// The fields of each line.
fn cases() -> impl Iterator<Item = Vec<&'static str>> {
    FORCED.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(|line| line.split(';').map(str::trim).collect())
}

fn position(moves: &str) -> Board {
    position_by(Rule::Freestyle, moves)
}

fn position_by(rule: Rule, moves: &str) -> Board {
    read_moves(rule, 15, moves).unwrap().current().clone()
}

/// Checks that all moves of the line are legal and that it ends with the attacker's five.
fn check_line(root: &Board, line: &[Spot], case: &str) {
    let mut board = root.clone();
    for &spot in line {
        assert!(board.is_legal(spot), "{case}: {spot} in {line:?}");
        board.make(spot);
    }
    assert_eq!(board.winner(), Some(root.side_to_move()), "{case}: {line:?}");
}

#[test]
fn wins_by_fours_are_proven() {
    let mut vcf = Vcf::new(16);
    let mut count = 0;
    for case in cases().filter(|case| case[0] == "VCF") {
        let mut board = position(case[1]);
        vcf.clear();
        let before = vcf.nodes();
        let length = vcf.wins(&mut board, 50_000);
        let line = vcf.line(&board, 50_000);
        // The hardest cost 415 nodes in November 2026: far below 100 ms.
        assert!(vcf.nodes() - before < 10_000, "{}", case[1]);
        assert!(length.is_some(), "{}", case[1]);
        check_line(&board, &line, case[1]);
        count += 1;
    }
    assert!(count >= 20, "only {count}");
}

/// A search for wins of few moves finds one as soon as there is one, also where the search for wins of any length finds a longer one.
#[test]
fn wins_by_few_fours_are_found() {
    let mut shorter = 0;
    for case in cases().filter(|case| case[0] == "VCF") {
        let board = position(case[1]);
        let own = board.stones(board.side_to_move()).len();
        let any = Vcf::new(16).wins(&mut board.clone(), 1_000_000).unwrap();
        let within = |moves: usize| {
            let mut vcf = Vcf::new(16).within(own + moves);
            let length = vcf.wins(&mut board.clone(), 1_000_000);
            assert!(vcf.is_complete(), "{moves}: {}", case[1]);
            let line = if length.is_some() { vcf.line(&board, 1_000_000) } else { Vec::new() };
            (length, line)
        };
        let least = (0..=any.div_ceil(2)).find(|moves| within(*moves).0.is_some()).unwrap();
        shorter += usize::from(least < any.div_ceil(2));
        for moves in least..least + 3 {
            let (length, line) = within(moves);
            assert!(length.is_some_and(|length| length.div_ceil(2) <= moves), "{moves}, {length:?}: {}", case[1]);
            assert!(line.len().div_ceil(2) <= moves, "{line:?}");
            check_line(&board, &line, case[1]);
        }
        assert!(least > 0 && within(least - 1).0.is_none());
    }
    assert!(shorter > 0);
}

#[test]
fn wins_by_threes_are_proven() {
    let mut vcf = Vcf::new(16);
    let mut vct = Vct::new(18);
    let mut count = 0;
    for case in cases().filter(|case| case[0] == "VCT") {
        let mut board = position(case[1]);
        vcf.clear();
        vct.clear();
        assert_eq!(vcf.wins(&mut board, 1_000_000), None, "{}", case[1]);
        // The hardest cost 973 000 nodes in November 2026, all together 2.2 million.
        let proof = vct.proves(&mut board, &mut vcf, 1_500_000, &mut || false);
        let proof = proof.unwrap_or_else(|| panic!("not proven: {}", case[1]));
        check_line(&board, &proof.line, case[1]);
        count += 1;
    }
    assert!(count >= 50, "only {count}");
}

/// The search for defences leaves out the points outside the zone, so a stone there must not refute the win.
#[test]
fn a_stone_outside_the_zone_refutes_no_win_by_fours() {
    let mut vcf = Vcf::new(16);
    let mut tried = 0;
    for case in cases().filter(|case| case[0] == "VCF") {
        for rule in [Rule::Freestyle, Rule::Standard] {
            let game = read_moves(rule, 15, case[1]);
            let Some(mut board) = game.ok().map(|game| game.current().clone()) else { continue };
            let (attacker, defender) = (board.side_to_move(), !board.side_to_move());
            vcf.clear();
            // An open four or a five is no line of fours.
            if vcf.wins(&mut board, 50_000).is_none_or(|length| length < 5) {
                continue;
            }
            let zone = vcf.zone(&board, 50_000).expect("the line is found again");
            for spot in board.empty().iter() {
                if zone.contains(spot) || board.class(spot, defender) >= Class::Four {
                    continue;
                }
                let mut board = board.clone();
                board.pass();
                board.make(spot);
                assert_eq!(board.side_to_move(), attacker);
                assert!(vcf.wins(&mut board, 50_000).is_some(), "{rule:?} {spot}: {}", case[1]);
                tried += 1;
            }
        }
    }
    assert!(tried > 3_000, "only {tried}");
}

/// A large budget does not keep the searches from ending when they are told to.
#[test]
fn searches_for_threats_end_when_they_are_stopped() {
    let (mut vcf, mut vct) = (Vcf::new(16), Vct::new(16));
    for case in cases().filter(|case| case[0] == "VCT") {
        let mut board = position(case[1]);
        let before = vcf.nodes();
        assert_eq!(vcf.wins_until(&mut board, u64::MAX / 2, &mut || true), None);
        assert!(vcf.nodes() - before < 1_000, "{}", case[1]);
        let before = vcf.nodes();
        let mut looks = 0;
        let proof = vct.proves(&mut board, &mut vcf, u64::MAX / 2, &mut || {
            looks += 1;
            looks > 10
        });
        assert!(proof.is_some() || vct.nodes() + vcf.nodes() - before < 20_000, "{}", case[1]);
    }
}

/// After every answer to a proven win there is another proof, until the five.
#[test]
fn no_defence_refutes_a_proven_win() {
    let mut random = fastrand::Rng::with_seed(7);
    let stop = StopToken::new();
    let mut count = 0;
    for case in cases().filter(|case| case[0] == "VCT" || case[0] == "VCF").step_by(6) {
        let root = position(case[1]);
        let mut prover = ThreatProver::default();
        let Some((first, _)) = prover.line(&mut root.clone(), 600_000, &stop) else { continue };
        count += 1;
        let mut board = root.clone();
        board.make(first[0]);
        // Every answer at the first turn; later random answers, mostly ones that stop the threat.
        let mut answers = Vec::new();
        board.legal_moves(&mut answers);
        for answer in answers {
            let mut board = board.clone();
            board.make(answer);
            if board.winner().is_some() {
                panic!("{}: {answer} wins", case[1]);
            }
            let mut plies = 0;
            while board.winner().is_none() {
                let line = prover.line(&mut board.clone(), 600_000, &stop);
                let (line, _) = line.unwrap_or_else(|| panic!("{}: {answer} refutes it", case[1]));
                board.make(line[0]);
                if board.winner().is_some() {
                    break;
                }
                let mut moves = only_moves(&board).unwrap_or_default();
                if moves.is_empty() || random.u8(..8) == 0 {
                    moves.clear();
                    board.legal_moves(&mut moves);
                }
                board.make(moves[random.usize(..moves.len())]);
                assert_eq!(board.winner().filter(|side| *side != root.side_to_move()), None, "{}", case[1]);
                plies += 2;
                assert!(plies < 100, "{}: {answer} delays the win forever", case[1]);
            }
        }
    }
    assert!(count >= 8, "only {count}");
}

/// A game of renju with moves drawn at random from the best few, up to the first proof of a win: its moves, the position and the line of the proof.
fn random_win(random: &mut fastrand::Rng) -> Option<(String, Board, Vec<Spot>)> {
    let mut text = String::from("h8");
    let mut board = position_by(Rule::Renju, &text);
    while board.outcome().is_none() {
        let line = ThreatProver::default().line(&mut board.clone(), 20_000, &StopToken::new());
        if let Some((line, _)) = line {
            return Some((text, board, line));
        }
        let mut moves = Vec::new();
        board.legal_moves(&mut moves);
        moves.sort_by_key(|&spot| -Side::BOTH.map(|side| ordering_score(&board, spot, side)).iter().sum::<i32>());
        let forced = only_moves(&board).and_then(|only| only.first().copied());
        let spot = forced.or_else(|| moves.get(random.usize(..8)).copied())?;
        text += &spot.to_string();
        board.make(spot);
    }
    None
}

/// In renju a point may be forbidden to Black now and allowed later, or the other way round. So each proof is tried with every reply on the board.
/// Some of White's wins are there only because of points that are forbidden to Black.
#[test]
fn no_reply_refutes_a_proven_win_in_renju() {
    let mut random = fastrand::Rng::with_seed(11);
    let (mut wins, mut traps) = ([0; 2], 0);
    for _ in 0..120 {
        let Some((text, mut board, line)) = random_win(&mut random) else { continue };
        let attacker = board.side_to_move();
        board.make(line[0]);
        wins[attacker.index()] += 1;
        if attacker == Side::Second {
            let free = ThreatProver::default().line(&mut position(&text), 400_000, &StopToken::new());
            traps += usize::from(free.is_none());
        }
        let mut replies = Vec::new();
        board.legal_moves(&mut replies);
        for reply in replies {
            let mut next = board.clone();
            next.make(reply);
            assert_ne!(next.winner(), Some(!attacker), "{text}: {reply} after {}", line[0]);
            let again = ThreatProver::default().line(&mut next, 400_000, &StopToken::new());
            assert!(next.winner().is_some() || again.is_some(), "{text}: {} is refuted by {reply}", line[0]);
        }
    }
    assert!(wins.iter().all(|&wins| wins >= 20) && traps >= 5, "{wins:?}, {traps}");
}
