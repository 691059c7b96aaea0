//! Lists: a count first, then a table.

use chrono_tz::Tz;
use frontdesk_connect::explain::markdown;
use serde_json::{Value, json};

use super::pass::yes_or_no;
use super::text::{count, has_more, items, time, words};
use super::{Call, STATUSES};

/// Rows in the summary; the card shows all.
const MOST_ROWS: usize = 50;
const LONGEST_NAME: usize = 60;
const LONGEST_PURPOSE: usize = 80;
const LONGEST_WORD: usize = 40;

impl Call<'_> {
    pub(super) fn passes(&self, list: Value) -> Result<(Value, String), &'static str> {
        let found = items(&list);
        let has_number = |pass: &Value| pass.get("pass_number").is_some_and(Value::is_string);
        if !found.iter().all(has_number) {
            return Err("an entry of the list is not a gate pass");
        }
        let wanted = match self.text("status") {
            Some(status) => format!("{status} "),
            None if self.operation.request.path.ends_with("/pending") => "pending ".to_owned(),
            None => String::new(),
        };
        let search = self
            .text("search")
            .map(|words| markdown(words, LONGEST_NAME));
        let about = search.map_or_else(String::new, |words| format!(" about “{words}”"));
        let summary = if found.is_empty() {
            format!("There are no {wanted}gate passes{about}.")
        } else {
            let counted = counted(found, &wanted, &about, has_more(&list));
            format!("{counted}\n\n{}", table(found, self.zone))
        };
        Ok((list, summary))
    }

    pub(super) fn photos(&self, list: &Value) -> Result<(Value, String), &'static str> {
        let found = items(list);
        if found.iter().any(|photo| !photo.is_object()) {
            return Err("an entry of the list is not a photo");
        }
        let number = self.pass_number();
        let mut summary = match found.len() {
            0 => format!("There are no photos of gate pass **{number}** yet."),
            some => format!(
                "{} of gate pass **{number}**.",
                count(some, "photo", "photos")
            ),
        };
        for photo in found.iter().take(MOST_ROWS) {
            let kind = words(photo, "type", LONGEST_WORD).unwrap_or_else(|| "photo".to_owned());
            let when = time(photo, "captured_at", self.zone).unwrap_or_default();
            let who = words(photo, "captured_by", LONGEST_NAME).map(|who| format!(" by {who}"));
            summary.push_str(&format!("\n- {kind}: {when}{}", who.unwrap_or_default()));
        }
        let missing = match list["not_fetched"].as_u64().unwrap_or_default() {
            0 => "",
            1 => "\n\nA picture could not be fetched; try again in a moment.",
            _ => "\n\nSome pictures could not be fetched; try again in a moment.",
        };
        summary.push_str(missing);
        let result = json!({
            "pass_number": number, "photos": found, "total": found.len(), "files": list["files"],
        });
        Ok((result, summary))
    }
}

/// "12 gate passes: 2 pending, 10 approved."
fn counted(found: &[Value], wanted: &str, about: &str, more: bool) -> String {
    let many = format!("{wanted}gate passes{about}");
    let mut text = count(found.len(), &format!("{wanted}gate pass{about}"), &many);
    if more {
        text = format!("The newest {text} (there are more)");
    }
    let in_state = |state: &str| found.iter().filter(|pass| pass["status"] == state).count();
    if in_state("exited") == found.len() && !more {
        let out = found.iter().filter(|pass| is_out(pass)).count();
        let people = count(out, "person is", "people are");
        return format!("{text}; {people} still out.");
    }
    let parts: Vec<String> = STATUSES
        .iter()
        .map(|state| (in_state(state), state))
        .filter(|(number, _)| *number > 0)
        .map(|(number, state)| format!("{number} {state}"))
        .collect();
    if wanted.is_empty() && parts.len() > 1 {
        return format!("{text}: {}.", parts.join(", "));
    }
    format!("{text}.")
}

/// Left and expected back, as on the board.
fn is_out(pass: &Value) -> bool {
    pass["is_returnable"] == true && pass["status"] == "exited"
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
