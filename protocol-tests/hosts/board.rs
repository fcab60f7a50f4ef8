//! Board in the window of a GUI, found in a screenshot and used with the mouse.

use std::thread;
use std::time::{Duration, Instant};

use crate::desktop::Desktop;
use crate::wait::POLL_INTERVAL;

/// Colour of a pixel: red, green, blue.
pub type Colour = [u8; 3];

/// Time for the board to appear.
const START_TIMEOUT: Duration = Duration::from_secs(40);

/// Shortest side of a square, in pixels. Fewer adjacent pixels of a square's colour belong to letters and borders.
const SMALLEST_SQUARE: usize = 20;

/// Place of a board on the display, White at the bottom, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    left: u32,
    top: u32,
    /// Side of a square.
    square: u32,
}

impl Board {
    /// Waits until a board with dark squares of this colour is shown, twice at the same place.
    pub fn find(desktop: &Desktop, dark: Colour) -> Result<Board, String> {
        let deadline = Instant::now() + START_TIMEOUT;
        let mut earlier = None;
        while Instant::now() < deadline {
            let picture = desktop.pixels()?;
            let found =
                Picture::read(&picture).and_then(|picture| Board::in_picture(&picture, dark));
            if found.is_some() && found == earlier {
                return found.ok_or_else(String::new);
            }
            earlier = found;
            thread::sleep(POLL_INTERVAL * 4);
        }
        Err("the host shows no board".to_string())
    }

    /// Returns the place of the board in a picture: dark squares touch all its sides.
    fn in_picture(picture: &Picture, dark: Colour) -> Option<Board> {
        let (mut left, mut top, mut right, mut bottom) = (usize::MAX, usize::MAX, 0, 0);
        for (y, row) in picture.rows().enumerate() {
            let mut length = 0;
            for (x, pixel) in row.chunks_exact(3).enumerate() {
                length = if pixel == dark { length + 1 } else { 0 };
                if length >= SMALLEST_SQUARE {
                    (left, right) = (left.min(x + 1 - length), right.max(x + 1));
                    (top, bottom) = (top.min(y), bottom.max(y + 1));
                }
            }
        }
        let (across, down) = (right.checked_sub(left)?, bottom.checked_sub(top)?);
        // The squares may have a border of one pixel, and the sides of the board may lie between two pixels.
        let is_board = across >= 8 * SMALLEST_SQUARE && across.abs_diff(down) <= 2;
        is_board.then_some(Board {
            left: u32::try_from(left).ok()?,
            top: u32::try_from(top).ok()?,
            square: u32::try_from((across + 4) / 8).ok()?,
        })
    }

    /// Clicks on both squares of a move such as `g1f3`.
    pub fn click_move(self, desktop: &Desktop, chosen: &str) -> Result<(), String> {
        let bytes = chosen.as_bytes();
        for square in [[bytes[0], bytes[1]], [bytes[2], bytes[3]]] {
            let point = self.centre(square);
            desktop.drag(None, point, point)?;
        }
        Ok(())
    }

    /// Returns the colour in the middle of a square such as `e4`.
    pub fn colour_of(self, desktop: &Desktop, square: [u8; 2]) -> Result<Option<Colour>, String> {
        let picture = desktop.pixels()?;
        let (x, y) = self.centre(square);
        Ok(Picture::read(&picture).and_then(|picture| picture.pixel(x, y)))
    }

    /// Returns the centre of a square such as `e4`.
    fn centre(self, [file, rank]: [u8; 2]) -> (u32, u32) {
        let (column, row) = (u32::from(file - b'a'), u32::from(b'8' - rank));
        let half = self.square / 2;
        (
            self.left + column * self.square + half,
            self.top + row * self.square + half,
        )
    }
}

/// Picture with three bytes for each pixel.
struct Picture<'a> {
    width: usize,
    pixels: &'a [u8],
}

impl Picture<'_> {
    /// Reads a portable pixmap (P6).
    fn read(bytes: &[u8]) -> Option<Picture<'_>> {
        // `P6 WIDTH HEIGHT MAXIMUM `, each with one white space behind it.
        let mut rest = bytes;
        let mut words = Vec::new();
        while words.len() < 4 {
            let end = rest.iter().position(u8::is_ascii_whitespace)?;
            words.push(std::str::from_utf8(&rest[..end]).ok()?);
            rest = &rest[end + 1..];
        }
        let width = words[1].parse().ok().filter(|width| *width > 0)?;
        (words[0] == "P6" && words[3] == "255").then_some(Picture {
            width,
            pixels: rest,
        })
    }

    /// Returns the colour of a pixel.
    fn pixel(&self, x: u32, y: u32) -> Option<Colour> {
        let (x, y) = (usize::try_from(x).ok()?, usize::try_from(y).ok()?);
        let start = 3 * (y * self.width + x);
        self.pixels.get(start..start + 3)?.try_into().ok()
    }

    /// Returns the rows of pixels, from the top.
    fn rows(&self) -> impl Iterator<Item = &[u8]> {
        self.pixels.chunks_exact(3 * self.width)
    }
}
