//! The moves of a book in a position, and the choice among them.

use std::fmt::Debug;
use std::time::Duration;

use rand_chacha::rand_core::Rng;

use super::entry::Entry;
use super::file::BookFile;
use super::key::polyglot_key;
use super::learning::Learned;
use crate::board::Board;
use crate::rules::Position;
use crate::types::Move;

/// `BookVariety` at which moves are chosen in proportion to their weights.
pub const MAX_VARIETY: i32 = 100;

/// Longest time that a look-up for a move may take.
pub const MAX_LOOK_UP_TIME: Duration = Duration::from_millis(300);

/// The entries of a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundEntries {
    /// Entries in the order of the book.
    pub entries: Vec<Entry>,
    /// Time that the look-up has taken; zero for a book in memory.
    pub time: Duration,
}

/// A book that can be asked for the entries of a position.
pub trait BookSource: Debug + Send + Sync {
    /// Returns the entries with a key; none if the book does not answer within the time `limit`.
    ///
    /// # Errors
    /// Returns the reason, in words that follow the name of the book, if it cannot be used any more.
    fn entries(&self, key: u64, limit: Duration) -> Result<FoundEntries, String>;

    /// Returns `true` if a look-up reads no disk, so that it takes no time.
    fn is_in_memory(&self) -> bool;
}

impl BookSource for BookFile {
    fn entries(&self, key: u64, _: Duration) -> Result<FoundEntries, String> {
        let entries = BookFile::entries(self, key).map_err(|error| error.to_string())?;
        Ok(FoundEntries {
            entries,
            time: Duration::ZERO,
        })
    }

    fn is_in_memory(&self) -> bool {
        BookFile::is_in_memory(self)
    }
}

/// A move of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move, which is legal.
    pub mv: Move,
    /// Weight, changed by what has been learned, in 65,536ths of the weights in the book; 0 for a move that is not to
    /// be played.
    pub weight: u64,
    /// Score in centipawns for the side to move, if the book has one.
    pub score: Option<i16>,
}

/// The moves of a book in one position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BookMoves {
    /// Key of the position.
    pub key: u64,
    /// Legal moves with the largest weight first; each move once.
    pub moves: Vec<BookMove>,
    /// Set if the book has entries with illegal moves in this position.
    pub has_illegal: bool,
    /// Time that the look-up has taken.
    pub time: Duration,
}

impl BookMoves {
    /// Looks up the position that the move `last` has led to, within the time `limit`.
    ///
    /// # Errors
    /// Returns the reason, in words that follow the name of the book, if the book cannot be used any more.
    pub fn look_up(
        book: &dyn BookSource,
        board: &Board,
        last: Option<Move>,
        learned: &Learned,
        limit: Duration,
    ) -> Result<BookMoves, String> {
        let key = polyglot_key(board, last);
        let FoundEntries { entries, time } = book.entries(key, limit)?;
        let mut moves: Vec<BookMove> = Vec::new();
        let mut has_illegal = false;
        for entry in entries {
            let Some(mv) = entry.legal_move(board) else {
                has_illegal = true;
                continue;
            };
            match moves.iter_mut().find(|other| other.mv == mv) {
                Some(other) => other.weight += u64::from(entry.weight),
                None => moves.push(BookMove {
                    mv,
                    weight: entry.weight.into(),
                    score: entry.score(),
                }),
            }
        }
        for book_move in &mut moves {
            book_move.weight = learned.adjusted(key, book_move.mv, book_move.weight);
        }
        // Moves of equal weight keep their order.
        moves.sort_by_key(|book_move| std::cmp::Reverse(book_move.weight));
        Ok(BookMoves {
            key,
            moves,
            has_illegal,
            time,
        })
    }

    /// Removes the moves that lead to a position which has occurred in the game: the opponent could repeat it.
    pub fn remove_repetitions(&mut self, position: &Position) {
        let mut after = position.clone();
        self.moves.retain(|book_move| {
            let played = after.play(book_move.mv);
            let is_new = after.occurrences() == 1;
            after.take_back(played);
            is_new
        });
    }

    /// Returns the share of a weight among all moves, in percent.
    pub fn percent(&self, weight: u64) -> u32 {
        let total: u64 = self.moves.iter().map(|book_move| book_move.weight).sum();
        // The largest weights, one of 65,535 for each legal move, doubled and scaled, leave room for the factor.
        let share = (weight * 200 + total).checked_div(2 * total);
        // The share is at most 100.
        share.unwrap_or(0) as u32
    }

    /// Returns the move with the largest weight, unless none is to be played.
    pub fn best(&self) -> Option<BookMove> {
        self.moves.first().copied().filter(|best| best.weight > 0)
    }

    /// Chooses a move to play. `variety` is 0 for the best move and [`MAX_VARIETY`] for a choice in proportion to the
    /// weights; between them, moves of small weight are rarer than in proportion to it.
    ///
    /// The probability of a move is in proportion to a power of its weight whose exponent is [`MAX_VARIETY`] divided by
    /// `variety`.
    pub fn choose(&self, variety: i32, random: &mut impl Rng) -> Option<BookMove> {
        let best = self.best()?;
        if variety <= 0 {
            return Some(best);
        }
        let exponent = f64::from(MAX_VARIETY) / f64::from(variety.min(MAX_VARIETY));
        let relative: Vec<f64> = self
            .moves
            .iter()
            .map(|book_move| (book_move.weight as f64 / best.weight as f64).powf(exponent))
            .collect();
        // 53 random bits: a number from 0 to less than 1.
        let fraction = (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        let mut rest = fraction * relative.iter().sum::<f64>();
        for (book_move, share) in self.moves.iter().zip(relative) {
            rest -= share;
            if rest < 0.0 {
                return Some(*book_move);
            }
        }
        // Reached only if the sum was rounded.
        Some(best)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;

    use super::*;
    use crate::book::encode_move;
    use crate::types::{MoveKind, Square};

    fn mv(from: &str, to: &str, kind: MoveKind) -> Move {
        let square = |name| Square::from_name(name).expect("a square");
        Move::new(square(from), square(to), kind)
    }

    /// A book with entries for one position.
    fn book(board: &Board, entries: &[(u16, u16)]) -> BookFile {
        let bytes: Vec<u8> = entries
            .iter()
            .flat_map(|&(mv, weight)| {
                let entry = Entry {
                    key: polyglot_key(board, None),
                    mv,
                    weight,
                    learn: Entry::learn_of(weight as i16),
                };
                entry.to_bytes()
            })
            .collect();
        BookFile::from_bytes(bytes).expect("a book")
    }

    fn look_up(entries: &[(u16, u16)]) -> BookMoves {
        let board = Board::standard();
        let book = book(&board, entries);
        let found = BookMoves::look_up(&book, &board, None, &Learned::default(), Duration::MAX);
        found.expect("readable")
    }

    fn e4() -> Move {
        mv("e2", "e4", MoveKind::DoublePush)
    }

    fn d4() -> Move {
        mv("d2", "d4", MoveKind::DoublePush)
    }

    fn c4() -> Move {
        mv("c2", "c4", MoveKind::DoublePush)
    }

    #[test]
    fn moves_are_sorted_merged_and_legal() {
        let found = look_up(&[
            (encode_move(d4()), 10),
            (encode_move(e4()), 30),
            (4 << 6 | 60, 50),
            (encode_move(c4()), 0),
            (encode_move(d4()), 60),
        ]);
        let weights: Vec<(Move, u64)> = found
            .moves
            .iter()
            .map(|m| (m.mv, m.weight / 65_536))
            .collect();
        assert_eq!(weights, [(d4(), 70), (e4(), 30), (c4(), 0)]);
        assert!(found.has_illegal);
        assert_eq!(found.moves[1].score, Some(30));
        let percents: Vec<u32> = found
            .moves
            .iter()
            .map(|m| found.percent(m.weight))
            .collect();
        assert_eq!(percents, [70, 30, 0]);
        assert!(!look_up(&[(encode_move(e4()), 1)]).has_illegal);
    }

    #[test]
    fn weights_cannot_overflow() {
        let found = look_up(&[(encode_move(e4()), u16::MAX); 400]);
        assert_eq!(found.moves.len(), 1);
        assert_eq!(found.percent(found.moves[0].weight), 100);
    }

    #[test]
    fn a_position_without_entries_has_no_moves() {
        let book = book(&Board::standard(), &[(encode_move(e4()), 1)]);
        let mut board = Board::standard();
        let _ = board.make(e4());
        let nothing = Learned::default();
        let found = BookMoves::look_up(&book, &board, Some(e4()), &nothing, Duration::MAX);
        let found = found.expect("readable");
        let mut random = ChaCha8Rng::seed_from_u64(1);
        assert_eq!((found.best(), found.choose(100, &mut random)), (None, None));
        assert_eq!(found.percent(0), 0);
    }

    #[test]
    fn a_move_of_weight_zero_is_never_played() {
        let found = look_up(&[(encode_move(e4()), 0)]);
        assert_eq!((found.moves.len(), found.best()), (1, None));
        let found = look_up(&[(encode_move(e4()), 0), (encode_move(d4()), 1)]);
        let mut random = ChaCha8Rng::seed_from_u64(1);
        for variety in [0, 1, 50, 100] {
            let chosen = found.choose(variety, &mut random).expect("a move");
            assert_eq!(chosen.mv, d4());
        }
    }

    /// Returns how many of 10,000 choices are each move.
    fn counts(variety: i32) -> [i32; 3] {
        let found = look_up(&[
            (encode_move(e4()), 60),
            (encode_move(d4()), 30),
            (encode_move(c4()), 10),
        ]);
        let mut random = ChaCha8Rng::seed_from_u64(28);
        let mut counts: HashMap<Move, i32> = HashMap::new();
        for _ in 0..10_000 {
            let chosen = found.choose(variety, &mut random).expect("a move");
            *counts.entry(chosen.mv).or_default() += 1;
        }
        [e4(), d4(), c4()].map(|mv| counts.get(&mv).copied().unwrap_or(0))
    }

    #[test]
    fn variety_is_the_share_of_other_moves() {
        assert_eq!(counts(0), [10_000, 0, 0]);
        assert_eq!(counts(-5), [10_000, 0, 0]);
        // Expected: 6000, 3000, 1000; at half variety the weights 36, 9 and 1 of 46.
        for (variety, expected) in [(100, [6_000, 3_000, 1_000]), (50, [7_826, 1_957, 217])] {
            for (count, expected) in counts(variety).into_iter().zip(expected) {
                assert!((count - expected).abs() < 150, "{count} {expected}");
            }
        }
        assert_eq!(counts(1), [10_000, 0, 0], "the others are too rare");
        assert_eq!(counts(1_000), counts(100));
    }

    #[test]
    fn moves_that_repeat_a_position_are_removed() {
        let mut position = Position::standard();
        for (from, to) in [("g1", "f3"), ("g8", "f6"), ("f3", "g1")] {
            let _ = position.play(mv(from, to, MoveKind::Quiet));
        }
        let back = mv("f6", "g8", MoveKind::Quiet);
        let other = mv("f6", "d5", MoveKind::Quiet);
        let moves = [back, other].map(|mv| BookMove {
            mv,
            weight: 1,
            score: None,
        });
        let mut found = BookMoves {
            moves: moves.to_vec(),
            ..BookMoves::default()
        };
        let before = position.clone();
        found.remove_repetitions(&position);
        assert_eq!(found.moves, [moves[1]]);
        assert_eq!(position, before);
    }
}
