//! The opponent: an account with its own connection that plays random moves and reads the output of the server.

use std::thread;
use std::time::{Duration, Instant};

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, CastlingSide, Chess, File, Move, Position, Role};

use crate::ics::board_line::{BoardLine, NoBoardLine};
use crate::ics::client_link::Link;

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
    link: Link,
    random: ChaCha8Rng,
    /// Last board line of the running game.
    board: Option<BoardLine>,
    /// Rules of castling in the running game.
    castling: CastlingMode,
    /// `Rabbit resigns 1-0`, once the game has ended.
    ending: Option<String>,
}

impl Client {
    /// Logs in with this name and any password. The same seed plays the same moves.
    pub fn login(port: u16, name: &str, seed: u64) -> Result<Client, String> {
        let mut client = Client::connect(port, name, seed, false)?;
        client.enter("")?;
        Ok(client)
    }

    /// Connects without logging in, with timeseal if wanted.
    pub fn connect(port: u16, name: &str, seed: u64, is_sealed: bool) -> Result<Client, String> {
        let link = Link::open(port, is_sealed)
            .map_err(|error| format!("{name} cannot come in: {error}"))?;
        Ok(Client {
            name: name.to_string(),
            link,
            random: ChaCha8Rng::seed_from_u64(seed),
            board: None,
            castling: CastlingMode::Standard,
            ending: None,
        })
    }

    /// Logs in on a new connection.
    pub fn enter(&mut self, password: &str) -> Result<(), String> {
        let name = self.name.clone();
        self.type_line(&name)?;
        self.type_line(password)?;
        // Some servers do not announce the session.
        self.wait_for("Do 'help' for a list of the commands", ANSWER_TIMEOUT)?;
        self.type_line("iset ms 1")?;
        self.type_line("style 12")
    }

    /// Sends a command.
    pub fn type_line(&mut self, line: &str) -> Result<(), String> {
        self.link
            .write(line)
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
                if [
                    "declines the match offer",
                    "is not logged in",
                    "No user named ",
                ]
                .iter()
                .any(|text| line.contains(text))
                {
                    thread::sleep(PAUSE);
                    break;
                }
            }
        }
        Err(format!("{whom} has not accepted {terms:?}"))
    }

    /// Answers the seek in this line of the server and waits for the game. Lasker begins the line with the number.
    pub fn answer_seek(&mut self, seek: &str) -> Result<(), String> {
        let number = match seek.split_once("\"play ") {
            Some((_, rest)) => rest.split('"').next(),
            None => seek.split_whitespace().next(),
        };
        let number = number.ok_or_else(|| format!("no number in {seek:?}"))?;
        self.type_line(&format!("play {number}"))?;
        self.wait_for_game()
    }

    /// Returns `true` while a game is in progress.
    pub fn is_playing(&self) -> bool {
        self.board.is_some() && self.ending.is_none()
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
            let mv = self.pick_careful(|_| true)?;
            self.make(mv)?;
            self.expect_turn()?;
        }
        Ok(())
    }

    /// Plays like [`Self::play`], and further until there is more than one legal move.
    pub fn play_to_a_choice(&mut self, moves: usize) -> Result<(), String> {
        self.play(moves)?;
        while self.position()?.legal_moves().len() < 2 {
            self.play(1)?;
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
            .into_position(self.castling)
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

    /// Returns a random legal move that meets the condition, among those with the least risk of a short game.
    pub fn pick_careful(&mut self, suits: impl Fn(Move) -> bool) -> Result<Move, String> {
        let position = self.position()?;
        let moves = position.legal_moves();
        let risks = moves.iter().filter(|mv| suits(**mv));
        let least = risks.map(|mv| risk(&position, *mv)).min();
        self.pick(|mv| suits(mv) && Some(risk(&position, mv)) == least)
    }

    /// Makes a move and waits for the board that shows it.
    pub fn make(&mut self, mv: Move) -> Result<(), String> {
        let before = self.board.clone();
        let text = match mv.castling_side() {
            Some(CastlingSide::KingSide) => "o-o".to_string(),
            Some(CastlingSide::QueenSide) => "o-o-o".to_string(),
            None => UciMove::from_standard(mv).to_string(),
        };
        self.type_line(&text)?;
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

    /// Waits until the server closes the connection.
    pub fn wait_for_the_close(&mut self) -> Result<(), String> {
        let end = Instant::now() + ANSWER_TIMEOUT;
        loop {
            match self.link.next(end) {
                Ok(Some(_)) => {}
                Ok(None) => return Err(format!("{} is still connected", self.name)),
                Err(_) => return Ok(()),
            }
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
        let line = match self.link.next(end) {
            Ok(Some(line)) => line,
            Ok(None) => return Ok(None),
            Err(_) => return Err(format!("{} has lost its connection", self.name)),
        };
        let line = line.trim_start_matches("fics% ").to_string();
        match line.parse::<BoardLine>() {
            Ok(board) => self.board = Some(board),
            Err(NoBoardLine::Other) => {}
            Err(NoBoardLine::Broken(why)) => return Err(format!("{why} in {line:?}")),
        }
        if line.starts_with("Creating: ") {
            self.castling = if line.contains(" wild/fr ") {
                CastlingMode::Chess960
            } else {
                CastlingMode::Standard
            };
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

/// Returns the value of the best answer to a move: mate, or the captured piece; and more if the move weakens the king.
/// Avoiding it keeps the game going.
fn risk(position: &Chess, mv: Move) -> u32 {
    let shelter = [File::F, File::G, File::H];
    let weakens = match mv.role() {
        Role::King => !mv.is_castle(),
        Role::Pawn => mv.from().is_some_and(|from| shelter.contains(&from.file())),
        _ => false,
    };
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
    let loss = after.legal_moves().into_iter().map(loss).max();
    loss.unwrap_or(0) + 4 * u32::from(weakens)
}
