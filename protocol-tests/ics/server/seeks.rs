//! Seeks: proposals to all users.

use std::time::Instant;

use shakmaty::Color;

use super::family::Family;
use super::proposal::Proposal;
use super::server_state::ServerState;

/// Proposal to all accounts.
#[derive(Clone, Debug)]
pub struct Seek {
    pub name: String,
    number: usize,
    proposal: Proposal,
    /// Set if an answer is only a challenge.
    is_manual: bool,
}

impl ServerState {
    /// `seek`
    pub fn seek(&mut self, name: &str, words: &str) {
        let words: Vec<&str> = words.split_whitespace().collect();
        if let Some(category) = self.rules.family.unknown_category(&words) {
            let text = format!("No such category/board: {category}/0");
            self.refuse(name, &text);
            return;
        }
        let proposal = Proposal::parse(&words);
        let is_manual = ["m", "manual"].iter().any(|word| words.contains(word));
        self.sought += 1;
        let number = self.sought;
        let color = match proposal.color {
            Some(Color::White) => " [white]",
            Some(Color::Black) => " [black]",
            None => "",
        };
        let terms = proposal.terms();
        let text = if self.rules.family == Family::Lasker {
            format!(
                "{number:3} {:4} {name:<17} {:3} {:3} {:<7} {:<10}",
                self.rating(name).unwrap_or(0),
                proposal.base,
                proposal.increment,
                terms.stakes(),
                terms.kind(),
            )
        } else {
            format!(
                "{name}{} {} seeking {} {} {} {}{color}{} (\"play {number}\" to respond)",
                self.titles(name),
                self.rating_text(name),
                proposal.base,
                proposal.increment,
                terms.stakes(),
                terms.kind(),
                if is_manual { " m" } else { "" },
            )
        };
        self.seeks.retain(|seek| seek.name != name);
        self.seeks.push(Seek {
            name: name.to_string(),
            number,
            proposal,
            is_manual,
        });
        let mut seen = 0;
        for other in self.user_names() {
            let wants = self
                .session_of(&other)
                .is_some_and(|session| session.variables.is_on("seek"));
            if other != name && wants {
                seen += 1;
                self.tell(&other, &text);
            }
        }
        let answer = if self.rules.family == Family::Lasker {
            text
        } else {
            format!(
                "Your seek has been posted with index {number}.\n({seen} player(s) saw the seek.)"
            )
        };
        self.tell(name, &answer);
    }

    /// `unseek`
    pub fn unseek(&mut self, name: &str) {
        let earlier = self.seeks.len();
        self.seeks.retain(|seek| seek.name != name);
        self.tell(
            name,
            if self.seeks.len() < earlier {
                "Your seeks have been removed."
            } else {
                "You have no active seeks."
            },
        );
    }

    /// `play`
    pub fn answer_seek(&mut self, name: &str, which: &str, now: Instant) {
        let number = which.parse().ok();
        let found = self
            .seeks
            .iter()
            .position(|seek| Some(seek.number) == number || seek.name.eq_ignore_ascii_case(which));
        let Some(index) = found else {
            self.refuse(name, "That seek is not available.");
            return;
        };
        let Seek {
            name: seeker,
            mut proposal,
            is_manual,
            ..
        } = self.seeks[index].clone();
        if let Err(why) = self.may_play(name, &seeker, &proposal) {
            self.refuse(name, &why);
            return;
        }
        if self.rating(name).is_none() || self.rating(&seeker).is_none() {
            proposal.rated = false;
        }
        if is_manual {
            self.tell(
                name,
                "Issuing match request since the seek was set to manual.",
            );
            proposal.color = proposal.color.map(|color| !color);
            self.challenge(name, &seeker, proposal, now);
            return;
        }
        self.seeks.remove(index);
        self.tell(&seeker, &format!("{name} accepts your seek."));
        self.seat(&seeker, name, &proposal, now);
    }
}
