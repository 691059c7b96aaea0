//! Finds parameters that name the acting person. The server fills these; a model could otherwise
//! act in the name of somebody else.

use serde_json::Value;

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
const ACTOR: &str = "acting user, actor, approved by, approver, author, cancelled by, closed by, created by, \
    creator, current user, deleted by, modified by, on behalf of, rejected by, reporter, \
    requested by, requester, submitted by, submitter, updated by";

/// Names that mean the acting person unless the operation is about people.
const PERSON: &str = "email, employee, me, person, user, user name, username";

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
    let mut parts = words(name);
    // Header names begin with `x`.
    if parts.first().is_some_and(|first| first == "x") {
        parts.remove(0);
    }
    let (stem, form) = stem_and_form(&parts);
    let is_actor = names(ACTOR, &stem);
    let is_person = names(PERSON, &stem);
    if !is_actor && !is_person {
        return None;
    }
    let in_path = parameter.place == Some(Place::Path);
    if !is_actor && in_path {
        // `/users/{user_id}` selects an entry of a directory.
        return (!is_directory(path)).then_some(Identity::Doubtful);
    }
    if !is_actor && is_about_people(path) {
        return None;
    }
    if !takes_text(parameter) {
        return Some(Identity::Doubtful);
    }
    let format = parameter
        .schema
        .as_ref()
        .and_then(|schema| schema.get("format"));
    let by_default = if is_actor {
        Binding::PersonName
    } else {
        Binding::PersonId
    };
    Some(Identity::Bound(match format.and_then(Value::as_str) {
        Some("email") => Binding::PersonEmail,
        Some("uuid") => Binding::PersonId,
        _ => form.unwrap_or(by_default),
    }))
}

/// Whether a list of phrases has this one.
fn names(phrases: &str, wanted: &str) -> bool {
    phrases.split(", ").any(|phrase| phrase == wanted)
}

/// The names of the acting person's fields inside an object, which the server cannot fill in.
pub(super) fn nested(schema: &Value) -> Vec<String> {
    let mut found = Vec::new();
    for (name, inner) in schema
        .get("properties")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
    {
        if names(ACTOR, &stem_and_form(&words(name)).0) {
            found.push(name.clone());
        }
        found.extend(
            nested(inner)
                .into_iter()
                .map(|below| format!("{name}.{below}")),
        );
    }
    found
}

/// `created_by_id` is `created by` and the form `person.id`; `email` is both.
fn stem_and_form(parts: &[String]) -> (String, Option<Binding>) {
    let ending = parts.last().and_then(|last| {
        let found = FORMS.iter().find(|(ending, _)| ending == last)?;
        Some(found.1)
    });
    let form = match ending {
        Some(form) => form,
        None => return (parts.join(" "), None),
    };
    match parts {
        [only] if only == "email" => (only.clone(), Some(form)),
        [.., _] if parts.len() > 1 => (parts[..parts.len() - 1].join(" "), Some(form)),
        _ => (parts.join(" "), Some(form)),
    }
}

fn takes_text(parameter: &Parameter) -> bool {
    let is_text = parameter
        .kind
        .is_none_or(|kind| kind == ParameterType::String);
    is_text && parameter.choices.is_empty()
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

fn is_directory(path: &str) -> bool {
    literal_segments(path).count() == 1 && is_about_people(path)
}

#[cfg(test)]
#[path = "identity_tests.rs"]
mod identity_tests;
