//! The words of an ad: repetitions, and what the house style forbids. Each check is linear in the length of the ad.

use std::collections::HashMap;

use super::{IssueCategory, IssueSeverity, ReviewIssue};
use crate::tata::domain::desk::Desk;
use crate::tata::domain::style_check::{Finding, StyleRule, check};
use crate::tata::domain::text::sentences::sentences;
use crate::tata::domain::text::words::{normal, one_line, shorten, words};
use crate::tata::domain::voice::Voice;

const EMOJI: f64 = 15.0;
const DASHES: f64 = 10.0;
const BANNED: f64 = 5.0;
const MAX_BANNED: f64 = 30.0;
const REPEATED_SENTENCE: usize = 20;
const REPEATED_PHRASE: usize = 2;
const MAX_REPEATED_PHRASES: usize = 5;
const QUOTED: usize = 100;

/// Sentences of more than 20 characters that occur twice, and three-word phrases that occur more than twice.
pub(super) fn duplicates(ad: &str, voice: Voice<'_>, desk: &Desk<'_>) -> Vec<ReviewIssue> {
    let phrases = &voice.pack.review;
    let issue = |severity, phrase: &str, n: usize, quote: &str| ReviewIssue {
        category: IssueCategory::Duplication,
        severity,
        description: voice.say(
            phrase,
            &[
                ("n", &n.to_string()),
                ("quote", &voice.quote(&shorten(quote, QUOTED))),
            ],
        ),
        location: phrases.whole_ad.clone(),
        suggestion: voice.plain(&phrases.suggestions.duplicate),
    };
    let mut out = Vec::new();
    for (sentence, n) in repeated_sentences(ad, desk) {
        out.push(issue(
            IssueSeverity::Medium,
            &phrases.issues.sentence_twice,
            n,
            &one_line(sentence),
        ));
    }
    for (phrase, n) in repeated_phrases(ad, desk) {
        out.push(issue(
            IssueSeverity::Low,
            &phrases.issues.phrase_often,
            n,
            &phrase,
        ));
    }
    out
}

fn repeated_sentences<'t>(ad: &'t str, desk: &Desk<'_>) -> Vec<(&'t str, usize)> {
    let mut counts: HashMap<String, (&'t str, usize)> = HashMap::new();
    let mut order: Vec<String> = Vec::new();
    for sentence in sentences(ad, &desk.library.reader().abbreviations) {
        if sentence.chars().count() <= REPEATED_SENTENCE {
            continue;
        }
        let key = normal(sentence);
        let entry = counts.entry(key.clone()).or_insert((sentence, 0));
        entry.1 += 1;
        if entry.1 == 2 {
            order.push(key);
        }
    }
    order
        .iter()
        .filter_map(|key| counts.get(key).copied())
        .collect()
}

fn repeated_phrases(ad: &str, desk: &Desk<'_>) -> Vec<(String, usize)> {
    let reader = desk.library.reader();
    let list = words(ad);
    // The position's title may recur; the headline shows it.
    let headline = words(ad.trim_start().lines().next().unwrap_or_default());
    let in_headline = |phrase: &[&str; 3]| {
        headline
            .windows(3)
            .any(|w| w.iter().zip(phrase).all(|(a, b)| a.folded == **b))
    };
    let mut counts: HashMap<[&str; 3], (usize, usize)> = HashMap::new();
    for (i, w) in list.windows(3).enumerate() {
        let telling = w
            .iter()
            .any(|x| x.letters() > 3 && reader.is_telling(&x.folded));
        if w[1].joined && w[2].joined && telling {
            counts
                .entry([&w[0].folded, &w[1].folded, &w[2].folded])
                .or_insert((i, 0))
                .1 += 1;
        }
    }
    let mut often: Vec<(&[&str; 3], &(usize, usize))> = counts
        .iter()
        .filter(|(p, (_, n))| *n > REPEATED_PHRASE && !in_headline(p))
        .collect();
    often.sort_by_key(|(_, (first, n))| (std::cmp::Reverse(*n), *first));
    let mut kept: Vec<(&[&str; 3], usize)> = Vec::new();
    for (phrase, (_, n)) in often {
        // "with the team" next to "the team and" is the same repetition.
        let overlaps = kept
            .iter()
            .any(|(k, _)| phrase.iter().filter(|w| k.contains(*w)).count() > 1);
        if !overlaps && kept.len() < MAX_REPEATED_PHRASES {
            kept.push((phrase, *n));
        }
    }
    kept.into_iter()
        .map(|(phrase, n)| (phrase.join(" "), n))
        .collect()
}

/// 100, less 15 for emoji, 10 for dash bullets and 5 for each banned word up to 30.
pub(super) fn compliance(ad: &str, voice: Voice<'_>, desk: &Desk<'_>) -> (f64, Vec<ReviewIssue>) {
    let phrases = &voice.pack.review;
    let found = check(ad, voice.language, desk.style);
    let of = |rule: StyleRule| found.iter().filter(move |f| f.rule == rule);
    let lines = LineStarts::new(ad);
    let mut score = 100.0;
    let mut issues = Vec::new();
    let mut report =
        |category, severity, description: String, location: String, suggestion: String| {
            issues.push(ReviewIssue {
                category,
                severity,
                description,
                location,
                suggestion,
            });
        };
    for (rule, penalty, severity, phrase, advice) in [
        (
            StyleRule::Emoji,
            EMOJI,
            IssueSeverity::High,
            &phrases.issues.emoji,
            &phrases.suggestions.emoji,
        ),
        (
            StyleRule::DashBullet,
            DASHES,
            IssueSeverity::Medium,
            &phrases.issues.dash,
            &phrases.suggestions.dash,
        ),
    ] {
        let n = of(rule).count();
        if let Some(first) = of(rule).next() {
            score -= penalty;
            let description = voice.say(phrase, &[("n", &n.to_string())]);
            report(
                IssueCategory::Compliance,
                severity,
                description,
                lines.name(first, voice),
                voice.plain(advice),
            );
        }
    }
    score -= (BANNED * of(StyleRule::BannedWord).count() as f64).min(MAX_BANNED);
    for f in &found {
        let (category, severity, phrase) = match f.rule {
            StyleRule::BannedWord => (
                IssueCategory::BannedWords,
                IssueSeverity::High,
                &phrases.issues.banned,
            ),
            StyleRule::CompanyTerm => (
                IssueCategory::Compliance,
                IssueSeverity::Medium,
                &phrases.issues.term,
            ),
            StyleRule::ModuleLetter => (
                IssueCategory::Compliance,
                IssueSeverity::High,
                &phrases.issues.letter,
            ),
            StyleRule::Emoji | StyleRule::DashBullet => continue,
        };
        let description = voice.say(phrase, &[("quote", &voice.quote(&f.text))]);
        report(
            category,
            severity,
            description,
            lines.name(f, voice),
            replacement(f, voice),
        );
    }
    (f64::max(score, 0.0), issues)
}

pub(super) fn replacement(finding: &Finding, voice: Voice<'_>) -> String {
    let phrases = &voice.pack.review.suggestions;
    if finding.replacement.is_empty() {
        return voice.plain(&phrases.remove);
    }
    voice.say(
        &phrases.replace,
        &[("replacement", &voice.quote(&finding.replacement))],
    )
}

/// Byte offsets of line starts, to name a line without counting from the top each time.
struct LineStarts(Vec<usize>);

impl LineStarts {
    fn new(text: &str) -> Self {
        LineStarts(
            std::iter::once(0)
                .chain(text.match_indices('\n').map(|(at, _)| at + 1))
                .collect(),
        )
    }

    fn name(&self, finding: &Finding, voice: Voice<'_>) -> String {
        let line = self
            .0
            .partition_point(|start| *start <= finding.place.start);
        voice.say(&voice.pack.review.line, &[("n", &line.to_string())])
    }
}
