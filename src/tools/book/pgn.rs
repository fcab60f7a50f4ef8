//! Games in PGN, read one after the other.
//!
//! [`GameTexts`] cuts a file into games, so that the memory is bounded and an error is found in its line. The crate
//! `pgn-reader` then reads the text of each game.

use std::io::{self, BufRead, Read};
use std::ops::ControlFlow;

use pgn_reader::{KnownOutcome, Outcome, RawTag, Reader, SanPlus, Visitor};

use crate::book::{encode_move, polyglot_key};
use crate::notation::{PgnResult, has_standard_castling, parse_fen, parse_move};
use crate::rules::{Position, Variant};
use crate::types::Color;

/// Largest size of a game in bytes. Games with a comment for each move are smaller.
const MAX_GAME_BYTES: usize = 1 << 20;

/// Beginning of a game after a game that has no end.
const FIRST_TAG: &[u8] = b"[Event ";

/// Problem of a game in which a comment is not closed.
const NO_END: &str = "a comment has no end";

/// Names of standard chess in the tag `Variant`, without capital letters.
const STANDARD_NAMES: [&str; 6] = ["", "?", "standard", "normal", "chess", "from position"];

/// The text of a game.
#[derive(Clone, Debug, Default)]
pub(super) struct GameText {
    /// Number of its first line in the file, from 1.
    pub line: u64,
    /// The lines.
    pub bytes: Vec<u8>,
    /// Set if the text is not that of a game, for this reason. Games after it can be read.
    pub problem: Option<&'static str>,
}

/// Iterator over the texts of the games of a file.
///
/// A game ends before a tag that follows moves, and with an empty line after a result. Empty lines within the moves are
/// left out: to `pgn-reader` they are the end of a game. After a comment without end, the next game begins with the
/// next line that begins with `[Event `.
pub(super) struct GameTexts<R> {
    reader: R,
    /// Number of lines read.
    lines: u64,
    /// Set if only the beginning of the last line has been read.
    is_in_line: bool,
    /// First line of the next game.
    pending: Vec<u8>,
}

/// State of the text of a game.
#[derive(Clone, Copy, Debug, Default)]
struct State {
    has_tags: bool,
    has_moves: bool,
    is_in_comment: bool,
    /// Set after an empty line that ends the tags.
    tags_are_over: bool,
    /// Set if the last line with moves ends with a result.
    has_result: bool,
}

impl<R: BufRead> GameTexts<R> {
    /// Starts at the beginning of a file.
    pub(super) fn new(reader: R) -> GameTexts<R> {
        GameTexts {
            reader,
            lines: 0,
            is_in_line: false,
            pending: Vec::new(),
        }
    }

    /// Returns the file.
    pub(super) fn reader(&self) -> &R {
        &self.reader
    }

    /// Reads the next game into `text`. Returns `false` at the end of the file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub(super) fn read(&mut self, text: &mut GameText) -> io::Result<bool> {
        text.bytes.clear();
        text.problem = None;
        let mut state = State::default();
        let mut line = std::mem::take(&mut self.pending);
        loop {
            if line.is_empty() && !self.read_line(&mut line)? {
                text.problem = state.is_in_comment.then_some(NO_END);
                return Ok(!text.bytes.is_empty());
            }
            if self.lines == 1 && line.starts_with(b"\xef\xbb\xbf") {
                line.drain(..3);
            }
            if state.ends_before(&line) {
                text.problem = state.is_in_comment.then_some(NO_END);
                self.pending = line;
                return Ok(true);
            }
            if state.keeps(&line) {
                if text.bytes.is_empty() {
                    text.line = self.lines;
                }
                text.bytes.extend_from_slice(&line);
                if line.last() != Some(&b'\n') {
                    text.bytes.push(b'\n');
                }
            }
            if text.bytes.len() > MAX_GAME_BYTES {
                text.problem = Some(match state.is_in_comment {
                    true => NO_END,
                    false => "it is longer than 1 MiB",
                });
                self.skip_game(line)?;
                return Ok(true);
            }
            line.clear();
        }
    }

    /// Skips the rest of a game, and keeps the first line of the next one.
    fn skip_game(&mut self, mut line: Vec<u8>) -> io::Result<()> {
        loop {
            line.clear();
            let is_rest = self.is_in_line;
            if !self.read_line(&mut line)? {
                return Ok(());
            }
            if !is_rest && line.starts_with(FIRST_TAG) {
                self.pending = line;
                return Ok(());
            }
        }
    }

    /// Reads a line with its end; a very long line only to the largest size of a game. Returns `false` at the end.
    fn read_line(&mut self, line: &mut Vec<u8>) -> io::Result<bool> {
        let mut limited = (&mut self.reader).take(MAX_GAME_BYTES as u64 + 1);
        let length = limited.read_until(b'\n', line)?;
        self.lines += u64::from(!self.is_in_line);
        self.is_in_line = length > 0 && line.last() != Some(&b'\n');
        Ok(length > 0)
    }
}

impl State {
    /// Returns `true` if the line belongs to the next game.
    fn ends_before(self, line: &[u8]) -> bool {
        let is_tag = line.first() == Some(&b'[');
        let is_empty = line.trim_ascii().is_empty();
        if self.is_in_comment {
            return line.starts_with(FIRST_TAG);
        }
        is_tag && (self.has_moves || self.tags_are_over) || is_empty && self.has_result
    }

    /// Returns `true` if the line is part of the game's text, which it changes.
    fn keeps(&mut self, line: &[u8]) -> bool {
        let is_empty = line.trim_ascii().is_empty();
        match line.first() {
            _ if self.is_in_comment => self.read_moves(line),
            _ if is_empty => {
                self.tags_are_over |= self.has_tags;
                return self.has_tags && !self.has_moves;
            }
            // An escaped line.
            Some(b'%') => return false,
            Some(b'[') if !self.has_moves => self.has_tags = true,
            _ => self.read_moves(line),
        }
        true
    }

    fn read_moves(&mut self, line: &[u8]) {
        self.has_moves = true;
        for &byte in line {
            match byte {
                b'{' if !self.is_in_comment => self.is_in_comment = true,
                b'}' if self.is_in_comment => self.is_in_comment = false,
                b';' if !self.is_in_comment => break,
                _ => {}
            }
        }
        let ends_with = |result: &&str| line.trim_ascii_end().ends_with(result.as_bytes());
        let results = ["1-0", "0-1", "1/2-1/2", "*"];
        self.has_result = !self.is_in_comment && results.iter().any(ends_with);
    }
}

/// A move of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PlayedMove {
    /// Key of the position before the move.
    pub key: u64,
    /// The move as books encode it.
    pub mv: u16,
    /// Side that has played it.
    pub side: Color,
}

/// A game of standard chess.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Game {
    /// The first moves.
    pub moves: Vec<PlayedMove>,
    /// Result.
    pub result: PgnResult,
}

/// A reason why a game is not used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Unusable {
    /// It is not standard chess.
    OtherVariant,
    /// It is wrong, for this reason.
    Wrong(String),
}

/// Returns the first half-moves of a game, at most `plies`; `None` if the text contains no game.
pub(super) fn read_game(text: &[u8], plies: u32) -> Option<Result<Game, Unusable>> {
    // Longer tags would be an error.
    let mut reader = Reader::build(text)
        .set_supported_tag_line_length(text.len())
        .finish();
    match reader.read_game(&mut GameVisitor { plies }) {
        Ok(game) => game.filter(|game| {
            // A comment, or text of another kind.
            !matches!(game, Ok(game) if game.moves.is_empty() && game.result == PgnResult::Unfinished)
        }),
        Err(error) => Some(Err(Unusable::Wrong(error.to_string()))),
    }
}

struct GameVisitor {
    plies: u32,
}

/// The tags that matter.
#[derive(Default)]
struct Tags {
    fen: Option<String>,
    variant: String,
    result: PgnResult,
}

/// A game up to a move.
struct Replay {
    position: Position,
    last: Option<crate::types::Move>,
    game: Game,
    /// Set after the result, which ends the moves.
    is_over: bool,
}

type Output = Result<Game, Unusable>;

impl Visitor for GameVisitor {
    type Tags = Tags;
    type Movetext = Replay;
    type Output = Output;

    fn begin_tags(&mut self) -> ControlFlow<Output, Tags> {
        ControlFlow::Continue(Tags::default())
    }

    fn tag(&mut self, tags: &mut Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<Output> {
        let value = value.decode_utf8_lossy();
        match name {
            b"FEN" => tags.fen = Some(value.into_owned()),
            b"Variant" => tags.variant = value.to_ascii_lowercase(),
            b"Result" => {
                let results = [PgnResult::WhiteWins, PgnResult::BlackWins, PgnResult::Draw];
                let result = results.into_iter().find(|result| result.text() == value);
                tags.result = result.unwrap_or_default();
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Tags) -> ControlFlow<Output, Replay> {
        match start(&tags) {
            Err(reason) => ControlFlow::Break(Err(reason)),
            Ok(position) => ControlFlow::Continue(Replay {
                position,
                last: None,
                game: Game {
                    moves: Vec::new(),
                    result: tags.result,
                },
                is_over: false,
            }),
        }
    }

    fn san(&mut self, replay: &mut Replay, san: SanPlus) -> ControlFlow<Output> {
        if replay.game.moves.len() >= self.plies as usize {
            return ControlFlow::Continue(());
        }
        match replay.play(&san) {
            Ok(()) => ControlFlow::Continue(()),
            Err(reason) => ControlFlow::Break(Err(Unusable::Wrong(reason))),
        }
    }

    fn outcome(&mut self, replay: &mut Replay, outcome: Outcome) -> ControlFlow<Output> {
        replay.is_over = true;
        replay.game.result = match outcome {
            Outcome::Known(KnownOutcome::Draw) => PgnResult::Draw,
            Outcome::Known(KnownOutcome::Decisive { winner }) => match winner {
                pgn_reader::shakmaty::Color::White => PgnResult::WhiteWins,
                pgn_reader::shakmaty::Color::Black => PgnResult::BlackWins,
            },
            // The tag may know it.
            Outcome::Unknown => replay.game.result,
        };
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, replay: Replay) -> Output {
        Ok(replay.game)
    }
}

/// Returns the position in which a game with these tags begins.
fn start(tags: &Tags) -> Result<Position, Unusable> {
    if !STANDARD_NAMES.contains(&tags.variant.as_str()) {
        return Err(Unusable::OtherVariant);
    }
    let Some(fen) = &tags.fen else {
        return Ok(Position::standard());
    };
    let wrong = |error: String| Unusable::Wrong(format!("the tag FEN: {error}"));
    let setup = parse_fen(fen).map_err(|error| wrong(error.to_string()))?;
    if !has_standard_castling(&setup) {
        return Err(Unusable::OtherVariant);
    }
    Position::from_setup(&setup, Variant::Standard).map_err(|error| wrong(error.to_string()))
}

impl Replay {
    /// Plays a move.
    fn play(&mut self, san: &SanPlus) -> Result<(), String> {
        let text = san.to_string();
        let number = self.position.board().to_setup().fullmove_number;
        let side = self.position.side_to_move();
        let dots = match side {
            Color::White => ".",
            Color::Black => "...",
        };
        if self.is_over {
            return Err(format!("the move {text} follows a result"));
        }
        let mv = parse_move(&self.position, &text)
            .map_err(|error| format!("the move {number}{dots} {text}: {error}"))?;
        self.game.moves.push(PlayedMove {
            key: polyglot_key(self.position.board(), self.last),
            mv: encode_move(mv),
            side,
        });
        let _ = self.position.play(mv);
        self.last = Some(mv);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Returns the first lines and the texts of all games.
    fn texts(file: &str) -> Vec<(u64, String)> {
        let mut games = GameTexts::new(file.as_bytes());
        let (mut text, mut all) = (GameText::default(), Vec::new());
        while games.read(&mut text).unwrap() {
            all.push((text.line, String::from_utf8(text.bytes.clone()).unwrap()));
        }
        all
    }

    #[test]
    fn games_are_cut_at_tags_and_after_results() {
        let file = "\u{feff}[Event \"A\"]\n[Result \"1-0\"]\n\n1. e4 {a\n\n[b] 0-1\n} e5\n\n2. Nf3 1-0\n\n\
                    [Event \"B\"]\r\n\r\n1. d4 *\r\n\r\n1. c4 ; 1-0\n% escaped\nc5 1/2-1/2\n\n\n\
                    [Event \"C\"]\n\n[Event \"D\"]\n\n1. b4";
        let games = texts(file);
        let lines: Vec<u64> = games.iter().map(|&(line, _)| line).collect();
        assert_eq!(lines, [1, 11, 15, 20, 22]);
        assert!(
            games[0]
                .1
                .ends_with("\n\n1. e4 {a\n\n[b] 0-1\n} e5\n2. Nf3 1-0\n")
        );
        assert_eq!(games[2].1, "1. c4 ; 1-0\nc5 1/2-1/2\n");
        assert_eq!(games[4].1, "[Event \"D\"]\n\n1. b4\n");
        assert_eq!(texts("\n\n\n"), []);
    }

    fn moves(text: &str) -> usize {
        read_game(text.as_bytes(), 100)
            .unwrap()
            .unwrap()
            .moves
            .len()
    }

    fn reason(text: &str) -> String {
        match read_game(text.as_bytes(), 100) {
            Some(Err(Unusable::Wrong(reason))) => reason,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn comments_variations_and_annotations_are_skipped() {
        let text = "1. e4 $1 e5!? (1... c5 2. Nf3 (2. c3 {x}) d6) 2. Nf3 {) (} Nc6 3.Bb5 a6 ; Spanish\n4. 0-0";
        assert_eq!(moves(text), 7);
        let illegal = text.replace("0-0", "0-0-0");
        assert!(reason(&illegal).starts_with("the move 4. O-O-O: "));
        assert_eq!(
            read_game(b"1. e4 e5 2. Nf3", 2)
                .unwrap()
                .unwrap()
                .moves
                .len(),
            2
        );
    }

    #[test]
    fn the_result_comes_from_the_moves_or_the_tag() {
        let result = |text: &str| read_game(text.as_bytes(), 9).unwrap().unwrap().result;
        assert_eq!(result("1. e4 1-0"), PgnResult::WhiteWins);
        assert_eq!(result("[Result \"0-1\"]\n\n1. e4 *"), PgnResult::BlackWins);
        assert_eq!(result("[Result \"1/2-1/2\"]\n\n1. e4"), PgnResult::Draw);
        assert_eq!(result("1. e4"), PgnResult::Unfinished);
        assert_eq!(read_game(b"{only a comment}", 9), None);
    }

    #[test]
    fn the_start_position_may_be_another_one() {
        let game = |tags: &str| read_game(format!("{tags}\n1. Kd2 *").as_bytes(), 9).unwrap();
        let tags = "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n";
        assert_eq!(game(tags).unwrap().moves.len(), 1);
        let black = tags.replace(" w ", " b ");
        assert!(reason(&format!("{black}\n1... Kd2 *")).contains("the move 1... Kd2"));
        for other in [
            "[Variant \"Chess960\"]\n",
            "[Variant \"fischerandom\"]\n",
            "[FEN \"bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1\"]\n",
        ] {
            assert_eq!(game(other), Err(Unusable::OtherVariant), "{other}");
        }
        assert!(reason("[FEN \"8/8 w\"]\n\n1. e4").contains("the tag FEN: "));
        assert!(reason("1. e4 1-0 1. d4").contains("follows a result"));
    }

    #[test]
    fn a_game_without_end_does_not_affect_the_others() {
        let others = "[Event \"B\"]\n\n1. d4 {[Event \"C\"]} 1-0\n";
        for length in [0, 2 * MAX_GAME_BYTES] {
            for (begin, problem) in [("{ no end\n", NO_END), ("e5\n", "it is longer than 1 MiB")] {
                if length == 0 && problem != NO_END {
                    continue;
                }
                let mut file = format!("[Event \"A\"]\n\n1. e4 {begin}").into_bytes();
                file.extend(std::iter::repeat_n(b'x', length));
                file.extend(format!("\n\n\n{others}").bytes());
                let mut games = GameTexts::new(file.as_slice());
                let mut text = GameText::default();
                assert!(games.read(&mut text).unwrap());
                assert_eq!((text.line, text.problem), (1, Some(problem)));
                assert!(games.read(&mut text).unwrap());
                assert_eq!((text.line, text.problem), (7, None));
                assert_eq!(String::from_utf8_lossy(&text.bytes), others);
                assert!(!games.read(&mut text).unwrap());
            }
        }
        let mut text = GameText::default();
        let mut games = GameTexts::new(&b"1. e4 { no end"[..]);
        assert!(games.read(&mut text).unwrap());
        assert_eq!(text.problem, Some(NO_END));
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in "([\\[\\]{}();%\\n\"*$ .a-hNBRQKO0-9x=+-]|1-0|e4|e5|Nf3|\\PC){0,200}") {
            let mut games = GameTexts::new(text.as_bytes());
            let mut game = GameText::default();
            while games.read(&mut game).unwrap() {
                let _ = read_game(&game.bytes, 40);
            }
        }
    }
}
