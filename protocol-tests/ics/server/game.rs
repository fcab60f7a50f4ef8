//! A game with its moves, clocks and open offers. The rules are those of shakmaty.

use std::time::Instant;

use shakmaty::san::{San, SanPlus};
use shakmaty::uci::UciMove;
use shakmaty::{
    ByColor, CastlingMode, CastlingSide, Chess, Color, File, Move, Position, Rank, Role,
};

use super::clock::{Clocks, MoveTime};
use super::family::Family;
use super::game_end::Ending;
use super::variant::Variant;

/// Time control, rating and variant, as in `match NAME BASE INCREMENT`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    /// Minutes; 0 means ten seconds.
    pub base: u32,
    /// Seconds per move.
    pub increment: u32,
    pub rated: bool,
    pub variant: Variant,
}

/// Offer or request of one side to the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    Draw,
    Abort,
    Adjourn,
    /// Takeback of this number of half-moves.
    Takeback(usize),
    Pause,
    Unpause,
    /// Exchange of the sides.
    Switch,
}

impl Wish {
    /// Returns its word in messages and in `accept WORD`.
    pub fn word(self) -> &'static str {
        match self {
            Wish::Draw => "draw",
            Wish::Abort => "abort",
            Wish::Adjourn => "adjourn",
            Wish::Takeback(_) => "takeback",
            Wish::Pause => "pause",
            Wish::Unpause => "unpause",
            Wish::Switch => "switch",
        }
    }

    /// Returns its name in answers: `takeback request`.
    pub fn request(self) -> String {
        match self {
            Wish::Switch => "switch sides request".into(),
            other => format!("{} request", other.word()),
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
    pub spent: MoveTime,
    /// Clock of the mover after the move, in milliseconds.
    pub clock: i64,
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
    /// Set while both sides have agreed to a pause.
    pub is_paused: bool,
    /// Time at which each player received the board on its turn, in milliseconds of its own clock (timeseal).
    pub received: ByColor<Option<u32>>,
    pub start: Chess,
    /// Number of half-moves at the beginning that cost no time.
    free_half_moves: usize,
}

impl Game {
    /// Creates a game. The clocks start after the number of half-moves that is usual on such a server.
    pub fn new(
        number: u32,
        names: ByColor<String>,
        terms: Terms,
        start: Chess,
        family: Family,
    ) -> Game {
        Game {
            number,
            names,
            clocks: Clocks::new(terms.base, terms.increment),
            terms,
            wishes: Vec::new(),
            least_time: ByColor::new_with(|_| i64::MAX),
            plies: Vec::new(),
            is_paused: false,
            received: ByColor::default(),
            start,
            free_half_moves: family.free_half_moves(),
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

    /// Plays a move of the side to move; `measured` is its time by the player's own clock. An error describes why it
    /// is not a move.
    pub fn play(
        &mut self,
        text: &str,
        now: Instant,
        measured: Option<i64>,
    ) -> Result<Option<Ending>, String> {
        let position = self.position().clone();
        let mover = position.turn();
        let castling = self.terms.variant.castling();
        let mv = read_move(text, &position, castling)
            .ok_or_else(|| format!("Illegal move ({text})."))?;
        let mut after = position.clone();
        let san = SanPlus::from_move_and_play_unchecked(&mut after, mv).to_string();
        let clocks_before = self.clocks.at_start();
        let spent = self.clocks.moved(mover, now, measured);
        let left = clocks_before[mover] - spent.charged;
        self.least_time[mover] = self.least_time[mover].min(left);
        self.received = ByColor::default();
        self.plies.push(Ply {
            san,
            verbose: verbose(mv),
            double_push: double_push(mv),
            spent,
            clock: self.clocks.at_start()[mover],
            clocks_before,
            after,
        });
        self.run_clock(now);
        Ok(self.ending_on_the_board())
    }

    /// Returns the time of a move that arrives now, in milliseconds of the player's own clock. A move that a client
    /// sends before it has received the board took no time.
    pub fn measured(&self, side: Color, stamp: u32) -> i64 {
        let received = self.received[side].unwrap_or(stamp);
        i64::from(stamp.saturating_sub(received))
    }

    /// Starts the clock of the side to move, unless the first moves cost no time.
    pub fn run_clock(&mut self, now: Instant) {
        if self.plies.len() < self.free_half_moves || self.is_paused {
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
        self.received = ByColor::default();
        self.run_clock(now);
    }

    /// Stops the clocks; the move in progress begins again when the pause ends.
    pub fn pause(&mut self) {
        self.is_paused = true;
        self.clocks.roll_back();
    }

    /// Ends a pause.
    pub fn unpause(&mut self, now: Instant) {
        self.is_paused = false;
        self.received = ByColor::default();
        self.run_clock(now);
    }

    /// Exchanges the sides; the move in progress begins again.
    pub fn switch(&mut self, now: Instant) {
        std::mem::swap(&mut self.names.white, &mut self.names.black);
        self.clocks.roll_back();
        self.received = ByColor::default();
        self.run_clock(now);
    }

    /// Checks whether a side may make this request now. An error is the answer of the server.
    pub fn may_ask(&self, side: Color, wish: Wish) -> Result<(), String> {
        let has_request = self.wishes.contains(&(!side, wish));
        match wish {
            Wish::Takeback(0) => Err("You can't takeback less than 1 move.".into()),
            Wish::Takeback(_) if self.plies.is_empty() => {
                Err("There are no moves in your game.".into())
            }
            Wish::Takeback(count) if count > self.plies.len() => Err(format!(
                "There are only {} half moves in your game.",
                self.plies.len()
            )),
            Wish::Pause if self.is_paused => {
                Err("Game is already paused, use \"unpause\" to resume.".into())
            }
            Wish::Unpause if !self.is_paused => Err("Game is not paused.".into()),
            Wish::Switch if self.terms.rated && !self.plies.is_empty() && !has_request => {
                Err("You cannot switch sides once a rated game is underway.".into())
            }
            _ => Ok(()),
        }
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

    /// Returns the result of a called flag. An error is the answer of the server while the other clock is above zero.
    pub fn flag(&self, caller: Color, now: Instant) -> Result<Ending, &'static str> {
        if self.plies.len() < 2 {
            return Err("You cannot flag before both players have moved.\nUse abort instead.");
        }
        match (
            self.clocks.left(caller, now) > 0,
            self.clocks.left(!caller, now) > 0,
        ) {
            (_, true) => Err("Your opponent is not out of time!"),
            (false, false) => Ok(Ending::BothFlags),
            (true, false) if self.position().has_insufficient_material(caller) => {
                Ok(Ending::FlagWithoutMaterial(!caller))
            }
            (true, false) => Ok(Ending::Flag(!caller)),
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

/// Parses `e2e4`, `e7e8=q`, `o-o` or SAN. In Fischer Random, only `o-o` and `o-o-o` castle.
pub fn read_move(text: &str, position: &Chess, castling: CastlingMode) -> Option<Move> {
    let plain = text.replace('=', "").to_lowercase();
    let in_coordinates = plain
        .parse::<UciMove>()
        .ok()
        .and_then(|mv| mv.to_move(position).ok())
        .filter(|mv| castling == CastlingMode::Standard || !mv.is_castle());
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
