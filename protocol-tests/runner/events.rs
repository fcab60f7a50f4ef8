//! Conversion of directives into search events.

use std::time::Duration;

use gaur::messages::{Bound, SearchEvent, SearchInfo, SearchRequest, SearchStatus};
use gaur::notation::parse_move;
use gaur::rules::Position;
use gaur::types::{Move, Ply, Score};

use crate::directive::{Best, Info, Status, Value};

/// Returns the event for the end of a search.
pub fn best_event(request: &SearchRequest, best: &Best) -> Result<SearchEvent, String> {
    let mut position = request.position.clone();
    let mut names = best.best.iter().chain(&best.ponder);
    let mut next = || {
        names
            .next()
            .map(|name| play(&mut position, name))
            .transpose()
    };
    Ok(SearchEvent::Best {
        id: request.id,
        best: next()?,
        ponder: next()?,
        score: score(best.score),
        time: Duration::from_millis(best.time * 10),
        nodes: best.nodes,
        is_tablebase_draw: false,
    })
}

/// Returns the event for thinking output.
pub fn info_event(request: &SearchRequest, info: &Info) -> Result<SearchEvent, String> {
    let mut position = request.position.clone();
    let pv = info
        .pv
        .iter()
        .map(|name| play(&mut position, name))
        .collect::<Result<Vec<Move>, String>>()?;
    Ok(SearchEvent::Info(
        request.id,
        SearchInfo {
            depth: info.depth,
            selective_depth: info.selective_depth,
            score: score(info.score),
            bound: match info.bound {
                -1 => Bound::Upper,
                1 => Bound::Lower,
                _ => Bound::Exact,
            },
            time: Duration::from_millis(info.time * 10),
            nodes: info.nodes,
            tablebase_hits: 0,
            rank: info.rank,
            pv,
        },
    ))
}

/// Returns the event for the answer to `.`.
pub fn status_event(request: &SearchRequest, status: &Status) -> Result<SearchEvent, String> {
    let [time, nodes, depth, left, total] = status.numbers;
    let small = |number: u64| u32::try_from(number).map_err(|error| error.to_string());
    let mut position = request.position.clone();
    let current = status
        .current
        .as_ref()
        .map(|name| play(&mut position, name))
        .transpose()?;
    Ok(SearchEvent::Status(
        request.id,
        SearchStatus {
            time: Duration::from_millis(time * 10),
            nodes,
            depth: i32::try_from(depth).map_err(|error| error.to_string())?,
            moves_left: small(left)?,
            moves_total: small(total)?,
            current,
        },
    ))
}

/// Plays a move that a script names in the searched position.
fn play(position: &mut Position, name: &str) -> Result<Move, String> {
    let mv = parse_move(position, name)
        .map_err(|error| format!("the script's move {name} cannot be played: {error}"))?;
    let _ = position.play(mv);
    Ok(mv)
}

/// Converts a score. A mate in N moves is a mate in 2N-1 half-moves for the side to move, in 2N against it.
fn score(value: Value) -> Score {
    match value {
        Value::Centipawns(centipawns) => Score(centipawns),
        Value::Mate(moves) if moves > 0 => Score::mate_in(Ply(plies(2 * moves - 1))),
        Value::Mate(moves) => Score::mated_in(Ply(plies(-2 * moves))),
    }
}

fn plies<T: TryFrom<i32> + Default>(number: i32) -> T {
    T::try_from(number).unwrap_or_default()
}
