//! Tests of games: moves, takebacks, castling, resumed games.

use std::time::Duration;

use shakmaty::fen::Fen;
use shakmaty::san::San;
use shakmaty::{CastlingMode, CastlingSide, Chess, Color, Position};

use super::*;

const KINGS_AND_ROOKS: &str = "r3k2r/8/8/8/8/8/P7/R3K2R w KQkq - 0 1";

/// Returns the board line of a position for the player of the white pieces.
fn board(position: &Chess, move_number: u32) -> Board {
    let castles = position.castles();
    let right = |color, side| castles.has(color, side);
    Board {
        placement: placement(position),
        white_to_move: position.turn().is_white(),
        double_push: None,
        castling: [
            right(Color::White, CastlingSide::KingSide),
            right(Color::White, CastlingSide::QueenSide),
            right(Color::Black, CastlingSide::KingSide),
            right(Color::Black, CastlingSide::QueenSide),
        ],
        irreversible: position.halfmoves(),
        game: 7,
        white: "Gaur".into(),
        black: "Rabbit".into(),
        relation: if position.turn().is_white() {
            Relation::PlayingMyMove
        } else {
            Relation::PlayingOpponentToMove
        },
        base: 5,
        increment: 0,
        white_time: 290_000,
        black_time: 280_000,
        move_number,
        last_move: None,
        last_time: Duration::from_secs(3),
        last_san: None,
        flipped: false,
        clock_running: true,
        lag: None,
    }
}

/// Returns the positions of a game from the start position, with the start position.
fn positions(moves: &str) -> Vec<Board> {
    boards_from(&Chess::default(), moves)
}

fn boards_from(start: &Chess, moves: &str) -> Vec<Board> {
    let mut position = start.clone();
    let mut boards = vec![board(&position, 1)];
    for (index, san) in moves.split_whitespace().enumerate() {
        let san: San = san.parse().expect("a move");
        let mv = san.to_move(&position).expect("a legal move");
        position.play_unchecked(mv);
        boards.push(board(
            &position,
            u32::try_from(index.div_ceil(2)).expect("small") + u32::from(index % 2 == 1),
        ));
    }
    for (ply, board) in boards.iter_mut().enumerate() {
        board.move_number = u32::try_from(ply / 2 + 1).expect("small");
    }
    boards
}

fn from_fen(fen: &str, mode: CastlingMode) -> Chess {
    fen.parse::<Fen>()
        .expect("FEN")
        .into_position(mode)
        .expect("a position")
}

#[test]
fn a_game_follows_moves_with_clocks() {
    let boards = positions("e4 e5 Nf3");
    let mut game = Game::start(&boards[0], false).expect("a game");
    assert!(game.is_own_turn());
    assert_eq!(game.update(&boards[1]), Ok(Change::Moves(1)));
    assert_eq!(game.update(&boards[1]), Ok(Change::Same));
    assert_eq!(game.update(&boards[2]), Ok(Change::Moves(1)));
    let moves: Vec<&str> = game
        .moves()
        .iter()
        .map(|mv| mv.coordinates.as_str())
        .collect();
    assert_eq!(moves, ["e2e4", "e7e5"]);
    assert_eq!(game.moves()[0].clock, Some(Duration::from_secs(290)));
    assert_eq!(game.moves()[1].clock, Some(Duration::from_secs(280)));
    assert_eq!(game.moves()[1].spent, Some(Duration::from_secs(3)));
    assert_eq!(game.opponent(), "Rabbit");
    assert_eq!(game.start_fen(), None);
}

#[test]
fn two_moves_between_boards_are_found() {
    let boards = positions("e4 e5 Nf3 Nc6");
    let mut game = Game::start(&boards[0], false).expect("a game");
    assert_eq!(game.update(&boards[2]), Ok(Change::Moves(2)));
    assert_eq!(game.update(&boards[4]), Ok(Change::Moves(2)));
    assert_eq!(game.moves()[3].san, "Nc6");
}

#[test]
fn takebacks_of_one_and_more_half_moves_are_recognised() {
    let boards = positions("e4 e5 Nf3 Nc6");
    let mut game = Game::start(&boards[0], false).expect("a game");
    for board in &boards[1..] {
        assert_eq!(game.update(board), Ok(Change::Moves(1)));
    }
    assert_eq!(game.update(&boards[3]), Ok(Change::Takeback(1)));
    assert_eq!(game.update(&boards[1]), Ok(Change::Takeback(2)));
    assert_eq!(game.moves().len(), 1);
    let other = positions("e4 d5");
    assert_eq!(game.update(&other[2]), Ok(Change::Moves(1)));
    assert_eq!(game.update(&other[0]), Ok(Change::Takeback(2)));
}

#[test]
fn an_unexplained_position_begins_the_game_anew() {
    let boards = positions("e4 e5 Nf3 Nc6 Bb5 a6");
    let mut game = Game::start(&boards[0], false).expect("a game");
    assert_eq!(game.update(&boards[6]), Ok(Change::Replaced));
    assert_eq!(game.moves(), []);
    assert_eq!(game.ply(), 6);
    assert!(game.start_fen().is_some_and(|fen| fen.contains(" w KQkq ")));
}

#[test]
fn boards_of_other_games_change_nothing() {
    let boards = positions("e4");
    let mut game = Game::start(&boards[0], false).expect("a game");
    let mut observed = boards[1].clone();
    observed.relation = Relation::Observing;
    assert_eq!(game.update(&observed), Err(GameError::NotOwn));
    assert_eq!(Game::start(&observed, false).err(), Some(GameError::NotOwn));
    let mut impossible = boards[1].clone();
    impossible.placement = "8/8/8/8/8/8/8/8".into();
    assert!(matches!(
        game.update(&impossible),
        Err(GameError::Position(_))
    ));
    assert_eq!(game.moves(), []);
    assert_eq!(game.update(&boards[1]), Ok(Change::Moves(1)));
}

#[test]
fn moves_of_engines_are_read_in_all_notations() {
    let start = from_fen(KINGS_AND_ROOKS, CastlingMode::Standard);
    let boards = boards_from(&start, "");
    let game = Game::start(&boards[0], false).expect("a game");
    for text in ["e1g1", "O-O", "0-0", "o-o", "e1-g1"] {
        let mv = game.read_move(text).expect(text);
        assert_eq!(
            (mv.for_server.as_str(), mv.coordinates.as_str()),
            ("O-O", "e1g1"),
            "{text}"
        );
    }
    for text in ["a2a3", "a2-a3", "a3"] {
        assert_eq!(game.read_move(text).expect(text).for_server, "a2a3");
    }
    for text in ["a2a5", "e8g8", "Qd4", "", "move", "e1e1", "P@e4"] {
        assert_eq!(game.read_move(text), Err(GameError::Illegal(text.into())));
    }
}

#[test]
fn promotions_name_the_piece_as_servers_expect_it() {
    let start = from_fen("8/P6k/8/8/8/8/8/K7 w - - 0 1", CastlingMode::Standard);
    let game = Game::start(&board(&start, 1), false).expect("a game");
    for text in ["a7a8n", "a7a8=N", "a8=N"] {
        let mv = game.read_move(text).expect(text);
        assert_eq!(
            (mv.for_server.as_str(), mv.coordinates.as_str()),
            ("a7a8=n", "a7a8n")
        );
    }
}

#[test]
fn castling_in_fischer_random_chess_has_no_squares() {
    let start = from_fen(
        "r3k2r/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1",
        CastlingMode::Chess960,
    );
    let boards = boards_from(&start, "O-O");
    let mut game = Game::start(&boards[0], true).expect("a game");
    for text in ["O-O", "e1g1"] {
        assert_eq!(
            game.read_move(text).expect(text).coordinates,
            "O-O",
            "{text}"
        );
    }
    assert_eq!(
        game.read_move("O-O-O").expect("castling").for_server,
        "O-O-O"
    );
    assert_eq!(game.update(&boards[1]), Ok(Change::Moves(1)));
    assert_eq!(game.moves()[0].coordinates, "O-O");
    assert!(game.start_fen().is_some());
}

#[test]
fn a_king_that_moves_two_squares_in_fischer_random_chess_does_not_castle() {
    let start = from_fen("4k3/8/8/8/8/8/8/5K1R w K - 0 1", CastlingMode::Chess960);
    let game = Game::start(&board(&start, 1), true).expect("a game");
    assert_eq!(
        game.read_move("f1g1").expect("a king move").for_server,
        "f1g1"
    );
    assert_eq!(game.read_move("f1h1").expect("castling").for_server, "O-O");
}

#[test]
fn en_passant_is_legal_after_a_double_push() {
    let boards = positions("e4 a6 e5 d5");
    let mut last = boards[4].clone();
    last.double_push = Some(3);
    let game = Game::start(&last, false).expect("a game");
    assert_eq!(
        game.read_move("e5d6").expect("en passant").for_server,
        "e5d6"
    );
}

#[test]
fn a_resumed_game_has_its_moves() {
    let boards = positions("e4 e5 Nf3 Nc6");
    let listed = |san: &str| ListedMove {
        san: san.into(),
        time: Duration::from_secs(1),
    };
    let moves: Vec<ListedMove> = ["e4", "e5", "Nf3", "Nc6"].into_iter().map(listed).collect();
    let mut game = Game::resume(&boards[4], &moves).expect("a game");
    assert_eq!(game.moves().len(), 4);
    assert_eq!(game.update(&boards[4]), Ok(Change::Same));
    assert_eq!(game.update(&boards[2]), Ok(Change::Takeback(2)));
    assert_eq!(
        Game::resume(&boards[3], &moves).err(),
        Some(GameError::MoveList)
    );
    assert_eq!(
        Game::resume(&boards[4], &moves[..3]).err(),
        Some(GameError::MoveList)
    );
    assert_eq!(
        Game::resume(&boards[4], &[listed("e5")]).err(),
        Some(GameError::MoveList)
    );
}

#[test]
fn clocks_below_zero_are_zero() {
    let mut boards = positions("e4");
    boards[1].white_time = -5000;
    let mut game = Game::start(&boards[0], false).expect("a game");
    assert_eq!(game.update(&boards[1]), Ok(Change::Moves(1)));
    assert_eq!(game.moves()[0].clock, Some(Duration::ZERO));
}

#[test]
fn a_line_of_the_engine_is_written_in_algebraic_notation() {
    let boards = positions("e4 e5");
    let mut game = Game::start(&boards[0], false).expect("a game");
    assert_eq!(game.algebraic_line("e2e4 e7e5"), "e2e4 e7e5");
    game.update(&boards[1]).expect("a move");
    for (line, expected) in [
        ("e2e4 e7e5 g1f3", "e4 e5 Nf3"),
        ("1. e2e4 d7d5 2. e4d5", "1. e4 d5 2. exd5"),
        ("e4 e5 Nf3", "e4 e5 Nf3"),
        ("e2e4 e7e5 (book) g1f3", "e4 e5 (book) g1f3"),
        ("e2e5 e7e5", "e2e5 e7e5"),
        ("", ""),
    ] {
        assert_eq!(game.algebraic_line(line), expected);
    }
}
