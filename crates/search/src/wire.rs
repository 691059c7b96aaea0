//! JSON over HTTP to services that the operator configured: embeddings, Qdrant. Overload is
//! waited out, and no key ever stands in an error.

use std::time::Duration;

use reqwest::header::{HeaderMap, HeaderValue, RETRY_AFTER};
use reqwest::{Client, Method, StatusCode, Url};
use secrecy::{ExposeSecret, SecretString};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Attempts in all.
const ATTEMPTS: u32 = 4;
const FIRST_PAUSE: Duration = Duration::from_millis(250);
/// Longer than this nobody waits, whatever the server asks for.
const LONGEST_PAUSE: Duration = Duration::from_secs(20);
const CONNECT: Duration = Duration::from_secs(5);
const ANSWER: Duration = Duration::from_secs(60);
/// Answers are bounded: a hundred vectors with room to spare.
const LARGEST_ANSWER: usize = 64 * 1024 * 1024;
/// How much of an error the operator is shown.
const SHOWN: usize = 300;

pub(crate) struct Wire {
    client: Client,
    base: Url,
    secret: Option<SecretString>,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(crate) enum WireError {
    #[error("it is rate-limited")]
    RateLimited { retry_after: Option<Duration> },
    #[error("{0}")]
    Unavailable(String),
    #[error("{status}: {message}")]
    Rejected { status: u16, message: String },
}

/// Why a service cannot be set up.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{0}")]
pub struct SetupError(pub String);

/// How a service is told its key.
pub(crate) enum Key {
    Bearer(SecretString),
    Header(&'static str, SecretString),
    None,
}

impl Wire {
    pub(crate) fn new(base: &str, key: Key) -> Result<Self, SetupError> {
        let mut base = base.trim_end_matches('/').to_owned();
        base.push('/');
        let base = Url::parse(&base)
            .ok()
            .filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
            .ok_or_else(|| {
                SetupError(format!(
                    "{base:?} is no address; it begins with http:// or https://"
                ))
            })?;
        if !base.username().is_empty() || base.password().is_some() {
            return Err(SetupError(
                "the address must not hold a user or a password".to_owned(),
            ));
        }
        let (name, value, secret) = match key {
            Key::Bearer(key) => (
                "authorization",
                format!("Bearer {}", key.expose_secret()),
                Some(key),
            ),
            Key::Header(name, key) => (name, key.expose_secret().to_owned(), Some(key)),
            Key::None => ("", String::new(), None),
        };
        let mut headers = HeaderMap::new();
        if !name.is_empty() {
            let mut value = HeaderValue::from_str(&value)
                .map_err(|_| SetupError("the API key has characters that cannot stand in a header, perhaps a line break at its end".to_owned()))?;
            value.set_sensitive(true);
            headers.insert(name, value);
        }
        // A second provider in the process is refused, and the first serves as well.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder()
            .connect_timeout(CONNECT)
            .timeout(ANSWER)
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .default_headers(headers)
            .build()
            .map_err(|error| {
                SetupError(format!(
                    "no TLS ({error}); are the system's CA certificates installed?"
                ))
            })?;
        Ok(Self {
            client,
            base,
            secret,
        })
    }

    /// Sends a request, again while the service is overloaded, and reads its JSON.
    pub(crate) async fn call<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        body: &impl Serialize,
    ) -> Result<T, WireError> {
        let url = self
            .base
            .join(path)
            .map_err(|error| WireError::Unavailable(error.to_string()))?;
        let mut attempt = 1;
        loop {
            let outcome = self.once(method.clone(), url.clone(), body).await;
            let (error, asked) = match outcome {
                Ok(value) => return Ok(value),
                Err(WireError::RateLimited { retry_after }) => {
                    (WireError::RateLimited { retry_after }, retry_after)
                }
                Err(error @ WireError::Unavailable(_)) => (error, None),
                Err(error @ WireError::Rejected { .. }) => return Err(error),
            };
            if attempt >= ATTEMPTS || asked.is_some_and(|asked| asked > LONGEST_PAUSE) {
                return Err(error);
            }
            let pause = FIRST_PAUSE * 2_u32.pow(attempt - 1);
            tokio::time::sleep(asked.unwrap_or(pause)).await;
            attempt += 1;
        }
    }

    async fn once<T: DeserializeOwned>(
        &self,
        method: Method,
        url: Url,
        body: &impl Serialize,
    ) -> Result<T, WireError> {
        let mut request = self.client.request(method.clone(), url);
        if method != Method::GET {
            request = request.json(body);
        }
        let response = request
            .send()
            .await
            .map_err(|error| self.unavailable(&error))?;
        let status = response.status();
        let retry_after = response
            .headers()
            .get(RETRY_AFTER)
            .and_then(|value| value.to_str().ok()?.parse().ok())
            .map(Duration::from_secs);
        let bytes = self.body(response).await?;
        if status.is_success() {
            return serde_json::from_slice(&bytes).map_err(|error| {
                WireError::Unavailable(format!("its answer is not what was expected: {error}"))
            });
        }
        let message = self.shown(&bytes);
        match status {
            StatusCode::TOO_MANY_REQUESTS => Err(WireError::RateLimited { retry_after }),
            status if status.is_server_error() => {
                Err(WireError::Unavailable(format!("{status}: {message}")))
            }
            status => Err(WireError::Rejected {
                status: status.as_u16(),
                message,
            }),
        }
    }

    async fn body(&self, mut response: reqwest::Response) -> Result<Vec<u8>, WireError> {
        let mut bytes = Vec::new();
        while let Some(chunk) = response
            .chunk()
            .await
            .map_err(|error| self.unavailable(&error))?
        {
            bytes.extend_from_slice(&chunk);
            if bytes.len() > LARGEST_ANSWER {
                return Err(WireError::Unavailable("its answer is too long".to_owned()));
            }
        }
        Ok(bytes)
    }

    /// Addresses hold no secrets here, but the words of a client may be anything.
    fn unavailable(&self, error: &reqwest::Error) -> WireError {
        let what = if error.is_connect() {
            "no connection"
        } else if error.is_timeout() {
            "it took too long"
        } else {
            "the connection broke"
        };
        let host = self.base.host_str().unwrap_or_default();
        WireError::Unavailable(format!("{what} ({host})"))
    }

    fn shown(&self, bytes: &[u8]) -> String {
        let text = String::from_utf8_lossy(bytes);
        let text = &text[..text.floor_char_boundary(SHOWN)];
        match &self.secret {
            Some(secret) => text.replace(secret.expose_secret(), "[key]"),
            None => text.to_owned(),
        }
    }
}
