//! The network built into the executable.

use std::sync::{Arc, LazyLock};

use super::model::Network;

/// The built-in network. `docs/experiments/networks.md` records its training.
static EMBEDDED: LazyLock<Arc<Network>> = LazyLock::new(|| {
    let network = Network::from_bytes(include_bytes!("gaur.net"));
    Arc::new(network.expect("the embedded file is valid, and a test reads it"))
});

impl Network {
    /// Returns the built-in network.
    pub fn embedded() -> Arc<Network> {
        Arc::clone(&EMBEDDED)
    }
}
