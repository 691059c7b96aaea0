//! Sentences for requests without a usable response.

use super::{ErrorInfo, ErrorType};
use crate::failure::Failure;
use crate::source::Source;

pub(super) fn explain(failure: &Failure, source: &Source) -> ErrorInfo {
    let (title, name) = (source.title(), &source.name);
    let network = "Check the network connection and try again in a moment.";
    let (error_type, message, guidance) = match failure {
        Failure::Timeout => (
            ErrorType::Timeout,
            format!("{title} did not answer in time."),
            format!("Nothing was changed. {network}"),
        ),
        Failure::Refused => (
            ErrorType::ConnectionRefused,
            format!("{title} is not running: it refused the connection."),
            format!(
                "Nothing was changed. Try again in a few minutes; if it stays like this, tell whoever runs {name}."
            ),
        ),
        Failure::NoSuchHost => (
            ErrorType::DnsFailure,
            format!("{title} cannot be found: its address leads nowhere."),
            format!(
                "Nothing was changed. The operator must check the setting {}.",
                source.address_setting
            ),
        ),
        Failure::Lost(_) => (
            ErrorType::ConnectionLost,
            format!("The connection to {name} broke before its answer was complete."),
            format!("Nothing was changed. {network}"),
        ),
        Failure::Unreachable(_) => (
            ErrorType::ConnectionFailed,
            format!("There is no connection to {name}."),
            format!("Nothing was changed. {network}"),
        ),
        Failure::Malformed(_) => (
            ErrorType::InvalidResponse,
            format!("{title} sent an answer that cannot be used."),
            format!("Try again in a moment; if it stays like this, tell whoever runs {name}."),
        ),
        Failure::TooLarge => (
            ErrorType::InvalidResponse,
            format!("{title} sent more than can be taken."),
            "Ask for less, for example for one state only.".to_owned(),
        ),
        Failure::NoSignIn(_) => (
            ErrorType::Unauthorized,
            format!("There is no valid sign-in to {name}."),
            "Nothing was changed. Sign in again; if it stays like this, tell the operator."
                .to_owned(),
        ),
        Failure::Answered(_) | Failure::Unusable(_) => (
            ErrorType::Internal,
            format!("The request to {name} could not be made."),
            "Nothing was changed. Tell the operator.".to_owned(),
        ),
    };
    let info = ErrorInfo {
        retry_possible: !matches!(
            failure,
            Failure::NoSuchHost | Failure::TooLarge | Failure::Answered(_) | Failure::Unusable(_)
        ),
        ..ErrorInfo::new(error_type, message, guidance)
    };
    if let Failure::Malformed(problem) = failure {
        return info.context("problem", *problem);
    }
    info
}
