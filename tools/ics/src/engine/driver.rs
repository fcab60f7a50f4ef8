//! Conversation with an engine: the commands for each change of the game, and the meaning of its lines.

mod replies;

use std::collections::{HashSet, VecDeque};
use std::time::{Duration, Instant};

use super::clean::clean;
use super::commands;
use super::features::Features;
use super::line::MoveForm;
use super::pings::Pings;
use super::tracker::Tracker;
use super::types::{Clocks, EngineEvent, EngineSpec, GameSetup, Order};

/// Time for the first feature, and for `done` after it. Then an engine counts as one of the first protocol version.
const FEATURES: Duration = Duration::from_secs(2);

/// Longest time for the answer to `ping` before a takeback. Then the game begins again.
const PONG: Duration = Duration::from_secs(10);

/// Time in which an engine without `ping` may print a move that it has begun before `force`.
const QUIET: Duration = Duration::from_millis(500);

/// Side that must act in the engine's game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    /// The engine thinks about its move.
    Engine,
    /// The engine waits for the opponent's move.
    Opponent,
    /// The opponent is to move, and the engine is in force mode.
    Forced,
}

/// Clocks, and the time at which they were read.
#[derive(Clone, Copy, Debug)]
struct Reading {
    clocks: Clocks,
    at: Instant,
}

impl Reading {
    /// Returns the clocks at `now`, if that of the engine has been running since then, or that of the opponent.
    fn after(self, engine_to_move: bool, now: Instant) -> Clocks {
        let Clocks { own, opponent } = self.clocks;
        let waited = now.saturating_duration_since(self.at);
        if engine_to_move {
            let own = own.saturating_sub(waited);
            Clocks { own, opponent }
        } else {
            let opponent = opponent.saturating_sub(waited);
            Clocks { own, opponent }
        }
    }
}

#[derive(Debug)]
struct Running {
    setup: GameSetup,
    tracker: Tracker,
    turn: Turn,
    reading: Reading,
    /// The engine has made a move since the last command for a position.
    has_moved: bool,
}

/// Pause in the orders until the engine has stopped thinking.
#[derive(Debug)]
struct Hold {
    ping: Option<u32>,
    until: Instant,
}

/// Result of [`Driver::stop`]: half-moves that the engine has made meanwhile, or `None` if this is not known.
type Surplus = Option<usize>;

/// State of the conversation. It does no input and output.
#[derive(Debug)]
pub(super) struct Driver {
    spec: EngineSpec,
    started: Instant,
    features: Features,
    /// Value of the last `done`.
    done: Option<bool>,
    is_ready: bool,
    /// Orders that wait, with their times.
    orders: VecDeque<(Order, Instant)>,
    hold: Option<Hold>,
    /// State of the order that has caused the hold.
    surplus: Option<Surplus>,
    dropped: usize,
    game: Option<Running>,
    games: u32,
    /// The game has begun again after an error of the engine, and nothing has happened since.
    is_repeated: bool,
    quiet_until: Option<Instant>,
    pings: Pings,
    /// Form in which the engine prints its moves.
    move_form: Option<MoveForm>,
    /// Last move that was sent to the engine, in its notation.
    last_sent: String,
    /// Commands that the engine has refused and does not need.
    unknown: HashSet<String>,
    lines: Vec<String>,
    events: Vec<EngineEvent>,
}

impl Driver {
    /// Begins the conversation.
    pub(super) fn new(spec: EngineSpec, now: Instant) -> Driver {
        Driver {
            spec,
            started: now,
            features: Features::default(),
            done: None,
            is_ready: false,
            orders: VecDeque::new(),
            hold: None,
            surplus: None,
            dropped: 0,
            game: None,
            games: 0,
            is_repeated: false,
            quiet_until: None,
            pings: Pings::default(),
            move_form: None,
            last_sent: String::new(),
            unknown: HashSet::new(),
            lines: vec!["xboard".into(), "protover 2".into()],
            events: Vec::new(),
        }
    }

    /// Returns the lines for the engine since the last call.
    pub(super) fn take_lines(&mut self) -> Vec<String> {
        std::mem::take(&mut self.lines)
    }

    /// Returns the events since the last call.
    pub(super) fn take_events(&mut self) -> Vec<EngineEvent> {
        std::mem::take(&mut self.events)
    }

    /// Returns `true` if the engine has played a game and cannot play another one.
    pub(super) fn needs_restart(&self) -> bool {
        !self.features.reuse && self.games > 0
    }

    /// Carries out an order, at once or as soon as the engine is ready for it. `at` is the time of the order and of its
    /// clocks.
    pub(super) fn order(&mut self, order: Order, at: Instant, now: Instant) {
        self.is_repeated = false;
        self.orders.push_back((order, at));
        self.advance(now);
    }

    /// Does what the time requires. Returns a reason to end the engine.
    pub(super) fn tick(&mut self, now: Instant) -> Option<String> {
        if !self.is_ready {
            let passed = now.saturating_duration_since(self.started);
            match self.done {
                Some(false) if passed >= self.spec.start_timeout => {
                    let seconds = self.spec.start_timeout.as_secs_f64();
                    return Some(format!(
                        "it has not announced `feature done=1` within {seconds} s"
                    ));
                }
                None if passed >= FEATURES => self.become_ready(now),
                _ => {}
            }
        }
        if let Some(hold) = self.hold.take_if(|hold| now >= hold.until) {
            if hold.ping.is_some() {
                self.warn("the engine does not answer `ping`: the game begins again");
            }
            self.surplus = Some(None);
            self.advance(now);
        }
        None
    }

    fn is_thinking(&self) -> bool {
        self.game
            .as_ref()
            .is_some_and(|game| game.turn == Turn::Engine)
    }

    fn warn(&mut self, text: &str) {
        self.events.push(EngineEvent::Warning(text.to_string()));
    }

    /// Carries out the orders that wait, until one of them must wait.
    fn advance(&mut self, now: Instant) {
        while self.is_ready && self.hold.is_none() {
            let Some((order, at)) = self.orders.pop_front() else {
                return;
            };
            self.carry_out(order, at, now);
        }
    }

    fn carry_out(&mut self, order: Order, at: Instant, now: Instant) {
        match order {
            Order::NewGame { setup, clocks } => match self.surplus.take() {
                None if self.stop(false, now) => {
                    self.wait_with(Order::NewGame { setup, clocks }, at)
                }
                _ => self.begin(*setup, Reading { clocks, at }, now),
            },
            Order::TakeBack {
                half_moves,
                setup,
                clocks,
            } => match self.surplus.take() {
                None if !self.is_before_takeback(half_moves, &setup) => {
                    self.carry_out(Order::NewGame { setup, clocks }, at, now);
                }
                None if self.back_up_full_move(half_moves, &setup, Reading { clocks, at }) => {}
                None if self.stop(true, now) => self.wait_with(
                    Order::TakeBack {
                        half_moves,
                        setup,
                        clocks,
                    },
                    at,
                ),
                Some(None) => self.begin(*setup, Reading { clocks, at }, now),
                surplus => {
                    let half_moves = half_moves.saturating_add(surplus.flatten().unwrap_or(0));
                    self.undo(half_moves, *setup, Reading { clocks, at }, now);
                }
            },
            Order::OpponentMoved {
                coordinates,
                clocks,
            } => self.opponent_moved(&coordinates, Reading { clocks, at }, now),
            Order::OfferDraw if self.features.draw && self.game.is_some() => self.send("draw"),
            Order::MoveNow if self.is_thinking() => self.send("?"),
            Order::OfferDraw | Order::MoveNow => {}
            Order::GameOver { result, comment } => self.finish(result, &comment, now),
            Order::Line(line) => {
                let line = clean(&line);
                self.lines.push(line);
            }
        }
    }

    fn wait_with(&mut self, order: Order, at: Instant) {
        self.orders.push_front((order, at));
    }

    fn send(&mut self, line: &str) {
        self.lines.push(line.to_string());
    }

    fn send_ping(&mut self) -> u32 {
        let number = self.pings.next();
        self.lines.push(format!("ping {number}"));
        number
    }

    /// Stops the engine and lets everything expire that it has sent for the old position.
    ///
    /// Returns `true` if the next commands must wait: in an engine without `ping` for a short time, and with `ping` if
    /// the number of moves that the engine has made meanwhile must be known.
    fn stop(&mut self, must_count: bool, now: Instant) -> bool {
        let was_thinking = self.is_thinking();
        if let Some(game) = &mut self.game {
            game.turn = Turn::Forced;
            self.send("force");
        } else if self.games == 0 {
            return false;
        }
        self.dropped = 0;
        if self.features.ping {
            let ping = self.send_ping();
            if must_count && was_thinking {
                self.hold = Some(Hold {
                    ping: Some(ping),
                    until: now + PONG,
                });
            }
            return self.hold.is_some();
        }
        if was_thinking {
            self.quiet_until = Some(now + QUIET);
        }
        let until = self.quiet_until.take().filter(|until| *until > now);
        self.hold = until.map(|until| Hold { ping: None, until });
        self.hold.is_some()
    }

    /// Begins a game for the engine, from its start position.
    fn begin(&mut self, setup: GameSetup, reading: Reading, now: Instant) {
        self.game = None;
        if !self.features.plays(&setup.variant) {
            let name = clean(setup.variant.name());
            self.events.push(EngineEvent::Error(format!(
                "the engine does not announce the variant {name}"
            )));
            return;
        }
        let fen = setup.start_fen.as_deref();
        let Some(position) = fen.map_or(Some(Vec::new()), |fen| {
            commands::position(fen, &self.features)
        }) else {
            let fen = clean(fen.unwrap_or_default());
            self.events.push(EngineEvent::Error(format!(
                "the position cannot be set up for the engine: {fen}"
            )));
            return;
        };
        self.games = self.games.saturating_add(1);
        self.lines.extend(commands::introduction(
            &setup,
            &self.features,
            self.spec.ponder,
        ));
        let mut tracker = Tracker::new(&setup);
        let is_plain = setup.start_fen.is_none() && setup.moves.is_empty();
        if !is_plain {
            self.send("force");
        }
        self.lines.extend(position);
        for text in &setup.moves {
            let san = tracker.push(text);
            self.send_move(text, san);
        }
        // After `new`, the engine plays Black and waits for White's move.
        let turn = if is_plain {
            Turn::Opponent
        } else {
            Turn::Forced
        };
        self.game = Some(Running {
            setup,
            tracker,
            turn,
            reading,
            has_moved: false,
        });
        self.resume(reading, now);
    }

    /// Lets the engine play in the current position, in which it does not think yet.
    fn resume(&mut self, reading: Reading, now: Instant) {
        let Some(game) = &mut self.game else {
            return;
        };
        game.reading = reading;
        let engine_to_move = game.tracker.white_to_move() == game.setup.engine_is_white;
        let clocks = reading.after(engine_to_move, now);
        let lines = commands::clocks(&game.setup, clocks, &self.features);
        if engine_to_move {
            game.turn = Turn::Engine;
            self.lines.extend(lines);
            self.send("go");
        } else if game.turn == Turn::Forced && self.features.playother {
            game.turn = Turn::Opponent;
            self.lines.extend(lines);
            self.send("playother");
        }
    }

    fn send_move(&mut self, text: &str, san: Option<String>) {
        let text = san
            .filter(|_| self.features.san)
            .unwrap_or_else(|| clean(text));
        let prefix = if self.features.usermove {
            "usermove "
        } else {
            ""
        };
        self.lines.push(format!("{prefix}{text}"));
        self.last_sent = text;
    }

    fn opponent_moved(&mut self, coordinates: &str, reading: Reading, now: Instant) {
        let Some(game) = &mut self.game else {
            return;
        };
        let turn = game.turn;
        let san = game.tracker.push(coordinates);
        game.reading = reading;
        game.has_moved = false;
        if turn == Turn::Opponent {
            game.turn = Turn::Engine;
            let clocks = reading.after(true, now);
            let lines = commands::clocks(&game.setup, clocks, &self.features);
            self.lines.extend(lines);
            self.send_move(coordinates, san);
            return;
        }
        if turn == Turn::Engine {
            self.warn("the opponent has moved while the engine thinks");
            self.send("force");
        }
        self.send_move(coordinates, san);
        self.resume(reading, now);
    }

    /// Returns `true` if the engine's game is the one from which the half-moves are taken back. It can be longer by a
    /// move that the server has not played.
    fn is_before_takeback(&self, half_moves: usize, setup: &GameSetup) -> bool {
        let length = setup.moves.len().saturating_add(half_moves);
        self.game
            .as_ref()
            .is_some_and(|game| game.tracker.moves().len() == length)
    }

    /// Takes a full move back while the engine waits for the opponent, who is then to move again.
    fn back_up_full_move(
        &mut self,
        half_moves: usize,
        setup: &GameSetup,
        reading: Reading,
    ) -> bool {
        let Some(game) = self
            .game
            .as_mut()
            .filter(|game| half_moves == 2 && game.turn == Turn::Opponent)
        else {
            return false;
        };
        game.reading = reading;
        game.has_moved = false;
        game.tracker = Tracker::after(setup);
        game.setup = setup.clone();
        self.send("remove");
        if self.features.ping {
            self.send_ping();
        }
        true
    }

    /// Takes half-moves back in force mode and lets the engine play.
    fn undo(&mut self, half_moves: usize, setup: GameSetup, reading: Reading, now: Instant) {
        let Some(game) = &mut self.game else {
            return;
        };
        game.tracker = Tracker::after(&setup);
        game.setup = setup;
        game.has_moved = false;
        for _ in 0..half_moves {
            self.lines.push("undo".into());
        }
        self.resume(reading, now);
    }

    fn finish(&mut self, result: &str, comment: &str, now: Instant) {
        if self.game.is_none() {
            return;
        }
        let was_thinking = self.is_thinking();
        self.send("force");
        let comment = clean(comment).replace(['{', '}'], "");
        self.lines.push(format!("result {result} {{{comment}}}"));
        self.game = None;
        if self.features.ping {
            self.send_ping();
        } else if was_thinking {
            self.quiet_until = Some(now + QUIET);
        }
    }

    /// Begins the current game again, with its moves so far and the time that has passed since the last clocks.
    fn repeat(&mut self, now: Instant) {
        let Some(game) = &self.game else {
            return;
        };
        let setup = Box::new(GameSetup {
            moves: game.tracker.moves().to_vec(),
            ..game.setup.clone()
        });
        let Reading { clocks, at } = game.reading;
        self.orders
            .push_front((Order::NewGame { setup, clocks }, at));
        self.advance(now);
    }
}
