//! Won endings: Gaur, with tablebases and a small number of nodes, against the longest defence.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, unbounded};
use gaur::config::SearchSettings;
use gaur::eval::Network;
use gaur::messages::{
    Contempt, Limits, Purpose, ScoreOverrides, SearchEvent, SearchId, SearchOrder, SearchRequest,
    TimeSource,
};
use gaur::notation::write_fen;
use gaur::rules::{Outcome, Position};
use gaur::search::{self, SearchHandle};
use gaur::tablebase::Wdl;
use gaur::types::Move;
use libtest_mimic::Failed;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess};
use shakmaty_syzygy::Tablebase;

use crate::folder::{folder, random_position};

/// Number of endings.
const ENDINGS: usize = 100;

/// Nodes for each move of Gaur.
const NODES: u64 = 1_000;

/// Longest time of a move, on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Plays all endings.
pub fn play() -> Result<(), Failed> {
    let folder = folder();
    let tables = folder.tables()?;
    let mut defence = Tablebase::new();
    defence.add_directory(&folder.path)?;
    let mut engine = Engine::start()?;
    engine.order(SearchOrder::UseTablebases(Some(Arc::clone(&tables))))?;
    let mut random = ChaCha8Rng::seed_from_u64(100);
    let (mut endings, mut moves, mut longest) = (0, 0, 0);
    while endings < ENDINGS {
        let start = random_position(&mut random, folder.men);
        if tables.wdl(start.board()) != Some(Wdl::Win) {
            continue;
        }
        let fen = write_fen(start.board(), start.variant());
        let half_moves = play_ending(&mut engine, &defence, start)
            .map_err(|problem| format!("{fen}: {problem}"))?;
        endings += 1;
        moves += half_moves;
        longest = longest.max(half_moves);
    }
    println!("{ENDINGS} endings won in {moves} half-moves, the longest in {longest}");
    Ok(())
}

/// Plays an ending that the side to move wins. Returns the number of half-moves to the mate.
fn play_ending(
    engine: &mut Engine,
    defence: &Tablebase<Chess>,
    start: Position,
) -> Result<usize, String> {
    let winner = start.side_to_move();
    let mut position = start;
    let mut half_moves = 0;
    loop {
        match position.outcome() {
            Some(Outcome::Mate { winner: found }) if found == winner => return Ok(half_moves),
            Some(outcome) => return Err(format!("{outcome:?} after {half_moves} half-moves")),
            None => {}
        }
        let mv = if position.side_to_move() == winner {
            engine.best(&position)?
        } else {
            longest_defence(defence, &position)?
        };
        let _ = position.play(mv);
        half_moves += 1;
    }
}

/// Returns the move that delays the next capture or pawn move, or the mate, for the longest time.
fn longest_defence(tables: &Tablebase<Chess>, position: &Position) -> Result<Move, String> {
    let mut best = None;
    let mut after = position.clone();
    for mv in position.legal_moves() {
        let played = after.play(mv);
        let fen = write_fen(after.board(), after.variant());
        after.take_back(played);
        let fen: Fen = fen.parse().map_err(|_| format!("{fen} is no FEN"))?;
        let chess: Chess = fen
            .into_position(CastlingMode::Standard)
            .map_err(|error| error.to_string())?;
        let distance = tables
            .probe_dtz(&chess)
            .map_err(|error| error.to_string())?;
        let distance = distance.ignore_rounding().0;
        // A position that is not won for the other side is the best of all.
        let value = if distance <= 0 { i32::MAX } else { distance };
        if best.is_none_or(|(other, _)| value > other) {
            best = Some((value, mv));
        }
    }
    best.map(|(_, mv)| mv).ok_or("no legal move".to_owned())
}

/// A search thread of Gaur.
struct Engine {
    search: SearchHandle,
    events: Receiver<SearchEvent>,
    last: SearchId,
}

impl Engine {
    fn start() -> Result<Engine, String> {
        let settings = SearchSettings {
            hash_megabytes: 4,
            ..SearchSettings::default()
        };
        let (sender, events) = unbounded();
        let on_event = Box::new(move |event| sender.send(event).unwrap_or_default());
        let search = search::start(settings, Network::embedded(), on_event);
        Ok(Engine {
            search: search.map_err(|error| error.to_string())?,
            events,
            last: SearchId::default(),
        })
    }

    fn order(&self, order: SearchOrder) -> Result<(), String> {
        let orders = &self.search.orders;
        orders.send(order).map_err(|error| error.to_string())
    }

    /// Returns the move of a search with a limited number of nodes.
    fn best(&mut self, position: &Position) -> Result<Move, String> {
        self.last = SearchId(self.last.0 + 1);
        self.order(SearchOrder::Start(Box::new(SearchRequest {
            id: self.last,
            position: position.clone(),
            purpose: Purpose::Play,
            limits: Limits {
                nodes: Some(NODES),
                ..Limits::default()
            },
            excluded: Vec::new(),
            score_overrides: ScoreOverrides::default(),
            contempt: Contempt::NONE,
            strength: None,
            time_source: TimeSource::Wall,
            started: Instant::now(),
        })))?;
        loop {
            match self
                .events
                .recv_timeout(TIMEOUT)
                .map_err(|error| error.to_string())?
            {
                SearchEvent::Best { best, .. } => return best.ok_or("no move".to_owned()),
                SearchEvent::TablebasesFailed { reason, .. } => return Err(reason),
                _ => {}
            }
        }
    }
}
