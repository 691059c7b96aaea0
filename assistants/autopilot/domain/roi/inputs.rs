//! The values that an estimate is calculated from, each with its source.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::catalogue::{Mode, Robot, Surface};
use super::super::discovery::Discovery;
use super::super::keys::Key;
use super::super::money::dollars;
use super::super::quantity::{Every, MONTH_DAYS, area_in_words, hours_a_month};
use super::super::reading::unused_numbers;
use super::super::span::{Span, decimal, percent};
use super::super::units::{Unit, check_unit, only, with_units};

const DEFAULT_LABOR_RATE: f64 = 25.0;
const DEFAULT_UTILIZATION: f64 = 1.0;
const DEFAULT_MAINTENANCE: f64 = 0.05;
const DEFAULT_CLEANINGS: f64 = MONTH_DAYS;

/// A value of the calculation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "RoiInputName")]
pub(crate) enum InputName {
    MonthlySpend,
    MonthlyHours,
    LaborRate,
    Area,
    Cleanings,
    Method,
    Floors,
    HandOutput,
    Window,
    Utilization,
    Maintenance,
    Energy,
    RobotShare,
    RobotOutput,
    Runtime,
    Lease,
    Price,
}

impl InputName {
    pub(crate) fn label(self) -> &'static str {
        match self {
            InputName::MonthlySpend => "Cleaning costs",
            InputName::MonthlyHours => "Hours of cleaning",
            InputName::LaborRate => "An hour of work",
            InputName::Area => "Floor area",
            InputName::Cleanings => "How often",
            InputName::Method => "How it is cleaned",
            InputName::Floors => "Floors",
            InputName::HandOutput => "Cleaning by hand",
            InputName::Window => "Time for a cleaning",
            InputName::Utilization => "Use of the robot",
            InputName::Maintenance => "Maintenance",
            InputName::Energy => "Energy",
            InputName::RobotShare => "Work it can take over",
            InputName::RobotOutput => "Rated output",
            InputName::Runtime => "Runtime on a charge",
            InputName::Lease => "Lease (indicative)",
            InputName::Price => "Price (indicative)",
        }
    }
}

/// The origin of a value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "kind")]
#[schemars(rename = "RoiSource")]
pub(crate) enum Source {
    /// A person stated it.
    Said {
        by: Option<String>,
        quote: String,
    },
    /// Somebody changed it for the calculation.
    Changed,
    Catalogue,
    /// An assumption: nobody stated it.
    Default,
}

impl Source {
    pub(crate) fn in_words(&self) -> String {
        match self {
            Source::Said { by: Some(by), .. } => format!("said by {by}"),
            Source::Said { by: None, .. } => "said in the conversation".to_owned(),
            Source::Changed => "changed for this calculation".to_owned(),
            Source::Catalogue => "catalogue".to_owned(),
            Source::Default => "assumed".to_owned(),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "RoiInput")]
pub(crate) struct Input {
    pub(crate) name: InputName,
    pub(crate) text: String,
    /// In the unit of [`Edits`]; absent for a list of words.
    pub(crate) value: Option<Span>,
    pub(crate) source: Source,
}

/// Values that somebody wants to be different from the facts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "RoiEdits")]
pub(crate) struct Edits {
    /// US dollars for an hour of cleaning work. Cleaning then costs hours times rate.
    pub(crate) labor_rate: Option<f64>,
    /// The share of the work for which the robot is really used, from 0 to 1.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub(crate) utilization: Option<f64>,
    /// Maintenance as a share of the lease, from 0 to 1.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub(crate) maintenance_factor: Option<f64>,
    /// Today's cost of cleaning, in US dollars a month.
    pub(crate) manual_monthly_spend: Option<f64>,
    /// Hours of cleaning work a month. Cleaning then costs hours times rate.
    pub(crate) manual_monthly_hours: Option<f64>,
    /// Floor area in square metres.
    pub(crate) area_m2: Option<f64>,
    /// Hours in which one cleaning must be done.
    pub(crate) window_hours: Option<f64>,
    /// Energy of one robot in US dollars a month.
    pub(crate) monthly_energy: Option<f64>,
}

impl Edits {
    /// Refuses impossible values.
    pub(crate) fn check(&self) -> Result<(), (&'static str, String)> {
        let limits = [
            ("labor_rate", self.labor_rate, 0.0, 1_000.0),
            ("utilization", self.utilization, 0.0, 1.0),
            ("maintenance_factor", self.maintenance_factor, 0.0, 1.0),
            (
                "manual_monthly_spend",
                self.manual_monthly_spend,
                0.0,
                10_000_000.0,
            ),
            (
                "manual_monthly_hours",
                self.manual_monthly_hours,
                0.0,
                100_000.0,
            ),
            ("area_m2", self.area_m2, 1.0, 1_000_000.0),
            ("window_hours", self.window_hours, 0.1, 24.0),
            ("monthly_energy", self.monthly_energy, 0.0, 100_000.0),
        ];
        for (field, value, least, most) in limits {
            if value.is_some_and(|value| !(least..=most).contains(&value)) {
                return Err((field, format!("must be a number from {least} to {most}")));
            }
        }
        Ok(())
    }

    /// Refuses a value that the person's message has as a value of another kind only.
    pub(crate) fn check_units(&self, said: &str) -> Result<(), (&'static str, String)> {
        const MONEY: &[Unit] = &[Unit::Money];
        let values = [
            (
                "labor_rate",
                self.labor_rate,
                &[Unit::Wage, Unit::Money][..],
            ),
            ("manual_monthly_spend", self.manual_monthly_spend, MONEY),
            (
                "manual_monthly_hours",
                self.manual_monthly_hours,
                &[Unit::Hours],
            ),
            ("area_m2", self.area_m2, &[Unit::Area]),
            (
                "window_hours",
                self.window_hours,
                &[Unit::Hours, Unit::TimeOfDay],
            ),
            ("monthly_energy", self.monthly_energy, MONEY),
        ];
        for (field, value, fitting) in values {
            let value = value.map(|value| value.to_string()).unwrap_or_default();
            check_unit(said, &value, fitting).map_err(|problem| (field, problem))?;
        }
        self.check_periods(said)
    }

    /// Refuses hours of a day and amounts of a week or a year in the place of a month's.
    fn check_periods(&self, said: &str) -> Result<(), (&'static str, String)> {
        let is_in = |value: Option<f64>, text: &str| {
            value.is_some_and(|value| unused_numbers(&value.to_string(), text).is_empty())
        };
        let hours = with_units(said, &[Unit::Hours]);
        let is_month = hours.to_lowercase().contains("month");
        if is_in(self.manual_monthly_hours, &hours) && !is_month {
            let month = hours_a_month(&hours, MONTH_DAYS).map(|month| month.written(decimal));
            let month = month.unwrap_or_else(|| "60".to_owned());
            let problem = format!("must be for a month, such as {month} hours a month");
            return Err(("manual_monthly_hours", problem));
        }
        let money = only(said, Unit::Money).to_lowercase();
        let other = matches!(Every::named(&money), Some(Every::Week | Every::Year));
        if is_in(self.manual_monthly_spend, &money) && other && !money.contains("month") {
            let problem = "must be for a month, such as $3,500 a month".to_owned();
            return Err(("manual_monthly_spend", problem));
        }
        Ok(())
    }

    /// These edits with `newer` on top. The newest of spend and hours-or-rate decides which of
    /// the two the labour cost comes from, so it drops the other.
    pub(crate) fn merge(self, newer: Edits) -> Edits {
        let by_spend = newer.manual_monthly_spend.is_some();
        let by_hours = newer.manual_monthly_hours.is_some() || newer.labor_rate.is_some();
        let kept = |edit: Option<f64>, dropped: bool| edit.filter(|_| !dropped);
        Edits {
            labor_rate: newer.labor_rate.or(kept(self.labor_rate, by_spend)),
            utilization: newer.utilization.or(self.utilization),
            maintenance_factor: newer.maintenance_factor.or(self.maintenance_factor),
            manual_monthly_spend: newer
                .manual_monthly_spend
                .or(kept(self.manual_monthly_spend, by_hours)),
            manual_monthly_hours: newer
                .manual_monthly_hours
                .or(kept(self.manual_monthly_hours, by_spend)),
            area_m2: newer.area_m2.or(self.area_m2),
            window_hours: newer.window_hours.or(self.window_hours),
            monthly_energy: newer.monthly_energy.or(self.monthly_energy),
        }
    }
}

/// A value with its source.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sourced {
    pub(super) span: Span,
    pub(super) source: Source,
}

impl Sourced {
    fn input(&self, name: InputName, text: String) -> Input {
        Input {
            value: Some(self.span),
            ..words(name, text, &self.source)
        }
    }
}

fn words(name: InputName, text: String, source: &Source) -> Input {
    Input {
        name,
        text,
        value: None,
        source: source.clone(),
    }
}

/// The values of the catalogue.
fn of_robot(robot: &Robot) -> Vec<Input> {
    let share = format!("{} of the time", percent(robot.time_efficiency));
    let lease = format!("{} a month", dollars(robot.monthly_lease));
    [
        (InputName::RobotShare, share),
        (InputName::RobotOutput, robot.area_in_words()),
        (InputName::Runtime, robot.runtime_in_words()),
        (InputName::Lease, lease),
        (InputName::Price, dollars(robot.purchase_price)),
    ]
    .into_iter()
    .map(|(name, text)| words(name, text, &Source::Catalogue))
    .collect()
}

/// The basis of today's cost: one of the two, never both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Basis {
    Spend,
    HoursTimesRate,
}

/// Everything but the robot.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Inputs {
    pub(super) basis: Basis,
    pub(super) spend: Option<Sourced>,
    /// Stated; else they follow from spend or area.
    pub(super) hours: Option<Sourced>,
    /// They were stated for a day, so that the number of days counts.
    hours_by_day: bool,
    pub(super) rate: Sourced,
    pub(super) area: Sourced,
    pub(super) cleanings: Sourced,
    pub(super) modes: Vec<Mode>,
    pub(super) modes_source: Source,
    pub(super) surfaces: Vec<Surface>,
    pub(super) surfaces_source: Source,
    pub(super) window: Option<Sourced>,
    pub(super) utilization: Sourced,
    pub(super) maintenance: Sourced,
    pub(super) energy: Option<Sourced>,
}

/// The facts without which there is no figure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Missing(pub(crate) Vec<Key>);

impl Missing {
    /// For people.
    pub(crate) fn in_words(&self) -> String {
        let labels: Vec<String> = self
            .0
            .iter()
            .map(|key| key.label().to_lowercase())
            .collect();
        format!(
            "There are too few facts for a figure. Missing: {}.",
            labels.join(" and ")
        )
    }
}

impl Inputs {
    pub(crate) fn of(known: &Discovery, edits: &Edits) -> Result<Inputs, Missing> {
        let said = |key| {
            known
                .fact(key)
                .map_or(Source::Default, |fact| fact.source())
        };
        let changed = |edit: Option<f64>| {
            edit.map(|value| Sourced {
                span: Span::exact(value),
                source: Source::Changed,
            })
        };
        let or_default = |edit, default: f64| {
            changed(edit).unwrap_or(Sourced {
                span: Span::exact(default),
                source: Source::Default,
            })
        };
        let stated = |edit, span: Option<Span>, key| {
            let source = said(key);
            changed(edit).or(span.map(|span| Sourced { span, source }))
        };
        let (area, modes) = (known.area(), known.modes());
        let area = match (edits.area_m2, area) {
            (None, Some((span, source))) => Some(Sourced { span, source }),
            (edit, _) => changed(edit),
        };
        let (Some(area), false) = (area.clone(), modes.is_empty()) else {
            let mut missing = Vec::new();
            missing.extend(area.is_none().then(|| known.size_key()));
            missing.extend(modes.is_empty().then_some(Key::Method));
            return Err(Missing(missing));
        };
        let spend = stated(edits.manual_monthly_spend, known.spend(), Key::MonthlySpend);
        let hours = stated(edits.manual_monthly_hours, known.hours(), Key::Duration);
        let rate = known.labor_rate.as_ref().map(|rate| Sourced {
            span: Span::exact(rate.dollars_an_hour),
            source: Source::Said {
                by: rate.said_by.as_ref().map(|author| author.name.clone()),
                quote: rate.quote.clone(),
            },
        });
        let by_hours = edits.labor_rate.is_some() || edits.manual_monthly_hours.is_some();
        let by_spend = edits.manual_monthly_spend.is_some() || (spend.is_some() && !by_hours);
        let surfaces = known.surfaces();
        Ok(Inputs {
            basis: match by_spend {
                true => Basis::Spend,
                false => Basis::HoursTimesRate,
            },
            spend,
            hours,
            hours_by_day: edits.manual_monthly_hours.is_none() && known.hours_are_by_day(),
            rate: changed(edits.labor_rate)
                .or(rate)
                .unwrap_or_else(|| or_default(None, DEFAULT_LABOR_RATE)),
            area,
            cleanings: stated(None, known.cleanings().map(Span::exact), Key::Frequency)
                .unwrap_or_else(|| or_default(None, DEFAULT_CLEANINGS)),
            modes,
            modes_source: said(Key::Method),
            surfaces_source: match surfaces.is_empty() {
                true => Source::Default,
                false => said(Key::Surfaces),
            },
            surfaces,
            window: stated(
                edits.window_hours,
                known.window().map(Span::exact),
                Key::Timing,
            ),
            utilization: or_default(edits.utilization, DEFAULT_UTILIZATION),
            maintenance: or_default(edits.maintenance_factor, DEFAULT_MAINTENANCE),
            energy: changed(edits.monthly_energy),
        })
    }

    /// The inputs that this estimate uses, for people and for the page.
    pub(super) fn listed(&self, robot: &Robot) -> Vec<Input> {
        let parts = [self.labour(), self.work(), self.running(), of_robot(robot)];
        parts.concat()
    }

    fn labour(&self) -> Vec<Input> {
        let rate = format!("{} an hour", self.rate.span.written(dollars));
        let rate = self.rate.input(InputName::LaborRate, rate);
        let hours = self.hours.as_ref().map(|hours| {
            let text = format!("{} h a month", hours.span.written(decimal));
            hours.input(InputName::MonthlyHours, text)
        });
        if let (Basis::Spend, Some(spend)) = (self.basis, &self.spend) {
            let text = format!("{} a month", spend.span.dollars());
            let spend = spend.input(InputName::MonthlySpend, text);
            return vec![spend, hours.unwrap_or(rate)];
        }
        let output = |mode: &Mode| format!("{} {} m²/h", mode.name(), hand_output(*mode));
        let outputs: Vec<String> = self.modes.iter().map(output).collect();
        let by_hand = || words(InputName::HandOutput, outputs.join(", "), &Source::Default);
        vec![rate, hours.unwrap_or_else(by_hand)]
    }

    fn work(&self) -> Vec<Input> {
        let mut all = vec![
            self.area
                .input(InputName::Area, area_in_words(self.area.span)),
        ];
        if self.uses_cleanings() {
            let times = format!("{} times a month", self.cleanings.span.written(decimal));
            all.push(self.cleanings.input(InputName::Cleanings, times));
        }
        let modes: Vec<&str> = self.modes.iter().map(|mode| mode.name()).collect();
        let floors: Vec<&str> = self.surfaces.iter().map(|floor| floor.name()).collect();
        let floors = match floors.is_empty() {
            true => "suit the robot".to_owned(),
            false => floors.join(", "),
        };
        all.push(words(
            InputName::Method,
            modes.join(", "),
            &self.modes_source,
        ));
        all.push(words(InputName::Floors, floors, &self.surfaces_source));
        if let Some(window) = &self.window {
            let text = format!("{} h", window.span.written(decimal));
            all.push(window.input(InputName::Window, text));
        }
        all
    }

    fn running(&self) -> Vec<Input> {
        let utilization = self.utilization.span.written(percent);
        let maintenance = format!("{} of the lease", self.maintenance.span.written(percent));
        let mut all = vec![
            self.utilization.input(InputName::Utilization, utilization),
            self.maintenance.input(InputName::Maintenance, maintenance),
        ];
        if let Some(energy) = &self.energy {
            let text = format!("{} a month for each robot", energy.span.dollars());
            all.push(energy.input(InputName::Energy, text));
        }
        all
    }

    /// Whether the number of cleanings matters: hours come from the area, or a day's hours
    /// were multiplied.
    fn uses_cleanings(&self) -> bool {
        match &self.hours {
            Some(_) => self.hours_by_day,
            None => self.basis == Basis::HoursTimesRate,
        }
    }
}

/// Square metres an hour that a person cleans, rounded from usual cleaning time tables.
pub(super) fn hand_output(mode: Mode) -> f64 {
    match mode {
        Mode::Vacuum => 250.0,
        Mode::Sweep => 450.0,
        Mode::Mop => 300.0,
        Mode::Scrub => 800.0,
    }
}
