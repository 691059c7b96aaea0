//! The secret of an API token: 256 random bits behind a prefix that secret scanners recognise. Its
//! hash needs no salt, because the secret cannot be guessed.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use uuid::Uuid;

const PREFIX: &str = "fdt_";

pub struct ApiSecret(String);

impl ApiSecret {
    /// Two random UUIDs have 244 random bits.
    pub fn generate() -> Self {
        let mut bytes = [0; 32];
        bytes[..16].copy_from_slice(Uuid::new_v4().as_bytes());
        bytes[16..].copy_from_slice(Uuid::new_v4().as_bytes());
        Self(format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(bytes)))
    }

    /// `None` if this is another kind of token.
    pub fn parse(token: &str) -> Option<Self> {
        let secret = token.strip_prefix(PREFIX)?;
        let is_whole = URL_SAFE_NO_PAD
            .decode(secret)
            .is_ok_and(|bytes| bytes.len() == 32);
        is_whole.then(|| Self(token.to_owned()))
    }

    pub fn hash(&self) -> String {
        let digest = Sha256::digest(self.0.as_bytes());
        URL_SAFE_NO_PAD.encode(digest)
    }

    pub fn into_text(self) -> String {
        self.0
    }
}
