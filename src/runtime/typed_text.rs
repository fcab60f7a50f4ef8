//! Text that a person has typed at the terminal but not sent.

/// Discards this text. Complete lines stay, and so does all text if Gaur runs in the background of its terminal, which
/// then belongs to another program. If the system refuses, the text stays, too.
#[cfg(unix)]
pub fn discard() {
    use rustix::io::ioctl_fionread;
    use rustix::process::getpgrp;
    use rustix::termios::{QueueSelector, tcflush, tcgetpgrp};

    let terminal = std::io::stdin();
    let is_in_foreground = tcgetpgrp(&terminal).is_ok_and(|group| group == getpgrp());
    // A terminal counts the bytes of complete lines only.
    if is_in_foreground && ioctl_fionread(&terminal) == Ok(0) {
        tcflush(&terminal, QueueSelector::IFlush).unwrap_or_default();
    }
}

/// Does nothing: the console of this system would discard complete lines, too.
#[cfg(not(unix))]
pub fn discard() {}
