//! The memory of the table: cleared in place for a new game, prepared before searches need it.

use super::*;
use crate::search::running_search::RunningSearch;
use crate::search::table::TableEntry;
use crate::types::{Key, Score};

/// The data of a search thread, and the other ends of its channels. Searches run in the thread of the test.
struct Fixture {
    search: SearchThread,
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
        let controller = Controller {
            orders: received,
            ..idle_controller(config, on_event)
        };
        Fixture {
            search: SearchThread::new(controller),
            orders,
            events,
        }
    }

    /// Returns the number of prepared bytes of the table and of those in use.
    fn bytes(&self) -> (usize, usize) {
        let table = &lock(&self.search.controller).pool.shared.table;
        (table.ready_bytes(), table.used_bytes())
    }

    /// Handles an order as the thread does, with its consequences and those of the orders that have arrived.
    fn handle(&mut self, order: SearchOrder) {
        lock(&self.search.controller).handle_order(order);
        self.search.run_pending_searches();
        let mut controller = lock(&self.search.controller);
        controller.prepare_and_confirm(Duration::MAX);
    }

    /// Sends an order, which arrives while another one is handled.
    fn send(&self, order: SearchOrder) {
        self.orders.send(order).expect("there is a receiver");
    }

    /// Searches, and handles the orders that have arrived.
    fn start(&mut self, purpose: Purpose, limits: Limits) {
        self.start_with(purpose, limits, Contempt::NONE);
    }

    /// Searches with contempt, and handles the orders that have arrived.
    fn start_with(&mut self, purpose: Purpose, limits: Limits, contempt: Contempt) {
        let request = SearchRequest {
            id: SearchId(1),
            position: Position::standard(),
            purpose,
            limits,
            excluded: Vec::new(),
            score_overrides: ScoreOverrides::default(),
            contempt,
            strength: None,
            time_source: TimeSource::Wall,
            started: Instant::now(),
        };
        self.handle(SearchOrder::Start(Box::new(request)));
    }

    /// Stores an entry of a position in the table, and returns the key.
    fn store_entry(&self) -> Key {
        let table = &lock(&self.search.controller).pool.shared.table;
        table.use_ready();
        let key = position(Color::White, "Ke1 ke8", 0).board().key();
        let entry = TableEntry {
            mv: None,
            score: Score(5),
            eval: Score(5),
            depth: 3,
            bound: Bound::Exact,
            on_pv: false,
        };
        table.store(key, entry);
        assert!(table.probe(key).is_some());
        key
    }

    /// Returns `true` if the table has an entry with this key.
    fn has_entry(&self, key: Key) -> bool {
        let table = &lock(&self.search.controller).pool.shared.table;
        table.probe(key).is_some()
    }

    /// The events that are not thinking lines.
    fn events(&self) -> Vec<SearchEvent> {
        let events = self.events.try_iter();
        events
            .filter(|event| !matches!(event, SearchEvent::Info(..)))
            .collect()
    }

    fn is_confirmed(&self) -> bool {
        self.events() == [SearchEvent::Configured]
    }
}

#[test]
fn a_new_game_clears_the_table_in_place() {
    let mut fixture = Fixture::new(40);
    fixture.start(Purpose::Play, budget(1));
    assert_eq!(fixture.bytes().0, 40 << 20);
    let controller = lock(&fixture.search.controller);
    let table = &controller.pool.shared.table;
    table.use_ready();
    let place = table.address();
    drop(controller);
    let key = fixture.store_entry();
    fixture.handle(SearchOrder::NewGame);
    assert_eq!(fixture.bytes(), (40 << 20, 40 << 20));
    assert!(!fixture.has_entry(key));
    let table = &lock(&fixture.search.controller).pool.shared.table;
    assert_eq!(table.address(), place);
}

#[test]
fn a_change_of_the_contempt_clears_the_table() {
    let mut fixture = Fixture::new(1);
    fixture.start(Purpose::Play, depth(1));
    let mut search = |contempt| {
        let key = fixture.store_entry();
        fixture.start_with(Purpose::Play, depth(1), contempt);
        fixture.has_entry(key)
    };
    assert!(search(Contempt::NONE));
    assert!(!search(Contempt::new(Color::White, 20)));
    assert!(search(Contempt::new(Color::White, 20)));
    assert!(search(Contempt::new(Color::Black, -20)));
    assert!(!search(Contempt::new(Color::Black, 20)));
    assert!(!search(Contempt::NONE));
}

/// The order that follows the confirmation interrupts the preparation.
#[test]
fn the_confirmation_waits_for_a_large_table_only_for_a_time() {
    for (timeout, is_complete) in [(Duration::MAX, true), (Duration::ZERO, false)] {
        let fixture = Fixture::new(64);
        let (orders, events) = (fixture.orders.clone(), fixture.events.clone());
        let mut controller = lock(&fixture.search.controller);
        let mut on_event = std::mem::replace(&mut controller.on_event, Box::new(|_| {}));
        controller.on_event = Box::new(move |event| {
            on_event(event);
            orders.send(SearchOrder::NewGame).expect("a receiver");
        });
        controller.handle_order(SearchOrder::NewGame);
        controller.prepare_and_confirm(timeout);
        assert_eq!(events.try_iter().count(), 1);
        let prepared = controller.pool.shared.table.ready_bytes();
        assert_eq!(prepared == 64 << 20, is_complete, "{prepared} bytes");
    }
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
    fixture.send(SearchOrder::Abandon(SearchId(1)));
    fixture.send(SearchOrder::NewGame);
    fixture.start(Purpose::Analyse, Limits::default());
    assert_eq!(fixture.events(), [], "the order has not been handled");
    lock(&fixture.search.controller).wait_for_order();
    assert_eq!(fixture.events(), [], "the table has not been cleared");
    fixture.handle(SearchOrder::ConfirmNow);
    assert!(fixture.is_confirmed());
    assert_eq!(fixture.bytes().0, 16 << 20);
}

#[test]
fn a_new_game_during_an_analysis_is_confirmed_when_it_has_restarted() {
    let mut fixture = Fixture::new(16);
    fixture.send(SearchOrder::NewGame);
    fixture.send(SearchOrder::ReportStatus(SearchId(1)));
    fixture.send(SearchOrder::Abandon(SearchId(1)));
    fixture.start(Purpose::Analyse, Limits::default());
    let events = fixture.events();
    assert!(
        matches!(
            events.as_slice(),
            [SearchEvent::Configured, SearchEvent::Status(SearchId(1), _)]
        ),
        "{events:?}"
    );
}

#[test]
fn a_new_game_does_not_wait_for_the_end_of_a_search_for_a_move() {
    let mut fixture = Fixture::new(16);
    fixture.send(SearchOrder::NewGame);
    fixture.send(SearchOrder::MoveNow(SearchId(1)));
    fixture.start(Purpose::Play, budget(60_000));
    let events = fixture.events();
    assert!(
        matches!(
            events.as_slice(),
            [SearchEvent::Configured, SearchEvent::Best { .. }]
        ),
        "{events:?}"
    );
}

#[test]
fn orders_do_not_wait_for_memory() {
    let mut fixture = Fixture::new(512);
    for order in [SearchOrder::ConfirmNow, SearchOrder::NewGame] {
        fixture.send(order);
        fixture.handle(SearchOrder::NewGame);
        assert!(fixture.is_confirmed());
        assert!(fixture.bytes().0 < 512 << 20, "an order waits");
    }
    let mut fixture = Fixture::new(64);
    let prepared = fixture.bytes().0;
    fixture.send(SearchOrder::MoveNow(SearchId(1)));
    fixture.start(Purpose::Play, Limits::default());
    assert_eq!(fixture.bytes(), (64 << 20, prepared));
}

#[test]
fn a_search_with_little_time_does_not_wait_for_memory() {
    let mut fixture = Fixture::new(64);
    let prepared = fixture.bytes().0;
    fixture.start(Purpose::Play, budget(20));
    assert_eq!(fixture.bytes(), (64 << 20, prepared));
}

/// Returns a finished search whose answer is due this long after its start, a second ago.
fn finished(delay: Duration) -> Box<RunningSearch> {
    let request = SearchRequest {
        id: SearchId(1),
        position: Position::standard(),
        purpose: Purpose::Play,
        limits: Limits::default(),
        excluded: Vec::new(),
        score_overrides: ScoreOverrides::default(),
        contempt: Contempt::NONE,
        strength: None,
        time_source: TimeSource::Wall,
        started: Instant::now() - Duration::from_secs(1),
    };
    let task = SearchTask::new(Box::new(request));
    Box::new(RunningSearch {
        answer_delay: delay,
        ..RunningSearch::new(task, RunId(1), Vec::new())
    })
}

#[test]
fn an_answer_that_is_due_interrupts_the_preparation() {
    let fixture = Fixture::new(40);
    let mut controller = lock(&fixture.search.controller);
    controller.state = State::Finished(finished(Duration::from_millis(1)));
    controller.prepare_and_confirm(Duration::MAX);
    assert!(!controller.pool.shared.table.is_ready());
    controller.state = State::Finished(finished(Duration::from_secs(3600)));
    controller.prepare_and_confirm(Duration::MAX);
    assert!(controller.pool.shared.table.is_ready());
}

#[test]
fn a_new_table_keeps_the_status_of_a_finished_search() {
    let fixture = Fixture::new(1);
    let mut controller = lock(&fixture.search.controller);
    let status = &controller.pool.shared.status;
    status.begin(5, 20);
    let mv = Position::standard().legal_moves()[0];
    status.set_root_move(3, mv);
    controller.state = State::Finished(finished(Duration::from_secs(3600)));
    controller.renew_pool();
    let status = &controller.pool.shared.status;
    assert_eq!(status.read(), (5, 16, 20, Some(mv)));
}
