//! Description of an engine and of a game for it, and what an engine does.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::features::Features;
use super::variant::Variant;

/// Description of an engine and its settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSpec {
    /// Program and arguments.
    pub command: Vec<String>,
    /// Current folder of the program; `None` for the folder of this program.
    pub folder: Option<PathBuf>,
    /// Names and values of options that the engine announces.
    pub options: Vec<(String, String)>,
    /// Memory for hash tables, in MiB.
    pub memory_mb: Option<u32>,
    /// Number of processor cores.
    pub cores: Option<u32>,
    /// Kinds of endgame tables with their folders, for example `syzygy`.
    pub egt: Vec<(String, String)>,
    /// Thinking in the opponent's time.
    pub ponder: bool,
    /// Lines that are sent once, after the settings.
    pub init_lines: Vec<String>,
    /// Longest time between the start of the program and `feature done=1`, if the engine asks for time with `done=0`.
    pub start_timeout: Duration,
}

impl Default for EngineSpec {
    fn default() -> EngineSpec {
        EngineSpec {
            command: Vec::new(),
            folder: None,
            options: Vec::new(),
            memory_mb: None,
            cores: None,
            egt: Vec::new(),
            ponder: false,
            init_lines: Vec::new(),
            start_timeout: Duration::from_secs(10),
        }
    }
}

/// Description of a game for the engine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GameSetup {
    /// Variant.
    pub variant: Variant,
    /// Start position as a FEN record; `None` for the usual one.
    pub start_fen: Option<String>,
    /// Moves since the start position: coordinates, and `O-O` in Fischer Random chess.
    pub moves: Vec<String>,
    /// Colour of the engine.
    pub engine_is_white: bool,
    /// Time for the game.
    pub base: Duration,
    /// Additional time for each move.
    pub increment: Duration,
    /// Name of the opponent.
    pub opponent: String,
    /// Rating of the opponent.
    pub opponent_rating: Option<u32>,
    /// Rating of the account.
    pub own_rating: Option<u32>,
    /// The opponent is a computer.
    pub opponent_is_computer: bool,
    /// Host name of the server.
    pub host: String,
}

/// Clocks of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clocks {
    /// Clock of the engine, without the expected network delay.
    pub own: Duration,
    /// Clock of the opponent.
    pub opponent: Duration,
}

/// Order for the engine.
#[derive(Clone, Debug, PartialEq)]
pub enum Order {
    /// Begins or resumes a game.
    NewGame {
        /// Players, time control, start position and moves.
        setup: Box<GameSetup>,
        /// Clocks now.
        clocks: Clocks,
    },
    /// The opponent has moved.
    OpponentMoved {
        /// Coordinates of the move.
        coordinates: String,
        /// Clocks after the move.
        clocks: Clocks,
    },
    /// Half-moves have been taken back.
    TakeBack {
        /// Number of half-moves.
        half_moves: usize,
        /// The game without them.
        setup: Box<GameSetup>,
        /// Clocks now.
        clocks: Clocks,
    },
    /// The opponent offers a draw.
    OfferDraw,
    /// The engine must move at once, if it thinks.
    MoveNow,
    /// The game is over.
    GameOver {
        /// `1-0`, `0-1`, `1/2-1/2` or `*`.
        result: &'static str,
        /// Words of the server.
        comment: String,
    },
    /// Sends a line of the user.
    Line(String),
}

/// Raw output of the engine's process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineOutput {
    /// Line of the standard output, with the time of its arrival.
    Line(String, Instant),
    /// Line of the standard error output.
    StandardError(String),
    /// The end of the output, with a description of the end of the program.
    Closed(String),
}

/// Action of the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineEvent {
    /// The engine accepts games. Occurs again if it announces features after the time for them.
    Ready(Features),
    /// Move in the current position, in the engine's notation.
    Move(String),
    /// Draw offer.
    OfferDraw,
    /// Resignation.
    Resign,
    /// Claim of a result.
    Result {
        /// `1-0`, `0-1` or `1/2-1/2`.
        result: String,
        /// Reason.
        comment: String,
    },
    /// Message.
    Tell(EngineTell),
    /// State of the search.
    Thinking(Thinking),
    /// Error message about a command or a move.
    Error(String),
    /// Answer to a `ping` with this number.
    Pong(u32),
    /// Line of the standard error output.
    StandardError(String),
    /// Setting or command that the engine does not support, or output that does not belong to the game.
    Warning(String),
    /// Something usual that helps to understand the engine.
    Note(String),
    /// The end of the program, with a description. It is the last event.
    Exited(String),
}

/// Message of the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineTell {
    /// Command for the server.
    Ics(String),
    /// Command for the server that is not an alias.
    IcsNoAlias(String),
    /// Message for the opponent.
    Opponent(String),
    /// Message for players and observers.
    All(String),
    /// Message for observers.
    Others(String),
    /// Message for the user of the engine.
    User(String),
    /// Error message for the user of the engine.
    UserError(String),
}

/// State of the engine's search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Thinking {
    /// Depth in half-moves.
    pub depth: u32,
    /// Score in centipawns from the engine's point of view; 100000 + N and -100000 - N: mate in N moves.
    pub score: i32,
    /// Principal variation, in the engine's notation.
    pub pv: String,
}

/// Reason why an engine does not start.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// No program is given.
    #[error("the command of the engine is empty: give the program and its arguments")]
    Empty,
    /// The program does not exist.
    #[error("the engine `{0}` is not found: install it, or give the full path of the program")]
    NotFound(String),
    /// The path is that of a folder.
    #[error("the engine `{0}` is a folder: give the path of the program")]
    IsFolder(String),
    /// The program's folder does not exist.
    #[error("the folder of the engine, {0}, does not exist")]
    Folder(PathBuf),
    /// The file is not executable.
    #[error(
        "the engine `{0}` is not executable: check its permissions, for example with `chmod +x`"
    )]
    NotExecutable(String),
    /// Another error of the system.
    #[error("the engine `{program}` cannot be started: {source}")]
    Start {
        /// Program.
        program: String,
        /// Error of the system.
        source: std::io::Error,
    },
}
