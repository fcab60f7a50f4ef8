//! A network file that replaces the built-in network.

use std::fs;
use std::path::{Path, PathBuf};

use crate::engine::{Engine, program};

/// Bytes of a network file before its parameters. `docs/network-format.md` describes the format.
const HEADER_BYTES: usize = 64;

/// Position of the checksum in the header.
const CHECKSUM: usize = 48;

/// Bytes of the output biases: one of 32 bits for each of the eight output buckets. They end the file.
const OUTPUT_BIASES_BYTES: usize = 8 * 4;

/// Change of each output bias: 100 centipawns for the side to move, where 255 * 128 is 200 centipawns.
const BIAS_CHANGE: i32 = 255 * 128 / 2;

/// A middlegame position in which neither side has won material.
const POSITION: &str = "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9";

/// Writes a network that differs from the built-in network in its output biases, and returns its path.
fn other_network(name: &str) -> PathBuf {
    let built_in = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/eval/network/gaur.net");
    let mut bytes = fs::read(built_in).expect("the built-in network");
    let biases = bytes.len() - OUTPUT_BIASES_BYTES;
    for bias in bytes[biases..].as_chunks_mut::<4>().0 {
        let changed = i32::from_le_bytes(*bias) + BIAS_CHANGE;
        *bias = changed.to_le_bytes();
    }
    let checksum = crc32fast::hash(&bytes[HEADER_BYTES..]);
    bytes[CHECKSUM..CHECKSUM + 4].copy_from_slice(&checksum.to_le_bytes());
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, bytes).expect("a folder for tests");
    path
}

/// Starts an engine that shows its thinking and does not ponder.
fn engine() -> Engine {
    let mut engine = Engine::start(program());
    engine.send("xboard\nprotover 2\n");
    engine.line_with("feature done=1");
    engine.send("new\neasy\npost\n");
    engine
}

/// Sets an option and waits until the search has applied it.
fn set(engine: &mut Engine, option: &str) {
    engine.send(format!("option {option}\n"));
    engine.send("ping 1\n");
    assert_eq!(engine.line(), "pong 1", "a message about {option}");
}

/// Searches [`POSITION`] to a fixed depth, with cleared tables. Returns depth, score and moves of each completed
/// iteration, and the move played. Times, node counts, and the number of lines of a missed window (`?`, `!`) depend on
/// the machine's speed.
fn search(engine: &mut Engine) -> Vec<String> {
    engine.send(format!("new\nforce\nsetboard {POSITION}\nsd 8\ngo\n"));
    let mut lines = Vec::new();
    loop {
        let line = engine.line();
        let fields: Vec<&str> = line.split_whitespace().collect();
        match fields[..] {
            ["move", _] => {
                lines.push(line);
                return lines;
            }
            [.., "?" | "!"] => {}
            [depth, score, _time, _nodes, ref moves @ ..] if depth.parse::<u32>().is_ok() => {
                lines.push(format!("{depth} {score} {}", moves.join(" ")));
            }
            [] => panic!("the engine ended without a move"),
            _ => panic!("unexpected line {line:?}"),
        }
    }
}

#[test]
fn each_search_uses_the_evaluation_selected_last() {
    let file = format!("EvalFile={}", other_network("selected.net").display());

    let mut engine = engine();
    let built_in = search(&mut engine);
    set(&mut engine, &file);
    let other = search(&mut engine);
    set(&mut engine, "Evaluation=classical");
    let classical = search(&mut engine);
    assert_ne!(built_in, other);
    assert_ne!(built_in, classical);
    assert_ne!(other, classical);
    set(&mut engine, "Evaluation=network");
    assert_eq!(search(&mut engine), other, "back to the file");
    set(&mut engine, "EvalFile=");
    assert_eq!(
        search(&mut engine),
        built_in,
        "back to the built-in network"
    );
    engine.exits_cleanly();
}

#[test]
fn a_network_selected_at_the_start_and_one_selected_later_give_the_same_search() {
    let file = format!("EvalFile={}", other_network("fresh.net").display());

    let mut fresh = engine();
    set(&mut fresh, &file);
    let expected = search(&mut fresh);
    fresh.exits_cleanly();

    let mut engine = engine();
    assert_ne!(search(&mut engine), expected);
    set(&mut engine, &file);
    assert_eq!(search(&mut engine), expected);
    engine.exits_cleanly();
}
