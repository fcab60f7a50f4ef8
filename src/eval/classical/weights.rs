//! Every number of the evaluation, each a named weight with a middlegame and an endgame value.
//!
//! The unit is the centipawn. The starting figures follow published ones; `docs/evaluation.md` gives
//! the credit. Tables by square have 32 entries, `rank * 4 + file from the edge` in the eyes of the
//! owner, so that left and right are equal.

use super::tapered::Tapered;

impl Weights {
    /// Middlegame and endgame of every weight, in the order of [`Weights::for_each_table`].
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

/// Shorthand of the tables below: middlegame, endgame.
const fn s(middlegame: i16, endgame: i16) -> Tapered {
    Tapered::new(middlegame, endgame)
}

/// A weight or a table of weights, seen as a flat list.
trait Table<V> {
    fn filled(value: V) -> Self;
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

/// Declares [`Weights`], its default values and the walk over all of them from one list.
macro_rules! weights {
    ($($(#[$doc:meta])* $name:ident: $kind:ty = $value:expr;)*) => {
        /// All weights of the classical evaluation: numbers, or whatever else the terms can be summed up in.
        #[derive(Clone, Debug)]
        pub struct Weights<V = Tapered> {
            $($(#[$doc])* pub(super) $name: $kind,)*
        }

        impl Weights {
            /// The weights Gaur plays with.
            pub const DEFAULT: Weights = Weights { $($name: $value,)* };
        }

        impl<V: Copy> Weights<V> {
            /// All weights alike.
            pub(super) fn filled(value: V) -> Weights<V> {
                Weights { $($name: Table::filled(value),)* }
            }

            /// Shows every table with its name to `visit`, in a fixed order: the way in for a tuner.
            pub fn for_each_table(&mut self, mut visit: impl FnMut(&'static str, &mut [V])) {
                $(visit(stringify!($name), self.$name.as_list());)*
            }
        }
    };
}

weights! {
    // ---- material and squares ----

    /// Worth of each kind, by kind; the king's is never counted.
    material: [V; 6] = [
        s(82, 144), s(426, 475), s(441, 510), s(627, 803), s(1292, 1623), s(0, 0),
    ];
    /// Two or more bishops, one on each colour.
    bishop_pair: V = s(22, 88);
    /// By square, for each kind.
    squares: [[V; 32]; 6] = [PAWN_SQUARES, KNIGHT_SQUARES, BISHOP_SQUARES, ROOK_SQUARES,
        QUEEN_SQUARES, KING_SQUARES];

    // ---- mobility: by the number of safe squares reached ----

    /// Knights.
    knight_mobility: [V; 9] = [
        s(-104, -139), s(-45, -114), s(-22, -37), s(-8, 3), s(6, 15), s(11, 34), s(19, 38),
        s(30, 37), s(43, 17),
    ];
    /// Bishops.
    bishop_mobility: [V; 14] = [
        s(-99, -186), s(-46, -124), s(-16, -54), s(-4, -14), s(6, 1), s(14, 20), s(17, 35),
        s(19, 39), s(19, 49), s(27, 48), s(26, 48), s(52, 32), s(55, 47), s(83, 2),
    ];
    /// Rooks.
    rook_mobility: [V; 15] = [
        s(-127, -148), s(-56, -127), s(-25, -85), s(-12, -28), s(-10, 2), s(-12, 27), s(-11, 42),
        s(-4, 46), s(4, 52), s(9, 55), s(11, 64), s(19, 68), s(19, 73), s(37, 60), s(77, 35),
    ];
    /// Queens.
    queen_mobility: [V; 28] = [
        s(-111, -273), s(-110, -260), s(-90, -228), s(-46, -200), s(-20, -160), s(-9, -86),
        s(-1, -35), s(2, -1), s(8, 8), s(10, 31), s(15, 37), s(17, 55), s(20, 46), s(23, 57),
        s(22, 58), s(21, 64), s(24, 62), s(16, 65), s(13, 63), s(18, 48), s(25, 40), s(28, 30),
        s(28, 20), s(26, 10), s(20, 0), s(14, -10), s(6, -20), s(0, -30),
    ];

    // ---- pieces ----

    /// Knight where no enemy pawn can ever drive it away: [not defended, defended by a pawn].
    knight_outpost: [V; 2] = [s(9, -18), s(32, 2)];
    /// Knight with a pawn of either side right in front of it.
    knight_behind_pawn: V = s(3, 28);
    /// Knight far from both kings, by distance to the nearer one less 4.
    knight_far_from_kings: [V; 4] = [s(-9, -6), s(-12, -20), s(-27, -20), s(-47, -19)];
    /// Every knight, by how closed the position is, 0 to 8.
    knight_closedness: [V; 9] = [
        s(-7, 10), s(-7, 29), s(-8, 35), s(-5, 37), s(-3, 40), s(-1, 38), s(0, 37), s(-3, 42),
        s(-5, 40),
    ];
    /// Bishop on an outpost: [not defended, defended by a pawn].
    bishop_outpost: [V; 2] = [s(12, -10), s(30, -3)];
    /// Bishop with a pawn of either side right in front of it.
    bishop_behind_pawn: V = s(4, 24);
    /// Each own blocked pawn on the colour of the bishop.
    bishop_blocked_pawn: V = s(-8, -17);
    /// Bishop that sees both centre squares of a long diagonal.
    bishop_long_diagonal: V = s(26, 20);
    /// Rook on a file without own pawns: [with an enemy pawn, without].
    rook_open_file: [V; 2] = [s(10, 9), s(34, 8)];
    /// Rook on the 7th rank with the enemy king or pawns to hit there.
    rook_on_seventh: V = s(-1, 42);
    /// Every rook, by how closed the position is, 0 to 8.
    rook_closedness: [V; 9] = [
        s(20, 48), s(4, 64), s(1, 56), s(-3, 47), s(-6, 38), s(-5, 24), s(-8, 12), s(-17, 6),
        s(-30, -10),
    ];
    /// Queen seen through one piece by an enemy rook or bishop on its line.
    queen_on_line: V = s(-22, -13);

    // ---- pawn structure ----

    /// No own pawn on the files beside it, by file from the edge.
    pawn_isolated: [V; 4] = [s(-8, -14), s(-2, -15), s(2, -16), s(5, -18)];
    /// Behind another own pawn, by file from the edge: [stuck there, able to capture its way out].
    pawn_doubled: [[V; 4]; 2] = [
        [s(6, -28), s(-3, -26), s(0, -23), s(0, -20)],
        [s(1, -14), s(-1, -14), s(-6, -9), s(-6, -10)],
    ];
    /// Cannot be defended by pawns and cannot safely advance, by rank:
    /// [enemy pawn ahead on its file, none].
    pawn_backward: [[V; 8]; 2] = [
        [s(0, 0), s(0, -7), s(7, -19), s(6, -18), s(8, -29), s(0, -25), s(0, 0), s(0, 0)],
        [s(0, 0), s(-9, -32), s(-5, -30), s(3, -31), s(10, -38), s(0, -25), s(0, 0), s(0, 0)],
    ];
    /// Defended by a pawn or beside one, by square.
    pawn_connected: [V; 32] = [
        s(0, 0), s(0, 0), s(0, 0), s(0, 0),
        s(-1, -11), s(12, -4), s(0, -2), s(6, 8),
        s(14, 0), s(20, -6), s(19, 3), s(17, 8),
        s(6, -1), s(20, 1), s(6, 3), s(14, 10),
        s(8, 14), s(21, 17), s(31, 23), s(25, 18),
        s(45, 40), s(36, 64), s(58, 74), s(64, 88),
        s(90, 35), s(120, 45), s(120, 60), s(130, 61),
        s(0, 0), s(0, 0), s(0, 0), s(0, 0),
    ];
    /// May become passed by exchanges, by rank: [outnumbered where it stands, not].
    pawn_candidate: [[V; 8]; 2] = [
        [s(0, 0), s(-11, -18), s(-12, 10), s(-12, 25), s(-10, 50), s(21, 59), s(0, 0), s(0, 0)],
        [s(0, 0), s(-12, 15), s(-7, 27), s(2, 53), s(22, 100), s(49, 100), s(0, 0), s(0, 0)],
    ];

    // ---- passed pawns ----

    /// By rank: [square ahead 0 occupied, 1 free][0 not attacked by the enemy, 1 attacked].
    passed: [[[V; 8]; 2]; 2] = PASSED;
    /// Per step between it and its own king, by rank.
    passed_own_king: [V; 8] = [
        s(0, 0), s(-3, 1), s(0, -4), s(4, -13), s(3, -19), s(-5, -19), s(-9, -9), s(0, 0),
    ];
    /// Per step between it and the enemy king, by rank.
    passed_enemy_king: [V; 8] = [
        s(0, 0), s(3, -1), s(5, 0), s(7, 11), s(0, 25), s(1, 37), s(12, 37), s(0, 0),
    ];
    /// Nothing stands or attacks on its way to promotion.
    passed_free_path: V = s(-35, 57);
    /// Defended by a pawn.
    passed_protected: V = s(5, 8);
    /// Own rook behind it.
    passed_own_rook_behind: V = s(2, 14);
    /// Enemy rook behind it.
    passed_enemy_rook_behind: V = s(-2, -14);
    /// The enemy has his king alone and it comes too late.
    passed_unstoppable: V = s(0, 240);

    // ---- king ----

    /// Pawns and minor pieces of one's own around the king, by their number.
    king_defenders: [V; 12] = [
        s(-37, -3), s(-17, 2), s(0, 6), s(11, 8), s(21, 8), s(32, 0), s(38, -10), s(30, -8),
        s(25, 0), s(20, 0), s(20, 0), s(20, 0),
    ];
    /// Files between the king and the nearest pawn of either side; [7] also when there is none.
    king_pawn_distance: [V; 8] = [
        s(18, 23), s(12, 15), s(5, 6), s(-4, -11), s(-3, -31), s(-2, -38), s(-8, -40), s(-6, -38),
    ];
    /// Pawn shelter on the three files around the king, by file from the edge and rank of one's own
    /// rearmost pawn not behind the king; [0] when there is none.
    shelter: [[V; 8]; 4] = [
        [s(-4, 0), s(48, 0), s(56, 0), s(35, 0), s(23, 0), s(11, 0), s(15, 0), s(0, 0)],
        [s(-26, 0), s(37, 0), s(21, 0), s(-24, 0), s(-17, 0), s(-7, 0), s(-30, 0), s(0, 0)],
        [s(-6, 0), s(45, 0), s(14, 0), s(-1, 0), s(12, 0), s(2, 0), s(-27, 0), s(0, 0)],
        [s(-23, 0), s(-8, 0), s(-17, 0), s(-31, 0), s(-29, 0), s(-40, 0), s(-70, 0), s(0, 0)],
    ];
    /// Enemy pawns coming at the king on those files, by file from the edge and rank of the nearest;
    /// [0] when there is none.
    storm: [[V; 8]; 4] = [
        [s(-51, 0), s(60, 0), s(60, 0), s(-58, 0), s(-30, 0), s(-27, 0), s(-30, 0), s(0, 0)],
        [s(-28, 0), s(15, 0), s(-60, 0), s(-27, 0), s(-22, 0), s(6, 0), s(-12, 0), s(0, 0)],
        [s(4, 0), s(-25, 0), s(-80, 0), s(-20, 0), s(1, 0), s(13, 0), s(8, 0), s(0, 0)],
        [s(9, 0), s(7, 0), s(-60, 0), s(-3, 0), s(-7, 0), s(9, 0), s(17, 0), s(0, 0)],
    ];
    /// Instead, when one's own pawn stands right before the storming one: [elsewhere, on the 3rd rank].
    storm_blocked: [V; 2] = [s(0, 0), s(-49, -49)];

    // ---- danger to the king: units that `king.rs` turns into a score, more than in proportion ----

    /// Each knight, bishop, rook, queen that attacks the king's zone, by kind.
    danger_attacker: [V; 6] =
        [s(0, 0), s(48, 41), s(24, 35), s(36, 8), s(30, 6), s(0, 0)];
    /// Attacks on squares of the zone, counted as if the zone had nine squares.
    danger_attack: V = s(45, 34);
    /// Squares of the zone that are attacked and not well defended.
    danger_weak_square: V = s(42, 41);
    /// The attacker has no queen.
    danger_no_queen: V = s(-237, -259);
    /// Squares from which a knight, bishop, rook, queen could safely give check, by kind.
    danger_safe_check: [V; 6] =
        [s(0, 0), s(112, 117), s(59, 59), s(90, 98), s(93, 83), s(0, 0)];
    /// For each 64 centipawns that shelter and storm are worth to the king.
    danger_shelter: V = s(-27, -12);
    /// Always.
    danger_base: V = s(-62, -20);

    // ---- threats: counted for the side that suffers them ----

    /// Pawn attacked and defended by nothing but perhaps king.
    threat_weak_pawn: V = s(-11, -38);
    /// Minor piece attacked by a pawn.
    threat_pawn_on_minor: V = s(-55, -83);
    /// Rook attacked by a pawn or minor piece.
    threat_lesser_on_rook: V = s(-48, -28);
    /// Weak minor piece attacked by a minor piece.
    threat_minor_on_minor: V = s(-25, -45);
    /// Weak minor piece attacked by a rook or queen.
    threat_major_on_minor: V = s(-30, -55);
    /// Weak minor piece attacked by the king.
    threat_king_on_minor: V = s(-43, -21);
    /// Weak rook attacked by the king.
    threat_king_on_rook: V = s(-33, -18);
    /// Queen attacked.
    threat_on_queen: V = s(-50, -7);
    /// Piece attacked and defended by exactly one piece of each side.
    threat_overloaded: V = s(-7, -16);
    /// Piece or pawn that a safe pawn push would attack, counted for the pusher.
    threat_pawn_push: V = s(15, 32);

    // ---- space ----

    /// Own or enemy piece on a square that the enemy controls.
    space_piece: V = s(-4, -1);
    /// Empty square that the enemy controls.
    space_empty: V = s(-4, -2);
    /// Square of the large centre in firm hands, while most pieces are on the board.
    space_centre: V = s(3, 0);

    // ---- the whole board ----

    /// The right to move.
    tempo: V = s(20, 20);
    /// Winning chances of the better side in the endgame: each pawn on the board.
    winnable_pawn: V = s(0, 8);
    /// Pawns on both wings.
    winnable_wings: V = s(0, 82);
    /// Only pawns left.
    winnable_pawn_ending: V = s(0, 76);
    /// Always.
    winnable_base: V = s(0, -157);
}

#[rustfmt::skip]
const PAWN_SQUARES: [Tapered; 32] = [
    s(0, 0), s(0, 0), s(0, 0), s(0, 0),
    s(-14, 7), s(-6, 2), s(-4, 4), s(4, 5),
    s(-22, 8), s(-16, 6), s(-2, -6), s(10, -12),
    s(-15, 17), s(-20, 17), s(6, -10), s(7, -23),
    s(-16, 19), s(-20, 12), s(-17, -8), s(1, -27),
    s(-21, 48), s(-8, 44), s(-4, 31), s(26, -8),
    s(-44, -50), s(-50, -3), s(5, -18), s(43, -20),
    s(0, 0), s(0, 0), s(0, 0), s(0, 0),
];

#[rustfmt::skip]
const KNIGHT_SQUARES: [Tapered; 32] = [
    s(-36, -34), s(-7, -22), s(-21, -20), s(-13, -1),
    s(-2, -2), s(-9, 0), s(-7, -17), s(0, -1),
    s(5, -20), s(8, -4), s(5, 2), s(10, 19),
    s(14, 23), s(18, 29), s(23, 41), s(25, 51),
    s(13, 29), s(22, 31), s(37, 50), s(28, 68),
    s(-21, 25), s(-3, 34), s(27, 55), s(24, 57),
    s(7, -2), s(-12, 17), s(33, -4), s(39, 24),
    s(-166, -11), s(-105, 18), s(-111, 44), s(-28, 18),
];

#[rustfmt::skip]
const BISHOP_SQUARES: [Tapered; 32] = [
    s(4, -23), s(0, 1), s(-3, 1), s(1, 6),
    s(26, -23), s(5, -31), s(14, -2), s(8, 8),
    s(12, 5), s(21, 6), s(-5, -4), s(17, 19),
    s(0, 13), s(12, 17), s(14, 31), s(22, 33),
    s(-17, 35), s(13, 29), s(3, 38), s(16, 46),
    s(-11, 33), s(-8, 45), s(-14, 28), s(5, 39),
    s(-57, 36), s(-58, 21), s(-13, 31), s(-34, 36),
    s(-70, 16), s(-49, 29), s(-110, 45), s(-109, 54),
];

#[rustfmt::skip]
const ROOK_SQUARES: [Tapered; 32] = [
    s(-24, -7), s(-17, 0), s(-12, 3), s(-5, -4),
    s(-73, 4), s(-20, -13), s(-16, -11), s(-10, -12),
    s(-39, 2), s(-10, 11), s(-25, 8), s(-13, 2),
    s(-31, 24), s(-17, 34), s(-20, 35), s(-6, 26),
    s(-18, 44), s(10, 34), s(13, 37), s(34, 31),
    s(-29, 58), s(25, 36), s(1, 53), s(31, 35),
    s(-15, 39), s(-24, 48), s(-1, 37), s(14, 37),
    s(35, 55), s(29, 61), s(0, 71), s(9, 66),
];

#[rustfmt::skip]
const QUEEN_SQUARES: [Tapered; 32] = [
    s(21, -39), s(6, -27), s(11, -40), s(17, -17),
    s(4, -16), s(16, -25), s(22, -45), s(15, 1),
    s(9, -8), s(22, 8), s(5, 36), s(1, 34),
    s(8, 25), s(15, 47), s(-5, 58), s(-18, 107),
    s(-10, 55), s(-8, 87), s(-21, 73), s(-32, 124),
    s(-28, 66), s(-20, 57), s(-26, 64), s(-17, 70),
    s(-13, 67), s(-70, 112), s(-16, 62), s(-53, 117),
    s(14, 49), s(18, 63), s(6, 72), s(0, 83),
];

#[rustfmt::skip]
const KING_SQUARES: [Tapered; 32] = [
    s(83, -79), s(62, -49), s(-2, -8), s(-9, -26),
    s(32, 0), s(-10, -3), s(-44, 20), s(-70, 27),
    s(-40, -16), s(-14, -16), s(-20, 12), s(-30, 33),
    s(-52, -36), s(-30, -14), s(-20, 18), s(-42, 43),
    s(-40, -14), s(-20, 2), s(-20, 26), s(-48, 36),
    s(-20, -24), s(0, 4), s(-10, 16), s(-40, 18),
    s(-20, -70), s(0, -20), s(-10, -8), s(-40, -16),
    s(-40, -130), s(-10, -80), s(-30, -60), s(-45, -45),
];

#[rustfmt::skip]
const PASSED: [[[Tapered; 8]; 2]; 2] = [
    [
        [s(0, 0), s(-30, 8), s(-36, 25), s(-45, 32), s(4, 38), s(90, 40), s(150, 76), s(0, 0)],
        [s(0, 0), s(-28, 0), s(-38, 16), s(-48, 22), s(0, 19), s(80, 14), s(140, 46), s(0, 0)],
    ],
    [
        [s(0, 0), s(-28, 23), s(-40, 35), s(-45, 60), s(8, 89), s(95, 166), s(150, 270), s(0, 0)],
        [s(0, 0), s(-28, 20), s(-44, 34), s(-48, 54), s(6, 65), s(90, 76), s(160, 134), s(0, 0)],
    ],
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_weight_is_reached_by_name() {
        let mut weights = Weights::DEFAULT;
        let (mut tables, mut numbers) = (Vec::new(), 0);
        weights.for_each_table(|name, list| {
            tables.push(name);
            numbers += list.len();
            list.fill(Tapered::ZERO);
        });
        assert_eq!(numbers * size_of::<Tapered>(), size_of::<Weights>());
        tables.sort_unstable();
        tables.dedup();
        assert!(tables.len() > 50 && tables.contains(&"bishop_pair"));
        assert_eq!(weights.material[1], Tapered::ZERO);
    }
}
