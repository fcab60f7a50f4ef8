//! Clocks and limits.

use super::*;

const SECOND: Duration = Duration::from_secs(1);

#[test]
fn seconds_per_move_are_never_passed() {
    let mut session = Session::new();
    session.send("st 5;usermove e2e4");
    assert!(session.hard() < SECOND * 5 && session.hard() > SECOND * 4);
    session.send("force;new;st 0;usermove e2e4");
    assert_eq!(session.hard(), Duration::ZERO);
}

#[test]
fn the_clock_that_the_gui_says_counts() {
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
fn without_time_commands_our_own_clock_runs_down() {
    let mut session = Session::new();
    session.send("level 0 1 0;usermove e2e4");
    let first = session.hard();
    session.wait(SECOND * 50).best("e7e5").send("usermove g1f3");
    assert!(session.hard() < first / 4);
}

#[test]
fn times_before_go_are_those_of_the_side_it_takes() {
    let mut session = Session::new();
    session.send("force;time 100;otim 30000;go");
    assert!(session.hard() < SECOND / 2);
    // Changing sides without being told, the clocks change places.
    session.best("e2e4");
    session.send("force;go");
    assert!(session.hard() > SECOND);
}

#[test]
fn the_last_of_level_and_st_counts_and_depth_comes_on_top() {
    let mut session = Session::new();
    session.send("st 1;level 0 60 0;sd 4;usermove e2e4");
    assert!(session.hard() > SECOND * 10);
    assert_eq!(session.limits().depth, Some(4));
    session.best("e7e5").send("st 2;usermove g1f3");
    assert!(session.hard() < SECOND * 2);
}

#[test]
fn a_period_counts_the_moves_made_in_it() {
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
fn taking_back_again_and_again_earns_nothing() {
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

#[test]
fn nodes_instead_of_time() {
    let mut session = Session::new();
    session.send("st 2;nps 50000;usermove e2e4");
    assert_eq!(
        session.limits(),
        Limits {
            depth: None,
            nodes: Some(100_000),
            budget: None
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
fn the_overhead_is_an_option() {
    let mut session = Session::new();
    session.send("option MoveOverhead=1000;st 5;usermove e2e4");
    assert_eq!(session.hard(), SECOND * 4);
}

#[test]
fn thinking_counts_from_the_arrival_of_the_line() {
    let mut session = Session::new();
    session.wait(SECOND).send("usermove e2e4");
    assert_eq!(session.request().started, session.now);
}

#[test]
fn limits_said_while_thinking_hold_for_the_running_search() {
    let mut session = Session::new();
    session.send("level 0 30 0;go").wait(SECOND * 10);
    let id = session.request().id;
    for (lines, least, most) in [
        // From the beginning of the move.
        ("st 20", 19, 20),
        ("st 2", 1, 2),
        // A clock that shows so little that the move has to come at once.
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
    assert_eq!(session.request().id, id, "one search");
}

#[test]
fn what_has_been_used_is_deducted_once() {
    let mut session = Session::new();
    session.send("level 0 30 0;time 60000;otim 60000;go");
    let before = session.limits();
    // The clock runs on: to be told what it shows changes nothing, paused or not.
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
fn limits_said_to_no_search_for_a_move_are_kept_for_the_next() {
    for occupation in ["force", "analyze", "force;pause", "analyze;pause"] {
        let mut session = Session::new();
        session.send(occupation);
        let orders = session.orders.len();
        session.send("st 3;sd 4;time 100;otim 100");
        assert_eq!(session.orders.len(), orders, "{occupation}");
    }
}

#[test]
fn nodes_that_count_as_time_are_limited_while_thinking() {
    let mut session = Session::new();
    session.send("st 2;nps 50000;go;st 1");
    assert_eq!(session.limits().nodes, Some(50_000));
    // A search that has begun to count by the wall keeps its limits.
    let mut session = Session::new();
    session.send("st 2;go");
    let before = session.limits();
    session.send("nps 50000;st 1");
    assert_eq!(session.limits(), before);
}

#[test]
fn a_hard_limit_set_while_thinking_lies_within_the_clock() {
    let mut session = Session::new();
    session.send("level 0 1 0;go");
    let begun = session.now;
    for clock in (0..6000).step_by(7) {
        session.wait(Duration::from_millis(9));
        session.send(&format!("time {clock}"));
        let used = session.now - begun;
        let left = Duration::from_millis(clock * 10);
        assert!(
            session.hard() <= used + left,
            "{clock}: {:?}",
            session.hard()
        );
    }
}
