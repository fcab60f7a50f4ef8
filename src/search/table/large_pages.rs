//! Large pages of Windows, for the memory of the transposition table.
//!
//! Windows provides them only to accounts with the right *Lock pages in memory*, which the program must enable first.
//! All of the memory is provided and cleared at once and is never swapped out.

use std::sync::LazyLock;

use winsafe::guard::UnmapViewOfFileGuard;
use winsafe::{self as w, SysResult, co, prelude::Handle};

use super::pages::Pages;

/// Largest size in bytes for [`Pages::Automatic`]: 1 GiB. Windows clears all of the memory before it returns, and
/// answers to the GUI wait for it.
const MAX_AUTOMATIC: usize = 1 << 30;

/// Memory in large pages.
pub(super) struct LargePages {
    view: UnmapViewOfFileGuard,
    /// Number of bytes in use, which may be less than those of the pages.
    bytes: usize,
}

/// `true` if this process has the right to large pages.
static IS_PERMITTED: LazyLock<bool> = LazyLock::new(|| enable_right().unwrap_or(false));

/// Enables the right to lock pages in memory. Returns `true` if the account has it.
fn enable_right() -> SysResult<bool> {
    let access = co::TOKEN::ADJUST_PRIVILEGES | co::TOKEN::QUERY;
    let token = w::HPROCESS::GetCurrentProcess().OpenProcessToken(access)?;
    let right = w::LookupPrivilegeValue(None, co::SE_PRIV::LOCK_MEMORY_NAME)?;
    let enabled = w::LUID_AND_ATTRIBUTES::new(right, co::SE_PRIV_ATTR::ENABLED);
    let rights = w::TOKEN_PRIVILEGES::new(&[enabled])?;
    token.AdjustTokenPrivileges(w::DisabPriv::Privs(&rights))?;
    // The call succeeds without the right, too, and leaves this error.
    Ok(w::GetLastError() != co::ERROR::NOT_ALL_ASSIGNED)
}

impl LargePages {
    /// Allocates zeroed memory. Returns `None` if the system does not provide it, or if `pages` does not ask for it.
    pub fn new(bytes: usize, pages: Pages) -> Option<LargePages> {
        let is_permitted = *IS_PERMITTED;
        let is_wanted = match pages {
            Pages::Ordinary => false,
            Pages::Automatic => {
                is_permitted && (w::GetLargePageMinimum()..=MAX_AUTOMATIC).contains(&bytes)
            }
            // Wine provides them without the right.
            Pages::Large => true,
        };
        is_wanted.then(|| LargePages::map(bytes)).flatten()
    }

    fn map(bytes: usize) -> Option<LargePages> {
        let page = w::GetLargePageMinimum();
        let mapped = bytes.checked_next_multiple_of(page)?;
        let file = w::HFILE::INVALID; // stands for memory without a file
        let section = co::SEC::COMMIT | co::SEC::LARGE_PAGES;
        let section = file
            .CreateFileMapping(
                None,
                co::PAGE::READWRITE,
                Some(section),
                Some(mapped as u64),
                None,
            )
            .ok()?;
        let access = co::FILE_MAP::READ | co::FILE_MAP::WRITE | co::FILE_MAP::LARGE_PAGES;
        let view = section.MapViewOfFile(access, 0, Some(mapped)).ok()?;
        Some(LargePages { view, bytes })
    }

    /// Returns the bytes.
    pub fn bytes(&mut self) -> &mut [u8] {
        self.view.as_mut_slice(self.bytes)
    }
}
