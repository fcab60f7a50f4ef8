//! Scenarios: whole games on the kinds of servers that differ from FICS.

use std::time::Duration;

use super::failures::lose_own_connection;
use super::games::accept_rematch;
use super::requests::adjourn;
use super::session::{ANSWER, ClientSession, Scenario};
use super::settings::Setting;
use crate::ics::server::{Family, Finished, Kind, Variant};
use crate::ics::zippy_session::{ENGINE, RABBIT};

/// Games for the seeks of the program.
const AUTOMATIC_SEEK: &str =
    "[{ base = 1, increment = 0, rated = false, colour = \"white\", automatic = true }]";
const MANUAL_SEEK: &str = "[{ base = 1, increment = 0, rated = false }]";

/// Accepts adjournments and seeks a game soon.
const SEEKING: &[Setting] = &[
    ("adjourn", "accept", "true"),
    ("seek", "games", AUTOMATIC_SEEK),
    ("seek", "after", "1"),
];

/// The scenarios of this module.
pub const SCENARIOS: &[Scenario] = &[
    Scenario::new("whole-game", SEEKING, whole_game).with_gaur(),
    Scenario::new("whole-game-on-lasker", SEEKING, whole_game)
        .with_gaur()
        .on(Family::Lasker),
    Scenario::new(
        "whole-game-on-fics16",
        &[
            // Another spelling than that of the server.
            ("server", "account", "\"gaurBOT\""),
            ("adjourn", "accept", "true"),
            ("seek", "games", AUTOMATIC_SEEK),
            ("seek", "after", "1"),
        ],
        whole_game_without_seek,
    )
    .with_gaur()
    .on(Family::Fics16),
    Scenario::new(
        "fischer-random-on-lasker",
        &[("adjourn", "accept", "true")],
        fischer_random,
    )
    .with_gaur()
    .on(Family::Lasker),
    Scenario::new(
        "fischer-random-resumed",
        &[("adjourn", "accept", "true")],
        fischer_random,
    )
    .with_gaur(),
    Scenario::new(
        "fischer-random-rematch-on-lasker",
        &[("rematch", "offer", "\"always\"")],
        fischer_random_rematch,
    )
    .with_gaur()
    .on(Family::Lasker),
    Scenario::new(
        "manual-seek-on-lasker",
        &[("seek", "games", MANUAL_SEEK), ("seek", "after", "1")],
        manual_seek,
    )
    .with_gaur()
    .on(Family::Lasker),
    Scenario::new(
        "greeting-with-semicolons",
        &[
            ("chat", "greeting", "\"Hello; bye\""),
            (
                "chat",
                "goodbye",
                "\"Thanks; tell Rabbit well played; quit\"",
            ),
        ],
        greeting,
    )
    .with_gaur()
    .on(Family::Lasker),
    Scenario::new("early-flag-on-fics16", &[], early_flag)
        .with_gaur()
        .on(Family::Fics16),
];

/// Answers a seek. The game is adjourned, resumed by Rabbit's challenge, interrupted, resumed by the program, and
/// resigned.
fn whole_game(session: &mut ClientSession) -> Result<(), String> {
    let seek = session.rabbit.wait_for("unrated lightning", 2 * ANSWER)?;
    session.rabbit.answer_seek(&seek)?;
    interrupted_game(session)?;
    session.expect(&[
        "Game adjourned by mutual agreement *",
        "GaurBot lost connection; game adjourned *",
        "Rabbit resigns 1-0",
    ])
}

/// Does the same with a challenge, on a server without seeks.
fn whole_game_without_seek(session: &mut ClientSession) -> Result<(), String> {
    session.allow_refusal("seek: Command not found.");
    session.challenge("1 0 black")?;
    interrupted_game(session)?;
    session.expect(&[
        "Game adjourned by mutual agreement *",
        "GaurBot lost connection; game adjourned *",
        "Rabbit resigns 1-0",
    ])
}

fn interrupted_game(session: &mut ClientSession) -> Result<(), String> {
    session.rabbit.play(2)?;
    adjourn(session)?;
    session.challenge("")?;
    session.rabbit.play(2)?;
    lose_own_connection(session)?;
    session.rabbit_resigns_after(1)
}

/// Adjourns and resumes a game of Fischer Random. On lasker, the first of the two lines that announce it has only the
/// word `wild`.
fn fischer_random(session: &mut ClientSession) -> Result<(), String> {
    session.challenge("1 0 white wild fr")?;
    session.rabbit.play(2)?;
    adjourn(session)?;
    session.challenge("")?;
    session.rabbit.play(1)?;
    lose_own_connection(session)?;
    session.rabbit_resigns_after(1)?;
    session.expect(&[
        "Game adjourned by mutual agreement *",
        "GaurBot lost connection; game adjourned *",
        "Rabbit resigns 0-1",
    ])
}

/// Accepts the rematch of a game of Fischer Random, with the other colour.
fn fischer_random_rematch(session: &mut ClientSession) -> Result<(), String> {
    session.challenge("1 0 white wild fr")?;
    session.rabbit_resigns_after(2)?;
    accept_rematch(session)?;
    session.rabbit_resigns_after(2)?;
    session.expect(&["Rabbit resigns 0-1", "Rabbit resigns 1-0"])?;
    let journal = session.server.journal();
    let is_fischer_random = |game: &Finished| game.terms.variant == Variant::FischerRandom;
    if journal.finished.iter().all(is_fischer_random) {
        Ok(())
    } else {
        Err("the rematch was a game of another variant".into())
    }
}

/// Lets the program seek a game in a way that lasker does not know. Challenges are still possible.
fn manual_seek(session: &mut ClientSession) -> Result<(), String> {
    session.allow_refusal("No such category/board: m/0");
    session.wait_until_typed("seek 1 0")?;
    session.challenge("1 0 white")?;
    session.rabbit_resigns_after(2)?;
    session.expect(&["Rabbit resigns 0-1"])
}

/// Checks that no part of a message behind a semicolon is a command.
fn greeting(session: &mut ClientSession) -> Result<(), String> {
    session.challenge("1 0 white")?;
    session.rabbit.wait_for("GaurBot says: Hello", ANSWER)?;
    session.rabbit.play(2)?;
    session.rabbit.type_line("resign")?;
    session.rabbit.wait_for("GaurBot says: Thanks", ANSWER)?;
    session.challenge("1 0 black")?;
    session.rabbit_resigns_after(1)?;
    let journal = session.server.journal();
    if let Some(line) = journal
        .of(RABBIT, Kind::Told)
        .find(|line| line.starts_with("GaurBot tells you: "))
    {
        return Err(format!("a part of a message was a command: {line}"));
    }
    if journal
        .of(ENGINE, Kind::Told)
        .any(|line| line == "Logging you out.")
    {
        return Err("a part of a message has ended the session".into());
    }
    drop(journal);
    session.expect(&["Rabbit resigns 0-1", "Rabbit resigns 1-0"])
}

/// Lets Rabbit exceed its time before its first move, which the server does not accept as a loss, and again later. The
/// program calls the flag only then.
fn early_flag(session: &mut ClientSession) -> Result<(), String> {
    session.challenge("0 1 white")?;
    std::thread::sleep(Duration::from_secs(13));
    if session.typed().iter().any(|line| line == "flag") {
        return Err("the flag was called before both players had moved".into());
    }
    let mv = session.rabbit.pick_careful(|_| true)?;
    session.rabbit.make(mv)?;
    session.rabbit.expect_turn()?;
    session.rabbit.wait_for_the_end(Duration::from_secs(30))?;
    session.expect(&["Rabbit forfeits on time 0-1"])
}
