//! Standard input, output and error that are closed, full or missing, and input that is not text.

use std::fs::File;
use std::process::Stdio;
use std::time::Duration;

#[cfg(target_os = "linux")]
use crate::engine::program_of_parent;
use crate::engine::{Engine, TIMEOUT, program, program_after};

/// Activities of the engine when its pipes change, with the lines that start them.
const ACTIVITIES: [(&str, &str); 4] = [
    ("idle", "force\n"),
    ("thinking", "st 600\npost\ngo\n"),
    ("pondering", "st 600\npost\nhard\nsd 4\ngo\n?\nsd 127\n"),
    ("analysing", "post\nanalyze\n"),
];

/// Number of pings whose pongs exceed the output that the engine buffers.
const FLOOD: usize = 500_000;

/// Starts an engine and one of the [`ACTIVITIES`].
fn engine_during(orders: &str) -> Engine {
    let mut engine = Engine::start(program());
    engine.send("xboard\nprotover 2\n");
    engine.line_with("feature done=1");
    engine.send("new\neasy\n");
    // The memory of the table is complete before the pong.
    engine.ping(0);
    engine.send(orders);
    std::thread::sleep(Duration::from_millis(100));
    engine
}

#[test]
fn it_exits_when_its_output_is_closed() {
    for (name, orders) in ACTIVITIES {
        println!("{name}");
        let mut engine = engine_during(orders);
        engine.output = None;
        // Its next output fails; the engine may end before the second line.
        let mut input = engine.input.take().expect("its input is open");
        for line in ["?\nforce\nnew\nping 1\n", "ping 2\n", "ping 3\n"] {
            std::io::Write::write_all(&mut input, line.as_bytes()).unwrap_or_default();
            std::thread::sleep(Duration::from_millis(50));
        }
        assert!(engine.exit_within(TIMEOUT).success());
        assert_eq!(engine.errors(), "");
    }
}

#[test]
fn it_exits_at_the_end_of_input_with_its_output_closed() {
    for (name, orders) in ACTIVITIES {
        for pause in ["", "pause\n"] {
            println!("{name} {pause}");
            let mut engine = engine_during(orders);
            engine.send(pause);
            engine.output = None;
            engine.input = None;
            assert!(engine.exit_within(TIMEOUT).success());
            assert_eq!(engine.errors(), "");
        }
    }
}

#[test]
fn it_prints_the_move_that_is_due_at_the_end_of_input() {
    for script in [
        "e2e4\n",
        "e2e4",
        "xboard\nst 3\ngo\n",
        "xboard\nlevel 40 90 0\nhard\nmemory 100\ncores 2\ngo\npause\nping 3\n",
        "option EvalFile=no/such/network\ngo\n",
        "option EvalFile=no/such/network\noption Evaluation=classical\ngo\npause\n",
    ] {
        let mut engine = Engine::start(program());
        engine.send(script);
        engine.input = None;
        engine.line_with("move ");
        assert!(engine.exit_within(TIMEOUT).success(), "{script}");
        assert_eq!(engine.errors(), "", "{script}");
    }
}

#[test]
fn it_exits_at_the_end_of_input_with_unread_output() {
    for (name, orders) in ACTIVITIES {
        println!("{name}");
        let mut engine = engine_during(orders);
        // More than a pipe holds.
        engine.send("ping 1\n".repeat(50_000));
        engine.send("?\nforce\nanalyze\n");
        engine.input = None;
        assert!(engine.exit_within(TIMEOUT).success());
    }
}

/// Text with so many pings that their pongs exceed the output that the engine buffers, while the pings that it does not
/// read meanwhile fit into a pipe.
fn pings_that_fill_the_output() -> String {
    let pongs = (1 << 20) + (1 << 16);
    "ping 1\n".repeat(pongs / "pong 1\n".len() + 4000)
}

#[test]
fn it_exits_at_the_end_of_input_with_a_full_output_that_nobody_reads() {
    for (name, orders) in ACTIVITIES {
        println!("{name}");
        let mut engine = engine_during(orders);
        engine.send("?\n");
        engine.send(pings_that_fill_the_output());
        // The GUI may still read.
        std::thread::sleep(Duration::from_secs(2));
        assert!(engine.child.try_wait().expect("a child").is_none());
        engine.input = None;
        assert!(engine.exit_within(TIMEOUT).success());
        assert_eq!(engine.errors(), "");
    }
}

#[test]
fn it_exits_if_nobody_reads_the_replies_to_a_file() {
    let mut file = tempfile::tempfile().expect("a file");
    let text = "ping 1\n".repeat(FLOOD);
    std::io::Write::write_all(&mut file, text.as_bytes()).expect("written");
    std::io::Seek::rewind(&mut file).expect("a file");
    let mut command = program();
    command.stdin(Stdio::from(file));
    let mut engine = Engine::start(command);
    assert!(engine.exit_within(TIMEOUT).success());
}

#[test]
fn the_replies_to_a_file_are_complete_if_they_are_read() {
    let mut file = tempfile::tempfile().expect("a file");
    let text = "ping 1\n".repeat(FLOOD) + "sd 2\ngo\n?\nquit\n";
    std::io::Write::write_all(&mut file, text.as_bytes()).expect("written");
    std::io::Seek::rewind(&mut file).expect("a file");
    let mut command = program();
    command.stdin(Stdio::from(file));
    let mut engine = Engine::start(command);
    for _ in 0..FLOOD {
        assert_eq!(engine.line(), "pong 1");
    }
    engine.line_with("move ");
    engine.exits_cleanly();
}

#[cfg(unix)]
#[test]
fn it_plays_over_a_socket_and_exits_when_the_other_end_is_closed() {
    use std::io::{BufRead, BufReader, Write};
    use std::os::fd::OwnedFd;
    use std::os::unix::net::UnixStream;

    for fills_output in [false, true] {
        let (mut gui, engine_end) = UnixStream::pair().expect("sockets");
        let mut command = program();
        command.stdin(OwnedFd::from(engine_end.try_clone().expect("a socket")));
        if !fills_output {
            command.stdout(OwnedFd::from(engine_end));
        }
        let mut engine = Engine::start(command);
        if fills_output {
            gui.write_all(pings_that_fill_the_output().as_bytes())
                .expect("it reads its input");
        } else {
            gui.write_all(b"sd 2\ngo\n?\nping 1\n")
                .expect("it reads its input");
            let mut lines = BufReader::new(gui.try_clone().expect("a socket")).lines();
            let mut next = || lines.next().expect("a line").expect("readable");
            while !next().starts_with("move ") {}
            assert_eq!(next(), "pong 1");
        }
        drop(gui);
        assert!(engine.exit_within(TIMEOUT).success());
    }
}

#[test]
fn it_handles_quit_and_a_signal_with_unread_output() {
    for (name, orders) in ACTIVITIES {
        println!("{name}");
        let mut engine = engine_during(orders);
        engine.send("ping 1\n".repeat(50_000));
        engine.send("quit\n");
        assert!(engine.exit_within(TIMEOUT).success());

        let mut engine = engine_during(orders);
        engine.send("ping 1\n".repeat(50_000));
        let kill = std::process::Command::new("kill")
            .args(["-TERM", &engine.child.id().to_string()])
            .status();
        assert!(kill.expect("kill can be run").success());
        engine.exit_within(TIMEOUT);
    }
}

/// PyChess stops an engine after a game. If it ends then, only the system continues the engine.
#[cfg(target_os = "linux")]
#[test]
fn it_exits_when_its_parent_has_stopped_it_and_ended() {
    let signal = |name: &str, process: &str| {
        let kill = std::process::Command::new("kill")
            .args([name, process])
            .status();
        assert!(kill.expect("kill can be run").success());
    };
    let mut engine = Engine::start(program_of_parent());
    let process = engine.line();
    engine.ping(1);
    signal("-STOP", &process);
    engine.child.kill().expect("the parent is running");
    engine.child.wait().expect("the parent ends");
    drop(engine.input.take());
    let has_ended = || {
        let status = std::fs::read_to_string(format!("/proc/{process}/stat"));
        status.map_or(true, |status| status.contains(") Z "))
    };
    let begun = std::time::Instant::now();
    while !has_ended() && begun.elapsed() < TIMEOUT {
        std::thread::sleep(Duration::from_millis(20));
    }
    let is_left = !has_ended();
    if is_left {
        signal("-KILL", &process);
    }
    assert!(!is_left);
}

#[test]
fn unread_output_is_kept_in_order() {
    let mut engine = engine_during("force\n");
    for number in 0..30_000 {
        engine.send(format!("ping {number}\n"));
    }
    for number in 0..30_000 {
        assert_eq!(engine.line(), format!("pong {number}"));
    }
    engine.exits_cleanly();
}

#[test]
fn a_flood_with_unread_output_pauses_input_and_is_answered_later() {
    let mut engine = engine_during("force\n");
    let before = engine.resident();
    let mut input = engine.input.take().expect("its input is open");
    let flood = std::thread::spawn(move || {
        let block = "ping 1\n".repeat(FLOOD);
        std::io::Write::write_all(&mut input, block.as_bytes()).expect("it reads its input");
        input
    });
    // Longer than any accidental delay.
    std::thread::sleep(Duration::from_secs(7));
    let grown = engine.resident().saturating_sub(before);
    assert!(grown < 40_000, "{grown} kB more");
    for _ in 0..FLOOD {
        assert_eq!(engine.line(), "pong 1");
    }
    engine.input = Some(flood.join().expect("the flood ends"));
    engine.exits_cleanly();
}

#[test]
fn it_handles_a_signal_while_input_is_paused() {
    let mut engine = engine_during("force\n");
    let mut input = engine.input.take().expect("its input is open");
    let flood = std::thread::spawn(move || {
        let block = "ping 1\n".repeat(FLOOD);
        std::io::Write::write_all(&mut input, block.as_bytes())
    });
    std::thread::sleep(Duration::from_secs(1));
    let kill = std::process::Command::new("kill")
        .args(["-TERM", &engine.child.id().to_string()])
        .status();
    assert!(kill.expect("kill can be run").success());
    engine.exit_within(TIMEOUT);
    let cut = flood.join().expect("the flood ends");
    assert!(cut.is_err(), "it had not finished");
}

#[test]
fn a_flood_of_long_lines_is_bounded() {
    let mut engine = engine_during("force\n");
    let before = engine.resident();
    let block = vec![b'x'; 1 << 20];
    for _ in 0..100 {
        engine.send(&block);
    }
    let grown = engine.resident().saturating_sub(before);
    assert!(grown < 40_000, "{grown} kB more for one line");
    engine.send("\n");
    assert!(engine.line().starts_with("Error ("));
    for _ in 0..50 {
        engine.send(&block);
        engine.send("\n");
    }
    for _ in 0..50 {
        assert!(engine.line().starts_with("Error ("));
    }
    let grown = engine.resident().saturating_sub(before);
    assert!(grown < 40_000, "{grown} kB more for fifty lines");
    engine.ping(1);
    engine.exits_cleanly();
}

#[test]
fn no_part_of_a_line_that_is_too_long_is_handled() {
    let mut engine = engine_during("force\n");
    engine.send(format!("usermove e2e4{}\n", " ".repeat(1 << 20)));
    assert!(
        engine
            .line()
            .starts_with("Error (line too long): usermove e2e4")
    );
    engine.send("usermove e7e5\n");
    assert!(engine.line().starts_with("Illegal move"));
    engine.exits_cleanly();
}

#[test]
fn invalid_bytes_are_harmless() {
    let mut engine = engine_during("force\n");
    // A fixed sequence with every pair of bytes, half of the time without line ends.
    let mut state: u32 = 12345;
    let mut bytes = Vec::new();
    for index in 0..1_000_000 {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let byte = (state >> 24) as u8;
        let is_end = byte == b'\n' && index > 500_000;
        bytes.push(if is_end { b' ' } else { byte });
    }
    // The test reads the errors while they arrive.
    let mut input = engine.input.take().expect("its input is open");
    let sender = std::thread::spawn(move || {
        std::io::Write::write_all(&mut input, &bytes).expect("it reads its input");
        std::io::Write::write_all(&mut input, b"\nping 77\n").expect("it reads its input");
        input
    });
    loop {
        let line = engine.line();
        if line == "pong 77" {
            break;
        }
        let known = ["Error (", "Illegal move", "pong "];
        assert!(known.iter().any(|word| line.starts_with(word)), "{line}");
    }
    engine.input = Some(sender.join().expect("all was sent"));
    engine.exits_cleanly();
}

#[test]
fn lines_may_end_in_several_ways() {
    let mut engine = engine_during("force\n");
    engine.send("ping 1\r\nping 2\r\r\n\r\n\rping 3\r\n");
    for number in 1..=3 {
        assert_eq!(engine.line(), format!("pong {number}"));
    }
    // A lone CR is a blank: text of other users may contain one, and the rest must not become a command.
    engine.send("name Eve\rping 4\nresult 1-0 {bye\rquit}\nping 5\r\n");
    assert_eq!(engine.line(), "pong 5");
    engine.send("ping 6");
    engine.input = None;
    assert_eq!(engine.line(), "pong 6");
    engine.exits_cleanly();
}

#[test]
fn it_exits_at_the_end_of_input_during_a_search() {
    for (name, orders) in ACTIVITIES {
        println!("{name}");
        let mut engine = engine_during(orders);
        engine.input = None;
        assert!(engine.exit_within(TIMEOUT).success());
        assert_eq!(engine.errors(), "");
    }
}

#[test]
fn it_plays_on_with_standard_error_closed_or_full() {
    for preparation in ["exec 2>&-", "exec 2>/dev/full"] {
        let mut engine = Engine::start(program_after(preparation));
        engine.send("xboard\nprotover 2\nnew\nsd 2\nusermove e2e4\n");
        engine.line_with("move ");
        engine.exits_cleanly();
    }
}

#[test]
fn it_exits_without_input() {
    let mut engine = Engine::start(program_after("exec <&-"));
    assert!(engine.exit_within(TIMEOUT).success());
    assert_eq!(engine.errors(), "");

    let mut command = program();
    command.stdin(Stdio::null());
    Engine::start(command).exits_cleanly();

    let mut command = program();
    command.stdin(Stdio::from(File::open("/").expect("a folder")));
    let mut engine = Engine::start(command);
    engine.exit_within(TIMEOUT);
    let errors = engine.errors();
    assert!(
        errors.starts_with("gaur: standard input cannot be read: "),
        "{errors}"
    );
}

#[test]
fn an_error_message_without_reader_is_harmless() {
    for preparation in ["exec </ 2>/dev/full", "exec </ 2>&-"] {
        let mut engine = Engine::start(program_after(preparation));
        assert!(engine.exit_within(TIMEOUT).success());
    }
    let mut command = program();
    command.stdin(Stdio::from(File::open("/").expect("a folder")));
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    command.stderr(writer);
    assert!(Engine::start(command).exit_within(TIMEOUT).success());
}

#[test]
fn it_exits_when_output_fails() {
    for preparation in ["exec >/dev/full", "exec >&-"] {
        let mut engine = Engine::start(program_after(preparation));
        engine.send("xboard\nprotover 2\n");
        std::thread::sleep(Duration::from_millis(50));
        let mut input = engine.input.take().expect("its input is open");
        std::io::Write::write_all(&mut input, b"ping 1\nquit\n").unwrap_or_default();
        assert!(engine.exit_within(TIMEOUT).success());
        assert_eq!(engine.errors(), "");
    }
}

#[test]
fn it_is_idle_when_it_waits_for_a_reader() {
    let mut engine = engine_during("force\n");
    engine.send("ping 1\n".repeat(50_000));
    std::thread::sleep(Duration::from_millis(500));
    let before = engine.processor_time();
    std::thread::sleep(Duration::from_secs(1));
    let used = engine.processor_time() - before;
    assert!(used < Duration::from_millis(200), "{used:?} in a second");
}
