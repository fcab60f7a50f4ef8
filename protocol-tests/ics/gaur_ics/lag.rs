//! Scenarios: a connection with a delay of 1.5 s in each direction, on which takebacks and failures cross moves.

use std::thread;
use std::time::{Duration, Instant};

use super::session::{ANSWER, ClientSession, Scenario, is_move};
use super::settings::Setting;
use crate::ics::server::Kind;
use crate::ics::zippy_session::ENGINE;

/// Delay in each direction.
const LAG: Duration = Duration::from_millis(1500);

/// Time in which nothing that the program sends can be an answer to what the server has just sent.
const BLIND: Duration = Duration::from_millis(2 * 1500 - 200);

/// Interval between two looks into the log.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Accepts every takeback.
const TAKEBACKS: &[Setting] = &[
    ("takeback", "accept", "true"),
    ("takeback", "per_game", "100"),
];

/// The scenarios of this module.
pub const SCENARIOS: &[Scenario] = &[
    Scenario::new("lag-and-takeback-of-one", TAKEBACKS, takebacks_of_one).with_gaur(),
    Scenario::new("lag-and-takeback-of-two", TAKEBACKS, takebacks_of_two).with_gaur(),
    Scenario::new("lag-and-engine-killed", &[], engine_killed).with_gaur(),
];

/// Begins a game and then the lag.
fn begin(session: &mut ClientSession) -> Result<(), String> {
    // The answer to a request and a move may cross.
    session.allow_refusal("It is not your move.");
    session.allow_refusal("There are no pending takeback offers.");
    session.allow_refusal("You have no pending offers to other players.");
    session.challenge("0 2 white")?;
    session.rabbit.play(2)?;
    session.server.set_lag(ENGINE, LAG);
    Ok(())
}

/// Ends the game, and checks that the engine has always followed it.
fn finish(session: &mut ClientSession) -> Result<(), String> {
    session.rabbit_resigns()?;
    session.server.set_lag(ENGINE, Duration::ZERO);
    session.expect(&["Rabbit resigns 0-1"])?;
    let log = session.program()?.log()?;
    match log
        .lines()
        .find(|line| line.contains("the engine reports: "))
    {
        Some(line) => Err(format!("the engine had another position: {line}")),
        None => Ok(()),
    }
}

/// Requests a takeback of Rabbit's move while the program is thinking, and one while its move is under way.
fn takebacks_of_one(session: &mut ClientSession) -> Result<(), String> {
    begin(session)?;
    take_back_held_move(session, 1)?;
    request_with_move_under_way(session)?;
    finish(session)
}

/// Requests takebacks of two half-moves: while the program is thinking, and before another move of Rabbit.
fn takebacks_of_two(session: &mut ClientSession) -> Result<(), String> {
    begin(session)?;
    take_back_held_move(session, 2)?;
    cross_takeback(session)?;
    finish(session)
}

/// Requests a takeback immediately after a move. The program's answer to the move is held back and must not be sent.
fn take_back_held_move(session: &mut ClientSession, count: usize) -> Result<(), String> {
    let mv = session.rabbit.pick_careful(|_| true)?;
    session.rabbit.make(mv)?;
    session.rabbit.type_line(&format!("takeback {count}"))?;
    let text = "GaurBot accepts the takeback request.";
    session.rabbit.wait_for(text, ANSWER)?;
    session.rabbit.wait_for("<12>", ANSWER)?;
    if count.is_multiple_of(2) {
        // It is the program's turn again.
        session.rabbit.expect_turn()?;
        expect_no_early_move(session)
    } else {
        thread::sleep(BLIND);
        expect_no_early_move(session)?;
        session.rabbit.play(1)
    }
}

/// Requests a takeback when the program has sent its move, which declines the request when it arrives. The program's
/// agreement comes too late and must not remain as a request of its own.
fn request_with_move_under_way(session: &mut ClientSession) -> Result<(), String> {
    let mv = session.rabbit.pick_careful(|_| true)?;
    let arrived = arrived_moves(session);
    session.rabbit.make(mv)?;
    wait_for_sent_move(session, arrived)?;
    session.rabbit.type_line("takeback 1")?;
    session
        .rabbit
        .wait_for("GaurBot declines the takeback request.", ANSWER)?;
    session.rabbit.expect_turn()?;
    // The program thinks about this move while it waits for the takeback.
    session.rabbit.play(1)?;
    session.wait_until_told("You withdraw the takeback request to Rabbit.")
}

/// Requests a takeback of two half-moves, and moves before the program's agreement arrives. The server takes other
/// half-moves back than the program expects.
fn cross_takeback(session: &mut ClientSession) -> Result<(), String> {
    session.rabbit.type_line("takeback 2")?;
    let mv = session.rabbit.pick_careful(|_| true)?;
    session.rabbit.make(mv)?;
    session
        .rabbit
        .wait_for("GaurBot accepts the takeback request.", ANSWER)?;
    session.rabbit.wait_for("<12>", ANSWER)?;
    session.rabbit.expect_turn()?;
    expect_no_early_move(session)?;
    session.rabbit.play(1)
}

/// Checks that after the last takeback the server received no move that the program had sent before it knew the
/// position.
fn expect_no_early_move(session: &ClientSession) -> Result<(), String> {
    let journal = session.server.journal();
    let last = journal.entries.iter().rposition(|entry| {
        entry.who == ENGINE && entry.text.starts_with("You accept the takeback request")
    });
    let last = last.ok_or("the program has not accepted a takeback")?;
    let taken_back = journal.entries[last].at;
    let early = journal.entries[last..].iter().find(|entry| {
        entry.who == ENGINE
            && entry.kind == Kind::Typed
            && is_move(&entry.text)
            && entry.at < taken_back + BLIND
    });
    match early {
        Some(entry) => Err(format!("a move arrived after the takeback: {entry}")),
        None => Ok(()),
    }
}

/// Kills the engine when its move is under way. The new engine must not move in the same turn.
fn engine_killed(session: &mut ClientSession) -> Result<(), String> {
    begin(session)?;
    let mv = session.rabbit.pick_careful(|_| true)?;
    let arrived = arrived_moves(session);
    session.rabbit.make(mv)?;
    wait_for_sent_move(session, arrived)?;
    session.program()?.kill_engine()?;
    session.rabbit.expect_turn()?;
    // Time for the new engine to start and move, and for its move to arrive.
    thread::sleep(Duration::from_secs(4));
    let sent = sent_moves(session)? - arrived;
    if sent != 1 {
        return Err(format!("{sent} moves were sent in one turn"));
    }
    session.rabbit.play(1)?;
    finish(session)
}

/// Returns the number of moves that the server has received from the program: on Rabbit's turn, all that it has sent.
fn arrived_moves(session: &ClientSession) -> usize {
    let typed = session.typed();
    typed.iter().filter(|line| is_move(line)).count()
}

/// Returns the number of moves that the program has sent, by its log. They may not have arrived yet.
fn sent_moves(session: &mut ClientSession) -> Result<usize, String> {
    let sent = session.program()?.sent()?;
    Ok(sent.iter().filter(|line| is_move(line)).count())
}

/// Waits until the program has sent more moves than have arrived before.
fn wait_for_sent_move(session: &mut ClientSession, arrived: usize) -> Result<(), String> {
    let end = Instant::now() + ANSWER;
    while sent_moves(session)? <= arrived {
        if Instant::now() > end {
            return Err("the program has not moved".into());
        }
        thread::sleep(POLL_INTERVAL);
    }
    Ok(())
}
