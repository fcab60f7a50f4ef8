//! Tests of the server alone: requests during a game, variants, seeks and messages.

use shakmaty::{CastlingSide, Position};

use crate::ics::server::Kind;
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
    board.black.type_line("pause")?;
    let text = "Rabbit requests to pause the game.";
    board.white.wait_for(text, ANSWER_TIMEOUT)?;
    board.white.type_line("accept")?;
    let text = "GaurBot accepted pause. Game clock paused.";
    board.black.wait_for(text, ANSWER_TIMEOUT)?;
    board.white.wait_for("Game clock paused.", ANSWER_TIMEOUT)?;
    let before = board.white.time_left()?;
    board.white.type_line("g1f3")?;
    let text = "Game clock is paused, use \"unpause\" to resume.";
    board.white.wait_for(text, ANSWER_TIMEOUT)?;
    std::thread::sleep(std::time::Duration::from_secs(1));
    board.white.type_line("unpause")?;
    board
        .black
        .wait_for("requests to unpause the game.", ANSWER_TIMEOUT)?;
    board.black.type_line("unpause")?;
    board.white.wait_for("<12>", ANSWER_TIMEOUT)?;
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
    board.black.type_line("switch")?;
    let text = "Rabbit would like to switch sides.";
    board.white.wait_for(text, ANSWER_TIMEOUT)?;
    board.white.type_line("accept switch")?;
    board.black.wait_for("<12>", ANSWER_TIMEOUT)?;
    board.black.type_line("g1f3")?;
    board.white.wait_for("N/g1-f3", ANSWER_TIMEOUT)?;
    board.black.type_line("resign")?;
    board.ends("Rabbit resigns 0-1")
}

fn takeback_of_another_number(board: &mut Board) -> Result<(), String> {
    board.begin("5 0 white")?;
    board.white.type_line("takeback 1")?;
    board
        .white
        .wait_for("There are no moves in your game.", ANSWER_TIMEOUT)?;
    board.moves("e2e4 e7e5 g1f3")?;
    board.white.type_line("takeback 1")?;
    let text = "GaurBot would like to take back 1 half move(s).";
    board.black.wait_for(text, ANSWER_TIMEOUT)?;
    board.black.type_line("takeback 2")?;
    let text = "Rabbit proposes a different number (2) of half-move(s).";
    board.white.wait_for(text, ANSWER_TIMEOUT)?;
    board.white.type_line("accept")?;
    board
        .black
        .wait_for("GaurBot accepts the takeback request.", ANSWER_TIMEOUT)?;
    board.black.wait_for(" P/e2-e4 ", ANSWER_TIMEOUT)?;
    board.black.type_line("c7c5")?;
    board.white.wait_for("P/c7-c5", ANSWER_TIMEOUT).map(drop)
}

fn withdrawn_and_declined(board: &mut Board) -> Result<(), String> {
    board.white.type_line("match Rabbit 5 0")?;
    board.white.type_line("match Rabbit 3 0")?;
    let text = "GaurBot updates the match request.";
    board.black.wait_for(text, ANSWER_TIMEOUT)?;
    board.white.type_line("withdraw")?;
    let text = "GaurBot withdraws the match offer.";
    board.black.wait_for(text, ANSWER_TIMEOUT)?;
    board.black.type_line("accept")?;
    let text = "You have no offers to accept.";
    board.black.wait_for(text, ANSWER_TIMEOUT)?;
    board.black.type_line("set open 0")?;
    board.black.wait_for("open set to 0.", ANSWER_TIMEOUT)?;
    board.white.type_line("match Rabbit 5 0")?;
    let text = "Player \"Rabbit\" is not open to match requests.";
    board.white.wait_for(text, ANSWER_TIMEOUT)?;
    board.black.type_line("set open 1")?;
    board.black.wait_for("open set to 1.", ANSWER_TIMEOUT)?;
    board.begin("5 0 white")?;
    board.moves("e2e4 e7e5")?;
    board.white.type_line("adjourn")?;
    let text = "GaurBot would like to adjourn the game; type \"adjourn\" to accept.";
    board.black.wait_for(text, ANSWER_TIMEOUT)?;
    board.black.type_line("decline adjourn")?;
    let text = "Rabbit declines the adjourn request.";
    board.white.wait_for(text, ANSWER_TIMEOUT).map(drop)
}

/// Plays until White can castle, which only `o-o` and `o-o-o` do.
fn fischer_random(board: &mut Board) -> Result<(), String> {
    board.white.type_line("match Rabbit 5 0 white wild fr")?;
    let text =
        "Challenge: GaurBot (2000) [white] Rabbit (1200) unrated wild 5 0 Loaded from wild/fr.";
    board.black.type_line("iset nowrap 1")?;
    board.black.wait_for("nowrap set.", ANSWER_TIMEOUT)?;
    board.white.type_line("match Rabbit 5 0 white wild/fr")?;
    board.black.wait_for(text, ANSWER_TIMEOUT)?;
    board.black.type_line("accept GaurBot")?;
    let text = "Creating: GaurBot (2000) Rabbit (1200) unrated wild/fr 5 0";
    board.white.wait_for(text, ANSWER_TIMEOUT)?;
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
    board.white.type_line("match Rabbit 5 0 atomic")?;
    board.black.wait_for("Challenge:", ANSWER_TIMEOUT)?;
    board.black.type_line("accept GaurBot")?;
    let text = "This server cannot play this game.";
    board.black.wait_for(text, ANSWER_TIMEOUT)?;
    match board.server.journal().of(RABBIT, Kind::Fault).count() {
        1 => Ok(()),
        count => Err(format!("{count} faults are in the journal")),
    }
}

fn manual_seek_and_rematch(board: &mut Board) -> Result<(), String> {
    board.white.type_line("seek 5 0 white m")?;
    let seek = "GaurBot (2000) seeking 5 0 unrated blitz [white] m (\"play 1\" to respond)";
    board.black.wait_for(seek, ANSWER_TIMEOUT)?;
    board.black.type_line("play 1")?;
    let text = "Challenge: Rabbit (1200) [black] GaurBot (2000) unrated blitz 5 0.";
    board.white.wait_for(text, ANSWER_TIMEOUT)?;
    board.white.type_line("accept Rabbit")?;
    board.white.wait_for_game()?;
    board.black.wait_for_game()?;
    board.moves("e2e4 e7e5")?;
    board.black.type_line("resign")?;
    board.ends("Rabbit resigns 1-0")?;
    board.black.type_line("rematch")?;
    let text = "Challenge: Rabbit (1200) GaurBot (2000) unrated blitz 5 0.";
    board.white.wait_for(text, ANSWER_TIMEOUT).map(drop)
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
    board.black.type_line("set 1 **** Invalid password! ****")?;
    let text = "Plan variable 1 changed to";
    board.black.wait_for(text, ANSWER_TIMEOUT)?;
    board.white.type_line("finger rabbit")?;
    let text = " 1: **** Invalid password! ****";
    board.white.wait_for(text, ANSWER_TIMEOUT)?;
    board.white.type_line("set shout 0")?;
    board.white.wait_for("shout set to 0.", ANSWER_TIMEOUT)?;
    board.black.type_line("shout unreceived")?;
    board.black.type_line("say received")?;
    let line = board.white.wait_for("received", ANSWER_TIMEOUT)?;
    if line.contains("unreceived") {
        return Err("a shout reached a user who has them off".into());
    }
    board.white.type_line("set oldmatch 1")?;
    let text = "No such variable \"oldmatch\".";
    board.white.wait_for(text, ANSWER_TIMEOUT).map(drop)
}
