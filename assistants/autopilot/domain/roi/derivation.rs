//! The formula with its numbers, step by step.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::catalogue::Robot;
use super::super::money::{dollars, grouped};
use super::super::span::{decimal, percent};
use super::inputs::{Basis, Inputs, hand_output};
use super::{Estimate, Fit, reach};

/// A step of the formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "RoiStepName")]
pub(crate) enum StepName {
    Hours,
    Today,
    Share,
    Gross,
    Remaining,
    Robots,
    RobotCost,
    Net,
    Payback,
}

impl StepName {
    pub(crate) fn label(self) -> &'static str {
        match self {
            StepName::Hours => "Hours a month",
            StepName::Today => "Cleaning today",
            StepName::Share => "Work taken over",
            StepName::Gross => "Saved work",
            StepName::Remaining => "Work that remains",
            StepName::Robots => "Robots needed",
            StepName::RobotCost => "Robots on lease",
            StepName::Net => "Net a month on lease",
            StepName::Payback => "Payback if bought",
        }
    }
}

/// One line: what is calculated from what.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "RoiStep")]
pub(crate) struct Step {
    pub(crate) name: StepName,
    /// In figures and signs only.
    pub(crate) formula: String,
    pub(crate) result: String,
}

pub(super) fn derivation(robot: &Robot, inputs: &Inputs, fit: &Fit, of: &Estimate) -> Vec<Step> {
    let step = |name, formula: String, result: String| Step {
        name,
        formula,
        result,
    };
    let hours = of.current_monthly_hours.written(decimal);
    let today = of.current_monthly_cost.dollars();
    let gross = of.gross_monthly_savings.dollars();
    let cost = of.robot_monthly_cost.dollars();
    let rate = inputs.rate.span.written(dollars);
    let count = of.robots_needed;
    let mut steps = Vec::new();
    match (&inputs.hours, inputs.basis) {
        (Some(_), _) => {}
        (None, Basis::Spend) => {
            steps.push(step(
                StepName::Hours,
                format!("{today} ÷ {rate}"),
                format!("{hours} h"),
            ));
        }
        (None, Basis::HoursTimesRate) => {
            let outputs: Vec<String> = inputs
                .modes
                .iter()
                .map(|mode| format!("1 ÷ {} m²/h", hand_output(*mode)))
                .collect();
            let area = inputs.area.span.count();
            let times = inputs.cleanings.span.written(decimal);
            let formula = format!("{area} m² × {times} × ({})", outputs.join(" + "));
            steps.push(step(StepName::Hours, formula, format!("{hours} h")));
        }
    }
    let basis = match inputs.basis {
        Basis::Spend => today.clone(),
        Basis::HoursTimesRate => format!("{hours} h × {rate}"),
    };
    steps.push(step(StepName::Today, basis, today.clone()));
    let shares = [
        fit.mode_share,
        fit.floor_share,
        robot.time_efficiency,
        inputs.utilization.span.low,
    ];
    let share = percent(fit.share);
    steps.push(step(
        StepName::Share,
        shares.map(percent).join(" × "),
        share.clone(),
    ));
    steps.push(step(
        StepName::Gross,
        format!("{today} × {share}"),
        gross.clone(),
    ));
    let remaining = of.remaining_monthly_cost.dollars();
    steps.push(step(
        StepName::Remaining,
        format!("{today} − {gross}"),
        remaining,
    ));
    let passes = fit.modes.max(1);
    let area = inputs.area.span.map(|area| area * fit.floor_share).count();
    let reach = grouped(reach(robot, inputs));
    let formula = format!("{area} m² × {passes} ÷ {reach} m²");
    steps.push(step(StepName::Robots, formula, count.to_string()));
    let maintenance = percent(1.0 + inputs.maintenance.span.low);
    let energy = inputs
        .energy
        .as_ref()
        .map(|energy| format!(" + {count} × {}", energy.span.dollars()));
    let lease = dollars(robot.monthly_lease);
    let formula = format!(
        "{count} × {lease} × {maintenance}{}",
        energy.unwrap_or_default()
    );
    steps.push(step(StepName::RobotCost, formula, cost.clone()));
    let net = of.estimated_monthly_savings.dollars();
    steps.push(step(StepName::Net, format!("{gross} − {cost}"), net));
    let (price, kept) = (
        of.purchase.price.dollars(),
        of.purchase.monthly_savings.dollars(),
    );
    let payback = of.purchase.payback.in_words();
    steps.push(step(
        StepName::Payback,
        format!("{price} ÷ {kept}"),
        payback,
    ));
    steps
}
