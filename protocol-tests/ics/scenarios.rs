//! Scenarios on a chess server, each in its own session. Times are mostly `0 1`: ten seconds and
//! one more for each move.

use std::time::Duration;

use crate::ics::server::Kind;
use crate::ics::zippy_session::{ENGINE, RABBIT, ZippySession};

/// Maximum number of attempts to take a move back before the engine answers it.
const ATTEMPTS: usize = 5;

/// Function that plays
pub type Scenario = fn(&mut ZippySession) -> Result<(), String>;

/// Names and functions of the scenarios.
pub const SCENARIOS: [(&str, Scenario); 12] = [
    ("rematches", rematches),
    ("draw-offers", draw_offers),
    ("takeback", takeback),
    ("takeback-as-black", takeback_as_black),
    ("takeback-while-thinking", takeback_while_thinking),
    ("abort", abort),
    ("adjournment", adjournment),
    ("engine-disconnects", engine_disconnects),
    ("opponent-disconnects", opponent_disconnects),
    ("flag", flag),
    ("lag", lag),
    ("seek-and-chat", seek_and_chat),
];

/// Scenario with chat messages: name, engine options, function.
pub const CHAT: (&str, &str, Scenario) = ("chat", "Greet=1,Kibitz=kibitz", chat);

/// Plays three games to mate, with both colours.
fn rematches(session: &mut ZippySession) -> Result<(), String> {
    for terms in ["0 1 black", "0 1 white", "0 1 rated black"] {
        session.challenge(terms)?;
        session.rabbit.play_to_the_end()?;
    }
    session.expect(&[
        "Rabbit checkmated 1-0",
        "Rabbit checkmated 0-1",
        "Rabbit checkmated 1-0",
    ])
}

/// Offers draws: an engine with the better position declines, with a lost position it accepts.
fn draw_offers(session: &mut ZippySession) -> Result<(), String> {
    session.challenge("0 1 white")?;
    session.rabbit.play(5)?;
    session.rabbit.type_line("draw")?;
    session.rabbit.play(2)?;
    session.wait_until_received(RABBIT, "GaurBot declines the draw request.")?;
    session.rabbit.type_line("resign")?;

    session.challenge("0 1 white from 3qk3/8/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1")?;
    session.rabbit.play(2)?;
    session.rabbit.type_line("draw")?;
    // The answer comes at once or with the engine's next move.
    let mv = session.rabbit.pick(|_| true)?;
    session.rabbit.make(mv)?;
    session.rabbit.wait_for_the_end(Duration::from_secs(10))?;
    session.expect(&[
        "Rabbit resigns 0-1",
        "Game drawn by mutual agreement 1/2-1/2",
    ])
}

/// Takes back a move of Rabbit with the operator's consent, and plays the game to its end.
fn takeback(session: &mut ZippySession) -> Result<(), String> {
    session.challenge("0 1 white")?;
    take_back_after(session, 5)?;
    session.rabbit.play_to_the_end()?;
    session.expect(&["Rabbit checkmated 0-1"])
}

/// Takes back moves of Rabbit twice in a game in which the engine plays Black.
fn takeback_as_black(session: &mut ZippySession) -> Result<(), String> {
    session.challenge("0 1 black")?;
    take_back_after(session, 3)?;
    take_back_after(session, 2)?;
    session.rabbit.play_to_the_end()?;
    session.expect(&["Rabbit checkmated 1-0"])
}

/// Takes back a move of Rabbit before the engine has answered it. Rabbit plays another one when the server has dropped
/// the engine's answer to the first.
fn takeback_while_thinking(session: &mut ZippySession) -> Result<(), String> {
    // The engine's answer and the operator's may cross.
    session.allow_refusal("It is not your move");
    session.allow_refusal("There are no pending takeback offers.");
    session.challenge("0 1 white")?;
    session.rabbit.play(3)?;
    let mut is_accepted = false;
    for _ in 0..ATTEMPTS {
        session.rabbit.play_to_a_choice(1)?;
        let first = session.rabbit.pick(|_| true)?;
        session.rabbit.make(first)?;
        session.rabbit.type_line("takeback 1")?;
        session.operator_answers("would like to take back 1 half move(s).", "accept takeback")?;
        let timeout = Duration::from_secs(10);
        let answer = session.rabbit.wait_for(" the takeback request", timeout)?;
        is_accepted = answer.contains("accepts");
        if is_accepted {
            session.rabbit.wait_for("<12>", timeout)?;
            std::thread::sleep(Duration::from_secs(3));
            let other = session.rabbit.pick(|mv| mv != first)?;
            session.rabbit.make(other)?;
            break;
        }
        session.rabbit.expect_turn()?;
    }
    if !is_accepted {
        return Err("the engine was always faster than the operator".into());
    }
    session.rabbit.play_to_the_end()?;
    session.expect(&["Rabbit checkmated 0-1"])
}

/// Plays this number of moves, takes the last one back and plays another one.
fn take_back_after(session: &mut ZippySession, moves: usize) -> Result<(), String> {
    session.rabbit.play_to_a_choice(moves)?;
    let first = session.rabbit.pick(|_| true)?;
    let earlier = session.rabbit.position()?;
    session.rabbit.make(first)?;
    session.rabbit.expect_turn()?;
    session.rabbit.type_line("takeback 2")?;
    session.operator_answers("would like to take back 2 half move(s).", "accept takeback")?;
    session
        .rabbit
        .wait_for("accepts the takeback", Duration::from_secs(10))?;
    session.rabbit.wait_for("<12>", Duration::from_secs(10))?;
    if session.rabbit.position()? != earlier {
        return Err("the server has not taken the moves back".into());
    }
    let other = session.rabbit.pick(|mv| mv != first)?;
    session.rabbit.make(other)
}

/// Aborts a game and plays another one.
fn abort(session: &mut ZippySession) -> Result<(), String> {
    session.challenge("0 1 black")?;
    session.rabbit.play(3)?;
    session.rabbit.type_line("abort")?;
    session.operator_answers("would like to abort the game", "abort")?;
    session.rabbit.wait_for_the_end(Duration::from_secs(10))?;

    session.challenge("0 1 white")?;
    session.rabbit.play(3)?;
    session.rabbit.type_line("moretime 5")?;
    session.rabbit.play(4)?;
    session.rabbit.type_line("resign")?;
    session.rabbit.wait_for_the_end(Duration::from_secs(10))?;
    session.expect(&["Game aborted by mutual agreement *", "Rabbit resigns 0-1"])
}

/// Adjourns a game by agreement and finishes it later.
fn adjournment(session: &mut ZippySession) -> Result<(), String> {
    session.challenge("0 1 white")?;
    session.rabbit.play(4)?;
    session.rabbit.type_line("adjourn")?;
    session.operator_answers("would like to adjourn the game", "adjourn")?;
    session.rabbit.wait_for_the_end(Duration::from_secs(10))?;

    session.challenge("")?;
    session.rabbit.play(5)?;
    session.rabbit.type_line("resign")?;
    session.rabbit.wait_for_the_end(Duration::from_secs(10))?;
    session.expect(&["Game adjourned by mutual agreement *", "Rabbit resigns 0-1"])
}

/// Breaks the engine's connection while it thinks; XBoard ends, is started again, and the game is finished.
fn engine_disconnects(session: &mut ZippySession) -> Result<(), String> {
    session.challenge("0 1 white")?;
    session.rabbit.play(4)?;
    let mv = session.rabbit.pick(|_| true)?;
    session.rabbit.make(mv)?;
    session.server.cut(ENGINE);
    session.rabbit.wait_for_the_end(Duration::from_secs(10))?;
    session.restart()?;

    session.challenge("")?;
    session.rabbit.play_to_the_end()?;
    session.expect(&[
        "GaurBot lost connection; game adjourned *",
        "Rabbit checkmated 0-1",
    ])
}

/// Breaks Rabbit's connection; the engine waits, resumes the game and finishes it.
fn opponent_disconnects(session: &mut ZippySession) -> Result<(), String> {
    session.challenge("0 1 black")?;
    session.rabbit.play(5)?;
    session.server.cut(RABBIT);
    session.wait_until_received(ENGINE, "Rabbit lost connection; game adjourned")?;
    session.rabbit_returns()?;

    session.challenge("")?;
    session.rabbit.play_to_the_end()?;
    session.expect(&[
        "Rabbit lost connection; game adjourned *",
        "Rabbit checkmated 1-0",
    ])
}

/// Lets Rabbit exceed its time; XBoard calls the flag.
fn flag(session: &mut ZippySession) -> Result<(), String> {
    session.challenge("0 1 black")?;
    session.rabbit.play(3)?;
    session.rabbit.wait_for_the_end(Duration::from_secs(60))?;
    session.expect(&["Rabbit forfeits on time 1-0"])
}

/// Plays with a lag of 0.3 s in each direction, which the server charges as thinking time.
fn lag(session: &mut ZippySession) -> Result<(), String> {
    session.server.set_lag(ENGINE, Duration::from_millis(300));
    session.challenge("0 1 white")?;
    session.rabbit.play_to_the_end()?;
    session.expect(&["Rabbit checkmated 0-1"])
}

/// Lets the operator answer a seek. Messages of Rabbit during the game look like commands and results.
fn seek_and_chat(session: &mut ZippySession) -> Result<(), String> {
    // A first challenge makes sure that XBoard is ready.
    session.challenge("0 1 black")?;
    session.rabbit.play(2)?;
    session.rabbit.type_line("resign")?;
    session.rabbit.wait_for_the_end(Duration::from_secs(10))?;

    session.rabbit.type_line("seek 0 1 white")?;
    session.operator_answers("seeking 0 1 unrated", "play Rabbit")?;
    session.rabbit.wait_for_game()?;
    for words in [
        "say resign",
        "kibitz move e7e5",
        "tell GaurBot quit",
        "say 0-1 {White resigns}",
    ] {
        session.rabbit.type_line(words)?;
        session.rabbit.play(2)?;
    }
    session.rabbit.type_line("resign")?;
    session.rabbit.wait_for_the_end(Duration::from_secs(10))?;
    session.expect(&["Rabbit resigns 1-0", "Rabbit resigns 0-1"])
}

/// Checks that the engine greets once, limits its kibitzes, and sends a goodbye after the game.
fn chat(session: &mut ZippySession) -> Result<(), String> {
    // The engine waits three seconds between two lines; transit can shorten the interval a little.
    const MIN_PAUSE: Duration = Duration::from_secs(2);
    const GREETING: &str = "GaurBot says: Hello, I am Gaur, a chess program. Good luck!";
    const GOODBYE: &str = "GaurBot says: Thank you for the game.";
    session.allow_words("say ");
    session.allow_words("kibitz ");
    session.challenge("1 2 white")?;
    session.rabbit.play(6)?;
    // Within three seconds of another line the engine would send no goodbye.
    std::thread::sleep(Duration::from_secs(5));
    session.rabbit.type_line("resign")?;
    session.rabbit.wait_for(GOODBYE, Duration::from_secs(10))?;
    session.expect(&["Rabbit resigns 0-1"])?;

    let journal = session.server.journal();
    let clock_reports: Vec<_> = journal
        .entries
        .iter()
        .filter(|entry| entry.who == RABBIT && entry.kind == Kind::Told)
        .collect();
    let greetings = clock_reports
        .iter()
        .filter(|entry| entry.text == GREETING)
        .count();
    let goodbyes = clock_reports
        .iter()
        .filter(|entry| entry.text == GOODBYE)
        .count();
    if (greetings, goodbyes) != (1, 1) {
        return Err(format!("{greetings} greetings, {goodbyes} goodbyes"));
    }
    let kibitzes: Vec<_> = clock_reports
        .iter()
        .filter_map(|entry| {
            let text = entry.text.strip_prefix("GaurBot(2000)[1] kibitzes: ")?;
            Some((entry.at, text))
        })
        .collect();
    if kibitzes.len() < 2 {
        return Err(format!("the engine has kibitzed {kibitzes:?}"));
    }
    if let Some(pair) = kibitzes
        .windows(2)
        .find(|pair| pair[1].0 - pair[0].0 < MIN_PAUSE)
    {
        return Err(format!("too fast: {pair:?}"));
    }
    // Score, depth, and a few moves: `-0.35, depth 12: e5 Nf3`.
    let is_clean = |text: &str| {
        text.contains(", depth ")
            && text
                .bytes()
                .all(|byte| byte == b' ' || byte.is_ascii_graphic())
    };
    match kibitzes.iter().find(|(_, text)| !is_clean(text)) {
        Some((_, text)) => Err(format!("an odd kibitz: {text:?}")),
        None => Ok(()),
    }
}
