//! Network files: any header, and parameters of the size that it states.

use std::sync::Arc;

use gaur::board::Board;
use gaur::eval::{EngineEvaluator, Evaluation, Evaluator, Isa, Network};

/// Largest file that is completed with parameters: the widest accumulators with one king bucket fit into it.
const MAX_BYTES: usize = 3 << 20;

/// Factor by which a byte becomes a bias of the accumulators or a feature weight. Sums of 33 such values can be within
/// 16 bits, at their limits, and beyond them.
const WEIGHT_OF_BYTE: i16 = 8;

/// Number of input features of each king bucket.
const FEATURES: usize = 768;

/// Bytes of the header that hold the checksum.
const CHECKSUM: std::ops::Range<usize> = 48..52;

/// Number of half-moves after which the scores of all instruction sets are compared.
const PLIES: usize = 24;

/// Reads the bytes as a network file, and as the beginning of one whose parameters repeat what follows the header and
/// whose checksum is right. A network that is read evaluates positions equally with every instruction set.
pub fn run(bytes: &[u8]) {
    let _ = Network::from_bytes(bytes);
    let Ok(size) = Network::file_bytes(bytes) else {
        return;
    };
    if size > MAX_BYTES {
        return;
    }
    let parameters = if bytes[8] == 1 { 64 } else { 128 };
    let repeated = match &bytes[parameters..] {
        [] => &[0],
        repeated => repeated,
    };
    let mut file = bytes[..parameters].to_vec();
    let repeated = repeated.iter().copied().cycle();
    let neurons = usize::from(u16::from_le_bytes([bytes[10], bytes[11]]));
    let accumulators = neurons * (1 + FEATURES * usize::from(bytes[12]));
    let words = repeated.clone().take(accumulators);
    let words = words.map(|byte| WEIGHT_OF_BYTE * i16::from(byte.cast_signed()));
    file.extend(words.flat_map(i16::to_le_bytes));
    file.extend(repeated.take(size - file.len()));
    let covered = match parameters {
        64 => [&[][..], &file[64..]],
        _ => [&file[..CHECKSUM.start], &file[CHECKSUM.end..]],
    };
    let mut hasher = crc32fast::Hasher::new();
    for part in covered {
        hasher.update(part);
    }
    let checksum = hasher.finalize().to_le_bytes();
    file[CHECKSUM].copy_from_slice(&checksum);
    // The only other reason to reject it are values out of their range.
    if let Ok(network) = Network::from_bytes(&file) {
        play(&Arc::new(network));
    }
}

/// Compares the scores of all instruction sets after each move of a short game.
fn play(network: &Arc<Network>) {
    let mut evaluators: Vec<EngineEvaluator> = (Isa::available().into_iter())
        .map(|isa| EngineEvaluator::new(&Evaluation::Network(Arc::clone(network), isa)))
        .collect();
    let mut board = Board::standard();
    for evaluator in &mut evaluators {
        evaluator.reset(&board);
    }
    for ply in 0..PLIES {
        let moves = board.legal_moves();
        let Some(&mv) = moves.get(ply * 7 % moves.len().max(1)) else {
            return;
        };
        for evaluator in &mut evaluators {
            evaluator.push(&board, mv);
        }
        let _ = board.make(mv);
        let mut scores = evaluators.iter_mut().map(|each| each.evaluate(&board));
        let expected = scores.next().expect("scalar code is always available");
        assert!(scores.all(|score| score == expected), "after {mv:?}");
    }
}
