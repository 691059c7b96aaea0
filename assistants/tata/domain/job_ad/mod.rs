//! Job ad: built from the confirmed profile and the company's guide, section by section, each with its source.
//! What the profile lacks is asked for, never filled up.

mod phrases;
pub mod polish;
pub(crate) mod sections;

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::tata::domain::desk::{Desk, Produced};
use crate::tata::domain::german_title::with_gender_mark;
use crate::tata::domain::job_ad::sections::{Draft, compose};
use crate::tata::domain::language::{GermanAddress, Language};
use crate::tata::domain::notes::read;
use crate::tata::domain::notices::{context_warning, is_foreign, style_warning, unapproved};
use crate::tata::domain::problem::{Problem, Problems, excerpts, given};
use crate::tata::domain::requirement_profile::{
    MAX_RESPONSIBILITIES, MUST_HAVES, RequirementProfile, is_visible,
};
use crate::tata::domain::style_check::{Finding, correct};
use crate::tata::domain::text::words::normal;
use crate::tata::domain::translation::{Translation, Translations};

pub(crate) use self::phrases::JobAdPhrases;

pub const MIN_RESPONSIBILITIES: usize = 3;

/// The tone of the job advertisement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Tone {
    Formal,
    Casual,
    #[default]
    Friendly,
}

/// What the recruiter may say about the job ad. Everything is optional; the profile has the rest.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JobAdInput {
    /// The tone of the job advertisement.
    #[serde(default)]
    pub tone: Option<Tone>,
    /// Whether to include salary information. It is included only as the notes have it.
    #[serde(default)]
    pub include_salary: Option<bool>,
    /// Output language for the job ad; the project's language when absent.
    #[serde(default)]
    pub language: Option<Language>,
    /// Notes from the start-up meeting, if they say more than the profile.
    #[schemars(extend("x-handle" = "text"))]
    #[serde(default)]
    pub startup_notes: Option<String>,
    /// Previous job advertisement for reference.
    #[schemars(extend("x-handle" = "text"))]
    #[serde(default)]
    pub old_job_ad: Option<String>,
    /// What the recruiter says about the company. Only facts that the style guide has approved are used.
    #[schemars(extend("x-handle" = "text"))]
    #[serde(default)]
    pub company_context: Option<String>,
    /// When the ad's language differs from the profile's: each must-have and responsibility of the profile in the
    /// ad's language, word for word the same content.
    #[serde(default)]
    pub translations: Vec<Translation>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AdRequirements {
    pub must_haves: [String; MUST_HAVES],
    pub soft_skills: Vec<String>,
    pub good_to_haves: Vec<String>,
}

/// Where a section's content comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AdSource {
    RequirementProfile,
    StartupNotes,
    OldJobAd,
    StyleGuide,
    StandardText,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SectionSource {
    pub section: String,
    pub sources: Vec<AdSource>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JobAd {
    pub headline: String,
    pub intro: String,
    pub role_description: String,
    pub the_why: String,
    pub responsibilities: Vec<String>,
    pub requirements: AdRequirements,
    pub soft_skills_paragraph: String,
    pub team_and_why_gc: String,
    pub process: String,
    pub ending: String,
    pub salary: Option<String>,
    /// Offered instead of the headline; not part of the ad's text.
    pub alternative_headlines: Vec<String>,
    /// Offered instead of the intro; not part of the ad's text.
    pub alternative_intros: Vec<String>,
    pub section_sources: Vec<SectionSource>,
    /// The company's name, as the headings use it.
    pub company: String,
    pub tone: Tone,
    pub language: Language,
    pub german_address: GermanAddress,
    pub created_at: DateTime<Utc>,
}

pub fn process(
    input: &JobAdInput,
    profile: &RequirementProfile,
    desk: &Desk<'_>,
) -> Result<Produced<JobAd>, Problems> {
    let language = input.language.unwrap_or(desk.language);
    let translations = Translations::new(&input.translations, profile)?;
    let (responsibilities, from) = responsibilities(input, profile, desk)?;
    let salary = salary(input, profile, desk);
    let mut warnings = salary.warning;
    warnings.extend(context_warnings(input, language, desk));
    warnings.extend(address_warning(input, language, profile));

    let title = translations.of(&profile.position_title);
    let title = if language == Language::De {
        with_gender_mark(title)
    } else {
        title.to_owned()
    };
    let draft = Draft {
        profile,
        title: &title,
        must_haves: profile
            .must_have_skills
            .each_ref()
            .map(|m| translations.of(m).to_owned()),
        responsibilities: responsibilities
            .iter()
            .map(|r| translations.of(r).to_owned())
            .collect(),
        responsibility_source: from,
        good_to_haves: profile
            .good_to_haves
            .iter()
            .map(|g| translations.of(g).to_owned())
            .collect(),
        salary: salary.text,
        tone: input.tone.unwrap_or_default(),
        voice: desk.voice(language, profile.german_address),
        desk,
    };
    let (mut ad, left_out) = compose(&draft);
    let found = correct_ad(&mut ad, desk);
    warnings.extend(style_warning(&found));
    warnings.extend(foreign_warnings(&ad, &left_out, desk));
    check_must_haves(&ad, &draft)?;
    Ok(Produced {
        artifact: ad,
        warnings,
    })
}

impl JobAd {
    /// The texts a candidate reads, in the order of the ad.
    pub(crate) fn texts(&self) -> Vec<&str> {
        let start = [
            &self.headline,
            &self.intro,
            &self.role_description,
            &self.the_why,
        ]
        .map(String::as_str);
        let lists = self
            .responsibilities
            .iter()
            .chain(&self.requirements.must_haves)
            .chain(&self.requirements.good_to_haves);
        let end = [
            &self.soft_skills_paragraph,
            &self.team_and_why_gc,
            &self.process,
            &self.ending,
        ]
        .map(String::as_str);
        start
            .into_iter()
            .chain(lists.map(String::as_str))
            .chain(end)
            .chain(self.salary.as_deref())
            .collect()
    }

    fn texts_mut(&mut self) -> Vec<&mut String> {
        let mut all: Vec<&mut String> = vec![
            &mut self.headline,
            &mut self.intro,
            &mut self.role_description,
            &mut self.the_why,
        ];
        all.extend(&mut self.responsibilities);
        all.extend(&mut self.requirements.must_haves);
        all.extend(&mut self.requirements.good_to_haves);
        all.extend([
            &mut self.soft_skills_paragraph,
            &mut self.team_and_why_gc,
            &mut self.process,
            &mut self.ending,
        ]);
        all.extend(&mut self.alternative_headlines);
        all.extend(&mut self.alternative_intros);
        all.extend(&mut self.salary);
        all
    }
}

/// Three to five, from the profile first, then from what was given with the request.
fn responsibilities(
    input: &JobAdInput,
    profile: &RequirementProfile,
    desk: &Desk<'_>,
) -> Result<(Vec<String>, Vec<AdSource>), Problems> {
    let reader = desk.library.reader();
    let mut all = profile.primary_responsibilities.clone();
    let mut sources = if all.is_empty() {
        vec![]
    } else {
        vec![AdSource::RequirementProfile]
    };
    let more = [
        (given(&input.startup_notes), AdSource::StartupNotes),
        (given(&input.old_job_ad), AdSource::OldJobAd),
    ];
    for (text, source) in more {
        let Some(text) = text.filter(|_| all.len() < MIN_RESPONSIBILITIES) else {
            continue;
        };
        for found in read(text, reader).responsibilities {
            if all.len() < MAX_RESPONSIBILITIES
                && !all.iter().any(|known| normal(known) == normal(&found))
            {
                all.push(found);
                if !sources.contains(&source) {
                    sources.push(source);
                }
            }
        }
    }
    if all.len() >= MIN_RESPONSIBILITIES {
        return Ok((all, sources));
    }
    let known = if all.is_empty() {
        "none is known yet".to_owned()
    } else {
        format!("known so far: {}", all.join("; "))
    };
    let ask = format!(
        "A job ad needs three to five main responsibilities; {known}. Which responsibilities does the role have? \
         Tell me and I will add them to the profile."
    );
    Err(Problems::one("startup_notes", ask))
}

struct Salary {
    text: Option<String>,
    warning: Vec<Problem>,
}

fn salary(input: &JobAdInput, profile: &RequirementProfile, desk: &Desk<'_>) -> Salary {
    if input.include_salary != Some(true) {
        return Salary {
            text: None,
            warning: vec![],
        };
    }
    let from_notes = given(&input.startup_notes)
        .and_then(|t| read(t, desk.library.reader()).salary.into_iter().next());
    let text = profile.salary.clone().or(from_notes);
    let ask = "You asked for the salary, but the notes do not name one. The ad says nothing about it; tell me the salary and I will add it.";
    let warning = if text.is_none() {
        vec![Problem::new("include_salary", ask)]
    } else {
        vec![]
    };
    Salary { text, warning }
}

fn context_warnings(input: &JobAdInput, language: Language, desk: &Desk<'_>) -> Option<Problem> {
    context_warning(&unapproved(given(&input.company_context), language, desk))
}

fn address_warning(
    input: &JobAdInput,
    language: Language,
    profile: &RequirementProfile,
) -> Option<Problem> {
    let unusual = match (input.tone, profile.german_address) {
        (Some(Tone::Casual), GermanAddress::Sie) => Some("Sie"),
        (Some(Tone::Formal), GermanAddress::Du) => Some("du"),
        (None | Some(Tone::Formal | Tone::Casual | Tone::Friendly), _) => None,
    };
    unusual.filter(|_| language == Language::De).map(|address| {
        let text = format!("The ad keeps the form of address {address} that this project uses. The style guide can fix another one.");
        Problem::new("tone", text)
    })
}

fn correct_ad(ad: &mut JobAd, desk: &Desk<'_>) -> Vec<Finding> {
    let language = ad.language;
    let mut found = Vec::new();
    for text in ad.texts_mut() {
        let (better, changes) = correct(text, language, desk.style);
        *text = better;
        found.extend(changes);
    }
    found
}

fn foreign_warnings(ad: &JobAd, left_out: &[String], desk: &Desk<'_>) -> Vec<Problem> {
    let mut out = Vec::new();
    let listed = ad
        .responsibilities
        .iter()
        .chain(&ad.requirements.must_haves)
        .chain(&ad.requirements.good_to_haves);
    let foreign: Vec<&str> = listed
        .map(String::as_str)
        .filter(|t| is_foreign(t, ad.language, desk))
        .collect();
    if !foreign.is_empty() {
        let text = format!(
            "These points stand in the {} ad as the notes have them and should be translated: {}.",
            ad.language.name(),
            foreign.join("; ")
        );
        out.push(Problem::new("translations", text));
    }
    if !left_out.is_empty() {
        let text = format!(
            "These passages do not fit the {} ad (another language or form of address) and were left out: {}",
            ad.language.name(),
            excerpts(left_out)
        );
        out.push(Problem::new("translations", text));
    }
    out
}

fn check_must_haves(ad: &JobAd, draft: &Draft<'_>) -> Result<(), Problems> {
    let text = ad.texts().join("\n");
    let hidden: Vec<&str> = draft
        .must_haves
        .iter()
        .map(String::as_str)
        .filter(|m| !is_visible(m, &text))
        .collect();
    if hidden.is_empty() {
        return Ok(());
    }
    let ask = format!(
        "The style guide bans the words of these must-haves, so they would not be visible in the ad: {}. Please word them differently.",
        hidden.join("; ")
    );
    Err(Problems::one("must_have_skills", ask))
}

#[cfg(test)]
mod job_ad_style_tests;
#[cfg(test)]
mod job_ad_tests;
#[cfg(test)]
mod polish_tests;
