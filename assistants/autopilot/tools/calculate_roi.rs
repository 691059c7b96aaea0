//! Calculates what robots save or cost in this building. By code alone; losses are shown as such.

use std::sync::Arc;

use frontdesk_core::tool::{Tool, ToolContext, ToolError, ToolSpec};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{invalid, unknown};
use crate::domain::business_case::bars;
use crate::domain::catalogue::Robot;
use crate::domain::money::about_dollars;
use crate::domain::recommend::{DEFAULT_TOP, recommend};
use crate::domain::roi::{Assumptions, Edits, Estimate, estimate};
use crate::journey::{self, LastRoi, ROI_PHASE, SELECTION_PHASE};
use crate::shelf::Shelf;

pub(super) struct CalculateRoi(pub(super) Arc<Shelf>);

const MOST_ROBOTS: usize = 5;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// Names of the robots; leave out for those that fit best.
    #[serde(default)]
    #[schemars(length(max = 5))]
    robots: Option<Vec<String>>,
    /// What an hour of cleaning work costs, in US dollars.
    #[serde(default)]
    labor_rate: Option<f64>,
    /// The share of the time that the robot is used, from 0 to 1.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1.0))]
    utilization: Option<f64>,
    /// Maintenance as a share of the lease, from 0 to 1.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1.0))]
    maintenance_factor: Option<f64>,
    /// What cleaning costs today, in US dollars a month.
    #[serde(default)]
    manual_monthly_spend: Option<f64>,
    /// Hours of cleaning work a month.
    #[serde(default)]
    manual_monthly_hours: Option<f64>,
}

#[derive(Serialize)]
pub(super) struct Calculated {
    estimates: Vec<Estimate>,
    prices: &'static str,
}

impl Tool for CalculateRoi {
    const NAME: &'static str = "calculate_roi";
    type Args = Args;
    type Output = Calculated;

    fn spec() -> ToolSpec {
        ToolSpec::read(
            "Calculate savings, lease and purchase, payback and sensitivity of robots for this building. Takes what discovery found; \
             any assumption can be changed.",
        )
        .title("Calculate the ROI")
        .phases([ROI_PHASE, SELECTION_PHASE])
        .example("calculate the ROI", json!({}))
        .example("what would the Pudu CC1 save us?", json!({ "robots": ["Pudu CC1"] }))
        .example("calculate the ROI with a labor rate of 30", json!({ "labor_rate": 30.0 }))
            .example("does it pay off?", json!({}))
            .example("run the ROI", json!({}))
            .example("what if we pay 30 an hour?", json!({ "labor_rate": 30.0 }))
            .example("would the Pudu CC1 pay for itself?", json!({ "robots": ["Pudu CC1"] }))
    }

    async fn call(&self, ctx: &ToolContext, args: Args) -> Result<Calculated, ToolError> {
        let edits = Edits {
            labor_rate: args.labor_rate,
            utilization: args.utilization,
            maintenance_factor: args.maintenance_factor,
            manual_monthly_spend: args.manual_monthly_spend,
            manual_monthly_hours: args.manual_monthly_hours,
        };
        edits.check().map_err(invalid)?;
        let robots = self
            .0
            .robots(ctx.principal())
            .await
            .map_err(ToolError::failed)?;
        let profile = journey::discovery(ctx.conversation()).profile();
        let with = Assumptions::of(&profile, &edits);
        let wanted = args.robots.unwrap_or_default();
        let chosen: Vec<Robot> = if wanted.is_empty() {
            let best = recommend(&robots, &profile, &with, None, DEFAULT_TOP).recommendations;
            best.iter()
                .filter_map(|one| robots.iter().find(|robot| robot.sku == one.sku))
                .cloned()
                .collect()
        } else {
            let named = wanted
                .iter()
                .take(MOST_ROBOTS)
                .map(|name| Shelf::named(&robots, name).cloned().map_err(unknown));
            named.collect::<Result<_, _>>()?
        };
        journey::keep_roi(
            ctx,
            &LastRoi {
                robots: chosen.iter().map(|robot| robot.sku.clone()).collect(),
                edits,
            },
        );
        Ok(Calculated {
            estimates: chosen.iter().map(|robot| estimate(robot, &with)).collect(),
            prices: "indicative",
        })
    }

    fn summary(calculated: &Calculated) -> String {
        let mut parts: Vec<String> = Vec::new();
        parts.push(table(&calculated.estimates));
        if let Some(first) = calculated.estimates.first() {
            let verdicts: Vec<String> = calculated
                .estimates
                .iter()
                .map(|one| format!("- {}: {}.", one.robot, one.verdict()))
                .collect();
            parts.push(verdicts.join("\n"));
            parts.push(format!("{}\n```\n{}\n```", first.robot, bars(&first.chart)));
            let moved: Vec<String> = first
                .sensitivity
                .iter()
                .map(|variant| {
                    let name = if variant.assumption == "labor_rate" {
                        "labour rate"
                    } else {
                        "utilisation"
                    };
                    format!(
                        "| {name} {:+.0} % | {} |",
                        variant.change_percent,
                        about_dollars(variant.estimated_monthly_savings)
                    )
                })
                .collect();
            parts.push(format!(
                "| If wrong | {} saves a month |\n|---|---:|\n{}",
                first.robot,
                moved.join("\n")
            ));
            let assumed: Vec<String> = first
                .factors_considered
                .iter()
                .map(|factor| format!("- {factor}"))
                .collect();
            parts.push(format!(
                "Assumptions (say another value to change one; confidence {}):\n{}",
                first.confidence.name(),
                assumed.join("\n")
            ));
        }
        parts.join("\n\n")
    }
}

fn table(estimates: &[Estimate]) -> String {
    let mut lines = vec![
        "| Robot | Robot costs/month | Saves/month on lease | Saves/year | ROI | Bought: payback |"
            .to_owned(),
        "|---|---:|---:|---:|---:|---:|".to_owned(),
    ];
    for one in estimates {
        lines.push(format!(
            "| {} | {} | {} | {} | {} % | {} |",
            one.robot,
            about_dollars(one.robot_monthly_cost),
            about_dollars(one.estimated_monthly_savings),
            about_dollars(one.estimated_yearly_savings),
            one.roi_percent,
            one.purchase.payback
        ));
    }
    lines.join("\n")
}
