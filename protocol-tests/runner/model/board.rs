//! The game, followed by a chess library that is independent of the engine: positions, repetitions, results.

use std::rc::Rc;

use shakmaty::fen::Fen;
use shakmaty::san::{San, SanPlus};
use shakmaty::uci::UciMove;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{
    Bitboard, CastlingMode, Chess, Color, EnPassantMode, File, Move, Position, PositionError, Rank,
    Role, Setup,
};

use super::lenient_fen::{lenient, with_plain_castling};

/// A position of the game with the path to it.
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

/// The game up to the current position.
#[derive(Clone, Debug)]
pub struct Board {
    /// `None` after an impossible position was set up.
    now: Option<Rc<Node>>,
    /// Pieces on the board when the position is impossible.
    impossible: Setup,
    /// Node before `white` or `black` changed the side to move.
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

/// Returns `true` if both games have the same positions from the first to the last.
fn same_game(a: &Rc<Node>, b: &Rc<Node>) -> bool {
    let (mut a, mut b) = (a, b);
    while !Rc::ptr_eq(a, b) {
        if a.key != b.key || a.length != b.length {
            return false;
        }
        match (&a.before, &b.before) {
            (Some(before_a), Some(before_b)) => (a, b) = (before_a, before_b),
            // The key does not include the half-move clock.
            (None, None) => return a.position.halfmoves() == b.position.halfmoves(),
            _ => return false,
        }
    }
    true
}

/// Possible result of setting up a position.
pub struct SetUp {
    /// The game after the set-up.
    pub board: Board,
    /// Set if the position was refused.
    pub refused: bool,
}

/// Interpretation of a text as a move.
pub enum MoveReading {
    /// Certainly this move.
    Clear(Move),
    /// Certainly no legal move.
    None,
    /// No legal move, or one of these.
    Ambiguous(Vec<Move>),
}

/// Result on the board: the code at the start of a result line, and a word that the line must contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub code: &'static str,
    /// Word that the comment must contain.
    pub word: &'static str,
}

impl Board {
    /// Returns the game at the start position.
    pub fn start(castling: CastlingMode) -> Board {
        Board {
            now: Some(Node::new(Chess::default(), None)),
            impossible: Setup::empty(),
            before_turn_change: None,
            castling,
        }
    }

    /// Returns the castling mode, the only difference between the variants.
    pub fn castling(&self) -> CastlingMode {
        self.castling
    }

    /// Returns the current position; `None` if it is impossible.
    pub fn position(&self) -> Option<&Chess> {
        self.now.as_ref().map(|node| &node.position)
    }

    /// Returns the side to move.
    pub fn turn(&self) -> Option<Color> {
        self.position().map(Position::turn)
    }

    /// Returns the number of half-moves since the start or the last set-up.
    pub fn length(&self) -> usize {
        self.now.as_ref().map_or(0, |node| node.length)
    }

    /// Returns all legal moves.
    pub fn legal_moves(&self) -> Vec<Move> {
        self.position()
            .map_or_else(Vec::new, |position| position.legal_moves().to_vec())
    }

    /// Returns a move in coordinates.
    pub fn coordinates(&self, mv: Move) -> String {
        mv.to_uci(self.castling).to_string()
    }

    /// Returns a move in SAN.
    pub fn san(&self, mv: Move) -> String {
        self.position().map_or_else(String::new, |position| {
            SanPlus::from_move(position.clone(), mv).to_string()
        })
    }

    /// Returns the possible results of setting up a FEN. There are several if the FEN can be read in different ways.
    pub fn set(&self, text: &str) -> Vec<SetUp> {
        let fields: Vec<&str> = text.split_whitespace().collect();
        let is_number = |field: &&str| field.bytes().all(|byte| byte.is_ascii_digit());
        // The library also reads other variants' promoted pieces and pieces in hand (in brackets, or after an eighth
        // `/`), and fields parted by `_`.
        let plain = !text.contains(['~', '[', '_']) && text.matches('/').count() == 7;
        let whole = plain && fields.len() == 6 && fields[4..].iter().all(is_number);
        match Fen::from_ascii(text.trim().as_bytes()) {
            Ok(fen) if whole => self.set_up(fen.into_setup()),
            // An engine may accept or refuse an incomplete or malformed FEN.
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

    /// Returns the possible results of setting up a position.
    pub fn set_up(&self, setup: Setup) -> Vec<SetUp> {
        let is_crowded = |color| setup.board.by_color(color).count() > MAX_PIECES;
        if Color::ALL.into_iter().any(is_crowded) {
            return vec![self.refuse(setup)];
        }
        let is_clean = setup
            .clone()
            .position::<Chess>(self.castling)
            .or_else(PositionError::ignore_too_much_material)
            .is_ok();
        let Some(first) = self.set_up_leniently(setup.clone()) else {
            return vec![self.refuse(setup)];
        };
        let mut answers = vec![first];
        if !is_clean {
            // An engine may drop impossible castling rights, drop all rights of that side, or refuse the position.
            let mut possible = setup.clone();
            possible.castling_rights &= castling_rights(&setup, self.castling);
            answers.extend(self.set_up_leniently(possible));
            answers.push(self.refuse(Setup::empty()));
        }
        answers
    }

    fn set_up_leniently(&self, setup: Setup) -> Option<SetUp> {
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

    /// Returns the pieces on the board, for `edit`.
    pub fn setup(&self) -> Setup {
        self.position().map_or_else(
            || self.impossible.clone(),
            |position| position.to_setup(EnPassantMode::Legal),
        )
    }

    /// Sets the side to move (`white`, `black`).
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

    /// Takes back `count` half-moves. Returns `false` if there are fewer.
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

    /// Returns the game without the `count` half-moves before the last one, or `None` if the last is illegal without
    /// them.
    pub fn with_moves_before_last_removed(&self, count: usize) -> Option<Board> {
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

    /// Returns all results that end the game here; a mate excludes all others.
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

    /// Returns the legal move that a text of the engine names.
    pub fn engine_move(&self, text: &str) -> Option<Move> {
        read_engine_move(self.position()?, self.castling, text)
    }

    /// Returns `true` if a text from the host is certainly a legal move.
    pub fn is_clear(&self, text: &str) -> bool {
        matches!(self.read(text), MoveReading::Clear(_))
    }

    /// Interprets a text from the host as a move.
    pub fn read(&self, text: &str) -> MoveReading {
        let Some(position) = self.position() else {
            return MoveReading::None;
        };
        let text = text.trim();
        let legal = position.legal_moves();
        let bare = text.strip_suffix(['+', '#']).unwrap_or(text);
        let is_meant = |mv: &Move| mv.to_uci(self.castling).to_string() == text;
        if let Some(mv) = legal.iter().find(|mv| is_meant(mv)) {
            return MoveReading::Clear(*mv);
        }
        let san = bare.parse::<San>().ok();
        if let Some(mv) = san.and_then(|san| san.to_move(position).ok())
            && San::from_move(position, mv).to_string() == bare
        {
            return MoveReading::Clear(mv);
        }
        let plain: String = text
            .chars()
            .filter(|c| c.is_ascii_alphanumeric() && *c != 'x')
            .collect();
        if let Some(mv) = legal.iter().find(|mv| self.coordinates(**mv) == plain) {
            return MoveReading::Ambiguous(vec![*mv]);
        }
        let castles = |mv: &Move| matches!(mv, Move::Castle { .. });
        let folded = text.to_ascii_lowercase();
        let castling_letters = ['o', '0', 'a', 'c', 'g', 'h'];
        let is_like = |mv: &Move| {
            (!is_coordinates(text) && folded.contains(&mv.to().to_string()))
                || (castles(mv) && folded.contains(castling_letters))
                || (mv.is_promotion() && folded.contains(&mv.to().to_string()))
        };
        let like: Vec<Move> = legal.iter().copied().filter(is_like).collect();
        if like.is_empty() {
            MoveReading::None
        } else {
            MoveReading::Ambiguous(like)
        }
    }
}

/// Returns the rooks with which castling would be possible if no piece had moved.
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

/// Maximum number of pieces of one side.
const MAX_PIECES: usize = 16;

/// Returns `true` for text such as `e2e4`. An engine may accept a promotion without its piece.
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

fn occurrences(node: &Rc<Node>) -> usize {
    let mut count = 0;
    let mut at = Some(node);
    while let Some(one) = at {
        count += usize::from(one.key == node.key);
        at = one.before.as_ref();
    }
    count
}

/// Returns the legal move that a text of the engine names: coordinates, castling as a king's move by two squares, or
/// `O-O` in Fischer Random.
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
