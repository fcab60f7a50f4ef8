//! Network files.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;

use crate::eval::{Network, NetworkFormatError};
use crate::search::has_memory_for_file;

/// A reason why a file cannot be used as the network.
///
/// The texts for common system errors are Gaur's own: XBoard takes those of the system for a sign that the engine could
/// not be started.
#[derive(Debug, Error)]
pub enum NetworkFileError {
    /// There is no file with this path.
    #[error("{} does not exist", .0.display())]
    Missing(PathBuf),
    /// The system denies access.
    #[error("{} may not be read", .0.display())]
    Denied(PathBuf),
    /// The system reports another error, or the path does not belong to an ordinary file.
    #[error("{path} cannot be read: {1}", path = .0.display())]
    Unreadable(PathBuf, #[source] io::Error),
    /// The file does not contain a network that this version of Gaur can use.
    #[error("{path}: {1}", path = .0.display())]
    Invalid(PathBuf, #[source] NetworkFormatError),
}

/// Reads a network file. An empty path stands for the embedded network.
///
/// # Errors
/// Returns an error if the path does not belong to an ordinary file with a network.
pub fn read_network(path: &Path) -> NetworkResult {
    if is_embedded(path) {
        return Ok(Network::embedded());
    }
    from_bytes(path, &read_bytes(path)?)
}

/// Returns `true` for the empty path, which stands for the embedded network.
pub(super) fn is_embedded(path: &Path) -> bool {
    path.as_os_str().is_empty()
}

/// Reads the bytes of a network file.
pub(super) fn read_bytes(path: &Path) -> Result<Vec<u8>, NetworkFileError> {
    read(path).map_err(|error| {
        let path = path.to_owned();
        match error.kind() {
            ErrorKind::NotFound => NetworkFileError::Missing(path),
            ErrorKind::PermissionDenied => NetworkFileError::Denied(path),
            ErrorKind::OutOfMemory => NetworkFileError::Invalid(path, NetworkFormatError::Memory),
            _ => NetworkFileError::Unreadable(path, error),
        }
    })
}

/// Returns the network that a file with this path contains.
pub(super) fn from_bytes(path: &Path, bytes: &[u8]) -> NetworkResult {
    // The hash table may have grown while the file was read.
    let network = match Network::memory_bytes(bytes) {
        Ok(size) if !has_memory_for_file(size) => Err(NetworkFormatError::Memory),
        _ => Network::from_bytes(bytes),
    };
    let network = network.map_err(|error| NetworkFileError::Invalid(path.to_owned(), error))?;
    Ok(Arc::new(network))
}

/// Reads an ordinary file up to the size that its header states and one byte more, so that a longer file can be
/// recognised. Of a file that cannot be used as the network it reads only the header. It reads no file that, together
/// with its network, would leave too little memory for everything else.
///
/// Reading a pipe could block forever, and reading a large file would delay the answer.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is not an ordinary file"));
    }
    let mut file = File::open(path)?;
    let mut bytes = Vec::new();
    let mut read_to = |size: usize, bytes: &mut Vec<u8>| {
        let missing = size.saturating_sub(bytes.len());
        file.by_ref().take(missing as u64).read_to_end(bytes)
    };
    read_to(Network::HEADER_BYTES, &mut bytes)?;
    if let (Ok(size), Ok(in_memory)) = (Network::file_bytes(&bytes), Network::memory_bytes(&bytes))
    {
        if !has_memory_for_file(size + in_memory) {
            return Err(ErrorKind::OutOfMemory.into());
        }
        bytes.try_reserve_exact(size + 1 - bytes.len())?;
        read_to(size + 1, &mut bytes)?;
    }
    Ok(bytes)
}

/// The result of reading a network file.
pub type NetworkResult = Result<Arc<Network>, NetworkFileError>;

#[cfg(test)]
mod tests {
    use super::*;

    fn error(path: &Path) -> String {
        let result = read_network(path);
        result.map(|_| ()).expect_err("not a network").to_string()
    }

    #[test]
    fn an_empty_path_is_the_embedded_network() {
        let network = read_network(Path::new("")).expect("it is part of the program");
        assert!(Arc::ptr_eq(&network, &Network::embedded()));
    }

    #[test]
    fn errors_name_the_file_and_the_reason() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("file");
        let name = file.display().to_string();
        assert_eq!(error(&file), format!("{name} does not exist"));
        for (content, reason) in [("", "not a network of Gaur"), ("text", "not a network")] {
            fs::write(&file, content).expect("written");
            let error = error(&file);
            assert!(error.starts_with(&format!("{name}: {reason}")), "{error}");
        }
        let mut bytes = Network::random(5).to_bytes();
        let size = bytes.len();
        bytes.extend([0; 9]);
        let advice = "copy or train the file again";
        for (length, reason) in [
            (
                size + 9,
                format!("more than the {size} bytes of its network; {advice}"),
            ),
            (
                size - 9,
                format!("{} bytes instead of {size}; {advice}", size - 9),
            ),
            (100, format!("100 bytes instead of 128; {advice}")),
        ] {
            fs::write(&file, &bytes[..length]).expect("written");
            assert_eq!(error(&file), format!("{name}: {reason}"));
        }
        bytes[300] ^= 1;
        fs::write(&file, &bytes[..size]).expect("written");
        let reason = "damaged: its checksum is wrong";
        assert_eq!(error(&file), format!("{name}: {reason}; {advice}"));
        assert_eq!(
            error(folder.path()),
            format!(
                "{} cannot be read: it is not an ordinary file",
                folder.path().display()
            )
        );
    }
}
