//! Version of the engine and its network, for the files of runs that can be continued.

use gaur::eval::Evaluation;
use gaur::search::SearchSetup;

use crate::datagen::fingerprint;

/// Describes the evaluation and the search of a setup: the checksum of the network and that of a short game. A run is
/// continued only with the same description, because its results would be those of two versions otherwise.
pub(crate) fn version_of(setup: &SearchSetup) -> String {
    let evaluation = match &setup.evaluation {
        Evaluation::Classical => "classical".to_owned(),
        Evaluation::Network(network, _) => format!("network {:08x}", network.checksum()),
    };
    format!("{evaluation} search {}", fingerprint(setup))
}

#[cfg(test)]
mod tests {
    use super::*;
    use gaur::eval::Network;

    #[test]
    fn evaluations_have_different_versions() {
        let network = SearchSetup::default();
        let classical = SearchSetup {
            evaluation: Evaluation::Classical,
            ..SearchSetup::default()
        };
        let checksum = format!("network {:08x} search ", Network::embedded().checksum());
        let [first, second] = [&network, &classical].map(version_of);
        assert!(first.starts_with(&checksum), "{first}");
        assert!(second.starts_with("classical search "), "{second}");
        let fingerprint = |version: &str| version.split(' ').next_back().map(str::to_owned);
        assert_ne!(fingerprint(&first), fingerprint(&second));
        let same = SearchSetup {
            evaluation: Evaluation::network(Network::embedded()),
            ..SearchSetup::default()
        };
        assert_eq!(version_of(&same), first);
    }
}
