//! The checks behind the job ad review. Each is linear in the length of the ad.

use std::collections::{BTreeMap, HashMap};

use super::ad_section::{AdSection, SectionText};
use super::desk::Desk;
use super::job_ad_review::{IssueCategory, IssueSeverity, ReviewIssue, SectionAnalysis};
use super::requirement_profile::is_visible;
use super::style_check::{Finding, StyleRule, banned_words, check};
use super::text::sentences::sentences;
use super::text::words::{normal, one_line, shorten, word_count, words};
use super::voice::Voice;

const REQUIRED: [AdSection; 4] = [
    AdSection::Headline,
    AdSection::RoleDescription,
    AdSection::Responsibilities,
    AdSection::Requirements,
];
const RECOMMENDED: [AdSection; 4] = [
    AdSection::Intro,
    AdSection::TeamInfo,
    AdSection::Benefits,
    AdSection::CallToAction,
];
const MISSING_REQUIRED: f64 = 20.0;
const MISSING_RECOMMENDED: f64 = 5.0;
const TOO_SHORT: f64 = 30.0;
const TOO_LONG: f64 = 15.0;
const NO_LIST: f64 = 15.0;
const BAD_WORDS: f64 = 10.0;
const EMOJI: f64 = 15.0;
const DASHES: f64 = 10.0;
const BANNED: f64 = 5.0;
const MAX_BANNED: f64 = 30.0;
const REPEATED_SENTENCE: usize = 20;
const REPEATED_PHRASE: usize = 2;
const MAX_REPEATED_PHRASES: usize = 5;
const QUOTED: usize = 100;

/// A section with what is wrong with its structure, apart from its words.
pub(crate) struct Analysed {
    pub(crate) section: SectionAnalysis,
    structural: Vec<(String, String)>,
}

pub(crate) fn sections_of(
    found: &BTreeMap<AdSection, SectionText>,
    voice: Voice<'_>,
    desk: &Desk<'_>,
) -> Vec<Analysed> {
    AdSection::ALL
        .into_iter()
        .map(|section| analyse(section, found.get(&section), voice, desk))
        .collect()
}

fn analyse(
    section: AdSection,
    text: Option<&SectionText>,
    voice: Voice<'_>,
    desk: &Desk<'_>,
) -> Analysed {
    let phrases = &voice.pack.review;
    let Some(text) = text else {
        let missing = voice.say(
            &phrases.issues.missing,
            &[("section", phrases.section(section))],
        );
        return analysed(
            section,
            None,
            vec![(100.0, missing, voice.plain(phrases.add(section)))],
            vec![],
        );
    };
    let banned = banned_words(&text.text, voice.language, desk.style)
        .into_iter()
        .next();
    let wording = banned.map(|word| {
        let issue = voice.say(
            &phrases.issues.banned,
            &[("quote", &voice.quote(&word.text))],
        );
        (BAD_WORDS, issue, replacement(&word, voice))
    });
    let n = word_count(&text.text);
    analysed(
        section,
        Some(n),
        shape(section, text, n, voice),
        wording.into_iter().collect(),
    )
}

/// A penalty, the issue and the suggestion.
type Fault = (f64, String, String);

fn analysed(
    section: AdSection,
    words: Option<usize>,
    structural: Vec<Fault>,
    wording: Vec<Fault>,
) -> Analysed {
    let all: Vec<&Fault> = structural.iter().chain(&wording).collect();
    let penalty: f64 = all.iter().map(|(penalty, _, _)| penalty).sum();
    let section = SectionAnalysis {
        section,
        found: words.is_some(),
        quality_score: (100.0 - penalty).max(0.0),
        word_count: words.unwrap_or(0),
        issues: all.iter().map(|(_, issue, _)| issue.clone()).collect(),
        suggestions: all
            .iter()
            .map(|(_, _, suggestion)| suggestion.clone())
            .collect(),
    };
    Analysed {
        section,
        structural: structural
            .into_iter()
            .map(|(_, issue, suggestion)| (issue, suggestion))
            .collect(),
    }
}

/// Too short, too long, or prose where a list is easier to read.
fn shape(section: AdSection, text: &SectionText, n: usize, voice: Voice<'_>) -> Vec<Fault> {
    let phrases = &voice.pack.review;
    let name = phrases.section(section);
    let count = n.to_string();
    let mut out = Vec::new();
    if let Some(min) = min_words(section).filter(|min| n < *min) {
        let issue = voice.say(
            &phrases.issues.short,
            &[("section", name), ("n", &count), ("min", &min.to_string())],
        );
        out.push((TOO_SHORT, issue, voice.plain(&phrases.suggestions.short)));
    }
    if let Some(max) = max_words(section).filter(|max| n > *max) {
        let issue = voice.say(
            &phrases.issues.long,
            &[("section", name), ("n", &count), ("max", &max.to_string())],
        );
        out.push((TOO_LONG, issue, voice.plain(&phrases.suggestions.long)));
    }
    let wants_list = matches!(
        section,
        AdSection::Responsibilities | AdSection::Requirements
    );
    if wants_list && text.bullets < 2 && text.lines < 3 {
        let issue = voice.say(&phrases.issues.no_list, &[("section", name)]);
        out.push((NO_LIST, issue, voice.plain(&phrases.suggestions.no_list)));
    }
    out
}

fn min_words(section: AdSection) -> Option<usize> {
    match section {
        AdSection::RoleDescription => Some(30),
        AdSection::Responsibilities | AdSection::Requirements => Some(20),
        AdSection::TeamInfo | AdSection::Benefits => Some(15),
        AdSection::Headline
        | AdSection::Intro
        | AdSection::SoftSkills
        | AdSection::GoodToHaves
        | AdSection::CompanyInfo
        | AdSection::Process
        | AdSection::CallToAction => None,
    }
}

fn max_words(section: AdSection) -> Option<usize> {
    match section {
        AdSection::Intro => Some(100),
        AdSection::RoleDescription => Some(200),
        AdSection::Responsibilities => Some(300),
        AdSection::Requirements => Some(250),
        AdSection::Headline
        | AdSection::SoftSkills
        | AdSection::GoodToHaves
        | AdSection::TeamInfo
        | AdSection::CompanyInfo
        | AdSection::Benefits
        | AdSection::Process
        | AdSection::CallToAction => None,
    }
}

/// 100, less 20 for each missing required section and 5 for each missing recommended one.
pub(crate) fn structure_issues(
    sections: &[Analysed],
    found: &BTreeMap<AdSection, SectionText>,
    title: Option<&str>,
    voice: Voice<'_>,
) -> (f64, Vec<ReviewIssue>) {
    let phrases = &voice.pack.review;
    let mut score: f64 = 100.0;
    let mut issues = Vec::new();
    for Analysed {
        section,
        structural,
    } in sections
    {
        let required = REQUIRED.contains(&section.section);
        let recommended = RECOMMENDED.contains(&section.section);
        let severity = match (section.found, required, recommended) {
            (false, true, _) => {
                score -= MISSING_REQUIRED;
                IssueSeverity::Critical
            }
            (false, false, true) => {
                score -= MISSING_RECOMMENDED;
                IssueSeverity::Medium
            }
            (false, false, false) => continue,
            (true, true, _) => IssueSeverity::Medium,
            (true, false, _) => IssueSeverity::Low,
        };
        for (description, suggestion) in structural {
            let location = phrases.section(section.section).to_owned();
            issues.push(structure(
                severity,
                description.clone(),
                location,
                suggestion.clone(),
            ));
        }
    }
    let headline = found
        .get(&AdSection::Headline)
        .map_or("", |h| h.text.as_str());
    if let Some(title) = title.filter(|t| !headline.is_empty() && !is_visible(t, headline)) {
        let description = voice.say(&phrases.issues.title, &[("title", title)]);
        let location = phrases.section(AdSection::Headline).to_owned();
        issues.push(structure(
            IssueSeverity::Medium,
            description,
            location,
            voice.plain(&phrases.suggestions.title),
        ));
    }
    (score.max(0.0), issues)
}

fn structure(
    severity: IssueSeverity,
    description: String,
    location: String,
    suggestion: String,
) -> ReviewIssue {
    ReviewIssue {
        category: IssueCategory::Structure,
        severity,
        description,
        location,
        suggestion,
    }
}

/// Sentences of more than 20 characters that occur twice, and three-word phrases that occur more than twice.
pub(crate) fn duplicates(ad: &str, voice: Voice<'_>, desk: &Desk<'_>) -> Vec<ReviewIssue> {
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
pub(crate) fn compliance(ad: &str, voice: Voice<'_>, desk: &Desk<'_>) -> (f64, Vec<ReviewIssue>) {
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

fn replacement(finding: &Finding, voice: Voice<'_>) -> String {
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
