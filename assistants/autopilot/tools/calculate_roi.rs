//! Calculates what robots save or cost in this building. Losses are shown as losses.

use std::sync::Arc;

use frontdesk_core::tool::{Tool, ToolContext, ToolError, ToolSpec};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{ask_for, by_sku, invalid, move_on, unknown};
use crate::domain::catalogue::Robot;
use crate::domain::keys::Key;
use crate::domain::recommend::{DEFAULT_TOP, recommend};
use crate::domain::roi::{Edits, Estimate, Inputs, Missing, NOT_COUNTED, estimate};
use crate::domain::span::decimal;
use crate::journey::{self, LastRoi, ROI_PHASE};
use crate::product_store::ProductStore;

pub(super) struct CalculateRoi(pub(super) Arc<ProductStore>);

const MOST_ROBOTS: usize = 5;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// Names of the robots; leave out for those of the last calculation, or the best ones.
    #[serde(default)]
    #[schemars(length(max = 5))]
    robots: Option<Vec<String>>,
    /// US dollars for an hour of cleaning work. The cost of cleaning is then hours times rate.
    #[serde(default)]
    labor_rate: Option<f64>,
    /// The share of the work for which the robot is really used, from 0 to 1.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1.0))]
    utilization: Option<f64>,
    /// Maintenance as a share of the lease, from 0 to 1.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1.0))]
    maintenance_factor: Option<f64>,
    /// Today's cost of cleaning, in US dollars a month.
    #[serde(default)]
    manual_monthly_spend: Option<f64>,
    /// Hours of cleaning work a month. The cost of cleaning is then hours times rate.
    #[serde(default)]
    manual_monthly_hours: Option<f64>,
    /// Floor area in square metres.
    #[serde(default)]
    area_m2: Option<f64>,
    /// Hours in which one cleaning must be done.
    #[serde(default)]
    window_hours: Option<f64>,
    /// Energy of one robot, in US dollars a month.
    #[serde(default)]
    monthly_energy: Option<f64>,
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
        let newer = Edits {
            labor_rate: args.labor_rate,
            utilization: args.utilization,
            maintenance_factor: args.maintenance_factor,
            manual_monthly_spend: args.manual_monthly_spend,
            manual_monthly_hours: args.manual_monthly_hours,
            area_m2: args.area_m2,
            window_hours: args.window_hours,
            monthly_energy: args.monthly_energy,
        };
        newer.check().map_err(invalid)?;
        let last = journey::last_roi(ctx.conversation());
        let edits = match args.reset {
            Some(true) => newer,
            Some(false) | None => last.edits.merge(newer),
        };
        let robots = self
            .0
            .robots(ctx.principal())
            .await
            .map_err(ToolError::failed)?;
        let wanted = args.robots.unwrap_or_default();
        let named = wanted.iter().take(MOST_ROBOTS);
        let named = named.map(|name| ProductStore::named(&robots, name).map_err(unknown));
        let mut chosen = named.collect::<Result<Vec<&Robot>, ToolError>>()?;
        if chosen.is_empty() {
            chosen = by_sku(&robots, &last.robots);
        }
        let discovery = journey::discovery(ctx.conversation());
        let inputs = Inputs::of(&discovery, &edits);
        if let (true, Ok(inputs)) = (chosen.is_empty(), &inputs) {
            let best = recommend(&robots, inputs, discovery.monthly_budget(), DEFAULT_TOP);
            let skus: Vec<String> = best
                .recommendations
                .into_iter()
                .map(|one| one.sku)
                .collect();
            chosen = by_sku(&robots, &skus);
        }
        let skus = chosen.iter().map(|robot| robot.sku.clone()).collect();
        journey::keep_roi(
            ctx,
            &LastRoi {
                robots: skus,
                edits,
            },
        );
        Ok(answer(ctx, &chosen, &inputs))
    }

    fn summary(answer: &RoiAnswer) -> String {
        answer.text.clone()
    }
}

fn answer(ctx: &ToolContext, robots: &[&Robot], inputs: &Result<Inputs, Missing>) -> RoiAnswer {
    let moved = move_on(ctx, ROI_PHASE);
    let (estimates, missing, text) = match inputs {
        Ok(inputs) => {
            let found: Vec<Estimate> = robots.iter().map(|robot| estimate(robot, inputs)).collect();
            let text = in_words(&found);
            (found, Vec::new(), text)
        }
        Err(missing) => (Vec::new(), missing.0.clone(), ask_for(ctx, missing)),
    };
    let compact = |estimate: &Estimate| {
        let mut value = json!(estimate);
        value.as_object_mut().map(|fields| fields.remove("chart"));
        value
    };
    RoiAnswer {
        estimates: estimates.iter().map(compact).collect(),
        missing,
        prices: "indicative",
        not_counted: NOT_COUNTED,
        text: moved
            .iter()
            .cloned()
            .chain([text])
            .collect::<Vec<_>>()
            .join("\n\n"),
        moved,
    }
}

/// All robots in a table, then the derivation of the first.
fn in_words(estimates: &[Estimate]) -> String {
    let Some(first) = estimates.first() else {
        return "No robot of the catalogue can do this work.".to_owned();
    };
    let mut rows = vec![
        "| Robot | Needed | Robots cost/month | Saves/month on lease | Saves/year | ROI | Bought: payback |".to_owned(),
        "|---|---:|---:|---:|---:|---:|---:|".to_owned(),
    ];
    for one in estimates {
        rows.push(format!(
            "| {} | {} | {} | {} | {} | {} % | {} |",
            one.robot,
            one.robots_needed,
            one.robot_monthly_cost.dollars(),
            one.estimated_monthly_savings.dollars(),
            one.estimated_yearly_savings.dollars(),
            one.roi_percent.written(decimal),
            one.purchase.payback.in_words()
        ));
    }
    let verdicts: Vec<String> = estimates
        .iter()
        .map(|one| format!("- {}", one.verdict()))
        .collect();
    [
        rows.join("\n"),
        verdicts.join("\n"),
        derivation_in_words(first),
    ]
    .join("\n\n")
}

/// How the figures of one robot come about, with the sources of all values.
pub(super) fn derivation_in_words(of: &Estimate) -> String {
    let row =
        |name: &str, formula: &str, result: &str| format!("| {name} | {formula} | {result} |");
    let steps = of
        .derivation
        .iter()
        .map(|step| row(step.name.label(), &step.formula, &step.result));
    let steps: Vec<String> = [
        row(&of.robot, "Formula", "Result"),
        "|---|---|---:|".to_owned(),
    ]
    .into_iter()
    .chain(steps)
    .collect();
    let inputs: Vec<String> = of
        .input_lines()
        .into_iter()
        .map(|line| format!("- {line}"))
        .collect();
    format!(
        "{}\n\nValues (say another one to change it):\n{}\n\n{} {NOT_COUNTED}",
        steps.join("\n"),
        inputs.join("\n"),
        of.confidence_in_words()
    )
}
