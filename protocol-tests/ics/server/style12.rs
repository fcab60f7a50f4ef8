//! Board lines in "style 12" and move lists, from which graphical clients read the game.

use std::fmt::Write;
use std::time::Instant;

use shakmaty::{ByColor, CastlingSide, Color, File, Position, Rank, Square};

use super::family::Family;
use super::game::Game;

/// Returns the board line for a player. With `precise`, times are in milliseconds (`iset ms 1`).
pub fn board(game: &Game, viewer: Color, precise: bool, now: Instant, family: Family) -> String {
    let position = game.position();
    let board = position.board();
    let mut line = String::from("<12>");
    for rank in Rank::ALL.into_iter().rev() {
        line.push(' ');
        for file in File::ALL {
            let piece = board.piece_at(Square::from_coords(file, rank));
            line.push(piece.map_or('-', |piece| piece.char()));
        }
    }
    let castles = position.castles();
    let right = |color, side| u8::from(castles.has(color, side));
    let last = game.plies.last();
    let double_push = last
        .and_then(|ply| ply.double_push)
        .map_or(-1, |file| i32::from(u8::from(file)));
    let relation = if position.turn() == viewer { 1 } else { -1 };
    let time = |color| {
        let left = game.clocks.left(color, now);
        if precise { left } else { left.div_euclid(1000) }
    };
    let fields = [
        position.turn().fold_wb("W", "B").to_string(),
        double_push.to_string(),
        right(Color::White, CastlingSide::KingSide).to_string(),
        right(Color::White, CastlingSide::QueenSide).to_string(),
        right(Color::Black, CastlingSide::KingSide).to_string(),
        right(Color::Black, CastlingSide::QueenSide).to_string(),
        position.halfmoves().to_string(),
        game.number.to_string(),
        game.names.white.clone(),
        game.names.black.clone(),
        relation.to_string(),
        game.terms.base.to_string(),
        game.terms.increment.to_string(),
        strength(game, Color::White).to_string(),
        strength(game, Color::Black).to_string(),
        time(Color::White).to_string(),
        time(Color::Black).to_string(),
        position.fullmoves().to_string(),
        last.map_or_else(|| "none".into(), |ply| ply.verbose.clone()),
        elapsed(last.map_or(0, |ply| ply.spent.charged), precise),
        last.map_or_else(|| "none".into(), |ply| ply.san.clone()),
        viewer.fold_wb("0", "1").to_string(),
        u8::from(game.clocks.is_running()).to_string(),
        last.map_or(0, |ply| ply.spent.lag).to_string(),
    ];
    for field in &fields[..fields.len() - family.missing_fields()] {
        line.push(' ');
        line.push_str(field);
    }
    line
}

/// Returns the answer to `moves`, for games from the start position.
pub fn moves(game: &Game, ratings: &ByColor<Option<u32>>, precise: bool) -> String {
    let rating = |color: Color| ratings[color].map_or("UNR".into(), |rating| rating.to_string());
    let mut text = format!(
        "Movelist for game {}:\n\n{} ({}) vs. {} ({}) --- Thu Jan  1, 00:00 UTC 1970\n{} {} match, \
         initial time: {} minutes, increment: {} seconds.\n\nMove  {:<23} {}\n\
         ----  ---------------------   ---------------------\n",
        game.number,
        game.names.white,
        rating(Color::White),
        game.names.black,
        rating(Color::Black),
        if game.terms.rated { "Rated" } else { "Unrated" },
        game.terms.kind(),
        game.terms.base,
        game.terms.increment,
        game.names.white,
        game.names.black,
    );
    for (index, pair) in game.plies.chunks(2).enumerate() {
        write!(text, "{:3}.", index + 1).expect("a string can be written to");
        for ply in pair {
            write!(
                text,
                "  {:<7} {:<12}",
                ply.san,
                elapsed(ply.spent.charged, precise)
            )
            .expect("a string can be written to");
        }
        text.push('\n');
    }
    text.push_str("      {Still in progress} *\n");
    text
}

fn elapsed(milliseconds: i64, precise: bool) -> String {
    let seconds = milliseconds / 1000;
    let clock = format!("{}:{:02}", seconds / 60, seconds % 60);
    if precise {
        format!("({clock}.{:03})", milliseconds % 1000)
    } else {
        format!("({clock})")
    }
}

fn strength(game: &Game, color: Color) -> u32 {
    let count = game.position().board().material_side(color);
    let worth = [
        (count.pawn, 1),
        (count.knight, 3),
        (count.bishop, 3),
        (count.rook, 5),
        (count.queen, 9),
    ];
    worth
        .map(|(pieces, points)| u32::from(pieces) * points)
        .iter()
        .sum()
}
