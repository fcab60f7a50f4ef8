//! The record of a game for the archive.

use std::time::Duration;

use super::account::Account;
use super::actions::Action;
use super::game_state::Play;
use crate::record::{GameRecord, MoveRecord};

impl Account {
    /// Sends a game to the archive.
    pub(super) fn record(&mut self, play: &Play, result: &str, reason: &str) {
        let record = Box::new(record(play, &self.config.server.host, result, reason));
        let started = play.started;
        self.actions.push(Action::Record { record, started });
    }
}

/// Describes a game, without date and time.
fn record(play: &Play, host: &str, result: &str, reason: &str) -> GameRecord {
    let board = play.game.board();
    GameRecord {
        event: play.event(),
        site: host.to_string(),
        white: board.white.clone(),
        black: board.black.clone(),
        result: result.to_string(),
        white_elo: play.rating_of(&board.white),
        black_elo: play.rating_of(&board.black),
        time_control: time_control(board.base, board.increment),
        variant: if play.game.is_fischer_random() {
            "Chess960".into()
        } else {
            String::new()
        },
        fen: play.game.start_fen(),
        termination: reason.to_string(),
        moves: moves(play),
        ..GameRecord::default()
    }
}

fn moves(play: &Play) -> Vec<MoveRecord> {
    let with_score = |(index, played): (usize, &crate::game::PlayedMove)| {
        let thinking = play.scores.get(index).cloned().flatten();
        MoveRecord {
            san: played.san.clone(),
            clock: played.clock,
            spent: played.spent,
            score: thinking.as_ref().map(|thinking| thinking.score),
            depth: thinking.as_ref().map(|thinking| thinking.depth),
        }
    };
    play.game
        .moves()
        .iter()
        .enumerate()
        .map(with_score)
        .collect()
}

/// Returns the time control in seconds: `300+5`. A game without a base time begins with ten seconds on FICS.
fn time_control(minutes: u32, increment: u32) -> String {
    const NO_BASE: Duration = Duration::from_secs(10);
    match (minutes, increment) {
        (0, 0) => "-".into(),
        (0, _) => format!("{}+{increment}", NO_BASE.as_secs()),
        _ => format!("{}+{increment}", u64::from(minutes) * 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_are_in_seconds() {
        assert_eq!(time_control(5, 3), "300+3");
        assert_eq!(time_control(0, 1), "10+1");
        assert_eq!(time_control(0, 0), "-");
    }
}
