//! Parser of recordings: `> ` host to engine, `< ` engine to host, `# ` comments, times and gaps.

use std::fs;
use std::path::Path;
use std::time::Duration;

/// A recorded conversation.
#[derive(Clone, Debug)]
pub struct Recording {
    /// File name without extension.
    pub name: String,
    /// One section for each engine that was started.
    pub sections: Vec<Section>,
    /// Number of recorded moves that a simulated search can play: `# moves as recorded: N`.
    pub moves_as_recorded: usize,
}

/// Conversation with one engine.
#[derive(Clone, Debug)]
pub struct Section {
    /// Subject of the section.
    pub title: String,
    /// Set if the section contains the first line of a host. Version 1 of the protocol has only `xboard`.
    pub greets: bool,
    /// Events in order.
    pub events: Vec<Event>,
}

/// Event of a recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// `> LINE`
    Sent(String),
    /// `< move M`
    Moved(String),
    /// `< LINE` that the host waited for: a pong, the last feature, or an error.
    Answered(String),
    /// `# +1.50 s`
    Passed(Duration),
    /// `# ... some lines left out ...`
    LeftOut,
}

/// Returns all recordings of a folder, sorted by name.
pub fn load_all(folder: &Path) -> Result<Vec<Recording>, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut recordings = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| error.to_string())?.path();
        if path.extension().is_some_and(|extension| extension == "txt") {
            recordings.push(Recording::load(&path)?);
        }
    }
    recordings.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(recordings)
}

impl Recording {
    fn load(path: &Path) -> Result<Recording, String> {
        let name = path
            .file_stem()
            .and_then(|name| name.to_str())
            .unwrap_or("");
        let text =
            fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let mut sections: Vec<Section> = Vec::new();
        let mut title = text.lines().next().unwrap_or("").to_string();
        let mut fresh = true;
        let mut moves_as_recorded = 0;
        for (number, line) in text.lines().enumerate() {
            if let Some(next) = line.strip_prefix("# ---- ") {
                title = next.to_string();
                fresh = true;
                continue;
            }
            if let Some(count) = line.strip_prefix("# moves as recorded: ") {
                moves_as_recorded = count
                    .parse()
                    .map_err(|_| format!("{}: `{line}` has no number", path.display()))?;
                continue;
            }
            let event = event(line)
                .map_err(|error| format!("{}:{}: {error}", path.display(), number + 1))?;
            let Some(event) = event else { continue };
            if fresh {
                fresh = false;
                sections.push(Section {
                    title: title.clone(),
                    greets: false,
                    events: Vec::new(),
                });
            }
            if let Some(section) = sections.last_mut() {
                section.greets |= ["xboard", "protover 2", "uci"]
                    .map(|line| Event::Sent(line.to_string()))
                    .contains(&event);
                section.events.push(event);
            }
        }
        Ok(Recording {
            name: name.to_string(),
            sections,
            moves_as_recorded,
        })
    }
}

fn event(line: &str) -> Result<Option<Event>, String> {
    if let Some(sent) = line.strip_prefix('>') {
        return Ok(Some(Event::Sent(sent.trim().to_string())));
    }
    if let Some(text) = line.strip_prefix("< move ") {
        return Ok(Some(Event::Moved(text.to_string())));
    }
    if let Some(text) = line.strip_prefix("< ") {
        return Ok(Some(Event::Answered(text.to_string())));
    }
    if let Some(text) = line.strip_prefix("# +") {
        let seconds = text.trim_end_matches(" s").parse::<f64>();
        let seconds = seconds.map_err(|error| error.to_string())?;
        return Ok(Some(Event::Passed(Duration::from_secs_f64(seconds))));
    }
    if line.contains("left out") {
        return Ok(Some(Event::LeftOut));
    }
    if line.starts_with('#') {
        return Ok(None);
    }
    Err(format!("`{line}` is no line of a recording"))
}

/// Returns `true` if a word of a host has the form of a move.
pub fn looks_like_move(word: &str) -> bool {
    let bytes = word.as_bytes();
    word.starts_with("O-O")
        || (matches!(bytes.len(), 4 | 5)
            && bytes[..4]
                .chunks(2)
                .all(|pair| (b'a'..=b'h').contains(&pair[0]) && (b'1'..=b'8').contains(&pair[1])))
}
