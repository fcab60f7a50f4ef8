//! Commands of the GUI as values. Text and units of the protocol are converted in the parser.

use std::time::Duration;

use crate::clock::TimeControl;
use crate::types::{Depth, PieceKind, Score, Square};

/// A parsed line of the GUI.
///
/// Moves stay text, because their meaning depends on the position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// An empty line, or an obsolete command without effect.
    Nothing,
    /// `xboard`: the client is a GUI.
    Xboard,
    /// `protover N`.
    Protover(u32),
    /// `uci`: the GUI uses another protocol.
    Uci,
    /// `accepted F`; the feature may be missing.
    Accepted(String),
    /// `rejected F`; for an option, `option NAME`.
    Rejected(String),

    /// `new`.
    New,
    /// `variant V`.
    Variant(String),
    /// `quit`.
    Quit,
    /// `random`.
    Random,
    /// `force`.
    Force,
    /// `go`.
    Go,
    /// `playother`.
    PlayOther,
    /// `white`: White to move, the engine plays Black.
    White,
    /// `black`: Black to move, the engine plays White.
    Black,

    /// `level`, `st`: the time control.
    TimeControl(TimeControl),
    /// `sd N`; also the legacy `depth N`.
    DepthLimit(Depth),
    /// `nps N`: a node counts as 1/N seconds of engine time; 0: engine time is processor time.
    NodeRate(u64),
    /// `time N`: the engine's clock; a negative time becomes 0.
    EngineClock(Duration),
    /// `otim N`: the opponent's clock; a negative time becomes 0.
    OpponentClock(Duration),

    /// `?`: move now.
    MoveNow,
    /// `ping N`, with the number as it was written.
    Ping(String),
    /// `draw`: the opponent offers a draw.
    Draw,
    /// `result R {comment}`.
    GameResult(GameResult),

    /// `setboard FEN`.
    SetBoard(String),
    /// `edit`: the lines that follow are [`EditCommand`]s.
    Edit,
    /// `undo`.
    Undo,
    /// `remove`.
    Remove,
    /// `usermove M`.
    UserMove(String),
    /// A move without `usermove`.
    BareMove(String),

    /// `hint`.
    Hint,
    /// `bk`.
    Book,
    /// `hard`: enables pondering.
    Hard,
    /// `easy`: disables pondering.
    Easy,
    /// `post`: enables thinking output.
    Post,
    /// `nopost`: disables thinking output.
    NoPost,

    /// `analyze`.
    Analyze,
    /// `exit`: ends analysis.
    Exit,
    /// `.`: requests the progress of the search.
    Status,
    /// `exclude M...` or `exclude all`.
    Exclude(RootMoves),
    /// `include M...` or `include all`.
    Include(RootMoves),
    /// `setscore S D`: sets the score of the current position in searches up to depth D.
    SetScore {
        /// Score for the side to move; mate distances count from this position.
        score: Score,
        /// Largest depth of the searches concerned.
        depth: Depth,
    },

    /// `name X`.
    OpponentName(String),
    /// `rating OWN OPPONENT`; 0 means unrated.
    Ratings {
        /// Rating of the engine.
        own: i32,
        /// Rating of the opponent.
        opponent: i32,
    },
    /// `ics HOST`; `None` for `-`, which means a local game.
    Ics(Option<String>),
    /// `computer`: the opponent is a program.
    Computer,

    /// `pause`.
    Pause,
    /// `resume`.
    Resume,
    /// `memory N`: total memory in megabytes.
    Memory(u64),
    /// `cores N`.
    Cores(u64),
    /// `egtpath TYPE PATH`.
    TablebasePath {
        /// Type of the tablebases, such as `syzygy`.
        kind: String,
        /// Path of the tablebases; may be empty.
        path: String,
    },
    /// `option NAME=VALUE` or `option NAME`.
    Option {
        /// Name of the option; may contain spaces.
        name: String,
        /// Text after `=`, which may be empty; `None` without `=`.
        value: Option<String>,
    },

    /// `partner [NAME]`, `ptell TEXT`, `holding [..] [..]`: commands for bughouse.
    Bughouse,
    /// `lift SQ`: the user lifts a piece.
    Lift(Square),
    /// `put SQ`: the user puts the piece down.
    Put(Square),
    /// `hover SQ`: the user drags the piece over a square.
    Hover(Square),

    /// `help`, for a person at a terminal.
    Help,
    /// `d` or `show`: draws the board, for a person at a terminal.
    Show,
}

/// The argument of `exclude` and `include`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RootMoves {
    /// All legal moves.
    All,
    /// At least one move.
    These(Vec<String>),
}

/// The result of a game. The parser ignores its comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    /// `1-0`.
    WhiteWins,
    /// `0-1`.
    BlackWins,
    /// `1/2-1/2`.
    Draw,
    /// `*` or an unknown result, such as an adjourned or aborted game.
    Unfinished,
}

/// A line in edit mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EditCommand {
    /// `#`: clears the board.
    Clear,
    /// `c`: changes the colour of the pieces that follow.
    ChangeColor,
    /// `Pa4`: puts a piece of the current colour on a square.
    Put(PieceKind, Square),
    /// `xa4`: empties a square.
    Empty(Square),
    /// `castle...`, `ep...` (ChessBase) or an empty line, without effect.
    Nothing,
    /// `.`: ends edit mode.
    Done,
    /// `ping N`, which is answered at once.
    Ping(String),
    /// `quit`.
    Quit,
}

/// The reason for which a line is not a [`Command`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParseError {
    /// No command has this name.
    UnknownCommand,
    /// The argument of a command is missing or wrong.
    BadArgument,
}
