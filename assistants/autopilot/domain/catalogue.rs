//! The robots of the catalogue: those of the data file, and those that an operator added.

use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::money::{dollars, grouped};

/// A way of cleaning.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "CleaningMode")]
pub(crate) enum Mode {
    Scrub,
    Vacuum,
    Sweep,
    Mop,
}

impl Mode {
    pub(crate) const ALL: [Mode; 4] = [Mode::Scrub, Mode::Vacuum, Mode::Sweep, Mode::Mop];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Mode::Scrub => "scrub",
            Mode::Vacuum => "vacuum",
            Mode::Sweep => "sweep",
            Mode::Mop => "mop",
        }
    }
}

/// A kind of floor. `Hard` is every floor but carpet.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "FloorSurface")]
pub(crate) enum Surface {
    Tile,
    Concrete,
    Epoxy,
    Vinyl,
    Wood,
    Marble,
    Carpet,
    Hard,
}

impl Surface {
    pub(crate) const ALL: [Surface; 8] = [
        Surface::Tile,
        Surface::Concrete,
        Surface::Epoxy,
        Surface::Vinyl,
        Surface::Wood,
        Surface::Marble,
        Surface::Carpet,
        Surface::Hard,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Surface::Tile => "tile",
            Surface::Concrete => "concrete",
            Surface::Epoxy => "epoxy",
            Surface::Vinyl => "vinyl",
            Surface::Wood => "wood",
            Surface::Marble => "marble",
            Surface::Carpet => "carpet",
            Surface::Hard => "hard",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Robot {
    #[schemars(length(min = 1, max = 64))]
    pub(crate) sku: String,
    #[schemars(length(min = 1, max = 120))]
    pub(crate) name: String,
    #[schemars(length(min = 1, max = 120))]
    pub(crate) manufacturer: String,
    #[schemars(length(min = 1, max = 120))]
    pub(crate) category: String,
    #[schemars(length(min = 1, max = 500))]
    pub(crate) best_for: String,
    #[schemars(length(min = 1, max = 4))]
    pub(crate) modes: Vec<Mode>,
    #[schemars(length(min = 1, max = 8))]
    pub(crate) surfaces: Vec<Surface>,
    /// Least and most square metres an hour; 0 where the least is not known.
    pub(crate) area_m2_h: (u32, u32),
    /// Least and most hours on a charge.
    pub(crate) runtime_h: (f64, f64),
    /// The narrowest passage it fits through, in centimetres.
    pub(crate) aisle_cm: u32,
    /// US dollars; indicative.
    pub(crate) monthly_lease: f64,
    /// US dollars; indicative.
    pub(crate) purchase_price: f64,
    /// The share of cleaning time that it takes over, from 0 to 1.
    pub(crate) time_efficiency: f64,
    #[serde(default)]
    #[schemars(length(max = 6))]
    pub(crate) key_reasons: Vec<String>,
}

impl Robot {
    pub(crate) fn cleans(&self, surface: Surface) -> bool {
        self.surfaces.contains(&surface)
            || (surface != Surface::Carpet && self.surfaces.contains(&Surface::Hard))
            || (surface == Surface::Hard && self.surfaces.iter().any(|own| *own != Surface::Carpet))
    }

    /// The first problem that keeps it out of the catalogue.
    pub(crate) fn check(&self) -> Result<(), (&'static str, String)> {
        for (field, text, most) in [
            ("name", &self.name, 120),
            ("manufacturer", &self.manufacturer, 120),
            ("category", &self.category, 120),
            ("best_for", &self.best_for, 500),
        ] {
            if text.trim().is_empty() || text.trim().chars().count() > most {
                return Err((field, format!("must have 1 to {most} characters")));
            }
        }
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if self.sku.is_empty() || self.sku.len() > 64 || !self.sku.chars().all(plain) {
            return Err((
                "sku",
                "must be 1 to 64 small letters, digits and hyphens".to_owned(),
            ));
        }
        if self.modes.is_empty() || self.modes.len() > Mode::ALL.len() {
            return Err(("modes", "must name one to four ways of cleaning".to_owned()));
        }
        if self.surfaces.is_empty() || self.surfaces.len() > Surface::ALL.len() {
            return Err((
                "surfaces",
                "must name one to eight kinds of floor".to_owned(),
            ));
        }
        if self.key_reasons.len() > 6
            || self
                .key_reasons
                .iter()
                .any(|reason| reason.chars().count() > 200)
        {
            return Err((
                "key_reasons",
                "must be at most six, each of at most 200 characters".to_owned(),
            ));
        }
        let (least_hours, most_hours) = self.runtime_h;
        for (field, value, least, most) in [
            ("monthly_lease", self.monthly_lease, 1.0, 100_000.0),
            ("purchase_price", self.purchase_price, 1.0, 5_000_000.0),
            ("time_efficiency", self.time_efficiency, 0.0, 1.0),
            ("aisle_cm", f64::from(self.aisle_cm), 1.0, 1_000.0),
            ("area_m2_h", f64::from(self.area_m2_h.1), 1.0, 100_000.0),
            ("runtime_h", least_hours, 0.0, 48.0),
            ("runtime_h", most_hours, least_hours, 48.0),
        ] {
            if !(least..=most).contains(&value) {
                return Err((field, format!("must be from {least} to {most}")));
            }
        }
        if self.area_m2_h.0 > self.area_m2_h.1 {
            return Err((
                "area_m2_h",
                "must be the least and then the most".to_owned(),
            ));
        }
        Ok(())
    }

    pub(crate) fn area_in_words(&self) -> String {
        let most = grouped(f64::from(self.area_m2_h.1));
        match self.area_m2_h {
            (0, _) => format!("up to {most} m²/h"),
            (least, top) if least == top => format!("about {most} m²/h"),
            (least, _) => format!("{}–{most} m²/h", grouped(f64::from(least))),
        }
    }

    /// The output to plan with. A maker who states only the most is counted with half of it.
    pub(crate) fn least_output(&self) -> f64 {
        match self.area_m2_h {
            (0, most) => f64::from(most) / 2.0,
            (least, _) => f64::from(least),
        }
    }

    pub(crate) fn runtime_in_words(&self) -> String {
        let (least, most) = self.runtime_h;
        if least == most {
            format!("{most} h")
        } else {
            format!("{least}–{most} h")
        }
    }

    pub(crate) fn modes_in_words(&self) -> String {
        let names: Vec<&str> = self.modes.iter().map(|mode| mode.name()).collect();
        names.join(", ")
    }

    pub(crate) fn surfaces_in_words(&self) -> String {
        let names: Vec<&str> = self.surfaces.iter().map(|surface| surface.name()).collect();
        names.join(", ")
    }

    /// The page that retrieval reads.
    pub(crate) fn page(&self) -> String {
        format!(
            "# {name}\n\n{category} by {manufacturer}. {best_for}\n\nIt can {modes}. Floors: {surfaces}. It cleans {area} and runs \
             {runtime} on a charge; it fits through {aisle} cm. Indicative lease {lease} a month, indicative price {price}. {reasons}.\n",
            name = self.name,
            category = self.category,
            manufacturer = self.manufacturer,
            best_for = self.best_for,
            modes = self.modes_in_words(),
            surfaces = self.surfaces_in_words(),
            area = self.area_in_words(),
            runtime = self.runtime_in_words(),
            aisle = self.aisle_cm,
            lease = dollars(self.monthly_lease),
            price = dollars(self.purchase_price),
            reasons = self.key_reasons.join(". "),
        )
    }
}

#[derive(Deserialize)]
struct File {
    robot: Vec<Robot>,
}

/// The robots of the data file, or why it cannot be read.
pub(crate) fn built_in() -> Result<Vec<Robot>, String> {
    static READ: LazyLock<Result<Vec<Robot>, String>> = LazyLock::new(|| {
        let file: File = toml::from_str(include_str!("data/catalogue.toml"))
            .map_err(|error| error.to_string())?;
        for robot in &file.robot {
            robot
                .check()
                .map_err(|(field, problem)| format!("{}: {field} {problem}", robot.sku))?;
        }
        Ok(file.robot)
    });
    READ.clone()
}

/// Requirements for a robot.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Filter {
    /// Only robots for this kind of floor.
    #[serde(default)]
    pub(crate) surface: Option<Surface>,
    /// Only robots that can clean in this way.
    #[serde(default)]
    pub(crate) mode: Option<Mode>,
    /// Only robots that fit through a passage of this many centimetres.
    #[serde(default)]
    pub(crate) aisle_width_cm: Option<f64>,
    /// Only robots whose lease is at most this many US dollars a month.
    #[serde(default)]
    pub(crate) max_monthly_lease: Option<f64>,
    /// Only robots of this category, e.g. "Compact Scrubber".
    #[serde(default)]
    pub(crate) category: Option<String>,
}

impl Filter {
    pub(crate) fn admits(&self, robot: &Robot) -> bool {
        self.surface.is_none_or(|surface| robot.cleans(surface))
            && self.mode.is_none_or(|mode| robot.modes.contains(&mode))
            && self
                .aisle_width_cm
                .is_none_or(|width| f64::from(robot.aisle_cm) <= width)
            && self
                .max_monthly_lease
                .is_none_or(|most| robot.monthly_lease <= most)
            && self
                .category
                .as_ref()
                .is_none_or(|category| robot.category.eq_ignore_ascii_case(category.trim()))
    }

    /// Refuses impossible numbers.
    pub(crate) fn check(&self) -> Result<(), (&'static str, String)> {
        let positive = |field, value: Option<f64>| match value {
            Some(value) if !value.is_finite() || value <= 0.0 => {
                Err((field, "must be above zero".to_owned()))
            }
            Some(_) | None => Ok(()),
        };
        positive("aisle_width_cm", self.aisle_width_cm)?;
        positive("max_monthly_lease", self.max_monthly_lease)
    }
}

/// A robot by its name or sku in any spelling, or similar names.
pub(crate) fn named<'r>(robots: &'r [Robot], name: &str) -> Result<&'r Robot, Vec<String>> {
    let plain = |text: &str| {
        text.chars()
            .filter(|c| c.is_alphanumeric())
            .collect::<String>()
            .to_lowercase()
    };
    let wanted = plain(name);
    let exact = robots
        .iter()
        .find(|robot| plain(&robot.name) == wanted || plain(&robot.sku) == wanted);
    if let Some(robot) = exact {
        return Ok(robot);
    }
    // "CC1" alone, or "the Phantas": the model without its maker.
    let short = |robot: &Robot| {
        plain(
            robot
                .name
                .strip_prefix(&robot.manufacturer)
                .unwrap_or(&robot.name),
        )
    };
    let mut by_model = robots
        .iter()
        .filter(|robot| !wanted.is_empty() && short(robot) == wanted);
    if let (Some(robot), None) = (by_model.next(), by_model.next()) {
        return Ok(robot);
    }
    let words = words(name);
    let holds = |robot: &&Robot| {
        let parts = words_of(robot);
        !words.is_empty()
            && words
                .iter()
                .all(|word| parts.iter().any(|part| stands_for(word, part)))
    };
    let holding: Vec<&Robot> = robots.iter().filter(holds).collect();
    match holding.as_slice() {
        [robot] => Ok(robot),
        several => Err(several.iter().map(|robot| robot.name.clone()).collect()),
    }
}

/// The robots that a message names, in any spelling: one by its model, several by their maker.
pub(crate) fn mentioned<'r>(robots: &'r [Robot], message: &str) -> Vec<&'r Robot> {
    let said = words(message);
    let shared = |robot: &Robot| -> Vec<String> {
        let parts = words_of(robot);
        let named = |place: &usize| {
            let word = &said[*place];
            // "40" is a name only after "Vacuum".
            let alone = word.chars().all(|c| c.is_ascii_digit())
                && !place
                    .checked_sub(1)
                    .is_some_and(|before| parts.contains(&said[before]));
            !alone && parts.iter().any(|part| stands_for(word, part))
        };
        (0..said.len())
            .filter(named)
            .map(|place| said[place].clone())
            .collect()
    };
    let is_name = |word: &String| {
        let ordinary = ["vac", "pro", "the"].contains(&word.as_str());
        !ordinary && Mode::ALL.iter().all(|mode| mode.name() != word)
    };
    let found: Vec<(&Robot, Vec<String>)> = robots
        .iter()
        .map(|robot| (robot, shared(robot)))
        .filter(|(_, words)| words.iter().any(is_name))
        .collect();
    let better = |(robot, words): &(&Robot, Vec<String>)| {
        found.iter().any(|(other, more)| {
            let all = words.iter().all(|word| more.contains(word));
            // "Pudu CC1" is not the Pudu CC1 Pro.
            let whole = more.len() == words_of(other).len() && words.len() < words_of(robot).len();
            all && (more.len() > words.len() || whole)
        })
    };
    let best = found.iter().filter(|one| !better(one));
    best.map(|(robot, _)| *robot).collect()
}

fn words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

fn words_of(robot: &Robot) -> Vec<String> {
    words(&robot.name)
}

/// "T7" stands for "T7AMR".
fn stands_for(word: &str, part: &str) -> bool {
    let is_model =
        word.chars().any(char::is_alphabetic) && word.chars().any(|c| c.is_ascii_digit());
    part == word || (is_model && part.starts_with(word))
}

#[cfg(test)]
#[path = "catalogue_tests.rs"]
mod catalogue_tests;
