//! Validator of values: ranges, names, texts for the server, contradictions.

use std::fmt::Display;
use std::ops::RangeInclusive;

use super::{Challenges, Config, SeekGame};

/// Variants that the client can play.
const VARIANTS: [&str; 2] = ["normal", "fischerandom"];

/// Greatest base time in minutes and increment in seconds that servers accept.
const MAX_TIME: u32 = 999;

/// Greatest rating that servers accept.
const MAX_RATING: u32 = 9999;

/// Greatest length of an account name, as in lines of the server. FICS allows 17 characters, other servers more.
const MAX_NAME: usize = 40;

/// Greatest length of a line for the server. FICS cuts off longer ones.
const MAX_LINE: usize = 400;

/// Minutes of a day.
const DAY: u32 = 24 * 60;

/// Keys of the configuration file.
pub(super) struct Presence<'a> {
    /// Returns `true` if the file contains a path.
    pub(super) is_set: &'a dyn Fn(&str) -> bool,
    /// Returns `true` if the value at a path cannot be read, so that the configuration has its default.
    pub(super) is_left_out: &'a dyn Fn(&str) -> bool,
}

/// Returns all values that are not allowed, as path and message.
pub(super) fn findings(config: &Config, presence: &Presence<'_>) -> Vec<(String, String)> {
    let mut checks = Validator {
        presence,
        found: Vec::new(),
    };
    checks.server(config);
    checks.engine(config);
    checks.challenges(&config.challenges);
    checks.seeks(config);
    checks.game(config);
    checks.reports(config);
    checks.found
}

/// Checks the name of an account and returns it.
///
/// # Errors
///
/// Returns a message if no server would accept the name.
pub(crate) fn account_name(name: &str) -> Result<String, String> {
    let letters = |character: char| character.is_ascii_alphanumeric() || "-_".contains(character);
    if name.len() > MAX_NAME
        || !name.starts_with(|first: char| first.is_ascii_alphabetic())
        || !name.chars().all(letters)
    {
        return Err(format!(
            "`{}` is no account name: it begins with a letter and has at most {MAX_NAME} letters, digits, `-` and `_`",
            name.escape_debug()
        ));
    }
    Ok(name.to_owned())
}

/// Checks the name or address of a server and returns it.
///
/// # Errors
///
/// Returns a message if the text is empty or contains spaces or control characters.
pub(crate) fn host_name(name: &str) -> Result<String, String> {
    if name.is_empty() || name.chars().any(|c| c.is_whitespace() || c.is_control()) {
        return Err("expected the name or address of a server, such as freechess.org".to_owned());
    }
    // An address of version 6 has more colons.
    if let Some((host, port)) = name.split_once(':')
        && port.chars().all(|c| c.is_ascii_digit())
    {
        return Err(format!(
            "`{name}` contains a port: write `{host}` here, and {port} in `port` or --port"
        ));
    }
    Ok(name.to_owned())
}

/// A running check with its findings.
struct Validator<'a> {
    presence: &'a Presence<'a>,
    found: Vec<(String, String)>,
}

impl Validator<'_> {
    fn server(&mut self, config: &Config) {
        let server = &config.server;
        self.result("server.host", host_name(&server.host));
        self.range("server.port", server.port, 1..=u16::MAX);
        if !server.account.is_empty() {
            self.result("server.account", account_name(&server.account));
        }
        if server.guest && !server.account.is_empty() {
            self.add(
                "server.guest",
                "a guest has no account; remove `account`, or set `guest = false`".to_owned(),
            );
        }
        for (index, line) in server.commands.iter().enumerate() {
            self.line(&format!("server.commands[{}]", index + 1), line);
        }
        self.range("server.reconnect_min", server.reconnect_min, 1..=3600);
        self.range("server.reconnect_max", server.reconnect_max, 0..=86400);
        if server.reconnect_max > 0 {
            self.ordered(
                ("server.reconnect_min", server.reconnect_min),
                ("server.reconnect_max", server.reconnect_max),
            );
        }
        self.range("server.login_timeout", server.login_timeout, 5..=600);
        if server.keep_alive != 0 && !(30..=3600).contains(&server.keep_alive) {
            self.add(
                "server.keep_alive",
                "allowed: 0 (off) and 30 to 3600".to_owned(),
            );
        }
    }

    fn engine(&mut self, config: &Config) {
        let engine = &config.engine;
        self.range("engine.share", engine.share, 1..=1024);
        self.range("engine.start_timeout", engine.start_timeout, 1..=3600);
        self.range("engine.stall_timeout", engine.stall_timeout, 5..=3600);
        if engine.command.0.first().is_some_and(String::is_empty) {
            self.add(
                "engine.command",
                "the name of the program is empty".to_owned(),
            );
        }
        for word in &engine.command.0 {
            if word.contains('\0') {
                self.add("engine.command", "contains a zero character".to_owned());
            }
        }
        for (name, value) in &engine.options {
            let path = format!("engine.options.{name}");
            if name.is_empty() || name.contains('=') || has_control(name) {
                self.add(
                    &path,
                    "the name of an option is empty or contains `=` or control characters"
                        .to_owned(),
                );
            }
            if has_control(&value.0) {
                self.add(&path, "the value contains control characters".to_owned());
            }
        }
        for (kind, place) in &engine.tablebases {
            let path = format!("engine.tablebases.{kind}");
            if kind.is_empty() || kind.chars().any(|c| c.is_whitespace() || c.is_control()) {
                self.add(
                    &path,
                    "a kind of tablebases is one word, such as `syzygy`".to_owned(),
                );
            }
            if place.is_empty() || has_control(place) {
                self.add(&path, "expected the path of the tables".to_owned());
            }
        }
        for (index, line) in engine.init_lines.iter().enumerate() {
            if has_control(line) {
                self.add(
                    &format!("engine.init_lines[{}]", index + 1),
                    "contains control characters; each element is one line".to_owned(),
                );
            }
        }
    }

    fn challenges(&mut self, rules: &Challenges) {
        let path = |key: &str| format!("challenges.{key}");
        for (key, value, limit) in [
            ("base_min", rules.base_min, MAX_TIME),
            ("base_max", rules.base_max, MAX_TIME),
            ("increment_min", rules.increment_min, MAX_TIME),
            ("increment_max", rules.increment_max, MAX_TIME),
            ("duration_min", rules.duration_min, DAY),
            ("duration_max", rules.duration_max, DAY),
            ("rating_min", rules.rating_min, MAX_RATING),
            ("rating_max", rules.rating_max, MAX_RATING),
            ("games_in_row", rules.games_in_row, 10_000),
            ("pause_after", rules.pause_after, 10_000),
        ] {
            self.range(&path(key), value, 0..=limit);
        }
        self.range(&path("pause"), rules.pause, 1..=DAY);
        for (low, least, high, most) in [
            ("base_min", rules.base_min, "base_max", rules.base_max),
            (
                "increment_min",
                rules.increment_min,
                "increment_max",
                rules.increment_max,
            ),
            (
                "duration_min",
                rules.duration_min,
                "duration_max",
                rules.duration_max,
            ),
            (
                "rating_min",
                rules.rating_min,
                "rating_max",
                rules.rating_max,
            ),
        ] {
            self.ordered((&path(low), least), (&path(high), most));
        }
        for (index, variant) in rules.variants.iter().enumerate() {
            self.variant(&format!("challenges.variants[{}]", index + 1), variant);
        }
        if rules.variants.is_empty() {
            self.add(
                "challenges.variants",
                "no variant is left; to decline all challenges, set `accept = false`".to_owned(),
            );
        }
        if !rules.rated && !rules.unrated {
            let path = if (self.presence.is_set)("challenges.rated") {
                "challenges.rated"
            } else {
                "challenges.unrated"
            };
            self.add(
                path,
                "no games are accepted, rated or unrated; to decline all challenges, set `accept = false`".to_owned(),
            );
        }
        self.names("challenges.noplay", &rules.noplay);
        self.names("challenges.prefer", &rules.prefer);
        for (index, name) in rules.prefer.iter().enumerate() {
            if rules
                .noplay
                .iter()
                .any(|other| other.eq_ignore_ascii_case(name))
            {
                self.add(
                    &format!("challenges.prefer[{}]", index + 1),
                    format!("`{name}` is in `noplay`, too"),
                );
            }
        }
        let is_known = !(self.presence.is_left_out)("challenges.prefer");
        if rules.prefer_only && rules.prefer.is_empty() && is_known {
            self.add(
                "challenges.prefer_only",
                "no player is accepted, because `prefer` is empty".to_owned(),
            );
        }
    }

    fn seeks(&mut self, config: &Config) {
        self.range("seek.after", config.seek.after, 0..=86400);
        self.range("seek.every", config.seek.every, 30..=86400);
        for (index, game) in config.seek.games.iter().enumerate() {
            self.seek_game(&format!("seek.games[{}]", index + 1), game, config);
        }
    }

    fn seek_game(&mut self, path: &str, game: &SeekGame, config: &Config) {
        self.range(&format!("{path}.base"), game.base, 0..=MAX_TIME);
        self.range(&format!("{path}.increment"), game.increment, 0..=MAX_TIME);
        if game.base == 0 && game.increment == 0 {
            self.add(
                &format!("{path}.base"),
                "no time: `base` and `increment` are 0".to_owned(),
            );
        }
        self.variant(&format!("{path}.variant"), &game.variant);
        let (low, high) = (format!("{path}.rating_min"), format!("{path}.rating_max"));
        self.range(&low, game.rating_min, 0..=MAX_RATING);
        self.range(&high, game.rating_max, 0..=MAX_RATING);
        self.ordered((&low, game.rating_min), (&high, game.rating_max));
        if game.rated && config.server.guest {
            self.add(
                &format!("{path}.rated"),
                "a guest cannot play rated games; set `rated = false`".to_owned(),
            );
        }
    }

    fn game(&mut self, config: &Config) {
        self.range("rematch.games", config.rematch.games, 1..=1000);
        self.range("takeback.half_moves", config.takeback.half_moves, 1..=600);
        self.range("takeback.per_game", config.takeback.per_game, 0..=1000);
        self.range("abort.before_move", config.abort.before_move, 1..=1000);
        self.line("chat.greeting", &config.chat.greeting);
        self.line("chat.goodbye", &config.chat.goodbye);
        self.placeholders("chat.greeting", &config.chat.greeting);
        self.placeholders("chat.goodbye", &config.chat.goodbye);
        self.range("chat.every", config.chat.every, 1..=1000);
        self.names("owners.names", &config.owners.names);
        for (index, name) in config.owners.names.iter().enumerate() {
            // Names of guests are free for everybody. Other mistakes in the name are reported already.
            let is_guest = name
                .get(..5)
                .is_some_and(|start| start.eq_ignore_ascii_case("guest"));
            if is_guest && account_name(name).is_ok() {
                self.add(
                    &format!("owners.names[{}]", index + 1),
                    format!("`{name}` is the name of a guest, which every person can get"),
                );
            }
        }
    }

    fn reports(&mut self, config: &Config) {
        self.range("log.size", config.log.size, 1..=10_000);
        self.range("log.count", config.log.count, 1..=1000);
        self.range("shutdown.limit", config.shutdown.limit, 1..=u64::from(DAY));
        let files = [
            ("record.pgn", &config.record.pgn),
            ("log.file", &config.log.file),
            ("status.json", &config.status.json),
        ];
        for (index, (path, file)) in files.iter().enumerate() {
            let Some(file) = file else { continue };
            if file.as_os_str().is_empty() {
                self.add(
                    path,
                    "the name of the file is empty; remove the key to switch it off".to_owned(),
                );
            }
            let earlier = files
                .iter()
                .take(index)
                .find(|(_, other)| other.as_ref() == Some(file));
            if let Some((other, _)) = earlier {
                self.add(path, format!("`{other}` names the same file"));
            }
        }
    }

    fn add(&mut self, path: &str, message: String) {
        self.found.push((path.to_owned(), message));
    }

    fn result(&mut self, path: &str, result: Result<String, String>) {
        if let Err(message) = result {
            self.add(path, message);
        }
    }

    fn range<T: PartialOrd + Display>(&mut self, path: &str, value: T, allowed: RangeInclusive<T>) {
        if !allowed.contains(&value) {
            let (least, most) = (allowed.start(), allowed.end());
            self.add(
                path,
                format!("{value} is not allowed; allowed: {least} to {most}"),
            );
        }
    }

    /// Reports a minimum above its maximum at the key that the file contains.
    fn ordered<T: PartialOrd + Display>(&mut self, low: (&str, T), high: (&str, T)) {
        let is_known = |path| !(self.presence.is_left_out)(path);
        if low.1 <= high.1 || !is_known(low.0) || !is_known(high.0) {
            return;
        }
        let key = |path: &str| path.rsplit('.').next().unwrap_or_default().to_owned();
        if (self.presence.is_set)(low.0) {
            let message = format!("{} is greater than {} = {}", low.1, key(high.0), high.1);
            self.add(low.0, message);
        } else {
            let message = format!("{} is less than {} = {}", high.1, key(low.0), low.1);
            self.add(high.0, message);
        }
    }

    fn names(&mut self, path: &str, names: &[String]) {
        for (index, name) in names.iter().enumerate() {
            self.result(&format!("{path}[{}]", index + 1), account_name(name));
        }
    }

    fn variant(&mut self, path: &str, variant: &str) {
        if !VARIANTS.contains(&variant) {
            let allowed = VARIANTS.join(", ");
            self.add(
                path,
                format!("`{variant}` is not supported; allowed: {allowed}"),
            );
        }
    }

    /// Checks the names in braces of a message.
    fn placeholders(&mut self, path: &str, text: &str) {
        for part in text.split('{').skip(1) {
            if let Some((name, _)) = part.split_once('}')
                && !["opponent", "engine"].contains(&name)
            {
                let message =
                    format!("`{{{name}}}` is not known; allowed: {{opponent}}, {{engine}}");
                self.add(path, message);
            }
        }
    }

    /// Checks a text that is sent to the server.
    fn line(&mut self, path: &str, line: &str) {
        if !line.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
            self.add(
                path,
                "contains other characters than printable ASCII, which servers do not accept"
                    .to_owned(),
            );
        } else if line.len() > MAX_LINE {
            self.add(
                path,
                format!("has {} characters; allowed: {MAX_LINE}", line.len()),
            );
        }
    }
}

fn has_control(text: &str) -> bool {
    text.chars().any(char::is_control)
}
