//! What a review and the exercises made from it say, in the window's language.

use crate::app::ground::settings::Settings;
use crate::app::ground::words::Words;
use crate::app::play::TreeEditor;
use qiju_core::study::edits;
use qiju_core::table::{
    Action, Assessment, Chance, GameSheet, Judgement, MistakeKind, MistakeReason, MoveVerdict, NodeId, Notation, Piece, Table,
    Tree,
};

impl Words {
    /// The name of a judgement.
    pub fn judgement(&self, judgement: Judgement) -> &str {
        self.say(match judgement {
            Judgement::Best => "judgement.best",
            Judgement::Good => "judgement.good",
            Judgement::Inaccuracy => "judgement.inaccuracy",
            Judgement::Mistake => "judgement.mistake",
            Judgement::Blunder => "judgement.blunder",
        })
    }

    /// How many exercises are due today.
    pub fn due(&self, count: usize) -> String {
        match count {
            0 => self.say("mistakes.none-due").to_owned(),
            1 => self.say("mistakes.due.one").to_owned(),
            count => self.with("mistakes.due", count),
        }
    }

    /// A later day, as so many days from today.
    pub fn in_days(&self, days: i32) -> String {
        if days == 1 { self.say("mistakes.tomorrow").to_owned() } else { self.with("mistakes.in-days", days) }
    }

    /// A winning chance as a percentage. Only what is certain is 0 or 100.
    pub fn chance(&self, chance: Chance) -> String {
        let percent = (chance.part() * 100.0).round();
        let percent = match chance {
            Chance::WIN => 100.0,
            Chance::LOSS => 0.0,
            _ => percent.clamp(1.0, 99.0),
        };
        format!("{percent:.0}%")
    }
}

/// What a piece is called.
pub fn piece_name<'a>(piece: Option<Piece>, sheet: &'a GameSheet, words: &'a Words) -> &'a str {
    let role = piece.and_then(|piece| sheet.roles.get(usize::from(piece.role)));
    role.map_or(words.say("reason.a-piece"), |role| words.of(&role.name))
}

/// The first step of a hint: the piece that moves, which is marked on the board, or the file on which a stone is put.
pub fn part_of_move(action: Action, table: &dyn Table, sheet: &GameSheet, words: &Words) -> Option<String> {
    if let Action::Step { from, .. } = action {
        let piece = table.pieces().into_iter().find(|(at, _)| *at == from).map(|(_, piece)| piece);
        return Some(words.with("puzzles.hint-piece", piece_name(piece, sheet, words)));
    }
    let text = table.write(action, Notation::Uci)?;
    let file: String = text.chars().take_while(|c| c.is_alphabetic()).collect();
    Some(words.with("puzzles.hint-file", file))
}

/// Why a move was bad, as a sentence without its line.
pub fn reason_text(reason: &MistakeReason, after: Chance, sheet: &GameSheet, words: &Words) -> String {
    let in_moves = |key: &str, open: &str| match reason.moves {
        Some(moves) => words.with(key, moves),
        None => words.say(open).to_owned(),
    };
    let piece = piece_name(reason.piece, sheet, words);
    match reason.kind {
        MistakeKind::PieceLost => words.with("why.piece-lost", piece),
        MistakeKind::PieceMissed => words.with("why.piece-missed", piece),
        MistakeKind::WinMissed => in_moves("why.win-missed", "why.win-missed.open"),
        MistakeKind::WinAllowed => in_moves("why.win-allowed", "why.win-allowed.open"),
        MistakeKind::RepetitionLoses => words.say("why.repetition").to_owned(),
        MistakeKind::DrawMade => words.say("why.draw").to_owned(),
        MistakeKind::Solved if after > Chance::LOSS => words.say("why.win-thrown-away").to_owned(),
        MistakeKind::Solved => in_moves("why.solved", "why.solved.open"),
    }
}

/// What a review writes into the comment of a move that was bad. The table stands before the move.
fn comment(table: &dyn Table, verdict: &MoveVerdict, sheet: &GameSheet, words: &Words, notation: Notation) -> String {
    let better = verdict.best.first().and_then(|action: &Action| table.write(*action, notation)).unwrap_or_default();
    let (before, after) = (words.chance(verdict.before), words.chance(verdict.after));
    let mut text = words.fill("review.comment", &[words.judgement(verdict.judgement), &before, &after, &better]);
    if let Some(reason) = &verdict.reason {
        if !words.language.is_chinese_or_japanese() {
            text.push(' ');
        }
        text.push_str(&reason_text(reason, verdict.after, sheet, words));
    }
    text
}

/// Writes a review into the tree of the match: the values of the positions of a line, the start first.
pub fn write_review(
    editor: &mut TreeEditor,
    (words, settings): (&Words, &Settings),
    line: &[NodeId],
    positions: &[Option<Assessment>],
) {
    let current = &editor.current;
    let start = current.played().table_at(Tree::ROOT);
    let notation = settings.notation(&*start, words.language);
    let sheet = &current.game().sheet;
    let wording = |table: &dyn Table, verdict: &MoveVerdict| comment(table, verdict, sheet, words, notation);
    let edits = edits(&*start, current.tree(), line, positions, &wording);
    editor.edit_all(edits);
}
