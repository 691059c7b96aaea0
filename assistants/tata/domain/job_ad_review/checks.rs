//! The sections of an ad: which are there, how long they are and how they read.

use std::collections::BTreeMap;

use super::wording::replacement;

use crate::tata::domain::desk::Desk;
use crate::tata::domain::job_ad_review::section::{AdSection, SectionText};
use crate::tata::domain::job_ad_review::{
    IssueCategory, IssueSeverity, ReviewIssue, SectionAnalysis,
};
use crate::tata::domain::requirement_profile::is_visible;
use crate::tata::domain::style_check::banned_words;
use crate::tata::domain::text::words::word_count;
use crate::tata::domain::voice::Voice;

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
