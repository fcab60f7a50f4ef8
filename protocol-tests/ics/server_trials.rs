//! Tests of the server alone, with two simple clients.

use std::time::Duration;

use libtest_mimic::{Failed, Trial};

use crate::ics::client::Client;
use crate::ics::server::{Kind, Server};
use crate::ics::zippy_session::{ENGINE, RABBIT, accounts};
use crate::ics::{login_trials, request_trials};

/// Time for the server to answer a command.
pub const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);

type Check = fn(&mut Board) -> Result<(), String>;

/// A server with two logged-in clients.
pub struct Board {
    pub server: Server,
    pub white: Client,
    pub black: Client,
}

const CHECKS: [(&str, Check); 10] = [
    ("mate", mate),
    ("illegal-and-early-moves", illegal_and_early_moves),
    ("special-moves", special_moves),
    ("repetition", repetition),
    ("draw-agreed-or-declined", draw_agreed_or_declined),
    ("takeback", takeback),
    ("flag", flag),
    ("adjourned-and-resumed", adjourned_and_resumed),
    ("guest-forfeits", guest_forfeits),
    ("chat-after-the-game", chat_after_the_game),
];

/// Returns one trial for each check.
pub fn trials() -> Vec<Trial> {
    let on_board = CHECKS.into_iter().chain(request_trials::CHECKS);
    let mut trials: Vec<Trial> = on_board
        .map(|(name, check)| {
            Trial::test(format!("server::{name}"), move || {
                let mut board = Board::open()?;
                check(&mut board).map_err(Failed::from)
            })
        })
        .collect();
    trials.extend(login_trials::CHECKS.map(|(name, check)| {
        Trial::test(format!("server::{name}"), move || {
            check().map_err(Failed::from)
        })
    }));
    trials
}

/// One of the two clients.
#[derive(Clone, Copy)]
pub enum Side {
    White,
    Black,
}

impl Board {
    fn client(&mut self, side: Side) -> &mut Client {
        match side {
            Side::White => &mut self.white,
            Side::Black => &mut self.black,
        }
    }

    /// Types a line as one client and waits for a text at one of the clients.
    pub fn exchange(
        &mut self,
        typist: Side,
        line: &str,
        reader: Side,
        text: &str,
    ) -> Result<(), String> {
        self.client(typist).type_line(line)?;
        let reader = self.client(reader);
        reader.wait_for(text, ANSWER_TIMEOUT).map(drop)
    }

    pub fn open() -> Result<Board, String> {
        let server = Server::start(accounts(), 0).map_err(|error| error.to_string())?;
        let white = Client::login(server.port(), ENGINE, 1)?;
        let black = Client::login(server.port(), RABBIT, 2)?;
        Ok(Board {
            server,
            white,
            black,
        })
    }

    /// Starts a game: White challenges, Black accepts.
    pub fn begin(&mut self, terms: &str) -> Result<(), String> {
        self.white
            .type_line(&format!("match {} {terms}", self.black.name))?;
        self.black.wait_for("Challenge:", ANSWER_TIMEOUT)?;
        self.black.type_line("accept")?;
        self.white.wait_for_game()?;
        self.black.wait_for_game()
    }

    /// Sends moves in turn, White first, and waits until both have received each.
    pub fn moves(&mut self, moves: &str) -> Result<(), String> {
        for (index, mv) in moves.split_whitespace().enumerate() {
            if index % 2 == 0 {
                self.white.type_line(mv)?;
            } else {
                self.black.type_line(mv)?;
            }
            self.white.wait_for("<12>", ANSWER_TIMEOUT)?;
            self.black.wait_for("<12>", ANSWER_TIMEOUT)?;
        }
        Ok(())
    }

    /// Checks that both receive this result.
    pub fn ends(&mut self, ending: &str) -> Result<(), String> {
        for client in [&mut self.white, &mut self.black] {
            let seen = client.wait_for_the_end(ANSWER_TIMEOUT)?;
            if seen != ending {
                return Err(format!(
                    "{} received {seen:?} instead of {ending:?}",
                    client.name
                ));
            }
        }
        Ok(())
    }
}

fn mate(board: &mut Board) -> Result<(), String> {
    board.begin("0 1 white")?;
    board.moves("f2f3 e7e5 g2g4 Qh4")?;
    board.ends("GaurBot checkmated 0-1")
}

fn illegal_and_early_moves(board: &mut Board) -> Result<(), String> {
    board.begin("0 1 white")?;
    board.white.type_line("e2e5")?;
    board
        .white
        .wait_for("Illegal move (e2e5).", ANSWER_TIMEOUT)?;
    board.black.type_line("e7e5")?;
    board
        .black
        .wait_for("It is not your move.", ANSWER_TIMEOUT)?;
    board.white.type_line("frobnicate 3")?;
    board
        .white
        .wait_for("frobnicate: Command not found.", ANSWER_TIMEOUT)?;
    let refused = board.server.journal().of(ENGINE, Kind::Refused).count();
    if refused != 2 {
        return Err(format!("{refused} refusals are in the journal"));
    }
    board.moves("e4 e5")
}

fn special_moves(board: &mut Board) -> Result<(), String> {
    board.begin("0 1 white from 4k3/1P6/8/8/3p4/8/4P3/4K2R w K - 0 1")?;
    board.moves("e2e4 d4e3 o-o e3e2 b7b8=q")?;
    board.black.expect_turn()?;
    let fen =
        shakmaty::fen::Fen::from_position(&board.black.position()?, shakmaty::EnPassantMode::Legal);
    let seen = fen.to_string();
    if seen != "1Q2k3/8/8/8/8/8/4p3/5RK1 b - - 0 3" {
        return Err(format!("the position is {seen}"));
    }
    Ok(())
}

fn repetition(board: &mut Board) -> Result<(), String> {
    board.begin("0 1 white")?;
    board.moves("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8")?;
    board.white.type_line("draw")?;
    board.ends("Game drawn by repetition 1/2-1/2")
}

fn draw_agreed_or_declined(board: &mut Board) -> Result<(), String> {
    board.begin("0 1 white")?;
    board.moves("e2e4 e7e5")?;
    board.black.type_line("draw")?;
    board
        .white
        .wait_for("Rabbit offers you a draw.", ANSWER_TIMEOUT)?;
    board.white.type_line("g1f3")?;
    board
        .black
        .wait_for("GaurBot declines the draw request.", ANSWER_TIMEOUT)?;
    board.black.type_line("b8c6")?;
    board.black.type_line("draw")?;
    board
        .white
        .wait_for("Rabbit offers you a draw.", ANSWER_TIMEOUT)?;
    board.white.type_line("draw")?;
    board.ends("Game drawn by mutual agreement 1/2-1/2")
}

fn takeback(board: &mut Board) -> Result<(), String> {
    board.begin("0 1 white")?;
    board.moves("e2e4 e7e5")?;
    let before = board.white.position()?;
    board.moves("g1f3 b8c6")?;
    board.white.type_line("takeback 2")?;
    board.black.wait_for(
        "GaurBot would like to take back 2 half move(s).",
        ANSWER_TIMEOUT,
    )?;
    board.black.type_line("accept takeback")?;
    board.white.wait_for("<12>", ANSWER_TIMEOUT)?;
    board.black.wait_for("<12>", ANSWER_TIMEOUT)?;
    if board.white.position()? != before {
        return Err("the position is not the one before".into());
    }
    // The increments of the moves taken back are gone, too.
    let left = board.white.time_left()?;
    if left > Duration::from_secs(11) {
        return Err(format!("the clock shows {left:?} after the takeback"));
    }
    board.moves("d2d4 e5d4")
}

fn flag(board: &mut Board) -> Result<(), String> {
    board.begin("0 1 white")?;
    board.moves("e2e4 e7e5")?;
    board.black.type_line("flag")?;
    board.black.wait_for("not out of time", ANSWER_TIMEOUT)?;
    std::thread::sleep(Duration::from_secs(12));
    board.black.type_line("flag")?;
    board.ends("GaurBot forfeits on time 0-1")
}

fn adjourned_and_resumed(board: &mut Board) -> Result<(), String> {
    board.begin("0 1 white")?;
    board.moves("e2e4 e7e5 g1f3")?;
    let before = board.black.position()?;
    board.server.cut(ENGINE);
    let seen = board.black.wait_for_the_end(ANSWER_TIMEOUT)?;
    if seen != "GaurBot lost connection; game adjourned *" {
        return Err(seen);
    }
    board.white = Client::login(board.server.port(), ENGINE, 1)?;
    board.black.wait_for(
        "who has an adjourned game with you, has arrived",
        ANSWER_TIMEOUT,
    )?;
    board.begin("5 0 black")?;
    if board.black.position()? != before {
        return Err("the position is not the one before".into());
    }
    board.black.type_line("resign")?;
    board.ends("Rabbit resigns 1-0")
}

fn guest_forfeits(board: &mut Board) -> Result<(), String> {
    board.black = Client::login(board.server.port(), "Stranger", 3)?;
    board.begin("0 1 white")?;
    board.moves("e2e4 e7e5")?;
    board.server.cut("Stranger");
    let seen = board.white.wait_for_the_end(ANSWER_TIMEOUT)?;
    if seen != "Stranger forfeits by disconnection 1-0" {
        return Err(seen);
    }
    Ok(())
}

fn chat_after_the_game(board: &mut Board) -> Result<(), String> {
    board.white.type_line("say hello")?;
    board
        .white
        .wait_for("You have not played with anybody.", ANSWER_TIMEOUT)?;
    board.begin("0 1 white")?;
    board.moves("e2e4 e7e5")?;
    board.black.type_line("resign")?;
    board.ends("Rabbit resigns 1-0")?;
    board.white.type_line("kibitz well played")?;
    board
        .white
        .wait_for("You are not playing a game.", ANSWER_TIMEOUT)?;
    board.white.type_line("say well played")?;
    board
        .black
        .wait_for("GaurBot says: well played", ANSWER_TIMEOUT)
        .map(drop)
}
