//! Tests of reading and writing FEN.

use super::*;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The castling field as it is written back in Fischer Random.
fn castling(text: &str) -> String {
    let mut field = String::new();
    write_castling(&parse_fen(text).unwrap(), Variant::Fischerandom, &mut field);
    field
}

#[test]
fn the_standard_position() {
    assert_eq!(parse_fen(START), Ok(Setup::standard()));
    assert_eq!(write_fen(&Board::standard(), Variant::Standard), START);
    assert_eq!(
        write_fen(&Board::standard(), Variant::Fischerandom),
        START.replace("KQkq", "HAha")
    );
}

#[test]
fn missing_fields_have_their_defaults() {
    let placement = "4k3/8/8/8/8/8/8/R3K2R";
    let short = |rest: &str| parse_fen(&format!("{placement} {rest}")).unwrap();
    assert_eq!(short("w"), short("w - - 0 1"));
    assert_eq!(short("b KQ"), short("b KQ - 0 1"));
    assert_eq!(short("w KQ -"), short("w KQ - 0 1"));
    assert_eq!(short("w KQ - 7"), short("w KQ - 7 1"));
    assert_eq!(short("w 7 9"), short("w - - 7 9"));
    assert_eq!(short("w KQ 7 9"), short("w KQ - 7 9"));
    assert_eq!(short("  b \t -  -  0   1  "), short("b - - 0 1"));
}

#[test]
fn counters_are_taken_as_they_are_within_reason() {
    let counters = |rest: &str| {
        let setup = parse_fen(&format!("4k3/8/8/8/8/8/8/4K3 w - - {rest}")).unwrap();
        (setup.halfmove_clock, setup.fullmove_number)
    };
    assert_eq!(counters("99 120"), (99, 120));
    assert_eq!(counters("150 0"), (150, 1));
    assert_eq!(
        counters("99999999999999999999 70000"),
        (LARGEST_COUNTER, LARGEST_COUNTER)
    );
}

#[test]
fn castling_letters_of_all_kinds() {
    assert_eq!(castling(START), "HAha");
    assert_eq!(castling(&START.replace("KQkq", "HAha")), "HAha");
    assert_eq!(castling(&START.replace("KQkq", "qKQ")), "HAa");
    // K and Q mean the outermost rook, a file the one on it.
    assert_eq!(castling("4k3/8/8/8/8/8/8/RR2K1RR w KQ -"), "HA");
    assert_eq!(castling("4k3/8/8/8/8/8/8/RR2K1RR w GB -"), "GB");
    assert_eq!(castling("1rk3r1/8/8/8/8/8/8/1RK3R1 w KQkq -"), "GBgb");
}

#[test]
fn rights_without_king_and_rook_are_dropped() {
    assert_eq!(castling("4k3/8/8/8/8/8/8/4K3 w KQkq -"), "-");
    assert_eq!(castling("4k3/8/8/8/8/8/4K3/R6R w KQHA -"), "-");
    assert_eq!(castling("4k3/8/8/8/8/8/8/R3K2r w KQ -"), "A");
    assert_eq!(castling("4k3/8/8/8/8/8/8/4K2R w HGk -"), "H");
}

#[test]
fn standard_chess_castles_from_e_to_the_corners_only() {
    let kept = |text: &str| {
        let setup = parse_fen_for(text, Variant::Standard).unwrap();
        assert!(has_standard_castling(&setup));
        let mut field = String::new();
        write_castling(&setup, Variant::Standard, &mut field);
        field
    };
    assert_eq!(kept(START), "KQkq");
    assert_eq!(
        kept("rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RBBQKNNR w KQkq - 0 1"),
        "KQ"
    );
    assert_eq!(kept("4k3/8/8/8/8/8/8/1R2K1R1 w KQ - 0 1"), "-");
    assert!(!has_standard_castling(
        &parse_fen("4k3/8/8/8/8/8/8/4K1R1 w K -").unwrap()
    ));
}

#[test]
fn an_inner_rook_is_written_with_its_file() {
    let board = Board::from_setup(&parse_fen("4k3/8/8/8/8/8/8/4K1RR w G -").unwrap()).unwrap();
    assert_eq!(
        write_fen(&board, Variant::Standard),
        "4k3/8/8/8/8/8/8/4K1RR w G - 0 1"
    );
}

#[test]
fn an_en_passant_square_is_taken_as_written_and_kept_when_it_matters() {
    let board = |text: &str| Board::from_setup(&parse_fen(text).unwrap()).unwrap();
    let idle = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
    assert_eq!(parse_fen(idle).unwrap().en_passant, Square::from_name("e3"));
    assert_eq!(
        write_fen(&board(idle), Variant::Standard),
        idle.replace("e3", "-")
    );
    let real = "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1";
    assert_eq!(write_fen(&board(real), Variant::Standard), real);
    // Nonsense, and harmless.
    let nonsense = "4k3/8/8/8/3pP3/8/8/4K3 b - a8 0 1";
    assert_eq!(
        write_fen(&board(nonsense), Variant::Standard),
        nonsense.replace("a8", "-")
    );
}

#[test]
fn each_error_has_its_name() {
    let error = |text: &str| parse_fen(text).unwrap_err();
    let with = |rest: &str| parse_fen(&format!("4k3/8/8/8/8/8/8/4K3{rest}")).unwrap_err();
    assert_eq!(error(""), FenError::Empty);
    assert_eq!(error(" \t\n"), FenError::Empty);
    assert_eq!(error("hello world"), FenError::UnknownPiece('h'));
    assert_eq!(error("8/8/8/8 w - -"), FenError::RankCount(4));
    assert_eq!(error("8/8/8/8/8/8/8/8/8/8 w"), FenError::RankCount(10));
    assert_eq!(
        error("7/8/8/8/8/8/8/8 w"),
        FenError::RankLength {
            rank: '8',
            squares: 7
        }
    );
    assert_eq!(
        error("8/8/8/8/8/8/8/K8 w"),
        FenError::RankLength {
            rank: '1',
            squares: 9
        }
    );
    assert_eq!(error("8/9/8/8/8/8/8/8 w"), FenError::UnknownPiece('9'));
    assert_eq!(
        error("8//8/8/8/8/8/8 w"),
        FenError::RankLength {
            rank: '7',
            squares: 0
        }
    );
    assert_eq!(with(""), FenError::MissingSide);
    assert_eq!(with(" x"), FenError::BadSide("x".into()));
    assert_eq!(with(" w KX"), FenError::BadCastling('X'));
    assert_eq!(with(" w - e9"), FenError::BadEnPassant("e9".into()));
    assert_eq!(with(" w - - -1"), FenError::BadHalfmoveClock("-1".into()));
    assert_eq!(with(" w - - 0 one"), FenError::BadMoveNumber("one".into()));
    assert_eq!(
        with(" w - - 0 1 e2e4"),
        FenError::TrailingText("e2e4".into())
    );
    assert_eq!(with(" w - - 0 1;"), FenError::TrailingText(";".into()));
}

#[test]
fn very_long_text_is_refused_quickly() {
    let start_time = std::time::Instant::now();
    for piece in [
        "8",
        "/",
        "k",
        "a",
        "8/",
        "\u{1f600}",
        "4k3/8/8/8/8/8/8/4K3 w K",
    ] {
        let long = piece.repeat(1_000_000);
        for text in [
            long.clone(),
            format!("8/8/8/8/8/8/8/8 {long}"),
            format!("8/8/8/8/8/8/8/8 w - - x{long}"),
            format!("8/8/8/8/8/8/8/8 w - - 0 1 {long}"),
        ] {
            let error = parse_fen(&text).unwrap_err().to_string();
            assert!(error.len() < 200, "{error}");
        }
    }
    assert!(start_time.elapsed().as_secs() < 20);
}
