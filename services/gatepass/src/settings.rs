//! Settings, supplied by the caller. The service reads no environment variables and no
//! configuration file.

use std::path::PathBuf;

use chrono_tz::Tz;
use secrecy::{ExposeSecret, SecretString};

/// Default maximum size of a photo, in bytes.
pub const MAX_FILE_SIZE: usize = 5_242_880;

/// HS256 is as strong as its secret; a shorter one can be guessed.
const SECRET_MIN_BYTES: usize = 32;

#[derive(Clone, Debug)]
pub struct Settings {
    /// Shared with the issuer of tokens (HS256, at least 32 bytes).
    pub token_secret: SecretString,
    /// The `iss` that tokens must carry.
    pub token_issuer: String,
    /// The public address of the web app; QR codes encode `{public_url}/gatepass?gid=GP-…`.
    pub public_url: String,
    /// Printed at the head of a pass.
    pub site_name: String,
    /// The time zone of printed times and of the year in a pass number.
    pub time_zone: Tz,
    /// A folder with fonts for scripts that the built-in ones lack (Chinese, Japanese,
    /// Korean …).
    pub fonts_dir: Option<PathBuf>,
    /// Maximum size of a photo, in bytes.
    pub max_file_size: usize,
    /// Total bytes of stored photos, above which scans are refused.
    pub photo_quota: u64,
    /// Maximum concurrent scan uploads.
    pub max_uploads: usize,
}

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    #[error("the gatepass token secret has {0} bytes; give it at least {SECRET_MIN_BYTES}")]
    ShortSecret(usize),
    #[error("the gatepass public_url must be an http(s) address such as https://desk.example.com")]
    PublicUrl,
    #[error("the gatepass fonts could not be read: this build is damaged")]
    Fonts,
}

impl Settings {
    /// The defaults, with the two settings that have none.
    pub fn new(token_secret: SecretString, public_url: impl Into<String>) -> Self {
        Self {
            token_secret,
            token_issuer: "frontdesk".to_owned(),
            public_url: public_url.into(),
            site_name: "Frontdesk".to_owned(),
            time_zone: Tz::Asia__Karachi,
            fonts_dir: None,
            max_file_size: MAX_FILE_SIZE,
            photo_quota: 20 * 1024 * 1024 * 1024,
            max_uploads: 16,
        }
    }

    pub(crate) fn check(&self) -> Result<(), SettingsError> {
        let secret = self.token_secret.expose_secret().len();
        if secret < SECRET_MIN_BYTES {
            return Err(SettingsError::ShortSecret(secret));
        }
        let http = ["http://", "https://"]
            .iter()
            .any(|scheme| self.public_url.starts_with(scheme));
        if http {
            Ok(())
        } else {
            Err(SettingsError::PublicUrl)
        }
    }
}
