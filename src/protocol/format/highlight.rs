//! The `highlight` command: marked squares as a FEN-like string of colours.

use crate::protocol::reply::Mark;
use crate::types::{File, Rank, Square};

/// Returns `highlight COLORFEN`, from the eighth rank down, with numbers for unmarked squares.
pub fn highlight_line(marks: &[(Square, Mark)]) -> String {
    let rows: Vec<String> = Rank::all().rev().map(|rank| row(marks, rank)).collect();
    format!("highlight {}\n", rows.join("/"))
}

/// Returns one rank of the string.
fn row(marks: &[(Square, Mark)], rank: Rank) -> String {
    let mut row = String::new();
    let mut unmarked = 0;
    for file in File::all() {
        let square = Square::new(file, rank);
        match marks.iter().find(|(marked, _)| *marked == square) {
            Some((_, mark)) => {
                if unmarked > 0 {
                    row.push_str(&unmarked.to_string());
                }
                row.push(color(*mark));
                unmarked = 0;
            }
            None => unmarked += 1,
        }
    }
    if unmarked > 0 {
        row.push_str(&unmarked.to_string());
    }
    row
}

/// Returns the colour of a mark. Yellow, red and magenta are targets of the piece; a lower case letter only colours the
/// square.
const fn color(mark: Mark) -> char {
    match mark {
        Mark::Target => 'Y',
        Mark::Capture => 'R',
        Mark::Promotion => 'M',
        Mark::Victim => 'g',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_letters_and_numbers() {
        let square = |name| Square::from_name(name).expect("a square");
        assert_eq!(highlight_line(&[]), "highlight 8/8/8/8/8/8/8/8\n");
        let marks = [
            (square("a8"), Mark::Promotion),
            (square("b8"), Mark::Capture),
            (square("h4"), Mark::Target),
            (square("d5"), Mark::Victim),
        ];
        assert_eq!(highlight_line(&marks), "highlight MR6/8/8/3g4/7Y/8/8/8\n");
    }
}
