//! Completeness and order of the picked moves, with any table move and killer moves.

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use super::*;
use crate::search::history::NO_PIECE_TO;
use crate::search::test_support::position;
use crate::types::{Color, Key};

/// Returns all moves of a node with their classes.
fn all_of(picker: &mut Picker, board: &Board, histories: &Histories) -> Vec<(Move, MoveClass)> {
    let parameters = Parameters::default();
    let table = Table::new(1);
    std::iter::from_fn(|| picker.next(board, histories, &parameters, &table))
        .map(|picked| (picked.mv, picked.class))
        .collect()
}

/// Returns the context of a node without previous moves.
fn context() -> HistoryContext {
    HistoryContext::new([NO_PIECE_TO; 3], Key(0))
}

/// Calls `visit` with the boards of random games and with the random number generator.
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
fn every_legal_move_is_returned_once() {
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
        let mut histories = Histories::new();
        histories.update_quiet(board, &context(), moves[0], 100);
        histories.update_capture(board, moves[moves.len() - 1], 5000);
        let picked_moves = all_of(
            &mut Picker::all(board.check_info(), context(), table_move, killers),
            board,
            &histories,
        );
        let mut listed: Vec<u16> = picked_moves.iter().map(|(mv, _)| mv.bits()).collect();
        let mut expected: Vec<u16> = moves.iter().map(|mv| mv.bits()).collect();
        listed.sort_unstable();
        expected.sort_unstable();
        assert_eq!(listed, expected, "{board:?}");
    });
}

#[test]
fn classes_are_in_order() {
    let parameters = Parameters::default();
    let histories = Histories::new();
    let order = |(mv, class), board: &Board| match class {
        MoveClass::TableMove => 0,
        MoveClass::GoodCapture => 1,
        MoveClass::Killer => 3,
        MoveClass::BadCapture if !parameters.bad_captures_last() => 4,
        MoveClass::Quiet => {
            let score = histories.history_score(board, &context(), mv, &parameters);
            if score < -parameters.bad_quiet_score() {
                7
            } else {
                5
            }
        }
        MoveClass::BadCapture => 6,
    };
    let mut bad_quiets = 0;
    random_boards(2, |board, random| {
        let moves = board.legal_moves();
        let quiet = moves.iter().copied().find(|mv| !mv.is_noisy());
        let table_move = moves[random.next_u32() as usize % moves.len()];
        let mut picker = Picker::all(
            board.check_info(),
            context(),
            Some(table_move),
            [quiet, None],
        );
        let picked_moves = all_of(&mut picker, board, &histories);
        assert_eq!(picked_moves[0], (table_move, MoveClass::TableMove));
        // The bonus of a check can outweigh a bad score.
        let ordered: Vec<i32> = picked_moves
            .iter()
            .filter(|(mv, class)| *class != MoveClass::Quiet || !board.gives_direct_check(*mv))
            .map(|&picked| order(picked, board))
            .collect();
        assert!(ordered.is_sorted(), "{picked_moves:?}");
        bad_quiets += ordered.iter().filter(|&&order| order == 7).count();
        for &(mv, class) in &picked_moves[1..] {
            let promotes_low = mv.promotion().is_some_and(|kind| kind != PieceKind::Queen);
            match class {
                MoveClass::GoodCapture => assert!(board.see_at_least(mv, -300)),
                MoveClass::BadCapture => assert!(promotes_low || !board.see_at_least(mv, 0)),
                MoveClass::Killer => assert_eq!(Some(mv), quiet),
                _ => assert!(!mv.is_noisy()),
            }
        }
    });
    assert!(
        bad_quiets > 0,
        "some quiet moves came after the bad captures"
    );
}

#[test]
fn quiet_moves_are_ordered_by_history_score() {
    let board = Board::standard();
    let moves = board.legal_moves();
    let mut histories = Histories::new();
    histories.update_quiet(&board, &context(), moves[7], 50);
    histories.update_quiet(&board, &context(), moves[3], 20);
    histories.update_quiet(&board, &context(), moves[5], -20);
    let picked_moves = all_of(
        &mut Picker::all(board.check_info(), context(), None, [None; 2]),
        &board,
        &histories,
    );
    assert_eq!((picked_moves[0].0, picked_moves[1].0), (moves[7], moves[3]));
    assert_eq!(
        picked_moves.last().map(|picked_moves| picked_moves.0),
        Some(moves[5])
    );
}

#[test]
fn pieces_leave_attacks_of_less_valuable_pieces_first_and_enter_them_last() {
    // The bishop attacks the rook on a1, and f4 and f6, which the other rook reaches. The pawn attacks the knight; so
    // does the bishop, which is no less valuable.
    let position = position(Color::White, "Kh1 Ra1 Rf1 Ng3 kg8 be5 ph4", 0);
    let board = position.board();
    let picked_moves = all_of(
        &mut Picker::all(board.check_info(), context(), None, [None; 2]),
        board,
        &Histories::new(),
    );
    let from: Vec<String> = picked_moves
        .iter()
        .map(|(mv, _)| mv.from().to_string())
        .collect();
    assert!(from[..11].iter().all(|square| square == "a1"), "{from:?}");
    assert!(from[11..15].iter().all(|square| square == "g3"), "{from:?}");
    let mut last: Vec<String> = picked_moves[picked_moves.len() - 2..]
        .iter()
        .map(|(mv, _)| mv.to().to_string())
        .collect();
    last.sort();
    assert_eq!(last, ["f4", "f6"]);
}

#[test]
fn noisy_pickers_return_no_quiet_or_losing_moves() {
    random_boards(3, |board, _| {
        let picked_moves = all_of(
            &mut Picker::noisy(board.check_info(), context(), None, 0),
            board,
            &Histories::new(),
        );
        assert!(
            picked_moves
                .iter()
                .all(|&(mv, _)| mv.is_noisy() && board.see_at_least(mv, 0))
        );
    });
}

#[test]
fn quiet_checks_follow_the_good_captures() {
    let mut checks = 0;
    random_boards(6, |board, _| {
        let noisy = || Picker::noisy(board.check_info(), context(), None, 0);
        let first = all_of(&mut noisy(), board, &Histories::new());
        let picked_moves = all_of(&mut noisy().with_quiet_checks(), board, &Histories::new());
        let (captures, mut quiet) = picked_moves.split_at(first.len());
        assert_eq!(captures, first);
        let legal = board.legal_moves();
        let is_wanted = |mv: &Move| !mv.is_noisy() && board.gives_direct_check(*mv);
        for mv in legal.iter().filter(|mv| is_wanted(mv)) {
            assert!(
                quiet.iter().any(|picked_moves| picked_moves.0 == *mv),
                "{mv:?} {board:?}"
            );
        }
        while let Some((last, others)) = quiet.split_last() {
            assert!(legal.contains(&last.0) && is_wanted(&last.0), "{board:?}");
            assert!(!others.contains(last), "{board:?}");
            checks += 1;
            quiet = others;
        }
    });
    assert!(checks > 0, "some checks were returned");
}

#[test]
fn skipping_quiet_moves_keeps_the_captures() {
    random_boards(4, |board, _| {
        let histories = Histories::new();
        let (parameters, table) = (Parameters::default(), Table::new(1));
        let mut picker = Picker::all(board.check_info(), context(), None, [None; 2]);
        let mut picked_moves = Vec::new();
        let mut quiets = 0;
        while let Some(Picked { mv, .. }) = picker.next(board, &histories, &parameters, &table) {
            picked_moves.push(mv);
            quiets += usize::from(!mv.is_noisy());
            if quiets == 2 {
                picker.skip_quiets();
            }
        }
        let moves = board.legal_moves();
        let noisy = moves.iter().filter(|mv| mv.is_noisy()).count();
        assert_eq!(picked_moves.len(), noisy + quiets, "{board:?}");
        assert_eq!(quiets, (moves.len() - noisy).min(2));
    });
}

#[test]
fn other_quiet_moves_can_be_skipped_except_checks() {
    let mut checks = 0;
    for wait in [0, 3] {
        random_boards(4, |board, _| {
            let histories = Histories::new();
            let (parameters, table) = (Parameters::default(), Table::new(1));
            let moves = board.legal_moves();
            let gives_check = |mv: &Move| mv.is_noisy() || board.gives_direct_check(*mv);
            let quiet: Vec<Move> = moves.iter().copied().filter(|mv| !mv.is_noisy()).collect();
            let killers = [quiet.first().copied(), quiet.last().copied()];
            let mut picker = Picker::all(board.check_info(), context(), None, killers);
            let (mut before, mut after) = (Vec::new(), Vec::new());
            let mut quiets = 0;
            loop {
                let is_late = quiets >= wait;
                if is_late {
                    picker.skip_quiets_without_check();
                }
                let Some(Picked { mv, .. }) = picker.next(board, &histories, &parameters, &table)
                else {
                    break;
                };
                quiets += usize::from(!mv.is_noisy());
                if is_late { &mut after } else { &mut before }.push(mv);
            }
            assert!(after.iter().all(gives_check), "{after:?} {board:?}");
            let wanted = moves.iter().filter(|mv| gives_check(mv)).count();
            let others = before.iter().filter(|mv| !gives_check(mv)).count();
            assert_eq!(before.len() + after.len(), wanted + others, "{board:?}");
            checks += after.iter().filter(|mv: &&Move| !mv.is_noisy()).count();
        });
    }
    assert!(checks > 0, "some checks were returned");
}

#[test]
fn moves_have_their_history_score_and_check_flag() {
    let parameters = Parameters::default();
    let table = Table::new(1);
    let mut checks = 0;
    random_boards(5, |board, random| {
        let mut histories = Histories::new();
        for mv in board.legal_moves() {
            let bonus = random.next_u32() as i32 % 2000;
            if mv.is_noisy() {
                histories.update_capture(board, mv, bonus);
            } else {
                histories.update_quiet(board, &context(), mv, bonus);
            }
        }
        let quiet = board.legal_moves().into_iter().find(|mv| !mv.is_noisy());
        let mut picker = Picker::all(board.check_info(), context(), None, [quiet, None]);
        while let Some(picked) = picker.next(board, &histories, &parameters, &table) {
            let mv = picked.mv;
            let score = histories.history_score(board, &context(), mv, &parameters);
            assert_eq!(picked.history_score, score, "{mv:?} on {board:?}");
            assert_eq!(
                picked.gives_direct_check,
                !mv.is_noisy() && board.gives_direct_check(mv)
            );
            checks += usize::from(picked.gives_direct_check);
        }
    });
    assert!(checks > 100, "{checks}");
}
