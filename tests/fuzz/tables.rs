//! Fuzzing of a table with random actions, undo and redo, and of its tree of variations: the state must always be the same as after playing the remaining
//! moves from the start.

use crate::budget::{Budget, guarded};
use fastrand::Rng;
use qiju_core::games::{Entry, REGISTRY};
use qiju_core::rules::Point;
use qiju_core::table::{Action, Cursor, NodeId, Origin, Setup, Table, Tree};

fn random_action(random: &mut Rng, table: &dyn Table) -> Action {
    let (files, ranks) = table.size();
    let mut point = || Point::new(random.u8(..=files), random.u8(..=ranks));
    let (from, to) = (point(), point());
    match random.u8(..8) {
        0 => Action::Pass,
        1 => Action::Choose(random.u8(..)),
        2..5 => Action::Drop(to),
        _ => Action::Step { from, to },
    }
}

/// A new table after these actions.
fn replayed(entry: &Entry, setup: &Setup, actions: &[Action]) -> Result<Box<dyn Table>, String> {
    let mut table = entry.table(setup).map_err(|error| error.to_string())?;
    for action in actions {
        table.play(*action).map_err(|error| format!("{action:?} was played and is refused now: {error}"))?;
    }
    Ok(table)
}

fn same(table: &dyn Table, fresh: &dyn Table) -> Result<(), String> {
    let face = |table: &dyn Table| {
        (table.position_text(), table.key(), table.ply(), table.outcome(), table.actions().len(), table.occurrences())
    };
    if face(table) == face(fresh) {
        Ok(())
    } else {
        Err(format!("{:?} after a detour, {:?} played straight", face(table), face(fresh)))
    }
}

fn setup(random: &mut Rng, entry: &Entry) -> Setup {
    Setup { variant: random.choice((entry.variants)()).map(|variant| (*variant).to_owned()), position: None }
}

/// Random actions, undo and redo. Returns the number of actions.
fn table(entry: &Entry, seed: u64) -> Result<u64, String> {
    let mut random = Rng::with_seed(seed);
    let setup = setup(&mut random, entry);
    let mut table = entry.table(&setup).map_err(|error| error.to_string())?;
    let (mut stands, mut undone): (Vec<Action>, Vec<Action>) = (Vec::new(), Vec::new());
    let steps = 60;
    for step in 0..steps {
        match random.u8(..12) {
            0..6 => {
                if let Some(action) = random.choice(table.actions()) {
                    table.play(action).map_err(|error| format!("legal and refused: {error}"))?;
                    stands.push(action);
                    undone.clear();
                }
            }
            6 | 7 => {
                let (action, before) = (random_action(&mut random, &*table), table.position_text());
                let legal = table.actions().contains(&action);
                let played = table.play(action);
                if played.is_ok() != legal {
                    return Err(format!("{action:?} in '{before}': legal {legal}, {played:?}"));
                }
                if legal {
                    stands.push(action);
                    undone.clear();
                } else if table.position_text() != before {
                    return Err(format!("{action:?} was refused and changed '{before}'"));
                }
            }
            8..10 => {
                if table.undo().is_none() != stands.is_empty() {
                    return Err("undo does not know what was played".to_owned());
                }
                undone.extend(stands.pop());
            }
            10 => {
                let Some(action) = undone.pop() else { continue };
                table.play(action).map_err(|why| format!("{action:?} was taken back and cannot be played again: {why}"))?;
                stands.push(action);
            }
            _ => table = table.boxed_clone(),
        }
        if table.played() != stands {
            return Err(format!("after step {step} of seed {seed} it tells other moves than were played"));
        }
        if random.u8(..20) == 0 {
            same(&*table, &*replayed(entry, &setup, &stands)?)?;
        }
    }
    same(&*table, &*replayed(entry, &setup, &stands)?)?;
    if seed.is_multiple_of(16) {
        table.self_check()?;
    }
    Ok(steps)
}

/// Extends, prunes and walks a tree of variations. Returns the number of actions.
fn tree(entry: &Entry, seed: u64) -> Result<u64, String> {
    let mut random = Rng::with_seed(seed);
    let setup = setup(&mut random, entry);
    let start = entry.table(&setup).map_err(|error| error.to_string())?;
    let (mut tree, mut cursor) = (Tree::new(), Cursor::at_root(start));
    let mut removed: Vec<(NodeId, usize)> = Vec::new();
    let steps = 80;
    for _ in 0..steps {
        let any = NodeId(random.u32(..tree.len() as u32));
        match random.u8(..12) {
            0..5 => {
                if let Some(action) = random.choice(cursor.table().actions()) {
                    cursor.play(&mut tree, action, Origin::Variation).map_err(|error| format!("legal and refused: {error}"))?;
                }
            }
            5 => {
                let action = random_action(&mut random, cursor.table());
                let legal = cursor.table().actions().contains(&action);
                let nodes = tree.len();
                let played = cursor.play(&mut tree, action, Origin::Variation);
                if played.is_ok() != legal || (!legal && tree.len() != nodes) {
                    return Err(format!("{action:?}: legal {legal}, played {}", played.is_ok()));
                }
            }
            6..9 if tree.is_attached(any) => drop(cursor.go(&tree, any)),
            9 if tree.is_attached(any) => {
                if random.bool() {
                    tree.promote(any);
                } else {
                    tree.make_main(any);
                    if !tree.is_main(any) {
                        return Err("the line made the main one is not".to_owned());
                    }
                }
            }
            10 if tree.is_attached(any) && tree.common(any, cursor.at()) != any => {
                if let Some(place) = tree.remove(any) {
                    removed.push((any, place));
                }
            }
            11 => {
                if let Some((node, place)) = removed.pop() {
                    let parent = tree.node(node).parent();
                    if tree.restore(node, place)
                        && parent.is_some_and(|parent| tree.is_attached(parent)) != tree.is_attached(node)
                    {
                        return Err("a restored line is not in the tree".to_owned());
                    }
                }
            }
            _ => {}
        }
        if !tree.is_attached(cursor.at()) {
            return Err("the cursor is at a node that was removed".to_owned());
        }
        if random.u8(..20) == 0 {
            same(cursor.table(), &*replayed(entry, &setup, &tree.actions_to(cursor.at()))?)?;
        }
    }
    same(cursor.table(), &*replayed(entry, &setup, &tree.actions_to(cursor.at()))?)?;
    let reached = tree.walk().count();
    let attached = (0..tree.len() as u32).filter(|number| tree.is_attached(NodeId(*number))).count();
    // The walk visits all nodes except, perhaps, the root where it begins.
    if reached != attached && reached + 1 != attached {
        return Err(format!("a walk meets {reached} of {attached} nodes"));
    }
    Ok(steps)
}

/// Tests tables and trees until the budget is used up. Returns the number of actions.
pub fn run(budget: &Budget) -> Result<u64, String> {
    let mut actions = 0;
    for (index, entry) in REGISTRY.iter().enumerate() {
        let share = budget.share(index, REGISTRY.len());
        for seed in share {
            let done = guarded(|| Ok(table(entry, seed)? + tree(entry, seed)?));
            actions += done.map_err(|why| format!("{}, seed {seed}: {why}", entry.key))?;
        }
    }
    Ok(actions)
}
