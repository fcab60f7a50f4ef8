//! The search function: principal variation search with everything that keeps its tree small.

use arrayvec::ArrayVec;

use crate::eval::Evaluator;
use crate::messages::Bound;
use crate::types::{Depth, Move, Ply, Score};

use super::node::{Node, NonPv, Pv};
use super::picker::{Picked, Picker};
use super::prune;
use super::reduce::{Late, ONE_PLY};
use super::searcher::Searcher;
use super::statistics::CutGroup;
use super::table::TableEntry;

/// Moves remembered, of each sort, for a malus when a later one cuts.
const MOVES_REMEMBERED: usize = 64;

/// Moves tried in a node before the one that cut.
pub(super) type Tried = ArrayVec<Move, MOVES_REMEMBERED>;

impl<E: Evaluator> Searcher<E> {
    /// The value of the current position searched to `depth`, within the window: exact inside it, a bound outside.
    /// `cut_node`: some move is expected to reach `beta`.
    pub(super) fn search<N: Node>(
        &mut self,
        mut alpha: Score,
        mut beta: Score,
        mut depth: Depth,
        ply: Ply,
        cut_node: bool,
    ) -> Score {
        // 1. Check extension: a check is answered before judging. Not without end, and never at the root.
        let checks = self.stack.at(ply).checks;
        let in_check = checks.in_check();
        let asked_depth = depth;
        if in_check && !N::ROOT && self.parameters.check_extension() && self.may_extend(ply) {
            depth += 1;
        }

        // 2. The horizon: quiescence.
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
            if let Some(score) = self.score_override(asked_depth, ply) {
                return score;
            }
            if Self::is_too_deep(ply) {
                return self.evaluate();
            }

            if alpha < Score::DRAW && self.can_repeat() {
                alpha = Score::DRAW;
                if alpha >= beta {
                    return alpha;
                }
            }

            // 4. Mate-distance pruning: a shorter mate is known already.
            (alpha, beta) = prune::mate_distance_window(alpha, beta, ply);
            if alpha >= beta {
                return alpha;
            }
        }

        // 5. The table may know the answer. On the principal variation it gives its move only, so that the line stays
        //    whole and draws by repetition are seen.
        let key = self.board.key();
        let excluded = self.stack.at(ply).excluded;
        let known = self.probe();
        if let Some(entry) = known
            && !N::PV
            && excluded.is_none()
            && entry.depth >= depth
            && self.may_trust_table_scores()
            && let Some(score) = entry.cutoff_score(alpha, beta, ply)
        {
            return score;
        }
        let table_move = known
            .and_then(|entry| entry.mv)
            .filter(|_| self.parameters.table_move());
        let on_pv = N::PV || known.is_some_and(|entry| entry.on_pv);

        // 6. Static evaluation; in check it means nothing. What the table knows is better.
        let raw_eval = match known {
            _ if in_check => Score::NONE,
            Some(entry) if entry.eval != Score::NONE => entry.eval,
            _ => self.evaluate(),
        };
        let static_eval = if in_check {
            Score::NONE
        } else {
            self.corrected(raw_eval, ply)
        };
        self.stack.at_mut(ply).eval = static_eval;
        let eval = match known {
            Some(entry) if !in_check => entry.refine_eval(static_eval, ply),
            _ => static_eval,
        };
        let improving = self.stack.is_improving(ply);

        // 7. Whole nodes that need no search of their moves.
        let facts = Facts {
            alpha,
            beta,
            depth,
            ply,
            cut_node,
            raw_eval,
            static_eval,
            eval,
            improving,
            known,
        };
        if !N::PV
            && !in_check
            && excluded.is_none()
            && let Some(score) = self.prune_node(&facts)
        {
            return score;
        }
        if self.stopped {
            return Score::DRAW;
        }

        // 8. Internal iterative reduction: without a table move the ordering is poor, and a shallower search finds one
        //    for the next time.
        if self.parameters.internal_reduction()
            && (N::PV || cut_node)
            && !N::ROOT
            && depth >= self.parameters.internal_reduction_depth()
            && table_move.is_none()
            && excluded.is_none()
        {
            depth -= 1;
        }

        // 9. Try the moves.
        let first = self
            .previous_line
            .move_at(ply)
            .filter(|_| N::PV && self.parameters.previous_line());
        let killers = if self.parameters.killers() {
            self.killers.get(ply)
        } else {
            [None; 2]
        };
        let context = self.stack.context(ply, self.board.pawn_key());
        let mut picker = Picker::all(checks, context, first.or(table_move), killers);
        let table_move_is_noisy = table_move.is_some_and(|mv| mv.is_noisy());
        let may_prune = !N::ROOT && self.board.has_pieces(self.board.side_to_move());
        let old_alpha = alpha;
        let mut best = -Score::INFINITE;
        let mut best_move = None;
        let mut tried = 0;
        let mut quiets = Tried::new();
        let mut captures = Tried::new();
        loop {
            // 10. Late and hopeless moves are not looked at, once some move does not lose at once.
            let may_leave_out = may_prune && best > -Score::MATE_BOUND;
            let base_reduction = self.reductions.get(depth, tried + 1);
            let reduced = (depth - base_reduction / ONE_PLY).max(0);
            if may_leave_out && prune::is_futile(&self.parameters, reduced, static_eval, alpha) {
                picker.skip_all_but_checks();
            }
            let next = if N::ROOT {
                self.next_root_move(tried, picker.context())
            } else {
                picker.next(
                    &self.board,
                    &self.histories,
                    &self.parameters,
                    &self.shared.table,
                )
            };
            let Some(Picked {
                mv,
                group,
                merit,
                checks,
            }) = next
            else {
                break;
            };
            if Some(mv) == excluded {
                continue;
            }
            let is_quiet = !mv.is_noisy();
            tried += 1;
            if may_leave_out {
                let late = prune::LateMove {
                    depth,
                    reduced,
                    tried,
                    improving,
                    merit,
                };
                if is_quiet {
                    if !checks && late.ends_quiets(&self.parameters) {
                        picker.skip_quiets();
                        continue;
                    }
                    if late.is_hopeless_quiet(&self.parameters, &self.board, picker.context(), mv) {
                        continue;
                    }
                } else if group != CutGroup::TableMove
                    && late.is_hopeless_capture(&self.parameters, &self.board, mv)
                {
                    continue;
                }
            }

            // 11. Singular extension: a table move that alone is good is searched deeper.
            let mut new_depth = depth - 1;
            if !N::ROOT
                && excluded.is_none()
                && Some(mv) == table_move
                && let Some(entry) = known
            {
                match self.singular_extension(&facts, &entry, mv, N::PV) {
                    Singular::Extend(plies) => new_depth += plies,
                    Singular::Cut(score) => return score,
                }
                if self.stopped {
                    return Score::DRAW;
                }
            }

            if tried == 1 {
                // The null move before has counted, too.
                self.stack.at_mut(ply.next()).child_cuts = 0;
            }
            let nodes_before = self.nodes;
            let undo = self.make(mv, ply);
            let doubly = u16::from(new_depth > depth);
            self.stack.at_mut(ply.next()).double_extensions =
                self.stack.at(ply).double_extensions + doubly;
            if N::PV {
                // A zero-window search below leaves no line; that of a sibling must not pass for its.
                self.pv.clear(ply.next());
            }

            // 12. Late move reduction: what comes late is probably bad, and is looked at less deep first.
            let mut reduction = 0;
            if self.parameters.late_move_reductions()
                && depth >= 2
                && tried > 1 + usize::from(N::ROOT)
                && (is_quiet || group == CutGroup::LosingCapture)
            {
                let late = Late {
                    base: base_reduction,
                    on_pv,
                    pv_node: N::PV,
                    cut_node,
                    improving,
                    is_quiet,
                    is_killer: group == CutGroup::Killer,
                    gives_check: self.stack.at(ply.next()).checks.in_check(),
                    table_move_is_noisy,
                    child_cuts: self.stack.at(ply.next()).child_cuts,
                    merit,
                };
                let least = if self.may_extend(ply) {
                    late.least(&self.parameters)
                } else {
                    0
                };
                reduction = late
                    .plies(&self.parameters)
                    .clamp(least, (new_depth - 1).max(0));
            }

            // 13. Principal variation search: the first move with the whole window, the others only to see that they
            //     are no better; those that are, again.
            let trial = Trial {
                alpha,
                beta,
                best,
                depth: new_depth,
                reduction,
                is_first: tried == 1,
                cut_node,
            };
            let score = self.search_move::<N>(ply, trial);
            self.unmake(mv, undo, ply);
            if self.stopped {
                return Score::DRAW;
            }

            if N::ROOT {
                let nodes = self.nodes - nodes_before;
                self.note_root_score(tried - 1, mv, score, (alpha, beta), nodes);
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
                        if excluded.is_none() && !self.stack.at(ply).no_pass {
                            self.stack.at_mut(ply).child_cuts += 1;
                        }
                        self.statistics.cuts[group as usize] += 1;
                        self.statistics.first_move_cuts += u64::from(tried == 1);
                        let context = picker.context();
                        self.learn_from_cut(mv, context, &quiets, &captures, depth, ply);
                        break;
                    }
                }
            }
            let list = if is_quiet { &mut quiets } else { &mut captures };
            if !list.is_full() {
                list.push(mv);
            }
        }

        // 14. No legal move: mate or stalemate.
        if tried == 0 {
            return if excluded.is_some() {
                alpha
            } else if in_check {
                Score::mated_in(ply)
            } else {
                Score::DRAW
            };
        }
        if excluded.is_some() {
            return best;
        }

        // 15. Learn how far the static evaluation was off.
        let bound = Bound::of(best, old_alpha, beta);
        let tells_more = match bound {
            Bound::Exact => true,
            Bound::Lower => best > static_eval,
            Bound::Upper => best < static_eval,
        };
        if !in_check
            && tells_more
            && self.corrects_evaluation()
            && best_move.is_none_or(|mv| !mv.is_noisy())
        {
            let moves = self.stack.last_moves(ply);
            let places = self.stack.at(ply).places;
            self.corrections
                .learn(places, moves, depth, best, static_eval);
        }

        // 16. Tell the table. A later variation of a multi-PV search, or the best of some moves only, is not what the
        //     position is worth.
        if !N::ROOT || (self.root.is_first_variation() && self.all_root_moves) {
            self.store(
                key,
                TableEntry {
                    mv: best_move,
                    score: best.to_table(ply),
                    eval: raw_eval,
                    depth,
                    bound,
                    on_pv,
                },
            );
        }
        best
    }

    /// Searches the position after a move, which has been made; the score is seen by the side that made it.
    #[inline]
    fn search_move<N: Node>(&mut self, ply: Ply, trial: Trial) -> Score {
        let next = ply.next();
        let Trial { alpha, beta, .. } = trial;
        let mut depth = trial.depth;
        if trial.is_first && N::PV {
            return -self.search::<Pv>(-beta, -alpha, depth, next, false);
        }
        // With the technique switched off, the window stays open.
        let zero_window = self.parameters.principal_variation_search();
        let lower = if zero_window { -(alpha + 1) } else { -beta };
        let reduced = depth - trial.reduction;
        let cut = trial.reduction > 0 || !trial.cut_node;
        let mut score = -self.search::<NonPv>(lower, -alpha, reduced, next, cut);
        if score > alpha && trial.reduction > 0 && !self.stopped {
            // What surprises much is looked at deeper, what surprises hardly, less deep.
            depth += i32::from(score > trial.best + self.parameters.deeper_margin() + 2 * depth);
            depth -= i32::from(score < trial.best + self.parameters.shallower_margin());
            if reduced < depth {
                score = -self.search::<NonPv>(lower, -alpha, depth, next, !trial.cut_node);
            }
            if score >= beta && !self.stopped {
                let bonus = self.bonus(depth);
                let (before, played) = (self.stack.moves_before(ply), self.stack.at(ply).played);
                self.histories.update_continuations(before, played, bonus);
            }
        }
        if N::PV && score > alpha && !self.stopped {
            score = -self.search::<Pv>(-beta, -alpha, depth, next, false);
        }
        score
    }
}

/// What the search of a move is told by its node.
struct Trial {
    alpha: Score,
    beta: Score,
    /// The best score so far.
    best: Score,
    /// Of the search after the move.
    depth: Depth,
    /// Taken off it at first; a ply more is searched where it is -1.
    reduction: Depth,
    is_first: bool,
    cut_node: bool,
}

/// What is known of a node when its moves are about to be searched.
#[derive(Clone, Copy)]
pub(super) struct Facts {
    pub alpha: Score,
    pub beta: Score,
    pub depth: Depth,
    pub ply: Ply,
    /// Some move is expected to reach `beta`.
    pub cut_node: bool,
    /// As the evaluator said; [`Score::NONE`] in check.
    pub raw_eval: Score,
    /// The same as corrected.
    pub static_eval: Score,
    /// The same, or what the table knows better.
    pub eval: Score,
    /// The side to move stands better than at its last turn.
    pub improving: bool,
    /// What the table knows.
    pub known: Option<TableEntry>,
}

/// What a singular search says about the table move.
pub(super) enum Singular {
    /// Search it so many plies deeper, or less deep.
    Extend(Depth),
    /// Several moves reach beta: this score stands.
    Cut(Score),
}
