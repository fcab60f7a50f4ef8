//! The parser for lines of the GUI. No later code reads the text of a command again.
//!
//! The first word selects the command, and a small parser reads its argument. All times are converted to `Duration`.
//! Every line gives a command or a [`ParseError`], in time linear in its length.

mod arguments;
mod clocks;
mod edit;
mod information;
mod moves;
mod numbers;
mod options;

use crate::protocol::command::{Command, ParseError};

use arguments::{required_text, split_verb, whole};
pub use edit::parse_edit;

/// Parses one line, with or without its line end and surrounding spaces.
///
/// Words after a command without arguments are ignored.
///
/// # Errors
/// Returns [`ParseError::UnknownCommand`] if there is no such command, and [`ParseError::BadArgument`] if its argument
/// is missing or wrong.
pub fn parse(line: &str) -> Result<Command, ParseError> {
    let (verb, args) = split_verb(line);
    Ok(match verb {
        "" => Command::Nothing,
        "xboard" => Command::Xboard,
        "protover" => Command::Protover(information::protover(args)?),
        "uci" => Command::Uci,
        "accepted" => Command::Accepted(args.to_owned()),
        "rejected" => Command::Rejected(args.to_owned()),

        "new" => Command::New,
        "variant" => Command::Variant(required_text(args)?),
        "quit" => Command::Quit,
        "random" => Command::Random,
        "force" => Command::Force,
        "go" => Command::Go,
        "playother" => Command::PlayOther,
        "white" => Command::White,
        "black" => Command::Black,

        "level" => Command::TimeControl(clocks::level(args)?),
        "st" => Command::TimeControl(clocks::per_move(args)?),
        "sd" => Command::DepthLimit(clocks::depth(args)?),
        // GNU Chess 4 read the number from the next line. XBoard still sends it this way to engines that reject `sd`.
        // Gaur accepts `sd`, so the word alone has no effect.
        "depth" if args.is_empty() => Command::Nothing,
        "depth" => Command::DepthLimit(clocks::depth(args)?),
        "nps" => Command::NodeRate(whole(args, numbers::unsigned)?),
        "time" => Command::EngineClock(clocks::clock(args)?),
        "otim" => Command::OpponentClock(clocks::clock(args)?),

        "?" => Command::MoveNow,
        "ping" => Command::Ping(information::ping(args)?),
        "draw" => Command::Draw,
        "result" => Command::GameResult(information::game_result(args)),

        "setboard" => Command::SetBoard(required_text(args)?),
        "edit" => Command::Edit,
        "undo" => Command::Undo,
        "remove" => Command::Remove,
        "usermove" => Command::UserMove(required_text(args)?),

        "hint" => Command::Hint,
        "bk" => Command::Book,
        "hard" => Command::Hard,
        "easy" => Command::Easy,
        "post" => Command::Post,
        "nopost" => Command::NoPost,

        "analyze" => Command::Analyze,
        "exit" => Command::Exit,
        "." => Command::Status,
        "exclude" => Command::Exclude(moves::root_moves(args)?),
        "include" => Command::Include(moves::root_moves(args)?),
        "setscore" => information::set_score(args)?,

        "name" => Command::OpponentName(args.to_owned()),
        "rating" => information::ratings(args),
        "ics" => Command::Ics(information::host(args)),
        "computer" => Command::Computer,

        "pause" => Command::Pause,
        "resume" => Command::Resume,
        "memory" => Command::Memory(whole(args, numbers::unsigned)?),
        "cores" => Command::Cores(whole(args, numbers::unsigned)?),
        "egtpath" => options::tablebase_path(args)?,
        "option" => options::option(args)?,

        "partner" | "ptell" | "holding" => Command::Bughouse,
        "lift" => Command::Lift(moves::square(args)?),
        "put" => Command::Put(moves::square(args)?),
        "hover" => Command::Hover(moves::square(args)?),

        // ChessBase sends these to every xboard engine.
        "fritz" | "reset" | "ponder" => Command::Nothing,

        "help" => Command::Help,
        "d" | "show" => Command::Show,

        word if args.is_empty() && moves::is_bare_move(word) => Command::BareMove(word.to_owned()),
        _ => return Err(ParseError::UnknownCommand),
    })
}

#[cfg(test)]
mod tests;
