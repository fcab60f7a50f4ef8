//! Networks that the search refuses.

use super::Machine;
use crate::config::{EVAL_FILE, EVALUATION, EvaluationChoice};
use crate::protocol::reply::Reply;

impl Machine {
    /// Takes over that the search has refused the network named last, and goes on with `used`; tells the user why.
    pub(super) fn keep_network(&mut self, reason: &str, used: EvaluationChoice) {
        let goes_on = if used.is_classical {
            "without a network".to_owned()
        } else if used.eval_file.as_os_str().is_empty() {
            "with the network that is built in".to_owned()
        } else {
            format!("with {}", used.eval_file.display())
        };
        let evaluation = if used.is_classical {
            "classical"
        } else {
            "network"
        };
        let file = used.eval_file.to_string_lossy().into_owned();
        self.change_settings_in_use(|machine| {
            machine.change(|config| {
                for (name, value) in [(EVALUATION, evaluation), (EVAL_FILE, &file)] {
                    let taken = config.set(name, Some(value));
                    debug_assert!(taken.is_ok(), "it has been set before");
                }
                config.search.evaluation = used; // it is not to be read again
            });
        });
        self.say(Reply::TellUserError(format!(
            "{reason}. Gaur plays on {goes_on}."
        )));
    }
}
