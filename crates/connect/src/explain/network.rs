//! Sentences for requests without a usable response.

use super::{ErrorInfo, ErrorType};
use crate::failure::Failure;
use crate::source::Source;

const TRY_LATER: &str =
    "Nothing was changed. Check the network connection and try again in a moment.";

pub(super) fn explain(failure: &Failure, source: &Source) -> ErrorInfo {
    let title = source.title();
    let name = &source.name;
    match failure {
        Failure::Timeout => ErrorInfo::new(
            ErrorType::Timeout,
            format!("{title} did not answer in time."),
            TRY_LATER,
        )
        .retry_possible(),
        Failure::Refused => ErrorInfo::new(
            ErrorType::ConnectionRefused,
            format!("{title} is not running: it refused the connection."),
            format!("Nothing was changed. Try again in a few minutes; if it stays like this, tell whoever runs {name}."),
        )
        .retry_possible(),
        Failure::NoSuchHost => ErrorInfo::new(
            ErrorType::DnsFailure,
            format!("{title} cannot be found: its address leads nowhere."),
            format!(
                "Nothing was changed. The operator must check the setting {}.",
                source.address_setting
            ),
        ),
        Failure::Lost(_) => ErrorInfo::new(
            ErrorType::ConnectionLost,
            format!("The connection to {name} broke before its answer was complete."),
            TRY_LATER,
        )
        .retry_possible(),
        Failure::Unreachable(_) => ErrorInfo::new(
            ErrorType::ConnectionFailed,
            format!("There is no connection to {name}."),
            TRY_LATER,
        )
        .retry_possible(),
        Failure::Malformed(what) => ErrorInfo::new(
            ErrorType::InvalidResponse,
            format!("{title} sent an answer that cannot be used."),
            format!("Try again in a moment; if it stays like this, tell whoever runs {name}."),
        )
        .retry_possible()
        .context("problem", *what),
        Failure::TooLarge => ErrorInfo::new(
            ErrorType::InvalidResponse,
            format!("{title} sent more than can be taken."),
            "Ask for less, for example for one state only.",
        ),
        Failure::NoSignIn(_) => ErrorInfo::new(
            ErrorType::Unauthorized,
            format!("There is no valid sign-in to {name}."),
            "Nothing was changed. Sign in again; if it stays like this, tell the operator.",
        )
        .retry_possible(),
        Failure::Answered(_) | Failure::Unusable(_) => ErrorInfo::new(
            ErrorType::Internal,
            format!("The request to {name} could not be made."),
            "Nothing was changed. Tell the operator.",
        ),
    }
}
