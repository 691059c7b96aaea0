//! Reviews of a job ad: findings with the ad's own words, why they matter, and a rewrite. There is
//! no score, only the number of findings.

use frontdesk_core::draft::Quote;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{Point, lines, quoted};
use crate::tata::document::{Document, Item, MadeWith};
use crate::tata::labels::labels;
use crate::tata::language::Language;
use crate::tata::style_guide::StyleGuide;
use crate::tata::word_list::{self, Category, Hit};

pub(in crate::tata) const JOB_AD: &str = include_str!("../instructions/documents/job_ad_review.md");
pub(in crate::tata) const INCLUSION: &str = include_str!("../instructions/documents/di_review.md");

/// The name of the ad as a source.
pub(in crate::tata) const AD: &str = "job_ad";

/// The content of a review.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::tata) struct ReviewDraft {
    /// What the ad does well, at most three points.
    strengths: Vec<Point>,
    /// What should be changed, the most serious first. Each passage once.
    findings: Vec<Finding>,
    /// What a reader looks for and does not find, in a few words each.
    missing: Vec<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Finding {
    category: Category,
    /// The words of the ad.
    words: Quote,
    /// Why this is a problem, in one or two sentences.
    why: String,
    /// The passage as it could stand in the ad; empty when it should go.
    rewrite: String,
}

/// Which of the two reviews.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tata) enum Review {
    JobAd,
    Inclusion,
}

impl Review {
    fn kind(self) -> &'static str {
        match self {
            Review::JobAd => "job_ad_review",
            Review::Inclusion => "di_review",
        }
    }
}

pub(in crate::tata) fn document(
    review: Review,
    draft: ReviewDraft,
    language: Language,
) -> Document {
    let labels = labels(language);
    let mut document = empty(review, language, MadeWith::Model);
    let findings = draft.findings.into_iter().map(|finding| Item {
        rewrite: Some(finding.rewrite.trim().to_owned()).filter(|text| !text.is_empty()),
        ..Item::labelled(labels.category(finding.category.key()), finding.why)
            .quoting([finding.words])
    });
    add_findings(&mut document, findings.collect());
    document.some_items("missing", labels.section("missing"), lines(&draft.missing));
    document.some_items(
        "strengths",
        labels.section("strengths"),
        quoted(draft.strengths),
    );
    document
}

/// The listed words of the ad, each with the list's suggestion.
pub(in crate::tata) fn fallback(
    review: Review,
    ad: &str,
    guide: &StyleGuide,
    language: Language,
) -> Document {
    let labels = labels(language);
    let mut document = empty(review, language, MadeWith::Fallback);
    let items = hits(ad, review, guide).into_iter().map(|hit| {
        let label = labels.category(hit.term.category.key());
        let words = Quote {
            quote: hit.words.to_owned(),
            source: AD.to_owned(),
        };
        Item {
            rewrite: Some(hit.term.better.clone()),
            ..Item::labelled(label, "").quoting([words])
        }
    });
    add_findings(&mut document, items.collect());
    document.notes.push(labels.note("unchecked", &[]));
    document
}

/// Listed words that the ad contains, as hints for the model.
pub(in crate::tata) fn hints(ad: &str, review: Review, guide: &StyleGuide) -> Option<String> {
    let hits = hits(ad, review, guide);
    let hints: Vec<String> = hits
        .iter()
        .map(|hit| format!("“{}” ({})", hit.words, hit.term.category.key()))
        .collect();
    (!hints.is_empty()).then(|| {
        let list = hints.join(", ");
        format!("A word list points at these; judge each in its context: {list}.")
    })
}

fn hits<'t>(ad: &'t str, review: Review, guide: &StyleGuide) -> Vec<Hit<'t>> {
    // The words of an ad are looked up in its own language, whatever the review's.
    let language = Language::of_text(ad).unwrap_or_default();
    let mut hits = word_list::find(ad, language);
    hits.retain(|hit| {
        let concerns = review == Review::JobAd || hit.term.category.is_about_inclusion();
        concerns && !guide.allows(hit.words)
    });
    hits
}

fn empty(review: Review, language: Language, made_with: MadeWith) -> Document {
    Document::new(
        labels(language).title(review.kind(), ""),
        language,
        made_with,
    )
}

fn add_findings(document: &mut Document, items: Vec<Item>) {
    let labels = labels(document.language);
    let count = items.len();
    document.fields.insert("findings".to_owned(), json!(count));
    match count {
        0 => document.paragraphs(
            "findings",
            labels.section("findings"),
            &[labels.word("no_findings")],
        ),
        more => {
            let heading = format!("{} ({more})", labels.section("findings"));
            document.items("findings", &heading, items);
        }
    }
}
