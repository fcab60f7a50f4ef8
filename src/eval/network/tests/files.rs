//! The file format: networks that are read, and files that are rejected.

use super::*;
use crate::eval::network::NetworkFormatError;
use crate::eval::network::header::Header;
use crate::eval::network::quantisation::{BLOCK_SIZE, MAX_OUTPUT_WEIGHT};

/// A small architecture with several king buckets.
fn small_architecture() -> Architecture {
    let buckets = std::array::from_fn(|square| u8::from(square >= 16));
    Architecture {
        width: Width::N64,
        king_buckets: KingBuckets::new(2, buckets, true).expect("a valid division"),
        output: OutputKind::Single,
        output_buckets: 2,
        output_weight_scale: 64,
        output_centipawns: 300,
    }
}

/// Returns the file of a small network, changed and with the right checksum.
fn changed_file(change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut bytes = Network::random_of(small_architecture(), 7).to_bytes();
    change(&mut bytes);
    if Header::read(&bytes).is_ok() {
        Header::write_checksum(&mut bytes);
    }
    bytes
}

/// Returns the error message for the file of a small network with other bytes in its header.
fn error_with(at: usize, values: &[u8]) -> String {
    let bytes = changed_file(|bytes| bytes[at..at + values.len()].copy_from_slice(values));
    let error = Network::from_bytes(&bytes).expect_err("not a network");
    assert_eq!(Network::file_bytes(&bytes).err(), Some(error.clone()));
    error.to_string()
}

#[test]
fn files_of_both_versions_are_read() {
    for (version, architecture) in [
        (1, DEFAULT_ARCHITECTURE),
        (2, DEFAULT_ARCHITECTURE),
        (2, small_architecture()),
    ] {
        let mut network = Network::random_of(architecture, 7);
        let bytes = network.to_bytes_of_version(version);
        network.checksum = u32::from_le_bytes([bytes[48], bytes[49], bytes[50], bytes[51]]);
        assert_eq!(
            Network::file_bytes(&bytes[..Network::HEADER_BYTES]),
            Ok(bytes.len())
        );
        assert!(
            Network::from_bytes(&bytes) == Ok(network),
            "version {version}"
        );
    }
    let embedded = include_bytes!("../gaur.net");
    let network = Network::from_bytes(embedded).expect("a network");
    assert_eq!(network.architecture, DEFAULT_ARCHITECTURE);
    assert!(network.to_bytes_of_version(1) == embedded);
}

#[test]
fn other_files_are_rejected() {
    for content in [&b""[..], b"GAURNNUE", &[0; 200]] {
        let result = Network::from_bytes(content);
        assert_eq!(result, Err(NetworkFormatError::NotANetwork));
    }
    let bytes = changed_file(|bytes| bytes[0] = b'g');
    assert_eq!(
        Network::from_bytes(&bytes),
        Err(NetworkFormatError::NotANetwork)
    );
}

#[test]
fn headers_beyond_the_limits_are_rejected_and_named() {
    for (at, values, message) in [
        (
            8,
            &[9, 0][..],
            "version 9 of the network format; this engine reads versions 1 and 2",
        ),
        (
            10,
            &[64, 6],
            "1600 neurons per accumulator; this engine accepts 64, 128, 256, 512, 768, 1024, 1280, 1536",
        ),
        (
            10,
            &[65, 0],
            "65 neurons per accumulator; this engine accepts 64, 128, 256, 512, 768, 1024, 1280, 1536",
        ),
        (
            10,
            &[0, 0],
            "0 neurons per accumulator; this engine accepts 64, 128, 256, 512, 768, 1024, 1280, 1536",
        ),
        (12, &[0], "0 king buckets; this engine accepts 1 to 32"),
        (12, &[33], "33 king buckets; this engine accepts 1 to 32"),
        (13, &[0], "0 output buckets; this engine accepts 1 to 8"),
        (13, &[9], "9 output buckets; this engine accepts 1 to 8"),
        (
            14,
            &[2],
            "kind 2 of board; this engine accepts 0 (never mirrored) and 1 (mirrored)",
        ),
        (
            15,
            &[7],
            "kind 7 of output; this engine accepts 0 (single) and 1 (hidden layers)",
        ),
        (
            52,
            &[0, 1],
            "accumulator scale 256; this engine accepts 255",
        ),
        (
            54,
            &[96, 0],
            "output weight scale 96; this engine accepts 64 and 128",
        ),
        (
            56,
            &[0, 0],
            "0 centipawns for an output of 1.0; this engine accepts 1 to 1000",
        ),
        (
            58,
            &[1],
            "an unknown value in bytes 58 to 63; this engine accepts 0",
        ),
        (
            127,
            &[2],
            "an inconsistent table of 2 king buckets; this engine accepts numbers below 2, and on a mirrored board \
             the same number for squares that are mirror images",
        ),
    ] {
        assert_eq!(error_with(at, values), message);
    }
    // A bucket that exists, on one of two squares that are mirror images.
    assert!(error_with(64 + 7, &[1]).starts_with("an inconsistent table"));
    let bytes = changed_file(|bytes| bytes[8] = 1);
    let error = Network::from_bytes(&bytes).expect_err("not a network");
    assert_eq!(
        error.to_string(),
        "2 king buckets; this engine accepts 1 in version 1 of the format"
    );
}

#[test]
fn unused_bytes_of_version_1_are_zero() {
    let bytes = Network::random(7).to_bytes_of_version(1);
    for at in [14, 15].into_iter().chain(52..64) {
        let mut bytes = bytes.clone();
        bytes[at] = 1;
        let read = Network::from_bytes(&bytes).map(|network| network.name);
        let error = read.expect_err("a value that must be 0");
        let range = if at < 16 { "14 to 15" } else { "52 to 63" };
        assert_eq!(
            error.to_string(),
            format!("an unknown value in bytes {range}; this engine accepts 0"),
            "byte {at}"
        );
        assert_eq!(Network::file_bytes(&bytes).err(), Some(error));
    }
}

#[test]
fn names_that_could_change_the_display_are_rejected() {
    let with_name = |version: u16, name: &[u8]| {
        let mut bytes = Network::random(7).to_bytes_of_version(version);
        bytes[16..48].fill(0);
        bytes[16..][..name.len()].copy_from_slice(name);
        if Header::read(&bytes).is_ok() {
            Header::write_checksum(&mut bytes);
        }
        Network::from_bytes(&bytes)
            .map(|network| network.name().to_owned())
            .map_err(|error| error.to_string())
    };
    for version in [1, 2] {
        for name in [
            "",
            "gaur-7",
            "réseau n° 7",
            "a name of exactly 32 characters.",
        ] {
            assert_eq!(with_name(version, name.as_bytes()), Ok(name.to_owned()));
        }
        for name in [
            &b"gaur\x1b[2J"[..],
            b"gaur\nmove e2e4",
            b"gaur\x7f",
            b"gaur\xc2\x9b2J", // a control character of Unicode
            b"gaur\xff",
            b"gaur\0rest",
            b"\0rest",
        ] {
            assert_eq!(
                with_name(version, name),
                Err(
                    "an unreadable name; this engine accepts UTF-8 without control characters, padded with zeros"
                        .to_owned()
                ),
                "{name:?}"
            );
        }
    }
}

#[test]
fn damaged_files_are_rejected() {
    for (version, architecture) in [(1, DEFAULT_ARCHITECTURE), (2, small_architecture())] {
        let bytes = Network::random_of(architecture, 7).to_bytes_of_version(version);
        for length in [bytes.len() - 1, 128, 100] {
            let short = Network::from_bytes(&bytes[..length]);
            // The file ends in the header of version 2.
            let ends_in_header = version == 2 && length == 100;
            let error = NetworkFormatError::TooShort {
                found: length,
                expected: if ends_in_header { 128 } else { bytes.len() },
            };
            assert_eq!(short, Err(error));
        }
        let long = Network::from_bytes(&[&bytes[..], &[0]].concat());
        assert_eq!(long, Err(NetworkFormatError::TooLong(bytes.len())));
        for index in [48, 200, bytes.len() - 20] {
            let mut bytes = bytes.clone();
            bytes[index] ^= 1;
            let damaged = Network::from_bytes(&bytes);
            assert_eq!(damaged, Err(NetworkFormatError::Checksum));
        }
    }
    // Version 2 protects its header, too: another name, and a board that is not mirrored.
    for index in [16, 14] {
        let mut bytes = Network::random_of(small_architecture(), 7).to_bytes();
        bytes[index] ^= 1;
        assert_eq!(
            Network::from_bytes(&bytes),
            Err(NetworkFormatError::Checksum)
        );
    }
}

#[test]
fn output_weights_that_could_overflow_are_rejected_and_named() {
    let read = |network: &Network| {
        let read = Network::from_bytes(&network.to_bytes());
        read.map(|_| ()).map_err(|error| error.to_string())
    };
    // Two blocks of 32 neurons for each side, in two buckets.
    for (block, weight, place) in [
        (
            3,
            MAX_OUTPUT_WEIGHT + 1,
            "neuron 41 of the opponent in output bucket 0",
        ),
        (
            5,
            i16::MIN,
            "neuron 41 of the side to move in output bucket 1",
        ),
    ] {
        let mut network = Network::random_of(small_architecture(), 7);
        network.output_weights[block].0[9] = weight;
        let message = format!("the output weight of {place} is too large");
        assert_eq!(read(&network), Err(message));
    }
    // Each of these weights is within its limit, but their sum is not.
    let weight =
        (MAX_OUTPUT_WEIGHT_SUM / (2 * DEFAULT_ARCHITECTURE.width.neurons() as i32) + 1) as i16;
    assert!(weight < MAX_OUTPUT_WEIGHT);
    let mut network = Network::random(7);
    let blocks = DEFAULT_ARCHITECTURE.width.blocks();
    let mut fill = |weight| {
        let bucket = &mut network.output_weights[3 * 2 * blocks..][..2 * blocks];
        let (first, second) = bucket.split_at_mut(blocks);
        first.fill(Block([weight; 32]));
        second.fill(Block([-weight; 32]));
        read(&network)
    };
    let message = "the sum of the absolute output weights in output bucket 3 is too large";
    assert_eq!(fill(weight), Err(message.to_owned()));
    assert!(fill(weight - 1).is_ok());
}

/// Returns the error message for a network with zero parameters and these biases and feature weights of a neuron in a
/// king bucket. The weights are given by number of the feature within the bucket.
fn error_with_weights(
    neuron: usize,
    bias: i16,
    bucket: usize,
    weights: &[(usize, i16)],
) -> Option<String> {
    let architecture = small_architecture();
    let blocks = architecture.width.blocks();
    let mut network = Network::zero(architecture).expect("memory");
    let place = (neuron / BLOCK_SIZE, neuron % BLOCK_SIZE);
    network.biases[place.0].0[place.1] = bias;
    for (feature, weight) in weights {
        let slot = slot_of(bucket * FEATURES_PER_BUCKET + feature);
        network.feature_weights[slot * blocks + place.0].0[place.1] = *weight;
    }
    let error = Network::from_bytes(&network.to_bytes()).err();
    error.map(|error| error.to_string())
}

#[test]
fn accumulators_that_could_overflow_are_rejected_and_named() {
    let message =
        "the feature weights or the bias of neuron 37 in king bucket 1 are too large".to_owned();
    // A weight on each of 40 squares, of pieces of both sides. The 32 largest add up to 32,000.
    let piece = |square: usize| {
        (
            square % 12 * 64 + square,
            if square < 32 { -1000 } else { 999 },
        )
    };
    let weights: Vec<(usize, i16)> = (0..40).map(piece).collect();
    let error = |bias, weights: &[_]| error_with_weights(37, bias, 1, weights);
    assert_eq!(error(767, &weights), None);
    assert_eq!(error(-767, &weights), None);
    assert_eq!(error(768, &weights), Some(message.clone()));
    assert_eq!(error(-768, &weights), Some(message.clone()));
    // Of the pieces that can stand on a square, the one with the largest weight counts.
    let other = |square: usize, weight| ((square + 1) % 12 * 64 + square, weight);
    let more = |weight| [&weights[..], &[other(0, weight)]].concat();
    assert_eq!(error(767, &more(1000)), None);
    assert_eq!(error(767, &more(1001)), Some(message.clone()));
    assert_eq!(error(767, &more(-1001)), Some(message.clone()));
    for (bias, weight) in [(i16::MIN, 0), (0, i16::MIN), (1, i16::MAX), (-1, i16::MAX)] {
        assert!(error(bias, &[(0, weight)]).is_some(), "{bias}, {weight}");
    }
    assert_eq!(error(0, &[(0, i16::MAX)]), None);
    assert_eq!(error(i16::MAX, &[]), None);
    // The weights of king buckets are not added up.
    assert_eq!(error_with_weights(0, 767, 0, &weights), None);
}
