//! Words in lines from the host that the engine must, may or must not accept.

use shakmaty::{Role, Square};

/// Maximum number of characters of a move.
const MAX_MOVE_LENGTH: usize = 20;

/// Returns `true` if a command ends a pause.
pub fn ends_pause(verb: &str, rest: &str) -> bool {
    match verb {
        "go" | "?" => true,
        "usermove" | "exclude" | "include" => !rest.is_empty(),
        "setscore" => is_score_and_depth(rest),
        _ => false,
    }
}

/// Returns `true` for the arguments of a well-formed `setscore`.
pub fn is_score_and_depth(rest: &str) -> bool {
    match rest.split_ascii_whitespace().collect::<Vec<&str>>()[..] {
        [score, depth] => {
            unsigned(score.strip_prefix('-').unwrap_or(score)).is_some()
                && unsigned(depth).is_some()
        }
        _ => false,
    }
}

/// Returns a number that consists of digits only. `parse` also accepts a sign, which an engine may accept or refuse.
pub fn unsigned(word: &str) -> Option<u64> {
    let is_bare = word.chars().all(|c| c.is_ascii_digit());
    is_bare.then(|| word.parse().ok())?
}

/// Returns `true` for centiseconds, which may be negative.
pub fn is_clear_clock(word: &str) -> bool {
    word.parse::<i32>().is_ok() && !word.starts_with('+')
}

/// Returns `true` for a positive number of seconds. `parse` also accepts `inf` and `1e3`, which an engine may accept or
/// refuse.
pub fn is_clear_time(word: &str) -> bool {
    let is_plain = word.chars().all(|c| c.is_ascii_digit() || c == '.');
    is_plain && word.len() < 10 && word.parse::<f32>().is_ok_and(|time| time > 0.0)
}

/// Command words. Any other single word may be a move.
const COMMANDS: &str = " quit ping protover accepted new variant setboard edit undo remove force go playother white \
    black usermove ? analyze exit pause resume result draw hint bk hard easy post nopost . exclude include memory \
    cores option egtpath ics time otim st sd xboard rejected random computer name rating partner ptell holding level \
    nps depth setscore lift put hover choice setup fritz reset ponder ";

/// Returns `true` if a line may be a move without `usermove`. Every move contains a digit or a hyphen.
pub fn is_bare(verb: &str, rest: &str) -> bool {
    let has_sign = verb.contains(|c: char| c.is_ascii_digit() || "-@".contains(c));
    let is_word = !verb.is_empty() && rest.is_empty() && has_sign && verb.len() <= MAX_MOVE_LENGTH;
    is_word && !COMMANDS.contains(&format!(" {verb} "))
}

/// Parses `Pa4`, or `xa4` for an empty square.
pub fn edit_square(word: &str) -> Option<(Option<Role>, Square)> {
    let mut letters = word.chars();
    let first = letters.next()?;
    let square = letters
        .as_str()
        .to_ascii_lowercase()
        .parse::<Square>()
        .ok()?;
    match first {
        'x' => Some((None, square)),
        'P' | 'N' | 'B' | 'R' | 'Q' | 'K' => Some((Role::from_char(first), square)),
        _ => None,
    }
}
