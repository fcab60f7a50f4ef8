//! Which command goes where.

use std::time::Instant;

use super::{Audience, Machine, Measure, console};
use crate::protocol::command::Command;
use crate::protocol::reply::{ErrorKind, Reply};
use crate::types::Color;

impl Machine {
    /// Does what a command asks for; `line` is how it was written.
    pub(super) fn obey(&mut self, command: Command, line: &str, now: Instant) {
        match command {
            // Words that ask for nothing from an engine without drop moves; and "random", because variety in play is
            // an option of its own.
            Command::Nothing | Command::Random | Command::Bughouse => {}
            Command::Lift(square) => self.lift(square),
            Command::Put(square) => self.put(square),
            Command::Hover(square) => self.hover(square),
            Command::Quit => self.quit(),
            Command::Ping(text) => self.pongs.push(text, self.mode.thinking()),

            Command::Xboard => self.audience = Audience::Gui,
            Command::Protover(version) => self.protover(version),
            Command::Uci => self.refuse(ErrorKind::OtherProtocol, line),
            Command::Accepted(feature) => self.accepted(&feature),
            Command::Rejected(_) => {}
            Command::Memory(megabytes) => self.memory(megabytes),
            Command::Cores(cores) => self.cores(cores),
            Command::Option { name, value } => self.option(&name, value.as_deref(), line),
            // Gaur has no tablebases.
            Command::TablebasePath { .. } => {}

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
            Command::Hint => self.hint(),
            Command::Book => self.say(Reply::Book(Vec::new())),
            Command::Pause => self.pause(now),
            Command::Resume => self.resume(now),

            Command::TimeControl(control) => self.time_control(control, now),
            Command::DepthLimit(depth) => self.limit_depth(depth, now),
            Command::NodeRate(rate) => self.measure_by(Measure::at_rate(rate), now),
            Command::EngineClock(remaining) => self.engine_clock(remaining, now),
            Command::OpponentClock(remaining) => self.opponent_clock(remaining, now),

            Command::Hard => self.hard(now),
            Command::Easy => self.easy(),
            Command::Post => self.post(),
            Command::NoPost => self.switches.post = false,

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

            Command::Help | Command::Show if self.audience == Audience::Gui => {
                self.refuse(ErrorKind::UnknownCommand, line);
            }
            Command::Help => self.say(Reply::Console(console::HELP.to_owned())),
            Command::Show => self.show(now),
        }
    }
}

/// Whether a command, coming in a pause, means that everything goes on. Those that stop what was going on anyway
/// end the pause by that; talk and settings leave it.
pub(super) fn ends_pause(command: &Command) -> bool {
    matches!(
        command,
        Command::Go
            | Command::MoveNow
            | Command::UserMove(_)
            | Command::BareMove(_)
            | Command::Exclude(_)
            | Command::Include(_)
            | Command::SetScore { .. }
    )
}
