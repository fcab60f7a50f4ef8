//! Search path: position keys of the game and of the searched line, and the draws that follow from them.

use crate::board::Board;
use crate::rules::{FIFTY_MOVES, is_material_insufficient};
use crate::types::Key;

/// Keys for which the path reserves memory, so that a search allocates none.
const RESERVED_KEYS: usize = 1024;

/// The keys of all positions before the current one: first those of the game, then those of the searched line.
#[derive(Debug)]
pub(super) struct SearchPath {
    keys: Vec<Key>,
    /// Number of keys that belong to the game.
    game_length: usize,
    /// Index of the first key after the last null move; earlier positions cannot be repeated.
    repetition_start: usize,
}

/// Value that [`SearchPath::pop_null_move`] restores.
#[derive(Clone, Copy, Debug)]
pub(super) struct RepetitionStart(usize);

impl SearchPath {
    /// Creates an empty path.
    pub fn new() -> SearchPath {
        SearchPath {
            keys: Vec::with_capacity(RESERVED_KEYS),
            game_length: 0,
            repetition_start: 0,
        }
    }

    /// Starts a search after a game with these keys, which do not include the current position.
    pub fn start(&mut self, game_keys: &[Key]) {
        self.keys.clear();
        self.keys.extend_from_slice(game_keys);
        self.game_length = game_keys.len();
        self.repetition_start = 0;
    }

    /// Adds the key of the current position before a move is made.
    #[inline]
    pub fn push(&mut self, key: Key) {
        self.keys.push(key);
    }

    /// Removes the last key after a move has been unmade.
    #[inline]
    pub fn pop(&mut self) {
        self.keys.pop();
    }

    /// Adds the key of the current position before a null move is made. No earlier position can be repeated after it.
    #[inline]
    pub fn push_null_move(&mut self, key: Key) -> RepetitionStart {
        self.keys.push(key);
        RepetitionStart(std::mem::replace(
            &mut self.repetition_start,
            self.keys.len(),
        ))
    }

    /// Removes the last key after a null move has been unmade. `start` is the value returned by
    /// [`SearchPath::push_null_move`].
    #[inline]
    pub fn pop_null_move(&mut self, start: RepetitionStart) {
        self.repetition_start = start.0;
        self.keys.pop();
    }

    /// Returns the number of last half-moves that could lead back to the same position: those since the last
    /// irreversible move or null move.
    fn repetition_window(&self, board: &Board) -> usize {
        let count = self.keys.len();
        usize::from(board.halfmove_clock()).min(count - self.repetition_start.min(count))
    }

    /// Returns `true` if the position of `board` has occurred before: once in the searched line, or twice in the game.
    ///
    /// One occurrence in the line is enough, because a side that could repeat once can repeat again.
    pub fn is_repetition(&self, board: &Board) -> bool {
        let key = board.key();
        let (count, window) = (self.keys.len(), self.repetition_window(board));
        let mut occurrences = 0;
        // The same side is to move every second half-move; a repetition takes at least four.
        let mut distance = 4;
        while distance <= window {
            let index = count - distance;
            if self.keys[index] == key {
                occurrences += 1;
                if index >= self.game_length || occurrences == 2 {
                    return true;
                }
            }
            distance += 2;
        }
        false
    }

    /// Returns `true` if the side to move can reach a repetition with its next move, so that its score is at least that
    /// of a draw. (Cuckoo tables: Marcel van Kervinck.)
    pub fn has_upcoming_repetition(&self, board: &Board) -> bool {
        let (count, window) = (self.keys.len(), self.repetition_window(board));
        if window < 3 {
            return false;
        }
        // Difference of the keys by the opponent's moves since the earlier position: it must be zero.
        let turn = board.turn_key();
        let mut opponent_changes = board.key() ^ self.keys[count - 1] ^ turn;
        for distance in (3..=window).step_by(2) {
            let index = count - distance;
            opponent_changes ^= self.keys[index + 1] ^ self.keys[index] ^ turn;
            if opponent_changes == Key(0) && board.can_move_to(self.keys[index]) {
                // A position of the game must have occurred twice.
                let earlier = &self.keys[count - window..index];
                if index >= self.game_length || earlier.contains(&self.keys[index]) {
                    return true;
                }
            }
        }
        false
    }
}

/// Returns `true` if the position of `board`, reached by `path`, is a draw: by insufficient material, by the fifty-move
/// rule, or, if `detect_repetitions` is set, by repetition. Stalemate is not detected.
#[inline]
pub(super) fn is_draw(
    board: &Board,
    path: &SearchPath,
    in_check: bool,
    detect_repetitions: bool,
) -> bool {
    if is_material_insufficient(board) {
        return true;
    }
    if board.halfmove_clock() >= FIFTY_MOVES {
        // Mate on the hundredth half-move takes precedence.
        return !in_check || board.count_legal() > 0;
    }
    detect_repetitions && path.is_repetition(board)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Position;
    use crate::types::Square;

    /// Moves of both knights out and back, by their squares.
    const KNIGHT_ROUND: [(&str, &str); 4] =
        [("g1", "f3"), ("g8", "f6"), ("f3", "g1"), ("f6", "g8")];

    /// Plays moves from the starting position.
    fn play(moves: &[(&str, &str)]) -> Position {
        let mut position = Position::standard();
        for &(from, to) in moves {
            let [from, to] = [from, to].map(|name| Square::from_name(name).expect("a square"));
            let mv = position
                .legal_moves()
                .into_iter()
                .find(|mv| mv.from() == from && mv.to() == to);
            let _ = position.play(mv.expect("a legal move"));
        }
        position
    }

    /// Returns the path to a position, of which the first `game_length` keys belong to the game.
    fn path_to(position: &Position, game_length: usize) -> SearchPath {
        let (game, line) = position.earlier_keys().split_at(game_length);
        let mut path = SearchPath::new();
        path.start(game);
        for &key in line {
            path.push(key);
        }
        path
    }

    #[test]
    fn a_repetition_counts_once_in_the_line_and_twice_in_the_game() {
        let once = play(&KNIGHT_ROUND);
        let is_repetition = |position: &Position, game_length| {
            path_to(position, game_length).is_repetition(position.board())
        };
        assert!(!is_repetition(&once, 4), "one occurrence in the game");
        assert!(is_repetition(&once, 0), "one occurrence in the line");
        let twice = play(&[KNIGHT_ROUND, KNIGHT_ROUND].concat());
        assert!(is_repetition(&twice, 8), "two occurrences in the game");
        assert!(is_repetition(&twice, 1), "the second lies in the line");
    }

    #[test]
    fn positions_before_a_null_move_are_not_repeated() {
        let position = play(&KNIGHT_ROUND);
        let mut path = path_to(&position, 0);
        path.pop();
        let floor = path.push_null_move(Key(1));
        assert!(!path.is_repetition(position.board()));
        assert!(!path.has_upcoming_repetition(position.board()));
        path.pop_null_move(floor);
        path.push(position.earlier_keys()[3]);
        assert!(path.is_repetition(position.board()));
    }

    #[test]
    fn an_upcoming_repetition_is_one_move_away() {
        let three = play(&KNIGHT_ROUND[..3]);
        let has_upcoming = |position: &Position, game_length| {
            path_to(position, game_length).has_upcoming_repetition(position.board())
        };
        assert!(!has_upcoming(&three, 3), "one occurrence in the game");
        assert!(has_upcoming(&three, 0), "one occurrence in the line");
        let seven = play(&[&KNIGHT_ROUND[..], &KNIGHT_ROUND[..3]].concat());
        assert!(has_upcoming(&seven, 7), "the third occurrence in the game");
        let other = play(&[("g1", "f3"), ("g8", "f6"), ("f3", "h4")]);
        assert!(!has_upcoming(&other, 0), "White's knight stands elsewhere");
    }

    #[test]
    fn the_window_ends_at_an_irreversible_move() {
        let position = play(&[&KNIGHT_ROUND[..], &[("e2", "e4"), ("e7", "e5")]].concat());
        let path = path_to(&position, 0);
        assert_eq!(path.repetition_window(position.board()), 0);
        assert_eq!(
            path_to(&play(&KNIGHT_ROUND), 0).repetition_window(play(&KNIGHT_ROUND).board()),
            4
        );
    }

    #[test]
    fn repetitions_are_draws_only_if_requested() {
        let position = play(&KNIGHT_ROUND);
        let path = path_to(&position, 0);
        assert!(is_draw(position.board(), &path, false, true));
        assert!(!is_draw(position.board(), &path, false, false));
    }
}
