//! What is kept up to date is what would be summed anew, on every instruction set.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::features::{FEATURES, Placed, View, row_of};
use super::net::{LARGEST_SUM, LARGEST_WEIGHT, Row, WIDTH};
use super::*;
use crate::board::Setup;
use crate::types::{Color, File, MAX_PLY, Piece, PieceKind, Rank, Square};

impl Network {
    /// A network of small random numbers.
    pub(crate) fn random(seed: u64) -> Network {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut row = |size: i16| {
            Row(std::array::from_fn(|_| {
                (random.next_u32() % (2 * size as u32 + 1)) as i16 - size
            }))
        };
        let mut network = Network::blank();
        network.name = format!("random {seed}");
        network.biases = row(200);
        for feature in 0..FEATURES {
            network.rows[row_of(feature)] = row(120);
        }
        for set in network.weights.as_flattened_mut() {
            *set = row(32);
        }
        network.output_biases = std::array::from_fn(|set| set as i32 * 1000 - 3000);
        network
    }
}

/// The value by definition, without anything kept.
fn value_anew(network: &Network, board: &Board) -> Score {
    let row_of = |side: Color| {
        let view = View::new(side, board.king(side));
        let mut sum = network.biases;
        for color in Color::ALL {
            for kind in PieceKind::ALL {
                for square in board.pieces(color, kind) {
                    let row = &network.rows[view.row(Placed::new(color, kind, square))];
                    for (sum, number) in sum.0.iter_mut().zip(row.0) {
                        *sum = sum.wrapping_add(number);
                    }
                }
            }
        }
        sum
    };
    let us = board.side_to_move();
    let sides = [row_of(us), row_of(!us)];
    network.output(Isa::Scalar.kernels(), sides.each_ref(), board.occupancy())
}

/// A start position of Fischer Random, now and then without pawns of one side, so that others get through.
fn start(random: &mut ChaCha8Rng) -> Board {
    let mut below = |number: usize| random.next_u32() as usize % number;
    let mut setup = Setup::standard();
    let mut home = [0, 1, 2, 3, 4, 5, 6, 7].map(|file| setup.pieces[file].map(|piece| piece.kind));
    let find = |home: &[Option<PieceKind>], kind| {
        let files = File::all().zip(home);
        files
            .filter(|(_, found)| **found == Some(kind))
            .map(|(file, _)| file)
            .collect::<Vec<_>>()
    };
    let (king, rooks) = loop {
        for place in 0..8 {
            home.swap(place, below(8));
        }
        let (king, rooks) = (
            find(&home, PieceKind::King)[0],
            find(&home, PieceKind::Rook),
        );
        if rooks[0] < king && king < rooks[1] {
            break (king, rooks);
        }
    };
    assert!(king > File::A);
    for color in Color::ALL {
        for (file, kind) in File::all().zip(home) {
            let piece = kind.map(|kind| Piece::new(color, kind));
            setup.set(Square::new(file, Rank::home(color)), piece);
        }
    }
    setup.castling = [[Some(rooks[1]), Some(rooks[0])]; 2];
    let bare = Color::ALL.get(below(4)).copied();
    for place in &mut setup.pieces {
        if place.is_some_and(|piece| piece.kind == PieceKind::Pawn && Some(piece.color) == bare) {
            *place = None;
        }
    }
    Board::from_setup(&setup).unwrap_or_else(|_| Board::standard()) // a king may stand in check
}

/// Plays a random game, asking for values here and there, with takebacks and null moves in between; says how many
/// values were compared.
fn check_game(
    random: &mut ChaCha8Rng,
    network: &Network,
    evaluators: &mut [NetworkEvaluator],
) -> usize {
    let mut board = start(random);
    for evaluator in &mut *evaluators {
        evaluator.reset(&board);
    }
    let mut line = Vec::new();
    let mut checked = 0;
    for _ in 0..150 {
        let moves = board.legal_moves();
        let choice = random.next_u32();
        if choice.is_multiple_of(8)
            && let Some((mv, undo)) = line.pop()
        {
            board.unmake(mv, undo);
            evaluators.iter_mut().for_each(Evaluator::pop);
        } else if !moves.is_empty() {
            let mv = moves[choice as usize / 8 % moves.len()];
            for evaluator in &mut *evaluators {
                evaluator.push(&board, mv);
            }
            line.push((mv, board.make(mv)));
        }
        if choice % 16 == 1 && !board.in_check() {
            check_null_move(&mut board, network, evaluators);
        }
        if !random.next_u32().is_multiple_of(3) {
            let expected = value_anew(network, &board);
            for evaluator in &mut *evaluators {
                assert_eq!(evaluator.evaluate(&board), expected);
            }
            checked += 1;
        }
    }
    checked
}

fn check_null_move(board: &mut Board, network: &Network, evaluators: &mut [NetworkEvaluator]) {
    for evaluator in &mut *evaluators {
        evaluator.push_null(board);
    }
    let undo = board.make_null_move();
    let expected = value_anew(network, board);
    for evaluator in &mut *evaluators {
        assert_eq!(evaluator.evaluate(board), expected);
        evaluator.pop();
    }
    board.unmake_null_move(undo);
}

fn on_all_sets(network: &Arc<Network>) -> Vec<NetworkEvaluator> {
    let sets = Isa::available().into_iter();
    sets.map(|isa| NetworkEvaluator::new(Arc::clone(network), isa))
        .collect()
}

#[test]
fn a_hundred_thousand_positions_have_the_same_value_everywhere() {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let network = Arc::new(Network::random(1));
    let mut evaluators = on_all_sets(&network);
    let mut checked = 0;
    while checked < 100_000 {
        checked += check_game(&mut random, &network, &mut evaluators);
    }
}

/// A position in which all castling rights that the pieces allow are there: `Ke1 Rh1 kg8`.
fn placed(pieces: &str) -> Board {
    let mut setup = Setup::empty();
    for text in pieces.split(' ') {
        let (letter, square) = text.split_at(1);
        let piece = letter.chars().next().and_then(Piece::from_fen_letter);
        let square = Square::from_name(square).expect("a square");
        setup.set(square, piece);
        if let Some(piece) = piece.filter(|piece| piece.kind == PieceKind::Rook) {
            let king = Some(Piece::new(piece.color, PieceKind::King));
            let is_queenside = setup.pieces[square.index()..].contains(&king);
            setup.castling[piece.color.index()][usize::from(is_queenside)] = Some(square.file());
        }
    }
    Board::from_setup(&setup).expect("a possible position")
}

#[test]
fn special_moves_are_followed() {
    let network = Arc::new(Network::random(2));
    let mut evaluators = on_all_sets(&network);
    // Where pieces stand, and the moves: in castling the king takes its rook.
    for (pieces, moves) in [
        ("Ke1 Rh1 Ra1 ke8 rh8 ra8", &["e1h1", "e8a8"] as &[_]),
        ("Ke1 Ra1 ke8 rh8", &["e1a1", "e8h8"]),
        // King and rook change places, the king stays, the rook stays.
        ("Ke1 Rf1 ke8 rd8", &["e1f1", "e8d8"]),
        ("Kf1 Rg1 Pf2 Pg2 kf8 rg8 pg7", &["f1g1", "f8g8"]),
        ("Kg1 Rh1 kg8 rh8", &["g1h1", "g8h8"]),
        ("Kc1 Rb1 Pb2 kb8 ra8", &["c1b1", "b8a8"]),
        ("Kb1 Ra1 ke8", &["b1a1"]),
        // En passant, and promotions with and without capture.
        ("Ke1 Pe5 ke8 pd7 Nh3", &["h3g1", "d7d5", "e5d6"]),
        ("Kb1 Pb7 ra8 kh3 pg2 Nf1", &["b7a8", "g2f1"]),
        ("Ka1 Pb7 kh1 pg2", &["b7b8", "g2g1"]),
        // Kings that look at the other half of the board.
        ("Ke1 ke8 Qd2 qd7", &["e1d1", "e8d8", "d1e1"]),
    ] {
        let mut board = placed(pieces);
        evaluators
            .iter_mut()
            .for_each(|evaluator| evaluator.reset(&board));
        for text in moves {
            let mut legal = board.legal_moves().into_iter();
            let mv = legal.find(|mv| format!("{}{}", mv.from(), mv.to()) == *text);
            let mv = mv.unwrap_or_else(|| panic!("{pieces}: {text}"));
            for evaluator in &mut evaluators {
                evaluator.push(&board, mv);
            }
            let _ = board.make(mv);
            let expected = value_anew(&network, &board);
            for evaluator in &mut evaluators {
                assert_eq!(evaluator.evaluate(&board), expected, "{pieces}: {text}");
            }
        }
    }
}

#[test]
fn the_longest_line_of_a_search_has_room() {
    let network = Arc::new(Network::random(2));
    let mut evaluator = NetworkEvaluator::new(Arc::clone(&network), Isa::Scalar);
    let mut board = placed("Ke1 ke8 Qd2");
    evaluator.reset(&board);
    let mut line = Vec::new();
    for ply in 0..MAX_PLY {
        let moves = board.legal_moves();
        let mv = moves[ply % moves.len()];
        evaluator.push(&board, mv);
        line.push((mv, board.make(mv)));
    }
    assert_eq!(evaluator.evaluate(&board), value_anew(&network, &board));
    while let Some((mv, undo)) = line.pop() {
        evaluator.pop();
        board.unmake(mv, undo);
    }
    assert_eq!(evaluator.evaluate(&board), value_anew(&network, &board));
}

#[test]
fn both_sides_see_the_same_board_from_their_own_end() {
    let view = |side, king| View::new(side, Square::from_name(king).expect("a square"));
    let row = |view: View, color, square| {
        let square = Square::from_name(square).expect("a square");
        view.row(Placed::new(color, PieceKind::Knight, square))
    };
    let white = row(view(Color::White, "e1"), Color::White, "g1");
    let black = row(view(Color::Black, "e8"), Color::Black, "g8");
    assert_eq!(white, black);
    let mirrored = row(view(Color::White, "d1"), Color::White, "b1");
    assert_eq!(white, mirrored);
    assert_ne!(white, row(view(Color::Black, "e8"), Color::White, "g1"));
}

#[test]
fn a_file_gives_the_same_network_and_a_damaged_one_an_error() {
    let mut network = Network::random(7);
    let bytes = network.to_bytes();
    network.checksum = u32::from_le_bytes([bytes[48], bytes[49], bytes[50], bytes[51]]);
    assert_eq!(Network::from_bytes(&bytes), Ok(network));
    let damaged = |place: usize, value: u8| {
        let mut bytes = bytes.clone();
        bytes[place] = value;
        Network::from_bytes(&bytes)
    };
    assert_eq!(Network::from_bytes(b""), Err(NetError::NoNetwork));
    assert_eq!(damaged(0, b'g'), Err(NetError::NoNetwork));
    assert_eq!(damaged(8, 9), Err(NetError::Version(9)));
    assert!(matches!(damaged(11, 9), Err(NetError::Shape { .. })));
    assert_eq!(
        damaged(bytes.len() - 20, bytes[bytes.len() - 20] ^ 1),
        Err(NetError::Damaged)
    );
    let short = Network::from_bytes(&bytes[..bytes.len() - 1]);
    assert!(matches!(short, Err(NetError::Length { .. })));
    let mut wild = Network::random(7);
    wild.weights[3][1].0[9] = 129;
    let refused = |network: &Network| Network::from_bytes(&network.to_bytes());
    assert_eq!(refused(&wild), Err(NetError::TooLarge));
    // Each is small enough, and together they are not.
    let weight = (LARGEST_SUM / (2 * WIDTH as i32) + 1) as i16;
    assert!(weight < LARGEST_WEIGHT);
    let mut heavy = Network::random(7);
    heavy.weights[3] = [Row([weight; WIDTH]), Row([-weight; WIDTH])];
    assert_eq!(refused(&heavy), Err(NetError::TooLarge));
    heavy.weights[3] = [Row([weight - 1; WIDTH]), Row([1 - weight; WIDTH])];
    assert!(refused(&heavy).is_ok());
}
