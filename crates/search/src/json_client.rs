//! JSON over HTTP to services that the operator configured: embeddings, Qdrant. Retries on
//! overload, and never includes a key in an error.

use std::time::Duration;

use reqwest::header::{HeaderMap, HeaderValue, RETRY_AFTER};
use reqwest::{Client, Method, StatusCode, Url};
use secrecy::{ExposeSecret, SecretString};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Total attempts, including the first.
const ATTEMPTS: u32 = 4;
const FIRST_PAUSE: Duration = Duration::from_millis(250);
/// Upper bound on `Retry-After`.
const MAX_PAUSE: Duration = Duration::from_secs(20);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(60);
/// In bytes: a hundred vectors with room to spare.
const MAX_RESPONSE: usize = 64 * 1024 * 1024;
/// In bytes: the part of an error response that the operator sees.
const SHOWN_ERROR_BYTES: usize = 300;

pub(crate) struct JsonClient {
    client: Client,
    base: Url,
    secret: Option<SecretString>,
}

/// The reason a call failed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(crate) enum JsonClientError {
    #[error("the service is rate-limited")]
    RateLimited { retry_after: Option<Duration> },
    #[error("{0}")]
    Unavailable(String),
    #[error("{status}: {message}")]
    Rejected { status: u16, message: String },
}

/// The reason a service cannot be configured.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{0}")]
pub struct SetupError(pub String);

/// The header that carries the API key.
pub(crate) enum Key {
    Bearer(SecretString),
    Header(&'static str, SecretString),
    None,
}

impl JsonClient {
    pub(crate) fn new(base: &str, key: Key) -> Result<Self, SetupError> {
        let mut base = base.trim_end_matches('/').to_owned();
        base.push('/');
        let base = Url::parse(&base)
            .ok()
            .filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
            .ok_or_else(|| {
                SetupError(format!(
                    "{base:?} is not a web address; it must begin with http:// or https://"
                ))
            })?;
        if !base.username().is_empty() || base.password().is_some() {
            return Err(SetupError(
                "the address must not contain a user name or password".to_owned(),
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
                .map_err(|_| SetupError("the API key has characters that an HTTP header cannot carry; check for a line break at its end".to_owned()))?;
            value.set_sensitive(true);
            headers.insert(name, value);
        }
        // Fails if another part of the process has installed a provider, which works as
        // well.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder()
            .connect_timeout(CONNECT_TIMEOUT)
            .timeout(RESPONSE_TIMEOUT)
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .default_headers(headers)
            .build()
            .map_err(|error| {
                SetupError(format!(
                    "TLS cannot be set up ({error}); install the system's CA certificates"
                ))
            })?;
        Ok(Self {
            client,
            base,
            secret,
        })
    }

    /// Sends a request, retries while the service is overloaded, and parses the JSON
    /// response.
    pub(crate) async fn call<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        body: &impl Serialize,
    ) -> Result<T, JsonClientError> {
        let url = self
            .base
            .join(path)
            .map_err(|error| JsonClientError::Unavailable(error.to_string()))?;
        let mut attempt = 1;
        loop {
            let outcome = self.once(method.clone(), url.clone(), body).await;
            let (error, asked) = match outcome {
                Ok(value) => return Ok(value),
                Err(JsonClientError::RateLimited { retry_after }) => {
                    (JsonClientError::RateLimited { retry_after }, retry_after)
                }
                Err(error @ JsonClientError::Unavailable(_)) => (error, None),
                Err(error @ JsonClientError::Rejected { .. }) => return Err(error),
            };
            if attempt >= ATTEMPTS || asked.is_some_and(|asked| asked > MAX_PAUSE) {
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
    ) -> Result<T, JsonClientError> {
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
                JsonClientError::Unavailable(format!("unexpected response: {error}"))
            });
        }
        let message = self.excerpt(&bytes);
        match status {
            StatusCode::TOO_MANY_REQUESTS => Err(JsonClientError::RateLimited { retry_after }),
            status if status.is_server_error() => {
                Err(JsonClientError::Unavailable(format!("{status}: {message}")))
            }
            status => Err(JsonClientError::Rejected {
                status: status.as_u16(),
                message,
            }),
        }
    }

    async fn body(&self, mut response: reqwest::Response) -> Result<Vec<u8>, JsonClientError> {
        let mut bytes = Vec::new();
        while let Some(chunk) = response
            .chunk()
            .await
            .map_err(|error| self.unavailable(&error))?
        {
            bytes.extend_from_slice(&chunk);
            if bytes.len() > MAX_RESPONSE {
                return Err(JsonClientError::Unavailable(
                    "the response is too large".to_owned(),
                ));
            }
        }
        Ok(bytes)
    }

    /// Describes a client error without quoting it: its text may include request data.
    fn unavailable(&self, error: &reqwest::Error) -> JsonClientError {
        let what = if error.is_connect() {
            "no connection"
        } else if error.is_timeout() {
            "the request timed out"
        } else {
            "the connection failed"
        };
        let host = self.base.host_str().unwrap_or_default();
        JsonClientError::Unavailable(format!("{what} ({host})"))
    }

    fn excerpt(&self, bytes: &[u8]) -> String {
        let text = String::from_utf8_lossy(bytes);
        let text = &text[..text.floor_char_boundary(SHOWN_ERROR_BYTES)];
        match &self.secret {
            Some(secret) => text.replace(secret.expose_secret(), "[key]"),
            None => text.to_owned(),
        }
    }
}
