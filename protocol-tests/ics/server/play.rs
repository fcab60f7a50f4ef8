//! Commands of players during a game.

use std::sync::PoisonError;
use std::time::Instant;

use shakmaty::Color;

use super::game::Wish;
use super::game_end::Ending;
use super::server_state::ServerState;
use super::style12;

/// Answer to a command that only players can give.
pub const NO_GAME: &str = "You are not playing a game.";

impl ServerState {
    /// Plays a move, or refuses an unknown command.
    pub fn play(&mut self, name: &str, text: &str, now: Instant) {
        let verb = text.split_whitespace().next().unwrap_or_default();
        let sealed = self
            .session_of(name)
            .filter(|session| session.is_sealed)
            .map(|session| session.stamp);
        let unknown = format!("{verb}: Command not found.");
        if !looks_like_a_move(text) {
            self.refuse(name, &unknown);
            return;
        }
        let Some((game, side)) = self.game_of(name) else {
            self.refuse(name, "You are not playing or examining a game.");
            return;
        };
        if game.turn() != side {
            self.refuse(name, "It is not your move.");
            return;
        }
        if game.is_paused {
            self.refuse(name, "Game clock is paused, use \"unpause\" to resume.");
            return;
        }
        let measured = sealed.map(|stamp| game.measured(side, stamp));
        let ending = match game.play(text, now, measured) {
            Ok(ending) => ending,
            Err(why) => {
                self.refuse(name, &why);
                return;
            }
        };
        let opponent = game.names[!side].clone();
        // A move declines an offer of the opponent.
        let declined: Vec<Wish> = game
            .wishes
            .extract_if(.., |(asker, _)| *asker != side)
            .map(|(_, wish)| wish)
            .collect();
        for wish in declined {
            self.tell_declined(name, &opponent, wish);
        }
        self.show_board(name, now);
        if let Some(ending) = ending {
            self.finish(name, ending);
        }
    }

    /// `resign`
    pub fn resign(&mut self, name: &str) {
        match self.game_of(name) {
            Some((_, side)) => self.finish(name, Ending::Resignation(side)),
            None => self.refuse(name, NO_GAME),
        }
    }

    /// `flag`
    pub fn call_flag(&mut self, name: &str, now: Instant) {
        match self.game_of(name).map(|(game, side)| game.flag(side, now)) {
            Some(Ok(ending)) => self.finish(name, ending),
            Some(Err(why)) => self.refuse(name, why),
            None => self.refuse(name, NO_GAME),
        }
    }

    /// `moretime`
    pub fn moretime(&mut self, name: &str, seconds: u32) {
        let Some((game, side)) = self.game_of(name) else {
            self.refuse(name, NO_GAME);
            return;
        };
        game.clocks.add(!side, seconds);
        let opponent = game.names[!side].clone();
        self.tell(
            name,
            &format!("{seconds} seconds were added to {opponent}'s clock."),
        );
        self.tell(
            &opponent,
            &format!("{seconds} seconds were added to your clock."),
        );
    }

    /// `refresh`
    pub fn refresh(&mut self, name: &str, now: Instant) {
        match self.game_of(name) {
            Some((_, side)) => self.show_board_to(name, side, now),
            None => self.refuse(name, NO_GAME),
        }
    }

    /// `moves`
    pub fn show_moves(&mut self, name: &str) {
        let precise = self.is_precise(name);
        let is_short = !self.rules.family.numbers_lists();
        let ratings = match self.game_of(name) {
            Some((game, _)) => game.names.clone().map(|player| self.rating(&player)),
            None => shakmaty::ByColor::default(),
        };
        match self.game_of(name) {
            Some((game, _)) => {
                let text = style12::moves(game, &ratings, precise);
                let text = text
                    .split_once("\n\n")
                    .filter(|_| is_short)
                    .map_or(text.as_str(), |(_, rest)| rest);
                self.tell_unwrapped(name, text);
            }
            None => self.refuse(name, NO_GAME),
        }
    }

    /// Sends the board to both players of this account's game.
    pub fn show_board(&mut self, name: &str, now: Instant) {
        let Some((game, _)) = self.game_of(name) else {
            return;
        };
        let names = game.names.clone();
        for (side, player) in names.zip_color() {
            self.show_board_to(&player, side, now);
        }
    }

    fn show_board_to(&mut self, name: &str, side: Color, now: Instant) {
        let precise = self.is_precise(name);
        let family = self.rules.family;
        if let Some((game, _)) = self.game_of(name) {
            let line = style12::board(game, side, precise, now, family);
            let is_own_turn = game.turn() == side;
            self.tell_board(name, &line, is_own_turn);
        }
    }

    fn is_precise(&mut self, name: &str) -> bool {
        self.session_of(name)
            .is_some_and(|session| session.variables.is_precise())
    }

    /// Records when the client of this account received the board on its turn, by the client's clock.
    pub fn pong(&mut self, name: &str, stamp: u32) {
        if let Some((game, side)) = self.game_of(name)
            && game.turn() == side
        {
            game.received[side].get_or_insert(stamp);
        }
    }

    /// Ends the game of this account.
    pub fn finish(&mut self, name: &str, ending: Ending) {
        let Some(index) = self
            .games
            .iter()
            .position(|game| game.side_of(name).is_some())
        else {
            return;
        };
        let mut game = self.games.remove(index);
        game.clocks.stop(Instant::now());
        game.wishes.clear();
        game.is_paused = false;
        let text = format!(
            "{{Game {} ({} vs. {}) {}}} {}\nNo ratings adjustment done.",
            game.number,
            game.names.white,
            game.names.black,
            ending.sentence(&game.names, self.rules.family),
            ending.result(),
        );
        // The journal comes first: clients that receive the result may read it.
        self.journal
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .finish(&game, ending);
        for player in game.names.iter() {
            self.tell_unwrapped(player, &text);
        }
        self.have_played(&game);
        if ending.is_adjourned() {
            self.shelf.push(game);
        }
    }
}

/// Returns `true` if a word looks like a move. Other words are unknown commands.
fn looks_like_a_move(text: &str) -> bool {
    let begins = text.starts_with(|letter: char| "abcdefghKQRBNOo0".contains(letter));
    let has_digit = text.chars().any(|letter| letter.is_ascii_digit());
    let castles = text.to_lowercase().starts_with("o-o");
    begins && (has_digit || castles) && text.len() <= 10
}
