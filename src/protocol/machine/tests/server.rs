//! Games on a chess server that rounds its clocks to seconds and says nothing of takebacks.

use proptest::prelude::*;

use super::*;
use crate::game::Game;
use crate::rules::Variant;
use crate::types::Color;

const SECOND: Duration = Duration::from_secs(1);

/// A server on which the engine plays Black, and the way there.
struct Server {
    session: Session,
    game: Game,
    /// Milliseconds left of the engine and of the opponent.
    clocks: [i64; 2],
    /// What they were before each of the opponent's moves.
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

    /// One of the moves that are legal now.
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

    /// The opponent thinks, moves, and the move arrives.
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

    /// The engine answers, if it has to.
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

    /// Two half-moves are taken back, and the clocks with them.
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

    /// With delays of our own of up to four seconds, and as many on the way back, which nobody is charged for.
    #[test]
    fn ordinary_moves_are_played_as_they_come(
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
        for (reply, thought, sent, answer, think, way) in moves {
            let Some(mv) = server.choose(reply) else { break };
            server.opponent_moves(mv, thought, sent / 2 + way);
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
    fn a_takeback_is_recovered_when_the_move_shows_it(
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
            return Ok(()); // mated: the server has ended the game, and takes nothing back
        }
        server.takes_back();
        let Some(mv) = server.choose(next) else { return Ok(()) };
        // As it is written; what it captures may be another piece now.
        let text = crate::notation::write_coordinate(mv, now.variant());
        if now.position().is_none_or(|position| crate::notation::parse_move(position, &text).is_ok()) {
            return Ok(());
        }
        let before = server.game.position().map(|position| position.occurrences());
        server.opponent_moves(mv, 5000, 50);
        prop_assert_eq!(server.session.board(), server.board());
        // The whole history is that of the server.
        prop_assert_eq!(server.session.machine.game.len(), server.game.len());
        server.session.machine.game.take_back();
        let position = server.session.machine.game.position();
        prop_assert_eq!(position.map(|position| position.occurrences()), before);
    }

    #[test]
    fn what_opponents_are_called_is_never_obeyed_or_said(name in any::<String>(), tail in ".{0,400}") {
        let mut session = Session::new();
        session.send("ics freechess.org;option Greet=1;option Kibitz=kibitz");
        session.hears();
        session.orders.clear();
        for line in [format!("name {name}"), format!("result * {{{name} {tail}"), format!("rating {tail}")] {
            let actions = session.machine.on_line(&line, session.now);
            session.take(actions);
        }
        prop_assert!(session.hears().is_empty());
        prop_assert!(session.orders.is_empty() && session.running.is_none());
        prop_assert_eq!(session.board(), START);
    }
}

#[test]
fn the_clocks_of_a_takeback_prove_it() {
    let mut server = Server::new(0);
    for number in [20, 21, 22] {
        let mv = server.choose(number).expect("a move");
        server.opponent_moves(mv, 4000, 100);
        assert!(server.engine_moves(number, 8000, 100));
    }
    server.takes_back();
    let held = server.session.machine.game.clone();
    let mv = (0..20)
        .filter_map(|number| server.choose(number))
        .find(|&mv| held.position().is_some_and(|now| now.is_legal(mv)))
        .expect("a move that is legal with and without the last two half-moves");
    server.opponent_moves(mv, 5000, 100);
    assert_eq!(server.session.searched(), server.board());
}

#[test]
fn a_thousand_rematches_leave_nothing_behind() {
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
        let said = session.hears();
        assert!(said.iter().any(|line| line == "pong 8"));
        assert_eq!(
            said.iter()
                .filter(|line| line.starts_with("tellopp"))
                .count(),
            2
        );
        session.orders.clear();
        sizes.push(format!("{:?}", session.machine).len());
    }
    // Only numbers that count on have grown by a digit or so.
    assert!(
        sizes[999] <= sizes[1] + 40,
        "{} to {}",
        sizes[1],
        sizes[999]
    );
}

#[test]
fn black_answers_without_go_and_plays_on_after_an_interrupted_game() {
    let mut session = Session::new();
    session.send("ics 127.0.0.1;level 0 5 0;name HumanGuy;rating 0 0;time 30000;otim 29900");
    session.send("usermove e2e3").best("c7c5").hears();
    session.send("result * {adjourned};force;ping 2;new;ics 127.0.0.1;hard;ping 3;level 0 5 0");
    assert_eq!(session.hears(), ["pong 2", "pong 3"]);
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
fn a_new_takeback_is_kept_beside_an_older_one() {
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
    let here_only = session.machine.game.moves_illegal_in_alternative();
    let request = session.request();
    assert!(!here_only.is_empty() && here_only.iter().all(|mv| request.excluded.contains(mv)));
    // The pawn is on f3.
    session.best("g8f6").send("usermove f3f4");
    assert_eq!(session.machine.game.len(), 7);
    assert_eq!(
        session.searched(),
        "rnbqkb1r/1ppp1ppp/p4n2/4p3/5P2/2N1P3/PPPP2PP/R1BQKBNR b"
    );
}

#[test]
fn clocks_that_fit_several_takebacks_leave_the_choice_to_the_move() {
    let mut session = Session::new();
    session.send("ics freechess.org;level 0 5 0;name Anna");
    let told = [
        (0, 30_000, "e2e4", "e7e5"),
        (1000, 29_900, "g1f3", "b8c6"),
        (19_000, 28_000, "f3g1", "g8f6"),
    ];
    for (thinking, left, text, reply) in told {
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
