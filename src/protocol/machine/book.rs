//! The opening book: moves that are played without a search, the answer to `bk`, and learning from results.

use std::time::{Duration, Instant};

use crate::book::{BookMove, BookMoves, Learned};
use crate::config::BookChoice;
use crate::messages::Purpose;
use crate::notation::write_san;
use crate::protocol::command::GameResult;
use crate::protocol::reply::{BookLine, Reply};
use crate::rules::{Position, Variant};
use crate::types::{Color, Move, Score};

use super::backlog::PendingFile;
use super::interface::{Action, BookReport};
use super::mode::Mode;
use super::opening_book::PlayedBookMove;
use super::state::Machine;

/// Largest number of moves in the line of a book move.
const MAX_LINE_PLIES: usize = 8;

/// A book move with what is known about it.
pub(super) struct ChosenMove {
    /// The move.
    pub(super) mv: Move,
    /// Key of the position before it.
    key: u64,
    line: BookLine,
    /// Time that the look-up has taken.
    time: Duration,
}

impl Machine {
    /// Requests the book of the settings, unless it has been requested or another file is being read. The built-in one
    /// is available at once, unless Gaur is to learn.
    pub(super) fn load_book(&mut self) {
        let settings = &self.config.book;
        let wanted = (settings.choice.clone(), settings.learns);
        if wanted == self.book.requested || self.backlog.file().is_some() {
            return;
        }
        self.book.on_request(wanted.clone());
        let (BookChoice { file, .. }, learns) = wanted;
        if file.is_empty() && !learns {
            self.book.source = self.book.built_in.clone();
            self.book.learned = None;
            return;
        }
        self.actions.push(Action::ReadBook { file, learns });
        self.backlog.on_file_requested(PendingFile::Book);
    }

    /// Handles the result of [`Action::ReadBook`].
    pub fn on_book(&mut self, report: BookReport) -> Vec<Action> {
        if self.backlog.on_book_result() {
            let BookReport {
                book,
                learned,
                problem,
            } = report;
            self.book.learned = learned;
            let book_problem = match book {
                Ok(book) => {
                    self.book.source = Some(book);
                    None
                }
                Err(reason) => {
                    self.book.source = None;
                    Some(format!("{reason}. Gaur plays on without a book."))
                }
            };
            for message in book_problem.into_iter().chain(problem) {
                match &mut self.pending_start {
                    Some(start) => start.add_problem(message),
                    None => self.reply(Reply::TellUserError(message)),
                }
            }
            self.end_start_if_loaded();
            self.request_confirmation();
        }
        self.finish()
    }

    /// Returns `true` if moves are excluded in the current position: the book is then not used.
    fn has_exclusions(&self) -> bool {
        !self.constraints.excluded_moves().is_empty()
            || !self.constraints.excluded_for_play(&self.game).is_empty()
    }

    /// Chooses a move of the book for the engine, which is to move. There is none if the user has excluded moves.
    pub(super) fn choose_book_move(&mut self, now: Instant) -> Option<ChosenMove> {
        if self.has_exclusions() {
            return None;
        }
        let (position, last) = (self.game.position()?.clone(), self.game.last_move());
        let (plies, depth) = (self.game.len(), self.known_book_moves());
        let moves = self.playable_book_moves(&position, last, plies, depth, now);
        let chosen = moves.choose(self.config.book.variety, &mut self.book.random)?;
        let line = BookLine {
            percent: moves.percent(chosen.weight),
            score: chosen.score.map(|score| Score(score.into())),
            moves: self.book_continuation(position, chosen.mv, now),
        };
        Some(ChosenMove {
            mv: chosen.mv,
            key: moves.key,
            line,
            time: moves.time,
        })
    }

    /// Plays a move of the book: at once, or with limited strength through a search of this move alone, which takes the
    /// time of a person.
    pub(super) fn play_book_move(&mut self, engine: Color, chosen: ChosenMove, now: Instant) {
        self.thinking_output.on_search_start();
        let ChosenMove {
            mv,
            key,
            line,
            time,
        } = chosen;
        let ponder_move = line.moves.get(1).copied();
        if self.thinking_output.is_enabled() {
            self.reply(Reply::BookLine {
                line,
                variant: self.game.variant(),
                all_columns: self.conversation.reads_all_columns(),
            });
        }
        if self.strength(Purpose::Play).is_some() {
            return self.search_only(engine, mv, now);
        }
        self.policy_state.forget_scores();
        self.mode = Mode::Waiting { engine };
        self.book.record(PlayedBookMove {
            plies: self.game.len(),
            key,
            mv,
            side: engine,
        });
        self.play_move(engine, mv, ponder_move, now + time);
    }

    /// Returns `true` if the engine would play a move of the book in a position, `plies` half-moves into the game, to
    /// which the move `last` has led. A book on a disk is not asked, because that takes time.
    pub(super) fn has_book_move(
        &mut self,
        position: &Position,
        last: Option<Move>,
        plies: usize,
        now: Instant,
    ) -> bool {
        let depth = self.known_book_moves();
        self.book.is_in_memory()
            && self
                .playable_book_moves(position, last, plies, depth, now)
                .best()
                .is_some()
    }

    /// Returns the best move of the book in the current position, whatever the playing strength. There is none if the
    /// user has excluded moves.
    pub(super) fn best_book_move(&mut self, now: Instant) -> Option<Move> {
        if self.has_exclusions() {
            return None;
        }
        let (position, last) = (self.game.position()?.clone(), self.game.last_move());
        let (plies, depth) = (self.game.len(), self.config.book.depth);
        let moves = self.playable_book_moves(&position, last, plies, depth, now);
        moves.best().map(|best| best.mv)
    }

    /// `bk`: lists the moves of the book in the current position.
    pub(super) fn show_book(&mut self, now: Instant) {
        let lines = self.book_text(now);
        self.reply(Reply::Book(lines));
    }

    fn book_text(&mut self, now: Instant) -> Vec<String> {
        let one = |text: &str| vec![text.to_owned()];
        let Some(position) = self.game.position().cloned() else {
            return one("There is no position.");
        };
        if position.variant() != Variant::Standard {
            return one("The opening book has no moves for this variant.");
        }
        if self.book.source.is_none() {
            return one("Gaur plays without an opening book.");
        }
        let found = self.book_moves(&position, self.game.last_move(), now);
        if found.moves.is_empty() {
            return one("The opening book has no move in this position.");
        }
        let line = |book_move: &BookMove| {
            let score = book_move.score.map_or_else(String::new, |score| {
                format!("  {:+.2}", f64::from(score) / 100.0)
            });
            format!(
                "{:<7} {:>3} %{score}",
                write_san(&position, book_move.mv),
                found.percent(book_move.weight)
            )
        };
        let mut lines: Vec<String> = found.moves.iter().map(line).collect();
        if !self.config.book.is_used {
            lines.push("OwnBook is off: Gaur does not play from the book.".to_owned());
        }
        lines
    }

    /// Adds the result of the game to the file of learned results, for the moves that Gaur has played from the book.
    pub(super) fn learn_result(&mut self, result: GameResult) {
        let learns = self.book.learned.is_some() && !self.book.is_learning_stopped;
        if !learns || self.mode.is_analysing() {
            return;
        }
        let moves = self.book.lessons(result);
        if moves.is_empty() {
            return;
        }
        self.actions.push(Action::LearnBook {
            file: self.config.book.choice.file.clone(),
            moves,
        });
        self.backlog.on_file_requested(PendingFile::BookLearning);
    }

    /// Handles the result of [`Action::LearnBook`]. A file that cannot be written would be the same error after each
    /// game.
    pub fn on_learned(&mut self, result: Result<Learned, String>) -> Vec<Action> {
        self.backlog.on_book_learned();
        match result {
            Ok(learned) => self.book.learned = Some(learned),
            Err(problem) => {
                self.book.is_learning_stopped = true;
                self.reply(Reply::TellUserError(format!(
                    "{problem}. Gaur learns nothing until BookFile names another book or BookLearning is switched off and on."
                )));
            }
        }
        self.finish()
    }

    /// Returns a line of the book that begins with a move: the best moves of both sides after it, unless it takes time
    /// to look them up.
    fn book_continuation(&mut self, mut position: Position, mv: Move, now: Instant) -> Vec<Move> {
        let mut line = vec![mv];
        while self.book.is_in_memory()
            && line.len() < MAX_LINE_PLIES
            && let Some(&last) = line.last()
        {
            let _ = position.play(last);
            match self.book_moves(&position, Some(last), now).best() {
                Some(best) => line.push(best.mv),
                None => break,
            }
        }
        line
    }

    /// Returns the moves that the engine may play from the book in a position, `plies` half-moves into the game, if it
    /// may play `depth` moves of a game from the book.
    fn playable_book_moves(
        &mut self,
        position: &Position,
        last: Option<Move>,
        plies: usize,
        depth: usize,
        now: Instant,
    ) -> BookMoves {
        if !self.config.book.is_used || plies / 2 >= depth {
            return BookMoves::default();
        }
        let mut moves = self.book_moves(position, last, now);
        moves.remove_repetitions(position);
        moves
    }

    /// Returns the moves of the book in a position, for which a slow book may take a small part of the time. A book
    /// that cannot be read any more is not used again.
    fn book_moves(&mut self, position: &Position, last: Option<Move>, now: Instant) -> BookMoves {
        let Some(book) = self.book.source.clone() else {
            return BookMoves::default();
        };
        if position.variant() != Variant::Standard {
            return BookMoves::default();
        }
        let nothing_learned = Learned::default();
        let learned = self.book.learned.as_ref().unwrap_or(&nothing_learned);
        let name = || match self.config.book.choice.file.as_str() {
            "" => "that is built in",
            file => file,
        };
        let limit = self.time.look_up_limit(now);
        let found = BookMoves::look_up(&*book, position.board(), last, learned, limit);
        let (moves, problem) = match found {
            Ok(moves) => {
                let is_new = moves.has_illegal && !self.book.has_reported_illegal;
                self.book.has_reported_illegal |= is_new;
                let problem = is_new.then(|| {
                    let name = name();
                    format!(
                        "The opening book {name} contains illegal moves, which Gaur leaves out."
                    )
                });
                (moves, problem)
            }
            Err(reason) => {
                let name = name();
                self.book.source = None;
                let problem =
                    format!("The opening book {name} {reason}. Gaur plays on without a book.");
                (BookMoves::default(), Some(problem))
            }
        };
        if let Some(problem) = problem {
            self.conversation.add_pending_error(problem);
        }
        moves
    }
}
