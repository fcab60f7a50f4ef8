//! The command line: version, completions, manual page and wrong arguments.

use std::path::Path;
use std::process::{Command, Output};

use crate::engine::program_with;

/// Runs the program with empty input.
fn run(arguments: &[&str]) -> Output {
    program_with(arguments)
        .stdin(std::process::Stdio::null())
        .output()
        .expect("the program can be started")
}

/// Runs the program, checks that it succeeds without errors, and returns its output.
fn output(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).expect("text")
}

/// Returns the commands that the help of a command lists, and the commands of these, each with its words.
fn commands(before: &[&str]) -> Vec<Vec<String>> {
    let help = output(&[before, &["--help"]].concat());
    let Some((_, list)) = help.split_once("Commands:\n") else {
        return Vec::new();
    };
    let names = list
        .lines()
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next())
        .filter(|&name| name != "help");
    let mut commands = Vec::new();
    for name in names {
        let words = [before, &[name]].concat();
        commands.push(words.iter().map(|&word| word.to_owned()).collect());
        commands.extend(self::commands(&words));
    }
    commands
}

/// Returns the long arguments that the help of a command lists, without their hyphens.
fn arguments(help: &str) -> Vec<String> {
    let name = |line: &str| {
        let mut words = line.split_whitespace();
        let first = words.next().filter(|word| word.starts_with('-'))?;
        // A short argument precedes the long one.
        let long = if first.starts_with("--") {
            first
        } else {
            words.next()?
        };
        long.strip_prefix("--").map(str::to_owned)
    };
    let is_own = |name: &String| name != "help";
    help.lines().filter_map(name).filter(is_own).collect()
}

#[test]
fn the_version_names_the_commit_of_the_source() {
    assert_eq!(
        output(&["-V"]),
        format!("gaur {}\n", env!("CARGO_PKG_VERSION"))
    );
    let text = output(&["--version"]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], format!("gaur {}", env!("CARGO_PKG_VERSION")));
    let commit = lines[1].strip_prefix("commit: ").expect("a commit");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    if root.join(".git").exists() {
        let git = Command::new("git")
            .args(["rev-parse", "--short=12", "HEAD"])
            .current_dir(root)
            .output();
        let head = git.expect("git is installed where there is a repository");
        if head.status.success() {
            let head = String::from_utf8(head.stdout).expect("text");
            assert!(commit.starts_with(head.trim_end()), "{commit}, not {head}");
        }
    }
    assert!(lines[2].contains("linux"), "{}", lines[2]);
    assert!(
        lines[3].starts_with("instruction sets: network "),
        "{}",
        lines[3]
    );
    assert_eq!(lines.len(), 4);
}

#[test]
fn completions_and_the_manual_page_know_all_commands_and_arguments() {
    let page = output(&["man"]);
    assert!(page.contains("\n.TH GAUR 6 "));
    let scripts = ["bash", "zsh", "fish", "elvish", "powershell"]
        .map(|shell| output(&["completions", shell]));
    let mut count = 0;
    for command in commands(&[]) {
        let words: Vec<&str> = command.iter().map(String::as_str).collect();
        let help = output(&[&words[..], &["--help"]].concat());
        let entry = format!("\n.SS \"gaur {}", words.join(" "));
        assert!(page.contains(&entry), "{command:?} in the manual page");
        for script in &scripts {
            let is_known = words.iter().all(|word| script.contains(word));
            assert!(is_known, "{command:?} in\n{script}");
        }
        for argument in arguments(&help) {
            count += 1;
            let entry = format!("\\-\\-{}\\fR", argument.replace('-', "\\-"));
            assert!(page.contains(&entry), "{argument} in the manual page");
            for script in &scripts {
                assert!(script.contains(&argument), "{argument} in\n{script}");
            }
        }
    }
    assert!(count >= 15, "{count} arguments");
    for argument in arguments(&output(&["--help"])) {
        let entry = format!("\\-\\-{argument}\\fR");
        assert!(page.contains(&entry), "{argument} in the manual page");
    }
}

#[test]
fn wrong_arguments_end_the_program_with_status_2() {
    for arguments in [
        &["--unknown"][..],
        &["--set"],
        &["--settings"],
        &["completions", "tcsh"],
        // These arguments are for the engine, not for a command that would ignore them.
        &["--set", "MultiPV=2", "bench"],
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
        assert!(output.stdout.is_empty(), "{arguments:?}: {output:?}");
        assert!(output.stderr.starts_with(b"error: "), "{output:?}");
    }
}

#[test]
fn arguments_before_a_command_are_explained() {
    for argument in [
        &["--set", "MultiPV=2"][..],
        &["--settings", "x"],
        &["--plain"],
    ] {
        let output = run(&[argument, &["bench"]].concat());
        assert_eq!(output.status.code(), Some(2), "{argument:?}: {output:?}");
        let error = String::from_utf8_lossy(&output.stderr);
        let expected = "error: arguments before 'bench' are for a game; write those of 'bench' after it, and list \
                        them with 'gaur help bench'\n";
        assert!(error.starts_with(expected), "{error}");
    }
}

#[test]
fn an_unknown_command_after_arguments_is_reported_as_without_them() {
    for arguments in [&["bnch"][..], &["help"]] {
        let after = run(&[&["--plain"], arguments].concat());
        let alone = run(arguments);
        assert_eq!(after.status, alone.status, "{arguments:?}: {after:?}");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert_eq!(text(&after.stdout), text(&alone.stdout), "{arguments:?}");
        assert_eq!(text(&after.stderr), text(&alone.stderr), "{arguments:?}");
    }
    let error = run(&["--plain", "bnch"]).stderr;
    let error = String::from_utf8_lossy(&error);
    assert!(error.contains("unrecognized subcommand 'bnch'"), "{error}");
    assert!(error.contains("'bench'"), "{error}");
}
