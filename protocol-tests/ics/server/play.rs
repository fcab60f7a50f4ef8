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
        let unknown = format!("{verb}: Command not found.");
        let Some((game, side)) = self.game_of(name) else {
            self.refuse(name, &unknown);
            return;
        };
        if !looks_like_a_move(text) {
            self.refuse(name, &unknown);
            return;
        }
        if game.turn() != side {
            self.refuse(name, &format!("It is not your move ({text})."));
            return;
        }
        let ending = match game.play(text, now) {
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

    /// Handles `draw`, `abort`, `adjourn`, `takeback`: makes the offer, or accepts the same offer of the opponent.
    pub fn ask(&mut self, name: &str, wish: Wish, now: Instant) {
        let Some((game, side)) = self.game_of(name) else {
            self.refuse(name, NO_GAME);
            return;
        };
        let opponent = game.names[!side].clone();
        if let Wish::Takeback(count) = wish
            && (count == 0 || count > game.plies.len())
        {
            self.refuse(name, "There are not so many half moves to take back.");
            return;
        }
        let agreed = game
            .wishes
            .iter()
            .any(|(asker, asked)| *asker != side && *asked == wish);
        let claim = game.claimable_draw().filter(|_| wish == Wish::Draw);
        let is_early = wish == Wish::Abort && game.plies.len() < 2;
        if agreed {
            self.grant(name, wish, now);
        } else if let Some(draw) = claim {
            self.finish(name, draw);
        } else if is_early {
            self.finish(name, Ending::EarlyAbort);
        } else {
            game.wishes
                .retain(|(asker, asked)| *asker != side || asked.word() != wish.word());
            game.wishes.push((side, wish));
            let text = match wish {
                Wish::Draw => format!("{name} offers you a draw."),
                Wish::Takeback(count) => {
                    format!("{name} would like to take back {count} half move(s).")
                }
                Wish::Abort | Wish::Adjourn => {
                    let word = wish.word();
                    format!("{name} would like to {word} the game; type \"{word}\" to accept.")
                }
            };
            let word = wish.word();
            let sent = word[..1].to_uppercase() + &word[1..] + " request sent.";
            self.tell(name, &sent);
            self.tell(&opponent, &text);
        }
    }

    /// Handles `accept`: a challenge by name, an offer by its word, or the only open proposal.
    pub fn accept(&mut self, name: &str, what: Option<&str>, now: Instant) {
        match self.pending(name, what) {
            Err(why) => self.refuse(name, &why),
            Ok(Some(wish)) => self.grant(name, wish, now),
            Ok(None) => {
                if let Some(challenge) = self.take_challenge(name, what) {
                    self.begin(challenge, now);
                }
            }
        }
    }

    /// `decline`
    pub fn decline(&mut self, name: &str, what: Option<&str>) {
        match self.pending(name, what) {
            Err(why) => self.refuse(name, &why),
            Ok(Some(wish)) => {
                let Some((game, side)) = self.game_of(name) else {
                    return;
                };
                game.wishes
                    .retain(|(asker, asked)| *asker == side || *asked != wish);
                let opponent = game.names[!side].clone();
                self.tell_declined(name, &opponent, wish);
            }
            Ok(None) => {
                if let Some(challenge) = self.take_challenge(name, what) {
                    self.tell(
                        &challenge.from,
                        &format!("{name} declines the match offer."),
                    );
                    self.tell(
                        name,
                        &format!("You decline the match offer from {}.", challenge.from),
                    );
                }
            }
        }
    }

    /// Returns the offer that an `accept` or `decline` refers to; `None` for a challenge.
    fn pending(&mut self, name: &str, what: Option<&str>) -> Result<Option<Wish>, String> {
        let wishes: Vec<Wish> = match self.game_of(name) {
            Some((game, side)) => game
                .wishes
                .iter()
                .filter(|(asker, wish)| {
                    *asker != side && what.is_none_or(|word| wish.word() == word)
                })
                .map(|(_, wish)| *wish)
                .collect(),
            None => Vec::new(),
        };
        let challenges = self
            .challenges
            .iter()
            .filter(|one| one.to == name && what.is_none_or(|from| one.from == from))
            .count();
        match (wishes.as_slice(), challenges) {
            ([], 0) => Err("There are no offers to answer.".into()),
            ([], 1) => Ok(None),
            ([wish], 0) => Ok(Some(*wish)),
            _ => Err("You have more than one offer to answer; say which one.".into()),
        }
    }

    /// Carries out an offer of the opponent of this account.
    fn grant(&mut self, name: &str, wish: Wish, now: Instant) {
        match wish {
            Wish::Draw => self.finish(name, Ending::Agreement),
            Wish::Abort => self.finish(name, Ending::Abort),
            Wish::Adjourn => self.finish(name, Ending::Adjournment),
            Wish::Takeback(count) => {
                let Some((game, side)) = self.game_of(name) else {
                    return;
                };
                let opponent = game.names[!side].clone();
                game.wishes.clear();
                game.take_back(count, now);
                self.tell(
                    name,
                    &format!("You accept the takeback request from {opponent}."),
                );
                self.tell(&opponent, &format!("{name} accepts the takeback request."));
                self.show_board(name, now);
            }
        }
    }

    fn tell_declined(&mut self, name: &str, opponent: &str, wish: Wish) {
        let word = wish.word();
        self.tell(
            name,
            &format!("You decline the {word} request from {opponent}."),
        );
        self.tell(opponent, &format!("{name} declines the {word} request."));
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
            Some(Some(ending)) => self.finish(name, ending),
            Some(None) => self.refuse(name, "Your opponent is not out of time."),
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
        let precise = self.session_of(name).is_some_and(|session| session.precise);
        match self.game_of(name) {
            Some((game, _)) => {
                let text = style12::moves(game, precise);
                self.tell(name, &text);
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
        let precise = self.session_of(name).is_some_and(|session| session.precise);
        if let Some((game, _)) = self.game_of(name) {
            let line = style12::board(game, side, precise, now);
            self.tell(name, &line);
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
        let text = format!(
            "{{Game {} ({} vs. {}) {}}} {}\nNo ratings adjustment done.",
            game.number,
            game.names.white,
            game.names.black,
            ending.reason(&game.names),
            ending.result(),
        );
        // The journal comes first: clients that receive the result may read it.
        self.journal
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .finish(&game, ending);
        for player in game.names.iter() {
            self.tell(player, &text);
        }
        self.have_played(&game.names.white, &game.names.black);
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
