//! The savings and costs of a robot: the formula of `docs/robot-savings.md`. Nothing is floored, so a
//! robot can lose money; a range in the inputs gives a range in every figure.

mod derivation;
mod inputs;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::catalogue::Robot;
use super::money::about_dollars;
use super::span::{Span, decimal};
pub(crate) use derivation::Step;
use derivation::derivation;
use inputs::{Basis, Sourced, hand_output};
pub(crate) use inputs::{Edits, Input, InputName, Inputs, Missing, Source};

pub(crate) const ALGORITHM_VERSION: &str = "2026-11-area-and-hours";

/// Costs and benefits that the catalogue does not know.
pub(crate) const NOT_COUNTED: &str = "Not counted: installation, training, supervision, supplies and the machine's life; energy unless \
     you state it.";

/// The change of each value in the sensitivity table.
const SWING: f64 = 0.2;
const CHART_MONTHS: [u32; 7] = [0, 6, 12, 18, 24, 30, 36];
/// With more assumptions than this, confidence is low.
const MEDIUM_ASSUMPTIONS: usize = 3;

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

/// The estimate for one model of robot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "RoiEstimate")]
pub(crate) struct Estimate {
    pub(crate) sku: String,
    pub(crate) robot: String,
    /// Ways of cleaning and floors that it cannot do, in words.
    pub(crate) cannot: Vec<String>,
    /// Robots of this model that clean the area in time. More than one: one has not enough capacity.
    pub(crate) robots_needed: u32,
    pub(crate) current_monthly_cost: Span,
    pub(crate) current_monthly_hours: Span,
    /// The share of the work that the robots take over, from 0 to 1.
    pub(crate) share: f64,
    pub(crate) gross_monthly_savings: Span,
    pub(crate) hours_saved_monthly: Span,
    /// Manual work that remains.
    pub(crate) remaining_monthly_cost: Span,
    /// Lease, maintenance and stated energy of all robots.
    pub(crate) robot_monthly_cost: Span,
    /// On a lease; below zero when the robots cost more than they save.
    pub(crate) estimated_monthly_savings: Span,
    pub(crate) estimated_yearly_savings: Span,
    /// Net savings on a lease as a percentage of the robots' cost.
    pub(crate) roi_percent: Span,
    pub(crate) purchase: Purchase,
    pub(crate) confidence: Confidence,
    pub(crate) algorithm_version: String,
    pub(crate) inputs: Vec<Input>,
    pub(crate) derivation: Vec<Step>,
    pub(crate) sensitivity: Vec<Variant>,
    pub(crate) chart: Vec<ChartPoint>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "RoiPurchase")]
pub(crate) struct Purchase {
    pub(crate) price: Span,
    /// Each month after the price is paid.
    pub(crate) monthly_savings: Span,
    pub(crate) payback: Payback,
}

/// Months until the price is earned back; `null` where it never is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "RoiPayback")]
pub(crate) struct Payback {
    pub(crate) soonest: Option<f64>,
    pub(crate) latest: Option<f64>,
}

impl Payback {
    pub(crate) fn in_words(self) -> String {
        match (self.soonest, self.latest) {
            (None, _) => "does not pay back".to_owned(),
            (Some(months), None) => format!("{} months at best, or never", decimal(months)),
            (Some(soonest), Some(latest)) => {
                format!("{} months", Span::between(soonest, latest).written(decimal))
            }
        }
    }
}

/// One value changed, the others as they are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "RoiVariant")]
pub(crate) struct Variant {
    pub(crate) name: InputName,
    pub(crate) change_percent: f64,
    pub(crate) estimated_monthly_savings: Span,
    pub(crate) payback: Payback,
}

/// Cumulative gain or loss after some months.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "RoiChartPoint")]
pub(crate) struct ChartPoint {
    pub(crate) month: u32,
    pub(crate) lease: Span,
    pub(crate) purchase: Span,
}

/// One combination of the bounds of all ranges.
#[derive(Clone, Copy)]
struct Corner {
    spend: Option<f64>,
    hours: Option<f64>,
    rate: f64,
    area: f64,
}

/// The figures at one corner.
struct Case {
    hours: f64,
    today: f64,
    gross: f64,
    robots: f64,
    cost: f64,
    net: f64,
    price: f64,
    /// Net each month after a purchase.
    kept: f64,
}

/// The part of the work that a robot can do here.
struct Fit {
    modes: usize,
    mode_share: f64,
    floor_share: f64,
    share: f64,
    cannot: Vec<String>,
}

fn fit(robot: &Robot, inputs: &Inputs) -> Fit {
    let modes = inputs
        .modes
        .iter()
        .filter(|mode| robot.modes.contains(mode));
    let floors = inputs.surfaces.iter().filter(|floor| robot.cleans(**floor));
    let (modes, floors) = (modes.count(), floors.count());
    let part = |done: usize, of: usize| {
        if of == 0 {
            1.0
        } else {
            done as f64 / of as f64
        }
    };
    let (mode_share, floor_share) = (
        part(modes, inputs.modes.len()),
        part(floors, inputs.surfaces.len()),
    );
    let lacking = inputs
        .modes
        .iter()
        .filter(|mode| !robot.modes.contains(mode));
    let unfit = inputs
        .surfaces
        .iter()
        .filter(|floor| !robot.cleans(**floor));
    let lacking = lacking.map(|mode| mode.name().to_owned());
    Fit {
        modes,
        mode_share,
        floor_share,
        share: mode_share * floor_share * robot.time_efficiency * inputs.utilization.span.low,
        cannot: lacking
            .chain(unfit.map(|floor| format!("clean {}", floor.name())))
            .collect(),
    }
}

/// Square metres that one robot cleans on a charge, or in the time for a cleaning if that is
/// shorter. The catalogue does not say how long charging takes.
fn reach(robot: &Robot, inputs: &Inputs) -> f64 {
    let window = inputs.window.as_ref().map(|window| window.span.low);
    robot.least_output() * window.map_or(robot.runtime_h.0, |hours| hours.min(robot.runtime_h.0))
}

fn case(robot: &Robot, inputs: &Inputs, fit: &Fit, at: Corner) -> Case {
    let by_hand = |mode| at.area * inputs.cleanings.span.low / hand_output(mode);
    let from_area = || inputs.modes.iter().map(|mode| by_hand(*mode)).sum::<f64>();
    let (today, hours) = match (inputs.basis, at.spend) {
        (Basis::Spend, Some(spend)) => (spend, at.hours.unwrap_or(spend / at.rate.max(0.01))),
        (Basis::Spend | Basis::HoursTimesRate, _) => {
            let hours = at.hours.unwrap_or_else(from_area);
            (hours * at.rate, hours)
        }
    };
    let passes = fit.modes.max(1) as f64;
    let robots = (at.area * fit.floor_share * passes / reach(robot, inputs).max(1.0))
        .ceil()
        .max(1.0);
    let maintenance = robot.monthly_lease * inputs.maintenance.span.low;
    let energy = inputs.energy.as_ref().map_or(0.0, |energy| energy.span.low);
    let running = robots * (maintenance + energy);
    let cost = robots * robot.monthly_lease + running;
    let gross = today * fit.share;
    Case {
        hours,
        today,
        gross,
        robots,
        cost,
        net: gross - cost,
        price: robots * robot.purchase_price,
        kept: gross - running,
    }
}

/// The figures at every corner of the ranges. Each figure is monotone in each input, so its
/// bounds are among them.
fn cases(robot: &Robot, inputs: &Inputs, fit: &Fit) -> Vec<Case> {
    let ends = |value: &Option<Sourced>| match value {
        Some(value) => value.span.ends().into_iter().map(Some).collect(),
        None => vec![None],
    };
    let mut all = Vec::new();
    for spend in ends(&inputs.spend) {
        for hours in ends(&inputs.hours) {
            for rate in inputs.rate.span.ends() {
                for area in inputs.area.span.ends() {
                    let corner = Corner {
                        spend,
                        hours,
                        rate,
                        area,
                    };
                    all.push(case(robot, inputs, fit, corner));
                }
            }
        }
    }
    all
}

fn span(cases: &[Case], figure: impl Fn(&Case) -> f64) -> Span {
    let least = cases.iter().map(&figure).fold(f64::INFINITY, f64::min);
    let most = cases.iter().map(&figure).fold(f64::NEG_INFINITY, f64::max);
    Span::between(cents(least), cents(most))
}

fn payback(cases: &[Case]) -> Payback {
    let months = |case: &Case| (case.kept > 0.0).then(|| tenths(case.price / case.kept));
    let all: Vec<Option<f64>> = cases.iter().map(months).collect();
    let paying = || all.iter().flatten().copied();
    Payback {
        soonest: paying().min_by(f64::total_cmp),
        latest: match all.contains(&None) {
            true => None,
            false => paying().max_by(f64::total_cmp),
        },
    }
}

pub(crate) fn estimate(robot: &Robot, inputs: &Inputs) -> Estimate {
    let fit = fit(robot, inputs);
    let cases = cases(robot, inputs, &fit);
    let listed = inputs.listed(robot);
    let after = |month: u32| f64::from(month);
    let point = |month: &u32| ChartPoint {
        month: *month,
        lease: span(&cases, |case| case.net * after(*month)),
        purchase: span(&cases, |case| case.kept * after(*month) - case.price),
    };
    let needed = span(&cases, |case| case.robots);
    let mut estimate = Estimate {
        sku: robot.sku.clone(),
        robot: robot.name.clone(),
        cannot: fit.cannot.clone(),
        robots_needed: needed.high as u32,
        current_monthly_cost: span(&cases, |case| case.today),
        current_monthly_hours: span(&cases, |case| case.hours),
        share: fit.share,
        gross_monthly_savings: span(&cases, |case| case.gross),
        hours_saved_monthly: span(&cases, |case| case.hours * fit.share),
        remaining_monthly_cost: span(&cases, |case| case.today - case.gross),
        robot_monthly_cost: span(&cases, |case| case.cost),
        estimated_monthly_savings: span(&cases, |case| case.net),
        estimated_yearly_savings: span(&cases, |case| case.net * 12.0),
        roi_percent: span(&cases, |case| tenths(case.net / case.cost * 100.0)),
        purchase: Purchase {
            price: span(&cases, |case| case.price),
            monthly_savings: span(&cases, |case| case.kept),
            payback: payback(&cases),
        },
        confidence: confidence(&listed),
        algorithm_version: ALGORITHM_VERSION.to_owned(),
        inputs: listed,
        derivation: Vec::new(),
        sensitivity: sensitivity(robot, inputs),
        chart: CHART_MONTHS.iter().map(point).collect(),
    };
    estimate.derivation = derivation(robot, inputs, &fit, &estimate);
    estimate
}

/// Every assumption lowers it, and so does a range.
fn confidence(inputs: &[Input]) -> Confidence {
    let is_range = |input: &&Input| input.value.is_some_and(Span::is_range);
    let doubts = assumptions(inputs).count() + inputs.iter().filter(is_range).count();
    match doubts {
        0 => Confidence::High,
        1..=MEDIUM_ASSUMPTIONS => Confidence::Medium,
        _ => Confidence::Low,
    }
}

fn assumptions(inputs: &[Input]) -> impl Iterator<Item = &Input> {
    inputs
        .iter()
        .filter(|input| input.source == Source::Default)
}

/// A value of the inputs that can be changed.
type Lever = (InputName, fn(&mut Inputs) -> Option<&mut Sourced>);

const LEVERS: [Lever; 5] = [
    (InputName::MonthlySpend, |inputs| inputs.spend.as_mut()),
    (InputName::MonthlyHours, |inputs| inputs.hours.as_mut()),
    (InputName::LaborRate, |inputs| Some(&mut inputs.rate)),
    (InputName::Area, |inputs| Some(&mut inputs.area)),
    (InputName::Utilization, |inputs| {
        Some(&mut inputs.utilization)
    }),
];

fn sensitivity(robot: &Robot, inputs: &Inputs) -> Vec<Variant> {
    let unused: &[InputName] = match inputs.basis {
        Basis::Spend => &[InputName::MonthlyHours, InputName::LaborRate],
        Basis::HoursTimesRate => &[InputName::MonthlySpend],
    };
    let levers = LEVERS
        .into_iter()
        .filter(|(name, _)| !unused.contains(name));
    let variant = |(name, value): Lever, change: f64| {
        let mut moved = inputs.clone();
        let value = value(&mut moved)?;
        value.span = value.span.map(|value| value * (1.0 + change));
        // A robot cannot be used for more than all of its work.
        if name == InputName::Utilization && value.span.high > 1.0 {
            return None;
        }
        let cases = cases(robot, &moved, &fit(robot, &moved));
        Some(Variant {
            name,
            change_percent: change * 100.0,
            estimated_monthly_savings: span(&cases, |case| case.net),
            payback: payback(&cases),
        })
    };
    let changes = |lever| [-SWING, SWING].map(|change| variant(lever, change));
    levers.flat_map(changes).flatten().collect()
}

impl Estimate {
    /// The result in one sentence, also when it is a loss.
    pub(crate) fn verdict(&self) -> String {
        let (net, robot) = (self.estimated_monthly_savings, &self.robot);
        let many = self.robots_needed > 1;
        if self.share == 0.0 {
            return format!(
                "The {robot} cannot {}, so it saves nothing here and would cost {} a month.",
                self.cannot.join(" or "),
                self.robot_monthly_cost.dollars()
            );
        }
        let (leased, bought) = match many {
            true => (
                format!("Leased, {} {robot}", self.robots_needed),
                "bought, they",
            ),
            false => (format!("Leased, the {robot}"), "bought, it"),
        };
        let lease = if net.low >= 0.0 {
            format!("{leased} would save {} a month", net.dollars())
        } else if net.high < 0.0 {
            let more = net.map(|value| -value).dollars();
            format!("{leased} would cost {more} a month more than saved")
        } else {
            let (cost, saving) = (about_dollars(-net.low), about_dollars(net.high));
            format!("{leased} would do anything from costing {cost} to saving {saving} a month")
        };
        let payback = self.purchase.payback;
        let bought = match payback.soonest {
            Some(_) => format!("{bought} would pay back in {}", payback.in_words()),
            None => format!("{bought} would not pay back"),
        };
        let capacity = many.then(|| {
            let needed = self.robots_needed;
            format!("One {robot} has not enough capacity: {needed} are needed. ")
        });
        format!("{}{lease}; {bought}.", capacity.unwrap_or_default())
    }

    /// The confidence with its reason.
    pub(crate) fn confidence_in_words(&self) -> String {
        let assumed: Vec<String> = assumptions(&self.inputs)
            .map(|input| input.name.label().to_lowercase())
            .collect();
        match assumed.is_empty() {
            true => format!("Confidence: {}.", self.confidence.name()),
            false => format!(
                "Confidence: {}. Assumed, not stated: {}.",
                self.confidence.name(),
                assumed.join(", ")
            ),
        }
    }

    /// The lines on what is behind the figures, the same in the chat, on the page and on paper.
    pub(crate) fn input_lines(&self) -> Vec<String> {
        let line = |input: &Input| {
            let (label, source) = (input.name.label(), input.source.in_words());
            format!("{label}: {} ({source})", input.text)
        };
        self.inputs.iter().map(line).collect()
    }
}

fn cents(amount: f64) -> f64 {
    (amount * 100.0).round() / 100.0
}

fn tenths(amount: f64) -> f64 {
    (amount * 10.0).round() / 10.0
}

#[cfg(test)]
mod roi_tests;
