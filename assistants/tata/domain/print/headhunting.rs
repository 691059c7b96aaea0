//! All headhunting messages in one document, grouped by version.

use super::Printed;
use crate::tata::domain::document::Document;
use crate::tata::domain::headhunting::{HeadhuntingMessages, MessageVersions};
use crate::tata::domain::language::{GermanAddress, Language};
use crate::tata::domain::library::Library;
use crate::tata::domain::voice::Voice;

impl Printed for HeadhuntingMessages {
    fn document(&self, library: &Library) -> Document {
        let voice = Voice::new(
            library.pack(self.language),
            self.language,
            GermanAddress::Sie,
        );
        let phrases = &voice.pack.outreach;
        let mut doc = Document::new(voice.say(&phrases.title, &[("title", &self.position_title)]));
        if let Some(detail) = &self.personalization_detail {
            doc.paragraph(voice.say(&phrases.personal_detail, &[("text", detail)]));
        }
        for (heading, messages) in [
            (&phrases.short_direct_heading, &self.short_direct),
            (&phrases.value_proposition_heading, &self.value_proposition),
            (&phrases.call_to_action_heading, &self.call_to_action),
        ] {
            doc.heading(heading);
            version(&mut doc, messages, voice);
        }
        doc
    }
}

fn version(doc: &mut Document, messages: &MessageVersions, voice: Voice<'_>) {
    let phrases = &voice.pack.outreach;
    for (name, text) in [
        (own_name(Language::En), &messages.en),
        (own_name(Language::Sv), &messages.sv),
        (own_name(Language::Da), &messages.da),
        (own_name(Language::No), &messages.no),
        (phrases.address_du.as_str(), &messages.de_du),
        (phrases.address_sie.as_str(), &messages.de_sie),
    ] {
        doc.subheading(name);
        doc.paragraph(text.as_str());
    }
}

/// A language under the name its speakers use.
fn own_name(language: Language) -> &'static str {
    match language {
        Language::En => "English",
        Language::Sv => "Svenska",
        Language::Da => "Dansk",
        Language::No => "Norsk",
        Language::De => "Deutsch",
    }
}
