//! Which robots fit, with the reasons. A score says how well a robot fits the facility; whether it pays is another
//! question, and a robot that loses money or breaks the budget is never called recommended.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::catalogue::{Mode, Robot};
use super::discovery::Profile;
use super::money::{about_dollars, dollars};
use super::reading::facility::Facility;
use super::roi::{Assumptions, Estimate, estimate};

const BASE: i32 = 50;
pub(crate) const DEFAULT_TOP: usize = 3;
pub(crate) const MOST_TOP: usize = 50;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "RecommendationLabel")]
pub(crate) enum Label {
    #[serde(rename = "RECOMMENDED")]
    Recommended,
    #[serde(rename = "BEST VALUE")]
    BestValue,
    #[serde(rename = "UPGRADE")]
    Upgrade,
    #[serde(rename = "ALTERNATIVE")]
    Alternative,
}

impl Label {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Label::Recommended => "RECOMMENDED",
            Label::BestValue => "BEST VALUE",
            Label::Upgrade => "UPGRADE",
            Label::Alternative => "ALTERNATIVE",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "RecommendationReason")]
pub(crate) struct Reason {
    pub(crate) factor: String,
    pub(crate) explanation: String,
    pub(crate) score_impact: i32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "RobotRecommendation")]
pub(crate) struct Recommendation {
    pub(crate) sku: String,
    pub(crate) robot: String,
    pub(crate) category: String,
    pub(crate) label: Label,
    pub(crate) score: i32,
    pub(crate) reasons: Vec<Reason>,
    /// US dollars a month; indicative.
    pub(crate) monthly_lease: f64,
    /// US dollars; indicative.
    pub(crate) purchase_price: f64,
    pub(crate) estimated_monthly_savings: f64,
    pub(crate) roi_percent: f64,
    pub(crate) payback_months: Option<f64>,
    /// `null` where no budget was named.
    pub(crate) within_budget: Option<bool>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "RobotRecommendations")]
pub(crate) struct Recommendations {
    pub(crate) recommendations: Vec<Recommendation>,
    /// What must be said beside the list, e.g. that nothing fits the budget.
    pub(crate) notes: Vec<String>,
}

/// The best robots for a facility. `budget` is what may be spent on a lease, where somebody said so.
pub(crate) fn recommend(
    robots: &[Robot],
    profile: &Profile,
    with: &Assumptions,
    budget: Option<f64>,
    top: usize,
) -> Recommendations {
    let budget = budget.or(profile.monthly_budget);
    let mut all: Vec<(Recommendation, &Robot, Estimate)> = robots
        .iter()
        .map(|robot| {
            let found = estimate(robot, with);
            (scored(robot, profile, with, &found, budget), robot, found)
        })
        .collect();
    let fits = |one: &Recommendation| one.within_budget.unwrap_or(true);
    all.sort_by(|(a, _, _), (b, _, _)| {
        fits(b)
            .cmp(&fits(a))
            .then(b.score.cmp(&a.score))
            .then(
                b.estimated_monthly_savings
                    .total_cmp(&a.estimated_monthly_savings),
            )
            .then(a.sku.cmp(&b.sku))
    });
    let notes = notes(&all, budget);
    all.truncate(top);
    label(&mut all);
    Recommendations {
        recommendations: all.into_iter().map(|(one, _, _)| one).collect(),
        notes,
    }
}

fn notes(all: &[(Recommendation, &Robot, Estimate)], budget: Option<f64>) -> Vec<String> {
    let mut notes = Vec::new();
    let cheapest = all
        .iter()
        .min_by(|(a, _, _), (b, _, _)| a.monthly_lease.total_cmp(&b.monthly_lease));
    if let (Some(budget), Some((cheapest, _, _))) = (budget, cheapest)
        && cheapest.monthly_lease > budget
    {
        notes.push(format!(
            "No robot leases for {} a month or less; the cheapest is the {} at {} (indicative).",
            dollars(budget),
            cheapest.robot,
            dollars(cheapest.monthly_lease)
        ));
    }
    if all
        .iter()
        .all(|(one, _, _)| one.estimated_monthly_savings < 0.0)
    {
        notes.push(
            "With these figures no robot of the catalogue saves money on a lease.".to_owned(),
        );
    }
    notes
}

fn label(all: &mut [(Recommendation, &Robot, Estimate)]) {
    let pays = |one: &Recommendation| {
        one.estimated_monthly_savings >= 0.0 && one.within_budget.unwrap_or(true)
    };
    let Some(first) = all.iter().position(|(one, _, _)| pays(one)) else {
        return;
    };
    all[first].0.label = Label::Recommended;
    let (price, area) = (all[first].1.purchase_price, all[first].1.area_m2_h.1);
    let value = |(place, (one, _, _)): (usize, &(Recommendation, &Robot, Estimate))| {
        (place != first && pays(one)).then_some((place, one.roi_percent))
    };
    let best = all
        .iter()
        .enumerate()
        .filter_map(value)
        .max_by(|(_, a), (_, b)| a.total_cmp(b));
    if let Some((place, _)) = best {
        all[place].0.label = Label::BestValue;
    }
    for (one, robot, _) in all.iter_mut() {
        let more = robot.purchase_price > price
            && (robot.area_m2_h.1 > area || robot.purchase_price >= price * 1.05);
        if one.label == Label::Alternative && more {
            one.label = Label::Upgrade;
        }
    }
}

fn scored(
    robot: &Robot,
    profile: &Profile,
    with: &Assumptions,
    found: &Estimate,
    budget: Option<f64>,
) -> Recommendation {
    let reasons = vec![
        facility(robot, profile),
        floors(robot, profile),
        method(robot, profile),
        cost(robot, with),
        efficiency(robot),
    ];
    Recommendation {
        sku: robot.sku.clone(),
        robot: robot.name.clone(),
        category: robot.category.clone(),
        label: Label::Alternative,
        score: BASE
            + reasons
                .iter()
                .map(|reason| reason.score_impact)
                .sum::<i32>(),
        reasons,
        monthly_lease: robot.monthly_lease,
        purchase_price: robot.purchase_price,
        estimated_monthly_savings: found.estimated_monthly_savings,
        roi_percent: found.roi_percent,
        payback_months: found.payback_months,
        within_budget: budget.map(|budget| robot.monthly_lease <= budget),
    }
}

fn reason(factor: &str, score_impact: i32, explanation: String) -> Reason {
    Reason {
        factor: factor.to_owned(),
        explanation,
        score_impact,
    }
}

/// Up to 15: whether it is made for such a place. With the floors this is the facility's 25.
fn facility(robot: &Robot, profile: &Profile) -> Reason {
    let has = |mode: Mode| robot.modes.contains(&mode);
    let wet = has(Mode::Mop) || has(Mode::Scrub);
    let Some(facility) = profile.facility else {
        return reason(
            "facility",
            8,
            "The kind of facility is not known yet.".to_owned(),
        );
    };
    let (points, why) = match facility {
        Facility::PickleballClub | Facility::TennisClub
            if has(Mode::Vacuum) || has(Mode::Sweep) =>
        {
            (15, "picks up dust and litter, which is what courts need")
        }
        Facility::PickleballClub | Facility::TennisClub => (
            5,
            "only scrubs, while courts mostly need sweeping or vacuuming",
        ),
        Facility::Restaurant if wet && robot.aisle_cm <= 70 => {
            (15, "cleans wet and fits between tables")
        }
        Facility::Restaurant if wet => (8, "cleans wet but needs wide passages"),
        Facility::Restaurant => (3, "does not clean wet, which a restaurant needs"),
        Facility::Warehouse if robot.area_m2_h.1 >= 1_400 => {
            (15, "is fast enough for large floors")
        }
        Facility::Warehouse if robot.area_m2_h.1 >= 1_000 => (8, "manages floors of middle size"),
        Facility::Warehouse => (3, "is slow for a warehouse"),
        Facility::Datacenter if has(Mode::Vacuum) && robot.aisle_cm <= 75 => {
            (15, "vacuums and fits between racks")
        }
        Facility::Datacenter if has(Mode::Vacuum) => (10, "vacuums but needs wide aisles"),
        Facility::Datacenter => (3, "cleans wet, which is not wanted between racks"),
    };
    reason(
        "facility",
        points,
        format!("{}: it {why}.", facility.name()),
    )
}

/// Up to 10: whether it cleans these floors.
fn floors(robot: &Robot, profile: &Profile) -> Reason {
    if profile.surfaces.is_empty() {
        return reason("surfaces", 5, "The floors are not known yet.".to_owned());
    }
    let cleaned = profile
        .surfaces
        .iter()
        .filter(|surface| robot.cleans(**surface))
        .count();
    let names: Vec<&str> = profile
        .surfaces
        .iter()
        .map(|surface| surface.name())
        .collect();
    let names = names.join(", ");
    match cleaned {
        0 => reason(
            "surfaces",
            0,
            format!("It is not made for your floors ({names})."),
        ),
        some if some < profile.surfaces.len() => reason(
            "surfaces",
            5,
            format!("It cleans some of your floors ({names})."),
        ),
        _ => reason("surfaces", 10, format!("It cleans your floors ({names}).")),
    }
}

/// Up to 20: whether it cleans as it is done today.
fn method(robot: &Robot, profile: &Profile) -> Reason {
    let points = |mode: &Mode| match mode {
        Mode::Mop | Mode::Vacuum => 20,
        Mode::Sweep | Mode::Scrub => 15,
    };
    if profile.methods.is_empty() {
        return reason(
            "method",
            10,
            "How you clean today is not known, so this counts half.".to_owned(),
        );
    }
    let shared = profile
        .methods
        .iter()
        .filter(|mode| robot.modes.contains(mode));
    match shared.max_by_key(|mode| points(mode)) {
        Some(mode) => reason(
            "method",
            points(mode),
            format!("It can {}, as you do today.", mode.name()),
        ),
        None => reason(
            "method",
            0,
            format!(
                "It cannot do what you do today; it can {}.",
                robot.modes_in_words()
            ),
        ),
    }
}

/// Up to 15: what the lease is of today's spending.
fn cost(robot: &Robot, with: &Assumptions) -> Reason {
    let spend = with.manual_monthly_spend;
    let share = if spend > 0.0 {
        robot.monthly_lease / spend
    } else {
        f64::INFINITY
    };
    let points = match share {
        share if share <= 0.5 => 15,
        share if share <= 1.0 => 10,
        share if share <= 1.5 => 5,
        _ => 0,
    };
    let of = if share.is_finite() {
        format!("{:.0} % of", share * 100.0)
    } else {
        "more than".to_owned()
    };
    reason(
        "budget",
        points,
        format!(
            "The lease of {} is {of} the {} you spend a month.",
            dollars(robot.monthly_lease),
            about_dollars(spend)
        ),
    )
}

/// Up to 10.
fn efficiency(robot: &Robot) -> Reason {
    let points = (robot.time_efficiency * 10.0).round() as i32;
    reason(
        "efficiency",
        points,
        format!(
            "It takes over {:.0} % of the cleaning time.",
            robot.time_efficiency * 100.0
        ),
    )
}

#[cfg(test)]
#[path = "recommend_tests.rs"]
mod recommend_tests;
