//! Replies to `help` and `d`, the commands for a person at the other end of a pipe.

use std::time::{Duration, Instant};

use crate::clock::Clocks;
use crate::game::Game;
use crate::notation::write_fen;
use crate::rules::Position;
use crate::types::{Color, File, Rank, Square};

/// Reply to `help`.
pub(super) const HELP: &str = "\
Type a move (e2e4, Nf3, O-O, e7e8q) and Gaur, who begins as Black, answers.

  new            start again           go           play the side to move
  d, show        draw the board        force        watch: make moves for both sides
  undo           take back one move    remove       take back a move of each side
  hint           suggest a move        ?            move now
  setboard FEN   set up a position     draw         offer a draw
  post, nopost   show thinking or not  hard, easy   think on your time or not
  analyze        think until \"exit\"    quit         leave

  level 40 5 0   forty moves in five minutes
  level 0 2 12   two minutes for the game and twelve seconds for each move
  st 5           five seconds a move
  sd 8           at most eight half-moves deep

All other commands are those of the xboard protocol.";

/// Returns the reply to `d`: the board, the engine's activity and the clocks.
pub(super) fn state_text(game: &Game, activity: &str, clocks: &Clocks, now: Instant) -> String {
    let board = match game.position() {
        Some(position) => drawing(position),
        None => "There is no legal position on the board; type new or setboard.".to_owned(),
    };
    let own = minutes(clocks.engine.remaining(now));
    let opponent = minutes(clocks.opponent.remaining(now));
    format!("{board}\n{activity}. Clocks: Gaur {own}, opponent {opponent}")
}

/// Returns the board as White sees it, the side to move and the FEN.
fn drawing(position: &Position) -> String {
    let mut text = String::from("\n");
    for rank in Rank::all().rev() {
        text.push_str(&format!("  {}  ", rank.digit()));
        for file in File::all() {
            let letter = match position.board().piece_on(Square::new(file, rank)) {
                Some(piece) if piece.color == Color::White => piece.kind.letter(),
                Some(piece) => piece.kind.letter().to_ascii_lowercase(),
                None => '.',
            };
            text.push(' ');
            text.push(letter);
        }
        text.push('\n');
    }
    text.push_str("\n     ");
    for file in File::all() {
        text.push(' ');
        text.push(file.letter());
    }
    let check = if position.board().in_check() {
        ", in check"
    } else {
        ""
    };
    text.push_str(&format!("\n\n{} to move{check}\n", position.side_to_move()));
    text.push_str(&write_fen(position.board(), position.variant()));
    text
}

/// Returns a time as minutes and seconds, such as `4:05.3`.
fn minutes(time: Duration) -> String {
    let tenths = time.as_millis() / 100;
    format!("{}:{:02}.{}", tenths / 600, tenths / 10 % 60, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_board_is_drawn_as_white_sees_it() {
        let text = drawing(&Position::standard());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[1], "  8   r n b q k b n r");
        assert_eq!(lines[8], "  1   R N B Q K B N R");
        assert!(text.contains("White to move\nrnbqkbnr/"));
    }

    #[test]
    fn times_are_written_as_minutes_and_seconds() {
        assert_eq!(minutes(Duration::from_millis(245_390)), "4:05.3");
        assert_eq!(minutes(Duration::ZERO), "0:00.0");
    }
}
