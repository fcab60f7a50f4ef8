//! Tests of the configuration file.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::*;

pub(super) fn parse(text: &str) -> Result<Config, Vec<Problem>> {
    Config::parse(text, Path::new("gaur.toml")).map_err(|error| match error {
        ConfigError::Invalid { problems, .. } => problems,
        other => panic!("{other}"),
    })
}

/// Returns the only finding, as text.
fn problem(text: &str) -> String {
    let problems = parse(text).expect_err(text);
    assert_eq!(problems.len(), 1, "{problems:?}");
    problems[0].to_string()
}

/// Returns the example with all its keys set: those with defaults, and with `examples` the others.
fn example(examples: bool) -> String {
    let mut text = String::new();
    for line in EXAMPLE.lines() {
        let key = line
            .strip_prefix('#')
            .filter(|rest| rest.starts_with(|first: char| first.is_ascii_alphabetic()));
        match key {
            Some(key) if key.ends_with("# example") == examples => text.push_str(key),
            Some(_) => {}
            None => text.push_str(line),
        }
        text.push('\n');
    }
    text
}

#[test]
fn empty_file_has_the_defaults() {
    assert_eq!(parse("").unwrap(), Config::default());
    assert_eq!(parse(EXAMPLE).unwrap(), Config::default());
    assert_eq!(
        parse("\u{feff}[server]\r\nport = 5000\r\n").unwrap(),
        Config::default()
    );
}

#[test]
fn example_states_the_defaults() {
    assert_eq!(parse(&example(false)).unwrap(), Config::default());
}

#[test]
fn example_values_are_valid() {
    let config = parse(&example(true)).unwrap();
    assert_eq!(config.server.account, "YourAccount");
    assert_eq!(
        config.engine.options["Resign"],
        OptionValue("900".to_owned())
    );
    assert_eq!(config.seek.games.len(), 2);
}

#[test]
fn example_documents_every_key() {
    let keys_of = |value: &serde_json::Value| -> BTreeSet<String> {
        let sections = value.as_object().unwrap();
        sections
            .iter()
            .flat_map(|(section, keys)| {
                let keys = keys.as_object().unwrap();
                keys.keys().map(move |key| format!("{section}.{key}"))
            })
            .collect()
    };
    let known = keys_of(&serde_json::to_value(Config::default()).unwrap());
    let mut stated = BTreeSet::new();
    for examples in [false, true] {
        let table: toml::Table = toml::from_str(&example(examples)).unwrap();
        stated.extend(keys_of(&serde_json::to_value(table).unwrap()));
    }
    assert_eq!(stated, known);
    let game = serde_json::to_value(SeekGame::default()).unwrap();
    for (key, value) in game.as_object().unwrap() {
        let key = format!("{key} = {value}");
        assert!(EXAMPLE.replace("\n# ", " ").contains(&key), "{key}");
    }
}

#[test]
fn unknown_key_names_the_nearest() {
    let text = problem("[server]\nhots = \"a\"\n");
    assert!(
        text.starts_with(
            "2:1: server.hots: unknown key `hots`; did you mean `host`? Allowed: host, port,"
        ),
        "{text}"
    );
    let text = problem("[chalenges]\naccept = true\n");
    assert!(
        text.contains("unknown section [chalenges]; did you mean `challenges`?"),
        "{text}"
    );
    assert!(text.starts_with("1:2: chalenges: "), "{text}");
    let text = problem("[challenges]\nrating-min = 5\n");
    assert!(text.contains("did you mean `rating_min`?"), "{text}");
    let text = problem("seek = { games = [{ base = 5 }, { bse = 5 }] }");
    assert!(
        text.starts_with("1:35: seek.games[2].bse: unknown key `bse`; did you mean `base`?"),
        "{text}"
    );
}

#[test]
fn key_in_a_wrong_section_names_the_right_one() {
    assert_eq!(
        problem("\n[server]\n  call_flag = true"),
        "3:3: server.call_flag: unknown key `call_flag`; it belongs to the section [clock]"
    );
    assert_eq!(
        problem("pgn = \"a.pgn\""),
        "1:1: pgn: unknown key `pgn`; it belongs to the section [record]"
    );
}

#[test]
fn wrong_types_name_what_is_expected() {
    assert_eq!(
        problem("[server]\nport = \"x\""),
        "2:8: server.port: found string \"x\", expected an integer from 1 to 65535"
    );
    assert_eq!(
        problem("[server]\nport = 70000"),
        "2:8: server.port: found integer `70000`, expected an integer from 1 to 65535"
    );
    assert_eq!(
        problem("[server]\ntimeseal = 1"),
        "2:12: server.timeseal: found integer `1`, expected true or false"
    );
    assert_eq!(
        problem("[challenges]\nbase_min = -1"),
        "2:12: challenges.base_min: found integer `-1`, expected an integer that is not negative"
    );
    assert_eq!(
        problem("[owners]\nnames = \"Me\""),
        "2:9: owners.names: found string \"Me\", expected a list in square brackets"
    );
    assert_eq!(
        problem("[shutdown]\non_term = \"finsh\""),
        "2:11: shutdown.on_term: `finsh` is not allowed; did you mean `finish`? Allowed: finish, adjourn"
    );
    assert_eq!(
        problem("[engine]\nmemory = \"much\""),
        "2:10: engine.memory: found string \"much\", expected a positive number, \"auto\" or \"engine\""
    );
    assert_eq!(
        problem("server = 1"),
        "1:10: server: found integer `1`, expected a section"
    );
}

#[test]
fn syntax_errors_have_a_position() {
    let text = problem("[server]\nhost = \"ä\nport = 1");
    assert!(text.starts_with("2:"), "{text}");
    assert!(text.contains("not TOML: "), "{text}");
    let text = problem("[server]\nport = 1\nport = 2");
    assert!(text.starts_with("3:1: not TOML: "), "{text}");
}

#[test]
fn columns_count_characters() {
    let text = problem("chat = { greeting = \"\", goodbye = \"\", every = 0 } # ä");
    assert!(
        text.starts_with("1:47: chat.every: 0 is not allowed; allowed: 1 to 1000"),
        "{text}"
    );
    let text = problem("engine = { options = { \"äöü\" = 1 }, share = 0 }");
    assert!(text.starts_with("1:45: engine.share: "), "{text}");
}

#[test]
fn password_in_the_file_is_refused() {
    for text in [
        "password = \"x\"",
        "[server]\npassword = \"hunter2\"",
        "[login]\npassword = 5",
    ] {
        let text = problem(text);
        assert!(
            text.contains("`password_file`") && text.contains("GAUR_ICS_PASSWORD"),
            "{text}"
        );
        assert!(!text.contains("hunter2"), "{text}");
    }
    assert!(parse("[engine.options]\npassword = \"x\"").is_ok());
}

#[test]
fn all_values_out_of_range_are_named() {
    let text = "[server]\nport = 0\nkeep_alive = 3\n\
        [challenges]\nbase_max = 5000\nvariants = [\"normal\", \"suicide\"]\n";
    let found: Vec<String> = parse(text)
        .unwrap_err()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        found,
        [
            "2:8: server.port: 0 is not allowed; allowed: 1 to 65535",
            "3:14: server.keep_alive: allowed: 0 (off) and 30 to 3600",
            "5:12: challenges.base_max: 5000 is not allowed; allowed: 0 to 999",
            "6:23: challenges.variants[2]: `suicide` is not supported; allowed: normal, fischerandom",
        ]
    );
    let error = Config::parse(text, Path::new("a/b.toml"))
        .unwrap_err()
        .to_string();
    assert_eq!(error.lines().count(), 4);
    assert!(error.starts_with("a/b.toml:2:8: server.port: "), "{error}");
}

#[test]
fn all_mistakes_are_named_in_one_run() {
    let text = "[server]\nhots = \"a\"\nport = \"x\"\ntimeseal = 1\nkeep_alive = 3\npassword = \"hunter2\"\n\
        [chalenges]\naccept = true\nrated = 5\n\
        [challenges]\nbase_min = 90\nbase_max = \"y\"\nprefer = [\"A\", 5, 6]\nprefer_only = true\n\
        [engine.options]\nA = [1]\nB = 2\nC = [2]\n\
        [seek]\ngames = [{ base = 5 }, { bse = 5, base = \"x\" }, { increment = 5000 }]\n\
        [owners]\nnames = [\"Guest 1\"]\n";
    let problems = parse(text).unwrap_err();
    let shown = problems.iter().map(ToString::to_string);
    assert!(!shown.clone().any(|text| text.contains("hunter2")));
    let places: Vec<(usize, usize, &str)> = problems
        .iter()
        .map(|problem| (problem.line, problem.column, problem.key.as_str()))
        .collect();
    assert_eq!(
        places,
        [
            (2, 1, "server.hots"),
            (3, 8, "server.port"),
            (4, 12, "server.timeseal"),
            (5, 14, "server.keep_alive"),
            (6, 1, "server.password"),
            (7, 2, "chalenges"),
            (12, 12, "challenges.base_max"),
            (13, 16, "challenges.prefer[2]"),
            (13, 19, "challenges.prefer[3]"),
            (16, 5, "engine.options.A"),
            (18, 5, "engine.options.C"),
            (20, 26, "seek.games[2].bse"),
            (20, 42, "seek.games[2].base"),
            (22, 10, "owners.names[1]"),
        ],
        "{:#?}",
        shown.collect::<Vec<_>>()
    );
    // The values that can be read are checked as well.
    let text = "[server]\nport = \"x\"\n[challenges]\nbase_min = 90\n";
    assert_eq!(parse(text).unwrap_err().len(), 2);
}

#[test]
fn contradictions_are_named_at_a_key_of_the_file() {
    for (text, start) in [
        (
            "[challenges]\nbase_min = 90",
            "2:12: challenges.base_min: 90 is greater than base_max = 60",
        ),
        (
            "[challenges]\nbase_max = 5\nbase_min = 6",
            "3:12: challenges.base_min: ",
        ),
        (
            "[server]\nreconnect_max = 3",
            "2:17: server.reconnect_max: 3 is less than reconnect_min = 5",
        ),
        (
            "[challenges]\nrated = false\nunrated = false",
            "2:9: challenges.rated: no games",
        ),
        ("[challenges]\nvariants = []", "2:12: challenges.variants: "),
        (
            "[challenges]\nprefer_only = true",
            "2:15: challenges.prefer_only: ",
        ),
        (
            "[challenges]\nnoplay = [\"A\"]\nprefer = [\"b\", \"a\"]",
            "3:16: challenges.prefer[2]: `a` is in",
        ),
        (
            "[server]\nguest = true\n[seek]\ngames = [{}]",
            "4:10: seek.games[1].rated: a guest",
        ),
        (
            "[server]\nguest = true\naccount = \"A\"",
            "2:9: server.guest: a guest has no account",
        ),
        (
            "[seek]\ngames = [{ base = 0 }]",
            "2:19: seek.games[1].base: no time",
        ),
        (
            "[record]\npgn = \"a\"\n[log]\nfile = \"a\"",
            "4:8: log.file: `record.pgn` names the same file",
        ),
        (
            "[log]\nfile = \"\"",
            "2:8: log.file: the name of the file is empty",
        ),
    ] {
        let found = problem(text);
        assert!(found.starts_with(start), "{found}");
    }
    assert!(parse("[server]\nreconnect_max = 0").is_ok());
}

#[test]
fn names_and_lines_are_checked() {
    for (text, start) in [
        (
            "[server]\naccount = \"quit; x\"",
            "2:11: server.account: `quit; x` is no account name",
        ),
        ("[server]\naccount = \"1abc\"", "2:11: server.account: "),
        ("[server]\nhost = \"\"", "2:8: server.host: "),
        (
            "[server]\ncommands = [\"set x 1\", \"a\\nb\"]",
            "2:24: server.commands[2]: ",
        ),
        (
            "[chat]\ngreeting = \"Grüße\"",
            "2:12: chat.greeting: contains other characters",
        ),
        (
            "[owners]\nnames = [\"GuestABCD\"]",
            "2:10: owners.names[1]: `GuestABCD` is the name of a guest",
        ),
        ("[engine.options]\n\"a=b\" = 1", "2:9: engine.options.a=b: "),
        (
            "[engine.options]\nName = \"x\\ny\"",
            "2:8: engine.options.Name: ",
        ),
        (
            "[engine.tablebases]\n\"a b\" = \"/x\"",
            "2:9: engine.tablebases.a b: ",
        ),
        (
            "[engine]\ninit_lines = [\"a\\nb\"]",
            "2:15: engine.init_lines[1]: ",
        ),
        (
            "[engine]\ncommand = \"'fairymax\"",
            "2:11: engine.command: the quotation mark ' is not closed",
        ),
    ] {
        let found = problem(text);
        assert!(found.starts_with(start), "{found}");
    }
    assert!(host_name("::1").is_ok() && host_name("a b").is_err());
}

#[test]
fn command_lines_are_split() {
    let words = |text: &str| CommandLine::split(text).map(|line| line.0);
    assert_eq!(words("fairymax").unwrap(), ["fairymax"]);
    assert_eq!(
        words("  a  'b c' d\"e f\"g '' ").unwrap(),
        ["a", "b c", "de fg", ""]
    );
    assert_eq!(words("C:\\x\\y.exe -a").unwrap(), ["C:\\x\\y.exe", "-a"]);
    assert!(words("").unwrap().is_empty());
    assert!(words("a \"b").is_err());
    let config = parse("[engine]\ncommand = [\"a b\", \"c\"]").unwrap();
    assert_eq!(config.engine.command.0, ["a b", "c"]);
}

#[test]
fn option_values_become_text() {
    let text = "[engine.options]\nA = true\nB = false\nC = -5\nD = \"x y\"\n";
    let options = parse(text).unwrap().engine.options;
    let values: Vec<&str> = options.values().map(|value| value.0.as_str()).collect();
    assert_eq!(values, ["1", "0", "-5", "x y"]);
    assert!(
        problem("[engine.options]\nA = [1]").contains("expected a text, an integer, true or false")
    );
}

#[test]
fn paths_are_resolved() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.toml");
    std::fs::write(
        &file,
        "[server]\npassword_file = \"p\"\n[record]\npgn = \"g.pgn\"\n",
    )
    .unwrap();
    let config = Config::load(&file).unwrap();
    assert_eq!(config.server.password_file, Some(folder.path().join("p")));
    assert_eq!(config.record.pgn, Some(PathBuf::from("g.pgn")));

    let mut config = parse(
        "[engine]\ncommand = \"~/e -x\"\n[log]\nfile = \"~/l\"\n[server]\npassword_file = \"/p\"",
    )
    .unwrap();
    config.resolve_paths(Path::new("/etc"), Some(Path::new("/home/a")));
    assert_eq!(config.engine.command.0, ["/home/a/e", "-x"]);
    assert_eq!(config.log.file, Some(PathBuf::from("/home/a/l")));
    assert_eq!(config.server.password_file, Some(PathBuf::from("/p")));
}

#[test]
fn folders_of_tablebases_may_be_in_the_home_folder() {
    let places = |folders: [&str; 2]| {
        let places = std::env::join_paths(folders).unwrap();
        places.to_string_lossy().into_owned()
    };
    let mut config = Config::default();
    let tables = &mut config.engine.tablebases;
    tables.insert("syzygy".to_owned(), places(["~/a", "/b"]));
    config.resolve_paths(Path::new("/etc"), Some(Path::new("/home/a")));
    let found = Path::new("/home/a").join("a");
    assert_eq!(
        config.engine.tablebases["syzygy"],
        places([&found.to_string_lossy(), "/b"])
    );
}

#[test]
fn positions_of_values_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.toml");
    std::fs::write(&file, "[record]\npgn = \"g.pgn\"\n").unwrap();
    assert_eq!(Config::position(&file, "record.pgn"), Some((2, 7)));
    assert_eq!(Config::position(&file, "log.file"), None);
}

#[test]
fn unreadable_file_is_named() {
    let error = Config::load(Path::new("/nonexistent/gaur.toml")).unwrap_err();
    assert!(
        error.to_string().starts_with("/nonexistent/gaur.toml: "),
        "{error}"
    );
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.toml");
    std::fs::write(&file, b"[server]\nhost = \"\xff\"").unwrap();
    assert!(
        Config::load(&file)
            .unwrap_err()
            .to_string()
            .contains("UTF-8")
    );
}

#[test]
fn account_or_guest_is_required() {
    let text = Config::default().require_account().unwrap_err().to_string();
    assert!(text.contains("--guest"), "{text}");
    assert!(
        parse("[server]\nguest = true")
            .unwrap()
            .require_account()
            .is_ok()
    );
    assert!(
        parse("[server]\naccount = \"A\"")
            .unwrap()
            .require_account()
            .is_ok()
    );
}
