//! Bounds for the results of `gaur latency`. The goals in `docs/performance.md` apply to an idle machine; the bounds
//! here are so wide that only a bug, such as an unintended wait, exceeds them.

use std::process::Command;

#[test]
fn latencies_are_within_bounds() {
    let output = Command::new(env!("CARGO_BIN_EXE_gaur"))
        .args(["latency", "--rounds", "20", "--busy", "1"])
        .output()
        .expect("the program can be started");
    assert!(output.status.success());
    let table = String::from_utf8_lossy(&output.stdout);
    println!("{table}");
    let column = |beginning: &str, column| -> f64 {
        let row = table.lines().find(|line| line.contains(beginning));
        let column = row.and_then(|row| row.split('|').nth(column));
        let column = column.expect("a row of the table").trim();
        column.parse().expect("milliseconds")
    };
    for (beginning, bound) in [
        ("`ping` to `pong`, idle", 50.0),
        ("`usermove` to `move`, 0.01 s left", 250.0),
        ("`?` to `move`, all cores searching", 250.0),
        ("`quit` to exit, idle", 500.0),
        ("`quit` to exit, all cores searching", 500.0),
        ("start and `protover 2` to `done=1`", 500.0),
    ] {
        // The medians alone and beside a busy thread.
        assert!(column(beginning, 4) < bound, "{beginning}");
        assert!(column(beginning, 9) < 4.0 * bound, "{beginning}");
    }
}

#[test]
fn the_options_of_the_user_do_not_reach_the_measured_engine() {
    let folder = tempfile::tempdir().expect("a folder");
    let logs = folder.path().join("logs");
    let output = Command::new(env!("CARGO_BIN_EXE_gaur"))
        .args(["latency", "--rounds", "1"])
        .env("GAUR_LOG", &logs)
        // An engine would report that it does not exist.
        .env("GAUR_SETTINGS", folder.path().join("missing.txt"))
        .output()
        .expect("the program can be started");
    assert!(output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert!(!logs.exists());
}
