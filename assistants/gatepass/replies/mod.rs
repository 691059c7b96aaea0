//! The response handlers: what an answer of the API means, in words for people and as
//! fields for the model.

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

/// How the answer of a tool is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reply {
    /// One pass.
    Pass,
    /// A pass after this was done to it: "Approved".
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

/// What an answer comes to.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Told {
    /// For the model and the card.
    pub(super) result: Value,
    /// For people, in Markdown.
    pub(super) summary: String,
    /// Which pass the conversation is about now.
    pub(super) mention: Mention,
}

impl Reply {
    /// The kind of file that the answer is, where it is one.
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

    /// Whether the answer may go on on a next page.
    pub(super) fn is_list(self) -> bool {
        matches!(self, Reply::Passes | Reply::Notifications)
    }

    /// Tells a JSON answer.
    pub(super) fn tell(self, answer: Value, call: &Call, zone: Tz) -> Result<Told, Failure> {
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

    /// Tells a file, by the name that it is handed on with.
    pub(super) fn tell_file(self, call: &Call, bytes: usize) -> (String, Told) {
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
        let told = Told {
            result: json!({ "pass_number": number, "file": name, "media_type": media_type, "bytes": bytes }),
            summary,
            mention: Mention::number(number),
        };
        (name, told)
    }
}

#[cfg(test)]
#[path = "replies_tests.rs"]
mod replies_tests;
