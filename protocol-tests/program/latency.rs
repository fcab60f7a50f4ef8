//! Bounds for the results of `gaur latency`. The goals in `docs/performance.md` apply to an idle machine; the bounds
//! here are so wide that only a bug, such as an unintended wait, exceeds them.

use std::process::Command;

#[test]
fn latencies_are_within_bounds() {
    let output = Command::new(env!("CARGO_BIN_EXE_gaur"))
        .args(["latency", "--rounds", "40"])
        .output()
        .expect("the program can be started");
    assert!(output.status.success());
    let table = String::from_utf8_lossy(&output.stdout);
    println!("{table}");
    let median = |beginning: &str| -> f64 {
        let row = table.lines().find(|line| line.contains(beginning));
        let column = row.and_then(|row| row.split('|').nth(4));
        let column = column.expect("a row of the table").trim();
        column.parse().expect("milliseconds")
    };
    assert!(median("`ping` to `pong`, idle") < 50.0);
    assert!(median("`?` to `move`, all cores searching") < 250.0);
    assert!(median("`quit` to exit, idle") < 500.0);
    assert!(median("`quit` to exit, all cores searching") < 500.0);
    assert!(median("start and `protover 2` to `done=1`") < 500.0);
}
