//! Results of random positions, compared with those of python-chess.

use std::io::Write;
use std::process::{Command, Stdio};

use gaur::notation::write_fen;
use gaur::tablebase::Wdl;
use libtest_mimic::{Completion, Failed};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::folder::{folder, random_position};

/// Number of positions.
const POSITIONS: usize = 20_000;

/// Compares the results of all positions.
pub fn compare() -> Result<Completion, Failed> {
    let folder = folder();
    let tables = folder.tables()?;
    if !has_python_chess() {
        let reason = "Python module chess is missing (pip install chess)";
        return Ok(Completion::ignored_with(reason));
    }
    let mut random = ChaCha8Rng::seed_from_u64(28);
    let positions: Vec<_> = (0..POSITIONS)
        .map(|_| random_position(&mut random, folder.men))
        .collect();
    let mut lines = String::new();
    for position in &positions {
        lines.push_str(&write_fen(position.board(), position.variant()));
        lines.push('\n');
    }
    let script = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/protocol-tests/tablebases/results.py"
    );
    let mut python = Command::new("python3")
        .arg(script)
        .arg(&folder.path)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut input = python.stdin.take().ok_or("no standard input")?;
    // Python answers while it reads, so another thread must write.
    let text = lines.clone();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = python.wait_with_output()?;
    writer.join().map_err(|_| "the writer has panicked")??;
    let answers = String::from_utf8(output.stdout)?;
    let mut compared = 0;
    let mut seen = [0; 5];
    for ((position, fen), answer) in positions.iter().zip(lines.lines()).zip(answers.lines()) {
        let expected = match answer {
            "-2" => Wdl::Loss,
            "-1" => Wdl::BlessedLoss,
            "0" => Wdl::Draw,
            "1" => Wdl::CursedWin,
            "2" => Wdl::Win,
            _ => return Err(format!("{fen}: python-chess answers {answer}").into()),
        };
        let found = tables.wdl(position.board());
        if found != Some(expected) {
            return Err(format!("{fen}: {found:?}, by python-chess {expected:?}").into());
        }
        seen[expected as usize] += 1;
        compared += 1;
    }
    if compared != POSITIONS {
        return Err(format!("python-chess has answered for {compared} positions").into());
    }
    println!("{POSITIONS} positions agree; lost, blessed, drawn, cursed, won: {seen:?}");
    Ok(Completion::Completed)
}

fn has_python_chess() -> bool {
    let import = Command::new("python3")
        .args(["-c", "import chess.syzygy"])
        .stderr(Stdio::null())
        .status();
    import.is_ok_and(|status| status.success())
}
