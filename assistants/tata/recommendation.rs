//! The recruiter's decision in a candidate report: a field that people set, never computed.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::document::{Body, Document};
use super::labels::labels;

pub(super) const FIELD: &str = "recommendation";

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Recommendation {
    Recommended,
    RecommendedWithReservations,
    NotRecommended,
}

/// Longer labels first: one may begin with another.
const ALL: [Recommendation; 3] = [
    Recommendation::RecommendedWithReservations,
    Recommendation::NotRecommended,
    Recommendation::Recommended,
];

/// The decision, if there is one.
pub(super) fn of(document: &Document) -> Option<Recommendation> {
    let value = document.fields.get(FIELD)?;
    serde_json::from_value(value.clone()).ok()
}

/// Reads the value that a person sets; the error lists the choices.
pub(super) fn read(value: &Value) -> Result<Option<Recommendation>, String> {
    serde_json::from_value(value.clone()).map_err(|_| {
        "`recommendation` is recommended, recommended_with_reservations, not_recommended or null."
            .to_owned()
    })
}

/// Sets the field and the words that show it.
pub(super) fn set(document: &mut Document, to: Option<Recommendation>) {
    let labels = labels(document.language);
    let shown = match to {
        Some(decision) => labels.choice(decision),
        None => labels.word("your_decision"),
    };
    document.set(FIELD, json!(to));
    let mut sections = document.sections.iter_mut();
    match sections.find(|section| section.id == FIELD) {
        Some(section) => section.body = Body::Paragraphs(vec![shown.to_owned()]),
        None => document.paragraphs(FIELD, &[shown]),
    }
}

/// Sets the field if the text of the section begins with one of the decisions.
pub(super) fn follow_text(document: &mut Document) {
    let labels = labels(document.language);
    let Some(Body::Paragraphs(texts)) = document.section(FIELD).map(|section| &section.body) else {
        return;
    };
    let written = texts
        .first()
        .map_or_else(String::new, |text| text.to_lowercase());
    let begins = |label: &str| written.starts_with(&label.to_lowercase());
    let chosen = ALL
        .into_iter()
        .find(|decision| begins(labels.choice(*decision)));
    if chosen.is_some() || begins(labels.word("your_decision")) {
        document.set(FIELD, json!(chosen));
    }
}
