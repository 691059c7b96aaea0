//! One file a tool: its name, how people ask for it, what it reads, and what it keeps.

mod add_company_fact;
mod compare_candidates;
mod confirm_requirement_profile;
mod create_calendar_invite;
mod create_candidate_report;
mod create_funnel_report;
mod create_headhunting_messages;
mod create_hm_screening_template;
mod create_job_ad;
mod create_requirement_profile;
mod create_ta_screening_template;
mod review;
mod review_di_compliance;
mod review_job_ad;
mod revise_document;
mod screening;

use std::sync::Arc;
use std::time::Duration;

use frontdesk_core::access::Role;
use frontdesk_core::tool::{ToolContext, ToolSpec};
use frontdesk_core::toolbox::{Toolbox, ToolboxError};

use super::document::Document;
use super::drafting::Resources;
use super::module::Module;
use super::project;

/// Two requests to a slow model, with room for their answers.
const DRAFTING_TIMEOUT: Duration = Duration::from_secs(240);

pub(super) fn toolbox(resources: &Arc<Resources>) -> Result<Toolbox, ToolboxError> {
    let with = || Arc::clone(resources);
    Toolbox::builder()
        .phrasings(include_str!("../phrasings.txt"))
        .tool(create_requirement_profile::CreateRequirementProfile(with()))
        .tool(confirm_requirement_profile::ConfirmRequirementProfile)
        .tool(create_job_ad::CreateJobAd(with()))
        .tool(create_ta_screening_template::CreateTaScreeningTemplate(
            with(),
        ))
        .tool(create_hm_screening_template::CreateHmScreeningTemplate(
            with(),
        ))
        .tool(create_headhunting_messages::CreateHeadhuntingMessages(
            with(),
        ))
        .tool(create_candidate_report::CreateCandidateReport(with()))
        .tool(compare_candidates::CompareCandidates)
        .tool(create_funnel_report::CreateFunnelReport)
        .tool(review_job_ad::ReviewJobAd(with()))
        .tool(review_di_compliance::ReviewDiCompliance(with()))
        .tool(create_calendar_invite::CreateCalendarInvite(with()))
        .tool(revise_document::ReviseDocument(with()))
        .tool(add_company_fact::AddCompanyFact)
        .build()
}

/// The tool of a module: its documents are kept with the record of the call, after what it needs.
/// Each call makes a new version, so that the one before is never lost.
fn spec_of(module: Module, title: &'static str, what: &str) -> ToolSpec {
    let description = format!("{what} {}", module.requires_sentence());
    let spec = ToolSpec::transactional(description.trim().to_owned())
        .title(title)
        .roles([Role::RECRUITER])
        .produces(module.facts().artifact)
        .timeout(DRAFTING_TIMEOUT)
        .hears();
    module.needs().iter().fold(spec, |spec, need| match need {
        Module::RequirementProfile => {
            spec.needs_confirmed(need.facts().artifact, "the requirement profile")
        }
        Module::JobAd
        | Module::TaScreening
        | Module::HmScreening
        | Module::Headhunting
        | Module::CandidateReport
        | Module::FunnelReport
        | Module::JobAdReview
        | Module::DiReview
        | Module::CalendarInvite => {
            spec.needs_artifact(need.facts().artifact, format!("the {}", need.words()))
        }
    })
}

/// What the role is called: as the profile has it, else as the project does.
fn position_of(ctx: &ToolContext, profile: &Document) -> String {
    profile
        .field("position_title")
        .map(str::to_owned)
        .or_else(|| project::position(ctx.conversation()))
        .unwrap_or_else(|| profile.title.clone())
}

/// The texts of a section's items.
fn texts_of(document: &Document, id: &str) -> Vec<String> {
    document
        .items_of(id)
        .map(|item| item.text.clone())
        .collect()
}

/// A list for the model, numbered from 1.
fn numbered(texts: &[String]) -> String {
    let lines: Vec<String> = (1..)
        .zip(texts)
        .map(|(number, text)| format!("{number}. {text}"))
        .collect();
    lines.join("\n")
}
