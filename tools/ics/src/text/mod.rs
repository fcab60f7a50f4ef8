//! Lines of a chess server as typed values.
//!
//! [`parse`] accepts any text. It recognises the wording of FICS, and of the free servers that descend from the same
//! source (lasker, chessd). A line that begins like a chat message is a [`Chat`] whatever follows, so that a text of
//! another user is never taken for a board, a request or the end of a game. [`Unwrap`] joins the lines that the
//! server has wrapped.

mod board;
mod challenge;
mod chat;
mod finger;
mod game;
mod line;
mod login;
mod moves;
mod refusal;
mod request;
mod unwrap;
mod words;

#[cfg(test)]
mod answer_tests;
#[cfg(test)]
mod hostile_tests;
#[cfg(test)]
mod match_tests;
#[cfg(test)]
mod tests;

pub use line::{
    Board, Challenge, ChallengeNotice, Chat, ChatKind, Creating, Finger, GameEnd, GameNotice,
    GameResult, GameStart, GameTerms, ListedMove, LoginLine, LoginPrompt, MoveList, Player, Rating,
    Refusal, Relation, Request, RequestNotice, Seek, ServerLine,
};
pub use unwrap::Unwrap;

/// Parses a line of the server, without line end and without prompt.
pub fn parse(line: &str) -> ServerLine {
    let line = line.trim_end_matches(['\r', '\n', ' ', '\t']);
    if line.trim_start().is_empty() {
        return ServerLine::Blank;
    }
    chat::parse(line)
        .or_else(|| {
            Board::parse_detecting_unit(line).map(|board| ServerLine::Board(Box::new(board)))
        })
        .or_else(|| game::parse(line))
        .or_else(|| challenge::parse(line))
        .or_else(|| request::parse(line))
        .or_else(|| finger::parse(line))
        .or_else(|| moves::parse(line))
        .or_else(|| login::parse(line))
        .or_else(|| refusal::parse(line))
        .unwrap_or_else(|| ServerLine::Unknown(line.to_string()))
}

/// Names of users on a line that consists of nothing else; empty for any other line.
///
/// The server lists adjourned opponents so, behind [`ChallengeNotice::AdjournedPartners`].
pub fn names(line: &str) -> Vec<&str> {
    challenge::names(line)
}
