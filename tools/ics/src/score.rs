//! Scores of engines as text.

/// Scores from which on they state a mate, as in the xboard protocol: 100000 and the number of moves.
const MATE: i32 = 100_000;

/// Returns the number of moves to mate; negative if the side is mated, `None` for other scores.
pub fn mate(score: i32) -> Option<i32> {
    let distance = score.checked_abs()?.checked_sub(MATE)?;
    (distance >= 0).then_some(if score > 0 { distance } else { -distance })
}

/// Returns a score in pawns with its sign, such as `+0.35`, or `#` and the moves to mate: `#3`, `#-3`.
pub fn text(score: i32) -> String {
    match mate(score) {
        Some(0) => if score > 0 { "#1" } else { "#-1" }.to_owned(),
        Some(moves) => format!("#{moves}"),
        None => format!("{:+.2}", f64::from(score) / 100.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_have_a_sign_and_mates_a_number() {
        for (score, expected) in [
            (35, "+0.35"),
            (-120, "-1.20"),
            (99_999, "+999.99"),
            (100_003, "#3"),
            (-100_003, "#-3"),
            (100_000, "#1"),
            (-100_000, "#-1"),
        ] {
            assert_eq!(text(score), expected);
        }
        assert_eq!(mate(i32::MIN), None);
        assert_eq!(mate(-100_000), Some(0));
    }
}
