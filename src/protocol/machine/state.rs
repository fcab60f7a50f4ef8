//! The protocol state machine and the operations that all of its commands share.

use std::time::Instant;

use crate::config::{Config, TablebaseChoice};
use crate::game::{Game, Players};
use crate::messages::{Contempt, Limits, Purpose, SearchId, SearchOrder, SearchRequest};
use crate::protocol::contempt::contempt;
use crate::protocol::odds::odds_given;
use crate::protocol::policy::{GameTerms, OpponentPolicy, PolicyState, Stage};
use crate::protocol::reply::{ErrorKind, Reply};
use crate::rules::{Position, Variant};
use crate::types::{Color, Move};

use super::backlog::Backlog;
use super::chat::Chat;
use super::conversation::Conversation;
use super::highlight::LiftedPiece;
use super::interface::{Action, MachineSettings};
use super::mode::Mode;
use super::opening_book::OpeningBook;
use super::pending_pongs::PendingPongs;
use super::search_constraints::SearchConstraints;
use super::start_settings::PendingStart;
use super::thinking_output::ThinkingOutput;
use super::time_keeping::TimeKeeping;

/// The protocol state machine.
#[derive(Debug)]
pub struct Machine {
    /// Current activity: waiting, thinking, pondering, analysing and so on.
    pub(super) mode: Mode,
    /// Moves played so far.
    pub(super) game: Game,
    /// Engine, opponent and server.
    pub(super) players: Players,
    /// Settings of the user.
    pub(super) config: Config,
    /// Directories of the tablebases that were requested last.
    pub(super) requested_tablebases: TablebaseChoice,
    /// Set if these directories are those of `egtpath`, until they have been read.
    pub(super) is_path_of_gui: bool,
    /// Opening book.
    pub(super) book: OpeningBook,
    /// Settings of the start that have not been applied yet.
    pub(super) pending_start: Option<PendingStart>,
    /// Set if Gaur has read or written the settings file: it may then be replaced.
    pub(super) may_replace_settings: bool,
    /// Clocks, lag and limits.
    pub(super) time: TimeKeeping,
    /// Excluded root moves and scores set by the user.
    pub(super) constraints: SearchConstraints,
    /// Thinking output, sent or withheld.
    pub(super) thinking_output: ThinkingOutput,
    /// Scores and offers that decide about draws and resignation.
    pub(super) policy_state: PolicyState,
    /// Messages on servers.
    pub(super) chat: Chat,
    /// Piece that the user has lifted.
    pub(super) lifted_piece: LiftedPiece,
    /// Client and handshake.
    pub(super) conversation: Conversation,
    /// Pings whose pongs wait for a move or for new settings.
    pub(super) pongs: PendingPongs,
    /// Commands that wait for the search.
    pub(super) backlog: Backlog,
    /// Set after `random`: a depth limit selects a playing strength.
    pub(super) is_random: bool,
    /// Set after `hard`: the engine ponders.
    pub(super) is_pondering_enabled: bool,
    /// Set after the end of input: Gaur quits once it has sent the pending move and pongs.
    pub(super) is_quitting: bool,
    /// Number of the newest search.
    pub(super) last_search: SearchId,
    /// Actions that the current call has produced.
    pub(super) actions: Vec<Action>,
}

impl Machine {
    /// Creates a machine in the state after `new`: the engine plays Black from the start position.
    pub fn new(settings: MachineSettings) -> Machine {
        Machine {
            book: OpeningBook::new(&settings),
            mode: Mode::Waiting {
                engine: Color::Black,
            },
            game: Game::new(Variant::Standard),
            players: Players::default(),
            pending_start: PendingStart::new(settings.start, &settings.config),
            requested_tablebases: TablebaseChoice::default(),
            is_path_of_gui: false,
            config: settings.config,
            may_replace_settings: false,
            time: TimeKeeping::new(),
            constraints: SearchConstraints::default(),
            thinking_output: ThinkingOutput::default(),
            policy_state: PolicyState::default(),
            chat: Chat::default(),
            lifted_piece: LiftedPiece::default(),
            conversation: Conversation::new(settings.is_terminal),
            pongs: PendingPongs::default(),
            backlog: Backlog::default(),
            is_random: false,
            is_pondering_enabled: false,
            is_quitting: false,
            last_search: SearchId(0),
            actions: Vec::new(),
        }
    }

    /// Sends a reply to the GUI.
    pub(super) fn reply(&mut self, reply: Reply) {
        self.actions.push(Action::Reply(reply));
    }

    /// Sends a reply to the GUI if there is one.
    pub(super) fn reply_if_any(&mut self, reply: Option<Reply>) {
        self.actions.extend(reply.map(Action::Reply));
    }

    /// Explains an error to a person or in debug output; the protocol has no words for it.
    pub(super) fn explain(&mut self, reason: &str) {
        let explanation = self.conversation.explanation(reason);
        self.reply_if_any(explanation);
    }

    /// Confirms to a person at a terminal that a file has been used; the protocol has no words for it.
    pub(super) fn confirm(&mut self, text: String) {
        if self.conversation.is_terminal() {
            self.reply(Reply::Console(text));
        }
    }

    /// Rejects a command.
    pub(super) fn reject(&mut self, kind: ErrorKind, line: &str) {
        self.reply(Reply::Error {
            kind,
            line: line.to_owned(),
        });
    }

    /// Sends the pongs that no longer wait.
    pub(super) fn send_due_pongs(&mut self) {
        for text in self.pongs.release(self.mode.search_for_move()) {
            self.reply(Reply::Pong(text));
        }
    }

    /// Sends an order to the search.
    pub(super) fn order(&mut self, order: SearchOrder) {
        self.actions.push(Action::Search(order));
    }

    /// Starts a search with the next number, and returns the number.
    pub(super) fn start_search(
        &mut self,
        purpose: Purpose,
        position: Position,
        limits: Limits,
        excluded: Vec<Move>,
        started: Instant,
    ) -> SearchId {
        let id = SearchId(self.last_search.0 + 1);
        self.last_search = id;
        let time_source = self.time.on_search_start(started);
        self.thinking_output.on_search_start();
        let strength = self.strength(purpose);
        if strength.is_some() {
            // The result is no measure of the book at full strength.
            self.book.close_game();
        }
        self.order(SearchOrder::Start(Box::new(SearchRequest {
            id,
            position,
            purpose,
            limits,
            excluded,
            score_overrides: self.constraints.score_overrides().clone(),
            contempt: self.contempt(purpose),
            strength,
            time_source,
            started,
        })));
        id
    }

    /// Abandons the running search and switches to the idle mode of the same game. Clocks stop.
    pub(super) fn stop_search(&mut self, now: Instant) {
        if let Some(id) = self.mode.search() {
            self.order(SearchOrder::Abandon(id));
        }
        self.mode.stop_search();
        self.time.stop(now);
        // These pings arrived before the command that ends the search, so their pongs precede its replies.
        self.send_due_pongs();
    }

    /// Returns the limits, at `now`, of a search for a move that was requested at `started`, and plans its end.
    pub(super) fn plan_limits(&mut self, started: Instant, now: Instant) -> Limits {
        let overhead = self.config.move_overhead;
        let parameters = &self.config.search.parameters;
        let limits = self.time.limits(started, now, overhead, parameters);
        self.time.plan(&limits, started, now);
        limits
    }

    /// Returns the contempt of a search in the current game. An analysis has none.
    fn contempt(&self, purpose: Purpose) -> Contempt {
        let turn = self.game.position().map(Position::side_to_move);
        let engine = match purpose {
            Purpose::Play => turn,
            Purpose::Ponder => turn.map(|opponent| !opponent),
            Purpose::Analyse => None,
        };
        engine.map_or(Contempt::NONE, |engine| {
            Contempt::new(engine, self.contempt_of(engine))
        })
    }

    /// Returns the contempt in centipawns if the engine plays this side.
    fn contempt_of(&self, engine: Color) -> i32 {
        let odds = odds_given(&self.game, engine);
        contempt(&self.config.contempt, &self.players, odds)
    }

    /// Returns the draw and resign policy against the current opponent.
    pub(super) fn policy(&self) -> OpponentPolicy {
        let terms = self
            .mode
            .engine()
            .map_or_else(GameTerms::default, |engine| GameTerms {
                odds: odds_given(&self.game, engine),
                contempt: self.contempt_of(engine),
            });
        OpponentPolicy::new(&self.config.draw_and_resign, &self.players, terms)
    }

    /// Returns the stage of the game.
    pub(super) fn stage(&self) -> Stage {
        let position = self.game.position();
        Stage {
            length: self.game.len(),
            pieces: position.map_or(0, |position| position.board().occupancy()),
        }
    }

    /// Discards the user's input about the current position, because it changes.
    pub(super) fn clear_position_input(&mut self) {
        self.constraints.clear_excluded_moves();
        self.lifted_piece.clear();
    }
}
