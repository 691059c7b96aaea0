//! Finds texts that candidates should not read: words about who is welcome and remarks marked as
//! private, whoever wrote the document.

use std::sync::LazyLock;

use frontdesk_core::grounding::SourceText;
use regex::Regex;

use super::document::{Document, Item, MadeWith};
use super::labels::{Labels, labels};
use super::language::Language;
use super::module::Module;
use super::style_guide::StyleGuide;
use super::word_list;

/// Phrases that mark a remark as private, in any language.
static PRIVATE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let all = Language::ALL.into_iter();
    let phrases = all.flat_map(|language| labels(language).cues("private"));
    // A star at the end of a phrase stands for any ending.
    let phrases = phrases.map(|phrase| regex::escape(phrase).replace(r"\*", r"\w*"));
    let phrases = phrases.collect::<Vec<_>>().join("|");
    Regex::new(&format!(r"(?i)\b(?:{phrases})\b")).ok()
});

/// Checks a new document. Without a model, texts that are unfit for candidates are removed and
/// returned; texts of a model or a person stay, with a warning.
pub(super) fn check(
    document: &mut Document,
    module: Module,
    sources: &[SourceText],
    guide: &StyleGuide,
) -> Vec<Item> {
    let mut aside = Vec::new();
    if !module.is_read_by_candidates() && module != Module::RequirementProfile {
        return aside;
    }
    let labels = labels(document.language);
    let own = sources.iter().map(|source| Language::of_text(&source.text));
    let mut languages: Vec<Language> = own.flatten().chain([document.language]).collect();
    languages.sort();
    languages.dedup();
    let is_filled = document.made_with == MadeWith::Fallback;
    let key = if is_filled { "aside" } else { "check" };
    let mut notes = Vec::new();
    document.retain_public(&mut |text| {
        let found = concerns(text, &languages, guide, labels);
        let note = |(words, why): &(&str, &str)| labels.note(key, &[("text", words), ("why", why)]);
        notes.extend(found.iter().map(note));
        let keeps = found.is_empty() || !is_filled;
        aside.extend((!keeps).then(|| Item::new(text)));
        keeps
    });
    notes.dedup();
    document.notes.append(&mut notes);
    aside
}

/// The words that make a text unfit for candidates, each with the reason.
fn concerns<'t>(
    text: &'t str,
    languages: &[Language],
    guide: &StyleGuide,
    labels: &'static Labels,
) -> Vec<(&'t str, &'static str)> {
    let hits = languages
        .iter()
        .flat_map(|language| word_list::find(text, *language));
    let hits =
        hits.filter(|hit| hit.term.category.is_about_inclusion() && !guide.allows(hit.words));
    let private = PRIVATE.as_ref().and_then(|private| private.find(text));
    let private = private.map(|found| (found.as_str(), labels.word("private")));
    let listed = hits.map(|hit| (hit.words, labels.reason(hit.term.category)));
    let mut found: Vec<_> = listed.chain(private).collect();
    found.dedup();
    found
}

#[cfg(test)]
mod inclusion_tests;
