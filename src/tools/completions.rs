//! `gaur completions`: completion scripts for shells.

use std::io::{self, Write};

use clap_complete::Shell;

/// Arguments of `gaur completions`.
#[derive(Clone, Debug, clap::Args)]
pub struct CompletionsArgs {
    /// Shell to write the script for
    pub shell: Shell,
}

/// Prints the script that completes the arguments of `command`.
///
/// # Errors
/// Returns an error if the script cannot be written.
pub fn run_completions(
    args: &CompletionsArgs,
    mut command: clap::Command,
    out: &mut impl Write,
) -> io::Result<()> {
    let name = command.get_name().to_owned();
    // The generator panics if it cannot write.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, name, &mut script);
    out.write_all(&script)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shell_completes_commands_and_arguments() {
        for shell in [
            Shell::Bash,
            Shell::Zsh,
            Shell::Fish,
            Shell::Elvish,
            Shell::PowerShell,
        ] {
            let bench = clap::Command::new("bench").arg(clap::Arg::new("depth").long("depth"));
            let command = clap::Command::new("gaur").subcommand(bench);
            let mut script = Vec::new();
            run_completions(&CompletionsArgs { shell }, command, &mut script).expect("memory");
            let script = String::from_utf8(script).expect("text");
            for word in ["gaur", "bench", "depth"] {
                assert!(script.contains(word), "{word} in the script for {shell}");
            }
        }
    }
}
