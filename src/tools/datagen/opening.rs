//! Where self-play games begin: the start position of chess or Fischer Random, and some random moves.

use rand_chacha::ChaCha8Rng;
use rand_core::Rng;

use crate::board::Setup;
use crate::rules::{Position, Variant};
use crate::types::{Color, File, Piece, PieceKind, Rank, Square};

/// The number of start positions of Fischer Random.
const SHUFFLES: u32 = 960;

/// Knights on the five squares that bishops and queen leave, by the last part of the number: none, first, ...
const KNIGHTS: [(usize, usize); 10] = [
    (0, 1),
    (0, 2),
    (0, 3),
    (0, 4),
    (1, 2),
    (1, 3),
    (1, 4),
    (2, 3),
    (2, 4),
    (3, 4),
];

/// A number below `bound`, each equally likely but for one part in `2^32 / bound`.
pub(super) fn below(random: &mut ChaCha8Rng, bound: usize) -> usize {
    ((u64::from(random.next_u32()) * bound as u64) >> 32) as usize
}

/// A position after 8 or 9 random moves from the start; `None` if the game ended on the way.
pub(in crate::tools) fn random_opening(
    random: &mut ChaCha8Rng,
    chess960: bool,
) -> Option<Position> {
    let (setup, variant) = match chess960 {
        true => (
            shuffled(below(random, SHUFFLES as usize)),
            Variant::Fischerandom,
        ),
        false => (Setup::standard(), Variant::Standard),
    };
    let mut position = Position::from_setup(&setup, variant).ok()?;
    for _ in 0..8 + below(random, 2) {
        let moves = position.legal_moves();
        if moves.is_empty() {
            return None;
        }
        let _ = position.play(moves[below(random, moves.len())]);
    }
    // What came before does not go into the record, so it must not count for repetitions.
    let position = Position::new(position.board().clone(), variant);
    position.outcome().is_none().then_some(position)
}

/// The start position of Fischer Random with this number, 0 to 959, in the usual numbering (Reinhard Scharnagl's; 518
/// is chess).
fn shuffled(number: usize) -> Setup {
    let mut row: [Option<PieceKind>; 8] = [None; 8];
    row[2 * (number % 4) + 1] = Some(PieceKind::Bishop);
    row[2 * (number / 4 % 4)] = Some(PieceKind::Bishop);
    let free = |row: &[Option<PieceKind>; 8], nth: usize| {
        let mut free = (0..8).filter(|&file| row[file].is_none());
        free.nth(nth).unwrap_or_default()
    };
    row[free(&row, number / 16 % 6)] = Some(PieceKind::Queen);
    let (first, second) = KNIGHTS[number / 96 % 10];
    let knights = [free(&row, first), free(&row, second)];
    for file in knights {
        row[file] = Some(PieceKind::Knight);
    }
    for kind in [PieceKind::Rook, PieceKind::King, PieceKind::Rook] {
        row[free(&row, 0)] = Some(kind);
    }
    let mut setup = Setup::standard();
    let mut rooks = [None; 2];
    for (file, kind) in File::all().zip(row) {
        for color in Color::ALL {
            let piece = kind.map(|kind| Piece { color, kind });
            setup.set(Square::new(file, Rank::home(color)), piece);
        }
        if kind == Some(PieceKind::Rook) {
            // From a to h: the last one found is the h-side's.
            rooks = [Some(file), rooks[0].or(rooks[1])];
        }
    }
    setup.castling = [rooks; 2];
    setup
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::notation::write_fen;
    use rand_core::SeedableRng;

    fn fen(number: usize) -> String {
        let position = Position::from_setup(&shuffled(number), Variant::Fischerandom).unwrap();
        write_fen(position.board(), Variant::Fischerandom)
    }

    #[test]
    fn the_numbering_is_the_usual_one() {
        let rows = [
            (
                0,
                "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1",
            ),
            (
                518,
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1",
            ),
            (
                959,
                "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/RKRNNQBB w CAca - 0 1",
            ),
        ];
        for (number, expected) in rows {
            assert_eq!(fen(number), expected);
        }
        let all: BTreeSet<String> = (0..SHUFFLES as usize).map(fen).collect();
        assert_eq!(all.len(), 960);
    }

    #[test]
    fn openings_differ_and_have_no_past() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let openings: BTreeSet<String> = (0..100)
            .filter_map(|number| random_opening(&mut random, number % 2 == 0))
            .map(|position| {
                assert!(position.outcome().is_none() && position.earlier_keys().is_empty());
                write_fen(position.board(), position.variant())
            })
            .collect();
        assert!(openings.len() > 90);
    }
}
