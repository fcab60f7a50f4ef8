//! One possible state of the engine, as the protocol sees it.

use std::collections::VecDeque;
use std::num::NonZeroU32;

use shakmaty::{CastlingMode, Color, Move, Setup};

use super::board::{Board, Ending, castling_rights};

/// Activity of the engine.
#[derive(Clone, Debug, PartialEq)]
pub enum Mode {
    /// Force mode.
    Force,
    /// It plays `engine` and waits for the opponent, possibly pondering.
    Waiting { engine: Color, pondering: bool },
    /// It thinks about a move of its own.
    Thinking { engine: Color },
    /// Analysis. `searching` is not set while it has stopped until the position changes.
    Analysing { searching: bool },
    /// Edit mode, between `edit` and `.`.
    Editing {
        draft: Setup,
        color: Color,
        after: Box<Mode>,
    },
    /// The game is over.
    Over { engine: Color },
    /// Paused; the inner mode continues after the pause.
    Paused(Box<Mode>),
    /// `quit` has been read, or the end of input while no move is due.
    Gone,
}

/// Answer that the engine must or may send before it handles the next line.
#[derive(Clone, Debug, PartialEq)]
pub enum Pending {
    /// `pong N`.
    Pong(String),
    /// `Illegal move` or `Error` line that ends in this text.
    Refusal(String),
    /// Refusal as in [`Pending::Refusal`], or nothing.
    MaybeRefusal(String),
    /// Features, up to `done=1`.
    Features,
    /// Features, or nothing.
    MaybeFeatures,
    /// Marks for a lifted piece, or nothing.
    MaybeMarks,
    /// One of these results.
    Result(Vec<Ending>),
    /// One of these results, or nothing.
    MaybeResult(Vec<Ending>),
    /// Answer to `bk`, up to an empty line.
    Book,
    /// Text for a person, up to a line that contains these words.
    Text(&'static str),
    /// `tellusererror Illegal position: FEN (reason)`; the FEN is empty if none was sent.
    IllegalPosition(String),
    /// `telluser` or `tellusererror`, or nothing.
    MaybeTellUser,
    /// `Hint:` with a move that is legal now, or nothing.
    MaybeHint,
}

impl Pending {
    /// Returns `true` if the engine may omit the answer.
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

/// Pong that waits for a search or for settings.
#[derive(Clone, Debug, PartialEq)]
pub struct HeldPong {
    /// Number or text of the ping.
    pub text: String,
    /// Search for a move that must end first.
    pub search: Option<u64>,
    /// Number of settings sent before the ping, which must be applied first.
    pub settings: usize,
}

/// Progress of a search. No value may decrease.
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

/// A state that the engine may be in.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Number of sent lines that the engine has read.
    pub lines_read: usize,
    pub mode: Mode,
    pub board: Board,
    /// Answers to send next, in this order.
    pub pending: VecDeque<Pending>,
    /// Pongs that wait for a search or for settings, in order.
    pub held: VecDeque<HeldPong>,
    /// Number of settings that may already have restarted the search at its first depth.
    pub settings_seen: usize,
    /// Pings whose text may come back in another form, or never.
    pub odd_pings: usize,
    /// Number of lines that may have changed settings.
    pub settings: usize,
    /// Number of them that have certainly been applied.
    pub settings_done: usize,
    /// Saves whose failure may still be reported, each by the number of settings sent up to it.
    pub saves: Vec<usize>,
    pub post: bool,
    pub ponder: bool,
    pub debug: bool,
    /// The host has sent `xboard` or `protover`: no person reads the output.
    pub is_gui: bool,
    /// The host has accepted `exclude` or `highlight`.
    pub accepts_xboard_features: bool,
    /// The host has accepted `setscore`.
    pub accepts_setscore: bool,
    /// The engine may resign.
    pub may_resign: bool,
    /// The host has offered a draw that has not been answered.
    pub draw_offered: bool,
    /// The engine has offered one since its last move.
    pub has_offered: bool,
    /// The game is on a server, where takebacks are not announced.
    pub on_server: bool,
    /// A takeback was assumed; the engine may exclude moves that are illegal without it.
    pub takeback_assumed: bool,
    pub excluded: Vec<Move>,
    /// An ambiguous move was excluded or included.
    pub root_moves_unclear: bool,
    /// Number of `.` commands without an answer in this search.
    pub status_asked: usize,
    pub progress: Progress,
    /// Number of the current search for a move.
    pub search: u64,
    /// Ponder move that `Hint:` announced.
    pub guess: Option<Move>,
    /// The input has ended while a move was due; that move is the last one.
    pub ending: bool,
}

impl State {
    /// Returns the state after `new`.
    pub fn new() -> State {
        State {
            lines_read: 0,
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
            saves: Vec::new(),
            post: false,
            ponder: false,
            debug: false,
            is_gui: false,
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

    /// Returns `true` if no answer must be sent before the next line is handled.
    pub fn is_free(&self) -> bool {
        self.pending.iter().all(Pending::is_optional)
    }

    /// Returns the mode, during a pause the mode that it interrupts.
    pub fn inner(&self) -> &Mode {
        match &self.mode {
            Mode::Paused(inner) => inner,
            mode => mode,
        }
    }

    /// Returns `true` if a move is due, paused or not.
    pub fn is_thinking(&self) -> bool {
        matches!(self.inner(), Mode::Thinking { .. })
    }

    /// Returns `true` in analysis, paused or not.
    pub fn is_analysing(&self) -> bool {
        matches!(self.inner(), Mode::Analysing { .. })
    }

    /// Returns the answers that the engine must send once it has read everything.
    pub fn due_answers(&self) -> Vec<String> {
        let mut due_answers: Vec<String> = self
            .pending
            .iter()
            .filter(|pending| !pending.is_optional())
            .map(|pending| format!("{pending:?}"))
            .collect();
        if self.mode == Mode::Gone {
            return due_answers;
        }
        if !self.is_thinking() {
            due_answers.extend(self.held.iter().map(|pong| format!("pong {}", pong.text)));
        }
        if matches!(self.mode, Mode::Thinking { .. }) {
            due_answers.push("a move".to_string());
        }
        let searching = matches!(
            self.mode,
            Mode::Analysing { searching: true } | Mode::Thinking { .. }
        );
        if searching && self.status_asked > 0 {
            due_answers.push("stat01".to_string());
        }
        due_answers
    }

    /// Resets the progress for a new search.
    pub fn search_begins(&mut self) {
        self.progress = Progress::default();
        self.status_asked = 0;
        self.guess = None;
    }

    /// Ends the search without output, and a pause with it.
    pub fn stop_search(&mut self) {
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

    /// Releases the pongs that waited for a search. Settings may still hold them.
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

    /// Adds the pong for a `ping`.
    pub fn add_pong(&mut self, text: &str) {
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

    /// Starts a search for a move.
    pub fn think(&mut self, engine: Color) {
        // Searches that no pong waits for may have equal numbers.
        self.search = self
            .held
            .iter()
            .filter_map(|held| held.search)
            .max()
            .map_or(0, |last| last.max(self.search) + 1);
        self.search_begins();
        self.mode = Mode::Thinking { engine };
    }

    /// Adds the claim if the game is over on the board. Returns `true` if the claim ends the game.
    pub fn claim(&mut self, engine: Color) -> bool {
        let endings = self.board.endings();
        if endings.is_empty() {
            return false;
        }
        let ends_itself = |ending: &Ending| matches!(ending.word, "mates" | "talemate");
        if self.on_server && !endings.iter().any(ends_itself) {
            // The server decides, so the game continues, and the engine need not repeat the claim.
            self.pending.push_back(Pending::MaybeResult(endings));
            return false;
        }
        self.pending.push_back(Pending::Result(endings));
        self.mode = Mode::Over { engine };
        true
    }

    /// Resets everything that depends on the position.
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

    /// Starts analysis of the current position.
    pub fn analyse(&mut self) {
        self.search_begins();
        self.mode = Mode::Analysing { searching: true };
    }

    /// Returns the root moves that are not excluded.
    pub fn considered(&self) -> Vec<Move> {
        let mut legal = self.board.legal_moves();
        legal.retain(|mv| !self.excluded.contains(mv));
        legal
    }

    /// Enters edit mode.
    pub fn edit(&mut self) {
        self.stop_search();
        let after = Box::new(std::mem::replace(&mut self.mode, Mode::Force));
        self.mode = Mode::Editing {
            draft: self.board.setup(),
            color: Color::White,
            after,
        };
    }
}

/// Completes an edited position: castling is possible with every king and rook on their start squares.
pub fn finish_edit(mut setup: Setup, castling: CastlingMode) -> Setup {
    setup.ep_square = None;
    setup.halfmoves = 0;
    setup.fullmoves = NonZeroU32::MIN;
    setup.castling_rights = castling_rights(&setup, castling);
    setup
}
