//! What a GUI can say, as values: text and units end here.

use std::time::Duration;

use crate::clock::TimeControl;
use crate::types::{Depth, PieceKind, Score, Square};

/// A line from the GUI, understood.
///
/// Moves stay text, because only the position they are played in tells what they mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// An empty line, or a word of an old GUI that asks for nothing.
    Nothing,
    /// `xboard`: a GUI is listening.
    Xboard,
    /// `protover N`.
    Protover(u32),
    /// `uci`: the host speaks another protocol.
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

    /// `level`, `st`: how time is given.
    TimeControl(TimeControl),
    /// `sd N`; also the legacy `depth N`.
    DepthLimit(Depth),
    /// `nps N`: a node counts as 1/N s; 0: processor time counts.
    NodeRate(u64),
    /// `time N`: the engine's clock; a negative one is 0.
    EngineClock(Duration),
    /// `otim N`: the opponent's clock; a negative one is 0.
    OpponentClock(Duration),

    /// `?`: move now.
    MoveNow,
    /// `ping N`, the number as it was written.
    Ping(String),
    /// `draw`: the opponent offers one.
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
    /// A line that has the shape of a move but is no command.
    BareMove(String),

    /// `hint`.
    Hint,
    /// `bk`.
    Book,
    /// `hard`: ponder.
    Hard,
    /// `easy`: do not ponder.
    Easy,
    /// `post`: show thinking.
    Post,
    /// `nopost`: do not.
    NoPost,

    /// `analyze`.
    Analyze,
    /// `exit`: leave analysis.
    Exit,
    /// `.`: how far is the search?
    Status,
    /// `exclude M...` or `exclude all`.
    Exclude(RootMoves),
    /// `include M...` or `include all`.
    Include(RootMoves),
    /// `setscore S D`: what the present position counts in searches up to depth D.
    SetScore {
        /// For the side to move; a mate counted from this position.
        score: Score,
        /// For searches up to this depth.
        depth: Depth,
    },

    /// `name X`.
    OpponentName(String),
    /// `rating OWN OPPONENT`; 0 is unrated.
    Ratings {
        /// The engine's.
        own: i32,
        /// The opponent's.
        opponent: i32,
    },
    /// `ics HOST`; `None` for `-`, a local game.
    Ics(Option<String>),
    /// `computer`: the opponent is a program.
    Computer,

    /// `pause`.
    Pause,
    /// `resume`.
    Resume,
    /// `memory N`: megabytes in all.
    Memory(u64),
    /// `cores N`.
    Cores(u64),
    /// `egtpath TYPE PATH`.
    TablebasePath {
        /// `syzygy` and the like.
        kind: String,
        /// The rest of the line.
        path: String,
    },
    /// `option NAME=VALUE` or `option NAME`.
    Option {
        /// As announced; may hold blanks.
        name: String,
        /// The rest of the line after `=`; may be empty.
        value: Option<String>,
    },

    /// `partner [NAME]`, `ptell TEXT`, `holding [..] [..]`: bughouse.
    Bughouse,
    /// `lift SQ`: the user picks up a piece.
    Lift(Square),
    /// `put SQ`: the user puts it down.
    Put(Square),
    /// `hover SQ`: the user drags it over.
    Hover(Square),

    /// `help`: for a person at a terminal.
    Help,
    /// `d` or `show`: draw the board, for a person at a terminal.
    Show,
}

/// Which root moves `exclude` and `include` speak of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RootMoves {
    /// Every move.
    All,
    /// These, at least one.
    These(Vec<String>),
}

/// How a game ended, as the GUI says it. The comment may be anything and is not looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    /// `1-0`.
    WhiteWins,
    /// `0-1`.
    BlackWins,
    /// `1/2-1/2`.
    Draw,
    /// `*` or something unknown: adjourned, aborted, closed.
    Unfinished,
}

/// A line inside `edit`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EditCommand {
    /// `#`: clear the board.
    Clear,
    /// `c`: the other colour now.
    ChangeColor,
    /// `Pa4`: put a piece of the current colour.
    Put(PieceKind, Square),
    /// `xa4`: empty a square.
    Empty(Square),
    /// `castle...`, `ep...` (ChessBase) or an empty line: nothing to do.
    Nothing,
    /// `.`: done.
    Done,
    /// A `ping` that came in between, answered at once.
    Ping(String),
    /// `quit` inside edit mode.
    Quit,
}

/// Why a line is not a [`Command`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParseError {
    /// No command begins like this.
    UnknownCommand,
    /// The command is known; what follows it is missing or wrong.
    BadArgument,
}
