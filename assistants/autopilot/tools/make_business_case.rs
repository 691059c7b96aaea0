//! Makes the business case and saves it as a document of the conversation.

use std::sync::Arc;

use frontdesk_core::artifact::{ArtifactStatus, NewArtifact};
use frontdesk_core::tool::{Tool, ToolContext, ToolError, ToolSpec};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{move_on, robots, unknown};
use crate::domain::business_case::{BusinessCase, FactLine, KIND};
use crate::domain::catalogue::{Robot, mentioned};
use crate::domain::keys::Key;
use crate::domain::recommend::recommend;
use crate::domain::roi::estimate;
use crate::domain::shortlist::{NextStep, compare};
use crate::journey::{self, SELECTION_PHASE, by_sku};
use crate::product_store::ProductStore;

pub(super) struct MakeBusinessCase {
    pub(super) products: Arc<ProductStore>,
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
pub(super) struct CaseAnswer {
    title: String,
    headline: String,
    formats: [&'static str; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    moved: Option<String>,
    #[serde(skip)]
    text: String,
}

impl Tool for MakeBusinessCase {
    const NAME: &'static str = "make_business_case";
    type Args = Args;
    type Output = CaseAnswer;

    fn spec() -> ToolSpec {
        ToolSpec::transactional("Make the one-page business case from the facts, the figures and the shortlist, as Markdown and PDF.")
            .title("Make the business case")
            .undoable()
            .produces(KIND)
            .example("make the business case", json!({}))
            .example("make a business case for the Pudu CC1", json!({ "robot": "Pudu CC1" }))
    }

    async fn call(&self, ctx: &ToolContext, args: Args) -> Result<CaseAnswer, ToolError> {
        let conversation = ctx.conversation();
        let robots = robots(&self.products, ctx).await?;
        let discovery = journey::discovery(conversation);
        let shortlist = journey::shortlist(conversation);
        let inputs = journey::inputs(conversation)
            .map_err(|missing| ToolError::refused(missing.in_words()))?;
        let listed = by_sku(&robots, &shortlist.robots);
        let robot = match args.robot.filter(|name| !name.trim().is_empty()) {
            Some(name) => ProductStore::named(&robots, &name).map_err(unknown)?,
            None => {
                let said = mentioned(&robots, ctx.said());
                let last = by_sku(&robots, &journey::last_roi(conversation).robots);
                // Of several robots none is meant.
                let only =
                    |robots: &[&'_ Robot]| (robots.len() == 1).then(|| robots[0].sku.clone());
                let sku = only(&said)
                    .or_else(|| listed.first().map(|robot| robot.sku.clone()))
                    .or_else(|| only(&last));
                robots.iter().find(|robot| Some(&robot.sku) == sku.as_ref()).ok_or_else(|| {
                    ToolError::refused("There is no robot on the shortlist yet. Say \u{201c}shortlist the …\u{201d} first, or name the robot.")
                })?
            }
        };
        let mut stakeholders = shortlist.stakeholders.clone();
        if let Some(fact) = discovery
            .fact(Key::Stakeholders)
            .filter(|_| stakeholders.is_empty())
        {
            stakeholders.push(fact.value.clone());
        }
        let case = BusinessCase {
            company: discovery
                .company_name()
                .unwrap_or("our building")
                .to_owned(),
            prepared_by: ctx.principal().name().to_owned(),
            prepared_at: ctx.now(),
            conversation_url: format!("{}/c/{}", self.public_url, conversation.id),
            conversation_title: conversation.title.clone(),
            facts: discovery
                .facts
                .iter()
                .map(|fact| FactLine {
                    label: fact.label.clone(),
                    value: fact.value.clone(),
                    quote: fact.quote.clone(),
                })
                .collect(),
            estimate: estimate(robot, &inputs),
            notes: recommend(&robots, &inputs, discovery.monthly_budget(), 0).notes,
            options: compare(&listed, &Ok(inputs)),
            stakeholders,
            next_step: shortlist
                .next_step
                .map(NextStep::in_words)
                .map(str::to_owned),
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
        let moved = move_on(ctx, SELECTION_PHASE);
        let ready = format!("Ready as PDF and as Markdown: {}.", case.title());
        let parts = moved.iter().cloned().chain([ready, case.headline()]);
        let text = parts.collect::<Vec<_>>().join("\n\n");
        Ok(CaseAnswer {
            title: case.title(),
            headline: case.headline(),
            formats: ["md", "pdf"],
            moved,
            text,
        })
    }

    fn summary(answer: &CaseAnswer) -> String {
        answer.text.clone()
    }
}
