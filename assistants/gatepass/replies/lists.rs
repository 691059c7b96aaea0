//! Lists: a count first, then a table.

use chrono_tz::Tz;
use frontdesk_connect::Failure;
use serde_json::{Value, json};

use super::pass::{is_pass_id, is_pass_number, yes_or_no};
use super::text::{count, has_more, items, plain, time, words};
use super::{Call, RenderedReply};
use crate::context::Mention;
use crate::tools::STATUSES;

/// Rows in the summary; the card shows all.
const MOST_ROWS: usize = 50;
const LONGEST_NAME: usize = 60;
const LONGEST_PURPOSE: usize = 80;
const LONGEST_WORD: usize = 40;

pub(super) fn passes(list: &Value, call: &Call, zone: Tz) -> Result<RenderedReply, Failure> {
    let found = items(list);
    if !found
        .iter()
        .all(|pass| pass.get("pass_number").is_some_and(Value::is_string))
    {
        return Err(Failure::Malformed(
            "an entry of the list is not a gate pass",
        ));
    }
    let wanted = match call.text("status") {
        Some(status) => format!("{status} "),
        None if call.entry.request.path.ends_with("/pending") => "pending ".to_owned(),
        None => String::new(),
    };
    let search = call.text("search").map(|words| plain(words, LONGEST_NAME));
    let about = search.map_or_else(String::new, |words| format!(" about “{words}”"));
    let summary = if found.is_empty() {
        format!("There are no {wanted}gate passes{about}.")
    } else {
        format!(
            "{}\n\n{}",
            counted(found, &wanted, &about, has_more(list)),
            table(found, zone)
        )
    };
    Ok(RenderedReply {
        result: list.clone(),
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

/// "12 gate passes: 2 pending, 10 approved."
fn counted(found: &[Value], wanted: &str, about: &str, more: bool) -> String {
    let many = format!("{wanted}gate passes{about}");
    let mut text = count(found.len(), &format!("{wanted}gate pass{about}"), &many);
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
    let out = found.iter().filter(|pass| is_out(pass)).count();
    if found
        .iter()
        .all(|pass| state(pass).as_deref() == Some("exited"))
        && !more
    {
        let people = count(out, "person is", "people are");
        return format!("{text}; {people} still out.");
    }
    if wanted.is_empty() && parts.len() > 1 {
        return format!("{text}: {}.", parts.join(", "));
    }
    format!("{text}.")
}

/// Left and expected back, as on the board.
fn is_out(pass: &Value) -> bool {
    let returns = pass.get("is_returnable").and_then(Value::as_bool) == Some(true);
    returns && pass.get("status").and_then(Value::as_str) == Some("exited")
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

pub(super) fn photos(list: &Value, call: &Call, zone: Tz) -> Result<RenderedReply, Failure> {
    let found = items(list);
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
    if found.iter().any(|photo| !photo.is_object()) {
        return Err(Failure::Malformed("an entry of the list is not a photo"));
    }
    Ok(RenderedReply {
        mention: Mention::number(number),
        result: json!({ "pass_number": number, "photos": found, "total": found.len() }),
        summary,
    })
}
