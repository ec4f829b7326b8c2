//! `endings`: makes the tablebase of xiangqi, by retrograde analysis of all positions of a family.

use flate2::Compression;
use flate2::write::DeflateEncoder;
use qiju_core::games::xiangqi::engine::endings::{FAMILIES, Family, HEAD, Tables, locate};
use qiju_core::games::xiangqi::rules::board::{Board, Move};
use qiju_core::rules::{Position, Side};
use qiju_core::storage::{crc32, replace_file};
use qiju_core::terminal::{Bar, Failure, aside, line};
use std::io::Write;
use std::path::PathBuf;

/// Makes the tablebase of xiangqi. It takes about half a minute, so it is not continued when it is stopped.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

pub fn run(args: &Args) -> Result<(), Failure> {
    let mut tables = Tables::default();
    for family in &FAMILIES {
        let table = solve(family, &tables);
        let of = |turn: usize| &table[turn * table.len() / 2..(turn + 1) * table.len() / 2];
        let won = |turn: usize| of(turn).iter().filter(|value| **value > 0).count();
        let longest = table.iter().max().map_or(0, |value| u32::from(value.saturating_sub(1)));
        line(&format!(
            "{}: {} places, won with the attacker to move {}, with the other side to move {}, at most {longest} plies",
            family.name,
            table.len(),
            won(0),
            won(1)
        ))?;
        tables.0.push(table);
    }
    let failed = |why: std::io::Error| Failure::work(format!("{}: {why}", args.out.display()));
    let mut packed = DeflateEncoder::new(Vec::new(), Compression::best());
    for table in &tables.0 {
        packed.write_all(table).map_err(failed)?;
    }
    let body = packed.finish().map_err(failed)?;
    let bytes = [format!("{HEAD} {:08x}\n", crc32([body.as_slice()])).as_bytes(), &body].concat();
    replace_file(&args.out, &bytes).map_err(|error| Failure::work(format!("{}: {error}", args.out.display())))?;
    aside(&format!("{}: {} bytes", args.out.display(), bytes.len()));
    Ok(())
}

/// What follows a position.
#[derive(Clone, Copy)]
enum Next {
    /// This position of the same family.
    Here(u32),
    /// One of a family that is solved: the byte of its table.
    Known(u8),
}

/// The moves of a family's positions: those of position `n` are `all[from[n]..from[n + 1]]`.
struct Moves {
    from: Vec<u32>,
    all: Vec<Next>,
    /// The positions that can occur.
    possible: Vec<bool>,
}

fn moves(family: &Family, number: usize, solved: &Tables) -> Moves {
    let count = family.positions();
    let mut moves = Moves { from: vec![0; count + 1], all: Vec::new(), possible: vec![false; count] };
    let bar = Bar::new(family.name);
    let mut legal: Vec<Move> = Vec::new();
    for index in 0..count {
        if index % 100_000 == 0 {
            bar.show(index as u64, count as u64);
        }
        if let Some(mut board) = family.position(index).filter(is_possible) {
            moves.possible[index] = true;
            legal.clear();
            board.legal_moves(&mut legal);
            for &mv in &legal {
                let undo = board.make(mv);
                moves.all.push(match locate(&board) {
                    Some((family, Side::First, index)) if family == number => Next::Here(index as u32),
                    Some((family, Side::First, index)) => Next::Known(solved.0[family][index]),
                    // The attackers were captured.
                    _ => Next::Known(0),
                });
                board.unmake(mv, undo);
            }
        }
        moves.from[index + 1] = moves.all.len() as u32;
    }
    bar.close();
    moves
}

/// The side that has moved is not in check, and the generals do not face each other.
fn is_possible(board: &Board) -> bool {
    !board.in_check(!board.turn()) && !board.generals_face()
}

/// The table of a family. In each round the positions that are decided in one more ply are found.
fn solve(family: &Family, solved: &Tables) -> Vec<u8> {
    let Moves { from, all, possible } = moves(family, solved.0.len(), solved);
    let count = family.positions();
    let mut table = vec![0_u8; count];
    // The longest win among the families that are solved: rounds without a new position may come before it.
    let latest = all.iter().map(|next| if let Next::Known(value) = next { *value } else { 0 }).max().unwrap_or(0);
    for value in 1..=u8::MAX {
        // With the value 1, no ply is left: the other side is mated.
        let attacks = value % 2 == 0;
        let turn = if attacks { 0..count / 2 } else { count / 2..count };
        let mut found = Vec::new();
        for index in turn.filter(|index| table[*index] == 0 && possible[*index]) {
            let next = &all[from[index] as usize..from[index + 1] as usize];
            let value_of = |next: &Next| match *next {
                Next::Here(index) => table[index as usize],
                Next::Known(value) => value,
            };
            let decided = |next: &Next| (1..value).contains(&value_of(next));
            if if attacks { next.iter().any(decided) } else { next.iter().all(decided) } {
                found.push(index);
            }
        }
        if found.is_empty() && value > latest.saturating_add(2) && value > 2 {
            break;
        }
        found.into_iter().for_each(|index| table[index] = value);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use qiju_core::games::xiangqi::engine::endings::shipped;

    /// A family is solved again, and is what the program ships.
    #[test]
    fn the_soldiers_table_is_made_again() {
        let number = FAMILIES.iter().position(|family| family.name == "soldier").unwrap();
        let solved = Tables(shipped().unwrap().0[..number].to_vec());
        assert!(solve(&FAMILIES[number], &solved) == shipped().unwrap().0[number]);
    }
}
