//! Generator of random conversations: lines of real hosts, in an order that no host uses.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::model::Board;

/// Step of a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Send this line.
    Send(String),
    /// Directive for the simulated search; without effect on a program.
    Pretend(String),
    /// Read lines for this number of milliseconds.
    Wait(u64),
    /// Wait until no answer is pending.
    CatchUp,
}

/// Generator with a seed.
pub struct Author {
    random: ChaCha8Rng,
    /// Number of the last ping; increases, so that each pong is unique.
    pings: u32,
    /// Additional lines.
    extra: &'static [&'static str],
}

/// Legal positions: ordinary ones, some near the end of the game, and finished games.
const GOOD_POSITIONS: [&str; 12] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/8/8/8/8/4k3/4p3/4K3 b - - 0 1",
    "7k/5Q2/8/6K1/8/8/8/8 b - - 0 1",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",
    "8/8/4k3/8/8/3BK3/8/8 w - - 0 1",
    "8/8/4k3/8/3p4/3RK3/8/8 w - - 98 120",
    "8/8/4k3/8/8/3RK3/8/8 w - - 100 120",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "r1bqk2r/pppp1Qpp/2n2n2/2b1p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4",
];

/// Positions that cannot be set up.
const BAD_POSITIONS: [&str; 8] = [
    "8/8/8/8/8/8/8/8 w - - 0 1",
    "k7/8/8/8/8/8/8/8 w - - 0 1",
    "kk6/8/8/8/8/8/8/K7 w - - 0 1",
    "4k3/4R3/4K3/8/8/8/8/8 w - - 0 1",
    "P3k3/8/8/8/8/8/8/4K3 w - - 0 1",
    "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "hello",
    "rnbqkbnr/pppppppp w",
];

/// Lines that change only settings, or nothing.
const SETTINGS: [&str; 64] = [
    "xboard",
    "protover 2",
    "accepted ping",
    "accepted",
    "accepted debug",
    "rejected setboard",
    "rejected",
    "random",
    "computer",
    "name Rabbit (1800) [x]",
    "name",
    "rating 1800 0",
    "rating ---- 1500P",
    "ics -",
    "partner",
    "ptell hello",
    "holding [PP] [q]",
    "hint",
    "hint",
    "bk",
    "hard",
    "hard",
    "easy",
    "easy",
    "post",
    "post",
    "post",
    "nopost",
    "draw",
    "draw",
    ".",
    ".",
    "?",
    "?",
    "?",
    "lift e2",
    "lift g8",
    "lift",
    "put e4",
    "put f6",
    "hover d6",
    "setscore 30 4",
    "setscore -300 1",
    "egtpath syzygy /no/such/place",
    "option MultiPV=2",
    "option MultiPV=3",
    "option MultiPV=1",
    "option SettingsFile=no/such/folder/settings",
    "option SettingsFile=Cargo.toml",
    "option SettingsFile=",
    "option SaveSettings",
    "option ResetSettings",
    "option OwnBook=1",
    "option OwnBook=0",
    "option BookFile=no/such/book",
    "option LogNote=the clock jumped",
    "option LogNote=",
    "option EvalFile=no/such/network",
    "option ClearHash",
    "option NoSuchThing=1",
    "option MoveOverhead=20",
    "memory 32",
    "memory 17",
    "cores 2",
];

/// Lines that change the mode or the game.
const CONTROL: [&str; 26] = [
    "new",
    "new",
    "force",
    "force",
    "force",
    "go",
    "go",
    "go",
    "go",
    "playother",
    "white",
    "black",
    "undo",
    "undo",
    "remove",
    "remove",
    "analyze",
    "analyze",
    "exit",
    "exit",
    "pause",
    "resume",
    "resume",
    "result 1-0 {White mates}",
    "result * {xboard exit}",
    "result",
];

/// Limits of time, depth and nodes.
const LIMITS: [&str; 26] = [
    "st 0.05",
    "st 0.02",
    "st 1",
    "st 0",
    "st x",
    "level 40 5 0",
    "level 0 0:01 0.05",
    "level 0 1:5 2",
    "level 0 0 0",
    "level 1 0:01 0",
    "level x",
    "sd 1",
    "sd 3",
    "sd 30",
    "sd 0",
    "sd -1",
    "nps 0",
    "nps 100000",
    "time 100",
    "time -300",
    "time 6000",
    "time x",
    "otim 100",
    "otim 99999999999",
    "depth",
    "depth 4",
];

/// Unknown and malformed commands.
const MALFORMED: [&str; 22] = [
    "",
    "   ",
    "frobnicate 3",
    "uci",
    "isready",
    "d",
    "help",
    "ping",
    "protover",
    "variant xiangqi",
    "variant",
    "usermove",
    "setboard",
    "exclude",
    "memory",
    "cores x",
    "option",
    "setscore 10 5",
    "\u{1}\u{7f}\u{fffd}",
    "go go go",
    "1. e4 e5 2. Nf3 {comment} Nc6 $1 1/2-1/2",
    "move e2e4",
];

/// Lines for edit mode, well-formed and malformed.
const EDIT: [&str; 16] = [
    "#",
    "c",
    "Ke1",
    "Ke8",
    "Kd4",
    "Pa4",
    "Ph7",
    "Pa1",
    "Qd5",
    "Ra1",
    "Rh8",
    "Nb1",
    "xa4",
    "xe1",
    "Pz9",
    "frobnicate",
];

/// Mean number of steps from one additional line to the next.
const EXTRA_INTERVAL: usize = 15;

impl Author {
    /// Creates a generator that also uses these additional lines. The same seed, lines and positions give the same
    /// conversation.
    pub fn new(seed: u64, extra: &'static [&'static str]) -> Author {
        Author {
            random: ChaCha8Rng::seed_from_u64(seed),
            pings: 0,
            extra,
        }
    }

    fn below(&mut self, bound: usize) -> usize {
        let bound = bound.max(1) as u64;
        (self.random.next_u64() % bound) as usize
    }

    fn pick(&mut self, from: &[&str]) -> Step {
        let index = self.below(from.len());
        Step::Send(from[index].to_string())
    }

    fn ping(&mut self) -> Step {
        self.pings += 1;
        Step::Send(format!("ping {}", self.pings))
    }

    /// Returns the first steps, as hosts begin or shortened.
    pub fn opening(&mut self) -> Vec<Step> {
        let block: &[&str] = match self.below(5) {
            0 => &[
                "xboard",
                "protover 2",
                "new",
                "random",
                "level 40 5 0",
                "post",
                "hard",
                "easy",
            ],
            1 => &[
                "xboard",
                "protover 2",
                "post",
                "easy",
                "force",
                "ics freechess.org",
                "new",
            ],
            2 => &[
                "xboard",
                "protover 2",
                "memory 20",
                "cores 1",
                "new",
                "random",
                "ics 127.0.0.1",
                "post",
                "hard",
            ],
            3 => &[
                "xboard",
                "protover 2",
                "new",
                "force",
                "st 0.05",
                "post",
                "hard",
                "computer",
            ],
            _ => &["xboard", "new", "post"],
        };
        let mut steps: Vec<Step> = block
            .iter()
            .map(|line| Step::Send(line.to_string()))
            .collect();
        steps.push(self.ping());
        if self.below(2) == 0 {
            steps.push(Step::Send("st 0.03".to_string()));
        }
        steps
    }

    /// Returns the next steps for a board.
    pub fn next(&mut self, board: &Board) -> Vec<Step> {
        if !self.extra.is_empty() && self.below(EXTRA_INTERVAL) == 0 {
            return vec![self.pick(self.extra)];
        }
        match self.below(100) {
            0..30 => self.host_move(board),
            30..34 => vec![self.bad_move(board)],
            34..50 => vec![self.pick(&CONTROL)],
            50..62 => vec![self.pick(&SETTINGS)],
            62..68 => vec![self.pick(&LIMITS)],
            68..72 => vec![self.pick(&MALFORMED)],
            72..80 => vec![self.ping()],
            80..83 => vec![self.root_move(board)],
            83..86 => vec![self.position()],
            86..88 => self.edit(),
            88 => vec![self.variant()],
            89..92 => vec![Step::Wait(self.below(40) as u64)],
            92..96 => vec![self.search_event()],
            _ => vec![Step::CatchUp],
        }
    }

    fn legal(&mut self, board: &Board) -> Option<String> {
        let legal = board.legal_moves();
        let mv = *legal.get(self.below(legal.len()))?;
        Some(match self.below(8) {
            0 => board.san(mv),
            _ => board.coordinates(mv),
        })
    }

    /// Returns a move as hosts send it, possibly with clocks before it.
    fn host_move(&mut self, board: &Board) -> Vec<Step> {
        let Some(mv) = self.legal(board) else {
            return vec![self.pick(&CONTROL)];
        };
        let mut steps = Vec::new();
        if self.below(4) == 0 {
            steps.push(Step::Send(format!("time {}", self.below(400))));
            steps.push(Step::Send(format!("otim {}", self.below(4000))));
        }
        let verb = if self.below(6) == 0 { "" } else { "usermove " };
        steps.push(Step::Send(format!("{verb}{mv}")));
        match self.below(4) {
            0 => steps.push(self.ping()),
            1 => steps.push(Step::CatchUp),
            2 => steps.push(self.search_event()),
            _ => {}
        }
        steps
    }

    /// Returns a move that is almost never legal.
    fn bad_move(&mut self, board: &Board) -> Step {
        const WRONG: [&str; 7] = ["e2e5", "e9e9", "@@@@", "Nd9", "Kxh8", "e1e1", "0000"];
        let square = |number: usize| {
            let file = char::from(b'a' + (number % 8) as u8);
            format!("{file}{}", number / 8 + 1)
        };
        let text = match self.below(3) {
            0 => WRONG[self.below(WRONG.len())].to_string(),
            1 => format!("{}{}", square(self.below(64)), square(self.below(64))),
            // Legal here, but possibly not when the engine reads it.
            _ => self.legal(board).unwrap_or_default(),
        };
        Step::Send(format!("usermove {text}"))
    }

    fn root_move(&mut self, board: &Board) -> Step {
        let verb = ["exclude", "exclude", "include"][self.below(3)];
        let what = match self.below(6) {
            0 => "all".to_string(),
            1 => "e2e5".to_string(),
            count => {
                // Up to three moves. If one is not a move, nothing changes.
                let mut moves: Vec<String> = (2..count).filter_map(|_| self.legal(board)).collect();
                if moves.is_empty() || self.below(8) == 0 {
                    moves.push("all".to_string());
                }
                moves.join(" ")
            }
        };
        Step::Send(format!("{verb} {what}"))
    }

    fn position(&mut self) -> Step {
        let positions: &[&str] = match self.below(4) {
            0 => &BAD_POSITIONS,
            _ => &GOOD_POSITIONS,
        };
        Step::Send(format!(
            "setboard {}",
            positions[self.below(positions.len())]
        ))
    }

    fn edit(&mut self) -> Vec<Step> {
        let mut steps = vec![Step::Send("edit".to_string())];
        for _ in 0..self.below(8) {
            steps.push(match self.below(6) {
                0 => self.ping(),
                _ => self.pick(&EDIT),
            });
        }
        steps.push(Step::Send(".".to_string()));
        steps
    }

    fn variant(&mut self) -> Step {
        self.pick(&["variant normal", "variant fischerandom", "variant normal"])
    }

    /// Returns a directive for the simulated search.
    fn search_event(&mut self) -> Step {
        let number = self.below(40);
        Step::Pretend(match self.below(10) {
            0 | 1 => format!("late best <{number}>"),
            3 => format!("late info depth 2 pv <{number}>"),
            4 => format!("best <{number}> score -900"),
            _ => format!("best <{number}>"),
        })
    }
}
