//! What Gaur can say, as values; `format` spells them.

use crate::config::OptionValues;
use crate::messages::{SearchInfo, SearchStatus};
use crate::rules::{Outcome, Variant};
use crate::types::{Move, Square};

/// A line (or the few lines) to the GUI.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// All features of this build, `done=1` last; the options have these values.
    Features(OptionValues),
    /// The options again, with values that have changed.
    OptionsAgain(OptionValues),
    /// `pong N`.
    Pong(String),
    /// `move M`, spelled for the variant.
    Move(Move, Variant),
    /// `Illegal move: M`, as it was received. A reason in parentheses could hold a word from which xboard would
    /// conclude that a command is not supported, and the move would stay on its board.
    IllegalMove(String),
    /// `Error (kind): line`.
    Error {
        /// What is wrong.
        kind: ErrorKind,
        /// The whole line as it was received; cut when long.
        line: String,
    },
    /// `1-0 {White mates}` and the like.
    Result(Outcome),
    /// `resign`.
    Resign,
    /// `offer draw`.
    OfferDraw,
    /// Thinking output.
    Thinking {
        /// Findings of the search.
        info: SearchInfo,
        /// For the spelling of moves.
        variant: Variant,
        /// Print selective depth, speed and tablebase hits, too.
        all_columns: bool,
    },
    /// `stat01: ...`.
    Status(SearchStatus, Variant),
    /// `Hint: M`.
    Hint(Move, Variant),
    /// `highlight`: what the squares are to a piece that was picked up.
    Highlight(Vec<(Square, Mark)>),
    /// `choice`: what a pawn may become.
    PromotionChoice,
    /// The answer to `bk`: lines with a leading blank, then an empty one.
    Book(Vec<String>),
    /// `tellusererror Illegal position: FEN (reason)`. PyChess stops its analysis by an empty board, and shows the
    /// error in a window unless it contains that FEN.
    IllegalPosition {
        /// The FEN as it was received, or that of the edited board; cut when long.
        fen: String,
        /// Why it is no legal position.
        reason: String,
    },
    /// `tellusererror TEXT`.
    TellUserError(String),
    /// `telluser TEXT`.
    TellUser(String),
    /// `tellopponent TEXT`, `tellall TEXT` or `tellothers TEXT`, for people on a server.
    Tell {
        /// Recipients on the server.
        recipient: Recipient,
        /// Made fit for a server when it is printed.
        text: String,
    },
    /// `# TEXT`, only after `accepted debug`.
    Debug(String),
    /// Text for a person at a terminal, as it stands.
    Console(String),
}

/// What a square is to a piece that the user has picked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// It can go there.
    Target,
    /// It can capture there.
    Capture,
    /// It can go there, and is promoted.
    Promotion,
    /// The pawn that it would take en passant stands there; it cannot go there.
    Victim,
}

/// The recipients of a message on a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recipient {
    /// The opponent alone.
    Opponent,
    /// Players and observers.
    Everybody,
    /// Observers alone.
    Observers,
}

/// The text in the parentheses of an `Error` line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// `unknown command`
    UnknownCommand,
    /// `command not legal now`
    NotLegalNow,
    /// `bad argument`
    BadArgument,
    /// `ambiguous move`
    AmbiguousMove,
    /// `unknown option`
    UnknownOption,
    /// `unknown variant`
    UnknownVariant,
    /// `line too long`
    LineTooLong,
    /// `Gaur speaks the xboard protocol, not UCI`
    OtherProtocol,
}
