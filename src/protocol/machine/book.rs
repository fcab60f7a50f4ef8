//! The opening book: moves that are played without a search, the answer to `bk`, and learning from results.

use std::time::Instant;

use crate::book::{BookMove, BookMoves, Learned, LearnedResult, encode_move};
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
use super::state::Machine;

/// Largest number of moves in the line of a book move.
const MAX_LINE_PLIES: usize = 8;

/// A book move with what is known about it.
pub(super) struct ChosenMove {
    /// The move.
    pub(super) mv: Move,
    line: BookLine,
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
        self.book.requested = wanted.clone();
        self.book.has_reported_illegal = false;
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

    /// Chooses a move of the book for the engine, which is to move. There is none if the user has excluded moves.
    pub(super) fn choose_book_move(&mut self) -> Option<ChosenMove> {
        let has_exclusions = !self.constraints.excluded_moves().is_empty()
            || !self.constraints.excluded_for_play(&self.game).is_empty();
        if has_exclusions {
            return None;
        }
        let (position, last) = (self.game.position()?.clone(), self.game.last_move());
        let moves =
            self.playable_book_moves(&position, last, self.game.len(), self.known_book_moves());
        let chosen = moves.choose(self.config.book.variety, &mut self.book.random)?;
        let line = BookLine {
            percent: moves.percent(chosen.weight),
            score: chosen.score.map(|score| Score(score.into())),
            moves: self.book_continuation(position, chosen.mv),
        };
        let mv = chosen.mv;
        Some(ChosenMove { mv, line })
    }

    /// Plays a move of the book: at once, or with limited strength through a search of this move alone, which takes the
    /// time of a person.
    pub(super) fn play_book_move(&mut self, engine: Color, chosen: ChosenMove, now: Instant) {
        self.thinking_output.on_search_start();
        let ChosenMove { mv, line } = chosen;
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
        self.policy_state.record_unsearched_move();
        self.mode = Mode::Waiting { engine };
        self.play_move(engine, mv, ponder_move, now);
    }

    /// Returns `true` if the engine would play a move of the book in a position, `plies` half-moves into the game, to
    /// which the move `last` has led.
    pub(super) fn has_book_move(
        &mut self,
        position: &Position,
        last: Option<Move>,
        plies: usize,
    ) -> bool {
        let moves = self.playable_book_moves(position, last, plies, self.known_book_moves());
        moves.best().is_some()
    }

    /// Returns the best move of the book in the current position, whatever the playing strength.
    pub(super) fn best_book_move(&mut self) -> Option<Move> {
        let (position, last) = (self.game.position()?.clone(), self.game.last_move());
        let moves =
            self.playable_book_moves(&position, last, self.game.len(), self.config.book.depth);
        moves.best().map(|best| best.mv)
    }

    /// `bk`: lists the moves of the book in the current position.
    pub(super) fn show_book(&mut self) {
        let lines = self.book_text();
        self.reply(Reply::Book(lines));
    }

    fn book_text(&mut self) -> Vec<String> {
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
        let found = self.book_moves(&position, self.game.last_move());
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
        let result = match (result, self.mode.engine()) {
            (_, None) | (GameResult::Unfinished, _) => return,
            (GameResult::Draw, _) => LearnedResult::Draw,
            (GameResult::WhiteWins, Some(Color::White))
            | (GameResult::BlackWins, Some(Color::Black)) => LearnedResult::Win,
            (GameResult::WhiteWins | GameResult::BlackWins, _) => LearnedResult::Loss,
        };
        let length = Some(self.game.len());
        if self.book.learned.is_none() || self.book.learned_length == length {
            return;
        }
        let moves = self.moves_from_book();
        if moves.is_empty() {
            return;
        }
        self.book.learned_length = length;
        self.actions.push(Action::LearnBook {
            file: self.config.book.choice.file.clone(),
            moves,
            result,
        });
        self.backlog.on_file_requested(PendingFile::BookLearning);
    }

    /// Handles the result of [`Action::LearnBook`].
    pub fn on_learned(&mut self, result: Result<Learned, String>) -> Vec<Action> {
        self.backlog.on_book_learned();
        match result {
            Ok(learned) => self.book.learned = Some(learned),
            Err(problem) => self.reply(Reply::TellUserError(problem)),
        }
        self.finish()
    }

    /// Returns the moves of the engine in the current game that are in the book, as positions and moves of a book.
    fn moves_from_book(&mut self) -> Vec<(u64, u16)> {
        let (Some(engine), Some(mut position)) = (self.mode.engine(), self.game.start()) else {
            return Vec::new();
        };
        let plies = 2 * self.config.book.depth;
        let played: Vec<Move> = self.game.moves().take(plies).collect();
        let (mut moves, mut last) = (Vec::new(), None);
        for mv in played {
            let found = self.book_moves(&position, last);
            if found.moves.is_empty() {
                break;
            }
            let is_own = position.side_to_move() == engine;
            if is_own && found.moves.iter().any(|book_move| book_move.mv == mv) {
                moves.push((found.key, encode_move(mv)));
            }
            let _ = position.play(mv);
            last = Some(mv);
        }
        moves
    }

    /// Returns a line of the book that begins with a move: the best moves of both sides after it.
    fn book_continuation(&mut self, mut position: Position, mv: Move) -> Vec<Move> {
        let mut line = vec![mv];
        while line.len() < MAX_LINE_PLIES
            && let Some(&last) = line.last()
        {
            let _ = position.play(last);
            match self.book_moves(&position, Some(last)).best() {
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
    ) -> BookMoves {
        if !self.config.book.is_used || plies / 2 >= depth {
            return BookMoves::default();
        }
        let mut moves = self.book_moves(position, last);
        moves.remove_repetitions(position);
        moves
    }

    /// Returns the moves of the book in a position. A book that cannot be read any more is not used again.
    fn book_moves(&mut self, position: &Position, last: Option<Move>) -> BookMoves {
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
        let (moves, problem) = match BookMoves::look_up(&*book, position.board(), last, learned) {
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
