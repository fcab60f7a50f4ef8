//! Replies to the GUI as values. [`format`](super::format) converts them to text.

use crate::config::OptionValues;
use crate::messages::{SearchInfo, SearchStatus};
use crate::rules::{Outcome, Variant};
use crate::types::{Move, Score, Square};

/// A reply to the GUI, of one or more lines.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// All features, with these values of the options, and `done=1`.
    Features(OptionValues),
    /// The options with their new values.
    OptionsAgain(OptionValues),
    /// `pong N`.
    Pong(String),
    /// `move M`, in the notation of the variant.
    Move(Move, Variant),
    /// `Illegal move: M`, as it was received. There is no reason in parentheses: a word in it could make XBoard
    /// conclude that a command is not supported, and XBoard would keep the move on its board.
    IllegalMove(String),
    /// `Error (kind): line`.
    Error {
        /// Kind of error.
        kind: ErrorKind,
        /// Line as it was received; truncated in the output.
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
        /// Result of the search.
        info: SearchInfo,
        /// Variant, which determines the notation of moves.
        variant: Variant,
        /// Set if selective depth, speed and tablebase hits are included.
        all_columns: bool,
    },
    /// Thinking output of a move from the opening book.
    BookLine {
        /// The move and its line.
        line: BookLine,
        /// Variant, which determines the notation of moves.
        variant: Variant,
        /// Set if selective depth, speed and tablebase hits are included.
        all_columns: bool,
    },
    /// `stat01: ...`.
    Status(SearchStatus, Variant),
    /// `Hint: M`.
    Hint(Move, Variant),
    /// `highlight`: squares that concern the lifted piece.
    Highlight(Vec<(Square, Mark)>),
    /// `choice`: the pieces to which a pawn can be promoted.
    PromotionChoice,
    /// Reply to `bk`: lines with a leading space, then an empty line.
    Book(Vec<String>),
    /// `tellusererror Illegal position: FEN (reason)`. PyChess stops its analysis with an empty board, and shows the
    /// error in a window unless it contains this FEN.
    IllegalPosition {
        /// FEN as it was received, or FEN of the edited board; truncated in the output.
        fen: String,
        /// Reason for which the position is illegal.
        reason: String,
    },
    /// `tellusererror TEXT`.
    TellUserError(String),
    /// `telluser TEXT`.
    TellUser(String),
    /// `tellopponent TEXT`, `tellall TEXT` or `tellothers TEXT`: a message on a server.
    Tell {
        /// Recipients on the server.
        recipient: Recipient,
        /// Message, converted to ASCII in the output.
        text: String,
    },
    /// `# TEXT`, only after `accepted debug`.
    Debug(String),
    /// Text for a person at a terminal, without changes.
    Console(String),
}

/// A move from the opening book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookLine {
    /// Share of the move among the moves of the book, in percent.
    pub percent: u32,
    /// Score for the side to move, if the book has one.
    pub score: Option<Score>,
    /// The move and the moves that the book expects after it.
    pub moves: Vec<Move>,
}

/// The meaning of a square for the lifted piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Target of a quiet move.
    Target,
    /// Target of a capture.
    Capture,
    /// Target of a promotion.
    Promotion,
    /// Square of the pawn that an en passant capture removes; not a target.
    Victim,
}

/// The recipients of a message on a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recipient {
    /// The opponent.
    Opponent,
    /// Players and observers.
    Everybody,
    /// Observers.
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
