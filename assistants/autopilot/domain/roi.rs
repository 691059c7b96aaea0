//! What a robot saves or costs, honestly: gross savings are the share of today's spending that the robot takes over, and
//! what it costs is taken off. Nothing is floored, so a robot can lose; every assumption is listed.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::catalogue::Robot;
use super::discovery::Profile;
use super::money::{about_dollars, dollars};

pub(crate) const ALGORITHM_VERSION: &str = "2026-11-honest-1";

pub(crate) const DEFAULT_LABOR_RATE: f64 = 25.0;
pub(crate) const DEFAULT_UTILIZATION: f64 = 1.0;
pub(crate) const DEFAULT_MAINTENANCE: f64 = 0.05;
pub(crate) const DEFAULT_SPEND: f64 = 4_330.0;
pub(crate) const DEFAULT_HOURS: f64 = 60.0;

/// How far each assumption is moved in the sensitivity table.
const SWING: f64 = 0.2;
/// The chart goes so far.
const CHART_MONTHS: [u32; 7] = [0, 6, 12, 18, 24, 30, 36];

/// What the estimate stands on. Every field may be edited.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "RoiAssumptions")]
pub(crate) struct Assumptions {
    /// US dollars an hour.
    pub(crate) labor_rate: f64,
    /// The share of the robot's time that is used, from 0 to 1.
    pub(crate) utilization: f64,
    /// Maintenance as a share of the lease.
    pub(crate) maintenance_factor: f64,
    /// What cleaning costs today, US dollars a month.
    pub(crate) manual_monthly_spend: f64,
    /// Hours of cleaning a month.
    pub(crate) manual_monthly_hours: f64,
    /// Which of spending and hours were not said and are a default.
    pub(crate) assumed: Vec<Assumed>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "RoiAssumed")]
pub(crate) enum Assumed {
    ManualMonthlySpend,
    ManualMonthlyHours,
}

/// What somebody wants to be otherwise.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "RoiEdits")]
pub(crate) struct Edits {
    /// What an hour of cleaning work costs, in US dollars. 25 unless somebody says otherwise.
    #[serde(default)]
    pub(crate) labor_rate: Option<f64>,
    /// The share of the robot's time that is used, from 0 to 1. 1 unless somebody says otherwise.
    #[serde(default)]
    pub(crate) utilization: Option<f64>,
    /// Maintenance as a share of the lease, from 0 to 1. 0.05 unless somebody says otherwise.
    #[serde(default)]
    pub(crate) maintenance_factor: Option<f64>,
    /// What cleaning costs today, in US dollars a month.
    #[serde(default)]
    pub(crate) manual_monthly_spend: Option<f64>,
    /// Hours of cleaning work a month.
    #[serde(default)]
    pub(crate) manual_monthly_hours: Option<f64>,
}

impl Edits {
    /// Refuses what cannot be meant.
    pub(crate) fn check(&self) -> Result<(), (&'static str, String)> {
        let within = |field, value: Option<f64>, most: f64| match value {
            Some(value) if !value.is_finite() || !(0.0..=most).contains(&value) => {
                Err((field, format!("must be a number from 0 to {most}")))
            }
            Some(_) | None => Ok(()),
        };
        within("labor_rate", self.labor_rate, 1_000.0)?;
        within("utilization", self.utilization, 1.0)?;
        within("maintenance_factor", self.maintenance_factor, 1.0)?;
        within(
            "manual_monthly_spend",
            self.manual_monthly_spend,
            10_000_000.0,
        )?;
        within("manual_monthly_hours", self.manual_monthly_hours, 100_000.0)
    }
}

impl Assumptions {
    /// From what discovery found, with what somebody edited in its place.
    pub(crate) fn of(profile: &Profile, edits: &Edits) -> Assumptions {
        let spend = edits.manual_monthly_spend.or(profile.monthly_spend);
        let hours = edits.manual_monthly_hours.or(profile.monthly_hours);
        let mut assumed = Vec::new();
        if spend.is_none() {
            assumed.push(Assumed::ManualMonthlySpend);
        }
        if hours.is_none() {
            assumed.push(Assumed::ManualMonthlyHours);
        }
        Assumptions {
            labor_rate: edits
                .labor_rate
                .or(profile.labor_rate)
                .unwrap_or(DEFAULT_LABOR_RATE),
            utilization: edits.utilization.unwrap_or(DEFAULT_UTILIZATION),
            maintenance_factor: edits.maintenance_factor.unwrap_or(DEFAULT_MAINTENANCE),
            manual_monthly_spend: spend.unwrap_or(DEFAULT_SPEND),
            manual_monthly_hours: hours.unwrap_or(DEFAULT_HOURS),
            assumed,
        }
    }

    fn confidence(&self) -> Confidence {
        if self.manual_monthly_spend <= 0.0 || self.manual_monthly_hours <= 0.0 {
            return Confidence::Low;
        }
        if self.assumed.is_empty() {
            Confidence::High
        } else {
            Confidence::Medium
        }
    }

    /// Spending at another labour rate: only its labour part moves.
    fn at_rate(&self, factor: f64) -> Assumptions {
        let labour = (self.manual_monthly_hours * self.labor_rate).min(self.manual_monthly_spend);
        Assumptions {
            labor_rate: self.labor_rate * factor,
            manual_monthly_spend: self.manual_monthly_spend + labour * (factor - 1.0),
            ..self.clone()
        }
    }

    /// Each assumption in words, with where it comes from.
    pub(crate) fn in_words(&self, robot: &Robot) -> Vec<String> {
        let origin = |which| {
            if self.assumed.contains(&which) {
                "assumed, not said"
            } else {
                "as you said"
            }
        };
        vec![
            format!(
                "Cleaning costs {} a month today ({})",
                dollars(self.manual_monthly_spend),
                origin(Assumed::ManualMonthlySpend)
            ),
            format!(
                "It takes {} hours a month ({})",
                self.manual_monthly_hours.round(),
                origin(Assumed::ManualMonthlyHours)
            ),
            format!("An hour of work costs {}", dollars(self.labor_rate)),
            format!(
                "The {} takes over {:.0} % of the cleaning",
                robot.name,
                robot.time_efficiency * 100.0
            ),
            format!("It is used {:.0} % of the time", self.utilization * 100.0),
            format!(
                "Maintenance is {:.0} % of the lease",
                self.maintenance_factor * 100.0
            ),
            format!(
                "Indicative prices: lease {} a month, purchase {}",
                dollars(robot.monthly_lease),
                dollars(robot.purchase_price)
            ),
        ]
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "RoiConfidence")]
pub(crate) enum Confidence {
    High,
    Medium,
    Low,
}

impl Confidence {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Confidence::High => "high",
            Confidence::Medium => "medium",
            Confidence::Low => "low",
        }
    }
}

/// What one robot comes to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "RoiEstimate")]
pub(crate) struct Estimate {
    pub(crate) sku: String,
    pub(crate) robot: String,
    pub(crate) current_monthly_cost: f64,
    /// Lease and maintenance.
    pub(crate) robot_monthly_cost: f64,
    /// What the robot takes over, before it is paid for.
    pub(crate) gross_monthly_savings: f64,
    /// With a lease; below zero when the robot costs more than it saves.
    pub(crate) estimated_monthly_savings: f64,
    pub(crate) estimated_yearly_savings: f64,
    pub(crate) current_monthly_hours: f64,
    pub(crate) hours_saved_monthly: f64,
    /// Net savings of a lease as a percentage of what the robot costs.
    pub(crate) roi_percent: f64,
    pub(crate) purchase: Purchase,
    /// `null` when it does not pay back.
    pub(crate) payback_months: Option<f64>,
    pub(crate) confidence: Confidence,
    pub(crate) algorithm_version: String,
    pub(crate) factors_considered: Vec<String>,
    pub(crate) assumptions: Assumptions,
    pub(crate) sensitivity: Vec<Variant>,
    pub(crate) chart: Vec<ChartPoint>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "RoiPurchase")]
pub(crate) struct Purchase {
    pub(crate) price: f64,
    pub(crate) monthly_maintenance: f64,
    /// Each month after the price is paid.
    pub(crate) monthly_savings: f64,
    /// `null` when it does not pay back.
    pub(crate) payback_months: Option<f64>,
    /// The payback in words; "does not pay back" when so.
    pub(crate) payback: String,
}

/// One assumption moved, the others as they are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "RoiVariant")]
pub(crate) struct Variant {
    pub(crate) assumption: String,
    pub(crate) change_percent: f64,
    pub(crate) value: f64,
    pub(crate) estimated_monthly_savings: f64,
    pub(crate) payback_months: Option<f64>,
}

/// What has been saved or spent in all after so many months.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "RoiChartPoint")]
pub(crate) struct ChartPoint {
    pub(crate) month: u32,
    pub(crate) lease: f64,
    pub(crate) purchase: f64,
}

/// The figures without what is derived from them.
struct Core {
    gross: f64,
    maintenance: f64,
    robot: f64,
    net: f64,
    payback: Option<f64>,
}

fn core(robot: &Robot, with: &Assumptions) -> Core {
    let gross = with.manual_monthly_spend * robot.time_efficiency * with.utilization;
    let maintenance = robot.monthly_lease * with.maintenance_factor;
    let cost = robot.monthly_lease + maintenance;
    let kept = gross - maintenance;
    Core {
        gross,
        maintenance,
        robot: cost,
        net: gross - cost,
        payback: (kept > 0.0).then(|| robot.purchase_price / kept),
    }
}

pub(crate) fn estimate(robot: &Robot, with: &Assumptions) -> Estimate {
    let figures = core(robot, with);
    let payback_months = figures.payback.map(tenths);
    let payback = match payback_months {
        Some(months) => format!("{months} months"),
        None => "does not pay back".to_owned(),
    };
    let kept = figures.gross - figures.maintenance;
    Estimate {
        sku: robot.sku.clone(),
        robot: robot.name.clone(),
        current_monthly_cost: cents(with.manual_monthly_spend),
        robot_monthly_cost: cents(figures.robot),
        gross_monthly_savings: cents(figures.gross),
        estimated_monthly_savings: cents(figures.net),
        estimated_yearly_savings: cents(figures.net * 12.0),
        current_monthly_hours: tenths(with.manual_monthly_hours),
        hours_saved_monthly: tenths(
            with.manual_monthly_hours * robot.time_efficiency * with.utilization,
        ),
        roi_percent: tenths(figures.net / figures.robot * 100.0),
        purchase: Purchase {
            price: cents(robot.purchase_price),
            monthly_maintenance: cents(figures.maintenance),
            monthly_savings: cents(kept),
            payback_months,
            payback,
        },
        payback_months,
        confidence: with.confidence(),
        algorithm_version: ALGORITHM_VERSION.to_owned(),
        factors_considered: with.in_words(robot),
        assumptions: with.clone(),
        sensitivity: sensitivity(robot, with),
        chart: CHART_MONTHS
            .iter()
            .map(|month| ChartPoint {
                month: *month,
                lease: cents(figures.net * f64::from(*month)),
                purchase: cents(kept * f64::from(*month) - robot.purchase_price),
            })
            .collect(),
    }
}

fn sensitivity(robot: &Robot, with: &Assumptions) -> Vec<Variant> {
    let variant = |assumption: &str, change: f64, value: f64, moved: &Assumptions| {
        let figures = core(robot, moved);
        Variant {
            assumption: assumption.to_owned(),
            change_percent: change * 100.0,
            value: cents(value),
            estimated_monthly_savings: cents(figures.net),
            payback_months: figures.payback.map(tenths),
        }
    };
    let mut variants = Vec::new();
    for change in [-SWING, SWING] {
        let moved = with.at_rate(1.0 + change);
        variants.push(variant("labor_rate", change, moved.labor_rate, &moved));
    }
    for change in [-SWING, SWING] {
        // More than all of the time there is not.
        let utilization = (with.utilization * (1.0 + change)).min(1.0);
        let moved = Assumptions {
            utilization,
            ..with.clone()
        };
        variants.push(variant("utilization", change, utilization, &moved));
    }
    variants
}

impl Estimate {
    /// The result in one sentence, also when it is a loss.
    pub(crate) fn verdict(&self) -> String {
        let net = self.estimated_monthly_savings;
        let lease = if net >= 0.0 {
            format!(
                "leasing the {} would save {} a month",
                self.robot,
                about_dollars(net)
            )
        } else {
            format!(
                "leasing the {} would cost {} a month more than it saves",
                self.robot,
                about_dollars(-net)
            )
        };
        match self.payback_months {
            Some(months) => format!("{lease}; bought, it pays back in {months} months"),
            None => format!("{lease}; bought, it does not pay back"),
        }
    }
}

fn cents(amount: f64) -> f64 {
    (amount * 100.0).round() / 100.0
}

fn tenths(amount: f64) -> f64 {
    (amount * 10.0).round() / 10.0
}

#[cfg(test)]
#[path = "roi_tests.rs"]
mod roi_tests;
