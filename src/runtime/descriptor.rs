//! Questions to the system about standard input, output and error that the standard library does not answer.
//!
//! On Unix Gaur asks whether a pipe accepts bytes now, and whether the other end of standard input is closed. Other
//! systems do not answer these questions: there [`Pipe::new`] returns no pipe, and no end is seen before it is read.

#[cfg(unix)]
pub use unix::{InputEnd, Pipe};

#[cfg(not(unix))]
pub use other::{InputEnd, Pipe};

#[cfg(unix)]
mod unix {
    use std::fs::File;
    use std::io::{self, Write};
    use std::os::fd::{AsFd, BorrowedFd};
    use std::os::unix::fs::FileTypeExt;

    use rustix::event::{PollFd, PollFlags, Timespec, poll};

    /// Largest number of bytes written at once. If a pipe accepts anything, it accepts as many (`_POSIX_PIPE_BUF`).
    pub const CHUNK_BYTES: usize = 512;

    /// The writing end of a pipe or socket.
    pub struct Pipe(File);

    impl Pipe {
        /// Returns the pipe or socket behind `stream`, and `None` for anything else: a file is always ready, although
        /// its disk may be slow, and a terminal stops without notice.
        pub fn new(stream: &impl AsFd) -> Option<Pipe> {
            let file = File::from(stream.as_fd().try_clone_to_owned().ok()?);
            let kind = file.metadata().ok()?.file_type();
            (kind.is_fifo() || kind.is_socket()).then_some(Pipe(file))
        }

        /// Returns `true` if a write of [`CHUNK_BYTES`] returns at once, with success or with an error.
        pub fn is_ready(&self) -> bool {
            !events(self.0.as_fd(), PollFlags::OUT, Some(&Timespec::default())).is_empty()
        }

        /// Waits until [`Pipe::is_ready`].
        pub fn wait(&self) {
            events(self.0.as_fd(), PollFlags::OUT, None);
        }

        /// Writes the first bytes, at most [`CHUNK_BYTES`], and returns their number.
        ///
        /// # Errors
        /// Returns the error of the system, among them that of a pipe that another process has made non-blocking.
        pub fn write(&self, bytes: &[u8]) -> io::Result<usize> {
            (&self.0).write(&bytes[..bytes.len().min(CHUNK_BYTES)])
        }
    }

    /// Checks whether the end of an input is certain, although bytes before it have not been read.
    pub struct InputEnd {
        /// `None` if the system provides no second handle.
        source: Option<File>,
        is_file: bool,
    }

    impl InputEnd {
        /// Examines `stream`.
        pub fn of(stream: &impl AsFd) -> InputEnd {
            let source = stream.as_fd().try_clone_to_owned().ok().map(File::from);
            let metadata = source.as_ref().and_then(|file| file.metadata().ok());
            InputEnd {
                source,
                is_file: metadata.is_some_and(|metadata| metadata.is_file()),
            }
        }

        /// Returns `true` if no process can write further commands: the other end is closed, or the input is a file.
        pub fn is_certain(&self) -> bool {
            #[cfg(any(target_os = "linux", target_os = "android"))]
            let closed = PollFlags::HUP | PollFlags::RDHUP;
            #[cfg(not(any(target_os = "linux", target_os = "android")))]
            let closed = PollFlags::HUP;
            let is_closed = |file: &File| {
                events(file.as_fd(), closed, Some(&Timespec::default())).intersects(closed)
            };
            self.is_file || self.source.as_ref().is_some_and(is_closed)
        }
    }

    /// Waits for an event of the descriptor, and returns none after the timeout or a signal.
    fn events(
        descriptor: BorrowedFd<'_>,
        wanted: PollFlags,
        timeout: Option<&Timespec>,
    ) -> PollFlags {
        let mut polled = [PollFd::from_borrowed_fd(descriptor, wanted)];
        match poll(&mut polled, timeout) {
            Ok(_) => polled[0].revents(),
            Err(_) => PollFlags::empty(),
        }
    }
}

#[cfg(not(unix))]
mod other {
    use std::convert::Infallible;
    use std::io;

    /// A pipe that reports whether it accepts bytes; this system has none.
    pub struct Pipe(Infallible);

    impl Pipe {
        /// Returns `None`.
        pub fn new<S>(_stream: &S) -> Option<Pipe> {
            None
        }

        /// Returns `true` if a write returns at once.
        pub fn is_ready(&self) -> bool {
            match self.0 {}
        }

        /// Waits until [`Pipe::is_ready`].
        pub fn wait(&self) {
            match self.0 {}
        }

        /// Writes the first bytes and returns their number.
        pub fn write(&self, _bytes: &[u8]) -> io::Result<usize> {
            match self.0 {}
        }
    }

    /// The end of an input, which this system does not report before it is read.
    pub struct InputEnd;

    impl InputEnd {
        /// Examines `stream`.
        pub fn of<S>(_stream: &S) -> InputEnd {
            InputEnd
        }

        /// Returns `false`.
        pub fn is_certain(&self) -> bool {
            false
        }
    }
}
