//! Calculates what robots save or cost in this building. Losses are shown as losses.

use std::sync::Arc;

use frontdesk_core::tool::{Tool, ToolContext, ToolError, ToolSpec};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{ask_for, in_words_not_used, invalid, move_on, not_used, robots, unknown};
use crate::domain::catalogue::{Robot, mentioned};
use crate::domain::keys::Key;
use crate::domain::roi::{Edits, Estimate, Inputs, Missing, NOT_COUNTED, estimate};
use crate::journey::{self, LastRoi, ROI_PHASE};
use crate::product_store::ProductStore;

pub(super) struct CalculateRoi(pub(super) Arc<ProductStore>);

const MOST_ROBOTS: usize = 5;

#[derive(Deserialize, JsonSchema)]
#[schemars(extend("additionalProperties" = false))]
pub(super) struct Args {
    /// Names of the robots; leave out for those of the last calculation, or the best ones.
    #[serde(default)]
    #[schemars(length(max = 5))]
    robots: Option<Vec<String>>,
    #[serde(flatten)]
    values: Edits,
    /// Forget the values that were changed in earlier calculations.
    #[serde(default)]
    reset: Option<bool>,
}

#[derive(Serialize)]
pub(super) struct RoiAnswer {
    /// Without the chart, which a model cannot draw.
    estimates: Vec<Value>,
    missing: Vec<Key>,
    prices: &'static str,
    not_counted: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    moved: Option<String>,
    /// Numbers and conditions of the message that the figures do not use; the person must hear of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    not_used: Vec<String>,
    #[serde(skip)]
    text: String,
}

impl Tool for CalculateRoi {
    const NAME: &'static str = "calculate_roi";
    type Args = Args;
    type Output = RoiAnswer;

    fn spec() -> ToolSpec {
        ToolSpec::read(
            "Calculate savings, lease and purchase, payback and sensitivity of robots for this building, with the derivation. Uses the \
             recorded facts; a changed value stays changed. Without enough facts it returns what is missing instead of figures.",
        )
        .title("Calculate the ROI")
        .example("calculate the ROI", json!({}))
        .example("what would the Pudu CC1 save us?", json!({ "robots": ["Pudu CC1"] }))
        .example("calculate the ROI with a labor rate of 30", json!({ "labor_rate": 30.0 }))
        .example("what if we only use it 60 percent of the time?", json!({ "utilization": 0.6 }))
        .example("what if the robot is used at 50%?", json!({ "utilization": 0.5 }))
        .example("does it pay off?", json!({}))
        .example("run the ROI", json!({}))
        .example("what if we pay 30 an hour?", json!({ "labor_rate": 30.0 }))
        .example("would the Pudu CC1 pay for itself?", json!({ "robots": ["Pudu CC1"] }))
    }

    async fn call(&self, ctx: &ToolContext, args: Args) -> Result<RoiAnswer, ToolError> {
        let newer = args.values;
        newer.check().map_err(invalid)?;
        newer.check_units(ctx.said()).map_err(invalid)?;
        let last = journey::last_roi(ctx.conversation());
        let changes_nothing = newer == Edits::default() && args.reset != Some(true);
        let taken = json!(newer).to_string();
        let edits = match args.reset {
            Some(true) => newer,
            Some(false) | None => last.edits.merge(newer),
        };
        let robots = robots(&self.0, ctx).await?;
        let wanted = args.robots.unwrap_or_default();
        let named = wanted.iter().take(MOST_ROBOTS);
        let named = named.map(|name| ProductStore::named(&robots, name).map_err(unknown));
        let mut chosen = named.collect::<Result<Vec<&Robot>, ToolError>>()?;
        if chosen.is_empty() {
            chosen = mentioned(&robots, ctx.said());
            chosen.truncate(MOST_ROBOTS);
        }
        let inputs = Inputs::of(&journey::discovery(ctx.conversation()), &edits);
        if chosen.is_empty() {
            chosen = journey::default_robots(&robots, ctx.conversation(), &inputs);
        }
        let skus = chosen.iter().map(|robot| robot.sku.clone()).collect();
        journey::keep_roi(
            ctx,
            &LastRoi {
                robots: skus,
                edits,
            },
        );
        let not_used = not_used(ctx, &chosen, &taken, changes_nothing);
        Ok(answer(ctx, &chosen, &inputs, not_used))
    }

    fn summary(answer: &RoiAnswer) -> String {
        answer.text.clone()
    }
}

fn answer(
    ctx: &ToolContext,
    robots: &[&Robot],
    inputs: &Result<Inputs, Missing>,
    not_used: Vec<String>,
) -> RoiAnswer {
    let moved = move_on(ctx, ROI_PHASE);
    let mut parts: Vec<String> = moved.iter().cloned().collect();
    parts.extend(in_words_not_used(&not_used));
    let mut estimates: Vec<Estimate> = Vec::new();
    match inputs {
        Ok(inputs) => {
            estimates = robots.iter().map(|robot| estimate(robot, inputs)).collect();
            parts.push(in_words(&estimates));
            ctx.suggest(
                [
                    "How do you get these figures?",
                    "Recommend robots",
                    "Go to selection",
                ]
                .map(str::to_owned),
            );
        }
        Err(missing) => parts.push(ask_for(ctx, missing)),
    }
    let compact = |estimate: &Estimate| {
        let mut value = json!(estimate);
        value.as_object_mut().map(|fields| fields.remove("chart"));
        value
    };
    RoiAnswer {
        estimates: estimates.iter().map(compact).collect(),
        missing: inputs
            .as_ref()
            .err()
            .map_or_else(Vec::new, |missing| missing.0.clone()),
        prices: "indicative",
        not_counted: NOT_COUNTED,
        moved,
        not_used,
        text: parts.join("\n\n"),
    }
}

/// A sentence for each robot. The derivation and the table are beside the chat.
fn in_words(estimates: &[Estimate]) -> String {
    let Some(first) = estimates.first() else {
        return "No robot of the catalogue can do this work.".to_owned();
    };
    let verdicts: Vec<String> = estimates
        .iter()
        .map(|one| format!("- {}", one.verdict()))
        .collect();
    format!("{}\n\n{}", verdicts.join("\n"), first.confidence_in_words())
}

/// How the figures of one robot come about, with the sources of all values.
pub(super) fn derivation_in_words(of: &Estimate) -> String {
    let steps = of.derivation.iter().map(|step| {
        format!(
            "| {} | {} | {} |",
            step.name.label(),
            step.formula,
            step.result
        )
    });
    let steps: Vec<String> = steps.collect();
    format!(
        "| {} | Formula | Result |\n|---|---|---:|\n{}\n\nValues (say another one to change it):\n- {}\n\n{} {NOT_COUNTED}",
        of.robot,
        steps.join("\n"),
        of.input_lines().join("\n- "),
        of.confidence_in_words()
    )
}
