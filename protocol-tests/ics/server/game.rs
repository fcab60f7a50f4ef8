//! A game with its moves, clocks and open offers. The rules are those of shakmaty.

use std::time::Instant;

use shakmaty::san::{San, SanPlus};
use shakmaty::uci::UciMove;
use shakmaty::{ByColor, CastlingSide, Chess, Color, File, Move, Position, Rank, Role};

use super::clock::Clocks;
use super::game_end::Ending;

/// Time control and rating, as in `match NAME BASE INCREMENT`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// Minutes; 0 means ten seconds.
    pub base: u32,
    /// Seconds per move.
    pub increment: u32,
    pub rated: bool,
}

/// Offer or request of one side to the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    Draw,
    Abort,
    Adjourn,
    /// Takeback of this number of half-moves.
    Takeback(usize),
}

impl Wish {
    /// Returns its word in messages and in `accept WORD`.
    pub fn word(self) -> &'static str {
        match self {
            Wish::Draw => "draw",
            Wish::Abort => "abort",
            Wish::Adjourn => "adjourn",
            Wish::Takeback(_) => "takeback",
        }
    }
}

/// A half-move with its effects.
#[derive(Clone, Debug)]
pub struct Ply {
    pub san: String,
    /// Long notation for board lines, such as `P/e2-e4` or `o-o`.
    pub verbose: String,
    /// File of a pawn that has moved two squares.
    pub double_push: Option<File>,
    /// In milliseconds.
    pub spent: i64,
    /// Clocks before the move.
    clocks_before: ByColor<i64>,
    after: Chess,
}

/// A running or adjourned game.
#[derive(Clone, Debug)]
pub struct Game {
    pub number: u32,
    pub names: ByColor<String>,
    pub terms: Terms,
    pub clocks: Clocks,
    /// Open offer and its side.
    pub wishes: Vec<(Color, Wish)>,
    /// Lowest time of each clock after a move of its side, in milliseconds.
    pub least_time: ByColor<i64>,
    pub plies: Vec<Ply>,
    start: Chess,
}

impl Game {
    /// Creates a game. The clocks start when each side has moved once.
    pub fn new(number: u32, names: ByColor<String>, terms: Terms, start: Chess) -> Game {
        Game {
            number,
            names,
            terms,
            clocks: Clocks::new(terms.base, terms.increment),
            wishes: Vec::new(),
            least_time: ByColor::new_with(|_| i64::MAX),
            plies: Vec::new(),
            start,
        }
    }

    /// Returns the current position.
    pub fn position(&self) -> &Chess {
        self.plies.last().map_or(&self.start, |ply| &ply.after)
    }

    /// Returns the side to move.
    pub fn turn(&self) -> Color {
        self.position().turn()
    }

    /// Returns the side that this account plays.
    pub fn side_of(&self, name: &str) -> Option<Color> {
        self.names.find(|own| own == name)
    }

    /// Plays a move of the side to move. An error describes why it is not a move.
    pub fn play(&mut self, text: &str, now: Instant) -> Result<Option<Ending>, String> {
        let position = self.position().clone();
        let mover = position.turn();
        let mv = read_move(text, &position).ok_or_else(|| format!("Illegal move ({text})."))?;
        let mut after = position.clone();
        let san = SanPlus::from_move_and_play_unchecked(&mut after, mv).to_string();
        let left = self.clocks.left(mover, now);
        self.least_time[mover] = self.least_time[mover].min(left);
        let clocks_before = self.clocks.at_start();
        let spent = self.clocks.moved(mover, now);
        self.plies.push(Ply {
            san,
            verbose: verbose(mv),
            double_push: double_push(mv),
            spent,
            clocks_before,
            after,
        });
        self.run_clock(now);
        Ok(self.ending_on_the_board())
    }

    /// Starts the clock of the side to move, once both have moved.
    pub fn run_clock(&mut self, now: Instant) {
        if self.plies.len() < 2 {
            self.clocks.stop(now);
        } else {
            self.clocks.start(self.turn(), now);
        }
    }

    /// Takes half-moves back and restores the clocks of that time, as on FICS.
    pub fn take_back(&mut self, count: usize, now: Instant) {
        let kept = self.plies.len().saturating_sub(count);
        if let Some(first) = self.plies.drain(kept..).next() {
            self.clocks.set(first.clocks_before);
        }
        self.run_clock(now);
    }

    /// Returns the draw that a player can claim now.
    pub fn claimable_draw(&self) -> Option<Ending> {
        let now = self.position();
        let times = std::iter::once(&self.start)
            .chain(self.plies.iter().map(|ply| &ply.after))
            .filter(|earlier| *earlier == now)
            .count();
        if times >= 3 {
            Some(Ending::Repetition)
        } else if now.halfmoves() >= 100 {
            Some(Ending::FiftyMoves)
        } else {
            None
        }
    }

    /// Returns the result of a called flag, or `None` while the other clock is above zero.
    pub fn flag(&self, caller: Color, now: Instant) -> Option<Ending> {
        if self.clocks.left(!caller, now) > 0 {
            None
        } else if self.position().has_insufficient_material(caller) {
            Some(Ending::FlagWithoutMaterial(!caller))
        } else {
            Some(Ending::Flag(!caller))
        }
    }

    fn ending_on_the_board(&self) -> Option<Ending> {
        let position = self.position();
        if position.is_checkmate() {
            Some(Ending::Checkmate(position.turn()))
        } else if position.is_stalemate() {
            Some(Ending::Stalemate)
        } else if position.is_insufficient_material() {
            Some(Ending::Material)
        } else {
            None
        }
    }
}

/// Parses `e2e4`, `e7e8=q`, `o-o` or SAN.
pub fn read_move(text: &str, position: &Chess) -> Option<Move> {
    let plain = text.replace('=', "").to_lowercase();
    let in_coordinates = plain
        .parse::<UciMove>()
        .ok()
        .and_then(|mv| mv.to_move(position).ok());
    in_coordinates.or_else(|| {
        let castling = text.replace(['o', '0'], "O");
        [text, castling.as_str()]
            .iter()
            .find_map(|spelling| spelling.parse::<San>().ok()?.to_move(position).ok())
    })
}

fn verbose(mv: Move) -> String {
    match mv.castling_side() {
        Some(CastlingSide::KingSide) => "o-o".into(),
        Some(CastlingSide::QueenSide) => "o-o-o".into(),
        None => {
            let piece = mv.role().upper_char();
            let from = mv.from().map(|square| square.to_string());
            let promotion = mv.promotion().map(|role| format!("={}", role.upper_char()));
            format!(
                "{piece}/{}-{}{}",
                from.unwrap_or_default(),
                mv.to(),
                promotion.unwrap_or_default()
            )
        }
    }
}

fn double_push(mv: Move) -> Option<File> {
    let from = mv.from()?;
    let ranks = (from.rank(), mv.to().rank());
    let is_double = mv.role() == Role::Pawn
        && matches!(
            ranks,
            (Rank::Second, Rank::Fourth) | (Rank::Seventh, Rank::Fifth)
        );
    is_double.then(|| from.file())
}
