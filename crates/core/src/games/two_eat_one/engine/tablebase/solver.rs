//! Solves the whole game by retrograde analysis, class by class: win, draw or loss and the exact number of plies.
//!
//! The method is Thompson's ("Retrograde analysis of certain endgames", 1986), adapted to this game. Let M be the stones of the side to move and E those of
//! its opponent. After a quiet move from M to M' the position is (E, M') for the other side, so all quiet successors of the positions against E are in
//! one row of the table, the row of E. There are two tables: the table of values (answers) has a row for each set of the mover's stones, the table of
//! undecided positions (questions) a row for each set of the opponent's stones. From the positions just decided in row E of the values, quiet moves are
//! taken back within row E of the questions. This row has only a few kilobytes and stays in the processor's cache; only the answer, once per position, is
//! written to the table of values.
//!
//! A level is a number of plies to the end: lost positions are decided at even levels, won positions at odd levels. Positions that are never decided are drawn.

use super::indexing::{BINOMIAL, Layout, MOST, bits};
use super::tables::{Class, Tables, decode, encode, groups};
use crate::games::two_eat_one::rules::board::{Bits, Kind};
use crate::search::{Known, StopToken, Verdict, spawn};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering::Relaxed};

/// The settings and callbacks of the solver.
pub struct Watch<'a> {
    /// The number of threads.
    pub threads: usize,
    /// Stops the solver when raised.
    pub stop: &'a StopToken,
    /// Called from time to time with the number of finished slots and of all slots.
    pub progress: &'a (dyn Fn(u64, u64) + Sync),
}

/// The solver was stopped by its caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// Solves a class and its mirror class. All groups with fewer stones must be solved already.
///
/// # Errors
/// The stop token was raised; then `tables` is unchanged.
pub fn solve_group(tables: &mut Tables, (a, b): Class, watch: &Watch, finished: u64, whole: u64) -> Result<(), Stopped> {
    let layout = tables.layout();
    let classes: &[Class] = if a == b { &[(a, a)] } else { &[(a, b), (b, a)] };
    let answers: Vec<Answers> = classes.iter().map(|&class| Answers::new(layout, class)).collect();
    let mut questions: Vec<Questions> = classes.iter().map(|&class| Questions::new(layout, class)).collect();
    let slots: usize = classes.iter().map(|&class| layout.slots(class)).sum();
    let stopped = || watch.stop.is_stopped();
    let mirror = |side: usize| classes.len() - 1 - side;

    // The ends of the game and the captures.
    for (side, questions) in questions.iter_mut().enumerate() {
        let done = AtomicUsize::new(0);
        let rows = questions.geometry.len();
        let class_slots = layout.slots(classes[side]) as u64;
        let before = finished + if side == 1 { layout.slots(classes[0]) as u64 / 2 } else { 0 };
        let tables = &*tables;
        questions.for_each_row(watch.threads, |mut row| {
            if !stopped() {
                row.begin(tables, &answers[side]);
                let done = done.fetch_add(1, Relaxed);
                if done.is_multiple_of(64) {
                    (watch.progress)(before + class_slots * done as u64 / rows as u64 / 2, whole);
                }
            }
        });
    }
    let mut level = 0;
    let mut decided = 0;
    loop {
        if stopped() {
            return Err(Stopped);
        }
        let fresh: usize = answers.iter().map(Answers::next_level).sum();
        decided += fresh;
        let share = (slots / 2 + decided / 2) as u64;
        (watch.progress)(finished + share.min(slots as u64), whole);
        if fresh == 0 && questions.iter().all(|questions| questions.last_pending() <= level) {
            break;
        }
        for (side, questions) in questions.iter_mut().enumerate() {
            let (from, to) = (&answers[mirror(side)], &answers[side]);
            questions.for_each_row(watch.threads, |mut row| {
                if !stopped() {
                    row.take_back(level, from, to);
                }
            });
        }
        level += 1;
    }
    for (answers, &class) in answers.into_iter().zip(classes) {
        tables.insert(class, answers.codes.into_iter().map(AtomicU8::into_inner).collect());
    }
    Ok(())
}

/// Solves every class with up to `most` stones per side that is not yet in `tables`. `done` is called after each group.
///
/// # Errors
/// The stop token was raised, or `done` failed; the groups solved before stay in `tables`.
pub fn solve<E>(
    tables: &mut Tables,
    most: usize,
    watch: &Watch,
    mut done: impl FnMut(&Tables, Class) -> Result<(), E>,
) -> Result<(), SolveError<E>> {
    let groups = groups(most);
    let layout = tables.layout();
    let slots = |&(a, b): &Class| (layout.slots((a, b)) + if a == b { 0 } else { layout.slots((b, a)) }) as u64;
    let whole = groups.iter().map(slots).sum();
    let mut finished = 0;
    for group in groups {
        let (a, b) = group;
        if tables.class((a, b)).is_none() || tables.class((b, a)).is_none() {
            solve_group(tables, group, watch, finished, whole).map_err(|Stopped| SolveError::Stopped)?;
            done(tables, group).map_err(SolveError::Done)?;
        }
        finished += slots(&group);
        (watch.progress)(finished, whole);
    }
    Ok(())
}

/// Why the solver ended early.
#[derive(Debug)]
pub enum SolveError<E> {
    /// It was stopped.
    Stopped,
    /// The callback after a group failed.
    Done(E),
}

/// The values of a class decided so far: a row for each set of the mover's stones.
struct Answers {
    columns: usize,
    words: usize,
    codes: Vec<AtomicU8>,
    /// The slots decided at the current and at the next level, one bit per slot, rows padded to whole words.
    fresh: [Vec<AtomicU64>; 2],
    /// The index of the current level's set.
    present: AtomicUsize,
    /// The number of slots decided at the next level so far.
    coming: AtomicUsize,
}

fn zeroed<T: Default>(count: usize) -> Vec<T> {
    std::iter::repeat_with(T::default).take(count).collect()
}

impl Answers {
    fn new(layout: &Layout, class: Class) -> Answers {
        let columns = layout.among_free(class.0, class.1).len();
        let rows = layout.orbits(class.0).len();
        let words = columns.div_ceil(64);
        Answers {
            columns,
            words,
            codes: zeroed(rows * columns),
            fresh: [zeroed(rows * words), zeroed(rows * words)],
            present: AtomicUsize::new(0),
            coming: AtomicUsize::new(0),
        }
    }

    /// Makes the next level the current one; returns the number of its slots.
    fn next_level(&self) -> usize {
        self.present.fetch_xor(1, Relaxed);
        self.coming.swap(0, Relaxed)
    }

    #[inline(always)]
    fn decide(&self, orbit: usize, column: usize, code: u8) {
        self.codes[orbit * self.columns + column].store(code, Relaxed);
        let coming = &self.fresh[1 - self.present.load(Relaxed)];
        coming[orbit * self.words + column / 64].fetch_or(1 << (column % 64), Relaxed);
    }
}

/// The state of an undecided position in 16 bits: the number of quiet moves not decided yet and the result of the best capture.
type Question = u16;
const ANSWERED: Question = Question::MAX;
const OPEN_MOVES: Question = 0x1F;
/// The bits above the undecided moves: the best capture. 0 if there is none, then losses (longer is better), a draw, wins (shorter is better).
const CAPTURE: u32 = 5;
const CAPTURE_DRAW: Question = 128;
const CAPTURE_WIN: Question = 256;
const NEAREST_WIN: Question = CAPTURE_WIN + 255;

/// The rank in a [`Question`] of a capture that leads to a position with this exact value.
fn capture_rank(after: Verdict) -> Question {
    let exact = after.through();
    let moves = (exact.plies.unwrap_or_default() / 2) as Question;
    match exact.known {
        Known::Loss => moves,
        Known::Draw => CAPTURE_DRAW,
        Known::Win => NEAREST_WIN - moves,
    }
}

/// The level at which the best capture decides a position: a win at once, a loss only when no quiet move is undecided.
#[inline(always)]
fn pending_level(question: Question) -> Option<u32> {
    if question == ANSWERED {
        return None;
    }
    let (open, capture) = (question & OPEN_MOVES, question >> CAPTURE);
    if capture > CAPTURE_WIN {
        Some(u32::from(NEAREST_WIN - capture) * 2 + 1)
    } else if open == 0 && capture < CAPTURE_DRAW {
        Some(u32::from(capture) * 2)
    } else {
        None
    }
}

/// A set of levels, 0 to 255.
#[derive(Clone, Copy, Default)]
struct Levels([u64; 4]);

impl Levels {
    fn insert(&mut self, level: u32) {
        self.0[level as usize / 64] |= 1 << (level % 64);
    }
    fn contains(&self, level: u32) -> bool {
        self.0[level as usize / 64] >> (level % 64) & 1 != 0
    }
    fn last(&self) -> u32 {
        (0..4).rev().find(|word| self.0[*word] != 0).map_or(0, |word| 64 * word as u32 + 63 - self.0[word].leading_zeros())
    }
}

/// A capture pattern: if exactly these own stones are on the line, the two own stones capture the opponent's stones.
struct Pattern {
    /// The points of the line without a stone of the opponent, as indices of free points.
    line: Bits,
    /// The own stones, as indices of free points.
    pair: Bits,
    /// The captured stones, as points of the board.
    taken: Bits,
}

/// The geometry of a row of questions: all positions against one set of the opponent's stones, with the own stones numbered among the free points.
struct RowGeometry {
    opponent: Bits,
    /// For each free point, the free points next to it.
    neighbours: [Bits; 25],
    /// For each free point, the point of the board.
    points: [u8; 25],
    /// `C(points[i], order + 1)`: the part of a stone in the rank of its set on the whole board.
    shares: [[u32; 25]; MOST],
    patterns: Vec<Pattern>,
    /// The opponent's points, ascending, under each symmetry.
    images: [[u8; MOST]; 8],
}

/// The neighbouring points of each point of a board.
pub fn steps_on(kind: Kind) -> [Bits; 25] {
    let size = usize::from(kind.size());
    std::array::from_fn(|point| {
        let (row, column) = (point / size, point % size);
        if row >= size {
            return 0;
        }
        let mut next = 0;
        if row > 0 {
            next |= 1 << (point - size);
        }
        if row + 1 < size {
            next |= 1 << (point + size);
        }
        if column > 0 {
            next |= 1 << (point - 1);
        }
        if column + 1 < size {
            next |= 1 << (point + 1);
        }
        next
    })
}

impl RowGeometry {
    fn new(layout: &Layout, opponent: Bits) -> RowGeometry {
        let kind = layout.kind();
        let free = kind.board() & !opponent;
        let mut points = [0; 25];
        for (number, point) in bits(free).enumerate() {
            points[number] = point as u8;
        }
        let among_free = |set: Bits| -> Bits {
            bits(free).enumerate().filter(|(_, point)| set >> point & 1 != 0).fold(0, |out, (number, _)| out | 1 << number)
        };
        let steps = steps_on(kind);
        let mut neighbours = [0; 25];
        for (number, point) in bits(free).enumerate() {
            neighbours[number] = among_free(steps[point]);
        }
        let shares = std::array::from_fn(|order| std::array::from_fn(|number| BINOMIAL[usize::from(points[number])][order + 1]));
        let mut patterns = Vec::new();
        let size = usize::from(kind.size());
        for number in 0..2 * size {
            let on_line = |at: usize| if number < size { number * size + at } else { at * size + number - size };
            let spread = |set: usize| (0..size).filter(|at| set >> at & 1 != 0).fold(0, |out: Bits, at| out | 1 << on_line(at));
            let other = (0..size).filter(|at| opponent >> on_line(*at) & 1 != 0).fold(0, |out, at| out | 1 << at);
            for own in 0..1usize << size {
                let taken = kind.line_table()[own][other];
                if taken != 0 {
                    let line = among_free(spread((1 << size) - 1));
                    patterns.push(Pattern { line, pair: among_free(spread(own)), taken: spread(usize::from(taken)) });
                }
            }
        }
        let images = std::array::from_fn(|symmetry| {
            let mut points = [0; MOST];
            for (order, point) in bits(layout.image(symmetry, opponent)).enumerate() {
                points[order] = point as u8;
            }
            points
        });
        RowGeometry { opponent, neighbours, points, shares, patterns, images }
    }

    /// The own stones that would have captured if they had moved last.
    #[inline(always)]
    fn capturing(&self, own: Bits) -> Bits {
        let mut pairs = 0;
        for pattern in &self.patterns {
            pairs |= if own & pattern.line == pattern.pair { pattern.pair } else { 0 };
        }
        pairs
    }
}

/// The undecided positions of a class: a row for each set of the opponent's stones.
struct Questions {
    layout: &'static Layout,
    class: Class,
    columns: usize,
    questions: Vec<Question>,
    pending: Vec<Levels>,
    geometry: Vec<RowGeometry>,
}

/// One row of questions, processed by one thread.
struct Row<'a> {
    layout: &'static Layout,
    class: Class,
    orbit: usize,
    geometry: &'a RowGeometry,
    questions: &'a mut [Question],
    pending: &'a mut Levels,
}

impl Questions {
    fn new(layout: &'static Layout, class: Class) -> Questions {
        let (a, b) = class;
        let orbits = layout.orbits(b);
        let columns = layout.among_free(b, a).len();
        Questions {
            layout,
            class,
            columns,
            questions: vec![0; orbits.len() * columns],
            pending: vec![Levels::default(); orbits.len()],
            geometry: (0..orbits.len()).map(|orbit| RowGeometry::new(layout, orbits.representative(orbit))).collect(),
        }
    }

    fn last_pending(&self) -> u32 {
        self.pending.iter().map(Levels::last).max().unwrap_or(0)
    }

    /// Runs `work` on every row, with several threads.
    fn for_each_row(&mut self, threads: usize, work: impl Fn(Row) + Sync) {
        const BATCH: usize = 8;
        let (layout, class) = (self.layout, self.class);
        let rows = self.questions.chunks_mut(self.columns).zip(&mut self.pending).zip(&self.geometry).enumerate();
        let rows = Mutex::new(rows.map(|(orbit, ((questions, pending), geometry))| Row {
            layout,
            class,
            orbit,
            geometry,
            questions,
            pending,
        }));
        let run = || {
            let mut batch = Vec::with_capacity(BATCH);
            loop {
                batch.extend(rows.lock().expect("no thread has panicked").by_ref().take(BATCH));
                if batch.is_empty() {
                    break;
                }
                batch.drain(..).for_each(&work);
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..threads {
                spawn(scope, run);
            }
            run();
        });
    }
}

impl Row<'_> {
    /// Initialises the questions: counts the quiet moves, finds the best captures, and decides positions without a move.
    fn begin(&mut self, tables: &Tables, to: &Answers) {
        let (a, b) = self.class;
        let subsets = self.layout.among_free(b, a);
        let geometry = self.geometry;
        for (question, &own) in self.questions.iter_mut().zip(subsets.all()) {
            let mut moves = 0;
            let mut left = own;
            while left != 0 {
                moves += (geometry.neighbours[left.trailing_zeros() as usize] & !own).count_ones();
                left &= left - 1;
            }
            *question = moves as Question;
        }
        let mut lookups: Vec<Lookup> = Vec::new();
        for &own in subsets.all() {
            let capturing = geometry.capturing(own);
            for stone in bits(capturing) {
                let taken = geometry
                    .patterns
                    .iter()
                    .filter(|pattern| own & pattern.line == pattern.pair && pattern.pair >> stone & 1 != 0)
                    .fold(0, |taken, pattern| taken | pattern.taken);
                let known = lookups.iter().position(|lookup| lookup.taken == taken);
                let known = known.unwrap_or_else(|| {
                    lookups.push(Lookup::new(self.layout, geometry, taken, a));
                    lookups.len() - 1
                });
                let rank = capture_rank(lookups[known].probe(tables, own));
                let rest = own ^ 1 << stone;
                for from in bits(geometry.neighbours[stone] & !own) {
                    let question = &mut self.questions[subsets.rank(rest | 1 << from)];
                    let open = (*question & OPEN_MOVES) - 1;
                    *question = open | (*question >> CAPTURE).max(rank) << CAPTURE;
                }
            }
        }
        let mut levels = *self.pending;
        let mut lost = Vec::new();
        for (column, &question) in self.questions.iter().enumerate() {
            match pending_level(question) {
                Some(0) => lost.push(column),
                Some(level) => levels.insert(level),
                None => {}
            }
        }
        *self.pending = levels;
        let mut decided = 0;
        for column in lost {
            self.questions[column] = ANSWERED;
            decided += self.answer(subsets.all()[column], encode(Verdict::LOST), to);
        }
        to.coming.fetch_add(decided, Relaxed);
    }

    /// Takes back every quiet move that leads to a position decided in row `from` at `level`, and decides positions of the next level.
    fn take_back(&mut self, level: u32, from: &Answers, to: &Answers) {
        let (a, b) = self.class;
        let subsets = self.layout.among_free(b, a);
        let geometry = self.geometry;
        let code = level as u8 + 2;
        let lost = level.is_multiple_of(2);
        let mut decided = 0;
        if self.pending.contains(level + 1) {
            decided += self.answer_pending(level + 1, to);
        }
        let fresh = &from.fresh[from.present.load(Relaxed)][self.orbit * from.words..][..from.words];
        for (word, fresh) in fresh.iter().enumerate() {
            if fresh.load(Relaxed) == 0 {
                continue;
            }
            let mut left = fresh.swap(0, Relaxed);
            while left != 0 {
                let own = subsets.all()[64 * word + left.trailing_zeros() as usize];
                left &= left - 1;
                let mut stones = own & !geometry.capturing(own);
                while stones != 0 {
                    let stone = stones.trailing_zeros();
                    stones &= stones - 1;
                    let rest = own ^ 1 << stone;
                    let mut sources = geometry.neighbours[stone as usize] & !own;
                    while sources != 0 {
                        let before = rest | sources & sources.wrapping_neg();
                        sources &= sources - 1;
                        let question = &mut self.questions[subsets.rank(before)];
                        if *question == ANSWERED {
                            continue;
                        }
                        if !lost {
                            *question -= 1;
                            match pending_level(*question) {
                                // A longer loss by a capture may still follow; a win by a capture is already recorded.
                                Some(later) if later > level + 1 => {
                                    self.pending.insert(later);
                                    continue;
                                }
                                Some(_) => {}
                                None => continue,
                            }
                        }
                        *question = ANSWERED;
                        decided += self.answer(before, code, to);
                    }
                }
            }
        }
        if decided > 0 {
            to.coming.fetch_add(decided, Relaxed);
        }
    }

    /// Decides the positions that a capture decides at `level`.
    fn answer_pending(&mut self, level: u32, to: &Answers) -> usize {
        // Such a question has either a win by a capture, or a loss by a capture and no undecided move.
        let (mask, wanted) = if level % 2 == 1 {
            (!OPEN_MOVES, (NEAREST_WIN - (level / 2) as Question) << CAPTURE)
        } else {
            (!0, ((level / 2) as Question) << CAPTURE)
        };
        let all = self.layout.among_free(self.class.1, self.class.0).all();
        let mut decided = 0;
        // Processed in blocks, so that blocks without such questions are skipped quickly.
        const BLOCK: usize = 64;
        for start in (0..self.questions.len()).step_by(BLOCK) {
            let end = (start + BLOCK).min(self.questions.len());
            if self.questions[start..end].iter().fold(false, |any, question| any | (question & mask == wanted)) {
                for (column, &own) in (start..end).zip(&all[start..end]) {
                    if self.questions[column] & mask == wanted {
                        debug_assert_eq!(pending_level(self.questions[column]), Some(level));
                        self.questions[column] = ANSWERED;
                        decided += self.answer(own, level as u8 + 1, to);
                    }
                }
            }
        }
        decided
    }

    /// Writes an answer to the table of values: to the slot of the position and, if the mover's stones are symmetric, to the equivalent slots. Returns 1.
    #[inline(always)]
    fn answer(&self, own: Bits, code: u8, to: &Answers) -> usize {
        let geometry = self.geometry;
        let orbits = self.layout.orbits(self.class.0);
        let mut rank = 0;
        let mut left = own;
        let mut order = 0;
        while left != 0 {
            rank += geometry.shares[order][left.trailing_zeros() as usize];
            left &= left - 1;
            order += 1;
        }
        let (orbit, symmetry) = orbits.by_rank(rank as usize);
        let below = orbits.free_below(orbit);
        let opponent = &geometry.images[symmetry][..self.class.1];
        let column: u32 =
            opponent.iter().enumerate().map(|(order, &point)| BINOMIAL[usize::from(below[usize::from(point)])][order + 1]).sum();
        to.decide(orbit, column as usize, code);
        let stabiliser = orbits.stabiliser(orbit);
        if stabiliser.len() > 1 {
            let image = self.layout.image(symmetry, geometry.opponent);
            for &symmetry in &stabiliser[1..] {
                let image = self.layout.image(usize::from(symmetry), image);
                let column: u32 =
                    bits(image).enumerate().map(|(order, point)| BINOMIAL[usize::from(below[point])][order + 1]).sum();
                to.decide(orbit, column as usize, code);
            }
        }
        1
    }
}

/// Looks up the values of the positions after one capture: the opponent, without the captured stones, is to move against any own stones.
struct Lookup {
    taken: Bits,
    /// The class and the row; `None` if too few stones are left and the game is over.
    row: Option<(Class, usize)>,
    columns: usize,
    /// For each point that was free before the capture, its index among the free points of the row.
    map: [u8; 25],
}

impl Lookup {
    fn new(layout: &Layout, geometry: &RowGeometry, taken: Bits, own: usize) -> Lookup {
        let left = geometry.opponent & !taken;
        let count = left.count_ones() as usize;
        let mut lookup = Lookup { taken, row: None, columns: 0, map: [0; 25] };
        if count < 2 {
            return lookup;
        }
        let (orbit, symmetry) = layout.orbits(count).of(left);
        let below = layout.orbits(count).free_below(orbit);
        lookup.row = Some(((count, own), orbit));
        lookup.columns = layout.among_free(count, own).len();
        for number in 0..layout.points() - geometry.opponent.count_ones() as usize {
            let image = layout.image(symmetry, 1 << geometry.points[number]).trailing_zeros();
            lookup.map[number] = below[image as usize];
        }
        lookup
    }

    fn probe(&self, tables: &Tables, own: Bits) -> Verdict {
        let Some((class, orbit)) = self.row else { return Verdict::LOST };
        let own = bits(own).fold(0, |out, number| out | 1 << self.map[number]);
        let codes = tables.class(class).expect("classes with fewer stones are solved");
        let column = tables.layout().among_free(class.0, class.1).rank(own);
        decode(codes[orbit * self.columns + column])
    }
}
