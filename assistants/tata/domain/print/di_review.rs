//! The review of inclusive language.

use super::Printed;
use crate::tata::domain::di_review::{
    Category, DiReview, FlagSeverity, FlaggedItem, InclusionPhrases,
};
use crate::tata::domain::document::Document;
use crate::tata::domain::language::{GermanAddress, Language};
use crate::tata::domain::library::Library;
use crate::tata::domain::text::words::capitalised;
use crate::tata::domain::voice::Voice;

impl Printed for DiReview {
    fn document(&self, library: &Library) -> Document {
        let voice = Voice::new(
            library.pack(self.language),
            self.language,
            GermanAddress::Sie,
        );
        let phrases = &voice.pack.inclusion;
        let headings = &phrases.headings;
        let mut doc = Document::new(phrases.title.clone());
        doc.paragraph(voice.say(
            &phrases.overall,
            &[("score", &voice.decimal(self.overall_score))],
        ));
        doc.paragraph(voice.plain(&phrases.untouched));
        doc.heading(&headings.flags);
        if self.flagged_items.is_empty() {
            doc.paragraph(voice.plain(&phrases.no_flags));
        } else {
            doc.bullets(self.flagged_items.iter().map(|f| flag(f, voice)).collect());
            doc.heading(&headings.alternatives);
            let rows = self
                .suggested_alternatives
                .iter()
                .map(|a| vec![a.original.clone(), a.alternative.clone()]);
            doc.table(&[&headings.passage, &headings.better], rows.collect());
        }
        doc.heading(&headings.scores);
        let shown = |category: &Category| {
            *category != Category::GermanTitle || self.language == Language::De
        };
        let rows = self
            .category_scores
            .iter()
            .filter(|(c, _)| shown(c))
            .map(|(category, s)| {
                vec![
                    capitalised(name(phrases, *category)),
                    format!("{:.0}", s.score),
                    s.issues_found.to_string(),
                ]
            });
        doc.table(
            &[&headings.category, &headings.score, &headings.issues],
            rows.collect(),
        );
        doc.list(&headings.notes, &self.compliance_notes);
        doc
    }
}

fn name(phrases: &InclusionPhrases, category: Category) -> &str {
    phrases.categories.get(&category).map_or("", String::as_str)
}

fn flag(item: &FlaggedItem, voice: Voice<'_>) -> String {
    let phrases = &voice.pack.inclusion;
    let severity = match item.severity {
        FlagSeverity::High => &phrases.high,
        FlagSeverity::Medium => &phrases.medium,
        FlagSeverity::Low => &phrases.low,
    };
    let alternatives = item.alternatives.join("; ");
    let values = [
        ("quote", voice.quote(&item.text)),
        ("category", name(phrases, item.category).to_owned()),
        ("severity", severity.clone()),
        ("explanation", item.explanation.clone()),
        (
            "alternatives",
            alternatives.trim_end_matches('.').to_owned(),
        ),
    ];
    voice.say(
        &phrases.flag,
        &values.each_ref().map(|(k, v)| (*k, v.as_str())),
    )
}
