//! Review of inclusive language: flags, alternatives and scores in eleven categories. The ad itself is never changed.
//! Linear in the length of the ad.

mod phrases;
mod rules;
mod word_pool;

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) use self::phrases::InclusionPhrases;
pub(crate) use self::word_pool::{InclusiveWords, WordPool};
use crate::tata::domain::desk::{Desk, Produced};
use crate::tata::domain::di_review::rules::{RuleFlag, rule_flags};
use crate::tata::domain::language::{GermanAddress, Language};
use crate::tata::domain::problem::{Problem, Problems};
use crate::tata::domain::text::words::{Word, words};
use crate::tata::domain::voice::Voice;

const PENALTY: f64 = 15.0;
const MANY_ISSUES: usize = 5;
const VERY_MANY_ISSUES: usize = 10;
const MAX_AD: usize = 1_000_000;

/// The ad to review.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DiReviewInput {
    /// The job ad, exactly as the recruiter pasted it; the project's own newest ad when absent.
    #[schemars(extend("x-handle" = "text"))]
    #[serde(default)]
    pub job_ad_text: String,
    /// The language of the ad, and of the review; the project's language (English by default) when absent.
    #[serde(default)]
    pub language: Option<Language>,
}

#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    Gender,
    Age,
    Disability,
    Nationality,
    Family,
    SexualOrientation,
    Socioeconomic,
    GermanTitle,
    Readability,
    Requirements,
    Location,
}

#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum FlagSeverity {
    Low,
    Medium,
    High,
}

impl Category {
    pub const ALL: [Category; 11] = [
        Category::Gender,
        Category::Age,
        Category::Disability,
        Category::Nationality,
        Category::Family,
        Category::SexualOrientation,
        Category::Socioeconomic,
        Category::GermanTitle,
        Category::Readability,
        Category::Requirements,
        Category::Location,
    ];

    pub fn weight(self) -> f64 {
        match self {
            Category::Gender | Category::Age | Category::Disability => 2.0,
            Category::Nationality | Category::Family | Category::SexualOrientation => 1.5,
            Category::Socioeconomic | Category::GermanTitle => 1.0,
            Category::Readability | Category::Requirements | Category::Location => 0.5,
        }
    }

    pub fn severity(self) -> FlagSeverity {
        match self {
            Category::Gender | Category::Age | Category::Disability => FlagSeverity::High,
            Category::Nationality
            | Category::Family
            | Category::SexualOrientation
            | Category::Socioeconomic
            | Category::GermanTitle => FlagSeverity::Medium,
            Category::Readability | Category::Requirements | Category::Location => {
                FlagSeverity::Low
            }
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CategoryScore {
    pub score: f64,
    pub issues_found: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FlaggedItem {
    pub text: String,
    pub category: Category,
    pub severity: FlagSeverity,
    pub explanation: String,
    /// At least one.
    pub alternatives: Vec<String>,
    /// Characters before the passage.
    pub position: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SuggestedAlternative {
    pub original: String,
    pub alternative: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DiReview {
    pub overall_score: f64,
    pub category_scores: BTreeMap<Category, CategoryScore>,
    pub flagged_items: Vec<FlaggedItem>,
    pub suggested_alternatives: Vec<SuggestedAlternative>,
    pub compliance_notes: Vec<String>,
    /// The ad as it was given, byte for byte.
    pub original_text: String,
    pub language: Language,
    pub created_at: DateTime<Utc>,
}

pub fn process(input: &DiReviewInput, desk: &Desk<'_>) -> Result<Produced<DiReview>, Problems> {
    check_input(input)?;
    let language = input.language.unwrap_or(desk.language);
    let voice = desk.voice(language, GermanAddress::Sie);
    let flags = flagged_items(&input.job_ad_text, voice, desk);
    let scores = scores(&flags);
    let review = DiReview {
        overall_score: overall(&scores, flags.len()),
        suggested_alternatives: alternatives(&flags),
        compliance_notes: notes(&flags, voice),
        category_scores: scores,
        flagged_items: flags,
        original_text: input.job_ad_text.clone(),
        language,
        created_at: desk.now,
    };
    Ok(Produced {
        artifact: review,
        warnings: language_warning(&input.job_ad_text, language, desk),
    })
}

fn check_input(input: &DiReviewInput) -> Result<(), Problems> {
    if input.job_ad_text.trim().is_empty() {
        return Err(Problems::one(
            "job_ad_text",
            "The job ad is empty. Paste the text of the ad that should be reviewed.",
        ));
    }
    if input.job_ad_text.len() > MAX_AD {
        return Err(Problems::one(
            "job_ad_text",
            "The text is longer than a million characters. Paste only the job ad.",
        ));
    }
    Ok(())
}

/// An ad that is plainly in another language was checked with the wrong word list.
pub(crate) fn language_warning(text: &str, language: Language, desk: &Desk<'_>) -> Vec<Problem> {
    let found = desk
        .library
        .language_of(text)
        .filter(|found| *found != language);
    let warn = |found: Language| {
        let text = format!(
            "The ad looks {}, but it was reviewed as {}. Ask for a review in {} to use the right word list.",
            found.name(),
            language.name(),
            found.name()
        );
        Problem::new("language", text)
    };
    found.map(warn).into_iter().collect()
}

fn flagged_items(text: &str, voice: Voice<'_>, desk: &Desk<'_>) -> Vec<FlaggedItem> {
    let list = words(text);
    let mut flags = word_flags(text, &list, voice);
    flags.extend(rule_flags(text, &list, voice, desk));
    flags.sort_by_key(|f| f.start);
    let mut positions = Positions {
        text,
        bytes: 0,
        chars: 0,
    };
    let items = flags.into_iter().map(|flag| FlaggedItem {
        position: positions.at(flag.start),
        text: flag.text,
        category: flag.category,
        severity: flag.category.severity(),
        explanation: flag.explanation,
        alternatives: flag.alternatives,
    });
    items.collect()
}

/// Turns rising byte offsets into character offsets in one pass.
struct Positions<'t> {
    text: &'t str,
    bytes: usize,
    chars: usize,
}

impl Positions<'_> {
    fn at(&mut self, byte: usize) -> usize {
        self.chars += self.text[self.bytes..byte].chars().count();
        self.bytes = byte;
        self.chars
    }
}

fn word_flags(text: &str, list: &[Word<'_>], voice: Voice<'_>) -> Vec<RuleFlag> {
    let mut out = Vec::new();
    for (hit, term) in voice.pack.word_pool.find(list) {
        let span = hit.span(list);
        if voice.language == Language::De
            && term.category == Category::Gender
            && is_gender_form(&text[span.end..])
        {
            continue;
        }
        out.push(RuleFlag {
            start: span.start,
            text: text[span].to_owned(),
            category: term.category,
            explanation: voice.plain(voice.pack.inclusion.explanations.of(term.category)),
            alternatives: term.alternatives.clone(),
        });
    }
    out
}

/// "Mitarbeiter:innen", "Verkäufer/in" and "Verkäufer (m/w/d)" already address everyone.
fn is_gender_form(after: &str) -> bool {
    let mut chars = after.chars();
    let signed = matches!(chars.next(), Some(':' | '*' | '_' | '/'))
        && chars.as_str().trim_start_matches('-').starts_with("in");
    let head = after.trim_start();
    let end = head.char_indices().nth(16).map_or(head.len(), |(at, _)| at);
    signed
        || (head.starts_with('(')
            && crate::tata::domain::german_title::has_gender_mark(&head[..end]))
}

fn scores(flags: &[FlaggedItem]) -> BTreeMap<Category, CategoryScore> {
    let each = Category::ALL.into_iter().map(|category| {
        let issues_found = flags.iter().filter(|f| f.category == category).count();
        let score = (100.0 - PENALTY * issues_found as f64).max(0.0);
        (
            category,
            CategoryScore {
                score,
                issues_found,
            },
        )
    });
    each.collect()
}

/// The weighted mean, less 5 for more than five findings or 10 for more than ten.
fn overall(scores: &BTreeMap<Category, CategoryScore>, issues: usize) -> f64 {
    let weights: f64 = scores.keys().map(|c| c.weight()).sum();
    let weighted: f64 = scores.iter().map(|(c, s)| c.weight() * s.score).sum();
    let penalty = if issues > VERY_MANY_ISSUES {
        10.0
    } else if issues > MANY_ISSUES {
        5.0
    } else {
        0.0
    };
    ((weighted / weights - penalty).max(0.0) * 10.0).round() / 10.0
}

fn alternatives(flags: &[FlaggedItem]) -> Vec<SuggestedAlternative> {
    let mut seen = std::collections::HashSet::new();
    let new = flags.iter().filter(|f| seen.insert(f.text.to_lowercase()));
    let pairs = new.filter_map(|f| {
        Some(SuggestedAlternative {
            original: f.text.clone(),
            alternative: f.alternatives.first()?.clone(),
        })
    });
    pairs.collect()
}

fn notes(flags: &[FlaggedItem], voice: Voice<'_>) -> Vec<String> {
    let phrases = &voice.pack.inclusion.notes;
    let serious = flags
        .iter()
        .filter(|f| f.severity == FlagSeverity::High)
        .count();
    let protected = flags.iter().any(|f| f.severity >= FlagSeverity::Medium);
    let mut out = vec![voice.say(
        &phrases.found,
        &[
            ("n", &flags.len().to_string()),
            ("high", &serious.to_string()),
        ],
    )];
    out.push(voice.plain(if protected {
        &phrases.equal_treatment
    } else {
        &phrases.clean
    }));
    if flags.iter().any(|f| f.category == Category::GermanTitle) {
        out.push(voice.plain(&phrases.german_title));
    }
    out.push(voice.plain(&phrases.decision));
    out
}

#[cfg(test)]
mod di_review_tests;
