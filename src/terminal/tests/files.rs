//! Names of files and folders.

use super::{PLAIN, Terminal};

#[test]
fn a_tilde_at_the_beginning_of_a_file_name_is_the_home_folder() {
    let mut terminal = Terminal::new(PLAIN);
    terminal.take_text();
    for (line, answer) in [
        (
            "option LogFolder=~/logs",
            "Gaur opens a log in /home/ann/logs.",
        ),
        ("set LogFolder = ~", "Gaur opens a log in /home/ann."),
        ("option LogFolder=~bob", "Gaur opens a log in ~bob."),
        ("option LogFolder=a~/b", "Gaur opens a log in a~/b."),
        ("option Greeting=~/x", "Greeting is ~/x."),
    ] {
        assert_eq!(terminal.send(line).trim_end(), answer);
    }
    for (line, path) in [
        ("save ~/my game.pgn", "/home/ann/my game.pgn"),
        ("save \"~/x.pgn\"", "/home/ann/x.pgn"),
        ("save x~.pgn", "x~.pgn"),
    ] {
        terminal.send(line);
        assert_eq!(terminal.saved.remove(0).0, path);
    }
}

#[test]
fn each_folder_of_tablebases_may_begin_with_a_tilde() {
    let mut terminal = Terminal::new(PLAIN);
    terminal.take_text();
    let separator = if cfg!(windows) { ";" } else { ":" };
    for (typed, folders) in [
        (&["~/a"][..], &["/home/ann/a"][..]),
        (&["~"], &["/home/ann"]),
        (
            &["/x", "~/a b", "~/c"],
            &["/x", "/home/ann/a b", "/home/ann/c"],
        ),
        (&["~/a", " ~/b"], &["/home/ann/a", " /home/ann/b"]),
        (&["\"~/a b\"", "\"/x\""], &["\"/home/ann/a b\"", "\"/x\""]),
        (&["/x~/a", "~bob/c", "d~"], &["/x~/a", "~bob/c", "d~"]),
    ] {
        let (typed, folders) = (typed.join(separator), folders.join(separator));
        for command in ["egtpath syzygy ", "option SyzygyPath=", "set syzygypath="] {
            terminal.send("egtpath syzygy");
            assert_eq!(
                terminal.send(&format!("{command}{typed}")),
                format!("{folders} does not exist. Gaur plays on without tablebases.\n"),
                "{command}"
            );
        }
    }
}
