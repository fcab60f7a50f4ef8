//! Games and positions in formats that other programs read.

use std::io::{self, Write};

use clap::ValueEnum;

use crate::game_file::{GameRecord, ScoredMove};
use gaur::notation::{write_fen, write_san};
use gaur::rules::{Position, Variant};
use gaur::types::Color;

use super::viriformat;

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
