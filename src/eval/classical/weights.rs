//! Weights of the classical evaluation, each with a middlegame and an endgame value.
//!
//! The unit is the centipawn, except for the units of king danger. Tables by square have 32 entries with the index
//! `4 * rank + distance of the file from the edge`, so they are symmetric. Squares and ranks are those from the
//! perspective of the piece's side; index 0 is its first rank. `docs/evaluation.md` names the sources of the initial
//! values.

use crate::types::Square;

use super::tapered::Tapered;

impl Weights {
    /// Returns the middlegame and endgame value of every weight, in the order of [`Weights::for_each_table`].
    pub fn to_pairs(&self) -> Vec<[f64; 2]> {
        let mut pairs = Vec::new();
        self.clone().for_each_table(|_, list| {
            let pair =
                |weight: &Tapered| [f64::from(weight.middlegame()), f64::from(weight.endgame())];
            pairs.extend(list.iter().map(pair));
        });
        pairs
    }
}

/// Returns the distance of the square's file from the nearer edge: 0 for files a and h, 3 for d and e.
#[inline]
pub(super) fn file_from_edge(square: Square) -> usize {
    let file = square.file().index();
    file.min(7 - file)
}

/// Returns a weight with the given middlegame and endgame values; short name for the tables below.
const fn s(middlegame: i16, endgame: i16) -> Tapered {
    Tapered::new(middlegame, endgame)
}

/// A weight or a table of weights, accessible as a flat list.
trait Table<V> {
    /// Returns a table filled with `value`.
    fn filled(value: V) -> Self;

    /// Returns all values of the table.
    fn as_list(&mut self) -> &mut [V];
}

impl<V> Table<V> for V {
    fn filled(value: V) -> V {
        value
    }

    fn as_list(&mut self) -> &mut [V] {
        std::slice::from_mut(self)
    }
}

impl<V: Copy, const N: usize> Table<V> for [V; N] {
    fn filled(value: V) -> [V; N] {
        [value; N]
    }

    fn as_list(&mut self) -> &mut [V] {
        self
    }
}

impl<V: Copy, const N: usize, const M: usize> Table<V> for [[V; N]; M] {
    fn filled(value: V) -> [[V; N]; M] {
        [[value; N]; M]
    }

    fn as_list(&mut self) -> &mut [V] {
        self.as_flattened_mut()
    }
}

impl<V: Copy, const N: usize, const M: usize, const L: usize> Table<V> for [[[V; N]; M]; L] {
    fn filled(value: V) -> [[[V; N]; M]; L] {
        [[[value; N]; M]; L]
    }

    fn as_list(&mut self) -> &mut [V] {
        self.as_flattened_mut().as_flattened_mut()
    }
}

/// Declares [`Weights`], its default values and [`Weights::for_each_table`] from one list.
macro_rules! weights {
    ($($(#[$doc:meta])* $name:ident: $kind:ty = $value:expr;)*) => {
        /// Weights of the classical evaluation, generic over the number type of its sums.
        #[derive(Clone, Debug)]
        pub struct Weights<V = Tapered> {
            $($(#[$doc])* pub(super) $name: $kind,)*
        }

        impl Weights {
            /// Weights used in games.
            pub const DEFAULT: Weights = Weights { $($name: $value,)* };
        }

        impl<V: Copy> Weights<V> {
            /// Returns weights that all have the same value.
            pub fn filled(value: V) -> Weights<V> {
                Weights { $($name: Table::filled(value),)* }
            }

            /// Calls `visit` with the name and the values of each table, in a fixed order. A tuner uses it to read and
            /// change weights.
            pub fn for_each_table(&mut self, mut visit: impl FnMut(&'static str, &mut [V])) {
                $(visit(stringify!($name), self.$name.as_list());)*
            }
        }
    };
}

weights! {
    // ---- material and squares ----

    /// Material value by kind of piece; the king's is zero.
    material: [V; 6] = [
        s(76, 160), s(416, 486), s(431, 532), s(601, 831), s(1295, 1591), s(0, 0),
    ];
    /// Bishops on squares of both colours.
    bishop_pair: V = s(19, 95);
    /// Piece-square values by kind and square.
    squares: [[V; 32]; 6] = [PAWN_SQUARES, KNIGHT_SQUARES, BISHOP_SQUARES, ROOK_SQUARES,
        QUEEN_SQUARES, KING_SQUARES];

    // ---- mobility, by the number of attacked squares in the mobility area ----

    /// Mobility of a knight.
    knight_mobility: [V; 9] = [
        s(-99, -137), s(-37, -112), s(-16, -35), s(-10, -1), s(4, 13), s(7, 33), s(15, 37),
        s(22, 42), s(33, 24),
    ];
    /// Mobility of a bishop.
    bishop_mobility: [V; 14] = [
        s(-95, -186), s(-42, -119), s(-21, -49), s(-4, -12), s(5, 3), s(12, 22), s(16, 35),
        s(16, 41), s(23, 48), s(22, 51), s(24, 46), s(50, 36), s(55, 46), s(84, 4),
    ];
    /// Mobility of a rook.
    rook_mobility: [V; 15] = [
        s(-131, -150), s(-69, -126), s(-29, -77), s(-14, -22), s(-12, 9), s(-11, 29), s(-9, 42),
        s(-5, 46), s(5, 48), s(11, 54), s(9, 64), s(25, 70), s(16, 74), s(34, 63), s(76, 41),
    ];
    /// Mobility of a queen.
    queen_mobility: [V; 28] = [
        s(-111, -273), s(-111, -260), s(-90, -228), s(-35, -200), s(-15, -160), s(-11, -86),
        s(-1, -36), s(-2, -3), s(1, 4), s(6, 30), s(12, 34), s(11, 55), s(18, 53), s(19, 59),
        s(22, 59), s(22, 65), s(24, 60), s(24, 66), s(20, 64), s(24, 50), s(27, 36), s(28, 21),
        s(27, 17), s(24, -1), s(20, -3), s(13, -14), s(6, -20), s(0, -31),
    ];

    // ---- pieces ----

    /// Knight on an outpost, a square that no enemy pawn can ever attack: [not defended, defended by a pawn].
    knight_outpost: [V; 2] = [s(19, -25), s(28, -3)];
    /// Knight with a pawn of either side on the square in front of it.
    knight_behind_pawn: V = s(0, 23);
    /// Knight far from both kings, by the distance to the nearer one minus 4.
    knight_far_from_kings: [V; 4] = [s(-12, -3), s(-16, -13), s(-26, -19), s(-42, -17)];
    /// Each knight, by the closedness of the position, 0 to 8.
    knight_closedness: [V; 9] = [
        s(4, 2), s(-11, 29), s(-6, 40), s(2, 43), s(-4, 48), s(-6, 36), s(-4, 39), s(-1, 47),
        s(-23, 35),
    ];
    /// Bishop on an outpost: [not defended, defended by a pawn].
    bishop_outpost: [V; 2] = [s(20, -21), s(45, -2)];
    /// Bishop with a pawn of either side on the square in front of it.
    bishop_behind_pawn: V = s(1, 20);
    /// Each own blocked pawn on a square of the bishop's colour.
    bishop_blocked_pawn: V = s(-3, -16);
    /// Bishop that attacks or occupies both centre squares of a long diagonal.
    bishop_long_diagonal: V = s(17, 17);
    /// Rook on a file without own pawns: [half-open file, open file].
    rook_open_file: [V; 2] = [s(14, 9), s(40, 9)];
    /// Rook on the seventh rank if the enemy king is on the last two ranks or an enemy pawn is on the seventh.
    rook_on_seventh: V = s(8, 24);
    /// Each rook, by the closedness of the position, 0 to 8.
    rook_closedness: [V; 9] = [
        s(-9, 75), s(2, 61), s(-3, 51), s(-5, 50), s(6, 38), s(-11, 22), s(-13, 14), s(-16, 8),
        s(-21, -6),
    ];
    /// Queen under an X-ray attack of an enemy rook or bishop through exactly one piece.
    queen_on_line: V = s(-17, -11);

    // ---- pawn structure ----

    /// Isolated pawn, without own pawns on the adjacent files, by file from the edge.
    pawn_isolated: [V; 4] = [s(-7, -17), s(-8, -23), s(-8, -20), s(-4, -22)];
    /// Doubled pawn, behind another own pawn, by file from the edge: [cannot leave its file, may do so by a capture].
    pawn_doubled: [[V; 4]; 2] = [
        [s(4, -39), s(-1, -34), s(-4, -25), s(-6, -13)],
        [s(3, -11), s(-5, -24), s(4, -16), s(-16, -5)],
    ];
    /// Backward pawn, which pawns cannot defend and which cannot safely advance, by rank: [enemy pawn ahead on its
    /// file, half-open file].
    pawn_backward: [[V; 8]; 2] = [
        [s(0, 0), s(-3, -7), s(1, -12), s(-2, -24), s(4, -33), s(0, -25), s(0, 0), s(0, 0)],
        [s(0, 0), s(-17, -36), s(-8, -38), s(0, -29), s(6, -34), s(0, -25), s(0, 0), s(0, 0)],
    ];
    /// Connected pawn, defended by a pawn or beside one, by square.
    pawn_connected: [V; 32] = [
        s(0, 0), s(0, 0), s(0, 0), s(0, 0),
        s(2, -20), s(14, -1), s(1, -9), s(5, 8),
        s(12, -10), s(21, -10), s(18, 5), s(13, 9),
        s(0, -7), s(20, 3), s(7, 5), s(12, 13),
        s(7, 7), s(11, 32), s(23, 28), s(32, 18),
        s(43, 47), s(37, 52), s(54, 79), s(54, 83),
        s(91, 36), s(117, 42), s(120, 60), s(130, 60),
        s(0, 0), s(0, 0), s(0, 0), s(0, 0),
    ];
    /// Candidate passed pawn, by rank: [attackers of its square outnumber its defenders, they do not].
    pawn_candidate: [[V; 8]; 2] = [
        [s(0, 0), s(-12, -18), s(-12, 10), s(-13, 25), s(-2, 51), s(22, 60), s(0, 0), s(0, 0)],
        [s(0, 0), s(-18, 17), s(-13, 29), s(-5, 57), s(18, 96), s(47, 100), s(0, 0), s(0, 0)],
    ];

    // ---- passed pawns ----

    /// Passed pawn, by rank: [square ahead occupied, free][square ahead not attacked by the enemy, attacked].
    passed: [[[V; 8]; 2]; 2] = PASSED;
    /// Each step between a passed pawn and its own king, by rank.
    passed_own_king: [V; 8] = [
        s(0, 0), s(-1, 9), s(-2, -6), s(0, -17), s(-2, -20), s(1, -30), s(-9, -17), s(0, 0),
    ];
    /// Each step between a passed pawn and the enemy king, by rank.
    passed_enemy_king: [V; 8] = [
        s(0, 0), s(2, -4), s(4, -1), s(9, 15), s(-1, 33), s(-11, 54), s(9, 65), s(0, 0),
    ];
    /// Passed pawn with no enemy piece or attack on its way to promotion.
    passed_free_path: V = s(-34, 53);
    /// Passed pawn defended by a pawn.
    passed_protected: V = s(11, 9);
    /// Own rook behind a passed pawn.
    passed_own_rook_behind: V = s(13, 14);
    /// Enemy rook behind a passed pawn.
    passed_enemy_rook_behind: V = s(-11, -33);
    /// A passed pawn that an enemy without pieces cannot catch.
    passed_unstoppable: V = s(-1, 237);

    // ---- king ----

    /// Own pawns and minor pieces in the king's zone, by their number.
    king_defenders: [V; 12] = [
        s(-45, -11), s(-8, -1), s(7, 9), s(14, 17), s(23, 6), s(27, 2), s(31, -9), s(29, -9),
        s(25, 0), s(20, 0), s(20, 0), s(20, 0),
    ];
    /// Distance in files from the king to the nearest pawn of either side; entry 7 also applies without pawns.
    king_pawn_distance: [V; 8] = [
        s(39, 32), s(4, 29), s(3, 5), s(-7, -14), s(-6, -37), s(-5, -46), s(-9, -44), s(-6, -40),
    ];
    /// Pawn shelter on the three files at the king, by file from the edge and rank of the rearmost own pawn that is not
    /// behind the king; rank 0 if there is none.
    shelter: [[V; 8]; 4] = [
        [s(4, 19), s(47, -12), s(51, -4), s(32, 0), s(12, 1), s(11, 2), s(16, -2), s(0, 0)],
        [s(-32, 16), s(25, -11), s(13, -7), s(-29, 0), s(-16, -1), s(9, 3), s(-27, 4), s(0, 0)],
        [s(-10, 1), s(43, -5), s(3, 6), s(-3, -3), s(17, -13), s(4, 5), s(-22, 10), s(0, 0)],
        [s(-23, 3), s(-11, 4), s(-17, -17), s(-25, 1), s(-22, 1), s(-45, 0), s(-69, 0), s(0, 0)],
    ];
    /// Storm of enemy pawns on the three files at the king, by file from the edge and rank of the nearest; rank 0
    /// if there is none.
    storm: [[V; 8]; 4] = [
        [s(-45, 2), s(59, 6), s(49, 0), s(-44, -1), s(-24, 6), s(-31, -9), s(-34, 0), s(0, 0)],
        [s(-30, 4), s(14, 2), s(-57, 15), s(-32, 3), s(-20, -4), s(8, -7), s(-7, -8), s(0, 0)],
        [s(-6, 3), s(-22, 2), s(-81, 4), s(-26, 1), s(-6, -1), s(3, -6), s(9, -6), s(0, 0)],
        [s(3, -3), s(6, 0), s(-57, -1), s(-7, -1), s(-6, -2), s(10, 0), s(18, -4), s(0, 0)],
    ];
    /// Replaces the storm on a file where an own pawn blocks the enemy pawn: [elsewhere, enemy pawn on the third rank].
    storm_blocked: [V; 2] = [s(2, -7), s(-52, -38)];

    // ---- king danger, in units that `danger.rs` converts to centipawns ----

    /// Each enemy piece that attacks the king's zone, by kind.
    danger_attacker: [V; 6] =
        [s(0, 0), s(46, 42), s(24, 35), s(31, 5), s(32, 5), s(0, 0)];
    /// Attacks on squares of the zone, normalised to a zone of nine squares.
    danger_attack: V = s(36, 22);
    /// Each square of the zone that is attacked and not well defended.
    danger_weak_square: V = s(19, 22);
    /// Attacker without a queen.
    danger_no_queen: V = s(-235, -260);
    /// Each square from which an enemy piece could safely give check, by kind.
    danger_safe_check: [V; 6] =
        [s(0, 0), s(104, 117), s(60, 58), s(86, 96), s(63, 78), s(0, 0)];
    /// Each 64 centipawns of the value of shelter and storm.
    danger_shelter: V = s(-36, -7);
    /// Constant.
    danger_base: V = s(-45, -22);

    // ---- threats, counted for the threatened side; `threats.rs` defines which pieces are weak ----

    /// Weak pawn, not attacked by a pawn.
    threat_weak_pawn: V = s(0, -38);
    /// Minor piece attacked by a pawn.
    threat_pawn_on_minor: V = s(-72, -87);
    /// Rook attacked by a pawn or minor piece.
    threat_lesser_on_rook: V = s(-60, -41);
    /// Weak minor piece attacked by a minor piece.
    threat_minor_on_minor: V = s(-23, -56);
    /// Weak minor piece attacked by a rook or queen.
    threat_major_on_minor: V = s(-24, -59);
    /// Weak minor piece attacked by the king.
    threat_king_on_minor: V = s(-43, -30);
    /// Weak rook attacked by the king.
    threat_king_on_rook: V = s(-34, -24);
    /// Queen attacked by any piece.
    threat_on_queen: V = s(-67, -18);
    /// Piece that exactly one piece attacks and exactly one piece defends.
    threat_overloaded: V = s(0, -3);
    /// Piece or pawn that a safe pawn push would attack, counted for the side with the pawn.
    threat_pawn_push: V = s(17, 34);

    // ---- space ----

    /// Own or enemy piece on a square that the enemy controls.
    space_piece: V = s(-6, 0);
    /// Empty square that the enemy controls.
    space_empty: V = s(-5, -4);
    /// Square of the large centre that only this side controls, while more than ten pieces are on the board.
    space_centre: V = s(2, 6);

    // ---- tempo and winning chances ----

    /// Bonus of the side to move.
    tempo: V = s(22, 9);
    /// Winning chances of the better side in the endgame: each pawn on the board.
    winnable_pawn: V = s(0, 7);
    /// Winning chances: pawns on both wings.
    winnable_wings: V = s(0, 96);
    /// Winning chances: only kings and pawns on the board.
    winnable_pawn_ending: V = s(0, 87);
    /// Constant.
    winnable_base: V = s(0, -147);
}

#[rustfmt::skip]
const PAWN_SQUARES: [Tapered; 32] = [
    s(0, 0), s(0, 0), s(0, 0), s(0, 0),
    s(-18, 7), s(-5, 16), s(-4, 5), s(6, 14),
    s(-22, 7), s(-15, 8), s(-7, -14), s(7, 4),
    s(-18, 13), s(-15, 20), s(7, -17), s(6, -19),
    s(-14, 27), s(-13, 17), s(-18, -17), s(1, -30),
    s(-9, 34), s(-6, 29), s(-11, 34), s(12, -1),
    s(-40, -49), s(-47, 1), s(4, -11), s(39, -26),
    s(0, 0), s(0, 0), s(0, 0), s(0, 0),
];

#[rustfmt::skip]
const KNIGHT_SQUARES: [Tapered; 32] = [
    s(-32, -30), s(-11, -22), s(-29, -18), s(-12, -2),
    s(-7, -5), s(-8, -1), s(0, -19), s(-4, 6),
    s(5, -23), s(13, -3), s(4, 1), s(6, 24),
    s(11, 25), s(21, 35), s(25, 32), s(19, 50),
    s(14, 25), s(21, 28), s(30, 55), s(31, 62),
    s(-18, 26), s(-4, 36), s(26, 57), s(22, 56),
    s(12, 2), s(-11, 21), s(35, 1), s(34, 18),
    s(-162, -7), s(-105, 19), s(-113, 41), s(-26, 19),
];

#[rustfmt::skip]
const BISHOP_SQUARES: [Tapered; 32] = [
    s(6, -26), s(-4, 7), s(-17, -3), s(0, 4),
    s(30, -21), s(9, -25), s(25, 5), s(-2, 8),
    s(10, 0), s(22, 7), s(-6, -2), s(11, 17),
    s(6, 12), s(3, 11), s(6, 39), s(12, 33),
    s(-6, 30), s(15, 38), s(0, 38), s(12, 29),
    s(-12, 32), s(-1, 47), s(-14, 30), s(6, 40),
    s(-52, 37), s(-53, 28), s(-12, 31), s(-32, 37),
    s(-72, 17), s(-49, 32), s(-109, 49), s(-107, 61),
];

#[rustfmt::skip]
const ROOK_SQUARES: [Tapered; 32] = [
    s(-19, -4), s(-19, -1), s(-8, 4), s(8, -12),
    s(-63, 7), s(-23, -17), s(-12, -8), s(-5, -15),
    s(-47, 9), s(-30, 11), s(-24, 10), s(-19, 5),
    s(-27, 28), s(-21, 35), s(-17, 41), s(-13, 39),
    s(-16, 50), s(11, 42), s(0, 41), s(28, 35),
    s(-22, 58), s(13, 36), s(1, 49), s(33, 33),
    s(-10, 40), s(-21, 44), s(0, 35), s(11, 23),
    s(28, 58), s(26, 58), s(-3, 67), s(10, 70),
];

#[rustfmt::skip]
const QUEEN_SQUARES: [Tapered; 32] = [
    s(16, -41), s(1, -28), s(-2, -40), s(12, -22),
    s(17, -14), s(13, -26), s(15, -40), s(14, -6),
    s(4, -8), s(10, 8), s(-6, 40), s(-5, 26),
    s(10, 25), s(13, 45), s(-3, 61), s(-17, 103),
    s(-3, 50), s(-17, 81), s(-8, 77), s(-26, 122),
    s(-22, 68), s(-7, 59), s(-19, 70), s(-1, 73),
    s(-12, 66), s(-58, 114), s(-11, 64), s(-53, 112),
    s(3, 44), s(14, 60), s(5, 70), s(-2, 77),
];

#[rustfmt::skip]
const KING_SQUARES: [Tapered; 32] = [
    s(65, -79), s(49, -51), s(-11, -18), s(-14, -25),
    s(31, -16), s(7, -8), s(-39, 15), s(-60, 25),
    s(-37, -15), s(-11, -13), s(-14, 9), s(-30, 29),
    s(-51, -31), s(-27, -4), s(-21, 17), s(-47, 25),
    s(-39, -12), s(-19, 5), s(-19, 31), s(-50, 40),
    s(-19, -21), s(-2, -3), s(-11, 18), s(-39, 24),
    s(-20, -69), s(1, -15), s(-8, 0), s(-38, -10),
    s(-40, -130), s(-10, -77), s(-29, -58), s(-44, -43),
];

#[rustfmt::skip]
const PASSED: [[[Tapered; 8]; 2]; 2] = [
    [
        [s(0, 0), s(-25, 18), s(-29, 37), s(-40, 42), s(2, 43), s(94, 57), s(150, 72), s(0, 0)],
        [s(0, 0), s(-25, 3), s(-38, 15), s(-44, 19), s(4, 25), s(86, 11), s(132, 43), s(0, 0)],
    ],
    [
        [s(0, 0), s(-33, 19), s(-41, 35), s(-54, 61), s(12, 98), s(91, 160), s(154, 285), s(0, 0)],
        [s(0, 0), s(-33, 13), s(-45, 40), s(-41, 52), s(7, 73), s(89, 78), s(165, 131), s(0, 0)],
    ],
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn for_each_table_visits_every_weight() {
        let mut weights = Weights::DEFAULT;
        let (mut tables, mut count) = (Vec::new(), 0);
        weights.for_each_table(|name, list| {
            tables.push(name);
            count += list.len();
            list.fill(Tapered::ZERO);
        });
        assert_eq!(count * size_of::<Tapered>(), size_of::<Weights>());
        tables.sort_unstable();
        tables.dedup();
        assert!(tables.len() > 50 && tables.contains(&"bishop_pair"));
        assert_eq!(weights.material[1], Tapered::ZERO);
    }
}
