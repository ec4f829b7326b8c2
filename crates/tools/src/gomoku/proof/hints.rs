//! Moves of the winner that are tried first because somebody names them: the answers of another tree, or lines of moves.

use qiju_core::games::gomoku::proof::board::{key_of, place, spot, stones};
use qiju_core::games::gomoku::proof::key::{Place, key, turned, turned_back};
use qiju_core::games::gomoku::proof::tree::{Damaged, Tree};
use qiju_core::games::gomoku::rules::board::Board;
use qiju_core::games::gomoku::rules::notation::read_moves;
use qiju_core::games::gomoku::rules::rule::Rule;
use qiju_core::rules::{Position, Side};
use std::collections::{HashMap, HashSet};

/// Why hints cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    /// It is a tree, but a damaged one.
    #[error("{0}")]
    Tree(#[from] Damaged),
    /// The tree is about a larger board.
    #[error("the tree is about a board of {0} lines, more than {1}")]
    Size(u8, u8),
    /// It is neither a tree nor text.
    #[error("it is neither a tree nor lines of moves")]
    Foreign,
    /// A line of moves cannot be read.
    #[error("line {0}: {1}")]
    Line(usize, String),
}

/// A tree is a hint to positions that are as far beside its own, at most.
const BESIDE: i16 = 2;

/// Moves to try first, by position. A wrong one costs time and nothing else.
pub struct Hints {
    trees: Vec<Tree>,
    /// How far the middle of a tree's board may lie beside that of the board: right and up, the nearest first.
    shifts: Vec<(i16, i16)>,
    /// By the hash of the position; the move is a place of the kept position.
    moves: HashMap<u64, Place>,
}

impl Default for Hints {
    fn default() -> Hints {
        let mut shifts: Vec<(i16, i16)> =
            (-BESIDE..=BESIDE).flat_map(|right| (-BESIDE..=BESIDE).map(move |up| (right, up))).collect();
        shifts.sort_by_key(|(right, up)| right * right + up * up);
        Hints { trees: Vec::new(), shifts, moves: HashMap::new() }
    }
}

impl Hints {
    /// Adds the hints of a file: a tree by any rule, on this board or a smaller one, which is tried a few points beside the middle too, or text with a line of moves from the empty board on each line, the last of which is
    /// the move to try. `rule` and `size` are those of the lines.
    ///
    /// # Errors
    /// It is neither, or about a larger board.
    pub fn add(&mut self, bytes: Vec<u8>, rule: Rule, size: u8) -> Result<(), Unreadable> {
        if Tree::is_one(&bytes) {
            let tree = Tree::read(bytes)?;
            if tree.title().size > size {
                return Err(Unreadable::Size(tree.title().size, size));
            }
            self.add_tree(tree);
            return Ok(());
        }
        let text = String::from_utf8(bytes).map_err(|_| Unreadable::Foreign)?;
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
            let failed = |why: String| Unreadable::Line(number, why);
            let mut history = read_moves(rule, size, line).map_err(|(at, why)| failed(format!("character {at}: {why}")))?;
            let last = history.pop().ok_or_else(|| failed("there is no move".to_owned()))?;
            let key = key_of(history.current());
            self.moves.insert(key.hash, turned(place(last, size), key.symmetry, size));
        }
        Ok(())
    }

    /// Adds the answers of a tree.
    pub fn add_tree(&mut self, tree: Tree) {
        self.trees.push(tree);
    }

    /// The move to try first in this position.
    pub fn answer(&self, board: &Board) -> Option<Place> {
        self.of_line(board).or_else(|| self.of_tree(board))
    }

    /// The move that a line names.
    pub fn of_line(&self, board: &Board) -> Option<Place> {
        let known = key_of(board);
        self.moves.get(&known.hash).map(|&place| turned_back(place, known.symmetry, board.size()))
    }

    /// The move that a tree names.
    pub fn of_tree(&self, board: &Board) -> Option<Place> {
        self.shifts.iter().find_map(|shift| self.trees.iter().find_map(|tree| answer_of(tree, board, *shift)))
    }
}

/// The answer of a tree in a position on a board of its size or a larger one. The middle of the smaller board lies so far beside that of the larger one;
/// stones of the defender beside it are moved to its edge.
fn answer_of(tree: &Tree, board: &Board, (right, up): (i16, i16)) -> Option<Place> {
    let (size, less) = (board.size(), tree.title().size);
    let (wide, narrow, begin) = (i16::from(size), i16::from(less), i16::from(size / 2 - less / 2));
    let inside = |at: i16, begin: i16| at.clamp(begin, begin + narrow - 1) - begin;
    let mut taken = HashSet::new();
    let moved = |(place, side): (Place, Side)| {
        let (x, y) = (i16::try_from(place).ok()? % wide, i16::try_from(place).ok()? / wide);
        let (across, along) = (inside(x, begin + right), inside(y, begin + up));
        let stays = (across + begin + right, along + begin + up) == (x, y);
        let there = Place::try_from(along * narrow + across).ok()?;
        ((stays || side != board.side_to_move()) && taken.insert(there)).then_some((there, side))
    };
    let there: Vec<(Place, Side)> = stones(board).map(moved).collect::<Option<_>>()?;
    let place = i16::try_from(tree.answer(key(there.into_iter(), less))?.place).ok()?;
    let (x, y) = (place % narrow + begin + right, place / narrow + begin + up);
    let on_board = (0..wide).contains(&x) && (0..wide).contains(&y);
    let place = Place::try_from(y * wide + x).ok().filter(|_| on_board)?;
    board.is_empty(spot(place, size)).then_some(place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use qiju_core::games::gomoku::proof::tree::{Answer, Title};
    use qiju_core::games::gomoku::rules::spot::Spot;

    fn after(size: u8, moves: &str) -> Board {
        read_moves(Rule::Freestyle, size, moves).unwrap().current().clone()
    }

    fn place_of(name: &str) -> Place {
        place(Spot::from_name(name, 15).unwrap(), 15)
    }

    #[test]
    fn a_line_names_the_move_of_its_last_position() {
        let mut hints = Hints::default();
        hints.add(b"h8 i9 i7\n\nh8n8g7f6,i7\n".to_vec(), Rule::Freestyle, 15).unwrap();
        let told = |moves| hints.answer(&after(15, moves));
        assert_eq!((told("h8i9"), told("h8n8g7f6")), (Some(place_of("i7")), Some(place_of("i7"))));
        // The same turned by a half: i9 becomes g7, and i7 becomes g9 or, mirrored, i7.
        assert!([place_of("g9"), place_of("i7")].map(Some).contains(&told("h8g7")), "{:?}", told("h8g7"));
        assert_eq!((told("h8"), told("h8n8")), (None, None));
        // Six in a row end the game by the rule freestyle only.
        let six = "d4a1e4b1f4c1h4a3i4b3g4c3j8";
        assert!(Hints::default().add(six.into(), Rule::Freestyle, 15).is_err());
        Hints::default().add(six.into(), Rule::Standard, 15).unwrap();
    }

    #[test]
    fn a_tree_of_another_rule_names_its_answers() {
        let board = after(15, "h8n8");
        let key = key_of(&board);
        let answer = Answer { place: turned(place_of("g7"), key.symmetry, 15), moves: 9 };
        let title = |size| Title { exact: false, size, stones: Vec::new(), open: Vec::new() };
        let mut hints = Hints::default();
        hints.add(Tree::pack(&title(15), 17, &[(key.hash, answer)]).unwrap(), Rule::Standard, 15).unwrap();
        assert_eq!(hints.answer(&board), Some(place_of("g7")));
        let other = hints.add(Tree::pack(&title(19), 17, &[]).unwrap(), Rule::Standard, 15).unwrap_err();
        assert_eq!(other.to_string(), "the tree is about a board of 19 lines, more than 15");
        assert_eq!(hints.answer(&after(15, "h8n9")), None);
    }

    #[test]
    fn a_tree_of_a_smaller_board_names_its_answers() {
        let key = key_of(&after(15, "h8o15"));
        let answer = Answer { place: turned(place_of("g7"), key.symmetry, 15), moves: 9 };
        let title = Title { exact: false, size: 15, stones: Vec::new(), open: Vec::new() };
        let tree = Tree::pack(&title, 17, &[(key.hash, answer)]).unwrap();
        let names = |size: u8, moves: &str| {
            let mut hints = Hints::default();
            hints.add(tree.clone(), Rule::Freestyle, size).unwrap();
            hints.answer(&after(size, moves)).map(|there| spot(there, size).to_string())
        };
        // The middles are j10 and k11, and the corner o15 becomes q17 and r18. What lies beyond it counts as the corner.
        for (size, expected, replies) in [(19, "i9", ["j10q17", "j10r18", "j10s19"]), (20, "j10", ["k11r18", "k11s20", "k11t20"])]
        {
            for moves in replies {
                assert_eq!(names(size, moves).as_deref(), Some(expected), "{moves}");
            }
            assert_eq!(names(size, "f6o15"), None);
        }
        // Both stones of the defender would be in the corner, and a stone of the winner lies beyond it.
        assert_eq!((names(19, "j10r18j11s19"), names(19, "s19a1")), (None, None));
        // The first stone is beside the middle, and so is the answer. That of a tree has to be two points from the middle at most.
        let beside = [("g8o15", "f7"), ("h7o15", "g6"), ("f6o15", "e5"), ("f6m13", "e5")];
        for (moves, expected) in beside {
            assert_eq!(names(15, moves).as_deref(), Some(expected), "{moves}");
        }
        assert_eq!((names(15, "e8o15"), names(15, "h8n15")), (None, None));
    }

    #[test]
    fn other_files_are_refused() {
        let refused = |bytes: &[u8]| Hints::default().add(bytes.to_vec(), Rule::Freestyle, 15).unwrap_err().to_string();
        assert_eq!(refused(b"\xff\xfe"), "it is neither a tree nor lines of moves");
        assert!(refused(b"h8i9\nh8 z9").starts_with("line 2: character 4: "), "{}", refused(b"h8i9\nh8 z9"));
        assert_eq!(refused(b"h8\n,"), "line 2: there is no move");
        let title = Title { exact: false, size: 15, stones: Vec::new(), open: Vec::new() };
        let mut damaged = Tree::pack(&title, 17, &[]).unwrap();
        let last = damaged.len() - 1;
        damaged[last] ^= 1;
        assert_eq!(refused(&damaged), "the tree is damaged: it does not match its checksum");
    }
}
