//! A limit on the memory of the process (`ulimit -v`, `ulimit -d`).
//!
//! The C library of Linux (glibc) reserves 64 MB of address space for each thread that allocates memory, as long as the
//! limit allows it. Which threads get theirs depends on the scheduler, and stacks and tables of other threads may then
//! find nothing left. With a limit, all threads therefore share one such arena. The library reads this setting only
//! when a program is started, so the program starts itself again.

#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod arenas {
    use std::env;
    use std::os::unix::process::CommandExt;
    use std::path::Path;
    use std::process::Command;

    use rustix::process::{Resource, getrlimit};

    /// Environment variable of the C library: the largest number of arenas.
    const VARIABLE: &str = "MALLOC_ARENA_MAX";

    /// Starts the program again with one arena if its memory is limited and the number of arenas has not been set.
    /// Returns if that is not so, or if the program cannot be started again; it then runs as it is.
    ///
    /// No other thread may run, and nothing may have been read.
    pub fn share_one() {
        let is_limited = |resource| getrlimit(resource).current.is_some();
        if env::var_os(VARIABLE).is_some()
            || !(is_limited(Resource::As) || is_limited(Resource::Data))
        {
            return;
        }
        let Some(program) = env::current_exe().ok().filter(|path| !is_loader(path)) else {
            return;
        };
        let mut arguments = env::args_os();
        let mut command = Command::new(program);
        command.env(VARIABLE, "1");
        if let Some(name) = arguments.next() {
            command.arg0(name);
        }
        // The process stays the same, also for the GUI. This returns only an error.
        let _ = command.args(arguments).exec();
    }

    /// Returns `true` for the dynamic loader (`ld-linux-x86-64.so.2`, `ld-2.36.so`). A program that is started as its
    /// argument cannot find its own path.
    fn is_loader(path: &Path) -> bool {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("ld") && name.contains(".so")
    }
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub use arenas::share_one as share_one_arena;

/// Does nothing: other systems reserve no arenas.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn share_one_arena() {}
