//! Authentication settings; unsafe combinations are refused.

use secrecy::{ExposeSecret, SecretString};

use super::raw::{ConfigError, Raw, bad};
use super::{Auth, AuthClient, IdentitySource};
use crate::identity::is_safe_source;

/// In bytes. A shorter HS256 secret can be guessed.
const SHORTEST_SECRET: usize = 32;

pub(super) fn read(raw: &Raw) -> Result<Auth, ConfigError> {
    let audience = raw.text("auth.audience").ok_or_else(|| {
        bad(
            "auth.audience",
            "must not be empty, because tokens for other audiences would be accepted",
        )
    })?;
    let supabase = raw.text("auth.supabase_url").map(|url| {
        let url = url.trim_end_matches('/');
        format!("{url}/auth/v1")
    });
    let issuer = raw.text("auth.issuer").or_else(|| supabase.clone());
    let secret = raw.secret("auth.jwt_secret");
    let keys = raw.text("auth.jwks_url").or_else(|| {
        let project = supabase.as_ref().filter(|_| secret.is_none())?;
        Some(format!("{project}/.well-known/jwks.json"))
    });
    let source = match (secret, keys) {
        (Some(_), Some(_)) => {
            return Err(bad(
                "auth.jwks_url",
                "an issuer has a secret or public keys, never both; remove auth.jwt_secret or auth.jwks_url",
            ));
        }
        (Some(secret), None) => by_secret(secret, issuer)?,
        (None, Some(url)) => by_keys(url, issuer)?,
        (None, None) if issuer.is_some() => {
            return Err(bad(
                "auth.issuer",
                "names an issuer, but its tokens cannot be verified; set auth.jwks_url or auth.jwt_secret",
            ));
        }
        (None, None) => IdentitySource::Local,
    };
    let client = client(raw, &source)?;
    Ok(Auth {
        source,
        audience,
        client,
    })
}

/// Sign-in from the page needs a named issuer and an encrypted connection.
fn client(raw: &Raw, source: &IdentitySource) -> Result<Option<AuthClient>, ConfigError> {
    const KEY: &str = "auth.client_id";
    let Some(id) = raw.text(KEY) else {
        return Ok(None);
    };
    let issuer = match source {
        IdentitySource::Keys { issuer, .. } => Some(issuer),
        IdentitySource::Secret { issuer, .. } => issuer.as_ref(),
        IdentitySource::Local => None,
    };
    let Some(issuer) = issuer else {
        return Err(bad(
            KEY,
            "needs an issuer; set auth.issuer with auth.jwks_url",
        ));
    };
    if !is_safe_source(issuer) {
        return Err(bad(
            "auth.issuer",
            format!("{issuer} must be an https address for people to sign in there"),
        ));
    }
    Ok(Some(AuthClient {
        issuer: issuer.clone(),
        id,
        secret: raw.secret("auth.client_secret"),
        scope: raw.parse("auth.scope")?,
    }))
}

fn by_secret(secret: SecretString, issuer: Option<String>) -> Result<IdentitySource, ConfigError> {
    if secret.expose_secret().len() < SHORTEST_SECRET {
        return Err(bad(
            "auth.jwt_secret",
            format!("must be at least {SHORTEST_SECRET} bytes long"),
        ));
    }
    Ok(IdentitySource::Secret { secret, issuer })
}

fn by_keys(url: String, issuer: Option<String>) -> Result<IdentitySource, ConfigError> {
    let Some(issuer) = issuer else {
        return Err(bad(
            "auth.issuer",
            "must be set with auth.jwks_url, because tokens are checked against it",
        ));
    };
    if !is_safe_source(&url) {
        return Err(bad(
            "auth.jwks_url",
            format!(
                "{url} must be an https address, so that nobody can replace the keys in transit"
            ),
        ));
    }
    Ok(IdentitySource::Keys { url, issuer })
}
