//! The memory of the table: cleared where it is for a new game, provided before searches need it.

use super::*;

/// A controller with a table of this size, and the other end of its orders.
fn controller(hash_megabytes: u64) -> (Controller, Sender<SearchOrder>) {
    let config = Config {
        hash_megabytes,
        ..Config::default()
    };
    let (orders, received) = unbounded();
    (Controller::new(config, received, unbounded().0), orders)
}

#[test]
fn a_new_game_clears_the_table_in_the_memory_it_has() {
    let (mut controller, _orders) = controller(40);
    controller.provide_memory();
    let table = &controller.pool.shared.table;
    let (place, size) = (table.place(), table.used_bytes());
    let key = position(Color::White, "Ke1 ke8", 0).board().key();
    let entry = crate::search::table::Entry {
        mv: None,
        score: crate::types::Score(5),
        eval: crate::types::Score(5),
        depth: 3,
        bound: Bound::Exact,
        on_pv: false,
    };
    table.store(key, entry);
    assert!(table.probe(key).is_some());
    controller.new_game();
    let table = &controller.pool.shared.table;
    assert_eq!((table.place(), table.used_bytes()), (place, size));
    assert!(table.probe(key).is_none());
}

#[test]
fn memory_is_there_when_settings_and_new_games_are_confirmed() {
    let (mut controller, _orders) = controller(64);
    controller.new_game();
    assert_eq!(controller.pool.shared.table.provided_bytes(), 64 << 20);
    let config = Config {
        hash_megabytes: 100,
        ..Config::default()
    };
    controller.configure(config);
    assert_eq!(controller.pool.shared.table.provided_bytes(), 100 << 20);
}

#[test]
fn orders_do_not_wait_for_memory() {
    let (mut controller, orders) = controller(512);
    orders
        .send(SearchOrder::NewGame)
        .expect("there is a receiver");
    controller.new_game();
    let table = &controller.pool.shared.table;
    assert!(table.provided_bytes() < 512 << 20, "an order waits");
    let request = SearchRequest {
        id: SearchId(1),
        position: Position::standard(),
        purpose: Purpose::Play,
        limits: budget(10),
        excluded: Vec::new(),
        given_scores: GivenScores::default(),
        time_source: TimeSource::Wall,
        started: Instant::now(),
    };
    controller.obey(SearchOrder::Start(Box::new(request)));
    let table = &controller.pool.shared.table;
    assert_eq!(table.used_bytes(), table.provided_bytes());
    controller.stop();
}
