//! Takebacks in random games on a simulated chess server.
//!
//! The server charges moves or does not, rounds its clocks, gives time, and takes moves back without a report to the
//! engine. The network delays every line. Both sides play random moves. Times are in milliseconds.

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use super::*;
use crate::game::Game;
use crate::notation::write_coordinate;
use crate::rules::Variant;

/// Games of each test.
const GAMES: u64 = 1500;

/// Index of the engine's clock.
const ENGINE: usize = 0;

/// Index of the opponent's clock.
const OPPONENT: usize = 1;

/// Properties of the server and the network in one game.
#[derive(Clone, Copy, Debug)]
struct Conditions {
    /// Resolution of the reported clock times.
    unit: i64,
    increment: i64,
    charges_delays: bool,
    /// Set if the engine gets its increment for moves without charge, too.
    credits_free_moves: bool,
    /// Moves of each side without charge after the start or the resumption of the game.
    free_at_start: usize,
    /// Shortest delay in each direction.
    steady_delay: i64,
    /// Largest random addition to it.
    jitter: i64,
    /// Largest delay of one line in sixteen.
    outage: i64,
}

impl Conditions {
    fn random(random: &mut ChaCha8Rng, outage: i64) -> Conditions {
        let unit = choose(random, &[1000, 1000, 100, 10]);
        let steady_delay = if one_in(random, 2) {
            below(random, 2000)
        } else {
            0
        };
        let jitter = choose(random, &[0, 100, 350]);
        Conditions {
            unit,
            increment: choose(random, &[0, 0, 1000, 2000, 5000, 12_000]),
            charges_delays: one_in(random, 2),
            credits_free_moves: one_in(random, 2),
            free_at_start: choose(random, &[0, 1, 2, 3]),
            steady_delay,
            jitter,
            outage,
        }
    }
}

/// Events that can occur besides ordinary moves.
#[derive(Clone, Copy, Debug, Default)]
struct Events {
    takebacks: bool,
    /// Delays of seconds, also for moves without charge, and time given to the opponent.
    coincidences: bool,
}

/// Counts over all games.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    ordinary_moves: usize,
    free_moves: usize,
    time_additions: usize,
    /// Assumed takebacks that did not happen.
    assumed: usize,
    /// Assumed takebacks after which the engine returned to the server's game.
    corrected: usize,
    takebacks: usize,
    /// Takebacks that the next move proves, or that the clocks would prove without uncharged moves.
    evident: usize,
    /// Takebacks after whose next move the engine searches the server's position.
    detected_at_once: usize,
    /// Takebacks after which it does so before it has sent a move that is illegal on the server.
    detected: usize,
}

/// The relation between the engine's game and the server's game.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Agreement {
    Same,
    /// Moves were taken back; `is_first`: the next move will be the first since then.
    TakenBack {
        is_first: bool,
    },
    /// The engine assumes a takeback that did not happen.
    Assumed,
}

fn below(random: &mut ChaCha8Rng, limit: i64) -> i64 {
    i64::from(random.next_u32()) % limit.max(1)
}

fn one_in(random: &mut ChaCha8Rng, count: u32) -> bool {
    random.next_u32().is_multiple_of(count)
}

fn choose<T: Copy>(random: &mut ChaCha8Rng, items: &[T]) -> T {
    items[random.next_u32() as usize % items.len()]
}

fn millis(time: i64) -> Duration {
    Duration::from_millis(time.max(0).unsigned_abs())
}

/// A game on the server, and the engine that plays in it.
struct Server {
    session: Session,
    random: ChaCha8Rng,
    conditions: Conditions,
    game: Game,
    /// Both clocks.
    clocks: [i64; 2],
    /// The clocks before each half-move.
    earlier: Vec<[i64; 2]>,
    /// Clock times reported with each move of the opponent.
    reported: Vec<[i64; 2]>,
    /// Clock times reported with the opponent's move that was taken back last.
    reported_with_retracted: [i64; 2],
    engine_moves: usize,
    /// Thinking time of the engine's last move.
    last_thinking: i64,
    /// Delays of the opponent's last move and of the engine's reply.
    delays: [i64; 2],
    counts: Counts,
}

impl Server {
    fn new(seed: u64, events: Events) -> Server {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let outage = if events.coincidences { 4000 } else { 0 };
        let conditions = Conditions::random(&mut random, outage);
        let mut session = Session::new();
        let seconds = conditions.increment / 1000;
        session.send(&format!("ics freechess.org;level 0 5 {seconds};name Anna"));
        let mut server = Server {
            session,
            random,
            conditions,
            game: Game::new(Variant::Standard),
            clocks: [300_000; 2],
            earlier: Vec::new(),
            reported: Vec::new(),
            reported_with_retracted: [0; 2],
            engine_moves: 0,
            last_thinking: 0,
            delays: [0; 2],
            counts: Counts::default(),
        };
        if one_in(&mut server.random, 3) {
            server.resume();
        }
        server
    }

    /// Resumes an adjourned game.
    fn resume(&mut self) {
        self.session.send("force");
        for _ in 0..2 * below(&mut self.random, 4) {
            let Some(mv) = self.random_move() else { break };
            let text = self.play(mv);
            self.session.send(&format!("usermove {text}"));
        }
        let [engine, opponent] = self.clocks_to_report();
        self.session
            .send(&format!("time {engine};otim {opponent};playother"));
    }

    fn random_move(&mut self) -> Option<Move> {
        let moves = self.game.position()?.legal_moves();
        (!moves.is_empty()).then(|| choose(&mut self.random, &moves))
    }

    fn play(&mut self, mv: Move) -> String {
        self.earlier.push(self.clocks);
        let text = write_coordinate(mv, self.game.variant());
        assert!(
            self.game.play(mv, self.session.machine.time.clocks()),
            "{text}"
        );
        text
    }

    /// Returns both clock times in hundredths of a second.
    fn clocks_to_report(&self) -> [i64; 2] {
        let unit = self.conditions.unit;
        self.clocks.map(|left| left.max(0) / unit * unit / 10)
    }

    fn delay(&mut self) -> i64 {
        let usual =
            self.conditions.steady_delay + below(&mut self.random, self.conditions.jitter + 1);
        if one_in(&mut self.random, 16) {
            usual + below(&mut self.random, self.conditions.outage + 1)
        } else {
            usual
        }
    }

    fn thinking_time(&mut self) -> i64 {
        let longest = choose(&mut self.random, &[300, 1500, 5000, 15_000]);
        below(&mut self.random, longest)
    }

    fn charge(&mut self, side: usize, time: i64, is_free: bool, is_credited: bool) {
        if !is_free {
            self.clocks[side] -= time;
        }
        if !is_free || is_credited {
            self.clocks[side] += self.conditions.increment;
        }
        self.counts.free_moves += usize::from(is_free);
    }

    /// Lets the opponent think and move. `waited` is the time since the engine's last move without the delay of this
    /// line. Returns `true` if a takeback before this move is evident.
    fn opponent_moves(&mut self, mv: Move, thinking: i64, waited: i64) -> bool {
        let is_start = self.engine_moves < self.conditions.free_at_start;
        let is_free = is_start || one_in(&mut self.random, 8);
        let is_credited = !is_start || self.conditions.credits_free_moves;
        let text = self.play(mv);
        self.charge(OPPONENT, thinking, is_free, is_credited);
        self.delays[OPPONENT] = self.delay();
        let reported = self.clocks_to_report();
        let waited = waited + self.delays[OPPONENT];
        let machine = &self.session.machine;
        let fits = |position| parse_move(position, &text).is_ok();
        let is_shown_by_move =
            machine.mode.is_thinking() || !machine.game.position().is_some_and(fits);
        let is_evident = is_shown_by_move || self.clocks_show_takeback(reported, waited);
        self.reported.push(reported);
        self.session.wait(millis(waited)).send(&format!(
            "time {};otim {};usermove {text}",
            reported[ENGINE], reported[OPPONENT]
        ));
        is_evident
    }

    /// Returns `true` if the clocks fit a takeback and contradict an ordinary move where the server charges all moves
    /// in full and the network never charges too much: the engine's clock has not lost its thinking time, or the
    /// opponent's has gained time, or has lost more than has passed.
    fn clocks_show_takeback(&self, reported: [i64; 2], waited: i64) -> bool {
        let Some(before) = self.reported.last() else {
            return false;
        };
        let [own, theirs] = reported.map(|time| time * 10);
        let [own_then, theirs_then] = self.reported_with_retracted.map(|time| time * 10);
        let theirs_before = before[OPPONENT] * 10;
        let (increment, thinking) = (self.conditions.increment, self.last_thinking);
        let is_coarse = self.conditions.unit == 1000;
        let (rounding, inexact) = if is_coarse { (1250, 0) } else { (100, 100) };
        let latest = theirs_before + increment;
        let fits = (own - own_then).abs() <= inexact
            && (latest - waited - thinking - 1000..=latest).contains(&theirs);
        let own_gain = own - (own_then - thinking + increment);
        let their_gain = theirs - (theirs_then - waited + increment);
        let is_ordinary =
            own_gain <= rounding && (-rounding..=waited + rounding / 2).contains(&their_gain);
        fits && !is_ordinary
    }

    /// Returns the engine's move after the thinking time; `None` if it has no move.
    fn engine_decides(&mut self, thinking: i64) -> Option<String> {
        let request = self.session.request();
        let is_allowed = |mv: &&Move| !request.excluded.contains(mv);
        let legal = request.position.legal_moves();
        let moves: Vec<Move> = legal.iter().filter(is_allowed).copied().collect();
        if moves.is_empty() {
            return None;
        }
        let mv = choose(&mut self.random, &moves);
        let text = write_coordinate(mv, request.position.variant());
        self.session.wait(millis(thinking)).best(&text);
        Some(text)
    }

    /// Lets the engine reply. Returns `false` if it has no move, or if the server ignores the move as illegal.
    fn engine_moves(&mut self, thinking: i64) -> bool {
        let Some(text) = self.engine_decides(thinking) else {
            return false;
        };
        let Some(mv) = self
            .game
            .position()
            .and_then(|position| parse_move(position, &text).ok())
        else {
            return false;
        };
        self.engine_moves += 1;
        self.last_thinking = thinking;
        self.delays[ENGINE] = self.delay();
        let is_free =
            self.engine_moves <= self.conditions.free_at_start || one_in(&mut self.random, 8);
        let delays: i64 = self.delays.iter().sum();
        let charged = thinking
            + if self.conditions.charges_delays {
                delays
            } else {
                0
            };
        self.play(mv);
        self.charge(ENGINE, charged, is_free, self.conditions.credits_free_moves);
        true
    }

    /// Takes back half-moves, including one of the opponent, and restores the clocks.
    fn take_back(&mut self, count: usize) {
        for _ in 0..count {
            self.game.take_back();
            self.clocks = self.earlier.pop().expect("a half-move");
        }
        self.reported_with_retracted = self.reported.pop().expect("a move of the opponent");
        if self.conditions.unit < 1000 {
            // Servers that report fractions of seconds round the restored clocks.
            self.clocks = self.clocks.map(|left| left / 100 * 100);
        }
        self.counts.takebacks += 1;
    }

    /// Gives time (`moretime`), often about as much as the engine's thinking time.
    fn give_time(&mut self, events: Events) {
        let rounded = self.last_thinking / 1000 * 1000 + 1000;
        let added = choose(&mut self.random, &[rounded, 5000, 15_000, 30_000]);
        let sides: &[usize] = if events.coincidences {
            &[ENGINE, OPPONENT]
        } else {
            &[ENGINE]
        };
        self.clocks[choose(&mut self.random, sides)] += added;
        self.counts.time_additions += 1;
    }

    /// Returns `true` if `game` has the server's position and length.
    fn is_same(&self, game: &Game) -> bool {
        game.len() == self.game.len() && game.position().map(fen) == self.game.position().map(fen)
    }

    fn is_over(&self) -> bool {
        self.game.outcome().is_some() || self.session.running.is_none()
    }

    /// Compares the engine's game with the server's after a move of the opponent.
    fn compare(&mut self, before: Agreement, is_evident: bool) -> Agreement {
        let is_same = self.is_same(&self.session.machine.game);
        let counts = &mut self.counts;
        match before {
            Agreement::Same => {
                counts.ordinary_moves += 1;
                counts.assumed += usize::from(!is_same);
            }
            Agreement::TakenBack { is_first } => {
                counts.evident += usize::from(is_first && is_evident);
                counts.detected += usize::from(is_same);
                counts.detected_at_once += usize::from(is_first && is_same);
            }
            Agreement::Assumed => counts.corrected += usize::from(is_same),
        }
        match before {
            _ if is_same => Agreement::Same,
            Agreement::TakenBack { .. } => Agreement::TakenBack { is_first: false },
            Agreement::Same | Agreement::Assumed => Agreement::Assumed,
        }
    }

    /// Checks the engine's alternative while its game differs from the server's: the alternative must be the server's
    /// game, and the engine must play no move that is illegal there, if it has another.
    fn check_assumption(&self) {
        let machine = &self.session.machine;
        let alternative = machine.game.alternative();
        assert!(alternative.is_some_and(|game| self.is_same(game)));
        let request = self.session.request();
        let illegal_there = machine.game.moves_illegal_in_alternative();
        if illegal_there.len() < request.position.legal_moves().len() {
            assert!(illegal_there.iter().all(|mv| request.excluded.contains(mv)));
        }
    }

    /// Plays some moves of a game.
    fn run(mut self, events: Events) -> Counts {
        let mut agreement = Agreement::Same;
        let mut thinking = self.thinking_time();
        let mut waited = thinking;
        for _ in 0..30 {
            let Some(mv) = self.random_move() else { break };
            let is_evident = self.opponent_moves(mv, thinking, waited);
            if self.is_over() {
                break;
            }
            agreement = self.compare(agreement, is_evident);
            if agreement == Agreement::Assumed {
                self.check_assumption();
            }
            let engine_thinking = self.thinking_time();
            let may_take_back =
                events.takebacks && agreement == Agreement::Same && self.reported.len() > 3;
            thinking = self.thinking_time();
            if may_take_back && one_in(&mut self.random, 12) {
                // One half-move, while the engine searches for its reply, which may arrive first.
                let at = below(&mut self.random, engine_thinking + 1);
                self.take_back(1);
                agreement = Agreement::TakenBack { is_first: true };
                waited = at + thinking;
                if waited > engine_thinking {
                    self.last_thinking = engine_thinking;
                    self.engine_decides(engine_thinking);
                    waited -= engine_thinking;
                }
                continue;
            }
            if !self.engine_moves(engine_thinking) || self.is_over_on_server() {
                break;
            }
            if one_in(&mut self.random, 12) {
                self.give_time(events);
            }
            waited = self.delays[ENGINE] + thinking;
            if may_take_back && one_in(&mut self.random, 12) {
                // Two half-moves, after the engine's reply. Request and agreement take some time.
                self.take_back(2);
                agreement = Agreement::TakenBack { is_first: true };
                waited += 500 + below(&mut self.random, 8000);
            }
        }
        self.counts
    }

    fn is_over_on_server(&self) -> bool {
        self.game.outcome().is_some()
    }
}

/// Plays many games with these events and returns the counts.
fn play_games(events: Events) -> Counts {
    (0..GAMES).fold(Counts::default(), |sum, seed| {
        let game = Server::new(seed, events).run(events);
        Counts {
            ordinary_moves: sum.ordinary_moves + game.ordinary_moves,
            free_moves: sum.free_moves + game.free_moves,
            time_additions: sum.time_additions + game.time_additions,
            assumed: sum.assumed + game.assumed,
            corrected: sum.corrected + game.corrected,
            takebacks: sum.takebacks + game.takebacks,
            evident: sum.evident + game.evident,
            detected_at_once: sum.detected_at_once + game.detected_at_once,
            detected: sum.detected + game.detected,
        }
    })
}

#[test]
fn no_takeback_is_assumed_where_moves_are_not_charged() {
    let counts = play_games(Events::default());
    assert!(
        counts.ordinary_moves > 20_000 && counts.free_moves > 5000 && counts.time_additions > 1000
    );
    assert_eq!(counts.assumed, 0, "{counts:?}");
}

/// Takebacks are detected as often as they would be evident if servers charged all moves.
#[test]
fn takebacks_are_detected_as_often_as_they_are_evident() {
    let counts = play_games(Events {
        takebacks: true,
        ..Events::default()
    });
    assert_eq!(counts.assumed, 0, "{counts:?}");
    assert!(
        counts.takebacks > 3000 && counts.detected >= counts.evident,
        "{counts:?}"
    );
    assert!(
        counts.detected_at_once * 10 >= counts.evident * 9,
        "{counts:?}"
    );
}

/// A delay of seconds after a move without charge resembles a takeback, and so does time given to the opponent after a
/// quick reply.
#[test]
fn a_takeback_assumed_by_mistake_is_harmless() {
    let counts = play_games(Events {
        coincidences: true,
        ..Events::default()
    });
    assert!(counts.assumed * 500 < counts.ordinary_moves, "{counts:?}");
    assert!(counts.assumed > 0 && counts.corrected > 0, "{counts:?}");
}
