//! Recommends robots of the catalogue, each with its reasons.

use std::sync::Arc;

use frontdesk_core::tool::{Tool, ToolContext, ToolError, ToolSpec};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{ask_for, in_words_not_used, invalid, move_on, not_used, robots};
use crate::domain::keys::Key;
use crate::domain::recommend::{DEFAULT_TOP, Recommendation, Recommendations, recommend};
use crate::domain::units::{Unit, check_unit};
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
    /// Numbers and conditions of the message that the list does not use; the person must hear of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    not_used: Vec<String>,
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
        if let Some(budget) = args.monthly_budget {
            check_unit(ctx.said(), &budget.to_string(), &[Unit::Money])
                .map_err(|problem| invalid(("monthly_budget", problem)))?;
        }
        let robots = robots(&self.0, ctx).await?;
        let moved = move_on(ctx, ROI_PHASE);
        let mut parts: Vec<String> = moved.iter().cloned().collect();
        let inputs = match journey::inputs(ctx.conversation()) {
            Ok(inputs) => inputs,
            Err(missing) => {
                parts.push(ask_for(ctx, &missing));
                return Ok(RecommendationAnswer {
                    text: parts.join("\n\n"),
                    missing: missing.0,
                    found: Recommendations::default(),
                    moved,
                    not_used: Vec::new(),
                });
            }
        };
        let top = args.top_k.map_or(DEFAULT_TOP, usize::from);
        let budget = journey::discovery(ctx.conversation()).monthly_budget();
        let found = recommend(&robots, &inputs, args.monthly_budget.or(budget), top);
        let taken = json!([args.monthly_budget, args.top_k]).to_string();
        let changes_nothing = args.monthly_budget.or(args.top_k.map(f64::from)).is_none();
        let not_used = not_used(ctx, &[], &taken, changes_nothing);
        parts.extend(in_words_not_used(&not_used));
        parts.push(in_words(&found));
        let names = found.recommendations.iter();
        let names = names.map(|one| format!("Shortlist the {}", one.robot));
        ctx.suggest(names.take(2).chain(["Calculate the ROI".to_owned()]));
        Ok(RecommendationAnswer {
            text: parts.join("\n\n"),
            missing: Vec::new(),
            found,
            moved,
            not_used,
        })
    }

    fn summary(answer: &RecommendationAnswer) -> String {
        answer.text.clone()
    }
}

/// A line for each robot; the details are beside the chat.
pub(super) fn in_words(found: &Recommendations) -> String {
    let mut parts = found.notes.clone();
    let line = |one: &Recommendation| {
        let net = one.estimated_monthly_savings;
        let saves = match net.high < 0.0 {
            true => format!(
                "costs {} a month more than it saves",
                net.map(|net| -net).dollars()
            ),
            false => format!("saves {} a month on lease", net.dollars()),
        };
        let (robot, label) = (&one.robot, one.label.in_words());
        format!("- **{robot}** ({label}) {saves}. {}", one.reasons.join(" "))
    };
    let lines: Vec<String> = found.recommendations.iter().map(line).collect();
    parts.push(lines.join("\n"));
    parts.push("Prices are indicative.".to_owned());
    parts.join("\n\n")
}
