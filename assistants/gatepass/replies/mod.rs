//! The response handlers: render API responses as Markdown for people and as fields for the model.

mod lists;
mod notifications;
mod pass;
mod text;

use chrono_tz::Tz;
use serde_json::{Value, json};

use super::api::{Failure, FileKind};
use super::call::Call;
use super::context::Mention;

pub(super) use lists::{items, with_items};
pub(super) use pass::{is_pass_id, is_pass_number};

/// How a tool's response is rendered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reply {
    /// One pass.
    Pass,
    /// A pass after this operation: "Approved".
    Changed(&'static str),
    Deleted,
    Passes,
    Notifications,
    MarkedRead,
    /// A list of photos; the pictures follow as files.
    Photos,
    Qr,
    Print,
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

impl Reply {
    /// The kind of file that the response is, if it is one.
    pub(super) fn file(self) -> Option<FileKind> {
        match self {
            Reply::Qr => Some(FileKind::Png),
            Reply::Print => Some(FileKind::Pdf),
            Reply::Pass
            | Reply::Changed(_)
            | Reply::Deleted
            | Reply::Passes
            | Reply::Notifications
            | Reply::MarkedRead
            | Reply::Photos => None,
        }
    }

    /// Whether the response may have further pages.
    pub(super) fn is_list(self) -> bool {
        matches!(self, Reply::Passes | Reply::Notifications)
    }

    /// Renders a JSON response.
    pub(super) fn render(
        self,
        answer: Value,
        call: &Call,
        zone: Tz,
    ) -> Result<RenderedReply, Failure> {
        match self {
            Reply::Pass => pass::one(answer, zone),
            Reply::Changed(what) => Ok(pass::changed(what, answer, call, zone)),
            Reply::Deleted => Ok(pass::deleted(call)),
            Reply::Passes => lists::passes(answer, call, zone),
            Reply::Notifications => notifications::inbox(answer, zone),
            Reply::MarkedRead => Ok(notifications::marked_read(answer, call)),
            Reply::Photos => lists::photos(answer, call, zone),
            Reply::Qr | Reply::Print => Err(Failure::Malformed("the answer is not a file")),
        }
    }

    /// Renders a file response. Returns the file's name, too.
    pub(super) fn render_file(self, call: &Call, bytes: usize) -> (String, RenderedReply) {
        let number = call.pass_number().unwrap_or_default();
        let (name, media_type, summary) = if self == Reply::Print {
            let name = format!("{number}.pdf");
            let summary = format!("Here is gate pass **{number}** to print (PDF).");
            (name, "application/pdf", summary)
        } else {
            let name = format!("{number}-qr.png");
            let summary = format!(
                "Here is the QR code of gate pass **{number}**. Scanning it opens the pass."
            );
            (name, "image/png", summary)
        };
        let rendered = RenderedReply {
            result: json!({ "pass_number": number, "file": name, "media_type": media_type, "bytes": bytes }),
            summary,
            mention: Mention::number(number),
        };
        (name, rendered)
    }
}

#[cfg(test)]
#[path = "replies_tests.rs"]
mod replies_tests;
