//! What a script lets the pretended search say, and what it demands of the orders that the search was given.

/// A line that begins with `@ `.
#[derive(Clone, Debug, PartialEq)]
pub enum Directive {
    /// `best MOVE [ponder MOVE] [score N] [time CS] [nodes N]` or `best none`: the running search ends.
    Best(Best),
    /// `late best ...`: the search before the present one speaks once more.
    LateBest(Best),
    /// `info depth D score N nodes N time CS pv ...`: thinking output.
    Info(Info),
    /// `late info ...`: of the search before the present one.
    LateInfo(Info),
    /// `status TIME NODES DEPTH LEFT TOTAL [MOVE]`: the answer to `.`.
    Status(Status),
    /// `hold`: settings are taken over only when the script says so.
    Hold,
    /// `configured`: now they are.
    Configured,
    /// `expect ...`
    Expect(Expectation),
}

/// The search's last word.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Best {
    /// `None` when there is no move.
    pub best: Option<String>,
    /// The expected reply.
    pub ponder: Option<String>,
    /// For the side to move.
    pub score: Value,
    /// What the move has cost, in centiseconds.
    pub time: u64,
    /// Nodes searched for it.
    pub nodes: u64,
}

/// A score as scripts write it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// `score 35`
    Centipawns(i32),
    /// `score mate 3`, `score mate -2`: moves; negative: the side to move is mated.
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
    /// `-1` upper, `0` exact, `1` lower.
    pub bound: i32,
    /// Centiseconds.
    pub time: u64,
    /// Nodes.
    pub nodes: u64,
    /// Which of several variations, 0 the best.
    pub rank: usize,
    /// Moves.
    pub pv: Vec<String>,
}

/// The numbers of a `stat01` line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Status {
    /// Centiseconds, nodes, depth, moves left, moves in all.
    pub numbers: [u64; 5],
    /// The move being searched.
    pub current: Option<String>,
}

/// A demand on what the search is doing now.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Expectation {
    /// What it is doing.
    pub task: Task,
    /// It was begun since the last demand.
    pub fresh: bool,
    /// It is the same search as at the last demand.
    pub same: bool,
    /// It was a ponder search before.
    pub hit: bool,
    /// It was told to move now.
    pub hurried: bool,
    /// It is frozen.
    pub paused: bool,
    /// `Some(None)`: unlimited.
    pub depth: Option<Option<i32>>,
    /// `Some(None)`: unlimited.
    pub nodes: Option<Option<u64>>,
    /// `Some(false)`: no limit of time; `Some(true)`: one.
    pub timed: Option<bool>,
    /// Time is that of the processor, or that on the wall.
    pub processor_time: Option<bool>,
    /// Milliseconds.
    pub soft_at_most: Option<u64>,
    /// Milliseconds.
    pub soft_at_least: Option<u64>,
    /// Milliseconds.
    pub hard_at_most: Option<u64>,
    /// Milliseconds.
    pub hard_at_least: Option<u64>,
    /// Root moves that are excluded, and no others.
    pub excluded: Option<Vec<String>>,
    /// As many fields of a FEN as given.
    pub fen: Option<String>,
}

/// What a search can be doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Task {
    /// No search is wanted.
    #[default]
    Idle,
    /// A move is owed.
    Thinking,
    /// On the opponent's time.
    Pondering,
    /// Analysis.
    Analysing,
}

impl Directive {
    /// Reads what follows `@ `.
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
            other => Err(format!("the pretended search does not know `{other}`")),
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
                "hurried" => expectation.hurried = true,
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
