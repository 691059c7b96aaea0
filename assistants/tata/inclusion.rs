//! Holds what candidates read to the work. Code finds words about who is welcome, remarks marked
//! as private, and benefits that no source names, whoever wrote the document.

use std::sync::LazyLock;

use frontdesk_core::grounding::SourceText;
use regex::Regex;

use super::document::{Document, Item, MadeWith};
use super::labels::{Labels, labels};
use super::language::Language;
use super::module::Module;
use super::notes::sentences;
use super::style_guide::StyleGuide;
use super::word_list;

/// Phrases that mark a remark as private, in any language.
static PRIVATE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let all = Language::ALL.into_iter();
    let phrases = all.flat_map(|language| labels(language).cues("private"));
    one_of(phrases.map(String::as_str))
});

/// One expression for each benefit: a line of the file has its names in all languages.
static BENEFITS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    let lines = include_str!("benefits.txt").lines();
    let lines = lines.filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| one_of(line.split(", "))).collect()
});

/// A star at the end of a phrase stands for any ending.
fn one_of<'a>(phrases: impl Iterator<Item = &'a str>) -> Option<Regex> {
    let phrases = phrases.map(|phrase| regex::escape(phrase).replace(r"\*", r"\w*"));
    let phrases: Vec<String> = phrases.collect();
    Regex::new(&format!(r"(?i)\b(?:{})\b", phrases.join("|"))).ok()
}

/// Checks a new document. Without a model, what is not for candidates is taken out and returned;
/// what a model or a person wrote stays, with a warning.
pub(super) fn check(
    document: &mut Document,
    module: Module,
    sources: &[SourceText],
    guide: &StyleGuide,
) -> Vec<Item> {
    let public = module.is_read_by_candidates();
    let mut aside = Vec::new();
    if !public && module != Module::RequirementProfile {
        return aside;
    }
    let labels = labels(document.language);
    let mut notes = Vec::new();
    let is_filled = document.made_with == MadeWith::Fallback;
    if public && !is_filled {
        document.rewrite_public(&mut |text| without_invented(text, sources, labels, &mut notes));
    }
    let own = sources.iter().map(|source| Language::of_text(&source.text));
    let mut languages: Vec<Language> = own.flatten().chain([document.language]).collect();
    languages.sort();
    languages.dedup();
    let key = if is_filled { "aside" } else { "check" };
    document.rewrite_public(&mut |text| {
        let found = concerns(text, &languages, guide, labels);
        let note = |(words, why): &(&str, &str)| labels.note(key, &[("text", words), ("why", why)]);
        notes.extend(found.iter().map(note));
        if found.is_empty() || !is_filled {
            return text.to_owned();
        }
        aside.push(Item::new(text));
        String::new()
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

/// A text without the sentences that promise a benefit which no source names.
fn without_invented(
    text: &str,
    sources: &[SourceText],
    labels: &Labels,
    notes: &mut Vec<String>,
) -> String {
    let named = |benefit: &Regex| sources.iter().any(|source| benefit.is_match(&source.text));
    let is_invented = |line: &str| {
        BENEFITS
            .iter()
            .any(|benefit| benefit.is_match(line) && !named(benefit))
    };
    if !is_invented(text) {
        return text.to_owned();
    }
    let mut keep = |sentence: &&str| {
        let invented = is_invented(sentence);
        notes.extend(invented.then(|| labels.note("left_out", &[("text", sentence)])));
        !invented
    };
    let lines = text.lines().map(|line| {
        sentences(line)
            .filter(&mut keep)
            .collect::<Vec<_>>()
            .join(" ")
    });
    lines
        .filter(|line| !line.is_empty())
        .collect::<Vec<_>>()
        .join("\n")
}

#[cfg(test)]
mod inclusion_tests;
