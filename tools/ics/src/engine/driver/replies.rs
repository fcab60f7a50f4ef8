//! Meaning of the lines of an engine.

use std::time::Instant;

use super::super::clean::clean;
use super::super::commands;
use super::super::features::Effect;
use super::super::line::{self, EngineLine};
use super::super::types::EngineEvent;
use super::{Driver, Turn};

impl Driver {
    /// Handles a line of the engine.
    pub(in crate::engine) fn on_line(&mut self, text: &str, now: Instant) {
        match line::parse(text) {
            EngineLine::Features(pairs) => {
                for (name, value) in pairs {
                    self.on_feature(&name, &value, now);
                }
            }
            // An engine that prints moves in two forms does not move twice.
            EngineLine::Move(text, form) if self.move_form.is_none_or(|known| known <= form) => {
                self.move_form = Some(form);
                self.on_move(text);
            }
            EngineLine::Pong(number) => self.on_pong(number, now),
            EngineLine::Tell(tell) => self.events.push(EngineEvent::Tell(tell)),
            EngineLine::Error { text, about } => self.on_error(text, &about, now),
            EngineLine::OfferDraw if self.is_current() => self.events.push(EngineEvent::OfferDraw),
            EngineLine::Resign if self.is_current() => self.events.push(EngineEvent::Resign),
            EngineLine::Result { result, comment } if self.is_current() => {
                self.events.push(EngineEvent::Result { result, comment });
            }
            // While the engine ponders, its lines do not describe its own move.
            EngineLine::Thinking(thinking) if self.is_current() && self.is_thinking() => {
                self.events.push(EngineEvent::Thinking(thinking));
            }
            _ => {}
        }
    }

    fn on_feature(&mut self, name: &str, value: &str, now: Instant) {
        let effect = self.features.apply(name, value);
        let answer = if effect == Effect::Rejected {
            "rejected"
        } else {
            "accepted"
        };
        self.lines.push(format!("{answer} {}", clean(name)));
        match effect {
            Effect::Done(true) if self.done != Some(true) => {
                self.done = Some(true);
                self.become_ready(now);
            }
            Effect::Done(false) if self.done.is_none() => self.done = Some(false),
            _ => {}
        }
    }

    /// Sends the settings and the orders that wait. Features that arrive late change the form of the commands: a game
    /// in which the engine has not moved begins again.
    pub(super) fn become_ready(&mut self, now: Instant) {
        let is_late = std::mem::replace(&mut self.is_ready, true);
        let (lines, warnings) = commands::settings(&self.spec, &self.features);
        self.spec.init_lines.clear();
        self.lines.extend(lines);
        self.events.extend(warnings);
        self.events.push(EngineEvent::Ready(self.features.clone()));
        if is_late && self.game.as_ref().is_some_and(|game| !game.has_moved) {
            self.repeat(now);
        }
        self.advance(now);
    }

    fn on_move(&mut self, text: String) {
        let is_current = self.is_current();
        if let Some(game) = self
            .game
            .as_mut()
            .filter(|game| is_current && game.turn == Turn::Engine)
        {
            game.turn = Turn::Opponent;
            game.has_moved = true;
            game.tracker.push(&text);
            self.events.push(EngineEvent::Move(text));
        } else {
            self.dropped += 1;
            self.warn(&format!(
                "a move of the engine does not belong to the game and is dropped: {text}"
            ));
        }
    }

    fn on_pong(&mut self, number: u32, now: Instant) {
        let is_first = self.pings.answered(number);
        self.events.push(EngineEvent::Pong(number));
        if !is_first && self.features.ping {
            self.do_without_ping(now);
            return;
        }
        if self
            .hold
            .take_if(|hold| hold.ping == Some(number))
            .is_some()
        {
            self.surplus = Some(Some(self.dropped));
            self.advance(now);
        }
    }

    fn on_error(&mut self, text: String, about: &str, now: Instant) {
        let command = about
            .trim_start_matches("usermove ")
            .split_whitespace()
            .next()
            .unwrap_or_default();
        // Engines of the first version of the protocol do not know the first commands.
        if matches!(command, "protover" | "xboard" | "accepted" | "rejected") {
            return;
        }
        // Old engines do not know these commands, which they do not need.
        if matches!(command, "draw" | "result" | "computer") {
            if self.unknown.insert(command.to_string()) {
                let note = format!("the engine does not know `{command}`, which does no harm");
                self.events.push(EngineEvent::Note(note));
            }
            return;
        }
        self.events.push(EngineEvent::Error(text));
        if command == "playother" {
            self.do_without_playother(now);
            return;
        }
        let Some(game) = &self.game else {
            return;
        };
        let last = game.tracker.moves().last().map_or("", String::as_str);
        let is_last_move = !command.is_empty() && (command == last || command == self.last_sent);
        let is_lost = matches!(command, "undo" | "remove") || is_last_move;
        if is_lost && !self.is_repeated {
            self.is_repeated = true;
            self.warn("the engine does not follow the game, which begins again for it");
            self.repeat(now);
        }
    }

    /// Handles a second answer to the same `ping`: the first one has come before the engine has stopped.
    fn do_without_ping(&mut self, now: Instant) {
        self.warn("the engine answers `ping` more than once: the answers are ignored");
        self.features.ping = false;
        if self.game.as_ref().is_some_and(|game| !game.has_moved) {
            self.repeat(now);
        }
    }

    /// Lets an engine that refuses `playother` continue: it is in force mode.
    fn do_without_playother(&mut self, now: Instant) {
        self.features.playother = false;
        let Some(game) = self.game.as_mut().filter(|game| !game.has_moved) else {
            return;
        };
        if game.turn == Turn::Engine {
            // The opponent has moved before the error arrived.
            let reading = game.reading;
            self.resume(reading, now);
        } else {
            game.turn = Turn::Forced;
        }
    }

    /// Returns `true` if output of the engine belongs to the current game and position.
    pub(super) fn is_current(&self) -> bool {
        self.game.is_some() && !self.pings.is_output_late() && self.hold.is_none()
    }
}
