//! Failures as the model receives them: the cause, the remedy, and whether a retry can help. The
//! system's own text reaches people only if it is a plain sentence.

mod body;
mod network;
mod status;

use std::error::Error;

use frontdesk_core::tool::{ToolError, ToolErrorKind};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::failure::{Failed, Failure, Refusal};
use crate::operation::Operation;
use crate::response::identifier;
use crate::source::Source;

pub(crate) use body::{BRIEF, listed};
pub use body::{brief, markdown, message};

/// A failure in the shape that models get.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ErrorInfo {
    pub error_type: ErrorType,
    pub error_message: String,
    pub user_guidance: String,
    pub retry_possible: bool,
    pub related_context: Map<String, Value>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorType {
    // Responses of the system.
    BadRequest,
    Unauthorized,
    Forbidden,
    NotFound,
    ValidationError,
    RateLimited,
    ServerError,
    InvalidResponse,
    // Network failures.
    Timeout,
    ConnectionRefused,
    DnsFailure,
    ConnectionLost,
    ConnectionFailed,
    // Errors before a request is made.
    InvalidFileFormat,
    FileTooLarge,
    MissingParameter,
    InvalidParameter,
    InvalidRole,
    PermissionDenied,
    Internal,
}

/// The subject of a failed call.
pub struct CallSubject<'a> {
    pub source: &'a Source,
    pub operation: &'a Operation,
    pub tool: &'a str,
    pub writes: bool,
    pub arguments: &'a Map<String, Value>,
    /// The tool with which this person can list such objects, if they have one.
    pub list_tool: Option<&'a str>,
    /// The object's state, read after the failure.
    pub state: Option<String>,
    /// Equal for all attempts at the call; identifies it in the log.
    pub call: String,
}

impl ErrorInfo {
    pub fn new(
        error_type: ErrorType,
        error_message: impl Into<String>,
        user_guidance: impl Into<String>,
    ) -> Self {
        Self {
            error_type,
            error_message: error_message.into(),
            user_guidance: user_guidance.into(),
            retry_possible: false,
            related_context: Map::new(),
        }
    }

    pub fn retry_possible(mut self) -> Self {
        self.retry_possible = true;
        self
    }

    pub fn context(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.related_context.insert(key.to_owned(), value.into());
        self
    }

    /// The tool error: the sentence for people, the whole info for the model.
    pub fn into_error(self, kind: ToolErrorKind) -> ToolError {
        let message = format!("{} {}", self.error_message, self.user_guidance);
        ToolError::new(kind, message).details(json!(self))
    }
}

impl CallSubject<'_> {
    /// The object in words: "gate pass".
    fn noun(&self) -> &str {
        self.operation.object.as_deref().unwrap_or("object")
    }

    /// The last word of the noun: "pass".
    fn head(&self) -> &str {
        self.noun().rsplit(' ').next().unwrap_or_default()
    }

    /// The noun for several objects.
    fn plural(&self) -> String {
        let noun = self.noun();
        if noun.ends_with(['s', 'x']) || noun.ends_with("ch") || noun.ends_with("sh") {
            return format!("{noun}es");
        }
        match noun.strip_suffix('y') {
            Some(stem) if !stem.ends_with(['a', 'e', 'i', 'o', 'u']) => format!("{stem}ies"),
            Some(_) | None => format!("{noun}s"),
        }
    }

    /// The arguments that identify the object: those in the path, then required others.
    fn identifiers(&self) -> impl Iterator<Item = (&str, String)> {
        let names = self.operation.request.names();
        let state = self
            .operation
            .state
            .iter()
            .flat_map(|state| state.request.names());
        let mut seen: Vec<&str> = Vec::new();
        for name in names.chain(state) {
            if !seen.contains(&name) {
                seen.push(name);
            }
        }
        seen.into_iter().filter_map(|name| {
            let text = identifier(self.arguments.get(name)?)?;
            Some((name, brief(&text)))
        })
    }

    /// The object's name in a sentence, if it has one that people know.
    fn reference(&self) -> Option<String> {
        let declared = self.operation.reference.as_deref();
        let mut known = self
            .identifiers()
            .filter(|(name, _)| declared.is_none_or(|declared| declared == *name));
        let (_, text) = known.next()?;
        // A UUID, and a row number, mean nothing to people.
        const UUID: usize = 36;
        let digits = text.chars().all(|c| c.is_ascii_digit());
        let uuid = text.len() == UUID && text.chars().all(|c| c.is_ascii_hexdigit() || c == '-');
        (!text.is_empty() && !digits && !uuid).then_some(text)
    }
}

/// The tool error for a failed request. Logs a refusal; any other cause goes to the operator with
/// the error.
pub fn explain(failed: Failed, subject: &CallSubject<'_>) -> ToolError {
    let Failed { failure, unsure } = failed;
    let unsure = unsure && subject.writes;
    let (info, kind) = match failure.refusal() {
        Some(refusal) => status::explain(refusal, subject),
        None => (
            network::explain(&failure, subject.source),
            ToolErrorKind::Failed,
        ),
    };
    let (mut info, kind) = if unsure {
        (not_known(info, subject), ToolErrorKind::Unknown)
    } else {
        (info, kind)
    };
    about(&mut info, subject);
    let mut error = info.into_error(kind);
    error.cause = operators_part(failure, subject);
    error
}

/// The sentence about a failed request outside a tool call.
pub fn in_words(failure: &Failure, source: &Source) -> String {
    let info = match failure.refusal() {
        Some(refusal) => status::without_call(refusal.status, refusal, source),
        None => network::explain(failure, source),
    };
    format!("{} {}", info.error_message, info.user_guidance)
}

/// A write with an unknown outcome must not be repeated blindly.
fn not_known(info: ErrorInfo, subject: &CallSubject<'_>) -> ErrorInfo {
    let now = match (&subject.state, subject.reference()) {
        (Some(state), Some(reference)) => format!(" {reference} is now {state}."),
        (Some(state), None) => format!(" The state is now {state}."),
        (None, _) => String::new(),
    };
    let info = match &subject.state {
        Some(state) => info.context("current_status", state.as_str()),
        None => info,
    };
    ErrorInfo {
        user_guidance: format!(
            "It is not known whether this was carried out: look at the current state before trying again.{now}"
        ),
        ..info
    }
}

/// Adds the tool and the call's identifiers.
fn about(info: &mut ErrorInfo, subject: &CallSubject<'_>) {
    let context = &mut info.related_context;
    context.entry("tool").or_insert_with(|| json!(subject.tool));
    for (name, text) in subject.identifiers() {
        context.entry(name).or_insert_with(|| json!(text));
    }
}

/// The cause for the operator's log. A refusal that people can correct themselves is a warning, so
/// it is logged here.
fn operators_part(
    failure: Failure,
    subject: &CallSubject<'_>,
) -> Option<Box<dyn Error + Send + Sync>> {
    match failure.refusal() {
        Some(refusal) if refusal.status < 500 && refusal.status != 401 => {
            log_refusal(refusal, subject);
            None
        }
        Some(_) | None => {
            let text = failure.in_log(&subject.source.name);
            Some(format!("{}: {text}", subject.operation.request).into())
        }
    }
}

fn log_refusal(refusal: &Refusal, subject: &CallSubject<'_>) {
    tracing::warn!(
        tool = subject.tool,
        call = subject.call,
        request = %subject.operation.request,
        status = refusal.status,
        request_id = refusal.request_id.as_deref().unwrap_or("-"),
        "{} refused a request",
        subject.source.name
    );
}
