//! Messages in games on a server: a greeting, a goodbye, and score and line for observers.
//!
//! All messages are off by default and none is sent in local games. At least three seconds lie between two messages.
//! A message is the user's own text, or moves and numbers; an opponent cannot influence its content.

use std::time::{Duration, Instant};

use crate::config::{ChatSettings, Kibitz};
use crate::game::{Game, Players};
use crate::messages::{Bound, SearchInfo};
use crate::notation::write_san;
use crate::protocol::command::GameResult;
use crate::protocol::reply::{Recipient, Reply};
use crate::types::{Move, Score};

/// Shortest time between two messages. Servers silence accounts that send more.
const MESSAGE_INTERVAL: Duration = Duration::from_secs(3);

/// Longest line in a message, in half-moves.
const MAX_PV_PLIES: usize = 6;

/// The messages of the current game.
#[derive(Clone, Debug, Default)]
pub(super) struct Chat {
    /// Time of the last message.
    last_message: Option<Instant>,
    /// Set once the opponent of this game has been greeted.
    is_greeting_sent: bool,
    /// Set once the game has ended, with or without a goodbye.
    has_game_ended: bool,
    /// The engine's moves since the last message with score and line.
    moves_since_kibitz: usize,
    /// Newest exact thinking output of the running search.
    latest_info: Option<SearchInfo>,
}

/// The circumstances that decide whether a message is sent.
#[derive(Clone, Copy)]
pub(super) struct ChatContext<'a> {
    /// The user's settings.
    settings: &'a ChatSettings,
    /// The players and the server.
    players: &'a Players,
    /// The game so far.
    game: &'a Game,
}

impl<'a> ChatContext<'a> {
    /// Combines the circumstances of a message.
    pub(super) fn new(
        settings: &'a ChatSettings,
        players: &'a Players,
        game: &'a Game,
    ) -> ChatContext<'a> {
        ChatContext {
            settings,
            players,
            game,
        }
    }
}

impl Chat {
    /// Returns the greeting if it is the engine's first turn in the game.
    pub(super) fn on_engine_turn(&mut self, context: ChatContext, now: Instant) -> Option<Reply> {
        self.latest_info = None;
        let ChatContext { settings, game, .. } = context;
        if !settings.greet || game.len() > 1 || self.is_greeting_sent {
            return None;
        }
        let text = settings.greeting.clone();
        let greeting = self.message(context, Recipient::Opponent, text, now);
        self.is_greeting_sent = greeting.is_some();
        greeting
    }

    /// Records thinking output of the search for a move.
    pub(super) fn record_info(&mut self, context: ChatContext, info: &SearchInfo) {
        let is_wanted = context.settings.kibitz != Kibitz::Off && context.players.server.is_some();
        if is_wanted && info.bound == Bound::Exact {
            self.latest_info = Some(info.clone());
        }
    }

    /// Returns score and line of the search that has found `mv`, if they are due. The move has not been played yet.
    pub(super) fn kibitz_text(&mut self, context: ChatContext, mv: Move) -> Option<String> {
        let info = self.latest_info.take()?;
        self.moves_since_kibitz += 1;
        let is_due = self.moves_since_kibitz >= context.settings.kibitz_every;
        (is_due && info.pv.first() == Some(&mv))
            .then(|| info_text(context.game, &info))
            .flatten()
    }

    /// Returns the message with a text of [`Chat::kibitz_text`], after the move has been sent.
    pub(super) fn kibitz(
        &mut self,
        context: ChatContext,
        text: Option<String>,
        now: Instant,
    ) -> Option<Reply> {
        let recipient = match context.settings.kibitz {
            Kibitz::Off => return None,
            Kibitz::Everybody => Recipient::Everybody,
            Kibitz::Observers => Recipient::Observers,
        };
        let message = self.message(context, recipient, text?, now)?;
        self.moves_since_kibitz = 0;
        Some(message)
    }

    /// Returns the goodbye when a game has ended. Aborted games and repeated results get none.
    pub(super) fn on_result(
        &mut self,
        context: ChatContext,
        result: GameResult,
        now: Instant,
    ) -> Option<Reply> {
        let was_played = result != GameResult::Unfinished && context.game.len() >= 2;
        let is_due = context.settings.greet && was_played && !self.has_game_ended;
        self.has_game_ended = true;
        if !is_due {
            return None;
        }
        let text = context.settings.goodbye.clone();
        self.message(context, Recipient::Opponent, text, now)
    }

    /// Prepares for another game. Only the time of the last message stays.
    pub(super) fn on_new_game(&mut self) {
        *self = Chat {
            last_message: self.last_message,
            ..Chat::default()
        };
    }

    /// Returns the message, unless it is empty, too early, or there is no server.
    fn message(
        &mut self,
        context: ChatContext,
        recipient: Recipient,
        text: String,
        now: Instant,
    ) -> Option<Reply> {
        let is_too_early = self
            .last_message
            .is_some_and(|last| now.saturating_duration_since(last) < MESSAGE_INTERVAL);
        if context.players.server.is_none() || text.is_empty() || is_too_early {
            return None;
        }
        self.last_message = Some(now);
        Some(Reply::Tell { recipient, text })
    }
}

/// Returns score and line as text, such as `+0.35, depth 12: e4 e5 Nf3`.
fn info_text(game: &Game, info: &SearchInfo) -> Option<String> {
    let mut position = game.position()?.clone();
    let mut text = format!("{}, depth {}:", score_text(info.score), info.depth);
    for &mv in info.pv.iter().take(MAX_PV_PLIES) {
        if !position.is_legal(mv) {
            break;
        }
        text.push(' ');
        text.push_str(&write_san(&position, mv));
        // No move is taken back in this copy.
        let _ = position.play(mv);
    }
    Some(text)
}

/// Returns a score as pawns for the engine, or as moves until mate.
fn score_text(score: Score) -> String {
    match score.mate_distance() {
        Some(plies) if plies > 0 => format!("mate in {}", (plies + 1) / 2),
        Some(plies) => format!("mated in {}", (1 - plies) / 2),
        None if score.is_tablebase() => match score.0 {
            0.. => "won by tablebase".to_owned(),
            _ => "lost by tablebase".to_owned(),
        },
        None => format!("{:+.2}", f64::from(score.0) / 100.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Variant;
    use crate::types::Ply;

    #[test]
    fn scores_are_pawns_or_mates() {
        for (score, text) in [
            (Score(35), "+0.35"),
            (Score(-1234), "-12.34"),
            (Score(0), "+0.00"),
            (Score::tablebase_win_in(Ply(3)), "won by tablebase"),
            (-Score::tablebase_win_in(Ply(3)), "lost by tablebase"),
            (Score::mate_in(Ply(1)), "mate in 1"),
            (Score::mate_in(Ply(5)), "mate in 3"),
            (Score::mated_in(Ply(2)), "mated in 1"),
            (Score::mated_in(Ply(4)), "mated in 2"),
        ] {
            assert_eq!(score_text(score), text);
        }
    }

    #[test]
    fn the_greeting_is_sent_once_and_only_on_servers() {
        let settings = ChatSettings {
            greet: true,
            ..ChatSettings::default()
        };
        let game = Game::new(Variant::Standard);
        let mut players = Players::default();
        let mut chat = Chat::default();
        let now = Instant::now();
        let greet = |chat: &mut Chat, players: &Players| {
            let context = ChatContext::new(&settings, players, &game);
            chat.on_engine_turn(context, now)
        };
        assert_eq!(greet(&mut chat, &players), None);
        players.server = Some("freechess.org".to_owned());
        let expected = Reply::Tell {
            recipient: Recipient::Opponent,
            text: settings.greeting.clone(),
        };
        assert_eq!(greet(&mut chat, &players), Some(expected));
        assert_eq!(greet(&mut chat, &players), None);
        chat.on_new_game();
        assert_eq!(
            greet(&mut chat, &players),
            None,
            "the interval has not passed"
        );
    }
}
