//! Tests of reading moves.

use super::*;
use crate::notation::{parse_fen, write_coordinate};
use crate::rules::Variant;

fn position(fen: &str, variant: Variant) -> Position {
    Position::new(
        Board::from_setup(&parse_fen(fen).unwrap()).unwrap(),
        variant,
    )
}

fn square(name: &str) -> Square {
    Square::from_name(name).unwrap()
}

/// Reads a move text in a standard position and returns coordinates.
fn read(fen: &str, text: &str) -> Result<String, MoveError> {
    parse_move(&position(fen, Variant::Standard), text)
        .map(|mv| write_coordinate(mv, Variant::Standard))
}

/// The squares of the inner form of what a text means in Fischer Random.
fn read_fischerandom(fen: &str, text: &str) -> Result<(Square, Square, bool), MoveError> {
    parse_move(&position(fen, Variant::Fischerandom), text)
        .map(|mv| (mv.from(), mv.to(), mv.is_castle()))
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const CASTLE: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
const PROMOTE: &str = "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1";

#[test]
fn spellings_of_plain_moves() {
    for text in [
        "g1f3", "Nf3", "Ng1f3", "Ng1-f3", "Ngf3", "N1f3", "nf3", "Nf3+!", " g1-f3 ",
    ] {
        assert_eq!(read(START, text), Ok("g1f3".into()), "{text}");
    }
    for text in ["e2e4", "e4", "e2-e4", "Pe4", "e4!?"] {
        assert_eq!(read(START, text), Ok("e2e4".into()), "{text}");
    }
}

#[test]
fn spellings_of_promotions() {
    for text in [
        "a7a8q", "a7a8Q", "a7a8=q", "a8=Q", "a8Q", "a8(Q)", "a7-a8=Q+",
    ] {
        assert_eq!(read(PROMOTE, text), Ok("a7a8q".into()), "{text}");
    }
    for text in ["a7b8n", "axb8=N", "axb8N", "ab8N"] {
        assert_eq!(read(PROMOTE, text), Ok("a7b8n".into()), "{text}");
    }
    for text in ["a7a8", "a8", "axb8", "a7b8"] {
        assert_eq!(
            read(PROMOTE, text),
            Err(MoveError::MissingPromotion),
            "{text}"
        );
    }
    assert_eq!(read(START, "e2e4q"), Err(MoveError::UnexpectedPromotion));
    assert_eq!(read(PROMOTE, "a7a8k"), Err(MoveError::Malformed));
}

#[test]
fn spellings_of_castling() {
    for text in [
        "e1g1", "O-O", "0-0", "o-o", "e1h1", "O-O+", "Ke1g1", "Ke1-g1",
    ] {
        assert_eq!(read(CASTLE, text), Ok("e1g1".into()), "{text}");
    }
    for text in ["e1c1", "O-O-O", "0-0-0", "o-o-o", "e1a1"] {
        assert_eq!(read(CASTLE, text), Ok("e1c1".into()), "{text}");
    }
    // SAN never calls castling a king's move to a square.
    assert_eq!(read(CASTLE, "Kg1"), Err(MoveError::NotLegal));
    assert_eq!(read(CASTLE, "e1g1q"), Err(MoveError::UnexpectedPromotion));
}

#[test]
fn castling_that_is_not_possible() {
    let not_possible = |side| Err(MoveError::CastlingNotPossible(side));
    for text in ["e1g1", "O-O"] {
        assert_eq!(
            read(START, text),
            not_possible(CastlingSide::HSide),
            "{text}"
        );
    }
    let no_rights = CASTLE.replace("KQkq", "kq");
    assert_eq!(read(&no_rights, "e1c1"), not_possible(CastlingSide::ASide));
    assert_eq!(read(&no_rights, "e1a1"), Err(MoveError::NotLegal));
    // A rook on the same squares just moves there.
    assert_eq!(
        read("k7/8/8/8/8/8/7K/4R3 w - - 0 1", "e1g1"),
        Ok("e1g1".into())
    );
}

#[test]
fn fischer_random_castling() {
    // The king does not move, or stands beside the rook.
    let fen = "4k3/8/8/8/8/8/8/R5KR w HA - 0 1";
    for text in ["O-O", "g1h1", "0-0"] {
        assert_eq!(
            read_fischerandom(fen, text),
            Ok((square("g1"), square("h1"), true)),
            "{text}"
        );
    }
    for text in ["O-O-O", "g1a1", "g1c1"] {
        assert_eq!(
            read_fischerandom(fen, text),
            Ok((square("g1"), square("a1"), true)),
            "{text}"
        );
    }
    assert_eq!(
        read_fischerandom(fen, "Kf1"),
        Ok((square("g1"), square("f1"), false))
    );

    // b1c1 is the king's step; only the rook's square or the letters castle.
    let fen = "4k3/8/8/8/8/8/8/RK5R w HA - 0 1";
    assert_eq!(
        read_fischerandom(fen, "b1c1"),
        Ok((square("b1"), square("c1"), false))
    );
    assert_eq!(
        read_fischerandom(fen, "Kc1"),
        Ok((square("b1"), square("c1"), false))
    );
    assert_eq!(
        read_fischerandom(fen, "b1a1"),
        Ok((square("b1"), square("a1"), true))
    );
    assert_eq!(
        read_fischerandom(fen, "O-O-O"),
        Ok((square("b1"), square("a1"), true))
    );
    assert_eq!(
        read_fischerandom(fen, "b1g1"),
        Ok((square("b1"), square("h1"), true))
    );
}

#[test]
fn en_passant_and_missing_signs() {
    let fen = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2";
    for text in ["e5d6", "exd6", "ed6", "exd6 e.p.", "exd6ep", "e5xd6"] {
        assert_eq!(read(fen, text), Ok("e5d6".into()), "{text}");
    }
    // The text of a pawn that leaves its file must name that file.
    assert_eq!(
        read(fen, "d6"),
        Err(MoveError::NoSuchPiece(PieceKind::Pawn))
    );
}

#[test]
fn each_reason_has_its_name() {
    assert_eq!(read(START, "xyzzy"), Err(MoveError::Malformed));
    assert_eq!(
        read(START, "e3e4"),
        Err(MoveError::EmptySquare(square("e3")))
    );
    assert_eq!(read(START, "e7e5"), Err(MoveError::WrongSide(square("e7"))));
    assert_eq!(read(START, "Ng1e2"), Err(MoveError::NotLegal));
    assert_eq!(
        read(START, "Bg1f3"),
        Err(MoveError::WrongPiece {
            named: PieceKind::Bishop,
            square: square("g1")
        })
    );
    assert_eq!(read(START, "e2e5"), Err(MoveError::NotLegal));
    assert_eq!(read(START, "e2d3"), Err(MoveError::NotLegal));
    assert_eq!(read(START, "a1a1"), Err(MoveError::NotLegal));
    assert_eq!(
        read(START, "Nxf3"),
        Err(MoveError::NothingToCapture(square("f3")))
    );
    assert_eq!(
        read(PROMOTE, "Qd1"),
        Err(MoveError::NoSuchPiece(PieceKind::Queen))
    );
    let two_knights = "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1";
    assert_eq!(
        read(two_knights, "Nd2").map_err(|error| matches!(error, MoveError::Ambiguous(..))),
        Err(true)
    );
    assert_eq!(read(two_knights, "Nbd2"), Ok("b1d2".into()));
    assert_eq!(read(two_knights, "N3d2"), Ok("f3d2".into()));
}

#[test]
fn a_king_in_danger_is_its_own_reason() {
    let pinned = "4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1";
    for text in ["e2c3", "Nc3", "Nec3"] {
        assert_eq!(
            read(pinned, text),
            Err(MoveError::LeavesKingInCheck),
            "{text}"
        );
    }
    // One knight is pinned and the other is too far away.
    let with_another = "4r1k1/8/8/8/8/8/4N3/4K2N w - - 0 1";
    assert_eq!(read(with_another, "Nc3"), Err(MoveError::LeavesKingInCheck));
    let checked = "4r1k1/8/8/8/8/8/P2P4/4K3 w - - 0 1";
    for text in ["a2a3", "a4", "Ke2", "e1e2", "d2d4"] {
        assert_eq!(
            read(checked, text),
            Err(MoveError::LeavesKingInCheck),
            "{text}"
        );
    }
    for text in ["a2b3", "a5", "d2d5", "d2d1"] {
        assert_eq!(read(checked, text), Err(MoveError::NotLegal), "{text}");
    }
    let blocked = "4r1k1/8/8/8/8/n7/P7/4K3 w - - 0 1";
    assert_eq!(read(blocked, "a2a4"), Err(MoveError::NotLegal));
}
