//! Offers and requests of players: draw, abort, adjourn, takeback, pause, unpause and switch.

use std::time::Instant;

use super::game::Wish;
use super::game_end::Ending;
use super::play::NO_GAME;
use super::server_state::ServerState;

impl ServerState {
    /// Makes an offer or a request, or accepts the same one of the opponent.
    pub fn ask(&mut self, name: &str, wish: Wish, now: Instant) {
        let Some((game, side)) = self.game_of(name) else {
            self.refuse(name, NO_GAME);
            return;
        };
        if let Err(why) = game.may_ask(side, wish) {
            self.refuse(name, &why);
            return;
        }
        let theirs = game
            .wishes
            .iter()
            .find(|(asker, asked)| *asker != side && asked.word() == wish.word())
            .map(|(_, asked)| *asked);
        let claim = game.claimable_draw().filter(|_| wish == Wish::Draw);
        let is_early = wish == Wish::Abort && game.plies.len() < 2;
        if let Some(draw) = claim {
            self.finish(name, draw);
        } else if theirs == Some(wish) {
            self.grant(name, wish, now);
        } else if is_early {
            self.finish(name, Ending::EarlyAbort);
        } else {
            self.request(name, wish, theirs);
        }
    }

    /// Records a request, possibly in place of a different one of the opponent, and informs both sides.
    fn request(&mut self, name: &str, wish: Wish, theirs: Option<Wish>) {
        let Some((game, side)) = self.game_of(name) else {
            return;
        };
        let opponent = game.names[!side].clone();
        game.wishes.retain(|(_, asked)| asked.word() != wish.word());
        game.wishes.push((side, wish));
        let word = wish.word();
        let text = match (wish, theirs) {
            (Wish::Draw, _) => format!("{name} offers you a draw."),
            (Wish::Takeback(count), Some(_)) => {
                format!("{name} proposes a different number ({count}) of half-move(s).")
            }
            (Wish::Takeback(count), None) => {
                format!("{name} would like to take back {count} half move(s).")
            }
            (Wish::Pause | Wish::Unpause, _) => format!("{name} requests to {word} the game."),
            (Wish::Switch, _) => format!(
                "{name} would like to switch sides.\n\
                 Type \"accept\" to switch sides, or \"decline\" to refuse."
            ),
            (Wish::Abort | Wish::Adjourn, _) => {
                format!("{name} would like to {word} the game; type \"{word}\" to accept.")
            }
        };
        let sent = match theirs {
            Some(_) => "You disagree on the number of half-moves to takeback.\n\
                 Alternate takeback request sent."
                .into(),
            None => word[..1].to_uppercase() + &word[1..] + " request sent.",
        };
        self.tell(name, &sent);
        self.tell(&opponent, &text);
    }

    /// Handles `accept`: a challenge by name, an offer by its word, or the only open proposal.
    pub fn accept(&mut self, name: &str, what: Option<&str>, now: Instant) {
        match self.pending(name, what, "accept") {
            Err(why) => self.refuse(name, &why),
            Ok(Some(wish)) => self.grant(name, wish, now),
            Ok(None) => {
                if let Some(challenge) = self.take_challenge(name, challenger(what)) {
                    self.begin(challenge, now);
                }
            }
        }
    }

    /// `decline`
    pub fn decline(&mut self, name: &str, what: Option<&str>) {
        match self.pending(name, what, "decline") {
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
                if let Some(challenge) = self.take_challenge(name, challenger(what)) {
                    let from = challenge.from;
                    self.tell(&from, &format!("{name} declines the match offer."));
                    self.tell(name, &format!("You decline the match offer from {from}."));
                }
            }
        }
    }

    /// Handles `withdraw`: takes back all own challenges and requests, or those of this name or word.
    pub fn withdraw(&mut self, name: &str, what: Option<&str>) {
        let mut withdrawn = Vec::new();
        if let Some((game, side)) = self.game_of(name) {
            let opponent = game.names[!side].clone();
            let own = game.wishes.extract_if(.., |(asker, wish)| {
                *asker == side && what.is_none_or(|word| wish.word() == word)
            });
            withdrawn.extend(own.map(|(_, wish)| (opponent.clone(), wish.request())));
        }
        let own = self.challenges.extract_if(.., |challenge| {
            challenge.from == name && what.is_none_or(|to| to == "match" || challenge.to == to)
        });
        withdrawn.extend(own.map(|challenge| (challenge.to, "match offer".to_string())));
        if withdrawn.is_empty() {
            self.refuse(name, "You have no pending offers to other players.");
        }
        for (to, thing) in withdrawn {
            self.tell(&to, &format!("{name} withdraws the {thing}."));
            self.tell(name, &format!("You withdraw the {thing} to {to}."));
        }
    }

    /// Returns the offer that an `accept` or `decline` refers to; `None` for a challenge.
    fn pending(
        &mut self,
        name: &str,
        what: Option<&str>,
        verb: &str,
    ) -> Result<Option<Wish>, String> {
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
        let from = challenger(what);
        let challenges = self
            .challenges
            .iter()
            .filter(|one| {
                one.to == name && from.is_none_or(|from| one.from.eq_ignore_ascii_case(from))
            })
            .count();
        match (wishes.as_slice(), challenges) {
            ([], 0) => Err(match what {
                Some(word) if self.find_user(word).is_some() => {
                    format!("There are no pending offers from {word}.")
                }
                Some(word) => format!("There are no pending {word} offers."),
                None if verb == "accept" => "You have no offers to accept.".into(),
                None => "You have no pending offers from other players.".into(),
            }),
            ([], 1) => Ok(None),
            ([wish], 0) => Ok(Some(*wish)),
            _ => Err(format!(
                "You have more than one offer to {verb}.\n\
                 Use \"pending\" to see them and \"{verb} n\" to choose which one."
            )),
        }
    }

    /// Carries out an offer of the opponent of this account.
    fn grant(&mut self, name: &str, wish: Wish, now: Instant) {
        let Some((game, side)) = self.game_of(name) else {
            return;
        };
        let opponent = game.names[!side].clone();
        let request = wish.request();
        let (own, theirs) = (
            format!("You accept the {request} from {opponent}."),
            format!("{name} accepts the {request}."),
        );
        game.wishes.clear();
        match wish {
            Wish::Draw => self.finish(name, Ending::Agreement),
            Wish::Abort => self.finish(name, Ending::Abort),
            Wish::Adjourn => self.finish(name, Ending::Adjournment),
            Wish::Takeback(count) => {
                game.take_back(count, now);
                self.tell(name, &own);
                self.tell(&opponent, &theirs);
                self.show_board(name, now);
            }
            Wish::Pause => {
                game.pause();
                self.show_board(name, now);
                let text = format!("{name} accepted pause. Game clock paused.");
                self.tell(&opponent, &text);
                self.tell(name, "Game clock paused.");
            }
            Wish::Unpause => {
                game.unpause(now);
                self.show_board(name, now);
                self.tell(name, "Game clock resumed.");
                self.tell(&opponent, "Game clock resumed.");
            }
            Wish::Switch => {
                game.switch(now);
                self.tell(name, &own);
                self.tell(&opponent, &theirs);
                self.show_board(name, now);
            }
        }
    }

    /// Informs both sides that a request of `opponent` was declined.
    pub fn tell_declined(&mut self, name: &str, opponent: &str, wish: Wish) {
        let request = wish.request();
        self.tell(name, &format!("You decline the {request} from {opponent}."));
        self.tell(opponent, &format!("{name} declines the {request}."));
    }
}

/// Returns the name in `accept NAME`; `None` if any challenge is meant.
fn challenger(what: Option<&str>) -> Option<&str> {
    what.filter(|word| *word != "match")
}
