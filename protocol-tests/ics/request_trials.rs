//! Tests of the server alone: requests during a game, variants, seeks and messages.

use shakmaty::{CastlingSide, Position};

use crate::ics::server::Kind;
use crate::ics::server_trials::Side::{Black, White};
use crate::ics::server_trials::{ANSWER_TIMEOUT, Board};
use crate::ics::zippy_session::RABBIT;

type Check = fn(&mut Board) -> Result<(), String>;

/// Names and functions of the tests.
pub const CHECKS: [(&str, Check); 8] = [
    ("pause", pause),
    ("switch", switch),
    ("takeback-of-another-number", takeback_of_another_number),
    ("withdrawn-and-declined", withdrawn_and_declined),
    ("fischer-random", fischer_random),
    ("refused-variants", refused_variants),
    ("manual-seek-and-rematch", manual_seek_and_rematch),
    ("messages", messages),
];

fn pause(board: &mut Board) -> Result<(), String> {
    board.begin("5 0 white")?;
    board.moves("e2e4 e7e5")?;
    board.exchange(Black, "pause", White, "Rabbit requests to pause the game.")?;
    board.exchange(
        White,
        "accept",
        Black,
        "GaurBot accepted pause. Game clock paused.",
    )?;
    board.white.wait_for("Game clock paused.", ANSWER_TIMEOUT)?;
    let before = board.white.time_left()?;
    board.exchange(
        White,
        "g1f3",
        White,
        "Game clock is paused, use \"unpause\" to resume.",
    )?;
    std::thread::sleep(std::time::Duration::from_secs(1));
    board.exchange(White, "unpause", Black, "requests to unpause the game.")?;
    board.exchange(Black, "unpause", White, "<12>")?;
    if board.white.time_left()? < before {
        return Err("the clock ran during the pause".into());
    }
    board
        .black
        .wait_for("Game clock resumed.", ANSWER_TIMEOUT)?;
    board.moves("g1f3 b8c6")
}

fn switch(board: &mut Board) -> Result<(), String> {
    board.begin("5 0 white")?;
    board.moves("e2e4 e7e5")?;
    board.exchange(Black, "switch", White, "Rabbit would like to switch sides.")?;
    board.exchange(White, "accept switch", Black, "<12>")?;
    board.exchange(Black, "g1f3", White, "N/g1-f3")?;
    board.black.type_line("resign")?;
    board.ends("Rabbit resigns 0-1")
}

fn takeback_of_another_number(board: &mut Board) -> Result<(), String> {
    board.begin("5 0 white")?;
    board.exchange(
        White,
        "takeback 1",
        White,
        "There are no moves in your game.",
    )?;
    board.moves("e2e4 e7e5 g1f3")?;
    board.exchange(
        White,
        "takeback 1",
        Black,
        "GaurBot would like to take back 1 half move(s).",
    )?;
    board.exchange(
        Black,
        "takeback 2",
        White,
        "Rabbit proposes a different number (2) of half-move(s).",
    )?;
    board.exchange(
        White,
        "accept",
        Black,
        "GaurBot accepts the takeback request.",
    )?;
    board.black.wait_for(" P/e2-e4 ", ANSWER_TIMEOUT)?;
    board.exchange(Black, "c7c5", White, "P/c7-c5")
}

fn withdrawn_and_declined(board: &mut Board) -> Result<(), String> {
    board.white.type_line("match Rabbit 5 0")?;
    board.exchange(
        White,
        "match Rabbit 3 0",
        Black,
        "GaurBot updates the match request.",
    )?;
    board.exchange(
        White,
        "withdraw",
        Black,
        "GaurBot withdraws the match offer.",
    )?;
    board.exchange(Black, "accept", Black, "You have no offers to accept.")?;
    board.exchange(Black, "set open 0", Black, "open set to 0.")?;
    board.exchange(
        White,
        "match Rabbit 5 0",
        White,
        "Player \"Rabbit\" is not open to match requests.",
    )?;
    board.exchange(Black, "set open 1", Black, "open set to 1.")?;
    board.begin("5 0 white")?;
    board.moves("e2e4 e7e5")?;
    board.exchange(
        White,
        "adjourn",
        Black,
        "GaurBot would like to adjourn the game; type \"adjourn\" to accept.",
    )?;
    board.exchange(
        Black,
        "decline adjourn",
        White,
        "Rabbit declines the adjourn request.",
    )
}

/// Plays until White can castle, which only `o-o` and `o-o-o` do.
fn fischer_random(board: &mut Board) -> Result<(), String> {
    board.white.type_line("match Rabbit 5 0 white wild fr")?;
    let text =
        "Challenge: GaurBot (2000) [white] Rabbit (1200) unrated wild 5 0 Loaded from wild/fr.";
    board.exchange(Black, "iset nowrap 1", Black, "nowrap set.")?;
    board.white.type_line("match Rabbit 5 0 white wild/fr")?;
    board.black.wait_for(text, ANSWER_TIMEOUT)?;
    board.exchange(
        Black,
        "accept GaurBot",
        White,
        "Creating: GaurBot (2000) Rabbit (1200) unrated wild/fr 5 0",
    )?;
    board.white.wait_for_game()?;
    board.black.wait_for_game()?;
    for _ in 0..200 {
        let castles = |mv: shakmaty::Move| mv.castling_side().is_some();
        if let Ok(mv) = board.white.pick(castles) {
            let side = mv.castling_side().unwrap_or(CastlingSide::KingSide);
            board.white.make(mv)?;
            let text = if side == CastlingSide::KingSide {
                " o-o "
            } else {
                " o-o-o "
            };
            board.black.wait_for(text, ANSWER_TIMEOUT)?;
            return Ok(());
        }
        let mv = board
            .white
            .pick(|mv| mv.role() != shakmaty::Role::King && mv.role() != shakmaty::Role::Rook)?;
        board.white.make(mv)?;
        board.black.expect_turn()?;
        let quiet = |mv: shakmaty::Move| !mv.is_capture() && mv.role() == shakmaty::Role::Pawn;
        let mv = board
            .black
            .pick(quiet)
            .or_else(|_| board.black.pick(|_| true))?;
        board.black.make(mv)?;
        board.white.expect_turn()?;
        if board.white.position()?.is_game_over() {
            break;
        }
    }
    Err("White could not castle".into())
}

fn refused_variants(board: &mut Board) -> Result<(), String> {
    for (typed, shown) in [
        ("5 0 crazyhouse", "unrated crazyhouse 5 0."),
        ("5 0 suicide rated", "rated suicide 5 0."),
        ("5 0 wild/2", "unrated wild 5 0 Loaded from wild/2."),
        ("wild 5 3 0", "unrated wild 3 0 Loaded from wild/5."),
        ("0 0", "unrated untimed."),
    ] {
        board.white.type_line(&format!("match Rabbit {typed}"))?;
        board.black.wait_for(shown, ANSWER_TIMEOUT)?;
        board.black.type_line("decline GaurBot")?;
        let text = "Rabbit declines the match offer.";
        board.white.wait_for(text, ANSWER_TIMEOUT)?;
    }
    if board.server.journal().of(RABBIT, Kind::Fault).count() > 0 {
        return Err("a refused variant counts as a fault".into());
    }
    board.exchange(White, "match Rabbit 5 0 atomic", Black, "Challenge:")?;
    board.exchange(
        Black,
        "accept GaurBot",
        Black,
        "This server cannot play this game.",
    )?;
    match board.server.journal().of(RABBIT, Kind::Fault).count() {
        1 => Ok(()),
        count => Err(format!("{count} faults are in the journal")),
    }
}

fn manual_seek_and_rematch(board: &mut Board) -> Result<(), String> {
    board.white.type_line("seek 5 0 white m")?;
    let seek = "GaurBot (2000) seeking 5 0 unrated blitz [white] m (\"play 1\" to respond)";
    board.black.wait_for(seek, ANSWER_TIMEOUT)?;
    board.exchange(
        Black,
        "play 1",
        White,
        "Challenge: Rabbit (1200) [black] GaurBot (2000) unrated blitz 5 0.",
    )?;
    board.white.type_line("accept Rabbit")?;
    board.white.wait_for_game()?;
    board.black.wait_for_game()?;
    board.moves("e2e4 e7e5")?;
    board.black.type_line("resign")?;
    board.ends("Rabbit resigns 1-0")?;
    board.exchange(
        Black,
        "rematch",
        White,
        "Challenge: Rabbit (1200) GaurBot (2000) unrated blitz 5 0.",
    )
}

fn messages(board: &mut Board) -> Result<(), String> {
    board.begin("5 0 white")?;
    board.moves("e2e4 e7e5")?;
    for (typed, shown) in [
        ("tell gaurbot hello", "Rabbit tells you: hello"),
        ("say hello", "Rabbit says: hello"),
        ("kibitz hello", "Rabbit(1200)[1] kibitzes: hello"),
        ("shout hello", "Rabbit shouts: hello"),
        ("cshout hello", "Rabbit c-shouts: hello"),
        ("it waves", "--> Rabbit waves"),
        ("tell 53 hello", "Rabbit(53): hello"),
    ] {
        board.black.type_line(typed)?;
        board.white.wait_for(shown, ANSWER_TIMEOUT)?;
    }
    board.exchange(
        Black,
        "set 1 **** Invalid password! ****",
        Black,
        "Plan variable 1 changed to",
    )?;
    board.exchange(
        White,
        "finger rabbit",
        White,
        " 1: **** Invalid password! ****",
    )?;
    board.exchange(White, "set shout 0", White, "shout set to 0.")?;
    board.black.type_line("shout unreceived")?;
    board.black.type_line("say received")?;
    let line = board.white.wait_for("received", ANSWER_TIMEOUT)?;
    if line.contains("unreceived") {
        return Err("a shout reached a user who has them off".into());
    }
    board.exchange(
        White,
        "set oldmatch 1",
        White,
        "No such variable \"oldmatch\".",
    )
}
