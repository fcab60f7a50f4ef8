//! Directives (`@ ...`): output of the simulated search, and conditions on the orders that it has received.

/// Content of a line that begins with `@ `.
#[derive(Clone, Debug, PartialEq)]
pub enum Directive {
    /// `best MOVE [ponder MOVE] [score N] [time CS] [nodes N]` or `best none`: the running search ends.
    Best(Best),
    /// `late best ...`: the previous search ends once more.
    LateBest(Best),
    /// `info depth D score N nodes N time CS pv ...`: thinking output.
    Info(Info),
    /// `late info ...`: thinking output of the previous search.
    LateInfo(Info),
    /// `status TIME NODES DEPTH LEFT TOTAL [MOVE]`: the answer to `.`.
    Status(Status),
    /// `hold`: settings are applied only at `configured`.
    Hold,
    /// `configured`: the oldest held settings are applied.
    Configured,
    /// `expect ...`
    Expect(Expectation),
}

/// End of a search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Best {
    /// Best move; `None` if there is none.
    pub best: Option<String>,
    /// Ponder move.
    pub ponder: Option<String>,
    /// For the side to move.
    pub score: Value,
    /// Duration of the search in centiseconds.
    pub time: u64,
    /// Nodes of the search.
    pub nodes: u64,
}

/// Score as written in scripts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// `score 35`
    Centipawns(i32),
    /// `score mate 3`, `score mate -2`: in moves; negative if the side to move is mated.
    Mate(i32),
}

impl Default for Value {
    fn default() -> Value {
        Value::Centipawns(0)
    }
}

/// Thinking output.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Info {
    /// Nominal depth.
    pub depth: i32,
    /// Deepest ply.
    pub selective_depth: u32,
    /// For the side to move at the root.
    pub score: Value,
    /// Bound of the score: `-1` upper, `0` exact, `1` lower.
    pub bound: i32,
    /// Time in centiseconds.
    pub time: u64,
    /// Nodes.
    pub nodes: u64,
    /// Rank among several lines, 0 for the best.
    pub rank: usize,
    /// Moves.
    pub pv: Vec<String>,
}

/// Numbers of a `stat01` line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Status {
    /// Centiseconds, nodes, depth, moves left, moves in all.
    pub numbers: [u64; 5],
    /// The move being searched.
    pub current: Option<String>,
}

/// Condition on the running search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Expectation {
    /// Purpose of the search.
    pub task: Task,
    /// The search began after the last condition.
    pub fresh: bool,
    /// The search is the same as at the last condition.
    pub same: bool,
    /// The search began as a ponder search.
    pub hit: bool,
    /// The search was ordered to move now.
    pub moves_now: bool,
    /// The search is paused.
    pub paused: bool,
    /// Depth limit; `Some(None)`: unlimited.
    pub depth: Option<Option<i32>>,
    /// `Some(None)`: unlimited.
    pub nodes: Option<Option<u64>>,
    /// Playing strength; `Some(None)`: full strength.
    pub elo: Option<Option<u32>>,
    /// Set if there is a time limit, or none (`Some(false)`).
    pub timed: Option<bool>,
    /// Set if CPU time counts, or wall time (`Some(false)`).
    pub processor_time: Option<bool>,
    /// Milliseconds.
    pub soft_at_most: Option<u64>,
    /// Milliseconds.
    pub soft_at_least: Option<u64>,
    /// Milliseconds.
    pub hard_at_most: Option<u64>,
    /// Milliseconds.
    pub hard_at_least: Option<u64>,
    /// Exact set of excluded root moves.
    pub excluded: Option<Vec<String>>,
    /// First fields of the FEN of the position.
    pub fen: Option<String>,
}

/// Purpose of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Task {
    /// No search is running.
    #[default]
    Idle,
    /// Search for a move.
    Thinking,
    /// Search on the opponent's time.
    Pondering,
    /// Analysis.
    Analysing,
}

impl Directive {
    /// Parses the text after `@ `.
    pub fn parse(text: &str) -> Result<Directive, String> {
        let mut words = Words::new(text);
        match words.next()? {
            "best" => Ok(Directive::Best(Best::parse(words)?)),
            "info" => Ok(Directive::Info(Info::parse(words)?)),
            "late" => match words.next()? {
                "best" => Ok(Directive::LateBest(Best::parse(words)?)),
                "info" => Ok(Directive::LateInfo(Info::parse(words)?)),
                other => Err(format!("late `{other}`")),
            },
            "status" => Ok(Directive::Status(Status::parse(words)?)),
            "hold" => Ok(Directive::Hold),
            "configured" => Ok(Directive::Configured),
            "expect" => Ok(Directive::Expect(Expectation::parse(words)?)),
            other => Err(format!("the simulated search does not support `{other}`")),
        }
    }
}

struct Words<'a>(std::str::SplitWhitespace<'a>);

impl<'a> Words<'a> {
    fn new(text: &'a str) -> Words<'a> {
        Words(text.split_whitespace())
    }

    fn next(&mut self) -> Result<&'a str, String> {
        self.0.next().ok_or_else(|| "a word is missing".to_string())
    }

    fn number<T: std::str::FromStr>(&mut self) -> Result<T, String> {
        let word = self.next()?;
        word.parse().map_err(|_| format!("`{word}` is no number"))
    }

    fn score(&mut self) -> Result<Value, String> {
        let mut ahead = self.0.clone();
        if ahead.next() == Some("mate") {
            self.0 = ahead;
            return Ok(Value::Mate(self.number()?));
        }
        Ok(Value::Centipawns(self.number()?))
    }

    fn rest(&mut self) -> Vec<String> {
        self.0.by_ref().map(str::to_string).collect()
    }
}

impl Best {
    fn parse(mut words: Words) -> Result<Best, String> {
        let mut best = Best {
            best: Some(words.next()?.to_string()).filter(|word| word != "none"),
            ..Best::default()
        };
        while let Some(word) = words.0.next() {
            match word {
                "ponder" => best.ponder = Some(words.next()?.to_string()),
                "score" => best.score = words.score()?,
                "time" => best.time = words.number()?,
                "nodes" => best.nodes = words.number()?,
                other => return Err(format!("best ... `{other}`")),
            }
        }
        Ok(best)
    }
}

impl Info {
    fn parse(mut words: Words) -> Result<Info, String> {
        let mut info = Info {
            depth: 1,
            ..Info::default()
        };
        while let Some(word) = words.0.next() {
            match word {
                "depth" => info.depth = words.number()?,
                "seldepth" => info.selective_depth = words.number()?,
                "score" => info.score = words.score()?,
                "time" => info.time = words.number()?,
                "nodes" => info.nodes = words.number()?,
                "rank" => info.rank = words.number()?,
                "lower" => info.bound = 1,
                "upper" => info.bound = -1,
                "pv" => info.pv = words.rest(),
                other => return Err(format!("info ... `{other}`")),
            }
        }
        Ok(info)
    }
}

impl Status {
    fn parse(mut words: Words) -> Result<Status, String> {
        let mut status = Status::default();
        for number in &mut status.numbers {
            *number = words.number()?;
        }
        status.current = words.0.next().map(str::to_string);
        Ok(status)
    }
}

impl Expectation {
    fn parse(mut words: Words) -> Result<Expectation, String> {
        let mut expectation = Expectation {
            task: match words.next()? {
                "idle" => Task::Idle,
                "thinking" => Task::Thinking,
                "pondering" => Task::Pondering,
                "analysing" => Task::Analysing,
                other => return Err(format!("expect `{other}`")),
            },
            ..Expectation::default()
        };
        while let Some(word) = words.0.next() {
            match word {
                "fresh" => expectation.fresh = true,
                "same" => expectation.same = true,
                "hit" => expectation.hit = true,
                "move-now" => expectation.moves_now = true,
                "paused" => expectation.paused = true,
                "untimed" => expectation.timed = Some(false),
                "timed" => expectation.timed = Some(true),
                "processor" => expectation.processor_time = Some(true),
                "wall" => expectation.processor_time = Some(false),
                "depth" => {
                    let word = words.next()?;
                    expectation.depth = Some(match word {
                        "any" => None,
                        _ => Some(word.parse().map_err(|_| "depth N or depth any")?),
                    });
                }
                "nodes" => {
                    let word = words.next()?;
                    expectation.nodes = Some(match word {
                        "any" => None,
                        _ => Some(word.parse().map_err(|_| "nodes N or nodes any")?),
                    });
                }
                "elo" => {
                    let word = words.next()?;
                    expectation.elo = Some(match word {
                        "full" => None,
                        _ => Some(word.parse().map_err(|_| "elo N or elo full")?),
                    });
                }
                "soft" | "hard" => {
                    let comparison = words.next()?;
                    let limit = words.number()?;
                    if words.next()? != "ms" {
                        return Err("soft <= N ms".to_string());
                    }
                    *match (word, comparison) {
                        ("soft", "<=") => &mut expectation.soft_at_most,
                        ("soft", ">=") => &mut expectation.soft_at_least,
                        ("hard", "<=") => &mut expectation.hard_at_most,
                        ("hard", ">=") => &mut expectation.hard_at_least,
                        _ => return Err(format!("{word} <= N ms or {word} >= N ms")),
                    } = Some(limit);
                }
                "excluded" => {
                    expectation.excluded =
                        Some(words.rest().into_iter().filter(|w| w != "none").collect());
                }
                "fen" => expectation.fen = Some(words.rest().join(" ")),
                other => return Err(format!("expect ... `{other}`")),
            }
        }
        Ok(expectation)
    }
}
