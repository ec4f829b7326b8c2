//! Checks that every position of every game must pass. The conformance tests call them through [`Table`](super::Table), because they
//! cannot use the game's own types.

use super::{Action, Change, Game, Notation, Piece};
use crate::rules::{Point, Position};
use std::collections::HashSet;

/// Applies changes to pieces and checks each one: target points must be empty, and pieces that move or leave must be on their points.
///
/// # Errors
/// The change that is wrong.
fn apply(pieces: &mut Vec<(Point, Piece)>, changes: &[Change]) -> Result<(), String> {
    let taken = |pieces: &[(Point, Piece)], at: Point| pieces.iter().position(|&(point, _)| point == at);
    for change in changes {
        let misfit = || format!("{change:?} is wrong for the pieces on the board");
        match *change {
            Change::Place { piece, at } => match taken(pieces, at) {
                None => pieces.push((at, piece)),
                Some(_) => return Err(misfit()),
            },
            Change::Slide { from, to } => match (taken(pieces, from), taken(pieces, to)) {
                (Some(index), None) => pieces[index].0 = to,
                _ => return Err(misfit()),
            },
            Change::Remove { piece, at } => match taken(pieces, at) {
                Some(index) if pieces[index].1 == piece => drop(pieces.swap_remove(index)),
                _ => return Err(misfit()),
            },
            Change::Flip { at, from, to } => match taken(pieces, at) {
                Some(index) if pieces[index].1 == from && from != to => pieces[index].1 = to,
                _ => return Err(misfit()),
            },
            Change::Pass if changes.len() > 1 => return Err("a pass changes nothing else".to_owned()),
            Change::Pass => {}
        }
    }
    Ok(())
}

/// Pieces in a fixed order, so that two lists can be compared.
fn sorted(mut pieces: Vec<(Point, Piece)>) -> Vec<(Point, Piece)> {
    pieces.sort_by_key(|&(point, piece)| (point, piece.side, piece.role));
    pieces
}

/// Checks a position and every legal move of it.
///
/// # Errors
/// The first check that failed.
pub(super) fn check<G: Game>(variant: &str, position: &G::Position) -> Result<(), String> {
    let text = G::text(position);
    let within = |why: String| format!("{text}: {why}");
    let moves = legal(position);
    if position.key() != position.key_from_scratch() {
        return Err(within("the key differs from the key computed from scratch".into()));
    }
    if position.outcome().is_some() != moves.is_empty() {
        return Err(within(format!("outcome {:?} but {} legal moves", position.outcome(), moves.len())));
    }
    let again = G::parse(variant, Some(&text)).map_err(|error| within(format!("its position text is refused: {error}")))?;
    let again = again.current();
    if (G::text(again), again.key()) != (text.clone(), position.key()) {
        return Err(within(format!("its position text is read back as {}", G::text(again))));
    }
    if sorted(G::pieces(again)) != sorted(G::pieces(position)) || set(&legal(again)) != set(&moves) {
        return Err(within("its position text is read back with other pieces or moves".into()));
    }
    let (files, ranks) = G::size(position);
    let off_board = |point: &Point| point.x >= files || point.y >= ranks;
    if let Some((point, _)) = G::pieces(position).iter().find(|(point, _)| off_board(point)) {
        return Err(within(format!("a piece outside the board at {point:?}")));
    }
    let actions: HashSet<_> = moves.iter().map(|&mv| G::action(position, mv)).collect();
    let codes: HashSet<_> = moves.iter().map(|&mv| G::Position::move_code(mv)).collect();
    if set(&moves).len() != moves.len() || actions.len() != moves.len() || codes.len() != moves.len() {
        return Err(within("two legal moves are equal, or have the same action or code".into()));
    }
    if codes.iter().any(|&code| code == 0 || code >= 1 << 15) {
        return Err(within("a move's code is 0 or too large".into()));
    }
    check_nonsense::<G>(position).map_err(within)?;
    let mut walker = position.clone();
    for mv in moves {
        check_move::<G>(position, &mut walker, mv).map_err(|why| within(format!("{mv:?}: {why}")))?;
    }
    Ok(())
}

fn check_move<G: Game>(
    position: &G::Position,
    walker: &mut G::Position,
    mv: <G::Position as Position>::Move,
) -> Result<(), String> {
    if !position.is_legal(mv) {
        return Err("generated but not legal".into());
    }
    for &notation in G::notations() {
        let written = G::write(position, mv, notation);
        match G::read(position, &written) {
            Ok(read) if read == mv => {}
            // One text may be a move in two notations.
            Ok(_) if G::readings(position, &written).contains(&mv) => {}
            Ok(read) => return Err(format!("written '{written}' ({}), read as {read:?}", notation.key())),
            Err(why) => return Err(format!("written '{written}' ({}), refused: {why}", notation.key())),
        }
    }
    let mut pieces = G::pieces(position);
    let changes = G::changes(position, mv);
    apply(&mut pieces, &changes)?;
    if (G::action(position, mv) == Action::Pass) != changes.contains(&Change::Pass) {
        return Err("its action and its changes disagree about a pass".into());
    }
    check_said::<G>(position, G::action(position, mv), &changes)?;
    let undo = walker.make(mv);
    if walker.key() != walker.key_from_scratch() {
        return Err("the key after it differs from the key computed from scratch".into());
    }
    if sorted(pieces) != sorted(G::pieces(walker)) {
        return Err("its changes do not lead to the pieces after it".into());
    }
    if walker.outcome().is_some() != legal(walker).is_empty() {
        return Err("after it, outcome and legal moves disagree".into());
    }
    walker.unmake(mv, undo);
    let same = G::text(walker) == G::text(position)
        && walker.key() == position.key()
        && walker.side_to_move() == position.side_to_move()
        && G::pieces(walker) == G::pieces(position)
        && legal(walker) == legal(position)
        && G::check(walker) == G::check(position)
        && walker.outcome() == position.outcome();
    if same { Ok(()) } else { Err("unmake does not restore the position".into()) }
}

/// Checks that a move changes what its action says, unless the game takes aside, and that a piece goes as far as it can.
///
/// # Errors
/// It changes something else, or goes another way.
fn check_said<G: Game>(position: &G::Position, action: Action, changes: &[Change]) -> Result<(), String> {
    let pieces = G::pieces(position);
    let on = |point: Point| pieces.iter().find(|(at, _)| *at == point).map(|(_, piece)| *piece);
    let said: Vec<Change> = match action {
        Action::Step { from, to } => {
            let piece = on(from).ok_or("no piece moves")?;
            let far = (to.x as i8 - from.x as i8, to.y as i8 - from.y as i8);
            if !G::steps(position, piece).contains(&far) {
                return Err(format!("a step of {far:?} is not among those of the piece"));
            }
            on(to).map(|piece| Change::Remove { piece, at: to }).into_iter().chain([Change::Slide { from, to }]).collect()
        }
        Action::Drop(at) => vec![Change::Place { piece: Piece { side: position.side_to_move(), role: 0 }, at }],
        Action::Pass => vec![Change::Pass],
        Action::Choose(_) => Vec::new(),
    };
    if G::TAKES_ASIDE || said == changes { Ok(()) } else { Err(format!("it says {said:?}, not {changes:?}")) }
}

fn legal<P: Position>(position: &P) -> Vec<P::Move> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves
}

fn set<M: Copy + Eq + std::hash::Hash>(moves: &[M]) -> HashSet<M> {
    moves.iter().copied().collect()
}

/// Checks that invalid move texts are refused in every notation.
///
/// # Errors
/// One was accepted.
fn check_nonsense<G: Game>(position: &G::Position) -> Result<(), String> {
    for text in ["", " ", "\u{0}?", "99999999999999999999", "a", "-", "炮炮炮炮", "é", "a-1", "0,0-", ",", "\u{301}a1"] {
        if let Ok(mv) = G::read(position, text) {
            return Err(format!("'{text}' is read as {:?} ({})", mv, G::write(position, mv, Notation::Uci)));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Side;

    #[test]
    fn changes_are_applied_and_undone() {
        let piece = |side| Piece { side, role: 0 };
        let (own, other) = (piece(Side::First), piece(Side::Second));
        let [a, b, c] = [0, 1, 2].map(|x| Point::new(x, 0));
        let before = vec![(b, other)];
        // (changes, pieces after them; `None` if they do not fit)
        let cases = [
            (
                vec![Change::Place { piece: own, at: a }, Change::Flip { at: b, from: other, to: own }],
                Some(vec![(b, own), (a, own)]),
            ),
            (vec![Change::Slide { from: b, to: c }], Some(vec![(c, other)])),
            (vec![Change::Remove { piece: other, at: b }], Some(Vec::new())),
            (vec![Change::Pass], Some(before.clone())),
            (vec![Change::Pass, Change::Pass], None),
            (vec![Change::Flip { at: b, from: own, to: other }], None),
            (vec![Change::Flip { at: b, from: other, to: other }], None),
            (vec![Change::Flip { at: a, from: other, to: own }], None),
            (vec![Change::Place { piece: own, at: b }], None),
        ];
        for (changes, after) in cases {
            let mut pieces = before.clone();
            assert_eq!(apply(&mut pieces, &changes).ok().map(|()| pieces.clone()), after, "{changes:?}");
            if after.is_some() {
                let back: Vec<Change> = changes.iter().rev().map(|change| change.reversed()).collect();
                apply(&mut pieces, &back).unwrap();
                assert_eq!(pieces, before, "{changes:?}");
            }
        }
    }
}
