//! One pass: its number, person, state and times.

use chrono_tz::Tz;
use serde_json::{Value, json};

use super::Call;
use super::text::{time, words};

const LONGEST_NAME: usize = 120;
const LONGEST_PURPOSE: usize = 400;
const LONGEST_WORD: usize = 40;

/// Whether this is a valid pass number, safe to store and show: `^GP-\d{4}-\d{4,6}$`.
pub(crate) fn is_pass_number(text: &str) -> bool {
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let parts = text
        .strip_prefix("GP-")
        .and_then(|rest| rest.split_once('-'));
    parts.is_some_and(|(year, number)| {
        year.len() == 4 && digits(year) && (4..=6).contains(&number.len()) && digits(number)
    })
}

/// Whether this is an id that is safe to store: short, and only letters, digits and dashes.
pub(crate) fn is_pass_id(text: &str) -> bool {
    (1..=64).contains(&text.len())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
}

fn is_pass(value: &Value) -> bool {
    ["pass_number", "status"]
        .iter()
        .all(|field| value.get(field).is_some_and(Value::is_string))
}

impl Call<'_> {
    pub(super) fn pass(&self, pass: Value) -> Result<(Value, String), &'static str> {
        if !is_pass(&pass) {
            return Err("the answer is not a gate pass");
        }
        let text = described(&pass, self.zone);
        Ok((pass, text))
    }

    /// A completed change. A success response without a pass still means that the change was made.
    pub(super) fn changed(&self, pass: Value) -> (Value, String) {
        let done = self.operation.in_words(&pass, self.arguments);
        if is_pass(&pass) {
            let text = format!("{done}\n\n{}", described(&pass, self.zone));
            return (pass, text);
        }
        let number = self.arguments.get("pass_number");
        let text = match number {
            None => "Created a gate pass. List the passes to see its number.".to_owned(),
            Some(_) => done,
        };
        (json!({ "done": true, "pass_number": number }), text)
    }
}

/// The fields of a pass that people ask for, as a short list.
fn described(pass: &Value, zone: Tz) -> String {
    let word = |field: &str, longest| words(pass, field, longest);
    let mut text = format!(
        "**{}** · {} · {}",
        word("pass_number", LONGEST_WORD).unwrap_or_default(),
        word("person_name", LONGEST_NAME).unwrap_or_else(|| "nobody named".to_owned()),
        word("status", LONGEST_WORD).unwrap_or_default(),
    );
    let mut line = |label: &str, value: Option<String>| {
        if let Some(value) = value {
            text.push_str(&format!("\n- {label}: {value}"));
        }
    };
    line("Purpose", word("description", LONGEST_PURPOSE));
    line(
        "Comes back",
        pass.get("is_returnable")
            .and_then(Value::as_bool)
            .map(yes_or_no),
    );
    for (label, at, by) in [
        ("Created", "created_at", "created_by"),
        ("Approved", "approved_at", "approved_by"),
        ("Rejected", "rejected_at", "rejected_by"),
        ("Left", "exit_time", ""),
        ("Back", "return_time", ""),
    ] {
        let when = time(pass, at, zone);
        let who = word(by, LONGEST_NAME)
            .map(|who| format!(" by {who}"))
            .unwrap_or_default();
        line(label, when.map(|when| format!("{when}{who}")));
    }
    text
}

pub(super) fn yes_or_no(yes: bool) -> String {
    if yes { "yes" } else { "no" }.to_owned()
}
