//! Moves taken back on a server, of which nobody tells: known only from the move that follows.

use shakmaty::Move;

use super::board::{Board, Reading};
use super::state::{Mode, State};

impl State {
    /// A move comes on a server while the engine thinks: one or three half-moves are gone. The same move once more
    /// says nothing new.
    pub fn move_out_of_turn(mut self, text: &str) -> Vec<State> {
        let mut states = Vec::new();
        for gone in [1, 3] {
            let Some(board) = without(&self.board, gone, 0) else {
                break;
            };
            let reading = board.read(text);
            if matches!(reading, Reading::Clear(mv) if gone == 1 && last_move(&self.board) == Some(mv))
            {
                return vec![self];
            }
            states.extend(self.after_takeback(text, &[(gone, 0)]));
            if matches!(reading, Reading::Clear(_)) {
                return states;
            }
        }
        self.refuse(text);
        states.push(self);
        states
    }

    /// What may be if so many half-moves are gone, and so many that came after them are still there, for each pair.
    pub fn after_takeback(&self, text: &str, gone_and_kept: &[(usize, usize)]) -> Vec<State> {
        let mut states = Vec::new();
        for &(gone, kept) in gone_and_kept {
            let Some(board) = without(&self.board, gone, kept) else {
                continue;
            };
            let moves = match board.read(text) {
                Reading::Clear(mv) => vec![mv],
                Reading::Doubtful(moves) => moves,
                Reading::None => Vec::new(),
            };
            states.extend(moves.into_iter().map(|mv| {
                let mut earlier = self.clone();
                earlier.settle();
                earlier.board = board.clone();
                earlier.after_move(mv)
            }));
        }
        states
    }

    /// Whether moves may be missed on a server now.
    pub fn may_miss_takeback(&self) -> bool {
        self.on_server && matches!(self.mode, Mode::Waiting { .. })
    }
}

/// The board without `gone` half-moves, but with the `kept` ones (at most one) that came after them.
fn without(board: &Board, gone: usize, kept: usize) -> Option<Board> {
    let mut earlier = board.clone();
    let last = last_move(board).filter(|_| kept > 0);
    if !earlier.take_back(gone + kept) {
        return None;
    }
    if kept > 0 {
        let mv = last.filter(|mv| earlier.legal_moves().contains(mv))?;
        earlier.play(mv);
    }
    Some(earlier)
}

/// The move that has led to the present position.
fn last_move(board: &Board) -> Option<Move> {
    let mut before = board.clone();
    if !before.take_back(1) {
        return None;
    }
    before.legal_moves().into_iter().find(|&mv| {
        let mut after = before.clone();
        after.play(mv);
        after.position() == board.position()
    })
}
