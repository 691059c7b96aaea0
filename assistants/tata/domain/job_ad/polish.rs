//! Checks a job ad that a model has polished. What does not pass is not used, and the ad as it was stays.

use std::collections::HashSet;

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::tata::domain::desk::Desk;
use crate::tata::domain::job_ad::JobAd;
use crate::tata::domain::language::{GermanAddress, Language};
use crate::tata::domain::notes::lines::{LineKind, line};
use crate::tata::domain::print::Printed;
use crate::tata::domain::problem::{Problem, Problems, excerpts, given};
use crate::tata::domain::requirement_profile::{RequirementProfile, is_traceable, is_visible};
use crate::tata::domain::style_check::{Weight, check};
use crate::tata::domain::text::words::{Word, folded_words, word_count, words};
use crate::tata::domain::voice::Voice;

/// Sections of the job ad in better words. Leave out what stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PolishInput {
    /// The headline.
    #[serde(default)]
    pub headline: Option<String>,
    /// The intro, at most two sentences.
    #[serde(default)]
    pub intro: Option<String>,
    /// What the role is about.
    #[serde(default)]
    pub role_description: Option<String>,
    /// Why the work matters.
    #[serde(default)]
    pub the_why: Option<String>,
    /// The paragraph about soft skills.
    #[serde(default)]
    pub soft_skills_paragraph: Option<String>,
    /// The team, and why this company.
    #[serde(default)]
    pub team_and_why_gc: Option<String>,
    /// How the recruitment goes.
    #[serde(default)]
    pub process: Option<String>,
    /// The ending.
    #[serde(default)]
    pub ending: Option<String>,
}

impl JobAd {
    /// The ad with these sections in place of its own.
    pub fn polished(&self, sections: PolishInput, now: DateTime<Utc>) -> JobAd {
        let new = |section: Option<String>, old: &str| match given(&section) {
            Some(text) => text.trim().to_owned(),
            None => old.to_owned(),
        };
        JobAd {
            headline: new(sections.headline, &self.headline),
            intro: new(sections.intro, &self.intro),
            role_description: new(sections.role_description, &self.role_description),
            the_why: new(sections.the_why, &self.the_why),
            soft_skills_paragraph: new(sections.soft_skills_paragraph, &self.soft_skills_paragraph),
            team_and_why_gc: new(sections.team_and_why_gc, &self.team_and_why_gc),
            process: new(sections.process, &self.process),
            ending: new(sections.ending, &self.ending),
            created_at: now,
            ..self.clone()
        }
    }
}

/// A polished ad keeps roughly the length of the original, in percent of its words.
const SHORTEST: usize = 60;
const LONGEST: usize = 140;

/// `Ok` when the polished text says the same: four must-haves visible, nothing invented, house style, length, language
/// and form of address kept.
pub fn check_polished(
    ad: &JobAd,
    polished: &str,
    profile: &RequirementProfile,
    desk: &Desk<'_>,
) -> Result<(), Problems> {
    let original = ad.document(desk.library).to_text();
    let known = format!("{original}\n{}", profile.all_text());
    let mut found = Vec::new();
    found.extend(hidden_must_haves(ad, polished));
    found.extend(length(&original, polished));
    found.extend(style(polished, ad.language, desk));
    found.extend(invented(polished, &known, ad.language));
    found.extend(language(polished, ad, desk));
    Problems::check(found)
}

fn problem(message: String) -> Problem {
    Problem::new("polished_text", message)
}

fn hidden_must_haves(ad: &JobAd, polished: &str) -> Option<Problem> {
    let musts = ad.requirements.must_haves.iter().map(String::as_str);
    let hidden: Vec<&str> = musts.filter(|m| !is_visible(m, polished)).collect();
    (!hidden.is_empty()).then(|| {
        problem(format!(
            "The polished ad no longer shows: {}.",
            hidden.join("; ")
        ))
    })
}

fn length(original: &str, polished: &str) -> Option<Problem> {
    let (before, after) = (word_count(original), word_count(polished));
    let kept = (before * SHORTEST..=before * LONGEST).contains(&(after * 100));
    (!kept).then(|| {
        problem(format!(
            "The polished ad has {after} words instead of about {before}."
        ))
    })
}

fn style(polished: &str, language: Language, desk: &Desk<'_>) -> Option<Problem> {
    let found = check(polished, language, desk.style);
    let errors: Vec<&str> = found
        .iter()
        .filter(|f| f.rule.weight() == Weight::Error)
        .map(|f| f.text.as_str())
        .collect();
    (!errors.is_empty()).then(|| {
        problem(format!(
            "The polished ad breaks the house style with: {}.",
            excerpts(&errors)
        ))
    })
}

/// Figures, names and list items that neither the ad nor the profile has.
fn invented(polished: &str, known: &str, language: Language) -> Vec<Problem> {
    let known_words: HashSet<String> = folded_words(known).into_iter().collect();
    let list = words(polished);
    let is_new = |w: &&Word<'_>| !known_words.contains(w.folded.as_ref());
    let figure = |w: &&Word<'_>| w.folded.contains(|c: char| c.is_ascii_digit());
    let mut new: Vec<String> = list
        .iter()
        .filter(is_new)
        .filter(figure)
        .map(|w| w.folded.to_string())
        .collect();
    // German capitalises every noun, so a capital says nothing there.
    if language != Language::De {
        let name = |w: &&Word<'_>| w.joined && polished[w.start..].starts_with(char::is_uppercase);
        new.extend(
            list.iter()
                .filter(is_new)
                .filter(name)
                .map(|w| polished[w.start..w.end].to_owned()),
        );
    }
    let mut out = Vec::new();
    if !new.is_empty() {
        out.push(problem(format!(
            "The polished ad adds something that nobody said: {}.",
            excerpts(&new)
        )));
    }
    let bullets = polished
        .lines()
        .map(line)
        .filter(|l| l.kind == LineKind::Bullet);
    let untraceable: Vec<String> = bullets
        .map(|l| l.text)
        .filter(|t| !is_traceable(t, known))
        .collect();
    if !untraceable.is_empty() {
        out.push(problem(format!(
            "The polished ad has points that the profile does not have: {}.",
            excerpts(&untraceable)
        )));
    }
    out
}

fn language(polished: &str, ad: &JobAd, desk: &Desk<'_>) -> Option<Problem> {
    if desk
        .library
        .language_of(polished)
        .is_some_and(|l| l != ad.language)
    {
        return Some(problem(format!(
            "The polished ad is no longer in {}.",
            ad.language.name()
        )));
    }
    let mixed = ad.language == Language::De && speaks(polished, ad.german_address.other());
    mixed.then(|| problem("The polished ad mixes du and Sie.".to_owned()))
}

impl GermanAddress {
    pub(crate) fn other(self) -> GermanAddress {
        match self {
            GermanAddress::Du => GermanAddress::Sie,
            GermanAddress::Sie => GermanAddress::Du,
        }
    }
}

/// A phrase that will stand inside a German sentence addresses the reader in the other way.
pub(crate) fn clashes(phrase: &str, voice: Voice<'_>) -> bool {
    voice.language == Language::De && speaks(&format!("x {phrase}"), voice.address.other())
}

/// The text addresses its reader this way. "Sie" in the middle of a sentence is the form of address; at its start it
/// may be a pronoun.
pub(crate) fn speaks(text: &str, address: GermanAddress) -> bool {
    words(text).iter().any(|w| match address {
        GermanAddress::Du => {
            matches!(
                w.folded.as_ref(),
                "du" | "dich"
                    | "dir"
                    | "dein"
                    | "deine"
                    | "deinen"
                    | "deinem"
                    | "deiner"
                    | "deines"
            )
        }
        GermanAddress::Sie => {
            let formal = matches!(
                &text[w.start..w.end],
                "Sie" | "Ihnen" | "Ihr" | "Ihre" | "Ihren" | "Ihrem" | "Ihrer" | "Ihres"
            );
            formal && w.joined
        }
    })
}
