//! Incomplete FENs, which an engine may accept or refuse.

use shakmaty::Setup;
use shakmaty::fen::Fen;

/// Returns the positions that an incomplete FEN may mean: as many fields as can be understood, and the usual values for
/// the others. The side to move may be a capital; numbers at the end may be the half-move clock, wherever they stand.
pub fn lenient(text: &str) -> Vec<Setup> {
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

/// Returns a FEN whose castling field has only the usual letters, each once.
pub fn with_plain_castling(text: &str) -> String {
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
