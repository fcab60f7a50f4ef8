//! What the GUI tells about the game and itself: versions, results, names, ratings, scores.

use nom::character::complete::multispace1;
use nom::sequence::separated_pair;

use crate::protocol::command::{Command, GameResult, ParseError};
use crate::types::{MAX_DEPTH, MAX_PLY, Ply, Score};

use super::arguments::whole;
use super::numbers::{integer, unsigned};

/// No GUI counts its pings beyond this many characters; longer ones are not worth an echo.
const LONGEST_PING: usize = 40;

/// `protover N`.
pub fn protover(args: &str) -> Result<u32, ParseError> {
    Ok(u32::try_from(whole(args, unsigned)?).unwrap_or(u32::MAX))
}

/// `ping N`: the first word, which is to come back as it is.
pub fn ping(args: &str) -> Result<String, ParseError> {
    match args.split_whitespace().next() {
        Some(number) if number.len() <= LONGEST_PING && !number.contains(char::is_control) => {
            Ok(number.to_owned())
        }
        _ => Err(ParseError::BadArgument),
    }
}

/// `result R {COMMENT}`. The comment may be missing or hold anything, braces included, so only the
/// beginning is looked at.
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

/// `rating OWN OPPONENT`: whatever is no number is no rating; servers also write `----` and `1500P`.
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

/// `ics HOST`; `-` is a local game.
pub fn host(args: &str) -> Option<String> {
    (!args.is_empty() && args != "-").then(|| args.to_owned())
}

/// What the protocol adds to the number of moves until a mate.
const MATE: i64 = 100_000;

/// `setscore SCORE DEPTH`: a depth beyond the deepest is the deepest. A score is written as in a line of thinking.
pub fn set_score(args: &str) -> Result<Command, ParseError> {
    let (score, depth) = whole(args, separated_pair(integer, multispace1, unsigned))?;
    Ok(Command::SetScore {
        score: given_score(score),
        depth: depth.min(MAX_DEPTH as u64) as i32,
    })
}

/// Centipawns, or a mate in so many moves: the winner's last move is a half-move less.
fn given_score(number: i64) -> Score {
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
