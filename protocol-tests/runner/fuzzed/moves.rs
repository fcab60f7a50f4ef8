//! Moves as text: an accepted text is a legal move, keeps its meaning when printed and parsed again, and means the same
//! to a chess library. Gaur accepts every text that the library accepts.

use gaur::notation::{parse_move, write_coordinate, write_san};
use gaur::rules::{Position, Variant};
use shakmaty::san::{San, SanPlus};
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Position as _};

/// Maximum number of half-moves to the position.
const MAX_WALK: usize = 120;

/// Checks moves. The bytes up to the first line end select the moves to a position; each further line is parsed as a
/// move in it.
pub fn run(bytes: &[u8]) {
    let mut parts = bytes.splitn(2, |&byte| byte == b'\n');
    let walk = parts.next().unwrap_or(&[]);
    let text = String::from_utf8_lossy(parts.next().unwrap_or(&[])).into_owned();
    let (ours, theirs) = walk_to(walk);
    for line in text.lines() {
        check(&ours, &theirs, line);
    }
}

fn walk_to(choices: &[u8]) -> (Position, Chess) {
    let (mut ours, mut theirs) = (Position::standard(), Chess::default());
    for &choice in choices.iter().take(MAX_WALK) {
        let legal = theirs.legal_moves();
        let Some(&mv) = legal.get(usize::from(choice) % legal.len().max(1)) else {
            break;
        };
        let text = mv.to_uci(CastlingMode::Standard).to_string();
        let own = parse_move(&ours, &text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(
            write_san(&ours, own),
            SanPlus::from_move(theirs.clone(), mv).to_string()
        );
        let _ = ours.play(own);
        theirs.play_unchecked(mv);
    }
    (ours, theirs)
}

fn check(ours: &Position, theirs: &Chess, text: &str) {
    let parsed = parse_move(ours, text);
    if let Ok(mv) = parsed {
        assert!(ours.is_legal(mv), "{text:?}");
        let coordinates = write_coordinate(mv, Variant::Standard);
        let san = write_san(ours, mv);
        assert_eq!(parse_move(ours, &coordinates), Ok(mv), "{text:?}");
        assert_eq!(parse_move(ours, &san), Ok(mv), "{text:?}");
        let same = coordinates
            .parse::<UciMove>()
            .ok()
            .and_then(|uci| uci.to_move(theirs).ok())
            .unwrap_or_else(|| panic!("{coordinates} is not legal elsewhere, from {text:?}"));
        assert_eq!(SanPlus::from_move(theirs.clone(), same).to_string(), san);
    }
    // The library also accepts text that is not SAN, such as `xd5`.
    let bare = text.trim_end_matches(['+', '#']);
    let known = text
        .parse::<San>()
        .ok()
        .and_then(|san| san.to_move(theirs).ok())
        .filter(|mv| San::from_move(theirs, *mv).to_string() == bare)
        .map(|mv| mv.to_uci(CastlingMode::Standard).to_string());
    if let Some(coordinates) = known {
        let spelled = parsed.map(|mv| write_coordinate(mv, Variant::Standard));
        assert_eq!(spelled, Ok(coordinates), "{text:?}");
    }
}
