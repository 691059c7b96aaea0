//! The job ad as it is published.

use super::Printed;
use crate::tata::domain::document::Document;
use crate::tata::domain::job_ad::JobAd;
use crate::tata::domain::library::Library;
use crate::tata::domain::voice::Voice;

impl Printed for JobAd {
    fn document(&self, library: &Library) -> Document {
        let voice = Voice::new(
            library.pack(self.language),
            self.language,
            self.german_address,
        );
        let headings = &voice.pack.job_ad.headings;
        let title = |phrase: &str| voice.say(phrase, &[("company", &self.company)]);
        let mut doc = Document::new(self.headline.clone());
        doc.paragraph(self.intro.as_str());
        doc.section(&title(&headings.role), &self.role_description);
        doc.section(&title(&headings.why), &self.the_why);
        doc.list(&title(&headings.responsibilities), &self.responsibilities);
        doc.list(
            &title(&headings.requirements),
            &self.requirements.must_haves,
        );
        doc.list(
            &title(&headings.good_to_haves),
            &self.requirements.good_to_haves,
        );
        doc.section(&title(&headings.soft_skills), &self.soft_skills_paragraph);
        doc.section(&title(&headings.team), &self.team_and_why_gc);
        doc.paragraph(self.salary.as_deref().unwrap_or_default());
        doc.section(&title(&headings.process), &self.process);
        doc.section(&title(&headings.ending), &self.ending);
        doc
    }
}
