//! Results of the tools as text for people, in Markdown with times in the site's zone.

mod lists;
mod notifications;
mod pass;
mod text;

use chrono_tz::Tz;
use frontdesk_connect::{CallResult, Operation};
use serde_json::{Map, Value, json};

pub(super) use pass::{is_pass_id, is_pass_number};

pub(crate) const STATUSES: [&str; 5] = ["pending", "approved", "rejected", "exited", "returned"];

/// A call with its final arguments.
pub(super) struct Call<'a> {
    pub(super) operation: &'a Operation,
    pub(super) arguments: &'a Map<String, Value>,
    pub(super) zone: Tz,
}

impl Call<'_> {
    /// The text of a result. The error says what the response should have been.
    pub(super) fn render(&self, result: CallResult) -> Result<(Value, String), &'static str> {
        let rules = &self.operation.response;
        let value = result.value;
        let is_about_passes = self.operation.object.as_deref() == Some("gate pass");
        match (is_about_passes, result.is_list) {
            (true, _) if rules.file.is_some() => Ok(self.in_words(value)),
            (true, true) if rules.attach.is_some() => self.photos(&value),
            (true, true) => self.passes(value),
            (true, false) if self.operation.request.path.ends_with("/delete") => {
                Ok(self.in_words(self.deleted()))
            }
            (true, false) if self.operation.summary.is_some() => Ok(self.changed(value)),
            (true, false) => self.pass(value),
            (false, true) => self.notifications(value),
            (false, false) => Ok(self.marked_read(value)),
        }
    }

    fn text(&self, parameter: &str) -> Option<&str> {
        self.arguments.get(parameter)?.as_str()
    }

    /// The pass number among the arguments, if any.
    fn pass_number(&self) -> &str {
        self.text("pass_number").unwrap_or_default()
    }

    /// A result that the manifest puts into words.
    fn in_words(&self, value: Value) -> (Value, String) {
        let text = self.operation.in_words(&value, self.arguments);
        (value, text)
    }

    fn deleted(&self) -> Value {
        json!({ "pass_number": self.pass_number(), "deleted": true })
    }
}

#[cfg(test)]
#[path = "replies/replies_tests.rs"]
mod replies_tests;
