//! Tests of the account: lines of the server and messages of the engine in, actions out.

mod adjourned;
mod engine_failures;
mod engine_tells;
mod games;
mod lobby;
mod login;
mod offers;
mod owners;
mod random;
mod takebacks;

use std::time::{Duration, Instant};

use shakmaty::fen::Fen;
use shakmaty::san::San;
use shakmaty::{CastlingSide, Chess, Color, EnPassantMode, Position};

use super::account::Account;
use super::actions::Action;
use crate::config::Config;
use crate::engine::{EngineEvent, Features, Order};
use crate::net::ServerEvent;
use crate::text::LoginPrompt;

/// An account with a clock that the test sets.
struct Table {
    account: Account,
    now: Instant,
    position: Chess,
    moves: usize,
    /// The server sends lines now and then.
    server_lives: bool,
}

impl Table {
    /// Creates an account from the text of a configuration file, with an engine that is ready. It has not connected.
    fn new(toml: &str) -> Table {
        let mut table = Table::with_starting_engine(toml);
        table.engine(EngineEvent::Ready(Features::default()));
        table
    }

    /// Creates an account whose engine is not ready yet.
    fn with_starting_engine(toml: &str) -> Table {
        let config =
            Config::parse(toml, std::path::Path::new("test.toml")).expect("a configuration");
        let now = Instant::now();
        Table {
            account: Account::new(config, now),
            now,
            position: Chess::default(),
            moves: 0,
            server_lives: true,
        }
    }

    /// Creates an account that is logged in as `Gaur` and has sent the commands after the login.
    fn logged_in(toml: &str) -> Table {
        let mut table = Table::new(&format!("{toml}\n[server]\naccount = \"Gaur\"\n"));
        table.wait(Duration::ZERO);
        table.line("**** Starting FICS session as Gaur(C) ****");
        table.account.take_actions();
        table
    }

    /// Creates an account in a new game with the white pieces against Rabbit.
    fn playing(toml: &str) -> Table {
        let mut table = Table::logged_in(toml);
        table.start_game("Gaur", "Rabbit", "Creating");
        table.account.take_actions();
        table
    }

    fn start_game(&mut self, white: &str, black: &str, verb: &str) {
        self.line(&format!(
            "Creating: {white} (2100) {black} (1200) rated blitz 5 0"
        ));
        self.line(&format!(
            "{{Game 7 ({white} vs. {black}) {verb} rated blitz match.}}"
        ));
        let board = self.board(white == "Gaur");
        self.line(&board);
    }

    /// Hands a line of the server to the account.
    fn line(&mut self, line: &str) {
        let event = ServerEvent::Line(line.to_string(), self.now);
        self.account.on_server(event, self.now);
    }

    fn prompt(&mut self, prompt: LoginPrompt) {
        self.account
            .on_server(ServerEvent::Prompt(prompt), self.now);
    }

    fn engine(&mut self, event: EngineEvent) {
        self.account.on_engine(event, self.now);
    }

    fn engine_moves(&mut self, text: &str) {
        self.engine(EngineEvent::Move(text.into()));
    }

    /// Lets time pass.
    fn wait(&mut self, time: Duration) {
        self.now += time;
        if self.server_lives {
            self.line("");
        }
        self.account.on_tick(self.now);
    }

    /// Plays a move on the server, and shows the board to the account, which has the white pieces.
    fn server_plays(&mut self, san: &str) {
        let mv = san
            .parse::<San>()
            .expect("a move")
            .to_move(&self.position)
            .expect("a legal move");
        self.position.play_unchecked(mv);
        self.moves += 1;
        let board = self.board(true);
        self.line(&board);
    }

    /// Shows the board with this position and number of half-moves.
    fn server_shows(&mut self, position: Chess, moves: usize) {
        self.position = position;
        self.moves = moves;
        let board = self.board(true);
        self.line(&board);
    }

    /// Returns the board line for a player.
    fn board(&self, own_is_white: bool) -> String {
        let fen = Fen::from_position(&self.position, EnPassantMode::Legal).to_string();
        let placement = fen.split(' ').next().unwrap_or_default();
        let mut squares = String::new();
        for letter in placement.chars() {
            match letter.to_digit(10) {
                Some(count) => {
                    squares.push_str(&"-".repeat(usize::try_from(count).expect("a digit")))
                }
                None if letter == '/' => squares.push(' '),
                None => squares.push(letter),
            }
        }
        let white_to_move = self.position.turn().is_white();
        let right = |color, side| u8::from(self.position.castles().has(color, side));
        format!(
            "<12> {squares} {} -1 {} {} {} {} 0 7 {} 5 0 39 39 300000 300000 {} none (0:01.000) none 0 1 0",
            if white_to_move { "W" } else { "B" },
            right(Color::White, CastlingSide::KingSide),
            right(Color::White, CastlingSide::QueenSide),
            right(Color::Black, CastlingSide::KingSide),
            right(Color::Black, CastlingSide::QueenSide),
            if own_is_white {
                format!("Gaur Rabbit {}", if white_to_move { 1 } else { -1 })
            } else {
                format!("Rabbit Gaur {}", if white_to_move { -1 } else { 1 })
            },
            self.moves / 2 + 1,
        )
    }

    /// Returns the lines for the server since the last call, and forgets the other actions.
    fn sent(&mut self) -> Vec<String> {
        let is_line = |action| match action {
            Action::Send(line) => Some(line),
            _ => None,
        };
        self.account
            .take_actions()
            .into_iter()
            .filter_map(is_line)
            .collect()
    }

    /// Returns the orders to the engine since the last call, and forgets the other actions.
    fn orders(&mut self) -> Vec<Order> {
        self.starts_and_orders().1
    }

    /// Returns the number of starts of the engine and the orders after the last start, and forgets the other actions.
    fn starts_and_orders(&mut self) -> (usize, Vec<Order>) {
        let mut starts = 0;
        let mut orders = Vec::new();
        for action in self.account.take_actions() {
            match action {
                Action::StartEngine => {
                    starts += 1;
                    orders.clear();
                }
                Action::Engine(order) => orders.push(order),
                _ => {}
            }
        }
        (starts, orders)
    }
}
