//! Interview guides: the parts that the recruiter's and the hiring manager's version share.

pub mod skill;

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::tata::domain::desk::{Desk, Produced};
use crate::tata::domain::language::{GermanAddress, Language};
use crate::tata::domain::notices::{is_foreign, style_warning};
use crate::tata::domain::problem::{Problem, Problems, excerpts};
use crate::tata::domain::requirement_profile::RequirementProfile;
use crate::tata::domain::screening::skill::{SkillType, is_credential, skill_type, topic};
use crate::tata::domain::style_check::correct;
use crate::tata::domain::text::words::{capitalised, normal, one_line};
use crate::tata::domain::translation::{Translation, Translations};
use crate::tata::domain::voice::Voice;

/// What the recruiter may choose for an interview guide. Everything is optional.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScreeningInput {
    /// Whether to ask about the good-to-have skills too (default: no).
    #[serde(default)]
    pub include_good_to_haves: bool,
    /// Whether to begin with a short introduction of the role (default: no).
    #[serde(default)]
    pub include_role_intro: bool,
    /// More areas to ask about, in the recruiter's own words.
    #[serde(default)]
    pub additional_areas: Vec<String>,
    /// Only these skills of the profile, exactly as it names them; all must-haves when empty.
    #[serde(default)]
    pub skills_to_include: Vec<String>,
    /// Output language; the project's language when absent.
    #[serde(default)]
    pub language: Option<Language>,
    /// When the language differs from the profile's: the skills in the guide's language, the same content.
    #[serde(default)]
    pub translations: Vec<Translation>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Question {
    pub text: String,
    pub notes_space: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SkillQuestions {
    pub skill_name: String,
    pub skill_type: SkillType,
    pub main_question: String,
    pub follow_up_questions: Vec<String>,
    pub include_notes_space: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScreeningTemplate {
    pub position_title: String,
    pub role_intro: Option<String>,
    pub motivation_questions: Vec<Question>,
    pub skill_questions: Vec<SkillQuestions>,
    pub practical_questions: Vec<Question>,
    pub closing_guidance: String,
    pub is_hm_template: bool,
    pub language: Language,
    pub german_address: GermanAddress,
    pub created_at: DateTime<Utc>,
}

/// `screening.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ScreeningPhrases {
    pub(crate) title_ta: String,
    pub(crate) title_hm: String,
    pub(crate) follow_ups: String,
    role_intro: String,
    role_intro_responsibilities: String,
    motivation: [String; 4],
    practical: [String; 4],
    closing_ta: String,
    closing_hm: String,
    pub(crate) headings: ScreeningHeadings,
    technical: QuestionSet<3>,
    leadership: QuestionSet<3>,
    functional: QuestionSet<3>,
    credential: QuestionSet<3>,
    good_to_have: QuestionSet<2>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ScreeningHeadings {
    pub(crate) intro: String,
    pub(crate) motivation: String,
    pub(crate) skills: String,
    pub(crate) practical: String,
    pub(crate) closing: String,
    pub(crate) good_to_have: String,
}

/// Main questions and sets of follow-ups; several, so that four skills do not sound alike.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct QuestionSet<const N: usize>
where
    [String; N]: serde::de::DeserializeOwned,
{
    main: Vec<String>,
    follow_ups: Vec<[String; N]>,
}

/// Who holds the interview.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Interviewer {
    TalentAcquisition,
    HiringManager,
}

pub(crate) fn template(
    input: &ScreeningInput,
    profile: &RequirementProfile,
    interviewer: Interviewer,
    desk: &Desk<'_>,
) -> Result<Produced<ScreeningTemplate>, Problems> {
    let language = input.language.unwrap_or(desk.language);
    let translations = Translations::new(&input.translations, profile)?;
    let voice = desk.voice(language, profile.german_address);
    let phrases = &voice.pack.screening;
    let for_manager = interviewer == Interviewer::HiringManager;
    let company = [("company", desk.style.company())];
    let questions = |texts: &[String]| -> Vec<Question> {
        texts
            .iter()
            .map(|t| Question {
                text: voice.say(t, &company),
                notes_space: for_manager,
            })
            .collect()
    };
    let mut skills = chosen_skills(input, profile)?;
    skills.extend(additional_areas(input));
    let asked: Vec<Skill> = skills
        .iter()
        .map(|s| Skill {
            name: translations.of(&s.name).to_owned(),
            good_to_have: s.good_to_have,
        })
        .collect();
    let title = translations.of(&profile.position_title).to_owned();
    let mut warnings: Vec<Problem> = foreign_warning(&asked, language, desk)
        .into_iter()
        .collect();
    let intro = input
        .include_role_intro
        .then(|| role_intro(profile, &translations, &title, voice));
    let mut template = ScreeningTemplate {
        position_title: title,
        role_intro: intro,
        motivation_questions: questions(&phrases.motivation),
        skill_questions: skill_questions(&asked, for_manager, voice, desk),
        practical_questions: questions(&phrases.practical),
        closing_guidance: voice.plain(if for_manager {
            &phrases.closing_hm
        } else {
            &phrases.closing_ta
        }),
        is_hm_template: for_manager,
        language,
        german_address: profile.german_address,
        created_at: desk.now,
    };
    warnings.extend(apply_style(&mut template, desk));
    Ok(Produced {
        artifact: template,
        warnings,
    })
}

#[derive(Clone, Debug)]
struct Skill {
    name: String,
    good_to_have: bool,
}

fn chosen_skills(
    input: &ScreeningInput,
    profile: &RequirementProfile,
) -> Result<Vec<Skill>, Problems> {
    let musts = profile.must_have_skills.iter().map(|s| Skill {
        name: s.clone(),
        good_to_have: false,
    });
    let goods = profile.good_to_haves.iter().map(|s| Skill {
        name: s.clone(),
        good_to_have: true,
    });
    let all: Vec<Skill> = musts.chain(goods).collect();
    if input.skills_to_include.is_empty() {
        return Ok(all
            .into_iter()
            .filter(|s| !s.good_to_have || input.include_good_to_haves)
            .collect());
    }
    let known = |asked: &str| {
        all.iter()
            .find(|s| normal(&s.name) == normal(asked))
            .cloned()
    };
    let unknown: Vec<&str> = input
        .skills_to_include
        .iter()
        .map(String::as_str)
        .filter(|s| known(s).is_none())
        .collect();
    if unknown.is_empty() {
        return Ok(input
            .skills_to_include
            .iter()
            .filter_map(|s| known(s))
            .collect());
    }
    let names: Vec<&str> = all.iter().map(|s| s.name.as_str()).collect();
    let text = format!(
        "The profile does not have these skills: {}. It has: {}. Other topics can be given as additional areas.",
        excerpts(&unknown),
        names.join("; ")
    );
    Err(Problems::one("skills_to_include", text))
}

fn additional_areas(input: &ScreeningInput) -> impl Iterator<Item = Skill> {
    let named = input
        .additional_areas
        .iter()
        .map(|a| capitalised(&one_line(a)))
        .filter(|a| !a.is_empty());
    named.map(|name| Skill {
        name,
        good_to_have: false,
    })
}

fn role_intro(
    profile: &RequirementProfile,
    translations: &Translations<'_>,
    title: &str,
    voice: Voice<'_>,
) -> String {
    let phrases = &voice.pack.screening;
    let opening = voice.say(&phrases.role_intro, &[("title", title)]);
    let list: Vec<&str> = profile
        .primary_responsibilities
        .iter()
        .map(|r| translations.of(r).trim_end_matches('.'))
        .collect();
    if list.is_empty() {
        return opening;
    }
    format!(
        "{opening} {}",
        voice.say(
            &phrases.role_intro_responsibilities,
            &[("list", &list.join("; "))]
        )
    )
}

fn skill_questions(
    skills: &[Skill],
    notes: bool,
    voice: Voice<'_>,
    desk: &Desk<'_>,
) -> Vec<SkillQuestions> {
    let reader = desk.library.reader();
    let mut asked: Vec<(SkillType, bool)> = Vec::new();
    let each = skills.iter().map(|skill| {
        let kind = if skill.good_to_have {
            SkillType::GoodToHave
        } else {
            skill_type(&skill.name, reader)
        };
        let credential = is_credential(&skill.name, reader);
        let turn = asked
            .iter()
            .filter(|before| **before == (kind, credential))
            .count();
        asked.push((kind, credential));
        let (main, follow_ups) = voice.pack.screening.questions(kind, credential, turn);
        SkillQuestions {
            skill_name: skill.name.clone(),
            skill_type: kind,
            main_question: voice.say(main, &[("topic", &capitalised(topic(&skill.name, reader)))]),
            follow_up_questions: voice.all(follow_ups),
            include_notes_space: notes,
        }
    });
    each.collect()
}

impl ScreeningPhrases {
    /// A driving licence or a language is functional by type, but asked about in its own way.
    fn questions(&self, kind: SkillType, credential: bool, turn: usize) -> (&str, &[String]) {
        match kind {
            SkillType::Functional if credential => self.credential.pick(turn),
            SkillType::Technical => self.technical.pick(turn),
            SkillType::Leadership => self.leadership.pick(turn),
            SkillType::Functional => self.functional.pick(turn),
            SkillType::GoodToHave => self.good_to_have.pick(turn),
        }
    }
}

impl<const N: usize> QuestionSet<N>
where
    [String; N]: serde::de::DeserializeOwned,
{
    fn pick(&self, turn: usize) -> (&str, &[String]) {
        let main = self
            .main
            .get(turn % self.main.len().max(1))
            .map_or("", String::as_str);
        let follow_ups = self
            .follow_ups
            .get(turn % self.follow_ups.len().max(1))
            .map_or(&[][..], |f| &f[..]);
        (main, follow_ups)
    }
}

fn foreign_warning(skills: &[Skill], language: Language, desk: &Desk<'_>) -> Option<Problem> {
    let foreign: Vec<&str> = skills
        .iter()
        .map(|s| s.name.as_str())
        .filter(|s| is_foreign(s, language, desk))
        .collect();
    (!foreign.is_empty()).then(|| {
        let text = format!(
            "These skills stand in the {} guide as the notes have them and should be translated: {}.",
            language.name(),
            foreign.join("; ")
        );
        Problem::new("translations", text)
    })
}

/// The guide is read aloud to a candidate, so the style of candidate-facing text applies.
fn apply_style(template: &mut ScreeningTemplate, desk: &Desk<'_>) -> Option<Problem> {
    let language = template.language;
    let mut found = Vec::new();
    let questions = template
        .skill_questions
        .iter_mut()
        .map(|q| &mut q.main_question);
    for text in questions.chain(&mut template.role_intro) {
        let (better, changes) = correct(text, language, desk.style);
        *text = better;
        found.extend(changes);
    }
    style_warning(&found)
}

#[cfg(test)]
mod screening_tests;
