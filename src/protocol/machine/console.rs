//! What a person at a terminal can ask for: help, and a picture of the board.

use std::fmt::Write;
use std::time::{Duration, Instant};

use super::{Machine, Mode};
use crate::notation::write_fen;
use crate::protocol::reply::Reply;
use crate::rules::Position;
use crate::types::{Color, File, Rank, Square};

/// The answer to `help`.
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

impl Machine {
    /// `d`: draws the board.
    pub(super) fn show(&mut self, now: Instant) {
        let mut text = match self.game.position() {
            Some(position) => drawing(position),
            None => "There is no legal position on the board; type new or setboard.".to_owned(),
        };
        let engine = match self.mode {
            Mode::Waiting { engine }
            | Mode::Pondering { engine, .. }
            | Mode::Thinking { engine, .. } => {
                format!("Gaur plays {engine}")
            }
            Mode::Analysing { .. } => "Gaur analyses".to_owned(),
            Mode::Over { .. } => "The game is over".to_owned(),
            Mode::Paused { .. } => "The game is paused".to_owned(),
            Mode::Force | Mode::Editing { .. } => "Gaur watches".to_owned(),
        };
        let own = minutes(self.clocks.engine.remaining(now));
        let other = minutes(self.clocks.opponent.remaining(now));
        // Writing to a string cannot fail.
        let _ = write!(text, "\n{engine}. Clocks: Gaur {own}, opponent {other}");
        self.say(Reply::Console(text));
    }
}

/// The board from White's side, who is to move, and the FEN.
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

/// Minutes and seconds, such as `4:05.3`.
fn minutes(time: Duration) -> String {
    let tenths = time.as_millis() / 100;
    format!("{}:{:02}.{}", tenths / 600, tenths / 10 % 60, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_board_is_drawn_from_whites_side() {
        let text = drawing(&Position::standard());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[1], "  8   r n b q k b n r");
        assert_eq!(lines[8], "  1   R N B Q K B N R");
        assert!(text.contains("White to move\nrnbqkbnr/"));
    }

    #[test]
    fn times_are_minutes_and_seconds() {
        assert_eq!(minutes(Duration::from_millis(245_390)), "4:05.3");
        assert_eq!(minutes(Duration::ZERO), "0:00.0");
    }
}
