//! The memory of the table: cleared where it is for a new game, ready before searches need it.

use super::*;
use crate::search::table::TableEntry;

/// A controller that its tests drive by hand, with the other ends of its channels.
struct Driven {
    controller: Controller,
    orders: Sender<SearchOrder>,
    events: Receiver<SearchEvent>,
}

impl Driven {
    fn new(hash_megabytes: u64) -> Driven {
        let config = SearchSettings {
            hash_megabytes,
            ..SearchSettings::default()
        };
        let (orders, received) = unbounded();
        let (sender, events) = unbounded();
        Driven {
            controller: Controller::new(config, Network::embedded(), received, sender),
            orders,
            events,
        }
    }

    /// Bytes of the table that are ready, and those in use.
    fn bytes(&self) -> (usize, usize) {
        let table = &self.controller.pool.shared.table;
        (table.ready_bytes(), table.used_bytes())
    }

    /// Obeys an order, and does what is done before the next is waited for.
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

    /// Takes the reports of the workers until all have ended.
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
fn a_new_game_clears_the_table_in_the_memory_it_has() {
    let mut driven = Driven::new(40);
    driven.start(Purpose::Play, budget(1));
    driven.wait_for_workers();
    driven.controller.prepare_table();
    driven.controller.pool.shared.table.use_ready();
    assert_eq!(driven.bytes(), (40 << 20, 40 << 20));
    let table = &driven.controller.pool.shared.table;
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
    driven.handle(SearchOrder::NewGame);
    let table = &driven.controller.pool.shared.table;
    assert_eq!(table.address(), place);
    assert!(table.probe(key).is_none());
    assert_eq!(driven.bytes(), (40 << 20, 40 << 20));
}

#[test]
fn memory_is_there_when_settings_and_new_games_are_confirmed() {
    let mut driven = Driven::new(64);
    driven.handle(SearchOrder::NewGame);
    assert!(driven.is_confirmed());
    assert_eq!(driven.bytes().0, 64 << 20);
    let config = SearchSettings {
        hash_megabytes: 100,
        ..SearchSettings::default()
    };
    driven.handle(SearchOrder::Configure(Box::new(config)));
    assert!(driven.is_confirmed());
    assert_eq!(driven.bytes().0, 100 << 20);
}

#[test]
fn a_new_game_is_confirmed_when_the_search_before_it_has_ended() {
    let mut driven = Driven::new(16);
    driven.start(Purpose::Analyse, Limits::default());
    driven.handle(SearchOrder::Abandon(SearchId(1)));
    driven.handle(SearchOrder::NewGame);
    assert!(!driven.is_confirmed(), "the table is still in use");
    driven.wait_for_workers();
    driven.controller.prepare_table();
    driven.controller.confirm();
    assert!(driven.is_confirmed());
    assert_eq!(driven.bytes().0, 16 << 20);
}

#[test]
fn a_new_game_does_not_wait_for_the_end_of_a_search_for_a_move() {
    let mut driven = Driven::new(16);
    driven.start(Purpose::Play, budget(60_000));
    driven.handle(SearchOrder::NewGame);
    assert!(driven.is_confirmed());
    driven.handle(SearchOrder::MoveNow(SearchId(1)));
    driven.wait_for_workers();
}

#[test]
fn orders_do_not_wait_for_memory() {
    let mut driven = Driven::new(512);
    for order in [SearchOrder::ConfirmNow, SearchOrder::NewGame] {
        driven.orders.send(order).expect("there is a receiver");
        driven.handle(SearchOrder::NewGame);
        assert!(driven.is_confirmed());
        assert!(driven.bytes().0 < 512 << 20, "an order waits");
    }
    driven.start(Purpose::Play, budget(10));
    let (ready, used) = driven.bytes();
    assert_eq!(ready, used);
    driven.wait_for_workers();
}
