//! Fetches a page within limits on time, transferred size, unpacked size and redirects.

use std::io::Read;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use flate2::read::{GzDecoder, ZlibDecoder};
use futures_util::future::BoxFuture;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::{
    ACCEPT, ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, ETAG, HeaderMap, IF_NONE_MATCH,
    LOCATION, RETRY_AFTER, USER_AGENT,
};
use reqwest::{Client, StatusCode, Url};
use tokio::time::{Instant, timeout_at};

use super::address::{self, AddressError, AllowedHosts};

pub(crate) const AGENT: &str = "Frontdesk/0.1 (+documents)";

/// Limits of one fetch.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Total time from name resolution to the last byte.
    pub time: Duration,
    /// Maximum size in bytes, both as transferred and after decompression.
    pub bytes: usize,
    pub hops: usize,
    /// Attempts while the server reports overload.
    pub attempts: u32,
    pub first_pause: Duration,
    pub longest_pause: Duration,
}

impl Limits {
    /// Limits for an operator who indexes a site.
    pub const INGEST: Limits = Limits {
        time: Duration::from_secs(30),
        bytes: 5 * 1024 * 1024,
        hops: 3,
        attempts: 4,
        first_pause: Duration::from_secs(1),
        longest_pause: Duration::from_secs(16),
    };

    /// Limits for an address from an API request.
    pub const API_REQUEST: Limits = Limits {
        time: Duration::from_secs(10),
        attempts: 1,
        ..Limits::INGEST
    };
}

/// Resolves host names. Tests replace it.
pub trait Resolver: Send + Sync {
    fn resolve(&self, name: &str) -> BoxFuture<'static, std::io::Result<Vec<IpAddr>>>;
}

pub struct SystemResolver;

impl Resolver for SystemResolver {
    fn resolve(&self, name: &str) -> BoxFuture<'static, std::io::Result<Vec<IpAddr>>> {
        let name = name.to_owned();
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            Ok(found.map(|address| address.ip()).collect())
        })
    }
}

/// Resolves names for the HTTP client and rejects non-public addresses at dial time, which
/// prevents DNS rebinding.
struct CheckedResolver {
    resolver: Arc<dyn Resolver>,
    allowed: AllowedHosts,
}

impl Resolve for CheckedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let found = self.resolver.resolve(name.as_str());
        let host_allowed = self.allowed.admits_name(name.as_str());
        Box::pin(async move {
            let public: Vec<SocketAddr> = found
                .await?
                .into_iter()
                .filter(|address| host_allowed || address::is_public(*address))
                .map(|address| SocketAddr::new(address, 0))
                .collect();
            if public.is_empty() {
                return Err(
                    Box::new(AddressError::NotPublic) as Box<dyn std::error::Error + Send + Sync>
                );
            }
            Ok(Box::new(public.into_iter()) as Addrs)
        })
    }
}

/// The only HTTP client for addresses that users or documents supply.
#[derive(Clone)]
pub struct Egress {
    client: Client,
    allowed: AllowedHosts,
    limits: Limits,
}

#[derive(Debug)]
pub struct FetchedPage {
    /// The final URL, after redirects.
    pub url: Url,
    pub bytes: Vec<u8>,
    pub media_type: Option<String>,
    pub charset: Option<String>,
    pub etag: Option<String>,
}

/// The reason a fetch failed; shown to the person who asked for the page.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FetchError {
    #[error(transparent)]
    Address(#[from] AddressError),
    #[error("the server answered {0}")]
    Status(u16),
    #[error("more than {0} redirects")]
    Hops(usize),
    #[error("the page is larger than {} MB", .0 / 1024 / 1024)]
    TooLarge(usize),
    #[error("the request took longer than {} s", .0.as_secs())]
    TimedOut(Duration),
    #[error("no connection")]
    Unreachable,
    #[error("the content encoding is not supported")]
    Encoding,
    /// The server returned 304 for the ETag of the request.
    #[error("not modified")]
    NotModified,
}

impl FetchError {
    fn can_retry(&self) -> bool {
        match self {
            Self::Status(status) => matches!(status, 429 | 500 | 502 | 503 | 504),
            Self::Unreachable | Self::TimedOut(_) => true,
            Self::Address(_)
            | Self::Hops(_)
            | Self::TooLarge(_)
            | Self::Encoding
            | Self::NotModified => false,
        }
    }
}

impl Egress {
    pub fn new(
        allowed: AllowedHosts,
        limits: Limits,
        resolver: Arc<dyn Resolver>,
    ) -> Result<Self, crate::json_client::SetupError> {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let guard = CheckedResolver {
            resolver,
            allowed: allowed.clone(),
        };
        let client = Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .dns_resolver(Arc::new(guard))
            .pool_max_idle_per_host(2)
            .build()
            .map_err(|error| crate::json_client::SetupError(error.to_string()))?;
        Ok(Self {
            client,
            allowed,
            limits,
        })
    }

    pub fn with_limits(&self, limits: Limits) -> Self {
        Self {
            limits,
            ..self.clone()
        }
    }

    pub fn check(&self, text: &str) -> Result<Url, AddressError> {
        address::check(text, &self.allowed)
    }

    /// Fetches a page and retries while the server is overloaded.
    pub async fn fetch(&self, url: &Url, etag: Option<&str>) -> Result<FetchedPage, FetchError> {
        let mut pause = self.limits.first_pause;
        let mut attempt = 1;
        loop {
            let (error, asked) = match self.once(url, etag).await {
                Ok(page) => return Ok(page),
                Err(refused) => refused,
            };
            if attempt >= self.limits.attempts || !error.can_retry() {
                return Err(error);
            }
            let wait = asked.unwrap_or(pause).min(self.limits.longest_pause);
            tokio::time::sleep(wait).await;
            pause = (pause * 2).min(self.limits.longest_pause);
            attempt += 1;
        }
    }

    /// Makes one attempt. On failure, also returns the server's `Retry-After`.
    async fn once(
        &self,
        url: &Url,
        etag: Option<&str>,
    ) -> Result<FetchedPage, (FetchError, Option<Duration>)> {
        let plain = |error: FetchError| (error, None);
        let deadline = Instant::now() + self.limits.time;
        let late = || FetchError::TimedOut(self.limits.time);
        let mut url = url.clone();
        for _ in 0..=self.limits.hops {
            address::check_url(&url, &self.allowed).map_err(|error| plain(error.into()))?;
            let mut request = self
                .client
                .get(url.clone())
                .header(USER_AGENT, AGENT)
                .header(ACCEPT, "text/html,application/xhtml+xml,text/markdown,text/plain,application/pdf,application/xml;q=0.8,*/*;q=0.1")
                .header(ACCEPT_ENCODING, "gzip, deflate");
            if let Some(etag) = etag {
                request = request.header(IF_NONE_MATCH, etag);
            }
            let response = timeout_at(deadline, request.send())
                .await
                .map_err(|_| plain(late()))?
                .map_err(|error| plain(unreachable(&error)))?;
            let status = response.status();
            if status == StatusCode::NOT_MODIFIED {
                return Err(plain(FetchError::NotModified));
            }
            if status.is_redirection() {
                url = redirect(&url, response.headers())
                    .ok_or_else(|| plain(FetchError::Status(status.as_u16())))?;
                continue;
            }
            if !status.is_success() {
                let asked = seconds(response.headers());
                return Err((FetchError::Status(status.as_u16()), asked));
            }
            return self.page(url, response, deadline).await.map_err(plain);
        }
        Err(plain(FetchError::Hops(self.limits.hops)))
    }

    async fn page(
        &self,
        url: Url,
        mut response: reqwest::Response,
        deadline: Instant,
    ) -> Result<FetchedPage, FetchError> {
        let headers = response.headers().clone();
        let mut bytes = Vec::new();
        loop {
            let chunk = timeout_at(deadline, response.chunk())
                .await
                .map_err(|_| FetchError::TimedOut(self.limits.time))?
                .map_err(|_| FetchError::Unreachable)?;
            let Some(chunk) = chunk else { break };
            bytes.extend_from_slice(&chunk);
            if bytes.len() > self.limits.bytes {
                return Err(FetchError::TooLarge(self.limits.bytes));
            }
        }
        let bytes = match text_of(&headers, CONTENT_ENCODING.as_str()).as_deref() {
            None | Some("identity") => bytes,
            Some("gzip" | "x-gzip") => self.unpack(GzDecoder::new(bytes.as_slice()))?,
            Some("deflate") => self.unpack(ZlibDecoder::new(bytes.as_slice()))?,
            Some(_) => return Err(FetchError::Encoding),
        };
        let content_type = text_of(&headers, CONTENT_TYPE.as_str());
        let charset = content_type.as_deref().and_then(charset_of);
        Ok(FetchedPage {
            url,
            bytes,
            media_type: content_type,
            charset,
            etag: text_of(&headers, ETAG.as_str()),
        })
    }

    fn unpack(&self, packed: impl Read) -> Result<Vec<u8>, FetchError> {
        let mut bytes = Vec::new();
        packed
            .take(self.limits.bytes as u64 + 1)
            .read_to_end(&mut bytes)
            .map_err(|_| FetchError::Encoding)?;
        if bytes.len() > self.limits.bytes {
            return Err(FetchError::TooLarge(self.limits.bytes));
        }
        Ok(bytes)
    }
}

fn redirect(from: &Url, headers: &HeaderMap) -> Option<Url> {
    from.join(headers.get(LOCATION)?.to_str().ok()?).ok()
}

fn seconds(headers: &HeaderMap) -> Option<Duration> {
    let seconds = headers.get(RETRY_AFTER)?.to_str().ok()?.parse().ok()?;
    Some(Duration::from_secs(seconds))
}

fn text_of(headers: &HeaderMap, name: &str) -> Option<String> {
    let value = headers.get(name)?.to_str().ok()?.trim();
    (!value.is_empty()).then(|| value.to_owned())
}

fn charset_of(content_type: &str) -> Option<String> {
    let (_, after) = content_type.split_once("charset=")?;
    let label = after.split(';').next()?.trim().trim_matches('"');
    (!label.is_empty()).then(|| label.to_owned())
}

/// Distinguishes an address that the guard refused from a host that is down.
fn unreachable(error: &reqwest::Error) -> FetchError {
    let mut cause: Option<&dyn std::error::Error> = Some(error);
    while let Some(one) = cause {
        if one.downcast_ref::<AddressError>().is_some() {
            return AddressError::NotPublic.into();
        }
        cause = one.source();
    }
    FetchError::Unreachable
}

#[cfg(test)]
#[path = "fetch_tests.rs"]
mod fetch_tests;
