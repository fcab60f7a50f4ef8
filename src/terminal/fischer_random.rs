//! Start positions of Fischer Random chess as FEN.

use crate::rules::start_row;

/// Returns the FEN of the start position with this [number](start_row).
pub(super) fn start_position(number: usize) -> String {
    let white: String = start_row(number).iter().map(|kind| kind.letter()).collect();
    let black = white.to_ascii_lowercase();
    format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w KQkq - 0 1")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::notation::parse_fen_for;
    use crate::rules::{Position, START_POSITIONS, Variant};

    #[test]
    fn all_positions_are_different_and_legal() {
        let positions: BTreeSet<String> = (0..START_POSITIONS).map(start_position).collect();
        assert_eq!(positions.len(), 960);
        for fen in &positions {
            let setup = parse_fen_for(fen, Variant::Fischerandom).expect("a FEN");
            let position = Position::from_setup(&setup, Variant::Fischerandom).expect("legal");
            assert!(
                position
                    .board()
                    .to_setup()
                    .castling
                    .iter()
                    .flatten()
                    .all(Option::is_some)
            );
            let (first_rank, _) = fen.split_once('/').expect("ranks");
            let at = |letter| first_rank.match_indices(letter).map(|(file, _)| file);
            let bishops: Vec<usize> = at("b").collect();
            assert_ne!(bishops[0] % 2, bishops[1] % 2, "{fen}");
            let rooks: Vec<usize> = at("r").collect();
            let king = at("k").next().expect("a king");
            assert!(rooks[0] < king && king < rooks[1], "{fen}");
        }
    }
}
