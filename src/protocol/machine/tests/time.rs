//! Tests of clocks and limits.

use super::*;
use crate::clock::Delays;

const SECOND: Duration = Duration::from_secs(1);

#[test]
fn the_time_per_move_is_never_exceeded() {
    let mut session = Session::new();
    session.send("st 5;usermove e2e4");
    assert!(session.hard() < SECOND * 5 && session.hard() > SECOND * 4);
    session.send("force;new;st 0;usermove e2e4");
    assert_eq!(session.hard(), Duration::ZERO);
}

#[test]
fn reported_times_set_the_clock() {
    let mut session = Session::new();
    for (time, most) in [("100", 900), ("10", 60), ("1", 5), ("0", 0), ("-300", 0)] {
        session.send(&format!(
            "new;level 40 5 0;time {time};otim 9000;usermove e2e4"
        ));
        assert!(
            session.hard() <= Duration::from_millis(most),
            "{time}: {:?}",
            session.hard()
        );
    }
}

#[test]
fn without_reports_gaur_keeps_its_own_clock() {
    let mut session = Session::new();
    session.send("level 0 1 0;usermove e2e4");
    let first = session.hard();
    session.wait(SECOND * 50).best("e7e5").send("usermove g1f3");
    assert!(session.hard() < first / 4);
}

#[test]
fn times_before_go_belong_to_the_engine() {
    let mut session = Session::new();
    session.send("force;time 100;otim 30000;go");
    assert!(session.hard() < SECOND / 2);
    // Without reported times, the clocks are exchanged with the sides.
    session.best("e2e4");
    session.send("force;go");
    assert!(session.hard() > SECOND);
}

#[test]
fn level_and_st_replace_each_other_and_sd_adds_a_limit() {
    let mut session = Session::new();
    session.send("st 1;level 0 60 0;sd 4;usermove e2e4");
    assert!(session.hard() > SECOND * 10);
    assert_eq!(session.limits().depth, Some(4));
    session.best("e7e5").send("st 2;usermove g1f3");
    assert!(session.hard() < SECOND * 2);
}

#[test]
fn a_period_counts_its_moves() {
    let mut session = Session::new();
    session
        .send("level 3 1 0;usermove e2e4")
        .best("e7e5")
        .send("usermove d2d4")
        .best("e5d4");
    assert_eq!(session.machine.time.clocks().engine.moves_to_go(), Some(1));
    session.send("usermove d1d4").best("b8c6");
    assert_eq!(session.machine.time.clocks().engine.moves_to_go(), Some(3));
    session.send("remove");
    assert_eq!(
        session.machine.time.clocks().opponent.moves_to_go(),
        Some(1)
    );
    assert_eq!(session.machine.time.clocks().engine.moves_to_go(), Some(1));
    let both = [
        session.machine.time.clocks().engine,
        session.machine.time.clocks().opponent,
    ];
    assert_eq!(
        both.map(|clock| clock.remaining(session.now)),
        [SECOND * 60; 2]
    );
}

#[test]
fn repeated_takebacks_gain_no_time() {
    let mut session = Session::new();
    session.send("level 1 1 10");
    for _ in 0..20 {
        session.send("usermove e2e4").best("e7e5").send("remove");
    }
    let clocks = session.machine.time.clocks();
    for clock in [clocks.engine, clocks.opponent] {
        assert_eq!(clock.remaining(session.now), SECOND * 60);
    }
}

#[cfg(feature = "tuning")]
#[test]
fn time_parameters_are_settings() {
    let soft = |options: &str| {
        let mut session = Session::new();
        session.send(&format!("{options}level 0 1 0;usermove e2e4"));
        let budget = session.limits().budget;
        budget.expect("a time budget").soft
    };
    let usual = soft("");
    assert!(soft("option time_soft=100;") > usual);
    assert!(soft("option time_moves=40;") < usual);
}

#[test]
fn nodes_count_as_time() {
    let mut session = Session::new();
    session.send("st 2;nps 50000;usermove e2e4");
    assert_eq!(
        session.limits(),
        Limits {
            nodes: Some(100_000),
            ..Limits::default()
        }
    );
    session.send("new;nps 1;st 2000;usermove e2e4");
    assert_eq!(session.limits().nodes, Some(2000));
    session.send("new;st 5;usermove e2e4");
    assert_eq!(session.limits().nodes, None);
    session.send("new;nps 0;st 5;usermove e2e4");
    assert!(session.limits().nodes.is_none() && session.limits().budget.is_some());
}

#[test]
fn purpose_and_time_determine_the_rate_of_lines() {
    let mut session = Session::new();
    session.send("level 0 0:05 0;hard;usermove e2e4");
    let with_little_time = session.limits().line_rate;
    assert!(with_little_time.burst == 1 && !with_little_time.first_line_delay.is_zero());
    // More time for the running search.
    session.send("time 60000");
    assert!(session.limits().line_rate.burst > 1);
    session.best_with("e7e5", Some("g1f3"), 0);
    let pondering = LineRate::for_pondering(Duration::ZERO);
    assert_eq!(session.request().limits.line_rate, pondering);
    session.send("time 500;otim 500;usermove g1f3");
    assert_eq!(session.limits().line_rate, with_little_time);

    session.send("force;analyze");
    assert_eq!(session.request().limits.line_rate, LineRate::FULL);
    for command in ["nps 0", "nps 1000"] {
        session.send(&format!("exit;new;level 0 0:05 0;{command};usermove e2e4"));
        assert_eq!(session.limits().line_rate, LineRate::FULL, "{command}");
    }
}

#[test]
fn the_overhead_is_an_option() {
    let mut session = Session::new();
    session.send("option MoveOverhead=1000;st 5;usermove e2e4");
    assert_eq!(session.hard(), SECOND * 4);
}

#[test]
fn time_counts_from_the_arrival_of_the_line() {
    let mut session = Session::new();
    session.wait(SECOND).send("usermove e2e4");
    assert_eq!(session.request().started, session.now);
}

#[test]
fn new_limits_apply_to_the_running_search() {
    let mut session = Session::new();
    session.send("level 0 30 0;go").wait(SECOND * 10);
    let id = session.request().id;
    for (lines, least, most) in [
        // Limits count from the start of the move.
        ("st 20", 19, 20),
        ("st 2", 1, 2),
        // With so little time the move must be sent at once.
        ("level 0 0:01 0", 0, 10),
        ("level 0 30 0", 60, 600),
        ("time 6000", 10, 30),
        ("time 180000", 60, 600),
        ("time 0", 0, 10),
        ("level 40 100 0", 60, 700),
    ] {
        session.send(lines);
        let hard = session.hard();
        let fits = SECOND * least <= hard && hard <= SECOND * most;
        assert!(fits, "{lines}: {hard:?}");
    }
    session.send("sd 5");
    assert_eq!(session.limits().depth, Some(5));
    assert_eq!(session.request().id, id, "the search has restarted");
}

#[test]
fn used_time_is_subtracted_once() {
    let mut session = Session::new();
    session.send("level 0 30 0;time 60000;otim 60000;go");
    let before = session.limits();
    // The clock continues: reporting the time that it shows changes nothing, even during a pause.
    session.wait(SECOND * 50).send("time 55000");
    assert_eq!(session.limits(), before);
    session.send("pause").wait(SECOND * 5000).send("time 55000");
    assert_eq!(session.limits(), before);
    session.send("resume").wait(SECOND * 50).send("time 50000");
    assert_eq!(session.limits(), before);
    session.send("exclude e2e4");
    assert_eq!(session.limits(), before);
}

#[test]
fn new_limits_apply_to_the_next_search_for_a_move() {
    for occupation in ["force", "analyze", "force;pause", "analyze;pause"] {
        let mut session = Session::new();
        session.send(occupation);
        let orders = session.orders.len();
        session.send("st 3;sd 4;time 100;otim 100");
        assert_eq!(session.orders.len(), orders, "{occupation}");
    }
}

#[test]
fn node_limits_change_while_thinking() {
    let mut session = Session::new();
    session.send("st 2;nps 50000;go;st 1");
    assert_eq!(session.limits().nodes, Some(50_000));
    // A search that has started with wall time keeps its limits.
    let mut session = Session::new();
    session.send("st 2;go");
    let before = session.limits();
    session.send("nps 50000;st 1");
    assert_eq!(session.limits(), before);
}

#[test]
fn a_new_hard_limit_is_within_the_clock() {
    let mut session = Session::new();
    session.send("level 0 1 0;go");
    let start = session.now;
    for clock in (0..6000).step_by(7) {
        session.wait(Duration::from_millis(9));
        session.send(&format!("time {clock}"));
        let used = session.now - start;
        let left = Duration::from_millis(clock * 10);
        assert!(
            session.hard() <= used + left,
            "{clock}: {:?}",
            session.hard()
        );
    }
}

#[test]
fn a_move_that_waited_for_the_table_is_not_late() {
    let mut session = Session::new();
    session.send("level 0 1 0;memory 40;ping 1;usermove e2e4");
    session.wait(SECOND).configured().wait(SECOND * 60);
    session.best("e7e5");
    assert_eq!(session.machine.time.delays(), Delays::default());
    // Any other move is.
    session.send("usermove g1f3").wait(SECOND * 60).best("b8c6");
    assert!(session.machine.time.delays().largest > Duration::ZERO);
}
