//! What a recruiter is told about any candidate-facing document: facts left out, words replaced, another language.

use super::desk::Desk;
use super::language::Language;
use super::problem::{Problem, excerpts};
use super::style_check::{Finding, StyleRule};
use super::text::sentences::sentences;
use super::text::words::normal;

/// Sentences about the company that nobody has approved are offered to the guide, not printed.
pub(crate) fn unapproved<'t>(
    context: Option<&'t str>,
    language: Language,
    desk: &Desk<'_>,
) -> Vec<&'t str> {
    let approved: Vec<String> = desk.style.facts(language).into_iter().map(normal).collect();
    let abbreviations = &desk.library.reader().abbreviations;
    let told = context
        .map(|c| sentences(c, abbreviations))
        .unwrap_or_default();
    told.into_iter()
        .filter(|s| !approved.contains(&normal(s)))
        .collect()
}

pub(crate) fn context_warning(sentences: &[&str]) -> Option<Problem> {
    (!sentences.is_empty()).then(|| {
        let text = format!(
            "These statements about the company are not approved in the style guide and were not used: {} Approve them there and they will be.",
            excerpts(sentences)
        );
        Problem::new("company_context", text)
    })
}

/// Tells which words of the notes were replaced.
pub(crate) fn style_warning(found: &[Finding]) -> Option<Problem> {
    let mut changes: Vec<String> = Vec::new();
    for f in found {
        let change = match f.rule {
            StyleRule::BannedWord | StyleRule::CompanyTerm if f.replacement.is_empty() => {
                format!("“{}” was left out", f.text)
            }
            StyleRule::BannedWord | StyleRule::CompanyTerm => {
                format!("“{}” became “{}”", f.text, f.replacement)
            }
            StyleRule::Emoji | StyleRule::ModuleLetter | StyleRule::DashBullet => continue,
        };
        if !changes.contains(&change) {
            changes.push(change);
        }
    }
    let text = || format!("The company's style was applied: {}.", excerpts(&changes));
    (!changes.is_empty()).then(|| Problem::new("style_guide", text()))
}

/// Written in another language than the document, as far as its small words show.
pub(crate) fn is_foreign(text: &str, language: Language, desk: &Desk<'_>) -> bool {
    desk.library
        .language_of(text)
        .is_some_and(|found| found != language)
}
