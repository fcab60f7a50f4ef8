//! The text of `gaur --version`.

use std::sync::LazyLock;

use crate::board::Board;
use crate::eval::Isa;

/// Version, commit, target and instruction sets, in lines that follow the name of the program.
pub static LONG_VERSION: LazyLock<String> = LazyLock::new(|| {
    let build = if cfg!(feature = "tuning") {
        ", tuning build"
    } else {
        ""
    };
    format!(
        "{}{build}\ncommit: {}\ntarget: {}\ninstruction sets: network {}, board {}",
        env!("CARGO_PKG_VERSION"),
        env!("GAUR_BUILD_COMMIT"),
        env!("GAUR_BUILD_TARGET"),
        Isa::best().name(),
        Board::instruction_set(),
    )
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_names_version_commit_target_and_instruction_sets() {
        let lines: Vec<&str> = LONG_VERSION.lines().collect();
        assert!(lines[0].starts_with(env!("CARGO_PKG_VERSION")), "{lines:?}");
        let commit = lines[1].strip_prefix("commit: ").expect("a commit");
        let digits = commit.strip_suffix(", modified").unwrap_or(commit);
        let is_hash = digits.len() == 12 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        assert!(is_hash || digits == "unknown", "{commit}");
        assert!(lines[2].contains(std::env::consts::ARCH), "{}", lines[2]);
        let network = format!("network {},", Isa::best().name());
        assert!(lines[3].contains(&network), "{}", lines[3]);
        assert_eq!(lines.len(), 4);
    }
}
