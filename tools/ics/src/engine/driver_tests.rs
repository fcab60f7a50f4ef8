//! The conversation with an engine, line by line.

use std::time::{Duration, Instant};

use super::driver::Driver;
use super::types::{Clocks, EngineEvent, EngineSpec, EngineTell, GameSetup, Order};
use super::variant::Variant;

pub(super) const MODERN: &str = "feature ping=1 setboard=1 usermove=1 playother=1 name=1 ics=1 variants=\"normal,fischerandom\" done=1";

const CLOCKS: Clocks = Clocks {
    own: Duration::from_secs(100),
    opponent: Duration::from_secs(90),
};

/// A driver with a clock that the test sets.
pub(super) struct Test {
    driver: Driver,
    now: Instant,
}

impl Test {
    /// Creates a driver that has received lines of the engine.
    pub(super) fn new(lines: &[&str]) -> Test {
        let now = Instant::now();
        let mut driver = Driver::new(EngineSpec::default(), now);
        assert_eq!(driver.take_lines(), ["xboard", "protover 2"]);
        for line in lines {
            driver.on_line(line, now);
        }
        Test { driver, now }
    }

    /// Creates a driver of a modern engine in a game, in which it has White or Black.
    pub(super) fn game(features: &str, engine_is_white: bool, moves: &[&str]) -> Test {
        let mut test = Test::new(&[features]);
        test.new_game(&setup(engine_is_white, moves));
        test.sent();
        test.events();
        test
    }

    pub(super) fn sent(&mut self) -> Vec<String> {
        self.driver.take_lines()
    }

    pub(super) fn events(&mut self) -> Vec<EngineEvent> {
        self.driver.take_events()
    }

    pub(super) fn moves(&mut self) -> Vec<String> {
        let moves = self.events().into_iter().filter_map(|event| match event {
            EngineEvent::Move(text) => Some(text),
            _ => None,
        });
        moves.collect()
    }

    pub(super) fn line(&mut self, line: &str) {
        self.driver.on_line(line, self.now);
    }

    pub(super) fn pass(&mut self, milliseconds: u64) -> Option<String> {
        self.now += Duration::from_millis(milliseconds);
        self.driver.tick(self.now)
    }

    fn order(&mut self, order: Order) {
        self.driver.order(order, self.now, self.now);
    }

    pub(super) fn new_game(&mut self, setup: &GameSetup) {
        let setup = Box::new(setup.clone());
        self.order(Order::NewGame {
            setup,
            clocks: CLOCKS,
        });
    }

    pub(super) fn opponent_moved(&mut self, coordinates: &str) {
        let coordinates = coordinates.to_string();
        self.order(Order::OpponentMoved {
            coordinates,
            clocks: CLOCKS,
        });
    }

    pub(super) fn take_back(&mut self, half_moves: usize, setup: &GameSetup) {
        let setup = Box::new(setup.clone());
        self.order(Order::TakeBack {
            half_moves,
            setup,
            clocks: CLOCKS,
        });
    }

    fn finish(&mut self) {
        let comment = "Black {resigns}\nquit".to_string();
        self.order(Order::GameOver {
            result: "1-0",
            comment,
        });
    }
}

pub(super) fn setup(engine_is_white: bool, moves: &[&str]) -> GameSetup {
    GameSetup {
        moves: moves.iter().map(ToString::to_string).collect(),
        engine_is_white,
        base: Duration::from_secs(180),
        increment: Duration::from_secs(2),
        opponent: "Rabbit".into(),
        opponent_rating: Some(1500),
        host: "chess.example.org".into(),
        ..GameSetup::default()
    }
}

#[test]
fn a_game_has_all_its_commands() {
    let mut test = Test::new(&[MODERN]);
    test.sent();
    test.new_game(&GameSetup {
        opponent_is_computer: true,
        ..setup(true, &[])
    });
    let expected = [
        "new",
        "level 0 3 2",
        "easy",
        "post",
        "ics chess.example.org",
        "rating 0 1500",
        "name Rabbit",
        "computer",
        "time 10000",
        "otim 9000",
        "go",
    ];
    assert_eq!(test.sent(), expected);
    test.line("move e2e4");
    test.opponent_moved("e7e5");
    assert_eq!(test.sent(), ["time 10000", "otim 9000", "usermove e7e5"]);
    assert_eq!(test.moves(), ["e2e4"]);
}

#[test]
fn with_black_the_engine_waits_for_the_first_move() {
    let mut test = Test::new(&[MODERN]);
    test.new_game(&setup(false, &[]));
    assert_eq!(test.sent().last().map(String::as_str), Some("name Rabbit"));
    test.opponent_moved("e2e4");
    assert_eq!(test.sent(), ["time 10000", "otim 9000", "usermove e2e4"]);
}

#[test]
fn a_resumed_game_is_replayed() {
    let mut test = Test::new(&[MODERN]);
    test.new_game(&setup(true, &["e2e4", "e7e5"]));
    let sent = test.sent();
    assert_eq!(
        sent[sent.len() - 6..],
        [
            "force",
            "usermove e2e4",
            "usermove e7e5",
            "time 10000",
            "otim 9000",
            "go"
        ]
    );
    let mut test = Test::new(&[MODERN]);
    test.new_game(&setup(true, &["e2e4"]));
    assert_eq!(test.sent().last().map(String::as_str), Some("playother"));
    // Without `playother`, the engine stays in force mode until the opponent has moved.
    let mut test = Test::game("feature ping=1 done=1", true, &["e2e4"]);
    test.opponent_moved("e7e5");
    assert_eq!(test.sent(), ["e7e5", "time 10000", "otim 9000", "go"]);
}

#[test]
fn commands_wait_for_the_features() {
    let mut test = Test::new(&["feature done=0"]);
    test.sent();
    test.new_game(&setup(true, &[]));
    assert_eq!(test.pass(9_000), None);
    assert!(test.sent().is_empty());
    test.line("feature usermove=1 telepathy=1 done=1");
    let sent = test.sent();
    assert_eq!(
        sent[..4],
        [
            "accepted usermove",
            "rejected telepathy",
            "accepted done",
            "new"
        ]
    );
    assert_eq!(sent.last().map(String::as_str), Some("go"));
}

#[test]
fn an_engine_that_is_never_done_is_ended() {
    let mut test = Test::new(&["feature done=0"]);
    assert_eq!(test.pass(9_999), None);
    assert!(test.pass(1).is_some_and(|reason| reason.contains("done=1")));
    assert!(test.events().is_empty());
}

#[test]
fn an_old_engine_is_ready_after_two_seconds() {
    let mut test = Test::new(&["Error (unknown command): protover"]);
    test.pass(1_999);
    assert!(test.events().is_empty());
    test.pass(1);
    assert!(
        matches!(test.events().as_slice(), [EngineEvent::Ready(features)] if !features.is_version_2)
    );
    test.sent();
    test.new_game(&setup(true, &[]));
    let expected = [
        "new",
        "level 0 3 2",
        "easy",
        "post",
        "time 10000",
        "otim 9000",
        "go",
    ];
    assert_eq!(test.sent(), expected);
    test.line("My move is: e2e4");
    test.opponent_moved("e7e5");
    assert_eq!(test.sent().last().map(String::as_str), Some("e7e5"));
    assert_eq!(test.moves(), ["e2e4"]);
}

#[test]
fn a_game_begins_again_after_late_features() {
    let mut test = Test::new(&[]);
    test.pass(2_000);
    test.new_game(&setup(false, &[]));
    test.opponent_moved("e2e4");
    test.sent();
    test.line(MODERN);
    let sent = test.sent();
    let force = sent.iter().position(|line| line == "force");
    assert_eq!(
        sent[force.unwrap_or(0)..][..3],
        ["force", "ping 1", "new"],
        "{sent:?}"
    );
    assert!(
        sent.ends_with(&["usermove e2e4", "time 10000", "otim 9000", "go"].map(String::from)),
        "{sent:?}"
    );
    test.line("move c7c5");
    test.line("pong 1");
    test.line("move e7e5");
    assert_eq!(test.moves(), ["e7e5"]);
}

#[test]
fn a_move_of_the_last_game_is_dropped() {
    let mut test = Test::game(MODERN, true, &[]);
    test.finish();
    assert_eq!(
        test.sent(),
        ["force", "result 1-0 {Black resigns quit}", "ping 1"]
    );
    test.new_game(&setup(true, &[]));
    assert_eq!(test.sent()[..2], ["ping 2", "new"]);
    for line in [
        "move e2e4",
        "resign",
        "offer draw",
        "9 1 1 1 e4",
        "pong 1",
        "move e2e4",
        "pong 2",
        "move d2d4",
    ] {
        test.line(line);
    }
    let events = test.events();
    assert!(!events.contains(&EngineEvent::Resign) && !events.contains(&EngineEvent::OfferDraw));
    let moves: Vec<_> = events
        .iter()
        .filter(|event| matches!(event, EngineEvent::Move(_)))
        .collect();
    assert_eq!(moves, [&EngineEvent::Move("d2d4".into())]);
}

#[test]
fn without_ping_a_new_game_waits_for_an_old_move() {
    let mut test = Test::game("feature done=1", true, &[]);
    test.finish();
    test.sent();
    test.new_game(&setup(true, &[]));
    assert!(test.sent().is_empty());
    test.line("move e2e4");
    test.pass(499);
    assert!(test.sent().is_empty());
    test.pass(1);
    assert_eq!(test.sent().first().map(String::as_str), Some("new"));
    test.line("move d2d4");
    assert_eq!(test.moves(), ["d2d4"]);
}

#[test]
fn an_engine_that_refuses_a_legal_move_gets_the_game_once_more() {
    let mut test = Test::game(MODERN, false, &[]);
    test.opponent_moved("e2e4");
    test.sent();
    test.line("Illegal move: e2e4");
    let sent = test.sent();
    assert!(
        sent.starts_with(&["force", "ping 1", "new"].map(String::from)),
        "{sent:?}"
    );
    assert!(
        sent.ends_with(&["usermove e2e4", "time 10000", "otim 9000", "go"].map(String::from)),
        "{sent:?}"
    );
    test.line("pong 1");
    test.line("Illegal move: e2e4");
    assert!(test.sent().is_empty());
    let errors = test
        .events()
        .into_iter()
        .filter(|event| matches!(event, EngineEvent::Error(_)));
    assert_eq!(errors.count(), 2);
}

#[test]
fn a_move_out_of_turn_is_dropped() {
    let mut test = Test::game(MODERN, false, &[]);
    test.line("move e2e4");
    assert!(matches!(
        test.events().as_slice(),
        [EngineEvent::Warning(_)]
    ));
}

#[test]
fn thinking_lines_count_on_the_own_turn() {
    let mut test = Test::game(MODERN, true, &[]);
    test.line("9 20 100 1000 e4");
    assert!(matches!(
        test.events().as_slice(),
        [EngineEvent::Thinking(_)]
    ));
    test.line("move e2e4");
    test.events();
    test.line("9 20 100 1000 e4");
    assert!(test.events().is_empty());
    test.line("tellopponent hello");
    assert_eq!(
        test.events(),
        [EngineEvent::Tell(EngineTell::Opponent("hello".into()))]
    );
}

#[test]
fn algebraic_notation_is_sent_if_the_engine_wants_it() {
    let mut test = Test::game("feature san=1 done=1", true, &["e2e4", "e7e5"]);
    test.line("move Nf3");
    test.opponent_moved("b8c6");
    assert_eq!(test.sent().last().map(String::as_str), Some("Nc6"));
}

#[test]
fn fischer_random_chess_needs_its_variant() {
    let random = GameSetup {
        variant: Variant::FischerRandom,
        start_fen: Some("rk5r/8/8/8/8/8/8/RK5R w HAha - 0 1".into()),
        ..setup(true, &["O-O", "O-O"])
    };
    let mut test = Test::new(&[MODERN]);
    test.new_game(&random);
    let sent = test.sent();
    assert!(sent.contains(&"variant fischerandom".to_string()));
    let position = sent.iter().position(|line| line == "force").unwrap_or(0);
    assert_eq!(
        sent[position + 1],
        "setboard rk5r/8/8/8/8/8/8/RK5R w HAha - 0 1"
    );
    assert_eq!(sent[position + 2..][..2], ["usermove O-O", "usermove O-O"]);
    let mut test = Test::new(&["feature done=1"]);
    test.events();
    test.sent();
    test.new_game(&random);
    assert!(test.sent().is_empty());
    assert!(matches!(test.events().as_slice(), [EngineEvent::Error(_)]));
}

#[test]
fn waiting_time_is_taken_from_the_running_clock() {
    let mut test = Test::new(&[]);
    test.new_game(&setup(true, &[]));
    test.pass(2_000);
    assert!(
        test.sent()
            .ends_with(&["time 9800", "otim 9000", "go"].map(String::from))
    );
}

#[test]
fn a_game_that_begins_again_has_the_time_that_is_left() {
    let own_clock = |test: &mut Test| {
        let is_clock = |line: &String| line.starts_with("time ");
        test.sent().into_iter().rfind(is_clock).unwrap_or_default()
    };
    // Late features.
    let mut test = Test::new(&[]);
    test.pass(2_000);
    test.new_game(&setup(false, &[]));
    test.opponent_moved("e2e4");
    test.pass(20_000);
    test.line(MODERN);
    assert_eq!(own_clock(&mut test), "time 8000");
    // An engine that refuses a legal move after a while.
    let mut test = Test::game(MODERN, false, &[]);
    test.opponent_moved("e2e4");
    test.pass(30_000);
    test.line("Illegal move: e2e4");
    assert_eq!(own_clock(&mut test), "time 7000");
    // An engine that answers `ping` twice.
    let mut test = Test::game(MODERN, false, &[]);
    test.new_game(&setup(false, &["e2e4"]));
    test.line("pong 1");
    test.pass(10_000);
    test.line("pong 1");
    test.pass(1_000);
    assert_eq!(own_clock(&mut test), "time 8900");
    // An engine that does not know `playother`.
    let mut test = Test::game(MODERN, true, &["e2e4"]);
    test.opponent_moved("e7e5");
    test.pass(5_000);
    test.line("Error (unknown command): playother");
    assert_eq!(own_clock(&mut test), "time 9500");
}

#[test]
fn draw_offers_and_orders_to_move_need_a_game() {
    let mut test = Test::game(MODERN, true, &[]);
    for order in [Order::OfferDraw, Order::MoveNow, Order::Line("a\nb".into())] {
        test.order(order);
    }
    assert_eq!(test.sent(), ["draw", "?", "a b"]);
    test.finish();
    test.sent();
    for order in [Order::OfferDraw, Order::MoveNow] {
        test.order(order);
    }
    assert!(test.sent().is_empty());
}

#[test]
fn an_engine_without_reuse_is_started_again() {
    let mut test = Test::new(&["feature reuse=0 done=1"]);
    assert!(!test.driver.needs_restart());
    test.new_game(&setup(true, &[]));
    assert!(test.driver.needs_restart());
}

#[test]
fn an_engine_names_a_refused_move_in_its_own_notation() {
    let mut test = Test::game("feature ping=1 san=1 done=1", false, &[]);
    test.opponent_moved("g1f3");
    assert_eq!(test.sent().last().map(String::as_str), Some("Nf3"));
    test.line("Illegal move: Nf3");
    assert_eq!(test.sent()[..3], ["force", "ping 1", "new"]);
}

#[test]
fn a_move_in_two_forms_is_one_move() {
    let mut test = Test::game("feature ping=1 done=1", true, &[]);
    test.line("1. ... e2e4");
    test.opponent_moved("e7e5");
    test.line("My move is : e2e4");
    assert_eq!(test.moves(), ["e2e4"]);
    test.line("2. ... g1f3");
    assert_eq!(test.moves(), ["g1f3"]);
}
