//! One file a tool: what it is called, who asks for it how, which earlier documents it is given, and what is kept.

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
mod polish_job_ad;
mod review_di_compliance;
mod review_job_ad;

use std::sync::Arc;

use frontdesk_core::access::Role;
use frontdesk_core::tool::{ToolContext, ToolError, ToolSpec};
use frontdesk_core::toolbox::{Toolbox, ToolboxError};

use super::domain::job_ad::JobAd;
use super::domain::language::Language;
use super::domain::module::Module;
use super::domain::print::Printed;
use super::workshop::Workshop;

pub(super) fn toolbox(workshop: &Arc<Workshop>) -> Result<Toolbox, ToolboxError> {
    let with = || Arc::clone(workshop);
    Toolbox::builder()
        .phrasings(include_str!("../phrasings.txt"))
        .tool(create_requirement_profile::CreateRequirementProfile(with()))
        .tool(confirm_requirement_profile::ConfirmRequirementProfile(
            with(),
        ))
        .tool(create_job_ad::CreateJobAd(with()))
        .tool(polish_job_ad::PolishJobAd(with()))
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
        .tool(compare_candidates::CompareCandidates(with()))
        .tool(create_funnel_report::CreateFunnelReport(with()))
        .tool(review_job_ad::ReviewJobAd(with()))
        .tool(review_di_compliance::ReviewDiCompliance(with()))
        .tool(create_calendar_invite::CreateCalendarInvite(with()))
        .tool(add_company_fact::AddCompanyFact)
        .build()
}

/// The tool of a module: its documents are kept with the record of the call, after what it needs.
fn spec_of(module: Module, title: &'static str, what: &str) -> ToolSpec {
    let description = format!("{what} {}", module.requires_sentence());
    let spec = ToolSpec::transactional(description.trim().to_owned())
        .title(title)
        .roles([Role::RECRUITER])
        .produces(module.facts().artifact)
        .undoable();
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

/// The ad that a review is about: the one that was pasted, or else the project's own.
async fn reviewed_ad(
    workshop: &Workshop,
    ctx: &ToolContext,
    pasted: String,
    language: Option<Language>,
) -> Result<(String, Option<Language>), ToolError> {
    if !pasted.trim().is_empty() {
        return Ok((pasted, language));
    }
    let own = workshop.newest::<JobAd>(ctx, Module::JobAd).await?;
    Ok(match own {
        Some(ad) => {
            let text = ad.content.document(workshop.library).to_text();
            (text, language.or(Some(ad.content.language)))
        }
        None => (pasted, language),
    })
}
