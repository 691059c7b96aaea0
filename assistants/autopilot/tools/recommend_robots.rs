//! Recommends robots of the catalogue, each with its reasons.

use std::sync::Arc;

use frontdesk_core::tool::{Tool, ToolContext, ToolError, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::domain::money::{about_dollars, dollars};
use crate::domain::recommend::{DEFAULT_TOP, Recommendations, recommend};
use crate::domain::roi::Assumptions;
use crate::journey::{self, ROI_PHASE, SELECTION_PHASE};
use crate::shelf::Shelf;

pub(super) struct RecommendRobots(pub(super) Arc<Shelf>);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// What may be spent on a lease, in US dollars a month; leave out for the budget that was said.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1000000.0))]
    monthly_budget: Option<f64>,
    /// How many at most.
    #[serde(default)]
    #[schemars(range(min = 1, max = 50))]
    top_k: Option<u8>,
}

impl Tool for RecommendRobots {
    const NAME: &'static str = "recommend_robots";
    type Args = Args;
    type Output = Recommendations;

    fn spec() -> ToolSpec {
        ToolSpec::read("Recommend robots that fit this building, with a score and its reasons, and whether they pay off.")
            .title("Recommend robots")
            .phases([ROI_PHASE, SELECTION_PHASE])
            .example("recommend robots", json!({}))
            .example("which robots would you recommend?", json!({}))
            .example("recommend robots for a budget of 500 a month", json!({ "monthly_budget": 500.0 }))
            .example("which robots suit our building best?", json!({}))
            .example("what do you suggest?", json!({}))
            .example("suggest 2 robots", json!({ "top_k": 2 }))
    }

    async fn call(&self, ctx: &ToolContext, args: Args) -> Result<Recommendations, ToolError> {
        let robots = self
            .0
            .robots(ctx.principal())
            .await
            .map_err(ToolError::failed)?;
        let profile = journey::discovery(ctx.conversation()).profile();
        let with = Assumptions::of(&profile, &journey::last_roi(ctx.conversation()).edits);
        let top = args.top_k.map_or(DEFAULT_TOP, usize::from);
        let found = recommend(&robots, &profile, &with, args.monthly_budget, top);
        let names = found
            .recommendations
            .iter()
            .map(|one| format!("Shortlist the {}", one.robot));
        ctx.suggest(names.take(2).chain(["Calculate the ROI".to_owned()]));
        Ok(found)
    }

    fn summary(found: &Recommendations) -> String {
        let mut parts = found.notes.clone();
        for one in &found.recommendations {
            let reasons: Vec<String> = one
                .reasons
                .iter()
                .map(|reason| format!("- {} ({:+})", reason.explanation, reason.score_impact))
                .collect();
            let saves = if one.estimated_monthly_savings < 0.0 {
                format!(
                    "costs {} a month more than it saves",
                    about_dollars(-one.estimated_monthly_savings)
                )
            } else {
                format!(
                    "saves {} a month on lease",
                    about_dollars(one.estimated_monthly_savings)
                )
            };
            parts.push(format!(
                "**{}** – {} (score {})\n{}, lease {} a month, {saves}\n{}",
                one.robot,
                one.label.name(),
                one.score,
                one.category,
                dollars(one.monthly_lease),
                reasons.join("\n")
            ));
        }
        parts.push("Prices are indicative.".to_owned());
        parts.join("\n\n")
    }
}
