//! Sends requests to a source on behalf of a person and retries where that is safe. All waiting goes
//! through `Env`, so that tests need no real time.

use std::future::Future;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use chrono::{DateTime, TimeDelta, Utc};
use chrono_tz::Tz;
use frontdesk_core::access::Principal;
use frontdesk_core::env::Env;
use futures_util::future::{Either, select};
use futures_util::poll;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER};
use reqwest::{Client, Response, Url, redirect};
use serde_json::Value;

use crate::auth::{Credentials, TokenSources};
use crate::failure::{Failed, Failure, Refusal};
use crate::request::{ApiRequest, Target};
use crate::resolver::SystemResolver;
use crate::response::{BodyRule, refused};
use crate::retry;
use crate::source::Source;

/// In bytes.
const LARGEST_ANSWER: usize = 16 * 1024 * 1024;

/// A source's client: connections, sign-in, deadlines and retries.
pub struct HttpSource {
    source: Source,
    http: Client,
    base_url: Url,
    headers: HeaderMap,
    zone: Tz,
    credentials: Credentials,
    env: Arc<dyn Env>,
}

/// A source that cannot be set up, in a sentence for the operator.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SourceError(pub String);

/// The person a request is made for, its deadline, and the receiver of progress messages.
pub struct CallOptions<'a> {
    pub principal: &'a Principal,
    pub deadline: DateTime<Utc>,
    pub retries: Retries,
    pub progress: &'a (dyn Fn(String) + Sync),
}

/// Whether a failed request is retried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retries {
    /// As often as the retry rules and the deadline allow.
    AsNeeded,
    /// The person can press the button again.
    Never,
}

/// A successful response.
#[derive(Clone, Debug, PartialEq)]
pub struct ApiResponse {
    pub status: u16,
    pub bytes: Bytes,
    pub media_type: Option<String>,
    /// The content, if it is JSON.
    pub(crate) body: Option<Value>,
}

/// An address in a response.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Link {
    /// On a host that the source names. The addresses are tried in turn.
    Fetch(Vec<Url>),
    /// On another host: for people to follow, never fetched.
    Elsewhere(Url),
}

/// A client that follows no redirect, because a sign-in is for one host only.
pub(crate) fn http_client(needs_tls: bool) -> reqwest::Result<Client> {
    // The provider is process-wide; an earlier installation wins.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut builder = Client::builder()
        .dns_resolver(Arc::new(SystemResolver))
        .redirect(redirect::Policy::none())
        .no_proxy();
    if !needs_tls {
        builder = builder.tls_certs_only([]);
    }
    builder.build()
}

impl HttpSource {
    pub fn new(
        source: Source,
        tokens: TokenSources,
        env: Arc<dyn Env>,
    ) -> Result<Self, SourceError> {
        let base_url = source
            .url()
            .map_err(|problem| SourceError(format!("{}: {problem}", source.address_setting)))?;
        // A machine without root certificates can still reach a plain HTTP address.
        let needs_tls = base_url.scheme() != "http" || uses_https(&source);
        let http = http_client(needs_tls)
            .map_err(|error| SourceError(format!("{} cannot be reached: {error}", source.name)))?;
        let zone = match source.time_zone.as_deref() {
            None => Tz::UTC,
            Some(name) => name.parse().map_err(|_| {
                SourceError(format!(
                    "{name:?} is not a time zone; use a name such as Europe/Berlin or UTC"
                ))
            })?,
        };
        Ok(Self {
            headers: constant_headers(&source)?,
            credentials: Credentials::new(source.auth.clone(), tokens),
            source,
            http,
            base_url,
            zone,
            env,
        })
    }

    pub fn source(&self) -> &Source {
        &self.source
    }

    pub fn base_url(&self) -> &Url {
        &self.base_url
    }

    /// The zone of times without one.
    pub(crate) fn zone(&self) -> Tz {
        self.zone
    }

    /// True if a write can be sent again without taking effect twice.
    pub fn knows_keys(&self) -> bool {
        self.source.idempotency_header.is_some()
    }

    /// The longest wait for one response.
    pub fn timeout(&self) -> Duration {
        self.source.timeout.0
    }

    /// The time limit of a call with all its attempts.
    pub fn budget(&self) -> Duration {
        retry::longest_call(self.source.timeout.0)
    }

    /// Options with a deadline this long from now.
    pub fn options<'a>(
        &self,
        principal: &'a Principal,
        budget: Duration,
        progress: &'a (dyn Fn(String) + Sync),
    ) -> CallOptions<'a> {
        let budget = TimeDelta::from_std(budget).unwrap_or(TimeDelta::zero());
        CallOptions {
            principal,
            deadline: self.env.now() + budget,
            retries: Retries::AsNeeded,
            progress,
        }
    }

    /// Options for one attempt without messages about its progress.
    pub fn once<'a>(&self, principal: &'a Principal, budget: Duration) -> CallOptions<'a> {
        CallOptions {
            retries: Retries::Never,
            ..self.options(principal, budget, &|_| {})
        }
    }

    /// The response to a request, after as many attempts as needed and allowed.
    pub async fn send(
        &self,
        request: &ApiRequest,
        rule: Option<&BodyRule>,
        options: &CallOptions<'_>,
    ) -> Result<ApiResponse, Failed> {
        let deadline = options.deadline;
        let has_key = request.key.is_some() && self.knows_keys();
        let mut retries = 0;
        let mut unsure = false;
        loop {
            let failure = match self
                .attempt(request, rule, options.principal, deadline)
                .await
            {
                Ok(response) => return Ok(response),
                Err(failure) => failure,
            };
            let settles = failure.is_final_word();
            let acted = failure.may_have_acted() || (!has_key && is_internal_error(&failure));
            unsure = (unsure || acted) && !settles;
            let left = (deadline - self.env.now()).to_std().unwrap_or_default();
            let wait = retry::wait_before_next(&failure, retries, left);
            let is_safe = !request.writes || has_key || failure.is_before_sending();
            let again = options.retries == Retries::AsNeeded && is_safe;
            let Some(wait) = wait.filter(|_| again) else {
                return Err(Failed { failure, unsure });
            };
            retries += 1;
            (options.progress)(retry::wait_message(
                &self.source.title(),
                &failure,
                retries,
                wait,
            ));
            tracing::warn!(
                retry = retries,
                "{}; trying again",
                failure.in_log(&self.source.name)
            );
            self.env.sleep(wait).await;
        }
    }

    async fn attempt(
        &self,
        request: &ApiRequest,
        rule: Option<&BodyRule>,
        principal: &Principal,
        deadline: DateTime<Utc>,
    ) -> Result<ApiResponse, Failure> {
        let answer = self.exchange(request, rule, principal, deadline).await;
        match answer {
            // The system did not act on a request whose sign-in it refused.
            Err(failure) if crate::auth::is_refused(&failure) && self.credentials.renew().await => {
                self.exchange(request, rule, principal, deadline).await
            }
            other => other,
        }
    }

    async fn exchange(
        &self,
        request: &ApiRequest,
        rule: Option<&BodyRule>,
        principal: &Principal,
        deadline: DateTime<Utc>,
    ) -> Result<ApiResponse, Failure> {
        let http_request = self.prepare(request, principal, deadline).await?;
        let answer = self
            .within(deadline, self.http.execute(http_request))
            .await?;
        let mut response = answer.map_err(Failure::of)?;
        let status = response.status();
        let headers = std::mem::take(response.headers_mut());
        let mut answer = ApiResponse {
            status: status.as_u16(),
            media_type: media_type(&headers),
            bytes: self.read(response, deadline).await?.freeze(),
            body: None,
        };
        if !status.is_success() || answer.may_be_json() {
            answer.body = serde_json::from_slice(&answer.bytes).ok();
        }
        let refuses = |body: &Value| refused(body, rule.or(self.source.success.as_ref()));
        if status.is_success() && !answer.body.as_ref().is_some_and(refuses) {
            return Ok(answer);
        }
        Err(Failure::Answered(Refusal {
            status: answer.status,
            body: answer.body.filter(|body| !body.is_null()),
            retry_after: retry_after(&headers, self.env.now()),
            request_id: request_id(&headers),
        }))
    }

    /// The request with its sign-in, which may have changed since the last attempt.
    async fn prepare(
        &self,
        request: &ApiRequest,
        principal: &Principal,
        deadline: DateTime<Utc>,
    ) -> Result<reqwest::Request, Failure> {
        let mut builder = request
            .builder(&self.http, &self.base_url)?
            .headers(self.headers.clone());
        let key = request.key.as_deref().filter(|_| request.writes);
        if let (Some(name), Some(key)) = (&self.source.idempotency_header, key) {
            builder = builder.header(name, key);
        }
        let is_foreign = matches!(&request.target, Target::Url(url) if !self.is_ours(url));
        if !is_foreign {
            let now = self.env.now();
            let signed = self.credentials.apply(builder, principal, &self.http, now);
            builder = self.within(deadline, signed).await??;
        }
        let built = builder.build();
        built.map_err(|error| Failure::Unusable(error.into()))
    }

    async fn read(
        &self,
        mut response: Response,
        deadline: DateTime<Utc>,
    ) -> Result<BytesMut, Failure> {
        let mut bytes = BytesMut::new();
        while let Some(chunk) = self
            .within(deadline, response.chunk())
            .await?
            .map_err(Failure::of)?
        {
            if bytes.len() + chunk.len() > LARGEST_ANSWER {
                return Err(Failure::TooLarge);
            }
            bytes.extend_from_slice(&chunk);
        }
        Ok(bytes)
    }

    /// Applies the source's timeout, limited by the deadline.
    async fn within<T>(
        &self,
        deadline: DateTime<Utc>,
        work: impl Future<Output = T>,
    ) -> Result<T, Failure> {
        let mut work = std::pin::pin!(work);
        // A timer for work that is done already would cost more than the work.
        if let Poll::Ready(done) = poll!(work.as_mut()) {
            return Ok(done);
        }
        let left = (deadline - self.env.now()).to_std().unwrap_or_default();
        match select(work, self.env.sleep(self.source.timeout.0.min(left))).await {
            Either::Left((done, _)) => Ok(done),
            Either::Right(((), _)) => Err(Failure::Timeout),
        }
    }

    fn is_ours(&self, url: &Url) -> bool {
        url.origin() == self.base_url.origin()
    }

    /// Judges an address that a response names. Only the source's own host gets the sign-in; other
    /// hosts are fetched from only if the source lists them.
    pub(crate) fn link(&self, text: &str) -> Option<Link> {
        if climbs(text) {
            return None;
        }
        if let Some(path) = text.strip_prefix('/').filter(|rest| !rest.starts_with('/')) {
            return Some(Link::Fetch(self.own_addresses(path)));
        }
        let url = Url::parse(text).ok()?;
        let is_web = matches!(url.scheme(), "http" | "https") && url.has_host();
        if !is_web || !url.username().is_empty() || url.password().is_some() {
            return None;
        }
        let host = url.host_str().unwrap_or_default();
        let is_listed = self.source.file_hosts.iter().any(|listed| listed == host);
        if self.is_ours(&url) || (is_listed && url.scheme() == "https") {
            return Some(Link::Fetch(vec![url]));
        }
        Some(Link::Elsewhere(url))
    }

    /// A path counts from the source's address; some systems count it from their host.
    fn own_addresses(&self, path: &str) -> Vec<Url> {
        let base = self.base_url.path().trim_matches('/');
        let mut root = self.base_url.clone();
        root.set_path("/");
        let from_base = match base.is_empty() || path.starts_with(&format!("{base}/")) {
            true => path.to_owned(),
            false => format!("{base}/{path}"),
        };
        let mut found: Vec<Url> = Vec::new();
        for candidate in [from_base.as_str(), path] {
            if let Ok(url) = root.join(candidate)
                && self.is_ours(&url)
                && !found.contains(&url)
            {
                found.push(url);
            }
        }
        found
    }
}

impl ApiResponse {
    /// The content as JSON; an empty body is `null`.
    pub fn json(self) -> Result<Value, Failure> {
        if let Some(body) = self.body {
            return Ok(body);
        }
        if self.bytes.iter().all(u8::is_ascii_whitespace) {
            return Ok(Value::Null);
        }
        serde_json::from_slice(&self.bytes)
            .map_err(|_| Failure::Malformed("the answer is not JSON, or it is cut off"))
    }

    /// Whether the status itself says that there is no content.
    pub(crate) fn declares_no_content(&self) -> bool {
        matches!(self.status, 204 | 205)
    }

    fn may_be_json(&self) -> bool {
        let first = self.bytes.iter().find(|byte| !byte.is_ascii_whitespace());
        matches!(first, Some(b'{' | b'['))
    }
}

impl Source {
    /// The validated address.
    pub fn url(&self) -> Result<Url, SourceError> {
        let text = &self.base_url;
        let url = Url::parse(text)
            .ok()
            .filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
            .ok_or_else(|| {
                SourceError(format!(
                    "{text:?} must be an address that begins with http:// or https://, e.g. https://desk.example/api"
                ))
            })?;
        if !url.username().is_empty() || url.password().is_some() {
            // The message omits the URL, because it contains a password.
            return Err(SourceError(
                "the address must not contain a user name or a password; configure the sign-in instead".to_owned(),
            ));
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(SourceError(format!(
                "{text:?} must not have a query or a fragment"
            )));
        }
        Ok(url)
    }
}

fn uses_https(source: &Source) -> bool {
    let has_token_url = matches!(&source.auth, crate::Auth::OAuth2 { token_url, .. } if token_url.starts_with("https"));
    has_token_url || !source.file_hosts.is_empty()
}

fn constant_headers(source: &Source) -> Result<HeaderMap, SourceError> {
    let mut headers = HeaderMap::new();
    for (name, value) in &source.headers {
        let pair = (HeaderName::try_from(name), HeaderValue::try_from(value));
        let (Ok(key), Ok(value)) = pair else {
            return Err(SourceError(format!(
                "the header {name:?} has a name or a value that HTTP does not allow"
            )));
        };
        headers.insert(key, value);
    }
    Ok(headers)
}

/// Whether a path leaves its folder, encoded or not.
fn climbs(text: &str) -> bool {
    let plain = text.to_ascii_lowercase().replace("%2e", ".");
    let path = plain.split(['?', '#']).next().unwrap_or_default();
    plain.contains('\\')
        || plain.chars().any(|c| c.is_control() || c.is_whitespace())
        || path.split('/').any(|part| part == "." || part == "..")
}

fn is_internal_error(failure: &Failure) -> bool {
    let status = failure.refusal().map_or(0, |refusal| refusal.status);
    (500..600).contains(&status) && !matches!(status, 501 | 503)
}

fn media_type(headers: &HeaderMap) -> Option<String> {
    let text = headers.get(CONTENT_TYPE)?.to_str().ok()?;
    let plain = text.split(';').next()?.trim();
    (!plain.is_empty()).then(|| plain.to_owned())
}

/// The system's id of the request, if it is short and printable.
fn request_id(headers: &HeaderMap) -> Option<String> {
    const LONGEST: usize = 128;
    [
        "x-request-id",
        "request-id",
        "x-correlation-id",
        "x-amzn-requestid",
        "cf-ray",
    ]
    .iter()
    .find_map(|name| headers.get(*name)?.to_str().ok())
    .filter(|id| id.len() <= LONGEST && id.bytes().all(|byte| byte.is_ascii_graphic()))
    .map(str::to_owned)
}

/// Parses seconds or an HTTP date.
fn retry_after(headers: &HeaderMap, now: DateTime<Utc>) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = text.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let at = DateTime::parse_from_rfc2822(text).ok()?;
    Some((at.with_timezone(&Utc) - now).to_std().unwrap_or_default())
}
