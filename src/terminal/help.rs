//! The replies to `help`.

use crate::config::find_option;

use super::usage::usage;

/// Commands for a person, in the order in which one needs them.
pub(super) const HELP: &str = "\
Type a move in any usual notation: e4, Nf3, exd5, O-O, e8=Q or e2e4.

  new, new black    start a game with White, with Black; new 960: Fischer Random
  white, black      play White, Black from here on
  go                let Gaur play the side to move
  ?                 let Gaur move now
  undo              take back your last move
  hint              suggest a move
  moves, book       list the legal moves, those of the opening book
  board, pieces     draw the board, list the pieces
  level 5+3         five minutes for the game and three seconds per move
  level 40/5        forty moves in five minutes
  level off         two to three seconds per move of Gaur
  level, time       show the time control and the clocks
  save FILE.pgn     save the game
  draw, resign      offer a draw, give up
  analyze, exit     let Gaur analyse the position, end it
  setboard FEN      start a game at a position; edit sets one up piece by piece
  option NAME=VALUE change an option; option lists all
  words on          describe moves in words
  nopost, post      hide what Gaur thinks, show it
  quit              leave; Ctrl-C does the same

For an easier opponent, type option LimitStrength=1 and, for example,
option Elo=1200. Commands of the xboard protocol work, too, such as
st 10 (ten seconds per move), sd 8 (eight half-moves deep), hard (think on
your time) and force. help COMMAND explains one command or option.";

/// Number of columns of [`HELP`] before the explanation of a command.
const NAME_COLUMNS: usize = 20;

/// Returns the entry of a command or an option. Returns all of [`HELP`] without a name or for one without an
/// entry.
pub(super) fn help(name: &str) -> String {
    let name = name.to_lowercase();
    let names = |line: &str| {
        let column = line.get(..NAME_COLUMNS).unwrap_or_default().to_owned();
        let mut forms = column.strip_prefix("  ").unwrap_or_default().split(',');
        forms.any(|form| form.split_whitespace().next() == Some(&name))
    };
    let lines: Vec<&str> = HELP.lines().filter(|line| names(line)).collect();
    if !lines.is_empty() {
        lines.join("\n")
    } else if let Some(usage) = usage(&name) {
        usage.to_owned()
    } else if let Some(option) = find_option(&name) {
        format!("  option {}  {}", option.name, option.help)
    } else {
        HELP.to_owned()
    }
}

/// Explanation of edit mode.
pub(super) const EDIT_HELP: &str = "\
Edit mode: change the position on the board line by line.

  Ke1     put a piece of the current colour on a square (K, Q, R, B, N, P)
  xe1     empty a square
  c       change the colour of the pieces that follow; White comes first
  #       empty the board
  .       end edit mode: a game starts at this position
  cancel  end edit mode and keep the game as it was
  help    show these lines

The side to move stays the same. setboard FEN sets up everything at once.";
