//! The evaluation function that a search uses: networks received, and the classical evaluation.

use super::*;

/// Starts a game and returns the nodes of a search to a small depth.
fn nodes_of_a_game(engine: &mut Engine) -> u64 {
    engine.order(SearchOrder::NewGame);
    assert_eq!(engine.event(LONG), Some(SearchEvent::Configured));
    engine.go(Purpose::Play, depth(7));
    match engine.event(LONG) {
        Some(SearchEvent::Best { nodes, .. }) => nodes,
        other => panic!("{other:?}"),
    }
}

/// Selects the classical evaluation or the network.
fn select(engine: &mut Engine, is_classical: bool) {
    let mut config = SearchSettings {
        hash_megabytes: 1,
        ..SearchSettings::default()
    };
    config.evaluation.is_classical = is_classical;
    engine.order(SearchOrder::Configure(Box::new(config)));
    assert_eq!(engine.event(LONG), Some(SearchEvent::Configured));
}

/// Returns [`nodes_of_a_game`] with a network, or with the classical evaluation for `None`.
fn nodes_with(engine: &mut Engine, network: Option<&Arc<Network>>) -> u64 {
    if let Some(network) = network {
        engine.order(SearchOrder::UseNetwork(Arc::clone(network)));
    }
    select(engine, network.is_none());
    nodes_of_a_game(engine)
}

#[test]
fn a_search_uses_the_evaluation_that_is_selected() {
    let mut engine = Engine::new();
    let (embedded, other) = (Network::embedded(), Arc::new(Network::random(5)));
    let choices = [Some(&embedded), None, Some(&other)];
    let first = choices.map(|network| nodes_with(&mut engine, network));
    assert!(
        first[0] != first[1] && first[1] != first[2] && first[0] != first[2],
        "{first:?}"
    );
    assert_eq!(
        choices.map(|network| nodes_with(&mut engine, network)),
        first
    );
    select(&mut engine, true);
    select(&mut engine, false);
    assert_eq!(nodes_of_a_game(&mut engine), first[2], "the last network");
}

#[test]
fn a_network_is_not_used_before_the_next_settings() {
    let mut engine = Engine::new();
    let nodes = nodes_of_a_game(&mut engine);
    let network = Arc::new(Network::random(5));
    engine.order(SearchOrder::UseNetwork(Arc::clone(&network)));
    assert_eq!(nodes_of_a_game(&mut engine), nodes);
    assert_ne!(nodes_with(&mut engine, Some(&network)), nodes);
}

#[test]
fn a_network_that_arrives_during_a_search_for_a_move_is_used_after_it() {
    let mut engine = Engine::new();
    let network = Arc::new(Network::random(5));
    let with_network = nodes_with(&mut Engine::new(), Some(&network));
    let id = engine.go(Purpose::Play, Limits::default());
    engine.order(SearchOrder::UseNetwork(network));
    select(&mut engine, false);
    engine.order(SearchOrder::MoveNow(id));
    assert_eq!(engine.best(LONG).map(|(answered, _)| answered), Some(id));
    assert_eq!(nodes_of_a_game(&mut engine), with_network);
}
