//! The session with a search that the test plays.

use std::io::{BufRead, BufReader, PipeReader, PipeWriter};

use super::*;
use crate::config::SearchSettings;
use crate::eval::Network;
use crate::messages::SearchId;
use crate::protocol::machine::{FileProblem, MachineSettings, SettingsEvent};
use crate::runtime::output::Destination;
use crate::search;
use crate::terminal::{Environment, Style};
use crate::types::Score;

const TIMEOUT: Duration = Duration::from_secs(20);

/// Longer than any time for which Gaur once waited for a move.
const LATE: Duration = Duration::from_millis(400);

/// A session whose input the test writes, whose search it plays and whose output it reads.
struct Fixture {
    session: Arc<SharedSession>,
    notices: Receiver<Notice>,
    orders: Receiver<SearchOrder>,
    output: BufReader<PipeReader>,
    /// Keeps standard input open.
    input: Option<PipeWriter>,
    /// Ends when the session stops reading.
    reader: thread::JoinHandle<()>,
    lines: Sender<Input>,
    /// Number of the inputs that have been handled.
    handled: Receiver<()>,
}

#[cfg(unix)]
fn destination(writer: PipeWriter) -> Destination {
    Destination::Pipe(crate::runtime::descriptor::Pipe::new(&writer).expect("a pipe"))
}

#[cfg(not(unix))]
fn destination(writer: PipeWriter) -> Destination {
    Destination::Stream(Box::new(writer))
}

impl Fixture {
    fn new() -> Fixture {
        Fixture::with(MachineSettings::default(), None)
    }

    /// Creates a session with a client that prints lines.
    fn at_terminal() -> Fixture {
        let settings = MachineSettings {
            is_terminal: true,
            ..MachineSettings::default()
        };
        let client = TerminalClient::new(Environment {
            style: Style::default(),
            width: || 80,
            height: || 24,
            home: || None,
            today: String::new,
            random: || 0,
        });
        Fixture::with(settings, Some(client))
    }

    fn with(settings: MachineSettings, terminal: Option<TerminalClient>) -> Fixture {
        let (output, writer) = std::io::pipe().expect("a pipe");
        let (source, input) = std::io::pipe().expect("a pipe");
        let (log, _) = Log::start(Instant::now()).expect("a thread");
        let (session, notices) = SharedSession::new(Parts {
            machine: Machine::new(settings),
            terminal,
            files: FileWork::new(),
            log,
            output: Output::start(destination(writer), |_| {}).expect("a thread"),
            input_end: InputEnd::of(&source),
        });
        let (sender, orders) = unbounded();
        session.connect_search(sender, ImmediateMoves::default());
        let (lines, inputs) = unbounded();
        let (done, handled) = unbounded();
        let reading = Arc::clone(&session);
        let reader = thread::spawn(move || {
            // The end of the input stays visible as long as its reading end is open.
            let _source = source;
            for input in inputs {
                if reading.on_input(input).is_break() {
                    return;
                }
                done.send(()).unwrap_or_default();
            }
        });
        Fixture {
            session,
            notices,
            orders,
            output: BufReader::new(output),
            input: Some(input),
            reader,
            lines,
            handled,
        }
    }

    /// Sends lines, separated by `;`, as one write does.
    fn send(&self, lines: &str) {
        for line in lines.split(';') {
            let input = Input::Line(line.to_owned(), Instant::now());
            self.lines.send(input).unwrap_or_default();
        }
    }

    fn end_input(&mut self) {
        self.input = None;
        self.lines.send(Input::End).unwrap_or_default();
    }

    /// Returns the next order for which `wanted` returns something.
    fn order<T>(&self, wanted: impl Fn(SearchOrder) -> Option<T>) -> T {
        let deadline = Instant::now() + TIMEOUT;
        loop {
            let order = self.orders.recv_deadline(deadline).expect("an order");
            if let Some(found) = wanted(order) {
                return found;
            }
        }
    }

    /// Waits for a search and for the request for its move, and returns the result of the search.
    fn requested_move(&self) -> SearchEvent {
        let best = self.order(|order| match order {
            SearchOrder::Start(request) => Some(SearchEvent::Best {
                id: request.id,
                best: request.position.legal_moves().first().copied(),
                ponder: None,
                score: Score::DRAW,
                time: Duration::ZERO,
                nodes: 0,
                is_tablebase_draw: false,
            }),
            _ => None,
        });
        self.order(|order| matches!(order, SearchOrder::MoveNow(_)).then_some(()));
        best
    }

    /// Returns the next line of output.
    fn line(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("readable");
        line.trim_end().to_owned()
    }

    fn is_at_end(&self) -> bool {
        self.notices
            .try_iter()
            .any(|notice| notice == Notice::Ended)
    }

    /// Waits until `quit` has set a deadline, and reports that it has been reached.
    fn reach_deadline(&self) {
        let notice = self.notices.recv_timeout(TIMEOUT);
        assert!(matches!(notice, Ok(Notice::Deadline(_))), "{notice:?}");
        self.session.on_deadline();
    }

    fn wait_for_end(self) {
        let deadline = Instant::now() + TIMEOUT;
        while self.notices.recv_deadline(deadline).expect("an end") != Notice::Ended {}
        self.reader.join().expect("no panic");
    }
}

#[test]
fn a_requested_move_precedes_the_commands_after_it_however_late_it_comes() {
    let sessions = [
        "force",
        "new",
        "result *",
        "undo",
        "analyze",
        "pause",
        "setboard 8/8/4k3/8/8/4K3/4P3/8 w - - 0 1",
    ]
    .map(|after| {
        let fixture = Fixture::new();
        fixture.send("go;?");
        fixture.send(after);
        fixture.send("ping 1");
        let best = fixture.requested_move();
        (after, fixture, best)
    });
    thread::sleep(LATE);
    for (after, mut fixture, best) in sessions {
        assert!(
            fixture.orders.is_empty(),
            "{after} was handled before the move"
        );
        fixture.session.on_search_event(best);
        assert!(fixture.line().starts_with("move "), "{after}");
        if after == "new" {
            fixture.order(|order| matches!(order, SearchOrder::NewGame).then_some(()));
            fixture.session.on_search_event(SearchEvent::Configured);
        }
        assert_eq!(fixture.line(), "pong 1", "{after}");
    }
}

#[test]
fn a_requested_move_precedes_quit_and_the_end_of_input() {
    let sessions = [true, false].map(|is_quit| {
        let mut fixture = Fixture::new();
        fixture.send("go;?");
        if is_quit {
            fixture.send("quit");
        } else {
            fixture.end_input();
        }
        let best = fixture.requested_move();
        (fixture, best)
    });
    thread::sleep(LATE);
    for (mut fixture, best) in sessions {
        assert!(!fixture.is_at_end());
        fixture.session.on_search_event(best);
        assert!(fixture.line().starts_with("move "));
        fixture.wait_for_end();
    }
}

#[test]
fn the_end_of_input_requests_the_move_and_waits_for_it() {
    let mut fixture = Fixture::new();
    fixture.send("go");
    fixture.end_input();
    let best = fixture.requested_move();
    // The time for pending answers does not count while the search must answer.
    fixture.session.on_deadline();
    assert!(!fixture.is_at_end());
    fixture.session.on_search_event(best);
    assert!(fixture.line().starts_with("move "));
    fixture.wait_for_end();
}

#[test]
fn nothing_waits_for_a_search_that_has_ended_or_was_not_started() {
    // The search ends while a move is due.
    let mut fixture = Fixture::new();
    fixture.send("go;?;force;ping 1");
    let _ = fixture.requested_move();
    fixture.session.on_search_ended();
    assert_eq!(fixture.line(), "pong 1");

    // There is nothing to play: the game is over.
    fixture.send("setboard 7k/5KQ1/8/8/8/8/8/8 b - - 0 1;go;?;ping 2;quit");
    while fixture.line() != "pong 2" {}
    fixture.wait_for_end();

    // The move is due at the end of input.
    let mut fixture = Fixture::new();
    fixture.send("go");
    fixture.end_input();
    let _ = fixture.requested_move();
    fixture.session.on_search_ended();
    fixture.wait_for_end();
}

#[test]
fn a_signal_ends_the_session_while_a_move_is_due() {
    let fixture = Fixture::new();
    fixture.send("go;?;force");
    let best = fixture.requested_move();
    fixture.session.end("ended by a signal");
    fixture.order(|order| matches!(order, SearchOrder::Quit).then_some(()));
    // Too late, and ignored.
    fixture.session.on_search_event(best);
    fixture.wait_for_end();
}

#[test]
fn outdated_results_are_ignored() {
    let mut fixture = Fixture::new();
    fixture.send("go;force;ping 1");
    let id = fixture.order(|order| match order {
        SearchOrder::Start(request) => Some(request.id),
        _ => None,
    });
    assert_eq!(fixture.line(), "pong 1");
    for id in [id, SearchId(0)] {
        fixture.session.on_search_event(SearchEvent::Best {
            id,
            best: None,
            ponder: None,
            score: Score::DRAW,
            time: Duration::ZERO,
            nodes: 0,
            is_tablebase_draw: false,
        });
    }
    fixture.send("ping 2");
    assert_eq!(fixture.line(), "pong 2");
}

#[test]
fn quit_waits_for_settings_that_a_pong_confirms_but_not_for_a_file() {
    let mut fixture = Fixture::new();
    fixture.send("memory 17;ping 1;quit");
    fixture.order(|order| matches!(order, SearchOrder::ConfirmNow).then_some(()));
    fixture.reach_deadline();
    assert!(!fixture.is_at_end());
    fixture.session.on_search_event(SearchEvent::Configured);
    assert_eq!(fixture.line(), "pong 1");
    fixture.wait_for_end();

    // The file is never read: this session has no main thread.
    let fixture = Fixture::new();
    fixture.send("option EvalFile=some file;ping 1;quit");
    fixture.reach_deadline();
    fixture.wait_for_end();

    // A requested move is sent, also after the settings.
    let mut fixture = Fixture::new();
    fixture.send("option Evaluation=classical;ping 1;go;?;quit");
    fixture.order(|order| matches!(order, SearchOrder::Configure(_)).then_some(()));
    fixture.order(|order| matches!(order, SearchOrder::ConfirmNow).then_some(()));
    fixture.reach_deadline();
    fixture.session.on_search_event(SearchEvent::Configured);
    let best = fixture.requested_move();
    assert!(!fixture.is_at_end());
    fixture.session.on_search_event(best);
    assert_eq!(fixture.line(), "pong 1");
    assert!(fixture.line().starts_with("move "));
    fixture.wait_for_end();
}

#[test]
fn a_person_gets_an_answer_to_every_line_typed_ahead() {
    let mut fixture = Fixture::at_terminal();
    fixture.session.greet();
    assert!(fixture.line().starts_with("Gaur "));
    fixture.send("option SettingsFile=x;easy;hard;xyzzy");
    // There is no main thread, so the test is the first to report a result.
    assert_eq!(fixture.handled.recv_timeout(TIMEOUT), Ok(()));
    let problem = FileProblem::Other("is out of reach".to_owned());
    let result = SettingsEvent::Read("x".to_owned(), Err(problem));
    fixture.session.on_file(FileResult::Settings(result));
    for answer in [
        "x is out of reach; no setting was changed",
        "Gaur thinks about its own moves only.",
        "Gaur thinks while you think, too.",
        "xyzzy is neither",
    ] {
        let line = fixture.line();
        assert!(line.starts_with(answer), "{line}");
    }
    // The pong waits for the search.
    fixture.send("memory 17;ping 1;easy;quit");
    assert_eq!(fixture.line(), "The hash table has 13 MB.");
    fixture.order(|order| matches!(order, SearchOrder::ConfirmNow).then_some(()));
    fixture.session.on_search_event(SearchEvent::Configured);
    assert_eq!(fixture.line(), "pong 1");
    assert_eq!(fixture.line(), "Gaur thinks about its own moves only.");
    fixture.wait_for_end();
}

#[test]
fn a_panic_with_the_lock_ends_the_session() {
    let fixture = Fixture::new();
    let session = Arc::clone(&fixture.session);
    let end = thread::spawn(move || session.change(|_| panic!("for this test"))).join();
    assert!(end.is_err());
    let notice = fixture.notices.recv_timeout(TIMEOUT);
    assert_eq!(notice, Ok(Notice::Panicked));
    // Other threads can still use it.
    fixture.send("ping 1");
    assert_eq!(fixture.handled.recv_timeout(TIMEOUT), Ok(()));
}

#[cfg(unix)]
#[test]
fn input_waits_while_the_output_is_full_and_ends_if_nobody_reads_it() {
    let mut fixture = Fixture::new();
    let fill = |fixture: &Fixture| fixture.session.output.print("x".repeat(2 << 20));
    fill(&fixture);
    fixture.send("ping 1");
    assert!(fixture.handled.recv_timeout(LATE).is_err());
    assert!(!fixture.is_at_end(), "the GUI may read later");
    // The GUI reads: the input continues.
    assert!(fixture.line().starts_with("xxx"));
    assert_eq!(fixture.line(), "pong 1");
    // The input ends before all of it has been read.
    fill(&fixture);
    fixture.send("ping 2");
    fixture.input = None;
    fixture.wait_for_end();
}

/// The search thread may wait for a processor, which the thread that has read the command already has.
#[test]
fn a_move_without_time_does_not_wake_the_search() {
    let settings = SearchSettings {
        hash_megabytes: 1,
        ..SearchSettings::default()
    };
    let search = search::start(settings, Network::embedded(), Box::new(|_| {})).expect("a thread");
    let mut fixture = Fixture::new();
    fixture.session.lock().immediate = search.immediate.clone();
    fixture.send("post;setboard 7k/8/6K1/8/8/8/8/R7 w - - 0 1;time 1;go");
    // The line before the move shows its score, as after a search.
    assert!(fixture.line().ends_with(" a1a8"));
    assert_eq!(fixture.line(), "move a1a8");
    let starts = |order| matches!(order, SearchOrder::Start(_));
    assert!(!fixture.orders.try_iter().any(starts));
    search.orders.send(SearchOrder::Quit).expect("a search");
}
