//! Robots that fit, by what they save here, with the reasons. A robot that loses money, cannot do the
//! work or exceeds the budget is never called recommended.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::catalogue::Robot;
use super::money::dollars;
use super::roi::{Estimate, Inputs, Payback, estimate};
use super::span::{Span, percent};

pub(crate) const DEFAULT_TOP: usize = 3;
pub(crate) const MOST_TOP: usize = 50;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schemars(rename = "RecommendationLabel")]
pub(crate) enum Label {
    Recommended,
    BestValue,
    Upgrade,
    Alternative,
}

impl Label {
    pub(crate) fn in_words(self) -> &'static str {
        match self {
            Label::Recommended => "recommended",
            Label::BestValue => "best value",
            Label::Upgrade => "upgrade",
            Label::Alternative => "alternative",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "RobotRecommendation")]
pub(crate) struct Recommendation {
    pub(crate) sku: String,
    pub(crate) robot: String,
    pub(crate) category: String,
    pub(crate) label: Label,
    /// Sentences for people.
    pub(crate) reasons: Vec<String>,
    /// US dollars a month for one robot; indicative.
    pub(crate) monthly_lease: f64,
    pub(crate) robots_needed: u32,
    pub(crate) estimated_monthly_savings: Span,
    pub(crate) roi_percent: Span,
    pub(crate) payback: Payback,
    /// `null` if no budget was stated.
    pub(crate) within_budget: Option<bool>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "RobotRecommendations")]
pub(crate) struct Recommendations {
    pub(crate) recommendations: Vec<Recommendation>,
    /// Sentences about the whole list, e.g. that no robot fits the budget.
    pub(crate) notes: Vec<String>,
}

/// The best robots first. `budget` is the most that may be spent on leases, in US dollars a month.
pub(crate) fn recommend(
    robots: &[Robot],
    inputs: &Inputs,
    budget: Option<f64>,
    top: usize,
) -> Recommendations {
    let estimates = robots.iter().map(|robot| (robot, estimate(robot, inputs)));
    // A robot that cannot do any of the work is no option.
    let mut all: Vec<(&Robot, Estimate)> =
        estimates.filter(|(_, found)| found.share > 0.0).collect();
    let fits = |(robot, found): &(&Robot, Estimate)| {
        budget.is_none_or(|most| lease_of_all(robot, found) <= most)
    };
    let worst = |(_, found): &(&Robot, Estimate)| found.estimated_monthly_savings.low;
    all.sort_by(|a, b| {
        fits(b)
            .cmp(&fits(a))
            .then(worst(b).total_cmp(&worst(a)))
            .then(a.0.sku.cmp(&b.0.sku))
    });
    let notes = notes(&all, budget);
    let pays = |one: &(&Robot, Estimate)| fits(one) && worst(one) >= 0.0;
    let best = all.iter().position(pays);
    let value = |one: &(&Robot, Estimate)| one.1.roi_percent.low;
    let paying = all.iter().enumerate().filter(|(_, one)| pays(one));
    let cheapest = paying.max_by(|(_, a), (_, b)| value(a).total_cmp(&value(b)));
    let cheapest = cheapest.map(|(place, _)| place);
    let share = best.map(|place| all[place].1.share);
    let labelled = |(place, one): (usize, &(&Robot, Estimate))| {
        let label = if Some(place) == best {
            Label::Recommended
        } else if Some(place) == cheapest {
            Label::BestValue
        } else if pays(one) && share.is_some_and(|share| one.1.share > share) {
            Label::Upgrade
        } else {
            Label::Alternative
        };
        recommendation(one, label, budget.map(|_| fits(one)))
    };
    Recommendations {
        recommendations: all.iter().enumerate().take(top).map(labelled).collect(),
        notes,
    }
}

fn lease_of_all(robot: &Robot, found: &Estimate) -> f64 {
    robot.monthly_lease * f64::from(found.robots_needed)
}

fn notes(all: &[(&Robot, Estimate)], budget: Option<f64>) -> Vec<String> {
    let mut notes = Vec::new();
    let lease = |(robot, found): &&(&Robot, Estimate)| lease_of_all(robot, found);
    let cheapest = all.iter().min_by(|a, b| lease(a).total_cmp(&lease(b)));
    if let (Some(budget), Some(one)) = (budget, cheapest)
        && lease(&one) > budget
    {
        notes.push(format!(
            "No robot that can do the work leases for {} a month or less; the cheapest is the {} at {} (indicative).",
            dollars(budget),
            one.0.name,
            dollars(lease(&one))
        ));
    }
    if all.is_empty() {
        notes.push("No robot of the catalogue can do this work.".to_owned());
    } else if all
        .iter()
        .all(|(_, found)| found.estimated_monthly_savings.high < 0.0)
    {
        notes.push(
            "With these figures no robot of the catalogue saves money on a lease.".to_owned(),
        );
    }
    notes
}

fn recommendation(
    (robot, found): &(&Robot, Estimate),
    label: Label,
    within_budget: Option<bool>,
) -> Recommendation {
    Recommendation {
        sku: robot.sku.clone(),
        robot: robot.name.clone(),
        category: robot.category.clone(),
        label,
        reasons: reasons(robot, found),
        monthly_lease: robot.monthly_lease,
        robots_needed: found.robots_needed,
        estimated_monthly_savings: found.estimated_monthly_savings,
        roi_percent: found.roi_percent,
        payback: found.purchase.payback,
        within_budget,
    }
}

fn reasons(robot: &Robot, found: &Estimate) -> Vec<String> {
    let work = match found.cannot.is_empty() {
        true => "It can do all of your cleaning on your floors.".to_owned(),
        false => format!("It cannot {}.", found.cannot.join(" or ")),
    };
    let capacity = match found.robots_needed {
        1 => format!("One is enough: it cleans {}.", robot.area_in_words()),
        count => format!("One has not enough capacity: {count} are needed."),
    };
    let share = format!("It takes over {} of the work.", percent(found.share));
    vec![work, share, capacity]
}

#[cfg(test)]
#[path = "recommend_tests.rs"]
mod recommend_tests;
