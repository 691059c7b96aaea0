//! A changed version of any document, and which document is meant.

use frontdesk_core::draft::Quote;
use frontdesk_core::grounding::normalise;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::tata::document::{Body, Document, MadeWith};
use crate::tata::documents::Stored;
use crate::tata::drafts::{candidate_report, comparison};
use crate::tata::module::Module;

pub(in crate::tata) const INSTRUCTIONS: &str =
    include_str!("../instructions/documents/revision.md");

/// The whole document with the change made.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::tata) struct RevisionDraft {
    /// The whole new document as Markdown, in the form of the present one.
    markdown: String,
}

/// The new version: what the model wrote, with ids, fields and internal sections of the old one.
pub(in crate::tata) fn document(
    draft: &RevisionDraft,
    previous: &Document,
    said: &str,
) -> Result<Document, String> {
    let mut document = Document::read_markdown(&draft.markdown, previous)?;
    document.made_with = MadeWith::Model;
    document.notes.clear();
    keep_internal(&mut document, previous);
    keep_known_quotes(&mut document, previous, said);
    candidate_report::read_recommendation(&mut document);
    Ok(document)
}

/// A section that candidates must not see never becomes public because a model forgot its mark.
fn keep_internal(document: &mut Document, previous: &Document) {
    for section in previous.sections.iter().filter(|section| section.internal) {
        if !document
            .sections
            .iter()
            .any(|kept| kept.internal && kept.id == section.id)
        {
            document.sections.retain(|kept| kept.id != section.id);
            document.sections.push(section.clone());
        }
    }
}

/// Quotes stay where the old version had them or the person said them.
fn keep_known_quotes(document: &mut Document, previous: &Document, said: &str) {
    let quotes_of = |document: &Document| -> Vec<String> {
        let items = document
            .sections
            .iter()
            .flat_map(|section| match &section.body {
                Body::Items(items) => items.as_slice(),
                Body::Paragraphs(_) | Body::Table { .. } => &[],
            });
        items
            .flat_map(|item| &item.quotes)
            .map(|quote| normalise(&quote.quote))
            .collect()
    };
    let known = quotes_of(previous);
    let said = normalise(said);
    let is_known = |quote: &Quote| {
        let quote = normalise(&quote.quote);
        known.contains(&quote) || said.contains(&quote)
    };
    for section in &mut document.sections {
        if let Body::Items(items) = &mut section.body {
            items
                .iter_mut()
                .for_each(|item| item.quotes.retain(is_known));
        }
    }
}

/// The document that these words name: by its kind, then by its title or key.
pub(in crate::tata) fn choose<'d>(
    documents: &'d [Stored],
    words: &str,
) -> Result<&'d Stored, String> {
    let asked = words.to_lowercase();
    let score = |stored: &Stored| {
        let kind = u32::from(
            names_of(&stored.from.kind)
                .iter()
                .any(|name| asked.contains(name)),
        );
        let title = format!("{} {}", stored.document.title, stored.from.key).to_lowercase();
        let named = title
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| word.chars().count() > 1 && has_word(&asked, word));
        (kind, named.count())
    };
    let best = documents
        .iter()
        .map(score)
        .max()
        .filter(|best| *best != (0, 0));
    let Some(best) = best else {
        return Err(not_found(documents, words));
    };
    let mut found = documents.iter().filter(|stored| score(stored) == best);
    match (found.next_back(), found.next_back()) {
        (Some(one), None) => Ok(one),
        // Of several versions of one kind, e.g. an ad in two languages, the last made is meant;
        // candidates are never mixed up.
        (Some(last), Some(_)) if last.from.kind != Module::CandidateReport.facts().artifact => {
            Ok(last)
        }
        _ => Err(not_found(documents, words)),
    }
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric())
        .any(|other| other == word)
}

/// What people call a document, in five languages. The first match decides, so longer names that
/// contain another stand in kinds of their own.
fn names_of(kind: &str) -> &'static [&'static str] {
    match Module::of_artifact(kind) {
        Some(Module::RequirementProfile) => {
            &["profile", "profil", "requirement", "must-have", "must have"]
        }
        Some(Module::JobAd) => &[
            "job ad",
            "job_ad",
            "the ad",
            "our ad",
            "advert",
            "headline",
            "annons",
            "opslag",
            "anzeige",
            "ausschreibung",
        ],
        Some(Module::TaScreening) => &[
            "ta screening",
            "ta_screening",
            "screening",
            "recruiter's guide",
            "my guide",
            "rekryteraren",
            "rekruttereren",
            "recruiting",
        ],
        Some(Module::HmScreening) => &[
            "hiring manager",
            "hm screening",
            "hm_screening",
            "manager's guide",
            "rekryterande chef",
            "ansættende leder",
            "ansettende leder",
            "führungskraft",
        ],
        Some(Module::Headhunting) => &[
            "message",
            "outreach",
            "headhunting",
            "linkedin",
            "meddeland",
            "besked",
            "melding",
            "nachricht",
        ],
        Some(Module::CandidateReport) => &[
            "candidate report",
            "report on",
            "report",
            "rapport",
            "bericht",
        ],
        Some(Module::FunnelReport) => &["funnel", "tratt", "tragt", "trakt", "trichter"],
        Some(Module::JobAdReview) => &[
            "job ad review",
            "review of the job ad",
            "job_ad_review",
            "granskning av jobb",
            "prüfung der stellen",
        ],
        Some(Module::DiReview) => &[
            "inclusive",
            "inclusion",
            "diversity",
            "di_review",
            "inkluder",
            "inklusiv",
        ],
        Some(Module::CalendarInvite) => &["invit", "inbjud", "einladung"],
        None if kind == comparison::KIND => &["comparison", "jämför", "sammenlign", "vergleich"],
        None => &[],
    }
}

fn not_found(documents: &[Stored], words: &str) -> String {
    let titles: Vec<String> = documents
        .iter()
        .map(|stored| format!("“{}”", stored.document.title))
        .collect();
    match titles.is_empty() {
        true => "There is no document in this project yet.".to_owned(),
        false => format!(
            "Which document is meant by “{words}”? The project has {}.",
            titles.join(", ")
        ),
    }
}

#[cfg(test)]
mod revision_tests;
