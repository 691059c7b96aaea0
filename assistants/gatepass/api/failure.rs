//! Every way in which a request can go wrong, told apart by type and never by wording.

use std::error::Error;
use std::fmt;
use std::io;
use std::time::Duration;

use serde_json::Value;

use super::resolver::NoSuchHost;

/// One attempt that brought no good answer.
#[derive(Debug)]
pub(crate) enum Failure {
    /// No answer in time.
    Timeout,
    /// Nobody listens at the address.
    Refused,
    /// The name in the address leads nowhere.
    NoSuchHost,
    /// No connection for another reason, e.g. a certificate.
    Unreachable(Cause),
    /// The connection broke while the answer was awaited or on its way.
    Lost(Cause),
    /// An answer with a status that is not a success.
    Answered(Refusal),
    /// A success whose content is not what the API promises.
    Malformed(&'static str),
    TooLarge,
    /// The request could not be made at all.
    Unusable(Cause),
}

type Cause = Box<dyn Error + Send + Sync>;

/// What the API said instead of yes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Refusal {
    pub(crate) status: u16,
    /// The body, where it is JSON.
    pub(crate) body: Option<Value>,
    pub(crate) retry_after: Option<Duration>,
}

/// How all attempts together ended.
#[derive(Debug)]
pub(crate) struct Failed {
    pub(crate) failure: Failure,
    /// An attempt may have been carried out although no answer said so.
    pub(crate) unsure: bool,
}

/// Whether and when the same request is worth sending again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Again {
    Never,
    Scheduled,
    /// The API asked for this much patience.
    After(Duration),
}

/// Whoever asks for more patience than this is told to the person instead.
const LONGEST_RETRY_AFTER: Duration = Duration::from_secs(30);
const SHORTEST_RETRY_AFTER: Duration = Duration::from_secs(1);

impl Failure {
    /// What a failed exchange was, by the types in its chain of causes.
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

    /// Whether the request may have been carried out although it failed.
    pub(super) fn may_have_acted(&self) -> bool {
        match self {
            Failure::Timeout | Failure::Lost(_) | Failure::Malformed(_) | Failure::TooLarge => true,
            // A gateway that gave up waiting, or an API that says itself that it does not know.
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

    /// An answer that settles what became of every attempt under the same key.
    pub(super) fn is_final_word(&self) -> bool {
        matches!(self, Failure::Answered(refusal) if (400..500).contains(&refusal.status) && refusal.status != 408 && refusal.status != 429)
    }
}

/// For the operator. What the API wrote is somebody else's text and left out.
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
    /// `error.code`, where the API has one.
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
