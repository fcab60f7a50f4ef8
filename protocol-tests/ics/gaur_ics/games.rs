//! Scenarios: challenges, seeks, clocks and variants.

use std::time::Duration;

use shakmaty::Position;

use super::session::{ANSWER, ClientSession, Scenario};
use super::settings::Engine;
use crate::ics::client::Client;
use crate::ics::server::Kind;
use crate::ics::zippy_session::{ENGINE, RABBIT};

/// Games for the seeks of the program.
const SEEKS: &str = "[{ base = 1, increment = 1, rated = false }, \
                      { base = 1, increment = 2, rated = false, automatic = true }]";

/// The scenarios of this module.
pub const SCENARIOS: &[Scenario] = &[
    Scenario::new("challenges", &[], challenges),
    Scenario::new(
        "refused-challenges",
        &[
            ("challenges", "base_max", "5"),
            ("challenges", "noplay", "[\"Stranger\"]"),
            ("challenges", "guests", "false"),
        ],
        refused_challenges,
    ),
    Scenario::new("refused-variants", &[], refused_variants),
    Scenario::new("fischer-random", &[], fischer_random),
    Scenario::new(
        "seeks",
        &[("seek", "games", SEEKS), ("seek", "after", "1")],
        seeks,
    ),
    Scenario::new("rematch", &[("rematch", "offer", "\"always\"")], rematch),
    Scenario::new("flag", &[], flag),
    Scenario::new("lag-with-timeseal", &[], lag_with_timeseal),
    Scenario::new(
        "lag-without-timeseal",
        &[("server", "timeseal", "false")],
        lag_without_timeseal,
    ),
    Scenario::new(
        "guest",
        &[("server", "guest", "true"), ("server", "account", "\"\"")],
        guest,
    ),
];

/// Plays games to mate with both colours, and one that Rabbit resigns after it has given time.
fn challenges(session: &mut ClientSession) -> Result<(), String> {
    for terms in ["0 1 black", "0 1 rated white"] {
        session.challenge(terms)?;
        session.rabbit.play_to_the_end()?;
    }
    session.challenge("1 0 white")?;
    session.rabbit.play(3)?;
    session.rabbit.type_line("moretime 5")?;
    session.rabbit.play(4)?;
    session.rabbit_resigns()?;
    session.expect(&[
        "Rabbit checkmated 1-0",
        "Rabbit checkmated 0-1",
        "Rabbit resigns 0-1",
    ])
}

/// Challenges that the rules refuse: too long, by a guest.
fn refused_challenges(session: &mut ClientSession) -> Result<(), String> {
    session.challenge("1 0 white")?;
    session.rabbit.play(2)?;
    session.rabbit_resigns()?;
    for terms in ["6 0", "60 60 rated"] {
        expect_refusal(&mut session.rabbit, terms)?;
    }
    let mut stranger = Client::login(session.server.port(), "Stranger", 3)?;
    expect_refusal(&mut stranger, "1 0")?;
    session.challenge("1 0 black")?;
    session.rabbit.play(2)?;
    session.rabbit_resigns()?;
    session.expect(&["Rabbit resigns 0-1", "Rabbit resigns 1-0"])
}

/// Lets a client challenge the program, which must decline.
pub fn expect_refusal(client: &mut Client, terms: &str) -> Result<(), String> {
    client.type_line(&format!("match {ENGINE} {terms}"))?;
    let text = format!("{ENGINE} declines the match offer.");
    client
        .wait_for(&text, ANSWER)
        .map(drop)
        .map_err(|error| format!("{terms:?} was not refused: {error}"))
}

/// Challenges to variants that no engine here can play, and to a game without clocks.
fn refused_variants(session: &mut ClientSession) -> Result<(), String> {
    session.challenge("1 0 white")?;
    session.rabbit.play(2)?;
    session.rabbit_resigns()?;
    for terms in [
        "1 0 crazyhouse",
        "1 0 suicide",
        "1 0 wild/2",
        "1 0 bughouse",
        "1 0 atomic rated",
        "0 0",
    ] {
        refused_variant(session, terms)?;
    }
    session.challenge("1 0 black")?;
    session.rabbit.play(2)?;
    session.rabbit_resigns()?;
    session.expect(&["Rabbit resigns 0-1", "Rabbit resigns 1-0"])
}

/// Challenges the program to a game that it must refuse.
pub fn refused_variant(session: &mut ClientSession, terms: &str) -> Result<(), String> {
    expect_refusal(&mut session.rabbit, terms)
}

/// Plays Fischer Random with both colours. Fairy-Max cannot play it, so the program must refuse it.
fn fischer_random(session: &mut ClientSession) -> Result<(), String> {
    if session.engine == Engine::FairyMax {
        session.challenge("1 0 white")?;
        session.rabbit_resigns_after(2)?;
        expect_refusal(&mut session.rabbit, "1 0 wild/fr")?;
        return session.expect(&["Rabbit resigns 0-1"]);
    }
    session.challenge("0 1 white wild/fr")?;
    session.rabbit.play_to_the_end()?;
    session.challenge("0 1 black wild fr")?;
    session.rabbit.play_to_the_end()?;
    for color in ["white", "black"] {
        session.challenge(&format!("0 1 {color} wild/fr"))?;
        session.rabbit_resigns_after(8)?;
    }
    session.expect(&[
        "Rabbit checkmated 0-1",
        "Rabbit checkmated 1-0",
        "Rabbit resigns 0-1",
        "Rabbit resigns 1-0",
    ])
}

/// Answers a manual seek, for which the program accepts the challenge, and an automatic one.
fn seeks(session: &mut ClientSession) -> Result<(), String> {
    for moves in [4, 3] {
        let seek = session
            .rabbit
            .wait_for(" seeking 1 ", Duration::from_secs(60))?;
        session.rabbit.answer_seek(&seek)?;
        session.rabbit_resigns_after(moves)?;
    }
    let journal = session.server.journal();
    let losses = journal.finished.iter().filter(|game| {
        let side = game.side_of(RABBIT);
        side.is_some_and(|side| game.ending.result() == side.fold_wb("0-1", "1-0"))
    });
    match losses.count() {
        2 => Ok(()),
        count => Err(format!("Rabbit lost {count} games")),
    }
}

/// Waits for the rematch that the program offers, and accepts it.
fn rematch(session: &mut ClientSession) -> Result<(), String> {
    session.challenge("1 0 white")?;
    session.rabbit_resigns_after(3)?;
    accept_rematch(session)?;
    session.rabbit_resigns_after(3)?;
    match session.server.journal().finished.len() {
        2 => Ok(()),
        count => Err(format!("{count} games were played")),
    }
}

/// Waits until the program offers a rematch, and accepts it.
pub fn accept_rematch(session: &mut ClientSession) -> Result<(), String> {
    session.rabbit.wait_for("Challenge: GaurBot", 2 * ANSWER)?;
    session.rabbit.type_line("accept GaurBot")?;
    session.rabbit.wait_for_game()
}

/// Lets Rabbit exceed its time; the program calls the flag.
fn flag(session: &mut ClientSession) -> Result<(), String> {
    session.challenge("0 1 black")?;
    session.rabbit.play(3)?;
    session.rabbit.wait_for_the_end(Duration::from_secs(60))?;
    session.expect(&["Rabbit forfeits on time 1-0"])
}

/// Plays with a lag of 1.5 s in each direction, which timeseal keeps from the clock.
fn lag_with_timeseal(session: &mut ClientSession) -> Result<(), String> {
    let lag = Duration::from_millis(1500);
    session.server.set_lag(ENGINE, lag);
    session.challenge("0 1 white")?;
    session.rabbit_resigns_after(8)?;
    let journal = session.server.journal();
    let game = journal.finished.first().ok_or("no game was finished")?;
    // Rabbit has White. The clocks run from the third half-move on.
    for spent in game.spent.iter().skip(3).step_by(2) {
        if spent.lag < 2900 {
            return Err(format!("a move was charged {spent:?} in spite of timeseal"));
        }
    }
    drop(journal);
    session.expect(&["Rabbit resigns 0-1"])
}

/// Plays with a lag of 0.75 s in each direction, which the server charges as thinking time.
fn lag_without_timeseal(session: &mut ClientSession) -> Result<(), String> {
    session.server.set_lag(ENGINE, Duration::from_millis(750));
    session.challenge("0 3 white")?;
    session.rabbit_resigns_after(8)?;
    session.expect(&["Rabbit resigns 0-1"])
}

/// Plays as a guest. The server chooses the name.
fn guest(session: &mut ClientSession) -> Result<(), String> {
    let line = loop {
        let found = {
            let journal = session.server.journal();
            let mut entries = journal.entries.iter();
            entries
                .find(|entry| entry.kind == Kind::Told && entry.text.contains("session as Guest"))
                .map(|entry| entry.who.clone())
        };
        if let Some(name) = found {
            break name;
        }
        session.program()?.expect_running()?;
        std::thread::sleep(Duration::from_millis(100));
    };
    session.rabbit.challenge(&line, "1 0 rated white")?;
    session.rabbit.play(3)?;
    let position = session.rabbit.position()?;
    if position.fullmoves().get() < 4 {
        return Err("the guest did not play".into());
    }
    session.rabbit_resigns()?;
    // The account of the other scenarios has not played.
    session.as_guest(&line);
    session.expect(&["Rabbit resigns 0-1"])
}
