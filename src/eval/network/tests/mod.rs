//! Incremental updates against full recomputation, for every architecture and with every instruction set, and features.

mod architectures;
mod files;
mod hidden_files;
mod reference;

use std::sync::Arc;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::architecture::{Architecture, KingBuckets, OutputKind, Width};
use super::features::{FEATURES_PER_BUCKET, Feature, Perspectives, number_of, slot_of};
use super::hidden::{FIRST_NEURONS, HiddenLayers, SECOND_INPUTS, SECOND_NEURONS};
use super::quantisation::{Block, MAX_KING_BUCKETS, MAX_OUTPUT_WEIGHT_SUM};
use super::{InputSet, Isa, Network, NetworkEvaluator};
use crate::board::{Board, Setup};
use crate::eval::Evaluator;
use crate::types::{Color, File, MAX_PLY, Piece, PieceKind, Rank, Square};
use reference::{features, reference_score};

/// Architecture of the networks that were trained before the architecture was variable.
const DEFAULT_ARCHITECTURE: Architecture = Architecture {
    width: Width::N512,
    king_buckets: KingBuckets::ONE,
    output: OutputKind::Single,
    output_buckets: 8,
    output_weight_scale: 128,
    output_centipawns: 200,
};

/// Architecture with hidden layers, otherwise the default one.
const HIDDEN_ARCHITECTURE: Architecture = Architecture {
    output: OutputKind::Hidden,
    output_weight_scale: 512,
    ..DEFAULT_ARCHITECTURE
};

impl Network {
    /// Returns a network of the default architecture with small random parameters.
    pub(crate) fn random(seed: u64) -> Network {
        Network::random_of(DEFAULT_ARCHITECTURE, seed)
    }

    /// Returns a network with small random parameters.
    pub(super) fn random_of(architecture: Architecture, seed: u64) -> Network {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut fill = |blocks: &mut [Block], size: i16| {
            for value in blocks.iter_mut().flat_map(|block| &mut block.0) {
                *value = (random.next_u32() % (2 * size as u32 + 1)) as i16 - size;
            }
        };
        let blocks = architecture.width.blocks();
        let output_size =
            (MAX_OUTPUT_WEIGHT_SUM / (2 * architecture.width.neurons() as i32)).min(32);
        let mut network = Network::zero(architecture).expect("memory");
        network.name = format!("random {seed}");
        fill(&mut network.biases, 200);
        for slot in network.feature_slots() {
            fill(&mut network.feature_weights[slot * blocks..][..blocks], 120);
        }
        fill(&mut network.output_weights, output_size as i16);
        for (bucket, bias) in network.output_biases.iter_mut().enumerate() {
            *bias = bucket as i32 * 1000 - 3000;
        }
        for layers in &mut network.hidden_layers {
            layers.fill(&mut random);
        }
        network
    }
}

impl HiddenLayers {
    /// Sets random parameters, such that some sums are clipped at both ends and others not at all.
    fn fill(&mut self, random: &mut ChaCha8Rng) {
        let mut value = |size: i32| (random.next_u32() % (2 * size as u32 + 1)) as i32 - size;
        let first_size = (16384 / self.products() as i32).min(127);
        for neuron in 0..FIRST_NEURONS {
            for product in 0..self.products() {
                self.set_first_weight(neuron, product, value(first_size) as i8);
            }
        }
        self.first_biases.fill_with(|| value(10_000));
        for neuron in 0..SECOND_NEURONS {
            for input in 0..SECOND_INPUTS {
                self.set_second_weight(neuron, input, value(400) as i16);
            }
        }
        self.second_biases.fill_with(|| value(4_000_000));
        self.output_weights.0.fill_with(|| value(2000) as i16);
        self.output_bias = value(4_000_000);
    }
}

/// Returns a random starting position of Fischer Random chess.
///
/// Half of the positions lack the pawns of one side, so that the other side's pawns promote.
fn random_start(random: &mut ChaCha8Rng) -> Board {
    let mut below = |limit: usize| random.next_u32() as usize % limit;
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
        for file in 0..8 {
            home.swap(file, below(8));
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
    let pawnless = Color::ALL.get(below(4)).copied();
    for square in &mut setup.pieces {
        if square
            .is_some_and(|piece| piece.kind == PieceKind::Pawn && Some(piece.color) == pawnless)
        {
            *square = None;
        }
    }
    Board::from_setup(&setup).unwrap_or_else(|_| Board::standard()) // the side not to move may be in check
}

/// Plays a random game with null moves and unmade moves, and compares scores at random positions.
///
/// Returns the number of positions whose scores were compared.
fn check_game(
    random: &mut ChaCha8Rng,
    network: &Network,
    evaluators: &mut [NetworkEvaluator],
) -> usize {
    let mut board = random_start(random);
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
            let expected = reference_score(network, &board);
            for evaluator in &mut *evaluators {
                assert_eq!(evaluator.evaluate(&board), expected);
            }
            checked += 1;
        }
    }
    checked
}

/// Compares the scores after a null move.
fn check_null_move(board: &mut Board, network: &Network, evaluators: &mut [NetworkEvaluator]) {
    for evaluator in &mut *evaluators {
        evaluator.push_null(board);
    }
    let undo = board.make_null_move();
    let expected = reference_score(network, board);
    for evaluator in &mut *evaluators {
        assert_eq!(evaluator.evaluate(board), expected);
        evaluator.pop();
    }
    board.unmake_null_move(undo);
}

/// Returns an evaluator for each instruction set of this processor.
fn evaluators(network: &Arc<Network>) -> Vec<NetworkEvaluator> {
    let available = Isa::available().into_iter();
    available
        .map(|isa| NetworkEvaluator::new(Arc::clone(network), isa))
        .collect()
}

#[test]
fn incremental_scores_equal_recomputed_scores_in_100_000_positions() {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let network = Arc::new(Network::random(1));
    let mut evaluators = evaluators(&network);
    let mut checked = 0;
    while checked < 100_000 {
        checked += check_game(&mut random, &network, &mut evaluators);
    }
}

/// Returns a position given as text such as `Ke1 Rh1 kg8`, with White to move and every castling right that fits.
fn position_of(pieces: &str) -> Board {
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
fn special_moves_update_the_accumulators() {
    let network = Arc::new(Network::random(2));
    let mut evaluators = evaluators(&network);
    // Positions and moves. Castling is written as king takes own rook.
    for (pieces, moves) in [
        ("Ke1 Rh1 Ra1 ke8 rh8 ra8", &["e1h1", "e8a8"] as &[_]),
        ("Ke1 Ra1 ke8 rh8", &["e1a1", "e8h8"]),
        // Castling in which king and rook swap squares, the king stays or the rook stays.
        ("Ke1 Rf1 ke8 rd8", &["e1f1", "e8d8"]),
        ("Kf1 Rg1 Pf2 Pg2 kf8 rg8 pg7", &["f1g1", "f8g8"]),
        ("Kg1 Rh1 kg8 rh8", &["g1h1", "g8h8"]),
        ("Kc1 Rb1 Pb2 kb8 ra8", &["c1b1", "b8a8"]),
        ("Kb1 Ra1 ke8", &["b1a1"]),
        // En passant, and promotions with and without capture.
        ("Ke1 Pe5 ke8 pd7 Nh3", &["h3g1", "d7d5", "e5d6"]),
        ("Kb1 Pb7 ra8 kh3 pg2 Nf1", &["b7a8", "g2f1"]),
        ("Ka1 Pb7 kh1 pg2", &["b7b8", "g2g1"]),
        // King moves between the d-file and the e-file, which mirror the perspective.
        ("Ke1 ke8 Qd2 qd7", &["e1d1", "e8d8", "d1e1"]),
    ] {
        let mut board = position_of(pieces);
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
            let expected = reference_score(&network, &board);
            for evaluator in &mut evaluators {
                assert_eq!(evaluator.evaluate(&board), expected, "{pieces}: {text}");
            }
        }
    }
}

#[test]
fn the_stack_holds_the_longest_line_of_a_search() {
    let network = Arc::new(Network::random(2));
    let mut evaluator = NetworkEvaluator::new(Arc::clone(&network), Isa::Scalar);
    let mut board = position_of("Ke1 ke8 Qd2");
    evaluator.reset(&board);
    let mut line = Vec::new();
    for ply in 0..MAX_PLY {
        let moves = board.legal_moves();
        let mv = moves[ply % moves.len()];
        evaluator.push(&board, mv);
        line.push((mv, board.make(mv)));
    }
    assert_eq!(
        evaluator.evaluate(&board),
        reference_score(&network, &board)
    );
    while let Some((mv, undo)) = line.pop() {
        evaluator.pop();
        board.unmake(mv, undo);
    }
    assert_eq!(
        evaluator.evaluate(&board),
        reference_score(&network, &board)
    );
}

#[test]
fn perspectives_flip_and_mirror_the_board() {
    let square = |name| Square::from_name(name).expect("a square");
    let perspectives = Perspectives::new(&KingBuckets::ONE);
    let knight_index = |side, king, color, name| {
        let knight = Feature::new(color, PieceKind::Knight, square(name));
        perspectives.of(side, square(king)).index(knight)
    };
    let white = knight_index(Color::White, "e1", Color::White, "g1");
    let black = knight_index(Color::Black, "e8", Color::Black, "g8");
    assert_eq!(white, black);
    let mirrored = knight_index(Color::White, "d1", Color::White, "b1");
    assert_eq!(white, mirrored);
    let opponents = knight_index(Color::Black, "e8", Color::White, "g1");
    assert_ne!(white, opponents);
}

#[test]
fn input_sets_have_the_feature_numbers_of_the_network_file() {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    for set in InputSet::ALL {
        let mut seen = vec![false; set.king_buckets() * FEATURES_PER_BUCKET];
        for _ in 0..200 {
            let mut board = random_start(&mut random);
            for _ in 0..150 {
                let moves = board.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let _ = board.make(moves[random.next_u32() as usize % moves.len()]);
                for side in Color::ALL {
                    let mut found = set.features(&board, side);
                    let mut expected = features(&set.king_buckets, &board, side);
                    expected.iter().for_each(|&feature| seen[feature] = true);
                    found.sort_unstable();
                    expected.sort_unstable();
                    assert!(found.into_iter().map(usize::from).eq(expected));
                }
            }
        }
        // Kings on the last ranks and pawns on the first rank are rare or impossible.
        let share = seen.iter().filter(|seen| **seen).count() * 100 / seen.len();
        assert!(share > 80, "{share} % of the features were compared");
    }
}

#[test]
fn slots_and_numbers_of_features_are_inverse() {
    let features = 0..MAX_KING_BUCKETS * FEATURES_PER_BUCKET;
    assert!(features.clone().map(slot_of).map(number_of).eq(features));
}

#[test]
fn accumulators_reach_the_limits_of_16_bits() {
    // With 32 pieces, two of four neurons have accumulators at the limits. The weights of the other two have random
    // signs.
    let mut network = Network::random(6);
    let mut random = ChaCha8Rng::seed_from_u64(6);
    let mut fill = |blocks: &mut [Block], size: i16| {
        for (neuron, value) in blocks.iter_mut().flat_map(|block| &mut block.0).enumerate() {
            let is_negative = match neuron % 4 {
                0 => false,
                1 => true,
                _ => random.next_u32().is_multiple_of(2),
            };
            *value = if is_negative { -size } else { size };
        }
    };
    let blocks = network.architecture.width.blocks();
    for slot in network.feature_slots() {
        fill(
            &mut network.feature_weights[slot * blocks..][..blocks],
            1000,
        );
    }
    fill(&mut network.biases, 767);
    let network = Network::from_bytes(&network.to_bytes()).expect("accumulators within the limits");
    let network = Arc::new(network);
    let mut evaluators = evaluators(&network);
    for evaluator in &mut evaluators {
        evaluator.reset(&Board::standard());
        let expected = reference_score(&network, &Board::standard());
        assert_eq!(evaluator.evaluate(&Board::standard()), expected);
    }
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let mut checked = 0;
    while checked < 1000 {
        checked += check_game(&mut random, &network, &mut evaluators);
    }
}
