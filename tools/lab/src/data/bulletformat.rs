//! Positions in bulletformat, the format of the trainer bullet: the training positions of games as records of 32 bytes.
//!
//! The crate of the format defines the bytes. Those of Gaur's samples are the same except for the TD(lambda) return,
//! which bulletformat does not have.

use std::io::{self, Write};
use std::path::Path;

use bulletformat::{BulletFormat, ChessBoard};

use super::samples::of_game;
use crate::LabError;
use crate::game_file::GameRecord;
use crate::sample_file::{Sample, SampleReader};

/// Writes the training positions of a game and returns the result of writing.
///
/// # Errors
/// If the game is illegal.
pub(super) fn write(game: &GameRecord, out: &mut impl Write) -> Result<io::Result<()>, String> {
    let boards: Vec<ChessBoard> = of_game(game)?.iter().map(converted).collect();
    Ok(out.write_all(ChessBoard::as_bytes_slice(&boards)))
}

/// Writes all samples of a sample file. Calls `stop` before each chunk and ends with its error.
///
/// # Errors
/// If the file is damaged, or the samples cannot be written.
pub(super) fn write_samples(
    path: &Path,
    out: &mut impl Write,
    stop: impl Fn() -> io::Result<()>,
) -> Result<(), LabError> {
    let failed = |error| LabError::Samples(path.to_owned(), error);
    for chunk in SampleReader::open(path).map_err(failed)? {
        stop()?;
        let boards: Vec<ChessBoard> = chunk.map_err(failed)?.iter().map(converted).collect();
        out.write_all(ChessBoard::as_bytes_slice(&boards))?;
    }
    Ok(())
}

fn converted(sample: &Sample) -> ChessBoard {
    let bytes = sample.to_bytes();
    let mut pieces = [0; 16];
    pieces.copy_from_slice(&bytes[8..24]);
    ChessBoard {
        occ: sample.occupied,
        pcs: pieces,
        score: sample.score,
        result: sample.result,
        ksq: bytes[27],
        opp_ksq: bytes[28],
        extra: [0; 3],
    }
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha8Rng;
    use rand_core::SeedableRng;

    use super::super::convert::{self, Form};
    use super::super::random_games::random_game;
    use super::*;
    use crate::game_file::{GameWriter, Header};
    use crate::sample_file::{SampleKind, SampleWriter, Share};
    use gaur::rules::Variant;

    const STARTS: [(&str, Variant); 2] = [
        (
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            Variant::Standard,
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFha - 0 1",
            Variant::Fischerandom,
        ),
    ];

    /// Positions in a file, read by the crate.
    fn read(path: &Path) -> Vec<ChessBoard> {
        let loader = bulletformat::DataLoader::<ChessBoard>::new(path, 1).unwrap();
        let mut boards = Vec::new();
        loader.map_positions(|board| boards.push(*board));
        boards
    }

    /// Reads back the files with the crate, and compares them with its own conversion from text.
    #[test]
    fn the_crate_reads_the_positions_of_games_and_of_samples() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| folder.path().join(name);
        let mut random = ChaCha8Rng::seed_from_u64(7);
        let mut games = GameWriter::create(&file("games"), &Header::new(None)).unwrap();
        let mut samples =
            SampleWriter::create(&file("samples"), SampleKind::Ordered, Share::ALL, 0).unwrap();
        let mut expected = Vec::new();
        let mut results = [0; 3];
        for (number, (fen, variant)) in (0..).zip(STARTS.into_iter().cycle().take(20)) {
            let game = random_game(fen, variant, &mut random);
            results[game.result as usize] += 1;
            games.write(number, &game).unwrap();
            let mut text = Vec::new();
            convert::write(&game, 1, Form::Text, &mut text)
                .unwrap()
                .unwrap();
            let text = String::from_utf8(text).unwrap();
            let mut lines = text.lines();
            game.replay(|position, scored| {
                let line = lines.next().unwrap();
                if !position.board().in_check() && !scored.mv.is_noisy() {
                    expected.push(line.parse::<ChessBoard>().unwrap());
                }
            })
            .unwrap();
            let records: Vec<_> = of_game(&game)
                .unwrap()
                .iter()
                .map(Sample::to_bytes)
                .collect();
            samples.write(&records).unwrap();
        }
        games.finish().unwrap();
        samples.finish(&file("samples")).unwrap();
        assert!(expected.len() > 500, "{}", expected.len());
        assert!(results.iter().all(|&games| games > 1), "{results:?}");
        for (name, out) in [("games", "one"), ("samples", "two")] {
            let (from, to) = ([file(name)], file(out));
            let run = || convert::run(&from, Form::Bulletformat, Some(&to), &mut Vec::new());
            run().unwrap();
            assert!(read(&to) == expected, "{name}");
            let error = run().unwrap_err().to_string();
            assert!(error.contains("the file exists already"), "{error}");
        }
    }

    #[test]
    fn samples_of_several_kinds_are_not_mixed() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| folder.path().join(name);
        let games = GameWriter::create(&file("games"), &Header::new(None)).unwrap();
        games.finish().unwrap();
        for (name, kind) in [
            ("training", SampleKind::Training),
            ("more", SampleKind::Training),
            ("validation", SampleKind::Validation),
            ("ordered", SampleKind::Ordered),
        ] {
            let writer = SampleWriter::create(&file(name), kind, Share::ALL, 0).unwrap();
            writer.finish(&file(name)).unwrap();
        }
        let out = file("out");
        let run = |first, second| {
            let files = [file(first), file(second)];
            convert::run(&files, Form::Bulletformat, Some(&out), &mut Vec::new())
        };
        for (first, second, names) in [
            ("training", "validation", "(training) and "),
            ("training", "validation", "validation (validation) would"),
            (
                "validation",
                "ordered",
                "ordered (in the order of the games) would",
            ),
            ("training", "games", "games (games) would be mixed"),
            (
                "games",
                "validation",
                "validation (validation) would be mixed",
            ),
            ("training", "missing", "missing: "),
        ] {
            let error = run(first, second).unwrap_err().to_string();
            assert!(error.contains(names), "{error}");
            assert!(!out.exists(), "{error}");
        }
        run("training", "more").unwrap();
        assert!(out.exists());
    }
}
