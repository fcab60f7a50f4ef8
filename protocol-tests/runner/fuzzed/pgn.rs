//! What looks like a game record: its lines and its words as lines of a host, and its lines as EPD records.

use gaur::notation::parse_epd;

use super::conversation;

/// Lines and words are sent in force mode; the model knows which of them are moves.
pub fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut lines = vec!["force"];
    for line in text.lines() {
        if let Ok(epd) = parse_epd(line) {
            // Reading what it says must not fail in other ways than by saying so.
            let counts = epd.perft_counts();
            assert!(counts.is_err() || counts.is_ok_and(|counts| counts.len() <= line.len()));
            assert!(epd.best_moves().len() <= line.len());
        }
        lines.push(line);
        lines.extend(line.split_whitespace().filter(|word| *word != "quit"));
    }
    conversation::hold(&lines);
}
