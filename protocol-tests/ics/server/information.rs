//! Answers to commands that ask the server for information.

use super::server_state::ServerState;

/// Question of a user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    Finger,
    Variables,
    Who,
    Games,
    Stored,
    Pending,
    History,
    Date,
    Uptime,
    /// The list of computer accounts.
    Computers,
}

impl ServerState {
    /// Answers a question about a user or the server.
    pub fn inform(&mut self, name: &str, question: Question, whom: Option<&str>) {
        let whom = whom.unwrap_or(name);
        let text = match question {
            Question::Finger => self.finger(whom),
            Question::Variables => {
                format!("Variable settings of {whom}:\n\ntime=2 inc=12 private=0")
            }
            Question::Who => format!(
                "{}\n\n {} players displayed.",
                self.user_names().join("  "),
                self.user_names().len()
            ),
            Question::Games => format!("  {} games displayed.", self.games.len()),
            Question::Stored => self.stored(whom),
            Question::Pending => "There are no offers pending TO other players.\n\n\
                 There are no offers pending FROM other players."
                .into(),
            Question::History => format!("{whom} has no history games."),
            Question::Date => "Local time     - Thu Jan  1, 00:00 UTC 1970".into(),
            Question::Computers => self.computers(),
            Question::Uptime => "The server has been up since Thu Jan  1, 00:00 UTC 1970.".into(),
        };
        self.tell(name, &text);
    }

    fn finger(&mut self, whom: &str) -> String {
        let family = self.rules.family;
        let registered = self.account(whom).map(|account| account.name.clone());
        let is_guest = registered.is_none();
        let Some(whom) = self.find_user(whom).or(registered) else {
            return family.no_player(whom);
        };
        let titles = self.titles(&whom);
        let rating = self.rating_text(&whom);
        let heading = family.finger_heading(&whom, &titles);
        let Some(session) = self.session_of(&whom) else {
            return format!("{heading}(Last disconnected Thu Jan  1, 00:00 UTC 1970):");
        };
        let mut text = format!(
            "{heading}On for: {} secs   Idle: 0 secs\n\n          rating     RD      win    loss    draw   total   \
             best\nBlitz     {rating}   100.0       0       0       0       0\n",
            session.since.elapsed().as_secs()
        );
        if is_guest {
            text.push_str(&format!("\n{whom} is NOT a registered player.\n"));
        }
        for (number, note) in &session.variables.notes {
            text.push_str(&format!("\n{number:2}: {note}"));
        }
        text
    }

    fn computers(&self) -> String {
        let accounts = self.rules.accounts.iter();
        let names: Vec<&str> = accounts
            .filter(|account| account.titles.contains("(C)"))
            .map(|account| account.name.as_str())
            .collect();
        format!(
            "-- computer list: {} names --\n{}",
            names.len(),
            names.join(" ")
        )
    }

    fn stored(&self, whom: &str) -> String {
        let games: Vec<String> = self
            .shelf
            .iter()
            .filter_map(|game| Some(game.names[!game.side_of(whom)?].clone()))
            .collect();
        match games.as_slice() {
            [] => format!("{whom} has no adjourned games."),
            names => format!("Stored games for {whom}:\n{}", names.join("\n")),
        }
    }
}
