//! The job ad, from the profile without its internal remarks and from approved facts.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Point, copied, plain};
use crate::tata::document::{BLANK, Document, MadeWith};
use crate::tata::labels::labels;
use crate::tata::language::Language;

pub(in crate::tata) const INSTRUCTIONS: &str = include_str!("../instructions/documents/job_ad.md");

/// The tone of a job ad.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(in crate::tata) enum Tone {
    Formal,
    Casual,
    Friendly,
}

impl Tone {
    pub(in crate::tata) fn words(self) -> &'static str {
        match self {
            Tone::Formal => "Tone: formal.",
            Tone::Casual => "Tone: casual.",
            Tone::Friendly => "Tone: friendly.",
        }
    }
}

/// The content of an ad. Each point names the words of the profile or of the company's facts that it rests on.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::tata) struct JobAdDraft {
    /// A headline that names the position.
    headline: String,
    /// One or two paragraphs: what the job is and why somebody would want it, honestly.
    intro: Vec<String>,
    /// What the person will do, addressed to the reader.
    responsibilities: Vec<Point>,
    /// What the reader must bring. Every must-have of the profile, no other.
    must_haves: Vec<Point>,
    /// What is welcome and can be missing.
    good_to_haves: Vec<Point>,
    /// The team and how it works.
    team: Vec<Point>,
    /// Conditions: pay, place, home office, on call, start.
    offer: Vec<Point>,
    /// The steps of the recruitment.
    process: Vec<Point>,
    /// One sentence that says how to apply; […] where the sources do not say.
    apply: String,
}

pub(in crate::tata) fn document(draft: JobAdDraft, position: &str, language: Language) -> Document {
    let labels = labels(language);
    let headline = match draft.headline.trim() {
        "" => position,
        headline => headline,
    };
    let mut document = Document::new(headline, language, MadeWith::Model);
    document.paragraphs("intro", "", &draft.intro);
    let sections = [
        ("ad_responsibilities", draft.responsibilities),
        ("ad_must_haves", draft.must_haves),
        ("ad_good_to_haves", draft.good_to_haves),
        ("ad_team", draft.team),
        ("ad_offer", draft.offer),
        ("ad_process", draft.process),
    ];
    for (id, points) in sections {
        document.some_items(id, labels.section(id), plain(points));
    }
    let apply = match draft.apply.trim() {
        "" => BLANK,
        apply => apply,
    };
    document.paragraphs("apply", labels.topic("contact"), &[apply]);
    document
}

/// The profile's own points under the headings of an ad.
pub(in crate::tata) fn fallback(
    profile: &Document,
    position: &str,
    with_pay: bool,
    language: Language,
) -> Document {
    let labels = labels(language);
    let mut document = Document::new(position, language, MadeWith::Fallback);
    document.paragraphs("intro", "", &[BLANK]);
    for (id, from) in [
        ("ad_responsibilities", "responsibilities"),
        ("ad_must_haves", "must_haves"),
        ("ad_good_to_haves", "good_to_haves"),
        ("ad_team", "team"),
    ] {
        document.items(id, labels.section(id), copied(profile, from));
    }
    let pay = crate::tata::labels::labels(profile.language).topic("pay");
    let mut offer = copied(profile, "conditions");
    offer.retain(|item| with_pay || item.label.as_deref() != Some(pay));
    document.items("ad_offer", labels.section("ad_offer"), offer);
    document.paragraphs("apply", labels.topic("contact"), &[BLANK]);
    document
}
