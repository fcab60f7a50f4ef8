//! `gaur data`: what can be done with files of games.

mod convert;
mod sample_file;
mod samples;
mod tally;

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use crate::data::{GameRecord, GameResult, GameWriter, Header};
use crate::rules::Variant;

use super::ToolError;
use super::games::for_each_game;
use convert::Form;
use sample_file::SampleWriter;
use tally::Tally;

/// What to do with files of games.
#[derive(Clone, Debug, clap::Subcommand)]
pub enum DataCommand {
    /// Count games, positions, results and endings
    Count {
        /// Files of games
        #[arg(value_name = "FILE", required = true)]
        files: Vec<PathBuf>,
    },
    /// Replay every game: all moves legal, none after the end, result and ending those of the last position
    Verify {
        /// Files of games
        #[arg(value_name = "FILE", required = true)]
        files: Vec<PathBuf>,
    },
    /// Put the games of all files in random order
    Shuffle {
        /// Files of games
        #[arg(value_name = "FILE", required = true)]
        files: Vec<PathBuf>,
        /// The same seed gives the same order
        #[arg(long, value_name = "S", default_value_t = 1)]
        seed: u64,
        /// A new file for them
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
    /// Keep the games that meet all conditions
    Filter {
        /// Files of games
        #[arg(value_name = "FILE", required = true)]
        files: Vec<PathBuf>,
        /// Conditions
        #[command(flatten)]
        conditions: Conditions,
        /// A new file for them
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
    /// Write the quiet positions of all games in a form to train networks from
    Samples {
        /// Files of games
        #[arg(value_name = "FILE", required = true)]
        files: Vec<PathBuf>,
        /// A new file for them
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
    /// Write games or positions as text to standard output
    Convert {
        /// Files of games
        #[arg(value_name = "FILE", required = true)]
        files: Vec<PathBuf>,
        /// What to write
        #[arg(long, value_enum)]
        to: Form,
    },
}

/// Which games are kept.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Conditions {
    /// Only this kind of chess
    #[arg(long, value_enum, value_name = "KIND")]
    pub variant: Option<Kind>,
    /// Only games with this result
    #[arg(long, value_enum, value_name = "RESULT")]
    pub result: Option<Winner>,
    /// Only games of at least so many half-moves
    #[arg(long, value_name = "N")]
    pub at_least: Option<usize>,
    /// Only games of at most so many half-moves
    #[arg(long, value_name = "N")]
    pub at_most: Option<usize>,
}

/// A kind of chess.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// Chess
    Standard,
    /// Fischer Random
    Chess960,
}

/// Who won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Winner {
    /// White
    White,
    /// Black
    Black,
    /// Nobody
    Draw,
}

impl Conditions {
    fn are_met_by(&self, game: &GameRecord) -> bool {
        let variant = match game.variant {
            Variant::Standard => Kind::Standard,
            Variant::Fischerandom => Kind::Chess960,
        };
        let winner = match game.result {
            GameResult::WhiteWins => Winner::White,
            GameResult::BlackWins => Winner::Black,
            GameResult::Draw => Winner::Draw,
        };
        let length = game.moves.len();
        self.variant.is_none_or(|wanted| wanted == variant)
            && self.result.is_none_or(|wanted| wanted == winner)
            && self.at_least.is_none_or(|least| length >= least)
            && self.at_most.is_none_or(|most| length <= most)
    }
}

/// Does what is asked and writes the answer.
///
/// # Errors
/// If a file cannot be read, holds something wrong, or the answer cannot be written.
pub fn run_data(command: &DataCommand, out: &mut impl Write) -> Result<(), ToolError> {
    match command {
        DataCommand::Count { files } => count(files, out),
        DataCommand::Verify { files } => verify(files, out),
        DataCommand::Shuffle {
            files,
            seed,
            out: path,
        } => shuffle(files, *seed, path, out),
        DataCommand::Filter {
            files,
            conditions,
            out: path,
        } => filter(files, conditions, path, out),
        DataCommand::Samples { files, out: path } => write_samples(files, path, out),
        DataCommand::Convert { files, to } => {
            let mut out = BufWriter::new(out);
            let mut number = 0;
            for file in files {
                let mut written = Ok(());
                for_each_game(file, |game| {
                    number += 1;
                    if written.is_ok() {
                        written = convert::write(&game, number, *to, &mut out)?;
                    }
                    Ok(())
                })?;
                written?;
            }
            Ok(out.flush()?)
        }
    }
}

fn count(files: &[PathBuf], out: &mut impl Write) -> Result<(), ToolError> {
    let mut tally = Tally::default();
    for file in files {
        for_each_game(file, |game| {
            tally.add(&game);
            Ok(())
        })?;
    }
    Ok(write!(out, "{tally}")?)
}

fn verify(files: &[PathBuf], out: &mut impl Write) -> Result<(), ToolError> {
    for file in files {
        let reading = for_each_game(file, |game| {
            game.verify().map_err(|error| error.to_string())
        })?;
        let (file, games) = (file.display(), reading.games);
        if reading.is_cut {
            writeln!(
                out,
                "{file}: {games} games, all sound, and one that is cut at the end"
            )?;
        } else {
            writeln!(out, "{file}: {games} games, all sound")?;
        }
    }
    Ok(())
}

fn shuffle(
    files: &[PathBuf],
    seed: u64,
    path: &Path,
    out: &mut impl Write,
) -> Result<(), ToolError> {
    let mut games = Vec::new();
    for file in files {
        for_each_game(file, |game| {
            games.push(game);
            Ok(())
        })?;
    }
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    for last in (1..games.len()).rev() {
        let other = (u128::from(random.next_u64()) * (last as u128 + 1)) >> 64;
        games.swap(last, other as usize);
    }
    let failed = |error| ToolError::Data(path.to_owned(), error);
    let mut writer = GameWriter::create(path, Header::default()).map_err(failed)?;
    for game in &games {
        writer.write(game).map_err(failed)?;
    }
    Ok(writeln!(out, "{} games", games.len())?)
}

fn filter(
    files: &[PathBuf],
    conditions: &Conditions,
    path: &Path,
    out: &mut impl Write,
) -> Result<(), ToolError> {
    let failed = |error| ToolError::Data(path.to_owned(), error);
    let mut writer = GameWriter::create(path, Header::default()).map_err(failed)?;
    let (mut kept, mut seen) = (0, 0);
    for file in files {
        let mut written = Ok(());
        let reading = for_each_game(file, |game| {
            if written.is_ok() && conditions.are_met_by(&game) {
                written = writer.write(&game);
                kept += 1;
            }
            Ok(())
        })?;
        written.map_err(failed)?;
        seen += reading.games;
    }
    Ok(writeln!(out, "{kept} of {seen} games kept")?)
}

fn write_samples(files: &[PathBuf], path: &Path, out: &mut impl Write) -> Result<(), ToolError> {
    let mut writer = SampleWriter::create(path)?;
    if let Err(error) = add_samples(files, &mut writer) {
        writer.remove();
        return Err(error);
    }
    Ok(writeln!(out, "{} positions", writer.finish()?)?)
}

fn add_samples(files: &[PathBuf], writer: &mut SampleWriter) -> Result<(), ToolError> {
    for file in files {
        let mut written = Ok(());
        for_each_game(file, |game| {
            let records = samples::records(&game)?;
            if written.is_ok() {
                written = writer.write(&records);
            }
            Ok(())
        })?;
        written?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Ending, GameReader, ScoredMove};
    use crate::notation::parse_move;
    use crate::rules::Position;
    use crate::types::Score;

    fn game(moves: &[&str], result: GameResult, ending: Ending) -> GameRecord {
        let mut position = Position::standard();
        let start = position.board().to_setup();
        let moves = moves.iter().enumerate().map(|(ply, text)| {
            let mv = parse_move(&position, text).unwrap();
            let _ = position.play(mv);
            let score = Score(10 * (ply as i32 + 1));
            ScoredMove { mv, score }
        });
        GameRecord {
            variant: Variant::Standard,
            start,
            moves: moves.collect(),
            result,
            ending,
        }
    }

    /// A folder with a file `games` of fool's mate, a short draw and a short win, by file name.
    fn folder() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let mut writer = GameWriter::create(&path, Header::default()).unwrap();
        let mate = ["f2f3", "e7e5", "g2g4", "d8h4"];
        for game in [
            game(&mate, GameResult::BlackWins, Ending::Mate),
            game(&["e2e4"], GameResult::Draw, Ending::AdjudicatedDraw),
            game(
                &["e2e4", "e7e5"],
                GameResult::WhiteWins,
                Ending::AdjudicatedWin,
            ),
        ] {
            writer.write(&game).unwrap();
        }
        (folder, path)
    }

    fn answer(command: &DataCommand) -> Result<String, ToolError> {
        let mut out = Vec::new();
        run_data(command, &mut out)?;
        Ok(String::from_utf8(out).unwrap())
    }

    fn games(path: &Path) -> Vec<GameRecord> {
        GameReader::open(path)
            .unwrap()
            .map(Result::unwrap)
            .collect()
    }

    #[test]
    fn games_are_counted_and_verified() {
        let (folder, path) = folder();
        let files = vec![path.clone()];
        let counted = answer(&DataCommand::Count {
            files: files.clone(),
        });
        let counted = counted.unwrap();
        assert!(
            counted.starts_with("3 games, 7 positions, 2.3 a game\n"),
            "{counted}"
        );
        assert!(
            counted.contains("White wins 1, draws 1, Black wins 1"),
            "{counted}"
        );
        let sound = answer(&DataCommand::Verify {
            files: files.clone(),
        });
        assert!(sound.unwrap().ends_with("3 games, all sound\n"));

        let wrong = folder.path().join("wrong");
        let mut writer = GameWriter::create(&wrong, Header::default()).unwrap();
        writer
            .write(&game(&["e2e4"], GameResult::Draw, Ending::Mate))
            .unwrap();
        let error = answer(&DataCommand::Verify { files: vec![wrong] }).unwrap_err();
        assert!(
            error.to_string().ends_with("not that of the last position"),
            "{error}"
        );
    }

    #[test]
    fn games_are_shuffled_and_filtered_into_new_files() {
        let (folder, path) = folder();
        let out = folder.path().join("shuffled");
        let shuffle = DataCommand::Shuffle {
            files: vec![path.clone(), path.clone()],
            seed: 1,
            out: out.clone(),
        };
        assert_eq!(answer(&shuffle).unwrap(), "6 games\n");
        let (before, after) = (games(&path), games(&out));
        assert!(
            before
                .iter()
                .all(|game| after.iter().filter(|other| *other == game).count() == 2)
        );
        assert!(answer(&shuffle).is_err(), "the file was there already");

        let out = folder.path().join("filtered");
        let filter = DataCommand::Filter {
            files: vec![path],
            conditions: Conditions {
                at_least: Some(2),
                result: Some(Winner::White),
                variant: Some(Kind::Standard),
                ..Conditions::default()
            },
            out: out.clone(),
        };
        assert_eq!(answer(&filter).unwrap(), "1 of 3 games kept\n");
        assert!(games(&out) == before[2..]);
    }

    #[test]
    fn samples_of_several_files_are_written_into_one() {
        let (folder, path) = folder();
        let out = folder.path().join("samples");
        let samples = DataCommand::Samples {
            files: vec![path.clone(), path],
            out: out.clone(),
        };
        // Twice seven positions; no move of them is a capture, and mate is no score here.
        assert_eq!(answer(&samples).unwrap(), "14 positions\n");
        let length = std::fs::metadata(&out).unwrap().len();
        assert_eq!(length, 64 + 14 * 72);
        let error = answer(&samples).unwrap_err().to_string();
        assert!(error.contains("it is there already"), "{error}");

        let out = folder.path().join("others");
        let missing = DataCommand::Samples {
            files: vec![folder.path().join("missing")],
            out: out.clone(),
        };
        assert!(answer(&missing).is_err() && !out.exists());
    }

    #[test]
    fn games_become_text() {
        let (_folder, path) = folder();
        let text = |to| {
            answer(&DataCommand::Convert {
                files: vec![path.clone()],
                to,
            })
            .unwrap()
        };
        let lines = text(Form::Text);
        assert_eq!(
            lines.lines().nth(3),
            Some("rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2 | -40 | 0.0")
        );
        assert_eq!(
            text(Form::Epd).lines().nth(3),
            Some(
                "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - bm Qh4#; ce 40; c9 \"0-1\";"
            )
        );
        let pgn = text(Form::Pgn);
        assert!(pgn.contains("[Result \"0-1\"]\n"), "{pgn}");
        assert!(
            pgn.contains("1. f3 {+0.10} e5 {+0.20} 2. g4 {+0.30} Qh4# {+0.40} 0-1\n"),
            "{pgn}"
        );
    }
}
