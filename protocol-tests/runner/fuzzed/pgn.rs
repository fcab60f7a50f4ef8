//! Game records: their lines and words as lines of a host, and their lines as EPD records.

use gaur::notation::parse_epd;

use super::conversation;

/// Sends the lines and words in force mode; the model determines which of them are moves.
pub fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut lines = vec!["force"];
    for line in text.lines() {
        if let Ok(epd) = parse_epd(line) {
            // The values of the record are valid, or an error.
            let counts = epd.perft_counts();
            assert!(counts.is_err() || counts.is_ok_and(|counts| counts.len() <= line.len()));
            assert!(epd.best_moves().len() <= line.len());
        }
        lines.push(line);
        lines.extend(line.split_whitespace().filter(|word| *word != "quit"));
    }
    conversation::hold(&lines);
}
