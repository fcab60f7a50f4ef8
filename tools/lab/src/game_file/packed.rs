//! A game as bytes: its start position and result, then 4 bytes for each move. `docs/data.md` has the table.

use gaur::board::Setup;
use gaur::rules::Variant;
use gaur::types::{Color, File, Move, MoveKind, Piece, PieceKind, Score, Square};

use super::record::{Ending, GameRecord, GameResult, ScoredMove};

/// Bytes before the moves in version 1 of the format.
pub(super) const OLD_HEAD: usize = 36;

/// Bytes before the moves: those of version 1 and the node limit.
pub(super) const HEAD: usize = OLD_HEAD + 4;

/// Bytes for each move.
pub(super) const PER_MOVE: usize = 4;

/// Nibble of an absent castling right.
const NO_FILE: u8 = 15;

/// Code of an absent en passant square.
const NO_SQUARE: u8 = 64;

const KINDS: [MoveKind; 13] = [
    MoveKind::Quiet,
    MoveKind::DoublePush,
    MoveKind::Castle,
    MoveKind::Capture,
    MoveKind::EnPassant,
    MoveKind::PromoteKnight,
    MoveKind::PromoteBishop,
    MoveKind::PromoteRook,
    MoveKind::PromoteQueen,
    MoveKind::CapturePromoteKnight,
    MoveKind::CapturePromoteBishop,
    MoveKind::CapturePromoteRook,
    MoveKind::CapturePromoteQueen,
];

/// Returns the 16 bits of a move: bits 0-5 the start square, 6-11 the target square (a1 = 0, b1 = 1, h8 = 63; for
/// castling the square of the rook), 12-15 the number of its [`MoveKind`].
pub fn move_to_bits(mv: Move) -> u16 {
    mv.from_to() as u16 | (mv.kind() as u16) << 12
}

/// Inverse of [`move_to_bits`]. Returns `None` if the kind does not exist or both squares are equal.
pub fn move_from_bits(bits: u16) -> Option<Move> {
    let kind = KINDS.into_iter().find(|&kind| kind as u16 == bits >> 12)?;
    let from = Square::from_index(usize::from(bits & 63));
    let to = Square::from_index(usize::from(bits >> 6 & 63));
    (from != to).then(|| Move::new(from, to, kind))
}

/// Returns the number of moves of a game with these first bytes, of either version.
pub(super) fn move_count(head: &[u8]) -> usize {
    match *head {
        [low, high, ..] => usize::from(u16::from_le_bytes([low, high])),
        _ => 0,
    }
}

/// Appends a game to `bytes`.
///
/// A game of more than 65,535 moves or a position of more than 32 pieces does not fit and is cut.
pub(super) fn pack(game: &GameRecord, bytes: &mut Vec<u8>) {
    let start = &game.start;
    let mut head = [0; HEAD];
    let moves = &game.moves[..game.moves.len().min(usize::from(u16::MAX))];
    head[0..2].copy_from_slice(&(moves.len() as u16).to_le_bytes());
    head[2] = game.result as u8;
    head[3] = game.ending as u8;
    let mut occupied = 0_u64;
    let mut count = 0;
    for square in Square::all() {
        if let Some(piece) = start.piece_on(square).filter(|_| count < 32) {
            occupied |= 1 << square.index();
            let code = (piece.kind.index() as u8) | (piece.color.index() as u8) << 3;
            head[12 + count / 2] |= code << (4 * (count % 2));
            count += 1;
        }
    }
    head[4..12].copy_from_slice(&occupied.to_le_bytes());
    let fischerandom = u8::from(game.variant == Variant::Fischerandom);
    head[28] = start.side_to_move.index() as u8 | fischerandom << 1;
    for (color, sides) in start.castling.iter().enumerate() {
        for (side, file) in sides.iter().enumerate() {
            let file = file.map_or(NO_FILE, |file| file.index() as u8);
            head[29 + color] |= file << (4 * side);
        }
    }
    head[31] = start
        .en_passant
        .map_or(NO_SQUARE, |square| square.index() as u8);
    head[32..34].copy_from_slice(&start.halfmove_clock.to_le_bytes());
    head[34..36].copy_from_slice(&start.fullmove_number.to_le_bytes());
    head[36..40].copy_from_slice(&game.nodes.to_le_bytes());
    bytes.extend_from_slice(&head);
    for scored in moves {
        bytes.extend_from_slice(&move_to_bits(scored.mv).to_le_bytes());
        bytes.extend_from_slice(&(scored.score.0 as i16).to_le_bytes());
    }
}

impl GameRecord {
    /// Returns a number that identifies the game by its start position and moves, independent of file, scores and
    /// result. Its 64 bits are distributed like random numbers. It must not change: games are divided into training
    /// and validation by it, also those of files that are converted later.
    pub fn identity(&self) -> u64 {
        let mut bytes = Vec::new();
        pack(self, &mut bytes);
        let (head, moves) = bytes.split_at(HEAD);
        let moves = moves.chunks(PER_MOVE).flat_map(|entry| &entry[..2]);
        // FNV-1a, with the finaliser of SplitMix64.
        let mut hash = 0xCBF2_9CE4_8422_2325_u64;
        for &byte in head[4..OLD_HEAD].iter().chain(moves) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
        hash = (hash ^ hash >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        hash = (hash ^ hash >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        hash ^ hash >> 31
    }
}

/// Returns the game in these bytes, or `None` if they are no game. Moves are not checked for legality.
pub(super) fn unpack(bytes: &[u8]) -> Option<GameRecord> {
    let (head, moves) = bytes.split_first_chunk::<HEAD>()?;
    let (old_head, rest) = head.split_first_chunk::<OLD_HEAD>()?;
    let nodes = u32::from_le_bytes(*rest.first_chunk()?);
    unpack_old(old_head, moves, nodes)
}

/// Returns the game in the bytes of version 1, or `None` if they are no game. That version stores the node limit in the
/// header of the file.
pub(super) fn unpack_old(head: &[u8; OLD_HEAD], moves: &[u8], nodes: u32) -> Option<GameRecord> {
    let start = unpack_start(head)?;
    let variant = match head[28] >> 1 {
        0 => Variant::Standard,
        1 => Variant::Fischerandom,
        _ => return None,
    };
    let (chunks, rest) = moves.as_chunks::<PER_MOVE>();
    if chunks.len() != move_count(head) || !rest.is_empty() {
        return None;
    }
    let moves: Option<Vec<ScoredMove>> = chunks
        .iter()
        .map(|&[low, high, score_low, score_high]| {
            Some(ScoredMove {
                mv: move_from_bits(u16::from_le_bytes([low, high]))?,
                score: Score(i32::from(i16::from_le_bytes([score_low, score_high]))),
            })
        })
        .collect();
    // A tail of zeros, as a crash may leave it, is no game.
    let is_king = |color| Some(Piece::new(color, PieceKind::King));
    let kings = |color| {
        Square::all()
            .filter(|&square| start.piece_on(square) == is_king(color))
            .count()
    };
    if Color::ALL.into_iter().any(|color| kings(color) != 1) {
        return None;
    }
    Some(GameRecord {
        variant,
        start,
        nodes,
        moves: moves?,
        result: *GameResult::ALL.get(usize::from(head[2]))?,
        ending: *Ending::ALL.get(usize::from(head[3]))?,
    })
}

fn unpack_start(head: &[u8; OLD_HEAD]) -> Option<Setup> {
    let mut start = Setup::empty();
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&head[4..12]);
    let occupied = u64::from_le_bytes(bytes);
    if occupied.count_ones() > 32 {
        return None;
    }
    let squares = Square::all().filter(|square| occupied >> square.index() & 1 != 0);
    for (number, square) in squares.enumerate() {
        let code = head[12 + number / 2] >> (4 * (number % 2)) & 15;
        let kind = *PieceKind::ALL.get(usize::from(code & 7))?;
        let color = Color::ALL[usize::from(code >> 3)];
        start.set(square, Some(Piece { color, kind }));
    }
    start.side_to_move = Color::ALL[usize::from(head[28] & 1)];
    for (color, sides) in start.castling.iter_mut().enumerate() {
        for (side, file) in sides.iter_mut().enumerate() {
            *file = match head[29 + color] >> (4 * side) & 15 {
                NO_FILE => None,
                file => Some(File::from_index(usize::from(file))?),
            };
        }
    }
    start.en_passant = match head[31] {
        NO_SQUARE => None,
        square if square < NO_SQUARE => Some(Square::from_index(usize::from(square))),
        _ => return None,
    };
    start.halfmove_clock = u16::from_le_bytes([head[32], head[33]]);
    start.fullmove_number = u16::from_le_bytes([head[34], head[35]]);
    Some(start)
}
