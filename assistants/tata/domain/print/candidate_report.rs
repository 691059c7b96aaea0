//! The candidate report.

use super::Printed;
use crate::tata::domain::candidate_report::CandidateReport;
use crate::tata::domain::document::Document;
use crate::tata::domain::language::GermanAddress;
use crate::tata::domain::library::Library;
use crate::tata::domain::voice::Voice;

/// From this rating on, a skill speaks for the candidate.
const HIGHLIGHT: u8 = 4;

impl Printed for CandidateReport {
    fn document(&self, library: &Library) -> Document {
        let voice = Voice::new(
            library.pack(self.language),
            self.language,
            GermanAddress::Sie,
        );
        let phrases = &voice.pack.report;
        let title = [
            ("initials", self.candidate_initials.as_str()),
            ("position", &self.position_name),
        ];
        let mut doc = Document::new(voice.say(&phrases.title, &title));
        doc.paragraph(voice.say(&phrases.candidate, &[("name", &self.candidate_full_name)]));
        doc.paragraph(voice.say(
            &phrases.interview,
            &[("date", &voice.date(self.interview_date))],
        ));
        doc.heading(&phrases.headings.summary);
        doc.paragraph(phrases.label(self.recommendation));
        doc.paragraph(self.summary.as_str());
        doc.section(&phrases.headings.background, &self.professional_background);
        doc.section(&phrases.headings.motivation, &self.motivation_assessment);
        highlights(&mut doc, self, voice);
        skills(&mut doc, self, voice);
        let details = &self.practical_details;
        let labels = &phrases.practical;
        doc.heading(&phrases.headings.practical);
        let fact = |label: &str, text: &str| {
            let known = text != voice.pack.common.not_discussed;
            format!(
                "{label}: {}",
                if known {
                    voice.quote(text)
                } else {
                    text.to_owned()
                }
            )
        };
        doc.bullets(vec![
            fact(&labels.notice_period, &details.notice_period),
            fact(&labels.salary_expectation, &details.salary_expectation),
            fact(&labels.location, &details.location),
            fact(&labels.languages, &details.languages),
        ]);
        doc.list(&phrases.headings.risks, &self.risks_and_considerations);
        doc.section(&phrases.headings.conclusion, &self.conclusion);
        doc
    }
}

fn highlights(doc: &mut Document, report: &CandidateReport, voice: Voice<'_>) {
    let phrases = &voice.pack.report;
    let strong = report
        .skill_assessments
        .iter()
        .filter(|s| s.rating >= HIGHLIGHT);
    let lines: Vec<String> = strong
        .map(|s| format!("{}: {}", s.skill_name, s.summary))
        .collect();
    doc.heading(&phrases.headings.highlights);
    if lines.is_empty() {
        doc.paragraph(voice.plain(&phrases.none));
    } else {
        doc.bullets(lines);
    }
}

fn skills(doc: &mut Document, report: &CandidateReport, voice: Voice<'_>) {
    let phrases = &voice.pack.report;
    doc.heading(&phrases.headings.skills);
    for skill in &report.skill_assessments {
        doc.subheading(&skill.skill_name);
        let rating = voice.say(&phrases.rating, &[("n", &skill.rating.to_string())]);
        doc.paragraph(skill.summary.as_str());
        let values = [
            ("rating", rating.as_str()),
            ("explanation", &skill.rating_explanation),
        ];
        doc.paragraph(voice.say(&phrases.rating_line, &values));
        if !skill.examples.is_empty() {
            doc.paragraph(format!("{}:", phrases.examples));
            doc.bullets(skill.examples.iter().map(|e| voice.quote(e)).collect());
        }
    }
}
