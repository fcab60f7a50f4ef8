//! Bitbase of king and pawn against king: the exact results of all positions, computed on first use.

use std::sync::OnceLock;

use crate::types::{Color, Rank, Square, SquareSet, king_attacks};

/// Returns `true` if `strong` wins with its pawn against the bare king.
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

/// Squares of the weak king with which the strong side wins, by pawn [`slot`] and strong king.
type Wins = Box<[[SquareSet; 64]; SLOTS]>;

/// Number of pawn squares on files a to d and ranks 2 to 7.
const SLOTS: usize = 24;

/// Returns the index of a pawn square on files a to d, counted from a2.
const fn slot(pawn: Square) -> usize {
    4 * (pawn.rank().index() - 1) + pawn.file().index()
}

/// Won positions in which White has the pawn.
struct Table {
    strong_to_move: Wins,
    weak_to_move: Wins,
}

impl Table {
    /// Computes the table by retrograde analysis.
    fn new() -> Table {
        let empty = || Box::new([[SquareSet::EMPTY; 64]; SLOTS]);
        let mut table = Table {
            strong_to_move: empty(),
            weak_to_move: empty(),
        };
        // A push leads to a pawn on a higher rank, so pawns on the seventh rank come first.
        let pawns = Square::all()
            .rev()
            .filter(|pawn| (1..7).contains(&pawn.rank().index()) && pawn.file().index() < 4);
        for pawn in pawns {
            // Each pass finds the wins that are one ply longer, until a pass finds none.
            while table.extend(pawn) {}
        }
        table
    }

    /// Makes one pass over the positions with this pawn and returns `true` if it finds new wins.
    fn extend(&mut self, pawn: Square) -> bool {
        let slot = slot(pawn);
        let mut has_grown = false;
        for king in Square::all().filter(|&king| king != pawn) {
            let mine = self.won_to_move(pawn, king);
            let theirs = self.lost_to_move(pawn, king);
            has_grown |= mine != self.strong_to_move[slot][king.index()]
                || theirs != self.weak_to_move[slot][king.index()];
            self.strong_to_move[slot][king.index()] = mine;
            self.weak_to_move[slot][king.index()] = theirs;
        }
        has_grown
    }

    /// Returns the squares of the weak king with which the strong side, to move, wins. One winning move is enough.
    fn won_to_move(&self, pawn: Square, king: Square) -> SquareSet {
        let here = SquareSet::of(pawn);
        let steps = king_attacks(king).without(here);
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
            here | SquareSet::of(king) | king_attacks(king) | here.pawn_attacks(Color::White);
        won.without(illegal)
    }

    /// Returns the squares of the weak king with which a push of the pawn to `to` wins.
    fn won_by_push(&self, to: SquareSet, king: Square) -> SquareSet {
        let Some(square) = to.first() else {
            return SquareSet::EMPTY;
        };
        let blocked = to;
        if square.rank() != Rank::EIGHTH {
            return self.weak_to_move[slot(square)][king.index()].without(blocked);
        }
        // The new queen survives if the weak king is not next to it, or if the strong king protects it.
        let takers = if king_attacks(king).intersects(to) {
            SquareSet::EMPTY
        } else {
            king_attacks(square)
        };
        !(takers | blocked)
    }

    /// Returns the squares of the weak king with which the weak side, to move, loses: it has a legal move, and every
    /// legal move loses.
    fn lost_to_move(&self, pawn: Square, king: Square) -> SquareSet {
        let here = SquareSet::of(pawn);
        let denied = king_attacks(king) | here.pawn_attacks(Color::White);
        let lost = self.strong_to_move[slot(pawn)][king.index()];
        let illegal = here | SquareSet::of(king) | king_attacks(king);
        (!illegal)
            .filter(|weak| {
                let moves = king_attacks(*weak).without(denied);
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
        let is_win = is_won(Color::White, king, pawn, weak, mover);
        // The same position with colors swapped, and mirrored.
        let flip = Square::flip_rank;
        assert_eq!(
            is_win,
            is_won(Color::Black, flip(king), flip(pawn), flip(weak), !mover)
        );
        let flip = Square::flip_file;
        assert_eq!(
            is_win,
            is_won(Color::White, flip(king), flip(pawn), flip(weak), mover)
        );
        is_win
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
    fn the_weak_king_draws_in_front_of_a_rook_pawn() {
        assert!(!won("a6", "a5", "a8", Color::White));
        assert!(!won("h6", "h5", "f8", Color::White));
        assert!(won("b7", "a5", "d7", Color::White));
    }

    #[test]
    fn the_rule_of_the_square_holds() {
        assert!(won("h1", "a5", "f6", Color::White));
        assert!(!won("h1", "a5", "e6", Color::Black));
        assert!(
            !won("h1", "b2", "b3", Color::Black),
            "the king captures the pawn"
        );
    }

    #[test]
    fn the_number_of_wins_is_correct() {
        let table = Table::new();
        let wins = |wins: &Wins| wins.iter().flatten().map(|set| set.len()).sum::<usize>();
        // The bitbase of Stockfish has as many wins.
        assert_eq!(
            wins(&table.strong_to_move) + wins(&table.weak_to_move),
            111_282
        );
    }
}
