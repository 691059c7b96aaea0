//! Client for the chat completions API of OpenAI and compatible servers.

mod assemble;
mod body;
mod connections;
mod error;
mod exchange;
mod frame;
mod quirks;
mod read;
mod redact;
mod sse;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use frontdesk_core::model::{Ask, DeltaSink, Model, ModelError, ModelErrorKind, Reply};
use futures_util::future::BoxFuture;
use http::Uri;
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue, USER_AGENT};
use secrecy::{ExposeSecret, SecretString};
use tokio::time::{Instant, timeout};
use url::Url;

use crate::breaker::Breaker;
use crate::retry::{self, Budget};
use body::Body;
use connections::{Connections, Response};
use error::Explanation;
use quirks::{LearntQuirks, Parameter, Quirks};

/// Endpoint, credentials and timeouts of a model.
#[derive(Clone, Debug)]
pub struct OpenAiSettings {
    /// Up to and including `/v1`, as in `OPENAI_BASE_URL`.
    pub base_url: String,
    /// Self-hosted servers often need none.
    pub api_key: Option<SecretString>,
    pub timeouts: Timeouts,
    /// Maximum attempts per request.
    pub attempts: u32,
    /// Counts retried requests.
    pub retried: Arc<AtomicU64>,
}

/// Timeouts between events. There is no limit on the whole answer while it keeps arriving.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    pub connect: Duration,
    /// From the start to the response head.
    pub head: Duration,
    /// Between two chunks of the answer.
    pub idle: Duration,
}

impl Default for OpenAiSettings {
    fn default() -> Self {
        Self {
            base_url: "https://api.openai.com/v1".to_owned(),
            api_key: None,
            timeouts: Timeouts::default(),
            attempts: 3,
            retried: Arc::default(),
        }
    }
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(5),
            head: Duration::from_secs(30),
            idle: Duration::from_secs(30),
        }
    }
}

/// The reason the settings are unusable.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    #[error(
        "the model's base URL is not a URL ({reason}); it looks like https://api.openai.com/v1"
    )]
    BaseUrl { reason: String },
    #[error("the model's base URL must start with http:// or https://")]
    Scheme,
    #[error(
        "the model's base URL must not contain a user or a password; give the key as the API key"
    )]
    Credentials,
    #[error(
        "the model's API key has characters that an HTTP header cannot carry; check for a line break at its end"
    )]
    ApiKey,
    #[error(
        "TLS for the model's connection cannot be set up ({reason}); install the system's CA certificates"
    )]
    Tls { reason: String },
}

/// A client of one endpoint. Share it: clones share connections, breaker and learnt quirks.
pub struct OpenAi {
    connections: Connections,
    host: String,
    api_key: Option<SecretString>,
    timeouts: Timeouts,
    attempts: u32,
    retried: Arc<AtomicU64>,
    known: LearntQuirks,
    breaker: Breaker,
    budget: Budget,
    /// Waits between attempts; tests replace it to record the durations.
    pause: Box<dyn Fn(Duration) -> BoxFuture<'static, ()> + Send + Sync>,
}

impl OpenAi {
    pub fn new(settings: OpenAiSettings) -> Result<Self, SetupError> {
        let url = completions_url(&settings.base_url)?;
        let headers = headers(settings.api_key.as_ref())?;
        let uri: Uri = url
            .as_str()
            .parse()
            .map_err(|error: http::uri::InvalidUri| SetupError::BaseUrl {
                reason: error.to_string(),
            })?;
        let connections = Connections::new(&uri, headers, settings.timeouts.connect);
        let connections = connections.map_err(|error| SetupError::Tls {
            reason: error.to_string(),
        })?;
        let now = Instant::now();
        Ok(Self {
            connections,
            host: url.host_str().unwrap_or_default().to_owned(),
            api_key: settings.api_key,
            timeouts: settings.timeouts,
            attempts: settings.attempts.max(1),
            retried: settings.retried,
            known: LearntQuirks::default(),
            breaker: Breaker::new(now),
            budget: Budget::new(now),
            pause: Box::new(|wait| Box::pin(tokio::time::sleep(wait))),
        })
    }

    /// Makes one request.
    async fn attempt(&self, ask: &Ask<'_>, sink: &mut dyn DeltaSink) -> Result<Reply, Failure> {
        let quirks = self.known.of(&ask.settings.model);
        let body = Body::new(ask, quirks);
        let length = body.len();
        let response = self.send(body).await?;
        if response.status.is_success() {
            let answer = exchange::read(response, self.timeouts.idle, length, sink).await;
            return answer.map_err(|broken| Failure {
                shown: broken.shown,
                ..Failure::from(broken.error)
            });
        }
        Err(self.refusal(response, ask, quirks).await)
    }

    async fn send(&self, body: Body) -> Result<Response, ModelError> {
        match timeout(self.timeouts.head, self.connections.post(body)).await {
            Ok(sent) => sent.map_err(|trouble| error::of_sending(&trouble, &self.host)),
            Err(_) => {
                let patience = self.timeouts.head;
                let message = format!("the model server did not answer within {patience:?}");
                Err(ModelError::new(ModelErrorKind::TimedOut, message))
            }
        }
    }

    /// Reads an error response.
    async fn refusal(&self, mut response: Response, ask: &Ask<'_>, quirks: Quirks) -> Failure {
        /// Maximum size of an error body, in bytes.
        const MAX_BYTES: usize = 64 * 1024;
        let status = response.status;
        let retry_after = error::retry_after(&response.headers);
        let mut body = Vec::new();
        while body.len() < MAX_BYTES {
            match timeout(self.timeouts.idle, response.chunk()).await {
                Ok(Ok(Some(bytes))) => body.extend_from_slice(&bytes),
                // The status is sufficient.
                Ok(Ok(None) | Err(_)) | Err(_) => break,
            }
        }
        body.truncate(MAX_BYTES);
        let explanation = Explanation::read(&body);
        let kind = error::kind_of_status(status, &explanation);
        let rejected = Some(&explanation)
            .filter(|_| kind == ModelErrorKind::Rejected && matches!(status.as_u16(), 400 | 422))
            .and_then(Parameter::named_in)
            .filter(|parameter| body::sends(*parameter, ask, quirks));
        Failure {
            error: ModelError {
                kind,
                status: Some(status.as_u16()),
                retry_after,
                message: error::message_of_status(status, &explanation),
            },
            shown: false,
            hopeless: error::is_out_of_quota(&explanation),
            rejected: rejected.map(|parameter| (parameter, quirks)),
        }
    }

    /// Records a parameter that the model rejects; later requests omit it.
    fn learn(&self, model: &str, (parameter, used): (Parameter, Quirks), error: &ModelError) {
        if self.known.note(model, used, parameter) {
            tracing::warn!(
                gen_ai.request.model = model,
                parameter = parameter.name(),
                error.message = %redact::redact(&error.message, self.api_key.as_ref()),
                "the model rejects a parameter; later requests omit it"
            );
        }
    }
}

/// A failed attempt, and its consequence for the next one.
struct Failure {
    error: ModelError,
    /// Text was shown: the request must not be repeated.
    shown: bool,
    /// A retry cannot help although the error kind is retryable.
    hopeless: bool,
    /// The parameter to omit on the next attempt, and the quirks that the request used.
    rejected: Option<(Parameter, Quirks)>,
}

impl From<ModelError> for Failure {
    fn from(error: ModelError) -> Self {
        Self {
            error,
            shown: false,
            hopeless: false,
            rejected: None,
        }
    }
}

#[async_trait]
impl Model for OpenAi {
    async fn reply(&self, ask: Ask<'_>, sink: &mut dyn DeltaSink) -> Result<Reply, ModelError> {
        let mut attempts_made = 0;
        let mut last = None;
        self.budget.earn(Instant::now());
        loop {
            if let Err(wait) = self.breaker.admit(Instant::now()) {
                return Err(last.unwrap_or_else(|| out_of_order(wait)));
            }
            let mut failure = match self.attempt(&ask, sink).await {
                Ok(reply) => {
                    self.breaker.record(Instant::now(), true);
                    return Ok(reply);
                }
                Err(failure) => failure,
            };
            self.breaker
                .record(Instant::now(), !is_outage(failure.error.kind));
            if let Some(rejected) = failure.rejected {
                // Does not count as an attempt: each round has one parameter less to
                // reject.
                self.learn(&ask.settings.model, rejected, &failure.error);
                continue;
            }
            failure.error.message = redact::redact(&failure.error.message, self.api_key.as_ref());
            attempts_made += 1;
            let wait = retry::wait_after(&failure.error, attempts_made, rand::random());
            let Some(wait) = wait.filter(|_| {
                !failure.shown
                    && !failure.hopeless
                    && attempts_made < self.attempts
                    && self.budget.spend()
            }) else {
                return Err(failure.error);
            };
            tracing::debug!(
                error.kind = ?failure.error.kind,
                error.message = %failure.error,
                wait_ms = wait.as_millis(),
                "retrying the model request"
            );
            last = Some(failure.error);
            self.retried.fetch_add(1, Ordering::Relaxed);
            (self.pause)(wait).await;
        }
    }
}

/// True if the error means that the upstream is down, rather than a bad request or setting.
fn is_outage(kind: ModelErrorKind) -> bool {
    match kind {
        ModelErrorKind::Unavailable
        | ModelErrorKind::Unreachable
        | ModelErrorKind::TimedOut
        | ModelErrorKind::Interrupted
        | ModelErrorKind::Malformed => true,
        ModelErrorKind::RateLimited
        | ModelErrorKind::Unauthorized
        | ModelErrorKind::Rejected
        | ModelErrorKind::ContextTooLong => false,
    }
}

fn out_of_order(wait: Duration) -> ModelError {
    ModelError {
        retry_after: Some(wait),
        ..ModelError::new(
            ModelErrorKind::Unavailable,
            "the model server failed too often; requests are paused",
        )
    }
}

fn completions_url(base_url: &str) -> Result<Url, SetupError> {
    let mut url = Url::parse(base_url.trim()).map_err(|error| SetupError::BaseUrl {
        reason: error.to_string(),
    })?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(SetupError::Scheme);
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(SetupError::Credentials);
    }
    if let Ok(mut path) = url.path_segments_mut() {
        path.pop_if_empty().extend(["chat", "completions"]);
    }
    Ok(url)
}

fn headers(api_key: Option<&SecretString>) -> Result<HeaderMap, SetupError> {
    let mut headers = HeaderMap::with_capacity(4);
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(
        ACCEPT,
        HeaderValue::from_static("text/event-stream, application/json"),
    );
    headers.insert(
        USER_AGENT,
        HeaderValue::from_static(concat!("frontdesk/", env!("CARGO_PKG_VERSION"))),
    );
    if let Some(key) = api_key {
        let mut bearer = HeaderValue::try_from(format!("Bearer {}", key.expose_secret()))
            .map_err(|_| SetupError::ApiKey)?;
        bearer.set_sensitive(true);
        headers.insert(AUTHORIZATION, bearer);
    }
    Ok(headers)
}

#[cfg(test)]
mod tests;
