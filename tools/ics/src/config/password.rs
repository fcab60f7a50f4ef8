//! The password of the account: from the environment or from a file that only its owner can read.

use std::fmt;
use std::path::PathBuf;

use super::Server;

/// Environment variable with the password.
pub const PASSWORD_VARIABLE: &str = "GAUR_ICS_PASSWORD";

/// A password, which debug output does not show.
#[derive(Clone, PartialEq, Eq)]
pub struct Password(String);

impl Password {
    /// Wraps the text of a password.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Returns the text, for the server only.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("Password(hidden)")
    }
}

/// Cause for which there is no password.
#[derive(Debug, thiserror::Error)]
pub enum PasswordError {
    /// Neither file nor variable is set.
    #[error(
        "no password: set `password_file` in [server] or the environment variable {PASSWORD_VARIABLE}, or \
         `guest = true`"
    )]
    Missing,
    /// The file cannot be read.
    #[error("password file {}: {source}", file.display())]
    Unreadable {
        /// The password file.
        file: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// Other users can read the file.
    #[error("password file {} can be read by other users: run `chmod 600 {}`", file.display(), file.display())]
    Exposed {
        /// The password file.
        file: PathBuf,
    },
    /// The text is no password: empty or with control characters.
    #[error("{origin}: the password is empty or contains control characters")]
    Unusable {
        /// File or environment variable.
        origin: String,
    },
}

impl Server {
    /// Reads the password: `None` for a guest, else from [`PASSWORD_VARIABLE`], else from the first line of
    /// `password_file`.
    ///
    /// # Errors
    ///
    /// Returns the cause if there is no usable password or if other users can read the file.
    pub fn password(&self) -> Result<Option<Password>, PasswordError> {
        self.password_from(std::env::var(PASSWORD_VARIABLE).ok())
    }

    /// [`Server::password`] with the value of the environment variable.
    fn password_from(&self, variable: Option<String>) -> Result<Option<Password>, PasswordError> {
        if self.guest {
            return Ok(None);
        }
        if let Some(text) = variable.filter(|text| !text.is_empty()) {
            return usable(&text, PASSWORD_VARIABLE.to_owned()).map(Some);
        }
        let file = self.password_file.clone().ok_or(PasswordError::Missing)?;
        let read = |file: &PathBuf| {
            let exposed = is_exposed(file)?;
            Ok((exposed, std::fs::read_to_string(file)?))
        };
        match read(&file) {
            Ok((true, _)) => Err(PasswordError::Exposed { file }),
            Ok((false, text)) => {
                let line = text.lines().next().unwrap_or_default();
                usable(line, format!("password file {}", file.display())).map(Some)
            }
            Err(source) => Err(PasswordError::Unreadable { file, source }),
        }
    }
}

fn usable(text: &str, origin: String) -> Result<Password, PasswordError> {
    if text.is_empty() || text.chars().any(char::is_control) {
        return Err(PasswordError::Unusable { origin });
    }
    Ok(Password::new(text))
}

/// Returns `true` if others than the owner may read the file. Windows has no such permissions.
#[cfg(unix)]
fn is_exposed(file: &std::path::Path) -> std::io::Result<bool> {
    use std::os::unix::fs::PermissionsExt as _;
    Ok(std::fs::metadata(file)?.permissions().mode() & 0o077 != 0)
}

/// Returns `false`: Windows protects the folders of users by access control lists.
#[cfg(not(unix))]
fn is_exposed(_file: &std::path::Path) -> std::io::Result<bool> {
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(file: Option<PathBuf>) -> Server {
        Server {
            password_file: file,
            ..Server::default()
        }
    }

    fn file_with(text: &str, mode: u32) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let permissions = PermissionsExt::from_mode(mode);
            std::fs::set_permissions(file.path(), permissions).unwrap();
        }
        let _ = mode;
        file
    }

    #[test]
    fn first_line_of_the_file_is_the_password() {
        for text in ["secret word\nmore\n", "secret word\r\n", "secret word"] {
            let file = file_with(text, 0o600);
            let password = server(Some(file.path().into())).password_from(None);
            assert_eq!(password.unwrap().unwrap().expose(), "secret word");
        }
    }

    #[test]
    #[cfg(unix)]
    fn file_that_others_can_read_is_refused() {
        for mode in [0o644, 0o640, 0o604, 0o660] {
            let file = file_with("secret", mode);
            let error = server(Some(file.path().into()))
                .password_from(None)
                .unwrap_err();
            assert!(matches!(error, PasswordError::Exposed { .. }), "{error}");
            assert!(error.to_string().contains("chmod 600"), "{error}");
        }
        let file = file_with("secret", 0o400);
        assert!(server(Some(file.path().into())).password_from(None).is_ok());
    }

    #[test]
    fn variable_precedes_the_file() {
        let file = file_with("file", 0o600);
        let server = server(Some(file.path().into()));
        let password = |text: &str| {
            server
                .password_from(Some(text.to_owned()))
                .unwrap()
                .unwrap()
        };
        assert_eq!(password("variable").expose(), "variable");
        assert_eq!(password("").expose(), "file");
    }

    #[test]
    fn unusable_passwords_are_refused() {
        for text in ["", "\n", "a\x1bb"] {
            let file = file_with(text, 0o600);
            let error = server(Some(file.path().into()))
                .password_from(None)
                .unwrap_err();
            assert!(matches!(error, PasswordError::Unusable { .. }), "{error}");
        }
        let error = server(None)
            .password_from(Some("a\nquit".to_owned()))
            .unwrap_err();
        assert!(
            error.to_string().starts_with("GAUR_ICS_PASSWORD: "),
            "{error}"
        );
        assert!(!error.to_string().contains("quit"));
    }

    #[test]
    fn missing_password_and_guest() {
        assert!(matches!(
            server(None).password_from(None),
            Err(PasswordError::Missing)
        ));
        let error = server(Some("/nonexistent/p".into()))
            .password_from(None)
            .unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("password file /nonexistent/p: "),
            "{error}"
        );
        let guest = Server {
            guest: true,
            ..Server::default()
        };
        assert_eq!(guest.password_from(Some("x".to_owned())).unwrap(), None);
    }

    #[test]
    fn debug_output_hides_the_password() {
        assert_eq!(
            format!("{:?}", Password::new("hunter2")),
            "Password(hidden)"
        );
    }
}
