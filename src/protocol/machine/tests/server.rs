//! Games on a simulated chess server that rounds its clocks to seconds and does not report takebacks.

use proptest::prelude::*;

use super::*;
use crate::game::Game;
use crate::rules::Variant;
use crate::types::Color;

const SECOND: Duration = Duration::from_secs(1);

/// A server on which the engine plays Black, and the connection to it.
struct Server {
    session: Session,
    game: Game,
    /// Remaining times of engine and opponent in milliseconds.
    clocks: [i64; 2],
    /// Remaining times before each move of the opponent.
    earlier: Vec<[i64; 2]>,
    increment: i64,
}

impl Server {
    fn new(increment: i64) -> Server {
        let mut session = Session::new();
        session.send(&format!(
            "ics freechess.org;level 0 5 {increment};name GuestX;rating 1500 1500"
        ));
        Server {
            session,
            game: Game::new(crate::rules::Variant::Standard),
            clocks: [300_000; 2],
            earlier: Vec::new(),
            increment: increment * 1000,
        }
    }

    /// Returns one of the legal moves.
    fn choose(&self, number: u16) -> Option<Move> {
        let moves = self.game.position()?.legal_moves();
        moves.get(usize::from(number) % moves.len().max(1)).copied()
    }

    fn play(&mut self, mv: Move) -> String {
        let text = crate::notation::write_coordinate(mv, self.game.variant());
        let clocks = self.session.machine.time.clocks();
        assert!(self.game.play(mv, clocks));
        text
    }

    /// The opponent thinks and moves, and the move arrives.
    fn opponent_moves(&mut self, mv: Move, thinking: i64, on_the_way: i64) {
        self.earlier.push(self.clocks);
        self.clocks[1] += self.increment - thinking;
        let text = self.play(mv);
        let shown = self.clocks.map(|left| left.max(0) / 1000 * 100);
        self.session
            .wait(millis(thinking + on_the_way))
            .send(&format!(
                "time {};otim {};usermove {text}",
                shown[0], shown[1]
            ));
    }

    /// The engine moves, unless the game is over.
    fn engine_moves(&mut self, number: u16, thinking: i64, on_the_way: i64) -> bool {
        let Some(mv) = self
            .choose(number)
            .filter(|_| self.game.outcome().is_none())
        else {
            return false;
        };
        self.clocks[0] += self.increment - thinking - on_the_way;
        let text = self.play(mv);
        self.session.wait(millis(thinking)).best(&text);
        true
    }

    /// Takes back two half-moves and restores the clocks.
    fn takes_back(&mut self) {
        self.game.take_back();
        self.game.take_back();
        self.clocks = self.earlier.pop().expect("a move of the opponent");
    }

    fn board(&self) -> String {
        fen(self.game.position().expect("a legal position"))
    }
}

fn millis(time: i64) -> Duration {
    Duration::from_millis(time.unsigned_abs())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// The engine's moves are delayed by up to four seconds in each direction, without charge.
    #[test]
    fn ordinary_moves_show_no_takeback(
        increment in prop_oneof![Just(0i64), 0i64..13],
        moves in prop::collection::vec(
            (
                any::<u16>(),
                prop_oneof![0i64..12_000, 0i64..2000],
                prop_oneof![0i64..4000, Just(0)],
                any::<u16>(),
                prop_oneof![0i64..6000, 0i64..300],
                prop_oneof![Just(0), 0i64..8000],
            ),
            1..24,
        ),
    ) {
        let mut server = Server::new(increment);
        for (reply, thinking, sent, answer, think, way) in moves {
            let Some(mv) = server.choose(reply) else { break };
            server.opponent_moves(mv, thinking, sent / 2 + way);
            if server.game.outcome().is_some() {
                break;
            }
            prop_assert_eq!(server.session.searched(), server.board());
            if !server.engine_moves(answer, think, sent) {
                break;
            }
        }
    }

    #[test]
    fn a_takeback_that_the_move_proves_is_detected(
        moves in prop::collection::vec((any::<u16>(), any::<u16>()), 2..20),
        next in any::<u16>(),
    ) {
        let mut server = Server::new(0);
        for (reply, answer) in moves {
            let Some(mv) = server.choose(reply) else { return Ok(()) };
            server.opponent_moves(mv, 3000, 50);
            if !server.engine_moves(answer, 1000, 50) {
                return Ok(());
            }
        }
        let now = server.game.clone();
        if now.outcome().is_some() {
            return Ok(()); // The game has ended by checkmate, without a takeback.
        }
        server.takes_back();
        let Some(mv) = server.choose(next) else { return Ok(()) };
        // Same text; the move may capture another piece.
        let text = crate::notation::write_coordinate(mv, now.variant());
        if now.position().is_none_or(|position| crate::notation::parse_move(position, &text).is_ok()) {
            return Ok(());
        }
        let before = server.game.position().map(|position| position.occurrences());
        server.opponent_moves(mv, 5000, 50);
        prop_assert_eq!(server.session.board(), server.board());
        // All moves agree with the server.
        prop_assert_eq!(server.session.machine.game.len(), server.game.len());
        server.session.machine.game.take_back();
        let position = server.session.machine.game.position();
        prop_assert_eq!(position.map(|position| position.occurrences()), before);
    }

    #[test]
    fn names_of_opponents_are_neither_executed_nor_printed(name in any::<String>(), tail in ".{0,400}") {
        let mut session = Session::new();
        session.send("ics freechess.org;option Greet=1;option Kibitz=kibitz");
        session.lines();
        session.orders.clear();
        for line in [format!("name {name}"), format!("result * {{{name} {tail}"), format!("rating {tail}")] {
            let actions = session.machine.on_line(&line, session.now);
            session.carry_out(actions);
        }
        prop_assert!(session.lines().is_empty());
        prop_assert!(session.orders.is_empty() && session.running.is_none());
        prop_assert_eq!(session.board(), START);
    }
}

#[test]
fn clocks_can_prove_a_takeback() {
    let mut server = Server::new(0);
    for number in [20, 21, 22] {
        let mv = server.choose(number).expect("a move");
        server.opponent_moves(mv, 4000, 100);
        assert!(server.engine_moves(number, 8000, 100));
    }
    server.takes_back();
    let engine_game = server.session.machine.game.clone();
    let mv = (0..20)
        .filter_map(|number| server.choose(number))
        .find(|&mv| engine_game.position().is_some_and(|now| now.is_legal(mv)))
        .expect("a move that is legal with and without the last two half-moves");
    server.opponent_moves(mv, 5000, 100);
    assert_eq!(server.session.searched(), server.board());
}

#[test]
fn a_thousand_rematches_do_not_grow_the_state() {
    let mut session = Session::new();
    session.send("ics freechess.org;hard;post;option Greet=1;option Kibitz=whisper");
    for _ in 0..2 {
        session.event(SearchEvent::Configured);
    }
    let mut sizes = Vec::new();
    for game in 1..=1000 {
        session.send(&format!(
            "level 0 3 2;name Guest{};rating 1500 1{:03};time 18000;otim 18000;usermove g1f3",
            game % 10,
            game % 1000,
        ));
        for (reply, next) in [("g8f6", "f3g1"), ("f6g8", "b1c3"), ("b8c6", "c3b1")] {
            session.info(reply).best(reply).wait(SECOND * 4).send(next);
        }
        session.send("result 0-1 {GuestX resigns};force;ping 7;new;random;hard;ping 8");
        session.wait(SECOND * 4);
        let lines = session.lines();
        assert!(lines.iter().any(|line| line == "pong 8"));
        assert_eq!(
            lines
                .iter()
                .filter(|line| line.starts_with("tellopp"))
                .count(),
            2
        );
        session.orders.clear();
        sizes.push(format!("{:?}", session.machine).len());
    }
    // Only counters have grown, by a digit or so.
    assert!(
        sizes[999] <= sizes[1] + 40,
        "{} to {}",
        sizes[1],
        sizes[999]
    );
}

#[test]
fn the_engine_replies_without_go_after_an_interrupted_game() {
    let mut session = Session::new();
    session.send("ics 127.0.0.1;level 0 5 0;name HumanGuy;rating 0 0;time 30000;otim 29900");
    session.send("usermove e2e3").best("c7c5").lines();
    session.send("result * {adjourned};force;ping 2;new;ics 127.0.0.1;hard;ping 3;level 0 5 0");
    assert_eq!(session.lines(), ["pong 2", "pong 3"]);
    session.send("name HumanGuy;force;usermove e2e3;usermove c7c5;time 29800;otim 29900;playother");
    session.send("time 29800;otim 29800;usermove d1e2");
    assert_eq!(session.board(), session.searched());
    assert_eq!(
        session.machine.time.clocks().engine.control(),
        session.machine.time.clocks().opponent.control()
    );
    assert_eq!(
        session.machine.game.position().map(Position::side_to_move),
        Some(Color::Black)
    );
}

#[test]
fn a_new_takeback_is_kept_as_the_alternative_of_an_older_one() {
    let mut session = Session::new();
    session.send("ics freechess.org;level 0 5 0;name Anna");
    for (text, reply) in [("e2e3", "e7e5"), ("f2f3", "a7a6"), ("a2a3", "d8h4")] {
        session.send(&format!("usermove {text}")).best(reply);
    }
    // Without 2.f3 a6, the queen gives no check.
    let mut older = Game::new(Variant::Standard);
    for text in ["e2e3", "e7e5", "a2a3", "d8h4"] {
        let mv = parse_move(older.position().expect("a position"), text).expect("a legal move");
        assert!(older.play(mv, session.machine.time.clocks()));
    }
    session.machine.game.set_alternative(older);
    // Either 2.f3 a6 or 3.a3 Qh4+ was taken back.
    session.send("usermove b1c3");
    assert_eq!(session.machine.game.len(), 5);
    let illegal_there = session.machine.game.moves_illegal_in_alternative();
    let request = session.request();
    assert!(
        !illegal_there.is_empty() && illegal_there.iter().all(|mv| request.excluded.contains(mv))
    );
    // The pawn is on f3.
    session.best("g8f6").send("usermove f3f4");
    assert_eq!(session.machine.game.len(), 7);
    assert_eq!(
        session.searched(),
        "rnbqkb1r/1ppp1ppp/p4n2/4p3/5P2/2N1P3/PPPP2PP/R1BQKBNR b"
    );
}

#[test]
fn the_move_decides_between_several_possible_takebacks() {
    let mut session = Session::new();
    session.send("ics freechess.org;level 0 5 0;name Anna");
    let expected = [
        (0, 30_000, "e2e4", "e7e5"),
        (1000, 29_900, "g1f3", "b8c6"),
        (19_000, 28_000, "f3g1", "g8f6"),
    ];
    for (thinking, left, text, reply) in expected {
        session
            .wait(millis(thinking))
            .send(&format!("time 30000;otim {left};usermove {text}"))
            .wait(millis(200))
            .best(reply);
    }
    // The clock fits a takeback of two half-moves, and of four. After two of them the knight is on f3 already.
    session
        .wait(millis(3000))
        .send("time 30000;otim 29900;usermove g1f3");
    assert_eq!(session.machine.game.len(), 3);
}
