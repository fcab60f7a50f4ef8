//! The file format: networks with hidden layers.

use super::*;
use crate::eval::network::NetworkFormatError;
use crate::eval::network::header::Header;
use crate::eval::network::quantisation::MAX_FIRST_BIAS;

/// A small architecture with hidden layers.
const SMALL: Architecture = Architecture {
    width: Width::N128,
    output_buckets: 2,
    ..HIDDEN_ARCHITECTURE
};

/// Returns the error message for the file of a small network with other bytes in its header.
fn error_with(at: usize, values: &[u8]) -> String {
    let mut bytes = Network::random_of(SMALL, 7).to_bytes();
    bytes[at..at + values.len()].copy_from_slice(values);
    let error = Network::from_bytes(&bytes).expect_err("not a network");
    assert_eq!(Network::file_bytes(&bytes).err(), Some(error.clone()));
    error.to_string()
}

#[test]
fn files_with_hidden_layers_are_read() {
    let mut network = Network::random_of(SMALL, 7);
    let bytes = network.to_bytes();
    // Accumulators, two buckets of both layers, and of the output.
    let accumulators = (1 + 768) * 128 * 2;
    let buckets = 2 * (16 * (128 + 4) + 32 * (32 * 2 + 4) + 32 * 2 + 4);
    assert_eq!(bytes.len(), 128 + accumulators + buckets);
    assert_eq!(Network::file_bytes(&bytes[..128]), Ok(bytes.len()));
    network.checksum = u32::from_le_bytes([bytes[48], bytes[49], bytes[50], bytes[51]]);
    assert!(Network::from_bytes(&bytes) == Ok(network));
}

#[test]
fn parameters_of_hidden_layers_have_the_order_of_the_file() {
    let mut bytes = Network::zero(SMALL).expect("memory").to_bytes();
    let start = 128 + (1 + 768) * 128 * 2;
    let mut set = |at: usize, value: u8| bytes[start + at] = value;
    set((16 + 3) * 128 + 70, 0xfb); // bucket 1, neuron 3, product 70
    let biases = 2 * 16 * 128;
    set(biases + 4 * (16 + 5), 17);
    let second = biases + 2 * 16 * 4;
    set(second + 2 * ((32 + 6) * 32 + 21), 18);
    let second_biases = second + 2 * 32 * 32 * 2;
    set(second_biases + 4 * (32 + 7), 19);
    let output = second_biases + 2 * 32 * 4;
    set(output + 2 * (32 + 8), 20);
    set(output + 2 * 32 * 2 + 4, 21);
    Header::write_checksum(&mut bytes);
    let network = Network::from_bytes(&bytes).expect("a network");
    let layers = &network.hidden_layers[1];
    let found = (
        layers.first_weight(3, 70),
        layers.first_biases[5],
        layers.second_weight(6, 21),
        layers.second_biases[7],
        layers.output_weights.0[8],
        layers.output_bias,
    );
    assert_eq!(found, (-5, 17, 18, 19, 20, 21));
    assert_eq!(network.hidden_layers[0], HiddenLayers::zero(Width::N128));
}

#[test]
fn headers_with_other_hidden_layers_are_rejected_and_named() {
    for (at, values, message) in [
        (
            10,
            &[64, 0][..],
            "64 neurons per accumulator before hidden layers; this engine accepts multiples of 128",
        ),
        (
            54,
            &[128, 0],
            "output weight scale 128 after hidden layers; this engine accepts 512",
        ),
        (
            58,
            &[8, 32],
            "hidden layers of 8 and 32 neurons; this engine accepts 16 and 32",
        ),
        (
            58,
            &[16, 0],
            "hidden layers of 16 and 0 neurons; this engine accepts 16 and 32",
        ),
        (
            60,
            &[1],
            "an unknown value in bytes 60 to 63; this engine accepts 0",
        ),
        (
            15,
            &[0],
            "output weight scale 512; this engine accepts 64 and 128",
        ),
        (
            15,
            &[2],
            "kind 2 of output; this engine accepts 0 (single) and 1 (hidden layers)",
        ),
    ] {
        assert_eq!(error_with(at, values), message);
    }
}

#[test]
fn damaged_files_with_hidden_layers_are_rejected() {
    let bytes = Network::random_of(SMALL, 7).to_bytes();
    let layers = bytes.len() - 2 * (16 * (128 + 4) + 32 * (32 * 2 + 4) + 32 * 2 + 4);
    for length in [bytes.len() - 1, layers + 1, layers, 128, 100] {
        let short = Network::from_bytes(&bytes[..length]);
        let error = NetworkFormatError::TooShort {
            found: length,
            expected: if length == 100 { 128 } else { bytes.len() },
        };
        assert_eq!(short, Err(error));
    }
    let long = Network::from_bytes(&[&bytes[..], &[0]].concat());
    assert_eq!(long, Err(NetworkFormatError::TooLong(bytes.len())));
    for index in [58, layers, bytes.len() - 1] {
        let mut bytes = bytes.clone();
        bytes[index] ^= 1;
        let error = Network::from_bytes(&bytes).expect_err("a damaged file");
        let is_header = index == 58;
        assert_eq!(error == NetworkFormatError::Checksum, !is_header);
    }
}

/// Returns the error message for a small network with changed hidden layers in its last output bucket.
fn error_after(change: impl FnOnce(&mut HiddenLayers)) -> Option<String> {
    let mut network = Network::zero(SMALL).expect("memory");
    change(&mut network.hidden_layers[1]);
    let error = Network::from_bytes(&network.to_bytes()).err();
    error.map(|error| error.to_string())
}

/// Sets all weights and the bias of a neuron of the second layer.
fn set_second(layers: &mut HiddenLayers, neuron: usize, weight: i16, bias: i32) {
    for input in 0..SECOND_INPUTS {
        let sign = if input % 3 == 0 { -1 } else { 1 };
        layers.set_second_weight(neuron, input, (sign * i32::from(weight)) as i16);
    }
    layers.second_biases[neuron] = bias;
}

#[test]
fn weights_of_hidden_layers_that_could_overflow_are_rejected_and_named() {
    let message = |place| {
        Some(format!(
            "the weights or the bias of {place} in output bucket 1 are too large"
        ))
    };
    let first = |bias| error_after(|layers| layers.first_biases[9] = bias);
    let limit = MAX_FIRST_BIAS as i32;
    assert_eq!(first(limit), None);
    assert_eq!(first(-limit), None);
    for bias in [limit + 1, -limit - 1, i32::MAX, i32::MIN] {
        assert_eq!(first(bias), message("neuron 9 of hidden layer 1"));
    }
    // 32 weights of 8256, with activations of at most 8128, leave 131,071 for the bias.
    let rest = i32::MAX - 32 * 8256 * 8128;
    let second = |weight, bias| error_after(|layers| set_second(layers, 31, weight, bias));
    assert_eq!(second(8256, rest), None);
    assert_eq!(second(-8256, -rest), None);
    for (weight, bias) in [(8256, rest + 1), (8257, 0), (i16::MIN, 0), (0, i32::MIN)] {
        assert_eq!(second(weight, bias), message("neuron 31 of hidden layer 2"));
    }
    let output = |weight, bias| {
        error_after(|layers| {
            layers.output_weights.0.fill(weight);
            layers.output_bias = bias;
        })
    };
    assert_eq!(output(8256, -rest), None);
    for (weight, bias) in [(8256, -rest - 1), (-8257, 0), (0, i32::MIN)] {
        assert_eq!(output(weight, bias), message("the output"));
    }
}
