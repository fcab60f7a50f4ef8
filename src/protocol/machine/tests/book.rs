//! The opening book: when its moves are played, and what is shown of them.

use std::sync::{Arc, Mutex};

use super::*;
use crate::book::{
    BookFile, BookSource, Entry, FoundEntries, Learned, MAX_LOOK_UP_TIME, encode_move, polyglot_key,
};
use crate::protocol::machine::BookReport;
use crate::rules::Position;

/// Lines with the weight of their last move and its score.
pub(super) const LINES: [(&str, u16, i16); 8] = [
    ("e2e4", 60, 30),
    ("d2d4", 40, 25),
    ("e2e4 e7e5", 7, -28),
    ("e2e4 c7c5", 3, -31),
    ("e2e4 e7e5 g1f3", 1, 30),
    ("e2e4 e7e5 g1f3 b8c6", 1, -29),
    ("d2d4 d7d5", 1, -24),
    ("g1f3 g8f6 f3g1 f6g8", 1, 0),
];

/// Returns the position after moves, and the last of them.
fn after(moves: &[&str]) -> (Position, Option<Move>) {
    let (mut position, mut last) = (Position::standard(), None);
    for text in moves {
        let mv = parse_move(&position, text).expect("legal");
        let _ = position.play(mv);
        last = Some(mv);
    }
    (position, last)
}

/// Returns the key of the position before the last move of a line, and the move.
pub(super) fn place(line: &str) -> (u64, u16) {
    let moves: Vec<&str> = line.split(' ').collect();
    let (last, before) = moves.split_last().expect("a move");
    let (position, previous) = after(before);
    let mv = parse_move(&position, last).expect("legal");
    (polyglot_key(position.board(), previous), encode_move(mv))
}

fn book_of(lines: &[(&str, u16, i16)]) -> Arc<dyn BookSource> {
    let mut entries: Vec<Entry> = lines
        .iter()
        .map(|&(line, weight, score)| {
            let (key, mv) = place(line);
            Entry {
                key,
                mv,
                weight,
                learn: Entry::learn_of(score),
            }
        })
        .collect();
    entries.sort_by_key(|entry| entry.key);
    let bytes: Vec<u8> = entries.iter().flat_map(|entry| entry.to_bytes()).collect();
    Arc::new(BookFile::from_bytes(bytes).expect("a book"))
}

/// A session with the book, which plays the best moves only.
pub(super) fn session() -> Session {
    let mut session = Session::with(MachineSettings {
        built_in_book: Some(book_of(&LINES)),
        ..MachineSettings::default()
    });
    session.send("xboard;option BookVariety=0");
    session.lines();
    session
}

impl Session {
    /// Answers the oldest request to open a book.
    pub(super) fn found_book(&mut self, report: BookReport) -> &mut Session {
        let request = self.books.remove(0);
        assert!(matches!(request, Action::ReadBook { .. }), "{request:?}");
        let actions = self.machine.on_book(report);
        self.carry_out(actions);
        self
    }
}

/// A report of a book with what was learned for it.
pub(super) fn report(lines: &[(&str, u16, i16)], learned: Option<Learned>) -> BookReport {
    BookReport {
        book: Ok(book_of(lines)),
        learned,
        problem: None,
    }
}

#[test]
fn a_book_move_is_played_without_a_search() {
    let mut session = session();
    session.send("usermove e2e4");
    assert_eq!(session.lines(), ["move e7e5"]);
    assert!(session.running.is_none());
    session.send("usermove g1f3;usermove d2d4");
    assert_eq!(session.lines(), ["move b8c6"]);
    assert!(session.running.is_some(), "out of the book");
}

#[test]
fn the_thinking_line_of_a_book_move_shows_share_and_line() {
    let mut session = session();
    session.send("post;usermove e2e4");
    let line = "1 -28 0 0 (book 70 %) e7e5 g1f3 b8c6";
    assert_eq!(session.lines(), [line, "move e7e5"]);
    session.send("nopost;new;usermove d2d4");
    assert_eq!(session.lines(), ["move d7d5"]);
}

#[test]
fn go_and_playother_use_the_book() {
    let mut session = session();
    session.send("force;go");
    assert_eq!(session.lines(), ["move e2e4"]);
    session.send("new;force;usermove e2e4;playother;usermove e7e5");
    assert_eq!(session.lines(), ["move g1f3"]);
}

#[test]
fn one_option_switches_the_book_off() {
    let mut session = session();
    session.send("option OwnBook=0;usermove e2e4");
    assert!(session.running.is_some());
    assert_eq!(session.lines(), [""; 0]);
}

#[test]
fn the_number_of_book_moves_is_limited() {
    let mut session = session();
    session.send("option BookDepth=1;usermove e2e4");
    assert_eq!(session.lines(), ["move e7e5"]);
    session.send("usermove g1f3");
    assert!(session.running.is_some());
}

#[test]
fn limits_of_the_search_do_not_affect_the_book() {
    let mut session = session();
    session.send("sd 1;st 1;usermove e2e4");
    assert_eq!(session.lines(), ["move e7e5"]);
}

#[test]
fn a_weak_level_takes_its_time_and_knows_few_moves() {
    let mut session = session();
    session.send("option LimitStrength=1;option Elo=600;post;hard;usermove e2e4");
    let request = session.request();
    let legal = request.position.legal_moves();
    let mut left = legal
        .into_iter()
        .filter(|mv| !request.excluded.contains(mv));
    let expected = parse_move(&request.position, "e7e5").ok();
    assert_eq!((left.next(), left.next()), (expected, None));
    assert!(request.strength.is_some());
    let event = session.best_event("e7e5", None, 0);
    session.event(event);
    assert!(session.lines().contains(&"move e7e5".to_owned()));
    session.send("usermove g1f3");
    assert!(session.request().excluded.is_empty(), "the second move");
    session.send("option Elo=800;new;usermove e2e4");
    let event = session.best_event("e7e5", None, 0);
    session.event(event);
    session.send("usermove g1f3");
    assert!(!session.request().excluded.is_empty(), "a better level");
}

#[test]
fn a_position_that_was_set_up_is_looked_up() {
    let mut session = session();
    session.send("force;setboard rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 40;go");
    assert_eq!(session.lines(), ["move e7e5"]);
}

#[test]
fn analysis_is_not_from_the_book() {
    let mut session = session();
    session.send("post;analyze");
    let request = session.running.as_ref().expect("a search");
    assert_eq!(request.purpose, Purpose::Analyse);
    session.send("usermove e2e4");
    assert!(session.running.is_some());
    assert_eq!(session.lines(), [""; 0]);
}

#[test]
fn with_excluded_moves_the_search_decides() {
    let mut session = session();
    session.send("force;exclude d2d4;go");
    assert!(session.running.is_some());
    session.send("force;include d2d4;go");
    assert_eq!(session.lines(), ["move e2e4"]);
}

#[test]
fn fischer_random_has_no_book() {
    let mut session = session();
    session.send("variant fischerandom;force;go;bk");
    assert!(session.running.is_some());
    let answer = [" The opening book has no moves for this variant.", ""];
    assert_eq!(session.lines(), answer);
}

#[test]
fn a_move_that_repeats_a_position_is_searched() {
    let mut session = session();
    session.send("force;usermove g1f3;usermove g8f6;usermove f3g1;go");
    assert!(session.running.is_some());
    session.send("bk");
    assert_eq!(session.lines(), [" Ng8     100 %  +0.00", ""]);
}

#[test]
fn moves_are_chosen_by_their_weights() {
    let first_moves = |variety: i32| -> Vec<String> {
        let mut session = session();
        session.send(&format!("option BookVariety={variety}"));
        (0..100)
            .flat_map(|_| session.send("new;force;go").lines())
            .collect()
    };
    assert_eq!(first_moves(0), ["move e2e4"; 100]);
    let queen_pawns = first_moves(100)
        .iter()
        .filter(|line| *line == "move d2d4")
        .count();
    // 40 are expected; the seed is constant.
    assert!((25..=55).contains(&queen_pawns), "{queen_pawns}");
    assert_eq!(first_moves(100), first_moves(100), "the same seed");
}

#[test]
fn bk_lists_moves_with_shares_and_scores() {
    let mut session = session();
    session.send("bk");
    let moves = [" e4       60 %  +0.30", " d4       40 %  +0.25", ""];
    assert_eq!(session.lines(), moves);
    session.send("analyze;bk;exit;option OwnBook=0;bk");
    let off = " OwnBook is off: Gaur does not play from the book.";
    let expected = [&moves[..], &moves[..2], &[off, ""]].concat();
    assert_eq!(session.lines(), expected);
    session.send("usermove a2a3;bk");
    assert_eq!(
        session.lines(),
        [" The opening book has no move in this position.", ""]
    );
}

#[test]
fn bk_without_a_book_says_so() {
    let mut session = Session::new();
    session.send("xboard;bk");
    assert_eq!(
        session.lines(),
        [" Gaur plays without an opening book.", ""]
    );
}

#[test]
fn a_hint_is_from_the_book() {
    let mut session = session();
    session.send("force;hint");
    assert_eq!(session.lines(), ["Hint: e2e4"]);
    session.send("option OwnBook=0;hint");
    assert_eq!(session.lines(), [""; 0]);
    session.send("option OwnBook=1;new;hard;usermove e2e4;hint");
    assert_eq!(session.lines(), ["move e7e5", "Hint: g1f3"]);
}

#[test]
fn a_hint_is_no_excluded_move() {
    let mut session = session();
    session.send("force;exclude e2e4;hint");
    assert_eq!(session.lines(), [""; 0]);
    session.send("include e2e4;hint");
    assert_eq!(session.lines(), ["Hint: e2e4"]);
}

#[test]
fn a_hint_while_pondering_is_the_move_pondered_on() {
    let mut session = session();
    session.send("option OwnBook=0;hard;usermove e2e4");
    session.best_with("e7e5", Some("b1c3"), 10);
    session.send("option OwnBook=1");
    session.lines();
    session.send("hint");
    assert_eq!(session.lines(), ["Hint: b1c3"], "the book has Nf3");
}

/// A book on a slow disk, which records the time limits of its look-ups.
#[derive(Debug)]
struct SlowDisk {
    book: Arc<dyn BookSource>,
    time: Duration,
    limits: Arc<Mutex<Vec<Duration>>>,
}

impl BookSource for SlowDisk {
    fn entries(&self, key: u64, limit: Duration) -> Result<FoundEntries, String> {
        self.limits.lock().expect("no panic").push(limit);
        let found = self.book.entries(key, limit)?;
        let time = self.time.min(limit);
        let entries = match time < limit {
            true => found.entries,
            false => Vec::new(),
        };
        Ok(FoundEntries { entries, time })
    }

    fn is_in_memory(&self) -> bool {
        false
    }
}

/// A session with a book on a disk, and the time limits of the look-ups.
fn slow_session(time: Duration) -> (Session, Arc<Mutex<Vec<Duration>>>) {
    let limits = Arc::<Mutex<Vec<Duration>>>::default();
    let disk = SlowDisk {
        book: book_of(&LINES),
        time,
        limits: Arc::clone(&limits),
    };
    let mut session = Session::with(MachineSettings {
        built_in_book: Some(Arc::new(disk)),
        ..MachineSettings::default()
    });
    session.send("xboard;option BookVariety=0");
    session.lines();
    (session, limits)
}

#[test]
fn a_book_on_a_disk_is_asked_once_for_a_move() {
    let (mut session, limits) = slow_session(Duration::from_millis(10));
    session.send("post;hard;usermove e2e4");
    // No line of the book, and no look-up after the move that is pondered on.
    let line = "1 -28 0 0 (book 70 %) e7e5";
    assert_eq!(session.lines()[..2], [line, "move e7e5"]);
    assert_eq!(limits.lock().expect("no panic")[..], [MAX_LOOK_UP_TIME]);
    assert_eq!(session.purpose(), Some(Purpose::Ponder));
    session.send("usermove g1f3");
    assert!(session.lines().contains(&"move b8c6".to_owned()));
    assert_eq!(limits.lock().expect("no panic").len(), 2);
}

#[test]
fn the_clock_is_charged_for_a_look_up() {
    let time = Duration::from_millis(200);
    let (mut session, _) = slow_session(time);
    session.send("level 0 1 0");
    session.send("usermove e2e4");
    assert_eq!(session.lines(), ["move e7e5"]);
    let left = session.machine.time.clocks().engine.remaining(session.now);
    assert_eq!(left, Duration::from_secs(60) - time);
}

#[test]
fn a_look_up_takes_a_small_part_of_the_clock() {
    let (mut session, limits) = slow_session(Duration::from_secs(1));
    session.send("level 0 1 0;time 20;usermove e2e4");
    let last = limits.lock().expect("no panic")[0];
    assert_eq!(last, Duration::from_millis(10), "of 0.2 s");
    assert!(session.running.is_some(), "it was too slow");
    session.send("bk;hint");
    assert!(
        limits
            .lock()
            .expect("no panic")
            .iter()
            .all(|&limit| limit == last)
    );
}

#[test]
fn no_search_replaces_an_expected_book_move() {
    let mut session = session();
    session.send("hard;usermove e2e4");
    assert_eq!(session.lines(), ["move e7e5"]);
    assert!(session.running.is_none(), "after Nf3 the book has Nc6");
    session.send("usermove g1f3");
    assert_eq!(session.lines(), ["move b8c6"]);
    let request = session
        .running
        .as_ref()
        .expect("the book has no move of White");
    assert_eq!(request.purpose, Purpose::Ponder);
}

#[test]
fn pondering_gives_way_to_a_book_that_is_switched_on() {
    let mut session = session();
    session.send("option OwnBook=0;hard;usermove e2e4");
    session.best_with("e7e5", Some("g1f3"), 10);
    assert!(session.running.is_some(), "pondering");
    session.send("option OwnBook=1");
    session.lines();
    session.send("usermove g1f3");
    assert_eq!(session.lines(), ["move b8c6"]);
}

#[test]
fn a_draw_offer_is_not_accepted_because_of_an_old_score() {
    let mut session = session();
    session.send("draw;usermove e2e4");
    assert_eq!(session.lines(), ["move e7e5"]);
}
