//! Recommends robots of the catalogue, each with its reasons.

use std::sync::Arc;

use frontdesk_core::tool::{Tool, ToolContext, ToolError, ToolSpec};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{ask_for, move_on};
use crate::domain::keys::Key;
use crate::domain::money::dollars;
use crate::domain::recommend::{DEFAULT_TOP, Recommendations, recommend};
use crate::journey::{self, ROI_PHASE};
use crate::product_store::ProductStore;

pub(super) struct RecommendRobots(pub(super) Arc<ProductStore>);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// The most for leases, in US dollars a month; leave out for the stated budget.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1000000.0))]
    monthly_budget: Option<f64>,
    /// How many at most.
    #[serde(default)]
    #[schemars(range(min = 1, max = 50))]
    top_k: Option<u8>,
}

#[derive(Serialize)]
pub(super) struct RecommendationAnswer {
    #[serde(flatten)]
    found: Recommendations,
    missing: Vec<Key>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moved: Option<String>,
    #[serde(skip)]
    text: String,
}

impl Tool for RecommendRobots {
    const NAME: &'static str = "recommend_robots";
    type Args = Args;
    type Output = RecommendationAnswer;

    fn spec() -> ToolSpec {
        ToolSpec::read(
            "Recommend robots that fit this building, best first, with reasons and what they save.",
        )
        .title("Recommend robots")
        .example("recommend robots", json!({}))
        .example("which robots would you recommend?", json!({}))
        .example(
            "recommend robots for a budget of 500 a month",
            json!({ "monthly_budget": 500.0 }),
        )
        .example("which robots suit our building best?", json!({}))
        .example("what do you suggest?", json!({}))
        .example("suggest 2 robots", json!({ "top_k": 2 }))
    }

    async fn call(&self, ctx: &ToolContext, args: Args) -> Result<RecommendationAnswer, ToolError> {
        let robots = self
            .0
            .robots(ctx.principal())
            .await
            .map_err(ToolError::failed)?;
        let moved = move_on(ctx, ROI_PHASE);
        let inputs = match journey::inputs(ctx.conversation()) {
            Ok(inputs) => inputs,
            Err(missing) => {
                return Ok(RecommendationAnswer {
                    text: ask_for(ctx, &missing),
                    missing: missing.0,
                    found: Recommendations::default(),
                    moved,
                });
            }
        };
        let top = args.top_k.map_or(DEFAULT_TOP, usize::from);
        let budget = journey::discovery(ctx.conversation()).monthly_budget();
        let found = recommend(&robots, &inputs, args.monthly_budget.or(budget), top);
        let names = found
            .recommendations
            .iter()
            .map(|one| format!("Shortlist the {}", one.robot));
        ctx.suggest(names.take(2).chain(["Calculate the ROI".to_owned()]));
        Ok(RecommendationAnswer {
            text: in_words(&found),
            missing: Vec::new(),
            found,
            moved,
        })
    }

    fn summary(answer: &RecommendationAnswer) -> String {
        let parts: Vec<&str> = answer
            .moved
            .iter()
            .map(String::as_str)
            .chain([answer.text.as_str()])
            .collect();
        parts.join("\n\n")
    }
}

/// The list for people.
pub(super) fn in_words(found: &Recommendations) -> String {
    let mut parts = found.notes.clone();
    for one in &found.recommendations {
        let reasons: Vec<String> = one
            .reasons
            .iter()
            .map(|reason| format!("- {reason}"))
            .collect();
        let net = one.estimated_monthly_savings;
        let saves = match net.high < 0.0 {
            true => format!(
                "costs {} a month more than it saves",
                net.map(|net| -net).dollars()
            ),
            false => format!("saves {} a month on lease", net.dollars()),
        };
        parts.push(format!(
            "**{}** – {}\n{}, lease {} a month each, {saves}\n{}",
            one.robot,
            one.label.in_words(),
            one.category,
            dollars(one.monthly_lease),
            reasons.join("\n")
        ));
    }
    parts.push("Prices are indicative.".to_owned());
    parts.join("\n\n")
}
