//! Forms of the lines that describe a search: thinking output and `stat01`.

use shakmaty::{CastlingMode, Chess, Position};

use super::board::read_engine_move;

/// Length at which xboard truncates thinking lines.
const MAX_LINE_LENGTH: usize = 500;

/// Content of a thinking line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thinking {
    /// Set for a move of the opening book.
    pub is_book: bool,
    /// Nominal depth.
    pub depth: i64,
    /// Centiseconds.
    pub time: u64,
    /// Nodes.
    pub nodes: u64,
    /// The number of columns before the moves, at least 4.
    pub columns: usize,
    /// Moves.
    pub line: Vec<String>,
}

/// Content of a `stat01` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    /// Centiseconds.
    pub time: u64,
    /// Nodes.
    pub nodes: u64,
    /// Root moves not searched yet.
    pub left: usize,
    /// Number of root moves.
    pub total: usize,
    /// Root move being searched.
    pub current: Option<String>,
}

/// Returns `true` if a line begins like a thinking line.
pub fn looks_like_thinking(line: &str) -> bool {
    let mut words = line.split_whitespace();
    (0..4).all(|_| words.next().is_some_and(|word| word.parse::<i64>().is_ok()))
}

/// Parses a thinking line; an error describes what is wrong with its form.
pub fn thinking(text: &str) -> Result<Thinking, String> {
    if text.len() >= MAX_LINE_LENGTH {
        return Err(format!("{} characters are too many", text.len()));
    }
    let (columns, line) = match text.split_once('\t') {
        Some((columns, line)) => (columns.split(' ').collect::<Vec<_>>(), line),
        None => {
            let words: Vec<&str> = text.splitn(5, ' ').collect();
            let line = words.get(4).copied().unwrap_or("");
            (words.into_iter().take(4).collect(), line)
        }
    };
    let number = |index: usize| -> Result<i64, String> {
        let word = columns.get(index).ok_or("a column is missing")?;
        word.parse()
            .map_err(|_| format!("`{word}` is not a number"))
    };
    for index in 4..columns.len() {
        if number(index)? < 0 {
            return Err("a negative column".to_string());
        }
    }
    let (depth, score) = (number(0)?, number(1)?);
    if depth < 1 {
        return Err("a depth below 1".to_string());
    }
    if score.abs() > 101_000 {
        return Err("a score beyond all mates".to_string());
    }
    let unsigned = |index| -> Result<u64, String> {
        u64::try_from(number(index)?).map_err(|_| "a negative column".to_string())
    };
    // A move of the opening book, which no search has found.
    let book = line.strip_prefix("(book ").and_then(|rest| {
        let (percent, moves) = rest.split_once(" %) ")?;
        let is_share = percent.parse().is_ok_and(|percent: u32| percent <= 100);
        (is_share && unsigned(2) == Ok(0) && unsigned(3) == Ok(0)).then_some(moves)
    });
    let (is_book, line) = (book.is_some(), book.unwrap_or(line));
    if line.contains('(') {
        return Err("a parenthesis in the line".to_string());
    }
    Ok(Thinking {
        depth,
        is_book,
        time: unsigned(2)?,
        nodes: unsigned(3)?,
        columns: columns.len(),
        line: moves_of(line),
    })
}

/// Returns the moves without a sign after them.
fn moves_of(line: &str) -> Vec<String> {
    let mut words: Vec<String> = line.split_whitespace().map(str::to_string).collect();
    if matches!(
        words.last().map(String::as_str),
        Some("!" | "?" | "++" | "--")
    ) {
        words.pop();
    }
    words
}

/// Returns `true` if these are consecutive legal moves.
pub fn is_legal_line(position: &Chess, castling: CastlingMode, line: &[String]) -> bool {
    let mut position = position.clone();
    line.iter().all(|word| {
        read_engine_move(&position, castling, word).is_some_and(|mv| {
            position.play_unchecked(mv);
            true
        })
    })
}

/// Parses the text after `stat01:`.
pub fn status(text: &str) -> Result<Status, String> {
    let mut words = text.split_whitespace();
    let mut number = || -> Result<u64, String> {
        let word = words.next().ok_or("a column is missing")?;
        word.parse()
            .map_err(|_| format!("`{word}` is not a number"))
    };
    let small = |number: u64| usize::try_from(number).map_err(|error| error.to_string());
    let (time, nodes, _depth) = (number()?, number()?, number()?);
    let (left, total) = (small(number()?)?, small(number()?)?);
    let current = words.next().map(str::to_string);
    if left > total {
        return Err("more moves left than there are".to_string());
    }
    if words.next().is_some() {
        return Err("too many columns".to_string());
    }
    Ok(Status {
        time,
        nodes,
        left,
        total,
        current,
    })
}
