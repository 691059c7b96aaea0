//! Errors that are detected before any request is sent.

use frontdesk_core::access::{Principal, Role};
use frontdesk_core::tool::{ToolError, ToolErrorKind};
use serde_json::json;

use super::{ErrorInfo, ErrorType};
use crate::call::BadSegment;
use crate::photo::{PhotoRules, Unfit};
use crate::tools::{EVERYONE, Entry};

/// The grant has already checked the role; this repeats the check right before a request is sent.
pub(crate) fn check_role(entry: &Entry, principal: &Principal) -> Result<(), ToolError> {
    if principal.holds_any(entry.roles) {
        return Ok(());
    }
    let needed: Vec<&str> = entry.roles.iter().map(Role::as_str).collect();
    let held: Vec<&str> = principal.roles().iter().map(Role::as_str).collect();
    let info = if principal.holds_any(EVERYONE) {
        ErrorInfo::new(
            ErrorType::PermissionDenied,
            format!(
                "{} needs the role {}; you are signed in as {}.",
                entry.name,
                needed.join(" or "),
                held.join(" and ")
            ),
            "Ask a colleague who has it, or ask me what you can do.",
        )
    } else {
        ErrorInfo::new(
            ErrorType::InvalidRole,
            "Your role is not one that the gate pass system knows.",
            "HR_User, Admin_User and Gate_User may use it; ask your administrator for one of them.",
        )
    };
    let info = info
        .context("tool", entry.name)
        .context("required_roles", json!(needed))
        .context("roles", json!(held));
    Err(info.into_error(ToolErrorKind::Refused))
}

pub(crate) fn bad_segment(entry: &Entry, BadSegment(parameter): &BadSegment) -> ToolError {
    ErrorInfo::new(
        ErrorType::InvalidParameter,
        format!("`{parameter}` is not an identifier of the gate pass system."),
        "Give it as it was shown in a list or on the pass.",
    )
    .context("tool", entry.name)
    .context("parameter", *parameter)
    .into_error(ToolErrorKind::Invalid)
}

/// A scan without a photo: the person is asked for one.
pub(crate) fn missing_photo(entry: &Entry, rules: &PhotoRules) -> ToolError {
    ErrorInfo::new(
        ErrorType::MissingParameter,
        "`photo`: no photo of the person is attached.",
        format!(
            "Please attach one ({}, at most {}) and send it with your next message.",
            rules.formats_in_words(),
            rules.limit_in_words()
        ),
    )
    .retry_possible()
    .context("tool", entry.name)
    .context("parameter", "photo")
    .into_error(ToolErrorKind::Invalid)
}

/// A file that is not acceptable as a photo.
pub(crate) fn unfit_photo(
    entry: &Entry,
    rules: &PhotoRules,
    unfit: Unfit,
    bytes: usize,
) -> ToolError {
    let info = match unfit {
        Unfit::Empty => ErrorInfo::new(
            ErrorType::InvalidFileFormat,
            "`photo`: the file is empty.",
            "Please take the picture again and attach it.",
        ),
        Unfit::TooLarge => ErrorInfo::new(
            ErrorType::FileTooLarge,
            format!(
                "`photo`: the file has {bytes} bytes; at most {} are taken.",
                rules.limit_in_words()
            ),
            "Please attach a smaller photo.",
        ),
        Unfit::WrongFormat => ErrorInfo::new(
            ErrorType::InvalidFileFormat,
            format!(
                "`photo`: the content of the file is not a {} picture.",
                rules.formats_in_words()
            ),
            "Please attach a photo in one of these formats; renaming a file does not change what it is.",
        ),
    };
    info.retry_possible()
        .context("tool", entry.name)
        .context("parameter", "photo")
        .context("max_file_size", rules.max_bytes)
        .context("allowed_formats", rules.formats_in_words())
        .into_error(ToolErrorKind::Invalid)
}
