//! Games with limited strength on a short clock: the time that a person would take must not lose them.

use std::time::{Duration, Instant};

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Position};

use crate::engine::{Engine, program};

/// Time of the engine for a whole game.
const BASE: Duration = Duration::from_secs(6);

/// Moves of the engine in a game.
const MOVES: usize = 70;

/// Plays a game against random moves and returns the time that is left on the engine's clock; `None` if it has run out.
fn time_left(engine: &mut Engine, seed: u64) -> Option<Duration> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut position = Chess::default();
    let mut clock = BASE;
    engine.send("new\neasy\nlevel 0 0:06 0\nforce\n");
    for _ in 0..MOVES {
        let centiseconds = clock.as_millis() / 10;
        engine.send(format!("time {centiseconds}\notim {centiseconds}\ngo\n"));
        let started = Instant::now();
        let text = engine.line_with("move ");
        clock = clock.checked_sub(started.elapsed())?;
        let read: UciMove = text["move ".len()..]
            .parse()
            .expect("a move in coordinates");
        let played = read.to_move(&position).expect("a legal move");
        position.play_unchecked(played);
        let replies = position.legal_moves();
        if replies.is_empty() || position.is_insufficient_material() {
            break;
        }
        let reply = replies[random.next_u32() as usize % replies.len()];
        position.play_unchecked(reply);
        if position.legal_moves().is_empty() || position.is_insufficient_material() {
            break;
        }
        let reply = reply.to_uci(CastlingMode::Standard);
        engine.send(format!("force\nusermove {reply}\n"));
    }
    Some(clock)
}

/// C-58.
#[test]
fn a_limited_level_does_not_lose_on_time() {
    let mut engine = Engine::start(program());
    engine.send("xboard\nprotover 2\noption LimitStrength=1\n");
    for (seed, elo) in [(1, 600), (2, 1600), (3, 2800)] {
        engine.send(format!("option Elo={elo}\n"));
        let left = time_left(&mut engine, seed);
        assert!(left.is_some(), "{elo}: the time is over");
    }
    engine.exits_cleanly();
}
