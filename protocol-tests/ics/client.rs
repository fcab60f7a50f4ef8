//! The opponent: an account with its own connection that plays random moves and reads the output of the server.

use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Move, Position, Role};

use crate::ics::board_line::{BoardLine, NoBoardLine};

/// Time for the server to answer a command.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);

/// Time after the end of its clock after which an engine counts as hanging.
const GRACE: Duration = Duration::from_secs(5);

/// Pause between two challenges to an engine that is still finishing its last game.
const PAUSE: Duration = Duration::from_millis(300);

/// Maximum number of challenges.
const CHALLENGES: usize = 60;

/// A user of the server.
#[derive(Debug)]
pub struct Client {
    pub name: String,
    stream: TcpStream,
    lines: Receiver<String>,
    random: ChaCha8Rng,
    /// Last board line of the running game.
    board: Option<BoardLine>,
    /// `Rabbit resigns 1-0`, once the game has ended.
    ending: Option<String>,
}

impl Client {
    /// Logs in with this name. The same seed plays the same moves.
    pub fn login(port: u16, name: &str, seed: u64) -> Result<Client, String> {
        let describe = |error: std::io::Error| format!("{name} cannot come in: {error}");
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).map_err(describe)?;
        let reader = BufReader::new(stream.try_clone().map_err(describe)?);
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in reader.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let mut client = Client {
            name: name.to_string(),
            stream,
            lines,
            random: ChaCha8Rng::seed_from_u64(seed),
            board: None,
            ending: None,
        };
        client.type_line(name)?;
        client.type_line("")?;
        client.wait_for("Starting FICS session", ANSWER_TIMEOUT)?;
        client.type_line("iset ms 1")?;
        client.type_line("style 12")?;
        Ok(client)
    }

    /// Sends a command.
    pub fn type_line(&mut self, line: &str) -> Result<(), String> {
        self.stream
            .write_all(format!("{line}\n").as_bytes())
            .map_err(|error| format!("{} cannot type {line:?}: {error}", self.name))
    }

    /// Waits for a line that contains this text.
    pub fn wait_for(&mut self, text: &str, timeout: Duration) -> Result<String, String> {
        let end = Instant::now() + timeout;
        loop {
            let line = self
                .next_line(end)?
                .ok_or_else(|| format!("{} has not seen {text:?} in {timeout:?}", self.name))?;
            if line.contains(text) {
                return Ok(line);
            }
        }
    }

    /// Starts a game with the arguments `terms` of the command `match`. Repeats the challenge while the engine is not
    /// ready.
    pub fn challenge(&mut self, whom: &str, terms: &str) -> Result<(), String> {
        for _ in 0..CHALLENGES {
            self.type_line(&format!("match {whom} {terms}"))?;
            let end = Instant::now() + ANSWER_TIMEOUT;
            while let Some(line) = self.next_line(end)? {
                if is_beginning(&line) {
                    return self.wait_for_board();
                }
                if line.contains("declines the match offer") || line.contains("is not logged in") {
                    thread::sleep(PAUSE);
                    break;
                }
            }
        }
        Err(format!("{whom} has not accepted {terms:?}"))
    }

    /// Waits for the start of an agreed game.
    pub fn wait_for_game(&mut self) -> Result<(), String> {
        let end = Instant::now() + ANSWER_TIMEOUT;
        while let Some(line) = self.next_line(end)? {
            if is_beginning(&line) {
                return self.wait_for_board();
            }
        }
        Err(format!("no game has begun for {}", self.name))
    }

    fn wait_for_board(&mut self) -> Result<(), String> {
        let end = Instant::now() + ANSWER_TIMEOUT;
        while self.board.is_none() {
            self.next_line(end)?
                .ok_or("a game has begun without a board")?;
        }
        Ok(())
    }

    /// Plays this number of careful moves and waits for its turn. Returns an error if the game ends before.
    pub fn play(&mut self, moves: usize) -> Result<(), String> {
        self.expect_turn()?;
        for _ in 0..moves {
            let position = self.position()?;
            let least = position
                .legal_moves()
                .iter()
                .map(|mv| risk(&position, *mv))
                .min();
            let mv = self.pick(|mv| Some(risk(&position, mv)) == least)?;
            self.make(mv)?;
            self.expect_turn()?;
        }
        Ok(())
    }

    /// Waits for the opponent's move; returns an error if the game ends instead.
    pub fn expect_turn(&mut self) -> Result<(), String> {
        if self.wait_for_turn()? {
            return Ok(());
        }
        let ending = self.ending.clone().unwrap_or_default();
        Err(format!("the game ended too early: {ending}"))
    }

    /// Plays until the game ends and returns the result: `GaurBot checkmated 1-0`.
    pub fn play_to_the_end(&mut self) -> Result<String, String> {
        while self.wait_for_turn()? {
            let mv = self.pick(|_| true)?;
            self.make(mv)?;
        }
        self.ending.clone().ok_or_else(|| "no ending".into())
    }

    /// Returns the position on the client's turn.
    pub fn position(&self) -> Result<Chess, String> {
        let board = self.board.as_ref().ok_or("no game")?;
        board
            .fen()
            .into_position(CastlingMode::Standard)
            .map_err(|error| error.to_string())
    }

    /// Returns the remaining time of the side to move.
    pub fn time_left(&self) -> Result<Duration, String> {
        let board = self.board.as_ref().ok_or("no game")?;
        Ok(board.time_of_mover())
    }

    /// Returns a random legal move that meets the condition.
    pub fn pick(&mut self, suits: impl Fn(Move) -> bool) -> Result<Move, String> {
        let moves: Vec<Move> = self
            .position()?
            .legal_moves()
            .into_iter()
            .filter(|mv| suits(*mv))
            .collect();
        let index = self.random.next_u32() as usize;
        moves
            .get(index % moves.len().max(1))
            .copied()
            .ok_or_else(|| "no suitable move".into())
    }

    /// Makes a move and waits for the board that shows it.
    pub fn make(&mut self, mv: Move) -> Result<(), String> {
        let before = self.board.clone();
        self.type_line(&UciMove::from_standard(mv).to_string())?;
        let end = Instant::now() + ANSWER_TIMEOUT;
        while self.board == before && self.ending.is_none() {
            self.next_line(end)?.ok_or("a move was not shown")?;
        }
        Ok(())
    }

    /// Waits for the opponent's move. Returns `false` if the game has ended.
    pub fn wait_for_turn(&mut self) -> Result<bool, String> {
        loop {
            if self.ending.is_some() {
                return Ok(false);
            }
            let board = self.board.as_ref().ok_or("no game")?;
            // The board line of a mate comes before the result.
            if board.is_own_turn() && !self.position()?.legal_moves().is_empty() {
                return Ok(true);
            }
            let timeout = board.time_of_mover().saturating_add(GRACE);
            let waiting = format!("{} waited {timeout:?} for a move after {board}", self.name);
            self.next_line(Instant::now() + timeout)?.ok_or(waiting)?;
        }
    }

    /// Waits until the game has ended and returns the result.
    pub fn wait_for_the_end(&mut self, timeout: Duration) -> Result<String, String> {
        let end = Instant::now() + timeout;
        loop {
            if let Some(ending) = &self.ending {
                return Ok(ending.clone());
            }
            self.next_line(end)?
                .ok_or_else(|| format!("the game has not ended in {timeout:?}"))?;
        }
    }

    /// Returns the next line after recording its content, or `None` when the time is over.
    fn next_line(&mut self, end: Instant) -> Result<Option<String>, String> {
        let left = end.saturating_duration_since(Instant::now());
        let line = match self.lines.recv_timeout(left) {
            Ok(line) => line,
            Err(RecvTimeoutError::Timeout) => return Ok(None),
            Err(RecvTimeoutError::Disconnected) => {
                return Err(format!("{} has lost its connection", self.name));
            }
        };
        let line = line.trim_start_matches("fics% ").to_string();
        match line.parse::<BoardLine>() {
            Ok(board) => self.board = Some(board),
            Err(NoBoardLine::Other) => {}
            Err(NoBoardLine::Broken(why)) => return Err(format!("{why} in {line:?}")),
        }
        if is_beginning(&line) {
            self.board = None;
            self.ending = None;
        }
        if let Some((head, result)) = line.split_once("} ")
            && head.starts_with("{Game")
            && let Some((_, reason)) = head.split_once(") ")
        {
            self.ending = Some(format!("{reason} {result}"));
        }
        Ok(Some(line))
    }
}

fn is_beginning(line: &str) -> bool {
    line.starts_with("{Game")
        && [") Creating ", ") Continuing "]
            .iter()
            .any(|verb| line.contains(verb))
}

/// Returns the value of the best answer to a move: mate, or the captured piece. Avoiding it keeps the game going.
fn risk(position: &Chess, mv: Move) -> u32 {
    let mut after = position.clone();
    after.play_unchecked(mv);
    let loss = |answer: Move| {
        let mut end = after.clone();
        end.play_unchecked(answer);
        match answer.capture() {
            _ if end.is_checkmate() => 100,
            Some(Role::Pawn) => 1,
            Some(Role::Knight | Role::Bishop) => 3,
            Some(Role::Rook) => 5,
            Some(Role::Queen) => 9,
            Some(Role::King) | None => 0,
        }
    };
    after.legal_moves().into_iter().map(loss).max().unwrap_or(0)
}
