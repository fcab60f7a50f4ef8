//! A person who plays White against the program under a GUI.

use std::time::Duration;

use shakmaty::Position;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Move};

use crate::conversation::{Line, Sender};
use crate::game::Game;
use crate::traffic::{Traffic, count_moves};
use crate::wait::repeat_until;

/// Time for the program to answer a move.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(60);

/// Moves for the first dozen turns, in order of preference: development that leads to no mate in so few moves.
const PLAN: [&str; 24] = [
    "g1f3", "g2g3", "f1g2", "d2d3", "b1d2", "c2c3", "h2h3", "a2a4", "d1c2", "d2b3", "c1e3", "f3d2",
    "e2e4", "a1b1", "h1g1", "d2f3", "b2b3", "c1b2", "a4a5", "h3h4", "c3c4", "g2f1", "f1g2", "e3d2",
];

/// Plays this many moves, each after the answer to the one before. `enter` enters a move, such as `g1f3`, into the
/// host.
pub fn play(
    traffic: &Traffic,
    moves: usize,
    enter: impl Fn(&str) -> Result<(), String>,
) -> Result<(), String> {
    for _ in 0..moves {
        let lines = traffic.newest();
        let answers = count_moves(&lines);
        let chosen = choose(&game(&lines)?)?;
        let sent = format!("usermove {chosen}");
        let is_sent = |line: &Line| line.sender == Sender::Host && line.text == sent;
        repeat_until(
            &sent,
            || enter(&chosen),
            || Ok(traffic.newest().iter().skip(lines.len()).any(is_sent)),
        )?;
        let what = format!("answer to {chosen}");
        traffic.wait_for(&what, ANSWER_TIMEOUT, |lines| count_moves(lines) > answers)?;
    }
    Ok(())
}

/// Returns the game up to now.
fn game(lines: &[Line]) -> Result<Game, String> {
    let mut game = Game::new();
    for line in lines {
        match (line.sender, line.text.strip_prefix("move ")) {
            (Sender::Host, _) => game.record_host_line(&line.text)?,
            (Sender::Engine, Some(played)) => game.play(played)?,
            (Sender::Engine, None) => {}
        }
    }
    Ok(game)
}

/// Returns the first legal move of the plan, or else any legal move that needs no dialog and no unusual input.
fn choose(game: &Game) -> Result<String, String> {
    let planned = PLAN.iter().find(|planned| game.allows(planned));
    if let Some(planned) = planned {
        return Ok(planned.to_string());
    }
    let is_simple = |chosen: &Move| !chosen.is_promotion() && !chosen.is_castle();
    let legal = game.position().legal_moves();
    let chosen = legal.iter().find(|chosen| is_simple(chosen));
    chosen
        .map(|chosen| UciMove::from_move(*chosen, CastlingMode::Standard).to_string())
        .ok_or_else(|| "no simple move in this position".to_string())
}
