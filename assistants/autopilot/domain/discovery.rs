//! What discovery has found out: each fact with the words it came from. Earlier answers stay until the person says
//! otherwise, and what was said before is kept beside the new answer.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use frontdesk_core::artifact::Author;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::catalogue::{Mode, Surface};
use super::keys::{AFTERWARDS, ENOUGH, Group, Key, REQUIRED};
use super::quantity::{Area, courts, dollars_a_month, duration, hours_a_month};
use super::reading::facility::{Facility, methods, surfaces};
use super::roi::Confidence;

/// The most characters of an answer that are kept.
pub(crate) const LONGEST_VALUE: usize = 300;
/// Earlier answers to one question that are kept.
const MOST_EARLIER: usize = 10;
/// Questions at a time.
const QUESTIONS: usize = 2;

/// An answer and what it was taken from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "DiscoveryFact")]
pub(crate) struct Fact {
    pub(crate) question_id: String,
    pub(crate) key: Key,
    pub(crate) label: String,
    pub(crate) value: String,
    pub(crate) group: Group,
    /// What the person said, word for word.
    pub(crate) quote: String,
    pub(crate) confidence: Confidence,
    pub(crate) at: DateTime<Utc>,
    /// Who said it, by the name that they had then; unknown for old facts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) said_by: Option<Author>,
    /// What they had said before, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) earlier: Vec<Earlier>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "EarlierFact")]
pub(crate) struct Earlier {
    pub(crate) value: String,
    pub(crate) quote: String,
    pub(crate) at: DateTime<Utc>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) said_by: Option<Author>,
}

/// An answer as it was found, before it is kept.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Found {
    pub(crate) key: Key,
    pub(crate) value: String,
    pub(crate) quote: String,
    pub(crate) confidence: Confidence,
}

/// The wage that somebody named.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct LaborRate {
    pub(crate) dollars_an_hour: f64,
    pub(crate) quote: String,
}

/// Everything that is known, and what was asked last. Kept in the conversation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Discovery {
    pub(crate) facts: Vec<Fact>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) labor_rate: Option<LaborRate>,
    /// What the person would not or could not say; it is not asked again.
    pub(crate) skipped: Vec<Key>,
    /// What was asked last.
    pub(crate) asked: Vec<Key>,
}

/// What an answer did.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Taken {
    New(Fact),
    /// It says otherwise than before.
    Changed {
        before: String,
        now: Fact,
    },
    /// It says the same again.
    Same,
}

/// How far it is, for the page and for the model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "DiscoveryState")]
pub(crate) struct State {
    pub(crate) ready_for_roi: bool,
    pub(crate) answered_keys: Vec<Key>,
    /// Those of the required six that are missing.
    pub(crate) missing_keys: Vec<Key>,
    /// Of the required six.
    pub(crate) progress_percent: u32,
    /// What the estimate is fed with, as far as it was said.
    pub(crate) figures: Figures,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "DiscoveryFigures")]
pub(crate) struct Figures {
    pub(crate) labor_rate: Option<f64>,
    pub(crate) manual_monthly_spend: Option<f64>,
    pub(crate) manual_monthly_hours: Option<f64>,
}

/// The facts as the calculation reads them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Profile {
    pub(crate) company_name: Option<String>,
    pub(crate) facility: Option<Facility>,
    pub(crate) methods: Vec<Mode>,
    pub(crate) surfaces: Vec<Surface>,
    pub(crate) area_m2: Option<f64>,
    pub(crate) monthly_hours: Option<f64>,
    pub(crate) monthly_spend: Option<f64>,
    pub(crate) labor_rate: Option<f64>,
    /// What may be spent a month, where that was said.
    pub(crate) monthly_budget: Option<f64>,
}

/// Puts an answer into the form in which it is kept, or says what would be one.
pub(crate) fn checked(key: Key, value: &str) -> Result<String, String> {
    let value: String = value.split_whitespace().collect::<Vec<_>>().join(" ");
    if value.is_empty() {
        return Err("is empty; leave out what was not said".to_owned());
    }
    if value.chars().count() > LONGEST_VALUE {
        return Err(format!(
            "is longer than {LONGEST_VALUE} characters; keep the gist"
        ));
    }
    match key {
        Key::CompanyName if Facility::is_bare(&value) => Err(format!(
            "\"{value}\" is a kind of facility, not a name; record it as company_type"
        )),
        Key::CompanyType => Facility::named(&value)
            .map(|facility| facility.name().to_owned())
            .ok_or_else(|| {
                "must be one of Pickleball Club, Tennis Club, Restaurant, Warehouse, Datacenter"
                    .to_owned()
            }),
        Key::CourtsCount => courts(&value),
        Key::Sqft => Area::read(&value).map(Area::in_words),
        Key::Duration => duration(&value),
        Key::MonthlySpend => dollars_a_month(&value).map(|_| value),
        Key::Method => method_named(&value),
        Key::BudgetExists => super::quantity::other_currency(&value).map(|()| value),
        Key::CompanyName
        | Key::Priorities
        | Key::Stakeholders
        | Key::Background
        | Key::Fnb
        | Key::Surfaces
        | Key::Lifecycle
        | Key::Responsibility
        | Key::Frequency
        | Key::Timing
        | Key::Challenges
        | Key::FailureImpact
        | Key::OpportunityCost
        | Key::Feedback
        | Key::Confidence
        | Key::PastAttempts
        | Key::IdealTimeline
        | Key::UpcomingEvents
        | Key::BusinessChallenges => Ok(value),
    }
}

/// "vacuuming and mopping" as "Vacuum, Mop"; anything else is "Other" with its words.
fn method_named(value: &str) -> Result<String, String> {
    let found = methods(value);
    if found.is_empty() {
        return Ok(match value.eq_ignore_ascii_case("other") {
            true => "Other".to_owned(),
            false => format!("Other: {value}"),
        });
    }
    Ok(found.join(", "))
}

impl Discovery {
    pub(crate) fn fact(&self, key: Key) -> Option<&Fact> {
        self.facts.iter().find(|fact| fact.key == key)
    }

    fn value(&self, key: Key) -> Option<&str> {
        self.fact(key).map(|fact| fact.value.as_str())
    }

    /// The six that count here: where courts make no sense, the floor's area takes their place.
    pub(crate) fn required(&self) -> [Key; 6] {
        let facility = self.value(Key::CompanyType).and_then(Facility::named);
        if facility.is_none_or(Facility::has_courts) {
            return REQUIRED;
        }
        REQUIRED.map(|key| {
            if key == Key::CourtsCount {
                Key::Sqft
            } else {
                key
            }
        })
    }

    pub(crate) fn take(
        &mut self,
        found: Found,
        at: DateTime<Utc>,
        said_by: Option<Author>,
    ) -> Taken {
        self.skipped.retain(|key| *key != found.key);
        let about = found.key.about();
        let mut fact = Fact {
            question_id: about.name.to_owned(),
            key: found.key,
            label: about.label.to_owned(),
            value: found.value,
            group: about.group,
            quote: found.quote,
            confidence: found.confidence,
            at,
            said_by,
            earlier: Vec::new(),
        };
        let Some(known) = self.facts.iter_mut().find(|known| known.key == fact.key) else {
            self.facts.push(fact.clone());
            self.facts.sort_by_key(|fact| fact.key);
            return Taken::New(fact);
        };
        if known.value.eq_ignore_ascii_case(&fact.value) {
            return Taken::Same;
        }
        let before = known.value.clone();
        fact.earlier = std::mem::take(&mut known.earlier);
        fact.earlier.push(Earlier {
            value: before.clone(),
            quote: known.quote.clone(),
            at: known.at,
            said_by: known.said_by.take(),
        });
        let surplus = fact.earlier.len().saturating_sub(MOST_EARLIER);
        fact.earlier.drain(..surplus);
        *known = fact.clone();
        Taken::Changed { before, now: fact }
    }

    /// Notes that a question stays open.
    pub(crate) fn skip(&mut self, key: Key) {
        if self.fact(key).is_none() && !self.skipped.contains(&key) {
            self.skipped.push(key);
        }
    }

    pub(crate) fn state(&self) -> State {
        let required = self.required();
        let missing_keys: Vec<Key> = required
            .into_iter()
            .filter(|key| self.fact(*key).is_none())
            .collect();
        let answered = required.len() - missing_keys.len();
        let profile = self.profile();
        State {
            ready_for_roi: answered >= ENOUGH,
            answered_keys: self.facts.iter().map(|fact| fact.key).collect(),
            progress_percent: u32::try_from(answered * 100 / required.len()).unwrap_or(100),
            missing_keys,
            figures: Figures {
                labor_rate: profile.labor_rate,
                manual_monthly_spend: profile.monthly_spend,
                manual_monthly_hours: profile.monthly_hours,
            },
        }
    }

    /// One or two questions to ask next; never one that was answered or skipped.
    pub(crate) fn next_questions(&self) -> Vec<Key> {
        let open = |key: &Key| self.fact(*key).is_none() && !self.skipped.contains(key);
        let required = self.required().into_iter().filter(open);
        let more = AFTERWARDS.into_iter().filter(open);
        let mut next: Vec<Key> = Vec::new();
        for key in required.chain(more) {
            if next.len() < QUESTIONS && !next.contains(&key) {
                next.push(key);
            }
        }
        next
    }

    pub(crate) fn profile(&self) -> Profile {
        let read = |key| self.value(key);
        Profile {
            company_name: read(Key::CompanyName).map(str::to_owned),
            facility: read(Key::CompanyType).and_then(Facility::named),
            methods: read(Key::Method).map(modes).unwrap_or_default(),
            surfaces: read(Key::Surfaces).map(surfaces).unwrap_or_default(),
            area_m2: read(Key::Sqft)
                .and_then(|text| Area::read(text).ok())
                .map(|area| area.0),
            monthly_hours: read(Key::Duration).and_then(hours_a_month),
            monthly_spend: read(Key::MonthlySpend).and_then(|text| dollars_a_month(text).ok()),
            labor_rate: self.labor_rate.as_ref().map(|rate| rate.dollars_an_hour),
            monthly_budget: read(Key::BudgetExists)
                .filter(|text| text.chars().any(|c| c.is_ascii_digit()))
                .and_then(|text| dollars_a_month(text).ok())
                .filter(|amount| *amount > 0.0),
        }
    }

    /// The facts by group, for people.
    pub(crate) fn by_group(&self) -> BTreeMap<Group, Vec<&Fact>> {
        let mut groups: BTreeMap<Group, Vec<&Fact>> = BTreeMap::new();
        for fact in &self.facts {
            groups.entry(fact.group).or_default().push(fact);
        }
        groups
    }
}

fn modes(value: &str) -> Vec<Mode> {
    methods(value)
        .into_iter()
        .filter_map(|name| {
            Mode::ALL
                .into_iter()
                .find(|mode| mode.name().eq_ignore_ascii_case(name))
        })
        .collect()
}

#[cfg(test)]
#[path = "discovery_tests.rs"]
mod discovery_tests;
