//! Sentences for requests without a usable response.

use super::{ErrorInfo, ErrorType};
use crate::api::Failure;

const TRY_LATER: &str =
    "Nothing was changed. Check the network connection and try again in a moment.";

pub(super) fn explain(failure: &Failure) -> ErrorInfo {
    match failure {
        Failure::Timeout => ErrorInfo::new(
            ErrorType::Timeout,
            "The gate pass system did not answer in time.",
            TRY_LATER,
        )
        .retry_possible(),
        Failure::Refused => ErrorInfo::new(
            ErrorType::ConnectionRefused,
            "The gate pass system is not running: it refused the connection.",
            "Nothing was changed. Try again in a few minutes; if it stays like this, tell whoever runs the gate pass system.",
        )
        .retry_possible(),
        Failure::NoSuchHost => ErrorInfo::new(
            ErrorType::DnsFailure,
            "The gate pass system cannot be found: its address leads nowhere.",
            "Nothing was changed. The operator must check the setting API_BASE_URL.",
        ),
        Failure::Lost(_) => ErrorInfo::new(
            ErrorType::ConnectionLost,
            "The connection to the gate pass system broke before its answer was complete.",
            TRY_LATER,
        )
        .retry_possible(),
        Failure::Unreachable(_) => ErrorInfo::new(
            ErrorType::ConnectionFailed,
            "There is no connection to the gate pass system.",
            TRY_LATER,
        )
        .retry_possible(),
        Failure::Malformed(what) => ErrorInfo::new(
            ErrorType::InvalidResponse,
            "The gate pass system sent an answer that cannot be used.",
            "Try again in a moment; if it stays like this, tell whoever runs the gate pass system.",
        )
        .retry_possible()
        .context("problem", *what),
        Failure::TooLarge => ErrorInfo::new(
            ErrorType::InvalidResponse,
            "The gate pass system sent more than can be taken.",
            "Ask for less, for example for one state only.",
        ),
        Failure::Answered(_) | Failure::Unusable(_) => ErrorInfo::new(
            ErrorType::Internal,
            "The request to the gate pass system could not be made.",
            "Nothing was changed. Tell the operator.",
        ),
    }
}
