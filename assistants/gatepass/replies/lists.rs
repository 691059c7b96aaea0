//! Lists: a count first, then a table.

use chrono_tz::Tz;
use serde_json::{Map, Value, json};

use super::RenderedReply;
use super::pass::{is_pass_id, is_pass_number, yes_or_no};
use super::text::{count, time, words};
use crate::api::Failure;
use crate::call::Call;
use crate::context::Mention;
use crate::tools::STATUSES;

/// Rows in the summary; the card shows all.
const MOST_ROWS: usize = 50;
const LONGEST_NAME: usize = 60;
const LONGEST_PURPOSE: usize = 80;
const LONGEST_WORD: usize = 40;

/// Fields of a listed pass that the model gets.
const FIELDS: [&str; 11] = [
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

/// The list in a response: the response itself, or the field that holds it.
pub(crate) fn items(answer: &Value) -> Option<&Vec<Value>> {
    const HOLDERS: [&str; 5] = ["items", "gate_passes", "notifications", "photos", "data"];
    answer.as_array().or_else(|| {
        HOLDERS
            .iter()
            .find_map(|holder| answer.get(*holder)?.as_array())
    })
}

/// The response with its items replaced.
pub(crate) fn with_items(answer: Value, items: Vec<Value>, has_more: bool) -> Value {
    let mut fields = match answer {
        Value::Object(fields) => fields,
        Value::Array(_) | Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            Map::new()
        }
    };
    fields.insert("items".to_owned(), Value::Array(items));
    fields.insert("has_more".to_owned(), Value::Bool(has_more));
    Value::Object(fields)
}

fn has_more(answer: &Value) -> bool {
    answer
        .get("has_more")
        .and_then(Value::as_bool)
        .unwrap_or(false)
}

pub(super) fn passes(answer: Value, call: &Call, zone: Tz) -> Result<RenderedReply, Failure> {
    let found = items(&answer).ok_or(Failure::Malformed(
        "the answer is not a list of gate passes",
    ))?;
    if !found
        .iter()
        .all(|pass| pass.get("pass_number").is_some_and(Value::is_string))
    {
        return Err(Failure::Malformed(
            "an entry of the list is not a gate pass",
        ));
    }
    let more = has_more(&answer);
    let wanted = match call.text("status") {
        Some(status) => format!("{status} "),
        None if call.entry.endpoint.ends_with("/pending") => "pending ".to_owned(),
        None => String::new(),
    };
    let summary = if found.is_empty() {
        format!("There are no {wanted}gate passes.")
    } else {
        format!(
            "{}\n\n{}",
            counted(found, &wanted, more),
            table(found, zone)
        )
    };
    let slim: Vec<Value> = found.iter().map(essentials).collect();
    Ok(RenderedReply {
        result: json!({ "count": slim.len(), "has_more": more, "items": slim }),
        mention: mentioned(found),
        summary,
    })
}

/// A single listed pass becomes current; of several the person must choose.
fn mentioned(found: &[Value]) -> Mention {
    let text = |pass: &Value, field: &str| Some(pass.get(field)?.as_str()?.to_owned());
    match found {
        [] => Mention::Nothing,
        [only] => Mention::One {
            number: text(only, "pass_number").filter(|n| is_pass_number(n)),
            id: text(only, "id").filter(|id| is_pass_id(id)),
        },
        several => Mention::Several(
            several
                .iter()
                .filter_map(|pass| text(pass, "pass_number"))
                .filter(|number| is_pass_number(number))
                .collect(),
        ),
    }
}

fn essentials(pass: &Value) -> Value {
    let kept = FIELDS
        .iter()
        .filter_map(|field| Some(((*field).to_owned(), pass.get(*field)?.clone())))
        .filter(|(_, value)| !value.is_null());
    Value::Object(kept.collect())
}

/// "12 gate passes: 2 pending, 10 approved."
fn counted(found: &[Value], wanted: &str, more: bool) -> String {
    let many = format!("{wanted}gate passes");
    let mut text = count(found.len(), &format!("{wanted}gate pass"), &many);
    if more {
        text = format!("The newest {text} (there are more)");
    }
    let state = |pass: &Value| {
        pass.get("status")
            .and_then(Value::as_str)
            .map(str::to_owned)
    };
    let parts: Vec<String> = STATUSES
        .iter()
        .map(|status| {
            (
                found
                    .iter()
                    .filter(|pass| state(pass).as_deref() == Some(status))
                    .count(),
                status,
            )
        })
        .filter(|(number, _)| *number > 0)
        .map(|(number, status)| format!("{number} {status}"))
        .collect();
    if wanted.is_empty() && parts.len() > 1 {
        return format!("{text}: {}.", parts.join(", "));
    }
    format!("{text}.")
}

fn table(found: &[Value], zone: Tz) -> String {
    let mut text = String::from(
        "| Number | Person | Purpose | Comes back | Status | Created |\n|---|---|---|---|---|---|",
    );
    for pass in found.iter().take(MOST_ROWS) {
        let cell = |field: &str, longest| words(pass, field, longest).unwrap_or_default();
        let back = pass.get("is_returnable").and_then(Value::as_bool);
        text.push_str(&format!(
            "\n| {} | {} | {} | {} | {} | {} |",
            cell("pass_number", LONGEST_WORD),
            cell("person_name", LONGEST_NAME),
            cell("description", LONGEST_PURPOSE),
            back.map(yes_or_no).unwrap_or_default(),
            cell("status", LONGEST_WORD),
            time(pass, "created_at", zone).unwrap_or_default(),
        ));
    }
    if found.len() > MOST_ROWS {
        text.push_str(&format!("\n\n… and {} more.", found.len() - MOST_ROWS));
    }
    text
}

pub(super) fn photos(answer: Value, call: &Call, zone: Tz) -> Result<RenderedReply, Failure> {
    let found = items(&answer).ok_or(Failure::Malformed("the answer is not a list of photos"))?;
    let number = call.pass_number().unwrap_or_default();
    let mut summary = match found.len() {
        0 => format!("There are no photos of gate pass **{number}** yet."),
        some => format!(
            "{} of gate pass **{number}**.",
            count(some, "photo", "photos")
        ),
    };
    for photo in found.iter().take(MOST_ROWS) {
        let kind = words(photo, "type", LONGEST_WORD).unwrap_or_else(|| "photo".to_owned());
        let when = time(photo, "captured_at", zone).unwrap_or_default();
        let who = words(photo, "captured_by", LONGEST_NAME).map(|who| format!(" by {who}"));
        summary.push_str(&format!("\n- {kind}: {when}{}", who.unwrap_or_default()));
    }
    Ok(RenderedReply {
        mention: Mention::number(number),
        result: json!({ "pass_number": number, "photos": found, "total": found.len() }),
        summary,
    })
}
