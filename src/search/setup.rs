//! Search parameters and evaluation function of a search.

use std::sync::Arc;

use crate::config::{Parameters, SearchSettings};
use crate::eval::{Evaluation, Network};

/// Search parameters and evaluation function. The default has the embedded network.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchSetup {
    /// Search parameters.
    pub parameters: Parameters,
    /// Evaluation function.
    pub evaluation: Evaluation,
}

impl SearchSetup {
    /// Creates the setup of these settings, whose network has been loaded from `settings.evaluation.eval_file`.
    pub fn new(settings: &SearchSettings, network: Arc<Network>) -> SearchSetup {
        SearchSetup {
            parameters: settings.parameters,
            evaluation: match settings.evaluation.is_classical {
                true => Evaluation::Classical,
                false => Evaluation::network(network),
            },
        }
    }
}
