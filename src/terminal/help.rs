//! The replies to `help`.

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

Commands of the xboard protocol work, too, such as st 10 (ten seconds per
move), sd 8 (eight half-moves deep), hard (think on your time) and force.";

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
