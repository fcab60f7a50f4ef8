//! Networks of all architectures.

use super::*;
use crate::eval::network::quantisation::{MAX_KING_BUCKETS, MAX_OUTPUT_BUCKETS};

/// Positions that are compared for each architecture.
const POSITIONS: usize = 2000;

/// Returns a division of the squares into `count` buckets, which have about equally many squares.
fn king_buckets(count: usize, is_mirrored: bool) -> KingBuckets {
    let buckets = std::array::from_fn(|square| {
        let (rank, file) = (square / 8, square % 8);
        let number = if is_mirrored {
            rank * 4 + file.min(7 - file)
        } else {
            square
        };
        (number % count) as u8
    });
    KingBuckets::new(count, buckets, is_mirrored).expect("a valid division")
}

/// Compares scores of a random network of this architecture in random games.
fn check(architecture: Architecture) {
    let text = format!("{architecture:?}");
    let mut random = ChaCha8Rng::seed_from_u64(4);
    let network = Arc::new(Network::random_of(architecture, 8));
    let mut evaluators = evaluators(&network);
    let mut checked = 0;
    while checked < POSITIONS {
        checked += check_game(&mut random, &network, &mut evaluators);
    }
    let read = Network::from_bytes(&network.to_bytes()).unwrap_or_else(|error| {
        panic!("{text}: {error}");
    });
    assert_eq!(read.architecture, network.architecture);
    assert!(read.feature_weights == network.feature_weights, "{text}");
    assert!(read.hidden_layers == network.hidden_layers, "{text}");
}

#[test]
fn accumulators_have_every_width() {
    for width in Width::ALL {
        check(Architecture {
            width,
            ..DEFAULT_ARCHITECTURE
        });
    }
}

#[test]
fn hidden_layers_follow_accumulators_of_every_width_that_they_accept() {
    let accepted = Width::ALL.into_iter();
    let accepted = accepted.filter(|&width| OutputKind::Hidden.accepts(width));
    for width in accepted.clone() {
        check(Architecture {
            width,
            ..HIDDEN_ARCHITECTURE
        });
    }
    assert_eq!(accepted.count(), 7);
}

#[test]
fn hidden_layers_have_every_number_of_buckets() {
    for output_buckets in 1..=MAX_OUTPUT_BUCKETS {
        check(Architecture {
            width: Width::N128,
            king_buckets: king_buckets(output_buckets, true),
            output_buckets,
            output_centipawns: 50 * output_buckets as u16,
            ..HIDDEN_ARCHITECTURE
        });
    }
}

#[test]
fn kings_select_the_weights_of_their_bucket() {
    for (count, is_mirrored) in [
        (1, false),
        (4, true),
        (7, false),
        (16, true),
        (MAX_KING_BUCKETS, true),
        (MAX_KING_BUCKETS, false),
    ] {
        check(Architecture {
            width: Width::N64,
            king_buckets: king_buckets(count, is_mirrored),
            ..DEFAULT_ARCHITECTURE
        });
    }
}

#[test]
fn kings_select_the_weights_of_their_bucket_before_hidden_layers() {
    for (count, is_mirrored) in [
        (1, false),
        (7, false),
        (MAX_KING_BUCKETS, true),
        (MAX_KING_BUCKETS, false),
    ] {
        check(Architecture {
            width: Width::N128,
            king_buckets: king_buckets(count, is_mirrored),
            ..HIDDEN_ARCHITECTURE
        });
    }
}

#[test]
fn the_largest_network_is_computed() {
    check(Architecture {
        width: Width::N1536,
        king_buckets: king_buckets(MAX_KING_BUCKETS, true),
        output_buckets: MAX_OUTPUT_BUCKETS,
        ..HIDDEN_ARCHITECTURE
    });
}

#[test]
fn outputs_have_every_number_of_buckets_and_every_scale() {
    for output_buckets in 1..=MAX_OUTPUT_BUCKETS {
        check(Architecture {
            width: Width::N64,
            output_buckets,
            output_weight_scale: if output_buckets % 2 == 0 { 64 } else { 128 },
            output_centipawns: 50 * output_buckets as u16,
            ..DEFAULT_ARCHITECTURE
        });
    }
}

#[test]
fn output_buckets_divide_the_numbers_of_pieces() {
    let buckets = |output_buckets| {
        let architecture = Architecture {
            output_buckets,
            ..DEFAULT_ARCHITECTURE
        };
        [2, 5, 6, 17, 18, 29, 30, 32, 64].map(|pieces| architecture.output_bucket(pieces))
    };
    assert_eq!(buckets(1), [0; 9]);
    assert_eq!(buckets(2), [0, 0, 0, 0, 1, 1, 1, 1, 1]);
    assert_eq!(buckets(8), [0, 0, 1, 3, 4, 6, 7, 7, 7]);
}
