//! Scenarios: requests and offers of the opponent during a game.

use std::time::Duration;

use shakmaty::Position;

use super::session::{ANSWER, ClientSession, Scenario};
use super::settings::Setting;

/// Maximum number of attempts to take a move back before the engine answers it.
const ATTEMPTS: usize = 8;

/// Accepts every takeback.
const TAKEBACKS: &[Setting] = &[
    ("takeback", "accept", "true"),
    ("takeback", "per_game", "100"),
];

/// The scenarios of this module.
pub const SCENARIOS: &[Scenario] = &[
    Scenario::new("takeback-refused", &[], takeback_refused),
    Scenario::new("takeback-of-two", TAKEBACKS, takeback_of_two),
    Scenario::new("takeback-of-one", TAKEBACKS, takeback_of_one),
    Scenario::new(
        "takeback-while-thinking",
        TAKEBACKS,
        takeback_while_thinking,
    ),
    Scenario::new("draw-declined", &[], draw_declined),
    Scenario::new("draw-accepted", &[], draw_accepted).with_gaur(),
    Scenario::new("draw-never", &[("draw", "engine", "false")], draw_never),
    Scenario::new("abort", &[], abort),
    Scenario::new(
        "abort-always",
        &[("abort", "accept", "\"always\"")],
        abort_always,
    ),
    Scenario::new("pause-and-switch", &[], pause_and_switch),
    Scenario::new("adjourn-refused", &[], adjourn_refused),
    Scenario::new(
        "adjourn-and-resume",
        &[("adjourn", "accept", "true")],
        adjourn_and_resume,
    ),
];

/// Sends a request, which the program must decline.
pub fn expect_declined(
    session: &mut ClientSession,
    request: &str,
    named: &str,
) -> Result<(), String> {
    session.rabbit.type_line(request)?;
    let text = format!("GaurBot declines the {named} request.");
    session.rabbit.wait_for(&text, ANSWER).map(drop)
}

/// Sends a request for a takeback on Rabbit's turn, which the program must accept.
fn take_back(session: &mut ClientSession, count: usize) -> Result<(), String> {
    session.rabbit.type_line(&format!("takeback {count}"))?;
    let text = "GaurBot accepts the takeback request.";
    session.rabbit.wait_for(text, ANSWER)?;
    session.rabbit.wait_for("<12>", ANSWER).map(drop)
}

/// Requests that the usual configuration refuses.
fn takeback_refused(session: &mut ClientSession) -> Result<(), String> {
    session.challenge("1 1 white")?;
    session.rabbit.play(3)?;
    for count in [1, 2, 1] {
        expect_declined(session, &format!("takeback {count}"), "takeback")?;
        session.rabbit.play(1)?;
    }
    session.rabbit_resigns()?;
    session.expect(&["Rabbit resigns 0-1"])
}

/// Takes back a move of Rabbit and the answer, with both colours, and plays to mate.
fn takeback_of_two(session: &mut ClientSession) -> Result<(), String> {
    for color in ["white", "black"] {
        session.challenge(&format!("0 1 {color}"))?;
        for moves in [2, 1, 1] {
            session.rabbit.play(moves)?;
            take_back_two(session)?;
        }
        session.rabbit.play_to_the_end()?;
    }
    session.expect(&["Rabbit checkmated 0-1", "Rabbit checkmated 1-0"])
}

/// Plays a move, takes it back with its answer and plays another one.
pub fn take_back_two(session: &mut ClientSession) -> Result<(), String> {
    session.rabbit.play_to_a_choice(0)?;
    let earlier = session.rabbit.position()?;
    let first = session.rabbit.pick_careful(|_| true)?;
    session.rabbit.make(first)?;
    session.rabbit.expect_turn()?;
    take_back(session, 2)?;
    if session.rabbit.position()? != earlier {
        return Err("the server has not taken the moves back".into());
    }
    let other = session.rabbit.pick_careful(|mv| mv != first)?;
    session.rabbit.make(other)?;
    session.rabbit.expect_turn()
}

/// Takes back only the program's move, which must then move again, with both colours.
fn takeback_of_one(session: &mut ClientSession) -> Result<(), String> {
    for color in ["white", "black"] {
        session.challenge(&format!("0 1 {color}"))?;
        for moves in [2, 1, 1] {
            session.rabbit.play(moves)?;
            take_back_one(session)?;
        }
        session.rabbit.play_to_the_end()?;
    }
    session.expect(&["Rabbit checkmated 0-1", "Rabbit checkmated 1-0"])
}

/// Takes back the program's last move and waits for the next one.
pub fn take_back_one(session: &mut ClientSession) -> Result<(), String> {
    let before = session.rabbit.position()?;
    take_back(session, 1)?;
    let after = session.rabbit.position()?;
    if after.turn() == before.turn() {
        return Err("the server has not taken one move back".into());
    }
    session.rabbit.expect_turn()
}

/// Takes back a move of Rabbit before the program has answered it, and plays another one.
fn takeback_while_thinking(session: &mut ClientSession) -> Result<(), String> {
    // The answer to the request and a move of the engine may cross.
    session.allow_refusal("It is not your move.");
    session.allow_refusal("There are no pending takeback offers.");
    session.challenge("1 1 white")?;
    session.rabbit.play(3)?;
    let mut accepted = 0;
    for _ in 0..ATTEMPTS {
        session.rabbit.play_to_a_choice(1)?;
        let earlier = session.rabbit.position()?;
        let first = session.rabbit.pick_careful(|_| true)?;
        session.rabbit.make(first)?;
        session.rabbit.type_line("takeback 1")?;
        let answer = session.rabbit.wait_for(" the takeback request", ANSWER)?;
        if answer.contains("accepts") {
            accepted += 1;
            session.rabbit.wait_for("<12>", ANSWER)?;
            std::thread::sleep(Duration::from_secs(2));
            let position = session.rabbit.position()?;
            if position.turn() != earlier.turn() {
                // The program had moved before the request, which took back only its move.
                session.rabbit.expect_turn()?;
                continue;
            }
            if position != earlier {
                return Err("the program moved after the takeback".into());
            }
            let other = session.rabbit.pick_careful(|mv| mv != first)?;
            session.rabbit.make(other)?;
        }
        session.rabbit.expect_turn()?;
        if accepted == 3 {
            break;
        }
    }
    if accepted == 0 {
        return Err("the engine was always faster than the request".into());
    }
    session.rabbit_resigns()?;
    session.expect(&["Rabbit resigns 0-1"])
}

/// Offers a draw in a worse position: the engine declines by playing on.
fn draw_declined(session: &mut ClientSession) -> Result<(), String> {
    session.challenge("1 1 white")?;
    session.rabbit.play(5)?;
    session.rabbit.type_line("draw")?;
    session.rabbit.play(1)?;
    session.wait_until_told("You decline the draw request from Rabbit.")?;
    session.rabbit_resigns_after(1)?;
    session.expect(&["Rabbit resigns 0-1"])
}

/// Offers a draw while the engine is lost: it accepts.
fn draw_accepted(session: &mut ClientSession) -> Result<(), String> {
    session.challenge("1 1 white from 3qk3/8/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1")?;
    session.rabbit.play(2)?;
    session.rabbit.type_line("draw")?;
    // The answer comes at once or with the engine's next move.
    let mv = session.rabbit.pick_careful(|_| true)?;
    // A draw that is agreed at once ends the game before the move.
    session.allow_refusal("You are not playing");
    session.rabbit.make(mv)?;
    session.rabbit.wait_for_the_end(ANSWER)?;
    session.expect(&["Game drawn by mutual agreement 1/2-1/2"])
}

/// Offers draws to an account that declines all.
fn draw_never(session: &mut ClientSession) -> Result<(), String> {
    session.challenge("1 1 black")?;
    session.rabbit.play(2)?;
    expect_declined(session, "draw", "draw")?;
    session.rabbit_resigns_after(2)?;
    session.expect(&["Rabbit resigns 1-0"])
}

/// Aborts a game at its first move; a later request is refused.
fn abort(session: &mut ClientSession) -> Result<(), String> {
    session.challenge("1 1 white")?;
    session.rabbit.type_line("abort")?;
    session.rabbit.wait_for_the_end(ANSWER)?;
    session.challenge("1 1 white")?;
    session.rabbit.play(4)?;
    expect_declined(session, "abort", "abort")?;
    session.rabbit_resigns_after(1)?;
    session.expect(&["Game aborted on move 1 *", "Rabbit resigns 0-1"])
}

/// Aborts a game in its middle.
fn abort_always(session: &mut ClientSession) -> Result<(), String> {
    session.challenge("1 1 black")?;
    session.rabbit.play(4)?;
    session.rabbit.type_line("abort")?;
    session.rabbit.wait_for_the_end(ANSWER)?;
    session.challenge("1 1 black")?;
    session.rabbit_resigns_after(2)?;
    session.expect(&["Game aborted by mutual agreement *", "Rabbit resigns 1-0"])
}

/// Requests to pause and to switch sides, which are always refused.
fn pause_and_switch(session: &mut ClientSession) -> Result<(), String> {
    session.challenge("1 1 white")?;
    session.rabbit.play(2)?;
    expect_declined(session, "pause", "pause")?;
    session.rabbit.play(1)?;
    expect_declined(session, "switch", "switch sides")?;
    session.rabbit_resigns_after(1)?;
    session.expect(&["Rabbit resigns 0-1"])
}

/// A request to adjourn that the usual configuration refuses.
fn adjourn_refused(session: &mut ClientSession) -> Result<(), String> {
    session.challenge("1 1 white")?;
    session.rabbit.play(2)?;
    expect_declined(session, "adjourn", "adjourn")?;
    session.rabbit_resigns_after(1)?;
    session.expect(&["Rabbit resigns 0-1"])
}

/// Adjourns a game on each side's turn, resumes it and plays it to mate.
fn adjourn_and_resume(session: &mut ClientSession) -> Result<(), String> {
    session.challenge("0 1 white")?;
    session.rabbit.play(4)?;
    adjourn(session)?;
    session.challenge("")?;
    session.rabbit.play(3)?;
    let mv = session.rabbit.pick_careful(|_| true)?;
    session.rabbit.make(mv)?;
    adjourn(session)?;
    session.challenge("")?;
    session.rabbit.play_to_the_end()?;
    session.expect(&[
        "Game adjourned by mutual agreement *",
        "Game adjourned by mutual agreement *",
        "Rabbit checkmated 0-1",
    ])
}

/// Adjourns the running game, to which the program agrees.
pub fn adjourn(session: &mut ClientSession) -> Result<(), String> {
    // The answer to the request and a move of the engine may cross.
    session.allow_refusal("It is not your move.");
    session.allow_refusal("You are not playing");
    session.rabbit.type_line("adjourn")?;
    session.rabbit.wait_for_the_end(ANSWER).map(drop)
}
