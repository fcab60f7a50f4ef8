//! The handler of each command.

use std::time::Instant;

use crate::messages::SearchInfo;
use crate::protocol::command::Command;
use crate::protocol::reply::{ErrorKind, Reply};
use crate::types::{Color, Square};

use super::console;
use super::mode::Mode;
use super::state::Machine;
use super::time_keeping::NpsMode;

impl Machine {
    /// Carries out a command; `line` is its text.
    pub(super) fn handle_command(&mut self, command: Command, line: &str, now: Instant) {
        match command {
            // Gaur plays no variant with drops.
            Command::Nothing | Command::Bughouse => {}
            Command::Random => self.random(),
            Command::Lift(square) => self.lift(square),
            Command::Put(square) => {
                let reply = self.lifted_piece.put(square, &self.game);
                self.reply_if_any(reply);
            }
            Command::Hover(square) => {
                let reply = self.lifted_piece.hover(square, &self.game);
                self.reply_if_any(reply);
            }
            Command::Quit => self.quit(),
            Command::Ping(text) => self.pongs.push(text, self.mode.search_for_move()),

            Command::Xboard => self.conversation.on_xboard(),
            Command::Protover(version) => self.protover(version),
            Command::Uci => self.reject(ErrorKind::OtherProtocol, line),
            Command::Accepted(feature) => self.conversation.on_accepted(&feature),
            Command::Rejected(_) => {}
            Command::Memory(megabytes) => self.change_config(|config| config.set_memory(megabytes)),
            Command::Cores(cores) => self.change_config(|config| config.set_cores(cores)),
            Command::Option { name, value } => self.option(&name, value.as_deref(), line),
            Command::TablebasePath { kind, path } => self.tablebase_path(&kind, &path, line),

            Command::New => self.new_game(now),
            Command::Variant(name) => self.variant(&name, line, now),
            Command::SetBoard(fen) => self.set_board(&fen, now),
            Command::Edit => self.edit(now),
            Command::Undo => self.undo(line, now),
            Command::Remove => self.remove(line, now),

            Command::Force => self.force(now),
            Command::Go => self.go(now),
            Command::PlayOther => self.play_other(now),
            Command::White => self.give_move_to(Color::White, now),
            Command::Black => self.give_move_to(Color::Black, now),
            Command::UserMove(text) | Command::BareMove(text) => self.user_move(&text, now),
            Command::MoveNow => self.move_now(),
            Command::Draw => self.draw(),
            Command::GameResult(result) => self.game_result(result, now),
            Command::Hint => self.hint(now),
            Command::Book => self.show_book(now),
            Command::Pause => self.pause(now),
            Command::Resume => self.resume(now),

            Command::TimeControl(control) => {
                self.time.set_control(control, now);
                self.update_limits(now);
            }
            Command::DepthLimit(depth) => {
                self.time.set_depth_limit(depth);
                self.update_limits(now);
            }
            Command::NodeRate(rate) => self.time.set_nps_mode(NpsMode::from_rate(rate)),
            Command::EngineClock(remaining) => {
                self.time.report_engine_time(remaining, now);
                self.update_limits(now);
            }
            Command::OpponentClock(remaining) => {
                self.time.report_opponent_time(remaining, now);
                self.update_limits(now);
            }

            Command::Hard => self.hard(now),
            Command::Easy => self.easy(),
            Command::Post => self.post(),
            Command::NoPost => self.thinking_output.disable(),

            Command::Analyze => self.analyze(now),
            Command::Exit => self.exit(now),
            Command::Status => self.status(),
            Command::Exclude(moves) => self.exclude(&moves, line, now),
            Command::Include(moves) => self.include(&moves, line, now),
            Command::SetScore { score, depth } => self.set_score(score, depth, line, now),

            Command::OpponentName(name) => self.players.opponent_name = Some(name),
            Command::Ratings { own, opponent } => self.players.set_ratings(own, opponent),
            Command::Ics(server) => self.ics(server),
            Command::Computer => self.players.opponent_is_computer = true,

            Command::Help | Command::Show if !self.conversation.may_be_person() => {
                self.reject(ErrorKind::UnknownCommand, line);
            }
            Command::Help => self.reply(Reply::Console(console::HELP.to_owned())),
            Command::Show => self.show(now),
        }
    }

    /// `lift`: highlights the target squares of the piece, except where the user cannot move.
    fn lift(&mut self, square: Square) {
        self.lifted_piece.clear();
        if matches!(self.mode, Mode::Thinking { .. } | Mode::Over { .. }) {
            return;
        }
        let reply = self.lifted_piece.lift(square, &self.game);
        self.reply_if_any(reply);
    }

    /// `ics`: the lag estimate of another server does not apply.
    fn ics(&mut self, server: Option<String>) {
        if server != self.players.server {
            self.time.on_server_change();
        }
        self.players.server = server;
    }

    /// `post`: enables thinking output, and sends the output of the running search so far.
    fn post(&mut self) {
        if self.thinking_output.is_enabled() {
            return;
        }
        let lines = self.thinking_output.enable();
        self.thinking_output.take_due_hint();
        self.send_ponder_move();
        if self.mode.search().is_some() {
            for info in lines {
                self.send_thinking_line(info);
            }
        }
    }

    /// Sends a line of thinking output, after the ponder move that it begins after.
    pub(super) fn send_thinking_line(&mut self, info: SearchInfo) {
        if self.thinking_output.take_due_hint() {
            self.send_ponder_move();
        }
        self.reply(Reply::Thinking {
            info,
            variant: self.game.variant(),
            all_columns: self.conversation.reads_all_columns(),
        });
    }

    /// `d`: draws the board and describes the state.
    fn show(&mut self, now: Instant) {
        let activity = match self.mode {
            Mode::Waiting { engine }
            | Mode::Pondering { engine, .. }
            | Mode::Thinking { engine, .. } => {
                format!("Gaur plays {engine}")
            }
            Mode::Analysing { .. } => "Gaur analyses".to_owned(),
            Mode::Over { .. } => "The game is over".to_owned(),
            Mode::Paused { .. } => "The game is paused".to_owned(),
            Mode::Force | Mode::Editing { .. } => "Gaur watches".to_owned(),
        };
        let text = console::state_text(&self.game, &activity, &self.time.clocks(), now);
        self.reply(Reply::Console(text));
    }
}
