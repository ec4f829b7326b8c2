//! Finds the lattice of a board among the lines of a picture.
//!
//! Crossings that are neighbours on lines are joined to a net, which is laid on whole coordinates. Then the board is the window of this net in which the
//! lines are there that it must have, and those are not there that it must not have: beyond its edges, and on the river.

use super::lines::Lines;
use super::raster::{Raster, Turned};
use crate::table::{Board, Grid};
use std::collections::{BTreeMap, VecDeque};

/// The longer side of a picture in which lines are looked for, in pixels: large pictures are made smaller, and looked at again as they are.
const SIDE: f32 = 1000.0;
const LARGE: f32 = 2600.0;
/// Pictures below this are made larger.
const SMALL: f32 = 520.0;
/// How much lines stand out, in 256 steps of brightness: first those that are easily seen.
const CONTRASTS: [f32; 3] = [24.0, 12.0, 6.0];
/// The smallest cell, in pixels.
const CELL: f32 = 11.0;
/// How far a crossing may be from its place in the net, in cells.
const NEAR: f32 = 0.12;
/// The net is not followed further from its first crossing.
const FARTHEST: i32 = 30;
/// With this share of its lines a board is taken without further search.
const SURE: f32 = 0.88;
/// Angles at which a picture is looked at if no board is seen in it as it is, in degrees.
const ANGLES: [f32; 6] = [3.0, -3.0, 6.0, -6.0, 9.0, -9.0];

/// Where the points of a board lie in a picture: a projection from the lattice, columns from the left and rows from the top, to pixels.
#[derive(Clone, Copy, Debug)]
pub struct Lattice {
    projection: [f32; 8],
}

/// A board in a picture.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// The number of the board among those that were looked for.
    pub board: usize,
    /// Its points.
    pub lattice: Lattice,
    /// The share of its lines that was seen, less what should not be there.
    pub score: f32,
}

impl Lattice {
    /// The pixel of a place in columns and rows.
    pub fn at(&self, column: f32, row: f32) -> (f32, f32) {
        let [a, b, c, d, e, f, g, h] = self.projection;
        let depth = g * column + h * row + 1.0;
        ((a * column + b * row + c) / depth, (d * column + e * row + f) / depth)
    }

    /// The projection that leads from these whole coordinates nearest to these pixels: the least squares of the equations without a fraction. With
    /// `depth` it may be in perspective.
    pub(super) fn fit(pairs: &[((f32, f32), (f32, f32))], depth: bool) -> Option<Lattice> {
        let size = if depth { 8 } else { 6 };
        let mut sums = vec![vec![0.0f64; size + 1]; size];
        let mut add = |row: [f64; 8], value: f64| {
            for i in 0..size {
                for j in 0..size {
                    sums[i][j] += row[i] * row[j];
                }
                sums[i][size] += row[i] * value;
            }
        };
        for &((u, v), (x, y)) in pairs {
            let (u, v, x, y) = (f64::from(u), f64::from(v), f64::from(x), f64::from(y));
            add([u, v, 1.0, 0.0, 0.0, 0.0, -u * x, -v * x], x);
            add([0.0, 0.0, 0.0, u, v, 1.0, -u * y, -v * y], y);
        }
        let solution = solve(sums)?;
        let mut projection = [0.0; 8];
        projection.iter_mut().zip(solution).for_each(|(to, value)| *to = value as f32);
        Some(Lattice { projection })
    }

    /// The same lattice with other coordinates at its first point.
    fn moved(&self, column: f32, row: f32) -> Lattice {
        let [a, b, c, d, e, f, g, h] = self.projection;
        let depth = g * column + h * row + 1.0;
        let (x, y) = (a * column + b * row + c, d * column + e * row + f);
        Lattice { projection: [a, b, x, d, e, y, g, h].map(|value| value / depth) }
    }

    /// The mean distance of crossings from their places, in cells.
    fn residual(&self, pairs: &[((f32, f32), (f32, f32))], cell: f32) -> f32 {
        let away = |((u, v), (x, y)): &((f32, f32), (f32, f32))| {
            let at = self.at(*u, *v);
            (at.0 - x).hypot(at.1 - y)
        };
        pairs.iter().map(away).sum::<f32>() / pairs.len() as f32 / cell
    }
}

/// Solves linear equations by elimination; `None` if they have no single solution.
fn solve(mut rows: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let size = rows.len();
    for column in 0..size {
        let pivot = (column..size).max_by(|a, b| rows[*a][column].abs().total_cmp(&rows[*b][column].abs()))?;
        if rows[pivot][column].abs() < 1e-9 {
            return None;
        }
        rows.swap(column, pivot);
        let first = rows[column].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(at, _)| *at != column) {
            let factor = row[column] / first[column];
            if factor != 0.0 {
                row.iter_mut().zip(&first).for_each(|(value, first)| *value -= factor * first);
            }
        }
    }
    Some((0..size).map(|at| rows[at][size] / rows[at][at]).collect())
}

/// A net of crossings on whole coordinates.
struct Net {
    nodes: BTreeMap<(i32, i32), (f32, f32)>,
    lattice: Lattice,
    cell: f32,
}

/// The lengths that occur most often, the most frequent first.
fn frequent(lengths: &[f32], within: (f32, f32), most: usize) -> Vec<f32> {
    let mut counts = vec![0u32; within.1 as usize + 3];
    for length in lengths.iter().filter(|length| (within.0..=within.1).contains(*length)) {
        let at = length.round() as usize;
        [(at - 1, 1), (at, 2), (at + 1, 1)].into_iter().for_each(|(at, weight)| counts[at] += weight);
    }
    let mut peaks: Vec<usize> = (1..counts.len() - 1)
        .filter(|at| counts[*at] >= 4 && counts[*at] >= counts[at - 1] && counts[*at] > counts[at + 1])
        .collect();
    peaks.sort_by_key(|at| std::cmp::Reverse(counts[*at]));
    peaks.truncate(most);
    peaks.into_iter().map(|at| at as f32).collect()
}

impl Net {
    /// The nets of lines with cells of any size, at most a few.
    fn all(lines: &Lines) -> Vec<Net> {
        let length = |&(a, b): &(usize, usize)| {
            let (a, b) = (lines.crossings[a], lines.crossings[b]);
            (a.0 - b.0).hypot(a.1 - b.1)
        };
        let wide: Vec<f32> = lines.beside.iter().map(length).collect();
        let high: Vec<f32> = lines.below.iter().map(length).collect();
        let mut nets = Vec::new();
        for width in frequent(&wide, (CELL, 400.0), 6) {
            for height in frequent(&high, (width * 0.75, width * 1.34), 2) {
                let joined = |pairs: &[(usize, usize)], lengths: &[f32], wanted: f32| -> Vec<(usize, usize)> {
                    let fits = |(_, length): &(_, &f32)| (**length - wanted).abs() <= 0.06 * wanted + 1.0;
                    pairs.iter().copied().zip(lengths).filter(fits).map(|(pair, _)| pair).collect()
                };
                let (beside, below) = (joined(&lines.beside, &wide, width), joined(&lines.below, &high, height));
                nets.extend(Net::largest(lines, &beside, &below, (width, height)));
            }
        }
        nets
    }

    /// The largest net of crossings that are joined by these pairs.
    fn largest(lines: &Lines, beside: &[(usize, usize)], below: &[(usize, usize)], (width, height): (f32, f32)) -> Option<Net> {
        let mut joined: Vec<Vec<(usize, i32, i32)>> = vec![Vec::new(); lines.crossings.len()];
        for (pairs, (dx, dy)) in [(beside, (1, 0)), (below, (0, 1))] {
            for &(a, b) in pairs {
                joined[a].push((b, dx, dy));
                joined[b].push((a, -dx, -dy));
            }
        }
        let mut seen = vec![false; joined.len()];
        let mut best: Vec<(usize, (i32, i32))> = Vec::new();
        for start in 0..joined.len() {
            if seen[start] || joined[start].is_empty() {
                continue;
            }
            seen[start] = true;
            let (mut queue, mut part) = (VecDeque::from([(start, (0i32, 0i32))]), Vec::new());
            while let Some((at, (x, y))) = queue.pop_front() {
                part.push((at, (x, y)));
                for &(next, dx, dy) in &joined[at] {
                    let place = (x + dx, y + dy);
                    if !seen[next] && place.0.abs() <= FARTHEST && place.1.abs() <= FARTHEST {
                        seen[next] = true;
                        queue.push_back((next, place));
                    }
                }
            }
            if part.len() > best.len() {
                best = part;
            }
        }
        if best.len() < 4 {
            return None;
        }
        let nodes = best.into_iter().map(|(at, place)| (place, lines.crossings[at])).collect();
        Net::fitted(nodes, lines, (width * height).sqrt())
    }

    /// The net on these crossings, with all others that lie on its places.
    fn fitted(mut nodes: BTreeMap<(i32, i32), (f32, f32)>, lines: &Lines, cell: f32) -> Option<Net> {
        let of = |nodes: &BTreeMap<(i32, i32), (f32, f32)>| -> Vec<((f32, f32), (f32, f32))> {
            nodes.iter().map(|(place, at)| ((place.0 as f32, place.1 as f32), *at)).collect()
        };
        let mut lattice = Lattice::fit(&of(&nodes), false)?;
        for round in 0..3 {
            let [a, b, c, d, e, f, ..] = lattice.projection;
            let size = a * e - b * d;
            if size.abs() < 1.0 {
                return None;
            }
            let mut closest: BTreeMap<(i32, i32), (f32, (f32, f32))> = BTreeMap::new();
            for &(x, y) in lines.crossings.iter().filter(|at| !at.0.is_nan()) {
                let (u, v) = ((e * (x - c) - b * (y - f)) / size, (a * (y - f) - d * (x - c)) / size);
                let place = (u.round() as i32, v.round() as i32);
                let at = lattice.at(place.0 as f32, place.1 as f32);
                let away = (at.0 - x).hypot(at.1 - y) / cell;
                let near = place.0.abs() <= FARTHEST && place.1.abs() <= FARTHEST && away < NEAR;
                if near && closest.get(&place).is_none_or(|(best, _)| away < *best) {
                    closest.insert(place, (away, (x, y)));
                }
            }
            if closest.len() >= nodes.len() / 2 {
                nodes = closest.into_iter().map(|(place, (_, at))| (place, at)).collect();
            }
            let pairs = of(&nodes);
            lattice = Lattice::fit(&pairs, false)?;
            // A picture of a screen needs no perspective.
            if round == 2
                && pairs.len() >= 20
                && lattice.residual(&pairs, cell) > 0.02
                && let Some(deep) = Lattice::fit(&pairs, true)
            {
                lattice = deep;
            }
        }
        Some(Net { nodes, lattice, cell })
    }

    /// True if the line between two places is there, in its middle: elsewhere pieces may stand.
    fn has_line(&self, lines: &Lines, from: (i32, i32), across: bool) -> bool {
        let to = if across { (from.0 + 1, from.1) } else { (from.0, from.1 + 1) };
        let (a, b) = (self.lattice.at(from.0 as f32, from.1 as f32), self.lattice.at(to.0 as f32, to.1 as f32));
        let mask = if across { &lines.across } else { &lines.down };
        let slack = (self.cell * 0.04).max(1.0);
        let seen = [0.44, 0.47, 0.50, 0.53, 0.56].into_iter().filter(|part| {
            let (x, y) = (a.0 + (b.0 - a.0) * part, a.1 + (b.1 - a.1) * part);
            let beside = |away: f32| if across { mask.is_set(x, y + away) } else { mask.is_set(x + away, y) };
            beside(0.0) || beside(slack) || beside(-slack)
        });
        seen.count() >= 3
    }

    /// The lines between all places that a window can have.
    fn sums(&self, lines: &Lines, (columns, rows): (i32, i32)) -> Sums {
        let range = |of: &dyn Fn(&(i32, i32)) -> i32| {
            let numbers = self.nodes.keys().map(of);
            numbers.fold((i32::MAX, i32::MIN), |(low, high), number| (low.min(number), high.max(number)))
        };
        let ((left, right), (top, bottom)) = (range(&|place| place.0), range(&|place| place.1));
        let (left, top) = (left - columns, top - rows);
        let (width, height) = ((right + columns - left) as usize, (bottom + rows - top) as usize);
        let count = |across: bool| {
            let mut sums = vec![0u32; (width + 1) * (height + 1)];
            for y in 0..height {
                let mut row = 0;
                for x in 0..width {
                    row += u32::from(self.has_line(lines, (left + x as i32, top + y as i32), across));
                    sums[(y + 1) * (width + 1) + x + 1] = sums[y * (width + 1) + x + 1] + row;
                }
            }
            sums
        };
        Sums { from: (left, top), size: (width, height), down: count(false), across: count(true) }
    }
}

/// How many lines there are in a window of the net: sums over all rectangles from the upper left place.
struct Sums {
    from: (i32, i32),
    size: (usize, usize),
    across: Vec<u32>,
    down: Vec<u32>,
}

impl Sums {
    /// The lines in an area of a window that begins at this place.
    fn count(&self, area: &Area, (x, y): (i32, i32)) -> u32 {
        let sums = if area.across { &self.across } else { &self.down };
        let inside = |at: i32, from: i32, size: usize| (at - from).clamp(0, size as i32) as usize;
        let at = |(column, row): (i32, i32)| {
            let (column, row) = (inside(x + column, self.from.0, self.size.0), inside(y + row, self.from.1, self.size.1));
            sums[row * (self.size.0 + 1) + column]
        };
        at(area.to) + at(area.from) - at((area.to.0, area.from.1)) - at((area.from.0, area.to.1))
    }

    /// The best window for a board: its score and its first place.
    fn window(&self, plan: &Plan) -> Option<(f32, (i32, i32))> {
        let ends = (self.from.0 + self.size.0 as i32, self.from.1 + self.size.1 as i32);
        let places = (self.from.1..ends.1).flat_map(|y| (self.from.0..ends.0).map(move |x| (x, y)));
        let scored = places.filter_map(|place| Some((plan.score(&|area| self.count(area, place))?, place)));
        scored.max_by(|a, b| a.0.total_cmp(&b.0))
    }
}

/// Lines of a window that begin in a rectangle, without its last column and row, and lead to the right or down.
struct Area {
    across: bool,
    from: (i32, i32),
    to: (i32, i32),
}

/// The lines that a board has and those that it has not.
struct Plan {
    lines: Vec<Area>,
    river: Vec<Area>,
    beyond: Vec<Area>,
}

/// The columns and rows of lines of a board.
fn size_of(board: &Board) -> (i32, i32) {
    let more = i32::from(board.grid == Grid::Cells);
    (i32::from(board.files) + more, i32::from(board.ranks) + more)
}

impl Plan {
    fn of(board: &Board) -> Plan {
        let (columns, rows) = size_of(board);
        // Cells often have no line around them all.
        let edge = i32::from(board.grid == Grid::Cells);
        let across = |from: (i32, i32), to: (i32, i32)| Area { across: true, from, to };
        let down = |from: (i32, i32), to: (i32, i32)| Area { across: false, from, to };
        let mut lines = vec![across((0, edge), (columns - 1, rows - edge))];
        let mut river = Vec::new();
        if let Grid::River(rank) = board.grid {
            let bank = rows - 2 - i32::from(rank);
            lines.extend([0, columns - 1].map(|column| down((column, 0), (column + 1, rows - 1))));
            lines.extend([(0, bank), (bank + 1, rows - 1)].map(|(from, to)| down((1, from), (columns - 1, to))));
            river.push(down((1, bank), (columns - 1, bank + 1)));
        } else {
            lines.push(down((edge, 0), (columns - edge, rows - 1)));
        }
        let beyond = vec![
            across((-1, edge), (0, rows - edge)),
            across((columns - 1, edge), (columns, rows - edge)),
            down((edge, -1), (columns - edge, 0)),
            down((edge, rows - 1), (columns - edge, rows)),
        ];
        Plan { lines, river, beyond }
    }

    /// The share of the lines that are there, less what should not be there; `None` where that is too much.
    fn score(&self, count: &dyn Fn(&Area) -> u32) -> Option<f32> {
        let whole = |areas: &[Area]| areas.iter().map(|area| (area.to.0 - area.from.0) * (area.to.1 - area.from.1)).sum::<i32>();
        let share = |areas: &[Area]| areas.iter().map(count).sum::<u32>() as f32 / whole(areas).max(1) as f32;
        // The fewer lines a board has, the more easily something else looks like it.
        let least = if whole(&self.lines) < 60 { 0.80 } else { 0.50 };
        let lines = Some(share(&self.lines)).filter(|lines| *lines >= least)?;
        let (river, beyond) = (share(&self.river), share(&self.beyond));
        (river <= 0.75 && beyond <= 0.34).then_some(lines - 0.3 * river - 0.5 * beyond)
    }
}

/// The boards in a picture that are one of these, the best first.
pub fn find(picture: &Raster, boards: &[&Board]) -> Vec<Found> {
    let longest = picture.width.max(picture.height) as f32;
    let mut scales = vec![if longest < SMALL { 2.0 } else { (SIDE / longest).min(1.0) }];
    if longest > SIDE && longest <= LARGE {
        scales.push(1.0);
    } else if longest > LARGE {
        scales.push(2000.0 / longest);
    }
    let mut found = Vec::new();
    for angle in std::iter::once(0.0).chain(ANGLES) {
        for &scale in if angle == 0.0 { &scales[..] } else { &scales[..1] } {
            let (grey, turned) = picture.grey(scale, angle.to_radians());
            for contrast in CONTRASTS {
                for dark in [true, false] {
                    let Some(lines) = Lines::of(&grey, dark, contrast) else { continue };
                    found.extend(among(&lines, boards, &turned));
                }
                if found.iter().any(|one: &Found| one.score >= SURE) {
                    break;
                }
            }
        }
        if !found.is_empty() {
            break;
        }
    }
    found.sort_by(|a, b| b.score.total_cmp(&a.score));
    found
}

/// The boards among lines.
fn among(lines: &Lines, boards: &[&Board], turned: &Turned) -> Vec<Found> {
    let mut found = Vec::new();
    let largest = boards.iter().map(|board| size_of(board)).fold((0, 0), |a, b| (a.0.max(b.0), a.1.max(b.1)));
    for net in Net::all(lines) {
        let sums = net.sums(lines, largest);
        for (number, board) in boards.iter().enumerate() {
            let Some((score, (x, y))) = sums.window(&Plan::of(board)) else { continue };
            let middle = if board.grid == Grid::Cells { 0.5 } else { 0.0 };
            let here = net.lattice.moved(x as f32 + middle, y as f32 + middle);
            // The same on the picture as it was.
            let (columns, rows) = (board.files - 1, board.ranks - 1);
            let places =
                [(0, 0), (columns, 0), (0, rows), (columns, rows), (columns / 2, rows / 2), (columns / 2, 0), (0, rows / 2)];
            let pairs = places.map(|(u, v)| {
                let (u, v) = (f32::from(u), f32::from(v));
                ((u, v), turned.back(here.at(u, v)))
            });
            let lattice = Lattice::fit(&pairs, true).or_else(|| Lattice::fit(&pairs, false));
            // A board may be cut off at its edge, but not more.
            let lattice =
                lattice.filter(|lattice| pairs[..4].iter().all(|((u, v), _)| turned.holds(lattice.at(*u, *v), 0.5 * net.cell)));
            found.extend(lattice.map(|lattice| Found { board: number, lattice, score }));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_projection_is_found_again() {
        let truth = Lattice { projection: [30.0, -1.0, 50.0, 2.0, 28.0, 40.0, 1e-3, -2e-3] };
        let pairs: Vec<_> = (0..40).map(|at| ((at % 8) as f32, (at / 8) as f32)).map(|(u, v)| ((u, v), truth.at(u, v))).collect();
        let fitted = Lattice::fit(&pairs, true).unwrap();
        assert!(fitted.residual(&pairs, 30.0) < 1e-3);
        let (a, b) = (truth.at(4.0, 7.0), truth.moved(3.0, 5.0).at(1.0, 2.0));
        assert!((a.0 - b.0).abs() < 1e-2 && (a.1 - b.1).abs() < 1e-2, "{a:?} {b:?}");
    }
}
