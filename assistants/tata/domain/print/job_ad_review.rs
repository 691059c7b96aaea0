//! The job ad review.

use super::Printed;
use crate::tata::domain::document::Document;
use crate::tata::domain::job_ad_review::{JobAdReview, ReviewIssue};
use crate::tata::domain::language::GermanAddress;
use crate::tata::domain::library::Library;
use crate::tata::domain::voice::Voice;

impl Printed for JobAdReview {
    fn document(&self, library: &Library) -> Document {
        let voice = Voice::new(
            library.pack(self.language),
            self.language,
            GermanAddress::Sie,
        );
        let phrases = &voice.pack.review;
        let mut doc = Document::new(phrases.title.clone());
        let scores = [
            self.overall_score,
            self.structure_score,
            self.content_score,
            self.compliance_score,
        ];
        let [overall, structure, content, compliance] = scores.map(|s| voice.decimal(s));
        let values = [
            ("score", overall.as_str()),
            ("structure", &structure),
            ("content", &content),
            ("compliance", &compliance),
        ];
        doc.paragraph(voice.say(&phrases.overall, &values));
        if self.recommendations.is_empty() {
            doc.paragraph(voice.plain(&phrases.no_issues));
        }
        doc.list(&phrases.headings.recommendations, &self.recommendations);
        doc.heading(&phrases.headings.sections);
        let header = [
            &phrases.headings.section,
            &phrases.headings.found,
            &phrases.headings.quality,
            &phrases.headings.words,
        ];
        let rows = self.section_analyses.iter().map(|s| {
            vec![
                phrases.section(s.section).to_owned(),
                if s.found {
                    phrases.yes.clone()
                } else {
                    phrases.no.clone()
                },
                format!("{:.0}", s.quality_score),
                s.word_count.to_string(),
            ]
        });
        doc.table(&header.map(String::as_str), rows.collect());
        doc.list(
            &phrases.headings.issues,
            &self
                .issues
                .iter()
                .map(|i| issue(i, voice))
                .collect::<Vec<_>>(),
        );
        doc
    }
}

fn issue(issue: &ReviewIssue, voice: Voice<'_>) -> String {
    let phrases = &voice.pack.review;
    let category = phrases
        .categories
        .get(&issue.category)
        .map_or("", String::as_str);
    let severity = phrases
        .severities
        .get(&issue.severity)
        .map_or("", String::as_str);
    let values = [
        ("description", issue.description.as_str()),
        ("category", category),
        ("severity", severity),
        ("location", &issue.location),
        ("suggestion", &issue.suggestion),
    ];
    voice.say(&phrases.issue, &values)
}
