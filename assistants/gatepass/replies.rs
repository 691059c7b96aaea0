//! The response handlers: the shape of each response, and its text for people in Markdown.

mod lists;
mod notifications;
mod pass;
mod text;

use chrono_tz::Tz;
use frontdesk_connect::{
    CallResult, Failure, Field, FieldKind, FileKind, NextPage, Pointer, ResponseRules, TypedField,
};
use frontdesk_core::tool::ProducedFile;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::context::Mention;
use super::tools::{Entry, Kind};

pub(super) use pass::{is_pass_id, is_pass_number};

/// How a tool's response is rendered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Reply {
    /// One pass.
    Pass,
    /// A pass after a change: "Approved".
    Changed,
    Deleted,
    Passes,
    Notifications,
    MarkedRead,
    /// A list of photos; the pictures follow as files.
    Photos,
    Qr,
    Print,
}

/// A call with its final arguments.
pub(super) struct Call {
    pub(super) entry: &'static Entry,
    pub(super) arguments: Map<String, Value>,
}

/// A rendered response.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RenderedReply {
    /// For the model and the card.
    pub(super) result: Value,
    /// For people, in Markdown.
    pub(super) summary: String,
    /// How the response changes the current pass.
    pub(super) mention: Mention,
}

/// Fields of a pass that the model gets.
const PASS: &[&str] = &[
    "id",
    "pass_number",
    "person_name",
    "description",
    "is_returnable",
    "status",
    "created_at",
    "approved_at",
    "approved_by",
    "exit_time",
    "return_time",
];
const NOTIFICATION: &[&str] = &[
    "id",
    "message",
    "type",
    "created_at",
    "is_read",
    "related_pass_id",
];
const PHOTO: &[&str] = &["type", "captured_at", "captured_by"];

impl Call {
    pub(super) fn text(&self, parameter: &str) -> Option<&str> {
        self.arguments.get(parameter)?.as_str()
    }

    /// The pass number among the arguments, if any.
    pub(super) fn pass_number(&self) -> Option<&str> {
        self.text(&self.entry.parameter(Kind::PassNumber)?.name)
    }
}

impl Reply {
    /// The shape of the response.
    pub(super) fn rules(self) -> ResponseRules {
        let (names, file) = match self {
            Reply::Pass | Reply::Changed | Reply::Passes => (PASS, None),
            Reply::Notifications | Reply::MarkedRead => (NOTIFICATION, None),
            Reply::Photos => (PHOTO, None),
            Reply::Deleted => (&[] as &[&str], None),
            Reply::Qr => (&[] as &[&str], Some(FileKind::Image)),
            Reply::Print => (&[] as &[&str], Some(FileKind::Document)),
        };
        let is_list = matches!(self, Reply::Passes | Reply::Notifications | Reply::Photos);
        ResponseRules {
            list: Some(is_list),
            fields: names.iter().map(|name| field(name)).collect(),
            // The other fields of a single object, e.g. the history of a pass.
            rest: !matches!(self, Reply::Passes | Reply::Notifications),
            file,
            next_page: is_list.then(|| NextPage {
                cursor: Pointer::field("cursor"),
                parameter: "cursor".to_owned(),
            }),
            ..ResponseRules::default()
        }
    }

    /// Renders a result.
    pub(super) fn render(
        self,
        result: CallResult,
        file: Option<&ProducedFile>,
        call: &Call,
        zone: Tz,
    ) -> Result<RenderedReply, Failure> {
        match self {
            Reply::Pass => pass::one(result.value, zone),
            Reply::Changed => Ok(pass::changed(&call.entry.done, result.value, call, zone)),
            Reply::Deleted => Ok(pass::deleted(call)),
            Reply::Passes => lists::passes(&result.value, call, zone),
            Reply::Notifications => notifications::inbox(&result.value, zone),
            Reply::MarkedRead => Ok(notifications::marked_read(result.value, call)),
            Reply::Photos => lists::photos(&result.value, call, zone),
            Reply::Qr | Reply::Print => self.render_file(file, result.link, call),
        }
    }

    /// Renders a file, or a link to one.
    fn render_file(
        self,
        file: Option<&ProducedFile>,
        link: Option<String>,
        call: &Call,
    ) -> Result<RenderedReply, Failure> {
        let number = call.pass_number().unwrap_or_default();
        let is_print = self == Reply::Print;
        let (result, summary) = match (file, link) {
            (Some(file), _) => {
                let kind = file.name.rsplit('.').next().unwrap_or_default();
                let summary = if is_print {
                    let kind = kind.to_uppercase();
                    format!("Here is gate pass **{number}** to print ({kind}).")
                } else {
                    format!(
                        "Here is the QR code of gate pass **{number}**. Scanning it opens the pass."
                    )
                };
                let result = json!({
                    "pass_number": number, "file": file.name, "media_type": file.media_type,
                    "bytes": file.bytes.len(),
                });
                (result, summary)
            }
            (None, Some(link)) => {
                let what = if is_print { "to print" } else { "as a QR code" };
                let summary = format!(
                    "Gate pass **{number}** {what} is on another server; open it there: <{link}>"
                );
                (json!({ "pass_number": number, "link": link }), summary)
            }
            (None, None) => return Err(Failure::Malformed("the answer is not a file")),
        };
        Ok(RenderedReply {
            result,
            summary,
            mention: Mention::number(number),
        })
    }

    /// The name of a file; `received` has its extension.
    pub(super) fn file_name(self, call: &Call, received: &str) -> String {
        let number = call.pass_number().unwrap_or_default();
        let extension = received.rsplit('.').next().unwrap_or_default();
        match self {
            Reply::Qr => format!("{number}-qr.{extension}"),
            Reply::Print
            | Reply::Pass
            | Reply::Changed
            | Reply::Deleted
            | Reply::Passes
            | Reply::Notifications
            | Reply::MarkedRead
            | Reply::Photos => format!("{number}.{extension}"),
        }
    }
}

/// A field by its name; ids and times vary in notation.
fn field(name: &str) -> (String, Field) {
    let at = Pointer::field(name);
    let kind = match name {
        "id" | "related_pass_id" => Some(FieldKind::Text),
        _ if name.ends_with("_at") || name.ends_with("_time") => Some(FieldKind::Time),
        _ => None,
    };
    let field = match kind {
        Some(kind) => Field::As(TypedField { at, kind }),
        None => Field::At(at),
    };
    (name.to_owned(), field)
}

#[cfg(test)]
#[path = "replies/replies_tests.rs"]
mod replies_tests;
