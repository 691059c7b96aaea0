//! Makes the page to hand to colleagues and keeps it as a document of the conversation.

use std::sync::Arc;

use frontdesk_core::artifact::{ArtifactStatus, NewArtifact};
use frontdesk_core::tool::{Tool, ToolContext, ToolError, ToolSpec};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::unknown;
use crate::domain::business_case::{BusinessCase, KIND, Stated};
use crate::domain::catalogue::Robot;
use crate::domain::keys::Key;
use crate::domain::recommend::recommend;
use crate::domain::roi::{Assumptions, estimate};
use crate::domain::shortlist::{NextStep, compare};
use crate::journey::{self, ROI_PHASE, SELECTION_PHASE};
use crate::shelf::Shelf;

pub(super) struct MakeBusinessCase {
    pub(super) shelf: Arc<Shelf>,
    pub(super) public_url: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// Name of the robot that the figures are about; the first of the shortlist unless given.
    #[serde(default)]
    #[schemars(length(max = 120))]
    robot: Option<String>,
}

#[derive(Serialize)]
pub(super) struct Made {
    title: String,
    headline: String,
    formats: [&'static str; 2],
    #[serde(skip)]
    told: String,
}

impl Tool for MakeBusinessCase {
    const NAME: &'static str = "make_business_case";
    type Args = Args;
    type Output = Made;

    fn spec() -> ToolSpec {
        ToolSpec::transactional("Make the one-page business case from the facts, the figures and the shortlist, as Markdown and PDF.")
            .title("Make the business case")
            .undoable()
            .phases([ROI_PHASE, SELECTION_PHASE])
            .produces(KIND)
            .example("make the business case", json!({}))
            .example("make a business case for the Pudu CC1", json!({ "robot": "Pudu CC1" }))
    }

    async fn call(&self, ctx: &ToolContext, args: Args) -> Result<Made, ToolError> {
        let conversation = ctx.conversation();
        let robots = self
            .shelf
            .robots(ctx.principal())
            .await
            .map_err(ToolError::failed)?;
        let discovery = journey::discovery(conversation);
        let shortlist = journey::shortlist(conversation);
        let profile = discovery.profile();
        let with = Assumptions::of(&profile, &journey::last_roi(conversation).edits);
        let listed: Vec<&Robot> = shortlist
            .robots
            .iter()
            .filter_map(|sku| robots.iter().find(|robot| robot.sku == *sku))
            .collect();
        let robot = match args.robot.filter(|name| !name.trim().is_empty()) {
            Some(name) => Shelf::named(&robots, &name).map_err(unknown)?,
            None => listed.first().copied().ok_or_else(|| {
                ToolError::refused("There is no robot on the shortlist yet. Put one there first, or name the robot.")
            })?,
        };
        let mut stakeholders = shortlist.stakeholders.clone();
        if let Some(fact) = discovery
            .fact(Key::Stakeholders)
            .filter(|_| stakeholders.is_empty())
        {
            stakeholders.push(fact.value.clone());
        }
        let case = BusinessCase {
            company: profile
                .company_name
                .clone()
                .unwrap_or_else(|| "our facility".to_owned()),
            prepared_by: ctx.principal().name().to_owned(),
            prepared_at: ctx.now(),
            conversation_url: format!("{}/c/{}", self.public_url, conversation.id),
            conversation_title: conversation.title.clone(),
            facts: discovery
                .facts
                .iter()
                .map(|fact| Stated {
                    label: fact.label.clone(),
                    value: fact.value.clone(),
                    quote: fact.quote.clone(),
                })
                .collect(),
            estimate: estimate(robot, &with),
            options: compare(&listed, &with),
            stakeholders,
            next_step: shortlist
                .next_step
                .map(NextStep::in_words)
                .map(str::to_owned),
            notes: recommend(&robots, &profile, &with, None, robots.len()).notes,
        };
        let content = serde_json::to_value(&case).map_err(ToolError::failed)?;
        ctx.save(NewArtifact {
            kind: KIND.to_owned(),
            key: String::new(),
            status: ArtifactStatus::Confirmed,
            title: case.title(),
            content,
            built_from: Vec::new(),
        });
        let told = format!(
            "Ready: {}. It can be taken away as Markdown or as a one-page PDF.\n\n{}",
            case.title(),
            case.to_markdown()
        );
        Ok(Made {
            title: case.title(),
            headline: case.headline(),
            formats: ["md", "pdf"],
            told,
        })
    }

    fn summary(made: &Made) -> String {
        made.told.clone()
    }
}
