//! The client at the other end of standard input and output: its kind, its features, and what it may be sent.

use std::collections::VecDeque;

use crate::protocol::reply::Reply;

/// The kind of client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Client {
    /// A person at a terminal, until `xboard` arrives.
    Terminal,
    /// A person or a GUI at the other end of a pipe, until `xboard` arrives.
    Unknown,
    /// An xboard GUI or a server interface.
    Gui,
}

/// The state of the conversation with the client.
#[derive(Clone, Debug)]
pub(super) struct Conversation {
    client: Client,
    /// Features that the GUI has accepted.
    accepted: AcceptedFeatures,
    /// Set after `accepted debug`: the GUI accepts lines that begin with `#`.
    is_debug_accepted: bool,
    /// Set once Gaur has sent its features or the GUI has started a game without them.
    is_handshake_done: bool,
    /// Error messages for the user, sent once the handshake is done, oldest first.
    pending_errors: VecDeque<String>,
}

/// Accepted features that identify the GUI.
#[derive(Clone, Copy, Debug, Default)]
struct AcceptedFeatures {
    /// `exclude` or `highlight`. Of all known GUIs only XBoard and WinBoard accept them.
    xboard_features: bool,
    /// `setscore`, which XBoard and WinBoard reject. A GUI that accepts it accepts every feature.
    setscore: bool,
}

impl Conversation {
    /// Starts a conversation, with a person if Gaur runs in a terminal.
    pub(super) fn new(is_terminal: bool) -> Conversation {
        Conversation {
            client: if is_terminal {
                Client::Terminal
            } else {
                Client::Unknown
            },
            accepted: AcceptedFeatures::default(),
            is_debug_accepted: false,
            is_handshake_done: false,
            pending_errors: VecDeque::new(),
        }
    }

    /// Handles `xboard`: the client is a GUI.
    pub(super) fn on_xboard(&mut self) {
        self.client = Client::Gui;
    }

    /// Handles `protover`: the features that follow complete the handshake. The GUI may be another one than before.
    pub(super) fn on_protover(&mut self) {
        if self.client == Client::Unknown {
            self.client = Client::Gui;
        }
        self.accepted = AcceptedFeatures::default();
        self.is_debug_accepted = false;
        self.is_handshake_done = true;
    }

    /// Handles the first command of a game: a GUI that plays needs no features.
    pub(super) fn on_play(&mut self) {
        self.is_handshake_done = true;
    }

    /// Handles `accepted FEATURE`.
    pub(super) fn on_accepted(&mut self, feature: &str) {
        match feature {
            "exclude" | "highlight" => self.accepted.xboard_features = true,
            "setscore" => self.accepted.setscore = true,
            "debug" => self.is_debug_accepted = true,
            _ => {}
        }
    }

    /// Returns `true` if a person reads the replies.
    pub(super) fn is_terminal(&self) -> bool {
        self.client == Client::Terminal
    }

    /// Returns `true` if a person may read the replies.
    pub(super) fn may_be_person(&self) -> bool {
        self.client != Client::Gui
    }

    /// Returns `true` if the GUI reads selective depth, speed and tablebase hits in thinking output. Scid and cutechess
    /// read the first of these columns as the beginning of the principal variation.
    pub(super) fn reads_all_columns(&self) -> bool {
        self.accepted.xboard_features && !self.accepted.setscore
    }

    /// Returns the reply that explains an error beyond the protocol's own words, if the client accepts one.
    pub(super) fn explanation(&self, reason: &str) -> Option<Reply> {
        if self.is_terminal() {
            Some(Reply::Console(reason.to_owned()))
        } else {
            self.is_debug_accepted
                .then(|| Reply::Debug(reason.to_owned()))
        }
    }

    /// Stores an error message for the user.
    pub(super) fn add_pending_error(&mut self, message: String) {
        self.pending_errors.push_back(message);
    }

    /// Removes and returns the oldest stored error message if the user can see it.
    pub(super) fn take_pending_error(&mut self) -> Option<Reply> {
        if !self.is_handshake_done && !self.is_terminal() {
            return None;
        }
        self.pending_errors.pop_front().map(Reply::TellUserError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reads_all_columns(accepted: &str) -> bool {
        let mut conversation = Conversation::new(false);
        for feature in accepted.split(' ') {
            conversation.on_accepted(feature);
        }
        conversation.reads_all_columns()
    }

    #[test]
    fn only_xboard_reads_all_columns() {
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

    #[test]
    fn another_gui_has_accepted_nothing_yet() {
        let mut conversation = Conversation::new(false);
        conversation.on_accepted("exclude");
        conversation.on_protover();
        assert!(!conversation.reads_all_columns());
    }

    #[test]
    fn explanations_go_to_terminals_and_debug_output() {
        let mut conversation = Conversation::new(true);
        let reason = || "not legal".to_owned();
        assert_eq!(
            conversation.explanation("not legal"),
            Some(Reply::Console(reason()))
        );
        conversation.on_xboard();
        assert_eq!(conversation.explanation("not legal"), None);
        conversation.on_accepted("debug");
        assert_eq!(
            conversation.explanation("not legal"),
            Some(Reply::Debug(reason()))
        );
    }

    #[test]
    fn errors_wait_for_the_handshake_and_are_sent_once() {
        let mut conversation = Conversation::new(false);
        for message in ["no log", "less memory"] {
            conversation.add_pending_error(message.to_owned());
        }
        assert_eq!(conversation.take_pending_error(), None);
        conversation.on_play();
        for message in ["no log", "less memory"] {
            let error = Reply::TellUserError(message.to_owned());
            assert_eq!(conversation.take_pending_error(), Some(error));
        }
        assert_eq!(conversation.take_pending_error(), None);
    }
}
