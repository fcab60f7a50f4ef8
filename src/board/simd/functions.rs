//! Vectorised functions written once for instruction sets without permutations of 64 bytes, in terms of intrinsics.
//!
//! A set of squares has a byte for each rank and a bit for each file. The bit of a square is found by its 0x88 index:
//! one lookup by the upper half of the index finds the rank, another by the lower half the bit of the file. Off the
//! board, one of the lookups finds 0.

/// Defines the methods of `$set`, the proof that the processor has an instruction set, that call `piece_moves_here` and
/// `attack_map_here` of the same file.
macro_rules! entry_points {
    ($set:ident) => {
        impl $set {
            #[inline]
            pub fn piece_moves<const WHITE: bool, const NOISY: bool, const QUIET: bool>(
                self,
                board: &Board,
                free: PieceSet,
                moves: &mut MoveList,
            ) {
                // SAFETY: a value of this type exists only if the processor has the instructions.
                unsafe { piece_moves_here::<WHITE, NOISY, QUIET>(board, free, moves) }
            }

            #[inline]
            pub fn attack_map(self, board: &Board, by: Color) -> AttackMap {
                // SAFETY: a value of this type exists only if the processor has the instructions.
                unsafe { attack_map_here(board, by) }
            }
        }
    };
}

/// Defines the board functions of one instruction set as methods of the type `$set`.
///
/// `$bytes` holds 32 bytes, in one or two registers. The calling file also defines these functions:
///
/// * `load`, `splat`, `repeated`, `words`: the first half of a constant; equal bytes; equal and different words of 64
///   bits.
/// * `and`, `or`, `without` (the bits of the first argument that the second does not have).
/// * `add`, `equal`, `is_zero`: operations on bytes; comparisons return bytes of ones or zeros.
/// * `upper_halves`: the upper four bits of each byte.
/// * `lookup`: entries of a table of 16 bytes, which `$bytes` contains twice. For indices of 0x80 or more the result is
///   0; for others bits 4 to 6 have no effect.
/// * `signs`: the highest bit of each byte.
/// * `shift_up`, `shift_down`: 64-bit words shifted to the left or right, by a number of bits for each.
/// * `union`: the union of the four words.
/// * `moves`: moves from their lower and upper bytes, in four registers of eight moves.
/// * `pack`: the moves of a register, permuted by a table of bytes.
/// * `store`: writes a register of moves.
macro_rules! board_functions {
    (set $set:ident, features $features:literal, bytes $bytes:ty, moves $moves:ty) => {
        super::functions::entry_points! { $set }

        // Inlined where the build requires the instructions, it would slow down the callers with other ones.
        #[inline(never)]
        #[target_feature(enable = $features)]
        fn piece_moves_here<const WHITE: bool, const NOISY: bool, const QUIET: bool>(
            board: &Board,
            free: PieceSet,
            list: &mut MoveList,
        ) {
            let us = if WHITE { Color::White } else { Color::Black };
            let squares = board.list(us);
            let of = |kind| board.set(us, kind) & free;
            let pieces = Pieces::new::<WHITE>(board);
            for number in of(PieceKind::Knight) {
                let around = Around::new(pieces, squares[number], load(&LEAPS));
                let enemies = around.enemies() & 0xFF;
                if QUIET {
                    let empty = !around.full() & 0xFF;
                    let wanted = if NOISY { empty | enemies } else { empty };
                    around.add_leaps::<NOISY>(wanted as u8, list);
                } else {
                    around.add_captures(&LEAPS, enemies, list);
                }
            }
            let queens = of(PieceKind::Queen);
            for (sliders, offsets) in [
                (of(PieceKind::Bishop) | queens, &DIAGONALS),
                (of(PieceKind::Rook) | queens, &ORTHOGONALS),
            ] {
                for number in sliders {
                    let around = Around::new(pieces, squares[number], load(offsets));
                    let full = around.full();
                    let seen = seen(full);
                    let enemies = around.enemies() & seen;
                    if QUIET {
                        let empty = seen & !full;
                        let wanted = if NOISY { empty | enemies } else { empty };
                        around.add_rays::<NOISY>(wanted, list);
                    } else {
                        around.add_captures(offsets, enemies, list);
                    }
                }
            }
        }

        /// Sets of squares, repeated so that `lookup` finds their ranks.
        #[derive(Clone, Copy)]
        struct Pieces {
            /// Squares with a piece.
            all: $bytes,
            /// Squares with a piece of the side that is not to move.
            enemies: $bytes,
        }

        impl Pieces {
            #[inline]
            #[target_feature(enable = $features)]
            fn new<const WHITE: bool>(board: &Board) -> Pieces {
                let cells = cells(board);
                let all = !square_set(cells.map(|cells| is_zero(cells)));
                // Only entries of Black's pieces have the highest bit.
                let black = square_set(cells);
                let enemies = if WHITE { black } else { all & !black };
                Pieces {
                    all: repeated(all),
                    enemies: repeated(enemies),
                }
            }
        }

        /// The surroundings of a piece: one step from its square per byte.
        #[derive(Clone, Copy)]
        struct Around {
            /// 0x88 index of the piece.
            from: Index0x88,
            /// 0x88 indices of the targets of the steps.
            targets: $bytes,
            /// A bit for each target on the board.
            bits: $bytes,
            /// These bits of occupied targets.
            occupied: $bytes,
            /// Bytes of ones for targets without a piece of the other side.
            peaceful: $bytes,
        }

        impl Around {
            #[inline]
            #[target_feature(enable = $features)]
            fn new(pieces: Pieces, from: Index0x88, offsets: $bytes) -> Around {
                let bits_of_files = words([0x8040_2010_0804_0201, 0, 0x8040_2010_0804_0201, 0]);
                let targets = add(splat(from), offsets);
                let bits = lookup(bits_of_files, targets);
                let ranks = upper_halves(targets);
                Around {
                    from,
                    targets,
                    bits,
                    occupied: and(lookup(pieces.all, ranks), bits),
                    peaceful: is_zero(and(lookup(pieces.enemies, ranks), bits)),
                }
            }

            /// Returns the bytes whose targets are off the board or occupied.
            #[inline]
            #[target_feature(enable = $features)]
            fn full(&self) -> u32 {
                signs(equal(self.occupied, self.bits))
            }

            /// Returns the bytes whose targets have a piece of the other side.
            #[inline]
            #[target_feature(enable = $features)]
            fn enemies(&self) -> u32 {
                !signs(self.peaceful)
            }

            /// Returns the moves to all targets, none of them 0. Captures are marked if `NOISY`.
            #[inline]
            #[target_feature(enable = $features)]
            fn moves<const NOISY: bool>(&self) -> [$moves; 4] {
                const QUIETLY: [u8; 2] = MoveKind::Quiet.bits().to_le_bytes();
                const TAKING: [u8; 2] = MoveKind::Capture.bits().to_le_bytes();
                const { assert!(QUIETLY[0] == TAKING[0] && QUIETLY[0] != 0 && QUIETLY[1] == 0) };
                let mut upper = self.targets;
                if NOISY {
                    upper = or(upper, without(splat(TAKING[1]), self.peaceful));
                }
                moves(splat(self.from | QUIETLY[0]), upper)
            }

            /// Adds the moves of a slider to the targets in `wanted`, the first ones of each ray.
            #[inline]
            #[target_feature(enable = $features)]
            fn add_rays<const NOISY: bool>(&self, wanted: u32, list: &mut MoveList) {
                let counts = wanted.to_le_bytes().map(|ray| ray.count_ones() as usize);
                // SAFETY: `moves` returns no move that is 0.
                unsafe { append(self.moves::<NOISY>(), counts, list) };
            }

            /// Adds the moves of a knight to the targets in `wanted`.
            #[inline]
            #[target_feature(enable = $features)]
            fn add_leaps<const NOISY: bool>(&self, wanted: u8, list: &mut MoveList) {
                let [moves, ..] = self.moves::<NOISY>();
                let halves = [wanted & 15, wanted >> 4].map(usize::from);
                let packed = [
                    pack(moves, &PACKED[0][halves[0]]),
                    pack(moves, &PACKED[1][halves[1]]),
                ];
                let counts = halves.map(|half| half.count_ones() as usize);
                // SAFETY: `moves` returns no move that is 0, and `PACKED` puts as many of them as the set has members
                // at the front.
                unsafe { append(packed, counts, list) };
            }

            /// Adds captures of the targets in `enemies`, by their offsets from the piece.
            #[inline]
            fn add_captures(
                &self,
                offsets: &Register<[Index0x88; 64]>,
                mut enemies: u32,
                list: &mut MoveList,
            ) {
                while enemies != 0 {
                    let to = self
                        .from
                        .wrapping_add(offsets.0[enemies.trailing_zeros() as usize]);
                    let squares = [self.from, to].map(Square::from_index_0x88);
                    list.push(Move::new(squares[0], squares[1], MoveKind::Capture));
                    enemies &= enemies - 1;
                }
            }
        }

        /// Appends the first `counts` moves of each register, at most eight.
        ///
        /// # Safety
        ///
        /// These moves are not 0.
        #[inline]
        #[target_feature(enable = $features)]
        unsafe fn append<const N: usize>(
            registers: [$moves; N],
            counts: [usize; N],
            list: &mut MoveList,
        ) {
            const { assert!(MOVE_LIST_CAPACITY >= MAX_LEGAL_MOVES + 8 * N) };
            assert!(list.remaining_capacity() >= 8 * N);
            let mut length = list.len();
            for (register, count) in registers.into_iter().zip(counts) {
                // SAFETY: each of the `N` registers is written at most eight moves after the previous one, so that all
                // of them end within the capacity asserted above.
                unsafe { store(list.as_mut_ptr().add(length), register) };
                length += count.min(8);
            }
            // SAFETY: the registers were written without gaps up to this length, and the caller ensures that the moves
            // are valid.
            unsafe { list.set_len(length) };
        }

        // Inlined where the build requires the instructions, it would slow down the callers with other ones.
        #[inline(never)]
        #[target_feature(enable = $features)]
        fn attack_map_here(board: &Board, by: Color) -> AttackMap {
            let cells = cells(board);
            let of = |kind| {
                let entry = (piece_code(by, kind) as u8) << 4;
                square_set(cells.map(|cells| equal(and(cells, splat(0xF0)), splat(entry))))
            };
            let (bishops, rooks) = (of(PieceKind::Bishop), of(PieceKind::Rook));
            let sliders = [
                words([bishops, bishops, rooks, rooks]),
                repeated(of(PieceKind::Queen)),
            ];
            let empty = repeated(square_set(cells.map(|cells| is_zero(cells))));
            let knights = repeated(of(PieceKind::Knight));
            let [up, down] = [
                attacks::<false>(sliders, empty, knights),
                attacks::<true>(sliders, empty, knights),
            ];
            let [sliders, queens, knights] =
                std::array::from_fn(|index| or(up[index], down[index]));
            let diagonals = words([u64::MAX, u64::MAX, 0, 0]);
            let union = |set| SquareSet::from_bits(union(set));
            AttackMap::new(
                SquareSet::from_bits(of(PieceKind::Pawn)).pawn_attacks(by),
                union(or(knights, and(sliders, diagonals))),
                union(without(sliders, diagonals)),
                union(queens) | king_attacks(board.king(by)),
            )
        }

        /// Returns the attacks in four directions, in the second half of the tables if `DOWN`: of each of the two sets
        /// of sliders, and of the knights.
        #[inline]
        #[target_feature(enable = $features)]
        fn attacks<const DOWN: bool>(
            mut sliders: [$bytes; 2],
            empty: $bytes,
            knights: $bytes,
        ) -> [$bytes; 3] {
            let half = usize::from(DOWN);
            // Both halves have the same steps in opposite directions.
            let shift = |set, steps: [u64; 4]| {
                if DOWN {
                    shift_down(set, words(steps))
                } else {
                    shift_up(set, words(steps))
                }
            };
            let [steps, _] = NEIGHBOURS.rotations.0;
            let reached = words(NEIGHBOURS.reached.0[half]);
            let mut free = and(empty, reached);
            for count in [1, 2, 4] {
                let steps = steps.map(|step| step * count);
                sliders = sliders.map(|set| or(set, and(shift(set, steps), free)));
                free = and(free, shift(free, steps));
            }
            let [sliders, queens] = sliders.map(|set| and(shift(set, steps), reached));
            let leapt = shift(knights, KNIGHT.rotations.0[0]);
            [sliders, queens, and(leapt, words(KNIGHT.reached.0[half]))]
        }

        /// Returns the squares in the entries of the whole board that have their highest bit set.
        #[inline]
        #[target_feature(enable = $features)]
        fn square_set([low, high]: [$bytes; 2]) -> u64 {
            u64::from(signs(low)) | u64::from(signs(high)) << 32
        }

        /// Returns the mailbox entries of the 64 squares.
        #[inline]
        #[target_feature(enable = $features)]
        fn cells(board: &Board) -> [$bytes; 2] {
            let (ranks, _) = board.mailbox.as_chunks::<16>();
            let word =
                |rank: usize| u64::from_le_bytes(std::array::from_fn(|file| ranks[rank][file].0));
            [
                words(std::array::from_fn(word)),
                words(std::array::from_fn(|rank| word(rank + 4))),
            ]
        }
    };
}
pub(super) use {board_functions, entry_points};
