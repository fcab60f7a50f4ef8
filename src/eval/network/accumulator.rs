//! Accumulators of all positions between the root and the current one, updated lazily.

use arrayvec::ArrayVec;

use crate::board::{Board, MoveEffect};
use crate::types::{Color, MAX_PLY, Move, PieceKind, Square, SquareSet};

use super::features::{Feature, Perspective, Perspectives};
use super::kernels::Kernels;
use super::model::Network;
use super::quantisation::{Block, zero_blocks};

/// Positions on the stack: the root, the moves of the longest line, and a few more for safety.
const STACK_SIZE: usize = MAX_PLY + 8;

/// Features that a move activates (`added`) and deactivates (`removed`); `None` for a null move.
type FeatureDelta = Option<MoveEffect<Feature>>;

/// State of the accumulators of one position, without their values.
#[derive(Clone)]
struct AccumulatorState {
    /// Set for each color whose accumulator has been computed.
    is_computed: [bool; 2],
    /// Perspective of each color.
    perspectives: [Perspective; 2],
    /// Features changed by the move that led to this position.
    delta: FeatureDelta,
}

/// Squares of the pieces on a board, by color and kind.
type PieceSets = [[SquareSet; 6]; 2];

/// The last accumulator that was refreshed for each side and perspective.
///
/// A refresh starts from it and applies only the difference between the two positions. ("Finny tables": Luecx, in
/// Koivisto.)
struct RefreshCache {
    accumulators: Box<[Block]>,
    /// Pieces in each accumulator.
    pieces: Box<[PieceSets]>,
}

/// Accumulators of one search thread: a stack of positions and a refresh cache.
pub(super) struct AccumulatorStack {
    perspectives: Perspectives,
    /// States of the positions on the stack; entries above `top` are unused.
    states: Box<[AccumulatorState]>,
    /// Accumulators of the positions on the stack: White's, then Black's, of each position.
    ///
    /// They are kept apart from `states`, so that a walk down the stack touches few cache lines.
    accumulators: Box<[Block]>,
    /// Index of the current position.
    top: usize,
    refresh_cache: RefreshCache,
}

impl AccumulatorStack {
    /// Creates a stack for `network`; [`AccumulatorStack::reset`] must be called before its first use.
    pub fn new(network: &Network) -> AccumulatorStack {
        let blocks = network.architecture.width.blocks();
        let perspectives = Perspectives::new(&network.architecture.king_buckets);
        let state = AccumulatorState {
            is_computed: [false; 2],
            perspectives: Color::ALL.map(|side| perspectives.of(side, Square::from_index(0))),
            delta: None,
        };
        // Each king bucket has two perspectives, mirrored and not, for each of the two sides.
        let cached = 2 * 2 * network.architecture.king_buckets.count();
        AccumulatorStack {
            perspectives,
            states: vec![state; STACK_SIZE].into_boxed_slice(),
            accumulators: zero_blocks(STACK_SIZE * 2 * blocks),
            top: 0,
            refresh_cache: RefreshCache {
                accumulators: network.biases.repeat(cached).into_boxed_slice(),
                pieces: vec![[[SquareSet::EMPTY; 6]; 2]; cached].into_boxed_slice(),
            },
        }
    }

    /// Makes `board` the root of the stack and computes its accumulators.
    ///
    /// They are computed at once because the search may never request the root's evaluation, and accumulators of later
    /// positions are updated from those of the root.
    pub fn reset<K: Kernels, const B: usize>(&mut self, network: &Network, board: &Board) {
        self.top = 0;
        self.states[0].perspectives =
            Color::ALL.map(|side| self.perspectives.of(side, board.king(side)));
        for side in Color::ALL {
            let perspective = self.states[0].perspectives[side.index()];
            self.refresh::<K, B>(network, board, perspective, side);
        }
    }

    /// Pushes the position after the legal move `mv` on `before`; its accumulators are computed on demand.
    #[inline]
    pub fn push(&mut self, before: &Board, mv: Move) {
        let mut perspectives = self.states[self.top].perspectives;
        if let Some(square) = before.king_target(mv) {
            let us = before.side_to_move();
            perspectives[us.index()] = self.perspectives.of(us, square);
        }
        self.push_state(perspectives, Some(before.effect_with(mv, Feature::of)));
    }

    /// Pushes the position after a null move.
    #[inline]
    pub fn push_null(&mut self) {
        self.push_state(self.states[self.top].perspectives, None);
    }

    #[inline]
    fn push_state(&mut self, perspectives: [Perspective; 2], delta: FeatureDelta) {
        self.top += 1;
        let state = &mut self.states[self.top];
        state.is_computed = [false; 2];
        state.perspectives = perspectives;
        state.delta = delta;
    }

    /// Pops the current position.
    #[inline]
    pub fn pop(&mut self) {
        self.top -= 1;
    }

    /// Returns the accumulators of the current position `board`: that of the side to move, then its opponent's.
    #[inline(always)]
    pub fn current<K: Kernels, const B: usize>(
        &mut self,
        network: &Network,
        board: &Board,
    ) -> [&[Block; B]; 2] {
        for side in Color::ALL {
            if !self.states[self.top].is_computed[side.index()] {
                self.compute::<K, B>(network, board, side);
            }
        }
        let accumulators = &self.accumulators.as_chunks::<B>().0.as_chunks::<2>().0[self.top];
        let us = board.side_to_move();
        [&accumulators[us.index()], &accumulators[(!us).index()]]
    }

    /// Computes the accumulator of `side` for the current position `board`.
    ///
    /// It updates all accumulators from the nearest computed one below on the stack. If the perspective has changed
    /// since then, it refreshes the current accumulator instead.
    // Inlined, it would take the registers of the code that runs if both accumulators have been computed.
    #[inline(never)]
    fn compute<K: Kernels, const B: usize>(
        &mut self,
        network: &Network,
        board: &Board,
        side: Color,
    ) {
        let index = side.index();
        let states = &mut self.states[..=self.top];
        let Some(perspective) = states.last().map(|state| state.perspectives[index]) else {
            return;
        };
        let has_perspective = |state: &&AccumulatorState| state.perspectives[index] == perspective;
        let missing = (states.iter().rev())
            .take_while(has_perspective)
            .take_while(|state| !state.is_computed[index])
            .count();
        let computed = states.len().wrapping_sub(missing + 1);
        if !states
            .get(computed)
            .is_some_and(|state| has_perspective(&state))
        {
            self.refresh::<K, B>(network, board, perspective, side);
            return;
        }
        let (accumulators, _) = self
            .accumulators
            .as_chunks_mut::<B>()
            .0
            .as_chunks_mut::<2>();
        let accumulators = &mut accumulators[computed..=self.top];
        for (step, state) in (0..missing).zip(&mut states[computed + 1..]) {
            let Some([source, target]) = accumulators.get_mut(step..step + 2) else {
                return;
            };
            let (source, target) = (&source[index], &mut target[index]);
            let weights = |feature| &network.weights()[perspective.index(feature)];
            match state.delta {
                None => *target = *source,
                Some(MoveEffect::Quiet { removed, added }) => {
                    K::add_sub(target, source, [weights(added)], [weights(removed)]);
                }
                Some(MoveEffect::Capture { removed, added }) => {
                    let removed = removed.map(weights);
                    K::add_sub_sub(target, source, [weights(added)], removed);
                }
                Some(MoveEffect::Castle { removed, added }) => {
                    let (added, removed) = (added.map(weights), removed.map(weights));
                    K::update(target, source, &added, &removed);
                }
            }
            state.is_computed[index] = true;
        }
    }

    /// Computes the accumulator of `side` for the current position `board` from the refresh cache.
    fn refresh<K: Kernels, const B: usize>(
        &mut self,
        network: &Network,
        board: &Board,
        perspective: Perspective,
        side: Color,
    ) {
        let cached = 2 * perspective.number() + side.index();
        let pieces = &mut self.refresh_cache.pieces[cached];
        let mut added: ArrayVec<&[Block; B], 64> = ArrayVec::new();
        let mut removed: ArrayVec<&[Block; B], 64> = ArrayVec::new();
        for color in Color::ALL {
            for kind in PieceKind::ALL {
                let before = &mut pieces[color.index()][kind.index()];
                let now = board
                    .pieces(color, kind)
                    .fold(SquareSet::EMPTY, SquareSet::with);
                let weights = |square: Square| {
                    let feature = Feature::new(color, kind, square);
                    &network.weights()[perspective.index(feature)]
                };
                added.extend(now.without(*before).map(weights));
                removed.extend(before.without(now).map(weights));
                *before = now;
            }
        }
        let cached = &mut self.refresh_cache.accumulators.as_chunks_mut::<B>().0[cached];
        let (accumulators, _) = self
            .accumulators
            .as_chunks_mut::<B>()
            .0
            .as_chunks_mut::<2>();
        let target = &mut accumulators[self.top][side.index()];
        K::update(target, cached, &added, &removed);
        *cached = *target;
        self.states[self.top].is_computed[side.index()] = true;
    }
}
