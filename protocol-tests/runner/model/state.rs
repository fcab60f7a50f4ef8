//! One possible state of the engine, as the protocol sees it.

use std::collections::VecDeque;
use std::num::NonZeroU32;

use shakmaty::{CastlingMode, Color, Move, Setup};

use super::board::{Board, Ending, castling_rights};

/// What the engine is doing.
#[derive(Clone, Debug, PartialEq)]
pub enum Mode {
    /// It watches.
    Force,
    /// It plays this side and waits, perhaps thinking on the opponent's time.
    Waiting { engine: Color, pondering: bool },
    /// It owes a move.
    Thinking { engine: Color },
    /// It analyses, or has stopped to until the position changes.
    Analysing { searching: bool },
    /// Between `edit` and its dot.
    Editing {
        draft: Setup,
        color: Color,
        after: Box<Mode>,
    },
    /// The game is over.
    Over { engine: Color },
    /// Everything stands still.
    Paused(Box<Mode>),
    /// `quit` has been read, or the end of input and no move is due.
    Gone,
}

/// What the engine has to say, or may say, before it obeys the next line.
#[derive(Clone, Debug, PartialEq)]
pub enum Pending {
    /// `pong N`.
    Pong(String),
    /// An `Illegal move` or an `Error` line that ends in this text.
    Refusal(String),
    /// The same, or nothing.
    MaybeRefusal(String),
    /// Features, up to `done=1`.
    Features,
    /// The same, or nothing.
    MaybeFeatures,
    /// Marks for a piece that was picked up, or nothing.
    MaybeMarks,
    /// The result on the board, in one of these ways.
    Result(Vec<Ending>),
    /// The same, or nothing.
    MaybeResult(Vec<Ending>),
    /// What `bk` finds, up to an empty line.
    Book,
    /// `tellusererror Illegal position: FEN (reason)`; the FEN is empty where it was never sent.
    IllegalPosition(String),
    /// `telluser` or `tellusererror`, or nothing.
    MaybeTellUser,
    /// `Hint:` with a move that is legal now, or nothing.
    MaybeHint,
}

impl Pending {
    /// Whether the engine may leave it unsaid.
    pub fn is_optional(&self) -> bool {
        matches!(
            self,
            Pending::MaybeRefusal(_)
                | Pending::MaybeTellUser
                | Pending::MaybeHint
                | Pending::MaybeFeatures
                | Pending::MaybeMarks
                | Pending::MaybeResult(_)
        )
    }
}

/// A pong that waits for something.
#[derive(Clone, Debug, PartialEq)]
pub struct HeldPong {
    /// As in its ping.
    pub text: String,
    /// The search for a move that was running, which ends first.
    pub search: Option<u64>,
    /// So many settings had been sent, which are taken over first.
    pub settings: usize,
}

/// The numbers of a search so far, none of which runs backwards.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Progress {
    /// Nominal depth of the last thinking line.
    pub depth: i64,
    /// Its centiseconds.
    pub time: u64,
    /// Its nodes.
    pub nodes: u64,
    /// Centiseconds of the last `stat01`.
    pub status_time: u64,
    /// Its nodes.
    pub status_nodes: u64,
}

/// A possible state.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// How many of the lines sent have been obeyed.
    pub obeyed: usize,
    pub mode: Mode,
    pub board: Board,
    /// To be said next, in this order.
    pub pending: VecDeque<Pending>,
    /// Pongs that wait for a search or for settings, in order.
    pub held: VecDeque<HeldPong>,
    /// So many of them may have been what a search began again for, at its first depth.
    pub settings_seen: usize,
    /// Pings whose text may come back in another form, or not at all.
    pub odd_pings: usize,
    /// Lines that may have changed settings.
    pub settings: usize,
    /// So many of them have been taken over, at least.
    pub settings_done: usize,
    pub post: bool,
    pub ponder: bool,
    pub debug: bool,
    /// The host has accepted `exclude` or `highlight`.
    pub accepts_xboard_features: bool,
    /// It has accepted `setscore`.
    pub accepts_setscore: bool,
    /// The engine may resign.
    pub may_resign: bool,
    /// The host has offered a draw that has not been answered.
    pub draw_offered: bool,
    /// The engine has offered one since its last move.
    pub has_offered: bool,
    /// A server, on which takebacks come unannounced.
    pub on_server: bool,
    /// A takeback was assumed: the engine may leave out moves that are illegal without it.
    pub takeback_assumed: bool,
    pub excluded: Vec<Move>,
    /// A move was excluded or included that cannot be told from its text.
    pub root_moves_unclear: bool,
    /// `.` has been sent so often for this search.
    pub status_asked: usize,
    pub progress: Progress,
    /// Counts searches for a move.
    pub search: u64,
    /// The guess that was announced, by `Hint:`.
    pub guess: Option<Move>,
    /// The input has ended while a move was due, which is the last one.
    pub ending: bool,
}

impl State {
    /// As after `new`.
    pub fn new() -> State {
        State {
            obeyed: 0,
            mode: Mode::Waiting {
                engine: Color::Black,
                pondering: false,
            },
            board: Board::start(CastlingMode::Standard),
            pending: VecDeque::new(),
            held: VecDeque::new(),
            settings_seen: 0,
            odd_pings: 0,
            settings: 0,
            settings_done: 0,
            post: false,
            ponder: false,
            debug: false,
            accepts_xboard_features: false,
            accepts_setscore: false,
            may_resign: false,
            draw_offered: false,
            has_offered: false,
            on_server: false,
            takeback_assumed: false,
            excluded: Vec::new(),
            root_moves_unclear: false,
            status_asked: 0,
            progress: Progress::default(),
            search: 0,
            guess: None,
            ending: false,
        }
    }

    /// Whether nothing must be said before the next line is obeyed.
    pub fn is_free(&self) -> bool {
        self.pending.iter().all(Pending::is_optional)
    }

    /// The mode inside a pause, or the mode.
    pub fn inner(&self) -> &Mode {
        match &self.mode {
            Mode::Paused(inner) => inner,
            mode => mode,
        }
    }

    /// Whether a move is being thought about, paused or not.
    pub fn is_thinking(&self) -> bool {
        matches!(self.inner(), Mode::Thinking { .. })
    }

    /// Whether this is analysis, paused or not.
    pub fn is_analysing(&self) -> bool {
        matches!(self.inner(), Mode::Analysing { .. })
    }

    /// What the engine owes once it has obeyed everything; empty when it may be silent for ever.
    pub fn debts(&self) -> Vec<String> {
        let mut debts: Vec<String> = self
            .pending
            .iter()
            .filter(|pending| !pending.is_optional())
            .map(|pending| format!("{pending:?}"))
            .collect();
        if self.mode == Mode::Gone {
            return debts;
        }
        if !self.is_thinking() {
            debts.extend(self.held.iter().map(|pong| format!("pong {}", pong.text)));
        }
        if matches!(self.mode, Mode::Thinking { .. }) {
            debts.push("a move".to_string());
        }
        let searching = matches!(
            self.mode,
            Mode::Analysing { searching: true } | Mode::Thinking { .. }
        );
        if searching && self.status_asked > 0 {
            debts.push("stat01".to_string());
        }
        debts
    }

    /// A search begins, for a move or not.
    pub fn search_begins(&mut self) {
        self.progress = Progress::default();
        self.status_asked = 0;
        self.guess = None;
    }

    /// The search ends without a word, and with it a pause.
    pub fn settle(&mut self) {
        let was_thinking = self.is_thinking();
        let mode = match std::mem::replace(&mut self.mode, Mode::Force) {
            Mode::Paused(inner) => *inner,
            mode => mode,
        };
        self.mode = match mode {
            Mode::Thinking { engine } | Mode::Waiting { engine, .. } => Mode::Waiting {
                engine,
                pondering: false,
            },
            Mode::Analysing { .. } => Mode::Analysing { searching: false },
            mode => mode,
        };
        self.search_begins();
        if was_thinking {
            self.release_pongs();
        }
    }

    /// No search holds pongs back any more; settings still may.
    pub fn release_pongs(&mut self) {
        for held in &mut self.held {
            held.search = None;
        }
        while let Some(held) = self
            .held
            .pop_front_if(|held| held.settings <= self.settings_done)
        {
            self.pending.push_back(Pending::Pong(held.text));
        }
    }

    /// `ping`.
    pub fn owe_pong(&mut self, text: &str) {
        let search = self.is_thinking().then_some(self.search);
        let waits = search.is_some() || self.settings > self.settings_done;
        if waits || !self.held.is_empty() {
            self.held.push_back(HeldPong {
                text: text.to_string(),
                search,
                settings: self.settings,
            });
        } else {
            self.pending.push_back(Pending::Pong(text.to_string()));
        }
    }

    /// The engine begins to think about a move.
    pub fn think(&mut self, engine: Color) {
        // Searches that no pong waits for need not be told apart.
        self.search = self
            .held
            .iter()
            .filter_map(|held| held.search)
            .max()
            .map_or(0, |last| last.max(self.search) + 1);
        self.search_begins();
        self.mode = Mode::Thinking { engine };
    }

    /// If the game is over on the board, that has to be said.
    pub fn claim(&mut self, engine: Color) -> bool {
        let endings = self.board.endings();
        if endings.is_empty() {
            return false;
        }
        let ends_itself = |ending: &Ending| matches!(ending.word, "mates" | "talemate");
        if self.on_server && !endings.iter().any(ends_itself) {
            // A server has to grant it, so the game goes on, and the claim need not be repeated.
            self.pending.push_back(Pending::MaybeResult(endings));
            return false;
        }
        self.pending.push_back(Pending::Result(endings));
        self.mode = Mode::Over { engine };
        true
    }

    /// What was said about the old position is void.
    pub fn position_changed(&mut self) {
        self.takeback_assumed = false;
        self.excluded.clear();
        self.root_moves_unclear = false;
        match self.mode {
            Mode::Analysing { .. } => self.analyse(),
            Mode::Over { engine } => {
                self.mode = Mode::Waiting {
                    engine,
                    pondering: false,
                }
            }
            _ => {}
        }
    }

    /// Analysis of the present position begins, if there is anything to analyse.
    pub fn analyse(&mut self) {
        self.search_begins();
        self.mode = Mode::Analysing { searching: true };
    }

    /// The root moves that are considered.
    pub fn considered(&self) -> Vec<Move> {
        let mut legal = self.board.legal_moves();
        legal.retain(|mv| !self.excluded.contains(mv));
        legal
    }

    /// From the board to what `edit` changes.
    pub fn edit(&mut self) {
        self.settle();
        let after = Box::new(std::mem::replace(&mut self.mode, Mode::Force));
        self.mode = Mode::Editing {
            draft: self.board.setup(),
            color: Color::White,
            after,
        };
    }
}

/// What edit mode cannot say follows from the pieces: castling is possible wherever king and rook are at home.
pub fn finish_edit(mut setup: Setup, castling: CastlingMode) -> Setup {
    setup.ep_square = None;
    setup.halfmoves = 0;
    setup.fullmoves = NonZeroU32::MIN;
    setup.castling_rights = castling_rights(&setup, castling);
    setup
}
