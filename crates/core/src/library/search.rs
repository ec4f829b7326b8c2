//! The search: games by what is written about them and by their positions, and the moves that were played from a position.

use super::folding::folded;
use super::moves::{MOST_POINTS, PIECE_CODES, Replay, Start, Trend, code_of, index};
use super::store::{GameId, Library, OPENING_TAGS, Stored};
use crate::message;
use crate::message::Message;
use crate::record::{KEYWORDS, keywords_in};
use crate::rules::{Point, Side};
use crate::search::StopToken;
use crate::table::{Action, Draft, Image, OpeningRule, Origin, Piece, Table};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

/// The most bytes of an opening's code.
const CODE: usize = 3;
/// The most starts of games that are kept during a search.
const MOST_STARTS: usize = 100;

/// What is looked for on the boards of games.
pub struct PositionQuery {
    game: &'static str,
    size: (u8, u8),
    /// Only games by these rules, without their opening rule.
    variant: Option<String>,
    images: Vec<Image>,
    /// For each piece code and point, the images in which the piece stands there, as bits.
    wanted: Vec<u8>,
    /// The number of pieces.
    pieces: usize,
    /// There are no other pieces.
    exact: bool,
    /// The side to move, if it matters.
    turn: Option<Side>,
    /// How many pieces of each code are on the board, if this is looked for and not where they stand; `None` for any number. One of these must hold.
    material: Vec<[Option<u8>; PIECE_CODES]>,
}

impl PositionQuery {
    /// The position of a table and its images. The rules of the game may be others on the same board, unless `same_rules`.
    ///
    /// # Errors
    /// A library cannot hold such a board.
    pub fn position(table: &dyn Table, same_rules: bool) -> Result<PositionQuery, Message> {
        PositionQuery::of(table, &table.pieces(), Some(table.turn()), same_rules)
    }

    /// These pieces, wherever the others are and whoever is to move. The table tells the board and the rules.
    ///
    /// # Errors
    /// There are no pieces, or a library cannot hold such a board.
    pub fn formation(table: &dyn Table, pieces: &[(Point, Piece)], same_rules: bool) -> Result<PositionQuery, Message> {
        if pieces.is_empty() {
            return Err(message!("a formation has at least one piece"));
        }
        PositionQuery::of(table, pieces, None, same_rules)
    }

    fn of(table: &dyn Table, pieces: &[(Point, Piece)], turn: Option<Side>, same_rules: bool) -> Result<PositionQuery, Message> {
        let size = table.size();
        let cannot = || message!("a library cannot hold this board");
        let images: Vec<Image> = table.images().into_iter().map(|(image, _)| image).collect();
        let mut wanted = vec![0; PIECE_CODES * MOST_POINTS];
        for (number, image) in images.iter().enumerate() {
            for (at, piece) in pieces {
                let code = code_of(*piece).ok_or_else(cannot)?;
                let point = index(image.of(*at, size), size);
                *wanted.get_mut(usize::from(code) * MOST_POINTS + point).ok_or_else(cannot)? |= 1u8 << number;
            }
        }
        let (exact, material) = (turn.is_some(), Vec::new());
        Ok(PositionQuery {
            game: table.game(),
            size,
            variant: rules_of(table, same_rules),
            images,
            wanted,
            pieces: pieces.len(),
            exact,
            turn,
            material,
        })
    }

    /// These pieces, wherever they stand and whoever is to move: `RH-C` is a chariot and a horse against a cannon. The letters are those of the game's
    /// position text. Pieces that a side always has are left out. Of kinds that are not named there is none, but any number of a side with `*`.
    /// Either side may have the pieces before the dash, unless `as_told`: then they are the first side's. The table tells the board and the rules.
    ///
    /// # Errors
    /// This is no such text, or the game has only one kind of pieces.
    pub fn material(table: &dyn Table, text: &str, as_told: bool, same_rules: bool) -> Result<PositionQuery, Message> {
        let pieces = table.pieces();
        let game = table.game();
        let no_kinds = || message!("{} has only one kind of pieces", game);
        let placement = table.capabilities().placement.ok_or_else(no_kinds)?;
        let variant = table.setup().variant.clone().unwrap_or_default();
        let most = |role: u8, side: Side| placement.most(&variant, Piece { side, role });
        let roles: BTreeSet<u8> = pieces.iter().map(|(_, piece)| piece.role).collect();
        let (at, sample) = pieces.first().filter(|_| roles.len() > 1).ok_or_else(no_kinds)?;
        // The text of a board with one piece, with another letter for it.
        let board = placement.text(&variant, &Draft::of([(*at, *sample)], Side::First));
        let letter = board.chars().find(char::is_ascii_alphabetic).ok_or_else(no_kinds)?.to_string();
        let role_of = |sign: char| {
            let draft = placement.read(&variant, &board.replacen(&letter, &sign.to_ascii_uppercase().to_string(), 1)).ok()?;
            draft.pieces.into_values().next().map(|piece| piece.role).filter(|_| sign.is_ascii_alphabetic())
        };
        let cannot = || message!("material is written like RH-C; '{}' is not", text);
        let (first, second) = text.split_once(['-', '–']).ok_or_else(cannot)?;
        let (mut told, mut exact, mut count) = ([Some(0); PIECE_CODES], true, 0);
        for (side, half) in Side::BOTH.into_iter().zip([first, second]) {
            let named = half.strip_suffix('*').unwrap_or(half);
            let mut counts = BTreeMap::new();
            for sign in named.chars() {
                *counts.entry(role_of(sign).ok_or_else(cannot)?).or_insert(0) += 1;
            }
            exact &= named == half;
            for role in roles.iter().copied() {
                let always = most(role, side) == 1;
                let number = counts.get(&role).copied().or(if always { Some(1) } else { (named == half).then_some(0) });
                if usize::from(number.unwrap_or_default()) > most(role, side) {
                    return Err(message!("'{}': no side has so many pieces of a kind", text));
                }
                let code = code_of(Piece { side, role }).ok_or_else(no_kinds)?;
                told[usize::from(code)] = number;
                count += usize::from(number.unwrap_or_default());
            }
        }
        // The codes of the two sides stand side by side.
        let turned = std::array::from_fn(|code| told[if code == 0 { 0 } else { 1 + ((code - 1) ^ 1) }.min(PIECE_CODES - 1)]);
        let material = if as_told { vec![told] } else { vec![told, turned] };
        Ok(PositionQuery {
            game,
            size: table.size(),
            variant: rules_of(table, same_rules),
            images: vec![Image::SAME; material.len()],
            wanted: vec![0; PIECE_CODES * MOST_POINTS],
            pieces: count,
            exact,
            turn: None,
            material,
        })
    }

    fn fits(&self, start: &Start) -> bool {
        let rules = OpeningRule::split(&start.variant).0;
        start.size == self.size && self.variant.as_ref().is_none_or(|variant| variant == rules)
    }

    /// False if the number of pieces at the start and at the end of a game leaves no room for this.
    fn may_occur(&self, start: &Start, pieces_at_end: usize) -> bool {
        match (start.trend, self.exact) {
            (Trend::Grows, exact) => pieces_at_end >= self.pieces && (!exact || start.pieces <= self.pieces),
            (Trend::Shrinks, exact) => start.pieces >= self.pieces && (!exact || pieces_at_end <= self.pieces),
            (Trend::Unknown, _) => true,
        }
    }

    /// True if it cannot occur any more with this number of pieces.
    #[inline]
    fn is_past(&self, trend: Trend, pieces: usize) -> bool {
        match trend {
            Trend::Grows => self.exact && pieces > self.pieces,
            Trend::Shrinks => pieces < self.pieces,
            Trend::Unknown => false,
        }
    }

    /// How many of the pieces stand on their points at the start, for each image.
    fn matched_at(&self, start: &Start) -> [u16; 8] {
        let mut matched = [0; 8];
        for (point, code) in start.points.iter().enumerate().filter(|(_, code)| **code != 0) {
            let bits = self.wanted[usize::from(*code) * MOST_POINTS + point];
            (0..8).for_each(|image| matched[image] += u16::from(bits >> image & 1));
        }
        matched
    }

    /// Where it first occurs in a game: the ply, the image, and the move that was played then.
    fn find(&self, start: &Start, mut matched: [u16; 8], moves: &[u8], plies: usize) -> Option<(usize, Image, Option<Action>)> {
        let mut replay = Replay::new(start);
        let mut numbers = start.unpack(moves, plies);
        let mut counts = [0u8; PIECE_CODES];
        if !self.material.is_empty() {
            start.points.iter().for_each(|code| counts[usize::from(*code)] = counts[usize::from(*code)].saturating_add(1));
        }
        for ply in 0.. {
            let may = (!self.exact || replay.pieces == self.pieces) && self.turn.is_none_or(|turn| replay.turn == turn);
            let image = match (may, self.material.is_empty()) {
                (false, _) => None,
                (true, true) => matched.iter().position(|matched| usize::from(*matched) == self.pieces),
                (true, false) => {
                    let is = |(wanted, count): (&Option<u8>, &u8)| wanted.is_none_or(|wanted| wanted == *count);
                    self.material.iter().position(|wanted| wanted.iter().zip(&counts).skip(1).all(is))
                }
            };
            let next = numbers.next().and_then(|number| replay.read(number));
            if let Some(image) = image.and_then(|image| self.images.get(image)) {
                return Some((ply, *image, next.map(|played| start.action(played))));
            }
            let mut count = |code: u8, point: usize, more: bool| {
                let mut bits = self.wanted[usize::from(code) * MOST_POINTS + point];
                while bits != 0 {
                    let matched = &mut matched[bits.trailing_zeros() as usize];
                    *matched = if more { *matched + 1 } else { *matched - 1 };
                    bits &= bits - 1;
                }
            };
            replay.play(next?, &mut |point, before, after| {
                if self.material.is_empty() {
                    count(before, point, false);
                    count(after, point, true);
                } else {
                    counts[usize::from(before)] = counts[usize::from(before)].wrapping_sub(1);
                    counts[usize::from(after)] = counts[usize::from(after)].wrapping_add(1);
                }
            })?;
            if self.is_past(start.trend, replay.pieces) {
                return None;
            }
        }
        None
    }
}

/// The rules that a search keeps to.
fn rules_of(table: &dyn Table, same_rules: bool) -> Option<String> {
    table.setup().variant.as_deref().filter(|_| same_rules).map(|variant| OpeningRule::split(variant).0.to_owned())
}

/// What is looked for; every part that is given must hold.
#[derive(Default)]
pub struct Query {
    /// The game's key.
    pub game: Option<String>,
    /// The variant, without its opening rule.
    pub variant: Option<String>,
    /// A part of the name of either player, in upper or lower case.
    pub player: Option<String>,
    /// The side that this player has; either if it is not given.
    pub side: Option<Side>,
    /// A part of the event's name.
    pub event: Option<String>,
    /// The first day: a year, a year and a month, or a date, with any signs between the numbers. Games without a date are none.
    pub from: Option<String>,
    /// The last day, likewise.
    pub to: Option<String>,
    /// The winner; `Some(None)` for a draw.
    pub result: Option<Option<Side>>,
    /// The beginning of the opening's code, or a part of its name in any language: as a tag tells it, else as our own table names it.
    pub opening: Option<String>,
    /// A part of a comment, in upper or lower case.
    pub comment: Option<String>,
    /// Keywords under which the game is kept, all of them, in upper or lower case.
    pub keywords: Vec<String>,
    /// The fewest moves.
    pub shortest: Option<usize>,
    /// The most moves.
    pub longest: Option<usize>,
    /// The player's own names, as [`folded`] writes them, and whether to find the games that he has played, or the others. A person without a name is the player, but
    /// in a game that was read from a record.
    pub whose: Option<(Vec<String>, bool)>,
    /// Words that each occur in the names of the players, the values of the tags or the opening.
    pub words: Vec<String>,
    /// What occurs on the board.
    pub position: Option<PositionQuery>,
    /// Ends the search early; then what was found so far is the answer.
    pub stop: StopToken,
}

/// A game that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The game.
    pub id: GameId,
    /// The number of moves before what was looked for on the board first occurs; `None` if nothing was.
    pub ply: Option<usize>,
}

/// How often a move was played from a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveCount {
    /// The move, as it is on the board that was asked about.
    pub action: Action,
    /// Games in which it was played when the position first occurred.
    pub games: usize,
    /// How many of them the first side won.
    pub first_wins: usize,
    /// How many were draws.
    pub draws: usize,
    /// How many the second side won.
    pub second_wins: usize,
    /// The year in which it was played last, if a date tells it.
    pub last_year: Option<u16>,
    /// How many players' ratings these games tell, and their sum.
    pub ratings: (usize, usize),
}

/// The moves that were played from a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explored {
    /// The moves, the most played first.
    pub moves: Vec<MoveCount>,
    /// The games in which the position occurs, those that end in it included.
    pub games: usize,
    /// The last of these games in the order in which they were added, at most [`LISTED`].
    pub latest: VecDeque<Hit>,
}

/// The tags that tell the players' ratings.
const RATINGS: [&str; 3] = ["WhiteElo", "RedElo", "BlackElo"];
/// The most games that are listed beside the counts.
pub const LISTED: usize = 12;

impl Explored {
    /// Counts moves that are images of each other together, where the position is its own image: as the one of them that is most on the right.
    pub fn joined(mut self, table: &dyn Table) -> Explored {
        let size = table.size();
        let placed = |image: Image| -> HashSet<(Point, Piece)> {
            table.pieces().into_iter().map(|(at, piece)| (image.of(at, size), piece)).collect()
        };
        let there = placed(Image::SAME);
        let own: Vec<Image> =
            table.images().into_iter().map(|(image, _)| image).filter(|image| placed(*image) == there).collect();
        let mut moves: Vec<MoveCount> = Vec::new();
        for count in self.moves {
            let images = own.iter().map(|image| image.of_action(count.action, size));
            let action = images.max_by_key(to_the_right).unwrap_or(count.action);
            match moves.iter_mut().find(|known| known.action == action) {
                Some(known) => known.add(&count),
                None => moves.push(MoveCount { action, ..count }),
            }
        }
        moves.sort_by_key(|count| Reverse(count.games));
        self.moves = moves;
        self
    }
}

/// Greater for moves that are more on the right, and of these for the upper ones.
fn to_the_right(action: &Action) -> [(u8, u8); 2] {
    let place = |at: Point| (at.x, at.y);
    match *action {
        Action::Drop(at) => [place(at); 2],
        Action::Step { from, to } => [place(from), place(to)],
        Action::Pass | Action::Choose(_) => [(0, 0); 2],
    }
}

impl MoveCount {
    /// The average rating of the players, if any is told.
    pub fn rating(&self) -> Option<usize> {
        let (count, sum) = self.ratings;
        (sum + count / 2).checked_div(count)
    }

    fn add(&mut self, other: &MoveCount) {
        self.games += other.games;
        self.first_wins += other.first_wins;
        self.draws += other.draws;
        self.second_wins += other.second_wins;
        self.last_year = self.last_year.max(other.last_year);
        self.ratings = (self.ratings.0 + other.ratings.0, self.ratings.1 + other.ratings.1);
    }
}

/// Digits of a date, as far as they are known: `2020.5.?` as `202005`. The year may stand at the end: `5/17/2020`, `17.5.2020`.
pub(super) fn date_digits(date: &str) -> String {
    let known = |part: &&str| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit());
    let mut parts: Vec<&str> = date.trim().split(['.', '-', '/', '年', '月', '日']).take_while(known).collect();
    if let [one, two, year] = parts[..]
        && one.len() < 3
        && year.len() == 4
    {
        let month_first = date.contains('/') && one.parse::<u8>().is_ok_and(|month| month <= 12);
        parts = if month_first { vec![year, one, two] } else { vec![year, two, one] };
    }
    parts.into_iter().zip([4, 2, 2]).map(|(part, width)| format!("{part:0>width$}")).collect()
}

/// The year of a date, in whatever order its parts stand.
pub fn year_of(date: &str) -> Option<u16> {
    date_digits(date).get(..4)?.parse().ok()
}

/// True if a date is not before the first and not behind the last day; the days are compared as far as both are known.
fn is_within(date: &str, from: &Option<String>, to: &Option<String>) -> bool {
    let date = date_digits(date);
    let compared = |bound: &Option<String>, holds: fn(&str, &str) -> bool| {
        bound.as_deref().map(date_digits).is_none_or(|bound| {
            let known = date.len().min(bound.len());
            holds(&date[..known], &bound[..known])
        })
    };
    date.len() >= 4 && compared(from, |date, from| date >= from) && compared(to, |date, to| date <= to)
}

impl Library {
    /// The games that answer a query, in the order in which they were added.
    pub fn search(&self, query: &Query) -> Vec<Hit> {
        let mut found = Vec::new();
        self.each(query, &mut |stored, occurs| found.push(Hit { id: stored.id(), ply: occurs.map(|(ply, ..)| ply) }));
        found
    }

    /// The moves that were played from a position in the games that answer a query; empty if the query has no position.
    pub fn explore(&self, query: &Query) -> Explored {
        let mut explored = Explored::default();
        let Some(position) = &query.position else { return explored };
        self.each(query, &mut |stored, occurs| {
            explored.games += 1;
            if explored.latest.len() == LISTED {
                explored.latest.pop_front();
            }
            explored.latest.push_back(Hit { id: stored.id(), ply: occurs.map(|(ply, ..)| ply) });
            let Some((_, image, Some(action))) = occurs else { return };
            let action = image.back_action(action, position.size);
            let number = explored.moves.iter().position(|known| known.action == action).unwrap_or_else(|| {
                let (games, first_wins, draws, second_wins, last_year, ratings) = (0, 0, 0, 0, None, (0, 0));
                explored.moves.push(MoveCount { action, games, first_wins, draws, second_wins, last_year, ratings });
                explored.moves.len() - 1
            });
            let (count, head) = (&mut explored.moves[number], self.head(stored));
            count.games += 1;
            for (name, value) in head.each_tag().map(|(name, value)| (self.text(stored.block, name), value)) {
                if name.eq_ignore_ascii_case("Date") {
                    count.last_year = count.last_year.max(year_of(self.text(stored.block, value)));
                } else if RATINGS.iter().any(|rating| name.eq_ignore_ascii_case(rating))
                    && let Ok(rating @ 1..=9999) = self.text(stored.block, value).trim().parse::<usize>()
                {
                    count.ratings = (count.ratings.0 + 1, count.ratings.1 + rating);
                }
            }
            match head.result.map(|result| result.winner) {
                Some(Some(Side::First)) => count.first_wins += 1,
                Some(Some(Side::Second)) => count.second_wins += 1,
                Some(None) => count.draws += 1,
                None => {}
            }
        });
        explored.moves.sort_by_key(|count| Reverse(count.games));
        explored
    }

    /// Visits the games that answer a query, each with where the position occurs.
    fn each(&self, query: &Query, visit: &mut dyn FnMut(&Stored, Option<(usize, Image, Option<Action>)>)) {
        // Each string is looked at once, not once a game.
        let part = |wanted: &Option<String>| {
            let wanted = folded(wanted.as_ref()?);
            Some(self.strings(|text| folded(text).contains(&wanted)))
        };
        let (player, event) = (part(&query.player), part(&query.event));
        let opening = query.opening.as_ref().map(|wanted| {
            let wanted = folded(wanted);
            // So short a part would be in many names.
            let is_code = wanted.is_ascii() && wanted.len() <= CODE;
            let named =
                |line: &str| if is_code { line.starts_with(&wanted) && line.len() <= CODE } else { line.contains(&wanted) };
            self.strings(|text| folded(text).lines().any(named))
        });
        let words: Vec<Vec<Vec<bool>>> =
            query.words.iter().map(|word| folded(word)).map(|word| self.strings(|text| folded(text).contains(&word))).collect();
        let keywords: Vec<Vec<Vec<bool>>> = query
            .keywords
            .iter()
            .map(|wanted| folded(wanted.trim()))
            .map(|wanted| self.strings(|text| keywords_in(text).any(|keyword| folded(keyword) == wanted)))
            .collect();
        let whose = query.whose.as_ref().map(|(names, mine)| (self.strings(|text| names.contains(&folded(text.trim()))), *mine));
        let comment = query.comment.as_ref().map(|wanted| folded(wanted));
        let holds = |lists: &[Vec<bool>], block: u32, text: u32| {
            lists.get(block as usize).and_then(|list| list.get(text as usize)).copied().unwrap_or_default()
        };
        let dated = query.from.is_some() || query.to.is_some();
        let mut starts: HashMap<u32, Option<(Start, [u16; 8])>> = HashMap::new();
        for stored in self.stored() {
            if query.stop.is_stopped() {
                return;
            }
            let (game, setup) = self.setup(stored.setup);
            if query.game.as_deref().is_some_and(|wanted| wanted != game) {
                continue;
            }
            let rules = |variant: &str| OpeningRule::split(variant).0.to_owned();
            let same = |wanted: &String| setup.variant.as_deref().is_some_and(|variant| rules(variant) == rules(wanted));
            if query.variant.as_ref().is_some_and(|wanted| !same(wanted)) {
                continue;
            }
            let head = self.head(stored);
            let plies = head.plies as usize;
            if query.shortest.is_some_and(|least| plies < least) || query.longest.is_some_and(|most| plies > most) {
                continue;
            }
            let holds = |lists: &[Vec<bool>], text: u32| holds(lists, stored.block, text);
            let sits = |lists: &Vec<Vec<bool>>, side: Side| {
                let seat = head.seats[side.index()];
                seat > 0 && seat.is_multiple_of(2) && holds(lists, seat / 2 - 1)
            };
            let plays = |lists: &Vec<Vec<bool>>| Side::BOTH.into_iter().any(|side| sits(lists, side));
            let meant = |lists: &Vec<Vec<bool>>| query.side.map_or_else(|| plays(lists), |side| sits(lists, side));
            if player.as_ref().is_some_and(|lists| !meant(lists)) {
                continue;
            }
            let is_mine = |lists| plays(lists) || head.origin != Origin::Record && head.seats.contains(&0);
            if whose.as_ref().is_some_and(|(lists, mine)| is_mine(lists) != *mine) {
                continue;
            }
            let told = |lists: &Vec<Vec<bool>>| {
                let opened = head.opening > 0 && holds(lists, head.opening - 1);
                opened || plays(lists) || head.each_tag().any(|(_, text)| holds(lists, text))
            };
            if !words.iter().all(told) {
                continue;
            }
            let result = head.result.map(|result| result.winner);
            if query.result.is_some_and(|wanted| result != Some(wanted)) {
                continue;
            }
            let tagged = |names: &[&str], value: &dyn Fn(u32) -> bool| {
                let named = |text: u32| names.iter().any(|name| self.text(stored.block, text).eq_ignore_ascii_case(name));
                head.each_tag().any(|(name, text)| named(name) && value(text))
            };
            if event.as_ref().is_some_and(|lists| !tagged(&["Event"], &|text| holds(lists, text))) {
                continue;
            }
            if !keywords.iter().all(|lists| tagged(&[KEYWORDS], &|text| holds(lists, text))) {
                continue;
            }
            let within = |text: u32| is_within(self.text(stored.block, text), &query.from, &query.to);
            if dated && !tagged(&["Date"], &within) {
                continue;
            }
            let named = |lists: &Vec<Vec<bool>>| {
                tagged(&OPENING_TAGS, &|text| holds(lists, text)) || head.opening > 0 && holds(lists, head.opening - 1)
            };
            if opening.as_ref().is_some_and(|lists| !named(lists)) {
                continue;
            }
            if comment.as_ref().is_some_and(|wanted| !self.has_comment(stored, wanted)) {
                continue;
            }
            let Some(position) = &query.position else {
                visit(stored, None);
                continue;
            };
            if position.game != game {
                continue;
            }
            // Most games have one of a few setups; positions that were set up occur once.
            if starts.len() > MOST_STARTS {
                starts.clear();
            }
            let start = starts.entry(stored.setup).or_insert_with(|| {
                let start = Start::new(game, setup).ok().filter(|start| position.fits(start))?;
                let matched = position.matched_at(&start);
                Some((start, matched))
            });
            let Some((start, matched)) = start else { continue };
            if !position.may_occur(start, head.pieces as usize) {
                continue;
            }
            if let Some(occurs) = position.find(start, *matched, head.moves, head.plies as usize) {
                visit(stored, Some(occurs));
            }
        }
    }
}
