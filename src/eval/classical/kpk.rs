//! King and pawn against king, known exactly: a table of all such positions, worked out on first use.

use std::sync::OnceLock;

use crate::types::{Color, Rank, Square};

use super::square_set::{KING_STEPS, SquareSet};

/// Whether `strong` wins with its pawn against the bare king.
pub(super) fn is_won(
    strong: Color,
    strong_king: Square,
    pawn: Square,
    weak_king: Square,
    mover: Color,
) -> bool {
    static TABLE: OnceLock<Table> = OnceLock::new();
    let mirrored = pawn.file().index() > 3;
    let normal = |square: Square| {
        let square = square.relative_to(strong);
        if mirrored { square.flip_file() } else { square }
    };
    let table = TABLE.get_or_init(Table::new);
    let wins = if mover == strong {
        &table.strong_to_move
    } else {
        &table.weak_to_move
    };
    wins[slot(normal(pawn))][normal(strong_king).index()].contains(normal(weak_king))
}

/// Weak king squares where the strong side wins, by pawn [`slot`] and strong king.
type Wins = Box<[[SquareSet; 64]; SLOTS]>;

/// Pawn squares on files a to d and ranks 2 to 7.
const SLOTS: usize = 24;

/// The number of a pawn square on files a to d, from rank 2 upwards.
const fn slot(pawn: Square) -> usize {
    4 * (pawn.rank().index() - 1) + pawn.file().index()
}

/// White has the pawn.
struct Table {
    strong_to_move: Wins,
    weak_to_move: Wins,
}

impl Table {
    fn new() -> Table {
        let empty = || Box::new([[SquareSet::EMPTY; 64]; SLOTS]);
        let mut table = Table {
            strong_to_move: empty(),
            weak_to_move: empty(),
        };
        // From the seventh rank down, as a push leads to a pawn that is settled already.
        let pawns = Square::all()
            .rev()
            .filter(|pawn| (1..7).contains(&pawn.rank().index()) && pawn.file().index() < 4);
        for pawn in pawns {
            // Wins are found from their ends backwards, until a round brings no new one.
            while table.extend(pawn) {}
        }
        table
    }

    /// One round for the positions with this pawn; whether there are new wins.
    fn extend(&mut self, pawn: Square) -> bool {
        let slot = slot(pawn);
        let mut grown = false;
        for king in Square::all().filter(|&king| king != pawn) {
            let mine = self.won_to_move(pawn, king);
            let theirs = self.won_to_wait(pawn, king);
            grown |= mine != self.strong_to_move[slot][king.index()]
                || theirs != self.weak_to_move[slot][king.index()];
            self.strong_to_move[slot][king.index()] = mine;
            self.weak_to_move[slot][king.index()] = theirs;
        }
        grown
    }

    /// Weak king squares where the strong side, to move, wins: one good move is enough.
    fn won_to_move(&self, pawn: Square, king: Square) -> SquareSet {
        let here = SquareSet::of(pawn);
        let steps = KING_STEPS[king.index()].without(here);
        let mut won = SquareSet::EMPTY;
        for to in steps {
            won |= self.weak_to_move[slot(pawn)][to.index()];
        }
        let step = here.forward(Color::White);
        if !step.contains(king) {
            won |= self.won_by_push(step, king);
            let start = SquareSet::relative_rank(1, Color::White).contains(pawn);
            let double = step.forward(Color::White);
            if start && !double.contains(king) {
                won |= self.won_by_push(double, king).without(step);
            }
        }
        let illegal =
            here | SquareSet::of(king) | KING_STEPS[king.index()] | here.pawn_attacks(Color::White);
        won.without(illegal)
    }

    /// Weak king squares where the pawn's arrival on `to` wins.
    fn won_by_push(&self, to: SquareSet, king: Square) -> SquareSet {
        let Some(square) = to.lowest() else {
            return SquareSet::EMPTY;
        };
        let blocked = to;
        if square.rank() != Rank::EIGHTH {
            return self.weak_to_move[slot(square)][king.index()].without(blocked);
        }
        // The new queen lives if the weak king is not beside it, or the strong king guards it.
        let takers = if KING_STEPS[king.index()].meets(to) {
            SquareSet::EMPTY
        } else {
            KING_STEPS[square.index()]
        };
        !(takers | blocked)
    }

    /// Weak king squares where the strong side wins with the weak side to move: every move loses,
    /// and there is one.
    fn won_to_wait(&self, pawn: Square, king: Square) -> SquareSet {
        let here = SquareSet::of(pawn);
        let denied = KING_STEPS[king.index()] | here.pawn_attacks(Color::White);
        let lost = self.strong_to_move[slot(pawn)][king.index()];
        let illegal = here | SquareSet::of(king) | KING_STEPS[king.index()];
        (!illegal)
            .filter(|weak| {
                let moves = KING_STEPS[weak.index()].without(denied);
                !moves.is_empty() && moves.without(lost).is_empty()
            })
            .fold(SquareSet::EMPTY, |set, weak| set.with(weak))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn won(king: &str, pawn: &str, weak: &str, mover: Color) -> bool {
        let square = |name| Square::from_name(name).expect("a square");
        let (king, pawn, weak) = (square(king), square(pawn), square(weak));
        let answer = is_won(Color::White, king, pawn, weak, mover);
        // The same position for Black, and left to right.
        let flip = Square::flip_rank;
        assert_eq!(
            answer,
            is_won(Color::Black, flip(king), flip(pawn), flip(weak), !mover)
        );
        let flip = Square::flip_file;
        assert_eq!(
            answer,
            is_won(Color::White, flip(king), flip(pawn), flip(weak), mover)
        );
        answer
    }

    #[test]
    fn opposition_decides() {
        assert!(!won("e5", "e4", "e7", Color::White));
        assert!(won("e5", "e4", "e7", Color::Black));
        assert!(won("e6", "e5", "e8", Color::White));
        assert!(won("e6", "e5", "e8", Color::Black));
        assert!(!won("d6", "d7", "d8", Color::Black), "stalemate");
    }

    #[test]
    fn rook_pawns_need_the_corner() {
        assert!(!won("a6", "a5", "a8", Color::White));
        assert!(!won("h6", "h5", "f8", Color::White));
        assert!(won("b7", "a5", "d7", Color::White));
    }

    #[test]
    fn the_rule_of_the_square_holds() {
        assert!(won("h1", "a5", "f6", Color::White));
        assert!(!won("h1", "a5", "e6", Color::Black));
        assert!(!won("h1", "b2", "b3", Color::Black), "the pawn falls");
    }

    #[test]
    fn the_number_of_wins_is_known() {
        let table = Table::new();
        let wins = |wins: &Wins| wins.iter().flatten().map(|set| set.len()).sum::<usize>();
        // Stockfish counts the same with its own method.
        assert_eq!(
            wins(&table.strong_to_move) + wins(&table.weak_to_move),
            111_282
        );
    }
}
