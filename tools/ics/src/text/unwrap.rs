//! Wrapped lines.

/// Longest line that is put together from wrapped parts, in bytes. The rest of a longer one is dropped.
const MAX_JOINED: usize = 8192;

/// Joins the lines that the server has wrapped: each continuation begins with a backslash.
///
/// A line is complete as soon as another one begins, or when the server waits for a command. The caller therefore calls
/// [`Unwrap::flush`] at a prompt and after a short pause.
#[derive(Clone, Debug, Default)]
pub struct Unwrap {
    pending: Option<String>,
}

impl Unwrap {
    /// Takes the next line as received. Returns the line before it, if this one does not continue it.
    ///
    /// A continuation without a line before it is dropped: its text may come from another user.
    pub fn push(&mut self, line: &str) -> Option<String> {
        let Some(continuation) = line.strip_prefix('\\') else {
            return self.pending.replace(line.to_string());
        };
        if let Some(pending) = &mut self.pending {
            let text = continuation.trim_start_matches(' ');
            pending.truncate(pending.trim_end_matches(' ').len());
            if !text.is_empty() && pending.len() + text.len() < MAX_JOINED {
                pending.push(' ');
                pending.push_str(text);
            }
        }
        None
    }

    /// Returns the line that is still waiting for a continuation.
    pub fn flush(&mut self) -> Option<String> {
        self.pending.take()
    }

    /// Returns `true` if a line is waiting for a continuation.
    pub fn is_pending(&self) -> bool {
        self.pending.is_some()
    }
}
