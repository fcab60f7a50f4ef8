//! Buffered input that can be looked at before it is consumed.

use std::io::{self, Read};

/// Bytes requested from the system at once.
const CHUNK: usize = 1 << 18;

/// A reader with a window of unread bytes that grows as far as a caller asks.
pub(super) struct Window<R> {
    input: R,
    buffer: Vec<u8>,
    /// The unread bytes are `buffer[start..end]`.
    start: usize,
    end: usize,
    /// Offset of the first unread byte in the file.
    offset: u64,
    at_end: bool,
}

impl<R: Read> Window<R> {
    /// Creates a window over an input whose first byte has this offset in the file.
    pub(super) fn new(input: R, offset: u64) -> Window<R> {
        Window {
            input,
            buffer: Vec::new(),
            start: 0,
            end: 0,
            offset,
            at_end: false,
        }
    }

    /// Returns the offset of the next byte.
    pub(super) fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the next `wanted` bytes without consuming them; fewer only at the end of the input.
    ///
    /// # Errors
    /// If the input cannot be read.
    pub(super) fn peek(&mut self, wanted: usize) -> io::Result<&[u8]> {
        while self.end - self.start < wanted && !self.at_end {
            if self.buffer.len() < self.start + wanted + CHUNK {
                self.buffer.copy_within(self.start..self.end, 0);
                self.end -= self.start;
                self.start = 0;
                self.buffer
                    .resize(self.buffer.len().max(wanted + 2 * CHUNK), 0);
            }
            match self.input.read(&mut self.buffer[self.end..]) {
                Ok(0) => self.at_end = true,
                Ok(count) => self.end += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        let end = self.end.min(self.start + wanted);
        Ok(&self.buffer[self.start..end])
    }

    /// Consumes `count` bytes, at most as many as the last [`Window::peek`] returned.
    pub(super) fn consume(&mut self, count: usize) {
        let count = count.min(self.end - self.start);
        self.start += count;
        self.offset += count as u64;
    }

    /// Returns the input; unread bytes of the window are lost.
    pub(super) fn into_inner(self) -> R {
        self.input
    }
}
