//! The players and the server, as reported by the GUI.

/// The engine, its opponent, and the server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Players {
    /// Name of the opponent, with the titles that the GUI adds.
    pub opponent_name: Option<String>,
    /// Set after `computer`: the opponent is a program.
    pub opponent_is_computer: bool,
    /// Rating of the engine; `None` if unrated.
    pub own_rating: Option<u32>,
    /// Rating of the opponent; `None` if unrated.
    pub opponent_rating: Option<u32>,
    /// Name of the chess server; `None` for a local game.
    pub server: Option<String>,
}

impl Players {
    /// Sets both ratings (`rating`); 0 or less means unrated.
    pub fn set_ratings(&mut self, own: i32, opponent: i32) {
        let rated = |rating: i32| u32::try_from(rating).ok().filter(|&rating| rating > 0);
        self.own_rating = rated(own);
        self.opponent_rating = rated(opponent);
    }

    /// Returns `true` if the opponent is a program: by the command `computer`, or by a title that servers give to
    /// programs.
    pub fn opponent_is_program(&self) -> bool {
        let has_title = |name: &String| name.starts_with("BOT ") || name.contains("(C)");
        self.opponent_is_computer || self.opponent_name.as_ref().is_some_and(has_title)
    }

    /// Removes everything about the opponent, for another game. The server stays.
    pub fn clear_opponent(&mut self) {
        *self = Players {
            server: self.server.take(),
            ..Players::default()
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_is_unrated() {
        let mut players = Players::default();
        players.set_ratings(0, 1800);
        assert_eq!(
            (players.own_rating, players.opponent_rating),
            (None, Some(1800))
        );
        players.set_ratings(-5, 0);
        assert_eq!((players.own_rating, players.opponent_rating), (None, None));
    }

    #[test]
    fn programs_are_recognised_by_their_title() {
        for (name, is_program) in [
            ("BOT bo", true),
            ("Crafty(C)", true),
            ("Crafty(TM)(C)", true),
            ("GM Foo", false),
            ("Botvinnik", false),
            ("bot", false),
        ] {
            let players = Players {
                opponent_name: Some(name.to_owned()),
                ..Players::default()
            };
            assert_eq!(players.opponent_is_program(), is_program, "{name}");
        }
    }

    #[test]
    fn the_server_stays_when_the_opponent_changes() {
        let mut players = Players {
            opponent_name: Some("Anna".to_owned()),
            opponent_is_computer: true,
            server: Some("freechess.org".to_owned()),
            ..Players::default()
        };
        players.clear_opponent();
        assert_eq!(
            players,
            Players {
                server: Some("freechess.org".to_owned()),
                ..Players::default()
            }
        );
    }
}
