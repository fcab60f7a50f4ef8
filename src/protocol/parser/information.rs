//! Arguments with information about GUI and game: versions, results, names, ratings, scores.

use nom::character::complete::multispace1;
use nom::sequence::separated_pair;

use crate::protocol::command::{Command, GameResult, ParseError};
use crate::types::{MAX_DEPTH, MAX_PLY, Ply, Score};

use super::arguments::whole;
use super::numbers::{integer, unsigned};

/// Longest argument of a ping in bytes. No GUI sends longer numbers.
const MAX_PING_BYTES: usize = 40;

/// Parses `protover N`.
pub fn protover(args: &str) -> Result<u32, ParseError> {
    Ok(u32::try_from(whole(args, unsigned)?).unwrap_or(u32::MAX))
}

/// Parses `ping N` and returns the first word, which the pong repeats.
pub fn ping(args: &str) -> Result<String, ParseError> {
    match args.split_whitespace().next() {
        Some(number) if number.len() <= MAX_PING_BYTES && !number.contains(char::is_control) => {
            Ok(number.to_owned())
        }
        _ => Err(ParseError::BadArgument),
    }
}

/// Parses `result R {COMMENT}`. The comment may be missing or contain any text, even braces, so only the beginning is
/// read.
pub fn game_result(args: &str) -> GameResult {
    if args.starts_with("1-0") {
        GameResult::WhiteWins
    } else if args.starts_with("0-1") {
        GameResult::BlackWins
    } else if args.starts_with("1/2") {
        GameResult::Draw
    } else {
        GameResult::Unfinished
    }
}

/// Parses `rating OWN OPPONENT`. Servers also write `1500P`, and `----` for unrated; other text is unrated, too.
pub fn ratings(args: &str) -> Command {
    let mut words = args.split_whitespace().map(rating);
    let own = words.next().unwrap_or(0);
    let opponent = words.next().unwrap_or(0);
    Command::Ratings { own, opponent }
}

fn rating(word: &str) -> i32 {
    integer(word).map_or(0, |(_, number)| {
        i32::try_from(number.max(0)).unwrap_or(i32::MAX)
    })
}

/// Parses `ics HOST`; `-` means a local game.
pub fn host(args: &str) -> Option<String> {
    (!args.is_empty() && args != "-").then(|| args.to_owned())
}

/// Number that the protocol adds to the number of moves until mate.
const MATE: i64 = 100_000;

/// Parses `setscore SCORE DEPTH`. The depth is at most [`MAX_DEPTH`]; the score is written as in thinking output.
pub fn set_score(args: &str) -> Result<Command, ParseError> {
    let (score, depth) = whole(args, separated_pair(integer, multispace1, unsigned))?;
    Ok(Command::SetScore {
        score: parsed_score(score),
        depth: depth.min(MAX_DEPTH as u64) as i32,
    })
}

/// Converts a score in centipawns, or [`MATE`] plus the number of moves until mate. The winner makes one half-move less
/// than the moves count.
fn parsed_score(number: i64) -> Score {
    let plies = |moves: i64| moves.saturating_mul(2).clamp(2, MAX_PLY as i64 / 2) as u16;
    if number >= MATE {
        Score::mate_in(Ply(plies(number - MATE) - 1))
    } else if number <= -MATE {
        Score::mated_in(Ply(plies(-MATE - number)))
    } else {
        let limit = i64::from(Score::EVAL_MAX.0);
        Score(number.clamp(-limit, limit) as i32)
    }
}
