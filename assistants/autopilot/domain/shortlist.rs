//! The shortlisted robots, the people who decide, and the next step.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::catalogue::Robot;
use super::money::dollars;
use super::roi::{Inputs, Missing, Payback, estimate};
use super::span::Span;

/// More robots cannot be compared side by side.
pub(crate) const MOST_ROBOTS: usize = 5;
pub(crate) const MOST_STAKEHOLDERS: usize = 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "RobotNextStep")]
pub(crate) enum NextStep {
    /// Talk to sales about a detailed proposal.
    ContactSales,
    /// See the robot at work.
    ScheduleDemo,
    /// Show the business case to colleagues first.
    ShareInternally,
}

impl NextStep {
    pub(crate) fn in_words(self) -> &'static str {
        match self {
            NextStep::ContactSales => "Talk to sales about a detailed proposal",
            NextStep::ScheduleDemo => "See the robot at work in a demo",
            NextStep::ShareInternally => "Show the business case to colleagues",
        }
    }
}

/// Stored in the conversation's metadata.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(rename = "RobotShortlist")]
pub(crate) struct Shortlist {
    /// By sku, in the order in which they were added.
    pub(crate) robots: Vec<String>,
    pub(crate) stakeholders: Vec<String>,
    pub(crate) next_step: Option<NextStep>,
}

impl Shortlist {
    pub(crate) fn add(&mut self, sku: &str) -> Result<(), String> {
        if self.robots.iter().any(|known| known == sku) {
            return Ok(());
        }
        if self.robots.len() >= MOST_ROBOTS {
            return Err(format!(
                "The shortlist has {MOST_ROBOTS} robots, the most that can be compared. Remove one first."
            ));
        }
        self.robots.push(sku.to_owned());
        Ok(())
    }

    /// Returns whether it was listed.
    pub(crate) fn remove(&mut self, sku: &str) -> bool {
        let before = self.robots.len();
        self.robots.retain(|known| known != sku);
        self.robots.len() < before
    }
}

/// One robot of the comparison.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ComparedRobot")]
pub(crate) struct ComparisonRow {
    pub(crate) sku: String,
    pub(crate) robot: String,
    pub(crate) category: String,
    pub(crate) modes: String,
    pub(crate) surfaces: String,
    pub(crate) area: String,
    pub(crate) runtime: String,
    pub(crate) aisle_cm: u32,
    pub(crate) monthly_lease: f64,
    pub(crate) purchase_price: f64,
    /// Absent while there are too few facts for a figure.
    pub(crate) figures: Option<RowFigures>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ComparedFigures")]
pub(crate) struct RowFigures {
    pub(crate) robots_needed: u32,
    pub(crate) estimated_monthly_savings: Span,
    pub(crate) payback: Payback,
}

pub(crate) fn compare(robots: &[&Robot], inputs: &Result<Inputs, Missing>) -> Vec<ComparisonRow> {
    let figures = |robot: &Robot| {
        let found = estimate(robot, inputs.as_ref().ok()?);
        Some(RowFigures {
            robots_needed: found.robots_needed,
            estimated_monthly_savings: found.estimated_monthly_savings,
            payback: found.purchase.payback,
        })
    };
    let one = |robot: &&Robot| ComparisonRow {
        sku: robot.sku.clone(),
        robot: robot.name.clone(),
        category: robot.category.clone(),
        modes: robot.modes_in_words(),
        surfaces: robot.surfaces_in_words(),
        area: robot.area_in_words(),
        runtime: robot.runtime_in_words(),
        aisle_cm: robot.aisle_cm,
        monthly_lease: robot.monthly_lease,
        purchase_price: robot.purchase_price,
        figures: figures(robot),
    };
    robots.iter().map(one).collect()
}

/// The place of the speed among [`ComparisonRow::cells`].
pub(crate) const SPEED_CELL: usize = 2;

impl ComparisonRow {
    /// Name, ways of cleaning, speed, lease, price, number needed, savings and payback, for people.
    pub(crate) fn cells(&self) -> [String; 8] {
        let unknown = || "–".to_owned();
        let figure =
            |write: fn(&RowFigures) -> String| self.figures.as_ref().map_or_else(unknown, write);
        [
            self.robot.clone(),
            self.modes.clone(),
            self.area.clone(),
            dollars(self.monthly_lease),
            dollars(self.purchase_price),
            figure(|figures| figures.robots_needed.to_string()),
            figure(|figures| figures.estimated_monthly_savings.dollars()),
            figure(|figures| figures.payback.in_words()),
        ]
    }
}

/// The comparison as a Markdown table, a robot a line.
pub(crate) fn table(rows: &[ComparisonRow]) -> String {
    const HEAD: &str = "| Robot | Cleans | Speed | Lease/month | Price | Needed | Saves/month | Payback |\n|---|---|---|---:|---:|---:|---:|---:|";
    let rows = rows
        .iter()
        .map(|row| format!("| {} |", row.cells().join(" | ")));
    [HEAD.to_owned()]
        .into_iter()
        .chain(rows)
        .collect::<Vec<_>>()
        .join("\n")
}

#[cfg(test)]
#[path = "shortlist_tests.rs"]
mod shortlist_tests;
