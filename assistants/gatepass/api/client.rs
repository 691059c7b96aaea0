//! Sends requests in the name of a person and tries again where that is safe. All waiting
//! goes through the world it is given, so that tests need no time.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use bytes::BytesMut;
use chrono::{DateTime, TimeDelta, Utc};
use frontdesk_core::access::Principal;
use frontdesk_core::env::Env;
use futures_util::future::{Either, select};
use reqwest::header::{HeaderMap, RETRY_AFTER};
use reqwest::{Client, Response, Url, redirect};

use super::failure::{Failed, Failure, Refusal};
use super::request::ApiRequest;
use super::resolver::SystemResolver;
use super::response::{ApiResponse, LARGEST_ANSWER};
use super::retry;
use crate::NAME;
use frontdesk_bundle::{MintToken, SetupError};

/// Whom a token lets act: the Gate Pass API checks that it was meant.
const AUDIENCE: &str = "gatepass";

pub(crate) struct GatePassClient {
    http: Client,
    base_url: Url,
    timeout: Duration,
    tokens: MintToken,
    env: Arc<dyn Env>,
}

/// For whom a request is made, until when it may take, and who hears about waits.
pub(crate) struct Errand<'a> {
    pub(crate) principal: &'a Principal,
    pub(crate) deadline: DateTime<Utc>,
    pub(crate) retries: Retries,
    pub(crate) progress: &'a (dyn Fn(String) + Sync),
}

/// Whether a request that failed is sent again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Retries {
    /// As often as it takes and the time allows.
    AsNeeded,
    /// The person can press the button again.
    Never,
}

impl GatePassClient {
    pub(crate) fn new(
        base_url: Url,
        timeout: Duration,
        tokens: MintToken,
        env: Arc<dyn Env>,
    ) -> Result<Self, SetupError> {
        // Whoever is first installs it; all of the product uses the same one.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut builder = Client::builder()
            .dns_resolver(Arc::new(SystemResolver))
            // The token is for this host alone.
            .redirect(redirect::Policy::none())
            .no_proxy();
        if base_url.scheme() == "http" {
            // A machine without certificates of its own can still talk to itself.
            builder = builder.tls_certs_only([]);
        }
        let http = builder.build().map_err(|error| SetupError::Part {
            assistant: NAME,
            cause: error.into(),
        })?;
        Ok(Self {
            http,
            base_url,
            timeout,
            tokens,
            env,
        })
    }

    /// An errand that may take this long from now.
    pub(crate) fn errand<'a>(
        &self,
        principal: &'a Principal,
        budget: Duration,
        progress: &'a (dyn Fn(String) + Sync),
    ) -> Errand<'a> {
        let budget = TimeDelta::from_std(budget).unwrap_or(TimeDelta::zero());
        Errand {
            principal,
            deadline: self.env.now() + budget,
            retries: Retries::AsNeeded,
            progress,
        }
    }

    /// The answer to a request, after as many attempts as it takes and the errand allows.
    pub(crate) async fn send(
        &self,
        request: &ApiRequest,
        errand: &Errand<'_>,
    ) -> Result<ApiResponse, Failed> {
        let deadline = errand.deadline;
        let mut retries = 0;
        let mut unsure = false;
        loop {
            let failure = match self.attempt(request, errand.principal, deadline).await {
                Ok(response) => return Ok(response),
                Err(failure) => failure,
            };
            unsure = (unsure || failure.may_have_acted()) && !failure.is_final_word();
            let left = (deadline - self.env.now()).to_std().unwrap_or_default();
            let wait = retry::wait_before_next(&failure, retries, left);
            let again = errand.retries == Retries::AsNeeded && request.may_be_repeated();
            let Some(wait) = wait.filter(|_| again) else {
                return Err(Failed { failure, unsure });
            };
            retries += 1;
            (errand.progress)(retry::told(&failure, retries, wait));
            tracing::warn!(retry = retries, "{failure}; trying again");
            self.env.sleep(wait).await;
        }
    }

    async fn attempt(
        &self,
        request: &ApiRequest,
        principal: &Principal,
        deadline: DateTime<Utc>,
    ) -> Result<ApiResponse, Failure> {
        // Made for each attempt: a token lives no longer than the waits may take.
        let token = (self.tokens)(principal, AUDIENCE).map_err(Failure::Unusable)?;
        let request = request.build(&self.http, &self.base_url, &token)?;
        let answer = self.within(deadline, self.http.execute(request)).await?;
        let response = answer.map_err(Failure::of)?;
        let status = response.status();
        let retry_after = retry_after(response.headers(), self.env.now());
        let answer = ApiResponse {
            status: status.as_u16(),
            bytes: self.read(response, deadline).await?.freeze(),
        };
        if status.is_success() {
            return Ok(answer);
        }
        Err(Failure::Answered(Refusal {
            status: answer.status,
            body: answer.json().ok().filter(|body| !body.is_null()),
            retry_after,
        }))
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

    /// The API may be silent for the timeout, and never beyond the deadline.
    async fn within<T>(
        &self,
        deadline: DateTime<Utc>,
        work: impl Future<Output = T>,
    ) -> Result<T, Failure> {
        let left = (deadline - self.env.now()).to_std().unwrap_or_default();
        let work = std::pin::pin!(work);
        match select(work, self.env.sleep(self.timeout.min(left))).await {
            Either::Left((done, _)) => Ok(done),
            Either::Right(((), _)) => Err(Failure::Timeout),
        }
    }
}

/// Seconds, or a date.
fn retry_after(headers: &HeaderMap, now: DateTime<Utc>) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = text.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let at = DateTime::parse_from_rfc2822(text).ok()?;
    Some((at.with_timezone(&Utc) - now).to_std().unwrap_or_default())
}
