//! The search function: principal variation search with everything that keeps its tree small.

use arrayvec::ArrayVec;

use crate::eval::Evaluator;
use crate::types::{Depth, Key, Move, Ply, Score};

use super::history::bonus;
use super::job::bound_of;
use super::node::{Node, NonPv, Pv};
use super::picker::Picker;
use super::prune;
use super::quiescence::usable_score;
use super::searcher::Searcher;
use super::statistics::CutGroup;
use super::table::Entry;

/// Quiet moves remembered for a malus when a later one cuts.
const QUIETS_REMEMBERED: usize = 64;

/// Moves tried before reductions begin.
const UNREDUCED_MOVES: usize = 3;

/// The least depth at which moves are reduced.
const REDUCTION_DEPTH: Depth = 3;

impl<E: Evaluator> Searcher<E> {
    /// The value of the current position searched to `depth`, within the window: exact inside it, a bound outside.
    /// `after_null`: the move that led here was a null move.
    pub(super) fn search<N: Node>(
        &mut self,
        mut alpha: Score,
        mut beta: Score,
        mut depth: Depth,
        ply: Ply,
        after_null: bool,
    ) -> Score {
        // 1. Check extension: a check is answered before judging. Not without end, and never at the root.
        let checks = self.board.checks();
        let in_check = checks.in_check();
        let asked_depth = depth;
        if in_check
            && !N::ROOT
            && self.parameters.check_extension() != 0
            && i32::from(ply.0) < 2 * self.root_depth
        {
            depth += 1;
        }

        // 2. The horizon: captures are played out.
        if depth <= 0 {
            return self.quiescence::<N>(alpha, beta, ply);
        }

        // 3. Count the node; end where the game or the line does.
        self.enter_node(ply);
        if N::PV {
            self.pv.clear(ply);
        }
        if self.stopped {
            return Score::DRAW;
        }
        if !N::ROOT {
            if self.is_draw(in_check) {
                return Score::DRAW;
            }
            if let Some(score) = self.given_score(asked_depth, ply) {
                return score;
            }
            if Self::is_too_deep(ply) {
                return self.evaluate();
            }

            // 4. Mate-distance pruning: a shorter mate is known already.
            if self.parameters.mate_distance() != 0 {
                (alpha, beta) = prune::mate_distance_window(alpha, beta, ply);
                if alpha >= beta {
                    return alpha;
                }
            }
        }

        // 5. The table may know the answer. On the principal variation it gives its move only, so that the line stays
        //    whole and draws by repetition are seen.
        let key = self.board.key();
        let known = self.probe(key);
        if let Some(entry) = known
            && !N::PV
            && entry.depth >= depth
            && self.may_trust_table_scores()
            && let Some(score) = usable_score(&entry, alpha, beta, ply)
        {
            return score;
        }
        let table_move = known
            .and_then(|entry| entry.mv)
            .filter(|_| self.parameters.table_move() != 0);

        // 6. Static evaluation; in check it means nothing.
        let static_eval = match known {
            _ if in_check => Score::NONE,
            Some(entry) if entry.eval != Score::NONE => entry.eval,
            _ => self.evaluate(),
        };

        // 7. Null move: if passing is good enough, moving will be.
        if !N::PV
            && !in_check
            && prune::may_pass(
                &self.parameters,
                &self.board,
                static_eval,
                beta,
                depth,
                after_null,
            )
            && let Some(score) = self.try_null_move(beta, depth, ply)
        {
            return score;
        }
        if self.stopped {
            return Score::DRAW;
        }

        // 8. Try the moves.
        let first = self
            .previous_line
            .move_at(ply)
            .filter(|_| N::PV && self.parameters.previous_line() != 0);
        let killers = if self.parameters.killers() != 0 {
            self.killers.get(ply)
        } else {
            [None; 2]
        };
        let mut picker = Picker::all(checks, first.or(table_move), killers);
        let old_alpha = alpha;
        let mut best = -Score::INFINITE;
        let mut best_move = None;
        let mut tried = 0;
        let mut quiets: ArrayVec<Move, QUIETS_REMEMBERED> = ArrayVec::new();
        loop {
            let next = if N::ROOT {
                self.next_root_move(tried)
            } else {
                picker.next(&self.board, &self.history, &self.parameters)
            };
            let Some((mv, group)) = next else { break };
            let is_quiet = !mv.is_noisy();
            let undo = self.make(mv, ply);
            if N::PV {
                // A zero-window search below leaves no line; that of a sibling must not pass for its.
                self.pv.clear(ply.next());
            }

            // 9. Late move reduction: what comes late is probably bad, and is looked at less deep first.
            let mut reduction = 0;
            if self.parameters.late_move_reductions() != 0
                && depth >= REDUCTION_DEPTH
                && tried >= UNREDUCED_MOVES
                && is_quiet
                && !in_check
                && group == CutGroup::Quiet
            {
                reduction = self.reductions.get(depth, tried) - Depth::from(N::PV);
                reduction = reduction.max(0);
            }

            // 10. Principal variation search: the first move with the whole window, the others only to see that they
            //     are no better; those that are, again.
            let score = self.search_move::<N>(alpha, beta, depth - 1, reduction, tried == 0, ply);
            self.unmake(mv, undo, ply);
            if self.stopped {
                return Score::DRAW;
            }
            tried += 1;

            if N::ROOT {
                self.note_root_score(tried - 1, mv, score, alpha);
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = Some(mv);
                    if N::PV {
                        self.pv.update(ply, mv);
                    }
                    if score >= beta {
                        self.learn_from_cut(mv, group, &quiets, depth, ply, tried);
                        break;
                    }
                }
            }
            if is_quiet && !quiets.is_full() {
                quiets.push(mv);
            }
        }

        // 11. No legal move: mate or stalemate.
        if tried == 0 {
            return if in_check {
                Score::mated_in(ply)
            } else {
                Score::DRAW
            };
        }

        // 12. Tell the table. A later variation of a multi-PV search, or the best of some moves only, is not what the
        //     position is worth.
        let bound = bound_of(best, old_alpha, beta);
        if !N::ROOT || (self.root.is_first_variation() && self.all_root_moves) {
            self.store(
                key,
                Entry {
                    mv: best_move,
                    score: best.to_table(ply),
                    eval: static_eval,
                    depth,
                    bound,
                },
            );
        }
        best
    }

    /// Searches the position after a move, which has been made; the score is seen by the side that made it.
    #[inline]
    fn search_move<N: Node>(
        &mut self,
        alpha: Score,
        beta: Score,
        depth: Depth,
        reduction: Depth,
        is_first: bool,
        ply: Ply,
    ) -> Score {
        let next = ply.next();
        if is_first {
            return if N::PV {
                -self.search::<Pv>(-beta, -alpha, depth, next, false)
            } else {
                -self.search::<NonPv>(-beta, -alpha, depth, next, false)
            };
        }
        // With the technique switched off, the window stays open.
        let zero_window = self.parameters.principal_variation_search() != 0;
        let lower = if zero_window { -(alpha + 1) } else { -beta };
        let mut score = -self.search::<NonPv>(lower, -alpha, depth - reduction, next, false);
        if score > alpha && reduction > 0 && !self.stopped {
            score = -self.search::<NonPv>(lower, -alpha, depth, next, false);
        }
        if N::PV && score > alpha && score < beta && !self.stopped {
            score = -self.search::<Pv>(-beta, -alpha, depth, next, false);
        }
        score
    }

    /// Passes, and returns a score that is at least `beta` if the opponent cannot make use of it.
    fn try_null_move(&mut self, beta: Score, depth: Depth, ply: Ply) -> Option<Score> {
        let reduced = depth - 1 - prune::null_move_reduction(&self.parameters, depth);
        self.evaluator.push_null(&self.board);
        self.keys.push(self.board.key());
        let floor = std::mem::replace(&mut self.null_floor, self.keys.len());
        let undo = self.board.make_null();
        let score = -self.search::<NonPv>(-beta, -beta + 1, reduced, ply.next(), true);
        self.board.unmake_null(undo);
        self.null_floor = floor;
        self.keys.pop();
        self.evaluator.pop();
        if self.stopped || score < beta {
            return None;
        }
        if prune::needs_verification(&self.parameters, depth) {
            // Zugzwang can fool a pass even with pieces on the board: our own moves must confirm it.
            let verified = self.search::<NonPv>(beta - 1, beta, reduced, ply, true);
            if self.stopped || verified < beta {
                return None;
            }
        }
        Some(prune::null_move_score(score, beta))
    }

    /// A move has cut: it is tried earlier next time, and the quiet moves before it later.
    fn learn_from_cut(
        &mut self,
        mv: Move,
        group: CutGroup,
        quiets: &[Move],
        depth: Depth,
        ply: Ply,
        tried: usize,
    ) {
        self.statistics.cuts[group as usize] += 1;
        self.statistics.first_move_cuts += u64::from(tried == 1);
        if mv.is_noisy() {
            return;
        }
        self.killers.push(ply, mv);
        let side = self.board.side_to_move();
        self.history.update(side, mv, bonus(depth));
        for &quiet in quiets {
            self.history.update(side, quiet, -bonus(depth));
        }
    }

    /// What the table knows of a position.
    #[inline]
    pub(super) fn probe(&self, key: Key) -> Option<Entry> {
        if self.parameters.table() == 0 {
            None
        } else {
            self.shared.table.probe(key)
        }
    }

    /// Notes a result in the table.
    #[inline]
    pub(super) fn store(&self, key: Key, entry: Entry) {
        if self.parameters.table() != 0 {
            self.shared.table.store(key, entry);
        }
    }
}
