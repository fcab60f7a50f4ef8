//! The game as a chess library sees it: positions, repetitions, results. It knows nothing of the engine under test.

use std::rc::Rc;

use shakmaty::fen::Fen;
use shakmaty::san::{San, SanPlus};
use shakmaty::uci::UciMove;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{
    Bitboard, CastlingMode, Chess, Color, EnPassantMode, File, Move, Position, PositionError, Rank,
    Role, Setup,
};

/// A position of the game and how it was reached.
#[derive(Debug)]
struct Node {
    position: Chess,
    key: Zobrist64,
    before: Option<Rc<Node>>,
    length: usize,
}

impl Node {
    fn new(position: Chess, before: Option<Rc<Node>>) -> Rc<Node> {
        let length = before.as_ref().map_or(0, |node| node.length + 1);
        let key = position.zobrist_hash(EnPassantMode::Legal);
        Rc::new(Node {
            position,
            key,
            before,
            length,
        })
    }
}

/// The game so far.
#[derive(Clone, Debug)]
pub struct Board {
    /// `None` after an impossible position was set up.
    now: Option<Rc<Node>>,
    /// What stands on the board when nothing can be played.
    impossible: Setup,
    /// Before `white` or `black` gave the move away.
    before_turn_change: Option<Rc<Node>>,
    castling: CastlingMode,
}

impl PartialEq for Board {
    fn eq(&self, other: &Board) -> bool {
        let same = |a: &Option<Rc<Node>>, b: &Option<Rc<Node>>| match (a, b) {
            (Some(a), Some(b)) => same_game(a, b),
            (None, None) => true,
            _ => false,
        };
        same(&self.now, &other.now)
            && (self.now.is_some() || self.impossible == other.impossible)
            && same(&self.before_turn_change, &other.before_turn_change)
            && self.castling == other.castling
    }
}

/// The same positions from the first to this one.
fn same_game(a: &Rc<Node>, b: &Rc<Node>) -> bool {
    let (mut a, mut b) = (a, b);
    while !Rc::ptr_eq(a, b) {
        if a.key != b.key || a.length != b.length {
            return false;
        }
        match (&a.before, &b.before) {
            (Some(before_a), Some(before_b)) => (a, b) = (before_a, before_b),
            // The key knows nothing of the clock.
            (None, None) => return a.position.halfmoves() == b.position.halfmoves(),
            _ => return false,
        }
    }
    true
}

/// What may become of a position given from outside.
pub struct SetUp {
    /// The game after it.
    pub board: Board,
    /// Whether it was refused.
    pub refused: bool,
}

/// What a text means as a move.
pub enum Reading {
    /// This one, beyond doubt.
    Clear(Move),
    /// None, beyond doubt.
    None,
    /// None, or one of these.
    Doubtful(Vec<Move>),
}

/// The end of a game on the board, as the code at the start of a result line and a word that must be in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub code: &'static str,
    /// A word of the comment.
    pub word: &'static str,
}

impl Board {
    /// The start position.
    pub fn start(castling: CastlingMode) -> Board {
        Board {
            now: Some(Node::new(Chess::default(), None)),
            impossible: Setup::empty(),
            before_turn_change: None,
            castling,
        }
    }

    /// The kind of castling, which is all that variants differ in.
    pub fn castling(&self) -> CastlingMode {
        self.castling
    }

    /// The present position.
    pub fn position(&self) -> Option<&Chess> {
        self.now.as_ref().map(|node| &node.position)
    }

    /// Who is to move.
    pub fn turn(&self) -> Option<Color> {
        self.position().map(Position::turn)
    }

    /// Half-moves since the start or the last set-up.
    pub fn length(&self) -> usize {
        self.now.as_ref().map_or(0, |node| node.length)
    }

    /// All legal moves.
    pub fn legal_moves(&self) -> Vec<Move> {
        self.position()
            .map_or_else(Vec::new, |position| position.legal_moves().to_vec())
    }

    /// A move as it is sent.
    pub fn coordinates(&self, mv: Move) -> String {
        mv.to_uci(self.castling).to_string()
    }

    /// A move in SAN.
    pub fn san(&self, mv: Move) -> String {
        self.position().map_or_else(String::new, |position| {
            SanPlus::from_move(position.clone(), mv).to_string()
        })
    }

    /// A position from a FEN. Where opinions may differ there are several answers.
    pub fn set(&self, text: &str) -> Vec<SetUp> {
        let fields: Vec<&str> = text.split_whitespace().collect();
        let is_number = |field: &&str| field.bytes().all(|byte| byte.is_ascii_digit());
        // The library also reads other variants' promoted pieces and pieces in hand (in brackets, or after an eighth
        // `/`), and fields parted by `_`.
        let plain = !text.contains(['~', '[', '_']) && text.matches('/').count() == 7;
        let whole = plain && fields.len() == 6 && fields[4..].iter().all(is_number);
        match Fen::from_ascii(text.trim().as_bytes()) {
            Ok(fen) if whole => self.set_up(fen.into_setup()),
            // What is incomplete, or not a FEN at all, can be read kindly, or not be read.
            _ => {
                let mut answers = vec![self.refuse(Setup::empty())];
                for text in [text, &with_plain_castling(text)] {
                    answers.extend(
                        lenient(text)
                            .into_iter()
                            .flat_map(|setup| self.set_up(setup)),
                    );
                }
                answers
            }
        }
    }

    /// A position from its parts.
    pub fn set_up(&self, setup: Setup) -> Vec<SetUp> {
        let is_crowded = |color| setup.board.by_color(color).count() > MOST_PIECES;
        if Color::ALL.into_iter().any(is_crowded) {
            return vec![self.refuse(setup)];
        }
        let is_clean = setup
            .clone()
            .position::<Chess>(self.castling)
            .or_else(PositionError::ignore_too_much_material)
            .is_ok();
        let Some(first) = self.take_kindly(setup.clone()) else {
            return vec![self.refuse(setup)];
        };
        let mut answers = vec![first];
        if !is_clean {
            // Rights that cannot be may be dropped alone, or with all others of that side, or be an error.
            let mut possible = setup.clone();
            possible.castling_rights &= castling_rights(&setup, self.castling);
            answers.extend(self.take_kindly(possible));
            answers.push(self.refuse(Setup::empty()));
        }
        answers
    }

    fn take_kindly(&self, setup: Setup) -> Option<SetUp> {
        let position = setup
            .position::<Chess>(self.castling)
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_invalid_castling_rights)
            .or_else(PositionError::ignore_invalid_ep_square)
            .or_else(PositionError::ignore_impossible_check)
            .ok()?;
        Some(SetUp {
            board: Board {
                now: Some(Node::new(position, None)),
                impossible: Setup::empty(),
                before_turn_change: None,
                castling: self.castling,
            },
            refused: false,
        })
    }

    fn refuse(&self, setup: Setup) -> SetUp {
        SetUp {
            board: Board {
                now: None,
                impossible: setup,
                before_turn_change: None,
                castling: self.castling,
            },
            refused: true,
        }
    }

    /// What stands on the board, for `edit`.
    pub fn setup(&self) -> Setup {
        self.position().map_or_else(
            || self.impossible.clone(),
            |position| position.to_setup(EnPassantMode::Legal),
        )
    }

    /// Gives the move to this side (`white`, `black`).
    pub fn give_move_to(&mut self, color: Color) {
        let Some(node) = self.now.clone() else {
            return;
        };
        if node.position.turn() == color {
            return;
        }
        if let Some(before) = self.before_turn_change.take() {
            self.now = Some(before);
            return;
        }
        let mut setup = node.position.to_setup(EnPassantMode::Legal);
        setup.turn = color;
        setup.ep_square = None;
        if let Some(answer) = self
            .set_up(setup)
            .into_iter()
            .find(|answer| !answer.refused)
        {
            *self = answer.board;
            self.before_turn_change = Some(node);
        }
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: Move) {
        if let Some(node) = &self.now {
            let mut next = node.position.clone();
            next.play_unchecked(mv);
            self.now = Some(Node::new(next, Some(Rc::clone(node))));
            self.before_turn_change = None;
        }
    }

    /// Takes half-moves back, if there are so many.
    pub fn take_back(&mut self, count: usize) -> bool {
        if self.length() < count {
            return false;
        }
        for _ in 0..count {
            if let Some(node) = &self.now {
                self.now = node.before.clone();
            }
            self.before_turn_change = None;
        }
        true
    }

    /// The game as if the `count` half-moves before the last one had never been made; `None` if the last cannot be
    /// made without them.
    pub fn without_those_before_last(&self, count: usize) -> Option<Board> {
        let now = self.now.as_ref()?;
        let before = now.before.as_ref()?;
        let leads_here = |&mv: &Move| {
            let mut next = before.position.clone();
            next.play_unchecked(mv);
            next == now.position
        };
        let last = before.position.legal_moves().into_iter().find(leads_here)?;
        let mut earlier = self.clone();
        if !earlier.take_back(count + 1) || !earlier.legal_moves().contains(&last) {
            return None;
        }
        earlier.play(last);
        Some(earlier)
    }

    /// Every way in which the game is over here; a mate excludes all others.
    pub fn endings(&self) -> Vec<Ending> {
        let Some(node) = &self.now else {
            return Vec::new();
        };
        let draw = |word| Ending {
            code: "1/2-1/2",
            word,
        };
        let position = &node.position;
        if position.is_checkmate() {
            let code = match position.turn() {
                Color::White => "0-1",
                Color::Black => "1-0",
            };
            return vec![Ending {
                code,
                word: "mates",
            }];
        }
        let mut endings = Vec::new();
        if position.is_stalemate() {
            endings.push(draw("talemate"));
        }
        if position.is_insufficient_material() {
            endings.push(draw("nsufficient"));
        }
        if position.halfmoves() >= 100 {
            endings.push(draw("50"));
        }
        if occurrences(node) >= 3 {
            endings.push(draw("repetition"));
        }
        endings
    }

    /// The legal move that the engine names, in its own spelling.
    pub fn engine_move(&self, text: &str) -> Option<Move> {
        read_engine_move(self.position()?, self.castling, text)
    }

    /// Whether a text from the host is a legal move here, beyond doubt.
    pub fn is_clear(&self, text: &str) -> bool {
        matches!(self.read(text), Reading::Clear(_))
    }

    /// What a text from the host means here.
    pub fn read(&self, text: &str) -> Reading {
        let Some(position) = self.position() else {
            return Reading::None;
        };
        let text = text.trim();
        let legal = position.legal_moves();
        let bare = text.strip_suffix(['+', '#']).unwrap_or(text);
        let is_meant = |mv: &Move| mv.to_uci(self.castling).to_string() == text;
        if let Some(mv) = legal.iter().find(|mv| is_meant(mv)) {
            return Reading::Clear(*mv);
        }
        let san = bare.parse::<San>().ok();
        if let Some(mv) = san.and_then(|san| san.to_move(position).ok())
            && San::from_move(position, mv).to_string() == bare
        {
            return Reading::Clear(mv);
        }
        let plain: String = text
            .chars()
            .filter(|c| c.is_ascii_alphanumeric() && *c != 'x')
            .collect();
        if let Some(mv) = legal.iter().find(|mv| self.coordinates(**mv) == plain) {
            return Reading::Doubtful(vec![*mv]);
        }
        let castles = |mv: &Move| matches!(mv, Move::Castle { .. });
        let folded = text.to_ascii_lowercase();
        let speaks_of_castling = ['o', '0', 'a', 'c', 'g', 'h'];
        let is_like = |mv: &Move| {
            (!is_coordinates(text) && folded.contains(&mv.to().to_string()))
                || (castles(mv) && folded.contains(speaks_of_castling))
                || (mv.is_promotion() && folded.contains(&mv.to().to_string()))
        };
        let like: Vec<Move> = legal.iter().copied().filter(is_like).collect();
        if like.is_empty() {
            Reading::None
        } else {
            Reading::Doubtful(like)
        }
    }
}

/// The rooks that castling would be possible with, if nothing had moved.
pub fn castling_rights(setup: &Setup, castling: CastlingMode) -> Bitboard {
    let mut rights = Bitboard::EMPTY;
    for color in Color::ALL {
        let home = Bitboard::from(color.fold_wb(Rank::First, Rank::Eighth));
        let kings = setup.board.by_piece(Role::King.of(color)) & home;
        let rooks = setup.board.by_piece(Role::Rook.of(color)) & home;
        let Some(king) = kings.first() else {
            continue;
        };
        let (short, long) = match castling {
            CastlingMode::Standard if king.file() != File::E => (None, None),
            CastlingMode::Standard => (
                (rooks & Bitboard::from(File::H)).first(),
                (rooks & Bitboard::from(File::A)).first(),
            ),
            CastlingMode::Chess960 => (
                rooks.last().filter(|&rook| rook > king),
                rooks.first().filter(|&rook| rook < king),
            ),
        };
        rights.extend(short.into_iter().chain(long));
    }
    rights
}

/// Of one side.
const MOST_PIECES: usize = 16;

/// `e2e4` and nothing else; a promotion without its piece may be taken kindly.
fn is_coordinates(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() == 4
        && bytes.iter().enumerate().all(|(index, byte)| {
            if index % 2 == 0 {
                (b'a'..=b'h').contains(byte)
            } else {
                (b'1'..=b'8').contains(byte)
            }
        })
}

/// As many fields as can be understood, the usual values for the others. Who is on move may be said by a capital, and
/// numbers at the end, wherever they stand, may be counters or not.
fn lenient(text: &str) -> Vec<Setup> {
    const USUAL: [&str; 6] = ["", "w", "-", "-", "0", "1"];
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut fields: Vec<&str> = words.iter().copied().take(4).collect();
    if let Some(turn) = fields.get_mut(1) {
        *turn = match *turn {
            "W" => "w",
            "B" => "b",
            other => other,
        };
    }
    let read = |count: usize| {
        let mut all = fields[..count].to_vec();
        all.extend(&USUAL[count..]);
        Some(Fen::from_ascii(all.join(" ").as_bytes()).ok()?.into_setup())
    };
    let Some(usual) = (1..=fields.len()).rev().find_map(read) else {
        return Vec::new();
    };
    let is_number = |word: &&&str| word.bytes().all(|byte| byte.is_ascii_digit());
    let counters = words.iter().skip(1).rev().take_while(is_number).take(2);
    let with_clock = |counter: &&str| Setup {
        halfmoves: counter.parse().unwrap_or(u32::MAX),
        ..usual.clone()
    };
    let mut setups = vec![usual.clone()];
    setups.extend(counters.map(with_clock));
    setups
}

/// A FEN of whose castling field only the usual letters are left, each once.
fn with_plain_castling(text: &str) -> String {
    let mut fields: Vec<String> = text.split_whitespace().map(str::to_string).collect();
    if let Some(field) = fields.get_mut(2) {
        let kept: String = "KQkq".chars().filter(|&c| field.contains(c)).collect();
        *field = if kept.is_empty() {
            "-".to_string()
        } else {
            kept
        };
    }
    fields.join(" ")
}

fn occurrences(node: &Rc<Node>) -> usize {
    let mut count = 0;
    let mut at = Some(node);
    while let Some(one) = at {
        count += usize::from(one.key == node.key);
        at = one.before.as_ref();
    }
    count
}

/// A move as the engine spells it: coordinates, castling as the king's two-square move, or `O-O` in Fischer Random.
pub fn read_engine_move(position: &Chess, castling: CastlingMode, text: &str) -> Option<Move> {
    let mv = match (text, castling) {
        ("O-O" | "O-O-O", CastlingMode::Chess960) => text
            .parse::<shakmaty::san::San>()
            .ok()?
            .to_move(position)
            .ok()?,
        _ => {
            let mv = text.parse::<UciMove>().ok()?.to_move(position).ok()?;
            let castles = matches!(mv, Move::Castle { .. });
            if castles && castling == CastlingMode::Chess960 {
                return None;
            }
            if mv.to_uci(castling).to_string() != text {
                return None;
            }
            mv
        }
    };
    position.is_legal(mv).then_some(mv)
}
