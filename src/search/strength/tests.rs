//! Tests of searches with limited strength.

use super::*;
use crate::messages::Limits;
use crate::rules::{Outcome, Position};
use crate::search::stop::RunId;
use crate::search::test_support::{BACK_RANK_MATE, position};
use crate::types::{PieceKind, Square};

/// A monitor without events.
struct NoEvents;

impl Monitor for NoEvents {
    fn poll(&mut self) -> bool {
        true
    }
}

fn search() -> LimitedSearch {
    LimitedSearch::new(&SearchSetup::default())
}

/// Returns the move of a level in the game with this seed.
fn result(
    search: &mut LimitedSearch,
    position: &Position,
    strength: Strength,
    seed: u64,
) -> LimitedResult {
    let job = Job {
        variety_seed: seed,
        ..Job::plain(RunId(1), position, &Limits::default())
    };
    search.run(&job, strength, Box::new(NoEvents), &mut |_| {})
}

fn best(search: &mut LimitedSearch, position: &Position, elo: u32, seed: u64) -> Move {
    let strength = Strength::new(elo, None);
    let found = result(search, position, strength, seed);
    found.result.best.expect("a move")
}

/// Plays on with this level on both sides until the game ends. Returns the winner.
fn winner(pieces: &str, elo: u32) -> Option<Color> {
    let mut search = search();
    let mut position = position(Color::White, pieces, 0);
    for _ in 0..200 {
        if let Some(outcome) = position.outcome() {
            return match outcome {
                Outcome::Mate { winner } => Some(winner),
                Outcome::Draw(_) => None,
            };
        }
        let mv = best(&mut search, &position, elo, 1);
        // No move is taken back.
        let _ = position.play(mv);
    }
    None
}

#[test]
fn elementary_endings_are_won_from_1000_on() {
    for pieces in [
        "Ke1 Qd1 ke5",
        "Ke1 Ra1 ke5",
        "Kh8 Rb2 kd4",
        "Ke1 Ra1 Rh1 ke5",
        "Ke6 Pe5 ke8",
        "Kc4 Pb4 Pg2 kd6",
    ] {
        assert_eq!(winner(pieces, 1000), Some(Color::White), "{pieces}");
    }
}

#[test]
fn a_game_is_repeatable_and_games_differ() {
    let start = Position::standard();
    let mut search = search();
    let mut moves_with = |seed| -> Vec<Move> {
        let mut position = start.clone();
        (0..8)
            .map_while(|_| {
                if position.outcome().is_some() {
                    return None;
                }
                let mv = best(&mut search, &position, 1400, seed);
                let _ = position.play(mv);
                Some(mv)
            })
            .collect()
    };
    assert_eq!(moves_with(1), moves_with(1));
    let different: std::collections::HashSet<_> = (0..20).map(&mut moves_with).collect();
    assert!(different.len() >= 18, "{} of 20 games", different.len());
}

#[test]
fn a_mate_in_one_is_found_from_1000_on() {
    let mate = position(Color::White, BACK_RANK_MATE, 0);
    let mut search = search();
    let mut found = |elo| {
        let mut board = mate.board().clone();
        (0..100)
            .filter(|&seed| board.gives_mate(best(&mut search, &mate, elo, seed)))
            .count()
    };
    assert_eq!(found(1000), 100);
    let by_beginners = found(600);
    assert!((30..100).contains(&by_beginners), "{by_beginners}");
}

/// After the exchange on e4, White is a piece down until it recaptures.
#[test]
fn a_piece_is_recaptured_from_1000_on() {
    let exchange = position(
        Color::White,
        "Kg1 Qe2 Ra1 Rf1 Pa2 Pb2 Pf2 Pg2 Ph2 ne4 kg8 qd8 ra8 rf8 pa7 pb7 pf7 pg7 ph7",
        0,
    );
    let target = Square::from_name("e4");
    let mut search = search();
    let recaptures = (0..100)
        .filter(|&seed| {
            let strength = Strength::new(1000, target);
            let found = result(&mut search, &exchange, strength, seed);
            let is_recapture = found.result.best.map(Move::to) == target;
            assert_eq!(found.choice.is_recapture, is_recapture);
            is_recapture
        })
        .count();
    // In some games, another move seems to win more than a piece.
    assert!(recaptures >= 95, "{recaptures}");
}

/// The lowest level sees that the queen can be taken by a pawn, most of the time.
#[test]
fn the_lowest_level_does_not_give_its_queen_away_each_move() {
    let attacked = position(
        Color::White,
        "Kg1 Qd4 Ra1 Rf1 Pa2 Pb2 Pf2 Pg2 Ph2 pe5 pa7 pb7 pf7 pg7 ph7 kg8 ra8 rf8 qd8",
        0,
    );
    let mut search = search();
    let kept = (0..100)
        .filter(|&seed| {
            let mv = best(&mut search, &attacked, 600, seed);
            let mut after = attacked.clone();
            let _ = after.play(mv);
            let is_lost = |reply: &Move| {
                reply.is_capture()
                    && after.board().piece_on(reply.to()).map(|piece| piece.kind)
                        == Some(PieceKind::Queen)
                    && after.board().see_at_least(*reply, 300)
            };
            !after.legal_moves().iter().any(is_lost)
        })
        .count();
    assert!(kept >= 70, "{kept}");
}

#[test]
fn a_weak_level_visits_few_nodes() {
    let mut search = search();
    let start = Position::standard();
    let mut nodes = |elo| {
        let found = result(&mut search, &start, Strength::new(elo, None), 1);
        found.result.nodes
    };
    let (weak, strong) = (nodes(600), nodes(2600));
    assert!(
        weak < 5000 && strong > 10 * weak && strong < 600_000,
        "{weak} {strong}"
    );
}

/// A position with many captures, in which the comparison of all moves takes many nodes.
const MANY_CAPTURES: &str = "Ke1 Qf3 Ra1 Rh1 Nc3 Ne5 Bd2 Be2 Pa2 Pb2 Pc2 Pd5 Pe4 Pf2 Pg2 Ph2 \
    ke8 qe7 ra8 rh8 nb6 nf6 ba6 bg7 pa7 pb4 pc7 pd7 pe6 pf7 pg6 ph3";

#[test]
fn weak_levels_compare_their_moves_in_positions_with_many_captures() {
    let position = position(Color::White, MANY_CAPTURES, 0);
    let mut search = search();
    for elo in [600, 800, 1000] {
        for seed in 0..10 {
            let full = Job {
                variety_seed: seed,
                ..Job::plain(RunId(1), &position, &Limits::default())
            };
            let strength = Strength::new(elo, None);
            let job = search.prepare(&full, &Level::of(elo), strength);
            let (result, candidates) = search.compare(&job, Box::new(NoEvents), &mut |_| {});
            assert!(
                candidates.len() >= 10 && result.depth >= 1,
                "{elo}: {} moves, {} nodes",
                candidates.len(),
                result.nodes
            );
        }
    }
}

/// The moves compared before the limit are the choice, not only the best of them.
#[test]
fn a_node_limit_in_the_first_iteration_leaves_a_choice() {
    let position = position(Color::White, MANY_CAPTURES, 0);
    let full = Job {
        nodes: Some(3000),
        ..Job::plain(RunId(1), &position, &Limits::default())
    };
    let (mut search, strength) = (search(), Strength::new(600, None));
    let job = search.prepare(&full, &Level::of(600), strength);
    let (result, candidates) = search.compare(&job, Box::new(NoEvents), &mut |_| {});
    assert_eq!(result.depth, 0, "the first iteration is not complete");
    assert!(candidates.len() >= 2, "{candidates:?}");
    assert!(candidates.is_sorted_by_key(|candidate| -candidate.score.0));
}

#[test]
fn a_set_up_ending_is_not_the_opening() {
    assert_eq!(half_moves(Position::standard().board()), 0);
    let ending = position(Color::White, "Ke1 Ra1 Pe2 ke8 ra8 pe7", 0);
    assert_eq!(half_moves(ending.board()), 52);
}

#[test]
fn only_allowed_moves_are_played() {
    let start = Position::standard();
    let mut search = search();
    let allowed = start.legal_moves()[..2].to_vec();
    for seed in 0..20 {
        let job = Job {
            root_moves: allowed.clone(),
            variety_seed: seed,
            ..Job::plain(RunId(1), &start, &Limits::default())
        };
        let found = search.run(
            &job,
            Strength::new(800, None),
            Box::new(NoEvents),
            &mut |_| {},
        );
        assert!(found.result.best.is_some_and(|mv| allowed.contains(&mv)));
    }
}

#[test]
fn a_depth_limit_holds() {
    let start = Position::standard();
    let limits = Limits {
        depth: Some(2),
        ..Limits::default()
    };
    let job = Job::plain(RunId(1), &start, &limits);
    let found = search().run(
        &job,
        Strength::new(2600, None),
        Box::new(NoEvents),
        &mut |_| {},
    );
    assert_eq!(found.result.depth, 2);
}
