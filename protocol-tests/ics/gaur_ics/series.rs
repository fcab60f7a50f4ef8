//! A series of twenty games of one program, with everything that happens to an account.

use std::time::Duration;

use super::games::refused_variant;
use super::requests::{adjourn, expect_declined, take_back_one, take_back_two};
use super::session::{ANSWER, ClientSession, Scenario};
use super::{failures, messages};
use crate::ics::zippy_session::ENGINE;

/// Number of decided games.
const GAMES: usize = 20;

/// The scenario of this module.
pub const SCENARIOS: &[Scenario] = &[Scenario::new(
    "series",
    &[
        ("takeback", "accept", "true"),
        ("takeback", "per_game", "10"),
        ("takeback", "rated", "true"),
        ("adjourn", "accept", "true"),
        (
            "seek",
            "games",
            "[{ base = 1, increment = 1, rated = false, automatic = true }]",
        ),
        ("seek", "after", "4"),
        ("seek", "every", "30"),
        messages::SHOUTS,
    ],
    series,
)];

/// Incident in one game of the series, after its first moves.
type Incident = fn(&mut ClientSession) -> Result<(), String>;

/// Incidents in order; each game ends with Rabbit's resignation unless the incident has ended it.
const INCIDENTS: [(&str, Incident); GAMES] = [
    ("0 1 white", to_mate),
    ("0 1 rated black", to_mate),
    ("1 1 white", take_back_two),
    ("1 1 black", take_back_one),
    ("1 1 white", offer_draw),
    ("1 1 black", request_abort),
    ("1 1 white", adjourn_and_resume),
    ("1 1 black", adjourn_and_resume),
    ("1 1 white", failures::lose_own_connection),
    ("1 1 black", failures::lose_opponents_connection),
    ("1 1 white", failures::restart_server),
    ("1 1 white", failures::kill_engine),
    ("1 1 black", failures::kill_engine),
    ("0 1 black", run_out_of_time),
    ("1 1 white", lag),
    ("1 1 rated white", pause),
    ("1 1 rated black", take_back_two),
    ("1 1 white", chatter),
    ("1 1 black", refused_variants),
    ("0 1 white", to_mate),
];

/// Plays the games. All are won by the program, whose connection and engine fail in between.
fn series(session: &mut ClientSession) -> Result<(), String> {
    // Seeks of the idle program have no answer until the last game.
    session.challenge("1 1 white")?;
    session.rabbit.type_line("abort")?;
    session.rabbit.wait_for_the_end(ANSWER)?;
    for (index, (terms, incident)) in INCIDENTS.iter().enumerate() {
        play(session, terms, *incident)
            .map_err(|error| format!("game {} ({terms}): {error}", index + 1))?;
    }
    answer_seek(session).map_err(|error| format!("the game of the seek: {error}"))?;
    let finished = session.server.journal().finished.clone();
    let decided: Vec<String> = finished
        .iter()
        .filter(|game| game.ending.result() != "*")
        .map(|game| {
            let side = game
                .side_of(ENGINE)
                .map_or("", |side| side.fold_wb("1-0", "0-1"));
            if side == game.ending.result() {
                "won".into()
            } else {
                game.summary()
            }
        })
        .collect();
    if decided.len() != GAMES + 1 || decided.iter().any(|result| result != "won") {
        return Err(format!("the results are {decided:?}"));
    }
    Ok(())
}

fn play(session: &mut ClientSession, terms: &str, incident: Incident) -> Result<(), String> {
    session.challenge(terms)?;
    session.rabbit.play(3)?;
    incident(session)?;
    if session.rabbit.is_playing() {
        session.rabbit.play(1)?;
        session.rabbit_resigns()?;
    }
    Ok(())
}

fn to_mate(session: &mut ClientSession) -> Result<(), String> {
    session.rabbit.play_to_the_end().map(drop)
}

fn offer_draw(session: &mut ClientSession) -> Result<(), String> {
    session.rabbit.play(2)?;
    session.rabbit.type_line("draw")?;
    session.rabbit.play(1)?;
    session.wait_until_told("You decline the draw request from Rabbit.")
}

fn request_abort(session: &mut ClientSession) -> Result<(), String> {
    expect_declined(session, "abort", "abort")
}

fn adjourn_and_resume(session: &mut ClientSession) -> Result<(), String> {
    adjourn(session)?;
    session.challenge("")
}

/// Lets Rabbit wait until the program calls its flag.
fn run_out_of_time(session: &mut ClientSession) -> Result<(), String> {
    let limit = Duration::from_secs(60);
    session.rabbit.wait_for_the_end(limit).map(drop)
}

/// Plays three moves with a lag of 1.5 s in each direction.
fn lag(session: &mut ClientSession) -> Result<(), String> {
    session.server.set_lag(ENGINE, Duration::from_millis(1500));
    session.rabbit.play(3)?;
    session.server.set_lag(ENGINE, Duration::ZERO);
    Ok(())
}

fn pause(session: &mut ClientSession) -> Result<(), String> {
    expect_declined(session, "pause", "pause")
}

fn chatter(session: &mut ClientSession) -> Result<(), String> {
    messages::send_all(session)
}

/// Finishes the game and challenges to variants that the program must refuse.
fn refused_variants(session: &mut ClientSession) -> Result<(), String> {
    session.rabbit_resigns()?;
    refused_variant(session, "1 0 crazyhouse")?;
    refused_variant(session, "1 0 wild/2")
}

fn answer_seek(session: &mut ClientSession) -> Result<(), String> {
    let seek = session
        .rabbit
        .wait_for(" seeking 1 1 ", Duration::from_secs(60))?;
    session.rabbit.answer_seek(&seek)?;
    session.rabbit.play(2)?;
    session.rabbit_resigns()
}
