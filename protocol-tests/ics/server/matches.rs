//! Start of games: challenges, seeks and adjourned games.

use std::time::Instant;

use shakmaty::fen::Fen;
use shakmaty::{ByColor, CastlingMode, Chess, Color};

use super::command::Proposal;
use super::game::{Game, Terms};
use super::server_state::ServerState;

/// Proposal to one account.
#[derive(Clone, Debug)]
pub struct Challenge {
    pub from: String,
    pub to: String,
    pub proposal: Proposal,
}

/// Proposal to all accounts.
#[derive(Clone, Debug)]
pub struct Seek {
    pub name: String,
    pub proposal: Proposal,
}

impl ServerState {
    /// `match`
    pub fn challenge(&mut self, from: &str, to: &str, mut proposal: Proposal) {
        if let Err(why) = self.may_play(from, to, &proposal) {
            self.refuse(from, &why);
            return;
        }
        let adjourned = self
            .adjourned(from, to)
            .map(|index| self.shelf[index].terms);
        if let Some(terms) = adjourned {
            proposal.base = terms.base;
            proposal.increment = terms.increment;
            proposal.rated = terms.rated;
            proposal.color = None;
        }
        let terms = self.describe(from, to, &proposal);
        let suffix = if adjourned.is_some() {
            " (adjourned)"
        } else {
            ""
        };
        self.challenges
            .retain(|challenge| challenge.from != from || challenge.to != to);
        self.challenges.push(Challenge {
            from: from.to_string(),
            to: to.to_string(),
            proposal,
        });
        self.tell(from, &format!("Issuing: {terms}{suffix}."));
        let text = format!(
            "Challenge: {terms}{suffix}.\n\
             You can \"accept\" or \"decline\", or propose different parameters."
        );
        self.tell(to, &text);
    }

    /// Removes an open challenge to this account.
    pub fn take_challenge(&mut self, to: &str, from: Option<&str>) -> Option<Challenge> {
        let index = self.challenges.iter().position(|challenge| {
            challenge.to == to && from.is_none_or(|name| challenge.from == name)
        })?;
        Some(self.challenges.remove(index))
    }

    /// Starts the game of an accepted challenge.
    pub fn begin(&mut self, challenge: Challenge, now: Instant) {
        let Challenge { from, to, proposal } = challenge;
        if let Err(why) = self.may_play(&to, &from, &proposal) {
            self.refuse(&to, &why);
            return;
        }
        self.tell(&to, &format!("You accept the challenge of {from}."));
        self.tell(&from, &format!("{to} accepts your challenge."));
        self.seat(&from, &to, &proposal, now);
    }

    /// `seek`
    pub fn seek(&mut self, name: &str, proposal: Proposal) {
        let text = format!(
            "{name} (UNR) seeking {} {} {} (\"play {name}\" to respond)",
            proposal.base,
            proposal.increment,
            stakes(proposal.rated),
        );
        self.seeks.retain(|seek| seek.name != name);
        self.seeks.push(Seek {
            name: name.to_string(),
            proposal,
        });
        let others: Vec<String> = self.user_names().filter(|other| other != name).collect();
        for other in others {
            self.tell(&other, &text);
        }
        self.tell(name, "Your seek has been posted.");
    }

    /// `unseek`
    pub fn unseek(&mut self, name: &str) {
        self.seeks.retain(|seek| seek.name != name);
        self.tell(name, "Your seeks have been removed.");
    }

    /// `play`
    pub fn answer_seek(&mut self, name: &str, whom: &str, now: Instant) {
        let Some(index) = self.seeks.iter().position(|seek| seek.name == whom) else {
            self.refuse(name, "That seek is not available.");
            return;
        };
        let proposal = self.seeks.remove(index).proposal;
        match self.may_play(name, whom, &proposal) {
            Err(why) => self.refuse(name, &why),
            Ok(()) => self.seat(whom, name, &proposal, now),
        }
    }

    /// Starts a game, or resumes the adjourned game of these players.
    fn seat(&mut self, proposer: &str, other: &str, proposal: &Proposal, now: Instant) {
        let number = (1..)
            .find(|number| self.games.iter().all(|game| game.number != *number))
            .unwrap_or(u32::MAX);
        let (mut game, verb) = match self.adjourned(proposer, other) {
            Some(index) => (self.shelf.remove(index), "Continuing"),
            None => {
                let names = match proposal.color {
                    Some(Color::Black) => [other, proposer],
                    Some(Color::White) | None => [proposer, other],
                };
                let [white, black] = names.map(str::to_string);
                let terms = Terms {
                    base: proposal.base,
                    increment: proposal.increment,
                    rated: proposal.rated,
                };
                let start = start(proposal).unwrap_or_default();
                let names = ByColor { white, black };
                (Game::new(number, names, terms, start), "Creating")
            }
        };
        game.number = number;
        game.run_clock(now);
        let names = game.names.clone();
        let text = format!(
            "Creating: {}\n{{Game {number} ({} vs. {}) {verb} {} {} match.}}",
            self.describe(
                &names.white,
                &names.black,
                &Proposal {
                    color: None,
                    ..proposal.clone()
                }
            ),
            names.white,
            names.black,
            stakes(game.terms.rated),
            speed(game.terms.base, game.terms.increment),
        );
        for name in names.iter() {
            self.challenges
                .retain(|challenge| challenge.from != *name && challenge.to != *name);
            self.seeks.retain(|seek| seek.name != *name);
            self.tell(name, &text);
        }
        self.games.push(game);
        self.show_board(&names.white, now);
    }

    fn may_play(&mut self, from: &str, to: &str, proposal: &Proposal) -> Result<(), String> {
        if from == to {
            return Err("You can't match yourself.".into());
        }
        if self.session_of(to).is_none() {
            return Err(format!("{to} is not logged in."));
        }
        for (name, sentence) in [(from, "You are playing a game."), (to, "")] {
            if self.game_of(name).is_some() {
                return Err(match sentence {
                    "" => format!("{name} is playing a game."),
                    own => own.into(),
                });
            }
        }
        if proposal.rated && (self.rating(from).is_none() || self.rating(to).is_none()) {
            return Err("A rated game needs two registered players.".into());
        }
        start(proposal).map(|_| ())
    }

    /// Returns the index of the adjourned game of these players.
    fn adjourned(&self, one: &str, other: &str) -> Option<usize> {
        self.shelf
            .iter()
            .position(|game| game.side_of(one).is_some() && game.side_of(other).is_some())
    }

    /// Describes a proposal: `Rabbit (1200) [white] GaurBot (2000) unrated blitz 5 0`.
    fn describe(&self, from: &str, to: &str, proposal: &Proposal) -> String {
        let rating = |name| match self.rating(name) {
            Some(rating) => format!("({rating})"),
            None => "(++++)".to_string(),
        };
        let color = match proposal.color {
            Some(Color::White) => "[white] ",
            Some(Color::Black) => "[black] ",
            None => "",
        };
        format!(
            "{from} {} {color}{to} {} {} {} {} {}",
            rating(from),
            rating(to),
            stakes(proposal.rated),
            speed(proposal.base, proposal.increment),
            proposal.base,
            proposal.increment
        )
    }

    fn user_names(&self) -> impl Iterator<Item = String> {
        self.sessions
            .values()
            .filter_map(|session| match &session.stage {
                super::login::Stage::In(name) => Some(name.clone()),
                _ => None,
            })
    }
}

fn start(proposal: &Proposal) -> Result<Chess, String> {
    let Some(text) = &proposal.start else {
        return Ok(Chess::default());
    };
    let fen: Fen = text
        .parse()
        .map_err(|error| format!("{text} is no position: {error}"))?;
    fen.into_position(CastlingMode::Standard)
        .map_err(|error| format!("{text} cannot be played: {error}"))
}

fn stakes(rated: bool) -> &'static str {
    if rated { "rated" } else { "unrated" }
}

/// Returns the FICS name of a time control, which depends on the time for forty moves.
fn speed(base: u32, increment: u32) -> &'static str {
    match base
        .saturating_mul(60)
        .saturating_add(increment.saturating_mul(40))
    {
        0..180 => "lightning",
        180..900 => "blitz",
        _ => "standard",
    }
}
