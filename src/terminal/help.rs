//! The reply to `help`.

/// Commands for a person, in the order in which one needs them.
pub(super) const HELP: &str = "\
Type a move in any usual notation: e4, Nf3, exd5, O-O, e8=Q or e2e4.

  new, new black    start a game with White, with Black; new 960: Fischer Random
  go                let Gaur play the side to move
  ?                 let Gaur move now
  undo              take back your last move
  hint              suggest a move
  moves             list the legal moves
  board, pieces     draw the board, list the pieces
  level 5+3         five minutes for the game and three seconds per move
  level 40/5        forty moves in five minutes
  level off         two to three seconds per move of Gaur
  save FILE.pgn     save the game
  draw, resign      offer a draw, give up
  analyze, exit     let Gaur analyse the position, end it
  setboard FEN      set up a position
  words on          describe moves in words
  nopost, post      hide what Gaur thinks, show it
  quit              leave; Ctrl-C does the same

Commands of the xboard protocol work, too, such as st 10 (ten seconds per
move), sd 8 (eight half-moves deep), hard (think on your time) and force.";
