//! Texts of commands to an engine.

use std::time::Duration;

use shakmaty::{Color, fen::Fen};

use super::clean::clean;
use super::features::Features;
use super::options;
use super::types::{Clocks, EngineEvent, EngineSpec, GameSetup};

/// Time for the first moves of a game with an increment only.
const NO_BASE: Duration = Duration::from_secs(10);

/// Time for a move of a game without clocks, in seconds.
const UNTIMED_SECONDS: u32 = 30;

/// Returns `true` for a game without clocks.
pub(super) fn is_untimed(setup: &GameSetup) -> bool {
    setup.base.is_zero() && setup.increment.is_zero()
}

/// Returns the command for the time control.
pub(super) fn level(setup: &GameSetup) -> String {
    if is_untimed(setup) {
        return format!("st {UNTIMED_SECONDS}");
    }
    let base = if setup.base.is_zero() {
        NO_BASE
    } else {
        setup.base
    };
    // Less than a second would be no time at all.
    let seconds = base.as_secs().max(1);
    let base = match seconds % 60 {
        0 => (seconds / 60).to_string(),
        rest => format!("{}:{rest:02}", seconds / 60),
    };
    let increment = setup.increment.as_secs_f64();
    format!("level 0 {base} {increment}")
}

/// Returns the commands for the clocks.
pub(super) fn clocks(setup: &GameSetup, clocks: Clocks, features: &Features) -> Vec<String> {
    if !features.time || is_untimed(setup) {
        return Vec::new();
    }
    let centiseconds = |clock: Duration| (clock.as_millis() / 10).max(1);
    vec![
        format!("time {}", centiseconds(clocks.own)),
        format!("otim {}", centiseconds(clocks.opponent)),
    ]
}

/// Returns the commands that precede the position of a game.
pub(super) fn introduction(setup: &GameSetup, features: &Features, ponder: bool) -> Vec<String> {
    let mut lines = vec!["new".to_string()];
    if setup.variant.name() != "normal" {
        lines.push(format!("variant {}", clean(setup.variant.name())));
    }
    lines.push(level(setup));
    lines.push(if ponder { "hard" } else { "easy" }.to_string());
    lines.push("post".to_string());
    if features.ics && !setup.host.is_empty() {
        lines.push(format!("ics {}", clean(&setup.host)));
    }
    let has_rating = setup.own_rating.is_some() || setup.opponent_rating.is_some();
    if features.is_version_2 && has_rating {
        let rating = |rating: Option<u32>| rating.unwrap_or(0);
        lines.push(format!(
            "rating {} {}",
            rating(setup.own_rating),
            rating(setup.opponent_rating)
        ));
    }
    if features.name && !setup.opponent.is_empty() {
        lines.push(format!("name {}", clean(&setup.opponent)));
    }
    if setup.opponent_is_computer {
        lines.push("computer".to_string());
    }
    lines
}

/// Returns the commands for a position, in force mode after `new`, or `None` if they cannot express it.
pub(super) fn position(fen: &str, features: &Features) -> Option<Vec<String>> {
    if features.setboard {
        return Some(vec![format!("setboard {}", clean(fen))]);
    }
    fen.parse::<Fen>().ok().map(|fen| edit(&fen, features))
}

/// Returns the commands of the edit mode, for engines without `setboard`.
fn edit(fen: &Fen, features: &Features) -> Vec<String> {
    let setup = fen.as_setup();
    let mut lines = Vec::new();
    // The edit mode does not change the side to move: a move before it does.
    if setup.turn == Color::Black {
        let prefix = if features.usermove { "usermove " } else { "" };
        lines.push(format!(
            "{prefix}{}",
            if features.san { "a3" } else { "a2a3" }
        ));
    }
    lines.extend(["edit".to_string(), "#".to_string()]);
    for color in Color::ALL {
        if color == Color::Black {
            lines.push("c".to_string());
        }
        for (square, piece) in setup.board.iter().filter(|(_, piece)| piece.color == color) {
            lines.push(format!("{}{square}", piece.role.upper_char()));
        }
    }
    lines.push(".".to_string());
    lines
}

/// Returns the commands for the settings, and a warning for each one that the engine does not support.
pub(super) fn settings(spec: &EngineSpec, features: &Features) -> (Vec<String>, Vec<EngineEvent>) {
    let mut lines = Vec::new();
    let mut warnings = Vec::new();
    let mut warn = |text: String| warnings.push(EngineEvent::Warning(text));
    match spec.memory_mb {
        Some(memory) if features.memory => lines.push(format!("memory {memory}")),
        Some(_) => {
            warn("the engine does not announce `memory`: the size of its tables is not set".into())
        }
        None => {}
    }
    match spec.cores {
        Some(cores) if features.smp => lines.push(format!("cores {cores}")),
        Some(cores) if cores > 1 => {
            warn("the engine does not announce `smp`: the number of cores is not set".into())
        }
        _ => {}
    }
    for (kind, path) in &spec.egt {
        if features
            .egt
            .iter()
            .any(|known| known.eq_ignore_ascii_case(kind))
        {
            lines.push(format!("egtpath {} {}", clean(kind), clean(path)));
        } else {
            warn(format!(
                "the engine does not announce endgame tables of the kind `{kind}`"
            ));
        }
    }
    for (name, value) in &spec.options {
        match features
            .options
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
        {
            Some((known, description)) => match options::command(known, description, value) {
                Ok(line) => lines.push(line),
                Err(reason) => warn(format!("[engine.options]: {reason}")),
            },
            None => warn(format!("the engine does not announce the option `{name}`")),
        }
    }
    lines.extend(spec.init_lines.iter().map(|line| clean(line)));
    (lines, warnings)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timed(base: u64, increment: u64) -> GameSetup {
        GameSetup {
            base: Duration::from_secs(base),
            increment: Duration::from_secs(increment),
            ..GameSetup::default()
        }
    }

    #[test]
    fn the_time_control_has_minutes_and_seconds() {
        assert_eq!(level(&timed(300, 2)), "level 0 5 2");
        assert_eq!(level(&timed(90, 0)), "level 0 1:30 0");
        assert_eq!(level(&timed(5, 0)), "level 0 0:05 0");
        assert_eq!(level(&timed(0, 3)), "level 0 0:10 3");
        assert_eq!(level(&timed(0, 0)), "st 30");
        let half = GameSetup {
            increment: Duration::from_millis(500),
            ..timed(60, 0)
        };
        assert_eq!(level(&half), "level 0 1 0.5");
    }

    #[test]
    fn a_clock_is_never_zero() {
        let none = Clocks {
            own: Duration::ZERO,
            opponent: Duration::from_millis(61_239),
        };
        let lines = clocks(&timed(60, 0), none, &Features::default());
        assert_eq!(lines, ["time 1", "otim 6123"]);
        let silent = Features {
            time: false,
            ..Features::default()
        };
        assert!(clocks(&timed(60, 0), none, &silent).is_empty());
    }

    #[test]
    fn a_position_without_setboard_is_edited() {
        let lines = position("4k3/8/8/8/8/8/P7/4K3 b - - 0 1", &Features::default());
        let expected = ["a2a3", "edit", "#", "Ke1", "Pa2", "c", "Ke8", "."].map(String::from);
        assert_eq!(lines, Some(expected.to_vec()));
        assert_eq!(position("nonsense", &Features::default()), None);
        let modern = Features {
            usermove: true,
            ..Features::default()
        };
        let lines = position("4k3/8/8/8/8/8/P7/4K3 b - - 0 1", &modern).unwrap_or_default();
        assert_eq!(lines.first().map(String::as_str), Some("usermove a2a3"));
    }

    #[test]
    fn settings_are_sent_if_they_are_announced() {
        let spec = EngineSpec {
            options: [
                ("contempt", "5"),
                ("Own Book", "false"),
                ("Clear", "1"),
                ("Other", "x"),
            ]
            .map(|(name, value)| (name.to_string(), value.to_string()))
            .to_vec(),
            memory_mb: Some(64),
            cores: Some(2),
            egt: vec![
                ("syzygy".into(), "/tables".into()),
                ("gaviota".into(), "/other".into()),
            ],
            init_lines: vec!["log on".into()],
            ..EngineSpec::default()
        };
        let option = |name: &str, kind: &str| (name.to_string(), kind.to_string());
        let features = Features {
            memory: true,
            egt: vec!["syzygy".into()],
            options: vec![
                option("Contempt", "spin"),
                option("Own Book", "check"),
                option("Clear", "button"),
            ],
            ..Features::default()
        };
        let (lines, warnings) = settings(&spec, &features);
        let expected = [
            "memory 64",
            "egtpath syzygy /tables",
            "option Contempt=5",
            "option Own Book=0",
            "option Clear",
            "log on",
        ];
        assert_eq!(lines, expected);
        assert_eq!(warnings.len(), 3, "{warnings:?}");
    }
}
