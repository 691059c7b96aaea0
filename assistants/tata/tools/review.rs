//! The two reviews of a job ad: findings with the ad's own words, why they matter, and a rewrite.
//! There is no score, only the number of findings. The ad itself is never changed.

use super::prelude::*;
use frontdesk_core::draft::Quote;

use super::{Point, lines, quoted};
use crate::style_guide::StyleGuide;
use crate::word_list::{self, Category, Hit};

/// The name of the ad as a source.
const AD: &str = "job_ad";

/// The review for improvements, or the one for inclusive language.
pub(super) struct Review<const INCLUSION: bool>(StyleGuide);

/// The ad and how to review it.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// The job ad, exactly as the recruiter pasted it; the project's own newest ad when absent.
    #[schemars(extend("x-handle" = "text"))]
    #[serde(default)]
    job_ad_text: String,
    /// The language of the review; that of the request when absent.
    language: Option<Language>,
    /// The position title that the headline should name (optional).
    position_title: Option<String>,
}

/// The content of a review.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ReviewDraft {
    /// Strengths of the ad, at most three.
    strengths: Vec<Point>,
    /// Passages to change, the most serious first. Each passage once.
    findings: Vec<Finding>,
    /// Information that readers look for and do not find, in a few words each.
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

impl<const INCLUSION: bool> Writes for Review<INCLUSION> {
    const MODULE: Module = match INCLUSION {
        true => Module::DiReview,
        false => Module::JobAdReview,
    };
    const FILE: &'static str = match INCLUSION {
        true => include_str!("../instructions/documents/di_review.md"),
        false => include_str!("../instructions/documents/job_ad_review.md"),
    };
    type Args = Args;
    type Draft = ReviewDraft;

    /// The pasted ad, or else the project's own.
    async fn prepare(call: &Call<'_>, args: Args) -> Result<(Self, Brief), ToolError> {
        let language = Language::choose(call.ctx, args.language)?;
        let mut sources = Sources::new(language);
        sources.add_argument(call.ctx, AD, Some(&args.job_ad_text));
        let mut place = Place::of(Self::MODULE, "");
        if sources.texts.is_empty()
            && let Some(own) = newest(call.ctx, Module::JobAd).await?
        {
            sources.add(AD, &own.document.to_markdown());
            place = place.built_from([own.from]);
        }
        let Some(ad) = sources.texts.first() else {
            return Err(ToolError::refused(
                "The job ad is empty, and the project has none yet. Paste the job ad text.",
            ));
        };
        let title = args.position_title.map(|title| short(&title));
        let mut details: Vec<String> = Vec::new();
        details.extend(title.map(|title| format!("The position: {title}")));
        let hits = hits(&ad.text, &call.guide);
        let hints: Vec<String> = hits.iter().map(|hit| format!("“{}”", hit.words)).collect();
        if !hints.is_empty() {
            let list = hints.join(", ");
            details.push(format!(
                "A word list points at these; judge each in its context: {list}."
            ));
        }
        let brief = Brief {
            details,
            ..Brief::new("", language, sources, place)
        };
        Ok((Self(call.guide.clone()), brief))
    }

    fn document(&self, draft: ReviewDraft, document: &mut Document) {
        let labels = labels(document.language);
        let findings = draft.findings.into_iter().map(|finding| Item {
            rewrite: Some(finding.rewrite).filter(|text| !text.trim().is_empty()),
            ..Item::labelled(labels.choice(finding.category), finding.why).quoting([finding.words])
        });
        add_findings(document, findings.collect());
        document.some_items("missing", lines(&draft.missing));
        document.some_items("strengths", quoted(draft.strengths));
    }

    /// The listed words of the ad, each with the list's suggestion.
    fn fallback(&self, sources: &[SourceText], document: &mut Document) {
        let labels = labels(document.language);
        let ad = sources.first().map_or("", |ad| ad.text.as_str());
        let hits = hits(ad, &self.0).into_iter();
        let concerns = |hit: &Hit<'_>| !INCLUSION || hit.term.category.is_about_inclusion();
        let findings = hits.filter(concerns).map(|hit| {
            let category = hit.term.category;
            let words = Quote {
                quote: hit.words.to_owned(),
                source: AD.to_owned(),
            };
            Item {
                rewrite: Some(hit.term.better.clone()),
                ..Item::labelled(labels.choice(category), labels.reason(category)).quoting([words])
            }
        });
        add_findings(document, findings.collect());
        document.notes.push(labels.note("unchecked", &[]));
    }
}

/// Words are looked up in the ad's own language, whatever the review's.
fn hits<'t>(ad: &'t str, guide: &StyleGuide) -> Vec<Hit<'t>> {
    let mut hits = word_list::find(ad, Language::of_text(ad).unwrap_or_default());
    hits.retain(|hit| !guide.allows(hit.words));
    hits
}

fn add_findings(document: &mut Document, items: Vec<Item>) {
    let count = items.len();
    document.set("findings", count);
    let labels = labels(document.language);
    if count == 0 {
        return document.paragraphs("findings", &[labels.word("no_findings")]);
    }
    let heading = format!("{} ({count})", labels.heading("findings"));
    document.headed("findings", &heading, items);
}
