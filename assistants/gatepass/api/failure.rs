//! Failures of a request, distinguished by type and never by message text.

use std::error::Error;
use std::fmt;
use std::io;
use std::time::Duration;

use serde_json::Value;

use super::resolver::NoSuchHost;

/// One attempt without a usable response.
#[derive(Debug)]
pub(crate) enum Failure {
    /// No response in time.
    Timeout,
    /// Connection refused.
    Refused,
    /// The host name does not resolve.
    NoSuchHost,
    /// No connection for another reason, e.g. a certificate.
    Unreachable(Cause),
    /// The connection broke before the response was complete.
    Lost(Cause),
    /// A response with an error status.
    Answered(Refusal),
    /// A success status with content that violates the API contract.
    Malformed(&'static str),
    TooLarge,
    /// The request could not be built.
    Unusable(Cause),
}

type Cause = Box<dyn Error + Send + Sync>;

/// An error response of the API.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Refusal {
    pub(crate) status: u16,
    /// The body, if it is JSON.
    pub(crate) body: Option<Value>,
    pub(crate) retry_after: Option<Duration>,
}

/// Result of all attempts together.
#[derive(Debug)]
pub(crate) struct Failed {
    pub(crate) failure: Failure,
    /// True if an attempt may have had its effect although no response confirmed it.
    pub(crate) unsure: bool,
}

/// Whether and when to send the same request again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Again {
    Never,
    Scheduled,
    /// The API asked for this delay.
    After(Duration),
}

/// The longest Retry-After that the client waits for; a longer one is reported to the person.
const LONGEST_RETRY_AFTER: Duration = Duration::from_secs(30);
const SHORTEST_RETRY_AFTER: Duration = Duration::from_secs(1);

impl Failure {
    /// Classifies a failed exchange by the types in its error chain.
    pub(super) fn of(error: reqwest::Error) -> Self {
        let error = error.without_url();
        if error.is_timeout() {
            return Failure::Timeout;
        }
        if find::<NoSuchHost>(&error).is_some() {
            return Failure::NoSuchHost;
        }
        let refused = find::<io::Error>(&error)
            .is_some_and(|cause| cause.kind() == io::ErrorKind::ConnectionRefused);
        if refused {
            Failure::Refused
        } else if error.is_connect() {
            Failure::Unreachable(error.into())
        } else if error.is_builder() {
            Failure::Unusable(error.into())
        } else {
            Failure::Lost(error.into())
        }
    }

    pub(super) fn again(&self) -> Again {
        match self {
            Failure::Timeout
            | Failure::Refused
            | Failure::NoSuchHost
            | Failure::Unreachable(_)
            | Failure::Lost(_) => Again::Scheduled,
            Failure::Answered(Refusal {
                status: 429 | 503,
                retry_after: Some(wait),
                ..
            }) if *wait <= LONGEST_RETRY_AFTER => Again::After((*wait).max(SHORTEST_RETRY_AFTER)),
            Failure::Answered(_)
            | Failure::Malformed(_)
            | Failure::TooLarge
            | Failure::Unusable(_) => Again::Never,
        }
    }

    /// Whether the request may have had its effect although it failed.
    pub(super) fn may_have_acted(&self) -> bool {
        match self {
            Failure::Timeout | Failure::Lost(_) | Failure::Malformed(_) | Failure::TooLarge => true,
            // A gateway timeout, or an API that reports an unknown outcome.
            Failure::Answered(refusal) => {
                matches!(refusal.status, 408 | 502 | 504)
                    || refusal.code() == Some("OUTCOME_UNKNOWN")
            }
            Failure::Refused
            | Failure::NoSuchHost
            | Failure::Unreachable(_)
            | Failure::Unusable(_) => false,
        }
    }

    /// True for a response that settles the outcome of every attempt under the same key.
    pub(super) fn is_final_word(&self) -> bool {
        matches!(self, Failure::Answered(refusal) if (400..500).contains(&refusal.status) && refusal.status != 408 && refusal.status != 429)
    }
}

/// For the operator's log. The API's own text is untrusted and left out.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Timeout => f.write_str("the gate pass API did not answer in time"),
            Failure::Refused => f.write_str("nobody listens at the address of the gate pass API"),
            Failure::NoSuchHost => f.write_str("the host of the gate pass API cannot be found"),
            Failure::Unreachable(cause) => write!(f, "no connection to the gate pass API: {cause}"),
            Failure::Lost(cause) => write!(f, "the connection to the gate pass API broke: {cause}"),
            Failure::Answered(refusal) => {
                write!(f, "the gate pass API answered {}", refusal.status)
            }
            Failure::Malformed(what) => write!(f, "unusable answer of the gate pass API: {what}"),
            Failure::TooLarge => f.write_str("the answer of the gate pass API is too large"),
            Failure::Unusable(cause) => write!(f, "no request to the gate pass API: {cause}"),
        }
    }
}

impl Error for Failure {}

impl Refusal {
    /// `error.code`, if the API sends one.
    pub(crate) fn code(&self) -> Option<&str> {
        self.body.as_ref()?.get("error")?.get("code")?.as_str()
    }
}

fn find<'a, T: Error + 'static>(error: &'a (dyn Error + 'static)) -> Option<&'a T> {
    let mut next = Some(error);
    while let Some(current) = next {
        if let Some(found) = current.downcast_ref::<T>() {
            return Some(found);
        }
        next = current.source();
    }
    None
}
