//! The PGN file of `gaur-ics`, compared with the games of the server.

use std::collections::BTreeMap;
use std::fs::File;
use std::ops::ControlFlow;
use std::path::Path;

use pgn_reader::{RawComment, RawTag, Reader, SanPlus, Visitor};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position};

use crate::ics::server::{Finished, Variant};

/// Greatest difference between a clock of the file and that of the server, in milliseconds. Some servers show whole
/// seconds.
const ROUNDING: i64 = 1000;

/// Half-moves at an interruption whose boards may be lost with the connection.
const CROSSING: usize = 2;

/// Requirements on the scores of the program's own moves in the file.
#[derive(Debug)]
pub struct OwnMoves<'a> {
    pub account: &'a str,
    /// Moves without a score, at most: of engines that have died after their move.
    pub lost_scores: usize,
    /// The program was started again, so that it does not know the scores of a game before its resumption.
    pub is_restarted: bool,
}

/// A game of the file.
#[derive(Debug)]
pub struct Archived {
    tags: BTreeMap<String, String>,
    moves: Vec<ArchivedMove>,
}

/// A half-move of the file.
#[derive(Debug)]
struct ArchivedMove {
    san: SanPlus,
    comment: String,
}

/// Collects tags, moves and their comments.
struct Collector;

type Tags = BTreeMap<String, String>;

impl Visitor for Collector {
    type Tags = Tags;
    type Movetext = Archived;
    type Output = Archived;

    fn begin_tags(&mut self) -> ControlFlow<Archived, Tags> {
        ControlFlow::Continue(Tags::new())
    }

    fn tag(&mut self, tags: &mut Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<Archived> {
        tags.insert(
            String::from_utf8_lossy(name).into_owned(),
            value.decode_utf8_lossy().into_owned(),
        );
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Tags) -> ControlFlow<Archived, Archived> {
        ControlFlow::Continue(Archived {
            tags,
            moves: Vec::new(),
        })
    }

    fn san(&mut self, game: &mut Archived, san: SanPlus) -> ControlFlow<Archived> {
        game.moves.push(ArchivedMove {
            san,
            comment: String::new(),
        });
        ControlFlow::Continue(())
    }

    fn comment(&mut self, game: &mut Archived, comment: RawComment<'_>) -> ControlFlow<Archived> {
        if let Some(last) = game.moves.last_mut() {
            last.comment
                .push_str(&String::from_utf8_lossy(comment.as_bytes()));
        }
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, game: Archived) -> Archived {
        game
    }
}

/// Reads all games of a file; a file that does not exist has none.
fn read(file: &Path) -> Result<Vec<Archived>, String> {
    if !file.exists() {
        return Ok(Vec::new());
    }
    let file = File::open(file).map_err(|error| format!("{file:?}: {error}"))?;
    Reader::new(file)
        .read_games(&mut Collector)
        .collect::<Result<_, _>>()
        .map_err(|error| format!("the PGN file cannot be read: {error}"))
}

/// Checks that the file contains the games of the server, in order, with the same players, results, moves and clocks,
/// and with scores of the own moves.
///
/// A game without moves and an adjourned game, which is complete after its end, may be missing. A game that was
/// interrupted may lack the moves that the account had not yet received, and clocks from before the interruption.
pub fn check(file: &Path, finished: &[Finished], own_moves: &OwnMoves<'_>) -> Result<(), String> {
    let mut archived = read(file)?.into_iter().peekable();
    for (index, game) in finished.iter().enumerate() {
        let is_same = |own: &Archived| own.is_of(game);
        let Some(own) = archived.next_if(is_same) else {
            if game.moves.is_empty() || game.ending.is_adjourned() {
                continue;
            }
            return Err(format!(
                "game {} of the server ({} against {}, {}, {} half-moves) is not in the PGN file, which has {:?} there",
                index + 1,
                game.names.white,
                game.names.black,
                game.summary(),
                game.length,
                archived.peek().map(|own| &own.tags),
            ));
        };
        let interruptions: Vec<usize> = finished[..index]
            .iter()
            .rev()
            .filter(|earlier| earlier.names == game.names)
            .take_while(|earlier| earlier.ending.is_adjourned())
            .map(|earlier| earlier.length)
            .collect();
        own.check(game)
            .and_then(|()| own.check_clocks(game, &interruptions))
            .and_then(|()| own.check_scores(game, &interruptions, own_moves))
            .map_err(|error| format!("game {} of the PGN file: {error}", index + 1))?;
    }
    match archived.next() {
        None => Ok(()),
        Some(more) => Err(format!("the PGN file has one more game: {:?}", more.tags)),
    }
}

impl Archived {
    fn tag(&self, name: &str) -> &str {
        self.tags.get(name).map_or("", String::as_str)
    }

    fn is_of(&self, game: &Finished) -> bool {
        self.tag("White") == game.names.white
            && self.tag("Black") == game.names.black
            && self.tag("Result") == game.ending.result()
    }

    /// Checks the moves by the rules and against those of the server.
    fn check(&self, game: &Finished) -> Result<(), String> {
        let castling = game.terms.variant.castling();
        let start = self.start(castling)?;
        let fen = |position: &Chess| Fen::from_position(position, EnPassantMode::Legal).to_string();
        if fen(&start) != fen(&game.start) {
            return Err(format!(
                "it begins with {} instead of {}",
                fen(&start),
                fen(&game.start)
            ));
        }
        let is_fischer_random = game.terms.variant == Variant::FischerRandom;
        let variant = self.tag("Variant").to_ascii_lowercase();
        if is_fischer_random != ["chess960", "fischerandom", "fischerrandom"].contains(&&*variant) {
            return Err(format!("its variant is {variant:?}"));
        }
        let mut position = start;
        for (ply, ArchivedMove { san, .. }) in self.moves.iter().enumerate() {
            let mv = san
                .san
                .to_move(&position)
                .map_err(|_| format!("{san} (half-move {}) is illegal", ply + 1))?;
            let own = SanPlus::from_move_and_play_unchecked(&mut position, mv).to_string();
            let theirs = game.moves.get(ply);
            if theirs != Some(&own) {
                return Err(format!(
                    "half-move {} is {own} instead of {theirs:?}",
                    ply + 1
                ));
            }
        }
        let missing = game.moves.len() - self.moves.len();
        if missing > 0 && game.ending.result() != "*" {
            return Err(format!("the last {missing} half-moves are missing"));
        }
        if missing > 2 {
            return Err(format!(
                "the last {missing} half-moves of an interrupted game are missing"
            ));
        }
        Ok(())
    }

    /// Checks that each move has the clock of the server, except those that the account has not received as boards:
    /// in normal chess all before a resumption, of which it has a list. The opponent's next move may be in that list.
    fn check_clocks(&self, game: &Finished, interruptions: &[usize]) -> Result<(), String> {
        let is_fischer_random = game.terms.variant == Variant::FischerRandom;
        let is_without_board = |ply: usize| {
            interruptions
                .iter()
                .any(|length| ply <= *length && (!is_fischer_random || ply + CROSSING >= *length))
        };
        for ((ply, mv), server) in self.moves.iter().enumerate().zip(&game.clocks) {
            let Some(text) = mv.value("clk") else {
                if is_without_board(ply) {
                    continue;
                }
                return Err(format!("half-move {} has no clock", ply + 1));
            };
            let clock = milliseconds(text).ok_or_else(|| format!("{text} is no clock"))?;
            if (clock - server.max(&0)).abs() > ROUNDING {
                return Err(format!(
                    "half-move {} has the clock {text} instead of {server} ms",
                    ply + 1
                ));
            }
        }
        Ok(())
    }

    /// Checks that the own moves have scores.
    fn check_scores(
        &self,
        game: &Finished,
        interruptions: &[usize],
        own_moves: &OwnMoves<'_>,
    ) -> Result<(), String> {
        let side = game.side_of(own_moves.account);
        let is_white = |ply: usize| ply.is_multiple_of(2) == game.start.turn().is_white();
        let is_own = |ply: usize| side.is_some_and(|side| side.is_white() == is_white(ply));
        let is_unknown = |ply: usize| {
            interruptions.iter().any(|length| {
                ply < *length && (own_moves.is_restarted || ply + CROSSING >= *length)
            })
        };
        let mut missing = Vec::new();
        for (ply, mv) in self.moves.iter().enumerate() {
            match mv.value("eval") {
                Some(text) if text.trim_start_matches('#').parse::<f64>().is_err() => {
                    return Err(format!("{text} is no score"));
                }
                Some(_) if !is_own(ply) => {
                    return Err(format!("half-move {} of the opponent has a score", ply + 1));
                }
                None if is_own(ply) && !is_unknown(ply) => missing.push(ply + 1),
                _ => {}
            }
        }
        if missing.len() > own_moves.lost_scores {
            return Err(format!("the half-moves {missing:?} have no score"));
        }
        Ok(())
    }

    fn start(&self, castling: CastlingMode) -> Result<Chess, String> {
        let text = self.tag("FEN");
        if text.is_empty() {
            return Ok(Chess::default());
        }
        let fen: Fen = text.parse().map_err(|error| format!("{text}: {error}"))?;
        fen.into_position(castling)
            .map_err(|error| format!("{text}: {error}"))
    }
}

impl ArchivedMove {
    /// Returns the value of `[%NAME VALUE]` in the comment.
    fn value(&self, name: &str) -> Option<&str> {
        let (_, rest) = self.comment.split_once(&format!("[%{name} "))?;
        Some(rest.split_once(']')?.0)
    }
}

/// Parses a clock: `0:04:59.8`.
fn milliseconds(clock: &str) -> Option<i64> {
    let mut parts = clock.split(':');
    let hours: i64 = parts.next()?.parse().ok()?;
    let minutes: i64 = parts.next()?.parse().ok()?;
    let (seconds, tenths) = parts.next()?.split_once('.')?;
    let seconds: i64 = seconds.parse().ok()?;
    let tenths: i64 = tenths.parse().ok()?;
    Some(((hours * 60 + minutes) * 60 + seconds) * 1000 + tenths * 100)
}
