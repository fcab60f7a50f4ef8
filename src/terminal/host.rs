//! The owner of client and machine, and the loop that carries out the steps of the one and the actions of the other.

use std::collections::VecDeque;
use std::time::Instant;

use crate::protocol::machine::{Action, Machine};

use super::client::TerminalClient;
use super::steps::{Saved, Step};

/// The owner of a machine and of the client at a terminal. It carries out what has effects outside of them.
pub trait Host {
    /// Returns client and machine; `None` if the machine serves a GUI.
    fn parts(&mut self) -> Option<(&mut TerminalClient, &mut Machine)>;

    /// Returns the current time.
    fn now(&self) -> Instant;

    /// Returns `true` if the program ends, so that nothing more is printed.
    fn has_ended(&self) -> bool;

    /// Prints text as it is, without a line end.
    fn print(&mut self, text: String);

    /// Prints text, unless other text follows before it has been written.
    fn print_thinking(&mut self, text: String);

    /// Adds a game in PGN to a file. The result is later reported by [`on_saved`].
    fn save_game(&mut self, path: String, text: String);

    /// Carries out an action. It is a reply only if there is no client. Returns the actions of the machine that follow.
    fn act(&mut self, action: Action) -> Vec<Action>;
}

/// Greets the person.
pub fn greet(host: &mut impl Host) {
    if let Some((client, machine)) = host.parts() {
        let steps = client.start(machine);
        run(host, Vec::new(), steps);
    }
}

/// Handles a line of the person. The caller ends the client at `xboard`, from which on the machine serves a GUI.
pub fn on_line(host: &mut impl Host, line: &str) {
    let now = host.now();
    if let Some((client, machine)) = host.parts() {
        let steps = client.on_line(line, machine, now);
        run(host, Vec::new(), steps);
    }
}

/// Reports whether a game has been saved. An error is the reason, in words that follow the name of the file.
pub fn on_saved(host: &mut impl Host, path: &str, result: &Result<Saved, String>) {
    if let Some((client, _)) = host.parts() {
        let steps = client.on_saved(path, result);
        run(host, Vec::new(), steps);
    }
}

/// Prints errors with which Gaur plays on.
pub fn on_errors(host: &mut impl Host, errors: &[String]) {
    if let Some((client, _)) = host.parts() {
        let steps = client.on_errors(errors);
        run(host, Vec::new(), steps);
    }
}

/// Carries out actions of the machine, and all that follows from them.
pub fn carry_out(host: &mut impl Host, actions: Vec<Action>) {
    run(host, actions, Vec::new());
}

/// Carries out actions and steps, then those of the end of the input until there are none left.
fn run(host: &mut impl Host, actions: Vec<Action>, steps: Vec<Step>) {
    let mut steps = VecDeque::from(steps);
    act(host, actions, &mut steps);
    loop {
        while let Some(step) = steps.pop_front() {
            carry_out_step(host, step, &mut steps);
        }
        if host.has_ended() {
            return;
        }
        if let Some((client, machine)) = host.parts() {
            steps.extend(client.finish(machine));
        }
        if steps.is_empty() {
            return;
        }
    }
}

/// Carries out a step, and adds those that follow from it to `steps`.
fn carry_out_step(host: &mut impl Host, step: Step, steps: &mut VecDeque<Step>) {
    match step {
        Step::Print(text) => host.print(text),
        Step::PrintThinking(text) => host.print_thinking(text),
        Step::Command(line) => {
            let now = host.now();
            if let Some((_, machine)) = host.parts() {
                let actions = machine.on_line(&line, now);
                act(host, actions, steps);
            }
        }
        Step::Line(line) => {
            let now = host.now();
            if let Some((client, machine)) = host.parts() {
                let first = client.on_line(&line, machine, now);
                for step in first.into_iter().rev() {
                    steps.push_front(step);
                }
            }
        }
        Step::SaveGame { path, text } => host.save_game(path, text),
    }
}

/// Carries out actions. The text of a reply is printed at once; the other steps that follow from it are added to
/// `steps`: they must not precede the actions that follow the reply.
fn act(host: &mut impl Host, actions: Vec<Action>, steps: &mut VecDeque<Step>) {
    let mut actions = VecDeque::from(actions);
    while let Some(action) = actions.pop_front() {
        match (action, host.parts()) {
            (Action::Reply(reply), Some((client, machine))) => {
                for step in client.on_reply(&reply, machine) {
                    match step {
                        Step::Print(text) => host.print(text),
                        Step::PrintThinking(text) => host.print_thinking(text),
                        other => steps.push_back(other),
                    }
                }
            }
            (action, _) => actions.extend(host.act(action)),
        }
    }
}
