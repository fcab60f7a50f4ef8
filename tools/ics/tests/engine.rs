//! Engines as child processes: small shell scripts, and Fairy-Max if it is installed.
#![cfg(unix)]

use std::path::Path;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, unbounded};
use gaur_ics::engine::{
    Clocks, Engine, EngineError, EngineEvent, EngineOutput, EngineSpec, GameSetup, Order,
};

/// Time for each expected event. Only failing tests need it.
const EVENT_TIMEOUT: Duration = Duration::from_secs(60);

const CLOCK: Duration = Duration::from_secs(60);

struct Running {
    engine: Engine,
    outputs: Receiver<EngineOutput>,
    events: Vec<EngineEvent>,
    clocks: Clocks,
}

impl Running {
    fn start(spec: &EngineSpec) -> Running {
        let (sender, outputs) = unbounded();
        let sink = move |output| {
            let _ = sender.send(output);
        };
        let engine = Engine::start(spec, |is_sent, line| println!("{is_sent}: {line}"), sink)
            .expect("the engine starts");
        Running {
            engine,
            outputs,
            events: Vec::new(),
            clocks: Clocks {
                own: CLOCK,
                opponent: CLOCK,
            },
        }
    }

    /// Starts a shell script that is an engine.
    fn script(text: &str) -> Running {
        Running::start(&spec(&["/bin/sh", "-c", text]))
    }

    fn order(&mut self, order: Order) {
        self.engine.order(order, Instant::now());
    }

    fn new_game(&mut self, setup: GameSetup) {
        self.clocks = Clocks {
            own: setup.base,
            opponent: setup.base,
        };
        let (setup, clocks) = (Box::new(setup), self.clocks);
        self.order(Order::NewGame { setup, clocks });
    }

    fn opponent_moved(&mut self, coordinates: &str) {
        let coordinates = coordinates.to_string();
        let clocks = self.clocks;
        self.order(Order::OpponentMoved {
            coordinates,
            clocks,
        });
    }

    fn take_back(&mut self, half_moves: usize, setup: GameSetup) {
        let (setup, clocks) = (Box::new(setup), self.clocks);
        self.order(Order::TakeBack {
            half_moves,
            setup,
            clocks,
        });
    }

    fn game_over(&mut self, result: &'static str) {
        let comment = "a reason".to_string();
        self.order(Order::GameOver { result, comment });
    }

    /// Waits for an event.
    fn wait<T>(&mut self, wanted: impl Fn(&EngineEvent) -> Option<T>) -> T {
        let until = Instant::now() + EVENT_TIMEOUT;
        while Instant::now() < until {
            if let Some(index) = self.events.iter().position(|event| wanted(event).is_some()) {
                let event = self.events.drain(..=index).next_back();
                return event
                    .as_ref()
                    .and_then(&wanted)
                    .expect("the event is wanted");
            }
            if let Ok(output) = self.outputs.recv_timeout(Duration::from_millis(20)) {
                self.events.extend(self.engine.handle(output));
            }
            self.events.extend(self.engine.tick(Instant::now()));
        }
        panic!("the event has not occurred; others: {:?}", self.events);
    }

    fn ready(&mut self) {
        self.wait(|event| matches!(event, EngineEvent::Ready(_)).then_some(()));
    }

    fn next_move(&mut self) -> String {
        self.wait(|event| match event {
            EngineEvent::Move(text) => Some(text.clone()),
            _ => None,
        })
    }

    fn exit(&mut self) -> String {
        self.wait(|event| match event {
            EngineEvent::Exited(reason) => Some(reason.clone()),
            _ => None,
        })
    }
}

fn spec(command: &[&str]) -> EngineSpec {
    EngineSpec {
        command: command.iter().map(ToString::to_string).collect(),
        ..EngineSpec::default()
    }
}

fn game(engine_is_white: bool) -> GameSetup {
    GameSetup {
        engine_is_white,
        base: CLOCK,
        ..GameSetup::default()
    }
}

fn start_error(spec: &EngineSpec) -> EngineError {
    match Engine::start(spec, |_, _| {}, |_| {}) {
        Ok(_) => panic!("the engine has started"),
        Err(error) => error,
    }
}

/// Script of an engine that answers each command with a rule of `sh`.
fn engine(rules: &str) -> String {
    format!(
        "while read -r line; do case \"$line\" in
            protover*) echo 'feature ping=1 usermove=1 setboard=1 myname=\"Script\" done=1' ;;
            ping*) echo \"pong ${{line#ping }}\" ;;
            {rules}
            quit) exit 0 ;;
        esac; done"
    )
}

#[test]
fn a_missing_program_is_named() {
    assert!(matches!(start_error(&spec(&[])), EngineError::Empty));
    let error = start_error(&spec(&["no-such-engine-here"]));
    assert!(matches!(error, EngineError::NotFound(_)), "{error}");
    assert!(error.to_string().contains("no-such-engine-here"));
    let missing = EngineSpec {
        folder: Some("/no/such/folder".into()),
        ..spec(&["sh"])
    };
    assert!(matches!(start_error(&missing), EngineError::Folder(_)));
}

#[test]
fn a_file_that_is_not_executable_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("engine");
    std::fs::write(&path, "text").expect("a file");
    let error = start_error(&spec(&[&path.to_string_lossy()]));
    assert!(matches!(error, EngineError::NotExecutable(_)), "{error}");
}

#[test]
fn a_program_is_found_in_its_folder() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("engine");
    std::fs::write(&path, format!("#!/bin/sh\n{}\n", engine(""))).expect("a file");
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).expect("permissions");
    let mut running = Running::start(&EngineSpec {
        folder: Some(folder.path().into()),
        ..spec(&["./engine"])
    });
    running.ready();
}

#[test]
fn moves_go_both_ways() {
    let mut running = Running::script(&engine(
        "go) echo 'move e2e4' ;; 'usermove e7e5') echo 'move g1f3' ;; 'usermove b8c6') echo resign ;;",
    ));
    running.new_game(game(true));
    assert_eq!(running.next_move(), "e2e4");
    running.opponent_moved("e7e5");
    assert_eq!(running.next_move(), "g1f3");
    running.opponent_moved("b8c6");
    running.wait(|event| (*event == EngineEvent::Resign).then_some(()));
}

#[test]
fn a_move_of_the_old_game_is_not_delivered() {
    // The engine prints the move of the first game when it is stopped.
    let mut running = Running::script(&engine(
        "force) echo 'move a2a3' ;; go) ;; time*) echo 'move h2h3' ;;",
    ));
    running.ready();
    running.new_game(game(false));
    running.game_over("*");
    running.new_game(game(true));
    assert_eq!(running.next_move(), "h2h3");
}

#[test]
fn the_end_of_the_program_is_reported_once() {
    let mut running = Running::script("echo problem >&2; exit 3");
    let reason = running.exit();
    assert!(reason.contains('3'), "{reason}");
    running.new_game(game(true));
    std::thread::sleep(Duration::from_millis(50));
    assert!(running.engine.tick(Instant::now()).is_empty());
    assert!(
        running
            .engine
            .handle(EngineOutput::Closed(String::new()))
            .is_empty()
    );
}

#[test]
fn the_standard_error_output_is_passed_on() {
    let mut running = Running::script("echo problem >&2; read -r line; sleep 60");
    let wanted = EngineEvent::StandardError("problem".into());
    running.wait(|event| (*event == wanted).then_some(()));
}

#[test]
fn an_engine_that_is_never_done_is_killed() {
    let mut running = Running::start(&EngineSpec {
        start_timeout: Duration::from_millis(200),
        ..spec(&["/bin/sh", "-c", "echo 'feature done=0'; sleep 60"])
    });
    assert!(running.exit().contains("done=1"));
}

#[test]
fn an_engine_that_does_not_read_does_not_block() {
    let mut running = Running::script("echo 'feature done=1'; sleep 60");
    running.ready();
    let started = Instant::now();
    let line = "x".repeat(900);
    for _ in 0..10_000 {
        running.order(Order::Line(line.clone()));
    }
    assert!(started.elapsed() < Duration::from_secs(30));
    assert!(running.exit().contains("read"));
}

#[test]
fn an_engine_that_ignores_quit_is_killed() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("pid");
    let text = format!(
        "echo $$ > '{}'; echo 'feature done=1'; trap '' TERM; sleep 60",
        file.display()
    );
    let mut running = Running::script(&text);
    running.ready();
    let pid = std::fs::read_to_string(&file).expect("a process number");
    let process = Path::new("/proc").join(pid.trim());
    let started = Instant::now();
    let thread = running.engine.quit().expect("a thread");
    assert!(started.elapsed() < Duration::from_secs(2), "quit waits");
    thread.join().expect("the thread ends");
    assert!(!process.exists());
}

#[test]
fn an_engine_that_prints_without_end_has_to_wait() {
    let mut running =
        Running::script("echo 'feature ping=1 done=1'; while :; do echo '9 1 1 1 e4'; done");
    running.ready();
    // The client is busy elsewhere.
    let until = Instant::now() + EVENT_TIMEOUT;
    while running.outputs.len() < 4000 && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_millis(300));
    let waiting = running.outputs.len();
    assert!((4000..=4200).contains(&waiting), "{waiting} lines wait");
    let thread = running.engine.quit().expect("a thread");
    thread.join().expect("the thread ends");
}

#[test]
fn an_old_engine_plays() {
    let mut running = Running::script(
        "n=0; while read -r line; do case \"$line\" in
            go) echo '1. ... d2d4' ;;
            d7d5) echo '2. ... c2c4'; echo 'My move is: c2c4' ;;
            quit) exit ;;
            *) echo \"Error (unknown command): $line\" ;;
        esac; done",
    );
    running.new_game(game(true));
    assert_eq!(running.next_move(), "d2d4");
    running.opponent_moved("d7d5");
    assert_eq!(running.next_move(), "c2c4");
}

/// Plays with a real engine: a game with moves, takebacks of one and two half-moves, and a second game.
fn play_with(command: &[&str]) {
    if !Path::new(command[0]).exists() {
        eprintln!("skipped: {} is not installed", command[0]);
        return;
    }
    // Engines write files into their folder.
    let folder = tempfile::tempdir().expect("a folder");
    let mut running = Running::start(&EngineSpec {
        folder: Some(folder.path().into()),
        ..spec(command)
    });
    running.ready();
    let short = Duration::from_secs(2);
    let setup = |moves: &[&str]| GameSetup {
        moves: moves.iter().map(ToString::to_string).collect(),
        base: short,
        ..game(false)
    };
    running.new_game(setup(&[]));
    running.opponent_moved("e2e4");
    running.next_move();
    // Back to the start: one full move while the opponent is to move.
    running.take_back(2, setup(&[]));
    running.opponent_moved("d2d4");
    // One half-move while the engine thinks, or has just moved.
    running.take_back(1, setup(&[]));
    running.opponent_moved("g1f3");
    let reply = running.next_move();
    assert!(reply.len() >= 2, "{reply}");
    running.game_over("1-0");
    running.new_game(setup(&["e2e4", "e7e5", "g1f3"]));
    running.next_move();
    running.opponent_moved("d2d3");
    running.next_move();
    let errors: Vec<_> = running
        .events
        .iter()
        .filter(|event| matches!(event, EngineEvent::Error(_) | EngineEvent::Exited(_)))
        .collect();
    assert!(errors.is_empty(), "{errors:?}");
    let thread = running.engine.quit().expect("a thread");
    thread.join().expect("the thread ends");
}

#[test]
fn fairy_max_plays() {
    play_with(&["/usr/games/fairymax"]);
}

#[test]
fn phalanx_plays() {
    play_with(&["/usr/games/phalanx", "-l-"]);
}

#[test]
fn hoichess_plays() {
    play_with(&["/usr/games/hoichess", "--xboard"]);
}

#[test]
fn sjeng_plays() {
    play_with(&["/usr/games/sjeng"]);
}

#[test]
fn fairy_max_plays_from_a_position() {
    let program = "/usr/games/fairymax";
    if !Path::new(program).exists() {
        eprintln!("skipped: {program} is not installed");
        return;
    }
    // Fairy-Max has no `setboard`: the position is edited. Black to move has one legal reply to the check.
    let mut running = Running::start(&spec(&[program]));
    let short = Duration::from_secs(2);
    let setup = GameSetup {
        start_fen: Some("R5k1/5ppp/8/4r3/8/8/5PPP/6K1 b - - 0 1".into()),
        base: short,
        ..game(false)
    };
    running.new_game(setup);
    assert_eq!(running.next_move(), "e5e8");
}
