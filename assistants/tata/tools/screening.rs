//! What the two interview guides share: their arguments and the skills they ask about.

use frontdesk_core::tool::{ToolContext, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{numbered, position_of, texts_of};
use crate::tata::document::Document;
use crate::tata::documents::{Stored, agreed_profile};
use crate::tata::drafts::requirement_profile::public_text;
use crate::tata::drafts::ta_screening::Subject;
use crate::tata::labels::labels;
use crate::tata::language::Language;
use crate::tata::sources::{Sources, short};

/// What the recruiter wants of a guide.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// Whether to ask about the good-to-have skills too (default: no).
    #[serde(default)]
    include_good_to_haves: bool,
    /// Whether to begin with a short introduction of the role (default: no).
    #[serde(default)]
    include_role_intro: bool,
    /// More areas to ask about, in the recruiter's own words.
    #[serde(default)]
    additional_areas: Vec<String>,
    /// Only these skills of the profile, exactly as it names them; all must-haves when empty.
    #[serde(default)]
    skills_to_include: Vec<String>,
    /// Output language; that of the request when absent.
    #[serde(default)]
    language: Option<Language>,
}

/// Everything that a guide is written from.
pub(super) struct Guide {
    pub(super) profile: Stored,
    pub(super) position: String,
    pub(super) skills: Vec<String>,
    pub(super) areas: Vec<String>,
    pub(super) language: Language,
    pub(super) sources: Sources,
    wants_introduction: bool,
}

impl Guide {
    pub(super) async fn prepare(ctx: &ToolContext, args: Args) -> Result<Self, ToolError> {
        let profile = agreed_profile(ctx).await?;
        let language = Language::choose(ctx, args.language);
        let mut sources = Sources::new(labels(language));
        // Questions are read to candidates, so internal remarks stay out.
        sources.add("requirement_profile", &public_text(&profile.document, true));
        let skills = skills(&profile.document, &args, &mut sources);
        Ok(Self {
            position: position_of(ctx, &profile.document),
            profile,
            skills,
            areas: args
                .additional_areas
                .iter()
                .map(|area| short(area))
                .filter(|area| !area.is_empty())
                .collect(),
            language,
            sources,
            wants_introduction: args.include_role_intro,
        })
    }

    pub(super) fn subject(&self) -> Subject<'_> {
        Subject {
            position: &self.position,
            skills: &self.skills,
            areas: &self.areas,
            language: self.language,
        }
    }

    pub(super) fn details(&self) -> Vec<String> {
        let mut details = vec![
            format!("The position: {}", self.position),
            format!("The skills:\n{}", numbered(&self.skills)),
        ];
        if self.wants_introduction {
            details.push("Write the introduction of the role.".to_owned());
        }
        if !self.areas.is_empty() {
            details.push(format!("Also ask about:\n{}", numbered(&self.areas)));
        }
        details
    }
}

/// The profile's must-haves, or those skills of it that were asked for.
fn skills(profile: &Document, args: &Args, sources: &mut Sources) -> Vec<String> {
    let musts = texts_of(profile, "must_haves");
    let goods = texts_of(profile, "good_to_haves");
    if args.skills_to_include.is_empty() {
        let goods = goods.into_iter().filter(|_| args.include_good_to_haves);
        return musts.into_iter().chain(goods).collect();
    }
    let known: Vec<String> = musts.into_iter().chain(goods).collect();
    let mut chosen = Vec::new();
    for asked in &args.skills_to_include {
        let lower = asked.trim().to_lowercase();
        let same = known.iter().find(|skill| skill.to_lowercase() == lower);
        let part = || {
            known
                .iter()
                .find(|skill| !lower.is_empty() && skill.to_lowercase().contains(&lower))
        };
        match same.or_else(part) {
            Some(skill) if !chosen.contains(skill) => chosen.push(skill.clone()),
            Some(_) => {}
            None => sources.note_unknown_skill(&short(asked)),
        }
    }
    chosen
}
