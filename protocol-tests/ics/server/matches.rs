//! Start of games: challenges and adjourned games.

use std::time::Instant;

use shakmaty::{ByColor, Chess, Color};

use super::family::Family;
use super::game::Game;
use super::journal::Kind;
use super::proposal::Proposal;
use super::server_state::ServerState;
use super::variant::{Variant, fischer_random};

/// Proposal to one account.
#[derive(Clone, Debug)]
pub struct Challenge {
    pub from: String,
    pub to: String,
    pub proposal: Proposal,
}

impl ServerState {
    /// `match`
    pub fn challenge(&mut self, from: &str, to: &str, mut proposal: Proposal, now: Instant) {
        let to = match self.may_play(from, to, &proposal) {
            Ok(to) => to,
            Err(why) => {
                self.refuse(from, &why);
                return;
            }
        };
        let adjourned = self.adjourned(from, &to);
        if let Some(index) = adjourned {
            proposal = Proposal::again(&self.shelf[index].terms);
        } else if self.rating(from).is_none() || self.rating(&to).is_none() {
            proposal.rated = false;
        }
        if let Some(theirs) = self.take_challenge(from, Some(&to)) {
            if adjourned.is_some() || theirs.matches(&proposal) {
                self.begin(theirs, now);
                return;
            }
            self.tell(
                from,
                &format!("Declining offer from {to} and offering new match parameters."),
            );
            self.tell(
                &to,
                &format!("{from} declines your match offer a match with these parameters:"),
            );
        }
        self.issue(from, &to, proposal, adjourned.is_some());
    }

    /// Records a challenge and informs both sides.
    fn issue(&mut self, from: &str, to: &str, proposal: Proposal, is_adjourned: bool) {
        let terms = self.describe(from, to, &proposal, is_adjourned);
        let suffix = if is_adjourned { " (adjourned)" } else { "" };
        let earlier = self.challenges.len();
        self.challenges
            .retain(|challenge| challenge.from != from || challenge.to != to);
        let is_update = self.challenges.len() < earlier;
        self.challenges.push(Challenge {
            from: from.to_string(),
            to: to.to_string(),
            proposal,
        });
        let (own, theirs) = if is_update {
            (
                format!("Updating offer already made to \"{to}\".\nUpdating match request to: "),
                format!("{from} updates the match request.\n"),
            )
        } else {
            ("Issuing: ".into(), String::new())
        };
        self.tell(from, &format!("{own}{terms}{suffix}."));
        let text = format!(
            "{theirs}Challenge: {terms}{suffix}.\n\u{7}\
             You can \"accept\" or \"decline\", or propose different parameters."
        );
        self.tell(to, &text);
    }

    /// `rematch`
    pub fn rematch(&mut self, name: &str, now: Instant) {
        match self.partner(name).cloned() {
            Some((opponent, terms)) => {
                self.challenge(name, &opponent, Proposal::again(&terms), now);
            }
            None => self.refuse(name, "You have no previous opponent."),
        }
    }

    /// Removes an open challenge to this account.
    pub fn take_challenge(&mut self, to: &str, from: Option<&str>) -> Option<Challenge> {
        let index = self.challenges.iter().position(|challenge| {
            challenge.to == to && from.is_none_or(|name| challenge.from.eq_ignore_ascii_case(name))
        })?;
        Some(self.challenges.remove(index))
    }

    /// Starts the game of an accepted challenge. A variant that the server cannot play is a fault of the account that
    /// accepts it.
    pub fn begin(&mut self, challenge: Challenge, now: Instant) {
        let Challenge { from, to, proposal } = challenge;
        if matches!(proposal.variant, Variant::Other(_)) || proposal.is_untimed() {
            let fault = format!("accepted a challenge to {}", proposal.describe());
            self.note(&to, Kind::Fault, &fault);
            self.refuse(&to, "This server cannot play this game.");
            return;
        }
        if let Err(why) = self.may_play(&to, &from, &proposal) {
            self.refuse(&to, &why);
            return;
        }
        self.tell(&to, &format!("You accept the challenge of {from}."));
        self.tell(&from, &format!("{to} accepts your challenge."));
        if self.rules.family == Family::Lasker {
            let text = format!("{from}, who was challenging you, has joined a match with {to}.");
            self.tell(&to, &text);
            self.tell(&from, &format!("Challenge to {to} withdrawn."));
        }
        self.seat(&from, &to, &proposal, now);
    }

    /// Starts a game, or resumes the adjourned game of these players.
    pub fn seat(&mut self, proposer: &str, other: &str, proposal: &Proposal, now: Instant) {
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
                let start = self.start_position(proposal);
                let names = ByColor { white, black };
                (
                    Game::new(number, names, proposal.terms(), start, self.rules.family),
                    "Creating",
                )
            }
        };
        game.number = number;
        game.run_clock(now);
        let names = game.names.clone();
        let text = self.announcement(&game, verb);
        for name in names.iter() {
            self.challenges
                .retain(|challenge| challenge.from != *name && challenge.to != *name);
            self.seeks.retain(|seek| seek.name != *name);
            self.tell(name, &text);
        }
        self.games.push(game);
        self.show_board(&names.white, now);
    }

    /// Returns the announcement of a game. `verb` is `Creating` or `Continuing`.
    fn announcement(&self, game: &Game, verb: &str) -> String {
        let Game { names, terms, .. } = game;
        let (rated, kind) = (terms.stakes(), terms.kind());
        let line = |kind: &str| {
            format!(
                "{{Game {} ({} vs. {}) {verb} {rated} {kind} match.}}",
                game.number, names.white, names.black
            )
        };
        let creating = format!(
            "Creating: {} {} {} {} {rated} {kind} {} {}",
            names.white,
            self.rating_text(&names.white),
            names.black,
            self.rating_text(&names.black),
            terms.base,
            terms.increment,
        );
        let lines = match self.rules.family {
            Family::Lasker if verb == "Continuing" => {
                vec![line(&terms.category()), creating, line(&kind)]
            }
            Family::Fics | Family::Lasker => vec![creating, line(&kind)],
            Family::Fics16 => vec![line(&terms.category())],
        };
        lines.join("\n")
    }

    fn start_position(&mut self, proposal: &Proposal) -> Chess {
        if proposal.variant == Variant::FischerRandom && proposal.start.is_none() {
            self.shuffled += 1;
            return fischer_random(self.shuffled);
        }
        // `may_play` has checked the position.
        proposal.position().unwrap_or_default()
    }

    /// Returns the name of the opponent if the two may play, and otherwise the reason of the refusal.
    pub fn may_play(
        &mut self,
        from: &str,
        to: &str,
        proposal: &Proposal,
    ) -> Result<String, String> {
        let Some(to) = self.find_user(to) else {
            return Err(self.rules.family.not_logged_in(to));
        };
        let variant = &proposal.variant;
        if !self.rules.family.has_variant(variant, proposal.is_slashed) {
            let board = if proposal.is_slashed { "/0" } else { "" };
            return Err(format!("No such category/board: {variant}{board}"));
        }
        if from == to {
            return Err("You can't match yourself.".into());
        }
        if self.game_of(from).is_some() {
            return Err("You can't challenge while you are playing a game.".into());
        }
        let is_open = self
            .session_of(&to)
            .is_some_and(|session| session.variables.is_on("open"));
        if !is_open {
            return Err(format!("Player \"{to}\" is not open to match requests."));
        }
        if self.game_of(&to).is_some() {
            return Err(format!("{to} is playing a game."));
        }
        proposal.position().map(|_| to)
    }

    /// Returns the index of the adjourned game of these players.
    fn adjourned(&self, one: &str, other: &str) -> Option<usize> {
        self.shelf
            .iter()
            .position(|game| game.side_of(one).is_some() && game.side_of(other).is_some())
    }

    /// Describes a proposal: `Rabbit (1200) [white] GaurBot (2000) unrated blitz 5 0`.
    fn describe(&self, from: &str, to: &str, proposal: &Proposal, is_adjourned: bool) -> String {
        let color = match proposal.color {
            Some(Color::White) => "[white] ",
            Some(Color::Black) => "[black] ",
            None => "",
        };
        format!(
            "{from} {} {color}{to} {} {}",
            self.rating_text(from),
            self.rating_text(to),
            match self.rules.family {
                Family::Lasker if is_adjourned => proposal.describe_as_loaded(),
                _ => proposal.describe(),
            }
        )
    }
}

impl Challenge {
    /// Returns `true` if the other side proposes the same game.
    fn matches(&self, theirs: &Proposal) -> bool {
        let color = match (self.proposal.color, theirs.color) {
            (Some(one), Some(other)) => one != other,
            (_, None) => true,
            (None, Some(_)) => false,
        };
        let own = Proposal {
            color: theirs.color,
            is_slashed: theirs.is_slashed,
            ..self.proposal.clone()
        };
        color && own == *theirs
    }
}
