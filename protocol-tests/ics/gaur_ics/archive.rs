//! The PGN file of `gaur-ics`, compared with the games of the server.

use std::collections::BTreeMap;
use std::fs::File;
use std::ops::ControlFlow;
use std::path::Path;

use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, EnPassantMode};

use crate::ics::server::{Finished, Variant};

/// A game of the file.
#[derive(Debug)]
pub struct Archived {
    tags: BTreeMap<String, String>,
    moves: Vec<SanPlus>,
}

/// Collects tags and moves.
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
        game.moves.push(san);
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

/// Checks that the file contains the games of the server, in order, with the same players, results and moves.
///
/// A game without moves and an adjourned game, which is complete after its end, may be missing. A game that was
/// interrupted may lack the moves that the account had not yet received.
pub fn check(file: &Path, finished: &[Finished]) -> Result<(), String> {
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
        own.check(game)
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
        for (ply, san) in self.moves.iter().enumerate() {
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
