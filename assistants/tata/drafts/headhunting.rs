//! Three messages to candidates, from the profile without its internal remarks.

use schemars::JsonSchema;
use serde::Deserialize;

use super::copied;
use crate::tata::document::{BLANK, Document, MadeWith};
use crate::tata::labels::labels;
use crate::tata::language::Language;

pub(in crate::tata) const INSTRUCTIONS: &str =
    include_str!("../instructions/documents/headhunting.md");

/// Three messages, each ready to be sent.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::tata) struct OutreachDraft {
    /// At most 60 words: who, which role, one reason, one question.
    short_direct: Vec<String>,
    /// At most 100 words: what the role offers this person, honestly.
    value_proposition: Vec<String>,
    /// At most 80 words: an invitation to a short call.
    call_to_action: Vec<String>,
}

pub(in crate::tata) fn document(
    draft: OutreachDraft,
    position: &str,
    language: Language,
) -> Document {
    let labels = labels(language);
    let mut document = empty(position, language, MadeWith::Model);
    for (id, message) in [
        ("short_direct", draft.short_direct),
        ("value_proposition", draft.value_proposition),
        ("call_to_action", draft.call_to_action),
    ] {
        document.paragraphs(id, labels.section(id), &message);
    }
    document
}

/// The profile's points that a message can be written from.
pub(in crate::tata) fn fallback(
    profile: &Document,
    position: &str,
    language: Language,
) -> Document {
    let labels = labels(language);
    let mut document = empty(position, language, MadeWith::Fallback);
    document.paragraphs("short_direct", labels.section("short_direct"), &[BLANK]);
    for id in ["responsibilities", "must_haves"] {
        document.items(id, labels.section(id), copied(profile, id));
    }
    document
}

fn empty(position: &str, language: Language, made_with: MadeWith) -> Document {
    let title = labels(language).title("headhunting_messages", position);
    Document::new(title, language, made_with)
}
