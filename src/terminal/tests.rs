//! Conversations of a person with the client, the machine and a simulated search.

mod commands;
mod draws;
mod explanations;
mod files;
mod hints;
mod person;
mod screen;

use std::time::Duration;

use super::{Saved, Style};
use crate::messages::{Purpose, SearchEvent};
use crate::types::Score;

use person::Terminal;

const PLAIN: Style = Style {
    has_cursor: false,
    has_color: false,
    has_unicode: false,
};

const LETTERS: Style = Style {
    has_cursor: true,
    ..PLAIN
};

/// Asserts that a text contains all parts in this order.
#[track_caller]
fn assert_parts(text: &str, parts: &[&str]) {
    let mut rest = text;
    for part in parts {
        let Some(at) = rest.find(part) else {
            panic!("{part:?} is missing in {rest:?}, the rest of {text:?}");
        };
        rest = &rest[at + part.len()..];
    }
}

#[test]
fn the_board_is_shown_at_the_start_and_after_every_move() {
    let mut terminal = Terminal::new(LETTERS);
    assert_parts(
        &terminal.take_text(),
        &["You play White", " 1  R  N  B ", "Your move: "],
    );
    let text = terminal.send("e4");
    assert_parts(&text, &[" 4  .  :  .  :  P "]);
    assert!(!text.contains("Your move"), "{text}");
    let text = terminal.answer("c5");
    assert_parts(
        &text,
        &["Gaur plays 1... c5.", " 5  :  .  p ", "Your move: "],
    );
}

#[test]
fn a_move_takes_at_most_two_and_a_half_seconds() {
    let mut terminal = Terminal::new(LETTERS);
    terminal.send("e2-e4");
    let request = terminal.search.as_ref().expect("a search");
    let budget = request.limits.budget.expect("a limit");
    assert!(budget.hard > Duration::from_secs(2) && budget.hard <= Duration::from_millis(2500));
}

#[test]
fn thinking_lines_replace_each_other() {
    let mut terminal = Terminal::new(LETTERS);
    terminal.send("e4");
    let first = terminal.think(8, 20, "c5 Nf3 d6");
    assert_eq!(
        first,
        "\u{1b}7\u{1b}[A\r\u{1b}[Kdepth 8, Black is 0.20 better: 1... c5 2. Nf3 d6\u{1b}8"
    );
    let long = terminal.think(9, -20, "c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6");
    let begin = long.find("depth").expect("a thinking line");
    assert_eq!(
        long[begin..].trim_end_matches("\u{1b}8").len(),
        59,
        "{long}"
    );
    let text = terminal.answer("c5");
    assert_parts(
        &text,
        &["\r\u{1b}[K\u{1b}[A\u{1b}[KGaur plays 1... c5 (White is 0.20 better, depth 9).\n"],
    );
    terminal.send("nopost");
    terminal.send("d4");
    assert_eq!(terminal.think(8, 20, "cxd4"), "");
}

#[test]
fn plain_output_consists_of_lines_with_piece_lists_and_words() {
    let mut terminal = Terminal::new(PLAIN);
    assert_eq!(terminal.take_text().lines().count(), 1);
    assert_eq!(terminal.send("e4"), "You play 1. e4.\n");
    assert_eq!(terminal.think(8, 20, "c5"), "");
    assert_eq!(terminal.answer("Nf6"), "Gaur plays 1... Nf6.\n");
    let text = terminal.send("board");
    assert_parts(
        &text,
        &[
            "White: king e1, queen d1, rooks a1 h1,",
            "Black: king e8,",
            "White to move.",
        ],
    );
    assert!(!text.contains('\u{1b}'));
    terminal.send("words");
    assert_eq!(terminal.send("e5"), "You play pawn e4 to e5.\n");
    assert_eq!(terminal.answer("Nd5"), "Gaur plays knight f6 to d5.\n");
    assert_parts(
        &terminal.send("moves"),
        &["king e1 to e2\n", "pawn a2 to a3\n"],
    );
}

#[test]
fn undo_takes_back_the_move_of_the_person() {
    let mut terminal = Terminal::new(LETTERS);
    assert_parts(&terminal.send("undo"), &["There is no move to take back."]);
    terminal.send("e4");
    // While Gaur is thinking.
    let text = terminal.send("undo");
    assert_parts(
        &text,
        &["Taken back: 1. e4.", " 2  P  P  P  P  P ", "Your move: "],
    );
    assert!(terminal.search.is_none() && terminal.machine.game().is_empty());
    terminal.send("d4");
    terminal.answer("d5");
    assert_parts(
        &terminal.send("undo"),
        &["Taken back: 1. d4 d5.", "Your move: "],
    );
    terminal.send("c4");
    assert_parts(&terminal.answer("c5"), &["Gaur plays 1... c5."]);
}

#[test]
fn gaur_begins_if_the_person_plays_black() {
    let mut terminal = Terminal::new(LETTERS);
    assert_parts(&terminal.send("new black"), &["You play Black."]);
    let text = terminal.answer("e4");
    assert_parts(
        &text,
        &[
            "Gaur plays 1. e4.",
            " 1  R  N  B  K ",
            "    h  g  f ",
            "Your move: ",
        ],
    );
    let text = terminal.send("undo");
    assert_parts(
        &text,
        &["Taken back: 1. e4.", "It is Gaur's turn. Type go."],
    );
    assert_parts(&terminal.send("e5"), &["It is Gaur's turn. Type go."]);
    terminal.send("go");
    assert_parts(&terminal.answer("d4"), &["Gaur plays 1. d4."]);
}

#[test]
fn wrong_moves_and_commands_are_explained() {
    let mut terminal = Terminal::new(LETTERS);
    for (line, part) in [
        ("e5", "e5 is not possible: "),
        ("Nd2", "Nd2 is not possible: "),
        ("hlep", "There is no command hlep. Did you mean help?"),
        ("xyzzy", "xyzzy is neither a move nor a command."),
        (
            "sd deep",
            "This command does not accept that argument: sd deep.",
        ),
        ("uci", "Gaur speaks the xboard protocol, not UCI."),
        ("option Hsah=3", "there is no such option"),
        ("variant chocolate", "Gaur does not play this variant"),
        ("exit", "There is no analysis to end."),
        ("level fast", "Write level 5"),
        ("level 0", "Write level 5"),
        ("st 0", "Gaur needs some time"),
        ("sd 3", "Gaur thinks at most 3 half-moves deep."),
        ("sd 1", "Gaur thinks at most 1 half-move deep."),
        ("sd 0", "The depth is not limited."),
        ("save", "Write the name of the file"),
        ("\u{1b}[2J", r"\u{1b}[2J is neither"),
    ] {
        assert_parts(&terminal.send(line), &[part, "Your move: "]);
    }
    terminal.send("e4");
    assert_parts(&terminal.send("d4"), &["Gaur is thinking."]);
}

#[test]
fn a_rejected_position_keeps_the_game() {
    let mut terminal = Terminal::new(PLAIN);
    terminal.send("e4");
    terminal.answer("e5");
    for (fen, reason) in [
        ("8/8/8/8/8/8/8/8 w - - 0 1", "White has no king"),
        (
            "4k3/8 w - - 0 1",
            "the FEN has 2 ranks, write 8 of them separated by /",
        ),
    ] {
        assert_eq!(
            terminal.send(&format!("setboard {fen}")),
            format!("This position is not possible: {reason}.\n")
        );
    }
    assert_eq!(terminal.send("undo"), "Taken back: 1. e4 e5.\n");
    terminal.send("e4");
    assert!(terminal.search.is_some());
}

#[test]
fn a_hint_is_the_expected_move_or_comes_from_an_analysis() {
    let mut terminal = Terminal::new(LETTERS);
    assert_parts(&terminal.send("hint"), &["Your move: "]);
    assert_eq!(terminal.think(5, 30, "d4"), "");
    let text = terminal.think(12, 30, "e4 e5");
    assert_parts(&text, &["Hint: 1. e4.", "Your move: "]);
    assert!(terminal.search.is_none());
    terminal.send("e4");
    terminal.answer("c5 Nf3");
    assert_parts(&terminal.send("hint"), &["Hint: 2. Nf3."]);
    assert!(terminal.search.is_none());
    // Another line ends the analysis and is carried out.
    terminal.send("Nc3");
    terminal.answer("Nc6");
    terminal.send("hint");
    assert_parts(&terminal.send("Nf3"), &[" 3  :  .  N  .  :  N  :  . "]);
    assert_parts(&terminal.answer("d6"), &["Gaur plays 3... d6."]);
}

#[test]
fn analysis_shows_lines_and_gives_the_game_back() {
    let mut terminal = Terminal::new(LETTERS);
    terminal.send("e4");
    terminal.answer("e5");
    assert_parts(&terminal.send("analyze"), &["Gaur analyses."]);
    assert_parts(
        &terminal.think(10, 30, "Nf3"),
        &["depth 10, White is 0.30 better: 2. Nf3"],
    );
    terminal.send("Nf3");
    assert_parts(
        &terminal.think(10, 0, "Nc6"),
        &["depth 10, equal: 2... Nc6"],
    );
    assert_parts(&terminal.send("undo"), &["Taken back: 2. Nf3."]);
    assert_parts(
        &terminal.send("exit"),
        &["The analysis has ended.", "Your move: "],
    );
    terminal.send("Bc4");
    assert_parts(&terminal.answer("Nf6"), &["Gaur plays 2... Nf6."]);
}

#[test]
fn the_end_of_a_game_is_announced() {
    let mut terminal = Terminal::new(LETTERS);
    terminal.send("f3");
    terminal.answer("e5");
    terminal.send("g4");
    let text = terminal.answer("Qh4");
    assert_parts(
        &text,
        &[
            "Gaur plays 2... Qh4#.",
            "Checkmate: Black wins (0-1).",
            "> ",
        ],
    );
    for line in ["e4", "draw"] {
        assert_parts(&terminal.send(line), &["The game is over. Type new"]);
    }
    assert_parts(
        &terminal.send("undo"),
        &["Taken back: 2. g4 Qh4#.", "Your move: "],
    );
    terminal.send("g3");
    terminal.answer("d5");
    assert_parts(&terminal.send("resign"), &["You resign. Black wins (0-1)."]);
}

#[test]
fn games_are_saved_as_pgn() {
    let mut terminal = Terminal::new(LETTERS);
    terminal.send("e4");
    terminal.answer("e5");
    terminal.send("save my game.pgn");
    let (path, text) = terminal.saved.remove(0);
    assert_eq!(path, "my game.pgn");
    assert_parts(
        &text,
        &[
            "[Date \"2026.11.25\"]",
            "[White \"Human\"]\n[Black \"Gaur ",
            "[Result \"*\"]\n\n1. e4 e5 *\n\n",
        ],
    );
    let saved = |result| {
        let steps = Terminal::new(LETTERS).client.on_saved("x.pgn", &result);
        format!("{steps:?}")
    };
    assert!(saved(Ok(Saved::Alone)).contains("The game is saved in x.pgn."));
    let added = "The game is added to the other games in x.pgn.";
    assert!(saved(Ok(Saved::Added)).contains(added));
    assert!(saved(Err("is full.".to_owned())).contains("x.pgn is full."));
}

#[test]
fn a_game_that_goes_on_has_no_result() {
    let mut terminal = Terminal::new(LETTERS);
    terminal.send("f3");
    terminal.answer("e5");
    terminal.send("resign");
    terminal.send("save x.pgn");
    assert!(terminal.saved.remove(0).1.contains("[Result \"0-1\"]"));
    terminal.send("remove");
    terminal.send("e4");
    terminal.answer("Nf6");
    terminal.send("save x.pgn");
    assert!(terminal.saved.remove(0).1.ends_with("\n1. e4 Nf6 *\n\n"));
}

#[test]
fn gaur_keeps_its_side_in_an_analysis() {
    let mut terminal = Terminal::new(LETTERS);
    terminal.send("e4");
    terminal.send("analyze");
    terminal.send("exit");
    assert_parts(&terminal.answer("e5"), &["Gaur plays 1... e5."]);
    terminal.send("pause");
    terminal.send("hint");
    terminal.send("Nf3");
    assert_parts(&terminal.answer("Nc6"), &["Gaur plays 2... Nc6."]);
    terminal.send("analyze");
    terminal.send("go");
    terminal.answer("Bb5");
    terminal.send("force");
    terminal.send("hint");
    terminal.send("a6");
    assert!(terminal.search.is_none());
}

#[test]
fn levels_are_confirmed_and_kept() {
    let mut terminal = Terminal::new(LETTERS);
    let text = terminal.send("level 5+3");
    assert_parts(
        &text,
        &["Each side has 5 minutes for the game, and 3 seconds more"],
    );
    terminal.send("new");
    assert_parts(
        &terminal.send("board"),
        &["Time left: Gaur 5:00, you 5:00."],
    );
    for line in ["level", "time"] {
        let parts = [
            "You do not lose when your time is over.",
            "Time left: Gaur 5:00, you 5:00.",
        ];
        assert_parts(&terminal.send(line), &parts);
    }
    assert_parts(
        &terminal.send("st 10"),
        &["Gaur thinks for at most 10 seconds per move."],
    );
    assert_parts(&terminal.send("level"), &["at most 10 seconds"]);
}

#[test]
fn edit_mode_gets_all_lines() {
    let mut terminal = Terminal::new(LETTERS);
    for line in ["force", "edit", "#", "Ke1", "Qd1", "c", "Ke8", "."] {
        terminal.send(line);
    }
    let text = terminal.send("pieces");
    assert_parts(&text, &["White: king e1, queen d1", "Black: king e8"]);
}

#[test]
fn quit_ends_the_program_and_the_last_line() {
    let mut terminal = Terminal::new(LETTERS);
    assert_eq!(terminal.client.leave(), Some("\n".to_owned()));
    assert_eq!(terminal.client.leave(), None);
    terminal.send("quit");
    assert!(terminal.has_quit);
}

#[test]
fn no_line_makes_the_client_panic() {
    let lines = [
        "",
        " ",
        "e",
        "e9",
        "undo 99",
        "level 99999999999999999999",
        "new new",
        "?",
        "undo",
        "go",
        "hint",
        "analyze",
        "hint",
        "exit",
        "exit",
        "draw",
        "resign",
        "resign",
        "force",
        "e4",
        "e5",
        "undo",
        "playother",
        "pause",
        "resume",
        "edit",
        "quit now",
        ".",
        "setboard x",
        "save x",
        "variant fischerandom",
        "moves",
        "words off",
        "pieces",
        "d",
        "remove",
        "remove",
        "memory 4",
        "new black",
        "undo",
        "go",
        "\u{fffd}",
        "ping 1",
        "bk",
    ];
    for start in 0..lines.len() {
        for style in [PLAIN, LETTERS] {
            let mut terminal = Terminal::new(style);
            for line in lines.iter().cycle().skip(start).take(lines.len()) {
                terminal.send(line);
                if terminal.search.is_some() && start % 2 == 0 {
                    let best = terminal.search.as_ref().and_then(|search| {
                        (search.purpose == Purpose::Play).then(|| search.position.legal_moves())
                    });
                    if let Some(mv) = best.and_then(|moves| moves.first().copied()) {
                        let request = terminal.search.take().expect("a search");
                        terminal.event(SearchEvent::Best {
                            id: request.id,
                            best: Some(mv),
                            ponder: None,
                            score: Score(0),
                            time: Duration::ZERO,
                            nodes: 1,
                            is_tablebase_draw: false,
                        });
                    }
                }
            }
        }
    }
}
