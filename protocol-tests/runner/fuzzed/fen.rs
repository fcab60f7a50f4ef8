//! FEN: a legal position is printed as a FEN that Gaur and a chess library read as the same position, with the same
//! legal moves.

use gaur::notation::{parse_fen_for, write_fen};
use gaur::rules::{Position, Variant};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position as _, PositionError};

/// Checks the bytes as a FEN of each variant.
pub fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for (variant, mode) in [
        (Variant::Standard, CastlingMode::Standard),
        (Variant::Fischerandom, CastlingMode::Chess960),
    ] {
        let Some(position) = read(&text, variant) else {
            continue;
        };
        let printed = write_fen(position.board(), variant);
        let again = read(&printed, variant)
            .unwrap_or_else(|| panic!("{printed} cannot be read, from {text:?}"));
        assert_eq!(write_fen(again.board(), variant), printed, "{text:?}");
        assert_eq!(again.board().key(), position.board().key(), "{text:?}");
        let theirs: Chess = printed
            .parse::<Fen>()
            .unwrap_or_else(|error| panic!("{printed}: {error}"))
            .into_position(mode)
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_impossible_check)
            .unwrap_or_else(|error| panic!("{printed}: {error}"));
        assert_eq!(
            position.legal_moves().len(),
            theirs.legal_moves().len(),
            "{printed}"
        );
    }
}

fn read(text: &str, variant: Variant) -> Option<Position> {
    let setup = parse_fen_for(text, variant).ok()?;
    Position::from_setup(&setup, variant).ok()
}
