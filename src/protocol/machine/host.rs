//! Knowledge about the GUI, drawn from the features that it accepts.

/// The answers of the GUI to the latest announcement of features.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Host {
    /// It has accepted `exclude` or `highlight`. Of all known GUIs only XBoard and WinBoard do.
    accepts_xboard_features: bool,
    /// It has accepted `setscore`, which XBoard and WinBoard reject. So it accepts whatever is announced.
    accepts_setscore: bool,
}

impl Host {
    /// Takes in `accepted FEATURE`.
    pub(super) fn accepted(&mut self, feature: &str) {
        match feature {
            "exclude" | "highlight" => self.accepts_xboard_features = true,
            "setscore" => self.accepts_setscore = true,
            _ => {}
        }
    }

    /// Returns `true` if the GUI is known to read selective depth, speed and tablebase hits in thinking lines. Scid and
    /// cutechess take the first of these columns for the beginning of the variation.
    pub(super) const fn reads_all_columns(self) -> bool {
        self.accepts_xboard_features && !self.accepts_setscore
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reads_all_columns(accepted: &str) -> bool {
        let mut host = Host::default();
        for feature in accepted.split(' ') {
            host.accepted(feature);
        }
        host.reads_all_columns()
    }

    #[test]
    fn only_xboard_is_known_to_read_all_columns() {
        for (accepted, expected) in [
            // Gnome Chess, DreamChess, Knights, eboard, icsdrone and Scid's analysis window
            ("", false),
            // python-chess
            ("memory smp egt", false),
            // Scid's engine window and cutechess
            (
                "myname variants ping setboard usermove san time reuse name memory smp nps option done",
                false,
            ),
            // PyChess
            (
                "myname variants ping setboard usermove san colors sigint time draw analyze debug memory smp pause option done",
                false,
            ),
            // XBoard and WinBoard
            (
                "name ics debug memory smp pause exclude nps highlight option done",
                true,
            ),
            ("exclude", true),
            ("highlight", true),
            // A GUI that accepts everything
            ("exclude nps setscore highlight option done", false),
            ("setscore", false),
        ] {
            assert_eq!(reads_all_columns(accepted), expected, "{accepted}");
        }
    }
}
