//! Encoding of text from the GUI.

/// Converts text from the GUI. Bytes that are not UTF-8 become U+FFFD, which no file name may contain.
#[cfg(not(windows))]
pub fn decode(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Converts text from the GUI: UTF-8, or else the code page of the system, in which WinBoard sends file names.
#[cfg(windows)]
pub fn decode(bytes: &[u8]) -> String {
    use winsafe::{MultiByteToWideChar, co};

    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => MultiByteToWideChar(co::CP::ACP, co::MBC::ERR_INVALID_CHARS, bytes)
            .map(|units| String::from_utf16_lossy(&units))
            .unwrap_or_else(|_| String::from_utf8_lossy(bytes).into_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn text_in_utf_8_is_kept() {
        for text in ["", "usermove e2e4", "option LogFolder=C:\\Z\u{fc}ge"] {
            assert_eq!(decode(text.as_bytes()), text);
        }
    }

    #[cfg(unix)]
    #[test]
    fn other_bytes_are_marked() {
        assert_eq!(decode(b"Z\xfcge"), "Z\u{fffd}ge");
    }
}
