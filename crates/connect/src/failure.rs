//! Failures of a request, distinguished by type and never by message text.

use std::error::Error;
use std::fmt;
use std::io;
use std::time::Duration;

use serde_json::Value;

use crate::resolver::NoSuchHost;

/// One attempt without a usable response.
#[derive(Debug)]
pub enum Failure {
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
    /// A response with an error status, or one whose body says that the request was refused.
    Answered(Refusal),
    /// A success status with content that cannot be used.
    Malformed(&'static str),
    TooLarge,
    /// There is no sign-in to send the request with.
    NoSignIn(Cause),
    /// The request could not be built.
    Unusable(Cause),
}

type Cause = Box<dyn Error + Send + Sync>;

/// An error response.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Refusal {
    /// The HTTP status; a success status if only the body refuses.
    pub status: u16,
    /// The body, if it is JSON.
    pub body: Option<Value>,
    pub retry_after: Option<Duration>,
    /// The system's id of the request, for the operator's log.
    pub request_id: Option<String>,
}

/// Result of all attempts together.
#[derive(Debug)]
pub struct Failed {
    pub failure: Failure,
    /// True if an attempt may have had its effect although no response confirmed it.
    pub unsure: bool,
}

impl Failure {
    /// Classifies a failed exchange by the types in its error chain.
    pub(crate) fn of(error: reqwest::Error) -> Self {
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

    /// True if the request never reached the system.
    pub(crate) fn is_before_sending(&self) -> bool {
        matches!(
            self,
            Failure::Refused | Failure::NoSuchHost | Failure::Unreachable(_)
        )
    }

    /// Whether the request may have had its effect although it failed.
    pub(crate) fn may_have_acted(&self) -> bool {
        match self {
            Failure::Timeout | Failure::Lost(_) | Failure::Malformed(_) | Failure::TooLarge => true,
            // A gateway timeout, or a system that reports an unknown outcome. An internal error
            // without a key may follow the effect, which `HttpSource::send` decides.
            Failure::Answered(refusal) => {
                matches!(refusal.status, 408 | 502 | 504)
                    || refusal.code() == Some("OUTCOME_UNKNOWN")
            }
            Failure::Refused
            | Failure::NoSuchHost
            | Failure::Unreachable(_)
            | Failure::NoSignIn(_)
            | Failure::Unusable(_) => false,
        }
    }

    /// True for a response that settles the outcome of every attempt under the same key.
    pub(crate) fn is_final_word(&self) -> bool {
        matches!(self, Failure::Answered(refusal) if (400..500).contains(&refusal.status) && refusal.status != 408 && refusal.status != 429)
    }

    /// The refusal, if the system refused.
    pub fn refusal(&self) -> Option<&Refusal> {
        if let Failure::Answered(refusal) = self {
            Some(refusal)
        } else {
            None
        }
    }

    /// For the operator's log; `system` is the source's name. The system's own text is untrusted and
    /// left out.
    pub fn in_log(&self, system: &str) -> String {
        match self {
            Failure::Timeout => format!("{system} did not answer in time"),
            Failure::Refused => format!("nobody listens at the address of {system}"),
            Failure::NoSuchHost => format!("the host of {system} cannot be found"),
            Failure::Unreachable(cause) => format!("no connection to {system}: {cause}"),
            Failure::Lost(cause) => format!("the connection to {system} broke: {cause}"),
            Failure::Answered(refusal) => format!("{system} answered {}", refusal.in_log()),
            Failure::Malformed(what) => format!("unusable answer of {system}: {what}"),
            Failure::TooLarge => format!("the answer of {system} is too large"),
            Failure::NoSignIn(cause) => format!("no sign-in to {system}: {cause}"),
            Failure::Unusable(cause) => format!("no request to {system}: {cause}"),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.in_log("the system"))
    }
}

impl Error for Failure {}

impl Refusal {
    /// `error.code`, if the system sends one.
    pub fn code(&self) -> Option<&str> {
        self.body.as_ref()?.get("error")?.get("code")?.as_str()
    }

    fn in_log(&self) -> String {
        let id = self.request_id.as_deref().unwrap_or("-");
        if (200..300).contains(&self.status) {
            format!("{} with a refusal (request id {id})", self.status)
        } else {
            format!("{} (request id {id})", self.status)
        }
    }
}

impl Failed {
    /// Whether the system does not know the object.
    pub fn is_not_found(&self) -> bool {
        self.failure
            .refusal()
            .is_some_and(|refusal| refusal.status == 404)
    }
}

/// For a success status with unusable content: a write has probably happened.
impl From<Failure> for Failed {
    fn from(failure: Failure) -> Self {
        Self {
            failure,
            unsure: true,
        }
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
