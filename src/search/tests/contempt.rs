//! Tests of searches in which a draw is worth less than an equal position to White.

use crate::messages::{Contempt, Limits};
use crate::rules::Position;
use crate::search::job::Job;
use crate::search::node::Pv;
use crate::search::searcher::Searcher;
use crate::search::stop::RunId;
use crate::search::test_support::{position, searcher_at};
use crate::types::{Color, Ply, Score};

/// Centipawns that a draw costs White.
const LOSS: i32 = 30;

fn contempt() -> Contempt {
    Contempt::new(Color::White, LOSS)
}

/// Returns the score of a search to a depth in which a draw costs White `loss` centipawns.
fn score(position: &Position, depth: i32, loss: i32) -> Score {
    let limits = Limits {
        depth: Some(depth),
        ..Limits::default()
    };
    let job = Job {
        contempt: Contempt::new(Color::White, loss),
        ..Job::plain(RunId(1), position, &limits)
    };
    searcher_at(position).iterate(&job, &mut |_| {}).score
}

#[test]
fn a_forced_draw_is_a_loss_to_one_side_and_a_gain_to_the_other() {
    for (pieces, mirrored, halfmove_clock) in [
        // The only move leaves bare kings.
        ("Ka1 qb2 kh8", "ka1 Qb2 Kh8", 0),
        // Every move reaches the limit of the fifty-move rule.
        ("Kb1 Rh2 kd8", "kb1 rh2 Kd8", 99),
    ] {
        for depth in [1, 5] {
            let white = position(Color::White, pieces, halfmove_clock);
            assert_eq!(score(&white, depth, LOSS), Score(-LOSS), "{pieces}");
            let black = position(Color::Black, mirrored, halfmove_clock);
            assert_eq!(score(&black, depth, LOSS), Score(LOSS), "{mirrored}");
        }
    }
}

#[test]
fn stalemate_is_a_draw() {
    let mut searcher = searcher_at(&position(Color::Black, "Kf7 Qg6 kh8", 0));
    searcher.contempt = contempt();
    let found = searcher.search::<Pv>(-Score::INFINITE, Score::INFINITE, 1, Ply(1), false);
    assert_eq!(found, Score(LOSS));
}

#[test]
fn a_draw_that_the_evaluation_knows_is_a_draw() {
    for halfmove_clock in [0, 60] {
        let mut searcher = searcher_at(&position(Color::Black, "kg4 Pa3 Kc1", halfmove_clock));
        let score = |searcher: &mut Searcher<_>| {
            let raw = searcher.evaluate();
            searcher.correct_eval(raw, Ply(1))
        };
        assert_eq!(score(&mut searcher), Score::DRAW);
        searcher.contempt = contempt();
        assert_eq!(score(&mut searcher), Score(LOSS));
    }
}

#[test]
fn a_repetition_counts_if_it_is_worth_more_than_the_position() {
    // Black is to move after two repetitions of the knights, and can repeat once more.
    let mut game = Position::standard();
    for name in ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"] {
        let mv = game
            .legal_moves()
            .into_iter()
            .find(|mv| format!("{}{}", mv.from(), mv.to()) == name);
        let _ = game.play(mv.expect("a legal move"));
    }
    // Black's knight on f6 and the move are worth less than a draw that gains 100 centipawns, but more than one that
    // gains nothing.
    for depth in [1, 4, 8] {
        assert_eq!(score(&game, depth, 100), Score(100));
        assert!(score(&game, depth, 0) > Score(0));
    }
}

#[test]
fn the_bonus_shrinks_with_exchanges() {
    for (pieces, bonus) in [
        (
            "Ke1 Qd1 Ra1 Rh1 Bc1 Bf1 Nb1 Ng1 Pa2 Pb2 Pc2 Pd2 Pe2 Pf2 Pg2 Ph2 \
             ke8 qd8 ra8 rh8 bc8 bf8 nb8 ng8 pa7 pb7 pc7 pd7 pe7 pf7 pg7 ph7",
            LOSS,
        ),
        ("Ke1 Ra1 Rh1 Pa2 Pb2 Pc2 ke8 ra8 rh8 pa7 pb7 pc7", LOSS / 3),
        ("Ke1 Pa2 ke8 pa7", 0),
    ] {
        for (side, sign) in [(Color::White, 1), (Color::Black, -1)] {
            let mut searcher = searcher_at(&position(side, pieces, 0));
            let plain = searcher.evaluate();
            searcher.contempt = contempt();
            assert_eq!(searcher.evaluate(), plain + sign * bonus, "{pieces}");
        }
    }
}
