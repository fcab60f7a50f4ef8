//! Games and positions in formats that other programs read.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::ValueEnum;

use crate::LabError;
use crate::game_file::{GameRecord, ScoredMove};
use crate::game_input::{check_headers, try_read_games};
use crate::interrupt::Interrupt;
use crate::new_file::NewFile;
use crate::sample_file::SampleReader;
use gaur::notation::{write_fen, write_san};
use gaur::rules::{Position, Variant};
use gaur::types::Color;

use super::{bulletformat, viriformat};

/// A format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// A line for each position: FEN | score | result; the score in centipawns, the result 1.0, 0.5 or 0.0, both for
    /// White
    Text,
    /// A line for each position with the move played (bm), its score for the side to move (ce) and the result (c9)
    Epd,
    /// Each game with scores in pawns for the side that moves
    Pgn,
    /// Binary games that trainers of networks read
    Viriformat,
    /// Binary positions that trainers of networks read: those that `data samples` selects, in the order of the games
    Bulletformat,
}

/// Writes all games of the files to a new file or, without a path, to `out`.
///
/// # Errors
/// If a file cannot be read or written, a game is illegal, samples of several kinds would be mixed, the format needs a
/// path or a redirection, or a signal has been received. No new file remains then.
pub(super) fn run(
    files: &[PathBuf],
    form: Form,
    path: Option<&Path>,
    out: &mut impl Write,
) -> Result<(), LabError> {
    if form == Form::Bulletformat {
        check_kinds(files)?;
    }
    let Some(path) = path else {
        let is_binary = matches!(form, Form::Viriformat | Form::Bulletformat);
        if is_binary && io::stdout().is_terminal() {
            let reason = "the format is binary: redirect the output or add --out FILE";
            return Err(LabError::Arguments(reason.to_owned()));
        }
        let mut out = BufWriter::new(out);
        write_all(files, form, &mut out, || Ok(()))?;
        return Ok(out.flush()?);
    };
    let unwritable = |error| LabError::unwritable(path, error);
    if path.exists() {
        return Err(unwritable(io::ErrorKind::AlreadyExists.into()));
    }
    let interrupt = Interrupt::watch().map_err(LabError::Signals)?;
    let mut out = BufWriter::new(NewFile::create(path).map_err(unwritable)?);
    let written = write_all(files, form, &mut out, || match interrupt.is_set() {
        true => Err(io::ErrorKind::Interrupted.into()),
        false => Ok(()),
    });
    written.map_err(|error| match error {
        LabError::Output(error) if error.kind() == io::ErrorKind::Interrupted => {
            LabError::Cancelled(path.to_owned())
        }
        LabError::Output(error) => unwritable(error),
        error => error,
    })?;
    let file = out.into_inner();
    let file = file.map_err(|error| unwritable(error.into_error()))?;
    file.sync().map_err(unwritable)?;
    file.rename(path).map_err(unwritable)
}

/// Checks that all files are of one kind: bulletformat does not state whether samples are for training or validation.
fn check_kinds(files: &[PathBuf]) -> Result<(), LabError> {
    let mut first: Option<(&Path, &str)> = None;
    for path in files {
        let kind = if SampleReader::is_samples(path) {
            let reader = SampleReader::open(path);
            let reader = reader.map_err(|error| LabError::Samples(path.clone(), error))?;
            reader.header().kind.name()
        } else {
            check_headers(std::slice::from_ref(path))?;
            "games"
        };
        let (other, its_kind) = *first.get_or_insert((path.as_path(), kind));
        if kind != its_kind {
            let [path, other] = [path.as_path(), other].map(Path::display);
            let reason = format!(
                "{other} ({its_kind}) and {path} ({kind}) would be mixed; convert them to separate files"
            );
            return Err(LabError::Arguments(reason));
        }
    }
    Ok(())
}

/// Writes all games of the files. Calls `stop` before each game and ends with its error.
fn write_all(
    files: &[PathBuf],
    form: Form,
    out: &mut impl Write,
    stop: impl Fn() -> io::Result<()>,
) -> Result<(), LabError> {
    let mut count = 0;
    for path in files {
        if form == Form::Bulletformat && SampleReader::is_samples(path) {
            bulletformat::write_samples(path, out, &stop)?;
            continue;
        }
        let reading = try_read_games(path, |number, game| {
            count += 1;
            stop()?;
            let written = write(&game, count, form, out);
            let written = written.map_err(|reason| LabError::BadGame {
                path: path.clone(),
                number,
                reason,
            })?;
            Ok(written?)
        })?;
        reading.report(path);
    }
    Ok(())
}

/// Writes a game and returns the result of writing.
///
/// # Errors
/// If the game is illegal.
pub(super) fn write(
    game: &GameRecord,
    number: u64,
    form: Form,
    out: &mut impl Write,
) -> Result<io::Result<()>, String> {
    let text = match form {
        Form::Text => lines(game, plain)?,
        Form::Epd => lines(game, epd)?,
        Form::Pgn => pgn_game(game, number)?,
        Form::Viriformat => return viriformat::write(game, out),
        Form::Bulletformat => return bulletformat::write(game, out),
    };
    Ok(out.write_all(text.as_bytes()))
}

/// Returns one line for each position.
fn lines(
    game: &GameRecord,
    line: impl Fn(&GameRecord, &Position, ScoredMove) -> String,
) -> Result<String, String> {
    let mut text = String::new();
    let replayed = game.replay(|position, scored| text.push_str(&line(game, position, scored)));
    replayed.map_err(|error| error.to_string())?;
    Ok(text)
}

fn pgn_game(game: &GameRecord, number: u64) -> Result<String, String> {
    let mut text = tags(game, number)?;
    let mut is_first = true;
    let replayed = game.replay(|position, scored| {
        text.push_str(&pgn(position, scored, is_first));
        is_first = false;
    });
    replayed.map_err(|error| error.to_string())?;
    text.push_str(game.result.text());
    text.push_str("\n\n");
    Ok(text)
}

fn plain(game: &GameRecord, position: &Position, scored: ScoredMove) -> String {
    let score = match position.side_to_move() {
        Color::White => scored.score.0,
        Color::Black => -scored.score.0,
    };
    let fen = write_fen(position.board(), position.variant());
    format!("{fen} | {score} | {:.1}\n", game.result.points())
}

fn epd(game: &GameRecord, position: &Position, scored: ScoredMove) -> String {
    let fen = write_fen(position.board(), position.variant());
    let fields: Vec<&str> = fen.split(' ').take(4).collect();
    format!(
        "{} bm {}; ce {}; c9 \"{}\";\n",
        fields.join(" "),
        write_san(position, scored.mv),
        scored.score.0,
        game.result.text()
    )
}

/// A move with its number where it needs one, and its score.
fn pgn(position: &Position, scored: ScoredMove, is_first: bool) -> String {
    let number = position.board().fullmove_number();
    let number = match position.side_to_move() {
        Color::White => format!("{number}. "),
        Color::Black if is_first => format!("{number}... "),
        Color::Black => String::new(),
    };
    let san = write_san(position, scored.mv);
    let score = f64::from(scored.score.0) / 100.0;
    // Lines of any length are legal PGN.
    match scored.score.mate_distance() {
        Some(plies) => format!(
            "{number}{san} {{{}M{}}} ",
            sign(plies),
            (plies.abs() + 1) / 2
        ),
        None => format!("{number}{san} {{{score:+.2}}} "),
    }
}

fn sign(number: i32) -> char {
    if number < 0 { '-' } else { '+' }
}

fn tags(game: &GameRecord, number: u64) -> Result<String, String> {
    let start = game.start_position().map_err(|error| error.to_string())?;
    let fen = write_fen(start.board(), game.variant);
    let mut tags = vec![
        ("Event", "self-play".to_owned()),
        ("Site", "?".to_owned()),
        ("Date", "????.??.??".to_owned()),
        ("Round", number.to_string()),
        ("White", "Gaur".to_owned()),
        ("Black", "Gaur".to_owned()),
        ("Result", game.result.text().to_owned()),
    ];
    if game.variant == Variant::Fischerandom {
        tags.push(("Variant", game.variant.name().to_owned()));
    }
    tags.push(("SetUp", "1".to_owned()));
    tags.push(("FEN", fen));
    tags.push(("Termination", game.ending.name().to_owned()));
    let lines = tags
        .iter()
        .map(|(name, value)| format!("[{name} \"{value}\"]\n"));
    Ok(lines.chain(["\n".to_owned()]).collect())
}
