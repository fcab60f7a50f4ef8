//! Openings of self-play games: a start position or a position of a book, and some random moves.

use rand_chacha::ChaCha8Rng;
use rand_core::Rng;

use gaur::board::Setup;
use gaur::rules::{Position, START_POSITIONS, Variant, start_row};
use gaur::types::{Color, File, Piece, PieceKind, Rank, Square};

use super::game_settings::GameSettings;

/// Number of openings drawn for a game until one is balanced. An evaluation may find none.
pub(crate) const OPENING_ATTEMPTS: usize = 100;

/// Draws a number below `bound`. The probabilities differ by at most one part in `2^32 / bound`.
pub(super) fn below(random: &mut ChaCha8Rng, bound: usize) -> usize {
    ((u64::from(random.next_u32()) * bound as u64) >> 32) as usize
}

/// Draws the position that a game starts from; `None` if the random moves end the game.
pub(super) fn random_opening(random: &mut ChaCha8Rng, settings: &GameSettings) -> Option<Position> {
    let start = plain_opening(random, settings);
    after_random_moves(random, start, usize::from(settings.random_plies))
}

/// Draws a position after 8 or 9 random half-moves from the start position of chess; `None` if they end the game.
pub(crate) fn standard_opening(random: &mut ChaCha8Rng) -> Option<Position> {
    after_random_moves(random, Position::standard(), 8)
}

/// Draws a position without random moves: from the book, or a start position of chess, Fischer Random or double Fischer
/// Random.
pub(super) fn plain_opening(random: &mut ChaCha8Rng, settings: &GameSettings) -> Position {
    let chess960 = usize::from(settings.chess960_permille);
    let double = usize::from(settings.double_chess960_permille);
    // A single kind of start position needs no random number.
    let dice = match chess960 + double {
        0 => 1000,
        _ => below(random, 1000),
    };
    let rows = if dice < chess960 {
        let row = below(random, START_POSITIONS);
        [row, row]
    } else if dice < chess960 + double {
        [
            below(random, START_POSITIONS),
            below(random, START_POSITIONS),
        ]
    } else {
        return match &settings.book {
            Some(book) => book.positions()[below(random, book.positions().len())].clone(),
            None => Position::standard(),
        };
    };
    // Both kings have their rows behind pawns, so that the position is always legal.
    Position::from_setup(&shuffled(rows), Variant::Fischerandom)
        .unwrap_or_else(|_| Position::standard())
}

/// Plays `plies` random half-moves, or one more. Returns `None` if the game ends.
fn after_random_moves(
    random: &mut ChaCha8Rng,
    mut position: Position,
    plies: usize,
) -> Option<Position> {
    if plies == 0 {
        return Some(position);
    }
    for _ in 0..plies + below(random, 2) {
        let moves = position.legal_moves();
        if moves.is_empty() {
            return None;
        }
        let _ = position.play(moves[below(random, moves.len())]);
    }
    // The record of the game does not contain these moves, so that they must not count for repetitions.
    let position = Position::new(position.board().clone(), position.variant());
    position.outcome().is_none().then_some(position)
}

/// Returns the start position with these rows for White and Black.
fn shuffled(rows: [usize; 2]) -> Setup {
    let mut setup = Setup::standard();
    for (color, number) in Color::ALL.into_iter().zip(rows) {
        let mut rooks = [None; 2];
        for (file, kind) in File::all().zip(start_row(number)) {
            let piece = Piece { color, kind };
            setup.set(Square::new(file, Rank::home(color)), Some(piece));
            if kind == PieceKind::Rook {
                // From a to h: the last one found is the h-side's.
                rooks = [Some(file), rooks[0].or(rooks[1])];
            }
        }
        setup.castling[color.index()] = rooks;
    }
    setup
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::game_file::NodeLimit;
    use gaur::notation::write_fen;
    use gaur::search::SearchSetup;
    use rand_core::SeedableRng;

    fn settings(chess960_permille: u16, double_chess960_permille: u16) -> GameSettings {
        GameSettings {
            limits: vec![NodeLimit {
                nodes: 50,
                permille: 1000,
            }],
            chess960_permille,
            double_chess960_permille,
            random_plies: 8,
            book: None,
            search_setup: SearchSetup::default(),
            fingerprint: String::new(),
        }
    }

    fn fen(rows: [usize; 2]) -> String {
        let position = Position::from_setup(&shuffled(rows), Variant::Fischerandom).unwrap();
        write_fen(position.board(), Variant::Fischerandom)
    }

    #[test]
    fn start_positions_are_numbered_as_scharnagl_does() {
        let rows = [
            (
                [0, 0],
                "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1",
            ),
            (
                [518, 518],
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1",
            ),
            (
                [959, 959],
                "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/RKRNNQBB w CAca - 0 1",
            ),
            (
                [0, 518],
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFha - 0 1",
            ),
        ];
        for (numbers, expected) in rows {
            assert_eq!(fen(numbers), expected);
        }
        let all: BTreeSet<String> = (0..START_POSITIONS)
            .map(|number| fen([number; 2]))
            .collect();
        assert_eq!(all.len(), 960);
    }

    #[test]
    fn openings_differ_and_have_no_past() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let mixed = settings(300, 300);
        let openings: BTreeSet<String> = (0..100)
            .filter_map(|_| random_opening(&mut random, &mixed))
            .map(|position| {
                assert!(position.outcome().is_none() && position.earlier_keys().is_empty());
                write_fen(position.board(), position.variant())
            })
            .collect();
        assert!(openings.len() > 90);
    }

    #[test]
    fn kinds_of_start_positions_have_their_shares() {
        let mut random = ChaCha8Rng::seed_from_u64(2);
        let mixed = settings(200, 300);
        let mut counts = [0; 3];
        for _ in 0..1000 {
            let setup = plain_opening(&mut random, &mixed).board().to_setup();
            let row = |color| -> Vec<Option<PieceKind>> {
                File::all()
                    .map(|file| setup.piece_on(Square::new(file, Rank::home(color))))
                    .map(|piece| piece.map(|piece| piece.kind))
                    .collect()
            };
            let is_same = row(Color::White) == row(Color::Black);
            let is_chess = setup.pieces == Setup::standard().pieces;
            counts[if is_chess {
                0
            } else {
                2 - usize::from(is_same)
            }] += 1;
        }
        let near = |count: i32, expected: i32| (count - expected).abs() < 60;
        assert!(
            near(counts[0], 500) && near(counts[1], 200) && near(counts[2], 300),
            "{counts:?}"
        );
    }
}
