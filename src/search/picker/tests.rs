//! Every legal move once, in the promised order, whatever table move and killers come in.

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use super::*;
use crate::types::Color;

/// The moves and groups of a whole node.
fn all_of(picker: &mut Picker, board: &Board, history: &History) -> Vec<(Move, CutGroup)> {
    let parameters = Parameters::default();
    std::iter::from_fn(|| picker.next(board, history, &parameters)).collect()
}

/// Boards of a random game, with the random source to go on with.
fn random_boards(seed: u64, mut visit: impl FnMut(&Board, &mut ChaCha8Rng)) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    for _ in 0..20 {
        let mut board = Board::standard();
        for _ in 0..120 {
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            visit(&board, &mut random);
            let mv = moves[random.next_u32() as usize % moves.len()];
            let _ = board.make(mv);
        }
    }
}

#[test]
fn every_legal_move_comes_once() {
    random_boards(1, |board, random| {
        let moves = board.legal_moves();
        let mut any = || {
            let bits = random.next_u32() as u16;
            let own = moves[usize::from(bits) % moves.len()];
            if bits & 0x100 == 0 {
                Some(own)
            } else {
                Move::from_bits(bits)
            }
        };
        let (table_move, killers) = (any(), [any(), any()]);
        let killers = if killers[0] == killers[1] {
            [killers[0], None]
        } else {
            killers
        };
        let mut history = History::new();
        history.update(board.side_to_move(), moves[0], 100);
        let given = all_of(
            &mut Picker::all(board.checks(), table_move, killers),
            board,
            &history,
        );
        let mut listed: Vec<u16> = given.iter().map(|(mv, _)| mv.bits()).collect();
        let mut expected: Vec<u16> = moves.iter().map(|mv| mv.bits()).collect();
        listed.sort_unstable();
        expected.sort_unstable();
        assert_eq!(listed, expected, "{board:?}");
    });
}

#[test]
fn groups_come_in_their_order() {
    // By the default of the parameter that moves the losing captures.
    let order = |group| match group {
        CutGroup::TableMove => 0,
        CutGroup::WinningCapture => 1,
        CutGroup::EqualCapture => 2,
        CutGroup::Killer => 3,
        CutGroup::LosingCapture if Parameters::default().losing_captures_last() == 0 => 4,
        CutGroup::Quiet => 5,
        CutGroup::LosingCapture => 6,
    };
    random_boards(2, |board, random| {
        let moves = board.legal_moves();
        let quiet = moves.iter().copied().find(|mv| !mv.is_noisy());
        let table_move = moves[random.next_u32() as usize % moves.len()];
        let mut picker = Picker::all(board.checks(), Some(table_move), [quiet, None]);
        let given = all_of(&mut picker, board, &History::new());
        assert_eq!(given[0], (table_move, CutGroup::TableMove));
        assert!(
            given
                .windows(2)
                .all(|pair| order(pair[0].1) <= order(pair[1].1)),
            "{given:?}"
        );
        for &(mv, group) in &given[1..] {
            let promotes_low = mv.promotion().is_some_and(|kind| kind != PieceKind::Queen);
            match group {
                CutGroup::WinningCapture => assert!(board.see_at_least(mv, 1)),
                CutGroup::EqualCapture => {
                    assert!(board.see_at_least(mv, 0) && !board.see_at_least(mv, 1))
                }
                CutGroup::LosingCapture => assert!(promotes_low || !board.see_at_least(mv, 0)),
                CutGroup::Killer => assert_eq!(Some(mv), quiet),
                _ => assert!(!mv.is_noisy()),
            }
        }
    });
}

#[test]
fn quiets_follow_their_history() {
    let board = Board::standard();
    let moves = board.legal_moves();
    let mut history = History::new();
    history.update(Color::White, moves[7], 50);
    history.update(Color::White, moves[3], 20);
    history.update(Color::White, moves[5], -20);
    let given = all_of(
        &mut Picker::all(board.checks(), None, [None; 2]),
        &board,
        &history,
    );
    assert_eq!((given[0].0, given[1].0), (moves[7], moves[3]));
    assert_eq!(given.last().map(|given| given.0), Some(moves[5]));
}

#[test]
fn quiescence_gets_no_losing_and_no_quiet_moves() {
    random_boards(3, |board, _| {
        let given = all_of(
            &mut Picker::noisy(board.checks(), None, true),
            board,
            &History::new(),
        );
        assert!(
            given
                .iter()
                .all(|&(mv, _)| mv.is_noisy() && board.see_at_least(mv, 0))
        );
        let all = all_of(
            &mut Picker::noisy(board.checks(), None, false),
            board,
            &History::new(),
        );
        let noisy = board
            .legal_moves()
            .iter()
            .filter(|mv| mv.is_noisy())
            .count();
        assert_eq!(all.len(), noisy);
    });
}
