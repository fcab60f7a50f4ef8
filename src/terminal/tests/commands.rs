//! Commands that are silent for a GUI: a person gets an answer to each.

use super::{LETTERS, PLAIN, Terminal, assert_parts};
use crate::rules::Variant;

#[test]
fn commands_of_the_protocol_are_confirmed() {
    for style in [PLAIN, LETTERS] {
        let mut terminal = Terminal::new(style);
        terminal.take_text();
        for (line, answer) in [
            ("option Resign=600", "Resign is 600."),
            ("option greeting=", "Greeting is empty."),
            (
                "option resign",
                "Resign is 600. Write option Resign=VALUE to change it.",
            ),
            (
                "option SettingsFile",
                "SettingsFile is empty. Write option SettingsFile=VALUE to change it.",
            ),
            ("set MultiPV=2", "MultiPV is 2."),
            ("set MultiPV=1", "MultiPV is 1."),
            ("option ClearHash", "ClearHash is carried out."),
            (
                "option ResetSettings",
                "All options have their default values.",
            ),
            ("option LogNote=x", "No log is open."),
            ("option LogFolder=/x", "Gaur opens a log in /x."),
            ("memory 68", "The hash table has 59 MB."),
            ("cores 2", "Gaur searches with 2 threads."),
            ("cores 1", "Gaur searches with 1 thread."),
            ("hard", "Gaur thinks while you think, too."),
            ("easy", "Gaur thinks about its own moves only."),
            (
                "random",
                "Gaur varies its moves if you set the option Variety",
            ),
            ("option Variety=20", "Variety is 20."),
            ("random", "Gaur varies its moves already: Variety is 20."),
            ("resume", "The game is not paused."),
            ("post", "Gaur's thinking is shown."),
            ("post off", "Gaur's thinking is hidden."),
            ("nopost", "Gaur's thinking is hidden."),
            ("pause", "The game is paused. Type resume to continue."),
            ("resume", "The game is not paused."),
            ("force", "White to move. Gaur plays neither side"),
            ("playother", "White to move: you play White."),
            (
                "variant fischerandom",
                "The variant is fischerandom. new 960",
            ),
            ("variant normal", "The variant is normal. White to move"),
            ("white", "You play White."),
            ("time 6000", "Gaur has 1:00 left."),
            ("otim 6000", "You have 1:00 left."),
            ("nps 1000", "Gaur's clock counts 1000 nodes as a second."),
            ("?", "Gaur is not thinking."),
            (".", "Gaur reports its progress while it thinks"),
            ("bk", "Gaur plays without an opening book."),
            ("book", "Gaur plays without an opening book."),
            ("name Ann", "Gaur's opponent is Ann."),
            ("name \u{1b}x", r"Gaur's opponent is \u{1b}x."),
            ("computer", "Gaur's opponent is a program."),
            (
                "rating 2000 1800",
                "The rating of Gaur is 2000, that of its opponent 1800",
            ),
            (
                "ics freechess.org",
                "Gaur plays as on the server freechess.org, and prints its messages",
            ),
            ("ics -", "Gaur plays as in a game without a server."),
            ("partner Ann", "Gaur does not play bughouse."),
            ("accepted usermove", "Only programs need this command"),
            ("protover 1", "Only programs need this command"),
            ("lift e5", "There is nothing to highlight."),
            ("reset", "This command has no effect."),
            ("Xboard", "A GUI writes xboard in small letters."),
            ("remove", "There are no two moves to take back."),
            ("analyze", "Gaur analyses."),
            ("analyze", "Gaur analyses already."),
            ("hint", "There is no hint yet."),
            ("exclude e4", "Gaur does not search these moves."),
            ("include e4", "Gaur searches these moves, too."),
            ("exclude all", "Gaur searches only moves that you include."),
            ("include all", "Gaur searches all moves."),
            ("exit", "The analysis has ended."),
        ] {
            let text = terminal.send(line);
            assert_parts(&text, &[answer]);
            let answers = text.lines().filter(|line| line.contains(answer)).count();
            assert_eq!(answers, 1, "{line}: {text}");
        }
    }
}

#[test]
fn paths_of_tablebases_are_confirmed() {
    let mut terminal = Terminal::new(PLAIN);
    for (line, answer) in [
        (
            "egtpath syzygy /x",
            "/x does not exist. Gaur plays on without tablebases.\n",
        ),
        ("egtpath syzygy", "Gaur plays without tablebases.\n"),
        (
            "egtpath nalimov /x",
            "Gaur reads Syzygy tablebases only: egtpath syzygy FOLDER.\n",
        ),
    ] {
        terminal.take_text();
        assert_eq!(terminal.send(line), answer);
    }
}

#[test]
fn a_result_is_saved_with_its_game() {
    let mut terminal = Terminal::new(PLAIN);
    let saved = |terminal: &mut Terminal| {
        terminal.send("save x.pgn");
        terminal.saved.remove(0).1
    };
    terminal.send("e4");
    terminal.answer("e5");
    assert_eq!(
        terminal.send("result 1-0 {Black resigns}"),
        "The game is over (1-0). Type new for another game, or undo.\n"
    );
    assert_parts(&saved(&mut terminal), &["[Result \"1-0\"]"]);
    for line in ["new", "force", "e4", "e5"] {
        terminal.send(line);
    }
    assert_eq!(
        terminal.send("result 1/2-1/2"),
        "The result of this game is 1/2-1/2.\n"
    );
    assert_parts(&saved(&mut terminal), &["[Result \"1/2-1/2\"]"]);
    terminal.send("Nf3");
    assert_parts(&saved(&mut terminal), &["[Result \"*\"]"]);
}

#[test]
fn a_rejected_command_is_not_confirmed() {
    let mut terminal = Terminal::new(PLAIN);
    terminal.take_text();
    for (line, answer) in [
        (
            "option Hsah=3",
            "Hsah: there is no such option; type option for a list.\n",
        ),
        (
            "option Resign=no",
            "Resign: the option cannot have this value, only 0 to 10000.\n",
        ),
        (
            "variant chocolate",
            "Gaur does not play this variant: variant chocolate. It plays normal and fischerandom.\n",
        ),
        (
            "SaveSettings",
            "SaveSettings is an option. Write option SaveSettings.\n",
        ),
        (
            "option SaveSettings",
            "SaveSettings: first name a file in the option SettingsFile\n",
        ),
    ] {
        assert_eq!(terminal.send(line), answer, "{line}");
    }
    let text = terminal.send("setboard 8/8/8/8/8/8/8/8 w - - 0 1");
    assert_eq!(text.lines().count(), 1, "{text}");
}

#[test]
fn errors_of_the_start_are_followed_by_a_prompt() {
    let mut terminal = Terminal::new(LETTERS);
    terminal.take_text();
    crate::terminal::on_errors(&mut terminal, &["one".to_owned(), "two".to_owned()]);
    assert_eq!(
        terminal.take_text(),
        "\r\u{1b}[Kgaur: one\ngaur: two\nYour move: "
    );
}

#[test]
fn missing_arguments_are_explained() {
    let mut terminal = Terminal::new(PLAIN);
    terminal.take_text();
    for (line, answer) in [
        (
            "setboard",
            "Write setboard and a position in FEN, such as setboard ",
        ),
        ("variant", "Write variant normal or variant fischerandom;"),
        ("memory", "Write memory and a number of megabytes,"),
        (
            "new game",
            "This command does not accept that argument: new game. Write new, new black, new 960",
        ),
        (
            "post maybe",
            "This command does not accept that argument: post maybe. Write post or nopost.",
        ),
        (
            "ping",
            "ping needs an argument. Programs send this command,",
        ),
        ("setscore", "setscore needs an argument. Programs send"),
        (
            "time soon",
            "This command does not accept that argument: time soon. Programs send it,",
        ),
        (
            "Variety 30",
            "Variety is an option. Write option Variety=30.",
        ),
        ("option", "option NAME=VALUE changes an option"),
    ] {
        let text = terminal.send(line);
        assert!(text.starts_with(answer), "{line}: {text}");
    }
    terminal.send("option Variety=30");
    assert_parts(
        &terminal.send("option"),
        &[
            "\n  MoveOverhead=30\n",
            "\n  Variety=30\n",
            "\n  SaveSettings\n",
        ],
    );
}

#[test]
fn a_superfluous_argument_costs_no_game() {
    let mut terminal = Terminal::new(PLAIN);
    terminal.send("e4");
    terminal.answer("e5");
    for (line, answer) in [
        (
            "Resign = 600",
            "Resign is an option. Write option Resign=600.\n",
        ),
        (
            "resign now",
            "This command has no argument: resign now. Write resign alone.\n",
        ),
        (
            "undo 3",
            "This command has no argument: undo 3. Write undo alone.\n",
        ),
    ] {
        assert_eq!(terminal.send(line), answer, "{line}");
    }
    assert_eq!(terminal.machine.game().len(), 2);
    terminal.send("save x.pgn");
    assert!(terminal.saved.remove(0).1.contains("[Result \"*\"]"));
}

#[test]
fn a_set_up_position_is_shown_with_the_side_to_move() {
    let black = "setboard 4k3/4p3/8/8/8/8/8/4K3 b - - 0 1";
    let gaur =
        "Black to move. Gaur plays Black: type go to let it move, or black to play Black yourself.";
    let mut terminal = Terminal::new(PLAIN);
    terminal.take_text();
    assert_eq!(
        terminal.send(black),
        format!("White: king e1\nBlack: king e8, pawn e7\n{gaur}\n")
    );
    let mut terminal = Terminal::new(LETTERS);
    terminal.take_text();
    assert_parts(&terminal.send(black), &[" 8  .  :  .  :  k ", gaur, "> "]);
    terminal.send("go");
    assert_parts(
        &terminal.answer("e5"),
        &["Gaur plays 1... e5.", "Your move: "],
    );
    terminal.send(black);
    assert_parts(&terminal.send("black"), &["You play Black.", "Your move: "]);
    assert_parts(
        &terminal.send("setboard 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"),
        &["The game is drawn by stalemate"],
    );
}

#[test]
fn a_draw_is_accepted_after_the_move_of_gaur() {
    for style in [PLAIN, LETTERS] {
        let mut terminal = Terminal::new(style);
        terminal.send("option DrawScore=1000");
        terminal.send("draw");
        terminal.send("e4");
        assert_parts(
            &terminal.answer("e5"),
            &["Gaur plays 1... e5.", "Gaur accepts: the game is drawn."],
        );
        assert_parts(&terminal.send("d4"), &["The game is over."]);
        terminal.send("save x.pgn");
        let text = &terminal.saved[0].1;
        assert_parts(text, &["[Result \"1/2-1/2\"]", "1. e4 e5 1/2-1/2"]);
    }
}

#[test]
fn remove_takes_back_a_move_of_each_side() {
    let mut terminal = Terminal::new(PLAIN);
    terminal.send("e4");
    terminal.answer("e5");
    assert_eq!(terminal.send("remove"), "Taken back: 1. e4 e5.\n");
    assert!(terminal.machine.game().is_empty());
}

#[test]
fn edit_mode_explains_itself_and_shows_the_board() {
    for style in [PLAIN, LETTERS] {
        let mut terminal = Terminal::new(style);
        terminal.take_text();
        for (line, answer) in [
            ("edit", "Edit mode: change the position"),
            ("#", "The board is empty."),
            ("Ke1", "White: king e1."),
            ("help", "Edit mode: change the position"),
            ("c", "The pieces that follow are Black."),
            ("Ke8", "Black: king e8."),
            ("Pe7", "Black: pawn e7."),
            ("xe7", "e7 is empty."),
            ("Ke9", "Ke9 is no line of edit mode."),
            (
                "new",
                "new is no line of edit mode. Write a piece such as Ke1, a dot to end edit mode, cancel",
            ),
            ("Pd7", "Black: pawn d7."),
        ] {
            assert_parts(&terminal.send(line), &[answer]);
        }
        let board = match style.has_cursor {
            true => " 7  :  .  :  p ",
            false => "Black: king e8, pawn d7\n",
        };
        assert_parts(
            &terminal.send("."),
            &[board, "White to move: you play White."],
        );
    }
}

#[test]
fn edit_mode_keeps_the_game_until_another_position_is_complete() {
    for style in [PLAIN, LETTERS] {
        let mut terminal = Terminal::new(style);
        terminal.send("e4");
        assert_parts(&terminal.send("edit"), &["Gaur is thinking."]);
        terminal.answer("e5");
        for (lines, answer) in [
            (
                ["edit", "."].as_slice(),
                "The position is the same. White to move: you play White.",
            ),
            (
                &["edit", "xe1", "."],
                "This position is not possible: White has no king. Change it, or write cancel",
            ),
            (
                &["exit"],
                "The position stays as it was. White to move: you play White.",
            ),
            (&["edit", "#", "cancel"], "The position stays as it was."),
        ] {
            let text: String = lines.iter().map(|line| terminal.send(line)).collect();
            assert_parts(&text, &[answer]);
            assert_eq!(terminal.machine.game().len(), 2, "{lines:?}");
        }
        terminal.send("Nf3");
        assert_parts(&terminal.answer("Nc6"), &["Gaur plays 2... Nc6."]);
        for line in ["edit", "xf3", "."] {
            terminal.send(line);
        }
        assert!(terminal.machine.game().is_empty());
        terminal.send("edit");
        terminal.send("q");
        assert!(terminal.has_quit);
    }
}

#[test]
fn an_analysis_prints_nothing_in_edit_mode_and_continues_after_it() {
    let mut terminal = Terminal::new(LETTERS);
    terminal.send("analyze");
    assert_parts(&terminal.send("edit"), &["Edit White: "]);
    assert_eq!(terminal.think(8, 20, "e4"), "");
    terminal.send("cancel");
    assert_parts(&terminal.think(9, 20, "e4"), &["depth 9, "]);
}

#[test]
fn the_prompt_of_edit_mode_names_the_colour() {
    let mut terminal = Terminal::new(LETTERS);
    assert_parts(&terminal.send("edit"), &["Edit White: "]);
    assert_parts(&terminal.send("c"), &["Edit Black: "]);
}

#[test]
fn a_game_of_fischer_random_begins_at_a_random_position() {
    let mut terminal = Terminal::new(LETTERS);
    terminal.take_text();
    assert_parts(
        &terminal.send("new 960"),
        &[
            "New game of Fischer Random chess. You play White.",
            " 1  B  B  Q  N  N  R  K  R ",
        ],
    );
    terminal.send("e4");
    terminal.answer("e5");
    assert_parts(&terminal.send("new 960 black"), &["You play Black."]);
    assert_parts(&terminal.answer("e4"), &["Gaur plays 1. e4."]);
    assert_eq!(terminal.machine.game().variant(), Variant::Fischerandom);
    assert_parts(
        &terminal.send("new"),
        &["New game. You play White.", " 1  R  N  B  Q  K "],
    );
    assert_eq!(terminal.machine.game().variant(), Variant::Standard);
}

#[test]
fn the_move_on_which_gaur_ponders_is_not_shown() {
    let mut terminal = Terminal::new(PLAIN);
    terminal.send("hard");
    terminal.send("e4");
    assert_eq!(terminal.answer("e5 Nf3"), "Gaur plays 1... e5.\n");
    assert_eq!(terminal.send("hint"), "Hint: 2. Nf3.\n");
}

#[test]
fn a_person_can_choose_the_side() {
    let mut terminal = Terminal::new(LETTERS);
    let white_below = " 1  R  N  B  Q  K  B  N  R ";
    let black_below = " 1  R  N  B  K  Q  B  N  R ";
    let parts = ["You play White.", white_below, "Your move: "];
    assert_parts(&terminal.send("white"), &parts);
    assert_parts(&terminal.send("black"), &["You play Black.", black_below]);
    assert_parts(&terminal.send("white"), &["Gaur is thinking."]);
    assert_parts(
        &terminal.answer("e4"),
        &["Gaur plays 1. e4.", "Your move: "],
    );
    // The side that was not to move.
    assert_parts(&terminal.send("white"), &["You play White."]);
    assert_parts(&terminal.answer("f6"), &["Gaur plays 1... f6."]);
    for line in ["analyze", "force"] {
        terminal.send(line);
        let parts = ["You play White.", white_below, "Your move: "];
        assert_parts(&terminal.send("WHITE"), &parts);
    }
    terminal.send("a3");
    terminal.answer("g5");
    terminal.send("Qh5");
    for line in ["white", "black"] {
        assert_parts(&terminal.send(line), &["The game is over."]);
    }
    terminal.send("force");
    assert_parts(&terminal.send("black"), &["The game is over."]);
}
