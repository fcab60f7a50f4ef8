//! The memory of the table: cleared in place for a new game, prepared before searches need it.

use super::*;
use crate::search::table::TableEntry;

/// A controller without a thread, and the other ends of its channels.
struct Fixture {
    controller: Controller,
    orders: Sender<SearchOrder>,
    events: Receiver<SearchEvent>,
}

impl Fixture {
    fn new(hash_megabytes: u64) -> Fixture {
        let config = SearchSettings {
            hash_megabytes,
            ..SearchSettings::default()
        };
        let (orders, received) = unbounded();
        let (on_event, events) = event_channel();
        Fixture {
            controller: Controller::new(config, Network::embedded(), received, on_event),
            orders,
            events,
        }
    }

    /// Returns the number of prepared bytes of the table and of those in use.
    fn bytes(&self) -> (usize, usize) {
        let table = &self.controller.pool.shared.table;
        (table.ready_bytes(), table.used_bytes())
    }

    /// Handles an order as the controller's loop does.
    fn handle(&mut self, order: SearchOrder) {
        self.controller.handle_order(order);
        self.controller.prepare_table();
        self.controller.confirm();
    }

    fn start(&mut self, purpose: Purpose, limits: Limits) {
        let request = SearchRequest {
            id: SearchId(1),
            position: Position::standard(),
            purpose,
            limits,
            excluded: Vec::new(),
            score_overrides: ScoreOverrides::default(),
            time_source: TimeSource::Wall,
            started: Instant::now(),
        };
        self.handle(SearchOrder::Start(Box::new(request)));
    }

    /// Handles the reports of the workers until all have finished.
    fn wait_for_workers(&mut self) {
        while self.controller.state.run().is_some() {
            let reports = self.controller.pool.reports.clone();
            let report = reports.recv().expect("there are workers");
            self.controller.handle_report(report);
        }
    }

    fn is_confirmed(&self) -> bool {
        self.events
            .try_iter()
            .any(|event| event == SearchEvent::Configured)
    }
}

#[test]
fn a_new_game_clears_the_table_in_place() {
    let mut fixture = Fixture::new(40);
    fixture.start(Purpose::Play, budget(1));
    fixture.wait_for_workers();
    fixture.controller.prepare_table();
    fixture.controller.pool.shared.table.use_ready();
    assert_eq!(fixture.bytes(), (40 << 20, 40 << 20));
    let table = &fixture.controller.pool.shared.table;
    let place = table.address();
    let key = position(Color::White, "Ke1 ke8", 0).board().key();
    let entry = TableEntry {
        mv: None,
        score: crate::types::Score(5),
        eval: crate::types::Score(5),
        depth: 3,
        bound: Bound::Exact,
        on_pv: false,
    };
    table.store(key, entry);
    assert!(table.probe(key).is_some());
    fixture.handle(SearchOrder::NewGame);
    let table = &fixture.controller.pool.shared.table;
    assert_eq!(table.address(), place);
    assert!(table.probe(key).is_none());
    assert_eq!(fixture.bytes(), (40 << 20, 40 << 20));
}

#[test]
fn memory_is_prepared_when_settings_and_new_games_are_confirmed() {
    let mut fixture = Fixture::new(64);
    fixture.handle(SearchOrder::NewGame);
    assert!(fixture.is_confirmed());
    assert_eq!(fixture.bytes().0, 64 << 20);
    let config = SearchSettings {
        hash_megabytes: 100,
        ..SearchSettings::default()
    };
    fixture.handle(SearchOrder::Configure(Box::new(config)));
    assert!(fixture.is_confirmed());
    assert_eq!(fixture.bytes().0, 100 << 20);
}

#[test]
fn a_new_game_is_confirmed_when_the_search_before_it_has_ended() {
    let mut fixture = Fixture::new(16);
    fixture.start(Purpose::Analyse, Limits::default());
    fixture.handle(SearchOrder::Abandon(SearchId(1)));
    fixture.handle(SearchOrder::NewGame);
    assert!(!fixture.is_confirmed(), "the table is still in use");
    fixture.wait_for_workers();
    fixture.controller.prepare_table();
    fixture.controller.confirm();
    assert!(fixture.is_confirmed());
    assert_eq!(fixture.bytes().0, 16 << 20);
}

#[test]
fn a_new_game_does_not_wait_for_the_end_of_a_search_for_a_move() {
    let mut fixture = Fixture::new(16);
    fixture.start(Purpose::Play, budget(60_000));
    fixture.handle(SearchOrder::NewGame);
    assert!(fixture.is_confirmed());
    fixture.handle(SearchOrder::MoveNow(SearchId(1)));
    fixture.wait_for_workers();
}

#[test]
fn orders_do_not_wait_for_memory() {
    let mut fixture = Fixture::new(512);
    for order in [SearchOrder::ConfirmNow, SearchOrder::NewGame] {
        fixture.orders.send(order).expect("there is a receiver");
        fixture.handle(SearchOrder::NewGame);
        assert!(fixture.is_confirmed());
        assert!(fixture.bytes().0 < 512 << 20, "an order waits");
    }
    fixture.start(Purpose::Play, budget(10));
    let (ready, used) = fixture.bytes();
    assert_eq!(ready, used);
    fixture.wait_for_workers();
}
