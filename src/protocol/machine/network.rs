//! What to say when a network cannot be had.

use super::Machine;
use crate::config::{EVAL_FILE, EVALUATION, Judge};
use crate::protocol::reply::Reply;

impl Machine {
    /// The search has refused the network that an option named, and goes on with `used`; unless the user has named
    /// another file meanwhile.
    pub(super) fn keep_network(&mut self, reason: &str, refused: &Judge, used: &Judge) {
        if self.config.judge.names_the_file_of(refused) {
            // The file is no good; whether it is a network that is wanted may have been said since.
            let mut used = used.clone();
            if self.config.judge.is_classical != refused.is_classical {
                used.is_classical = self.config.judge.is_classical;
            }
            let evaluation = if used.is_classical {
                "classical"
            } else {
                "network"
            };
            let file = used.eval_file.to_string_lossy().into_owned();
            self.change(|config| {
                for (name, value) in [(EVALUATION, evaluation), (EVAL_FILE, &file)] {
                    let taken = config.set(name, Some(value));
                    debug_assert!(taken.is_ok(), "it has been set before");
                }
                config.judge = used; // it is not to be read again
            });
        }
        let Judge {
            is_classical,
            eval_file,
            ..
        } = &self.config.judge;
        let goes_on = if *is_classical {
            "without a network".to_owned()
        } else if eval_file.as_os_str().is_empty() {
            "with the network that is built in".to_owned()
        } else {
            format!("with {}", eval_file.display())
        };
        self.say(Reply::TellUserError(format!(
            "{reason}. Gaur plays on {goes_on}."
        )));
    }
}
