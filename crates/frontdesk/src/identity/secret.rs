//! The secret of a data folder, for an installation without an issuer.

use std::path::Path;

use secrecy::SecretString;
use uuid::Uuid;

const SECRET_FILE: &str = "token-secret";

/// The secret of this data folder, created on first use. It signs demo tokens only; a configured
/// secret replaces it.
pub fn local_secret(data_dir: &Path) -> std::io::Result<SecretString> {
    let path = data_dir.join(SECRET_FILE);
    match std::fs::read_to_string(&path) {
        Ok(secret) if !secret.trim().is_empty() => Ok(SecretString::from(secret.trim())),
        Ok(_) => write_secret(&path),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => write_secret(&path),
        Err(error) => Err(error),
    }
}

fn write_secret(path: &Path) -> std::io::Result<SecretString> {
    use std::io::Write;
    use std::os::unix::fs::OpenOptionsExt;
    let secret = format!("{}{}", Uuid::new_v4().simple(), Uuid::new_v4().simple());
    let mut file = std::fs::OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(path)?;
    file.write_all(secret.as_bytes())?;
    Ok(SecretString::from(secret))
}

#[cfg(test)]
#[path = "secret_tests.rs"]
mod secret_tests;
