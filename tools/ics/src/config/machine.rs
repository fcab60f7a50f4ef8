//! Memory and processors of the machine, divided among the accounts on it.

use super::{Amount, Engine};

/// Least memory of an engine in megabytes.
const MIN_MEMORY_MB: u32 = 16;

/// Memory that all accounts together do not exceed automatically, in megabytes.
const MAX_AUTOMATIC_MEMORY_MB: u64 = 4096;

/// Memory that another engine than Gaur does not exceed automatically, in megabytes: Fairy-Max cannot count more.
const MAX_FOREIGN_MEMORY_MB: u64 = 1024;

/// Memory and processors of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Machine {
    /// Memory in megabytes, if known.
    pub memory_mb: Option<u64>,
    /// Number of processors that this process may use.
    pub processors: u32,
}

impl Machine {
    /// Measures this machine. The memory is known on Linux only.
    pub fn measure() -> Self {
        Self {
            memory_mb: std::fs::read_to_string("/proc/meminfo")
                .ok()
                .and_then(|text| total_memory(&text)),
            processors: std::thread::available_parallelism()
                .map_or(1, |count| u32::try_from(count.get()).unwrap_or(u32::MAX)),
        }
    }
}

/// Returns the total memory in megabytes from the text of `/proc/meminfo`.
fn total_memory(text: &str) -> Option<u64> {
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes / 1024)
}

impl Engine {
    /// Returns the megabytes for `memory`; `None`: the engine keeps its default.
    ///
    /// `"auto"` is a quarter of the machine's memory, at most 4 GB, divided by [`Engine::share`]: at least 16 MB, and
    /// at most 1 GB for another engine than Gaur.
    pub fn memory_mb(&self, machine: &Machine) -> Option<u32> {
        match self.memory {
            Amount::Unset => None,
            Amount::Number(number) => Some(number),
            Amount::Auto => {
                let all = (machine.memory_mb? / 4).min(MAX_AUTOMATIC_MEMORY_MB);
                let part = all / u64::from(self.share.max(1));
                let most = if self.is_gaur() {
                    MAX_AUTOMATIC_MEMORY_MB
                } else {
                    MAX_FOREIGN_MEMORY_MB
                };
                let part = u32::try_from(part.min(most)).ok()?;
                Some(part.max(MIN_MEMORY_MB))
            }
        }
    }

    /// Returns `true` if the program has the name of Gaur.
    fn is_gaur(&self) -> bool {
        self.command.0.first().is_none_or(|program| {
            let name = std::path::Path::new(program).file_stem();
            name.is_some_and(|name| name.eq_ignore_ascii_case("gaur"))
        })
    }

    /// Returns the number of threads for `cores`; `None`: the engine keeps its default.
    ///
    /// `"auto"` is the number of processors divided by [`Engine::share`], at least 1.
    pub fn thread_count(&self, machine: &Machine) -> Option<u32> {
        match self.cores {
            Amount::Unset => None,
            Amount::Number(number) => Some(number),
            Amount::Auto => Some((machine.processors / self.share.max(1)).max(1)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn engine(memory: Amount, cores: Amount, share: u32) -> Engine {
        Engine {
            memory,
            cores,
            share,
            ..Engine::default()
        }
    }

    #[test]
    fn automatic_amounts_are_divided() {
        let machine = Machine {
            memory_mb: Some(8000),
            processors: 6,
        };
        for (share, memory, threads) in [(1, 2000, 6), (2, 1000, 3), (4, 500, 1), (1000, 16, 1)] {
            let engine = engine(Amount::Auto, Amount::Auto, share);
            assert_eq!(engine.memory_mb(&machine), Some(memory));
            assert_eq!(engine.thread_count(&machine), Some(threads));
        }
        let large = Machine {
            memory_mb: Some(1_000_000),
            ..machine
        };
        for (command, share, memory) in [
            ("", 1, 4096),
            ("", 4, 1024),
            ("/opt/gaur", 2, 2048),
            ("fairymax", 1, 1024),
            ("/usr/games/fairymax", 8, 512),
        ] {
            let engine = Engine {
                command: crate::config::CommandLine::split(command).expect("words"),
                ..engine(Amount::Auto, Amount::Auto, share)
            };
            assert_eq!(engine.memory_mb(&large), Some(memory), "{command} {share}");
        }
    }

    #[test]
    fn numbers_are_not_divided() {
        let machine = Machine {
            memory_mb: None,
            processors: 1,
        };
        let set = engine(Amount::Number(64), Amount::Number(3), 2);
        assert_eq!(set.memory_mb(&machine), Some(64));
        assert_eq!(set.thread_count(&machine), Some(3));
        let unset = engine(Amount::Unset, Amount::Unset, 2);
        assert_eq!(unset.memory_mb(&machine), None);
        assert_eq!(unset.thread_count(&machine), None);
        assert_eq!(
            engine(Amount::Auto, Amount::Auto, 1).memory_mb(&machine),
            None
        );
    }

    #[test]
    fn memory_of_linux_is_read() {
        let text = "MemTotal:        8062072 kB\nMemFree:          100 kB\n";
        assert_eq!(total_memory(text), Some(7873));
        assert_eq!(total_memory("MemFree: 1 kB"), None);
        assert_eq!(total_memory("MemTotal: x kB"), None);
        assert!(Machine::measure().processors > 0);
    }
}
