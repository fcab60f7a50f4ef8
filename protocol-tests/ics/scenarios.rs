//! The games: what happens on an internet chess server, each as one evening. Times are mostly `0 1`: ten seconds and
//! one more for each move.

use std::time::Duration;

use shakmaty::Position;

use crate::ics::evening::{ENGINE, Evening, RABBIT};
use crate::ics::server::Kind;

/// So often Rabbit tries to take a move back before it is answered.
const ATTEMPTS: usize = 5;

/// The course of an evening.
pub type Scenario = fn(&mut Evening) -> Result<(), String>;

/// Name and course of each evening.
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
    ("seek-and-talk", seek_and_talk),
];

/// The engine of the evening `talk` is told to speak: name, options, course.
pub const TALK: (&str, &str, Scenario) = ("talk", "Greet=1,Kibitz=kibitz", talk);

/// Three games in a row, with both colours, to mate.
fn rematches(evening: &mut Evening) -> Result<(), String> {
    for terms in ["0 1 black", "0 1 white", "0 1 rated black"] {
        evening.challenge(terms)?;
        evening.rabbit.play_to_the_end()?;
    }
    evening.expect(&[
        "Rabbit checkmated 1-0",
        "Rabbit checkmated 0-1",
        "Rabbit checkmated 1-0",
    ])
}

/// An engine that stands better plays on; one that is lost takes the draw.
fn draw_offers(evening: &mut Evening) -> Result<(), String> {
    evening.challenge("0 1 white")?;
    evening.rabbit.play(5)?;
    evening.rabbit.type_line("draw")?;
    evening.rabbit.play(2)?;
    evening.wait_until_told(RABBIT, "GaurBot declines the draw request.")?;
    evening.rabbit.type_line("resign")?;

    evening.challenge("0 1 white from 3qk3/8/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1")?;
    evening.rabbit.play(2)?;
    evening.rabbit.type_line("draw")?;
    // The answer may come at once, or with the engine's next move.
    let mv = evening.rabbit.pick(|_| true)?;
    evening.rabbit.make(mv)?;
    evening.rabbit.wait_for_the_end(Duration::from_secs(10))?;
    evening.expect(&[
        "Rabbit resigns 0-1",
        "Game drawn by mutual agreement 1/2-1/2",
    ])
}

/// Rabbit takes a move back, the operator agrees, and the game goes on from there to its end.
fn takeback(evening: &mut Evening) -> Result<(), String> {
    evening.challenge("0 1 white")?;
    take_back_after(evening, 5)?;
    evening.rabbit.play_to_the_end()?;
    evening.expect(&["Rabbit checkmated 0-1"])
}

/// The same with the other colours, and twice in the game.
fn takeback_as_black(evening: &mut Evening) -> Result<(), String> {
    evening.challenge("0 1 black")?;
    take_back_after(evening, 3)?;
    take_back_after(evening, 2)?;
    evening.rabbit.play_to_the_end()?;
    evening.expect(&["Rabbit checkmated 1-0"])
}

/// Rabbit takes its move back before the engine has answered it, and plays another one when the engine's answer to
/// the first has come to nothing.
fn takeback_while_thinking(evening: &mut Evening) -> Result<(), String> {
    // The engine's answer and the operator's may cross.
    evening.allow_refusal("It is not your move");
    evening.allow_refusal("There are no offers to answer.");
    evening.challenge("0 1 white")?;
    evening.rabbit.play(3)?;
    let mut is_accepted = false;
    for _ in 0..ATTEMPTS {
        evening.rabbit.play(1)?;
        let first = evening.rabbit.pick(|_| true)?;
        evening.rabbit.make(first)?;
        evening.rabbit.type_line("takeback 1")?;
        evening.operator_answers("would like to take back 1 half move(s).", "accept takeback")?;
        let patience = Duration::from_secs(10);
        let answer = evening.rabbit.wait_for(" the takeback request", patience)?;
        is_accepted = answer.contains("accepts");
        if is_accepted {
            evening.rabbit.wait_for("<12>", patience)?;
            std::thread::sleep(Duration::from_secs(3));
            let other = evening.rabbit.pick(|mv| mv != first)?;
            evening.rabbit.make(other)?;
            break;
        }
        evening.rabbit.expect_turn()?;
    }
    if !is_accepted {
        return Err("the engine was always faster than the operator".into());
    }
    evening.rabbit.play_to_the_end()?;
    evening.expect(&["Rabbit checkmated 0-1"])
}

/// Plays so many moves, takes the last one back, and plays another one instead.
fn take_back_after(evening: &mut Evening, moves: usize) -> Result<(), String> {
    evening.rabbit.play(moves)?;
    while evening.rabbit.position()?.legal_moves().len() < 2 {
        evening.rabbit.play(1)?;
    }
    let first = evening.rabbit.pick(|_| true)?;
    let earlier = evening.rabbit.position()?;
    evening.rabbit.make(first)?;
    evening.rabbit.expect_turn()?;
    evening.rabbit.type_line("takeback 2")?;
    evening.operator_answers("would like to take back 2 half move(s).", "accept takeback")?;
    evening
        .rabbit
        .wait_for("accepts the takeback", Duration::from_secs(10))?;
    evening.rabbit.wait_for("<12>", Duration::from_secs(10))?;
    if evening.rabbit.position()? != earlier {
        return Err("the server has not taken the moves back".into());
    }
    let other = evening.rabbit.pick(|mv| mv != first)?;
    evening.rabbit.make(other)
}

/// A game that is called off, and another one after it.
fn abort(evening: &mut Evening) -> Result<(), String> {
    evening.challenge("0 1 black")?;
    evening.rabbit.play(3)?;
    evening.rabbit.type_line("abort")?;
    evening.operator_answers("would like to abort the game", "abort")?;
    evening.rabbit.wait_for_the_end(Duration::from_secs(10))?;

    evening.challenge("0 1 white")?;
    evening.rabbit.play(3)?;
    evening.rabbit.type_line("moretime 5")?;
    evening.rabbit.play(4)?;
    evening.rabbit.type_line("resign")?;
    evening.rabbit.wait_for_the_end(Duration::from_secs(10))?;
    evening.expect(&["Game aborted by mutual agreement *", "Rabbit resigns 0-1"])
}

/// A game that is put aside by agreement, and finished later.
fn adjournment(evening: &mut Evening) -> Result<(), String> {
    evening.challenge("0 1 white")?;
    evening.rabbit.play(4)?;
    evening.rabbit.type_line("adjourn")?;
    evening.operator_answers("would like to adjourn the game", "adjourn")?;
    evening.rabbit.wait_for_the_end(Duration::from_secs(10))?;

    evening.challenge("")?;
    evening.rabbit.play(5)?;
    evening.rabbit.type_line("resign")?;
    evening.rabbit.wait_for_the_end(Duration::from_secs(10))?;
    evening.expect(&["Game adjourned by mutual agreement *", "Rabbit resigns 0-1"])
}

/// The engine's line breaks while it thinks; XBoard leaves, is started again, and the game is finished.
fn engine_disconnects(evening: &mut Evening) -> Result<(), String> {
    evening.challenge("0 1 white")?;
    evening.rabbit.play(4)?;
    let mv = evening.rabbit.pick(|_| true)?;
    evening.rabbit.make(mv)?;
    evening.server.cut(ENGINE);
    evening.rabbit.wait_for_the_end(Duration::from_secs(10))?;
    evening.restart()?;

    evening.challenge("")?;
    evening.rabbit.play_to_the_end()?;
    evening.expect(&[
        "GaurBot lost connection; game adjourned *",
        "Rabbit checkmated 0-1",
    ])
}

/// Rabbit's line breaks; the engine waits, takes the game up again, and finishes it.
fn opponent_disconnects(evening: &mut Evening) -> Result<(), String> {
    evening.challenge("0 1 black")?;
    evening.rabbit.play(5)?;
    evening.server.cut(RABBIT);
    evening.wait_until_told(ENGINE, "Rabbit lost connection; game adjourned")?;
    evening.rabbit_returns()?;

    evening.challenge("")?;
    evening.rabbit.play_to_the_end()?;
    evening.expect(&[
        "Rabbit lost connection; game adjourned *",
        "Rabbit checkmated 1-0",
    ])
}

/// Rabbit falls asleep; XBoard calls the flag.
fn flag(evening: &mut Evening) -> Result<(), String> {
    evening.challenge("0 1 black")?;
    evening.rabbit.play(3)?;
    evening.rabbit.wait_for_the_end(Duration::from_secs(60))?;
    evening.expect(&["Rabbit forfeits on time 1-0"])
}

/// Three tenths of a second in each direction, which the server counts as thinking time.
fn lag(evening: &mut Evening) -> Result<(), String> {
    evening.server.set_lag(ENGINE, Duration::from_millis(300));
    evening.challenge("0 1 white")?;
    evening.rabbit.play_to_the_end()?;
    evening.expect(&["Rabbit checkmated 0-1"])
}

/// The operator answers a seek; what Rabbit says in the game is talk, whatever it looks like.
fn seek_and_talk(evening: &mut Evening) -> Result<(), String> {
    // A first challenge makes sure that XBoard is ready.
    evening.challenge("0 1 black")?;
    evening.rabbit.play(2)?;
    evening.rabbit.type_line("resign")?;
    evening.rabbit.wait_for_the_end(Duration::from_secs(10))?;

    evening.rabbit.type_line("seek 0 1 white")?;
    evening.operator_answers("seeking 0 1 unrated", "play Rabbit")?;
    evening.rabbit.wait_for_game()?;
    for words in [
        "say resign",
        "kibitz move e7e5",
        "tell GaurBot quit",
        "say 0-1 {White resigns}",
    ] {
        evening.rabbit.type_line(words)?;
        evening.rabbit.play(2)?;
    }
    evening.rabbit.type_line("resign")?;
    evening.rabbit.wait_for_the_end(Duration::from_secs(10))?;
    evening.expect(&["Rabbit resigns 1-0", "Rabbit resigns 0-1"])
}

/// The engine greets once, kibitzes in moderation, and says goodbye when the game is over.
fn talk(evening: &mut Evening) -> Result<(), String> {
    // The engine keeps three seconds between two lines; on the way here the second one may have caught up a little.
    const LEAST_PAUSE: Duration = Duration::from_secs(2);
    const GREETING: &str = "GaurBot says: Hello, I am Gaur, a chess program. Good luck!";
    const GOODBYE: &str = "GaurBot says: Thank you for the game.";
    evening.allow_words("say ");
    evening.allow_words("kibitz ");
    evening.challenge("1 2 white")?;
    evening.rabbit.play(6)?;
    // Within three seconds of another line the engine would not say goodbye.
    std::thread::sleep(Duration::from_secs(5));
    evening.rabbit.type_line("resign")?;
    evening.rabbit.wait_for(GOODBYE, Duration::from_secs(10))?;
    evening.expect(&["Rabbit resigns 0-1"])?;

    let journal = evening.server.journal();
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
            let text = entry.text.strip_prefix("GaurBot[1] kibitzes: ")?;
            Some((entry.at, text))
        })
        .collect();
    if kibitzes.len() < 2 {
        return Err(format!("the engine has kibitzed {kibitzes:?}"));
    }
    if let Some(pair) = kibitzes
        .windows(2)
        .find(|pair| pair[1].0 - pair[0].0 < LEAST_PAUSE)
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
