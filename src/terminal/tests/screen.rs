//! The client on a screen: what a person sees while typing.

use super::{LETTERS, Terminal};

/// The rows of a terminal that understands ASCII and the escape sequences of the client.
#[derive(Default)]
struct Screen {
    rows: Vec<String>,
    row: usize,
    column: usize,
    saved: (usize, usize),
}

impl Screen {
    /// Shows text of the client, or what the kernel echoes.
    fn show(&mut self, text: &str) {
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            let mut length = c.len_utf8();
            match c {
                '\n' => (self.row, self.column) = (self.row + 1, 0),
                '\r' => self.column = 0,
                '\u{1b}' => length = self.control(rest),
                c => {
                    let column = self.column;
                    let line = self.line();
                    let end = line.len().min(column + 1);
                    line.replace_range(column..end, &c.to_string());
                    self.column += 1;
                }
            }
            rest = &rest[length..];
        }
    }

    /// Carries out the escape sequence at the beginning of a text and returns its length.
    fn control(&mut self, text: &str) -> usize {
        let sequences = ["\u{1b}[K", "\u{1b}[A", "\u{1b}7", "\u{1b}8"];
        let known = sequences.into_iter().find(|known| text.starts_with(known));
        let sequence = known.expect("a known escape sequence");
        let position = (self.row, self.column);
        match sequence.trim_start_matches(['\u{1b}', '[']) {
            "K" => self.line().truncate(position.1),
            "A" => self.row -= 1,
            "7" => self.saved = position,
            _ => (self.row, self.column) = self.saved,
        }
        sequence.len()
    }

    /// Returns the row of the cursor.
    fn line(&mut self) -> &mut String {
        if self.rows.len() <= self.row {
            self.rows.resize(self.row + 1, String::new());
        }
        &mut self.rows[self.row]
    }

    /// Returns the row above the cursor and the row of the cursor.
    fn end(&mut self) -> [String; 2] {
        let line = self.line().clone();
        [self.rows[self.row - 1].clone(), line]
    }
}

#[test]
fn text_typed_while_gaur_thinks_has_its_own_line() {
    for (command, has_answer) in [("e4", true), ("analyze", false)] {
        let mut terminal = Terminal::new(LETTERS);
        let mut screen = Screen::default();
        screen.show(&terminal.take_text());
        screen.show(&format!("{command}\n"));
        screen.show(&terminal.send(command));
        // Before the first thinking line.
        screen.show("un");
        let moves = if has_answer { "c5 Nf3" } else { "e4 c5" };
        screen.show(&terminal.think(8, 20, moves));
        screen.show("d");
        let line = terminal.think(9, 0, moves);
        screen.show(&line);
        screen.show("o");
        let [thinking, typed] = screen.end();
        assert!(thinking.starts_with("depth 9, equal: 1"), "{thinking}");
        assert_eq!(typed, "undo");
        if has_answer {
            screen.show(&terminal.answer("c5"));
            let text = screen.rows.join("\n");
            assert!(!text.contains("depth 9, equal"), "{text}");
            assert!(text.contains("\nGaur plays 1... c5 (equal, depth 9).\n\n 8 "));
            assert_eq!(screen.end()[1], "Your move: ");
        }
    }
}

#[test]
fn the_board_fits_into_a_terminal_of_ten_lines() {
    for (height, has_files) in [
        ((|| 10) as fn() -> usize, false),
        (|| 11, true),
        (|| 13, true),
    ] {
        let mut terminal = Terminal::with_height(LETTERS, height);
        let mut screen = Screen::default();
        screen.show(&terminal.take_text());
        screen.show("e4\n");
        let mut text = terminal.send("e4") + &terminal.think(8, 0, "c5");
        for visible in ["depth 8", "Gaur plays 1... c5"] {
            screen.show(&text);
            let begin = (screen.row + 1).saturating_sub(height());
            let lines = screen.rows[begin..].join("\n");
            let is_complete = lines.contains(" 8  r  n  b") && lines.contains(visible);
            assert!(is_complete, "{lines}");
            assert_eq!(lines.contains("    a  b  c "), has_files, "{lines}");
            if visible == "depth 8" {
                text = terminal.answer("c5");
            }
        }
    }
}
