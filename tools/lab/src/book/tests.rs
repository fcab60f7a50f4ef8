//! Tests with short lines and analyses by hand.

use std::fs;
use std::path::PathBuf;

use super::soundness::is_sound;
use super::*;
use gaur::book::{BookFile, Entry, polyglot_key};
use gaur::notation::{parse_move, write_san};
use gaur::rules::Position;
use gaur::types::Score;

/// Lines of a small book: one that ends early, one with a bad move of Black, one that transposes.
const LINES: &str = "\
# lines for tests
e4 e5 Nf3
d4 g5 Bxg5
e4 g5 d4

Nf3 e5
";

/// Scores for the side to move and best moves after moves from the start position.
const ANALYSIS: [(&str, i32, &str); 10] = [
    ("", 30, "e4"),
    ("e4", -28, "e5"),
    ("e4 e5", 30, "Nf3"),
    ("e4 e5 Nf3", -22, "Nc6"),
    ("d4", -10, "d5"),
    ("d4 g5", 200, "Bxg5"),
    ("d4 g5 Bxg5", -205, "c5"),
    ("e4 g5", 120, "d4"),
    ("e4 g5 d4", -130, "h6"),
    ("Nf3", -20, "d5"),
];

/// Searches without some moves in positions with one good move: the moves, the score and the best other move. The third
/// one is nearly as good as the move that is excluded.
const OTHER_MOVES: [(&str, &str, i32, &str); 10] = [
    ("e4", "e5 g5", -50, "c6"),
    ("e4 e5", "Nf3", 10, "d4"),
    ("e4 e5 Nf3", "Nc6", -30, "Nf6"),
    ("e4 e5 Nf3", "Nc6 Nf6", -60, "d6"),
    ("d4", "d5 g5", -30, "Nf6"),
    ("d4 d5", "Nf3 c4", -10, "e3"),
    ("d4 d5 c4", "e6", -50, "c5"),
    ("Nf3", "d5 e5", -40, "c5"),
    ("Nf3 d5", "d4", 0, "c4"),
    ("Nf3 d5 d4", "Nf6", -40, "c5"),
];

/// Files of a run in a folder that is removed with it.
struct Run {
    folder: tempfile::TempDir,
    args: BookArgs,
}

impl Run {
    fn new(lines: &str, nodes: u64, threads: u64) -> Run {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let args = BookArgs {
            openings: path("lines.txt"),
            analysis: path("analysis.epd"),
            out: path("small.book"),
            nodes,
            threads,
            moves: 2,
        };
        fs::write(&args.openings, lines).unwrap();
        Run { folder, args }
    }

    fn run(&self) -> Result<String, LabError> {
        let mut out = Vec::new();
        run_book(&self.args, &mut out)?;
        Ok(String::from_utf8(out).unwrap())
    }

    fn book(&self) -> Vec<u8> {
        fs::read(&self.args.out).unwrap()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

/// Returns the position after moves from the start position.
fn after(moves: &str) -> Position {
    let mut position = Position::standard();
    for text in moves.split_whitespace() {
        let mv = parse_move(&position, text).unwrap();
        let _ = position.play(mv);
    }
    position
}

/// Returns a file of analysis with these scores.
fn analysis_text(scores: &[(&str, i32, &str)]) -> String {
    let record = |&(moves, score, best): &(&str, i32, &str)| {
        let fen = gaur::notation::write_fen(after(moves).board(), gaur::rules::Variant::Standard);
        let fields: Vec<&str> = fen.split(' ').take(4).collect();
        format!("{} bm {best}; ce {score}; acn 50;\n", fields.join(" "))
    };
    scores.iter().map(record).collect()
}

/// Returns the records of [`OTHER_MOVES`].
fn other_moves_text() -> String {
    let record = |&(line, excluded, score, best): &(&str, &str, i32, &str)| {
        let record = analysis_text(&[(line, score, best)]);
        let mut moves: Vec<&str> = excluded.split(' ').collect();
        moves.sort_by_key(|text| parse_move(&after(line), text).unwrap().bits());
        record.replace(" bm ", &format!(" am {}; bm ", moves.join(" ")))
    };
    OTHER_MOVES.iter().map(record).collect()
}

/// Returns the moves of a position of the book with their weights and scores.
fn moves(book: &BookFile, line: &str) -> Vec<(String, u16, i16)> {
    let position = after(line);
    let entries = book.entries(polyglot_key(position.board(), None)).unwrap();
    let text = |entry: Entry| {
        let mv = entry.legal_move(position.board()).unwrap();
        (
            write_san(&position, mv),
            entry.weight,
            entry.score().unwrap(),
        )
    };
    entries.into_iter().map(text).collect()
}

#[test]
fn a_small_book_has_the_expected_moves() {
    let run = Run::new(LINES, 50, 2);
    // Positions that the extension adds; nothing is left to search.
    let added = [
        ("Nf3 e5", 80, "Nxe5"),
        ("Nf3 d5", 19, "d4"),
        ("Nf3 d5 d4", -18, "Nf6"),
        ("Nf3 d5 d4 Nf6", 17, "c4"),
        ("Nf3 e5 Nxe5", -90, "Nc6"),
        ("d4 d5", 12, "c4"),
        ("d4 d5 c4", -12, "e6"),
        ("d4 d5 c4 e6", 11, "Nc3"),
        ("e4 e5 Nf3 Nc6", 20, "Bb5"),
        ("e4 e5 Nf3 Nf6", 25, "Nxe5"),
    ];
    let scores: Vec<(&str, i32, &str)> = ANALYSIS.into_iter().chain(added).collect();
    let analysis = analysis_text(&scores) + &other_moves_text();
    fs::write(&run.args.analysis, &analysis).unwrap();
    let text = run.run().unwrap();
    assert_eq!(fs::read_to_string(&run.args.analysis).unwrap(), analysis);
    let book = BookFile::from_bytes(run.book()).unwrap();
    let none: [(String, u16, i16); 0] = [];
    let entry = |mv: &str, weight, score| (mv.to_owned(), weight, score);
    // The scores of the last positions count: 20 after 1. e4, 17 after 1. Nf3, and 17 after 1. d4, not 11, because
    // 1. d4 d5 2. Nf3 leads to the position after 1. Nf3 d5 2. d4.
    assert_eq!(
        moves(&book, ""),
        [
            entry("e4", 65535, 20),
            entry("Nf3", 41262, 17),
            entry("d4", 41262, 17)
        ]
    );
    assert_eq!(
        moves(&book, "d4 d5"),
        [entry("Nf3", 65535, 17), entry("c4", 38968, 11)]
    );
    // 2... Nf6 is in no line.
    assert_eq!(
        moves(&book, "e4 e5 Nf3"),
        [entry("Nc6", 65535, -20), entry("Nf6", 42495, -25)]
    );
    assert_eq!(moves(&book, "e4"), [entry("e5", 65535, -20)]);
    // Black does not play 1... g5, but White has an answer.
    assert_eq!(moves(&book, "e4 g5"), [entry("d4", 65535, 130)]);
    assert_eq!(moves(&book, "d4 g5"), [entry("Bxg5", 65535, 205)]);
    assert_eq!(moves(&book, "d4 g5 Bxg5"), none);
    // 1. Nf3 e5 loses a pawn.
    assert_eq!(moves(&book, "Nf3"), [entry("d5", 65535, -17)]);
    assert_eq!(moves(&book, "Nf3 e5"), [entry("Nxe5", 65535, 90)]);
    assert!(text.contains("score of the start position 20"), "{text}");
    assert!(text.contains("200 have 2 moves of each side"), "{text}");
    assert!(text.contains("4 end in different positions"), "{text}");
}

#[test]
fn a_run_is_reproduced_and_continued() {
    let whole = Run::new(LINES, 60, 2);
    let text = whole.run().unwrap();
    let part = Run::new(LINES, 60, 1);
    // A killed run has left some positions and an incomplete line.
    let analysis = fs::read_to_string(&whole.args.analysis).unwrap();
    fs::write(&part.args.analysis, &analysis[..analysis.len() / 2]).unwrap();
    assert_eq!(part.run().unwrap(), text);
    assert_eq!(part.book(), whole.book());
    let sorted = |run: &Run| {
        let text = fs::read_to_string(&run.args.analysis).unwrap();
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&part), sorted(&whole));
}

#[test]
fn wrong_files_are_named() {
    let run = Run::new("# nothing\n", 50, 1);
    let error = run.run().unwrap_err().to_string();
    assert!(error.contains("lines.txt holds no opening line"), "{error}");
    let run = Run::new("e4 e5\n\nd4 e4\n", 50, 1);
    let error = run.run().unwrap_err().to_string();
    assert!(error.contains("lines.txt line 3: e4: "), "{error}");
    let run = Run::new(LINES, 51, 1);
    fs::write(&run.args.analysis, analysis_text(&ANALYSIS)).unwrap();
    let error = run.run().unwrap_err().to_string();
    assert!(error.contains("does not have 51 nodes"), "{error}");
    assert!(!run.path("small.book").exists());
}

#[test]
fn margins_limit_the_loss_of_a_move_and_of_all_moves() {
    let sound = |score, best, start| is_sound(Score(score), Score(best), Score(start));
    assert!(sound(10, 35, 30) && !sound(9, 35, 30));
    assert!(sound(5, 5, 30) && !sound(4, 4, 30));
}
