//! Gomoku: five in a row on 15, 19 or 20 lines, with the rules freestyle, standard, renju and caro. `rules` has the board and its lines, `engine` the
//! search and evaluation, `proof` the proofs that the first player wins.

pub mod engine;
pub mod proof;
mod puzzles;
pub mod rules;
#[cfg(test)]
mod tests;

use crate::message::Message;
use crate::rules::{History, Outcome, Point, Position, PositionFault, Refusal, Side, Skip};
use crate::search::Engine;
use crate::table::{
    Action, Algorithm, Capabilities, Change, Curve, Draft, EngineOptions, Evaluation, Evaluations, Formation, Game, Image,
    Manner, Notation, Piece, Protocol, ProvenWin, Restriction, SetupError, State, Worths,
};
use engine::evaluation::PatternEvaluation;
use engine::network::loading;
use proof::players::{ProofEngine, ProofProver};
use proof::shipped;
use rules::board::Board;
use rules::classes::Class;
use rules::lines::Pattern;
use rules::rule::Rule;
use rules::spot::Spot;
use rules::{notation, openings, renju};

/// The game.
pub struct Gomoku;

/// The keys of the variants, all with their sizes; a key without a size means 15.
const VARIANTS: [&str; 12] = [
    "freestyle",
    "standard",
    "renju",
    "caro",
    "freestyle:19",
    "standard:19",
    "renju:19",
    "caro:19",
    "freestyle:20",
    "standard:20",
    "renju:20",
    "caro:20",
];

fn piece(side: Side) -> Piece {
    Piece { side, role: 0 }
}

impl Game for Gomoku {
    type Position = Board;
    type Evaluation = PatternEvaluation;

    const KEY: &'static str = "gomoku";
    const PROTOCOL: Protocol = Protocol::Gomocup;
    /// In hundredths of an open two; see docs/review.md.
    const CURVE: Curve = Curve { scale: 170.0 };
    const SWAP2: bool = true;
    const NAMES_FORMATIONS: bool = true;

    fn variants() -> &'static [&'static str] {
        &VARIANTS
    }

    fn parse(variant: &str, position: Option<&str>) -> Result<History<Board>, SetupError> {
        let (rule, size) = Rule::of_variant(variant).ok_or_else(|| {
            let known = "freestyle, standard, renju and caro, each also with :15, :19 or :20".to_owned();
            SetupError::UnknownVariant { game: Self::KEY, given: variant.to_owned(), known }
        })?;
        let read = match position {
            None => Ok(History::new(Board::new(rule, size))),
            Some(text) if text.contains(['/', '.']) => notation::read_rows(rule, size, text).map(History::new),
            Some(text) => notation::read_moves(rule, size, text),
        };
        read.map_err(|(at, why)| SetupError::BadPosition { at, why })
    }

    fn passed(position: &Board) -> Option<Board> {
        position.skipped()
    }

    fn text(board: &Board) -> String {
        notation::text(board)
    }

    fn image(board: &Board, image: Image) -> Option<String> {
        let size = Self::size(board);
        let mut rows = vec![vec!['.'; usize::from(size.0)]; usize::from(size.1)];
        for (point, piece) in Self::pieces(board) {
            let at = image.of(point, size);
            // Rows are written from the top.
            rows[usize::from(size.1 - 1 - at.y)][usize::from(at.x)] = if piece.side == Side::First { 'x' } else { 'o' };
        }
        let rows: Vec<String> = rows.into_iter().map(String::from_iter).collect();
        Some(format!("{} {}", rows.join("/"), if board.side_to_move() == Side::First { 'x' } else { 'o' }))
    }

    fn size(board: &Board) -> (u8, u8) {
        (board.size(), board.size())
    }

    fn pieces(board: &Board) -> Vec<(Point, Piece)> {
        let of = |side: Side| board.stones(side).iter().map(move |spot| (spot.point(), piece(side)));
        Side::BOTH.into_iter().flat_map(of).collect()
    }

    fn action(_: &Board, spot: Spot) -> Action {
        Action::Drop(spot.point())
    }

    fn changes(board: &Board, spot: Spot) -> Vec<Change> {
        vec![Change::Place { piece: piece(board.side_to_move()), at: spot.point() }]
    }

    fn refusal(board: &Board, action: Action) -> Refusal {
        let Action::Drop(at) = action else { return Refusal::NoSuchAction };
        if at.x >= board.size() || at.y >= board.size() {
            return Refusal::OffBoard;
        }
        let spot = Spot::new(at.x, at.y);
        match board.forbidden(spot) {
            _ if !board.is_empty(spot) => Refusal::Occupied,
            Some(reason) if board.side_to_move() == Side::First => Refusal::Forbidden(reason),
            _ => Refusal::GameOver,
        }
    }

    fn read(board: &Board, text: &str) -> Result<Spot, Message> {
        notation::read_move(board, text)
    }

    fn write(_: &Board, spot: Spot, _: Notation) -> String {
        spot.to_string()
    }

    /// Stones are never removed, so no position can be repeated.
    fn adjudicate(_: &History<Board>) -> Option<Outcome> {
        None
    }

    fn winning_line(board: &Board) -> Vec<Point> {
        board.winning_row().into_iter().map(Spot::point).collect()
    }

    fn diagram(board: &Board) -> String {
        notation::diagram(board)
    }

    fn evaluation() -> PatternEvaluation {
        PatternEvaluation
    }

    fn engine(options: &EngineOptions) -> Option<Box<dyn Engine<Board>>> {
        let own = options.algorithm == Algorithm::Own;
        own.then(|| -> Box<dyn Engine<Board>> { Box::new(ProofEngine::new(options)) })
    }

    fn balanced_openings(variant: &str) -> Vec<Vec<Action>> {
        let openings = Rule::of_variant(variant).map(|(rule, size)| openings::all(rule, size)).unwrap_or_default();
        let actions = |spots: Vec<Spot>| spots.into_iter().map(|spot| Action::Drop(spot.point())).collect();
        openings.into_iter().map(actions).collect()
    }

    fn proven(board: &Board) -> Option<ProvenWin> {
        let proven = shipped::known(board)?;
        Some(ProvenWin { winner: proven.winner, moves: proven.moves.into(), plies: None })
    }

    fn restrictions(board: &Board) -> Vec<Restriction> {
        let explain = |spot: Spot| {
            let reason = board.forbidden(spot)?;
            let points = |line: Vec<Spot>| line.into_iter().map(Spot::point).collect();
            let lines = renju::TrialStones::of(board).lines(spot, reason).into_iter().map(points).collect();
            Some(Restriction { at: spot.point(), reason, lines })
        };
        board.forbidden_points().into_iter().filter_map(explain).collect()
    }

    fn formations(board: &Board, spot: Spot) -> Vec<Formation> {
        let side = board.side_to_move();
        if board.class(spot, side) == Class::Five {
            return Vec::new();
        }
        let patterns = [0, 1, 2, 3].map(|direction| board.pattern(spot, side, direction));
        let count = |wanted: fn(Pattern) -> bool| patterns.iter().filter(|pattern| wanted(**pattern)).count();
        let threes = count(Pattern::is_open_three);
        let open_fours = count(|pattern| pattern == Pattern::OpenFour);
        let fours = open_fours + count(|pattern| matches!(pattern, Pattern::Four | Pattern::TwoFours));
        let all = [
            (threes > 0, Formation::OpenThree),
            (threes > 1, Formation::DoubleThree),
            (fours > 0, Formation::Four),
            (open_fours > 0, Formation::OpenFour),
            (fours > 0 && threes > 0, Formation::FourThree),
            (count(|pattern| pattern == Pattern::Overline) > 0, Formation::Overline),
        ];
        all.into_iter().filter_map(|(made, formation)| made.then_some(formation)).collect()
    }

    fn manners() -> &'static [Manner<Board>] {
        &MANNERS
    }

    fn capabilities(variant: &str) -> Capabilities {
        let (rule, size) = rule_of(variant);
        Capabilities {
            proven: shipped::tree(rule, size).is_some(),
            prover: Some(|| Box::new(ProofProver::default())),
            evaluations: Some(&Gomoku),
            puzzles: Some(&Gomoku),
            placement: Some(&Gomoku),
            ..Capabilities::default()
        }
    }
}

/// The manners: what they like.
const MANNERS: [Manner<Board>; 3] = [
    Manner { key: "fours", likes: |board, spot| makes(board, spot, board.side_to_move()).0 },
    Manner {
        key: "blocks",
        likes: |board, spot| {
            let (four, three) = makes(board, spot, !board.side_to_move());
            four || three
        },
    },
    Manner { key: "quiet", likes: |board, spot| makes(board, spot, board.side_to_move()) == (false, false) },
];

/// Whether a stone of a side would make a four or more on a point, and an open three.
fn makes(board: &Board, spot: Spot, side: Side) -> (bool, bool) {
    let makes = |wanted: fn(Pattern) -> bool| (0..4).any(|direction| wanted(board.pattern(spot, side, direction)));
    let four = |pattern| matches!(pattern, Pattern::Four | Pattern::TwoFours | Pattern::OpenFour | Pattern::Five);
    (makes(four), makes(Pattern::is_open_three))
}

impl Evaluations for Gomoku {
    fn trouble(&self, wanted: &Evaluation) -> Option<String> {
        let why = loading::network(wanted).err()?;
        Some(format!("{why}; the evaluation by values is used"))
    }

    /// A stone has no value of its own.
    fn worths(&self, _: &dyn State, _: &Evaluation) -> Option<Worths> {
        None
    }
}

/// The rule and the size of a variant; the default ones for a variant that does not exist.
fn rule_of(variant: &str) -> (Rule, u8) {
    Rule::of_variant(variant).unwrap_or((Rule::Freestyle, 15))
}

/// The stones of a draft that are on a board of this size.
fn stones(draft: &Draft, size: u8) -> Vec<(Spot, Side)> {
    let on_board = draft.pieces.iter().filter(|(at, _)| at.x < size && at.y < size);
    on_board.map(|(at, piece)| (Spot::new(at.x, at.y), piece.side)).collect()
}

impl crate::table::Placement for Gomoku {
    fn size(&self, variant: &str) -> (u8, u8) {
        let (_, size) = rule_of(variant);
        (size, size)
    }

    fn most(&self, variant: &str, _: Piece) -> usize {
        let (_, size) = rule_of(variant);
        usize::from(size).pow(2)
    }

    fn faults(&self, variant: &str, draft: &Draft) -> Vec<PositionFault> {
        let (rule, size) = rule_of(variant);
        notation::set_up(rule, size, &stones(draft, size), draft.turn).err().into_iter().collect()
    }

    fn text(&self, variant: &str, draft: &Draft) -> String {
        let (rule, size) = rule_of(variant);
        notation::text(&Board::with_stones(rule, size, &stones(draft, size), draft.turn))
    }

    fn read(&self, variant: &str, text: &str) -> Result<Draft, SetupError> {
        let (_, size) = rule_of(variant);
        let text = text.trim();
        // A list of moves.
        if !text.contains(['/', '.']) {
            let history = Gomoku::parse(variant, Some(text))?;
            let board = history.current();
            return Ok(Draft { pieces: Gomoku::pieces(board).into_iter().collect(), turn: board.side_to_move() });
        }
        let (stones, turn, _) = notation::read_stones(size, text).map_err(|(at, why)| SetupError::BadPosition { at, why })?;
        Ok(Draft { pieces: stones.into_iter().map(|(spot, side)| (spot.point(), piece(side))).collect(), turn })
    }
}
