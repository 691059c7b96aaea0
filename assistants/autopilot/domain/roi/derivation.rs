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

fn step(name: StepName, formula: String, result: String) -> Step {
    Step {
        name,
        formula,
        result,
    }
}

pub(super) fn derivation(robot: &Robot, inputs: &Inputs, fit: &Fit, of: &Estimate) -> Vec<Step> {
    let mut steps = labour(inputs, of);
    let today = of.current_monthly_cost.dollars();
    let gross = of.gross_monthly_savings.dollars();
    let cost = of.robot_monthly_cost.dollars();
    let share = percent(fit.share);
    let shares = [
        fit.mode_share,
        fit.floor_share,
        robot.time_efficiency,
        inputs.utilization.span.low,
    ];
    let shares = shares.map(percent).join(" × ");
    let remaining = of.remaining_monthly_cost.dollars();
    steps.push(step(StepName::Share, shares, share.clone()));
    steps.push(step(
        StepName::Gross,
        format!("{today} × {share}"),
        gross.clone(),
    ));
    steps.push(step(
        StepName::Remaining,
        format!("{today} − {gross}"),
        remaining,
    ));
    let count = of.robots_needed;
    let area = inputs.area.span.map(|area| area * fit.floor_share).count();
    let (passes, reach) = (fit.modes.max(1), grouped(reach(robot, inputs)));
    let needed = format!("{area} m² × {passes} ÷ {reach} m²");
    steps.push(step(StepName::Robots, needed, count.to_string()));
    let lease = dollars(robot.monthly_lease);
    let mut lease = format!(
        "{count} × {lease} × {}",
        percent(1.0 + inputs.maintenance.span.low)
    );
    if let Some(energy) = &inputs.energy {
        lease = format!("{lease} + {count} × {}", energy.span.dollars());
    }
    steps.push(step(StepName::RobotCost, lease, cost.clone()));
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

/// Hours, unless they were stated, and today's cost.
fn labour(inputs: &Inputs, of: &Estimate) -> Vec<Step> {
    let hours = of.current_monthly_hours.written(decimal);
    let today = of.current_monthly_cost.dollars();
    let rate = inputs.rate.span.written(dollars);
    let by_hand = || {
        let output = |mode| format!("1 ÷ {} m²/h", hand_output(mode));
        let outputs: Vec<String> = inputs.modes.iter().copied().map(output).collect();
        let (area, times) = (
            inputs.area.span.count(),
            inputs.cleanings.span.written(decimal),
        );
        format!("{area} m² × {times} × ({})", outputs.join(" + "))
    };
    let (basis, derived) = match inputs.basis {
        Basis::Spend => (today.clone(), format!("{today} ÷ {rate}")),
        Basis::HoursTimesRate => (format!("{hours} h × {rate}"), by_hand()),
    };
    let mut steps = Vec::new();
    if inputs.hours.is_none() {
        steps.push(step(StepName::Hours, derived, format!("{hours} h")));
    }
    steps.push(step(StepName::Today, basis, today));
    steps
}
