//! Finds parameters that name the acting person. The server fills these; a model could otherwise
//! act in the name of somebody else.

use serde_json::Value;

use super::document::text;
use super::infer::{base_form, lists};
use super::words::{literal_segments, words};
use crate::operation::{Binding, Parameter, ParameterType, Place};

/// A parameter that names the acting person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Identity {
    Bound(Binding),
    /// It seems to be the acting person, but the server cannot fill it or the path makes it
    /// doubtful.
    Doubtful,
}

/// Names that always mean the acting person.
const ACTOR: &str = "acting_user actor approved_by approver author cancelled_by closed_by created_by \
    creator current_user deleted_by modified_by on_behalf_of rejected_by reporter requested_by \
    requester submitted_by submitter updated_by";

/// Names that mean the acting person unless the operation is about people.
const PERSON: &str = "email employee me person user username";

/// Collections of people: a field `email` there belongs to the entry.
const PEOPLE: &str = "account admin agent candidate contact customer employee guest invite invitation lead \
    member patient person people recipient subscriber user";

/// Endings that say how the person is named.
const FORMS: [(&str, Binding); 6] = [
    ("email", Binding::PersonEmail),
    ("mail", Binding::PersonEmail),
    ("name", Binding::PersonName),
    ("uuid", Binding::PersonId),
    ("uid", Binding::PersonId),
    ("id", Binding::PersonId),
];

/// `path` tells what the operation is about.
pub(super) fn identity(path: &str, name: &str, parameter: &Parameter) -> Option<Identity> {
    let (stem, form) = stem_and_form(name);
    let by_default = if lists(ACTOR, &stem) {
        Binding::PersonName
    } else if !lists(PERSON, &stem) {
        return None;
    } else if parameter.place == Some(Place::Path) {
        // `/users/{user_id}` selects an entry of a directory.
        let is_directory = literal_segments(path).count() == 1 && is_about_people(path);
        return (!is_directory).then_some(Identity::Doubtful);
    } else if is_about_people(path) {
        return None;
    } else {
        Binding::PersonId
    };
    let is_text = matches!(parameter.kind, None | Some(ParameterType::String));
    if !is_text || !parameter.choices.is_empty() {
        return Some(Identity::Doubtful);
    }
    let format = parameter
        .schema
        .as_ref()
        .map(|schema| text(schema, "format"));
    Some(Identity::Bound(match format {
        Some("email") => Binding::PersonEmail,
        Some("uuid") => Binding::PersonId,
        Some(_) | None => form.unwrap_or(by_default),
    }))
}

/// The names of the acting person's fields inside an object, which the server cannot fill in.
pub(super) fn nested(schema: &Value) -> Vec<String> {
    let mut found = Vec::new();
    let properties = schema.get("properties").and_then(Value::as_object);
    for (name, inner) in properties.into_iter().flatten() {
        if lists(ACTOR, &stem_and_form(name).0) {
            found.push(name.clone());
        }
        let below = nested(inner).into_iter();
        found.extend(below.map(|below| format!("{name}.{below}")));
    }
    found
}

/// The kind of object that a parameter of the path names: "ticket" for `ticket_id`.
pub(super) fn object(name: &str) -> Option<String> {
    let (stem, form) = stem_and_form(name);
    let is_id = form == Some(Binding::PersonId) && stem != words(name).join("_");
    is_id.then(|| stem.replace('_', " "))
}

/// `created_by_id` is `created_by` and the form `person.id`; `email` is both.
fn stem_and_form(name: &str) -> (String, Option<Binding>) {
    let mut parts = words(name);
    // Header names begin with `x`.
    if parts.first().is_some_and(|first| first == "x") {
        parts.remove(0);
    }
    let ending = |last: &String| FORMS.iter().find(|(ending, _)| ending == last);
    let form = parts.last().and_then(ending).map(|(_, form)| *form);
    if form.is_some() && parts.len() > 1 {
        parts.pop();
    }
    (parts.join("_"), form)
}

/// The last collection of the path holds people, or the operation signs somebody in.
fn is_about_people(path: &str) -> bool {
    const SIGN_IN: &str = "auth login password register session signin signup token";
    let last = literal_segments(path).last().unwrap_or_default();
    words(last).iter().any(|word| {
        let base = base_form(word);
        lists(PEOPLE, &base) || lists(SIGN_IN, &base)
    })
}

#[cfg(test)]
#[path = "identity_tests.rs"]
mod identity_tests;
